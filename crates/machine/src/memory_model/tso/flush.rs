//! Flush requests: which delayed stores have reached memory when an instruction asks.

use super::order::{Requested, drain_orders};
use super::{DrainOrder, Tso};
use crate::base::fault::{Awaited, Halt, Result, blocked};
use crate::machine::Machine;
use crate::machine::in_flight::Before;
use crate::state::memory::object::Flags;
use crate::state::memory::{Access, Memory};
use crate::state::read_set::ReadSetEntry;
use crate::state::store_buffer::{Buffer, Bytes};
use impasse_program::address::Address;
use smallvec::SmallVec;

impl Tso {
    /// The running thread needs so many of its delayed stores in memory, and to know what has
    /// reached memory of the bytes that it loads. With flushers it waits for the first.
    pub(super) fn request(
        self,
        machine: &mut Machine<'_>,
        load: Option<Bytes>,
        own: usize,
    ) -> Result<()> {
        match self.flushers {
            false => machine.choose_drain_order(load, own),
            true if own == 0 => Ok(()),
            true => {
                machine.block_quietly()?;
                blocked(Awaited::EmptyStoreBuffer, String::new(), [])
            }
        }
    }
}

impl Machine<'_> {
    /// Lets delayed stores reach memory in one of the possible orders.
    fn choose_drain_order(&mut self, load: Option<Bytes>, own: usize) -> Result<()> {
        let requested = Requested {
            thread: self.running,
            load,
            own,
        };
        let buffers: SmallVec<[&Buffer; 8]> = self.threads.buffers().collect();
        if self.footprint.is_on() {
            for entry in requested.reached(&buffers) {
                let bytes = entry.bytes();
                let address = Address {
                    object: bytes.object,
                    offset: i64::from(bytes.range.start),
                };
                let count = bytes.range.len() as u64;
                self.footprint
                    .access(&self.memory, address, count, Access::Write);
            }
        }
        let orders =
            drain_orders(&buffers, &requested, &self.system.cancel).ok_or(Halt::Cancelled)?;
        let late = orders
            .iter()
            .map(|order| requested.is_late(&buffers, order));
        let late: SmallVec<[bool; 8]> = late.collect();
        drop(buffers);
        let chosen = self.choose(orders.len() as u32, false)?;
        if orders.len() > 1 {
            self.in_flight.note_choice(self.progress.instruction());
            self.choices
                .provenance()
                .chose_order(&late, chosen as usize);
        }
        self.flush_in_order(&orders[chosen as usize]);
        Ok(())
    }

    /// Lets these delayed stores reach memory.
    pub(super) fn flush_in_order(&mut self, order: &DrainOrder) {
        let instruction = self.progress.instruction();
        if !order.is_empty() && !self.in_flight.keeps(instruction) {
            let events = self.observer.events().map_or(0, Vec::len);
            let mut memory = Memory::new(self.system.memory());
            memory.restore(&self.memory);
            let threads = self.threads.clone();
            let before = Before {
                memory,
                threads,
                others: self.races.others().clone(),
                events,
            };
            self.in_flight.keep(instruction, before);
        }
        for &thread in order {
            self.flush_oldest(thread as usize);
        }
    }

    /// Lets the oldest delayed store of a thread reach memory.
    pub(super) fn flush_oldest(&mut self, thread: usize) {
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
        self.races
            .others_mut()
            .retain(|(other, memory_access)| *other != thread || memory_access.outlives_store());
    }

    /// An instruction halts: what it has made reach memory has not, unless the halt is an error.
    #[cold]
    pub(super) fn take_back_flushes(&mut self, halt: &Halt) {
        let instruction = self.progress.instruction();
        let before = self.in_flight.take_before(instruction);
        if matches!(halt, Halt::Error(..) | Halt::Unsupported(_)) {
            return;
        }
        if self.in_flight.has_chosen(instruction) {
            self.choices.provenance().retract();
        }
        if let Some(before) = before {
            self.memory.restore(&before.memory);
            self.threads.restore(&before.threads);
            *self.races.others_mut() = before.others;
            self.observer.truncate(before.events);
        }
    }
}
