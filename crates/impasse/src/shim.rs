//! `impasse shim`: deadlocks in SHIM programs.

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use impasse_shim::analysis::Budget;
use impasse_shim::diagnostic::Rejected;
use impasse_shim::report;
use impasse_shim::runner::RunInputs;
use std::io::{IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

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
    /// Write an HTML page with the tasks, channels, and the way to the deadlock.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

#[derive(Args)]
struct Run {
    /// The program.
    file: PathBuf,
    /// Values of main's parameters, as NAME=1,2,3.
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

/// Checks or runs a program.
pub fn main(arguments: Arguments) -> Result<ExitCode> {
    let result = match arguments.action {
        Some(Action::Run(run)) => execute(&run),
        None => check(&arguments.check),
    };
    result.or_else(|error| match error.downcast::<Refused>() {
        Ok(Refused(diagnostics)) => {
            anstream::eprint!("{diagnostics}");
            Ok(ExitCode::from(crate::BAD_INPUT))
        }
        Err(error) => Err(error),
    })
}

/// A program with mistakes, already in words.
#[derive(Debug)]
struct Refused(String);

impl From<Box<Rejected>> for Refused {
    fn from(rejected: Box<Rejected>) -> Refused {
        Refused(rejected.render(true))
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

fn read(path: &Path) -> Result<(String, String)> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| name.clone())?;
    Ok((name, text))
}

fn check(arguments: &Check) -> Result<ExitCode> {
    let Some(path) = &arguments.file else {
        bail!("there is no file to check; name one");
    };
    let (name, text) = read(path)?;
    let budget = Budget::default();
    if arguments.emit == Some(Emit::Smv) {
        print(&impasse_shim::emit_smv(&name, &text).map_err(Refused::from)?);
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.abstraction == Abstraction::Paper {
        let row = impasse_shim::check_as_paper(&name, &text, &budget).map_err(Refused::from)?;
        let Some(row) = row else {
            bail!("{name}: the paper's model is too large for every engine");
        };
        match arguments.format {
            Format::Human => print(&(report::paper_row(&name, &row) + "\n")),
            Format::Json => print(&(serde_json::to_string_pretty(&row)? + "\n")),
        }
        return Ok(ExitCode::from(row.may_deadlock as u8));
    }
    let result = impasse_shim::check(&name, &text, &budget).map_err(Refused::from)?;
    if let Some(path) = &arguments.report {
        let page = report::page(&result, &text);
        std::fs::write(path, page).with_context(|| path.display().to_string())?;
    }
    match arguments.format {
        Format::Human => print(&report::text(&result, stdout().is_terminal())),
        Format::Json => print(&(serde_json::to_string_pretty(&result)? + "\n")),
    }
    Ok(ExitCode::from(result.verdict.exit_code()))
}

fn execute(arguments: &Run) -> Result<ExitCode> {
    let (name, text) = read(&arguments.file)?;
    let mut inputs = RunInputs::default();
    for input in &arguments.inputs {
        let (parameter, values) = input
            .split_once('=')
            .with_context(|| format!("{input}: give an input as NAME=VALUE"))?;
        let values = values.split(',').map(|v| v.trim().parse());
        let values = values
            .collect::<Result<Vec<i64>, _>>()
            .with_context(|| format!("{input}: values are whole numbers, with commas between"))?;
        inputs.parameters.insert(parameter.into(), values);
    }
    let mut line = |line: &str| print(&format!("{line}\n"));
    let run =
        impasse_shim::run(&name, &text, &inputs, u64::MAX, &mut line).map_err(Refused::from)?;
    match run {
        Ok((_, words)) => {
            anstream::eprintln!("{words}");
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => bail!("{name}: {error}"),
    }
}

/// Prints, whether or not anybody reads to the end.
fn print(text: &str) {
    let _ = anstream::stdout().write_all(text.as_bytes());
}
