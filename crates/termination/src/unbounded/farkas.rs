//! Multipliers that show that inequalities follow from others (Farkas' lemma).

use super::linear::{Row, solve};
use crate::affine::{Affine, follows};
use num_bigint::BigInt;
use num_rational::{BigRational, Ratio};
use num_traits::{One, ToPrimitive};
use std::collections::BTreeMap;

/// Whether multipliers show that an expression is at most zero wherever the premises are, or that
/// the premises are nowhere.
pub(super) fn shows(premises: &[Affine], multipliers: &[BigRational], goal: &Affine) -> bool {
    follows(premises, multipliers, goal) || follows(premises, multipliers, &Affine::constant(1))
}

/// Multipliers that show this, if it is so and they are found.
pub(super) fn implied(premises: &[Affine], goal: &Affine) -> Option<Vec<BigRational>> {
    let found = least(premises, goal).map(|found| rationals(&found));
    found
        .filter(|multipliers| shows(premises, multipliers, goal))
        .or_else(|| contradiction(premises))
}

/// Multipliers that show that the premises do not hold together.
pub(super) fn contradiction(premises: &[Affine]) -> Option<Vec<BigRational>> {
    let mut rows = equations(premises, &Affine::default())?;
    let constants = constants(premises)?.into_iter().enumerate();
    rows.push((constants.collect(), 1));
    let found = solve(&rows, premises.len(), None)?;
    let multipliers = rationals(&found);
    follows(premises, &multipliers, &Affine::constant(1)).then_some(multipliers)
}

/// The greatest constant with which an expression, whose own constant does not count, is at most
/// zero wherever the premises are, which are not contradictory. `None` if there is none.
pub(super) fn greatest(premises: &[Affine], expression: &Affine) -> Option<BigInt> {
    let found = rationals(&least(premises, expression)?);
    let parts = premises.iter().zip(&found);
    let sum: BigRational = parts
        .map(|(premise, by)| by * BigRational::from(premise.constant.clone()))
        .sum();
    Some(sum.ceil().to_integer())
}

/// The multipliers with which the premises add up to an expression and the greatest constant.
fn least(premises: &[Affine], expression: &Affine) -> Option<Vec<Ratio<i128>>> {
    let rows = equations(premises, expression)?;
    let objective: Vec<i128> = constants(premises)?.into_iter().map(|one| -one).collect();
    solve(&rows, premises.len(), Some(&objective))
}

/// That the premises add up to an expression, up to its constant.
fn equations(premises: &[Affine], expression: &Affine) -> Option<Vec<Row>> {
    let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
    for (&unknown, coefficient) in &expression.coefficients {
        rows.entry(unknown).or_default().1 = coefficient.to_i64().map(i128::from)?;
    }
    for (at, premise) in premises.iter().enumerate() {
        for (&unknown, coefficient) in &premise.coefficients {
            let row = rows.entry(unknown).or_default();
            row.0.push((at, coefficient.to_i64().map(i128::from)?));
        }
    }
    Some(rows.into_values().collect())
}

fn constants(premises: &[Affine]) -> Option<Vec<i128>> {
    let constants = premises
        .iter()
        .map(|premise| premise.constant.to_i64().map(i128::from));
    constants.collect()
}

fn rationals(values: &[Ratio<i128>]) -> Vec<BigRational> {
    let rational = |one: &Ratio<i128>| match one.denom().is_one() {
        true => BigRational::from(BigInt::from(*one.numer())),
        false => BigRational::new((*one.numer()).into(), (*one.denom()).into()),
    };
    values.iter().map(rational).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn affine(coefficients: &[i32], constant: i32) -> Affine {
        let parts = coefficients.iter().enumerate();
        parts.fold(Affine::constant(constant), |sum, (at, &c)| {
            sum.plus(&c.into(), &Affine::unknown(at))
        })
    }

    #[test]
    fn what_follows() {
        // x <= 3 and y <= x.
        let known = [affine(&[1, 0], -3), affine(&[-1, 1], 0)];
        assert!(implied(&known, &affine(&[1, 1], -6)).is_some());
        assert!(implied(&known, &affine(&[1, 1], -5)).is_none());
        assert!(implied(&known, &affine(&[-1, 0], 0)).is_none());
        assert_eq!(greatest(&known, &affine(&[1, 1], 0)), Some((-6).into()));
        assert_eq!(greatest(&known, &affine(&[-1, 0], 0)), None);
        assert!(contradiction(&known).is_none());
        let more = [known.as_slice(), &[affine(&[0, -1], 4)]].concat();
        assert!(contradiction(&more).is_some());
    }
}
