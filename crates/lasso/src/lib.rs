//! Proofs that a loop of a sequential program never ends, or that it does.
//!
//! [`problem`] is what is to be proved, in terms of `impasse-solver`; [`prove`] finds proofs.

pub mod problem;
pub mod prove;
