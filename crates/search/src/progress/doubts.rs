//! States with sections that do not end without chance, as far as is known: what they settle to.

use impasse_transition_system::{Edge, Sink, TransitionSystem};

/// How many transitions lead to what a state settles to.
pub(crate) fn settled<S: TransitionSystem + ?Sized>(
    system: &S,
    worker: &mut S::Worker,
    state: &[u8],
) -> u32 {
    let mut count = Count(0);
    system.drain(worker, state, &mut count);
    count.0
}

/// Of the transitions that settle some states, numbered one state after the other: which state has
/// the one with this number, and its number among all transitions of that state.
pub(crate) fn origin<S: TransitionSystem + ?Sized>(
    system: &S,
    states: &[Vec<u8>],
    mut number: u32,
) -> (usize, u32) {
    let mut worker = system.worker();
    for (index, state) in states.iter().enumerate() {
        let here = settled(system, &mut worker, state);
        if number < here {
            let mut before = Count(0);
            system.successors(&mut worker, state, &mut before);
            return (index, before.0 + number);
        }
        number -= here;
    }
    // Each of them leaves one of the states, unless the system was cancelled; what is found then is
    // dropped.
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
