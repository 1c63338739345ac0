//! Floating-point numbers: single and double precision by the host, x86's extended format by
//! `rustc_apfloat`.
//!
//! A result is wholly undefined if any bit of an operand is.

use super::Value;
use impasse_program::instruction::{Conversion, FloatComparison, FloatOperation, Scalar};
use impasse_program::word::Word;
use impasse_semantics::numbers::Wide;
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

fn extended(value: Value) -> X87DoubleExtended {
    X87DoubleExtended::from_bits(value.bits() & Wide::mask(80))
}

fn from_extended(value: X87DoubleExtended) -> Value {
    Value::number(value.to_bits())
}

fn single(value: Value) -> f32 {
    f32::from_bits(value.low.bits as u32)
}

fn double(value: Value) -> f64 {
    f64::from_bits(value.low.bits)
}

fn from_single(value: f32) -> Value {
    Value::one(Word::number(value.to_bits() as u64))
}

fn from_double(value: f64) -> Value {
    Value::one(Word::number(value.to_bits()))
}

/// Returns the number that a function gives in the precision of the type; undefined if the operand
/// is.
pub fn unary(
    scalar: Scalar,
    value: Value,
    f32: impl Fn(f32) -> f32,
    f64: impl Fn(f64) -> f64,
    f80: impl Fn(X87DoubleExtended) -> X87DoubleExtended,
) -> Value {
    if !value.is_defined() {
        return Value::undefined(scalar.bits());
    }
    match scalar {
        Scalar::Float => from_single(f32(single(value))),
        Scalar::Double => from_double(f64(double(value))),
        _ => from_extended(f80(extended(value))),
    }
}

/// Returns the result of arithmetic; undefined if an operand is.
pub fn binary(op: FloatOperation, scalar: Scalar, left: Value, right: Value) -> Value {
    if !left.is_defined() || !right.is_defined() {
        return Value::undefined(scalar.bits());
    }
    match scalar {
        Scalar::Float => {
            let (a, b) = (single(left), single(right));
            from_single(match op {
                FloatOperation::Add => a + b,
                FloatOperation::Subtract => a - b,
                FloatOperation::Multiply => a * b,
                FloatOperation::Divide => a / b,
                FloatOperation::Remainder => a % b,
            })
        }
        Scalar::Double => {
            let (a, b) = (double(left), double(right));
            from_double(match op {
                FloatOperation::Add => a + b,
                FloatOperation::Subtract => a - b,
                FloatOperation::Multiply => a * b,
                FloatOperation::Divide => a / b,
                FloatOperation::Remainder => a % b,
            })
        }
        _ => {
            let (a, b) = (extended(left), extended(right));
            from_extended(match op {
                FloatOperation::Add => (a + b).value,
                FloatOperation::Subtract => (a - b).value,
                FloatOperation::Multiply => (a * b).value,
                FloatOperation::Divide => (a / b).value,
                FloatOperation::Remainder => a.c_fmod(b).value,
            })
        }
    }
}

/// Returns how two numbers compare, or `None` if one is not a number.
pub fn order(scalar: Scalar, left: Value, right: Value) -> Option<Ordering> {
    match scalar {
        Scalar::Float => single(left).partial_cmp(&single(right)),
        Scalar::Double => double(left).partial_cmp(&double(right)),
        _ => extended(left).partial_cmp(&extended(right)),
    }
}

/// Returns the result, of one bit, of a comparison; undefined if an operand is.
pub fn compare(comparison: FloatComparison, scalar: Scalar, left: Value, right: Value) -> Word {
    if !left.is_defined() || !right.is_defined() {
        return Word::undefined(1);
    }
    let result = match order(scalar, left, right) {
        None => comparison.unordered,
        Some(Ordering::Equal) => comparison.equal,
        Some(Ordering::Greater) => comparison.greater,
        Some(Ordering::Less) => comparison.less,
    };
    Word::number(result as u64)
}

/// Returns the fused `a * b + c`; undefined if an operand is.
pub fn multiply_add(scalar: Scalar, a: Value, b: Value, c: Value) -> Value {
    if !(a.is_defined() && b.is_defined() && c.is_defined()) {
        return Value::undefined(scalar.bits());
    }
    match scalar {
        Scalar::Float => from_single(single(a).mul_add(single(b), single(c))),
        Scalar::Double => from_double(double(a).mul_add(double(b), double(c))),
        _ => from_extended(extended(a).mul_add(extended(b), extended(c)).value),
    }
}

/// Returns the square root, correctly rounded.
pub fn square_root(value: X87DoubleExtended) -> X87DoubleExtended {
    if value.is_nan() || value.is_zero() || (value.is_infinite() && !value.is_negative()) {
        return value;
    }
    if value.is_negative() {
        return X87DoubleExtended::NAN;
    }
    exact_square_root(value)
}

/// By integers: the significand, scaled so that its root has 64 bits and more, rooted exactly, then
/// rounded once.
fn exact_square_root(value: X87DoubleExtended) -> X87DoubleExtended {
    let normal = value.ilogb();
    let exponent = if normal % 2 == 0 { normal } else { normal - 1 };
    let mantissa = value.scalbn(-exponent);
    let bits = mantissa.scalbn(63).to_u128(128).value;
    let (mut root, wide) = (0u128, bits);
    for bit in (0..66).rev() {
        let candidate = root | 1 << bit;
        if square_at_most(candidate, wide) {
            root = candidate;
        }
    }
    let sticky = !square_is(root, wide);
    let scaled = X87DoubleExtended::from_u128(root << 1 | sticky as u128).value;
    scaled.scalbn(exponent / 2 - 66)
}

/// Whether `root² <= bits · 2^67`, without overflow.
fn square_at_most(root: u128, bits: u128) -> bool {
    compare_square(root, bits) != Ordering::Greater
}

fn square_is(root: u128, bits: u128) -> bool {
    compare_square(root, bits) == Ordering::Equal
}

fn compare_square(root: u128, bits: u128) -> Ordering {
    let (high, low) = (root >> 64, root & Wide::mask(64));
    let low_square = low * low;
    let middle = 2 * high * low + (low_square >> 64);
    let square = (
        high * high + (middle >> 64),
        middle << 64 | low_square & Wide::mask(64),
    );
    let target = (bits >> 61, bits << 67);
    square.cmp(&target)
}

/// Returns a value converted between two types, of which at least one is a floating-point type;
/// undefined if the operand is.
pub fn convert(conversion: Conversion, from: Scalar, to: Scalar, value: Value) -> Value {
    if !value.is_defined() {
        return Value::undefined(to.bits());
    }
    match conversion {
        Conversion::FloatTruncate | Conversion::FloatExtend => change_format(from, to, value),
        Conversion::FloatToSigned => to_integer(from, to.bits(), value, true),
        Conversion::FloatToUnsigned => to_integer(from, to.bits(), value, false),
        Conversion::SignedToFloat => {
            let number = Wide::signed(value.bits(), from.bits());
            match to {
                Scalar::Float => from_single(number as f32),
                Scalar::Double => from_double(number as f64),
                _ => from_extended(X87DoubleExtended::from_i128(number).value),
            }
        }
        _ => match to {
            Scalar::Float => from_single(value.bits() as f32),
            Scalar::Double => from_double(value.bits() as f64),
            _ => from_extended(X87DoubleExtended::from_u128(value.bits()).value),
        },
    }
}

fn change_format(from: Scalar, to: Scalar, value: Value) -> Value {
    let mut loses = false;
    match (from, to) {
        (Scalar::Float, Scalar::Double) => from_double(single(value) as f64),
        (Scalar::Double, Scalar::Float) => from_single(double(value) as f32),
        (Scalar::Float, _) => {
            let number = Single::from_bits(value.bits());
            from_extended(number.convert(&mut loses).value)
        }
        (Scalar::Double, _) => {
            let number = Double::from_bits(value.bits());
            from_extended(number.convert(&mut loses).value)
        }
        (_, Scalar::Float) => {
            let number: Single = extended(value).convert(&mut loses).value;
            Value::number(number.to_bits())
        }
        _ => {
            let number: Double = extended(value).convert(&mut loses).value;
            Value::number(number.to_bits())
        }
    }
}

/// Towards zero; undefined if the number does not fit.
fn to_integer(from: Scalar, width: u32, value: Value, is_signed: bool) -> Value {
    let mut loses = false;
    let number = change_format_to_extended(from, value, &mut loses);
    let mut exact = false;
    let width_bits = width as usize;
    let result = if is_signed {
        let r = number.to_i128_r(width_bits, Round::TowardZero, &mut exact);
        (r.status, r.value as u128)
    } else {
        let r = number.to_u128_r(width_bits, Round::TowardZero, &mut exact);
        (r.status, r.value)
    };
    if result.0.contains(rustc_apfloat::Status::INVALID_OP) {
        return Value::undefined(width);
    }
    Value::number(result.1 & Wide::mask(width))
}

fn change_format_to_extended(from: Scalar, value: Value, loses: &mut bool) -> X87DoubleExtended {
    match from {
        Scalar::Float => Single::from_bits(value.bits()).convert(loses).value,
        Scalar::Double => Double::from_bits(value.bits()).convert(loses).value,
        _ => extended(value),
    }
}

/// Returns whether the number belongs to one of the classes of LLVM's `is.fpclass` mask.
pub fn has_class(scalar: Scalar, value: Value, mask: u64) -> bool {
    let class = match scalar {
        Scalar::Float => class_of(Single::from_bits(value.bits())),
        Scalar::Double => class_of(Double::from_bits(value.bits())),
        _ => class_of(extended(value)),
    };
    mask >> class & 1 == 1
}

/// The bit of LLVM's class mask: signalling, quiet, -inf, -normal, -subnormal, -0, +0, +subnormal,
/// +normal, +inf.
fn class_of<F: Float>(number: F) -> u32 {
    if number.is_signaling() {
        return 0;
    }
    if number.is_nan() {
        return 1;
    }
    let magnitude = if number.is_infinite() {
        3
    } else if number.is_zero() {
        0
    } else if number.is_denormal() {
        1
    } else {
        2
    };
    if number.is_negative() {
        5 - magnitude
    } else {
        6 + magnitude
    }
}

/// Returns the number rounded to an integer.
pub fn round(scalar: Scalar, value: Value, mode: Round) -> Value {
    let f32 = |x: f32| match mode {
        Round::TowardNegative => x.floor(),
        Round::TowardPositive => x.ceil(),
        Round::TowardZero => x.trunc(),
        Round::NearestTiesToAway => x.round(),
        _ => x.round_ties_even(),
    };
    let f64 = |x: f64| match mode {
        Round::TowardNegative => x.floor(),
        Round::TowardPositive => x.ceil(),
        Round::TowardZero => x.trunc(),
        Round::NearestTiesToAway => x.round(),
        _ => x.round_ties_even(),
    };
    unary(scalar, value, f32, f64, |x| x.round_to_integral(mode).value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extended_square_roots() {
        for (number, root) in [(4u128, 2u128), (9, 3), (1 << 62, 1 << 31), (144, 12)] {
            let number = X87DoubleExtended::from_u128(number).value;
            assert_eq!(
                square_root(number),
                X87DoubleExtended::from_u128(root).value
            );
        }
        let two = square_root(X87DoubleExtended::from_u128(2).value);
        let mut loses = false;
        let narrow: Double = two.convert(&mut loses).value;
        assert_eq!(f64::from_bits(narrow.to_bits() as u64), 2f64.sqrt());
    }

    #[test]
    fn conversions_that_do_not_fit_are_undefined() {
        let big = from_double(1e30);
        let to = Scalar::Integer(32);
        let result = convert(Conversion::FloatToSigned, Scalar::Double, to, big);
        assert!(!result.is_defined());
        let result = convert(
            Conversion::FloatToSigned,
            Scalar::Double,
            to,
            from_double(-2.9),
        );
        assert_eq!(result.bits(), 0xffff_fffe);
    }
}
