//! `impasse shim`: deadlocks in SHIM programs.

use crate::console::{Console, Stream};
use crate::limits::{INCONCLUSIVE, Limits, within};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use impasse_limits::StopReason;
use impasse_shim::analysis::Budget;
use impasse_shim::diagnostic::Rejected;
use impasse_shim::machine::Ending;
use impasse_shim::report;
use impasse_shim::runner::RunInputs;
use impasse_shim::verdict::{CheckResult, PaperResult};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Options of `impasse shim`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    check: Check,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Execute a program and print what it prints.
    Run(Run),
}

#[derive(Args)]
struct Check {
    /// The program.
    #[arg(required = true)]
    file: Option<PathBuf>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Which model of the program is searched.
    #[arg(long, value_enum, default_value_t = Abstraction::Exact)]
    abstraction: Abstraction,
    /// Write the model for another tool, and do nothing else.
    #[arg(long, value_enum)]
    emit: Option<Emit>,
    #[command(flatten)]
    limits: Limits,
    /// Write an HTML page with the tasks, channels, and the trace to the deadlock.
    #[arg(long = "html", alias = "report", value_name = "FILE")]
    report: Option<PathBuf>,
}

#[derive(Args)]
struct Run {
    /// The program.
    file: PathBuf,
    /// Inputs: NAME=1,2,3 for a parameter of main, "input() in TASK=1,2,3" for what `input()` gives
    /// to a task, as reports write it, or "input()=1,2,3" for all others.
    #[arg(value_name = "NAME=VALUES")]
    inputs: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// One JSON object.
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Abstraction {
    /// Refined with the program's data as far as it takes.
    Exact,
    /// As in the paper: branches are nondeterministic, and all tasks move in step.
    Paper,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// The paper's model, for NuSMV.
    Smv,
}

/// The exit code of a run that ended in a deadlock or a run-time error.
const FAILED: u8 = 1;

/// Checks or runs a SHIM program and returns the exit code. Fails if a file cannot be read or
/// written.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    let (result, format) = match arguments.action {
        Some(Action::Run(run)) => (execute(console, &run), Format::Human),
        None => (check(console, &arguments.check), arguments.check.format),
    };
    result.or_else(|error| {
        let Refused(rejected) = error.downcast::<Refused>()?;
        match format {
            Format::Human => console.print_error(&rejected.render(true)),
            Format::Json => console.print(&report::rejected_json(&rejected)),
        }
        Ok(crate::BAD_INPUT)
    })
}

/// A program with mistakes.
#[derive(Debug)]
struct Refused(Box<Rejected>);

impl From<Box<Rejected>> for Refused {
    fn from(rejected: Box<Rejected>) -> Refused {
        Refused(rejected)
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.render(false))
    }
}

impl std::error::Error for Refused {}

fn read(path: &Path) -> Result<(String, String)> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| name.clone())?;
    Ok((name, text))
}

fn check(console: &Console, arguments: &Check) -> Result<u8> {
    let Some(path) = &arguments.file else {
        bail!("there is no file to check; name one");
    };
    let (name, text) = read(path)?;
    if arguments.report.is_some()
        && (arguments.emit.is_some() || arguments.abstraction == Abstraction::Paper)
    {
        bail!("--html shows the exact check; leave out --emit and --abstraction paper");
    }
    let job = Job { name, text };
    let limits = &arguments.limits;
    if arguments.emit == Some(Emit::Smv) {
        return job.emit(console, limits);
    }
    if arguments.abstraction == Abstraction::Paper {
        return job.table(console, limits, arguments.format);
    }
    job.exact(console, arguments)
}

/// A program to be checked.
#[derive(Clone)]
struct Job {
    name: String,
    text: String,
}

impl Job {
    fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// The exact check; prints what was known so far if a limit stops it.
    fn exact(self, console: &Console, arguments: &Check) -> Result<u8> {
        let started = Instant::now();
        let output = ExactOutput {
            console: console.clone(),
            format: arguments.format,
            page: arguments.report.clone(),
            text: self.text.clone(),
        };
        let known = Arc::new(Mutex::new(None));
        let stopped = {
            let (job, known, output) = (self.clone(), Arc::clone(&known), output.clone());
            move |reason: StopReason| {
                let known = known.lock().expect("noted").take();
                let known = known.unwrap_or_else(|| CheckResult::unknown(&job.name, job.lines()));
                let seconds = started.elapsed().as_secs_f64();
                let code = output.write(&known.stopped(reason.in_words(), seconds));
                code.unwrap_or_else(|error| {
                    output.console.print_error(&format!("impasse: {error:#}\n"));
                    crate::BAD_INPUT
                })
            }
        };
        let work = move || {
            let mut note =
                |result: &CheckResult| *known.lock().expect("noted") = Some(result.clone());
            impasse_shim::check_with(&self.name, &self.text, &Budget::default(), &mut note)
        };
        match within(console, &arguments.limits, stopped, work)? {
            Ok(result) => output.write(&result.map_err(Refused::from)?),
            Err(code) => Ok(code),
        }
    }

    /// The row of the paper's table.
    fn table(self, console: &Console, limits: &Limits, format: Format) -> Result<u8> {
        let started = Instant::now();
        let lines = self.lines();
        let (speaker, name) = (console.clone(), self.name.clone());
        let print = move |row: &PaperResult| {
            match format {
                Format::Human => speaker.print(&report::paper_table(&name, row)),
                Format::Json => speaker.print(&report::paper_json(row)),
            }
            row.verdict().exit_code()
        };
        let printer = print.clone();
        let stopped = move |reason: StopReason| {
            let seconds = started.elapsed().as_secs_f64();
            printer(&PaperResult::stopped(reason.in_words(), lines, seconds))
        };
        let work = move || impasse_shim::check_as_paper(&self.name, &self.text, &Budget::default());
        match within(console, limits, stopped, work)? {
            Ok(row) => Ok(print(&row.map_err(Refused::from)?)),
            Err(code) => Ok(code),
        }
    }

    /// The model for another tool.
    fn emit(self, console: &Console, limits: &Limits) -> Result<u8> {
        let speaker = console.clone();
        let stopped = move |reason: StopReason| {
            speaker.print_error(&format!("impasse: {}\n", reason.in_words()));
            INCONCLUSIVE
        };
        let work = move || impasse_shim::emit_smv(&self.name, &self.text);
        match within(console, limits, stopped, work)? {
            Ok(model) => {
                console.print(&model.map_err(Refused::from)?);
                Ok(0)
            }
            Err(code) => Ok(code),
        }
    }
}

/// Where the result of the exact check goes.
#[derive(Clone)]
struct ExactOutput {
    console: Console,
    format: Format,
    /// The HTML page to be written.
    page: Option<PathBuf>,
    /// The text of the program.
    text: String,
}

impl ExactOutput {
    /// Writes the page and prints the result. Returns the exit code. Fails if the page cannot be
    /// written.
    fn write(&self, result: &CheckResult) -> Result<u8> {
        if let Some(path) = &self.page {
            let page = report::page(result, &self.text);
            std::fs::write(path, page).with_context(|| path.display().to_string())?;
        }
        let console = &self.console;
        match self.format {
            Format::Human => console.print(&report::text(result, console.is_terminal(Stream::Out))),
            Format::Json => console.print(&report::json(result)),
        }
        Ok(result.verdict.exit_code())
    }
}

fn execute(console: &Console, arguments: &Run) -> Result<u8> {
    let (name, text) = read(&arguments.file)?;
    let mut inputs = RunInputs::default();
    for input in &arguments.inputs {
        let (name, values) = input
            .split_once('=')
            .with_context(|| format!("{input}: give an input as NAME=VALUE"))?;
        let values = values.trim().trim_start_matches('{').trim_end_matches('}');
        let values = values.split(',').map(|v| number(v.trim()));
        let values = values
            .collect::<Option<Vec<i64>>>()
            .with_context(|| format!("{input}: values are whole numbers, with commas between"))?;
        match name.trim().strip_prefix("input()") {
            Some("") => inputs.streams.insert(String::new(), values),
            Some(task) => {
                let task = task.trim().trim_start_matches("in ").trim();
                inputs.streams.insert(task.into(), values)
            }
            None => inputs.parameters.insert(name.trim().into(), values),
        };
    }
    let mut line = |line: &str| console.print(&format!("{line}\n"));
    let run =
        impasse_shim::run(&name, &text, &inputs, u64::MAX, &mut line).map_err(Refused::from)?;
    match run {
        Ok((run, words)) => {
            console.print_error(&format!("{words}\n"));
            Ok(match run.ending {
                Ending::Deadlock | Ending::Failed(..) => FAILED,
                Ending::Finished | Ending::Forever(_) | Ending::OutOfSteps => 0,
            })
        }
        Err(error) => bail!("{name}: {error}"),
    }
}

/// A number of up to 64 bits, with or without a sign.
fn number(text: &str) -> Option<i64> {
    let unsigned = || text.parse::<u64>().ok().map(|value| value as i64);
    text.parse().ok().or_else(unsigned)
}
