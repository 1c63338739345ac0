//! Interning many byte strings together, so that the waits for memory overlap.
//!
//! In a large store, finding a byte string touches three places that are in no cache: the slot of
//! the index, the offset of the entry, the entry. One after the other they cost several hundred
//! nanoseconds; done for many byte strings step by step, a processor has many of them in progress
//! at once.
//!
//! Where much of a store lies on disk, each of these places may have to be read from there. Then a
//! batch should be large: what it needs is read in the order in which it lies in the file. The
//! argument is in `docs/internals/states-on-disk.md`.

use crate::arena::{encode_length, encoded_length};
use crate::disk::Wanted;
use crate::interner::{Id, Interned, Interner, hash_of, shard_of};
use crate::sealed::{Entry, Runs};
use std::hint::black_box;
use std::ptr;

/// Byte strings that go through each step together.
const GROUP: usize = 32;

/// Byte strings after which memory is given up, if it is short.
const PACE: usize = 1 << 7;

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

    fn bytes(&self, item: &Item) -> &[u8] {
        &self.bytes[item.start..item.end]
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
        let mut sealed = self.find_sealed(batch).into_iter();
        for (group, start) in batch.items.chunks(GROUP).zip((0_usize..).step_by(GROUP)) {
            if start.is_multiple_of(PACE) {
                self.pace();
            }
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
            for ((at, item), (id, stored)) in
                (start..).zip(group).zip(likely.into_iter().zip(stored))
            {
                let bytes = batch.bytes(item);
                each(match id {
                    _ if sealed
                        .as_slice()
                        .first()
                        .is_some_and(|&(next, _)| next == at) =>
                    {
                        let (_, id) = sealed.next().expect("it has a first");
                        Interned { id, new: false }
                    }
                    Some(id) if stored == Some(bytes) => Interned { id, new: false },
                    _ => self.intern_hashed(bytes, item.hash),
                });
            }
        }
        batch.bytes.clear();
        batch.items.clear();
    }

    /// Finds byte strings of a batch in the sealed part: their places in the batch, ascending, and
    /// their ids. It misses some, and all that is not there.
    fn find_sealed(&self, batch: &Batch) -> Vec<(usize, Id)> {
        let Some(disk) = self.disk().filter(|_| self.is_partly_sealed()) else {
            return Vec::new();
        };
        let shards = self.shards();
        let runs: Vec<Runs> = shards.iter().map(|shard| shard.sealed.snapshot()).collect();
        let mut entries = Vec::new();
        for (at, item) in batch.items.iter().enumerate() {
            if at.is_multiple_of(PACE) {
                self.pace();
            }
            let shard = &shards[shard_of(item.hash)];
            if shard.find_indexed(batch.bytes(item), item.hash).is_none() {
                let likely = runs[shard_of(item.hash)].likely(item.hash);
                entries.extend(likely.map(|entry| wanted(at, entry)));
            }
        }
        let mut contents = Vec::with_capacity(entries.len());
        disk.read(entries, |at: usize, bytes| {
            let item = &batch.items[at];
            let (shard, length) = (shard_of(item.hash), item.end - item.start);
            let place = Entry::read(bytes).and_then(|entry| entry.place_under(item.hash));
            contents.extend(place.map(|place| Wanted {
                address: shards[shard].arena.address(place.offset),
                length: encoded_length(length) + length,
                item: (at, Id::new(shard, place.number)),
            }));
        });
        let mut found = Vec::with_capacity(contents.len());
        let mut expected = Vec::new();
        disk.read(contents, |(at, id), bytes| {
            let content = batch.bytes(&batch.items[at]);
            expected.clear();
            encode_length(content.len(), |byte| expected.push(byte));
            expected.extend_from_slice(content);
            if bytes == expected {
                found.push((at, id));
            }
        });
        found.sort_unstable_by_key(|&(at, _)| at);
        found
    }
}

fn wanted(at: usize, entry: &Entry) -> Wanted<usize> {
    Wanted {
        address: ptr::from_ref(entry).addr(),
        length: size_of::<Entry>(),
        item: at,
    }
}
