//! The drained states of candidate violations: what a state becomes when its store buffers are
//! drained and no non-progress edge is taken any more.

use impasse_transition_system::{Edge, Sink, TransitionSystem};

/// Returns how many transitions lead to drained states of `state`: 0 if it is drained itself.
pub(crate) fn count<S: TransitionSystem + ?Sized>(
    system: &S,
    worker: &mut S::Worker,
    state: &[u8],
) -> u32 {
    let mut count = Count(0);
    system.drain(worker, state, &mut count);
    count.0
}

/// The transitions that drain `states` are numbered one state after the other. Returns the index of
/// the state that transition `number` leaves, and its ordinal there.
pub(crate) fn origin<S: TransitionSystem + ?Sized>(
    system: &S,
    states: &[Vec<u8>],
    mut number: u32,
) -> (usize, u32) {
    let mut worker = system.worker();
    for (index, state) in states.iter().enumerate() {
        let here = count(system, &mut worker, state);
        if number < here {
            let mut before = Count(0);
            system.successors(&mut worker, state, &mut before);
            return (index, before.0 + number);
        }
        number -= here;
    }
    // Every number belongs to a state unless the system was cancelled; then the search drops what
    // it found.
    (0, 0)
}

/// Counts transitions.
struct Count(u32);

impl<S: TransitionSystem + ?Sized> Sink<S> for Count {
    fn edge(&mut self, _: Edge<'_>) {
        self.0 += 1;
    }

    fn fault(&mut self, _: S::Fault) {
        self.0 += 1;
    }

    fn omission(&mut self, _: S::Omission) {}
}
