//! Conditions that cannot hold together: a search for a refutation, whose result is checked.
//!
//! The conditions are read from a table by the checker's own reader and turned into its own circuit
//! and clauses. A SAT solver looks for a refutation and writes down what it learns; what counts is
//! that the steps check ([`super::clauses`]), so neither the solver that found the proof nor this
//! one need be believed.

use super::circuit::{Bus, Circuit, Computation};
use super::clauses::refutes as check;
use super::table::{Entry, Table};
use crate::certificate::{Index, Writer};
use crate::clausal::{Refutation, refute};
use impasse_solver::work::Moment;
use impasse_solver::{Term, Terms};
use rustc_hash::FxHashMap;

/// Whether conditions cannot hold together, shown by a refutation that was checked.
pub(crate) fn refutes(terms: &Terms, conditions: &[Term], end: Moment) -> bool {
    let mut writer = Writer::new(terms);
    let roots: Vec<Index> = conditions.iter().map(|&one| writer.write(one)).collect();
    let Ok(table) = Table::read(&writer.into_lines()) else {
        return false;
    };
    let Some(clauses) = clauses_of(&table, &roots) else {
        return false;
    };
    match refute(&clauses, end) {
        Refutation::Steps(steps) => check(&clauses, &steps),
        Refutation::Satisfiable | Refutation::Unknown => false,
    }
}

/// Clauses that are satisfied where all the conditions hold.
fn clauses_of(table: &Table, roots: &[Index]) -> Option<Vec<Vec<i32>>> {
    let mut circuit = Circuit::new();
    let mut values: FxHashMap<Index, Bus> = FxHashMap::default();
    for (at, (entry, width)) in table.entries.iter().enumerate() {
        if *entry == Entry::Variable {
            values.insert(at, circuit.variables(*width));
        }
    }
    let mut computation = Computation::new(&mut circuit, values);
    let bits: Option<Vec<_>> = roots
        .iter()
        .map(|&root| computation.bit(table, root))
        .collect();
    let all = circuit.all(bits?);
    Some(circuit.clauses(all))
}
