//! Programs that are made up, checked for sections of each type, against the definition: what can
//! never end is found in all that a little machine of its own can do, which knows neither memory
//! nor reductions.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number.

#[path = "../common/mod.rs"]
mod common;
mod machine;
mod maker;
mod program;

use common::{impasse, try_made_up};
use libtest_mimic::Failed;
use machine::Answer;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// How many programs are made up.
const PROGRAMS: u64 = 60;

/// Options, used in rotation.
const SETTINGS: [&[&str]; 5] = [
    &[],
    &["--por=local"],
    &["--hang-algorithm=product"],
    &["--step-cache=off"],
    &["--memory-model=tso"],
];

fn main() -> ExitCode {
    try_made_up(PROGRAMS, test)
}

fn test(number: u64) -> Result<(), Failed> {
    let program = maker::program(number);
    let Some(answer) = machine::explore(&program) else {
        return Ok(());
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("definition");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{number}.c"));
    fs::write(&path, program.to_string())?;
    let setting = SETTINGS[number as usize % SETTINGS.len()];
    // That algorithm checks sections only.
    let product = setting.contains(&"--hang-algorithm=product");
    for (option, hangs) in questions(&answer, program.blinks, product) {
        let found = verdict(&path, &[&[option.as_str()], setting].concat())?;
        let right = if hangs { "hang" } else { "verified" };
        if found != right && found != "inconclusive" {
            let file = path.display();
            return Err(format!("{file}: {option} {setting:?}: {found}, but it is {right}").into());
        }
    }
    Ok(())
}

/// What to ask Impasse for, and whether there is a hang then.
fn questions(answer: &Answer, blinks: bool, product: bool) -> Vec<(String, bool)> {
    let Answer {
        used,
        hanging,
        deadlocks,
        stands_still,
        never_ends,
    } = answer;
    let stands_still = if product { deadlocks } else { stands_still };
    // The thread that blinks never ends.
    let types = used.iter().filter(|kind| !blinks || **kind != "thread");
    let hangs = |kind: &str| hanging.contains(kind) || *stands_still;
    let mut questions: Vec<(String, bool)> = types
        .map(|kind| (format!("--sections={kind}"), hangs(kind)))
        .collect();
    let usual = hanging.iter().any(|kind| *kind != "thread") || *stands_still;
    questions.push(("--hangs=local".into(), usual));
    questions.push(("--hangs=global".into(), *never_ends));
    questions
}

/// What Impasse says of a program: that it hangs, another error, or its verdict.
fn verdict(path: &Path, options: &[&str]) -> Result<String, Failed> {
    let path = path.to_string_lossy();
    let fixed = [
        "check",
        "--format=json",
        "--threads=1",
        "--max-states=200000",
    ];
    let output = impasse([&fixed, options, &[&*path]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("{path}, {options:?}: {errors}")
    })?;
    let said = match report["verdict"].as_str() {
        Some("error") => &report["error"]["kind"],
        _ => &report["verdict"],
    };
    Ok(said.as_str().unwrap_or_default().into())
}
