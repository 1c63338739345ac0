//! Concolic execution: the program runs on concrete inputs, and what its values are made of is
//! evaluated on the side.
//!
//! [`run`] executes and records, [`trace`] is the record, [`replay`] evaluates parts of it on
//! symbols, [`iteration`] makes lassos of it. Of the loops within an iteration that are gone around
//! as often as the state says, [`inner`] finds the iterations that take one way, and
//! [`closed_form`] says what they do.

pub mod acceleration;
mod builtins;
pub mod closed_form;
pub mod derive;
mod environment;
pub mod exact;
pub mod explanation;
pub mod iteration;
pub mod loop_headers;
pub mod names;
pub mod no_exit;
pub mod replay;
pub mod run;
pub mod shadow;
pub mod trace;
mod wraps;
