//! Copies of a system, one for each worker of a search, and the form in which states go from one
//! copy to another.
//!
//! Copies share the program, and nothing that is found in states: each has a store of its own.

use crate::machine::system::System;
use crate::state::portable::{Hashes, Receiver, Sender, Shape};
use impasse_transition_system::{Malformed, Portable};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

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
            searched_under_sc: self.searched_under_sc,
            spurious_failure_seen: Arc::clone(&self.spurious_failure_seen),
            spurious_failures_known: self.spurious_failures_known,
            earlier: self.earlier.clone(),
            ..system.expect("the roots, which this one has")
        }
    }

    /// Notes all that a copy has noted.
    pub fn absorb(&self, copy: &System) {
        let add = |own: &AtomicBool, other: &AtomicBool| {
            own.fetch_or(other.load(Relaxed), Relaxed);
        };
        add(&self.input_is_read, &copy.input_is_read);
        add(&self.clock_is_read, &copy.clock_is_read);
        self.stale.absorb(&copy.stale);
        self.weak.absorb(&copy.weak);
        self.undecided.absorb(&copy.undecided);
        self.environment.absorb(&copy.environment);
        self.outcomes.absorb(&copy.outcomes);
    }

    fn shape(&self) -> Shape {
        let parts = [self.tracking, self.reusing, self.terms.is_some()];
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
