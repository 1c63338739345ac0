//! Lists of keys, each stored once.
//!
//! Keys are numbered in the order in which they occur. A list is stored as the numbers of its keys,
//! seven bits a byte. There are few keys and many lists, so most keys take one byte. Numbers differ
//! between runs; nothing that is reported depends on them.

use hashbrown::HashTable;
use impasse_store::Id;
use impasse_transition_system::Key;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::{Mutex, RwLock, RwLockReadGuard};

/// Keys that are decided together: a mask has a bit for each.
pub(super) const TOGETHER: usize = u16::BITS as usize;

/// The number of a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct KeyNumber(pub(super) u32);

#[derive(Default)]
struct Numbers {
    of: FxHashMap<Key, KeyNumber>,
    keys: Vec<Key>,
}

/// Lists one after the other, and where each is.
#[derive(Default)]
struct Stored {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// By the hash of their bytes.
    lists: HashTable<Id>,
}

/// Every list of keys that has occurred. Most state spaces have few, so one lock suffices.
#[derive(Default)]
pub(super) struct Lists {
    /// The key of the section whose nontermination is no violation.
    pub(super) noted: Option<Key>,
    numbers: Mutex<Numbers>,
    stored: RwLock<Stored>,
}

impl Lists {
    /// No lists yet.
    pub(super) fn new(noted: Option<Key>) -> Self {
        Lists {
            noted,
            ..Lists::default()
        }
    }

    /// Memory in use, in bytes, including the masks of a fixpoint.
    pub(super) fn bytes(&self) -> u64 {
        let masks = self.groups();
        let Stored { bytes, ends, lists } = &*self.read();
        let places = lists.capacity() * (size_of::<Id>() + 1);
        let each = size_of::<u32>() + masks * size_of::<u16>();
        (bytes.capacity() + ends.capacity() * each + places) as u64
    }

    /// How many groups of keys are decided together.
    fn groups(&self) -> usize {
        let numbers = self
            .numbers
            .lock()
            .expect("no thread panics while it holds the lock");
        numbers.keys.len().div_ceil(TOGETHER)
    }

    /// Calls `f` with the numbers of a list's keys, in its order.
    pub(super) fn for_each(&self, list: Id, f: impl FnMut(KeyNumber)) {
        each_number(self.read().get(list), f);
    }

    /// The numbers of a list's keys, in its order.
    pub(super) fn get(&self, list: Id) -> Vec<KeyNumber> {
        let mut numbers = Vec::new();
        self.for_each(list, |number| numbers.push(number));
        numbers
    }

    /// The first key of a list but for the noted one.
    pub(super) fn first_key(&self, list: Id) -> Option<KeyNumber> {
        let noted = self.noted_number();
        self.get(list)
            .into_iter()
            .find(|&number| Some(number) != noted)
    }

    /// For each group of keys that are decided together: by list, which of them it has, but for the
    /// noted one.
    pub(super) fn masks(&self) -> Vec<Vec<u16>> {
        let groups = self.groups();
        let stored = self.read();
        let lists = stored.ends.len();
        let mut masks = vec![vec![0; lists]; groups];
        let noted = self.noted_number();
        for list in (0..lists as u32).map(Id) {
            each_number(stored.get(list), |KeyNumber(number)| {
                if Some(KeyNumber(number)) == noted {
                    return;
                }
                let (group, bit) = (number as usize / TOGETHER, number as usize % TOGETHER);
                masks[group][list.0 as usize] |= 1 << bit;
            });
        }
        masks
    }

    /// The number of the noted key, and by list whether it has that key, as a mask; `None` if no
    /// list has it.
    pub(super) fn noted_masks(&self) -> Option<(KeyNumber, Vec<u16>)> {
        let number = self.noted_number()?;
        let lists = self.read().ends.len() as u32;
        let has_it = |list: Id| self.get(list).contains(&number);
        let masks = (0..lists).map(|list| u16::from(has_it(Id(list))));
        Some((number, masks.collect()))
    }

    fn noted_number(&self) -> Option<KeyNumber> {
        let numbers = self
            .numbers
            .lock()
            .expect("no thread panics while it holds the lock");
        numbers.of.get(&self.noted?).copied()
    }

    /// The keys by their numbers, so far.
    pub(super) fn keys(&self) -> Vec<Key> {
        self.numbers
            .lock()
            .expect("no thread panics while it holds the lock")
            .keys
            .clone()
    }

    fn number(&self, key: Key) -> KeyNumber {
        let Numbers { of, keys } = &mut *self
            .numbers
            .lock()
            .expect("no thread panics while it holds the lock");
        *of.entry(key).or_insert_with(|| {
            keys.push(key);
            KeyNumber(keys.len() as u32 - 1)
        })
    }

    /// The list with some bytes.
    fn intern(&self, bytes: &[u8]) -> Id {
        let hash = FxBuildHasher.hash_one(bytes);
        let known = self.read().find(bytes, hash);
        known.unwrap_or_else(|| {
            let mut stored = self
                .stored
                .write()
                .expect("no thread panics while it holds the lock");
            // Another thread may have added it meanwhile.
            let known = stored.find(bytes, hash);
            known.unwrap_or_else(|| stored.add(bytes, hash))
        })
    }

    fn read(&self) -> RwLockReadGuard<'_, Stored> {
        self.stored
            .read()
            .expect("no thread panics while it holds the lock")
    }
}

impl Stored {
    fn get(&self, list: Id) -> &[u8] {
        list_in(&self.bytes, &self.ends, list)
    }

    fn find(&self, bytes: &[u8], hash: u64) -> Option<Id> {
        let found = self.lists.find(hash, |&list| self.get(list) == bytes);
        found.copied()
    }

    fn add(&mut self, bytes: &[u8], hash: u64) -> Id {
        let list = Id(self.ends.len() as u32);
        self.bytes.extend_from_slice(bytes);
        let end = u32::try_from(self.bytes.len());
        self.ends.push(end.expect("lists take less than 4 GiB"));
        let Stored { bytes, ends, lists } = self;
        let hash_of = |&list: &Id| FxBuildHasher.hash_one(list_in(bytes, ends, list));
        lists.insert_unique(hash, list, hash_of);
        list
    }
}

fn list_in<'a>(bytes: &'a [u8], ends: &[u32], list: Id) -> &'a [u8] {
    let index = list.0 as usize;
    let first = index.checked_sub(1).map_or(0, |before| ends[before]);
    &bytes[first as usize..ends[index] as usize]
}

/// How many lists a thread caches.
const CACHED: usize = 1 << 10;

/// One thread's cache of lists and numbers, as the same ones occur again and again.
#[derive(Default)]
pub(super) struct ListCache {
    numbers: FxHashMap<Key, KeyNumber>,
    /// Some of the lists, by the hash of their keys.
    lists: Vec<Option<(Vec<Key>, Id)>>,
    bytes: Vec<u8>,
}

impl ListCache {
    /// The list of some keys.
    pub(super) fn list(&mut self, lists: &Lists, keys: &[Key]) -> Id {
        if self.lists.is_empty() {
            self.lists.resize(CACHED, None);
        }
        // The high bits of the hash are the good ones.
        let place = (FxBuildHasher.hash_one(keys) >> 32) as usize % CACHED;
        if let Some((known, id)) = &self.lists[place]
            && known == keys
        {
            return *id;
        }
        self.bytes.clear();
        for &key in keys {
            let number = self.numbers.entry(key);
            let number = number.or_insert_with(|| lists.number(key)).0;
            write_number(&mut self.bytes, number);
        }
        let id = lists.intern(&self.bytes);
        let (known, of) = self.lists[place].get_or_insert((Vec::new(), id));
        known.clear();
        known.extend_from_slice(keys);
        *of = id;
        id
    }
}

fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Calls `f` with each of the numbers written in some bytes.
fn each_number(bytes: &[u8], mut f: impl FnMut(KeyNumber)) {
    let (mut number, mut shift) = (0, 0);
    for &byte in bytes {
        number |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            f(KeyNumber(number));
            (number, shift) = (0, 0);
        }
    }
}
