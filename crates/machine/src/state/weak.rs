//! Whether threads communicate by what does not synchronise.
//!
//! *Claim.* Unless [`Weak::is_noted`] at the end of a search, whatever a thread has read of what
//! another one wrote, or found out about it otherwise, is part of happens-before. Then every
//! race is one of adjacent accesses (`race`).
//!
//! *Argument.* An atomic read gets what another thread wrote only where the two access the same
//! memory. For each place, the search notes which threads write and read it atomically, and whether
//! too weakly to synchronise. Two different threads of which one writes and one reads, one of them
//! weakly, are taken to communicate, whether or not the one ever reads what the other writes.
//! Objects made while running are distinguished by where they are made, and all threads that have
//! the same number are one, unless a number was given to more than one. Everything else that does
//! not synchronise (`Machine::observe_weakly`) is taken to communicate as soon as it is executed.
//! Under C11, a read of an atomic that does not synchronise is noticed when it is executed, and by
//! nothing here (`memory_model/c11/message.rs`).
//! Places that only count tell no thread anything (`docs/internals/races.md`, "What only counts"),
//! and those that count references no more than what synchronises (`docs/internals/c11.md`,
//! "Reference counts").

use crate::base::fault::CodePlace;
use crate::state::happens_before::Order;
use crate::state::memory::Memory;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

/// How a thread accesses a place atomically.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Use {
    writes: bool,
    /// Whether it is the read of a read-modify-write.
    updates: bool,
    synchronises: bool,
    is_total: bool,
    /// What it adds to, if it only counts: nothing reads what the addition returns.
    pub counts: Option<Part>,
    /// Whether it is a read of a thread that is alone and has joined all others, which comes after
    /// all that they did, unless a thread was detached.
    pub is_last: bool,
    /// Whether the C++ library adds a reference, or synchronises and asks whether one is left.
    pub of_reference: bool,
}

/// Which bytes of a place an access has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Part {
    start: u8,
    bytes: u8,
}

impl Part {
    /// Returns the part of a place that so many bytes at an address are.
    pub fn of(address: Address, bytes: u32) -> Part {
        Part {
            start: (address.offset & 15) as u8,
            bytes: bytes as u8,
        }
    }

    /// Whether they are the same bytes, or none is in both.
    fn is_apart_or_same(self, other: Part) -> bool {
        self == other
            || self.start + self.bytes <= other.start
            || other.start + other.bytes <= self.start
    }
}

impl Use {
    /// Returns the same, in the order of execution.
    pub fn in_order(self) -> Use {
        Use {
            is_total: true,
            ..self
        }
    }

    /// Returns a read.
    pub fn read(order: Order) -> Use {
        Use {
            writes: false,
            updates: false,
            synchronises: order.acquires,
            is_total: order.is_total,
            counts: None,
            is_last: false,
            of_reference: false,
        }
    }

    /// Returns the read of a read-modify-write.
    pub fn update(order: Order) -> Use {
        Use {
            updates: true,
            ..Use::read(order)
        }
    }

    /// Returns a write.
    pub fn write(order: Order) -> Use {
        Use {
            writes: true,
            updates: false,
            synchronises: order.releases,
            is_total: order.is_total,
            counts: None,
            is_last: false,
            of_reference: false,
        }
    }
}

/// An object, in all states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Origin {
    /// One that is always there.
    Global(u32),
    /// Those made at this place.
    MadeAt(CodePlace),
    /// Those of which it is unknown where they are made.
    Unknown,
    /// The clock.
    Clock,
}

impl Origin {
    /// Returns that of an object.
    pub fn of(memory: &Memory<'_>, object: ObjectId) -> Origin {
        match object.kind() {
            ObjectKind::Dynamic(_) => {
                let place = memory.get(object).and_then(|o| o.origin());
                place.map_or(Origin::Unknown, Origin::MadeAt)
            }
            _ => Origin::Global(object.0),
        }
    }
}

/// A place, in all states: which 16 bytes of an object, the most that one access has.
pub type Place = (Origin, i64);

/// The atomics that no thread loads from: only read-modify-writes read them.
#[derive(Clone, Debug)]
pub enum Unread {
    /// Those in these places.
    Places(Arc<FxHashSet<Place>>),
    /// All of them.
    All,
}

impl Default for Unread {
    fn default() -> Unread {
        Unread::Places(Arc::default())
    }
}

impl Unread {
    /// Returns whether an atomic at an address is one of them.
    pub fn contains(&self, memory: &Memory<'_>, address: Address) -> bool {
        match self {
            Unread::Places(places) if places.is_empty() => false,
            Unread::Places(places) => places.contains(&place_of(memory, address)),
            Unread::All => true,
        }
    }
}

/// Returns the place that an address is in.
pub fn place_of(memory: &Memory<'_>, address: Address) -> Place {
    let origin = Origin::of(memory, address.object);
    (origin, address.offset >> 4)
}

/// The place of the time.
const CLOCK: Place = (Origin::Clock, 0);

/// What a copy of the system has noted.
#[derive(Debug, Serialize, Deserialize)]
pub struct Notes {
    noted: bool,
    same_number: bool,
    detached: bool,
    uses: Vec<(Place, u32, Use)>,
}

/// What all search threads have noted.
#[derive(Default)]
pub struct Weak {
    noted: AtomicBool,
    /// Whether a number was given to more than one thread.
    same_number: AtomicBool,
    /// Whether a thread has ended that no one joins.
    detached: AtomicBool,
    uses: Mutex<FxHashMap<Place, FxHashSet<(u32, Use)>>>,
}

impl Weak {
    /// Returns whether threads communicate by actions that do not synchronise.
    pub fn is_noted(&self) -> bool {
        let same_number = self.has_same_number();
        let detached = self.has_detached();
        self.noted.load(Relaxed)
            || self
                .uses()
                .values()
                .any(|uses| !counts(uses, detached) && communicate(uses, same_number))
    }

    /// Returns whether two threads use the same place atomically, one writes there, and one of them
    /// is not sequentially consistent.
    pub fn is_any_weaker(&self) -> bool {
        let same_number = self.has_same_number();
        let detached = self.has_detached();
        let uses = self.uses();
        let mut places = uses.values();
        places.any(|uses| !counts(uses, detached) && may_see_weaker(uses, same_number))
    }

    /// Returns the places of the atomics that only read-modify-writes have read.
    pub fn unread(&self) -> Unread {
        let uses = self.uses();
        let is_unread =
            |uses: &FxHashSet<(u32, Use)>| uses.iter().all(|(_, how)| how.writes || how.updates);
        let unread = uses.iter().filter(|(_, uses)| is_unread(uses));
        Unread::Places(Arc::new(unread.map(|(place, _)| *place).collect()))
    }

    /// Notes what another copy of the system has noted.
    pub fn absorb(&self, notes: &Notes) {
        self.noted.fetch_or(notes.noted, Relaxed);
        self.same_number.fetch_or(notes.same_number, Relaxed);
        self.detached.fetch_or(notes.detached, Relaxed);
        let mut uses = self.uses();
        for &(place, thread, how) in &notes.uses {
            uses.entry(place).or_default().insert((thread, how));
        }
    }

    /// Returns everything that was noted.
    pub fn notes(&self) -> Notes {
        let uses = self.uses();
        let each = uses.iter().flat_map(|(&place, uses)| {
            let with_place = move |&(thread, how)| (place, thread, how);
            uses.iter().map(with_place)
        });
        Notes {
            noted: self.noted.load(Relaxed),
            same_number: self.has_same_number(),
            detached: self.has_detached(),
            uses: each.collect(),
        }
    }

    /// Notes that they do.
    pub fn note(&self) {
        self.noted.store(true, Relaxed);
    }

    /// Returns whether a number was given to more than one thread.
    pub fn has_same_number(&self) -> bool {
        self.same_number.load(Relaxed)
    }

    /// Notes that a thread gets the number of one that is gone.
    pub fn note_same_number(&self) {
        self.same_number.store(true, Relaxed);
    }

    /// Notes that a thread has ended that no one joins.
    pub fn note_detached(&self) {
        self.detached.store(true, Relaxed);
    }

    fn has_detached(&self) -> bool {
        self.detached.load(Relaxed)
    }

    fn uses(&self) -> MutexGuard<'_, FxHashMap<Place, FxHashSet<(u32, Use)>>> {
        self.uses
            .lock()
            .expect("no thread panics while it holds the lock")
    }
}

/// Whether what is counted there tells no thread anything that does not synchronise.
fn counts(uses: &FxHashSet<(u32, Use)>, detached: bool) -> bool {
    only_counts(uses, detached) || uses.iter().all(|(_, how)| how.of_reference)
}

/// Whether nothing is done there but to count, which tells no thread anything before all others
/// have been joined.
fn only_counts(uses: &FxHashSet<(u32, Use)>, detached: bool) -> bool {
    let counts = uses.iter().filter(|(_, how)| detached || !how.is_last);
    let counted: Option<SmallVec<[Part; 8]>> = counts.map(|(_, how)| how.counts).collect();
    counted.is_some_and(|parts| {
        let mut all = parts.iter();
        all.all(|part| parts.iter().all(|other| part.is_apart_or_same(*other)))
    })
}

/// Whether one thread may read what another one writes, with one of them too weak to synchronise.
fn communicate(uses: &FxHashSet<(u32, Use)>, same_number: bool) -> bool {
    let writes = || uses.iter().filter(|(_, how)| how.writes);
    let reads = || uses.iter().filter(|(_, how)| !how.writes);
    writes().any(|(writer, write)| {
        reads().any(|(reader, read)| {
            (writer != reader || same_number) && !(write.synchronises && read.synchronises)
        })
    })
}

/// Whether threads may see an order of accesses that is not sequentially consistent.
fn may_see_weaker(uses: &FxHashSet<(u32, Use)>, same_number: bool) -> bool {
    let writes = || uses.iter().filter(|(_, how)| how.writes);
    writes().any(|(writer, write)| {
        uses.iter().any(|(other, how)| {
            (writer != other || same_number) && !(write.is_total && how.is_total)
        })
    })
}

/// What one search thread has noted.
#[derive(Default)]
pub struct Noted(FxHashSet<(Place, u32, Use)>);

impl Noted {
    /// Notes that a thread uses what is at an address.
    pub fn note(
        &mut self,
        shared: &Weak,
        memory: &Memory<'_>,
        thread: usize,
        address: Address,
        how: Use,
    ) {
        self.add(shared, place_of(memory, address), thread, how);
    }

    /// Notes that a thread reads the clock, and may advance it.
    pub fn note_clock(&mut self, shared: &Weak, thread: usize) {
        // The time is the same for all threads, but orders nothing.
        for writes in [false, true] {
            let how = Use {
                writes,
                updates: false,
                synchronises: false,
                is_total: true,
                counts: None,
                is_last: false,
                of_reference: false,
            };
            self.add(shared, CLOCK, thread, how);
        }
    }

    fn add(&mut self, shared: &Weak, place: Place, thread: usize, how: Use) {
        let thread = thread as u32;
        if self.0.insert((place, thread, how)) {
            let mut uses = shared.uses();
            uses.entry(place).or_default().insert((thread, how));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEAK: Order = Order {
        acquires: false,
        releases: false,
        is_total: false,
    };

    fn uses(all: &[(u32, Use)]) -> FxHashSet<(u32, Use)> {
        all.iter().copied().collect()
    }

    #[test]
    fn a_weak_side_communicates_with_another_thread() {
        let strong = [(1, Use::write(Order::BOTH)), (2, Use::read(Order::BOTH))];
        assert!(!communicate(&uses(&strong), false));
        let relaxed_read = [(1, Use::write(Order::BOTH)), (2, Use::read(WEAK))];
        assert!(communicate(&uses(&relaxed_read), false));
        let relaxed_write = [(1, Use::write(WEAK)), (2, Use::read(Order::BOTH))];
        assert!(communicate(&uses(&relaxed_write), false));
    }

    #[test]
    fn a_thread_may_read_weakly_what_it_writes_alone() {
        let own = [(1, Use::write(WEAK)), (1, Use::read(WEAK))];
        assert!(!communicate(&uses(&own), false));
        assert!(communicate(&uses(&own), true));
        let read_only = [(1, Use::read(WEAK)), (2, Use::read(WEAK))];
        assert!(!communicate(&uses(&read_only), true));
    }

    #[test]
    fn references_that_only_the_library_counts_tell_nothing() {
        let of_reference = |how: Use| Use {
            of_reference: true,
            ..how
        };
        let strong = Order {
            is_total: false,
            ..Order::BOTH
        };
        let counted = [
            (1, of_reference(Use::update(WEAK))),
            (1, of_reference(Use::write(WEAK))),
            (2, of_reference(Use::update(strong))),
            (2, of_reference(Use::write(strong))),
        ];
        assert!(counts(&uses(&counted), true));
        let read = [&counted[..], &[(2, Use::read(WEAK))]].concat();
        assert!(!counts(&uses(&read), false));
    }

    #[test]
    fn two_threads_may_see_what_is_not_sequentially_consistent() {
        let weaker = Order {
            is_total: false,
            ..Order::BOTH
        };
        let total = [(1, Use::write(Order::BOTH)), (2, Use::write(Order::BOTH))];
        assert!(!may_see_weaker(&uses(&total), false));
        let written = [(1, Use::write(weaker)), (2, Use::write(Order::BOTH))];
        assert!(may_see_weaker(&uses(&written), false));
        let own = [(1, Use::write(weaker)), (1, Use::read(WEAK))];
        assert!(!may_see_weaker(&uses(&own), false));
        let read = [(1, Use::read(weaker)), (2, Use::read(weaker))];
        assert!(!may_see_weaker(&uses(&read), false));
    }
}
