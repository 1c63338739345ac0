//! Instructions that access memory: loads and stores, atomic updates, local variables, copies.

use super::Flow;
use super::pieces::{Copy, Pieces};
use crate::base::fault::{ErrorKind, Result, error, unsupported};
use crate::machine::Machine;
use crate::machine::record::Action;
use crate::machine::route::Route;
use crate::memory_model::{Loaded, Modifies};
use crate::state::happens_before::{Order, Place};
use crate::state::memory::object::{Class, Flags, Object};
use crate::state::memory::{Access, Spot, allocatable};
use crate::value::integer::{self, Strictness};
use crate::value::{Value, float, intrinsic};
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::{
    BinaryOperation, PoisonFlags, ReadModifyWrite, Scalar, SymbolId,
};
use impasse_program::link::Target;
use impasse_program::word::Word;
use impasse_semantics::domain::Exchange;
use impasse_semantics::update::{Modification, modification};
use smallvec::SmallVec;

impl<'s> Machine<'s> {
    /// Makes a local object; returns its address.
    pub(super) fn allocate_variable(
        &mut self,
        count: Word,
        element_bytes: u64,
        align: u32,
    ) -> Result<Word> {
        if !count.is_defined() {
            return error(
                ErrorKind::UndefinedValue,
                "the size of a local array is undefined",
            );
        }
        let bytes = count.bits.saturating_mul(element_bytes);
        if !allocatable(bytes) {
            return error(
                ErrorKind::StackOverflow,
                format!("a local object of {bytes} bytes"),
            );
        }
        let align = align.max(1).trailing_zeros() as u8;
        let object = Object::undefined(Class::Stack, bytes as u32, align, Some(self.place()));
        let id = self.allocate_local(object);
        Ok(Word::pointer(Address::of(id).bits()))
    }

    /// Frees the objects of the frame but for the first `kept`.
    pub(super) fn free_since(&mut self, kept: usize) -> Result<()> {
        let frame = self.stack.frames.last_mut().expect("a running frame");
        let gone: SmallVec<[ObjectId; 4]> = match kept <= frame.objects.len() {
            true => frame.objects.drain(kept..).collect(),
            false => SmallVec::new(),
        };
        self.record_end_of_locals(self.at.id, self.at.function);
        self.free_locals(gone)
    }

    /// Begins or ends the scope of a local object.
    pub(super) fn change_scope(&mut self, word: Word, ended: bool) -> Result<()> {
        let object = Address::from_bits(word.bits).object;
        let local = |o: crate::state::memory::ObjectRef| {
            o.class() == Class::Stack && !o.flags().has(Flags::FREED)
        };
        if word.is_defined() && self.memory.get(object).is_some_and(local) {
            self.look_for_late_accesses(object)?;
            self.record_scope(Route::Direct, object);
            self.model().end_object(self, object)?;
            self.track_end(object);
            let object = self.memory.get_mut(object);
            object.clear();
            object.flags.set(Flags::ENDED, ended);
            object.flags.set(Flags::ESCAPED, false);
        }
        Ok(())
    }

    /// Makes a new object of a local variable whose scope begins again, in place of the old one,
    /// to which pointers are stale; `None` if it may remain the same. An old one that has not ended
    /// was left by an exception or a `longjmp`, unless nothing was written to it.
    pub(super) fn renew_variable(&mut self, word: Word) -> Result<Option<Word>> {
        let old = Address::from_bits(word.bits).object;
        let Some(object) = self.memory.get(old).filter(|_| word.is_defined()) else {
            return Ok(None);
        };
        let flags = object.flags();
        let is_local = object.class() == Class::Stack && !flags.has(Flags::FREED);
        // A new object would have no size that depends on inputs.
        let is_local = is_local && object.limit().is_none();
        let is_fresh = !flags.has(Flags::ENDED) && object.is_undefined();
        if !self.memory.renews_locals || !is_local || is_fresh || flags.has(Flags::EXPOSED) {
            return Ok(None);
        }
        let (size, align, origin) = (object.size(), object.align_log2(), object.origin());
        let mine = &self.stack.frames.last().expect("a running frame").objects;
        let Some(index) = mine.iter().position(|&local| local == old) else {
            return Ok(None);
        };
        if !flags.has(Flags::ENDED) {
            self.change_scope(word, true)?;
        }
        let new = Object::undefined(Class::Stack, size, align, origin);
        let new = self.memory.allocate(new);
        let frame = self.stack.frames.last_mut().expect("a running frame");
        frame.objects[index] = new;
        Ok(Some(Word::pointer(Address::of(new).bits())))
    }

    /// The address of this thread's copy of a variable.
    pub(super) fn address_of_thread_local(&mut self, variable: SymbolId) -> Result<Word> {
        let Target::Global(global, offset) = self.program.target(self.at.id, variable) else {
            return unsupported("a thread-local variable that is defined nowhere");
        };
        let info = &self.program.globals()[global.0 as usize];
        let object = if info.thread_local {
            self.local_copy(global.0)
        } else {
            ObjectId::global(global.0)
        };
        Ok(Word::pointer(Address { object, offset }.bits()))
    }

    fn local_copy(&mut self, global: u32) -> ObjectId {
        let locals = &self.threads[self.running].locals;
        if let Some((_, object)) = locals.iter().find(|(g, _)| *g == global) {
            return *object;
        }
        let info = &self.program.globals()[global as usize];
        let object = Object::of_global(Class::ThreadLocal, info, self.program);
        let id = self.memory.allocate(object);
        let locals = &mut self.threads[self.running].locals;
        let at = locals.partition_point(|(g, _)| *g < global);
        locals.insert(at, (global, id));
        id
    }

    /// Returns whether a value is the address of a table of virtual functions, and memory is
    /// concurrent.
    #[inline]
    pub(super) fn is_virtual_table(&self, value: Value) -> bool {
        let object = Address::from_bits(value.low.bits).object;
        let is_table = |index: u32| self.program.globals()[index as usize].virtual_table;
        self.memory.concurrent
            && value.low.pointer
            && matches!(object.kind(), ObjectKind::Global(index) if is_table(index))
    }

    /// Returns whether an address is in a standard stream of C++, and memory is concurrent. Several
    /// threads may use such a stream (C++23, [iostream.objects.overview], paragraph 5), so what the
    /// library does to it then is atomic, and synchronises, as the lock of a stream of C does.
    #[inline]
    pub(super) fn is_standard_stream(&self, word: Word) -> bool {
        let object = Address::from_bits(word.bits).object;
        let is_stream = |index: u32| self.program.globals()[index as usize].standard_stream;
        self.system.has_streams
            && self.memory.concurrent
            && matches!(object.kind(), ObjectKind::Global(index) if is_stream(index))
    }

    /// Returns whether memory holds a value already. If so, to store it there need not be a write:
    /// of tables of virtual functions, as destructors do it while other threads may call virtual
    /// functions of the object, and C++ knows of no such store; of the width of a standard stream,
    /// which each output resets. Fails if the access is an error or races.
    #[cold]
    pub(super) fn holds(
        &mut self,
        scalar: Scalar,
        word: Word,
        value: Value,
        (atomic, order): (bool, Order),
    ) -> Result<bool> {
        let address = self.memory.address(word)?;
        let bytes = scalar.bytes().into();
        let Ok(spot) = self.memory.check(word, address, bytes, Access::Write) else {
            return Ok(false);
        };
        let present = self.load_checked(scalar, spot);
        Ok(present == value && self.load(scalar, word, atomic, order)? == value)
    }

    /// Reads, modifies and writes in one step; returns the old value.
    pub(super) fn read_modify_write(
        &mut self,
        operation: ReadModifyWrite,
        scalar: Scalar,
        order: Order,
        word: Word,
        operand: Value,
    ) -> Result<Value> {
        let modifies = Modifies {
            is_total: order.is_total,
            may_only_read: false,
        };
        let model = self.model();
        let loaded = model.load_to_modify(self, scalar, word, modifies)?;
        let old = loaded.value;
        let mut new = match old.is_term() || operand.is_term() {
            false => modify(operation, scalar, old, operand),
            true => self.modify_term(operation, scalar, old, operand)?,
        };
        if operation != ReadModifyWrite::Exchange {
            new.low.time = old.low.time.or(operand.low.time);
        }
        self.check_pointer32(scalar, new)?;
        model.store_modified(self, scalar, &loaded, order, new)?;
        if self.observer.notes_events() {
            self.note_update(&loaded, scalar, new);
        }
        Ok(old)
    }

    /// Compares and, if equal, writes; returns the old value and whether it wrote.
    pub(super) fn exchange_if_equal(
        &mut self,
        exchange: Exchange,
        word: Word,
        expected: Value,
        new: Value,
    ) -> Result<(Value, Word)> {
        let scalar = exchange.scalar;
        let (success, failure) = (Order::from(exchange.success), Order::from(exchange.failure));
        let modifies = Modifies {
            is_total: success.is_total || failure.is_total,
            may_only_read: true,
        };
        let model = self.model();
        let loaded = model.load_to_modify(self, scalar, word, modifies)?;
        let (address, old) = (loaded.address, loaded.value);
        let decided = match old.is_term() || expected.is_term() {
            false => None,
            true => Some(self.are_equal(scalar, old, expected)?),
        };
        if decided.is_none() && (!old.is_defined() || !expected.is_defined()) {
            return error(
                ErrorKind::UndefinedValue,
                "a compare-and-exchange depends on an undefined value",
            );
        }
        if !old.low.time.or(expected.low.time).is_none() {
            return unsupported("a compare-and-exchange of a value that depends on the time");
        }
        self.check_pointer32(scalar, new)?;
        let equal = match decided {
            Some(equal) => equal,
            None => self.same_value(old, expected)?,
        };
        let fails =
            exchange.weak && equal && self.options.spurious_failures && self.fails_spuriously()?;
        if equal && !fails {
            model.store_modified(self, scalar, &loaded, success, new)?;
            if self.observer.notes_events() {
                self.note_update(&loaded, scalar, new);
            }
        } else {
            model.read_only(self, scalar, &loaded, failure)?;
            if self.observer.notes_events() {
                let expected = (!fails).then_some(expected);
                self.note_failed_exchange(address, scalar, old, expected);
            }
        }
        Ok((old, Word::number((equal && !fails) as u64)))
    }

    /// Notes a read-modify-write that has stored.
    #[cold]
    fn note_update(&mut self, loaded: &Loaded, scalar: Scalar, new: Value) {
        if !loaded.is_newest {
            let place = Place::at(loaded.address, scalar.bytes().into());
            return self.note_before(scalar, (loaded.spot, &place), new);
        }
        let (old, new) = (self.show(scalar, loaded.value), self.show(scalar, new));
        self.note_variable(loaded.address, scalar, Some(old), new);
    }

    /// Notes that a compare-exchange fails; spuriously if there is no expected value.
    #[cold]
    fn note_failed_exchange(
        &mut self,
        address: Address,
        scalar: Scalar,
        old: Value,
        expected: Option<Value>,
    ) {
        let bytes = scalar.bytes() as u64;
        let (variable, library) = self.variable(address, bytes);
        let action = Action::Fail {
            variable,
            value: self.show(scalar, old),
            expected: expected.map(|value| self.show(scalar, value)),
        };
        let identity = self.identity_of(address, bytes);
        self.note_about(action, library, identity);
    }

    /// Executes `memcpy` or `memmove`: one action, unless the copy is made in pieces (`pieces`).
    /// Fails if an access is an error or the ranges must not overlap but do.
    pub fn copy_memory(
        &mut self,
        to: Word,
        from: Word,
        bytes: Word,
        overlap: bool,
    ) -> Result<Flow> {
        let count = self.defined_size(bytes)?;
        if count == 0 {
            return Ok(Flow::Next);
        }
        let (target, source) = (self.memory.address(to)?, self.memory.address(from)?);
        let copy = Copy {
            to,
            from,
            bytes: count,
        };
        if self.copies_in_pieces(&copy) {
            return self.copy_seen(&copy, overlap);
        }
        self.observe_also(Route::Forwarded, source, count, Access::Read, false)?;
        let route = self.model().route_of_store(self, target, count, false);
        self.observe_also(route, target, count, Access::Write, false)?;
        let (to, from) = self.ends_of_copy(&copy, overlap)?;
        let model = self.model();
        model.copy(self, route, to, from, count as usize)?;
        if self.observer.notes_events() && self.is_in_own_code() {
            self.note_range(source, count, None);
            self.note_range(target, count, Some(String::new()));
        }
        Ok(Flow::Next)
    }

    /// Where a copy goes, and where it comes from.
    fn ends_of_copy(&self, copy: &Copy, overlap: bool) -> Result<(Spot, Spot)> {
        let source = self.memory.resolve(copy.from, copy.bytes, Access::Read)?;
        let target = self.memory.resolve(copy.to, copy.bytes, Access::Write)?;
        let apart = source.offset.abs_diff(target.offset) as u64 >= copy.bytes;
        if !overlap && source.object == target.object && !apart && source != target {
            return error(ErrorKind::InvalidCall, "memcpy between places that overlap");
        }
        Ok((target, source))
    }

    /// A copy in pieces; between places that overlap, in the only order that is right.
    fn copy_seen(&mut self, copy: &Copy, overlap: bool) -> Result<Flow> {
        let (target, source) = self.ends_of_copy(copy, overlap)?;
        let distance = target.offset.abs_diff(source.offset) as u64;
        let order = match target.object == source.object && distance < copy.bytes {
            true if target.offset > source.offset => Pieces::Descending,
            true => Pieces::Ascending,
            false => self.order_of_pieces(copy.bytes)?,
        };
        self.copy_in_pieces(copy, order)
    }

    /// Executes `memset`: one action, unless it is made in pieces. Fails if the access is an error.
    pub fn fill_memory(&mut self, to: Word, value: Word, bytes: Word) -> Result<Flow> {
        let count = self.defined_size(bytes)?;
        if count == 0 {
            return Ok(Flow::Next);
        }
        let target = self.memory.address(to)?;
        if self.is_in_pieces(to, count) {
            self.memory.resolve(to, count, Access::Write)?;
            return self.fill_in_pieces(to, value, count);
        }
        let route = self.model().route_of_store(self, target, count, false);
        self.observe_as(route, target, count, Access::Write, false)?;
        let spot = self.memory.check(to, target, count, Access::Write)?;
        let model = self.model();
        model.fill(self, route, spot, count as usize, value)?;
        if self.observer.notes_events() && self.is_in_own_code() {
            let value = self.show(Scalar::Integer(8), Value::one(value));
            self.note_range(target, count, Some(value));
        }
        Ok(Flow::Next)
    }

    fn defined_size(&self, bytes: Word) -> Result<u64> {
        if bytes.is_defined() {
            return Ok(bytes.bits);
        }
        error(
            ErrorKind::UndefinedValue,
            "the size of a memory operation is undefined",
        )
    }
}

fn modify(operation: ReadModifyWrite, scalar: Scalar, old: Value, operand: Value) -> Value {
    let width = scalar.bits();
    let lax = Strictness {
        shifts: false,
        signed_overflow: false,
    };
    let binary = |op| {
        let result = integer::binary_wide(op, width, old, operand, PoisonFlags::default(), lax);
        let mut value = result.unwrap_or(Value::undefined(width));
        value.low.pointer = old.low.pointer;
        value
    };
    let pick = |intrinsic| {
        let result = intrinsic::compute(intrinsic, scalar, &[old, operand]);
        result.map_or(Value::undefined(width), |(value, _)| value)
    };
    match modification(operation) {
        Modification::Replace => operand,
        Modification::Binary(operation) => binary(operation),
        Modification::Nand => {
            let value = binary(BinaryOperation::And);
            Value::with_undefined(!value.bits(), value.undefined_bits(), width)
        }
        Modification::Intrinsic(intrinsic) => pick(intrinsic),
        Modification::Float(operation) => float::binary(operation, scalar, old, operand),
        Modification::IncrementWrap => {
            let wraps = old.bits() >= operand.bits();
            Value::number(if wraps { 0 } else { old.bits() + 1 })
        }
        Modification::DecrementWrap => {
            let wraps = old.bits() == 0 || old.bits() > operand.bits();
            Value::number(if wraps {
                operand.bits()
            } else {
                old.bits() - 1
            })
        }
    }
}
