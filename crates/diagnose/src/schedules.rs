//! From the outcome of random schedules to a report.

use crate::findings::{Shown, inconclusive, memory_model, with_fault, with_schedule};
use crate::{environment, fault, suppressed};
use impasse_limits::peak_memory;
use impasse_machine::system::System;
use impasse_report::rendering::grouped;
use impasse_report::{Report, Schedules, Verdict};
use impasse_search::Sampled;

/// Returns the findings of random schedules, filled into a report that says how many there were. It
/// is never a proof. `sampled` must be that of the last runs, over `system`.
pub fn report_of_schedules(
    system: &System,
    sampled: &Sampled<&System>,
    blank: Report,
    shown: Shown,
) -> Report {
    let report = Report {
        memory_model: memory_model(system),
        peak_memory_bytes: peak_memory(),
        ..blank
    };
    let omissions = sampled.omissions.iter();
    let mut report = match &sampled.fault {
        Some((fault, path)) => {
            let report = with_fault(system, fault, path, report, shown);
            with_schedule(system, report)
        }
        None => Report {
            environment: environment::asked(system),
            omissions: omissions.map(|it| fault::reason(system, it)).collect(),
            ..inconclusive(report.clone(), why_inconclusive(&report, sampled))
        },
    };
    report.suppressed = suppressed::suppressed(system);
    report
}

/// Returns the error that random schedules have met, if any, without its trace.
pub fn in_short_of_schedules(
    system: &System,
    sampled: &Sampled<&System>,
    blank: &Report,
) -> Option<Report> {
    let (fault, path) = sampled.fault.as_ref()?;
    Some(Report {
        verdict: Verdict::Error,
        error: Some(fault::error(system, fault)),
        path: Some(path.to_string()),
        ..blank.clone()
    })
}

fn why_inconclusive(report: &Report, sampled: &Sampled<&System>) -> String {
    let stopped = sampled.stopped.map(|reason| reason.in_words().to_owned());
    let schedules = report.schedules.as_ref().map(in_words);
    let parts: Vec<String> = stopped.into_iter().chain(schedules).collect();
    parts.join("; ")
}

/// What schedules without an error show.
fn in_words(schedules: &Schedules) -> String {
    let runs = |count: u64| match count {
        1 => "1 run".to_owned(),
        several => format!("{} runs", grouped(several)),
    };
    let mut text = match schedules.runs {
        1 => "no error in 1 random schedule; others may have one".into(),
        several => {
            let several = grouped(several);
            format!("no error in {several} random schedules; others may have one")
        }
    };
    if schedules.cut > 0 {
        let (cut, steps) = (runs(schedules.cut), grouped(schedules.longest));
        text += &format!("; {cut} cut after {steps} steps (--max-steps)");
    }
    if schedules.omitted > 0 {
        let omitted = runs(schedules.omitted);
        text += &format!("; {omitted} ended at what is not supported");
    }
    text
}
