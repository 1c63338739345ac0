//! Integers of more than 64 bits that depend on inputs: two words, each of which may be a term.

use super::leaves;
use crate::base::fault::Result;
use crate::exec::interpret::arithmetic::raise;
use crate::machine::Machine;
use crate::value::integer;
use impasse_program::instruction::{Instruction as I, Operand, Scalar, Slot};
use impasse_semantics::arithmetic::{can_be_undefined, checks_overflow, extension};
use impasse_semantics::domain::Arithmetic;
use impasse_semantics::vectors::Vectors;
use impasse_solver::Term;

fn is_integer(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Integer(_) | Scalar::Wide(_))
}

impl<'s> Machine<'s> {
    /// Executes arithmetic, a comparison or a conversion of integers, of which an operand or the
    /// result has two words; returns whether terms follow it. Halts and fails as a decision does.
    pub(super) fn wide_on_terms(&mut self, instruction: &'s I) -> Result<bool> {
        match *instruction {
            I::Binary {
                operation,
                scalar,
                poison_flags: flags,
                destination,
                left,
                right,
            } if is_integer(scalar) => {
                let of = Arithmetic {
                    operation,
                    scalar,
                    flags,
                };
                self.arithmetic_on_wide_terms(of, destination, [left, right])
            }
            I::Compare {
                comparison,
                scalar,
                destination,
                left,
                right,
            } if is_integer(scalar) => {
                let operands = [left, right].map(|operand| self.wide_term(operand, scalar));
                let [Some(a), Some(b)] = operands else {
                    return Ok(false);
                };
                let term = self.terms().on(|v| leaves::compare(v, comparison, a, b));
                self.write(destination, self.of_term(term));
                Ok(true)
            }
            I::Convert {
                conversion,
                from,
                to,
                destination,
                source,
            } if is_integer(from) && is_integer(to) => {
                let (sign, term) = (extension(conversion), self.wide_term(source, from));
                let (Some(sign), Some(term)) = (sign, term) else {
                    return Ok(false);
                };
                let term = self
                    .terms()
                    .on(|v| v.resize(sign, term, from.bits(), to.bits()));
                self.write_wide(destination, to, term);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn arithmetic_on_wide_terms(
        &mut self,
        of: Arithmetic,
        destination: Slot,
        operands: [Operand; 2],
    ) -> Result<bool> {
        let operands = operands.map(|operand| self.wide_term(operand, of.scalar));
        let [Some(a), Some(b)] = operands else {
            return Ok(false);
        };
        let strict = self.strictness();
        let checked = checks_overflow(of.flags, strict.signed_overflow);
        if can_be_undefined(of.operation, checked) {
            let hazards = self.terms().on(|v| v.hazards(of.operation, checked, a, b));
            for (condition, hazard) in hazards {
                if self.decide(condition)? {
                    let width = of.scalar.bits();
                    let value =
                        integer::undefined_result(hazard, of.operation, width, None, strict);
                    self.write_scalar(destination, of.scalar, raise(value)?);
                    return Ok(true);
                }
            }
        }
        let term = self.terms().on(|v| v.arithmetic(of.operation, a, b));
        self.write_wide(destination, of.scalar, term);
        Ok(true)
    }

    /// An operand as one term, or `None` if a bit of it is undefined or part of an address.
    fn wide_term(&self, operand: Operand, scalar: Scalar) -> Option<Term> {
        let bits = scalar.bits();
        if scalar.words() == 1 {
            return self.as_term(self.read(operand), bits);
        }
        let low = self.as_term(self.read(operand), 64)?;
        let high = self.as_term(self.read(operand.second()), bits - 64)?;
        Some(self.terms().with(|terms| terms.concatenate(high, low)))
    }

    fn write_wide(&mut self, destination: Slot, scalar: Scalar, term: Term) {
        let bits = scalar.bits();
        if scalar.words() == 1 {
            return self.write(destination, self.of_term(term));
        }
        let part = |low, width| {
            let part = self.terms().with(|terms| terms.extract(term, low, width));
            self.of_term(part)
        };
        let (low, high) = (part(0, 64), part(64, (bits - 64) as u8));
        self.write(destination, low);
        self.write(Slot(destination.0 + 1), high);
    }
}
