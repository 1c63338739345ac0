//! The final values of variables that a program marks: what a litmus test is about.
//!
//! A marked variable is one whose name for linking begins with `MARK`, which the macro
//! `IMPASSE_OUTCOME` of `impasse.h` gives it. The values are those in memory when the program
//! exits. A program that exits while other threads are alive ends with their delayed stores in
//! memory or not: both are outcomes.

use impasse_program::link::Program;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};

/// How the names of marked variables begin.
const MARK: &str = "impasse.outcome.";

/// Marked variables, and the sets of values that they had when the program ended.
pub struct Outcomes {
    pub(crate) marked: Vec<u32>,
    pub(crate) found: Mutex<BTreeSet<Vec<(String, String)>>>,
}

impl Outcomes {
    /// Returns no outcomes yet, with the marked variables of a program if they are `wanted`.
    pub fn new(program: &Program, wanted: bool) -> Outcomes {
        let globals = program.globals().iter().enumerate();
        let marked = globals.filter(|(_, g)| wanted && g.name.starts_with(MARK));
        Outcomes {
            marked: marked.map(|(n, _)| n as u32).collect(),
            found: Mutex::default(),
        }
    }

    /// Returns whether any variable is marked.
    pub fn any_marked(&self) -> bool {
        !self.marked.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<Vec<(String, String)>>> {
        self.found
            .lock()
            .expect("no thread panics while it holds the lock")
    }

    /// A search begins: what an earlier one found it must find itself, or it has lost an outcome.
    pub fn begin_search(&self) {
        self.lock().clear();
    }

    /// Returns the outcomes that the last search has found as lines, sorted.
    pub fn found(&self) -> Vec<String> {
        let found = self.lock();
        let line = |values: &Vec<(String, String)>| {
            let parts: Vec<String> = values.iter().map(|(n, v)| format!("{n}={v}")).collect();
            parts.join(" ")
        };
        found.iter().map(line).collect()
    }
}
