//! The builder behind which all searches stand.

use crate::limits::Limits;
use crate::meter::Meter;
use crate::outcome::Outcome;
use crate::system::TransitionSystem;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

/// The order in which states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Strategy {
    /// Level by level, on several threads; finds shortest paths.
    #[default]
    BreadthFirst,
    /// The same, looking for sections that can never end as well.
    Hangs,
    /// The same by the construction of the literature: a space enlarged by a choice of one section
    /// instance to watch, on one thread. Slow; a reference. Inputs count as choices of the
    /// scheduler.
    Branching,
    /// Deepest first, on one thread.
    DepthFirst,
}

/// A search to be: what, how, and how far.
pub struct Search<'a, S: TransitionSystem + ?Sized> {
    pub(crate) system: &'a S,
    pub(crate) strategy: Strategy,
    pub(crate) threads: NonZeroUsize,
    pub(crate) limits: Limits,
    pub(crate) interrupt: Option<&'a AtomicBool>,
    pub(crate) meter: Option<&'a Meter>,
}

impl<'a, S: TransitionSystem + ?Sized> Search<'a, S> {
    /// A breadth-first search on all cores, bounded only by memory.
    pub fn new(system: &'a S) -> Self {
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Search {
            system,
            strategy: Strategy::default(),
            threads,
            limits: Limits::default(),
            interrupt: None,
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

    /// Goes no further than this.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Stops soon after `flag` becomes true.
    pub fn interrupt(mut self, flag: &'a AtomicBool) -> Self {
        self.interrupt = Some(flag);
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
