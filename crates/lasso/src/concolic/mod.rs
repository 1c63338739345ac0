//! Concolic execution: the program runs on concrete inputs, and what its values are made of is evaluated on the side.
//!
//! [`run`] executes and records, [`trace`] is the record, [`replay`] evaluates parts of it on symbols, [`turn`] makes lassos
//! of it.

mod builtins;
pub mod derive;
pub mod heads;
pub mod names;
pub mod replay;
pub mod run;
pub mod shadow;
pub mod trace;
pub mod turn;
