//! Random programs of two threads that copy and fill memory which both see: what the machine makes
//! of `memcpy`, assignments and arguments must be what loops over words make of them, in ascending
//! or in descending order, and no more than what loops over bytes make.
//!
//! One program reads from its arguments what its threads do. `IMPASSE_PROGRAMS` in the environment
//! says how many of them to try instead of the usual number.

#[path = "../common/mod.rs"]
mod common;

use common::{link, outcomes, try_in_batches};
use impasse_machine::base::hangs::Hangs;
use impasse_machine::base::options::MemoryModelName;
use impasse_machine::base::options::{Options, Por};
use impasse_machine::system::System;
use libtest_mimic::Failed;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

/// How many programs are tried.
const USUAL: u64 = 60;
/// How many in one go, in one system.
const AT_ONCE: u64 = 20;
/// How the program copies, as it takes it.
#[derive(Clone, Copy)]
enum Manner {
    Directly,
    ByWords,
    ByBytes,
}

fn main() -> ExitCode {
    try_in_batches(USUAL, AT_ONCE, test)
}

fn test(numbers: Range<u64>) -> Result<(), Failed> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/copies/program.c");
    let program = link(&source, "copies.c").map_err(|error| error.to_string())?;
    let mut system = System::new(program, Options::default())?;
    let mut torn = 0;
    for number in numbers.clone() {
        let threads = threads(number);
        let direct;
        (system, direct) = outcomes(system, options(number, Manner::Directly, &threads))?;
        let words;
        (system, words) = outcomes(system, options(number, Manner::ByWords, &threads))?;
        torn += u64::from(words.len() > 2);
        if direct != words {
            let lacks: Vec<_> = words.difference(&direct).collect();
            let invents: Vec<_> = direct.difference(&words).collect();
            return Err(
                format!("{number}: {threads:?}: lacks {lacks:?}, invents {invents:?}").into(),
            );
        }
        // These take long.
        if number.is_multiple_of(20) {
            let bytes;
            (system, bytes) = outcomes(system, options(number, Manner::ByBytes, &threads))?;
            if !words.is_subset(&bytes) {
                return Err(format!("{number}: {threads:?}: words find what bytes do not").into());
            }
        }
    }
    let count = numbers.end - numbers.start;
    match count < AT_ONCE || torn > count / 10 {
        true => Ok(()),
        false => Err(format!("{torn} of {count} programs can tell: that tests little").into()),
    }
}

/// What the threads of the program with a number do: a letter, an offset and a length for each
/// operation.
fn threads(number: u64) -> [String; 2] {
    let mut random = fastrand::Rng::with_seed(number);
    let letter = |n: usize| (b'a' + n as u8) as char;
    let mut thread = |letters: &[u8], counts: Range<usize>| -> String {
        let count = random.usize(counts);
        let mut operation = || {
            let name = *random.choice(letters).expect("a letter") as char;
            let offset = random.usize(0..8);
            let bytes = random.usize(1..=11);
            [name, letter(offset), letter(bytes)]
        };
        (0..count).flat_map(|_| operation()).collect()
    };
    [
        thread(b"cdlsmnfabvij", 1..2),
        thread(b"clsfiorwxorwx", 1..3),
    ]
}

/// What threads do in one manner of copying.
fn options(number: u64, manner: Manner, threads: &[String; 2]) -> Options {
    let words = ["program".into(), (manner as u32).to_string()];
    let memory_model = match number % 5 {
        4 => MemoryModelName::Tso,
        _ => MemoryModelName::SequentialConsistency,
    };
    Options {
        arguments: words.into_iter().chain(threads.iter().cloned()).collect(),
        leaks: false,
        races: false,
        hangs: Hangs::Off,
        outcomes: true,
        memory_model,
        por: [Por::Full, Por::Local, Por::Off][number as usize % 3],
        ..Options::default()
    }
}
