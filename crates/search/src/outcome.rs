//! What a search has found, and what it took.

use impasse_limits::StopReason;
use impasse_transition_system::{Key, Path, TransitionSystem};
use std::time::Duration;

/// The result of a search.
pub struct Outcome<S: TransitionSystem + ?Sized> {
    /// The finding itself.
    pub verdict: Verdict<S::Fault>,
    /// Why parts of the space were left out: the first few distinct reasons, in deterministic
    /// order. When there are any, `Exhausted` only speaks of what was not left out.
    pub omissions: Vec<S::Omission>,
    /// Whether the section that was to be noted may never end, where everything was visited.
    pub endless: bool,
    /// What the search took.
    pub statistics: Statistics,
}

/// The finding of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<F> {
    /// Every reachable state was visited and no fault found, nor a hang if they were looked for.
    Exhausted,
    /// A fault, and how to reach it; breadth-first, no path is shorter.
    Fault {
        /// The fault.
        fault: F,
        /// The way to it; its last ordinal is that of the fault.
        path: Path,
    },
    /// A section that can never end, and how to get to the first state from which it cannot.
    Hang {
        /// The key of the section, which is open in that state.
        section: Key,
        /// The way to the state; no shorter one leads to a hang that was known when this one was
        /// found.
        path: Path,
    },
    /// The search was cut short, having found nothing so far.
    Stopped(StopReason),
}

/// The figures of a search. `states`, `transitions`, `levels`, and `terminal` are
/// deterministic unless it was stopped by memory, time or somebody.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Statistics {
    /// Distinct states found.
    pub states: u64,
    /// Transitions followed, those that end in faults included.
    pub transitions: u64,
    /// Breadth-first, levels begun; depth-first, the greatest depth.
    pub depth: u64,
    /// States without any transition.
    pub terminal: u64,
    /// The most memory that states, bookkeeping, and the system held together.
    pub bytes: u64,
    /// The time it took.
    pub elapsed: Duration,
}
