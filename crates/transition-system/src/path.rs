//! A path through a transition system: the ordinal of every choice, from the initial state on.

use crate::system::{Edge, Sink, TransitionSystem};
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

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
    "step {step} of the path takes transition {ordinal} of a state that has {available}; \
     was the path recorded for another program, or with other options?"
)]
pub struct ReplayError {
    /// The step that does not fit, from 0.
    pub step: usize,
    /// The transition that it asks for, from 0.
    pub ordinal: u32,
    /// How many there are; none after a fault.
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

    /// Follows the path through `system` and shows each step to `visit`.
    pub fn replay<S: TransitionSystem + ?Sized>(
        &self,
        system: &S,
        mut visit: impl FnMut(Step<'_, S::Fault>),
    ) -> Result<(), ReplayError> {
        let mut worker = system.worker();
        let mut source: Option<Vec<u8>> = None;
        let mut ended = false;
        for (step, &ordinal) in self.ordinals.iter().enumerate() {
            let mut pick = Pick::<S> {
                ordinal,
                emitted: 0,
                picked: None,
            };
            match &source {
                _ if ended => {}
                None => system.initial(&mut worker, &mut pick),
                Some(state) => {
                    system.successors(&mut worker, state, &mut pick);
                    if pick.picked.is_none() {
                        system.drain(&mut worker, state, &mut pick);
                    }
                }
            }
            let misfit = ReplayError {
                step,
                ordinal,
                available: pick.emitted,
            };
            let source_state = source.as_deref();
            match pick.picked.ok_or(misfit)? {
                Picked::State(target, label) => {
                    let end = StepEnd::State {
                        target: &target,
                        label,
                    };
                    visit(Step {
                        source: source_state,
                        ordinal,
                        end,
                    });
                    source = Some(target);
                }
                Picked::Fault(fault) => {
                    visit(Step {
                        source: source_state,
                        ordinal,
                        end: StepEnd::Fault(fault),
                    });
                    ended = true;
                }
            }
        }
        Ok(())
    }
}

/// A sink that keeps the emission with the given ordinal.
struct Pick<S: TransitionSystem + ?Sized> {
    ordinal: u32,
    emitted: u32,
    picked: Option<Picked<S::Fault>>,
}

enum Picked<F> {
    State(Vec<u8>, u32),
    Fault(F),
}

impl<S: TransitionSystem + ?Sized> Pick<S> {
    fn offer(&mut self, emission: impl FnOnce() -> Picked<S::Fault>) {
        if self.emitted == self.ordinal {
            self.picked = Some(emission());
        }
        self.emitted += 1;
    }
}

impl<S: TransitionSystem + ?Sized> Sink<S> for Pick<S> {
    fn edge(&mut self, edge: Edge<'_>) {
        self.offer(|| Picked::State(edge.target.to_vec(), edge.label));
    }

    fn fault(&mut self, fault: S::Fault) {
        self.offer(|| Picked::Fault(fault));
    }

    fn omission(&mut self, _reason: S::Omission) {}
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
