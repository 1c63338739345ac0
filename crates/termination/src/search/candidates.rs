//! Which pairs of visits of an execution to look at.

use crate::concolic::acceleration::{self, Run};
use crate::concolic::run::Subject;
use crate::concolic::trace::{Activation, Step, Trace, Visit};
use crate::problem::Overflow;
use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::Instruction;
use rustc_hash::FxHashMap;

/// Identifies the path of one or more iterations: equal for equal paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Signature(u64);

impl Signature {
    /// The signature of the same path under an assumption about signed overflow.
    pub fn under(self, overflow: Overflow) -> Signature {
        match overflow {
            Overflow::Undefined => self,
            Overflow::Wraps => Signature(self.0.rotate_left(17) ^ 1),
        }
    }

    /// The signature of the path between two visits, whatever the number of iterations of the runs
    /// in it.
    pub fn of_runs(trace: &Trace, visits: (u32, u32), runs: &[Run]) -> Signature {
        Signature(acceleration::signature(trace, visits, runs))
    }
}

/// Pairs of visits, the most promising first.
pub struct Candidates {
    /// The visits between which the iterations lie, and the signature of their path.
    pub list: Vec<((u32, u32), Signature)>,
}

/// How many iterations are taken together at most, where they differ.
const TOGETHER: usize = 6;
/// So many of the last iterations are searched for a period.
const RECENT: usize = 20_000;
/// How often the paths of a period must recur.
const TIMES: usize = 3;
/// How many pairs of one execution are looked at.
const MOST: usize = 64;

impl Candidates {
    /// The pairs of an execution: first the one whose state repeats, then those of its last loops,
    /// fewer iterations before more.
    pub fn of(subject: &Subject<'_>, trace: &Trace) -> Candidates {
        let mut list: Vec<(u32, u32)> = Vec::new();
        list.extend(trace.repeated);
        let mut groups = loops(trace);
        groups.extend(recursions(trace));
        // Loops that the execution was in last come first.
        groups.sort_by_key(|group| std::cmp::Reverse(*group.last().expect("no group is empty")));
        for back in 1..=TOGETHER {
            for group in &groups {
                let last = group.len() - 1;
                for end in [last, back, last.saturating_sub(1)] {
                    if (back..group.len()).contains(&end) {
                        list.push((group[end - back], group[end]));
                    }
                }
                // Iterations in the middle, on paths that neither the first nor the last iterations
                // take.
                if back == 1 {
                    let middle = group.windows(2).take(200);
                    list.extend(middle.map(|pair| (pair[0], pair[1])));
                }
            }
        }
        let hashes = PrefixHashes::of(trace, |_, _| 0);
        // Paths that are the same may access different places.
        let accesses = |at: usize, step: &Step| {
            let body = &subject.system.program.function(step.function).body;
            match body.code[step.position as usize] {
                Instruction::Load { .. } | Instruction::Store { .. } => {
                    trace.words_of(at).first().map_or(0, |word| word.bits)
                }
                _ => 0,
            }
        };
        let with_accesses = PrefixHashes::of(trace, accesses);
        for group in &groups {
            let of_paths = periodic(trace, group, &hashes);
            let of_accesses = periodic(trace, group, &with_accesses);
            list.extend(of_paths);
            list.extend(of_accesses.filter(|&pair| of_paths != Some(pair)));
        }
        let mut seen: FxHashMap<Signature, u32> = FxHashMap::default();
        let mut kept = Vec::new();
        for pair in list {
            let signature = hashes.signature(trace, pair);
            let times = seen.entry(signature).or_insert(0);
            *times += 1;
            let first = trace.repeated == Some(pair);
            if first || (*times <= 2 && kept.len() < MOST && !kept.contains(&(pair, signature))) {
                kept.push((pair, signature));
            }
        }
        Candidates { list: kept }
    }
}

/// Between the last visits of a loop: as many iterations as it takes until their paths recur, if
/// they do so at the end of the execution and are more than are taken together anyway.
fn periodic(trace: &Trace, group: &[u32], hashes: &PrefixHashes) -> Option<(u32, u32)> {
    let pairs = group.windows(2).rev().take(RECENT);
    let paths: Vec<Signature> = pairs
        .map(|pair| hashes.signature(trace, (pair[0], pair[1])))
        .collect();
    // How long a beginning of the list ends each of its beginnings (Knuth, Morris and Pratt).
    let mut borders = vec![0; paths.len()];
    let mut found = None;
    for at in 1..paths.len() {
        let mut border = borders[at - 1];
        while border > 0 && paths[at] != paths[border] {
            border = borders[border - 1];
        }
        border += usize::from(paths[at] == paths[border]);
        borders[at] = border;
        let period = at + 1 - border;
        if period > TOGETHER && at + 1 >= TIMES * period {
            found = Some(period);
        }
    }
    let last = group.len() - 1;
    found.map(|period| (group[last - period], group[last]))
}

/// How many instructions the execution recorded between two visits.
pub fn length(trace: &Trace, (from, to): (u32, u32)) -> usize {
    (trace.visits[to as usize].step - trace.visits[from as usize].step) as usize
}

/// The visits of each loop in an activation, in order; of loops that the execution was in last
/// first.
pub fn chains(trace: &Trace) -> Vec<Vec<u32>> {
    let mut chains = loops(trace);
    chains.sort_by_key(|chain| std::cmp::Reverse(chain.last().copied()));
    chains
}

/// The signatures of the paths between visits.
pub fn signatures(trace: &Trace, pairs: &[(u32, u32)]) -> Vec<Signature> {
    let hashes = PrefixHashes::of(trace, |_, _| 0);
    let each = pairs.iter();
    each.map(|&pair| hashes.signature(trace, pair)).collect()
}

/// The visits, in order, of the loop or recursion that a visit belongs to; `None` if it is the only
/// one of its loop or recursion.
pub fn chain_of(trace: &Trace, visit: u32) -> Option<Vec<u32>> {
    let mut groups = loops(trace);
    groups.extend(recursions(trace));
    groups.into_iter().find(|group| group.contains(&visit))
}

/// The visits of each loop header in each activation that was visited twice.
fn loops(trace: &Trace) -> Vec<Vec<u32>> {
    let mut groups: FxHashMap<(Activation, CodePlace), Vec<u32>> = FxHashMap::default();
    for (number, visit) in (0u32..).zip(&trace.visits) {
        groups
            .entry((visit.activation, visit.place))
            .or_default()
            .push(number);
    }
    groups
        .into_values()
        .filter(|group| group.len() > 1)
        .collect()
}

/// For each function, the entries of its activations that are on the stack at the deepest one of
/// its entries, outermost first.
fn recursions(trace: &Trace) -> Vec<Vec<u32>> {
    let mut stack: Vec<u32> = Vec::new();
    let mut deepest: FxHashMap<CodePlace, Vec<u32>> = FxHashMap::default();
    let is_new = |visit: &Visit, before: Option<&Visit>| {
        visit.is_entry() && before.is_none_or(|before| before.activation != visit.activation)
    };
    for (number, visit) in (0u32..).zip(&trace.visits) {
        while let Some(&top) = stack.last() {
            let outer = &trace.visits[top as usize];
            let gone = outer.depth > visit.depth
                || (outer.depth == visit.depth && outer.activation != visit.activation);
            if !gone {
                break;
            }
            stack.pop();
        }
        let before = stack.last().map(|&top| &trace.visits[top as usize]);
        if !is_new(visit, before) {
            continue;
        }
        stack.push(number);
        let known = deepest.get(&visit.place).map_or(1, Vec::len);
        // The chain is only made where it is longer than before.
        let same = |&&n: &&u32| trace.visits[n as usize].place == visit.place;
        if stack.iter().filter(same).count() > known {
            let chain = stack.iter().filter(same).copied().collect();
            deepest.insert(visit.place, chain);
        }
    }
    deepest
        .into_values()
        .filter(|chain| chain.len() > 1)
        .collect()
}

/// Hashes of the beginnings of a trace, from which those of its parts follow.
struct PrefixHashes {
    prefixes: Vec<u64>,
}

const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl PrefixHashes {
    /// One hash for each visit: of what was executed before it, and of a number for each step.
    fn of(trace: &Trace, of_step: impl Fn(usize, &Step) -> u64) -> PrefixHashes {
        let mut prefixes = Vec::with_capacity(trace.visits.len());
        let mut hash = 0u64;
        let mut at = 0usize;
        for visit in &trace.visits {
            for at in at..visit.step as usize {
                let step = &trace.steps[at];
                let place = u64::from(step.function.0) << 32 | u64::from(step.position);
                let value = place ^ of_step(at, step).wrapping_mul(0x94d0_49bb_1331_11eb);
                hash = hash
                    .wrapping_mul(BASE)
                    .wrapping_add(value.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ value >> 7);
            }
            at = visit.step as usize;
            prefixes.push(hash);
        }
        PrefixHashes { prefixes }
    }

    fn signature(&self, trace: &Trace, (from, to): (u32, u32)) -> Signature {
        let (first, last) = (&trace.visits[from as usize], &trace.visits[to as usize]);
        let length = last.step - first.step;
        let before = self.prefixes[from as usize].wrapping_mul(power(u64::from(length)));
        Signature(self.prefixes[to as usize].wrapping_sub(before) ^ u64::from(length) << 40)
    }
}

fn power(mut exponent: u64) -> u64 {
    let (mut result, mut base) = (1u64, BASE);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result
}
