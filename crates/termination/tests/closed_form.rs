//! Closed forms of inner loops against going around them iteration by iteration, from every state
//! of a few bits.

use impasse_solver::{Binary, Symbol, Term, Terms, Test, Values};
use impasse_termination::concolic::closed_form::{ClosedForm, Example, Inner};
use proptest::prelude::*;

const WIDTH: u8 = 4;
const VARIABLES: usize = 3;
const STATES: usize = 1 << (WIDTH as usize * VARIABLES);
/// With four bits, every loop that ends within more iterations than this repeats a state.
const MOST: u64 = 1 << (WIDTH as usize * VARIABLES);

/// How to make an iteration: numbers choose among what is possible.
#[derive(Clone, Debug)]
struct Recipe {
    updates: [(u8, u8); VARIABLES],
    conditions: Vec<(u8, Operand, Operand, bool)>,
    example: usize,
}

type Operand = (u8, u8, u8);

fn recipe() -> impl Strategy<Value = Recipe> {
    let operand = || (0u8..7, any::<u8>(), any::<u8>());
    let condition = (0u8..10, operand(), operand(), any::<bool>());
    (
        prop::array::uniform3((0u8..6, any::<u8>())),
        prop::collection::vec(condition, 1..4),
        0..STATES,
    )
        .prop_map(|(updates, conditions, example)| Recipe {
            updates,
            conditions,
            example,
        })
}

struct Iteration {
    symbols: Vec<Symbol>,
    updates: Vec<Term>,
    conditions: Vec<(Term, bool)>,
}

fn cook(terms: &Terms, recipe: &Recipe) -> Iteration {
    let symbols: Vec<Symbol> = (0..VARIABLES)
        .map(|at| terms.symbol(format!("x{at}"), WIDTH))
        .collect();
    let variable = |at: u8| terms.variable(symbols[usize::from(at) % VARIABLES]);
    let constant = |value: u8| terms.constant(value.into(), WIDTH);
    let update = |(at, &(kind, detail)): (usize, &(u8, u8))| {
        let own = variable(at as u8);
        match kind {
            0 => own,
            1 => terms.add(own, constant(1)),
            2 => terms.add(own, constant(detail)),
            3 => terms.add(own, variable(detail)),
            4 => variable(detail),
            _ => constant(detail),
        }
    };
    let operand = |(kind, a, b): Operand| match kind {
        0 | 1 => variable(a),
        2 => constant(a),
        3 => terms.add(variable(a), constant(b)),
        4 => terms.subtract(variable(a), variable(b)),
        5 => terms.binary(Binary::Multiply, variable(a), constant(b)),
        _ => terms.add(variable(a), variable(b)),
    };
    let condition = |&(kind, a, b, negated): &(u8, Operand, Operand, bool)| {
        let (a, b) = (operand(a), operand(b));
        let wide = |term| match negated {
            true => terms.sign_extend(term, 2 * WIDTH),
            false => terms.zero_extend(term, 2 * WIDTH),
        };
        match kind {
            0 => (terms.test(Test::SignedLess, a, b), !negated),
            1 => (terms.test(Test::UnsignedLess, a, b), !negated),
            2 => (terms.test(Test::SignedLessEqual, a, b), !negated),
            3 | 4 => (terms.differ(a, b), true),
            5 => (terms.test(Test::SignedLess, wide(a), wide(b)), true),
            6 => (terms.test(Test::SignedAddOverflow, a, b), false),
            7 => (terms.test(Test::SignedMultiplyOverflow, a, b), false),
            8 => (terms.test(Test::UnsignedLess, wide(a), wide(b)), true),
            _ => (terms.equal(a, b), true),
        }
    };
    Iteration {
        updates: recipe.updates.iter().enumerate().map(update).collect(),
        conditions: recipe.conditions.iter().map(condition).collect(),
        symbols,
    }
}

impl Iteration {
    fn state(&self, number: usize) -> Values {
        let value = |at: usize| (number >> (at * usize::from(WIDTH)) & 15) as u128;
        let symbols = self.symbols.iter().enumerate();
        symbols.map(|(at, &symbol)| (symbol, value(at))).collect()
    }

    fn is_taken(&self, terms: &Terms, state: &Values) -> bool {
        let mut conditions = self.conditions.iter();
        conditions.all(|&(condition, holds)| terms.holds(condition, state) == holds)
    }

    fn next(&self, terms: &Terms, state: &Values) -> Values {
        let values = self
            .updates
            .iter()
            .map(|&update| terms.value(update, state));
        self.symbols.iter().copied().zip(values).collect()
    }

    /// How often it is taken in a row from a state, if it is not forever.
    fn times(&self, terms: &Terms, mut state: Values) -> Option<u64> {
        for times in 0..MOST {
            if !self.is_taken(terms, &state) {
                return Some(times);
            }
            state = self.next(terms, &state);
        }
        None
    }

    fn closed_form(&self, terms: &Terms, example: usize) -> Option<ClosedForm> {
        let values = self.state(example);
        let iterations = self.times(terms, values.clone())?.checked_sub(1)?;
        let changes = self.symbols.iter().zip(&self.updates);
        let changes = changes.filter(|&(&symbol, &update)| update != terms.variable(symbol));
        let updates: Vec<(Symbol, Option<Term>)> = changes
            .map(|(&symbol, &update)| (symbol, Some(update)))
            .collect();
        let inner = Inner::new(terms, &updates);
        let example = Example {
            values: &values,
            iterations,
        };
        (iterations > 0).then(|| inner.closed_form(&self.conditions, &example))?
    }
}

/// Whether there is a closed form; panics if it is wrong from any state.
fn compare(recipe: &Recipe) -> bool {
    let terms = Terms::new();
    let iteration = cook(&terms, recipe);
    let Some(form) = iteration.closed_form(&terms, recipe.example) else {
        return false;
    };
    let changed = |symbol: &Symbol| form.after.contains_key(symbol);
    for number in 0..STATES {
        let first = iteration.state(number);
        let any = terms.holds(form.any, &first);
        let before = if any {
            terms.value(form.iterations, &first)
        } else {
            0
        };
        let mut last = first.clone();
        for (&symbol, &value) in &form.before_last {
            last.set(symbol, terms.value(value, &first));
        }
        // What is not added to is taken for settled when the last iteration starts.
        if before > 0 {
            let settled = iteration.next(&terms, &first);
            for &symbol in iteration.symbols.iter().filter(|symbol| !changed(symbol)) {
                last.set(symbol, settled.get(symbol));
            }
        }
        let facts = form.holds.iter().all(|&fact| terms.holds(fact, &first))
            && !form.wraps.iter().any(|&wrap| terms.holds(wrap, &first));
        let ends = iteration.is_taken(&terms, &first) && iteration.is_taken(&terms, &last);
        if any && !(facts && ends) {
            continue;
        }
        let mut state = first.clone();
        let count = if any { before + 1 } else { 0 };
        for done in 0..count {
            assert!(
                iteration.is_taken(&terms, &state),
                "after {done} iterations from {first:?}, the way is another"
            );
            if done == before {
                for symbol in form.before_last.keys() {
                    assert_eq!(state.get(*symbol), last.get(*symbol), "from {first:?}");
                }
            }
            state = iteration.next(&terms, &state);
        }
        for (&symbol, &value) in &form.after {
            assert_eq!(
                state.get(symbol),
                terms.value(value, &first),
                "from {first:?}"
            );
        }
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn closed_forms_are_what_iterations_do(recipe in recipe()) {
        compare(&recipe);
    }
}

/// The loops that people write have one.
#[test]
fn counting_up_and_down_has_one() {
    let conditions = |kind, a, b| vec![(kind, a, b, false)];
    let (x, y) = ((0, 0, 0), (0, 1, 0));
    let recipes = [
        // while (x < y) x++; with and without sign, while (x != y) x++; while (x < y) x += 3;
        ([(1, 0), (0, 0), (0, 0)], conditions(0, x, y), 0x030),
        ([(1, 0), (0, 0), (0, 0)], conditions(1, x, y), 0x0c0),
        ([(1, 0), (0, 0), (0, 0)], conditions(3, x, y), 0x030),
        ([(2, 3), (0, 0), (0, 0)], conditions(1, x, y), 0x080),
        // while (y < x) x--; while (x < y) { x++; y--; } while (x < y) x += z;
        ([(2, 15), (0, 0), (0, 0)], conditions(0, y, x), 0x005),
        ([(1, 0), (2, 15), (0, 0)], conditions(0, x, y), 0x050),
        ([(3, 2), (0, 0), (0, 0)], conditions(1, x, y), 0x2a0),
    ];
    for (updates, conditions, example) in recipes {
        let recipe = Recipe {
            updates,
            conditions,
            example,
        };
        assert!(compare(&recipe), "{recipe:?}");
    }
}
