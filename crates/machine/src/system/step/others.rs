//! What the threads of a state have accessed recently, and what they access next: what races are
//! found by.

use super::{REMEMBERED, Stepper};
use crate::machine::Machine;
use crate::machine::builtin::Builtin;
use crate::machine::builtin::Extent;
use crate::state::access_history::{MemoryAccess, OtherAccesses};
use crate::state::memory::{Access, Memory};
use crate::state::thread::Wait;
use impasse_program::address::{Address, ObjectKind};
use impasse_program::instruction::{Instruction, Scalar};
use impasse_program::link::Target;
use impasse_program::word::Word;
use smallvec::SmallVec;

impl Stepper<'_> {
    /// What each thread has accessed or accesses next, for finding races.
    pub(super) fn find_others(&mut self) {
        let mut others = std::mem::take(&mut self.others);
        others.clear();
        let looks = self.machine.options.races && !self.machine.history.has_accesses();
        if looks && self.base.memory.concurrent {
            self.restore_base();
            self.find_next(&mut others.next);
            for number in 0..self.base.threads.len() {
                let accesses = self.base.threads.access_history(number);
                let accesses = accesses
                    .iter()
                    .map(|memory_access| (number, *memory_access));
                others.access_history.extend(accesses);
            }
            others.stale = has_stale_accesses(&self.base.memory, &others);
        }
        self.others = others;
    }

    fn find_next(&mut self, next: &mut Vec<(usize, MemoryAccess)>) {
        for thread in 0..self.base.threads.len() {
            let base = &self.base.threads[thread];
            let rests = base.is_alive() && base.wait == Wait::None;
            let Some(&frame) = base.frames.last().filter(|_| rests) else {
                continue;
            };
            let hash = (frame.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let (known, accesses) = &mut self.next_of[hash as usize % REMEMBERED];
            if *known != frame.0 {
                self.machine.restore_context(thread);
                *known = frame.0;
                *accesses = next_accesses(&self.machine);
                self.machine.threads.share(&self.base.threads, thread);
            }
            let after = base.buffer.atomic_stores();
            let accesses = accesses.iter();
            next.extend(accesses.map(|access| (thread, MemoryAccess { after, ..*access })));
        }
    }

    /// The heap was canonicalised within a step, after a thread has run: what threads have accessed
    /// or access next is known by its new names from here on, and what that thread has accessed is
    /// added.
    pub(super) fn follow_names(&mut self, thread: usize) {
        let machine = &mut self.machine;
        let canonicaliser = &self.canonicaliser;
        let others = machine.races.others_mut();
        others.retain(|(_, memory_access)| {
            let name = canonicaliser.name_of(memory_access.address.object);
            memory_access.address.object = name.unwrap_or(memory_access.address.object);
            name.is_some()
        });
        let accesses = machine.threads.access_history(thread).iter();
        let accesses = accesses.map(|memory_access| (thread, *memory_access));
        others.access_history.extend(accesses);
        others.stale = has_stale_accesses(&machine.memory, others);
    }
}

/// Whether an object that a thread accessed recently is another thread's own. (What it accesses
/// next it can reach.)
fn has_stale_accesses(memory: &Memory<'_>, others: &OtherAccesses) -> bool {
    let stale_accesses = |(thread, memory_access): &(usize, MemoryAccess)| {
        let object = memory_access.address.object;
        let ObjectKind::Dynamic(number) = object.kind() else {
            return false;
        };
        !memory.is_visible(object)
            && memory.id_ranges.range_of(number) != memory.id_ranges.own(*thread)
    };
    others.access_history.iter().any(stale_accesses)
}

/// The accesses that the running thread makes next. What a builtin accesses besides the object that
/// it operates on, it may access only once it has waited for another thread.
fn next_accesses(machine: &Machine<'_>) -> SmallVec<[MemoryAccess; 2]> {
    let at = machine.at;
    let next = |word: Word, bytes: u64, access, atomic| {
        (word.is_defined() && bytes > 0).then(|| MemoryAccess {
            place: machine.place(),
            address: Address::from_bits(word.bits),
            bytes,
            access,
            atomic,
            local: false,
            after: 0,
            section: false,
            may_fail: false,
        })
    };
    let one = |address, scalar: &Scalar, access, atomic| {
        let next = next(machine.read(address), scalar.bytes() as u64, access, atomic);
        next.into_iter().collect()
    };
    let size = |operand| {
        let word: Word = machine.read(operand);
        if word.is_defined() { word.bits } else { 0 }
    };
    let is_atomic = |ordering, volatile, scalar: &Scalar, address| {
        machine.is_atomic(ordering, volatile) || machine.is_relaxed(*scalar, machine.read(address))
    };
    match &at.function.body.code[at.position as usize] {
        Instruction::Load {
            scalar,
            ordering,
            volatile,
            address,
            ..
        } => one(
            *address,
            scalar,
            Access::Read,
            is_atomic(*ordering, *volatile, scalar, *address),
        ),
        Instruction::Store {
            scalar,
            ordering,
            volatile,
            address,
            ..
        } => one(
            *address,
            scalar,
            Access::Write,
            is_atomic(*ordering, *volatile, scalar, *address),
        ),
        Instruction::Update {
            scalar, address, ..
        } => one(*address, scalar, Access::Write, true),
        Instruction::CompareExchange {
            scalar, address, ..
        } => {
            let mut exchange: SmallVec<_> = one(*address, scalar, Access::Write, true);
            exchange.iter_mut().for_each(|next| next.may_fail = true);
            exchange
        }
        Instruction::CopyMemory {
            destination,
            source,
            bytes,
            ..
        } => {
            let from = next(machine.read(*source), size(*bytes), Access::Read, false);
            let to = next(
                machine.read(*destination),
                size(*bytes),
                Access::Write,
                false,
            );
            from.into_iter().chain(to).collect()
        }
        Instruction::FillMemory {
            destination, bytes, ..
        } => {
            let to = machine.read(*destination);
            let next = next(to, size(*bytes), Access::Write, false);
            next.into_iter().collect()
        }
        Instruction::Call { site } => match machine.target(*site) {
            Ok(Target::Builtin(id)) => {
                let arguments = machine.arguments_of(*site);
                let rows = Builtin::from_id(id).accesses().iter();
                let rows = rows.filter(|row| row.atomic);
                rows.filter_map(|row| {
                    let bytes = match row.extent {
                        Extent::Bytes(bytes) => bytes,
                        Extent::Argument(count) => arguments.get(count)?.bits,
                        _ => return None,
                    };
                    next(*arguments.get(row.argument)?, bytes, row.access, true)
                })
                .collect()
            }
            _ => SmallVec::new(),
        },
        _ => SmallVec::new(),
    }
}
