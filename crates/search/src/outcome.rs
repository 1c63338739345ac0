//! What a search has found, and what it took.

use impasse_limits::StopReason;
use impasse_transition_system::{Key, Path, TransitionSystem};
use std::time::Duration;

/// The result of a search.
pub struct Outcome<S: TransitionSystem + ?Sized> {
    /// The finding itself.
    pub verdict: Verdict<S::Fault>,
    /// Why transitions were left out: the first few distinct reasons, in deterministic order. If
    /// there are any, `Exhausted` only holds for what was not left out.
    pub omissions: Vec<S::Omission>,
    /// Whether the [noted](crate::Search::note) section may never end. False unless the verdict is
    /// `Exhausted`.
    pub noted_may_hang: bool,
    /// The cost of the search.
    pub statistics: Statistics,
}

/// The finding of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<F> {
    /// Every reachable state was visited. There is no fault, and no hang if the search looked for
    /// them.
    Exhausted,
    /// A fault and the path to it. Of a breadth-first search that explores all transitions the path
    /// is a shortest one.
    Fault {
        /// The fault.
        fault: F,
        /// The path to it; its last ordinal is that of the fault.
        path: Path,
    },
    /// A section that can never end, and the path to the first state from which it cannot.
    Hang {
        /// The key of the section, which is open in that state.
        section: Key,
        /// The path to the state. No hang that was known when the search ended has a shorter path.
        path: Path,
    },
    /// The search was stopped before it found anything.
    Stopped(StopReason),
}

/// The statistics of a search. `states`, `transitions`, `depth` and `terminal` are deterministic
/// unless a limit on memory or time or the user stopped it.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Statistics {
    /// Distinct states found.
    pub states: u64,
    /// Transitions executed, including those that end in faults.
    pub transitions: u64,
    /// Levels begun by a breadth-first search; the greatest depth of a depth-first search.
    pub depth: u64,
    /// States without any transition.
    pub terminal: u64,
    /// The most memory that states, bookkeeping and the system held together, in bytes.
    pub bytes: u64,
    /// The time it took.
    pub elapsed: Duration,
}
