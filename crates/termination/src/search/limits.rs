//! How much time and work a search has left, and how both are divided.

use super::{FIRST_QUESTION, Pass, Search};
use impasse_solver::work::Moment;
use std::time::{Duration, Instant};

/// Time beyond this one is not divided, but left for what comes last.
const DIVIDED: Duration = Duration::from_secs(60);
/// The part of the time that the first pass may take.
const FIRST_PASS: u32 = 6;
/// And the second one, if there are long executions.
const SECOND_PASS: u32 = 3;

impl Search<'_, '_> {
    /// Whether the search must end.
    pub(super) fn out_of_time(&self) -> bool {
        Instant::now() >= self.deadline || self.has_worked()
    }

    /// Whether the search has done as much work as it may.
    pub(super) fn has_worked(&self) -> bool {
        self.end.is_some_and(|end| Moment::now() >= end)
    }

    /// Whether a proof with a condition was found, and it is too late for a better one.
    pub(super) fn has_waited(&self) -> bool {
        let until = self.conditional.as_ref().map(|(_, until)| *until);
        until.is_some_and(Moment::is_over)
    }

    /// What is left for something that may take so long.
    pub(super) fn left(&self, at_most: Duration) -> Duration {
        let now = Moment::now();
        let work = self.end.map_or(Duration::MAX, |end| end.since(now));
        let time = self.deadline.saturating_duration_since(Instant::now());
        at_most.min(time).min(work)
    }

    /// The time after which a pass ends. The first one leaves time for what can prove the program
    /// as a whole, and the second one for what comes after long beginnings.
    pub(super) fn share(&self, pass: Pass) -> Duration {
        match pass.question {
            Duration::ZERO => self.divided() / FIRST_PASS,
            FIRST_QUESTION if self.is_long => self.divided() / SECOND_PASS,
            _ => self.options.time,
        }
    }

    /// The time that is divided between passes and provers: one that has more does not become
    /// better, and what comes later would have to wait.
    pub(super) fn divided(&self) -> Duration {
        self.options.time.min(DIVIDED)
    }
}
