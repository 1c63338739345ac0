//! Terms as the vectors on which `impasse_semantics` defines what instructions compute.

use crate::term::{Binary, Term, Terms, Test};
use impasse_program::instruction::{BinaryOperation, Comparison, Intrinsic};
use impasse_semantics::arithmetic::{self, Hazard};
use impasse_semantics::intrinsic::{self, Computed};
use impasse_semantics::vectors::{Count, Overflow, Sign, Vectors};

/// Vectors that are terms; a condition is a vector of one bit. A term stores its width.
#[derive(Clone, Copy)]
pub struct OnTerms<'t>(pub &'t Terms);

fn narrow(width: u32) -> u8 {
    u8::try_from(width).expect("a scalar has at most 128 bits")
}

impl Vectors for OnTerms<'_> {
    type Vector = Term;
    type Condition = Term;

    fn constant(self, value: u128, width: u32) -> Term {
        self.0.constant(value, narrow(width))
    }

    fn binary(self, operation: BinaryOperation, _: u32, left: Term, right: Term) -> Term {
        self.0.binary(of_program(operation), left, right)
    }

    fn equal(self, _: u32, left: Term, right: Term) -> Term {
        self.0.equal(left, right)
    }

    fn less(self, sign: Sign, _: u32, left: Term, right: Term) -> Term {
        let test = match sign {
            Sign::Unsigned => Test::UnsignedLess,
            Sign::Signed => Test::SignedLess,
        };
        self.0.test(test, left, right)
    }

    fn at_most(self, sign: Sign, _: u32, left: Term, right: Term) -> Term {
        let test = match sign {
            Sign::Unsigned => Test::UnsignedLessEqual,
            Sign::Signed => Test::SignedLessEqual,
        };
        self.0.test(test, left, right)
    }

    fn overflows(self, operation: Overflow, _: u32, left: Term, right: Term) -> Term {
        let test = match operation {
            Overflow::SignedAdd => Test::SignedAddOverflow,
            Overflow::UnsignedAdd => Test::UnsignedAddOverflow,
            Overflow::SignedSubtract => Test::SignedSubtractOverflow,
            Overflow::SignedMultiply => Test::SignedMultiplyOverflow,
            Overflow::UnsignedMultiply => Test::UnsignedMultiplyOverflow,
        };
        self.0.test(test, left, right)
    }

    fn and(self, one: Term, other: Term) -> Term {
        self.0.and(one, other)
    }

    fn not(self, condition: Term) -> Term {
        self.0.not(condition)
    }

    fn choose(self, condition: Term, yes: Term, no: Term) -> Term {
        self.0.choose(condition, yes, no)
    }

    fn extract(self, of: Term, low: u32, width: u32) -> Term {
        self.0.extract(of, narrow(low), narrow(width))
    }

    fn concatenate(self, high: Term, low: Term, _: u32) -> Term {
        self.0.concatenate(high, low)
    }

    fn resize(self, sign: Sign, of: Term, _: u32, to: u32) -> Term {
        match sign {
            Sign::Unsigned => self.0.resize_unsigned(of, narrow(to)),
            Sign::Signed => self.0.resize_signed(of, narrow(to)),
        }
    }

    fn count(self, what: Count, _: u32, of: Term) -> Option<Term> {
        Some(match what {
            Count::Ones => self.0.count_ones(of),
            Count::LeadingZeros => self.0.leading_zeros(of),
            Count::TrailingZeros => self.0.trailing_zeros(of),
        })
    }
}

fn of_program(operation: BinaryOperation) -> Binary {
    use BinaryOperation as Op;
    match operation {
        Op::Add => Binary::Add,
        Op::Subtract => Binary::Subtract,
        Op::Multiply => Binary::Multiply,
        Op::UnsignedDivide => Binary::UnsignedDivide,
        Op::SignedDivide => Binary::SignedDivide,
        Op::UnsignedRemainder => Binary::UnsignedRemainder,
        Op::SignedRemainder => Binary::SignedRemainder,
        Op::ShiftLeft => Binary::ShiftLeft,
        Op::LogicalShiftRight => Binary::LogicalShiftRight,
        Op::ArithmeticShiftRight => Binary::ArithmeticShiftRight,
        Op::And => Binary::And,
        Op::Or => Binary::Or,
        Op::Xor => Binary::Xor,
    }
}

impl OnTerms<'_> {
    fn width(self, term: Term) -> u32 {
        self.0.width(term).into()
    }

    /// Returns the result of an operation, whatever it is where the operation is undefined.
    pub fn arithmetic(self, operation: BinaryOperation, left: Term, right: Term) -> Term {
        self.binary(operation, self.width(left), left, right)
    }

    /// Returns the conditions under which an operation is undefined.
    pub fn hazards(
        self,
        operation: BinaryOperation,
        checks_overflow: bool,
        left: Term,
        right: Term,
    ) -> Vec<(Term, Hazard)> {
        let mut found = Vec::new();
        arithmetic::hazards(
            self,
            operation,
            checks_overflow,
            self.width(left),
            (left, right),
            |condition, hazard| found.push((condition, hazard)),
        );
        found
    }

    /// Returns whether a comparison holds.
    pub fn compare(self, comparison: Comparison, left: Term, right: Term) -> Term {
        arithmetic::compare(self, comparison, self.width(left), left, right)
    }

    /// Returns the address an index away from another.
    pub fn indexed(self, base: Term, index: Term, scale: u64) -> Term {
        let distance = arithmetic::distance(self, index, self.width(index), scale);
        self.0.add(base, distance)
    }

    /// Returns the results of an intrinsic, or `None` where terms do not follow it.
    pub fn compute(
        self,
        intrinsic: Intrinsic,
        arguments: &[Term],
        width: u8,
    ) -> Option<Computed<Term, Term>> {
        intrinsic::compute(self, intrinsic, width.into(), arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Values;
    use impasse_semantics::numbers::{Narrow, Wide};
    use proptest::prelude::*;

    const OPERATIONS: [BinaryOperation; 13] = [
        BinaryOperation::Add,
        BinaryOperation::Subtract,
        BinaryOperation::Multiply,
        BinaryOperation::UnsignedDivide,
        BinaryOperation::SignedDivide,
        BinaryOperation::UnsignedRemainder,
        BinaryOperation::SignedRemainder,
        BinaryOperation::ShiftLeft,
        BinaryOperation::LogicalShiftRight,
        BinaryOperation::ArithmeticShiftRight,
        BinaryOperation::And,
        BinaryOperation::Or,
        BinaryOperation::Xor,
    ];

    const COMPARISONS: [Comparison; 10] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::UnsignedGreater,
        Comparison::UnsignedGreaterEqual,
        Comparison::UnsignedLess,
        Comparison::UnsignedLessEqual,
        Comparison::SignedGreater,
        Comparison::SignedGreaterEqual,
        Comparison::SignedLess,
        Comparison::SignedLessEqual,
    ];

    /// Those that terms follow, and those that they could.
    const INTRINSICS: [Intrinsic; 24] = [
        Intrinsic::CountOnes,
        Intrinsic::CountLeadingZeros,
        Intrinsic::CountTrailingZeros,
        Intrinsic::SwapBytes,
        Intrinsic::ReverseBits,
        Intrinsic::FunnelShiftLeft,
        Intrinsic::FunnelShiftRight,
        Intrinsic::UnsignedMinimum,
        Intrinsic::UnsignedMaximum,
        Intrinsic::SignedMinimum,
        Intrinsic::SignedMaximum,
        Intrinsic::Absolute,
        Intrinsic::SaturatingSignedAdd,
        Intrinsic::SaturatingUnsignedAdd,
        Intrinsic::SaturatingSignedSubtract,
        Intrinsic::SaturatingUnsignedSubtract,
        Intrinsic::SaturatingUnsignedShiftLeft,
        Intrinsic::SaturatingSignedShiftLeft,
        Intrinsic::SignedAddOverflow,
        Intrinsic::UnsignedAddOverflow,
        Intrinsic::SignedSubtractOverflow,
        Intrinsic::UnsignedSubtractOverflow,
        Intrinsic::SignedMultiplyOverflow,
        Intrinsic::UnsignedMultiplyOverflow,
    ];

    /// Three numbers of one width, as terms that are constants or that are variables.
    struct Sample<'t> {
        terms: &'t Terms,
        width: u32,
        numbers: [u128; 3],
        vectors: [Term; 3],
        values: Values,
    }

    impl<'t> Sample<'t> {
        fn new(terms: &'t Terms, width: u32, numbers: [u128; 3], constants: bool) -> Sample<'t> {
            let mut values = Values::new();
            let vectors = numbers.map(|number| match constants {
                true => terms.constant(number, width as u8),
                false => {
                    let symbol = terms.symbol("x".to_owned(), width as u8);
                    values.set(symbol, number);
                    terms.variable(symbol)
                }
            });
            Sample {
                terms,
                width,
                numbers,
                vectors,
                values,
            }
        }

        fn value(&self, term: Term) -> u128 {
            self.terms.value(term, &self.values)
        }

        fn check_arithmetic(&self) {
            let (on, width) = (OnTerms(self.terms), self.width);
            let ([x, y, _], [a, b, _]) = (self.vectors, self.numbers);
            for operation in OPERATIONS {
                let context = format!("{operation:?} {a} {b} of {width} bits");
                let exact = Wide.binary(operation, width, a, b);
                assert_eq!(
                    self.value(on.arithmetic(operation, x, y)),
                    exact,
                    "{context}"
                );
                for checks in [false, true] {
                    let mut expected = Vec::new();
                    let found = |holds, hazard: Hazard| expected.push((holds, hazard));
                    arithmetic::hazards(Wide, operation, checks, width, (a, b), found);
                    let hazards = on.hazards(operation, checks, x, y).into_iter();
                    let hazards = hazards.map(|(term, kind)| (self.value(term) == 1, kind));
                    assert_eq!(hazards.collect::<Vec<_>>(), expected, "{context}");
                }
            }
            for comparison in COMPARISONS {
                let holds = arithmetic::compare(Wide, comparison, width, a, b);
                let term = on.compare(comparison, x, y);
                let context = format!("{comparison:?} {a} {b} of {width} bits");
                assert_eq!(self.value(term) == 1, holds, "{context}");
            }
        }

        fn check_intrinsics(&self) {
            for intrinsic in INTRINSICS {
                if intrinsic == Intrinsic::SwapBytes && !self.width.is_multiple_of(16) {
                    continue;
                }
                let compute =
                    intrinsic::compute(OnTerms(self.terms), intrinsic, self.width, &self.vectors);
                let computed = compute.expect("an intrinsic on integers");
                let exact = intrinsic::compute(Wide, intrinsic, self.width, &self.numbers);
                let exact = exact.expect("an intrinsic on integers");
                let holds = |condition: Option<Term>| condition.map(|term| self.value(term) == 1);
                let context = format!("{intrinsic:?} {:?} of {} bits", self.numbers, self.width);
                assert_eq!(self.value(computed.value), exact.value, "{context}");
                assert_eq!(holds(computed.overflow), exact.overflow, "{context}");
                assert_eq!(holds(computed.poison), exact.poison, "{context}");
            }
        }

        fn check_sizes(&self, to: u32, scale: u64) {
            let ([x, ..], [a, ..]) = (self.vectors, self.numbers);
            for sign in [Sign::Unsigned, Sign::Signed] {
                let term = OnTerms(self.terms).resize(sign, x, self.width, to);
                let exact = Wide.resize(sign, a, self.width, to);
                assert_eq!(
                    self.value(term),
                    exact,
                    "{a} of {} bits to {to}",
                    self.width
                );
            }
            if self.width <= 64 {
                let base = self.terms.constant(0x1234, 64);
                let address = OnTerms(self.terms).indexed(base, x, scale);
                let exact = arithmetic::distance(Narrow, a as u64, self.width, scale);
                let exact = exact.wrapping_add(0x1234);
                assert_eq!(self.value(address), exact.into(), "{a} by {scale}");
            }
        }
    }

    /// Numbers near those where something changes: zero, the extremes, the width.
    fn operand(width: u32) -> impl Strategy<Value = u128> {
        let near = prop_oneof![
            Just(0),
            Just(u128::from(width)),
            (0..width).prop_map(|n| 1 << n)
        ];
        let near = (near, 0..5u128).prop_map(|(base, by)| base.wrapping_add(by).wrapping_sub(2));
        prop_oneof![near, any::<u128>()].prop_map(move |bits| bits & Wide::mask(width))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn terms_agree_with_numbers(
            (width, numbers) in (1..=128u32).prop_flat_map(|width| {
                (Just(width), [operand(width), operand(width), operand(width)])
            }),
            constants in any::<bool>(),
            to in 1..=128u32,
            scale in any::<u64>(),
        ) {
            let terms = Terms::new();
            let sample = Sample::new(&terms, width, numbers, constants);
            sample.check_arithmetic();
            sample.check_intrinsics();
            sample.check_sizes(to, scale);
        }
    }
}
