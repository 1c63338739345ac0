//! What happens on a path, noted while it is replayed.

use crate::base::fault::{CodePlace, Fault};
use crate::machine::names::thread_name;
use crate::reduction::observe::verb;
use crate::state::happens_before::{self, Op};
use crate::state::journal::Journal;
use crate::state::memory::describe::place_in_words;
use crate::system::System;
use crate::system::step::Stepper;
use impasse_transition_system::{Emission, Nth, Path};
use std::sync::Arc;

/// Something that a thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The thread, by its number in reports.
    pub thread: u32,
    /// Its frames, innermost first.
    pub frames: Vec<CodePlace>,
    /// What it did.
    pub action: Action,
    /// Where it is a detail of what a library does: what it belongs to, in the program's own names; empty if that has none.
    pub library: Option<String>,
    /// Of reads and writes: what is read or written, by a name that does not change as long as it is there.
    pub identity: String,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Read a variable.
    Read {
        /// Its name.
        variable: String,
        /// What it held.
        value: String,
    },
    /// Wrote a variable.
    Write {
        /// Its name.
        variable: String,
        /// What it held before.
        old: String,
        /// What it holds now.
        value: String,
    },
    /// Assigned a local variable that is in no memory.
    Assign {
        /// Its name.
        variable: String,
        /// What it holds now.
        value: String,
    },
    /// Read a variable in a compare-exchange that failed.
    Fail {
        /// Its name.
        variable: String,
        /// What it held.
        value: String,
        /// What it should have held; none if it did, and the operation failed spuriously.
        expected: Option<String>,
    },
    /// Freed memory.
    Free {
        /// Which, in words.
        object: String,
    },
    /// Wrote a variable, but the value is in the thread's store buffer.
    Delay {
        /// Its name.
        variable: String,
        /// What it will hold.
        value: String,
    },
    /// The value of a delayed store has reached memory.
    Reach {
        /// The variable's name.
        variable: String,
        /// What it holds now.
        value: String,
    },
    /// A delayed store does not reach memory any more: its memory has been freed, or its frame left.
    Drop {
        /// The variable's name.
        variable: String,
        /// What it would have held.
        value: String,
    },
    /// Asked its environment something.
    Environment {
        /// What, with the answer, in words.
        what: String,
    },
    /// Called an operation of the machine, such as locking a mutex.
    Operation {
        /// The operation, as in "locks queue.mutex".
        text: String,
    },
    /// Started a thread.
    Start {
        /// The number of the new thread in reports.
        thread: u32,
        /// In words.
        text: String,
    },
    /// Began to hold something, or an operation of a library.
    Begin {
        /// In which slot.
        slot: u32,
    },
    /// Accessed memory, or did something else that matters to races, where states have a history of
    /// accesses.
    HappensBefore(Op),
    /// An input or the environment was chosen.
    Choice {
        /// What was chosen.
        text: String,
    },
    /// Printed something.
    Output {
        /// 1 or 2.
        descriptor: i32,
        /// The text.
        text: String,
    },
}

/// What happened on a path.
pub struct Replay {
    /// All that was noted, in order, but for what follows.
    pub events: Vec<Event>,
    /// All that was begun, in order.
    pub begun: Vec<Event>,
    /// The last state that the path passes.
    pub state: Vec<u8>,
    /// Where states have a history, and the path ends in a race: the earlier one of the two
    /// accesses, in words.
    pub earlier: Option<String>,
    /// The error at the end of the path, if there is one, with what only a replay knows of it.
    pub fault: Option<Fault>,
    /// What it knows of the threads and objects at the end.
    pub journal: Arc<Journal>,
}

/// What happened on one transition.
pub struct Recorded {
    /// All that was noted, in order.
    pub events: Vec<Event>,
    /// What is known at its end.
    pub journal: Arc<Journal>,
}

/// What is noted besides what other threads may observe, and the program's own accesses to memory
/// that outlives calls.
#[derive(Clone, Copy, Default, Debug)]
pub struct Detail {
    /// The values that the program's own code gives to local variables.
    pub locals: bool,
    /// All accesses of libraries to memory.
    pub library: bool,
}

/// Follows a path and notes what happens on it.
pub fn replay(system: &System, path: &Path, detail: Detail) -> Replay {
    let mut stepper = Stepper::new(system);
    stepper.record(detail);
    let mut state: Vec<u8> = Vec::new();
    let mut events = Vec::new();
    let mut journal: Arc<Journal> = Arc::default();
    let mut fault = None;
    for (n, &ordinal) in path.ordinals().iter().enumerate() {
        let mut sink = Nth::new(ordinal);
        match n {
            0 => stepper.initial(&mut sink),
            _ => {
                stepper.successors(&state, &mut sink);
                if sink.found.is_none() {
                    stepper.drain(&state, &mut sink);
                }
            }
        }
        if let Some(recorded) = stepper.recorded().into_iter().nth(ordinal as usize) {
            events.extend(recorded.events);
            journal = recorded.journal;
            stepper.go_on_with(Arc::clone(&journal));
        }
        match sink.found {
            Some(Emission::Edge(edge)) => state = edge.target,
            Some(Emission::Fault(found)) => {
                fault = Some(found);
                break;
            }
            Some(Emission::Omission(_)) | None => break,
        }
    }
    place_delayed(&mut events);
    let (accesses, events): (Vec<Event>, _) = events.into_iter().partition(Event::is_of_history);
    let (begun, events) = events.into_iter().partition(Event::is_begin);
    Replay {
        events,
        begun,
        state,
        earlier: earlier_access(system, &accesses),
        fault,
        journal,
    }
}

/// The access that the last one races with.
fn earlier_access(system: &System, accesses: &[Event]) -> Option<String> {
    let op = |event: &Event| match &event.action {
        Action::HappensBefore(op) => Some(op.clone()),
        _ => None,
    };
    let ops: Vec<Op> = accesses.iter().filter_map(op).collect();
    let (at, span) = happens_before::earlier(&ops)?;
    let event = &accesses[at];
    let own = |place: &&CodePlace| system.own[place.function.0 as usize];
    let place = event.frames.iter().find(own).or(event.frames.first())?;
    Some(format!(
        "{} {} it{} at {}",
        thread_name(event.thread),
        verb(span.kind.access()),
        if span.kind.is_atomic() {
            " atomically"
        } else {
            ""
        },
        place_in_words(&system.program, *place),
    ))
}

/// Gives the events that are about stores which were delayed before the places of these stores, and
/// the names that these had there.
fn place_delayed(events: &mut [Event]) {
    let mut delayed: Vec<usize> = Vec::new();
    for n in 0..events.len() {
        let event = &events[n];
        match &event.action {
            Action::Delay { .. } => delayed.push(n),
            Action::Reach { .. } | Action::Drop { .. } => {
                // A buffer's stores to one place leave it in order.
                let is_it = |&m: &usize| {
                    let place = |event: &Event| (event.thread, event.identity.clone());
                    place(&events[m]) == place(event)
                };
                if let Some(at) = delayed.iter().position(is_it) {
                    let delay = events[delayed.remove(at)].clone();
                    events[n].is_of(delay);
                }
            }
            _ => {}
        }
    }
}

impl Event {
    fn is_of_history(&self) -> bool {
        matches!(self.action, Action::HappensBefore(_))
    }

    fn is_begin(&self) -> bool {
        matches!(self.action, Action::Begin { .. })
    }

    /// Takes the place and the name of the delayed store that this event is about.
    fn is_of(&mut self, delay: Event) {
        if let Action::Reach { variable, .. } | Action::Drop { variable, .. } = &mut self.action
            && let Action::Delay { variable: name, .. } = delay.action
        {
            *variable = name;
        }
        self.frames = delay.frames;
        self.library = delay.library;
    }
}
