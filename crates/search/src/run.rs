//! Runs a search with the algorithm of its strategy.

use crate::outcome::Outcome;
use crate::search::{Search, Strategy};
use crate::{bfs, dfs, liveness};
use impasse_transition_system::TransitionSystem;

impl<S: TransitionSystem + ?Sized> Search<'_, S> {
    /// Searches, and returns what was found.
    pub fn run(self) -> Outcome<S> {
        match self.strategy {
            Strategy::BreadthFirst => bfs::search(&self, false),
            Strategy::LivenessFixpoint => bfs::search(&self, true),
            Strategy::LivenessProduct => liveness::product_search::search(&self),
            Strategy::DepthFirst => dfs::search(&self),
        }
    }
}
