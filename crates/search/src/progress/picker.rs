//! Picks one of the transitions that leave a state, and asks the system for no more of them than that takes.
//!
//! What is picked only leads a walk somewhere. What the walk ends in is then looked at with all transitions (see `region`), and its way is told by
//! their numbers, so that nothing that is left out here can make a hang of what is none.

use super::sections::Known;
use super::walk::Step;
use fastrand::Rng;
use impasse_store::Id;
use impasse_transition_system::{Branch, Edge, Ends, Key, Sink, SuccessorFilter, TransitionSystem};

/// How a transition is picked.
pub(super) enum Choice<'r> {
    /// Who moves is picked at random among those who can, and then one of that mover's transitions; never one of chance.
    Random(&'r mut Rng),
    /// The first transition with this label that is not one of chance.
    Label(u32),
    /// The one with this number.
    Ordinal(u32),
}

/// A transition that was picked.
pub(super) struct Pick {
    pub(super) label: u32,
    pub(super) target: Id,
    /// What it ends; none if it ends the program.
    pub(super) ended: Option<Vec<Key>>,
}

/// What came of picking.
pub(super) enum Picked {
    Transition(Pick),
    /// A fault is among what might have been picked.
    Fault,
    /// There is nothing to pick.
    Nothing,
}

/// Picks a transition that leaves a state.
pub(super) fn pick<S: TransitionSystem + ?Sized>(
    known: &mut Known<'_, S>,
    state: Id,
    choice: Choice<'_>,
) -> Picked {
    let mut picker = Picker {
        picked: None,
        choices: 0,
        next_ordinal: 0,
        has_fault: false,
        has_asked: false,
        choice,
    };
    let (system, worker) = (known.system, &mut *known.workers[0]);
    let source = known.states.get(state);
    match picker.choice {
        Choice::Ordinal(_) => system.successors(worker, source, &mut picker),
        _ => system.lazy_successors(worker, source, &mut picker),
    }
    match picker.picked {
        _ if picker.has_fault => Picked::Fault,
        None => Picked::Nothing,
        Some(Found {
            label,
            target,
            ended,
        }) => Picked::Transition(Pick {
            label,
            target: known.states.intern(&target).id,
            ended,
        }),
    }
}

/// The number of a transition among all that leave a state.
pub(super) fn ordinal<S: TransitionSystem + ?Sized>(
    known: &mut Known<'_, S>,
    state: Id,
    step: Step,
) -> u32 {
    let mut count = CountUpTo {
        label: step.label,
        target: known.states.get(step.target),
        next: 0,
        found: None,
    };
    let source = known.states.get(state);
    known
        .system
        .successors(known.workers[0], source, &mut count);
    // It is one of those, unless the system was cancelled; what the search finds then is dropped.
    count.found.unwrap_or_default()
}

/// A transition as it was emitted.
struct Found {
    label: u32,
    target: Vec<u8>,
    ended: Option<Vec<Key>>,
}

struct Picker<'r> {
    choice: Choice<'r>,
    picked: Option<Found>,
    /// How many there were to pick from at random.
    choices: usize,
    next_ordinal: u32,
    has_fault: bool,
    has_asked: bool,
}

impl<S: TransitionSystem + ?Sized> Sink<S> for Picker<'_> {
    fn edge(&mut self, edge: Edge<'_>) {
        let ordinal = self.next_ordinal;
        self.next_ordinal += 1;
        let is_picked = match &mut self.choice {
            Choice::Ordinal(wanted) => ordinal == *wanted,
            _ if edge.branch == Branch::NonProgress => false,
            Choice::Label(wanted) => edge.label == *wanted && self.picked.is_none(),
            Choice::Random(random) => {
                self.choices += 1;
                // Each is picked with the same probability, whatever their number.
                random.usize(..self.choices) == 0
            }
        };
        if is_picked {
            self.picked = Some(Found {
                label: edge.label,
                target: edge.target.to_vec(),
                ended: match edge.ends {
                    Ends::Program => None,
                    Ends::Sections(keys) => Some(keys.to_vec()),
                },
            });
        }
    }

    fn fault(&mut self, fault: S::Fault) {
        self.next_ordinal += 1;
        self.has_fault |= !S::is_deadlock(&fault);
    }

    fn omission(&mut self, _reason: S::Omission) {}
}

impl<S: TransitionSystem + ?Sized> SuccessorFilter<S> for Picker<'_> {
    fn next_label(&mut self, labels: &[u32]) -> Option<u32> {
        let has_asked = std::mem::replace(&mut self.has_asked, true);
        match &mut self.choice {
            _ if self.picked.is_some() || self.has_fault => None,
            Choice::Random(random) => random.choice(labels).copied(),
            Choice::Label(label) if !has_asked && labels.contains(label) => Some(*label),
            _ => None,
        }
    }
}

/// Counts transitions up to the first with some label and target.
struct CountUpTo<'a> {
    label: u32,
    target: &'a [u8],
    next: u32,
    found: Option<u32>,
}

impl<S: TransitionSystem + ?Sized> Sink<S> for CountUpTo<'_> {
    fn edge(&mut self, edge: Edge<'_>) {
        if edge.label == self.label && edge.target == self.target {
            self.found.get_or_insert(self.next);
        }
        self.next += 1;
    }

    fn fault(&mut self, _fault: S::Fault) {
        self.next += 1;
    }

    fn omission(&mut self, _reason: S::Omission) {}
}
