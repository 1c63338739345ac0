//! Whether a program could observe that freed addresses are used again.
//!
//! A search begins without reuse: every object has an address of its own. Where a program does what
//! could have another result with reuse, the search notes it, and a second search explores the
//! program with reuse (`docs/internals/reuse.md`).

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What all threads of a search have noted.
pub struct Stale {
    matters: bool,
    noted: AtomicBool,
}

impl Stale {
    /// Returns a note that is not made. `matters` says whether the reuse of addresses is to be
    /// explored.
    pub fn new(matters: bool) -> Stale {
        Stale {
            matters,
            noted: AtomicBool::new(false),
        }
    }

    /// Returns whether a note leads to another search.
    pub fn matters(&self) -> bool {
        self.matters
    }

    /// Returns whether it was noted, whether or not that matters.
    pub fn notes(&self) -> bool {
        self.noted.load(Relaxed)
    }

    /// Notes what another copy of the system has noted.
    pub fn absorb(&self, noted: bool) {
        self.noted.fetch_or(noted, Relaxed);
    }

    /// Notes that the program compares the address of a freed object, or has seen its number.
    pub fn note(&self) {
        self.noted.store(true, Relaxed);
    }

    /// Returns whether it was noted, and matters.
    pub fn is_noted(&self) -> bool {
        self.matters && self.noted.load(Relaxed)
    }
}
