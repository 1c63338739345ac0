//! Verdicts, traces and reasons, rendered for people and for programs.
//!
//! A [`Report`] is plain data; its JSON form is the interface that `docs/json.md` documents.
//! [`human`] renders it for a terminal, [`sarif`], [`github`] and [`junit`] for editors and CI;
//! [`rendering`] has the options of these. [`witness`] states
//! an execution of a sequential program for validators. This crate knows nothing of how a verdict
//! was reached.

pub mod explorer;
pub mod github;
pub mod graph;
pub mod human;
pub mod junit;
mod model;
mod objects;
mod plain;
pub mod rendering;
mod reproduction;
pub mod sarif;
mod trace;
mod why;
pub mod witness;

pub use model::exploration::{Exploration, ObjectState, Snapshot, ThreadState, Wait};
pub use model::{
    ErrorReport, Frame, HangReport, HungThread, InputValue, MemoryModel, Named, Reading, Reason,
    RegionReport, Report, Schedules, Scope, SectionReport, Spot, Step, Suppressed, ThreadReport,
    ThreadStatus, Verdict, Worker,
};
pub use reproduction::{Move, NativeOutcome, NativeRun, ReplayOutcome, Replayed, Reproduction};
