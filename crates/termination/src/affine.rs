//! Affine expressions over integers, and combinations of inequalities: Farkas' lemma as far as a
//! checker needs it.
//!
//! An inequality is an expression that is at most zero. If some inequalities hold, so does every
//! sum of non-negative multiples of them, and every weaker one (theorem 2 of the paper, the easy
//! direction, which is all that a proof rests on). As unknowns are integers, a sum with whole
//! coefficients holds with its constant rounded up, too.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::collections::BTreeMap;

/// A sum of multiples of unknowns, and a constant. The caller numbers the unknowns.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Affine {
    /// The multiples; none is zero.
    pub coefficients: BTreeMap<usize, BigInt>,
    /// The constant.
    pub constant: BigInt,
}

impl Affine {
    /// A constant.
    pub fn constant(value: impl Into<BigInt>) -> Affine {
        Affine {
            coefficients: BTreeMap::new(),
            constant: value.into(),
        }
    }

    /// An unknown.
    pub fn unknown(number: usize) -> Affine {
        Affine {
            coefficients: BTreeMap::from([(number, 1.into())]),
            constant: BigInt::zero(),
        }
    }

    /// Whether there are no unknowns in it.
    pub fn is_constant(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// This and a multiple of another.
    pub fn plus(&self, factor: &BigInt, other: &Affine) -> Affine {
        let mut sum = self.clone();
        for (&unknown, coefficient) in &other.coefficients {
            *sum.coefficients.entry(unknown).or_default() += factor * coefficient;
        }
        sum.coefficients
            .retain(|_, coefficient| !coefficient.is_zero());
        sum.constant += factor * &other.constant;
        sum
    }

    /// The sum.
    pub fn add(&self, other: &Affine) -> Affine {
        self.plus(&1.into(), other)
    }

    /// The difference.
    pub fn subtract(&self, other: &Affine) -> Affine {
        self.plus(&(-1).into(), other)
    }

    /// A multiple.
    pub fn times(&self, factor: &BigInt) -> Affine {
        Affine::default().plus(factor, self)
    }

    /// With a number added.
    pub fn shifted(&self, by: impl Into<BigInt>) -> Affine {
        self.add(&Affine::constant(by))
    }

    /// With expressions for the unknowns; unknowns without one stay.
    pub fn substitute(&self, values: &[Affine]) -> Affine {
        self.coefficients.iter().fold(
            Affine::constant(self.constant.clone()),
            |sum, (&unknown, coefficient)| match values.get(unknown) {
                Some(value) => sum.plus(coefficient, value),
                None => sum.plus(coefficient, &Affine::unknown(unknown)),
            },
        )
    }

    /// Its value, where the unknowns from zero on have these values and there are no others.
    pub fn value(&self, values: &[BigInt]) -> BigInt {
        self.coefficients
            .iter()
            .map(|(&unknown, coefficient)| coefficient * &values[unknown])
            .sum::<BigInt>()
            + &self.constant
    }
}

/// Whether the conclusion, an inequality, follows from the premises by these multipliers.
pub fn follows(premises: &[Affine], multipliers: &[BigRational], conclusion: &Affine) -> bool {
    if premises.len() != multipliers.len() || multipliers.iter().any(Signed::is_negative) {
        return false;
    }
    let mut constant = BigRational::zero();
    let mut coefficients: BTreeMap<usize, BigRational> = BTreeMap::new();
    for (premise, multiplier) in premises.iter().zip(multipliers) {
        constant += multiplier * BigRational::from(premise.constant.clone());
        for (&unknown, coefficient) in &premise.coefficients {
            *coefficients
                .entry(unknown)
                .or_insert_with(BigRational::zero) +=
                multiplier * BigRational::from(coefficient.clone());
        }
    }
    coefficients.retain(|_, coefficient| !coefficient.is_zero());
    let wanted = conclusion
        .coefficients
        .iter()
        .map(|(&unknown, c)| (unknown, BigRational::from(c.clone())));
    coefficients == wanted.collect()
        && constant.ceil() >= BigRational::from(conclusion.constant.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn affine(coefficients: &[i32], constant: i32) -> Affine {
        let sum = coefficients.iter().enumerate();
        sum.fold(Affine::constant(constant), |sum, (at, &c)| {
            sum.plus(&c.into(), &Affine::unknown(at))
        })
    }

    fn rationals(values: &[(i32, i32)]) -> Vec<BigRational> {
        values
            .iter()
            .map(|&(n, d)| BigRational::new(n.into(), d.into()))
            .collect()
    }

    #[test]
    fn the_proof_of_section_5_2() {
        // x >= 0 and y >= 0, where x' = x + y and y' = y + 1.
        let set = [affine(&[-1, 0], 0), affine(&[0, -1], 0)];
        assert!(follows(
            &set,
            &rationals(&[(1, 1), (0, 1)]),
            &affine(&[-1, 0], 0)
        ));
        assert!(follows(
            &set,
            &rationals(&[(1, 1), (1, 1)]),
            &affine(&[-1, -1], 0)
        ));
        assert!(follows(
            &set,
            &rationals(&[(0, 1), (1, 1)]),
            &affine(&[0, -1], -1)
        ));
    }

    #[test]
    fn what_does_not_follow() {
        let set = [affine(&[2], -5)];
        assert!(follows(&set, &rationals(&[(1, 2)]), &affine(&[1], -3)));
        // 2x <= 5 makes x <= 2, as x is an integer, but not x <= 1.
        assert!(follows(&set, &rationals(&[(1, 2)]), &affine(&[1], -2)));
        assert!(!follows(&set, &rationals(&[(1, 2)]), &affine(&[1], -1)));
        assert!(!follows(&set, &rationals(&[(-1, 1)]), &affine(&[-2], 5)));
        assert!(!follows(&set, &rationals(&[(1, 1)]), &affine(&[1], -5)));
        assert!(!follows(&set, &[], &affine(&[2], -5)));
    }
}
