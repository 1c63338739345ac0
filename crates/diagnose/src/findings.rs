//! From the outcome of a search to a report.

use crate::explore::exploration;
use crate::place::placed;
use crate::{environment, fault, hang, inputs, selection, slice, suppressed, trace, walk};
use impasse_limits::{StopReason, peak_memory};
use impasse_machine::base::fault::{ErrorKind, Fault};
use impasse_machine::base::options::{Clocks, MemoryModelName};
use impasse_machine::exec::unknown_time::TIME_DECIDES;
use impasse_machine::machine::record::Detail;
use impasse_machine::system::System;
use impasse_machine::system::replay::{Replay, replay};
use impasse_report::{MemoryModel, Reason, Report, Reproduction, Verdict};
use impasse_search::{LiveStatistics, Outcome, Verdict as Found};
use impasse_transition_system::{HangRegion, Key, Path};
use std::time::Duration;

/// Which steps a trace shows.
#[derive(Clone, Copy)]
pub struct Shown {
    /// All of them: also the values of local variables.
    pub all: bool,
    /// The steps of libraries too.
    pub library: bool,
    /// The states on the path too.
    pub states: bool,
}

/// Why an error is not reported that no path with all its times leads to.
const BEFORE_1970: &str =
    "an error was met that may need a clock which started before the year 1970";

/// A place at which executions fork so often on inputs is named where a limit is reached.
const MANY_FORKS: u64 = 64;

/// Returns the findings of a search, filled into a report that says what was looked for. Replays
/// the path to an error; for a hang, also explores the states after it. `outcome` must be that of a
/// search over `system`.
pub fn report(system: &System, outcome: &Outcome<&System>, blank: Report, shown: Shown) -> Report {
    let report = Report {
        memory_model: memory_model(system),
        ..with_figures(outcome, blank)
    };
    let mut report = match &outcome.verdict {
        Found::Fault { fault, path } => with_fault(system, fault, path, report, shown),
        Found::Hang { section, path } => {
            let found = with_hang(system, *section, path, report.clone(), shown);
            found.unwrap_or_else(|reason| Report {
                omissions: omissions(system, outcome),
                ..inconclusive(report, reason)
            })
        }
        Found::Stopped(reason) => Report {
            omissions: omissions(system, outcome),
            ..inconclusive(report, reason.in_words().to_owned() + &hint(system))
        },
        Found::Exhausted => exhausted(system, outcome, report),
    };
    report.suppressed = suppressed::suppressed(system);
    if let (true, Verdict::Inconclusive, Some(reason)) =
        (system.searched_under_sc, report.verdict, &mut report.reason)
    {
        *reason += "; under sequential consistency, no error was found";
    }
    match system.options.clocks {
        Clocks::Unknown => at_some_time(report),
        Clocks::Unread | Clocks::Moving | Clocks::Symbolic => with_schedule(system, report),
    }
}

/// Where a search that follows inputs had most to do, and what would make it less.
fn hint(system: &System) -> String {
    let busiest = system.terms.as_ref().and_then(|terms| terms.busiest_fork());
    let Some((place, _)) = busiest.filter(|(_, count)| *count >= MANY_FORKS) else {
        return String::new();
    };
    let Reason { file, line, .. } = placed(system, &[place], String::new());
    format!(
        "; most forks are at {file}:{line}: bound the inputs that it depends on with assumptions, \
         or give the values to try with --nondet LOW..HIGH"
    )
}

/// Returns the report with what follows its path again, if it has one. The command is left to the
/// caller.
pub(crate) fn with_schedule(system: &System, report: Report) -> Report {
    let path = report.path.as_ref().and_then(|path| path.parse().ok());
    let replay = path.map(|path| Reproduction {
        command: Vec::new(),
        searches: system.earlier.iter().map(|it| it.name().into()).collect(),
        moves: walk::schedule(system, &path),
    });
    Report { replay, ..report }
}

pub(crate) fn memory_model(system: &System) -> Option<MemoryModel> {
    match system.options.memory_model {
        MemoryModelName::SequentialConsistency | MemoryModelName::Auto => None,
        MemoryModelName::Tso | MemoryModelName::TsoFlusher => Some(MemoryModel::Tso),
        MemoryModelName::C11 => Some(MemoryModel::C11),
    }
}

pub(crate) fn inconclusive(report: Report, reason: String) -> Report {
    Report {
        verdict: Verdict::Inconclusive,
        reason: Some(reason),
        ..report
    }
}

pub(crate) fn with_fault(
    system: &System,
    fault: &Fault,
    path: &Path,
    report: Report,
    shown: Shown,
) -> Report {
    let blank = report.clone();
    let (replay, mut report) = follow(system, path, report, shown);
    if replay.fault.is_none() && system.options.clocks == Clocks::Symbolic {
        return inconclusive(blank, BEFORE_1970.into());
    }
    let fault = replay.fault.as_ref().unwrap_or(fault);
    let mut error = match fault.kind {
        ErrorKind::Hang => hang::deadlock(system, &replay),
        _ => fault::error(system, fault),
    };
    if let Some(earlier) = &replay.earlier {
        error.message += ": ";
        error.message += earlier;
    }
    report.error = Some(error);
    slice::keep_what_is_named(&mut report);
    report.place_in_own_code();
    with_states(system, path, None, report, shown)
}

/// Returns the report with the states on its path, if they are shown.
pub(crate) fn with_states(
    system: &System,
    path: &Path,
    region: Option<&HangRegion>,
    report: Report,
    shown: Shown,
) -> Report {
    let exploration = shown.states.then(|| exploration(system, path, region));
    Report {
        exploration,
        ..report
    }
}

/// The report of a section that cannot end while clocks stand still; or, if it may end as time
/// passes, what is then not known.
fn with_hang(
    system: &System,
    section: Key,
    path: &Path,
    report: Report,
    shown: Shown,
) -> Result<Report, String> {
    let (mut replay, mut report) = follow(system, path, report, shown);
    let Some(selected) = selection::select(system, section, &replay.state) else {
        let region = selection::region_with_stopped_clocks(system, section, &replay.state);
        let error = hang::error(system, section, &region, &replay);
        return Err(match system.terms.is_some() {
            true => hang::unless_inputs_differ(&error),
            false => hang::unless_time_passes(&error),
        });
    };
    if !selected.suffix.is_empty() {
        let path = Path::new([path.ordinals(), &selected.suffix].concat());
        (replay, report) = follow(system, &path, report, shown);
    }
    let error = hang::error(system, selected.section, &selected.region, &replay);
    report.error = Some(error);
    slice::keep_what_is_named(&mut report);
    let path = report.path.as_ref().and_then(|path| path.parse().ok());
    let path = path.unwrap_or_default();
    Ok(with_states(
        system,
        &path,
        Some(&selected.region),
        report,
        shown,
    ))
}

fn exhausted(system: &System, outcome: &Outcome<&System>, report: Report) -> Report {
    let report = Report {
        // Where inputs are followed symbolically, this is not known: it takes them for an adversary
        // who may decide late.
        nonterminating: outcome.noted_may_hang && system.terms.is_none(),
        environment: environment::asked(system),
        omissions: omissions(system, outcome),
        ..report
    };
    match report.omissions.first() {
        Some(first) => {
            let reason = format!("not supported: {}", first.what);
            inconclusive(report, reason)
        }
        None => report,
    }
}

/// Where the time is unknown, an error may be one of executions that no clock allows.
fn at_some_time(report: Report) -> Report {
    let Some(error) = report.error else {
        return report;
    };
    let mut steps = report.trace.iter().rev();
    let decides = steps.find(|step| step.text == TIME_DECIDES);
    let (file, line) = match decides {
        Some(step) => (step.file.clone(), step.line),
        None => (error.file.clone(), error.line),
    };
    let what = format!(
        "{file}:{line} depends on the time, of which only some values are tried; for others there may be an error: {} ({}:{})",
        error.message, error.file, error.line
    );
    Report {
        verdict: Verdict::Inconclusive,
        reason: Some(what),
        error: None,
        trace: Vec::new(),
        environment: Vec::new(),
        path: None,
        replay: None,
        exploration: None,
        ..report
    }
}

/// Returns the report of a search that was ended from outside after `elapsed`: inconclusive, with
/// the figures reached.
pub fn stopped(
    blank: Report,
    live: &LiveStatistics,
    reason: StopReason,
    elapsed: Duration,
) -> Report {
    let report = Report {
        states: live.states(),
        transitions: live.transitions(),
        depth: live.depth(),
        seconds: elapsed.as_secs_f64(),
        state_bytes: live.bytes(),
        peak_memory_bytes: peak_memory(),
        ..blank
    };
    inconclusive(report, reason.in_words().into())
}

/// Returns the finding without its trace, before the path to it is replayed, or `None` if there is
/// none that counts yet.
pub fn in_short(system: &System, outcome: &Outcome<&System>, blank: &Report) -> Option<Report> {
    if matches!(system.options.clocks, Clocks::Unknown | Clocks::Symbolic) {
        return None;
    }
    let mut report = with_figures(outcome, blank.clone());
    report.suppressed = suppressed::suppressed(system);
    match &outcome.verdict {
        Found::Fault { fault, path } => {
            report.verdict = Verdict::Error;
            report.error = Some(fault::error(system, fault));
            report.path = Some(path.to_string());
        }
        // Only the full report says whether time would end it.
        Found::Hang { .. } => report.verdict = Verdict::Inconclusive,
        Found::Exhausted | Found::Stopped(_) => return None,
    }
    Some(report)
}

/// Returns what [`in_short`] found, with a note that a limit left no time for the trace.
pub fn without_trace(found: Report, reason: StopReason) -> Report {
    let what = match found.verdict {
        Verdict::Error => "before the trace was ready",
        _ => "while a possible hang was looked at more closely",
    };
    Report {
        reason: Some(format!("{} {what}", reason.in_words())),
        ..found
    }
}

fn with_figures(outcome: &Outcome<&System>, blank: Report) -> Report {
    let statistics = &outcome.statistics;
    Report {
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth,
        seconds: statistics.elapsed.as_secs_f64(),
        state_bytes: statistics.bytes,
        peak_memory_bytes: peak_memory(),
        ..blank
    }
}

fn omissions(system: &System, outcome: &Outcome<&System>) -> Vec<Reason> {
    let omissions = outcome.omissions.iter();
    omissions.map(|o| fault::reason(system, o)).collect()
}

/// Follows the path to an error, and reports what happens on it.
pub(crate) fn follow(
    system: &System,
    path: &Path,
    report: Report,
    shown: Shown,
) -> (Replay, Report) {
    let detail = Detail {
        locals: shown.all,
        library: shown.all && shown.library,
    };
    let replay = replay(system, path, detail);
    let mut trace = trace::steps(system, &replay.events);
    for (step, minor) in trace.iter_mut().zip(slice::minor(system, path, &replay)) {
        step.minor = minor;
    }
    trace.retain(|step| shown.library || step.line > 0);
    let report = Report {
        verdict: Verdict::Error,
        path: Some(path.to_string()),
        trace,
        environment: environment::asked_on(system, &replay.events),
        inputs: inputs::read_on(system, &replay.events),
        ..report
    };
    (replay, report)
}
