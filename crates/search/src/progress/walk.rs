//! Hangs far from the start: random walks, and what they end in.
//!
//! Breadth-first, a hang that takes many steps is met when most of the space is known, and one of which
//! much can follow is told even later. A program that is left to chance runs into most of them
//! soon, and what it then settles into is small. So walks are taken, from
//! an initial state and from one in which much is open (see `starts`) by turns, along transitions picked at random, until none is left, or
//! nothing new has come for long, or the walk is long enough. Each is taken some times more, by turns from a state on the way in which nearly as much was open as in any, and
//! from its last part: what matters is mostly decided there, and what came before and is as good as any other way need not be walked again. What is
//! open at the end, and has been for long, is suspected: what can be reached from there without ending it is
//! explored, in as many steps as the walk took. The first walks are short: most hangs are met soon. The later ones are longer and longer.
//!
//! *A hang that a walk tells is one*: its region is closed and the section cannot end in it, as for probes (see `probe`).
//!
//! *The first state from which the section cannot end* is looked for along the walk. As long as the instance is the same, states from which it
//! can end come before those from which it cannot, so that first longer and longer steps back, then halves, find it. What
//! follows a state from which it cannot end is looked at once, as it also follows the states before.
//! Where that is too much, a later state is told.
//!
//! *The way there* is made shorter (see `shorten`). It is that of the search, as far as it knows the states of the walk, and then the walk's,
//! without its circles. Where the search has not come so far it need not be the shortest; hence no walk is taken in small
//! spaces, which the search has looked through soon enough.
//!
//! *Cost*: a walk rests when it has had its share of the states known, and goes on when there are more. Altogether
//! walks take an eighth as many steps as the search has found states, and about a thousand; a step is no more than one thread's.
//!
//! *Determinism*: what is picked depends on the number of states at each rest, on which were expanded last, in the order of their places, and on
//! what is open in them; none of these depends on the number of threads.

use super::doubts::settled;
use super::picker::{Choice, Pick, Picked, ordinal, pick};
use super::region::Region;
use super::sections::Known;
use super::shorten::shorten;
use super::starts;
use crate::findings::Place;
use fastrand::Rng;
use impasse_store::Id;
use impasse_transition_system::{Key, TransitionSystem};
use rustc_hash::{FxHashMap, FxHashSet};

/// States that must be known before a walk is taken.
const FROM: u64 = 1 << 8;
/// They go on when the states are more by one in so many.
const GROWTH: u64 = 4;
/// Walks may take one step for so many states.
const SHARE: u64 = 8;
/// Steps that they may take beyond that, at most, and for how many states one.
const HEAD_START: u64 = 1 << 10;
const HEAD_START_SHARE: u64 = 8;
/// Steps of the first walks, and of the last ones.
const SHORTEST: usize = 1 << 8;
const LONGEST: usize = 1 << 11;
/// Steps before a walk may be taken to go round.
const SETTLED: usize = 1 << 6;
/// How many times each walk is taken once more.
const AGAIN: usize = 6;
/// Which part of its steps, one in so many, is taken anew every other time.
const LAST: usize = 8;
/// Sections that are suspected at the end of a walk.
const SUSPECTS: usize = 3;
/// States that are expanded at the end of a walk to find out whether these can end, where the walk itself was shorter.
const REGION: usize = 1 << 6;
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
    /// States that must be known before they go on.
    next: u64,
    /// The one that rests.
    resting: Option<Wanderer>,
    /// The one that ended last.
    last: Option<Wanderer>,
    /// How many have ended.
    ended: usize,
    /// Steps taken, and states expanded at the ends of walks.
    spent: u64,
}

impl Walks {
    /// Whether, with so many states known, it is time to go on.
    pub(super) fn are_due(&self, states: u64) -> bool {
        states >= self.next.max(FROM)
    }

    /// Takes some steps; returns the first hang that a walk tells. `open` gives the number of sections open in a state, if
    /// it has been expanded.
    pub(super) fn run<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        open: impl Fn(Id) -> usize,
    ) -> Option<Early> {
        if !self.are_due(known.count) || known.roots.is_empty() {
            return None;
        }
        self.next = known.count + known.count / GROWTH;
        let allowance = known.count / SHARE + HEAD_START.min(known.count / HEAD_START_SHARE);
        let mut random = Rng::with_seed(known.count);
        while self.spent < allowance {
            let wanderer = self.resting.take();
            let mut wanderer = wanderer.unwrap_or_else(|| self.next(known, &mut random, &open));
            let before = wanderer.walk.steps.len();
            let has_ended = wanderer.go(known, &mut random, (allowance - self.spent) as usize);
            self.spent += (wanderer.walk.steps.len() - before) as u64 + 1;
            if !has_ended {
                self.resting = Some(wanderer);
                break;
            }
            self.ended += 1;
            let suspects = wanderer.suspects();
            // Looking at the end costs at most as much as getting there.
            let mut left = wanderer.walk.steps.len().max(REGION);
            for (place, (section, since)) in suspects.iter().copied().enumerate() {
                let mut trap = TrapOfWalk::new(section);
                let share = left / (suspects.len() - place);
                let hangs = trap.hangs(known, wanderer.walk.end(), share);
                left = left.saturating_sub(trap.expanded as usize);
                self.spent += trap.expanded;
                if hangs {
                    return Some(tell(known, wanderer.walk, trap, since));
                }
            }
            self.last = Some(wanderer);
        }
        None
    }

    /// A walk that has yet to begin.
    fn next<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        random: &mut Rng,
        open: impl Fn(Id) -> usize,
    ) -> Wanderer {
        let (taken, again) = (self.ended / (1 + AGAIN), self.ended % (1 + AGAIN));
        if let Some(last) = self.last.take().filter(|_| again > 0) {
            return last.again(again % 2 == 0);
        }
        let doublings = taken.min((LONGEST / SHORTEST).ilog2() as usize);
        let start = match taken % 2 {
            0 => starts::pick(known, random, open),
            _ => None,
        };
        let start = start.unwrap_or_else(|| known.roots[random.usize(..known.roots.len())]);
        Wanderer::new(known, start, SHORTEST << doublings)
    }
}

/// The hang at the end of a walk, whose section is open there since some step: from where on it hangs, and how to get there.
fn tell<S: TransitionSystem + ?Sized>(
    known: &mut Known<'_, S>,
    walk: Walk,
    mut trap: TrapOfWalk,
    since: usize,
) -> Early {
    let (mut walk, since) = from_initial(known, walk, trap.section, since);
    let first = trap.first_hanging(known, &walk, since);
    walk.steps.truncate(first);
    let walk = shorten(known, walk, &mut trap);
    let (place, then) = walk.way(known);
    Early {
        section: trap.section,
        place,
        then,
    }
}

/// The walk with the search's way to where it began before it, and the number of steps there to where a section was begun.
fn from_initial<S: TransitionSystem + ?Sized>(
    known: &mut Known<'_, S>,
    walk: Walk,
    section: Key,
    since: usize,
) -> (Walk, usize) {
    let (root, choices) = starts::way_to(known, walk.root);
    let mut wanderer = Wanderer::new(known, root, choices.len());
    for ordinal in choices {
        if !wanderer.step(known, Choice::Ordinal(ordinal)) {
            return (walk, since);
        }
    }
    let before = wanderer.walk.steps.len();
    let since = match since {
        0 => {
            let open = wanderer.open.iter().find(|(key, _)| *key == section);
            open.map_or(before, |&(_, since)| since)
        }
        _ => before + since,
    };
    let mut whole = wanderer.walk;
    debug_assert_eq!(whole.end(), walk.root);
    whole.steps.extend(walk.steps);
    (whole, since)
}

/// A walk.
pub(super) struct Walk {
    pub(super) root: Id,
    pub(super) steps: Vec<Step>,
}

/// A transition of a walk.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The system's label of it.
    pub(super) label: u32,
    pub(super) target: Id,
}

impl Walk {
    /// The state after so many steps.
    fn state(&self, steps: usize) -> Id {
        match steps.checked_sub(1) {
            None => self.root,
            Some(last) => self.steps[last].target,
        }
    }

    pub(super) fn end(&self) -> Id {
        self.state(self.steps.len())
    }

    /// How to get to its end: the last transition on the way that the search knows, and the choices after it.
    fn way<S: TransitionSystem + ?Sized>(&self, known: &mut Known<'_, S>) -> (Place, Vec<u32>) {
        let steps = self.steps.len();
        let last_visits: FxHashMap<Id, usize> =
            (0..=steps).map(|step| (self.state(step), step)).collect();
        let is_known = |&step: &usize| known.has_reached(self.state(step));
        let mut step = (0..=steps).rev().find(is_known).unwrap_or(0);
        let place = known.place(self.state(step));
        let mut then = Vec::new();
        step = last_visits[&self.state(step)];
        while step < steps {
            let taken = self.steps[step];
            then.push(ordinal(known, self.state(step), taken));
            step = last_visits[&taken.target];
        }
        (place, then)
    }
}

/// A walk on its way.
struct Wanderer {
    walk: Walk,
    /// How many steps it is to take.
    length: usize,
    /// What is open, and the number of steps before it was.
    open: Vec<(Key, usize)>,
    /// What was open after so many steps and from there on, wherever that changed.
    history: Vec<(usize, Vec<(Key, usize)>)>,
    turn: Turn,
    /// The states come to.
    seen: FxHashSet<Id>,
    /// The number of steps to the last of them that was new.
    last_new: usize,
    /// Whether no more can be said of the end: the program has ended, or a fault is in the way.
    is_over: bool,
}

/// From where on a walk may be taken anew: of the states in which nearly as much was open as in any, one picked at random.
struct Turn {
    /// How many steps it is to there.
    steps: usize,
    /// How much was open at most.
    most_open: usize,
    /// How many states it was picked from.
    candidates: usize,
}

impl Turn {
    /// After so many steps so much is open.
    fn consider(&mut self, steps: usize, open: usize, random: &mut Rng) {
        if open > self.most_open {
            self.most_open = open;
            self.candidates = 0;
        }
        if open + 1 < self.most_open {
            return;
        }
        self.candidates += 1;
        if random.usize(..self.candidates) == 0 {
            self.steps = steps;
        }
    }
}

impl Wanderer {
    /// A walk of so many steps that has yet to begin.
    fn new<S: TransitionSystem + ?Sized>(
        known: &mut Known<'_, S>,
        root: Id,
        length: usize,
    ) -> Self {
        let keys = known.open_sections(root).into_iter();
        let open: Vec<(Key, usize)> = keys.map(|key| (key, 0)).collect();
        Wanderer {
            walk: Walk {
                root,
                steps: Vec::new(),
            },
            length,
            turn: Turn {
                steps: 0,
                most_open: open.len(),
                candidates: 1,
            },
            history: vec![(0, open.clone())],
            open,
            seen: FxHashSet::from_iter([root]),
            last_new: 0,
            is_over: false,
        }
    }

    /// A walk that is the same up to its turn, or to its last part, and goes on from there in its own way.
    fn again(mut self, last: bool) -> Self {
        let taken = self.walk.steps.len();
        let steps = match last {
            true => taken - taken.div_ceil(LAST),
            // It is that of a walk before, if this one parted from that earlier.
            false => self.turn.steps.min(taken),
        };
        self.walk.steps.truncate(steps);
        self.history.retain(|(from, _)| *from <= steps);
        let (_, open) = self.history.last().expect("something is known of the root");
        self.open.clone_from(open);
        self.seen = FxHashSet::from_iter((0..=steps).map(|step| self.walk.state(step)));
        self.last_new = steps;
        self.is_over = false;
        self
    }

    /// Takes some steps at random, at most `limit`; tells whether the walk has ended.
    fn go<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        random: &mut Rng,
        limit: usize,
    ) -> bool {
        (0..limit).any(|_| {
            let may_go_on = self.walk.steps.len() < self.length && !self.goes_round();
            let has_ended = !may_go_on || !self.step(known, Choice::Random(random));
            if !has_ended {
                self.turn
                    .consider(self.walk.steps.len(), self.open.len(), random);
            }
            has_ended
        })
    }

    /// Takes a step, if there is one to take.
    fn step<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        choice: Choice<'_>,
    ) -> bool {
        let (label, target, ended) = match pick(known, self.walk.end(), choice) {
            Picked::Transition(Pick {
                label,
                target,
                ended: Some(ended),
            }) => (label, target, ended),
            Picked::Nothing => return false,
            Picked::Fault | Picked::Transition(_) => {
                self.is_over = true;
                return false;
            }
        };
        self.walk.steps.push(Step { label, target });
        self.note_open(&known.open_sections(target), &ended);
        if self.seen.insert(target) {
            self.last_new = self.walk.steps.len();
        }
        true
    }

    /// Whether nothing new has come for as long as it took to come to what was new last.
    fn goes_round(&self) -> bool {
        self.walk.steps.len() >= SETTLED.max(2 * self.last_new)
    }

    /// After one more step so much is open, and so much has ended.
    fn note_open(&mut self, keys: &[Key], ended: &[Key]) {
        self.open
            .retain(|(key, _)| keys.contains(key) && !ended.contains(key));
        for &key in keys {
            if self.open.iter().all(|&(open, _)| open != key) {
                self.open.push((key, self.walk.steps.len()));
            }
        }
        if self
            .history
            .last()
            .is_none_or(|(_, open)| *open != self.open)
        {
            self.history
                .push((self.walk.steps.len(), self.open.clone()));
        }
    }

    /// What may hang at the end, the last begun first, as it says most.
    fn suspects(&self) -> Vec<(Key, usize)> {
        let steps = self.walk.steps.len();
        // What was begun later says little while others can still go on.
        let latest = match () {
            () if self.is_over => return Vec::new(),
            () if self.goes_round() => self.last_new,
            () if steps == self.length => self.length / 2,
            () => steps,
        };
        let mut suspects = self.open.clone();
        suspects.retain(|&(_, since)| since <= latest);
        suspects.reverse();
        suspects.truncate(SUSPECTS);
        suspects
    }
}

/// What can be reached from states of a walk without ending a section, where it is known that this cannot end.
pub(super) struct TrapOfWalk {
    pub(super) section: Key,
    region: Region,
    /// How many states were expanded.
    pub(super) expanded: u64,
}

impl TrapOfWalk {
    fn new(section: Key) -> Self {
        TrapOfWalk {
            section,
            region: Region::empty(section),
            expanded: 0,
        }
    }

    /// Whether the section is open in a state and can never end from there; no if more than `limit` states more would have to be
    /// expanded to tell. If so, what can be reached is kept, and need not be looked at again.
    pub(super) fn hangs<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        state: Id,
        limit: usize,
    ) -> bool {
        let (system, store) = (known.system, known.states);
        let worker = &mut *known.workers[0];
        let mut open = Vec::new();
        system.open_sections(worker, store.get(state), &mut open);
        if !open.contains(&self.section) || settled(system, worker, store.get(state)) > 0 {
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
        walk: &Walk,
        since: usize,
    ) -> usize {
        let limit = self.expanded + ORIGIN * known.count;
        let (mut low, mut high, mut back) = (since, walk.steps.len(), 1);
        let mut hangs = |steps| {
            let left = limit.saturating_sub(self.expanded);
            self.hangs(known, walk.state(steps), left as usize)
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
