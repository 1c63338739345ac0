//! An object to read from, wherever it is at present.

use super::object::{Class, Flags, Object, ObjectView, TermByte, joined};
use crate::base::fault::CodePlace;
use impasse_program::address::Address;
use impasse_program::word::{TermId, Time};
use std::ops::Range;

/// An object to read from.
#[derive(Clone, Copy)]
pub enum ObjectRef<'a> {
    /// In its stored form.
    Stored(ObjectView<'a>),
    /// A copy.
    Copied(&'a Object),
}

impl<'a> ObjectRef<'a> {
    /// Returns the flags.
    #[inline]
    pub fn flags(self) -> Flags {
        match self {
            ObjectRef::Stored(o) => o.flags(),
            ObjectRef::Copied(o) => o.flags,
        }
    }

    /// Returns the size in bytes.
    #[inline]
    pub fn size(self) -> u32 {
        match self {
            ObjectRef::Stored(o) => o.size(),
            ObjectRef::Copied(o) => o.size,
        }
    }

    /// Returns the term that is the size, if it depends on inputs.
    #[inline]
    pub fn limit(self) -> TermId {
        match self {
            ObjectRef::Stored(o) => o.limit(),
            ObjectRef::Copied(o) => o.limit,
        }
    }

    /// Returns the class.
    pub fn class(self) -> Class {
        match self {
            ObjectRef::Stored(o) => o.class(),
            ObjectRef::Copied(o) => o.class,
        }
    }

    /// Returns the place where it was made, or `None`.
    pub fn origin(self) -> Option<CodePlace> {
        match self {
            ObjectRef::Stored(o) => o.origin(),
            ObjectRef::Copied(o) => o.origin,
        }
    }

    /// Returns the alignment, as a power of two.
    pub fn align_log2(self) -> u8 {
        match self {
            ObjectRef::Stored(o) => o.align_log2(),
            ObjectRef::Copied(o) => o.align_log2,
        }
    }

    /// Returns whether nothing was written to it since its scope began.
    pub fn is_undefined(self) -> bool {
        let undefined = self.undefined();
        !self.has_terms()
            && undefined.len() == self.size() as usize
            && undefined.iter().all(|&bits| bits == 0xff)
    }

    /// Returns the content.
    #[inline]
    pub fn bytes(self) -> &'a [u8] {
        match self {
            ObjectRef::Stored(o) => o.bytes(),
            ObjectRef::Copied(o) => &o.bytes,
        }
    }

    /// Returns the undefined bits of each byte; empty if all are defined.
    #[inline]
    pub fn undefined(self) -> &'a [u8] {
        match self {
            ObjectRef::Stored(o) => o.undefined(),
            ObjectRef::Copied(o) => &o.undefined,
        }
    }

    /// Returns how each byte depends on the time; empty if none does.
    #[inline]
    pub fn times(self) -> &'a [u8] {
        match self {
            ObjectRef::Stored(o) => o.times(),
            ObjectRef::Copied(o) => &o.times,
        }
    }

    /// Returns whether some bytes may be parts of terms.
    #[inline]
    pub fn has_terms(self) -> bool {
        match self {
            ObjectRef::Stored(o) => o.has_terms(),
            ObjectRef::Copied(o) => !o.terms.is_empty(),
        }
    }

    /// Returns the bytes that are parts of terms, in order.
    pub fn terms(self) -> Vec<TermByte> {
        match self {
            ObjectRef::Stored(o) => o.terms().collect(),
            ObjectRef::Copied(o) => o.live_terms().collect(),
        }
    }

    /// Returns how the value of some bytes depends on the time.
    #[inline]
    pub fn time(self, range: Range<usize>) -> Time {
        match self.times() {
            [] => Time::NONE,
            all => joined(&all[range]),
        }
    }

    /// Returns whether an aligned word holds an address.
    #[inline]
    pub fn is_pointer(self, word: usize) -> bool {
        match self {
            ObjectRef::Stored(o) => o.is_pointer(word),
            ObjectRef::Copied(o) => o.is_pointer(word),
        }
    }

    /// Calls `f` with each address that it holds, in order.
    pub fn for_each_pointer(self, mut f: impl FnMut(Address)) {
        self.for_each_pointer_at(|_, address| f(address));
    }

    /// Calls `f` with each address that it holds, in order, and the offset of the word that holds
    /// it, in bytes.
    pub fn for_each_pointer_at(self, mut f: impl FnMut(i64, Address)) {
        match self {
            ObjectRef::Stored(o) => o.pointers_at().for_each(|(at, address)| f(at, address)),
            ObjectRef::Copied(o) => o
                .pointer_words()
                .for_each(|w| f(w as i64 * 8, Address::from_bits(o.word(w)))),
        }
    }
}
