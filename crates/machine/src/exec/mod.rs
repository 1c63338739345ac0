//! Execution: instructions, calls and returns, unwinding.

pub(crate) mod arguments;
pub(crate) mod call;
pub(crate) mod interpret;
pub mod unknown_time;
pub(crate) mod unwind;
