//! Equations between polynomials that hold whenever a location is reached.
//!
//! A location starts with all polynomials over the products of a list. Each transition leaves those
//! whose image is a sum of multiples of what is zero before it, until nothing changes: the largest
//! such spaces. They are computed modulo a prime number; [`check`] then computes with whole numbers
//! that the multipliers of a record are right.

use super::modular::{self, Echelon, Work};
use super::polynomial::{Expanded, Monomial, Polynomial, composed};
use super::proof::{Equations, PolynomialRecord, SumRecord};
use super::system::System;
use crate::certificate::Integer;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One, Signed};
use std::collections::{BTreeMap, BTreeSet};

/// A location has at most so many products.
const PRODUCTS: usize = 130;
/// And so many multiples of equations are added up for a transition.
const MULTIPLES: usize = 600;
/// How many numbers may be computed.
const WORK: u64 = 200_000_000;

impl PolynomialRecord {
    fn of(polynomial: &Polynomial) -> PolynomialRecord {
        let terms = polynomial.terms.iter().rev();
        PolynomialRecord(
            terms
                .map(|(monomial, by)| (Integer(by.clone()), monomial.0.clone()))
                .collect(),
        )
    }

    fn polynomial(&self) -> Polynomial {
        let parts = self.0.iter();
        parts.fold(Polynomial::default(), |sum, (by, factors)| {
            sum.plus(&by.0, &Monomial::of(factors.clone()), None)
        })
    }
}

/// Checks equations of a system, of which some transitions are never taken. Returns what is zero at
/// each location; `Err` says what does not hold.
pub(super) fn check(
    system: &System,
    (expanded, never): (&[Expanded], &[bool]),
    equations: &Equations,
) -> Result<Vec<Vec<Polynomial>>, String> {
    let locations = &system.locations;
    let fits = |at: usize, polynomial: &Polynomial| {
        let mut unknowns = polynomial.terms.keys().flat_map(|one| &one.0);
        unknowns.all(|&unknown| unknown < locations[at].variables)
    };
    let zeros: Vec<Vec<Polynomial>> = equations
        .zeros
        .iter()
        .map(|all| all.iter().map(PolynomialRecord::polynomial).collect())
        .collect();
    let is_own = |(at, all): (usize, &Vec<Polynomial>)| all.iter().all(|one| fits(at, one));
    // The first location is where the program starts, whatever its variables are.
    if zeros.len() != locations.len()
        || !zeros[0].is_empty()
        || !zeros.iter().enumerate().all(is_own)
    {
        return Err("its equations are not those of the locations".into());
    }
    if equations.preserved.len() != expanded.len() {
        return Err("its equations are not shown for each transition".into());
    }
    let wrong = |number| format!("an equation does not hold after transition {number}");
    for (number, (one, sums)) in expanded.iter().zip(&equations.preserved).enumerate() {
        if never[number] {
            continue;
        }
        let goals = &zeros[one.to];
        if goals.len() != sums.len() {
            return Err(wrong(number));
        }
        let before: Vec<&Polynomial> = one.zeros.iter().chain(&zeros[one.from]).collect();
        for (goal, sum) in goals.iter().zip(sums) {
            let image = goal.compose(&one.after).ok_or_else(|| wrong(number))?;
            if !sum.times.0.is_positive() || !sum.gives(&before, &image) {
                return Err(wrong(number));
            }
        }
    }
    Ok(zeros)
}

impl SumRecord {
    /// Whether its sum is so many times a polynomial.
    fn gives(&self, before: &[&Polynomial], polynomial: &Polynomial) -> bool {
        let mut sum = Polynomial::default();
        for (source, factors, by) in &self.parts {
            let Some(zero) = before.get(*source) else {
                return false;
            };
            sum = sum.plus(&by.0, &Monomial::of(factors.clone()), Some(zero));
        }
        sum == Polynomial::default().add(&self.times.0, polynomial)
    }
}

/// The equations of a system, of which some transitions are never taken, between sums of products
/// of so many variables, and of the products that its conditions compare.
pub(super) fn find(
    system: &System,
    (expanded, never): (&[Expanded], &[bool]),
    degree: usize,
) -> Option<Equations> {
    let mut work = Work(WORK);
    let mut search = Search::new(system, (expanded, never), degree)?;
    let mut open = BTreeSet::from([0]);
    while let Some(location) = open.pop_first() {
        let from_here = |&one: &usize| expanded[one].from == location && !never[one];
        for number in (0..expanded.len()).filter(from_here) {
            if search.restrict(number, &mut work)? {
                open.insert(expanded[number].to);
            }
        }
    }
    search.record(&mut work)
}

/// Coefficients modulo the prime number.
type Sparse = BTreeMap<Monomial, u64>;

fn sparse(polynomial: &Polynomial) -> Sparse {
    let terms = polynomial.terms.iter();
    terms
        .map(|(monomial, by)| (monomial.clone(), modular::of(by)))
        .collect()
}

struct Search<'e> {
    expanded: &'e [Expanded],
    never: &'e [bool],
    /// For each location the products, the greatest first.
    products: Vec<Vec<Monomial>>,
    /// For each transition what the products of where it leads are after it.
    images: Vec<Vec<Sparse>>,
    /// For each location what may be zero, as rows over its products; `None` for all.
    spaces: Vec<Option<Vec<Vec<u64>>>>,
}

impl<'e> Search<'e> {
    fn new(
        system: &System,
        (expanded, never): (&'e [Expanded], &'e [bool]),
        degree: usize,
    ) -> Option<Search<'e>> {
        let locations = 0..system.locations.len();
        let mut products: Vec<BTreeSet<Monomial>> = locations
            .map(|at| up_to(system.locations[at].variables, degree))
            .collect::<Option<_>>()?;
        for one in expanded {
            let own = system.locations[one.from].variables;
            let compared = one.known.iter().flat_map(|known| known.terms.keys());
            for monomial in compared.filter(|one| one.0.iter().all(|&unknown| unknown < own)) {
                products[one.from].extend(divisors(monomial));
            }
        }
        // What their images consist of, where there is room for it.
        for _ in 0..expanded.len() {
            for one in expanded {
                let own = system.locations[one.from].variables;
                let images = products[one.to].iter();
                let images = images.filter_map(|monomial| composed(monomial, &one.after));
                let more: BTreeSet<Monomial> = images
                    .flat_map(|image| image.terms.into_keys())
                    .filter(|one| one.0.iter().all(|&unknown| unknown < own))
                    .collect();
                let all: BTreeSet<Monomial> = products[one.from].union(&more).cloned().collect();
                if all.len() <= PRODUCTS {
                    products[one.from] = all;
                }
            }
        }
        // Products whose images are too long are left out.
        for one in expanded {
            products[one.to].retain(|monomial| composed(monomial, &one.after).is_some());
        }
        products[0].clear();
        let products: Vec<Vec<Monomial>> = products
            .into_iter()
            .map(|all| all.into_iter().rev().collect())
            .collect();
        let images = expanded.iter().map(|one| {
            let all = products[one.to].iter();
            let images = all.map(|monomial| Some(sparse(&composed(monomial, &one.after)?)));
            images.collect::<Option<Vec<Sparse>>>()
        });
        let images = images.collect::<Option<_>>()?;
        let mut spaces = vec![None; products.len()];
        spaces[0] = Some(Vec::new());
        Some(Search {
            expanded,
            never,
            products,
            images,
            spaces,
        })
    }

    /// Leaves what is zero after a transition; whether something was left out.
    fn restrict(&mut self, number: usize, work: &mut Work) -> Option<bool> {
        let one = &self.expanded[number];
        if one.to == 0 {
            return Some(false);
        }
        let mut sources: Vec<Sparse> = one.zeros.iter().map(sparse).collect();
        let Some(space) = &self.spaces[one.from] else {
            return Some(false);
        };
        let of_row = |row: &Vec<u64>| {
            let all = self.products[one.from].iter().cloned();
            let all = all.zip(row.iter().copied());
            all.filter(|(_, by)| *by != 0).collect::<Sparse>()
        };
        sources.extend(space.iter().map(of_row));
        let (multiples, columns) = multiples((&sources, one.zeros.len()), &self.images[number])?;
        let mut zero = Echelon::new(columns.len());
        for (_, _, row) in &multiples {
            zero.insert(dense(row, &columns, 0), work)?;
        }
        let count = self.products[one.to].len();
        let all = || (0..count).map(|at| (0..count).map(|one| u64::from(one == at)).collect());
        let rows: Vec<Vec<u64>> = match &self.spaces[one.to] {
            Some(rows) => rows.clone(),
            None => all().collect(),
        };
        let (before, is_new) = (rows.len(), self.spaces[one.to].is_none());
        let mut open = Echelon::new(columns.len());
        let mut kept = Echelon::new(count);
        for row in rows {
            let mut image: Vec<u64> = vec![0; columns.len()];
            for (&by, product) in row.iter().zip(&self.images[number]) {
                for (monomial, coefficient) in product.iter().filter(|_| by != 0) {
                    let at = columns[monomial];
                    image[at] = modular::plus(image[at], modular::times(by, *coefficient));
                }
            }
            zero.reduce(&mut image, work)?;
            image.extend(row);
            if let Some(rest) = open.insert(image, work)? {
                kept.insert(rest[columns.len()..].to_vec(), work)?;
            }
        }
        let mut rows = kept.rows;
        rows.sort_unstable_by_key(|&(lead, _)| lead);
        let rows: Vec<Vec<u64>> = rows.into_iter().map(|(_, row)| row).collect();
        let changed = is_new || rows.len() != before;
        self.spaces[one.to] = Some(rows);
        Some(changed)
    }

    /// The equations with whole coefficients, and their multipliers.
    fn record(&self, work: &mut Work) -> Option<Equations> {
        let polynomial = |location: usize, row: &Vec<u64>| {
            let fractions = row.iter().map(|&one| modular::fraction(one));
            let fractions: Vec<(BigInt, BigInt)> = fractions.collect::<Option<_>>()?;
            let denominators = fractions.iter().map(|(_, denominator)| denominator);
            let scale = denominators.fold(BigInt::one(), |all, one| all.lcm(one));
            let parts = self.products[location].iter().zip(&fractions);
            Some(
                parts.fold(Polynomial::default(), |sum, (monomial, (n, d))| {
                    sum.plus(&(n * &scale / d), monomial, None)
                }),
            )
        };
        let mut zeros = Vec::new();
        for (location, space) in self.spaces.iter().enumerate() {
            zeros.push(match space {
                // It is never reached.
                None => vec![Polynomial::constant(1)],
                Some(rows) => rows
                    .iter()
                    .map(|row| polynomial(location, row))
                    .collect::<Option<Vec<_>>>()?,
            });
        }
        let mut preserved = Vec::new();
        for (one, never) in self.expanded.iter().zip(self.never) {
            if *never {
                preserved.push(Vec::new());
                continue;
            }
            let before: Vec<&Polynomial> = one.zeros.iter().chain(&zeros[one.from]).collect();
            preserved.push(sums(&before, one, &zeros[one.to], work)?);
        }
        let records = |all: &Vec<Polynomial>| all.iter().map(PolynomialRecord::of).collect();
        Some(Equations {
            bounds: Box::default(),
            zeros: zeros.iter().map(records).collect(),
            preserved,
        })
    }
}

/// All products of at most so many variables.
fn up_to(variables: usize, degree: usize) -> Option<BTreeSet<Monomial>> {
    let mut found = BTreeSet::from([Monomial::default()]);
    for _ in 0..degree {
        let longer = |one: &Monomial| {
            let one = one.clone();
            (0..variables).map(move |at| one.times(&Monomial(vec![at])))
        };
        let more: Vec<Monomial> = found.iter().flat_map(longer).collect();
        found.extend(more);
        if found.len() > PRODUCTS {
            return None;
        }
    }
    Some(found)
}

/// All parts of a product.
fn divisors(monomial: &Monomial) -> BTreeSet<Monomial> {
    let mut found = BTreeSet::from([Monomial::default()]);
    for &factor in &monomial.0 {
        let more: Vec<Monomial> = found
            .iter()
            .map(|one| one.times(&Monomial(vec![factor])))
            .collect();
        found.extend(more);
    }
    found
}

/// A multiple of something that is zero: its number, the product, and what it is.
type Multiple = (usize, Monomial, Sparse);

/// What is zero, the first of it on a transition, and multiples of it that may be needed to make
/// polynomials zero; and the products that occur, the greatest first, with their numbers.
fn multiples(
    (sources, own_zeros): (&[Sparse], usize),
    wanted: &[Sparse],
) -> Option<(Vec<Multiple>, BTreeMap<Monomial, usize>)> {
    let one = Monomial::default();
    let own = sources.iter().enumerate();
    let mut found: Vec<Multiple> = own
        .map(|(number, zero)| (number, one.clone(), zero.clone()))
        .collect();
    let mut seen: BTreeSet<Monomial> = BTreeSet::new();
    let all = wanted.iter().chain(sources);
    let mut open: BTreeSet<Monomial> = all.flat_map(|one| one.keys().cloned()).collect();
    while let Some(next) = open.pop_last() {
        if !seen.insert(next.clone()) {
            continue;
        }
        // Of what is zero on the transition and of the equations, what divides it with the least
        // factor.
        for range in [0..own_zeros, own_zeros..sources.len()] {
            let dividing = range.filter_map(|number| {
                let lead = sources[number].keys().next_back()?;
                Some((next.divided(lead)?, number))
            });
            let Some((by, number)) = dividing.min().filter(|(by, _)| *by != one) else {
                continue;
            };
            let zero = &sources[number];
            let multiple: Sparse = zero
                .iter()
                .map(|(monomial, &coefficient)| (monomial.times(&by), coefficient))
                .collect();
            open.extend(multiple.keys().filter(|one| !seen.contains(one)).cloned());
            found.push((number, by, multiple));
            if found.len() > MULTIPLES {
                return None;
            }
        }
    }
    let columns = seen.into_iter().rev().zip(0..).collect();
    Some((found, columns))
}

/// A row over columns, and more zeros.
fn dense(row: &Sparse, columns: &BTreeMap<Monomial, usize>, more: usize) -> Vec<u64> {
    let mut found = vec![0; columns.len() + more];
    for (monomial, &by) in row {
        found[columns[monomial]] = by;
    }
    found
}

/// The sums that polynomials are after a transition.
fn sums(
    before: &[&Polynomial],
    one: &Expanded,
    goals: &[Polynomial],
    work: &mut Work,
) -> Option<Vec<SumRecord>> {
    let sources: Vec<Sparse> = before.iter().map(|zero| sparse(zero)).collect();
    let images: Vec<Sparse> = goals
        .iter()
        .map(|goal| Some(sparse(&goal.compose(&one.after)?)))
        .collect::<Option<_>>()?;
    let (multiples, columns) = multiples((&sources, one.zeros.len()), &images)?;
    // One equation for each product: the multiples of the multiples, and what they add up to.
    let mut rows = vec![vec![0; multiples.len() + images.len()]; columns.len()];
    let all = multiples.iter().map(|(_, _, row)| row).chain(&images);
    for (at, row) in all.enumerate() {
        for (monomial, &by) in row {
            rows[columns[monomial]][at] = by;
        }
    }
    let mut solved = Echelon::new(multiples.len());
    for row in rows {
        if let Some(rest) = solved.insert(row, work)?
            && rest.iter().any(|&one| one != 0)
        {
            return None;
        }
    }
    let record = |goal: usize| {
        let mut parts = Vec::new();
        let mut scale = BigInt::one();
        for (lead, row) in &solved.rows {
            let (n, d) = modular::fraction(row[multiples.len() + goal])?;
            scale = scale.lcm(&d);
            parts.push((*lead, n, d));
        }
        parts.retain(|(_, n, _)| *n != BigInt::ZERO);
        parts.sort_unstable_by_key(|&(lead, _, _)| lead);
        let parts = parts.into_iter().map(|(lead, n, d)| {
            let (source, by, _) = &multiples[lead];
            (*source, by.0.clone(), Integer(n * &scale / d))
        });
        Some(SumRecord {
            parts: parts.collect(),
            times: Integer(scale.clone()),
        })
    };
    (0..goals.len()).map(record).collect()
}
