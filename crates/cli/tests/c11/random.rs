//! The programs that are tried, by their numbers: some of any operations, and some of such as lead
//! to what the search does about certain programs only.

use crate::axioms::{Kind, Operation};
use impasse_program::instruction::Ordering;

/// How many writes there are of one variable.
const MOST_WRITES: u8 = 4;

/// The threads of the program with a number.
pub fn program_of(number: u64) -> Vec<Vec<Operation>> {
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
        10 => return repeating(&mut random),
        15 => return publishing(&mut random),
        5 | 14 => return handing_over(&mut random),
        6 | 11 => return accessing_plainly(&mut random),
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

/// A thread that writes, one that sees that it has, one that reads, and a main thread that joins
/// the second and the first, and then publishes that to the third, with something in between.
fn publishing(random: &mut fastrand::Rng) -> Vec<Vec<Operation>> {
    use Ordering::{Acquire, AcquireRelease, Relaxed, Release, SequentiallyConsistent};
    let (x, y, z) = (0, 1, 2);
    let of = Operation::of;
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

/// A thread that does something sequentially consistent and then stores what is there already,
/// perhaps after it has told another one, which does so; and one that reads that, mostly by a
/// read-modify-write, and does something sequentially consistent as well.
fn repeating(random: &mut fastrand::Rng) -> Vec<Vec<Operation>> {
    use Ordering::{Acquire, AcquireRelease, Relaxed, Release, SequentiallyConsistent};
    let (x, y, z) = (0, 1, 2);
    let of = Operation::of;
    // What there is at first, or what the reader has stored.
    let value = u8::from(random.u8(..4) == 0);
    let any =
        |random: &mut fastrand::Rng, orders: &[Ordering]| *random.choice(orders).expect("an order");
    let order = |random: &mut fastrand::Rng| {
        any(
            random,
            &[Relaxed, Relaxed, Acquire, Release, AcquireRelease],
        )
    };
    let repeat = match random.u8(..3) {
        0 => of(Kind::Add, y, order(random), 0),
        _ => of(Kind::Exchange, y, order(random), value),
    };
    let fences = random.bool();
    let (store, load) = match fences {
        true => (Relaxed, Relaxed),
        false => (SequentiallyConsistent, SequentiallyConsistent),
    };
    let fence = of(Kind::Fence, 0, SequentiallyConsistent, 0);
    let mut first = vec![of(Kind::Store, x, store, 1)];
    let mut last = vec![];
    if value == 1 {
        last.push(of(Kind::Store, y, any(random, &[Relaxed, Release]), 1));
    }
    last.push(match random.u8(..4) {
        0 => of(Kind::Load, y, any(random, &[Relaxed, Acquire]), 0),
        1 => of(Kind::Add, y, order(random), 1),
        _ => of(Kind::Exchange, y, order(random), 2),
    });
    if fences {
        first.push(fence);
        last.push(fence);
    }
    last.push(of(Kind::Load, x, load, 0));
    let mut threads = match fences || random.bool() {
        true => {
            first.push(of(Kind::Store, z, any(random, &[Relaxed, Release]), 1));
            let seen = of(Kind::Load, z, any(random, &[Relaxed, Acquire]), 0);
            vec![first, vec![seen, repeat], last]
        }
        false => {
            first.push(repeat);
            vec![first, last]
        }
    };
    random.shuffle(&mut threads);
    threads
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
        match random.u8(..5) {
            0 => of(
                Kind::Exchange,
                place,
                if is_weak { Relaxed } else { Acquire },
            ),
            4 => {
                // It expects a value that is never there, and reads with the order of a failure.
                let failure = if is_weak { Relaxed } else { Acquire };
                of(Kind::CompareExchange(2, failure), place, AcquireRelease)
            }
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

/// As [`handing_over`], but what is handed over is an atomic, with accesses of both kinds; perhaps
/// with a main thread that joins the others and then accesses it.
fn accessing_plainly(random: &mut fastrand::Rng) -> Vec<Vec<Operation>> {
    use Ordering::{Acquire, NotAtomic, Relaxed, Release};
    let access = |random: &mut fastrand::Rng, value| {
        let (kind, order) = match random.u8(..6) {
            0 | 1 => (Kind::ReadPlainly, NotAtomic),
            2 => (Kind::WritePlainly, NotAtomic),
            3 => (
                Kind::Load,
                random.choice([Relaxed, Acquire]).expect("an order"),
            ),
            4 => (
                Kind::Store,
                random.choice([Relaxed, Release]).expect("an order"),
            ),
            _ => (Kind::Exchange, Relaxed),
        };
        Operation::of(kind, 2, order, value)
    };
    let mut threads = handing_over(random);
    let mut value = 1;
    for operation in threads.iter_mut().flatten() {
        if matches!(operation.kind, Kind::Read | Kind::Write) {
            value += 1;
            *operation = access(random, value);
        }
    }
    if threads.len() < 4 && random.bool() {
        let between = vec![access(random, value + 1)];
        threads.push(joining(random, threads.len(), between));
    }
    threads
}

/// The threads of the program with a number, with two atomics, of which the second one only counts.
pub fn counting_program(number: u64) -> Vec<Vec<Operation>> {
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
