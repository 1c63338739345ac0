//! LLVM's intrinsics that are functions of scalars.

use super::{Value, float, integer, mask128, signed128};
use crate::base::fault::ErrorKind;
use impasse_program::instruction::{
    BinaryOperation, Comparison, Intrinsic as I, PoisonFlags, Scalar,
};
use impasse_program::word::Word;
use rustc_apfloat::Round;

/// The result, and for those that have one the flag behind it.
pub fn compute(
    intrinsic: I,
    scalar: Scalar,
    arguments: &[Value],
) -> integer::Outcome<(Value, Option<Word>)> {
    if let Some(value) = of_floats(intrinsic, scalar, arguments) {
        return Ok((value, None));
    }
    if arguments.iter().any(|a| !a.is_defined()) {
        return of_undefined(intrinsic, scalar, arguments);
    }
    let width = scalar.bits();
    let argument = |n: usize| arguments.get(n).map_or(0, |v| v.bits());
    let (a, b) = (argument(0), argument(1));
    if let Some((exact, wraps)) = with_overflow(intrinsic, width, a, b) {
        return Ok((Value::number(exact), Some(Word::number(wraps as u64))));
    }
    if let I::IsFloatClass = intrinsic {
        let result = float::has_class(scalar, arguments[0], b as u64);
        return Ok((Value::number(result as u128), None));
    }
    let poison_zero = a == 0 && b & 1 == 1;
    match intrinsic {
        I::CountLeadingZeros | I::CountTrailingZeros if poison_zero => {
            return Ok((Value::undefined(width), None));
        }
        I::Absolute if b & 1 == 1 && a == 1 << (width - 1) => {
            return Ok((Value::undefined(width), None));
        }
        I::FunnelShiftLeft | I::FunnelShiftRight => {
            let bits = funnel(intrinsic, width, a, b, argument(2));
            return Ok((Value::number(bits), None));
        }
        _ => {}
    }
    let bits = of_integers(intrinsic, width, a, b) & mask128(width);
    Ok((Value::number(bits), None))
}

fn of_integers(intrinsic: I, width: u32, a: u128, b: u128) -> u128 {
    let (sa, sb) = (signed128(a, width), signed128(b, width));
    match intrinsic {
        I::CountOnes => a.count_ones() as u128,
        I::CountLeadingZeros => (a.leading_zeros() - (128 - width)) as u128,
        I::CountTrailingZeros => a.trailing_zeros().min(width) as u128,
        I::SwapBytes => a.swap_bytes() >> (128 - width),
        I::ReverseBits => a.reverse_bits() >> (128 - width),
        I::UnsignedMinimum => a.min(b),
        I::UnsignedMaximum => a.max(b),
        I::SignedMinimum => sa.min(sb) as u128,
        I::SignedMaximum => sa.max(sb) as u128,
        I::Absolute => sa.wrapping_abs() as u128,
        I::SaturatingUnsignedAdd => a
            .checked_add(b)
            .map_or(mask128(width), |s| s.min(mask128(width))),
        I::SaturatingUnsignedSubtract => a.saturating_sub(b),
        I::SaturatingSignedAdd => saturate(sa.saturating_add(sb), width),
        I::SaturatingSignedSubtract => saturate(sa.saturating_sub(sb), width),
        I::SaturatingUnsignedShiftLeft if b < width as u128 => {
            if a << b >> b == a && a << b <= mask128(width) {
                a << b
            } else {
                mask128(width)
            }
        }
        I::SaturatingSignedShiftLeft if b < width as u128 => {
            let shifted = signed128(a << b, width);
            if shifted >> b == sa {
                shifted as u128
            } else {
                saturate(if sa < 0 { i128::MIN } else { i128::MAX }, width)
            }
        }
        I::PointerMask => a & b,
        _ => 0,
    }
}

fn saturate(value: i128, width: u32) -> u128 {
    let most = (mask128(width) >> 1) as i128;
    value.clamp(-most - 1, most) as u128
}

fn funnel(intrinsic: I, width: u32, high: u128, low: u128, by: u128) -> u128 {
    let by = (by % width as u128) as u32;
    let rest = width - by;
    let bits = match (intrinsic, by) {
        (I::FunnelShiftLeft, 0) => high,
        (I::FunnelShiftLeft, _) => high << by | low >> rest,
        (_, 0) => low,
        _ => high << rest | low >> by,
    };
    bits & mask128(width)
}

fn with_overflow(intrinsic: I, width: u32, a: u128, b: u128) -> Option<(u128, bool)> {
    let (sa, sb) = (signed128(a, width), signed128(b, width));
    let signed = |exact: Option<i128>, wrapped: i128| {
        let bits = wrapped as u128 & mask128(width);
        (bits, exact != Some(signed128(bits, width)))
    };
    let unsigned = |exact: Option<u128>, wrapped: u128| {
        let bits = wrapped & mask128(width);
        (bits, exact != Some(bits))
    };
    Some(match intrinsic {
        I::SignedAddOverflow => signed(sa.checked_add(sb), sa.wrapping_add(sb)),
        I::SignedSubtractOverflow => signed(sa.checked_sub(sb), sa.wrapping_sub(sb)),
        I::SignedMultiplyOverflow => signed(sa.checked_mul(sb), sa.wrapping_mul(sb)),
        I::UnsignedAddOverflow => unsigned(a.checked_add(b), a.wrapping_add(b)),
        I::UnsignedSubtractOverflow => unsigned(a.checked_sub(b), a.wrapping_sub(b)),
        I::UnsignedMultiplyOverflow => unsigned(a.checked_mul(b), a.wrapping_mul(b)),
        _ => return None,
    })
}

/// Operations that make sense although some bits are undefined; otherwise the result is wholly undefined.
fn of_undefined(
    intrinsic: I,
    scalar: Scalar,
    arguments: &[Value],
) -> integer::Outcome<(Value, Option<Word>)> {
    let width = scalar.bits();
    let flag = match intrinsic {
        I::SignedAddOverflow
        | I::UnsignedAddOverflow
        | I::SignedSubtractOverflow
        | I::UnsignedSubtractOverflow
        | I::SignedMultiplyOverflow
        | I::UnsignedMultiplyOverflow => Some(Word::undefined(1)),
        _ => None,
    };
    let value = arguments[0];
    let map = |f: fn(u128) -> u128| {
        let (bits, undefined) = (f(value.bits()), f(value.undefined_bits()));
        Value::with_undefined(bits >> (128 - width), undefined >> (128 - width), width)
    };
    let result = match intrinsic {
        I::SwapBytes => map(u128::swap_bytes),
        I::ReverseBits => map(u128::reverse_bits),
        I::CountLeadingZeros | I::CountTrailingZeros => zeros(intrinsic, width, value),
        I::UnsignedMinimum | I::UnsignedMaximum | I::SignedMinimum | I::SignedMaximum => {
            extreme_integer(intrinsic, width, value, arguments[1])
        }
        I::FunnelShiftLeft | I::FunnelShiftRight if arguments[2].is_defined() => {
            let (low, by) = (arguments[1], arguments[2].bits());
            let shifted = |high, low| funnel(intrinsic, width, high, low, by);
            let undefined = shifted(value.undefined_bits(), low.undefined_bits());
            Value::with_undefined(shifted(value.bits(), low.bits()), undefined, width)
        }
        I::IsFloatClass => Value::undefined(1),
        I::PointerMask => {
            let poison_flags = PoisonFlags::default();
            let strict = integer::Strictness {
                shifts: false,
                signed_overflow: false,
            };
            integer::binary_wide(
                BinaryOperation::And,
                width,
                value,
                arguments[1],
                poison_flags,
                strict,
            )
            .map_err(|(_, m)| (ErrorKind::UndefinedValue, m))?
        }
        _ => Value::undefined(width),
    };
    Ok((result, flag))
}

/// How many zeros there are before the first one: known if every bit up to it is.
fn zeros(intrinsic: I, width: u32, value: Value) -> Value {
    let ones = value.bits() & !value.undefined_bits();
    let undefined = value.undefined_bits();
    let count = |bits: u128| match intrinsic {
        I::CountLeadingZeros => bits.leading_zeros() - (128 - width),
        _ => bits.trailing_zeros(),
    };
    match ones != 0 && (undefined == 0 || count(ones) < count(undefined)) {
        true => Value::number(count(ones) as u128),
        false => Value::undefined(width),
    }
}

/// The less or the greater of two numbers, if it is known which that is.
fn extreme_integer(intrinsic: I, width: u32, a: Value, b: Value) -> Value {
    let comparison = match intrinsic {
        I::UnsignedMinimum => Comparison::UnsignedLess,
        I::UnsignedMaximum => Comparison::UnsignedGreater,
        I::SignedMinimum => Comparison::SignedLess,
        _ => Comparison::SignedGreater,
    };
    let first = integer::compare_wide(comparison, width, a, b);
    match first.is_defined() {
        true if first.bits == 1 => a,
        true => b,
        false => Value::undefined(width),
    }
}

fn of_floats(intrinsic: I, scalar: Scalar, arguments: &[Value]) -> Option<Value> {
    let a = *arguments.first()?;
    let sign = |value: Value, f: fn(u128, u128) -> u128| {
        let top = 1u128 << (scalar.bits() - 1);
        let bits = f(value.bits(), top);
        if value.is_defined() {
            Value::number(bits)
        } else {
            Value::undefined(scalar.bits())
        }
    };
    Some(match intrinsic {
        I::FloatNegate => sign(a, |bits, top| bits ^ top),
        I::FloatAbsolute => sign(a, |bits, top| bits & !top),
        I::SquareRoot => float::unary(scalar, a, f32::sqrt, f64::sqrt, float::square_root),
        I::Floor => float::round(scalar, a, Round::TowardNegative),
        I::Ceiling => float::round(scalar, a, Round::TowardPositive),
        I::TruncateToIntegral => float::round(scalar, a, Round::TowardZero),
        I::RoundTiesToEven | I::RoundCurrent => float::round(scalar, a, Round::NearestTiesToEven),
        I::RoundTiesAway => float::round(scalar, a, Round::NearestTiesToAway),
        I::CopySign => {
            let b = arguments[1];
            if !a.is_defined() || !b.is_defined() {
                return Some(Value::undefined(scalar.bits()));
            }
            let top = 1u128 << (scalar.bits() - 1);
            Value::number(a.bits() & !top | b.bits() & top)
        }
        I::MinimumNumber | I::MaximumNumber | I::Minimum | I::Maximum => {
            extreme(intrinsic, scalar, a, arguments[1])
        }
        I::FusedMultiplyAdd => float::multiply_add(scalar, a, arguments[1], arguments[2]),
        _ => return None,
    })
}

fn extreme(intrinsic: I, scalar: Scalar, a: Value, b: Value) -> Value {
    if !a.is_defined() || !b.is_defined() {
        return Value::undefined(scalar.bits());
    }
    let is_nan = |v: Value| float::order(scalar, v, v).is_none();
    let numbers_win = matches!(intrinsic, I::MinimumNumber | I::MaximumNumber);
    match (is_nan(a), is_nan(b)) {
        (true, _) => return if numbers_win { b } else { a },
        (_, true) => return if numbers_win { a } else { b },
        _ => {}
    }
    let smaller = matches!(intrinsic, I::MinimumNumber | I::Minimum);
    let negative = a.bits() >> (scalar.bits() - 1) & 1 == 1;
    let first = match float::order(scalar, a, b) {
        Some(std::cmp::Ordering::Less) => smaller,
        Some(std::cmp::Ordering::Greater) => !smaller,
        _ => negative == smaller,
    };
    if first { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u32 = 4;

    /// Each pair of defined and undefined bits, once.
    fn values() -> impl Iterator<Item = Value> + Clone {
        let all = (0..16).flat_map(|bits| (0..16).map(move |undefined| (bits, undefined)));
        all.filter(|(bits, undefined)| bits & undefined == 0)
            .map(|(bits, undefined)| Value::with_undefined(bits, undefined, WIDTH))
    }

    /// Every number that a value may stand for.
    fn concrete(value: Value) -> impl Iterator<Item = Value> {
        let known = !value.undefined_bits() & 15;
        let fits = move |bits: &u128| bits & known == value.bits() & known;
        (0..16).filter(fits).map(Value::number)
    }

    fn run(intrinsic: I, arguments: &[Value]) -> Value {
        let result = compute(intrinsic, Scalar::Integer(WIDTH as u8), arguments);
        result.expect("it is no error").0
    }

    /// What a result claims to know is right for all values of the operands, whatever the last
    /// argument is.
    fn compare_with_concrete(intrinsic: I, last: &[Value]) {
        for (a, b) in values().flat_map(|a| values().map(move |b| (a, b))) {
            let result = run(intrinsic, &[&[a, b], last].concat());
            for (x, y) in concrete(a).flat_map(|x| concrete(b).map(move |y| (x, y))) {
                let exact = run(intrinsic, &[&[x, y], last].concat());
                let known = !result.undefined_bits() & !exact.undefined_bits() & 15;
                let same = exact.bits() & known == result.bits() & known;
                assert!(same, "{intrinsic:?} {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn known_bits_are_right() {
        let intrinsics = [
            I::UnsignedMinimum,
            I::UnsignedMaximum,
            I::SignedMinimum,
            I::SignedMaximum,
            I::SaturatingUnsignedAdd,
            I::SaturatingSignedSubtract,
        ];
        for intrinsic in intrinsics {
            compare_with_concrete(intrinsic, &[]);
        }
        for by in 0..8 {
            compare_with_concrete(I::FunnelShiftLeft, &[Value::number(by)]);
            compare_with_concrete(I::FunnelShiftRight, &[Value::number(by)]);
        }
    }

    /// Zeros are counted exactly if their number is the same for all values.
    #[test]
    fn zeros_are_known_exactly() {
        for intrinsic in [I::CountLeadingZeros, I::CountTrailingZeros] {
            for value in values().filter(|value| !value.is_defined()) {
                let result = run(intrinsic, &[value, Value::number(0)]);
                let mut all = concrete(value).map(|v| run(intrinsic, &[v, Value::number(0)]));
                let first = all.next().expect("one");
                let same = all.all(|other| other == first);
                assert_eq!(result.is_defined(), same, "{intrinsic:?} {value:?}");
                assert!(!same || result == first, "{intrinsic:?} {value:?}");
            }
        }
    }
}
