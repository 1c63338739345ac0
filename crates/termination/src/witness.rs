//! Witnesses of nontermination, and of termination.
//!
//! The segments of one of nontermination are: for each input that is read before the loop, what it
//! is, as an assumption at the place where it was read; then, with the action `cycle`, what holds
//! whenever the header of the loop is passed, and what is read on a path around.
//!
//! One of termination says of loops what always holds at their headers, as far as C can write it,
//! and, as the ranking function shows, in which order the states of any two visits are. A loop is
//! executed once for each state of the analysis in which it is entered; what holds in one of them
//! holds at the header. A condition of two visits is written only for a loop that is entered once.

use crate::certificate::Index;
use crate::certify::table::Table;
use crate::concolic::iteration::{LOWER_HALF, UPPER_HALF};
use crate::evidence::Claimed;
use crate::in_c::{Name, Writer};
use crate::outcome::{Cycle, Outcome, Valued, is_expression};
use crate::problem::Line;
use crate::termination::record::{CaseProof, CycleProof, InSource, TerminationProof};
use anyhow::Result;
use impasse_compile::DataModel;
use impasse_report::Spot;
use impasse_report::witness::{self, Kind, Sources, Task, is_constant, segment, statement};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// No invariant gets longer than this.
const LONGEST: usize = 4000;

/// Returns the text of a witness, or why there is none. Fails if a source cannot be read.
pub fn render(
    files: &[PathBuf],
    model: DataModel,
    outcome: &Outcome,
) -> Result<std::result::Result<String, &'static str>> {
    let task = Task {
        files,
        data_model: model.name(),
        specification: "CHECK( init(main()), LTL(F end) )",
    };
    let sources = Sources::default();
    let found = match &outcome.cycle {
        Some(cycle) => Ok((Kind::Violation, content(&sources, outcome, cycle))),
        None => correctness(&sources, outcome).map(|content| (Kind::Correctness, content)),
    };
    let (kind, content) = match found {
        Ok(found) => found,
        Err(reason) => return Ok(Err(reason)),
    };
    let result = serde_json::to_string(outcome)?;
    Ok(Ok(witness::render(&task, kind, &result, &content)?))
}

/// Returns the text of a witness that a property holds, which names what always holds at loops, or
/// why there is none. Fails if a source cannot be read.
pub fn of_invariants(
    task: &Task,
    outcome: &Outcome,
) -> Result<std::result::Result<String, &'static str>> {
    let content = match correctness(&Sources::default(), outcome) {
        Ok(content) => content,
        Err(reason) => return Ok(Err(reason)),
    };
    let of_one = |invariant: &Value| invariant["invariant"]["type"] == "loop_invariant";
    let content: Vec<Value> = content.into_iter().filter(of_one).collect();
    if content.is_empty() {
        return Ok(Err(
            "the proof that the program ends needs nothing that always holds",
        ));
    }
    let result = serde_json::to_string(outcome)?;
    Ok(Ok(witness::render(
        task,
        Kind::Correctness,
        &result,
        &content,
    )?))
}

/// The invariants of a program that ends, or why there are none.
fn correctness(
    sources: &Sources,
    outcome: &Outcome,
) -> std::result::Result<Vec<Value>, &'static str> {
    let evidence = outcome.certificate.as_ref();
    let evidence =
        evidence.ok_or("no proof was found that the program ends, which would have invariants")?;
    if evidence.wanted.main.is_some() {
        return Err("a witness is about main, and another function was executed");
    }
    match &evidence.claimed {
        Claimed::Execution(_) => Err("the execution that never ends has no loop to name"),
        Claimed::Paths { .. } => {
            Err("the proof follows every path to its end, and needs no invariants")
        }
        Claimed::Unbounded(_) => {
            Err("the proof is one over unbounded integers, which C's expressions do not speak of")
        }
        Claimed::Ranking(proof) if proof.cycles.is_empty() => Err("the program has no loop"),
        Claimed::Ranking(proof) => {
            let found = invariants(sources, proof);
            match found.is_empty() {
                true => Err("nothing that the proof says of loops can be written in C there"),
                false => Ok(found),
            }
        }
    }
}

/// A loop in the source, and what the proof says of a cycle through it.
type Visit<'p> = (&'p InSource<Index>, &'p CycleProof);

/// What a proof says of the loops, each of them by its place.
fn invariants(sources: &Sources, proof: &TerminationProof) -> Vec<Value> {
    let Ok(table) = Table::read(&proof.terms) else {
        return Vec::new();
    };
    let mut loops: BTreeMap<(&str, u32, u32), Vec<Visit<'_>>> = BTreeMap::new();
    for cycle in &proof.cycles {
        if let Some(source) = &cycle.source {
            let start = &source.start;
            let place = (start.file.as_str(), start.line, start.column);
            loops.entry(place).or_default().push((source, cycle));
        }
    }
    let mut found = Vec::new();
    for ((file, line, column), visits) in loops {
        let spot = Spot {
            file: file.to_owned(),
            line,
        };
        let Some(text) = sources.text(&spot) else {
            continue;
        };
        let Some(statement) = text.get(column.saturating_sub(1) as usize..) else {
            continue;
        };
        if !is_loop(statement) {
            continue;
        }
        let function = visits[0].0.start.function.as_str();
        let mut write = |condition: Option<String>, speaks_of_earlier| {
            let short = condition.filter(|text| text.len() <= LONGEST);
            found.extend(short.map(|text| {
                let place = (column, function);
                witness::loop_invariant(&text, &spot, place, speaks_of_earlier)
            }));
        };
        write(always(&table, statement, &visits), false);
        if let [(source, cycle)] = visits[..]
            && source.is_outermost
        {
            write(smaller(&table, statement, source, &cycle.ranking), true);
        }
    }
    found
}

/// Whether a text starts with a loop whose condition comes first.
fn is_loop(text: &str) -> bool {
    let after = text
        .strip_prefix("while")
        .or_else(|| text.strip_prefix("for"));
    after.is_some_and(|after| after.trim_start().starts_with('('))
}

/// The names at a loop, with `wrap` around each. A variable that is declared in its line is known
/// there if it is declared in the parentheses of a `for`.
fn names(
    statement: &str,
    source: &InSource<Index>,
    wrap: impl Fn(&str) -> String,
) -> BTreeMap<Index, Name> {
    let initialisation = statement.strip_prefix("for");
    let initialisation = initialisation.and_then(|rest| rest.split(';').next());
    let is_declared = |name: &str| {
        let mut words = initialisation
            .unwrap_or_default()
            .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        words.any(|word| word == name)
    };
    let line = source.start.line;
    let known = source.names.iter().filter(|(_, name, declared)| {
        *declared < line || *declared == line && is_declared(&name.text)
    });
    known
        .map(|(at, name, _)| {
            let name = Name {
                text: wrap(&name.text),
                reading: name.reading,
            };
            (*at, name)
        })
        .collect()
}

/// What holds whenever a header is passed: what holds in one of the states in which its loop is
/// entered.
fn always(table: &Table, statement: &str, visits: &[Visit<'_>]) -> Option<String> {
    let mut all: Vec<String> = Vec::new();
    for (source, cycle) in visits.iter().filter(|(_, cycle)| !cycle.is_unreachable) {
        let writer = Writer::new(table, names(statement, source, str::to_owned));
        let conditions = cycle.invariants.iter();
        let conditions: Vec<String> = conditions.filter_map(|&at| writer.condition(at)).collect();
        if conditions.is_empty() {
            return None;
        }
        let condition = conditions.join(" && ");
        if !all.contains(&condition) {
            all.push(condition);
        }
    }
    match &all[..] {
        [] => Some("0".to_owned()),
        [one] => Some(one.clone()),
        several => Some(format!("({})", several.join(") || ("))),
    }
}

/// That each visit of a header has smaller components than any one before.
fn smaller(
    table: &Table,
    statement: &str,
    source: &InSource<Index>,
    cases: &[CaseProof],
) -> Option<String> {
    let now = Writer::new(table, names(statement, source, str::to_owned));
    let earlier = |name: &str| format!("\\at({name}, AnyPrev)");
    let before = Writer::new(table, names(statement, source, earlier));
    let mut all = Vec::new();
    for case in cases {
        let mut orders = Vec::new();
        let mut same = String::new();
        for &component in &case.components {
            let (old, new) = (before.bits(component)?, now.bits(component)?);
            orders.push(format!("{same}{old} > {new}"));
            same += &format!("{old} == {new} && ");
        }
        let conditions = case.when.iter().map(|&at| now.condition(at));
        let mut conditions = conditions.collect::<Option<Vec<String>>>()?;
        conditions.push(match &orders[..] {
            [] => return None,
            [one] => one.clone(),
            several => format!("({})", several.join(" || ")),
        });
        all.push(conditions.join(" && "));
    }
    match &all[..] {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("({})", several.join(") || ("))),
    }
}

fn content(sources: &Sources, outcome: &Outcome, cycle: &Cycle) -> Vec<Value> {
    let read = |each_iteration: bool, action: &'static str| {
        let inputs = outcome.inputs.iter();
        let inputs = inputs.filter(move |input| input.each_iteration == each_iteration);
        inputs.filter_map(move |input| returned(sources, input, action))
    };
    let mut segments: Vec<Value> = read(false, "follow").collect();
    let variables = outcome
        .repeated_state
        .iter()
        .flat_map(|state| &state.variables);
    let is_said = |v: &&Valued| is_expression(&v.name) && is_constant(&v.value);
    let locals: Vec<&Valued> = variables.filter(is_said).collect();
    let equal = locals.iter().map(|v| format!("{} == {}", v.name, v.value));
    let conditions: Vec<String> = equal.chain(outcome.recurrence.iter().cloned()).collect();
    let condition = match conditions.is_empty() {
        true => "1".to_owned(),
        false => conditions.join(" && "),
    };
    let place = spot(&cycle.header);
    let mut header = witness::condition("recurrence_condition", &condition, &place, "cycle");
    let text = sources.text(&place);
    if let Some(column) = text.as_deref().and_then(statement) {
        header["location"]["column"] = column.into();
    }
    segments.push(segment(header));
    segments.extend(read(true, "cycle"));
    segments
}

/// What an input is, at the end of the call that returns it. Half of a result is nothing that a
/// witness can state.
fn returned(sources: &Sources, input: &Valued, action: &str) -> Option<Value> {
    let line = input.line.as_ref()?;
    if [LOWER_HALF, UPPER_HALF]
        .iter()
        .any(|half| input.name.ends_with(half))
    {
        return None;
    }
    let function = input.name.split('(').next()?;
    let value = (function, &*input.value);
    Some(segment(witness::returned(
        sources,
        &spot(line),
        value,
        action,
    )))
}

fn spot(line: &Line) -> Spot {
    Spot {
        file: line.file.clone(),
        line: line.line,
    }
}
