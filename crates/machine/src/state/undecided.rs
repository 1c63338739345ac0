//! What a first search under C11 may have missed: it orders sequentially consistent actions as they
//! are executed.
//!
//! *Claim.* Unless [`Undecided::is_noted`] at the end of a search, every execution of RC11 was
//! explored (`docs/internals/c11.md`). What is noted depends only on the states that were explored.

use crate::state::weak::Origin;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An atomic, in all states: an object, and the offset in it.
pub type Atomic = (Origin, i64);

/// An access of an atomic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Access {
    /// The atomic.
    pub place: Atomic,
    /// The thread.
    pub thread: u32,
    /// Whether it is sequentially consistent.
    pub is_total: bool,
}

/// A use of an atomic by what repeats a value, or reads what may be repeated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Repetition {
    /// The atomic.
    pub place: Atomic,
    /// The thread.
    pub thread: u32,
    /// Whether it stores the value that is there, so that states may lack its store. It reads
    /// otherwise.
    pub repeats: bool,
    /// Whether it releases or, if it reads, acquires.
    pub synchronises: bool,
}

impl Repetition {
    /// Returns whether another use may read what this one repeats, and not synchronise with it.
    fn may_hide_from(&self, reader: &Repetition, same_number: bool) -> bool {
        let may_read = self.place == reader.place && self.repeats && !reader.repeats;
        let is_other = same_number || self.thread != reader.thread;
        may_read && is_other && !(self.synchronises && reader.synchronises)
    }
}

/// How a thread accesses an atomic.
type How = (u32, bool);

/// What a copy of the system has met.
#[derive(Debug, Serialize, Deserialize)]
pub struct Notes {
    accesses: Vec<Access>,
    repetitions: Vec<Repetition>,
    total: Vec<u32>,
    loose: bool,
    dropped: bool,
}

/// What all search threads have met.
#[derive(Default)]
pub struct Undecided {
    accesses: Mutex<FxHashMap<Atomic, SmallVec<[How; 4]>>>,
    /// Where a read that does not synchronise may be hidden, in a search for adjacent races.
    repetitions: Mutex<FxHashSet<Repetition>>,
    /// The threads that have made sequentially consistent actions in such a search.
    total: Mutex<BTreeSet<u32>>,
    /// Whether a sequentially consistent action was executed to which another one leads by reads
    /// that do not synchronise.
    loose: AtomicBool,
    /// Whether a load could have read a store of an atomic that was taken for unread.
    dropped: AtomicBool,
}

impl Undecided {
    fn accesses(&self) -> MutexGuard<'_, FxHashMap<Atomic, SmallVec<[How; 4]>>> {
        lock(&self.accesses)
    }

    /// Notes what another copy of the system has noted.
    pub fn absorb(&self, notes: &Notes) {
        self.loose.fetch_or(notes.loose, Relaxed);
        self.dropped.fetch_or(notes.dropped, Relaxed);
        for &access in &notes.accesses {
            self.note_access(access);
        }
        lock(&self.repetitions).extend(&notes.repetitions);
        lock(&self.total).extend(&notes.total);
    }

    /// Returns everything that was noted.
    pub fn notes(&self) -> Notes {
        let accesses = self.accesses();
        let each = accesses.iter().flat_map(|(&place, known)| {
            let access = move |&(thread, is_total)| Access {
                place,
                thread,
                is_total,
            };
            known.iter().map(access)
        });
        Notes {
            accesses: each.collect(),
            repetitions: lock(&self.repetitions).iter().copied().collect(),
            total: lock(&self.total).iter().copied().collect(),
            loose: self.loose.load(Relaxed),
            dropped: self.dropped.load(Relaxed),
        }
    }

    /// Notes an access of an atomic.
    pub fn note_access(&self, access: Access) {
        let mut accesses = self.accesses();
        let known = accesses.entry(access.place).or_default();
        let how = (access.thread, access.is_total);
        if !known.contains(&how) {
            known.push(how);
        }
    }

    /// What was dropped will not be, from now on: the search begins again.
    pub fn forget_dropped(&self) {
        self.dropped.store(false, Relaxed);
    }

    /// Notes a use of an atomic by what may repeat a value, in a search for adjacent races.
    pub fn note_repetition(&self, repetition: Repetition) {
        lock(&self.repetitions).insert(repetition);
    }

    /// Notes that a thread has made a sequentially consistent action in such a search.
    pub fn note_total(&self, thread: u32) {
        lock(&self.total).insert(thread);
    }

    /// Returns whether reads that do not synchronise may have been hidden by stores that repeat
    /// values, and lead from one sequentially consistent action to another one.
    pub fn hides_reads(&self, same_number: bool) -> bool {
        let repetitions = lock(&self.repetitions);
        let is_hidden = |reader: &Repetition| {
            let mut others = repetitions.iter();
            others.any(|other| other.may_hide_from(reader, same_number))
        };
        let total = lock(&self.total).len();
        (total > 1 || total == 1 && same_number) && repetitions.iter().any(is_hidden)
    }

    /// Notes that a sequentially consistent action may come before one that was executed earlier.
    pub fn note_loose(&self) {
        self.loose.store(true, Relaxed);
    }

    /// Notes that a load could have read a store that was dropped.
    pub fn note_dropped(&self) {
        self.dropped.store(true, Relaxed);
    }

    /// Returns whether anything is undecided. `same_number` says whether several threads may have
    /// the same number.
    pub fn is_noted(&self, same_number: bool) -> bool {
        let is_mixed = |known: &SmallVec<_>| is_mixed(known, same_number);
        self.loose.load(Relaxed)
            || self.dropped.load(Relaxed)
            || self.accesses().values().any(is_mixed)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether an atomic is accessed less strictly than another thread does.
fn is_mixed(known: &SmallVec<[How; 4]>, same_number: bool) -> bool {
    let mut weak = known.iter().filter(|(_, is_total)| !is_total);
    weak.any(|(thread, _)| {
        let mut total = known.iter().filter(|(_, is_total)| *is_total);
        total.any(|(other, _)| same_number || other != thread)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(place: i64, thread: u32, is_total: bool) -> Access {
        Access {
            place: (Origin::Global(1), place),
            thread,
            is_total,
        }
    }

    #[test]
    fn orders_of_one_thread_do_not_mix() {
        let undecided = Undecided::default();
        undecided.note_access(access(0, 1, true));
        undecided.note_access(access(0, 1, false));
        undecided.note_access(access(4, 2, false));
        assert!(!undecided.is_noted(false));
        assert!(undecided.is_noted(true));
        undecided.note_access(access(0, 2, true));
        assert!(undecided.is_noted(false));
    }

    #[test]
    fn what_is_repeated_hides_from_other_threads_what_does_not_synchronise() {
        let of = |thread, repeats, synchronises| Repetition {
            place: (Origin::Global(1), 0),
            thread,
            repeats,
            synchronises,
        };
        let hides = |uses: &[Repetition], total: &[u32], same_number| {
            let undecided = Undecided::default();
            uses.iter().for_each(|&it| undecided.note_repetition(it));
            total
                .iter()
                .for_each(|&thread| undecided.note_total(thread));
            undecided.hides_reads(same_number)
        };
        let weak = [of(1, true, false), of(2, false, true)];
        assert!(hides(&weak, &[1, 2], false));
        assert!(!hides(&weak, &[1], false));
        assert!(hides(&weak, &[1], true));
        let strong = [of(1, true, true), of(2, false, true)];
        assert!(!hides(&strong, &[1, 2], false));
        let own = [of(1, true, false), of(1, false, false)];
        assert!(!hides(&own, &[1, 2], false));
        assert!(hides(&own, &[1, 2], true));
    }
}
