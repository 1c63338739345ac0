//! A state: memory, threads, the history of accesses; its canonical form and its encoding. Knows no instructions.

pub(crate) mod canonical;
pub(crate) mod clock;
pub(crate) mod encoding;
pub(crate) mod frame;
pub(crate) mod history;
pub mod journal;
pub mod memory;
pub(crate) mod race;
pub mod section;
pub(crate) mod sequence;
pub(crate) mod signal;
pub(crate) mod stale;
pub(crate) mod thread;
pub mod weak;
