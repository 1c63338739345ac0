//! Verdicts, traces and reasons, rendered for people and for programs.
//!
//! A [`Report`] is plain data; its JSON form is the interface that `docs/json.md` documents.
//! [`human`] renders it for a terminal. This crate knows nothing of how a verdict was reached.

pub mod human;
mod model;
mod trace;
mod why;

pub use model::{
    ErrorReport, Frame, HangReport, HungThread, Reading, Reason, RegionReport, Report, Scope,
    SectionReport, Spot, Step, ThreadReport, ThreadStatus, Verdict,
};
