//! Proofs that a loop of a sequential program never ends, or that it does.
//!
//! [`problem`] is what is to be proved, in terms of `impasse-solver`; [`nontermination`] finds
//! proofs; [`termination`] proves that a whole program ends; [`certificate`] is the form in which
//! they are kept, [`certify`] checks it without a solver, and [`in_c`] writes what it says in C.

pub mod certificate;
pub mod certify;
pub mod concolic;

pub mod in_c;
pub mod nontermination;
pub mod problem;
pub mod search;
pub mod termination;

mod vectors;
