//! Memory models: what threads see of each other's stores, and when.
//!
//! Under *sequential consistency* a store is in memory at once. Under *x86-TSO* each thread has a
//! first-in-first-out store buffer (`crate::state::store_buffer`).
//!
//! *Claim.* Choosing at a flush request which stores have reached memory reaches the same memories,
//! registers and errors as flushing at any time, which `tso-flusher` does.
//!
//! *Conditions.*
//! - Every load of shared memory, and every operation that drains the buffer, goes through this
//!   module before its first effect. `builtin/drain.rs` lists the calls that drain.
//! - A store to an object that no other thread reaches bypasses the buffer, and so does a plain
//!   store where races are reported. An object is shared as soon as its address enters a buffer on
//!   the way to shared memory.
//! - A section must be able to end from each drained state; `machine::choice_provenance` says which
//!   states must be drained.
//!
//! The argument is in `docs/internals/tso.md`.

mod order;

/// Where an entry writes, and how many bytes.
fn place_of(entry: &Entry) -> (Address, u64) {
    let bytes = entry.bytes();
    let address = Address {
        object: entry.object,
        offset: bytes.range.start as i64,
    };
    (address, bytes.range.len() as u64)
}

#[cfg(test)]
mod tests;

use crate::base::fault::{Awaited, ErrorKind, Halt, Result, blocked, error};
use crate::base::options::MemoryModel;
use crate::machine::flush_request::Before;
use crate::machine::record::Action;
use crate::machine::route::Route;
use crate::machine::{Machine, cut_value};
use crate::state::happens_before::Order;
use crate::state::memory::object::{Class, Flags};
use crate::state::memory::{Access, Memory, Spot};
use crate::state::read_set::ReadSetEntry;
use crate::state::store_buffer::{self, Buffer, Bytes, Entry, Piece};
use crate::value::Value;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{Ordering, Scalar};
use impasse_program::word::Word;
pub use order::{DrainOrder, full_drain_orders};
use order::{Requested, drain_orders};
use smallvec::SmallVec;

impl<'s> Machine<'s> {
    /// Whether stores can be delayed at all.
    #[inline]
    pub fn may_delay(&self) -> bool {
        self.options.memory_model != MemoryModel::SequentialConsistency
    }

    /// Whether stores can be delayed from here on.
    pub fn delays(&self) -> bool {
        self.options.memory_model != MemoryModel::SequentialConsistency && !self.drained
    }

    fn buffer(&self) -> &Buffer {
        &self.threads[self.running].buffer
    }

    /// Whether any store is delayed. That none is depends on the state before the step only in
    /// whether any was of another thread; where one is, it is a matter of all threads.
    pub fn any_delayed(&self) -> bool {
        let running = self.running;
        self.memory
            .read_set
            .note(ReadSetEntry::DelayedBesides(running as u32));
        let own = !self.threads[running].buffer.is_empty();
        (own || self.threads.any_delayed_besides(running))
            && self.threads.iter().any(|t| !t.buffer.is_empty())
    }

    /// Whether the present instruction has emptied its buffer already: acting again is the same
    /// action.
    pub fn has_emptied_its_buffer(&self) -> bool {
        self.flush_request.emptied == Some(self.executed)
    }

    /// Whether an access to a shared object is a visible action. With flushers, without reduction,
    /// or where a signal may come, each is.
    pub fn route_is_visible(&self, route: Route) -> bool {
        route != Route::Delayed
            || !self.options.reduces()
            || self.interruptible
            || self.options.memory_model != MemoryModel::Tso
    }

    /// Settles what the buffers have to do with an access to shared memory: who races with it, and
    /// what has reached memory before it.
    pub fn meet_buffers(
        &mut self,
        route: Route,
        address: Address,
        bytes: u64,
        access: Access,
        atomic: bool,
    ) -> Result<()> {
        let inside =
            address.offset >= 0 && (address.offset as u64).saturating_add(bytes) <= u32::MAX as u64;
        if !inside || !self.any_delayed() {
            return Ok(());
        }
        let bytes = Bytes::new(address.object, address.offset as usize, bytes as usize);
        self.look_for_delayed_races(&bytes, access, atomic)?;
        let own = self.buffer().entries();
        let own = match (route, access) {
            (Route::Delayed | Route::Bypassing | Route::Freed, _) => return Ok(()),
            (Route::Forwarded, _) => 0,
            (Route::Direct, Access::Write) => own.len(),
            (Route::Direct, Access::Read) => own
                .iter()
                .rposition(|e| e.bytes().overlaps(&bytes))
                .map_or(0, |last| last + 1),
        };
        if self.options.memory_model == MemoryModel::TsoFlusher {
            return if own > 0 {
                self.wait_for_flusher()
            } else {
                Ok(())
            };
        }
        self.ask(Some(bytes), own)
    }

    fn look_for_delayed_races(&self, bytes: &Bytes, access: Access, atomic: bool) -> Result<()> {
        if !self.options.races {
            return Ok(());
        }
        for thread in (0..self.threads.len()).filter(|&t| t != self.running) {
            let mut entries = self.threads[thread].buffer.entries().iter();
            if entries.any(|e| e.bytes().overlaps(bytes) && !(e.atomic && atomic)) {
                let count = bytes.range.len() as u64;
                let address = Address {
                    object: bytes.object,
                    offset: bytes.range.start as i64,
                };
                let message = format!(
                    "{} {} {}, to which a store of {} is not ordered before: it is in its store buffer",
                    self.thread_name(self.running as u32),
                    match access {
                        Access::Read => "reads",
                        Access::Write => "writes",
                    },
                    self.memory.describe_subobject(address, count),
                    self.thread_name(thread as u32),
                );
                return error(ErrorKind::DataRace, message);
            }
        }
        Ok(())
    }

    fn wait_for_flusher(&mut self) -> Result<()> {
        self.block_quietly()?;
        blocked(Awaited::EmptyStoreBuffer, String::new(), [])
    }

    /// Lets delayed stores reach memory in one of the ways in which they can have done so.
    fn ask(&mut self, load: Option<Bytes>, own: usize) -> Result<()> {
        let requested = Requested {
            thread: self.running,
            load,
            own,
        };
        let buffers: SmallVec<[&Buffer; 8]> = self.threads.iter().map(|t| &t.buffer).collect();
        let orders =
            drain_orders(&buffers, &requested, &self.system.cancel).ok_or(Halt::Cancelled)?;
        let late = orders
            .iter()
            .map(|order| requested.is_late(&buffers, order));
        let late: SmallVec<[bool; 8]> = late.collect();
        drop(buffers);
        let chosen = self.choose(orders.len() as u32, false)?;
        if orders.len() > 1 {
            self.flush_request.chosen_at = Some(self.executed);
            self.flush_request
                .provenance
                .chose_order(&late, chosen as usize);
        }
        self.flush_in_order(&orders[chosen as usize]);
        Ok(())
    }

    /// Lets these delayed stores reach memory.
    pub fn flush_in_order(&mut self, order: &DrainOrder) {
        let kept = self.flush_request.before.as_ref();
        if !order.is_empty() && kept.is_none_or(|before| before.executed != self.executed) {
            let events = self.events.as_ref().map_or(0, Vec::len);
            let mut memory = Memory::new(self.system.memory());
            memory.restore(&self.memory);
            let threads = self.threads.clone();
            self.flush_request.before = Some(Before {
                executed: self.executed,
                memory,
                threads,
                others: self.others.clone(),
                events,
            });
        }
        for &thread in order {
            self.flush_oldest(thread as usize);
        }
    }

    /// Lets the oldest delayed store of a thread reach memory.
    pub fn flush_oldest(&mut self, thread: usize) {
        let entry = self.threads[thread].buffer.remove(0);
        if entry.atomic {
            self.forget_accesses_before_store(thread);
        }
        self.memory.reshaped |= entry.names_objects();
        let gone = Flags::FREED | Flags::ENDED;
        let object = self.memory.get(entry.object);
        let drops = object.is_none_or(|o| o.flags().has(gone));
        let message = (!drops && entry.atomic).then(|| entry.message());
        self.track_store_left(thread, 0, message);
        if drops {
            return self.note_dropped(thread, &entry);
        }
        self.note_reached(thread, &entry);
        entry.write(&mut self.memory);
    }

    /// An atomic store, the oldest in its thread's buffer, reaches memory: what the thread accessed
    /// before it is ordered before whatever reads it.
    fn forget_accesses_before_store(&mut self, thread: usize) {
        self.memory
            .read_set
            .note(ReadSetEntry::Thread(thread as u32));
        if !self.threads[thread].access_history.is_empty() {
            self.threads[thread].access_history.forget_before_store();
        }
        self.others
            .retain(|(other, memory_access)| *other != thread || memory_access.outlives_store());
    }

    /// Notes that a delayed store has reached memory.
    pub fn note_reached(&mut self, thread: usize, entry: &Entry) {
        if self.events.is_some() {
            let (address, bytes) = place_of(entry);
            let action = Action::Reach {
                variable: self.variable(address, bytes).0,
                value: self.show_value_of(entry),
            };
            self.note_for(thread, action, self.identity_of(address, bytes));
        }
    }

    /// Notes that a delayed store never reaches memory: that is gone.
    fn note_dropped(&mut self, thread: usize, entry: &Entry) {
        if self.events.is_some() {
            let (address, bytes) = place_of(entry);
            let action = Action::Drop {
                variable: self.variable(address, bytes).0,
                value: self.show_value_of(entry),
            };
            self.note_for(thread, action, self.identity_of(address, bytes));
        }
    }

    /// Notes that the running thread delays a store.
    #[cold]
    fn note_delayed(&mut self, entry: &Entry) {
        let (address, bytes) = place_of(entry);
        let (variable, library) = self.variable(address, bytes);
        let value = self.show_value_of(entry);
        let identity = self.identity_of(address, bytes);
        self.note_about(Action::Delay { variable, value }, library, identity);
    }

    /// What an entry writes, in words.
    fn show_value_of(&self, entry: &Entry) -> String {
        match entry.pieces.as_slice() {
            [piece] => {
                let scalar = match piece.word.pointer {
                    true => Scalar::Pointer,
                    false => Scalar::Integer(piece.bytes * 8),
                };
                self.show(scalar, Value::one(piece.word))
            }
            _ => format!("{} bytes", entry.bytes().range.len()),
        }
    }

    /// An instruction halts: what it has made reach memory has not, unless the halt is an error.
    #[cold]
    pub fn take_back(&mut self, halt: &Halt) {
        let kept = self.flush_request.before.take();
        if matches!(halt, Halt::Error(..) | Halt::Unsupported(_)) {
            return;
        }
        if self.flush_request.chosen_at == Some(self.executed) {
            self.flush_request.provenance.retract();
        }
        if let Some(before) = kept.filter(|before| before.executed == self.executed) {
            self.memory.restore(&before.memory);
            self.threads.restore(&before.threads);
            self.others = before.others;
            if let Some(noted) = &mut self.events {
                noted.truncate(before.events);
            }
        }
    }

    /// Empties the running thread's buffer, before what the present instruction does otherwise, and
    /// as one action with that.
    pub fn drain(&mut self) -> Result<()> {
        if !self.delays() || self.buffer().is_empty() {
            return Ok(());
        }
        self.visible_action()?;
        if self.options.memory_model == MemoryModel::TsoFlusher {
            return self.wait_for_flusher();
        }
        let all = self.buffer().entries().len();
        self.ask(None, all)?;
        self.flush_request.emptied = Some(self.executed);
        Ok(())
    }

    /// A store instruction of the program.
    pub fn store_in_order(
        &mut self,
        scalar: Scalar,
        word: Word,
        value: Value,
        atomic: bool,
        ordering: Ordering,
        order: Order,
    ) -> Result<()> {
        if ordering == Ordering::SequentiallyConsistent {
            self.drain()?;
            return self.store(scalar, word, value, atomic, order);
        }
        let bytes = scalar.bytes() as u64;
        let address = self.memory.address(word)?;
        let route = self.store_route(address, bytes, atomic);
        self.observe_as(route, address, bytes, Access::Write, atomic)?;
        let spot = self.memory.check(word, address, bytes, Access::Write)?;
        if route == Route::Bypassing || !self.memory.is_visible(spot.object) {
            if atomic {
                self.order_store(address, order);
            }
            return self.write_noted(scalar, address, spot, value);
        }
        let kept_as_atomic = atomic || !self.options.races;
        self.delay(Entry::of_scalar(scalar, spot, value, kept_as_atomic))?;
        if atomic {
            let index = self.buffer().entries().len() - 1;
            self.order_delayed(address, index, order);
        }
        Ok(())
    }

    /// How a store deals with the buffer.
    pub fn store_route(&self, address: Address, bytes: u64, atomic: bool) -> Route {
        if atomic || !self.delays() || !self.uses_race_freedom() {
            return Route::Delayed;
        }
        let bytes = Bytes::new(address.object, address.offset as usize, bytes as usize);
        match self.buffer().overlaps(&bytes) {
            true => Route::Delayed,
            false => Route::Bypassing,
        }
    }

    /// Whether a load takes any of its bytes from the running thread's own buffer.
    pub fn is_forwarded(&self, spot: Spot, bytes: usize) -> bool {
        let own = Bytes::new(spot.object, spot.offset, bytes);
        self.delays() && self.buffer().overlaps(&own)
    }

    /// Puts a store into the running thread's buffer; if that is full, its oldest entry leaves it.
    fn delay(&mut self, entry: Entry) -> Result<()> {
        if self.buffer().entries().len() >= self.options.store_buffer {
            if self.options.memory_model == MemoryModel::TsoFlusher {
                return self.wait_for_flusher();
            }
            let visible = std::mem::replace(&mut self.visible, self.visible_before);
            self.visible_action()?;
            self.visible |= visible;
            self.ask(None, 1)?;
        }
        for object in entry.values() {
            self.memory.publish(object);
        }
        self.memory.reshaped |= entry.names_objects();
        if self.events.is_some() {
            self.note_delayed(&entry);
        }
        self.thread().buffer.push(entry);
        Ok(())
    }

    /// Reads a scalar from a checked place, as the running thread sees it.
    pub fn load_forwarded(&mut self, scalar: Scalar, spot: Spot) -> Value {
        let own = Bytes::new(spot.object, spot.offset, scalar.bytes() as usize);
        if !self.buffer().overlaps(&own) {
            return self.load_checked(scalar, spot);
        }
        let bytes = scalar.bytes() as usize;
        let low = self.word_forwarded(spot, bytes.min(8));
        let high = match scalar.words() {
            1 => Word::number(0),
            _ => {
                let offset = spot.offset + 8;
                self.word_forwarded(Spot { offset, ..spot }, bytes - 8)
            }
        };
        cut_value(scalar, Value { low, high })
    }

    fn word_forwarded(&mut self, spot: Spot, bytes: usize) -> Word {
        let below = self.memory.load(spot, bytes);
        let (word, broken) = self.buffer().forward(spot, bytes, below);
        broken.into_iter().for_each(|b| self.memory.pin_word(b));
        word
    }

    /// Copies between checked places, as the running thread sees them.
    pub fn copy_in_order(
        &mut self,
        route: Route,
        to: Spot,
        from: Spot,
        bytes: usize,
    ) -> Result<()> {
        let delayed = route == Route::Delayed && self.memory.is_visible(to.object);
        let own = Bytes::new(from.object, from.offset, bytes);
        if !delayed && !self.buffer().overlaps(&own) {
            self.memory.copy(to, from, bytes);
            return Ok(());
        }
        let read = |machine: &mut Self, offset: usize, count: usize| {
            let offset = from.offset + offset;
            machine.word_forwarded(Spot { offset, ..from }, count)
        };
        let entry = self.entry_in_words(to, bytes, read);
        match delayed {
            true => self.delay(entry)?,
            false => entry.write(&mut self.memory),
        }
        Ok(())
    }

    /// Fills bytes at a checked place.
    pub fn fill_in_order(&mut self, to: Spot, bytes: usize, value: Word) -> Result<()> {
        if !self.memory.is_visible(to.object) {
            self.memory.fill(to, bytes, value);
            return Ok(());
        }
        let repeated = |byte: u64| (byte & 0xff) * 0x0101_0101_0101_0101;
        let word = Word {
            bits: repeated(value.bits),
            undefined: repeated(value.undefined),
            pointer: false,
            time: value.time.of_bytes(),
        };
        let entry = self.entry_in_words(to, bytes, |_, _, count| {
            store_buffer::cut(word, count as u32)
        });
        self.delay(entry)
    }

    /// Puts bytes into the running thread's buffer, for a checked place.
    pub fn delay_bytes(&mut self, to: Spot, bytes: &[u8]) -> Result<()> {
        let word = |_: &mut Self, at: usize, count: usize| {
            let byte = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
            Word::number(bytes[at..at + count].iter().rev().fold(0, byte))
        };
        let entry = self.entry_in_words(to, bytes.len(), word);
        self.delay(entry)
    }

    /// A store of many bytes, in pieces that are words of the target.
    fn entry_in_words(
        &mut self,
        to: Spot,
        bytes: usize,
        mut word: impl FnMut(&mut Self, usize, usize) -> Word,
    ) -> Entry {
        let mut pieces = SmallVec::new();
        let mut done = 0;
        while done < bytes {
            let offset = to.offset + done;
            let count = (8 - offset % 8).min(bytes - done);
            pieces.push(Piece {
                offset: offset as u32,
                bytes: count as u8,
                word: word(self, done, count),
            });
            done += count;
        }
        Entry {
            object: to.object,
            pieces,
            atomic: !self.options.races,
        }
    }

    /// An object is about to be freed by the running thread, or leaves with one of its frames.
    pub fn release(&mut self, object: ObjectId) -> Result<()> {
        if !self.delays() || !self.any_delayed() {
            return Ok(());
        }
        for thread in 0..self.threads.len() {
            let mut entries = self.threads[thread].buffer.entries().iter();
            if !entries.any(|e| e.object == object) {
                continue;
            }
            if thread == self.running {
                for (index, entry) in self.threads[thread].evict(object) {
                    self.track_store_left(thread, index, None);
                    self.note_dropped(thread, &entry);
                }
                self.memory.reshaped = true;
                continue;
            }
            let local = self
                .memory
                .get(object)
                .is_some_and(|o| o.class() == Class::Stack);
            let (kind, verb) = match local {
                true => (ErrorKind::UseAfterReturn, "leaves the scope of"),
                false => (ErrorKind::UseAfterFree, "frees"),
            };
            let message = format!(
                "{} {verb} {}, while a delayed store to it is in the store buffer of {}",
                self.thread_name(self.running as u32),
                self.memory.describe(object),
                self.thread_name(thread as u32),
            );
            return error(kind, message);
        }
        Ok(())
    }

    /// Only one thread is alive: nobody could tell when its stores reach memory.
    pub fn flush_last_thread(&mut self) {
        for thread in 0..self.threads.len() {
            while !self.threads[thread].buffer.is_empty() {
                self.flush_oldest(thread);
            }
        }
    }
}
