//! The choices of a step.

use crate::machine::choice_provenance::ChoiceProvenance;
use impasse_transition_system::Branch;

/// How many choices a step makes by inputs that are followed symbolically.
const MOST_BY_TERMS: u32 = 4;

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
    /// How many choices were made that an adversary makes by inputs which are followed
    /// symbolically.
    by_terms: u32,
    /// Whether another one was.
    by_others: bool,
    /// Whether an adversary makes the next one by such inputs.
    next_by_terms: bool,
    provenance: ChoiceProvenance,
}

impl Choices {
    /// A step begins.
    pub(crate) fn begin_step(&mut self) {
        self.end_instruction();
        self.made = false;
        (self.by_terms, self.by_others, self.next_by_terms) = (0, false, false);
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
        match std::mem::take(&mut self.next_by_terms) {
            true => self.by_terms += 1,
            false => self.by_others = true,
        }
    }

    /// Returns whether only earlier instructions of the step have made choices.
    pub(crate) fn are_of_earlier_instructions(&self) -> bool {
        self.made && self.outcomes.is_empty()
    }

    /// Notes that an adversary makes the choice that is missing by inputs which are followed
    /// symbolically.
    pub(crate) fn miss_by_terms(&mut self) {
        self.next_by_terms = true;
    }

    /// Returns whether the step has made choices and may not make one more by inputs that are
    /// followed symbolically.
    pub(crate) fn are_enough(&self) -> bool {
        self.by_others || self.by_terms >= MOST_BY_TERMS
    }

    /// Returns the outcome of the next choice, if there is one.
    pub(crate) fn take(&mut self) -> Option<u32> {
        let outcome = self.outcomes.get(self.taken).copied()?;
        self.taken += 1;
        Some(outcome)
    }

    /// Returns whether an earlier instruction of the step has made a choice, and the present one
    /// none so far, so that the step ends before it. An adversary may make several by inputs that
    /// are followed symbolically: all outcomes are in one group.
    pub(crate) fn end_step(&self) -> bool {
        let is_one_more = self.next_by_terms && !self.are_enough();
        self.made && self.outcomes.is_empty() && !is_one_more
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
