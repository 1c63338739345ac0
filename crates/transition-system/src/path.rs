//! Paths through a transition system.

use crate::emission::{Emission, Nth, OwnedEdge};
use crate::system::TransitionSystem;
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

/// The path to a state or a fault: the ordinal of the initial state, then the ordinal of the
/// transition taken from each state.
///
/// It is written as numbers joined by dots, and replays in other runs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Path {
    ordinals: Vec<u32>,
}

/// One step of a replayed path.
pub struct Step<'a, F> {
    /// The source state; `None` for the choice of the initial state.
    pub source: Option<&'a [u8]>,
    /// Its ordinal among the transitions of the source.
    pub ordinal: u32,
    /// The target.
    pub end: StepEnd<'a, F>,
}

/// The target of a step.
pub enum StepEnd<'a, F> {
    /// A state.
    State {
        /// The state.
        target: &'a [u8],
        /// The system's label of the transition.
        label: u32,
    },
    /// An error.
    Fault(F),
}

/// The error that a path does not fit the system.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "step {step} of the path takes transition {ordinal} of a state that has {available}; \
     was the path recorded for another program, or with other options?"
)]
pub struct ReplayError {
    /// The index of the step that does not fit, from 0.
    pub step: usize,
    /// The ordinal that it asks for, from 0.
    pub ordinal: u32,
    /// How many transitions the state has; 0 after a fault.
    pub available: u32,
}

impl Path {
    /// Returns the path with these ordinals; the first is that of the initial state.
    pub fn new(ordinals: Vec<u32>) -> Self {
        Path { ordinals }
    }

    /// Returns the ordinals; the first is that of the initial state.
    pub fn ordinals(&self) -> &[u32] {
        &self.ordinals
    }

    /// Executes the path in `system` and calls `visit` for each step. `system` must be the one for
    /// which the path was recorded, with the same options.
    ///
    /// Fails if the path takes a transition that a state does not have, or continues after a fault;
    /// `visit` has then seen the steps before.
    pub fn replay<S: TransitionSystem + ?Sized>(
        &self,
        system: &S,
        mut visit: impl FnMut(Step<'_, S::Fault>),
    ) -> Result<(), ReplayError> {
        let mut worker = system.worker();
        let mut source: Option<Vec<u8>> = None;
        let mut ended = false;
        for (step, &ordinal) in self.ordinals.iter().enumerate() {
            let mut sink = Nth::<S>::new(ordinal);
            match &source {
                _ if ended => {}
                None => system.initial(&mut worker, &mut sink),
                Some(state) => {
                    system.successors(&mut worker, state, &mut sink);
                    if sink.found.is_none() {
                        system.drain(&mut worker, state, &mut sink);
                    }
                }
            }
            let misfit = ReplayError {
                step,
                ordinal,
                available: sink.emitted,
            };
            match sink.found {
                Some(Emission::Edge(OwnedEdge { target, label, .. })) => {
                    visit(Step {
                        source: source.as_deref(),
                        ordinal,
                        end: StepEnd::State {
                            target: &target,
                            label,
                        },
                    });
                    source = Some(target);
                }
                Some(Emission::Fault(fault)) => {
                    visit(Step {
                        source: source.as_deref(),
                        ordinal,
                        end: StepEnd::Fault(fault),
                    });
                    ended = true;
                }
                Some(Emission::Omission(_)) | None => return Err(misfit),
            }
        }
        Ok(())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (step, ordinal) in self.ordinals.iter().enumerate() {
            let dot = if step == 0 { "" } else { "." };
            write!(f, "{dot}{ordinal}")?;
        }
        Ok(())
    }
}

impl FromStr for Path {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let ordinals = match text {
            "" => Vec::new(),
            _ => text.split('.').map(str::parse).collect::<Result<_, _>>()?,
        };
        Ok(Path { ordinals })
    }
}
