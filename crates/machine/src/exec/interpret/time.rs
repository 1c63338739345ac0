//! Instructions where the time is unknown: what their results know of it, and where they branch.
//!
//! A comparison that could have either result has both (`crate::exec::unknown_time`). What else
//! depends on the time is computed for the earliest time, and marked. A branch on it takes every
//! alternative; an address, a size, or an argument of the machine's functions that depends on it is
//! not supported.

use super::Flow;
use crate::base::fault::{Result, unsupported};
use crate::machine::Machine;
use crate::machine::builtin::Builtin;
use impasse_program::instruction::{
    BinaryOperation, CallSiteId, Instruction as I, Intrinsic, Operand, Scalar, Slot,
};
use impasse_program::link::Target;
use impasse_program::word::{Time, Word};

/// The machine's functions that take times.
const TAKES_TIMES: [&str; 2] = ["__impasse_sleep_until", "__impasse_time_after"];

impl<'s> Machine<'s> {
    /// Executes the next instruction where the time is unknown.
    pub(super) fn instruction_in_time(&mut self, instruction: &'s I) -> Result<Flow> {
        let mut time = Time::NONE;
        let body = &self.at.function.body;
        instruction.for_each_operand(body, |operand, words| {
            time = time.or(self.read(operand).time);
            if words == 2 {
                time = time.or(self.read(operand.second()).time);
            }
        });
        if time.is_none() {
            return self.instruction(instruction);
        }
        match instruction {
            I::Compare {
                comparison,
                scalar,
                destination,
                left,
                right,
            } if scalar.words() == 1 && !self.formats() => {
                let (left, right) = (self.read(*left), self.read(*right));
                if left.is_defined() && right.is_defined() {
                    let holds = self.compare_times(*comparison, scalar.bits(), left, right)?;
                    self.write(*destination, Word::number(holds as u64));
                    return Ok(Flow::Next);
                }
                self.instruction(instruction)
            }
            I::Compare { destination, .. } | I::FloatCompare { destination, .. } => {
                let flow = self.instruction(instruction)?;
                if !self.formats() {
                    self.mark(*destination, Time::SOMEHOW);
                }
                Ok(flow)
            }
            I::Branch {
                then, otherwise, ..
            } => {
                let target = [*otherwise, *then][self.guess(2)? as usize];
                Ok(self.jump(target))
            }
            I::Switch { cases, default, .. } => {
                let cases = &self.at.function.body.cases[cases.indices()];
                let chosen = self.guess(cases.len() as u32 + 1)? as usize;
                Ok(self.jump(cases.get(chosen).map_or(*default, |case| case.1)))
            }
            I::Select {
                scalar,
                destination,
                condition,
                then,
                otherwise,
            } if !self.read(*condition).time.is_none() => {
                let source = [*otherwise, *then][self.guess(2)? as usize];
                let value = self.read_scalar(source, *scalar);
                self.write_scalar(*destination, *scalar, value);
                Ok(Flow::Next)
            }
            I::Call { site } => {
                self.check_call(*site)?;
                self.instruction(instruction)
            }
            _ => {
                self.check_places(instruction)?;
                let results = self.results_in_time(instruction);
                let flow = self.instruction(instruction)?;
                for (slot, time) in results {
                    self.mark(slot, time);
                }
                Ok(flow)
            }
        }
    }

    /// Whether the running function only makes text of values: no branch depends on which text.
    fn formats(&self) -> bool {
        self.system.formats[self.at.id.0 as usize]
    }

    fn mark(&mut self, slot: Slot, time: Time) {
        let word = self.stack.words[self.at.base + slot.0 as usize];
        self.write(slot, word.with_time(time));
    }

    /// How the results of an instruction depend on the time, if it does not say so itself.
    fn results_in_time(&self, instruction: &I) -> Vec<(Slot, Time)> {
        match instruction {
            I::Binary {
                operation,
                scalar,
                destination,
                left,
                right,
                ..
            } => {
                let time = match scalar.words() {
                    1 => self.computed(*operation, scalar.bits(), *left, *right),
                    _ => Time::SOMEHOW,
                };
                with_second(*destination, *scalar, time)
            }
            I::Float {
                scalar,
                destination,
                ..
            } => with_second(*destination, *scalar, Time::SOMEHOW),
            I::Convert {
                conversion,
                from,
                to,
                destination,
                source,
            } => {
                use impasse_program::instruction::Conversion as C;
                let keeps = from.words() == 1
                    && to.words() == 1
                    && matches!(conversion, C::ZeroExtend | C::SignExtend);
                let time = match keeps {
                    true => self.read(*source).time,
                    false => Time::SOMEHOW,
                };
                with_second(*destination, *to, time)
            }
            I::Repack {
                from,
                to,
                destination,
                arguments,
            } if from.bits() != 64 || to.bits() != 64 => {
                let count = arguments.indices().len() as u32;
                let results = (count * from.bits()).div_ceil(to.bits()) * to.words();
                let slots = (0..results).map(|n| Slot(destination.0 + n));
                slots.map(|slot| (slot, Time::SOMEHOW)).collect()
            }
            I::Compute {
                intrinsic,
                scalar,
                destination,
                arguments,
            } => {
                let operands = &self.at.function.body.operands[arguments.indices()];
                let time = match (checked(*intrinsic), operands, scalar.words()) {
                    (Some(operation), [left, right], 1) => {
                        self.computed(operation, scalar.bits(), *left, *right)
                    }
                    _ => Time::SOMEHOW,
                };
                with_second(*destination, *scalar, time)
            }
            I::AddressIndex { destination, .. } => vec![(*destination, Time::SOMEHOW)],
            _ => Vec::new(),
        }
    }

    /// How what is computed of two values depends on the time.
    fn computed(
        &self,
        operation: BinaryOperation,
        width: u32,
        left: Operand,
        right: Operand,
    ) -> Time {
        use BinaryOperation as Op;
        let (left, right) = (self.read(left), self.read(right));
        let (a, b) = (left.time, right.time);
        let is_wide = width == 64;
        let is_positive = |word: Word| word.bits > 0 && word.bits < 1 << 62;
        match operation {
            Op::Add | Op::Subtract if is_wide && b.is_none() => a,
            Op::Add | Op::Multiply if is_wide && a.is_none() && is_positive(left) => b,
            Op::Add if is_wide && a.is_none() => b,
            Op::Multiply | Op::UnsignedDivide | Op::SignedDivide
                if is_wide && b.is_none() && is_positive(right) =>
            {
                a
            }
            Op::UnsignedRemainder | Op::SignedRemainder if is_wide && b.is_none() => {
                match a.as_point().or(a.as_part()) {
                    Some(reading) => Time::part(reading),
                    None => Time::SOMEHOW,
                }
            }
            Op::Add if is_wide => match (a.as_point(), b.as_part(), b.as_point(), a.as_part()) {
                (Some(i), Some(j), ..) | (_, _, Some(i), Some(j)) if i == j => Time::point(i),
                _ => Time::SOMEHOW,
            },
            Op::Subtract if is_wide => match (a.as_point(), b.as_point()) {
                (Some(i), Some(j)) if i == j => Time::part(i),
                (Some(i), Some(j)) if i > j && self.are_ordered(i, j) => Time::DISTANCE,
                _ => Time::SOMEHOW,
            },
            _ => Time::SOMEHOW,
        }
    }

    /// A call: of whom must not depend on the time, nor what the machine's functions do.
    fn check_call(&self, site: CallSiteId) -> Result<()> {
        let call = &self.at.function.body.sites[site.0 as usize];
        if let impasse_program::instruction::Callee::Address(operand) = call.callee
            && !self.read(operand).time.is_none()
        {
            return unsupported("a call of a function that depends on the time");
        }
        let Target::Builtin(id) = self.target(site)? else {
            return Ok(());
        };
        let builtin = Builtin::from_id(id);
        let depends = |word: &Word| !word.time.is_none();
        if TAKES_TIMES.contains(&builtin.name()) || !self.arguments_of(site).iter().any(depends) {
            return Ok(());
        }
        unsupported(format!(
            "{} with an argument that depends on the time",
            builtin.name()
        ))
    }

    /// Addresses and sizes must not depend on the time, nor how much is computed, nor errors of
    /// arithmetic.
    fn check_places(&self, instruction: &I) -> Result<()> {
        let place = match instruction {
            I::Load { .. } if self.formats() => return Ok(()),
            I::Load { address, .. }
            | I::Store { address, .. }
            | I::Update { address, .. }
            | I::CompareExchange { address, .. } => [*address; 3],
            I::CopyMemory {
                destination,
                source,
                bytes,
                ..
            } => [*destination, *source, *bytes],
            I::FillMemory {
                destination, bytes, ..
            } => [*destination, *destination, *bytes],
            I::Allocate { count, .. } => [*count; 3],
            I::IndirectJump { target, .. } => [*target; 3],
            I::Binary {
                operation, right, ..
            } if can_fail(*operation) => [*right; 3],
            _ => return Ok(()),
        };
        if place
            .iter()
            .all(|&operand| self.read(operand).time.is_none())
        {
            return Ok(());
        }
        let what = match instruction {
            I::Binary { .. } => "a division or shift by a value",
            I::IndirectJump { .. } => "a jump to a place",
            I::Allocate { .. } => "a size",
            _ => "an address or size",
        };
        unsupported(format!("{what} that depends on the time"))
    }
}

/// The operation whose result, and whether it overflows, an intrinsic computes.
fn checked(intrinsic: Intrinsic) -> Option<BinaryOperation> {
    use Intrinsic as N;
    match intrinsic {
        N::SignedAddOverflow | N::UnsignedAddOverflow => Some(BinaryOperation::Add),
        N::SignedSubtractOverflow | N::UnsignedSubtractOverflow => Some(BinaryOperation::Subtract),
        N::SignedMultiplyOverflow | N::UnsignedMultiplyOverflow => Some(BinaryOperation::Multiply),
        _ => None,
    }
}

/// Whether some values of the second operand are errors.
fn can_fail(operation: BinaryOperation) -> bool {
    use BinaryOperation as Op;
    !matches!(
        operation,
        Op::Add | Op::Subtract | Op::Multiply | Op::And | Op::Or | Op::Xor
    )
}

fn with_second(slot: Slot, scalar: Scalar, time: Time) -> Vec<(Slot, Time)> {
    let mut results = vec![(slot, time)];
    if scalar.words() == 2 {
        results.push((Slot(slot.0 + 1), time.of_bytes()));
    }
    results
}
