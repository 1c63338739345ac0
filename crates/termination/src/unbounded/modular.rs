//! Linear algebra modulo a prime number, to find what is then shown with whole numbers.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

/// The prime number: 2⁶¹ - 1.
const PRIME: u64 = (1 << 61) - 1;
/// Numerators and denominators are looked for up to this.
const GREATEST: i128 = 1 << 30;

pub(super) fn of(number: &BigInt) -> u64 {
    let rest = number.mod_floor(&BigInt::from(PRIME));
    rest.to_u64().unwrap_or_default()
}

pub(super) fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    // 2⁶¹ counts as one.
    let sum = (product as u64 & PRIME) + (product >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

pub(super) fn plus(a: u64, b: u64) -> u64 {
    (a + b) % PRIME
}

fn inverse(a: u64) -> u64 {
    let (mut power, mut base, mut left) = (1, a, PRIME - 2);
    while left > 0 {
        if left % 2 == 1 {
            power = times(power, base);
        }
        base = times(base, base);
        left /= 2;
    }
    power
}

/// A small numerator and a small positive denominator of what a number stands for.
pub(super) fn fraction(a: u64) -> Option<(BigInt, BigInt)> {
    let (mut r, mut next_r) = (i128::from(PRIME), i128::from(a));
    let (mut t, mut next_t) = (0i128, 1i128);
    while next_r > GREATEST {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (t, next_t) = (next_t, t - quotient * next_t);
    }
    let sign = if next_t < 0 { -1 } else { 1 };
    (next_t.abs() <= GREATEST && next_t != 0)
        .then(|| ((sign * next_r).into(), BigInt::from(next_t).abs()))
}

/// How many numbers may be computed.
pub(super) struct Work(pub u64);

impl Work {
    pub(super) fn spend(&mut self, numbers: usize) -> Option<()> {
        self.0 = self.0.checked_sub(numbers as u64)?;
        Some(())
    }
}

/// Rows in reduced echelon form. The columns behind the first ones only follow what is done.
pub(super) struct Echelon {
    columns: usize,
    /// Each with the column in which it is one and all others are zero.
    pub rows: Vec<(usize, Vec<u64>)>,
}

impl Echelon {
    /// No rows, of which so many columns count.
    pub(super) fn new(columns: usize) -> Echelon {
        Echelon {
            columns,
            rows: Vec::new(),
        }
    }

    /// Makes a row zero in the columns of the rows, by adding multiples of them.
    pub(super) fn reduce(&self, row: &mut [u64], work: &mut Work) -> Option<()> {
        for (lead, other) in &self.rows {
            subtract(row, other, row[*lead], work)?;
        }
        Some(())
    }

    /// Adds a row, unless what counts of it is a sum of multiples of the others; then returns what
    /// follows.
    pub(super) fn insert(
        &mut self,
        mut row: Vec<u64>,
        work: &mut Work,
    ) -> Option<Option<Vec<u64>>> {
        self.reduce(&mut row, work)?;
        let Some(lead) = (0..self.columns).find(|&at| row[at] != 0) else {
            return Some(Some(row));
        };
        let by = inverse(row[lead]);
        row.iter_mut().for_each(|one| *one = times(*one, by));
        for (_, other) in &mut self.rows {
            let by = other[lead];
            subtract(other, &row, by, work)?;
        }
        self.rows.push((lead, row));
        Some(None)
    }
}

/// Subtracts a multiple of a row.
fn subtract(row: &mut [u64], other: &[u64], by: u64, work: &mut Work) -> Option<()> {
    if by != 0 {
        work.spend(row.len())?;
        for (one, &other) in row.iter_mut().zip(other) {
            if other != 0 {
                *one = minus(*one, times(by, other));
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_found_again() {
        for (numerator, denominator) in [(0, 1), (1, 1), (-1, 1), (2, 3), (-355, 113), (1 << 29, 7)]
        {
            let number = times(of(&numerator.into()), inverse(of(&denominator.into())));
            assert_eq!(
                fraction(number),
                Some((numerator.into(), denominator.into()))
            );
        }
    }

    #[test]
    fn what_depends_is_returned() {
        let mut work = Work(1000);
        let mut echelon = Echelon::new(2);
        assert_eq!(echelon.insert(vec![1, 2, 1, 0, 0], &mut work), Some(None));
        assert_eq!(echelon.insert(vec![3, 4, 0, 1, 0], &mut work), Some(None));
        let rest = echelon
            .insert(vec![5, 6, 0, 0, 1], &mut work)
            .unwrap()
            .unwrap();
        // (5, 6) is twice the second less the first.
        assert_eq!(rest, vec![0, 0, 1, PRIME - 2, 1]);
    }
}
