//! The machine as the domain that instructions are evaluated on: words with definedness.

use super::{Flow, add_to_address};
use crate::base::fault::{ErrorKind, Halt, Result, error, unsupported};
use crate::machine::Machine;
use crate::memory_model::StoreOrder;
use crate::state::happens_before::Order;
use crate::value::{Value, float, integer};
use impasse_program::instruction::{
    CallSiteId, Comparison, Conversion, FloatComparison, FloatOperation, Instruction, Intrinsic,
    Operand, Ordering, Position, Range, ReadModifyWrite, Scalar, Slot, SymbolId,
};
use impasse_program::word::Word;
use impasse_semantics::arithmetic::distance;
use impasse_semantics::domain::{Access, Arithmetic, Domain, Exchange, Switch};
use impasse_semantics::numbers::Narrow;

impl Domain for Machine<'_> {
    type Word = Word;
    type Value = Value;
    type Flow = Flow;
    type Halt = Box<Halt>;

    const NEXT: Flow = Flow::Next;

    #[inline(always)]
    fn word(&mut self, operand: Operand) -> Word {
        self.read(operand)
    }

    #[inline(always)]
    fn one_word(&mut self, operand: Operand, _: Scalar) -> Word {
        self.read(operand)
    }

    #[inline(always)]
    fn value(&mut self, operand: Operand, scalar: Scalar) -> Value {
        self.read_scalar(operand, scalar)
    }

    #[inline(always)]
    fn assign(&mut self, slot: Slot, word: Word) {
        self.write(slot, word);
    }

    #[inline(always)]
    fn assign_value(&mut self, slot: Slot, scalar: Scalar, value: Value) {
        self.write_scalar(slot, scalar, value);
    }

    fn undefined(&mut self, scalar: Scalar) -> Value {
        Value::undefined(scalar.bits())
    }

    #[inline(always)]
    fn binary(&mut self, arithmetic: Arithmetic, left: Word, right: Word) -> Result<Word> {
        self.arithmetic(arithmetic, left, right)
    }

    fn binary_wide(&mut self, arithmetic: Arithmetic, left: Value, right: Value) -> Result<Value> {
        self.wide_arithmetic(arithmetic, left, right)
    }

    #[inline(always)]
    fn compare(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        left: Word,
        right: Word,
    ) -> Result<Word> {
        self.compare_words(comparison, scalar.bits(), left, right)
    }

    fn compare_wide(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        left: Value,
        right: Value,
    ) -> Word {
        integer::compare_wide(comparison, scalar.bits(), left, right)
    }

    fn float(
        &mut self,
        operation: FloatOperation,
        scalar: Scalar,
        left: Value,
        right: Value,
    ) -> Value {
        float::binary(operation, scalar, left, right)
    }

    fn compare_floats(
        &mut self,
        comparison: FloatComparison,
        scalar: Scalar,
        left: Value,
        right: Value,
    ) -> Word {
        float::compare(comparison, scalar, left, right)
    }

    #[inline(always)]
    fn convert(&mut self, conversion: Conversion, from: Scalar, to: Scalar, value: Value) -> Value {
        self.converted(conversion, from, to, value)
    }

    fn narrow(&mut self, address: Value, to: Scalar) -> Result<Value> {
        let number = self.memory.expose_pointer32(address.low)?;
        let (bits, undefined) = (number.bits.into(), number.undefined.into());
        Ok(Value::with_undefined(bits, undefined, to.bits()))
    }

    fn widen(&mut self, number: Value, _: Scalar) -> Value {
        Value::one(self.memory.widen(number.low))
    }

    #[inline(always)]
    fn select(
        &mut self,
        scalar: Scalar,
        condition: Word,
        then: Operand,
        otherwise: Operand,
    ) -> Value {
        match (condition.is_defined(), condition.bits & 1) {
            (false, _) => Value::undefined(scalar.bits()),
            (_, 1) => self.read_scalar(then, scalar),
            _ => self.read_scalar(otherwise, scalar),
        }
    }

    fn freeze(&mut self, _: Scalar, mut value: Value) -> Value {
        (value.low.undefined, value.high.undefined) = (0, 0);
        value
    }

    fn repack(&mut self, from: Scalar, to: Scalar, parts: Vec<Value>, _: u32) -> Vec<Value> {
        self.repacked(from, to, &parts)
    }

    fn compute(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        arguments: &[Operand],
    ) -> Result<(Value, Option<Word>)> {
        self.intrinsic(intrinsic, scalar, arguments)
    }

    #[inline(always)]
    fn offset(&mut self, base: Word, bytes: i64) -> Word {
        add_to_address(base, bytes)
    }

    #[inline(always)]
    fn index(&mut self, base: Word, index: Word, width: u8, scale: u64) -> Word {
        let distance = distance(Narrow, index.bits, width.into(), scale);
        let mut word = add_to_address(base, distance as i64);
        if !index.is_defined() {
            word.undefined = !0;
        }
        word
    }

    fn allocate(&mut self, count: Word, element_bytes: u64, align: u32) -> Result<Word> {
        self.allocate_variable(count, element_bytes, align)
    }

    fn lifetime(&mut self, address: Word, ends: bool) -> Result<()> {
        self.change_scope(address, ends)
    }

    fn renew(&mut self, address: Word) -> Result<Option<Word>> {
        self.renew_variable(address)
    }

    fn save_stack(&mut self) -> Word {
        let frame = self.stack.frames.last().expect("a running frame");
        Word::number(frame.objects.len() as u64)
    }

    fn restore_stack(&mut self, saved: Word) -> Result<()> {
        self.free_since(saved.bits as usize)
    }

    fn thread_local(&mut self, variable: SymbolId) -> Result<Word> {
        self.address_of_thread_local(variable)
    }

    #[inline(always)]
    fn load(&mut self, access: Access, address: Word, destination: Slot) -> Result<Flow> {
        let (scalar, ordering, volatile) = (access.scalar, access.ordering, access.volatile);
        let is_relaxed = self.is_relaxed(scalar, address);
        let is_stream = self.is_standard_stream(address);
        let atomic = self.is_atomic(ordering, volatile) || is_relaxed || is_stream;
        if !atomic && self.is_scalar_in_pieces(address, scalar) {
            return self.load_in_pieces(address, scalar);
        }
        let order = match is_stream {
            true => Order::BOTH,
            false => self.order_of(ordering, volatile),
        };
        let value = self.load(scalar, address, atomic, order)?;
        self.write_scalar(destination, scalar, value);
        Ok(Flow::Next)
    }

    #[inline(always)]
    fn store(&mut self, access: Access, address: Word, value: Value) -> Result<Flow> {
        let (scalar, ordering, volatile) = (access.scalar, access.ordering, access.volatile);
        let is_relaxed = self.is_relaxed(scalar, address);
        let is_stream = self.is_standard_stream(address);
        let atomic = self.is_atomic(ordering, volatile) || is_relaxed || is_stream;
        if !atomic && self.is_scalar_in_pieces(address, scalar) {
            return self.store_in_pieces(address, scalar, value);
        }
        let order = match is_stream {
            true => Order::BOTH,
            false => self.order_of(ordering, volatile),
        };
        if (is_stream || !atomic && self.is_virtual_table(value))
            && self.holds(scalar, address, value, (atomic, order))?
        {
            return Ok(Flow::Next);
        }
        let order = StoreOrder {
            atomic,
            ordering,
            order,
        };
        self.model().store(self, scalar, address, value, order)?;
        Ok(Flow::Next)
    }

    fn update(
        &mut self,
        operation: ReadModifyWrite,
        access: Access,
        address: Word,
        operand: Value,
    ) -> Result<Value> {
        let order = Order::from(access.ordering);
        self.read_modify_write(operation, access.scalar, order, address, operand)
    }

    fn compare_exchange(
        &mut self,
        exchange: Exchange,
        address: Word,
        expected: Value,
        replacement: Value,
    ) -> Result<(Value, Word)> {
        self.exchange_if_equal(exchange, address, expected, replacement)
    }

    fn fence(&mut self, ordering: Ordering) -> Result<()> {
        if self.history.looks_ahead() {
            return Err(Box::new(Halt::SchedulingPoint));
        }
        self.model().fence(self, ordering)?;
        self.order_fence(Order::from(ordering));
        Ok(())
    }

    fn non_temporal(&mut self) -> Result<()> {
        match self.model().has_store_buffers() && self.memory.concurrent {
            true => unsupported("a non-temporal store, with store buffers"),
            false => Ok(()),
        }
    }

    fn copy_memory(
        &mut self,
        to: Word,
        from: Word,
        bytes: Word,
        may_overlap: bool,
    ) -> Result<Flow> {
        self.copy_memory(to, from, bytes, may_overlap)
    }

    fn fill_memory(&mut self, to: Word, value: Word, bytes: Word) -> Result<Flow> {
        self.fill_memory(to, value, bytes)
    }

    fn start_arguments(&mut self, list: Word) -> Result<()> {
        self.start_variable_arguments(list)
    }

    fn copy_arguments(&mut self, to: Word, from: Word) -> Result<Flow> {
        let bytes = Word::number(self.program.list_bytes());
        self.copy_memory(to, from, bytes, false)
    }

    #[inline(always)]
    fn jump(&mut self, target: Position) -> Flow {
        self.jump(target)
    }

    #[inline(always)]
    fn branch(&mut self, condition: Word, then: Position, otherwise: Position) -> Result<Flow> {
        if !condition.is_defined() {
            return error(
                ErrorKind::UndefinedValue,
                "a branch depends on an undefined value",
            );
        }
        let target = if condition.bits & 1 == 1 {
            then
        } else {
            otherwise
        };
        Ok(self.jump(target))
    }

    fn switch(&mut self, switch: Switch, value: Value) -> Result<Flow> {
        if !value.is_defined() {
            return error(
                ErrorKind::UndefinedValue,
                "a switch depends on an undefined value",
            );
        }
        let cases = &self.at.function.body.cases[switch.cases.indices()];
        let case = cases.iter().find(|(v, _)| *v as u128 == value.bits());
        Ok(self.jump(case.map_or(switch.default, |(_, target)| *target)))
    }

    fn indirect_jump(&mut self, target: Word, cases: Range) -> Result<Flow> {
        let cases = &self.at.function.body.cases[cases.indices()];
        match cases.iter().find(|case| case.0 == target.bits) {
            Some(case) if target.is_defined() => Ok(self.jump(case.1)),
            _ => error(
                ErrorKind::InvalidPointer,
                "a computed goto to what is no label of the function",
            ),
        }
    }

    #[inline(always)]
    fn call(&mut self, site: CallSiteId) -> Result<Flow> {
        self.call(site)
    }

    #[inline(always)]
    fn return_from(&mut self, values: Range) -> Result<Flow> {
        self.return_from(values)
    }

    fn stuck(&mut self, instruction: &Instruction) -> Result<Flow> {
        match instruction {
            Instruction::Unsupported { reason } => {
                unsupported(self.at.function.body.names[*reason as usize].clone())
            }
            Instruction::LandingPad { .. } => {
                unsupported("a landing pad that is reached without an exception")
            }
            _ => error(
                ErrorKind::Unreachable,
                "execution reaches a point that the compiler takes for unreachable",
            ),
        }
    }
}
