//! `impasse certify`: checks what `impasse loops` says, without its search and without a solver.
//!
//! The program is compiled and executed again on the inputs of the certificate. A state that
//! repeats is seen in that execution, and the program is run natively as well ([`super::native`]).
//! That a set of states is never left is checked by `impasse_termination::certify`, after the loop
//! that the certificate speaks of has been compared, term by term, with the one that the program
//! takes in that execution.

use super::native::{Run, State};
use super::result::{self, Claimed, Evidence, Execution, FORMAT, Outcome};
use super::subject::{subject, tells_signs};
use super::system;
use crate::console::Console;
use crate::limits::{INCONCLUSIVE, Limits, in_words, within};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use impasse_solver::Terms;
use impasse_termination::certificate::{Certificate, LassoRecord};
use impasse_termination::concolic::acceleration::Inner;
use impasse_termination::concolic::derive::lasso_of;
use impasse_termination::concolic::iteration::{Assumed, LoopRelation, line_of, lines};
use impasse_termination::concolic::names::names;
use impasse_termination::concolic::no_exit::is_never_left;
use impasse_termination::concolic::run::{Bounds, Subject, execute};
use impasse_termination::concolic::trace::{Effect, Input, Source, Trace};
use impasse_termination::problem::Overflow;
use impasse_termination::search::LONGEST;
use impasse_termination::search::paths::{self, PathsProof};
use impasse_termination::termination::{self, record::TerminationProof};
use std::path::PathBuf;
use std::time::Duration;

/// Options of `impasse certify`.
#[derive(Args)]
pub struct Arguments {
    /// What `impasse loops --format json` printed, or wrote with --certificate.
    certificate: PathBuf,
    /// The program, if it is not where it was.
    files: Vec<PathBuf>,
    /// Do not compile and run the program natively as well.
    #[arg(long)]
    no_native: bool,
    #[command(flatten)]
    limits: Limits,
}

/// Checks a certificate.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    let limits = arguments.limits;
    let speaker = console.clone();
    match within(console, &limits, move || checked(&speaker, arguments))? {
        Ok(checked) => Ok(report(console, checked?)),
        Err(reason) => {
            let why = in_words(reason);
            console.print(&format!(
                "the certificate was not checked to the end: {why}\n"
            ));
            Ok(INCONCLUSIVE)
        }
    }
}

/// What shows that a certificate holds, or why it does not. Fails if there is no certificate.
fn checked(console: &Console, arguments: Arguments) -> Result<Result<Vec<String>>> {
    let name = arguments.certificate.display().to_string();
    let text = std::fs::read_to_string(&arguments.certificate).context(name.clone())?;
    let evidence = read(&text).context(name)?;
    let files = match arguments.files.is_empty() {
        true => evidence.files.iter().map(PathBuf::from).collect(),
        false => arguments.files,
    };
    let system = system(console, &files, &evidence.flags, &evidence.wanted)?;
    let (mut subject, _) = subject(&system, &evidence.wanted)?;
    let native = (!arguments.no_native).then_some(&files[..]);
    Ok(match &evidence.claimed {
        Claimed::Execution(execution) => check(&subject, &evidence, execution, native),
        Claimed::Ranking(ranking) => check_ranking(&subject, ranking),
        Claimed::Paths { paths, integers } => {
            subject.integers = *integers;
            subject.tells_signs = tells_signs(&files, &evidence.flags);
            check_paths(&subject, paths)
        }
    })
}

/// Prints what a check found, and returns the exit code.
fn report(console: &Console, checked: Result<Vec<String>>) -> u8 {
    match checked {
        Ok(statements) => {
            console.print("the certificate holds:\n");
            for statement in statements {
                console.print(&format!("  {statement}\n"));
            }
            0
        }
        Err(error) => {
            console.print(&format!("the certificate does not hold: {error:#}\n"));
            1
        }
    }
}

fn read(text: &str) -> Result<Evidence> {
    let evidence = match serde_json::from_str::<Evidence>(text) {
        Ok(evidence) => evidence,
        Err(error) => match serde_json::from_str::<Outcome>(text) {
            Ok(outcome) => outcome
                .certificate
                .ok_or_else(|| anyhow!("it holds no certificate: nothing was found out"))?,
            Err(other) => return Err(other).context(error).context("this is no certificate"),
        },
    };
    if evidence.format != FORMAT {
        bail!("its form is {}, and not {FORMAT}", evidence.format);
    }
    Ok(evidence)
}

/// How long a proof of termination is checked.
const CHECKED: Duration = Duration::from_secs(600);

/// That every loop and every recursion has ranking functions.
fn check_ranking(subject: &Subject<'_>, proof: &TerminationProof) -> Result<Vec<String>> {
    termination::check(subject, proof, CHECKED).map_err(|stop| anyhow!("{stop}"))?;
    let ranked = proof.ranked();
    let mut statements: Vec<String> = ranked
        .iter()
        .map(|line| {
            format!(
                "each iteration of the loop at {}:{} makes its ranking function smaller",
                line.file, line.line
            )
        })
        .collect();
    if statements.is_empty() {
        statements.push("the program has no loop that could repeat without end".into());
    }
    statements.push("so every execution ends, whatever undefined arithmetic gives".into());
    Ok(statements)
}

/// That every execution takes one of some paths, which end.
fn check_paths(subject: &Subject<'_>, proof: &PathsProof) -> Result<Vec<String>> {
    paths::check(subject, proof, CHECKED).map_err(|why| anyhow!(why))?;
    Ok(vec![
        format!(
            "on each of {} inputs the program ends{}",
            proof.paths.len(),
            match proof.assumes_memory {
                true => ", if memory is never short",
                false => "",
            }
        ),
        match subject.integers {
            false => "every other input takes one of these paths".into(),
            true => "so it ends over unbounded integers".into(),
        },
    ])
}

fn check(
    subject: &Subject<'_>,
    evidence: &Evidence,
    execution: &Execution,
    native: Option<&[PathBuf]>,
) -> Result<Vec<String>> {
    let values: Vec<u64> = execution
        .inputs
        .iter()
        .map(|text| text.parse().with_context(|| format!("input {text}")))
        .collect::<Result<_>>()?;
    let steps = usize::try_from(execution.steps)?;
    let skip = usize::try_from(execution.skipped)?;
    if steps.saturating_add(skip) > LONGEST + 1 {
        bail!("its execution takes {steps} instructions, of which at most {LONGEST} are executed");
    }
    let bounds = Bounds {
        steps,
        inputs: values.len(),
        skip,
    };
    let trace = execute(subject, &values, bounds);
    let (from, to) = execution.visits;
    if from >= to || to as usize >= trace.visits.len() {
        bail!("the execution does not pass cutpoints as often as it should");
    }
    let mut statements = vec![format!(
        "on its inputs the program executes {} instructions and passes {} cutpoints",
        trace.steps.len(),
        trace.visits.len()
    )];
    same_cutpoint(&trace, execution.visits)?;
    if execution.is_never_left {
        statements.extend(check_never_left(subject, &trace, execution)?);
        return Ok(statements);
    }
    let terms = Terms::new();
    if let Some(proof) = &execution.proof {
        statements.extend(check_proof(subject, &terms, &trace, execution, proof)?);
        return Ok(statements);
    }
    let assumed = Assumed {
        inner: Inner::Followed,
        overflow: execution.overflow,
    };
    let relation = LoopRelation::new(subject, &terms, &trace, (from, to), assumed)
        .map_err(|error| anyhow!("the iteration cannot be followed: {error}"))?;
    if !relation.repeats() {
        bail!("what the iteration depends on is not the same at its end");
    }
    let named = names(subject, &trace, from, &relation.cells);
    let line = line_of(subject, trace.visits[from as usize].place);
    statements.push(format!(
        "after {} instructions it is at {}:{}, and {} instructions later it is there again",
        trace.visits[from as usize].step,
        line.file,
        line.line,
        trace.visits[to as usize].step - trace.visits[from as usize].step,
    ));
    for (cell, named) in relation.cells.iter().zip(named) {
        let value = named.show(cell.initial.bits);
        statements.push(format!("both times {} = {value}", named.name));
    }
    let condition = result::condition(&trace, &relation);
    let condition = condition.map_or(String::new(), |what| format!(", if {what}"));
    statements.push(format!(
        "nothing else decides which branches are taken in between, so they repeat without end{condition}"
    ));
    if let Some(files) = native {
        statements.extend(watch_natively(
            subject,
            evidence,
            (&trace, &relation),
            files,
        )?);
    }
    Ok(statements)
}

/// That an execution reaches a loop that nothing leaves.
fn check_never_left(
    subject: &Subject<'_>,
    trace: &Trace,
    execution: &Execution,
) -> Result<Vec<String>> {
    let visit = &trace.visits[execution.visits.0 as usize];
    let overflow = is_never_left(subject, visit.place)
        .ok_or_else(|| anyhow!("something may leave the loop"))?;
    let wraps = trace.overflow.is_some_and(|step| step <= visit.step);
    let needed = if wraps { Overflow::Wraps } else { overflow };
    if needed != execution.overflow {
        bail!("it does not say what it assumes of signed overflow");
    }
    let line = line_of(subject, visit.place);
    let relation = LoopRelation::never_left(execution.visits, needed);
    let condition = result::condition(trace, &relation);
    let condition = condition.map_or(String::new(), |what| format!(", if {what}"));
    Ok(vec![format!(
        "it reaches the loop at {}:{}, and nothing leaves that{condition}",
        line.file, line.line
    )])
}

/// Runs the program natively, if its inputs can be given to it: that it goes on there, or why it
/// was not run.
fn watch_natively(
    subject: &Subject<'_>,
    evidence: &Evidence,
    (trace, relation): (&Trace, &LoopRelation),
    files: &[PathBuf],
) -> Result<Vec<String>> {
    let not_run = |why: &dyn std::fmt::Display| Ok(vec![format!("not run natively: {why}")]);
    let is_source = |file: &PathBuf| file.extension().is_some_and(|e| e == "c" || e == "i");
    let is_outside =
        |input: &Input| matches!(input.source, Source::Environment(_) | Source::Fixed(_));
    if trace.inputs.iter().any(is_outside) || trace.skipped > 0 {
        return not_run(&"its inputs come from its environment, or come early");
    }
    if evidence.wanted.main.is_some() || evidence.wanted.havoc_globals {
        return not_run(&"some of its inputs are no calls");
    }
    if !files.iter().all(is_source) {
        return not_run(&"there are files that are no C sources");
    }
    let last = trace.visits[relation.visits.1 as usize].step;
    let read = trace.steps[..last as usize].iter();
    let calls: Vec<u32> = read
        .filter_map(|step| match step.effect {
            Effect::Input(input) => Some(input),
            _ => None,
        })
        .collect();
    let in_iteration = |input: &u32| relation.inputs.iter().any(|(read, _)| read == input);
    let bytes = trace.inputs.iter().zip(&trace.values);
    let bytes = bytes.filter(|(input, _)| matches!(input.source, Source::StandardInput(_)));
    let mut standard_input: Vec<u8> = bytes.map(|(_, &value)| value as u8).collect();
    standard_input.resize(evidence.wanted.stdin_bytes, 0);
    let (from, to) = relation.visits;
    let mut iteration = vec![line_of(subject, trace.visits[from as usize].place)];
    iteration.extend(lines(subject, trace, (from, to)));
    let visit = &trace.visits[from as usize];
    let is_recursion = visit.activation != trace.visits[to as usize].activation;
    let named = names(subject, trace, from, &relation.cells);
    let cells: Vec<_> = relation.cells.iter().zip(&named).collect();
    let iterations = iterations_between(trace, (from, to));
    let state = (!is_recursion).then(|| State::new(subject, trace, visit, &cells, iterations));
    let run = Run {
        state,
        files,
        flags: &evidence.flags,
        model: evidence.wanted.data_model,
        inputs: calls
            .iter()
            .map(|&input| trace.values[input as usize])
            .collect(),
        again: calls.iter().position(in_iteration).unwrap_or(calls.len()),
        standard_input,
        steps: u64::from(last),
        lines: &iteration,
    };
    let program = match run.compile() {
        Ok(program) => program,
        Err(error) => return not_run(&format!("{error:#}")),
    };
    match run.watch(&program) {
        Err(error) if is_recursion => Ok(vec![format!(
            "not seen natively, where the stack has an end: {error}"
        )]),
        seen => seen,
    }
}

/// How often the cutpoint is passed between two visits.
fn iterations_between(trace: &Trace, (from, to): (u32, u32)) -> usize {
    let first = &trace.visits[from as usize];
    let between = &trace.visits[from as usize + 1..=to as usize];
    let same = between
        .iter()
        .filter(|visit| (visit.activation, visit.place) == (first.activation, first.place));
    same.count()
}

/// That a set is never left, and that the loop is the program's.
fn check_proof(
    subject: &Subject<'_>,
    terms: &Terms,
    trace: &Trace,
    execution: &Execution,
    proof: &Certificate,
) -> Result<Vec<String>> {
    let inner = match execution.accelerated {
        true => Inner::Accelerated,
        false => Inner::Followed,
    };
    let assumed = Assumed {
        inner,
        overflow: execution.overflow,
    };
    let (relation, lasso) = lasso_of(subject, terms, trace, execution.visits, assumed)
        .map_err(|error| anyhow!("the iteration cannot be followed: {error}"))?;
    if !proof.lasso.is_of(&LassoRecord::of(terms, &lasso)) {
        bail!("the loop that it speaks of is not the one that the program takes");
    }
    let values = &trace.values;
    let read = (0..proof.inputs.len()).map(|at| values.get(at).copied().map(u128::from));
    if !read.eq(proof.inputs.iter().map(|number| Some(number.0))) {
        bail!("its inputs are not those of the execution");
    }
    let line = line_of(subject, trace.visits[execution.visits.0 as usize].place);
    let mut statements = vec![format!(
        "at {}:{} it takes the iteration that the certificate speaks of: {} parts of the state, {} conditions",
        line.file,
        line.line,
        lasso.variables.len(),
        relation.forks.len()
    )];
    for &header in &relation.accelerated {
        let line = line_of(subject, header);
        statements.push(format!(
            "in it, the state determines the number of iterations of the loop at {}:{}",
            line.file, line.line
        ));
    }
    let checked = impasse_termination::certify::certify(proof)?;
    statements.extend(checked.statements);
    if let Some(unchecked) = checked.unchecked {
        statements.push(format!("not checked: {unchecked}"));
    }
    Ok(statements)
}

/// Whether two visits are of one loop in one activation, or of two entries of one function of which
/// the second lies inside of the first.
fn same_cutpoint(trace: &Trace, (from, to): (u32, u32)) -> Result<()> {
    let (first, last) = (&trace.visits[from as usize], &trace.visits[to as usize]);
    let between = &trace.visits[from as usize..=to as usize];
    let inside = between.iter().all(|visit| visit.depth >= first.depth);
    let fits = match first.activation == last.activation {
        true => true,
        false => first.is_entry() && last.is_entry() && last.depth > first.depth,
    };
    if first.place != last.place || !inside || !fits {
        bail!("the two visits are not of one cutpoint");
    }
    Ok(())
}
