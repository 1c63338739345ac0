//! Accesses to memory.
//!
//! An access that is not defined ends the path, so that whatever follows may rely on its address lying inside of its object.

use super::Executor;
use super::state::{Base, CellValue, Memory, State, Val};
use impasse_program::address::{Address, BIAS, MAX_OBJECT_BYTES, ObjectId, ObjectKind};
use impasse_program::instruction::Scalar;
use impasse_program::short::ShortAddresses;
use impasse_solver::{Binary, Node, Term, Test};

/// What an access may reach.
pub(super) enum Reach {
    /// These bytes.
    Exact(ObjectId, u32),
    /// Some bytes of an object.
    Within(ObjectId),
    /// Some bytes of some object that can be reached through memory.
    Anywhere,
}

/// Longer copies and fills are not followed byte by byte.
const FOLLOWED: u64 = 256;

impl Executor<'_, '_> {
    fn size_of(&self, object: ObjectId) -> Term {
        let constant = |size: u64| self.terms.constant(u128::from(size), 64);
        match object.kind() {
            ObjectKind::Global(n) => {
                let globals = self.subject.system.program.globals();
                constant(globals.get(n as usize).map_or(0, |g| g.bytes.len() as u64))
            }
            ObjectKind::Dynamic(n) => self.objects.get(n as usize).map_or(constant(0), |o| o.size),
            _ => constant(0),
        }
    }

    /// What an access reaches; none if it is undefined.
    pub(super) fn reach(&self, state: &mut State, address: Val, bytes: u64) -> Option<Reach> {
        let terms = self.terms;
        let constant = |value: u64| terms.constant(u128::from(value), 64);
        let object = address.object(terms);
        let Some(object) = object else {
            if terms.as_constant(address.term).is_some() {
                return None;
            }
            let low = terms.extract(terms.resize_unsigned(address.term, 64), 0, 32);
            let start = terms.constant(u128::from(BIAS), 32);
            let most = terms.constant(u128::from(MAX_OBJECT_BYTES), 32);
            let inside = terms.test(Test::UnsignedLessEqual, terms.subtract(low, start), most);
            return state.assume(terms, inside).then_some(Reach::Anywhere);
        };
        let offset = self.offset(address.term, object);
        let size = self.size_of(object);
        let fits = terms.test(Test::UnsignedLessEqual, constant(bytes), size);
        let room = terms.subtract(size, constant(bytes));
        let inside = terms.test(Test::UnsignedLessEqual, offset, room);
        let small = terms.test(Test::UnsignedLessEqual, offset, constant(MAX_OBJECT_BYTES));
        let defined = [fits, inside, small]
            .into_iter()
            .all(|condition| state.assume(terms, condition));
        defined.then(|| match terms.as_constant(offset) {
            Some(offset) => Reach::Exact(object, offset as u32),
            None => Reach::Within(object),
        })
    }

    /// Whether an object may hold other than what it was made with, where it has no cells.
    pub(super) fn is_blurred(&self, memory: &Memory, object: ObjectId) -> bool {
        memory.blurred.contains(&object) || (memory.all && self.is_exposed(object))
    }

    fn is_exposed(&self, object: ObjectId) -> bool {
        matches!(object.kind(), ObjectKind::Global(_)) || self.exposed.contains(&object)
    }

    /// From now on, addresses of which nothing is known may be in the object that a value is an address in.
    pub(super) fn expose(&mut self, value: Val) {
        if let Some(object) = value.object(self.terms) {
            self.exposed.insert(object);
        }
    }

    /// Writes to some object that can be reached through memory.
    pub(super) fn blur_all(&self, memory: &mut Memory) {
        memory
            .cells
            .retain(|(object, _), _| !self.is_exposed(*object));
        memory.all = true;
        memory.looks.clear();
    }

    /// A byte, if something is known of it.
    fn byte(&self, memory: &Memory, object: ObjectId, offset: u32) -> Option<Term> {
        let terms = self.terms;
        let near = (object, offset.saturating_sub(7))..=(object, offset);
        for (&(_, at), cell) in memory.cells.range(near).rev() {
            if at + u32::from(cell.bytes) > offset {
                let wide = terms.resize_unsigned(cell.value.term, cell.bytes * 8);
                return Some(terms.extract(wide, (offset - at) as u8 * 8, 8));
            }
        }
        let known = |byte: u8| Some(terms.constant(u128::from(byte), 8));
        match object.kind() {
            ObjectKind::Global(n) => {
                let program = &self.subject.system.program;
                let global = &program.globals()[n as usize];
                let fixed = n >= program.mutable_globals();
                let trusted = fixed
                    || (program.is_users(global.unit)
                        && !global.thread_local
                        && self.subject.globals.is_empty()
                        && !self.is_blurred(memory, object));
                let byte = global.bytes.get(offset as usize).copied();
                byte.filter(|_| trusted).and_then(known)
            }
            ObjectKind::Dynamic(n) => {
                let zeroed = self.objects[n as usize].zeroed;
                (zeroed && !self.is_blurred(memory, object)).then(|| known(0))?
            }
            _ => None,
        }
    }

    /// The value of up to eight bytes; what nothing is known of becomes a variable.
    pub(super) fn read(&mut self, memory: &mut Memory, place: (ObjectId, u32), bytes: u8) -> Val {
        let (object, offset) = place;
        if let Some(cell) = memory.cells.get(&place)
            && cell.bytes == bytes
        {
            return cell.value;
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
                self.write(memory, place, bytes, value);
                value
            }
        }
    }

    /// Makes bytes a value.
    pub(super) fn write(
        &mut self,
        memory: &mut Memory,
        place: (ObjectId, u32),
        bytes: u8,
        value: Val,
    ) {
        // Cells that are cut keep what is left of them.
        let (object, offset) = place;
        let end = offset + u32::from(bytes);
        let near = (object, offset.saturating_sub(7))..(object, end);
        let cut: Vec<(u32, CellValue)> = memory
            .cells
            .range(near)
            .map(|(&(_, at), &cell)| (at, cell))
            .filter(|&(at, cell)| at + u32::from(cell.bytes) > offset)
            .collect();
        for (at, cell) in cut {
            memory.cells.remove(&(object, at));
            let wide = self.terms.resize_unsigned(cell.value.term, cell.bytes * 8);
            for index in 0..u32::from(cell.bytes) {
                if !(offset..end).contains(&(at + index)) {
                    let value = Val::of(self.terms.extract(wide, index as u8 * 8, 8));
                    let byte = CellValue { bytes: 1, value };
                    memory.cells.insert((object, at + index), byte);
                }
            }
        }
        self.expose(value);
        let value = Val {
            term: self.terms.resize_unsigned(value.term, bytes * 8),
            ..value
        };
        memory.cells.insert(place, CellValue { bytes, value });
    }

    /// The address that a number is, where addresses take four bytes in memory.
    pub(super) fn widen(&self, number: Val) -> Val {
        let short = self.subject.system.program.short();
        let constant = self.terms.as_constant(number.term);
        let fixed = short.zip(constant).and_then(|(short, number)| {
            let bits = short.widen(number as u32);
            // What is in no object now may be in one that is made later.
            let known = bits >> 32 != 0 || ShortAddresses::is_never_an_object(number as u32);
            known.then(|| self.terms.constant(bits.into(), 64))
        });
        Val::of(fixed.unwrap_or_else(|| self.fresh(64)))
    }

    /// Loads words; whether that is defined.
    pub(super) fn load(
        &mut self,
        state: &mut State,
        address: Val,
        scalar: Scalar,
    ) -> Option<Vec<Val>> {
        let (bytes, bits) = (scalar.bytes(), scalar.bits());
        let reach = self.reach(state, address, u64::from(bytes))?;
        if scalar == Scalar::ShortPointer {
            let number = match reach {
                Reach::Exact(object, offset) => {
                    self.read(&mut state.memory, (object, offset), bytes as u8)
                }
                Reach::Within(_) | Reach::Anywhere => self.anything(32),
            };
            return Some(vec![self.widen(number)]);
        }
        if bits > 64 {
            return Some(vec![self.anything(64), self.anything(64)]);
        }
        Some(vec![match reach {
            Reach::Exact(object, offset) => {
                let value = self.read(&mut state.memory, (object, offset), bytes as u8);
                Val {
                    term: self.terms.resize_unsigned(value.term, bits as u8),
                    ..value
                }
            }
            Reach::Within(_) | Reach::Anywhere => {
                let look = (address.term, bits);
                let known = state.memory.looks.get(&look).copied();
                let value = known.unwrap_or_else(|| self.anything(bits as u8));
                state.memory.looks.insert(look, value);
                value
            }
        }])
    }

    /// Stores words; whether that is defined.
    pub(super) fn store(
        &mut self,
        state: &mut State,
        address: Val,
        scalar: Scalar,
        values: &[Val],
    ) -> bool {
        let bytes = scalar.bytes();
        let Some(reach) = self.reach(state, address, u64::from(bytes)) else {
            return false;
        };
        state.memory.looks.clear();
        match reach {
            Reach::Exact(object, offset) if scalar == Scalar::ShortPointer => {
                values.iter().for_each(|&value| self.expose(value));
                let null = values
                    .iter()
                    .all(|v| self.terms.as_constant(v.term) == Some(0));
                let number = match null {
                    true => Val::of(self.terms.constant(0, 32)),
                    false => self.anything(32),
                };
                self.write(&mut state.memory, (object, offset), bytes as u8, number);
            }
            Reach::Exact(object, offset) => {
                let mut left = bytes;
                for (index, &value) in (0u32..).zip(values) {
                    let part = left.min(8);
                    let place = (object, offset + 8 * index);
                    self.write(&mut state.memory, place, part as u8, value);
                    left -= part;
                }
            }
            other => {
                values.iter().for_each(|&value| self.expose(value));
                self.blur_reach(&mut state.memory, other);
            }
        }
        true
    }

    /// Writes anything to what is reached.
    pub(super) fn blur_reach(&self, memory: &mut Memory, reach: Reach) {
        match reach {
            Reach::Exact(object, _) | Reach::Within(object) => memory.blur(object),
            Reach::Anywhere => self.blur_all(memory),
        }
    }

    /// Writes so many bytes of anything, or of a known one, or those of a source.
    pub(super) fn transfer(
        &mut self,
        state: &mut State,
        (to, count): (Val, Val),
        source: Option<Val>,
        byte: Option<Val>,
    ) -> bool {
        let count = self
            .terms
            .as_constant(self.terms.resize_unsigned(count.term, 64));
        if count == Some(0) {
            return true;
        }
        let bytes = count.map_or(1, |count| count as u64);
        let Some(reach) = self.reach(state, to, bytes) else {
            return false;
        };
        let from = match source {
            Some(source) => match self.reach(state, source, bytes) {
                Some(from) => Some(from),
                None => return false,
            },
            None => None,
        };
        let (Reach::Exact(object, offset), true) =
            (&reach, count.is_some_and(|n| n <= u128::from(FOLLOWED)))
        else {
            self.blur_reach(&mut state.memory, reach);
            return true;
        };
        state.memory.looks.clear();
        let values: Vec<Option<Val>> = (0..bytes as u32)
            .map(|at| match (&from, byte) {
                (Some(Reach::Exact(object, start)), _) => {
                    Some(self.read(&mut state.memory, (*object, start + at), 1))
                }
                (_, Some(byte)) => Some(Val::of(self.terms.resize_unsigned(byte.term, 8))),
                _ => None,
            })
            .collect();
        // Pointers that are copied keep the object that they are addresses in.
        let whole: Vec<(u32, CellValue)> = match &from {
            Some(Reach::Exact(object, start)) => {
                let range = (*object, *start)..(*object, start + bytes as u32);
                let cells = state.memory.cells.range(range);
                let inside = cells
                    .filter(|((_, at), cell)| at + u32::from(cell.bytes) <= start + bytes as u32);
                inside.map(|(&(_, at), &cell)| (at - start, cell)).collect()
            }
            _ => Vec::new(),
        };
        for (at, value) in (0u32..).zip(values) {
            let value = value.unwrap_or_else(|| self.anything(8));
            self.write(&mut state.memory, (*object, offset + at), 1, value);
        }
        for (at, cell) in whole {
            let place = (*object, offset + at);
            self.write(&mut state.memory, place, cell.bytes, cell.value);
        }
        true
    }

    /// The address of a new object. Inside of loops and recursions each turn makes another one, at an address of its own.
    pub(super) fn make(&mut self, state: &mut State, size: Term, zeroed: bool) -> Val {
        let object = ObjectId::dynamic(self.objects.len() as u32);
        let size = self.terms.resize_unsigned(size, 64);
        let address = match self.context.is_empty() {
            true => {
                let bits = u128::from(Address::of(object).bits());
                self.terms.constant(bits, 64)
            }
            false => {
                let address = self.fresh(64);
                let null = self.terms.constant(0, 32);
                let high = self.terms.extract(address, 32, 32);
                state.assume(self.terms, self.terms.differ(high, null));
                address
            }
        };
        self.objects.push(super::Object {
            address,
            size,
            zeroed,
        });
        Val {
            term: address,
            base: Base::Object(object),
        }
    }

    /// How far an address is from the start of its object.
    fn offset(&self, address: Term, object: ObjectId) -> Term {
        let terms = self.terms;
        let start = match object.kind() {
            ObjectKind::Dynamic(n) => self.objects.get(n as usize).map(|object| object.address),
            _ => None,
        };
        let start =
            start.unwrap_or_else(|| terms.constant(u128::from(Address::of(object).bits()), 64));
        match terms.node(address) {
            _ if address == start => terms.constant(0, 64),
            Node::Binary(Binary::Add, a, b) if a == start => b,
            Node::Binary(Binary::Add, a, b) if b == start => a,
            _ => terms.subtract(address, start),
        }
    }

    /// A variable.
    pub(super) fn fresh(&self, width: u8) -> Term {
        self.terms.fresh("v", width)
    }

    /// A value of which nothing is known.
    pub(super) fn anything(&self, width: u8) -> Val {
        Val::of(self.fresh(width))
    }
}
