//! A state: memory, threads, the happens-before history; its canonical form and its encoding. Knows
//! no instructions.

pub(crate) mod access_history;
pub(crate) mod canonical;
pub(crate) mod clock;
pub(crate) mod condition;
pub(crate) mod encoding;
pub(crate) mod entry_tree;
pub(crate) mod exception_tables;
pub(crate) mod frame;
pub(crate) mod guesses;
pub(crate) mod happens_before;
pub mod journal;
pub(crate) mod known_time;
pub mod memory;
pub(crate) mod portable;
pub(crate) mod read_set;
pub mod section;
pub(crate) mod signal;
pub(crate) mod stale;
pub(crate) mod store_buffer;
pub(crate) mod thread;
pub mod undecided;
pub mod weak;

pub use thread::{Held, HeldKind};
