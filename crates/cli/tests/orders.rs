//! `impasse orders` on each program below `tests/orders`.
//!
//! ```text
//! // expect: verified
//!
//! atomic_store(&ready, 1); // enough: release
//! ```
//!
//! `expect` is what `check` finds with the orders as written: `verified`, or the kind of an error.
//! `enough` has the weakest orders of the operation in its line; each operation has one. `by-hand`
//! says how many of them no patch can change. `unfixable` is the kind of error that is found with
//! the strongest orders; there are none that are enough then.
//!
//! If the whole change is in the patch, it is applied to the source, which is compiled again: it
//! must be verified, and no order of it may be weaker, unless it was stronger as written.

mod common;

use common::{Directives, Program, impasse, programs, root, set_up};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        set_up();
    }
    let found = programs(&root().join("tests/orders")).into_iter();
    let variants = found.flat_map(Program::variants);
    let trial = |(program, directives): (Program, Directives)| {
        Trial::test(program.name.clone(), move || test(&program, &directives))
    };
    libtest_mimic::run(&arguments, variants.map(trial).collect()).exit_code()
}

fn test(program: &Program, directives: &Directives) -> Result<(), Failed> {
    let path = &program.files[0];
    let defines = directives.words("clang");
    let advice = orders(path, &defines)?;
    let expected = directives.get("expect").ok_or("nothing is expected")?;
    same("as written", expected, verdict(&advice["as_written"]))?;
    if let Some(kind) = directives.get("unfixable") {
        same(
            "with the strongest orders",
            kind,
            verdict(&advice["strongest"]),
        )?;
        return same("patch", "", text(&advice["patch"]));
    }
    check_operations(path, &advice)?;
    let operations = advice["operations"].as_array().ok_or("no operations")?;
    let by_hand = operations
        .iter()
        .filter(|operation| operation["by_hand"] == true);
    let by_hand = by_hand.count().to_string();
    same(
        "by hand",
        directives.get("by-hand").unwrap_or("0"),
        &by_hand,
    )?;
    match by_hand == "0" && advice["patch"] != "" {
        true => check_patch(path, &advice, &defines),
        false => Ok(()),
    }
}

/// What `impasse orders` prints as JSON.
fn orders(path: &Path, defines: &[String]) -> Result<Value, Failed> {
    let mut arguments = vec!["orders".into(), path.to_string_lossy().into_owned()];
    arguments.extend(["--threads=1", "--format=json"].map(str::to_owned));
    arguments.extend(defines.iter().cloned());
    let output = impasse(&arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    let value = serde_json::from_slice(&output.stdout);
    value.map_err(|error| format!("{error}: {errors}").into())
}

/// Each operation has the orders that its line says.
fn check_operations(path: &Path, advice: &Value) -> Result<(), Failed> {
    let source = fs::read_to_string(path)?;
    let lines: Vec<&str> = source.lines().collect();
    for operation in advice["operations"].as_array().ok_or("no operations")? {
        let line = operation["line"].as_u64().ok_or("no line")?;
        let expected = lines[line as usize - 1].split_once("// enough: ");
        let (_, expected) = expected.ok_or(format!("line {line}: no expectation"))?;
        let enough = operation["enough"].as_array().ok_or("no orders")?;
        let enough: Vec<&str> = enough.iter().map(text).collect();
        same(&format!("line {line}"), expected, &enough.join(", "))?;
    }
    Ok(())
}

/// The patch applies, and makes the program what it promises.
fn check_patch(path: &Path, advice: &Value, defines: &[String]) -> Result<(), Failed> {
    let name = path.file_name().ok_or("a file")?;
    let folder = tempfile::tempdir()?;
    let copy: PathBuf = folder.path().join(name);
    fs::copy(path, &copy)?;
    let diff = folder.path().join("diff");
    fs::write(&diff, text(&advice["patch"]))?;
    let mut patch = Command::new("patch");
    let status = patch.arg("--quiet").arg(&copy).arg(&diff).status()?;
    if !status.success() {
        return Err(format!("patch: {status}").into());
    }
    let patched = orders(&copy, defines)?;
    same("patched", "verified", verdict(&patched["as_written"]))?;
    match verdict(&advice["as_written"]) {
        "verified" => same("patch of what is patched", "", text(&patched["patch"])),
        _ => Ok(()),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The verdict, or the kind of the error.
fn verdict(finding: &Value) -> &str {
    match text(&finding["verdict"]) {
        "error" => text(&finding["kind"]),
        verdict => verdict,
    }
}

fn same(what: &str, expected: &str, found: &str) -> Result<(), Failed> {
    match expected == found {
        true => Ok(()),
        false => Err(format!("{what}: expected {expected:?}, but got {found:?}").into()),
    }
}
