//! Random programs of two to four threads with atomics and fences of all orders, and plain
//! variables: under `c11` they must have a data race, or exactly the outcomes, that the axioms of
//! RC11 give them.
//!
//! One program reads from its arguments what its threads do. `IMPASSE_PROGRAMS` in the environment
//! says how many of them to try instead of the usual number.

mod axioms;
#[path = "../common/mod.rs"]
mod common;

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
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// How many programs are tried.
const USUAL: u64 = 400;
/// How many atomics there are.
const ATOMICS: u8 = 3;
/// How many writes there are of one variable.
const MOST_WRITES: u8 = 4;
/// How many in one go, in one system.
const AT_ONCE: u64 = 100;

fn main() -> ExitCode {
    try_in_batches(USUAL, AT_ONCE, |numbers| {
        test(numbers.clone())?;
        test_counting(numbers)
    })
}

/// Programs in which nothing is weaker than sequentially consistent but what only counts: a search
/// under sequential consistency finds what the axioms say.
fn test_counting(numbers: Range<u64>) -> Result<(), Failed> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c11/program.c");
    let program = link(&source, "c11.c").map_err(|error| error.to_string())?;
    let mut system = System::new(program, options(&[]))?;
    let (mut racing, mut counting) = (0, 0);
    for number in numbers.clone() {
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
            (Behaviour::Races, Found::Race) => racing += 1,
            (Behaviour::Outcomes(expected), Found::Outcomes(found)) => {
                let is_kept =
                    |&(thread, at, _): &(usize, usize, u8)| threads[thread][at].kind != Kind::Count;
                let expected = expected.into_iter().map(|(last, reads)| {
                    let reads = reads.into_iter().filter(is_kept).collect();
                    (last, reads)
                });
                same(&in_words(&expected.collect()), &found).map_err(fail)?;
                let mut all = threads.iter().flatten();
                counting += usize::from(all.any(|o| o.kind == Kind::Count));
            }
            (Behaviour::Races, _) => return Err(fail("a race is not found".into())),
            (_, Found::Race) => return Err(fail("there is no race".into())),
            (_, Found::WeakRead) => return Err(fail("a read is left out".into())),
        }
    }
    let count = (numbers.end - numbers.start) as usize;
    match count < 20 || (racing > count / 20 && counting > count / 5) {
        true => Ok(()),
        false => Err(format!(
            "of {count} programs {racing} race, {counting} others count: that tests little"
        )
        .into()),
    }
}

/// The threads of the program with a number, with two atomics, of which the second one only counts.
fn counting_program(number: u64) -> Vec<Vec<Operation>> {
    use Ordering::{Acquire, AcquireRelease, NotAtomic, Relaxed, Release, SequentiallyConsistent};
    let mut random = fastrand::Rng::with_seed(number);
    let threads = random.usize(2..=3);
    let (mut value, mut written) = (0, [0; 2]);
    let mut operation = |random: &mut fastrand::Rng| {
        value += 1;
        let any = [
            Relaxed,
            Acquire,
            Release,
            AcquireRelease,
            SequentiallyConsistent,
        ];
        let (kind, place, order) = match random.u8(..12) {
            0..=3 => (Kind::Count, 1, any[random.usize(..any.len())]),
            4 | 5 => (Kind::Load, 0, SequentiallyConsistent),
            6 | 7 => (Kind::Store, 0, SequentiallyConsistent),
            8 => (Kind::Exchange, 0, SequentiallyConsistent),
            9 => (Kind::Skip, 0, Relaxed),
            10 => (Kind::Read, 0, NotAtomic),
            _ => (Kind::Write, 0, NotAtomic),
        };
        let writes = matches!(kind, Kind::Count | Kind::Store | Kind::Exchange);
        let written = &mut written[usize::from(place)];
        *written += u8::from(writes);
        // All modification orders are tried.
        let kind = match writes && *written > MOST_WRITES {
            true => Kind::Skip,
            false => kind,
        };
        Operation {
            kind,
            place,
            order,
            value: if kind == Kind::Count { 1 } else { value },
        }
    };
    let most = if threads == 2 { 4 } else { 3 };
    let thread = |random: &mut fastrand::Rng| {
        let count = random.usize(1..=most);
        (0..count).map(|_| operation(random)).collect()
    };
    let mut thread = thread;
    (0..threads).map(|_| thread(&mut random)).collect()
}

fn test(numbers: Range<u64>) -> Result<(), Failed> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c11/program.c");
    let program = link(&source, "c11.c").map_err(|error| error.to_string())?;
    let mut system = System::new(program, options(&[]))?;
    let (mut twice, mut racing, mut unread) = (0, 0, 0);
    let mut adjacent = Adjacent::default();
    for number in numbers.clone() {
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
        adjacent.check(&expected, &first, is_noted).map_err(&fail)?;
        let mut found = explore(&mut system, (&words, por), Futures::default()).map_err(&fail)?;
        let is_noted = system.undecided.is_noted(false);
        if number % 4 >= 2 {
            // Again, without what no thread accesses later, by what was observed.
            let futures = std::mem::take(&mut system.futures);
            futures.drop_unused();
            let undecided = std::mem::take(&mut system.undecided);
            let again = explore(&mut system, (&words, por), futures).map_err(&fail)?;
            let notes_the_same = system.undecided.is_noted(false) == is_noted;
            if again != found || found != Found::Race && !notes_the_same {
                return Err(fail("what is dropped as unused is used".into()));
            }
            system.undecided = undecided;
        }
        unread += usize::from(takes_for_unread && !is_noted);
        if matches!(found, Found::Outcomes(_)) && is_noted {
            twice += 1;
            let before = found;
            (system.follows_psc, system.unread) = (true, Unread::default());
            found = explore(&mut system, (&words, por), Futures::default()).map_err(&fail)?;
            if !before.is_within(&found) {
                return Err(fail("the second search finds less".into()));
            }
        }
        match (expected, found) {
            (Behaviour::Races, Found::Race) => racing += 1,
            (Behaviour::Outcomes(expected), Found::Outcomes(found)) => {
                same(&in_words(&expected), &found).map_err(fail)?;
            }
            (Behaviour::Races, _) => return Err(fail("a race is not found".into())),
            (_, Found::Race) => return Err(fail("there is no race".into())),
            (_, Found::WeakRead) => return Err(fail("a read is left out".into())),
        }
    }
    let count = numbers.end - numbers.start;
    let both = 1..count / 2;
    let tests_each = both.contains(&twice)
        && both.contains(&racing)
        && unread > 0
        && adjacent.racing > count / 50
        && adjacent.verified > count / 20;
    match count < 20 || tests_each {
        true => Ok(()),
        false => Err(format!(
            "of {count} programs {racing} race, {twice} are explored twice, {unread} read atomics by \
             read-modify-writes alone, and {adjacent:?}: that tests little"
        )
        .into()),
    }
}

/// How many searches for races of adjacent accesses alone had an answer.
#[derive(Debug, Default)]
struct Adjacent {
    racing: u64,
    verified: u64,
}

impl Adjacent {
    /// Counts what one has found. Fails if that is wrong. `is_partial` says that the order in which
    /// sequentially consistent actions are executed need not give everything.
    fn check(
        &mut self,
        expected: &Behaviour,
        found: &Found,
        is_partial: bool,
    ) -> Result<(), String> {
        match (expected, found) {
            (_, Found::WeakRead) => Ok(()),
            (Behaviour::Races, Found::Race) => {
                self.racing += 1;
                Ok(())
            }
            (_, Found::Race) => Err("there is no adjacent race".into()),
            (_, Found::Outcomes(_)) if is_partial => Ok(()),
            (Behaviour::Races, _) => Err("an adjacent race is not found".into()),
            (Behaviour::Outcomes(expected), Found::Outcomes(found)) => {
                self.verified += 1;
                same(&in_words(expected), found)
            }
        }
    }
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

/// The threads of the program with a number.
fn program_of(number: u64) -> Vec<Vec<Operation>> {
    use Ordering::{Acquire, AcquireRelease, NotAtomic, Relaxed, Release, SequentiallyConsistent};
    let mut random = fastrand::Rng::with_seed(number);
    let threads = 2 + [0, 0, 1, 1, 2][random.usize(..5)];
    let most = [4, 3, 2][threads - 2];
    let places = random.u8(1..=if threads == 4 { 2 } else { 3 });
    // Sequentially consistent accesses have atomics of their own, mostly.
    // Values that are stored again and again, as by the attempts to take a spin lock.
    let repeats = number % 4 == 2;
    // Values that different threads store, of which some hand over more than others.
    let alike = number % 8 == 3;
    let mixes = repeats || !alike && random.u8(..3) == 0;
    let (plain, total) = (alike || random.bool(), random.u8(..3) == 0);
    // Atomics of which the search drops what only loads could read.
    let only_updates = number % 8 == 1;
    // Each read synchronises: all races are of adjacent accesses.
    let is_strong = number % 8 == 7;
    let plain = plain || is_strong;
    let (mut value, mut written) = (0, [0; 4]);
    let mut operation = |random: &mut fastrand::Rng| {
        value = if repeats || alike { 1 } else { value + 1 };
        let place = random.u8(..places);
        let is_total = match mixes {
            true => random.bool(),
            false => total && place == 0,
        };
        let order = |random: &mut fastrand::Rng, others: &[Ordering]| match is_total {
            true => SequentiallyConsistent,
            false => *random.choice(others).expect("an order"),
        };
        let any = [Relaxed, Acquire, Release, AcquireRelease];
        let order_of_update = |random: &mut fastrand::Rng| order(random, &any);
        let (kind, order) = match random.u8(..if is_strong {
            36
        } else if plain {
            28
        } else {
            20
        }) {
            0..=6 => (Kind::Load, order(random, &[Relaxed, Acquire])),
            7..=12 => (Kind::Store, order(random, &[Relaxed, Release])),
            13 => (Kind::StoreLast, order(random, &[Relaxed, Release])),
            14 => (Kind::Exchange, order(random, &any)),
            15 => (Kind::Add, order(random, &any)),
            16 => (
                Kind::CompareExchange(random.u8(..value), Relaxed),
                order(random, &any),
            ),
            17 | 18 => {
                let orders = [Acquire, Release, AcquireRelease, SequentiallyConsistent];
                (Kind::Fence, random.choice(orders).expect("an order"))
            }
            19 => (Kind::Skip, Relaxed),
            20..=22 | 28..=31 => (Kind::Read, NotAtomic),
            23 | 24 | 32..=35 => (Kind::Write, NotAtomic),
            _ => (Kind::Skip, Relaxed),
        };
        let (kind, order) = match kind {
            Kind::Load | Kind::CompareExchange(..) if only_updates => {
                (Kind::Add, order_of_update(random))
            }
            Kind::Load if alike && random.u8(..4) == 0 => (Kind::Fence, Acquire),
            Kind::Store | Kind::StoreLast | Kind::Add if repeats && random.u8(..4) > 0 => {
                (Kind::Exchange, order_of_update(random))
            }
            kind => (kind, order),
        };
        let (kind, order) = match kind {
            Kind::Fence if is_strong => (Kind::Skip, Relaxed),
            Kind::Load if is_strong => (kind, Acquire),
            Kind::Store | Kind::StoreLast if is_strong => (kind, Release),
            Kind::Exchange | Kind::Add if is_strong => (kind, AcquireRelease),
            Kind::CompareExchange(..) if is_strong => (kind, AcquireRelease),
            kind => (kind, order),
        };
        let plain = matches!(kind, Kind::Read | Kind::Write);
        let writes = !matches!(kind, Kind::Load | Kind::Read | Kind::Fence | Kind::Skip);
        let written = &mut written[if plain { 0 } else { 1 + usize::from(place) }];
        // All modification orders are tried.
        if writes && *written == MOST_WRITES {
            return Operation {
                kind: Kind::Skip,
                place: 0,
                order: Relaxed,
                value,
            };
        }
        *written += u8::from(writes);
        Operation {
            kind,
            place: if plain { 0 } else { place },
            order,
            value,
        }
    };
    let thread = |random: &mut fastrand::Rng| {
        let count = random.usize(1..=most);
        (0..count).map(|_| operation(random)).collect()
    };
    match number % 16 {
        15 => return publishing(&mut random),
        5 | 14 => return handing_over(&mut random),
        _ => {}
    }
    let mut thread = thread;
    let mut threads: Vec<Vec<Operation>> = (0..threads).map(|_| thread(&mut random)).collect();
    if threads.len() < 4 && random.u8(..3) == 0 {
        let between = thread(&mut random);
        threads.push(joining(&mut random, threads.len(), between));
    }
    threads
}

/// A main thread that joins the threads, in any order, and does something in between.
fn joining(random: &mut fastrand::Rng, threads: usize, other: Vec<Operation>) -> Vec<Operation> {
    let mut joined: Vec<u8> = (0..threads as u8).collect();
    random.shuffle(&mut joined);
    let join = |place| Operation {
        kind: Kind::Join,
        place,
        order: Ordering::Relaxed,
        value: 0,
    };
    let mut all: Vec<Operation> = joined.into_iter().map(join).collect();
    let other = other.into_iter().filter(|o| o.kind != Kind::Skip);
    for operation in other.take(5 - threads) {
        let between = 1..all.len();
        let at = match random.u8(..4) {
            0 => random.usize(..=all.len()),
            _ => random.usize(between),
        };
        all.insert(at, operation);
    }
    all
}

/// A thread that writes, one that sees that it has, one that reads, and a main thread that joins the
/// second and the first, and then publishes that to the third, with something in between.
fn publishing(random: &mut fastrand::Rng) -> Vec<Vec<Operation>> {
    use Ordering::{Acquire, AcquireRelease, Relaxed, Release, SequentiallyConsistent};
    let (x, y, z) = (0, 1, 2);
    let of = |kind, place, order, value| Operation {
        kind,
        place,
        order,
        value,
    };
    let reads = [Relaxed, Relaxed, Acquire];
    let writes = [Relaxed, Relaxed, Release];
    let fences = [
        Acquire,
        Release,
        Release,
        AcquireRelease,
        SequentiallyConsistent,
    ];
    let mut any = |orders: &[Ordering]| *random.choice(orders).expect("an order");
    let seeing = vec![of(Kind::Load, z, any(&reads), 0)];
    let writing = vec![
        of(Kind::Store, y, any(&writes), 1),
        of(Kind::Store, z, any(&writes), 2),
    ];
    let reading = vec![
        of(Kind::Load, x, any(&reads), 0),
        of(Kind::Load, y, Relaxed, 0),
    ];
    let between = match any(&[Relaxed, Relaxed, Acquire, Release]) {
        Relaxed => of(Kind::Fence, 0, any(&fences), 0),
        Acquire => of(Kind::Load, z, any(&reads), 0),
        _ => of(
            Kind::Exchange,
            z,
            any(&[Relaxed, Acquire, AcquireRelease]),
            3,
        ),
    };
    let join = |thread| of(Kind::Join, thread, Relaxed, 0);
    let publish = of(Kind::Store, x, any(&writes), 4);
    let mut main = vec![join(0), join(1), publish, join(2)];
    main.insert(random.usize(1..=2), between);
    vec![seeing, writing, reading, main]
}

/// A thread that writes to plain memory and then hands it over, up to two threads that hand it on,
/// and one that accesses it if it was handed over to it; mostly, but not always, all of it
/// synchronises.
fn handing_over(random: &mut fastrand::Rng) -> Vec<Vec<Operation>> {
    use Ordering::{Acquire, AcquireRelease, NotAtomic, Relaxed, Release, SequentiallyConsistent};
    let of = |kind, place, order| Operation {
        kind,
        place,
        order,
        value: 1,
    };
    let access = |random: &mut fastrand::Rng| match random.bool() {
        true => of(Kind::Read, 0, NotAtomic),
        false => of(Kind::Write, 0, NotAtomic),
    };
    let weak = |random: &mut fastrand::Rng| random.u8(..6) == 0;
    let give = |random: &mut fastrand::Rng, place| {
        let is_weak = weak(random);
        match random.u8(..4) {
            0 => of(
                Kind::Exchange,
                place,
                if is_weak { Acquire } else { AcquireRelease },
            ),
            1 => of(
                Kind::Exchange,
                place,
                if is_weak { Relaxed } else { Release },
            ),
            2 => of(
                Kind::Store,
                place,
                if is_weak {
                    Relaxed
                } else {
                    SequentiallyConsistent
                },
            ),
            _ => of(Kind::Store, place, if is_weak { Relaxed } else { Release }),
        }
    };
    let take = |random: &mut fastrand::Rng, place| {
        let is_weak = weak(random);
        match random.u8(..4) {
            0 => of(
                Kind::Exchange,
                place,
                if is_weak { Relaxed } else { Acquire },
            ),
            1 => {
                let order = if is_weak { Release } else { AcquireRelease };
                of(Kind::CompareExchange(1, Relaxed), place, order)
            }
            2 => of(
                Kind::Load,
                place,
                if is_weak {
                    Relaxed
                } else {
                    SequentiallyConsistent
                },
            ),
            _ => of(Kind::Load, place, if is_weak { Relaxed } else { Acquire }),
        }
    };
    let skip = of(Kind::Skip, 0, Relaxed);
    if random.u8(..3) == 0 {
        // Two threads store the same value, and one of them knows what the other one has done.
        let mut first = vec![give(random, 0), give(random, 1)];
        random.shuffle(&mut first);
        first.insert(0, access(random));
        let again = match random.bool() {
            true => of(Kind::Store, 0, Relaxed),
            false => give(random, 0),
        };
        let second = vec![take(random, 1), skip, again];
        let third = vec![take(random, 0), skip, access(random)];
        let mut threads = vec![first, second, third];
        random.shuffle(&mut threads);
        return threads;
    }
    let relays = random.u8(0..=2);
    let mut threads = vec![vec![access(random), give(random, 0)]];
    for relay in 0..relays {
        let takes = take(random, relay);
        let other = if random.bool() { skip } else { access(random) };
        threads.push(vec![takes, other, give(random, relay + 1)]);
    }
    let mut last = vec![take(random, relays), skip, access(random)];
    if random.u8(..4) == 0 {
        // The same value is there already, from elsewhere.
        last.insert(0, give(random, relays));
    }
    threads.push(last);
    random.shuffle(&mut threads);
    threads
}

/// The argument for a thread. One that joins is the main thread.
fn in_letters(thread: &[Operation]) -> String {
    let is_main = thread.iter().any(|o| o.kind == Kind::Join);
    let word = |o: &Operation| {
        let (letter, expected) = match o.kind {
            Kind::Load => ('l', 0),
            Kind::Store => ('s', 0),
            Kind::Exchange => ('x', 0),
            Kind::CompareExchange(expected, _) => ('c', expected),
            Kind::Fence => ('f', 0),
            Kind::Read => ('r', 0),
            Kind::Write => ('w', 0),
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
    system.weak_read = AtomicBool::new(false);
    system.futures = futures;
    let system = &*system;
    let search = Search::new(&system).threads(NonZeroUsize::MIN);
    let outcome = search.run();
    match &outcome.verdict {
        Verdict::Fault { fault, .. } if fault.kind == ErrorKind::DataRace => Ok(Found::Race),
        Verdict::Fault { fault, .. } => Err(format!("{:?}: {}", fault.kind, fault.message)),
        Verdict::Exhausted if system.weak_read.load(Relaxed) => Ok(Found::WeakRead),
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
