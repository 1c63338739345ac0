//! What is checked, and how the world around the program behaves.

use crate::base::hangs::Hangs;
use crate::base::suppression::Suppressions;
use impasse_store::Backing;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The memory models: what threads see of each other's stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, Default)]
pub enum MemoryModelName {
    /// Every store at once.
    #[default]
    SequentialConsistency,
    /// As x86 processors show it.
    Tso,
    /// The same, by the ordinary semantics: slow, for comparison.
    TsoFlusher,
    /// As C and C++ define it.
    C11,
    /// The same: every store at once, unless the program asks for less.
    Auto,
}

impl MemoryModelName {
    /// Returns whether the model says which reads are possible by happens-before.
    pub fn needs_history(self) -> bool {
        self == MemoryModelName::C11
    }
}

/// How much of happens-before states have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tracking {
    /// Nothing: memory holds all that can be read, and races are those of adjacent accesses.
    Nothing,
    /// Which stores each thread can still read. Races are those of adjacent accesses.
    Messages,
    /// That, and the accesses that can still race.
    Accesses,
}

impl Tracking {
    /// Returns whether states have anything of it.
    pub fn is_on(self) -> bool {
        self != Tracking::Nothing
    }
}

/// Whether the stack is unwound when no handler catches an exception: the standard allows both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Uncaught {
    /// Both outcomes are explored.
    Both,
    /// It is unwound before `std::terminate` is called.
    Unwind,
    /// `std::terminate` is called at once.
    Terminate,
}

/// Which exit codes of the program are no errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ExitCodes {
    /// 0 only: a program that ends with another one says that it failed.
    Zero,
    /// All.
    Any,
}

/// What a call of `abort` means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum OnAbort {
    /// An error.
    Error,
    /// The end of an execution that does not count, as of an assumption that does not hold.
    Prune,
}

/// What the return of `main` does to the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum MainReturns {
    /// It exits, whatever its other threads are doing.
    Exits,
    /// It continues until all threads have ended, as after `pthread_exit`.
    Waits,
}

/// Partial-order reduction: which equivalent interleavings the search skips.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Por {
    /// None: every access to memory is a step of its own.
    Off,
    /// Actions that no other thread can observe end no step (`docs/internals/reduction.md`).
    Local,
    /// Where races are reported, plain accesses to shared memory end no step either
    /// (`docs/internals/races.md`). As `Local` where the memory model has
    /// transitions of its own.
    Full,
    /// As `Full`, and a set of threads moves alone where the others need not move before it
    /// (`docs/internals/persistent-sets.md`).
    Persistent,
}

/// What clocks show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Clocks {
    /// Nothing: what reads one is not executed.
    Unread,
    /// Some times of those that they may show.
    Moving,
    /// A time that is unknown: where something depends on it that is not certain, both outcomes are
    /// followed.
    Unknown,
    /// Each time that they may show: a reading is an input that is followed symbolically.
    Symbolic,
}

/// Options of the machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Options {
    /// Report memory that nothing reaches any more and that was not freed.
    pub leaks: bool,
    /// Which hangs Impasse looks for, and how.
    pub hangs: Hangs,
    /// Report data races.
    pub races: bool,
    /// What clocks show.
    pub clocks: Clocks,
    /// Let each allocation fail as well as succeed.
    pub malloc_fail: bool,
    /// Whether the stack is unwound when no handler catches an exception.
    pub uncaught: Uncaught,
    /// Which exit codes are no errors.
    pub exit_codes: ExitCodes,
    /// What a call of `abort` means.
    pub abort: OnAbort,
    /// What the return of `main` does to the program.
    pub main_returns: MainReturns,
    /// Report signed overflow.
    pub signed_overflow: bool,
    /// Partial-order reduction.
    pub por: Por,
    /// Use symmetry reduction.
    pub symmetry: bool,
    /// Reuse a step in each state that agrees in everything the step reads.
    pub step_cache: bool,
    /// What threads see of each other's stores.
    pub memory_model: MemoryModelName,
    /// How many stores a thread's buffer holds at most.
    pub store_buffer: usize,
    /// How many stores to an atomic can be read at a time, at most, under C11.
    pub max_history: usize,
    /// Note the final values of marked variables.
    pub outcomes: bool,
    /// Let waits on condition variables end spuriously.
    pub spurious_wakeups: bool,
    /// Let weak compare-exchanges and attempts to lock fail spuriously, where standards allow it.
    pub spurious_failures: bool,
    /// Let allocations have freed addresses, and threads the ids of those that are gone.
    pub address_reuse: bool,
    /// The range that unrestricted inputs are taken from, if one is given.
    pub nondet: Option<(i64, i64)>,
    /// Whether inputs that have too many values to try each are followed symbolically.
    pub symbolic_inputs: bool,
    /// Whether readings of clocks are followed symbolically as well.
    pub symbolic_clocks: bool,
    /// Whether a search under C11 first looks for races among adjacent accesses alone. Reads that
    /// do not synchronise, which this cannot handle, it leaves to the next search.
    pub adjacent_races_first: bool,
    /// The budget of a step in backward jumps and calls, while several threads are alive.
    pub step_limit: u64,
    /// How deep a stack may get.
    pub max_frames: usize,
    /// Arguments of the program, its own name first.
    pub arguments: Vec<String>,
    /// Environment variables of the program, as `NAME=value`.
    pub environment: Vec<String>,
    /// How many of the last arguments may be any strings that are not longer.
    pub unknown_arguments: usize,
    /// What the program reads from standard input.
    pub standard_input: Vec<u8>,
    /// Whether it may be anything of the same length.
    pub unknown_input: bool,
    /// Files that exist at the start: paths relative to the root, folders ending in `/` and before
    /// what is in them.
    pub files: Vec<(String, Vec<u8>)>,
    /// Errors that are not reported. All searches of a program share what they have met. They are
    /// no part of the serialised form.
    #[serde(skip)]
    pub suppressions: Arc<Suppressions>,
    /// Where components of states are kept. No part of the serialised form either.
    #[serde(skip)]
    pub backing: Backing,
}

impl Options {
    /// Returns whether the program reads text that may be anything.
    pub fn reads_unknown_text(&self) -> bool {
        self.unknown_input || self.unknown_arguments > 0
    }

    /// Returns whether actions that no other thread can observe end no step.
    #[inline]
    pub fn reduces(&self) -> bool {
        self.por != Por::Off
    }

    /// Returns whether plain accesses to shared memory end no step either, if the memory model
    /// permits: the DRF-based reduction.
    #[inline]
    pub fn uses_race_freedom(&self) -> bool {
        self.por >= Por::Full && self.races
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            leaks: true,
            hangs: Hangs::default(),
            races: true,
            clocks: Clocks::Moving,
            malloc_fail: false,
            uncaught: Uncaught::Both,
            exit_codes: ExitCodes::Any,
            abort: OnAbort::Error,
            main_returns: MainReturns::Exits,
            signed_overflow: false,
            por: Por::Persistent,
            symmetry: true,
            step_cache: true,
            memory_model: MemoryModelName::SequentialConsistency,
            store_buffer: 32,
            max_history: 256,
            outcomes: false,
            spurious_wakeups: true,
            spurious_failures: true,
            address_reuse: true,
            nondet: None,
            symbolic_inputs: false,
            symbolic_clocks: false,
            adjacent_races_first: false,
            step_limit: 20_000,
            max_frames: 20_000,
            arguments: vec!["program".into()],
            unknown_arguments: 0,
            environment: Vec::new(),
            standard_input: Vec::new(),
            unknown_input: false,
            files: Vec::new(),
            suppressions: Arc::default(),
            backing: Backing::default(),
        }
    }
}
