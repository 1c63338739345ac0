//! Witnesses in the format that SV-COMP's validators read, version 2.1: the entry around a list of
//! segments, or of invariants, and what these consist of.
//!
//! JSON is YAML, so that is what is written.

pub mod violation;

use crate::model::Spot;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

/// What a witness is about.
pub struct Task<'a> {
    /// The sources.
    pub files: &'a [PathBuf],
    /// `LP64` or `ILP32`.
    pub data_model: &'a str,
    /// The property that is violated, or holds.
    pub specification: &'a str,
}

/// What a witness is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A property is violated; the content are segments.
    Violation,
    /// A property holds; the content are invariants.
    Correctness,
}

/// Returns the text of a witness with this content. `result` is what it stands for: equal texts
/// give witnesses of the same name. Fails if a source cannot be read, and says which one.
pub fn render(task: &Task, kind: Kind, result: &str, content: &[Value]) -> io::Result<String> {
    let mut hashes = BTreeMap::new();
    for file in task.files {
        let name = file.display().to_string();
        let content = std::fs::read(file)
            .map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
        hashes.insert(name, format!("{:x}", Sha256::digest(&content)));
    }
    let names: Vec<&String> = hashes.keys().collect();
    let entry = json!([{
        "entry_type": match kind {
            Kind::Violation => "violation_sequence",
            Kind::Correctness => "invariant_set",
        },
        "metadata": {
            "format_version": "2.1",
            "uuid": uuid(result),
            "creation_time": now(),
            "producer": {"name": "Impasse", "version": env!("CARGO_PKG_VERSION")},
            "task": {
                "input_files": names,
                "input_file_hashes": hashes,
                "specification": task.specification,
                "data_model": task.data_model,
                "language": "C",
            },
        },
        "content": content,
    }]);
    Ok(serde_json::to_string_pretty(&entry)? + "\n")
}

/// Returns a segment of one waypoint.
pub fn segment(waypoint: Value) -> Value {
    json!({"segment": [{"waypoint": waypoint}]})
}

/// Returns an invariant of a loop whose statement is at a place: a condition of C that holds
/// whenever an iteration begins or the loop is left; if it speaks of earlier iterations, by
/// `\at(x, AnyPrev)`, of each of them.
pub fn loop_invariant(
    condition: &str,
    spot: &Spot,
    (column, function): (u32, &str),
    speaks_of_earlier: bool,
) -> Value {
    let (kind, format) = match speaks_of_earlier {
        true => ("loop_transition_invariant", "ext_c_expression"),
        false => ("loop_invariant", "c_expression"),
    };
    json!({"invariant": {
        "type": kind,
        "location": {
            "file_name": spot.file,
            "line": spot.line,
            "column": column,
            "function": function,
        },
        "value": condition,
        "format": format,
    }})
}

/// Returns a waypoint where a condition of C holds.
pub fn condition(kind: &str, constraint: &str, spot: &Spot, action: &str) -> Value {
    json!({
        "type": kind,
        "constraint": {"value": constraint, "format": "c_expression"},
        "location": {"file_name": spot.file, "line": spot.line},
        "action": action,
    })
}

/// Returns the waypoint at the end of a call of `function` that returns `value`, as C writes it.
/// Where the line has several such calls the column is left out.
pub fn returned(
    sources: &Sources,
    spot: &Spot,
    (function, value): (&str, &str),
    action: &str,
) -> Value {
    let mut waypoint = json!({
        "type": "function_return",
        "constraint": {"value": format!("\\result == {value}"), "format": "acsl_expression"},
        "location": {"file_name": spot.file, "line": spot.line},
        "action": action,
    });
    let text = sources.text(spot);
    if let Some(column) = text.and_then(|text| end_of_call(&text, function)) {
        waypoint["location"]["column"] = column.into();
    }
    waypoint
}

/// Returns whether a value is one that C has a constant for: numbers of floating-point types that
/// are infinite, or none, are not.
pub fn is_constant(value: &str) -> bool {
    let digits = value.trim_start_matches(['-', '&']);
    digits.starts_with(|c: char| c.is_ascii_digit()) || value.starts_with('&')
}

/// The texts of the sources, as far as they were asked for.
#[derive(Default)]
pub struct Sources {
    texts: RefCell<BTreeMap<String, Vec<String>>>,
}

impl Sources {
    /// Returns the text of a line, or `None` if there is none.
    pub fn text(&self, spot: &Spot) -> Option<String> {
        let mut texts = self.texts.borrow_mut();
        let text = texts.entry(spot.file.clone()).or_insert_with(|| {
            let bytes = std::fs::read(&spot.file).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            text.lines().map(str::to_owned).collect()
        });
        text.get(spot.line.checked_sub(1)? as usize).cloned()
    }
}

/// Returns the column of the first statement that begins in a line, if one does.
pub fn statement(text: &str) -> Option<usize> {
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
