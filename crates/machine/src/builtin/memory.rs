//! Allocation and mapping, and the operations on runs of bytes.
//!
//! Every allocation is an object of its own, never adjacent to another one.

use super::room::Room;
use crate::base::fault::{CodePlace, ErrorKind, Result, error, unsupported};
use crate::exec::interpret::Flow;
use crate::machine::Machine;
use crate::machine::builtin::{
    ArgumentAccess, frees, reads_as_many, writes_as_many, writes_pointer,
};
use crate::machine::builtin::{Builtin, Returned};
use crate::machine::record::Action;
use crate::machine::route::Route;
use crate::state::memory::object::{Class, Flags, Object};
use crate::state::memory::{Access, Spot, allocatable};
use crate::value::Value;
use crate::value::symbolic::id_of;
use impasse_program::address::{Address, ObjectId};
use impasse_program::allocated::UsedAs;
use impasse_program::debug::{Type, TypeId};
use impasse_program::link::FunctionId;
use impasse_program::word::Word;
use impasse_solver::Test;

const ENOMEM: i32 = 12;
const EINVAL: i32 = 22;
/// What `malloc` guarantees: 16 bytes.
const ALIGN_LOG2: u8 = 4;
const PAGE_LOG2: u8 = 12;
const PAGE: u64 = 1 << PAGE_LOG2;
/// What no allocation of x86-64 reaches: a process has 47 bits of addresses.
const MOST_BYTES: u64 = 1 << 47;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("malloc", 1, malloc),
    Builtin::new("calloc", 2, calloc),
    Builtin::new("realloc", 2, realloc).accessing(&[frees(0)]),
    Builtin::new("free", 1, free).accessing(&[frees(0)]),
    Builtin::new("__libc_malloc", 1, malloc),
    Builtin::new("__libc_calloc", 2, calloc),
    Builtin::new("__libc_realloc", 2, realloc).accessing(&[frees(0)]),
    Builtin::new("__libc_free", 1, free).accessing(&[frees(0)]),
    Builtin::new("aligned_alloc", 2, |m, a| m.allocate_aligned(a[0], a[1])),
    Builtin::new("memalign", 2, |m, a| m.allocate_aligned(a[0], a[1])),
    Builtin::new("posix_memalign", 3, posix_memalign).accessing(&[writes_pointer(0)]),
    Builtin::new("malloc_usable_size", 1, usable_size),
    Builtin::new("__impasse_map", 1, map),
    Builtin::new("__impasse_unmap", 2, unmap).accessing(&[frees(0)]),
    Builtin::new("memcpy", 3, |m, a| {
        let flow = m.copy_memory(a[0], a[1], a[2], false)?;
        Ok(returned(flow, a[0]))
    })
    .accessing(&COPY),
    Builtin::new("memmove", 3, |m, a| {
        let flow = m.copy_memory(a[0], a[1], a[2], true)?;
        Ok(returned(flow, a[0]))
    })
    .accessing(&COPY),
    Builtin::new("memset", 3, |m, a| {
        let flow = m.fill_memory(a[0], a[1], a[2])?;
        Ok(returned(flow, a[0]))
    })
    .accessing(&[writes_as_many(0, 2)]),
    Builtin::new("__impasse_disjoint", 5, disjoint),
];

/// Two runs of bytes must be apart, or the library function with a name was called wrongly.
fn disjoint(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let [name, a, m, b, n] = arguments[..5] else {
        unreachable!("it has five parameters");
    };
    let (first, second) = (Address::from_bits(a.bits), Address::from_bits(b.bits));
    let distance = second.offset.wrapping_sub(first.offset);
    let apart = if distance < 0 { n.bits } else { m.bits } <= distance.unsigned_abs();
    if first.object == second.object && m.bits > 0 && n.bits > 0 && !apart {
        let name = machine.memory.string(name)?;
        return error(
            ErrorKind::InvalidCall,
            format!("{name} between places that overlap"),
        );
    }
    Ok(Returned::Nothing)
}

/// What a copy returns, unless the machine has continued in a function that makes it in pieces.
fn returned(flow: Flow, to: Word) -> Returned {
    match flow {
        Flow::Next => Returned::Word(to),
        Flow::Moved | Flow::Stop(_) => Returned::Moved,
    }
}

/// Copying and filling is also done by instructions, which observe the same.
const COPY: [ArgumentAccess; 2] = [writes_as_many(0, 2), reads_as_many(1, 2)];

/// How the names of the constructors of `std::thread` begin.
const THREAD_CONSTRUCTOR: &str = "_ZNSt3__16threadC";

impl Machine<'_> {
    /// Where an allocation is made, for people: the innermost frame of a function in the program's
    /// own files. What `std::thread` allocates for a thread is made in its constructor, so that
    /// threads may be symmetric that start at different places.
    fn allocation_place(&self) -> CodePlace {
        let own = |function: FunctionId| self.system.own[function.0 as usize];
        if own(self.at.id) {
            return self.place();
        }
        let places = self.frames_of(self.running);
        let name = |function| self.program.info(function).name.as_str();
        let constructs = |function| name(function).starts_with(THREAD_CONSTRUCTOR);
        let mut places = places.into_iter();
        let found = places.find(|place| own(place.function) || constructs(place.function));
        found.unwrap_or(self.place())
    }

    pub(crate) fn defined(&self, word: Word, what: &str) -> Result<u64> {
        if word.is_defined() {
            return Ok(word.bits);
        }
        error(
            ErrorKind::UndefinedValue,
            format!("{what} depends on an undefined value"),
        )
    }

    /// Where an allocation goes, if it succeeds. Fails if it may succeed, and is too large here.
    fn find_room(&mut self, class: Class, bytes: u64) -> Result<Option<Room>> {
        let fails = self.options.malloc_fail && self.fails_spuriously()?;
        if fails && self.observer.notes_events() {
            let name = self.call.builtin().map_or("malloc", |builtin| builtin.name);
            let name = name.trim_start_matches("__libc_");
            let text = format!("{name} fails: there is no memory");
            self.note(Action::Choice { text });
        }
        let most = match self.program.ilp32() {
            Some(_) => i32::MAX as u64,
            None => MOST_BYTES,
        };
        if fails || bytes > most {
            return Ok(None);
        }
        if !allocatable(bytes) {
            return unsupported("an allocation of more than 1 GiB");
        }
        self.room(class).map(Some)
    }

    fn allocate_heap(&mut self, bytes: u64, align_log2: u8, room: Room) -> ObjectId {
        self.allocate_of(self.family(), bytes, align_log2, room)
    }

    fn allocate_of(&mut self, class: Class, bytes: u64, align_log2: u8, room: Room) -> ObjectId {
        let place = Some(self.allocation_place());
        let object = Object::undefined(class, bytes as u32, align_log2, place);
        self.allocate_noted(object, bytes, room)
    }

    fn allocate_noted(&mut self, object: Object, bytes: u64, room: Room) -> ObjectId {
        let object = self.allocate_in(room, object);
        if self.memory.journal.is_some() {
            self.memory
                .record_allocation(object, self.type_to_allocate(bytes));
        }
        if self.observer.notes_events() {
            self.note_allocation(object, bytes);
        }
        object
    }

    /// The type that the program allocates so many bytes for: by what it does with the address, in
    /// its own code, or where a function returns it. `None` if that is not known.
    fn type_to_allocate(&self, bytes: u64) -> Option<UsedAs> {
        for place in self.frames_of(self.running) {
            let uses = self.program.uses_of_result(place.function, place.position);
            let own = |it: &&UsedAs| {
                let name = self.program.own_type_name(it.unit, it.ty);
                name.is_some_and(|name| !name.contains("(anonymous)"))
            };
            let types: Vec<UsedAs> = uses.types.iter().filter(own).copied().collect();
            if let Some(found) = self.program.use_that_fits(&types, bytes) {
                return Some(found);
            }
            if !uses.is_returned {
                break;
            }
        }
        self.type_made_shared(bytes)
    }

    /// The type for which a call of `std::make_shared` allocates so many bytes: an object of it
    /// follows the counts of libc++, of which no code knows the type but the function's name.
    fn type_made_shared(&self, bytes: u64) -> Option<UsedAs> {
        const COUNTS: u64 = 24;
        let makers = ["std::make_shared<", "std::allocate_shared<"];
        let frames = self.frames_of(self.running);
        let own = |place: &CodePlace| self.system.own[place.function.0 as usize];
        let library = frames.iter().take_while(|place| !own(place));
        let (unit, name) = library.into_iter().find_map(|place| {
            let info = self.program.info(place.function);
            let name = &info.display_name;
            let arguments = makers.iter().find_map(|maker| name.strip_prefix(maker))?;
            Some((info.unit, first_argument(arguments)))
        })?;
        let types = (0..).map(TypeId).zip(&self.program.debug(unit).types);
        let mut named = types.filter(|(_, ty)| match ty {
            Type::Record { name: it, .. } | Type::Base { name: it, .. } => it == name,
            _ => false,
        });
        let fits = |size: u64| (COUNTS + size).next_multiple_of(8) == bytes;
        let (ty, _) = named.find(|&(ty, _)| {
            let size = self.program.size_of_type(unit, ty);
            size.is_some_and(fits) && self.program.own_type_name(unit, ty).is_some()
        })?;
        Some(UsedAs {
            unit,
            ty,
            start: COUNTS,
        })
    }

    #[cold]
    fn note_allocation(&mut self, object: ObjectId, bytes: u64) {
        let call = self.library_call();
        let is_asked_for = call.is_none_or(|call| {
            let own = ["operator new", "std::make_unique<", "std::make_shared<"];
            own.iter().any(|start| call.starts_with(start))
        });
        let library = (!is_asked_for).then(String::new);
        let name = self.memory.allocation_name(object).unwrap_or_default();
        let object = name.to_owned();
        let identity = object.clone();
        self.note_about(Action::Allocate { object, bytes }, library, identity);
    }

    /// Frees an allocation.
    fn free_heap(&mut self, object: ObjectId) -> Result<()> {
        self.model().end_object(self, object)?;
        self.track_end(object);
        if self.observer.notes_events() {
            self.note_free(object);
        }
        self.memory.free(object);
        Ok(())
    }

    /// The running thread and its innermost place in the program's own files, in words.
    fn who_and_where(&self) -> String {
        let frames = self.frames_of(self.running);
        let own = |place: &CodePlace| self.system.own[place.function.0 as usize];
        let exits = |place: &CodePlace| self.program.info(place.function).name == "exit";
        let place = match frames.iter().any(own) {
            true => format!("at {}", self.own_place(&frames)),
            false if frames.iter().any(exits) => "as the program exits".into(),
            false => "outside of the program's own code".into(),
        };
        format!("by {} {place}", self.thread_name(self.running as u32))
    }

    #[cold]
    fn note_free(&mut self, object: ObjectId) {
        let how = self.who_and_where();
        self.memory.record_free(object, how);
        let call = self.library_call();
        let is_asked_for = call.is_none_or(|call| call.starts_with("operator delete"));
        let name = self.memory.allocation_name(object).map(str::to_owned);
        let object = name.unwrap_or_else(|| self.memory.describe(object));
        let library = (!is_asked_for).then(String::new);
        let identity = object.clone();
        self.note_about(Action::Free { object }, library, identity);
    }

    /// A new heap object, or `None` if there is no memory for it.
    fn heap_object(&mut self, bytes: u64, align_log2: u8) -> Result<Option<ObjectId>> {
        let room = self.find_room(Class::Heap, bytes)?;
        Ok(room.map(|room| self.allocate_heap(bytes, align_log2, room)))
    }

    /// A new heap object of `count` elements of `size` bytes, either of which depends on inputs,
    /// filled with a value if there is one.
    #[cold]
    fn allocate_by_term(
        &mut self,
        count: Word,
        size: Word,
        fill: Option<Word>,
    ) -> Result<Returned> {
        let (count, size) = (self.as_term(count, 64), self.as_term(size, 64));
        let Some((count, size)) = count.zip(size).filter(|_| self.program.ilp32().is_none()) else {
            return unsupported("an allocation of a size that depends on an input");
        };
        let (bytes, is_too_large) = self.terms().with(|terms| {
            let bytes = terms.multiply(count, size);
            let most = terms.constant(MOST_BYTES.into(), 64);
            let overflows = terms.test(Test::UnsignedMultiplyOverflow, count, size);
            let exceeds = terms.test(Test::UnsignedLess, most, bytes);
            (bytes, terms.or(overflows, exceeds))
        });
        if self.decide(is_too_large)? {
            return self.fail_with_null(ENOMEM);
        }
        let content = self.content_for(bytes);
        let Some(room) = self.find_room(Class::Heap, content)? else {
            return self.fail_with_null(ENOMEM);
        };
        let shown = self.symbolic.shown(self.of_term(bytes));
        let place = Some(self.allocation_place());
        let object = Object {
            limit: id_of(bytes),
            ..Object::undefined(self.family(), content as u32, ALIGN_LOG2, place)
        };
        let bytes = if shown.is_defined() {
            shown.bits
        } else {
            content
        };
        let object = self.allocate_noted(object, bytes, room);
        if let Some(value) = fill {
            let spot = Spot { object, offset: 0 };
            self.memory.fill(spot, content as usize, value);
        }
        Ok(self.address_of(object))
    }

    fn address_of(&self, object: ObjectId) -> Returned {
        self.allocated(Word::pointer(Address::of(object).bits()))
    }

    fn allocate_aligned(&mut self, align: Word, bytes: Word) -> Result<Returned> {
        let align = self.defined(align, "the alignment of an allocation")?;
        let bytes = self.defined(bytes, "the size of an allocation")?;
        if !align.is_power_of_two() {
            return self.fail_with_null(EINVAL);
        }
        match self.heap_object(bytes, align.trailing_zeros() as u8)? {
            Some(object) => Ok(self.address_of(object)),
            None => self.fail_with_null(ENOMEM),
        }
    }

    /// Returns null with `errno` set: the runtime's own function does it.
    fn fail_with_null(&mut self, number: i32) -> Result<Returned> {
        match self.system.fail_with_null {
            Some(function) => self.continue_in(function, &[Word::number(number as u64)]),
            None => Ok(Returned::Word(Word::number(0))),
        }
    }

    /// The heap object that starts at an address, for `free` and its like.
    fn heap_start(&self, pointer: Word) -> Result<ObjectId> {
        let address = self.allocated_at(pointer, Class::Heap)?;
        if address.offset != 0 {
            let name = self.memory.describe(address.object);
            let at = address.offset;
            return error(
                ErrorKind::InvalidFree,
                format!("frees an address {at} bytes inside of {name}"),
            );
        }
        Ok(address.object)
    }

    /// Where an address is in an object of a class that was not given back yet.
    fn allocated_at(&self, pointer: Word, class: Class) -> Result<Address> {
        let (frees, freed, gives) = match class {
            Class::Mapping => ("unmaps", "unmapped", "mmap"),
            _ => ("frees", "freed", "malloc"),
        };
        let address = self.memory.address(pointer)?;
        let name = || self.memory.describe(address.object);
        let object = self.memory.get(address.object).filter(|object| {
            let is_address = pointer.pointer || object.flags().has(Flags::EXPOSED);
            let of_class = match class {
                Class::Mapping => object.class() == class,
                _ => object.class().is_on_heap(),
            };
            of_class && is_address
        });
        let Some(object) = object else {
            let name = name();
            return error(
                ErrorKind::InvalidFree,
                format!("{frees} {name}, which {gives} did not give"),
            );
        };
        if object.flags().has(Flags::FREED) {
            let by = self.memory.freed_by(address.object);
            let message = match by.as_str() {
                "" => format!("{frees} {} again", name()),
                by => format!("{frees} {} again, after it was {freed}{by}", name()),
            };
            return error(ErrorKind::DoubleFree, message);
        }
        Ok(address)
    }

    /// Freeing is a write to the whole object.
    fn observe_free(&mut self, object: ObjectId) -> Result<()> {
        let bytes = self.memory.get(object).map_or(0, |o| o.size()).max(1);
        let address = Address::of(object);
        self.observe_as(Route::Freed, address, bytes as u64, Access::Write, false)
    }
}

fn malloc(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    if !arguments[0].term.is_none() {
        return machine.allocate_by_term(arguments[0], Word::number(1), None);
    }
    let bytes = machine.defined(arguments[0], "the size of an allocation")?;
    match machine.heap_object(bytes, ALIGN_LOG2)? {
        Some(object) => Ok(machine.address_of(object)),
        None => machine.fail_with_null(ENOMEM),
    }
}

fn calloc(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    if !arguments[0].term.is_none() || !arguments[1].term.is_none() {
        return machine.allocate_by_term(arguments[0], arguments[1], Some(Word::number(0)));
    }
    let count = machine.defined(arguments[0], "the size of an allocation")?;
    let size = machine.defined(arguments[1], "the size of an allocation")?;
    let bytes = count.saturating_mul(size);
    match machine.heap_object(bytes, ALIGN_LOG2)? {
        Some(object) => {
            let spot = Spot { object, offset: 0 };
            machine.memory.fill(spot, bytes as usize, Word::number(0));
            Ok(machine.address_of(object))
        }
        None => machine.fail_with_null(ENOMEM),
    }
}

fn realloc(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (pointer, size) = (arguments[0], arguments[1]);
    if machine.memory.address(pointer)?.bits() == 0 {
        return malloc(machine, &[size]);
    }
    let bytes = machine.defined(size, "the size of an allocation")?;
    let address = machine.memory.address(pointer)?;
    machine.observe_free(address.object)?;
    let old = machine.heap_start(pointer)?;
    machine.check_family(old, "realloc")?;
    let kept = machine.memory.get(old).map_or(0, |o| o.size()) as u64;
    let Some(room) = machine.find_room(Class::Heap, bytes)? else {
        return machine.fail_with_null(ENOMEM);
    };
    let stays = machine.stays(old, &room)?;
    let object = machine.allocate_heap(bytes, ALIGN_LOG2, room);
    let (to, from) = (
        Spot { object, offset: 0 },
        Spot {
            object: old,
            offset: 0,
        },
    );
    let model = machine.model();
    model.copy(machine, Route::Delayed, to, from, kept.min(bytes) as usize)?;
    machine.free_heap(old)?;
    machine.move_address(old, object, stays);
    Ok(machine.address_of(object))
}

fn free(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let pointer = arguments[0];
    let address = machine.memory.address(pointer)?;
    if address.bits() == 0 {
        return Ok(Returned::Nothing);
    }
    machine.observe_free(address.object)?;
    machine.act_on_addresses()?;
    let object = machine.heap_start(pointer)?;
    machine.check_family(object, "free")?;
    machine.free_heap(object)?;
    Ok(Returned::Nothing)
}

/// Maps whole pages of zeros. Returns null if there is no memory.
fn map(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let bytes = machine.defined(arguments[0], "the size of a mapping")?;
    let pages = bytes.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX);
    let Some(room) = machine.find_room(Class::Mapping, pages)? else {
        return Ok(Returned::Word(Word::number(0)));
    };
    let object = machine.allocate_of(Class::Mapping, pages, PAGE_LOG2, room);
    let start = Spot { object, offset: 0 };
    machine.memory.fill(start, pages as usize, Word::number(0));
    Ok(machine.address_of(object))
}

/// Unmaps a whole mapping: fails for a part of one, and for more than one.
fn unmap(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let bytes = machine.defined(arguments[1], "the size of a mapping")?;
    let pages = bytes.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX);
    let address = machine.memory.address(arguments[0])?;
    machine.observe_free(address.object)?;
    machine.act_on_addresses()?;
    let Address { object, offset } = machine.allocated_at(arguments[0], Class::Mapping)?;
    let mapped = machine
        .memory
        .get(object)
        .map_or(0, |o| u64::from(o.size()));
    if offset < 0 || (offset as u64).saturating_add(pages) > mapped {
        let name = machine.memory.describe(object);
        return error(
            ErrorKind::InvalidFree,
            format!("unmaps {pages} bytes from byte {offset} of {name} on, which has no more"),
        );
    }
    if pages < mapped {
        return unsupported("unmapping a part of a mapping (munmap)");
    }
    machine.free_heap(object)?;
    Returned::int(0)
}

fn posix_memalign(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let align = machine.defined(arguments[1], "the alignment of an allocation")?;
    let bytes = machine.defined(arguments[2], "the size of an allocation")?;
    let pointer = machine.program.pointer();
    let size = u64::from(pointer.bytes());
    if !align.is_power_of_two() || align < size {
        return Returned::int(EINVAL);
    }
    let Some(room) = machine.find_room(Class::Heap, bytes)? else {
        return Returned::int(ENOMEM);
    };
    let spot = machine.access(0, arguments[0])?;
    let object = machine.allocate_heap(bytes, align.trailing_zeros() as u8, room);
    let word = Word::pointer(Address::of(object).bits());
    machine.check_pointer32(pointer, Value::one(word))?;
    machine.store_checked(pointer, spot, Value::one(word));
    Ok(machine.allocated(Word::number(0)))
}

fn usable_size(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    if arguments[0].bits == 0 {
        return Returned::number(0, 64);
    }
    let object = machine.heap_start(arguments[0])?;
    let size = machine.memory.get(object).map_or(0, |o| o.size());
    Returned::number(size as i64, 64)
}

/// The first of the arguments of a template, of which a text is what follows the `<`.
fn first_argument(text: &str) -> &str {
    let mut depth = 0;
    let end = text.find(|letter| {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' if depth > 0 => depth -= 1,
            '>' => return true,
            ',' => return depth == 0,
            _ => {}
        }
        false
    });
    &text[..end.unwrap_or(text.len())]
}
