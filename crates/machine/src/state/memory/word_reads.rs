//! Which words of a global a step reads, and which it writes.
//!
//! Programs keep much of what they share in one global: an array of mutexes, a queue with its lock.
//! So the step cache notes words of large globals, and keeps what was written to them as a
//! [`Patch`].
//!
//! *Condition.* Of a copy that is *known in part* only noted words are read or written; a word is
//! noted before it is written. Every other path to the object ([`Memory::entry`]) notes the whole
//! object first. The argument is in `docs/internals/step-cache.md`, "Words of globals".

use super::object::{Class, Flags, Object, ObjectView, dynamic, set_bits};
use super::{Copy, Entry, Memory, ObjectRef, little_endian};
use crate::state::read_set::ReadSetEntry;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::word::Word;
use impasse_store::Id;
use smallvec::SmallVec;
use std::ops::Range;

/// Globals of at most so many bytes are looked at as a whole.
const SMALL: u32 = 64;

/// So are those of which more words are looked at in one access.
const MANY: usize = 4;

/// What does not depend on an object's content.
#[derive(Clone, Copy)]
pub struct Header {
    /// Facts.
    pub flags: Flags,
    /// Size in bytes; zero if it depends on inputs.
    pub size: u32,
    /// What it is for.
    pub class: Class,
}

/// Words of a global that a step wrote, one bit each.
pub type Written = SmallVec<[u64; 2]>;

/// What a step writes to a global of which it knows a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The global.
    pub global: u32,
    /// Its words, by their indices, and what they are after the step.
    words: SmallVec<[(u32, Word); 2]>,
}

impl Patch {
    /// Returns the words of a global that were written, with their present content.
    pub fn of(global: u32, after: ObjectView<'_>, written: &Written) -> Patch {
        let words = set_bits(written.iter().copied());
        Patch {
            global,
            words: words.map(|w| (w as u32, word_of(after, w))).collect(),
        }
    }

    /// Appends the stored form of the global with these words replaced.
    pub fn apply(&self, before: ObjectView<'_>, out: &mut Vec<u8>) {
        let mut object = before.to_object();
        for &(index, word) in &self.words {
            let index = index as usize;
            let range = word_range(index, object.bytes.len());
            let bytes = range.len();
            object.bytes[range.clone()].copy_from_slice(&word.bits.to_le_bytes()[..bytes]);
            if word.undefined != 0 || !object.undefined.is_empty() {
                let undefined = &word.undefined.to_le_bytes()[..bytes];
                object.undefined_mut()[range].copy_from_slice(undefined);
            }
            match word.pointer {
                true => object.mark_pointer(index),
                false => object.clear_pointer(index),
            }
        }
        object.encode(out);
    }
}

fn word_range(index: usize, size: usize) -> Range<usize> {
    index * 8..size.min(index * 8 + 8)
}

/// Returns an aligned word of an object; the last one may have fewer bytes.
pub fn word_of(object: ObjectView<'_>, index: usize) -> Word {
    let range = word_range(index, object.bytes().len());
    let undefined = match object.undefined() {
        [] => 0,
        all => little_endian(&all[range.clone()]),
    };
    Word {
        bits: little_endian(&object.bytes()[range]),
        undefined,
        pointer: object.is_pointer(index),
        ..Word::default()
    }
}

/// The object made while running that a word names.
fn named(word: Word) -> Option<ObjectId> {
    let object = Address::from_bits(word.bits).object;
    (word.pointer && object.is_dynamic()).then_some(object)
}

impl Copy {
    /// Whether words that were written name other objects than before.
    pub(super) fn words_name_others(&self, original: ObjectView<'_>) -> bool {
        let mut written = set_bits(self.written.iter().copied());
        written.any(|w| {
            let before = named(word_of(original, w));
            let after = match self.object.is_pointer(w) {
                true => Some(Address::from_bits(self.object.word(w)).object),
                false => None,
            };
            before != after.filter(|object| object.is_dynamic())
        })
    }
}

impl Memory<'_> {
    /// Returns what does not depend on an object's content, or `None` if it does not exist.
    #[inline]
    pub fn header(&self, object: ObjectId) -> Option<Header> {
        let object = match self.global_entry(object) {
            Some(entry) => self.at(entry),
            None => self.get(object),
        }?;
        Some(Header {
            flags: object.flags(),
            size: match object.limit().is_none() {
                true => object.size(),
                false => 0,
            },
            class: object.class(),
        })
    }

    #[inline]
    fn global_entry(&self, object: ObjectId) -> Option<Entry> {
        match object.kind() {
            ObjectKind::Global(n) => self.globals.get(n as usize).copied(),
            _ => None,
        }
    }

    /// Returns an object to read these bytes of, or `None` if it does not exist.
    #[inline]
    pub fn part(&self, object: ObjectId, range: Range<usize>) -> Option<ObjectRef<'_>> {
        if self.read_set.is_recording() {
            self.note_part(object, range);
        }
        match self.global_entry(object) {
            Some(entry) => self.at(entry),
            None => self.get(object),
        }
    }

    /// Returns an object to write these bytes of, and no others. Panics if it does not exist.
    #[inline]
    pub fn part_mut(&mut self, object: ObjectId, range: Range<usize>) -> &mut Object {
        if self.read_set.is_recording() && self.note_part(object, range.clone()) {
            return self.write_part(object, range);
        }
        self.get_mut(object)
    }

    #[cold]
    fn write_part(&mut self, object: ObjectId, range: Range<usize>) -> &mut Object {
        let index = match self.global_entry(object) {
            Some(Entry::Copied(n)) => n,
            Some(Entry::Stored(id)) => {
                let copy = ObjectView::new(self.store.get(id)).to_object();
                let words = copy.bytes.len().div_ceil(8).div_ceil(64);
                let index = self.copy_of(object, copy, id);
                let copy = &mut self.copies[index as usize];
                copy.in_part.set(true);
                copy.written.resize(words, 0);
                index
            }
            _ => unreachable!("writing to no object"),
        };
        let copy = &mut self.copies[index as usize];
        for word in range.start / 8..range.end.div_ceil(8) {
            copy.written[word / 64] |= 1 << (word % 64);
        }
        &mut copy.object
    }

    /// Notes what is looked at of an object. Tells whether it is known in part.
    #[cold]
    fn note_part(&self, object: ObjectId, range: Range<usize>) -> bool {
        let in_part = match self.global_entry(object) {
            Some(Entry::Stored(id)) => ObjectView::new(self.store.get(id)).size() > SMALL,
            Some(Entry::Copied(n)) => self.copies[n as usize].in_part.get(),
            Some(Entry::Hole) | None => false,
        };
        let words = range.start / 8..range.end.div_ceil(8);
        let ObjectKind::Global(global) = object.kind() else {
            return false;
        };
        if !in_part || words.len() > MANY {
            self.entry(object);
            return false;
        }
        for word in words {
            self.read_set.note(ReadSetEntry::Word(global, word as u32));
        }
        true
    }

    /// Records as read which objects changed globals name, before the heap is canonicalised.
    pub fn know_names(&self) {
        for copy in &self.copies {
            let names = |original: Id| {
                let before = ObjectView::new(self.store.get(original)).pointers();
                let words = copy.object.pointer_words();
                let after = words.map(|w| Address::from_bits(copy.object.word(w)));
                dynamic(before.chain(after)).next().is_some()
            };
            if copy.in_part.get() && copy.original.is_some_and(names) {
                self.entry(copy.id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn word() -> impl Strategy<Value = Word> {
        let value = (any::<u64>(), any::<u64>(), 0..4u8);
        value.prop_map(|(bits, mask, kind)| match kind {
            0 => Word {
                bits: bits & !mask,
                undefined: mask,
                ..Word::default()
            },
            1 => Word::pointer(Address::of(ObjectId::dynamic(bits as u32 % 100)).bits()),
            _ => Word::number(bits),
        })
    }

    fn object(words: &[Word], size: usize) -> Object {
        let mut object = Object::with_content(Class::Global, &vec![0; size], &[], 3);
        for (index, word) in words.iter().enumerate() {
            let range = word_range(index, size);
            let bytes = range.len();
            object.bytes[range.clone()].copy_from_slice(&word.bits.to_le_bytes()[..bytes]);
            object.undefined_mut()[range].copy_from_slice(&word.undefined.to_le_bytes()[..bytes]);
            if word.pointer {
                object.mark_pointer(index);
            }
        }
        object
    }

    fn stored(object: &Object) -> Vec<u8> {
        let mut bytes = Vec::new();
        object.encode(&mut bytes);
        bytes
    }

    proptest! {
        /// A patch of one object gives another one the same words and leaves its others.
        #[test]
        fn patches_replace_words(
            words in prop::collection::vec((word(), word(), any::<bool>()), 1..20),
            short in 0..8usize,
        ) {
            // An address needs a whole word.
            let short = if words.last().is_some_and(|(a, b, _)| a.pointer || b.pointer) { 0 } else { short };
            let size = words.len() * 8 - short;
            let column = |f: &dyn Fn(&(Word, Word, bool)) -> Word| object(&words.iter().map(f).collect::<Vec<_>>(), size);
            let (before, after) = (column(&|w| w.0), column(&|w| w.1));
            let mixed = column(&|w| if w.2 { w.1 } else { w.0 });
            let mut written = Written::from_elem(0, 1);
            for (index, _) in words.iter().enumerate().filter(|(_, word)| word.2) {
                written[0] |= 1 << index;
            }
            let patch = Patch::of(0, ObjectView::new(&stored(&after)), &written);
            let mut patched = Vec::new();
            patch.apply(ObjectView::new(&stored(&before)), &mut patched);
            prop_assert_eq!(patched, stored(&mixed));
        }
    }
}
