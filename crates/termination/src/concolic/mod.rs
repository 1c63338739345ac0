//! Concolic execution: the interpreter tracks symbolic values alongside concrete ones.
//!
//! [`run`] executes a program on concrete inputs and records a [`trace`]. [`replay`] evaluates
//! parts of the trace on terms. [`iteration`] turns them into lassos. [`acceleration`] finds inner
//! iterations that take one path, and [`closed_form`] summarises them.

pub mod acceleration;
mod builtins;
pub mod closed_form;
pub mod derive;
pub(crate) mod environment;
pub mod exact;
pub mod explanation;
pub mod iteration;
pub mod loop_headers;
pub mod names;
pub mod no_exit;
pub mod reading;
pub mod replay;
mod returning;
pub mod run;
pub mod several;
pub mod shadow;
mod signs;
pub mod trace;
pub(crate) mod wraps;
