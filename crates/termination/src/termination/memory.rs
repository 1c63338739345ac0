//! Accesses to memory.
//!
//! *Writes* must be proved to stay inside of their object ([`Executor::writable`]): one that does
//! not may change anything, even what is not memory to the program. A write through null, or near
//! to it, ends the program.
//!
//! *Reads* that may leave their object give any value, and the path continues. A read through null
//! ends the program if its value is used, and otherwise may have been left out by the compiler; so
//! it may give any value as well, and the path does not learn that the address was not null.

use super::obligation::Claim;
use super::state::{Base, CellValue, Memory, Object, Place, State, Targets, Val};
use super::{Executor, Result};
use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::Scalar;
use impasse_solver::{Term, Test};

/// What an access reaches.
#[derive(Clone, Debug)]
pub(super) enum Reach {
    /// These bytes.
    Exact(Object, u32),
    /// Some bytes of an object.
    Within(Object),
    /// So many bytes from the start of one of several objects, all of which are large enough.
    OneOf(Targets),
    /// Anything.
    Anywhere,
}

/// Longer copies and fills are not followed byte by byte.
const FOLLOWED: u64 = 256;

impl Executor<'_, '_> {
    /// What an access reaches where it is defined, and when it is inside of its object.
    fn reach(&mut self, memory: &Memory, address: Val, bytes: Term) -> (Reach, Term) {
        let terms = self.terms;
        let no = terms.boolean(false);
        match address.base {
            Base::Unknown => (Reach::Anywhere, no),
            Base::OneOf(targets) => {
                let (objects, offset) = self.targets[targets.0 as usize].clone();
                let start = self.number(offset.into());
                let mut inside = terms.differ(address.term, self.number(0));
                for &object in &objects {
                    let fits = self.fits(start, bytes, object);
                    inside = terms.and(inside, fits);
                }
                for object in self.meant(memory, &objects) {
                    let gone = self.is_gone(memory, object, address.term);
                    inside = terms.and(inside, terms.not(gone));
                }
                (Reach::OneOf(targets), inside)
            }
            Base::Object(object) => {
                let offset = self.offset(address.term, object);
                let start = self.start(object);
                let gone = self.is_gone(memory, object, start);
                let here = terms.not(gone);
                let (reach, inside) = match terms.as_constant(offset).map(u32::try_from) {
                    Some(Ok(at)) => {
                        let fits = self.fits(offset, bytes, object);
                        let made = self.is_not_null(address.term);
                        (Reach::Exact(object, at), terms.and(made, fits))
                    }
                    _ => {
                        // Of an address that may be null, null is not an offset.
                        let offset = self.distance(address.term, object);
                        let fits = self.fits(offset, bytes, object);
                        let made = terms.not(self.failed(object));
                        (Reach::Within(object), terms.and(made, fits))
                    }
                };
                (reach, terms.and(here, inside))
            }
        }
    }

    /// When an object was not made.
    fn failed(&self, object: Object) -> Term {
        let failed = match object {
            Object::Made(n) => self.objects[n as usize].failed,
            _ => None,
        };
        failed.unwrap_or_else(|| self.terms.boolean(false))
    }

    /// When so many bytes from an offset on lie inside of an object.
    fn fits(&self, offset: Term, bytes: Term, object: Object) -> Term {
        let terms = self.terms;
        let size = self.size_of(object);
        let enough = terms.test(Test::UnsignedLessEqual, bytes, size);
        let room = terms.subtract(size, bytes);
        let inside = terms.test(Test::UnsignedLessEqual, offset, room);
        terms.and(enough, inside)
    }

    /// What a write reaches, after which its address is known to be inside. None if the path ends:
    /// with nothing to write, it is never undefined.
    pub(super) fn writable(
        &mut self,
        state: &mut State,
        address: Val,
        bytes: Term,
        place: CodePlace,
    ) -> Result<Option<Reach>> {
        let terms = self.terms;
        let address = self.wide(address);
        let (reach, inside) = self.reach(&state.memory, address, bytes);
        let null = self.in_null_zone(address.term);
        let nothing = terms.equal(bytes, self.number(0));
        let defined = terms.any(&[inside, null, nothing]);
        self.oblige(state, defined, Claim::Write, place)?;
        let written = terms.or(inside, nothing);
        match state.learn(terms, written) {
            true => Ok(Some(reach)),
            false => Ok(None),
        }
    }

    /// What a read reaches if it is inside, and when it may be taken to be so: whether its address
    /// is null is of no consequence.
    fn readable(&mut self, state: &State, address: Val, bytes: u32) -> (Reach, Term) {
        let terms = self.terms;
        let address = self.wide(address);
        let size = self.number(bytes.into());
        let (reach, inside) = self.reach(&state.memory, address, size);
        let inside = match &reach {
            _ if terms.is_false(inside) => inside,
            Reach::Exact(object, offset) => {
                let fits = self.fits(self.number((*offset).into()), size, *object);
                let start = self.start(*object);
                let here = terms.not(self.is_gone(&state.memory, *object, start));
                let of_path = |condition: Term| match state.path.contains(&condition) {
                    true => terms.boolean(true),
                    false => condition,
                };
                terms.and(of_path(fits), of_path(here))
            }
            Reach::OneOf(targets) => {
                let objects = &self.targets[targets.0 as usize].0;
                let mut objects = self.meant(&state.memory, objects).into_iter();
                let is_kept = self.is_kept(&state.memory, address);
                terms.boolean(is_kept || objects.all(|object| self.is_there(&state.memory, object)))
            }
            Reach::Within(_) | Reach::Anywhere => terms.boolean(false),
        };
        (reach, inside)
    }

    /// An address with all of its bits.
    fn wide(&self, address: Val) -> Val {
        let term = self.terms.resize_unsigned(address.term, 64);
        Val { term, ..address }
    }

    /// Whether an object may hold other than what it was made with, where it has no cells.
    fn is_blurred(&self, memory: &Memory, object: Object) -> bool {
        memory.blurred.contains(&object) || self.terms.is_true(memory.gone(self.terms, object))
    }

    /// A byte, if something is known of it.
    fn byte(&self, memory: &Memory, object: Object, offset: u32) -> Option<Term> {
        let terms = self.terms;
        if let Some(&(at, cell)) = memory.touched(object, offset, 1).first() {
            if cell.value.wrapped.is_some() {
                return None;
            }
            let wide = terms.resize_unsigned(cell.value.term, cell.bytes * 8);
            return Some(terms.extract(wide, (offset - at) as u8 * 8, 8));
        }
        let known = |byte: u8| Some(terms.constant(u128::from(byte), 8));
        match object {
            Object::Global(n) => {
                let global = self.subject.system.program.globals().get(n as usize)?;
                let in_address = |&at: &u32| (at..at + 8).contains(&offset);
                if !self.is_initial(memory, n) || global.pointers.iter().any(in_address) {
                    return None;
                }
                global.bytes.get(offset as usize).copied().and_then(known)
            }
            Object::Made(n) => {
                let zeroed = self.objects[n as usize].zeroed;
                (zeroed && !self.is_blurred(memory, object)).then(|| known(0))?
            }
            _ => None,
        }
    }

    /// Whether a global holds, where it has no cells, what it was initialised with.
    fn is_initial(&self, memory: &Memory, n: u32) -> bool {
        let program = &self.subject.system.program;
        let Some(global) = program.globals().get(n as usize) else {
            return false;
        };
        n >= program.mutable_globals()
            || (program.is_users(global.unit)
                && !global.thread_local
                && self.subject.globals.is_none()
                && !self.is_blurred(memory, Object::Global(n)))
    }

    /// The address that a global holds at an offset from the start.
    fn initial_address(
        &mut self,
        memory: &Memory,
        (object, offset): Place,
        bytes: u8,
    ) -> Option<Val> {
        let Object::Global(n) = object else {
            return None;
        };
        let global = self.subject.system.program.globals().get(n as usize)?;
        let untouched = memory.touched(object, offset, bytes.into()).is_empty();
        if bytes != 8
            || !untouched
            || !global.pointers.contains(&offset)
            || !self.is_initial(memory, n)
        {
            return None;
        }
        let at = offset as usize;
        let bits = global.bytes.get(at..at + 8)?.try_into().ok()?;
        Some(self.decoded(u64::from_le_bytes(bits)))
    }

    /// The value of up to eight bytes; what nothing is known of becomes a variable.
    pub(super) fn read(&mut self, memory: &mut Memory, place: Place, bytes: u8) -> Val {
        let (object, offset) = place;
        if let Some(cell) = memory.cells.get(&place)
            && cell.bytes == bytes
        {
            return cell.value;
        }
        if let Some(address) = self.initial_address(memory, place, bytes) {
            return address;
        }
        let parts: Option<Vec<Term>> = (0..u32::from(bytes))
            .map(|at| self.byte(memory, object, offset + at))
            .collect();
        let joined = parts.and_then(|parts| {
            let join = |low, high| self.terms.concatenate(high, low);
            parts.into_iter().reduce(join)
        });
        match joined {
            Some(term) => Val::of(term),
            None => {
                let value = Val::of(self.fresh(bytes * 8));
                self.put(memory, place, bytes, value);
                let address = self
                    .terms
                    .add(self.start(object), self.number(offset.into()));
                let base = Base::Object(object);
                self.at_spots(memory, Val::at(address, base), bytes, value)
            }
        }
    }

    /// Makes bytes a value.
    pub(super) fn write(&mut self, memory: &mut Memory, place: Place, bytes: u8, value: Val) {
        let (object, offset) = place;
        if memory.spots.iter().any(|spot| spot.object == object) {
            let offset = self.number(offset.into());
            self.write_spot(memory, (object, offset), bytes, value);
        }
        self.put(memory, place, bytes, value);
    }

    /// Notes what bytes are.
    pub(super) fn put(&mut self, memory: &mut Memory, place: Place, bytes: u8, value: Val) {
        let (object, offset) = place;
        // Cells that are cut keep what is left of them.
        let end = offset + u32::from(bytes);
        for (at, cell) in memory.touched(object, offset, bytes.into()) {
            memory.cells.remove(&(object, at));
            let wide = self.terms.resize_unsigned(cell.value.term, cell.bytes * 8);
            for index in 0..u32::from(cell.bytes) {
                if !(offset..end).contains(&(at + index)) {
                    let value = match cell.value.wrapped {
                        Some(_) => self.anything(8),
                        None => Val::of(self.terms.extract(wide, index as u8 * 8, 8)),
                    };
                    let byte = CellValue { bytes: 1, value };
                    memory.cells.insert((object, at + index), byte);
                }
            }
        }
        // An address that takes four bytes in memory keeps all of its bits.
        let width = self.terms.width(value.term);
        let term = match bytes == 4 && width == 64 && self.is_ilp32() {
            true => value.term,
            false => self.terms.resize_unsigned(value.term, bytes * 8),
        };
        let value = Val { term, ..value };
        memory.cells.insert(place, CellValue { bytes, value });
    }

    /// Loads words.
    pub(super) fn load(&mut self, state: &mut State, address: Val, scalar: Scalar) -> Vec<Val> {
        let (bytes, bits) = (scalar.bytes(), scalar.bits());
        let (reach, inside) = self.readable(state, address, bytes);
        if bits > 64 {
            return vec![self.anything(64), self.anything(64)];
        }
        let value = match reach {
            Reach::Exact(object, offset) if !self.terms.is_false(inside) => {
                let value = self.read(&mut state.memory, (object, offset), bytes as u8);
                let start = Val::of(self.start(object));
                match self.terms.is_true(inside) {
                    true => {
                        self.link_loaded(state, (start, offset, bytes), value);
                        value
                    }
                    false => {
                        let outside = self.anything(self.terms.width(value.term));
                        self.choose(inside, value, outside)
                    }
                }
            }
            Reach::OneOf(targets) if self.terms.is_true(inside) => {
                self.read_one_of(state, address, targets, bytes as u8)
            }
            _ => {
                let look = (address.term, bytes);
                let known = state.memory.looks.get(&look).copied();
                let value = known.unwrap_or_else(|| self.anything(bytes as u8 * 8));
                state.memory.looks.insert(look, value);
                self.at_spots(&state.memory, address, bytes as u8, value)
            }
        };
        // An address in four bytes has all of its bits already, or has none above these.
        let term = self.terms.resize_unsigned(value.term, bits as u8);
        vec![Val { term, ..value }]
    }

    /// Stores words; whether the path continues.
    pub(super) fn store(
        &mut self,
        state: &mut State,
        address: Val,
        (scalar, place): (Scalar, CodePlace),
        values: &[Val],
    ) -> Result<bool> {
        let bytes = scalar.bytes();
        values.iter().for_each(|&value| self.share(value));
        let size = self.number(bytes.into());
        let Some(reach) = self.writable(state, address, size, place)? else {
            return Ok(false);
        };
        state.memory.forget_looks();
        match reach {
            Reach::Exact(object, offset) => {
                let mut left = bytes;
                let start = Val::at(self.start(object), Base::Object(object));
                for (index, &value) in (0u32..).zip(values) {
                    let part = left.min(8);
                    self.link_stored(state, (start, offset + 8 * index, part), value);
                    let place = (object, offset + 8 * index);
                    self.write(&mut state.memory, place, part as u8, value);
                    left -= part;
                }
            }
            Reach::OneOf(targets) if bytes <= 8 => {
                let offset = self.targets[targets.0 as usize].1;
                self.link_stored(state, (address, offset, bytes), values[0]);
                self.write_one_of(state, (address, targets), bytes as u8, values[0]);
                self.note_written(state, (address, bytes as u8), values[0]);
            }
            Reach::Within(object) if bytes <= 8 => {
                let start = Val::of(self.start(object));
                self.link_stored_somewhere(state, start, values[0]);
                self.note_ends(&mut state.memory, &[object].into());
                let spots = std::mem::take(&mut state.memory.spots);
                state.memory.blur(object);
                state.memory.spots = spots;
                let address = self.wide(address).term;
                let place = (object, self.offset(address, object));
                self.write_spot(&mut state.memory, place, bytes as u8, values[0]);
            }
            other => self.blur_reach(state, &other),
        }
        Ok(true)
    }

    /// Writes anything to what is reached.
    pub(super) fn blur_reach(&mut self, state: &mut State, reach: &Reach) {
        state.memory.forget_looks();
        match reach {
            Reach::Exact(object, _) | Reach::Within(object) => state.memory.blur(*object),
            Reach::OneOf(targets) => {
                for object in self.targets[targets.0 as usize].0.clone() {
                    self.blur_object(state, object);
                }
            }
            Reach::Anywhere => {}
        }
    }

    /// Makes an object hold anything.
    pub(super) fn blur_object(&mut self, state: &mut State, object: Object) {
        match object {
            Object::Summary(site) => {
                self.blur_site(site);
                state.memory.stirred.insert(site);
                for object in self.instances(state, site) {
                    state.memory.blur(object);
                }
            }
            other => state.memory.blur(other),
        }
    }

    /// Copies bytes from a source, or writes a byte again and again, or anything. Whether the path
    /// continues.
    pub(super) fn transfer(
        &mut self,
        state: &mut State,
        (to, count, place): (Val, Term, CodePlace),
        source: Option<Val>,
        byte: Option<Val>,
    ) -> Result<bool> {
        let size = self.terms.resize_unsigned(count, 64);
        let count = self.terms.as_constant(size);
        if count == Some(0) {
            return Ok(true);
        }
        let Some(reach) = self.writable(state, to, size, place)? else {
            return Ok(false);
        };
        let count = count.filter(|&count| count <= u128::from(FOLLOWED));
        let (Reach::Exact(object, offset), Some(count)) = (&reach, count) else {
            self.blur_reach(state, &reach);
            return Ok(true);
        };
        state.memory.forget_looks();
        let (bytes, to) = (count as u32, (*object, *offset));
        if source.is_some() {
            let start = Val::of(self.start(*object));
            self.link_copied(state, start);
        }
        let from = source.map(|source| self.readable(state, source, bytes));
        match (from, byte) {
            (Some((Reach::Exact(object, start), inside)), _) if self.terms.is_true(inside) => {
                self.copy(&mut state.memory, to, (object, start), bytes);
            }
            (_, byte) => {
                for at in 0..bytes {
                    let value = match byte {
                        Some(byte) => Val::of(self.terms.resize_unsigned(byte.term, 8)),
                        None => self.anything(8),
                    };
                    self.write(&mut state.memory, (to.0, to.1 + at), 1, value);
                }
            }
        }
        Ok(true)
    }

    fn copy(&mut self, memory: &mut Memory, to: Place, from: Place, bytes: u32) {
        // What is read first is not overwritten by what is copied, even if the two overlap.
        let values: Vec<Val> = (0..bytes)
            .map(|at| self.read(&mut memory.clone(), (from.0, from.1 + at), 1))
            .collect();
        let end = from.1 + bytes;
        // Pointers that are copied keep their provenance.
        let mut whole: Vec<(u32, CellValue)> = memory
            .touched(from.0, from.1, bytes)
            .into_iter()
            .filter(|&(at, cell)| at >= from.1 && at + u32::from(cell.bytes) <= end)
            .collect();
        if let Object::Global(n) = from.0 {
            let globals = self.subject.system.program.globals();
            let pointers = globals
                .get(n as usize)
                .map_or(&[][..], |global| &global.pointers);
            let inside = pointers.iter().filter(|&&at| at >= from.1 && at + 8 <= end);
            for at in inside.copied().collect::<Vec<_>>() {
                if let Some(value) = self.initial_address(memory, (from.0, at), 8) {
                    whole.push((at, CellValue { bytes: 8, value }));
                }
            }
        }
        for (at, value) in (0u32..).zip(values) {
            self.write(memory, (to.0, to.1 + at), 1, value);
        }
        for (at, cell) in whole {
            let place = (to.0, to.1 + at - from.1);
            self.write(memory, place, cell.bytes, cell.value);
        }
    }

    /// A value of which nothing is known.
    pub(super) fn anything(&mut self, width: u8) -> Val {
        Val::of(self.fresh(width))
    }
}
