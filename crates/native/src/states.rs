//! What is known of a steered process: where its threads are, and why steering ends.

use crate::protocol::{Access, Answer, Failure, Message};
use impasse_diagnose::order::Place;
use std::time::Duration;

/// A process that can be steered.
pub trait Process {
    /// Resumes a thread. One that does not wait takes each answer alike.
    fn tell(&mut self, thread: u32, answer: Answer);

    /// Returns what happens next, or that nothing has happened for so long.
    fn next(&mut self, wait: Duration) -> Event;

    /// Returns whether a thread, by the kernel's number, waits for something.
    fn waits(&self, kernel: u32) -> bool;

    /// Returns the place of a stack in the program's own code, and whether it is the innermost
    /// frame.
    fn place(&mut self, stack: &[u64]) -> (Option<Place>, bool);
}

/// What happens in a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A thread says something.
    Said(Message),
    /// Nothing.
    Quiet,
    /// The process has ended.
    Ended(Exit),
}

/// How a process ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// With this code.
    Code(i32),
    /// Killed by this signal.
    Signal(i32),
    /// Killed, as a stack has grown too large.
    StackOverflow,
}

/// What a thread is about to do.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Arrival {
    /// The access, or the call.
    pub access: Access,
    /// Where, in the program's own code.
    pub place: Option<Place>,
    /// Whether that code does it itself.
    pub direct: bool,
}

/// Where a thread is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum At {
    /// Before its first operation.
    Start,
    /// Before an operation.
    Arrival(Arrival),
    /// Where it cannot continue, by what the runtime knows.
    Blocked {
        /// Where that is.
        place: Option<Place>,
        /// Whether it waits until some time.
        ends: bool,
    },
    /// Where it waits in the kernel, or runs without reporting anything.
    Silent,
    /// Nowhere any more.
    Ended,
}

/// Why steering ends before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The process has ended; where, if a thread has said so.
    Exit(Exit, Option<Place>),
    /// The runtime has noticed an error.
    Failure(u32, Failure, Option<Place>),
    /// The path cannot be followed: why.
    Left(String),
    /// Time is up.
    Late,
}

/// The operation of a thread before which it is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hold {
    /// The thread.
    pub thread: u32,
    /// How many operations it has done before, in the process.
    pub after: u64,
}

/// An access that was made before another one with which it may race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Earlier {
    /// How to have the thread be about to make it.
    pub hold: Hold,
    /// Where it was made.
    pub place: Option<Place>,
    /// Whether anything orders the two.
    pub is_ordered: bool,
}
