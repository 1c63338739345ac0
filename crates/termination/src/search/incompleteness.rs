//! Why a search is less than complete.

use crate::termination::Stop;
use std::fmt;

/// Why the enumerated paths may not be all paths.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Incompleteness {
    /// Paths are longer than the bounds.
    Length,
    /// The solver did not answer.
    Solver,
    /// The time was up.
    Time,
    /// The search has done as much work as it may.
    Work,
    /// There is no proof that every execution ends.
    Unproved(Stop),
    /// Over unbounded integers, paths were not followed from where numbers wrap around on the
    /// machine.
    Wrapped(String),
    /// The program depends on its environment, and ran in this one only.
    Environment(String),
    /// Another reason, which larger bounds do not remove.
    Other(String),
}

impl Incompleteness {
    /// Whether larger bounds may remove the reason.
    pub fn may_close(&self) -> bool {
        !matches!(
            self,
            Incompleteness::Other(_) | Incompleteness::Environment(_) | Incompleteness::Unproved(_)
        )
    }
}

impl fmt::Display for Incompleteness {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Incompleteness::Length => out.write_str("some paths are longer than what was followed"),
            Incompleteness::Solver => out.write_str("the solver left questions open"),
            Incompleteness::Time => out.write_str("the time was up (--max-time)"),
            Incompleteness::Work => out.write_str("the work was done (--max-work)"),
            Incompleteness::Unproved(stop) => stop.fmt(out),
            Incompleteness::Wrapped(place) => write!(
                out,
                "a number wraps around at {place}: over unbounded integers the program takes another path from there on, \
                 which is not followed"
            ),
            Incompleteness::Environment(what) => write!(out, "it was executed only where {what}"),
            Incompleteness::Other(what) => out.write_str(what),
        }
    }
}
