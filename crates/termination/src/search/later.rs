//! What is found without the provers: paths that all end, loops that nothing leaves, and states
//! that repeat after a long beginning.

use super::candidates::{self, Candidates};
use super::enumerate::seeds;
use super::paths::{self, PathsProof};
use super::{Endless, PATIENCE, Pass, Search};
use crate::concolic::acceleration::Inner;
use crate::concolic::iteration::{Assumed, LoopRelation};
use crate::concolic::no_exit::is_never_left;
use crate::concolic::run::{Bounds, execute, first_visits};
use crate::concolic::trace::{Activation, End, Trace, Visit};
use crate::problem::Overflow;
use impasse_machine::base::fault::{CodePlace, ErrorKind};
use impasse_solver::work::Moment;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::time::{Duration, Instant};

/// How long the beginnings are that are executed first without being recorded.
const SHORT: usize = 300_000;
/// How long the longest beginnings are.
const LATEST: usize = 10_000_000;
/// Within so many instructions loops are looked for on further inputs.
const LATEST_AGAIN: usize = 1_000_000;
/// How many instructions are recorded after them.
const RECORDED_LATER: usize = 4_000;
/// How many are recorded from the start for states that repeat after many iterations.
const RECORDED_LONG: usize = 60_000;
/// How many inputs they may read.
const INPUTS_BEFORE: usize = 100_000;
/// On how many inputs the longest beginnings are executed before proofs that take long to fail.
const EARLY_INPUTS: usize = 2;
/// How many loops that are reached late are looked at with the same inputs.
const LATE_LOOPS: usize = 6;

impl Search<'_, '_> {
    /// That the paths of a pass are all that there are, and end.
    pub(super) fn followed(&mut self, pass: Pass, most: Duration) -> Option<PathsProof> {
        let proof = PathsProof {
            paths: self.paths.clone(),
            steps: pass.bounds.steps as u64,
            assumes_memory: self.assumes_memory,
        };
        let time = self.left(most);
        let overflows = |kind: &str| kind == ErrorKind::SignedOverflow.name();
        let mut undefined = self.statistics.undefined.keys();
        if undefined.any(|(_, kind)| !(self.subject.integers && overflows(kind))) {
            return None;
        }
        self.unfollowed = paths::check(self.subject, &proof, time).err();
        self.unfollowed.is_none().then_some(proof)
    }

    /// Looks for an endless iteration after a long beginning, which is executed and not recorded:
    /// for a state that repeats after the longest one, then at the first visits of loops that are
    /// reached late.
    pub(super) fn later(&mut self, pass: Pass) -> Option<Box<Endless>> {
        let seeds = seeds().into_iter().skip(self.executed_late).collect();
        let found = self.repeating_later((LATEST, RECORDED_LATER), seeds);
        found.or_else(|| self.in_late_loops(pass))
    }

    /// The first part of [`Search::later`], on a few inputs; it is not done again.
    pub(super) fn repeating_late(&mut self) -> Option<Box<Endless>> {
        let mut seeds = seeds();
        seeds.truncate(EARLY_INPUTS);
        self.executed_late = seeds.len();
        self.repeating_later((LATEST, RECORDED_LATER), seeds)
    }

    /// Looks for a state that repeats after a short beginning, or after many iterations.
    pub(super) fn repeating_soon(&mut self) -> Option<Box<Endless>> {
        let found = self.repeating_later((SHORT, RECORDED_LATER), seeds());
        found.or_else(|| self.repeating_later((0, RECORDED_LONG), seeds()))
    }

    /// Looks for a state that repeats after a beginning of this length, among so many instructions,
    /// on any of these inputs.
    fn repeating_later(
        &mut self,
        (skip, steps): (usize, usize),
        inputs: Vec<Vec<u64>>,
    ) -> Option<Box<Endless>> {
        let end = Instant::now() + self.left(self.options.time / 4);
        if self.conditional.is_some() {
            return None;
        }
        for values in inputs {
            if Instant::now() >= end {
                return None;
            }
            let (trace, is_long) = self.execute_later(&values, skip, steps);
            let is_fixed = trace.inputs.is_empty();
            if is_long && let Ok(endless) = self.repeating(Box::new(trace)) {
                let found = self.unconditional(endless);
                if found.is_some() {
                    return found;
                }
            }
            if is_fixed {
                // Other inputs change nothing.
                if skip == LATEST {
                    self.executed_late = usize::MAX;
                }
                break;
            }
        }
        None
    }

    /// Looks for an endless iteration of a loop that the execution reaches late, the last loop
    /// first.
    fn in_late_loops(&mut self, pass: Pass) -> Option<Box<Endless>> {
        let end = Instant::now() + self.left(self.options.time / 4);
        let mut longest = LATEST;
        for values in seeds() {
            if Instant::now() >= end || self.conditional.is_some() {
                return None;
            }
            let bounds = Bounds {
                steps: 0,
                inputs: INPUTS_BEFORE,
                skip: longest,
            };
            longest = LATEST_AGAIN;
            let (firsts, has_inputs) = first_visits(self.subject, &values, bounds);
            let is_late = |first: &usize| *first > pass.bounds.steps / 2;
            for skip in firsts.into_iter().filter(is_late).take(LATE_LOOPS) {
                let (trace, is_long) = self.execute_later(&values, skip, RECORDED_LATER);
                if !is_long {
                    continue;
                }
                let found = self.repeating(Box::new(trace)).or_else(|trace| {
                    self.tried.clear();
                    self.analyse(*trace, pass).ok_or(())
                });
                let found = found.ok().and_then(|endless| self.unconditional(endless));
                if found.is_some() {
                    return found;
                }
            }
            if !has_inputs {
                break;
            }
        }
        None
    }

    /// A proof that has no condition; one that has is kept.
    fn unconditional(&mut self, endless: Endless) -> Option<Box<Endless>> {
        match endless.relation.overflow {
            Overflow::Undefined => Some(Box::new(endless)),
            Overflow::Wraps => {
                self.keep_conditional(endless);
                None
            }
        }
    }

    /// Executes on inputs, and records so many instructions after a beginning. A recursion without
    /// end fills the stack, perhaps in the beginning: then what comes before that is recorded. Says
    /// whether the execution is as long as that.
    fn execute_later(&mut self, values: &[u64], skip: usize, steps: usize) -> (Trace, bool) {
        let mut after = |skip| {
            let bounds = Bounds {
                steps,
                inputs: INPUTS_BEFORE,
                skip,
            };
            self.statistics.executions += 1;
            execute(self.subject, values, bounds)
        };
        let trace = after(skip);
        let filled = match trace.end {
            End::Cut if trace.skipped < skip => trace.skipped.checked_sub(RECORDED_LATER),
            _ => None,
        };
        let (trace, skip) = match filled {
            Some(before) => (after(before), before),
            None => (trace, skip),
        };
        let is_long = trace.skipped == skip;
        (trace, is_long)
    }

    /// Keeps what holds under a condition while something better is looked for.
    pub(super) fn keep_conditional(&mut self, endless: Endless) {
        let now = Moment::now();
        let until = now + now.since(self.first).max(PATIENCE);
        self.conditional.get_or_insert((Box::new(endless), until));
    }

    /// A loop that the execution does not leave because its state repeats, or because nothing
    /// leaves it; or else the execution.
    fn repeating(&mut self, trace: Box<Trace>) -> Result<Endless, Box<Trace>> {
        if let Some(relation) = self.never_left(&trace) {
            return Ok(Endless::without_exit(*trace, relation));
        }
        // The first pass has seen short iterations of what begins like this.
        let long = trace.skipped == 0;
        let mut candidates = Candidates::of(self.subject, &trace).list;
        candidates.retain(|&(visits, _)| {
            !long || candidates::length(&trace, visits) > RECORDED_LATER / 2
        });
        for overflow in [Overflow::Undefined, Overflow::Wraps] {
            let mut left = if long { RECORDED_LONG } else { usize::MAX };
            for &(visits, _) in &candidates {
                let length = candidates::length(&trace, visits);
                if length > left && trace.repeated != Some(visits) {
                    continue;
                }
                left = left.saturating_sub(length);
                let assumed = Assumed {
                    inner: Inner::Followed,
                    overflow,
                };
                let relation = LoopRelation::new(self.subject, self.terms, &trace, visits, assumed);
                if let Some(relation) = relation.ok().filter(LoopRelation::repeats) {
                    return Ok(Endless::repeating(*trace, visits, relation));
                }
            }
        }
        Err(trace)
    }

    /// A loop of the program that nothing leaves, and that the execution has reached; the one that
    /// it has reached last.
    pub(super) fn never_left(&mut self, trace: &Trace) -> Option<LoopRelation> {
        self.passed_twice(trace).into_iter().find_map(|(from, to)| {
            let visit = &trace.visits[from as usize];
            if self.leavable.contains(&visit.place) {
                return None;
            }
            let Some(overflow) = is_never_left(self.subject, trace, visit) else {
                self.leavable.insert(visit.place);
                return None;
            };
            let wraps = trace.overflow.is_some_and(|step| step <= visit.step);
            let overflow = if wraps { Overflow::Wraps } else { overflow };
            Some(LoopRelation::never_left((from, to), overflow))
        })
    }

    /// The first two visits of the program's loop headers in an activation, the latest first.
    pub(super) fn passed_twice(&self, trace: &Trace) -> Vec<(u32, u32)> {
        let is_own = |visit: &Visit| self.subject.system.own[visit.place.function.0 as usize];
        let mut first: FxHashMap<(CodePlace, Activation), u32> = FxHashMap::default();
        let mut twice: FxHashMap<CodePlace, (u32, u32)> = FxHashMap::default();
        for (number, visit) in (0u32..).zip(&trace.visits) {
            if !is_own(visit) {
                continue;
            }
            match first.entry((visit.place, visit.activation)) {
                Entry::Vacant(entry) => {
                    entry.insert(number);
                }
                Entry::Occupied(entry) => {
                    twice.entry(visit.place).or_insert((*entry.get(), number));
                }
            }
        }
        let mut reached: Vec<(u32, u32)> = twice.into_values().collect();
        reached.sort_unstable_by_key(|&(from, _)| std::cmp::Reverse(from));
        reached
    }
}
