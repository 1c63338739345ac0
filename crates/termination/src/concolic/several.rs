//! Several paths of one loop as one lasso.
//!
//! Each path is an iteration of its own ([`LoopRelation`]), between two visits of the loop's header
//! in one activation. What one of them depends on is a variable for all, so the variables are found
//! in rounds: what some path depends on is asked of every path, until nothing is added. A state at
//! the header whose variables satisfy the guard of a path takes it, whichever path it came on: that
//! is what each relation says by itself.

use super::acceleration::Inner;
use super::derive::PathInputs;
use super::iteration::{Assumed, LoopRelation, StemSearch, width_of};
use super::run::Subject;
use super::shadow::{Cell, CellPlace};
use super::trace::Trace;
use crate::problem::{Condition, Hazard, Iteration, Lasso, Overflow};
use impasse_solver::{Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The visits between which an iteration lies.
pub type Pair = (u32, u32);

/// The relations of iterations of one loop, all over the same parts of the state, which are local
/// variables. `Err` says why there are none.
pub fn relations(
    subject: &Subject<'_>,
    terms: &Terms,
    trace: &Trace,
    (pairs, overflow): (&[Pair], Overflow),
) -> Result<Vec<LoopRelation>, String> {
    if !trace.conditions.is_empty() {
        return Err("the execution depends on its environment".into());
    }
    let assumed = Assumed {
        inner: Inner::Followed,
        overflow,
    };
    let mut also: Vec<(CellPlace, u8)> = Vec::new();
    loop {
        let each = pairs
            .iter()
            .map(|&pair| LoopRelation::over(subject, terms, trace, (pair, assumed), &also));
        let each: Vec<LoopRelation> = each.collect::<Result<_, _>>()?;
        let mut all: BTreeMap<CellPlace, u8> = BTreeMap::new();
        for cell in each.iter().flat_map(|relation| &relation.cells) {
            if !matches!(cell.place, CellPlace::Slot(_)) {
                return Err("paths that depend on memory".into());
            }
            let width = width_of(cell);
            if *all.entry(cell.place).or_insert(width) != width {
                return Err("a variable that paths read as different types".into());
            }
        }
        if each
            .iter()
            .all(|relation| relation.cells.len() == all.len())
        {
            return Ok(each);
        }
        also = all.into_iter().collect();
    }
}

/// The lasso of such relations, with the path of the execution up to a visit as its stem. `None` if
/// no terms express it.
pub fn lasso(
    relations: &[LoopRelation],
    visit: u32,
    search: &mut StemSearch<'_, '_>,
) -> Option<Lasso> {
    let [first, others @ ..] = relations else {
        return None;
    };
    let (terms, trace) = (search.terms, search.trace);
    let at = &trace.visits[visit as usize];
    let cells = first.cells.iter().map(|cell| {
        let mut slots = at.slots.iter();
        let known = slots.find(|(slot, _)| CellPlace::Slot(*slot) == cell.place)?;
        Some(Cell {
            initial: known.1,
            ..cell.clone()
        })
    });
    let cells: Vec<Cell> = cells.collect::<Option<_>>()?;
    let mut iterations = vec![first.iteration(search)?];
    for other in others {
        let same = |(a, b): (&Cell, &Cell)| a.place == b.place && width_of(a) == width_of(b);
        if !first.cells.iter().zip(&other.cells).all(same) {
            return None;
        }
        let pairs = first.cells.iter().zip(&other.cells);
        let names: FxHashMap<Symbol, Term> = pairs
            .map(|(own, other)| Some((other.symbol?.0, terms.variable(own.symbol?.0))))
            .collect::<Option<_>>()?;
        iterations.push(renamed(terms, other.iteration(search)?, &names));
    }
    let stem = search.stem(visit, &cells)?;
    let variables = cells.iter().map(|cell| search.variable(cell, at, false));
    Some(Lasso {
        header: search.subject.line_of(at.place),
        variables: variables.collect(),
        stem,
        iterations,
    })
}

/// An iteration over other variables.
fn renamed(terms: &Terms, iteration: Iteration, names: &FxHashMap<Symbol, Term>) -> Iteration {
    let of = |term: Term| terms.substitute(&[term], names)[0];
    let guard = iteration.guard.into_iter().map(|condition| Condition {
        term: of(condition.term),
        ..condition
    });
    let hazards = iteration.hazards.into_iter().map(|hazard| Hazard {
        term: of(hazard.term),
        ..hazard
    });
    Iteration {
        guard: guard.collect(),
        hazards: hazards.collect(),
        updates: terms.substitute(&iteration.updates, names),
        ..iteration
    }
}

/// The relations of iterations of an execution and their lasso, whose stem leads to a visit. `Err`
/// says why there is none.
pub fn lasso_of(
    subject: &Subject<'_>,
    terms: &Terms,
    trace: &Trace,
    visit: u32,
    (pairs, overflow): (&[Pair], Overflow),
) -> Result<(Vec<LoopRelation>, Lasso), String> {
    let relations = relations(subject, terms, trace, (pairs, overflow))?;
    let mut inputs = PathInputs::default();
    let mut stems = StemSearch::new(subject, terms, trace, &mut inputs, overflow);
    let lasso = lasso(&relations, visit, &mut stems).ok_or("no term says what iterations do")?;
    lasso.check(terms)?;
    Ok((relations, lasso))
}
