//! `impasse sim`: walks through the states of a program as its user directs.

mod command;
mod screen;
mod session;
mod words;

use crate::behaviour::Behaviour;
use crate::console::{Console, Stream};
use crate::hangs::HangOptions;
use crate::inputs::Inputs;
use crate::limits::{Guard, INCONCLUSIVE, Limits};
use crate::replay;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use command::Command;
use impasse_diagnose::Simulation;
use impasse_machine::base::options::{Options, Por};
use impasse_machine::system::System;
use impasse_report::Move;
use session::Session;
use std::fs;
use std::io::{IsTerminal, Read, stdin};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Options of `impasse sim`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    /// Start with the path of this result, as `check --format json` prints it: it can be followed,
    /// left, and tried again in another way. Takes the place of files and options.
    #[arg(long, value_name = "RESULT", conflicts_with = "files")]
    trace: Option<PathBuf>,
    /// The check of which the path is taken, if the result is that of several.
    #[arg(long, value_name = "NAME", requires = "trace")]
    only: Option<String>,
    /// Read commands from a file (- is standard input), one a line, and print what they show.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Stop at every access to memory, and not only where threads can affect each other.
    #[arg(long)]
    accesses: bool,
    #[command(flatten)]
    behaviour: Behaviour,
    #[command(flatten)]
    hangs: HangOptions,
    #[command(flatten)]
    limits: Limits,
    /// Flags for clang, whatever they are.
    #[arg(last = true)]
    flags: Vec<String>,
}

/// Simulates a program, in the terminal or by a script, and returns the exit code: 1 if the
/// execution has ended with an error, 0 otherwise. Fails if the input cannot be used, or a command
/// of a script cannot be executed.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    let speaker = console.clone();
    let is_terminal = console.is_terminal(Stream::Out) && stdin().is_terminal();
    let on_screen = is_terminal && arguments.script.is_none();
    let guard = Guard::new(console, &arguments.limits, move |reason| {
        if on_screen {
            screen::leave();
        }
        speaker.print(&format!(
            "the simulation was stopped: {}\n",
            reason.in_words()
        ));
        INCONCLUSIVE
    })?;
    let (mut system, moves) = arguments.system(console)?;
    system.cancel = Arc::clone(guard.cancel());
    let mut simulation = Simulation::new(&system);
    if let Err(made) = simulation.load(&moves) {
        bail!(
            "the path no longer exists at move {} of {}; impasse replay says why",
            made + 1,
            moves.len()
        );
    }
    let mut session = Session::new(simulation);
    match on_screen {
        true => screen::show(&mut session)?,
        false => follow(arguments.script.as_deref(), &mut session, console)?,
    }
    Ok(guard.publish(|| session.exit_code()))
}

impl Arguments {
    /// The system, and the path to follow in it.
    fn system(&self, console: &Console) -> Result<(System, Vec<Move>)> {
        if let Some(result) = &self.trace {
            let (system, recorded) = replay::system(result, self.only.as_deref(), console)?;
            return Ok((system, recorded.replay.unwrap_or_default().moves));
        }
        let hangs = self.hangs.chosen()?;
        let program = self.inputs.program(console, &self.flags)?;
        let options = Options {
            por: match self.accesses {
                true => Por::Off,
                false => Por::Full,
            },
            ..self.inputs.options()?
        };
        let options = self.behaviour.options(&program, hangs, options)?;
        let system = System::new(program, options).map_err(|error| anyhow!(error))?;
        Ok((system, Vec::new()))
    }
}

/// Executes the commands of a script, and prints each with what it shows.
fn follow(script: Option<&Path>, session: &mut Session<'_>, console: &Console) -> Result<()> {
    let (name, text) = match script {
        Some(path) if path != Path::new("-") => {
            let name = path.display().to_string();
            let text = fs::read_to_string(path).with_context(|| name.clone())?;
            (name, text)
        }
        _ => {
            let mut text = String::new();
            stdin().read_to_string(&mut text)?;
            ("standard input".into(), text)
        }
    };
    console.print(&session.situation());
    for (number, line) in (1..).zip(text.lines()) {
        let line = without_comment(line).trim();
        if line.is_empty() {
            continue;
        }
        console.print(&format!("\n> {line}\n"));
        let shown = Command::parse(line).and_then(|command| session.execute(&command));
        console.print(&shown.map_err(|error| anyhow!("{name}:{number}: {error:#}"))?);
        if session.is_over() {
            break;
        }
    }
    Ok(())
}

/// A line of a script up to a comment, which starts a line or follows a space: the names of objects
/// have the sign in them.
fn without_comment(line: &str) -> &str {
    let starts = |at: &usize| {
        line[..*at]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace)
    };
    let mut signs = line.match_indices('#').map(|(at, _)| at);
    &line[..signs.find(starts).unwrap_or(line.len())]
}
