//! The operations on numbers against arithmetic on unbounded integers, for every width up to 64.

use impasse_program::instruction::{BinaryOperation as Op, Comparison, Intrinsic as I};
use impasse_semantics::arithmetic::{Hazard, compare, distance, hazards};
use impasse_semantics::intrinsic::{self, Computed};
use impasse_semantics::numbers::{Narrow, Wide};
use impasse_semantics::vectors::{Sign, Vectors};
use proptest::prelude::*;

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

const INTRINSICS: [I; 24] = [
    I::CountOnes,
    I::CountLeadingZeros,
    I::CountTrailingZeros,
    I::SwapBytes,
    I::ReverseBits,
    I::FunnelShiftLeft,
    I::FunnelShiftRight,
    I::UnsignedMinimum,
    I::UnsignedMaximum,
    I::SignedMinimum,
    I::SignedMaximum,
    I::Absolute,
    I::SaturatingSignedAdd,
    I::SaturatingUnsignedAdd,
    I::SaturatingSignedSubtract,
    I::SaturatingUnsignedSubtract,
    I::SaturatingUnsignedShiftLeft,
    I::SaturatingSignedShiftLeft,
    I::SignedAddOverflow,
    I::UnsignedAddOverflow,
    I::SignedSubtractOverflow,
    I::UnsignedSubtractOverflow,
    I::SignedMultiplyOverflow,
    I::UnsignedMultiplyOverflow,
];

/// A vector as the numbers that it stands for.
#[derive(Clone, Copy)]
struct Number {
    unsigned: i128,
    signed: i128,
    width: u32,
}

impl Number {
    fn new(bits: u64, width: u32) -> Number {
        let unsigned = i128::from(bits);
        let size = 1i128 << width;
        let negative = unsigned >= size / 2;
        Number {
            unsigned,
            signed: if negative { unsigned - size } else { unsigned },
            width,
        }
    }

    /// The bits of a number of any size.
    fn cut(self, exact: i128) -> u64 {
        exact.rem_euclid(1 << self.width) as u64
    }

    fn fits_signed(self, exact: i128) -> bool {
        exact >= -(1 << (self.width - 1)) && exact < 1 << (self.width - 1)
    }

    fn clamp_signed(self, exact: i128) -> u64 {
        self.cut(exact.clamp(-(1 << (self.width - 1)), (1 << (self.width - 1)) - 1))
    }

    fn clamp_unsigned(self, exact: i128) -> u64 {
        self.cut(exact.clamp(0, (1 << self.width) - 1))
    }
}

/// The result of an operation on unbounded integers, or why there is none.
fn exact(op: Op, a: Number, b: Number) -> Result<u64, Hazard> {
    let by = b.unsigned;
    let too_far = by >= i128::from(a.width);
    Ok(match op {
        Op::Add => a.cut(a.signed + b.signed),
        Op::Subtract => a.cut(a.signed - b.signed),
        Op::Multiply => a.cut(a.signed * b.signed),
        Op::And => a.cut(a.unsigned & b.unsigned),
        Op::Or => a.cut(a.unsigned | b.unsigned),
        Op::Xor => a.cut(a.unsigned ^ b.unsigned),
        Op::ShiftLeft | Op::LogicalShiftRight | Op::ArithmeticShiftRight if too_far => {
            return Err(Hazard::Shift);
        }
        Op::ShiftLeft => a.cut(a.unsigned * (1 << by)),
        Op::LogicalShiftRight => a.cut(a.unsigned.div_euclid(1 << by)),
        Op::ArithmeticShiftRight => a.cut(a.signed.div_euclid(1 << by)),
        _ if by == 0 => return Err(Hazard::DivisionByZero),
        Op::UnsignedDivide => a.cut(a.unsigned / b.unsigned),
        Op::UnsignedRemainder => a.cut(a.unsigned % b.unsigned),
        _ if !a.fits_signed(a.signed / b.signed) => return Err(Hazard::DivisionOverflow),
        Op::SignedDivide => a.cut(a.signed / b.signed),
        Op::SignedRemainder => a.cut(a.signed % b.signed),
    })
}

/// Whether the exact result does not fit, read with sign.
fn overflows(op: Op, a: Number, b: Number) -> bool {
    !a.fits_signed(match op {
        Op::Add => a.signed + b.signed,
        Op::Subtract => a.signed - b.signed,
        Op::Multiply => a.signed * b.signed,
        Op::ShiftLeft => a.signed * (1 << b.unsigned),
        _ => 0,
    })
}

fn first_hazard<V: Vectors<Condition = bool>>(
    v: V,
    op: Op,
    checks: bool,
    width: u32,
    operands: (V::Vector, V::Vector),
) -> Option<Hazard> {
    let mut first = None;
    hazards(v, op, checks, width, operands, |holds, hazard| {
        first = first.or(holds.then_some(hazard));
    });
    first
}

fn check_operations(width: u32, a: u64, b: u64) {
    let (x, y) = (Number::new(a, width), Number::new(b, width));
    for op in OPERATIONS {
        let expected = exact(op, x, y);
        let context = format!("{op:?} {a} {b} of {width} bits");
        let narrow = first_hazard(Narrow, op, false, width, (a, b));
        assert_eq!(narrow, expected.err(), "{context}");
        if let Ok(bits) = expected {
            assert_eq!(Narrow.binary(op, width, a, b), bits, "{context}");
            let checked = first_hazard(Narrow, op, true, width, (a, b));
            let overflow = overflows(op, x, y).then_some(Hazard::Overflow);
            assert_eq!(checked, overflow, "{context}");
        }
        let (c, d) = (u128::from(a), u128::from(b));
        for checks in [false, true] {
            let narrow = first_hazard(Narrow, op, checks, width, (a, b));
            let wide = first_hazard(Wide, op, checks, width, (c, d));
            assert_eq!(narrow, wide, "{context}");
        }
        let narrow = u128::from(Narrow.binary(op, width, a, b));
        assert_eq!(Wide.binary(op, width, c, d), narrow, "{context}");
    }
}

fn check_comparisons(width: u32, a: u64, b: u64) {
    use Comparison as C;
    let (x, y) = (Number::new(a, width), Number::new(b, width));
    let expected = [
        (C::Equal, a == b),
        (C::NotEqual, a != b),
        (C::UnsignedGreater, x.unsigned > y.unsigned),
        (C::UnsignedGreaterEqual, x.unsigned >= y.unsigned),
        (C::UnsignedLess, x.unsigned < y.unsigned),
        (C::UnsignedLessEqual, x.unsigned <= y.unsigned),
        (C::SignedGreater, x.signed > y.signed),
        (C::SignedGreaterEqual, x.signed >= y.signed),
        (C::SignedLess, x.signed < y.signed),
        (C::SignedLessEqual, x.signed <= y.signed),
    ];
    for (comparison, holds) in expected {
        let context = format!("{comparison:?} {a} {b} of {width} bits");
        assert_eq!(compare(Narrow, comparison, width, a, b), holds, "{context}");
        let wide = compare(Wide, comparison, width, a.into(), b.into());
        assert_eq!(wide, holds, "{context}");
    }
}

/// The value and the flag of an intrinsic; `None` where the value is poison.
fn exact_intrinsic(
    intrinsic: I,
    (a, b, c): (Number, Number, Number),
) -> (Option<u64>, Option<bool>) {
    let flag = b.unsigned & 1 == 1;
    let width = i128::from(a.width);
    let bits: Vec<bool> = (0..a.width).map(|n| a.unsigned >> n & 1 == 1).collect();
    let reversed = |part: usize| {
        let mut parts: Vec<&[bool]> = bits.chunks(part).collect();
        parts.reverse();
        let bits = parts.concat();
        (0u32..).zip(bits).map(|(n, bit)| u64::from(bit) << n).sum()
    };
    let zeros = |zeros: usize| (!flag || a.unsigned != 0).then_some(a.cut(zeros as i128));
    let shift = |exact: i128, clamp: u64| match b.unsigned < width {
        false => None,
        true if intrinsic == I::SaturatingSignedShiftLeft && !a.fits_signed(exact) => Some(clamp),
        true if intrinsic == I::SaturatingUnsignedShiftLeft && exact >> width != 0 => Some(clamp),
        true => Some(a.cut(exact)),
    };
    let (signed, unsigned) = (
        |exact| !a.fits_signed(exact),
        |exact: i128| exact >> width != 0,
    );
    let by = c.unsigned % width;
    let value = match intrinsic {
        I::CountOnes => Some(a.cut(bits.iter().filter(|&&bit| bit).count() as i128)),
        I::CountLeadingZeros => zeros(bits.iter().rev().take_while(|&&bit| !bit).count()),
        I::CountTrailingZeros => zeros(bits.iter().take_while(|&&bit| !bit).count()),
        I::SwapBytes => Some(reversed(8)),
        I::ReverseBits => Some(reversed(1)),
        I::FunnelShiftLeft if by == 0 => Some(a.cut(a.unsigned)),
        I::FunnelShiftRight if by == 0 => Some(b.cut(b.unsigned)),
        I::FunnelShiftLeft => Some(a.cut(a.unsigned << by | b.unsigned >> (width - by))),
        I::FunnelShiftRight => Some(a.cut(a.unsigned << (width - by) | b.unsigned >> by)),
        I::UnsignedMinimum => Some(a.cut(a.unsigned.min(b.unsigned))),
        I::UnsignedMaximum => Some(a.cut(a.unsigned.max(b.unsigned))),
        I::SignedMinimum => Some(a.cut(a.signed.min(b.signed))),
        I::SignedMaximum => Some(a.cut(a.signed.max(b.signed))),
        I::Absolute if flag && !a.fits_signed(a.signed.abs()) => None,
        I::Absolute => Some(a.cut(a.signed.abs())),
        I::SaturatingSignedAdd => Some(a.clamp_signed(a.signed + b.signed)),
        I::SaturatingUnsignedAdd => Some(a.clamp_unsigned(a.unsigned + b.unsigned)),
        I::SaturatingSignedSubtract => Some(a.clamp_signed(a.signed - b.signed)),
        I::SaturatingUnsignedSubtract => Some(a.clamp_unsigned(a.unsigned - b.unsigned)),
        I::SaturatingUnsignedShiftLeft => shift(
            a.unsigned << b.unsigned.min(63),
            a.clamp_unsigned(i128::MAX),
        ),
        I::SaturatingSignedShiftLeft => {
            let exact = a.signed * (1 << b.unsigned.min(63));
            shift(exact, a.clamp_signed(exact))
        }
        I::SignedAddOverflow | I::UnsignedAddOverflow => Some(a.cut(a.signed + b.signed)),
        I::SignedSubtractOverflow | I::UnsignedSubtractOverflow => Some(a.cut(a.signed - b.signed)),
        _ => Some(a.cut(a.signed * b.signed)),
    };
    let overflow = match intrinsic {
        I::SignedAddOverflow => Some(signed(a.signed + b.signed)),
        I::UnsignedAddOverflow => Some(unsigned(a.unsigned + b.unsigned)),
        I::SignedSubtractOverflow => Some(signed(a.signed - b.signed)),
        I::UnsignedSubtractOverflow => Some(a.unsigned < b.unsigned),
        I::SignedMultiplyOverflow => Some(signed(a.signed * b.signed)),
        // The product of two numbers of 64 bits does not fit the host's signed type.
        I::UnsignedMultiplyOverflow => {
            let product = a.unsigned as u128 * b.unsigned as u128;
            Some(product >> a.width != 0)
        }
        _ => None,
    };
    (value, overflow)
}

fn check_intrinsics(width: u32, a: u64, b: u64, c: u64) {
    let numbers = [a, b, c].map(|bits| Number::new(bits, width));
    for intrinsic in INTRINSICS {
        if intrinsic == I::SwapBytes && !width.is_multiple_of(16) {
            continue;
        }
        let context = format!("{intrinsic:?} {a} {b} {c} of {width} bits");
        let (value, overflow) = exact_intrinsic(intrinsic, (numbers[0], numbers[1], numbers[2]));
        let narrow = intrinsic::compute(Narrow, intrinsic, width, &[a, b, c]).expect("integers");
        let poison = narrow.poison.unwrap_or(false);
        assert_eq!((!poison).then_some(narrow.value), value, "{context}");
        assert_eq!(narrow.overflow, overflow, "{context}");
        let arguments = [a, b, c].map(u128::from);
        let wide = intrinsic::compute(Wide, intrinsic, width, &arguments).expect("integers");
        let same = Computed {
            value: narrow.value.into(),
            overflow,
            poison: narrow.poison,
        };
        assert_eq!(wide, same, "{context}");
    }
}

fn check_sizes(width: u32, a: u64, to: u32, scale: u64) {
    let (number, wide) = (Number::new(a, width), Number::new(0, to));
    let signed = Narrow.resize(Sign::Signed, a, width, to);
    assert_eq!(
        signed,
        wide.cut(number.signed),
        "{a} of {width} bits to {to}"
    );
    let unsigned = Narrow.resize(Sign::Unsigned, a, width, to);
    assert_eq!(
        unsigned,
        wide.cut(number.unsigned),
        "{a} of {width} bits to {to}"
    );
    let expected = (number.signed as i64).wrapping_mul(scale as i64) as u64;
    assert_eq!(
        distance(Narrow, a, width, scale),
        expected,
        "{a} of {width} bits by {scale}"
    );
}

fn check(width: u32, a: u64, b: u64, c: u64) {
    check_operations(width, a, b);
    check_comparisons(width, a, b);
    check_intrinsics(width, a, b, c);
}

#[test]
fn small_widths_exhaustively() {
    for width in 1..=4 {
        let all = 0..1u64 << width;
        for (a, b) in all.clone().flat_map(|a| all.clone().map(move |b| (a, b))) {
            all.clone().for_each(|c| check(width, a, b, c));
            (1..=8).for_each(|to| check_sizes(width, a, to, b));
        }
    }
}

/// Numbers near those where something changes: zero, the extremes, the width.
fn operand(width: u32) -> impl Strategy<Value = u64> {
    let mask = Narrow::mask(width);
    let near = prop_oneof![
        Just(0),
        Just(1 << (width - 1)),
        Just(u64::from(width)),
        (0..width).prop_map(|n| 1 << n)
    ];
    let near = (near, 0..5u64).prop_map(|(base, by)| base.wrapping_add(by).wrapping_sub(2));
    prop_oneof![near, any::<u64>()].prop_map(move |bits| bits & mask)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn all_widths(
        (width, a, b, c) in (1..=64u32).prop_flat_map(|width| {
            (Just(width), operand(width), operand(width), operand(width))
        }),
        to in 1..=64u32,
        scale in any::<u64>(),
    ) {
        check(width, a, b, c);
        check_sizes(width, a, to, scale);
    }
}
