//! Attempts at a proof, of which each looks further than the one before it.

use super::record::TerminationProof;
use super::shape::Links;
use super::{Executor, Mode, Result, Scope, Stop, check, check_under};
use crate::concolic::run::Subject;
use crate::problem::Overflow;
use impasse_solver::Terms;
use impasse_solver::work::Moment;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
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
    let links = match &found.0 {
        Err(Stop::Write(_) | Stop::Free(_) | Stop::Read(_) | Stop::NotProved(..)) => {
            links_to_try(&found.1.link_offsets)
        }
        _ => Vec::new(),
    };
    for links in links {
        let left = end.since(Moment::now());
        let by_links = prove_along(subject, (Scope::Deciding, false), Some(links), left, None);
        if by_links.0.is_ok() {
            return by_links.0;
        }
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

/// At which offsets links may be.
fn links_to_try(offsets: &BTreeSet<u32>) -> Vec<Links> {
    let mut each = offsets.iter().map(|&offset| Links::At(offset));
    match offsets.len() {
        0 => Vec::new(),
        1 => each.collect(),
        _ => {
            let mut all = vec![Links::Each];
            all.extend(each.by_ref().take(2));
            all
        }
    }
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
    /// Where objects have links.
    link_offsets: BTreeSet<u32>,
}

fn prove_with(
    subject: &Subject<'_>,
    how: (Scope, bool),
    time: Duration,
    interlude: Option<&dyn Fn() -> bool>,
) -> (Result<TerminationProof>, Hints) {
    prove_along(subject, how, None, time, interlude)
}

fn prove_along(
    subject: &Subject<'_>,
    (scope, frontiers): (Scope, bool),
    links: Option<Links>,
    time: Duration,
    interlude: Option<&dyn Fn() -> bool>,
) -> (Result<TerminationProof>, Hints) {
    let end = Moment::now() + time;
    let mut sites = Vec::new();
    for is_last in [false, false, true] {
        let terms = Terms::new();
        let left = end.since(Moment::now());
        let mut executor = Executor::new(subject, &terms, (Mode::Proving, left), None);
        executor.scope = scope;
        executor.sites.clone_from(&sites);
        executor.orders.frontiers = frontiers;
        executor.orders.links = links;
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
            link_offsets: executor.orders.link_offsets,
        };
        if let Err(stop) = &found {
            tracing::debug!(?stop, ?scope, frontiers, ?links, "no proof");
        }
        // A proof of loops that came before objects were found to hold more is about less than
        // whoever checks it sees. With all that is known of objects from the start on, it is not.
        let is_outdated = matches!(found, Err(Stop::Rejected(..))) && executor.sites != sites;
        if is_last || !is_outdated {
            return (found, hints);
        }
        sites = executor.sites;
    }
    unreachable!("the last attempt returns")
}
