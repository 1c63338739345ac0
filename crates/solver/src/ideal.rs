//! Ideal membership: which equation follows from equations between polynomials by the laws of
//! commutative rings.
//!
//! If p₁ = 0, …, pₙ = 0 hold, then so does m₁·p₁ + … + mₙ·pₙ = 0 for all multipliers mᵢ. The search
//! for multipliers of small degree solves linear equations modulo a power of two: Gaussian
//! elimination whose pivots are the leading monomials. It divides by odd numbers only, and shifts,
//! so it may miss multipliers; those it finds are right.

use crate::polynomial::Polynomial;
use crate::term::{Term, mask};
use std::collections::BTreeMap;

/// The degrees of multipliers.
const DEGREES: usize = 2;
/// With more rows than this no multipliers of the next degree are tried.
const ROWS: usize = 300;

/// Returns a multiplier for each polynomial of `zeros`, all of one width, such that the sum of the
/// products is `goal`, if some are found.
pub fn multipliers(zeros: &[Polynomial], goal: &Polynomial) -> Option<Vec<Polynomial>> {
    let width = goal.width();
    let all = || zeros.iter().chain([goal]);
    let mut atoms: Vec<Term> = all()
        .flat_map(|zero| zero.monomials().flat_map(|(factors, _)| factors.to_vec()))
        .collect();
    atoms.sort_unstable();
    atoms.dedup();
    let mut rows = Rows::default();
    let mut factors: Vec<Vec<Term>> = vec![Vec::new()];
    for _ in 0..=DEGREES {
        if rows.by_leading.len() + factors.len() * zeros.len() > ROWS {
            return None;
        }
        for product in &factors {
            let multiplier = Polynomial::monomial(product.clone(), width);
            for (at, zero) in zeros.iter().enumerate() {
                let mut of = vec![Polynomial::zero(width); zeros.len()];
                of[at] = multiplier.clone();
                rows.insert(Row {
                    sum: zero.times(&multiplier),
                    of,
                });
            }
        }
        let none = vec![Polynomial::zero(width); zeros.len()];
        let left = rows.reduce(Row {
            sum: goal.clone(),
            of: none,
        });
        if left.sum.is_zero() {
            return Some(left.of.iter().map(Polynomial::negative).collect());
        }
        factors = longer(&factors, &atoms);
    }
    None
}

/// Each product with one more factor, which is not smaller than its last one.
fn longer(products: &[Vec<Term>], atoms: &[Term]) -> Vec<Vec<Term>> {
    let with = |product: &Vec<Term>| {
        let last = product.last().copied();
        let fits = atoms
            .iter()
            .filter(move |&&atom| last.is_none_or(|last| last <= atom));
        let product = product.clone();
        fits.map(move |&atom| [&product[..], &[atom]].concat())
    };
    products.iter().flat_map(with).collect::<Vec<_>>()
}

/// A polynomial, and how it is made: in a row of [`Rows`], the sum of the products with these
/// multipliers; of what is being reduced, a constant polynomial more than that.
#[derive(Clone)]
struct Row {
    sum: Polynomial,
    of: Vec<Polynomial>,
}

impl Row {
    /// The sum with a multiple of another row.
    fn plus(mut self, other: &Row, factor: u128) -> Row {
        self.sum = self.sum.plus(&other.sum, factor);
        let pairs = self.of.into_iter().zip(&other.of);
        self.of = pairs.map(|(one, two)| one.plus(two, factor)).collect();
        self
    }
}

/// Rows with different leading monomials.
#[derive(Default)]
struct Rows {
    by_leading: BTreeMap<Vec<Term>, Row>,
}

impl Rows {
    /// Adds a row. Where its leading monomial is there already, the row whose coefficient has
    /// fewer factors of two stays and reduces the other one.
    fn insert(&mut self, row: Row) {
        let mut open = row;
        loop {
            open = self.reduce(open);
            let Some((leading, coefficient)) = open.sum.leading() else {
                return;
            };
            debug_assert!(coefficient != 0);
            let leading = leading.to_vec();
            match self.by_leading.insert(leading, open) {
                Some(replaced) => open = replaced,
                None => return,
            }
        }
    }

    /// Takes multiples of rows away until the leading monomial stays.
    fn reduce(&self, mut row: Row) -> Row {
        while let Some((leading, coefficient)) = row.sum.leading() {
            let Some(by) = self.by_leading.get(leading) else {
                break;
            };
            let (_, pivot) = by.sum.leading().expect("no row is zero");
            let Some(times) = quotient(coefficient, pivot, row.sum.width()) else {
                break;
            };
            row = row.plus(by, times.wrapping_neg());
        }
        row
    }
}

/// A number that times `divisor`, which is not zero, is `dividend` modulo 2^width, if there is one.
fn quotient(dividend: u128, divisor: u128, width: u8) -> Option<u128> {
    let twos = divisor.trailing_zeros();
    if dividend.trailing_zeros() < twos {
        return None;
    }
    // Each step of Newton's doubles the number of low bits that are right, from 3 on.
    let odd = divisor >> twos;
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some((dividend >> twos).wrapping_mul(inverse) & mask(width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Terms;

    #[test]
    fn quotients_modulo_a_power_of_two() {
        for (dividend, divisor) in [(6, 2), (5, 3), (12, 4), (250, 7), (0, 9)] {
            let found = quotient(dividend, divisor, 8).expect("a quotient");
            assert_eq!((found * divisor) & 0xff, dividend);
        }
        assert_eq!(quotient(3, 2, 8), None);
    }

    #[test]
    fn a_sum_of_cubes_follows_from_its_parts() {
        let terms = Terms::new();
        let variable = |name| terms.variable(terms.symbol(name, 32));
        let [n, x, y] = ["n", "x", "y"].map(variable);
        let number = |value| terms.constant(value, 32);
        let square = terms.multiply(n, n);
        let cube = terms.multiply(square, n);
        let three = |term| terms.multiply(number(3), term);
        let next = terms.add(terms.add(three(square), three(n)), number(1));
        let zeros = [terms.equal(x, cube), terms.equal(y, next)];
        let zeros = zeros.map(|zero| terms.difference(zero).expect("an equation"));
        let goal = terms.equal(terms.add(x, y), terms.add(cube, next));
        let goal = terms.difference(goal).expect("an equation");
        let found = multipliers(&zeros, &goal).expect("multipliers");
        let products = found.iter().zip(&zeros).map(|(by, zero)| by.times(zero));
        let sum = products.fold(Polynomial::zero(32), |sum, product| sum.plus(&product, 1));
        assert_eq!(sum, goal);
        let other = terms.difference(terms.equal(x, y)).expect("an equation");
        assert_eq!(multipliers(&zeros, &other), None);
    }

    #[test]
    fn a_multiplier_is_a_variable() {
        let terms = Terms::new();
        let variable = |name| terms.variable(terms.symbol(name, 32));
        let [x, y, z] = ["x", "y", "z"].map(variable);
        let zero = terms.polynomial(terms.subtract(terms.multiply(x, z), y));
        let goal = terms.polynomial(terms.multiply(
            terms.subtract(terms.multiply(x, z), y),
            terms.add(z, terms.constant(1, 32)),
        ));
        let found = multipliers(std::slice::from_ref(&zero), &goal).expect("multipliers");
        assert_eq!(found[0].times(&zero), goal);
    }
}
