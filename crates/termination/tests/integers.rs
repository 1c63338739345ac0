//! Proofs over mathematical integers: the paper's programs, and random lassos against a plain
//! interpreter.

mod common;

use common::random::{cook, recipe};
use common::{Body, Builder};
use impasse_solver::{Binary, Node, Symbol, Term, Terms, Test};
use impasse_termination::affine::Affine;
use impasse_termination::certificate::{Certificate, Claim, Rational};
use impasse_termination::certify::certify;
use impasse_termination::nontermination::{
    Arithmetic, Evidence, LinearRecurrenceSet, Options, Proof, Verdict, prove,
};
use impasse_termination::problem::{Iteration, Lasso, Reading};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

fn options() -> Options {
    Options {
        arithmetic: Arithmetic::Integer,
        ..Options::default()
    }
}

/// The set that is found, after its certificate was accepted and, with other multipliers, refused.
fn recurrence_set(terms: &Terms, lasso: &Lasso) -> (Proof, LinearRecurrenceSet) {
    let verdict = prove(terms, lasso, &options());
    let Verdict::Nonterminating(proof) = verdict else {
        panic!("{verdict:?}");
    };
    let Evidence::Linear(set) = &proof.evidence else {
        panic!("{proof:?}");
    };
    let certificate = proof
        .certificate(terms, lasso, Duration::ZERO)
        .expect("nothing else is asked");
    let text = serde_json::to_string(&certificate).expect("certificates can be written");
    let mut certificate: Certificate = serde_json::from_str(&text).expect("and read again");
    assert_eq!(certify(&certificate).expect("it holds").unchecked, None);
    let Claim::LinearRecurrenceSet { multipliers, .. } = &mut certificate.claim else {
        panic!("a linear set");
    };
    multipliers[0]
        .iter_mut()
        .for_each(|multiplier| *multiplier = Rational(Default::default()));
    assert!(certify(&certificate).is_err());
    (*proof.clone(), set.clone())
}

fn at_least_zero(terms: &Terms, a: Term) -> Term {
    terms.test(Test::SignedLessEqual, terms.constant(0, terms.width(a)), a)
}

/// x >= 0; x' = x + y; y' = y + 1.
fn quadratic(terms: &Terms, x: u32, y: u32) -> Lasso {
    let mut lasso = Builder::new(terms);
    let x = lasso.variable("x", terms.constant(x.into(), 32), Reading::Signed);
    let y = lasso.variable("y", terms.constant(y.into(), 32), Reading::Signed);
    let one = terms.constant(1, 32);
    lasso.iteration(Body {
        guard: vec![at_least_zero(terms, x)],
        hazards: vec![
            terms.test(Test::SignedAddOverflow, x, y),
            terms.test(Test::SignedAddOverflow, y, one),
        ],
        updates: vec![terms.add(x, y), terms.add(y, one)],
        ..Body::default()
    });
    lasso.done(&[])
}

#[test]
fn the_first_set_of_section_5_1() {
    let terms = Terms::new();
    let (_, set) = recurrence_set(&terms, &quadratic(&terms, 5, 0));
    assert_eq!(set.show(), ["0 <= x", "0 <= y"]);
}

/// The second set is not linear. Its example's run enters the first after three iterations.
#[test]
fn the_second_set_of_section_5_1_leads_into_the_first() {
    let terms = Terms::new();
    let (proof, set) = recurrence_set(&terms, &quadratic(&terms, 6, (-3i32) as u32));
    assert_eq!(proof.before.len(), 4);
    assert_eq!(set.show(), ["0 <= x", "0 <= y"]);
}

#[test]
fn a_run_that_leaves_is_not_proved() {
    let terms = Terms::new();
    let verdict = prove(&terms, &quadratic(&terms, 5, (-3i32) as u32), &options());
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}

/// if (y != 0) while (i >= 0) i = i - y.
#[test]
fn subtracting_a_negative_number() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let (i, y) = (lasso.int("i", 32), lasso.input("y", 32));
    lasso.assume(terms.differ(y, terms.constant(0, 32)));
    let y = lasso.variable("y", y, Reading::Signed);
    lasso.iteration(Body {
        guard: vec![at_least_zero(&terms, i)],
        hazards: vec![terms.test(Test::SignedSubtractOverflow, i, y)],
        updates: vec![terms.subtract(i, y), y],
        ..Body::default()
    });
    let (_, set) = recurrence_set(&terms, &lasso.done(&[("i", 5), ("y", 1)]));
    assert_eq!(set.show().len(), 2, "{:?}", set.show());
}

/// x >= 0; x' = x + y; y' = 1 - y, from y = 0.
#[test]
fn alternating_growth() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let x = lasso.int("x", 32);
    let y = lasso.variable("y", terms.constant(0, 32), Reading::Signed);
    lasso.iteration(Body {
        guard: vec![at_least_zero(&terms, x)],
        hazards: vec![terms.test(Test::SignedAddOverflow, x, y)],
        updates: vec![terms.add(x, y), terms.subtract(terms.constant(1, 32), y)],
        ..Body::default()
    });
    recurrence_set(&terms, &lasso.done(&[("x", 5)]));
}

/// Figure 10: while (y > 0) y++.
#[test]
fn growing() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let y = lasso.int("y", 32);
    let one = terms.constant(1, 32);
    lasso.iteration(Body {
        guard: vec![terms.test(Test::SignedLess, terms.constant(0, 32), y)],
        hazards: vec![terms.test(Test::SignedAddOverflow, y, one)],
        updates: vec![terms.add(y, one)],
        ..Body::default()
    });
    let (_, set) = recurrence_set(&terms, &lasso.done(&[("y", 5)]));
    assert_eq!(set.show(), ["1 <= y"]);
}

/// while (x > 0) x = x * k, for an input k: the product is of two unknowns, but one of them never
/// changes.
#[test]
fn a_product_with_what_never_changes() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let (x, k) = (lasso.int("x", 32), lasso.int("k", 32));
    lasso.iteration(Body {
        guard: vec![terms.test(Test::SignedLess, terms.constant(0, 32), x)],
        updates: vec![terms.multiply(x, k), k],
        ..Body::default()
    });
    let (_, set) = recurrence_set(&terms, &lasso.done(&[("x", 3), ("k", 2)]));
    assert_eq!(set.show(), ["1 <= x", "k = 2"]);
}

/// while (x > 1) x = x * x: its run has no second thousand of digits to follow, so that memory is
/// not filled.
#[test]
fn squaring_is_given_up() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let x = lasso.int("x", 32);
    lasso.iteration(Body {
        guard: vec![terms.test(Test::SignedLess, terms.constant(1, 32), x)],
        updates: vec![terms.multiply(x, x)],
        ..Body::default()
    });
    let verdict = prove(&terms, &lasso.done(&[("x", 3)]), &options());
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}

/// x >= 0; x' = 4x - 4y; y' = x, from (2, 1): neither the guard nor bounds are enough, it takes x
/// >= 2y.
#[test]
fn a_row_with_another_coefficient() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let x = lasso.variable("x", terms.constant(2, 32), Reading::Signed);
    let y = lasso.variable("y", terms.constant(1, 32), Reading::Signed);
    let difference = terms.subtract(x, y);
    lasso.iteration(Body {
        guard: vec![at_least_zero(&terms, x)],
        updates: vec![terms.multiply(difference, terms.constant(4, 32)), x],
        ..Body::default()
    });
    recurrence_set(&terms, &lasso.done(&[]));
}

/// while (x > 1) x = x / 2 + 1: it stays at two.
#[test]
fn halving_towards_two() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let x = lasso.int("x", 32);
    let half = terms.binary(Binary::SignedDivide, x, terms.constant(2, 32));
    lasso.iteration(Body {
        guard: vec![terms.test(Test::SignedLess, terms.constant(1, 32), x)],
        updates: vec![terms.add(half, terms.constant(1, 32))],
        ..Body::default()
    });
    let (_, set) = recurrence_set(&terms, &lasso.done(&[("x", 9)]));
    assert_eq!(set.show(), ["2 <= x"]);
}

/// while (x != 0) x = x - input(): the input may be zero or negative.
#[test]
fn reading_in_each_iteration() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let x = lasso.int("x", 32);
    let input = terms.symbol("in", 32);
    lasso.iteration(Body {
        guard: vec![terms.differ(x, terms.constant(0, 32))],
        updates: vec![terms.subtract(x, terms.variable(input))],
        inputs: vec![input],
        ..Body::default()
    });
    recurrence_set(&terms, &lasso.done(&[("x", 9)]));
}

/// The value of a term over integers, for the kinds of terms that random lassos are made of.
fn value(terms: &Terms, term: Term, given: &HashMap<Symbol, i128>) -> Option<i128> {
    let width = terms.width(term);
    let of = |operand: Term| value(terms, operand, given);
    let constant = |operand: Term, with_sign: bool| {
        let bits = terms.as_constant(operand)? as i128;
        let width = terms.width(operand);
        Some(if with_sign && bits >> (width - 1) == 1 {
            bits - (1 << width)
        } else {
            bits
        })
    };
    let number = |operand: Term| constant(operand, true).or_else(|| of(operand));
    let natural = |operand: Term| {
        constant(operand, false)
            .or_else(|| of(operand))
            .filter(|&number| number >= 0)
    };
    let mask = |number: i128, mask: i128| number & mask;
    Some(match terms.node(term) {
        Node::Constant(bits) if width == 1 => bits as i128,
        Node::Constant(_) => constant(term, true)?,
        Node::Symbol(symbol) => given[&symbol],
        Node::Not(a) if width == 1 => 1 - of(a)?,
        Node::Not(a) => !number(a)?,
        Node::Binary(operation, a, b) => match operation {
            Binary::Add => number(a)? + number(b)?,
            Binary::Subtract => number(a)? - number(b)?,
            Binary::Multiply => number(a)?.checked_mul(number(b)?)?,
            Binary::UnsignedDivide => natural(a)?.checked_div(natural(b)?)?,
            Binary::UnsignedRemainder => natural(a)?.checked_rem(natural(b)?)?,
            Binary::SignedDivide => number(a)?.checked_div(number(b)?)?,
            Binary::SignedRemainder => number(a)?.checked_rem(number(b)?)?,
            Binary::ShiftLeft => number(a)? << natural(b).filter(|&by| by < width.into())?,
            Binary::LogicalShiftRight => {
                natural(a)? >> natural(b).filter(|&by| by < width.into())?
            }
            Binary::ArithmeticShiftRight => {
                number(a)? >> natural(b).filter(|&by| by < width.into())?
            }
            Binary::And => mask(number(a)?, constant(b, true).or_else(|| of(b))?),
            Binary::Or => number(a)? | number(b)?,
            Binary::Xor => number(a)? ^ number(b)?,
        },
        Node::Test(test, a, b) => i128::from(match test {
            Test::Equal => number(a)? == number(b)?,
            Test::UnsignedLess => natural(a)? < natural(b)?,
            Test::UnsignedLessEqual => natural(a)? <= natural(b)?,
            Test::SignedLess => number(a)? < number(b)?,
            Test::SignedLessEqual => number(a)? <= number(b)?,
            _ => false,
        }),
        _ => return None,
    })
}

/// Follows a run of a proof over integers for some iterations. Where several iterations can be
/// taken, some choice of them must go on: the guards of a program exclude each other, those of a
/// random lasso need not.
fn follow(
    terms: &Terms,
    lasso: &Lasso,
    proof: &Proof,
    set: &LinearRecurrenceSet,
    iterations: usize,
) {
    let entry = lasso.stem.entry.iter().map(|&value| {
        let bits = terms.value(value, &proof.inputs) as i128;
        let width = terms.width(value);
        match bits >> (width - 1) {
            1 => bits - (1 << width),
            _ => bits,
        }
    });
    let mut open: Vec<(usize, Vec<i128>)> = vec![(0, entry.collect())];
    let mut seen: HashSet<(usize, Vec<i128>)> = HashSet::new();
    while let Some((taken, state)) = open.pop() {
        if taken == iterations || next_is_large(&state) {
            return;
        }
        for next in successors(terms, lasso, set, &state) {
            if seen.insert((taken + 1, next.clone())) {
                open.push((taken + 1, next));
            }
        }
    }
    panic!(
        "no run goes on for {iterations} iterations ({:?})",
        set.show()
    );
}

/// The states that the iterations which can be taken from a state lead to, under the policy.
fn successors(
    terms: &Terms,
    lasso: &Lasso,
    set: &LinearRecurrenceSet,
    state: &[i128],
) -> Vec<Vec<i128>> {
    let next = |(iteration, policy): (&Iteration, &Vec<Affine>)| {
        let symbols = lasso.variables.iter().map(|v| v.symbol);
        let mut given: HashMap<Symbol, i128> = symbols.zip(state.iter().copied()).collect();
        for (input, choice) in iteration.inputs.iter().zip(policy) {
            let parts = choice
                .coefficients
                .iter()
                .map(|(&at, c)| i128::try_from(c).unwrap() * state[at]);
            let constant = i128::try_from(&choice.constant).unwrap();
            given.insert(input.symbol, parts.sum::<i128>() + constant);
        }
        let mut guards = iteration.guard.iter();
        let is_taken = guards.all(|guard| value(terms, guard.term, &given) == Some(1));
        let updates = iteration.updates.iter();
        let next = updates.map(|&update| value(terms, update, &given));
        is_taken.then(|| next.collect())?
    };
    lasso
        .iterations
        .iter()
        .zip(&set.policy)
        .filter_map(next)
        .collect()
}

fn next_is_large(state: &[i128]) -> bool {
    state.iter().any(|value| value.unsigned_abs() > 1 << 60)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn runs_proved_over_integers_go_on(recipe in recipe()) {
        let terms = Terms::new();
        let lasso = cook(&terms, &recipe);
        if let Verdict::Nonterminating(proof) = prove(&terms, &lasso, &Options { time: Duration::from_millis(200), ..options() })
            && let Evidence::Linear(set) = &proof.evidence
        {
            follow(&terms, &lasso, &proof, set, 300);
            let certificate = proof.certificate(&terms, &lasso, Duration::ZERO).expect("nothing else is asked");
            prop_assert_eq!(certify(&certificate).expect("it holds").unchecked, None);
        }
    }
}
