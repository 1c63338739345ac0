//! What is known of the open sections of each state, and the fixpoint that decides which can end.
//!
//! *No log of edges is kept.* Of each expanded state there is its list of open keys and one *witness*: one
//! of the groups that leave it, in nearly all cases a single edge, given by its target. That is eight
//! bytes a state, whatever its degree.
//!
//! Let W be the least fixpoint of canEnd's rule (see the module above), for witnesses alone, with an edge taken to end only what
//! is not open in its target. It lies within canEnd: fewer groups, and less that edges end. The states that have pairs outside of W, U, are
//! expanded once more, and the rule is applied to them with all their groups until nothing changes,
//! where the pairs of all other states are in. What is then in is canEnd: each
//! application was one of the rule to pairs that are in canEnd; and of a pair of canEnd that is not in, take
//! the one that the rule gives first: it belongs to a state of U, and all that it rests on is in, so that it
//! would have been added.
//!
//! *U is small where all can end*: witnesses give each state one way on, which leads from level to level
//! and then, back from where there is no next one, somewhere. Such a way closes a circle only after about
//! as many steps as the root of the number of states, and by then what was open has ended, or nearly
//! so. In a trap U is the trap; it is expanded twice.
//!
//! *Keys are decided eight at a time*, so that a pair takes a bit and a state a byte while a fixpoint is computed; a state's keys in
//! that group are looked up by its list.

use super::keys::{KeyNumber, Lists};
use super::probe::{Probes, Suspect};
use super::resolve::Exits;
use super::walk::{Early, Walks};
use crate::findings::Place;
use crate::system::{Key, TransitionSystem};
use impasse_store::{Column, Id, Interner};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

/// States before the first decision.
const FIRST_DECISION: u64 = 1 << 6;
/// States that are looked at closely for a suspect, for each key.
const NEAR: usize = 2;
/// Among how many of the nearest states not known to be able to end everything suspects are looked for.
const NEAREST: usize = 1 << 12;

/// Keys that are decided together.
const TOGETHER: usize = u8::BITS as usize;

/// The open sections of the states, and what they lead to.
pub(crate) struct Sections {
    lists: Lists,
    /// By state: the number of its list plus one; zero if it is not expanded. With [`MANY`] if its witness
    /// has several targets.
    open: Column<AtomicU32>,
    /// By state: its witness.
    witnesses: Column<AtomicU32>,
    /// The targets of witnesses that have several: the number of them, then they.
    targets: Mutex<Vec<u32>>,
    /// The greatest id of a state that was expanded.
    last: AtomicU32,
    next_decision: u64,
    probes: Probes,
    walks: Walks,
    /// States whose sections were found to end in another way than through what is known of them here.
    cleared: Vec<Id>,
}

/// A state with a section that was not found to end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Doubt {
    /// The least transition that leads to the state.
    pub(crate) place: Place,
    pub(crate) state: Id,
    pub(crate) section: Key,
}

/// Flag of a list's number.
const MANY: u32 = 1 << 31;
/// As a witness: none, or one that leads back to the state itself.
const NONE: u32 = 0;
/// As a witness: everything ends.
const ENDS: u32 = u32::MAX;

/// The group of a state's edges that is remembered.
pub(super) enum Witness {
    /// Everything ends there.
    Ends,
    /// All edges lead to this state.
    To(Id),
    /// To these states.
    ToAll(Vec<Id>),
}

/// What states that are known but not expanded are taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unexpanded {
    /// Everything can end from them: what cannot end even so is a hang.
    CanEnd,
    /// Nothing can: what can end even so is no hang.
    CannotEnd,
}

/// What a decision looks at beside the sections.
pub(crate) struct Known<'a, S: TransitionSystem + ?Sized> {
    pub(crate) system: &'a S,
    pub(crate) states: &'a Interner,
    /// The places of the states that the search itself has reached.
    pub(crate) places: &'a Column<AtomicU64>,
    /// How many these are.
    pub(crate) count: u64,
    /// The initial states.
    pub(crate) roots: &'a [Id],
    /// One for each thread that may be used.
    pub(crate) workers: Vec<&'a mut S::Worker>,
}

impl<S: TransitionSystem + ?Sized> Known<'_, S> {
    pub(super) fn place(&self, state: Id) -> Place {
        Place::of(self.places, state)
    }

    /// Whether the search itself has reached a state.
    pub(super) fn has_reached(&self, state: Id) -> bool {
        let place = self.places.get(state.0);
        place.is_some_and(|inverted| inverted.load(Relaxed) != 0)
    }
}

impl Sections {
    pub(crate) fn new() -> Self {
        Sections {
            lists: Lists::new(),
            open: Column::new(),
            witnesses: Column::new(),
            targets: Mutex::default(),
            last: AtomicU32::new(0),
            next_decision: FIRST_DECISION,
            probes: Probes::default(),
            walks: Walks::default(),
            cleared: Vec::new(),
        }
    }

    pub(super) fn lists(&self) -> &Lists {
        &self.lists
    }

    /// A state with the sections of `list` open is being expanded.
    pub(super) fn expanded(&self, state: Id, list: Id) {
        self.open.cell(state.0).store(list.0 + 1, Relaxed);
        self.last.fetch_max(state.0, Relaxed);
    }

    /// The state, which has been expanded, has this witness.
    pub(super) fn witnessed(&self, state: Id, witness: Witness) {
        let word = match witness {
            Witness::Ends => ENDS,
            Witness::To(target) if target == state => NONE,
            Witness::To(target) => target.0 + 1,
            Witness::ToAll(all) => {
                let mut targets = self.targets.lock().expect("nobody panics here");
                let first = targets.len() as u32;
                targets.push(all.len() as u32);
                targets.extend(all.iter().map(|target| target.0));
                self.open.cell(state.0).fetch_or(MANY, Relaxed);
                first
            }
        };
        self.witnesses.cell(state.0).store(word, Relaxed);
    }

    /// Memory in use with so many states, in bytes.
    pub(crate) fn bytes(&self, states: u64) -> u64 {
        let targets = self.targets.lock().expect("nobody panics here").len() as u64 * 4;
        // A state has a list and a witness, and while a fixpoint is computed a byte.
        9 * states + targets + self.lists.bytes() + self.probes.bytes()
    }

    /// Whether, with so many states known, it is time to decide.
    pub(crate) fn is_due(&self, states: u64) -> bool {
        states >= self.next_decision
    }

    /// Whether it is time to walk.
    pub(crate) fn walks_are_due(&self, states: u64) -> bool {
        self.walks.are_due(states)
    }

    /// Decides what might end, and returns the states that have sections which cannot, as far as is known: where they
    /// are, and the first such section.
    pub(crate) fn decide<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
    ) -> Vec<Doubt> {
        self.next_decision = (2 * known.count).max(FIRST_DECISION);
        let mut exits = Exits::default();
        let mut missing = Missing::default();
        for pass in self.passes(Unexpanded::CanEnd) {
            pass.settle(known, &mut exits);
            // Of what is left only all that leaves it can tell.
            let unsettled = pass.unsettled();
            exits.add(known, &self.lists, &unsettled);
            pass.resolve(&unsettled, &exits);
            pass.report(&mut missing, &unsettled);
        }
        let doubt = |(state, keys): (Id, Vec<KeyNumber>)| Doubt {
            place: known.place(state),
            state,
            section: self.first(state, &keys),
        };
        missing.into_iter().map(doubt).collect()
    }

    /// The sections of some states can end after all.
    pub(crate) fn clear(&mut self, states: impl Iterator<Item = Id>) {
        self.cleared.extend(states);
    }

    /// Looks for hangs that cannot be decided yet near the start.
    pub(crate) fn probe<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
    ) -> Option<Early> {
        let suspects = self.suspects(known);
        let hanging = self.probes.run(known, &suspects);
        hanging.map(|suspect| Early {
            section: suspect.section,
            place: suspect.place,
            then: Vec::new(),
        })
    }

    /// Looks for hangs that cannot be decided yet far from the start, if it is time to.
    pub(crate) fn walk<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
    ) -> Option<Early> {
        self.walks.run(known)
    }

    /// The nearest pair of each section that is not known to be able to end, ordered by place; one for each state.
    fn suspects<S: TransitionSystem + ?Sized>(&self, known: &mut Known<'_, S>) -> Vec<Suspect> {
        let keys = self.lists.keys();
        let mut exits = Exits::default();
        let mut nearest: FxHashMap<KeyNumber, (Place, Id)> = FxHashMap::default();
        for pass in self.passes(Unexpanded::CannotEnd) {
            pass.follow_witnesses(&exits);
            let unsettled = nearest_of(known, pass.unsettled());
            let key = |number: KeyNumber| keys[number.0 as usize];
            let is_missing = |state: Id, number: KeyNumber| {
                pass.lacks_key(state, number) && !self.probes.has_cleared(state, key(number))
            };
            for number in pass
                .keys()
                .filter(|number| (number.0 as usize) < keys.len())
            {
                // A witness that leads astray says nothing; all edges of the nearest states do.
                let missing = unsettled.iter().copied();
                let missing = missing.filter(|&state| is_missing(state, number));
                let near: Vec<Id> = missing.take(NEAR).collect();
                exits.add(known, &self.lists, &near);
                pass.resolve(&near, &exits);
                if let Some(state) = near.into_iter().find(|&state| is_missing(state, number)) {
                    nearest.insert(number, (known.place(state), state));
                }
            }
        }
        let suspect = |(number, (place, state)): (KeyNumber, (Place, Id))| Suspect {
            state,
            section: keys[number.0 as usize],
            place,
        };
        let mut suspects: Vec<Suspect> = nearest.into_iter().map(suspect).collect();
        suspects.sort_by_key(|suspect| (suspect.place, suspect.section));
        suspects.dedup_by_key(|suspect| suspect.place);
        suspects
    }

    /// The first of some keys in a state's list.
    fn first(&self, state: Id, keys: &[KeyNumber]) -> Key {
        let list = self.list(state).expect("it is expanded");
        let first = self.lists.get(list).find(|number| keys.contains(number));
        let first = first.expect("they are of that list");
        self.lists.keys()[first.0 as usize]
    }

    fn list(&self, state: Id) -> Option<Id> {
        let word = self.open.get(state.0)?.load(Relaxed) & !MANY;
        word.checked_sub(1).map(Id)
    }

    /// A pass for every few keys.
    fn passes(&self, unexpanded: Unexpanded) -> impl Iterator<Item = Pass<'_>> {
        let keys = self.lists.keys().len() as u32;
        let firsts = (0..keys).step_by(TOGETHER);
        firsts.map(move |first| Pass::new(self, KeyNumber(first), unexpanded))
    }
}

/// The nearest of some states, by place.
fn nearest_of<S: TransitionSystem + ?Sized>(known: &Known<'_, S>, states: Vec<Id>) -> Vec<Id> {
    let placed = states.into_iter().map(|state| (known.place(state), state));
    let mut placed: Vec<(Place, Id)> = placed.collect();
    if placed.len() > NEAREST {
        placed.select_nth_unstable(NEAREST);
        placed.truncate(NEAREST);
    }
    placed.sort_unstable();
    placed.into_iter().map(|(_, state)| state).collect()
}

/// Pairs outside of the fixpoint, by state.
type Missing = FxHashMap<Id, Vec<KeyNumber>>;

/// The fixpoint for a few keys.
pub(super) struct Pass<'a> {
    sections: &'a Sections,
    first: KeyNumber,
    /// By list: which of the keys are open.
    masks: Vec<u8>,
    /// By state: which of the keys are known to be able to end.
    can_end: Column<AtomicU8>,
    /// The targets of witnesses that have several.
    many: Vec<u32>,
    unexpanded: Unexpanded,
    /// The greatest number of a state that was expanded.
    last: u32,
}

impl<'a> Pass<'a> {
    fn new(sections: &'a Sections, first: KeyNumber, unexpanded: Unexpanded) -> Self {
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
            pass.can_end.cell(state.0).store(u8::MAX, Relaxed);
        }
        for list in sections.lists.ids() {
            let index = list.0 as usize;
            pass.masks.resize(pass.masks.len().max(index + 1), 0);
            pass.masks[index] = pass.among(sections.lists.get(list));
        }
        pass
    }

    /// Which of the pass's keys are among some.
    pub(super) fn among(&self, keys: impl Iterator<Item = KeyNumber>) -> u8 {
        let bits = keys.filter_map(|number| number.0.checked_sub(self.first.0));
        bits.filter(|&bit| bit < TOGETHER as u32)
            .fold(0, |mask, bit| mask | 1 << bit)
    }

    /// Which keys are open in a state; none if it is not expanded.
    fn open(&self, state: Id) -> Option<u8> {
        Some(self.masks[self.sections.list(state)?.0 as usize])
    }

    /// Which keys an edge to a state lets end, if it ends nothing itself that is open there.
    pub(super) fn through(&self, target: Id) -> u8 {
        match self.open(target) {
            Some(open) => !open | self.can_end.cell(target.0).load(Relaxed),
            None if self.unexpanded == Unexpanded::CanEnd => u8::MAX,
            None => 0,
        }
    }

    /// Which keys of a state are not known to be able to end.
    fn lacks(&self, state: Id) -> u8 {
        let open = self.open(state).unwrap_or(0);
        match open {
            0 => 0,
            _ => open & !self.can_end.cell(state.0).load(Relaxed),
        }
    }

    /// Notes that some keys can end from a state, and tells whether that is news.
    fn note(&self, state: Id, ending: u8) -> bool {
        let news = self.lacks(state) & ending;
        if news != 0 {
            self.can_end.cell(state.0).fetch_or(news, Relaxed);
        }
        news != 0
    }

    /// Finds most of what can end: follows witnesses, and where they lead no further expands states once more.
    fn settle<S: TransitionSystem + ?Sized>(&self, known: &mut Known<'_, S>, exits: &mut Exits) {
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

    /// Adds all that can end through witnesses: first in the order of ids from the last, as most witnesses lead to a state found
    /// later; then each state after the one that its witness leads to, so that once would do, if there were no circles.
    fn follow_witnesses(&self, exits: &Exits) {
        for state in (0..=self.last).rev().map(Id) {
            if self.lacks(state) != 0 {
                self.note(state, self.through_witness(state));
            }
        }
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
    fn through_witness(&self, state: Id) -> u8 {
        match self.sections.witnesses.cell(state.0).load(Relaxed) {
            NONE if self.targets(state).next().is_none() => 0,
            _ => self
                .targets(state)
                .fold(u8::MAX, |keys, target| keys & self.through(target)),
        }
    }

    /// The states that have keys not known to be able to end.
    fn unsettled(&self) -> Vec<Id> {
        let states = (0..=self.last).map(Id);
        states.filter(|&state| self.lacks(state) != 0).collect()
    }

    /// Applies the rule to some states with all that leaves them, until nothing changes; tells whether anything did.
    fn resolve(&self, states: &[Id], exits: &Exits) -> bool {
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
    fn keys(&self) -> impl Iterator<Item = KeyNumber> + use<> {
        (self.first.0..self.first.0 + TOGETHER as u32).map(KeyNumber)
    }

    /// Whether a key of the pass is open in a state and not known to be able to end.
    fn lacks_key(&self, state: Id, number: KeyNumber) -> bool {
        self.lacks(state) & 1 << (number.0 - self.first.0) != 0
    }

    /// The keys of a state that are not known to be able to end.
    fn missing(&self, state: Id) -> impl Iterator<Item = KeyNumber> {
        self.keys()
            .filter(move |&number| self.lacks_key(state, number))
    }

    /// Adds what is missing of some states.
    fn report(&self, missing: &mut Missing, states: &[Id]) {
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
    fn new(last: u32) -> Self {
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
