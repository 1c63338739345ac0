//! The abstract machine: runs a linked program, one step of one thread at a time.
//!
//! [`System`](system::System) is a program as a transition system for `impasse-search`. A step
//! decodes a state ([`state`]), executes instructions of one thread ([`exec`], [`sync`],
//! [`builtin`]) and encodes the result. Each folder uses the folders before it in this order:
//! [`base`], `value`, [`state`], `machine`, [`memory_model`], `reduction`, [`exec`], [`sync`],
//! [`builtin`], [`system`]. This crate knows no search and no LLVM.

pub mod base;
pub mod builtin;
pub mod exec;
pub mod machine;
pub mod memory_model;
mod reduction;
pub mod state;
pub mod sync;
pub mod system;
mod value;
