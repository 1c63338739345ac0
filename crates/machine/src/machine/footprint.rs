//! The footprint of a step: what it accesses that other threads could access as well.
//!
//! *Claim.* Two steps of different threads that are both enabled, and whose footprints do not
//! conflict, commute: in both orders they are possible and lead to the same state.
//!
//! *Conditions.* A visible action is an access to memory, or to something that a [`Place`] names,
//! or makes the footprint [opaque](Footprint::opaque): then it conflicts with everything. A new
//! visible action (`Machine::visible_action`) is opaque unless it says what it accesses
//! (`Machine::act_on`).
//!
//! The argument is in `docs/internals/persistent-sets.md`.

use crate::state::memory::{Access, Memory, ObjectRef};
use impasse_program::address::{Address, ObjectId, ObjectKind};
use smallvec::SmallVec;

/// Something that several threads can access. It has the same name in all states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// A global variable, by its number.
    Global(u32),
    /// The objects that were made while running by the instruction at this position of a function,
    /// and if they were allocated, those of them that have this size in bytes. Their numbers
    /// differ between states.
    MadeAt(u32, u32, u32),
    /// Whether such objects are accessed while several threads can reach them. It is noted where
    /// states have a happens-before history and threads may be symmetric.
    SharedMadeAt(u32, u32, u32),
    /// Objects made while running by the machine itself.
    Made,
    /// The record of a thread, by its number.
    Record(u32),
    /// Which numbers of threads are in use.
    ThreadNumbers,
    /// Whether a thread is alive, by its number: changed by its end.
    End(u32),
    /// Whether a thread has ended, by its number, as far as its id is valid until then.
    Finished(u32),
    /// Whether a thread was detached or joined, by its number. Only its id depends on it: the end
    /// of the thread comes to the same before and after.
    Detached(u32),
    /// The input of the program. Only the thread itself accesses its part of it.
    Input,
    /// What atomic sections hand over to the next one, where states have a happens-before history.
    Sections,
    /// What sequentially consistent fences hand over to the next one, under C11.
    TotalOrder,
}

impl Place {
    /// Returns what says that objects of this place are accessed while several threads can reach
    /// them; `None` if they were not made by the program while running.
    pub fn shared(self) -> Option<Place> {
        match self {
            Place::MadeAt(function, position, size) => {
                Some(Place::SharedMadeAt(function, position, size))
            }
            _ => None,
        }
    }
}

/// Threads that have ended before an access happens, or some of them: a range of numbers, and one
/// bit for each of the first 64. To know fewer of them is imprecise, but sound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Guards {
    from: u32,
    to: u32,
    bits: u64,
}

impl Guards {
    /// Returns the set of this thread.
    pub fn of(thread: u32) -> Guards {
        Guards {
            from: thread,
            to: thread + 1,
            bits: 1u64.checked_shl(thread).unwrap_or(0),
        }
    }

    /// Returns the threads that are in one of the sets, or of those beyond the first 64 the ones of
    /// a larger range.
    pub fn with(self, other: Guards) -> Guards {
        let (first, second) = match self.from <= other.from {
            true => (self, other),
            false => (other, self),
        };
        let range = match (first.is_empty(), second.is_empty()) {
            (true, _) => second,
            (_, true) => first,
            _ if first.to >= second.from => Guards {
                to: first.to.max(second.to),
                ..first
            },
            _ if first.to - first.from >= second.to - second.from => first,
            _ => second,
        };
        Guards {
            bits: self.bits | other.bits,
            ..range
        }
    }

    /// Leaves the threads that are in both sets. Returns whether that changes this one.
    pub fn narrow(&mut self, other: Guards) -> bool {
        let before = *self;
        self.from = self.from.max(other.from);
        self.to = self.to.min(other.to).max(self.from);
        self.bits &= other.bits;
        *self != before
    }

    /// Returns whether a thread is in the set.
    pub fn has(self, thread: u32) -> bool {
        (self.from..self.to).contains(&thread)
            || 1u64
                .checked_shl(thread)
                .is_some_and(|bit| self.bits & bit != 0)
    }

    fn is_empty(self) -> bool {
        self.from == self.to
    }
}

/// The byte of an object that is accessed where it matters whether the object was freed, and not
/// what it holds.
const EXISTENCE: i64 = -1;

/// How memory is accessed, where that tells whether an order matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Manner {
    /// In a way of which nothing is known.
    #[default]
    Any,
    /// By an atomic load or store of C11 that is not sequentially consistent. Whoever can load a
    /// message can do so after a store as well.
    Unordered,
}

/// An access to a range of bytes of a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Touched {
    /// What is accessed.
    pub place: Place,
    /// The first byte.
    pub start: i64,
    /// The end of the bytes.
    pub end: i64,
    /// Whether it may change.
    pub writes: bool,
    /// How it is accessed.
    pub manner: Manner,
}

/// An access of a step, and the threads for whose end the step has waited before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Guarded {
    /// The access.
    pub touched: Touched,
    /// The threads that the step has joined before.
    pub after: Guards,
}

impl Touched {
    /// The whole of a place that has no bytes.
    pub fn whole(place: Place, writes: bool) -> Touched {
        Touched {
            place,
            start: 0,
            end: 1,
            writes,
            manner: Manner::Any,
        }
    }

    /// Returns an access to all of the place.
    fn to_all(self) -> Touched {
        Touched {
            start: EXISTENCE,
            end: i64::MAX,
            ..self
        }
    }

    /// Returns the same where its order matters.
    pub fn ordered(self) -> Touched {
        Touched {
            manner: Manner::Any,
            ..self
        }
    }

    /// Whether it is a store that may come before whatever loads what was stored before.
    fn is_unordered_store(&self) -> bool {
        self.writes && self.manner == Manner::Unordered
    }

    /// Returns whether something is missed if this access comes first, and not the other one, if
    /// both are to this place.
    pub fn conflicts(&self, later: &Touched) -> bool {
        let loads = !later.writes && later.manner == Manner::Unordered;
        self.place == later.place
            && self.start < later.end
            && later.start < self.end
            && (self.writes || later.writes)
            && !(self.is_unordered_store() && loads)
    }
}

/// How many ranges of bytes a footprint keeps apart, at least: a power of two. It keeps more than
/// twice as many only if they are in as many places.
const RANGES: usize = 256;

/// Adds an access where it belongs. If it is there, its guards are those of both. Returns whether
/// it is new.
fn insert(accesses: &mut SmallVec<[Guarded; 4]>, touched: Touched, after: Guards) -> bool {
    let place = accesses.binary_search_by_key(&touched, |known| known.touched);
    match place {
        Ok(at) => _ = accesses[at].after.narrow(after),
        Err(at) => accesses.insert(at, Guarded { touched, after }),
    }
    place.is_err()
}

/// What a step accesses that other threads could access as well.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Footprint {
    /// Its accesses, in ascending order, each once.
    pub touched: SmallVec<[Guarded; 4]>,
    /// Its accesses to what no other thread can reach at present, whole objects, in ascending
    /// order.
    pub own: SmallVec<[Guarded; 4]>,
    /// The threads that it has joined before it may have accessed anything, if it may.
    pub opaque: Option<Guards>,
    /// The threads for whose end it waits.
    pub joined: Guards,
    /// The last of these.
    pub awaits: Option<u32>,
    /// Whether no other thread can move after it, or not until its thread has moved again: it ends
    /// the program, or it ends in an atomic section or in the middle of a long computation.
    pub holds: bool,
}

impl Footprint {
    /// Adds an access. Of very many accesses only the places are kept.
    pub fn add(&mut self, touched: Touched) {
        let is_new = insert(&mut self.touched, touched, self.joined);
        let count = self.touched.len();
        // So many again before the next time, as each access may be to a place of its own.
        if is_new && count >= RANGES && count.is_power_of_two() {
            let ranges = std::mem::take(&mut self.touched);
            for Guarded { touched, after } in ranges {
                insert(&mut self.touched, touched.to_all(), after);
            }
        }
    }

    /// Returns all accesses, those to what no other thread can reach at present included.
    pub fn all(&self) -> impl Iterator<Item = Guarded> + '_ {
        self.touched.iter().chain(&self.own).copied()
    }

    /// Adds an access to a place that has no bytes.
    pub fn add_whole(&mut self, place: Place, writes: bool) {
        self.add(Touched::whole(place, writes));
    }

    /// Returns whether it reads or changes the record of a thread.
    pub fn touches_record(&self, thread: u32) -> bool {
        self.touches(Place::Record(thread))
    }

    /// Returns whether it has stores that may come before whatever loads what was stored before.
    pub fn has_unordered_stores(&self) -> bool {
        let mut touched = self.touched.iter();
        touched.any(|guarded| guarded.touched.is_unordered_store())
    }

    /// Returns the same where the order of each store matters.
    pub fn ordered(&self) -> Footprint {
        let mut ordered = Footprint {
            touched: SmallVec::new(),
            ..self.clone()
        };
        for &Guarded { touched, after } in &self.touched {
            insert(&mut ordered.touched, touched.ordered(), after);
        }
        ordered
    }

    /// Returns whether it ends a thread.
    pub fn ends_thread(&self) -> bool {
        let mut touched = self.touched.iter();
        touched.any(|guarded| matches!(guarded.touched.place, Place::End(_)))
    }

    fn touches(&self, place: Place) -> bool {
        let mut places = self.touched.iter().map(|guarded| guarded.touched.place);
        places.any(|touched| touched == place)
    }
}

/// The objects made while running that accesses of a step were to, by their numbers in the state
/// where it starts. [`ObjectId::NULL`] stands for one that is not known, and so does an access that
/// is missing.
pub type Accessed = Vec<(Touched, ObjectId)>;

/// Records the footprint of the present step.
#[derive(Default)]
pub(crate) struct Recorder {
    on: bool,
    /// How memory is accessed now.
    pub(crate) manner: Manner,
    footprint: Footprint,
    accessed: Accessed,
    /// Whether it is not known any more what object an access is to.
    lost: bool,
    /// The threads that were joined in each of the earlier outcomes, and the last one that any of
    /// them has waited for, if there were outcomes before.
    earlier: Option<(Guards, Option<u32>)>,
    /// What was recorded up to a mark.
    marked: Footprint,
    /// Whether it is noted where the objects were made that several threads can reach.
    notes_shared: bool,
}

impl Recorder {
    /// Records nothing, or from now on the next step.
    pub(crate) fn begin(&mut self, on: bool) {
        *self = Recorder {
            on,
            ..Recorder::default()
        };
    }

    /// Returns the threads for whose end the step has waited so far.
    pub(crate) fn joined(&self) -> Guards {
        self.footprint.joined
    }

    /// An outcome of the step's choices ends. The next one begins where these threads were joined.
    pub(crate) fn next_outcome(&mut self, joined: Guards) {
        let ended = std::mem::replace(&mut self.footprint.joined, joined);
        let awaited = self.footprint.awaits.take();
        let (all, before) = self.earlier.get_or_insert((ended, None));
        all.narrow(ended);
        *before = awaited.or(*before);
    }

    /// Returns whether it records.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    /// Objects may have other numbers from now on than where the step started.
    pub(crate) fn lose_objects(&mut self) {
        self.lost = true;
    }

    /// Returns what was recorded since the beginning, and records nothing any more.
    pub(crate) fn take(&mut self) -> (Footprint, Accessed) {
        self.on = false;
        let mut footprint = std::mem::take(&mut self.footprint);
        if let Some((joined, awaited)) = self.earlier.take() {
            footprint.joined.narrow(joined);
            footprint.awaits = footprint.awaits.or(awaited);
        }
        (footprint, std::mem::take(&mut self.accessed))
    }

    /// From now on it is noted where the objects were made that several threads can reach.
    pub(crate) fn note_shared(&mut self) {
        self.notes_shared = true;
    }

    /// Marks what was recorded so far.
    pub(crate) fn mark(&mut self) {
        self.marked.clone_from(&self.footprint);
    }

    /// Returns what was recorded up to the last mark, and records nothing any more.
    pub(crate) fn take_marked(&mut self) -> Footprint {
        self.on = false;
        std::mem::take(&mut self.marked)
    }

    /// Adds an access to an object.
    fn add(&mut self, touched: Touched, object: ObjectId) {
        self.footprint.add(touched);
        if object.is_dynamic() {
            let object = match self.lost {
                true => ObjectId::NULL,
                false => object,
            };
            if !self.accessed.contains(&(touched, object)) {
                self.accessed.push((touched, object));
            }
            if self.accessed.len() > RANGES {
                self.accessed.clear();
                self.lost = true;
            }
        }
    }

    /// The step does something with what other threads can observe, and nothing says what.
    #[inline]
    pub(crate) fn unknown(&mut self) {
        if self.on {
            let after = self.footprint.joined;
            self.footprint.opaque.get_or_insert(after).narrow(after);
        }
    }

    /// The step accesses a place that has no bytes.
    pub(crate) fn touch(&mut self, place: Place, writes: bool) {
        if self.on {
            self.footprint.add_whole(place, writes);
        }
    }

    /// The step accesses memory that several threads can reach.
    pub(crate) fn access(
        &mut self,
        memory: &Memory<'_>,
        address: Address,
        bytes: u64,
        access: Access,
    ) {
        if self.on {
            let touched = Touched {
                manner: self.manner,
                ..in_memory(memory, address, bytes, access == Access::Write)
            };
            self.add(touched, address.object);
            if let (true, Some(shared)) = (self.notes_shared, touched.place.shared()) {
                self.footprint.add_whole(shared, false);
            }
        }
    }

    /// It matters to the step whether an object that several threads can reach was freed, or the
    /// step frees it.
    pub(crate) fn access_existence(
        &mut self,
        memory: &Memory<'_>,
        object: ObjectId,
        access: Access,
    ) {
        if self.on {
            let start = in_memory(memory, Address::of(object), 0, access == Access::Write);
            let touched = Touched {
                start: EXISTENCE,
                end: EXISTENCE + 1,
                ..start
            };
            self.add(touched, object);
        }
    }

    /// The step accesses memory that no other thread can reach at present.
    pub(crate) fn access_own(&mut self, memory: &Memory<'_>, address: Address, access: Access) {
        if self.on {
            let touched = in_memory(memory, address, 1, access == Access::Write);
            insert(
                &mut self.footprint.own,
                touched.to_all(),
                self.footprint.joined,
            );
        }
    }

    /// An object that was made at a place is gone, if there was one.
    pub(crate) fn end_own(&mut self, place: Place) {
        let touched = Touched::whole(place, true).to_all();
        insert(&mut self.footprint.own, touched, self.footprint.joined);
    }

    /// The step accesses a place that no other thread accesses at present.
    pub(crate) fn touch_own(&mut self, place: Place, writes: bool) {
        if self.on {
            let touched = Touched::whole(place, writes);
            insert(&mut self.footprint.own, touched, self.footprint.joined);
        }
    }

    /// The step waits for the end of a thread. It has read or changed the records of these so far.
    pub(crate) fn join(&mut self, thread: u32, records: impl Iterator<Item = u32>) {
        if self.on {
            let before = records.filter(|&other| other != thread);
            before.for_each(|other| self.footprint.add_whole(Place::Record(other), true));
            // Only one thread is waited for in a footprint.
            let earlier = self.earlier.and_then(|(_, awaited)| awaited);
            if earlier.is_some_and(|earlier| earlier != thread) {
                self.unknown();
            }
            self.footprint.joined = self.footprint.joined.with(Guards::of(thread));
            self.footprint.awaits = Some(thread);
        }
    }

    /// No other thread can move after the step, or not before this one.
    pub(crate) fn hold(&mut self) {
        self.footprint.holds |= self.on;
    }
}

fn place_of(made: Option<ObjectRef<'_>>) -> Place {
    let Some((object, origin)) = made.and_then(|object| Some((object, object.origin()?))) else {
        return Place::Made;
    };
    let size = match object.class().is_allocated() {
        true => object.size(),
        false => 0,
    };
    Place::MadeAt(origin.function.0, origin.position.0, size)
}

/// Returns an access to memory.
pub fn in_memory(memory: &Memory<'_>, address: Address, bytes: u64, writes: bool) -> Touched {
    let place = match address.object.kind() {
        ObjectKind::Global(number) => Place::Global(number),
        _ => place_of(memory.get(address.object)),
    };
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    Touched {
        place,
        start: address.offset,
        end: address.offset.saturating_add(bytes.max(1)),
        writes,
        manner: Manner::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::Guards;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn guards(threads: &[u32]) -> (Guards, BTreeSet<u32>) {
        let all = threads.iter().copied();
        let known = all.clone().map(Guards::of);
        (known.fold(Guards::default(), Guards::with), all.collect())
    }

    proptest! {
        /// Nothing is in the results that is not in those of sets; of the first 64 all is.
        #[test]
        fn guards_are_sets(
            one in prop::collection::vec(0u32..200, 0..8),
            two in prop::collection::vec(0u32..200, 0..8),
        ) {
            let ((mut first, one), (second, two)) = (guards(&one), guards(&two));
            let both = first.with(second);
            let before = first;
            prop_assert_eq!(first.narrow(second), first != before);
            for thread in 0..200 {
                let (in_one, in_two) = (one.contains(&thread), two.contains(&thread));
                let (either, common) = (in_one || in_two, in_one && in_two);
                prop_assert!(either || !both.has(thread));
                prop_assert!(common || !first.has(thread));
                prop_assert!(thread >= 64 || both.has(thread) == either);
                prop_assert!(thread >= 64 || first.has(thread) == common);
            }
        }

        #[test]
        fn threads_joined_in_order_guard(from in 0u32..300, count in 1u32..100) {
            let all: Vec<u32> = (from..from + count).collect();
            let (guards, _) = guards(&all);
            prop_assert!(all.iter().all(|&thread| guards.has(thread)));
            prop_assert!(!guards.has(from + count));
        }
    }
}
