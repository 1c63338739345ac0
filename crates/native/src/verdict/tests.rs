//! What toy processes show of errors: only what happens where the error lies counts.

use super::{How, Shown, shown};
use crate::steering::toy::{Does, access, reads, steering, writes};
use impasse_diagnose::order::Order;
use impasse_report::{
    ErrorReport, HangReport, HungThread, RegionReport, SectionReport, Spot, ThreadStatus,
};

const SIGSEGV: i32 = 11;

fn spot(file: &str, line: u32) -> Spot {
    Spot {
        file: file.into(),
        line,
    }
}

fn error(kind: &str, line: u32) -> ErrorReport {
    ErrorReport {
        kind: kind.into(),
        message: String::new(),
        file: "toy.c".into(),
        line,
        column: 1,
        function: "main".into(),
        thread: 0,
        threads: Vec::new(),
        hang: None,
    }
}

/// What a toy shows of an error, without a path.
fn seen(threads: &[&[Does]], error: &ErrorReport) -> Shown {
    shown(
        &mut steering(threads, None),
        &Order::default(),
        error,
        How::default(),
    )
}

fn occurs(threads: &[&[Does]], error: &ErrorReport) -> bool {
    match seen(threads, error) {
        Shown::Occurs(_) => true,
        Shown::NotSeen(text) => {
            assert!(!text.is_empty());
            false
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_failure_elsewhere_is_not_the_error() {
    let threads: [&[Does]; 1] = [&[reads(1), Does::Fails(7)]];
    assert!(occurs(&threads, &error("assertion", 7)));
    assert!(!occurs(&threads, &error("assertion", 8)));
    let elsewhere =
        Shown::NotSeen("an assertion fails at toy.c:7, but the error lies at toy.c:8".into());
    assert_eq!(seen(&threads, &error("assertion", 8)), elsewhere);
}

#[test]
fn the_other_threads_may_come_first() {
    // Thread 0 fails once thread 1 has done what is on no path.
    let threads: [&[Does]; 2] = [
        &[reads(1), Does::UntilLate(1, 2, 2), Does::Fails(7)],
        &[reads(3), reads(4)],
    ];
    let error = error("assertion", 7);
    assert!(!occurs(&threads, &error));
    let how = How {
        others_first: true,
        ..How::default()
    };
    let order = Order::default();
    let seen = shown(&mut steering(&threads, None), &order, &error, how);
    assert!(matches!(seen, Shown::Occurs(_)), "{seen:?}");
}

#[test]
fn a_signal_elsewhere_is_not_the_error() {
    let threads: [&[Does]; 1] = [&[reads(1), Does::Dies(SIGSEGV, 7)]];
    assert!(occurs(&threads, &error("null-dereference", 7)));
    assert!(!occurs(&threads, &error("null-dereference", 8)));
    assert!(!occurs(&threads, &error("stack-overflow", 7)));
    let mut other = error("null-dereference", 7);
    other.file = "other.c".into();
    assert!(!occurs(&threads, &other));
}

/// A hang in which a thread stays at these places.
fn hang(thread: u32, places: &[Spot]) -> ErrorReport {
    let hung = HungThread {
        thread,
        state: ThreadStatus::Running,
        places: places.to_vec(),
        routine: None,
        started: None,
        waits: None,
        resource: None,
        waits_for: Vec::new(),
        reads: Vec::new(),
        writes: Vec::new(),
        does: Vec::new(),
        holds: Vec::new(),
        holds_since: Vec::new(),
    };
    let section = SectionReport {
        kind: "loop".into(),
        resource: String::new(),
        thread,
        begun: None,
    };
    ErrorReport {
        hang: Some(HangReport {
            section: Some(section),
            region: RegionReport {
                states: 1,
                complete: true,
                threads: vec![hung],
                cycle: Vec::new(),
            },
        }),
        ..error("hang", places.first().map_or(0, |spot| spot.line))
    }
}

#[test]
fn a_thread_that_hangs_elsewhere_is_not_the_error() {
    // Thread 1 waits at line 5 forever.
    let threads: [&[Does]; 2] = [&[reads(1)], &[reads(4), Does::Until(0, 9, 5)]];
    assert!(occurs(&threads, &hang(1, &[spot("toy.c", 5)])));
    assert!(occurs(
        &threads,
        &hang(1, &[spot("toy.c", 4), spot("toy.c", 6)])
    ));
    assert!(!occurs(&threads, &hang(1, &[spot("toy.c", 6)])));
    assert!(!occurs(&threads, &hang(1, &[spot("other.c", 5)])));
    assert!(!occurs(
        &threads,
        &hang(1, &[spot("other.c", 5), spot("toy.c", 6)])
    ));
    assert!(!occurs(&threads, &hang(0, &[spot("toy.c", 1)])));
}

#[test]
fn a_yield_shows_neither_that_a_thread_stays_nor_that_it_leaves() {
    let yields = |line| {
        let mut access = access(0, false);
        (access.reads, access.size) = (false, 0);
        Does::At(line, access)
    };
    let turns = |first, other| -> Vec<Does> { [first, other].repeat(5_000) };
    let in_loop = turns(reads(5), yields(6));
    assert!(occurs(&[&in_loop], &hang(0, &[spot("toy.c", 5)])));
    let elsewhere = turns(yields(6), yields(7));
    assert!(!occurs(&[&elsewhere], &hang(0, &[spot("toy.c", 5)])));
    let leaves = turns(reads(5), reads(6));
    assert!(!occurs(&[&leaves], &hang(0, &[spot("toy.c", 5)])));
}

#[test]
fn a_race_with_another_access_is_not_the_error() {
    let threads: [&[Does]; 2] = [&[reads(1), writes(2)], &[reads(3), writes(4)]];
    let named = |message: &str| ErrorReport {
        message: message.into(),
        ..error("data-race", 2)
    };
    let with_write = "the main thread writes n while thread 1 writes it at toy.c:4";
    assert!(occurs(&threads, &named(with_write)));
    let with_read = "the main thread writes n while thread 1 reads it at toy.c:3";
    assert!(occurs(&threads, &named(with_read)));
    let with_other = "the main thread writes n while thread 1 writes it at toy.c:9";
    assert!(!occurs(&threads, &named(with_other)));
}
