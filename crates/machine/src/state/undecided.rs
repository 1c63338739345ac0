//! What a search under C11 has met that the model does not decide: sequentially consistent actions
//! whose order may differ from that in which they are executed.
//!
//! *Claim.* If nothing is noted here at the end of a search, every execution of RC11 was explored
//! (`docs/internals/c11.md`). What is noted depends only on the states that were explored.

use crate::base::fault::CodePlace;
use crate::state::weak::Origin;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An atomic, in all states: an object, and the offset in it.
pub type Atomic = (Origin, i64);

/// An access of an atomic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// The atomic.
    pub place: Atomic,
    /// The thread.
    pub thread: u32,
    /// Whether it is sequentially consistent.
    pub is_total: bool,
    /// Where in the program.
    pub at: CodePlace,
}

/// What all search threads have met.
#[derive(Default)]
pub struct Undecided {
    accesses: Mutex<FxHashMap<Atomic, SmallVec<[Access; 4]>>>,
    late: Mutex<BTreeSet<CodePlace>>,
}

/// Something that the model does not decide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Question {
    /// An atomic that some threads access sequentially consistently and others do not; where the
    /// latter is.
    Mixed(CodePlace),
    /// A sequentially consistent action to which another one leads by reads that do not
    /// synchronise.
    Loose(CodePlace),
}

impl Question {
    /// Returns where it is in the program.
    pub fn place(self) -> CodePlace {
        let (Question::Mixed(place) | Question::Loose(place)) = self;
        place
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Undecided {
    /// Notes an access of an atomic.
    pub fn note_access(&self, access: Access) {
        let mut accesses = lock(&self.accesses);
        let known = accesses.entry(access.place).or_default();
        let is_alike = |other: &&mut Access| {
            (other.thread, other.is_total) == (access.thread, access.is_total)
        };
        match known.iter_mut().find(is_alike) {
            Some(other) => other.at = other.at.min(access.at),
            None => known.push(access),
        }
    }

    /// Notes that a sequentially consistent action may come before one that was executed earlier.
    pub fn note_loose(&self, place: CodePlace) {
        lock(&self.late).insert(place);
    }

    /// Returns the first question in the order of the program, or `None` if all is decided.
    /// `same_number` says whether several threads may have the same number.
    pub fn first(&self, same_number: bool) -> Option<Question> {
        let accesses = lock(&self.accesses);
        let mixed = accesses
            .values()
            .filter_map(|known| mixed(known, same_number));
        let mixed = mixed.min();
        let late = lock(&self.late).first().copied();
        mixed.map(Question::Mixed).or(late.map(Question::Loose))
    }
}

/// Where an atomic is accessed less strictly than another thread does.
fn mixed(accesses: &[Access], same_number: bool) -> Option<CodePlace> {
    let others_are_total = |thread: u32| {
        let mut total = accesses.iter().filter(|access| access.is_total);
        total.any(|access| same_number || access.thread != thread)
    };
    let weak = accesses.iter().filter(|access| !access.is_total);
    let mixed = weak.filter(|access| others_are_total(access.thread));
    mixed.map(|access| access.at).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use impasse_program::instruction::Position;
    use impasse_program::link::FunctionId;

    fn access(thread: u32, is_total: bool, position: u32) -> Access {
        Access {
            place: (Origin::Global(1), 0),
            thread,
            is_total,
            at: CodePlace {
                function: FunctionId(0),
                position: Position(position),
            },
        }
    }

    #[test]
    fn orders_of_one_thread_do_not_mix() {
        let undecided = Undecided::default();
        undecided.note_access(access(1, true, 1));
        undecided.note_access(access(1, false, 2));
        undecided.note_access(Access {
            place: (Origin::Global(2), 0),
            ..access(2, false, 3)
        });
        let place = access(1, false, 2).at;
        assert_eq!(undecided.first(false), None);
        assert_eq!(undecided.first(true), Some(Question::Mixed(place)));
        undecided.note_access(access(2, true, 4));
        assert_eq!(undecided.first(false), Some(Question::Mixed(place)));
    }
}
