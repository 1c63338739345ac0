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
//! *Keys are decided sixteen at a time* (`pass`), so that a pair takes a bit and a state two bytes while a fixpoint is computed; a state's keys in
//! that group are looked up by its list.

use super::divergence::Silent;
use super::doubts;
use super::keys::{KeyNumber, Lists, TOGETHER};
use super::pass::{Missing, Pass, Unexpanded};
use super::probe::{Probes, Suspect};
use super::resolve::Exits;
use super::walk::{Early, Walks};
use crate::findings::Place;
use impasse_store::{Column, Id, Interner};
use impasse_transition_system::{Key, TransitionSystem};
use rustc_hash::FxHashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

/// States before the first decision.
const FIRST_DECISION: u64 = 1 << 6;
/// States that are looked at closely for a suspect, for each key.
const NEAR: usize = 2;
/// Among how many of the nearest states not known to be able to end everything suspects are looked for.
const NEAREST: usize = 1 << 12;

/// The open sections of the states, and what they lead to.
pub(crate) struct Sections {
    pub(super) lists: Lists,
    /// By state: the number of its list plus one; zero if it is not expanded. With [`MANY`] if its witness
    /// has several targets.
    pub(super) open: Column<AtomicU32>,
    /// By state: its witness.
    pub(super) witnesses: Column<AtomicU32>,
    /// The targets of witnesses that have several: the number of them, then they.
    pub(super) targets: Mutex<Vec<u32>>,
    /// The greatest id of a state that was expanded.
    pub(super) last: AtomicU32,
    /// Whether any transition ends anything, or may.
    some_end: AtomicBool,
    /// Whether any ends everything, or may.
    all_end: AtomicBool,
    /// States from which only silent transitions lead.
    pub(super) silent: Silent,
    next_decision: u64,
    probes: Probes,
    walks: Walks,
    /// States whose sections were found to end in another way than through what is known of them here.
    pub(super) cleared: Vec<Id>,
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
pub(super) const MANY: u32 = 1 << 31;
/// As a witness: none, or one that leads back to the state itself.
pub(super) const NONE: u32 = 0;
/// As a witness: everything ends.
pub(super) const ENDS: u32 = u32::MAX;

/// The group of a state's edges that is remembered.
pub(super) enum Witness {
    /// Everything ends there.
    Ends,
    /// All edges lead to this state.
    To(Id),
    /// To these states.
    ToAll(Vec<Id>),
}

/// What a decision looks at beside the sections.
pub(crate) struct Known<'a, S: TransitionSystem + ?Sized> {
    pub(crate) system: &'a S,
    pub(crate) states: &'a Interner,
    /// The places of the states that the search itself has reached.
    pub(crate) places: &'a Column<AtomicU64>,
    /// How many these are.
    pub(crate) count: u64,
    /// Whether all of them have been expanded.
    pub(crate) exhausted: bool,
    /// The initial states.
    pub(crate) roots: &'a [Id],
    /// The states that were expanded last, in the order of their places.
    pub(crate) recent: &'a [Id],
    /// One for each thread that may be used.
    pub(crate) workers: Vec<&'a mut S::Worker>,
    /// A section that is not looked at here.
    pub(crate) apart: Option<Key>,
}

impl<S: TransitionSystem + ?Sized> Known<'_, S> {
    pub(super) fn place(&self, state: Id) -> Place {
        Place::of(self.places, state)
    }

    /// The sections open in a state, but for the one that is decided apart.
    pub(super) fn open_sections(&mut self, state: Id) -> Vec<Key> {
        let mut keys = Vec::new();
        let state = self.states.get(state);
        self.system.open_sections(self.workers[0], state, &mut keys);
        keys.retain(|&key| Some(key) != self.apart);
        keys
    }

    /// Whether the search itself has reached a state.
    pub(super) fn has_reached(&self, state: Id) -> bool {
        let place = self.places.get(state.0);
        place.is_some_and(|inverted| inverted.load(Relaxed) != 0)
    }
}

impl Sections {
    /// Nothing is known yet; one section is decided apart.
    pub(crate) fn new(apart: Option<Key>) -> Self {
        Sections {
            lists: Lists::new(apart),
            open: Column::new(),
            witnesses: Column::new(),
            targets: Mutex::default(),
            last: AtomicU32::new(0),
            some_end: AtomicBool::new(false),
            all_end: AtomicBool::new(false),
            silent: Silent::default(),
            next_decision: FIRST_DECISION,
            probes: Probes::default(),
            walks: Walks::default(),
            cleared: Vec::new(),
        }
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
                let mut targets = self
                    .targets
                    .lock()
                    .expect("no thread panics while it holds the lock");
                let first = targets.len() as u32;
                targets.push(all.len() as u32);
                targets.extend(all.iter().map(|target| target.0));
                self.open.cell(state.0).fetch_or(MANY, Relaxed);
                first
            }
        };
        self.witnesses.cell(state.0).store(word, Relaxed);
    }

    /// Some transition ends something, or may.
    pub(super) fn note_end(&self) {
        self.some_end.store(true, Relaxed);
    }

    /// Some transition ends everything, or may.
    pub(super) fn note_end_of_all(&self) {
        self.all_end.store(true, Relaxed);
    }

    /// Memory in use with so many states, in bytes.
    pub(crate) fn bytes(&self, states: u64) -> u64 {
        let targets = self
            .targets
            .lock()
            .expect("no thread panics while it holds the lock")
            .len() as u64
            * 4;
        // A state has a list and a witness, and while a fixpoint is computed two bytes.
        10 * states + targets + self.lists.bytes() + self.probes.bytes() + self.silent.bytes()
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
        if known.exhausted
            && let Some(list) = self.open_for_ever()
        {
            return self.all(known, list);
        }
        let mut exits = Exits::default();
        let mut missing = Missing::default();
        for pass in self.passes(Unexpanded::CanEnd) {
            // Of what is left only all that leaves it can tell.
            let unsettled = pass.compute(known, &mut exits);
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

    /// The nearest state from which only silent transitions can ever be taken, as far as is known.
    pub(crate) fn divergent<S: TransitionSystem + ?Sized>(
        &self,
        known: &Known<'_, S>,
    ) -> Option<Place> {
        let found = self.silent.divergent(|state| known.place(state));
        found.map(|(place, _)| place)
    }

    /// The section that is decided apart, if any is.
    pub(crate) fn apart(&self) -> Option<Key> {
        self.lists.apart
    }

    /// Whether, in an exhausted space, the section that is decided apart may never end.
    pub(crate) fn endless<S: TransitionSystem + ?Sized>(&self, known: &mut Known<'_, S>) -> bool {
        let Some((number, masks)) = self.lists.masks_apart() else {
            return false;
        };
        let mut open = (0..=self.last.load(Relaxed)).filter_map(|state| self.list(Id(state)));
        let never_ends = !self.all_end.load(Relaxed);
        if never_ends && open.all(|list| masks[list.0 as usize] != 0) {
            return true;
        }
        let pass = Pass::new(self, number, masks, Unexpanded::CanEnd);
        let mut exits = Exits::default();
        let unsettled = pass.compute(known, &mut exits);
        exits.add(known, &self.lists, &unsettled);
        pass.resolve(&unsettled, &exits);
        let mut missing = Missing::default();
        pass.report(&mut missing, &unsettled);
        let nearest = missing.into_keys().min_by_key(|&state| known.place(state));
        nearest.is_some_and(|state| {
            let state = known.states.get(state);
            doubts::settled(known.system, known.workers[0], state) == 0
        })
    }

    /// What is open in all states, if nothing ends in any of them: no transition says so, and nothing is open in one state
    /// and not in another. Most programs that run forever are so, as a whole.
    fn open_for_ever(&self) -> Option<Id> {
        if self.some_end.load(Relaxed) || !self.cleared.is_empty() {
            return None;
        }
        let mut lists = (0..=self.last.load(Relaxed)).filter_map(|state| self.list(Id(state)));
        let first = lists.next()?;
        let decided = |list| self.lists.first_decided(list).is_some();
        (decided(first) && lists.all(|list| list == first)).then_some(first)
    }

    /// All states, with the first section of a list.
    fn all<S: TransitionSystem + ?Sized>(&self, known: &Known<'_, S>, list: Id) -> Vec<Doubt> {
        let first = self.lists.first_decided(list).expect("it is not empty");
        let section = self.lists.keys()[first.0 as usize];
        let states = (0..=self.last.load(Relaxed)).map(Id);
        let expanded = states.filter(|&state| self.list(state).is_some());
        let doubt = |state| Doubt {
            place: known.place(state),
            state,
            section,
        };
        expanded.map(doubt).collect()
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
        let Sections {
            walks, lists, open, ..
        } = self;
        let count = |state: Id| list_in(open, state).map_or(0, |list| lists.get(list).len());
        walks.run(known, count)
    }

    /// The nearest pair of each section that is not known to be able to end, ordered by place; one for each state.
    fn suspects<S: TransitionSystem + ?Sized>(&self, known: &mut Known<'_, S>) -> Vec<Suspect> {
        let keys = self.lists.keys();
        let mut exits = Exits::default();
        let mut nearest: FxHashMap<KeyNumber, (Place, Id)> = FxHashMap::default();
        for pass in self.passes(Unexpanded::CannotEnd) {
            // What circles leave out, if anything, is suspected a little longer.
            let unsettled = nearest_of(known, pass.follow_witnesses_back());
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
        let mut list = self.lists.get(list).into_iter();
        let first = list.find(|number| keys.contains(number));
        let first = first.expect("they are of that list");
        self.lists.keys()[first.0 as usize]
    }

    pub(super) fn list(&self, state: Id) -> Option<Id> {
        list_in(&self.open, state)
    }

    /// A pass for every few keys.
    fn passes(&self, unexpanded: Unexpanded) -> impl Iterator<Item = Pass<'_>> {
        let firsts = (0..).step_by(TOGETHER).map(KeyNumber);
        let masks = self.lists.masks();
        let passes = firsts.zip(masks);
        passes.map(move |(first, masks)| Pass::new(self, first, masks, unexpanded))
    }
}

/// The list of a state, where these are kept by state.
fn list_in(open: &Column<AtomicU32>, state: Id) -> Option<Id> {
    let word = open.get(state.0)?.load(Relaxed) & !MANY;
    word.checked_sub(1).map(Id)
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
