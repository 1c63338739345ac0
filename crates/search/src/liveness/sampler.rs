//! The successor sampler: selects one transition of a state and lets the system generate no more
//! transitions than that takes.
//!
//! A sampled transition only guides a random walk. The state at the end of the walk is checked with
//! all its transitions (see `region`), and its path is reported by ordinals, so a transition that
//! the sampler leaves out cannot cause a false hang.

use super::context::SearchContext;
use fastrand::Rng;
use impasse_store::Id;
use impasse_transition_system::{
    Branch, Edge, Ends, Key, Numbered, Received, Sink, SuccessorFilter, TransitionSystem,
};

/// Which transition is selected.
pub(super) enum Selection<'r> {
    /// A random one: first a label among those that have transitions, then one of its transitions.
    /// Never a non-progress edge.
    Random(&'r mut Rng),
    /// The first transition with this label that is no non-progress edge.
    Label(u32),
    /// The transition with this ordinal.
    Ordinal(u32),
}

/// A selected transition.
pub(super) struct Sample {
    pub(super) label: u32,
    pub(super) target: Id,
    /// The sections that it ends; `None` if it ends the program.
    pub(super) ended: Option<Vec<Key>>,
}

/// The result of sampling.
pub(super) enum Sampled {
    Transition(Sample),
    /// A fault was among the generated transitions.
    Fault,
    /// There was no transition to select.
    Nothing,
}

/// Selects a transition of `state`.
pub(super) fn sample<S: TransitionSystem + ?Sized>(
    context: &mut SearchContext<'_, S>,
    state: Id,
    selection: Selection<'_>,
) -> Sampled {
    let mut sampler = Sampler {
        selection,
        selected: None,
        alternatives: 0,
        next_ordinal: 0,
        has_fault: false,
        has_asked: false,
    };
    let (system, worker) = (context.system, &mut *context.workers[0]);
    let source = context.states.get(state);
    match sampler.selection {
        Selection::Ordinal(_) => system.successors(worker, source, &mut sampler),
        _ => system.lazy_successors(worker, source, &mut sampler),
    }
    match sampler.selected {
        _ if sampler.has_fault => Sampled::Fault,
        None => Sampled::Nothing,
        Some(Selected {
            label,
            target,
            ended,
        }) => Sampled::Transition(Sample {
            label,
            target: context.states.intern(&target).id,
            ended,
        }),
    }
}

/// Returns the ordinal among all transitions of `state` of the one with a label and a target.
pub(super) fn ordinal<S: TransitionSystem + ?Sized>(
    context: &mut SearchContext<'_, S>,
    state: Id,
    label: u32,
    target: Id,
) -> u32 {
    let target = context.states.get(target);
    let mut found = None;
    let mut sink = Numbered::new(|received: Received<'_, S>| match received {
        Received::Edge(ordinal, edge) if (edge.label, edge.target) == (label, target) => {
            found.get_or_insert(ordinal);
        }
        _ => {}
    });
    let source = context.states.get(state);
    context
        .system
        .successors(context.workers[0], source, &mut sink);
    // It is one of them unless the system was cancelled; then the search drops what it found.
    found.unwrap_or_default()
}

/// A transition as it was emitted.
struct Selected {
    label: u32,
    target: Vec<u8>,
    ended: Option<Vec<Key>>,
}

struct Sampler<'r> {
    selection: Selection<'r>,
    selected: Option<Selected>,
    /// How many transitions the random selection had to choose from.
    alternatives: usize,
    next_ordinal: u32,
    has_fault: bool,
    has_asked: bool,
}

impl<S: TransitionSystem + ?Sized> Sink<S> for Sampler<'_> {
    fn edge(&mut self, edge: Edge<'_>) {
        let ordinal = self.next_ordinal;
        self.next_ordinal += 1;
        let is_selected = match &mut self.selection {
            Selection::Ordinal(wanted) => ordinal == *wanted,
            _ if edge.branch == Branch::NonProgress => false,
            Selection::Label(wanted) => edge.label == *wanted && self.selected.is_none(),
            Selection::Random(random) => {
                self.alternatives += 1;
                // Reservoir sampling: each has the same probability, whatever their number.
                random.usize(..self.alternatives) == 0
            }
        };
        if is_selected {
            self.selected = Some(Selected {
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

impl<S: TransitionSystem + ?Sized> SuccessorFilter<S> for Sampler<'_> {
    fn next_label(&mut self, labels: &[u32]) -> Option<u32> {
        let has_asked = std::mem::replace(&mut self.has_asked, true);
        match &mut self.selection {
            _ if self.selected.is_some() || self.has_fault => None,
            Selection::Random(random) => random.choice(labels).copied(),
            Selection::Label(label) if !has_asked && labels.contains(label) => Some(*label),
            _ => None,
        }
    }
}
