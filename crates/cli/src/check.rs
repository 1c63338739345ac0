//! `impasse check`: every interleaving.

use crate::batch;
use crate::compiler_flags::sort_out;
use crate::console::Console;
use crate::ending::Ending;
use crate::format::Format;
use crate::hangs::HangOptions;
use crate::inputs::Inputs;
use crate::limits::{Guard, Limits};
use crate::memory_model::Model;
use crate::suppressions::SuppressionOptions;
use crate::{progress, project};
use anyhow::{Result, anyhow, bail};
use clap::{Args, CommandFactory, Parser, ValueEnum};
use impasse_diagnose::{self as diagnose, Shown};
use impasse_machine::base::hangs::Hangs;
use impasse_machine::base::options::{Clocks, Options, Por, Uncaught};
use impasse_machine::system::System;
use impasse_program::link::Program;
use impasse_report::rendering::Rendering;
use impasse_report::{Named, Report};
use impasse_search::{LiveStatistics, Outcome, Search, Verdict};
use impasse_transition_system::Key;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Options of `impasse check`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    model: Model,
    #[command(flatten)]
    ending: Ending,
    /// Check only this one of the checks in ./impasse.toml; may be repeated.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show every step of the trace, and the values that local variables get.
    #[arg(long)]
    full_trace: bool,
    /// Show the steps and frames of libraries; with --full-trace, all their reads and writes.
    #[arg(long)]
    library_frames: bool,
    /// Report memory leaks.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    leaks: Switch,
    /// Report data races.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    races: Switch,
    #[command(flatten)]
    suppressions: SuppressionOptions,
    #[command(flatten)]
    hangs: HangOptions,
    /// Explore spurious wake-ups: waits on condition variables that end without a signal.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    spurious_wakeups: Switch,
    /// Explore spurious failures of weak compare-exchanges, C++'s `try_lock` and the like.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    spurious_failures: Switch,
    /// Explore the reuse of freed addresses and of the ids of joined threads, where the program can
    /// observe it.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    address_reuse: Switch,
    /// Whether an exception that no handler catches unwinds the stack; C++ allows both.
    #[arg(long, value_enum, default_value_t = OnUncaught::Both)]
    uncaught: OnUncaught,
    /// Partial-order reduction: which equivalent interleavings the search skips.
    #[arg(long, value_enum, default_value_t = OnPor::Persistent)]
    por: OnPor,
    /// Reuse a step in each state that agrees in everything the step reads, instead of executing it
    /// again.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    step_cache: Switch,
    /// Stop after N states.
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    #[command(flatten)]
    limits: Limits,
    /// Number of threads that search; all cores by default.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Flags for clang, whatever they are.
    #[arg(last = true)]
    flags: Vec<String>,
}

/// The value of an option that turns something on or off. Its variants have no help of their own.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnUncaught {
    /// Explore both.
    Both,
    /// Run destructors, then std::terminate.
    Unwind,
    /// Run std::terminate without unwinding.
    Terminate,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnPor {
    /// `full`, and where it pays, only threads move whose next steps conflict with nothing that the
    /// others may do.
    Persistent,
    /// `local`, and where Impasse reports data races, plain accesses to shared memory end no step
    /// either.
    Full,
    /// Accesses to memory that only one thread can reach end no step.
    Local,
    /// Every access to memory is a step of its own.
    Off,
}

impl Arguments {
    fn options(&self, hangs: Hangs) -> Result<Options> {
        let options = Options {
            hangs,
            leaks: self.leaks == Switch::On,
            uncaught: match self.uncaught {
                OnUncaught::Both => Uncaught::Both,
                OnUncaught::Unwind => Uncaught::Unwind,
                OnUncaught::Terminate => Uncaught::Terminate,
            },
            races: self.races == Switch::On,
            clocks: Clocks::Unread,
            spurious_wakeups: self.spurious_wakeups == Switch::On,
            spurious_failures: self.spurious_failures == Switch::On,
            address_reuse: self.address_reuse == Switch::On,
            por: match self.por {
                OnPor::Persistent => Por::Persistent,
                OnPor::Full => Por::Full,
                OnPor::Local => Por::Local,
                OnPor::Off => Por::Off,
            },
            step_cache: self.step_cache == Switch::On,
            ..self.inputs.options()?
        };
        Ok(self.ending.apply(self.model.apply(options)?))
    }

    fn output(&self, console: &Console) -> Output {
        Output {
            console: console.clone(),
            format: self.format,
            rendering: self.rendering(),
            name: self.inputs.name().display().to_string(),
        }
    }

    /// Returns the form of reports.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Adds flags for the compiler.
    pub fn add_flags(&mut self, flags: &[&str]) {
        self.flags.extend(flags.iter().map(|&flag| flag.to_owned()));
    }

    /// Returns the program. Fails as [`Inputs::program`] does.
    pub fn program(&self, console: &Console) -> Result<Program> {
        self.inputs.program(console, &self.flags)
    }

    /// Returns the options that the inputs decide. Fails as [`Inputs::options`] does.
    pub fn inputs_options(&self) -> Result<Options> {
        self.inputs.options()
    }

    /// Returns how reports are rendered.
    pub fn rendering(&self) -> Rendering {
        Rendering {
            whole_trace: self.full_trace,
            library_frames: self.library_frames,
        }
    }

    fn search<'s>(
        &self,
        system: &'s System,
        live: &LiveStatistics,
        guard: &Guard,
    ) -> Outcome<&'s System> {
        let hangs = system.options.hangs;
        let mut search = Search::new(&system)
            .cancel(guard.cancel())
            .live_statistics(live)
            .strategy(self.hangs.strategy(hangs));
        if hangs.notes_program() {
            search = search.note(Key::PROGRAM);
        }
        if let Some(states) = self.max_states {
            search = search.max_states(states);
        }
        if let Some(threads) = self.threads {
            search = search.threads(threads);
        }
        progress::shown(guard.console(), live, || search.run())
    }
}

/// How a report is printed.
#[derive(Clone)]
struct Output {
    console: Console,
    format: Format,
    rendering: Rendering,
    /// The name of the program.
    name: String,
}

impl Output {
    /// Prints a report and returns the exit code.
    fn print(&self, report: &Report) -> u8 {
        let named = Named {
            name: self.name.clone(),
            report: report.clone(),
        };
        let text = self.format.one(&named, self.rendering);
        self.console.print(&text);
        report.verdict.exit_code()
    }
}

/// Checks a program, or a project if no files are given, prints the reports and returns the exit
/// code. `words` are those after `check`. Fails if the options contradict each other or the input
/// cannot be used.
pub fn main(arguments: Arguments, words: &[OsString], console: &Console) -> Result<u8> {
    match arguments.inputs.are_given() {
        true => check_program(arguments, console),
        false => check_project(&arguments, words, console),
    }
}

/// Checks what `impasse.toml` describes.
fn check_project(arguments: &Arguments, words: &[OsString], console: &Console) -> Result<u8> {
    let words = without_options(words, &["format", "only"]);
    let tasks = project::checks(&words, &arguments.only, &validate)?;
    let (format, rendering) = (arguments.format, arguments.rendering());
    let (reports, code) = batch::run(console, &tasks, |named| {
        console.print(&format.next(named, rendering));
    })?;
    console.print(&format.last(&reports, rendering));
    Ok(code)
}

/// The command line of a check alone.
#[derive(Parser)]
enum Alone {
    Check(Box<Arguments>),
}

/// Fails unless these words may follow `check` and name files.
fn validate(words: &[OsString]) -> Result<()> {
    let all = ["impasse", "check"].map(OsString::from);
    let words = all.into_iter().chain(words.iter().cloned()).collect();
    let words = sort_out(words, &Alone::command())?;
    let Alone::Check(arguments) = Alone::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        anyhow!(line.trim_start_matches("error: ").to_owned())
    })?;
    match arguments.inputs.are_given() {
        true => Ok(()),
        false => bail!("it has neither `files` nor `compile-commands`"),
    }
}

/// Returns words without some options, each with its value.
pub fn without_options(words: &[OsString], options: &[&str]) -> Vec<OsString> {
    let mut left = words.iter();
    let mut kept = Vec::new();
    while let Some(word) = left.next() {
        let text = word.to_string_lossy();
        if text == "--" {
            kept.push(word.clone());
            break;
        }
        let (name, value) = match text.split_once('=') {
            Some((name, _)) => (name, true),
            None => (text.as_ref(), false),
        };
        match name
            .strip_prefix("--")
            .is_some_and(|name| options.contains(&name))
        {
            true if value => {}
            true => drop(left.next()),
            false => kept.push(word.clone()),
        }
    }
    kept.extend(left.cloned());
    kept
}

fn check_program(arguments: Arguments, console: &Console) -> Result<u8> {
    if !arguments.only.is_empty() {
        bail!("--only names checks of impasse.toml, which count if no files are given");
    }
    let hangs = arguments.hangs.chosen()?;
    let live = Arc::new(LiveStatistics::new());
    let blank = arguments.hangs.blank_report(hangs);
    let output = arguments.output(console);
    let guard = {
        let output = output.clone();
        let (blank, live) = (blank.clone(), Arc::clone(&live));
        let stopped = move |reason| {
            output.print(&diagnose::stopped(
                blank,
                &live,
                reason,
                output.console.elapsed(),
            ))
        };
        Guard::new(console, &arguments.limits, stopped)?
    };
    let program = arguments.inputs.program(console, &arguments.flags)?;
    let options = Options {
        suppressions: Arc::new(arguments.suppressions.rules(&program)?),
        ..arguments.options(hangs)?
    };
    let mut system = System::new(program, options).map_err(|error| anyhow!(error))?;
    system.cancel = Arc::clone(guard.cancel());
    let options = system.options.clone();
    let mut outcome = arguments.search(&system, &live, &guard);
    while let Some(next) = next_search(&system, &outcome) {
        let (endless, statistics) = (outcome.noted_may_hang, outcome.statistics);
        drop(outcome);
        system = match next {
            Next::More => system.next(),
            Next::UnknownTime => system.with_unknown_time(&options),
        };
        outcome = arguments.search(&system, &live, &guard);
        // The search for races alone looks for nothing else.
        outcome.noted_may_hang |= endless && system.tracking;
        let is_cut_short = !matches!(outcome.verdict, Verdict::Exhausted);
        if is_cut_short && system.options.clocks == Clocks::Unknown {
            // What it found may be no error: the figures are those of the search before.
            outcome.statistics = statistics;
        }
    }
    if let Some(found) = diagnose::in_short(&system, &outcome, &blank) {
        let output = output.clone();
        guard.conclude(move |reason| output.print(&diagnose::without_trace(found, reason)));
    }
    let shown = Shown {
        all: arguments.full_trace,
        library: arguments.library_frames,
    };
    let report = diagnose::report(&system, &outcome, blank, shown);
    Ok(guard.publish(|| output.print(&report)))
}

/// What another search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// This one may have missed something (`System::leaves_out`).
    More,
    /// It looked at a clock, but there were only some times.
    UnknownTime,
}

/// What another search is for, if one that found nothing needs it.
fn next_search(system: &System, outcome: &Outcome<&System>) -> Option<Next> {
    if !matches!(outcome.verdict, Verdict::Exhausted) {
        return None;
    }
    if system.leaves_out() {
        return Some(Next::More);
    }
    let is_complete = outcome.omissions.is_empty();
    (is_complete && system.options.clocks == Clocks::Moving).then_some(Next::UnknownTime)
}

/// Whether a search has an answer, and leaves nothing to another one.
pub(crate) fn is_final(system: &System, outcome: &Outcome<&System>) -> bool {
    !matches!(outcome.verdict, Verdict::Exhausted) || !system.leaves_out()
}
