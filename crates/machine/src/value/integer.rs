//! Integer arithmetic and comparison, with undefined bits followed through each operation.
//!
//! A result bit is undefined only if it can depend on an undefined bit of an operand: exactly for
//! the bitwise operations, shifts by defined amounts and comparisons, and conservatively
//! (everything above the lowest undefined bit) for sums and products.

use super::{Value, mask128, signed, signed128};
use crate::base::fault::ErrorKind;
use impasse_program::instruction::{BinaryOperation as Op, Comparison, PoisonFlags};
use impasse_program::word::{Word, mask};

/// Which broken promises are errors; elsewhere the result is undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strictness {
    /// Shifts by the width or more.
    pub shifts: bool,
    /// Signed overflow.
    pub signed_overflow: bool,
}

/// What an operation gives: a value, or the kind of error and what happened.
pub type Outcome<T> = Result<T, (ErrorKind, String)>;

/// `left op right` on words of `width` bits that are numbers.
#[inline]
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
    let (a, b) = (left.bits, right.bits);
    let bits = match op {
        Op::Add => a.wrapping_add(b),
        Op::Subtract => a.wrapping_sub(b),
        Op::Multiply => a.wrapping_mul(b),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::ShiftLeft | Op::LogicalShiftRight | Op::ArithmeticShiftRight if b >= width as u64 => {
            return oversized_shift(b as u128, width, strict).map(|v| v.low);
        }
        Op::ShiftLeft => a << b,
        Op::LogicalShiftRight => a >> b,
        Op::ArithmeticShiftRight => (signed(a, width) >> b) as u64,
        Op::UnsignedDivide | Op::UnsignedRemainder if b == 0 => return by_zero(op),
        Op::UnsignedDivide => a / b,
        Op::UnsignedRemainder => a % b,
        Op::SignedDivide | Op::SignedRemainder => {
            let (a, b) = (signed(a, width), signed(b, width));
            if b == 0 {
                return by_zero(op);
            }
            if b == -1 && a == signed(1 << (width - 1), width) {
                return division_overflows(a as i128);
            }
            match op {
                Op::SignedDivide => (a / b) as u64,
                _ => (a % b) as u64,
            }
        }
    };
    if poison_flags.no_signed_wrap && strict.signed_overflow {
        let exact = exact_signed(op, signed(a, width) as i128, signed(b, width) as i128);
        if exact.is_some_and(|e| e != signed(bits, width) as i128) {
            return overflow(
                op,
                signed(a, width) as i128,
                signed(b, width) as i128,
                width,
            );
        }
    }
    Ok(Word::number(bits & mask(width)))
}

/// The same for any width up to 128.
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
    let (a, b) = (left.bits(), right.bits());
    let (sa, sb) = (signed128(a, width), signed128(b, width));
    let bits = match op {
        Op::Add => a.wrapping_add(b),
        Op::Subtract => a.wrapping_sub(b),
        Op::Multiply => a.wrapping_mul(b),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::ShiftLeft | Op::LogicalShiftRight | Op::ArithmeticShiftRight if b >= width as u128 => {
            return oversized_shift(b, width, strict);
        }
        Op::ShiftLeft => a << b,
        Op::LogicalShiftRight => a >> b,
        Op::ArithmeticShiftRight => (sa >> b) as u128,
        _ if b == 0 => return by_zero(op),
        Op::UnsignedDivide => a / b,
        Op::UnsignedRemainder => a % b,
        _ if sb == -1 && sa == signed128(1 << (width - 1), width) => return division_overflows(sa),
        Op::SignedDivide => (sa / sb) as u128,
        Op::SignedRemainder => (sa % sb) as u128,
    };
    if poison_flags.no_signed_wrap && strict.signed_overflow {
        let wraps = match op {
            Op::Add => sa.checked_add(sb).map(|e| e != signed128(bits, width)),
            Op::Subtract => sa.checked_sub(sb).map(|e| e != signed128(bits, width)),
            Op::Multiply => sa.checked_mul(sb).map(|e| e != signed128(bits, width)),
            _ => Some(false),
        };
        if wraps != Some(false) {
            return overflow(op, sa, sb, width);
        }
    }
    Ok(Value::number(bits & mask128(width)))
}

fn exact_signed(op: Op, a: i128, b: i128) -> Option<i128> {
    match op {
        Op::Add => Some(a + b),
        Op::Subtract => Some(a - b),
        Op::Multiply => Some(a * b),
        Op::ShiftLeft => Some(a << b),
        _ => None,
    }
}

#[cold]
fn overflow<T>(op: Op, a: i128, b: i128, width: u32) -> Outcome<T> {
    let sign = match op {
        Op::Add => "+",
        Op::Subtract => "-",
        Op::Multiply => "*",
        _ => "<<",
    };
    let message = format!("{a} {sign} {b} does not fit into {width} bits");
    Err((ErrorKind::SignedOverflow, message))
}

#[cold]
fn by_zero<T>(op: Op) -> Outcome<T> {
    let what = match op {
        Op::UnsignedDivide | Op::SignedDivide => "division by zero",
        _ => "remainder of a division by zero",
    };
    Err((ErrorKind::DivisionByZero, what.into()))
}

#[cold]
fn division_overflows<T>(a: i128) -> Outcome<T> {
    let message = format!("dividing {a} by -1 overflows");
    Err((ErrorKind::DivisionByZero, message))
}

#[cold]
fn oversized_shift(by: u128, width: u32, strict: Strictness) -> Outcome<Value> {
    if !strict.shifts {
        return Ok(Value::undefined(width));
    }
    let message = format!("a value of {width} bits is shifted by {by}");
    Err((ErrorKind::InvalidShift, message))
}

/// Operations of which an operand has undefined bits.
#[cold]
fn binary_undefined(op: Op, width: u32, left: Value, right: Value) -> Outcome<Value> {
    let (a, b) = (left.bits(), right.bits());
    let (ua, ub) = (left.undefined_bits(), right.undefined_bits());
    let known_shift = ub == 0 && b < width as u128;
    let (bits, undefined) = match op {
        // A bit is known if both are, or if one is known to be 0.
        Op::And => (a & b, (ua | ub) & !(!ua & !a) & !(!ub & !b)),
        // A bit is known if both are, or if one is known to be 1.
        Op::Or => (a | b, (ua | ub) & !(a & !ua) & !(b & !ub)),
        Op::Xor => (a ^ b, ua | ub),
        // A bit depends on none above it.
        Op::Add | Op::Subtract | Op::Multiply => {
            let lowest = (ua | ub).trailing_zeros();
            let result = match op {
                Op::Add => a.wrapping_add(b),
                Op::Subtract => a.wrapping_sub(b),
                _ => a.wrapping_mul(b),
            };
            (result, !mask128(lowest))
        }
        Op::ShiftLeft if known_shift => (a << b, ua << b),
        Op::LogicalShiftRight if known_shift => (a >> b, ua >> b),
        Op::ArithmeticShiftRight if known_shift => (
            (signed128(a, width) >> b) as u128,
            (signed128(ua, width) >> b) as u128,
        ),
        Op::UnsignedDivide | Op::SignedDivide | Op::UnsignedRemainder | Op::SignedRemainder
            if ub != 0 =>
        {
            let message = "a divisor is undefined";
            return Err((ErrorKind::UndefinedValue, message.into()));
        }
        _ => (0, !0),
    };
    Ok(Value::with_undefined(bits, undefined, width))
}

/// Compares words of `width` bits; the result is one bit.
#[inline]
pub fn compare(comparison: Comparison, width: u32, left: Word, right: Word) -> Word {
    if left.undefined | right.undefined != 0 {
        return compare_undefined(comparison, width, Value::one(left), Value::one(right));
    }
    let (a, b) = (left.bits, right.bits);
    let result = match comparison {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::UnsignedGreater => a > b,
        Comparison::UnsignedGreaterEqual => a >= b,
        Comparison::UnsignedLess => a < b,
        Comparison::UnsignedLessEqual => a <= b,
        Comparison::SignedGreater => signed(a, width) > signed(b, width),
        Comparison::SignedGreaterEqual => signed(a, width) >= signed(b, width),
        Comparison::SignedLess => signed(a, width) < signed(b, width),
        Comparison::SignedLessEqual => signed(a, width) <= signed(b, width),
    };
    Word::number(result as u64)
}

/// The same for any width up to 128.
pub fn compare_wide(comparison: Comparison, width: u32, left: Value, right: Value) -> Word {
    if !left.is_defined() || !right.is_defined() {
        return compare_undefined(comparison, width, left, right);
    }
    let (a, b) = (left.bits(), right.bits());
    let (sa, sb) = (signed128(a, width), signed128(b, width));
    let result = match comparison {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::UnsignedGreater => a > b,
        Comparison::UnsignedGreaterEqual => a >= b,
        Comparison::UnsignedLess => a < b,
        Comparison::UnsignedLessEqual => a <= b,
        Comparison::SignedGreater => sa > sb,
        Comparison::SignedGreaterEqual => sa >= sb,
        Comparison::SignedLess => sa < sb,
        Comparison::SignedLessEqual => sa <= sb,
    };
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
    let undefined = value.undefined_bits() & mask128(width);
    let top = if signed { 1 << (width - 1) } else { 0 };
    let least = (value.bits() & mask128(width) ^ top) & !undefined;
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

/// Sign extension of possibly undefined bits.
pub fn sign_extend(value: Value, from: u32, to: u32) -> Value {
    let bits = signed128(value.bits(), from) as u128;
    let undefined = signed128(value.undefined_bits(), from) as u128;
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
