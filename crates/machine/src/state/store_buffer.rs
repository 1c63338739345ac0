//! Store buffers: what a thread has stored and what has not reached memory yet.

use crate::base::codec::{Reader, put};
use crate::state::frame::{object_of, put_word, read_word, rename_word};
use crate::state::happens_before::Message;
use crate::state::memory::object::TermByte;
use crate::state::memory::{Memory, Spot};
use crate::value::Value;
use impasse_program::address::ObjectId;
use impasse_program::instruction::Scalar;
use impasse_program::word::{Word, mask};
use smallvec::SmallVec;
use std::ops::Range;

/// Bytes of one object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bytes {
    /// The object.
    pub object: ObjectId,
    /// The offsets in it.
    pub range: Range<u32>,
}

impl Bytes {
    /// Returns `bytes` bytes of an object from an offset on.
    pub fn new(object: ObjectId, offset: usize, bytes: usize) -> Bytes {
        Bytes {
            object,
            range: offset as u32..(offset + bytes) as u32,
        }
    }

    /// Returns whether both have a byte in common.
    pub fn overlaps(&self, other: &Bytes) -> bool {
        self.object == other.object
            && self.range.start < other.range.end
            && other.range.start < self.range.end
    }
}

/// Up to eight bytes of a delayed store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Where it begins.
    pub offset: u32,
    /// How many bytes it has.
    pub bytes: u8,
    /// What they are. A term has just as many bits.
    pub word: Word,
}

/// What the owner of a store buffer sees at a place.
#[derive(Debug)]
pub struct Forwarded {
    /// The bytes.
    pub word: Word,
    /// Those of them that are parts of several terms, or of one and of numbers. If there are any,
    /// all their bits are undefined in the word.
    pub terms: SmallVec<[TermByte; 8]>,
    /// Addresses that were split: the objects that they name have been observed as numbers.
    pub broken: SmallVec<[Word; 2]>,
}

impl From<Word> for Forwarded {
    fn from(word: Word) -> Self {
        Forwarded {
            word,
            terms: SmallVec::new(),
            broken: SmallVec::new(),
        }
    }
}

impl Piece {
    fn end(&self) -> u32 {
        self.offset + self.bytes as u32
    }

    /// The byte at an offset of the object, and which of its bits are undefined.
    fn byte(&self, offset: u32) -> Option<(u8, u8)> {
        let at = offset
            .checked_sub(self.offset)
            .filter(|&at| at < self.bytes as u32)?;
        let byte = |word: u64| (word >> (at * 8)) as u8;
        Some((byte(self.word.bits), byte(self.word.undefined)))
    }
}

/// A delayed store: adjacent pieces that reach memory together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The object that is written to.
    pub object: ObjectId,
    /// What is written; never empty.
    pub pieces: SmallVec<[Piece; 1]>,
    /// Whether the store is atomic. Kept where races are looked for.
    pub atomic: bool,
}

impl Entry {
    /// Returns the delayed store of a scalar. A term must have the bits of whole bytes.
    pub fn of_scalar(scalar: Scalar, spot: Spot, value: Value, atomic: bool) -> Entry {
        let bytes = scalar.bytes();
        let piece = |offset: u32, bytes: u32, word: Word| Piece {
            offset: spot.offset as u32 + offset,
            bytes: bytes as u8,
            word: Word {
                term: word.term,
                ..cut(word, bytes)
            },
        };
        let mut pieces = SmallVec::new();
        pieces.push(piece(0, bytes.min(8), value.low));
        if bytes > 8 {
            pieces.push(piece(8, bytes - 8, value.high));
        }
        Entry {
            object: spot.object,
            pieces,
            atomic,
        }
    }

    /// Returns the message that an atomic store hands over.
    pub fn message(&self) -> Message {
        Message {
            object: self.object,
            offset: self.pieces[0].offset,
            order: 0,
        }
    }

    /// Returns the bytes that it writes.
    pub fn bytes(&self) -> Bytes {
        let (first, last) = (&self.pieces[0], &self.pieces[self.pieces.len() - 1]);
        Bytes {
            object: self.object,
            range: first.offset..last.end(),
        }
    }

    /// Renames objects.
    pub fn rename(&mut self, new_name: &dyn Fn(ObjectId) -> Option<ObjectId>) {
        self.object = new_name(self.object).unwrap_or(self.object);
        for piece in &mut self.pieces {
            rename_word(&mut piece.word, new_name);
        }
    }

    /// Writes it to memory.
    pub fn write(&self, memory: &mut Memory<'_>) {
        for piece in &self.pieces {
            let spot = Spot {
                object: self.object,
                offset: piece.offset as usize,
            };
            memory.store(spot, piece.bytes as usize, piece.word);
        }
    }

    /// Returns the objects made while running whose addresses it writes.
    pub fn values(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.pieces.iter().filter_map(|piece| object_of(piece.word))
    }

    /// Returns whether it names any object made while running.
    pub fn names_objects(&self) -> bool {
        self.object.is_dynamic() || self.values().next().is_some()
    }

    fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.object.0 as u64);
        put(out, (self.pieces.len() as u64) << 1 | self.atomic as u64);
        for piece in &self.pieces {
            put(out, piece.offset as u64);
            out.push(piece.bytes);
            put_word(out, piece.word);
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Entry {
        let object = ObjectId(reader.small());
        let count = reader.number();
        let piece = |_| Piece {
            offset: reader.small(),
            bytes: reader.byte(),
            word: read_word(reader),
        };
        Entry {
            object,
            pieces: (0..count >> 1).map(piece).collect(),
            atomic: count & 1 == 1,
        }
    }
}

/// A store buffer: delayed stores, the oldest first.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Buffer {
    entries: Vec<Entry>,
}

impl Buffer {
    /// Returns the delayed stores, the oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns whether nothing is delayed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns how many of the delayed stores are atomic.
    pub fn atomic_stores(&self) -> u32 {
        self.entries.iter().filter(|entry| entry.atomic).count() as u32
    }

    /// Appends a delayed store.
    pub fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Removes the delayed store at an index and returns it.
    pub fn remove(&mut self, index: usize) -> Entry {
        self.entries.remove(index)
    }

    /// Returns whether a delayed store writes any of these bytes.
    pub fn overlaps(&self, bytes: &Bytes) -> bool {
        self.entries.iter().any(|e| e.bytes().overlaps(bytes))
    }

    /// Returns up to eight bytes as the owner sees them; `below` is what memory holds there.
    pub fn forward(&self, spot: Spot, bytes: usize, below: Word) -> Forwarded {
        let wanted = Bytes::new(spot.object, spot.offset, bytes).range;
        let mut known = 0u64;
        let mut word = Word::default();
        let mut broken = SmallVec::new();
        let mut terms = SmallVec::new();
        let newest_first = self
            .entries
            .iter()
            .rev()
            .filter(|e| e.object == spot.object);
        for piece in newest_first.flat_map(|e| e.pieces.iter().rev()) {
            if known == 0 && piece.offset == wanted.start && piece.end() == wanted.end {
                return piece.word.into();
            }
            let before = known;
            for (at, offset) in wanted.clone().enumerate() {
                let Some((byte, undefined)) = piece.byte(offset).filter(|_| known >> at & 1 == 0)
                else {
                    continue;
                };
                known |= 1 << at;
                word.bits |= (byte as u64) << (at * 8);
                word.undefined |= (undefined as u64) << (at * 8);
                terms.extend(term_byte(piece.word, offset, offset - piece.offset));
            }
            if known != before {
                word.time = word.time.or(piece.word.time);
            }
            if known != before && piece.word.pointer {
                broken.push(piece.word);
            }
        }
        if known == 0 {
            return below.into();
        }
        for at in (0..bytes).filter(|at| known >> at & 1 == 0) {
            let byte = 0xffu64 << (at * 8);
            word.bits |= below.bits & byte;
            word.undefined |= below.undefined & byte;
            let offset = (spot.offset + at) as u32;
            terms.extend(term_byte(below, offset, at as u32));
        }
        if known.count_ones() < bytes as u32 {
            word.time = word.time.or(below.time);
        }
        if below.pointer {
            broken.push(below);
        }
        Forwarded {
            word,
            terms,
            broken,
        }
    }

    /// Appends the stored form.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.entries.len() as u64);
        self.entries.iter().for_each(|entry| entry.encode(out));
    }

    /// Reads a stored form.
    pub fn decode(reader: &mut Reader<'_>) -> Buffer {
        let count = reader.number();
        let entries = (0..count).map(|_| Entry::decode(reader)).collect();
        Buffer { entries }
    }

    /// Calls `f` with each object made while running that it names, in order.
    pub fn for_each_object(&self, f: &mut dyn FnMut(ObjectId)) {
        for entry in &self.entries {
            if entry.object.is_dynamic() {
                f(entry.object);
            }
            entry.values().for_each(&mut *f);
        }
    }

    /// Returns the words that the delayed stores write, in order.
    pub fn words(&self) -> impl Iterator<Item = Word> + '_ {
        let pieces = self.entries.iter().flat_map(|entry| &entry.pieces);
        pieces.map(|piece| piece.word)
    }

    /// Calls `f` with each word that the delayed stores write, to change it.
    pub fn for_each_word_mut(&mut self, mut f: impl FnMut(&mut Word)) {
        let pieces = self.entries.iter_mut().flat_map(|entry| &mut entry.pieces);
        pieces.for_each(|piece| f(&mut piece.word));
    }

    /// Renames objects.
    pub fn rename(&mut self, new_name: &dyn Fn(ObjectId) -> Option<ObjectId>) {
        for entry in &mut self.entries {
            entry.rename(new_name);
        }
    }
}

/// The byte of an object at an offset, if the word of which it is a part is a term.
fn term_byte(word: Word, offset: u32, byte: u32) -> Option<TermByte> {
    (!word.term.is_none()).then_some(TermByte {
        offset,
        term: word.term,
        byte: byte as u8,
    })
}

/// Returns the lowest bytes of a word. An address that loses bytes becomes a number.
pub fn cut(word: Word, bytes: u32) -> Word {
    let mask = mask(bytes * 8);
    Word {
        bits: word.bits & mask,
        undefined: word.undefined & mask,
        pointer: word.pointer && bytes == 8,
        time: match bytes {
            8 => word.time,
            _ => word.time.of_bytes(),
        },
        ..Word::default()
    }
}
