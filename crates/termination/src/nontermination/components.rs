//! Expressions that may be components of a ranking function, as the loop itself suggests them.

use super::step::Step;
use impasse_solver::{Node, Symbol, Term, Terms, Test};
use rustc_hash::FxHashSet;

/// Beyond this many variables, sums and differences of two are not tried.
const PAIRED: usize = 10;
/// Components beyond this many are not tried.
const COMPONENTS: usize = 200;
/// So many comparisons with numbers may each be one.
const STATES: usize = 8;

/// Of so many variables it is asked how long they are.
const MEASURED: usize = 4;
/// In how many bits that is said: more than the sum of two needs.
const DIGITS: u8 = 10;

/// The distances between what the iterations compare, read with sign, wide enough not to overflow,
/// with the sign bit turned.
pub(crate) fn distances(step: &Step) -> Vec<Term> {
    let terms = step.terms;
    let mut found = Vec::new();
    for (a, b, _) in compared(step) {
        let width = terms.width(a) + 1;
        if width <= impasse_solver::WIDEST {
            let (a, b) = (terms.sign_extend(a, width), terms.sign_extend(b, width));
            found.push(ordered(terms, terms.subtract(b, a)));
            found.push(ordered(terms, terms.subtract(a, b)));
        }
    }
    found.retain(|&distance| terms.as_constant(distance).is_none());
    found
}

/// Numbers that something other than their width bounds, if they are not negative: the variables
/// read with sign; how many binary digits they have, of two of them the sum of that, and which of
/// two is less. The sign bit is turned.
pub(crate) fn bounded(step: &Step) -> Vec<Term> {
    let terms = step.terms;
    let state = step.state().into_iter();
    let mut found: Vec<Term> = state.filter(|&term| terms.width(term) > 8).collect();
    let numbers: Vec<Term> = found.iter().copied().take(MEASURED).collect();
    let digits: Vec<Term> = numbers.iter().map(|&term| digits(terms, term)).collect();
    for (at, &one) in digits.iter().enumerate() {
        found.push(one);
        found.extend(digits[at + 1..].iter().map(|&other| terms.add(one, other)));
    }
    for (at, &a) in numbers.iter().enumerate() {
        let same = |&&b: &&Term| terms.width(a) == terms.width(b);
        for &b in numbers[at + 1..].iter().filter(same) {
            let is_less = terms.test(Test::UnsignedLess, a, b);
            let both = [is_less, terms.not(is_less)];
            found.extend(both.map(|condition| terms.zero_extend(condition, DIGITS)));
        }
    }
    found.iter().map(|&one| ordered(terms, one)).collect()
}

/// How many binary digits a number has without leading zeros.
fn digits(terms: &Terms, number: Term) -> Term {
    let width = terms.width(number);
    let mut rest = terms.zero_extend(number, width.next_power_of_two());
    let mut count = terms.constant(0, DIGITS);
    while terms.width(rest) > 1 {
        let half = terms.width(rest) / 2;
        let (high, low) = (
            terms.extract(rest, half, half),
            terms.extract(rest, 0, half),
        );
        let has_high = terms.differ(high, terms.constant(0, half));
        let more = terms.constant(u128::from(half), DIGITS);
        let none = terms.constant(0, DIGITS);
        count = terms.add(count, terms.choose(has_high, more, none));
        rest = terms.choose(has_high, high, low);
    }
    terms.add(count, terms.zero_extend(rest, DIGITS))
}

/// Expressions that may be components, read without sign: what is read with sign has its sign bit
/// turned, which keeps the order, and what could wrap around has more bits.
pub(super) fn components(step: &Step) -> Vec<Term> {
    let terms = step.terms;
    let mut found = Vec::new();
    for (a, b, is_signed) in compared(step) {
        // What is on the right minus what is on the left, both wider by one bit; and the
        // reverse.
        let wide = |term| {
            let width = terms.width(term) + 1;
            if is_signed {
                terms.sign_extend(term, width)
            } else {
                terms.zero_extend(term, width)
            }
        };
        if terms.width(a) < impasse_solver::WIDEST {
            found.push(ordered(terms, terms.subtract(wide(b), wide(a))));
            found.push(ordered(terms, terms.subtract(wide(a), wide(b))));
        }
        found.extend([terms.subtract(a, b), terms.subtract(b, a)]);
    }
    let state = step.state();
    for &variable in &state {
        found.extend([
            variable,
            terms.not(variable),
            ordered(terms, variable),
            terms.not(ordered(terms, variable)),
        ]);
        let negative = terms.extract(variable, terms.width(variable) - 1, 1);
        let size = terms.choose(negative, terms.negate(variable), variable);
        found.extend([size, terms.not(size)]);
    }
    if state.len() <= PAIRED {
        for (at, &one) in state.iter().enumerate() {
            for &other in &state[at + 1..] {
                if terms.width(one) == terms.width(other)
                    && terms.width(one) < impasse_solver::WIDEST
                {
                    found.extend(combined(terms, one, other));
                }
            }
        }
    }
    found.extend(extremes(step));
    found.extend(steps_left(step));
    found.extend(states(step));
    let mut seen = FxHashSet::default();
    found.retain(|&component| terms.as_constant(component).is_none() && seen.insert(component));
    found.truncate(COMPONENTS);
    found
}

/// Whether variables are the numbers that the iterations compare them with, if these are several:
/// the states of a machine, which need not be passed in the order of their numbers.
fn states(step: &Step) -> Vec<Term> {
    let terms = step.terms;
    let is_number = |term: Term| terms.as_constant(term).is_some();
    let tests = conditions(step).into_iter();
    let tests: Vec<Term> = tests
        .filter(|&term| match terms.node(term) {
            Node::Test(Test::Equal, a, b) => {
                (is_number(a) || is_number(b)) && terms.symbols_in(&[term]).len() == 1
            }
            _ => false,
        })
        .take(STATES)
        .collect();
    match tests.len() {
        0..=1 => Vec::new(),
        _ => tests
            .iter()
            .flat_map(|&one| [one, terms.not(one)])
            .collect(),
    }
}

/// How far what is compared is apart, whichever is greater; the greater of the two, and the smaller
/// one turned around.
fn extremes(step: &Step) -> Vec<Term> {
    let terms = step.terms;
    let mut found = Vec::new();
    for (a, b, is_signed) in compared(step) {
        let test = match is_signed {
            true => Test::SignedLess,
            false => Test::UnsignedLess,
        };
        let is_less = terms.test(test, a, b);
        let (down, up) = (terms.subtract(a, b), terms.subtract(b, a));
        let of = |term| {
            if is_signed {
                ordered(terms, term)
            } else {
                term
            }
        };
        let greater = of(terms.choose(is_less, b, a));
        let smaller = of(terms.choose(is_less, a, b));
        found.extend([terms.choose(is_less, up, down), greater, terms.not(smaller)]);
    }
    found
}

/// Where each iteration adds the same odd number to a difference: how many iterations it is from
/// zero, modulo the range of its type. The difference wraps around and meets zero nevertheless.
fn steps_left(step: &Step) -> Vec<Term> {
    let terms = step.terms;
    let mut found = Vec::new();
    for (a, b, _) in compared(step) {
        let difference = terms.subtract(a, b);
        let added = step.lasso.iterations.iter().map(|iteration| {
            let after = terms.substitute(&[difference], &step.at(&iteration.updates))[0];
            terms.as_constant(terms.expanded(terms.subtract(after, difference)))
        });
        let Some(added) = added.collect::<Option<Vec<u128>>>() else {
            continue;
        };
        if let [by, rest @ ..] = &added[..]
            && by % 2 == 1
            && rest.iter().all(|other| other == by)
        {
            let width = terms.width(a);
            let factor = terms.constant(inverse(*by).wrapping_neg(), width);
            found.push(terms.multiply(difference, factor));
        }
    }
    found
}

/// The inverse of an odd number modulo 2^128.
fn inverse(odd: u128) -> u128 {
    // Each step doubles the number of low bits that are right; at first three are.
    (0..6).fold(odd, |found, _| {
        found.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(found)))
    })
}

/// Sums and differences of two variables, both read with and without sign.
fn combined(terms: &Terms, one: Term, other: Term) -> Vec<Term> {
    let width = terms.width(one) + 1;
    let mut found = vec![terms.subtract(one, other), terms.subtract(other, one)];
    for extend in [Terms::sign_extend, Terms::zero_extend] {
        let (one, other) = (extend(terms, one, width), extend(terms, other, width));
        let difference = ordered(terms, terms.subtract(one, other));
        let sum = ordered(terms, terms.add(one, other));
        found.extend([difference, terms.not(difference), sum, terms.not(sum)]);
    }
    found
}

/// A vector read with sign as one read without, in the same order.
pub(super) fn ordered(terms: &Terms, a: Term) -> Term {
    let width = terms.width(a);
    terms.binary(
        impasse_solver::Binary::Xor,
        a,
        terms.constant(1 << (width - 1), width),
    )
}

/// What the iterations compare, over the state alone, and whether with sign.
pub(super) fn compared(step: &Step) -> Vec<(Term, Term, bool)> {
    let terms = step.terms;
    let state: FxHashSet<Symbol> = step
        .lasso
        .variables
        .iter()
        .map(|variable| variable.symbol)
        .collect();
    let mut found = Vec::new();
    for term in terms.below(&step.taken) {
        let Node::Test(test, a, b) = terms.node(term) else {
            continue;
        };
        if terms.width(a) == 1
            || !terms
                .symbols_in(&[a, b])
                .iter()
                .all(|symbol| state.contains(symbol))
        {
            continue;
        }
        match test {
            Test::SignedLess | Test::SignedLessEqual => found.push((a, b, true)),
            Test::UnsignedLess | Test::UnsignedLessEqual => found.push((a, b, false)),
            Test::Equal => found.extend([(a, b, true), (a, b, false)]),
            _ => {}
        }
    }
    found
}

/// Conditions on the state that the iterations test, and the state's own bits.
pub(super) fn conditions(step: &Step) -> Vec<Term> {
    let terms = step.terms;
    let state = step.state();
    let own: FxHashSet<Symbol> = terms.symbols_in(&state).into_iter().collect();
    let mut roots = step.taken.clone();
    let updates = step.lasso.iterations.iter();
    roots.extend(updates.flat_map(|iteration| iteration.updates.iter().copied()));
    let is_own = |&term: &Term| {
        let below = terms.symbols_in(&[term]);
        !below.is_empty() && below.iter().all(|symbol| own.contains(symbol))
    };
    let tests = terms.below(&roots).into_iter();
    let tests = tests.filter(|&term| matches!(terms.node(term), Node::Test(..)));
    let bits = state.into_iter().filter(|&term| terms.width(term) == 1);
    tests.chain(bits).filter(is_own).collect()
}
