//! Verdicts of `impasse loops` on random programs, over unbounded and machine integers, compared
//! with executions.
//!
//! `maker` makes the programs, `execution` executes them on many inputs, with as many bits as it
//! takes, and `progression` shows that some executions never end. What is said to end must have no
//! such execution. What is said to run forever must not end on the inputs of the verdict. Each
//! certificate must hold. The native program must end with the same numbers as the execution.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number;
//! `IMPASSE_TALLY` names a file for a line on each of them.

#[path = "../common/mod.rs"]
mod common;
mod execution;
mod maker;
mod progression;
mod syntax;

use common::{impasse_process, try_made_up};
use execution::{Execution, Integers, Outcome};
use fastrand::Rng;
use libtest_mimic::Failed;
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;
use syntax::{Program, Type};

/// How many programs are tried usually.
const PROGRAMS: u64 = 24;
/// The seconds that `impasse loops` has for each.
const SECONDS: &str = "2";
/// On how many inputs a program is executed.
const EXECUTIONS: u64 = 60;
/// The stack of an execution, which may call functions inside of each other.
const STACK: usize = 1 << 29;

fn main() -> ExitCode {
    try_made_up(PROGRAMS, in_thread)
}

fn in_thread(number: u64) -> Result<(), Failed> {
    let thread = thread::Builder::new().stack_size(STACK);
    let thread = thread.spawn(move || test(number))?;
    thread.join().map_err(|_| Failed::from("it panics"))?
}

fn test(number: u64) -> Result<(), Failed> {
    let is_unbounded = number % 5 < 3;
    let program = maker::make(number, is_unbounded);
    let text = program.text();
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("program.c"), &text)?;
    let integers = match is_unbounded {
        true => Integers::Unbounded,
        false => Integers::Wrapping,
    };
    let runs: Vec<Run> = (0..EXECUTIONS)
        .map(|seed| execute(&program, integers, seed))
        .collect();
    compare_natively(folder.path(), &program)?;
    let certificate = folder.path().join("certificate.json");
    let result = loops(folder.path(), &certificate, is_unbounded)?;
    let verdict = result["verdict"].as_str().unwrap_or_default();
    let endless = runs.iter().find(|run| run.outcome == Outcome::Endless);
    let is_known = runs.iter().all(|run| run.outcome != Outcome::Long);
    tally(number, verdict, (endless.is_some(), is_known))?;
    let said = |what: String| {
        let mut result = result.clone();
        result["certificate"] = Value::Null;
        let integers = if is_unbounded { "integer" } else { "machine" };
        Err(format!("{what}\n// flags: --arithmetic {integers}\n{text}\n{result}").into())
    };
    match (verdict, endless) {
        ("terminating", Some(run)) => return said(format!("it does not end on {:?}", run.inputs)),
        ("nonterminating", _) => {
            let integers = match result["condition"].is_null() {
                true if !is_unbounded => Integers::Strict,
                _ => integers,
            };
            let inputs = inputs(&result).ok_or("inputs are numbers")?;
            let mut given = inputs.iter().copied();
            let mut next = |_: Type| given.next();
            let outcome = Execution::run(&program, integers, true, (false, &mut next));
            if matches!(outcome, Outcome::Ends(_) | Outcome::Stops) {
                return said(format!("it ends on {inputs:?}: {outcome:?}"));
            }
        }
        _ => {}
    }
    if matches!(verdict, "terminating" | "nonterminating") {
        let output = impasse_process([Path::new("certify"), &certificate]);
        // Exit code 3: not within the limits.
        if !output.status.success() && output.status.code() != Some(3) {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            return said(format!("the certificate does not hold: {text}"));
        }
    }
    Ok(())
}

/// An execution, and what it read.
struct Run {
    inputs: Vec<i128>,
    outcome: Outcome,
}

/// Executes a program on inputs that depend on a number.
fn execute(program: &Program, integers: Integers, seed: u64) -> Run {
    execute_with(program, integers, seed, (true, true))
}

/// The same; says whether iterations may be jumped over, and whether those that read something.
fn execute_with(
    program: &Program,
    integers: Integers,
    seed: u64,
    (jumps, free): (bool, bool),
) -> Run {
    let mut random = Rng::with_seed(seed);
    let mut inputs = Vec::new();
    let always = random.u8(0..3) == 0;
    let mut next = |ty: Type| {
        let small = i128::from(random.i64(-4..20));
        let number = match random.u8(0..8) {
            0..=4 => small,
            5 => ty.high() - small.abs(),
            6 => ty.low() + small.abs(),
            _ => i128::from(random.i64(..)),
        };
        let number = match inputs.last() {
            Some(&last) if always && ty.holds(last) => last,
            _ => number.clamp(ty.low(), ty.high()),
        };
        inputs.push(number);
        Some(number)
    };
    let outcome = Execution::run(program, integers, jumps, (free, &mut next));
    Run { inputs, outcome }
}

/// The native program ends with the numbers of the execution, and so does an execution without
/// jumps.
fn compare_natively(folder: &Path, program: &Program) -> Result<(), Failed> {
    let wrapping = |seed, how| execute_with(program, Integers::Wrapping, seed, how);
    let runs = (0..4).map(|seed| wrapping(seed, (true, false)));
    let runs = runs.zip(0..4).filter_map(|(run, seed)| match run.outcome {
        Outcome::Ends(numbers) if run.inputs.len() < 1000 => Some((seed, run.inputs, numbers)),
        _ => None,
    });
    let mut native = None;
    for (seed, inputs, numbers) in runs {
        let slowly = wrapping(seed, (false, false));
        if !matches!(&slowly.outcome, Outcome::Long)
            && slowly.outcome != Outcome::Ends(numbers.clone())
        {
            let outcome = slowly.outcome;
            return Err(format!(
                "{outcome:?} without jumps, {numbers:?} with\n{}",
                program.text()
            )
            .into());
        }
        if slowly.outcome == Outcome::Long {
            continue;
        }
        let native: &PathBuf = match &native {
            Some(native) => native,
            None => native.insert(compile(folder)?),
        };
        let inputs: Vec<String> = inputs.iter().map(i128::to_string).collect();
        let output = Command::new(native).args(&inputs).output()?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let printed: Vec<i128> = printed
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        if printed != numbers {
            let text = program.text();
            let said = format!("on {inputs:?} natively {printed:?}, executed {numbers:?}\n{text}");
            return Err(said.into());
        }
    }
    Ok(())
}

/// What the native program is made of besides.
const HARNESS: &str = r"
int atexit(void (*)(void)); int printf(const char *, ...); void exit(int);
long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);
static char **rest;
static void print(int is_signed, unsigned long n)
{
    if (is_signed) printf(`%ld `, n); else printf(`%lu `, n);
}
__attribute__((constructor)) static void start(int count, char **arguments) { rest = arguments + 1; }
static unsigned long next(void)
{
    if (!*rest) exit(1);
    return **rest == '-' ? (unsigned long)strtol(*rest++, 0, 10) : strtoul(*rest++, 0, 10);
}
#define INPUT(type, name) type __VERIFIER_nondet_##name(void) { return (type)next(); }
INPUT(int, int) INPUT(unsigned, uint) INPUT(signed char, char) INPUT(unsigned char, uchar)
INPUT(short, short) INPUT(unsigned short, ushort) INPUT(long, long) INPUT(unsigned long, ulong)
void __VERIFIER_assume(int holds) { if (!holds) exit(0); }
#define NATIVE
";

fn compile(folder: &Path) -> Result<PathBuf, Failed> {
    let (harness, native) = (folder.join("harness.h"), folder.join("native"));
    std::fs::write(&harness, HARNESS.replace('`', "\""))?;
    let mut command = Command::new("gcc");
    command
        .args(["-O0", "-w", "-fwrapv", "-include"])
        .arg(&harness);
    command.arg("-o").arg(&native).arg(folder.join("program.c"));
    let output = command.output()?;
    match output.status.success() {
        true => Ok(native),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
    }
}

/// What `impasse loops` says.
fn loops(folder: &Path, certificate: &Path, is_unbounded: bool) -> Result<Value, Failed> {
    let mut arguments: Vec<PathBuf> = ["loops", "--format", "json", "--max-time", SECONDS]
        .map(PathBuf::from)
        .into();
    if is_unbounded {
        arguments.extend(["--arithmetic", "integer"].map(PathBuf::from));
    }
    arguments.extend(["--certificate".into(), certificate.to_owned()]);
    arguments.extend([folder.join("program.c"), "--".into(), "-w".into()]);
    let output = impasse_process(&arguments);
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("no result: {errors}").into()
    })
}

/// The inputs that a verdict names, in the order in which the program reads them.
fn inputs(result: &Value) -> Option<Vec<i128>> {
    let inputs = result["inputs"].as_array().into_iter().flatten();
    inputs
        .map(|input| input["value"].as_str()?.parse().ok())
        .collect()
}

/// With `IMPASSE_TALLY`, a file, what is found is written there.
fn tally(number: u64, verdict: &str, (endless, known): (bool, bool)) -> Result<(), Failed> {
    if let Some(path) = std::env::var_os("IMPASSE_TALLY") {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        writeln!(file, "{number} {verdict} endless={endless} known={known}")?;
    }
    Ok(())
}
