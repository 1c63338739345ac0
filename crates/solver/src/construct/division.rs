//! Quotients and remainders by the same constant, put together again: so a time that was taken
//! apart into seconds and nanoseconds is the time.

use crate::term::{Binary, Node, Term, Terms};

/// A quotient times a number.
struct Whole {
    dividend: Term,
    divisor: u128,
    times: u128,
    division: Binary,
}

impl Terms {
    /// The sum of a quotient times the divisor and the remainder, or a quotient of it, also where a
    /// constant was added to the quotient or to the sum; a remainder that is computed as a
    /// difference.
    pub(super) fn join_division(&self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        if operation == Binary::Add
            && let Some(whole) = self.whole_of(a, b).or_else(|| self.whole_of(b, a))
        {
            return Some(whole);
        }
        match operation {
            Binary::Subtract => {
                if let Some(rest) = self.rest_of(a, b) {
                    return Some(rest);
                }
                let whole = self.as_whole(b)?;
                let is_rest = whole.dividend == a && whole.times == whole.divisor;
                let divisor = self.constant(whole.divisor, self.width(a));
                is_rest.then(|| self.binary(remainder_of(whole.division), a, divisor))
            }
            // Terms that are not joined are made as if nobody had looked: proofs depend on the
            // order in which terms are made.
            Binary::Add if self.has_quotient(a) || self.has_quotient(b) => {
                let rest = self
                    .join_negative(a, b)
                    .or_else(|| self.join_negative(b, a));
                if rest.is_some() {
                    return rest;
                }
                let ((a, more), (b, further)) =
                    (self.without_constant(a), self.without_constant(b));
                let sum = self
                    .join_quotient(a, b)
                    .or_else(|| self.join_quotient(b, a))?;
                Some(self.add(self.add(sum, more), further))
            }
            _ => None,
        }
    }

    /// What was divided, as the sum of the quotient times the divisor and the remainder. It is that
    /// sum where the divisor is zero, too, as bit vectors define both.
    fn whole_of(&self, product: Term, rest: Term) -> Option<Term> {
        let Node::Binary(operation, dividend, divisor) = self.node(rest) else {
            return None;
        };
        let (whole, by, division) = self.as_product_of_quotient(product)?;
        let is_rest = operation == remainder_of(division) && (dividend, divisor) == (whole, by);
        is_rest.then_some(dividend)
    }

    /// The remainder, as the difference of what is divided and the quotient times the divisor.
    fn rest_of(&self, dividend: Term, product: Term) -> Option<Term> {
        let (whole, by, division) = self.as_product_of_quotient(product)?;
        (whole == dividend).then(|| self.binary(remainder_of(division), dividend, by))
    }

    /// What is divided, the divisor and the division, if a vector is a quotient times its divisor,
    /// which is no constant.
    fn as_product_of_quotient(&self, a: Term) -> Option<(Term, Term, Binary)> {
        let Node::Binary(Binary::Multiply, x, y) = self.node(a) else {
            return None;
        };
        [(x, y), (y, x)].into_iter().find_map(|(quotient, by)| {
            let Node::Binary(division, dividend, divisor) = self.node(quotient) else {
                return None;
            };
            let is_division = matches!(division, Binary::SignedDivide | Binary::UnsignedDivide);
            let is_it = is_division && divisor == by && self.as_constant(by).is_none();
            is_it.then_some((dividend, by, division))
        })
    }

    /// The remainder as the sum of what is divided and the quotient times the negative divisor.
    fn join_negative(&self, dividend: Term, product: Term) -> Option<Term> {
        let (whole, width) = (self.as_whole(product)?, self.width(dividend));
        let is_rest = whole.dividend == dividend
            && self.constant(whole.times, width)
                == self.constant(whole.divisor.wrapping_neg(), width);
        let divisor = self.constant(whole.divisor, width);
        is_rest.then(|| self.binary(remainder_of(whole.division), dividend, divisor))
    }

    /// The sum of such a product and of what is left.
    fn join_quotient(&self, product: Term, rest: Term) -> Option<Term> {
        let Node::Binary(Binary::Multiply, factor, by) = self.node(product) else {
            return None;
        };
        let (quotient, added) = self.without_constant(factor);
        let whole = self.as_whole(self.multiply(quotient, by))?;
        let width = self.width(rest);
        let (rest, unit) = match self.node(rest) {
            Node::Binary(division, x, unit) if division == whole.division => {
                (x, self.as_constant(unit)?)
            }
            _ => (rest, 1),
        };
        let is_rest = match self.node(rest) {
            Node::Binary(operation, x, divisor) => {
                operation == remainder_of(whole.division)
                    && x == whole.dividend
                    && self.as_constant(divisor) == Some(whole.divisor)
            }
            _ => false,
        };
        // The units of the parts are the same, and all divisors positive.
        let is_positive = whole.divisor >> (width - 1) == 0;
        let fits = whole.times.checked_mul(unit) == Some(whole.divisor);
        if !is_rest || !is_positive || !fits {
            return None;
        }
        let unit = self.constant(unit, width);
        let joined = self.binary(whole.division, whole.dividend, unit);
        Some(self.add(joined, self.multiply(added, by)))
    }

    /// Whether a vector is a product of a quotient, but for constants that are added.
    fn has_quotient(&self, a: Term) -> bool {
        let variable = |a: Term| match self.node(a) {
            Node::Binary(Binary::Add, x, c) if self.as_constant(c).is_some() => x,
            _ => a,
        };
        let Node::Binary(Binary::Multiply, factor, _) = self.node(variable(a)) else {
            return false;
        };
        let factor = self.node(variable(factor));
        let Node::Binary(Binary::SignedDivide | Binary::UnsignedDivide, _, by) = factor else {
            return false;
        };
        self.as_constant(by).is_some()
    }

    /// A vector without a constant that was added to it, and the constant.
    fn without_constant(&self, a: Term) -> (Term, Term) {
        match self.node(a) {
            Node::Binary(Binary::Add, x, c) if self.as_constant(c).is_some() => (x, c),
            _ => (a, self.constant(0, self.width(a))),
        }
    }

    /// What a vector is if it is a quotient by a constant, times a constant.
    fn as_whole(&self, a: Term) -> Option<Whole> {
        let Node::Binary(Binary::Multiply, quotient, by) = self.node(a) else {
            return None;
        };
        let Node::Binary(division, dividend, divisor) = self.node(quotient) else {
            return None;
        };
        let is_division = matches!(division, Binary::SignedDivide | Binary::UnsignedDivide);
        let divisor = self.as_constant(divisor).filter(|divisor| *divisor > 0)?;
        is_division.then_some(Whole {
            dividend,
            divisor,
            times: self.as_constant(by)?,
            division,
        })
    }
}

/// The remainder that belongs to a division.
fn remainder_of(division: Binary) -> Binary {
    match division {
        Binary::SignedDivide => Binary::SignedRemainder,
        _ => Binary::UnsignedRemainder,
    }
}

#[cfg(test)]
mod tests {
    use crate::evaluate::{Evaluator, Values, binary_value};
    use crate::term::{Binary, Terms};

    /// Parts by a divisor that is no constant, which may be zero, against their values.
    #[test]
    fn parts_by_any_divisor_have_their_value() {
        for division in [Binary::SignedDivide, Binary::UnsignedDivide] {
            let rest = super::remainder_of(division);
            let terms = Terms::new();
            let symbols = ["x", "y"].map(|name| terms.symbol(name, 5));
            let [x, y] = symbols.map(|symbol| terms.variable(symbol));
            let product = terms.multiply(terms.binary(division, x, y), y);
            let left = terms.binary(rest, x, y);
            assert_eq!(terms.add(product, left), x);
            assert_eq!(terms.add(left, product), x);
            assert_eq!(terms.subtract(x, product), left);
            for (x, y) in (0..32).flat_map(|x| (0..32).map(move |y| (x, y))) {
                let apply = |operation, a, b| binary_value(operation, a, b, 5);
                let product = apply(Binary::Multiply, apply(division, x, y), y);
                let left = apply(rest, x, y);
                assert_eq!(apply(Binary::Add, product, left), x);
                assert_eq!(apply(Binary::Subtract, x, product), left);
            }
        }
    }

    /// All sums of parts of a number of eight bits, against their values.
    #[test]
    fn parts_that_are_joined_have_their_value() {
        let mut joined = 0;
        for division in [Binary::SignedDivide, Binary::UnsignedDivide] {
            let rest = super::remainder_of(division);
            for (divisor, times, unit) in [
                (12, 12, 1),
                (12, 4, 3),
                (12, 3, 3),
                (12, 13, 1),
                (244, 244, 1),
                (244, 122, 2),
                (1, 1, 1),
            ] {
                let terms = Terms::new();
                let symbol = terms.symbol("x", 8);
                let x = terms.variable(symbol);
                let number = |value: u128| terms.constant(value, 8);
                let quotient = terms.binary(division, x, number(divisor));
                let whole = terms.multiply(terms.add(quotient, number(5)), number(times));
                let part = terms.binary(rest, x, number(divisor));
                let part = terms.binary(division, part, number(unit));
                let sum = terms.add(whole, terms.add(part, number(9)));
                let product = terms.multiply(quotient, number(times));
                let difference = terms.subtract(x, product);
                joined += usize::from(terms.below(&[sum]).len() < 7);
                let negative = number(divisor.wrapping_neg());
                let negative = terms.add(terms.multiply(quotient, negative), x);
                let mut evaluator = Evaluator::new(&terms, &[sum, difference, negative]);
                for value in 0..256 {
                    let values: Values = [(symbol, value)].into_iter().collect();
                    let apply = |operation, a, b| binary_value(operation, a, b, 8);
                    let quotient = apply(division, value, divisor);
                    let part = apply(division, apply(rest, value, divisor), unit);
                    let product = apply(Binary::Multiply, quotient, times);
                    let whole = apply(Binary::Multiply, apply(Binary::Add, quotient, 5), times);
                    let sum = apply(Binary::Add, whole, apply(Binary::Add, part, 9));
                    let difference = apply(Binary::Subtract, value, product);
                    let rest = apply(rest, value, divisor);
                    assert_eq!(evaluator.run(&values), [sum, difference, rest]);
                }
            }
        }
        assert!(joined >= 4, "{joined}");
    }
}
