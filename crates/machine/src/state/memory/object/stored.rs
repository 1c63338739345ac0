//! An object to read from, in its stored form (`super` describes it).

use super::{
    Class, Flags, HAS_LIMIT, HAS_TERMS, HAS_TIMES, HEADER, Object, TERM_BYTE, TermByte,
    UNKNOWN_SIZE, read_u64,
};
use crate::base::fault::CodePlace;
use impasse_program::address::Address;
use impasse_program::instruction::Position;
use impasse_program::link::FunctionId;
use impasse_program::word::TermId;

/// An object in its stored form.
#[derive(Clone, Copy)]
pub struct ObjectView<'a> {
    stored: &'a [u8],
}

impl<'a> ObjectView<'a> {
    /// Returns a view of a stored form.
    #[inline]
    pub fn new(stored: &'a [u8]) -> Self {
        ObjectView { stored }
    }

    /// Returns the flags.
    #[inline]
    pub fn flags(self) -> Flags {
        Flags(self.stored[0])
    }

    /// Returns the class.
    pub fn class(self) -> Class {
        Class::from_byte(self.stored[1])
    }

    /// Returns the size in bytes.
    #[inline]
    pub fn size(self) -> u32 {
        read_u32(self.stored, 4)
    }

    /// Returns the place where it was made, or `None`.
    pub fn origin(self) -> Option<CodePlace> {
        let function = read_u32(self.stored, 8);
        (function != 0).then(|| CodePlace {
            function: FunctionId(function - 1),
            position: Position(read_u32(self.stored, 12)),
        })
    }

    /// Returns the alignment, as a power of two.
    pub fn align_log2(self) -> u8 {
        self.stored[2]
    }

    fn content_len(self) -> usize {
        if self.flags().has(Flags::FREED) {
            0
        } else {
            self.size() as usize
        }
    }

    /// Returns the content.
    #[inline]
    pub fn bytes(self) -> &'a [u8] {
        &self.stored[HEADER..HEADER + self.content_len()]
    }

    /// Returns the undefined bits of each byte; empty if all are defined.
    #[inline]
    pub fn undefined(self) -> &'a [u8] {
        if !self.flags().has(Flags::UNDEFINED) {
            return &[];
        }
        let size = self.content_len();
        &self.stored[HEADER + size..HEADER + 2 * size]
    }

    fn pointer_bytes(self) -> &'a [u8] {
        if !self.flags().has(Flags::POINTERS) {
            return &[];
        }
        let size = self.content_len();
        let planes = 1 + self.flags().has(Flags::UNDEFINED) as usize + self.has_times() as usize;
        let end = match self.has_terms() {
            true => self.end() - 4 - self.term_count() * TERM_BYTE,
            false => self.end(),
        };
        &self.stored[HEADER + size * planes..end]
    }

    /// Returns whether some bytes are parts of terms.
    #[inline]
    pub fn has_terms(self) -> bool {
        self.stored[3] & HAS_TERMS != 0
    }

    fn term_count(self) -> usize {
        read_u32(self.stored, self.end() - 4) as usize
    }

    /// Where the stored form ends, but for the term that is the size.
    #[inline]
    fn end(self) -> usize {
        self.stored.len() - if self.has_limit() { 4 } else { 0 }
    }

    #[inline]
    fn has_limit(self) -> bool {
        self.stored[3] & HAS_LIMIT != 0
    }

    /// Returns the term that is the size, if it depends on inputs.
    #[inline]
    pub fn limit(self) -> TermId {
        match self.has_limit() {
            true => TermId::from_bits(read_u32(self.stored, self.end())),
            false => TermId::NONE,
        }
    }

    /// Returns the bytes that are parts of terms, in order.
    pub fn terms(self) -> impl Iterator<Item = TermByte> + 'a {
        let parts = match self.has_terms() {
            true => {
                let end = self.end() - 4;
                &self.stored[end - self.term_count() * TERM_BYTE..end]
            }
            false => &[],
        };
        parts.chunks_exact(TERM_BYTE).map(|part| TermByte {
            offset: read_u32(part, 0),
            term: TermId::from_bits(read_u32(part, 4)),
            byte: part[8],
        })
    }

    #[inline]
    fn has_times(self) -> bool {
        self.stored[3] & HAS_TIMES != 0
    }

    /// Returns how each byte depends on the time; empty if none does.
    #[inline]
    pub fn times(self) -> &'a [u8] {
        if !self.has_times() {
            return &[];
        }
        let size = self.content_len();
        let start = HEADER + size * (1 + self.flags().has(Flags::UNDEFINED) as usize);
        &self.stored[start..start + size]
    }

    /// Returns whether an aligned word holds an address.
    #[inline]
    pub fn is_pointer(self, word: usize) -> bool {
        let bytes = self.pointer_bytes();
        !bytes.is_empty() && bytes[word / 8] >> (word % 8) & 1 == 1
    }

    /// Returns the addresses that it holds, in order. It must not have addresses of four bytes.
    pub fn pointers(self) -> impl Iterator<Item = Address> + 'a {
        self.pointers_at().map(|(_, address)| address)
    }

    /// Returns the addresses that it holds, in order, each with the offset of the word that holds
    /// it, in bytes. It must not have addresses of four bytes.
    pub fn pointers_at(self) -> impl Iterator<Item = (i64, Address)> + 'a {
        debug_assert!(!self.flags().has(Flags::ILP32));
        let bytes = self.pointer_bytes();
        let content = self.bytes();
        let words = bytes.iter().enumerate().flat_map(|(i, &byte)| {
            (0..8usize).filter_map(move |bit| (byte >> bit & 1 == 1).then_some(i * 8 + bit))
        });
        words.map(move |word| {
            let address = Address::from_bits(read_u64(content, word * 8));
            (word as i64 * 8, address)
        })
    }

    /// Returns what remains of the object when it is freed.
    pub fn to_freed(self) -> Object {
        let mut flags = self.flags();
        flags.set(Flags::UNDEFINED | Flags::POINTERS, false);
        flags.set(Flags::FREED, true);
        flags.set(Flags::ESCAPED, false);
        Object {
            class: self.class(),
            flags,
            align_log2: self.stored[2],
            origin: self.origin(),
            size: match self.has_limit() {
                true => UNKNOWN_SIZE,
                false => self.size(),
            },
            bytes: Vec::new(),
            undefined: Vec::new(),
            pointers: Vec::new(),
            times: Vec::new(),
            terms: Vec::new(),
            limit: TermId::NONE,
        }
    }

    /// Returns a copy to write to.
    pub fn to_object(self) -> Object {
        let mut flags = self.flags();
        flags.set(Flags::UNDEFINED | Flags::POINTERS, false);
        let chunks = self.pointer_bytes().chunks(8);
        Object {
            class: self.class(),
            flags,
            align_log2: self.stored[2],
            origin: self.origin(),
            size: self.size(),
            bytes: self.bytes().to_vec(),
            undefined: self.undefined().to_vec(),
            pointers: chunks.map(word_of).collect(),
            times: self.times().to_vec(),
            terms: self.terms().collect(),
            limit: self.limit(),
        }
    }
}

fn word_of(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

#[inline]
fn read_u32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}
