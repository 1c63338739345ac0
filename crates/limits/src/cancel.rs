//! The request to stop.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What cut a search short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The limit on the number of states.
    States,
    /// A search that tries the values of inputs one by one has tried as many as it may.
    Inputs,
    /// The limit on memory, or the machine's memory is nearly full.
    Memory,
    /// The folder for states on disk cannot be used any more.
    Disk,
    /// The limit on time.
    Time,
    /// The user asked for it.
    Interrupted,
    /// Another search of the same program has an answer.
    Superseded,
}

impl StopReason {
    /// Returns the reason in words, with the option that raises the limit.
    pub fn in_words(self) -> &'static str {
        match self {
            StopReason::States => "the limit on states (--max-states) was reached",
            StopReason::Inputs => "inputs have too many values to try one by one",
            StopReason::Memory => {
                "the limit on memory (--max-memory, or what the machine has) was reached"
            }
            StopReason::Disk => {
                "the folder for states (--states-on-disk) is full, or files cannot be made there"
            }
            StopReason::Time => "the limit on time (--max-time) was reached",
            StopReason::Interrupted => "the search was interrupted",
            StopReason::Superseded => "another search has the answer",
        }
    }
}

/// A request to stop a run, with the reason. Every long loop polls it.
#[derive(Default, Debug)]
pub struct Cancel(AtomicU8);

/// What a [`Cancel`] holds, by reason.
const REASONS: [StopReason; 4] = [
    StopReason::Memory,
    StopReason::Disk,
    StopReason::Time,
    StopReason::Interrupted,
];

impl Cancel {
    /// Returns a request that has not been made.
    pub const fn new() -> Cancel {
        Cancel(AtomicU8::new(0))
    }

    /// Requests the stop. The first reason stays. [`StopReason::States`] is no valid reason here
    /// and requests nothing: only a search itself counts states.
    pub fn cancel(&self, reason: StopReason) {
        let number = REASONS.iter().position(|&known| known == reason);
        let number = number.map_or(0, |at| at as u8 + 1);
        let _ = self.0.compare_exchange(0, number, Relaxed, Relaxed);
    }

    /// Returns the reason to stop, or `None` if no stop was requested.
    pub fn reason(&self) -> Option<StopReason> {
        let number = self.0.load(Relaxed);
        REASONS.get((number as usize).wrapping_sub(1)).copied()
    }

    /// Returns whether a stop was requested.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed) != 0
    }

    /// Withdraws the request, for work that must be finished in any case.
    pub fn clear(&self) {
        self.0.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_stays() {
        let cancel = Cancel::new();
        assert_eq!(cancel.reason(), None);
        cancel.cancel(StopReason::Time);
        cancel.cancel(StopReason::Memory);
        assert_eq!(cancel.reason(), Some(StopReason::Time));
        cancel.clear();
        assert!(!cancel.is_cancelled());
    }
}
