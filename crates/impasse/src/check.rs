//! `impasse check`: every interleaving.

use crate::inputs::Inputs;
use crate::memory_model::Model;
use crate::{hang, progress, telling, trace};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use impasse_explore::{Limits, Meter, Outcome, Path, Search, StopReason, Strategy};
use impasse_machine::fault::ErrorKind;
use impasse_machine::options::{Options, Reduction, Settle, Uncaught};
use impasse_machine::record::{Replay, replay};
use impasse_machine::section::{Hangs, SectionType, SectionTypes};
use impasse_machine::system::System;
use impasse_report::human::{Rendering, render};
use impasse_report::{Report, Scope, Verdict};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Options of `impasse check`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    model: Model,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show every step of the trace, however long it is.
    #[arg(long)]
    full_trace: bool,
    /// Show the steps and frames of libraries too.
    #[arg(long)]
    library_frames: bool,
    /// Report memory that is never freed.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    leaks: Switch,
    /// Report data races.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    races: Switch,
    /// What is looked for that can never end: sections (a lock that is waited for or held, a join, ...; docs/hangs.md), the program as a
    /// whole, or nothing. By default sections. A depth-first search finds only that no thread can go on.
    #[arg(long, value_enum)]
    hangs: Option<OnHangs>,
    /// The types of sections that must be able to end; by default all but `thread`.
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = section_type)]
    sections: Vec<SectionType>,
    /// How hangs are found: in the one space of states, or, as a slow reference, in the literature's enlarged one.
    #[arg(long, value_enum, default_value_t = Progress::Fixpoint)]
    progress: Progress,
    /// Let waits on condition variables end without a signal, as they may.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    spurious_wakeups: Switch,
    /// What becomes of the stack when nobody catches an exception; C++ allows both.
    #[arg(long, value_enum, default_value_t = OnUncaught::Both)]
    uncaught: OnUncaught,
    /// Which interleavings are left out because nobody can tell them apart.
    #[arg(long, value_enum, default_value_t = OnReduction::Full)]
    reduce: OnReduction,
    /// Do not execute a step again that was executed from a state that looks the same to it.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    remember: Switch,
    /// The order in which states are visited. Breadth-first gives the shortest trace.
    #[arg(long, value_enum, default_value_t = Order::Breadth)]
    search: Order,
    /// Stop after so many states.
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    /// Stop when so much memory is used, as in 4G or 500M.
    #[arg(long, value_name = "BYTES", value_parser = amount)]
    max_memory: Option<u64>,
    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
    /// How many threads search; all cores by default.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// An argument of the program; may be given several times.
    #[arg(long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    program_arguments: Vec<String>,
    /// Flags for clang.
    #[arg(last = true)]
    flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// One JSON object; docs/json.md describes it.
    Json,
}

/// Whether something is looked for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// It is.
    On,
    /// It is not.
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnUncaught {
    /// Both ways are explored.
    Both,
    /// Destructors run, then std::terminate is called.
    Unwind,
    /// std::terminate is called at once.
    Terminate,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnReduction {
    /// Threads run on through what nobody else can observe, and, where data races are reported, through accesses to shared memory that
    /// are not atomic.
    Full,
    /// They run on through what nobody else can observe.
    Private,
    /// Every access to memory is a step of its own.
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnHangs {
    /// No section may be entered that can never end.
    Local,
    /// The program must be able to end from everywhere.
    Global,
    /// Programs may hang.
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Progress {
    /// A fixpoint over states and open sections.
    Fixpoint,
    /// A nondeterministic choice of one section instance to watch, on one thread.
    Branching,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Breadth-first, on all threads.
    Breadth,
    /// Depth-first, on one thread.
    Depth,
}

fn section_type(text: &str) -> Result<SectionType, String> {
    let found = SectionType::ALL.iter().find(|kind| kind.name() == text);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = SectionType::ALL.iter().map(|kind| kind.name()).collect();
        format!("one of {}", names.join(", "))
    })
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text
        .trim_end_matches('s')
        .parse()
        .map_err(|_| "a number of seconds")?;
    Duration::try_from_secs_f64(number).map_err(|e| e.to_string())
}

pub(crate) fn amount(text: &str) -> Result<u64, String> {
    let error = || "a number of bytes, as in 500M or 4G".to_owned();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let factor = match text[digits.len()..]
        .to_ascii_uppercase()
        .trim_end_matches("IB")
        .trim_end_matches('B')
    {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(error()),
    };
    let number: u64 = digits.parse().map_err(|_| error())?;
    number.checked_mul(factor).ok_or_else(error)
}

impl Arguments {
    /// Which hangs are looked for.
    fn hangs(&self) -> Result<Hangs> {
        let hangs = self.hangs.unwrap_or(OnHangs::Local);
        let asked = self.hangs.is_some_and(|hangs| hangs != OnHangs::Off);
        if self.search == Order::Depth && (asked || !self.sections.is_empty()) {
            bail!("--hangs and --sections need the breadth-first search: leave out --search depth");
        }
        if hangs != OnHangs::Local && !self.sections.is_empty() {
            bail!("--sections chooses among what --hangs=local looks for");
        }
        Ok(match hangs {
            OnHangs::Off => Hangs::Off,
            OnHangs::Global => Hangs::Global,
            OnHangs::Local if self.sections.is_empty() => Hangs::Local(SectionTypes::USUAL),
            OnHangs::Local => Hangs::Local(self.sections.iter().copied().collect()),
        })
    }

    fn strategy(&self, hangs: Hangs) -> Strategy {
        match (self.search, hangs, self.progress) {
            (Order::Depth, ..) => Strategy::DepthFirst,
            (_, Hangs::Off, _) => Strategy::BreadthFirst,
            (_, _, Progress::Fixpoint) => Strategy::Hangs,
            (_, _, Progress::Branching) => Strategy::Branching,
        }
    }
}

/// Checks a program and prints the report.
pub fn main(arguments: Arguments) -> Result<ExitCode> {
    let hangs = arguments.hangs()?;
    let options = Options {
        hangs,
        settle: match arguments.strategy(hangs) {
            Strategy::BreadthFirst | Strategy::DepthFirst => Settle::Never,
            Strategy::Hangs => Settle::Doubtful,
            Strategy::Branching => Settle::Always,
        },
        leaks: arguments.leaks == Switch::On,
        uncaught: match arguments.uncaught {
            OnUncaught::Both => Uncaught::Both,
            OnUncaught::Unwind => Uncaught::Unwind,
            OnUncaught::Terminate => Uncaught::Terminate,
        },
        races: arguments.races == Switch::On,
        spurious_wakeups: arguments.spurious_wakeups == Switch::On,
        reduce: match arguments.reduce {
            OnReduction::Full => Reduction::Full,
            OnReduction::Private => Reduction::Private,
            OnReduction::None => Reduction::None,
        },
        remember: arguments.remember == Switch::On,
        ..arguments.inputs.options(&arguments.program_arguments)?
    };
    let options = arguments.model.apply(options);
    let system = arguments.inputs.system(&arguments.flags, options)?;
    let report = search(&arguments, &system)?;
    match arguments.format {
        Format::Json => print(&(serde_json::to_string_pretty(&report)? + "\n")),
        Format::Human => {
            let rendering = Rendering {
                whole_trace: arguments.full_trace,
                library_frames: arguments.library_frames,
            };
            print(&render(&report, rendering));
        }
    }
    Ok(ExitCode::from(report.verdict.exit_code()))
}

/// Prints, whether or not anybody reads to the end.
fn print(text: &str) {
    use std::io::Write;
    let _ = anstream::stdout().write_all(text.as_bytes());
}

fn search(arguments: &Arguments, system: &System) -> Result<Report> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)).context("catching Ctrl-C")?;
    let limits = Limits {
        states: arguments.max_states,
        memory: arguments.max_memory,
        time: arguments.max_time,
    };
    let meter = Meter::new();
    let mut search = Search::new(&system)
        .limits(limits)
        .interrupt(&interrupted)
        .meter(&meter)
        .strategy(arguments.strategy(system.options.hangs));
    if let Some(threads) = arguments.threads {
        search = search.threads(threads);
    }
    let outcome = progress::shown(&meter, || search.run());
    let mut report = report(system, &outcome, arguments.library_frames);
    let chosen = arguments.sections.iter().map(|kind| kind.name().to_owned());
    report.sections = chosen.collect();
    report.hangs = match (arguments.search, system.options.hangs) {
        (_, Hangs::Off) => Scope::Off,
        (Order::Depth, _) => Scope::Deadlocks,
        (_, Hangs::Local(_)) => Scope::Local,
        (_, Hangs::Global) => Scope::Global,
    };
    Ok(report)
}

/// The findings of a search as a report.
fn report(system: &System, outcome: &Outcome<&System>, library_steps: bool) -> Report {
    use impasse_explore::Verdict as Found;
    let statistics = &outcome.statistics;
    let omissions: Vec<_> = outcome
        .omissions
        .iter()
        .map(|o| trace::reason(system, o))
        .collect();
    let mut report = Report {
        verdict: Verdict::Verified,
        error: None,
        reason: None,
        hangs: Scope::Off,
        sections: Vec::new(),
        omissions: Vec::new(),
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth,
        seconds: statistics.elapsed.as_secs_f64(),
        state_bytes: statistics.bytes,
        peak_memory_bytes: peak_memory(),
        trace: Vec::new(),
        path: None,
    };
    match &outcome.verdict {
        Found::Fault { fault, path } => {
            let replay = follow(&mut report, system, path, library_steps);
            report.error = Some(match fault.kind {
                ErrorKind::Hang => hang::deadlock(system, &replay),
                _ => trace::error(system, fault),
            });
        }
        Found::Hang { section, path } => {
            let mut replay = follow(&mut report, system, path, library_steps);
            let Some(told) = telling::most_telling(system, *section, &replay.state) else {
                let found = telling::standing_still(system, *section, &replay.state);
                let error = hang::error(system, *section, &found, &replay);
                report.verdict = Verdict::Inconclusive;
                report.reason = Some(hang::unless_time_passes(&error));
                report.omissions = omissions;
                report.trace = Vec::new();
                report.path = None;
                return report;
            };
            if !told.way.is_empty() {
                let path = Path::new([path.ordinals(), &told.way].concat());
                replay = follow(&mut report, system, &path, library_steps);
            }
            report.error = Some(hang::error(system, told.section, &told.trap, &replay));
        }
        Found::Stopped(reason) => {
            report.verdict = Verdict::Inconclusive;
            report.reason = Some(stop_in_words(*reason).into());
            report.omissions = omissions;
        }
        Found::Exhausted if !omissions.is_empty() => {
            report.verdict = Verdict::Inconclusive;
            report.reason = Some(format!("not supported: {}", omissions[0].what));
            report.omissions = omissions;
        }
        Found::Exhausted => {}
    }
    report
}

/// An error was found at the end of a path: follows it.
fn follow(report: &mut Report, system: &System, path: &Path, library_steps: bool) -> Replay {
    let replay = replay(system, path);
    report.verdict = Verdict::Error;
    report.path = Some(path.to_string());
    report.trace = trace::steps(system, &replay.events);
    report.trace.retain(|step| library_steps || step.line > 0);
    replay
}

pub(crate) fn stop_in_words(reason: StopReason) -> &'static str {
    match reason {
        StopReason::States => "the limit on states (--max-states) was reached",
        StopReason::Memory => {
            "the limit on memory (--max-memory, or what the machine has) was reached"
        }
        StopReason::Time => "the limit on time (--max-time) was reached",
        StopReason::Interrupted => "the search was interrupted",
    }
}

/// The most memory that this process used, as Linux counts it; 0 where that is unknown.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
