//! The statistics of a running search, for the progress line.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Statistics of a running search. Any thread can read them without locks; they lag a little
/// behind.
#[derive(Default, Debug)]
pub struct LiveStatistics {
    pub(crate) states: AtomicU64,
    pub(crate) transitions: AtomicU64,
    pub(crate) depth: AtomicU64,
    pub(crate) waiting: AtomicU64,
    pub(crate) bytes: AtomicU64,
}

/// What one worker of a search contributes to some statistics.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Share {
    /// States that were found but not expanded.
    pub waiting: u64,
    /// Memory in use, in bytes.
    pub bytes: u64,
}

impl LiveStatistics {
    /// Returns statistics that are all zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what was counted so far to zero.
    pub(crate) fn begin_again(&self) {
        self.states.store(0, Relaxed);
        self.transitions.store(0, Relaxed);
    }

    /// Adds states and transitions that were found, for a search that keeps the statistics itself.
    pub fn add(&self, states: u64, transitions: u64) {
        self.states.fetch_add(states, Relaxed);
        self.transitions.fetch_add(transitions, Relaxed);
    }

    /// Sets the level that is being expanded.
    pub fn set_depth(&self, depth: u64) {
        self.depth.store(depth, Relaxed);
    }

    /// Replaces one worker's share of the states that were not expanded, and of the memory in use.
    pub fn replace(&self, before: Share, after: Share) {
        let change = |total: &AtomicU64, before: u64, after: u64| {
            total.fetch_add(after.wrapping_sub(before), Relaxed);
        };
        change(&self.waiting, before.waiting, after.waiting);
        change(&self.bytes, before.bytes, after.bytes);
    }

    /// Returns the number of distinct states found so far.
    pub fn states(&self) -> u64 {
        self.states.load(Relaxed)
    }

    /// Returns the number of transitions executed so far.
    pub fn transitions(&self) -> u64 {
        self.transitions.load(Relaxed)
    }

    /// Returns the level that is being expanded, or the present depth of a depth-first search.
    pub fn depth(&self) -> u64 {
        self.depth.load(Relaxed)
    }

    /// Returns the number of states that were found but not expanded.
    pub fn waiting(&self) -> u64 {
        self.waiting.load(Relaxed)
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }
}
