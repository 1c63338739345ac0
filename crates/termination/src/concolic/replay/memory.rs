//! Memory on the side, byte by byte.
//!
//! From the start of the program, a byte of which nothing is known is concrete. From a cutpoint it
//! is what it was there, unless its object is constant, or was made since: then it is as its object
//! was made.

use super::{Fork, ForkKind, Replay, Start};
use crate::concolic::shadow::{Byte, CellPlace, Shadow, Value};
use crate::concolic::trace::Known;
use crate::vectors::OnTerms;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::{ReadModifyWrite, Scalar, Slot};
use impasse_semantics::numbers::Narrow;
use impasse_semantics::update::{Modification, modification};
use impasse_semantics::vectors::Vectors;
use impasse_solver::Term;

impl Replay<'_, '_> {
    /// Whether what an object holds at the start of the evaluation is part of the state.
    pub(super) fn is_state(&self, object: ObjectId) -> bool {
        let Start::Cutpoint { objects } = self.start else {
            return false;
        };
        match object.kind() {
            ObjectKind::Global(n) => n < self.subject.system.program.mutable_globals(),
            ObjectKind::Dynamic(n) => n < objects,
            _ => false,
        }
    }

    /// What a byte is made of.
    fn byte(&self, object: ObjectId, offset: u32) -> Byte {
        match self.memory.byte(object, offset) {
            Some(byte) => byte,
            None if self.is_state(object) => Byte::Initial(object, offset),
            None => Byte::Fixed,
        }
    }

    /// Makes a byte the same in every execution.
    fn fix_byte(&mut self, object: ObjectId, offset: u32) {
        match self.start {
            Start::Program => self.memory.forget(object, offset),
            Start::Cutpoint { .. } => self.memory.set(object, offset, Byte::Fixed),
        }
    }

    /// A byte of a constant.
    fn constant_byte(&self, object: ObjectId, offset: u32) -> Option<u8> {
        let program = &self.subject.system.program;
        match object.kind() {
            ObjectKind::Global(n) if n >= program.mutable_globals() => program.globals()
                [n as usize]
                .bytes
                .get(offset as usize)
                .copied(),
            _ => None,
        }
    }

    /// The value of bytes at the end of an iteration, if the trace says what they are.
    pub(super) fn final_bytes(
        &mut self,
        object: ObjectId,
        offset: u32,
        bytes: u8,
    ) -> Option<Value> {
        let parts: Vec<Byte> = (0..u32::from(bytes))
            .map(|at| self.byte(object, offset + at))
            .collect();
        if let Byte::Initial(object, start) = parts[0]
            && let Some(&id) = self
                .known_cells
                .get(&CellPlace::Memory(object, start, bytes))
        {
            let known = self.cells[id.0 as usize].initial;
            let value = self.whole(&parts, bytes, known);
            if value.is_some() {
                return value;
            }
        }
        let mut bits = 0u64;
        for (at, part) in parts.iter().enumerate() {
            let byte = match *part {
                Byte::Part(number, index) => {
                    let (value, _) = self.memory.stored(number);
                    let bits = value.known.bits >> (8 * index);
                    (!value.known.undefined).then_some(bits)
                }
                Byte::Initial(object, offset) => self.initial_byte(object, offset),
                Byte::Fixed => None,
            };
            bits |= (byte? & 0xff) << (8 * at);
        }
        let known = Known::number(bits);
        let value = self.whole(&parts, bytes, known);
        Some(value.unwrap_or_else(|| self.join(&parts, known)))
    }

    /// What a byte was at the start, if it is in a part of the state that was read.
    fn initial_byte(&self, object: ObjectId, offset: u32) -> Option<u64> {
        self.cells.iter().find_map(|cell| match cell.place {
            CellPlace::Memory(of, start, bytes)
                if of == object && (start..start + u32::from(bytes)).contains(&offset) =>
            {
                let bits = cell.initial.bits >> (8 * (offset - start));
                (!cell.initial.undefined).then_some(bits)
            }
            _ => None,
        })
    }

    /// Makes a run of bytes the same in every execution.
    pub(super) fn fix(&mut self, address: u64, bytes: u32) {
        let place = Address::from_bits(address);
        for offset in 0..bytes {
            self.fix_byte(place.object, place.offset as u32 + offset);
        }
    }

    /// The number that an address has in memory where addresses take four bytes.
    fn shorten(&self, known: Known) -> Known {
        let ilp32 = self.trace.ilp32.as_ref();
        let number = ilp32.and_then(|ilp32| ilp32.narrow(known.bits));
        Known {
            bits: number.unwrap_or(0).into(),
            undefined: known.undefined || number.is_none(),
        }
    }

    pub(super) fn load(&mut self, scalar: Scalar, slot: Slot, address: u64, known: &[Known]) {
        let place = Address::from_bits(address);
        if scalar == Scalar::Pointer32 {
            // Which address a number is, no term says: it is the one that it was.
            let number = self.shorten(known[0]);
            let value = self.load_bytes(place.object, place.offset as u32, 4, number);
            self.pin(&value, 32);
            return self.assign(slot, known[0], Shadow::Concrete);
        }
        let mut left = scalar.bytes();
        for (index, &known) in known.iter().enumerate() {
            let offset = place.offset as u32 + 8 * index as u32;
            let value = self.load_bytes(place.object, offset, left.min(8) as u8, known);
            self.assign(Slot(slot.0 + index as u32), known, value.shadow);
            left = left.saturating_sub(8);
        }
    }

    /// The value of up to eight bytes.
    pub(super) fn load_bytes(
        &mut self,
        object: ObjectId,
        offset: u32,
        bytes: u8,
        known: Known,
    ) -> Value {
        self.touch(object);
        let parts: Vec<Byte> = (0..u32::from(bytes))
            .map(|at| self.byte(object, offset + at))
            .collect();
        let value = self.whole(&parts, bytes, known);
        value.unwrap_or_else(|| self.join(&parts, known))
    }

    /// The value of bytes that are all of one thing.
    fn whole(&mut self, parts: &[Byte], bytes: u8, known: Known) -> Option<Value> {
        let mut numbered = (0u32..).zip(parts);
        match parts[0] {
            Byte::Fixed => numbered
                .all(|(_, part)| matches!(part, Byte::Fixed))
                .then(|| Value::concrete(known)),
            Byte::Initial(object, start) => numbered
                .all(|(at, part)| {
                    matches!(part, Byte::Initial(o, s) if *o == object && *s == start + at)
                })
                .then(|| self.initial(CellPlace::Memory(object, start, bytes), known)),
            Byte::Part(number, 0) => {
                let all = numbered
                    .all(|(at, part)| matches!(part, Byte::Part(n, i) if *n == number && u32::from(*i) == at));
                let (value, size) = self.memory.stored(number);
                (all && *size == bytes && !known.undefined).then(|| Value {
                    known,
                    shadow: value.shadow.clone(),
                })
            }
            Byte::Part(..) => None,
        }
    }

    /// The value of bytes of different things.
    fn join(&mut self, parts: &[Byte], known: Known) -> Value {
        let mut values = Vec::new();
        let mut joined: Option<Term> = None;
        let mut possible = !known.undefined;
        for (at, &part) in parts.iter().enumerate() {
            let here = Known::number(known.bits >> (8 * at) & 0xff);
            let (value, term) = self.one_byte(part, here);
            values.push(value);
            joined = match (joined, term) {
                (None, Some(term)) if at == 0 => Some(term),
                (Some(low), Some(high)) => Some(self.terms.concatenate(high, low)),
                _ => {
                    possible = false;
                    None
                }
            };
        }
        let shadow = match (self.opaque(&values), joined) {
            (Shadow::Concrete, _) => Shadow::Concrete,
            (_, Some(term)) if possible => Shadow::Term(term),
            (opaque, _) => opaque,
        };
        Value { known, shadow }
    }

    fn one_byte(&mut self, part: Byte, here: Known) -> (Value, Option<Term>) {
        let value = match part {
            Byte::Fixed => Value::concrete(here),
            Byte::Initial(object, offset) => {
                self.initial(CellPlace::Memory(object, offset, 1), here)
            }
            Byte::Part(number, index) => {
                let (value, size) = self.memory.stored(number).clone();
                if value.is_concrete() && value.known.undefined {
                    // A concrete value with undefined bits: this byte may be a defined one.
                    let term = self.terms.constant(u128::from(here.bits), 8);
                    return (Value::concrete(here), Some(term));
                }
                let term = self.term_of(&value, size * 8);
                let term = term.map(|term| self.terms.extract(term, index * 8, 8));
                return (value, term);
            }
        };
        let term = self.term_of(&value, 8);
        (value, term)
    }

    pub(super) fn store(&mut self, scalar: Scalar, address: u64, mut values: Vec<Value>) {
        let place = Address::from_bits(address);
        self.touch(place.object);
        if scalar == Scalar::Pointer32 {
            self.pin(&values[0], 64);
            values[0] = Value::concrete(self.shorten(values[0].known));
        }
        let mut left = scalar.bytes();
        for (index, value) in values.into_iter().enumerate() {
            let offset = place.offset as u32 + 8 * index as u32;
            let bytes = left.min(8);
            left -= bytes;
            if value.is_concrete() && self.start == Start::Program {
                (0..bytes).for_each(|at| self.memory.forget(place.object, offset + at));
                continue;
            }
            self.memory.store(place.object, offset, bytes as u8, value);
        }
    }

    /// `memcpy` and its like: target, source, size.
    pub(super) fn copy(&mut self, values: &[Value]) {
        values.iter().take(3).for_each(|value| self.pin(value, 64));
        let [to, from, count] = [0, 1, 2].map(|n: usize| values[n].known.bits);
        self.copy_bytes(to, from, count);
    }

    pub(super) fn copy_bytes(&mut self, to: u64, from: u64, count: u64) {
        if count == 0 {
            return;
        }
        let (to, from) = (Address::from_bits(to), Address::from_bits(from));
        self.touch(to.object);
        self.touch(from.object);
        let bytes: Vec<Byte> = (0..count as u32)
            .map(|at| self.byte(from.object, from.offset as u32 + at))
            .collect();
        for (at, byte) in (0u32..).zip(bytes) {
            let offset = to.offset as u32 + at;
            match byte {
                Byte::Fixed if self.start == Start::Program => self.fix_byte(to.object, offset),
                Byte::Fixed => match self.constant_byte(from.object, from.offset as u32 + at) {
                    Some(content) => {
                        let value = Value::concrete(Known::number(u64::from(content)));
                        self.memory.store(to.object, offset, 1, value);
                    }
                    None => self.fix_byte(to.object, offset),
                },
                byte => self.memory.set(to.object, offset, byte),
            }
        }
    }

    /// `memset`: target, value, size.
    pub(super) fn fill(&mut self, values: &[Value]) {
        self.pin(&values[0], 64);
        self.pin(&values[2], 64);
        let (to, count) = (values[0].known.bits, values[2].known.bits);
        if count == 0 {
            return;
        }
        self.touch(Address::from_bits(to).object);
        if values[1].is_concrete() && self.start == Start::Program {
            return self.fix(to, count as u32);
        }
        let shadow = match self.symbolic_term(&values[1], 8) {
            Ok(term) => Shadow::Term(term),
            Err(shadow) => shadow,
        };
        let known = Known {
            bits: values[1].known.bits & 0xff,
            ..values[1].known
        };
        let place = Address::from_bits(to);
        for at in 0..count as u32 {
            let value = Value {
                known,
                shadow: shadow.clone(),
            };
            self.memory
                .store(place.object, place.offset as u32 + at, 1, value);
        }
    }

    /// Reads, modifies and writes; returns the old value. Needs one word of numbers.
    pub(super) fn read_modify_write(
        &mut self,
        operation: ReadModifyWrite,
        scalar: Scalar,
        address: &Value,
        operand: Value,
    ) -> Value {
        let old_known = self.recorded[1];
        let place = Address::from_bits(address.known.bits);
        let bytes = scalar.bytes() as u8;
        let old = self.load_bytes(place.object, place.offset as u32, bytes, old_known);
        let width = scalar.bits() as u8;
        let new = match modification(operation) {
            Modification::Replace => operand,
            Modification::Binary(binary) if width <= 64 => {
                let shadow = self.of_two(&old, width, &operand, width, |terms, a, b| {
                    OnTerms(terms).arithmetic(binary, a, b)
                });
                let (a, b) = (old.known.bits, operand.known.bits);
                let known = Known {
                    bits: Narrow.binary(binary, width.into(), a, b),
                    undefined: old.known.undefined || operand.known.undefined,
                };
                Value { known, shadow }
            }
            _ => {
                self.flaw = Some("an atomic operation that is not followed".into());
                operand
            }
        };
        self.store(scalar, address.known.bits, vec![new]);
        old
    }

    /// Whether atomic operations on a type are followed; otherwise the evaluation is useless.
    pub(super) fn follows_atomic(&mut self, scalar: Scalar) -> bool {
        let flaw = match scalar {
            Scalar::Pointer32 => "an atomic operation on an address of 32 bits",
            _ if scalar.words() > 1 => "an atomic operation on more than 64 bits",
            _ => return true,
        };
        self.flaw = Some(flaw.into());
        false
    }

    /// Compares and, if the execution found them equal, writes; returns the old value.
    pub(super) fn exchange_if_equal(
        &mut self,
        scalar: Scalar,
        address: &Value,
        expected: &Value,
        new: Value,
    ) -> Value {
        let known = self.recorded;
        let place = Address::from_bits(address.known.bits);
        let width = scalar.bits() as u8;
        let bytes = scalar.bytes() as u8;
        let old = self.load_bytes(place.object, place.offset as u32, bytes, known[1]);
        let equal = self.of_two(&old, width, expected, width, |terms, a, b| {
            terms.equal(a, b)
        });
        let swapped = known[known.len() - 1].bits == 1;
        match equal {
            Shadow::Concrete => {}
            Shadow::Term(term) => {
                let held = match swapped {
                    true => term,
                    false => self.terms.not(term),
                };
                if self.terms.as_constant(held).is_none() {
                    let place = self.place();
                    self.forks.push(Fork {
                        term: held,
                        kind: ForkKind::Branch,
                        place,
                    });
                }
            }
            _ => {
                self.decide(&old);
                self.decide(expected);
            }
        }
        if swapped {
            self.store(scalar, address.known.bits, vec![new]);
        }
        old
    }
}
