//! Whether a program could tell that freed addresses are used again.
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
    /// Nothing has been noted. It matters if reuse is to be explored.
    pub fn new(matters: bool) -> Stale {
        Stale {
            matters,
            noted: AtomicBool::new(false),
        }
    }

    /// Whether what is noted leads to another search.
    pub fn matters(&self) -> bool {
        self.matters
    }

    /// The program compares the address of a freed object, or has seen its number.
    pub fn note(&self) {
        self.noted.store(true, Relaxed);
    }

    /// Whether it does.
    pub fn is_noted(&self) -> bool {
        self.matters && self.noted.load(Relaxed)
    }
}
