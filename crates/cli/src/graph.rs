//! `impasse graph`: draws the state graph of a small program.

use crate::behaviour::Behaviour;
use crate::console::Console;
use crate::hangs::HangOptions;
use crate::inputs::Inputs;
use crate::limits::{Guard, INCONCLUSIVE, Limits};
use crate::searches;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use impasse_diagnose::{Shown, report, state_graph};
use impasse_machine::base::options::{Options, Por};
use impasse_machine::system::System;
use impasse_report::graph::{StateGraph, dot, page, styled};
use impasse_report::human;
use impasse_report::rendering::{Rendering, grouped};
use impasse_search::Outcome;
use std::fs;
use std::io::{ErrorKind, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;

/// Options of `impasse graph`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    /// File to write: its name ends in .dot, .svg or .html.
    #[arg(short, long, value_name = "FILE", value_parser = output)]
    output: Output,
    /// Draw at most N states.
    #[arg(long, value_name = "N", default_value = "2000")]
    max_states: NonZeroUsize,
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

/// The file to write, and its form.
#[derive(Clone)]
struct Output {
    path: PathBuf,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Dot,
    Svg,
    Html,
}

fn output(text: &str) -> Result<Output, String> {
    let path = PathBuf::from(text);
    let form = match path.extension().and_then(|extension| extension.to_str()) {
        Some("dot") => Form::Dot,
        Some("svg") => Form::Svg,
        Some("html") => Form::Html,
        _ => return Err("a name that ends in .dot, .svg or .html".into()),
    };
    Ok(Output { path, form })
}

/// Draws the states of a program, prints how many there are and what a check finds, and returns the
/// exit code: that of a graph that is not whole is the one of inconclusive. Fails if the input
/// cannot be used, the file cannot be written, or Graphviz is missing and needed.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    let speaker = console.clone();
    let guard = Guard::new(console, &arguments.limits, move |reason| {
        speaker.print(&format!("nothing was drawn: {}\n", reason.in_words()));
        INCONCLUSIVE
    })?;
    let hangs = arguments.hangs.chosen()?;
    let program = arguments.inputs.program(console, &arguments.flags)?;
    let options = Options {
        por: Por::Full,
        ..arguments.inputs.options()?
    };
    let options = arguments.behaviour.options(&program, hangs, options)?;
    let mut system = System::new(program, options).map_err(|error| anyhow!(error))?;
    system.cancel = Arc::clone(guard.cancel());
    let (graph, verdict) = loop {
        let outcome = arguments.search(&system, &guard);
        if searches::is_final(&system, &outcome) || system.leaves_only_races() {
            break arguments.graph(&system, &outcome);
        }
        drop(outcome);
        system = system.next();
    };
    arguments.write(&graph, &verdict)?;
    let is_whole = !graph.is_cut && !graph.leaves_out();
    let cut = match (graph.is_cut, guard.cancel().reason()) {
        (false, _) => String::new(),
        (true, None) => "; there are more states (--max-states)".into(),
        (true, Some(reason)) => format!("; there are more states: {}", reason.in_words()),
    };
    Ok(guard.publish(|| {
        let (states, transitions) = (
            grouped(graph.states() as u64),
            grouped(graph.edges.len() as u64),
        );
        let file = arguments.output.path.display();
        console.print(&format!(
            "{verdict}\n{file}: {states} states, {transitions} transitions{cut}\n"
        ));
        if is_whole { 0 } else { INCONCLUSIVE }
    }))
}

impl Arguments {
    fn search<'s>(&self, system: &'s System, guard: &Guard) -> Outcome<&'s System> {
        let search = self.hangs.search(&system);
        let search = search.max_states(self.max_states.get() as u64);
        impasse_explore::search(search.cancel(guard.cancel()))
    }

    /// The graph, and what a search has found, in one line.
    fn graph(&self, system: &System, outcome: &Outcome<&System>) -> (StateGraph, String) {
        let blank = self.hangs.blank_report(system.options.hangs);
        let shown = Shown {
            all: false,
            library: false,
            states: false,
        };
        let report = report(system, outcome, blank, shown);
        let text = human::render(&report, Rendering::default());
        let line = text.lines().next().unwrap_or_default();
        let verdict = anstream::adapter::strip_str(line).to_string();
        (state_graph(system, outcome, self.max_states.get()), verdict)
    }

    /// Writes the file. Fails if Graphviz is missing and needed, or the file cannot be written.
    fn write(&self, graph: &StateGraph, verdict: &str) -> Result<()> {
        let text = dot(graph);
        let text = match self.output.form {
            Form::Dot => text,
            Form::Svg => styled(&layout(text)?),
            Form::Html => {
                let title = self.inputs.name().display().to_string();
                page(graph, &layout(text)?, &title, verdict)
            }
        };
        let path = &self.output.path;
        fs::write(path, text).with_context(|| path.display().to_string())
    }
}

/// Draws a graph with Graphviz. Fails if it is missing or has an error.
fn layout(graph: String) -> Result<String> {
    let mut dot = Command::new("dot");
    let dot = dot
        .arg("-Tsvg")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = match dot.spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "Graphviz is missing, which draws .svg and .html: install the package graphviz, or write a .dot file"
        ),
        child => child.context("dot")?,
    };
    let mut input = child.stdin.take().expect("a pipe");
    let writer = thread::spawn(move || input.write_all(graph.as_bytes()));
    let output = child.wait_with_output().context("dot")?;
    let written = writer.join().expect("no panic");
    if !output.status.success() {
        bail!("dot failed: {}", output.status);
    }
    written.context("dot")?;
    Ok(String::from_utf8(output.stdout)?)
}
