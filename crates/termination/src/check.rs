//! Checks the evidence for a verdict, without the search that found it and without a solver.
//!
//! The program is executed again on the inputs of the certificate. That execution shows a state
//! that repeats, and the program also runs natively (`crate::native`). `crate::certify` checks
//! that a set of states is never left, after the loop that the certificate speaks of has been
//! compared, term by term, with the one that the program takes in that execution.

use crate::certificate::{Certificate, LassoRecord};
use crate::concolic::acceleration::Inner;
use crate::concolic::derive::lasso_of;
use crate::concolic::iteration::{Assumed, LoopRelation, lines};
use crate::concolic::names::names;
use crate::concolic::no_exit::is_never_left;
use crate::concolic::run::{Bounds, Subject, execute};
use crate::concolic::several;
use crate::concolic::trace::{Effect, Input, Source, Trace};
use crate::evidence::{Claimed, Evidence, Execution};
use crate::native::{Run, State};
use crate::outcome;
use crate::problem::{Lasso, Overflow};
use crate::search::LONGEST;
use crate::search::paths::{self, PathsProof};
use crate::subject::{subject, tells_signs};
use crate::termination::{self, record::TerminationProof};
use crate::unbounded::{self, EndlessProof, UnboundedProof};
use anyhow::{Context, Result, anyhow, bail};
use impasse_machine::system::System;
use impasse_solver::Terms;
use std::path::PathBuf;
use std::time::Duration;

/// Returns statements that together show that the evidence holds for a program made of `files`.
/// Fails, and says why, if it does not hold. Where `natively` is true, the program is compiled and
/// run natively as well if its inputs can be given to it.
pub fn check_evidence(
    evidence: &Evidence,
    system: &System,
    files: &[PathBuf],
    natively: bool,
) -> Result<Vec<String>> {
    let (mut subject, _) = subject(system, &evidence.wanted)?;
    match &evidence.claimed {
        Claimed::Execution(execution) => {
            if execution.unending.is_some() {
                subject.tells_signs = tells_signs(files, &evidence.flags);
            }
            check(&subject, evidence, execution, natively.then_some(files))
        }
        Claimed::Ranking(ranking) => check_ranking(&subject, ranking),
        Claimed::Unbounded(proof) => {
            subject.integers = true;
            subject.tells_signs = tells_signs(files, &evidence.flags);
            check_unbounded(&subject, proof)
        }
        Claimed::Paths { paths, integers } => {
            subject.integers = *integers;
            subject.tells_signs = tells_signs(files, &evidence.flags);
            check_paths(&subject, paths)
        }
    }
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
    let condition = outcome::unknown_return(subject);
    let condition = condition.map_or(String::new(), |what| format!(", if {what}"));
    statements.push(format!(
        "so every execution ends, whatever undefined arithmetic gives{condition}"
    ));
    Ok(statements)
}

/// That affine functions decrease over unbounded integers.
fn check_unbounded(subject: &Subject<'_>, proof: &UnboundedProof) -> Result<Vec<String>> {
    if !subject.tells_signs {
        bail!("it is not known which numbers have a sign");
    }
    let headers = unbounded::check(subject, proof).map_err(|why| anyhow!(why))?;
    let mut statements: Vec<String> = headers
        .iter()
        .map(|line| {
            format!(
                "the loop or recursion at {}:{} is repeated finitely often over unbounded integers",
                line.file, line.line
            )
        })
        .collect();
    statements.push("so every execution ends over unbounded integers".into());
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
    if let Some(proof) = &execution.unending {
        statements.extend(check_unending(subject, &trace, execution, proof)?);
        return Ok(statements);
    }
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
    let line = subject.line_of(trace.visits[from as usize].place);
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
    let condition = outcome::condition(&trace, &relation);
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
    let overflow = is_never_left(subject, trace, visit)
        .ok_or_else(|| anyhow!("something may leave the loop"))?;
    let wraps = trace.overflow.is_some_and(|step| step <= visit.step);
    let needed = if wraps { Overflow::Wraps } else { overflow };
    if needed != execution.overflow {
        bail!("it does not say what it assumes of signed overflow");
    }
    let line = subject.line_of(visit.place);
    let relation = LoopRelation::never_left(execution.visits, needed);
    let condition = outcome::condition(trace, &relation);
    let condition = condition.map_or(String::new(), |what| format!(", if {what}"));
    Ok(vec![format!(
        "it reaches the loop at {}:{}, and nothing leaves that{condition}",
        line.file, line.line
    )])
}

/// That the program ends on no path over unbounded integers.
fn check_unending(
    subject: &Subject<'_>,
    trace: &Trace,
    execution: &Execution,
    proof: &EndlessProof,
) -> Result<Vec<String>> {
    if !subject.tells_signs {
        bail!("it is not known which numbers have a sign");
    }
    if execution.is_never_left || execution.proof.is_some() {
        bail!("it has more than one proof");
    }
    unbounded::check_endless(subject, trace, proof).map_err(|why| anyhow!(why))?;
    let line = subject.line_of(trace.visits[execution.visits.0 as usize].place);
    Ok(vec![
        format!("it reaches the loop at {}:{}", line.file, line.line),
        "the equations of its loops are preserved, expanded as sums of products".into(),
        "what they say excludes every way out, over unbounded integers".into(),
    ])
}

/// Runs the program natively, if its inputs can be given to it: that it continues there, or why it
/// was not run.
fn watch_natively(
    subject: &Subject<'_>,
    evidence: &Evidence,
    (trace, relation): (&Trace, &LoopRelation),
    files: &[PathBuf],
) -> Result<Vec<String>> {
    let not_run = |why: &dyn std::fmt::Display| Ok(vec![format!("not run natively: {why}")]);
    let is_source = |file: &PathBuf| file.extension().is_some_and(|e| e == "c" || e == "i");
    let is_outside = |input: &Input| {
        use Source as S;
        let source = &input.source;
        matches!(
            source,
            S::Environment(_) | S::Fixed(_) | S::Uninitialised(_) | S::Unknown(_)
        )
    };
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
    let mut iteration = vec![subject.line_of(trace.visits[from as usize].place)];
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
    let (relation, lasso) = match &execution.paths[..] {
        [] => lasso_of(subject, terms, trace, execution.visits, assumed),
        _ => lasso_of_paths(subject, terms, trace, execution)?
            .map(|(mut relations, lasso)| (relations.swap_remove(0), lasso)),
    }
    .map_err(|error| anyhow!("the iteration cannot be followed: {error}"))?;
    if !proof.lasso.is_of(&LassoRecord::of(terms, &lasso)) {
        bail!("the loop that it speaks of is not the one that the program takes");
    }
    let values = &trace.values;
    let read = (0..proof.inputs.len()).map(|at| values.get(at).copied().map(u128::from));
    if !read.eq(proof.inputs.iter().map(|number| Some(number.0))) {
        bail!("its inputs are not those of the execution");
    }
    let line = subject.line_of(trace.visits[execution.visits.0 as usize].place);
    let mut statements = vec![format!(
        "at {}:{} it takes the iteration that the certificate speaks of: {} parts of the state, {} conditions",
        line.file,
        line.line,
        lasso.variables.len(),
        relation.forks.len()
    )];
    for &header in &relation.accelerated {
        let line = subject.line_of(header);
        statements.push(format!(
            "in it, the state determines the number of iterations of the loop at {}:{}",
            line.file, line.line
        ));
    }
    let checked = crate::certify::certify(proof)?;
    statements.extend(checked.statements);
    if let Some(unchecked) = checked.unchecked {
        statements.push(format!("not checked: {unchecked}"));
    }
    Ok(statements)
}

/// The relations of the paths that an execution takes within a set, and their lasso. Fails if they
/// are none of one loop in one activation.
fn lasso_of_paths(
    subject: &Subject<'_>,
    terms: &Terms,
    trace: &Trace,
    execution: &Execution,
) -> Result<Result<(Vec<LoopRelation>, Lasso), String>> {
    let at = |visit: u32| {
        trace
            .visits
            .get(visit as usize)
            .map(|at| (at.activation, at.place))
    };
    let first = execution.visits.0;
    for &(from, to) in &execution.paths {
        if from >= to || at(to).is_none() || at(from) != at(first) || at(to) != at(first) {
            bail!("the paths are not of one loop");
        }
        same_cutpoint(trace, (from, to))?;
    }
    if execution.accelerated {
        bail!("inner loops of several paths are not replaced");
    }
    let paths = (&execution.paths[..], execution.overflow);
    Ok(several::lasso_of(subject, terms, trace, first, paths))
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
