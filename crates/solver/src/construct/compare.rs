//! Questions, simplified: comparisons of widened vectors become comparisons of the narrow ones, and
//! overflow with a constant becomes a comparison.

use crate::evaluate::test_value;
use crate::term::{Binary, Node, Term, Terms, Test, WIDEST, mask, signed, signed_range};

impl Terms {
    /// Returns the condition that a test of two vectors holds. Panics unless both have the same
    /// width.
    pub fn test(&self, test: Test, a: Term, b: Term) -> Term {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "operands of {test:?} have one width");
        if let (Some(x), Some(y)) = (self.as_constant(a), self.as_constant(b)) {
            return self.boolean(test_value(test, x, y, width));
        }
        let (a, b) = if test.commutes()
            && (self.as_constant(a).is_some() || (self.as_constant(b).is_none() && b < a))
        {
            (b, a)
        } else {
            (a, b)
        };
        match self.simplify_test(test, a, b, width) {
            Some(term) => term,
            None => self.intern(Node::Test(test, a, b), 1),
        }
    }

    fn simplify_test(&self, test: Test, a: Term, b: Term, width: u8) -> Option<Term> {
        use Test::*;
        if a == b {
            match test {
                Equal | UnsignedLessEqual | SignedLessEqual => return Some(self.boolean(true)),
                UnsignedLess | SignedLess | SignedSubtractOverflow => {
                    return Some(self.boolean(false));
                }
                _ => {}
            }
        }
        let right = self.as_constant(b);
        let left = self.as_constant(a);
        match test {
            Equal => self.simplify_equal(a, right?, width),
            UnsignedLess if right == Some(0) || left == Some(mask(width)) => {
                Some(self.boolean(false))
            }
            UnsignedLessEqual if left == Some(0) || right == Some(mask(width)) => {
                Some(self.boolean(true))
            }
            UnsignedLess | UnsignedLessEqual | SignedLess | SignedLessEqual => {
                self.simplify_order(test, a, b)
            }
            UnsignedAddOverflow | UnsignedMultiplyOverflow => {
                self.unsigned_overflow(test, a, right?, width)
            }
            SignedAddOverflow | SignedSubtractOverflow | SignedMultiplyOverflow => {
                let (x, fitting) = match (left, right) {
                    (_, Some(c)) => (a, signed_solutions(test, signed(c, width), width)?),
                    (Some(c), _) => (b, signed_minuends(signed(c, width), width)?),
                    _ => return None,
                };
                Some(self.not(self.between_signed(x, fitting, width)))
            }
        }
    }

    /// Overflow with a constant is a comparison.
    fn unsigned_overflow(&self, test: Test, a: Term, c: u128, width: u8) -> Option<Term> {
        let most = match test {
            Test::UnsignedAddOverflow => mask(width) - c,
            _ => mask(width).checked_div(c).unwrap_or(mask(width)),
        };
        Some(self.test(Test::UnsignedLess, self.constant(most, width), a))
    }

    /// Whether a vector, read with sign, lies between the bounds, both included.
    fn between_signed(&self, a: Term, (least, most): (i128, i128), width: u8) -> Term {
        let bound = |value: i128| self.constant(value as u128, width);
        let (smallest, largest) = signed_range(width);
        let above = if least <= smallest {
            self.boolean(true)
        } else if least > largest {
            self.boolean(false)
        } else {
            self.test(Test::SignedLessEqual, bound(least), a)
        };
        let below = if most >= largest {
            self.boolean(true)
        } else if most < smallest {
            self.boolean(false)
        } else {
            self.test(Test::SignedLessEqual, a, bound(most))
        };
        self.and(above, below)
    }

    fn simplify_equal(&self, a: Term, c: u128, width: u8) -> Option<Term> {
        if width == 1 {
            return Some(if c == 1 { a } else { self.not(a) });
        }
        let against =
            |x: Term, value: u128| self.test(Test::Equal, x, self.constant(value, self.width(x)));
        match self.node(a) {
            Node::ZeroExtend(x) if c > mask(self.width(x)) => Some(self.boolean(false)),
            Node::ZeroExtend(x) => Some(against(x, c)),
            Node::SignExtend(x) if self.fits_signed(c, width, self.width(x)) => Some(against(x, c)),
            Node::SignExtend(_) => Some(self.boolean(false)),
            Node::Not(x) => Some(against(x, !c)),
            Node::Concatenate(x, y) => {
                let low = self.width(y);
                Some(self.and(against(x, c >> low), against(y, c)))
            }
            Node::Choose(condition, x, y) => match (self.as_constant(x), self.as_constant(y)) {
                (Some(x), Some(y)) => Some(match (x == c, y == c) {
                    (true, true) => self.boolean(true),
                    (true, false) => condition,
                    (false, true) => self.not(condition),
                    (false, false) => self.boolean(false),
                }),
                _ => None,
            },
            Node::Binary(Binary::Add, x, y) => {
                let y = self.as_constant(y)?;
                Some(against(x, c.wrapping_sub(y)))
            }
            Node::Binary(Binary::Xor, x, y) => {
                let y = self.as_constant(y)?;
                Some(against(x, c ^ y))
            }
            Node::Binary(Binary::Multiply, x, y) => {
                let factor = self.as_constant(y)?;
                let low = factor.trailing_zeros() as u8;
                self.simplify_multiple(x, (factor >> low, low), c, width)
            }
            Node::Binary(Binary::ShiftLeft, x, y) => {
                let low = u8::try_from(self.as_constant(y)?).ok()?;
                self.simplify_multiple(x, (1, low), c, width)
            }
            _ => None,
        }
    }

    /// Whether a widened vector times an odd number, shifted left, is `c`, as a comparison of the
    /// narrow vector. The product determines the bits that the shift keeps, since odd numbers have
    /// inverses; `None` if the narrow vector has more.
    fn simplify_multiple(
        &self,
        x: Term,
        (odd, low): (u128, u8),
        c: u128,
        width: u8,
    ) -> Option<Term> {
        let kept = width.checked_sub(low)?;
        let narrow = match self.node(x) {
            Node::ZeroExtend(narrow) | Node::SignExtend(narrow) => self.width(narrow),
            _ => return None,
        };
        if narrow >= kept {
            return None;
        }
        if c & !(u128::MAX << low) != 0 {
            return Some(self.boolean(false));
        }
        let mut inverse = odd;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
        }
        let quotient = self.constant((c >> low).wrapping_mul(inverse), kept);
        Some(self.test(Test::Equal, self.extract(x, 0, kept), quotient))
    }

    /// Comparisons of widened vectors as comparisons of the narrow ones, where both sides allow it.
    fn simplify_order(&self, test: Test, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let is_signed = matches!(test, Test::SignedLess | Test::SignedLessEqual);
        let unsigned_test = match test {
            Test::SignedLess => Test::UnsignedLess,
            Test::SignedLessEqual => Test::UnsignedLessEqual,
            other => other,
        };
        let narrow = match (self.node(a), self.node(b)) {
            (Node::ZeroExtend(x), _) | (_, Node::ZeroExtend(x)) => self.width(x),
            (Node::SignExtend(x), _) | (_, Node::SignExtend(x)) if is_signed => self.width(x),
            _ => return None,
        };
        let zero_extended = |term: Term| match self.node(term) {
            Node::ZeroExtend(x) if self.width(x) == narrow => Some(x),
            Node::Constant(c) if c <= mask(narrow) => Some(self.constant(c, narrow)),
            _ => None,
        };
        let sign_extended = |term: Term| match self.node(term) {
            Node::SignExtend(x) if self.width(x) == narrow => Some(x),
            Node::Constant(c) if self.fits_signed(c, width, narrow) => {
                Some(self.constant(c, narrow))
            }
            _ => None,
        };
        if let (Some(x), Some(y)) = (zero_extended(a), zero_extended(b)) {
            return Some(self.test(unsigned_test, x, y));
        }
        if let (true, Some(x), Some(y)) = (is_signed, sign_extended(a), sign_extended(b)) {
            return Some(self.test(test, x, y));
        }
        None
    }

    /// Whether a constant of `width` bits is the sign extension of one of `narrow` bits.
    fn fits_signed(&self, c: u128, width: u8, narrow: u8) -> bool {
        signed(c, width) == signed(c & mask(narrow), narrow)
    }
}

/// For which x, as bounds, the operation on x and `c` fits; `None` where that would need wider
/// arithmetic.
fn signed_solutions(test: Test, c: i128, width: u8) -> Option<(i128, i128)> {
    if width == WIDEST {
        return None;
    }
    let (least, most) = signed_range(width);
    Some(match test {
        Test::SignedAddOverflow => (least - c, most - c),
        Test::SignedSubtractOverflow => (least + c, most + c),
        Test::SignedMultiplyOverflow if c == 0 => (least, most),
        // Division truncates towards zero, which is inwards for both bounds: zero is between them.
        Test::SignedMultiplyOverflow if c > 0 => (least / c, most / c),
        Test::SignedMultiplyOverflow => (most / c, least / c),
        _ => return None,
    })
}

/// For which x, as bounds, `c - x` fits.
fn signed_minuends(c: i128, width: u8) -> Option<(i128, i128)> {
    if width == WIDEST {
        return None;
    }
    let (least, most) = signed_range(width);
    Some((c - most, c - least))
}

impl Test {
    /// Returns whether the test is symmetric in its operands.
    pub fn commutes(self) -> bool {
        matches!(
            self,
            Test::Equal
                | Test::UnsignedAddOverflow
                | Test::SignedAddOverflow
                | Test::UnsignedMultiplyOverflow
                | Test::SignedMultiplyOverflow
        )
    }
}
