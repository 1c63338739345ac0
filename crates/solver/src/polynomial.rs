//! Polynomials over bit vectors of one width: sums of products modulo a power of two.

use crate::term::{Binary, Node, Term, Terms, mask};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Polynomials with more monomials are taken for unknowns.
const MONOMIALS: usize = 64;
/// And so are products of more factors: squaring n times gives 2ⁿ of them.
const FACTORS: usize = 16;

/// A sum of multiples of products of terms that are no sums or products themselves.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Polynomial {
    /// The coefficient of each monomial, which is a sorted list of terms; none is zero.
    sum: BTreeMap<Vec<Term>, u128>,
    width: u8,
}

impl Polynomial {
    /// Zero.
    pub fn zero(width: u8) -> Polynomial {
        Polynomial {
            sum: BTreeMap::new(),
            width,
        }
    }

    /// One product of terms of this width.
    pub fn monomial(mut factors: Vec<Term>, width: u8) -> Polynomial {
        factors.sort_unstable();
        Polynomial {
            sum: BTreeMap::from([(factors, 1)]),
            width,
        }
    }

    /// The width of its terms.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Whether it is zero for all values of its terms, by the laws of rings.
    pub fn is_zero(&self) -> bool {
        self.sum.is_empty()
    }

    /// The monomials and their coefficients, none of which is zero.
    pub fn monomials(&self) -> impl Iterator<Item = (&[Term], u128)> {
        self.sum.iter().map(|(factors, &by)| (&factors[..], by))
    }

    /// The number of factors of its longest monomial.
    fn degree(&self) -> usize {
        self.sum.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// The greatest monomial in some fixed order, and its coefficient; `None` of zero.
    pub(crate) fn leading(&self) -> Option<(&[Term], u128)> {
        let (factors, &coefficient) = self.sum.last_key_value()?;
        Some((factors, coefficient))
    }

    /// The sum of this and a multiple of another one.
    #[must_use]
    pub fn plus(mut self, other: &Polynomial, factor: u128) -> Polynomial {
        for (factors, coefficient) in &other.sum {
            let entry = self.sum.entry(factors.clone()).or_insert(0);
            *entry = entry.wrapping_add(coefficient.wrapping_mul(factor)) & mask(self.width);
        }
        self.sum.retain(|_, coefficient| *coefficient != 0);
        self
    }

    /// The negative.
    #[must_use]
    pub fn negative(&self) -> Polynomial {
        Polynomial::zero(self.width).plus(self, mask(self.width))
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::zero(self.width);
        for (left, x) in &self.sum {
            for (right, y) in &other.sum {
                let factors = Polynomial::monomial([&left[..], right].concat(), self.width);
                product = product.plus(&factors, x.wrapping_mul(*y));
            }
        }
        product
    }
}

impl Terms {
    /// Returns a term as a polynomial.
    pub fn polynomial(&self, term: Term) -> Polynomial {
        let mut known = self.polynomials(&[term], self.width(term));
        known.remove(&term).expect("the root is known")
    }

    /// Returns a polynomial as a term: the same for polynomials that are equal.
    pub fn sum_of(&self, polynomial: &Polynomial) -> Term {
        let width = polynomial.width;
        let mut total = self.constant(0, width);
        let mut offset = total;
        for (factors, &coefficient) in &polynomial.sum {
            let one = self.constant(1, width);
            let product = factors
                .iter()
                .fold(one, |all, &factor| self.multiply(all, factor));
            // Multiples above the middle are negative ones.
            let negative = width > 1 && coefficient >> (width - 1) == 1;
            let times = match negative {
                true => coefficient.wrapping_neg() & mask(width),
                false => coefficient,
            };
            let part = self.multiply(product, self.constant(times, width));
            match (factors.is_empty(), negative) {
                (true, _) => offset = self.constant(coefficient, width),
                (_, true) => total = self.subtract(total, part),
                (_, false) => total = self.add(total, part),
            }
        }
        self.add(total, offset)
    }

    /// The terms of one width below some terms as polynomials.
    pub(crate) fn polynomials(&self, roots: &[Term], width: u8) -> FxHashMap<Term, Polynomial> {
        let mut known = FxHashMap::default();
        for term in self.below(roots) {
            if self.width(term) == width {
                let polynomial = self.made_of(term, width, &known);
                known.insert(term, polynomial);
            }
        }
        known
    }

    /// A term as a polynomial in what is not a sum or product; its operands are known.
    fn made_of(&self, term: Term, width: u8, known: &FxHashMap<Term, Polynomial>) -> Polynomial {
        let itself = || Polynomial::monomial(vec![term], width);
        let constant =
            |value| Polynomial::zero(width).plus(&Polynomial::monomial(vec![], width), value);
        let made = match self.node(term) {
            Node::Constant(value) => constant(value),
            Node::Not(a) => constant(mask(width)).plus(&known[&a], mask(width)),
            Node::Binary(Binary::Add, a, b) => known[&a].clone().plus(&known[&b], 1),
            Node::Binary(Binary::Subtract, a, b) => known[&a].clone().plus(&known[&b], mask(width)),
            Node::Binary(Binary::Multiply, a, b)
                if known[&a].degree() + known[&b].degree() <= FACTORS =>
            {
                known[&a].times(&known[&b])
            }
            Node::Binary(Binary::ShiftLeft, a, b) => match self.as_constant(b) {
                Some(by) if by < width.into() => Polynomial::zero(width).plus(&known[&a], 1 << by),
                _ => itself(),
            },
            _ => itself(),
        };
        match made.sum.len() > MONOMIALS {
            true => itself(),
            false => made,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Terms;

    #[test]
    fn squaring_again_and_again_takes_little_memory() {
        let terms = Terms::new();
        let variable = terms.variable(terms.symbol("x", 32));
        let power = (0..60).fold(variable, |power, _| terms.multiply(power, power));
        let monomials = terms.polynomial(power);
        let (factors, by) = monomials.leading().expect("it is not zero");
        assert!(factors.len() <= super::FACTORS && by == 1);
    }
}
