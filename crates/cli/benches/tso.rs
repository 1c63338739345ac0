//! Usage: `cargo bench -p impasse --bench tso [-- NAME]`, where NAME is a part of a program's name
//! and sizes.
//!
//! Each program under sequential consistency and under x86-TSO: states, and the seconds of the
//! search, as a table in Markdown. The search runs on one thread; of three runs the quickest
//! counts. Hangs are looked for, as they are by default.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A program, flags for clang, and options of the check.
struct Row {
    program: &'static str,
    definitions: &'static [&'static str],
    options: &'static [&'static str],
}

const fn row(program: &'static str, definitions: &'static [&'static str]) -> Row {
    Row {
        program,
        definitions,
        options: &[],
    }
}

const ROWS: [Row; 26] = [
    row("benches/programs/peterson2.cpp", &[]),
    row("benches/programs/peterson3.cpp", &[]),
    row("benches/programs/counter.cpp", &["-DTHREADS=3"]),
    row("benches/programs/philosophers.c", &["-DN=6"]),
    row("benches/programs/rwlock.c", &["-DREADERS=5", "-DWRITERS=2"]),
    row("benches/programs/queue.cpp", &["-DITEMS=2"]),
    row(
        "benches/programs/spsc.cpp",
        &["-DCAPACITY=8", "-DVALUES=32"],
    ),
    Row {
        options: &["--store-buffer", "unbounded"],
        ..row(
            "benches/programs/spsc.cpp",
            &["-DCAPACITY=8", "-DVALUES=32"],
        )
    },
    Row {
        options: &["--store-buffer", "4"],
        ..row(
            "benches/programs/spsc.cpp",
            &["-DCAPACITY=8", "-DVALUES=32"],
        )
    },
    row(
        "tests/memory-model/programs/exclusion/peterson-fences.c",
        &["-DROUNDS=2"],
    ),
    row(
        "tests/memory-model/programs/exclusion/dekker-fences.c",
        &["-DROUNDS=2"],
    ),
    row(
        "tests/memory-model/programs/exclusion/bakery-fences.c",
        &["-DROUNDS=2"],
    ),
    row(
        "tests/memory-model/programs/exclusion/fast-mutex-fences.c",
        &["-DROUNDS=2"],
    ),
    row(
        "tests/memory-model/programs/exclusion/szymanski-fences.c",
        &["-DROUNDS=2"],
    ),
    row(
        "tests/memory-model/programs/exclusion/burns-fences.c",
        &["-DROUNDS=2"],
    ),
    Row {
        options: &["--store-buffer", "4"],
        ..row(
            "tests/memory-model/programs/exclusion/burns-fences.c",
            &["-DROUNDS=2"],
        )
    },
    row("tests/memory-model/programs/structure/seqlock.c", &[]),
    row(
        "tests/memory-model/programs/structure/chase-lev-fences.c",
        &[],
    ),
    row("tests/memory-model/programs/structure/treiber.c", &[]),
    row("tests/memory-model/programs/structure/michael-scott.c", &[]),
    row("tests/memory-model/programs/structure/publication.c", &[]),
    row(
        "tests/memory-model/programs/structure/hazard-pointer-fences.c",
        &[],
    ),
    row(
        "tests/memory-model/programs/structure/double-checked-locking.c",
        &[],
    ),
    row(
        "tests/memory-model/programs/structure/spsc-unbounded.c",
        &[],
    ),
    row("tests/memory-model/programs/exclusion/peterson.c", &[]),
    row("tests/memory-model/programs/structure/chase-lev.c", &[]),
];

fn main() {
    let wanted = std::env::args().skip(1).find(|word| word != "--bench");
    println!(
        "| program | SC: states | seconds | TSO: verdict | states | seconds | states, TSO/SC | total |"
    );
    println!("|---|--:|--:|---|--:|--:|--:|--:|");
    for row in &ROWS {
        let name = row.name();
        if wanted.as_ref().is_none_or(|wanted| name.contains(wanted)) {
            let sc = Figures::of(row, "sc");
            let tso = Figures::of(row, "tso");
            println!(
                "| {name} | {} | {:.2} | {} | {} | {:.2} | {:.2} | {:.2} s |",
                sc.states,
                sc.seconds,
                tso.verdict,
                tso.states,
                tso.seconds,
                tso.states as f64 / sc.states as f64,
                tso.total,
            );
        }
    }
}

impl Row {
    fn name(&self) -> String {
        let file = Path::new(self.program).file_name().and_then(|f| f.to_str());
        let file = format!("`{}`", file.expect("a file"));
        let definitions = self.definitions.iter().map(|d| format!("`{}`", &d[2..]));
        let options = self.options.chunks(2).map(|o| format!("`{}`", o.join(" ")));
        let words: Vec<String> = [file]
            .into_iter()
            .chain(definitions)
            .chain(options)
            .collect();
        words.join(" ")
    }
}

/// What a check said and what it took.
struct Figures {
    verdict: String,
    states: u64,
    /// Of the search.
    seconds: f64,
    /// From the start of the process to its end.
    total: f64,
}

impl Figures {
    fn of(row: &Row, model: &str) -> Figures {
        let mut best = Figures::once(row, model);
        for _ in 0..2 {
            let next = Figures::once(row, model);
            best.seconds = best.seconds.min(next.seconds);
            best.total = best.total.min(next.total);
        }
        best
    }

    fn once(row: &Row, model: &str) -> Figures {
        let mut command = Command::new(env!("CARGO_BIN_EXE_impasse"));
        command.env("IMPASSE_HOME", root());
        command.args(["check", "--format", "json", "--threads", "1"]);
        command.args(["--memory-model", model]);
        command.args(row.options);
        command
            .arg(root().join(row.program))
            .arg("--")
            .args(row.definitions);
        let begin = Instant::now();
        let output = command.output().expect("the tool starts");
        let total = begin.elapsed().as_secs_f64();
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        let kind = report["error"]["kind"].as_str();
        Figures {
            verdict: kind
                .or(report["verdict"].as_str())
                .expect("a verdict")
                .into(),
            states: report["states"].as_u64().expect("a number"),
            seconds: report["seconds"].as_f64().expect("a number"),
            total,
        }
    }
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository exists")
}
