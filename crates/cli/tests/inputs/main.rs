//! Programs that are made up, with one to four inputs of at most four bits: following the inputs
//! symbolically must give the verdict, and the kind of error, that trying every value gives.
//!
//! The inputs are values of `__VERIFIER_nondet_int` or `__VERIFIER_nondet_uchar`, bytes of standard
//! input, bytes of an argument, or values of `rand`. Some programs run under x86-TSO, and some
//! compute with floating-point numbers. They allocate memory of sizes that depend on inputs, and
//! have undefined bytes beside those of inputs. They mix widths and signs, read members as others,
//! and select places in constants, variables, pointers and functions by inputs. Branches meet
//! again, and values are multiplied and divided by others. Some are followed on two threads.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number,
//! and `IMPASSE_PROGRAMS_FROM` the number of the first one.

#[path = "../common/mod.rs"]
mod common;
mod kind;
mod maker;

use common::{impasse, try_made_up};
use kind::{Source, compares_outcomes, has_floats, is_tso, races, threads};
use libtest_mimic::Failed;
use maker::Maker;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// How many programs are made up.
const PROGRAMS: u64 = 50;

fn main() -> ExitCode {
    try_made_up(PROGRAMS, test)
}

fn test(number: u64) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("made-up-inputs");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{number}.c"));
    fs::write(&path, Maker::new(number).program())?;
    let path = path.to_string_lossy();
    let source = Source::of(number);
    let model: &[&str] = match is_tso(number) {
        true => &["--memory-model", "tso", "--races", races(number)],
        false => &[],
    };
    let flags = [source.flags(), model].concat();
    let tried = [&flags, source.tried(), &["--threads", "1"]].concat();
    let followed = [&flags[..], &["--threads", threads(number)]].concat();
    if compares_outcomes(number) {
        return compare_outcomes(&path, [&tried, &followed]);
    }
    let tried = check(&path, &tried)?;
    let followed = check(&path, &followed)?;
    let (tried, followed) = (Answer::of(&tried), Answer::of(&followed));
    if tried == followed || tried.verdict == "inconclusive" {
        return Ok(());
    }
    let is_late = followed.reason.contains("the solver cannot decide in time");
    if has_floats(number) && followed.verdict == "inconclusive" && is_late {
        return Ok(());
    }
    if followed.verdict == "inconclusive" && is_limit(&followed.reason) {
        note(&path, &followed.reason);
        return Ok(());
    }
    // Whether a section ends for all values is not always known.
    if followed.verdict == "inconclusive" && followed.reason.contains("if inputs have") {
        return match tried.kind.as_str() {
            Some("hang") | None => Ok(()),
            _ => Err(format!("{path}: {tried:?}, but symbolically {followed:?}").into()),
        };
    }
    Err(format!("{path}: {tried:?}, but symbolically {followed:?}").into())
}

/// Whether a reason is a limit of what is followed symbolically (`docs/limits.md`): bytes of inputs
/// beside undefined ones.
fn is_limit(reason: &str) -> bool {
    reason.contains("of which some are of inputs and others undefined")
}

/// Prints why a program has no answer, where many are tried.
fn note(path: &str, reason: &str) {
    if std::env::var("IMPASSE_PROGRAMS").is_ok() {
        eprintln!("{path}: {reason}");
    }
}

/// Whether variables have the same final values.
fn compare_outcomes(path: &str, [tried, followed]: [&[&str]; 2]) -> Result<(), Failed> {
    let outcomes = |flags: &[&str]| {
        let words = [&["outcomes", path], flags].concat();
        String::from_utf8_lossy(&impasse(words).stdout).into_owned()
    };
    let (tried, followed) = (outcomes(tried), outcomes(followed));
    if tried == followed && !tried.contains("error: ") {
        return Ok(());
    }
    if let Some(reason) = followed.lines().find(|line| is_limit(line)) {
        note(path, reason);
        return Ok(());
    }
    Err(format!("{path}: outcomes\n{tried}but symbolically\n{followed}").into())
}

/// What a report says, as far as it must agree.
#[derive(Debug)]
struct Answer {
    verdict: String,
    kind: Value,
    reason: String,
}

impl PartialEq for Answer {
    fn eq(&self, other: &Answer) -> bool {
        (&self.verdict, &self.kind) == (&other.verdict, &other.kind)
    }
}

impl Answer {
    fn of(report: &Value) -> Answer {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Answer {
            verdict: text(&report["verdict"]),
            kind: report["error"]["kind"].clone(),
            reason: text(&report["reason"]),
        }
    }
}

fn check(path: &str, more: &[&str]) -> Result<Value, Failed> {
    let options = ["--max-states", "200000"];
    let words = [&["check", "--format", "json", path], &options[..], more].concat();
    let output = impasse(words);
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("{path}: {errors}").into()
    })
}
