//! The interner: a concurrent set of byte strings, each stored once and named by a number.
//!
//! The hash of a byte string picks one of 64 shards; each has an arena for the content and an index
//! to find it by. An id is the number in the shard times 64 plus the shard, so that ids are dense
//! as far as the hash spreads evenly. Looking up takes no lock; storing takes the shard's.
//!
//! With a [`Disk`](crate::Disk), arenas lie in its file. When the index of a shard has a number of
//! entries, the older half of them goes to a sealed part, which takes little more than a byte of
//! memory for each (`sealed`).

use crate::arena::{Arena, Chunks};
use crate::disk::{Backing, Disk};
use crate::index::{self, Index, Pool, SHARD_BITS};
use crate::sealed::{Place, Sealed};
use bytemuck::Zeroable;
use std::sync::Arc;

pub(crate) const SHARDS: usize = 1 << SHARD_BITS;
/// Entries of a shard after which memory is given up, if it is short.
const PACE: u32 = 1 << 6;

/// The number of a stored byte string, meaningful to the interner that gave it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(pub u32);

// SAFETY: it is a number.
unsafe impl Zeroable for Id {}

impl Id {
    #[inline]
    pub(crate) fn new(shard: usize, number: u32) -> Self {
        Id(number << SHARD_BITS | shard as u32)
    }

    #[inline]
    fn shard(self) -> usize {
        self.0 as usize & (SHARDS - 1)
    }

    #[inline]
    fn number(self) -> u32 {
        self.0 >> SHARD_BITS
    }
}

/// What [`Interner::intern`] answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interned {
    /// The number of the byte string.
    pub id: Id,
    /// Whether it was stored by this very call; of concurrent calls, for one only.
    pub new: bool,
}

/// Returns the hash of a byte string: the same in every run, on every machine.
#[inline]
pub fn hash_of(bytes: &[u8]) -> u64 {
    rapidhash::v3::rapidhash_v3(bytes)
}

#[inline]
pub(crate) fn shard_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SHARD_BITS)) as usize
}

/// A set of byte strings, each stored once, never moved, and named by an [`Id`].
///
/// Takes about eleven bytes for each beyond its content, of any number of them up to 2³²; equality
/// is that of the bytes, never only of hashes.
pub struct Interner {
    shards: Box<[Shard; SHARDS]>,
    pool: Pool,
    backing: Backing,
    /// How many entries each shard's index has, at most.
    recent: u32,
}

/// Aligned so that what one core writes in its shard does not slow down another in the next.
#[repr(align(128))]
pub(crate) struct Shard {
    pub(crate) index: Index,
    pub(crate) sealed: Sealed,
    pub(crate) arena: Arena,
}

impl Default for Interner {
    fn default() -> Self {
        Self::on(&Backing::default())
    }
}

impl Interner {
    /// Returns an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an empty set that takes its memory from `backing`.
    pub fn on(backing: &Backing) -> Self {
        let recent = backing
            .disk()
            .map_or(u64::MAX, |disk| disk.recent() / SHARDS as u64);
        let chunks = Arc::new(Chunks::new(backing.clone()));
        let shard = |_| Shard {
            index: Index::default(),
            sealed: Sealed::default(),
            arena: Arena::new(Arc::clone(&chunks)),
        };
        let shards: Vec<Shard> = (0..SHARDS).map(shard).collect();
        let shards = shards
            .try_into()
            .unwrap_or_else(|_| unreachable!("as many were made"));
        Interner {
            shards,
            pool: Pool::default(),
            backing: backing.clone(),
            recent: recent.clamp(1, u32::MAX.into()) as u32,
        }
    }

    /// Finds or stores `bytes`. Panics if the interner is full, at about 2³² byte strings.
    #[inline]
    pub fn intern(&self, bytes: &[u8]) -> Interned {
        self.intern_hashed(bytes, hash_of(bytes))
    }

    /// Finds or stores `bytes`, as [`intern`](Self::intern) does. `hash` must be `hash_of(bytes)`:
    /// with another hash, equal byte strings would get different ids.
    #[inline]
    pub fn intern_hashed(&self, bytes: &[u8], hash: u64) -> Interned {
        debug_assert_eq!(hash, hash_of(bytes));
        let shard = shard_of(hash);
        match self.shards[shard].find(bytes, hash) {
            Some(number) => Interned {
                id: Id::new(shard, number),
                new: false,
            },
            None => self.insert(shard, bytes, hash),
        }
    }

    /// Returns the id of `bytes`, or `None` if they are not stored.
    pub fn find(&self, bytes: &[u8]) -> Option<Id> {
        let hash = hash_of(bytes);
        let shard = shard_of(hash);
        let found = self.shards[shard].find(bytes, hash).or_else(|| {
            let _certain = self.shards[shard].arena.writer();
            self.shards[shard].find(bytes, hash)
        })?;
        Some(Id::new(shard, found))
    }

    /// Returns the byte string named `id`. Panics if this interner has given no such id.
    #[inline]
    pub fn get(&self, id: Id) -> &[u8] {
        match self.try_get(id) {
            Some(bytes) => bytes,
            None => panic!("{id:?} names nothing in this interner; is it of another?"),
        }
    }

    #[inline]
    pub(crate) fn try_get(&self, id: Id) -> Option<&[u8]> {
        self.shards[id.shard()].arena.get(id.number())
    }

    /// Brings the slot of the index where a search for this hash starts into the cache.
    #[inline]
    pub(crate) fn touch(&self, hash: u64) -> u32 {
        self.shards[shard_of(hash)].index.touch(hash)
    }

    /// The id that a byte string with this hash probably has, judging by the few bits in the index.
    #[inline]
    pub(crate) fn likely(&self, hash: u64) -> Option<Id> {
        let shard = shard_of(hash);
        self.shards[shard]
            .index
            .find(hash, |_| true)
            .map(|number| Id::new(shard, number))
    }

    /// Returns the hash of the byte string named `id`, which depends on the content only, whatever
    /// else is stored. Panics if this interner has given no such id.
    pub fn content_hash(&self, id: Id) -> u64 {
        hash_of(self.get(id))
    }

    /// Returns the number of byte strings stored.
    pub fn len(&self) -> usize {
        self.shards
            .iter()
            .map(|shard| shard.arena.len() as usize)
            .sum()
    }

    /// Returns whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the ids given so far, shard by shard.
    pub fn ids(&self) -> impl Iterator<Item = Id> + Clone {
        (0..SHARDS)
            .flat_map(|shard| (0..self.shards[shard].arena.len()).map(move |n| Id::new(shard, n)))
    }

    /// Returns a number that is greater than all ids given so far, and not much greater than how
    /// many they are.
    pub fn end(&self) -> usize {
        let ends = self.shards.iter().enumerate().filter_map(|(n, shard)| {
            let last = shard.arena.len().checked_sub(1)?;
            Some(Id::new(n, last).0 as usize + 1)
        });
        ends.max().unwrap_or(0)
    }

    /// Returns the memory in use, in bytes, files included.
    pub fn bytes(&self) -> u64 {
        let of = |shard: &Shard| shard.arena.bytes() + shard.sealed.bytes();
        let content: u64 = self.shards.iter().map(of).sum();
        content + self.pool.bytes() + size_of_val(&*self.shards) as u64
    }

    /// Returns whether some byte strings can only be found by reading files. Then large batches are
    /// faster.
    pub fn is_partly_sealed(&self) -> bool {
        self.backing.disk().is_some() && self.shards.iter().any(|shard| shard.sealed.len() != 0)
    }

    /// Gives up memory if it is short.
    pub(crate) fn pace(&self) {
        self.backing.pace();
    }

    pub(crate) fn disk(&self) -> Option<&Disk> {
        self.backing.disk()
    }

    pub(crate) fn shards(&self) -> &[Shard] {
        &*self.shards
    }

    /// The byte strings of one shard stored so far, in the order of their numbers.
    pub(crate) fn shard(&self, shard: usize) -> impl ExactSizeIterator<Item = &[u8]> {
        let arena = &self.shards[shard].arena;
        (0..arena.len()).map(|number| {
            arena
                .get(number)
                .expect("entries below the count are there")
        })
    }

    #[cold]
    #[inline(never)]
    fn insert(&self, shard: usize, bytes: &[u8], hash: u64) -> Interned {
        let shard_number = shard;
        let shard = &self.shards[shard_number];
        let mut writer = shard.arena.writer();
        // Another thread may have stored it meanwhile, or the first look may have missed it.
        if let Some(number) = shard.find(bytes, hash) {
            return Interned {
                id: Id::new(shard_number, number),
                new: false,
            };
        }
        assert!(
            shard.arena.len() < index::CAPACITY,
            "the store is full: it holds all it can number"
        );
        let number = writer.push(bytes);
        if number.is_multiple_of(PACE) {
            self.pace();
        }
        let indexed = shard.sealed.len()..number;
        let hash_of = |number| shard.hash_of(number);
        shard
            .index
            .insert(hash, indexed.clone(), &self.pool, hash_of);
        let recent = self.recent;
        if number - indexed.start >= recent {
            let entry = |number| Some((hash_of(number), shard.arena.offset(number)?));
            // The latest entries are found most often.
            let end = number + 1 - recent / 2;
            let entries = (indexed.start..end).map_while(entry);
            shard.sealed.seal(entries, &self.backing);
            shard.index.clear();
            for latest in end..=number {
                shard
                    .index
                    .insert(hash_of(latest), end..latest, &self.pool, hash_of);
            }
        }
        Interned {
            id: Id::new(shard_number, number),
            new: true,
        }
    }
}

impl Shard {
    #[inline]
    fn find(&self, bytes: &[u8], hash: u64) -> Option<u32> {
        // SAFETY: this arena gave the offset before the entry was sealed.
        let is_at = |place: Place| unsafe { self.arena.at(place.offset) == bytes };
        let found = self.find_indexed(bytes, hash);
        found.or_else(|| self.sealed.find(hash, is_at))
    }

    /// Finds only what is not sealed.
    #[inline]
    pub(crate) fn find_indexed(&self, bytes: &[u8], hash: u64) -> Option<u32> {
        let matches = |number| self.arena.get(number) == Some(bytes);
        self.index.find(hash, matches)
    }

    /// The hash of an entry.
    fn hash_of(&self, number: u32) -> u64 {
        let entry = self.arena.get(number);
        hash_of(entry.expect("entries below the count are there"))
    }
}
