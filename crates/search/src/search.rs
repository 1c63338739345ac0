//! What a search is to do: of which system, with which strategy, and within which bounds.

use crate::bounds::NEVER;
use crate::live_statistics::LiveStatistics;
use impasse_limits::Cancel;
use impasse_store::{Backing, Disk};
use impasse_transition_system::{Key, TransitionSystem};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// The order in which states are visited, and whether the search looks for hangs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Strategy {
    /// Level by level, on several threads; finds short paths.
    #[default]
    BreadthFirst,
    /// Breadth-first, and looks for sections that can never end with a backward fixpoint.
    LivenessFixpoint,
    /// Looks for the same sections in a product with the choice of one section instance, on one
    /// thread. Slow; a reference.
    LivenessProduct,
    /// Deepest state first, on one thread.
    DepthFirst,
}

/// A search: of which system, with which strategy, and within which bounds.
pub struct Search<'a, S: TransitionSystem + ?Sized> {
    pub(crate) system: &'a S,
    pub(crate) strategy: Strategy,
    pub(crate) threads: NonZeroUsize,
    pub(crate) noted: Option<Key>,
    pub(crate) max_states: Option<u64>,
    pub(crate) max_inputs: Option<u64>,
    pub(crate) cancel: &'a Cancel,
    pub(crate) live_statistics: Option<&'a LiveStatistics>,
    pub(crate) disk: Option<&'a Arc<Disk>>,
    pub(crate) superseded: Option<&'a Superseded<'a>>,
}

/// Whether a search that has found so many states is to stop since another one has the answer.
pub type Superseded<'a> = dyn Fn(u64) -> bool + 'a;

impl<'a, S: TransitionSystem + ?Sized> Search<'a, S> {
    /// Returns the system that is searched.
    pub fn system(&self) -> &'a S {
        self.system
    }

    /// Returns a breadth-first search on all cores, without bounds.
    pub fn new(system: &'a S) -> Self {
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Search {
            system,
            strategy: Strategy::default(),
            threads,
            noted: None,
            max_states: None,
            max_inputs: None,
            cancel: &NEVER,
            live_statistics: None,
            disk: None,
            superseded: None,
        }
    }

    /// Sets the strategy; breadth-first by default.
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Sets the number of threads, for strategies that use several; as many as there are cores by
    /// default.
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Makes a search with [`Strategy::LivenessFixpoint`] find out whether this section may never
    /// end: [`crate::Outcome::noted_may_hang`]. That is no violation.
    pub fn note(mut self, section: Key) -> Self {
        self.noted = Some(section);
        self
    }

    /// Stops the search soon after it has found more than this number of states. Unbounded by
    /// default.
    pub fn max_states(mut self, states: u64) -> Self {
        self.max_states = Some(states);
        self
    }

    /// Lowers the limit on states to this number, unless it is lower.
    pub fn at_most(self, states: u64) -> Self {
        let states = self.max_states.unwrap_or(states).min(states);
        self.max_states(states)
    }

    /// Stops the search soon after it has followed more than this number of transitions of which
    /// inputs select one, if the system [has tried inputs](TransitionSystem::has_tried_inputs).
    /// Unbounded by default.
    pub fn max_inputs(mut self, transitions: u64) -> Self {
        self.max_inputs = Some(transitions);
        self
    }

    /// Stops the search soon after this request is made. A system that polls the same request may
    /// then emit fewer transitions than it has.
    pub fn cancel(mut self, cancel: &'a Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Keeps states in files of this folder, for strategies that search breadth-first. If the
    /// folder fails, the search stops soon with [`impasse_limits::StopReason::Disk`].
    pub fn disk(mut self, disk: &'a Arc<Disk>) -> Self {
        self.disk = Some(disk);
        self
    }

    /// Has the search ask this after each part of a level, if it is breadth-first. Once the answer
    /// is yes, it stops with [`impasse_limits::StopReason::Superseded`].
    pub fn superseded(mut self, ask: &'a Superseded<'a>) -> Self {
        self.superseded = Some(ask);
        self
    }

    /// Where states are kept.
    pub(crate) fn backing(&self) -> Backing {
        self.disk.cloned().map(Backing::from).unwrap_or_default()
    }

    /// Keeps these statistics up to date while searching.
    pub fn live_statistics(mut self, statistics: &'a LiveStatistics) -> Self {
        self.live_statistics = Some(statistics);
        self
    }
}
