//! Whether an operation of the program's own code wraps around, or loses bits.
//!
//! Types have no sign here, but operations show it: what the compiler promised not to overflow with
//! sign is signed arithmetic; what it did not is unsigned, where one that adds a constant whose
//! highest bit is set is one that subtracts.

use impasse_program::instruction::{BinaryOperation, Conversion, Instruction, Operand};
use impasse_program::word::{Word, mask};

/// How the result of an operation is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrap {
    /// It is a number without sign that does not fit, or it loses bits.
    Unsigned,
    /// It is a signed number that does not fit.
    Signed,
}

/// How an instruction wraps around on the values of its operands, which `read` gives; `None` if it
/// does not, or if they are wider than 64 bits.
pub fn wrap(
    instruction: &Instruction,
    constant: impl Fn(Operand) -> bool,
    read: impl Fn(Operand) -> Word,
) -> Option<Wrap> {
    match instruction {
        Instruction::Binary {
            operation,
            scalar,
            poison_flags,
            left,
            right,
            ..
        } if scalar.words() == 1 => {
            let (a, b) = (read(*left), read(*right));
            if !a.is_defined() || !b.is_defined() {
                return None;
            }
            let width = scalar.bits();
            match poison_flags.no_signed_wrap {
                true => of_signed(*operation, (a.bits, b.bits), width),
                false => of_unsigned(*operation, (a.bits, b.bits), constant(*right), width),
            }
        }
        Instruction::Convert {
            conversion: Conversion::Truncate,
            from,
            to,
            source,
            ..
        } if from.words() == 1 => {
            let (value, width) = (read(*source), to.bits());
            let number = signed(value.bits, from.bits());
            let fits = number == signed(value.bits, width)
                || value.bits & mask(from.bits()) == value.bits & mask(width);
            (value.is_defined() && !fits && width > 1).then_some(Wrap::Unsigned)
        }
        _ => None,
    }
}

/// A number of `width` bits, read with sign.
pub(super) fn signed(bits: u64, width: u32) -> i128 {
    let unused = 64 - width.min(64);
    i128::from(((bits << unused) as i64) >> unused)
}

fn of_signed(operation: BinaryOperation, (a, b): (u64, u64), width: u32) -> Option<Wrap> {
    let (a, b) = (signed(a, width), signed(b, width));
    let exact = match operation {
        BinaryOperation::Add => a + b,
        BinaryOperation::Subtract => a - b,
        BinaryOperation::Multiply => a * b,
        _ => return None,
    };
    (exact != signed(exact as u64, width)).then_some(Wrap::Signed)
}

/// Whether a constant that is added without sign stands for a subtraction: its highest bit is set,
/// and another one, as C has no negative constant without.
pub(crate) fn is_negative(bits: u64, width: u32) -> bool {
    signed(bits, width) < 0 && bits & (mask(width) >> 1) != 0
}

fn of_unsigned(
    operation: BinaryOperation,
    (a, b): (u64, u64),
    is_constant: bool,
    width: u32,
) -> Option<Wrap> {
    let negative = is_constant && is_negative(b, width);
    let (x, y) = (i128::from(a & mask(width)), i128::from(b & mask(width)));
    let exact = match operation {
        BinaryOperation::Add if negative => x + signed(b, width),
        BinaryOperation::Add => x + y,
        BinaryOperation::Subtract => x - y,
        BinaryOperation::Multiply => x * y,
        // A shifted number may have been meant with sign.
        BinaryOperation::ShiftLeft if b < u64::from(width) => {
            let (number, shifted) = (signed(a, width), signed(a << b, width));
            let fits = number << b == shifted || x << b == i128::from((a << b) & mask(width));
            return (!fits).then_some(Wrap::Unsigned);
        }
        _ => return None,
    };
    (exact != i128::from(exact as u64 & mask(width))).then_some(Wrap::Unsigned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_both_kinds() {
        let int = |operation, a: i32, b: i32| {
            of_signed(operation, (a as u32 as u64, b as u32 as u64), 32)
        };
        assert_eq!(int(BinaryOperation::Add, i32::MAX, 1), Some(Wrap::Signed));
        assert_eq!(int(BinaryOperation::Subtract, i32::MIN, -1), None);
        assert_eq!(
            int(BinaryOperation::Multiply, 65536, 32768),
            Some(Wrap::Signed)
        );
        let unsigned =
            |operation, a: u32, b: u32, c| of_unsigned(operation, (a.into(), b.into()), c, 32);
        assert_eq!(
            unsigned(BinaryOperation::Add, 1 << 31, 1 << 31, false),
            Some(Wrap::Unsigned)
        );
        assert_eq!(unsigned(BinaryOperation::Add, 5, u32::MAX, true), None);
        assert_eq!(
            unsigned(BinaryOperation::Add, 0, u32::MAX, true),
            Some(Wrap::Unsigned)
        );
        assert_eq!(unsigned(BinaryOperation::Add, 0, 1 << 31, true), None);
        assert_eq!(
            unsigned(BinaryOperation::Subtract, 5, 6, false),
            Some(Wrap::Unsigned)
        );
    }
}
