//! What was stored in atomics and can still be read, under memory models in which a load may read
//! an older store.
//!
//! A location is here only while some living thread may read an older message than the newest,
//! which memory holds. A holder has *seen* a message if whatever it orders cannot read an older one
//! (Kang and others, "A promising semantics for relaxed-memory concurrency", POPL 2017, call this
//! its view of the location).

use super::holder::{Holders, Knowing, decode_holders, encode_holders, tell};
use super::{Holder, Message};
use crate::base::codec::{Reader, put};
use crate::state::frame::{object_of, put_word, read_word, rename_word};
use crate::value::Value;
use impasse_program::address::{Address, ObjectId};

/// The memory of an atomic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The object that it lies in.
    pub object: ObjectId,
    /// The offset in it.
    pub offset: u32,
    /// How many bytes it has.
    pub bytes: u32,
}

impl Place {
    /// Returns the memory of an atomic of so many bytes at an address.
    pub fn at(address: Address, bytes: u64) -> Place {
        Place {
            object: address.object,
            offset: address.offset as u32,
            bytes: bytes as u32,
        }
    }

    fn overlaps(&self, other: &Place) -> bool {
        self.object == other.object
            && self.offset < other.offset + other.bytes
            && other.offset < self.offset + self.bytes
    }

    /// Returns whether a message is one there.
    fn is_of(&self, message: Message) -> bool {
        (self.object, self.offset) == (message.object, message.offset)
    }

    /// Returns a message there, by its position in the modification order.
    pub fn message(&self, order: usize) -> Message {
        Message {
            object: self.object,
            offset: self.offset,
            order: order as u32,
        }
    }
}

/// A store to an atomic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stored {
    /// What was stored; zero for the newest, which memory holds.
    value: Value,
    /// Who has seen it, and has not seen a newer one.
    seen_by: Holders,
    /// Whether it is of a read-modify-write that read the message before.
    updates: bool,
    /// Whether it is a release store.
    releases: bool,
}

/// The messages of an atomic that can still be read, in modification order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub(super) place: Place,
    messages: Vec<Stored>,
}

/// A store that enters the modification order of an atomic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Insertion {
    /// Where it is stored.
    pub place: Place,
    /// Its position in the modification order: that of the first message behind it, which moves.
    pub order: u32,
    /// What is stored.
    pub value: Value,
    /// What memory holds before, the newest value.
    pub newest: Value,
    /// Whether a read-modify-write stores it, which read the message before.
    pub updates: bool,
    /// Whether it is a release store.
    pub releases: bool,
}

impl Location {
    /// The location of an atomic that had one message so far.
    fn new(place: Place) -> Location {
        let base = Stored {
            value: Value::default(),
            seen_by: Holders::new(),
            updates: false,
            releases: false,
        };
        Location {
            place,
            messages: vec![base],
        }
    }

    /// Returns the position of the newest message.
    pub fn newest(&self) -> usize {
        self.messages.len() - 1
    }

    /// Returns the position of the newest message that a holder has seen.
    pub fn seen_by(&self, holder: Holder) -> usize {
        let has_seen = |stored: &Stored| stored.seen_by.binary_search(&holder).is_ok();
        self.messages.iter().rposition(has_seen).unwrap_or(0)
    }

    /// Returns what was stored, or `None` for the newest message, which memory holds.
    pub fn value(&self, order: usize) -> Option<Value> {
        (order < self.newest()).then(|| self.messages[order].value)
    }

    /// Returns whether a read-modify-write has read a message: no other one can, and no store comes
    /// between the two.
    pub fn is_updated(&self, order: usize) -> bool {
        let next = self.messages.get(order + 1);
        next.is_some_and(|stored| stored.updates)
    }

    /// Returns whether a message is a release store.
    pub fn releases(&self, order: usize) -> bool {
        self.messages[order].releases
    }

    /// A thread has seen a message.
    pub(super) fn see(&mut self, holder: Holder, order: u32) {
        if let Some(stored) = self.messages.get_mut(order as usize) {
            tell(&mut stored.seen_by, holder);
        }
    }

    /// The sets of those that have seen a message.
    pub(super) fn seen(&self) -> impl Iterator<Item = &Holders> {
        self.messages.iter().map(|stored| &stored.seen_by)
    }

    pub(super) fn holders(&mut self) -> impl Iterator<Item = &mut Holders> {
        self.messages.iter_mut().map(|stored| &mut stored.seen_by)
    }

    fn insert(&mut self, by: Holder, insertion: &Insertion) {
        let order = insertion.order as usize;
        let newest = order == self.messages.len();
        if newest {
            self.messages[order - 1].value = insertion.newest;
        }
        let stored = Stored {
            value: match newest {
                true => Value::default(),
                false => insertion.value,
            },
            seen_by: [by].into_iter().collect(),
            updates: insertion.updates,
            releases: insertion.releases,
        };
        self.messages.insert(order, stored);
    }

    /// Drops what no thread can read any more, given who knows what each of them knows. Returns how
    /// many messages that are.
    fn settle(&mut self, knowing: &[Knowing]) -> usize {
        let seen = |knowing: &Knowing| {
            let seen = knowing.iter().map(|&holder| self.seen_by(holder));
            seen.max().unwrap_or(0)
        };
        let oldest = knowing.iter().map(seen).min().unwrap_or(self.newest());
        self.messages.drain(..oldest);
        let base = &mut self.messages[0];
        (base.updates, base.releases) = (false, false);
        base.seen_by.clear();
        oldest
    }

    /// Keeps of each holder only the newest message that it has seen.
    fn normalise(&mut self) {
        for order in 1..self.messages.len() {
            let mut seen_by = std::mem::take(&mut self.messages[order].seen_by);
            let newer = |holder: Holder| {
                let mut newer = self.messages[order + 1..].iter();
                newer.any(|stored| stored.seen_by.binary_search(&holder).is_ok())
            };
            let thread_has_seen = |thread: u32| self.seen_by(Holder::Thread(thread)) > order;
            let own = seen_by.clone();
            let place = self.place;
            seen_by.retain(|holder| {
                // A thread gets nothing new by its acquire fence, and who reads a message has seen
                // all before it.
                let by_thread = match *holder {
                    Holder::Message(message) => place.is_of(message),
                    Holder::AcquireFence(thread) => {
                        thread_has_seen(thread)
                            || own.binary_search(&Holder::Thread(thread)).is_ok()
                    }
                    _ => false,
                };
                !by_thread && !newer(*holder)
            });
            self.messages[order].seen_by = seen_by;
        }
    }

    /// Returns the positions of messages that a read-modify-write has stored without changing the
    /// value, the newest excepted.
    pub(super) fn repetitions(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.newest()).filter(|&order| {
            let (before, stored) = (&self.messages[order - 1], &self.messages[order]);
            stored.updates && (stored.value, stored.releases) == (before.value, before.releases)
        })
    }

    /// Takes a message and the one before for one.
    fn merge(&mut self, order: usize) {
        let stored = self.messages.remove(order);
        let before = &mut self.messages[order - 1].seen_by;
        if order > 1 {
            stored
                .seen_by
                .iter()
                .for_each(|&holder| tell(before, holder));
        }
    }

    fn rename(&mut self, new_name: &dyn Fn(ObjectId) -> Option<ObjectId>) {
        for stored in &mut self.messages {
            rename_word(&mut stored.value.low, new_name);
            rename_word(&mut stored.value.high, new_name);
        }
    }
}

/// All locations with more than one message, in ascending order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Locations(pub(super) Vec<Location>);

/// How the positions of messages change.
pub(super) enum Moved {
    /// One was inserted at this position.
    Behind(Message),
    /// So many are gone, the oldest ones, of the place of the message.
    Gone(Message, usize),
    /// The one at this position is now one with the one before.
    Merged(Message),
}

impl Moved {
    /// Returns what a holder is from now on, or `None` if it is gone.
    pub(super) fn of(&self, holder: Holder) -> Option<Holder> {
        let Holder::Message(message) = holder else {
            return Some(holder);
        };
        let (Moved::Behind(place) | Moved::Gone(place, _) | Moved::Merged(place)) = self;
        if (message.object, message.offset) != (place.object, place.offset) {
            return Some(holder);
        }
        let order = match *self {
            Moved::Behind(inserted) => message.order + u32::from(message.order >= inserted.order),
            Moved::Gone(_, count) => message.order.checked_sub(count as u32)?,
            Moved::Merged(merged) => message.order - u32::from(message.order >= merged.order),
        };
        Some(Holder::Message(Message { order, ..message }))
    }
}

impl Locations {
    /// Returns whether nothing but the newest messages can be read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the location of an atomic, or `None` if only its newest message can be read. Fails
    /// if atomics of other sizes overlap with it.
    pub fn at(&self, place: &Place) -> Result<Option<&Location>, Mixed> {
        match self
            .0
            .iter()
            .find(|location| location.place.overlaps(place))
        {
            Some(location) if location.place != *place => Err(Mixed),
            found => Ok(found),
        }
    }

    /// Returns the objects made while running that older messages name, in order.
    pub fn named(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let messages = self.0.iter().flat_map(|location| &location.messages);
        let words = messages.flat_map(|stored| [stored.value.low, stored.value.high]);
        words.filter_map(object_of)
    }

    pub(super) fn find(&mut self, message: Message) -> Option<&mut Location> {
        let mut locations = self.0.iter_mut();
        locations.find(|location| location.place.is_of(message))
    }

    /// Takes a message and the one before for one.
    pub(super) fn merge(&mut self, message: Message) -> Moved {
        if let Some(location) = self.find(message) {
            location.merge(message.order as usize);
        }
        Moved::Merged(message)
    }

    pub(super) fn insert(&mut self, by: Holder, insertion: &Insertion) -> Moved {
        let known = self.0.binary_search_by_key(&insertion.place, |l| l.place);
        let at = known.unwrap_or_else(|at| {
            self.0.insert(at, Location::new(insertion.place));
            at
        });
        self.0[at].insert(by, insertion);
        Moved::Behind(insertion.place.message(insertion.order as usize))
    }

    /// Drops what no living thread can read any more.
    pub(super) fn settle(&mut self, knowing: &[Knowing]) -> Vec<Moved> {
        let gone = |location: &mut Location| {
            let count = location.settle(knowing);
            (count > 0).then(|| Moved::Gone(location.place.message(0), count))
        };
        let moved = self.0.iter_mut().filter_map(gone).collect();
        self.0.retain(|location| location.newest() > 0);
        moved
    }

    /// Drops all but the newest messages of the places for which `is_it` holds.
    pub(super) fn keep_newest(&mut self, is_it: impl Fn(&Place) -> bool) -> Vec<Moved> {
        let mut moved = Vec::new();
        self.0.retain(|location| {
            let drops = is_it(&location.place);
            if drops {
                let gone = Moved::Gone(location.place.message(0), location.newest());
                moved.push(gone);
            }
            !drops
        });
        moved
    }

    /// Drops the locations that overlap with these bytes.
    pub(super) fn forget(&mut self, bytes: &Place) {
        self.0.retain(|location| !location.place.overlaps(bytes));
    }

    pub(super) fn forget_object(&mut self, object: ObjectId) {
        self.0.retain(|location| location.place.object != object);
    }

    pub(super) fn normalise(&mut self) {
        self.0.iter_mut().for_each(Location::normalise);
    }

    pub(super) fn rename(&mut self, new_name: &dyn Fn(ObjectId) -> Option<ObjectId>) {
        self.0.retain_mut(|location| {
            location.rename(new_name);
            match new_name(location.place.object) {
                Some(object) => {
                    location.place.object = object;
                    true
                }
                None => false,
            }
        });
        self.0.sort_unstable_by_key(|location| location.place);
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.0.len() as u64);
        for Location { place, messages } in &self.0 {
            put(out, place.object.0 as u64);
            put(out, place.offset as u64);
            put(out, place.bytes as u64);
            put(out, messages.len() as u64);
            for stored in messages {
                out.push(u8::from(stored.updates) | u8::from(stored.releases) << 1);
                put_word(out, stored.value.low);
                put_word(out, stored.value.high);
                encode_holders(&stored.seen_by, out);
            }
        }
    }

    pub(super) fn decode(reader: &mut Reader<'_>) -> Locations {
        let locations = (0..reader.small()).map(|_| {
            let place = Place {
                object: ObjectId(reader.small()),
                offset: reader.small(),
                bytes: reader.small(),
            };
            let messages = (0..reader.small()).map(|_| {
                let flags = reader.byte();
                let value = Value {
                    low: read_word(reader),
                    high: read_word(reader),
                };
                Stored {
                    value,
                    seen_by: decode_holders(reader),
                    updates: flags & 1 != 0,
                    releases: flags & 2 != 0,
                }
            });
            let messages = messages.collect();
            Location { place, messages }
        });
        Locations(locations.collect())
    }
}

/// Atomics of different sizes overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mixed;
