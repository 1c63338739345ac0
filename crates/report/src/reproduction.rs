//! What a report says to follow the path to an error again, and what became of that.

use serde::{Deserialize, Serialize};

/// What `impasse replay` needs to follow the path to an error again.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Reproduction {
    /// The command that found the error, without what does not matter to the path. Names of files
    /// are relative to the folder in which it ran.
    pub command: Vec<String>,
    /// What earlier searches of the program have left to the one that found the error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<String>,
    /// Which thread moves, and how; the first is the start of the program.
    pub moves: Vec<Move>,
}

/// One step of a thread, up to its next visible action.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Move {
    /// The thread; none moves if the path ends there because no thread can continue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    /// Which of the outcomes that the thread's step has, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub outcome: u32,
    /// Whether nothing else could happen there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only: bool,
    /// Whether all delayed stores reach memory, instead of a step.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drains: bool,
    /// What the thread does first in its step, in words and without values; absent if nothing of
    /// it is in the trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The file where it does that; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Its line; 0 if unknown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub line: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What became of a path that was followed again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Replayed {
    /// What it leads to now.
    pub outcome: ReplayOutcome,
    /// The same in words.
    pub text: String,
}

/// What a path leads to that was followed again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplayOutcome {
    /// The error that was found before.
    SameError,
    /// Another error.
    OtherError,
    /// No error.
    NoError,
    /// The path does not exist any more.
    NoPath,
    /// Whether there is an error was not found out.
    Unknown,
}

impl ReplayOutcome {
    /// Returns the exit code of the process for this outcome.
    pub fn exit_code(self) -> u8 {
        match self {
            ReplayOutcome::NoError => 0,
            ReplayOutcome::SameError | ReplayOutcome::OtherError => 1,
            ReplayOutcome::NoPath | ReplayOutcome::Unknown => 3,
        }
    }
}

/// What a real process shows of an error whose path its threads were led along.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NativeRun {
    /// What it shows.
    pub outcome: NativeOutcome,
    /// The same in words: what was seen, or why nothing was.
    pub text: String,
}

/// What a process shows of an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NativeOutcome {
    /// It occurs.
    Occurs,
    /// The path was followed, and it was not seen.
    NotSeen,
    /// The process did something else than the path says.
    LeftPath,
    /// A process cannot follow the path, or cannot show the error.
    NotTried,
}

impl NativeOutcome {
    /// Returns the exit code of `impasse replay --native` for this outcome.
    pub fn exit_code(self) -> u8 {
        match self {
            NativeOutcome::Occurs => 1,
            NativeOutcome::NotSeen | NativeOutcome::LeftPath | NativeOutcome::NotTried => 3,
        }
    }
}
