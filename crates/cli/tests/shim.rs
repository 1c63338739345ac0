//! Limits of `impasse shim` hold, and what they leave open is said.

mod common;

use common::impasse_process;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Two tasks that count to the same number, which no means of the checker finds out.
const HARD: &str = "
void main(int n, int m) {
  chan int a, b;
  {
    for (int i = 0; i < n * n + m; i++) next a = i;
    next b = 1;
  } par {
    int i = n * n + m;
    while (i > 0) { next a; i = i - 1; }
    next b;
  }
}
";

struct Case {
    _folder: TempDir,
    path: PathBuf,
}

fn hard() -> Case {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("hard.shim");
    std::fs::write(&path, HARD).expect("a new file");
    Case {
        _folder: folder,
        path,
    }
}

/// The reason of a report in JSON that is inconclusive.
fn reason(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["verdict"], "possible");
    report["reason"].as_str().expect("a reason").to_owned()
}

fn limited(options: &[&str]) -> String {
    let case = hard();
    let path = case.path.to_str().expect("a plain path");
    let mut arguments = vec!["shim", path, "--format", "json"];
    arguments.extend(options);
    reason(&impasse_process(arguments))
}

#[test]
fn time_ends_a_check() {
    assert!(limited(&["--max-time", "0.3"]).contains("(--max-time) was reached"));
    assert!(limited(&["--max-time", "0"]).contains("(--max-time) was reached"));
}

/// The check sees the limit while the watchdog ends it: one of them prints the report, whichever is
/// first.
#[test]
fn memory_ends_a_check() {
    for abstraction in ["exact", "paper"] {
        for _ in 0..20 {
            let options = ["--abstraction", abstraction, "--max-memory", "1M"];
            assert!(limited(&options).contains("limit on memory"));
        }
    }
}

#[test]
fn a_signal_ends_a_check() {
    let case = hard();
    let mut child = Command::new(env!("CARGO_BIN_EXE_impasse"));
    child.arg("shim").arg(&case.path).args(["--format", "json"]);
    let child = child.stdout(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(700));
    let kill = Command::new("kill").arg(child.id().to_string()).status();
    assert!(kill.expect("a signal is sent").success());
    let output = child.wait_with_output().expect("it ends");
    assert!(reason(&output).contains("interrupted"));
}

#[test]
fn the_papers_model_and_its_text_have_limits_too() {
    let case = hard();
    let path = case.path.to_str().expect("a plain path");
    let paper = impasse_process(["shim", path, "--abstraction", "paper", "--max-time", "0"]);
    let text = String::from_utf8_lossy(&paper.stdout);
    assert!(text.contains("--max-time"), "{text}");
    assert_eq!(paper.status.code(), Some(3));
    let model = impasse_process(["shim", path, "--emit", "smv", "--max-time", "0"]);
    assert_eq!(model.status.code(), Some(3));
}
