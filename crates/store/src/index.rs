//! The index: an open-addressing hash table of entry numbers, read without locks.
//!
//! A slot holds an entry's number and a few bits of its hash, or zero when it is empty. Slots live
//! in pages; growing builds a new table and gives the old one's pages back to a pool that all
//! indexes of an interner share, so that the memory of tables past is used again at once.
//!
//! Readers may still be in a table whose pages have been given a new use. They then see slots that
//! are not theirs, or empty ones. Neither does harm: a slot is only a hint, which the caller checks
//! against the entry itself, and an entry that is not found is looked for again under the writer's
//! lock, where the table is certain.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Bits of the hash in a slot; the rest is the entry's number plus one.
const TAG_BITS: u32 = 6;
/// Bits of the hash that select the shard: its top bits.
pub(crate) const SHARD_BITS: u32 = 6;
const TAG_MASK: u32 = (1 << TAG_BITS) - 1;
/// One more than the greatest number that fits.
pub(crate) const CAPACITY: u32 = (1 << (32 - TAG_BITS)) - 1;

const PAGE_BITS: u32 = 10;
const PAGE: usize = 1 << PAGE_BITS;
type Page = [AtomicU32; PAGE];

/// Tables that an index can have had; each is larger by [`next_size`].
const GENERATIONS: usize = 48;

/// A table is enlarged when more than this share of its slots is taken, in percent.
const FULL: usize = 85;

/// The pages that are in no table at present, and how many there are in all.
#[derive(Default)]
pub(crate) struct Pool {
    free: Mutex<Vec<Arc<Page>>>,
    made: AtomicUsize,
}

impl Pool {
    /// A page of empty slots.
    fn take(&self) -> Arc<Page> {
        let recycled = self.free.lock().expect("a user of the pool panicked").pop();
        if let Some(page) = recycled {
            clear(&page);
            return page;
        }
        self.made.fetch_add(1, Ordering::Relaxed);
        Arc::new([const { AtomicU32::new(0) }; PAGE])
    }

    fn give(&self, pages: &[Arc<Page>]) {
        self.free
            .lock()
            .expect("a user of the pool panicked")
            .extend_from_slice(pages);
    }

    /// Memory of all pages, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.made.load(Ordering::Relaxed) * size_of::<Page>()) as u64
    }
}

/// A hash table from hashes to entry numbers.
pub(crate) struct Index {
    tables: [OnceLock<Table>; GENERATIONS],
    current: AtomicUsize,
}

impl Default for Index {
    fn default() -> Self {
        Index {
            tables: [const { OnceLock::new() }; GENERATIONS],
            current: AtomicUsize::new(0),
        }
    }
}

impl Index {
    /// The number under `hash` that `matches` accepts. Without the writer's lock, "none" may be
    /// wrong.
    #[inline]
    pub(crate) fn find(&self, hash: u64, matches: impl Fn(u32) -> bool) -> Option<u32> {
        let table = self.tables[self.current.load(Ordering::Acquire)].get()?;
        table.find(hash, matches)
    }

    /// Reads the slot where probing for `hash` starts, so that it is in the cache when it is
    /// needed.
    #[inline]
    pub(crate) fn touch(&self, hash: u64) -> u32 {
        let table = self.tables[self.current.load(Ordering::Acquire)].get();
        table.map_or(0, |table| {
            table.slot(table.home(hash)).load(Ordering::Relaxed)
        })
    }

    /// Adds a number that is not there. Only for the holder of the writer's lock.
    ///
    /// The numbers in `present` are there, of which `hash_of` returns the hashes; the new one comes
    /// after them.
    pub(crate) fn insert(
        &self,
        hash: u64,
        present: Range<u32>,
        pool: &Pool,
        hash_of: impl Fn(u32) -> u64,
    ) {
        let number = present.end;
        let generation = self.current.load(Ordering::Relaxed);
        let table = match self.tables[generation].get() {
            Some(table) if table.has_room(present.len()) => table,
            old => {
                let table = Table::new(old.map_or(1, |old| next_size(old.pages.len())), pool);
                present.for_each(|earlier| table.insert(hash_of(earlier), earlier));
                let generation = if old.is_some() {
                    generation + 1
                } else {
                    generation
                };
                let table = self.tables[generation].get_or_init(|| table);
                self.current.store(generation, Ordering::Release);
                if let Some(old) = old {
                    pool.give(&old.pages);
                }
                table
            }
        };
        table.insert(hash, number);
    }

    /// Removes all numbers. Only for the holder of the writer's lock.
    pub(crate) fn clear(&self) {
        if let Some(table) = self.tables[self.current.load(Ordering::Relaxed)].get() {
            table.pages.iter().for_each(|page| clear(page));
        }
    }
}

fn clear(page: &Page) {
    page.iter()
        .for_each(|slot| slot.store(0, Ordering::Relaxed));
}

fn next_size(pages: usize) -> usize {
    (pages * 7 / 5).max(pages + 1)
}

struct Table {
    pages: Box<[Arc<Page>]>,
}

impl Table {
    fn new(pages: usize, pool: &Pool) -> Self {
        Table {
            pages: (0..pages).map(|_| pool.take()).collect(),
        }
    }

    fn slots(&self) -> usize {
        self.pages.len() << PAGE_BITS
    }

    fn has_room(&self, entries: usize) -> bool {
        (entries + 1) * 100 <= self.slots() * FULL
    }

    #[inline]
    fn slot(&self, position: usize) -> &AtomicU32 {
        &self.pages[position >> PAGE_BITS][position & (PAGE - 1)]
    }

    /// Where probing for `hash` starts: hashes are spread evenly over any number of slots.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        // The top bits chose the shard and the lowest are the tag: these are those between.
        let middle = u64::from((hash >> 16) as u32);
        ((middle * self.slots() as u64) >> 32) as usize
    }

    #[inline]
    fn find(&self, hash: u64, matches: impl Fn(u32) -> bool) -> Option<u32> {
        let tag = hash as u32 & TAG_MASK;
        let mut position = self.home(hash);
        // Bounded, as pages that are in use elsewhere by now need not have an empty slot.
        for _ in 0..self.slots() {
            let slot = self.slot(position).load(Ordering::Relaxed);
            if slot == 0 {
                return None;
            }
            if slot & TAG_MASK == tag {
                let number = (slot >> TAG_BITS).wrapping_sub(1);
                if matches(number) {
                    return Some(number);
                }
            }
            position += 1;
            if position == self.slots() {
                position = 0;
            }
        }
        None
    }

    fn insert(&self, hash: u64, number: u32) {
        let slot = (number + 1) << TAG_BITS | (hash as u32 & TAG_MASK);
        let mut position = self.home(hash);
        while self.slot(position).load(Ordering::Relaxed) != 0 {
            position += 1;
            if position == self.slots() {
                position = 0;
            }
        }
        self.slot(position).store(slot, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cheap stand-in for a hash: odd multipliers mix well enough for spreading.
    fn mixed(number: u32) -> u64 {
        (u64::from(number) + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    }

    #[test]
    fn a_growing_index_loses_nothing() {
        let (index, pool) = (Index::default(), Pool::default());
        for number in 0..40_000 {
            assert_eq!(index.find(mixed(number), |found| found == number), None);
            index.insert(mixed(number), 0..number, &pool, mixed);
        }
        for number in 0..40_000 {
            assert_eq!(
                index.find(mixed(number), |found| found == number),
                Some(number)
            );
        }
    }

    #[test]
    fn generations_suffice_for_the_capacity() {
        let mut pages = 1;
        for _ in 1..GENERATIONS {
            pages = next_size(pages);
        }
        assert!(pages * PAGE * FULL / 100 >= CAPACITY as usize);
    }

    #[test]
    fn pages_are_used_again() {
        let (one, other, pool) = (Index::default(), Index::default(), Pool::default());
        for number in 0..20_000 {
            one.insert(mixed(number), 0..number, &pool, mixed);
            other.insert(mixed(number), 0..number, &pool, mixed);
        }
        let in_tables = one.pages_in_use() + other.pages_in_use();
        let made = pool.made.load(Ordering::Relaxed);
        assert!(
            made < 2 * in_tables,
            "{made} pages made for {in_tables} in use"
        );
    }

    impl Index {
        fn pages_in_use(&self) -> usize {
            self.tables[self.current.load(Ordering::Relaxed)]
                .get()
                .map_or(0, |table| table.pages.len())
        }
    }
}
