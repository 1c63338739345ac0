//! A memory object: its bytes, which bits of them are defined, and which words are addresses.
//!
//! An object exists in two forms. [`ObjectView`] reads it from its stored form, a byte string in
//! the component store that states share. [`Object`] is a copy that a step made to write to.
//!
//! The stored form: a header of 16 bytes, the content, one undefined-bits byte for each content
//! byte (only if any bit is undefined), one byte for each that says how it depends on the time
//! (only if any does), one bit for each aligned word that holds an address (only if any does), and
//! the bytes that are parts of terms (only if any is; all their bits are undefined) with their
//! number, and the term that is the object's size (only if it depends on inputs).
//! A word has eight bytes; four under ILP32 (`impasse_program::ilp32`), in programs
//! whose objects are never renamed.

mod stored;

pub use stored::ObjectView;

use crate::base::fault::CodePlace;
use impasse_program::address::{Address, ObjectId};
use impasse_program::link::{GlobalInfo, Program};
use impasse_program::word::{TermId, Time};
use std::ops::Range;

/// What an object is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Class {
    /// A global variable.
    Global = 0,
    /// Allocated by `malloc` and its kin.
    Heap = 1,
    /// A local variable.
    Stack = 2,
    /// A thread's copy of a thread-local variable.
    ThreadLocal = 3,
    /// What the machine made: arguments, the thread's descriptor.
    Machine = 4,
    /// Allocated by `mmap`.
    Mapping = 5,
    /// Allocated by the library's `operator new`.
    New = 6,
    /// Allocated by the library's `operator new[]`.
    NewArray = 7,
}

impl Class {
    /// Returns whether objects of this class are global variables or allocated, and so may outlive
    /// the calls of a thread.
    #[inline]
    pub fn outlives_calls(self) -> bool {
        self == Class::Global || self.is_allocated()
    }

    /// Returns whether objects of this class are on the heap.
    #[inline]
    pub fn is_on_heap(self) -> bool {
        matches!(self, Class::Heap | Class::New | Class::NewArray)
    }

    /// Returns whether objects of this class are allocated, and so have to be given back.
    #[inline]
    pub fn is_allocated(self) -> bool {
        self.is_on_heap() || self == Class::Mapping
    }

    /// Returns whether an object of this class may get the address of a freed one of another class.
    #[inline]
    pub fn shares_addresses(self, other: Class) -> bool {
        self == other || self.is_allocated() && other.is_allocated()
    }

    fn from_byte(byte: u8) -> Class {
        match byte {
            0 => Class::Global,
            1 => Class::Heap,
            2 => Class::Stack,
            3 => Class::ThreadLocal,
            4 => Class::Machine,
            5 => Class::Mapping,
            6 => Class::New,
            _ => Class::NewArray,
        }
    }
}

/// One-bit facts about an object.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Flags(u8);

impl Flags {
    /// It was freed, or its frame has returned.
    pub const FREED: Flags = Flags(1);
    /// Its scope has ended.
    pub const ENDED: Flags = Flags(2);
    /// Its number was observed as a number and must not change any more.
    pub const EXPOSED: Flags = Flags(4);
    /// More than one thread can reach it.
    pub const SHARED: Flags = Flags(8);
    /// It is a local variable that more than one thread could reach at some time. Set where states
    /// have a happens-before history.
    pub const ESCAPED: Flags = Flags(128);
    /// Its addresses take four bytes.
    pub const ILP32: Flags = Flags(64);
    const UNDEFINED: Flags = Flags(16);
    const POINTERS: Flags = Flags(32);

    /// Returns whether any of the flags is set.
    #[inline]
    pub fn has(self, flags: Flags) -> bool {
        self.0 & flags.0 != 0
    }

    /// Returns the flags as a number.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Sets or clears flags.
    pub fn set(&mut self, flags: Flags, value: bool) {
        if value {
            self.0 |= flags.0;
        } else {
            self.0 &= !flags.0;
        }
    }
}

/// Either of two flags.
impl std::ops::BitOr for Flags {
    type Output = Flags;
    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

const HEADER: usize = 16;
/// In the fourth byte of the header.
const HAS_TIMES: u8 = 1;
const HAS_TERMS: u8 = 2;
const HAS_LIMIT: u8 = 4;

/// The size of a freed object if it depended on inputs.
pub const UNKNOWN_SIZE: u32 = u32::MAX;

/// A byte that is part of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermByte {
    /// Where it is in the object.
    pub offset: u32,
    /// The term.
    pub term: TermId,
    /// Which byte of the term it is, from the lowest on.
    pub byte: u8,
}

/// How many bytes a stored [`TermByte`] takes.
const TERM_BYTE: usize = 9;

/// An object in its writable form.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is for.
    pub class: Class,
    /// Facts.
    pub flags: Flags,
    /// Alignment, as a power of two.
    pub align_log2: u8,
    /// Where it was made, if it was made while running.
    pub origin: Option<CodePlace>,
    /// Size in bytes; once freed, the content is gone but the size remains.
    pub size: u32,
    /// Its content.
    pub bytes: Vec<u8>,
    /// For each byte the bits that are undefined; empty if all are defined.
    pub undefined: Vec<u8>,
    /// For each aligned word whether it holds an address; empty if none does.
    pub pointers: Vec<u64>,
    /// How each byte depends on the time; empty if none does.
    pub times: Vec<u8>,
    /// The bytes that are parts of terms, in order. Each is wholly undefined; one that is not any
    /// more has been overwritten.
    pub terms: Vec<TermByte>,
    /// The size, if that depends on inputs: `size` is then how many bytes the content has, and
    /// those beyond either size do not exist.
    pub limit: TermId,
}

impl Object {
    /// Says whether more than one thread can reach the object. `keeps_escaped` makes a local
    /// variable remember that it could be reached.
    pub fn share(&mut self, shared: bool, keeps_escaped: bool) {
        self.flags.set(Flags::SHARED, shared);
        if shared && keeps_escaped && self.class == Class::Stack {
            self.flags.set(Flags::ESCAPED, true);
        }
    }

    /// Returns a new object of `size` bytes whose content is undefined.
    pub fn undefined(class: Class, size: u32, align_log2: u8, origin: Option<CodePlace>) -> Object {
        Object {
            class,
            flags: Flags::default(),
            align_log2,
            origin,
            size,
            bytes: vec![0; size as usize],
            undefined: vec![0xff; size as usize],
            pointers: Vec::new(),
            times: Vec::new(),
            terms: Vec::new(),
            limit: TermId::NONE,
        }
    }

    /// Returns a new object with the initial content of a global.
    pub fn of_global(class: Class, global: &GlobalInfo, program: &Program) -> Object {
        let align = global.align.max(1).trailing_zeros() as u8;
        let mut object = Object::with_content(class, &global.bytes, &[], align);
        object.flags.set(Flags::ILP32, program.ilp32().is_some());
        for &offset in &global.pointers {
            object.mark_pointer(offset as usize / object.word_bytes());
        }
        object
    }

    /// Returns a new object with this content, and addresses at these offsets in bytes.
    pub fn with_content(class: Class, bytes: &[u8], pointers: &[u32], align_log2: u8) -> Object {
        let mut object = Object {
            class,
            flags: Flags::default(),
            align_log2,
            origin: None,
            size: bytes.len() as u32,
            bytes: bytes.to_vec(),
            undefined: Vec::new(),
            pointers: Vec::new(),
            times: Vec::new(),
            terms: Vec::new(),
            limit: TermId::NONE,
        };
        for &offset in pointers {
            object.mark_pointer(offset as usize / 8);
        }
        object
    }

    /// How many bytes a word has.
    #[inline]
    fn word_bytes(&self) -> usize {
        8 >> self.flags.has(Flags::ILP32) as usize
    }

    /// Notes that an aligned word holds an address.
    pub fn mark_pointer(&mut self, word: usize) {
        if self.pointers.is_empty() {
            let words = self.bytes.len().div_ceil(self.word_bytes());
            self.pointers = vec![0; words.div_ceil(64)];
        }
        self.pointers[word / 64] |= 1 << (word % 64);
    }

    /// Notes that an aligned word holds no address.
    #[inline]
    pub fn clear_pointer(&mut self, word: usize) {
        if !self.pointers.is_empty() {
            self.pointers[word / 64] &= !(1 << (word % 64));
        }
    }

    /// Returns whether an aligned word holds an address.
    #[inline]
    pub fn is_pointer(&self, word: usize) -> bool {
        !self.pointers.is_empty() && self.pointers[word / 64] >> (word % 64) & 1 == 1
    }

    /// Makes the whole content undefined.
    pub fn clear(&mut self) {
        self.bytes.fill(0);
        self.undefined.clear();
        self.undefined.resize(self.bytes.len(), 0xff);
        self.pointers.clear();
        self.times.clear();
        self.terms.clear();
    }

    /// Drops the content; accesses are errors from now on.
    pub fn free(&mut self) {
        self.flags.set(Flags::FREED, true);
        self.flags.set(Flags::ESCAPED, false);
        self.bytes = Vec::new();
        self.undefined = Vec::new();
        self.pointers = Vec::new();
        self.times = Vec::new();
        self.terms = Vec::new();
        if !self.limit.is_none() {
            (self.size, self.limit) = (UNKNOWN_SIZE, TermId::NONE);
        }
    }

    /// Becomes an object of a size that depends on no inputs. Panics if it has not so many bytes.
    pub fn resize(&mut self, size: u32) {
        assert!(size <= self.size, "the content has all bytes");
        self.size = size;
        self.limit = TermId::NONE;
        self.bytes.truncate(size as usize);
        self.undefined.truncate(size as usize);
        self.times.truncate(size as usize);
        self.terms.retain(|part| part.offset < size);
        let words = self.bytes.len() / self.word_bytes();
        let beyond: Vec<usize> = self.pointer_words().filter(|&w| w >= words).collect();
        beyond.into_iter().for_each(|word| self.clear_pointer(word));
    }

    /// Returns the undefined bits of each byte, to change them.
    pub fn undefined_mut(&mut self) -> &mut Vec<u8> {
        if self.undefined.is_empty() {
            self.undefined = vec![0; self.bytes.len()];
        }
        &mut self.undefined
    }

    /// Notes how bytes depend on the time.
    #[inline]
    pub fn set_time(&mut self, range: Range<usize>, time: Time) {
        if time.is_none() && self.times.is_empty() {
            return;
        }
        self.times.resize(self.bytes.len(), 0);
        self.times[range].fill(time.0);
    }

    /// Notes how each of these bytes depends on the time; not at all if `times` is empty.
    pub fn set_times(&mut self, range: Range<usize>, times: &[u8]) {
        if times.is_empty() {
            return self.set_time(range, Time::NONE);
        }
        self.times.resize(self.bytes.len(), 0);
        self.times[range].copy_from_slice(times);
    }

    /// Returns the eight bytes of an aligned word. The object must not have addresses of four
    /// bytes.
    pub fn word(&self, word: usize) -> u64 {
        debug_assert!(!self.flags.has(Flags::ILP32));
        read_u64(&self.bytes, word * 8)
    }

    /// Overwrites the bits of an aligned word only.
    pub fn set_word(&mut self, word: usize, bits: u64) {
        self.bytes[word * 8..word * 8 + 8].copy_from_slice(&bits.to_le_bytes());
    }

    /// Returns the indices of the words that hold addresses.
    pub fn pointer_words(&self) -> impl Iterator<Item = usize> + '_ {
        set_bits(self.pointers.iter().copied())
    }

    /// Appends the stored form.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let undefined = self.undefined.iter().any(|&b| b != 0);
        let pointers = self.pointers.iter().any(|&w| w != 0);
        let mut flags = self.flags;
        flags.set(Flags::UNDEFINED, undefined);
        flags.set(Flags::POINTERS, pointers);
        let times = self.times.iter().any(|&time| time != 0);
        let terms = !self.terms.is_empty() && self.live_terms().next().is_some();
        let limit = !self.limit.is_none();
        let planes =
            (times as u8 * HAS_TIMES) | (terms as u8 * HAS_TERMS) | (limit as u8 * HAS_LIMIT);
        out.extend_from_slice(&[flags.0, self.class as u8, self.align_log2, planes]);
        out.extend_from_slice(&self.size.to_le_bytes());
        let (function, position) = match self.origin {
            Some(place) => (place.function.0 + 1, place.position.0),
            None => (0, 0),
        };
        out.extend_from_slice(&function.to_le_bytes());
        out.extend_from_slice(&position.to_le_bytes());
        out.extend_from_slice(&self.bytes);
        if undefined {
            out.extend_from_slice(&self.undefined);
        }
        if times {
            out.extend_from_slice(&self.times);
        }
        if pointers {
            let count = self.bytes.len().div_ceil(self.word_bytes()).div_ceil(8);
            let bytes = self.pointers.iter().flat_map(|w| w.to_le_bytes());
            out.extend(bytes.take(count));
        }
        if terms {
            let mut count: u32 = 0;
            for part in self.live_terms() {
                out.extend_from_slice(&part.offset.to_le_bytes());
                out.extend_from_slice(&part.term.to_bits().to_le_bytes());
                out.push(part.byte);
                count += 1;
            }
            out.extend_from_slice(&count.to_le_bytes());
        }
        if limit {
            out.extend_from_slice(&self.limit.to_bits().to_le_bytes());
        }
    }

    /// Returns the bytes that are parts of terms, in order.
    pub fn live_terms(&self) -> impl Iterator<Item = TermByte> + '_ {
        let is_there = |part: &&TermByte| self.undefined.get(part.offset as usize) == Some(&0xff);
        self.terms.iter().filter(is_there).copied()
    }

    /// Says of which terms the bytes of a range are parts: `parts` has those that are, with their
    /// offsets in the range. Each must be undefined.
    pub fn set_terms(&mut self, range: Range<usize>, parts: impl IntoIterator<Item = TermByte>) {
        let start = range.start as u32;
        self.terms
            .retain(|part| !range.contains(&(part.offset as usize)));
        let at = self.terms.partition_point(|part| part.offset < start);
        let parts = parts.into_iter().map(|part| TermByte {
            offset: part.offset + start,
            ..part
        });
        self.terms.splice(at..at, parts);
    }
}

/// Returns how a value depends on the time, given how its bytes do. Fewer than eight bytes are a
/// part of one.
pub fn joined(times: &[u8]) -> Time {
    match times {
        [first, rest @ ..] if times.len() == 8 && rest.iter().all(|time| time == first) => {
            Time(*first)
        }
        _ => times
            .iter()
            .fold(Time::NONE, |all, &time| all.or(Time(time))),
    }
}

/// Returns the dynamic objects into which addresses of a list point.
pub fn dynamic(addresses: impl Iterator<Item = Address>) -> impl Iterator<Item = ObjectId> {
    addresses.map(|a| a.object).filter(|o| o.is_dynamic())
}

/// Returns the indices of the bits that are set, in order.
pub fn set_bits(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(i, word)| {
        std::iter::successors((word != 0).then_some(word), |w| {
            let rest = w & (w - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |w| i * 64 + w.trailing_zeros() as usize)
    })
}

#[inline]
fn read_u64(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
