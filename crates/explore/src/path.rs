//! A path through a transition system: the ordinal of every choice, from the initial state on.

use crate::system::TransitionSystem;

/// The way to a state or a fault: which initial state, then which transition of each state.
///
/// Written as numbers joined by dots, it can be kept and replayed in another run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Path {
    ordinals: Vec<u32>,
}

/// One step of a replayed path.
pub struct Step<'a, F> {
    /// The state that it starts from; none for the choice of the initial state.
    pub source: Option<&'a [u8]>,
    /// Its number among the source's transitions.
    pub ordinal: u32,
    /// Where it leads.
    pub end: StepEnd<'a, F>,
}

/// Where a step leads.
pub enum StepEnd<'a, F> {
    /// To a state.
    State {
        /// The state.
        target: &'a [u8],
        /// The label that the system gave the transition.
        label: u32,
    },
    /// To an error.
    Fault(F),
}

/// A path that does not fit the system that it was replayed through.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the path does not fit: its step {step} takes transition {ordinal}, but there are only {available} to states; was the path recorded for another program or other options?"
)]
pub struct ReplayError {
    /// The step that does not fit, from 0.
    pub step: usize,
    /// The transition that it asks for.
    pub ordinal: u32,
    /// How many there are.
    pub available: u32,
}

impl Path {
    /// The path that takes these choices.
    pub fn new(ordinals: Vec<u32>) -> Self {
        Path { ordinals }
    }

    /// The choices: first that of the initial state.
    pub fn ordinals(&self) -> &[u32] {
        &self.ordinals
    }

    /// Follows the path through `system`, step by step.
    pub fn replay<S: TransitionSystem + ?Sized>(
        &self,
        _system: &S,
        _visit: impl FnMut(Step<'_, S::Fault>),
    ) -> Result<(), ReplayError> {
        todo!()
    }
}
