//! Reference counts of the C++ library, in a search for adjacent races.
//!
//! Whoever copies a `std::shared_ptr` or a future adds a reference by a relaxed read-modify-write,
//! whose result it does not use. Which references were added before decides nothing, so that such a
//! read is no weak one; and whoever reads what it has stored comes after what the store before it
//! hands over. The argument is in `docs/internals/c11.md`, section "Reference counts".

use crate::machine::Machine;
use crate::machine::operation::Counting;
use crate::state::happens_before::{Order, Place};
use std::sync::atomic::Ordering::Relaxed;

/// The size of a count, in bytes.
const COUNT: u32 = 8;

impl Machine<'_> {
    /// Returns whether the running function adds a reference, and races are those of adjacent
    /// accesses.
    pub(super) fn counts_reference(&self, order: Order) -> bool {
        let adds = self.counting() == Some(Counting::Adds);
        adds && !order.acquires && !self.history.has_accesses()
    }

    /// Notes a load that may show how many references there are.
    pub(super) fn note_count_read(&self, place: &Place, order: Order) {
        let may_be_count = place.bytes == COUNT && !order.acquires;
        if may_be_count && !self.history.has_accesses() {
            self.system.count_read.store(true, Relaxed);
        }
    }
}
