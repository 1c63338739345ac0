//! Proofs that a program does not end on some inputs, over unbounded integers: no way out of its
//! loops is ever taken.
//!
//! The inputs that the program reads before its first loop have given values; later ones are any.
//! Wherever an execution may be over, or may be anything that is not followed (`Path::is_over`),
//! there is a transition to a location of its own, the end. An invariant of it is contradictory, so
//! no execution is ever there. Every execution then comes to a location after the other, and
//! between two of them there are finitely many instructions. Recursions are not followed.

use super::follow::{self, Mode};
use super::proof::{Invariants, UnboundedProof, check_invariants};
use super::system::{Summaries, System};
use super::{DEGREES, Equations, Products, invariants, with_equations};
use crate::concolic::run::Subject;
use crate::concolic::trace::{Source, Trace};
use impasse_solver::work::Moment;
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The proof that an execution does not end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EndlessProof {
    /// Equations between polynomials.
    pub equations: Equations,
    /// Invariants, of which that of the end is contradictory.
    pub proof: UnboundedProof,
}

impl EndlessProof {
    /// What it says of the variables of locations, for people: how much of it there is.
    pub fn show(&self) -> Vec<String> {
        let equations: usize = self.equations.zeros.iter().map(Vec::len).sum();
        let bounds: usize = self.proof.invariants.iter().map(|one| one.rows.len()).sum();
        vec![format!(
            "{equations} equations between polynomials and {bounds} inequalities exclude every way out"
        )]
    }
}

/// The inputs that an execution reads at calls, as far as it reads nothing else before.
fn inputs(trace: &Trace) -> Vec<(u64, u8)> {
    let all = trace.inputs.iter().zip(&trace.values);
    let called = all.take_while(|(input, _)| matches!(input.source, Source::Call(_)));
    called.map(|(input, &value)| (value, input.bits)).collect()
}

fn followed(subject: &Subject<'_>, trace: &Trace) -> Result<(System, usize), String> {
    if subject.test.is_some() || subject.globals.is_some() || trace.skipped > 0 {
        return Err("inputs that are no calls".into());
    }
    let inputs = inputs(trace);
    let mode = Mode {
        is_exact: true,
        inputs: Some(&inputs),
    };
    let system = follow::system(subject, &Summaries::new(), mode)?;
    let end = system.end.ok_or("the end is not followed")?;
    match system.locations.len() > 2 {
        true => Ok((system, end)),
        false => Err("no loop is reached".into()),
    }
}

/// Proves that an execution never ends; if so asked, only where the program computes products.
pub fn prove_endless(
    subject: &Subject<'_>,
    trace: &Trace,
    (time, needs_products): (Duration, bool),
) -> Option<EndlessProof> {
    let until = Moment::now() + time;
    let (system, end) = match followed(subject, trace) {
        Ok(followed) => followed,
        Err(why) => {
            tracing::debug!(why, "the ends of the program are not followed");
            return None;
        }
    };
    if needs_products && !system.has_products() {
        return None;
    }
    let products = Products::new(&system, until)?;
    for degree in DEGREES {
        if until.is_over() {
            return None;
        }
        let Some((lifted, equations)) = products.equations(degree) else {
            continue;
        };
        let rows = invariants::invariants(&lifted, until)?;
        let is_contradictory = |row: &crate::affine::Affine| row.is_constant();
        let Some(at) = rows[end].iter().position(is_contradictory) else {
            continue;
        };
        if let Some(proof) = invariants::proof(&lifted, &rows, Vec::new(), &[(end, at)]) {
            let proof = EndlessProof { equations, proof };
            return check_endless(subject, trace, &proof).ok().map(|()| proof);
        }
    }
    None
}

/// Checks that an execution never ends. `Err` says what does not hold.
pub fn check_endless(
    subject: &Subject<'_>,
    trace: &Trace,
    proof: &EndlessProof,
) -> Result<(), String> {
    let (system, end) = followed(subject, trace)?;
    let lifted = with_equations(&system, &proof.equations)?;
    check_invariants(&lifted, &proof.proof)?;
    let is_reached = lifted.transitions.iter().any(|one| one.to == end);
    let of_end = |one: &&Invariants| one.location == end;
    let contradictory = |one: &Invariants| {
        let mut rows = one.rows.iter().map(|row| row.affine());
        rows.any(|row| row.is_constant() && row.constant > BigInt::ZERO)
    };
    match !is_reached
        || proof
            .proof
            .invariants
            .iter()
            .find(of_end)
            .is_some_and(contradictory)
    {
        true => Ok(()),
        false => Err("the program may end".into()),
    }
}
