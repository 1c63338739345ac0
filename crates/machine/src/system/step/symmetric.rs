//! Which threads of a state are symmetric: their exchange gives the same state
//! (`docs/internals/symmetry.md`).

use super::Stepper;
use crate::machine::footprint::{Footprint, Place, in_memory};
use crate::state::encoding::Base;
use crate::state::frame::{FrameImage, names_objects};
use crate::state::memory::Entry;
use crate::state::memory::object::{Flags, ObjectView};
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_store::Id;

/// Two threads, and the names that objects have when these change places: the own objects of each
/// are numbered in the same way.
struct Exchange<'a, 's> {
    base: &'a Base<'s>,
    threads: [usize; 2],
}

impl Exchange<'_, '_> {
    fn number(&self, number: u32) -> u32 {
        let [one, other] = self.threads;
        self.base.memory.id_ranges.exchanged(number, one, other)
    }

    fn name(&self, object: ObjectId) -> ObjectId {
        match object.kind() {
            ObjectKind::Dynamic(number) => ObjectId::dynamic(self.number(number)),
            _ => object,
        }
    }

    /// Whether it gives a frame the other one's form.
    fn maps_frame(&self, one: Id, other: Id) -> bool {
        let store = self.base.memory.store;
        let (stored, wanted) = (store.get(one), store.get(other));
        if !names_objects(stored) || !names_objects(wanted) {
            return one == other;
        }
        let mut image = FrameImage::decode(stored);
        image.rename(&|object| Some(self.name(object)));
        image == FrameImage::decode(wanted)
    }

    /// Whether it gives the first thread the form of the second one, but for the handles.
    fn maps_thread(&self) -> bool {
        let [one, other] = self.threads;
        let other = &self.base.threads[other];
        let mut renamed = self.base.threads[one].clone();
        let mut frames = renamed.frames.iter().zip(&other.frames).rev();
        if renamed.frames.len() != other.frames.len()
            || !frames.all(|(&one, &other)| self.maps_frame(one, other))
        {
            return false;
        }
        renamed.rename(&|object| Some(self.name(object)));
        renamed.handle = other.handle;
        renamed.frames.clone_from(&other.frames);
        renamed == *other
    }

    /// Whether it gives an object of the first thread the form of the second one's.
    fn maps_object(&self, one: Entry, other: Entry) -> bool {
        let (Entry::Stored(one), Entry::Stored(other)) = (one, other) else {
            return one == other;
        };
        let store = self.base.memory.store;
        let view = ObjectView::new(store.get(one));
        if view.pointers().next().is_none() {
            return one == other;
        }
        if view.flags().has(Flags::ILP32) {
            return false;
        }
        let mut object = view.to_object();
        let words: Vec<usize> = object.pointer_words().collect();
        for word in words {
            let address = Address::from_bits(object.word(word));
            let object_id = self.name(address.object);
            let renamed = Address {
                object: object_id,
                ..address
            };
            object.set_word(word, renamed.bits());
        }
        let mut encoded = Vec::new();
        object.encode(&mut encoded);
        encoded == store.get(other)
    }

    /// Whether it gives the objects of the first thread the forms of the second one's.
    fn maps_objects(&self) -> bool {
        let memory = &self.base.memory;
        let ranges = memory.id_ranges;
        let [one, other] = self.threads.map(|thread| ranges.own(thread));
        let entry = |number: u32| {
            let known = memory.dynamic.get(number as usize);
            known.copied().unwrap_or(Entry::Hole)
        };
        let mut numbers = (0..).map(|n| [ranges.number(one, n), ranges.number(other, n)]);
        let mut numbers = numbers.by_ref().take_while(|numbers| {
            let mut numbers = numbers.iter();
            numbers.any(|&number| (number as usize) < memory.dynamic.len())
        });
        numbers.all(|[one, other]| self.maps_object(entry(one), entry(other)))
    }
}

/// What has to hold for two threads to be symmetric.
pub(super) enum Symmetric {
    /// Nothing more.
    Always,
    /// No other thread accesses this before this one moves, which waits for all of them to end:
    /// none is started, and objects of one thread alone stay so. Then what is known of accesses to
    /// these decides nothing.
    WhileWaiting(u32, Box<Footprint>),
}

impl Exchange<'_, '_> {
    /// The objects that get other names, in ascending order, with these.
    fn names(&self) -> Vec<(ObjectId, Option<ObjectId>)> {
        let numbers = 0..self.base.memory.dynamic.len() as u32;
        let names = numbers.map(|number| (number, self.number(number)));
        let names = names.filter(|(number, name)| number != name);
        names
            .map(|(number, name)| (ObjectId::dynamic(number), Some(ObjectId::dynamic(name))))
            .collect()
    }

    /// The one thread that can reach an object, if that was made at a known place.
    fn owner(&self, object: ObjectId) -> Option<u32> {
        let ObjectKind::Dynamic(number) = object.kind() else {
            return None;
        };
        let ranges = self.base.memory.id_ranges;
        let owner = ranges.owner(ranges.range_of(number), self.base.threads.len());
        self.place_shared(object)?;
        owner.map(|owner| owner as u32)
    }

    /// What says that objects that were made where this one was are accessed while several threads
    /// can reach them.
    fn place_shared(&self, object: ObjectId) -> Option<Place> {
        let touched = in_memory(&self.base.memory, Address::of(object), 1, true);
        touched.place.shared()
    }

    /// What threads access that start one, or that access objects of theirs that others can reach,
    /// made where one was made that a thread other than `creator` has alone.
    fn sharing(&self, creator: u32) -> Footprint {
        let mut footprint = Footprint::default();
        footprint.add_whole(Place::ThreadNumbers, true);
        let accessed = self.base.happens_before.accessed();
        let others = |object: &ObjectId| self.owner(*object).is_some_and(|it| it != creator);
        for place in accessed
            .filter(others)
            .filter_map(|object| self.place_shared(object))
        {
            footprint.add_whole(place, true);
        }
        footprint
    }
}

impl Stepper<'_> {
    /// Returns whether it makes no difference which of two threads of the base state moves, and on
    /// what condition; `None` if it does.
    pub(super) fn are_symmetric(&self, one: usize, other: usize) -> Option<Symmetric> {
        let base = &self.base;
        let kinds = [one, other].map(|thread| base.threads.identity(thread).kind);
        let ranges = base.memory.id_ranges;
        if kinds[0] != kinds[1]
            || !self.machine.system.symmetry.covers(kinds[0])
            || ranges.own(one) == ranges.own(other)
        {
            return None;
        }
        let threads = [one, other];
        let exchange = Exchange { base, threads };
        if !exchange.maps_thread() || !exchange.maps_objects() {
            return None;
        }
        let names = exchange.names();
        let history = &base.happens_before;
        let threads = threads.map(|thread| thread as u32);
        if history.is_symmetric_in(threads, &names, &|_| None) {
            return Some(Symmetric::Always);
        }
        let creator = kinds[0].creator;
        let waits = history.awaits_all_others(creator)
            && history.is_symmetric_in(threads, &names, &|object| exchange.owner(object));
        waits.then(|| Symmetric::WhileWaiting(creator, Box::new(exchange.sharing(creator))))
    }
}
