//! The entries of a memory as one number: a tree of runs.
//!
//! Entries are stored in runs of sixteen, the numbers of the runs in runs, and so on up to one
//! number, the *top*. A list that differs from another in one entry has only the runs above that
//! entry of its own. Equal lists have equal tops, since stored forms are stored once.

use crate::base::codec::{Reader, put, put_replaced};
use crate::state::memory::Entry;
use crate::state::memory::id_ranges::RUN;
use crate::state::memory::object::{ObjectView, dynamic};
use impasse_store::{Id, Interner};
use smallvec::SmallVec;

/// The number of no stored form.
const UNKNOWN: u64 = u64::MAX;

/// Entries that differ from those of a sequence, in ascending order.
pub type Changes = SmallVec<[(u32, Entry); 4]>;

/// The list of entries that was read last, with the numbers of its runs: neighbouring states share
/// most of them.
#[derive(Clone, Default)]
pub struct EntryTree {
    /// The entries.
    pub entries: Vec<Entry>,
    /// One bit for each: whether it names an object made while running.
    pub naming: Vec<u64>,
    /// The numbers of runs of entries, of runs of these, and so on; the last level is the top
    /// alone.
    levels: Vec<Vec<u64>>,
    /// Nodes written before for a change of one child: the same change is made again and again,
    /// from different states.
    written: Vec<Written>,
}

/// The node that another one becomes with one child changed.
#[derive(Clone, Copy)]
struct Written {
    before: u64,
    child: usize,
    number: u64,
    after: u64,
}

/// How many of those are kept.
const WRITTEN: usize = 1 << 12;

impl Written {
    const NONE: Written = Written {
        before: UNKNOWN,
        child: 0,
        number: 0,
        after: 0,
    };

    #[inline]
    fn place(before: u64, child: usize, number: u64) -> usize {
        let mixed = (before << 4 | child as u64) ^ number.rotate_left(32);
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % WRITTEN
    }
}

impl EntryTree {
    /// Reads the sequence of `count` entries whose stored form has the number `top`. Returns
    /// whether it may differ from the one before.
    pub fn read(&mut self, store: &Interner, count: usize, top: u64) -> bool {
        if self.entries.len() == count && !self.levels.is_empty() && self.top() == top {
            return false;
        }
        self.entries.resize(count, Entry::Hole);
        self.naming.resize(count.div_ceil(64), 0);
        let mut sizes: SmallVec<[usize; 8]> = SmallVec::new();
        let mut size = count;
        while size > 1 || (size == 1 && sizes.is_empty()) {
            size = size.div_ceil(RUN);
            sizes.push(size);
        }
        self.levels.resize(sizes.len(), Vec::new());
        for (level, size) in self.levels.iter_mut().zip(sizes) {
            level.resize(size, UNKNOWN);
        }
        if let Some(level) = self.levels.len().checked_sub(1) {
            self.read_node(store, level, 0, top);
        }
        true
    }

    /// Reads a node of a level and what is below it, unless it is known.
    fn read_node(&mut self, store: &Interner, level: usize, index: usize, id: u64) {
        if std::mem::replace(&mut self.levels[level][index], id) == id {
            return;
        }
        let mut reader = Reader::new(store.get(Id(id as u32)));
        let below = match level {
            0 => self.entries.len(),
            _ => self.levels[level - 1].len(),
        };
        for child in index * RUN..below.min(index * RUN + RUN) {
            let number = reader.number();
            match level {
                0 => self.read_entry(store, child, entry_of(number)),
                _ => self.read_node(store, level - 1, child, number),
            }
        }
    }

    fn read_entry(&mut self, store: &Interner, n: usize, entry: Entry) {
        if self.entries[n] != entry {
            self.entries[n] = entry;
            let bit = (names_objects(store, entry) as u64) << (n % 64);
            self.naming[n / 64] = self.naming[n / 64] & !(1 << (n % 64)) | bit;
        }
    }

    /// Returns the entry with this number, a hole beyond the end.
    pub fn entry(&self, n: u32) -> Entry {
        self.entries.get(n as usize).copied().unwrap_or(Entry::Hole)
    }

    /// Returns the number of the stored form.
    pub fn top(&self) -> u64 {
        self.levels.last().map_or(0, |level| level[0])
    }

    /// Stores the sequence of `count` entries that differs from this one in `changes`, in ascending
    /// order. Returns the number of its stored form.
    pub fn write(
        &mut self,
        store: &Interner,
        changes: &[(u32, Entry)],
        count: usize,
        buffer: &mut Vec<u8>,
    ) -> u64 {
        if count == 0 {
            return 0;
        }
        if let &[(n, entry)] = changes
            && count == self.entries.len()
        {
            return self.write_one(store, n as usize, number_of(entry), buffer);
        }
        let numbers = changes.iter().map(|&(n, e)| (n as usize, number_of(e)));
        let mut changed: Numbers = numbers.collect();
        let (mut old, mut new) = (self.entries.len(), count);
        for level in 0.. {
            changed = self.write_level(store, level, &changed, (old, new), buffer);
            (old, new) = (old.div_ceil(RUN), new.div_ceil(RUN));
            if new == 1 {
                let top = changed.first().map(|&(_, top)| top);
                return top.unwrap_or_else(|| self.levels[level][0]);
            }
        }
        unreachable!("every level has fewer nodes than the one below it")
    }

    /// The same for one change, with as many entries as before.
    fn write_one(
        &mut self,
        store: &Interner,
        mut n: usize,
        mut number: u64,
        buffer: &mut Vec<u8>,
    ) -> u64 {
        self.written.resize(WRITTEN, Written::NONE);
        for level in 0..self.levels.len() {
            let before = self.levels[level][n / RUN];
            let child = n % RUN;
            let place = Written::place(before, child, number);
            let known = self.written[place];
            if (known.before, known.child, known.number) == (before, child, number) {
                number = known.after;
            } else {
                buffer.clear();
                put_replaced(buffer, store.get(Id(before as u32)), child, number);
                let after = store.intern(buffer).id.0 as u64;
                self.written[place] = Written {
                    before,
                    child,
                    number,
                    after,
                };
                number = after;
            }
            n /= RUN;
        }
        number
    }

    /// Stores those nodes of a level that differ: some of their children changed, or there are more
    /// or fewer of these.
    fn write_level(
        &self,
        store: &Interner,
        level: usize,
        changed: &[(usize, u64)],
        (old, new): (usize, usize),
        buffer: &mut Vec<u8>,
    ) -> Numbers {
        let known = |n: usize| match level {
            0 => self.entries.get(n).map_or(0, |&entry| number_of(entry)),
            _ => self.levels[level - 1][n],
        };
        let resized = match old == new {
            true => usize::MAX,
            false => old.min(new) / RUN,
        };
        let mut written = Numbers::new();
        let mut changed = changed.iter().copied().peekable();
        let mut index = changed
            .peek()
            .map_or(resized, |&(n, _)| resized.min(n / RUN));
        while index < new.div_ceil(RUN) {
            buffer.clear();
            for n in index * RUN..new.min(index * RUN + RUN) {
                let number = match changed.next_if(|&(m, _)| m == n) {
                    Some((_, number)) => number,
                    None => known(n),
                };
                put(buffer, number);
            }
            written.push((index, store.intern(buffer).id.0 as u64));
            let next = changed.peek().map_or(usize::MAX, |&(n, _)| n / RUN);
            index = next.min(resized.max(index + 1));
        }
        written
    }
}

/// Numbers of children or nodes that changed, by index.
type Numbers = SmallVec<[(usize, u64); 4]>;

fn names_objects(store: &Interner, entry: Entry) -> bool {
    match entry {
        Entry::Stored(id) => dynamic(ObjectView::new(store.get(id)).pointers())
            .next()
            .is_some(),
        _ => false,
    }
}

fn entry_of(number: u64) -> Entry {
    match number {
        0 => Entry::Hole,
        n => Entry::Stored(Id(n as u32 - 1)),
    }
}

/// Returns the number that stands for an entry in a run. Panics if it is a copy.
pub fn number_of(entry: Entry) -> u64 {
    match entry {
        Entry::Hole => 0,
        Entry::Stored(id) => id.0 as u64 + 1,
        Entry::Copied(_) => unreachable!("copies are stored before states are"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::memory::object::{Class, Object};

    const COUNTS: [usize; 12] = [0, 1, 15, 16, 17, 31, 255, 256, 257, 300, 4096, 5000];

    fn stored(store: &Interner, n: usize) -> Entry {
        let mut bytes = Vec::new();
        let content = (n as u64).to_le_bytes();
        Object::with_content(Class::Global, &content, &[], 3).encode(&mut bytes);
        Entry::Stored(store.intern(&bytes).id)
    }

    fn entries(store: &Interner, count: usize) -> Vec<Entry> {
        let entry = |n: usize| match n % 7 {
            0 => Entry::Hole,
            _ => stored(store, n),
        };
        (0..count).map(entry).collect()
    }

    /// Every entry is a change of the empty sequence.
    fn whole(store: &Interner, entries: &[Entry]) -> u64 {
        let all: Vec<(u32, Entry)> = (0..).zip(entries.iter().copied()).collect();
        EntryTree::default().write(store, &all, entries.len(), &mut Vec::new())
    }

    #[test]
    fn sequences_and_back() {
        let store = Interner::new();
        for count in COUNTS {
            let entries = entries(&store, count);
            let top = whole(&store, &entries);
            let mut sequence = EntryTree::default();
            sequence.read(&store, count, top);
            assert_eq!(sequence.entries, entries);
            assert_eq!(sequence.top(), top);
        }
    }

    #[test]
    fn changes_give_what_the_whole_gives() {
        let store = Interner::new();
        for (before, after) in COUNTS.into_iter().flat_map(|a| COUNTS.map(|b| (a, b))) {
            let mut entries = entries(&store, before);
            let mut sequence = EntryTree::default();
            sequence.read(&store, before, whole(&store, &entries));
            for changed in [0, 5, after / 2, after.saturating_sub(1)] {
                let mut changes: Vec<(u32, Entry)> = Vec::new();
                if changed < after.min(before) {
                    changes.push((changed as u32, stored(&store, 1_000_000 + changed)));
                }
                changes.extend((before..after).map(|n| (n as u32, stored(&store, n + 1))));
                let top = sequence.write(&store, &changes, after, &mut Vec::new());
                let mut result = entries.clone();
                result.resize(after, Entry::Hole);
                for &(n, entry) in &changes {
                    result[n as usize] = entry;
                }
                assert_eq!(top, whole(&store, &result), "{before} {after} {changed}");
                let mut copy = sequence.clone();
                copy.read(&store, after, top);
                assert_eq!(copy.entries, result);
            }
            entries.clear();
        }
    }
}
