//! Witnesses have the form that validators ask for, and their columns are those
//! of the source.

#[path = "../common/mod.rs"]
mod common;
mod correctness;
mod errors;
mod form;

use common::{impasse, root, set_up};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The waypoints of a program's witness; of two twins, of the one that does not terminate.
fn witness(program: &Path) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("witness.yml");
    let arguments = [
        "loops".to_owned(),
        "--witness".to_owned(),
        path.display().to_string(),
        program.display().to_string(),
        "--".to_owned(),
        "-DBROKEN".to_owned(),
    ];
    assert_eq!(impasse(&arguments).status.code(), Some(1), "{program:?}");
    let text = std::fs::read_to_string(&path).unwrap();
    let entries: Vec<Value> = serde_json::from_str(&text).unwrap();
    let source = |file: &str| std::fs::read_to_string(file).ok();
    form::validate(&text, source).unwrap_or_else(|wrong| panic!("{program:?}: {wrong}"));
    let entry = &entries[0];
    let segments = entry["content"].as_array().unwrap().iter();
    segments
        .map(|segment| {
            let waypoints = segment["segment"].as_array().unwrap();
            assert_eq!(waypoints.len(), 1);
            waypoints[0]["waypoint"].clone()
        })
        .collect()
}

/// The text of the source from where a waypoint stands.
fn text_at<'t>(source: &'t str, waypoint: &Value) -> &'t str {
    let number = |key: &str| waypoint["location"][key].as_u64().unwrap() as usize;
    let line = source.lines().nth(number("line") - 1).unwrap();
    &line[number("column") - 1..]
}

/// The program with a check of a condition wherever a loop's head, or a function's entry, is
/// passed.
fn watched(source: &str, head: &Value, inputs: &[&str]) -> String {
    let condition = head["constraint"]["value"].as_str().unwrap();
    let at = source.len() - {
        let rest: Vec<&str> = source
            .lines()
            .skip(head["location"]["line"].as_u64().unwrap() as usize - 1)
            .collect();
        rest.iter().map(|line| line.len() + 1).sum::<usize>()
    };
    let (before, after) = source.split_at(at);
    let after = match (after.find("while ("), after.find("for ("), after.find('{')) {
        (Some(at), _, _) if after[..at].trim().is_empty() => {
            after.replacen("while (", &format!("while (check({condition}), "), 1)
        }
        (_, Some(at), _) if after[..at].trim().is_empty() => {
            after.replacen("; ", &format!("; check({condition}), "), 1)
        }
        _ => after.replacen('{', &format!("{{ check({condition});"), 1),
    };
    let inputs = inputs.join(", ");
    let mut text = format!(
        "#include <stdlib.h>\nstatic unsigned long long inputs[] = {{{inputs}}};\n\
         static unsigned long long next(void) {{ static int at; return inputs[at++]; }}\n\
         static void check(int holds) {{ static int passes; if (!holds) exit(96); if (++passes > 20) exit(0); }}\n\
         {before}{after}\n"
    );
    let choices = [
        ("int", "int"),
        ("unsigned", "uint"),
        ("long", "long"),
        ("unsigned char", "uchar"),
    ];
    for (ty, name) in choices {
        let name = format!("__VERIFIER_nondet_{name}");
        if source.contains(&format!("{name}(")) {
            text += &format!("{ty} {name}(void) {{ return ({ty})next(); }}\n");
        }
    }
    text
}

/// What a witness says of the states in which the loop begins holds when the program is compiled
/// with a check of it.
#[test]
fn what_recurs_holds_natively() {
    set_up();
    let names = [
        "counter/step-is-input.c",
        "paper/two-loops.c",
        "nested/steps-of-four-keep-the-rest.c",
        "recursion/even-and-odd.c",
        "machine/index-too-narrow.c",
        "machine/odd-minus-two.c",
        "nested/moves-and-adds-four.c",
        "float/too-small-to-add.c",
        "float/members.c",
        "float/half-and-half.c",
    ];
    for name in names {
        let program = root().join("tests/loops").join(name);
        let source = std::fs::read_to_string(&program).unwrap();
        let waypoints = witness(&program);
        let split = waypoints
            .iter()
            .position(|waypoint| waypoint["action"] == "cycle")
            .unwrap();
        let head = &waypoints[split];
        assert_ne!(head["constraint"]["value"], "1", "{name}");
        let inputs: Vec<&str> = waypoints[..split]
            .iter()
            .filter_map(|waypoint| waypoint["constraint"]["value"].as_str())
            .filter_map(|value| value.strip_prefix("\\result == "))
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let (path, binary) = (folder.path().join("p.c"), folder.path().join("p"));
        std::fs::write(&path, watched(&source, head, &inputs)).unwrap();
        let mut clang = Command::new("clang-19");
        let compiled = clang
            .args(["-w", "-DBROKEN"])
            .arg(&path)
            .arg("-o")
            .arg(&binary);
        let output = compiled.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {errors}");
        let status = Command::new(&binary).status().unwrap();
        assert_eq!(
            status.code(),
            Some(0),
            "{name}: {}",
            head["constraint"]["value"]
        );
    }
}

#[test]
fn witnesses_have_the_form_and_point_into_the_source() {
    set_up();
    let cases = [
        ("counter/step-is-input.c", "while", 1, 0),
        ("inputs/choice-each-iteration.c", "while", 0, 1),
        ("period/two.c", "while", 0, 0),
    ];
    for (name, start, before, each_iteration) in cases {
        let program = root().join("tests/loops").join(name);
        let source = std::fs::read_to_string(&program).unwrap();
        let waypoints = witness(&program);
        let actions: Vec<&str> = waypoints
            .iter()
            .filter_map(|waypoint| waypoint["action"].as_str())
            .collect();
        let split = actions
            .iter()
            .position(|&action| action == "cycle")
            .unwrap();
        assert!(actions[..split].iter().all(|&action| action == "follow"));
        assert!(actions[split..].iter().all(|&action| action == "cycle"));
        assert_eq!(
            (split, actions.len() - split - 1),
            (before, each_iteration),
            "{name}"
        );
        for (at, waypoint) in waypoints.iter().enumerate() {
            let text = text_at(&source, waypoint);
            if at == split {
                assert_eq!(waypoint["type"], "recurrence_condition");
                assert!(text.starts_with(start), "{name}: {text}");
            } else {
                assert_eq!(waypoint["type"], "function_return");
                let value = waypoint["constraint"]["value"].as_str().unwrap();
                assert!(value.starts_with("\\result == "), "{value}");
                assert!(text.starts_with(')'), "{name}: {text}");
            }
        }
    }
}
