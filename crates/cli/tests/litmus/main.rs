//! Every litmus test below `tests/memory-model/litmus`, exhaustively, under each memory model.
//!
//! ```text
//! // litmus: What it shows.
//! // x86: allowed r0=0 r1=0
//! // sc: r0=0 r1=1; r0=1 r1=0; r0=1 r1=1
//! // tso: adds r0=0 r1=0
//! // c11: adds r0=0 r1=0
//! ```
//!
//! `x86` is what is known of the processors: some final values that are `allowed` or `forbidden`.
//! `sc` lists all outcomes under sequential consistency; `tso` and `c11` say which ones x86-TSO and
//! C11 `adds`, or `the same`. The lazy semantics of x86-TSO must give these with buffers of any
//! size but the smallest, and the flushers must give the same. So must they for programs that are
//! made up. What x86-TSO permits, C11 must permit as well.
//!
//! The table in `docs/memory-models.md` is made of these lines.
//!
//! The axioms of RC11 must give the outcomes under C11, unless `// no-axioms:` says what the test
//! has that they do not know. Under `// c11: inconclusive` Impasse must say that it does not
//! support the test.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs are made up instead of the usual
//! number. With `IMPASSE_BLESS=1` in the environment, what is found is written into the lines `sc`,
//! `tso` and `c11` instead.

mod abstraction;
// No litmus test drops what it reads.
#[allow(dead_code)]
#[path = "../c11/axioms.rs"]
mod axioms;
#[path = "../common/mod.rs"]
mod common;
mod expected;
mod table;

use abstraction::Abstraction;
use common::{Program, impasse, programs, root, set_up};
use expected::{Expected, OfC11, Outcomes, bless};
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::Path;
use std::process::{ExitCode, Output};

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
    let table = Trial::test(table::PAGE, table::test);
    let trials = trials.chain(random).chain([table]);
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
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

fn test(program: &Program) -> Result<(), Failed> {
    let path = &program.files[0];
    let sc = outcomes(path, &["--memory-model", "sc"])?;
    let tso = outcomes(path, &["--memory-model", "tso"])?;
    let c11 = under_c11(path)?;
    if std::env::var_os("IMPASSE_BLESS").is_some() {
        bless(path, &sc, &tso, &c11);
    }
    let expected = Expected::read(path)?;
    same("sc", &expected.sc, &sc)?;
    same("tso", &expected.tso, &tso)?;
    check_c11(path, &expected, &c11)?;
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

/// What Impasse finds under C11 is what the test and the axioms say.
fn check_c11(path: &Path, expected: &Expected, found: &OfC11) -> Result<(), Failed> {
    let by_axioms = Abstraction::read(&fs::read_to_string(path)?);
    let by_axioms = match (by_axioms, &expected.no_axioms) {
        (Ok(abstraction), None) => Some(abstraction.outcomes()?),
        (Err(_), Some(_)) => None,
        (Err(what), None) => return Err(format!("no program for the axioms: {what}").into()),
        (Ok(_), Some(_)) => return Err("it is a program for the axioms".into()),
    };
    match (&expected.c11, found) {
        (OfC11::Inconclusive, OfC11::Inconclusive) if by_axioms.is_none() => Ok(()),
        (OfC11::Outcomes(expected_outcomes), OfC11::Outcomes(found)) => {
            same("c11", expected_outcomes, found)?;
            if let Some(by_axioms) = by_axioms {
                same("the axioms", &by_axioms, found)?;
            }
            let missing: Vec<_> = expected.tso.difference(found).collect();
            match missing.is_empty() {
                true => Ok(()),
                false => Err(format!("x86-TSO permits {missing:?}, but C11 does not").into()),
            }
        }
        (expected, found) => Err(format!("c11: expected {expected:?}, but got {found:?}").into()),
    }
}

fn same(how: &str, expected: &Outcomes, found: &Outcomes) -> Result<(), Failed> {
    match expected == found {
        true => Ok(()),
        false => Err(format!("{how}: expected {expected:?}, but got {found:?}").into()),
    }
}

fn outcomes(path: &Path, options: &[&str]) -> Result<Outcomes, Failed> {
    let output = explore(path, options);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text.lines().map(str::to_owned).collect()),
        false => {
            let errors = String::from_utf8_lossy(&output.stderr);
            Err(format!("{options:?}: {text}{errors}").into())
        }
    }
}

fn under_c11(path: &Path) -> Result<OfC11, Failed> {
    let options = ["--memory-model", "c11"];
    let output = explore(path, &options);
    let text = String::from_utf8_lossy(&output.stdout);
    match output.status.code() == Some(3) && text.contains("inconclusive: not supported") {
        true => Ok(OfC11::Inconclusive),
        false => outcomes(path, &options).map(OfC11::Outcomes),
    }
}

fn explore(path: &Path, options: &[&str]) -> Output {
    let mut arguments = vec!["outcomes".into(), path.to_string_lossy().into_owned()];
    arguments.extend(["--threads", "1"].map(str::to_owned));
    arguments.extend(options.iter().map(|&option| option.to_owned()));
    impasse(&arguments)
}
