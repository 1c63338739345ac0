//! What terms mean over integers: an affine expression and its value in the given state.

use super::{Known, NoReading, Read, Reader, as_integer};
use crate::affine::Affine;
use crate::certificate::Index;
use crate::certify::table::{Entry, Operation};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

impl Reader<'_> {
    /// A number, where a constant is read as said.
    pub(super) fn constant_as(&mut self, term: Index, without_sign: bool) -> Read<Known> {
        match self.table.entries[term].0 {
            Entry::Constant(value) if without_sign => Ok(Known::constant(value)),
            Entry::Constant(value) => Ok(Known::constant(as_integer(
                value,
                self.table.width(term),
                None,
            ))),
            _ => self.number(term),
        }
    }

    /// A number that is read with or without sign; without, it must not be negative.
    pub(super) fn operand(&mut self, term: Index, without_sign: bool) -> Read<Known> {
        let known = self.constant_as(term, without_sign)?;
        if without_sign {
            self.need_ordered(&Known::constant(0), &known)?;
        }
        Ok(known)
    }

    /// The number that a term is.
    pub(super) fn number(&mut self, term: Index) -> Read<Known> {
        if let Some(known) = self.values.get(&term) {
            return Ok(known.clone());
        }
        let known = self.deeper(|reader| reader.read(term))?;
        if known.is_long() {
            return Err(NoReading);
        }
        self.values.insert(term, known.clone());
        Ok(known)
    }

    fn read(&mut self, term: Index) -> Read<Known> {
        let (entry, width) = self.table.entries[term].clone();
        match entry {
            Entry::Variable => Err(NoReading),
            Entry::Constant(value) if width == 1 => Ok(Known::constant(value)),
            Entry::Constant(value) => {
                let value = as_integer(value, width, None);
                // So large a constant could as well stand for a negative one.
                let is_clear =
                    width < 8 || value.magnitude() < (BigInt::one() << (width - 2)).magnitude();
                if is_clear {
                    Ok(Known::constant(value))
                } else {
                    Err(NoReading)
                }
            }
            Entry::Not(a) if width == 1 => Ok(Known::constant(1).minus(&self.number(a)?)),
            Entry::Not(a) => Ok(Known::constant(-1).minus(&self.number(a)?)),
            Entry::Two(operation, a, b) if width > 1 && !operation.is_question() => {
                self.operation(operation, a, b)
            }
            Entry::Two(..) => self.condition_as_number(term),
            Entry::Choose(c, a, b) => {
                let yes = self.holds(c)?;
                self.condition(c, yes)?;
                self.number(if yes { a } else { b })
            }
            Entry::Extract(low, a) => {
                let number = self.number(a)?;
                let shifted = self.quotient(&number, &(BigInt::one() << low));
                if width == 1 {
                    Ok(self.low_bits(&shifted, 1))
                } else {
                    self.fitting(shifted, width)
                }
            }
            Entry::Concatenate(a, b) => {
                let high = self.number(a)?;
                let low = self.operand(b, true)?;
                Ok(low.plus(&(BigInt::one() << self.table.width(b)), &high))
            }
            Entry::ZeroExtend(a) if self.table.width(a) == 1 => self.number(a),
            Entry::ZeroExtend(a) => self.operand(a, true),
            Entry::SignExtend(a) if self.table.width(a) == 1 => {
                Ok(self.number(a)?.times(&(-1).into()))
            }
            Entry::SignExtend(a) => self.number(a),
        }
    }

    fn condition_as_number(&mut self, term: Index) -> Read<Known> {
        let holds = self.holds(term)?;
        self.condition(term, holds)?;
        Ok(Known::constant(u8::from(holds)))
    }

    /// A number cut off to fewer bits, which must not change it.
    fn fitting(&mut self, number: Known, width: usize) -> Read<Known> {
        let size = BigInt::one() << width;
        let half = BigInt::one() << (width - 1);
        let with_sign = number.value >= -&half && number.value < half;
        let (least, most) = if with_sign {
            (-&half, half - 1)
        } else {
            (BigInt::zero(), size - 1)
        };
        self.need_ordered(&Known::constant(least), &number)?;
        self.need_ordered(&number, &Known::constant(most))?;
        Ok(number)
    }

    fn operation(&mut self, operation: Operation, a: Index, b: Index) -> Read<Known> {
        use Operation::*;
        let one = BigInt::one();
        match operation {
            Add => Ok(self.number(a)?.plus(&one, &self.number(b)?)),
            Subtract => Ok(self.number(a)?.minus(&self.number(b)?)),
            Multiply => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match (a.affine.is_constant(), b.affine.is_constant()) {
                    (_, true) => Ok(a.times(&b.value)),
                    (true, false) => Ok(b.times(&a.value)),
                    _ => Err(NoReading),
                }
            }
            UnsignedDivide | UnsignedRemainder => {
                let dividend = self.operand(a, true)?;
                let divisor = self.fixed(b, true)?;
                let quotient = self.quotient(&dividend, &divisor);
                Ok(if operation == UnsignedDivide {
                    quotient
                } else {
                    dividend.plus(&-divisor, &quotient)
                })
            }
            SignedDivide | SignedRemainder => {
                let dividend = self.number(a)?;
                let divisor = self.fixed(b, false)?;
                let quotient = self.truncated(&dividend, &divisor)?;
                Ok(if operation == SignedDivide {
                    quotient
                } else {
                    dividend.plus(&-divisor, &quotient)
                })
            }
            ShiftLeft => {
                let by = self.amount(a, b)?;
                Ok(self.number(a)?.times(&(one << by)))
            }
            LogicalShiftRight => {
                let by = self.amount(a, b)?;
                let number = self.operand(a, true)?;
                Ok(self.quotient(&number, &(one << by)))
            }
            ArithmeticShiftRight => {
                let by = self.amount(a, b)?;
                let number = self.number(a)?;
                Ok(self.quotient(&number, &(one << by)))
            }
            And | Or | Xor => self.bitwise(operation, a, b),
            _ => Err(NoReading),
        }
    }

    /// An operation on the bits of a number with those of a constant.
    fn bitwise(&mut self, operation: Operation, a: Index, b: Index) -> Read<Known> {
        let Entry::Constant(mask) = self.table.entries[b].0 else {
            return Err(NoReading);
        };
        let number = self.number(a)?;
        let kept = self.masked(&number, mask, self.table.width(b));
        let mask = Known::constant(as_integer(mask, self.table.width(b), None));
        let either = number.plus(&BigInt::one(), &mask);
        Ok(match operation {
            Operation::And => kept,
            Operation::Or => either.minus(&kept),
            _ => either.plus(&(-2).into(), &kept),
        })
    }

    /// A divisor: it must be one number, and not zero.
    fn fixed(&mut self, term: Index, without_sign: bool) -> Read<BigInt> {
        let known = self.operand(term, without_sign)?;
        if known.affine.is_constant() && !known.value.is_zero() {
            Ok(known.value)
        } else {
            Err(NoReading)
        }
    }

    /// The amount of a shift: it must be one number, less than the width.
    fn amount(&mut self, shifted: Index, term: Index) -> Read<usize> {
        let known = self.operand(term, true)?;
        let amount = usize::try_from(&known.value).map_err(|_| NoReading)?;
        let is_fixed = known.affine.is_constant() && amount < self.table.width(shifted);
        if is_fixed { Ok(amount) } else { Err(NoReading) }
    }

    /// The quotient by a positive number, rounded down.
    fn quotient(&mut self, dividend: &Known, divisor: &BigInt) -> Known {
        let value = dividend.value.div_floor(divisor);
        if divisor.is_one() {
            return dividend.clone();
        }
        if dividend.affine.is_constant() {
            return Known::constant(value);
        }
        let quotient = Known {
            affine: Affine::unknown(self.unknowns),
            value,
        };
        self.unknowns += 1;
        // 0 <= dividend - divisor * quotient <= divisor - 1
        let rest = dividend.affine.plus(&-divisor, &quotient.affine);
        self.facts.push(rest.times(&(-1).into()));
        self.facts.push(rest.shifted(BigInt::one() - divisor));
        quotient
    }

    /// The quotient, rounded towards zero; the sign of the dividend becomes a need.
    fn truncated(&mut self, dividend: &Known, divisor: &BigInt) -> Read<Known> {
        let zero = Known::constant(0);
        let negative = dividend.value.is_negative();
        if negative {
            self.need_less(dividend, &zero)?;
        } else {
            self.need_ordered(&zero, dividend)?;
        }
        let size = if negative {
            dividend.times(&(-1).into())
        } else {
            dividend.clone()
        };
        let quotient = self.quotient(&size, &divisor.abs());
        Ok(if negative != divisor.is_negative() {
            quotient.times(&(-1).into())
        } else {
            quotient
        })
    }

    /// The lowest bits: what is left over by a power of two.
    fn low_bits(&mut self, number: &Known, bits: usize) -> Known {
        let size = BigInt::one() << bits;
        let quotient = self.quotient(number, &size);
        number.plus(&-size, &quotient)
    }

    /// The bits of a mask: for each run of ones what is below its end without what is below its
    /// start; a run that reaches the sign runs forever.
    fn masked(&mut self, number: &Known, mask: u128, width: usize) -> Known {
        let set = |at: usize| mask >> at & 1 == 1;
        let mut sum = Known::constant(0);
        for start in (0..width).filter(|&at| set(at) && (at == 0 || !set(at - 1))) {
            let end = (start..width).find(|&at| !set(at)).unwrap_or(width);
            let below_end = if end == width {
                number.clone()
            } else {
                self.low_bits(number, end)
            };
            let below_start = self.low_bits(number, start);
            sum = sum.plus(&BigInt::one(), &below_end.minus(&below_start));
        }
        sum
    }
}
