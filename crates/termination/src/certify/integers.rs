//! What a lasso means over mathematical integers, near a given state.
//!
//! The *integer reading* of the terms: variables and inputs are integers; sums, differences and
//! products are those of integers; signed division truncates and unsigned division is of numbers
//! that are not negative; shifts are multiplication and division by powers of two; masks take an
//! integer as an endless row of bits; nothing overflows, so questions whether something does are
//! answered no and such hazards do not exist. A constant is read with sign where nothing says
//! otherwise. Where that makes no sense, there is no reading, and nothing is proved: a negative
//! number read without sign, one that is cut off to fewer bits and does not fit, products and masks
//! of two unknowns.
//!
//! An iteration from a given state goes one way through every case distinction (signs in divisions,
//! sides of `!=`, branches of a choice). [`Reader`] computes the iteration for *all* states that go
//! the same way: the conditions for that, as inequalities ([`Reader::needs`]); the state after it,
//! as affine expressions; and for each quotient a new unknown with what is known of it
//! ([`Reader::facts`]).

use super::affine::Affine;
use super::table::{Entry, Operation, Table};
use crate::certificate::{Index, LassoRecord};
use crate::problem::Reading;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

/// There is no reading, or the iteration is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoReading;

/// Terms deeper than this have no reading.
const DEEPEST: usize = 1000;

/// Nor have numbers of more bits than this: a number that is squared iteration after iteration
/// would soon fill the memory.
const LONGEST: u64 = 4096;

type Read<T> = Result<T, NoReading>;

/// An expression, and its value in the given state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The expression.
    pub affine: Affine,
    /// Its value.
    pub value: BigInt,
}

impl Known {
    /// A constant.
    pub fn constant(value: impl Into<BigInt>) -> Known {
        let value = value.into();
        Known {
            affine: Affine::constant(value.clone()),
            value,
        }
    }

    fn is_long(&self) -> bool {
        let coefficients = self.affine.coefficients.values();
        coefficients
            .chain([&self.affine.constant, &self.value])
            .any(|number| number.bits() > LONGEST)
    }

    fn plus(&self, factor: &BigInt, other: &Known) -> Known {
        Known {
            affine: self.affine.plus(factor, &other.affine),
            value: &self.value + factor * &other.value,
        }
    }

    fn times(&self, factor: &BigInt) -> Known {
        Known::constant(0).plus(factor, self)
    }

    fn minus(&self, other: &Known) -> Known {
        self.plus(&(-1).into(), other)
    }
}

/// Reads iterations, one after the other, and gathers what their ways need.
pub struct Reader<'l> {
    lasso: &'l LassoRecord,
    table: &'l Table,
    unsigned: FxHashSet<Index>,
    /// Inequalities that hold if states go these ways.
    pub needs: Vec<Affine>,
    /// Inequalities that hold of the new unknowns, whatever the state.
    pub facts: Vec<Affine>,
    /// The number of the next new unknown; those below it, from zero on, are the variables of the
    /// lasso.
    unknowns: usize,
    values: FxHashMap<Index, Known>,
    depth: usize,
}

/// Which terms are read without sign: variables of such types and what is computed from them.
fn read_without_sign(lasso: &LassoRecord, table: &Table) -> FxHashSet<Index> {
    let variables = lasso
        .variables
        .iter()
        .map(|variable| (variable.term, variable.reading));
    let inputs = lasso.iterations.iter().flat_map(|iteration| {
        iteration
            .inputs
            .iter()
            .map(|input| (input.term, input.reading))
    });
    let mut unsigned: FxHashSet<Index> = variables
        .chain(inputs)
        .filter(|&(_, reading)| reading == Some(Reading::Unsigned))
        .map(|(term, _)| term)
        .collect();
    for (at, (entry, _)) in table.entries.iter().enumerate() {
        let is = |operand: &Index| unsigned.contains(operand);
        let without_sign = match entry {
            Entry::ZeroExtend(_) => true,
            Entry::Two(operation, a, b) => !operation.is_question() && (is(a) || is(b)),
            Entry::Choose(_, a, b) => is(a) || is(b),
            Entry::Extract(0, a) => is(a),
            _ => false,
        };
        if without_sign {
            unsigned.insert(at);
        }
    }
    unsigned
}

/// The number that the bits of a variable are, as its type reads them.
pub fn as_integer(bits: u128, width: usize, reading: Option<Reading>) -> BigInt {
    let value = BigInt::from(bits);
    let is_negative =
        width > 1 && bits >> (width - 1) & 1 == 1 && reading != Some(Reading::Unsigned);
    if is_negative {
        value - (BigInt::one() << width)
    } else {
        value
    }
}

impl<'l> Reader<'l> {
    /// A reader that has read nothing.
    pub fn new(lasso: &'l LassoRecord, table: &'l Table) -> Reader<'l> {
        Reader {
            lasso,
            table,
            unsigned: read_without_sign(lasso, table),
            needs: Vec::new(),
            facts: Vec::new(),
            unknowns: lasso.variables.len(),
            values: FxHashMap::default(),
            depth: 0,
        }
    }

    /// The state after the first iteration that is taken from `state`, which reads what `policy`
    /// says of that iteration, as expressions over the variables. What the way needs is added.
    pub fn iteration(&mut self, state: &[Known], policy: &[Vec<Affine>]) -> Read<Vec<Known>> {
        let marks = (self.needs.len(), self.facts.len(), self.unknowns);
        for (at, inputs) in policy.iter().enumerate().take(self.lasso.iterations.len()) {
            if let Ok(next) = self.one_iteration(at, state, inputs) {
                return Ok(next);
            }
            self.needs.truncate(marks.0);
            self.facts.truncate(marks.1);
            self.unknowns = marks.2;
        }
        Err(NoReading)
    }

    fn one_iteration(&mut self, at: usize, state: &[Known], policy: &[Affine]) -> Read<Vec<Known>> {
        let iteration = &self.lasso.iterations[at];
        if iteration.inputs.len() != policy.len() || state.len() != self.lasso.variables.len() {
            return Err(NoReading);
        }
        self.values.clear();
        let affines: Vec<Affine> = state.iter().map(|known| known.affine.clone()).collect();
        let numbers: Vec<BigInt> = state.iter().map(|known| known.value.clone()).collect();
        for (variable, known) in self.lasso.variables.iter().zip(state) {
            self.values.insert(variable.term, known.clone());
        }
        for (input, choice) in iteration.inputs.iter().zip(policy) {
            if choice
                .coefficients
                .keys()
                .any(|&unknown| unknown >= state.len())
            {
                return Err(NoReading);
            }
            let known = Known {
                affine: choice.substitute(&affines),
                value: choice.value(&numbers),
            };
            if input.reading == Some(Reading::Unsigned) {
                self.need_at_most_zero(&known.times(&(-1).into()))?;
            }
            self.values.insert(input.term, known);
        }
        for condition in &iteration.guard {
            self.condition(condition.term, true)?;
        }
        for hazard in iteration
            .hazards
            .iter()
            .filter(|hazard| !hazard.kind.is_of_width())
        {
            self.condition(hazard.term, false)?;
        }
        iteration
            .updates
            .iter()
            .map(|&update| self.number(update))
            .collect()
    }

    fn need_at_most_zero(&mut self, known: &Known) -> Read<()> {
        if known.value.is_positive() {
            return Err(NoReading);
        }
        if !known.affine.is_constant() {
            self.needs.push(known.affine.clone());
        }
        Ok(())
    }

    /// Needs the first to be at most the second.
    fn need_ordered(&mut self, a: &Known, b: &Known) -> Read<()> {
        self.need_at_most_zero(&a.minus(b))
    }

    fn need_less(&mut self, a: &Known, b: &Known) -> Read<()> {
        self.need_at_most_zero(&a.minus(b).plus(&BigInt::one(), &Known::constant(1)))
    }

    fn need_equal(&mut self, a: &Known, b: &Known) -> Read<()> {
        self.need_ordered(a, b)?;
        self.need_ordered(b, a)
    }

    /// Needs a condition to hold, or not to.
    fn condition(&mut self, term: Index, wanted: bool) -> Read<()> {
        self.deeper(|reader| reader.condition_here(term, wanted))
    }

    /// Goes one term deeper, but not so deep that the stack could end.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == DEEPEST {
            return Err(NoReading);
        }
        self.depth += 1;
        let answer = read(self);
        self.depth -= 1;
        answer
    }

    fn condition_here(&mut self, term: Index, wanted: bool) -> Read<()> {
        match self.table.entries[term].0.clone() {
            Entry::Constant(value) => {
                if (value == 1) == wanted {
                    Ok(())
                } else {
                    Err(NoReading)
                }
            }
            Entry::Not(a) => self.condition(a, !wanted),
            Entry::Two(Operation::And, a, b) => self.both(a, b, wanted, true),
            Entry::Two(Operation::Or, a, b) => self.both(a, b, wanted, false),
            Entry::Two(Operation::Xor, a, b) => self.alike(a, b, !wanted),
            Entry::Two(Operation::Equal, a, b) if self.table.width(a) == 1 => {
                self.alike(a, b, wanted)
            }
            Entry::Two(operation, a, b) if operation.is_question() => {
                self.question(operation, a, b, wanted)
            }
            // What is left is arithmetic of single bits.
            Entry::Two(..) => Err(NoReading),
            Entry::Choose(c, a, b) => {
                let yes = self.holds(c)?;
                self.condition(c, yes)?;
                self.condition(if yes { a } else { b }, wanted)
            }
            _ => {
                let number = self.number(term)?;
                self.need_equal(&number, &Known::constant(u8::from(wanted)))
            }
        }
    }

    /// Conjunction or disjunction: what decides it is needed, all of it or the first part that
    /// does.
    fn both(&mut self, a: Index, b: Index, wanted: bool, conjunction: bool) -> Read<()> {
        if wanted == conjunction {
            self.condition(a, wanted)?;
            return self.condition(b, wanted);
        }
        let deciding = if self.holds(a) == Ok(wanted) { a } else { b };
        self.condition(deciding, wanted)
    }

    fn alike(&mut self, a: Index, b: Index, wanted: bool) -> Read<()> {
        let first = self.holds(a)?;
        self.condition(a, first)?;
        self.condition(b, first == wanted)
    }

    /// Whether a condition holds in the given state. Nothing is added.
    fn holds(&mut self, term: Index) -> Read<bool> {
        let marks = (
            self.needs.len(),
            self.facts.len(),
            self.unknowns,
            self.values.clone(),
        );
        let mut answer = Err(NoReading);
        for wanted in [true, false] {
            if answer.is_err() && self.condition(term, wanted).is_ok() {
                answer = Ok(wanted);
            }
            self.needs.truncate(marks.0);
            self.facts.truncate(marks.1);
            self.unknowns = marks.2;
            self.values.clone_from(&marks.3);
        }
        answer
    }

    fn question(&mut self, operation: Operation, a: Index, b: Index, wanted: bool) -> Read<()> {
        use Operation::*;
        let without_sign = match operation {
            UnsignedLess | UnsignedLessEqual => true,
            SignedLess | SignedLessEqual => false,
            Equal => self.unsigned.contains(&a) || self.unsigned.contains(&b),
            _ if wanted => return Err(NoReading),
            _ => return Ok(()),
        };
        let (a, b) = if operation == Equal {
            (
                self.constant_as(a, without_sign)?,
                self.constant_as(b, without_sign)?,
            )
        } else {
            (
                self.operand(a, without_sign)?,
                self.operand(b, without_sign)?,
            )
        };
        match (operation, wanted) {
            (Equal, true) => self.need_equal(&a, &b),
            (Equal, false) if a.value < b.value => self.need_less(&a, &b),
            (Equal, false) => self.need_less(&b, &a),
            (UnsignedLess | SignedLess, true) => self.need_less(&a, &b),
            (UnsignedLess | SignedLess, false) => self.need_ordered(&b, &a),
            (_, true) => self.need_ordered(&a, &b),
            (_, false) => self.need_less(&b, &a),
        }
    }

    /// A number, where a constant is read as said.
    fn constant_as(&mut self, term: Index, without_sign: bool) -> Read<Known> {
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
    fn operand(&mut self, term: Index, without_sign: bool) -> Read<Known> {
        let known = self.constant_as(term, without_sign)?;
        if without_sign {
            self.need_ordered(&Known::constant(0), &known)?;
        }
        Ok(known)
    }

    /// The number that a term is.
    fn number(&mut self, term: Index) -> Read<Known> {
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
            And | Or | Xor => {
                let Entry::Constant(mask) = self.table.entries[b].0 else {
                    return Err(NoReading);
                };
                let number = self.number(a)?;
                let kept = self.masked(&number, mask, self.table.width(b));
                let mask = Known::constant(as_integer(mask, self.table.width(b), None));
                Ok(match operation {
                    And => kept,
                    Or => number.plus(&one, &mask).minus(&kept),
                    _ => number.plus(&one, &mask).plus(&(-2).into(), &kept),
                })
            }
            _ => Err(NoReading),
        }
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
    /// start; a run that reaches the sign goes on forever.
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
