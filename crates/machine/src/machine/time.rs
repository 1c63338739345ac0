//! What the step knows of the time.

use crate::base::options::Clocks;
use crate::state::clock::Clock;

/// The clock, and how looks at it are taken.
#[derive(Default)]
pub(crate) struct Time {
    clock: Clock,
    /// Whether values are marked that depend on the time.
    unknown: bool,
    /// Whether each look at a clock that shows the last time may also show a later one. This
    /// over-approximates a clock that never stands still.
    goes_on: bool,
    /// Whether such a look was taken.
    looked_late: bool,
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

    /// From now on each look at a clock that shows the last time may also show a later one.
    pub(crate) fn go_on(&mut self) {
        self.goes_on = true;
    }

    /// A look is taken at a clock that shows the last time. Returns whether it may show a later
    /// one.
    pub(crate) fn look_late(&mut self) -> bool {
        self.looked_late = self.goes_on;
        self.goes_on
    }

    /// Returns whether the last such look could show a later time.
    pub(crate) fn has_looked_late(&self) -> bool {
        self.looked_late
    }
}
