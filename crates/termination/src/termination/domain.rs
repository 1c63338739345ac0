//! The executor as the domain that instructions are evaluated on: abstract values, in one state.

use super::graph::Frame;
use super::obligation::Claim;
use super::state::{Base, State, Val};
use super::{Executor, Stop};
use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::{
    CallSiteId, Comparison, Conversion, FloatComparison, FloatOperation, Instruction, Intrinsic,
    Operand, Ordering, Position, Range, ReadModifyWrite, Scalar, Slot, SymbolId,
};
use impasse_semantics::domain::{Access, Arithmetic, Domain, Exchange, Halting, Switch};

/// One instruction at a place, in a state.
pub(super) struct Evaluation<'e, 'x, 's> {
    pub executor: &'e mut Executor<'x, 's>,
    pub frame: &'e Frame<'s>,
    pub state: &'e mut State,
    pub place: CodePlace,
}

/// How execution continues.
pub(super) enum Next {
    /// At the next position.
    Following,
    /// At these positions, in these states.
    Jumps(Vec<(Position, State)>),
    /// In the caller; the slots of the state are the results.
    Returns,
}

/// Why execution does not continue.
pub(super) enum Halt {
    /// The path cannot be followed any further, and need not be.
    PathEnds,
    /// The whole proof stops.
    Stops(Stop),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stops(stop)
    }
}

/// Continues at the next position if the path continues.
fn following(continues: bool) -> Result<Next, Halt> {
    match continues {
        true => Ok(Next::Following),
        false => Err(Halt::PathEnds),
    }
}

impl Evaluation<'_, '_, '_> {
    fn unsupported(&self, what: &str) -> Halt {
        self.executor.unsupported(what, self.place).into()
    }

    /// The state, which is not used here any more.
    fn take_state(&mut self) -> State {
        std::mem::take(self.state)
    }

    fn store_anything(&mut self, scalar: Scalar, address: Val, words: usize) -> Result<(), Halt> {
        let values = self.executor.any_words(words as u32);
        let to = (scalar, self.place);
        match self.executor.store(self.state, address, to, &values)? {
            true => Ok(()),
            false => Err(Halt::PathEnds),
        }
    }
}

impl Domain for Evaluation<'_, '_, '_> {
    type Word = Val;
    type Value = Vec<Val>;
    type Flow = Next;
    type Halt = Halt;

    const NEXT: Next = Next::Following;

    fn word(&mut self, operand: Operand) -> Val {
        self.executor.word(self.frame, self.state, operand)
    }

    fn one_word(&mut self, operand: Operand, scalar: Scalar) -> Val {
        self.executor
            .read_operand(self.frame, self.state, operand, scalar)
    }

    fn value(&mut self, operand: Operand, scalar: Scalar) -> Vec<Val> {
        self.executor.words(self.frame, self.state, operand, scalar)
    }

    fn assign(&mut self, slot: Slot, word: Val) {
        self.executor.set(self.state, slot, word);
    }

    fn assign_value(&mut self, slot: Slot, _: Scalar, words: Vec<Val>) {
        for (index, word) in (0..).zip(words) {
            self.assign(Slot(slot.0 + index), word);
        }
    }

    fn undefined(&mut self, scalar: Scalar) -> Vec<Val> {
        self.executor.any_words(scalar.words())
    }

    fn binary(&mut self, arithmetic: Arithmetic, left: Val, right: Val) -> Halting<Val, Self> {
        let place = (self.frame.users, self.place);
        let operands = (left, right);
        Ok(self
            .executor
            .arithmetic(self.state, arithmetic, operands, place))
    }

    fn binary_wide(&mut self, _: Arithmetic, _: Vec<Val>, _: Vec<Val>) -> Halting<Vec<Val>, Self> {
        Ok(self.executor.any_words(2))
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        left: Val,
        right: Val,
    ) -> Halting<Val, Self> {
        Ok(self.executor.compared(comparison, scalar, left, right))
    }

    fn compare_wide(&mut self, _: Comparison, _: Scalar, _: Vec<Val>, _: Vec<Val>) -> Val {
        self.executor.anything(64)
    }

    fn float(&mut self, _: FloatOperation, scalar: Scalar, _: Vec<Val>, _: Vec<Val>) -> Vec<Val> {
        self.executor.any_words(scalar.words())
    }

    fn compare_floats(&mut self, _: FloatComparison, _: Scalar, _: Vec<Val>, _: Vec<Val>) -> Val {
        self.executor.anything(64)
    }

    fn convert(
        &mut self,
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        value: Vec<Val>,
    ) -> Vec<Val> {
        match to.words() {
            1 => vec![self.executor.convert(conversion, from, to, value[0])],
            words => self.executor.any_words(words),
        }
    }

    /// Abstract addresses are as long in memory as in registers; those of four bytes wrap around.
    fn narrow(&mut self, address: Vec<Val>, to: Scalar) -> Halting<Vec<Val>, Self> {
        let from = Scalar::Pointer32;
        Ok(self.convert(Conversion::PointerToInteger, from, to, address))
    }

    fn widen(&mut self, number: Vec<Val>, from: Scalar) -> Vec<Val> {
        let to = Scalar::Pointer32;
        self.convert(Conversion::IntegerToPointer, from, to, number)
    }

    fn select(
        &mut self,
        scalar: Scalar,
        condition: Val,
        then: Operand,
        otherwise: Operand,
    ) -> Vec<Val> {
        if scalar.words() > 1 {
            return self.executor.any_words(scalar.words());
        }
        let then = self.one_word(then, scalar);
        let otherwise = self.one_word(otherwise, scalar);
        vec![self.executor.choose(condition.term, then, otherwise)]
    }

    fn freeze(&mut self, _: Scalar, words: Vec<Val>) -> Vec<Val> {
        words
    }

    fn repack(&mut self, _: Scalar, to: Scalar, _: Vec<Vec<Val>>, count: u32) -> Vec<Vec<Val>> {
        let results = 0..count;
        results
            .map(|_| self.executor.any_words(to.words()))
            .collect()
    }

    fn compute(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        arguments: &[Operand],
    ) -> Halting<(Vec<Val>, Option<Val>), Self> {
        let values: Vec<Val> = arguments
            .iter()
            .map(|&operand| self.one_word(operand, scalar))
            .collect();
        let mut words = self.executor.intrinsic(intrinsic, scalar, &values);
        let flag = match intrinsic.has_overflow_flag() {
            true => words.pop(),
            false => None,
        };
        Ok((words, flag))
    }

    fn offset(&mut self, base: Val, bytes: i64) -> Val {
        self.executor.moved_by(&self.state.path, base, bytes)
    }

    fn index(&mut self, base: Val, index: Val, width: u8, scale: u64) -> Val {
        let undefined = index.undefined(self.executor.terms);
        let path = &self.state.path;
        let value = self
            .executor
            .indexed(path, base, (index.term, width), scale);
        self.executor.poisoned(value, undefined)
    }

    fn allocate(&mut self, count: Val, element_bytes: u64, _: u32) -> Halting<Val, Self> {
        let each = self.executor.number(element_bytes);
        let size = self.executor.terms.multiply(count.term, each);
        let (state, place) = (&mut *self.state, self.place);
        Ok(self.executor.make(state, place, size, (false, true, false)))
    }

    fn lifetime(&mut self, address: Val, ends: bool) -> Halting<(), Self> {
        if let Base::Object(object) = address.base {
            let start = Val::of(self.executor.start(object));
            if ends {
                self.executor.link_freed(&mut self.state.memory, start);
            }
            let memory = &mut self.state.memory;
            memory.blur(object);
            memory
                .gone
                .insert(object, self.executor.terms.boolean(ends));
        }
        Ok(())
    }

    fn save_stack(&mut self) -> Val {
        Val::of(self.executor.number(self.executor.objects.len() as u64))
    }

    fn restore_stack(&mut self, saved: Val) -> Halting<(), Self> {
        // Where it is not known since when, everything goes.
        let from = self.executor.terms.as_constant(saved.term).unwrap_or(0);
        let from = u32::try_from(from).unwrap_or(0);
        self.executor.end_frame(&mut self.state.memory, from);
        Ok(())
    }

    fn thread_local(&mut self, _: SymbolId) -> Halting<Val, Self> {
        Ok(self.executor.anything(64))
    }

    fn load(&mut self, access: Access, address: Val, destination: Slot) -> Halting<Next, Self> {
        self.executor
            .read_before_frontiers(self.state, address, self.place)?;
        let values = self.executor.load(self.state, address, access.scalar);
        for (index, value) in (0..).zip(values) {
            let value = match access.volatile {
                true => {
                    let width = self.executor.terms.width(value.term);
                    self.executor.anything(width)
                }
                false => value,
            };
            self.assign(Slot(destination.0 + index), value);
        }
        Ok(Next::Following)
    }

    fn store(&mut self, access: Access, address: Val, value: Vec<Val>) -> Halting<Next, Self> {
        let to = (access.scalar, self.place);
        following(self.executor.store(self.state, address, to, &value)?)
    }

    fn update(
        &mut self,
        _: ReadModifyWrite,
        access: Access,
        address: Val,
        operand: Vec<Val>,
    ) -> Halting<Vec<Val>, Self> {
        self.store_anything(access.scalar, address, operand.len())?;
        Ok(self.executor.any_words(access.scalar.words()))
    }

    fn compare_exchange(
        &mut self,
        exchange: Exchange,
        address: Val,
        _: Vec<Val>,
        replacement: Vec<Val>,
    ) -> Halting<(Vec<Val>, Val), Self> {
        self.store_anything(exchange.scalar, address, replacement.len())?;
        let old = self.executor.any_words(exchange.scalar.words());
        Ok((old, self.executor.anything(64)))
    }

    fn fence(&mut self, _: Ordering) -> Halting<(), Self> {
        Ok(())
    }

    fn non_temporal(&mut self) -> Halting<(), Self> {
        Ok(())
    }

    fn copy_memory(&mut self, to: Val, from: Val, bytes: Val, _: bool) -> Halting<Next, Self> {
        let to = (to, bytes.term, self.place);
        following(self.executor.transfer(self.state, to, Some(from), None)?)
    }

    fn fill_memory(&mut self, to: Val, value: Val, bytes: Val) -> Halting<Next, Self> {
        let to = (to, bytes.term, self.place);
        following(self.executor.transfer(self.state, to, None, Some(value))?)
    }

    fn start_arguments(&mut self, _: Val) -> Halting<(), Self> {
        Err(self.unsupported("variable arguments (va_start)"))
    }

    fn copy_arguments(&mut self, _: Val, _: Val) -> Halting<Next, Self> {
        Err(self.unsupported("variable arguments (va_start)"))
    }

    fn jump(&mut self, target: Position) -> Next {
        Next::Jumps(vec![(target, self.take_state())])
    }

    fn branch(
        &mut self,
        condition: Val,
        then: Position,
        otherwise: Position,
    ) -> Halting<Next, Self> {
        let state = self.take_state();
        let jumps = self.executor.both(state, condition.term, then, otherwise);
        Ok(Next::Jumps(jumps))
    }

    fn switch(&mut self, switch: Switch, value: Vec<Val>) -> Halting<Next, Self> {
        let value = match &value[..] {
            [word] => word.term,
            _ => self.executor.anything(64).term,
        };
        let cases = &self.frame.function.body.cases[switch.cases.indices()];
        let state = self.take_state();
        let jumps = self.executor.cases(state, value, cases, switch.default);
        Ok(Next::Jumps(jumps))
    }

    fn indirect_jump(&mut self, _: Val, _: Range) -> Halting<Next, Self> {
        Err(self.unsupported("a jump to a label by its address (computed goto)"))
    }

    fn call(&mut self, site: CallSiteId) -> Halting<Next, Self> {
        let (frame, place) = (self.frame, self.place);
        following(self.executor.call(frame, self.state, site, place)?)
    }

    fn return_from(&mut self, values: Range) -> Halting<Next, Self> {
        let operands = self.frame.function.body.operands_in(values);
        let results = operands.iter().map(|&operand| Some(self.word(operand)));
        self.state.slots = results.collect::<Vec<_>>();
        Ok(Next::Returns)
    }

    fn stuck(&mut self, instruction: &Instruction) -> Halting<Next, Self> {
        match instruction {
            Instruction::Unreachable => {
                let never = self.executor.terms.boolean(false);
                let (state, place) = (&*self.state, self.place);
                self.executor
                    .oblige(state, never, Claim::Unreachable, place)?;
                Err(Halt::PathEnds)
            }
            Instruction::LandingPad { .. } => Err(self.unsupported("an exception")),
            _ => Err(self.unsupported("inline assembly or an instruction of the processor")),
        }
    }
}

#[cfg(test)]
mod tests;
