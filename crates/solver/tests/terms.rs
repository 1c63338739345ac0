//! Terms against a slow reference: the value of each operation computed from its definition, one
//! bit or one number at a time, on operands that were never terms; and against Z3.

use impasse_solver::{Answer, Binary, Solver, Term, Terms, Test, Values};
use proptest::prelude::*;
use std::time::Duration;

/// A vector as its bits, the lowest first.
type Bits = Vec<bool>;

/// How to make a term: numbers choose among what is possible.
#[derive(Clone, Debug)]
struct Recipe(Vec<(u8, usize, usize, usize, u8)>);

fn recipe() -> impl Strategy<Value = Recipe> {
    prop::collection::vec(
        (
            0u8..34,
            any::<usize>(),
            any::<usize>(),
            any::<usize>(),
            any::<u8>(),
        ),
        1..14,
    )
    .prop_map(Recipe)
}

fn number(bits: &Bits) -> u128 {
    bits.iter()
        .enumerate()
        .map(|(at, &bit)| u128::from(bit) << at)
        .sum()
}

fn signed(bits: &Bits) -> i128 {
    let magnitude = number(bits) as i128;
    if bits[bits.len() - 1] {
        magnitude - (1 << bits.len())
    } else {
        magnitude
    }
}

fn bits(value: i128, width: usize) -> Bits {
    (0..width).map(|at| value >> at & 1 == 1).collect()
}

fn binary(operation: Binary, a: &Bits, b: &Bits) -> Bits {
    let width = a.len();
    let (x, y, s, t) = (number(a) as i128, number(b) as i128, signed(a), signed(b));
    let shifted = |fill: bool, right: bool| -> Bits {
        let at = |position: i128| {
            if position >= 0 && position < width as i128 {
                a[position as usize]
            } else {
                fill
            }
        };
        (0..width as i128)
            .map(|to| at(if right { to + y } else { to - y }))
            .collect()
    };
    match operation {
        Binary::Add => bits(x + y, width),
        Binary::Subtract => bits(x - y, width),
        Binary::Multiply => bits(x * y, width),
        Binary::UnsignedDivide => bits(if y == 0 { -1 } else { x / y }, width),
        Binary::SignedDivide => bits(
            if t == 0 {
                if s < 0 { 1 } else { -1 }
            } else {
                s / t
            },
            width,
        ),
        Binary::UnsignedRemainder => bits(if y == 0 { x } else { x % y }, width),
        Binary::SignedRemainder => bits(if t == 0 { s } else { s % t }, width),
        Binary::ShiftLeft => shifted(false, false),
        Binary::LogicalShiftRight => shifted(false, true),
        Binary::ArithmeticShiftRight => shifted(a[width - 1], true),
        Binary::And => a.iter().zip(b).map(|(&p, &q)| p && q).collect(),
        Binary::Or => a.iter().zip(b).map(|(&p, &q)| p || q).collect(),
        Binary::Xor => a.iter().zip(b).map(|(&p, &q)| p != q).collect(),
    }
}

fn test(test: Test, a: &Bits, b: &Bits) -> bool {
    let (x, y, s, t) = (number(a) as i128, number(b) as i128, signed(a), signed(b));
    let most = (1i128 << a.len()) - 1;
    let misfit = |value: i128| value > most / 2 || value < -(most / 2) - 1;
    match test {
        Test::Equal => x == y,
        Test::UnsignedLess => x < y,
        Test::UnsignedLessEqual => x <= y,
        Test::SignedLess => s < t,
        Test::SignedLessEqual => s <= t,
        Test::UnsignedAddOverflow => x + y > most,
        Test::SignedAddOverflow => misfit(s + t),
        Test::SignedSubtractOverflow => misfit(s - t),
        Test::UnsignedMultiplyOverflow => x * y > most,
        Test::SignedMultiplyOverflow => misfit(s * t),
    }
}

/// Terms over three variables of different widths, each with the value it must have.
fn cook(terms: &Terms, recipe: &Recipe, values: [u16; 3]) -> (Vec<(Term, Bits)>, Values) {
    let mut made: Vec<(Term, Bits)> = Vec::new();
    let mut given = Values::new();
    for (width, value) in [1u8, 4, 8].into_iter().zip(values) {
        let symbol = terms.symbol(format!("x{width}"), width);
        given.set(symbol, u128::from(value) & ((1 << width) - 1));
        made.push((terms.variable(symbol), bits(value.into(), width.into())));
    }
    for &(kind, first, second, third, number) in &recipe.0 {
        let (a, x) = made[first % made.len()].clone();
        // A second operand of the same width: another term, or a constant.
        let fellows: Vec<_> = made
            .iter()
            .filter(|(_, bits)| bits.len() == x.len())
            .cloned()
            .collect();
        let (b, y) = if number % 3 == 0 {
            (
                terms.constant(number.into(), x.len() as u8),
                bits(number.into(), x.len()),
            )
        } else {
            fellows[second % fellows.len()].clone()
        };
        let (other, z) = made[third % made.len()].clone();
        let kind = kind as usize;
        let new = match kind {
            0..13 => (
                terms.binary(Binary::ALL[kind], a, b),
                binary(Binary::ALL[kind], &x, &y),
            ),
            13..23 => (
                terms.test(Test::ALL[kind - 13], a, b),
                vec![test(Test::ALL[kind - 13], &x, &y)],
            ),
            23 => (terms.not(a), x.iter().map(|bit| !bit).collect()),
            24 => (terms.negate(a), bits(-signed(&x), x.len())),
            25 | 26 if x.len() + z.len() <= 40 => (terms.concatenate(a, other), [z, x].concat()),
            27 | 28 => {
                let low = number as usize % x.len();
                let width = 1 + second % (x.len() - low);
                (
                    terms.extract(a, low as u8, width as u8),
                    x[low..low + width].to_vec(),
                )
            }
            29 => {
                let width = x.len() + number as usize % 9;
                (terms.sign_extend(a, width as u8), bits(signed(&x), width))
            }
            30 => {
                let width = x.len() + number as usize % 9;
                let extended = (0..width)
                    .map(|at| x.get(at).copied().unwrap_or(false))
                    .collect();
                (terms.zero_extend(a, width as u8), extended)
            }
            _ => {
                let (condition, bit) = (terms.extract(other, 0, 1), z[0]);
                (terms.choose(condition, a, b), if bit { x } else { y })
            }
        };
        made.push(new);
    }
    (made, given)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn simplified_terms_have_the_value_of_the_operations(recipe in recipe(), values in any::<[u16; 3]>()) {
        let terms = Terms::new();
        let (made, given) = cook(&terms, &recipe, values);
        for (term, expected) in made {
            prop_assert_eq!(usize::from(terms.width(term)), expected.len());
            prop_assert_eq!(terms.value(term, &given), number(&expected), "{}", terms.show(term));
        }
    }

    #[test]
    fn equal_equations_hold_together(recipe in recipe(), values in any::<[u16; 3]>()) {
        let terms = Terms::new();
        let (made, given) = cook(&terms, &recipe, values);
        let equations: Vec<_> = made
            .iter()
            .flat_map(|(a, x)| made.iter().filter(|(_, y)| x.len() == y.len()).map(|(b, _)| terms.equal(*a, *b)))
            .filter_map(|condition| Some((condition, terms.equation(condition)?)))
            .collect();
        for (one, first) in &equations {
            for (other, second) in &equations {
                if first == second {
                    prop_assert_eq!(terms.value(*one, &given), terms.value(*other, &given));
                }
            }
        }
    }

    #[test]
    fn what_is_expanded_has_the_same_value(recipe in recipe(), values in any::<[u16; 3]>()) {
        let terms = Terms::new();
        let (made, given) = cook(&terms, &recipe, values);
        for (term, expected) in made {
            let expanded = terms.expanded(term);
            prop_assert_eq!(terms.value(expanded, &given), number(&expected), "{}", terms.show(term));
        }
    }

    #[test]
    fn substitution_is_evaluation(recipe in recipe(), values in any::<[u16; 3]>()) {
        let terms = Terms::new();
        let (made, given) = cook(&terms, &recipe, values);
        let roots: Vec<Term> = made.iter().map(|&(term, _)| term).collect();
        let map = terms
            .symbols_in(&roots)
            .into_iter()
            .map(|symbol| (symbol, terms.constant(given.get(symbol), terms.symbol_width(symbol))))
            .collect();
        for (constant, (_, expected)) in terms.substitute(&roots, &map).into_iter().zip(&made) {
            prop_assert_eq!(terms.as_constant(constant), Some(number(expected)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn the_solver_agrees(recipe in recipe(), values in any::<[u16; 3]>()) {
        let terms = Terms::new();
        let (made, given) = cook(&terms, &recipe, values);
        let (term, expected) = made.last().unwrap();
        let right = terms.equal(*term, terms.constant(number(expected), terms.width(*term)));
        let work = Duration::from_secs(20);
        for mut solver in [Solver::new(&terms), Solver::new(&terms).over_sums()] {
            for symbol in terms.symbols_in(&[*term]) {
                let value = terms.constant(given.get(symbol), terms.symbol_width(symbol));
                solver.assert(terms.equal(terms.variable(symbol), value));
            }
            let answer = solver.check(&[right], work);
            prop_assert!(matches!(answer, Answer::Satisfiable(_)), "{:?}", answer);
            prop_assert_eq!(solver.check(&[terms.not(right)], work), Answer::Unsatisfiable);
        }
    }
}

#[test]
fn bytes_put_together_again_are_the_whole() {
    let terms = Terms::new();
    let whole = terms.fresh("x", 32);
    let bytes: Vec<Term> = (0..4).map(|at| terms.extract(whole, 8 * at, 8)).collect();
    let from_below = bytes[1..]
        .iter()
        .fold(bytes[0], |low, &high| terms.concatenate(high, low));
    let from_above = bytes[..3]
        .iter()
        .rev()
        .fold(bytes[3], |high, &low| terms.concatenate(high, low));
    assert_eq!((from_below, from_above), (whole, whole));

    for extended in [
        terms.sign_extend(terms.fresh("c", 16), 64),
        terms.zero_extend(terms.fresh("c", 16), 64),
    ] {
        let bytes: Vec<Term> = (0..8)
            .map(|at| terms.extract(extended, 8 * at, 8))
            .collect();
        let from_below = bytes[1..]
            .iter()
            .fold(bytes[0], |low, &high| terms.concatenate(high, low));
        let from_above = bytes[..7]
            .iter()
            .rev()
            .fold(bytes[7], |high, &low| terms.concatenate(high, low));
        assert_eq!((from_below, from_above), (extended, extended));
    }
}

#[test]
fn a_condition_widened_and_compared_with_zero_is_the_condition() {
    let terms = Terms::new();
    let (x, y) = (terms.fresh("x", 32), terms.fresh("y", 32));
    let less = terms.test(Test::SignedLess, x, y);
    let widened = terms.zero_extend(less, 32);
    assert_eq!(terms.differ(widened, terms.constant(0, 32)), less);
}

#[test]
fn the_solver_forgets_what_is_popped_and_gives_models_of_wide_variables() {
    let terms = Terms::new();
    let x = terms.symbol("x", 128);
    let wanted = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210;
    let mut solver = Solver::new(&terms);
    let work = Duration::from_secs(20);
    solver.push();
    solver.assert(terms.equal(terms.variable(x), terms.constant(wanted, 128)));
    let model = solver
        .check(&[], work)
        .model()
        .expect("x may be any number");
    assert_eq!(model.get(x), wanted);
    let other = terms.equal(terms.variable(x), terms.constant(3, 128));
    assert!(solver.check(&[other], work).is_unsatisfiable());
    solver.pop();
    assert_eq!(
        solver
            .check(&[other], work)
            .model()
            .expect("nothing else is asked")
            .get(x),
        3
    );
}

#[test]
fn parts_of_shared_sums_are_taken_in_linear_time() {
    let terms = Terms::new();
    let (mut a, mut b) = (terms.fresh("a", 64), terms.fresh("b", 64));
    for _ in 0..200 {
        (a, b) = (b, terms.add(a, b));
    }
    assert_eq!(terms.width(terms.extract(b, 0, 32)), 32);
}

#[test]
fn equations_that_differ_by_ring_laws_are_the_same() {
    let terms = Terms::new();
    let [x, y, u, v, z] = ["x", "y", "u", "v", "z"].map(|name| terms.fresh(name, 32));
    let sum = |x, u, y, v| terms.add(terms.multiply(x, u), terms.multiply(y, v));
    let before = terms.equation(terms.equal(sum(x, u, y, v), z));
    let after = terms.equation(terms.equal(sum(terms.subtract(x, y), u, y, terms.add(v, u)), z));
    assert!(before.is_some() && before == after);
    assert_eq!(before, terms.equation(terms.equal(z, sum(y, v, x, u))));
    assert_ne!(before, terms.equation(terms.differ(sum(x, u, y, v), z)));
    assert_ne!(before, terms.equation(terms.equal(sum(x, u, y, u), z)));
    assert_eq!(terms.equation(terms.test(Test::UnsignedLess, x, y)), None);
}

#[test]
fn terms_read_like_c() {
    let terms = Terms::new();
    let (x, y) = (terms.fresh("x", 32), terms.fresh("y", 32));
    let shown = |term| terms.show(term);
    assert_eq!(
        shown(terms.add(x, terms.constant(u128::MAX, 32))),
        "(x + -1)"
    );
    assert_eq!(shown(terms.differ(x, y)), "(x != y)");
    assert_eq!(shown(terms.extract(x, 0, 1)), "(x & 1)");
    assert_eq!(
        shown(terms.not(terms.test(Test::UnsignedLess, x, y))),
        "(y <=u x)"
    );
}

/// A question that Z3 gives up leaves the conditions, and their levels, as they were.
#[test]
fn questions_after_one_that_is_given_up() {
    let terms = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| {
        let symbol = terms.symbol(name, 32);
        terms.variable(symbol)
    });
    let is_odd = |term| terms.extract(term, 0, 1);
    let wide = |term| terms.zero_extend(term, 64);
    let primes = 4_294_967_291 * 4_294_967_279;
    let hard = terms.equal(terms.multiply(wide(a), wide(b)), terms.constant(primes, 64));
    let second = Duration::from_secs(1);
    let mut solver = Solver::new(&terms);
    solver.assert(is_odd(a));
    solver.push();
    solver.push();
    solver.assert(is_odd(b));
    for _ in 0..8 {
        let answer = solver.check(&[hard], Duration::from_micros(500));
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
        let even = |term| terms.not(is_odd(term));
        assert!(solver.check(&[even(a)], second).is_unsatisfiable());
        assert!(solver.check(&[even(b)], second).is_unsatisfiable());
        assert!(solver.check(&[even(c)], second).model().is_some());
    }
    solver.pop();
    let even = terms.not(is_odd(b));
    assert!(solver.check(&[even], second).model().is_some());
    solver.pop();
    assert!(solver.check(&[even], second).model().is_some());
    let even = terms.not(is_odd(a));
    assert!(solver.check(&[even], second).is_unsatisfiable());
}
