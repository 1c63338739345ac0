//! `impasse outcomes`: the sets of final values of marked variables, over all executions.

use crate::behaviour::Switch;
use crate::console::Console;
use crate::ending::Ending;
use crate::inputs::Inputs;
use crate::limits::{Guard, Limits};
use crate::memory_model::Model;
use crate::searches;
use crate::trials::Trials;
use anyhow::{Result, bail};
use clap::Args;
use impasse_diagnose::{error, reason};
use impasse_limits::{Cancel, StopReason};
use impasse_machine::base::options::{Clocks, Options};
use impasse_machine::system::System;
use impasse_search::{Outcome, Search, Verdict};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
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
    #[arg(long, value_enum, default_value_t = Switch::On)]
    races: Switch,
    #[command(flatten)]
    limits: Limits,
    /// Number of threads that search; all cores by default.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Flags for clang, whatever they are.
    #[arg(last = true)]
    flags: Vec<String>,
}

/// Explores a program, prints its outcomes, one a line, and returns the exit code. Fails if the
/// input cannot be used.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    let speaker = console.clone();
    let guard = Guard::new(console, &arguments.limits, move |reason| {
        stopped(&speaker, reason)
    })?;
    let options = Options {
        races: arguments.races == Switch::On,
        clocks: Clocks::Unread,
        outcomes: true,
        symbolic_inputs: true,
        adjacent_races_first: true,
        ..arguments.inputs.options()?
    };
    let options = arguments.ending.apply(arguments.model.apply(options)?);
    let mut system = arguments
        .inputs
        .system(console, &arguments.flags, options)?;
    system.cancel = Arc::clone(guard.cancel());
    if !system.outcomes.any_marked() {
        bail!("no variable is marked with IMPASSE_OUTCOME (impasse.h)");
    }
    let options = system.options.clone();
    let mut found = BTreeSet::new();
    let cancel = guard.cancel();
    let (system, mut end) = explore_all(&arguments, system, cancel, &mut found);
    if matches!(end, End::Complete) && system.options.clocks == Clocks::Moving {
        // The clocks showed a few times. The outcomes at all times are among those of a search that
        // over-approximates.
        let mut at_any_time = BTreeSet::new();
        let system = system.with_unknown_time(&options);
        let (_, any_time) = explore_all(&arguments, system, cancel, &mut at_any_time);
        end = match any_time {
            End::Stopped(reason) => End::Stopped(reason),
            End::Complete if at_any_time.is_subset(&found) => End::Complete,
            _ => End::Unsupported(DEPENDS_ON_TIME.into()),
        };
    }
    Ok(guard.publish(|| print(console, &found, &end)))
}

/// Why there may be outcomes at times that no clock showed.
const DEPENDS_ON_TIME: &str =
    "the outcomes depend on the times that clocks show, of which some were explored";

/// What the outcomes that were found are worth.
enum End {
    /// There are no others.
    Complete,
    /// There may be others, behind what is not supported.
    Unsupported(String),
    /// There may be others, behind an error.
    Error(String),
    /// There may be others: a limit ended the search.
    Stopped(StopReason),
}

impl End {
    fn of(system: &System, result: &Outcome<&System>) -> End {
        match &result.verdict {
            Verdict::Exhausted if result.omissions.is_empty() => End::Complete,
            Verdict::Exhausted => End::Unsupported(reason(system, &result.omissions[0]).what),
            Verdict::Fault { fault, .. } => {
                let error = error(system, fault);
                let place = format!("{}:{}", error.file, error.line);
                End::Error(format!("{} at {place}: {}", error.kind, error.message))
            }
            Verdict::Hang { .. } => unreachable!("the search is not asked for hangs"),
            Verdict::Stopped(reason) => End::Stopped(*reason),
        }
    }
}

/// Explores a system, and those that must follow it, and collects their outcomes. Returns the last
/// system.
fn explore_all(
    arguments: &Arguments,
    mut system: System,
    cancel: &Cancel,
    found: &mut BTreeSet<String>,
) -> (System, End) {
    let mut trials = Trials::of(&system, None, true);
    let mut without_answer = None;
    loop {
        let result = explore(arguments, &system, cancel, &trials);
        found.extend(system.outcomes.found());
        if let Some(next) = trials.next(&system, &result) {
            drop(result);
            system = next;
            continue;
        }
        if !searches::is_final(&system, &result) {
            drop(result);
            system = system.next();
            continue;
        }
        let end = End::of(&system, &result);
        let again = trials.after(&system, &result, !matches!(end, End::Unsupported(_)));
        drop(result);
        match again {
            Some(again) => (system, without_answer) = (again, Some(end)),
            None if trials.are_in_vain() => return (system, without_answer.unwrap_or(end)),
            None => return (system, end),
        }
    }
}

fn explore<'s>(
    arguments: &Arguments,
    system: &'s System,
    cancel: &Cancel,
    trials: &Trials,
) -> Outcome<&'s System> {
    let mut search = Search::new(&system).cancel(cancel);
    if let Some(threads) = arguments.threads {
        search = search.threads(threads);
    }
    impasse_explore::search(trials.limit(search))
}

/// Prints the outcomes and what they are worth, and gives the exit code.
fn print(console: &Console, found: &BTreeSet<String>, end: &End) -> u8 {
    for outcome in found {
        console.print(&format!("{outcome}\n"));
    }
    match end {
        End::Complete => 0,
        End::Unsupported(what) => {
            console.print(&format!("inconclusive: not supported: {what}\n"));
            3
        }
        End::Error(what) => {
            console.print(&format!("error: {what}\n"));
            1
        }
        End::Stopped(reason) => stopped(console, *reason),
    }
}

/// Says that there may be more outcomes, and gives the exit code.
fn stopped(console: &Console, reason: StopReason) -> u8 {
    console.print(&format!("inconclusive: {}\n", reason.in_words()));
    3
}
