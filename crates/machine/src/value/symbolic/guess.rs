//! Questions that a guess answers: values of earlier models, or zeros, of which a few are changed
//! to numbers that the question mentions.
//!
//! *Claim.* What is found satisfies all conditions: each guess is evaluated.

use super::Arena;
use impasse_solver::{Evaluator, Node, Symbol, Term, Values};

/// How many earlier models are changed.
const MODELS: usize = 2;
/// How many inputs are changed.
const CHANGES: usize = 3;
/// How many nodes of terms are evaluated for a question.
const NODES: usize = 1 << 15;
/// How many numbers of a question are tried.
const NUMBERS: usize = 24;

impl Arena {
    /// Returns values of inputs with which all conditions hold, if a guess has found some.
    pub(super) fn guess<'v>(
        &mut self,
        conditions: &[Term],
        models: impl Iterator<Item = &'v Values>,
    ) -> Option<Values> {
        let mut evaluator = Evaluator::new(&self.terms, conditions);
        let inputs = self.terms.symbols_in(conditions);
        let numbers = self.numbers_in(conditions);
        let restricted = |model: &Values| -> Values {
            inputs
                .iter()
                .map(|&input| (input, model.get(input)))
                .collect()
        };
        let bases = models.take(MODELS).map(restricted);
        let mut left = NODES / evaluator.size().max(1);
        for base in bases.chain([Values::new()]) {
            if let Some(found) = improve(&mut evaluator, base, &inputs, &numbers, &mut left) {
                return Some(found);
            }
        }
        None
    }

    /// The numbers that conditions mention, and those next to them.
    fn numbers_in(&self, conditions: &[Term]) -> Vec<u128> {
        let mut numbers = vec![1, 2];
        for term in self.terms.below(conditions) {
            if let Node::Constant(number) = self.terms.node(term) {
                let near = [number, number.wrapping_add(1), number.wrapping_sub(1)];
                for number in near {
                    if numbers.len() < NUMBERS && !numbers.contains(&number) {
                        numbers.push(number);
                    }
                }
            }
        }
        numbers
    }
}

/// Changes one input after the other to a number with which more conditions hold.
fn improve(
    evaluator: &mut Evaluator,
    mut values: Values,
    inputs: &[Symbol],
    numbers: &[u128],
    left: &mut usize,
) -> Option<Values> {
    let mut broken = |values: &Values| {
        *left = left.checked_sub(1)?;
        let results = evaluator.run(values);
        Some(results.iter().filter(|result| **result == 0).count())
    };
    let mut least = broken(&values)?;
    for _ in 0..=CHANGES {
        if least == 0 {
            return Some(values);
        }
        let mut best = None;
        for &input in inputs {
            let before = values.get(input);
            let near = [0, before.wrapping_add(1), before.wrapping_sub(1)];
            for &number in near.iter().chain(numbers) {
                values.set(input, number);
                let count = broken(&values)?;
                if count < least {
                    (least, best) = (count, Some((input, number)));
                }
            }
            values.set(input, before);
        }
        let (input, number) = best?;
        values.set(input, number);
    }
    (least == 0).then_some(values)
}

#[cfg(test)]
mod tests {
    use crate::value::symbolic::{InputId, SharedTerms};
    use impasse_solver::{Binary, Test, Values};

    /// Guesses at questions about two inputs: each that is found is an answer, and the plain ones
    /// are found.
    #[test]
    fn guesses_are_answers() {
        let shared = SharedTerms::default();
        let inputs = [(InputId::new(1, 0), 16), (InputId::new(2, 0), 16)];
        let [x, y] = inputs.map(|input| shared.input(input));
        let questions = shared.with(|terms| {
            let number = |value: u128| terms.constant(value, 16);
            let rest = terms.binary(Binary::UnsignedRemainder, x, y);
            let product = terms.multiply(x, x);
            [
                (terms.equal(rest, number(77)), true),
                (terms.test(Test::SignedLess, x, number(0xfff0)), true),
                (terms.equal(product, number(2)), false),
                (
                    terms.test(Test::UnsignedLessEqual, number(4000), terms.add(x, y)),
                    true,
                ),
            ]
        });
        let bound = shared.with(|terms| terms.test(Test::UnsignedLess, terms.constant(9, 16), y));
        for (question, is_found) in questions {
            let conditions = [bound, question];
            let none: [Values; 0] = [];
            let found = shared.arena().guess(&conditions, none.iter());
            assert_eq!(found.is_some(), is_found, "{question:?}");
            for condition in conditions {
                assert!(
                    found
                        .iter()
                        .all(|found| shared.value(condition, found) == 1)
                );
            }
        }
    }
}
