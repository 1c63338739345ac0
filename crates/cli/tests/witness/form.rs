//! Whether a text is a witness in the form of SV-COMP's format 2.1, as its description says: which
//! keys there are, what their values look like, and in which order waypoints come.
//!
//! JSON is YAML, and Impasse writes JSON.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

type Result<T = ()> = std::result::Result<T, String>;

/// Fails with what is wrong, unless the text is a witness. `source` returns the text of a file.
pub fn validate(text: &str, source: impl Fn(&str) -> Option<String>) -> Result {
    let entries: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let entries = list(&entries, "the witness")?;
    for entry in entries {
        let entry = keys(
            entry,
            "an entry",
            &["entry_type", "metadata", "content"],
            &[],
        )?;
        let types = ["violation_sequence", "invariant_set"];
        let kind = is_one_of(&entry["entry_type"], "entry_type", &types)?;
        let files = metadata(&entry["metadata"])?;
        match kind {
            "violation_sequence" => content(&entry["content"], &files, &source)?,
            _ => invariants(&entry["content"], &files, &source)?,
        }
    }
    match entries.len() {
        1 => Ok(()),
        several => Err(format!("{several} entries")),
    }
}

/// Checks the metadata, and returns the files of the task.
fn metadata(value: &Value) -> Result<BTreeSet<String>> {
    let required = [
        "format_version",
        "uuid",
        "creation_time",
        "producer",
        "task",
    ];
    let metadata = keys(value, "metadata", &required, &[])?;
    is_one_of(&metadata["format_version"], "format_version", &["2.1"])?;
    let uuid = string(&metadata["uuid"], "uuid")?;
    is_like(uuid, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh", "uuid")?;
    let time = string(&metadata["creation_time"], "creation_time")?;
    let (moment, zone) = time.split_at(time.len().min("dddd-dd-ddTdd:dd:dd".len()));
    is_like(moment, "dddd-dd-ddTdd:dd:dd", "creation_time")?;
    match zone {
        "Z" => {}
        _ => is_like(zone, "+dd:dd", "the zone of creation_time")?,
    }
    let more = ["configuration", "command_line", "description"];
    let producer = keys(
        &metadata["producer"],
        "producer",
        &["name", "version"],
        &more,
    )?;
    for (key, value) in producer {
        string(value, key)?;
    }
    let required = [
        "input_files",
        "input_file_hashes",
        "specification",
        "data_model",
        "language",
    ];
    let task = keys(&metadata["task"], "task", &required, &[])?;
    let specification = string(&task["specification"], "specification")?;
    if !(specification.starts_with("CHECK( init(main()), LTL(") && specification.ends_with(") )")) {
        return Err(format!("the specification is {specification:?}"));
    }
    is_one_of(&task["data_model"], "data_model", &["ILP32", "LP64"])?;
    is_one_of(&task["language"], "language", &["C"])?;
    let files = list(&task["input_files"], "input_files")?.iter();
    let files = files.map(|file| string(file, "a file").map(str::to_owned));
    let files: BTreeSet<String> = files.collect::<Result<_>>()?;
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    for (file, hash) in keys(&task["input_file_hashes"], "input_file_hashes", &names, &[])? {
        is_like(string(hash, file)?, &"h".repeat(64), "a hash")?;
    }
    Ok(files)
}

/// Checks the segments: first those that are followed, and then a target, or a cycle that begins
/// with the condition which recurs.
fn content(
    value: &Value,
    files: &BTreeSet<String>,
    source: &impl Fn(&str) -> Option<String>,
) -> Result {
    let mut ends = Vec::new();
    for segment in list(value, "content")? {
        let segment = keys(segment, "a segment", &["segment"], &[])?;
        let waypoints = list(&segment["segment"], "a segment")?;
        let mut actions = Vec::new();
        let mut last = "";
        for value in waypoints {
            let waypoint = keys(value, "an element of a segment", &["waypoint"], &[])?;
            let (action, kind) = self::waypoint(&waypoint["waypoint"], files, source)?;
            actions.push(action);
            last = kind;
        }
        let (end, others) = actions.split_last().expect("a list is not empty");
        if *end == "avoid" || others.iter().any(|&other| other != "avoid") {
            return Err(format!("a segment has the actions {actions:?}"));
        }
        ends.push((*end, last));
    }
    let followed = ends
        .iter()
        .take_while(|(action, _)| *action == "follow")
        .count();
    let (stem, cycle) = ends.split_at(followed);
    let is = |wanted: &'static str| move |(_, kind): &&(&str, &str)| *kind == wanted;
    let targets = stem.iter().filter(is("target")).count();
    let conditions = cycle.iter().filter(is("recurrence_condition")).count();
    let is_right = match (stem.last(), cycle.first()) {
        (Some((_, "target")), None) => targets == 1,
        (_, Some((_, "recurrence_condition"))) => {
            let all_cycle = cycle.iter().all(|(action, _)| *action == "cycle");
            targets == 0 && conditions == 1 && all_cycle
        }
        _ => false,
    };
    is_right
        .then_some(())
        .ok_or_else(|| format!("the segments are {ends:?}"))
}

/// Checks the elements of a set of invariants: those of a loop are at its first letter, and those
/// that speak of earlier states have a format of their own.
fn invariants(
    value: &Value,
    files: &BTreeSet<String>,
    source: &impl Fn(&str) -> Option<String>,
) -> Result {
    for element in list(value, "content")? {
        let element = keys(element, "an element of the content", &["invariant"], &[])?;
        let required = ["type", "location", "value", "format"];
        let invariant = keys(&element["invariant"], "an invariant", &required, &[])?;
        let kinds = [
            "loop_invariant",
            "location_invariant",
            "loop_transition_invariant",
            "location_transition_invariant",
        ];
        let kind = is_one_of(&invariant["type"], "type", &kinds)?;
        let condition = string(&invariant["value"], "value")?;
        let of_two = kind.contains("transition");
        let format = match of_two {
            true => "ext_c_expression",
            false => "c_expression",
        };
        is_one_of(&invariant["format"], "format", &[format])?;
        if of_two != condition.contains("\\at(") {
            return Err(format!("the value of a {kind} is {condition:?}"));
        }
        location(&invariant["location"], files, source)?;
        let at = |key: &str| invariant["location"][key].as_u64();
        if kind.starts_with("loop")
            && let (Some(line), Some(column)) = (at("line"), at("column"))
        {
            let text = source(
                invariant["location"]["file_name"]
                    .as_str()
                    .unwrap_or_default(),
            );
            let text = text.unwrap_or_default();
            let text = text.lines().nth(line as usize - 1).unwrap_or_default();
            let rest = &text[column as usize - 1..];
            if !["while", "for", "do"]
                .iter()
                .any(|word| rest.starts_with(word))
            {
                return Err(format!("no loop starts at {rest:?}"));
            }
        }
    }
    Ok(())
}

/// Checks a waypoint, and returns its action and its type.
fn waypoint<'v>(
    value: &'v Value,
    files: &BTreeSet<String>,
    source: &impl Fn(&str) -> Option<String>,
) -> Result<(&'v str, &'v str)> {
    let waypoint = keys(
        value,
        "a waypoint",
        &["type", "action", "location"],
        &["constraint"],
    )?;
    let kinds = [
        "assumption",
        "branching",
        "function_enter",
        "function_return",
        "target",
        "recurrence_condition",
    ];
    let kind = is_one_of(&waypoint["type"], "type", &kinds)?;
    let action = is_one_of(&waypoint["action"], "action", &["follow", "avoid", "cycle"])?;
    match (kind, waypoint.get("constraint")) {
        ("function_enter" | "target", None) => {}
        ("branching", Some(constraint)) => {
            let constraint = keys(constraint, "a constraint", &["value"], &["format"])?;
            let taken = string(&constraint["value"], "value")?;
            if !["true", "false", "default"].contains(&taken) && taken.parse::<i64>().is_err() {
                return Err(format!("a branch is {taken}"));
            }
        }
        ("assumption" | "function_return" | "recurrence_condition", Some(constraint)) => {
            let constraint = keys(constraint, "a constraint", &["value", "format"], &[])?;
            let expression = string(&constraint["value"], "value")?;
            let of_result = expression.contains("\\result");
            let format = match of_result {
                true => "acsl_expression",
                false => "c_expression",
            };
            is_one_of(&constraint["format"], "format", &[format])?;
            if expression.is_empty() || of_result != (kind == "function_return") {
                return Err(format!("the constraint of a {kind} is {expression:?}"));
            }
        }
        (kind, constraint) => return Err(format!("the constraint of a {kind} is {constraint:?}")),
    }
    location(&waypoint["location"], files, source)?;
    Ok((action, kind))
}

fn location(
    value: &Value,
    files: &BTreeSet<String>,
    source: &impl Fn(&str) -> Option<String>,
) -> Result {
    let location = keys(
        value,
        "a location",
        &["file_name", "line"],
        &["column", "function"],
    )?;
    let file = string(&location["file_name"], "file_name")?;
    if !files.contains(file) {
        return Err(format!("{file} is no file of the task"));
    }
    let number = |key: &str| location[key].as_u64().filter(|&number| number > 0);
    let line = number("line").ok_or("a line is no number")?;
    let text = source(file).ok_or_else(|| format!("there is no {file}"))?;
    let text = text.lines().nth(line as usize - 1);
    let text = text.ok_or_else(|| format!("{file} has no line {line}"))?;
    if location.contains_key("column") {
        let column = number("column").ok_or("a column is no number")?;
        if column as usize > text.len() {
            return Err(format!("{file}:{line} has no column {column}"));
        }
    }
    Ok(())
}

/// An object that has the required keys, and none but these and the optional ones.
fn keys<'v>(
    value: &'v Value,
    what: &str,
    required: &[&str],
    optional: &[&str],
) -> Result<&'v Map<String, Value>> {
    let object = value
        .as_object()
        .ok_or_else(|| format!("{what} is no mapping"))?;
    if let Some(missing) = required.iter().find(|key| !object.contains_key(**key)) {
        return Err(format!("{what} has no {missing}"));
    }
    let is_known =
        |key: &&String| required.contains(&key.as_str()) || optional.contains(&key.as_str());
    match object.keys().find(|key| !is_known(key)) {
        Some(unknown) => Err(format!("{what} has a key {unknown}")),
        None => Ok(object),
    }
}

/// A list that is not empty.
fn list<'v>(value: &'v Value, what: &str) -> Result<&'v [Value]> {
    let list = value.as_array().filter(|list| !list.is_empty());
    list.map(Vec::as_slice)
        .ok_or_else(|| format!("{what} is no list, or empty"))
}

fn string<'v>(value: &'v Value, what: &str) -> Result<&'v str> {
    let text = value.as_str().filter(|text| !text.is_empty());
    text.ok_or_else(|| format!("{what} is no text, or empty"))
}

fn is_one_of<'v>(value: &'v Value, what: &str, known: &[&str]) -> Result<&'v str> {
    let text = string(value, what)?;
    known
        .contains(&text)
        .then_some(text)
        .ok_or_else(|| format!("{what} is {text:?}"))
}

/// Fails unless a text has the form of a pattern, in which `h` stands for a hexadecimal digit, `d`
/// for a decimal one and `+` for a sign.
fn is_like(text: &str, pattern: &str, what: &str) -> Result {
    let is_of = |(c, p): (char, char)| match p {
        'h' => c.is_ascii_hexdigit(),
        'd' => c.is_ascii_digit(),
        '+' => c == '+' || c == '-',
        _ => c == p,
    };
    let is_right = text.len() == pattern.len() && text.chars().zip(pattern.chars()).all(is_of);
    is_right
        .then_some(())
        .ok_or_else(|| format!("{what} is {text:?}"))
}

/// A witness that the format's description allows, and what is wrong with some that it does not.
#[test]
fn what_is_wrong_is_said() {
    let good = r#"[{"entry_type": "violation_sequence",
        "metadata": {"format_version": "2.1", "uuid": "2d9fd4b3-1ac2-4a0f-9d1c-9a4c8b0c7f55",
            "creation_time": "2026-01-02T03:04:05Z", "producer": {"name": "P", "version": "1"},
            "task": {"input_files": ["a.c"], "input_file_hashes": {"a.c": "HASH"},
                "specification": "CHECK( init(main()), LTL(G ! call(reach_error())) )",
                "data_model": "LP64", "language": "C"}},
        "content": [
            {"segment": [{"waypoint": {"type": "branching", "action": "avoid",
                "location": {"file_name": "a.c", "line": 2},
                "constraint": {"value": "true"}}},
              {"waypoint": {"type": "assumption", "action": "follow",
                "location": {"file_name": "a.c", "line": 1, "column": 3, "function": "main"},
                "constraint": {"value": "x == 1", "format": "c_expression"}}}]},
            {"segment": [{"waypoint": {"type": "target", "action": "follow",
                "location": {"file_name": "a.c", "line": 2, "column": 1}}}]}]}]"#;
    let good = good.replace("HASH", &"0a".repeat(32));
    let source = |name: &str| (name == "a.c").then(|| "int x;\nx++;\n".to_owned());
    assert_eq!(validate(&good, source), Ok(()));
    let changes = [
        ("\"2.1\"", "\"2.0\"", "format_version"),
        ("2d9fd4b3-", "2d9fd4b3", "uuid"),
        ("05Z", "05", "zone"),
        ("\"LP64\"", "\"LP128\"", "data_model"),
        ("0a0a\"", "0a\"", "hash"),
        ("\"name\": \"P\", ", "", "no name"),
        ("\"language\"", "\"tongue\": \"C\", \"language\"", "tongue"),
        ("\"column\": 3", "\"column\": 30", "column 30"),
        ("\"line\": 1,", "\"line\": 9,", "line 9"),
        (
            "\"assumption\", \"action\": \"follow\"",
            "\"assumption\", \"action\": \"avoid\"",
            "actions",
        ),
        (
            "\"type\": \"target\"",
            "\"type\": \"function_enter\"",
            "segments",
        ),
        ("\"x == 1\"", "\"\\\\result == 1\"", "format"),
        (
            "{\"file_name\": \"a.c\", \"line\": 2}",
            "{\"file_name\": \"b.c\", \"line\": 2}",
            "b.c",
        ),
    ];
    for (from, to, wrong) in changes {
        assert!(good.contains(from), "{from}");
        let said = validate(&good.replacen(from, to, 1), source);
        assert!(
            said.as_ref().is_err_and(|said| said.contains(wrong)),
            "{to}: {said:?}"
        );
    }
}
