//! What one worker keeps to find sections that can never end, and what it finds.

use crate::recorder::Recorder;
use impasse_limits::StopReason;
use impasse_transition_system::Key;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// States before the first check.
const FIRST_CHECK: u64 = 1 << 6;

/// What one worker keeps to find hangs.
pub(crate) struct Hangs {
    pub(crate) recorder: Recorder,
    pub(crate) noted: Option<Key>,
    /// The ranks of states that were drained because a section did not end from them.
    pub(crate) drained: HashSet<u32>,
    pub(crate) next_check: u64,
}

/// A state from which a section can never end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct Hang {
    pub(crate) level: u32,
    pub(crate) worker: u32,
    pub(crate) rank: u32,
    /// The key of the section.
    pub(crate) key: u64,
}

impl Hang {
    pub(crate) fn section(&self) -> Key {
        Key(self.key)
    }
}

/// How a check ends, for all workers alike.
pub(crate) enum Checked {
    /// A worker has found a hang.
    Found,
    /// Nothing is certain, or all sections can end.
    Nothing,
    /// States were drained, which must be explored.
    Drained,
    /// The search must stop.
    Stopped(StopReason),
}

impl Hangs {
    pub(crate) fn new(noted: Option<Key>) -> Self {
        Hangs {
            recorder: Recorder::new(noted),
            noted,
            drained: HashSet::new(),
            next_check: FIRST_CHECK,
        }
    }

    /// Whether a check is due, with so many states found.
    pub(crate) fn is_due(&self, states: u64) -> bool {
        states >= self.next_check
    }

    /// Notes that a check is made, with so many states found.
    pub(crate) fn check(&mut self, states: u64) {
        self.next_check = (4 * states).max(FIRST_CHECK);
    }
}
