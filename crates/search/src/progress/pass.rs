//! The fixpoint of [`sections`](super::sections) for a few keys.
//!
//! *Circles.* Where programs run forever, witnesses lead into circles, in which only some threads move, and all that leads there waits for what
//! these leave open. So some states are expanded once more and the rule is applied to all that leaves them. Which states these are decides how long that takes and
//! nothing else. First they are those of ways taken at random from the circles, as chance lets every thread move soon; then all that can be
//! reached from the circles, nearest first.

use super::keys::{KeyNumber, Lists, TOGETHER};
use super::resolve::Exits;
use super::sections::{ENDS, Known, MANY, NONE, Sections};
use fastrand::Rng;
use impasse_store::{Column, Id};
use impasse_transition_system::TransitionSystem;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// Steps that are taken to leave circles: so many altogether, and some more for each.
const LEAVING: usize = 1 << 9;
const LEAVING_EACH: usize = 1 << 2;

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
    /// A pass for some keys from a first one on; `masks` says by list which of them are in it.
    pub(super) fn new(
        sections: &'a Sections,
        first: KeyNumber,
        masks: Vec<u16>,
        unexpanded: Unexpanded,
    ) -> Self {
        let pass = Pass {
            sections,
            first,
            masks,
            can_end: Column::new(),
            many: sections
                .targets
                .lock()
                .expect("no thread panics while it holds the lock")
                .clone(),
            unexpanded,
            last: sections.last.load(Relaxed),
        };
        for state in &sections.cleared {
            pass.can_end.cell(state.0).store(u16::MAX, Relaxed);
        }
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
        self.add(state, news);
        news != 0
    }

    fn add(&self, state: Id, ending: u16) {
        if ending != 0 {
            // Nobody else writes meanwhile.
            let cell = self.can_end.cell(state.0);
            cell.store(cell.load(Relaxed) | ending, Relaxed);
        }
    }

    /// Finds most of what can end: follows witnesses, and where they lead no further expands states once more. Returns the states that
    /// have keys not known to be able to end.
    pub(super) fn compute<S: TransitionSystem + ?Sized>(
        &self,
        known: &mut Known<'_, S>,
        exits: &mut Exits,
    ) -> Vec<Id> {
        let mut unsettled = self.follow_witnesses_back();
        loop {
            self.follow_witnesses(&mut unsettled, exits);
            if !self.break_circles(known, exits, &unsettled) {
                return unsettled;
            }
        }
    }

    /// Expands states on circles of witnesses and on the way out of them, and if that does not help all that
    /// the circles lead to, and so on; tells whether it did help.
    fn break_circles<S: TransitionSystem + ?Sized>(
        &self,
        known: &mut Known<'_, S>,
        exits: &mut Exits,
        unsettled: &[Id],
    ) -> bool {
        let circles = self.circles(unsettled);
        if self.leave_circles(known, exits, &circles) {
            return true;
        }
        let mut next = circles.concat();
        let expanded = unsettled.iter().copied();
        let mut expanded: Vec<Id> = expanded.filter(|&state| exits.has(state)).collect();
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

    /// Follows transitions picked at random from a state of each circle, which mostly come to the ends of what is open soon, while
    /// looking in all directions takes long; tells whether it did help.
    fn leave_circles<S: TransitionSystem + ?Sized>(
        &self,
        known: &mut Known<'_, S>,
        exits: &mut Exits,
        circles: &[Vec<Id>],
    ) -> bool {
        let steps = LEAVING / circles.len().max(1) + LEAVING_EACH;
        let mut random = Rng::with_seed(circles.len() as u64);
        let mut helped = false;
        for circle in circles {
            let way = self.way_out(known, exits, circle[0], steps, &mut random);
            helped |= self.resolve(&way, exits);
        }
        helped
    }

    /// Follows transitions from a state until all that it lacks has ended on the way, at most so many.
    fn way_out<S: TransitionSystem + ?Sized>(
        &self,
        known: &mut Known<'_, S>,
        exits: &mut Exits,
        start: Id,
        steps: usize,
        random: &mut Rng,
    ) -> Vec<Id> {
        let mut way = Vec::new();
        let mut state = start;
        let mut wanted = self.lacks(state);
        while way.len() < steps && wanted & self.lacks(state) != 0 {
            exits.add(known, &self.sections.lists, &[state]);
            way.push(state);
            wanted &= !exits.ending(self, &self.sections.lists, state, wanted);
            let targets: Vec<Id> = exits.targets(state).collect();
            let Some(target) = random.choice(targets) else {
                break;
            };
            state = target;
        }
        way
    }

    /// Where following witnesses from some unsettled states ends: circles, or a single state where there is none.
    fn circles(&self, unsettled: &[Id]) -> Vec<Vec<Id>> {
        let mut passed = Visited::new(self.last);
        let mut on_way = Visited::new(self.last);
        let mut way = Vec::new();
        let mut circles = Vec::new();
        for &start in unsettled {
            let mut next = Some(start);
            while let Some(state) = next.filter(|&state| passed.insert(state)) {
                on_way.insert(state);
                way.push(state);
                next = self.next_unsettled(state);
            }
            // The way ended here or came back to itself, or it met another one.
            let first = match next {
                None => way.last().copied(),
                Some(state) => Some(state).filter(|&state| on_way.has(state)),
            };
            let first = first.and_then(|first| way.iter().position(|&state| state == first));
            circles.extend(first.map(|first| way[first..].to_vec()));
            way.drain(..).for_each(|state| on_way.remove(state));
        }
        circles
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
    /// later. Returns the states that have keys not known to be able to end.
    pub(super) fn follow_witnesses_back(&self) -> Vec<Id> {
        let mut unsettled = Vec::new();
        for state in (0..=self.last).rev().map(Id) {
            let lacks = self.lacks(state);
            if lacks != 0 {
                let ending = lacks & self.through_witness(state);
                self.add(state, ending);
                if ending != lacks {
                    unsettled.push(state);
                }
            }
        }
        unsettled
    }

    /// Adds all that can end through witnesses, for each of the states left unsettled after the one that its witness leads to, so that once
    /// would do, if there were no circles.
    fn follow_witnesses(&self, unsettled: &mut Vec<Id>, exits: &Exits) {
        let mut visited = Visited::new(self.last);
        loop {
            let changed = self.walk_from(unsettled, &mut visited, exits);
            unsettled.retain(|&state| self.lacks(state) != 0);
            if !changed {
                return;
            }
            visited.clear();
        }
    }

    /// Looks at all that can be reached from some states by witnesses, once, and tells whether anything
    /// changed.
    fn walk_from(&self, starts: &[Id], visited: &mut Visited, exits: &Exits) -> bool {
        // Of these more than the witness is known.
        exits.states().for_each(|state| {
            visited.insert(state);
        });
        let mut changed = false;
        let mut way = Vec::new();
        for &start in starts {
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

    fn remove(&mut self, state: Id) {
        self.0[state.0 as usize / 64] &= !(1 << (state.0 % 64));
    }

    /// Adds a state, and tells whether it is new.
    fn insert(&mut self, state: Id) -> bool {
        let new = !self.has(state);
        self.0[state.0 as usize / 64] |= 1 << (state.0 % 64);
        new
    }
}
