//! Numbers that were made with one sign and are read with the other, over unbounded integers.
//!
//! There a conversion leaves a number as it is: what becomes of -4 in `unsigned u = x - 5` is -4,
//! where the machine reads 4294967292. So a number has left its type where its highest bit is set
//! and an operation reads it with another sign than it was made with. Copies leave bits as they
//! are: what was made is remembered by width and bits, wherever it is. Another number with the same
//! bits may so end an execution for nothing, which loses a proof and shows nothing wrong.
//!
//! Types have no sign here, but operations show it, as in [`super::wraps`]. Of constants nothing
//! is known.

use super::wraps::signed;
use impasse_program::instruction::{
    BinaryOperation, Body, Comparison, Conversion, Instruction, Operand, Place,
};
use impasse_program::word::{Word, mask};
use rustc_hash::FxHashSet;

/// How a number whose highest bit is set is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// It is negative.
    Negative,
    /// It is large.
    Large,
}

/// Arithmetic without sign on narrower types may be on signed ones: what C's `++` does to a `char`.
const INT: u32 = 32;

/// Whether an instruction compares a number with a constant so that the type of the number decides
/// the outcome. Over unbounded integers it may have the other one.
pub(super) fn is_decided_by_type(
    body: &Body,
    instruction: &Instruction,
    read: impl Fn(Operand) -> Word,
) -> bool {
    use Comparison as C;
    let Instruction::Compare {
        comparison,
        scalar,
        left,
        right,
        ..
    } = *instruction
    else {
        return false;
    };
    let is_constant = |operand: Operand| matches!(operand.place(), Place::Constant(_));
    let (number, constant) = match (is_constant(left), is_constant(right)) {
        (false, true) => (left, right),
        (true, false) => (right, left),
        _ => return false,
    };
    if scalar.words() != 1 || scalar.bits() < 2 {
        return false;
    }
    let width = scalar.bits();
    let is_signed = match comparison {
        C::UnsignedGreater | C::UnsignedGreaterEqual | C::UnsignedLess | C::UnsignedLessEqual => {
            false
        }
        C::Equal | C::NotEqual => extended(body, number).is_some_and(|(is_signed, _)| is_signed),
        _ => true,
    };
    let bits = read(constant).bits;
    let k = match is_signed {
        true => signed(bits, width),
        false => i128::from(bits & mask(width)),
    };
    let (lowest, highest) = range(body, number, width, is_signed);
    // `x < k` is as much decided as `x >= k`, and `k < x` as much as `x > k`.
    let is_below = match comparison {
        C::Equal | C::NotEqual => return k < lowest || highest < k,
        C::UnsignedLess | C::UnsignedGreaterEqual | C::SignedLess | C::SignedGreaterEqual => {
            is_constant(right)
        }
        _ => is_constant(left),
    };
    match is_below {
        true => highest < k || k <= lowest,
        false => highest <= k || k < lowest,
    }
}

/// The numbers that an operand may be by its type, which is wide or was extended.
fn range(body: &Body, operand: Operand, width: u32, is_signed: bool) -> (i128, i128) {
    let of_type = |is_signed: bool, width: u32| match is_signed {
        true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        false => (0, (1i128 << width) - 1),
    };
    match extended(body, operand) {
        Some((true, _)) if !is_signed => of_type(false, width),
        Some((of_narrow, narrow)) => of_type(of_narrow, narrow),
        None => of_type(is_signed, width),
    }
}

/// Whether an operand was extended with sign, and from how many bits, if it always is.
fn extended(body: &Body, operand: Operand) -> Option<(bool, u32)> {
    let Place::Slot(slot) = operand.place() else {
        return None;
    };
    let mut made = body.code.iter().filter(|instruction| {
        let defined = instruction.definitions(body);
        defined.is_some_and(|(first, count)| (first.0..first.0 + count).contains(&slot.0))
    });
    match (made.next()?, made.next()) {
        (
            Instruction::Convert {
                conversion, from, ..
            },
            None,
        ) if from.bits() > 1 => match conversion {
            Conversion::SignExtend => Some((true, from.bits())),
            Conversion::ZeroExtend => Some((false, from.bits())),
            _ => None,
        },
        _ => None,
    }
}

/// The numbers whose highest bit is set that an execution has made, and as what.
#[derive(Default)]
pub struct Signs {
    made: FxHashSet<(Sign, u32, u64)>,
}

impl Signs {
    /// Notes a number that was made.
    pub fn note(&mut self, sign: Sign, bits: u64, width: u32) {
        if is_high(bits, width) {
            self.made.insert((sign, width, bits & mask(width)));
        }
    }

    fn is(&self, sign: Sign, bits: u64, width: u32) -> bool {
        is_high(bits, width) && self.made.contains(&(sign, width, bits & mask(width)))
    }

    /// Whether an instruction reads a number with another sign than it was made with.
    pub fn misreads(&self, instruction: &Instruction, read: impl Fn(Operand) -> Word) -> bool {
        if self.made.is_empty() {
            return false;
        }
        let is = |sign, operand: Operand, width| {
            let word = read(operand);
            let is_constant = matches!(operand.place(), Place::Constant(_));
            word.is_defined() && !is_constant && self.is(sign, word.bits, width)
        };
        match instruction {
            Instruction::Convert { from, source, .. } => {
                let other = read_as(instruction).map(other);
                other.is_some_and(|other| is(other, *source, from.bits()))
            }
            Instruction::Compare {
                comparison: Comparison::Equal | Comparison::NotEqual,
                scalar,
                left,
                right,
                ..
            } => [left, right].into_iter().any(|&operand| {
                let both = [Sign::Negative, Sign::Large];
                both.iter().all(|&sign| is(sign, operand, scalar.bits()))
            }),
            Instruction::Compare {
                scalar,
                left,
                right,
                ..
            } => {
                let other = read_as(instruction).map(other);
                let mut operands = [left, right].into_iter();
                other
                    .is_some_and(|other| operands.any(|&operand| is(other, operand, scalar.bits())))
            }
            Instruction::Binary {
                operation,
                scalar,
                left,
                right,
                ..
            } => {
                let other = read_as(instruction).map(other);
                let width = scalar.bits();
                let shifts = matches!(
                    operation,
                    BinaryOperation::LogicalShiftRight | BinaryOperation::ArithmeticShiftRight
                );
                other.is_some_and(|other| {
                    is(other, *left, width) || !shifts && is(other, *right, width)
                })
            }
            _ => false,
        }
    }

    /// As what an instruction makes its result, if its highest bit is set, and the width of that.
    pub fn result(
        &self,
        instruction: &Instruction,
        read: impl Fn(Operand) -> Word,
    ) -> Option<(Sign, u32)> {
        match instruction {
            Instruction::Convert {
                conversion: Conversion::Truncate,
                from,
                to,
                source,
                ..
            } if from.words() == 1 && to.bits() > 1 => {
                let number = signed(read(*source).bits, from.bits());
                let sign = if number < 0 {
                    Sign::Negative
                } else {
                    Sign::Large
                };
                Some((sign, to.bits()))
            }
            Instruction::Convert {
                conversion: Conversion::SignExtend,
                to,
                ..
            } => Some((Sign::Negative, to.bits())),
            Instruction::Binary {
                operation:
                    BinaryOperation::And
                    | BinaryOperation::Or
                    | BinaryOperation::Xor
                    | BinaryOperation::ShiftLeft,
                scalar,
                left,
                right,
                ..
            } => {
                let width = scalar.bits();
                let has = |sign| {
                    let mut operands = [left, right].into_iter();
                    operands.any(|&operand| self.is(sign, read(operand).bits, width))
                };
                let signs = [Sign::Negative, Sign::Large];
                let sign = signs.into_iter().find(|&sign| has(sign))?;
                Some((sign, width))
            }
            Instruction::Binary { scalar, .. } => {
                read_as(instruction).map(|sign| (sign, scalar.bits()))
            }
            _ => None,
        }
    }
}

fn other(sign: Sign) -> Sign {
    match sign {
        Sign::Negative => Sign::Large,
        Sign::Large => Sign::Negative,
    }
}

fn is_high(bits: u64, width: u32) -> bool {
    (2..=64).contains(&width) && bits >> (width - 1) & 1 == 1
}

/// With which sign an instruction reads its operands.
fn read_as(instruction: &Instruction) -> Option<Sign> {
    use BinaryOperation as B;
    use Comparison as C;
    match instruction {
        Instruction::Convert { conversion, .. } => match conversion {
            Conversion::ZeroExtend | Conversion::UnsignedToFloat => Some(Sign::Large),
            Conversion::SignExtend | Conversion::SignedToFloat => Some(Sign::Negative),
            _ => None,
        },
        Instruction::Compare { comparison, .. } => match comparison {
            C::Equal | C::NotEqual => None,
            C::SignedGreater | C::SignedGreaterEqual | C::SignedLess | C::SignedLessEqual => {
                Some(Sign::Negative)
            }
            _ => Some(Sign::Large),
        },
        Instruction::Binary {
            operation,
            scalar,
            poison_flags,
            ..
        } => match operation {
            B::UnsignedDivide | B::UnsignedRemainder | B::LogicalShiftRight => Some(Sign::Large),
            B::SignedDivide | B::SignedRemainder | B::ArithmeticShiftRight => Some(Sign::Negative),
            B::Add | B::Subtract | B::Multiply if poison_flags.no_signed_wrap => {
                Some(Sign::Negative)
            }
            B::Add | B::Subtract | B::Multiply if scalar.bits() >= INT => Some(Sign::Large),
            _ => None,
        },
        _ => None,
    }
}
