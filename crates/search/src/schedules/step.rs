//! One step of a run: a sink that keeps one random transition of each label and asks for as few
//! labels as it needs.

use super::pick::Picker;
use fastrand::Rng;
use impasse_transition_system::{Edge, Sink, SuccessorFilter, TransitionSystem};

/// The transition that a run takes.
pub(super) enum Chosen<S: TransitionSystem + ?Sized> {
    State { label: u32, target: Vec<u8> },
    Fault(S::Fault),
    Omission(S::Omission),
}

/// Transitions with one label.
struct Candidate<S: TransitionSystem + ?Sized> {
    label: u32,
    /// How many there were, each selected with the same probability.
    alternatives: usize,
    selected: Chosen<S>,
    silent: bool,
}

/// Chooses a transition.
pub(super) struct StepSink<'r, S: TransitionSystem + ?Sized> {
    picker: &'r mut Picker,
    random: &'r mut Rng,
    candidates: Vec<Candidate<S>>,
    /// The label that was asked for last.
    asked: Option<u32>,
}

/// The label of faults and omissions that come without having been asked for.
const NO_LABEL: u32 = u32::MAX;

impl<'r, S: TransitionSystem + ?Sized> StepSink<'r, S> {
    /// Returns a sink for one step of a run.
    pub(super) fn new(picker: &'r mut Picker, random: &'r mut Rng) -> Self {
        StepSink {
            picker,
            random,
            candidates: Vec::new(),
            asked: None,
        }
    }

    /// Whether nothing was received.
    pub(super) fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Returns the transition to take, if there is any.
    pub(super) fn chosen(mut self) -> Option<Chosen<S>> {
        let labels: Vec<u32> = self.candidates.iter().map(|known| known.label).collect();
        let label = match (labels.as_slice(), self.asked) {
            ([], _) => return None,
            ([only], _) => *only,
            (several, Some(asked)) if several.contains(&asked) => asked,
            (several, _) => self.picker.pick(several, self.random),
        };
        let is_it = |known: &Candidate<S>| known.label == label;
        let at = self.candidates.iter().position(is_it)?;
        let candidate = self.candidates.swap_remove(at);
        self.picker.moved(label, candidate.silent);
        Some(candidate.selected)
    }

    /// Receives a transition: each with the same label is selected with the same probability.
    fn receive(&mut self, label: u32, silent: bool, selected: impl FnOnce() -> Chosen<S>) {
        let label = self.asked.unwrap_or(label);
        match self
            .candidates
            .iter_mut()
            .find(|known| known.label == label)
        {
            Some(known) => {
                known.alternatives += 1;
                if self.random.usize(..known.alternatives) == 0 {
                    known.selected = selected();
                    known.silent = silent;
                }
            }
            None => self.candidates.push(Candidate {
                label,
                alternatives: 1,
                selected: selected(),
                silent,
            }),
        }
    }
}

impl<S: TransitionSystem + ?Sized> Sink<S> for StepSink<'_, S> {
    fn edge(&mut self, edge: Edge<'_>) {
        self.receive(edge.label, edge.silent, || Chosen::State {
            label: edge.label,
            target: edge.target.to_vec(),
        });
    }

    fn fault(&mut self, fault: S::Fault) {
        self.receive(NO_LABEL, false, || Chosen::Fault(fault));
    }

    fn omission(&mut self, reason: S::Omission) {
        self.receive(NO_LABEL, false, || Chosen::Omission(reason));
    }
}

impl<S: TransitionSystem + ?Sized> SuccessorFilter<S> for StepSink<'_, S> {
    fn next_label(&mut self, labels: &[u32]) -> Option<u32> {
        let known: Vec<u32> = self.candidates.iter().map(|known| known.label).collect();
        match self.asked {
            None => {
                let exists = |label| labels.contains(&label) || known.contains(&label);
                self.picker.keep(exists);
            }
            // It can move.
            Some(asked) if known.contains(&asked) => return None,
            Some(_) => {}
        }
        if labels.is_empty() {
            return None;
        }
        let label = self
            .picker
            .pick(&[&known[..], labels].concat(), self.random);
        if known.contains(&label) {
            return None;
        }
        self.asked = Some(label);
        self.asked
    }
}
