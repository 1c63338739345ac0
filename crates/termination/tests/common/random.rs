//! Random lassos over a few bits, and all runs of their tiny transition systems.

use super::{Body, Builder};
use impasse_solver::{Binary, Evaluator, Term, Terms, Test, Values};
use impasse_termination::problem::{Lasso, Reading};
use proptest::prelude::*;

pub const WIDTH: u8 = 3;
pub const VARIABLES: usize = 2;
pub const STATES: usize = 1 << (WIDTH as usize * VARIABLES);

/// Numbers that choose among what is possible.
#[derive(Clone, Debug)]
pub struct Recipe {
    entry: [u8; VARIABLES],
    assumed: Option<(u8, u8, u8)>,
    iterations: Vec<IterationRecipe>,
}

#[derive(Clone, Debug)]
pub struct IterationRecipe {
    reads: bool,
    operations: Vec<(u8, u8, u8)>,
    guards: Vec<(u8, u8, u8)>,
    hazards: Vec<(u8, u8, u8)>,
    updates: [u8; VARIABLES],
}

pub fn recipe() -> impl Strategy<Value = Recipe> {
    let triple = || any::<(u8, u8, u8)>();
    let iteration = (
        prop::bool::weighted(0.3),
        prop::collection::vec(triple(), 0..5),
        prop::collection::vec(triple(), 0..3),
        prop::collection::vec(triple(), 0..2),
        any::<[u8; VARIABLES]>(),
    )
        .prop_map(
            |(reads, operations, guards, hazards, updates)| IterationRecipe {
                reads,
                operations,
                guards,
                hazards,
                updates,
            },
        );
    let iterations = prop_oneof![3 => prop::collection::vec(iteration.clone(), 1), 1 => prop::collection::vec(iteration, 2)];
    (
        any::<[u8; VARIABLES]>(),
        prop::option::weighted(0.4, triple()),
        iterations,
    )
        .prop_map(|(entry, assumed, iterations)| Recipe {
            entry,
            assumed,
            iterations,
        })
}

fn pick(from: &[Term], choice: u8) -> Term {
    from[choice as usize % from.len()]
}

fn condition(terms: &Terms, values: &[Term], (kind, a, b): (u8, u8, u8)) -> Term {
    const TESTS: [Test; 7] = [
        Test::Equal,
        Test::UnsignedLess,
        Test::UnsignedLessEqual,
        Test::SignedLess,
        Test::SignedLessEqual,
        Test::SignedAddOverflow,
        Test::UnsignedAddOverflow,
    ];
    let term = terms.test(
        TESTS[kind as usize / 2 % TESTS.len()],
        pick(values, a),
        pick(values, b),
    );
    if kind % 2 == 0 { term } else { terms.not(term) }
}

fn operation(terms: &Terms, values: &[Term], (kind, a, b): (u8, u8, u8)) -> Term {
    const OPERATIONS: [Binary; 14] = [
        Binary::Add,
        Binary::Add,
        Binary::Subtract,
        Binary::Subtract,
        Binary::Multiply,
        Binary::UnsignedDivide,
        Binary::SignedDivide,
        Binary::UnsignedRemainder,
        Binary::ShiftLeft,
        Binary::LogicalShiftRight,
        Binary::ArithmeticShiftRight,
        Binary::And,
        Binary::Or,
        Binary::Xor,
    ];
    terms.binary(
        OPERATIONS[kind as usize % OPERATIONS.len()],
        pick(values, a),
        pick(values, b),
    )
}

pub fn cook(terms: &Terms, recipe: &Recipe) -> Lasso {
    let mut lasso = Builder::new(terms);
    let mut state = Vec::new();
    let mut inputs: Vec<Term> = Vec::new();
    for (at, &entry) in recipe.entry.iter().enumerate() {
        // Half of the variables are inputs, the others start from a constant.
        let value = if entry % 2 == 0 {
            inputs.push(lasso.input(&format!("i{at}"), WIDTH));
            inputs[inputs.len() - 1]
        } else {
            terms.constant(u128::from(entry / 2), WIDTH)
        };
        state.push(lasso.variable(&format!("x{at}"), value, Reading::Signed));
    }
    let constants = [0, 1, 2, 3, 7].map(|value| terms.constant(value, WIDTH));
    if let Some(assumed) = recipe.assumed {
        let values: Vec<Term> = inputs.iter().chain(&constants).copied().collect();
        lasso.assume(condition(terms, &values, assumed));
    }
    for iteration in &recipe.iterations {
        let mut body = Body::default();
        let mut values: Vec<Term> = state
            .iter()
            .chain(&state)
            .chain(&constants)
            .copied()
            .collect();
        if iteration.reads {
            let input = terms.symbol("in", WIDTH);
            body.inputs.push(input);
            values.push(terms.variable(input));
        }
        for &made in &iteration.operations {
            values.push(operation(terms, &values, made));
        }
        values.reverse();
        body.guard = iteration
            .guards
            .iter()
            .map(|&guard| condition(terms, &values, guard))
            .collect();
        body.hazards = iteration
            .hazards
            .iter()
            .map(|&hazard| condition(terms, &values, hazard))
            .collect();
        body.updates = iteration
            .updates
            .iter()
            .map(|&choice| pick(&values, choice))
            .collect();
        lasso.iteration(body);
    }
    lasso.done(&[])
}

/// All runs of a lasso.
pub struct Truth {
    /// For each state, its successors.
    pub successors: Vec<Vec<usize>>,
    /// Whether some run from it goes on forever.
    pub goes_on: Vec<bool>,
}

pub fn number(state: &[u128]) -> usize {
    state
        .iter()
        .fold(0, |number, &value| number << WIDTH | value as usize)
}

pub fn state(number: usize) -> Vec<u128> {
    (0..VARIABLES)
        .rev()
        .map(|at| (number >> (at * WIDTH as usize) & ((1 << WIDTH) - 1)) as u128)
        .collect()
}

pub fn explore(terms: &Terms, lasso: &Lasso) -> Truth {
    let mut successors = vec![Vec::new(); STATES];
    for iteration in &lasso.iterations {
        let mut roots = vec![iteration.taken(terms)];
        roots.extend(&iteration.updates);
        let mut evaluator = Evaluator::new(terms, &roots);
        for (from, successors) in successors.iter_mut().enumerate() {
            for input in 0..if iteration.inputs.is_empty() {
                1
            } else {
                1 << WIDTH
            } {
                let mut values: Values = lasso
                    .variables
                    .iter()
                    .map(|v| v.symbol)
                    .zip(state(from))
                    .collect();
                iteration
                    .inputs
                    .iter()
                    .for_each(|read| values.set(read.symbol, input));
                let made = evaluator.run(&values);
                if made[0] == 1 {
                    successors.push(number(&made[1..]));
                }
            }
        }
    }
    let mut goes_on = vec![true; STATES];
    loop {
        let next: Vec<bool> = (0..STATES)
            .map(|at| successors[at].iter().any(|&to| goes_on[to]))
            .collect();
        let next: Vec<bool> = next.iter().zip(&goes_on).map(|(&a, &b)| a && b).collect();
        if next == goes_on {
            return Truth {
                successors,
                goes_on,
            };
        }
        goes_on = next;
    }
}

/// The states in which the stem can lead to the cutpoint, for all its inputs.
pub fn entries(terms: &Terms, lasso: &Lasso) -> Vec<(Values, usize)> {
    let mut roots: Vec<Term> = lasso.stem.entry.clone();
    roots.extend(lasso.stem.conditions.iter().map(|condition| condition.term));
    let mut evaluator = Evaluator::new(terms, &roots);
    let inputs = lasso.stem.inputs.len();
    (0..1u128 << (inputs * WIDTH as usize))
        .filter_map(|choice| {
            let chosen = |at: usize| choice >> (at * WIDTH as usize) & ((1 << WIDTH) - 1);
            let values: Values = lasso
                .stem
                .inputs
                .iter()
                .enumerate()
                .map(|(at, input)| (input.symbol, chosen(at)))
                .collect();
            let made = evaluator.run(&values);
            made[VARIABLES..]
                .iter()
                .all(|&holds| holds == 1)
                .then(|| (values, number(&made[..VARIABLES])))
        })
        .collect()
}
