//! Malformed input ends in an answer or in exit code 2, never in a crash, a panic, or beyond a
//! limit.
//!
//! Files of each kind are changed in a few places and given to the stages that read them, many in
//! one process; a sample goes through the tool itself. A process that dies or gives no sign of life
//! is a failure, and the file that did it is kept. LLVM's reader alone may die, as the tool runs it
//! in a process of its own.
//!
//! `IMPASSE_FUZZ` in the environment says how many files of each kind to try instead of the usual
//! number, and `IMPASSE_FUZZ_FROM` the number of the first one.

#[path = "../common/mod.rs"]
mod common;
mod mutate;
mod seeds;
mod supervise;
mod work;

use libtest_mimic::{Arguments, Trial};
use std::path::PathBuf;
use std::process::ExitCode;

/// What is changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Bytes.
    Bitcode,
    /// Text of LLVM.
    Assembly,
    /// Sources.
    C,
    /// Programs of SHIM.
    Shim,
    /// The proof in a certificate.
    Certificate,
    /// All of what `impasse loops` prints.
    Json,
}

/// The kinds, and how many files of each are tried usually: fewer where each is a run of clang.
const KINDS: [(&str, Kind, u64); 6] = [
    ("bitcode", Kind::Bitcode, 60),
    ("assembly", Kind::Assembly, 60),
    ("c", Kind::C, 4),
    ("shim", Kind::Shim, 60),
    ("certificate", Kind::Certificate, 100),
    ("json", Kind::Json, 10),
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [work, name, from, to] = &words[..]
        && work == "work"
    {
        let number = |text: &String| text.parse().expect("a number");
        let kind = KINDS.iter().find(|(known, ..)| known == name);
        let (_, kind, _) = kind.expect("a kind");
        work::work(*kind, &folder(name), number(from)..number(to));
        return ExitCode::SUCCESS;
    }
    let arguments = Arguments::from_args();
    if !arguments.list {
        common::set_up();
    }
    let number = |name: &str| std::env::var(name).map(|n| n.parse().expect("a number"));
    let from = number("IMPASSE_FUZZ_FROM").unwrap_or(0);
    let trials = KINDS.iter().map(|(name, kind, usual)| {
        let to = from + number("IMPASSE_FUZZ").unwrap_or(*usual);
        Trial::test(*name, move || {
            let folder = folder(name);
            work::prepare(*kind, &folder);
            supervise::run(name, &folder, from..to)
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// Where the files of a kind are made, and stay if they do harm.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("fuzz")
        .join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}
