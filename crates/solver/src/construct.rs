//! Making terms, simplified.
//!
//! Simplification serves two ends: what a program does through memory and conversions (bytes taken apart and put
//! together, comparisons widened and compared with zero) must vanish, or no proof would see through it; and a condition
//! that is constant must be seen to be. Each rule is an equation of bit vectors; the tests compare every operation with
//! its value on random operands.

use crate::evaluate::{binary_value, test_value};
use crate::term::{Binary, Node, Symbol, Term, Terms, Test, WIDEST, mask, signed, signed_range};

impl Terms {
    /// A constant of `width` bits; higher bits of `value` are cut off.
    pub fn constant(&self, value: u128, width: u8) -> Term {
        assert!(
            (1..=WIDEST).contains(&width),
            "a vector has 1 to {WIDEST} bits, not {width}"
        );
        self.intern(Node::Constant(value & mask(width)), width)
    }

    /// The vector of width one that is set if `value`.
    pub fn boolean(&self, value: bool) -> Term {
        self.constant(value.into(), 1)
    }

    /// A variable as a term.
    pub fn variable(&self, symbol: Symbol) -> Term {
        self.intern(Node::Symbol(symbol), self.symbol_width(symbol))
    }

    /// A new variable as a term.
    pub fn fresh(&self, name: impl Into<String>, width: u8) -> Term {
        self.variable(self.symbol(name, width))
    }

    /// Every bit the other way round; negation of a condition.
    pub fn not(&self, a: Term) -> Term {
        let width = self.width(a);
        match self.node(a) {
            Node::Constant(value) => self.constant(!value, width),
            Node::Not(inner) => inner,
            Node::Test(Test::UnsignedLess, x, y) => self.test(Test::UnsignedLessEqual, y, x),
            Node::Test(Test::UnsignedLessEqual, x, y) => self.test(Test::UnsignedLess, y, x),
            Node::Test(Test::SignedLess, x, y) => self.test(Test::SignedLessEqual, y, x),
            Node::Test(Test::SignedLessEqual, x, y) => self.test(Test::SignedLess, y, x),
            _ => self.intern(Node::Not(a), width),
        }
    }

    /// The negative.
    pub fn negate(&self, a: Term) -> Term {
        self.binary(Binary::Subtract, self.constant(0, self.width(a)), a)
    }

    /// An operation on two vectors of equal width.
    pub fn binary(&self, operation: Binary, a: Term, b: Term) -> Term {
        let width = self.width(a);
        assert_eq!(
            width,
            self.width(b),
            "operands of {operation:?} have one width"
        );
        if let (Some(x), Some(y)) = (self.as_constant(a), self.as_constant(b)) {
            return self.constant(binary_value(operation, x, y, width), width);
        }
        let (a, b) = if operation.commutes()
            && (self.as_constant(a).is_some() || (self.as_constant(b).is_none() && b < a))
        {
            (b, a)
        } else {
            (a, b)
        };
        match self.simplify_binary(operation, a, b, width) {
            Some(term) => term,
            None => self.intern(Node::Binary(operation, a, b), width),
        }
    }

    fn simplify_binary(&self, operation: Binary, a: Term, b: Term, width: u8) -> Option<Term> {
        use Binary::*;
        let zero = || self.constant(0, width);
        let ones = mask(width);
        if a == b {
            match operation {
                Subtract | Xor => return Some(zero()),
                And | Or => return Some(a),
                _ => {}
            }
        }
        if self.node(a) == Node::Not(b) || self.node(b) == Node::Not(a) {
            match operation {
                And => return Some(zero()),
                Or | Xor => return Some(self.constant(ones, width)),
                _ => {}
            }
        }
        if let Some(c) = self.as_constant(b) {
            return self.simplify_with_constant(operation, a, c, width);
        }
        match (operation, self.as_constant(a)) {
            (ShiftLeft | LogicalShiftRight | UnsignedRemainder, Some(0)) => Some(zero()),
            (ArithmeticShiftRight, Some(c)) if c == 0 || c == ones => Some(a),
            _ => None,
        }
    }

    fn simplify_with_constant(
        &self,
        operation: Binary,
        a: Term,
        c: u128,
        width: u8,
    ) -> Option<Term> {
        use Binary::*;
        let ones = mask(width);
        match (operation, c) {
            (Subtract, _) => {
                return Some(self.binary(Add, a, self.constant(c.wrapping_neg(), width)));
            }
            (Add | Or | Xor | ShiftLeft | LogicalShiftRight | ArithmeticShiftRight, 0) => {
                return Some(a);
            }
            (Multiply | And, 0) => return Some(self.constant(0, width)),
            (Multiply | UnsignedDivide, 1) => return Some(a),
            (SignedDivide, 1) if width > 1 => return Some(a),
            (UnsignedRemainder, 1) => return Some(self.constant(0, width)),
            (SignedRemainder, 1) if width > 1 => return Some(self.constant(0, width)),
            (And, _) if c == ones => return Some(a),
            (Or, _) if c == ones => return Some(self.constant(ones, width)),
            (Xor, _) if c == ones => return Some(self.not(a)),
            (ShiftLeft | LogicalShiftRight, _) if c >= width.into() => {
                return Some(self.constant(0, width));
            }
            _ => {}
        }
        // (x + c) + d, and the like.
        if matches!(operation, Add | Multiply | And | Or | Xor)
            && let Node::Binary(inner, x, y) = self.node(a)
            && inner == operation
            && let Some(d) = self.as_constant(y)
        {
            return Some(self.binary(
                operation,
                x,
                self.constant(binary_value(operation, d, c, width), width),
            ));
        }
        None
    }

    /// A question about two vectors of equal width.
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
            _ => None,
        }
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

    /// The second if the first, of width one, is set, otherwise the third.
    pub fn choose(&self, condition: Term, yes: Term, no: Term) -> Term {
        assert_eq!(self.width(condition), 1, "a condition has one bit");
        let width = self.width(yes);
        assert_eq!(width, self.width(no), "both choices have one width");
        if yes == no {
            return yes;
        }
        match self.as_constant(condition) {
            Some(1) => return yes,
            Some(_) => return no,
            None => {}
        }
        if let Node::Not(inner) = self.node(condition) {
            return self.choose(inner, no, yes);
        }
        if width == 1 {
            match (self.as_constant(yes), self.as_constant(no)) {
                (Some(1), Some(_)) => return condition,
                (Some(_), Some(_)) => return self.not(condition),
                (Some(1), None) => return self.or(condition, no),
                (Some(_), None) => return self.and(self.not(condition), no),
                (None, Some(0)) => return self.and(condition, yes),
                (None, Some(_)) => return self.or(self.not(condition), yes),
                (None, None) => {}
            }
        }
        self.intern(Node::Choose(condition, yes, no), width)
    }

    /// `width` bits of a vector, from bit `low` on.
    pub fn extract(&self, of: Term, low: u8, width: u8) -> Term {
        let whole = self.width(of);
        assert!(
            width >= 1 && low + width <= whole,
            "bits {low} to {} of {whole}",
            low + width
        );
        if width == whole {
            return of;
        }
        self.extracted((of, low, width), || self.simplify_extract(of, low, width))
    }

    fn simplify_extract(&self, of: Term, low: u8, width: u8) -> Term {
        match self.node(of) {
            Node::Constant(value) => self.constant(value >> low, width),
            Node::Extract {
                of: inner,
                low: below,
            } => self.extract(inner, low + below, width),
            Node::Concatenate(x, y) => {
                let split = self.width(y);
                if low >= split {
                    self.extract(x, low - split, width)
                } else if low + width <= split {
                    self.extract(y, low, width)
                } else {
                    let high = self.extract(x, 0, low + width - split);
                    self.concatenate(high, self.extract(y, low, split - low))
                }
            }
            Node::ZeroExtend(x) => {
                let inner = self.width(x);
                if low >= inner {
                    self.constant(0, width)
                } else if low + width <= inner {
                    self.extract(x, low, width)
                } else {
                    self.zero_extend(self.extract(x, low, inner - low), width)
                }
            }
            Node::SignExtend(x) => {
                let inner = self.width(x);
                if low + width <= inner {
                    self.extract(x, low, width)
                } else if low < inner {
                    self.sign_extend(self.extract(x, low, inner - low), width)
                } else {
                    self.intern(Node::Extract { of, low }, width)
                }
            }
            Node::Not(x) => self.not(self.extract(x, low, width)),
            Node::Binary(operation, x, y)
                if operation.is_bitwise()
                    || (low == 0
                        && matches!(
                            operation,
                            Binary::Add | Binary::Subtract | Binary::Multiply
                        )) =>
            {
                self.binary(
                    operation,
                    self.extract(x, low, width),
                    self.extract(y, low, width),
                )
            }
            Node::Choose(condition, x, y) => self.choose(
                condition,
                self.extract(x, low, width),
                self.extract(y, low, width),
            ),
            _ => self.intern(Node::Extract { of, low }, width),
        }
    }

    /// The first above the second.
    pub fn concatenate(&self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        assert!(
            width <= WIDEST,
            "a vector has at most {WIDEST} bits, not {width}"
        );
        match self.node(high) {
            Node::ZeroExtend(x) => return self.zero_extend(self.concatenate(x, low), width),
            Node::SignExtend(x) => return self.sign_extend(self.concatenate(x, low), width),
            _ => {}
        }
        if let Some(whole) = self.join(high, low) {
            return whole;
        }
        if let Node::Concatenate(first, second) = self.node(low)
            && let Some(joined) = self.join(high, first)
        {
            return self.concatenate(joined, second);
        }
        if let Node::Concatenate(first, second) = self.node(high)
            && let Some(joined) = self.join(second, low)
        {
            return self.concatenate(first, joined);
        }
        self.intern(Node::Concatenate(high, low), width)
    }

    /// Two neighbours as one simpler vector, if they are parts of one.
    fn join(&self, high: Term, low: Term) -> Option<Term> {
        let width = self.width(high) + self.width(low);
        if let Some(above) = self.as_constant(high) {
            if above == 0 {
                return Some(self.zero_extend(low, width));
            }
            return Some(self.constant((above << self.width(low)) | self.as_constant(low)?, width));
        }
        let (Node::Extract { of, low: from }, below) = (self.node(high), self.node(low)) else {
            return None;
        };
        let start = match below {
            Node::Extract {
                of: other,
                low: start,
            } if other == of => start,
            _ => self.position_under_sign(of, low)?,
        };
        (start + self.width(low) == from).then(|| self.extract(of, start, width))
    }

    /// Where `part` lies in `whole`, the sign extension of a vector that `part` is all or the top of.
    fn position_under_sign(&self, whole: Term, part: Term) -> Option<u8> {
        let Node::SignExtend(inner) = self.node(whole) else {
            return None;
        };
        let part = match self.node(part) {
            Node::SignExtend(x) => x,
            _ => part,
        };
        match self.node(part) {
            _ if part == inner => Some(0),
            Node::Extract { of, low }
                if of == inner && low + self.width(part) == self.width(inner) =>
            {
                Some(low)
            }
            _ => None,
        }
    }

    /// Zeros above, up to `width` bits.
    pub fn zero_extend(&self, a: Term, width: u8) -> Term {
        let from = self.width(a);
        assert!(
            (from..=WIDEST).contains(&width),
            "{from} bits extended to {width}"
        );
        if from == width {
            return a;
        }
        match self.node(a) {
            Node::Constant(value) => self.constant(value, width),
            Node::ZeroExtend(x) => self.zero_extend(x, width),
            _ => self.intern(Node::ZeroExtend(a), width),
        }
    }

    /// Copies of the sign above, up to `width` bits.
    pub fn sign_extend(&self, a: Term, width: u8) -> Term {
        let from = self.width(a);
        assert!(
            (from..=WIDEST).contains(&width),
            "{from} bits extended to {width}"
        );
        if from == width {
            return a;
        }
        match self.node(a) {
            Node::Constant(value) => self.constant(signed(value, from) as u128, width),
            Node::SignExtend(x) => self.sign_extend(x, width),
            Node::ZeroExtend(x) => self.zero_extend(x, width),
            _ => self.intern(Node::SignExtend(a), width),
        }
    }

    /// The lowest `width` bits, or the vector with zeros above it.
    pub fn resize_unsigned(&self, a: Term, width: u8) -> Term {
        if width <= self.width(a) {
            self.extract(a, 0, width)
        } else {
            self.zero_extend(a, width)
        }
    }

    /// The lowest `width` bits, or the vector with copies of its sign above it.
    pub fn resize_signed(&self, a: Term, width: u8) -> Term {
        if width <= self.width(a) {
            self.extract(a, 0, width)
        } else {
            self.sign_extend(a, width)
        }
    }

    /// Both bits, or bit by bit.
    pub fn and(&self, a: Term, b: Term) -> Term {
        self.binary(Binary::And, a, b)
    }

    /// Either bit, or bit by bit.
    pub fn or(&self, a: Term, b: Term) -> Term {
        self.binary(Binary::Or, a, b)
    }

    /// Whether all conditions hold.
    pub fn all(&self, conditions: &[Term]) -> Term {
        conditions
            .iter()
            .fold(self.boolean(true), |all, &one| self.and(all, one))
    }

    /// Whether one of the conditions holds.
    pub fn any(&self, conditions: &[Term]) -> Term {
        conditions
            .iter()
            .fold(self.boolean(false), |any, &one| self.or(any, one))
    }

    /// Whether the first implies the second.
    pub fn implies(&self, a: Term, b: Term) -> Term {
        self.or(self.not(a), b)
    }

    /// Whether they are equal.
    pub fn equal(&self, a: Term, b: Term) -> Term {
        self.test(Test::Equal, a, b)
    }

    /// Whether they differ.
    pub fn differ(&self, a: Term, b: Term) -> Term {
        self.not(self.equal(a, b))
    }

    /// The sum.
    pub fn add(&self, a: Term, b: Term) -> Term {
        self.binary(Binary::Add, a, b)
    }

    /// The difference.
    pub fn subtract(&self, a: Term, b: Term) -> Term {
        self.binary(Binary::Subtract, a, b)
    }

    /// The product.
    pub fn multiply(&self, a: Term, b: Term) -> Term {
        self.binary(Binary::Multiply, a, b)
    }
}

/// For which x, as bounds, the operation on x and `c` fits; `None` where that would need wider arithmetic.
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

impl Binary {
    /// Whether the operands may change places.
    pub fn commutes(self) -> bool {
        matches!(
            self,
            Binary::Add | Binary::Multiply | Binary::And | Binary::Or | Binary::Xor
        )
    }

    /// Whether each bit of the result depends on the same bit of the operands only.
    pub fn is_bitwise(self) -> bool {
        matches!(self, Binary::And | Binary::Or | Binary::Xor)
    }
}

impl Test {
    /// Whether the operands may change places.
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
