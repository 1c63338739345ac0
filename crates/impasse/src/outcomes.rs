//! `impasse outcomes`: the sets of final values of marked variables, over all executions.

use crate::inputs::Inputs;
use crate::memory_model::Model;
use crate::{check, trace};
use anyhow::{Result, bail};
use clap::Args;
use impasse_explore::{Search, Verdict};
use impasse_machine::options::Options;
use std::num::NonZeroUsize;
use std::process::ExitCode;

/// Options of `impasse outcomes`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    model: Model,
    /// Execute programs with data races as the processor would, instead of reporting the race.
    #[arg(long, value_enum, default_value_t = check::Switch::On)]
    races: check::Switch,
    /// How many threads search; all cores by default.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Flags for clang.
    #[arg(last = true)]
    flags: Vec<String>,
}

/// Explores a program and prints its outcomes, one a line.
pub fn main(arguments: Arguments) -> Result<ExitCode> {
    let options = Options {
        races: arguments.races == check::Switch::On,
        outcomes: true,
        ..arguments.inputs.options(&[])?
    };
    let options = arguments.model.apply(options);
    let system = arguments.inputs.system(&arguments.flags, options)?;
    if !system.outcomes.any_marked() {
        bail!("no variable is marked with IMPASSE_OUTCOME (impasse.h)");
    }
    let reference = &system;
    let mut search = Search::new(&reference);
    if let Some(threads) = arguments.threads {
        search = search.threads(threads);
    }
    let result = search.run();
    for outcome in system.outcomes.found() {
        anstream::println!("{outcome}");
    }
    let states = result.statistics.states;
    match result.verdict {
        Verdict::Exhausted if result.omissions.is_empty() => Ok(ExitCode::SUCCESS),
        Verdict::Exhausted => {
            let what = trace::reason(&system, &result.omissions[0]).what;
            anstream::println!("inconclusive: not supported: {what}");
            Ok(ExitCode::from(3))
        }
        Verdict::Fault { fault, .. } => {
            let error = trace::error(&system, &fault);
            let place = format!("{}:{}", error.file, error.line);
            anstream::println!("error: {} at {place}: {}", error.kind, error.message);
            Ok(ExitCode::from(1))
        }
        Verdict::Hang { .. } | Verdict::Stopped(_) => {
            anstream::println!("inconclusive: the search was stopped after {states} states");
            Ok(ExitCode::from(3))
        }
    }
}
