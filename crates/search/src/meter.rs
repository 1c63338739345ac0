//! The live figures of a running search, for whoever shows its progress.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Figures of a running search, read without locks from any thread. They lag a little behind.
#[derive(Default, Debug)]
pub struct Meter {
    pub(crate) states: AtomicU64,
    pub(crate) transitions: AtomicU64,
    pub(crate) depth: AtomicU64,
    pub(crate) waiting: AtomicU64,
    pub(crate) bytes: AtomicU64,
}

impl Meter {
    /// All figures zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Distinct states found so far.
    pub fn states(&self) -> u64 {
        self.states.load(Relaxed)
    }

    /// Transitions followed so far.
    pub fn transitions(&self) -> u64 {
        self.transitions.load(Relaxed)
    }

    /// The level that is being expanded, or the present depth.
    pub fn depth(&self) -> u64 {
        self.depth.load(Relaxed)
    }

    /// States known that are still to be expanded.
    pub fn waiting(&self) -> u64 {
        self.waiting.load(Relaxed)
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }
}
