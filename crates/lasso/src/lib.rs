//! Proofs that a loop of a sequential program never ends, or that it does.
//!
//! [`problem`] is what is to be proved, in terms of `impasse-solver`; [`prove`] finds proofs;
//! [`certificate`] is the form in which they are kept, and [`certify`] checks it without a solver.

pub mod certificate;
pub mod certify;
pub mod concolic;
pub mod problem;
pub mod prove;
pub mod search;
