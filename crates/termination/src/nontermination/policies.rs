//! Strategies to choose the inputs that iterations read, as terms over the state.
//!
//! Any strategy is right: a recurrence set is checked under the one it was found with. Those tried
//! are, in order: what the iteration's own tests ask for (after `if (d != x) break;` it reads x),
//! then the same small constant everywhere, then the value of a variable, then what keeps variables
//! as they are (before `s += d - 2 * k` it reads 2k) or lets the next iteration's tests hold.

use super::step::Step;
use crate::problem::Iteration;
use impasse_solver::{Binary, Node, Polynomial, Symbol, Term, Terms, Test};
use rustc_hash::FxHashMap;

/// The strategies: for each iteration of the lasso a term for each of its inputs.
pub(super) fn policies(step: &Step) -> Vec<Vec<Vec<Term>>> {
    let terms = step.terms;
    if step.is_forced() {
        return vec![vec![Vec::new(); step.lasso.iterations.len()]];
    }
    let for_all = |choose: &dyn Fn(u8) -> Term| -> Vec<Vec<Term>> {
        let inputs_of = |iteration: &Iteration| {
            let inputs = iteration.inputs.iter();
            let chosen = inputs.map(|input| choose(terms.symbol_width(input.symbol)));
            chosen.collect()
        };
        step.lasso.iterations.iter().map(inputs_of).collect()
    };
    let asked_by = |tests: &dyn Fn(&Iteration) -> Vec<Term>| -> Option<Vec<Vec<Term>>> {
        let iterations = step.lasso.iterations.iter();
        iterations
            .map(|iteration| asked_for(terms, iteration, &tests(iteration)))
            .collect()
    };
    let asked = asked_by(&|iteration| tests_of(terms, iteration));
    let kept = asked_by(&|iteration| {
        let changes = step.state().into_iter().zip(&iteration.updates);
        let kept = changes.map(|(before, &after)| terms.equal(before, after));
        kept.chain(tests_of(terms, iteration)).collect()
    });
    let again = asked_by(&|iteration| {
        let tests = tests_of(terms, iteration);
        let later = terms.substitute(
            &over_state(terms, iteration, &tests),
            &step.at(&iteration.updates),
        );
        later.into_iter().chain(tests).collect()
    });
    let constants =
        [0, 1, u128::MAX, 2].map(|value| for_all(&|width| terms.constant(value, width)));
    let variables = step.state().into_iter().map(|variable| {
        let like = |width| match terms.width(variable) == width {
            true => variable,
            false => terms.constant(0, width),
        };
        for_all(&like)
    });
    let all = asked.into_iter().chain(constants);
    let all = all.chain(variables).chain(kept).chain(again);
    let mut policies = Vec::new();
    for policy in all {
        if !policies.contains(&policy) {
            policies.push(policy);
        }
    }
    policies
}

/// What holds if an iteration is taken.
fn tests_of(terms: &Terms, iteration: &Iteration) -> Vec<Term> {
    let guard = iteration.guard.iter();
    guard
        .flat_map(|condition| conjuncts(terms, condition.term))
        .collect()
}

/// The tests that speak of nothing that the iteration reads.
fn over_state(terms: &Terms, iteration: &Iteration, tests: &[Term]) -> Vec<Term> {
    let is_read = |symbol| iteration.inputs.iter().any(|input| input.symbol == symbol);
    let speaks = |test: Term| terms.symbols_in(&[test]).into_iter().any(is_read);
    tests
        .iter()
        .copied()
        .filter(|&test| !speaks(test))
        .collect()
}

/// The parts of a conjunction.
pub(crate) fn conjuncts(terms: &Terms, condition: Term) -> Vec<Term> {
    let mut parts = Vec::new();
    let mut open = vec![condition];
    while let Some(part) = open.pop() {
        match terms.node(part) {
            Node::Binary(Binary::And, a, b) if terms.width(part) == 1 => open.extend([a, b]),
            _ => parts.push(part),
        }
    }
    parts
}

/// The inputs of an iteration that make tests hold, each test taken by itself; `None` if no test
/// asks for anything. An input that no test speaks of is zero.
fn asked_for(terms: &Terms, iteration: &Iteration, tests: &[Term]) -> Option<Vec<Term>> {
    let inputs: Vec<Symbol> = iteration.inputs.iter().map(|input| input.symbol).collect();
    let mut chosen: FxHashMap<Symbol, Term> = FxHashMap::default();
    // An equation leaves no choice, so it comes before what does.
    for is_equation in [true, false] {
        for &test in tests {
            let test = terms.substitute(&[test], &chosen)[0];
            let of_kind = terms.difference(test).is_some() == is_equation;
            let found = of_kind.then(|| solved(terms, test, &inputs)).flatten();
            if let Some((input, value)) = found {
                chosen.insert(input, value);
            }
        }
    }
    let zero = |input| terms.constant(0, terms.symbol_width(input));
    let reads = inputs.iter().map(|input| chosen.get(input).copied());
    let reads: Vec<Option<Term>> = reads.collect();
    let is_asked = reads.iter().any(Option::is_some);
    let reads = reads.into_iter().zip(&inputs);
    is_asked.then(|| {
        reads
            .map(|(read, &input)| read.unwrap_or_else(|| zero(input)))
            .collect()
    })
}

/// An input that a test speaks of once, alone or in a sum, and the value over the state and no
/// inputs that makes it hold, unless something wraps around or does not fit a narrower input.
fn solved(terms: &Terms, test: Term, inputs: &[Symbol]) -> Option<(Symbol, Term)> {
    let (positive, holds) = match terms.node(test) {
        Node::Not(inner) => (inner, false),
        _ => (test, true),
    };
    let Node::Test(kind, left, right) = terms.node(positive) else {
        return None;
    };
    let width = terms.width(left);
    let minus_one = terms.constant(u128::MAX, width);
    let difference = terms
        .polynomial(left)
        .plus(&terms.polynomial(right), u128::MAX);
    // What left − right has to be.
    let wanted = match (kind, holds) {
        (Test::Equal, true)
        | (Test::UnsignedLessEqual | Test::SignedLessEqual, true)
        | (Test::UnsignedLess | Test::SignedLess, false) => terms.constant(0, width),
        (Test::UnsignedLess | Test::SignedLess, true) => minus_one,
        (Test::Equal | Test::UnsignedLessEqual | Test::SignedLessEqual, false) => {
            terms.constant(1, width)
        }
        _ => return None,
    };
    let speaks_of = |input: Symbol| {
        let narrow = terms.symbol_width(input);
        let read = terms.variable(input);
        let as_wide = [
            terms.zero_extend(read, width),
            terms.sign_extend(read, width),
        ];
        let mut found = difference.monomials();
        let (factors, by) =
            found.find(|(factors, _)| as_wide.iter().any(|wide| **factors == [*wide]))?;
        let rest = difference.clone().plus(
            &Polynomial::monomial(factors.to_vec(), width),
            by.wrapping_neg(),
        );
        let rest = terms.sum_of(&rest);
        let value = match by {
            1 => terms.subtract(wanted, rest),
            _ if terms.constant(by, width) == minus_one => terms.subtract(rest, wanted),
            _ => return None,
        };
        let others = terms.symbols_in(&[value]);
        let is_over_state = !others.iter().any(|symbol| inputs.contains(symbol));
        is_over_state.then(|| (input, terms.extract(value, 0, narrow)))
    };
    let fits = |&input: &Symbol| terms.symbol_width(input) <= width;
    inputs.iter().copied().filter(fits).find_map(speaks_of)
}
