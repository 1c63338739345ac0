//! Copies of a system, one for each worker of a search, and the form in which states go from one
//! copy to another.
//!
//! Copies share the program, and nothing that is found in states: each has a store of its own.

use crate::base::suppression::Suppressed;
use crate::machine::environment::Asked;
use crate::machine::system::System;
use crate::state::portable::{Hashes, Receiver, Sender, Shape};
use crate::state::{undecided, weak};
use impasse_transition_system::{Malformed, Portable};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What a copy of a system has noted in a search.
#[derive(Debug, Serialize, Deserialize)]
pub struct Notes {
    input_is_read: bool,
    clock_is_read: bool,
    weak_read: bool,
    reference_counted: bool,
    count_read: bool,
    spurious_failure_seen: bool,
    stale: bool,
    weak: weak::Notes,
    undecided: undecided::Notes,
    asked: Vec<Asked>,
    suppressed: Vec<(Suppressed, String)>,
}

impl System {
    /// Returns whether states can go from one copy to another: not while inputs are followed
    /// symbolically.
    pub fn is_portable(&self) -> bool {
        self.terms.is_none()
    }

    /// Returns another system for the same search of the same program, in which nothing was noted
    /// yet. Panics unless the system is portable.
    pub fn copy(&self) -> System {
        assert!(self.is_portable(), "terms have numbers of one process");
        let system = System::new(Arc::clone(&self.program), self.options.clone());
        System {
            cancel: Arc::clone(&self.cancel),
            tracking: self.tracking,
            reusing: self.reusing,
            follows_psc: self.follows_psc,
            unread: self.unread.clone(),
            searched_under_sc: self.searched_under_sc,
            spurious_failures_known: self.spurious_failures_known,
            earlier: self.earlier.clone(),
            ..system.expect("the roots, which this one has")
        }
    }

    /// Returns all that was noted in a search, but for outcomes.
    pub fn notes(&self) -> Notes {
        Notes {
            input_is_read: self.input_is_read.load(Relaxed),
            clock_is_read: self.clock_is_read.load(Relaxed),
            weak_read: self.weak_read.load(Relaxed),
            reference_counted: self.reference_counted.load(Relaxed),
            count_read: self.count_read.load(Relaxed),
            spurious_failure_seen: self.spurious_failure_seen.load(Relaxed),
            stale: self.stale.notes(),
            weak: self.weak.notes(),
            undecided: self.undecided.notes(),
            asked: self.environment.asked(),
            suppressed: self.options.suppressions.met(),
        }
    }

    /// Notes all that a copy has noted.
    pub fn absorb(&self, notes: Notes) {
        let add = |own: &AtomicBool, noted: bool| {
            own.fetch_or(noted, Relaxed);
        };
        add(&self.input_is_read, notes.input_is_read);
        add(&self.clock_is_read, notes.clock_is_read);
        add(&self.weak_read, notes.weak_read);
        add(&self.reference_counted, notes.reference_counted);
        add(&self.count_read, notes.count_read);
        add(&self.spurious_failure_seen, notes.spurious_failure_seen);
        self.stale.absorb(notes.stale);
        self.weak.absorb(&notes.weak);
        self.undecided.absorb(&notes.undecided);
        self.environment.absorb(notes.asked);
        for (suppressed, what) in notes.suppressed {
            self.options.suppressions.note(suppressed, &what);
        }
    }

    fn shape(&self) -> Shape {
        let parts = [self.tracking.is_on(), self.reusing, self.terms.is_some()];
        Shape {
            globals: self.program.mutable_globals() as usize,
            parts: parts.into_iter().filter(|part| *part).count(),
        }
    }
}

impl Portable for &System {
    type Hashes = Hashes;
    type Sender = Sender;
    type Receiver = Receiver;

    fn portable_hash(&self, hashes: &mut Hashes, state: &[u8]) -> u64 {
        hashes.of_state(&self.store, self.shape(), state)
    }

    fn noted(&self) -> bool {
        self.spurious_failure_seen.load(Relaxed)
    }

    fn note(&self) {
        self.spurious_failure_seen.store(true, Relaxed);
    }

    fn export(&self, sender: &mut Sender, state: &[u8], out: &mut Vec<u8>) {
        sender.state(&self.store, self.shape(), state, out);
    }

    fn import(
        &self,
        receiver: &mut Receiver,
        bytes: &mut &[u8],
        state: &mut Vec<u8>,
    ) -> Result<(), Malformed> {
        receiver.state(&self.store, self.shape(), bytes, state)
    }
}
