//! The choices of a step.

use crate::machine::choice_provenance::ChoiceProvenance;
use impasse_transition_system::Branch;

/// The outcomes that the present instruction takes of its choices, and what the step owes to its
/// choices.
///
/// An instruction that needs an outcome beyond these halts without an effect. It is executed again
/// when an outcome is added.
#[derive(Clone, Default)]
pub(crate) struct Choices {
    outcomes: Vec<u32>,
    /// How many of them the instruction has taken.
    taken: usize,
    /// Whether an instruction of the step has made a choice.
    made: bool,
    provenance: ChoiceProvenance,
}

impl Choices {
    /// A step begins.
    pub(crate) fn begin_step(&mut self) {
        self.end_instruction();
        self.made = false;
        self.provenance = ChoiceProvenance::default();
    }

    /// The instruction that took the outcomes is over.
    #[inline]
    pub(crate) fn end_instruction(&mut self) {
        if !self.outcomes.is_empty() {
            self.outcomes.clear();
            self.taken = 0;
        }
    }

    /// Adds the outcome of one more choice, before the instruction is executed again.
    pub(crate) fn add(&mut self, outcome: u32) {
        self.outcomes.push(outcome);
        self.taken = 0;
        self.made = true;
    }

    /// Returns the outcome of the next choice, if there is one.
    pub(crate) fn take(&mut self) -> Option<u32> {
        let outcome = self.outcomes.get(self.taken).copied()?;
        self.taken += 1;
        Some(outcome)
    }

    /// Returns whether an earlier instruction of the step has made a choice, and the present one
    /// none so far.
    pub(crate) fn are_of_earlier_instruction(&self) -> bool {
        self.made && self.outcomes.is_empty()
    }

    /// Why the transitions of the step may be no progress.
    pub(crate) fn provenance(&mut self) -> &mut ChoiceProvenance {
        &mut self.provenance
    }

    /// Returns who selects the step's next transition ([`ChoiceProvenance::branch`]).
    pub(crate) fn branch(&self, input: bool, led: bool) -> Branch {
        self.provenance.branch(input, led)
    }
}
