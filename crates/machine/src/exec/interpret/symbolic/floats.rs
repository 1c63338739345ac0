//! Floating-point numbers that depend on inputs which are followed symbolically: those of 32 and 64
//! bits, as vectors of their bits.

use crate::base::fault::Result;
use crate::machine::Machine;
use impasse_program::instruction::{
    Conversion, FloatComparison, FloatOperation, Instruction as I, Intrinsic, Operand, Scalar, Slot,
};
use impasse_program::word::Word;
use impasse_solver::{Extreme, FloatBinary, Rounding, Term};

/// The bits of a format that terms follow.
fn format(scalar: Scalar) -> Option<u8> {
    match scalar {
        Scalar::Float => Some(32),
        Scalar::Double => Some(64),
        _ => None,
    }
}

impl<'s> Machine<'s> {
    /// Executes arithmetic or a comparison of which an operand is a term; returns whether terms
    /// follow it.
    pub(super) fn float_on_terms(&mut self, instruction: &'s I) -> bool {
        let (destination, term) = match *instruction {
            I::Float {
                operation,
                scalar,
                destination,
                left,
                right,
            } => {
                let operands = self.float_terms(scalar, left, right);
                let term = operands.and_then(|(a, b)| self.arithmetic_on_floats(operation, a, b));
                (destination, term)
            }
            I::FloatCompare {
                comparison,
                scalar,
                destination,
                left,
                right,
            } => {
                let operands = self.float_terms(scalar, left, right);
                let term = operands.map(|(a, b)| self.compare_float_terms(comparison, a, b));
                (destination, term)
            }
            _ => return false,
        };
        let word = term.map(|term| self.of_term(term));
        self.write_some(destination, word)
    }

    fn float_terms(&self, scalar: Scalar, left: Operand, right: Operand) -> Option<(Term, Term)> {
        let width = format(scalar)?.into();
        let left = self.as_term(self.read(left), width)?;
        Some((left, self.as_term(self.read(right), width)?))
    }

    fn arithmetic_on_floats(&self, operation: FloatOperation, a: Term, b: Term) -> Option<Term> {
        let operation = match operation {
            FloatOperation::Add => FloatBinary::Add,
            FloatOperation::Subtract => FloatBinary::Subtract,
            FloatOperation::Multiply => FloatBinary::Multiply,
            FloatOperation::Divide => FloatBinary::Divide,
            FloatOperation::Remainder => return None,
        };
        Some(self.terms().with(|terms| terms.float(operation, a, b)))
    }

    fn compare_float_terms(&self, comparison: FloatComparison, a: Term, b: Term) -> Term {
        self.terms().with(|terms| {
            let mut outcomes = Vec::new();
            if comparison.unordered {
                outcomes.extend([terms.is_nan(a), terms.is_nan(b)]);
            }
            if comparison.equal {
                outcomes.push(terms.floats_equal(a, b));
            }
            if comparison.greater {
                outcomes.push(terms.float_less(b, a));
            }
            if comparison.less {
                outcomes.push(terms.float_less(a, b));
            }
            terms.any(&outcomes)
        })
    }

    /// Returns a number converted from or to a floating-point type, or `None` where terms do not
    /// follow that. An integer that has no room for it is undefined. Halts and fails as a decision
    /// does.
    pub(super) fn convert_float_term(
        &mut self,
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        word: Word,
    ) -> Result<Option<Word>> {
        let Some(term) = self.as_term(word, from.bits()) else {
            return Ok(None);
        };
        let is_signed = matches!(
            conversion,
            Conversion::FloatToSigned | Conversion::SignedToFloat
        );
        let terms = self.terms();
        let term = match (conversion, format(from), format(to)) {
            (Conversion::FloatTruncate | Conversion::FloatExtend, Some(_), Some(width)) => {
                Some(terms.with(|terms| terms.resize_float(term, width)))
            }
            (Conversion::SignedToFloat | Conversion::UnsignedToFloat, None, Some(width)) => {
                terms.with(|terms| terms.float_of_integer(term, is_signed, width))
            }
            (Conversion::FloatToSigned | Conversion::FloatToUnsigned, Some(_), None)
                if to.bits() <= 64 =>
            {
                let width = to.bits() as u8;
                let (fits, number) =
                    terms.with(|terms| terms.integer_of_float(term, width, is_signed));
                if !self.decide(fits)? {
                    return Ok(Some(Word::undefined(to.bits())));
                }
                Some(number)
            }
            _ => None,
        };
        Ok(term.map(|term| self.of_term(term)))
    }

    /// Computes a function of floating-point numbers; returns whether terms follow it.
    pub(super) fn float_intrinsic_on_terms(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        destination: Slot,
        operands: &[Operand],
    ) -> bool {
        let Some(width) = format(scalar) else {
            return false;
        };
        let operand = |at: usize| self.as_term(self.read(*operands.get(at)?), width.into());
        let Some(a) = operand(0) else {
            return false;
        };
        let terms = self.terms();
        let term = match intrinsic {
            Intrinsic::FloatNegate => Some(terms.with(|terms| terms.negate_float(a))),
            Intrinsic::FloatAbsolute => Some(terms.with(|terms| terms.absolute_float(a))),
            Intrinsic::CopySign => operand(1).map(|b| {
                terms.with(|terms| {
                    let sign = terms.constant(1 << (width - 1), width);
                    terms.or(terms.absolute_float(a), terms.and(b, sign))
                })
            }),
            Intrinsic::IsFloatClass => {
                let classes = self.read(operands[1]);
                let classes = classes.is_defined().then_some(classes.bits);
                classes.map(|classes| terms.with(|terms| terms.has_float_class(a, classes)))
            }
            Intrinsic::SquareRoot => Some(terms.with(|terms| terms.square_root(a))),
            _ => match (rounding(intrinsic), extreme(intrinsic), operand(1)) {
                (Some(rounding), ..) => Some(terms.with(|terms| terms.round_float(a, rounding))),
                (_, Some(extreme), Some(b)) => {
                    Some(terms.with(|terms| terms.extreme_float(extreme, a, b)))
                }
                _ => None,
            },
        };
        let word = term.map(|term| self.of_term(term));
        self.write_some(destination, word)
    }
}

/// How a function rounds to a whole number, if it does.
fn rounding(intrinsic: Intrinsic) -> Option<Rounding> {
    Some(match intrinsic {
        Intrinsic::Floor => Rounding::Down,
        Intrinsic::Ceiling => Rounding::Up,
        Intrinsic::TruncateToIntegral => Rounding::TowardZero,
        Intrinsic::RoundTiesToEven | Intrinsic::RoundCurrent => Rounding::TiesToEven,
        Intrinsic::RoundTiesAway => Rounding::TiesAway,
        _ => return None,
    })
}

/// Which of two numbers a function returns, if it does.
fn extreme(intrinsic: Intrinsic) -> Option<Extreme> {
    let (is_least, prefers_numbers) = match intrinsic {
        Intrinsic::MinimumNumber => (true, true),
        Intrinsic::MaximumNumber => (false, true),
        Intrinsic::Minimum => (true, false),
        Intrinsic::Maximum => (false, false),
        _ => return None,
    };
    Some(Extreme {
        is_least,
        prefers_numbers,
    })
}
