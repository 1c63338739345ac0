//! What was stored in atomics and can still be read, under memory models in which a load may read
//! an older store.
//!
//! A location is here only while some living thread may read an older message than the newest,
//! which memory holds. A holder has *seen* a message if whatever it orders cannot read an older one
//! (Kang and others, "A promising semantics for relaxed-memory concurrency", POPL 2017, call this
//! its view of the location).

use super::holder::{Holders, Knowing, decode_holders, encode_holders, holds, tell};
use super::{HappensBefore, Holder, Message, Place};
use crate::base::codec::{Reader, put};
use crate::state::frame::{object_of, put_word, read_word, rename_word};
use crate::value::Value;
use impasse_program::address::{Address, ObjectId};
use impasse_program::word::Word;

/// A store to an atomic.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Stored {
    /// What was stored; zero for the newest, which memory holds.
    value: Value,
    /// Who has seen it, and has not seen a newer one.
    seen_by: Holders,
    /// What it happens before, and no newer one does; only where *psc* is followed.
    known_by: Holders,
    /// Whether it is of a read-modify-write that read the message before.
    updates: bool,
    /// Whether it is a release store.
    releases: bool,
    /// Whether it is the newest, and has the value of the one before.
    repeats: bool,
}

/// The messages of an atomic that can still be read, in modification order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub(super) place: Place,
    /// Whether only read-modify-writes are taken to read it.
    is_unread: bool,
    /// Whether all who access it are taken to have seen the message behind the oldest one.
    is_outdated: bool,
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
    /// Whether it matters what it happens before.
    pub is_known: bool,
    /// Whether only read-modify-writes are taken to read the atomic.
    pub is_unread: bool,
}

impl Clone for Stored {
    fn clone(&self) -> Stored {
        let Stored {
            seen_by, known_by, ..
        } = self;
        Stored {
            seen_by: Holders::from_slice(seen_by),
            known_by: Holders::from_slice(known_by),
            ..*self
        }
    }
}

impl Location {
    /// The location of an atomic that had one message so far.
    fn new(place: Place, is_unread: bool) -> Location {
        let base = Stored {
            value: Value::default(),
            seen_by: Holders::new(),
            known_by: Holders::new(),
            updates: false,
            releases: false,
            repeats: false,
        };
        Location {
            place,
            is_unread,
            is_outdated: false,
            messages: vec![base],
        }
    }

    /// Returns the memory of the atomic.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Returns the position of the newest message.
    pub fn newest(&self) -> usize {
        self.messages.len() - 1
    }

    /// Returns the position of the newest message that a holder has seen.
    pub fn seen_by(&self, holder: Holder) -> usize {
        let has_seen = |stored: &Stored| holds(&stored.seen_by, holder);
        self.messages.iter().rposition(has_seen).unwrap_or(0)
    }

    /// Returns the position of the oldest message that a holder may read, and whether it is taken
    /// to have seen more than it has.
    pub fn oldest_for(&self, holder: Holder) -> (usize, bool) {
        match self.seen_by(holder) {
            0 if self.is_outdated => (1, true),
            seen => (seen, false),
        }
    }

    /// Returns the position of the newest message that happens before what a holder orders.
    pub(super) fn known_by(&self, holder: Holder) -> usize {
        let knows = |stored: &Stored| holds(&stored.known_by, holder);
        self.messages.iter().rposition(knows).unwrap_or(0)
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

    /// Returns whether only read-modify-writes are taken to read it: no load may.
    pub fn is_unread(&self) -> bool {
        self.is_unread
    }

    /// Returns whether a message is one of this atomic.
    pub(super) fn has(&self, message: Message) -> bool {
        self.place.is_of(message)
    }

    /// Returns whether nothing reads a message any more.
    pub(super) fn is_passed(&self, order: usize) -> bool {
        self.is_unread && self.is_updated(order)
    }

    /// Returns the positions of messages that nothing reads any more, if no load reads this.
    pub(super) fn unread(&self) -> impl Iterator<Item = usize> + '_ {
        let orders = 0..self.newest();
        orders.filter(|&order| self.is_passed(order))
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

    /// The sets of those that have seen a message, or know one.
    pub(super) fn holders(&self) -> impl Iterator<Item = &Holders> {
        let known = self.messages.iter().map(|stored| &stored.known_by);
        self.seen().chain(known)
    }

    /// The same, to change them.
    pub(super) fn holders_mut(&mut self) -> impl Iterator<Item = &mut Holders> {
        let messages = self.messages.iter_mut();
        messages.flat_map(|stored| [&mut stored.seen_by, &mut stored.known_by])
    }

    fn insert(&mut self, by: Holder, insertion: &Insertion) {
        let order = insertion.order as usize;
        let newest = order == self.messages.len();
        let repeats = !insertion.is_unread && insertion.value == insertion.newest;
        if newest {
            self.messages[order - 1].value = insertion.newest;
            self.messages[order - 1].repeats = false;
        } else if order == self.newest() {
            self.messages[order].repeats = repeats;
        }
        let stored = Stored {
            value: match newest {
                true => Value::default(),
                false => insertion.value,
            },
            seen_by: [by].into_iter().collect(),
            known_by: insertion.is_known.then_some(by).into_iter().collect(),
            updates: insertion.updates,
            releases: insertion.releases,
            repeats: newest && repeats,
        };
        self.messages.insert(order, stored);
    }

    /// Drops what no thread can read any more, given who knows what each of them knows, and the
    /// oldest position, counted from one, from which an access comes before what threads get to
    /// know. Returns how many messages that are.
    fn settle(&mut self, knowing: &Knowing, oldest_access: Option<u32>) -> usize {
        let oldest = |position: &dyn Fn(Holder) -> usize| {
            let newest = knowing.of_each().map(|knowing| {
                let positions = knowing.iter().map(|&holder| position(holder));
                positions.max().unwrap_or(0)
            });
            newest.min().unwrap_or(self.newest())
        };
        let seen = oldest(&|holder| self.seen_by(holder));
        let kept = oldest_access
            .map(|position| oldest(&|holder| self.known_by(holder)).max(position as usize - 1));
        let oldest = seen.min(kept.unwrap_or(seen));
        self.drop_before(oldest);
        oldest
    }

    /// Drops all messages before a position.
    fn drop_before(&mut self, oldest: usize) {
        self.is_outdated &= oldest == 0;
        self.messages.drain(..oldest);
        let base = &mut self.messages[0];
        (base.updates, base.releases, base.repeats) = (false, false, false);
        base.seen_by.clear();
        base.known_by.clear();
    }

    /// Returns whether something changes if all who access it are taken to have seen a message.
    pub(super) fn is_new(&self, seen: usize) -> bool {
        seen > 1 || seen == 1 && !self.is_outdated
    }

    /// From now on all who access it are taken to have seen a message. What was older comes to the
    /// same, and one of it is left, which holders may not have seen either.
    fn outdate(&mut self, seen: usize) {
        self.drop_before(seen - 1);
        self.is_outdated = true;
        self.messages[0].value = Value::default();
        self.messages[1].updates = false;
        self.messages[1].repeats = false;
    }

    /// Keeps of each holder only the newest message that it has seen, and that it knows.
    fn normalise(&mut self) {
        let place = self.place;
        // Who reads a message has seen all before it.
        let is_here = |holder: &Holder| matches!(holder, Holder::Message(m) if place.is_of(*m));
        self.keep_newest(|stored| &mut stored.seen_by, is_here);
        self.keep_newest(|stored| &mut stored.known_by, |_| false);
    }

    fn keep_newest(
        &mut self,
        holders_of: impl Fn(&mut Stored) -> &mut Holders,
        is_superfluous: impl Fn(&Holder) -> bool,
    ) {
        let mut newer = Holders::new();
        for stored in self.messages[1..].iter_mut().rev() {
            let holders = holders_of(stored);
            let is_thread = |holder: &&Holder| matches!(holder, Holder::Thread(_));
            let threads = newer.iter().chain(holders.iter()).filter(is_thread);
            let threads: Holders = threads.copied().collect();
            // A thread gets nothing new by its acquire fence.
            let is_known = |holder: &Holder| match *holder {
                Holder::AcquireFence(thread) => holds(&threads, Holder::Thread(thread)),
                _ => false,
            };
            holders.retain(|holder| {
                !holds(&newer, *holder) && !is_superfluous(holder) && !is_known(holder)
            });
            newer.extend_from_slice(holders);
        }
    }

    /// Returns the positions of messages that a read-modify-write has stored without changing the
    /// value, or where no one reads the value.
    pub(super) fn repetitions(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.messages.len()).filter(|&order| {
            self.messages[order].updates && (self.is_passed(order) || self.repeats(order))
        })
    }

    /// Returns whether a message says the same as the one before.
    pub(super) fn repeats(&self, order: usize) -> bool {
        let (before, stored) = (&self.messages[order - 1], &self.messages[order]);
        if order == 1 && self.is_outdated {
            return false;
        }
        let is_the_same = match order == self.newest() {
            true => stored.repeats,
            false => stored.value == before.value,
        };
        is_the_same && stored.releases == before.releases
    }

    /// Returns the positions of messages that are no read-modify-write's and say the same as the
    /// ones before.
    pub(super) fn stored_again(&self) -> impl Iterator<Item = usize> + '_ {
        let orders = 1..self.messages.len();
        orders.filter(|&order| !self.messages[order].updates && self.repeats(order))
    }

    /// Returns what has seen messages, and which ones.
    pub(super) fn views(&self) -> Vec<(Holder, usize)> {
        let messages = self.messages.iter().enumerate();
        let views = messages.flat_map(|(order, stored)| {
            let seen_by = stored.seen_by.iter();
            seen_by.map(move |&holder| (holder, order))
        });
        views.collect()
    }

    /// Returns whether who reads a message knows as much of this atomic as who reads the one
    /// before, if the two are taken for one.
    pub(super) fn tell_the_same(&self, order: usize) -> bool {
        let known = |order: usize| self.known_by(Holder::Message(self.place.message(order)));
        let merged = |position: usize| position - usize::from(position >= order);
        merged(known(order - 1)) == merged(known(order))
    }

    /// Takes a message and the one before for one.
    fn merge(&mut self, order: usize) {
        let is_newest = order == self.newest();
        let stored = self.messages.remove(order);
        if is_newest {
            let older = order.checked_sub(2).map(|older| self.messages[older].value);
            let before = &mut self.messages[order - 1];
            before.repeats = !self.is_unread && older == Some(before.value);
            before.value = Value::default();
        }
        let before = &mut self.messages[order - 1];
        if order > 1 {
            let seen = stored.seen_by.iter();
            seen.for_each(|&holder| tell(&mut before.seen_by, holder));
            let known = stored.known_by.iter();
            known.for_each(|&holder| tell(&mut before.known_by, holder));
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
    /// Returns whether the messages of an atomic move.
    pub(super) fn is_at(&self, place: &Place) -> bool {
        let (Moved::Behind(message) | Moved::Gone(message, _) | Moved::Merged(message)) = self;
        place.is_of(*message)
    }

    /// Returns the new position of a message there, or `None` if it is gone.
    pub(super) fn position(&self, order: u32) -> Option<u32> {
        match *self {
            Moved::Behind(inserted) => Some(order + u32::from(order >= inserted.order)),
            Moved::Gone(_, count) => order.checked_sub(count as u32),
            Moved::Merged(merged) => Some(order - u32::from(order >= merged.order)),
        }
    }

    /// Returns what a holder is from now on, or `None` if it is gone.
    pub(super) fn of(&self, holder: Holder) -> Option<Holder> {
        match holder {
            Holder::Message(message) if self.is_of(message) => {
                let order = self.position(message.order)?;
                Some(Holder::Message(Message { order, ..message }))
            }
            other => Some(other),
        }
    }

    fn is_of(&self, other: Message) -> bool {
        let (Moved::Behind(message) | Moved::Gone(message, _) | Moved::Merged(message)) = self;
        (message.object, message.offset) == (other.object, other.offset)
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

    /// Returns the location of an atomic that begins at an address.
    pub fn at_address(&self, address: Address) -> Option<&Location> {
        let mut locations = self.0.iter();
        locations.find(|location| location.place.address() == address)
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
        self.0.retain(|location| location.newest() > 0);
        Moved::Merged(message)
    }

    pub(super) fn insert(&mut self, by: Holder, insertion: &Insertion) -> Moved {
        let known = self.0.binary_search_by_key(&insertion.place, |l| l.place);
        let at = known.unwrap_or_else(|at| {
            self.0
                .insert(at, Location::new(insertion.place, insertion.is_unread));
            at
        });
        self.0[at].insert(by, insertion);
        Moved::Behind(insertion.place.message(insertion.order as usize))
    }

    /// Drops what no living thread can read any more.
    pub(super) fn settle(
        &mut self,
        knowing: &Knowing,
        oldest_access: impl Fn(&Place) -> Option<u32>,
    ) -> Vec<Moved> {
        let gone = |location: &mut Location| {
            let count = location.settle(knowing, oldest_access(&location.place));
            (count > 0).then(|| Moved::Gone(location.place.message(0), count))
        };
        let moved = self.0.iter_mut().filter_map(gone).collect();
        self.0.retain(|location| location.newest() > 0);
        moved
    }

    /// Drops all messages of an atomic before one.
    pub(super) fn drop_before(&mut self, oldest: Message) -> Moved {
        if let Some(location) = self.find(oldest) {
            location.drop_before(oldest.order as usize);
        }
        self.0.retain(|location| location.newest() > 0);
        Moved::Gone(Message { order: 0, ..oldest }, oldest.order as usize)
    }

    /// From now on all who access an atomic are taken to have seen a message. All before it are
    /// gone, and one is inserted that nothing reads.
    pub(super) fn outdate(&mut self, seen: Message) -> [Moved; 2] {
        if let Some(location) = self.find(seen) {
            location.outdate(seen.order as usize);
        }
        let oldest = Message { order: 0, ..seen };
        let gone = Moved::Gone(oldest, seen.order as usize);
        [gone, Moved::Behind(oldest)]
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
        for location in &self.0 {
            let Location {
                place,
                is_unread,
                is_outdated,
                messages,
            } = location;
            place.encode(out);
            out.push(u8::from(*is_unread) | u8::from(*is_outdated) << 1);
            put(out, messages.len() as u64);
            for stored in messages {
                let flags = [stored.updates, stored.releases, stored.repeats];
                let flags = flags.iter().rev();
                out.push(flags.fold(0, |all, &flag| all << 1 | u8::from(flag)));
                put_word(out, stored.value.low);
                put_word(out, stored.value.high);
                encode_holders(&stored.seen_by, out);
                encode_holders(&stored.known_by, out);
            }
        }
    }

    pub(super) fn decode(reader: &mut Reader<'_>) -> Locations {
        let locations = (0..reader.small()).map(|_| {
            let place = Place::decode(reader);
            let flags = reader.byte();
            let messages = (0..reader.small()).map(|_| {
                let flags = reader.byte();
                let value = Value {
                    low: read_word(reader),
                    high: read_word(reader),
                };
                Stored {
                    value,
                    seen_by: decode_holders(reader),
                    known_by: decode_holders(reader),
                    updates: flags & 1 != 0,
                    releases: flags & 2 != 0,
                    repeats: flags & 4 != 0,
                }
            });
            let messages = messages.collect();
            Location {
                place,
                is_unread: flags & 1 != 0,
                is_outdated: flags & 2 != 0,
                messages,
            }
        });
        Locations(locations.collect())
    }
}

impl HappensBefore {
    /// Returns what older messages of atomics hold, in order.
    pub fn words(&self) -> impl Iterator<Item = Word> + '_ {
        let messages = self.locations.0.iter().flat_map(|l| &l.messages);
        messages.flat_map(|stored| [stored.value.low, stored.value.high])
    }

    /// Returns the same, to change it without changing what it means.
    pub fn words_mut(&mut self) -> impl Iterator<Item = &mut Word> + '_ {
        let messages = self.locations.0.iter_mut().flat_map(|l| &mut l.messages);
        messages.flat_map(|stored| [&mut stored.value.low, &mut stored.value.high])
    }
}

/// Atomics of different sizes overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mixed;
