//! Footprints and their numbers.

use super::{FOOTPRINT, View, make_room};
use crate::machine::footprint::{Accessed, Footprint};
use std::sync::Arc;

/// The number of a footprint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct FootprintId(pub(super) u32);

/// A footprint and its number.
#[derive(Clone, Default)]
pub struct NumberedFootprint {
    /// The number.
    pub number: FootprintId,
    /// The footprint.
    pub footprint: Arc<Footprint>,
    /// The objects that it accesses.
    pub accessed: Arc<Accessed>,
}

impl View<'_> {
    /// Returns the number of a footprint.
    pub fn number(&mut self, footprint: &Footprint) -> FootprintId {
        if let Some(&number) = self.numbers.get(footprint) {
            return number;
        }
        let learned = &mut *self.futures.learned();
        let next = FootprintId(learned.footprints.len() as u32);
        let number = match learned.numbers.get(footprint) {
            Some(&number) => number,
            None => {
                learned.bytes += FOOTPRINT;
                learned.footprints.push(footprint.clone());
                learned.numbers.insert(footprint.clone(), next);
                next
            }
        };
        make_room(&mut self.numbers);
        self.numbers.insert(footprint.clone(), number);
        number
    }

    /// Returns a footprint with its number.
    pub fn numbered(&mut self, footprint: Footprint, accessed: Accessed) -> NumberedFootprint {
        NumberedFootprint {
            number: self.number(&footprint),
            footprint: Arc::new(footprint),
            accessed: Arc::new(accessed),
        }
    }
}
