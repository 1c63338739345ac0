//! Random programs of two and three threads that use atomics of all orders, fences, locks, attempts
//! to lock, and semaphores: a data race must be found exactly where one of their interleavings has
//! one by the definition, with steps remembered and the whole reduction, and in one other way.
//!
//! One program reads from its arguments what its threads do. `IMPASSE_PROGRAMS` in the environment
//! says how many of them to try instead of the usual number.

#[path = "../common/mod.rs"]
mod common;
mod interleavings;
#[path = "../../../machine/src/state/happens_before/reference.rs"]
#[allow(dead_code, reason = "the programs here have no buffers")]
mod reference;

use common::{link, try_in_batches};
use impasse_machine::base::fault::ErrorKind;
use impasse_machine::base::hangs::Hangs;
use impasse_machine::base::options::{Options, Por, Tracking};
use impasse_machine::machine::futures::Futures;
use impasse_machine::state::weak::Weak;
use impasse_machine::system::System;
use impasse_search::{Search, Strategy, Verdict};
use interleavings::{Operation, any_races};
use libtest_mimic::Failed;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

/// How many programs are tried.
const USUAL: u64 = 80;
/// How many in one go, in one system.
const AT_ONCE: u64 = 40;
/// The letters of operations, as often as they are wanted, each with the orders that it can have.
const LETTERS: [(&str, &[u8]); 7] = [
    ("wwwwrr", &[0]),
    ("lll", &[0, 2, 5]),
    ("sss", &[0, 3, 5]),
    ("uu", &[0, 2, 3, 4, 5]),
    ("f", &[2, 3, 4, 5]),
    ("LTTUptv", &[0]),
    ("?????i", &[0]),
];

fn main() -> ExitCode {
    try_in_batches(USUAL, AT_ONCE, test)
}

fn test(numbers: Range<u64>) -> Result<(), Failed> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/races/program.c");
    let program = link(&source, "races.c").map_err(|error| error.to_string())?;
    let mut system = System::new(program, Options::default())?;
    let mut racing = 0;
    for number in numbers.clone() {
        let programs = programs(number);
        let expected = any_races(&programs);
        racing += expected as u64;
        let words: Vec<String> = programs.iter().map(|program| in_letters(program)).collect();
        let other = [
            (Por::Full, true),
            (Por::Full, false),
            (Por::Local, true),
            (Por::Off, false),
        ];
        for (por, step_cache) in [(Por::Persistent, true), other[number as usize % 4]] {
            let found = races(&mut system, &words, por, step_cache)?;
            if found != expected {
                let found = if found { "a race" } else { "no race" };
                return Err(format!(
                    "{number}: {words:?}: {found}, {por:?}, step_cache {step_cache}"
                )
                .into());
            }
        }
    }
    let count = numbers.end - numbers.start;
    match count < 20 || (count / 8..count * 7 / 8).contains(&racing) {
        true => Ok(()),
        false => Err(format!("{racing} of {count} programs race: that tests little").into()),
    }
}

/// The threads of the program with a number.
fn programs(number: u64) -> Vec<Vec<Operation>> {
    let mut random = fastrand::Rng::with_seed(number);
    let threads = 2 + (random.u8(..4) == 0) as usize;
    let operations = if threads == 2 { 2..=5 } else { 2..=3 };
    let places = random.usize(1..=2);
    let operation = |random: &mut fastrand::Rng| {
        let all: usize = LETTERS.iter().map(|(letters, _)| letters.len()).sum();
        let mut chosen = random.usize(..all);
        let mut groups = LETTERS.iter();
        let (letters, orders) = loop {
            let group = groups.next().expect("a group for each number");
            if chosen < group.0.len() {
                break group;
            }
            chosen -= group.0.len();
        };
        let letter = letters.as_bytes()[chosen] as char;
        Operation {
            // Atomics that only count tell no thread anything.
            letter: match letter {
                'l' | 's' | 'u' if number.is_multiple_of(3) => 'k',
                letter => letter,
            },
            place: random.usize(..places),
            order: *random.choice(*orders).expect("an order"),
        }
    };
    let thread = |random: &mut fastrand::Rng| {
        let count = random.usize(operations.clone());
        (0..count).map(|_| operation(random)).collect()
    };
    (0..threads).map(|_| thread(&mut random)).collect()
}

fn in_letters(program: &[Operation]) -> String {
    let word = |o: &Operation| format!("{}{}{}", o.letter, o.place, o.order);
    program.iter().map(word).collect()
}

/// Whether Impasse finds a race.
fn races(
    system: &mut System,
    words: &[String],
    por: Por,
    step_cache: bool,
) -> Result<bool, String> {
    system.options = Options {
        arguments: ["program".into()]
            .into_iter()
            .chain(words.iter().cloned())
            .collect(),
        leaks: false,
        hangs: Hangs::Off,
        por,
        step_cache,
        ..Options::default()
    };
    system.tracking = Tracking::Nothing;
    system.weak = Weak::default();
    system.futures = Futures::default();
    let found = search(system)?;
    if found || !system.needs_history() {
        return Ok(found);
    }
    system.tracking = Tracking::Accesses;
    system.futures = Futures::default();
    search(system)
}

fn search(system: &System) -> Result<bool, String> {
    let search = Search::new(&system)
        .threads(NonZeroUsize::MIN)
        .strategy(Strategy::BreadthFirst);
    let outcome = impasse_explore::search(search);
    match &outcome.verdict {
        Verdict::Fault { fault, .. } if fault.kind == ErrorKind::DataRace => Ok(true),
        Verdict::Exhausted if outcome.omissions.is_empty() => Ok(false),
        Verdict::Exhausted => Err(format!("omitted {}", outcome.omissions[0].what)),
        Verdict::Fault { fault, .. } => Err(format!("{:?}: {}", fault.kind, fault.message)),
        Verdict::Stopped(reason) => Err(format!("stopped: {reason:?}")),
        Verdict::Hang { .. } => Err("a hang".into()),
    }
}
