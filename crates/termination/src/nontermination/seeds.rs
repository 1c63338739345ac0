//! Inputs to start runs from: the example's, and others that differ where it matters.

use super::Budget;
use super::step::Step;
use impasse_solver::{Answer, Solver, Term, Terms, Test, Values, WIDEST};
use std::time::Duration;

/// How long one question may take.
const QUESTION: Duration = Duration::from_secs(2);
/// How many iterations the inputs are asked to lead through.
const ITERATIONS: usize = 5;
/// How many seeds there are at most.
const SEEDS: usize = 17;
/// Beyond this many variables not all combinations of signs are asked for.
const SIGNS: usize = 3;
/// Small numbers are up to this.
const SMALL: u128 = 20;

/// Inputs that lead through some iterations given as a function of the state, with entries of
/// different signs, parities and extremes.
pub(crate) fn of_function(step: &Step, taken: Term, next: &[Term], budget: &Budget) -> Vec<Values> {
    let terms = step.terms;
    let mut path = vec![step.stem()];
    let mut state = step.lasso.stem.entry.clone();
    for _ in 0..ITERATIONS {
        let mut roots = vec![taken];
        roots.extend(next);
        let mut made = terms.substitute(&roots, &step.at(&state));
        path.push(made.remove(0));
        state = made;
    }
    satisfying(step, &path, wishes(terms, &step.lasso.stem.entry), budget)
}

/// Inputs that lead through one iteration, whatever it reads, with small entries of all signs
/// first.
pub(crate) fn of_stem(step: &Step, budget: &Budget) -> Vec<Values> {
    let terms = step.terms;
    let entry = &step.lasso.stem.entry;
    let path = [step.stem(), step.symbolic(entry).taken];
    let open: Vec<Term> = entry
        .iter()
        .copied()
        .filter(|&value| terms.as_constant(value).is_none())
        .take(SIGNS)
        .collect();
    let mut asked = Vec::new();
    for is_small in [true, false] {
        for combination in 0..1usize << open.len() {
            let of_sign = |(at, &value): (usize, &Term)| {
                signed(terms, value, combination >> at & 1 == 1, is_small)
            };
            asked.push(terms.all(&open.iter().enumerate().map(of_sign).collect::<Vec<_>>()));
        }
    }
    asked.extend(wishes(terms, entry));
    satisfying(step, &path, asked, budget)
}

/// Whether a value is negative, or positive, and perhaps small.
fn signed(terms: &Terms, value: Term, negative: bool, is_small: bool) -> Term {
    let width = terms.width(value);
    let sign = terms.extract(value, width - 1, 1);
    let size = if negative { terms.negate(value) } else { value };
    let small = width > 6 && is_small;
    let bound = if small {
        SMALL
    } else {
        u128::MAX >> (WIDEST - width)
    };
    let is_bounded = terms.test(Test::UnsignedLessEqual, size, terms.constant(bound, width));
    let is_something = terms.differ(value, terms.constant(0, width));
    terms.all(&[
        if negative { sign } else { terms.not(sign) },
        is_bounded,
        is_something,
    ])
}

/// What to ask of the values at the entry so that runs differ.
fn wishes(terms: &Terms, entry: &[Term]) -> Vec<Term> {
    let mut wishes = vec![terms.boolean(true)];
    for &value in entry {
        let width = terms.width(value);
        let extremes = [
            u128::MAX,
            0,
            u128::MAX >> 1 >> (WIDEST - width),
            1 << (width - 1),
        ];
        wishes.extend(extremes.map(|extreme| terms.equal(value, terms.constant(extreme, width))));
        for bit in [0, width - 1] {
            let bit = terms.extract(value, bit, 1);
            wishes.extend([bit, terms.not(bit)]);
        }
    }
    wishes
}

fn satisfying(step: &Step, path: &[Term], wishes: Vec<Term>, budget: &Budget) -> Vec<Values> {
    let mut solver = Solver::new(step.terms);
    path.iter().for_each(|&condition| solver.assert(condition));
    let mut seeds = vec![step.lasso.stem.example.clone()];
    for wish in wishes
        .into_iter()
        .filter(|&wish| !step.terms.is_false(wish))
    {
        if seeds.len() == SEEDS || budget.is_spent() {
            break;
        }
        match solver.check(&[wish], budget.slice(QUESTION)) {
            Answer::Satisfiable(model) => {
                let inputs = &step.lasso.stem.inputs;
                let model = inputs
                    .iter()
                    .map(|input| (input.symbol, model.get(input.symbol)))
                    .collect();
                if !seeds.contains(&model) {
                    seeds.push(model);
                }
            }
            Answer::Unsatisfiable => {}
            Answer::Unknown(_) => break,
        }
    }
    seeds
}
