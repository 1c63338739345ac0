//! Equations that follow from equations by the laws of commutative rings.
//!
//! Bit vectors with addition and multiplication modulo a power of two are a commutative ring. If
//! the equations pᵢ = 0 hold in a state, every sum of multiples of the pᵢ is zero there. So an
//! equation q = 0 holds if q and such a sum are the same polynomial. Expanding both decides that;
//! the certificate gives the multipliers.
//!
//! A term that is neither a sum nor a product counts as an unknown of its own. Two such terms are
//! the same unknown only if they are the same operation on the same polynomials, so they have the
//! same value.

use super::table::{Entry, Operation, Table};
use super::{Rejection, unfit_policy};
use crate::certificate::{Goal, IdentityRecord, Index, LassoRecord};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Longer sums and products are not expanded.
const MONOMIALS: usize = 2_000;
/// Nor are products of more factors.
const FACTORS: usize = 64;

/// Which of the conditions that make a set recurrent are shown by identities, for an iteration.
#[derive(Default)]
pub struct Shown {
    /// The conditions of the guard of the iteration, by number.
    pub guard: FxHashSet<usize>,
    /// The conditions of the set that hold after it, by number.
    pub set: FxHashSet<usize>,
}

/// Checks identities of a lasso. Returns what they show of the states of a set, for each iteration
/// that starts from them with the inputs of the policy.
pub fn check(
    (lasso, table): (&LassoRecord, &Table),
    set: &[Index],
    policy: &[Vec<Index>],
    identities: &[IdentityRecord],
) -> Result<Vec<Shown>, Rejection> {
    let mut shown: Vec<Shown> = lasso.iterations.iter().map(|_| Shown::default()).collect();
    if identities.iter().any(|one| one.iteration >= shown.len()) {
        return Err(Rejection::new("an identity is of no iteration"));
    }
    if policy.len() != shown.len() {
        return Err(unfit_policy());
    }
    let mut unknowns = Unknowns::default();
    let mut before = Expansion::new(table, FxHashMap::default());
    for (at, shown) in shown.iter_mut().enumerate() {
        let own = identities.iter().filter(|one| one.iteration == at);
        let own: Vec<&IdentityRecord> = own.collect();
        if own.is_empty() {
            continue;
        }
        let (mut taken, mut after) = around(
            (lasso, at),
            (&policy[at], table),
            &mut unknowns,
            &mut before,
        )?;
        let guard = &lasso.iterations[at].guard;
        for identity in own {
            let goal = match identity.goal {
                Goal::Guard(at) => {
                    shown.guard.insert(at);
                    let term = guard.get(at).ok_or_else(wrong)?.term;
                    taken.difference(&mut unknowns, term)
                }
                Goal::Set(at) => {
                    shown.set.insert(at);
                    after.difference(&mut unknowns, *set.get(at).ok_or_else(wrong)?)
                }
            };
            let goal = goal.ok_or_else(wrong)?;
            let mut sum = Sum::zero(goal.width);
            for &(zero, by) in &identity.multipliers {
                let zero = *set.get(zero).ok_or_else(wrong)?;
                let zero = before.difference(&mut unknowns, zero).ok_or_else(wrong)?;
                let by = (by < table.entries.len()).then(|| before.value(&mut unknowns, by));
                let by = by.flatten().filter(|by| by.width == goal.width);
                let (true, Some(by)) = (zero.width == goal.width, by) else {
                    return Err(wrong());
                };
                sum = sum.plus(&by.times(&zero).ok_or_else(wrong)?, 1);
            }
            if sum != goal && sum != goal.negative() {
                return Err(wrong());
            }
        }
    }
    Ok(shown)
}

fn wrong() -> Rejection {
    Rejection::new("an equation does not follow from those of the set")
}

/// What terms are in an iteration that reads what a policy says, and what they are after it.
fn around<'t>(
    (lasso, at): (&LassoRecord, usize),
    (reads, table): (&[Index], &'t Table),
    unknowns: &mut Unknowns,
    before: &mut Expansion<'t>,
) -> Result<(Expansion<'t>, Expansion<'t>), Rejection> {
    let iteration = &lasso.iterations[at];
    if reads.len() != iteration.inputs.len() {
        return Err(unfit_policy());
    }
    let mut inputs = FxHashMap::default();
    for (input, &read) in iteration.inputs.iter().zip(reads) {
        let fits = read < table.entries.len() && table.width(read) == table.width(input.term);
        let value = fits.then(|| before.value(unknowns, read)).flatten();
        inputs.insert(input.term, value.ok_or_else(unfit_policy)?);
    }
    let mut taken = Expansion::new(table, inputs);
    let mut after = FxHashMap::default();
    for (variable, &update) in lasso.variables.iter().zip(&iteration.updates) {
        let value = taken.value(unknowns, update).ok_or_else(wrong)?;
        after.insert(variable.term, value);
    }
    Ok((taken, Expansion::new(table, after)))
}

/// A polynomial modulo 2^width: the coefficient of each monomial, which is a sorted list of
/// unknowns; none is zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Sum {
    width: usize,
    coefficients: BTreeMap<Vec<u32>, u128>,
}

impl Sum {
    fn zero(width: usize) -> Sum {
        Sum {
            width,
            coefficients: BTreeMap::new(),
        }
    }

    fn constant(value: u128, width: usize) -> Sum {
        let mut sum = Sum::zero(width);
        sum.add(Vec::new(), value);
        sum
    }

    /// The number that it is, if it is one less than `end`.
    fn constant_below(&self, end: usize) -> Option<usize> {
        let value = match self.coefficients.len() {
            0 => 0,
            1 => *self.coefficients.get(&Vec::new())?,
            _ => return None,
        };
        usize::try_from(value).ok().filter(|&value| value < end)
    }

    fn add(&mut self, monomial: Vec<u32>, coefficient: u128) {
        let mask = u128::MAX >> (128 - self.width);
        let entry = self.coefficients.entry(monomial).or_insert(0);
        *entry = entry.wrapping_add(coefficient) & mask;
    }

    /// The sum with a multiple of another one.
    fn plus(mut self, other: &Sum, factor: u128) -> Sum {
        for (monomial, coefficient) in &other.coefficients {
            self.add(monomial.clone(), coefficient.wrapping_mul(factor));
        }
        self.coefficients.retain(|_, coefficient| *coefficient != 0);
        self
    }

    fn degree(&self) -> usize {
        self.coefficients.keys().map(Vec::len).max().unwrap_or(0)
    }

    fn negative(&self) -> Sum {
        Sum::zero(self.width).plus(self, u128::MAX)
    }

    /// The product; `None` if it is too long.
    fn times(&self, other: &Sum) -> Option<Sum> {
        let mut product = Sum::zero(self.width);
        if self.coefficients.len() * other.coefficients.len() > MONOMIALS
            || self.degree() + other.degree() > FACTORS
        {
            return None;
        }
        for (left, x) in &self.coefficients {
            for (right, y) in &other.coefficients {
                let mut monomial = [&left[..], right].concat();
                monomial.sort_unstable();
                product.add(monomial, x.wrapping_mul(*y));
            }
        }
        let nothing = Sum::zero(self.width);
        Some(product.plus(&nothing, 1))
    }
}

/// What terms that are no sums or products are known as: for each its entry, with zeros for its
/// operands, its width and its operands.
#[derive(Default)]
struct Unknowns {
    numbers: FxHashMap<(String, usize, Vec<Sum>), u32>,
}

impl Unknowns {
    fn of(&mut self, entry: String, width: usize, operands: Vec<Sum>) -> Sum {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry((entry, width, operands)).or_insert(next);
        let mut sum = Sum::zero(width);
        sum.add(vec![number], 1);
        sum
    }
}

/// Terms of a table as polynomials, some of its variables being others.
struct Expansion<'t> {
    table: &'t Table,
    known: FxHashMap<Index, Sum>,
}

impl<'t> Expansion<'t> {
    fn new(table: &'t Table, known: FxHashMap<Index, Sum>) -> Expansion<'t> {
        Expansion { table, known }
    }

    /// The left side of an equation minus the right side; `None` if the term is no equation, or
    /// too long.
    fn difference(&mut self, unknowns: &mut Unknowns, term: Index) -> Option<Sum> {
        let Entry::Two(Operation::Equal, a, b) = self.table.entries.get(term)?.0 else {
            return None;
        };
        let right = self.value(unknowns, b)?;
        Some(self.value(unknowns, a)?.plus(&right, u128::MAX))
    }

    /// A term; `None` if it is too long.
    fn value(&mut self, unknowns: &mut Unknowns, term: Index) -> Option<Sum> {
        let mut open = vec![term];
        while let Some(&at) = open.last() {
            if self.known.contains_key(&at) {
                open.pop();
                continue;
            }
            let operands = operands(&self.table.entries[at].0);
            let before = open.len();
            open.extend(operands.iter().filter(|&one| !self.known.contains_key(one)));
            if open.len() == before {
                let value = self.made(unknowns, at, &operands)?;
                self.known.insert(at, value);
            }
        }
        self.known.get(&term).cloned()
    }

    /// A term whose operands are known.
    fn made(&self, unknowns: &mut Unknowns, at: Index, operands: &[Index]) -> Option<Sum> {
        let (entry, width) = &self.table.entries[at];
        let width = *width;
        let parts: Vec<&Sum> = operands
            .iter()
            .map(|operand| &self.known[operand])
            .collect();
        let sum = match *entry {
            Entry::Constant(value) => Sum::constant(value, width).plus(&Sum::zero(width), 1),
            Entry::Variable => unknowns.of(format!("variable {at}"), width, Vec::new()),
            Entry::Not(_) => Sum::constant(u128::MAX, width).plus(parts[0], u128::MAX),
            Entry::Two(Operation::Add, ..) => parts[0].clone().plus(parts[1], 1),
            Entry::Two(Operation::Subtract, ..) => parts[0].clone().plus(parts[1], u128::MAX),
            Entry::Two(Operation::Multiply, ..) => parts[0].times(parts[1])?,
            Entry::Two(Operation::ShiftLeft, ..) if parts[1].constant_below(width).is_some() => {
                let by = parts[1].constant_below(width)?;
                Sum::zero(width).plus(parts[0], 1 << by)
            }
            Entry::Two(operation, ..) => {
                let operands = parts.into_iter().cloned().collect();
                unknowns.of(format!("{operation:?}"), width, operands)
            }
            Entry::Extract(low, _) => {
                unknowns.of(format!("extract {low}"), width, vec![parts[0].clone()])
            }
            Entry::Choose(..)
            | Entry::Concatenate(..)
            | Entry::ZeroExtend(_)
            | Entry::SignExtend(_) => {
                let name = match entry {
                    Entry::Choose(..) => "choose",
                    Entry::Concatenate(..) => "concatenate",
                    Entry::ZeroExtend(_) => "zero_extend",
                    _ => "sign_extend",
                };
                let operands = parts.into_iter().cloned().collect();
                unknowns.of(name.into(), width, operands)
            }
        };
        (sum.coefficients.len() <= MONOMIALS).then_some(sum)
    }
}

fn operands(entry: &Entry) -> Vec<Index> {
    match *entry {
        Entry::Variable | Entry::Constant(_) => Vec::new(),
        Entry::Not(a) | Entry::Extract(_, a) | Entry::ZeroExtend(a) | Entry::SignExtend(a) => {
            vec![a]
        }
        Entry::Two(_, a, b) | Entry::Concatenate(a, b) => vec![a, b],
        Entry::Choose(a, b, c) => vec![a, b, c],
    }
}
