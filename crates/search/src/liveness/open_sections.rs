//! The open sections of each state, and the backward fixpoint that decides which of them can end.
//!
//! *The search keeps no transitions.* Each expanded state has a list of open keys and one
//! *successor hint*: one of the groups of its transitions, nearly always a single transition, given
//! by its target. That takes eight bytes a state, whatever its degree.
//!
//! *Claim.* [`check`](OpenSections::check) returns the pairs outside of the least fixpoint `canEnd`
//! (see the [module above](super)). It computes the least fixpoint of the hints alone, expands the
//! states with pairs outside of it again, and iterates the rule over all their transitions. The
//! argument is in `docs/internals/liveness.md`, section "Successor hints".
//!
//! *Few states are expanded again where every section can end.* Hints lead from level to level, and
//! back somewhere from the last level. Such a path closes a cycle only after about as many steps as
//! the square root of the number of states; by then nearly every section has ended. The states of a
//! hang's region are expanded twice.
//!
//! *Keys are decided sixteen at a time* (see `backward_fixpoint`): a pair takes one bit, and a
//! state two bytes while a fixpoint is computed.

use super::backward_fixpoint::{BackwardFixpoint, Frontier, Missing};
use super::context::{CandidateViolation, SearchContext};
use super::divergence::Silent;
use super::drained;
use super::full_expansion::OutgoingTransitions;
use super::key_lists::{KeyNumber, Masks, TOGETHER};
use super::local_search::LocalSearches;
use super::random_walk::{EarlyViolation, RandomWalks};
use super::successor_hints::SuccessorHints;
use crate::findings::Place;
use impasse_store::{Backing, Id};
use impasse_transition_system::{Key, TransitionSystem};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// States before the first check.
const FIRST_CHECK: u64 = 1 << 6;
/// States that are expanded again to find a candidate violation, for each key.
const NEAR: usize = 2;
/// Candidates are drawn from so many of the nearest undecided states.
const NEAREST: usize = 1 << 12;

/// The open sections of the states, and what they lead to.
pub(crate) struct OpenSections {
    pub(super) hints: SuccessorHints,
    /// Whether any transition ends a section, or may.
    some_end: AtomicBool,
    /// Whether any ends every section, or may.
    all_end: AtomicBool,
    /// States with silent transitions only.
    pub(super) silent: Silent,
    next_check: u64,
    local_searches: LocalSearches,
    random_walks: RandomWalks,
    /// Candidate violations whose drained states show that their sections can end.
    refuted: Vec<Id>,
}

impl OpenSections {
    /// No states yet. The nontermination of `noted` is no violation.
    pub(crate) fn new(noted: Option<Key>, backing: &Backing) -> Self {
        OpenSections {
            hints: SuccessorHints::new(noted, backing),
            some_end: AtomicBool::new(false),
            all_end: AtomicBool::new(false),
            silent: Silent::default(),
            next_check: FIRST_CHECK,
            local_searches: LocalSearches::default(),
            random_walks: RandomWalks::default(),
            refuted: Vec::new(),
        }
    }

    /// Notes that some transition ends a section, or may.
    pub(super) fn note_end(&self) {
        self.some_end.store(true, Relaxed);
    }

    /// Notes that some transition ends every section, or may.
    pub(super) fn note_end_of_all(&self) {
        self.all_end.store(true, Relaxed);
    }

    /// Forgets what no longer matters. No state may be under expansion.
    pub(crate) fn forget(&mut self) {
        let OpenSections { silent, hints, .. } = self;
        silent.forget_escaping(|state| hints.list(state).is_some());
    }

    /// Memory in use with so many states, in bytes.
    pub(crate) fn bytes(&self, states: u64) -> u64 {
        // Two bytes more for each state while a fixpoint is computed.
        2 * states + self.hints.bytes(states) + self.local_searches.bytes() + self.silent.bytes()
    }

    /// Whether a check is due, with so many states found.
    pub(crate) fn is_due(&self, states: u64) -> bool {
        states >= self.next_check
    }

    /// Whether random walks are due, with so many states found.
    pub(crate) fn walks_are_due(&self, states: u64) -> bool {
        self.random_walks.are_due(states)
    }

    /// Returns the states with a section that cannot end, and the first such section of each, for
    /// the frontier that the search has now. In drained states these are violations.
    pub(crate) fn check<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
    ) -> Vec<CandidateViolation> {
        self.next_check = (2 * context.count).max(FIRST_CHECK);
        if context.exhausted
            && let Some(list) = self.always_open()
        {
            return self.all(context, list);
        }
        let mut outgoing = OutgoingTransitions::default();
        let mut missing = Missing::default();
        for fixpoint in self.fixpoints(Frontier::Optimistic) {
            let undecided = fixpoint.compute(context, &mut outgoing);
            // Only all their transitions decide about the rest.
            outgoing.expand(context, &self.hints, &undecided);
            fixpoint.iterate(&undecided, &outgoing);
            fixpoint.collect(&mut missing, &undecided);
        }
        let candidate = |(state, keys): (Id, Vec<KeyNumber>)| CandidateViolation {
            place: context.place(state),
            state,
            section: self.first(state, &keys),
        };
        missing.into_iter().map(candidate).collect()
    }

    /// Returns the place of the nearest state from which only silent transitions can ever be taken,
    /// as far as is known, of those in which the program must be able to end: the drained ones,
    /// where every state is drained.
    pub(crate) fn divergent<S: TransitionSystem + ?Sized>(
        &self,
        context: &mut SearchContext<'_, S>,
    ) -> Option<Place> {
        let found = self.silent.divergent(|state| context.place(state));
        let mut open = Vec::new();
        let nearest = found.into_iter().find(|&(_, state)| {
            open.clear();
            let (system, state) = (context.system, context.states.get(state));
            system.open_sections(context.workers[0], state, &mut open);
            open.contains(&Key::PROGRAM)
        });
        nearest.map(|(place, _)| place)
    }

    /// The section whose nontermination is no violation.
    pub(crate) fn noted(&self) -> Option<Key> {
        self.hints.lists.noted
    }

    /// Whether the noted section is open in every state, and no transition ends it.
    pub(crate) fn noted_never_ends(&self) -> bool {
        let Some((_, masks)) = self.hints.lists.noted_masks() else {
            return false;
        };
        let states = self.hints.expanded();
        let mut open = states.filter_map(|state| self.hints.list(state));
        !self.all_end.load(Relaxed) && open.all(|list| masks[list.0 as usize] != 0)
    }

    /// Returns the states of an exhausted state space with the noted section in them, if it cannot
    /// end there. In drained states it never ends.
    pub(crate) fn noted_candidates<S: TransitionSystem + ?Sized>(
        &self,
        context: &mut SearchContext<'_, S>,
    ) -> Vec<CandidateViolation> {
        let noted = self.noted().zip(self.hints.lists.noted_masks());
        let Some((section, (number, masks))) = noted else {
            return Vec::new();
        };
        let fixpoint = self.fixpoint(number, masks, Frontier::Optimistic);
        let mut outgoing = OutgoingTransitions::default();
        let undecided = fixpoint.compute(context, &mut outgoing);
        outgoing.expand(context, &self.hints, &undecided);
        fixpoint.iterate(&undecided, &outgoing);
        let mut missing = Missing::default();
        fixpoint.collect(&mut missing, &undecided);
        let candidate = |state| CandidateViolation {
            place: context.place(state),
            state,
            section,
        };
        missing.into_keys().map(candidate).collect()
    }

    /// Returns the list of the sections that are open in every state, if no section ends: no
    /// transition ends one, and all states have the same list. Most programs that run forever are
    /// like that.
    fn always_open(&self) -> Option<Id> {
        if self.some_end.load(Relaxed) || !self.refuted.is_empty() {
            return None;
        }
        let mut lists = self
            .hints
            .expanded()
            .filter_map(|state| self.hints.list(state));
        let first = lists.next()?;
        let has_key = |list| self.hints.lists.first_key(list).is_some();
        (has_key(first) && lists.all(|list| list == first)).then_some(first)
    }

    /// The nearest state, with the first section of a list, if it is drained; otherwise all states.
    fn all<S: TransitionSystem + ?Sized>(
        &self,
        context: &mut SearchContext<'_, S>,
        list: Id,
    ) -> Vec<CandidateViolation> {
        let first = self.hints.lists.first_key(list).expect("it is not empty");
        let section = self.hints.lists.keys()[first.0 as usize];
        let states = self.hints.expanded();
        let expanded = states.filter(|&state| self.hints.list(state).is_some());
        let candidates = expanded.map(|state| CandidateViolation {
            place: context.place(state),
            state,
            section,
        });
        let nearest = candidates.clone().min();
        let is_drained = |candidate: &CandidateViolation| {
            let state = context.states.get(candidate.state);
            drained::count(context.system, &mut context.system.worker(), state) == 0
        };
        match nearest.filter(is_drained) {
            Some(nearest) => vec![nearest],
            None => candidates.collect(),
        }
    }

    /// Notes that the sections of some candidate violations can end after all.
    pub(crate) fn refute(&mut self, states: impl Iterator<Item = Id>) {
        self.refuted.extend(states);
    }

    /// Looks near the initial states for hangs that cannot be decided yet.
    pub(crate) fn search_locally<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
    ) -> Option<EarlyViolation> {
        let candidates = self.candidates(context);
        let violation = self.local_searches.run(context, &candidates);
        violation.map(|violation| EarlyViolation {
            section: violation.section,
            place: violation.place,
            suffix: Vec::new(),
        })
    }

    /// Looks far from the initial states for hangs that cannot be decided yet, if that is due.
    pub(crate) fn walk<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
    ) -> Option<EarlyViolation> {
        let OpenSections {
            random_walks,
            hints,
            ..
        } = self;
        let count = |state: Id| {
            hints
                .list(state)
                .map_or(0, |list| hints.lists.get(list).len())
        };
        random_walks.run(context, count)
    }

    /// Returns the nearest undecided pair of each section, ordered by place, at most one for a
    /// state.
    fn candidates<S: TransitionSystem + ?Sized>(
        &self,
        context: &mut SearchContext<'_, S>,
    ) -> Vec<CandidateViolation> {
        let keys = self.hints.lists.keys();
        let mut outgoing = OutgoingTransitions::default();
        let mut nearest: FxHashMap<KeyNumber, (Place, Id)> = FxHashMap::default();
        for fixpoint in self.fixpoints(Frontier::Pessimistic) {
            // What cycles of hints hide stays a candidate a little longer.
            let mut nearest_states = Nearest::default();
            fixpoint.propagate_once(|state| nearest_states.add((context.place(state), state)));
            let undecided = nearest_states.in_order();
            let key = |number: KeyNumber| keys[number.0 as usize];
            let is_candidate = |state: Id, number: KeyNumber| {
                fixpoint.is_undecided(state, number)
                    && !self.local_searches.has_refuted(state, key(number))
            };
            for number in fixpoint
                .keys()
                .filter(|number| (number.0 as usize) < keys.len())
            {
                // A hint may mislead; all transitions of the nearest states do not.
                let near = undecided.iter().copied();
                let near = near.filter(|&state| is_candidate(state, number));
                let near: Vec<Id> = near.take(NEAR).collect();
                outgoing.expand(context, &self.hints, &near);
                fixpoint.iterate(&near, &outgoing);
                if let Some(state) = near.into_iter().find(|&state| is_candidate(state, number)) {
                    nearest.insert(number, (context.place(state), state));
                }
            }
        }
        let candidate = |(number, (place, state)): (KeyNumber, (Place, Id))| CandidateViolation {
            state,
            section: keys[number.0 as usize],
            place,
        };
        let mut candidates: Vec<CandidateViolation> = nearest.into_iter().map(candidate).collect();
        candidates.sort_by_key(|candidate| (candidate.place, candidate.section));
        candidates.dedup_by_key(|candidate| candidate.place);
        candidates
    }

    /// The first of some keys in a state's list.
    fn first(&self, state: Id, keys: &[KeyNumber]) -> Key {
        let list = self.hints.list(state).expect("it is expanded");
        let mut list = self.hints.lists.get(list).into_iter();
        let first = list.find(|number| keys.contains(number));
        let first = first.expect("they are of that list");
        self.hints.lists.keys()[first.0 as usize]
    }

    /// The fixpoints, one for every 16 keys.
    fn fixpoints(&self, frontier: Frontier) -> impl Iterator<Item = BackwardFixpoint<'_>> {
        let groups = 0..self.hints.lists.groups();
        groups.map(move |group| {
            let first = KeyNumber((group * TOGETHER) as u32);
            self.fixpoint(first, self.hints.lists.masks(group), frontier)
        })
    }

    fn fixpoint(&self, first: KeyNumber, masks: Masks, frontier: Frontier) -> BackwardFixpoint<'_> {
        BackwardFixpoint::new(&self.hints, &self.refuted, first, masks, frontier)
    }
}

/// The nearest of some states.
#[derive(Default)]
struct Nearest(Vec<(Place, Id)>);

impl Nearest {
    fn add(&mut self, placed: (Place, Id)) {
        self.0.push(placed);
        if self.0.len() >= 2 * NEAREST {
            self.truncate();
        }
    }

    fn truncate(&mut self) {
        if self.0.len() > NEAREST {
            self.0.select_nth_unstable(NEAREST);
            self.0.truncate(NEAREST);
        }
    }

    /// They, ordered by place.
    fn in_order(mut self) -> Vec<Id> {
        self.truncate();
        self.0.sort_unstable();
        self.0.into_iter().map(|(_, state)| state).collect()
    }
}
