//! The abstract machine: runs a linked program, one step of one thread at a time.
//!
//! [`System`](system::System) is a program as a transition system for `impasse-search`. The way of a step: `state` decodes a
//! state, [`step`] lets each thread run, `interpret` executes instructions over [`memory`] and `value`,
//! [`builtin`] is what the machine does itself, `canonical` settles the names of objects, and `state` encodes the result.
//! This crate knows no search and no LLVM.

pub mod builtin;
mod call;
mod canonical;
mod clock;
mod codec;
pub mod environment;
pub mod fault;
mod frame;
mod history;
mod interpret;
pub mod journal;
mod machine;
mod memo;
pub mod memory;
pub mod model;
mod names;
mod observe;
pub mod operation;
pub mod options;
pub mod outcomes;
mod race;
pub mod record;
pub mod run;
pub mod section;
mod sequence;
pub mod sequential;
mod signal;
mod stale;
mod state;
pub mod step;
pub mod system;
mod thread;
mod track;
mod unknown_time;
mod unwind;
mod value;
pub mod weak;

pub use builtin::thread_name;
pub use unknown_time::TIME_DECIDES;
