//! Instructions on integers that have no bounds.
//!
//! What an operation gives is an affine expression, or an unknown of which some inequalities are
//! known; where they depend on signs, the path is divided. A conversion between integer types
//! leaves a number as it is. What has no meaning over integers (the bits of negative numbers, a
//! division by zero) gives any number.

use super::state::{Path, Value};
use crate::affine::Affine;
use crate::concolic::wraps::is_negative;
use impasse_program::instruction::{
    BinaryOperation, Comparison, Intrinsic, Operand, Place, Scalar,
};
use impasse_program::word::mask;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// Paths, each with the number that an operation gives on it.
pub(super) type Results<'s> = Vec<(Path<'s>, Affine)>;

/// Points at which tangents of a square are known.
const TANGENTS: [i32; 7] = [-10, -2, -1, 0, 1, 2, 10];

/// Which sign a constant has whose highest bit is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    Signed,
    Unsigned,
    /// Either.
    Either,
}

/// The numbers that the bits of a constant may be.
pub(super) fn readings(bits: u64, width: u32, reading: Reading) -> Vec<BigInt> {
    let unsigned = bits & mask(width);
    let unused = 64 - width;
    let signed = ((bits << unused) as i64) >> unused;
    match reading {
        _ if signed >= 0 => vec![signed.into()],
        Reading::Signed => vec![signed.into()],
        Reading::Unsigned => vec![unsigned.into()],
        Reading::Either => vec![signed.into(), unsigned.into()],
    }
}

impl<'s> Path<'s> {
    /// An operand as a number. A constant that may be two numbers is any number.
    pub(super) fn number(&mut self, operand: Operand, scalar: Scalar, reading: Reading) -> Affine {
        let value = self.read(operand);
        self.as_number(value, scalar, reading)
    }

    pub(super) fn as_number(&mut self, value: Value, scalar: Scalar, reading: Reading) -> Affine {
        match (value, scalar) {
            (Value::Number(affine), _) => affine,
            (Value::Bits(bits), Scalar::Integer(1)) => Affine::constant(bits & 1),
            (Value::Bits(bits), Scalar::Integer(width)) => {
                match &readings(bits, width.into(), reading)[..] {
                    [one] => Affine::constant(one.clone()),
                    _ => self.fresh(),
                }
            }
            _ => {
                self.is_over = true;
                self.fresh()
            }
        }
    }

    /// The path where an expression is at most zero.
    pub(super) fn at_most_zero(&self, expression: Affine) -> Option<Path<'s>> {
        let mut path = self.clone();
        path.assume(expression).then_some(path)
    }

    /// Assumes that an expression is at most zero; whether it may be.
    pub(super) fn assume(&mut self, expression: Affine) -> bool {
        if expression.is_constant() {
            return !expression.constant.is_positive();
        }
        if !self.known.contains(&expression) {
            self.known.push(expression);
        }
        true
    }

    /// Where it is followed strictly, assumes that a number is not negative. Returns the path where
    /// it is, which is over.
    pub(super) fn without_sign(&mut self, number: &Affine) -> Option<Path<'s>> {
        if !self.is_strict {
            return None;
        }
        let negative = self.at_most_zero(number.shifted(1));
        let is_possible = self.assume(number.times(&(-1).into()));
        // A constant that is negative leaves one path, which is over.
        self.is_over |= !is_possible;
        negative.map(|mut path| {
            path.is_over = true;
            path
        })
    }

    /// The paths on which an expression is negative, zero, and positive.
    pub(super) fn by_sign(&self, a: &Affine) -> [Option<Path<'s>>; 3] {
        let zero = self.at_most_zero(a.clone());
        let minus = a.times(&(-1).into());
        [
            self.at_most_zero(a.shifted(1)),
            zero.and_then(|path| path.at_most_zero(minus.clone())),
            self.at_most_zero(minus.shifted(1)),
        ]
    }

    /// The paths on which a comparison holds, and those on which it does not.
    pub(super) fn compared(
        &self,
        comparison: Comparison,
        (a, b): (&Affine, &Affine),
    ) -> (Vec<Path<'s>>, Vec<Path<'s>>) {
        use Comparison as C;
        let [less, equal, greater] = self.by_sign(&a.subtract(b));
        let list = |paths: [Option<Path<'s>>; 2]| paths.into_iter().flatten().collect();
        // One path where two would say the same.
        let one = |expression: Affine| Vec::from_iter(self.at_most_zero(expression));
        match comparison {
            C::Equal => (Vec::from_iter(equal), list([less, greater])),
            C::NotEqual => (list([less, greater]), Vec::from_iter(equal)),
            C::UnsignedGreater | C::SignedGreater => (Vec::from_iter(greater), one(a.subtract(b))),
            C::UnsignedGreaterEqual | C::SignedGreaterEqual => {
                (one(b.subtract(a)), Vec::from_iter(less))
            }
            C::UnsignedLess | C::SignedLess => (Vec::from_iter(less), one(b.subtract(a))),
            C::UnsignedLessEqual | C::SignedLessEqual => {
                (one(a.subtract(b)), Vec::from_iter(greater))
            }
        }
    }

    /// What a binary operation gives.
    pub(super) fn binary(
        mut self,
        operation: BinaryOperation,
        scalar: Scalar,
        no_signed_wrap: bool,
        (left, right): (Operand, Operand),
    ) -> Results<'s> {
        use BinaryOperation as B;
        let reading = match operation {
            B::SignedDivide | B::SignedRemainder => Reading::Signed,
            B::And | B::Or | B::Xor | B::ShiftLeft | B::ArithmeticShiftRight => Reading::Either,
            _ if no_signed_wrap => Reading::Signed,
            _ => Reading::Unsigned,
        };
        // What subtracts a constant without sign adds one whose highest bit is set.
        let bits = match (right.place(), self.read(right)) {
            (Place::Constant(_), Value::Bits(bits)) => Some(bits),
            _ => None,
        };
        let subtracts = operation == B::Add && bits.is_some_and(|b| is_negative(b, scalar.bits()));
        let a = self.number(left, scalar, reading);
        let b = match subtracts {
            true => self.number(right, scalar, Reading::Signed),
            false => self.number(right, scalar, reading),
        };
        match operation {
            B::Add => vec![(self, a.add(&b))],
            B::Subtract => vec![(self, a.subtract(&b))],
            B::Multiply => self.product(&a, &b),
            B::SignedDivide => self.quotient(&a, &b, false),
            B::SignedRemainder => self.quotient(&a, &b, true),
            B::ShiftLeft | B::ArithmeticShiftRight => self.shifted(operation, scalar, (&a, &b)),
            B::UnsignedDivide | B::UnsignedRemainder | B::LogicalShiftRight => {
                let [below, zero, above] = self.by_sign(&a);
                let mut results = Vec::new();
                for path in zero.into_iter().chain(above) {
                    results.extend(match operation {
                        B::UnsignedDivide => path.quotient(&a, &b, false),
                        B::UnsignedRemainder => path.quotient(&a, &b, true),
                        _ => path.shifted(operation, scalar, (&a, &b)),
                    });
                }
                results.extend(below.map(|mut path| {
                    path.is_over = true;
                    let any = path.fresh();
                    (path, any)
                }));
                results
            }
            B::And | B::Or | B::Xor => self.masked(operation, scalar, (a, b)),
        }
    }

    fn product(mut self, a: &Affine, b: &Affine) -> Results<'s> {
        if a.is_constant() {
            return vec![(self, b.times(&a.constant))];
        }
        if b.is_constant() {
            return vec![(self, a.times(&b.constant))];
        }
        let result = self.fresh();
        if self.is_exact {
            self.products
                .push((self.unknowns - 1, a.clone(), b.clone()));
            return vec![(self, result)];
        }
        if a == b {
            // (a - k)² is not negative.
            for k in TANGENTS {
                let tangent = a.times(&(2 * k).into()).shifted(-k * k);
                self.assume(tangent.subtract(&result));
            }
            return vec![(self, result)];
        }
        let mut results = Vec::new();
        let mut with = |path: Option<Path<'s>>, facts: &[Affine]| {
            let Some(mut path) = path else {
                return;
            };
            if facts.iter().all(|fact| path.assume(fact.clone())) {
                results.push((path, result.clone()));
            }
        };
        let minus = |one: &Affine| one.times(&(-1).into());
        let [negative, zero, positive] = self.by_sign(a);
        with(zero, &[result.clone(), minus(&result)]);
        for (side, is_positive) in [(negative, false), (positive, true)] {
            let Some(side) = side else {
                continue;
            };
            let [negative, zero, positive] = side.by_sign(b);
            with(zero, &[result.clone(), minus(&result)]);
            for (path, other) in [(negative, false), (positive, true)] {
                // The sizes of the factors are at least one, and that of the product is at least
                // each of them, and their sum less one.
                let size = |one: &Affine, is_positive| match is_positive {
                    true => one.clone(),
                    false => minus(one),
                };
                let (a, b) = (size(a, is_positive), size(b, other));
                let product = size(&result, is_positive == other);
                let sum = a.add(&b).shifted(-1);
                with(path, &[a, b, sum].map(|least| least.subtract(&product)));
            }
        }
        results
    }

    /// A quotient, or a remainder, towards zero.
    fn quotient(self, a: &Affine, b: &Affine, is_remainder: bool) -> Results<'s> {
        let minus = |one: &Affine| one.times(&(-1).into());
        let mut results = Vec::new();
        let [below, zero, above] = self.by_sign(b);
        let other = below.into_iter().chain(zero);
        for mut path in other {
            path.is_over = true;
            let any = path.fresh();
            results.push((path, any));
        }
        let Some(above) = above else {
            return results;
        };
        let halves = [
            (above.at_most_zero(a.shifted(1)), minus(a)),
            (above.at_most_zero(minus(a)), a.clone()),
        ];
        for (is_negative, (path, size)) in [true, false].into_iter().zip(halves) {
            let Some(mut path) = path else {
                continue;
            };
            // Of the size of a: 0 <= rest <= b - 1, size = b * quotient + rest.
            let quotient = path.fresh();
            let rest = match b.is_constant() {
                true => size.subtract(&quotient.times(&b.constant)),
                false => path.fresh(),
            };
            if !b.is_constant() && path.is_exact {
                let whole = path.fresh();
                path.products
                    .push((path.unknowns - 1, b.clone(), quotient.clone()));
                let both = whole.add(&rest).subtract(&size);
                path.assume(minus(&both));
                path.assume(both);
            } else if !b.is_constant() {
                // Of a divisor of two or more, half of the size is an upper bound; that of one
                // leaves nothing.
                let mut one = path.clone();
                let is_one = [
                    b.shifted(-1),
                    quotient.subtract(&size),
                    size.subtract(&quotient),
                ];
                let rest = [rest.clone(), minus(&rest)];
                if is_one
                    .into_iter()
                    .chain(rest.clone())
                    .all(|fact| one.assume(fact))
                {
                    let result = if is_remainder { &rest[0] } else { &quotient };
                    results.push((
                        one,
                        if is_negative {
                            minus(result)
                        } else {
                            result.clone()
                        },
                    ));
                }
                path.assume(minus(b).shifted(2));
                path.assume(quotient.times(&2.into()).subtract(&size));
            }
            let facts = [
                minus(&quotient),
                minus(&rest),
                rest.subtract(b).shifted(1),
                rest.subtract(&size),
                quotient.subtract(&size),
            ];
            if !facts.into_iter().all(|fact| path.assume(fact)) {
                continue;
            }
            let result = match is_remainder {
                true => rest,
                false => quotient,
            };
            let result = match is_negative {
                true => minus(&result),
                false => result,
            };
            results.push((path, result));
        }
        results
    }

    fn shifted(
        mut self,
        operation: BinaryOperation,
        scalar: Scalar,
        (a, b): (&Affine, &Affine),
    ) -> Results<'s> {
        let by = b.constant.to_u32().filter(|&by| b.is_constant() && by < 63);
        self.is_over |= by.is_none_or(|by| by >= scalar.bits());
        let Some(by) = by else {
            let any = self.fresh();
            return vec![(self, any)];
        };
        let factor = BigInt::from(1u64 << by);
        if operation == BinaryOperation::ShiftLeft {
            return vec![(self, a.times(&factor))];
        }
        // What is shifted out is not negative, and less than the factor.
        let result = self.fresh();
        let rest = a.subtract(&result.times(&factor));
        self.assume(rest.times(&(-1).into()));
        self.assume(rest.shifted(1).shifted(-factor));
        vec![(self, result)]
    }

    fn masked(
        mut self,
        operation: BinaryOperation,
        scalar: Scalar,
        (a, b): (Affine, Affine),
    ) -> Results<'s> {
        let result = self.fresh();
        if scalar == Scalar::Integer(1) {
            if let (true, true) = (a.is_constant(), b.is_constant()) {
                let (a, b) = (!a.constant.is_zero(), !b.constant.is_zero());
                let holds = match operation {
                    BinaryOperation::And => a && b,
                    BinaryOperation::Or => a || b,
                    _ => a != b,
                };
                return vec![(self, Affine::constant(u8::from(holds)))];
            }
            self.assume(result.shifted(-1));
            self.assume(result.times(&(-1).into()));
            return vec![(self, result)];
        }
        if operation == BinaryOperation::And {
            for mask in [a, b] {
                if mask.is_constant() && !mask.constant.is_negative() {
                    self.assume(result.subtract(&mask));
                    self.assume(result.times(&(-1).into()));
                }
            }
        }
        vec![(self, result)]
    }

    /// What an intrinsic function gives, if that is a number.
    pub(super) fn computed(
        mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        arguments: &[Operand],
    ) -> Results<'s> {
        use Intrinsic as I;
        let reading = match intrinsic {
            I::UnsignedMinimum | I::UnsignedMaximum => Reading::Unsigned,
            _ => Reading::Signed,
        };
        let numbers: Vec<Affine> = arguments
            .iter()
            .map(|&argument| self.number(argument, scalar, reading))
            .collect();
        self.is_over |= reading == Reading::Unsigned;
        let both = |path: Path<'s>, less: Affine, greater: Affine| {
            let difference = numbers[0].subtract(&numbers[1]);
            let one = path.at_most_zero(difference.clone());
            let other = path.at_most_zero(difference.times(&(-1).into()).shifted(1));
            let pairs = [(one, less), (other, greater)];
            let found = pairs
                .into_iter()
                .filter_map(|(path, value)| Some((path?, value)));
            found.collect()
        };
        match intrinsic {
            I::Absolute => {
                let [negative, zero, positive] = self.by_sign(&numbers[0]);
                let minus = numbers[0].times(&(-1).into());
                let pairs = [(negative, &minus), (zero, &minus), (positive, &numbers[0])];
                let found = pairs.into_iter();
                found
                    .filter_map(|(path, value)| Some((path?, value.clone())))
                    .collect()
            }
            I::UnsignedMinimum | I::SignedMinimum => {
                both(self, numbers[0].clone(), numbers[1].clone())
            }
            I::UnsignedMaximum | I::SignedMaximum => {
                both(self, numbers[1].clone(), numbers[0].clone())
            }
            _ => {
                self.is_over = true;
                let any = self.fresh();
                vec![(self, any)]
            }
        }
    }
}
