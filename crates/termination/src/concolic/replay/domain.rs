//! The evaluation as the domain that instructions are evaluated on: values with what they are made
//! of. Their concrete parts come from the trace.

use super::Replay;
use crate::concolic::shadow::{Shadow, Value};
use crate::concolic::trace::Known;
use crate::vectors::OnTerms;
use impasse_program::instruction::{
    CallSiteId, Comparison, Conversion, FloatComparison, FloatOperation, Instruction, Intrinsic,
    Operand, Ordering, Position, Range, ReadModifyWrite, Scalar, Slot, SymbolId,
};
use impasse_semantics::domain::{Access, Arithmetic, Domain, Exchange, Halting, Switch};
use std::convert::Infallible;

/// One word that is the same in every execution of the path.
fn fixed() -> Value {
    Value::computed(Shadow::Concrete)
}

impl Domain for Replay<'_, '_> {
    type Word = Value;
    type Value = Vec<Value>;
    type Flow = ();
    type Halt = Infallible;

    const NEXT: () = ();

    fn word(&mut self, operand: Operand) -> Value {
        Replay::word(self, operand)
    }

    fn one_word(&mut self, operand: Operand, _: Scalar) -> Value {
        Replay::word(self, operand)
    }

    fn value(&mut self, operand: Operand, scalar: Scalar) -> Vec<Value> {
        self.words(operand, scalar)
    }

    fn assign(&mut self, slot: Slot, word: Value) {
        let known = self.recorded[self.assigned];
        self.assigned += 1;
        Replay::assign(self, slot, known, word.shadow);
    }

    fn assign_value(&mut self, slot: Slot, _: Scalar, words: Vec<Value>) {
        for (index, word) in (0..).zip(words) {
            Domain::assign(self, Slot(slot.0 + index), word);
        }
    }

    fn undefined(&mut self, scalar: Scalar) -> Vec<Value> {
        self.opaque_words(&[], scalar.words())
    }

    fn binary(
        &mut self,
        arithmetic: Arithmetic,
        left: Value,
        right: Value,
    ) -> Halting<Value, Self> {
        Ok(self.arithmetic(arithmetic, &left, &right))
    }

    fn binary_wide(
        &mut self,
        arithmetic: Arithmetic,
        left: Vec<Value>,
        right: Vec<Value>,
    ) -> Halting<Vec<Value>, Self> {
        Ok(self.wide_arithmetic(arithmetic.operation, &[left, right].concat()))
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        left: Value,
        right: Value,
    ) -> Halting<Value, Self> {
        let width = scalar.bits() as u8;
        let shadow = self.of_two(&left, width, &right, width, |terms, a, b| {
            OnTerms(terms).compare(comparison, a, b)
        });
        Ok(Value::computed(shadow))
    }

    fn compare_wide(
        &mut self,
        _: Comparison,
        _: Scalar,
        left: Vec<Value>,
        right: Vec<Value>,
    ) -> Value {
        Value::computed(self.opaque(left.iter().chain(&right)))
    }

    fn float(
        &mut self,
        _: FloatOperation,
        scalar: Scalar,
        left: Vec<Value>,
        right: Vec<Value>,
    ) -> Vec<Value> {
        self.opaque_words(&[left, right].concat(), scalar.words())
    }

    fn compare_floats(
        &mut self,
        _: FloatComparison,
        _: Scalar,
        left: Vec<Value>,
        right: Vec<Value>,
    ) -> Value {
        Value::computed(self.opaque(left.iter().chain(&right)))
    }

    fn convert(
        &mut self,
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        value: Vec<Value>,
    ) -> Vec<Value> {
        self.converted(conversion, from, to, &value)
    }

    /// Which number an address has, no term says.
    fn narrow(&mut self, address: Vec<Value>, to: Scalar) -> Halting<Vec<Value>, Self> {
        self.pin(&address[0], 64);
        Ok(vec![fixed(); to.words() as usize])
    }

    fn widen(&mut self, number: Vec<Value>, from: Scalar) -> Vec<Value> {
        self.pin(&number[0], from.bits().min(64) as u8);
        vec![fixed()]
    }

    fn select(
        &mut self,
        scalar: Scalar,
        condition: Value,
        then: Operand,
        otherwise: Operand,
    ) -> Vec<Value> {
        let (yes, no) = (self.words(then, scalar), self.words(otherwise, scalar));
        self.chosen(scalar, &condition, &yes, &no)
    }

    fn freeze(&mut self, _: Scalar, words: Vec<Value>) -> Vec<Value> {
        match words.iter().any(|word| word.known.undefined) {
            true => self.opaque_words(&words, words.len() as u32),
            false => words,
        }
    }

    fn repack(
        &mut self,
        _: Scalar,
        to: Scalar,
        parts: Vec<Vec<Value>>,
        count: u32,
    ) -> Vec<Vec<Value>> {
        let result = self.opaque_words(&parts.concat(), to.words());
        (0..count).map(|_| result.clone()).collect()
    }

    fn compute(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        arguments: &[Operand],
    ) -> Halting<(Vec<Value>, Option<Value>), Self> {
        let mut words = self.intrinsic(intrinsic, scalar, arguments);
        let flag = match intrinsic.has_overflow_flag() {
            true => words.pop(),
            false => None,
        };
        Ok((words, flag))
    }

    fn offset(&mut self, base: Value, bytes: i64) -> Value {
        Value::computed(match self.symbolic_term(&base, 64) {
            Ok(term) => {
                let bytes = self.terms.constant(u128::from(bytes as u64), 64);
                Shadow::Term(self.terms.add(term, bytes))
            }
            Err(shadow) => shadow,
        })
    }

    fn index(&mut self, base: Value, index: Value, width: u8, scale: u64) -> Value {
        let shadow = self.of_two(&base, 64, &index, width, |terms, base, index| {
            OnTerms(terms).indexed(base, index, scale)
        });
        Value::computed(shadow)
    }

    fn allocate(&mut self, count: Value, _: u64, _: u32) -> Halting<Value, Self> {
        self.pin(&count, 64);
        Ok(fixed())
    }

    fn lifetime(&mut self, address: Value, ends: bool) -> Halting<(), Self> {
        self.change_scope(&address, ends);
        Ok(())
    }

    fn save_stack(&mut self) -> Value {
        fixed()
    }

    fn restore_stack(&mut self, saved: Value) -> Halting<(), Self> {
        self.pin(&saved, 64);
        Ok(())
    }

    fn thread_local(&mut self, _: SymbolId) -> Halting<Value, Self> {
        self.use_thread_local();
        Ok(fixed())
    }

    fn load(&mut self, access: Access, address: Value, destination: Slot) -> Halting<(), Self> {
        self.pin(&address, 64);
        let known = &self.recorded[1..];
        self.load(access.scalar, destination, address.known.bits, known);
        Ok(())
    }

    fn store(&mut self, access: Access, address: Value, value: Vec<Value>) -> Halting<(), Self> {
        self.pin(&address, 64);
        self.store(access.scalar, address.known.bits, value);
        Ok(())
    }

    fn update(
        &mut self,
        operation: ReadModifyWrite,
        access: Access,
        address: Value,
        mut operand: Vec<Value>,
    ) -> Halting<Vec<Value>, Self> {
        self.pin(&address, 64);
        self.assigned = 1;
        if !self.follows_atomic(access.scalar) {
            return Ok(Vec::new());
        }
        let operand = operand.swap_remove(0);
        let old = self.read_modify_write(operation, access.scalar, &address, operand);
        Ok(vec![old])
    }

    fn compare_exchange(
        &mut self,
        exchange: Exchange,
        address: Value,
        expected: Vec<Value>,
        mut replacement: Vec<Value>,
    ) -> Halting<(Vec<Value>, Value), Self> {
        self.pin(&address, 64);
        self.assigned = 1;
        if !self.follows_atomic(exchange.scalar) {
            return Ok((Vec::new(), fixed()));
        }
        let new = replacement.swap_remove(0);
        let old = self.exchange_if_equal(exchange.scalar, &address, &expected[0], new);
        Ok((vec![old], fixed()))
    }

    fn fence(&mut self, _: Ordering) -> Halting<(), Self> {
        Ok(())
    }

    fn non_temporal(&mut self) -> Halting<(), Self> {
        Ok(())
    }

    fn copy_memory(&mut self, to: Value, from: Value, bytes: Value, _: bool) -> Halting<(), Self> {
        self.copy(&[to, from, bytes]);
        Ok(())
    }

    fn fill_memory(&mut self, to: Value, value: Value, bytes: Value) -> Halting<(), Self> {
        self.fill(&[to, value, bytes]);
        Ok(())
    }

    fn start_arguments(&mut self, list: Value) -> Halting<(), Self> {
        self.pin(&list, 64);
        let bytes = self.subject.system.program.list_bytes();
        self.fix(list.known.bits, bytes as u32);
        Ok(())
    }

    fn copy_arguments(&mut self, to: Value, from: Value) -> Halting<(), Self> {
        let bytes = Known::number(self.subject.system.program.list_bytes());
        self.copy(&[to, from, Value::concrete(bytes)]);
        Ok(())
    }

    fn jump(&mut self, _: Position) {}

    fn branch(
        &mut self,
        condition: Value,
        then: Position,
        otherwise: Position,
    ) -> Halting<(), Self> {
        self.follow_branch(&condition, then, otherwise);
        Ok(())
    }

    fn switch(&mut self, switch: Switch, value: Vec<Value>) -> Halting<(), Self> {
        self.follow_switch(switch.scalar, &value, switch.cases);
        Ok(())
    }

    fn indirect_jump(&mut self, target: Value, _: Range) -> Halting<(), Self> {
        self.follow_jump(&target);
        Ok(())
    }

    /// Calls and returns have effects of their own in the trace, which are evaluated by them.
    fn call(&mut self, _: CallSiteId) -> Halting<(), Self> {
        Ok(())
    }

    fn return_from(&mut self, _: Range) -> Halting<(), Self> {
        Ok(())
    }

    fn stuck(&mut self, _: &Instruction) -> Halting<(), Self> {
        Ok(())
    }
}
