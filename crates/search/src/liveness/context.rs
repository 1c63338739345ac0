//! What looking for hangs needs of the search, and what it gives back.

use crate::findings::Place;
use impasse_store::{Backing, Column, Id, Interner};
use impasse_transition_system::{Key, TransitionSystem};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The search, as far as looking for hangs needs it.
pub(crate) struct SearchContext<'a, S: TransitionSystem + ?Sized> {
    pub(crate) system: &'a S,
    pub(crate) states: &'a Interner,
    /// The places of the states that the search itself has reached.
    pub(crate) places: &'a Column<AtomicU64>,
    /// Where states are kept.
    pub(crate) backing: &'a Backing,
    /// How many these are.
    pub(crate) count: u64,
    /// Whether all of them were expanded.
    pub(crate) exhausted: bool,
    /// Whether only reduced successors were explored.
    pub(crate) reduced: bool,
    /// The initial states.
    pub(crate) roots: &'a [Id],
    /// The states expanded last, in the order of their places.
    pub(crate) recent: &'a [Id],
    /// One for each thread that may be used.
    pub(crate) workers: Vec<&'a mut S::Worker>,
    /// A section whose nontermination is no violation.
    pub(crate) noted: Option<Key>,
}

impl<S: TransitionSystem + ?Sized> SearchContext<'_, S> {
    pub(super) fn place(&self, state: Id) -> Place {
        Place::of(self.places, state)
    }

    /// The sections open in a state, but for the noted one.
    pub(super) fn open_sections(&mut self, state: Id) -> Vec<Key> {
        let mut keys = Vec::new();
        let state = self.states.get(state);
        self.system.open_sections(self.workers[0], state, &mut keys);
        keys.retain(|&key| Some(key) != self.noted);
        keys
    }

    /// Splits it: one context for each worker, for a thread of its own.
    pub(super) fn split(&mut self) -> Vec<SearchContext<'_, S>> {
        let workers = self.workers.iter_mut();
        let with = |worker| SearchContext {
            system: self.system,
            states: self.states,
            places: self.places,
            backing: self.backing,
            count: self.count,
            exhausted: self.exhausted,
            reduced: self.reduced,
            roots: self.roots,
            recent: self.recent,
            workers: vec![worker],
            noted: self.noted,
        };
        workers.map(|worker| with(worker)).collect()
    }

    /// Whether the search itself has reached a state.
    pub(super) fn has_reached(&self, state: Id) -> bool {
        has_reached(self.places, state)
    }
}

/// Whether a search with these places has reached a state.
pub(super) fn has_reached(places: &Column<AtomicU64>, state: Id) -> bool {
    let place = places.get(state.0);
    place.is_some_and(|inverted| inverted.load(Relaxed) != 0)
}

/// A section open in a state from which it is not known to be able to end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CandidateViolation {
    /// The least transition that leads to the state.
    pub(crate) place: Place,
    pub(crate) state: Id,
    pub(crate) section: Key,
}
