//! The instructions of a block on an abstract state.

use super::domain::{Evaluation, Halt, Next};
use super::graph::{BlockId, Frame};
use super::state::{Base, State, Val};
use super::{Executor, Result};
use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::{Operand, Place, Position, Scalar, Slot};
use impasse_semantics::evaluate::evaluate;
use impasse_solver::Term;

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
    /// One word, whatever its type.
    pub(super) fn word(&mut self, frame: &Frame<'_>, state: &State, operand: Operand) -> Val {
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
            let mut evaluation = Evaluation {
                executor: self,
                frame,
                state: &mut state,
                place,
            };
            let successors = match evaluate(&mut evaluation, &frame.function.body, instruction) {
                Ok(Next::Following) if at + 1 < end => continue,
                Ok(Next::Following) => vec![(Position(at + 1), state)],
                Ok(Next::Jumps(successors)) => successors,
                Ok(Next::Returns) => {
                    return Ok(Flow {
                        returns: vec![state],
                        ..Flow::default()
                    });
                }
                Err(Halt::PathEnds) => return Ok(Flow::default()),
                Err(Halt::Stops(stop)) => return Err(stop),
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

    /// Returns the reachable targets of a branch, each with its state.
    pub(super) fn both(
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

    /// Returns the reachable targets of a switch, case by case, each with its state.
    pub(super) fn cases(
        &self,
        mut state: State,
        value: Term,
        cases: &[(u64, Position)],
        default: Position,
    ) -> Vec<(Position, State)> {
        let mut next = Vec::new();
        for &(case, target) in cases {
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
        next.push((default, state));
        next
    }

    pub(super) fn set(&self, state: &mut State, slot: Slot, value: Val) {
        state.slots[slot.0 as usize] = Some(value);
    }

    /// Words of which nothing is known.
    pub(super) fn any_words(&mut self, words: u32) -> Vec<Val> {
        (0..words).map(|_| self.anything(64)).collect()
    }

    /// An address so many bytes from another.
    pub(super) fn moved_by(&mut self, from: Val, bytes: i64) -> Val {
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

    /// Returns an address at a distance from another one.
    pub(super) fn moved(&mut self, from: Val, by: Term) -> Val {
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
