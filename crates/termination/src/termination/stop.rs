//! Why a program was not proved to end, and how reports say so.

use crate::problem::{HazardKind, Line};
use std::fmt;

/// Why a program was not proved to end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stop {
    /// Something that is not followed.
    Unsupported(String, Line),
    /// No ranking function was found for the loop, or the recursion, at this line; in it, these
    /// operations may be undefined.
    NotProved(Line, Vec<(Line, HazardKind)>),
    /// This write may leave its object.
    Write(Line),
    /// What is freed here may not have been allocated, or have been freed before.
    Free(Line),
    /// What is read here may have been freed.
    Read(Line),
    /// What must not be reached may be.
    Reached(Line),
    /// A record says of this place what does not hold.
    Rejected(Line, String),
    /// It took too long.
    Time,
}

impl Stop {
    /// Whether there might be a proof if signed overflow wrapped around.
    pub fn may_be_for_overflow(&self) -> bool {
        let is_overflow = |(_, kind): &(Line, HazardKind)| *kind == HazardKind::Overflow;
        matches!(self, Stop::NotProved(_, undefined) if undefined.iter().any(is_overflow))
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |line: &Line| format!("{}:{}", line.file, line.line);
        match self {
            Stop::Unsupported(what, line) => {
                write!(out, "that it ends is not proved: {} has {what}", at(line))
            }
            Stop::NotProved(line, undefined) => {
                write!(
                    out,
                    "no ranking function was found for the loop at {}",
                    at(line)
                )?;
                for (n, (line, kind)) in undefined.iter().take(3).enumerate() {
                    let joint = if n == 0 {
                        ", where anything may come of"
                    } else {
                        " and of"
                    };
                    write!(out, "{joint} {kind} at {}", at(line))?;
                }
                Ok(())
            }
            Stop::Write(line) => {
                let what = "may be outside of the object that it is meant for, and change anything";
                write!(
                    out,
                    "that it ends is not proved: the write at {} {what}",
                    at(line)
                )
            }
            Stop::Free(line) => {
                let what = "may not be allocated";
                write!(
                    out,
                    "that it ends is not proved: what is freed at {} {what}",
                    at(line)
                )
            }
            Stop::Read(line) => {
                let what = "may have been freed";
                write!(
                    out,
                    "that it ends is not proved: what is read at {} {what}",
                    at(line)
                )
            }
            Stop::Reached(line) => {
                let what = "the end of a function without a value, or __builtin_unreachable, may be reached at";
                write!(out, "that it ends is not proved: {what} {}", at(line))
            }
            Stop::Rejected(line, what) => write!(out, "of the loop at {}, {what}", at(line)),
            Stop::Time => out.write_str("that it ends was not proved in time"),
        }
    }
}
