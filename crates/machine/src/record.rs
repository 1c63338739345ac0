//! What happens on a path, noted while it is replayed.

use crate::fault::CodePlace;

/// Something that a thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The thread.
    pub thread: u32,
    /// Its frames, innermost first.
    pub frames: Vec<CodePlace>,
    /// What it did.
    pub action: Action,
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
    /// Called an operation of the machine, such as locking a mutex.
    Operation {
        /// The operation, as in "locks queue.mutex".
        text: String,
    },
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
