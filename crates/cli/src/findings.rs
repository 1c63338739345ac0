//! From the outcome of a search to a report.

use crate::{environment, hang, limits, selection, trace};
use impasse_limits::StopReason;
use impasse_machine::base::fault::ErrorKind;
use impasse_machine::base::options::Clocks;
use impasse_machine::exec::unknown_time::TIME_DECIDES;
use impasse_machine::machine::record::Detail;
use impasse_machine::system::System;
use impasse_machine::system::replay::{Replay, replay};
use impasse_report::{Report, Verdict};
use impasse_search::{LiveStatistics, Outcome, Verdict as Found};
use impasse_transition_system::Path;
use std::time::Duration;

/// Which steps a trace shows.
#[derive(Clone, Copy)]
pub struct Shown {
    /// All of them: also the values of local variables.
    pub all: bool,
    /// The steps of libraries too.
    pub library: bool,
}

/// The findings of a search, filled into a report that says what was looked for.
pub fn report(system: &System, outcome: &Outcome<&System>, blank: Report, shown: Shown) -> Report {
    let mut report = with_figures(outcome, blank);
    match &outcome.verdict {
        Found::Fault { fault, path } => {
            let replay = follow(&mut report, system, path, shown);
            let fault = replay.fault.as_ref().unwrap_or(fault);
            report.error = Some(match fault.kind {
                ErrorKind::Hang => hang::deadlock(system, &replay),
                _ => trace::error(system, fault),
            });
            if let (Some(error), Some(earlier)) = (&mut report.error, &replay.earlier) {
                error.message += ": ";
                error.message += earlier;
            }
            report.place_in_own_code();
        }
        Found::Hang { section, path } => {
            let mut replay = follow(&mut report, system, path, shown);
            let Some(selected) = selection::select(system, *section, &replay.state) else {
                let found = selection::region_with_stopped_clocks(system, *section, &replay.state);
                let error = hang::error(system, *section, &found, &replay);
                report.verdict = Verdict::Inconclusive;
                report.reason = Some(hang::unless_time_passes(&error));
                report.omissions = omissions(system, outcome);
                report.trace = Vec::new();
                report.environment = Vec::new();
                report.path = None;
                return report;
            };
            if !selected.suffix.is_empty() {
                let path = Path::new([path.ordinals(), &selected.suffix].concat());
                replay = follow(&mut report, system, &path, shown);
            }
            report.error = Some(hang::error(
                system,
                selected.section,
                &selected.region,
                &replay,
            ));
        }
        Found::Stopped(reason) => {
            report.verdict = Verdict::Inconclusive;
            report.reason = Some(limits::in_words(*reason).into());
            report.omissions = omissions(system, outcome);
        }
        Found::Exhausted => {
            report.nonterminating = outcome.noted_may_hang;
            report.environment = environment::asked(system);
            report.omissions = omissions(system, outcome);
            if let Some(first) = report.omissions.first() {
                report.verdict = Verdict::Inconclusive;
                report.reason = Some(format!("not supported: {}", first.what));
            }
        }
    }
    match system.options.clocks {
        Clocks::Unknown => at_some_time(report),
        Clocks::Unread | Clocks::Moving => report,
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
        ..report
    }
}

/// What a search found that had to be ended from outside after the time `elapsed`.
pub fn stopped(
    blank: Report,
    live: &LiveStatistics,
    reason: StopReason,
    elapsed: Duration,
) -> Report {
    Report {
        verdict: Verdict::Inconclusive,
        reason: Some(limits::in_words(reason).into()),
        states: live.states(),
        transitions: live.transitions(),
        depth: live.depth(),
        seconds: elapsed.as_secs_f64(),
        state_bytes: live.bytes(),
        peak_memory_bytes: peak_memory(),
        ..blank
    }
}

/// What can be said of an error at once, before the way to it is followed; none if there is none.
pub fn in_short(system: &System, outcome: &Outcome<&System>, blank: &Report) -> Option<Report> {
    if system.options.clocks == Clocks::Unknown {
        return None;
    }
    let mut report = with_figures(outcome, blank.clone());
    match &outcome.verdict {
        Found::Fault { fault, path } => {
            report.verdict = Verdict::Error;
            report.error = Some(trace::error(system, fault));
            report.path = Some(path.to_string());
        }
        // Only a second look tells whether time would end it.
        Found::Hang { .. } => report.verdict = Verdict::Inconclusive,
        Found::Exhausted | Found::Stopped(_) => return None,
    }
    Some(report)
}

/// What was found, without the trace that there was no time for.
pub fn without_trace(found: Report, reason: StopReason) -> Report {
    let what = match found.verdict {
        Verdict::Error => "before the trace was ready",
        _ => "while a possible hang was looked at more closely",
    };
    let reason = format!("{} {what}", limits::in_words(reason));
    Report {
        reason: Some(reason),
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

fn omissions(system: &System, outcome: &Outcome<&System>) -> Vec<impasse_report::Reason> {
    let omissions = outcome.omissions.iter();
    omissions.map(|o| trace::reason(system, o)).collect()
}

/// An error was found at the end of a path: follows it.
fn follow(report: &mut Report, system: &System, path: &Path, shown: Shown) -> Replay {
    let detail = Detail {
        locals: shown.all,
        library: shown.all && shown.library,
    };
    let replay = replay(system, path, detail);
    report.verdict = Verdict::Error;
    report.path = Some(path.to_string());
    report.trace = trace::steps(system, &replay.events);
    report.trace.retain(|step| shown.library || step.line > 0);
    report.environment = environment::asked_on(system, &replay.events);
    replay
}

/// The most memory that this process used, as Linux counts it; 0 where that is unknown.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
