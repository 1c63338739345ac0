//! Memory while a step runs: the objects of a state, and copies of those that the step wrote.
//!
//! Reading goes to the stored form that states share; the first write to an object makes a copy,
//! and only copies are stored again when the step ends.
//!
//! **Addresses as numbers.** Objects made while running are renamed when a state is stored (see the
//! module `canonical`), so a program must not see their numbers. Where it could (part of an address
//! is read as bytes, addresses of different objects are ordered, an address is used in arithmetic
//! that is not on addresses), the object is *exposed*: it keeps its number for life, and an integer
//! that equals its address can be used as one.

mod access;
pub mod describe;
pub mod id_ranges;
mod ilp32;
mod journal;
pub mod object;
mod reach;
pub mod reuse;
mod terms;
mod view;
pub mod word_reads;

pub use view::ObjectRef;

use crate::state::exception_tables::Tables;
use crate::state::journal::Journal;
use crate::state::read_set::{ReadSet, ReadSetEntry};
use crate::state::stale::Stale;
use crate::value::symbolic::SharedTerms;
use id_ranges::IdRanges;
use impasse_program::address::{Address, MAX_OBJECT_BYTES, ObjectId, ObjectKind};
use impasse_program::ilp32::Ilp32Addresses;
use impasse_program::link::Program;
use impasse_store::{Id, Interner};
use object::{Flags, Object, ObjectView};
use reuse::Reuse;
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::Arc;
use word_reads::Written;

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
    /// Whether objects were made or freed, so that the heap must be canonicalised again.
    pub reshaped: bool,
    /// Whether it may have changed what others than the running thread reach.
    pub regrouped: bool,
    /// Whether the step wrote to a global variable or to allocated memory.
    pub written: bool,
    /// How numbers are divided among threads.
    pub id_ranges: IdRanges,
    /// The id range that new objects have numbers of.
    pub id_range: u32,
    /// Where in the id range to look first for a free number.
    next: u32,
    /// What a step reads.
    pub read_set: ReadSet,
    /// Whether objects made while running came or changed their numbers since the base state.
    pub renumbered: bool,
    /// Globals of which the step had made copies when all was stored.
    pub copied_globals: Vec<u32>,
    /// The same of objects made while running, unless some were renumbered.
    pub copied_dynamic: Vec<u32>,
    /// Those of them that it knew in part, with the words that it wrote.
    pub patched: Vec<(u32, Written)>,
    /// Which numbers addresses have, if they take four bytes.
    ilp32: Option<Ilp32Addresses>,
    /// What is known of freed addresses that are used again, where that is explored.
    pub reuse: Option<Arc<Reuse>>,
    /// The objects made while running that older messages of atomics name, in order.
    pub in_messages: Vec<ObjectId>,
    /// What a replay knows of the past; none in a search.
    pub journal: Option<Arc<Journal>>,
    /// A new object, and a freed one whose number the program has seen and the new one is to have.
    pub takes_number: Option<(ObjectId, ObjectId)>,
    /// The running thread.
    pub running: u32,
    /// Whether the number of a freed object was seen of which others may have the address.
    pub sees_stale_number: bool,
    /// What the program could tell from the reuse of addresses.
    stale: &'s Stale,
    /// Whether states have a happens-before history: local variables that were shared stay until
    /// their scope ends.
    pub keeps_escaped: bool,
    /// Whether a local variable is a new object when its scope begins again. Not under ILP32, where
    /// objects keep their addresses.
    pub renews_locals: bool,
    /// The terms that values may be, if inputs are followed symbolically.
    pub terms: Option<&'s SharedTerms>,
    /// Whether bytes were read together of which some are parts of terms and others undefined.
    pub mixes_terms: Cell<bool>,
    /// What the running instruction knows of the sizes of objects that depend on inputs.
    pub limits: SmallVec<[(ObjectId, Limit); 2]>,
    /// Words that may hold addresses have two to the power of so many bytes.
    word_log2: u32,
}

/// What an instruction knows of the size of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// It has at least so many bytes.
    AtLeast(u64),
    /// It has just so many bytes, which an access exceeds.
    Exceeded(u64),
}

impl Limit {
    /// Returns whether an access exceeds the object.
    pub fn is_exceeded(self) -> bool {
        matches!(self, Limit::Exceeded(_))
    }
}

/// What the memories of all search threads share.
pub struct Shared<'s> {
    /// The program.
    pub program: &'s Program,
    /// Stored forms.
    pub store: &'s Interner,
    /// The initial stored form of every global.
    pub initial: &'s [Id],
    /// The exception tables of functions.
    pub tables: &'s Tables,
    /// Whether the program could tell that freed addresses are used again.
    pub stale: &'s Stale,
    /// Whether they are.
    pub reuses_addresses: bool,
    /// Whether local variables that were shared stay until their scope ends.
    pub keeps_escaped: bool,
    /// The terms that values may be, if inputs are followed symbolically.
    pub terms: Option<&'s SharedTerms>,
}

impl<'s> Memory<'s> {
    /// Returns memory without any object.
    pub fn new(shared: Shared<'s>) -> Self {
        Memory {
            program: shared.program,
            store: shared.store,
            initial: shared.initial,
            tables: shared.tables,
            globals: Vec::new(),
            naming: Vec::new(),
            dynamic: Vec::new(),
            copies: Vec::new(),
            in_messages: Vec::new(),
            concurrent: false,
            reshaped: false,
            regrouped: false,
            written: false,
            id_ranges: IdRanges::of(1),
            id_range: 0,
            next: 0,
            read_set: ReadSet::default(),
            renumbered: false,
            copied_globals: Vec::new(),
            copied_dynamic: Vec::new(),
            patched: Vec::new(),
            ilp32: shared.program.ilp32().cloned(),
            reuse: shared.reuses_addresses.then(Arc::default),
            journal: None,
            takes_number: None,
            running: 0,
            sees_stale_number: false,
            stale: shared.stale,
            keeps_escaped: shared.keeps_escaped,
            renews_locals: shared.program.ilp32().is_none(),
            terms: shared.terms,
            mixes_terms: Cell::new(false),
            limits: SmallVec::new(),
            word_log2: shared.program.pointer().bytes().trailing_zeros(),
        }
    }

    /// Becomes a copy of another one, keeping its own allocations.
    pub fn restore(&mut self, from: &Memory<'s>) {
        self.globals.clone_from(&from.globals);
        self.naming.clone_from(&from.naming);
        self.dynamic.clone_from(&from.dynamic);
        self.copies.clone_from(&from.copies);
        self.concurrent = from.concurrent;
        self.reshaped = from.reshaped;
        self.regrouped = from.regrouped;
        self.renumbered = from.renumbered;
        self.id_ranges = from.id_ranges;
        self.id_range = from.id_range;
        self.next = from.next;
        self.patched.clear();
        self.ilp32.clone_from(&from.ilp32);
        self.reuse.clone_from(&from.reuse);
        self.journal.clone_from(&from.journal);
        self.takes_number = from.takes_number;
        self.sees_stale_number = from.sees_stale_number;
        self.running = from.running;
    }

    /// Returns where an object is stored, and records the read.
    #[inline]
    pub fn entry(&self, object: ObjectId) -> Entry {
        match object.kind() {
            ObjectKind::Global(n) => match self.globals.get(n as usize) {
                Some(&entry) => {
                    self.note(ReadSetEntry::Global(n), entry);
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
                self.note(ReadSetEntry::Dynamic(n), entry);
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
    fn note(&self, part: ReadSetEntry, entry: Entry) {
        match entry {
            Entry::Copied(n) => {
                if self.copies[n as usize].in_part.replace(false) {
                    self.read_set.note_late(part);
                }
            }
            Entry::Hole | Entry::Stored(_) => self.read_set.note(part),
        }
    }

    /// Returns the object behind an entry, or `None` for a hole.
    #[inline]
    pub fn at(&self, entry: Entry) -> Option<ObjectRef<'_>> {
        match entry {
            Entry::Hole => None,
            Entry::Stored(id) => Some(ObjectRef::Stored(ObjectView::new(self.store.get(id)))),
            Entry::Copied(n) => Some(ObjectRef::Copied(&self.copies[n as usize].object)),
        }
    }

    /// Returns an object to read, or `None` if it does not exist.
    #[inline]
    pub fn get(&self, object: ObjectId) -> Option<ObjectRef<'_>> {
        self.at(self.entry(object))
    }

    /// Returns an object as [`Memory::get`] does, without recording the read.
    pub fn peek(&self, object: ObjectId) -> Option<ObjectRef<'_>> {
        let entry = match object.kind() {
            ObjectKind::Global(n) => self.globals.get(n as usize),
            ObjectKind::Dynamic(n) => self.dynamic.get(n as usize),
            _ => None,
        };
        self.at(*entry?)
    }

    /// Returns whether a dynamic object with this name exists.
    pub fn exists(&self, object: ObjectId) -> bool {
        object.is_dynamic() && self.peek(object).is_some()
    }

    /// Returns an object to write, copied first if need be. Panics if it does not exist; it must
    /// not be a constant.
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
        self.make_reusable(id, object.class);
        if let Some(ilp32) = &mut self.ilp32 {
            ilp32.add(id, object.size, object.align_log2);
            object.flags.set(Flags::ILP32, true);
        }
        let index = self.copies.len() as u32;
        self.copies.push(Copy::new(object, None, id));
        if self.dynamic.len() <= number as usize {
            self.dynamic.resize(number as usize + 1, Entry::Hole);
        }
        self.dynamic[number as usize] = Entry::Copied(index);
        self.reshaped = true;
        self.renumbered = true;
        id
    }

    /// Gives new objects numbers of this id range from now on.
    pub fn enter_id_range(&mut self, id_range: u32) {
        (self.id_range, self.next) = (id_range, 0);
    }

    /// A number of the present id range that no object has. IdRanges are filled from below, but for
    /// objects that are exposed.
    fn free_number(&mut self) -> u32 {
        let (id_ranges, id_range) = (self.id_ranges, self.id_range);
        let free = |n: u32| {
            let entry = self.entry(ObjectId::dynamic(id_ranges.number(id_range, n)));
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
        id_ranges.number(id_range, taken)
    }

    /// Frees an object that exists, and keeps that it was there.
    pub fn free(&mut self, object: ObjectId) {
        let exposed = |o: ObjectRef| o.flags().has(Flags::EXPOSED);
        if self.get(object).is_some_and(exposed) {
            self.regrouped = true;
            self.note_seen_and_freed();
        }
        self.note_freed(object);
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

    /// Frees an object, unless it is gone already.
    pub fn free_local(&mut self, object: ObjectId) {
        let freed = |o: ObjectRef| o.flags().has(Flags::FREED);
        if self.get(object).is_some_and(|o| !freed(o)) {
            self.free(object);
        }
    }

    /// Returns whether an object can change.
    pub fn is_variable(&self, object: ObjectId) -> bool {
        match object.kind() {
            ObjectKind::Global(n) => (n as usize) < self.globals.len(),
            ObjectKind::Dynamic(_) => true,
            _ => false,
        }
    }

    /// Returns whether other threads can notice an access to the object.
    #[inline]
    pub fn is_visible(&self, object: ObjectId) -> bool {
        self.concurrent
            && match object.kind() {
                ObjectKind::Global(n) => (n as usize) < self.globals.len(),
                ObjectKind::Dynamic(_) => self
                    .get(object)
                    .is_some_and(|o| o.flags().has(Flags::SHARED | Flags::EXPOSED)),
                _ => false,
            }
    }

    /// Returns whether some copy names other objects than its original, or in another order.
    pub fn pointers_changed(&self) -> bool {
        self.copies.iter().any(|copy| match copy.original {
            Some(original) => self.names_others(copy, original),
            None => true,
        })
    }

    /// Returns the same as [`Memory::pointers_changed`], without new objects and those whose number
    /// and original `own` accepts.
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

    /// Returns the numbers of the objects that the step made.
    pub fn made(&self) -> impl Iterator<Item = u32> + '_ {
        let new = self.copies.iter().filter(|copy| copy.original.is_none());
        new.filter_map(|copy| match copy.id.kind() {
            ObjectKind::Dynamic(n) => Some(n),
            _ => None,
        })
    }

    /// Stores every copy, so that each entry is a hole or stored. `buffer` is scratch.
    pub fn store_copies(&mut self, buffer: &mut Vec<u8>) {
        let (store, copies) = (self.store, &self.copies);
        let mut stored = |n: usize| {
            buffer.clear();
            copies[n].object.encode(buffer);
            Entry::Stored(store.intern(buffer).id)
        };
        self.copied_globals.clear();
        self.copied_dynamic.clear();
        for (n, copy) in copies.iter().enumerate() {
            match copy.id.kind() {
                ObjectKind::Global(global) => {
                    self.globals[global as usize] = stored(n);
                    self.copied_globals.push(global);
                    if copy.in_part.get() {
                        self.patched.push((global, copy.written.clone()));
                    }
                }
                ObjectKind::Dynamic(number) if !self.renumbered => {
                    self.dynamic[number as usize] = stored(n);
                    self.copied_dynamic.push(number);
                }
                _ => {}
            }
        }
        if self.renumbered {
            for entry in &mut self.dynamic {
                if let Entry::Copied(n) = *entry {
                    *entry = stored(n as usize);
                }
            }
        }
        self.copies.clear();
        self.copied_globals.sort_unstable();
        self.copied_dynamic.sort_unstable();
    }
}

/// Returns whether an object can have this size, in bytes.
pub fn allocatable(bytes: u64) -> bool {
    bytes <= MAX_OBJECT_BYTES
}

#[inline]
fn little_endian(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
