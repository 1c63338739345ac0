//! What decides the path: branches and switches, and why an instruction could not be executed.

use super::{ForkKind, Replay};
use crate::concolic::shadow::Value;
use crate::concolic::trace::{Effect, Step};
use impasse_machine::machine::builtin::Builtin;
use impasse_program::address::{Address, ObjectKind};
use impasse_program::instruction::{Instruction, Position, Range, Scalar};
use impasse_solver::{Term, Test};

impl<'a, 's> Replay<'a, 's> {
    /// Where the execution continued; `None` at its end.
    fn next_position(&self) -> Option<Position> {
        let next = self.trace.steps.get(self.at + 1)?;
        Some(Position(next.position))
    }

    /// Decides a branch as the execution did.
    pub(super) fn follow_branch(&mut self, value: &Value, then: Position, otherwise: Position) {
        let Some(next) = self.next_position().filter(|_| then != otherwise) else {
            return;
        };
        if value.is_concrete() {
            return;
        }
        match self.term_of(value, 1) {
            Some(term) if next == then => self.fork(term, ForkKind::Branch),
            Some(term) => {
                let term = self.terms.not(term);
                self.fork(term, ForkKind::Branch);
            }
            None => self.decide(value),
        }
    }

    /// Decides a computed jump as the execution did.
    pub(super) fn follow_jump(&mut self, target: &Value) {
        if self.next_position().is_some() {
            self.pin(target, 64);
        }
    }

    /// A switch decides case by case, in order, so that each decision has two outcomes.
    pub(super) fn follow_switch(&mut self, scalar: Scalar, values: &[Value], cases: Range) {
        if self.next_position().is_none() || values.iter().all(Value::is_concrete) {
            return;
        }
        let width = scalar.bits() as u8;
        let term = match values.len() {
            1 => self.term_of(&values[0], width),
            _ => None,
        };
        let Some(term) = term else {
            values.iter().for_each(|value| self.decide(value));
            return;
        };
        let function = self.frames.last().expect("a frame").function;
        for &(case, _) in &function.body.cases[cases.indices()] {
            let constant = self.terms.constant(u128::from(case), width);
            let equal = self.terms.equal(term, constant);
            if values[0].known.bits == case {
                self.fork(equal, ForkKind::Branch);
                return;
            }
            let differs = self.terms.not(equal);
            self.fork(differs, ForkKind::Branch);
        }
    }

    /// The condition that an instruction could not be executed.
    pub(super) fn halt(&mut self, step: &Step) {
        let function = self.frames.last().expect("a frame").function;
        match &function.body.code[step.position as usize] {
            Instruction::Binary {
                operation,
                scalar,
                poison_flags,
                left,
                right,
                ..
            } if scalar.words() == 1 => {
                let (left, right) = (self.word(*left), self.word(*right));
                let width = scalar.bits() as u8;
                let hazards = self.hazards(*operation, *poison_flags, width, &left, &right);
                let hazards: Vec<Term> = hazards.into_iter().map(|hazard| hazard.0).collect();
                let any = self.terms.any(&hazards);
                self.fork(any, ForkKind::Undefined);
            }
            Instruction::Load {
                scalar, address, ..
            }
            | Instruction::Store {
                scalar, address, ..
            } => {
                let address = self.word(*address);
                self.miss(&address, u64::from(scalar.bytes()));
            }
            Instruction::Call { site } => {
                let site = &function.body.sites[site.0 as usize];
                let arguments: Vec<Value> = site
                    .arguments
                    .iter()
                    .map(|argument| self.word(argument.value))
                    .collect();
                match step.effect {
                    Effect::Builtin(id) if Builtin::from_id(id).name() == "__impasse_assume" => {
                        self.assume(&arguments[0], false);
                    }
                    _ => arguments.iter().for_each(|value| self.pin(value, 64)),
                }
            }
            other => {
                let mut values = Vec::new();
                other.for_each_operand(&function.body, |operand, _| {
                    values.push(self.word(operand));
                });
                values.iter().for_each(|value| self.pin(value, 64));
            }
        }
    }

    /// The condition that an access misses every object whose address its own is computed from: all
    /// such accesses are undefined, and need not be distinguished.
    fn miss(&mut self, address: &Value, bytes: u64) {
        let Ok(term) = self.symbolic_term(address, 64) else {
            return self.pin(address, 64);
        };
        let terms = self.terms;
        let mut misses = Vec::new();
        for part in terms.below(&[term]) {
            let Some(constant) = terms.as_constant(part).filter(|_| terms.width(part) == 64) else {
                continue;
            };
            let object = Address::from_bits(constant as u64).object;
            let size = match object.kind() {
                ObjectKind::Global(n) => self
                    .subject
                    .system
                    .program
                    .globals()
                    .get(n as usize)
                    .map(|global| global.bytes.len() as u64),
                ObjectKind::Dynamic(n) => self.trace.made.get(n as usize).map(|&n| u64::from(n)),
                _ => None,
            };
            let Some(room) = size.and_then(|size| (size + 1).checked_sub(bytes)) else {
                continue;
            };
            let start = terms.constant(u128::from(Address::of(object).bits()), 64);
            let offset = terms.subtract(term, start);
            let room = terms.constant(u128::from(room), 64);
            misses.push(terms.test(Test::UnsignedLessEqual, room, offset));
        }
        let missed = terms.all(&misses);
        let symbols = terms.symbols_in(&[missed]);
        let mut values = impasse_solver::Values::new();
        for symbol in symbols {
            values.set(symbol, self.inputs.value(self.trace, symbol));
        }
        match misses.is_empty() || !terms.holds(missed, &values) {
            true => self.pin(address, 64),
            false => self.fork(missed, ForkKind::Undefined),
        }
    }

    pub(super) fn assume(&mut self, condition: &Value, holds: bool) {
        if condition.is_concrete() {
            return;
        }
        match self.term_of(condition, 32) {
            Some(term) => {
                let zero = self.terms.equal(term, self.terms.constant(0, 32));
                let term = match holds {
                    true => self.terms.not(zero),
                    false => zero,
                };
                self.fork(term, ForkKind::Branch);
            }
            None => self.decide(condition),
        }
    }
}
