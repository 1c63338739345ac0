//! Linear recurrent sets over mathematical integers (sections 5.2 and 5.3, Figure 4).
//!
//! A run is followed over integers; near one of its states the next iterations are an affine map
//! with conditions ([`crate::certify::integers`]), unrolled once, twice, … (the weaker conditions
//! of section 5.3). Looked for are inequalities that hold in that state, imply the conditions, and
//! are preserved by the map. By Farkas' lemma each implication is a question for multipliers. As in
//! the paper, templates grow; they are tried in the order
//!
//! - the conditions themselves (a guard that grows monotonically preserves itself);
//! - what makes a conjunct preserved: that it does not grow in an iteration, and that this does not
//!   grow, and so on;
//! - one, then two rows with unknown coefficients: equation (6), which is bilinear, made linear by
//!   trying only small whole numbers for the multipliers of the unknown rows;
//! - bounds of variables and of sums and differences of two, at what they are in the run.
//!
//! What holds along the run is strengthened into a recurrence set from above: what is not preserved
//! by all that is left is dropped until the rest preserves itself. Linear programs do all of it,
//! exactly.

use super::step::Step;
use super::{Budget, Evidence, IterationSequence, LinearRecurrenceSet, Proof, seeds};
use crate::affine::{Affine, follows};
use crate::certificate::{AffineRecord, Claim, LassoRecord, Rational};
use crate::certify::integers::{Known, Reader};
use crate::certify::linear::{Around, integers, is_unchanged};
use crate::certify::table::Table;
use crate::problem::Lasso;
use impasse_solver::Terms;
use impasse_solver::linear::{self, Inequality, combine};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// How long one linear program may take.
const QUESTION: Duration = Duration::from_secs(1);
/// How long the coefficients of rows may be looked for.
const ROWS: Duration = Duration::from_millis(500);
/// How many states of a run rows are made to fit.
const ROW_SAMPLES: usize = 3;
/// How many iterations of a run are looked at.
const RUN: usize = 40;
/// After how many iterations a set may be entered.
const STARTS: [usize; 6] = [0, 1, 2, 4, 8, 16];
/// How many iterations at most lead back into a set.
const UNROLLINGS: usize = 3;
/// Beyond this many variables sums and differences are not tried.
const PAIRED: usize = 8;
/// How often a conjunct is asked not to grow.
const STRENGTHENINGS: usize = 3;

/// A proof over integers.
pub(crate) fn look_for(step: &Step, budget: &Budget) -> Option<Proof> {
    let record = LassoRecord::of(step.terms, step.lasso);
    let table = Table::read(&record.terms).ok()?;
    for inputs in seeds::of_stem(step, budget) {
        let Some(entry) = step.enter(&inputs) else {
            continue;
        };
        for policy in policies(&record) {
            let search = Search {
                record: &record,
                table: &table,
                policy,
                budget,
            };
            if let Some((before, set)) = search.from(integers(&record, &table, &entry)) {
                let before = IterationSequence::Forced(before as u64);
                return Some(Proof {
                    inputs,
                    before,
                    evidence: Evidence::Linear(set),
                });
            }
            if budget.is_spent() {
                return None;
            }
        }
    }
    None
}

/// What the iterations read up to the first one in a set, from the state in which the lasso's only
/// loop is entered: each value as its type has it. It ends before a value that does not fit.
pub(crate) fn read_until(
    terms: &Terms,
    lasso: &Lasso,
    (entry, before): (&[u128], u64),
    set: &LinearRecurrenceSet,
) -> Vec<u64> {
    let ([iteration], [policy]) = (&lasso.iterations[..], &set.policy[..]) else {
        return Vec::new();
    };
    let record = LassoRecord::of(terms, lasso);
    let Ok(table) = Table::read(&record.terms) else {
        return Vec::new();
    };
    let widths = iteration.inputs.iter();
    let widths: Vec<u8> = widths
        .map(|input| terms.symbol_width(input.symbol))
        .collect();
    let mut state = integers(&record, &table, entry);
    let mut read = Vec::new();
    for _ in 0..=before {
        let chosen = policy.iter().map(|value| value.value(&state));
        for (value, &width) in chosen.zip(&widths) {
            let Some(value) = value.to_i128().filter(|&value| fits(value, width)) else {
                return read;
            };
            read.push(value as u64 & (u64::MAX >> (64 - width)));
        }
        let known: Vec<Known> = state.into_iter().map(Known::constant).collect();
        let next = Reader::new(&record, &table).iteration(&known, &set.policy);
        let Ok(next) = next else {
            return read;
        };
        state = next.into_iter().map(|known| known.value).collect();
    }
    read
}

/// Whether some type of so many bits has a value, at most 64.
fn fits(value: i128, bits: u8) -> bool {
    bits <= 64 && (-(1i128 << (bits - 1))..1i128 << bits).contains(&value)
}

/// What iterations may read: the same small number everywhere, or the value of a variable.
fn policies(record: &LassoRecord) -> Vec<Vec<Vec<Affine>>> {
    let everywhere = |value: Affine| -> Vec<Vec<Affine>> {
        record
            .iterations
            .iter()
            .map(|iteration| vec![value.clone(); iteration.inputs.len()])
            .collect()
    };
    if record
        .iterations
        .iter()
        .all(|iteration| iteration.inputs.is_empty())
    {
        return vec![everywhere(Affine::default())];
    }
    let constants = [0, 1, -1, 2].into_iter().map(Affine::constant);
    constants
        .chain((0..record.variables.len()).map(Affine::unknown))
        .map(everywhere)
        .collect()
}

/// What the conjuncts of a set are chosen from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Template {
    /// The conditions of the iterations, and that they grow no stronger.
    Growth,
    /// These, and bounds of what the run shows.
    Bounds,
    /// The conditions, and so many inequalities with unknown coefficients.
    Rows(usize),
}

/// Variables that have one value in all states of a set.
type Fixed = Vec<(usize, BigInt)>;

/// The search under one policy.
struct Search<'s> {
    record: &'s LassoRecord,
    table: &'s Table,
    policy: Vec<Vec<Affine>>,
    budget: &'s Budget,
}

impl Search<'_> {
    /// A recurrence set on the run from a state, and after how many iterations it is entered.
    fn from(&self, entry: Vec<BigInt>) -> Option<(usize, LinearRecurrenceSet)> {
        let run = self.run(entry)?;
        let templates = [
            Template::Growth,
            Template::Rows(1),
            Template::Rows(2),
            Template::Bounds,
        ];
        for template in templates {
            // Constraints on coefficients are dear, so that they are solved for few states only.
            let (unrollings, starts) = match template {
                Template::Rows(_) => (1, &STARTS[..1]),
                _ => (UNROLLINGS, &STARTS[..]),
            };
            for (iterations, &start) in (1..=unrollings)
                .flat_map(|iterations| starts.iter().map(move |start| (iterations, start)))
            {
                let samples: Vec<&Vec<BigInt>> = run[start..].iter().step_by(iterations).collect();
                if let Some(set) = self.at(&samples, iterations, template) {
                    return Some((start, set));
                }
                if self.budget.is_spent() {
                    return None;
                }
            }
        }
        None
    }

    /// The states of the run, if it does not leave too soon.
    fn run(&self, entry: Vec<BigInt>) -> Option<Vec<Vec<BigInt>>> {
        let mut run = vec![entry];
        for _ in 0..RUN {
            let known: Vec<Known> = run[run.len() - 1]
                .iter()
                .cloned()
                .map(Known::constant)
                .collect();
            let next = Reader::new(self.record, self.table)
                .iteration(&known, &self.policy)
                .ok()?;
            run.push(next.into_iter().map(|known| known.value).collect());
        }
        Some(run)
    }

    /// A recurrence set that the samples are in, back into which so many iterations lead.
    fn at(
        &self,
        samples: &[&Vec<BigInt>],
        iterations: usize,
        template: Template,
    ) -> Option<LinearRecurrenceSet> {
        let around = |fixed| {
            Around::new(
                self.record,
                self.table,
                samples[0],
                &self.policy,
                (iterations, fixed),
            )
        };
        // Where there is no reading in general there may be one for the numbers that are never
        // changed.
        let (around, fixed) = match around(false) {
            Some(around) => (around, Vec::new()),
            None => {
                let unchanged =
                    (0..self.record.variables.len()).filter(|&at| is_unchanged(self.record, at));
                (
                    around(true)?,
                    unchanged.map(|at| (at, samples[0][at].clone())).collect(),
                )
            }
        };
        if let Template::Rows(rows) = template {
            return self.with_rows((&around, fixed), samples, iterations, rows);
        }
        let mut set = self.candidates(&around, samples, template);
        loop {
            let before = set.len();
            let images: Vec<Affine> = set.iter().map(|row| row.substitute(&around.next)).collect();
            let premises: Vec<Affine> = set
                .iter()
                .chain(&around.facts)
                .chain(&around.needs)
                .cloned()
                .collect();
            let kept: Vec<bool> = images
                .iter()
                .map(|image| multipliers(&premises, image).is_some())
                .collect();
            set = set
                .into_iter()
                .zip(kept)
                .filter_map(|(row, kept)| kept.then_some(row))
                .collect();
            if self.budget.is_spent() {
                return None;
            }
            if set.len() == before {
                break;
            }
        }
        self.closed((&around, fixed), set, iterations)
    }

    /// A recurrence set of the conditions and rows whose coefficients are found by solving
    /// constraints on them (equation 6).
    fn with_rows(
        &self,
        (around, fixed): (&Around, Fixed),
        samples: &[&Vec<BigInt>],
        iterations: usize,
        rows: usize,
    ) -> Option<LinearRecurrenceSet> {
        let variables = self.record.variables.len();
        if variables > PAIRED {
            return None;
        }
        let of_state = |row: &&Affine| row.coefficients.keys().all(|&unknown| unknown < variables);
        let mut set: Vec<Affine> = around.needs.iter().filter(of_state).cloned().collect();
        let images = set.iter().map(|row| row.substitute(&around.next));
        let wanted: Vec<Inequality> = around
            .needs
            .iter()
            .cloned()
            .chain(images)
            .map(|row| inequality(&row))
            .collect();
        let known: Vec<Inequality> = set.iter().chain(&around.facts).map(inequality).collect();
        let next: Vec<Inequality> = around.next.iter().map(inequality).collect();
        let samples: Vec<Vec<BigInt>> = samples
            .iter()
            .take(ROW_SAMPLES)
            .map(|&sample| sample.clone())
            .collect();
        let template = linear::Template {
            rows,
            known: &known,
            wanted: &wanted,
            next: &next,
            samples: &samples,
        };
        let found = linear::find_rows(&template, self.budget.slice(ROWS))?;
        set.extend(found.into_iter().map(|row| Affine {
            coefficients: row.coefficients,
            constant: row.constant,
        }));
        self.closed((around, fixed), set, iterations)
    }

    /// The set, as small as it may be, if it is closed.
    fn closed(
        &self,
        (around, fixed): (&Around, Fixed),
        set: Vec<Affine>,
        iterations: usize,
    ) -> Option<LinearRecurrenceSet> {
        prove(around, &set)?;
        let set = smallest(around, set, self.budget);
        let multipliers = prove(around, &set)?;
        let names = self
            .record
            .variables
            .iter()
            .map(|variable| variable.name.clone())
            .collect();
        Some(LinearRecurrenceSet {
            fixed,
            names,
            set,
            iterations,
            policy: self.policy.clone(),
            multipliers,
        })
    }

    /// Inequalities that hold in all samples.
    fn candidates(
        &self,
        around: &Around,
        samples: &[&Vec<BigInt>],
        template: Template,
    ) -> Vec<Affine> {
        let variables = self.record.variables.len();
        let of_state = |row: &Affine| row.coefficients.keys().all(|&unknown| unknown < variables);
        let mut found: Vec<Affine> = around
            .needs
            .iter()
            .filter(|row| of_state(row))
            .cloned()
            .collect();
        let mut newest = around.needs.clone();
        newest.retain(of_state);
        for _ in 0..STRENGTHENINGS {
            let growth = newest
                .iter()
                .map(|row| row.substitute(&around.next).subtract(row));
            newest = growth.filter(|row| of_state(row)).collect();
            found.extend(newest.iter().cloned());
        }
        if template == Template::Bounds {
            found.extend(bounds(variables, samples));
        }
        let mut seen = FxHashSet::default();
        found.retain(|row| !row.is_constant() && seen.insert(row.clone()));
        let holds = |row: &Affine| {
            samples
                .iter()
                .all(|sample| !row.value(sample).is_positive())
        };
        found.retain(holds);
        found
    }
}

/// Bounds of the variables, and of sums and differences of two, at what they are in the samples and
/// at zero.
fn bounds(variables: usize, samples: &[&Vec<BigInt>]) -> Vec<Affine> {
    let mut sums: Vec<Affine> = (0..variables).map(Affine::unknown).collect();
    if variables <= PAIRED {
        for one in 0..variables {
            for other in one + 1..variables {
                let (one, other) = (Affine::unknown(one), Affine::unknown(other));
                sums.extend([one.add(&other), one.subtract(&other)]);
            }
        }
    }
    let mut found = Vec::new();
    for sum in sums {
        for signed in [sum.clone(), sum.times(&(-1).into())] {
            let most = samples
                .iter()
                .map(|sample| signed.value(sample))
                .max()
                .unwrap_or_default();
            found.extend([signed.shifted(-most), signed.clone(), signed.shifted(1)]);
        }
    }
    found
}

/// The multipliers that show that a set is closed, if it is.
fn prove(around: &Around, set: &[Affine]) -> Option<Vec<Vec<BigRational>>> {
    around
        .questions(set)
        .iter()
        .map(|(premises, conclusion)| multipliers(premises, conclusion))
        .collect()
}

/// A recurrence set without what it does not need.
fn smallest(around: &Around, mut set: Vec<Affine>, budget: &Budget) -> Vec<Affine> {
    let needed = rows_needed(around, &set);
    let mut kept = needed.iter();
    set.retain(|_| *kept.next().unwrap_or(&true));
    for at in (0..set.len()).rev() {
        let mut without = set.clone();
        without.remove(at);
        if !budget.is_spent() && prove(around, &without).is_some() {
            set = without;
        }
    }
    set
}

/// Which rows the proofs of the needs use, and the proofs that those are preserved, and so on.
fn rows_needed(around: &Around, set: &[Affine]) -> Vec<bool> {
    let mut needed = vec![false; set.len()];
    let questions = around.questions(set);
    let (needs, images) = questions.split_at(around.needs.len());
    let mut open: Vec<&(Vec<Affine>, Affine)> = needs.iter().collect();
    while let Some((premises, conclusion)) = open.pop() {
        let Some(row) = multipliers(premises, conclusion) else {
            return vec![true; set.len()];
        };
        for (at, multiplier) in row.iter().take(set.len()).enumerate() {
            if !multiplier.is_zero() && !std::mem::replace(&mut needed[at], true) {
                open.push(&images[at]);
            }
        }
    }
    needed
}

fn inequality(affine: &Affine) -> Inequality {
    Inequality {
        coefficients: affine.coefficients.clone(),
        constant: affine.constant.clone(),
    }
}

fn multipliers(premises: &[Affine], conclusion: &Affine) -> Option<Vec<BigRational>> {
    let rows: Vec<Inequality> = premises.iter().map(inequality).collect();
    let found = combine(&rows, &inequality(conclusion), QUESTION)?;
    follows(premises, &found, conclusion).then_some(found)
}

impl LinearRecurrenceSet {
    /// The set for people.
    pub fn show(&self) -> Vec<String> {
        let fixed = self
            .fixed
            .iter()
            .map(|(at, value)| format!("{} = {value}", self.names[*at]));
        self.set
            .iter()
            .map(|row| self.show_row(row))
            .chain(fixed)
            .collect()
    }

    /// What is positive on one side, what is negative on the other.
    fn show_row(&self, row: &Affine) -> String {
        let side = |positive: bool| {
            let mut parts: Vec<String> = Vec::new();
            for (&unknown, coefficient) in row
                .coefficients
                .iter()
                .filter(|(_, c)| c.is_positive() == positive)
            {
                let (name, size) = (&self.names[unknown], coefficient.abs());
                parts.push(if size == BigInt::from(1) {
                    name.clone()
                } else {
                    format!("{size} * {name}")
                });
            }
            let constant = &row.constant;
            if constant.is_positive() == positive && !constant.is_zero() {
                parts.push(constant.abs().to_string());
            }
            if parts.is_empty() {
                "0".into()
            } else {
                parts.join(" + ")
            }
        };
        format!("{} <= {}", side(true), side(false))
    }

    pub(super) fn claim(&self) -> Claim {
        let rows = |affines: &[Affine]| {
            affines
                .iter()
                .map(|affine| AffineRecord::new(affine, self.names.len()))
                .collect()
        };
        let multipliers = self.multipliers.iter();
        Claim::LinearRecurrenceSet {
            shown: self.show(),
            iterations: self.iterations,
            fixed: !self.fixed.is_empty(),
            policy: self.policy.iter().map(|reads| rows(reads)).collect(),
            set: rows(&self.set),
            multipliers: multipliers
                .map(|row| row.iter().cloned().map(Rational).collect())
                .collect(),
        }
    }
}
