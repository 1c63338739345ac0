//! Content-addressed storage: byte strings in, small dense numbers out.
//!
//! Knows nothing of programs. The machine keeps its components here (memory objects, frames,
//! threads), the explorer its states (a state is the byte string of its components' numbers).
//!
//! - [`Interner`] stores each distinct byte string once, compared exactly, and names it by an
//!   [`Id`].
//! - [`Batch`] interns many at once, faster.
//! - [`Column`] is a growing array of atomics, for facts kept beside the ids.

mod archive;
mod arena;
mod batch;
mod column;
mod index;
mod interner;

pub use batch::Batch;
pub use column::{Column, Zeroable};
pub use interner::{Id, Interned, Interner, hash_of};
