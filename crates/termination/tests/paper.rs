//! The small programs of the paper, as lassos.

mod common;

use common::{Body, Builder};
use impasse_solver::{Binary, Term, Terms, Test};
use impasse_termination::nontermination::{Evidence, Options, Proof, Verdict, prove};
use impasse_termination::problem::{Lasso, Reading};

fn nonterminating(terms: &Terms, lasso: &Lasso) -> Proof {
    match prove(terms, lasso, &Options::default()) {
        Verdict::Nonterminating(proof) => *proof,
        other => panic!("{other:?}"),
    }
}

fn terminating(terms: &Terms, lasso: &Lasso) {
    let verdict = prove(terms, lasso, &Options::default());
    assert!(matches!(verdict, Verdict::Terminating(_)), "{verdict:?}");
}

fn less(terms: &Terms, a: Term, b: Term) -> Term {
    terms.test(Test::SignedLess, a, b)
}

fn add_overflows(terms: &Terms, a: Term, b: Term) -> Term {
    terms.test(Test::SignedAddOverflow, a, b)
}

fn period(proof: &Proof) -> u64 {
    match &proof.evidence {
        Evidence::Repeats { cycle, .. } => cycle.len(),
        other => panic!("{other:?}"),
    }
}

/// Figure 1: lo < hi; mid = (lo + hi) / 2; a[mid] < k; lo = mid + 1.
#[test]
fn binary_search_wraps_around() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let (lo, hi, k) = (
        lasso.unsigned("lo", 32),
        lasso.unsigned("hi", 32),
        lasso.int("k", 32),
    );
    let middle = terms.binary(
        Binary::UnsignedDivide,
        terms.add(lo, hi),
        terms.constant(2, 32),
    );
    lasso.iteration(Body {
        // The address of a[mid] is pinned to that of a[0].
        guard: vec![
            terms.test(Test::UnsignedLess, lo, hi),
            terms.equal(middle, terms.constant(0, 32)),
            less(&terms, terms.constant(7, 32), k),
        ],
        updates: vec![terms.add(middle, terms.constant(1, 32)), hi, k],
        ..Body::default()
    });
    let lasso = lasso.done(&[("lo", 0), ("hi", 1), ("k", 9)]);
    let proof = nonterminating(&terms, &lasso);
    assert_eq!(period(&proof), 1);
    let inputs: Vec<u128> = lasso
        .stem
        .inputs
        .iter()
        .map(|input| proof.inputs.get(input.symbol))
        .collect();
    assert_eq!(inputs[1], u32::MAX.into());
}

/// n = input(); for (i = 0; i <= n; i++), with the counter read in the body: it wraps around at the
/// largest n.
#[test]
fn up_to_and_including_the_largest_number() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let n = lasso.unsigned("n", 32);
    let i = lasso.variable("i", terms.constant(0, 32), Reading::Unsigned);
    lasso.iteration(Body {
        guard: vec![terms.test(Test::UnsignedLessEqual, i, n)],
        updates: vec![n, terms.add(i, terms.constant(1, 32))],
        ..Body::default()
    });
    let lasso = lasso.done(&[("n", 3)]);
    let proof = nonterminating(&terms, &lasso);
    assert_eq!(
        proof.inputs.get(lasso.stem.inputs[0].symbol),
        u32::MAX.into()
    );
}

/// The same with sign: the counter overflows, which is undefined, so it ends.
#[test]
fn with_sign_the_counter_may_not_wrap_around() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let n = lasso.int("n", 32);
    let i = lasso.variable("i", terms.constant(0, 32), Reading::Signed);
    let one = terms.constant(1, 32);
    lasso.iteration(Body {
        guard: vec![terms.test(Test::SignedLessEqual, i, n)],
        hazards: vec![add_overflows(&terms, i, one)],
        updates: vec![n, terms.add(i, one)],
        ..Body::default()
    });
    terminating(&terms, &lasso.done(&[("n", 3)]));
}

/// if (y != 0) while (i >= 0) i = i - y: y < 0 overflows on a machine, but y = 0 is excluded.
#[test]
fn subtracting_a_negative_number_overflows() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let (i, y) = (lasso.int("i", 32), lasso.input("y", 32));
    let zero = terms.constant(0, 32);
    lasso.assume(terms.differ(y, zero));
    let y = lasso.variable("y", y, Reading::Signed);
    lasso.iteration(Body {
        guard: vec![terms.test(Test::SignedLessEqual, zero, i)],
        hazards: vec![terms.test(Test::SignedSubtractOverflow, i, y)],
        updates: vec![terms.subtract(i, y), y],
        ..Body::default()
    });
    terminating(&terms, &lasso.done(&[("i", 5), ("y", 1)]));
}

/// while (x == y) { x = !x; y = !y; } needs the loop twice.
#[test]
fn booleans_swap() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let (x, y) = (lasso.unsigned("x", 1), lasso.unsigned("y", 1));
    lasso.iteration(Body {
        guard: vec![terms.equal(x, y)],
        updates: vec![terms.not(x), terms.not(y)],
        ..Body::default()
    });
    let proof = nonterminating(&terms, &lasso.done(&[]));
    assert_eq!(period(&proof), 2);
}

/// x >= 0; x' = x + y; y' = 1 - y, from y = 0: over bit vectors x overflows.
#[test]
fn alternating_growth_overflows() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let x = lasso.int("x", 32);
    let y = lasso.variable("y", terms.constant(0, 32), Reading::Signed);
    let one = terms.constant(1, 32);
    lasso.iteration(Body {
        guard: vec![terms.test(Test::SignedLessEqual, terms.constant(0, 32), x)],
        hazards: vec![
            add_overflows(&terms, x, y),
            terms.test(Test::SignedSubtractOverflow, one, y),
        ],
        updates: vec![terms.add(x, y), terms.subtract(one, y)],
        ..Body::default()
    });
    terminating(&terms, &lasso.done(&[("x", 5)]));
}

/// Figure 10's second loop without its first: while (y > 0) y++ overflows with sign, and wraps to
/// zero without.
#[test]
fn growing_until_it_wraps_ends() {
    for with_sign in [true, false] {
        let terms = Terms::new();
        let mut lasso = Builder::new(&terms);
        let y = lasso.int("y", 32);
        let (zero, one) = (terms.constant(0, 32), terms.constant(1, 32));
        lasso.iteration(Body {
            guard: vec![terms.test(
                if with_sign {
                    Test::SignedLess
                } else {
                    Test::UnsignedLess
                },
                zero,
                y,
            )],
            hazards: if with_sign {
                vec![add_overflows(&terms, y, one)]
            } else {
                Vec::new()
            },
            updates: vec![terms.add(y, one)],
            ..Body::default()
        });
        terminating(&terms, &lasso.done(&[("y", 5)]));
    }
}

/// Figure 10's first loop: for (x = 0; x < 100; x++).
#[test]
fn counting_to_a_hundred_ends() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let x = lasso.variable("x", terms.constant(0, 32), Reading::Signed);
    let (one, most) = (terms.constant(1, 32), terms.constant(100, 32));
    lasso.iteration(Body {
        guard: vec![less(&terms, x, most)],
        hazards: vec![add_overflows(&terms, x, one)],
        updates: vec![terms.add(x, one)],
        ..Body::default()
    });
    terminating(&terms, &lasso.done(&[]));
}

/// An odd counter that steps by two never is zero; its period is 2^31.
#[test]
fn an_odd_counter_is_never_zero() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let i = lasso.unsigned("i", 32);
    lasso.iteration(Body {
        guard: vec![terms.differ(i, terms.constant(0, 32))],
        updates: vec![terms.subtract(i, terms.constant(2, 32))],
        ..Body::default()
    });
    let lasso = lasso.done(&[("i", 10)]);
    let proof = nonterminating(&terms, &lasso);
    assert_eq!(proof.inputs.get(lasso.stem.inputs[0].symbol) % 2, 1);
    let Evidence::Closed { set, .. } = proof.evidence else {
        panic!("its period is too long to be followed");
    };
    assert_eq!(
        set.len(),
        1,
        "{:?}",
        set.iter().map(|&c| terms.show(c)).collect::<Vec<_>>()
    );
}

/// while (x > 0) x = x + input(): the input may be zero.
#[test]
fn an_input_may_change_nothing() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let x = lasso.int("x", 32);
    let input = terms.symbol("in", 32);
    let step = terms.variable(input);
    lasso.iteration(Body {
        guard: vec![less(&terms, terms.constant(0, 32), x)],
        hazards: vec![add_overflows(&terms, x, step)],
        updates: vec![terms.add(x, step)],
        inputs: vec![input],
    });
    let proof = nonterminating(&terms, &lasso.done(&[("x", 3)]));
    assert_eq!(period(&proof), 1);
}

/// while (x * u + y * v == a * b) { x = x - y; v = v + u; }: what is compared stays the same.
#[test]
fn a_polynomial_equation_is_preserved() {
    let terms = Terms::new();
    let mut lasso = Builder::new(&terms);
    let (a, b) = (lasso.unsigned("a", 32), lasso.unsigned("b", 32));
    let (a_in, b_in) = (lasso.input("a1", 32), lasso.input("b1", 32));
    let x = lasso.variable("x", a_in, Reading::Unsigned);
    let u = lasso.variable("u", b_in, Reading::Unsigned);
    let y = lasso.variable("y", b_in, Reading::Unsigned);
    let v = lasso.variable("v", terms.constant(1, 32), Reading::Unsigned);
    let sum = terms.add(terms.multiply(x, u), terms.multiply(y, v));
    lasso.iteration(Body {
        guard: vec![terms.equal(sum, terms.multiply(a, b))],
        updates: vec![a, b, terms.subtract(x, y), u, y, terms.add(v, u)],
        ..Body::default()
    });
    let lasso = lasso.done(&[("b1", 1), ("a1", 1), ("a", 2), ("b", 1)]);
    nonterminating(&terms, &lasso);
}
