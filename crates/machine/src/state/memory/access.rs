//! Reading and writing: checks of places, words, copies.

use super::object::Flags;
use super::{Access, Memory, Spot, little_endian};
use crate::base::fault::{ErrorKind, Result, error};
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::word::{Word, mask};
use std::ops::Range;

impl Memory<'_> {
    /// Returns the address that a word holds, before any check of bounds. Fails if it is undefined.
    #[inline]
    pub fn address(&self, word: Word) -> Result<Address> {
        if !word.is_defined() {
            return error(
                ErrorKind::UndefinedValue,
                "an address depends on an undefined value",
            );
        }
        let address = Address::from_bits(word.bits);
        match self.reuse.is_some() && address.object.is_dynamic() {
            true => Ok(self.in_use(address)),
            false => Ok(address),
        }
    }

    /// Checks an access of `bytes` bytes and returns its place. Fails if the access is an error.
    #[inline]
    pub fn check(&self, word: Word, address: Address, bytes: u64, access: Access) -> Result<Spot> {
        if let Some(object) = self.header(address.object) {
            let flags = object.flags;
            let inside = address.offset >= 0
                && (address.offset as u64).saturating_add(bytes) <= object.size as u64;
            let dynamic = address.object.is_dynamic();
            let entitled = word.pointer || !dynamic || flags.has(Flags::EXPOSED);
            let writable = access == Access::Read || dynamic || self.is_mutable(address.object);
            if inside && entitled && writable && !flags.has(Flags::FREED | Flags::ENDED) {
                return Ok(Spot {
                    object: address.object,
                    offset: address.offset as usize,
                });
            }
            if let Some(checked) = self.check_limited(word, address, bytes) {
                return checked;
            }
        }
        self.explain_bad_access(word, address, bytes, access)
    }

    fn is_mutable(&self, object: ObjectId) -> bool {
        matches!(object.kind(), ObjectKind::Global(n) if (n as usize) < self.globals.len())
    }

    /// Returns whether an object is a global constant.
    pub fn is_constant(&self, object: ObjectId) -> bool {
        matches!(object.kind(), ObjectKind::Global(_)) && !self.is_mutable(object)
    }

    /// Returns the place of an access of `bytes` bytes. Fails as [`Memory::address`] and
    /// [`Memory::check`] do.
    pub fn resolve(&self, word: Word, bytes: u64, access: Access) -> Result<Spot> {
        let address = self.address(word)?;
        self.check(word, address, bytes, access)
    }

    /// The words that some bytes belong to.
    #[inline]
    pub(super) fn words(&self, range: &Range<usize>) -> Range<usize> {
        let last = (1 << self.word_log2) - 1;
        range.start >> self.word_log2..(range.end + last) >> self.word_log2
    }

    /// Reads up to eight bytes at a checked place; an address of four bytes is a number here.
    #[inline]
    pub fn load(&mut self, spot: Spot, bytes: usize) -> Word {
        let range = spot.offset..spot.offset + bytes;
        let object = self.part(spot.object, range.clone());
        let object = object.expect("a checked place");
        let bits = little_endian(&object.bytes()[range.clone()]);
        let undefined = match object.undefined() {
            [] => 0,
            all => little_endian(&all[range.clone()]),
        };
        let time = object.time(range.clone());
        if bytes == 8 && spot.offset.is_multiple_of(8) && self.ilp32.is_none() {
            let pointer = object.is_pointer(spot.offset / 8);
            let word = Word {
                bits: bits & !undefined,
                undefined,
                pointer,
                time,
                ..Word::default()
            };
            return match undefined {
                0 => word,
                _ => self.load_term(spot, bytes, word),
            };
        }
        let words = self.words(&range);
        if words.clone().any(|w| object.is_pointer(w)) {
            self.expose_targets(spot.object, words);
        }
        let word = Word {
            bits: bits & !undefined,
            undefined,
            pointer: false,
            time,
            ..Word::default()
        };
        match undefined {
            0 => word,
            _ => self.load_term(spot, bytes, word),
        }
    }

    /// Writes up to eight bytes at a checked place.
    #[inline]
    pub fn store(&mut self, spot: Spot, bytes: usize, value: Word) {
        let range = spot.offset..spot.offset + bytes;
        let whole = bytes == 8 && spot.offset.is_multiple_of(8) && self.ilp32.is_none();
        if !whole {
            self.split_pointers(spot.object, range.clone());
            self.expose_word(value);
        }
        let parts = match value.term.is_none() {
            true => Vec::new(),
            false => self.term_bytes(value, bytes),
        };
        let object = self.part_mut(spot.object, range.clone());
        let outlives = object.class.outlives_calls();
        object.bytes[range.clone()].copy_from_slice(&value.bits.to_le_bytes()[..bytes]);
        object.set_time(range.clone(), value.time);
        let undefined = value.undefined & mask(bytes as u32 * 8);
        if undefined != 0 || !object.undefined.is_empty() {
            let undefined = &value.undefined.to_le_bytes()[..bytes];
            object.undefined_mut()[range.clone()].copy_from_slice(undefined);
            if !parts.is_empty() || !object.terms.is_empty() {
                if !parts.is_empty() {
                    object.undefined[range.clone()].fill(0xff);
                }
                object.set_terms(range, parts);
            }
        }
        if whole {
            if value.pointer {
                object.mark_pointer(spot.offset / 8);
                self.stored_pointer(spot.object, value.bits);
            } else {
                object.clear_pointer(spot.offset / 8);
            }
        }
        self.written |= outlives;
    }

    /// Before the bytes are overwritten: words of addresses that would be overwritten in part stop
    /// being addresses, and what they name is exposed.
    fn split_pointers(&mut self, object: ObjectId, range: Range<usize>) {
        let words = self.words(&range);
        let target = self.part(object, range.clone());
        let target = target.expect("a checked place");
        if !words.clone().any(|w| target.is_pointer(w)) {
            return;
        }
        let log2 = self.word_log2;
        let partial = |w: usize| w << log2 < range.start || (w + 1) << log2 > range.end;
        for word in words {
            if partial(word) {
                self.expose_targets(object, word..word + 1);
            }
            self.part_mut(object, range.clone()).clear_pointer(word);
        }
    }

    /// Copies `bytes` bytes between checked places, as if through a buffer.
    pub fn copy(&mut self, to: Spot, from: Spot, bytes: usize) {
        if bytes == 0 {
            return;
        }
        let range = from.offset..from.offset + bytes;
        let source = self.part(from.object, range.clone());
        let source = source.expect("a checked place");
        let content = source.bytes()[range.clone()].to_vec();
        let undefined = match source.undefined() {
            [] => Vec::new(),
            all => all[range.clone()].to_vec(),
        };
        let times = source.times().get(range.clone()).unwrap_or_default();
        let times = times.to_vec();
        let has_terms = source.has_terms();
        let (words, log2) = (self.words(&range), self.word_log2);
        let held: Vec<usize> = words.filter(|&w| source.is_pointer(w)).collect();
        let aligned = to.offset.abs_diff(from.offset).is_multiple_of(1 << log2);
        let (moved, broken): (Vec<usize>, Vec<usize>) = held
            .into_iter()
            .partition(|w| aligned && w << log2 >= range.start && (w + 1) << log2 <= range.end);
        for word in broken {
            self.expose_targets(from.object, word..word + 1);
        }
        let parts = match has_terms {
            true => self.terms_in(from, &range),
            false => Vec::new(),
        };
        let target = to.offset..to.offset + bytes;
        self.split_pointers(to.object, target.clone());
        let object = self.part_mut(to.object, target.clone());
        let outlives = object.class.outlives_calls();
        object.bytes[target.clone()].copy_from_slice(&content);
        if !undefined.is_empty() {
            object.undefined_mut()[target.clone()].copy_from_slice(&undefined);
        } else if !object.undefined.is_empty() {
            object.undefined[target.clone()].fill(0);
        }
        object.set_times(target.clone(), &times);
        if has_terms || !object.terms.is_empty() {
            object.set_terms(target.clone(), parts);
        }
        self.written |= outlives;
        for word in moved {
            let word = ((word << log2) - from.offset + to.offset) >> log2;
            let is_ilp32 = self.ilp32.is_some();
            let object = self.part_mut(to.object, target.clone());
            object.mark_pointer(word);
            if !is_ilp32 {
                let bits = object.word(word);
                self.stored_pointer(to.object, bits);
            }
        }
    }

    /// Fills `bytes` bytes at a checked place with the low byte of a value.
    pub fn fill(&mut self, to: Spot, bytes: usize, value: Word) {
        if bytes == 0 {
            return;
        }
        let range = to.offset..to.offset + bytes;
        self.split_pointers(to.object, range.clone());
        let object = self.part_mut(to.object, range.clone());
        let outlives = object.class.outlives_calls();
        object.bytes[range.clone()].fill(value.bits as u8);
        object.set_time(range.clone(), value.time.of_bytes());
        let undefined = value.undefined as u8;
        if undefined != 0 || !object.undefined.is_empty() {
            object.undefined_mut()[range.clone()].fill(undefined);
        }
        if !object.terms.is_empty() {
            object.set_terms(range, []);
        }
        self.written |= outlives;
    }

    /// Returns a C string, cut after 4,096 bytes. Fails if its start cannot be read.
    pub fn string(&self, word: Word) -> Result<String> {
        let mut text = Vec::new();
        let start = self.resolve(word, 1, Access::Read)?;
        let object = self.get(start.object).expect("a checked place");
        for &byte in object.bytes()[start.offset..].iter().take(4096) {
            if byte == 0 {
                break;
            }
            text.push(byte);
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}
