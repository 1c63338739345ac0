//! Several checks, each in a process of its own: one may crash or reach a limit, and the others are
//! checked nevertheless.

use crate::console::{Console, Stream};
use anyhow::{Context, Result};
use impasse_report::{Named, Report, Verdict};
use indicatif::ProgressBar;
use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// The exit code for input that cannot be checked.
const BAD_INPUT: u8 = 2;

/// A check: its name, and the words of `impasse check` without a format.
pub struct Task {
    /// What reports call it.
    pub name: String,
    /// The words after `check`.
    pub words: Vec<OsString>,
}

/// Checks one after the other, hands each report to `done`, and returns all reports and the exit
/// code: the worst of bad input, error, inconclusive and verified. Ends early when the user
/// interrupts it, which is inconclusive. Fails if no process can be started.
pub fn run(
    console: &Console,
    tasks: &[Task],
    mut done: impl FnMut(&Named),
) -> Result<(Vec<Named>, u8)> {
    let interrupted = console.interrupts()?;
    let bar = match console.is_terminal(Stream::Err) {
        true => ProgressBar::new_spinner(),
        false => ProgressBar::hidden(),
    };
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut reports = Vec::new();
    let mut worst = 0;
    for (task, number) in tasks.iter().zip(1..) {
        if interrupted.load(Relaxed) {
            worst = worse(worst, Verdict::Inconclusive.exit_code());
            break;
        }
        let (name, all) = (&task.name, tasks.len());
        bar.set_message(format!("checking {name} ({number} of {all})"));
        let (report, code) = check(console, task)?;
        worst = worse(worst, code);
        let named = Named {
            name: task.name.clone(),
            report,
        };
        bar.suspend(|| done(&named));
        reports.push(named);
    }
    bar.finish_and_clear();
    Ok((reports, worst))
}

/// The worse of two exit codes.
fn worse(one: u8, other: u8) -> u8 {
    let order = [
        0,
        Verdict::Inconclusive.exit_code(),
        Verdict::Error.exit_code(),
        BAD_INPUT,
    ];
    let rank = |code| {
        order
            .iter()
            .position(|&it| it == code)
            .unwrap_or(order.len())
    };
    if rank(one) >= rank(other) { one } else { other }
}

fn check(console: &Console, task: &Task) -> Result<(Report, u8)> {
    let output = Command::new(console.executable()?)
        .args(["check", "--format", "json"])
        .args(&task.words)
        .stdin(Stdio::null())
        .output()
        .context("starting a check")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if let Ok(report) = serde_json::from_slice::<Report>(&output.stdout) {
        console.print_error(&errors);
        let code = report.exit_code();
        return Ok((report, code));
    }
    let reason = match output.status.code() {
        Some(_) => errors.trim().to_owned(),
        None => format!("the check ended abnormally: {}", output.status),
    };
    let report = Report {
        verdict: Verdict::Inconclusive,
        reason: Some(reason),
        ..Report::blank()
    };
    let code = output.status.code().map_or(3, |_| BAD_INPUT);
    Ok((report, code))
}
