//! How much time and work a search has left, and how both are divided.

use super::{FIRST_QUESTION, Incompleteness, Pass, Search};
use crate::termination;
use impasse_solver::work::{Moment, set_deadline};
use std::time::{Duration, Instant};

/// Time beyond this one is not divided, but left for what comes last.
const DIVIDED: Duration = Duration::from_secs(60);
/// The part of the time that the first pass may take.
const FIRST_PASS: u32 = 6;
/// And the second one, if there are long executions.
const SECOND_PASS: u32 = 3;
/// One over the part of the time that is kept for what another option would decide.
const KEPT: u32 = 8;

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

    /// Ends the search of paths earlier if another option may decide after it.
    pub(super) fn keep_time_for(&mut self, unproved: &Incompleteness) {
        if matches!(unproved, Incompleteness::Unproved(stop) if stop.may_be_for_overflow()) {
            self.deadline -= self.divided() / KEPT;
            self.subject.deadline.set(Some(self.deadline));
        }
    }

    /// What another option would decide, where there is no proof.
    pub(super) fn on_other_terms(
        &self,
        unproved: Option<&Incompleteness>,
    ) -> Option<Incompleteness> {
        let Some(Incompleteness::Unproved(stop)) = unproved else {
            return None;
        };
        if !stop.may_be_for_overflow() {
            return None;
        }
        let (kept, more) = (self.divided() / KEPT, self.divided() / 20);
        // The search of paths may have ended late, and the limit of the whole does not move.
        let end = self.started + self.options.time;
        let left = end.saturating_duration_since(Instant::now());
        let time = kept.min(left) + more;
        set_deadline(Some(Instant::now() + time));
        let ends = termination::ends_if_overflow_wraps(self.subject, time);
        ends.then(|| {
            let what = "it terminates if signed overflow wraps around, which -fwrapv says";
            Incompleteness::Other(what.into())
        })
    }
}
