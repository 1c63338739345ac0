//! Interning many byte strings together, so that the waits for memory overlap.
//!
//! In a large store, finding a byte string touches three places that are in no cache: the slot of
//! the index, the offset of the entry, the entry. One after the other they cost several hundred
//! nanoseconds; done for many byte strings step by step, a processor has many of them in progress
//! at once.

use std::hint::black_box;

use crate::interner::{Id, Interned, Interner, hash_of};

/// Byte strings that go through each step together.
const GROUP: usize = 32;

/// Byte strings waiting to be interned, in order.
#[derive(Default)]
pub struct Batch {
    bytes: Vec<u8>,
    items: Vec<Item>,
}

#[derive(Clone, Copy)]
struct Item {
    start: usize,
    end: usize,
    hash: u64,
}

impl Batch {
    /// Returns an empty batch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a byte string. An interner stores it only when the batch is interned.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.items.push(Item {
            start,
            end: self.bytes.len(),
            hash: hash_of(bytes),
        });
    }

    /// Returns the number of byte strings that wait to be interned.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether no byte string waits.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl Interner {
    /// Interns all of `batch` in order, passes `each` the results in that order, and leaves the
    /// batch empty. Panics if the interner is full.
    pub fn intern_batch(&self, batch: &mut Batch, mut each: impl FnMut(Interned)) {
        for group in batch.items.chunks(GROUP) {
            // Nothing depends on what is read here, so that no wrong guess of a branch cuts the
            // overlap short.
            black_box(
                group
                    .iter()
                    .fold(0, |sum, item| sum ^ self.touch(item.hash)),
            );
            let mut likely: [Option<Id>; GROUP] = [None; GROUP];
            for (id, item) in likely.iter_mut().zip(group) {
                *id = self.likely(item.hash);
            }
            let mut stored: [Option<&[u8]>; GROUP] = [None; GROUP];
            for (bytes, id) in stored.iter_mut().zip(likely) {
                *bytes = id.and_then(|id| self.try_get(id));
            }
            for (item, (id, stored)) in group.iter().zip(likely.into_iter().zip(stored)) {
                let bytes = &batch.bytes[item.start..item.end];
                each(match id {
                    Some(id) if stored == Some(bytes) => Interned { id, new: false },
                    _ => self.intern_hashed(bytes, item.hash),
                });
            }
        }
        batch.bytes.clear();
        batch.items.clear();
    }
}
