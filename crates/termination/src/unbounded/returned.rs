//! What functions that may call themselves return: bounds of the result, and of its sums and
//! differences with arguments.
//!
//! Bounds are assumed where such a function is called, and shown where it returns. *Why that is
//! enough:* a call that returns has finitely many calls inside of it, all of which have returned.
//! By induction over their number, each result is within the bounds.
//!
//! They are found from below: at first no call returns; then bounds grow to what is returned if
//! calls inside return what is within them. A bound that grows again and again is dropped.

use super::farkas::{contradiction, implied, shows};
use super::follow::{self, Mode};
use super::invariants::Bound;
use super::proof::Returned;
use super::system::{Exit, Summaries, System};
use crate::affine::Affine;
use crate::certificate::{AffineRecord, Rational};
use crate::concolic::run::Subject;
use impasse_program::link::FunctionId;
use impasse_solver::work::Moment;
use std::collections::BTreeMap;

/// How often bounds may grow.
const ROUNDS: usize = 12;

/// Bounds of what functions return, and the system in which they are assumed. None if nothing is
/// known.
pub(super) fn summaries(
    subject: &Subject<'_>,
    recursive: &BTreeMap<FunctionId, usize>,
    end: Moment,
) -> Option<(Summaries, System)> {
    let never = vec![Affine::constant(1)];
    let mut found: Summaries = recursive.keys().map(|&id| (id, never.clone())).collect();
    let mut bounds: BTreeMap<FunctionId, Vec<Bound>> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let system = follow::system(subject, &found, Mode::default()).ok()?;
        let mut changed = false;
        for exit in &system.exits {
            if end.is_over() {
                return None;
            }
            if contradiction(&exit.known).is_some() {
                continue;
            }
            let rows = templates(*recursive.get(&exit.function)?);
            for values in exit.values() {
                let is_new = !bounds.contains_key(&exit.function);
                let own = bounds
                    .entry(exit.function)
                    .or_insert_with(|| vec![Bound::default(); rows.len()]);
                changed |= is_new;
                for (bound, row) in own.iter_mut().zip(&rows) {
                    changed |= bound.include(&exit.known, &row.substitute(&values), is_new);
                }
            }
        }
        if !changed {
            return found
                .values()
                .any(|rows| !rows.is_empty())
                .then_some((found, system));
        }
        for (&id, own) in &bounds {
            let rows = templates(*recursive.get(&id)?).into_iter().zip(own);
            let rows = rows.filter_map(|(row, bound)| bound.of(&row));
            found.insert(id, rows.collect());
        }
    }
    None
}

/// Expressions that may have bounds, for a function with so many arguments.
fn templates(arguments: usize) -> Vec<Affine> {
    let result = Affine::unknown(arguments);
    let arguments = (0..arguments).map(Affine::unknown);
    let with = arguments.flat_map(|one| [result.subtract(&one), result.add(&one)]);
    let all = std::iter::once(result.clone()).chain(with);
    all.flat_map(|one| [one.times(&(-1).into()), one]).collect()
}

/// What must be at most zero where functions return, with what is known there.
fn goals<'e>(
    summaries: &'e Summaries,
    exits: &'e [Exit],
) -> impl Iterator<Item = (&'e [Affine], Affine)> {
    exits.iter().flat_map(|exit| {
        let rows = summaries.get(&exit.function).into_iter().flatten();
        let goals = rows.flat_map(|row| {
            let values = exit.values();
            values.into_iter().map(|values| row.substitute(&values))
        });
        goals.map(|goal| (&exit.known[..], goal))
    })
}

/// The bounds as a part of a proof.
pub(super) fn record(
    summaries: &Summaries,
    system: &System,
) -> Option<(Vec<Returned>, Vec<Vec<Rational>>)> {
    let shown = goals(summaries, &system.exits).map(|(known, goal)| {
        let multipliers = implied(known, &goal)?;
        Some(multipliers.into_iter().map(Rational).collect())
    });
    let shown = shown.collect::<Option<_>>()?;
    let of = |(&id, rows): (&FunctionId, &Vec<Affine>)| {
        let arguments = *system.recursive.get(&id)?;
        let rows = rows.iter().map(|row| AffineRecord::new(row, arguments + 1));
        Some(Returned {
            function: id.0,
            rows: rows.collect(),
        })
    };
    let records = summaries.iter().map(of).collect::<Option<_>>()?;
    Some((records, shown))
}

/// The bounds that a proof speaks of.
pub(super) fn read(records: &[Returned]) -> Summaries {
    let rows = |record: &Returned| record.rows.iter().map(AffineRecord::affine).collect();
    records
        .iter()
        .map(|record| (FunctionId(record.function), rows(record)))
        .collect()
}

/// Checks that bounds hold where functions return. `Err` says what does not hold.
pub(super) fn check(
    system: &System,
    records: &[Returned],
    multipliers: &[Vec<Rational>],
) -> Result<(), String> {
    let summaries = read(records);
    for record in records {
        let arguments = system.recursive.get(&FunctionId(record.function));
        let fits = |row: &AffineRecord| Some(row.coefficients.len()) == arguments.map(|n| n + 1);
        if !record.rows.iter().all(fits) {
            return Err("bounds of results are not those of a recursive function".into());
        }
    }
    if summaries.len() != records.len() {
        return Err("a function has bounds twice".into());
    }
    let mut given = multipliers.iter();
    for (known, goal) in goals(&summaries, &system.exits) {
        let multipliers = given
            .next()
            .ok_or("there are no multipliers for a result")?;
        let multipliers: Vec<_> = multipliers.iter().map(|one| one.0.clone()).collect();
        if !shows(known, &multipliers, &goal) {
            return Err("a function may return what is not within its bounds".into());
        }
    }
    match given.next() {
        None => Ok(()),
        Some(_) => Err("there are multipliers without a result".into()),
    }
}
