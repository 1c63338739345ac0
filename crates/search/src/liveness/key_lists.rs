//! Lists of keys, each stored once.
//!
//! Keys are numbered in the order in which they occur. A list is stored as the numbers of its keys,
//! seven bits a byte. There are few keys and many lists, so most keys take one byte. Numbers differ
//! between runs; nothing that is reported depends on them.

use impasse_store::{Backing, Batch, Id, Interner, Memory};
use impasse_transition_system::Key;
use rustc_hash::FxHashMap;
use std::sync::Mutex;

/// Keys that are decided together: a mask has a bit for each.
pub(super) const TOGETHER: usize = u16::BITS as usize;

/// Lists after which memory is given up, if it is short.
const PACE: usize = 1 << 6;

/// The number of a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct KeyNumber(pub(super) u32);

#[derive(Default)]
struct Numbers {
    of: FxHashMap<Key, KeyNumber>,
    keys: Vec<Key>,
}

/// Every list of keys that has occurred. In some programs nearly every state has its own.
pub(super) struct Lists {
    /// The key of the section whose nontermination is no violation.
    pub(super) noted: Option<Key>,
    numbers: Mutex<Numbers>,
    stored: Interner,
    backing: Backing,
}

/// By list, which of some keys it has.
pub(super) type Masks = Memory<u16>;

impl Lists {
    /// No lists yet.
    pub(super) fn new(noted: Option<Key>, backing: &Backing) -> Self {
        Lists {
            noted,
            numbers: Mutex::default(),
            stored: Interner::on(backing),
            backing: backing.clone(),
        }
    }

    /// Memory in use, in bytes, including the masks of a fixpoint.
    pub(super) fn bytes(&self) -> u64 {
        let masks = self.stored.len() * size_of::<u16>();
        self.stored.bytes() + masks as u64
    }

    /// How many groups of keys are decided together.
    pub(super) fn groups(&self) -> usize {
        let numbers = self
            .numbers
            .lock()
            .expect("no thread panics while it holds the lock");
        numbers.keys.len().div_ceil(TOGETHER)
    }

    /// Calls `f` with the numbers of a list's keys, in its order.
    pub(super) fn for_each(&self, list: Id, f: impl FnMut(KeyNumber)) {
        each_number(self.stored.get(list), f);
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

    /// By list, which keys of a group it has, but for the noted one.
    pub(super) fn masks(&self, group: usize) -> Masks {
        let noted = self.noted_number();
        self.masks_of(|KeyNumber(number)| {
            let bit = number as usize % TOGETHER;
            let is_of_it = number as usize / TOGETHER == group && Some(KeyNumber(number)) != noted;
            u16::from(is_of_it) << bit
        })
    }

    /// The number of the noted key, and by list whether it has that key, as a mask; `None` if no
    /// list has it.
    pub(super) fn noted_masks(&self) -> Option<(KeyNumber, Masks)> {
        let noted = self.noted_number()?;
        let masks = self.masks_of(|number| u16::from(number == noted));
        Some((noted, masks))
    }

    /// By list, the bits that `bit` says of its keys.
    fn masks_of(&self, bit: impl Fn(KeyNumber) -> u16) -> Masks {
        let mut masks = self.backing.zeroed(self.stored.end());
        for (count, list) in self.stored.ids().enumerate() {
            if count.is_multiple_of(PACE) {
                self.backing.pace();
            }
            let mask: &mut u16 = &mut masks[list.0 as usize];
            self.for_each(list, |number| *mask |= bit(number));
        }
        masks
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

    /// Interns the lists of a batch, which a [`ListWriter`] has written, and passes them on in
    /// order.
    pub(super) fn intern(&self, batch: &mut Batch, mut each: impl FnMut(Id)) {
        self.stored
            .intern_batch(batch, |interned| each(interned.id));
    }
}

/// Writes lists, with a cache of numbers.
#[derive(Default)]
pub(super) struct ListWriter {
    numbers: FxHashMap<Key, KeyNumber>,
    bytes: Vec<u8>,
}

impl ListWriter {
    /// The list of some keys.
    pub(super) fn list(&mut self, lists: &Lists, keys: &[Key]) -> Id {
        self.write(lists, keys);
        lists.stored.intern(&self.bytes).id
    }

    /// Adds the list of some keys to a batch.
    pub(super) fn push(&mut self, lists: &Lists, keys: &[Key], batch: &mut Batch) {
        self.write(lists, keys);
        batch.push(&self.bytes);
    }

    fn write(&mut self, lists: &Lists, keys: &[Key]) {
        self.bytes.clear();
        for &key in keys {
            let number = self.numbers.entry(key);
            let number = number.or_insert_with(|| lists.number(key)).0;
            write_number(&mut self.bytes, number);
        }
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
