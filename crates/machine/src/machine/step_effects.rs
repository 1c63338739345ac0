//! What a step does besides changing the state.

use crate::base::section_type::SectionType;
use impasse_transition_system::Key;
use smallvec::SmallVec;

/// What a step does besides changing the state: what its transition must say, and which threads
/// continue in it.
#[derive(Clone, Default)]
pub(crate) struct StepEffects {
    /// Threads that the step started, still at their beginning.
    started: Vec<usize>,
    /// Sections that the step has ended.
    ended: SmallVec<[Key; 2]>,
    /// The type of section that the running thread was in, waiting, when its step began.
    waited_for: Option<SectionType>,
    /// Whether the step did what counts as a change although the state shows none: it printed, or
    /// read a clock that shows its last time.
    changes: bool,
}

impl StepEffects {
    /// A step begins, which has done nothing.
    pub(crate) fn begin_step(&mut self) {
        self.started.clear();
        self.ended.clear();
        self.changes = false;
    }

    /// A thread begins its step, which ends its wait.
    pub(crate) fn begin_thread(&mut self, waited_for: Option<SectionType>) {
        self.waited_for = waited_for;
    }

    /// Returns the type of section that the running thread waited in before.
    pub(crate) fn waited_for(&self) -> Option<SectionType> {
        self.waited_for
    }

    /// A thread continues in this step, the one that is added last first.
    pub(crate) fn start_thread(&mut self, thread: usize) {
        self.started.push(thread);
    }

    /// Takes the next thread that continues in this step.
    pub(crate) fn take_started(&mut self) -> Option<usize> {
        self.started.pop()
    }

    /// The threads that the step started continue in steps of their own.
    pub(crate) fn release_started(&mut self) {
        self.started.clear();
    }

    /// A section ends.
    pub(crate) fn end_section(&mut self, section: Key) {
        self.ended.push(section);
    }

    /// No section has ended after all: a handler runs first.
    pub(crate) fn retract_ends(&mut self) {
        self.ended.clear();
    }

    /// Returns the sections that have ended.
    pub(crate) fn ended(&self) -> &SmallVec<[Key; 2]> {
        &self.ended
    }

    /// The step does what counts as a change although the state shows none.
    pub(crate) fn note_change(&mut self) {
        self.changes = true;
    }

    /// Returns whether it does.
    pub(crate) fn counts_as_change(&self) -> bool {
        self.changes
    }
}
