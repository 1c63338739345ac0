//! Linear arithmetic over rationals: multipliers that combine inequalities into another (Farkas'
//! lemma).
//!
//! What is found is exact; adding up checks it.

use crate::work;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::time::Duration;
use z3::ast::{Bool, Int, Real};
use z3::{SatResult, Solver};

/// A sum of multiples of unknowns and a constant, meant to be at most zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inequality {
    /// The multiples.
    pub coefficients: BTreeMap<usize, BigInt>,
    /// The constant.
    pub constant: BigInt,
}

/// Returns nonnegative multipliers, one for each premise, with which the premises add up to the
/// conclusion or to something stronger, once the constant is rounded up: the unknowns are integers.
/// Returns `None` if there are none, or Z3 finds none within `work`.
pub fn combine(
    premises: &[Inequality],
    conclusion: &Inequality,
    work: Duration,
) -> Option<Vec<BigRational>> {
    let solver = Solver::new_for_logic("QF_LRA").unwrap_or_default();
    let zero = number(&BigInt::zero());
    let multipliers: Vec<Real> = (0..premises.len())
        .map(|at| Real::new_const(format!("l{at}")))
        .collect();
    for multiplier in &multipliers {
        solver.assert(multiplier.ge(&zero));
    }
    let unknowns: BTreeSet<usize> = premises
        .iter()
        .chain([conclusion])
        .flat_map(|inequality| inequality.coefficients.keys().copied())
        .collect();
    let sum = |of: &dyn Fn(&Inequality) -> BigInt| {
        let parts = premises
            .iter()
            .zip(&multipliers)
            .filter(|(premise, _)| !of(premise).is_zero());
        parts.fold(zero.clone(), |sum, (premise, multiplier)| {
            sum + multiplier * number(&of(premise))
        })
    };
    for unknown in unknowns {
        let coefficient =
            |of: &Inequality| of.coefficients.get(&unknown).cloned().unwrap_or_default();
        solver.assert(sum(&coefficient).eq(number(&coefficient(conclusion))));
    }
    // Rounded up, the constant of the sum must be no less than that of the conclusion.
    solver.assert(sum(&|of| of.constant.clone()).gt(number(&(&conclusion.constant - 1))));
    if work::check(&solver, work) != SatResult::Sat {
        return None;
    }
    let model = solver.get_model()?;
    multipliers
        .iter()
        .map(|multiplier| rational(&model.eval(multiplier, true)?))
        .collect()
}

/// An equation: multiples of unknowns, and what they add up to.
pub type Equation = (Vec<(usize, i128)>, i128);

/// Returns numbers that are not negative and satisfy all equations between so many unknowns.
/// Returns `None` if there are none, or Z3 finds none within `work`.
pub fn nonnegative(
    equations: &[Equation],
    unknowns: usize,
    work: Duration,
) -> Option<Vec<BigRational>> {
    let solver = Solver::new_for_logic("QF_LRA").unwrap_or_default();
    let zero = number(&BigInt::zero());
    let unknowns: Vec<Real> = (0..unknowns)
        .map(|at| Real::new_const(format!("x{at}")))
        .collect();
    for unknown in &unknowns {
        solver.assert(unknown.ge(&zero));
    }
    for (multiples, sum) in equations {
        let parts = multiples.iter();
        let parts: Vec<Real> = parts
            .map(|&(at, by)| &unknowns[at] * number(&by.into()))
            .collect();
        let total = parts
            .into_iter()
            .fold(zero.clone(), |total, part| total + part);
        solver.assert(total.eq(number(&(*sum).into())));
    }
    if work::check(&solver, work) != SatResult::Sat {
        return None;
    }
    let model = solver.get_model()?;
    let values = unknowns.iter();
    values
        .map(|unknown| rational(&model.eval(unknown, true)?))
        .collect()
}

/// A vector of integers and the one that an iteration makes of it.
#[derive(Clone, Debug)]
pub struct Descent {
    /// The vector.
    pub before: Vec<BigInt>,
    /// What becomes of it.
    pub after: Vec<BigInt>,
}

/// What an affine expression e is to be like.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// No coefficient is greater than this, nor less than its negative.
    pub largest: u32,
    /// Whether max(e, 0) is what must not grow, instead of e itself.
    pub is_cut: bool,
}

/// Returns the coefficients and the constant of an affine expression that no descent makes greater
/// and that descent number `smaller` makes smaller. Returns `None` if there is none, or Z3 finds
/// none within `work`. Panics if there is no such descent.
pub fn descending(
    descents: &[Descent],
    smaller: usize,
    form: Form,
    work: Duration,
) -> Option<(Vec<BigInt>, BigInt)> {
    let solver = Solver::new_for_logic("QF_LIA").unwrap_or_default();
    let count = descents[smaller].before.len();
    let integer = |value: &BigInt| Int::from_str(&value.to_string()).expect("an integer");
    let zero = Int::from_i64(0);
    let unknown = |at: usize| Int::new_const(format!("c{at}"));
    let coefficients: Vec<Int> = (0..count).map(unknown).collect();
    let constant = Int::new_const("c");
    for coefficient in &coefficients {
        solver.assert(coefficient.le(Int::from_u64(form.largest.into())));
        solver.assert(coefficient.ge(Int::from_i64(-i64::from(form.largest))));
    }
    if !form.is_cut {
        solver.assert(constant.eq(&zero));
    }
    let value = |vector: &[BigInt]| {
        let pairs = coefficients.iter().zip(vector);
        pairs.fold(constant.clone(), |sum, (by, at)| sum + by * integer(at))
    };
    for (at, descent) in descents.iter().enumerate() {
        let (before, after) = (value(&descent.before), value(&descent.after));
        let sinks = after.le(&before);
        solver.assert(match form.is_cut {
            true => Bool::or(&[sinks, after.le(&zero)]),
            false => sinks,
        });
        if at == smaller {
            solver.assert(after.lt(&before));
            if form.is_cut {
                solver.assert(before.gt(&zero));
            }
        }
    }
    if work::check(&solver, work) != SatResult::Sat {
        return None;
    }
    let model = solver.get_model()?;
    let found = |unknown: &Int| Some(BigInt::from(model.eval(unknown, true)?.as_i64()?));
    let values: Option<Vec<BigInt>> = coefficients.iter().map(found).collect();
    Some((values?, found(&constant)?))
}

fn number(value: &BigInt) -> Real {
    Real::from_rational_str(&value.to_string(), "1").expect("an integer is a rational number")
}

fn rational(value: &Real) -> Option<BigRational> {
    let (numerator, denominator) = value.as_rational()?;
    Some(BigRational::new(numerator.into(), denominator.into()))
}

/// A question for the rows of a template: inequalities over a state with unknown coefficients that,
/// together with known ones, are preserved by an affine map and imply what is wanted.
pub struct Template<'q> {
    /// How many rows.
    pub rows: usize,
    /// What is known beforehand, over the state (numbered from zero) and further unknowns.
    pub known: &'q [Inequality],
    /// What must follow from the known inequalities and the rows.
    pub wanted: &'q [Inequality],
    /// The state after the map, in the order of its numbers.
    pub next: &'q [Inequality],
    /// States that satisfy the rows.
    pub samples: &'q [Vec<BigInt>],
}

/// Coefficients of rows lie between this and its negative.
const LARGEST_COEFFICIENT: i64 = 3;

/// Returns rows for a template, or `None` if Z3 finds none within `work`. By Farkas' lemma what
/// follows is a sum of multiples; to keep the question linear, the multiples of the rows, whose
/// coefficients are unknown, are zero to three, and those of the known inequalities any that are
/// not negative.
pub fn find_rows(template: &Template, work: Duration) -> Option<Vec<Inequality>> {
    let solver = Solver::new();
    let state = template.next.len();
    let rows: Vec<Row> = (0..template.rows)
        .map(|row| Row::new(&solver, row, state))
        .collect();
    for sample in template.samples {
        for row in &rows {
            let value = row
                .coefficients
                .iter()
                .zip(sample)
                .fold(row.constant.clone(), |sum, (coefficient, value)| {
                    sum + coefficient * number(value)
                });
            solver.assert(value.le(number(&BigInt::zero())));
        }
    }
    let mut conclusions: Vec<Row> = template
        .wanted
        .iter()
        .map(|wanted| Row::known(wanted, template))
        .collect();
    conclusions.extend(rows.iter().map(|row| row.image(template)));
    for (at, conclusion) in conclusions.iter().enumerate() {
        require(&solver, template, &rows, at, conclusion);
    }
    if work::check(&solver, work) != SatResult::Sat {
        return None;
    }
    let model = solver.get_model()?;
    let integer = |value: &Real| {
        let value = rational(&model.eval(value, true)?)?;
        value.is_integer().then(|| value.to_integer())
    };
    rows.iter()
        .map(|row| {
            let mut coefficients = BTreeMap::new();
            for (at, coefficient) in row.coefficients.iter().take(state).enumerate() {
                let value = integer(coefficient)?;
                if !value.is_zero() {
                    coefficients.insert(at, value);
                }
            }
            Some(Inequality {
                coefficients,
                constant: integer(&row.constant)?,
            })
        })
        .collect()
}

/// An inequality whose coefficients are expressions of the solver: first those of the state, then
/// of further unknowns.
struct Row {
    coefficients: Vec<Real>,
    constant: Real,
}

/// How many unknowns there are in all.
fn unknowns(template: &Template) -> usize {
    let all = template
        .known
        .iter()
        .chain(template.wanted)
        .chain(template.next);
    let last = all
        .filter_map(|inequality| inequality.coefficients.keys().next_back())
        .max();
    last.map_or(0, |&last| last + 1).max(template.next.len())
}

impl Row {
    /// A row of the template.
    fn new(solver: &Solver, row: usize, state: usize) -> Row {
        let integer = |name: String, bound: Option<i64>| {
            let unknown = Int::new_const(name);
            if let Some(bound) = bound {
                solver.assert(unknown.ge(Int::from_i64(-bound)));
                solver.assert(unknown.le(Int::from_i64(bound)));
            }
            Real::from_int(&unknown)
        };
        let coefficients = (0..state)
            .map(|at| integer(format!("t{row}_{at}"), Some(LARGEST_COEFFICIENT)))
            .collect();
        Row {
            coefficients,
            constant: integer(format!("t{row}"), None),
        }
    }

    fn known(inequality: &Inequality, template: &Template) -> Row {
        let coefficient = |at| {
            number(
                &inequality
                    .coefficients
                    .get(&at)
                    .cloned()
                    .unwrap_or_default(),
            )
        };
        Row {
            coefficients: (0..unknowns(template)).map(coefficient).collect(),
            constant: number(&inequality.constant),
        }
    }

    /// The inequality after the map.
    fn image(&self, template: &Template) -> Row {
        let sum = |of: &dyn Fn(&Inequality) -> BigInt, start: Real| {
            let parts = self
                .coefficients
                .iter()
                .zip(template.next)
                .filter(|(_, next)| !of(next).is_zero());
            parts.fold(start, |sum, (coefficient, next)| {
                sum + coefficient * number(&of(next))
            })
        };
        let zero = number(&BigInt::zero());
        let coefficients = (0..unknowns(template))
            .map(|at| {
                sum(
                    &|next| next.coefficients.get(&at).cloned().unwrap_or_default(),
                    zero.clone(),
                )
            })
            .collect();
        Row {
            coefficients,
            constant: sum(&|next| next.constant.clone(), self.constant.clone()),
        }
    }
}

/// Requires a conclusion to be a sum of multiples of the known inequalities and of rows, or weaker.
fn require(solver: &Solver, template: &Template, rows: &[Row], at: usize, conclusion: &Row) {
    let zero = number(&BigInt::zero());
    let multipliers: Vec<Real> = (0..template.known.len())
        .map(|known| Real::new_const(format!("l{at}_{known}")))
        .collect();
    for multiplier in &multipliers {
        solver.assert(multiplier.ge(&zero));
    }
    let bit = |row: usize, bit: &str| Bool::new_const(format!("{bit}{at}_{row}"));
    let used: Vec<(Bool, Bool)> = (0..rows.len())
        .map(|row| (bit(row, "once"), bit(row, "twice")))
        .collect();
    let sum = |of: &dyn Fn(&Inequality) -> BigInt, of_row: &dyn Fn(&Row) -> Option<Real>| {
        let parts = template
            .known
            .iter()
            .zip(&multipliers)
            .filter(|(known, _)| !of(known).is_zero());
        let known = parts.fold(zero.clone(), |sum, (known, multiplier)| {
            sum + multiplier * number(&of(known))
        });
        rows.iter()
            .zip(&used)
            .fold(known, |sum, (row, used)| match of_row(row) {
                Some(part) => {
                    let (once, twice) = used;
                    sum + once.ite(&part, &zero) + twice.ite(&(&part + &part), &zero)
                }
                None => sum,
            })
    };
    for unknown in 0..unknowns(template) {
        let of = |known: &Inequality| {
            known
                .coefficients
                .get(&unknown)
                .cloned()
                .unwrap_or_default()
        };
        let wanted = conclusion.coefficients.get(unknown).unwrap_or(&zero);
        solver.assert(sum(&of, &|row| row.coefficients.get(unknown).cloned()).eq(wanted));
    }
    let constant = sum(&|known| known.constant.clone(), &|row| {
        Some(row.constant.clone())
    });
    solver.assert(constant.ge(&conclusion.constant));
}
