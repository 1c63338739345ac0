//! Where walks begin: states that the search has come to last, in which much is open.
//!
//! A hang is mostly a matter of several sections, each of which waits for another one: a state in which more than usual is open is
//! likelier to be on the way to one, or past the point of no return. Taking the best of some states picked at random keeps
//! the walks from beginning all alike, and those that the search has come to last are nearest to what it does not know yet.

use super::sections::Known;
use crate::findings::Place;
use fastrand::Rng;
use impasse_store::Id;
use impasse_transition_system::TransitionSystem;

/// States that are picked at random.
const CANDIDATES: usize = 1 << 6;

/// A state, if there are any: of some picked at random among those expanded last, the one in which most is open. `open` gives the
/// number of sections open in a state.
pub(super) fn pick<S: TransitionSystem + ?Sized>(
    known: &Known<'_, S>,
    random: &mut Rng,
    open: impl Fn(Id) -> usize,
) -> Option<Id> {
    let candidates = (0..CANDIDATES).filter_map(|_| random.choice(known.recent));
    candidates.copied().max_by_key(|&state| open(state))
}

/// A shortest way to a state that the search has reached: an initial state and the choices from there on.
pub(super) fn way_to<S: TransitionSystem + ?Sized>(
    known: &Known<'_, S>,
    state: Id,
) -> (Id, Vec<u32>) {
    let last = known.place(state);
    let reached = known.states.ids().filter(|&state| known.has_reached(state));
    let placed = reached.map(|state| (known.place(state), state));
    let mut placed: Vec<(Place, Id)> = placed.filter(|(place, _)| *place <= last).collect();
    placed.sort_unstable();
    let (places, by_rank): (Vec<Place>, Vec<Id>) = placed.into_iter().unzip();
    let path = last.path(&places);
    let root = match path.get(1) {
        Some(second) => by_rank[second.source() as usize - 1],
        None => state,
    };
    let choices = path[1..].iter().map(|place| place.ordinal());
    (root, choices.collect())
}
