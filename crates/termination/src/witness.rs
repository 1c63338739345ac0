//! Witnesses of nontermination in the format that SV-COMP's validators read, version 2.1.
//!
//! A witness is a list of segments. Here they are: for each input that is read before the
//! loop, what it is, as an assumption at the place where it was read; then, with the action
//! `cycle`, what holds whenever the header of the loop is passed, and what is read on a path
//! around. JSON is YAML, so that is what is written.

use crate::concolic::iteration::{LOWER_HALF, UPPER_HALF};
use crate::outcome::{Cycle, Outcome, Valued, is_expression};
use crate::problem::Line;
use anyhow::{Context, Result};
use impasse_compile::DataModel;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

/// The text of a witness.
pub fn render(
    files: &[PathBuf],
    model: DataModel,
    outcome: &Outcome,
    cycle: &Cycle,
) -> Result<String> {
    let mut hashes = BTreeMap::new();
    for file in files {
        let name = file.display().to_string();
        let content = std::fs::read(file).with_context(|| name.clone())?;
        hashes.insert(name, format!("{:x}", Sha256::digest(&content)));
    }
    let names: Vec<&String> = hashes.keys().collect();
    let entry = json!([{
        "entry_type": "violation_sequence",
        "metadata": {
            "format_version": "2.1",
            "uuid": uuid(&serde_json::to_string(outcome)?),
            "creation_time": now(),
            "producer": {"name": "Impasse", "version": env!("CARGO_PKG_VERSION")},
            "task": {
                "input_files": names,
                "input_file_hashes": hashes,
                "specification": "CHECK( init(main()), LTL(F end) )",
                "data_model": match model {
                    DataModel::Lp64 => "LP64",
                    DataModel::Ilp32 => "ILP32",
                },
                "language": "C",
            },
        },
        "content": content(&Sources::default(), outcome, cycle),
    }]);
    Ok(serde_json::to_string_pretty(&entry)? + "\n")
}

/// The texts of the sources, as far as they were asked for.
#[derive(Default)]
struct Sources {
    texts: RefCell<BTreeMap<String, Vec<String>>>,
}

impl Sources {
    /// The text of a line.
    fn text(&self, line: &Line) -> Option<String> {
        let mut texts = self.texts.borrow_mut();
        let text = texts.entry(line.file.clone()).or_insert_with(|| {
            let bytes = std::fs::read(&line.file).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            text.lines().map(str::to_owned).collect()
        });
        text.get(line.line.checked_sub(1)? as usize).cloned()
    }
}

/// The column of the first statement that begins in a line, if one does.
fn statement(text: &str) -> Option<usize> {
    let start = text.find(|c: char| !c.is_whitespace() && c != '{' && c != '}')?;
    let begins = text[start..].starts_with(|c: char| c.is_alphabetic() || "_*(+-".contains(c));
    let no_else = !text[start..].starts_with("else");
    (begins && no_else).then_some(start + 1)
}

/// The column of the parenthesis that ends the only call of a function in a line.
fn end_of_call(text: &str, function: &str) -> Option<usize> {
    let is_call = |at: &usize| {
        let before = text[..*at].chars().next_back();
        let after = text[at + function.len()..].trim_start();
        after.starts_with('(') && !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    };
    let mut calls = text
        .match_indices(function)
        .map(|(at, _)| at)
        .filter(is_call);
    let (start, None) = (calls.next()?, calls.next()) else {
        return None;
    };
    let mut open = 0;
    for (at, c) in text[start..].char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 1 => return Some(start + at + 1),
            ')' => open -= 1,
            _ => {}
        }
    }
    None
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
    let mut header = waypoint("recurrence_condition", &condition, &cycle.header, "cycle");
    let text = sources.text(&cycle.header);
    if let Some(column) = text.as_deref().and_then(statement) {
        header["location"]["column"] = column.into();
    }
    segments.push(json!({"segment": [{"waypoint": header}]}));
    segments.extend(read(true, "cycle"));
    segments
}

/// What an input is, at the end of the call that returns it. Where a line has several calls the
/// column is left out. Half of a result is nothing that a witness can state.
fn returned(sources: &Sources, input: &Valued, action: &str) -> Option<Value> {
    let line = input.line.as_ref()?;
    if [LOWER_HALF, UPPER_HALF]
        .iter()
        .any(|half| input.name.ends_with(half))
    {
        return None;
    }
    let result = format!("\\result == {}", input.value);
    let mut waypoint = waypoint("function_return", &result, line, action);
    waypoint["constraint"]["format"] = "acsl_expression".into();
    let text = sources.text(line);
    let function = input.name.split('(').next()?;
    if let Some(column) = text.and_then(|text| end_of_call(&text, function)) {
        waypoint["location"]["column"] = column.into();
    }
    Some(json!({"segment": [{"waypoint": waypoint}]}))
}

fn waypoint(kind: &str, constraint: &str, line: &Line, action: &str) -> Value {
    json!({
        "type": kind,
        "constraint": {"value": constraint, "format": "c_expression"},
        "location": {"file_name": line.file, "line": line.line},
        "action": action,
    })
}

/// Whether a value is one that C has a constant for: numbers of floating-point types that are
/// infinite, or none, are not.
fn is_constant(value: &str) -> bool {
    let digits = value.trim_start_matches(['-', '&']);
    digits.starts_with(|c: char| c.is_ascii_digit()) || value.starts_with('&')
}

/// A name for the witness: the same for the same result.
fn uuid(text: &str) -> String {
    let hash = blake3::hash(text.as_bytes()).to_hex();
    format!(
        "{}-{}-4{}-8{}-{}",
        &hash[..8],
        &hash[8..12],
        &hash[13..16],
        &hash[17..20],
        &hash[20..32]
    )
}

/// The time in the form of ISO 8601.
fn now() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seconds = since.map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z",
        second % 60
    )
}

/// The date so many days after 1 January 1970.
fn date(days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in months {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    (year, month, left + 1)
}

#[cfg(test)]
mod tests {
    use super::{date, end_of_call, statement};

    #[test]
    fn columns() {
        assert_eq!(statement("\t\twhile (x > 0) {"), Some(3));
        assert_eq!(statement("} while (x);"), Some(3));
        assert_eq!(statement("    } else"), None);
        assert_eq!(statement("  }"), None);
        assert_eq!(end_of_call("int x = f(g(1), 2);", "f"), Some(18));
        assert_eq!(end_of_call("int x = f (1) + f(2);", "f"), None);
        assert_eq!(end_of_call("int x = if_f(1) + ff(2);", "f"), None);
    }

    #[test]
    fn dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(59), (1970, 3, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_778), (2026, 11, 21));
    }
}
