//! Access histories: how Impasse finds data races, and the DRF-based reduction.
//!
//! Two accesses to the same bytes by different threads race if one of them writes, they are not
//! both atomic, and nothing orders them. The access history of a thread has the plain accesses that
//! the thread made since its last visible action, and those of that action. Each access of another
//! thread is compared with it.
//!
//! *Claim.* Impasse reports a race if and only if some execution has a race of adjacent accesses:
//! both threads are about to make them. Where races are errors, plain accesses to shared memory
//! need no scheduling point ([`Por::Full`](crate::base::options::Por)): a thread that could
//! see whether the access has been made would race with it.
//!
//! *Conditions.*
//! - Every access to memory that others can reach is observed ([`crate::reduction::observe`]), also
//!   those of builtins ([`crate::machine::builtin`]).
//! - What orders an access before something of another thread is a later visible action of its own
//!   thread, which clears the history
//!   ([`Machine::visible_action`](crate::machine::Machine::visible_action)). An action that orders
//!   an access which is part of it is two actions.
//! - What orders nothing does not clear the history. The exceptions are atomic sections: their
//!   accesses are compared with what other threads access next.
//! - A plain access beyond the limit of the history is a visible action.
//! - Under x86-TSO a delayed atomic store orders what came before it when it reaches memory. So an
//!   access is kept with the number of atomic stores in its thread's buffer.
//!
//! The argument is in `docs/internals/races.md`, for store buffers in `docs/internals/tso.md`.

use crate::base::codec::{Reader, put};
use crate::base::fault::CodePlace;
use crate::state::memory::Access;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::Position;
use impasse_program::link::FunctionId;
use smallvec::SmallVec;

/// How many accesses a history holds at most.
const LIMIT: usize = 64;

/// An access to memory that several threads can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryAccess {
    /// Where in the program.
    pub place: CodePlace,
    /// The first byte.
    pub address: Address,
    /// How many bytes.
    pub bytes: u64,
    /// Reads or writes.
    pub access: Access,
    /// Whether it is atomic.
    pub atomic: bool,
    /// Whether it is to a local variable.
    pub local: bool,
    /// How many of the atomic stores in its thread's store buffer come before it.
    pub after: u32,
    /// Whether it is made inside an atomic section.
    pub section: bool,
    /// Whether it is a compare-exchange, which may turn out to be a read.
    pub may_fail: bool,
}

/// Another thread's access that one of this thread conflicts with.
#[derive(Clone, Copy, Debug)]
pub enum Conflict {
    /// The two race.
    Race(usize, MemoryAccess),
    /// They do if a compare-exchange writes.
    Undecided,
}

/// What the threads of a state have accessed recently, and what they access next: (the thread, the
/// access).
#[derive(Clone, Default, Debug)]
pub struct OtherAccesses {
    /// The access history.
    pub access_history: Vec<(usize, MemoryAccess)>,
    /// The next ones.
    pub next: Vec<(usize, MemoryAccess)>,
    /// Whether some of the history is of objects that another thread has for itself by now.
    pub stale: bool,
}

impl OtherAccesses {
    /// Removes all accesses.
    pub fn clear(&mut self) {
        self.access_history.clear();
        self.next.clear();
        self.stale = false;
    }

    /// Returns whether an access of another thread conflicts with one of this thread. What an
    /// atomic section accesses is in no history, so it is compared with what others access next as
    /// well.
    pub fn conflict(&self, thread: usize, mine: &MemoryAccess) -> Option<Conflict> {
        let next = self.next.iter().filter(|_| mine.section);
        let others = self.access_history.iter().chain(next);
        let others = others.filter(|(other, _)| *other != thread);
        let mut conflict = None;
        for (other, theirs) in others.filter(|(_, theirs)| mine.races_with(theirs)) {
            match mine.needs_write(theirs) || theirs.needs_write(mine) {
                true => conflict = Some(Conflict::Undecided),
                false => return Some(Conflict::Race(*other, *theirs)),
            }
        }
        conflict
    }

    /// Keeps the accesses for which a predicate, which may change them, holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&mut (usize, MemoryAccess)) -> bool) {
        self.access_history.retain_mut(&mut keep);
        self.next.retain_mut(keep);
    }
}

impl MemoryAccess {
    /// Returns whether two accesses by different threads that nothing orders are a data race.
    pub fn races_with(&self, other: &MemoryAccess) -> bool {
        self.overlaps(other)
            && (self.access == Access::Write || other.access == Access::Write)
            && !(self.atomic && other.atomic)
    }

    /// Whether this access conflicts with the other one only if it writes, which it may not do.
    fn needs_write(&self, other: &MemoryAccess) -> bool {
        self.may_fail && other.access == Access::Read
    }

    fn overlaps(&self, other: &MemoryAccess) -> bool {
        let (a, b) = (self.address, other.address);
        a.object == b.object && a.offset < other.end() && b.offset < self.end()
    }

    /// The offset behind the last byte.
    fn end(&self) -> i64 {
        self.address.offset.saturating_add_unsigned(self.bytes)
    }

    /// Returns an access that races with every other one to the object, of `bytes` bytes.
    pub fn of_all(object: ObjectId, bytes: u64) -> MemoryAccess {
        MemoryAccess {
            place: CodePlace {
                function: FunctionId(0),
                position: Position(0),
            },
            address: Address::of(object),
            bytes,
            access: Access::Write,
            atomic: false,
            local: false,
            after: 0,
            section: true,
            may_fail: false,
        }
    }

    /// Whether whatever races with the other access races with this one, as long as the other one
    /// is in the history.
    fn covers(&self, other: &MemoryAccess) -> bool {
        self.after >= other.after
            && self.address.object == other.address.object
            && self.address.offset <= other.address.offset
            && other.end() <= self.end()
            && (self.access == Access::Write || other.access == Access::Read)
    }

    /// Whether the other one continues where this one ends, as in a loop over an array.
    fn continues_in(&self, other: &MemoryAccess) -> bool {
        self.address.object == other.address.object
            && self.end() == other.address.offset
            && self.access == other.access
            && self.place == other.place
            && self.after == other.after
    }

    /// Returns whether the access stays in the history once the oldest atomic store in its thread's
    /// buffer has reached memory: that orders what came before it.
    pub fn outlives_store(&mut self) -> bool {
        let outlives = self.after > 0;
        self.after = self.after.saturating_sub(1);
        outlives
    }
}

/// A thread's access happens_before: its plain accesses since its last visible action, without
/// those that its delayed stores have ordered.
///
/// They do not keep objects alive, except for local variables: one that nothing else refers to any
/// more still leaves its scope at some time, and that may have been before the access.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AccessHistory {
    accesses: SmallVec<[MemoryAccess; 1]>,
}

impl AccessHistory {
    /// Returns whether there is no access.
    pub fn is_empty(&self) -> bool {
        self.accesses.is_empty()
    }

    /// Returns whether the history is full.
    pub fn is_full(&self) -> bool {
        self.accesses.len() >= LIMIT
    }

    /// Removes all accesses.
    pub fn clear(&mut self) {
        self.accesses.clear();
    }

    /// Drops what the oldest atomic store in the thread's buffer orders: it has reached memory.
    pub fn forget_before_store(&mut self) {
        self.accesses.retain(MemoryAccess::outlives_store);
    }

    /// Notes that the atomic store at an index among those in the thread's buffer has left it
    /// without ordering anything.
    pub fn skip_store(&mut self, index: usize) {
        for memory_access in &mut self.accesses {
            memory_access.after -= (memory_access.after as usize > index) as u32;
        }
    }

    /// Returns all accesses, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &MemoryAccess> {
        self.accesses.iter()
    }

    /// Adds a plain access. Returns false if the history already covers it, as in a loop that
    /// repeats its accesses.
    pub fn add(&mut self, new: MemoryAccess) -> bool {
        if self.accesses.iter().any(|old| old.covers(&new)) {
            return false;
        }
        self.accesses.retain(|old| !new.covers(old));
        match self.accesses.last_mut() {
            Some(last) if last.continues_in(&new) => last.bytes += new.bytes,
            _ => self.accesses.push(new),
        }
        true
    }

    /// Returns the dynamic objects that were accessed.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> {
        let objects = self
            .accesses
            .iter()
            .map(|memory_access| memory_access.address.object);
        objects.filter(|object| object.is_dynamic())
    }

    /// Returns the local variables that were accessed.
    pub fn locals(&self) -> impl Iterator<Item = ObjectId> {
        let locals = self
            .accesses
            .iter()
            .filter(|memory_access| memory_access.local);
        locals.map(|memory_access| memory_access.address.object)
    }

    /// Renames objects, and drops those that are gone: no thread can access them any more.
    pub fn rename(&mut self, new_name: &dyn Fn(ObjectId) -> Option<ObjectId>) {
        self.accesses.retain(|memory_access| {
            let object = memory_access.address.object;
            if !object.is_dynamic() {
                return true;
            }
            let new = new_name(object);
            memory_access.address.object = new.unwrap_or(object);
            new.is_some()
        });
    }

    /// Appends the stored form.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.accesses.len() as u64);
        for memory_access in &self.accesses {
            put(out, memory_access.place.function.0 as u64);
            put(out, memory_access.place.position.0 as u64);
            put(out, memory_access.address.bits());
            let flags = [
                memory_access.access == Access::Write,
                memory_access.local,
                memory_access.after > 0,
            ];
            let flags = (0..).zip(flags).map(|(at, flag)| (flag as u64) << at);
            put(out, (memory_access.bytes << 3) | flags.sum::<u64>());
            if memory_access.after > 0 {
                put(out, memory_access.after as u64);
            }
        }
    }

    /// Reads a stored form.
    pub fn decode(reader: &mut Reader<'_>) -> AccessHistory {
        let accesses = (0..reader.small()).map(|_| {
            let place = CodePlace {
                function: FunctionId(reader.small()),
                position: Position(reader.small()),
            };
            let address = Address::from_bits(reader.number());
            let extent = reader.number();
            MemoryAccess {
                place,
                address,
                bytes: extent >> 3,
                access: match extent & 1 {
                    0 => Access::Read,
                    _ => Access::Write,
                },
                atomic: false,
                local: extent & 2 != 0,
                after: if extent & 4 != 0 { reader.small() } else { 0 },
                section: false,
                may_fail: false,
            }
        });
        AccessHistory {
            accesses: accesses.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn memory_access() -> impl Strategy<Value = MemoryAccess> {
        let part = (
            0u32..3,
            0i64..12,
            1u64..5,
            any::<bool>(),
            any::<bool>(),
            0u32..2,
        );
        part.prop_map(
            |(object, offset, bytes, writes, local, position)| MemoryAccess {
                place: CodePlace {
                    function: FunctionId(0),
                    position: Position(position),
                },
                address: Address {
                    object: ObjectId::dynamic(object),
                    offset,
                },
                bytes,
                access: if writes { Access::Write } else { Access::Read },
                atomic: false,
                local,
                after: 0,
                section: false,
                may_fail: false,
            },
        )
    }

    /// What a thread does under x86-TSO.
    #[derive(Clone, Debug)]
    enum Event {
        Access(MemoryAccess),
        /// An atomic store enters its buffer.
        Delay,
        /// The oldest one reaches memory.
        Reach,
    }

    fn events() -> impl Strategy<Value = Vec<Event>> {
        let event = prop_oneof![
            3 => memory_access().prop_map(Event::Access),
            1 => Just(Event::Delay),
            1 => Just(Event::Reach),
        ];
        prop::collection::vec(event, 0..20)
    }

    proptest! {
        /// Whatever is merged or left out, the same accesses race.
        #[test]
        fn what_is_remembered_races_as_all_accesses_do(
            all in prop::collection::vec(memory_access(), 0..12),
            other in memory_access(),
            atomic: bool,
        ) {
            let mut history = AccessHistory::default();
            all.iter().for_each(|memory_access| {
                history.add(*memory_access);
            });
            let other = MemoryAccess { atomic, ..other };
            let races = all.iter().any(|memory_access| memory_access.races_with(&other));
            prop_assert_eq!(history.iter().any(|memory_access| memory_access.races_with(&other)), races);
        }

        /// Kept is what no atomic store that has reached memory came after.
        #[test]
        fn an_atomic_store_orders_what_came_before_it(all in events(), other in memory_access(), atomic: bool) {
            let mut history = AccessHistory::default();
            let mut accesses = Vec::new();
            let (mut delayed, mut reached) = (0, 0);
            for event in all {
                match event {
                    Event::Access(memory_access) => {
                        history.add(MemoryAccess { after: delayed - reached, ..memory_access });
                        accesses.push((delayed, memory_access));
                    }
                    Event::Delay => delayed += 1,
                    Event::Reach if reached == delayed => {}
                    Event::Reach => {
                        reached += 1;
                        history.forget_before_store();
                    }
                }
            }
            let other = MemoryAccess { atomic, ..other };
            let unordered = |(before, _): &&(u32, MemoryAccess)| *before >= reached;
            let races = accesses.iter().filter(unordered).any(|(_, memory_access)| memory_access.races_with(&other));
            prop_assert_eq!(history.iter().any(|memory_access| memory_access.races_with(&other)), races);
        }

        #[test]
        fn what_is_stored_is_read_back(all in prop::collection::vec((memory_access(), 0..3u32), 0..12)) {
            let mut history = AccessHistory::default();
            all.iter().for_each(|(memory_access, after)| {
                history.add(MemoryAccess { after: *after, ..*memory_access });
            });
            let mut stored = Vec::new();
            history.encode(&mut stored);
            let mut reader = Reader::new(&stored);
            prop_assert_eq!(&AccessHistory::decode(&mut reader), &history);
            prop_assert!(reader.is_empty());
        }
    }

    #[test]
    fn a_loop_over_an_array_is_one_access() {
        let mut history = AccessHistory::default();
        for n in 0..1000 {
            history.add(MemoryAccess {
                place: CodePlace {
                    function: FunctionId(1),
                    position: Position(7),
                },
                address: Address {
                    object: ObjectId::global(3),
                    offset: 4 * n,
                },
                bytes: 4,
                access: Access::Write,
                atomic: false,
                local: false,
                after: 0,
                section: false,
                may_fail: false,
            });
        }
        assert_eq!(history.iter().count(), 1);
    }
}
