//! Lists of keys, each stored once.
//!
//! Keys are numbered in the order in which they come up; a list is stored as its keys' numbers, seven bits a
//! byte. There are few keys and many lists, so that most entries take a byte for each key. Numbers differ
//! between runs; nothing that is reported depends on them.

use crate::system::Key;
use impasse_store::{Id, Interner};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::Mutex;

/// The number of a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct KeyNumber(pub(super) u32);

#[derive(Default)]
struct Numbers {
    of: FxHashMap<Key, KeyNumber>,
    keys: Vec<Key>,
}

/// Every list of keys that was met.
pub(super) struct Lists {
    numbers: Mutex<Numbers>,
    lists: Interner,
}

impl Lists {
    pub(super) fn new() -> Self {
        Lists {
            numbers: Mutex::default(),
            lists: Interner::new(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.lists.bytes()
    }

    /// The numbers of a list's keys, in its order.
    pub(super) fn get(&self, list: Id) -> impl Iterator<Item = KeyNumber> {
        let mut bytes = self.lists.get(list).iter();
        std::iter::from_fn(move || {
            let mut number = 0;
            for shift in (0..).step_by(7) {
                let byte = *bytes.next()?;
                number |= u32::from(byte & 0x7f) << shift;
                if byte < 0x80 {
                    break;
                }
            }
            Some(KeyNumber(number))
        })
    }

    /// Every list.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> {
        self.lists.ids()
    }

    /// The keys by their numbers, so far.
    pub(super) fn keys(&self) -> Vec<Key> {
        self.numbers
            .lock()
            .expect("nobody panics here")
            .keys
            .clone()
    }

    fn number(&self, key: Key) -> KeyNumber {
        let Numbers { of, keys } = &mut *self.numbers.lock().expect("nobody panics here");
        *of.entry(key).or_insert_with(|| {
            keys.push(key);
            KeyNumber(keys.len() as u32 - 1)
        })
    }
}

/// How many lists a thread remembers.
const REMEMBERED: usize = 1 << 10;

/// What one thread remembers of the lists, as the same ones come up again and again, and the numbers.
#[derive(Default)]
pub(super) struct KnownLists {
    numbers: FxHashMap<Key, KeyNumber>,
    /// By the hash of their keys: some of the lists.
    lists: Vec<Option<(Vec<Key>, Id)>>,
    bytes: Vec<u8>,
}

impl KnownLists {
    /// The list of some keys.
    pub(super) fn list(&mut self, lists: &Lists, keys: &[Key]) -> Id {
        if self.lists.is_empty() {
            self.lists.resize(REMEMBERED, None);
        }
        // The high bits of the hash are the good ones.
        let place = (FxBuildHasher.hash_one(keys) >> 32) as usize % REMEMBERED;
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
        let id = lists.lists.intern(&self.bytes).id;
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
