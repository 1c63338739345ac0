//! Runs a search with the algorithm of its strategy.

use crate::outcome::Outcome;
use crate::search::{Search, Strategy};
use crate::{bfs, dfs, liveness};
use impasse_transition_system::TransitionSystem;

impl<S: TransitionSystem + ?Sized> Search<'_, S> {
    /// Runs the search and returns what it found. It never fails: what stopped it is in the
    /// verdict.
    pub fn run(self) -> Outcome<S> {
        match self.strategy {
            Strategy::BreadthFirst => bfs::search(&self, false),
            Strategy::LivenessFixpoint => bfs::search(&self, true),
            Strategy::LivenessProduct => liveness::product_search::search(&self),
            Strategy::DepthFirst => dfs::search(&self),
        }
    }
}
