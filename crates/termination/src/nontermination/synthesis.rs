//! Components of ranking functions made of examples.
//!
//! A component is an affine expression e over the state, or its positive part max(e, 0), which is
//! one phase of a loop: once e is negative it stays so, and other components decrease. Unknown
//! coefficients that fit examples of iterations (no example makes the component greater, the first
//! makes it smaller) are linear conditions. Each iteration that refutes a guess becomes an example.
//! Where the coefficients come from does not matter: what is found is asked of all iterations, over
//! vectors wide enough for nothing to wrap around.

use super::Budget;
use super::components::{compared, ordered};
use super::step::Step;
use impasse_solver::linear::{Descent, Form, descending};
use impasse_solver::{Evaluator, Model, Symbol, Term, Test, WIDEST};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::time::Duration;

/// Of so many variables components are made.
const VARIABLES: usize = 8;
/// The greatest coefficients that are tried, in this order.
const COEFFICIENTS: [u32; 3] = [1, 4, 100];
/// By how much a component is wider than the widest variable.
const ROOM: u8 = 16;
/// So many guesses may be refuted for one form of component.
const GUESSES: usize = 24;
/// After so many guesses of which it is not found out whether they are right, no more are made.
const UNDECIDED: usize = 4;
/// How long one guess may take.
const GUESS: Duration = Duration::from_millis(500);

/// An iteration on some state and inputs.
pub(super) struct Change {
    /// The state after the iteration.
    pub next: Vec<Term>,
    /// The state and the inputs.
    pub model: Model,
}

/// What came of asking whether a component grows.
pub(super) enum Trial {
    /// It does here.
    Grows(Change),
    /// It never does.
    Holds,
    /// It is not known.
    Unknown,
}

/// A component that never grows and that one of the examples makes smaller, if one is found.
pub(super) fn component(
    step: &Step,
    examples: Vec<Change>,
    ask: &dyn Fn(Term) -> Trial,
    budget: &Budget,
) -> Option<Term> {
    let numbers = Numbers::of(step)?;
    let mut known: Vec<Descent> = examples.iter().map(|one| numbers.descent(one)).collect();
    let undecided = Cell::new(0);
    let ask = &|component: Term| {
        let trial = ask(component);
        undecided.set(undecided.get() + usize::from(matches!(trial, Trial::Unknown)));
        trial
    };
    for largest in COEFFICIENTS {
        for is_cut in [false, true] {
            for first in 0..examples.len() {
                let form = Form { largest, is_cut };
                let found = numbers.guessed((&mut known, first), form, ask, budget);
                if found.is_some() || budget.is_spent() || undecided.get() >= UNDECIDED {
                    return found;
                }
            }
        }
    }
    None
}

/// The state as numbers.
struct Numbers<'a, 's> {
    step: &'a Step<'s>,
    /// Terms of one width.
    wide: Vec<Term>,
    /// Which of them are read without sign, and how wide they were.
    readings: Vec<(bool, u8)>,
    state: Vec<Term>,
    width: u8,
}

impl<'a, 's> Numbers<'a, 's> {
    /// `None` if there are none, or too wide ones.
    fn of(step: &'a Step<'s>) -> Option<Numbers<'a, 's>> {
        let terms = step.terms;
        let mut unsigned: FxHashSet<Symbol> = FxHashSet::default();
        let mut signed: FxHashSet<Symbol> = FxHashSet::default();
        for (a, b, is_signed) in compared(step) {
            let below = terms.symbols_in(&[a, b]);
            match is_signed {
                true => signed.extend(below),
                false => unsigned.extend(below),
            }
        }
        let mut state = step.state();
        state.retain(|&variable| terms.width(variable) > 1);
        state.truncate(VARIABLES);
        let widest = state.iter().map(|&variable| terms.width(variable)).max()?;
        let width = widest.checked_add(ROOM).filter(|&width| width <= WIDEST)?;
        let mut readings = Vec::new();
        let mut wide = Vec::new();
        for &variable in &state {
            let symbol = terms.symbols_in(&[variable])[0];
            let is_unsigned = unsigned.contains(&symbol) && !signed.contains(&symbol);
            readings.push((is_unsigned, terms.width(variable)));
            wide.push(match is_unsigned {
                true => terms.zero_extend(variable, width),
                false => terms.sign_extend(variable, width),
            });
        }
        Some(Numbers {
            step,
            wide,
            readings,
            state,
            width,
        })
    }

    fn descent(&self, change: &Change) -> Descent {
        let terms = self.step.terms;
        let variables = self.step.lasso.variables.iter();
        let after: FxHashMap<Symbol, Term> = variables
            .map(|variable| variable.symbol)
            .zip(change.next.iter().copied())
            .collect();
        let images = terms.substitute(&self.state, &after);
        let values = |of: &[Term]| {
            let values = Evaluator::new(terms, of).run(&change.model);
            let pairs = values.into_iter().zip(&self.readings);
            pairs
                .map(|(value, &reading)| number(value, reading))
                .collect()
        };
        Descent {
            before: values(&self.state),
            after: values(&images),
        }
    }

    /// A component of a form, guessed from examples until no iteration refutes it.
    fn guessed(
        &self,
        (known, first): (&mut Vec<Descent>, usize),
        form: Form,
        ask: &dyn Fn(Term) -> Trial,
        budget: &Budget,
    ) -> Option<Term> {
        for _ in 0..GUESSES {
            let time = budget.slice(GUESS);
            if time.is_zero() {
                return None;
            }
            let (coefficients, constant) = descending(known, first, form, time)?;
            let component = self.term(&coefficients, &constant, form)?;
            match ask(component) {
                Trial::Grows(change) => known.push(self.descent(&change)),
                Trial::Holds => return Some(component),
                Trial::Unknown => return None,
            }
        }
        None
    }

    fn term(&self, coefficients: &[BigInt], constant: &BigInt, form: Form) -> Option<Term> {
        let terms = self.step.terms;
        let number =
            |value: &BigInt| Some(terms.constant(i128::try_from(value).ok()? as u128, self.width));
        let mut sum = number(constant)?;
        for (&variable, by) in self.wide.iter().zip(coefficients) {
            sum = terms.add(sum, terms.multiply(variable, number(by)?));
        }
        let zero = terms.constant(0, self.width);
        let is_negative = terms.test(Test::SignedLess, sum, zero);
        Some(match form.is_cut {
            true => terms.choose(is_negative, zero, sum),
            false => ordered(terms, sum),
        })
    }
}

/// The number that bits stand for.
fn number(bits: u128, (is_unsigned, width): (bool, u8)) -> BigInt {
    let unused = 128 - u32::from(width);
    match is_unsigned {
        true => BigInt::from(bits),
        false => BigInt::from(((bits << unused) as i128) >> unused),
    }
}
