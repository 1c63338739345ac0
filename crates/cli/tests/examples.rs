//! Examples of tests in folders of their own: a program with doctest, and a data structure with a
//! project file.

mod common;

use common::root;
use std::path::Path;
use std::process::Command;

/// What a command in a folder prints, and its exit code.
fn run(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    common::set_up();
    let mut command = Command::new(env!("CARGO_BIN_EXE_impasse"));
    command.args(words).env("IMPASSE_HOME", root());
    let output = command.current_dir(folder).output().expect("it runs");
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

/// The header of doctest is where Debian's package has it, or where `IMPASSE_DOCTEST` says.
#[test]
fn each_doctest_is_checked() {
    let headers = std::env::var("IMPASSE_DOCTEST");
    let headers = headers.unwrap_or_else(|_| "/usr/include".into());
    let file = "examples/doctest/inbox_test.cpp";
    let options = ["-idirafter", &headers, "--address-reuse", "off"];
    let words = [&["test", file], &options[..]].concat();
    let (code, text) = run(&root(), &words);
    assert_eq!(code, Some(1), "{text}");
    let verdict = |name: &str| {
        let mut lines = text.lines().filter(|line| line.contains(name));
        lines.next().and_then(|line| line.split_whitespace().next())
    };
    assert_eq!(verdict("a letter arrives"), Some("verified"), "{text}");
    assert_eq!(verdict("a closed inbox ends"), Some("verified"), "{text}");
    assert_eq!(verdict("all readers end"), Some("error"), "{text}");
    assert!(text.contains("hang at examples/doctest/inbox.h:"), "{text}");
}

#[test]
fn the_stack_is_right_with_its_count_only() {
    let (code, text) = run(&root().join("examples/stack"), &["check"]);
    assert_eq!(code, Some(1), "{text}");
    let of = |name: &str| text.split(&format!("== {name}\n")).nth(1);
    let first_line = |name| of(name).and_then(|rest| rest.lines().next());
    assert_eq!(
        first_line("tagged"),
        Some("verified: no error can happen, and every section can end"),
        "{text}"
    );
    let untagged = first_line("untagged").unwrap_or_default();
    assert!(
        untagged.starts_with("error: assertion at stack_test.c:"),
        "{text}"
    );
}
