//! Checks a program with other memory orders, in this process and without compiling it again.

use crate::hangs::HangOptions;
use crate::searches::{Next, next_search};
use anyhow::{Result, anyhow};
use impasse_diagnose::{self as diagnose, Shown};
use impasse_limits::Cancel;
use impasse_machine::base::options::Options;
use impasse_machine::system::System;
use impasse_program::atomics::AtomicOperation;
use impasse_program::link::Program;
use impasse_program::orders::Orders;
use impasse_report::{ErrorReport, Report, Verdict};
use impasse_search::Outcome;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// What a check with some orders found.
#[derive(Clone, Debug)]
pub enum Finding {
    /// No error.
    Verified,
    /// An error.
    Error(Box<ErrorReport>),
    /// Neither is known, for this reason.
    Inconclusive(String),
}

/// Checks a program with other memory orders.
pub struct Trials<'a> {
    /// The program, but for while it is checked.
    program: Option<Program>,
    operations: &'a [AtomicOperation],
    options: Options,
    hangs: &'a HangOptions,
    max_states: u64,
    threads: Option<NonZeroUsize>,
    cancel: Arc<Cancel>,
    /// Whether some executions never end with the orders as written, which is no error.
    nonterminating: Option<bool>,
    /// How many checks there were.
    pub count: u64,
}

impl<'a> Trials<'a> {
    /// Returns what checks a program with these options, each time within so many states.
    pub fn new(
        program: Program,
        operations: &'a [AtomicOperation],
        options: Options,
        (hangs, max_states, threads): (&'a HangOptions, u64, Option<NonZeroUsize>),
        cancel: &Arc<Cancel>,
    ) -> Trials<'a> {
        Trials {
            program: Some(program),
            operations,
            options,
            hangs,
            max_states,
            threads,
            cancel: Arc::clone(cancel),
            nonterminating: None,
            count: 0,
        }
    }

    /// Returns what is found with the orders as written.
    pub fn as_written(&mut self) -> Result<(Finding, Report)> {
        self.check([].into_iter())
    }

    /// Returns what is found with these orders of operations, by their numbers.
    pub fn with(&mut self, orders: impl Iterator<Item = (usize, Orders)>) -> Result<Finding> {
        Ok(self.check(orders)?.0)
    }

    fn check(
        &mut self,
        orders: impl Iterator<Item = (usize, Orders)>,
    ) -> Result<(Finding, Report)> {
        self.count += 1;
        let mut program = self.program.take().expect("no check is under way");
        program.set_orders(orders.map(|(n, orders)| (&self.operations[n], orders)));
        let mut system =
            System::new(program, self.options.clone()).map_err(|error| anyhow!(error))?;
        system.cancel = Arc::clone(&self.cancel);
        let options = system.options.clone();
        let mut may_not_end = false;
        let report = loop {
            let mut outcome = self.search(&system);
            may_not_end |= outcome.noted_may_hang;
            let next = next_search(&system, &outcome);
            if next.is_none() {
                outcome.noted_may_hang = may_not_end;
                let blank = self.hangs.blank_report(system.options.hangs);
                let shown = Shown {
                    states: false,
                    all: false,
                    library: false,
                };
                break diagnose::report(&system, &outcome, blank, shown);
            }
            drop(outcome);
            system = match next {
                Some(Next::UnknownTime) => system.with_unknown_time(&options),
                _ => system.next(),
            };
        };
        self.program = Arc::into_inner(system.program);
        Ok((self.finding(&report), report))
    }

    fn search<'s>(&self, system: &'s System) -> Outcome<&'s System> {
        let mut search = self.hangs.search(&system).max_states(self.max_states);
        if let Some(threads) = self.threads {
            search = search.threads(threads);
        }
        impasse_explore::search(search.cancel(&self.cancel))
    }

    fn finding(&mut self, report: &Report) -> Finding {
        let expected = *self.nonterminating.get_or_insert(report.nonterminating);
        match (&report.error, report.verdict) {
            (Some(error), _) => Finding::Error(Box::new(error.clone())),
            (None, Verdict::Verified) if report.nonterminating && !expected => {
                Finding::Inconclusive("some executions never end".into())
            }
            (None, Verdict::Verified) => Finding::Verified,
            _ => Finding::Inconclusive(report.reason.clone().unwrap_or_default()),
        }
    }
}
