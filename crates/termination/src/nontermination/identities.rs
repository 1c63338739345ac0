//! Which conditions that make a set recurrent follow from its equations by the laws of rings.
//!
//! That x = n³ still holds after x grew by 3n² + 3n + 1 and n by 1 is out of reach of
//! bit-blasting. [`Equations`] decides whether the equations of a set imply another one, and [`of`]
//! gives the multipliers to the checker ([`crate::certify`]).

use crate::certificate::{Goal, IdentityRecord, Writer};
use crate::problem::Lasso;
use impasse_solver::{Polynomial, Symbol, Term, Terms, ideal};
use rustc_hash::FxHashMap;

/// Whether a condition is an equation in which unknowns are multiplied.
pub fn is_nonlinear_equation(terms: &Terms, condition: Term) -> bool {
    let difference = terms.difference(condition);
    difference.is_some_and(|sum| sum.monomials().any(|(factors, _)| factors.len() > 1))
}

/// Equations that hold, by their numbers in a set of conditions.
pub(super) struct Equations {
    known: Vec<(usize, Polynomial)>,
}

impl Equations {
    /// The equations among the conditions of a set.
    pub(super) fn of(terms: &Terms, set: &[Term]) -> Equations {
        let numbered = set.iter().enumerate();
        let known = numbered.filter_map(|(at, &part)| Some((at, terms.difference(part)?)));
        Equations {
            known: known.collect(),
        }
    }

    /// Multipliers of equations, by their numbers, that show another one; `None` if none are found.
    pub(super) fn imply(&self, goal: &Polynomial) -> Option<Vec<(usize, Polynomial)>> {
        let of_width = self.known.iter();
        let of_width = of_width.filter(|(_, zero)| zero.width() == goal.width());
        let (numbers, zeros): (Vec<usize>, Vec<Polynomial>) = of_width.cloned().unzip();
        let found = ideal::multipliers(&zeros, goal)?;
        let pairs = numbers.into_iter().zip(found);
        Some(pairs.filter(|(_, by)| !by.is_zero()).collect())
    }
}

/// The identities that show conditions of a recurrence set, given by its conditions and its policy.
pub(super) fn of(
    terms: &Terms,
    lasso: &Lasso,
    (set, policy): (&[Term], &[Vec<Term>]),
    writer: &mut Writer<'_>,
) -> Vec<IdentityRecord> {
    let equations = Equations::of(terms, set);
    let mut found = Vec::new();
    for (number, (iteration, reads)) in lasso.iterations.iter().zip(policy).enumerate() {
        let inputs = iteration.inputs.iter().map(|input| input.symbol);
        let chosen: FxHashMap<Symbol, Term> = inputs.zip(reads.iter().copied()).collect();
        let guard: Vec<Term> = iteration.guard.iter().map(|one| one.term).collect();
        let guard = terms.substitute(&guard, &chosen);
        let updates = terms.substitute(&iteration.updates, &chosen);
        let variables = lasso.variables.iter().map(|variable| variable.symbol);
        let after: FxHashMap<Symbol, Term> = variables.zip(updates).collect();
        let images = terms.substitute(set, &after);
        let guard = (0..).map(Goal::Guard).zip(guard);
        let goals = guard.chain((0..).map(Goal::Set).zip(images));
        let was_equation = |goal| match goal {
            Goal::Guard(at) => terms.difference(iteration.guard[at].term).is_some(),
            Goal::Set(at) => terms.difference(set[at]).is_some(),
        };
        for (goal, condition) in goals.filter(|&(goal, _)| was_equation(goal)) {
            let multipliers = match terms.difference(condition) {
                Some(difference) => equations.imply(&difference),
                None => (terms.as_constant(condition) == Some(1)).then(Vec::new),
            };
            let Some(multipliers) = multipliers else {
                continue;
            };
            let multipliers = multipliers.into_iter();
            let multipliers = multipliers.map(|(at, by)| (at, writer.write(terms.sum_of(&by))));
            found.push(IdentityRecord {
                iteration: number,
                goal,
                multipliers: multipliers.collect(),
            });
        }
    }
    found
}
