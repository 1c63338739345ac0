//! Conditions on vectors as linear conditions on unbounded integers.
//!
//! Z3 decides these fast where it has to divide, as in conditions on times and their seconds; of
//! bits, it takes long. *Claim.* Both have the same solutions. Each vector is translated to the
//! integer that is its value: with sign for vectors of 64 bits, without sign for narrower ones.
//! Where the range of an operation shows that it may wrap, the result is less by a multiple of
//! 2^64; if it is narrower, or has no linear translation, it is not translated.

use crate::evaluate::Values;
use crate::term::{Binary, Node, Symbol, Term, Terms, Test, mask, signed};
use crate::work;
use rustc_hash::FxHashMap;
use std::time::Duration;
use z3::SatResult;
use z3::ast::{Bool, Int};

/// The width of vectors that have a sign.
const SIGNED: u8 = 64;

/// An integer, with bounds.
#[derive(Clone)]
struct Number {
    value: Int,
    least: i128,
    most: i128,
}

impl Number {
    fn new(value: Int, least: i128, most: i128) -> Number {
        Number { value, least, most }
    }
}

/// What a term is translated to.
#[derive(Clone)]
enum Meaning {
    Condition(Bool),
    Number(Number),
}

/// Values with which all conditions hold, or `None` if there are none. Returns `None` as a whole
/// if they are not translated, or this work finds no answer.
pub(crate) fn solve(terms: &Terms, conditions: &[Term], work: Duration) -> Option<Option<Values>> {
    let mut translation = Translation {
        terms,
        known: FxHashMap::default(),
        divisions: FxHashMap::default(),
        symbols: Vec::new(),
        facts: Vec::new(),
    };
    for term in terms.below(conditions) {
        let meaning = translation.translate(term)?;
        translation.known.insert(term, meaning);
    }
    let solver = z3::Solver::new_for_logic("QF_LIA")?;
    for condition in conditions {
        solver.assert(translation.condition(*condition)?);
    }
    translation
        .facts
        .iter()
        .for_each(|fact| solver.assert(fact));
    match work::check(&solver, work) {
        SatResult::Unsat => Some(None),
        SatResult::Unknown => None,
        SatResult::Sat => {
            let model = solver.get_model()?;
            let mut values = Values::new();
            for (symbol, variable) in &translation.symbols {
                let value = model.eval(variable, true)?.as_i64()?;
                values.set(*symbol, u128::try_from(value).ok()?);
            }
            Some(Some(values))
        }
    }
}

struct Translation<'t> {
    terms: &'t Terms,
    known: FxHashMap<Term, Meaning>,
    /// Quotients and remainders by constants.
    divisions: FxHashMap<(Term, i128), (Number, Number)>,
    symbols: Vec<(Symbol, Int)>,
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

    fn number(&self, term: Term) -> Option<Number> {
        match &self.known[&term] {
            Meaning::Number(number) => Some(number.clone()),
            Meaning::Condition(_) => None,
        }
    }

    /// The value of a constant.
    fn constant(&self, term: Term) -> Option<i128> {
        let (value, width) = (self.terms.as_constant(term)?, self.terms.width(term));
        Some(match width {
            SIGNED => signed(value, width),
            _ => value as i128,
        })
    }

    fn translate(&mut self, term: Term) -> Option<Meaning> {
        let width = self.terms.width(term);
        if width > SIGNED {
            return None;
        }
        if width == 1 {
            return self.translate_condition(term).map(Meaning::Condition);
        }
        let number = match self.terms.node(term) {
            Node::Constant(_) => {
                let value = self.constant(term)?;
                Number::new(Int::from_i64(value.try_into().ok()?), value, value)
            }
            Node::Symbol(symbol) if width < SIGNED => {
                let variable = Int::new_const(format!("v{}", symbol.index()));
                self.symbols.push((symbol, variable.clone()));
                self.bounded(variable, 0, mask(width) as i128)
            }
            Node::ZeroExtend(inner) => self.number(inner)?,
            Node::Choose(condition, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                let value = self.condition(condition)?.ite(&a.value, &b.value);
                Number::new(value, a.least.min(b.least), a.most.max(b.most))
            }
            Node::Binary(operation, a, b) => self.translate_binary(operation, a, b)?,
            _ => return None,
        };
        if width == SIGNED {
            return Some(Meaning::Number(self.wrapped(number)));
        }
        let fits = number.least >= 0 && number.most <= mask(width) as i128;
        fits.then_some(Meaning::Number(number))
    }

    /// A vector of 64 bits that is a number, which may be too large: then another one, less a
    /// multiple of 2^64.
    fn wrapped(&mut self, number: Number) -> Number {
        let (least, most) = (i128::from(i64::MIN), i128::from(i64::MAX));
        if number.least >= least && number.most <= most {
            return number;
        }
        let wrapped = self.bounded(Int::fresh_const("wrapped"), least, most);
        let times = Int::fresh_const("times") * Int::from_i128(1 << SIGNED);
        self.facts.push((times + &wrapped.value).eq(&number.value));
        wrapped
    }

    /// A new variable within bounds.
    fn bounded(&mut self, variable: Int, least: i128, most: i128) -> Number {
        self.facts.push(variable.ge(Int::from_i128(least)));
        self.facts.push(variable.le(Int::from_i128(most)));
        Number::new(variable, least, most)
    }

    fn translate_binary(&mut self, operation: Binary, a: Term, b: Term) -> Option<Number> {
        let (left, right) = (self.number(a)?, self.number(b)?);
        let (x, y) = (&left.value, &right.value);
        Some(match operation {
            Binary::Add => Number::new(x + y, left.least + right.least, left.most + right.most),
            Binary::Subtract => {
                Number::new(x - y, left.least - right.most, left.most - right.least)
            }
            Binary::Multiply => {
                let by = self.constant(b)?;
                let ends = [left.least.checked_mul(by)?, left.most.checked_mul(by)?];
                Number::new(x * y, ends[0].min(ends[1]), ends[0].max(ends[1]))
            }
            Binary::SignedDivide if self.terms.width(a) == SIGNED => {
                self.divide(a, self.constant(b)?)?.0
            }
            Binary::SignedRemainder if self.terms.width(a) == SIGNED => {
                self.divide(a, self.constant(b)?)?.1
            }
            Binary::UnsignedDivide if left.least >= 0 => self.divide(a, self.constant(b)?)?.0,
            Binary::UnsignedRemainder if left.least >= 0 => self.divide(a, self.constant(b)?)?.1,
            _ => return None,
        })
    }

    /// The quotient and the remainder, towards zero.
    fn divide(&mut self, term: Term, by: i128) -> Option<(Number, Number)> {
        if by <= 0 {
            return None;
        }
        if let Some(known) = self.divisions.get(&(term, by)) {
            return Some(known.clone());
        }
        let of = self.number(term)?;
        let quotient = Int::fresh_const("quotient");
        let quotient = self.bounded(quotient, of.least / by, of.most / by);
        let least = if of.least < 0 { 1 - by } else { 0 };
        let remainder = Int::fresh_const("remainder");
        let remainder = self.bounded(remainder, least, by - 1);
        let product = &quotient.value * Int::from_i128(by);
        self.facts.push((product + &remainder.value).eq(&of.value));
        if of.least < 0 {
            let zero = Int::from_i64(0);
            let (is_up, is_down) = (of.value.ge(&zero), of.value.le(&zero));
            self.facts.push(is_up.implies(remainder.value.ge(&zero)));
            self.facts.push(is_down.implies(remainder.value.le(&zero)));
        }
        self.divisions
            .insert((term, by), (quotient.clone(), remainder.clone()));
        Some((quotient, remainder))
    }

    fn translate_condition(&mut self, term: Term) -> Option<Bool> {
        Some(match self.terms.node(term) {
            Node::Constant(value) => Bool::from_bool(value == 1),
            Node::Not(a) => self.condition(a)?.not(),
            Node::Binary(Binary::And, a, b) => Bool::and(&[self.condition(a)?, self.condition(b)?]),
            Node::Binary(Binary::Or, a, b) => Bool::or(&[self.condition(a)?, self.condition(b)?]),
            Node::Choose(c, a, b) => {
                let (a, b) = (self.condition(a)?, self.condition(b)?);
                self.condition(c)?.ite(&a, &b)
            }
            Node::Test(test, a, b) if self.terms.width(a) > 1 => {
                let is_signed = self.terms.width(a) == SIGNED;
                let (left, right) = (self.number(a)?, self.number(b)?);
                let has_no_sign = left.least >= 0 && right.least >= 0;
                let (x, y) = (&left.value, &right.value);
                match test {
                    Test::Equal => x.eq(y),
                    Test::SignedLess if is_signed => x.lt(y),
                    Test::SignedLessEqual if is_signed => x.le(y),
                    Test::UnsignedLess if has_no_sign => x.lt(y),
                    Test::UnsignedLessEqual if has_no_sign => x.le(y),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::evaluate::{Evaluator, Values};
    use crate::solver::{Answer, Solver};
    use crate::term::{Binary, Term, Terms, Test};
    use std::time::Duration;

    /// Conditions on two small numbers that are widened have a solution if some values are one.
    #[test]
    fn integers_have_the_solutions_of_bits() {
        let terms = Terms::new();
        let symbols = ["x", "y"].map(|name| terms.symbol(name, 4));
        let [x, y] = symbols.map(|symbol| terms.zero_extend(terms.variable(symbol), 64));
        let number = |value: i64| terms.constant(value as u64 as u128, 64);
        let mut values = vec![x, terms.subtract(x, y), terms.add(x, number(-9))];
        for operation in [
            Binary::SignedDivide,
            Binary::SignedRemainder,
            Binary::UnsignedDivide,
            Binary::UnsignedRemainder,
            Binary::Multiply,
        ] {
            let of = |value: Term| terms.binary(operation, value, number(7));
            values.extend([of(y), of(values[1]), of(values[2])]);
        }
        let limit = Duration::from_secs(20);
        let mut answers = [0, 0];
        for (n, &value) in values.iter().enumerate() {
            for (m, &other) in values.iter().enumerate().skip(n + 1).step_by(4) {
                for test in &Test::ALL[..5] {
                    let test = *test;
                    let more = number((n * 5 + m) as i64 % 20 - 9);
                    let first = terms.test(test, terms.add(value, more), other);
                    let second = terms.test(Test::SignedLess, other, number(m as i64 % 5 - 2));
                    let conditions = [first, second, terms.differ(x, y)];
                    let linear = Solver::new(&terms).over_integers();
                    let answer = linear.check(&conditions, limit);
                    let mut evaluator = Evaluator::new(&terms, &conditions);
                    let is_possible = (0..256).any(|both| {
                        let values = symbols.into_iter().zip([both / 16, both % 16]);
                        !evaluator.run(&Values::from_iter(values)).contains(&0)
                    });
                    let is_found = matches!(answer, Answer::Satisfiable(_));
                    assert_eq!(is_found, is_possible);
                    assert!(is_found || answer.is_unsatisfiable(), "{answer:?}");
                    answers[usize::from(is_possible)] += 1;
                }
            }
        }
        assert!(answers.iter().all(|&count| count > 50), "{answers:?}");
    }

    #[test]
    fn a_question_about_seconds_is_answered_fast() {
        let terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| {
            let variable = terms.variable(terms.symbol(name, 62));
            terms.zero_extend(variable, 64)
        });
        let second = terms.constant(1_000_000_000, 64);
        let seconds = |time| terms.binary(Binary::SignedDivide, time, second);
        let later = terms.test(Test::SignedLessEqual, terms.add(x, second), y);
        let early = terms.test(Test::SignedLessEqual, seconds(y), seconds(x));
        let solver = Solver::new(&terms).over_integers();
        let answer = solver.check(&[later, early], Duration::from_secs(10));
        assert!(answer.is_unsatisfiable(), "{answer:?}");
    }
}
