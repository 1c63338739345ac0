//! Every litmus test below `tests/litmus`, exhaustively, under each memory model.
//!
//! ```text
//! // litmus: What it shows.
//! // x86: allowed r0=0 r1=0
//! // sc: r0=0 r1=1; r0=1 r1=0; r0=1 r1=1
//! // tso: adds r0=0 r1=0
//! ```
//!
//! `x86` is what is known of the processors: some final values that are `allowed` or `forbidden`. `sc` lists all outcomes under sequential
//! consistency; `tso` says which ones x86-TSO `adds`, or `the same`. The lazy semantics must give these with buffers of any size but the
//! smallest, and the flushers must give the same.
//!
//! With `IMPASSE_BLESS=1` in the environment, what is found is written into the lines `sc` and `tso` instead.

mod common;

use common::{Program, impasse, programs, root, set_up};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        set_up();
    }
    let found = programs(&root().join("tests/litmus")).into_iter();
    let trials = found.map(|program| Trial::test(program.name.clone(), move || test(&program)));
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

type Outcomes = BTreeSet<String>;

fn test(program: &Program) -> Result<(), Failed> {
    let path = &program.files[0];
    let sc = outcomes(path, &["--memory-model", "sc"])?;
    let tso = outcomes(path, &["--memory-model", "tso"])?;
    if std::env::var_os("IMPASSE_BLESS").is_some() {
        bless(path, &sc, &tso);
    }
    let expected = Expected::read(path)?;
    same("sc", &expected.sc, &sc)?;
    same("tso", &expected.tso, &tso)?;
    let flushers = outcomes(path, &["--memory-model", "tso-flusher"])?;
    same("the flushers", &tso, &flushers)?;
    let unbounded = ["--memory-model", "tso", "--store-buffer", "unbounded"];
    same("unbounded buffers", &tso, &outcomes(path, &unbounded)?)?;
    let one = ["--store-buffer", "1", "--memory-model"];
    let lazy = outcomes(path, &[&one[..], &["tso"]].concat())?;
    let flushers = outcomes(path, &[&one[..], &["tso-flusher"]].concat())?;
    same("buffers of one store", &lazy, &flushers)?;
    expected.agrees_with_processors(&tso)
}

fn same(how: &str, expected: &Outcomes, found: &Outcomes) -> Result<(), Failed> {
    match expected == found {
        true => Ok(()),
        false => Err(format!("{how}: expected {expected:?}, but got {found:?}").into()),
    }
}

fn outcomes(path: &Path, options: &[&str]) -> Result<Outcomes, Failed> {
    let mut arguments = vec!["outcomes".into(), path.to_string_lossy().into_owned()];
    arguments.extend(["--threads", "1"].map(str::to_owned));
    arguments.extend(options.iter().map(|&option| option.to_owned()));
    let output = impasse(&arguments);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text.lines().map(str::to_owned).collect()),
        false => {
            let errors = String::from_utf8_lossy(&output.stderr);
            Err(format!("{options:?}: {text}{errors}").into())
        }
    }
}

struct Expected {
    sc: Outcomes,
    tso: Outcomes,
    allowed: bool,
    condition: BTreeSet<String>,
}

impl Expected {
    fn read(path: &Path) -> Result<Expected, Failed> {
        let text = fs::read_to_string(path)?;
        let line = |key: &str| {
            let prefix = format!("// {key}: ");
            let found = text.lines().find_map(|line| line.strip_prefix(&prefix));
            found.ok_or(format!("no line {prefix}"))
        };
        let list = |text: &str| text.split("; ").map(str::to_owned).collect::<Outcomes>();
        let sc = list(line("sc")?);
        let mut tso = sc.clone();
        if let Some(added) = line("tso")?.strip_prefix("adds ") {
            tso.extend(list(added));
        }
        let (answer, condition) = line("x86")?.split_once(' ').ok_or("no condition")?;
        Ok(Expected {
            sc,
            tso,
            allowed: match answer {
                "allowed" => true,
                "forbidden" => false,
                _ => return Err(format!("x86: {answer}?").into()),
            },
            condition: condition.split(' ').map(str::to_owned).collect(),
        })
    }

    fn agrees_with_processors(&self, found: &Outcomes) -> Result<(), Failed> {
        let holds = |outcome: &&String| {
            let values: BTreeSet<String> = outcome.split(' ').map(str::to_owned).collect();
            self.condition.is_subset(&values)
        };
        let names = |values: &BTreeSet<String>| -> BTreeSet<String> {
            let name = |value: &String| value.split('=').next().unwrap_or_default().to_owned();
            values.iter().map(name).collect()
        };
        let first = found.first().ok_or("no outcome")?;
        let known = names(&first.split(' ').map(str::to_owned).collect());
        if !names(&self.condition).is_subset(&known) {
            return Err(format!("{:?} is not about {first}", self.condition).into());
        }
        match (self.allowed, found.iter().find(holds)) {
            (true, None) => Err("what x86 allows does not happen".into()),
            (false, Some(outcome)) => Err(format!("x86 forbids {outcome}").into()),
            _ => Ok(()),
        }
    }
}

/// Writes what was found into a test.
fn bless(path: &Path, sc: &Outcomes, tso: &Outcomes) {
    let list = |outcomes: &mut dyn Iterator<Item = &String>| {
        let outcomes: Vec<&str> = outcomes.map(String::as_str).collect();
        outcomes.join("; ")
    };
    let added = match tso == sc {
        true => "the same".to_owned(),
        false => format!("adds {}", list(&mut tso.difference(sc))),
    };
    let text = fs::read_to_string(path).expect("a litmus test");
    let line = |line: &str| match line.split_once(": ") {
        Some(("// sc", _)) => format!("// sc: {}\n", list(&mut sc.iter())),
        Some(("// tso", _)) => format!("// tso: {added}\n"),
        _ => format!("{line}\n"),
    };
    let text: String = text.lines().map(line).collect();
    fs::write(path, text).expect("a litmus test can be written");
}
