//! A transition system with products, as one in which products are unknowns of their own.
//!
//! What is known on a transition is that of the system, bounds of single variables that always hold
//! at its source, what equations say of the products in it, and some theorems: squares are not
//! negative, nor are products of two numbers that are not. Each product that is no variable counts
//! as one more unknown of the transition. So every run of the system is one of the system that is
//! made here.

use super::polynomial::{Expanded, Monomial, Polynomial};
use super::proof::Invariants;
use super::system::{System, Transition};
use crate::affine::Affine;
use crate::certificate::AffineRecord;
use num_bigint::BigInt;
use num_traits::One;
use std::collections::{BTreeMap, BTreeSet};

/// Of more inequalities, no products are made.
const MULTIPLIED: usize = 12;

/// The system in which products are unknowns, given which transitions are never taken, what is zero
/// at each location, and what else always holds there.
pub(super) fn lifted(
    system: &System,
    (expanded, never): (&[Expanded], &[bool]),
    zeros: &[Vec<Polynomial>],
    invariants: &[Invariants],
) -> System {
    let transitions = expanded.iter().zip(never).map(|(one, never)| {
        let variables = system.locations[one.from].variables;
        let own = invariants.iter().filter(|own| own.location == one.from);
        let rows = own.flat_map(|own| own.rows.iter().map(AffineRecord::affine));
        let rows: Vec<Affine> = rows.collect();
        let mut lifted = transition(one, variables, (&zeros[one.from], &rows));
        if *never {
            lifted.known = vec![Affine::constant(1)];
        }
        lifted
    });
    System {
        locations: system.locations.clone(),
        transitions: transitions.collect(),
        ..System::default()
    }
}

/// Whether an expression has one variable, so that it bounds that.
pub(super) fn is_bound(row: &Affine) -> bool {
    row.coefficients.len() == 1
}

fn transition(
    one: &Expanded,
    variables: usize,
    (zeros, invariants): (&[Polynomial], &[Affine]),
) -> Transition {
    let mut rows: Vec<Polynomial> = one.known.clone();
    let own = || one.known.iter().chain(&one.after);
    let products: BTreeSet<Monomial> = nonlinear(own()).collect();
    let is_about = |zero: &Polynomial| {
        let greatest = zero.terms.keys().next_back();
        greatest.is_some_and(|one| one.is_linear() || products.contains(one))
    };
    let mut equations: Vec<Polynomial> = one.zeros.iter().chain(zeros).cloned().collect();
    let unknowns: BTreeSet<usize> = products.iter().flat_map(|one| one.0.clone()).collect();
    for zero in one.zeros.iter().filter(|zero| zero.degree() == 1) {
        for &unknown in &unknowns {
            let by = Monomial(vec![unknown]);
            let multiple = Polynomial::default().plus(&BigInt::one(), &by, Some(zero));
            equations.push(multiple);
        }
    }
    for zero in equations.iter().filter(|zero| is_about(zero)) {
        rows.extend([zero.negative(), zero.clone()]);
    }
    let bounds = invariants.iter().filter(|row| is_bound(row));
    let bounds = bounds.filter(|row| row.coefficients.keys().all(|one| unknowns.contains(one)));
    let bounds: Vec<Polynomial> = bounds
        .map(|row| Polynomial::of(row, &BTreeMap::new()))
        .take(MULTIPLIED)
        .collect();
    let linear = one.known.iter().filter(|row| row.degree() == 1);
    let linear: Vec<&Polynomial> = linear.collect();
    let linear = if linear.len() <= MULTIPLIED {
        linear
    } else {
        Vec::new()
    };
    let factors: Vec<&Polynomial> = linear.into_iter().chain(&bounds).collect();
    for (at, a) in factors.iter().enumerate() {
        for b in &factors[at..] {
            let product = a.times(b).map(|product| product.negative());
            let is_about = |row: &Polynomial| nonlinear([row]).all(|one| products.contains(&one));
            rows.extend(product.filter(is_about));
        }
    }
    rows.extend(bounds);
    let all: BTreeSet<Monomial> = nonlinear(rows.iter().chain(&one.after)).collect();
    for square in all.iter().filter(|one| one.is_square()) {
        let minus = Polynomial::default().plus(&(-1).into(), square, None);
        if let [unknown, _] = square.0[..] {
            // A square of an integer is at least the integer, and its negative.
            let own = Monomial(vec![unknown]);
            let with = |by: i32| minus.clone().plus(&by.into(), &own, None);
            rows.extend([with(1), with(-1)]);
        }
        rows.push(minus);
    }
    let used = rows.iter().chain(&one.after);
    let used = used.flat_map(|row| row.terms.keys().flat_map(|one| &one.0));
    let first = used.max().map_or(0, |most| most + 1).max(variables);
    let numbers: BTreeMap<Monomial, usize> = all.into_iter().zip(first..).collect();
    let affine = |row: &Polynomial| {
        let parts = row.terms.iter();
        parts.fold(Affine::default(), |sum, (monomial, by)| {
            match monomial.0[..] {
                [] => sum.shifted(by.clone()),
                [unknown] => sum.plus(by, &Affine::unknown(unknown)),
                _ => sum.plus(by, &Affine::unknown(numbers[monomial])),
            }
        })
    };
    let mut known: Vec<Affine> = Vec::new();
    for row in rows.iter().map(affine) {
        // What is never more than zero says nothing.
        let says_nothing = row.is_constant() && row.constant <= BigInt::ZERO;
        if !says_nothing && !known.contains(&row) {
            known.push(row);
        }
    }
    Transition {
        from: one.from,
        to: one.to,
        known,
        after: one.after.iter().map(affine).collect(),
        products: Vec::new(),
    }
}

/// The products of unknowns in polynomials.
fn nonlinear<'p>(of: impl IntoIterator<Item = &'p Polynomial>) -> impl Iterator<Item = Monomial> {
    let all = of.into_iter().flat_map(|row| row.terms.keys());
    all.filter(|one| !one.is_linear()).cloned()
}
