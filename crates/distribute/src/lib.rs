//! Breadth-first search over several workers of one timely dataflow.
//!
//! The hash of an encoded state selects its owner, the one worker that stores and explores it.
//! Workers send each successor to its owner through an exchange. Levels are the timestamps of the
//! dataflow: a worker explores a level once progress tracking says that no state of it is in
//! flight. A second exchange tells every worker what the others found, so all stop at the same
//! level.
//!
//! Workers are threads of one process, which share the system: encodings may hold numbers that the
//! system gives out. The search explores all transitions, and looks for no hangs.

mod worker;

use impasse_transition_system::{Path, TransitionSystem};
use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::Arc;
use worker::{Partition, Predecessor};

/// What the workers found together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome<F, O> {
    /// The least fault of the first level that has one, and one of the shortest paths to it.
    pub fault: Option<(F, Path)>,
    /// Why transitions were left out. If there are any, that no fault was found only holds for what
    /// was not left out.
    pub omissions: BTreeSet<O>,
    /// Distinct states found, for each worker. The level of a fault is always completed.
    pub states: Vec<u64>,
    /// Transitions executed, including those that end in faults.
    pub transitions: u64,
    /// Levels begun after that of the initial states.
    pub depth: u64,
    /// States without any transition.
    pub terminal: u64,
}

/// Visits every reachable state with so many workers, until a level has a fault. Ignores
/// [reductions](TransitionSystem::reduces). Fails if a worker cannot be started. A system must not
/// panic: the other workers would wait for the one that did.
pub fn breadth_first<S>(
    system: Arc<S>,
    workers: NonZeroU32,
) -> Result<Outcome<S::Fault, S::Omission>, String>
where
    S: TransitionSystem + Send + 'static,
    S::Fault: 'static,
    S::Omission: 'static,
{
    let config = timely::Config::process(workers.get() as usize);
    let guards = timely::execute(config, move |worker| worker::explore(worker, &*system))?;
    let results: Result<Vec<_>, String> = guards.join().into_iter().collect();
    Ok(merge(results?))
}

fn merge<S: TransitionSystem>(partitions: Vec<Partition<S>>) -> Outcome<S::Fault, S::Omission> {
    let least = partitions
        .iter()
        .filter_map(|part| part.fault.as_ref())
        .min();
    let fault = least.map(|(fault, last)| (fault.clone(), path(&partitions, *last)));
    let depth = partitions.iter().map(|part| part.depth).max();
    Outcome {
        fault,
        states: partitions
            .iter()
            .map(|part| part.predecessors.len() as u64)
            .collect(),
        transitions: partitions.iter().map(|part| part.transitions).sum(),
        depth: depth.unwrap_or(0),
        terminal: partitions.iter().map(|part| part.terminal).sum(),
        omissions: partitions
            .into_iter()
            .flat_map(|part| part.omissions)
            .collect(),
    }
}

/// Returns the path that ends with this transition, collected from the owners of its states.
fn path<S: TransitionSystem>(partitions: &[Partition<S>], last: Predecessor) -> Path {
    let before = |link: &Predecessor| {
        let (worker, index) = link.state?;
        Some(partitions[worker as usize].predecessors[index as usize])
    };
    let links = std::iter::successors(Some(last), before);
    let mut ordinals: Vec<u32> = links.map(|link| link.ordinal).collect();
    ordinals.reverse();
    Path::new(ordinals)
}
