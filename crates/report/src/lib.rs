//! Verdicts, traces and reasons, rendered for people and for programs.
//!
//! A [`Report`] is plain data; its JSON form is the interface that `docs/json.md` documents.
//! [`human`] renders it for a terminal; [`rendering`] has the options of that. This crate knows
//! nothing of how a verdict was reached.

pub mod human;
mod model;
pub mod rendering;
mod trace;
mod why;

pub use model::{
    ErrorReport, Frame, HangReport, HungThread, Reading, Reason, RegionReport, Report, Scope,
    SectionReport, Spot, Step, ThreadReport, ThreadStatus, Verdict,
};
