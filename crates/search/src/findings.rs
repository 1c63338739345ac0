//! What a search gathers, one set for each thread, merged now and then.
//!
//! Merging is associative and commutative in all that is reported, so that the result does not
//! depend on who found what.

use impasse_store::{Backing, Column, Id, Interner, Memory};
use impasse_transition_system::TransitionSystem;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Distinct omissions that are reported; further ones only repeat that something was left out.
pub(crate) const OMISSIONS: usize = 16;

/// The rank of what comes before the initial states.
pub(crate) const ROOT: u32 = 0;

/// Faults, omissions and counts.
pub(crate) struct Findings<S: TransitionSystem + ?Sized> {
    /// The least fault, with the place where it was found.
    pub(crate) fault: Option<(S::Fault, Place)>,
    /// The least omissions.
    pub(crate) omissions: BTreeSet<S::Omission>,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) terminal: u64,
    /// Transitions besides the first of their groups, of which an input selects one.
    pub(crate) inputs: u64,
    /// Whether a state without transitions has open sections.
    pub(crate) stuck: bool,
}

/// A transition: the rank of its source and its ordinal, packed so that order is that of
/// source, then ordinal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place(pub(crate) u64);

impl Place {
    #[inline]
    pub(crate) fn new(source: u32, ordinal: u32) -> Self {
        Place(u64::from(source) << 32 | u64::from(ordinal))
    }

    /// The least place of a state. The column stores places inverted, by id, so that "none" is the
    /// zero of a fresh cell.
    #[inline]
    pub(crate) fn of(places: &Column<AtomicU64>, state: Id) -> Self {
        Place(!places.cell(state.0).load(Relaxed))
    }

    pub(crate) fn source(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(crate) fn ordinal(self) -> u32 {
        self.0 as u32
    }

    /// The least places of all states that can be on a path to this one, in the order of ranks.
    pub(crate) fn all_before(
        self,
        states: &Interner,
        places: &Column<AtomicU64>,
        backing: &Backing,
    ) -> Memory<u64> {
        let all = states.ids().map(|id| Place::of(places, id));
        let before = || all.clone().filter(|place| place.source() < self.source());
        let mut by_rank = backing.zeroed(before().count());
        for (known, place) in by_rank.iter_mut().zip(before()) {
            *known = place.0;
        }
        by_rank.sort_unstable();
        by_rank
    }

    /// The transitions of the path that ends with this one. `by_rank` holds the least places of the
    /// states in the order of ranks, at least of those found before its source.
    pub(crate) fn path(self, by_rank: &[u64]) -> Vec<Place> {
        let before = |place: &Place| {
            let rank = place.source();
            (rank != ROOT).then(|| Place(by_rank[rank as usize - 1]))
        };
        let mut path: Vec<Place> = std::iter::successors(Some(self), before).collect();
        path.reverse();
        path
    }
}

impl<S: TransitionSystem + ?Sized> Default for Findings<S> {
    fn default() -> Self {
        Findings {
            fault: None,
            omissions: BTreeSet::new(),
            states: 0,
            transitions: 0,
            terminal: 0,
            inputs: 0,
            stuck: false,
        }
    }
}

impl<S: TransitionSystem + ?Sized> Findings<S> {
    pub(crate) fn fault(&mut self, fault: S::Fault, place: Place) {
        let found = (fault, place);
        if self.fault.as_ref().is_none_or(|least| found < *least) {
            self.fault = Some(found);
        }
    }

    pub(crate) fn omission(&mut self, reason: S::Omission) {
        self.omissions.insert(reason);
        if self.omissions.len() > OMISSIONS {
            self.omissions.pop_last();
        }
    }

    /// Takes over what `other` has gathered, and leaves it empty.
    pub(crate) fn absorb(&mut self, other: &mut Self) {
        let other = std::mem::take(other);
        if let Some((fault, place)) = other.fault {
            self.fault(fault, place);
        }
        other
            .omissions
            .into_iter()
            .for_each(|reason| self.omission(reason));
        self.states += other.states;
        self.transitions += other.transitions;
        self.terminal += other.terminal;
        self.inputs += other.inputs;
        self.stuck |= other.stuck;
    }
}
