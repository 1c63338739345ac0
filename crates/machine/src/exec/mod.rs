//! Execution: instructions, calls and returns, unwinding.

pub(crate) mod arguments;
pub(crate) mod call;
pub(crate) mod clock;
pub(crate) mod decide;
pub(crate) mod interpret;
pub(crate) mod signals;
pub mod unknown_time;
pub(crate) mod unwind;
