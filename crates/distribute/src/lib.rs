//! Breadth-first search over several workers of one timely dataflow.
//!
//! The hash of a state selects its owner, the one worker that stores and explores it. Each worker
//! has a copy of the system, and sends each successor to its owner in
//! [portable](impasse_transition_system::Portable) form. A level goes through rounds, the
//! timestamps of the dataflow; once progress tracking says that nothing of a round is in flight,
//! every worker tells the others what it found, so that all stop after the same round.
//!
//! *The result does not depend on what arrives first*, for one number of workers. The states of a
//! level are ranked by the least transition that leads to each, as in `impasse-search`, where the
//! owner of the source comes first. With another number of workers an error may have another path,
//! which is as short. Where a level is larger than a round, the search ends after another part of
//! it, so that it may report another error of the same level, and has found another number of
//! states.
//!
//! *Processes.* Workers are threads of one process or of several (the module `team`). Every worker
//! makes the same decisions, since each hears what all have found. In each process one more thread
//! finds out whether another process has failed (`supervisor`, `failure`).
//!
//! *Checkpoints* hold what each worker knows at the beginning of a level (`checkpoint`, `save`).
//! Another number of workers can resume from them (`repartition`).
//!
//! *Hangs* are sections that can never end: a backward fixpoint over the states of all workers
//! decides (the module `fixpoint`).
//!
//! The search explores all transitions.

mod beat;
mod check;
mod checkpoint;
mod failure;
mod fixpoint;
mod flow;
mod gather;
mod hangs;
mod homes;
mod link;
mod recorder;
mod repartition;
mod save;
mod store;
mod supervisor;
mod team;
mod worker;

pub use checkpoint::{Checkpoint, Moment, Part, Reader, Saving, list};
pub use failure::Failure;
pub use flow::{Endpoint, Sendable};
pub use gather::{Outcome, Shares, explore};
pub use supervisor::Monitor;
pub use team::{Emit, Running, Team, start};
pub use worker::{Bounds, HangSearch};
