//! Finite executions, as random walks and minimisation build them.

use super::context::SearchContext;
use super::sampler::ordinal;
use crate::findings::Place;
use impasse_store::Id;
use impasse_transition_system::TransitionSystem;
use rustc_hash::FxHashMap;

/// A finite execution: a state and the transitions taken from it.
pub(super) struct Execution {
    pub(super) root: Id,
    pub(super) steps: Vec<Step>,
}

/// A transition of an execution.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The label that the system gave it.
    pub(super) label: u32,
    pub(super) target: Id,
}

impl Execution {
    /// The state after so many steps.
    pub(super) fn state(&self, steps: usize) -> Id {
        match steps.checked_sub(1) {
            None => self.root,
            Some(last) => self.steps[last].target,
        }
    }

    /// The last state.
    pub(super) fn end(&self) -> Id {
        self.state(self.steps.len())
    }

    /// Returns the path to the last state without cycles: the last transition that the search
    /// itself has found, and the ordinals of those after it.
    pub(super) fn path<S: TransitionSystem + ?Sized>(
        &self,
        context: &mut SearchContext<'_, S>,
    ) -> (Place, Vec<u32>) {
        let steps = self.steps.len();
        let last_visits: FxHashMap<Id, usize> =
            (0..=steps).map(|step| (self.state(step), step)).collect();
        let is_known = |&step: &usize| context.has_reached(self.state(step));
        let mut step = (0..=steps).rev().find(is_known).unwrap_or(0);
        let place = context.place(self.state(step));
        let mut suffix = Vec::new();
        step = last_visits[&self.state(step)];
        while step < steps {
            let taken = self.steps[step];
            suffix.push(ordinal(
                context,
                self.state(step),
                taken.label,
                taken.target,
            ));
            step = last_visits[&taken.target];
        }
        (place, suffix)
    }
}
