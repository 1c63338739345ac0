//! What the present instruction does to what is in flight.

use crate::state::access_history::OtherAccesses;
use crate::state::memory::Memory;
use crate::state::thread::Threads;

/// The machine before an instruction made delayed stores reach memory.
pub(crate) struct Before<'s> {
    pub(crate) memory: Memory<'s>,
    pub(crate) threads: Threads,
    pub(crate) others: OtherAccesses,
    /// How many events were noted.
    pub(crate) events: usize,
}

/// What the present instruction does to what is in flight, in case it halts after all. Instructions
/// are given by their number in the step.
#[derive(Default)]
pub(crate) struct InFlight<'s> {
    /// Whether the state is drained, so that nothing is in flight from here on.
    drained: bool,
    /// The machine before this instruction made delayed stores reach memory.
    before: Option<(u64, Before<'s>)>,
    /// The instruction that has let all that its thread had in flight reach memory.
    drained_at: Option<u64>,
    /// The instruction that chose a drain order.
    chosen_at: Option<u64>,
}

impl<'s> InFlight<'s> {
    /// A step begins, from a drained state or another one.
    pub(crate) fn begin_step(&mut self, drained: bool) {
        *self = InFlight {
            drained,
            ..InFlight::default()
        };
    }

    /// The present instruction is executed again.
    pub(crate) fn restart_instruction(&mut self) {
        self.begin_step(self.drained);
    }

    /// Returns whether the state is drained.
    #[inline]
    pub(crate) fn is_state_drained(&self) -> bool {
        self.drained
    }

    /// The state is drained from here on.
    pub(crate) fn end(&mut self) {
        self.drained = true;
    }

    /// An instruction has let all that its thread had in flight reach memory.
    pub(crate) fn note_drained(&mut self, instruction: u64) {
        self.drained_at = Some(instruction);
    }

    /// Returns whether it has: acting again is the same action.
    #[inline]
    pub(crate) fn has_drained(&self, instruction: u64) -> bool {
        self.drained_at == Some(instruction)
    }

    /// An instruction has chosen a drain order.
    pub(crate) fn note_choice(&mut self, instruction: u64) {
        self.chosen_at = Some(instruction);
    }

    /// Returns whether it has.
    pub(crate) fn has_chosen(&self, instruction: u64) -> bool {
        self.chosen_at == Some(instruction)
    }

    /// Returns whether the machine before an instruction is kept.
    pub(crate) fn keeps(&self, instruction: u64) -> bool {
        matches!(&self.before, Some((at, _)) if *at == instruction)
    }

    /// Keeps the machine before an instruction.
    pub(crate) fn keep(&mut self, instruction: u64, before: Before<'s>) {
        self.before = Some((instruction, before));
    }

    /// Takes the machine before an instruction, if it is kept. Forgets any other.
    pub(crate) fn take_before(&mut self, instruction: u64) -> Option<Before<'s>> {
        let kept = self.before.take();
        kept.filter(|(at, _)| *at == instruction)
            .map(|(_, before)| before)
    }
}
