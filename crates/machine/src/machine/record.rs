//! What happens on a path, noted while it is replayed.

use crate::base::fault::CodePlace;
use crate::state::condition::Condition;
use crate::state::happens_before::Op;
use crate::state::journal::Journal;
use crate::state::memory::Access;
use std::sync::Arc;

/// The name of an input that a program gets from its environment.
pub const RANDOM_BYTE: &str = "random byte";
/// The name of inputs that are bytes of standard input.
pub const OF_STANDARD_INPUT: &str = "byte of standard input";
/// How the name of inputs begins that are bytes of an argument; its number follows.
pub const OF_ARGUMENT: &str = "byte of argument ";

/// Something that a thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The thread, by its number in reports.
    pub thread: u32,
    /// The transition of the path in which it did that, from 0, once the path is replayed.
    pub transition: u32,
    /// Its frames, innermost first.
    pub frames: Vec<CodePlace>,
    /// What it did.
    pub action: Action,
    /// Where it is a detail of what a library does: what it belongs to, in the program's own names;
    /// empty if that has none.
    pub library: Option<String>,
    /// What is read, written, allocated or freed, by a name that does not change as long as it is
    /// there; empty for other actions.
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
    /// Read an old value of an atomic.
    ReadOld {
        /// Its name.
        variable: String,
        /// The old value.
        value: String,
        /// The newest one.
        newest: String,
    },
    /// Wrote an atomic; stores that were made before come later in its modification order.
    WriteBefore {
        /// Its name.
        variable: String,
        /// What was written.
        value: String,
        /// The newest value.
        newest: String,
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
    /// Allocated memory.
    Allocate {
        /// The object's name, which it keeps.
        object: String,
        /// How many bytes.
        bytes: u64,
    },
    /// Freed memory.
    Free {
        /// The object's name, which it keeps.
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
    /// A delayed store does not reach memory any more: its memory has been freed, or its frame
    /// left.
    Drop {
        /// The variable's name.
        variable: String,
        /// What it would have held.
        value: String,
    },
    /// Read an input.
    Input {
        /// How many bits it has.
        bits: u8,
        /// The name of its type.
        name: String,
        /// Whether it has a sign.
        is_signed: bool,
        /// Its value on the path, if it is known: extended to 64 bits; of a number of a
        /// floating-point type, its bits.
        value: Option<i64>,
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

/// What happened on one transition.
pub struct Recorded {
    /// Which values the inputs may have that are followed symbolically.
    pub(crate) condition: Condition,
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

impl Action {
    /// Returns the name of the variable that is accessed, or `None` if none is.
    pub fn variable(&self) -> Option<&str> {
        match self {
            Action::Read { variable, .. }
            | Action::Write { variable, .. }
            | Action::ReadOld { variable, .. }
            | Action::WriteBefore { variable, .. }
            | Action::Fail { variable, .. }
            | Action::Delay { variable, .. }
            | Action::Reach { variable, .. }
            | Action::Drop { variable, .. } => Some(variable),
            _ => None,
        }
    }
}

impl Event {
    /// Returns whether it is an operation of the happens-before history.
    pub fn is_of_history(&self) -> bool {
        matches!(self.action, Action::HappensBefore(_))
    }

    /// Returns whether it only says what a thread begins to do.
    pub fn is_begin(&self) -> bool {
        matches!(self.action, Action::Begin { .. })
    }

    /// Takes over the place and the name of the delayed store that this event is about.
    pub fn is_of(&mut self, delay: Event) {
        if let Action::Reach { variable, .. } | Action::Drop { variable, .. } = &mut self.action
            && let Action::Delay { variable: name, .. } = delay.action
        {
            *variable = name;
        }
        self.frames = delay.frames;
        self.library = delay.library;
    }
}

/// Returns the verb for an access.
pub fn verb(access: Access) -> &'static str {
    match access {
        Access::Read => "reads",
        Access::Write => "writes",
    }
}
