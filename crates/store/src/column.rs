//! A concurrently growing array of zero-initialised cells, for facts kept beside dense ids.

use crate::disk::{Backing, Memory};
use std::sync::OnceLock;

pub use bytemuck::Zeroable;

/// Cells in the first segment, as a power of two; each later segment is as long as all before it.
const FIRST_BITS: u32 = 8;
const SEGMENTS: usize = (32 - FIRST_BITS + 1) as usize;

/// An array indexed by `u32` that is zero everywhere until written, of cells that never move.
///
/// Meant for atomics: cells are only handed out by shared reference. Memory that was never
/// touched is not resident, as segments come zeroed from the operating system.
pub struct Column<T> {
    segments: [OnceLock<Memory<T>>; SEGMENTS],
    backing: Backing,
}

impl<T: Zeroable> Default for Column<T> {
    fn default() -> Self {
        Self::on(&Backing::default())
    }
}

impl<T: Zeroable> Column<T> {
    /// Returns a column that is zero everywhere.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a column that is zero everywhere and takes its memory from `backing`.
    pub fn on(backing: &Backing) -> Self {
        Column {
            segments: [const { OnceLock::new() }; SEGMENTS],
            backing: backing.clone(),
        }
    }

    /// Returns the cell at `index`; allocates it, as zero, when no cell near it exists yet.
    #[inline]
    pub fn cell(&self, index: u32) -> &T {
        let (segment, offset) = locate(index);
        let cells =
            self.segments[segment].get_or_init(|| self.backing.zeroed(segment_length(segment)));
        &cells[offset]
    }

    /// Returns the cell at `index`, or `None` if no cell near it was ever allocated: then it is
    /// zero.
    #[inline]
    pub fn get(&self, index: u32) -> Option<&T> {
        let (segment, offset) = locate(index);
        self.segments[segment].get().map(|cells| &cells[offset])
    }
}

#[inline]
fn locate(index: u32) -> (usize, usize) {
    let shifted = u64::from(index) + (1 << FIRST_BITS);
    let top = shifted.ilog2();
    ((top - FIRST_BITS) as usize, (shifted - (1 << top)) as usize)
}

fn segment_length(segment: usize) -> usize {
    1 << (segment + FIRST_BITS as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[test]
    fn every_index_has_its_own_cell() {
        let column = Column::<AtomicU32>::new();
        assert!(column.get(5).is_none());
        for index in 0..5000 {
            column.cell(index).store(index + 1, Relaxed);
        }
        for index in 0..5000 {
            assert_eq!(column.get(index).unwrap().load(Relaxed), index + 1);
        }
        assert_eq!(column.cell(5000).load(Relaxed), 0);
    }

    #[test]
    fn the_last_index_lies_inside_the_last_segment() {
        let (segment, offset) = locate(u32::MAX);
        assert!(segment < SEGMENTS && offset < segment_length(segment));
    }
}
