//! The searches, as functions that are not generic.

use crate::without_symmetry::without_symmetry;
use impasse_distribute::{Bounds, Checkpoint, Endpoint};
use impasse_limits::StopReason;
use impasse_machine::base::fault::{Fault, Omission};
use impasse_machine::system::System;
use impasse_search::{Outcome, Sampled, Schedules, Search, Verdict};

/// Runs the search and returns what it found, as [`Search::run`] does. Paths are those of the
/// program, in which no thread is taken for another one.
#[inline(never)]
pub fn search<'s>(search: Search<'_, &'s System>) -> Outcome<&'s System> {
    let system = *search.system();
    let mut outcome = search.run();
    match &mut outcome.verdict {
        Verdict::Fault { path, .. } => *path = without_symmetry(system, path),
        // What was superseded has more to say.
        Verdict::Stopped(StopReason::Superseded) => {}
        _ => system.symmetry.end_search(),
    }
    outcome
}

/// Executes the schedules and returns what they found, as [`Schedules::run`] does.
#[inline(never)]
pub fn sample<'s>(schedules: Schedules<'_, &'s System>) -> Sampled<&'s System> {
    schedules.run()
}

/// Explores the states of which this worker owns a part, as [`impasse_distribute::explore`] does,
/// and panics when that does.
#[inline(never)]
pub fn distribute(
    endpoint: &mut Endpoint<'_>,
    system: &System,
    bounds: &Bounds,
    checkpoint: Option<Checkpoint>,
) -> impasse_distribute::Outcome<Fault, Omission> {
    impasse_distribute::explore(endpoint, &system, bounds, checkpoint)
}
