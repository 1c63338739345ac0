//! Hangs far from the start: random walks, and what they end in.
//!
//! Breadth-first, a hang that takes many steps is met when most of the space is known, and one of which
//! much can follow is told even later. A program that is left to chance runs into most of them
//! soon, and what it then settles into is small. So now and then some walks are taken, each from
//! an initial state along transitions picked at random, until none is left or the walk is long. What is
//! open at the end, and has been for half of the walk, is suspected: what can be reached from there without ending it is
//! explored, as far as the allowance goes.
//!
//! *A hang that a walk tells is one*: its region is closed and the section cannot end in it, as for probes (see `probe`).
//!
//! *The first state from which the section cannot end* is looked for along the walk. As long as the instance is the same, states from which it
//! can end come before those from which it cannot, so that first longer and longer steps back, then halves, find it. What
//! follows a state from which it cannot end is looked at once, as it also follows the states before.
//! Where that is too much, a later state is told.
//!
//! *The way there* is that of the search, as far as it knows the states of the walk, and then the walk's, without its circles. It is short,
//! but where the search has not come so far it need not be the shortest; hence no walk is taken in small
//! spaces, which the search has looked through soon enough.
//!
//! *Determinism*: what is picked depends on the number of states and of the walk alone.

use super::doubts::settled;
use super::region::Region;
use super::sections::Known;
use crate::findings::Place;
use crate::system::{Branch, Edge, Ends, Key, Sink, TransitionSystem};
use fastrand::Rng;
use impasse_store::Id;
use std::collections::HashMap;

/// States that must be known before a walk is taken.
const FROM: u64 = 1 << 12;
/// Walks may take one step for so many states.
const SHARE: u64 = 10;
/// Steps that they may take beyond that.
const HEAD_START: u64 = 1 << 12;
/// Steps of a walk.
const LENGTH: usize = 1 << 11;
/// Sections that are suspected at the end of a walk.
const SUSPECTS: usize = 3;
/// States that are expanded to find out whether one can end there.
const REGION: usize = 1 << 9;
/// How many times the states known are expanded to find where a hang begins, at most.
const ORIGIN: u64 = 8;

/// A hang, and how to get there.
pub(crate) struct Early {
    pub(crate) section: Key,
    /// The last transition that the search knows.
    pub(crate) place: Place,
    /// The choices after it.
    pub(crate) then: Vec<u32>,
}

/// The walks of a search.
#[derive(Default)]
pub(crate) struct Walks {
    /// Steps taken, and states expanded at the ends of walks.
    spent: u64,
}

impl Walks {
    /// Takes some walks; returns the first hang that one tells.
    pub(super) fn run<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
    ) -> Option<Early> {
        if known.count < FROM || known.roots.is_empty() {
            return None;
        }
        let allowance = HEAD_START + known.count / SHARE;
        let mut random = Rng::with_seed(known.count);
        while self.spent < allowance {
            let root = known.roots[random.usize(..known.roots.len())];
            let walk = Walk::take(known, root, &mut random);
            self.spent += walk.steps.len() as u64 + 1;
            for (section, since) in walk.suspects() {
                let mut trap = TrapOfWalk::new(&walk, section);
                let hangs = trap.hangs(known, walk.steps.len(), REGION);
                self.spent += trap.expanded;
                if hangs {
                    let first = trap.first_hanging(known, since);
                    let (place, then) = walk.way(known, first);
                    return Some(Early {
                        section,
                        place,
                        then,
                    });
                }
            }
        }
        None
    }
}

struct Walk {
    root: Id,
    /// The transitions taken, and where they lead.
    steps: Vec<(u32, Id)>,
    /// What is open at the end, and the number of steps before it was.
    open: Vec<(Key, usize)>,
    /// Whether no more can be said of the end: the program has ended, or a fault is in the way.
    is_over: bool,
}

impl Walk {
    fn take<S: TransitionSystem + ?Sized>(
        known: &mut Known<'_, S>,
        root: Id,
        random: &mut Rng,
    ) -> Walk {
        let (system, store) = (known.system, known.states);
        let worker = &mut *known.workers[0];
        let mut walk = Walk {
            root,
            steps: Vec::new(),
            open: Vec::new(),
            is_over: false,
        };
        let mut keys = Vec::new();
        let mut picked = Picked::new();
        while walk.steps.len() < LENGTH {
            let state = store.get(walk.state(walk.steps.len()));
            picked.clear();
            system.successors(
                worker,
                state,
                &mut Picker {
                    random,
                    picked: &mut picked,
                },
            );
            if picked.is_end || picked.has_fault {
                walk.is_over = true;
                break;
            }
            let Some(ordinal) = picked.transition else {
                break;
            };
            let id = store.intern(&picked.target).id;
            walk.steps.push((ordinal, id));
            keys.clear();
            system.open_sections(worker, store.get(id), &mut keys);
            walk.open
                .retain(|(key, _)| keys.contains(key) && !picked.ended.contains(key));
            for &key in &keys {
                if walk.open.iter().all(|&(open, _)| open != key) {
                    walk.open.push((key, walk.steps.len()));
                }
            }
        }
        walk
    }

    /// The state after so many steps.
    fn state(&self, steps: usize) -> Id {
        match steps.checked_sub(1) {
            None => self.root,
            Some(last) => self.steps[last].1,
        }
    }

    /// What may hang at the end, the longest open first; what was begun late only if nothing can go on.
    fn suspects(&self) -> Vec<(Key, usize)> {
        if self.is_over {
            return Vec::new();
        }
        let stands_still = self.steps.len() < LENGTH;
        let mut suspects = self.open.clone();
        suspects.retain(|&(_, since)| stands_still || since <= LENGTH / 2);
        suspects.truncate(SUSPECTS);
        suspects
    }

    /// How to get to the state after so many steps: the last transition on the way that the search knows, and the choices after it.
    fn way<S: TransitionSystem + ?Sized>(
        &self,
        known: &Known<'_, S>,
        steps: usize,
    ) -> (Place, Vec<u32>) {
        let last_visits: HashMap<Id, usize> =
            (0..=steps).map(|step| (self.state(step), step)).collect();
        let is_known = |&step: &usize| known.has_reached(self.state(step));
        let mut step = (0..=steps).rev().find(is_known).unwrap_or(0);
        let place = known.place(self.state(step));
        let mut then = Vec::new();
        step = last_visits[&self.state(step)];
        while step < steps {
            let (ordinal, target) = self.steps[step];
            then.push(ordinal);
            step = last_visits[&target];
        }
        (place, then)
    }
}

/// What can be reached from states of a walk without ending a section, where it is known that this cannot end.
struct TrapOfWalk<'w> {
    walk: &'w Walk,
    region: Region,
    /// How many states were expanded.
    expanded: u64,
}

impl<'w> TrapOfWalk<'w> {
    fn new(walk: &'w Walk, section: Key) -> Self {
        TrapOfWalk {
            walk,
            region: Region::empty(section),
            expanded: 0,
        }
    }

    /// Whether the section can never end after so many steps; no if more than `limit` states more would have to be
    /// expanded to tell. If so, what can be reached is kept, and need not be looked at again.
    fn hangs<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        steps: usize,
        limit: usize,
    ) -> bool {
        let (system, store) = (known.system, known.states);
        let worker = &mut *known.workers[0];
        let state = self.walk.state(steps);
        if settled(system, worker, store.get(state)) > 0 {
            return false;
        }
        let before = self.region.mark();
        let number = self.region.include(state);
        let expanded = self.region.expanded();
        self.region.explore(system, worker, store, expanded + limit);
        self.expanded += (self.region.expanded() - expanded) as u64;
        let hangs = self.region.hangs(number);
        if !hangs {
            self.region.reset(before);
        }
        hangs
    }

    /// The number of steps to the first state from which the section, open since some step, cannot end, as far as that
    /// can be told; at the end of the walk it cannot.
    fn first_hanging<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        since: usize,
    ) -> usize {
        let limit = self.expanded + ORIGIN * known.count;
        let (mut low, mut high, mut back) = (since, self.walk.steps.len(), 1);
        let mut hangs = |steps| {
            let left = limit.saturating_sub(self.expanded);
            self.hangs(known, steps, left as usize)
        };
        while low < high {
            let earlier = high.saturating_sub(back).max(low);
            if !hangs(earlier) {
                low = earlier + 1;
                break;
            }
            high = earlier;
            back *= 2;
        }
        while low < high {
            let middle = low.midpoint(high);
            match hangs(middle) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        high
    }
}

/// A transition picked at random.
struct Picked {
    /// Its ordinal; none if there is no transition.
    transition: Option<u32>,
    target: Vec<u8>,
    ended: Vec<Key>,
    /// How many there are to pick from.
    choices: usize,
    next_ordinal: u32,
    /// Whether it ends the program.
    is_end: bool,
    /// Whether there is a fault among the transitions.
    has_fault: bool,
}

impl Picked {
    fn new() -> Self {
        Picked {
            transition: None,
            target: Vec::new(),
            ended: Vec::new(),
            choices: 0,
            next_ordinal: 0,
            is_end: false,
            has_fault: false,
        }
    }

    fn clear(&mut self) {
        self.transition = None;
        self.choices = 0;
        self.next_ordinal = 0;
        self.is_end = false;
        self.has_fault = false;
    }
}

/// Picks one of the transitions of a state.
struct Picker<'p> {
    random: &'p mut Rng,
    picked: &'p mut Picked,
}

impl<S: TransitionSystem + ?Sized> Sink<S> for Picker<'_> {
    fn edge(&mut self, edge: Edge<'_>) {
        let picked = &mut *self.picked;
        let ordinal = picked.next_ordinal;
        picked.next_ordinal += 1;
        if edge.branch == Branch::Chance {
            return;
        }
        picked.choices += 1;
        // Each is picked with the same probability, whatever their number.
        if self.random.usize(..picked.choices) > 0 {
            return;
        }
        picked.transition = Some(ordinal);
        picked.target.clear();
        picked.target.extend_from_slice(edge.target);
        picked.ended.clear();
        match edge.ends {
            Ends::Program => picked.is_end = true,
            Ends::Sections(keys) => {
                picked.is_end = false;
                picked.ended.extend_from_slice(keys);
            }
        }
    }

    fn fault(&mut self, fault: S::Fault) {
        self.picked.next_ordinal += 1;
        self.picked.has_fault |= !S::is_standstill(&fault);
    }

    fn omission(&mut self, _reason: S::Omission) {}
}
