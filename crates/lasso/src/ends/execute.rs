//! The instructions of a block on a state that stands for many.

use super::graph::{BlockId, Graph};
use super::state::{Base, State, Val};
use super::{Executor, Result, Stop};
use crate::concolic::replay::arithmetic::{compare, compute, of_program, undefined_where};
use crate::problem::HazardKind;
use impasse_machine::fault::CodePlace;
use impasse_program::instruction::{
    Conversion, Instruction, Intrinsic, Operand, Place, Position, Scalar, Slot,
};
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
    /// At the head of the loop that the blocks are of.
    pub backs: Vec<State>,
    /// In other blocks.
    pub exits: Vec<(BlockId, State)>,
    /// Out of the function; the slots are its results.
    pub returns: Vec<State>,
}

impl<'s> Executor<'_, 's> {
    fn word(&self, frame: &Frame<'_>, state: &State, operand: Operand) -> Val {
        match operand.place() {
            Place::Constant(index) => {
                let word = frame.function.constants[index as usize];
                match word.is_defined() {
                    true => Val::of(self.terms.constant(u128::from(word.bits), 64)),
                    false => self.anything(64),
                }
            }
            Place::Slot(slot) => state.slot(slot).unwrap_or_else(|| self.anything(64)),
        }
    }

    /// An operand of a scalar type; of a wide one, the first word.
    pub(super) fn read_operand(
        &self,
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
        &self,
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

    fn address(&self, frame: &Frame<'_>, state: &State, operand: Operand) -> Val {
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
                    state.slots = operands
                        .iter()
                        .map(|&operand| Some(self.word(frame, &state, operand)))
                        .collect();
                    return Ok(Flow {
                        returns: vec![state],
                        ..Flow::default()
                    });
                }
                Instruction::Unreachable => return Ok(Flow::default()),
                _ => {
                    let place = CodePlace {
                        function: frame.id,
                        position: Position(at),
                    };
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
        &self,
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

    fn set_anything(&self, state: &mut State, (first, count): (Slot, u32)) {
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
        let unknown = |executor: &Self, state: &mut State| {
            if let Some(defined) = instruction.definitions(&frame.function.body) {
                executor.set_anything(state, defined);
            }
        };
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
                unknown(self, state);
            }
            I::Binary { .. } => return Ok(self.binary(frame, state, instruction)),
            I::Compare {
                comparison,
                scalar,
                destination,
                left,
                right,
            } => {
                let left = self.read_operand(frame, state, *left, *scalar);
                let right = self.read_operand(frame, state, *right, *scalar);
                let term = compare(self.terms, *comparison, left.term, right.term);
                self.set(state, *destination, Val::of(term));
            }
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
                    _ => unknown(self, state),
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
            I::Repack {
                from, arguments, ..
            } => {
                for &operand in frame.function.body.operands_in(*arguments) {
                    let value = self.read_operand(frame, state, operand, *from);
                    self.expose(value);
                }
                unknown(self, state);
            }
            I::Compute {
                intrinsic,
                scalar,
                destination,
                arguments,
            } => {
                self.compute(
                    frame,
                    state,
                    (*intrinsic, *scalar),
                    *destination,
                    *arguments,
                );
            }
            I::AddressOffset {
                destination,
                base,
                offset,
            } => {
                let base = self.address(frame, state, *base);
                let offset = self.terms.constant(*offset as u64 as u128, 64);
                self.moved(state, *destination, base, offset);
            }
            I::AddressIndex {
                destination,
                base,
                index,
                width,
                scale,
            } => {
                let base = self.address(frame, state, *base);
                let index = self.word(frame, state, *index).term;
                let index = self.terms.resize_unsigned(index, *width);
                let scale = self.terms.constant(u128::from(*scale), 64);
                let index = self.terms.resize_signed(index, 64);
                let offset = self.terms.multiply(index, scale);
                self.moved(state, *destination, base, offset);
            }
            I::Allocate {
                destination,
                count,
                element_bytes,
                ..
            } => {
                let count = self
                    .read_operand(frame, state, *count, Scalar::Integer(64))
                    .term;
                let each = self.terms.constant(u128::from(*element_bytes), 64);
                let value = self.make(state, self.terms.multiply(count, each), false);
                self.set(state, *destination, value);
            }
            I::LifetimeStart { address } | I::LifetimeEnd { address } => {
                let address = self.address(frame, state, *address);
                match address.object(self.terms) {
                    Some(object) => state.memory.blur(object),
                    None => self.blur_all(&mut state.memory),
                }
            }
            I::StackSave { .. }
            | I::ThreadLocal { .. }
            | I::Undefine { .. }
            | I::Float { .. }
            | I::FloatCompare { .. } => unknown(self, state),
            I::StackRestore { .. } | I::Fence { .. } => {}
            I::Load {
                scalar,
                volatile,
                destination,
                address,
                ..
            } => {
                let address = self.address(frame, state, *address);
                let Some(values) = self.load(state, address, *scalar) else {
                    return Ok(false);
                };
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
                return Ok(self.store(state, address, *scalar, &values));
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
                let source = self.words(frame, state, *source, *scalar);
                source.iter().for_each(|&value| self.expose(value));
                let address = self.address(frame, state, *address);
                let values = vec![self.anything(64); source.len()];
                let stored = self.store(state, address, *scalar, &values);
                unknown(self, state);
                return Ok(stored);
            }
            I::CopyMemory {
                destination,
                source,
                bytes,
                ..
            } => {
                let [to, from, count] =
                    [destination, source, bytes].map(|&o| self.address(frame, state, o));
                return Ok(self.transfer(state, (to, count), Some(from), None));
            }
            I::FillMemory {
                destination,
                value,
                bytes,
            } => {
                let [to, byte, count] =
                    [destination, value, bytes].map(|&o| self.address(frame, state, o));
                return Ok(self.transfer(state, (to, count), None, Some(byte)));
            }
            I::Call { site } => return self.call(frame, state, *site, place),
            other => {
                let name = format!("{other:?}");
                let name = name.split([' ', '{']).next().unwrap_or_default();
                return Err(Stop::Unsupported(format!("the instruction {name}")));
            }
        }
        Ok(true)
    }

    /// An address some way from another.
    fn moved(&self, state: &mut State, destination: Slot, from: Val, by: Term) {
        let base = from.object(self.terms).map_or(Base::Unknown, Base::Object);
        let term = self.terms.add(from.term, by);
        self.set(state, destination, Val { term, base });
    }

    fn binary(&mut self, frame: &Frame<'_>, state: &mut State, instruction: &Instruction) -> bool {
        let Instruction::Binary {
            operation,
            scalar,
            promises,
            destination,
            left,
            right,
        } = instruction
        else {
            unreachable!("only arithmetic comes here");
        };
        let left = self.read_operand(frame, state, *left, *scalar);
        let right = self.read_operand(frame, state, *right, *scalar);
        self.expose(left);
        self.expose(right);
        let checked =
            frame.users && self.subject.system.options.signed_overflow && promises.no_signed_wrap;
        for (term, kind) in undefined_where(self.terms, *operation, checked, left.term, right.term)
        {
            if kind == HazardKind::Overflow && !self.terms.is_false(term) {
                let reached = state.reached(self.terms);
                self.hazards.push(self.terms.and(reached, term));
            }
            let wraps = self.overflowing && kind == HazardKind::Overflow;
            if !wraps && !state.assume(self.terms, self.terms.not(term)) {
                return false;
            }
        }
        let term = self
            .terms
            .binary(of_program(*operation), left.term, right.term);
        self.set(state, *destination, Val::of(term));
        true
    }

    fn convert(&mut self, conversion: Conversion, from: Scalar, to: Scalar, value: Val) -> Val {
        use Conversion as C;
        let width = to.bits().min(64) as u8;
        if from.words() > 1 {
            return self.anything(width);
        }
        match conversion {
            // The number of an address depends on what else there is.
            C::PointerToInteger if from == Scalar::ShortPointer => {
                self.expose(value);
                self.anything(width)
            }
            C::IntegerToPointer if to == Scalar::ShortPointer => self.widen(value),
            C::SignExtend => Val::of(self.terms.resize_signed(value.term, width)),
            C::Truncate | C::ZeroExtend => Val::of(self.terms.resize_unsigned(value.term, width)),
            C::PointerToInteger => {
                self.expose(value);
                Val::of(self.terms.resize_unsigned(value.term, width))
            }
            C::IntegerToPointer => Val::of(self.terms.resize_unsigned(value.term, 64)),
            _ => self.anything(width),
        }
    }

    fn compute(
        &mut self,
        frame: &Frame<'_>,
        state: &mut State,
        (intrinsic, scalar): (Intrinsic, Scalar),
        destination: Slot,
        arguments: impasse_program::instruction::Range,
    ) {
        let operands = frame.function.body.operands_in(arguments);
        let values: Vec<Val> = operands
            .iter()
            .map(|&operand| self.read_operand(frame, state, operand, scalar))
            .collect();
        values.iter().for_each(|&value| self.expose(value));
        let terms: Vec<Term> = values.iter().map(|value| value.term).collect();
        let results = match scalar {
            Scalar::Integer(width) => compute(self.terms, intrinsic, &terms, width),
            _ => None,
        };
        match results {
            Some(results) => {
                for (index, term) in (0u32..).zip(results) {
                    self.set(state, Slot(destination.0 + index), Val::of(term));
                }
            }
            None => self.set_anything(state, (destination, intrinsic.result_words(scalar))),
        }
    }

    /// One value or another.
    pub(super) fn choose(&mut self, condition: Term, yes: Val, no: Val) -> Val {
        let terms = self.terms;
        if yes == no {
            return yes;
        }
        let base = self.common_base(yes, no);
        let (yes, no) = self.alike(yes.term, no.term);
        let term = terms.choose(condition, yes, no);
        Val { term, base }
    }

    /// The object that two values are addresses in, one of which may be null; where there is none, both objects may be
    /// meant by addresses of which nothing is known.
    pub(super) fn common_base(&mut self, one: Val, other: Val) -> Base {
        let (a, b) = (one.object(self.terms), other.object(self.terms));
        let null = |value: Val| self.terms.as_constant(value.term) == Some(0);
        let common = match (a, b) {
            (Some(a), Some(b)) if a == b => Some(a),
            (Some(a), None) if null(other) => Some(a),
            (None, Some(b)) if null(one) => Some(b),
            _ => None,
        };
        if common.is_none() {
            self.expose(one);
            self.expose(other);
        }
        common.map_or(Base::Unknown, Base::Object)
    }

    /// Two terms with the same width: bits above a term are zero, and constants are as narrow as they can be.
    pub(super) fn alike(&self, one: Term, other: Term) -> (Term, Term) {
        let terms = self.terms;
        let (a, b) = (terms.width(one), terms.width(other));
        let narrow = |term: Term, width: u8| {
            let fits = terms
                .as_constant(term)
                .is_some_and(|value| value >> width == 0);
            fits.then(|| terms.resize_unsigned(term, width))
        };
        if a > b
            && let Some(one) = narrow(one, b)
        {
            return (one, other);
        }
        if b > a
            && let Some(other) = narrow(other, a)
        {
            return (one, other);
        }
        let width = a.max(b);
        (
            terms.resize_unsigned(one, width),
            terms.resize_unsigned(other, width),
        )
    }
}
