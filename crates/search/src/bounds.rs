//! The bounds of one search: the number of states, and the request to stop.

use impasse_limits::{Cancel, StopReason};
use std::time::{Duration, Instant};

/// The most states that can be numbered, with room for those found before a search notices.
const NUMBERABLE: u64 = 4_000_000_000;

/// For a search that is never stopped from outside.
pub(crate) static NEVER: Cancel = Cancel::new();

/// When a search must stop.
#[derive(Clone, Copy)]
pub(crate) struct Bounds<'a> {
    started: Instant,
    states: u64,
    cancel: &'a Cancel,
}

impl<'a> Bounds<'a> {
    /// Bounds of a search that begins now.
    pub(crate) fn new(states: Option<u64>, cancel: &'a Cancel) -> Self {
        Bounds {
            started: Instant::now(),
            states: states.unwrap_or(NUMBERABLE).min(NUMBERABLE),
            cancel,
        }
    }

    /// What stops it, besides its own limit.
    pub(crate) fn cancel(&self) -> &'a Cancel {
        self.cancel
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// How many more states may be found.
    pub(crate) fn states_left(&self, states: u64) -> u64 {
        self.states.saturating_sub(states)
    }

    /// Why to stop, with so many states found.
    pub(crate) fn check_states(&self, states: u64) -> Option<StopReason> {
        (states > self.states).then_some(StopReason::States)
    }
}
