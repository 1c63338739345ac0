//! Equations between polynomials over bit vectors.
//!
//! Sums and products modulo a power of two obey the laws of a commutative ring, so an equation can
//! be written as one sum of monomials that is zero. Two equations with the same sum say the same,
//! which a solver that thinks in bits finds hard to see: that x·u + y·v stays the same when y is
//! taken from x and u added to v is beyond it at 32 bits.

use crate::term::{Binary, Node, Term, Terms, Test, mask};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Polynomials with more monomials are taken for unknowns.
const MONOMIALS: usize = 64;

/// An equation, or that it does not hold, in a form that is the same for all that differ by ring
/// laws only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equation {
    holds: bool,
    width: u8,
    sum: Polynomial,
}

/// The coefficient of each monomial, which is a sorted list of terms; none is zero.
type Polynomial = BTreeMap<Vec<Term>, u128>;

impl Terms {
    /// Returns the equation or disequation that a condition is, or `None` if it is neither.
    pub fn equation(&self, condition: Term) -> Option<Equation> {
        let (test, holds) = match self.node(condition) {
            Node::Not(inner) => (inner, false),
            _ => (condition, true),
        };
        let Node::Test(Test::Equal, a, b) = self.node(test) else {
            return None;
        };
        let width = self.width(a);
        let known = self.polynomials(&[a, b], width);
        let sum = plus(&known[&a], &known[&b], mask(width), width);
        let negative = plus(&Polynomial::new(), &sum, mask(width), width);
        Some(Equation {
            holds,
            width,
            sum: sum.min(negative),
        })
    }

    /// Returns a term as a sum of multiples of products: the same for terms that are equal by the
    /// laws of rings.
    pub fn expanded(&self, term: Term) -> Term {
        let width = self.width(term);
        let sum = self.polynomials(&[term], width).remove(&term);
        let mut total = self.constant(0, width);
        let mut offset = total;
        for (factors, coefficient) in sum.unwrap_or_default() {
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
    fn polynomials(&self, roots: &[Term], width: u8) -> FxHashMap<Term, Polynomial> {
        let mut known = FxHashMap::default();
        for term in self.below(roots) {
            if self.width(term) == width {
                let polynomial = self.polynomial(term, width, &known);
                known.insert(term, polynomial);
            }
        }
        known
    }

    /// A term as a polynomial in what is not a sum or product; its operands are known.
    fn polynomial(&self, term: Term, width: u8, known: &FxHashMap<Term, Polynomial>) -> Polynomial {
        let made = match self.node(term) {
            Node::Constant(value) => plus(&Polynomial::new(), &monomial(Vec::new()), value, width),
            Node::Not(a) => {
                let minus_one = plus(
                    &Polynomial::new(),
                    &monomial(Vec::new()),
                    mask(width),
                    width,
                );
                plus(&minus_one, &known[&a], mask(width), width)
            }
            Node::Binary(Binary::Add, a, b) => plus(&known[&a], &known[&b], 1, width),
            Node::Binary(Binary::Subtract, a, b) => {
                plus(&known[&a], &known[&b], mask(width), width)
            }
            Node::Binary(Binary::Multiply, a, b) => times(&known[&a], &known[&b], width),
            Node::Binary(Binary::ShiftLeft, a, b) => match self.as_constant(b) {
                Some(by) if by < width.into() => {
                    plus(&Polynomial::new(), &known[&a], 1 << by, width)
                }
                _ => monomial(vec![term]),
            },
            _ => monomial(vec![term]),
        };
        if made.len() > MONOMIALS {
            monomial(vec![term])
        } else {
            made
        }
    }
}

fn monomial(factors: Vec<Term>) -> Polynomial {
    BTreeMap::from([(factors, 1)])
}

/// The first and a multiple of the second.
fn plus(a: &Polynomial, b: &Polynomial, factor: u128, width: u8) -> Polynomial {
    let mut sum = a.clone();
    for (factors, coefficient) in b {
        let entry = sum.entry(factors.clone()).or_insert(0);
        *entry = entry.wrapping_add(coefficient.wrapping_mul(factor)) & mask(width);
    }
    sum.retain(|_, coefficient| *coefficient != 0);
    sum
}

fn times(a: &Polynomial, b: &Polynomial, width: u8) -> Polynomial {
    let mut product = Polynomial::new();
    for (left, x) in a {
        for (right, y) in b {
            let mut factors = [&left[..], right].concat();
            factors.sort_unstable();
            product = plus(&product, &monomial(factors), x.wrapping_mul(*y), width);
        }
    }
    product
}
