//! A state: memory, threads, the happens-before history; its canonical form and its encoding. Knows no instructions.

pub(crate) mod access_history;
pub(crate) mod canonical;
pub(crate) mod clock;
pub(crate) mod encoding;
pub(crate) mod entry_tree;
pub(crate) mod frame;
pub(crate) mod happens_before;
pub mod journal;
pub mod memory;
pub mod section;
pub(crate) mod signal;
pub(crate) mod stale;
pub(crate) mod thread;
pub mod weak;
