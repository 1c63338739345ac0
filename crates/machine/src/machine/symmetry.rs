//! Symmetry reduction: the search lets only one of several symmetric threads move, as long as
//! nothing that the program does depends on which of them it is.
//!
//! *Condition.* Nothing but a join depends on which of the threads of a kind an id stands for. What
//! does otherwise says so ([`Symmetry::distinguish`]); then the search begins again and treats no
//! threads of that kind as symmetric any more.
//!
//! The argument is in `docs/internals/symmetry.md`.

use crate::machine::Machine;
use crate::state::thread::{Phase, ThreadKind};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

/// Which threads may be symmetric.
#[derive(Default)]
pub struct Symmetry {
    /// Whether the present search uses that at all.
    is_on: AtomicBool,
    /// Whether no search of the system does, any more.
    is_given_up: AtomicBool,
    /// The start routines whose threads the program distinguishes, as far as was known when the
    /// search began.
    distinguished: RwLock<FxHashSet<u32>>,
    noted: Mutex<Noted>,
    /// How many searches have begun or ended.
    searches: AtomicU64,
}

/// What the present search has noted.
#[derive(Default)]
struct Noted {
    /// Start routines whose threads the program distinguishes.
    distinguished: FxHashSet<u32>,
    /// Whether it may distinguish any threads.
    doubted: bool,
    /// Start routines of whose threads some were left out, or were waited for together.
    used: FxHashSet<u32>,
}

impl Symmetry {
    /// Returns one that is used where searches ask for it, if it is `on`.
    pub fn new(on: bool) -> Symmetry {
        let symmetry = Symmetry::default();
        symmetry.is_given_up.store(!on, Relaxed);
        symmetry
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search begins. `on` says whether it may treat threads as symmetric.
    pub fn begin_search(&self, on: bool) {
        let mut noted = std::mem::take(&mut *self.noted());
        self.is_given_up.fetch_or(noted.doubted, Relaxed);
        let may = on && !self.is_given_up.load(Relaxed);
        self.is_on.store(may, Relaxed);
        let known = self.distinguished.write();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        known.extend(noted.distinguished.drain());
        self.searches.fetch_add(1, Relaxed);
    }

    /// The search is over: from now on no thread is taken for another one.
    pub fn end_search(&self) {
        self.is_on.store(false, Relaxed);
        self.searches.fetch_add(1, Relaxed);
    }

    /// The search is not over yet.
    pub fn resume_search(&self) {
        self.is_on.store(true, Relaxed);
        self.searches.fetch_add(1, Relaxed);
    }

    /// Returns how many searches have begun or ended: a step may have other outcomes in each.
    pub fn searches(&self) -> u64 {
        self.searches.load(Relaxed)
    }

    /// Returns whether the search so far rests on threads that the program distinguishes.
    pub fn is_refuted(&self) -> bool {
        let noted = self.noted();
        let mut used = noted.used.iter();
        used.any(|routine| noted.doubted || noted.distinguished.contains(routine))
    }

    /// Returns whether the search so far rests on symmetry; no later search of the system does,
    /// then.
    pub fn give_up_if_used(&self) -> bool {
        let is_used = !self.noted().used.is_empty();
        self.is_given_up.fetch_or(is_used, Relaxed);
        is_used
    }

    /// Returns whether the present search uses symmetry.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.is_on.load(Relaxed)
    }

    /// Returns whether threads of a kind may be symmetric.
    pub fn covers(&self, kind: ThreadKind) -> bool {
        self.is_on() && kind.routine > 0 && {
            let known = self.distinguished.read();
            let known = known.unwrap_or_else(PoisonError::into_inner);
            !known.contains(&kind.routine)
        }
    }

    /// The program distinguishes the threads of a kind.
    pub fn distinguish(&self, kind: ThreadKind) {
        if self.is_on() && kind.routine > 0 {
            self.noted().distinguished.insert(kind.routine);
        }
    }

    /// The program may distinguish threads of any kind.
    pub fn doubt(&self) {
        if self.is_on() {
            self.noted().doubted = true;
        }
    }

    /// The search rests on the symmetry of threads of a kind.
    pub fn note_use(&self, kind: ThreadKind) {
        self.noted().used.insert(kind.routine);
    }
}

impl Machine<'_> {
    /// What the program does depends on which thread of its kind this one is.
    pub(crate) fn distinguish(&self, number: usize) {
        if self.system.symmetry.is_on() {
            let kind = self.threads.identity(number).kind;
            self.system.symmetry.distinguish(kind);
        }
    }

    /// A number is given again: the threads that its last thread has started get another creator
    /// by that.
    pub(crate) fn distinguish_threads_of(&self, creator: usize) {
        if self.system.symmetry.is_on() {
            let kinds = self.threads.identities().map(|thread| thread.kind);
            let theirs = kinds.filter(|kind| kind.creator == creator as u32);
            theirs.for_each(|kind| self.system.symmetry.distinguish(kind));
        }
    }

    /// Returns the other threads of this one's kind, with those that have ended, if threads of the
    /// kind may be symmetric.
    pub(crate) fn others_of_kind(&self, number: usize) -> SmallVec<[usize; 4]> {
        if !self.system.symmetry.is_on() {
            return SmallVec::new();
        }
        let kind = self.threads.identity(number).kind;
        if !self.system.symmetry.covers(kind) {
            return SmallVec::new();
        }
        let others = self.threads.identities().enumerate();
        let others = others.filter(|(other, thread)| {
            *other != number && thread.kind == kind && thread.phase != Phase::Gone
        });
        others.map(|(other, _)| other).collect()
    }

    /// Returns those of them that are to be joined.
    pub(crate) fn joinable_of_kind(&self, number: usize) -> SmallVec<[usize; 4]> {
        let mut others = self.others_of_kind(number);
        others.retain(|other| {
            let thread = self.threads.identity(*other);
            !thread.is_detached && !thread.is_timer
        });
        others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: ThreadKind = ThreadKind {
        routine: 3,
        creator: 0,
    };

    #[test]
    fn what_is_distinguished_counts_from_the_next_search_on() {
        let symmetry = Symmetry::new(true);
        assert!(!symmetry.covers(KIND));
        symmetry.begin_search(true);
        assert!(symmetry.covers(KIND));
        symmetry.distinguish(KIND);
        assert!(symmetry.covers(KIND));
        assert!(!symmetry.is_refuted());
        symmetry.note_use(KIND);
        assert!(symmetry.is_refuted());
        symmetry.begin_search(true);
        assert!(!symmetry.covers(KIND));
        assert!(!symmetry.is_refuted());
    }

    #[test]
    fn doubts_concern_all_threads() {
        let symmetry = Symmetry::new(true);
        symmetry.begin_search(true);
        symmetry.doubt();
        assert!(!symmetry.is_refuted());
        symmetry.note_use(KIND);
        assert!(symmetry.is_refuted());
        symmetry.begin_search(true);
        assert!(!symmetry.is_on());
    }

    #[test]
    fn what_is_given_up_stays_so() {
        let symmetry = Symmetry::new(true);
        symmetry.begin_search(true);
        assert!(!symmetry.give_up_if_used());
        symmetry.note_use(KIND);
        assert!(symmetry.give_up_if_used());
        symmetry.begin_search(true);
        assert!(!symmetry.is_on());
    }
}
