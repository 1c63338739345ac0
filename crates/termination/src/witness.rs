//! Witnesses of nontermination.
//!
//! The segments of one are: for each input that is read before the loop, what it is, as an
//! assumption at the place where it was read; then, with the action `cycle`, what holds whenever
//! the header of the loop is passed, and what is read on a path around.

use crate::concolic::iteration::{LOWER_HALF, UPPER_HALF};
use crate::outcome::{Cycle, Outcome, Valued, is_expression};
use crate::problem::Line;
use anyhow::Result;
use impasse_compile::DataModel;
use impasse_report::Spot;
use impasse_report::witness::{self, Sources, Task, is_constant, segment, statement};
use serde_json::Value;
use std::path::PathBuf;

/// The text of a witness.
pub fn render(
    files: &[PathBuf],
    model: DataModel,
    outcome: &Outcome,
    cycle: &Cycle,
) -> Result<String> {
    let task = Task {
        files,
        data_model: model.name(),
        specification: "CHECK( init(main()), LTL(F end) )",
    };
    let content = content(&Sources::default(), outcome, cycle);
    Ok(witness::render(
        &task,
        &serde_json::to_string(outcome)?,
        &content,
    )?)
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
