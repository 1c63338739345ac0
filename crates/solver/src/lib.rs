//! Terms, their values, and solvers for them.
//!
//! [`Terms`] holds bit-vector terms with the operations of LLVM, each stored once and simplified as
//! it is made; booleans are bit vectors of width one, and floating-point numbers those of their
//! bits. [`Evaluator`] computes them on concrete values. [`Solver`] decides them. [`linear`]
//! combines linear inequalities; an [`Equation`] is one between polynomials, and [`ideal`] finds
//! what follows from several.
//!
//! This crate is the only one that knows which solver is behind it: Z3, through the crate `z3`. It
//! links the `libz3` that Debian's `llvm-19-dev` depends on, so that every machine that can build
//! the rest has it and plain cargo finds it in the system's path, which a library unpacked from a
//! Python wheel would need a search path in each binary for.

mod construct;
mod equation;
mod evaluate;
mod float;
pub mod ideal;
mod integers;
pub mod linear;
mod modular;
mod operations;
mod polynomial;
mod rounding;
mod show;
mod solver;
mod term;
mod vectors;
pub mod work;

pub use equation::Equation;
pub use evaluate::{Evaluator, Values};
pub use polynomial::Polynomial;
pub use rounding::{Extreme, Rounding};
pub use solver::{Answer, Model, Solver};
pub use term::{Binary, FloatBinary, Node, Symbol, Term, Terms, Test, WIDEST};
pub use vectors::OnTerms;
