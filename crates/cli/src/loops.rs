//! `impasse loops`: does a sequential program terminate?

use crate::compiler_flags::CompilerFlags;
use crate::console::Console;
use crate::data_model::Model;
use crate::limits::{Guard, INCONCLUSIVE, Limits, a_tenth_later, seconds};
use crate::sequential::system;
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use impasse_limits::StopReason;
use impasse_termination::answer::Question;
use impasse_termination::nontermination::Arithmetic;
use impasse_termination::outcome::{Outcome, VerdictName};
use impasse_termination::search::Goal;
use impasse_termination::subject::{Links, UnknownFunctions, Wanted};
use impasse_termination::{human, page, witness};
use std::path::PathBuf;
use std::time::Duration;

/// Options of `impasse loops`.
#[derive(Args)]
pub struct Arguments {
    /// C sources, preprocessed files (.i), LLVM assembly (.ll) or bitcode (.bc). Flags for the
    /// compiler may stand before and after them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    direct: CompilerFlags,
    /// Function to execute; its parameters are inputs.
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    main: String,
    /// Treat global variables that the program does not initialise as inputs.
    #[arg(long)]
    havoc_globals: bool,
    /// Treat local variables that the program does not initialise as inputs.
    #[arg(long)]
    havoc_locals: bool,
    /// What functions do that are called and defined nowhere.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Unknown::Stop)]
    unknown_functions: Unknown,
    /// Number of bytes in standard input; each is an input.
    #[arg(long, value_name = "N", default_value_t = 8)]
    stdin_bytes: usize,
    /// Search for this verdict only.
    #[arg(long, value_enum, value_name = "VERDICT")]
    only: Option<Only>,
    /// Integers over which the program must not terminate.
    #[arg(long, value_enum, default_value_t = Numbers::Machine)]
    arithmetic: Numbers,
    /// The sizes of C's types.
    #[arg(long, value_enum, default_value_t = Model::Lp64)]
    data_model: Model,
    /// Form of the result.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: Limits,
    /// Stop when the search has done what takes an idle processor about so many seconds. Unlike
    /// with --max-time, how far it gets does not depend on what else the machine does.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_work: Option<Duration>,
    /// Write a witness of nontermination, or the invariants of a proof of termination, in
    /// SV-COMP's format 2.1 to this file.
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    /// Write the certificate, which `impasse certify` checks, to this file.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Also write the result as a page for a browser, with the loop in the source.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Flags for clang, whatever they are.
    #[arg(last = true)]
    flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Numbers {
    /// Bit-precise machine integers.
    Machine,
    /// Mathematical (unbounded) integers.
    Integer,
    /// Either of them; the result says which.
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Unknown {
    /// Executions that call one are not followed.
    Stop,
    /// They return inputs; a program terminates only if it does whatever they write to memory.
    Havoc,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Only {
    /// The program does not terminate on some input.
    Nonterminating,
    /// The program terminates on every input; nothing is executed.
    Terminating,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// One JSON object; docs/loops.md describes it.
    Json,
}

/// Duration of the search if the user sets no limit.
const SEARCHED: Duration = Duration::from_secs(60);

/// Runs `impasse loops` and returns the exit code. Fails if the input cannot be used.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    let output = arguments.output(console);
    let guard = {
        let output = output.clone();
        let stopped = move |reason: StopReason| output.print(&Outcome::stopped(reason.in_words()));
        Guard::new(console, &arguments.limits.a_tenth_later(), stopped)?
    };
    let wanted = Wanted {
        main: Some(arguments.main.clone()).filter(|name| name != "main"),
        stdin_bytes: arguments.stdin_bytes,
        havoc_globals: arguments.havoc_globals,
        havoc_locals: arguments.havoc_locals,
        unknown_functions: match arguments.unknown_functions {
            Unknown::Stop => UnknownFunctions::Stop,
            Unknown::Havoc => UnknownFunctions::Havoc,
        },
        data_model: arguments.data_model.into(),
        links: Links::None,
    };
    let flags = arguments.direct.chosen(&arguments.flags)?;
    let system = system(console, &arguments.files, &flags, &wanted)?;
    let time = match arguments.limits.time() {
        Some(limit) => limit.saturating_sub(console.elapsed()),
        None => SEARCHED,
    };
    guard.bound_time(console.elapsed() + a_tenth_later(time));
    let question = Question {
        system: &system,
        files: &arguments.files,
        flags: &flags,
        wanted,
        goal: arguments.goal(),
        arithmetic: arguments.arithmetic(),
        work: arguments.max_work,
    };
    let result = question.answer(time)?;
    write(&arguments, console, &result)?;
    Ok(guard.publish(|| output.print(&result)))
}

/// Writes the files that the options ask for.
fn write(arguments: &Arguments, console: &Console, result: &Outcome) -> Result<()> {
    if let (Some(path), Some(certificate)) = (&arguments.certificate, &result.certificate) {
        let text = serde_json::to_string_pretty(certificate)? + "\n";
        std::fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    if let Some(path) = &arguments.witness {
        let file = path.display();
        match witness::render(&arguments.files, arguments.data_model.into(), result)? {
            Ok(text) => std::fs::write(path, text).with_context(|| file.to_string())?,
            Err(reason) => console.print_error(&format!("{file} was not written: {reason}\n")),
        }
    }
    if let Some(path) = &arguments.html {
        let files: Vec<String> = arguments
            .files
            .iter()
            .map(|it| it.display().to_string())
            .collect();
        let page = page::page(result, &files[0], &files);
        std::fs::write(path, page).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// How results are printed.
#[derive(Clone)]
struct Output {
    console: Console,
    format: Format,
    /// The name of the program.
    name: String,
}

impl Arguments {
    fn goal(&self) -> Goal {
        match self.only {
            None => Goal::Both,
            Some(Only::Nonterminating) => Goal::Endless,
            Some(Only::Terminating) => Goal::End,
        }
    }

    fn arithmetic(&self) -> Arithmetic {
        match self.arithmetic {
            Numbers::Machine => Arithmetic::Machine,
            Numbers::Integer => Arithmetic::Integer,
            Numbers::Both => Arithmetic::Both,
        }
    }

    fn output(&self, console: &Console) -> Output {
        Output {
            console: console.clone(),
            format: self.format,
            name: self.files[0].display().to_string(),
        }
    }
}

impl Output {
    /// Prints a result, and returns its exit code.
    fn print(&self, result: &Outcome) -> u8 {
        let text = match self.format {
            Format::Json => serde_json::to_string_pretty(result).expect("results are data") + "\n",
            Format::Human => human::render(result, &self.name),
        };
        self.console.print(&text);
        match result.verdict {
            VerdictName::Terminating => 0,
            VerdictName::Nonterminating => 1,
            VerdictName::Unknown => INCONCLUSIVE,
        }
    }
}
