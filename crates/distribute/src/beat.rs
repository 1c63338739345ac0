//! What the supervisors of processes say to each other.

use impasse_search::{LiveStatistics, Share};
use serde::{Deserialize, Serialize};

/// What one process says to another one.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Beat {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Whether all its workers have ended.
    pub(crate) ended: bool,
    /// Why to stop, as a number.
    pub(crate) stop: u8,
    pub(crate) figures: Figures,
}

/// What the workers of a process have found so far.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Figures {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) waiting: u64,
    pub(crate) bytes: u64,
}

impl Figures {
    pub(crate) fn of(live: &LiveStatistics) -> Figures {
        Figures {
            states: live.states(),
            transitions: live.transitions(),
            waiting: live.waiting(),
            bytes: live.bytes(),
        }
    }

    fn share(&self) -> Share {
        Share {
            waiting: self.waiting,
            bytes: self.bytes,
        }
    }

    /// Replaces these in the statistics of all processes.
    pub(crate) fn replace(&mut self, after: Figures, live: &LiveStatistics) {
        live.add(
            after.states.wrapping_sub(self.states),
            after.transitions.wrapping_sub(self.transitions),
        );
        live.replace(self.share(), after.share());
        *self = after;
    }
}
