//! Every litmus test below `tests/memory-model/litmus`, exhaustively, under each memory model.
//!
//! ```text
//! // litmus: What it shows.
//! // x86: allowed r0=0 r1=0
//! // sc: r0=0 r1=1; r0=1 r1=0; r0=1 r1=1
//! // tso: adds r0=0 r1=0
//! ```
//!
//! `x86` is what is known of the processors: some final values that are `allowed` or `forbidden`.
//! `sc` lists all outcomes under sequential consistency; `tso` says which ones x86-TSO `adds`, or
//! `the same`. The lazy semantics must give these with buffers of any size but the smallest, and
//! the flushers must give the same. So must they for programs that are made up.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs are made up instead of the usual
//! number. With `IMPASSE_BLESS=1` in the environment, what is found is written into the lines `sc`
//! and `tso` instead.

mod common;

use common::{Directives, Program, impasse, programs, root, set_up};
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
    let found = programs(&root().join("tests/memory-model/litmus")).into_iter();
    let trials = found.map(|program| Trial::test(program.name.clone(), move || test(&program)));
    let count = std::env::var("IMPASSE_PROGRAMS").map(|n| n.parse().expect("a number"));
    let random = (0..count.unwrap_or(RANDOM))
        .map(|n| Trial::test(format!("random {n}"), move || test_random(n)));
    libtest_mimic::run(&arguments, trials.chain(random).collect()).exit_code()
}

/// How many programs are made up.
const RANDOM: u64 = 40;

/// A program that is made up, by the lazy semantics and by the flushers.
fn test_random(number: u64) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("litmus");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("random-{number}.c"));
    let mut random = fastrand::Rng::with_seed(number);
    fs::write(&path, random_program(&mut random))?;
    let bound = ["1", "2", "unbounded"][random.usize(0..3)];
    // Where races are reported, plain stores take no place in a buffer; with flushers they do.
    let races = match bound {
        "unbounded" => "--races=on",
        _ => "--races=off",
    };
    let options = [races, "--store-buffer", bound, "--memory-model"];
    let lazy = outcomes(&path, &[&options[..], &["tso"]].concat())?;
    let flushers = outcomes(&path, &[&options[..], &["tso-flusher"]].concat())?;
    same(&format!("{}, {bound}", path.display()), &flushers, &lazy)
}

/// Two or three threads that store, load and exchange bytes, halves and the whole of a word and of
/// another one, with fences.
fn random_program(random: &mut fastrand::Rng) -> String {
    let count = random.usize(2..=3);
    let most = if count == 2 { 5 } else { 3 };
    let (mut value, mut loaded) = (0u32, 0);
    let mut functions = String::new();
    for thread in 0..count {
        functions += &format!("static void *thread{thread}(void *argument)\n{{\n");
        for _ in 0..random.usize(1..=most) {
            let place = match random.usize(0..5) {
                0 => format!("w.byte[{}]", random.usize(0..4)),
                1 => format!("w.half[{}]", random.usize(0..2)),
                2 => "w.word".into(),
                _ => "x".into(),
            };
            value += 1;
            let stored = value * 0x0101_0101;
            functions += &match random.usize(0..12) {
                0..6 => {
                    format!("\tatomic_store_explicit(&{place}, {stored}u, memory_order_relaxed);\n")
                }
                6..10 => {
                    loaded += 1;
                    let register = loaded - 1;
                    format!(
                        "\tr{register} = atomic_load_explicit(&{place}, memory_order_relaxed);\n"
                    )
                }
                10 => format!("\tatomic_exchange(&{place}, {stored}u);\n"),
                _ => "\tatomic_thread_fence(memory_order_seq_cst);\n".into(),
            };
        }
        functions += "\treturn argument;\n}\n\n";
    }
    let names: Vec<String> = (0..count).map(|n| format!("thread{n}")).collect();
    let register = |n| format!("IMPASSE_OUTCOME(unsigned, r{n});\n");
    let registers: String = (0..loaded).map(register).collect();
    format!(
        "#include <impasse.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\n\
         union parts {{\n\tatomic_uint word;\n\tatomic_ushort half[2];\n\tatomic_uchar byte[4];\n}};\n\
         IMPASSE_OUTCOME(union parts, w);\nIMPASSE_OUTCOME(atomic_uint, x);\n\
         {registers}\n{functions}\
         int main(void)\n{{\n\tvoid *(*const threads[])(void *) = {{{}}};\n\tpthread_t ids[{count}];\n\
         \tfor (int n = 0; n < {count}; n++)\n\t\tpthread_create(&ids[n], 0, threads[n], 0);\n\
         \tfor (int n = 0; n < {count}; n++)\n\t\tpthread_join(ids[n], 0);\n}}\n",
        names.join(", "),
    )
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
    // Where races are reported, plain stores take no place in a buffer; with flushers they do.
    let one = ["--races=off", "--store-buffer", "1", "--memory-model"];
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
        let directives = Directives::read(path);
        let line = |key: &str| directives.get(key).ok_or(format!("no directive {key}"));
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
    let mut blessed = String::new();
    for line in text.lines().filter(|line| !line.starts_with("//     ")) {
        blessed += &match line.split_once(": ") {
            Some(("// sc", _)) => wrapped("sc", &list(&mut sc.iter())),
            Some(("// tso", _)) => wrapped("tso", &added),
            _ => format!("{line}\n"),
        };
    }
    fs::write(path, blessed).expect("a litmus test can be written");
}

/// A directive, on as many lines as it needs.
fn wrapped(key: &str, text: &str) -> String {
    let mut lines = format!("// {key}:");
    let mut width = lines.len();
    for outcome in text.split_inclusive("; ") {
        let outcome = outcome.trim_end();
        if width + 1 + outcome.len() > 100 {
            lines += "\n//    ";
            width = 6;
        }
        lines += &format!(" {outcome}");
        width += 1 + outcome.len();
    }
    lines + "\n"
}
