//! Paths of toy processes.

use super::Steering;
use super::toy::{Does, Toy, place, reads, steering, writes};
use crate::protocol::{Answer, Failure};
use crate::states::{At, Event, Exit, Process, Stop};
use impasse_diagnose::order::{Class, Operation, Place, Turn};
use std::time::{Duration, Instant};

fn turn(thread: u32, operations: &[(Class, u32)]) -> Turn {
    let act = |&(class, line)| Operation {
        class,
        place: place(line),
    };
    Turn {
        thread,
        operations: operations.iter().map(act).collect(),
    }
}

/// The lines of what the threads did, in order, without their starts.
fn log(steering: Steering<Toy>) -> Vec<(u32, u32)> {
    let log = steering.into_process().log.into_iter();
    log.filter(|&(_, line)| line > 0).collect()
}

#[test]
fn every_order_of_two_threads_is_followed() {
    let threads: [&[Does]; 2] = [&[reads(1), writes(2)], &[reads(1), writes(2)]];
    for bits in 0..16u32 {
        let order: Vec<u32> = (0..4).map(|n| bits >> n & 1).collect();
        if order.iter().sum::<u32>() != 2 {
            continue;
        }
        let mut seen = [0, 0];
        let turns = order.iter().map(|&thread| {
            seen[thread as usize] += 1;
            let line = seen[thread as usize];
            let class = if line == 1 { Class::Read } else { Class::Write };
            turn(thread, &[(class, line)])
        });
        let turns: Vec<Turn> = turns.collect();
        let mut steering = steering(&threads, None);
        assert_eq!(steering.follow(&turns), Ok(()));
        let done = log(steering);
        let wanted: Vec<u32> = done.iter().map(|&(thread, _)| thread).collect();
        assert_eq!(wanted, order);
    }
}

#[test]
fn what_is_on_no_path_is_done_on_the_way_and_not_beyond() {
    let threads: [&[Does]; 2] = [
        &[reads(10), reads(1), reads(11), writes(2), reads(12)],
        &[writes(3)],
    ];
    let turns = [
        turn(0, &[(Class::Read, 1)]),
        turn(1, &[(Class::Write, 3)]),
        turn(0, &[(Class::Write, 2)]),
    ];
    let mut steering = steering(&threads, None);
    assert_eq!(steering.follow(&turns), Ok(()));
    let wanted = [(0, 10), (0, 1), (1, 3), (0, 11), (0, 2)];
    assert_eq!(log(steering), wanted);
}

#[test]
fn acts_that_a_process_does_not_show_are_passed_over() {
    let threads: [&[Does]; 2] = [&[reads(1), writes(2)], &[writes(3)]];
    let turns = [
        turn(0, &[(Class::Read, 1), (Class::Library, 7)]),
        turn(1, &[(Class::Write, 3)]),
        turn(0, &[(Class::Library, 7), (Class::Write, 2)]),
    ];
    let mut steering = steering(&threads, None);
    assert_eq!(steering.follow(&turns), Ok(()));
    assert_eq!(log(steering), [(0, 1), (1, 3), (0, 2)]);
}

#[test]
fn a_blocked_thread_goes_on_after_what_others_do_on_no_path() {
    let threads: [&[Does]; 2] = [
        &[reads(1), Does::Until(1, 2, 8), writes(2)],
        &[writes(3), reads(9)],
    ];
    let turns = [
        turn(0, &[(Class::Read, 1)]),
        turn(1, &[(Class::Write, 3)]),
        turn(0, &[(Class::Write, 2)]),
    ];
    let mut steering = steering(&threads, None);
    assert_eq!(steering.follow(&turns), Ok(()));
    assert_eq!(log(steering), [(0, 1), (1, 3), (1, 9), (0, 2)]);
}

#[test]
fn a_path_is_left_where_a_thread_waits_for_what_comes_later() {
    let threads: [&[Does]; 2] = [&[Does::Until(1, 1, 8), writes(2), reads(4)], &[writes(3)]];
    let turns = [
        turn(0, &[(Class::Write, 2)]),
        turn(1, &[(Class::Write, 3)]),
        turn(0, &[(Class::Read, 4)]),
    ];
    let mut steering = steering(&threads, None);
    assert!(matches!(steering.follow(&turns), Err(Stop::Left(_))));
}

#[test]
fn waits_time_out_where_they_do_so_on_the_path() {
    // Thread 0 writes line 2 if it has waited for thread 1, and line 3 in any case.
    let threads: [&[Does]; 2] = [
        &[reads(1), Does::UntilLate(1, 1, 8), writes(2), writes(3)],
        &[writes(4)],
    ];
    let begins = turn(0, &[(Class::Read, 1)]);
    let writes = turn(1, &[(Class::Write, 4)]);
    let in_time = turn(0, &[(Class::Write, 2), (Class::Write, 3)]);
    let late = turn(0, &[(Class::Write, 3)]);
    let gives_up = turn(0, &[(Class::Timeout, 8), (Class::Write, 3)]);
    let cases = [
        (
            [&begins, &writes, &in_time],
            vec![(0, 1), (1, 4), (0, 2), (0, 3)],
        ),
        ([&begins, &late, &writes], vec![(0, 1), (0, 3), (1, 4)]),
        // It does so although it could continue.
        ([&begins, &writes, &gives_up], vec![(0, 1), (1, 4), (0, 3)]),
    ];
    for (turns, wanted) in cases {
        let turns = turns.map(Turn::clone);
        let mut steering = steering(&threads, None);
        assert_eq!(steering.follow(&turns), Ok(()));
        assert_eq!(log(steering), wanted);
    }
}

#[test]
fn an_attempt_without_a_wait_has_no_end_to_wait_for() {
    let threads: [&[Does]; 2] = [&[reads(1), writes(2), writes(4)], &[writes(3)]];
    let turns = [
        turn(0, &[(Class::Read, 1), (Class::Timeout, 1)]),
        turn(1, &[(Class::Write, 3)]),
    ];
    let mut steering = steering(&threads, None);
    assert_eq!(steering.follow(&turns), Ok(()));
    assert_eq!(log(steering), [(0, 1), (1, 3)]);
}

#[test]
fn waits_end_spuriously_where_they_do_so_on_the_path() {
    let threads: [&[Does]; 2] = [&[reads(1), Does::Until(1, 9, 8), writes(2)], &[writes(3)]];
    let turns = [
        turn(0, &[(Class::Read, 1), (Class::Spurious, 8)]),
        turn(0, &[(Class::Write, 2)]),
        turn(1, &[(Class::Write, 3)]),
    ];
    let mut steering = steering(&threads, None);
    assert_eq!(steering.follow(&turns), Ok(()));
    assert_eq!(log(steering), [(0, 1), (0, 2), (1, 3)]);
}

#[test]
fn errors_end_the_path() {
    let threads: [&[Does]; 1] = [&[reads(1), Does::Fails(1)]];
    let mut steering = steering(&threads, None);
    let stop = steering.follow(&[turn(0, &[(Class::Read, 1)])]);
    let failed = Stop::Failure(0, Failure::Assertion, Some(place(1)));
    assert_eq!(stop, Err(failed));
}

#[test]
fn all_take_turns_until_none_can_go_on() {
    let stuck: [&[Does]; 3] = [
        &[reads(1), Does::Until(1, 9, 8)],
        &[reads(1), Does::Until(0, 9, 8)],
        &[reads(1), Does::Silence],
    ];
    assert_eq!(steering(&stuck, None).waiting(), Ok(true));
    let free: [&[Does]; 2] = [&[reads(1); 90], &[reads(1), Does::Until(0, 95, 8)]];
    assert_eq!(steering(&free, None).waiting(), Ok(false));
}

impl Steering<Toy> {
    fn waiting(mut self) -> Result<bool, Stop> {
        self.follow(&[])?;
        self.take_turns(20)
    }
}

#[test]
fn a_thread_is_held_before_the_earlier_access_of_a_race() {
    let threads: [&[Does]; 2] = [&[writes(1), reads(2)], &[reads(3)]];
    let turns = [turn(0, &[(Class::Write, 1), (Class::Read, 2)])];
    let mut first = steering(&threads, None);
    assert_eq!(first.follow(&turns), Ok(()));
    let arrival = first.bring_to(1, &place(3)).unwrap().unwrap();
    assert_eq!(first.racing(1, &arrival.access, &[]), None);
    let earlier = first.earlier(1, &arrival.access);
    assert_eq!(earlier.len(), 1);
    let hold = earlier[0].hold;
    assert_eq!((hold.thread, hold.after), (0, 0));
    let mut second = steering(&threads, Some(hold));
    assert_eq!(second.follow(&turns), Ok(()));
    let arrival = second.bring_to(1, &place(3)).unwrap().unwrap();
    let (other, _) = second.racing(1, &arrival.access, &[]).unwrap();
    assert_eq!(other, 0);
    assert!(matches!(second.at(0), Some(At::Arrival(_))));
}

#[test]
fn the_end_of_the_process_is_seen() {
    struct Gone;
    impl Process for Gone {
        fn tell(&mut self, _: u32, _: Answer) {}
        fn next(&mut self, _: Duration) -> Event {
            Event::Ended(Exit::Code(3))
        }
        fn waits(&self, _: u32) -> bool {
            false
        }
        fn place(&mut self, _: &[u64]) -> (Option<Place>, bool) {
            (None, false)
        }
    }
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut steering = Steering::new(Gone, None, deadline);
    assert_eq!(steering.follow(&[]), Err(Stop::Exit(Exit::Code(3), None)));
}
