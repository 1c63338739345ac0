//! The SHIM language and its deadlocks.
//!
//! A program goes from text to a syntax tree ([`syntax`]), to three-address code ([`lower`]), to a
//! tree of tasks ([`tree`]) and to a network of automata ([`network`]), on which the engines work:
//! one channel at a time ([`single`]), all tasks in step ([`synchronous`]: the paper's model), sets
//! of states ([`symbolic`]). [`refine`] and [`data`] tell the automata what tasks know of their own
//! data, [`groups`] takes apart what is independent, [`predicates`] looks at tasks together,
//! [`machine`] runs programs, and [`concolic`] runs them on chosen inputs. [`analysis`] asks them
//! in turn.

pub mod analysis;
pub mod attractor;
pub mod automaton;
mod conclude;
pub mod concolic;
pub mod data;
pub mod diagnostic;
mod escapes;
pub mod eval;
mod faults;
pub mod groups;
pub mod inputs;
pub mod instance;
pub mod ir;
pub mod lower;
pub mod machine;
pub mod names;
pub mod network;
pub mod predicates;
pub mod refine;
pub mod report;
pub mod runner;
mod show;
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
pub mod wait_for;
pub mod warnings;
mod words;

use analysis::Budget;
use diagnostic::{Diagnostic, Rejected};
use impasse_limits::peak_memory;
use machine::Run;
use network::Network;
use runner::RunInputs;
use source::SourceFile;
use std::time::Instant;
use tree::Tree;
use verdict::{CheckResult, PaperAnswer, PaperResult};

/// Parses and checks a program, without resolving recursion. Fails with the diagnostics if it has
/// mistakes.
pub fn compile(name: &str, text: &str) -> Result<ir::Program, Box<Rejected>> {
    let file = SourceFile::new(name, text);
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let tree = syntax::parser::parse(text, &mut diagnostics);
    if !tree.whole {
        return Err(rejected(file, diagnostics));
    }
    let well_formed = diagnostics.is_empty();
    let names = names::resolve(&tree, &mut diagnostics);
    let program = lower::lower(file.clone(), &tree, &names, &mut diagnostics);
    if diagnostics.is_empty() {
        return Ok(program);
    }
    if well_formed && names.functions.contains_key("main") {
        let more = elsewhere(&program, &tree, &diagnostics);
        diagnostics.extend(more);
    }
    Err(rejected(file, diagnostics))
}

/// What the tree of tasks shows to be wrong in functions in which nothing else is.
fn elsewhere(
    program: &ir::Program,
    syntax: &syntax::tree::Program,
    known: &[Diagnostic],
) -> Vec<Diagnostic> {
    let wrong: Vec<_> = syntax
        .functions
        .iter()
        .map(|function| function.name.span.to(function.body.span))
        .filter(|whole| known.iter().any(|d| whole.contains(d.span)))
        .collect();
    let sound = |span: source::Span| !wrong.iter().any(|whole| whole.contains(span));
    let found = Tree::new(program).err().unwrap_or_default();
    found
        .into_iter()
        .filter(|d| sound(d.span) && d.others.iter().all(|(span, _)| sound(*span)))
        .collect()
}

fn rejected(file: SourceFile, mut diagnostics: Vec<Diagnostic>) -> Box<Rejected> {
    diagnostics.sort_by_key(|d| d.span);
    Box::new(Rejected { file, diagnostics })
}

/// Parses and checks a program and returns it with its tree of tasks. Fails with the diagnostics if
/// it has mistakes.
pub fn elaborate(name: &str, text: &str) -> Result<(ir::Program, Tree), Box<Rejected>> {
    let program = compile(name, text)?;
    match Tree::new(&program) {
        Ok(tree) => Ok((program, tree)),
        Err(diagnostics) => Err(rejected(program.file, diagnostics)),
    }
}

/// Decides whether a program deadlocks. Fails with the diagnostics if it has mistakes.
pub fn check(name: &str, text: &str, budget: &Budget) -> Result<CheckResult, Box<Rejected>> {
    check_with(name, text, budget, &mut |_| {})
}

/// Decides whether a program deadlocks. Meanwhile passes preliminary results to `so_far`, which are
/// true but less precise. Fails with the diagnostics if the program has mistakes.
pub fn check_with(
    name: &str,
    text: &str,
    budget: &Budget,
    so_far: &mut dyn FnMut(&CheckResult),
) -> Result<CheckResult, Box<Rejected>> {
    let start = Instant::now();
    let (program, tree) = elaborate(name, text)?;
    let mut result = analysis::decide(&program, &tree, budget, so_far);
    result.seconds = start.elapsed().as_secs_f64();
    result.peak_memory_bytes = peak_memory();
    Ok(result)
}

/// Decides a program by the paper's abstraction, and returns the row of the paper's table. Fails
/// with the diagnostics if the program has mistakes.
pub fn check_as_paper(
    name: &str,
    text: &str,
    budget: &Budget,
) -> Result<PaperResult, Box<Rejected>> {
    let start = Instant::now();
    let (program, tree) = elaborate(name, text)?;
    let network = Network::paper(&tree, false);
    let mut row = PaperResult {
        answer: None,
        states: "0".into(),
        reason: None,
        lines: program.file.line_count(),
        channels: tree.channels.len(),
        tasks: tree.tasks.len(),
        seconds: 0.0,
        peak_memory_bytes: 0,
        engine: "explicit",
        exceptions_ignored: tree.has_exceptions(),
    };
    if let Some(found) = synchronous::explore(&network, budget.states.min(20_000)) {
        row.answer = Some(PaperAnswer {
            may: !found.always_moves,
            must: !found.can_avoid,
        });
        row.states = found.states.to_string();
    } else if let Some(found) = symbolic::solve(&network, budget.nodes) {
        row.engine = "decision diagrams";
        row.answer = Some(PaperAnswer {
            may: !found.always_moves,
            must: !found.can_avoid,
        });
        row.states = found.states;
    } else {
        row.reason = Some("the paper's model is too large for every engine".into());
    }
    row.seconds = start.elapsed().as_secs_f64();
    row.peak_memory_bytes = peak_memory();
    Ok(row)
}

/// Runs a program for at most `steps` instructions and returns the run, and its end in words.
/// Passes each printed line to `sink`. Fails with the diagnostics if the program has mistakes.
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

/// Returns the paper's model of a program, for NuSMV. Fails with the diagnostics if the program has
/// mistakes.
pub fn emit_smv(name: &str, text: &str) -> Result<String, Box<Rejected>> {
    let (_, tree) = elaborate(name, text)?;
    Ok(smv::emit(&tree))
}
