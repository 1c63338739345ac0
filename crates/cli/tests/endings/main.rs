//! Verdicts of `impasse loops` on small random programs, compared with trying all that they can
//! read.
//!
//! `maker/` makes the programs. `explorer.c` decides each of them: it executes it natively on
//! every input, one after the other at each place that reads one, and looks for a state that is
//! there again. What is said to run forever must do so on the inputs of the verdict, too, and each
//! certificate must hold.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number;
//! `IMPASSE_TALLY` names a file for a line on each of them.

#[path = "../common/mod.rs"]
mod common;
mod maker;

use common::{impasse_process, try_made_up};
use libtest_mimic::Failed;
use maker::{Made, make};
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

/// How many programs are tried usually.
const PROGRAMS: u64 = 16;
/// The seconds that `impasse loops` has for each.
const SECONDS: &str = "4";

fn main() -> ExitCode {
    try_made_up(PROGRAMS, |number| test(&make(number), number))
}

/// What the explorer finds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Truth {
    Ends,
    Loops,
    /// There are too many states.
    Many,
}

fn test(made: &Made, number: u64) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let native = compile(folder.path(), made)?;
    let none = Inputs::default();
    let strict = explore(
        &native,
        if made.integer { "unbounded" } else { "strict" },
        &none,
    )?;
    let wrap = match made.integer || strict == Truth::Loops {
        true => strict,
        false => explore(&native, "wrap", &none)?,
    };
    let certificate = folder.path().join("certificate.json");
    let result = loops(folder.path(), &certificate, made)?;
    let verdict = result["verdict"].as_str().unwrap_or_default();
    tally(made, number, verdict, &format!("{strict:?}/{wrap:?}"))?;
    let said = |what: &str| {
        let flags = made.flags.join(" ");
        let mut result = result.clone();
        result["certificate"] = Value::Null;
        Err(format!("{what}\n// flags: {flags}\n{}\n{result}", made.text).into())
    };
    match verdict {
        "terminating" if wrap == Truth::Loops => return said("it does not end"),
        "nonterminating" => {
            let wraps = made.wraps || !result["condition"].is_null();
            let mode = match wraps {
                _ if made.integer => "unbounded",
                true => "wrap",
                false => "strict",
            };
            let inputs = Inputs::of(&result, made).ok_or("inputs are numbers")?;
            if explore(&native, mode, &inputs)? == Truth::Ends {
                return said(&format!("it ends, {mode}, on {inputs:?}"));
            }
        }
        _ => {}
    }
    if matches!(verdict, "terminating" | "nonterminating") {
        let arguments = [Path::new("certify"), &certificate];
        let output = impasse_process(arguments);
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let errors = String::from_utf8_lossy(&output.stderr);
            return said(&format!("the certificate does not hold: {text}{errors}"));
        }
    }
    Ok(())
}

/// What `impasse loops` says.
fn loops(folder: &Path, certificate: &Path, made: &Made) -> Result<Value, Failed> {
    let mut arguments: Vec<PathBuf> = ["loops", "--format", "json", "--max-time", SECONDS]
        .map(PathBuf::from)
        .into();
    arguments.extend(made.flags.iter().map(PathBuf::from));
    arguments.extend(["--certificate".into(), certificate.to_owned()]);
    arguments.extend([folder.join("program.c"), "--".into(), "-w".into()]);
    if made.wraps {
        arguments.push("-fwrapv".into());
    }
    let output = impasse_process(&arguments);
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("no result: {errors}\n{}", made.text).into()
    })
}

/// Inputs that a verdict names.
#[derive(Debug, Default)]
struct Inputs {
    numbers: Vec<String>,
    bytes: Vec<String>,
}

impl Inputs {
    /// In the order in which the program reads them.
    fn of(result: &Value, made: &Made) -> Option<Self> {
        let (mut globals, mut inputs) = (Vec::new(), Self::default());
        for input in result["inputs"].as_array().into_iter().flatten() {
            let name = input["name"].as_str()?;
            let value = input["value"].as_str()?.to_owned();
            if name.starts_with("byte ") {
                inputs.bytes.push(value);
            } else if made.havoc.iter().any(|variable| variable == name) {
                globals.push(value);
            } else {
                inputs.numbers.push(value);
            }
        }
        globals.append(&mut inputs.numbers);
        inputs.numbers = globals;
        Some(inputs)
    }
}

fn explore(native: &Path, mode: &str, inputs: &Inputs) -> Result<Truth, Failed> {
    let mut command = Command::new(native);
    command.arg(mode).args(&inputs.numbers);
    command.arg("--").args(&inputs.bytes);
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match text.split_whitespace().next() {
        Some("ends" | "undefined") => Ok(Truth::Ends),
        Some("loops") => Ok(Truth::Loops),
        Some("many") => Ok(Truth::Many),
        // The alarm, or memory, ended it.
        _ if output.status.code().is_none() && is_killed(&output.status) => Ok(Truth::Many),
        _ => Err(format!("the explorer fails: {}", output.status).into()),
    }
}

fn is_killed(status: &std::process::ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    matches!(status.signal(), Some(9 | 14))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/endings")
}

/// The explorer's part of each program, compiled once.
fn explorer() -> &'static Path {
    static OBJECT: OnceLock<PathBuf> = OnceLock::new();
    OBJECT.get_or_init(|| {
        let object = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("explorer-{}.o", std::process::id()));
        let mut command = Command::new(clang());
        command.args(["-O1", "-fno-pie", "-c", "-o"]).arg(&object);
        command.arg(folder().join("explorer.c"));
        let output = command.output().expect("clang starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        object
    })
}

fn compile(build: &Path, made: &Made) -> Result<PathBuf, Failed> {
    let [source, object, native] =
        ["program.c", "program.o", "native"].map(|name| build.join(name));
    std::fs::write(&source, &made.text)?;
    let mut command = Command::new(clang());
    command.args([
        "-O0",
        "-w",
        "-fno-pie",
        "-fno-stack-protector",
        "-DEXPLORED",
        "-DSTDIN_BYTES=2",
    ]);
    command.arg("-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift-exponent");
    if made.integer {
        command.arg("-DUNBOUNDED");
    }
    command.arg("-include").arg(folder().join("program.h"));
    command.arg("-c").arg(&source).arg("-o").arg(&object);
    succeeds(&mut command, made)?;
    let mut command = Command::new("gcc");
    command
        .args(["-no-pie", "-z", "now", "-o"])
        .arg(&native)
        .arg(&object)
        .arg(explorer());
    succeeds(&mut command, made)?;
    Ok(native)
}

fn succeeds(command: &mut Command, made: &Made) -> Result<(), Failed> {
    let output = command.output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{}\n{}", String::from_utf8_lossy(&output.stderr), made.text).into()),
    }
}

fn clang() -> &'static str {
    let there = "/usr/lib/llvm-19/bin/clang";
    if Path::new(there).is_file() {
        there
    } else {
        "clang-19"
    }
}

/// With `IMPASSE_TALLY`, a file, what is found is written there.
fn tally(made: &Made, number: u64, verdict: &str, truth: &str) -> Result<(), Failed> {
    if let Some(path) = std::env::var_os("IMPASSE_TALLY") {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        let features: Vec<&str> = made.features.iter().copied().collect();
        writeln!(file, "{number} {verdict} {truth} {}", features.join(","))?;
    }
    Ok(())
}
