//! Collects the transitions of a state that take part in the fixpoint.

use impasse_transition_system::{Branch, Edge, Sink, TransitionSystem};

/// Receives the transitions of one state, but for non-progress edges. `target` says what is kept of
/// an edge.
pub(super) struct OutgoingSink<T, F> {
    target: F,
    /// What is kept of an omitted transition, which might end every section.
    omitted: T,
    pub(super) transitions: Vec<(Branch, T)>,
    /// Whether a fault other than a deadlock can happen.
    pub(super) has_fault: bool,
}

impl<T: Copy, F: FnMut(&Edge<'_>) -> T> OutgoingSink<T, F> {
    pub(super) fn new(omitted: T, target: F) -> Self {
        OutgoingSink {
            target,
            omitted,
            transitions: Vec::new(),
            has_fault: false,
        }
    }
}

impl<S, T, F> Sink<S> for OutgoingSink<T, F>
where
    S: TransitionSystem + ?Sized,
    T: Copy,
    F: FnMut(&Edge<'_>) -> T,
{
    fn edge(&mut self, edge: Edge<'_>) {
        if edge.branch != Branch::NonProgress {
            self.transitions.push((edge.branch, (self.target)(&edge)));
        }
    }

    fn fault(&mut self, fault: S::Fault) {
        self.has_fault |= !S::is_deadlock(&fault);
    }

    fn omission(&mut self, _reason: S::Omission) {
        self.transitions.push((Branch::Schedule, self.omitted));
    }
}
