//! Which message an atomic access reads, and where a store enters the modification order.

use crate::base::fault::{Halt, Result, unsupported};
use crate::machine::Machine;
use crate::machine::names::SubobjectSelector;
use crate::machine::record::Action;
use crate::memory_model::Loaded;
use crate::state::frame::object_of;
use crate::state::guesses::MANY;
use crate::state::happens_before::{
    Acts, Holder, Insertion, Location, Locations, Message, Op, Order, Place, Stage,
};
use crate::state::memory::Spot;
use crate::state::undecided::{Access, Repetition};
use crate::state::weak::{Origin, place_of};
use crate::value::Value;
use impasse_program::address::Address;
use impasse_program::instruction::Scalar;
use smallvec::SmallVec;
use std::sync::atomic::Ordering::Relaxed;

/// As many messages of an atomic are a reason for the search to begin again, and then to drop what
/// no thread accesses any more.
const LONG: usize = 32;

/// Positions of messages.
pub(super) type Messages = SmallVec<[usize; 8]>;

/// A message that an access reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    /// Its position in the modification order.
    pub(super) order: usize,
    /// Whether another read-modify-write has read it.
    pub(super) is_updated: bool,
    /// Whether it is the newest one.
    pub(super) is_newest: bool,
    /// Whether it was chosen among several.
    pub(super) is_chosen: bool,
    /// Whether the thread becomes loose by it in any case.
    pub(super) loosens: bool,
}

impl Machine<'_> {
    fn thread_as_holder(&self) -> Holder {
        Holder::Thread(self.running as u32)
    }

    /// Returns the atomics of which older messages can be read.
    pub(super) fn messages(&self) -> &Locations {
        self.history.accesses().locations()
    }

    /// Returns the location of an atomic, or `None` if only its newest message can be read. Fails
    /// where atomics of different sizes overlap.
    fn location(&self, place: &Place) -> Result<Option<&Location>> {
        self.messages().at(place).or_else(|_| {
            unsupported("atomic accesses of different sizes to the same memory, in C11")
        })
    }

    /// Returns a message of an atomic, by its position.
    pub(super) fn message_at(&self, place: &Place, order: usize) -> Read {
        let location = self.messages().at(place).ok().flatten();
        Read {
            order,
            is_updated: location.is_some_and(|l| l.is_updated(order)),
            is_newest: location.is_none_or(|l| l.newest() == order),
            is_chosen: false,
            loosens: false,
        }
    }

    /// Returns whether *psc* is followed in what the present instruction does. Otherwise, its
    /// sequentially consistent actions are ordered as they are executed: those of the libraries, as
    /// if each were done under a lock, and all in a first search.
    fn follows_psc(&self) -> bool {
        self.system.follows_psc && self.at.users
    }

    /// Returns whether a sequentially consistent access reads the newest message and stores behind
    /// all others.
    pub(super) fn is_newest_alone(&self, is_total: bool) -> bool {
        is_total && !self.follows_psc()
    }

    /// An access of an atomic by the running thread that reads a message and stores nothing.
    fn reading(&self, place: &Place, order: usize, is_total: bool) -> Acts {
        Acts {
            thread: self.running as u32,
            place: *place,
            order: order as u32,
            reads: true,
            stores: false,
            is_total: is_total && self.follows_psc(),
        }
    }

    /// One that stores directly behind a message, and does not read it.
    fn storing(&self, place: &Place, order: usize, is_total: bool) -> Acts {
        Acts {
            reads: false,
            stores: true,
            ..self.reading(place, order, is_total)
        }
    }

    fn permits(&self, acts: &Acts) -> bool {
        !self.history.accesses().forbids(acts)
    }

    /// The running thread accesses an atomic. Fails as infeasible if *psc* forbids it.
    fn access_in_psc(&mut self, acts: Acts) -> Result<()> {
        if !self.permits(&acts) {
            return Err(Box::new(Halt::Infeasible));
        }
        if self.system.follows_psc {
            self.stage(Stage::Reach, Op::Act(acts));
        }
        Ok(())
    }

    /// The running thread reads the newest message of an atomic, and acquires nothing.
    pub(super) fn read_newest_in_psc(&mut self, place: &Place) -> Result<()> {
        let newest = self.location(place)?.map_or(0, Location::newest);
        self.access_in_psc(self.reading(place, newest, false))
    }

    /// The running thread sees what the threads had seen that executed a sequentially consistent
    /// fence before, where such fences are ordered as they are executed.
    pub(super) fn see_total_order(&mut self) {
        let (thread, total) = (self.thread_as_holder(), Holder::TotalOrder);
        self.stage(Stage::Release, Op::SpreadSeen(total, thread));
        self.stage(Stage::Release, Op::SpreadSeen(thread, total));
        self.stage(Stage::Settle, Op::Settle);
    }

    /// Returns which messages of an atomic the running thread can read, the newest one first, or
    /// the `newest_alone`. `wanted` says whether one can be read that a read-modify-write has read,
    /// or that none has.
    pub(super) fn readable(
        &mut self,
        place: &Place,
        newest_alone: bool,
        is_total: bool,
        wanted: impl Fn(bool) -> bool,
    ) -> Result<Messages> {
        let Some(location) = self.location(place)? else {
            return Ok([0].into_iter().collect());
        };
        let newest = location.newest();
        let (seen, is_outdated) = location.oldest_for(self.thread_as_holder());
        if is_outdated && !newest_alone {
            self.system.guesses.note_outdated();
        }
        // What is dropped of an unread atomic, a load cannot read; the next search does that.
        let loads_old = seen < newest && wanted(true) && !newest_alone;
        let reads_dropped = location.is_unread() && loads_old;
        if loads_old && !self.system.follows_psc {
            let place = place_of(&self.memory, place.address());
            self.system.guesses.note_loaded(place);
        }
        if reads_dropped {
            self.system.undecided.note_dropped();
        }
        let oldest = match newest_alone || reads_dropped {
            true => newest,
            false => seen,
        };
        let readable = (oldest..=newest).rev();
        let readable = readable.filter(|&order| {
            wanted(location.is_updated(order))
                && self.permits(&self.reading(place, order, is_total))
        });
        Ok(readable.collect())
    }

    /// Chooses which one of some messages of an atomic the running thread reads.
    pub(super) fn choose_message(&mut self, place: &Place, readable: &Messages) -> Result<Read> {
        let chosen = self.choose_among(readable)?;
        Ok(self.message_chosen(place, readable, chosen))
    }

    /// Chooses the index of one of some messages.
    pub(super) fn choose_among(&mut self, readable: &Messages) -> Result<usize> {
        let chosen = self.choose(readable.len() as u32, false)?;
        Ok(chosen as usize)
    }

    /// Returns the message at an index of those among which it was chosen.
    pub(super) fn message_chosen(&self, place: &Place, readable: &Messages, chosen: usize) -> Read {
        Read {
            is_chosen: readable.len() > 1,
            ..self.message_at(place, readable[chosen])
        }
    }

    /// Chooses where a store of the running thread enters the modification order of an atomic.
    pub(super) fn choose_position(&mut self, place: &Place, order: Order) -> Result<usize> {
        let Some(location) = self.location(place)? else {
            return Ok(1);
        };
        let end = location.newest() + 1;
        if self.is_newest_alone(order.is_total) || self.is_guard(place.address()) {
            return Ok(end);
        }
        let (seen, is_outdated) = location.oldest_for(self.thread_as_holder());
        if is_outdated {
            self.system.guesses.note_outdated();
        }
        let behind = (seen + 1..=end).rev();
        let positions = behind.filter(|&at| {
            let acts = self.storing(place, at - 1, order.is_total);
            !location.is_updated(at - 1) && self.permits(&acts)
        });
        let positions: SmallVec<[usize; 8]> = positions.collect();
        let chosen = self.choose(positions.len() as u32, false)?;
        if chosen > 0 {
            self.choices.provenance().chose_old();
        }
        Ok(positions[chosen as usize])
    }

    /// Notes a store behind which there are newer ones, for the trace.
    pub(crate) fn note_before(
        &mut self,
        scalar: Scalar,
        (spot, place): (Spot, &Place),
        value: Value,
    ) {
        if self.observer.notes_events() {
            let newest = self.load_checked(scalar, spot);
            let (value, newest) = (self.show(scalar, value), self.show(scalar, newest));
            self.note_atomic(place, |variable| Action::WriteBefore {
                variable,
                value,
                newest,
            });
        }
    }

    /// Notes a load of an older message, for the trace.
    pub(super) fn note_old(
        &mut self,
        scalar: Scalar,
        address: Address,
        value: Value,
        newest: Value,
    ) {
        let (value, newest) = (self.show(scalar, value), self.show(scalar, newest));
        let place = Place::at(address, scalar.bytes().into());
        self.note_atomic(&place, |variable| Action::ReadOld {
            variable,
            value,
            newest,
        });
    }

    fn note_atomic(&mut self, place: &Place, action: impl FnOnce(String) -> Action) {
        let (address, bytes) = (place.address(), place.bytes.into());
        let (variable, library) = self.variable(address, bytes);
        let identity = self.identity_of(address, bytes);
        self.note_about(action(variable), library, identity);
    }

    /// Returns what a message says.
    pub(super) fn load_message(
        &mut self,
        scalar: Scalar,
        spot: Spot,
        place: &Place,
        message: Read,
    ) -> Value {
        let location = self.messages().at(place).ok().flatten();
        match location.and_then(|location| location.value(message.order)) {
            Some(value) => value,
            None => self.load_checked(scalar, spot),
        }
    }

    /// The running thread reads a message. Fails as infeasible if *psc* forbids it.
    pub(super) fn read_message(
        &mut self,
        place: &Place,
        message: Read,
        order: Order,
    ) -> Result<()> {
        self.access_in_psc(self.reading(place, message.order, order.is_total))?;
        self.note_reading(place, order);
        self.acquire_message(place, message, order)
    }

    /// The running thread gets what a message hands over. Fails if that leaves a reads-from edge
    /// that does not synchronise, and states lack the accesses that could race then.
    fn acquire_message(&mut self, place: &Place, message: Read, order: Order) -> Result<()> {
        let me = self.running as u32;
        let location = self.messages().at(place).ok().flatten();
        let news = location.filter(|l| l.seen_by(Holder::Thread(me)) < message.order);
        let has_news = news.is_some();
        let counts = self.counts_reference(order);
        let synchronises =
            news.is_none_or(|l| counts || order.acquires && l.releases(message.order));
        if counts && has_news {
            self.system.reference_counted.store(true, Relaxed);
        }
        let read = place.message(message.order);
        self.stage(Stage::Acquire, in_atomic(Op::read(me, read, order), place));
        if has_news {
            self.stage(Stage::Acquire, Op::See(me, read));
            self.stage(Stage::Settle, Op::Settle);
        }
        let is_blurred = self.history.accesses().is_blurred(read);
        if !synchronises || message.loosens || is_blurred {
            self.check_histories(place)?;
            if !self.system.follows_psc {
                self.stage(Stage::Acquire, Op::Loosen(me));
            }
        }
        Ok(())
    }

    /// Fails if states lack the accesses that can race after a read that does not synchronise.
    fn check_histories(&self, place: &Place) -> Result<()> {
        if self.history.has_accesses() {
            return Ok(());
        }
        self.system.weak_read.store(true, Relaxed);
        let bytes = SubobjectSelector::Access(place.bytes.into());
        let name = self.name_subobject(place.address(), bytes).text;
        unsupported(format!(
            "a read of {name} that does not synchronise, in a search for adjacent races"
        ))
    }

    /// Fails as [`Machine::check_histories`] does if the running thread has not seen the newest
    /// message of an atomic, which it sees now without synchronising.
    pub(crate) fn check_newest_is_seen(&self, address: Address) -> Result<()> {
        let me = self.thread_as_holder();
        let location = self.messages().at_address(address);
        let unseen = location.filter(|location| location.seen_by(me) < location.newest());
        unseen.map_or(Ok(()), |location| self.check_histories(&location.place()))
    }

    /// The running thread stores a message at a position of the modification order.
    pub(super) fn insert_message(
        &mut self,
        scalar: Scalar,
        (spot, place): (Spot, &Place),
        at: usize,
        value: Value,
        order: Order,
    ) -> Result<()> {
        self.access_in_psc(self.storing(place, at - 1, order.is_total))?;
        let message = self.stage_insertion(scalar, (spot, place), at, value, order, false)?;
        let me = self.running as u32;
        for op in Op::write(me, message, order, false) {
            self.stage(Stage::Release, in_atomic(op, place));
        }
        self.finish_insertion(place, order);
        let is_newest = self.location(place)?.is_none_or(|l| l.newest() + 1 == at);
        let address = place.address();
        match is_newest {
            true => self.write_noted(scalar, address, spot, value),
            false => {
                self.note_before(scalar, (spot, place), value);
                Ok(())
            }
        }
    }

    /// The running thread stores a message directly behind the one that it has loaded, which no
    /// other read-modify-write has read. Fails as infeasible if *psc* forbids it.
    pub(super) fn update_message(
        &mut self,
        scalar: Scalar,
        (loaded, message): (&Loaded, Read),
        order: Order,
        new: Value,
    ) -> Result<()> {
        let place = Place::at(loaded.address, scalar.bytes().into());
        self.access_in_psc(Acts {
            stores: true,
            ..self.reading(&place, loaded.message, order.is_total)
        })?;
        self.note_reading(&place, order);
        self.acquire_message(&place, message, order)?;
        let at = loaded.message + 1;
        let target = (loaded.spot, &place);
        let written = self.stage_insertion(scalar, target, at, new, order, true)?;
        let (from, to) = (place.message(loaded.message), Holder::Message(written));
        self.stage(Stage::Release, Op::Spread(Holder::Message(from), to));
        let me = self.running as u32;
        for op in Op::write(me, written, order, true) {
            self.stage(Stage::Release, in_atomic(op, &place));
        }
        self.finish_insertion(&place, order);
        if message.is_newest {
            self.store_checked(scalar, loaded.spot, new);
        }
        Ok(())
    }

    /// Returns the message that is stored. Fails if too many can be read.
    fn stage_insertion(
        &mut self,
        scalar: Scalar,
        (spot, place): (Spot, &Place),
        at: usize,
        value: Value,
        order: Order,
        updates: bool,
    ) -> Result<Message> {
        let before = self.message_at(place, at - 1);
        let changes = !updates || self.load_message(scalar, spot, place, before) != value;
        if !changes || self.system.futures.drops_unused() {
            self.note_repetition(place, order);
        }
        self.check_history(place)?;
        for word in [value.low, value.high] {
            if let Some(object) = object_of(word) {
                self.memory.escape(object);
                self.memory.reshaped = true;
            }
        }
        let me = self.running as u32;
        let releases = match updates && self.counts_reference(order) {
            true => self.location(place)?.is_none_or(|l| l.releases(at - 1)),
            false => order.releases && self.is_release_store(updates, changes),
        };
        let insertion = Insertion {
            place: *place,
            order: at as u32,
            value,
            newest: self.load_checked(scalar, spot),
            updates,
            releases,
            is_known: self.system.follows_psc,
            is_unread: self.is_unread(place),
        };
        self.stage(Stage::Release, Op::Insert(me, insertion));
        Ok(place.message(at))
    }

    /// Returns whether whoever acquires a store with release order comes, by happens-before, after
    /// all that precedes the store by sb and rf. Where histories lack accesses, a read that does
    /// not synchronise ends the search; there, what repeats a value counts as no release store, so
    /// that it can be taken for the store before.
    fn is_release_store(&self, updates: bool, changes: bool) -> bool {
        match self.history.has_accesses() {
            true => !updates && !self.history.accesses().is_loose(self.running as u32),
            false => changes,
        }
    }

    /// Returns whether only read-modify-writes are taken to read an atomic.
    fn is_unread(&self, place: &Place) -> bool {
        let system = self.system;
        system.unread.contains(&self.memory, place.address())
            || !system.follows_psc && { &system.guesses }
                .contains(|| place_of(&self.memory, place.address()))
    }

    /// Fails if as many messages of an atomic can be read as the limit allows.
    fn check_history(&self, place: &Place) -> Result<()> {
        let limit = self.options.max_history;
        if let Some(location) = self.location(place)?
            && location.newest() >= MANY
            && !self.system.follows_psc
            && (0..location.newest())
                .filter(|&n| location.is_updated(n))
                .count()
                >= MANY
        {
            let place = place_of(&self.memory, place.address());
            self.system.guesses.note_updated(place);
        }
        let messages = self.location(place)?.map_or(0, |l| l.newest() + 1);
        if messages >= limit.min(LONG) {
            self.system.futures.note_long_history();
        }
        match messages >= limit {
            true => {
                let bytes = SubobjectSelector::Access(place.bytes.into());
                let name = self.name_subobject(place.address(), bytes).text;
                unsupported(format!(
                    "more than {limit} stores to {name} that some thread may still read \
                     (--max-history)"
                ))
            }
            false => Ok(()),
        }
    }

    /// What was stored can be read, and what is older perhaps not any more.
    fn finish_insertion(&mut self, place: &Place, order: Order) {
        if self.is_newest_alone(order.is_total) || self.is_guard(place.address()) {
            // Of such stores none can be overtaken.
            self.stage(Stage::Release, Op::KeepNewest(Some(*place)));
        }
        self.stage(Stage::Settle, Op::Settle);
    }

    /// Notes whether an access of an atomic is sequentially consistent: if an atomic has accesses
    /// of both kinds, they need not be ordered as they are executed.
    pub(super) fn note_order(&mut self, address: Address, is_total: bool) {
        if self.system.follows_psc {
            return;
        }
        let origin = Origin::of(&self.memory, address.object);
        let access = Access {
            place: (origin, address.offset),
            thread: self.running as u32,
            is_total,
        };
        self.history.note_order(&self.system.undecided, access);
        if is_total {
            self.note_total();
        }
    }

    /// Notes that the running thread reads an atomic, where states lack the accesses that could
    /// race.
    fn note_reading(&mut self, place: &Place, order: Order) {
        self.note_use_of(place, false, order.acquires);
    }

    /// Notes that it stores what may be taken for the store before.
    fn note_repetition(&mut self, place: &Place, order: Order) {
        self.note_use_of(place, true, order.releases);
    }

    fn note_use_of(&mut self, place: &Place, repeats: bool, synchronises: bool) {
        if self.history.has_accesses() {
            return;
        }
        let origin = Origin::of(&self.memory, place.object);
        let repetition = Repetition {
            place: (origin, place.offset.into()),
            thread: self.running as u32,
            repeats,
            synchronises,
        };
        self.history
            .note_repetition(&self.system.undecided, repetition);
    }

    /// Notes that the running thread does something sequentially consistent. The libraries' own
    /// actions of this kind count as those of a lock, in the order in which they are executed.
    pub(super) fn note_total(&mut self) {
        if self.at.users {
            self.note_total_of_program();
        }
    }

    /// The same for an action of the program that the library executes for it.
    pub(super) fn note_total_of_program(&mut self) {
        let me = self.running as u32;
        if self.history.accesses().is_loose(me) {
            self.system.undecided.note_loose();
        }
        match self.history.has_accesses() {
            true => self.stage(Stage::Release, Op::Total(me)),
            false => self.system.undecided.note_total(me),
        }
    }
}

/// An action that an access of an atomic consists of.
fn in_atomic(op: Op, place: &Place) -> Op {
    match op {
        Op::Spread(from, to) => Op::Hand(from, to, *place),
        other => other,
    }
}
