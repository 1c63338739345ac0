//! LLVM's intrinsics that are functions of integers.

use crate::vectors::{Count, Overflow, Sign, Vectors};
use impasse_program::instruction::{BinaryOperation as Op, Intrinsic as I, Scalar};

/// What an intrinsic computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Computed<Vector, Condition> {
    /// The first result.
    pub value: Vector,
    /// The second result, where there is one: whether the exact result does not fit.
    pub overflow: Option<Condition>,
    /// When the first result is poison, where it may be.
    pub poison: Option<Condition>,
}

/// Returns the results of an intrinsic on vectors of `width` bits, or `None` for an intrinsic on
/// floating-point numbers, and where the domain cannot count bits. `arguments` must be as many as
/// the intrinsic takes.
pub fn compute<V: Vectors>(
    v: V,
    intrinsic: I,
    width: u32,
    arguments: &[V::Vector],
) -> Option<Computed<V::Vector, V::Condition>> {
    let of = Integers { v, width };
    let &a = arguments.first()?;
    let b = || arguments[1];
    let value = match intrinsic {
        I::SignedAddOverflow
        | I::UnsignedAddOverflow
        | I::SignedSubtractOverflow
        | I::UnsignedSubtractOverflow
        | I::SignedMultiplyOverflow
        | I::UnsignedMultiplyOverflow => return Some(of.with_overflow(intrinsic, a, b())),
        I::CountLeadingZeros | I::CountTrailingZeros => return of.zeros(intrinsic, a, b()),
        I::Absolute => return Some(of.absolute(a, b())),
        I::SaturatingUnsignedShiftLeft | I::SaturatingSignedShiftLeft => {
            return Some(of.saturating_shift(intrinsic, a, b()));
        }
        I::CountOnes => v.count(Count::Ones, width, a)?,
        I::SwapBytes => of.reverse(a, 8),
        I::ReverseBits => of.reverse(a, 1),
        I::FunnelShiftLeft | I::FunnelShiftRight => of.funnel(intrinsic, a, b(), arguments[2]),
        I::SignedMinimum => v.choose(v.less(Sign::Signed, width, a, b()), a, b()),
        I::SignedMaximum => v.choose(v.less(Sign::Signed, width, b(), a), a, b()),
        I::UnsignedMinimum => v.choose(v.less(Sign::Unsigned, width, a, b()), a, b()),
        I::UnsignedMaximum => v.choose(v.less(Sign::Unsigned, width, b(), a), a, b()),
        I::SaturatingUnsignedAdd => {
            let wraps = v.overflows(Overflow::UnsignedAdd, width, a, b());
            v.choose(wraps, v.constant(!0, width), of.binary(Op::Add, a, b()))
        }
        I::SaturatingUnsignedSubtract => {
            let wraps = v.less(Sign::Unsigned, width, a, b());
            v.choose(wraps, v.constant(0, width), of.binary(Op::Subtract, a, b()))
        }
        I::SaturatingSignedAdd => {
            let wraps = v.overflows(Overflow::SignedAdd, width, a, b());
            v.choose(wraps, of.extreme(a), of.binary(Op::Add, a, b()))
        }
        I::SaturatingSignedSubtract => {
            let wraps = v.overflows(Overflow::SignedSubtract, width, a, b());
            v.choose(wraps, of.extreme(a), of.binary(Op::Subtract, a, b()))
        }
        I::PointerMask => of.binary(Op::And, a, b()),
        I::FloatNegate
        | I::FloatAbsolute
        | I::SquareRoot
        | I::Floor
        | I::Ceiling
        | I::TruncateToIntegral
        | I::RoundTiesToEven
        | I::RoundTiesAway
        | I::RoundCurrent
        | I::CopySign
        | I::MinimumNumber
        | I::MaximumNumber
        | I::Minimum
        | I::Maximum
        | I::FusedMultiplyAdd
        | I::IsFloatClass => return None,
    };
    Some(Computed {
        value,
        overflow: None,
        poison: None,
    })
}

/// Returns `high` and `low` next to each other, shifted by an amount modulo the width: the upper
/// half of the result for a shift to the left, the lower half for one to the right.
pub fn funnel<V: Vectors>(
    v: V,
    intrinsic: I,
    width: u32,
    (high, low): (V::Vector, V::Vector),
    by: V::Vector,
) -> V::Vector {
    Integers { v, width }.funnel(intrinsic, high, low, by)
}

/// Operations on vectors of one width.
struct Integers<V> {
    v: V,
    width: u32,
}

impl<V: Vectors> Integers<V> {
    fn binary(&self, operation: Op, a: V::Vector, b: V::Vector) -> V::Vector {
        self.v.binary(operation, self.width, a, b)
    }

    fn with_overflow(
        &self,
        intrinsic: I,
        a: V::Vector,
        b: V::Vector,
    ) -> Computed<V::Vector, V::Condition> {
        let (v, width) = (self.v, self.width);
        let overflows = |operation| v.overflows(operation, width, a, b);
        let (operation, overflow) = match intrinsic {
            I::SignedAddOverflow => (Op::Add, overflows(Overflow::SignedAdd)),
            I::UnsignedAddOverflow => (Op::Add, overflows(Overflow::UnsignedAdd)),
            I::SignedSubtractOverflow => (Op::Subtract, overflows(Overflow::SignedSubtract)),
            I::UnsignedSubtractOverflow => (Op::Subtract, v.less(Sign::Unsigned, width, a, b)),
            I::SignedMultiplyOverflow => (Op::Multiply, overflows(Overflow::SignedMultiply)),
            _ => (Op::Multiply, overflows(Overflow::UnsignedMultiply)),
        };
        Computed {
            value: self.binary(operation, a, b),
            overflow: Some(overflow),
            poison: None,
        }
    }

    /// Counts zeros; `flag` says that zero gives poison.
    fn zeros(
        &self,
        intrinsic: I,
        a: V::Vector,
        flag: V::Vector,
    ) -> Option<Computed<V::Vector, V::Condition>> {
        let count = match intrinsic {
            I::CountLeadingZeros => Count::LeadingZeros,
            _ => Count::TrailingZeros,
        };
        let v = self.v;
        let zero = v.equal(self.width, a, v.constant(0, self.width));
        Some(Computed {
            value: v.count(count, self.width, a)?,
            overflow: None,
            poison: Some(v.and(self.is_set(flag), zero)),
        })
    }

    /// The magnitude; `flag` says that the least number gives poison.
    fn absolute(&self, a: V::Vector, flag: V::Vector) -> Computed<V::Vector, V::Condition> {
        let (v, width) = (self.v, self.width);
        let zero = v.constant(0, width);
        let negated = self.binary(Op::Subtract, zero, a);
        let least = v.equal(width, a, v.constant(1 << (width - 1), width));
        Computed {
            value: v.choose(v.less(Sign::Signed, width, a, zero), negated, a),
            overflow: None,
            poison: Some(v.and(self.is_set(flag), least)),
        }
    }

    /// Whether the lowest bit is one.
    fn is_set(&self, flag: V::Vector) -> V::Condition {
        let v = self.v;
        v.equal(1, v.extract(flag, 0, 1), v.constant(1, 1))
    }

    /// Shifts, and gives the nearest number that fits where bits are lost.
    fn saturating_shift(
        &self,
        intrinsic: I,
        a: V::Vector,
        by: V::Vector,
    ) -> Computed<V::Vector, V::Condition> {
        let (v, width) = (self.v, self.width);
        let (back, extreme) = match intrinsic {
            I::SaturatingSignedShiftLeft => (Op::ArithmeticShiftRight, self.extreme(a)),
            _ => (Op::LogicalShiftRight, v.constant(!0, width)),
        };
        let shifted = self.binary(Op::ShiftLeft, a, by);
        let fits = v.equal(width, self.binary(back, shifted, by), a);
        let most = v.constant(u128::from(width) - 1, width);
        Computed {
            value: v.choose(fits, shifted, extreme),
            overflow: None,
            poison: Some(v.less(Sign::Unsigned, width, most, by)),
        }
    }

    /// The least number where `a` is negative, elsewhere the greatest.
    fn extreme(&self, a: V::Vector) -> V::Vector {
        let (v, least) = (self.v, 1 << (self.width - 1));
        let negative = v.less(Sign::Signed, self.width, a, v.constant(0, self.width));
        let (least, most) = (
            v.constant(least, self.width),
            v.constant(least - 1, self.width),
        );
        v.choose(negative, least, most)
    }

    /// The parts of so many bits in the opposite order.
    fn reverse(&self, a: V::Vector, bits: u32) -> V::Vector {
        let parts = (1..self.width / bits).map(|n| self.v.extract(a, n * bits, bits));
        parts.fold(self.v.extract(a, 0, bits), |high, low| {
            self.v.concatenate(high, low, bits)
        })
    }

    fn funnel(&self, intrinsic: I, high: V::Vector, low: V::Vector, by: V::Vector) -> V::Vector {
        let (v, width) = (self.v, self.width);
        let size = v.constant(width.into(), width);
        let by = self.binary(Op::UnsignedRemainder, by, size);
        let rest = self.binary(Op::Subtract, size, by);
        let (up, down) = match intrinsic {
            I::FunnelShiftLeft => (by, rest),
            _ => (rest, by),
        };
        // A shift by the width leaves nothing, so an amount of zero needs no case of its own.
        let upper = self.binary(Op::ShiftLeft, high, up);
        let lower = self.binary(Op::LogicalShiftRight, low, down);
        self.binary(Op::Or, upper, lower)
    }
}

/// Returns the type of the argument with an index from 0, where the intrinsic works on `scalar`:
/// flags and masks of classes have one word.
pub const fn argument_scalar(intrinsic: I, index: usize, scalar: Scalar) -> Scalar {
    match intrinsic {
        I::CountLeadingZeros | I::CountTrailingZeros | I::Absolute | I::IsFloatClass
            if index > 0 =>
        {
            Scalar::Integer(32)
        }
        _ => scalar,
    }
}
