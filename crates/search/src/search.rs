//! The builder behind which all searches stand.

use crate::bounds::NEVER;
use crate::meter::Meter;
use crate::outcome::Outcome;
use impasse_limits::Cancel;
use impasse_transition_system::{Key, TransitionSystem};
use std::num::NonZeroUsize;

/// The order in which states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Strategy {
    /// Level by level, on several threads; finds shortest paths.
    #[default]
    BreadthFirst,
    /// The same, looking for sections that can never end as well.
    Hangs,
    /// The same by the construction of the literature: a space enlarged by a choice of one section
    /// instance to watch, on one thread. Slow; a reference.
    Branching,
    /// Deepest first, on one thread.
    DepthFirst,
}

/// A search to be: what, how, and how far.
pub struct Search<'a, S: TransitionSystem + ?Sized> {
    pub(crate) system: &'a S,
    pub(crate) strategy: Strategy,
    pub(crate) threads: NonZeroUsize,
    pub(crate) apart: Option<Key>,
    pub(crate) max_states: Option<u64>,
    pub(crate) cancel: &'a Cancel,
    pub(crate) meter: Option<&'a Meter>,
}

impl<'a, S: TransitionSystem + ?Sized> Search<'a, S> {
    /// A breadth-first search on all cores, without bounds.
    pub fn new(system: &'a S) -> Self {
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Search {
            system,
            strategy: Strategy::default(),
            threads,
            apart: None,
            max_states: None,
            cancel: &NEVER,
            meter: None,
        }
    }

    /// Visits states in this order.
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Searches on this many threads, where the strategy can use them.
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// If this section may never end, the outcome notes it; it is not an error.
    pub fn apart(mut self, section: Key) -> Self {
        self.apart = Some(section);
        self
    }

    /// Stops soon after it has found more than so many states.
    pub fn max_states(mut self, states: u64) -> Self {
        self.max_states = Some(states);
        self
    }

    /// Stops soon after this is cancelled. A system that looks at the same request may then emit
    /// less than it has.
    pub fn cancel(mut self, cancel: &'a Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Keeps `meter` up to date while searching.
    pub fn meter(mut self, meter: &'a Meter) -> Self {
        self.meter = Some(meter);
        self
    }

    /// Searches.
    pub fn run(self) -> Outcome<S> {
        match self.strategy {
            Strategy::BreadthFirst => crate::bfs::search(&self, false),
            Strategy::Hangs => crate::bfs::search(&self, true),
            Strategy::Branching => crate::progress::branching::search(&self),
            Strategy::DepthFirst => crate::dfs::search(&self),
        }
    }
}
