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
//! An iteration from a given state takes one path through every case distinction (signs in
//! divisions, sides of `!=`, branches of a choice). [`Reader`] computes the iteration for *all*
//! states that take the same path: the conditions for that, as inequalities ([`Reader::needs`]);
//! the state after it, as affine expressions; and for each quotient a new unknown with what is
//! known of it ([`Reader::facts`]).

mod condition;
mod number;

use super::table::{Entry, Table};
use crate::affine::Affine;
use crate::certificate::{Index, LassoRecord};
use crate::problem::Reading;
use num_bigint::BigInt;
use num_traits::One;
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

/// Reads iterations, one after the other, and gathers what their paths need.
pub struct Reader<'l> {
    lasso: &'l LassoRecord,
    table: &'l Table,
    unsigned: FxHashSet<Index>,
    /// Inequalities that hold if states take these paths.
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
    /// says of that iteration, as expressions over the variables. What the path needs is added.
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
}
