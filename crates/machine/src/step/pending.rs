//! What resting threads are about to access, and what they have accessed recently: what races are found by.

use super::{REMEMBERED, Stepper};
use crate::machine::Machine;
use crate::memory::{Access, Memory};
use crate::race::Touch;
use impasse_program::address::{Address, ObjectKind};
use impasse_program::instruction::Instruction;
use impasse_program::word::Word;
use smallvec::SmallVec;

impl Stepper<'_> {
    /// What each thread is about to access or has accessed, for finding races.
    pub(super) fn find_pendings(&mut self) {
        self.pendings.clear();
        self.strays = false;
        if !self.machine.options.races || !self.base.memory.concurrent {
            return;
        }
        self.restore_base();
        let mut pendings = std::mem::take(&mut self.pendings);
        for thread in 0..self.base.threads.len() {
            let base = &self.base.threads[thread];
            let Some(&frame) = base.frames.last().filter(|_| base.is_alive() && !base.cut) else {
                continue;
            };
            let hash = (frame.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let (known, accesses) = &mut self.pending_of[hash as usize % REMEMBERED];
            if *known != frame.0 {
                self.machine.unpark(thread);
                *known = frame.0;
                *accesses = pending_accesses(&self.machine);
                self.machine.threads.share(&self.base.threads, thread);
            }
            let after = base.buffer.atomic_stores();
            pendings.extend(
                accesses
                    .iter()
                    .map(|access| (thread, Touch { after, ..*access })),
            );
        }
        for number in 0..self.base.threads.len() {
            let recent = self.base.threads.recent(number);
            pendings.extend(recent.iter().map(|touch| (number, *touch)));
        }
        self.strays = has_strays(&self.base.memory, &pendings);
        self.pendings = pendings;
    }

    /// All names were settled within a step, after a thread has run: what threads have accessed or are about to access is known
    /// by its new names from here on, and what that thread has accessed is added.
    pub(super) fn follow_names(&mut self, thread: usize) {
        let machine = &mut self.machine;
        let namer = &self.namer;
        machine.pendings.retain_mut(|(_, touch)| {
            let name = namer.name_of(touch.address.object);
            touch.address.object = name.unwrap_or(touch.address.object);
            name.is_some()
        });
        let recent = machine.threads.recent(thread).iter();
        let recent = recent.map(|touch| (thread, *touch));
        machine.pendings.extend(recent);
        machine.strays = has_strays(&machine.memory, &machine.pendings);
    }
}

/// Whether an object that a thread accessed recently, or is about to access, is another thread's own.
fn has_strays(memory: &Memory<'_>, touches: &[(usize, Touch)]) -> bool {
    let strays = |(thread, touch): &(usize, Touch)| {
        let object = touch.address.object;
        let ObjectKind::Dynamic(number) = object.kind() else {
            return false;
        };
        !memory.observable(object) && memory.bands.band(number) != memory.bands.own(*thread)
    };
    touches.iter().any(strays)
}

/// The accesses that the running thread, which rests, makes next.
fn pending_accesses(machine: &Machine<'_>) -> SmallVec<[Touch; 2]> {
    let at = machine.at;
    let pending = |operand, bytes: u64, access, atomic| {
        let word = machine.read(operand);
        (word.is_defined() && bytes > 0).then(|| Touch {
            place: machine.place(),
            address: Address::from_bits(word.bits),
            bytes,
            access,
            atomic,
            local: false,
            after: 0,
        })
    };
    let size = |operand| {
        let word: Word = machine.read(operand);
        if word.is_defined() { word.bits } else { 0 }
    };
    let found = match &at.function.body.code[at.position as usize] {
        Instruction::Load {
            scalar,
            ordering,
            volatile,
            address,
            ..
        } => {
            let atomic = machine.is_atomic(*ordering, *volatile);
            [
                pending(*address, scalar.bytes() as u64, Access::Read, atomic),
                None,
            ]
        }
        Instruction::Store {
            scalar,
            ordering,
            volatile,
            address,
            ..
        } => {
            let atomic = machine.is_atomic(*ordering, *volatile);
            [
                pending(*address, scalar.bytes() as u64, Access::Write, atomic),
                None,
            ]
        }
        Instruction::Update {
            scalar, address, ..
        }
        | Instruction::CompareExchange {
            scalar, address, ..
        } => [
            pending(*address, scalar.bytes() as u64, Access::Write, true),
            None,
        ],
        Instruction::CopyMemory {
            destination,
            source,
            bytes,
            ..
        } => [
            pending(*source, size(*bytes), Access::Read, false),
            pending(*destination, size(*bytes), Access::Write, false),
        ],
        Instruction::FillMemory {
            destination, bytes, ..
        } => [
            pending(*destination, size(*bytes), Access::Write, false),
            None,
        ],
        _ => [None, None],
    };
    found.into_iter().flatten().collect()
}
