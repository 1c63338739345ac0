//! Recurrence sets over integers: entrance and multipliers.

use super::integers::{Known, Reader, as_integer};
use super::{Checked, Checker, Rejection};
use crate::affine::{Affine, follows};
use crate::certificate::{
    AffineRecord, Certificate, IterationSequenceRecord, LassoRecord, Rational,
};
use crate::certify::table::Table;
use num_bigint::BigInt;
use num_traits::Signed;

/// A claim that a set of integer states is closed.
pub(super) struct Linear<'c> {
    pub iterations: usize,
    pub fixed: bool,
    pub policy: &'c [Vec<AffineRecord>],
    pub set: &'c [AffineRecord],
    pub multipliers: &'c [Vec<Rational>],
}

impl Checker<'_> {
    /// Checks a claim that a set of integer states is entered and closed.
    pub(super) fn linear(
        &self,
        certificate: &Certificate,
        claim: &Linear,
    ) -> Result<Checked, Rejection> {
        let policy: Vec<Vec<Affine>> = claim
            .policy
            .iter()
            .map(|reads| reads.iter().map(AffineRecord::affine).collect())
            .collect();
        let set: Vec<Affine> = claim.set.iter().map(AffineRecord::affine).collect();
        let IterationSequenceRecord::Forced(before) = certificate.before else {
            return Err(Rejection::new(
                "iterations over integers read what the policy says",
            ));
        };
        if claim.iterations == 0
            || set.iter().any(|row| {
                row.coefficients
                    .keys()
                    .any(|&at| at >= self.lasso.variables.len())
            })
        {
            return Err(Rejection::new("the set is not one of states"));
        }
        let entry = self.entered(certificate)?;
        let mut state: Vec<BigInt> = integers(self.lasso, &self.table, &entry);
        for iteration in 0..before {
            let known: Vec<Known> = state.into_iter().map(Known::constant).collect();
            let next = Reader::new(self.lasso, &self.table).iteration(&known, &policy);
            let next = next.map_err(|_| {
                Rejection::new(format!("iteration {iteration} of the run cannot be taken"))
            })?;
            state = next.into_iter().map(|known| known.value).collect();
        }
        if set.iter().any(|row| row.value(&state).is_positive()) {
            return Err(Rejection::new("the run does not lead into the set"));
        }
        let around = Around::new(
            self.lasso,
            &self.table,
            &state,
            &policy,
            (claim.iterations, claim.fixed),
        )
        .ok_or_else(|| Rejection::new("the iterations cannot be taken over integers"))?;
        let questions = around.questions(&set);
        if questions.len() != claim.multipliers.len() {
            return Err(Rejection::new(
                "the proof has not one row of multipliers for each inequality",
            ));
        }
        for ((premises, conclusion), row) in questions.iter().zip(claim.multipliers) {
            let row: Vec<_> = row.iter().map(|rational| rational.0.clone()).collect();
            if !follows(premises, &row, conclusion) {
                return Err(Rejection::new(
                    "the multipliers do not show that the set is closed",
                ));
            }
        }
        let iterations = claim.iterations;
        let mut statements = self.entrance(certificate);
        statements.push("there the state is in the set (computed)".into());
        statements.push(format!(
            "from each state of the set {iterations} iterations over integers can be taken and lead into the set ({} combinations \
             of inequalities, added up)",
            questions.len()
        ));
        Ok(Checked {
            statements,
            unchecked: None,
        })
    }
}

/// A state as integers.
pub fn integers(lasso: &LassoRecord, table: &Table, state: &[u128]) -> Vec<BigInt> {
    let parts = lasso.variables.iter().zip(state);
    parts
        .map(|(variable, &bits)| as_integer(bits, table.width(variable.term), variable.reading))
        .collect()
}

/// Whether no iteration changes a variable.
pub fn is_unchanged(lasso: &LassoRecord, variable: usize) -> bool {
    let term = lasso.variables[variable].term;
    lasso
        .iterations
        .iter()
        .all(|iteration| iteration.updates[variable] == term)
}

/// Some iterations from a state, and what is known of all states from which they take the same
/// path.
pub struct Around {
    /// What the path needs.
    pub needs: Vec<Affine>,
    /// What is known of quotients.
    pub facts: Vec<Affine>,
    /// The state after it.
    pub next: Vec<Affine>,
}

impl Around {
    /// So many iterations from a state under a policy. If so asked, only states in which the
    /// variables that no iteration changes have the values that they have in this state: they are
    /// numbers then, and products with them have a reading.
    pub fn new(
        lasso: &LassoRecord,
        table: &Table,
        state: &[BigInt],
        policy: &[Vec<Affine>],
        (iterations, fixed): (usize, bool),
    ) -> Option<Around> {
        let start = state.iter().enumerate();
        let mut known: Vec<Known> = start
            .map(|(at, value)| match fixed && is_unchanged(lasso, at) {
                true => Known::constant(value.clone()),
                false => Known {
                    affine: Affine::unknown(at),
                    value: value.clone(),
                },
            })
            .collect();
        let mut reader = Reader::new(lasso, table);
        for _ in 0..iterations {
            known = reader.iteration(&known, policy).ok()?;
        }
        let next = known.into_iter().map(|known| known.affine).collect();
        Some(Around {
            needs: reader.needs,
            facts: reader.facts,
            next,
        })
    }

    /// What must follow from what for a set to be closed: the needs from the set and the facts,
    /// then the set after the iterations from these and the needs.
    pub fn questions(&self, set: &[Affine]) -> Vec<(Vec<Affine>, Affine)> {
        let known: Vec<Affine> = set.iter().chain(&self.facts).cloned().collect();
        let all: Vec<Affine> = known.iter().chain(&self.needs).cloned().collect();
        let needs = self.needs.iter().map(|need| (known.clone(), need.clone()));
        let images = set
            .iter()
            .map(|row| (all.clone(), row.substitute(&self.next)));
        needs.chain(images).collect()
    }
}
