//! Looks ahead while a search takes long. Random schedules find errors behind many steps, which a
//! breadth-first search would reach after all states before them. And if the search leaves
//! something out, that may have an error which a short search finds: without it, a program with too
//! many states for the first search of a check would never be searched for the errors of weaker
//! memory models.

use impasse_machine::base::fault::{ErrorKind, Fault};
use impasse_machine::base::options::Clocks;
use impasse_machine::system::System;
use impasse_search::{Scheduler, Verdict};
use impasse_transition_system::Path;
use std::cell::{Cell, RefCell};
use std::num::NonZeroU32;
use std::sync::atomic::Ordering::Relaxed;

/// The numbers of states of a search at which it waits while others look ahead. They are few: most
/// looks find nothing.
const AT: [u64; 3] = [1 << 16, 1 << 20, 1 << 24];
/// Each of these others finds so many times fewer states.
const SHARE: u64 = 8;
/// What picks the threads of random schedules. Either finds errors that the other one misses.
const SCHEDULERS: [Scheduler; 2] = [
    Scheduler::Random,
    Scheduler::Pct {
        depth: NonZeroU32::new(3).unwrap(),
    },
];

/// Looks ahead of the search of a system.
pub struct Outlook<'a> {
    system: &'a System,
    with: With<'a>,
    /// How often it has looked.
    looks: Cell<usize>,
    found: RefCell<Option<Ahead>>,
}

/// What looks ahead.
pub struct With<'a> {
    /// Searches a system up to so many states.
    pub search: &'a dyn Fn(&System, u64) -> Found,
    /// Executes random schedules of the system itself.
    pub sample: &'a dyn Fn(Runs) -> Option<(Fault, Path)>,
}

/// Random schedules.
#[derive(Clone, Copy)]
pub struct Runs {
    /// What picks the threads.
    pub scheduler: Scheduler,
    /// How many there are.
    pub number: u64,
    /// How many steps each of them has, at most.
    pub steps: u64,
}

/// What was found ahead of a search.
pub enum Ahead {
    /// An error in another system.
    In(Box<System>),
    /// An error in the same one.
    Here(Fault, Path),
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

impl<'a> Outlook<'a> {
    /// Returns what looks ahead of the search of this system.
    pub fn new(system: &'a System, with: With<'a>) -> Outlook<'a> {
        Outlook {
            system,
            with,
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
        let sampled = self
            .sample(AT[looks])
            .map(|(fault, path)| Ahead::Here(fault, path));
        let found = sampled.or_else(|| self.look(AT[looks] / SHARE).map(Ahead::In));
        let is_found = found.is_some();
        self.found.replace(found);
        is_found
    }

    /// Returns the error that was found.
    pub fn into_found(self) -> Option<Ahead> {
        self.found.into_inner()
    }

    /// Executes random schedules ahead of a search that has found so many states. They take about
    /// as many steps, if each of them is long.
    fn sample(&self, states: u64) -> Option<(Fault, Path)> {
        // What a run at unknown times meets may be no error, and inputs that are followed take
        // long.
        if self.system.options.clocks == Clocks::Unknown || self.system.terms.is_some() {
            return None;
        }
        let steps = 4 * states.isqrt();
        let found = SCHEDULERS.into_iter().find_map(|scheduler| {
            (self.with.sample)(Runs {
                scheduler,
                number: states / steps,
                steps,
            })
        });
        // A search withdraws a deadlock that rests on symmetry.
        found.filter(|(fault, _)| fault.kind != ErrorKind::Hang || !self.system.symmetry.is_on())
    }

    fn look(&self, states: u64) -> Option<Box<System>> {
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
            match (self.with.search)(&system, states) {
                Found::Error => return Some(Box::new(system)),
                Found::Nothing => ahead = system.ahead(),
                Found::Cancelled => return None,
            }
        }
        None
    }
}
