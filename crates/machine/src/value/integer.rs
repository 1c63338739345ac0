//! Integer arithmetic and comparison, with undefined bits followed through each operation.
//!
//! A result bit is undefined only if it can depend on an undefined bit of an operand: exactly for
//! the bitwise operations, shifts by defined amounts and comparisons, and conservatively
//! (everything above the lowest undefined bit) for sums and products.

use super::Value;
use crate::base::fault::ErrorKind;
use impasse_program::instruction::{BinaryOperation as Op, Comparison, PoisonFlags};
use impasse_program::word::Word;
use impasse_semantics::arithmetic::{self, Hazard, can_be_undefined, checks_overflow, hazards};
use impasse_semantics::numbers::{Narrow, Wide};
use impasse_semantics::vectors::{Sign, Vectors};

/// Which hazards are errors; elsewhere the result is undefined. Divisions always are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strictness {
    /// Shifts by the width or more.
    pub shifts: bool,
    /// Signed overflow.
    pub signed_overflow: bool,
}

/// What an operation gives: a value, or the kind of error and what happened.
pub type Outcome<T> = Result<T, (ErrorKind, String)>;

/// Returns `left op right` for words of `width` bits, at most 64, that are numbers. Fails on
/// undefined behaviour.
#[inline(always)]
pub fn binary(
    op: Op,
    width: u32,
    left: Word,
    right: Word,
    poison_flags: PoisonFlags,
    strict: Strictness,
) -> Outcome<Word> {
    if left.undefined | right.undefined != 0 {
        let wide = binary_undefined(op, width, Value::one(left), Value::one(right));
        return wide.map(|v| v.low);
    }
    match binary_defined(
        Narrow,
        op,
        width,
        (left.bits, right.bits),
        poison_flags,
        strict,
    ) {
        Ok(bits) => Ok(Word::number(bits)),
        Err(hazard) => {
            let operands = (left.bits.into(), right.bits.into());
            undefined_result(hazard, op, width, Some(operands), strict).map(|value| value.low)
        }
    }
}

/// Returns `left op right` for values of `width` bits, at most 128. Fails on undefined behaviour.
pub fn binary_wide(
    op: Op,
    width: u32,
    left: Value,
    right: Value,
    poison_flags: PoisonFlags,
    strict: Strictness,
) -> Outcome<Value> {
    if !left.is_defined() || !right.is_defined() {
        return binary_undefined(op, width, left, right);
    }
    let operands = (left.bits(), right.bits());
    match binary_defined(Wide, op, width, operands, poison_flags, strict) {
        Ok(bits) => Ok(Value::number(bits)),
        Err(hazard) => undefined_result(hazard, op, width, Some(operands), strict),
    }
}

/// The result on numbers, or the first hazard.
#[inline(always)]
fn binary_defined<V: Vectors<Condition = bool>>(
    v: V,
    op: Op,
    width: u32,
    operands: (V::Vector, V::Vector),
    flags: PoisonFlags,
    strict: Strictness,
) -> Result<V::Vector, Hazard> {
    let checked = checks_overflow(flags, strict.signed_overflow);
    if can_be_undefined(op, checked) {
        let mut first = None;
        hazards(v, op, checked, width, operands, |holds, hazard| {
            if holds {
                first = first.or(Some(hazard));
            }
        });
        if let Some(hazard) = first {
            return Err(hazard);
        }
    }
    Ok(v.binary(op, width, operands.0, operands.1))
}

/// Returns the result of an operation that is undefined. Fails where that is an error, which shows
/// the operands if they are known.
#[cold]
pub fn undefined_result(
    hazard: Hazard,
    op: Op,
    width: u32,
    operands: Option<(u128, u128)>,
    strict: Strictness,
) -> Outcome<Value> {
    let signed = |number: u128| Wide::signed(number, width).to_string();
    let left = operands.map_or("a value".into(), |(a, _)| signed(a));
    let right = operands.map_or("another".into(), |(_, b)| signed(b));
    let (kind, message) = match hazard {
        Hazard::Shift if !strict.shifts => return Ok(Value::undefined(width)),
        Hazard::Shift => {
            let by = operands.map_or("its width or more".into(), |(_, b)| b.to_string());
            let message = format!("a value of {width} bits is shifted by {by}");
            (ErrorKind::InvalidShift, message)
        }
        Hazard::Overflow => {
            let sign = match op {
                Op::Add => "+",
                Op::Subtract => "-",
                Op::Multiply => "*",
                _ => "<<",
            };
            let message = format!("{left} {sign} {right} does not fit into {width} bits");
            (ErrorKind::SignedOverflow, message)
        }
        Hazard::DivisionByZero => {
            let what = match op {
                Op::UnsignedDivide | Op::SignedDivide => "division by zero",
                _ => "remainder of a division by zero",
            };
            (ErrorKind::DivisionByZero, what.into())
        }
        Hazard::DivisionOverflow => {
            let message = format!("dividing {left} by -1 overflows");
            (ErrorKind::DivisionByZero, message)
        }
    };
    Err((kind, message))
}

/// Operations of which an operand has undefined bits.
#[cold]
fn binary_undefined(op: Op, width: u32, left: Value, right: Value) -> Outcome<Value> {
    let (a, b) = (left.bits(), right.bits());
    let (ua, ub) = (left.undefined_bits(), right.undefined_bits());
    let undefined = match op {
        // A bit is known if both are, or if one is known to be 0.
        Op::And => (ua | ub) & !(!ua & !a) & !(!ub & !b),
        // A bit is known if both are, or if one is known to be 1.
        Op::Or => (ua | ub) & !(a & !ua) & !(b & !ub),
        Op::Xor => ua | ub,
        // A bit depends on none above it.
        Op::Add | Op::Subtract | Op::Multiply => !Wide::mask((ua | ub).trailing_zeros()),
        Op::ShiftLeft | Op::LogicalShiftRight | Op::ArithmeticShiftRight
            if ub == 0 && b < u128::from(width) =>
        {
            Wide.binary(op, width, ua, b)
        }
        Op::UnsignedDivide | Op::SignedDivide | Op::UnsignedRemainder | Op::SignedRemainder
            if ub != 0 =>
        {
            let message = "a divisor is undefined";
            return Err((ErrorKind::UndefinedValue, message.into()));
        }
        _ => return Ok(Value::undefined(width)),
    };
    let bits = Wide.binary(op, width, a, b);
    Ok(Value::with_undefined(bits, undefined, width))
}

/// Returns the result, of one bit, of comparing words of `width` bits.
#[inline(always)]
pub fn compare(comparison: Comparison, width: u32, left: Word, right: Word) -> Word {
    if left.undefined | right.undefined != 0 {
        return compare_undefined(comparison, width, Value::one(left), Value::one(right));
    }
    let result = arithmetic::compare(Narrow, comparison, width, left.bits, right.bits);
    Word::number(result as u64)
}

/// Returns the result, of one bit, of comparing values of `width` bits, at most 128.
pub fn compare_wide(comparison: Comparison, width: u32, left: Value, right: Value) -> Word {
    if !left.is_defined() || !right.is_defined() {
        return compare_undefined(comparison, width, left, right);
    }
    let result = arithmetic::compare(Wide, comparison, width, left.bits(), right.bits());
    Word::number(result as u64)
}

/// Known if all values that the operands may have compare alike.
#[cold]
fn compare_undefined(comparison: Comparison, width: u32, left: Value, right: Value) -> Word {
    use Comparison as C;
    let known = !(left.undefined_bits() | right.undefined_bits());
    let differs = (left.bits() ^ right.bits()) & known != 0;
    let signed = matches!(
        comparison,
        C::SignedGreater | C::SignedGreaterEqual | C::SignedLess | C::SignedLessEqual
    );
    let (a, b) = (range(left, width, signed), range(right, width, signed));
    let result = match comparison {
        C::Equal => differs.then_some(false),
        C::NotEqual => differs.then_some(true),
        C::UnsignedLess | C::SignedLess => is_less(a, b),
        C::UnsignedGreater | C::SignedGreater => is_less(b, a),
        C::UnsignedGreaterEqual | C::SignedGreaterEqual => is_less(a, b).map(|less| !less),
        C::UnsignedLessEqual | C::SignedLessEqual => is_less(b, a).map(|less| !less),
    };
    result.map_or(Word::undefined(1), |known| Word::number(known as u64))
}

/// The least and the greatest number that a value may be, in unsigned order; that of signed ones is
/// the same after their highest bit is inverted.
fn range(value: Value, width: u32, signed: bool) -> (u128, u128) {
    let undefined = value.undefined_bits() & Wide::mask(width);
    let top = if signed { 1 << (width - 1) } else { 0 };
    let least = (value.bits() & Wide::mask(width) ^ top) & !undefined;
    (least, least | undefined)
}

/// Whether a number of the first range is less than one of the second, if that does not depend on
/// which.
fn is_less(a: (u128, u128), b: (u128, u128)) -> Option<bool> {
    if a.1 < b.0 {
        return Some(true);
    }
    (a.0 >= b.1).then_some(false)
}

/// Returns a value with `to` bits instead of `from`: truncated, or extended by zeros or copies of
/// the sign. Undefined bits are treated alike.
pub fn resize(sign: Sign, value: Value, from: u32, to: u32) -> Value {
    let bits = Wide.resize(sign, value.bits(), from, to);
    let undefined = Wide.resize(sign, value.undefined_bits(), from, to);
    Value::with_undefined(bits, undefined, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAX: Strictness = Strictness {
        shifts: false,
        signed_overflow: false,
    };
    const OPERATIONS: [Op; 13] = [
        Op::Add,
        Op::Subtract,
        Op::Multiply,
        Op::UnsignedDivide,
        Op::SignedDivide,
        Op::UnsignedRemainder,
        Op::SignedRemainder,
        Op::ShiftLeft,
        Op::LogicalShiftRight,
        Op::ArithmeticShiftRight,
        Op::And,
        Op::Or,
        Op::Xor,
    ];

    fn run(op: Op, left: Word, right: Word) -> Option<Word> {
        binary(op, 4, left, right, PoisonFlags::default(), LAX).ok()
    }

    /// Every value that a four-bit word with undefined bits may stand for.
    fn concrete(word: Word) -> impl Iterator<Item = Word> {
        (0..16).filter_map(move |bits| {
            let known = !word.undefined & 15;
            (bits & known == word.bits & known).then_some(Word::number(bits))
        })
    }

    /// Each pair of defined and undefined bits, once.
    fn words() -> Vec<Word> {
        let all = (0..16u64).flat_map(|bits| (0..16u64).map(move |undefined| (bits, undefined)));
        all.filter(|(bits, undefined)| bits & undefined == 0)
            .map(|(bits, undefined)| Word {
                bits,
                undefined,
                ..Word::default()
            })
            .collect()
    }

    /// A comparison is known exactly if all values of the operands compare alike.
    #[test]
    fn comparisons_are_exact() {
        use Comparison as C;
        let words = words();
        for comparison in [
            C::Equal,
            C::NotEqual,
            C::UnsignedGreater,
            C::UnsignedGreaterEqual,
            C::UnsignedLess,
            C::UnsignedLessEqual,
            C::SignedGreater,
            C::SignedGreaterEqual,
            C::SignedLess,
            C::SignedLessEqual,
        ] {
            for (&left, &right) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
                let result = compare(comparison, 4, left, right);
                let mut all = concrete(left)
                    .flat_map(|a| concrete(right).map(move |b| compare(comparison, 4, a, b)));
                let first = all.next().expect("one");
                let exact = match all.all(|other| other == first) {
                    true => first,
                    false => Word::undefined(1),
                };
                assert_eq!(result, exact, "{comparison:?} {left:?} {right:?}");
            }
        }
    }

    /// Bits that a result claims to know must be right for all values of the operands.
    #[test]
    fn known_bits_are_right() {
        let words = words();
        for op in OPERATIONS {
            for &left in &words {
                for &right in &words {
                    let Some(result) = run(op, left, right) else {
                        continue;
                    };
                    for a in concrete(left) {
                        for b in concrete(right) {
                            let Some(exact) = run(op, a, b) else { continue };
                            let known = !result.undefined & !exact.undefined & 15;
                            assert_eq!(
                                exact.bits & known,
                                result.bits & known,
                                "{op:?} {left:?} {right:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn narrow_and_wide_agree() {
        for op in OPERATIONS {
            for a in 0..16 {
                for b in 0..16 {
                    let narrow = run(op, Word::number(a), Word::number(b));
                    let (left, right) = (Value::number(a as u128), Value::number(b as u128));
                    let wide = binary_wide(op, 4, left, right, PoisonFlags::default(), LAX).ok();
                    assert_eq!(narrow, wide.map(|v| v.low), "{op:?} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn signed_overflow_is_reported_where_asked() {
        let strict = Strictness {
            shifts: true,
            signed_overflow: true,
        };
        let poison_flags = PoisonFlags {
            no_signed_wrap: true,
            ..PoisonFlags::default()
        };
        let run = |a, b| {
            binary(
                Op::Add,
                32,
                Word::number(a),
                Word::number(b),
                poison_flags,
                strict,
            )
        };
        assert!(run(0x7fff_ffff, 1).is_err());
        assert!(run(0x7fff_fffe, 1).is_ok());
        assert!(run(0xffff_ffff, 1).is_ok());
    }
}
