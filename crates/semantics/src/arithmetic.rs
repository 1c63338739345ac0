//! Integer arithmetic, comparisons, conversions and the arithmetic of addresses.

use crate::vectors::{Overflow, Sign, Vectors};
use impasse_program::instruction::{BinaryOperation as Op, Comparison, Conversion, PoisonFlags};

/// A reason why an operation is undefined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hazard {
    /// The result does not fit its type, read with sign (`nsw`).
    Overflow,
    /// A divisor of zero.
    DivisionByZero,
    /// The least number divided by minus one.
    DivisionOverflow,
    /// A shift by the width or more.
    Shift,
}

/// Returns whether signed overflow of an operation is a hazard: where it carries `nsw` and the
/// caller `reports` it. The other poison-generating flags (`nuw`, `exact`) are no hazards: clang
/// sets them where C defines the result, or where an optimisation has shown that they hold.
#[inline]
pub const fn checks_overflow(flags: PoisonFlags, reports: bool) -> bool {
    flags.no_signed_wrap && reports
}

/// Returns whether an operation is undefined for some operands.
#[inline]
pub const fn can_be_undefined(operation: Op, checks_overflow: bool) -> bool {
    match operation {
        Op::Add | Op::Subtract | Op::Multiply => checks_overflow,
        Op::And | Op::Or | Op::Xor => false,
        _ => true,
    }
}

/// Calls `found` with each condition under which an operation is undefined, in the order in which
/// they are to be reported: later ones matter only where earlier ones do not hold.
#[inline(always)]
pub fn hazards<V: Vectors>(
    v: V,
    operation: Op,
    checks_overflow: bool,
    width: u32,
    (left, right): (V::Vector, V::Vector),
    mut found: impl FnMut(V::Condition, Hazard),
) {
    match operation {
        Op::Add | Op::Subtract | Op::Multiply if checks_overflow => {
            let overflow = match operation {
                Op::Add => Overflow::SignedAdd,
                Op::Subtract => Overflow::SignedSubtract,
                _ => Overflow::SignedMultiply,
            };
            found(v.overflows(overflow, width, left, right), Hazard::Overflow);
        }
        Op::UnsignedDivide | Op::UnsignedRemainder | Op::SignedDivide | Op::SignedRemainder => {
            let zero = v.equal(width, right, v.constant(0, width));
            found(zero, Hazard::DivisionByZero);
            if matches!(operation, Op::SignedDivide | Op::SignedRemainder) {
                let least = v.equal(width, left, v.constant(1 << (width - 1), width));
                let minus_one = v.equal(width, right, v.constant(!0, width));
                found(v.and(least, minus_one), Hazard::DivisionOverflow);
            }
        }
        Op::ShiftLeft | Op::LogicalShiftRight | Op::ArithmeticShiftRight => {
            let most = v.constant(u128::from(width) - 1, width);
            let too_far = v.less(Sign::Unsigned, width, most, right);
            found(too_far, Hazard::Shift);
            if operation == Op::ShiftLeft && checks_overflow {
                let shifted = v.binary(Op::ShiftLeft, width, left, right);
                let back = v.binary(Op::ArithmeticShiftRight, width, shifted, right);
                found(v.not(v.equal(width, back, left)), Hazard::Overflow);
            }
        }
        _ => {}
    }
}

/// Returns whether a comparison of two vectors of `width` bits holds.
#[inline(always)]
pub fn compare<V: Vectors>(
    v: V,
    comparison: Comparison,
    width: u32,
    left: V::Vector,
    right: V::Vector,
) -> V::Condition {
    use Comparison as C;
    use Sign::{Signed, Unsigned};
    match comparison {
        C::Equal => v.equal(width, left, right),
        C::NotEqual => v.not(v.equal(width, left, right)),
        C::UnsignedGreater => v.less(Unsigned, width, right, left),
        C::UnsignedGreaterEqual => v.at_most(Unsigned, width, right, left),
        C::UnsignedLess => v.less(Unsigned, width, left, right),
        C::UnsignedLessEqual => v.at_most(Unsigned, width, left, right),
        C::SignedGreater => v.less(Signed, width, right, left),
        C::SignedGreaterEqual => v.at_most(Signed, width, right, left),
        C::SignedLess => v.less(Signed, width, left, right),
        C::SignedLessEqual => v.at_most(Signed, width, left, right),
    }
}

/// Returns how a conversion that only changes the width extends an integer or an address, or `None`
/// where a side is a floating-point number. Addresses of four bytes are up to the domain.
#[inline]
pub const fn extension(conversion: Conversion) -> Option<Sign> {
    use Conversion as C;
    match conversion {
        C::Truncate | C::ZeroExtend | C::PointerToInteger | C::IntegerToPointer => {
            Some(Sign::Unsigned)
        }
        C::SignExtend => Some(Sign::Signed),
        C::FloatTruncate
        | C::FloatExtend
        | C::FloatToUnsigned
        | C::FloatToSigned
        | C::UnsignedToFloat
        | C::SignedToFloat => None,
    }
}

/// Returns the number of bytes, as a vector of 64 bits, by which an index of `width` bits moves an
/// address: the index is signed, and the product wraps around.
#[inline(always)]
pub fn distance<V: Vectors>(v: V, index: V::Vector, width: u32, scale: u64) -> V::Vector {
    let index = v.resize(Sign::Signed, index, width, 64);
    v.binary(Op::Multiply, 64, index, v.constant(scale.into(), 64))
}
