//! Whether a signal may interrupt the running thread.

/// Whether a signal may interrupt the running thread.
#[derive(Clone, Copy, Default)]
pub(crate) struct Interruptions {
    /// Whether one is there to do so.
    signalled: bool,
    /// Whether one may come: the thread has a handler for it.
    possible: bool,
}

impl Interruptions {
    /// Notes whether a signal is there to interrupt the thread, and whether one may come.
    #[inline]
    pub(crate) fn note(&mut self, signalled: bool, possible: bool) {
        *self = Interruptions {
            signalled,
            possible,
        };
    }

    /// Returns whether a signal is there to interrupt the thread.
    #[inline]
    pub(crate) fn is_signalled(&self) -> bool {
        self.signalled
    }

    /// Returns whether a signal may interrupt the thread between two instructions.
    #[inline]
    pub(crate) fn are_possible(&self) -> bool {
        self.possible
    }
}
