//! What each instruction computes, defined once and generic over the domain of values.
//!
//! Two layers. [`vectors`] is the algebra: what a domain must be able to do with bit vectors. On
//! it, [`arithmetic`], [`intrinsic`] and [`update`] define the operations of LLVM and the
//! conditions under which they are undefined. The instruction set decides *which* condition is a
//! [`arithmetic::Hazard`]; the domain decides *what* to do with one. `docs/internals/evaluator.md`
//! argues for this division.
//!
//! Knows the executable form and nothing of memory, threads or solvers.

pub mod arithmetic;
pub mod domain;
pub mod evaluate;
pub mod intrinsic;
pub mod numbers;
pub mod update;
pub mod vectors;
