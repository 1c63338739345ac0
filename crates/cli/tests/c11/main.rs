//! Random programs of two to four threads with atomics and fences of all orders, and plain
//! variables: under `c11` they must have a data race, or exactly the outcomes, that the axioms of
//! RC11 give them.
//!
//! One program reads from its arguments what its threads do. `IMPASSE_PROGRAMS` in the environment
//! says how many of them to try instead of the usual number.

mod axioms;
#[path = "../common/mod.rs"]
mod common;
mod random;

use axioms::{Behaviour, Kind, Operation, Outcome, behaviour};
use common::{link, try_in_batches};
use impasse_machine::base::fault::ErrorKind;
use impasse_machine::base::hangs::Hangs;
use impasse_machine::base::options::{Clocks, MemoryModelName, Options, Por, Tracking};
use impasse_machine::machine::futures::Futures;
use impasse_machine::machine::outcomes::Outcomes;
use impasse_machine::state::undecided::Undecided;
use impasse_machine::state::weak::{Unread, Weak};
use impasse_machine::system::System;
use impasse_program::instruction::Ordering;
use impasse_search::{Search, Verdict};
use libtest_mimic::Failed;
use random::{counting_program, program_of};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, Mutex, OnceLock};

/// How many programs are tried.
const USUAL: u64 = 400;
/// How many atomics there are.
const ATOMICS: u8 = 3;
/// How many in one go, in one system.
const AT_ONCE: u64 = 100;

fn main() -> ExitCode {
    let code = try_in_batches(USUAL, AT_ONCE, |numbers| {
        let mut batch = test(numbers.clone())?;
        batch.absorb(&test_counting(numbers)?);
        TALLY
            .lock()
            .expect("no test panics meanwhile")
            .absorb(&batch);
        Ok(())
    });
    let tally = TALLY.lock().expect("no test panics meanwhile");
    match tally.tests_enough() {
        true => code,
        false => {
            eprintln!("that tests little: {tally:?}");
            ExitCode::FAILURE
        }
    }
}

/// What there was to be found in all programs that were tried.
static TALLY: LazyLock<Mutex<Tally>> = LazyLock::new(Mutex::default);

/// How many programs there were of each sort.
#[derive(Default, Debug)]
struct Tally {
    tried: u64,
    racing: u64,
    /// Sequentially consistent actions need not be ordered as they are executed.
    twice: u64,
    /// What is read by read-modify-writes alone is taken for unread, rightly.
    unread: u64,
    /// A search for races of adjacent accesses alone finds one,
    adjacent_racing: u64,
    /// or finds that there is none.
    adjacent_verified: u64,
    /// Atomics have plain accesses as well.
    plainly: u64,
    plainly_racing: u64,
    /// A search without what no thread accesses later gives all outcomes.
    shortened: u64,
    counting_racing: u64,
    counting: u64,
}

impl Tally {
    fn absorb(&mut self, other: &Tally) {
        self.tried += other.tried;
        self.racing += other.racing;
        self.twice += other.twice;
        self.unread += other.unread;
        self.adjacent_racing += other.adjacent_racing;
        self.adjacent_verified += other.adjacent_verified;
        self.plainly += other.plainly;
        self.plainly_racing += other.plainly_racing;
        self.shortened += other.shortened;
        self.counting_racing += other.counting_racing;
        self.counting += other.counting;
    }

    /// Counts what a search for races of adjacent accesses alone has found. Fails if that is wrong.
    /// `is_partial` says that the order in which sequentially consistent actions are executed need
    /// not give everything.
    fn check_adjacent(
        &mut self,
        expected: &Behaviour,
        found: &Found,
        is_partial: bool,
    ) -> Result<(), String> {
        match (expected, found) {
            (_, Found::WeakRead) => Ok(()),
            (Behaviour::Races, Found::Race) => {
                self.adjacent_racing += 1;
                Ok(())
            }
            (_, Found::Race) => Err("there is no adjacent race".into()),
            (_, Found::Outcomes(_)) if is_partial => Ok(()),
            (Behaviour::Races, _) => Err("an adjacent race is not found".into()),
            (Behaviour::Outcomes(expected), Found::Outcomes(found)) => {
                self.adjacent_verified += 1;
                same(&in_words(expected), found)
            }
        }
    }

    /// Returns whether each sort was tried often enough. Few programs need not have all sorts.
    fn tests_enough(&self) -> bool {
        let tried = self.tried;
        let both = 1..tried / 2;
        tried < USUAL
            || both.contains(&self.twice)
                && both.contains(&self.racing)
                && self.unread > tried / 200
                && self.adjacent_racing > tried / 50
                && self.adjacent_verified > tried / 20
                && self.plainly > tried / 100
                && self.plainly_racing > tried / 100
                && self.shortened > tried / 20
                && self.counting_racing > tried / 20
                && self.counting > tried / 5
    }
}

/// Programs in which nothing is weaker than sequentially consistent but what only counts: a search
/// under sequential consistency finds what the axioms say.
fn test_counting(numbers: Range<u64>) -> Result<Tally, Failed> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c11/program.c");
    let program = link(&source, "c11.c").map_err(|error| error.to_string())?;
    let mut system = System::new(program, options(&[]))?;
    let mut tally = Tally::default();
    for number in numbers {
        let threads = counting_program(number);
        let words: Vec<String> = threads.iter().map(|thread| in_letters(thread)).collect();
        let fail = |what: String| Failed::from(format!("counting {number}: {words:?}: {what}"));
        system.tracking = Tracking::Nothing;
        system.weak = Weak::default();
        let sc = (&words[..], Por::Persistent, MemoryModelName::Auto);
        let found = explore_under(&mut system, sc, Futures::default()).map_err(&fail)?;
        if found != Found::Race && (system.weak.is_any_weaker() || system.needs_history()) {
            return Err(fail("threads seem to see what only counts".into()));
        }
        match (behaviour(&threads, ATOMICS), found) {
            (Behaviour::Races, Found::Race) => tally.counting_racing += 1,
            (Behaviour::Outcomes(expected), Found::Outcomes(found)) => {
                let is_kept =
                    |&(thread, at, _): &(usize, usize, u8)| threads[thread][at].kind != Kind::Count;
                let expected = expected.into_iter().map(|(last, reads)| {
                    let reads = reads.into_iter().filter(is_kept).collect();
                    (last, reads)
                });
                same(&in_words(&expected.collect()), &found).map_err(fail)?;
                let mut all = threads.iter().flatten();
                tally.counting += u64::from(all.any(|o| o.kind == Kind::Count));
            }
            (Behaviour::Races, _) => return Err(fail("a race is not found".into())),
            (_, Found::Race) => return Err(fail("there is no race".into())),
            (_, Found::WeakRead) => return Err(fail("a read is left out".into())),
        }
    }
    Ok(tally)
}

fn test(numbers: Range<u64>) -> Result<Tally, Failed> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c11/program.c");
    let program = link(&source, "c11.c").map_err(|error| error.to_string())?;
    let mut system = System::new(program, options(&[]))?;
    let mut tally = Tally {
        tried: numbers.end - numbers.start,
        ..Tally::default()
    };
    for number in numbers {
        let threads = program_of(number);
        let words: Vec<String> = threads.iter().map(|thread| in_letters(thread)).collect();
        let fail = |what: String| Failed::from(format!("{number}: {words:?}: {what}"));
        system.follows_psc = number % 4 == 0;
        // Whatever is taken for unread: the search notes what it misses.
        let takes_for_unread = number % 4 == 1;
        system.unread = match takes_for_unread {
            true => Unread::All,
            false => Unread::default(),
        };
        let por = match number % 4 >= 2 {
            true => Por::Persistent,
            false => Por::Full,
        };
        // The program has one that some of its arguments lead to.
        let has_fences = words.iter().any(|word| word.contains('f'));
        system.fences = OnceLock::from(has_fences);
        let expected = behaviour(&threads, ATOMICS);
        let first = explore_adjacent(&mut system, (&words, por)).map_err(&fail)?;
        let is_noted = system.undecided.is_noted(false) || system.follows_psc;
        tally
            .check_adjacent(&expected, &first, is_noted)
            .map_err(&fail)?;
        let mut found = explore(&mut system, (&words, por), Futures::default()).map_err(&fail)?;
        let is_noted = system.undecided.is_noted(false);
        if number % 4 >= 2 {
            // Again, without what no thread accesses later, by what was observed.
            let futures = std::mem::take(&mut system.futures);
            futures.drop_unused();
            let undecided = std::mem::take(&mut system.undecided);
            let again = explore(&mut system, (&words, por), futures).map_err(&fail)?;
            if again != found {
                return Err(fail("what is dropped as unused is used".into()));
            }
            if let (Behaviour::Outcomes(expected), Found::Outcomes(again)) = (&expected, &again)
                && !system.undecided.is_noted(false)
            {
                tally.shortened += 1;
                same(&in_words(expected), again)
                    .map_err(|what| fail(format!("without what is unused, {what}")))?;
            }
            system.undecided = undecided;
        }
        tally.unread += u64::from(takes_for_unread && !is_noted);
        if matches!(found, Found::Outcomes(_)) && is_noted {
            tally.twice += 1;
            let before = found;
            (system.follows_psc, system.unread) = (true, Unread::default());
            found = explore(&mut system, (&words, por), Futures::default()).map_err(&fail)?;
            if !before.is_within(&found) {
                return Err(fail("the second search finds less".into()));
            }
        }
        let plainly = words.iter().any(|word| word.contains(['R', 'W']));
        match (expected, found) {
            (Behaviour::Races, Found::Race) => {
                tally.racing += 1;
                tally.plainly_racing += u64::from(plainly);
            }
            (Behaviour::Outcomes(expected), Found::Outcomes(found)) => {
                same(&in_words(&expected), &found).map_err(fail)?;
                tally.plainly += u64::from(plainly);
            }
            (Behaviour::Races, _) => return Err(fail("a race is not found".into())),
            (_, Found::Race) => return Err(fail("there is no race".into())),
            (_, Found::WeakRead) => return Err(fail("a read is left out".into())),
        }
    }
    Ok(tally)
}

/// What Impasse finds.
#[derive(PartialEq)]
enum Found {
    Race,
    /// A read does not synchronise, which needs another search.
    WeakRead,
    Outcomes(BTreeSet<String>),
}

impl Found {
    fn is_within(&self, other: &Found) -> bool {
        match (self, other) {
            (Found::Outcomes(these), Found::Outcomes(those)) => these.is_subset(those),
            _ => true,
        }
    }
}

/// The argument for a thread. One that joins is the main thread.
fn in_letters(thread: &[Operation]) -> String {
    let is_main = thread.iter().any(|o| o.kind == Kind::Join);
    let word = |o: &Operation| {
        let (letter, expected) = match o.kind {
            Kind::Load => ('l', 0),
            Kind::Store => ('s', 0),
            Kind::Exchange => ('x', 0),
            Kind::CompareExchange(expected, Ordering::Acquire) => ('C', expected),
            Kind::CompareExchange(expected, _) => ('c', expected),
            Kind::Fence => ('f', 0),
            Kind::Read => ('r', 0),
            Kind::Write => ('w', 0),
            Kind::ReadPlainly => ('R', 0),
            Kind::WritePlainly => ('W', 0),
            Kind::Skip => ('?', 0),
            Kind::Add => ('a', 0),
            Kind::Count => ('k', 0),
            Kind::StoreLast => ('d', 0),
            Kind::Join => ('j', 0),
        };
        let order = match o.order {
            Ordering::Acquire => 2,
            Ordering::Release => 3,
            Ordering::AcquireRelease => 4,
            Ordering::SequentiallyConsistent => 5,
            _ => 0,
        };
        let digit = |n: u8| char::from(b'0' + n);
        let digits = [o.place, order, o.value, expected].map(digit);
        format!("{letter}{}", digits.iter().collect::<String>())
    };
    let words: String = thread.iter().map(word).collect();
    if is_main { format!("m{words}") } else { words }
}

/// Outcomes as Impasse prints them.
fn in_words(outcomes: &BTreeSet<Outcome>) -> BTreeSet<String> {
    let word = |(last, reads): &Outcome| {
        let atomics = ["x", "y", "z"].iter().zip(last);
        let mut words: Vec<String> = atomics
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        for (thread, operation) in (0..4).flat_map(|t| (0..5).map(move |n| (t, n))) {
            let read = reads
                .iter()
                .find(|(t, n, _)| (*t, *n) == (thread, operation));
            let value = read.map_or(0, |(_, _, value)| *value);
            words.push(format!("r{thread}{operation}={value}"));
        }
        words.join(" ")
    };
    outcomes.iter().map(word).collect()
}

fn same(expected: &BTreeSet<String>, found: &BTreeSet<String>) -> Result<(), String> {
    let missing: Vec<_> = expected.difference(found).collect();
    let wrong: Vec<_> = found.difference(expected).collect();
    match missing.is_empty() && wrong.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "{missing:?} are missing, {wrong:?} are not possible"
        )),
    }
}

fn options(words: &[String]) -> Options {
    Options {
        arguments: ["program".into()]
            .into_iter()
            .chain(words.iter().cloned())
            .collect(),
        leaks: false,
        hangs: Hangs::Off,
        outcomes: true,
        // Persistent sets are used where no clock is read.
        clocks: Clocks::Unread,
        memory_model: MemoryModelName::C11,
        ..Options::default()
    }
}

/// Looks for races of adjacent accesses alone, with *psc* as the order of execution.
fn explore_adjacent(system: &mut System, (words, por): (&[String], Por)) -> Result<Found, String> {
    let psc = std::mem::take(&mut system.follows_psc);
    system.tracking = Tracking::Messages;
    let found = explore(system, (words, por), Futures::default());
    system.tracking = Tracking::Accesses;
    system.follows_psc = psc;
    found
}

fn explore(
    system: &mut System,
    (words, por): (&[String], Por),
    futures: Futures,
) -> Result<Found, String> {
    explore_under(system, (words, por, MemoryModelName::C11), futures)
}

fn explore_under(
    system: &mut System,
    (words, por, memory_model): (&[String], Por, MemoryModelName),
    futures: Futures,
) -> Result<Found, String> {
    system.options = Options {
        por,
        memory_model,
        ..options(words)
    };
    system.outcomes = Outcomes::new(&system.program, true);
    system.undecided = Undecided::default();
    system.guesses = Default::default();
    system.weak_read = AtomicBool::new(false);
    system.futures = futures;
    let system = &*system;
    let search = Search::new(&system).threads(NonZeroUsize::MIN);
    let outcome = impasse_explore::search(search);
    match &outcome.verdict {
        Verdict::Fault { fault, .. } if fault.kind == ErrorKind::DataRace => Ok(Found::Race),
        Verdict::Fault { fault, .. } => Err(format!("{:?}: {}", fault.kind, fault.message)),
        Verdict::Exhausted if system.reads_weakly() => Ok(Found::WeakRead),
        Verdict::Exhausted => {
            let found: BTreeSet<String> = system.outcomes.found().into_iter().collect();
            match outcome.omissions.first() {
                Some(omission) => Err(format!("omitted {}", omission.what)),
                None => Ok(Found::Outcomes(found)),
            }
        }
        Verdict::Stopped(reason) => Err(format!("stopped: {reason:?}")),
        Verdict::Hang { .. } => Err("a hang".into()),
    }
}
