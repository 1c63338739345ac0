//! Toy processes: each thread is a list of operations; some wait until another thread has come far
//! enough.

use super::Steering;
use crate::protocol::{Access, Answer, Failure, Message, What};
use crate::states::{Event, Hold, Process};
use impasse_diagnose::order::Place;
use impasse_report::Spot;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What a toy thread does.
#[derive(Clone, Copy)]
pub enum Does {
    /// An access to an address, at a line; a call if it has no size.
    At(u32, Access),
    /// Waits until a thread has done so many operations, at a line.
    Until(u32, usize, u32),
    /// The same, or until it is late; then what comes next is left out.
    UntilLate(u32, usize, u32),
    /// An assertion fails, at a line.
    Fails(u32),
    /// A signal comes, at a line.
    Dies(i32, u32),
    /// Says nothing any more.
    Silence,
}

/// A process of such threads.
pub struct Toy {
    threads: Vec<Vec<Does>>,
    /// How many operations each has done.
    done: Vec<usize>,
    said: VecDeque<Message>,
    /// The lines of all operations, in the order in which they were done.
    pub log: Vec<(u32, u32)>,
}

impl Toy {
    fn new(threads: &[&[Does]]) -> Toy {
        let started = |thread| Message {
            thread,
            what: What::Started(thread),
            threads: threads.len() as u32,
            vain: false,
        };
        Toy {
            threads: threads.iter().map(|it| it.to_vec()).collect(),
            done: vec![0; threads.len()],
            said: (0..threads.len() as u32).map(started).collect(),
            log: Vec::new(),
        }
    }

    fn next_of(&self, thread: u32) -> What {
        let at = self.done[thread as usize];
        match self.threads[thread as usize].get(at) {
            None => What::Ended,
            Some(Does::At(line, access)) => What::Arrived(*access, vec![u64::from(*line)]),
            Some(Does::Until(other, operations, line))
                if self.done[*other as usize] < *operations =>
            {
                What::Blocked(false, vec![u64::from(*line)])
            }
            Some(Does::Until(..)) => What::Arrived(Access::default(), vec![]),
            Some(Does::UntilLate(other, operations, line)) => {
                match self.done[*other as usize] < *operations {
                    true => What::Blocked(true, vec![u64::from(*line)]),
                    false => What::Arrived(Access::default(), vec![]),
                }
            }
            Some(Does::Fails(line)) => What::Failed(Failure::Assertion, vec![u64::from(*line)]),
            Some(Does::Dies(signal, line)) => What::Killed(*signal, vec![u64::from(*line)]),
            Some(Does::Silence) => What::Ended,
        }
    }
}

impl Process for Toy {
    fn tell(&mut self, thread: u32, answer: Answer) {
        let at = self.done[thread as usize];
        let started = self.said.iter().all(|it| it.thread != thread);
        assert!(started, "a thread is resumed only after it has reported");
        let first = !self.log.iter().any(|&(it, _)| it == thread) && at == 0;
        let before = self.threads[thread as usize].get(at).copied();
        match before {
            _ if first => self.log.push((thread, 0)),
            Some(Does::At(line, _)) => {
                self.log.push((thread, line));
                self.done[thread as usize] += 1;
            }
            Some(Does::Until(other, operations, _)) if self.done[other as usize] >= operations => {
                self.done[thread as usize] += 1;
            }
            Some(Does::Until(..)) if answer == Answer::Wake => self.done[thread as usize] += 1,
            Some(Does::UntilLate(..)) if answer == Answer::GiveUp => {
                self.done[thread as usize] += 2
            }
            Some(Does::UntilLate(other, operations, _))
                if self.done[other as usize] >= operations =>
            {
                self.done[thread as usize] += 1;
            }
            _ => {}
        }
        if let Some(Does::Silence) = self.threads[thread as usize].get(self.done[thread as usize]) {
            return;
        }
        let what = self.next_of(thread);
        self.said.push_back(Message {
            thread,
            threads: self.threads.len() as u32,
            what,
            vain: false,
        });
    }

    fn next(&mut self, _: Duration) -> Event {
        self.said.pop_front().map_or(Event::Quiet, Event::Said)
    }

    fn waits(&self, _: u32) -> bool {
        true
    }

    fn place(&mut self, stack: &[u64]) -> (Option<Place>, bool) {
        (stack.first().map(|&line| place(line as u32)), true)
    }
}

pub fn place(line: u32) -> Place {
    Place {
        spot: Some(Spot {
            file: "toy.c".into(),
            line,
        }),
        column: 1,
    }
}

pub fn access(address: u64, writes: bool) -> Access {
    Access {
        reads: !writes,
        writes,
        address,
        size: 4,
        ..Access::default()
    }
}

pub fn reads(line: u32) -> Does {
    Does::At(line, access(8, false))
}

pub fn writes(line: u32) -> Does {
    Does::At(line, access(8, true))
}

/// The steering of a toy.
pub fn steering(threads: &[&[Does]], hold: Option<Hold>) -> Steering<Toy> {
    let deadline = Instant::now() + Duration::from_secs(60);
    Steering::new(Toy::new(threads), hold, deadline)
}
