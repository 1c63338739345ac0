//! What no thread accesses any more, as far as was observed: what it could still read is dropped.
//!
//! A search begins without this. Where it meets too many stores to an atomic that can be read, it
//! begins again, and then assumes of each control that was known before what its future says.
//! Whether it does so depends on nothing that is learned meanwhile, unless an assumption turns out
//! to be wrong: a state has the same successors each time it is expanded.

use super::{Control, Futures, Kind, Member, View, assumption, make_room};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// How often a search may begin again because of too many stores.
const MOST: u32 = 4;

/// Whether a search drops what is not accessed any more.
#[derive(Default)]
pub(super) struct Unused {
    /// Whether too many stores were met since the search began.
    wanted: AtomicBool,
    /// Whether the present search is to begin again for this. It goes on for a while.
    granted: AtomicBool,
    /// How often searches were to begin again for this.
    begun: AtomicU32,
}

impl Unused {
    /// Returns whether the search is to begin again.
    pub(super) fn take_wish(&self) -> bool {
        self.wanted.swap(false, Relaxed)
            && !self.granted.swap(true, Relaxed)
            && self.begun.fetch_add(1, Relaxed) < MOST
    }

    /// A search begins.
    pub(super) fn begin_search(&self) {
        self.wanted.store(false, Relaxed);
        self.granted.store(false, Relaxed);
    }
}

impl Futures {
    /// From the next search on, drops what is not accessed any more.
    pub fn drop_unused(&self) {
        self.unused.begun.store(1, Relaxed);
    }

    /// Notes that too many stores to an atomic can be read.
    pub fn note_long_history(&self) {
        self.unused.wanted.store(true, Relaxed);
    }

    /// Returns whether the search drops what is not accessed any more.
    pub fn drops_unused(&self) -> bool {
        self.unused.begun.load(Relaxed) > 0
    }
}

impl View<'_> {
    /// Returns whether the search drops what is not accessed any more.
    pub fn drops_unused(&self) -> bool {
        self.futures.drops_unused()
    }

    /// Assumes that a thread accesses nothing of a footprint, from a control on, before `member`
    /// has ended, and returns true, unless it is known that it does, or too little is known.
    pub fn assume_unused(&mut self, member: Member<'_>, other: Control) -> bool {
        self.refresh();
        let assumption = assumption(member, other, Kind::Unused);
        let futures = self.futures;
        make_room(&mut self.known_unused);
        let holds = *self.known_unused.entry(assumption).or_insert_with(|| {
            let known = futures.known();
            let future = known.futures.get(&other);
            let future = future.filter(|future| future.round < known.round);
            future.is_some_and(|future| assumption.holds(future, member.2))
        });
        if holds {
            self.note(assumption);
        }
        holds
    }
}
