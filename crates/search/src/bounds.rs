//! The bounds of one search: the number of states, how many values of inputs it tries, and the
//! request to stop.

use impasse_limits::{Cancel, StopReason};
use impasse_transition_system::TransitionSystem;
use std::time::{Duration, Instant};

/// The most states that can be numbered, with room for those found before a search notices.
const NUMBERABLE: u64 = 4_000_000_000;

/// For a search that is never stopped from outside.
pub(crate) static NEVER: Cancel = Cancel::new();

/// When a search must stop.
#[derive(Clone, Copy)]
pub(crate) struct Bounds<'a> {
    started: Instant,
    states: u64,
    inputs: Option<u64>,
    cancel: &'a Cancel,
}

impl<'a> Bounds<'a> {
    /// Bounds of a search that begins now.
    pub(crate) fn new(states: Option<u64>, cancel: &'a Cancel) -> Self {
        Bounds {
            started: Instant::now(),
            states: states.unwrap_or(NUMBERABLE).min(NUMBERABLE),
            inputs: None,
            cancel,
        }
    }

    /// The same for a search that tries about so many values of inputs at most.
    pub(crate) fn with_inputs(self, inputs: Option<u64>) -> Self {
        Bounds { inputs, ..self }
    }

    /// What stops it, besides its own limit.
    pub(crate) fn cancel(&self) -> &'a Cancel {
        self.cancel
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// How many more states may be found.
    pub(crate) fn states_left(&self, states: u64) -> u64 {
        self.states.saturating_sub(states)
    }

    /// Whether the number of values of inputs is bounded that a search may try of this system,
    /// which has tried some.
    pub(crate) fn limits_inputs<S: TransitionSystem + ?Sized>(&self, system: &S) -> bool {
        self.inputs.is_some() && system.has_tried_inputs()
    }

    /// Why to stop, with so many transitions of which inputs select one.
    pub(crate) fn check_inputs<S: TransitionSystem + ?Sized>(
        &self,
        system: &S,
        inputs: u64,
    ) -> Option<StopReason> {
        let is_over = self.inputs.is_some_and(|most| inputs > most) && system.has_tried_inputs();
        is_over.then_some(StopReason::Inputs)
    }

    /// Why to stop, with so many states found.
    pub(crate) fn check_states(&self, states: u64) -> Option<StopReason> {
        (states > self.states).then_some(StopReason::States)
    }
}
