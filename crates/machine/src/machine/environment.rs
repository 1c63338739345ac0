//! What a program has asked of its environment. Of the answers that it could get, Impasse explores
//! one: the environment is empty.
//!
//! *Claim.* After a search of all states, [`Environment::asked`] holds every question that some
//! execution asks, whatever the order of the search and the number of its threads.
//!
//! *Argument.* A question is noted when the step that asks it is executed. A step that the step
//! cache replays was executed before, from a state in which its thread had the same frames; so it
//! asked the same, at the same place.

use crate::base::fault::CodePlace;
use crate::machine::Machine;
use crate::machine::record::Action;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A question, and the answer that the program gets.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Asked {
    /// The function of the program's own code that asks.
    pub place: CodePlace,
    /// What it asks, with the answer, in words.
    pub what: String,
}

/// What all threads of a search have noted.
#[derive(Default)]
pub struct Environment {
    asked: Mutex<BTreeSet<Asked>>,
}

impl Environment {
    /// Returns everything that was asked, sorted by place.
    pub fn asked(&self) -> Vec<Asked> {
        self.lock().iter().cloned().collect()
    }

    /// Notes what another copy of the system has noted.
    pub fn absorb(&self, asked: Vec<Asked>) {
        self.lock().extend(asked);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<Asked>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Functions that make up the name of a new file. Programs do not depend on which name it is.
const MAKING_NAMES: [&str; 5] = ["__mkostemps", "mkdtemp", "tmpfile", "tmpnam", "tempnam"];

/// Returns what the answer of a function of the C library depends on, or `None` if it does not
/// depend on the environment, or the runtime notes it itself. The answer is the same in all
/// executions.
pub fn question(function: &str) -> Option<&'static str> {
    Some(match function {
        "isatty" => "isatty() finds no terminal",
        "tcgetattr" => "tcgetattr() finds no terminal",
        "ttyname_r" => "ttyname() finds no terminal",
        "rand" => "rand() returns the numbers of one generator",
        "random" => "random() returns the numbers of one generator",
        "rand_r" => "rand_r() returns the numbers of one generator",
        _ => return None,
    })
}

impl Machine<'_> {
    /// Notes that the running thread asks its environment something, unless only library code is on
    /// its stack: then the library asks for itself.
    #[cold]
    pub fn ask_environment(&mut self, what: String) {
        let frames = self.frames_of(self.running);
        let own = |place: &&CodePlace| self.system.own[place.function.0 as usize];
        let Some(at) = frames.iter().position(|place| own(&place)) else {
            return;
        };
        let name = |place: &CodePlace| self.program.info(place.function).name.as_str();
        if frames[..at]
            .iter()
            .any(|place| MAKING_NAMES.contains(&name(place)))
        {
            return;
        }
        if self.observer.notes_events() {
            self.note(Action::Environment { what: what.clone() });
        }
        let asked = Asked {
            place: frames[at],
            what,
        };
        self.system.environment.lock().insert(asked);
    }
}
