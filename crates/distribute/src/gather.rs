//! One result of what all workers have found. Every worker computes it, and gets the same.

use crate::checkpoint::Checkpoint;
use crate::flow::{Endpoint, Flow, Sendable};
use crate::hangs::Hang;
use crate::store::{Place, ROOT};
use crate::worker::{Bounds, Explorer, OMISSIONS, number, reason};
use impasse_limits::StopReason;
use impasse_search::{Statistics, Verdict};
use impasse_transition_system::{Path, Portable};
use serde::{Deserialize, Serialize};
use std::time::Instant;

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
    /// The cost of the search. The time is that of the worker that is asked.
    pub statistics: Statistics,
    /// The share of each worker.
    pub workers: Vec<Shares>,
}

/// What one worker did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Shares {
    /// The number of its process, from 0.
    pub process: usize,
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

/// What one worker tells the others.
#[derive(Serialize, Deserialize)]
struct Summary<F, O> {
    fault: Option<(F, Place)>,
    omissions: Vec<(u64, O)>,
    hang: Option<Hang>,
    noted_may_hang: bool,
    /// Why it has stopped, as a number.
    stopped: u8,
    depth: u64,
    terminal: u64,
    shares: Shares,
}

/// Explores the states of a system, of which each worker owns a part, and returns what all have
/// found. All workers must call it, with copies of the same system and the same bounds, and either
/// all or none with a checkpoint, of the same moment. Panics if a message or the checkpoint is
/// damaged, or another worker of this process panics.
pub fn explore<S: Portable>(
    endpoint: &mut Endpoint<'_>,
    system: &S,
    bounds: &Bounds,
    checkpoint: Option<Checkpoint>,
) -> Outcome<S::Fault, S::Omission>
where
    S::Fault: Sendable + Ord,
    S::Omission: Sendable + Clone,
{
    let started = Instant::now();
    let mut flow = endpoint.take_flow();
    let mut explorer = Explorer::new(system, bounds, endpoint);
    let resumed = checkpoint.map(|checkpoint| {
        let restored = match checkpoint {
            Checkpoint::Own(mut reader) => explorer.restore(&mut reader),
            Checkpoint::All(mut readers) => explorer.restore_all(&mut readers),
        };
        restored.unwrap_or_else(|error| panic!("{error}"))
    });
    let stopped = explorer.search(endpoint, &mut flow, resumed);
    let summary = explorer.summary(endpoint.process(), stopped);
    let summaries = share(endpoint, &mut flow, &summary);
    let outcome = explorer.outcome(endpoint, &mut flow, summaries, started);
    endpoint.shown = explorer.shown;
    endpoint.put_back(flow);
    outcome
}

/// Returns what each worker has called this with, by worker.
fn share<T: Sendable>(endpoint: &mut Endpoint<'_>, flow: &mut Flow, own: &T) -> Vec<T> {
    let bytes = postcard::to_stdvec(own).expect("all types have an encoding");
    let each = flow.share(endpoint, bytes).into_iter();
    let read = |bytes: Vec<u8>| postcard::from_bytes(&bytes);
    each.map(|bytes| read(bytes).unwrap_or_else(|error| panic!("a damaged message: {error}")))
        .collect()
}

impl<S: Portable> Explorer<'_, S>
where
    S::Fault: Sendable + Ord,
    S::Omission: Sendable + Clone,
{
    fn summary(
        &mut self,
        process: usize,
        stopped: Option<StopReason>,
    ) -> Summary<S::Fault, S::Omission> {
        let part = &mut self.partition;
        Summary {
            fault: part.fault.take(),
            omissions: std::mem::take(&mut part.omissions),
            hang: part.hang,
            noted_may_hang: part.noted_may_hang,
            stopped: number(stopped),
            depth: part.depth,
            terminal: part.terminal,
            shares: Shares {
                process,
                states: self.store.len(),
                transitions: part.transitions,
                bytes: part.bytes,
                sent: part.sent,
                bytes_sent: part.bytes_sent,
            },
        }
    }

    fn outcome(
        &self,
        endpoint: &mut Endpoint<'_>,
        flow: &mut Flow,
        mut parts: Vec<Summary<S::Fault, S::Omission>>,
        started: Instant,
    ) -> Outcome<S::Fault, S::Omission> {
        let faults = parts.iter_mut().filter_map(|part| part.fault.take());
        let fault = faults.min();
        let hang = parts.iter().filter_map(|part| part.hang).min();
        let stopped = parts.iter().find_map(|part| reason(part.stopped));
        let verdict = match (fault, hang, stopped) {
            (Some((fault, last)), ..) => {
                let mut path = self.path_to(endpoint, flow, last.worker, last.rank);
                path.push(last.ordinal);
                Verdict::Fault {
                    fault,
                    path: Path::new(path),
                }
            }
            // What was found while the search was stopped may rest on transitions that are missing.
            (None, _, Some(reason)) => Verdict::Stopped(reason),
            (None, Some(hang), None) => Verdict::Hang {
                section: hang.section(),
                path: Path::new(self.path_to(endpoint, flow, hang.worker, hang.rank)),
            },
            (None, None, None) => Verdict::Exhausted,
        };
        let workers: Vec<Shares> = parts.iter().map(|part| part.shares).collect();
        let sum = |part: fn(&Shares) -> u64| workers.iter().map(part).sum();
        let noted_may_hang = parts.iter().any(|part| part.noted_may_hang);
        Outcome {
            noted_may_hang: noted_may_hang && matches!(verdict, Verdict::Exhausted),
            verdict,
            statistics: Statistics {
                states: sum(|worker| worker.states),
                transitions: sum(|worker| worker.transitions),
                depth: parts.iter().map(|part| part.depth).max().unwrap_or(0),
                terminal: parts.iter().map(|part| part.terminal).sum(),
                bytes: sum(|worker| worker.bytes),
                elapsed: started.elapsed(),
            },
            workers,
            omissions: omissions(parts),
        }
    }

    /// Returns the ordinals of a path to a state: each owner follows it back through its own
    /// states, and tells all which owner must continue.
    fn path_to(
        &self,
        endpoint: &mut Endpoint<'_>,
        flow: &mut Flow,
        worker: u32,
        rank: u32,
    ) -> Vec<u32> {
        let (mut worker, mut rank) = (worker, rank);
        let mut ordinals = Vec::new();
        while rank != ROOT {
            let mut own: Option<(Vec<u32>, u32, u32)> = None;
            if worker == self.own {
                own = Some(self.follow_back(rank));
            }
            let parts = share(endpoint, flow, &own);
            let followed = parts.into_iter().flatten().next();
            let (part, next_worker, next_rank) = followed.expect("the owner follows");
            ordinals.extend(part);
            (worker, rank) = (next_worker, next_rank);
        }
        ordinals.reverse();
        ordinals
    }

    /// The ordinals of the transitions to a state of this worker, to the source of that one and so
    /// on, and the first source that another worker owns.
    fn follow_back(&self, mut rank: u32) -> (Vec<u32>, u32, u32) {
        let mut ordinals = Vec::new();
        loop {
            let place = self.store.place(rank);
            ordinals.push(place.ordinal);
            if place.rank == ROOT || place.worker != self.own {
                return (ordinals, place.worker, place.rank);
            }
            rank = place.rank;
        }
    }
}

/// The first few distinct omissions, in the order of rounds.
fn omissions<F, O: Ord>(parts: Vec<Summary<F, O>>) -> Vec<O> {
    let mut all: Vec<(u64, O)> = parts.into_iter().flat_map(|part| part.omissions).collect();
    all.sort_unstable();
    let mut first: Vec<O> = Vec::new();
    for (_, reason) in all {
        if first.len() < OMISSIONS && !first.contains(&reason) {
            first.push(reason);
        }
    }
    first
}
