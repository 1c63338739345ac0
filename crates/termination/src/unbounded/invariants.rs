//! Invariants of transition systems: bounds of expressions from a list.
//!
//! The expressions of a location are its variables, sums and differences of two, and what
//! transitions compare. Bounds are computed from the start on; one that grows again and again is
//! dropped.

use super::farkas::{contradiction, greatest, implied};
use super::proof::{Invariants, Step, UnboundedProof};
use super::system::System;
use crate::affine::Affine;
use crate::certificate::{AffineRecord, Rational};
use impasse_solver::work::Moment;
use num_traits::Zero;
use std::collections::BTreeSet;

/// Beyond this many variables, two are not combined.
const COMBINED: usize = 8;
/// How often a bound may grow.
const GROWTH: u32 = 3;
/// How often bounds are made tighter in the end.
const TIGHTENED: usize = 2;

/// For each location, expressions that are at most zero, with a constant; none at the first.
pub(super) type Rows = Vec<Vec<Affine>>;

/// What always holds, as far as it is found.
pub(super) fn invariants(system: &System, end: Moment) -> Option<Rows> {
    let templates: Vec<Vec<Affine>> = (0..system.locations.len())
        .map(|location| templates(system, location))
        .collect();
    let mut bounds: Vec<Option<Vec<Bound>>> = vec![None; system.locations.len()];
    bounds[0] = Some(Vec::new());
    let mut open = BTreeSet::from([0]);
    while let Some(location) = open.pop_first() {
        for transition in system.transitions.iter().filter(|one| one.from == location) {
            if end.is_over() {
                return None;
            }
            let premises = known(&templates, &bounds, transition.from, &transition.known);
            if transition.to == 0 || contradiction(&premises).is_some() {
                continue;
            }
            let images = templates[transition.to]
                .iter()
                .map(|row| row.substitute(&transition.after));
            let images: Vec<Affine> = images.collect();
            let is_new = bounds[transition.to].is_none();
            let target =
                bounds[transition.to].get_or_insert_with(|| vec![Bound::default(); images.len()]);
            let mut changed = is_new;
            for (bound, image) in target.iter_mut().zip(&images) {
                changed |= bound.include(&premises, image, is_new);
            }
            if changed {
                open.insert(transition.to);
            }
        }
    }
    for _ in 0..TIGHTENED {
        bounds = tightened(system, &templates, &bounds, end)?;
    }
    let rows = (0..system.locations.len()).map(|location| match &bounds[location] {
        // It is never reached.
        None => vec![Affine::constant(1)],
        Some(_) => known(&templates, &bounds, location, &[]),
    });
    Some(rows.collect())
}

/// The greatest constant with which an expression is at most zero; none if it has no bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    constant: Option<num_bigint::BigInt>,
    growth: u32,
}

impl Bound {
    /// The expression with the constant, if it has a bound.
    pub(super) fn of(&self, row: &Affine) -> Option<Affine> {
        Some(row.shifted(self.constant.clone()?))
    }

    /// Makes room for what an expression may be; whether that was needed.
    pub(super) fn include(&mut self, premises: &[Affine], image: &Affine, is_new: bool) -> bool {
        if !is_new && self.constant.is_none() {
            return false;
        }
        let needed = greatest(premises, image).map(|constant| constant - &image.constant);
        match (&self.constant, needed) {
            (_, None) => {
                let changed = self.constant.is_some();
                self.constant = None;
                changed
            }
            (Some(known), Some(needed)) if needed >= *known => false,
            (Some(_), Some(_)) if self.growth >= GROWTH => {
                self.constant = None;
                true
            }
            (Some(_), needed) => {
                self.growth += 1;
                self.constant = needed;
                true
            }
            (None, needed) => {
                self.constant = needed;
                true
            }
        }
    }
}

/// What is known at a location, and more.
fn known(
    templates: &[Vec<Affine>],
    bounds: &[Option<Vec<Bound>>],
    location: usize,
    more: &[Affine],
) -> Vec<Affine> {
    let bounds = bounds[location].iter().flatten();
    let rows = templates[location]
        .iter()
        .zip(bounds)
        .filter_map(|(row, bound)| bound.of(row));
    more.iter().cloned().chain(rows).collect()
}

/// Bounds that hold after one more transition.
fn tightened(
    system: &System,
    templates: &[Vec<Affine>],
    bounds: &[Option<Vec<Bound>>],
    end: Moment,
) -> Option<Vec<Option<Vec<Bound>>>> {
    let mut tighter: Vec<Option<Vec<Bound>>> = vec![None; bounds.len()];
    tighter[0] = bounds[0].clone();
    for transition in system.transitions.iter().filter(|one| one.to != 0) {
        if end.is_over() {
            return None;
        }
        if bounds[transition.from].is_none() {
            continue;
        }
        let premises = known(templates, bounds, transition.from, &transition.known);
        if contradiction(&premises).is_some() {
            continue;
        }
        let is_new = tighter[transition.to].is_none();
        let count = templates[transition.to].len();
        let target = tighter[transition.to].get_or_insert_with(|| vec![Bound::default(); count]);
        for (bound, row) in target.iter_mut().zip(&templates[transition.to]) {
            bound.growth = 0;
            bound.include(&premises, &row.substitute(&transition.after), is_new);
        }
    }
    Some(tighter)
}

/// Expressions, without constants, that may have bounds at a location.
fn templates(system: &System, location: usize) -> Vec<Affine> {
    let variables = system.locations[location].variables;
    if location == 0 {
        return Vec::new();
    }
    let minus = |one: &Affine| one.times(&(-1).into());
    let mut found: BTreeSet<Affine> = BTreeSet::new();
    for one in 0..variables {
        let a = Affine::unknown(one);
        found.extend([a.clone(), minus(&a)]);
        if variables <= COMBINED {
            for other in one + 1..variables {
                let b = Affine::unknown(other);
                let (sum, difference) = (a.add(&b), a.subtract(&b));
                found.extend([minus(&sum), minus(&difference), sum, difference]);
            }
        }
    }
    for transition in system.transitions.iter().filter(|one| one.from == location) {
        for known in &transition.known {
            let is_own = known
                .coefficients
                .keys()
                .all(|&unknown| unknown < variables);
            if is_own && known.coefficients.len() > 1 {
                let mut row = known.clone();
                row.constant.set_zero();
                found.extend([minus(&row), row]);
            }
        }
    }
    found.into_iter().collect()
}

/// The proof that steps are, with those of the invariants that they need, and those that are wanted
/// (by location and number).
pub(super) fn proof(
    system: &System,
    rows: &Rows,
    steps: Vec<Step>,
    wanted: &[(usize, usize)],
) -> Option<UnboundedProof> {
    let is_used = |multiplier: &Rational| !multiplier.0.is_zero();
    let mut used: BTreeSet<(usize, usize)> = wanted.iter().copied().collect();
    let mut open: Vec<(usize, usize)> = wanted.to_vec();
    let mut note = |transition: usize, multipliers: &[Rational], open: &mut Vec<(usize, usize)>| {
        let transition = &system.transitions[transition];
        let own = multipliers.iter().skip(transition.known.len()).enumerate();
        for (row, _) in own.filter(|(_, one)| is_used(one)) {
            if used.insert((transition.from, row)) {
                open.push((transition.from, row));
            }
        }
    };
    for step in &steps {
        match step {
            Step::Impossible {
                transition,
                multipliers,
            } => note(*transition, multipliers, &mut open),
            Step::Decreases { works, .. } => {
                for work in works {
                    for multipliers in &work.multipliers {
                        note(work.transition, multipliers, &mut open);
                    }
                }
            }
        }
    }
    let premises = |transition: &super::system::Transition| -> Vec<Affine> {
        transition
            .known
            .iter()
            .chain(&rows[transition.from])
            .cloned()
            .collect()
    };
    while let Some((location, row)) = open.pop() {
        for (number, transition) in system.transitions.iter().enumerate() {
            if transition.to == location {
                let goal = rows[location][row].substitute(&transition.after);
                let found = implied(&premises(transition), &goal)?;
                let found: Vec<Rational> = found.into_iter().map(Rational).collect();
                note(number, &found, &mut open);
            }
        }
    }
    // Only what is used stays.
    let stays = |location: usize, row: usize| used.contains(&(location, row));
    let cut = |transition: usize, multipliers: Vec<Rational>| -> Vec<Rational> {
        let transition = &system.transitions[transition];
        let first = transition.known.len();
        let all = multipliers.into_iter().enumerate();
        all.filter(|(at, _)| *at < first || stays(transition.from, at - first))
            .map(|(_, one)| one)
            .collect()
    };
    let mut invariants = Vec::new();
    let mut kept: Rows = Vec::new();
    for (location, own) in rows.iter().enumerate() {
        let own: Vec<Affine> = own
            .iter()
            .enumerate()
            .filter(|&(row, _)| stays(location, row))
            .map(|(_, one)| one.clone())
            .collect();
        let variables = system.locations[location].variables;
        if !own.is_empty() {
            invariants.push(Invariants {
                location,
                rows: own
                    .iter()
                    .map(|row| AffineRecord::new(row, variables))
                    .collect(),
            });
        }
        kept.push(own);
    }
    let mut preserved = Vec::new();
    for transition in &system.transitions {
        let own = &kept[transition.to];
        if own.is_empty() {
            continue;
        }
        let premises: Vec<Affine> = transition
            .known
            .iter()
            .chain(&kept[transition.from])
            .cloned()
            .collect();
        let shown = own.iter().map(|row| {
            let found = implied(&premises, &row.substitute(&transition.after))?;
            Some(found.into_iter().map(Rational).collect())
        });
        preserved.push(shown.collect::<Option<Vec<_>>>()?);
    }
    let steps = steps.into_iter().map(|step| match step {
        Step::Impossible {
            transition,
            multipliers,
        } => Step::Impossible {
            transition,
            multipliers: cut(transition, multipliers),
        },
        Step::Decreases {
            functions,
            mut works,
        } => {
            for work in &mut works {
                let all = std::mem::take(&mut work.multipliers);
                work.multipliers = all
                    .into_iter()
                    .map(|one| cut(work.transition, one))
                    .collect();
            }
            Step::Decreases { functions, works }
        }
    });
    Some(UnboundedProof {
        invariants,
        preserved,
        steps: steps.collect(),
        ..UnboundedProof::default()
    })
}
