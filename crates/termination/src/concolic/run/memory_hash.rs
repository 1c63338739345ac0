//! The hash of memory, kept up to date step by step, so that repeated states are seen at once.

use super::Recorder;
use impasse_program::address::{Address, ObjectId};
use impasse_program::word::Word;

impl Recorder<'_, '_> {
    /// The hash of a part of memory.
    pub(super) fn hash_of(&self, address: Word, bytes: u64) -> u64 {
        let address = Address::from_bits(address.bits);
        let Some(object) = self.machine.object(address.object) else {
            return 0;
        };
        let from = usize::try_from(address.offset).unwrap_or(usize::MAX);
        let content = object.bytes();
        let Some(to) = from
            .checked_add(bytes as usize)
            .filter(|to| *to <= content.len())
        else {
            return 0;
        };
        let parts = content[from..to].iter().enumerate();
        parts
            .filter(|(_, byte)| **byte != 0)
            .map(|(at, &byte)| {
                let place = u64::from(address.object.0) << 32 | (from + at) as u64;
                scramble(place, u64::from(byte))
            })
            .fold(0, |all, one| all ^ one)
    }

    pub(super) fn hash_of_object(&self, object: ObjectId) -> u64 {
        let size = self.machine.object(object).map_or(0, |o| o.bytes().len());
        self.hash_of(Word::pointer(Address::of(object).bits()), size as u64)
    }
}

/// What an object on the heap adds to the hash of memory while it lives.
pub(super) fn hash_of_life(object: ObjectId) -> u64 {
    match object {
        ObjectId::NULL => 0,
        object => scramble(u64::from(object.0) << 32, u64::MAX),
    }
}

/// A hash of two numbers.
pub(super) fn scramble(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 32)
}
