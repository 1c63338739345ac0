//! Bit vectors that are numbers: [`Narrow`] up to 64 bits, [`Wide`] up to 128. Bits above the width
//! of a vector are zero.

use crate::vectors::{Count, Overflow, Sign, Vectors};
use impasse_program::instruction::BinaryOperation as Op;

/// Vectors of up to 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Narrow;

/// Vectors of up to 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Wide;

macro_rules! numbers {
    ($name:ident, $unsigned:ty, $signed:ty) => {
        impl $name {
            /// Returns a number whose lowest `width` bits are set; all bits if the type has no
            /// more.
            #[inline]
            pub const fn mask(width: u32) -> $unsigned {
                if width >= <$unsigned>::BITS {
                    !0
                } else {
                    (1 << width) - 1
                }
            }

            /// Returns the lowest `width` bits as a number in two's complement.
            #[inline]
            pub const fn signed(bits: $unsigned, width: u32) -> $signed {
                let shift = <$unsigned>::BITS - if width == 0 { 1 } else { width };
                ((bits << shift) as $signed) >> shift
            }

            /// A shift that gives `beyond` for the width of the host's type or more.
            #[inline(always)]
            fn shift<T>(by: $unsigned, beyond: T, shift: impl FnOnce(u32) -> T) -> T {
                match by < <$unsigned>::BITS as $unsigned {
                    true => shift(by as u32),
                    false => beyond,
                }
            }
        }

        impl Vectors for $name {
            type Vector = $unsigned;
            type Condition = bool;

            #[inline(always)]
            fn constant(self, value: u128, width: u32) -> $unsigned {
                value as $unsigned & Self::mask(width)
            }

            #[inline(always)]
            fn binary(self, operation: Op, width: u32, a: $unsigned, b: $unsigned) -> $unsigned {
                let signed = |bits| Self::signed(bits, width);
                let bits = match operation {
                    Op::Add => a.wrapping_add(b),
                    Op::Subtract => a.wrapping_sub(b),
                    Op::Multiply => a.wrapping_mul(b),
                    Op::And => a & b,
                    Op::Or => a | b,
                    Op::Xor => a ^ b,
                    Op::ShiftLeft => Self::shift(b, 0, |by| a << by),
                    Op::LogicalShiftRight => Self::shift(b, 0, |by| a >> by),
                    Op::ArithmeticShiftRight => {
                        let a = signed(a);
                        Self::shift(b, a >> (<$unsigned>::BITS - 1), |by| a >> by) as $unsigned
                    }
                    Op::UnsignedDivide => a.checked_div(b).unwrap_or(!0),
                    Op::UnsignedRemainder => a.checked_rem(b).unwrap_or(a),
                    Op::SignedDivide if b == 0 => match signed(a) < 0 {
                        true => 1,
                        false => !0,
                    },
                    Op::SignedDivide => signed(a).wrapping_div(signed(b)) as $unsigned,
                    Op::SignedRemainder if b == 0 => a,
                    Op::SignedRemainder => signed(a).wrapping_rem(signed(b)) as $unsigned,
                };
                bits & Self::mask(width)
            }

            #[inline(always)]
            fn equal(self, _: u32, a: $unsigned, b: $unsigned) -> bool {
                a == b
            }

            #[inline(always)]
            fn less(self, sign: Sign, width: u32, a: $unsigned, b: $unsigned) -> bool {
                match sign {
                    Sign::Unsigned => a < b,
                    Sign::Signed => Self::signed(a, width) < Self::signed(b, width),
                }
            }

            #[inline(always)]
            fn at_most(self, sign: Sign, width: u32, a: $unsigned, b: $unsigned) -> bool {
                match sign {
                    Sign::Unsigned => a <= b,
                    Sign::Signed => Self::signed(a, width) <= Self::signed(b, width),
                }
            }

            #[inline(always)]
            fn overflows(self, of: Overflow, width: u32, a: $unsigned, b: $unsigned) -> bool {
                let (sa, sb) = (Self::signed(a, width), Self::signed(b, width));
                let signed = |exact: Option<$signed>| {
                    exact.is_none_or(|e| Self::signed(e as $unsigned, width) != e)
                };
                let unsigned =
                    |exact: Option<$unsigned>| exact.is_none_or(|e| e > Self::mask(width));
                match of {
                    Overflow::SignedAdd => signed(sa.checked_add(sb)),
                    Overflow::SignedSubtract => signed(sa.checked_sub(sb)),
                    Overflow::SignedMultiply => signed(sa.checked_mul(sb)),
                    Overflow::UnsignedAdd => unsigned(a.checked_add(b)),
                    Overflow::UnsignedMultiply => unsigned(a.checked_mul(b)),
                }
            }

            #[inline(always)]
            fn and(self, one: bool, other: bool) -> bool {
                one && other
            }

            #[inline(always)]
            fn not(self, condition: bool) -> bool {
                !condition
            }

            #[inline(always)]
            fn choose(self, condition: bool, yes: $unsigned, no: $unsigned) -> $unsigned {
                if condition { yes } else { no }
            }

            #[inline(always)]
            fn extract(self, of: $unsigned, low: u32, width: u32) -> $unsigned {
                of >> low & Self::mask(width)
            }

            #[inline(always)]
            fn concatenate(self, high: $unsigned, low: $unsigned, low_width: u32) -> $unsigned {
                high << low_width | low
            }

            #[inline(always)]
            fn resize(self, sign: Sign, of: $unsigned, from: u32, to: u32) -> $unsigned {
                let bits = match sign {
                    Sign::Unsigned => of,
                    Sign::Signed => Self::signed(of, from) as $unsigned,
                };
                bits & Self::mask(to)
            }

            #[inline(always)]
            fn count(self, what: Count, width: u32, of: $unsigned) -> Option<$unsigned> {
                let count = match what {
                    Count::Ones => of.count_ones(),
                    Count::LeadingZeros => of.leading_zeros() - (<$unsigned>::BITS - width),
                    Count::TrailingZeros => of.trailing_zeros().min(width),
                };
                Some(count as $unsigned & Self::mask(width))
            }
        }
    };
}

numbers!(Narrow, u64, i64);
numbers!(Wide, u128, i128);
