//! Instructions that access memory: loads and stores, atomic updates, local variables, copies.

use super::Flow;
use super::pieces::{Copy, Pieces};
use crate::base::fault::{ErrorKind, Result, error, unsupported};
use crate::machine::Machine;
use crate::machine::record::Action;
use crate::machine::route::Route;
use crate::state::happens_before::Order;
use crate::state::memory::object::{Class, Flags, Object};
use crate::state::memory::{Access, Spot, allocatable};
use crate::value::integer::{self, Strictness};
use crate::value::{Value, float, intrinsic};
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{
    BinaryOperation, Instruction as I, Intrinsic, Operand, Ordering, PoisonFlags, ReadModifyWrite,
    Scalar, Slot, SymbolId,
};
use impasse_program::link::Target;
use impasse_program::word::Word;
use smallvec::SmallVec;

impl<'s> Machine<'s> {
    pub(super) fn memory_instruction(&mut self, instruction: &'s I) -> Result<Flow> {
        match instruction {
            I::Allocate {
                destination,
                count,
                element_bytes,
                align,
                ..
            } => self.allocate_variable(*destination, *count, *element_bytes, *align)?,
            I::LifetimeStart { address } => self.lifetime(*address, false)?,
            I::LifetimeEnd { address } => self.lifetime(*address, true)?,
            I::StackSave { destination } => {
                let frame = self.stack.frames.last().expect("a running frame");
                let count = frame.objects.len() as u64;
                self.write(*destination, Word::number(count));
            }
            I::StackRestore { saved } => {
                let saved = self.read(*saved).bits as usize;
                let frame = self.stack.frames.last_mut().expect("a running frame");
                let gone: SmallVec<[ObjectId; 4]> = match saved <= frame.objects.len() {
                    true => frame.objects.drain(saved..).collect(),
                    false => SmallVec::new(),
                };
                self.free_locals(gone)?;
            }
            I::ThreadLocal {
                destination,
                variable,
            } => {
                let word = self.thread_local(*variable)?;
                self.write(*destination, word);
            }
            I::Update {
                operation,
                scalar,
                ordering,
                destination,
                address,
                source,
            } => {
                let order = Order::from(*ordering);
                self.update(*operation, *scalar, order, *destination, *address, *source)?;
            }
            I::CompareExchange { .. } => self.compare_exchange(instruction)?,
            I::Fence {
                ordering,
                single_thread: false,
            } => {
                if *ordering == Ordering::SequentiallyConsistent {
                    self.drain()?;
                }
                self.order_fence(Order::from(*ordering));
            }
            I::Fence { .. } => {}
            I::NonTemporal if self.delays() && self.memory.concurrent => {
                return unsupported("a non-temporal store, with store buffers");
            }
            I::NonTemporal => {}
            I::CopyMemory {
                destination,
                source,
                bytes,
                may_overlap,
            } => {
                let (to, from) = (self.read(*destination), self.read(*source));
                let bytes = self.read(*bytes);
                return self.copy_memory(to, from, bytes, *may_overlap);
            }
            I::FillMemory {
                destination,
                value,
                bytes,
            } => {
                let (to, value) = (self.read(*destination), self.read(*value));
                let bytes = self.read(*bytes);
                return self.fill_memory(to, value, bytes);
            }
            I::VariableArgumentsStart { list } => {
                let list = self.read(*list);
                self.start_variable_arguments(list)?;
            }
            I::VariableArgumentsCopy {
                destination,
                source,
            } => {
                let (to, from) = (self.read(*destination), self.read(*source));
                let bytes = Word::number(self.program.list_bytes());
                return self.copy_memory(to, from, bytes, false);
            }
            _ => unreachable!("every instruction has its place"),
        }
        Ok(Flow::Next)
    }

    pub(super) fn allocate_variable(
        &mut self,
        destination: Slot,
        count: Operand,
        element_bytes: u64,
        align: u32,
    ) -> Result<()> {
        let count = self.read(count);
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
        self.write(destination, Word::pointer(Address::of(id).bits()));
        Ok(())
    }

    pub(super) fn lifetime(&mut self, address: Operand, ended: bool) -> Result<()> {
        let word = self.read(address);
        let object = Address::from_bits(word.bits).object;
        let local = |o: crate::state::memory::ObjectRef| {
            o.class() == Class::Stack && !o.flags().has(Flags::FREED)
        };
        if word.is_defined() && self.memory.get(object).is_some_and(local) {
            self.look_for_late_accesses(object)?;
            self.release(object)?;
            self.track_end(object);
            let object = self.memory.get_mut(object);
            object.clear();
            object.flags.set(Flags::ENDED, ended);
            object.flags.set(Flags::ESCAPED, false);
        }
        Ok(())
    }

    pub(super) fn thread_local(&mut self, variable: SymbolId) -> Result<Word> {
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

    fn update(
        &mut self,
        operation: ReadModifyWrite,
        scalar: Scalar,
        order: Order,
        destination: Slot,
        address: Operand,
        source: Operand,
    ) -> Result<()> {
        let (word, operand) = (self.read(address), self.read_scalar(source, scalar));
        let bytes = scalar.bytes() as u64;
        self.drain()?;
        let address = self.memory.address(word)?;
        self.observe(address, bytes, Access::Write, true)?;
        let spot = self.memory.check(word, address, bytes, Access::Write)?;
        let old = self.load_checked(scalar, spot);
        let mut new = modify(operation, scalar, old, operand);
        if operation != ReadModifyWrite::Exchange {
            new.low.time = old.low.time.or(operand.low.time);
        }
        self.check_pointer32(scalar, new)?;
        self.order_update(address, order);
        if self.events.is_some() {
            self.note_update(address, scalar, old, new);
        }
        if new != old {
            self.store_checked(scalar, spot, new);
        }
        self.write_scalar(destination, scalar, old);
        Ok(())
    }

    fn compare_exchange(&mut self, instruction: &'s I) -> Result<()> {
        let I::CompareExchange {
            scalar,
            success,
            failure,
            weak,
            destination,
            address,
            expected,
            replacement,
        } = *instruction
        else {
            unreachable!("a compare-exchange");
        };
        let expected = self.read_scalar(expected, scalar);
        let new = self.read_scalar(replacement, scalar);
        let word = self.read(address);
        let bytes = scalar.bytes() as u64;
        self.drain()?;
        let address = self.memory.address(word)?;
        self.observe(address, bytes, Access::Write, true)?;
        let spot = self.memory.check(word, address, bytes, Access::Write)?;
        let old = self.load_checked(scalar, spot);
        if !old.is_defined() || !expected.is_defined() {
            return error(
                ErrorKind::UndefinedValue,
                "a compare-and-exchange depends on an undefined value",
            );
        }
        if !old.low.time.or(expected.low.time).is_none() {
            return unsupported("a compare-and-exchange of a value that depends on the time");
        }
        self.check_pointer32(scalar, new)?;
        let equal = self.same_value(old, expected)?;
        let fails = weak && equal && self.options.spurious_failures && self.fails_spuriously()?;
        match equal && !fails {
            true => self.order_update(address, Order::from(success)),
            false => self.order_load(address, Order::from(failure)),
        }
        if equal && !fails {
            if self.events.is_some() {
                self.note_update(address, scalar, old, new);
            }
            if new != old {
                self.store_checked(scalar, spot, new);
            }
        } else if self.events.is_some() {
            let expected = (!fails).then_some(expected);
            self.note_failed_exchange(address, scalar, old, expected);
        }
        self.write_scalar(destination, scalar, old);
        let flag = Slot(destination.0 + scalar.words());
        self.write(flag, Word::number((equal && !fails) as u64));
        Ok(())
    }

    #[cold]
    fn note_update(&mut self, address: Address, scalar: Scalar, old: Value, new: Value) {
        let (old, new) = (self.show(scalar, old), self.show(scalar, new));
        self.note_variable(address, scalar, Some(old), new);
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

    /// `memcpy` and `memmove`: one action, unless they are made in pieces (`pieces`).
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
        let route = self.store_route(target, count, false);
        self.observe_also(route, target, count, Access::Write, false)?;
        let (target, source) = self.ends_of_copy(&copy, overlap)?;
        match self.delays() {
            true => self.copy_in_order(route, target, source, count as usize)?,
            false => self.memory.copy(target, source, count as usize),
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

    /// `memset`.
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
        let route = self.store_route(target, count, false);
        self.observe_as(route, target, count, Access::Write, false)?;
        let target = self.memory.check(to, target, count, Access::Write)?;
        if self.delays() && route == Route::Delayed {
            self.fill_in_order(target, count as usize, value)?;
            return Ok(Flow::Next);
        }
        self.memory.fill(target, count as usize, value);
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
    use BinaryOperation as B;
    use ReadModifyWrite as R;
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
    let float = |op| float::binary(op, scalar, old, operand);
    match operation {
        R::Exchange => operand,
        R::Add => binary(B::Add),
        R::Subtract => binary(B::Subtract),
        R::And => binary(B::And),
        R::Or => binary(B::Or),
        R::Xor => binary(B::Xor),
        R::Nand => {
            let value = binary(B::And);
            let bits = !value.bits();
            Value::with_undefined(bits, value.undefined_bits(), width)
        }
        R::SignedMaximum => pick(Intrinsic::SignedMaximum),
        R::SignedMinimum => pick(Intrinsic::SignedMinimum),
        R::UnsignedMaximum => pick(Intrinsic::UnsignedMaximum),
        R::UnsignedMinimum => pick(Intrinsic::UnsignedMinimum),
        R::FloatAdd => float(impasse_program::instruction::FloatOperation::Add),
        R::FloatSubtract => float(impasse_program::instruction::FloatOperation::Subtract),
        R::FloatMaximum => pick(Intrinsic::MaximumNumber),
        R::FloatMinimum => pick(Intrinsic::MinimumNumber),
        R::IncrementWrap => {
            let wraps = old.bits() >= operand.bits();
            Value::number(if wraps { 0 } else { old.bits() + 1 })
        }
        R::DecrementWrap => {
            let wraps = old.bits() == 0 || old.bits() > operand.bits();
            Value::number(if wraps {
                operand.bits()
            } else {
                old.bits() - 1
            })
        }
    }
}
