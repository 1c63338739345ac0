//! What storing and finding a byte string costs: time on one and two threads, and memory.

use impasse_store::Interner;
use std::hint::black_box;
use std::thread;
use std::time::Instant;

const STRINGS: u64 = 4_000_000;

fn main() {
    hot();
    println!(
        "{:>7} {:>8} {:>10} {:>10} {:>10} {:>16}",
        "length", "threads", "store ns", "find ns", "get ns", "bytes beyond"
    );
    for length in [16, 24, 64] {
        for threads in [1, 2] {
            measure(length, threads);
        }
    }
}

/// Finding and getting what is in the processor's cache.
fn hot() {
    let interner = Interner::new();
    let ids: Vec<_> = (0..1000)
        .map(|number| interner.intern(&string(number)[..40]).id)
        .collect();
    let find = per_operation(1, |number| {
        interner.intern(&string(number % 1000)[..40]).id.0
    });
    let get = per_operation(1, |number| {
        interner.get(ids[number as usize % 1000])[8].into()
    });
    println!("of 1000: find {find:.1} ns, get {get:.1} ns");
}

fn measure(length: usize, threads: u64) {
    let interner = Interner::new();
    let store = per_operation(threads, |number| {
        interner.intern(&string(number)[..length]).id.0
    });
    let beyond = interner.bytes() as f64 / interner.len() as f64 - length as f64;
    let find = per_operation(threads, |number| {
        interner.intern(&string(scattered(number))[..length]).id.0
    });
    assert_eq!(interner.len(), STRINGS as usize);
    let get = per_operation(threads, |number| {
        interner.get(impasse_store::Id(
            scattered(number) as u32 % (STRINGS as u32 / 2),
        ))[0]
            .into()
    });
    println!("{length:>7} {threads:>8} {store:>10.1} {find:>10.1} {get:>10.1} {beyond:>16.1}");
}

/// Runs `operation` on all numbers, divided among threads, and tells the nanoseconds that one takes
/// on one thread.
fn per_operation(threads: u64, operation: impl Fn(u64) -> u32 + Sync) -> f64 {
    let start = Instant::now();
    thread::scope(|scope| {
        for worker in 0..threads {
            let operation = &operation;
            scope.spawn(move || {
                for number in (worker..STRINGS).step_by(threads as usize) {
                    black_box(operation(number));
                }
            });
        }
    });
    start.elapsed().as_nanos() as f64 * threads as f64 / STRINGS as f64
}

/// Another order of the numbers, far from the one in which they were stored.
fn scattered(number: u64) -> u64 {
    number * 2_654_435_761 % STRINGS
}

fn string(number: u64) -> [u8; 64] {
    let mut bytes = [7; 64];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes[8..16].copy_from_slice(&(number / 5).to_le_bytes());
    bytes
}
