//! Witnesses of errors that `impasse check` finds in sequential programs.
//!
//! The segments of one are: for each input, what it is, as an assumption at the call that returns
//! it; then the place at which the property is violated.

use super::{Sources, is_constant, returned, segment};
use crate::model::{ErrorReport, Frame, InputValue, Report, Spot};
use serde_json::{Value, json};

/// What the names of SV-COMP's functions that return inputs begin with.
const INPUT: &str = "__VERIFIER_nondet_";
/// The functions that SV-COMP's programs call where they must not be.
const ERRORS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// A violation of a property.
#[derive(PartialEq, Debug)]
pub struct Violation {
    /// The property, as SV-COMP writes it.
    pub specification: String,
    /// What leads to it, and where it is.
    pub segments: Vec<Value>,
}

/// Returns what violates a property of SV-COMP in a report. Fails with the reason if the report has
/// no error, or one that the format cannot state.
pub fn of(report: &Report) -> Result<Violation, &'static str> {
    let error = report.error.as_ref().ok_or("there is no error")?;
    if has_threads(report, error) {
        return Err("the format states executions of one thread, and this one has several");
    }
    let is_called = |name: &&&str| frames(error).any(|frame| frame.function == **name);
    let function = ERRORS.iter().find(is_called);
    let property = match (function, error.kind.as_str()) {
        (Some(function), _) => format!("! call({function}())"),
        (None, "assertion") => "! call(__assert_fail())".into(),
        (None, "abort") => "! call(abort())".into(),
        (None, kind) => property(kind)
            .ok_or("SV-COMP has no property that this error violates")?
            .into(),
    };
    let place = match function {
        Some(function) => caller(error, function),
        None => frames(error).find(|frame| !frame.library && frame.line > 0),
    };
    let place = place.ok_or("the error is at no line of the source")?;
    let sources = Sources::default();
    let inputs = report.inputs.iter();
    let mut segments: Vec<Value> = inputs
        .filter_map(|input| self::input(&sources, input))
        .collect();
    segments.push(segment(target(&sources, place)));
    Ok(Violation {
        specification: format!("CHECK( init(main()), LTL(G {property}) )"),
        segments,
    })
}

/// Whether any other thread than that of `main` has started.
fn has_threads(report: &Report, error: &ErrorReport) -> bool {
    let living = error.threads.iter().map(|thread| thread.thread);
    let steps = report.trace.iter().map(|step| step.thread);
    let moves = report.replay.iter().flat_map(|replay| &replay.moves);
    let moves = moves.filter_map(|step| step.thread);
    living.chain(steps).chain(moves).any(|thread| thread > 0)
}

/// The property that an error of a kind violates, whatever the program calls.
fn property(kind: &str) -> Option<&'static str> {
    match kind {
        "out-of-bounds" | "use-after-free" | "use-after-return" | "null-dereference"
        | "invalid-pointer" | "constant-write" => Some("valid-deref"),
        "double-free" | "invalid-free" => Some("valid-free"),
        "memory-leak" => Some("valid-memtrack"),
        "signed-overflow" => Some("! overflow"),
        _ => None,
    }
}

/// The stack of the thread that fails, innermost frame first.
fn frames(error: &ErrorReport) -> impl Iterator<Item = &Frame> {
    error.threads.first().into_iter().flat_map(|it| &it.stack)
}

/// The frame that calls a function.
fn caller<'r>(error: &'r ErrorReport, function: &str) -> Option<&'r Frame> {
    let called = frames(error).skip_while(|frame| frame.function != function);
    called.skip(1).find(|frame| frame.line > 0)
}

/// What an input is, if a function of SV-COMP returns it there, and C has a constant for it.
fn input(sources: &Sources, input: &InputValue) -> Option<Value> {
    let spot = Spot {
        file: input.file.clone(),
        line: input.line,
    };
    let function = format!("{INPUT}{}", input.name);
    let is_called = sources.text(&spot)?.contains(&function);
    let is_said = is_called && is_constant(&input.value);
    is_said.then(|| {
        segment(returned(
            sources,
            &spot,
            (&function, &input.value),
            "follow",
        ))
    })
}

/// The place at which a property is violated. The column is left out unless a statement begins
/// there.
fn target(sources: &Sources, frame: &Frame) -> Value {
    let spot = Spot {
        file: frame.file.clone(),
        line: frame.line,
    };
    let mut waypoint = json!({
        "type": "target",
        "location": {"file_name": spot.file, "line": spot.line},
        "action": "follow",
    });
    let text = sources.text(&spot).unwrap_or_default();
    let column = (frame.column as usize).checked_sub(1);
    let before = column.and_then(|column| text.get(..column));
    let begins = |text: &str| text.is_empty() || text.ends_with([';', '{', '}']);
    if before.is_some_and(|text| begins(text.trim_end())) {
        waypoint["location"]["column"] = frame.column.into();
    }
    waypoint
}
