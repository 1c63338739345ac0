//! Conditions on vectors as conditions on integers that wrap, most of them linear.
//!
//! Z3 decides sums of several inputs fast as integers, where it takes long bit by bit: whether
//! three amounts that are bounded by each other can overflow, or a percentage is too large.
//!
//! *Claim.* Both have the same solutions. A vector is translated to an integer that is congruent to
//! its value modulo two to the power of its width. Sums, differences, multiples and low parts of
//! such integers are congruent to those of the vectors. Where the value itself matters, with a sign
//! or without one, the integer less a multiple of the power is taken; the bounds of the value leave
//! one such multiple, so it is a function of the inputs, and a condition may be negated. Products
//! and quotients of two unknown values are those of integers, where Z3 sees that they are
//! monotonic. What has no translation is not translated, and nor is the condition that contains it.

use crate::evaluate::Values;
use crate::term::{Binary, Node, Symbol, Term, Terms, Test, mask, signed};
use crate::work;
use rustc_hash::FxHashMap;
use std::time::Duration;
use z3::SatResult;
use z3::ast::{Bool, Int};

/// Wider vectors are not translated.
const WIDEST: u8 = 64;
/// Conditions of more nodes are not translated.
const LARGE: usize = 2048;
/// Integers beyond this have no translation.
const HUGE: i128 = 1 << 100;
/// Of so many multiples of a power, each is compared with.
const FEW: i128 = 4;

/// An integer, with bounds.
#[derive(Clone)]
struct Number {
    value: Int,
    least: i128,
    most: i128,
}

impl Number {
    fn new(value: Int, least: i128, most: i128) -> Option<Number> {
        (least >= -HUGE && most <= HUGE).then_some(Number { value, least, most })
    }

    fn constant(value: i128) -> Number {
        Number {
            value: Int::from_i128(value),
            least: value,
            most: value,
        }
    }

    fn plus(&self, other: &Number) -> Option<Number> {
        let value = &self.value + &other.value;
        Number::new(value, self.least + other.least, self.most + other.most)
    }

    fn minus(&self, other: &Number) -> Option<Number> {
        let value = &self.value - &other.value;
        Number::new(value, self.least - other.most, self.most - other.least)
    }

    fn times(&self, by: i128) -> Option<Number> {
        let ends = [self.least.checked_mul(by)?, self.most.checked_mul(by)?];
        let value = &self.value * Int::from_i128(by);
        Number::new(value, ends[0].min(ends[1]), ends[0].max(ends[1]))
    }

    fn times_number(&self, other: &Number) -> Option<Number> {
        let ends =
            [self.least, self.most].map(|a| [other.least, other.most].map(|b| a.checked_mul(b)));
        let ends: Vec<i128> = ends.into_iter().flatten().collect::<Option<_>>()?;
        let (least, most) = (ends.iter().min()?, ends.iter().max()?);
        Number::new(&self.value * &other.value, *least, *most)
    }

    /// The distance from zero.
    fn magnitude(&self) -> Number {
        if self.least >= 0 {
            return self.clone();
        }
        let zero = Int::from_i64(0);
        Number {
            value: self.value.lt(&zero).ite(&-&self.value, &self.value),
            least: 0,
            most: self.most.max(-self.least),
        }
    }

    /// Whether it lies outside of bounds.
    fn leaves(&self, (least, most): (i128, i128)) -> Bool {
        let below = self.value.lt(Int::from_i128(least));
        Bool::or(&[below, self.value.gt(Int::from_i128(most))])
    }
}

/// What a term is translated to.
#[derive(Clone)]
enum Meaning {
    Condition(Bool),
    Number(Number),
}

/// Returns values with which all conditions hold, or `None` if there are none. Returns `None` as a
/// whole if they are not translated, or this work finds no answer.
pub(crate) fn solve(terms: &Terms, conditions: &[Term], work: Duration) -> Option<Option<Values>> {
    let order = terms.below(conditions);
    if order.len() > LARGE {
        return None;
    }
    let mut translation = Translation {
        terms,
        has_signs: has_signs(terms, &order),
        bounds: FxHashMap::default(),
        known: FxHashMap::default(),
        reduced: FxHashMap::default(),
        divided: FxHashMap::default(),
        divided_by_values: FxHashMap::default(),
        is_linear: true,
        symbols: Vec::new(),
        variables: 0,
        facts: Vec::new(),
    };
    for &condition in conditions {
        translation.note_bound(condition);
    }
    for term in order {
        let meaning = translation.translate(term)?;
        translation.known.insert(term, meaning);
    }
    let solver = match translation.is_linear {
        true => z3::Solver::new_for_logic("QF_LIA")?,
        false => solver_of_products(),
    };
    for condition in conditions {
        solver.assert(translation.condition(*condition)?);
    }
    let facts = translation.facts.iter();
    facts.for_each(|fact| solver.assert(fact));
    match work::check(&solver, work) {
        SatResult::Unsat => Some(None),
        SatResult::Unknown => None,
        SatResult::Sat => {
            let model = solver.get_model()?;
            let mut values = Values::new();
            for (symbol, meaning) in &translation.symbols {
                let value = match meaning {
                    Meaning::Condition(variable) => {
                        u128::from(model.eval(variable, true)?.as_bool()?)
                    }
                    Meaning::Number(number) => {
                        let value = model.eval(&number.value, true)?;
                        let value = value.as_i64().map(i128::from);
                        value? as u128 & mask(terms.symbol_width(*symbol))
                    }
                };
                values.set(*symbol, value);
            }
            Some(Some(values))
        }
    }
}

/// Z3's incremental solver: of products, it finds out with little work what follows from bounds,
/// where the tactics for this logic first try much else.
fn solver_of_products() -> z3::Solver {
    let solver = z3::Solver::new();
    solver.push();
    solver
}

/// Whether most comparisons read their operands with a sign.
fn has_signs(terms: &Terms, order: &[Term]) -> bool {
    let count = |of: [Test; 2]| {
        let tests = order.iter().filter(
            |&&term| matches!(terms.node(term), Node::Test(test, ..) if of.contains(&test)),
        );
        tests.count()
    };
    count([Test::SignedLess, Test::SignedLessEqual])
        >= count([Test::UnsignedLess, Test::UnsignedLessEqual])
}

/// The values that a vector of a width may have, with a sign or without one.
fn range(width: u8, is_signed: bool) -> (i128, i128) {
    match is_signed {
        true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        false => (0, (1 << width) - 1),
    }
}

/// The quotient or the remainder, whichever an operation gives.
fn part_of(operation: Binary, (quotient, rest): (Number, Number)) -> Number {
    match operation {
        Binary::UnsignedDivide | Binary::SignedDivide => quotient,
        _ => rest,
    }
}

struct Translation<'t> {
    terms: &'t Terms,
    /// Whether variables have a sign.
    has_signs: bool,
    /// Between which numbers conditions say that variables are, read with a sign or without one.
    bounds: FxHashMap<(Symbol, bool), (i128, i128)>,
    known: FxHashMap<Term, Meaning>,
    /// Values of terms, with a sign or without one.
    reduced: FxHashMap<(Term, u8, bool), Number>,
    /// Quotients that are rounded down, and remainders: of which term, with a sign or without one
    /// or any that is congruent, by which number.
    divided: FxHashMap<(Term, Option<bool>, i128), (Number, Number)>,
    /// The same by unknown values.
    divided_by_values: FxHashMap<(Term, Term, bool), (Number, Number)>,
    /// Whether no two unknown values are multiplied.
    is_linear: bool,
    symbols: Vec<(Symbol, Meaning)>,
    /// How many other variables there are.
    variables: usize,
    /// What holds of the variables.
    facts: Vec<Bool>,
}

impl Translation<'_> {
    fn condition(&self, term: Term) -> Option<Bool> {
        match &self.known[&term] {
            Meaning::Condition(condition) => Some(condition.clone()),
            Meaning::Number(_) => None,
        }
    }

    /// Between which numbers a variable is.
    fn bounds_of(&self, symbol: Symbol, width: u8, is_signed: bool) -> (i128, i128) {
        let known = self.bounds.get(&(symbol, is_signed));
        known.copied().unwrap_or(range(width, is_signed))
    }

    /// Notes what a condition says if it compares a variable with a constant: where that is
    /// positive, a product or a quotient is a simpler one.
    fn note_bound(&mut self, condition: Term) {
        let Node::Test(test, a, b) = self.terms.node(condition) else {
            return;
        };
        let is_signed = matches!(test, Test::SignedLess | Test::SignedLessEqual);
        let is_strict = matches!(test, Test::SignedLess | Test::UnsignedLess);
        let width = self.terms.width(a);
        if test == Test::Equal || width == 1 || width > WIDEST {
            return;
        }
        let value = |of: Term| {
            let value = self.terms.as_constant(of)?;
            Some(if is_signed {
                signed(value, width)
            } else {
                value as i128
            })
        };
        let more = i128::from(is_strict);
        let (symbol, (least, most)) = match (self.terms.node(a), self.terms.node(b)) {
            (Node::Symbol(symbol), Node::Constant(_)) => match value(b) {
                Some(most) => (symbol, (i128::MIN, most - more)),
                None => return,
            },
            (Node::Constant(_), Node::Symbol(symbol)) => match value(a) {
                Some(least) => (symbol, (least + more, i128::MAX)),
                None => return,
            },
            _ => return,
        };
        let known = self.bounds_of(symbol, width, is_signed);
        let bounds = (known.0.max(least), known.1.min(most));
        self.bounds.insert((symbol, is_signed), bounds);
    }

    /// An integer that is congruent to the value of a term.
    fn number(&self, term: Term) -> Number {
        match &self.known[&term] {
            Meaning::Number(number) => number.clone(),
            Meaning::Condition(condition) => Number {
                value: condition.ite(&Int::from_i64(1), &Int::from_i64(0)),
                least: 0,
                most: 1,
            },
        }
    }

    /// The value of a constant, with a sign.
    fn constant(&self, term: Term) -> Option<i128> {
        let value = self.terms.as_constant(term)?;
        Some(signed(value, self.terms.width(term)))
    }

    fn translate(&mut self, term: Term) -> Option<Meaning> {
        let width = self.terms.width(term);
        if width > WIDEST {
            return None;
        }
        if width == 1 {
            return self.translate_condition(term).map(Meaning::Condition);
        }
        let number = match self.terms.node(term) {
            Node::Constant(_) => Number::constant(self.constant(term)?),
            Node::Symbol(symbol) => {
                let variable = Int::new_const(format!("v{}", symbol.index()));
                // Models have numbers of 64 bits, with a sign.
                let is_signed = self.has_signs || width == WIDEST;
                let (least, most) = self.bounds_of(symbol, width, is_signed);
                if least > most {
                    // The conditions contradict each other, which others find out.
                    return None;
                }
                let number = self.bounded(variable, (least, most));
                self.symbols.push((symbol, Meaning::Number(number.clone())));
                number
            }
            Node::Not(a) => Number::constant(-1).minus(&self.number(a))?,
            Node::ZeroExtend(a) => self.value(a, false)?,
            Node::SignExtend(a) => self.value(a, true)?,
            Node::Extract { of, low: 0 } => self.number(of),
            Node::Extract { of, low } => self.divide(of, None, 1 << low)?.0,
            Node::Concatenate(a, b) => {
                let high = self.number(a).times(1 << self.terms.width(b))?;
                high.plus(&self.value(b, false)?)?
            }
            Node::Choose(condition, a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                let value = self.condition(condition)?.ite(&a.value, &b.value);
                Number::new(value, a.least.min(b.least), a.most.max(b.most))?
            }
            Node::Binary(operation, a, b) => self.translate_binary(operation, a, b)?,
            _ => return None,
        };
        Some(Meaning::Number(number))
    }

    fn translate_binary(&mut self, operation: Binary, a: Term, b: Term) -> Option<Number> {
        let width = self.terms.width(a);
        let by = self.constant(b);
        let shift = by.filter(|by| (0..width.into()).contains(by));
        // A divisor, read without a sign.
        let divisor = self.terms.as_constant(b).filter(|by| *by > 0);
        let divisor = divisor.map(|by| by as i128);
        match operation {
            Binary::Add => self.number(a).plus(&self.number(b)),
            Binary::Subtract => self.number(a).minus(&self.number(b)),
            Binary::Multiply => match (by, self.constant(a)) {
                (Some(by), _) => self.number(a).times(by),
                (_, Some(by)) => self.number(b).times(by),
                _ => self.product(a, b),
            },
            Binary::ShiftLeft => self.number(a).times(1 << shift?),
            Binary::LogicalShiftRight => Some(self.divide(a, Some(false), 1 << shift?)?.0),
            Binary::ArithmeticShiftRight => Some(self.divide(a, Some(true), 1 << shift?)?.0),
            Binary::UnsignedDivide | Binary::UnsignedRemainder => {
                let parts = match (self.terms.as_constant(b), divisor) {
                    (_, Some(by)) => self.divide(a, Some(false), by)?,
                    (None, _) => self.divide_by_value(a, b, false)?,
                    _ => return None,
                };
                Some(part_of(operation, parts))
            }
            Binary::SignedDivide | Binary::SignedRemainder => {
                let parts = match by {
                    Some(by) => self.divide_towards_zero(a, by)?,
                    None => self.divide_by_value(a, b, true)?,
                };
                Some(part_of(operation, parts))
            }
            Binary::And => self.masked(a, self.terms.as_constant(b)?),
            Binary::Or | Binary::Xor => None,
        }
    }

    /// The bits of a vector that are in a mask, if that has one run of ones.
    fn masked(&mut self, of: Term, mask: u128) -> Option<Number> {
        let low = mask.trailing_zeros() as u8;
        let high = (128 - mask.leading_zeros()) as u8;
        let ones = mask.count_ones() as u8;
        if mask == 0 || ones != high - low {
            return None;
        }
        let below = self.reduce(of, high, false)?;
        match low {
            0 => Some(below),
            _ => below.minus(&self.reduce(of, low, false)?),
        }
    }

    /// A new variable within bounds. Its name is the same in every run.
    fn fresh(&mut self, bounds: (i128, i128)) -> Number {
        self.variables += 1;
        self.bounded(Int::new_const(format!("w{}", self.variables)), bounds)
    }

    fn bounded(&mut self, variable: Int, (least, most): (i128, i128)) -> Number {
        self.facts.push(variable.ge(Int::from_i128(least)));
        self.facts.push(variable.le(Int::from_i128(most)));
        Number {
            value: variable,
            least,
            most,
        }
    }

    /// The value of a vector, with a sign or without one.
    fn value(&mut self, of: Term, is_signed: bool) -> Option<Number> {
        self.reduce(of, self.terms.width(of), is_signed)
    }

    /// The value of the lowest bits of a vector, with a sign or without one.
    fn reduce(&mut self, of: Term, bits: u8, is_signed: bool) -> Option<Number> {
        let number = self.number(of);
        let (least, most) = range(bits, is_signed);
        if number.least >= least && number.most <= most {
            return Some(number);
        }
        let key = (of, bits, is_signed);
        if let Some(known) = self.reduced.get(&key) {
            return Some(known.clone());
        }
        let power = 1i128 << bits;
        let times = (
            (number.least - least).div_euclid(power),
            (number.most - least).div_euclid(power),
        );
        let times = match times.0 == times.1 {
            true => Number::constant(times.0),
            false => self.fresh(times),
        };
        let reduced = number.minus(&times.times(power)?)?;
        let reduced = match times.least == times.most {
            true => reduced,
            false => {
                self.facts.push(reduced.leaves((least, most)).not());
                Number {
                    least,
                    most,
                    ..reduced
                }
            }
        };
        self.reduced.insert(key, reduced.clone());
        Some(reduced)
    }

    /// The quotient, rounded down, and the remainder of a division of a value, or of any integer
    /// that is congruent to it.
    fn divide(&mut self, of: Term, is_signed: Option<bool>, by: i128) -> Option<(Number, Number)> {
        let key = (of, is_signed, by);
        if let Some(known) = self.divided.get(&key) {
            return Some(known.clone());
        }
        let number = match is_signed {
            Some(is_signed) => self.value(of, is_signed)?,
            None => self.number(of),
        };
        let bounds = (number.least.div_euclid(by), number.most.div_euclid(by));
        let quotient = self.fresh(bounds);
        let remainder = number.minus(&quotient.times(by)?)?;
        self.facts.push(remainder.leaves((0, by - 1)).not());
        let remainder = Number {
            least: 0,
            most: by - 1,
            ..remainder
        };
        let divided = (quotient, remainder);
        self.divided.insert(key, divided.clone());
        Some(divided)
    }

    /// The quotient, rounded towards zero, and the remainder of a division of a value with a sign.
    fn divide_towards_zero(&mut self, of: Term, by: i128) -> Option<(Number, Number)> {
        if by <= 0 {
            return None;
        }
        let (quotient, remainder) = self.divide(of, Some(true), by)?;
        let number = self.value(of, true)?;
        if number.least >= 0 {
            return Some((quotient, remainder));
        }
        let zero = Int::from_i64(0);
        let is_negative = number.value.lt(&zero);
        let is_rounded = Bool::and(&[is_negative, remainder.value.gt(&zero)]);
        let more = |by: i128| is_rounded.ite(&Int::from_i128(by), &zero);
        let quotient = Number {
            value: &quotient.value + more(1),
            most: quotient.most + 1,
            ..quotient
        };
        let remainder = Number {
            value: &remainder.value - more(by),
            least: 1 - by,
            ..remainder
        };
        Some((quotient, remainder))
    }

    /// The product of two values, which are read as they are bounded best.
    fn product(&mut self, a: Term, b: Term) -> Option<Number> {
        let [a, b] = [a, b].map(|term| self.value(term, self.has_signs));
        self.times(&a?, &b?)
    }

    /// The quotient, rounded towards zero, and the remainder of a division by an unknown value.
    /// Where that is zero, they are what bit vectors define.
    fn divide_by_value(&mut self, a: Term, b: Term, is_signed: bool) -> Option<(Number, Number)> {
        let key = (a, b, is_signed);
        if let Some(known) = self.divided_by_values.get(&key) {
            return Some(known.clone());
        }
        self.is_linear = false;
        let [a, b] = [a, b].map(|term| self.value(term, is_signed));
        let (a, b) = a.zip(b)?;
        let [whole, by] = [&a, &b].map(|number| number.magnitude());
        let zero = Int::from_i64(0);
        let quotient = self.fresh((0, whole.most));
        let rest = self.fresh((0, whole.most));
        let product = &quotient.value * &by.value;
        let is_zero = b.value.eq(&zero);
        let is_whole = (&product + &rest.value).eq(&whole.value);
        let is_division = Bool::and(&[is_whole, rest.value.lt(&by.value)]);
        if b.least > 0 && a.least >= 0 {
            self.facts.push(is_division);
            let divided = (quotient, rest);
            self.divided_by_values.insert(key, divided.clone());
            return Some(divided);
        }
        self.facts.push(Bool::or(&[is_zero.clone(), is_division]));
        let is_negative = a.value.lt(&zero);
        let differ = is_negative.xor(b.value.lt(&zero));
        let signed =
            |number: &Number, is_negative: &Bool| is_negative.ite(&-&number.value, &number.value);
        let by_zero = is_negative.ite(&Int::from_i64(1), &Int::from_i64(-1));
        let most = whole.most.max(1);
        let quotient = Number::new(
            is_zero.ite(&by_zero, &signed(&quotient, &differ)),
            -most,
            most,
        )?;
        let rest = Number::new(
            is_zero.ite(&a.value, &signed(&rest, &is_negative)),
            a.least.min(-most),
            a.most.max(most),
        )?;
        let divided = (quotient, rest);
        self.divided_by_values.insert(key, divided.clone());
        Some(divided)
    }

    fn translate_condition(&mut self, term: Term) -> Option<Bool> {
        Some(match self.terms.node(term) {
            Node::Constant(value) => Bool::from_bool(value == 1),
            Node::Symbol(symbol) => {
                let variable = Bool::new_const(format!("v{}", symbol.index()));
                let meaning = Meaning::Condition(variable.clone());
                self.symbols.push((symbol, meaning));
                variable
            }
            Node::Not(a) => self.condition(a)?.not(),
            Node::Binary(Binary::And, a, b) => Bool::and(&[self.condition(a)?, self.condition(b)?]),
            Node::Binary(Binary::Or, a, b) => Bool::or(&[self.condition(a)?, self.condition(b)?]),
            Node::Binary(Binary::Xor, a, b) => self.condition(a)?.xor(self.condition(b)?),
            Node::Choose(c, a, b) => {
                let (a, b) = (self.condition(a)?, self.condition(b)?);
                self.condition(c)?.ite(&a, &b)
            }
            Node::Extract { of, low } => {
                let bit = match low {
                    0 => self.reduce(of, 1, false)?.value,
                    _ => {
                        let below = self.reduce(of, low, false)?;
                        let with = self.reduce(of, low + 1, false)?;
                        with.value - below.value
                    }
                };
                bit.gt(Int::from_i64(0))
            }
            Node::Test(Test::Equal, a, b) if self.terms.width(a) == 1 => {
                self.condition(a)?.eq(self.condition(b)?)
            }
            Node::Test(test, a, b) if self.terms.width(a) > 1 => self.translate_test(test, a, b)?,
            _ => return None,
        })
    }

    fn translate_test(&mut self, test: Test, a: Term, b: Term) -> Option<Bool> {
        let width = self.terms.width(a);
        let mut values = |is_signed: bool| {
            let values = (self.value(a, is_signed)?, self.value(b, is_signed)?);
            Some(values)
        };
        let (with_sign, without) = (range(width, true), range(width, false));
        Some(match test {
            Test::Equal => return self.are_equal(a, b),
            Test::UnsignedLess => values(false).map(|(x, y)| x.value.lt(&y.value))?,
            Test::UnsignedLessEqual => values(false).map(|(x, y)| x.value.le(&y.value))?,
            Test::SignedLess => values(true).map(|(x, y)| x.value.lt(&y.value))?,
            Test::SignedLessEqual => values(true).map(|(x, y)| x.value.le(&y.value))?,
            Test::UnsignedAddOverflow => {
                let (x, y) = values(false)?;
                x.plus(&y)?.leaves(without)
            }
            Test::SignedAddOverflow => {
                let (x, y) = values(true)?;
                x.plus(&y)?.leaves(with_sign)
            }
            Test::SignedSubtractOverflow => {
                let (x, y) = values(true)?;
                x.minus(&y)?.leaves(with_sign)
            }
            Test::UnsignedMultiplyOverflow => {
                let (x, y) = values(false)?;
                self.times(&x, &y)?.leaves(without)
            }
            Test::SignedMultiplyOverflow => {
                let (x, y) = values(true)?;
                self.times(&x, &y)?.leaves(with_sign)
            }
        })
    }

    /// The product of two integers.
    fn times(&mut self, x: &Number, y: &Number) -> Option<Number> {
        match (x.least == x.most, y.least == y.most) {
            (_, true) => x.times(y.least),
            (true, _) => y.times(x.least),
            _ => {
                self.is_linear = false;
                x.times_number(y)
            }
        }
    }

    /// Whether the difference of two vectors is a multiple of the power.
    fn are_equal(&mut self, a: Term, b: Term) -> Option<Bool> {
        let width = self.terms.width(a);
        let power = 1i128 << width;
        let difference = self.number(a).minus(&self.number(b))?;
        let first = -(-difference.least).div_euclid(power);
        let last = difference.most.div_euclid(power);
        if last - first < FEW {
            let multiples = (first..=last).map(|times| Int::from_i128(times * power));
            let equal: Vec<Bool> = multiples.map(|of| difference.value.eq(of)).collect();
            return Some(Bool::or(&equal));
        }
        let (x, y) = (
            self.value(a, self.has_signs)?,
            self.value(b, self.has_signs)?,
        );
        Some(x.value.eq(&y.value))
    }
}

#[cfg(test)]
mod tests {
    use super::solve;
    use crate::evaluate::{Evaluator, Values};
    use crate::term::{Binary, Symbol, Term, Terms, Test};
    use std::time::Duration;

    /// Numbers that look random.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (self.0 >> 33) as usize % bound
        }
    }

    /// Terms of 2 to 8 bits over two variables of 3 bits and one of one bit.
    fn made_up(terms: &Terms, symbols: [Symbol; 3], numbers: &mut Numbers) -> Vec<Term> {
        let [x, y, is] = symbols.map(|symbol| terms.variable(symbol));
        let mut made = vec![x, y, terms.zero_extend(is, 3)];
        for _ in 0..4 + numbers.below(6) {
            let a = made[numbers.below(made.len())];
            let width = terms.width(a);
            let constant = terms.constant(numbers.below(1 << width) as u128, width);
            let same = made.iter().filter(|&&term| terms.width(term) == width);
            let same: Vec<Term> = same.copied().collect();
            let other = same[numbers.below(same.len())];
            let b = if numbers.below(2) == 0 {
                other
            } else {
                constant
            };
            let new = match numbers.below(9) {
                0 if width < 7 => terms.zero_extend(a, width + 2),
                1 if width < 7 => terms.sign_extend(a, width + 2),
                2 if width > 2 => terms.extract(a, numbers.below(2) as u8, width - 1),
                3 if width < 5 => terms.concatenate(a, x),
                4 => terms.choose(is, a, other),
                5 => terms.not(a),
                _ => terms.binary(Binary::ALL[numbers.below(11)], a, b),
            };
            made.push(new);
        }
        made
    }

    /// Conditions on small numbers have a solution if some values are one.
    #[test]
    fn integers_have_the_solutions_of_bits() {
        let mut numbers = Numbers(7);
        let mut answers = [0, 0, 0];
        for _ in 0..1000 {
            let terms = Terms::new();
            let symbols =
                [("x", 3), ("y", 3), ("is", 1)].map(|(name, width)| terms.symbol(name, width));
            let made = made_up(&terms, symbols, &mut numbers);
            let mut conditions = Vec::new();
            for at in 0..2 {
                let a = made[made.len() - 1 - at];
                let width = terms.width(a);
                let constant = terms.constant(numbers.below(1 << width) as u128, width);
                let same = made.iter().filter(|&&term| terms.width(term) == width);
                let same: Vec<Term> = same.copied().collect();
                let other = same[numbers.below(same.len())];
                let b = if numbers.below(2) == 0 {
                    other
                } else {
                    constant
                };
                let test = Test::ALL[numbers.below(Test::ALL.len())];
                let condition = terms.test(test, a, b);
                let last = terms.extract(a, width - 1, 1);
                conditions.push(match numbers.below(4) {
                    0 => terms.not(condition),
                    1 => terms.or(condition, last),
                    _ => condition,
                });
            }
            let Some(found) = solve(&terms, &conditions, Duration::from_millis(300)) else {
                answers[2] += 1;
                continue;
            };
            let mut evaluator = Evaluator::new(&terms, &conditions);
            let mut holds = |values: &Values| !evaluator.run(values).contains(&0);
            let is_possible = (0..128).any(|all| {
                let values = symbols.into_iter().zip([all & 7, all >> 3 & 7, all >> 6]);
                holds(&Values::from_iter(values))
            });
            assert_eq!(found.is_some(), is_possible);
            assert!(found.iter().all(&mut holds), "a model is a solution");
            answers[usize::from(is_possible)] += 1;
        }
        assert!(answers[..2].iter().all(|&count| count > 100), "{answers:?}");
    }

    /// A product that a quotient bounds does not overflow.
    #[test]
    fn a_checked_product_does_not_overflow() {
        let terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| terms.variable(terms.symbol(name, 32)));
        let number = |value: u128, width: u8| terms.constant(value, width);
        let most = number(0x7fff_ffff, 32);
        let quotient = terms.binary(Binary::SignedDivide, most, b);
        let wide = terms.multiply(terms.sign_extend(a, 64), terms.sign_extend(b, 64));
        let is_more = terms.test(Test::SignedLess, number(0x7fff_ffff, 64), wide);
        let mut conditions = vec![
            terms.test(Test::SignedLess, number(0, 32), a),
            terms.test(Test::SignedLess, number(0, 32), b),
            terms.test(Test::SignedLessEqual, a, quotient),
            is_more,
        ];
        let answer = solve(&terms, &conditions, Duration::from_secs(20));
        assert!(matches!(answer, Some(None)));
        conditions[2] = terms.test(Test::SignedLessEqual, terms.subtract(a, b), quotient);
        let answer = solve(&terms, &conditions, Duration::from_secs(10));
        assert!(matches!(answer, Some(Some(_)) | None));
    }

    /// Three amounts, each of which leaves no room for the next to overflow.
    #[test]
    fn a_question_about_a_sum_is_answered_fast() {
        let terms = Terms::new();
        let number = |value: u128| terms.constant(value, 32);
        let mut balance = number(0);
        let mut conditions = Vec::new();
        for name in ["a", "b", "c", "d"] {
            let amount = terms.variable(terms.symbol(name, 32));
            let room = terms.subtract(number(0x7fff_ffff), balance);
            conditions.push(terms.test(Test::SignedLess, number(0), amount));
            conditions.push(terms.test(Test::SignedLessEqual, amount, room));
            balance = terms.add(balance, amount);
        }
        conditions.push(terms.test(Test::SignedLess, balance, number(0)));
        let answer = solve(&terms, &conditions, Duration::from_millis(100));
        assert!(matches!(answer, Some(None)));
    }
}
