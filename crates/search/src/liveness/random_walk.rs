//! Random walks: find hangs far from the initial states.
//!
//! A breadth-first search meets a hang that takes many steps only when it has seen most of the
//! state space, and knows its region even later. A random walk runs into most hangs soon, and what
//! the program then does has few states. Walks start alternately from an initial state and from a
//! state with many open sections (see `restart`). They follow random transitions until there is
//! none, until no new state has come for long, or until they are long enough. Each walk is
//! continued some more times, alternately from its restart point (a state with nearly the most open
//! sections) and from the last part of it: the steps there mostly decide about a hang. The sections
//! that have been open for long at the end of a walk are candidate violations: Impasse explores
//! what is reachable from there without ending them, in at most as many expansions as the walk took
//! steps. The first walks are short, since most hangs are found soon; later ones are longer and
//! longer.
//!
//! *Claim.* Every hang that a walk reports is one: its region is closed, and the section cannot end
//! inside it, as for a local search (see `local_search`).
//!
//! *The first state from which the section cannot end.* While the instance stays the same, the
//! states of the walk from which it can end precede those from which it cannot. So galloping
//! backwards, followed by binary search, finds the first one. States of the region are explored
//! once, since what follows a state also follows the states before it. If that takes too many
//! expansions, a later state is reported.
//!
//! *The path* is the search's own, as far as the search has found the states of the walk, followed
//! by the walk without its cycles, and then minimised (see `minimise`). It need not be a shortest
//! one; hence no walk is taken in small state spaces, which the search exhausts soon anyway.
//!
//! *Cost.* A walk pauses when it has used its share of the states found, and continues when there
//! are more. Together, walks take an eighth as many steps as the search has found states, and about
//! a thousand more. A step runs one thread only.
//!
//! *Lanes.* Once there are many steps to take, several walks are taken at the same time. Each lane
//! is a sequence of walks of its own, with an equal share of the steps, so that it does not matter
//! which thread takes it. Of the lanes that find a hang the first one counts.
//!
//! *Determinism.* The random choices depend on the lane, on the number of states at each pause, on
//! the states expanded last, in the order of their places, and on their open sections; none of
//! these depends on the number of threads.

use super::context::SearchContext;
use super::execution::{Execution, Step};
use super::minimise::minimise;
use super::restart;
use super::sampler::{Sample, Sampled, Selection, sample};
use super::violation_region::ViolationRegion;
use crate::findings::Place;
use fastrand::Rng;
use impasse_store::Id;
use impasse_transition_system::{Key, TransitionSystem};
use rustc_hash::FxHashSet;
use std::panic::resume_unwind;
use std::thread;

/// States that must be found before the first walk.
const FROM: u64 = 1 << 8;
/// Walks continue when the number of states has grown by one in so many.
const GROWTH: u64 = 4;
/// Lanes, at most.
const LANES: u64 = 16;
/// Where the number of a lane stands in its seed: above the number of states.
const LANE_SEED: u32 = 48;
/// States found for each step of a walk.
const SHARE: u64 = 8;
/// Steps that walks may take beyond that, at most, and states found for each of these.
const HEAD_START: u64 = 1 << 10;
const HEAD_START_SHARE: u64 = 8;
/// Steps of the first walks, and of the last ones.
const SHORTEST: usize = 1 << 8;
const LONGEST: usize = 1 << 11;
/// Steps before a walk can count as stagnant.
const SETTLING: usize = 1 << 6;
/// How many times each walk is continued from a restart point.
const RESTARTS: usize = 6;
/// Every other restart repeats the last one in so many of the steps.
const LAST_PART: usize = 8;
/// Candidate violations that are checked at the end of a walk.
const CANDIDATES: usize = 3;
/// States that are expanded at the end of a short walk to check these.
const REGION: usize = 1 << 6;
/// How many times as many states as were found may be expanded to find the start of a hang.
const ORIGIN: u64 = 8;

/// A hang that was found before the search has decided about it.
pub(crate) struct EarlyViolation {
    pub(crate) section: Key,
    /// The last transition of the path that the search itself has found.
    pub(crate) place: Place,
    /// The ordinals of the transitions after it.
    pub(crate) suffix: Vec<u32>,
}

/// The random walks of a search.
#[derive(Default)]
pub(crate) struct RandomWalks {
    /// States that must be found before they continue.
    next: u64,
    lanes: Vec<Lane>,
}

/// Random walks that one thread takes, one after the other.
#[derive(Default)]
struct Lane {
    /// The walk that pauses.
    paused: Option<RandomWalk>,
    /// The walk that ended last.
    last: Option<RandomWalk>,
    /// How many have ended.
    ended: usize,
    /// Steps taken, and states expanded at the ends of walks.
    spent: u64,
}

/// A walk that ends with a hang.
struct Found {
    execution: Execution,
    region: ViolationRegion,
    /// The number of steps before the section was opened.
    since: usize,
}

impl RandomWalks {
    /// Whether walks should continue, with so many states found.
    pub(super) fn are_due(&self, states: u64) -> bool {
        states >= self.next.max(FROM)
    }

    /// Takes some steps and returns the first hang found. `open` gives the number of open sections
    /// of a state, 0 if it has not been expanded.
    pub(super) fn run<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        open: impl Fn(Id) -> usize + Sync,
    ) -> Option<EarlyViolation> {
        if !self.are_due(context.count) || context.roots.is_empty() {
            return None;
        }
        self.next = context.count + context.count / GROWTH;
        let budget = context.count / SHARE + HEAD_START.min(context.count / HEAD_START_SHARE);
        let spent: u64 = self.lanes.iter().map(|lane| lane.spent).sum();
        let steps = budget.saturating_sub(spent);
        let lanes = (steps / LONGEST as u64).clamp(1, LANES) as usize;
        if self.lanes.len() < lanes {
            self.lanes.resize_with(lanes, Lane::default);
        }
        let found = self.advance(context, steps, &open)?;
        Some(report(context, found))
    }

    /// Lets the lanes share so many steps. Returns what the first of those found that found any.
    fn advance<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        steps: u64,
        open: &(impl Fn(Id) -> usize + Sync),
    ) -> Option<Found> {
        let share = steps.div_ceil(self.lanes.len() as u64);
        let seed = context.count;
        let mut contexts = context.split();
        let each = self.lanes.len().div_ceil(contexts.len());
        let take = |context: &mut SearchContext<'_, S>, first: usize, lanes: &mut [Lane]| {
            let mut found = None;
            for (number, lane) in (first as u64..).zip(lanes) {
                let mut random = Rng::with_seed(seed ^ number << LANE_SEED);
                let hang = lane.advance(context, &mut random, share, open);
                found = found.or(hang);
            }
            found
        };
        let mut parts = (0..).step_by(each).zip(self.lanes.chunks_mut(each));
        let (first, own) = parts.next().expect("there is a lane");
        thread::scope(|scope| {
            let (own_context, others) = contexts.split_first_mut().expect("there is a worker");
            let take = &take;
            let started: Vec<_> = parts
                .zip(others)
                .map(|((first, lanes), context)| scope.spawn(move || take(context, first, lanes)))
                .collect();
            let found = take(own_context, first, own);
            started.into_iter().fold(found, |found, thread| {
                let later = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
                found.or(later)
            })
        })
    }
}

impl Lane {
    /// Takes about so many steps, until a walk has found a hang.
    fn advance<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        random: &mut Rng,
        steps: u64,
        open: &impl Fn(Id) -> usize,
    ) -> Option<Found> {
        let limit = self.spent + steps;
        while self.spent < limit {
            let paused = self.paused.take();
            let mut walk = paused.unwrap_or_else(|| self.next_walk(context, random, open));
            let before = walk.execution.steps.len();
            let has_ended = walk.advance(context, random, (limit - self.spent) as usize);
            self.spent += (walk.execution.steps.len() - before) as u64 + 1;
            if !has_ended {
                self.paused = Some(walk);
                break;
            }
            self.ended += 1;
            if let Some((region, since)) = self.check_end(context, &walk) {
                return Some(Found {
                    execution: walk.execution,
                    region,
                    since,
                });
            }
            self.last = Some(walk);
        }
        None
    }

    /// Checks the candidate violations at the end of a walk. Returns the region of the first that
    /// hangs, and the number of steps before it was opened.
    fn check_end<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        walk: &RandomWalk,
    ) -> Option<(ViolationRegion, usize)> {
        let candidates = walk.candidates();
        // Checking the end costs at most as much as getting there.
        let mut left = walk.execution.steps.len().max(REGION);
        for (index, &(section, since)) in candidates.iter().enumerate() {
            let mut region = ViolationRegion::new(section);
            let share = left / (candidates.len() - index);
            let hangs = region.hangs(context, walk.execution.end(), share);
            left = left.saturating_sub(region.cost as usize);
            self.spent += region.cost;
            if hangs {
                return Some((region, since));
            }
        }
        None
    }

    /// The next walk, which has yet to take a step.
    fn next_walk<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        random: &mut Rng,
        open: &impl Fn(Id) -> usize,
    ) -> RandomWalk {
        let (taken, restarts) = (self.ended / (1 + RESTARTS), self.ended % (1 + RESTARTS));
        if let Some(last) = self.last.take().filter(|_| restarts > 0) {
            return last.restart(restarts % 2 == 0);
        }
        let doublings = taken.min((LONGEST / SHORTEST).ilog2() as usize);
        let start = match taken % 2 {
            0 => restart::choose(context, random, open),
            _ => None,
        };
        let start = start.unwrap_or_else(|| context.roots[random.usize(..context.roots.len())]);
        RandomWalk::new(context, start, SHORTEST << doublings)
    }
}

/// Returns the hang at the end of a walk, with a minimised path to it.
fn report<S: TransitionSystem + ?Sized>(
    context: &mut SearchContext<'_, S>,
    found: Found,
) -> EarlyViolation {
    let Found {
        execution,
        mut region,
        since,
    } = found;
    let (mut execution, since) = from_initial(context, execution, region.section, since);
    let limit = ORIGIN * context.count;
    let first = region.first_hanging(context, &execution, since, limit);
    execution.steps.truncate(first);
    let execution = minimise(context, execution, &mut region);
    let (place, suffix) = execution.path(context);
    EarlyViolation {
        section: region.section,
        place,
        suffix,
    }
}

/// Prepends the search's own path to the first state of an execution. Returns the result, and the
/// number of its steps before the section was opened.
fn from_initial<S: TransitionSystem + ?Sized>(
    context: &mut SearchContext<'_, S>,
    execution: Execution,
    section: Key,
    since: usize,
) -> (Execution, usize) {
    let (root, ordinals) = restart::path_to(context, execution.root);
    let mut walk = RandomWalk::new(context, root, ordinals.len());
    for ordinal in ordinals {
        if !walk.step(context, Selection::Ordinal(ordinal)) {
            return (execution, since);
        }
    }
    let before = walk.execution.steps.len();
    let since = match since {
        0 => {
            let open = walk.open.iter().find(|(key, _)| *key == section);
            open.map_or(before, |&(_, since)| since)
        }
        _ => before + since,
    };
    let mut whole = walk.execution;
    debug_assert_eq!(whole.end(), execution.root);
    whole.steps.extend(execution.steps);
    (whole, since)
}

/// A random walk.
struct RandomWalk {
    execution: Execution,
    /// How many steps it is to take.
    length: usize,
    /// The open sections, and the number of steps before each was opened.
    open: Vec<(Key, usize)>,
    /// The open sections from some step on, for each step that changed them.
    history: Vec<(usize, Vec<(Key, usize)>)>,
    restart_point: RestartPoint,
    /// The states visited.
    seen: FxHashSet<Id>,
    /// The number of steps to the last new state.
    last_new: usize,
    /// Whether the last state is no candidate: the program has ended, or a fault can happen.
    is_over: bool,
}

/// Where a walk may be continued: a random one of the states with nearly the most open sections.
struct RestartPoint {
    /// The number of steps to it.
    steps: usize,
    /// The greatest number of open sections so far.
    most_open: usize,
    /// From how many states it was drawn.
    candidates: usize,
}

impl RestartPoint {
    /// Considers the state after so many steps, in which so many sections are open.
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

impl RandomWalk {
    /// A walk of `length` steps that has yet to take the first.
    fn new<S: TransitionSystem + ?Sized>(
        context: &mut SearchContext<'_, S>,
        root: Id,
        length: usize,
    ) -> Self {
        let keys = context.open_sections(root).into_iter();
        let open: Vec<(Key, usize)> = keys.map(|key| (key, 0)).collect();
        RandomWalk {
            execution: Execution {
                root,
                steps: Vec::new(),
            },
            length,
            restart_point: RestartPoint {
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

    /// The same walk up to its restart point, or without its last part.
    fn restart(mut self, repeat_last_part: bool) -> Self {
        let taken = self.execution.steps.len();
        let steps = match repeat_last_part {
            true => taken - taken.div_ceil(LAST_PART),
            // The restart point of an earlier walk may lie after the point where this one began.
            false => self.restart_point.steps.min(taken),
        };
        self.execution.steps.truncate(steps);
        self.history.retain(|(from, _)| *from <= steps);
        let (_, open) = self.history.last().expect("it begins with the root");
        self.open.clone_from(open);
        self.seen = FxHashSet::from_iter((0..=steps).map(|step| self.execution.state(step)));
        self.last_new = steps;
        self.is_over = false;
        self
    }

    /// Takes at most `limit` random steps. Returns whether the walk has ended.
    fn advance<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        random: &mut Rng,
        limit: usize,
    ) -> bool {
        (0..limit).any(|_| {
            let may_continue = self.execution.steps.len() < self.length && !self.is_stagnant();
            let has_ended = !may_continue || !self.step(context, Selection::Random(random));
            if !has_ended {
                let steps = self.execution.steps.len();
                self.restart_point.consider(steps, self.open.len(), random);
            }
            has_ended
        })
    }

    /// Takes a step. Returns whether there was one to take.
    fn step<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        selection: Selection<'_>,
    ) -> bool {
        let (label, target, ended) = match sample(context, self.execution.end(), selection) {
            Sampled::Transition(Sample {
                label,
                target,
                ended: Some(ended),
            }) => (label, target, ended),
            Sampled::Nothing => return false,
            Sampled::Fault | Sampled::Transition(_) => {
                self.is_over = true;
                return false;
            }
        };
        self.execution.steps.push(Step { label, target });
        self.note_open(&context.open_sections(target), &ended);
        if self.seen.insert(target) {
            self.last_new = self.execution.steps.len();
        }
        true
    }

    /// Whether the walk has met no new state for as long as it took to meet the last one.
    fn is_stagnant(&self) -> bool {
        self.execution.steps.len() >= SETTLING.max(2 * self.last_new)
    }

    /// Notes the sections that are open after one more step, and those that the step has ended.
    fn note_open(&mut self, keys: &[Key], ended: &[Key]) {
        let steps = self.execution.steps.len();
        self.open
            .retain(|(key, _)| keys.contains(key) && !ended.contains(key));
        for &key in keys {
            if self.open.iter().all(|&(open, _)| open != key) {
                self.open.push((key, steps));
            }
        }
        let is_new = |(_, open): &(usize, Vec<(Key, usize)>)| *open != self.open;
        if self.history.last().is_none_or(is_new) {
            self.history.push((steps, self.open.clone()));
        }
    }

    /// The sections that may hang in the last state, with the step that opened each. The last
    /// opened comes first, as it says most.
    fn candidates(&self) -> Vec<(Key, usize)> {
        let steps = self.execution.steps.len();
        // A section opened later says little while others can still continue.
        let latest = match () {
            () if self.is_over => return Vec::new(),
            () if self.is_stagnant() => self.last_new,
            () if steps == self.length => self.length / 2,
            () => steps,
        };
        let mut candidates = self.open.clone();
        candidates.retain(|&(_, since)| since <= latest);
        candidates.reverse();
        candidates.truncate(CANDIDATES);
        candidates
    }
}
