//! The fixpoint of [`sections`](super::sections) for a few keys.

use super::keys::{KeyNumber, Lists};
use super::resolve::Exits;
use super::sections::{ENDS, Known, MANY, NONE, Sections};
use crate::system::TransitionSystem;
use impasse_store::{Column, Id};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// Keys that are decided together.
pub(super) const TOGETHER: usize = u16::BITS as usize;

/// What states that are known but not expanded are taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unexpanded {
    /// Everything can end from them: what cannot end even so is a hang.
    CanEnd,
    /// Nothing can: what can end even so is no hang.
    CannotEnd,
}

/// Pairs outside of the fixpoint, by state.
pub(super) type Missing = FxHashMap<Id, Vec<KeyNumber>>;

/// The fixpoint for a few keys.
pub(super) struct Pass<'a> {
    sections: &'a Sections,
    first: KeyNumber,
    /// By list: which of the keys are open.
    masks: Vec<u16>,
    /// By state: which of the keys are known to be able to end.
    can_end: Column<AtomicU16>,
    /// The targets of witnesses that have several.
    many: Vec<u32>,
    unexpanded: Unexpanded,
    /// The greatest number of a state that was expanded.
    last: u32,
}

impl<'a> Pass<'a> {
    pub(super) fn new(sections: &'a Sections, first: KeyNumber, unexpanded: Unexpanded) -> Self {
        let mut pass = Pass {
            sections,
            first,
            masks: Vec::new(),
            can_end: Column::new(),
            many: sections.targets.lock().expect("nobody panics here").clone(),
            unexpanded,
            last: sections.last.load(Relaxed),
        };
        for state in &sections.cleared {
            pass.can_end.cell(state.0).store(u16::MAX, Relaxed);
        }
        let lists = &sections.lists;
        let masks = lists.ids().map(|list| pass.among(lists, list));
        pass.masks = masks.collect();
        pass
    }

    /// Which of the pass's keys are in a list.
    pub(super) fn among(&self, lists: &Lists, list: Id) -> u16 {
        let mut mask = 0;
        lists.for_each(list, |number| {
            let bit = number.0.wrapping_sub(self.first.0);
            if bit < TOGETHER as u32 {
                mask |= 1 << bit;
            }
        });
        mask
    }

    /// Which keys are open in a state; none if it is not expanded.
    fn open(&self, state: Id) -> Option<u16> {
        Some(self.masks[self.sections.list(state)?.0 as usize])
    }

    /// Which keys an edge to a state lets end, if it ends nothing itself that is open there.
    pub(super) fn through(&self, target: Id) -> u16 {
        match self.open(target) {
            Some(open) => !open | self.can_end.cell(target.0).load(Relaxed),
            None if self.unexpanded == Unexpanded::CanEnd => u16::MAX,
            None => 0,
        }
    }

    /// Which keys of a state are not known to be able to end.
    fn lacks(&self, state: Id) -> u16 {
        let open = self.open(state).unwrap_or(0);
        match open {
            0 => 0,
            _ => open & !self.can_end.cell(state.0).load(Relaxed),
        }
    }

    /// Notes that some keys can end from a state, and tells whether that is news.
    fn note(&self, state: Id, ending: u16) -> bool {
        let news = self.lacks(state) & ending;
        if news != 0 {
            self.can_end.cell(state.0).fetch_or(news, Relaxed);
        }
        news != 0
    }

    /// Finds most of what can end: follows witnesses, and where they lead no further expands states once more.
    pub(super) fn settle<S: TransitionSystem + ?Sized>(
        &self,
        known: &mut Known<'_, S>,
        exits: &mut Exits,
    ) {
        self.follow_witnesses(exits);
        while self.break_circles(known, exits) {
            self.follow_witnesses(exits);
        }
    }

    /// Expands the states on circles of witnesses, and if that does not help those that these lead to, and so on; tells
    /// whether it did help.
    fn break_circles<S: TransitionSystem + ?Sized>(
        &self,
        known: &mut Known<'_, S>,
        exits: &mut Exits,
    ) -> bool {
        let mut expanded = self.unsettled();
        let mut next = self.circling(&expanded);
        expanded.retain(|&state| exits.has(state));
        let mut seen = FxHashSet::default();
        while !self.resolve(&expanded, exits) {
            // Each time as many again, so that in a large trap looking at them all does not take long.
            let enough = seen.len() * 2;
            loop {
                next.retain(|&state| self.lacks(state) != 0 && seen.insert(state));
                expanded.extend(next.iter().filter(|&&state| !exits.has(state)));
                exits.add(known, &self.sections.lists, &next);
                if next.is_empty() || seen.len() > enough {
                    break;
                }
                let targets = next.iter().flat_map(|&state| exits.targets(state));
                next = targets.collect();
            }
            if next.is_empty() {
                return self.resolve(&expanded, exits);
            }
            let targets = next.iter().flat_map(|&state| exits.targets(state));
            next = targets.collect();
        }
        true
    }

    /// Of some unsettled states those at which following witnesses ends: where there is none, or on a circle.
    fn circling(&self, unsettled: &[Id]) -> Vec<Id> {
        // By state: the number of the walk that passed it first.
        let mut walks: FxHashMap<Id, u32> = FxHashMap::default();
        let mut circling = Vec::new();
        for (walk, &start) in (0..).zip(unsettled) {
            let mut state = start;
            while let Entry::Vacant(entry) = walks.entry(state) {
                entry.insert(walk);
                let Some(next) = self.next_unsettled(state) else {
                    break;
                };
                state = next;
            }
            if walks[&state] != walk {
                continue;
            }
            // The walk came back to itself, or it ended.
            let first = state;
            loop {
                circling.push(state);
                match self.next_unsettled(state) {
                    Some(next) if next != first => state = next,
                    _ => break,
                }
            }
        }
        circling
    }

    /// A state that the witness of a state leads to and that lacks something as well.
    fn next_unsettled(&self, state: Id) -> Option<Id> {
        self.targets(state)
            .find(|&target| self.lacks(target) & self.lacks(state) != 0)
    }

    /// Where the witness of a state leads to.
    fn targets(&self, state: Id) -> impl Iterator<Item = Id> {
        let word = self.sections.witnesses.cell(state.0).load(Relaxed);
        let many = self.sections.open.cell(state.0).load(Relaxed) & MANY != 0;
        let (one, many) = match word {
            _ if many => {
                let first = word as usize;
                let targets = &self.many[first + 1..][..self.many[first] as usize];
                (None, targets)
            }
            NONE | ENDS => (None, &[][..]),
            _ => (Some(Id(word - 1)), &[][..]),
        };
        one.into_iter().chain(many.iter().map(|&target| Id(target)))
    }

    /// Adds most of what can end through witnesses, in the order of ids from the last, as most witnesses lead to a state found
    /// later.
    pub(super) fn follow_witnesses_back(&self) {
        for state in (0..=self.last).rev().map(Id) {
            if self.lacks(state) != 0 {
                self.note(state, self.through_witness(state));
            }
        }
    }

    /// Adds all that can end through witnesses: first backwards, then for each state after the one that its witness leads to, so
    /// that once would do, if there were no circles.
    fn follow_witnesses(&self, exits: &Exits) {
        self.follow_witnesses_back();
        let mut visited = Visited::new(self.last);
        while self.walk_from(self.unsettled().into_iter(), &mut visited, exits) {
            visited.clear();
        }
    }

    /// Looks at all that can be reached from some states by witnesses, once, and tells whether anything
    /// changed.
    fn walk_from(
        &self,
        starts: impl Iterator<Item = Id>,
        visited: &mut Visited,
        exits: &Exits,
    ) -> bool {
        // Of these more than the witness is known.
        exits.states().for_each(|state| {
            visited.insert(state);
        });
        let mut changed = false;
        let mut way = Vec::new();
        for start in starts {
            let mut next = Some(start);
            loop {
                match next.filter(|&state| self.lacks(state) != 0 && visited.insert(state)) {
                    Some(state) => way.push(state),
                    None if way.is_empty() => break,
                    None => {}
                }
                let state = *way.last().expect("it is not empty");
                next = self
                    .targets(state)
                    .find(|&target| !visited.has(target) && self.lacks(target) != 0);
                if next.is_none() {
                    way.pop();
                    changed |= self.note(state, self.through_witness(state));
                    if way.is_empty() {
                        break;
                    }
                }
            }
        }
        changed
    }

    /// What can end through a state's witness.
    fn through_witness(&self, state: Id) -> u16 {
        match self.sections.witnesses.cell(state.0).load(Relaxed) {
            NONE if self.targets(state).next().is_none() => 0,
            _ => self
                .targets(state)
                .fold(u16::MAX, |keys, target| keys & self.through(target)),
        }
    }

    /// The states that have keys not known to be able to end.
    pub(super) fn unsettled(&self) -> Vec<Id> {
        let states = (0..=self.last).map(Id);
        states.filter(|&state| self.lacks(state) != 0).collect()
    }

    /// Applies the rule to some states with all that leaves them, until nothing changes; tells whether anything did.
    pub(super) fn resolve(&self, states: &[Id], exits: &Exits) -> bool {
        let mut backwards = true;
        let mut helped = false;
        loop {
            let mut changed = false;
            let mut advance = |state: &Id| {
                let lacks = self.lacks(*state);
                if lacks != 0 {
                    changed |= self.note(
                        *state,
                        exits.ending(self, &self.sections.lists, *state, lacks),
                    );
                }
            };
            if backwards {
                states.iter().rev().for_each(&mut advance);
            } else {
                states.iter().for_each(&mut advance);
            }
            if !changed {
                return helped;
            }
            helped = true;
            backwards = !backwards;
        }
    }

    /// The numbers of the pass's keys.
    pub(super) fn keys(&self) -> impl Iterator<Item = KeyNumber> + use<> {
        (self.first.0..self.first.0 + TOGETHER as u32).map(KeyNumber)
    }

    /// Whether a key of the pass is open in a state and not known to be able to end.
    pub(super) fn lacks_key(&self, state: Id, number: KeyNumber) -> bool {
        self.lacks(state) & 1 << (number.0 - self.first.0) != 0
    }

    /// The keys of a state that are not known to be able to end.
    fn missing(&self, state: Id) -> impl Iterator<Item = KeyNumber> {
        self.keys()
            .filter(move |&number| self.lacks_key(state, number))
    }

    /// Adds what is missing of some states.
    pub(super) fn report(&self, missing: &mut Missing, states: &[Id]) {
        for &state in states.iter().filter(|&&state| self.lacks(state) != 0) {
            missing
                .entry(state)
                .or_default()
                .extend(self.missing(state));
        }
    }
}

/// A set of states.
struct Visited(Vec<u64>);

impl Visited {
    /// The empty set, of states up to a number.
    pub(super) fn new(last: u32) -> Self {
        Visited(vec![0; last as usize / 64 + 1])
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    fn has(&self, state: Id) -> bool {
        let word = self.0.get(state.0 as usize / 64).copied().unwrap_or(0);
        word & 1 << (state.0 % 64) != 0
    }

    /// Adds a state, and tells whether it is new.
    fn insert(&mut self, state: Id) -> bool {
        let new = !self.has(state);
        self.0[state.0 as usize / 64] |= 1 << (state.0 % 64);
        new
    }
}
