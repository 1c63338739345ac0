//! Looks ahead while a search takes long that leaves something out: what it leaves out may have an
//! error that a short search finds. Without that, a program with too many states for the first
//! search of a check would never be searched for the errors of weaker memory models.

use impasse_machine::base::options::Clocks;
use impasse_machine::system::System;
use impasse_search::Verdict;
use std::cell::{Cell, RefCell};
use std::sync::atomic::Ordering::Relaxed;

/// The numbers of states of a search at which it waits while others look ahead. They are few: most
/// looks find nothing.
const AT: [u64; 3] = [1 << 16, 1 << 20, 1 << 24];
/// Each of these others finds so many times fewer states.
const SHARE: u64 = 8;

/// Looks ahead of the search of a system.
pub struct Ahead<'a> {
    system: &'a System,
    /// Searches a system up to so many states.
    search: &'a dyn Fn(&System, u64) -> Found,
    /// How often it has looked.
    looks: Cell<usize>,
    found: RefCell<Option<System>>,
}

/// What a search ahead has found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// An error.
    Error,
    /// Nothing, within its limit.
    Nothing,
    /// The check has to end.
    Cancelled,
}

impl Found {
    /// Returns what a verdict says.
    pub fn of<F>(verdict: &Verdict<F>, is_cancelled: bool) -> Found {
        match verdict {
            _ if is_cancelled => Found::Cancelled,
            Verdict::Fault { .. } | Verdict::Hang { .. } => Found::Error,
            Verdict::Exhausted | Verdict::Stopped(_) => Found::Nothing,
        }
    }
}

impl<'a> Ahead<'a> {
    /// Returns what looks ahead of the search of this system with searches of others.
    pub fn new(system: &'a System, search: &'a dyn Fn(&System, u64) -> Found) -> Ahead<'a> {
        Ahead {
            system,
            search,
            looks: Cell::new(0),
            found: RefCell::new(None),
        }
    }

    /// Returns whether an error was found ahead of a search that has found so many states.
    pub fn supersedes(&self, states: u64) -> bool {
        let looks = self.looks.get();
        if AT.get(looks).is_none_or(|&at| states < at) {
            return false;
        }
        self.looks.set(looks + 1);
        let found = self.look(AT[looks] / SHARE);
        let is_found = found.is_some();
        self.found.replace(found);
        is_found
    }

    /// Returns the system in which an error was found.
    pub fn into_found(self) -> Option<System> {
        self.found.into_inner()
    }

    fn look(&self, states: u64) -> Option<System> {
        // What a search of a program at unknown times finds may be no error. Each value of an input
        // makes states, and of inputs that are followed few states may take long.
        if self.system.options.clocks == Clocks::Unknown || self.system.input_is_tried.load(Relaxed)
        {
            return None;
        }
        let mut ahead = self.system.ahead();
        while let Some(system) = ahead {
            if system.terms.is_some() {
                return None;
            }
            match (self.search)(&system, states) {
                Found::Error => return Some(system),
                Found::Nothing => ahead = system.ahead(),
                Found::Cancelled => return None,
            }
        }
        None
    }
}
