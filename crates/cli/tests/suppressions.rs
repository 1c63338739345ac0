//! Suppressions in files: which errors they cover, and how reports count them. What exploration
//! makes of them is tested by `tests/programs/suppression`.

mod common;

use common::impasse;
use serde_json::Value;
use std::fs;
use std::sync::Once;
use tempfile::TempDir;

const PROGRAM: &str = "#include <thread>\n\
    namespace app {\nstruct Counter {\n    long hits[2];\n    void add() { hits[1]++; }\n};\nCounter counter;\n}\n\
    void work() { app::counter.add(); }\n\
    int main()\n{\n    std::thread thread(work);\n    app::counter.hits[1]++;\n    thread.join();\n}\n";

/// Checks the program with a file of rules; returns the exit code, and all that is printed.
fn check(rules: &str, options: &[&str]) -> (i32, String) {
    static SET_UP: Once = Once::new();
    SET_UP.call_once(common::set_up);
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        path.to_str().expect("a plain name").to_owned()
    };
    let program = write("counter.cpp", PROGRAM);
    let rules = write("rules.toml", rules);
    let mut words = vec!["check", &program, "--suppressions", &rules];
    words.extend(options);
    let output = impasse(words);
    let code = output.status.code().expect("it exits");
    let printed = [output.stdout, output.stderr].concat();
    (code, String::from_utf8_lossy(&printed).into_owned())
}

/// How many suppressions a verified program has; none if it is not verified.
fn count(rules: &str) -> Option<usize> {
    let (code, printed) = check(rules, &["--format", "json"]);
    let report: Value = serde_json::from_str(&printed).unwrap_or_else(|_| panic!("{printed}"));
    let suppressed = report["suppressed"].as_array().map_or(0, Vec::len);
    (code == 0).then_some(suppressed)
}

fn rule(fields: &str) -> String {
    format!("[[suppress]]\nkind = \"data-race\"\n{fields}\n")
}

#[test]
fn rules_name_variables_functions_files_and_lines() {
    assert_eq!(count(&rule("variable = \"app::counter\"")), Some(2));
    assert_eq!(count(&rule("variable = \"*counter\"")), Some(2));
    assert_eq!(count(&rule("variable = \"count\"")), None);
    assert_eq!(count(&rule("file = \"counter.cpp\"")), Some(2));
    assert_eq!(count(&rule("file = \"other.cpp\"")), None);
    let add = rule("function = \"Counter::add\"");
    assert_eq!(count(&add), None, "the other access is not suppressed");
    assert_eq!(
        count(&format!("{add}{}", rule("function = \"main\""))),
        Some(2)
    );
    let line = |number| rule(&format!("file = \"counter.cpp\"\nline = {number}"));
    assert_eq!(count(&format!("{}{}", line(5), line(13))), Some(2));
    assert_eq!(count(&format!("{}{}", line(5), line(12))), None);
    assert_eq!(count(&rule("")), Some(1), "no race is looked for");
}

#[test]
fn the_verdict_counts_suppressions() {
    let rules = rule("variable = \"app::counter\"\nreason = \"statistics\"");
    let (code, printed) = check(&rules, &[]);
    assert_eq!(code, 0, "{printed}");
    let head = "verified under C11: apart from 2 suppressions, no error can happen";
    assert!(printed.starts_with(head), "{printed}");
    assert!(printed.contains("rules.toml:1: statistics"), "{printed}");
    let (_, printed) = check(&rules, &["--format", "sarif"]);
    let log: Value = serde_json::from_str(&printed).expect("it is JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    assert!(
        results.iter().all(|it| it["suppressions"].is_array()),
        "{printed}"
    );
}

#[test]
fn rules_that_make_no_sense_are_bad_input() {
    let (code, printed) = check("[[suppress]]\nkind = \"races\"\n", &[]);
    assert_eq!(code, 2, "{printed}");
    assert!(
        printed.contains("rules.toml: line 1: races: no kind of error"),
        "{printed}"
    );
    let (code, printed) = check("[[suppress]\n", &[]);
    assert_eq!(code, 2, "{printed}");
}
