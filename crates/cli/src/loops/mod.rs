//! `impasse loops`: does a sequential program terminate? `impasse certify` checks the proof.

pub mod certify;
mod human;
mod native;
mod result;
mod subject;
mod witness;

use crate::console::Console;
use crate::inputs::{Inputs, Model};
use crate::limits::{Guard, INCONCLUSIVE, Limits, a_tenth_later, in_words};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use impasse_compile::Toolchain;
use impasse_machine::base::options::Options;
use impasse_machine::system::System;
use impasse_solver::Terms;
use impasse_termination::concolic::run::Parameter;
use impasse_termination::nontermination::Arithmetic;
use impasse_termination::search::{Ending, Goal, Reason, Verdict, search};
use result::{Claimed, Evidence, Execution, FORMAT, Outcome, VerdictName, outcome};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use subject::{Links, Wanted, subject, tells_signs};

/// Every byte of standard input is an input of its own.
const MOST_STDIN_BYTES: usize = 1 << 20;

/// Options of `impasse loops`.
#[derive(Args)]
pub struct Arguments {
    /// C sources, preprocessed files (.i), LLVM assembly (.ll) or bitcode (.bc).
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Function to execute; its parameters are inputs.
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    main: String,
    /// Treat global variables that the program does not initialise as inputs.
    #[arg(long)]
    havoc_globals: bool,
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
    /// Write a witness of nontermination in SV-COMP's format 2.1 to this file.
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    /// Write the certificate, which `impasse certify` checks, to this file.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Flags for clang.
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

/// Runs `impasse loops`. Returns the exit code, or an error if the input cannot be read.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    let output = arguments.output(console);
    let guard = {
        let output = output.clone();
        let stopped = move |reason| output.print(&Outcome::stopped(in_words(reason)));
        Guard::new(console, &arguments.limits.a_tenth_later(), stopped)?
    };
    let wanted = Wanted {
        main: Some(arguments.main.clone()).filter(|name| name != "main"),
        stdin_bytes: arguments.stdin_bytes,
        havoc_globals: arguments.havoc_globals,
        data_model: arguments.data_model,
        links: Links::None,
    };
    let system = system(console, &arguments.files, &arguments.flags, &wanted)?;
    let time = match arguments.limits.time() {
        Some(limit) => limit.saturating_sub(console.elapsed()),
        None => SEARCHED,
    };
    guard.bound_time(console.elapsed() + a_tenth_later(time));
    let result = answer(&system, &arguments, wanted, time)?;
    write(&arguments, &result)?;
    Ok(guard.publish(|| output.print(&result)))
}

/// What is found out about a program; where a parameter's elements hang together in no way, and
/// nothing is found, about lists that are circular.
fn answer(
    system: &System,
    arguments: &Arguments,
    mut wanted: Wanted,
    time: Duration,
) -> Result<Outcome> {
    let started = Instant::now();
    let first = answer_for(system, arguments, &wanted, time)?;
    let is_open = first.verdict == VerdictName::Unknown && wanted.main.is_some();
    if !is_open || arguments.only == Some(Only::Terminating) {
        return Ok(first);
    }
    wanted.links = Links::Circular;
    let (subject, _) = subject(system, &wanted)?;
    let parameters = subject.test.iter().flat_map(|(_, parameters)| parameters);
    let links = |one: &Parameter| matches!(one, Parameter::Object(to) if !to.links.is_empty());
    let left = time.saturating_sub(started.elapsed());
    if !parameters.into_iter().any(links) || left.is_zero() {
        return Ok(first);
    }
    let second = answer_for(system, arguments, &wanted, left)?;
    Ok(match second.verdict {
        VerdictName::Nonterminating => second,
        _ => first,
    })
}

fn answer_for(
    system: &System,
    arguments: &Arguments,
    wanted: &Wanted,
    time: Duration,
) -> Result<Outcome> {
    let (mut subject, gaps) = subject(system, wanted)?;
    subject.integers = arguments.arithmetic == Numbers::Integer;
    subject.tells_signs = tells_signs(&arguments.files, &arguments.flags);
    let options = impasse_termination::search::Options {
        goal: match arguments.only {
            None => Goal::Both,
            Some(Only::Nonterminating) => Goal::Endless,
            Some(Only::Terminating) => Goal::End,
        },
        arithmetic: match arguments.arithmetic {
            Numbers::Machine => Arithmetic::Machine,
            Numbers::Integer => Arithmetic::Integer,
            Numbers::Both => Arithmetic::Both,
        },
        time,
        gaps,
    };
    let terms = Terms::new();
    let found = search(&subject, &terms, &options);
    let evidence = |verdict: &Verdict| evidence(verdict, arguments, wanted);
    Ok(outcome(&subject, found, evidence))
}

/// Writes the files that the options ask for.
fn write(arguments: &Arguments, result: &Outcome) -> Result<()> {
    if let (Some(path), Some(certificate)) = (&arguments.certificate, &result.certificate) {
        let text = serde_json::to_string_pretty(certificate)? + "\n";
        std::fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    if let (Some(path), Some(cycle)) = (&arguments.witness, &result.cycle) {
        let text = witness::render(&arguments.files, arguments.data_model, result, cycle)?;
        std::fs::write(path, text).with_context(|| path.display().to_string())?;
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

/// Compiles and links a program for sequential execution.
fn system(
    console: &Console,
    files: &[PathBuf],
    flags: &[String],
    wanted: &Wanted,
) -> Result<System> {
    let mut files = files.to_vec();
    if wanted.main.is_some() {
        files.push(weak_main()?);
    }
    let inputs = Inputs {
        files,
        optimise: false,
        files_from: None,
        stdin: None,
        // It wraps around, and is noted.
        signed_overflow: false,
        malloc_fail: false,
        nondet: None,
        roots: wanted.main.iter().cloned().collect(),
        model: wanted.data_model,
    };
    if wanted.stdin_bytes > MOST_STDIN_BYTES {
        bail!("standard input may have at most {MOST_STDIN_BYTES} bytes");
    }
    let options = Options {
        spurious_wakeups: false,
        spurious_failures: false,
        address_reuse: false,
        leaks: false,
        races: false,
        standard_input: vec![0; wanted.stdin_bytes],
        ..inputs.options(&[])?
    };
    inputs.system(console, flags, options)
}

/// A source that defines `main` for programs that do not.
fn weak_main() -> Result<PathBuf> {
    let folder = Toolchain::default_cache();
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let path = folder.join("weak-main.c");
    let text = "__attribute__((__weak__)) int main(void) { return 0; }\n";
    if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
        std::fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    Ok(path)
}

/// What shows a verdict; none if there is none.
fn evidence(verdict: &Verdict, arguments: &Arguments, wanted: &Wanted) -> Option<Evidence> {
    let files = arguments
        .files
        .iter()
        .map(|file| file.display().to_string());
    Some(Evidence {
        format: FORMAT,
        files: files.collect(),
        flags: arguments.flags.clone(),
        wanted: wanted.clone(),
        claimed: match verdict {
            Verdict::Unknown(_) => return None,
            Verdict::Terminating(Ending::Ranked(ranking)) => Claimed::Ranking(ranking.clone()),
            Verdict::Terminating(Ending::Followed(paths)) => Claimed::Paths {
                paths: paths.clone(),
                integers: arguments.arithmetic == Numbers::Integer,
            },
            Verdict::Nonterminating(endless) => {
                let trace = &endless.trace;
                Claimed::Execution(Box::new(Execution {
                    inputs: trace.values.iter().map(u64::to_string).collect(),
                    skipped: trace.skipped as u64,
                    // One more than there are: the last visit comes before it.
                    steps: trace.steps.len() as u64 + 1,
                    visits: endless.relation.visits,
                    accelerated: !endless.relation.accelerated.is_empty(),
                    overflow: endless.relation.overflow,
                    is_never_left: matches!(endless.reason, Reason::NoExit),
                    proof: match &endless.reason {
                        Reason::Repeats | Reason::NoExit => None,
                        Reason::Proved(certificate) => Some((**certificate).clone()),
                    },
                }))
            }
        },
    })
}
