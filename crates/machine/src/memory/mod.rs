//! Memory while a step runs: the objects of a state, and copies of those that the step wrote.
//!
//! Reading goes to the stored form that states share; the first write to an object makes a copy, and only copies
//! are stored again when the step ends.
//!
//! **Addresses as numbers.** Objects made while running are renamed when a state is stored (see the module `canonical`), so
//! a program must not see their numbers. Where it could (part of an address is read as bytes, addresses of different objects
//! are ordered, an address is used in arithmetic that is not on addresses), the object is *pinned*: it keeps
//! its number for life, and an integer that equals its address can be used as one.
//!
//! **Short addresses.** In programs whose pointers have 32 bits, an address in memory is a number of four bytes (`impasse_program::short`).
//! What reads it as anything but a pointer sees the number, and the object is pinned; integers are never addresses there, and
//! give the right to access an object only if it is pinned. Such programs are executed, and no state of theirs is stored.

pub mod bands;
pub mod describe;
pub mod object;
pub mod part;

use crate::fault::{CodePlace, ErrorKind, Result, error, unsupported};
use crate::memo::{Footprint, Part};
use crate::system::System;
use crate::unwind::Tables;
use bands::Bands;
use impasse_program::address::{Address, MAX_OBJECT_BYTES, ObjectId, ObjectKind};
use impasse_program::link::Program;
use impasse_program::short::ShortAddresses;
use impasse_program::word::{Word, mask};
use impasse_store::{Id, Interner};
use object::{Class, Flags, Object, ObjectView};
use part::Written;
use std::cell::Cell;

/// Where an object is at present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// No object has this number.
    Hole,
    /// In the component store.
    Stored(Id),
    /// A copy that this step wrote: index into the copies.
    Copied(u32),
}

/// An object to read from.
#[derive(Clone, Copy)]
pub enum ObjectRef<'a> {
    /// In its stored form.
    Stored(ObjectView<'a>),
    /// A copy.
    Copied(&'a Object),
}

impl<'a> ObjectRef<'a> {
    /// Facts.
    #[inline]
    pub fn flags(self) -> Flags {
        match self {
            ObjectRef::Stored(o) => o.flags(),
            ObjectRef::Copied(o) => o.flags,
        }
    }

    /// Size in bytes.
    #[inline]
    pub fn size(self) -> u32 {
        match self {
            ObjectRef::Stored(o) => o.size(),
            ObjectRef::Copied(o) => o.size,
        }
    }

    /// What it is for.
    pub fn class(self) -> Class {
        match self {
            ObjectRef::Stored(o) => o.class(),
            ObjectRef::Copied(o) => o.class,
        }
    }

    /// Where it was made.
    pub fn origin(self) -> Option<CodePlace> {
        match self {
            ObjectRef::Stored(o) => o.origin(),
            ObjectRef::Copied(o) => o.origin,
        }
    }

    /// The content.
    #[inline]
    pub fn bytes(self) -> &'a [u8] {
        match self {
            ObjectRef::Stored(o) => o.bytes(),
            ObjectRef::Copied(o) => &o.bytes,
        }
    }

    /// The undefined bits of each byte; empty if all are defined.
    #[inline]
    pub fn undefined(self) -> &'a [u8] {
        match self {
            ObjectRef::Stored(o) => o.undefined(),
            ObjectRef::Copied(o) => &o.undefined,
        }
    }

    /// Whether an aligned word holds an address.
    #[inline]
    pub fn is_pointer(self, word: usize) -> bool {
        match self {
            ObjectRef::Stored(o) => o.is_pointer(word),
            ObjectRef::Copied(o) => o.is_pointer(word),
        }
    }

    /// Calls `f` with each address that it holds, in order.
    pub fn for_each_pointer(self, mut f: impl FnMut(Address)) {
        match self {
            ObjectRef::Stored(o) => o.pointers().for_each(f),
            ObjectRef::Copied(o) => o
                .pointer_words()
                .for_each(|w| f(Address::from_bits(o.word(w)))),
        }
    }
}

/// What an access does, for checks and messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Reads.
    Read,
    /// Writes.
    Write,
}

/// A checked place in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The object.
    pub object: ObjectId,
    /// The offset, inside the object.
    pub offset: usize,
}

/// A copy that a step made to write to.
#[derive(Clone, Debug)]
struct Copy {
    object: Object,
    /// The stored form that it was copied from; none for a new object.
    original: Option<Id>,
    /// Its number when it was made.
    id: ObjectId,
    /// Whether only some words of it are known to the step (see [`part`]).
    in_part: Cell<bool>,
    /// Which of these it wrote.
    written: Written,
}

impl Copy {
    fn new(object: Object, original: Option<Id>, id: ObjectId) -> Copy {
        Copy {
            object,
            original,
            id,
            in_part: Cell::new(false),
            written: Written::new(),
        }
    }
}

/// The memory of one state under execution.
pub struct Memory<'s> {
    /// The program, for constants and names.
    pub program: &'s Program,
    /// Where stored forms live.
    pub store: &'s Interner,
    /// The initial stored form of every global.
    pub initial: &'s [Id],
    /// The exception tables of functions.
    tables: &'s Tables,
    /// Mutable globals.
    pub globals: Vec<Entry>,
    /// One bit for each global: whether it may name an object made while running.
    pub naming: Vec<u64>,
    /// Objects made while running.
    pub dynamic: Vec<Entry>,
    copies: Vec<Copy>,
    /// Whether more than one thread is alive, so that it matters who can reach what.
    pub concurrent: bool,
    /// Whether objects were made or freed, so that names have to be settled again.
    pub reshaped: bool,
    /// Whether it may have changed what others than the running thread reach.
    pub regrouped: bool,
    /// How numbers are divided among threads.
    pub bands: Bands,
    /// The band that new objects have numbers of.
    pub band: u32,
    /// Where in the band to look first for a free number.
    next: u32,
    /// What a step looks at.
    pub footprint: Footprint,
    /// Globals that the step knew in part when all was stored, with the words that it wrote.
    pub patched: Vec<(u32, Written)>,
    /// Which numbers addresses have, if they take four bytes.
    short: Option<ShortAddresses>,
    /// Words that may hold addresses have two to the power of so many bytes.
    word_log2: u32,
}

impl<'s> Memory<'s> {
    /// Memory without any object.
    pub fn new(system: &'s System) -> Self {
        Memory {
            program: &system.program,
            store: &system.store,
            initial: &system.initial,
            tables: &system.tables,
            globals: Vec::new(),
            naming: Vec::new(),
            dynamic: Vec::new(),
            copies: Vec::new(),
            concurrent: false,
            reshaped: false,
            regrouped: false,
            bands: Bands::of(1),
            band: 0,
            next: 0,
            footprint: Footprint::default(),
            patched: Vec::new(),
            short: system.program.short().cloned(),
            word_log2: system.program.pointer().bytes().trailing_zeros(),
        }
    }

    /// Becomes a copy of another, keeping its own allocations.
    pub fn restore(&mut self, from: &Memory<'s>) {
        self.globals.clone_from(&from.globals);
        self.naming.clone_from(&from.naming);
        self.dynamic.clone_from(&from.dynamic);
        self.copies.clone_from(&from.copies);
        self.concurrent = from.concurrent;
        self.reshaped = from.reshaped;
        self.regrouped = from.regrouped;
        self.bands = from.bands;
        self.band = from.band;
        self.next = from.next;
        self.patched.clear();
        self.short.clone_from(&from.short);
    }

    /// Where an object is.
    #[inline]
    pub fn entry(&self, object: ObjectId) -> Entry {
        match object.kind() {
            ObjectKind::Global(n) => match self.globals.get(n as usize) {
                Some(&entry) => {
                    self.note(Part::Global(n), entry);
                    entry
                }
                None => self
                    .initial
                    .get(n as usize)
                    .map_or(Entry::Hole, |&id| Entry::Stored(id)),
            },
            ObjectKind::Dynamic(n) => {
                let entry = self.dynamic.get(n as usize).copied();
                let entry = entry.unwrap_or(Entry::Hole);
                self.note(Part::Dynamic(n), entry);
                entry
            }
            ObjectKind::Table(n) => self
                .tables
                .stored(self.program, self.store, n)
                .map_or(Entry::Hole, Entry::Stored),
            ObjectKind::Null | ObjectKind::Function(_) => Entry::Hole,
        }
    }

    #[inline]
    fn note(&self, part: Part, entry: Entry) {
        match entry {
            Entry::Copied(n) => {
                if self.copies[n as usize].in_part.replace(false) {
                    self.footprint.note_late(part);
                }
            }
            Entry::Hole | Entry::Stored(_) => self.footprint.note(part),
        }
    }

    /// The object behind an entry.
    #[inline]
    pub fn at(&self, entry: Entry) -> Option<ObjectRef<'_>> {
        match entry {
            Entry::Hole => None,
            Entry::Stored(id) => Some(ObjectRef::Stored(ObjectView::new(self.store.get(id)))),
            Entry::Copied(n) => Some(ObjectRef::Copied(&self.copies[n as usize].object)),
        }
    }

    /// An object to read.
    #[inline]
    pub fn get(&self, object: ObjectId) -> Option<ObjectRef<'_>> {
        self.at(self.entry(object))
    }

    /// The same without noting that it was looked at: whoever asks has noted what matters.
    pub fn peek(&self, object: ObjectId) -> Option<ObjectRef<'_>> {
        let entry = match object.kind() {
            ObjectKind::Global(n) => self.globals.get(n as usize),
            ObjectKind::Dynamic(n) => self.dynamic.get(n as usize),
            _ => None,
        };
        self.at(*entry?)
    }

    /// Whether there is an object made while running with this name.
    pub fn exists(&self, object: ObjectId) -> bool {
        object.is_dynamic() && self.peek(object).is_some()
    }

    /// An object to write, copied first if need be. It must exist and not be a constant.
    #[inline]
    pub fn get_mut(&mut self, object: ObjectId) -> &mut Object {
        let index = match self.entry(object) {
            Entry::Copied(n) => n,
            Entry::Stored(id) => {
                let copy = ObjectView::new(self.store.get(id)).to_object();
                self.copy_of(object, copy, id)
            }
            Entry::Hole => unreachable!("writing to no object"),
        };
        &mut self.copies[index as usize].object
    }

    fn copy_of(&mut self, object: ObjectId, copy: Object, original: Id) -> u32 {
        let index = self.copies.len() as u32;
        self.copies.push(Copy::new(copy, Some(original), object));
        let slot = match object.kind() {
            ObjectKind::Global(n) => {
                self.naming[n as usize / 64] |= 1 << (n % 64);
                &mut self.globals[n as usize]
            }
            ObjectKind::Dynamic(n) => &mut self.dynamic[n as usize],
            _ => unreachable!("only globals and dynamic objects have content"),
        };
        *slot = Entry::Copied(index);
        index
    }

    /// Adds an object.
    pub fn allocate(&mut self, mut object: Object) -> ObjectId {
        object.flags.set(Flags::SHARED, false);
        let number = self.free_number();
        let id = ObjectId::dynamic(number);
        if let Some(short) = &mut self.short {
            short.add(id, object.size, object.align_log2);
            object.flags.set(Flags::SHORT, true);
        }
        let index = self.copies.len() as u32;
        self.copies.push(Copy::new(object, None, id));
        if self.dynamic.len() <= number as usize {
            self.dynamic.resize(number as usize + 1, Entry::Hole);
        }
        self.dynamic[number as usize] = Entry::Copied(index);
        self.reshaped = true;
        id
    }

    /// Chooses the band that new objects have numbers of.
    pub fn enter_band(&mut self, band: u32) {
        (self.band, self.next) = (band, 0);
    }

    /// A number of the present band that no object has. Bands are filled from below, but for objects that are pinned.
    fn free_number(&mut self) -> u32 {
        let (bands, band) = (self.bands, self.band);
        let free = |n: u32| {
            let entry = self.entry(ObjectId::dynamic(bands.number(band, n)));
            entry == Entry::Hole
        };
        let (mut taken, mut step) = (self.next, 1);
        if !free(taken) {
            while !free(taken + step) {
                taken += step;
                step *= 2;
            }
            while step > 1 {
                step /= 2;
                taken += if free(taken + step) { 0 } else { step };
            }
            taken += 1;
        }
        self.next = taken;
        bands.number(band, taken)
    }

    /// Frees an object that exists: what remains is that it was there.
    pub fn free(&mut self, object: ObjectId) {
        let pinned = |o: ObjectRef| o.flags().has(Flags::PINNED);
        self.regrouped |= self.get(object).is_some_and(pinned);
        match self.entry(object) {
            Entry::Copied(_) => self.get_mut(object).free(),
            Entry::Stored(id) => {
                let stored = ObjectView::new(self.store.get(id));
                self.copy_of(object, stored.to_freed(), id);
            }
            Entry::Hole => {}
        }
        self.reshaped = true;
    }

    /// Frees an object that may be gone already.
    pub fn free_local(&mut self, object: ObjectId) {
        let freed = |o: ObjectRef| o.flags().has(Flags::FREED);
        if self.get(object).is_some_and(|o| !freed(o)) {
            self.free(object);
        }
    }

    /// Whether other threads can notice an access to the object.
    #[inline]
    pub fn observable(&self, object: ObjectId) -> bool {
        self.concurrent
            && match object.kind() {
                ObjectKind::Global(n) => (n as usize) < self.globals.len(),
                ObjectKind::Dynamic(_) => self
                    .get(object)
                    .is_some_and(|o| o.flags().has(Flags::SHARED | Flags::PINNED)),
                _ => false,
            }
    }

    /// The place that an address names, before any check of bounds. An undefined address is an error.
    #[inline]
    pub fn address(&self, word: Word) -> Result<Address> {
        if !word.is_defined() {
            return error(
                ErrorKind::UndefinedValue,
                "an address depends on an undefined value",
            );
        }
        Ok(Address::from_bits(word.bits))
    }

    /// Checks an access of `bytes` bytes.
    #[inline]
    pub fn check(&self, word: Word, address: Address, bytes: u64, access: Access) -> Result<Spot> {
        if let Some(object) = self.header(address.object) {
            let flags = object.flags;
            let inside = address.offset >= 0
                && (address.offset as u64).saturating_add(bytes) <= object.size as u64;
            let dynamic = address.object.is_dynamic();
            let entitled = word.pointer || !dynamic || flags.has(Flags::PINNED);
            let writable = access == Access::Read || dynamic || self.is_mutable(address.object);
            if inside && entitled && writable && !flags.has(Flags::FREED | Flags::ENDED) {
                return Ok(Spot {
                    object: address.object,
                    offset: address.offset as usize,
                });
            }
        }
        self.explain_bad_access(word, address, bytes, access)
    }

    fn is_mutable(&self, object: ObjectId) -> bool {
        matches!(object.kind(), ObjectKind::Global(n) if (n as usize) < self.globals.len())
    }

    /// Checks and resolves in one go.
    pub fn resolve(&self, word: Word, bytes: u64, access: Access) -> Result<Spot> {
        let address = self.address(word)?;
        self.check(word, address, bytes, access)
    }

    /// The words that some bytes belong to.
    #[inline]
    fn words(&self, range: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        let last = (1 << self.word_log2) - 1;
        range.start >> self.word_log2..(range.end + last) >> self.word_log2
    }

    /// Reads up to eight bytes; where addresses are short, a number.
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
        if bytes == 8 && spot.offset.is_multiple_of(8) && self.short.is_none() {
            let pointer = object.is_pointer(spot.offset / 8);
            return Word {
                bits: bits & !undefined,
                undefined,
                pointer,
            };
        }
        let words = self.words(&range);
        if words.clone().any(|w| object.is_pointer(w)) {
            self.pin_targets(spot.object, words);
        }
        Word {
            bits: bits & !undefined,
            undefined,
            pointer: false,
        }
    }

    /// Writes up to eight bytes.
    #[inline]
    pub fn store(&mut self, spot: Spot, bytes: usize, value: Word) {
        let range = spot.offset..spot.offset + bytes;
        let whole = bytes == 8 && spot.offset.is_multiple_of(8) && self.short.is_none();
        if !whole {
            self.split_pointers(spot.object, range.clone());
            self.pin_word(value);
        }
        let object = self.part_mut(spot.object, range.clone());
        object.bytes[range.clone()].copy_from_slice(&value.bits.to_le_bytes()[..bytes]);
        let undefined = value.undefined & mask(bytes as u32 * 8);
        if undefined != 0 || !object.undefined.is_empty() {
            object.undefined_mut()[range].copy_from_slice(&value.undefined.to_le_bytes()[..bytes]);
        }
        if whole {
            if value.pointer {
                object.mark_pointer(spot.offset / 8);
                self.stored_pointer(spot.object, value.bits);
            } else {
                object.clear_pointer(spot.offset / 8);
            }
        }
    }

    /// Which numbers addresses have, if they take four bytes.
    pub fn short(&self) -> Option<&ShortAddresses> {
        self.short.as_ref()
    }

    /// The number that an address has in memory where addresses are short.
    pub fn shorten(&self, word: Word) -> Result<Word> {
        if word.undefined & mask(32) == mask(32) {
            return Ok(Word::undefined(32));
        }
        let short = self.short.as_ref().expect("addresses are short");
        match short.shorten(word.bits).filter(|_| word.is_defined()) {
            Some(number) => Ok(Word::number(number.into())),
            None => {
                let place = Address::from_bits(word.bits);
                unsupported(format!(
                    "an address that 32 bits cannot express: {} bytes from the start of {}",
                    place.offset,
                    self.describe(place.object)
                ))
            }
        }
    }

    /// The number of an address that the program is going to see.
    pub fn expose_short(&mut self, word: Word) -> Result<Word> {
        let number = self.shorten(word)?;
        if number.is_defined() {
            self.pin(Address::from_bits(word.bits).object);
        }
        Ok(number)
    }

    /// The address that the lowest 32 bits of a number are.
    pub fn widen(&self, number: Word) -> Word {
        if number.undefined & mask(32) != 0 {
            return Word::undefined(64);
        }
        let short = self.short.as_ref().expect("addresses are short");
        let bits = short.widen(number.bits as u32);
        let object = self.get(Address::from_bits(bits).object);
        Word {
            bits,
            undefined: 0,
            pointer: object.is_some_and(|o| o.flags().has(Flags::PINNED)),
        }
    }

    /// Reads an address that takes four bytes.
    pub fn load_short(&mut self, spot: Spot) -> Word {
        let object = self.get(spot.object).expect("a checked place");
        let marked = spot.offset.is_multiple_of(4) && object.is_pointer(spot.offset / 4);
        let (bytes, undefined) = (object.bytes(), object.undefined());
        let range = spot.offset..spot.offset + 4;
        let number = Word {
            bits: little_endian(&bytes[range.clone()]),
            undefined: undefined.get(range).map_or(0, little_endian),
            pointer: false,
        };
        let word = self.widen(number);
        word.with_pointer(marked || word.pointer)
    }

    /// Writes an address that takes four bytes, and that has a number.
    pub fn store_short(&mut self, spot: Spot, word: Word) {
        let number = self.shorten(word).expect("an address that has a number");
        let aligned = spot.offset.is_multiple_of(4);
        if word.pointer && !aligned {
            self.pin_word(word);
        }
        self.store(spot, 4, number);
        if word.pointer && aligned {
            self.get_mut(spot.object).mark_pointer(spot.offset / 4);
        }
    }

    /// Before the bytes are overwritten: words of addresses that would be overwritten in part stop being
    /// addresses, and what they name is pinned.
    fn split_pointers(&mut self, object: ObjectId, range: std::ops::Range<usize>) {
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
                self.pin_targets(object, word..word + 1);
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
        let (words, log2) = (self.words(&range), self.word_log2);
        let held: Vec<usize> = words.filter(|&w| source.is_pointer(w)).collect();
        let aligned = to.offset.abs_diff(from.offset).is_multiple_of(1 << log2);
        let (moved, broken): (Vec<usize>, Vec<usize>) = held
            .into_iter()
            .partition(|w| aligned && w << log2 >= range.start && (w + 1) << log2 <= range.end);
        for word in broken {
            self.pin_targets(from.object, word..word + 1);
        }
        let target = to.offset..to.offset + bytes;
        self.split_pointers(to.object, target.clone());
        let object = self.part_mut(to.object, target.clone());
        object.bytes[target.clone()].copy_from_slice(&content);
        if !undefined.is_empty() {
            object.undefined_mut()[target.clone()].copy_from_slice(&undefined);
        } else if !object.undefined.is_empty() {
            object.undefined[target.clone()].fill(0);
        }
        for word in moved {
            let word = ((word << log2) - from.offset + to.offset) >> log2;
            let is_short = self.short.is_some();
            let object = self.part_mut(to.object, target.clone());
            object.mark_pointer(word);
            if !is_short {
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
        object.bytes[range.clone()].fill(value.bits as u8);
        let undefined = value.undefined as u8;
        if undefined != 0 || !object.undefined.is_empty() {
            object.undefined_mut()[range].fill(undefined);
        }
    }

    /// Notes that an address was written to an object: what a shared object points to is shared.
    #[inline]
    fn stored_pointer(&mut self, into: ObjectId, bits: u64) {
        let target = Address::from_bits(bits).object;
        if self.concurrent && target.is_dynamic() && self.observable(into) {
            self.publish(target);
        }
    }

    /// Marks an object, and all that can be reached from it, as reachable by several threads.
    pub fn publish(&mut self, object: ObjectId) {
        let mut pending = vec![object];
        while let Some(object) = pending.pop() {
            let Some(view) = self.get(object) else {
                continue;
            };
            if !object.is_dynamic() || view.flags().has(Flags::SHARED) {
                continue;
            }
            view.for_each_pointer(|a| pending.push(a.object));
            self.get_mut(object).flags.set(Flags::SHARED, true);
        }
    }

    /// Pins what these words of an object name.
    fn pin_targets(&mut self, object: ObjectId, words: std::ops::Range<usize>) {
        let Some(view) = self.get(object) else {
            return;
        };
        let targets: Vec<ObjectId> = words
            .filter(|&w| view.is_pointer(w))
            .map(|w| {
                let bytes = &view.bytes()[w << self.word_log2..(w + 1) << self.word_log2];
                let bits = match &self.short {
                    Some(short) => short.widen(little_endian(bytes) as u32),
                    None => little_endian(bytes),
                };
                Address::from_bits(bits).object
            })
            .collect();
        for target in targets {
            self.pin(target);
        }
    }

    /// Pins an object: its number was, or may have been, observed.
    pub fn pin(&mut self, object: ObjectId) {
        let pinned = |o: ObjectRef| o.flags().has(Flags::PINNED);
        if object.is_dynamic() && self.get(object).is_some_and(|o| !pinned(o)) {
            self.get_mut(object).flags.set(Flags::PINNED, true);
            self.regrouped = true;
        }
    }

    /// Pins what a word names, if it is an address.
    #[inline]
    pub fn pin_word(&mut self, word: Word) {
        if word.pointer {
            self.pin(Address::from_bits(word.bits).object);
        }
    }

    /// Reads a C string, up to a limit.
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

    /// Whether some copy names other objects than its original, or in another order.
    pub fn pointers_changed(&self) -> bool {
        self.copies.iter().any(|copy| match copy.original {
            Some(original) => self.names_others(copy, original),
            None => true,
        })
    }

    /// The same, apart from new objects and those whose number and original `own` accepts.
    pub fn foreign_pointers_changed(&self, own: impl Fn(u32, Flags) -> bool) -> bool {
        self.copies.iter().any(|copy| {
            let Some(original) = copy.original else {
                return false;
            };
            let flags = ObjectView::new(self.store.get(original)).flags();
            let is_own = matches!(copy.id.kind(), ObjectKind::Dynamic(n) if own(n, flags));
            !is_own && self.names_others(copy, original)
        })
    }

    fn names_others(&self, copy: &Copy, original: Id) -> bool {
        let original = ObjectView::new(self.store.get(original));
        if copy.in_part.get() {
            return copy.words_name_others(original);
        }
        let before = original.pointers();
        let words = copy.object.pointer_words();
        let after = words.map(|w| Address::from_bits(copy.object.word(w)));
        !object::dynamic(before).eq(object::dynamic(after))
    }

    /// The numbers of the objects that the step made.
    pub fn made(&self) -> impl Iterator<Item = u32> + '_ {
        let new = self.copies.iter().filter(|copy| copy.original.is_none());
        new.filter_map(|copy| match copy.id.kind() {
            ObjectKind::Dynamic(n) => Some(n),
            _ => None,
        })
    }

    /// Stores every copy, so that each entry is a hole or stored. `buffer` is scratch.
    pub fn settle(&mut self, buffer: &mut Vec<u8>) {
        let (store, copies) = (self.store, &self.copies);
        let mut stored = |n: usize| {
            buffer.clear();
            copies[n].object.encode(buffer);
            Entry::Stored(store.intern(buffer).id)
        };
        for (n, copy) in copies.iter().enumerate() {
            if let ObjectKind::Global(global) = copy.id.kind() {
                self.globals[global as usize] = stored(n);
                if copy.in_part.get() {
                    self.patched.push((global, copy.written.clone()));
                }
            }
        }
        for entry in &mut self.dynamic {
            if let Entry::Copied(n) = *entry {
                *entry = stored(n as usize);
            }
        }
        self.copies.clear();
    }
}

/// Whether a size can be allocated at all.
pub fn allocatable(bytes: u64) -> bool {
    bytes <= MAX_OBJECT_BYTES
}

#[inline]
fn little_endian(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
