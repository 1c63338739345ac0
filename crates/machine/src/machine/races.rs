//! What a step knows of other threads' accesses, and what it leaves for them.

use crate::state::access_history::{Conflict, MemoryAccess, OtherAccesses};

/// What a step compares its accesses with, and those that later steps are compared with.
#[derive(Default)]
pub(crate) struct Races {
    /// What other threads have accessed recently, and access next.
    others: OtherAccesses,
    /// Accesses of the step that others may race with, while the step is recorded.
    accesses: Vec<MemoryAccess>,
    /// Whether an outcome of the step has ended in a race.
    raced: bool,
}

impl Races {
    /// Continues with these accesses of other threads.
    pub(crate) fn restore(&mut self, others: &OtherAccesses) {
        self.others.clone_from(others);
    }

    /// Begins to record a step, with all of its outcomes.
    pub(crate) fn begin_recording(&mut self) {
        self.accesses.clear();
        self.raced = false;
    }

    /// What other threads have accessed recently, and access next.
    #[inline]
    pub(crate) fn others(&self) -> &OtherAccesses {
        &self.others
    }

    /// The same, to be changed.
    pub(crate) fn others_mut(&mut self) -> &mut OtherAccesses {
        &mut self.others
    }

    /// Returns the access of another thread that an access of this one conflicts with, and notes
    /// that there is one.
    pub(crate) fn conflict(&mut self, thread: usize, mine: &MemoryAccess) -> Option<Conflict> {
        let found = self.others.conflict(thread, mine);
        self.raced |= found.is_some();
        found
    }

    /// Records an access of the running thread.
    pub(crate) fn record(&mut self, mine: MemoryAccess) {
        self.accesses.push(mine);
    }

    /// Takes the recorded accesses.
    pub(crate) fn take_recorded(&mut self) -> impl Iterator<Item = MemoryAccess> {
        self.accesses.drain(..)
    }

    /// An access races with one in the happens-before history.
    pub(crate) fn note_race(&mut self) {
        self.raced = true;
    }

    /// Returns whether an outcome of the step has ended in a race since the recording began.
    pub(crate) fn has_raced(&self) -> bool {
        self.raced
    }
}
