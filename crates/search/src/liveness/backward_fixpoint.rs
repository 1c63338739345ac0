//! The backward fixpoint of [`open_sections`](super::open_sections) for up to 16 keys.
//!
//! *Cycles of hints.* In programs that run forever, successor hints lead into cycles in which only
//! some threads move, and every state that leads there depends on them. So the fixpoint expands
//! some states again and applies the rule to all their transitions. Which states these are only
//! affects how long that takes: first those on random walks from the cycles, since random
//! scheduling lets every thread move soon; then everything reachable from the cycles, nearest
//! first.

use super::context::SearchContext;
use super::full_expansion::{OutgoingTransitions, Target};
use super::key_lists::{KeyNumber, Masks, TOGETHER};
use super::successor_hints::SuccessorHints;
use fastrand::Rng;
use impasse_store::{Column, Id};
use impasse_transition_system::{Branch, TransitionSystem};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// Steps of the walks out of the cycles: so many in total, and some more for each cycle.
const LEAVING: usize = 1 << 9;
const LEAVING_EACH: usize = 1 << 2;

/// States after which memory is given up, if it is short.
const PACE: u32 = 1 << 6;

/// What is assumed about the frontier, the states that were found but not expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Frontier {
    /// Every section can end from it: a pair outside of the fixpoint is a hang.
    Optimistic,
    /// No section can: a pair inside the fixpoint is none.
    Pessimistic,
}

/// Pairs outside of the fixpoint, by state.
pub(super) type Missing = FxHashMap<Id, Vec<KeyNumber>>;

/// The fixpoint for some keys.
pub(super) struct BackwardFixpoint<'a> {
    hints: &'a SuccessorHints,
    first: KeyNumber,
    /// By list: which of the keys it has.
    masks: Masks,
    /// By state: which of the keys are known to be able to end.
    can_end: Column<AtomicU16>,
    frontier: Frontier,
    /// The greatest id of an expanded state.
    last: u32,
}

impl<'a> BackwardFixpoint<'a> {
    /// A fixpoint for the keys from `first` on. `masks` says by list which of them it has. All keys
    /// can end from the `refuted` states.
    pub(super) fn new(
        hints: &'a SuccessorHints,
        refuted: &[Id],
        first: KeyNumber,
        masks: Masks,
        frontier: Frontier,
    ) -> Self {
        let fixpoint = BackwardFixpoint {
            hints,
            first,
            masks,
            can_end: Column::on(&hints.backing),
            frontier,
            last: hints.last(),
        };
        for state in refuted {
            fixpoint.can_end.cell(state.0).store(u16::MAX, Relaxed);
        }
        fixpoint
    }

    /// Which of the fixpoint's keys a list has.
    fn among(&self, list: Id) -> u16 {
        let mut mask = 0;
        self.hints.lists.for_each(list, |number| {
            let bit = number.0.wrapping_sub(self.first.0);
            if bit < TOGETHER as u32 {
                mask |= 1 << bit;
            }
        });
        mask
    }

    /// Which keys are open in a state; `None` if it was not expanded.
    fn open(&self, state: Id) -> Option<u16> {
        Some(self.masks[self.hints.list(state)?.0 as usize])
    }

    /// Which keys can end through a transition to `target` that itself ends none that is open
    /// there.
    fn through(&self, target: Id) -> u16 {
        match self.open(target) {
            Some(open) => !open | self.can_end.cell(target.0).load(Relaxed),
            None if self.frontier == Frontier::Optimistic => u16::MAX,
            None => 0,
        }
    }

    /// Which keys of a state are not known to be able to end.
    fn undecided(&self, state: Id) -> u16 {
        let open = self.open(state).unwrap_or(0);
        match open {
            0 => 0,
            _ => open & !self.can_end.cell(state.0).load(Relaxed),
        }
    }

    /// Notes that some keys can end from a state. Returns whether that was unknown.
    fn note(&self, state: Id, ending: u16) -> bool {
        let news = self.undecided(state) & ending;
        self.add(state, news);
        news != 0
    }

    fn add(&self, state: Id, ending: u16) {
        if ending != 0 {
            // Only one thread writes.
            let cell = self.can_end.cell(state.0);
            cell.store(cell.load(Relaxed) | ending, Relaxed);
        }
    }

    /// Finds most of what can end: propagates along hints, and expands states again where these
    /// form cycles. Returns the states with undecided keys.
    pub(super) fn compute<S: TransitionSystem + ?Sized>(
        &self,
        context: &mut SearchContext<'_, S>,
        outgoing: &mut OutgoingTransitions,
    ) -> Vec<Id> {
        let mut undecided = Vec::new();
        self.propagate_once(|state| undecided.push(state));
        loop {
            self.propagate(&mut undecided, outgoing);
            if !self.leave_cycles(context, outgoing, &undecided) {
                return undecided;
            }
        }
    }

    /// Expands states on cycles of hints and on walks out of them; if that does not help, the
    /// states that the cycles lead to, and so on. Returns whether it helped.
    fn leave_cycles<S: TransitionSystem + ?Sized>(
        &self,
        context: &mut SearchContext<'_, S>,
        outgoing: &mut OutgoingTransitions,
        undecided: &[Id],
    ) -> bool {
        let cycles = self.hint_cycles(undecided);
        if self.leave_at_random(context, outgoing, &cycles) {
            return true;
        }
        let mut next = cycles.concat();
        let expanded = undecided.iter().copied();
        let mut expanded: Vec<Id> = expanded.filter(|&state| outgoing.has(state)).collect();
        let mut seen = FxHashSet::default();
        while !self.iterate(&expanded, outgoing) {
            // Twice as many each time, so that a large region does not take many iterations.
            let enough = seen.len() * 2;
            loop {
                next.retain(|&state| self.undecided(state) != 0 && seen.insert(state));
                expanded.extend(next.iter().filter(|&&state| !outgoing.has(state)));
                outgoing.expand(context, self.hints, &next);
                if next.is_empty() || seen.len() > enough {
                    break;
                }
                next = successors(outgoing, &next);
            }
            if next.is_empty() {
                return self.iterate(&expanded, outgoing);
            }
            next = successors(outgoing, &next);
        }
        true
    }

    /// Takes a random walk from a state of each cycle, which mostly ends the open sections soon,
    /// while a search in all directions takes long. Returns whether it helped.
    fn leave_at_random<S: TransitionSystem + ?Sized>(
        &self,
        context: &mut SearchContext<'_, S>,
        outgoing: &mut OutgoingTransitions,
        cycles: &[Vec<Id>],
    ) -> bool {
        let steps = LEAVING / cycles.len().max(1) + LEAVING_EACH;
        let mut random = Rng::with_seed(cycles.len() as u64);
        let mut helped = false;
        for cycle in cycles {
            let walk = self.walk(context, outgoing, cycle[0], steps, &mut random);
            helped |= self.iterate(&walk, outgoing);
        }
        helped
    }

    /// Follows random transitions from a state until its undecided keys have ended, at most
    /// `steps`. Returns the expanded states.
    fn walk<S: TransitionSystem + ?Sized>(
        &self,
        context: &mut SearchContext<'_, S>,
        outgoing: &mut OutgoingTransitions,
        start: Id,
        steps: usize,
        random: &mut Rng,
    ) -> Vec<Id> {
        let mut walk = Vec::new();
        let mut state = start;
        let mut wanted = self.undecided(state);
        while walk.len() < steps && wanted & self.undecided(state) != 0 {
            outgoing.expand(context, self.hints, &[state]);
            walk.push(state);
            wanted &= !self.ending(outgoing, state, wanted);
            let targets: Vec<Id> = outgoing.successors(state).collect();
            let Some(target) = random.choice(targets) else {
                break;
            };
            state = target;
        }
        walk
    }

    /// The cycles that following hints from undecided states ends in, or the single state without a
    /// hint.
    fn hint_cycles(&self, undecided: &[Id]) -> Vec<Vec<Id>> {
        let mut passed = StateSet::new(self.last);
        let mut on_path = StateSet::new(self.last);
        let mut path = Vec::new();
        let mut cycles = Vec::new();
        for &start in undecided {
            let mut next = Some(start);
            while let Some(state) = next.filter(|&state| passed.insert(state)) {
                on_path.insert(state);
                path.push(state);
                next = self.next_undecided(state);
            }
            // The path ended here, closed a cycle, or met an earlier path.
            let first = match next {
                None => path.last().copied(),
                Some(state) => Some(state).filter(|&state| on_path.has(state)),
            };
            let first = first.and_then(|first| path.iter().position(|&state| state == first));
            cycles.extend(first.map(|first| path[first..].to_vec()));
            path.drain(..).for_each(|state| on_path.remove(state));
        }
        cycles
    }

    /// A target of a state's hint that shares an undecided key with it.
    fn next_undecided(&self, state: Id) -> Option<Id> {
        self.targets(state)
            .find(|&target| self.undecided(target) & self.undecided(state) != 0)
    }

    /// The targets of a state's hint.
    fn targets(&self, state: Id) -> impl Iterator<Item = Id> {
        self.hints.targets(state)
    }

    /// Propagates along hints once, in descending order of ids, since most hints lead to a state
    /// found later. Passes on the states with undecided keys.
    pub(super) fn propagate_once(&self, mut undecided: impl FnMut(Id)) {
        for state in (0..=self.last).rev().map(Id) {
            let keys = self.undecided(state);
            if keys != 0 {
                let ending = keys & self.through_hint(state);
                self.add(state, ending);
                if ending != keys {
                    undecided(state);
                }
            }
            if state.0.is_multiple_of(PACE) {
                self.hints.backing.pace();
            }
        }
    }

    /// Propagates along hints until nothing changes. It visits each undecided state after the
    /// targets of its hint, so that one iteration suffices where hints form no cycles.
    fn propagate(&self, undecided: &mut Vec<Id>, outgoing: &OutgoingTransitions) {
        let mut visited = StateSet::new(self.last);
        loop {
            let changed = self.propagate_from(undecided, &mut visited, outgoing);
            undecided.retain(|&state| self.undecided(state) != 0);
            if !changed {
                return;
            }
            visited.clear();
        }
    }

    /// Visits all undecided states reachable from some states by hints, once, in postorder. Returns
    /// whether anything changed.
    fn propagate_from(
        &self,
        starts: &[Id],
        visited: &mut StateSet,
        outgoing: &OutgoingTransitions,
    ) -> bool {
        // For these more than the hint is known.
        outgoing.states().for_each(|state| {
            visited.insert(state);
        });
        let mut changed = false;
        let mut path = Vec::new();
        let mut visits = 0;
        for &start in starts {
            let mut next = Some(start);
            loop {
                match next.filter(|&state| self.undecided(state) != 0 && visited.insert(state)) {
                    Some(state) => path.push(state),
                    None if path.is_empty() => break,
                    None => {}
                }
                let state = *path.last().expect("it is not empty");
                next = self
                    .targets(state)
                    .find(|&target| !visited.has(target) && self.undecided(target) != 0);
                if next.is_none() {
                    path.pop();
                    visits += 1;
                    if visits % PACE == 0 {
                        self.hints.backing.pace();
                    }
                    changed |= self.note(state, self.through_hint(state));
                    if path.is_empty() {
                        break;
                    }
                }
            }
        }
        changed
    }

    /// Which keys can end through a state's hint.
    fn through_hint(&self, state: Id) -> u16 {
        if self.hints.is_missing(state) {
            return 0;
        }
        let targets = self.targets(state);
        targets.fold(u16::MAX, |keys, target| keys & self.through(target))
    }

    /// Applies the rule to expanded states with all their transitions until nothing changes.
    /// Returns whether anything did.
    pub(super) fn iterate(&self, states: &[Id], outgoing: &OutgoingTransitions) -> bool {
        let mut backwards = true;
        let mut helped = false;
        loop {
            let mut changed = false;
            let mut advance = |state: &Id| {
                let keys = self.undecided(*state);
                if keys != 0 {
                    changed |= self.note(*state, self.ending(outgoing, *state, keys));
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

    /// Returns which of the `wanted` keys can end from an expanded state: those for which, in some
    /// group, each transition ends the section or leads to a state from which it can end.
    fn ending(&self, outgoing: &OutgoingTransitions, state: Id, wanted: u16) -> u16 {
        let mut ending = 0;
        let transitions = outgoing.transitions(state);
        for group in transitions.chunk_by(|_, (branch, _)| *branch == Branch::Input) {
            let through = |keys: u16, target: Target| match target {
                Target::End => keys,
                Target::State { state, ended } => keys & (self.among(ended) | self.through(state)),
            };
            let missing = wanted & !ending;
            let targets = group.iter().map(|(_, target)| *target);
            ending |= targets.fold(missing, through);
            if ending == wanted {
                break;
            }
        }
        ending
    }

    /// The numbers of the fixpoint's keys.
    pub(super) fn keys(&self) -> impl Iterator<Item = KeyNumber> + use<> {
        (self.first.0..self.first.0 + TOGETHER as u32).map(KeyNumber)
    }

    /// Whether one of the keys is open in a state and not known to be able to end.
    pub(super) fn is_undecided(&self, state: Id, number: KeyNumber) -> bool {
        self.undecided(state) & 1 << (number.0 - self.first.0) != 0
    }

    /// Adds the undecided keys of some states.
    pub(super) fn collect(&self, missing: &mut Missing, states: &[Id]) {
        for &state in states.iter().filter(|&&state| self.undecided(state) != 0) {
            let keys = self.keys();
            let keys = keys.filter(|&number| self.is_undecided(state, number));
            missing.entry(state).or_default().extend(keys);
        }
    }
}

fn successors(outgoing: &OutgoingTransitions, states: &[Id]) -> Vec<Id> {
    let targets = states.iter().flat_map(|&state| outgoing.successors(state));
    targets.collect()
}

/// A set of states.
struct StateSet(Vec<u64>);

impl StateSet {
    /// The empty set, of states up to an id.
    fn new(last: u32) -> Self {
        StateSet(vec![0; last as usize / 64 + 1])
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    fn has(&self, state: Id) -> bool {
        let word = self.0.get(state.0 as usize / 64).copied().unwrap_or(0);
        word & 1 << (state.0 % 64) != 0
    }

    fn remove(&mut self, state: Id) {
        self.0[state.0 as usize / 64] &= !(1 << (state.0 % 64));
    }

    /// Adds a state. Returns whether it is new.
    fn insert(&mut self, state: Id) -> bool {
        let new = !self.has(state);
        self.0[state.0 as usize / 64] |= 1 << (state.0 % 64);
        new
    }
}
