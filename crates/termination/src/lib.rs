//! Proofs that a loop of a sequential program never ends, or that it does.
//!
//! [`problem`] is what is to be proved, in terms of `impasse-solver`; [`nontermination`] finds
//! proofs; [`termination`] proves that a whole program ends; [`certificate`] is the form in which
//! they are kept, [`certify`] checks it without a solver, and [`in_c`] writes what it says in C.
//!
//! [`answer`] is the entry point: from a program and a question to an [`outcome`], which [`human`]
//! writes in words, [`page`] for a browser and [`witness`] as a witness. [`check`] checks its
//! [`evidence`].

pub mod affine;
pub mod answer;
pub mod certificate;
pub mod certify;
pub mod check;
mod clausal;
pub mod concolic;
pub mod evidence;
pub mod human;
pub mod in_c;
mod native;
pub mod nontermination;
pub mod outcome;
pub mod page;
pub mod problem;
pub mod search;
pub mod subject;
pub mod termination;
pub mod unbounded;
pub mod witness;

mod vectors;
