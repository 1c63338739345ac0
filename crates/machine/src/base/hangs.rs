//! Which hangs Impasse looks for, and everything that follows from it.
//!
//! The command line turns `--hangs`, `--sections`, `--hang-algorithm` and `--search` into one
//! [`Hangs`]. The machine, the search and the report derive their settings from it.

use crate::base::section_type::SectionTypes;
use serde::{Deserialize, Serialize};

/// Which hangs Impasse looks for, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Hangs {
    /// None: not even a deadlock of all threads is an error.
    Off,
    /// Only deadlocks of all threads, as in a depth-first search.
    Deadlocks,
    /// Sections of these types that can never end.
    Local(SectionTypes, HangAlgorithm),
    /// States from which the program can never end.
    Global(HangAlgorithm),
}

/// How Impasse finds hangs other than deadlocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum HangAlgorithm {
    /// A backward fixpoint over states and open sections.
    Fixpoint,
    /// A product with the choice of one section instance. Slow; a reference.
    Product,
}

/// Which states get drained successors (see [`crate::memory_model`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draining {
    /// None.
    Never,
    /// The candidate violations: those whose sections the search does not find to end.
    Candidates,
    /// All, through ordinary transitions.
    Always,
}

impl Default for Hangs {
    fn default() -> Self {
        Hangs::Local(SectionTypes::USUAL, HangAlgorithm::Fixpoint)
    }
}

impl Hangs {
    /// Returns the algorithm, or `None` if Impasse looks for deadlocks at most.
    pub fn algorithm(self) -> Option<HangAlgorithm> {
        match self {
            Hangs::Off | Hangs::Deadlocks => None,
            Hangs::Local(_, algorithm) | Hangs::Global(algorithm) => Some(algorithm),
        }
    }

    /// Returns the types of sections that are open in states. A deadlock is reported for one of
    /// them too.
    pub fn section_types(self) -> SectionTypes {
        match self {
            Hangs::Off | Hangs::Global(_) => SectionTypes::NONE,
            Hangs::Deadlocks => SectionTypes::USUAL,
            Hangs::Local(types, _) => types,
        }
    }

    /// Returns whether the program must be able to end from every state.
    pub fn requires_program_end(self) -> bool {
        matches!(self, Hangs::Global(_))
    }

    /// Returns whether the search notes that some executions never end, which is no error.
    pub fn notes_program(self) -> bool {
        matches!(self, Hangs::Local(_, HangAlgorithm::Fixpoint))
    }

    /// Returns whether a deadlock of all threads is an error.
    pub fn reports_deadlocks(self) -> bool {
        self != Hangs::Off
    }

    /// Returns which states the search needs drained.
    pub fn draining(self) -> Draining {
        match self.algorithm() {
            None => Draining::Never,
            Some(HangAlgorithm::Fixpoint) => Draining::Candidates,
            Some(HangAlgorithm::Product) => Draining::Always,
        }
    }
}
