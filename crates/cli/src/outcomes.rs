//! `impasse outcomes`: the sets of final values of marked variables, over all executions.

use crate::ending::Ending;
use crate::inputs::Inputs;
use crate::limits::{Guard, Limits};
use crate::memory_model::Model;
use crate::{check, limits, trace};
use anyhow::{Result, bail};
use clap::Args;
use impasse_limits::{Cancel, StopReason};
use impasse_machine::base::options::Options;
use impasse_machine::system::System;
use impasse_search::{Outcome, Search, Verdict};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;

/// Options of `impasse outcomes`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    model: Model,
    #[command(flatten)]
    ending: Ending,
    /// Execute programs with data races as the processor would, instead of reporting the race.
    #[arg(long, value_enum, default_value_t = check::Switch::On)]
    races: check::Switch,
    #[command(flatten)]
    limits: Limits,
    /// How many threads search; all cores by default.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Flags for clang.
    #[arg(last = true)]
    flags: Vec<String>,
}

/// Explores a program and prints its outcomes, one a line.
pub fn main(arguments: Arguments) -> Result<ExitCode> {
    let guard = Guard::new(&arguments.limits, stopped)?;
    let options = Options {
        races: arguments.races == check::Switch::On,
        outcomes: true,
        ..arguments.inputs.options(&[])?
    };
    let options = arguments.ending.apply(arguments.model.apply(options));
    let mut system = arguments.inputs.system(&arguments.flags, options)?;
    system.cancel = Arc::clone(guard.cancel());
    if !system.outcomes.any_marked() {
        bail!("no variable is marked with IMPASSE_OUTCOME (impasse.h)");
    }
    let mut result = explore(&arguments, &system, guard.cancel());
    let mut found: BTreeSet<String> = system.outcomes.found().into_iter().collect();
    while !check::is_final(&system, &result) {
        drop(result);
        system = system.next();
        result = explore(&arguments, &system, guard.cancel());
        found.extend(system.outcomes.found());
    }
    let found: Vec<String> = found.into_iter().collect();
    Ok(guard.publish(|| print(&found, &system, &result)))
}

fn explore<'s>(arguments: &Arguments, system: &'s System, cancel: &Cancel) -> Outcome<&'s System> {
    let mut search = Search::new(&system).cancel(cancel);
    if let Some(threads) = arguments.threads {
        search = search.threads(threads);
    }
    search.run()
}

/// Prints the outcomes and what they are worth, and gives the exit code.
fn print(found: &[String], system: &System, result: &Outcome<&System>) -> u8 {
    for outcome in found {
        anstream::println!("{outcome}");
    }
    match &result.verdict {
        Verdict::Exhausted if result.omissions.is_empty() => 0,
        Verdict::Exhausted => {
            let what = trace::reason(system, &result.omissions[0]).what;
            anstream::println!("inconclusive: not supported: {what}");
            3
        }
        Verdict::Fault { fault, .. } => {
            let error = trace::error(system, fault);
            let place = format!("{}:{}", error.file, error.line);
            anstream::println!("error: {} at {place}: {}", error.kind, error.message);
            1
        }
        Verdict::Hang { .. } => unreachable!("hangs are not looked for"),
        Verdict::Stopped(reason) => stopped(*reason),
    }
}

/// Says that there may be more outcomes, and gives the exit code.
fn stopped(reason: StopReason) -> u8 {
    anstream::println!("inconclusive: {}", limits::in_words(reason));
    3
}
