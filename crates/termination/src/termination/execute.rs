//! The instructions of a block on an abstract state.

use super::graph::{BlockId, Graph};
use super::obligation::Claim;
use super::state::{Base, State, Val};
use super::{Executor, Result};
use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::{Instruction, Operand, Place, Position, Scalar, Slot};
use impasse_program::link::{Function, FunctionId};
use impasse_solver::Term;
use std::rc::Rc;

/// A function that is executed.
#[derive(Clone)]
pub(super) struct Frame<'s> {
    pub id: FunctionId,
    pub function: &'s Function,
    pub graph: Rc<Graph>,
    pub users: bool,
}

/// Where execution gets to from some blocks.
#[derive(Default)]
pub(super) struct Flow {
    /// At the header of the loop that the blocks are of.
    pub backs: Vec<State>,
    /// In other blocks.
    pub exits: Vec<(BlockId, State)>,
    /// Out of the function; the slots are its results.
    pub returns: Vec<State>,
}

impl<'s> Executor<'_, 's> {
    fn word(&mut self, frame: &Frame<'_>, state: &State, operand: Operand) -> Val {
        match operand.place() {
            Place::Constant(index) => {
                let word = frame.function.constants[index as usize];
                match (word.is_defined(), word.pointer) {
                    (true, true) => self.decoded(word.bits),
                    (true, false) => Val::of(self.number(word.bits)),
                    _ => self.anything(64),
                }
            }
            Place::Slot(slot) => match state.slot(slot) {
                Some(value) => value,
                None => self.anything(64),
            },
        }
    }

    /// An operand of a scalar type; of a wide one, the first word.
    pub(super) fn read_operand(
        &mut self,
        frame: &Frame<'_>,
        state: &State,
        operand: Operand,
        scalar: Scalar,
    ) -> Val {
        let value = self.word(frame, state, operand);
        let width = scalar.bits().min(64) as u8;
        Val {
            term: self.terms.resize_unsigned(value.term, width),
            ..value
        }
    }

    pub(super) fn words(
        &mut self,
        frame: &Frame<'_>,
        state: &State,
        operand: Operand,
        scalar: Scalar,
    ) -> Vec<Val> {
        match scalar.words() {
            1 => vec![self.read_operand(frame, state, operand, scalar)],
            _ => vec![
                self.word(frame, state, operand),
                self.word(frame, state, operand.second()),
            ],
        }
    }

    fn address(&mut self, frame: &Frame<'_>, state: &State, operand: Operand) -> Val {
        self.read_operand(frame, state, operand, Scalar::Pointer)
    }

    /// Executes a block.
    pub(super) fn block(
        &mut self,
        frame: &Frame<'s>,
        id: BlockId,
        mut state: State,
    ) -> Result<Flow> {
        let block = frame.graph.block(id);
        let (first, end) = (block.first, block.end);
        for at in first..end {
            self.count()?;
            let instruction = &frame.function.body.code[at as usize];
            let place = CodePlace {
                function: frame.id,
                position: Position(at),
            };
            let successors = match instruction {
                Instruction::Jump { target } => vec![(*target, state)],
                Instruction::Branch {
                    condition,
                    then,
                    otherwise,
                } => {
                    let value = self.word(frame, &state, *condition);
                    let term = self.terms.resize_unsigned(value.term, 1);
                    self.both(state, term, *then, *otherwise)
                }
                Instruction::Switch { .. } => self.switch(frame, state, instruction),
                Instruction::Return { values } => {
                    let operands = frame.function.body.operands_in(*values);
                    let results: Vec<Option<Val>> = operands
                        .iter()
                        .map(|&operand| Some(self.word(frame, &state, operand)))
                        .collect();
                    state.slots = results;
                    return Ok(Flow {
                        returns: vec![state],
                        ..Flow::default()
                    });
                }
                Instruction::Unreachable => {
                    let never = self.terms.boolean(false);
                    self.oblige(&state, never, Claim::Unreachable, place)?;
                    return Ok(Flow::default());
                }
                _ => {
                    if !self.instruction(frame, &mut state, instruction, place)? {
                        return Ok(Flow::default());
                    }
                    if at + 1 < end {
                        continue;
                    }
                    vec![(Position(at + 1), state)]
                }
            };
            let exits = successors.into_iter().map(|(target, state)| {
                let block = frame.graph.block_at(target);
                (block.expect("a jump goes to the start of a block"), state)
            });
            return Ok(Flow {
                exits: exits.collect(),
                ..Flow::default()
            });
        }
        Ok(Flow::default())
    }

    fn both(
        &self,
        mut state: State,
        condition: Term,
        then: Position,
        otherwise: Position,
    ) -> Vec<(Position, State)> {
        let mut other = state.clone();
        let mut next = Vec::new();
        if state.assume(self.terms, condition) {
            next.push((then, state));
        }
        if other.assume(self.terms, self.terms.not(condition)) {
            next.push((otherwise, other));
        }
        next
    }

    fn switch(
        &mut self,
        frame: &Frame<'_>,
        mut state: State,
        instruction: &Instruction,
    ) -> Vec<(Position, State)> {
        let Instruction::Switch {
            scalar,
            value,
            cases,
            default,
        } = instruction
        else {
            unreachable!("only switches come here");
        };
        let value = self.read_operand(frame, &state, *value, *scalar).term;
        let mut next = Vec::new();
        for &(case, target) in &frame.function.body.cases[cases.indices()] {
            let constant = self
                .terms
                .constant(u128::from(case), self.terms.width(value));
            let equal = self.terms.equal(value, constant);
            let mut taken = state.clone();
            if taken.assume(self.terms, equal) {
                next.push((target, taken));
            }
            if !state.assume(self.terms, self.terms.not(equal)) {
                return next;
            }
        }
        next.push((*default, state));
        next
    }

    pub(super) fn set(&self, state: &mut State, slot: Slot, value: Val) {
        state.slots[slot.0 as usize] = Some(value);
    }

    pub(super) fn set_anything(&mut self, state: &mut State, (first, count): (Slot, u32)) {
        for slot in first.0..first.0 + count {
            state.slots[slot as usize] = Some(self.anything(64));
        }
    }

    /// Executes an instruction that goes on at the next one. Whether the path goes on.
    fn instruction(
        &mut self,
        frame: &Frame<'s>,
        state: &mut State,
        instruction: &'s Instruction,
        place: CodePlace,
    ) -> Result<bool> {
        use Instruction as I;
        match instruction {
            I::Move {
                destination,
                source,
            } => {
                let value = self.word(frame, state, *source);
                self.set(state, *destination, value);
            }
            I::Binary { scalar, .. } | I::Compare { scalar, .. } | I::Select { scalar, .. }
                if scalar.words() > 1 =>
            {
                self.define_anything(frame, state, instruction);
            }
            I::Binary { .. } => self.binary(frame, state, instruction, place),
            I::Compare { .. } => self.compare_values(frame, state, instruction),
            I::Convert {
                conversion,
                from,
                to,
                destination,
                source,
            } => {
                let value = self.read_operand(frame, state, *source, *from);
                let value = self.convert(*conversion, *from, *to, value);
                match to.words() {
                    1 => self.set(state, *destination, value),
                    _ => self.define_anything(frame, state, instruction),
                }
            }
            I::Select {
                scalar,
                destination,
                condition,
                then,
                otherwise,
            } => {
                let condition = self.word(frame, state, *condition).term;
                let condition = self.terms.resize_unsigned(condition, 1);
                let then = self.read_operand(frame, state, *then, *scalar);
                let otherwise = self.read_operand(frame, state, *otherwise, *scalar);
                let value = self.choose(condition, then, otherwise);
                self.set(state, *destination, value);
            }
            I::Freeze {
                scalar,
                destination,
                source,
            } => {
                let values = self.words(frame, state, *source, *scalar);
                for (index, value) in (0u32..).zip(values) {
                    self.set(state, Slot(destination.0 + index), value);
                }
            }
            I::Repack {
                from,
                to,
                destination,
                arguments,
            } if from.words() == 1 && to.words() == 1 && from.bits() == to.bits() => {
                let operands = frame.function.body.operands_in(*arguments);
                for (index, &operand) in (0u32..).zip(operands) {
                    let value = self.read_operand(frame, state, operand, *from);
                    self.set(state, Slot(destination.0 + index), value);
                }
            }
            I::Compute {
                intrinsic,
                scalar,
                destination,
                arguments,
            } => self.compute(
                frame,
                state,
                (*intrinsic, *scalar),
                *destination,
                *arguments,
            ),
            I::AddressOffset {
                destination,
                base,
                offset,
            } => {
                let base = self.address(frame, state, *base);
                let value = self.moved_by(base, *offset);
                self.set(state, *destination, value);
            }
            I::AddressIndex {
                destination,
                base,
                index,
                width,
                scale,
            } => {
                let base = self.address(frame, state, *base);
                let index = self.word(frame, state, *index);
                let poison = index.poison;
                let index = self.terms.resize_unsigned(index.term, *width);
                let index = self.terms.resize_signed(index, 64);
                let offset = self.terms.multiply(index, self.number(*scale));
                let value = self.moved(base, offset);
                let value = self.poisoned(value, poison);
                self.set(state, *destination, value);
            }
            I::Call { site } => return self.call(frame, state, *site, place),
            other => return self.memory_instruction(frame, state, other, place),
        }
        Ok(true)
    }

    fn define_anything(&mut self, frame: &Frame<'_>, state: &mut State, instruction: &Instruction) {
        if let Some(defined) = instruction.definitions(&frame.function.body) {
            self.set_anything(state, defined);
        }
    }

    fn memory_instruction(
        &mut self,
        frame: &Frame<'s>,
        state: &mut State,
        instruction: &'s Instruction,
        place: CodePlace,
    ) -> Result<bool> {
        use Instruction as I;
        match instruction {
            I::Allocate {
                destination,
                count,
                element_bytes,
                ..
            } => {
                let count = self.read_operand(frame, state, *count, Scalar::Integer(64));
                let each = self.number(*element_bytes);
                let size = self.terms.multiply(count.term, each);
                let value = self.make(state, place, size, (false, true, false));
                self.set(state, *destination, value);
            }
            I::LifetimeStart { address } | I::LifetimeEnd { address } => {
                let address = self.address(frame, state, *address);
                if let Base::Object(object) = address.base {
                    state.memory.blur(object);
                    let ends = matches!(instruction, I::LifetimeEnd { .. });
                    state.memory.gone.insert(object, self.terms.boolean(ends));
                }
            }
            I::Load {
                scalar,
                volatile,
                destination,
                address,
                ..
            } => {
                let address = self.address(frame, state, *address);
                let values = self.load(state, address, *scalar);
                for (index, value) in (0u32..).zip(values) {
                    let value = match volatile {
                        true => self.anything(self.terms.width(value.term)),
                        false => value,
                    };
                    self.set(state, Slot(destination.0 + index), value);
                }
            }
            I::Store {
                scalar,
                source,
                address,
                ..
            } => {
                let values = self.words(frame, state, *source, *scalar);
                let address = self.address(frame, state, *address);
                return self.store(state, address, (*scalar, place), &values);
            }
            I::Update {
                scalar,
                address,
                source,
                ..
            }
            | I::CompareExchange {
                scalar,
                address,
                replacement: source,
                ..
            } => {
                let words = self.words(frame, state, *source, *scalar).len();
                let address = self.address(frame, state, *address);
                let values: Vec<Val> = (0..words).map(|_| self.anything(64)).collect();
                let stored = self.store(state, address, (*scalar, place), &values);
                self.define_anything(frame, state, instruction);
                return stored;
            }
            I::CopyMemory {
                destination,
                source,
                bytes,
                ..
            } => {
                let [to, from, count] =
                    [destination, source, bytes].map(|&o| self.address(frame, state, o));
                return self.transfer(state, (to, count.term, place), Some(from), None);
            }
            I::FillMemory {
                destination,
                value,
                bytes,
            } => {
                let [to, byte, count] =
                    [destination, value, bytes].map(|&o| self.address(frame, state, o));
                return self.transfer(state, (to, count.term, place), None, Some(byte));
            }
            I::StackSave { destination } => {
                let made = Val::of(self.number(self.objects.len() as u64));
                self.set(state, *destination, made);
            }
            I::StackRestore { saved } => {
                let saved = self.word(frame, state, *saved).term;
                // Where it is not known since when, everything goes.
                let from = self.terms.as_constant(saved).unwrap_or(0);
                self.end_frame(&mut state.memory, u32::try_from(from).unwrap_or(0));
            }
            I::Fence { .. } | I::NonTemporal => {}
            I::ThreadLocal { .. }
            | I::Undefine { .. }
            | I::Float { .. }
            | I::FloatCompare { .. }
            | I::Repack { .. } => self.define_anything(frame, state, instruction),
            other => return Err(self.unsupported(describe(other), place)),
        }
        Ok(true)
    }

    /// An address so many bytes from another.
    fn moved_by(&mut self, from: Val, bytes: i64) -> Val {
        let value = self.moved(from, self.number(bytes as u64));
        match from.base {
            Base::OneOf(at) => {
                let (objects, offset) = self.targets[at.0 as usize].clone();
                let offset = i64::from(offset).checked_add(bytes);
                let base = match offset.map(u32::try_from) {
                    Some(Ok(offset)) => Base::OneOf(self.targets(objects, offset)),
                    _ => Base::Unknown,
                };
                Val { base, ..value }
            }
            _ => value,
        }
    }

    /// An address some way from another.
    fn moved(&mut self, from: Val, by: Term) -> Val {
        let terms = self.terms;
        if terms.as_constant(by) == Some(0) {
            return from;
        }
        let term = terms.add(from.term, by);
        let base = match from.base {
            Base::OneOf(_) => Base::Unknown,
            base => base,
        };
        // Addresses of four bytes wrap around.
        let term = match self.is_ilp32() {
            true => terms.zero_extend(terms.extract(term, 0, 32), 64),
            false => term,
        };
        self.poisoned(Val::at(term, base), from.poison)
    }
}

/// An instruction that is not followed, in the words of the source.
fn describe(instruction: &Instruction) -> String {
    match instruction {
        Instruction::VariableArgumentsStart { .. } | Instruction::VariableArgumentsCopy { .. } => {
            "variable arguments (va_start)".into()
        }
        Instruction::IndirectJump { .. } => {
            "a jump to a label by its address (computed goto)".into()
        }
        Instruction::LandingPad { .. } => "an exception".into(),
        _ => "inline assembly or an instruction of the processor".into(),
    }
}
