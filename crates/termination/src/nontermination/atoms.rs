//! Candidates for the conjuncts of a set of states: conditions over the variables that hold in
//! every state of a sample.
//!
//! The vocabulary is what loops are controlled by: the conditions that the lasso itself tests,
//! bounds of variables at landmarks (zero, the constants of the loop, the least and greatest values
//! seen), low bits and remainders, and relations between two variables. Whoever uses the candidates
//! finds out which of them are preserved.

use super::step::Step;
use impasse_solver::{Binary, Evaluator, Node, Symbol, Term, Terms, Test, Values};
use rustc_hash::FxHashSet;

/// Beyond this many variables relations between two are not tried.
const RELATED: usize = 12;
/// Beyond this many constants of the loop the rest are left out.
const LANDMARKS: usize = 16;
/// Moduli beyond this are not tried.
const LARGEST_MODULUS: u128 = 1 << 20;

/// The conditions of the vocabulary, and of those suggested, that hold in all of `sample`.
pub(crate) fn holding_in(step: &Step, sample: &[Vec<u128>], suggested: &[Term]) -> Vec<Term> {
    let mut all = suggested.to_vec();
    all.extend(vocabulary(step, sample));
    let mut seen = FxHashSet::default();
    all.retain(|&atom| step.terms.as_constant(atom).is_none() && seen.insert(atom));
    let mut evaluator = Evaluator::new(step.terms, &all);
    let mut holds = vec![true; all.len()];
    for state in sample {
        let values: Values = step
            .lasso
            .variables
            .iter()
            .map(|variable| variable.symbol)
            .zip(state.iter().copied())
            .collect();
        for (holds, value) in holds.iter_mut().zip(evaluator.run(&values)) {
            *holds &= value == 1;
        }
    }
    all.into_iter()
        .zip(holds)
        .filter_map(|(atom, holds)| holds.then_some(atom))
        .collect()
}

fn vocabulary(step: &Step, sample: &[Vec<u128>]) -> Vec<Term> {
    let mut atoms = tests(step);
    for (at, &variable) in step.state().iter().enumerate() {
        let seen: Vec<u128> = sample.iter().map(|state| state[at]).collect();
        about_one(
            step.terms,
            variable,
            &seen,
            &landmarks(step, variable),
            &mut atoms,
        );
    }
    let state = step.state();
    if state.len() <= RELATED {
        for (at, &one) in state.iter().enumerate() {
            for (more, &other) in state[at + 1..].iter().enumerate() {
                if step.terms.width(one) == step.terms.width(other) {
                    let first = sample
                        .first()
                        .map(|state| (state[at], state[at + 1 + more]));
                    about_two(step.terms, one, other, first, &mut atoms);
                }
            }
        }
    }
    atoms
}

/// The conditions that the iterations test and that depend on the state alone, and their negations.
fn tests(step: &Step) -> Vec<Term> {
    let terms = step.terms;
    let state: FxHashSet<Symbol> = step
        .lasso
        .variables
        .iter()
        .map(|variable| variable.symbol)
        .collect();
    let mut atoms = Vec::new();
    for term in terms.below(&roots(step)) {
        let is_test = matches!(terms.node(term), Node::Test(..));
        if is_test
            && terms
                .symbols_in(&[term])
                .iter()
                .all(|symbol| state.contains(symbol))
        {
            atoms.extend([term, terms.not(term)]);
            if let Node::Test(Test::Equal, a, b) = terms.node(term)
                && terms.width(a) > 1
            {
                for test in [Test::UnsignedLessEqual, Test::SignedLessEqual] {
                    atoms.extend([terms.test(test, a, b), terms.test(test, b, a)]);
                }
            }
        }
    }
    let conditions = step.lasso.iterations.iter().flat_map(|iteration| {
        let guard = iteration.guard.iter().map(|condition| condition.term);
        guard.chain(
            iteration
                .hazards
                .iter()
                .map(|hazard| terms.not(hazard.term)),
        )
    });
    atoms.extend(conditions.filter(|&term| {
        terms
            .symbols_in(&[term])
            .iter()
            .all(|symbol| state.contains(symbol))
    }));
    atoms
}

/// All terms of the iterations.
fn roots(step: &Step) -> Vec<Term> {
    let updates = step
        .lasso
        .iterations
        .iter()
        .flat_map(|iteration| iteration.updates.iter().copied());
    step.taken.iter().copied().chain(updates).collect()
}

/// Constants of the variable's width that occur in the iterations, each with its neighbours.
fn landmarks(step: &Step, variable: Term) -> Vec<u128> {
    let terms = step.terms;
    let width = terms.width(variable);
    let mut found = vec![0, 1];
    for term in terms.below(&roots(step)) {
        if let (Some(value), true) = (terms.as_constant(term), terms.width(term) == width)
            && !found.contains(&value)
            && found.len() < LANDMARKS
        {
            found.push(value);
        }
    }
    found
}

fn about_one(
    terms: &Terms,
    variable: Term,
    seen: &[u128],
    landmarks: &[u128],
    atoms: &mut Vec<Term>,
) {
    let width = terms.width(variable);
    let constant = |value: u128| terms.constant(value, width);
    if width == 1 {
        atoms.extend([variable, terms.not(variable)]);
        return;
    }
    let signed = |value: &u128| ((*value << (128 - width)) as i128) >> (128 - width);
    let bounds = [
        seen.iter().min().copied(),
        seen.iter().max().copied(),
        seen.iter().min_by_key(|value| signed(value)).copied(),
        seen.iter().max_by_key(|value| signed(value)).copied(),
    ];
    for value in landmarks
        .iter()
        .copied()
        .chain(bounds.into_iter().flatten())
    {
        for test in [Test::UnsignedLessEqual, Test::SignedLessEqual] {
            atoms.push(terms.test(test, variable, constant(value)));
            atoms.push(terms.test(test, constant(value), variable));
        }
        atoms.push(terms.differ(variable, constant(value)));
        atoms.push(terms.equal(variable, constant(value)));
    }
    let Some(&first) = seen.first() else {
        return;
    };
    for bits in [1, 2, 3, 4, width / 2]
        .into_iter()
        .filter(|&bits| bits >= 1 && bits < width)
    {
        atoms.push(terms.equal(
            terms.extract(variable, 0, bits),
            terms.constant(first, bits),
        ));
        let high = terms.extract(variable, bits, width - bits);
        atoms.push(terms.equal(high, terms.constant(first >> bits, width - bits)));
    }
    let moduli = landmarks
        .iter()
        .copied()
        .filter(|&modulus| (3..LARGEST_MODULUS).contains(&modulus));
    for modulus in moduli.filter(|modulus| !modulus.is_power_of_two()) {
        let rest = terms.binary(Binary::UnsignedRemainder, variable, constant(modulus));
        atoms.push(terms.equal(rest, constant(first % modulus)));
    }
}

fn about_two(
    terms: &Terms,
    one: Term,
    other: Term,
    first: Option<(u128, u128)>,
    atoms: &mut Vec<Term>,
) {
    let width = terms.width(one);
    atoms.extend([terms.equal(one, other), terms.differ(one, other)]);
    if width == 1 {
        return;
    }
    for test in [
        Test::UnsignedLessEqual,
        Test::SignedLessEqual,
        Test::UnsignedLess,
        Test::SignedLess,
    ] {
        atoms.extend([terms.test(test, one, other), terms.test(test, other, one)]);
    }
    let Some((a, b)) = first else {
        return;
    };
    let difference = terms.subtract(one, other);
    let sum = terms.add(one, other);
    atoms.push(terms.equal(difference, terms.constant(a.wrapping_sub(b), width)));
    atoms.push(terms.equal(sum, terms.constant(a.wrapping_add(b), width)));
    atoms.push(terms.equal(
        terms.extract(difference, 0, 1),
        terms.constant(a.wrapping_sub(b), 1),
    ));
}
