//! Whether a search explores reduced successors: it does where that pays.
//!
//! Reduced successors cost time in each state, and some programs gain nothing. Equivalent paths
//! have equal lengths, so both graphs can be compared level by level. If the reduced graph is not
//! small, a second search explores the full one until it has found half as many states again. If it
//! is deeper then, the reduction saves little, and all transitions are explored.

use super::explorer::{Begin, Successors};
use super::search_from;
use crate::outcome::{Outcome, Verdict};
use crate::search::Search;
use impasse_limits::StopReason;
use impasse_transition_system::TransitionSystem;
use std::time::Instant;

/// States after which the graphs are compared.
const COMPARED: u64 = 1 << 12;

/// Visits every state of the reduced graph, or of the full one if that is not much larger.
pub(super) fn search_where_it_pays<S: TransitionSystem + ?Sized>(
    search: &Search<'_, S>,
    hangs: bool,
) -> Outcome<S> {
    let started = Instant::now();
    let mut peak = 0;
    let mut run = |limit: Option<u64>, successors| {
        let search = Search {
            max_states: limit.or(search.max_states),
            ..*search
        };
        if let Some(statistics) = search.live_statistics {
            statistics.begin_again();
        }
        let mut outcome = search_from(&search, Begin::Initial, hangs, successors);
        peak = outcome.statistics.bytes.max(peak);
        outcome.statistics.bytes = peak;
        outcome.statistics.elapsed = started.elapsed();
        outcome
    };
    let larger = COMPARED + COMPARED / 2;
    if search.max_states.is_some_and(|states| states <= larger) {
        return run(None, Successors::Reduced);
    }
    let reduced = run(Some(COMPARED), Successors::Reduced);
    if !reached_limit(&reduced) {
        return reduced;
    }
    let full = run(Some(larger), Successors::All);
    if !reached_limit(&full) {
        return full;
    }
    run(
        None,
        match full.statistics.depth > reduced.statistics.depth {
            true => Successors::All,
            false => Successors::Reduced,
        },
    )
}

fn reached_limit<S: TransitionSystem + ?Sized>(outcome: &Outcome<S>) -> bool {
    matches!(outcome.verdict, Verdict::Stopped(StopReason::States))
}
