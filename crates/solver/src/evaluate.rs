//! The value of terms for given values of the variables, without a solver.
//!
//! An [`Evaluator`] is the list of the terms that its roots are made of, in an order in which
//! operands come first; it can be run for as many values as one likes.

use crate::float::{float_value, resized_value, root_value};
use crate::term::{Binary, FloatBinary, Node, Symbol, Term, Terms, Test, mask, signed};
use rustc_hash::FxHashMap;

/// Values of variables. A variable without a value is zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Values(FxHashMap<Symbol, u128>);

impl Values {
    /// Returns values that are all zero.
    pub fn new() -> Values {
        Values::default()
    }

    /// Returns the value of a variable; 0 if none was set.
    pub fn get(&self, symbol: Symbol) -> u128 {
        self.0.get(&symbol).copied().unwrap_or(0)
    }

    /// Sets the value of a variable; bits above its width are ignored.
    pub fn set(&mut self, symbol: Symbol, value: u128) {
        self.0.insert(symbol, value);
    }
}

impl FromIterator<(Symbol, u128)> for Values {
    fn from_iter<I: IntoIterator<Item = (Symbol, u128)>>(values: I) -> Values {
        Values(values.into_iter().collect())
    }
}

/// Terms in an order of evaluation.
pub struct Evaluator {
    steps: Vec<Step>,
    roots: Vec<usize>,
    results: Vec<u128>,
}

/// A node whose operands are positions of earlier steps.
struct Step {
    node: Positioned,
    width: u8,
}

enum Positioned {
    Constant(u128),
    Symbol(Symbol),
    Not(usize),
    Binary(Binary, usize, usize),
    Test(Test, usize, usize),
    Choose(usize, usize, usize),
    Extract(usize, u8),
    Concatenate(usize, usize),
    ZeroExtend(usize),
    SignExtend(usize),
    Float(FloatBinary, usize, usize),
    SquareRoot(usize),
    ResizeFloat(usize),
}

impl Evaluator {
    /// Returns an evaluator of `roots`, which computes each term that they share once.
    pub fn new(terms: &Terms, roots: &[Term]) -> Evaluator {
        let order = terms.below(roots);
        let positions: FxHashMap<Term, usize> = order
            .iter()
            .enumerate()
            .map(|(at, &term)| (term, at))
            .collect();
        let steps = order
            .iter()
            .map(|&term| {
                let node = match terms.node(term) {
                    Node::Constant(value) => Positioned::Constant(value),
                    Node::Symbol(symbol) => Positioned::Symbol(symbol),
                    Node::Not(a) => Positioned::Not(positions[&a]),
                    Node::Binary(operation, a, b) => {
                        Positioned::Binary(operation, positions[&a], positions[&b])
                    }
                    // The width that matters is that of the operands.
                    Node::Test(test, a, b) => Positioned::Test(test, positions[&a], positions[&b]),
                    Node::Choose(c, a, b) => {
                        Positioned::Choose(positions[&c], positions[&a], positions[&b])
                    }
                    Node::Extract { of, low } => Positioned::Extract(positions[&of], low),
                    Node::Concatenate(a, b) => {
                        Positioned::Concatenate(positions[&a], positions[&b])
                    }
                    Node::ZeroExtend(a) => Positioned::ZeroExtend(positions[&a]),
                    Node::SignExtend(a) => Positioned::SignExtend(positions[&a]),
                    Node::Float(operation, a, b) => {
                        Positioned::Float(operation, positions[&a], positions[&b])
                    }
                    Node::SquareRoot(a) => Positioned::SquareRoot(positions[&a]),
                    Node::ResizeFloat(a) => Positioned::ResizeFloat(positions[&a]),
                };
                Step {
                    node,
                    width: terms.width(term),
                }
            })
            .collect();
        Evaluator {
            steps,
            roots: roots.iter().map(|root| positions[root]).collect(),
            results: vec![0; order.len()],
        }
    }

    /// Returns how many terms are computed for each run.
    pub fn size(&self) -> usize {
        self.steps.len()
    }

    /// Returns the values of the roots, in order, where the variables have `values`.
    pub fn run(&mut self, values: &Values) -> Vec<u128> {
        for at in 0..self.steps.len() {
            let Step { node, width } = &self.steps[at];
            let width = *width;
            let of = |position: &usize| self.results[*position];
            let wide = |position: &usize| self.steps[*position].width;
            self.results[at] = match node {
                Positioned::Constant(value) => *value,
                Positioned::Symbol(symbol) => values.get(*symbol) & mask(width),
                Positioned::Not(a) => !of(a) & mask(width),
                Positioned::Binary(operation, a, b) => {
                    binary_value(*operation, of(a), of(b), width)
                }
                Positioned::Test(test, a, b) => test_value(*test, of(a), of(b), wide(a)).into(),
                Positioned::Choose(c, a, b) => of(if of(c) == 1 { a } else { b }),
                Positioned::Extract(a, low) => (of(a) >> low) & mask(width),
                Positioned::Concatenate(a, b) => (of(a) << wide(b)) | of(b),
                Positioned::ZeroExtend(a) => of(a),
                Positioned::SignExtend(a) => signed(of(a), wide(a)) as u128 & mask(width),
                Positioned::Float(operation, a, b) => float_value(*operation, of(a), of(b), width),
                Positioned::SquareRoot(a) => root_value(of(a), width),
                Positioned::ResizeFloat(a) => resized_value(of(a), wide(a), width),
            };
        }
        self.roots.iter().map(|&root| self.results[root]).collect()
    }
}

impl Terms {
    /// Returns the value of a term where the variables have `values`.
    pub fn value(&self, term: Term, values: &Values) -> u128 {
        Evaluator::new(self, &[term]).run(values)[0]
    }

    /// Returns whether a condition, of one bit, holds where the variables have `values`.
    pub fn holds(&self, condition: Term, values: &Values) -> bool {
        self.value(condition, values) == 1
    }
}

/// The value of an operation; the bits of the operands above `width` are zero, and so are those of
/// the result.
pub(crate) fn binary_value(operation: Binary, a: u128, b: u128, width: u8) -> u128 {
    let (x, y) = (signed(a, width), signed(b, width));
    let bits = u128::from(width);
    let value = match operation {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::UnsignedDivide => a.checked_div(b).unwrap_or(u128::MAX),
        Binary::SignedDivide if b == 0 => {
            if x < 0 {
                1
            } else {
                u128::MAX
            }
        }
        Binary::SignedDivide => x.wrapping_div(y) as u128,
        Binary::UnsignedRemainder => a.checked_rem(b).unwrap_or(a),
        Binary::SignedRemainder if b == 0 => a,
        Binary::SignedRemainder => x.wrapping_rem(y) as u128,
        Binary::ShiftLeft if b >= bits => 0,
        Binary::ShiftLeft => a << b,
        Binary::LogicalShiftRight if b >= bits => 0,
        Binary::LogicalShiftRight => a >> b,
        Binary::ArithmeticShiftRight => (x >> b.min(bits - 1)) as u128,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
    };
    value & mask(width)
}

/// The answer to a question about two vectors of `width` bits.
pub(crate) fn test_value(test: Test, a: u128, b: u128, width: u8) -> bool {
    let (x, y) = (signed(a, width), signed(b, width));
    let misfit = |exact: Option<i128>| {
        exact.is_none_or(|value| signed(value as u128 & mask(width), width) != value)
    };
    match test {
        Test::Equal => a == b,
        Test::UnsignedLess => a < b,
        Test::UnsignedLessEqual => a <= b,
        Test::SignedLess => x < y,
        Test::SignedLessEqual => x <= y,
        Test::UnsignedAddOverflow => a.checked_add(b).is_none_or(|sum| sum > mask(width)),
        Test::SignedAddOverflow => misfit(x.checked_add(y)),
        Test::SignedSubtractOverflow => misfit(x.checked_sub(y)),
        Test::UnsignedMultiplyOverflow => {
            a.checked_mul(b).is_none_or(|product| product > mask(width))
        }
        Test::SignedMultiplyOverflow => misfit(x.checked_mul(y)),
    }
}
