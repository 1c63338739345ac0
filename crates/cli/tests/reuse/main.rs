//! Random programs of two threads that allocate, free, and compare addresses that they have kept:
//! what they can find out must be what they find out with an allocator that gives out any address
//! which is not in use.
//!
//! One program reads from its arguments what its threads do. `IMPASSE_PROGRAMS` in the environment
//! says how many of them to try instead of the usual number.

mod allocator;
#[path = "../common/mod.rs"]
mod common;

use allocator::{Operation, outcomes};
use common::{link, outcomes as outcomes_of, try_in_batches};
use impasse_machine::base::hangs::Hangs;
use impasse_machine::base::options::{Options, Por};
use impasse_machine::system::System;
use libtest_mimic::Failed;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

/// How many programs are tried.
const USUAL: u64 = 60;
/// How many in one go, in one system.
const AT_ONCE: u64 = 30;

fn main() -> ExitCode {
    try_in_batches(USUAL, AT_ONCE, test)
}

fn test(numbers: Range<u64>) -> Result<(), Failed> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reuse/program.c");
    let program = link(&source, "reuse.c").map_err(|error| error.to_string())?;
    let mut system = System::new(program, Options::default())?;
    let mut reusing = 0;
    for number in numbers.clone() {
        let programs = programs(number);
        let expected: BTreeSet<String> = outcomes(&programs)
            .into_iter()
            .map(|(first, second)| format!("first={first} second={second}"))
            .collect();
        let por = [Por::Persistent, Por::Full, Por::Local, Por::Off][number as usize % 4];
        let found;
        (system, found) = explore(system, &programs, por)?;
        reusing += u64::from(system.reusing);
        if found != expected {
            let lacks: Vec<_> = expected.difference(&found).collect();
            let invents: Vec<_> = found.difference(&expected).collect();
            let words = programs.each_ref().map(|program| in_letters(program));
            return Err(format!(
                "{number}: {words:?}, {por:?}: lacks {lacks:?}, invents {invents:?}"
            )
            .into());
        }
    }
    let count = numbers.end - numbers.start;
    match count < 20 || reusing > 0 {
        true => Ok(()),
        false => Err(format!("{reusing} of {count} programs can tell: that tests little").into()),
    }
}

/// The threads of the program with a number.
fn programs(number: u64) -> [Vec<Operation>; 2] {
    let mut random = fastrand::Rng::with_seed(number);
    // Numbers; comparisons that access nothing; all comparisons.
    let letters: &[u8] = match random.u8(..4) {
        0 => b"mmnnhhfr",
        1 => b"mmgfw",
        _ => b"mmmggccwxfr",
    };
    let places = random.usize(1..=2);
    let thread = |random: &mut fastrand::Rng, counts: Range<usize>| -> Vec<Operation> {
        let count = random.usize(counts);
        let operation = |random: &mut fastrand::Rng| Operation {
            letter: *random.choice(letters).expect("a letter") as char,
            place: random.usize(..places),
        };
        (0..count).map(|_| operation(random)).collect()
    };
    let first = thread(&mut random, 5..9);
    [first, thread(&mut random, 0..4)]
}

fn in_letters(program: &[Operation]) -> String {
    let word = |o: &Operation| format!("{}{}", o.letter, o.place);
    program.iter().map(word).collect()
}

/// What Impasse says that the threads can find out, and the system that said so last.
fn explore(
    system: System,
    programs: &[Vec<Operation>; 2],
    por: Por,
) -> Result<(System, BTreeSet<String>), String> {
    let words = programs.iter().map(|program| in_letters(program));
    let options = Options {
        arguments: ["program".into()].into_iter().chain(words).collect(),
        leaks: false,
        races: false,
        hangs: Hangs::Off,
        outcomes: true,
        por,
        ..Options::default()
    };
    outcomes_of(system, options)
}
