//! Native replay: the error of a path in a real process.
//!
//! The program is built by clang for this machine, with ThreadSanitizer's instrumentation and a
//! runtime of our own (`runtime/`): each thread asks before each access to memory and each call of
//! the threads library, and waits until the runtime resumes it. So one thread runs at a time, in
//! the order of the path (`steering`), until the error shows (`verdict`): a signal kills the
//! process, the runtime notices the error, two threads are about to make the accesses of a race, or
//! nothing can continue.
//!
//! What is compared are places in the program's own code: the libraries are others than those that
//! Impasse compiles. A process shows that an error is real. That it does not show one means little:
//! what a processor reorders cannot be steered, and many errors do no harm that can be seen.

mod calls;
mod clocks;
mod compile;
mod expected;
mod places;
mod process;
mod protocol;
mod run;
mod runtime;
mod states;
mod steering;
mod turns;
mod verdict;

pub use process::Start;
pub use run::{Program, replay};
