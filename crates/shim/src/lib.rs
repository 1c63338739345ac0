//! The SHIM language and its deadlocks.
//!
//! A program goes from text to a syntax tree ([`syntax`]), to three-address code ([`lower`]), to a
//! tree of tasks ([`tree`]) and to a network of automata ([`network`]), on which the engines work.

pub mod analysis;
pub mod automaton;
pub mod concolic;
pub mod data;
pub mod diagnostic;
pub mod eval;
pub mod fate;
pub mod groups;
pub mod ir;
pub mod lower;
pub mod machine;
pub mod names;
pub mod network;
pub mod predicates;
pub mod refine;
pub mod report;
pub mod runner;
pub mod single;
pub mod smv;
pub mod solve;
pub mod source;
pub mod specialise;
pub mod symbolic;
pub mod synchronous;
pub mod syntax;
pub mod terms;
pub mod tree;
pub mod verdict;
pub mod waits;
pub mod warnings;

use analysis::Budget;
use diagnostic::{Diagnostic, Rejected};
use machine::Run;
use network::Network;
use runner::RunInputs;
use source::SourceFile;
use std::time::Instant;
use tree::Tree;
use verdict::{CheckResult, PaperResult, peak_memory};

/// Reads and checks a program.
pub fn compile(name: &str, text: &str) -> Result<ir::Program, Box<Rejected>> {
    let file = SourceFile::new(name, text);
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let tree = syntax::parser::parse(text, &mut diagnostics);
    let names = names::resolve(&tree, &mut diagnostics);
    let program = lower::lower(file.clone(), &tree, &names, &mut diagnostics);
    if diagnostics.is_empty() {
        return Ok(program);
    }
    diagnostics.sort_by_key(|d| d.span);
    Err(Box::new(Rejected { file, diagnostics }))
}

/// Reads a program up to its tree of tasks.
pub fn elaborate(name: &str, text: &str) -> Result<(ir::Program, Tree), Box<Rejected>> {
    let program = compile(name, text)?;
    match Tree::new(&program) {
        Ok(tree) => Ok((program, tree)),
        Err(diagnostic) => Err(Box::new(Rejected {
            file: program.file,
            diagnostics: vec![diagnostic],
        })),
    }
}

/// Decides whether a program deadlocks.
pub fn check(name: &str, text: &str, budget: &Budget) -> Result<CheckResult, Box<Rejected>> {
    let start = Instant::now();
    let (program, tree) = elaborate(name, text)?;
    let mut result = analysis::decide(&program, &tree, budget);
    result.seconds = start.elapsed().as_secs_f64();
    result.peak_memory_bytes = peak_memory();
    Ok(result)
}

/// Decides by the paper's abstraction, as its table reports it; none if the model is too large.
pub fn check_as_paper(
    name: &str,
    text: &str,
    budget: &Budget,
) -> Result<Option<PaperResult>, Box<Rejected>> {
    let start = Instant::now();
    let (program, tree) = elaborate(name, text)?;
    let network = Network::paper(&tree, false);
    let explicit = synchronous::explore(&network, budget.states.min(20_000));
    let (always_moves, can_avoid, states, engine) = match explicit {
        Some(found) => (
            found.always_moves,
            found.can_avoid,
            found.states.to_string(),
            "explicit",
        ),
        None => match symbolic::solve(&network, budget.nodes) {
            Some(found) => (
                found.always_moves,
                found.can_avoid,
                found.states,
                "decision diagrams",
            ),
            None => return Ok(None),
        },
    };
    Ok(Some(PaperResult {
        may_deadlock: !always_moves,
        must_deadlock: !can_avoid,
        states,
        lines: program.file.line_count(),
        channels: tree.channels.iter().filter(|channel| channel.used).count(),
        tasks: tree.tasks.len(),
        seconds: start.elapsed().as_secs_f64(),
        peak_memory_bytes: peak_memory(),
        engine,
        exceptions_ignored: tree.has_exceptions(),
    }))
}

/// Runs a program for at most so many instructions; each printed line goes to `sink`. The run and
/// its end in words.
pub fn run(
    name: &str,
    text: &str,
    inputs: &RunInputs,
    steps: u64,
    sink: &mut dyn FnMut(&str),
) -> Result<Result<(Run, String), String>, Box<Rejected>> {
    let (program, tree) = elaborate(name, text)?;
    let run = runner::run_program(&program, &tree, inputs, steps, sink);
    Ok(run.map(|run| {
        let words = runner::describe(&program, &tree, &run);
        (run, words)
    }))
}

/// The paper's model of a program, for NuSMV.
pub fn emit_smv(name: &str, text: &str) -> Result<String, Box<Rejected>> {
    let (_, tree) = elaborate(name, text)?;
    Ok(smv::emit(&tree))
}
