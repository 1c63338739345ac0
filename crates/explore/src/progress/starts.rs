//! Where walks begin: states near the start in which much is open.
//!
//! A hang is mostly a matter of several sections, each of which waits for another one: a state in which more than usual is open is
//! likelier to be on the way to one, or past the point of no return. Taking the best of some states picked at random keeps
//! the walks from beginning all alike. Only states near the start are taken: what is far from it is come to by walking, and
//! the way to a state is known by ranks, which must be sorted for it.

use super::sections::Known;
use crate::findings::Place;
use crate::system::TransitionSystem;
use fastrand::Rng;
use impasse_store::Id;

/// States that are near the start, about.
const NEAR: usize = 1 << 14;
/// States that are picked at random.
const CANDIDATES: usize = 1 << 6;

/// The first states that a search has found.
#[derive(Default)]
pub(super) struct Starts {
    /// In the order of their ranks.
    states: Vec<Id>,
    /// Their places.
    places: Vec<Place>,
}

impl Starts {
    /// The state in which most is open among some picked at random, as the initial state and the choices that lead to it, the last
    /// one first. `open` gives the number of sections open in a state.
    pub(super) fn pick<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &Known<'_, S>,
        random: &mut Rng,
        open: impl Fn(Id) -> usize,
    ) -> (Id, Vec<u32>) {
        if self.states.len() < NEAR && known.count >= 2 * self.states.len() as u64 {
            self.update(known);
        }
        let candidates = (0..CANDIDATES).map(|_| random.usize(..self.states.len()));
        let best = candidates.max_by_key(|&index| open(self.states[index]));
        let best = best.expect("there are candidates");
        let path = self.places[best].path(&self.places);
        let second = path.get(1);
        let root = second.map_or(best, |second| second.source() as usize - 1);
        let lead = path[1..].iter().rev().map(|place| place.ordinal());
        (self.states[root], lead.collect())
    }

    /// Takes stock of the states found so far.
    fn update<S: TransitionSystem + ?Sized>(&mut self, known: &Known<'_, S>) {
        let reached = known.states.ids().filter(|&state| known.has_reached(state));
        let mut placed: Vec<(Place, Id)> =
            reached.map(|state| (known.place(state), state)).collect();
        placed.sort_unstable();
        (self.places, self.states) = placed.into_iter().unzip();
    }
}
