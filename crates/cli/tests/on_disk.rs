//! A check with states on disk reports what one in memory reports: the test programs, with so few
//! states in memory that nearly all are looked up on disk. `IMPASSE_PROGRAMS` in the environment
//! says how many of the programs are checked, 40 by default, or `all`. Other checks have states
//! that take ten times the limit on memory.

mod common;

use common::{Directives, Program, check, impasse_process, root, set_up, some_programs, summary};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::process::ExitCode;

/// Programs that are checked by default.
const USUAL: usize = 40;
/// What must be the same.
const FIELDS: [&str; 10] = [
    "/verdict",
    "/reason",
    "/states",
    "/transitions",
    "/depth",
    "/terminal",
    "/error",
    "/path",
    "/trace",
    "/nonterminating",
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        set_up();
    }
    let chosen = some_programs(USUAL, |_| true).into_iter();
    let mut trials: Vec<Trial> = chosen
        .map(|(program, directives)| {
            Trial::test(program.name.clone(), move || agree(&program, &directives))
        })
        .collect();
    trials.push(Trial::test("a folder that is missing", || {
        let source = root().join("examples/counter.c");
        let folder = ["--states-on-disk", "/no/such/folder"].map(Into::into);
        let words = ["check".into(), source.into_os_string()]
            .into_iter()
            .chain(folder);
        let output = impasse_process(words);
        let errors = String::from_utf8_lossy(&output.stderr);
        match output.status.code() == Some(2) && errors.contains("/no/such/folder") {
            true => Ok(()),
            false => Err(format!("{}: {errors}", output.status).into()),
        }
    }));
    for hangs in ["off", "local"] {
        let name = format!("ten times the limit on memory, hangs {hangs}");
        trials.push(Trial::test(name, move || ends_within(hangs)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Fails unless a check on disk ends as one in memory does, where the states take ten times the
/// limit on memory, and has few of them in memory.
fn ends_within(hangs: &str) -> Result<(), Failed> {
    let run = |options: &[&str]| -> Result<Value, Failed> {
        let source = root().join("benches/programs/tables.c");
        let source = source.to_str().ok_or("a file with a strange name")?;
        let check = ["check", source, "-DN=370", "-DSIZE=4096", "--por", "full"];
        let options = [&["--hangs", hangs, "--format", "json"], options].concat();
        let output = impasse_process([&check[..], &options].concat());
        Ok(serde_json::from_slice(&output.stdout)?)
    };
    let bytes = |report: &Value, of: &str| report[of].as_f64().unwrap_or_default();
    let in_memory = run(&[])?;
    let limit = f64::from(50 << 20);
    if bytes(&in_memory, "state_bytes") < 10.0 * limit {
        return Err(format!("there are too few states: {}", summary(&in_memory)).into());
    }
    let within = ["--max-memory", "50M"];
    let stopped = run(&within)?;
    if stopped["verdict"] != "inconclusive" {
        return Err(format!("the limit does not hold: {}", summary(&stopped)).into());
    }
    let folder = std::env::temp_dir();
    let folder = folder.to_str().ok_or("a folder with a strange name")?;
    let on_disk = run(&[&within[..], &["--states-on-disk", folder]].concat())?;
    let differs = |field: &&&str| in_memory.pointer(field) != on_disk.pointer(field);
    if let Some(field) = FIELDS.iter().find(differs) {
        let (one, other) = (summary(&in_memory), summary(&on_disk));
        return Err(format!("{field} differs: {one} / on disk {other}").into());
    }
    // Pages that threads touch before they notice that memory is short do not count: how many there
    // are depends on how busy the machine is.
    match bytes(&on_disk, "peak_memory_bytes") {
        peak if peak < bytes(&in_memory, "state_bytes") => Ok(()),
        peak => Err(format!("{peak} bytes of memory were used").into()),
    }
}

/// Fails unless a check with states on disk reports what one in memory does.
fn agree(program: &Program, directives: &Directives) -> Result<(), Failed> {
    let folder = std::env::temp_dir();
    let folder = folder.to_str().ok_or("a folder with a strange name")?;
    let on_disk = ["--states-on-disk", folder, "--states-in-memory", "64"];
    for por in ["persistent", "full"] {
        if directives
            .words("flags")
            .iter()
            .any(|flag| flag.starts_with("--por"))
        {
            continue;
        }
        let in_memory = check(program, directives, &["--threads", "1", "--por", por])?;
        let options = [&on_disk[..], &["--threads", "2", "--por", por]].concat();
        let other = check(program, directives, &options)?;
        let differs = |field: &&&str| in_memory.pointer(field) != other.pointer(field);
        // What a limit on time ends depends on the time.
        let stopped = |report: &Value| {
            report["reason"]
                .as_str()
                .is_some_and(|it| it.contains("--max-time"))
        };
        if stopped(&in_memory) || stopped(&other) {
            continue;
        }
        if let Some(field) = FIELDS.iter().find(differs) {
            let (one, other) = (summary(&in_memory), summary(&other));
            return Err(format!("{field} differs: {one} / on disk {other}").into());
        }
    }
    Ok(())
}
