//! What can go wrong: the kinds of errors, and how one is reported.

use crate::base::section_type::SectionType;
use impasse_program::instruction::Position;
use impasse_program::link::FunctionId;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident $name:literal,)*) => {
        /// The kind of an error. The names are a stable interface.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub enum ErrorKind { $($(#[doc = $doc])* $kind,)* }

        impl ErrorKind {
            /// Every kind.
            pub const ALL: &'static [ErrorKind] = &[$(ErrorKind::$kind,)*];

            /// Returns the stable name, as in `error.kind` of the JSON output.
            pub fn name(self) -> &'static str {
                match self { $(ErrorKind::$kind => $name,)* }
            }
        }
    };
}

kinds! {
    /// A failed `assert` or a call of `reach_error`.
    Assertion "assertion",
    /// `abort` was called.
    Abort "abort",
    /// An access outside of its object.
    OutOfBounds "out-of-bounds",
    /// An access to freed memory.
    UseAfterFree "use-after-free",
    /// An access to a local variable whose function has returned, or whose block has ended.
    UseAfterReturn "use-after-return",
    /// An access through a null pointer.
    NullDereference "null-dereference",
    /// An access through something that is no pointer to an object.
    InvalidPointer "invalid-pointer",
    /// A write to constant memory.
    ConstantWrite "constant-write",
    /// A second `free`.
    DoubleFree "double-free",
    /// A `free` of something that `malloc` did not give.
    InvalidFree "invalid-free",
    /// Memory that nothing reaches any more was not freed.
    MemoryLeak "memory-leak",
    /// A decision, an address or a call that depends on an undefined value.
    UndefinedValue "undefined-value",
    /// A division or remainder by zero, or one that overflows.
    DivisionByZero "division-by-zero",
    /// A shift by as many bits as the operand has, or more.
    InvalidShift "invalid-shift",
    /// Signed arithmetic that overflows, where it is checked.
    SignedOverflow "signed-overflow",
    /// A call of something that is no function, or with arguments of wrong types.
    InvalidCall "invalid-call",
    /// A point that the compiler took for unreachable, such as the end of a function that must
    /// return a value.
    Unreachable "unreachable",
    /// An exception that no handler catches.
    UncaughtException "uncaught-exception",
    /// `std::terminate` was called.
    Terminate "terminate",
    /// Unlocking what is not held, destroying what is locked, and the like.
    MutexMisuse "mutex-misuse",
    /// Joining or detaching what cannot be.
    ThreadMisuse "thread-misuse",
    /// Two threads about to make conflicting accesses.
    DataRace "data-race",
    /// No thread can continue.
    Hang "hang",
    /// The program can exit with a code other than 0.
    ExitCode "exit-code",
    /// The stack grew beyond its limit.
    StackOverflow "stack-overflow",
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A place in the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct CodePlace {
    /// The function.
    pub function: FunctionId,
    /// The instruction.
    pub position: Position,
}

/// The stack of one thread, innermost frame first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ThreadStack {
    /// The number of the thread; 0 is `main`'s.
    pub thread: u32,
    /// What it waits for, if it is blocked and the error is that.
    pub waits: Option<Blocked>,
    /// Its frames.
    pub frames: Vec<CodePlace>,
    /// The local variables of each frame and their values; empty in a search.
    pub locals: Vec<Vec<(String, String)>>,
}

/// An error on a transition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// Its kind.
    pub kind: ErrorKind,
    /// What happened, in one sentence; empty if it is that no thread can continue.
    pub message: String,
    /// The thread that did it.
    pub thread: u32,
    /// The stacks of all threads, that of `thread` first.
    pub stacks: Vec<ThreadStack>,
}

/// Something that the machine cannot execute.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Omission {
    /// What it is.
    pub what: String,
    /// The stack of the thread that reached it.
    pub stack: ThreadStack,
}

/// Why execution of a thread stopped in the middle of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// An error of the program.
    Error(ErrorKind, String),
    /// Something that cannot be executed.
    Unsupported(String),
    /// An assumption does not hold: the path is not part of the program.
    Infeasible,
    /// A choice among so many alternatives has to be made; the instruction is executed again for
    /// each. The flag says whether it is an input's choice (and not the scheduler's).
    Choice(u32, bool),
    /// The thread cannot continue now; the instruction had no effect.
    Blocked(Blocked),
    /// The instruction is visible and the step has had its visible action; it had no effect.
    SchedulingPoint,
    /// The search is to stop in the middle of a long step, of which nothing more is wanted.
    Cancelled,
}

/// What a blocked thread waits for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Serialize, Deserialize)]
pub struct Blocked {
    /// What must happen before it can continue.
    pub until: Awaited,
    /// The name of what is waited for.
    pub resource: String,
    /// Threads that would would have to act, as far as the operation determines them, by their
    /// numbers in the state.
    pub on: Vec<u32>,
}

/// What must happen before a blocked thread can continue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Serialize, Deserialize)]
pub enum Awaited {
    /// Unknown: no report asks for it.
    #[default]
    Unknown,
    /// Enough threads have arrived at the barrier.
    Arrivals {
        /// How many have.
        arrived: usize,
        /// How many must.
        needed: u32,
    },
    /// A signal is sent to it.
    Signal,
    /// The condition variable is signalled.
    Wakeup,
    /// The resource has another value than this one.
    Change(i32),
    /// The thread ends.
    End,
    /// The semaphore, which is 0, is more.
    Unit,
    /// The latch, which is this, is 0.
    Zero(u32),
    /// Another thread signals that the resource has changed.
    Notification,
    /// Its store buffer is empty.
    EmptyStoreBuffer,
    /// The function of a library returns that is the resource.
    Return,
    /// The lock is free.
    Lock,
    /// The mutex is free that a wait for a condition variable has given up.
    LockAgain,
    /// The spin lock is free.
    SpinLock,
    /// No thread holds the reader-writer lock for writing.
    ReadLock,
    /// The same, to lock it for writing.
    WriteLock,
    /// No thread holds the reader-writer lock for reading, to lock it for writing.
    WriteLockAfterReaders,
    /// An operation of a library can be done, which is made of smaller ones.
    Operation(SectionType),
}

/// The result of executing something.
pub type Result<T> = std::result::Result<T, Box<Halt>>;

/// Fails with an error of the program.
#[cold]
pub fn error<T>(kind: ErrorKind, message: impl Into<String>) -> Result<T> {
    Err(Box::new(Halt::Error(kind, message.into())))
}

/// Fails with what the machine does not support.
#[cold]
pub fn unsupported<T>(what: impl Into<String>) -> Result<T> {
    Err(Box::new(Halt::Unsupported(what.into())))
}

/// Fails because the thread cannot continue: says until what happens, to which resource, and which
/// threads would have to act.
#[cold]
pub fn blocked<T>(
    until: Awaited,
    resource: String,
    on: impl IntoIterator<Item = u32>,
) -> Result<T> {
    Err(Box::new(Halt::Blocked(Blocked {
        until,
        resource,
        on: on.into_iter().collect(),
    })))
}
