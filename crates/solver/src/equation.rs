//! Equations between polynomials over bit vectors.
//!
//! Sums and products modulo a power of two obey the laws of a commutative ring, so an equation can
//! be written as one sum of monomials that is zero. Two equations with the same sum say the same,
//! which a solver that thinks in bits finds hard to see: that x·u + y·v stays the same when y is
//! taken from x and u added to v is beyond it at 32 bits.

use crate::polynomial::Polynomial;
use crate::term::{Node, Term, Terms, Test, mask};

/// An equation, or that it does not hold, in a form that is the same for all that differ by ring
/// laws only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equation {
    holds: bool,
    sum: Polynomial,
}

impl Terms {
    /// Returns the equation or disequation that a condition is, or `None` if it is neither.
    pub fn equation(&self, condition: Term) -> Option<Equation> {
        let (test, holds) = match self.node(condition) {
            Node::Not(inner) => (inner, false),
            _ => (condition, true),
        };
        let sum = self.difference(test)?;
        let negative = sum.negative();
        Some(Equation {
            holds,
            sum: sum.min(negative),
        })
    }

    /// Returns the left side minus the right side of an equation, or `None` if the condition is
    /// none.
    pub fn difference(&self, condition: Term) -> Option<Polynomial> {
        let Node::Test(Test::Equal, a, b) = self.node(condition) else {
            return None;
        };
        let width = self.width(a);
        let known = self.polynomials(&[a, b], width);
        Some(known[&a].clone().plus(&known[&b], mask(width)))
    }

    /// Returns a term as a sum of multiples of products: the same for terms that are equal by the
    /// laws of rings.
    pub fn expanded(&self, term: Term) -> Term {
        self.sum_of(&self.polynomial(term))
    }
}
