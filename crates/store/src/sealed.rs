//! The sealed part of an index: sorted arrays on disk, and a little in memory to find things there.
//!
//! A *run* is the entries of one shard that were sealed together, sorted by hash. In the file it
//! has for each its key (38 bits of the hash), its number and its offset. In memory it has eight
//! bits of each key, its *tag*, and where each *bucket* of about sixteen entries begins: the upper
//! bits of a key select the bucket, its lowest are the tag. A key that is not there has the tag of
//! an entry in its bucket once in sixteen times only, so looking for it hardly ever touches the
//! file; and one that is there mostly touches the file at one place.
//!
//! A new run absorbs the last ones while they are not more than twice as long. So there are few
//! runs, each more than twice as long as the next, and each entry is copied a few times only.

use crate::arena::Offset;
use crate::disk::{Backing, Memory};
use crate::index::SHARD_BITS;
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, RwLock, RwLockReadGuard};

/// Bits of the hash in a key. The six bits above them select the shard.
const KEY_BITS: u32 = 38;
const NUMBER_BITS: u32 = u64::BITS - KEY_BITS;
const NUMBER_MASK: u32 = (1 << NUMBER_BITS) - 1;
const BUCKET: usize = 16;

#[inline]
fn key_of(hash: u64) -> u64 {
    hash << SHARD_BITS >> NUMBER_BITS
}

/// What the file has of an entry: key and number, the upper half first, and the offset.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Entry([u32; 3]);

// SAFETY: these are numbers.
unsafe impl Zeroable for Entry {}

impl Entry {
    fn new(hash: u64, number: u32, offset: Offset) -> Self {
        let order = key_of(hash) << NUMBER_BITS | u64::from(number);
        Entry([(order >> 32) as u32, order as u32, offset.0])
    }

    /// What entries are sorted by.
    #[inline]
    fn order(self) -> u64 {
        u64::from(self.0[0]) << 32 | u64::from(self.0[1])
    }

    #[inline]
    fn key(self) -> u64 {
        self.order() >> NUMBER_BITS
    }

    /// The entry with these bytes.
    #[inline]
    pub(crate) fn read(bytes: &[u8]) -> Option<Entry> {
        let (words, _) = bytes.as_chunks();
        let words: &[[u8; 4]; 3] = words.first_chunk()?;
        Some(Entry(words.map(u32::from_ne_bytes)))
    }

    /// What the entry stands for, if it is that of a hash.
    #[inline]
    pub(crate) fn place_under(self, hash: u64) -> Option<Place> {
        (self.key() == key_of(hash)).then(|| self.place())
    }

    #[inline]
    fn place(self) -> Place {
        Place {
            number: self.0[1] & NUMBER_MASK,
            offset: Offset(self.0[2]),
        }
    }
}

/// Which entry of the arena is meant, and where it is there.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) number: u32,
    pub(crate) offset: Offset,
}

#[inline]
fn tag_of(key: u64) -> u8 {
    key as u8
}

/// Entries that are found through files. The longest run comes first.
#[derive(Default)]
pub(crate) struct Sealed {
    /// How many entries there are: all those with lower numbers.
    length: AtomicU32,
    bytes: AtomicU64,
    runs: RwLock<Vec<Arc<Run>>>,
}

impl Sealed {
    /// How many entries there are: all those with lower numbers.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.length.load(Ordering::Acquire)
    }

    /// Memory in use, in bytes, files included.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The number of the entry under `hash` that `matches` accepts.
    #[inline]
    pub(crate) fn find(&self, hash: u64, matches: impl Fn(Place) -> bool) -> Option<u32> {
        if self.len() == 0 {
            return None;
        }
        self.runs().iter().find_map(|run| run.find(hash, &matches))
    }

    /// The present runs, which stay as they are.
    pub(crate) fn snapshot(&self) -> Runs {
        Runs(self.runs().clone())
    }

    /// Adds the entries from the present length on, given by hash and offset. Only for the holder
    /// of the writer's lock.
    pub(crate) fn seal(&self, entries: impl Iterator<Item = (u64, Offset)>, backing: &Backing) {
        let numbered = (self.len()..).zip(entries);
        let new = numbered.map(|(number, (hash, offset))| Entry::new(hash, number, offset));
        let mut new: Vec<Entry> = new.collect();
        new.sort_unstable_by_key(|entry| entry.order());
        let length = self.len() + new.len() as u32;
        let kept = self.kept_beside(new.len());
        let run = {
            let runs = self.runs();
            runs[kept..].iter().for_each(|run| run.entries.fetch());
            let parts = runs[kept..].iter().map(|run| &*run.entries);
            let mut parts: Vec<&[Entry]> = parts.chain([&*new]).collect();
            Run::merged(&mut parts, backing)
        };
        let mut runs = self
            .runs
            .write()
            .expect("no thread panics while it holds the lock");
        runs.truncate(kept);
        runs.push(Arc::new(run));
        let bytes = runs.iter().map(|run| run.bytes()).sum();
        self.bytes.store(bytes, Ordering::Relaxed);
        self.length.store(length, Ordering::Release);
    }

    /// How many runs stay when one of this length is added.
    fn kept_beside(&self, mut length: usize) -> usize {
        let runs = self.runs();
        let absorbs = |run: &&Arc<Run>| {
            let absorbs = run.entries.len() <= 2 * length;
            length += run.entries.len();
            absorbs
        };
        runs.len() - runs.iter().rev().take_while(absorbs).count()
    }

    fn runs(&self) -> RwLockReadGuard<'_, Vec<Arc<Run>>> {
        self.runs
            .read()
            .expect("no thread panics while it holds the lock")
    }
}

/// The runs that a shard had at some time.
pub(crate) struct Runs(Vec<Arc<Run>>);

impl Runs {
    /// The entries that a hash may mean, judging by what is in memory.
    #[inline]
    pub(crate) fn likely(&self, hash: u64) -> impl Iterator<Item = &Entry> {
        let key = key_of(hash);
        let runs = self.0.iter().map(|run| &**run);
        runs.flat_map(move |run: &Run| run.places(key).map(move |place| &run.entries[place]))
    }
}

struct Run {
    /// Sorted; in a file.
    entries: Memory<Entry>,
    /// The tag of each.
    tags: Box<[u8]>,
    /// The first entry of each bucket, and how many there are in all.
    starts: Box<[u32]>,
}

impl Run {
    /// The entries of some runs.
    fn merged(parts: &mut [&[Entry]], backing: &Backing) -> Run {
        let length = parts.iter().map(|part| part.len()).sum();
        let buckets = usize::div_ceil(length, BUCKET);
        let mut entries = backing.zeroed::<Entry>(length);
        let mut tags = vec![0; length];
        let mut starts = Vec::with_capacity(buckets + 1);
        for (at, (entry, tag)) in entries.iter_mut().zip(&mut tags).enumerate() {
            let rest = parts.iter_mut().filter(|part| !part.is_empty());
            let part = rest
                .min_by_key(|part| part[0].order())
                .expect("they have so many");
            *entry = part[0];
            *part = &part[1..];
            let key = entry.key();
            *tag = tag_of(key);
            let begun = bucket_of(key, buckets) + 1;
            starts.resize(begun.max(starts.len()), at as u32);
        }
        starts.resize(buckets + 1, length as u32);
        // From now on single entries are looked for.
        entries.advise_random();
        Run {
            entries,
            tags: tags.into(),
            starts: starts.into(),
        }
    }

    /// Bytes of memory and of its file.
    fn bytes(&self) -> u64 {
        let memory = size_of_val(&*self.tags) + size_of_val(&*self.starts);
        (memory + size_of_val(&*self.entries)) as u64
    }

    #[inline]
    fn find(&self, hash: u64, matches: impl Fn(Place) -> bool) -> Option<u32> {
        let key = key_of(hash);
        let mut entries = self.places(key).map(|place| self.entries[place]);
        let found = entries.find(|entry| entry.key() == key && matches(entry.place()))?;
        Some(found.place().number)
    }

    /// Where a key can be.
    #[inline]
    fn places(&self, key: u64) -> impl Iterator<Item = usize> {
        let bucket = bucket_of(key, self.starts.len() - 1);
        let (start, end) = (
            self.starts[bucket] as usize,
            self.starts[bucket + 1] as usize,
        );
        let tag = tag_of(key);
        let tags = self.tags[start..end].iter();
        (start..)
            .zip(tags)
            .filter_map(move |(place, &it)| (it == tag).then_some(place))
    }
}

/// Buckets are evenly spread over all keys.
#[inline]
fn bucket_of(key: u64, buckets: usize) -> usize {
    ((key * buckets as u64) >> KEY_BITS) as usize
}
