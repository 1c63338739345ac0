//! Which atomics a search under C11 guesses to be unread: of which many stores could be read that
//! read-modify-writes have read, while it has met nothing else that could have read one.
//!
//! A wrong guess is noticed ([`crate::state::undecided::Undecided::note_dropped`]), and then given
//! up for good. Guesses change when a search begins, and never meanwhile: it begins again where
//! that is worth it. What it guesses depends only on the states that were explored.

use crate::state::weak::Place;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

/// How many stores of an atomic that read-modify-writes have read are many.
pub const MANY: usize = 8;
/// How many places are guessed, at most.
const MOST: usize = 16;

/// What a search guesses, and what it has met.
#[derive(Default)]
pub struct Guesses {
    /// Whether there are any.
    any: AtomicBool,
    present: RwLock<FxHashSet<Place>>,
    met: Mutex<Met>,
}

/// What was met, in all searches.
#[derive(Default)]
struct Met {
    /// Where something else than a read-modify-write that stores could have read an old message.
    loaded: FxHashSet<Place>,
    /// Where many messages were read by read-modify-writes.
    updated: FxHashSet<Place>,
}

impl Guesses {
    fn met(&self) -> MutexGuard<'_, Met> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether an atomic is guessed to be unread.
    pub fn contains(&self, place: impl FnOnce() -> Place) -> bool {
        self.any.load(Relaxed) && {
            let present = self.present.read();
            let present = present.unwrap_or_else(PoisonError::into_inner);
            present.contains(&place())
        }
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

    /// Returns whether the search had better begin again. No thread may explore meanwhile.
    pub fn have_changed(&self) -> bool {
        let present = self.present.read();
        *present.unwrap_or_else(PoisonError::into_inner) != self.next()
    }

    /// A search begins. No thread may explore meanwhile. Returns whether guesses have changed.
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
