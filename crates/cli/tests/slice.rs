//! The steps of a trace on which the error does not depend.

mod common;

use common::{impasse, root};
use serde_json::Value;
use std::collections::BTreeMap;

/// The steps of the trace of a program that reads and writes variables of its own.
fn accesses(flags: &[&str]) -> Vec<Value> {
    let path = root().join("tests/programs/report/slice.c");
    let file = path.display().to_string();
    let words = ["check", &file, "--format", "json"];
    let output = impasse(words.into_iter().chain(flags.iter().copied()));
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["error"]["kind"], "assertion", "{report}");
    report["trace"].as_array().expect("a trace").clone()
}

fn is_minor(step: &Value) -> bool {
    step["minor"] == true
}

#[test]
fn steps_are_minor_where_the_program_says_so() {
    common::set_up();
    let source = root().join("tests/programs/report/slice.c");
    let source = std::fs::read_to_string(source).expect("a program");
    let mut found: BTreeMap<u64, Vec<bool>> = BTreeMap::new();
    for step in accesses(&[]) {
        let line = step["line"].as_u64().expect("a line");
        found.entry(line).or_default().push(is_minor(&step));
    }
    let mut compared = [0, 0];
    for (text, line) in source.lines().zip(1..) {
        let expected = match text.rsplit_once("// ") {
            Some((_, "minor")) => true,
            Some((_, "stays")) => false,
            _ => continue,
        };
        let steps = found.get(&line);
        let steps = steps.unwrap_or_else(|| panic!("line {line} has no step: {text}"));
        // A line may also read or write what is minor; but where something stays, one step does.
        let is_as_said = match expected {
            true => steps.iter().all(|&minor| minor),
            false => steps.iter().any(|&minor| !minor),
        };
        assert!(is_as_said, "line {line} is {steps:?}: {text}");
        compared[usize::from(expected)] += 1;
    }
    assert!(compared[0] >= 8 && compared[1] >= 9, "{compared:?}");
}

/// Where the minor steps read something else, all other steps are the same.
#[test]
fn nothing_else_depends_on_minor_steps() {
    common::set_up();
    let others = |flags: &[&str]| {
        let steps = accesses(flags).into_iter();
        let steps = steps.filter(|step| !is_minor(step));
        let what = |step: Value| format!("{} {} {}", step["thread"], step["line"], step["text"]);
        steps.map(what).collect::<Vec<String>>()
    };
    let (same, other) = (others(&[]), others(&["-DOTHER"]));
    assert!(same.len() > 10, "{same:?}");
    assert_eq!(same, other);
}
