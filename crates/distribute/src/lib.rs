//! Breadth-first search over several workers of one timely dataflow.
//!
//! The hash of a state selects its owner, the one worker that stores and explores it. Each worker
//! has a copy of the system, and sends each successor to its owner in
//! [portable](impasse_transition_system::Portable) form. A level goes through rounds, the
//! timestamps of the dataflow; once progress tracking says that nothing of a round is in flight, every worker
//! tells the others what it found, so that all stop after the same round.
//!
//! *The result does not depend on what arrives first*, for one number of workers. The states of a
//! level are ranked by the least transition that leads to each, as in `impasse-search`, where the
//! owner of the source comes first. With another number of workers an error may have another path,
//! which is as short. Where a level is larger than a round, the search ends after another part of
//! it, so that it may report another error of the same level, and has found another number of
//! states.
//!
//! *Hangs* are sections that can never end: a backward fixpoint over the states of all workers
//! decides (the module `fixpoint`).
//!
//! The search explores all transitions.

mod check;
mod fixpoint;
mod flow;
mod hangs;
mod link;
mod recorder;
mod store;
mod worker;

pub use flow::Endpoint;
pub use worker::{Bounds, HangSearch, Partition, explore};

use flow::Failed;
use impasse_search::{Statistics, Verdict};
use impasse_transition_system::Path;
use std::num::NonZeroUsize;
use std::time::Instant;
use store::{Place, ROOT};
use worker::OMISSIONS;

/// What the workers found together.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome<F, O> {
    /// The finding itself: of the first round that has a fault the least one.
    pub verdict: Verdict<F>,
    /// Why transitions were left out: the first few distinct reasons. If there are any, `Exhausted`
    /// only holds for what was not left out.
    pub omissions: Vec<O>,
    /// Whether the noted section may never end. False unless the verdict is `Exhausted`.
    pub noted_may_hang: bool,
    /// The cost of the search, but for the time.
    pub statistics: Statistics,
    /// The share of each worker.
    pub workers: Vec<Shares>,
}

/// What one worker did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Shares {
    /// States that it owns.
    pub states: u64,
    /// Transitions that it executed.
    pub transitions: u64,
    /// The most memory that its states, bookkeeping and system held, in bytes.
    pub bytes: u64,
    /// States that it sent to others.
    pub sent: u64,
    /// What these took, in bytes.
    pub bytes_sent: u64,
}

/// Runs `work` in so many workers, threads of this process, and returns what each returned. Fails
/// if a worker cannot be started, or panics.
pub fn execute<R: Send + 'static>(
    workers: NonZeroUsize,
    work: impl Fn(&mut Endpoint<'_>) -> R + Send + Sync + 'static,
) -> Result<Vec<R>, String> {
    let config = timely::Config::process(workers.get());
    let failed = Failed::default();
    let guards = timely::execute(config, move |worker| {
        work(&mut Endpoint::new(worker, failed.clone()))
    })?;
    guards.join().into_iter().collect()
}

/// Returns what the workers found together. `partitions` are those of all workers of one search, in
/// order, and `started` is when it began.
pub fn outcome<F: Ord + Clone, O: Ord>(
    partitions: Vec<Partition<F, O>>,
    started: Instant,
) -> Outcome<F, O> {
    let faults = partitions.iter().filter_map(|part| part.fault.as_ref());
    let stopped = partitions.iter().find_map(|part| part.stopped);
    let hang = partitions.iter().filter_map(|part| part.hang).min();
    let verdict = match (faults.min(), hang, stopped) {
        (Some((fault, last)), ..) => Verdict::Fault {
            fault: fault.clone(),
            path: path(&partitions, *last),
        },
        // What was found while the search was stopped may rest on transitions that are missing.
        (None, _, Some(reason)) => Verdict::Stopped(reason),
        (None, Some(hang), None) => Verdict::Hang {
            section: hang.section,
            path: path(&partitions, place(&partitions, hang.worker, hang.rank)),
        },
        (None, None, None) => Verdict::Exhausted,
    };
    let share = |part: &Partition<F, O>| Shares {
        states: part.found,
        transitions: part.transitions,
        bytes: part.bytes,
        sent: part.sent,
        bytes_sent: part.bytes_sent,
    };
    let workers: Vec<Shares> = partitions.iter().map(share).collect();
    let sum = |part: fn(&Shares) -> u64| workers.iter().map(part).sum();
    let noted_may_hang = partitions.iter().any(|part| part.noted_may_hang);
    Outcome {
        noted_may_hang: noted_may_hang && matches!(verdict, Verdict::Exhausted),
        verdict,
        statistics: Statistics {
            states: sum(|worker| worker.states),
            transitions: sum(|worker| worker.transitions),
            depth: partitions.iter().map(|part| part.depth).max().unwrap_or(0),
            terminal: partitions.iter().map(|part| part.terminal).sum(),
            bytes: sum(|worker| worker.bytes),
            elapsed: started.elapsed(),
        },
        workers,
        omissions: omissions(partitions),
    }
}

/// The first few distinct omissions, in the order of rounds.
fn omissions<F, O: Ord>(partitions: Vec<Partition<F, O>>) -> Vec<O> {
    let rounds = partitions.into_iter().flat_map(|part| part.omissions);
    let each = rounds.flat_map(|(round, reasons)| {
        let with_round = move |reason| (round, reason);
        reasons.into_iter().map(with_round)
    });
    let mut all: Vec<(u64, O)> = each.collect();
    all.sort_unstable();
    let mut first: Vec<O> = Vec::new();
    for (_, reason) in all {
        if first.len() < OMISSIONS && !first.contains(&reason) {
            first.push(reason);
        }
    }
    first
}

/// Returns the path that ends with this transition, collected from the owners of its states.
fn path<F, O>(partitions: &[Partition<F, O>], last: Place) -> Path {
    let before = |place: &Place| {
        (place.rank != ROOT).then(|| self::place(partitions, place.worker, place.rank))
    };
    let places = std::iter::successors(Some(last), before);
    let mut ordinals: Vec<u32> = places.map(|place| place.ordinal).collect();
    ordinals.reverse();
    Path::new(ordinals)
}

/// Returns the least transition to the state of a worker that has a rank.
fn place<F, O>(partitions: &[Partition<F, O>], worker: u32, rank: u32) -> Place {
    partitions[worker as usize].places[rank as usize - 1]
}
