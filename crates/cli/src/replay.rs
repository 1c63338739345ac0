//! `impasse replay`: follows the path to an error again, from a result of `check` or `run`.

mod native;

use self::native::Native;
use crate::console::Console;
use crate::inputs::Inputs;
use crate::limits::{Guard, Limits};
use crate::printing::Printing;
use crate::reproduce::with_command;
use crate::{check, run};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Parser};
use impasse_diagnose as diagnose;
use impasse_machine::system::{LeftOut, System};
use impasse_report::{Named, ReplayOutcome, Replayed, Report, Reproduction, Verdict};
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Options of `impasse replay`.
#[derive(Args)]
pub struct Arguments {
    /// Result of `check`, `test` or `run --schedule`, as --format json prints it.
    result: PathBuf,
    /// The check to replay, if the result is that of several.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Have the error occur in a real process too: build the program with the system's libraries,
    /// and lead its threads along the path.
    #[arg(long)]
    native: bool,
    /// Like --native, in a process under gdb.
    #[arg(long)]
    gdb: bool,
    #[command(flatten)]
    printing: Printing,
    #[command(flatten)]
    limits: Limits,
}

/// What a file may hold.
#[derive(Deserialize)]
#[serde(untagged)]
enum Results {
    Several { checks: Vec<Named> },
    One(Box<Report>),
}

/// The recorded command.
#[derive(Parser)]
enum Recorded {
    Check(Box<check::Arguments>),
    Run(Box<run::Arguments>),
}

impl Recorded {
    fn inputs(&self) -> &Inputs {
        match self {
            Recorded::Check(arguments) => arguments.inputs(),
            Recorded::Run(arguments) => arguments.inputs(),
        }
    }
}

/// Follows the path of a result, prints what it leads to and returns the exit code: 0 for no error,
/// 1 for an error, 3 if the path does not exist any more or it is not known whether there is an
/// error. Fails if the file is no result with a path, or the program cannot be built.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    let (name, recorded) = read(&arguments.result, arguments.only.as_deref())?;
    let output = arguments.printing.output(console, name);
    let stopped = {
        let output = output.clone();
        move |reason: impasse_limits::StopReason| output.print(&unfinished(reason.in_words()))
    };
    let guard = Guard::new(console, &arguments.limits, stopped)?;
    let in_process = arguments.native || arguments.gdb;
    let native = in_process
        .then(|| native(&arguments, &recorded))
        .transpose()?;
    let (blank, mut system) = rebuilt(&arguments.result, &recorded, console)?;
    system.cancel = Arc::clone(guard.cancel());
    let shown = arguments.printing.shown();
    let report = diagnose::report_of_replay(&system, &recorded, blank, shown);
    let report = match native {
        Some(native) => native.shown(&system, report)?,
        None => report,
    };
    let report = Report {
        seconds: console.elapsed().as_secs_f64(),
        ..report
    };
    let replay = recorded.replay.clone().unwrap_or_default();
    let (subcommand, words) = replay.command.split_first().context("no command")?;
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    let report = with_command(report, subcommand, &words);
    Ok(guard.publish(|| output.print(&report)))
}

/// Returns the system in which the error of a result was found, and the result. Fails if the file
/// is no result with a path, or the program cannot be built.
pub fn system(result: &Path, only: Option<&str>, console: &Console) -> Result<(System, Report)> {
    let (_, recorded) = read(result, only)?;
    let (_, system) = rebuilt(result, &recorded, console)?;
    Ok((system, recorded))
}

/// The system in which the error of a report was found, and a report that says what was looked for.
fn rebuilt(result: &Path, recorded: &Report, console: &Console) -> Result<(Report, System)> {
    let at = || result.display().to_string();
    let replay = recorded.replay.clone().unwrap_or_default();
    let command = parsed(&replay).with_context(at)?;
    let searches = searches(&replay).with_context(at)?;
    let (blank, mut system) = match command {
        Recorded::Check(arguments) => arguments.system(console)?,
        Recorded::Run(arguments) => arguments.system(console)?,
    };
    for left_out in searches {
        system = system.after(Some(left_out));
    }
    Ok((blank, system))
}

/// How the program of a result runs as a process.
fn native(arguments: &Arguments, recorded: &Report) -> Result<Native> {
    let at = || arguments.result.display().to_string();
    let replay = recorded.replay.clone().unwrap_or_default();
    let command = parsed(&replay).with_context(at)?;
    Native::of(command.inputs(), arguments.gdb)
}

/// The report of a replay that was ended from outside.
fn unfinished(reason: &str) -> Report {
    Report {
        verdict: Verdict::Inconclusive,
        replayed: Some(Replayed {
            outcome: ReplayOutcome::Unknown,
            text: reason.into(),
        }),
        ..Report::blank()
    }
}

/// The result in a file that has a path, and its name.
fn read(path: &Path, only: Option<&str>) -> Result<(String, Report)> {
    recorded(path, only).with_context(|| path.display().to_string())
}

fn recorded(path: &Path, only: Option<&str>) -> Result<(String, Report)> {
    let text = std::fs::read(path)?;
    let results = serde_json::from_slice(&text);
    let results: Results = results.map_err(|error| match error.is_data() {
        true => anyhow!("it is no result of `impasse check --format json`"),
        false => anyhow!(error),
    })?;
    let (name, report) = match (results, only) {
        (Results::One(report), None) => ("program".to_owned(), *report),
        (Results::One(_), Some(_)) => bail!("it is the result of one check: leave out --only"),
        (Results::Several { checks }, only) => {
            let named = chosen(checks, only)?;
            (named.name, named.report)
        }
    };
    match (&report.error, &report.replay) {
        (None, _) => bail!("the result has no error, so there is nothing to replay"),
        (Some(_), None) => bail!("the result does not say how to replay its error; check again"),
        (Some(_), Some(_)) => Ok((name, report)),
    }
}

/// The check with a name, or the only one with an error.
fn chosen(checks: Vec<Named>, only: Option<&str>) -> Result<Named> {
    let Some(name) = only else {
        let mut failed = checks.into_iter().filter(|it| it.report.error.is_some());
        return match (failed.next(), failed.next()) {
            (Some(one), None) => Ok(one),
            (None, _) => bail!("no check has an error"),
            (Some(a), Some(b)) => bail!(
                "several checks have errors, among them {} and {}: choose one with --only",
                a.name,
                b.name
            ),
        };
    };
    let found = checks.into_iter().find(|it| it.name == name);
    found.with_context(|| format!("it has no check {name}"))
}

/// The command of a result.
fn parsed(replay: &Reproduction) -> Result<Recorded> {
    let words = std::iter::once("impasse").chain(replay.command.iter().map(String::as_str));
    Recorded::try_parse_from(words).map_err(|error| {
        let text = error.render().to_string();
        let line = text.lines().next().unwrap_or_default();
        let line = line.trim_start_matches("error: ");
        anyhow!("its command is none of this version of Impasse: {line}")
    })
}

/// The searches before the one that has found the error.
fn searches(replay: &Reproduction) -> Result<Vec<LeftOut>> {
    let named = |name: &String| {
        let found = LeftOut::named(name);
        found.with_context(|| format!("there is no search for {name}"))
    };
    replay.searches.iter().map(named).collect()
}
