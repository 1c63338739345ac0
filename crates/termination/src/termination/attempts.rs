//! Attempts at a proof, of which each looks further than the one before it.

use super::record::TerminationProof;
use super::{Executor, Mode, Result, Scope, Stop, check, check_under};
use crate::concolic::run::Subject;
use crate::problem::Overflow;
use impasse_solver::Terms;
use impasse_solver::work::Moment;
use std::cell::{OnceCell, RefCell};
use std::time::Duration;

/// Proves that a program ends on all inputs, in up to five attempts, of which each takes longer
/// than the one before it. `is_over` is asked once whether there is another proof by now: where the
/// first attempt takes long, or after it.
pub fn prove(
    subject: &Subject<'_>,
    time: Duration,
    is_over: &mut dyn FnMut() -> bool,
) -> Result<TerminationProof> {
    let (ask, answer) = (RefCell::new(is_over), OnceCell::new());
    let is_over = || *answer.get_or_init(|| (ask.borrow_mut())());
    let end = Moment::now() + time;
    let mut found = prove_with(subject, (Scope::Deciding, false), time, Some(&is_over));
    if answer.get() == Some(&true) {
        return found.0;
    }
    let frontiers = found.0.is_err() && found.1.has_frontiers;
    if frontiers {
        let left = end.since(Moment::now());
        let again = prove_with(subject, (Scope::Deciding, true), left, None);
        if again.0.is_ok() {
            found = again;
        }
    }
    // Other loops may rely on what nothing in a loop depends on.
    for scope in [Scope::All, Scope::Assumed, Scope::Inside] {
        let (result, hints) = &found;
        let may_help = scope == Scope::All || hints.is_nested;
        match result {
            Err(
                Stop::Write(_)
                | Stop::Free(_)
                | Stop::Read(_)
                | Stop::Reached(_)
                | Stop::NotProved(..),
            ) if may_help && !(scope == Scope::All && is_over()) => {
                let left = end.since(Moment::now());
                let again = prove_with(subject, (scope, frontiers), left, None);
                if again.0.is_ok() {
                    found = again;
                }
            }
            _ => break,
        }
    }
    found.0
}

/// Whether the program ends on all inputs if signed overflow wraps around, as far as a proof of it
/// is found and checked in time.
pub fn ends_if_overflow_wraps(subject: &Subject<'_>, time: Duration) -> bool {
    let end = Moment::now() + time;
    let terms = Terms::new();
    let mut executor = Executor::new(subject, &terms, (Mode::Proving, time), None);
    executor.overflow = Overflow::Wraps;
    let found = executor.execute().ok().and_then(|()| executor.recorded());
    let left = end.since(Moment::now());
    found.is_some_and(|proof| check_under(subject, Overflow::Wraps, &proof, left).is_ok())
}

/// What may help where there is no proof.
struct Hints {
    /// There are loops inside of others.
    is_nested: bool,
    /// Lists are freed, or turned round.
    has_frontiers: bool,
}

fn prove_with(
    subject: &Subject<'_>,
    (scope, frontiers): (Scope, bool),
    time: Duration,
    interlude: Option<&dyn Fn() -> bool>,
) -> (Result<TerminationProof>, Hints) {
    let terms = Terms::new();
    let mut executor = Executor::new(subject, &terms, (Mode::Proving, time), None);
    executor.scope = scope;
    executor.orders.frontiers = frontiers;
    executor.interlude = interlude;
    let found = executor.execute().and_then(|()| {
        let proof = executor.recorded().ok_or(Stop::Time)?;
        let left = executor.deadline.since(Moment::now());
        check(subject, &proof, left)?;
        Ok(proof)
    });
    let hints = Hints {
        is_nested: executor.is_nested,
        has_frontiers: executor.orders.has_frontiers,
    };
    (found, hints)
}
