//! Limits on the time and memory of a run.
//!
//! Every long loop of Impasse polls a [`Cancel`]. A [`Watchdog`] requests the stop once a
//! [`Budget`] is spent or the user interrupts, and ends the process if the run does not stop soon
//! after. This crate depends on no other of Impasse, so that the machine and the searches share it
//! without depending on each other.

mod cancel;
mod code;
mod watchdog;

pub use cancel::{Cancel, StopReason};
pub use watchdog::{Budget, Overrun, Relief, Watchdog, peak_memory, resident_memory};
