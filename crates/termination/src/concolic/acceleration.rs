//! Loop acceleration: the inner loops of an iteration whose own iterations take one path.

use super::trace::{Activation, Effect, Step, Trace};
use impasse_machine::base::fault::CodePlace;
use rustc_hash::FxHashMap;

/// How inner loops are treated whose number of iterations depends on the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Inner {
    /// They iterate as often as in the execution, and the conditions say so.
    #[default]
    Followed,
    /// Their closed forms, where they exist, cover any number of iterations.
    Accelerated,
}

/// Iterations of an inner loop that take one path, one after the other: at least two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The visit of its header with which the first iteration starts.
    pub first: u32,
    /// That with which the second does.
    pub second: u32,
    /// That with which the last does.
    pub last: u32,
    /// That with which it ends.
    pub end: u32,
    /// How many iterations there are before the last.
    pub iterations: u64,
}

/// The runs between two visits of a cutpoint, in order; none lies in another.
pub fn runs(trace: &Trace, (from, to): (u32, u32)) -> Vec<Run> {
    let key = |visit: u32| {
        let visit = &trace.visits[visit as usize];
        (visit.activation, visit.place)
    };
    let mut last_seen: FxHashMap<(Activation, CodePlace), u32> = FxHashMap::default();
    let mut next = vec![None; (to - from) as usize];
    for visit in (from + 1..to).rev() {
        next[(visit - from) as usize] = last_seen.insert(key(visit), visit);
    }
    let next = |visit: u32| next[(visit - from) as usize];
    let outer = &trace.visits[from as usize];
    let mut found = Vec::new();
    let mut at = from + 1;
    while at < to {
        let visit = &trace.visits[at as usize];
        let is_inner = !visit.is_entry() && visit.place != outer.place;
        match next(at).filter(|_| is_inner) {
            Some(second) => {
                let (mut last, mut end, mut iterations) = (at, second, 0);
                while let Some(after) = next(end)
                    && same_way(trace, (at, second), (end, after))
                {
                    (last, end, iterations) = (end, after, iterations + 1);
                }
                if iterations > 0 {
                    let first = at;
                    found.push(Run {
                        first,
                        second,
                        last,
                        end,
                        iterations,
                    });
                    at = end;
                } else {
                    at += 1;
                }
            }
            None => at += 1,
        }
    }
    found
}

/// Whether the same instructions are executed between two pairs of visits, which read nothing.
fn same_way(trace: &Trace, a: (u32, u32), b: (u32, u32)) -> bool {
    let steps = |(from, to): (u32, u32)| {
        let step = |visit: u32| trace.visits[visit as usize].step as usize;
        &trace.steps[step(from)..step(to)]
    };
    let same = |(one, other): (&Step, &Step)| {
        one.place() == other.place()
            && one.effect == other.effect
            && !matches!(one.effect, Effect::Input(_) | Effect::Bytes(_))
    };
    let (one, other) = (steps(a), steps(b));
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// Identifies the path between two visits, whatever the number of iterations of the runs in it.
pub fn signature(trace: &Trace, visits: (u32, u32), runs: &[Run]) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    let step = |visit: u32| trace.visits[visit as usize].step as usize;
    let mut at = step(visits.0);
    let mut part = |from: usize, to: usize| {
        for step in &trace.steps[from..to] {
            (step.function, step.position).hash(&mut hasher);
        }
    };
    for run in runs {
        part(at, step(run.second));
        at = step(run.last);
    }
    part(at, step(visits.1));
    runs.len().hash(&mut hasher);
    hasher.finish()
}
