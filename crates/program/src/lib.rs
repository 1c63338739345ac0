//! LLVM bitcode to the executable form that the machine runs.
//!
//! The path of a module: [`translate`] turns LLVM's objects into a [`unit::Unit`]; [`library`]
//! keeps many units on disk; [`link`] joins units into a [`link::Program`], resolving symbols to
//! functions, memory objects and builtins; a function's body is decoded when it is first executed.
//! [`source`] and [`summary`] describe a program to people.
//!
//! This crate knows LLVM and nothing of states; the crates after it know no LLVM.

pub mod address;
pub mod allocated;
pub mod atomics;
pub mod debug;
pub mod exceptions;
pub mod harness;
pub mod ilp32;
pub mod instruction;
pub mod library;
pub mod link;
pub mod members;
pub mod orders;
pub mod separate;
pub mod source;
pub mod spin;
pub mod summary;
pub mod unit;
pub mod word;

mod constants;
mod destructors;
mod effects;
pub mod leaves;
mod linked;
mod liveness;
mod module;
mod number;
mod resolve;
pub mod subobject;
mod template_names;
pub mod translate;
