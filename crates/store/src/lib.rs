//! Content-addressed storage: byte strings in, small dense numbers out.
//!
//! Knows nothing of programs. The machine keeps its components here (memory objects, frames,
//! threads), the explorer its states (a state is the byte string of its components' numbers).
//!
//! - [`Interner`] stores each distinct byte string once, compared exactly, and names it by an
//!   [`Id`].
//! - [`Batch`] interns many at once, faster.
//! - [`Column`] is a growing array of atomics, for facts kept beside the ids.
//! - A [`Disk`] is a folder in whose files all of that can lie.

mod archive;
mod arena;
mod batch;
mod column;
mod disk;
mod index;
mod interner;
mod sealed;

pub use batch::Batch;
pub use column::{Column, Zeroable};
pub use disk::{Backing, Disk, Memory};
pub use interner::{Id, Interned, Interner, hash_of};
