//! What functions that may call themselves return: bounds of the result, and of its sums and
//! differences with arguments.
//!
//! Bounds are assumed where such a function is called, and shown where it returns, from what is
//! known on the path to the return and what always holds at the location where that begins. *Why
//! that is enough:* take the first moment of an execution at which a call returns what is not within
//! the bounds, or a location is reached where an invariant does not hold. Every call that has
//! returned before is within them, so the path that leads there is one of the system's, and it began
//! at a location where the invariants held. But for such paths both have been shown.
//!
//! They are found from below: at first no call returns; then bounds grow to what is returned if
//! calls inside return what is within them. A bound that grows again and again is dropped.

use super::farkas::{contradiction, implied, shows};
use super::follow::{self, Mode};
use super::invariants::{self, Bound, Rows};
use super::proof::{Returned, UnboundedProof, check_invariants};
use super::system::{Exit, Summaries, System};
use crate::affine::Affine;
use crate::certificate::{AffineRecord, Rational};
use crate::concolic::run::Subject;
use impasse_program::link::FunctionId;
use impasse_solver::work::Moment;
use num_traits::Zero;
use std::collections::{BTreeMap, BTreeSet};

/// How often bounds may grow.
const ROUNDS: usize = 12;

/// Bounds of what functions return, the system in which they are assumed, and its invariants. None
/// if nothing is known.
pub(super) fn summaries(
    subject: &Subject<'_>,
    recursive: &BTreeMap<FunctionId, usize>,
    end: Moment,
) -> Option<(Summaries, System, Rows)> {
    let never = vec![Affine::constant(1)];
    let mut found: Summaries = recursive.keys().map(|&id| (id, never.clone())).collect();
    let mut bounds: BTreeMap<FunctionId, Vec<Bound>> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let system = follow::system(subject, &found, Mode::default()).ok()?;
        let always = invariants::invariants(&system, end)?;
        let mut changed = false;
        for exit in &system.exits {
            if end.is_over() {
                return None;
            }
            let premises = before(exit, &always[exit.from]);
            if contradiction(&premises).is_some() {
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
                    changed |= bound.include(&premises, &row.substitute(&values), is_new);
                }
            }
        }
        if !changed {
            return found
                .values()
                .any(|rows| !rows.is_empty())
                .then_some((found, system, always));
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

/// What is known where a function returns, given what always holds at the location before it.
fn before(exit: &Exit, always: &[Affine]) -> Vec<Affine> {
    exit.known.iter().chain(always).cloned().collect()
}

/// What must be at most zero where functions return.
fn goals<'e>(
    summaries: &'e Summaries,
    exits: &'e [Exit],
) -> impl Iterator<Item = (&'e Exit, Affine)> {
    exits.iter().flat_map(|exit| {
        let rows = summaries.get(&exit.function).into_iter().flatten();
        let goals = rows.flat_map(|row| {
            let values = exit.values();
            values.into_iter().map(|values| row.substitute(&values))
        });
        goals.map(move |goal| (exit, goal))
    })
}

/// A proof with its bounds of results, given all invariants of the system.
pub(super) fn record(
    proof: UnboundedProof,
    summaries: &Summaries,
    (system, always): (&System, &Rows),
) -> Option<UnboundedProof> {
    let shown = |always: &dyn Fn(usize) -> Vec<Affine>| {
        let shown = goals(summaries, &system.exits)
            .map(|(exit, goal)| implied(&before(exit, &always(exit.from)), &goal));
        shown.collect::<Option<Vec<_>>>()
    };
    let mut wanted = BTreeSet::new();
    let first = shown(&|location| always[location].clone())?;
    for ((exit, _), multipliers) in goals(summaries, &system.exits).zip(&first) {
        let own = multipliers.iter().skip(exit.known.len()).enumerate();
        let used = own.filter(|(_, by)| !by.is_zero());
        wanted.extend(used.map(|(row, _)| (exit.from, row)));
    }
    let wanted: Vec<(usize, usize)> = wanted.into_iter().collect();
    let before_returns = match wanted.is_empty() {
        true => None,
        false => {
            let found = invariants::proof(system, always, Vec::new(), &wanted)?;
            Some(Box::new(found))
        }
    };
    let returns = shown(&|location| always_at(before_returns.as_deref(), location))?;
    let returns = returns.into_iter();
    let of = |(&id, rows): (&FunctionId, &Vec<Affine>)| {
        let arguments = *system.recursive.get(&id)?;
        let rows = rows.iter().map(|row| AffineRecord::new(row, arguments + 1));
        Some(Returned {
            function: id.0,
            rows: rows.collect(),
        })
    };
    Some(UnboundedProof {
        returned: summaries.iter().map(of).collect::<Option<_>>()?,
        returns: returns
            .map(|multipliers| multipliers.into_iter().map(Rational).collect())
            .collect(),
        before_returns,
        ..proof
    })
}

/// What always holds at a location, as far as a proof says it.
fn always_at(proof: Option<&UnboundedProof>, location: usize) -> Vec<Affine> {
    let all = proof.iter().flat_map(|proof| &proof.invariants);
    let own = all.filter(|one| one.location == location);
    own.flat_map(|one| one.rows.iter().map(AffineRecord::affine))
        .collect()
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
pub(super) fn check(system: &System, proof: &UnboundedProof) -> Result<(), String> {
    let records = &proof.returned[..];
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
    let around = proof.before_returns.as_deref();
    if let Some(around) = around {
        check_invariants(system, around)?;
    }
    let mut given = proof.returns.iter();
    for (exit, goal) in goals(&summaries, &system.exits) {
        let multipliers = given
            .next()
            .ok_or("there are no multipliers for a result")?;
        let multipliers: Vec<_> = multipliers.iter().map(|one| one.0.clone()).collect();
        if !shows(
            &before(exit, &always_at(around, exit.from)),
            &multipliers,
            &goal,
        ) {
            return Err("a function may return what is not within its bounds".into());
        }
    }
    match given.next() {
        None => Ok(()),
        Some(_) => Err("there are multipliers without a result".into()),
    }
}
