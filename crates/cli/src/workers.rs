//! A search over several workers.

use crate::limits::Guard;
use crate::progress;
use anyhow::{Result, anyhow, bail};
use impasse_distribute::{Bounds, HangSearch, execute, explore, outcome};
use impasse_machine::base::hangs::{HangAlgorithm, Hangs};
use impasse_machine::system::{LeftOut, System};
use impasse_report::Worker;
use impasse_search::{LiveStatistics, Outcome};
use impasse_transition_system::Key;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

/// Fails if several workers cannot look for these hangs.
pub fn check(hangs: Hangs) -> Result<()> {
    if hangs == Hangs::Deadlocks {
        bail!("--workers searches breadth-first: leave out --search depth");
    }
    if hangs.algorithm() == Some(HangAlgorithm::Product) {
        bail!("--workers finds hangs by the fixpoint: leave out --hang-algorithm product");
    }
    Ok(())
}

/// Returns why several workers cannot make the search that comes after one of this system, if they
/// cannot.
pub fn refuses(system: &System) -> Option<&'static str> {
    (system.left_out() == Some(LeftOut::Inputs)).then_some(
        "the program reads inputs with more values than can be tried one by one, and several \
         workers cannot follow them symbolically: leave out --workers, or choose a range with \
         --nondet",
    )
}

/// Searches a system with so many workers. Each has a copy of it; the system itself notes what the
/// copies have noted. Returns what the search has found, and what each worker did. Fails if a
/// worker cannot be started, or panics. Panics unless the system is portable.
pub fn search<'s>(
    system: &'s System,
    workers: NonZeroUsize,
    max_states: Option<u64>,
    live: &Arc<LiveStatistics>,
    guard: &Guard,
) -> Result<(Outcome<&'s System>, Vec<Worker>)> {
    let started = Instant::now();
    let hangs = system.options.hangs;
    let noted = hangs.notes_program().then_some(Key::PROGRAM);
    let bounds = Bounds {
        hangs: hangs.algorithm().map(|_| HangSearch { noted }),
        max_states,
        cancel: Arc::clone(guard.cancel()),
        live: Arc::clone(live),
    };
    let copies: Arc<[System]> = (0..workers.get()).map(|_| system.copy()).collect();
    let shared = Arc::clone(&copies);
    let work = move |endpoint: &mut impasse_distribute::Endpoint<'_>| {
        let copy = &shared[endpoint.index()];
        explore(endpoint, &copy, &bounds)
    };
    let partitions = progress::shown(guard.console(), live, || execute(workers, work));
    let partitions = partitions.map_err(|error| anyhow!("a worker failed: {error}"))?;
    copies.iter().for_each(|copy| system.absorb(copy));
    let found = outcome(partitions, started);
    let shares = found.workers.iter().map(|share| Worker {
        states: share.states,
        transitions: share.transitions,
        state_bytes: share.bytes,
        sent_states: share.sent,
        sent_bytes: share.bytes_sent,
    });
    let outcome = Outcome {
        verdict: found.verdict,
        omissions: found.omissions,
        noted_may_hang: found.noted_may_hang,
        statistics: found.statistics,
    };
    Ok((outcome, shares.collect()))
}
