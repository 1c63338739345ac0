//! What can go wrong: the kinds of errors, and how one is reported.

use impasse_program::instruction::Position;
use impasse_program::link::FunctionId;
use std::fmt;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident $name:literal,)*) => {
        /// The kind of an error. The names are a stable interface.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum ErrorKind { $($(#[doc = $doc])* $kind,)* }

        impl ErrorKind {
            /// Every kind.
            pub const ALL: &'static [ErrorKind] = &[$(ErrorKind::$kind,)*];

            /// The stable name, as in `error.kind` of the JSON output.
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
    /// No thread can go on.
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CodePlace {
    /// The function.
    pub function: FunctionId,
    /// The instruction.
    pub position: Position,
}

/// The stack of one thread, innermost frame first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ThreadStack {
    /// The number of the thread; 0 is `main`'s.
    pub thread: u32,
    /// What it waits for, if it is blocked.
    pub waits: Option<String>,
    /// Its frames.
    pub frames: Vec<CodePlace>,
}

/// An error on a transition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fault {
    /// Its kind.
    pub kind: ErrorKind,
    /// What happened, in one sentence.
    pub message: String,
    /// The thread that did it.
    pub thread: u32,
    /// The stacks of all threads, that of `thread` first.
    pub stacks: Vec<ThreadStack>,
}

/// Something that the machine cannot execute.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
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
    /// each. The flag tells whether it is an input's choice (and not the scheduler's).
    Choice(u32, bool),
    /// The thread cannot go on now; the instruction had no effect.
    Blocked(Blocked),
    /// The instruction is visible and the step has had its visible action; it had no effect.
    SchedulingPoint,
    /// The search is to stop in the middle of a long step, of which nothing more is wanted.
    Cancelled,
}

/// What a blocked thread waits for. Empty where nobody asked.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Blocked {
    /// In words, as in "to lock m, which thread 1 holds".
    pub reason: String,
    /// The name of what is waited for.
    pub resource: String,
    /// Threads that would have to do something about it, as far as the operation tells.
    pub on: Vec<u32>,
    /// Whether it waits inside of a function of a library, which is then what is named.
    pub in_call: bool,
}

/// The result of executing something.
pub type Result<T> = std::result::Result<T, Box<Halt>>;

/// An error of the program.
#[cold]
pub fn error<T>(kind: ErrorKind, message: impl Into<String>) -> Result<T> {
    Err(Box::new(Halt::Error(kind, message.into())))
}

/// Something that cannot be executed.
#[cold]
pub fn unsupported<T>(what: impl Into<String>) -> Result<T> {
    Err(Box::new(Halt::Unsupported(what.into())))
}

/// The thread cannot go on: why, because of what, and who would have to do something about it.
#[cold]
pub fn blocked<T>(
    reason: impl Into<String>,
    resource: String,
    on: impl IntoIterator<Item = u32>,
) -> Result<T> {
    Err(Box::new(Halt::Blocked(Blocked {
        reason: reason.into(),
        resource,
        on: on.into_iter().collect(),
        in_call: false,
    })))
}
