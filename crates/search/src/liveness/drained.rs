//! The drained states of candidate violations: what a state becomes when its store buffers are
//! drained and no non-progress edge is taken any more.

use impasse_transition_system::{Numbered, Received, TransitionSystem};

/// Returns how many transitions lead to drained states of `state`: 0 if it is drained itself.
pub(crate) fn count<S: TransitionSystem + ?Sized>(
    system: &S,
    worker: &mut S::Worker,
    state: &[u8],
) -> u32 {
    let mut sink = Numbered::new(|_: Received<'_, S>| {});
    system.drain(worker, state, &mut sink);
    sink.emitted
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
            let mut before = Numbered::new(|_: Received<'_, S>| {});
            system.successors(&mut worker, state, &mut before);
            return (index, before.emitted + number);
        }
        number -= here;
    }
    // Every number belongs to a state unless the system was cancelled; then the search drops what
    // it found.
    (0, 0)
}
