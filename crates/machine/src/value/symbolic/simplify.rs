//! Conjuncts of path conditions: taken apart, without inputs that nothing else mentions, and
//! without those that others imply.

use super::{Arena, InputId, SharedTerms};
use impasse_program::word::mask;
use impasse_solver::{Binary, Node, Term, Test};
use rustc_hash::FxHashMap;

/// A conjunct that bounds a term by a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Bounded {
    pub(super) term: Term,
    pub(super) is_signed: bool,
    pub(super) is_lower: bool,
}

impl SharedTerms {
    /// Calls `add` with conditions that hold together where `condition` does.
    pub fn for_each_conjunct(&self, condition: Term, mut add: impl FnMut(Term)) {
        let arena = self.arena();
        let terms = &arena.terms;
        let mut open = vec![condition];
        while let Some(term) = open.pop() {
            match terms.node(term) {
                Node::Binary(Binary::And, a, b) => open.extend([b, a]),
                Node::Not(inner) => match terms.node(inner) {
                    Node::Binary(Binary::Or, a, b) => open.extend([terms.not(b), terms.not(a)]),
                    _ => add(term),
                },
                _ if terms.is_true(term) => {}
                _ => add(term),
            }
        }
    }

    /// Returns a condition without an input that holds where `condition` does for some value of the
    /// input, or `None` if none is simple. Nothing else may mention the input.
    pub fn without(&self, condition: Term, input: InputId) -> Option<Term> {
        self.arena().without(condition, input)
    }

    /// Returns the inputs that have just one value between the bounds that conjuncts are, with it.
    pub fn determined(&self, conjuncts: &[Term]) -> Vec<(InputId, u64)> {
        let arena = self.arena();
        let mut ranges: FxHashMap<(Term, bool), (i128, i128)> = FxHashMap::default();
        for &conjunct in conjuncts {
            if let Some((of, bound)) = arena.bound(conjunct) {
                let range = ranges.entry((of.term, of.is_signed));
                let range = range.or_insert((i128::MIN, i128::MAX));
                match of.is_lower {
                    true => range.0 = range.0.max(bound),
                    false => range.1 = range.1.min(bound),
                }
            }
        }
        let known = ranges.into_iter().filter_map(|((term, _), (low, high))| {
            let Node::Symbol(symbol) = arena.terms.node(term) else {
                return None;
            };
            let (input, width) = arena.inputs[symbol.index() as usize];
            (low == high).then(|| (input, low as u64 & mask(width.into())))
        });
        known.collect()
    }

    /// Removes the conjuncts that others imply because they bound the same term.
    pub fn drop_implied(&self, conjuncts: &mut Vec<Term>) {
        let arena = self.arena();
        let mut strongest: FxHashMap<Bounded, (i128, Term)> = FxHashMap::default();
        for &conjunct in conjuncts.iter() {
            let Some((of, bound)) = arena.bound(conjunct) else {
                continue;
            };
            let known = strongest.entry(of).or_insert((bound, conjunct));
            let is_stronger = match of.is_lower {
                true => bound > known.0,
                false => bound < known.0,
            };
            if is_stronger {
                *known = (bound, conjunct);
            }
        }
        conjuncts.retain(|&conjunct| {
            let bound = arena.bound(conjunct);
            bound.is_none_or(|(of, _)| strongest[&of].1 == conjunct)
        });
    }
}

impl Arena {
    fn without(&mut self, condition: Term, input: InputId) -> Option<Term> {
        let is_it = |arena: &Arena, term: Term| match arena.terms.node(term) {
            Node::Symbol(symbol) => arena.inputs[symbol.index() as usize].0 == input,
            _ => false,
        };
        let terms = &self.terms;
        let (node, is_negated) = match terms.node(condition) {
            Node::Not(inner) => (terms.node(inner), true),
            node => (node, false),
        };
        if let Node::Symbol(symbol) = node {
            let is_input = self.inputs[symbol.index() as usize].0 == input;
            return is_input.then(|| terms.boolean(true));
        }
        let Node::Test(test, a, b) = node else {
            return None;
        };
        let (other, is_left) = match (is_it(self, a), is_it(self, b)) {
            (true, false) => (b, true),
            (false, true) => (a, false),
            _ => return None,
        };
        if self.inputs_of(other).iter().any(|&(of, _)| of == input) {
            return None;
        }
        let terms = &self.terms;
        let width = terms.width(other);
        let (least, most) = (1u128 << (width - 1), (1u128 << (width - 1)) - 1);
        // The value of the other side that leaves no value for the input.
        let worst = match (test, is_negated) {
            (Test::Equal, _) | (Test::UnsignedLessEqual | Test::SignedLessEqual, false) => {
                return Some(terms.boolean(true));
            }
            (Test::UnsignedLess, false) if is_left => 0,
            (Test::UnsignedLess, false) => u128::MAX,
            (Test::SignedLess, false) if is_left => least,
            (Test::SignedLess, false) => most,
            _ => return None,
        };
        Some(terms.differ(other, terms.constant(worst, width)))
    }

    /// What a conjunct bounds, and the bound, which the term may be.
    pub(super) fn bound(&self, conjunct: Term) -> Option<(Bounded, i128)> {
        let terms = &self.terms;
        let Node::Test(test, a, b) = terms.node(conjunct) else {
            return None;
        };
        let (is_signed, is_strict) = match test {
            Test::UnsignedLess => (false, true),
            Test::UnsignedLessEqual => (false, false),
            Test::SignedLess => (true, true),
            Test::SignedLessEqual => (true, false),
            _ => return None,
        };
        let (term, constant, is_lower) = match (terms.as_constant(a), terms.as_constant(b)) {
            (Some(constant), None) => (b, constant, true),
            (None, Some(constant)) => (a, constant, false),
            _ => return None,
        };
        let width = u32::from(terms.width(term));
        if width > 64 {
            return None;
        }
        let value = match is_signed {
            true => (constant as i128) << (128 - width) >> (128 - width),
            false => constant as i128,
        };
        let bound = match (is_strict, is_lower) {
            (false, _) => value,
            (true, true) => value + 1,
            (true, false) => value - 1,
        };
        let of = Bounded {
            term,
            is_signed,
            is_lower,
        };
        Some((of, bound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each condition on two inputs of three bits, with its projection.
    #[test]
    fn projections_are_exact() {
        let shared = SharedTerms::default();
        let inputs = [(InputId::new(1, 0), 3), (InputId::new(1, 1), 3)];
        let [x, y] = inputs.map(|input| shared.input(input));
        let mut projected = 0;
        for test in Test::ALL {
            for (a, b) in [(x, y), (y, x)] {
                for negated in [false, true] {
                    let condition = shared.with(|terms| {
                        let condition = terms.test(test, a, b);
                        if negated {
                            terms.not(condition)
                        } else {
                            condition
                        }
                    });
                    let Some(without) = shared.without(condition, inputs[0].0) else {
                        continue;
                    };
                    projected += 1;
                    let holds = |term, x, y| {
                        let values = shared.values(&[(inputs[0], x), (inputs[1], y)]);
                        shared.value(term, &values) == 1
                    };
                    for y in 0..8 {
                        let some = (0..8).any(|x| holds(condition, x, y));
                        assert_eq!(holds(without, 0, y), some, "{test:?} {negated} {y}");
                    }
                }
            }
        }
        assert!(projected >= 12, "{projected}");
    }

    /// Pairs of bounds on an input, with the values between them.
    #[test]
    fn one_value_between_bounds_is_found() {
        let shared = SharedTerms::default();
        let input = (InputId::new(1, 0), 3);
        let x = shared.input(input);
        let mut all = Vec::new();
        for test in [Test::UnsignedLess, Test::SignedLess, Test::SignedLessEqual] {
            for number in 0..8 {
                shared.with(|terms| {
                    let constant = terms.constant(number, 3);
                    all.extend([terms.test(test, x, constant), terms.test(test, constant, x)]);
                });
            }
        }
        let mut found = 0;
        for (n, &one) in all.iter().enumerate() {
            for &other in &all[n + 1..] {
                let holds = |value: &u64| {
                    let values = shared.values(&[(input, *value)]);
                    shared.value(one, &values) & shared.value(other, &values) == 1
                };
                let possible: Vec<u64> = (0..8).filter(holds).collect();
                for known in shared.determined(&[one, other]) {
                    if !possible.is_empty() {
                        assert_eq!(possible, [known.1]);
                        found += 1;
                    }
                }
            }
        }
        assert!(found > 20, "{found}");
    }

    /// Of bounds on one input, those that are kept imply those that are not.
    #[test]
    fn what_is_dropped_is_implied() {
        let shared = SharedTerms::default();
        let input = (InputId::new(1, 0), 3);
        let x = shared.input(input);
        let mut all = Vec::new();
        for test in Test::ALL {
            for number in 0..8 {
                shared.with(|terms| {
                    let constant = terms.constant(number, 3);
                    all.extend([terms.test(test, x, constant), terms.test(test, constant, x)]);
                });
            }
        }
        for (n, &one) in all.iter().enumerate() {
            for &other in &all[n + 1..] {
                let mut kept = vec![one, other];
                shared.drop_implied(&mut kept);
                for value in 0..8 {
                    let values = shared.values(&[(input, value)]);
                    let holds = |term: &Term| shared.value(*term, &values) == 1;
                    assert_eq!(kept.iter().all(holds), holds(&one) && holds(&other));
                }
            }
        }
    }
}
