//! Which transitions are non-progress edges, so that few states have to be drained.
//!
//! *Claim.* A section must be able to end from each drained state (see [`crate::memory_model`]). A
//! step that reads what it would read if all buffers had been drained before is also a step under
//! sequential consistency; every other step emits non-progress edges. What ends through the
//! remaining edges of a state ends from each of its drained states, so the search drains only
//! candidate violations.
//!
//! *Conditions.* A drain order is late if a byte that the step loads from memory afterwards is in
//! the buffer of another thread. Several orders that are not late form one group, as if an input
//! chose among them. A step in which an operation failed spuriously emits only non-progress edges
//! (`docs/internals/spurious.md`). `Draining::Always` drains every state and must give the same
//! verdicts.
//!
//! The argument is in `docs/internals/liveness.md`, section "Delayed stores".

use impasse_transition_system::Branch;

/// Why a step's transitions are non-progress edges, or belong to one group.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ChoiceProvenance {
    /// The drain order was late.
    late: bool,
    /// Several drain orders are not late.
    contested: bool,
    /// An operation has failed spuriously.
    failed: bool,
}

impl ChoiceProvenance {
    /// Notes that the step took the drain order `chosen`. `late` says of each order whether it is
    /// late.
    pub fn chose_order(&mut self, late: &[bool], chosen: usize) {
        self.late |= late[chosen];
        self.contested |= late.iter().filter(|&&late| !late).count() > 1;
    }

    /// Notes that the step reads an old message, or that its store is overtaken by older ones.
    pub fn chose_old(&mut self) {
        self.late = true;
    }

    /// Notes that an operation failed spuriously.
    pub fn failed_spuriously(&mut self) {
        self.failed = true;
    }

    /// Notes that the instruction which chose the drain order had no effect.
    pub fn retract(&mut self) {
        *self = ChoiceProvenance {
            failed: self.failed,
            ..ChoiceProvenance::default()
        };
    }

    /// Returns who selects a transition of the step. `input` says whether an input made its last
    /// choice, `led` whether the step has emitted a transition that is no non-progress edge.
    pub fn branch(self, input: bool, led: bool) -> Branch {
        match self.late || self.failed {
            true => Branch::NonProgress,
            false if (input || self.contested) && led => Branch::Input,
            false => Branch::Schedule,
        }
    }
}
