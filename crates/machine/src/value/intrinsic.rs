//! LLVM's intrinsics that are functions of scalars.

use super::{Value, float, integer};
use crate::base::fault::ErrorKind;
use impasse_program::instruction::{
    BinaryOperation, Comparison, Intrinsic as I, PoisonFlags, Scalar,
};
use impasse_program::word::Word;
use impasse_semantics::intrinsic as integers;
use impasse_semantics::numbers::Wide;
use rustc_apfloat::Round;
use smallvec::SmallVec;

/// Returns the result of an intrinsic, and its overflow flag if it has one. Fails on undefined
/// behaviour.
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
    if let I::IsFloatClass = intrinsic {
        let result = float::has_class(scalar, arguments[0], arguments[1].bits() as u64);
        return Ok((Value::number(result as u128), None));
    }
    let numbers: SmallVec<[u128; 3]> = arguments.iter().map(|value| value.bits()).collect();
    let computed = integers::compute(Wide, intrinsic, width, &numbers)
        .expect("every other intrinsic is one on integers");
    let flag = computed.overflow.map(|wraps| Word::number(wraps as u64));
    match computed.poison {
        Some(true) => Ok((Value::undefined(width), flag)),
        _ => Ok((Value::number(computed.value), flag)),
    }
}

/// Operations that make sense although some bits are undefined; otherwise the result is wholly
/// undefined.
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
    let result = match intrinsic {
        I::SwapBytes | I::ReverseBits => {
            let moved = |bits| integers::compute(Wide, intrinsic, width, &[bits]).map(|c| c.value);
            let (bits, undefined) = (moved(value.bits()), moved(value.undefined_bits()));
            Value::with_undefined(bits.unwrap_or(0), undefined.unwrap_or(!0), width)
        }
        I::CountLeadingZeros | I::CountTrailingZeros => zeros(intrinsic, width, value),
        I::UnsignedMinimum | I::UnsignedMaximum | I::SignedMinimum | I::SignedMaximum => {
            extreme_integer(intrinsic, width, value, arguments[1])
        }
        I::FunnelShiftLeft | I::FunnelShiftRight if arguments[2].is_defined() => {
            let (low, by) = (arguments[1], arguments[2].bits());
            let shifted = |high, low| integers::funnel(Wide, intrinsic, width, (high, low), by);
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
