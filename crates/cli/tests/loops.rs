//! Every program below `tests/loops`, against the expectation in its first lines.
//!
//! ```text
//! // expect: nonterminating line=4 arithmetic=integer iterations=2
//! // expect: terminating
//! // expect: unknown undefined=signed-overflow
//! // expect: unknown reason=__VERIFIER_nondet_pointer
//! // expect: nonterminating condition=overflow
//! // broken: nonterminating
//! // flags: --main f
//! // clang: -DCHECKED
//! // ilp32: terminating
//! ```
//!
//! The last of these is what is expected with `--data-model ilp32`; without it the program is tried
//! as LP64 only.
//!
//! What is found to run forever is then certified, and the proof that it ends, which is another
//! part of the tool, must not be found: in a usual run, this is tried with a third of the programs,
//! with `IMPASSE_PROGRAMS=all` with each. Where `unknown` is expected, anything that is claimed is
//! wrong. What is not expected is looked for with as much work as `--max-work` says, or
//! [`AT_MOST`]; with `IMPASSE_LONG` in the environment, with [`LONG`] times as much.

mod common;

use common::{Directives, Program, impasse_process, programs, root, set_up, trials};
use libtest_mimic::{Arguments, Failed};
use serde_json::Value;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        set_up();
    }
    let found = programs(&root().join("tests/loops"));
    libtest_mimic::run(&arguments, trials(found, test)).exit_code()
}

fn test(program: &Program, directives: &Directives) -> Result<(), Failed> {
    let text = directives
        .get("expect")
        .ok_or("the first line is no `expect:`")?;
    meets(program, directives, text, &[])?;
    match directives.get("ilp32") {
        Some(text) => meets(program, directives, text, &["--data-model", "ilp32"])
            .map_err(|failed| format!("ilp32: {}", failed.message().unwrap_or_default()).into()),
        None => Ok(()),
    }
}

/// The option that limits the work of a search, and how much it may do for an answer that is not
/// expected.
const WORK: &str = "--max-work";
const AT_MOST: &str = "2";
/// With `IMPASSE_LONG`, how many times as much work may be done for such an answer.
const LONG: u32 = 10;

/// Whether a program meets an expectation with these options.
fn meets(
    program: &Program,
    directives: &Directives,
    text: &str,
    options: &[&str],
) -> Result<(), Failed> {
    let mut words = text.split_whitespace();
    let verdict = words.next().ok_or("`expect:` names no verdict")?;
    // How far a proof is looked for is measured by work. The time ends only what hangs.
    let flags = directives.words("flags");
    let has_limit = flags.iter().any(|flag| flag == WORK);
    let limit: &[&str] = match (verdict, has_limit) {
        (_, true) => &[],
        ("unknown", false) => &[WORK, AT_MOST],
        _ => &["--max-time", "300"],
    };
    let result = loops(program, directives, &[options, limit].concat())?;
    if result["verdict"] != verdict {
        return Err(format!("expected {verdict}, but got {}", summary(&result)).into());
    }
    for word in words {
        let (key, value) = word.split_once('=').ok_or("`expect:` wants KEY=VALUE")?;
        let holds = match key {
            "line" => number(&result["loop"]["header"]["line"], value),
            "arithmetic" => result["arithmetic"] == value,
            "iterations" => number(&result["repeated_state"]["iterations"], value),
            "condition" => match value {
                "overflow" => result["condition"] == "signed overflow wraps around",
                "environment" => result["condition"].is_string(),
                _ => result["condition"].is_null(),
            },
            "inputs" => number(
                &Value::from(result["inputs"].as_array().map_or(0, Vec::len)),
                value,
            ),
            // What each iteration reads, if that is one input.
            "reads" => {
                let inputs = result["inputs"].as_array().into_iter().flatten();
                let mut each = inputs.filter(|input| input["each_iteration"] == true);
                each.next().is_some_and(|input| input["value"] == value) && each.next().is_none()
            }
            "undefined" => result["undefined"].to_string().contains(value),
            "reason" => result["reasons"].to_string().contains(value),
            // For people: what is true, though it is not found.
            "truth" => true,
            _ => return Err(format!("`expect:` knows no {key}").into()),
        };
        if !holds {
            return Err(format!("expected {word}, but got {}", summary(&result)).into());
        }
    }
    match verdict {
        "nonterminating" => {
            certify(&result)?;
            if !program.is_in_turn(0, 3) {
                return Ok(());
            }
            let limit: &[&str] = if has_limit { &[] } else { &[WORK, AT_MOST] };
            let only = [options, &["--only", "terminating"], limit].concat();
            match loops(program, directives, &only)?["verdict"] == "unknown" {
                true => Ok(()),
                false => Err("it is said to end, too".into()),
            }
        }
        "terminating" => certify(&result),
        _ => Ok(()),
    }
}

/// Whether a number is what a text says.
fn number(found: &Value, wanted: &str) -> bool {
    wanted
        .parse()
        .is_ok_and(|wanted: u64| found.as_u64() == Some(wanted))
}

fn loops(program: &Program, directives: &Directives, more: &[&str]) -> Result<Value, Failed> {
    let mut arguments: Vec<String> = vec!["loops".into(), "--format".into(), "json".into()];
    let files = program.files.iter();
    arguments.extend(files.map(|file| file.to_string_lossy().into_owned()));
    let flags = directives.words("flags");
    arguments.extend(flags);
    arguments.extend(more.iter().map(|&word| word.to_owned()));
    if std::env::var_os("IMPASSE_LONG").is_some() {
        let limits = arguments.iter().position(|word| word == WORK);
        if let Some(work) = limits.and_then(|at| arguments.get_mut(at + 1)) {
            let least: u32 = work.parse()?;
            *work = (least * LONG).to_string();
        }
    }
    arguments.push("--".into());
    arguments.extend(directives.words("clang"));
    let output = impasse_process(&arguments);
    let result = serde_json::from_slice(&output.stdout).map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("no result, {}: {errors}", output.status)
    });
    let result: Value = result?;
    let code = match result["verdict"].as_str() {
        Some("terminating") => 0,
        Some("nonterminating") => 1,
        _ => 3,
    };
    match output.status.code() == Some(code) {
        true => Ok(result),
        false => Err(format!("{} although {}", output.status, summary(&result)).into()),
    }
}

fn certify(result: &Value) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("certificate.json");
    std::fs::write(&path, result.to_string())?;
    let arguments = ["certify".to_owned(), path.to_string_lossy().into_owned()];
    let output = impasse_process(&arguments);
    match output.status.success() {
        true => Ok(()),
        false => {
            let said = String::from_utf8_lossy(&output.stdout);
            Err(format!("the certificate is rejected: {said}").into())
        }
    }
}

/// A result in one line.
fn summary(result: &Value) -> String {
    let what = [
        "verdict",
        "arithmetic",
        "loop",
        "repeated_state",
        "reasons",
        "undefined",
    ];
    let parts = what.iter().map(|key| format!("{key}: {}", result[*key]));
    parts.collect::<Vec<_>>().join(", ")
}
