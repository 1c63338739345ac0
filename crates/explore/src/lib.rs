//! The searches over the states of the machine, compiled once.
//!
//! `impasse-search` and `impasse-distribute` are generic over transition systems, so whoever runs a
//! search compiles the algorithms for its system. These functions are not generic: the command and
//! the tests, which are many programs, share what is compiled here, and what is fast in a search
//! depends on how this crate is optimised.

mod searches;
mod without_symmetry;

pub use searches::{distribute, sample, search};
pub use without_symmetry::without_symmetry;
