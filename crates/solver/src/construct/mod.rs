//! Making terms, simplified.
//!
//! Simplification serves two ends: what a program does through memory and conversions (bytes taken
//! apart and put together, comparisons widened and compared with zero) must vanish, or no proof
//! would see through it; and a condition that is constant must be seen to be. Each rule is an
//! equation of bit vectors; the tests compare every operation with its value on random operands.

mod compare;
mod division;
mod parts;

use crate::evaluate::binary_value;
use crate::term::{Binary, Node, Symbol, Term, Terms, Test, WIDEST, mask};

impl Terms {
    /// Returns a constant of `width` bits; higher bits of `value` are ignored. Panics unless
    /// `width` is 1 to [`WIDEST`].
    pub fn constant(&self, value: u128, width: u8) -> Term {
        assert!(
            (1..=WIDEST).contains(&width),
            "a vector has 1 to {WIDEST} bits, not {width}"
        );
        self.intern(Node::Constant(value & mask(width)), width)
    }

    /// Returns the vector of one bit that is 1 if `value`, else 0.
    pub fn boolean(&self, value: bool) -> Term {
        self.constant(value.into(), 1)
    }

    /// Returns a variable as a term.
    pub fn variable(&self, symbol: Symbol) -> Term {
        self.intern(Node::Symbol(symbol), self.symbol_width(symbol))
    }

    /// Returns a new variable as a term. Panics unless `width` is 1 to [`WIDEST`].
    pub fn fresh(&self, name: impl Into<String>, width: u8) -> Term {
        self.variable(self.symbol(name, width))
    }

    /// Returns the complement of every bit; of a condition, its negation.
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

    /// Returns the negative in two's complement.
    pub fn negate(&self, a: Term) -> Term {
        self.binary(Binary::Subtract, self.constant(0, self.width(a)), a)
    }

    /// Returns the result of an operation. Panics unless both operands have the same width.
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
        if let Some(term) = self.join_division(operation, a, b) {
            return Some(term);
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
        // A remainder of a remainder that is less already.
        if (operation == UnsignedRemainder || operation == SignedRemainder && c <= ones / 2)
            && let Node::Binary(UnsignedRemainder, _, y) = self.node(a)
            && self.as_constant(y).is_some_and(|d| d > 0 && d <= c)
        {
            return Some(a);
        }
        if let Some(term) = self.simplify_parts(operation, a, c, width) {
            return Some(term);
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

    /// An operation with a constant that drops parts of which a vector was put together.
    fn simplify_parts(&self, operation: Binary, a: Term, c: u128, width: u8) -> Option<Term> {
        match (operation, self.node(a)) {
            (Binary::LogicalShiftRight, Node::Concatenate(..)) => {
                let low = c as u8;
                Some(self.zero_extend(self.extract(a, low, width - low), width))
            }
            (Binary::ArithmeticShiftRight, Node::Concatenate(..)) if c < width.into() => {
                let low = c as u8;
                Some(self.sign_extend(self.extract(a, low, width - low), width))
            }
            (Binary::ShiftLeft, Node::Concatenate(..)) => {
                let kept = self.extract(a, 0, width - c as u8);
                Some(self.concatenate(kept, self.constant(0, c as u8)))
            }
            (Binary::And, Node::Concatenate(high, low)) => {
                let split = self.width(low);
                let [above, below] = [c >> split, c & mask(split)];
                if above != 0 && below != 0 {
                    return None;
                }
                let high = self.and(high, self.constant(above, width - split));
                let low = self.and(low, self.constant(below, split));
                Some(self.concatenate(high, low))
            }
            (Binary::And, Node::ZeroExtend(x)) if matches!(self.node(x), Node::Concatenate(..)) => {
                let inner = self.width(x);
                let kept = self.and(x, self.constant(c, inner));
                Some(self.zero_extend(kept, width))
            }
            _ => None,
        }
    }

    /// Returns `yes` where the condition is 1, `no` where it is 0. Panics unless the condition has
    /// one bit and both choices have the same width.
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

    /// Returns the bitwise conjunction. Panics unless both have the same width.
    pub fn and(&self, a: Term, b: Term) -> Term {
        self.binary(Binary::And, a, b)
    }

    /// Returns the bitwise disjunction. Panics unless both have the same width.
    pub fn or(&self, a: Term, b: Term) -> Term {
        self.binary(Binary::Or, a, b)
    }

    /// Returns the conjunction of conditions, each of one bit; true if there are none.
    pub fn all(&self, conditions: &[Term]) -> Term {
        conditions
            .iter()
            .fold(self.boolean(true), |all, &one| self.and(all, one))
    }

    /// Returns the disjunction of conditions, each of one bit; false if there are none.
    pub fn any(&self, conditions: &[Term]) -> Term {
        conditions
            .iter()
            .fold(self.boolean(false), |any, &one| self.or(any, one))
    }

    /// Returns the condition that `a` implies `b`; both have one bit.
    pub fn implies(&self, a: Term, b: Term) -> Term {
        self.or(self.not(a), b)
    }

    /// Returns the condition that two vectors are equal. Panics unless both have the same width.
    pub fn equal(&self, a: Term, b: Term) -> Term {
        self.test(Test::Equal, a, b)
    }

    /// Returns the condition that two vectors differ. Panics unless both have the same width.
    pub fn differ(&self, a: Term, b: Term) -> Term {
        self.not(self.equal(a, b))
    }

    /// Returns the sum. Panics unless both have the same width.
    pub fn add(&self, a: Term, b: Term) -> Term {
        self.binary(Binary::Add, a, b)
    }

    /// Returns the difference. Panics unless both have the same width.
    pub fn subtract(&self, a: Term, b: Term) -> Term {
        self.binary(Binary::Subtract, a, b)
    }

    /// Returns the product. Panics unless both have the same width.
    pub fn multiply(&self, a: Term, b: Term) -> Term {
        self.binary(Binary::Multiply, a, b)
    }
}

impl Binary {
    /// Returns whether the operation is commutative.
    pub fn commutes(self) -> bool {
        matches!(
            self,
            Binary::Add | Binary::Multiply | Binary::And | Binary::Or | Binary::Xor
        )
    }

    /// Returns whether each bit of the result depends on the same bit of the operands only.
    pub fn is_bitwise(self) -> bool {
        matches!(self, Binary::And | Binary::Or | Binary::Xor)
    }
}
