//! Questions that intervals answer: between which bounds a term lies, given bounds on parts of it.
//!
//! *Claim.* Where all conjuncts hold, the value of a term, as a number without a sign, lies in its
//! interval. So a condition whose interval is zero cannot hold, and one whose interval is one holds
//! wherever the conjuncts do.

use super::Arena;
use impasse_solver::{Binary, Node, Term, Test};
use rustc_hash::FxHashMap;

/// Terms of more nodes are not looked at.
const LARGE: usize = 64;

/// The least and the greatest value.
type Interval = (u128, u128);

/// What the conjuncts say of terms.
#[derive(Default)]
struct Known {
    bounds: FxHashMap<Term, Bounds>,
    found: FxHashMap<Term, Interval>,
}

/// The bounds of a term as a number with a sign, and without one.
struct Bounds {
    signed: (i128, i128),
    unsigned: (i128, i128),
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            signed: (i128::MIN, i128::MAX),
            unsigned: (0, i128::MAX),
        }
    }
}

impl Arena {
    /// The term of at most 64 bits that a condition says equals a number.
    fn equals_number(&self, condition: Term) -> Option<(Term, i128)> {
        let Node::Test(Test::Equal, a, b) = self.terms.node(condition) else {
            return None;
        };
        let (term, number) = match (self.terms.as_constant(a), self.terms.as_constant(b)) {
            (Some(number), None) => (b, number),
            (None, Some(number)) => (a, number),
            _ => return None,
        };
        (self.terms.width(term) <= 64).then_some((term, number as i128))
    }

    /// Returns whether a condition holds wherever all conjuncts do, or nowhere there; `None` if
    /// intervals do not tell. The conjuncts hold somewhere.
    pub(super) fn known_by_intervals(&self, conjuncts: &[Term], condition: Term) -> Option<bool> {
        match self.interval_under(conjuncts, condition)? {
            (0, 0) => Some(false),
            (1, 1) => Some(true),
            _ => None,
        }
    }

    /// Returns bounds of a term where all conjuncts hold, which they do somewhere; `None` if the
    /// term is large.
    pub(super) fn interval_under(&self, conjuncts: &[Term], of: Term) -> Option<Interval> {
        let order = self.terms.below(&[of]);
        if order.len() > LARGE {
            return None;
        }
        let mut known = Known::default();
        for &conjunct in conjuncts {
            if let Some((term, value)) = self.equals_number(conjunct) {
                let bounds = known.bounds.entry(term).or_default();
                bounds.unsigned = (value, value);
            }
            if let Some((of, bound)) = self.bound(conjunct) {
                let bounds = known.bounds.entry(of.term).or_default();
                let range = match of.is_signed {
                    true => &mut bounds.signed,
                    false => &mut bounds.unsigned,
                };
                match of.is_lower {
                    true => range.0 = range.0.max(bound),
                    false => range.1 = range.1.min(bound),
                }
            }
        }
        for term in order {
            let interval = self.interval(&known, term);
            known.found.insert(term, interval);
        }
        Some(known.found[&of])
    }

    /// The interval of a term; those of its operands are found.
    fn interval(&self, known: &Known, term: Term) -> Interval {
        let width = u32::from(self.terms.width(term));
        if width > 64 {
            return (0, u128::MAX);
        }
        let (low, high) = self.computed(known, term, width);
        let Some(bounds) = known.bounds.get(&term) else {
            return (low, high);
        };
        let (mut least, mut most) = (low as i128, high as i128);
        least = least.max(bounds.unsigned.0);
        most = most.min(bounds.unsigned.1);
        let half = 1i128 << (width - 1);
        let (negative, positive) = (bounds.signed.0.max(-half), bounds.signed.1.min(half - 1));
        if negative >= 0 {
            (least, most) = (least.max(negative), most.min(positive));
        } else if positive < 0 {
            let turn = 1i128 << width;
            (least, most) = (least.max(negative + turn), most.min(positive + turn));
        }
        match least <= most {
            true => (least as u128, most as u128),
            false => (low, high),
        }
    }

    fn computed(&self, known: &Known, term: Term, width: u32) -> Interval {
        let most = u128::MAX >> (128 - width);
        let all = (0, most);
        let of = |term: Term| known.found[&term];
        let wide = |term: Term| u32::from(self.terms.width(term));
        let fits = |low: Option<u128>, high: Option<u128>| match (low, high) {
            (Some(low), Some(high)) if high <= most => (low, high),
            _ => all,
        };
        match self.terms.node(term) {
            Node::Constant(value) => (value, value),
            Node::ZeroExtend(x) => of(x),
            Node::SignExtend(x) => {
                let (low, high) = of(x);
                let half = 1u128 << (wide(x) - 1);
                let above = most - (u128::MAX >> (128 - wide(x)));
                match (high < half, low >= half) {
                    (true, _) => (low, high),
                    (_, true) => (low + above, high + above),
                    _ => all,
                }
            }
            Node::Not(x) => {
                let (low, high) = of(x);
                (most - high, most - low)
            }
            Node::Choose(_, x, y) => {
                let (x, y) = (of(x), of(y));
                (x.0.min(y.0), x.1.max(y.1))
            }
            Node::Extract { of: x, low: 0 } if wide(x) <= 64 && of(x).1 <= most => of(x),
            Node::Extract { of: x, low } if wide(x) <= 64 && wide(x) == u32::from(low) + width => {
                (of(x).0 >> low, of(x).1 >> low)
            }
            Node::Concatenate(x, y) => {
                let (high, low) = (of(x), of(y));
                ((high.0 << wide(y)) + low.0, (high.1 << wide(y)) + low.1)
            }
            Node::Binary(Binary::Add, x, y) => {
                let (x, y) = (of(x), of(y));
                let (low, high) = (x.0 + y.0, x.1 + y.1);
                match low > most {
                    true => (low - most - 1, high - most - 1),
                    false => fits(Some(low), Some(high)),
                }
            }
            Node::Binary(Binary::Subtract, x, y) => {
                let (x, y) = (of(x), of(y));
                fits(x.0.checked_sub(y.1), x.1.checked_sub(y.0))
            }
            Node::Binary(Binary::Multiply, x, y) => {
                let (x, y) = (of(x), of(y));
                fits(x.0.checked_mul(y.0), x.1.checked_mul(y.1))
            }
            Node::Binary(Binary::ShiftLeft, x, y) => match of(y) {
                (by, also) if by == also && by < 64 => {
                    fits(Some(of(x).0 << by), Some(of(x).1 << by))
                }
                _ => all,
            },
            Node::Binary(Binary::LogicalShiftRight, x, y) => match of(y) {
                (by, also) if by == also && by < 64 => (of(x).0 >> by, of(x).1 >> by),
                _ => (0, of(x).1),
            },
            Node::Binary(Binary::And, x, y) if width > 1 => (0, of(x).1.min(of(y).1)),
            Node::Binary(Binary::And, x, y) => (of(x).0 & of(y).0, of(x).1 & of(y).1),
            Node::Binary(Binary::Or, x, y) if width == 1 => (of(x).0 | of(y).0, of(x).1 | of(y).1),
            Node::Binary(Binary::UnsignedRemainder, x, y) if of(y).0 > 0 => remainder(of(x), of(y)),
            Node::Binary(Binary::SignedRemainder, x, y)
                if of(y).0 > 0 && of(x).1.max(of(y).1) <= most / 2 =>
            {
                remainder(of(x), of(y))
            }
            Node::Test(test, x, y) if wide(x) <= 64 => self.outcome(test, (of(x), of(y)), wide(x)),
            _ => all,
        }
    }

    /// The interval of the answer to a question.
    fn outcome(&self, test: Test, (x, y): (Interval, Interval), width: u32) -> Interval {
        let less = |x: (i128, i128), y: (i128, i128), strict: bool| {
            let strict = i128::from(strict);
            match (x.1 + strict <= y.0, x.0 + strict > y.1) {
                (true, _) => (1, 1),
                (_, true) => (0, 0),
                _ => (0, 1),
            }
        };
        let unsigned = |(low, high): Interval| (low as i128, high as i128);
        let signed = |(low, high): Interval| {
            let half = 1i128 << (width - 1);
            let (low, high) = (low as i128, high as i128);
            match (high < half, low >= half) {
                (true, _) => (low, high),
                (_, true) => (low - 2 * half, high - 2 * half),
                _ => (-half, half - 1),
            }
        };
        match test {
            Test::UnsignedLess => less(unsigned(x), unsigned(y), true),
            Test::UnsignedLessEqual => less(unsigned(x), unsigned(y), false),
            Test::SignedLess => less(signed(x), signed(y), true),
            Test::SignedLessEqual => less(signed(x), signed(y), false),
            Test::Equal if x.1 < y.0 || y.1 < x.0 => (0, 0),
            Test::Equal if x.0 == x.1 && x == y => (1, 1),
            _ => (0, 1),
        }
    }
}

/// The interval of the remainder of a division by something that is not zero.
fn remainder(x: Interval, y: Interval) -> Interval {
    match x.0 == x.1 && y.0 == y.1 {
        true => (x.0 % y.0, x.0 % y.0),
        false if x.1 < y.0 => x,
        false => (0, x.1.min(y.1 - 1)),
    }
}

#[cfg(test)]
mod tests {
    use crate::value::symbolic::{InputId, SharedTerms};
    use impasse_solver::{Binary, Term, Test};

    /// What intervals tell of comparisons of made-up terms over two inputs, against all values.
    #[test]
    fn intervals_agree_with_all_values() {
        let shared = SharedTerms::default();
        let inputs = [(InputId::new(1, 0), 3), (InputId::new(2, 0), 3)];
        let [x, y] = inputs.map(|input| shared.input(input));
        let (bounds, operands) = shared.with(|terms| {
            let number = |value: u128| terms.constant(value, 6);
            let mut operands = vec![terms.zero_extend(x, 6), terms.sign_extend(y, 6)];
            operands.extend([3, 60].map(number));
            operands.push(terms.concatenate(y, x));
            for operation in [
                Binary::Add,
                Binary::Subtract,
                Binary::Multiply,
                Binary::ShiftLeft,
                Binary::LogicalShiftRight,
                Binary::And,
                Binary::UnsignedRemainder,
                Binary::SignedRemainder,
            ] {
                for (a, b) in [(0, 1), (1, 0), (0, 2), (1, 2), (1, 3), (4, 2)] {
                    operands.push(terms.binary(operation, operands[a], operands[b]));
                }
            }
            for n in (0..operands.len()).step_by(4) {
                operands.push(terms.zero_extend(terms.extract(operands[n], 2, 4), 6));
            }
            let mut bounds: Vec<Term> = Vec::new();
            for test in [Test::UnsignedLess, Test::SignedLessEqual] {
                for value in [1, 3, 6] {
                    let value = terms.constant(value, 3);
                    bounds.extend([x, y].map(|input| terms.test(test, input, value)));
                    bounds.extend([x, y].map(|input| terms.test(test, value, input)));
                    bounds.extend([x, y].map(|input| terms.equal(input, value)));
                }
            }
            (bounds, operands)
        });
        let mut told = 0;
        for (n, &one) in bounds.iter().enumerate() {
            let other = bounds[(n * 5 + 1) % bounds.len()];
            let mut within = Vec::new();
            for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
                let values = shared.values(&[(inputs[0], a), (inputs[1], b)]);
                if shared.value(one, &values) & shared.value(other, &values) == 1 {
                    within.push(values);
                }
            }
            if within.is_empty() {
                continue;
            }
            for test in Test::ALL {
                for (m, &left) in operands.iter().enumerate() {
                    let right = operands[(m * 7 + n) % operands.len()];
                    let condition = shared.with(|terms| terms.test(test, left, right));
                    let known = shared.arena().known_by_intervals(&[one, other], condition);
                    if let Some(known) = known {
                        told += 1;
                        for values in &within {
                            assert_eq!(shared.value(condition, values) == 1, known);
                        }
                    }
                }
            }
        }
        assert!(told > 500, "{told}");
    }
}
