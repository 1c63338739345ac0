//! Linear arithmetic over rationals: multipliers that combine inequalities into another (Farkas' lemma).
//!
//! What is found is exact, and whoever uses it can check it by adding up.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use z3::ast::Real;
use z3::{Params, SatResult, Solver};

/// A sum of multiples of unknowns and a constant, meant to be at most zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inequality {
    /// The multiples.
    pub coefficients: BTreeMap<usize, BigInt>,
    /// The constant.
    pub constant: BigInt,
}

/// Numbers that are not negative, one for each premise, with which the premises add up to the conclusion or to something
/// stronger, once the constant is rounded up: the unknowns are integers. `None` if there are none, or none was found in time.
pub fn combine(
    premises: &[Inequality],
    conclusion: &Inequality,
    timeout: Duration,
) -> Option<Vec<BigRational>> {
    let solver = Solver::new_for_logic("QF_LRA").unwrap_or_default();
    let mut params = Params::new();
    params.set_u32(
        "timeout",
        u32::try_from(timeout.as_millis())
            .unwrap_or(u32::MAX)
            .max(1),
    );
    solver.set_params(&params);
    let zero = number(&BigInt::zero());
    let multipliers: Vec<Real> = (0..premises.len())
        .map(|at| Real::new_const(format!("l{at}")))
        .collect();
    for multiplier in &multipliers {
        solver.assert(multiplier.ge(&zero));
    }
    let unknowns: BTreeSet<usize> = premises
        .iter()
        .chain([conclusion])
        .flat_map(|inequality| inequality.coefficients.keys().copied())
        .collect();
    let sum = |of: &dyn Fn(&Inequality) -> BigInt| {
        let parts = premises
            .iter()
            .zip(&multipliers)
            .filter(|(premise, _)| !of(premise).is_zero());
        parts.fold(zero.clone(), |sum, (premise, multiplier)| {
            sum + multiplier * number(&of(premise))
        })
    };
    for unknown in unknowns {
        let coefficient =
            |of: &Inequality| of.coefficients.get(&unknown).cloned().unwrap_or_default();
        solver.assert(sum(&coefficient).eq(number(&coefficient(conclusion))));
    }
    // Rounded up, the constant of the sum must be no less than that of the conclusion.
    solver.assert(sum(&|of| of.constant.clone()).gt(number(&(&conclusion.constant - 1))));
    if solver.check() != SatResult::Sat {
        return None;
    }
    let model = solver.get_model()?;
    multipliers
        .iter()
        .map(|multiplier| rational(&model.eval(multiplier, true)?))
        .collect()
}

fn number(value: &BigInt) -> Real {
    Real::from_rational_str(&value.to_string(), "1").expect("an integer is a rational number")
}

fn rational(value: &Real) -> Option<BigRational> {
    let (numerator, denominator) = value.as_rational()?;
    Some(BigRational::new(numerator.into(), denominator.into()))
}
