//! Where states are after a checkpoint of another number of workers was shared out anew.

use crate::store::{Place, ROOT};

/// Which worker owns a state now, and its rank there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Home {
    pub(crate) worker: u32,
    pub(crate) rank: u32,
}

/// The homes of the states of each former worker, by rank, from 1.
#[derive(Default)]
pub(crate) struct Homes(Vec<Vec<Home>>);

impl Homes {
    /// Adds a former worker, whose states are yet to be added.
    pub(crate) fn add_worker(&mut self, states: usize) {
        self.0.push(Vec::with_capacity(states));
    }

    /// Adds the home of the next state of a former worker.
    pub(crate) fn add(&mut self, former: usize, home: Home) {
        self.0[former].push(home);
    }

    /// Returns the home of the state that had a rank, unless there was none.
    pub(crate) fn of(&self, former: usize, rank: u32) -> Option<Home> {
        let index = rank.checked_sub(1)? as usize;
        self.0.get(former)?.get(index).copied()
    }

    /// Returns the present name of a transition, unless there was none of this name.
    pub(crate) fn rename(&self, place: Place) -> Option<Place> {
        if place.rank == ROOT {
            return Some(place);
        }
        let Home { worker, rank } = self.of(place.worker as usize, place.rank)?;
        Some(Place {
            worker,
            rank,
            ..place
        })
    }
}
