//! Polynomials with whole coefficients over the unknowns of a transition.

use super::system::Transition;
use crate::affine::Affine;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Longer polynomials, and products of more factors, are not computed.
const LONGEST: usize = 1000;
const FACTORS: usize = 8;
/// How often equations replace unknowns in what is known.
const ROUNDS: usize = 4;

/// A product of unknowns, the greatest first; that of none is one. Products of more factors are
/// greater, then those whose greatest unknown is.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Monomial(pub Vec<usize>);

impl Ord for Monomial {
    fn cmp(&self, other: &Monomial) -> Ordering {
        (self.0.len(), &self.0).cmp(&(other.0.len(), &other.0))
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Monomial {
    /// The product of some unknowns.
    pub(super) fn of(mut factors: Vec<usize>) -> Monomial {
        factors.sort_unstable_by(|a, b| b.cmp(a));
        Monomial(factors)
    }

    pub(super) fn times(&self, other: &Monomial) -> Monomial {
        Monomial::of([&self.0[..], &other.0].concat())
    }

    /// By what another one is multiplied to give this one.
    pub(super) fn divided(&self, by: &Monomial) -> Option<Monomial> {
        let mut rest = self.0.clone();
        for factor in &by.0 {
            let at = rest.iter().position(|one| one == factor)?;
            rest.remove(at);
        }
        Some(Monomial(rest))
    }

    pub(super) fn is_linear(&self) -> bool {
        self.0.len() <= 1
    }

    /// Whether it is the square of a product.
    pub(super) fn is_square(&self) -> bool {
        self.0.len().is_multiple_of(2) && self.0.chunks(2).all(|pair| pair[0] == pair[1])
    }
}

/// A sum of multiples of products.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Polynomial {
    /// The multiples; none is zero.
    pub terms: BTreeMap<Monomial, BigInt>,
}

impl Polynomial {
    pub(super) fn constant(value: impl Into<BigInt>) -> Polynomial {
        Polynomial::default().plus(&value.into(), &Monomial::default(), None)
    }

    /// An expression whose unknowns are polynomials; others stay.
    pub(super) fn of(affine: &Affine, known: &BTreeMap<usize, Polynomial>) -> Polynomial {
        let constant = Polynomial::constant(affine.constant.clone());
        let parts = affine.coefficients.iter();
        parts.fold(constant, |sum, (unknown, by)| match known.get(unknown) {
            Some(polynomial) => sum.add(by, polynomial),
            None => sum.plus(by, &Monomial(vec![*unknown]), None),
        })
    }

    /// This and a multiple of a product, or of the product and another polynomial.
    pub(super) fn plus(
        mut self,
        by: &BigInt,
        monomial: &Monomial,
        other: Option<&Polynomial>,
    ) -> Polynomial {
        match other {
            None => self.include(monomial.clone(), by.clone()),
            Some(other) => {
                for (factors, coefficient) in &other.terms {
                    self.include(monomial.times(factors), by * coefficient);
                }
            }
        }
        self
    }

    /// This and a multiple of another one.
    pub(super) fn add(self, by: &BigInt, other: &Polynomial) -> Polynomial {
        self.plus(by, &Monomial::default(), Some(other))
    }

    fn include(&mut self, monomial: Monomial, by: BigInt) {
        let entry = self.terms.entry(monomial);
        let entry = entry.or_default();
        *entry += by;
        if entry.is_zero() {
            self.terms.retain(|_, coefficient| !coefficient.is_zero());
        }
    }

    pub(super) fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        if self.terms.len() * other.terms.len() > LONGEST
            || self.degree() + other.degree() > FACTORS
        {
            return None;
        }
        let parts = self.terms.iter();
        let product = parts.fold(Polynomial::default(), |sum, (monomial, by)| {
            sum.plus(by, monomial, Some(other))
        });
        Some(product)
    }

    pub(super) fn negative(&self) -> Polynomial {
        Polynomial::default().add(&(-1).into(), self)
    }

    pub(super) fn degree(&self) -> usize {
        self.terms.keys().map(|one| one.0.len()).max().unwrap_or(0)
    }

    /// What it is where the unknowns are these polynomials; `None` if that is too long.
    pub(super) fn compose(&self, values: &[Polynomial]) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (monomial, by) in &self.terms {
            sum = sum.add(by, &composed(monomial, values)?);
        }
        Some(sum)
    }

    /// What says the same as that it is at most zero, with the constant as large as it may be.
    fn tightened(&self) -> Polynomial {
        let one = Monomial::default();
        let others = self.terms.iter().filter(|(monomial, _)| **monomial != one);
        let divisor = others.fold(BigInt::zero(), |all, (_, by)| all.gcd(by));
        if divisor.is_zero() || divisor.is_one() {
            return self.clone();
        }
        let mut found = Polynomial::default();
        for (monomial, by) in &self.terms {
            // Rounded up where it is the constant; the others are multiples.
            found.include(monomial.clone(), by.div_ceil(&divisor));
        }
        found
    }

    /// An unknown that an equation says is the sum of the other parts, or the negative of it.
    fn solved(&self) -> Option<(usize, bool)> {
        let alone = self.terms.iter().rev().filter_map(|(monomial, by)| {
            let [unknown] = monomial.0[..] else {
                return None;
            };
            by.abs().is_one().then(|| (unknown, by.is_negative()))
        });
        alone.into_iter().find(|(unknown, _)| {
            let others = self.terms.keys().filter(|one| one.0 != [*unknown]);
            others.into_iter().all(|one| !one.0.contains(unknown))
        })
    }
}

/// What a product is where the unknowns are these polynomials; others stay.
pub(super) fn composed(monomial: &Monomial, values: &[Polynomial]) -> Option<Polynomial> {
    let mut product = Polynomial::constant(1);
    for &unknown in &monomial.0 {
        let own = Polynomial::default().plus(&1.into(), &Monomial(vec![unknown]), None);
        product = product.times(values.get(unknown).unwrap_or(&own))?;
    }
    Some(product)
}

/// A transition on polynomials.
#[derive(Clone, Debug)]
pub(super) struct Expanded {
    pub from: usize,
    pub to: usize,
    /// What is at most zero on it.
    pub known: Vec<Polynomial>,
    /// The variables after it.
    pub after: Vec<Polynomial>,
    /// What is zero on it, as far as `known` says so.
    pub zeros: Vec<Polynomial>,
}

impl Expanded {
    /// A transition, with its products written out; `None` if that is too long.
    pub(super) fn of(transition: &Transition) -> Option<Expanded> {
        let mut products: BTreeMap<usize, Polynomial> = BTreeMap::new();
        for (unknown, a, b) in &transition.products {
            let product = Polynomial::of(a, &products).times(&Polynomial::of(b, &products))?;
            products.insert(*unknown, product);
        }
        let all = |affines: &[Affine]| -> Vec<Polynomial> {
            let expanded = affines.iter().map(|one| Polynomial::of(one, &products));
            expanded.collect()
        };
        let known = all(&transition.known);
        Some(Expanded {
            from: transition.from,
            to: transition.to,
            after: all(&transition.after),
            zeros: zeros(&known),
            known,
        })
    }
}

/// What is zero because it is at most zero and at least zero. As unknowns are integers, a constant
/// is rounded first; what is zero replaces unknowns in the rest, which may be rounded further then.
fn zeros(known: &[Polynomial]) -> Vec<Polynomial> {
    let mut rows: Vec<Polynomial> = known.iter().map(Polynomial::tightened).collect();
    let mut found: Vec<Polynomial> = Vec::new();
    for _ in 0..ROUNDS {
        let is_zero = |row: &&Polynomial| {
            let negative = row.negative();
            !row.terms.is_empty()
                && rows.contains(&negative)
                && !found.contains(row)
                && !found.contains(&negative)
        };
        let Some(new) = rows.iter().find(is_zero).cloned() else {
            break;
        };
        if let Some((unknown, is_negative)) = new.solved() {
            let sign: BigInt = if is_negative { 1 } else { -1 }.into();
            let own = Monomial(vec![unknown]);
            // The unknown is this.
            let value = Polynomial::default()
                .add(&sign, &new)
                .plus(&1.into(), &own, None);
            let values: Vec<Polynomial> = (0..=unknown)
                .map(|at| match at == unknown {
                    true => value.clone(),
                    false => Polynomial::default().plus(&1.into(), &Monomial(vec![at]), None),
                })
                .collect();
            let replaced = rows.iter().map(|row| row.compose(&values));
            let replaced = replaced.map(|row| row.map(|row| row.tightened()));
            if let Some(replaced) = replaced.collect() {
                rows = replaced;
            }
        }
        found.push(new);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(parts: &[(i32, &[usize])]) -> Polynomial {
        parts.iter().fold(Polynomial::default(), |sum, (by, at)| {
            sum.plus(&(*by).into(), &Monomial::of(at.to_vec()), None)
        })
    }

    #[test]
    fn products_are_written_out() {
        let square = sum(&[(1, &[0]), (1, &[1])]);
        let square = square.times(&square).unwrap();
        assert_eq!(square, sum(&[(1, &[0, 0]), (2, &[0, 1]), (1, &[1, 1])]));
        let at = [sum(&[(1, &[2])]), sum(&[(-1, &[2])])];
        assert_eq!(square.compose(&at), Some(Polynomial::default()));
    }

    #[test]
    fn halves_of_an_odd_number_are_equal() {
        // y = 2q + 1, and 2r <= y - 1 < 2r + 2.
        let (y, q, r) = (0, 1, 2);
        let odd = sum(&[(1, &[y]), (-2, &[q]), (-1, &[])]);
        let known = [
            odd.clone(),
            odd.negative(),
            sum(&[(2, &[r]), (-1, &[y]), (1, &[])]),
            sum(&[(1, &[y]), (-2, &[r]), (-2, &[])]),
        ];
        let found = zeros(&known);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], odd);
        let difference = sum(&[(1, &[q]), (-1, &[r])]);
        assert!(found[1] == difference || found[1] == difference.negative());
        assert!(zeros(&known[1..]).is_empty());
    }
}
