//! Instructions on values that depend on inputs which are followed symbolically.
//!
//! What terms follow is computed as a term: arithmetic, comparisons, conversions, selections, the
//! distance of an address from the start of its object. A branch, an
//! address, and what could be undefined are decided (`crate::exec::decide`). Any other operand
//! becomes a number first: the execution forks for each value that it may have, and the same
//! instruction is executed next.

mod calls;
mod floats;
mod leaves;
mod numbers;
mod printing;
mod sides;
mod sizes;
mod tables;
mod undefined;
mod wide;
mod widths;

use super::Flow;
use crate::base::fault::{ErrorKind, Halt, Result, unsupported};
use crate::exec::interpret::arithmetic::raise;
use crate::machine::Machine;
use crate::machine::builtin::Builtin;
use crate::state::condition::Length;
use crate::value::symbolic::term_of;
use crate::value::{Value, integer};
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{
    BinaryOperation, Comparison, Instruction as I, Intrinsic, Operand, Position, Range,
    ReadModifyWrite, Scalar, Slot,
};
use impasse_program::link::Target;
use impasse_program::word::Word;
use impasse_semantics::arithmetic::{can_be_undefined, checks_overflow, extension};
use impasse_semantics::domain::Arithmetic;
use impasse_semantics::intrinsic::argument_scalar;
use impasse_semantics::update::{Modification, modification};
use impasse_semantics::vectors::{Sign, Vectors};
use impasse_solver::Term;
use smallvec::SmallVec;

/// What terms do not follow.
const UPDATE: &str = "an atomic update of a value that depends on an input";

impl<'s> Machine<'s> {
    /// Executes the next instruction where inputs are followed symbolically.
    pub(super) fn instruction_with_inputs(&mut self, instruction: &'s I) -> Result<Flow> {
        let length = self.symbolic.condition.length();
        self.memory.limits.clear();
        let result = match self.decide_bounds(instruction) {
            Err(halt) => Err(halt),
            Ok(true) => Ok(Flow::Moved),
            Ok(false) if self.reads_terms(instruction) => self.instruction_on_terms(instruction),
            Ok(false) => self.instruction(instruction),
        };
        // One size stood for all with which the access is an error.
        let mut limits = self.memory.limits.iter();
        if result.is_ok() && limits.any(|(_, limit)| limit.is_exceeded()) {
            return unsupported("an access outside of memory of a size that depends on an input");
        }
        self.settle_terms(instruction, length, result)
    }

    fn reads_terms(&self, instruction: &I) -> bool {
        let mut found = false;
        let is_term = |operand: Operand| !self.read(operand).term.is_none();
        instruction.for_each_operand(&self.at.function.body, |operand, words| {
            found |= is_term(operand) || words == 2 && is_term(operand.second());
        });
        found
    }

    /// Gives up what cannot be followed: to the machine's functions, which know of no terms in
    /// memory, these look undefined. What an instruction has decided that halts is forgotten.
    fn settle_terms(
        &mut self,
        instruction: &I,
        length: Length,
        result: Result<Flow>,
    ) -> Result<Flow> {
        if self.memory.mixes_terms.take() {
            return unsupported(
                "reading bytes at once of which some are of inputs and others undefined",
            );
        }
        let Err(halt) = &result else {
            return result;
        };
        match **halt {
            Halt::Error(ErrorKind::UndefinedValue | ErrorKind::MutexMisuse, ref what)
                if self.symbolic.has_inputs() && self.may_take_terms(instruction) =>
            {
                unsupported(format!(
                    "in a program with inputs that have many values: {what}"
                ))
            }
            Halt::Error(..) | Halt::Unsupported(_) => result,
            _ => {
                self.symbolic.take_back(length);
                result
            }
        }
    }

    /// Whether a function of the machine may have taken a term for an undefined value. The one that
    /// ends the program reads nothing but its argument.
    fn may_take_terms(&self, instruction: &I) -> bool {
        let I::Call { site } = instruction else {
            return false;
        };
        match self.target(*site) {
            Ok(Target::Builtin(id)) => {
                Builtin::from_id(id).name() != "__impasse_exit" || self.reads_terms(instruction)
            }
            _ => true,
        }
    }

    /// Executes an instruction of which an operand is a term.
    fn instruction_on_terms(&mut self, instruction: &'s I) -> Result<Flow> {
        self.check_undefined_bytes(instruction)?;
        let done = match *instruction {
            I::Move { .. } | I::Return { .. } => return self.instruction(instruction),
            I::Binary {
                operation,
                scalar,
                poison_flags: flags,
                destination,
                left,
                right,
            } if scalar.words() == 1 => {
                let of = Arithmetic {
                    operation,
                    scalar,
                    flags,
                };
                let word = self.binary_on_terms(of, self.read(left), self.read(right))?;
                self.write_some(destination, word)
            }
            I::Compare {
                comparison,
                scalar,
                destination,
                left,
                right,
            } if scalar.words() == 1 => {
                let (left, right) = (self.read(left), self.read(right));
                let width = scalar.bits();
                let word = match [left, right].map(|word| self.has_undefined_bytes(word)) {
                    [false, false] => self.compare_terms(comparison, width, left, right),
                    _ => Some(self.compare_undefined_bytes(comparison, width, left, right)?),
                };
                self.write_some(destination, word)
            }
            I::Convert {
                conversion,
                from,
                to,
                destination,
                source,
            } if from.words() == 1 && to.words() == 1 => {
                let word = match extension(conversion) {
                    Some(sign) => self.convert_term(sign, from, to, self.read(source)),
                    None => self.convert_float_term(conversion, from, to, self.read(source))?,
                };
                self.write_some(destination, word)
            }
            I::Binary { .. } | I::Compare { .. } | I::Convert { .. } => {
                self.wide_on_terms(instruction)?
            }
            I::Float { .. } | I::FloatCompare { .. } => self.float_on_terms(instruction),
            I::Select {
                scalar,
                destination,
                condition,
                then,
                otherwise,
            } => return self.select_on_terms(scalar, destination, condition, [then, otherwise]),
            I::Freeze {
                scalar,
                destination,
                source,
            } if scalar.words() == 1 => {
                self.write(destination, self.read(source));
                true
            }
            I::Compute {
                intrinsic,
                scalar,
                destination,
                arguments,
            } if scalar.words() == 1 => {
                self.compute_on_terms(intrinsic, scalar, destination, arguments)?
            }
            I::AddressOffset {
                destination,
                base,
                offset,
            } => {
                let distance = self.terms().on(|v| v.constant(offset as u64 as u128, 64));
                let word = self.address_at(self.read(base), distance);
                self.write_some(destination, word)
            }
            I::AddressIndex {
                destination,
                base,
                index,
                width,
                scale,
            } => {
                let index = self.as_term(self.read(index), width.into());
                let word = index.and_then(|index| {
                    let distance = self.terms().on(|v| {
                        impasse_semantics::arithmetic::distance(v, index, width.into(), scale)
                    });
                    self.address_at(self.read(base), distance)
                });
                self.write_some(destination, word)
            }
            _ => return self.control_on_terms(instruction),
        };
        match done {
            true => Ok(Flow::Next),
            false => self.with_numbers(instruction, |_| true),
        }
    }

    /// The same for instructions about control and memory.
    fn control_on_terms(&mut self, instruction: &'s I) -> Result<Flow> {
        match *instruction {
            I::Branch {
                condition,
                then,
                otherwise,
            } => {
                let term = term_of(self.read(condition).term);
                if let Some(position) = self.join_sides(term, [then, otherwise]) {
                    self.at.position = position;
                    return Ok(Flow::Moved);
                }
                let before = self.symbolic.condition.conjuncts.len();
                let holds = self.decide(term)?;
                if self.symbolic.condition.conjuncts.len() > before {
                    self.put_known_inputs();
                }
                Ok(self.jump(if holds { then } else { otherwise }))
            }
            I::Switch {
                scalar,
                value,
                cases,
                default,
            } if scalar.words() == 1 => {
                let target = self.switch_on_term(scalar, self.read(value), cases, default)?;
                Ok(self.jump(target))
            }
            I::Call { site } => self.call_with_terms(instruction, site),
            I::Allocate {
                destination,
                count,
                element_bytes,
                align,
                ..
            } => {
                let address = self.variable_of_term(self.read(count), element_bytes, align)?;
                self.write(destination, address);
                Ok(Flow::Next)
            }
            I::Load {
                scalar,
                address,
                ordering,
                destination,
                ..
            } => {
                if !ordering.is_atomic()
                    && let Some(flow) =
                        self.load_from_table(scalar, self.read(address), destination)?
                {
                    return Ok(flow);
                }
                self.access_on_terms(instruction, scalar, address)
            }
            I::Store {
                scalar, address, ..
            }
            | I::Update {
                scalar, address, ..
            }
            | I::CompareExchange {
                scalar, address, ..
            } => self.access_on_terms(instruction, scalar, address),
            I::Repack { from, to, .. } if from.bits() == to.bits() && from.words() == 1 => {
                self.instruction(instruction)
            }
            _ => self.with_numbers(instruction, |_| true),
        }
    }

    fn write_some(&mut self, destination: Slot, word: Option<Word>) -> bool {
        if let Some(word) = word {
            self.write(destination, word);
        }
        word.is_some()
    }

    /// The result of arithmetic, or `None` where terms do not follow it. Fails as the machine's
    /// arithmetic does.
    fn binary_on_terms(&mut self, of: Arithmetic, left: Word, right: Word) -> Result<Option<Word>> {
        let width = of.scalar.bits();
        let (a, b) = match (self.as_term(left, width), self.as_term(right, width)) {
            (Some(a), Some(b)) => (a, b),
            _ => match self.same_object(left, right) {
                Some((a, b)) if of.operation == BinaryOperation::Subtract => (a, b),
                _ => return Ok(None),
            },
        };
        let strict = self.strictness();
        let checked = checks_overflow(of.flags, strict.signed_overflow);
        if can_be_undefined(of.operation, checked) {
            let hazards = self.terms().on(|v| v.hazards(of.operation, checked, a, b));
            for (condition, hazard) in hazards {
                if self.decide(condition)? {
                    let operands = self.shown_operands(left, right);
                    let value =
                        integer::undefined_result(hazard, of.operation, width, operands, strict);
                    return raise(value).map(|value| Some(value.low));
                }
            }
        }
        let term = self.terms().on(|v| v.arithmetic(of.operation, a, b));
        Ok(Some(self.of_term(term)))
    }

    /// The numbers that a report shows for operands, if it shows any.
    fn shown_operands(&self, left: Word, right: Word) -> Option<(u128, u128)> {
        let (left, right) = (self.symbolic.shown(left), self.symbolic.shown(right));
        let are_numbers = left.term.is_none() && right.term.is_none();
        are_numbers.then(|| (left.bits.into(), right.bits.into()))
    }

    /// Two addresses of the same object as terms, of which differences and comparisons follow.
    fn same_object(&self, left: Word, right: Word) -> Option<(Term, Term)> {
        let object = |word: Word| Address::from_bits(word.bits).object;
        let both = left.pointer && right.pointer && object(left) == object(right);
        let known = |word: Word| word.is_defined() || !word.term.is_none();
        if !both || !known(left) || !known(right) {
            return None;
        }
        let whole = |word: Word| {
            self.terms().with(|terms| {
                let start = terms.constant(word.bits.into(), 64);
                match word.term.is_none() {
                    true => start,
                    false => terms.add(term_of(word.term), start),
                }
            })
        };
        Some((whole(left), whole(right)))
    }

    fn compare_terms(
        &self,
        comparison: Comparison,
        width: u32,
        left: Word,
        right: Word,
    ) -> Option<Word> {
        let terms = match (self.as_term(left, width), self.as_term(right, width)) {
            (Some(a), Some(b)) => Some((a, b)),
            _ => self.same_object(left, right),
        };
        if let Some((a, b)) = terms {
            let term = self.terms().on(|v| leaves::compare(v, comparison, a, b));
            return Some(self.of_term(term));
        }
        let is_null = |word: Word| word.is_defined() && word.bits == 0;
        let is_in_object = |word: Word| {
            word.pointer
                && !word.term.is_none()
                && Address::from_bits(word.bits).object != ObjectId::NULL
        };
        let differ = is_null(left) && is_in_object(right) || is_null(right) && is_in_object(left);
        match comparison {
            Comparison::Equal if differ => Some(Word::number(0)),
            Comparison::NotEqual if differ => Some(Word::number(1)),
            _ => None,
        }
    }

    fn convert_term(&self, sign: Sign, from: Scalar, to: Scalar, word: Word) -> Option<Word> {
        if from == Scalar::Pointer32 || to == Scalar::Pointer32 {
            return None;
        }
        if word.pointer {
            return (to.bits() == 64).then_some(word);
        }
        let term = self.as_term(word, from.bits())?;
        let term = self
            .terms()
            .on(|v| v.resize(sign, term, from.bits(), to.bits()));
        Some(self.of_term(term))
    }

    fn select_on_terms(
        &mut self,
        scalar: Scalar,
        destination: Slot,
        condition: Operand,
        [then, otherwise]: [Operand; 2],
    ) -> Result<Flow> {
        let condition = self.read(condition);
        if !condition.term.is_none() {
            let condition = term_of(condition.term);
            let terms = match scalar.words() {
                1 => self
                    .as_term(self.read(then), scalar.bits())
                    .zip(self.as_term(self.read(otherwise), scalar.bits())),
                _ => None,
            };
            if let Some((yes, no)) = terms {
                let term = self.terms().on(|v| v.choose(condition, yes, no));
                self.write(destination, self.of_term(term));
                return Ok(Flow::Next);
            }
            let holds = self.decide(condition)?;
            let value = self.read_scalar(if holds { then } else { otherwise }, scalar);
            self.write_scalar(destination, scalar, value);
            return Ok(Flow::Next);
        }
        let value = match (condition.is_defined(), condition.bits & 1) {
            (false, _) => Value::undefined(scalar.bits()),
            (_, 1) => self.read_scalar(then, scalar),
            _ => self.read_scalar(otherwise, scalar),
        };
        self.write_scalar(destination, scalar, value);
        Ok(Flow::Next)
    }

    /// Computes an intrinsic; returns whether terms follow it.
    fn compute_on_terms(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        destination: Slot,
        arguments: Range,
    ) -> Result<bool> {
        let operands = &self.at.function.body.operands[arguments.indices()];
        if scalar.is_pointer() || !matches!(scalar, Scalar::Integer(_)) {
            return Ok(self.float_intrinsic_on_terms(intrinsic, scalar, destination, operands));
        }
        let mut terms: SmallVec<[Term; 3]> = SmallVec::new();
        for (index, &operand) in operands.iter().enumerate() {
            // Some take their flag as a number of another width; it is a constant.
            let width = argument_scalar(intrinsic, index, scalar).bits();
            match self.as_term(self.read(operand), width) {
                Some(term) => terms.push(term),
                None => return Ok(false),
            }
        }
        let width = scalar.bits() as u8;
        let Some(computed) = self.terms().on(|v| v.compute(intrinsic, &terms, width)) else {
            return Ok(false);
        };
        if let Some(poison) = computed.poison
            && self.decide(poison)?
        {
            self.write(destination, Word::undefined(scalar.bits()));
        } else {
            self.write(destination, self.of_term(computed.value));
        }
        if let Some(overflow) = computed.overflow {
            self.write(Slot(destination.0 + 1), self.of_term(overflow));
        }
        Ok(true)
    }

    fn switch_on_term(
        &mut self,
        scalar: Scalar,
        value: Word,
        cases: Range,
        default: Position,
    ) -> Result<Position> {
        let cases = &self.at.function.body.cases[cases.indices()];
        let term = term_of(value.term);
        let width = scalar.bits() as u8;
        let conditions = self.terms().with(|terms| {
            let mut all: Vec<Term> = Vec::new();
            let mut none = terms.boolean(true);
            for (number, _) in cases {
                let equal = terms.equal(term, terms.constant((*number).into(), width));
                all.push(terms.and(equal, none));
                none = terms.and(none, terms.not(equal));
            }
            all.push(none);
            all
        });
        let chosen = self.decide_among(&conditions)?;
        Ok(cases.get(chosen).map_or(default, |(_, target)| *target))
    }

    /// An access to memory: its address becomes a number.
    fn access_on_terms(
        &mut self,
        instruction: &'s I,
        scalar: Scalar,
        address: Operand,
    ) -> Result<Flow> {
        let word = self.read(address);
        if !word.term.is_none() {
            let (number, splits) = self.concrete_address(word, scalar.bytes().into())?;
            self.replace(word, number);
            if splits {
                self.put_known_inputs();
                return Ok(Flow::Moved);
            }
        }
        // Memory holds no addresses of which the offset is a term.
        self.with_numbers(instruction, |word| word.pointer)
    }

    /// What a read-modify-write writes, where the old value or the operand is a term. Fails where
    /// terms do not follow that.
    #[cold]
    pub(super) fn modify_term(
        &mut self,
        operation: ReadModifyWrite,
        scalar: Scalar,
        old: Value,
        operand: Value,
    ) -> Result<Value> {
        if operation == ReadModifyWrite::Exchange {
            return Ok(operand);
        }
        let width = scalar.bits();
        let known = (scalar.words() == 1).then(|| {
            self.as_term(old.low, width)
                .zip(self.as_term(operand.low, width))
        });
        let Some((a, b)) = known.flatten() else {
            return unsupported(UPDATE);
        };
        self.check_defined(a)?;
        self.check_defined(b)?;
        let term = self.terms().on(|v| match modification(operation) {
            Modification::Replace => Some(b),
            Modification::Binary(operation) => Some(v.arithmetic(operation, a, b)),
            Modification::Nand => {
                let both = v.arithmetic(BinaryOperation::And, a, b);
                Some(v.0.not(both))
            }
            Modification::Intrinsic(intrinsic) => {
                let computed = v.compute(intrinsic, &[a, b], width as u8);
                computed.map(|computed| computed.value)
            }
            _ => None,
        });
        match term {
            Some(term) => Ok(Value::one(self.of_term(term))),
            None => unsupported(UPDATE),
        }
    }

    /// Whether two values are equal of which one is a term. Halts for a choice if they may or may
    /// not be; fails where terms do not follow that.
    #[cold]
    pub(super) fn are_equal(&mut self, scalar: Scalar, left: Value, right: Value) -> Result<bool> {
        let width = scalar.bits();
        let terms = (scalar.words() == 1).then(|| {
            self.as_term(left.low, width)
                .zip(self.as_term(right.low, width))
        });
        match terms.flatten() {
            Some((a, b)) => {
                self.check_defined(a)?;
                self.check_defined(b)?;
                let equal = self.terms().with(|terms| terms.equal(a, b));
                self.decide(equal)
            }
            None => unsupported(UPDATE),
        }
    }
}
