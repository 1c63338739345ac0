//! Questions about inputs of few values, such as bytes of text: each combination is tried.
//!
//! A condition on one input of at most eight bits is a set of values, computed once. So most
//! questions about text need no solver, and no search either: the sets are intersected. Of a wider
//! input, the values between its bounds are tried, if these are few.
//!
//! *Claim.* What is found is all values of a term where the conditions hold. A combination of
//! values is left out only if some value of it contradicts a condition on that input alone.

use super::{Arena, Input};
use impasse_program::word::mask;
use impasse_solver::{Evaluator, Node, Term, Test, Values};

/// The widest input that has few values.
const WIDEST: u8 = 8;
/// How many combinations of values are tried.
const COMBINATIONS: usize = 1 << 12;
/// How many nodes of terms are evaluated for inputs that are wider.
const NODES: usize = 1 << 17;

/// A set of numbers below 256.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bytes([u64; 4]);

impl Bytes {
    fn below(limit: usize) -> Bytes {
        let mut all = Bytes([0; 4]);
        (0..limit).for_each(|value| all.insert(value));
        all
    }

    fn insert(&mut self, value: usize) {
        self.0[value / 64] |= 1 << (value % 64);
    }

    fn keep(&mut self, other: Bytes) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
    }

    fn members(self) -> Vec<u128> {
        let is_in = |value: &usize| self.0[value / 64] >> (value % 64) & 1 == 1;
        (0..256).filter(is_in).map(|value| value as u128).collect()
    }
}

impl Arena {
    /// Calls `found` with the value of a term for each combination of values of its inputs, and of
    /// the conditions', where the conditions hold, until `found` returns false. Returns whether
    /// that is all: it does nothing if the combinations are many.
    pub(super) fn try_values(
        &mut self,
        conditions: &[Term],
        of: Term,
        mut found: impl FnMut(u128) -> bool,
    ) -> bool {
        let mut domains: Vec<(Input, Bytes)> = Vec::new();
        let mut wide: Vec<(Input, Vec<u128>)> = Vec::new();
        let mut others = Vec::new();
        for &term in conditions.iter().chain([&of]) {
            for &input in self.inputs_of(term).iter() {
                if input.1 > WIDEST {
                    if wide.iter().all(|(known, _)| *known != input) {
                        match self.between_bounds(conditions, input) {
                            Some(values) => wide.push((input, values)),
                            None => return false,
                        }
                    }
                } else if domains.iter().all(|(known, _)| *known != input) {
                    domains.push((input, Bytes::below(1 << input.1)));
                }
            }
        }
        for &condition in conditions {
            match *self.inputs_of(condition) {
                [input] if input.1 <= WIDEST => {
                    let set = self.values_where(condition, input);
                    let (_, domain) = domains
                        .iter_mut()
                        .find(|(known, _)| *known == input)
                        .expect("all inputs have a domain");
                    domain.keep(set);
                }
                _ => others.push(condition),
            }
        }
        let is_wide = !wide.is_empty();
        let small = domains
            .into_iter()
            .map(|(input, set)| (input, set.members()));
        let domains: Vec<_> = small
            .chain(wide)
            .map(|(input, values)| (self.symbol(input), values))
            .collect();
        let sizes = domains.iter().map(|(_, values)| values.len());
        let count = sizes.fold(1usize, |product, n| product.saturating_mul(n));
        if count > COMBINATIONS {
            return false;
        }
        others.push(of);
        let mut evaluator = Evaluator::new(&self.terms, &others);
        if is_wide && count.saturating_mul(evaluator.size()) > NODES {
            return false;
        }
        let mut values = Values::new();
        for mut number in 0..count {
            for (symbol, members) in &domains {
                values.set(*symbol, members[number % members.len()]);
                number /= members.len();
            }
            let mut results = evaluator.run(&values);
            let value = results.pop().expect("the value of the term");
            if !results.contains(&0) && !found(value) {
                break;
            }
        }
        true
    }

    /// The number that a condition says a term equals, if it says just that.
    fn value_in(&self, condition: Term, term: Term) -> Option<u128> {
        match self.terms.node(condition) {
            Node::Test(Test::Equal, one, other) if one == term => self.terms.as_constant(other),
            _ => None,
        }
    }

    /// The values of an input between the bounds that some of the conditions are, in order from the
    /// lowest one on; `None` if there are many. Other conditions may exclude some.
    fn between_bounds(&mut self, conditions: &[Term], input: Input) -> Option<Vec<u128>> {
        let term = self.input(input);
        let width = u32::from(input.1);
        if width > 64 {
            return None;
        }
        let (mut signed, mut unsigned) = (
            (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            (0, (1i128 << width) - 1),
        );
        for &condition in conditions {
            if let Some(value) = self.value_in(condition, term) {
                return Some(vec![value]);
            }
            if let Some((of, bound)) = self.bound(condition).filter(|(of, _)| of.term == term) {
                let range = match of.is_signed {
                    true => &mut signed,
                    false => &mut unsigned,
                };
                match of.is_lower {
                    true => range.0 = range.0.max(bound),
                    false => range.1 = range.1.min(bound),
                }
            }
        }
        let count = |(low, high): (i128, i128)| high - low + 1;
        let (low, high) = match count(signed) < count(unsigned) {
            true => signed,
            false => unsigned,
        };
        let few = count((low, high)) <= COMBINATIONS as i128;
        few.then(|| {
            (low..=high)
                .map(|value| value as u128 & u128::from(mask(width)))
                .collect()
        })
    }

    /// The values of the only input of a condition for which it holds.
    fn values_where(&mut self, condition: Term, input: Input) -> Bytes {
        if let Some(&known) = self.sets.get(&condition) {
            return known;
        }
        let symbol = self.symbol(input);
        let mut evaluator = Evaluator::new(&self.terms, &[condition]);
        let mut set = Bytes([0; 4]);
        let mut values = Values::new();
        for value in 0..1usize << input.1 {
            values.set(symbol, value as u128);
            if evaluator.run(&values) == [1] {
                set.insert(value);
            }
        }
        self.sets.insert(condition, set);
        set
    }
}

#[cfg(test)]
mod tests {
    use crate::value::symbolic::{InputId, SharedTerms};
    use impasse_solver::{Term, Test};
    use std::collections::BTreeSet;

    /// Two conditions and a term of two inputs, against all values of both.
    #[test]
    fn all_values_are_found() {
        let shared = SharedTerms::default();
        let inputs = [(InputId::new(1, 0), 3), (InputId::new(2, 0), 3)];
        let [x, y] = inputs.map(|input| shared.input(input));
        let (operands, results) = shared.with(|terms| {
            let five = terms.constant(5, 3);
            let operands = [x, y, five, terms.add(x, y), terms.multiply(y, five)];
            (operands, [x, terms.add(x, y), terms.multiply(x, y)])
        });
        let mut conditions: Vec<Term> = Vec::new();
        for test in Test::ALL {
            let pairs = operands.iter().flat_map(|a| operands.map(|b| (*a, b)));
            conditions.extend(pairs.map(|(a, b)| shared.with(|terms| terms.test(test, a, b))));
        }
        let mut empty = 0;
        for (n, &one) in conditions.iter().enumerate() {
            let other = conditions[n * 7 % conditions.len()];
            for result in results {
                let mut found = BTreeSet::new();
                let all = shared.arena().try_values(&[one, other], result, |value| {
                    found.insert(value as u64);
                    true
                });
                let mut expected = BTreeSet::new();
                for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
                    let values = shared.values(&[(inputs[0], a), (inputs[1], b)]);
                    if shared.value(one, &values) & shared.value(other, &values) == 1 {
                        expected.insert(shared.value(result, &values));
                    }
                }
                assert!(all);
                assert_eq!(found, expected);
                empty += usize::from(found.is_empty());
            }
        }
        assert!(empty > 20, "{empty}");
    }

    /// The values of products of an input between bounds, with a sign and without one.
    #[test]
    fn values_between_bounds_are_found() {
        let shared = SharedTerms::default();
        let input = (InputId::new(1, 0), 12);
        let x = shared.input(input);
        let ranges = [
            (Test::SignedLess, -3i64, 40),
            (Test::SignedLessEqual, -2000, -1990),
            (Test::UnsignedLess, 3, 400),
            (Test::UnsignedLessEqual, 4000, 4090),
            (Test::UnsignedLess, 9, 9),
        ];
        for (test, low, high) in ranges {
            let (conditions, square) = shared.with(|terms| {
                let [low, high] = [low, high].map(|bound| terms.constant(bound as u128, 12));
                let odd = terms.extract(x, 0, 1);
                let conditions = [terms.test(test, low, x), terms.test(test, x, high), odd];
                (conditions, terms.multiply(x, x))
            });
            let mut found = BTreeSet::new();
            let all = shared.arena().try_values(&conditions, square, |value| {
                found.insert(value as u64);
                true
            });
            let mut expected = BTreeSet::new();
            for value in 0..1 << 12 {
                let values = shared.values(&[(input, value)]);
                let holds = |&condition: &Term| shared.value(condition, &values) == 1;
                if conditions.iter().all(holds) {
                    expected.insert(shared.value(square, &values));
                }
            }
            assert!(all);
            assert_eq!(found, expected, "{test:?} {low} {high}");
        }
    }

    #[test]
    fn many_combinations_are_not_tried() {
        let shared = SharedTerms::default();
        let wide = shared.input((InputId::new(1, 0), 13));
        let bytes = [1, 2, 3].map(|number| shared.input((InputId::new(1, number), 8)));
        let sum = shared.with(|terms| terms.add(bytes[0], terms.add(bytes[1], bytes[2])));
        for term in [wide, sum] {
            let tried = shared.arena().try_values(&[], term, |_| panic!("tried"));
            assert!(!tried);
        }
    }
}
