//! The states that one worker owns.

use impasse_store::{Id, Interned, Interner};
use serde::{Deserialize, Serialize};

/// The transition that leads to a state: who owns its source, the rank of the source there, and the
/// ordinal. Ordered, so that the least one does not depend on what arrives first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) worker: u32,
    /// Counted from 1; [`ROOT`] is what comes before the initial states.
    pub(crate) rank: u32,
    pub(crate) ordinal: u32,
}

/// The rank of what comes before the initial states.
pub(crate) const ROOT: u32 = 0;

/// States, each with the least of the transitions that lead to it from the level before.
///
/// The *rank* of a state is its number in the order of levels, and of places within a level. It
/// does not depend on the order in which states arrive.
#[derive(Default)]
pub(crate) struct Store {
    pub(crate) states: Interner,
    /// By id: the rank. A state of the next level has a provisional one.
    ranks: Vec<u32>,
    /// By rank, from 1.
    places: Vec<Place>,
    /// The ids of these, if they are kept.
    ids: Option<Vec<Id>>,
    /// The rank of the first state of each level.
    levels: Vec<u32>,
    /// The states of the next level, in the order in which they arrived.
    next: Vec<(Place, Id)>,
}

impl Store {
    /// Returns an empty store in which states can be found by their ranks.
    pub(crate) fn with_ids() -> Self {
        Store {
            ids: Some(Vec::new()),
            ..Store::default()
        }
    }

    /// Returns the state with a rank. Panics unless the store keeps ids.
    pub(crate) fn id(&self, rank: u32) -> Id {
        let ids = self.ids.as_ref().expect("a store with ids");
        ids[rank as usize - 1]
    }

    /// Returns the rank of a state, a provisional one if it is of the next level.
    pub(crate) fn rank(&self, id: Id) -> u32 {
        self.ranks[id.0 as usize]
    }

    /// Returns the level of a state of this rank, from 1.
    pub(crate) fn level(&self, rank: u32) -> u32 {
        self.levels.partition_point(|&first| first <= rank) as u32
    }

    /// Finds or stores a state to which this transition of the present level leads. Panics if the
    /// worker owns more states than can be numbered.
    pub(crate) fn reached(&mut self, state: &[u8], place: Place) -> Id {
        let Interned { id, new } = self.states.intern(state);
        let index = id.0 as usize;
        if new {
            if self.ranks.len() <= index {
                self.ranks.resize(index + 1, ROOT);
            }
            self.next.push((place, id));
            let rank = self.places.len() + self.next.len();
            self.ranks[index] = u32::try_from(rank).expect("fewer than 2^32 states");
        } else if let Some(number) = (self.ranks[index] as usize).checked_sub(self.places.len() + 1)
        {
            let known = &mut self.next[number].0;
            *known = place.min(*known);
        }
        id
    }

    /// Returns the states of the next level, which becomes the present one, in the order of ranks,
    /// and the rank of the first.
    pub(crate) fn next_level(&mut self) -> (Vec<Id>, u32) {
        let mut level = std::mem::take(&mut self.next);
        level.sort_unstable_by_key(|&(place, _)| place);
        let first = self.places.len() as u32 + 1;
        self.levels.push(first);
        if let Some(ids) = &mut self.ids {
            ids.extend(level.iter().map(|(_, id)| *id));
        }
        for &(place, id) in &level {
            self.places.push(place);
            self.ranks[id.0 as usize] = self.places.len() as u32;
        }
        (level.into_iter().map(|(_, id)| id).collect(), first)
    }

    /// How many states were found for the next level.
    pub(crate) fn waiting(&self) -> usize {
        self.next.len()
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> u64 {
        (self.places.len() + self.next.len()) as u64
    }

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let bookkeeping = self.ranks.capacity() * size_of::<u32>()
            + self.places.capacity() * size_of::<Place>()
            + self.ids.as_ref().map_or(0, Vec::capacity) * size_of::<Id>()
            + self.next.capacity() * size_of::<(Place, Id)>();
        self.states.bytes() + bookkeeping as u64
    }

    /// The places of all states that have a rank, from rank 1.
    pub(crate) fn places(&self) -> &[Place] {
        &self.places
    }

    /// The rank of the first state of each level.
    pub(crate) fn levels(&self) -> &[u32] {
        &self.levels
    }

    /// How many levels have begun.
    pub(crate) fn level_count(&self) -> u64 {
        self.levels.len() as u64
    }

    /// Returns the ids of all states in the order of ranks. No state of a next level may be found.
    pub(crate) fn in_order(&self) -> Vec<Id> {
        let mut ids = vec![Id(0); self.places.len()];
        for (id, &rank) in (0..).map(Id).zip(&self.ranks) {
            // Ids that are no states have no rank.
            if rank != ROOT {
                ids[rank as usize - 1] = id;
            }
        }
        ids
    }

    /// Stores the state with the next rank.
    pub(crate) fn restore(&mut self, state: &[u8], place: Place) {
        let index = self.states.intern(state).id.0 as usize;
        if self.ranks.len() <= index {
            self.ranks.resize(index + 1, ROOT);
        }
        self.places.push(place);
        self.ranks[index] = self.places.len() as u32;
        if let Some(ids) = &mut self.ids {
            ids.push(Id(index as u32));
        }
    }

    /// Sets the rank of the first state of each level.
    pub(crate) fn restore_levels(&mut self, levels: Vec<u32>) {
        self.levels = levels;
    }

    /// Returns the states of the last level in the order of ranks, and the rank of the first.
    pub(crate) fn last_level(&self) -> (Vec<Id>, u32) {
        let first = self.levels.last().copied().unwrap_or(1);
        (self.in_order().split_off(first as usize - 1), first)
    }

    /// Returns the least transition to the state with a rank.
    pub(crate) fn place(&self, rank: u32) -> Place {
        self.places[rank as usize - 1]
    }
}
