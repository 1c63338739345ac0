//! What the step knows of the time.

use crate::base::options::Clocks;
use crate::state::clock::Clock;

/// The clock, and how it is read.
#[derive(Default)]
pub(crate) struct Time {
    clock: Clock,
    /// Whether values are marked that depend on the time.
    unknown: bool,
    /// Whether each reading of a clock that shows the last time may also show a later one. This
    /// over-approximates a clock that never stands still.
    passes: bool,
    /// Whether such a reading was made.
    read_late: bool,
}

impl Time {
    /// Time as these clocks show it.
    pub(crate) fn new(clocks: Clocks) -> Time {
        Time {
            unknown: clocks == Clocks::Unknown,
            ..Time::default()
        }
    }

    /// Returns the clock.
    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    /// The clock, to be changed.
    pub(crate) fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// Continues from when the clock was like this.
    pub(crate) fn restore(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// Returns whether values are marked that depend on the time.
    pub(crate) fn is_unknown(&self) -> bool {
        self.unknown
    }

    /// Lets each reading of a clock that shows the last time also show a later one.
    pub(crate) fn let_pass(&mut self) {
        self.passes = true;
    }

    /// Reads a clock that shows the last time. Returns whether it may show a later
    /// one.
    pub(crate) fn read_late(&mut self) -> bool {
        self.read_late = self.passes;
        self.passes
    }

    /// Returns whether the last such reading could show a later time.
    pub(crate) fn has_read_late(&self) -> bool {
        self.read_late
    }
}
