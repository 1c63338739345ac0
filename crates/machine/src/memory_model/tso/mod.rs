//! x86-TSO: each thread has a first-in-first-out store buffer (`crate::state::store_buffer`).
//!
//! *Claim.* Choosing at a flush request which stores have reached memory ([`Tso::LAZY`]) reaches
//! the same memories, registers and errors as flushing at any time ([`Tso::WITH_FLUSHERS`]).
//!
//! *Conditions.*
//! - Every load of shared memory, and every operation that drains the buffer, goes through this
//!   module before its first effect. `builtin/drain.rs` lists the calls that drain.
//! - A store to an object that no other thread reaches bypasses the buffer, and so does a plain
//!   store where races are reported. An object is shared as soon as its address enters a buffer on
//!   the path to shared memory.
//! - A section must be able to end from each drained state; `machine::choice_provenance` says which
//!   states must be drained.
//!
//! The argument is in `docs/internals/tso.md`.

mod flush;
mod order;
mod trace;
mod words;

#[cfg(test)]
mod tests;

use super::sc::Sc;
use super::{DrainOrder, Loaded, MemoryModel, Modifies, StoreOrder};
use crate::base::fault::{ErrorKind, Halt, Result, error, unsupported};
use crate::machine::Machine;
use crate::machine::route::Route;
use crate::machine::system::System;
use crate::state::happens_before::{HappensBefore, Order};
use crate::state::memory::object::Class;
use crate::state::memory::{Access, Spot};
use crate::state::read_set::ReadSetEntry;
use crate::state::store_buffer::{self, Buffer, Bytes, Entry};
use crate::state::thread::Threads;
use crate::value::Value;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{Ordering, Scalar};
use impasse_program::word::Word;
use smallvec::SmallVec;

/// x86-TSO.
#[derive(Clone, Copy, Debug)]
pub struct Tso {
    /// Whether the oldest entry of a buffer reaches memory by a transition of its own, as in the
    /// operational definition, and not by choice of the instruction that asks.
    flushers: bool,
}

impl MemoryModel for Tso {
    #[inline]
    fn delays(self) -> bool {
        true
    }

    #[inline]
    fn has_store_buffers(self) -> bool {
        true
    }

    #[inline]
    fn has_own_transitions(self) -> bool {
        self.flushers
    }

    /// That nothing is depends on the state before the step only in whether anything of another
    /// thread was; where something is, it is a matter of all threads.
    fn is_in_flight(self, machine: &Machine<'_>) -> bool {
        let running = machine.running;
        let besides = ReadSetEntry::DelayedBesides(running as u32);
        machine.memory.read_set.note(besides);
        let own = !machine.threads[running].buffer.is_empty();
        let mut buffers = machine.threads.buffers();
        (own || machine.threads.any_delayed_besides(running)) && buffers.any(|b| !b.is_empty())
    }

    fn have_in_flight(self, threads: &Threads, _: &HappensBefore) -> bool {
        threads.iter().any(|thread| !thread.buffer.is_empty())
    }

    fn route_of_store(
        self,
        machine: &Machine<'_>,
        address: Address,
        bytes: u64,
        atomic: bool,
    ) -> Route {
        if atomic || !machine.uses_race_freedom() {
            return Route::Delayed;
        }
        let bytes = Bytes::new(address.object, address.offset as usize, bytes as usize);
        match machine.own_buffer().overlaps(&bytes) {
            true => Route::Delayed,
            false => Route::Bypassing,
        }
    }

    /// With flushers, without reduction, or where a signal may come, each access is.
    fn is_visible(self, machine: &Machine<'_>, route: Route) -> bool {
        route != Route::Delayed
            || !machine.options.reduces()
            || machine.interruptions.are_possible()
            || self.flushers
    }

    fn meet(
        self,
        machine: &mut Machine<'_>,
        route: Route,
        (address, bytes): (Address, u64),
        access: Access,
        atomic: bool,
    ) -> Result<()> {
        let inside =
            address.offset >= 0 && (address.offset as u64).saturating_add(bytes) <= u32::MAX as u64;
        if !inside || !self.is_in_flight(machine) {
            return Ok(());
        }
        let bytes = Bytes::new(address.object, address.offset as usize, bytes as usize);
        machine.look_for_delayed_races(&bytes, access, atomic)?;
        let own = machine.own_buffer().entries();
        let own = match (route, access) {
            (Route::Delayed | Route::Bypassing | Route::Freed, _) => return Ok(()),
            (Route::Forwarded, _) => 0,
            (Route::Direct, Access::Write) => own.len(),
            (Route::Direct, Access::Read) => own
                .iter()
                .rposition(|e| e.bytes().overlaps(&bytes))
                .map_or(0, |last| last + 1),
        };
        self.request(machine, Some(bytes), own)
    }

    fn load(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        (address, spot): (Address, Spot),
        order: Option<Order>,
    ) -> Result<Value> {
        let own = Bytes::new(spot.object, spot.offset, scalar.bytes() as usize);
        if let Some(order) = order
            && !machine.own_buffer().overlaps(&own)
        {
            machine.order_load(address, order);
        }
        Ok(self.peek(machine, scalar, spot))
    }

    fn peek(self, machine: &mut Machine<'_>, scalar: Scalar, spot: Spot) -> Value {
        machine.load_forwarded(scalar, spot)
    }

    fn store(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        word: Word,
        value: Value,
        order: StoreOrder,
    ) -> Result<()> {
        let atomic = order.atomic;
        if order.ordering == Ordering::SequentiallyConsistent {
            self.drain(machine)?;
            return Sc.store(machine, scalar, word, value, order);
        }
        let bytes = scalar.bytes() as u64;
        let address = machine.memory.address(word)?;
        let route = self.route_of_store(machine, address, bytes, atomic);
        machine.observe_as(route, address, bytes, Access::Write, atomic)?;
        let spot = machine.memory.check(word, address, bytes, Access::Write)?;
        if route == Route::Bypassing || !machine.memory.is_visible(spot.object) {
            if atomic {
                machine.order_store(address, order.order);
            }
            return machine.write_noted(scalar, address, spot, value);
        }
        let value = match value.low.term.is_none() {
            true => value,
            false => Value::one(machine.memory.fit_term(value.low, bytes.min(8) as u32 * 8)),
        };
        let kept_as_atomic = atomic || !machine.options.races;
        let entry = Entry::of_scalar(scalar, spot, value, kept_as_atomic);
        self.delay(machine, entry)?;
        if atomic {
            let index = machine.own_buffer().entries().len() - 1;
            machine.order_delayed(address, index, order.order);
        }
        Ok(())
    }

    fn store_bytes(self, machine: &mut Machine<'_>, to: Spot, bytes: &[u8]) -> Result<()> {
        let word = |_: &mut Machine<'_>, at: usize, count: usize| {
            let byte = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
            Word::number(bytes[at..at + count].iter().rev().fold(0, byte))
        };
        let entry = machine.entry_in_words(to, bytes.len(), word);
        self.delay(machine, entry)
    }

    fn copy(
        self,
        machine: &mut Machine<'_>,
        route: Route,
        to: Spot,
        from: Spot,
        bytes: usize,
    ) -> Result<()> {
        let delayed = route == Route::Delayed && machine.memory.is_visible(to.object);
        let own = Bytes::new(from.object, from.offset, bytes);
        if !delayed && !machine.own_buffer().overlaps(&own) {
            return Sc.copy(machine, route, to, from, bytes);
        }
        let read = |machine: &mut Machine<'_>, offset: usize, count: usize| {
            let offset = from.offset + offset;
            machine.word_forwarded(Spot { offset, ..from }, count)
        };
        let entry = machine.entry_in_words(to, bytes, read);
        match delayed {
            true => self.delay(machine, entry)?,
            false => entry.write(&mut machine.memory),
        }
        Ok(())
    }

    fn fill(
        self,
        machine: &mut Machine<'_>,
        route: Route,
        to: Spot,
        bytes: usize,
        value: Word,
    ) -> Result<()> {
        if route != Route::Delayed || !machine.memory.is_visible(to.object) {
            return Sc.fill(machine, route, to, bytes, value);
        }
        let repeated = |byte: u64| (byte & 0xff) * 0x0101_0101_0101_0101;
        let word = Word {
            bits: repeated(value.bits),
            undefined: repeated(value.undefined),
            pointer: false,
            time: value.time.of_bytes(),
            ..Word::default()
        };
        let entry = machine.entry_in_words(to, bytes, |_, _, count| {
            store_buffer::cut(word, count as u32)
        });
        self.delay(machine, entry)
    }

    fn load_to_modify(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        word: Word,
        modifies: Modifies,
    ) -> Result<Loaded> {
        self.drain(machine)?;
        Sc.load_to_modify(machine, scalar, word, modifies)
    }

    fn store_modified(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        loaded: &Loaded,
        order: Order,
        new: Value,
    ) -> Result<()> {
        Sc.store_modified(machine, scalar, loaded, order, new)
    }

    fn read_only(
        self,
        machine: &mut Machine<'_>,
        scalar: Scalar,
        loaded: &Loaded,
        order: Order,
    ) -> Result<()> {
        Sc.read_only(machine, scalar, loaded, order)
    }

    fn fence(self, machine: &mut Machine<'_>, ordering: Ordering) -> Result<()> {
        match ordering == Ordering::SequentiallyConsistent {
            true => self.drain(machine),
            false => Ok(()),
        }
    }

    fn fence_everywhere(self, _: &mut Machine<'_>) -> Result<()> {
        unsupported("a barrier of all threads (membarrier), except under --memory-model sc")
    }

    fn drain(self, machine: &mut Machine<'_>) -> Result<()> {
        if machine.own_buffer().is_empty() {
            return Ok(());
        }
        machine.act()?;
        let all = machine.own_buffer().entries().len();
        self.request(machine, None, all)?;
        let instruction = machine.progress.instruction();
        machine.in_flight.note_drained(instruction);
        Ok(())
    }

    fn end_object(self, machine: &mut Machine<'_>, object: ObjectId) -> Result<()> {
        if !self.is_in_flight(machine) {
            return Ok(());
        }
        let has_some = |buffer: &Buffer| buffer.entries().iter().any(|e| e.object == object);
        let buffers = machine.threads.buffers().enumerate();
        let found = buffers.filter(|(_, buffer)| has_some(buffer));
        let found: SmallVec<[usize; 2]> = found.map(|(thread, _)| thread).collect();
        for thread in found {
            if thread != machine.running {
                return machine.report_delayed_store_to(object, thread);
            }
            for (index, entry) in machine.threads[thread].evict(object) {
                machine.track_store_left(thread, index, None);
                machine.note_dropped(thread, &entry);
            }
            machine.memory.reshaped = true;
        }
        Ok(())
    }

    fn leave_alone(self, machine: &mut Machine<'_>) {
        let counts = machine.threads.buffers().map(|b| b.entries().len());
        let counts: SmallVec<[usize; 8]> = counts.collect();
        for (thread, count) in counts.into_iter().enumerate() {
            (0..count).for_each(|_| machine.flush_oldest(thread));
        }
    }

    fn take_back(self, machine: &mut Machine<'_>, halt: &Halt) {
        machine.take_back_flushes(halt);
    }

    fn own_transitions(self, threads: &Threads) -> SmallVec<[usize; 8]> {
        let numbers = 0..threads.len();
        numbers
            .filter(|&thread| self.flushers && !threads[thread].buffer.is_empty())
            .collect()
    }

    fn take_own_transition(self, machine: &mut Machine<'_>, thread: usize) {
        machine.flush_oldest(thread);
    }

    fn full_drain_orders(self, system: &System, threads: &Threads) -> Vec<DrainOrder> {
        let buffers: Vec<&Buffer> = threads.iter().map(|thread| &thread.buffer).collect();
        order::full_drain_orders(&buffers, &system.cancel).unwrap_or_default()
    }

    fn drain_in_order(self, machine: &mut Machine<'_>, order: &DrainOrder) {
        machine.flush_in_order(order);
    }

    fn drained_in_words(self) -> &'static str {
        "all delayed writes are in memory, and none is delayed from here on"
    }
}

impl Tso {
    /// By lazy semantics.
    pub(super) const LAZY: Tso = Tso { flushers: false };
    /// By its operational definition.
    pub(super) const WITH_FLUSHERS: Tso = Tso { flushers: true };

    /// Puts a store into the running thread's buffer; if that is full, its oldest entry leaves it.
    fn delay(self, machine: &mut Machine<'_>, entry: Entry) -> Result<()> {
        if machine.own_buffer().entries().len() >= machine.options.store_buffer {
            let visible = machine.progress.fork();
            if !self.flushers {
                machine.act()?;
            }
            machine.progress.join(visible);
            self.request(machine, None, 1)?;
        }
        for object in entry.values() {
            machine.memory.escape(object);
        }
        machine.memory.reshaped |= entry.names_objects();
        if machine.observer.notes_events() {
            machine.note_delayed(&entry);
        }
        machine.thread().buffer.push(entry);
        Ok(())
    }
}

impl Machine<'_> {
    pub(super) fn own_buffer(&self) -> &Buffer {
        &self.threads[self.running].buffer
    }

    fn look_for_delayed_races(&self, bytes: &Bytes, access: Access, atomic: bool) -> Result<()> {
        if !self.options.races {
            return Ok(());
        }
        let buffers = self.threads.buffers().enumerate();
        for (thread, buffer) in buffers.filter(|(thread, _)| *thread != self.running) {
            let mut entries = buffer.entries().iter();
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

    /// The running thread ends an object to which another thread has a delayed store.
    #[cold]
    fn report_delayed_store_to(&self, object: ObjectId, thread: usize) -> Result<()> {
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
        error(kind, message)
    }
}
