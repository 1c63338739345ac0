//! Usage: `cargo bench -p impasse --bench exceptions [-- NAME]`, where NAME is a part of a
//! program's name and sizes.
//!
//! What exceptions cost. A table in Markdown: each C++ program of `benches/programs` as it is and
//! with `-fno-exceptions`, on one thread, its states and the processor time of the search. The two
//! are measured in turns, so that other work on the machine touches both, and of all turns the
//! quickest counts. Then what a throw costs that is caught ten frames up.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs and their sizes.
const ROWS: [(&str, &[&str]); 7] = [
    ("peterson3.cpp", &["-DN=4"]),
    ("counter.cpp", &["-DTHREADS=3"]),
    ("counter.cpp", &["-DTHREADS=4"]),
    ("spsc.cpp", &["-DCAPACITY=16", "-DVALUES=256"]),
    ("queue.cpp", &["-DITEMS=2"]),
    ("queue.cpp", &["-DITEMS=3"]),
    ("peterson2.cpp", &[]),
];

/// How often each is measured.
const TURNS: usize = 7;

fn main() {
    let wanted = std::env::args().skip(1).find(|word| word != "--bench");
    println!("| program | states | without exceptions | seconds | without exceptions | times |");
    println!("|---|--:|--:|--:|--:|--:|");
    for (program, definitions) in ROWS {
        let name = [&[program], definitions].concat().join(" ");
        if wanted.as_ref().is_none_or(|wanted| name.contains(wanted)) {
            row(&name, program, definitions);
        }
    }
    if wanted.is_none_or(|wanted| "throws.cpp".contains(&wanted)) {
        println!();
        throws();
    }
}

/// Prints a program's line.
fn row(name: &str, program: &str, definitions: &[&str]) {
    let without = [definitions, &["-fno-exceptions"]].concat();
    let [with, without] = in_turns(program, [definitions, &without]);
    let ratio = match without.seconds >= SHORTEST {
        true => format!("{:.2}", with.seconds / without.seconds),
        false => String::new(),
    };
    println!(
        "| `{name}` | {} | {} | {:.2} | {:.2} | {ratio} |",
        with.states, without.states, with.seconds, without.seconds,
    );
}

/// Below this, a ratio says more of the clock than of the search.
const SHORTEST: f64 = 0.05;

/// Prints what one throw adds to the states and to the time.
fn throws() {
    const MANY: f64 = 2000.0;
    let none = in_turns("throws.cpp", [&["-DTHROWS=0"], &["-DTHROWS=1"]]);
    let many = in_turns("throws.cpp", [&["-DTHROWS=2000"], &["-DTHROWS=4000"]]);
    println!(
        "a throw caught ten frames up: {:.1} microseconds; {} states with one, {} with none",
        (many[1].seconds - many[0].seconds) / MANY * 1e6,
        none[1].states,
        none[0].states,
    );
}

/// What a search did and took.
#[derive(Clone, Copy)]
struct Figures {
    states: u64,
    /// Of the processor, less what a search of one state takes.
    seconds: f64,
}

/// Checks a program compiled in two ways, by turns.
fn in_turns(program: &str, flags: [&[&str]; 2]) -> [Figures; 2] {
    let mut best = [Figures {
        states: 0,
        seconds: f64::INFINITY,
    }; 2];
    let mut starts = [f64::INFINITY; 2];
    for _ in 0..TURNS {
        for (way, flags) in flags.iter().enumerate() {
            starts[way] = starts[way].min(check(program, flags, &["--max-states", "1"]).seconds);
            let figures = check(program, flags, &[]);
            best[way] = Figures {
                states: figures.states,
                seconds: figures.seconds.min(best[way].seconds),
            };
        }
    }
    for (figures, start) in best.iter_mut().zip(starts) {
        figures.seconds = (figures.seconds - start).max(0.0);
    }
    best
}

/// Checks a program once; the seconds are those of the process and its children.
fn check(program: &str, flags: &[&str], options: &[&str]) -> Figures {
    let used = || {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the kernel keeps account");
        (usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6
    };
    let before = used();
    let output = Command::new(env!("CARGO_BIN_EXE_impasse"))
        .env("IMPASSE_HOME", root())
        .args(["check", "--format", "json", "--threads", "1", "--por=full"])
        .args(["--memory-model", "sc"])
        .args(options)
        .arg(root().join("benches/programs").join(program))
        .arg("--")
        .args(flags)
        .output()
        .expect("impasse starts");
    let seconds = used() - before;
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert!(
        !options.is_empty() || report["verdict"] == "verified",
        "{program} {flags:?}: {report}"
    );
    Figures {
        states: report["states"].as_u64().expect("a number"),
        seconds,
    }
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository exists")
}
