//! What a search under C11 guesses of atomics.
//!
//! - Some are *unread*: many of their stores could be read that read-modify-writes have read, while
//!   the search has met nothing else that could have read one. A wrong guess is noticed
//!   ([`crate::state::undecided::Undecided::note_dropped`]).
//! - All have *only atomic* accesses while others could race with them, until a plain one is met
//!   that might. The search begins again then.
//! - Who accesses an atomic that one thread alone could reach has *seen what that thread had* when
//!   it handed the atomic over, until someone is met who has not. The search begins again then.
//!
//! A wrong guess is given up for good. Guesses change when a search begins, and never meanwhile: it
//! begins again where that is worth it. What it guesses depends only on the states that were
//! explored.

use crate::state::weak::Place;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

/// How many stores of an atomic that read-modify-writes have read are many.
pub const MANY: usize = 8;
/// How many places are guessed to be unread, at most, and how many not to be only atomic.
const MOST: usize = 16;

/// What a search guesses, and what it has met.
#[derive(Default)]
pub struct Guesses {
    /// Whether there are any.
    any: AtomicBool,
    present: RwLock<FxHashSet<Place>>,
    /// Whether any atomic is guessed to have only atomic accesses: a search has begun that can
    /// begin again.
    any_only_atomic: AtomicBool,
    /// Those that are not.
    accessed: RwLock<FxHashSet<Place>>,
    /// Whether all who get at an atomic are guessed to have seen what its only thread had.
    all_have_seen: AtomicBool,
    /// Whether someone was met who has not.
    is_outdated: AtomicBool,
    met: Mutex<Met>,
}

/// What was met, in all searches.
#[derive(Default)]
struct Met {
    /// Where something else than a read-modify-write that stores could have read an old message.
    loaded: FxHashSet<Place>,
    /// Where many messages were read by read-modify-writes.
    updated: FxHashSet<Place>,
    /// Where plain accesses may have raced with atomic ones.
    accessed: FxHashSet<Place>,
    /// Whether that happened where it was not guessed not to happen.
    is_contradicted: bool,
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

impl Guesses {
    fn met(&self) -> MutexGuard<'_, Met> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether an atomic is guessed to be unread.
    pub fn contains(&self, place: impl FnOnce() -> Place) -> bool {
        self.any.load(Relaxed) && { read(&self.present).contains(&place()) }
    }

    /// Returns whether an atomic is guessed to have only atomic accesses.
    pub fn is_only_atomic(&self, place: impl FnOnce() -> Place) -> bool {
        self.any_only_atomic.load(Relaxed) && {
            let accessed = read(&self.accessed);
            accessed.is_empty() || !accessed.contains(&place())
        }
    }

    /// Notes that a plain access may race with an atomic one, where that was guessed not to happen.
    pub fn note_accessed(&self, place: Place) {
        let is_known = read(&self.accessed).contains(&place);
        let mut met = self.met();
        met.is_contradicted |= is_known;
        met.accessed.insert(place);
    }

    /// Returns whether all who access an atomic that one thread alone could reach are guessed to
    /// have seen what that thread had.
    pub fn all_have_seen(&self) -> bool {
        self.all_have_seen.load(Relaxed)
    }

    /// Returns whether that was guessed and someone was met who has not.
    pub fn someone_has_not_seen(&self) -> bool {
        self.all_have_seen() && self.is_outdated.load(Relaxed)
    }

    /// Notes that someone has not.
    pub fn note_outdated(&self) {
        self.is_outdated.store(true, Relaxed);
    }

    /// Notes that something else than a read-modify-write that stores could have read an old
    /// message of an atomic.
    pub fn note_loaded(&self, place: Place) {
        self.met().loaded.insert(place);
    }

    /// Notes that an atomic has many messages that read-modify-writes have read.
    pub fn note_updated(&self, place: Place) {
        self.met().updated.insert(place);
    }

    /// What is to be guessed from the next search on.
    fn next(&self) -> FxHashSet<Place> {
        let met = self.met();
        match met.updated.len() > MOST {
            true => FxHashSet::default(),
            false => met.updated.difference(&met.loaded).copied().collect(),
        }
    }

    /// A search begins, which guesses if it may begin again. No thread may explore meanwhile.
    pub fn begin(&self, may_begin_again: bool) {
        let met = self.met();
        let holds = may_begin_again && !met.is_contradicted && met.accessed.len() <= MOST;
        self.any_only_atomic.store(holds, Relaxed);
        let seen = may_begin_again && !self.is_outdated.load(Relaxed);
        self.all_have_seen.store(seen, Relaxed);
        let accessed = self.accessed.write();
        (*accessed.unwrap_or_else(PoisonError::into_inner)).clone_from(&met.accessed);
    }

    /// Returns whether the search had better begin again. No thread may explore meanwhile.
    pub fn have_changed(&self) -> bool {
        *read(&self.present) != self.next()
    }

    /// Returns whether a guess of the search was wrong: an atomic may have other accesses, or someone
    /// has not seen what its only thread had. No thread may explore meanwhile.
    pub fn are_refuted(&self) -> bool {
        if self.someone_has_not_seen() {
            return true;
        }
        self.any_only_atomic.load(Relaxed) && {
            let met = self.met();
            met.is_contradicted || met.accessed != *read(&self.accessed)
        }
    }

    /// A search begins. No thread may explore meanwhile. Returns whether other atomics are guessed
    /// to be unread than before.
    pub fn begin_search(&self) -> bool {
        let next = self.next();
        let present = self.present.write();
        let mut present = present.unwrap_or_else(PoisonError::into_inner);
        self.any.store(!next.is_empty(), Relaxed);
        std::mem::replace(&mut *present, next.clone()) != next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::weak::Origin;

    #[test]
    fn atomics_are_only_atomic_until_the_search_begins_again_after_a_plain_access() {
        let guesses = Guesses::default();
        let place = |n| (Origin::Global(n), 0);
        assert!(!guesses.is_only_atomic(|| place(1)));
        guesses.begin(true);
        assert!(guesses.is_only_atomic(|| place(1)));
        guesses.note_accessed(place(1));
        assert!(guesses.is_only_atomic(|| place(1)));
        assert!(guesses.are_refuted());
        guesses.begin(true);
        assert!(!guesses.is_only_atomic(|| place(1)));
        assert!(guesses.is_only_atomic(|| place(2)));
        assert!(!guesses.are_refuted());
        (2..=MOST as u32 + 1).for_each(|n| guesses.note_accessed(place(n)));
        guesses.begin(true);
        assert!(!guesses.is_only_atomic(|| place(99)));
        assert!(!guesses.are_refuted());
        let guesses = Guesses::default();
        guesses.begin(false);
        assert!(!guesses.is_only_atomic(|| place(1)));
    }

    #[test]
    fn all_have_seen_what_they_get_until_someone_has_not() {
        let guesses = Guesses::default();
        assert!(!guesses.all_have_seen());
        guesses.begin(true);
        assert!(guesses.all_have_seen());
        assert!(!guesses.are_refuted());
        guesses.note_outdated();
        assert!(guesses.are_refuted());
        guesses.begin(true);
        assert!(!guesses.all_have_seen());
        assert!(!guesses.are_refuted());
        let guesses = Guesses::default();
        guesses.begin(false);
        assert!(!guesses.all_have_seen());
    }

    #[test]
    fn a_guess_holds_from_the_next_search_until_it_is_wrong() {
        let guesses = Guesses::default();
        let place = (Origin::Global(1), 0);
        guesses.note_updated(place);
        assert!(!guesses.contains(|| place));
        assert!(guesses.have_changed());
        assert!(guesses.begin_search());
        assert!(guesses.contains(|| place));
        assert!(!guesses.have_changed());
        guesses.note_loaded(place);
        assert!(guesses.contains(|| place));
        assert!(guesses.have_changed());
        assert!(guesses.begin_search());
        assert!(!guesses.contains(|| place));
        guesses.note_updated(place);
        assert!(!guesses.have_changed());
    }
}
