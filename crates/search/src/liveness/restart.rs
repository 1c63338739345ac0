//! The restart heuristic: from which state a random walk starts.
//!
//! Most hangs involve several sections that wait for each other. A state with more open sections
//! than usual is more likely to be on a path to a hang, or past the point of no return. Choosing
//! the best of some randomly chosen states keeps the walks different from each other, and the
//! states expanded last are nearest to what the search has not seen yet.

use super::context::SearchContext;
use fastrand::Rng;
use impasse_store::Id;
use impasse_transition_system::TransitionSystem;

/// States that are drawn at random.
const CANDIDATES: usize = 1 << 6;

/// Returns the state with the most open sections among some states drawn at random from those
/// expanded last; `None` if there are none. `open` gives the number of open sections of a state.
pub(super) fn choose<S: TransitionSystem + ?Sized>(
    context: &SearchContext<'_, S>,
    random: &mut Rng,
    open: impl Fn(Id) -> usize,
) -> Option<Id> {
    let candidates = (0..CANDIDATES).filter_map(|_| random.choice(context.recent));
    candidates.copied().max_by_key(|&state| open(state))
}

/// Returns a shortest path to a state that the search has reached: an initial state, and the
/// ordinals of the transitions from there.
pub(super) fn path_to<S: TransitionSystem + ?Sized>(
    context: &SearchContext<'_, S>,
    state: Id,
) -> (Id, Vec<u32>) {
    let last = context.place(state);
    let path = last.path(&last.all_before(context.states, context.places, context.backing));
    let root = match path.get(1) {
        // The initial states have the first ranks.
        Some(second) => context.roots[second.source() as usize - 1],
        None => state,
    };
    let ordinals = path[1..].iter().map(|place| place.ordinal());
    (root, ordinals.collect())
}
