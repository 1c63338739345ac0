//! Deciding bit-vector terms, with Z3.
//!
//! An answer of "satisfiable" never rests on the solver alone: its model is evaluated, and a model
//! that does not satisfy what was asked makes the answer "unknown".
//!
//! Z3's incremental solver is not asked again after a question that it gave up: a search that is
//! interrupted may leave clauses behind that refer to what the end of their level removes, and the
//! next question reads beyond its arrays. The next question goes to a new one with the same
//! conditions.

use crate::evaluate::{Evaluator, Values};
use crate::float;
use crate::integers;
use crate::modular;
use crate::operations::{binary, question};
use crate::term::{Binary, Node, Term, Terms, Test};
use crate::work;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::time::Duration;
use z3::SatResult;
use z3::ast::{Ast, BV, Bool, Float};

/// Values of variables that make every asserted condition true; checked by evaluation.
pub type Model = Values;

/// What a solver answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// All conditions hold under these values.
    Satisfiable(Model),
    /// No values make all conditions hold.
    Unsatisfiable,
    /// Not decided, and why not.
    Unknown(String),
}

impl Answer {
    /// Returns the model of a satisfiable question, or `None` for any other answer.
    pub fn model(self) -> Option<Model> {
        match self {
            Answer::Satisfiable(model) => Some(model),
            _ => None,
        }
    }

    /// Returns whether no values make the conditions hold.
    pub fn is_unsatisfiable(&self) -> bool {
        *self == Answer::Unsatisfiable
    }
}

/// A solver: conditions on a stack, and questions whether they hold together.
pub struct Solver<'t> {
    terms: &'t Terms,
    /// Z3's solver with the same conditions and levels; none after a question that it gave up.
    solver: RefCell<Option<z3::Solver>>,
    asserted: Vec<Term>,
    levels: Vec<usize>,
    translated: RefCell<FxHashMap<Term, Translated>>,
    /// Terms as floating-point numbers.
    floats: RefCell<FxHashMap<Term, Float>>,
    /// What divisions guarantee, which Z3 finds out by bits only, and which floating-point numbers
    /// have the bits of vectors.
    facts: RefCell<Vec<Bool>>,
    /// Whether integers are tried before bits.
    tries_integers: bool,
    /// Whether integers that wrap are tried before bits.
    tries_sums: bool,
    /// Whether of divisions by what is no constant nothing else is known than the facts.
    leaves_divisions: bool,
}

/// How much work a question may take in which only facts are known of divisions.
const LEAVING_DIVISIONS: Duration = Duration::from_millis(200);

/// How much work a question may take as one about integers that wrap.
const AS_SUMS: Duration = Duration::from_millis(200);

/// A term as Z3 sees it: conditions have a sort of their own there.
#[derive(Clone)]
enum Translated {
    Condition(Bool),
    Vector(BV),
}

impl<'t> Solver<'t> {
    /// Returns a solver without conditions.
    pub fn new(terms: &'t Terms) -> Solver<'t> {
        Solver {
            terms,
            solver: RefCell::default(),
            asserted: Vec::new(),
            levels: Vec::new(),
            translated: RefCell::default(),
            floats: RefCell::default(),
            facts: RefCell::default(),
            tries_integers: false,
            tries_sums: false,
            leaves_divisions: false,
        }
    }

    /// Returns the solver, which from now on solves conditions over unbounded integers where they
    /// are linear and no value can wrap.
    pub fn over_integers(self) -> Solver<'t> {
        Solver {
            tries_integers: true,
            ..self
        }
    }

    /// Returns the solver, which from now on tries at first to solve conditions over integers that
    /// wrap, where they are linear.
    pub fn over_sums(self) -> Solver<'t> {
        Solver {
            tries_sums: true,
            ..self
        }
    }

    /// Adds a condition. Panics unless it has one bit.
    pub fn assert(&mut self, condition: Term) {
        assert_eq!(self.terms.width(condition), 1, "a condition has one bit");
        if let Some(solver) = self.solver.borrow().as_ref() {
            solver.assert(self.condition(condition));
        }
        self.asserted.push(condition);
    }

    /// Opens a level that [`Solver::pop`] closes.
    pub fn push(&mut self) {
        if let Some(solver) = self.solver.get_mut() {
            solver.push();
        }
        self.levels.push(self.asserted.len());
    }

    /// Removes what was added since [`Solver::push`] opened the innermost level. Panics if none is
    /// open.
    pub fn pop(&mut self) {
        let length = self.levels.pop().expect("a level is open");
        if let Some(solver) = self.solver.get_mut() {
            solver.pop(1);
        }
        self.asserted.truncate(length);
    }

    /// Returns whether the conditions and the assumptions can hold together. The answer is
    /// [`Answer::Unknown`] if Z3 finds none within this `work` ([`crate::work`]), or the deadline
    /// of the thread is over. Panics unless each assumption has one bit.
    pub fn check(&self, assumptions: &[Term], work: Duration) -> Answer {
        if self.is_contradiction(assumptions) {
            return Answer::Unsatisfiable;
        }
        if work.is_zero() || work::is_late() {
            return Answer::Unknown("no work is left".into());
        }
        if self.tries_sums
            && let Some(answer) = self.as_sums(assumptions, work.min(AS_SUMS))
        {
            return answer;
        }
        if self.terms.has_divisions() && !self.leaves_divisions {
            let answer = self.without_divisions(assumptions, work.min(LEAVING_DIVISIONS));
            if let Some(answer) = answer {
                return answer;
            }
        }
        self.answer(assumptions, work)
    }

    /// Returns what [`Solver::check`] does without assumptions, but asks Z3 anew. Its incremental
    /// solver takes very long where products by constants are left no value. Panics if a level is
    /// open.
    pub fn check_anew(&self, work: Duration) -> Answer {
        assert!(self.levels.is_empty(), "all conditions are on one level");
        if work.is_zero() || work::is_late() {
            return Answer::Unknown("no work is left".into());
        }
        let solver = self.again();
        for fact in self.facts.borrow().iter() {
            solver.assert(fact);
        }
        match work::check(&solver, work) {
            SatResult::Unsat => Answer::Unsatisfiable,
            SatResult::Sat => self.checked_model(&solver, &[]),
            SatResult::Unknown => Answer::Unknown("Z3 has found no answer".into()),
        }
    }

    /// The answer over integers that wrap, if there is one.
    fn as_sums(&self, assumptions: &[Term], work: Duration) -> Option<Answer> {
        let all = self.with(assumptions);
        match modular::solve(self.terms, &all, work)? {
            None => Some(Answer::Unsatisfiable),
            Some(values) if self.satisfies(&values, &all) => Some(Answer::Satisfiable(values)),
            Some(_) => None,
        }
    }

    /// The answer where divisions by what is no constant may give all that facts of them allow:
    /// their bits often do not matter, and take long. What is unsatisfiable then is so in any case;
    /// a model is one if the divisions have their values in it, which evaluation shows.
    fn without_divisions(&self, assumptions: &[Term], work: Duration) -> Option<Answer> {
        let all = self.with(assumptions);
        let divides = |term: Term| match self.terms.node(term) {
            Node::Binary(operation, _, by) => {
                operation.is_division() && self.terms.as_constant(by).is_none()
            }
            _ => false,
        };
        if !self.terms.below(&all).into_iter().any(divides) {
            return None;
        }
        let solver = Solver {
            leaves_divisions: true,
            ..Solver::new(self.terms)
        };
        match solver.answer(&all, work) {
            Answer::Unknown(_) => None,
            decided => Some(decided),
        }
    }

    fn is_contradiction(&self, assumptions: &[Term]) -> bool {
        assumptions.iter().any(|&term| self.terms.is_false(term))
    }

    fn with(&self, assumptions: &[Term]) -> Vec<Term> {
        self.asserted.iter().chain(assumptions).copied().collect()
    }

    /// Whether all conditions hold under these values.
    fn satisfies(&self, values: &Values, conditions: &[Term]) -> bool {
        !Evaluator::new(self.terms, conditions)
            .run(values)
            .contains(&0)
    }

    fn answer(&self, assumptions: &[Term], work: Duration) -> Answer {
        if self.tries_integers {
            let all = self.with(assumptions);
            match integers::solve(self.terms, &all, work) {
                Some(None) => return Answer::Unsatisfiable,
                Some(Some(values)) if self.satisfies(&values, &all) => {
                    return Answer::Satisfiable(values);
                }
                _ => {}
            }
        }
        // Assumptions must be literals for some of Z3's solvers; a level of its own has no such
        // limit.
        let mut kept = self.solver.borrow_mut();
        if self.terms.has_floats() {
            // Z3 turns floating-point numbers into bits only where it is asked once.
            *kept = None;
        }
        let solver = kept.get_or_insert_with(|| self.again());
        let is_asked_once = self.terms.has_floats() && self.levels.is_empty();
        if !is_asked_once {
            solver.push();
        }
        for &assumption in assumptions {
            solver.assert(self.condition(assumption));
        }
        for fact in self.facts.borrow().iter() {
            solver.assert(fact);
        }
        let answer = match work::check(solver, work) {
            SatResult::Unsat => Answer::Unsatisfiable,
            SatResult::Sat => self.checked_model(solver, assumptions),
            SatResult::Unknown => {
                let reason = solver.get_reason_unknown();
                *kept = None;
                return Answer::Unknown(reason.unwrap_or_else(|| "no reason".into()));
            }
        };
        match is_asked_once {
            true => *kept = None,
            false => solver.pop(1),
        }
        answer
    }

    /// A new solver of Z3 with the same conditions on the same levels.
    fn again(&self) -> z3::Solver {
        let logic = match self.terms.has_floats() {
            true => "QF_BVFP",
            false => "QF_BV",
        };
        let solver = z3::Solver::new_for_logic(logic).unwrap_or_default();
        let mut levels = self.levels.iter().peekable();
        for (at, &condition) in self.asserted.iter().enumerate() {
            while levels.next_if(|&&start| start == at).is_some() {
                solver.push();
            }
            solver.assert(self.condition(condition));
        }
        levels.for_each(|_| solver.push());
        solver
    }

    fn checked_model(&self, solver: &z3::Solver, assumptions: &[Term]) -> Answer {
        let Some(found) = solver.get_model() else {
            return Answer::Unknown("the solver gives no model".into());
        };
        let all = self.with(assumptions);
        let mut values = Values::new();
        for symbol in self.terms.symbols_in(&all) {
            let value = match self.translate(self.terms.variable(symbol)) {
                Translated::Condition(condition) => found
                    .eval(&condition, true)
                    .and_then(|value| value.as_bool())
                    .map(u128::from),
                Translated::Vector(vector) => {
                    found.eval(&vector, true).and_then(|value| value_of(&value))
                }
            };
            match value {
                Some(value) => values.set(symbol, value),
                None => {
                    return Answer::Unknown(
                        "the solver's model has no value for a variable".into(),
                    );
                }
            }
        }
        if !self.satisfies(&values, &all) {
            return Answer::Unknown("the solver's model does not satisfy the conditions".into());
        }
        Answer::Satisfiable(values)
    }

    fn condition(&self, term: Term) -> Bool {
        match self.translate(term) {
            Translated::Condition(condition) => condition,
            Translated::Vector(_) => {
                unreachable!("a vector of width one is translated to a condition")
            }
        }
    }

    /// Translates a term and what it is made of; operands come first, so there is no recursion.
    fn translate(&self, root: Term) -> Translated {
        if let Some(done) = self.translated.borrow().get(&root) {
            return done.clone();
        }
        for term in self
            .terms
            .below_except(&[root], |term| self.translated.borrow().contains_key(&term))
        {
            let made = self.translate_node(term);
            self.translated.borrow_mut().insert(term, made);
        }
        self.translated.borrow()[&root].clone()
    }

    fn vector(&self, term: Term) -> BV {
        match &self.translated.borrow()[&term] {
            Translated::Vector(vector) => vector.clone(),
            Translated::Condition(condition) => {
                condition.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1))
            }
        }
    }

    fn known_condition(&self, term: Term) -> Option<Bool> {
        match &self.translated.borrow()[&term] {
            Translated::Condition(condition) => Some(condition.clone()),
            Translated::Vector(_) => None,
        }
    }

    fn translate_node(&self, term: Term) -> Translated {
        let width = u32::from(self.terms.width(term));
        if width == 1
            && let Some(condition) = self.translate_condition(term)
        {
            return Translated::Condition(condition);
        }
        let vector = match self.terms.node(term) {
            Node::Constant(value) => constant(value, width),
            Node::Symbol(symbol) => BV::new_const(format!("v{}", symbol.0), width),
            Node::Not(a) => self.vector(a).bvnot(),
            Node::Binary(operation, a, b) => {
                let (left, right) = (self.vector(a), self.vector(b));
                let is_fixed = self.terms.as_constant(b).is_some();
                let is_left = self.leaves_divisions && operation.is_division() && !is_fixed;
                let result = match is_left {
                    true => BV::new_const(format!("d{}", term.index()), width),
                    false => binary(operation, &left, &right),
                };
                if is_left {
                    let facts = more_division_facts(operation, (&left, &right), &result);
                    self.facts.borrow_mut().extend(facts);
                }
                if !is_fixed {
                    let facts = division_facts(operation, (&left, &right), &result);
                    self.facts.borrow_mut().extend(facts);
                }
                result
            }
            Node::Test(..) => unreachable!("tests are conditions"),
            Node::Choose(c, a, b) => {
                let condition = self.known_condition(c).expect("a condition");
                condition.ite(&self.vector(a), &self.vector(b))
            }
            Node::Extract { of, low } => self
                .vector(of)
                .extract(u32::from(low) + width - 1, low.into()),
            Node::Concatenate(a, b) => self.vector(a).concat(self.vector(b)),
            Node::ZeroExtend(a) => self
                .vector(a)
                .zero_ext(width - u32::from(self.terms.width(a))),
            Node::SignExtend(a) => self
                .vector(a)
                .sign_ext(width - u32::from(self.terms.width(a))),
            Node::Float(operation, a, b) => {
                let floats = (self.float(a), self.float(b));
                let vectors = (self.vector(a), self.vector(b));
                let floats = (&floats.0, &floats.1);
                let (float, bits) = float::computed(operation, floats, (&vectors.0, &vectors.1));
                self.floats.borrow_mut().insert(term, float);
                bits
            }
            Node::SquareRoot(a) => {
                let (float, bits) = float::root(&self.float(a), &self.vector(a));
                self.floats.borrow_mut().insert(term, float);
                bits
            }
            Node::ResizeFloat(a) => {
                let (float, bits) = float::resized(&self.float(a), &self.vector(a), width as u8);
                self.floats.borrow_mut().insert(term, float);
                bits
            }
        };
        if width == 1 {
            return Translated::Condition(vector.eq(BV::from_u64(1, 1)));
        }
        Translated::Vector(vector)
    }

    /// A term that is translated as a floating-point number.
    fn float(&self, term: Term) -> Float {
        if let Some(known) = self.floats.borrow().get(&term) {
            return known.clone();
        }
        let float = match self.terms.as_constant(term) {
            Some(bits) => float::constant_view(bits, self.terms.width(term)),
            None => {
                let (float, fact) = float::view(format!("f{}", term.0), &self.vector(term));
                self.facts.borrow_mut().push(fact);
                float
            }
        };
        self.floats.borrow_mut().insert(term, float.clone());
        float
    }

    /// A term of width one as a condition, where there is a direct form.
    fn translate_condition(&self, term: Term) -> Option<Bool> {
        Some(match self.terms.node(term) {
            Node::Constant(value) => Bool::from_bool(value == 1),
            Node::Symbol(symbol) => Bool::new_const(format!("v{}", symbol.0)),
            Node::Not(a) => self.known_condition(a)?.not(),
            Node::Binary(Binary::And, a, b) => {
                Bool::and(&[self.known_condition(a)?, self.known_condition(b)?])
            }
            Node::Binary(Binary::Or, a, b) => {
                Bool::or(&[self.known_condition(a)?, self.known_condition(b)?])
            }
            Node::Binary(Binary::Xor, a, b) => {
                self.known_condition(a)?.xor(&self.known_condition(b)?)
            }
            Node::Choose(c, a, b) => self
                .known_condition(c)?
                .ite(&self.known_condition(a)?, &self.known_condition(b)?),
            Node::Test(Test::Equal, a, b) if self.terms.width(a) == 1 => {
                self.known_condition(a)?.eq(&self.known_condition(b)?)
            }
            Node::Test(test, a, b) => question(test, &self.vector(a), &self.vector(b)),
            _ => return None,
        })
    }
}

fn constant(value: u128, width: u32) -> BV {
    if width <= 64 {
        return BV::from_u64(value as u64, width);
    }
    BV::from_u64((value >> 64) as u64, width - 64).concat(BV::from_u64(value as u64, 64))
}

fn value_of(vector: &BV) -> Option<u128> {
    let width = vector.get_size();
    if width <= 64 {
        return vector.as_u64().map(u128::from);
    }
    let high = vector.extract(width - 1, 64).simplify().as_u64()?;
    let low = vector.extract(63, 0).simplify().as_u64()?;
    Some(u128::from(high) << 64 | u128::from(low))
}

/// What holds of the result of a division.
fn division_facts(operation: Binary, (a, b): (&BV, &BV), result: &BV) -> Option<Bool> {
    let zero = BV::from_u64(0, b.get_size());
    let is_zero = b.eq(&zero);
    let is_natural = || Bool::and(&[a.bvsge(&zero), b.bvsgt(&zero)]);
    let is_below = || Bool::and(&[result.bvsge(&zero), result.bvsle(a)]);
    let fact = match operation {
        Binary::UnsignedDivide => Bool::or(&[is_zero, result.bvule(a)]),
        Binary::UnsignedRemainder => {
            Bool::or(&[is_zero, Bool::and(&[result.bvule(a), result.bvult(b)])])
        }
        Binary::SignedDivide => is_natural().implies(is_below()),
        Binary::SignedRemainder => {
            let is_less = Bool::and(&[result.bvslt(b), b.bvneg().bvslt(result)]);
            let is_less = b.bvsgt(&zero).implies(is_less);
            Bool::and(&[is_less, is_natural().implies(is_below())])
        }
        _ => return None,
    };
    Some(fact)
}

/// What else divisions guarantee, where nothing else is known of them: signs of remainders, that
/// these are smaller than negative divisors as well, that a divisor of two or more leaves half, and
/// that one that fits into the dividend has been taken from it at least once.
fn more_division_facts(operation: Binary, (a, b): (&BV, &BV), result: &BV) -> Option<Bool> {
    let width = a.get_size();
    let (zero, one) = (BV::from_u64(0, width), BV::from_u64(1, width));
    match operation {
        Binary::UnsignedDivide => Some(b.bvugt(&one).implies(result.bvule(a.bvlshr(&one)))),
        Binary::UnsignedRemainder => {
            let fits = Bool::and(&[b.bvugt(&zero), b.bvule(a)]);
            Some(fits.implies(result.bvule(a.bvsub(b))))
        }
        Binary::SignedRemainder => {
            let is_below = Bool::and(&[result.bvsle(&zero), result.bvsge(a)]);
            let is_above = Bool::and(&[result.bvsge(&zero), result.bvsle(a)]);
            let is_less = Bool::and(&[result.bvsgt(b), result.bvslt(b.bvneg())]);
            let has_size = Bool::and(&[b.bvslt(&zero), b.bvneg().bvsgt(&zero)]);
            let fits = Bool::and(&[b.bvsgt(&zero), b.bvsle(a)]);
            Some(Bool::and(&[
                fits.implies(result.bvsle(a.bvsub(b))),
                a.bvsle(&zero).implies(is_below),
                a.bvsge(&zero).implies(is_above),
                has_size.implies(is_less),
            ]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is noted of divisions is true of all operands of up to five bits.
    #[test]
    fn facts_hold_of_all_divisions() {
        for width in 1..=5 {
            let [a, b] = ["a", "b"].map(|name| BV::new_const(name, width));
            for operation in Binary::ALL.into_iter().filter(|one| one.is_division()) {
                let result = binary(operation, &a, &b);
                for facts in [division_facts, more_division_facts] {
                    let Some(fact) = facts(operation, (&a, &b), &result) else {
                        continue;
                    };
                    let solver = z3::Solver::new();
                    solver.assert(fact.not());
                    assert_eq!(solver.check(), SatResult::Unsat, "{operation:?} {width}");
                }
            }
        }
    }
}
