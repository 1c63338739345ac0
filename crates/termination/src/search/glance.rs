//! What takes little time comes first, whether it shows that the program ends or that it does not.
//!
//! A proof of single loops often takes a few milliseconds, and so does the first attempt at a
//! proof that the program ends. Both take seconds to fail. So there are short looks at single loops
//! before the first attempt and after it.

use super::{Ending, Endless, Incompleteness, Outcome, Pass, Search, Verdict};
use crate::concolic::run::Subject;
use crate::termination;
use std::time::Duration;

/// How much work one question may take before the first attempt, and how much all of them.
const FIRST: [Duration; 2] = [Duration::from_millis(40), Duration::from_millis(100)];
/// How much work an attempt may do where the paths that were followed may be all that there are,
/// and how much the proof that they are.
const SOON: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(1)];
/// The same as [`FIRST`] after the first attempt.
const SECOND: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(300)];

impl Search<'_, '_> {
    /// What a short look at single loops finds.
    pub(super) fn first_glance(&mut self, pass: Pass) -> Option<Box<Endless>> {
        let [question, work] = FIRST;
        self.glance(Pass {
            question,
            work,
            is_glance: true,
            ..pass
        })
    }

    fn glance(&mut self, pass: Pass) -> Option<Box<Endless>> {
        let paths = std::mem::take(&mut self.paths);
        let assumes_memory = self.assumes_memory;
        let outcome = self.pass(pass);
        // The paths of the pass before this one may be all that there are.
        self.paths = paths;
        self.assumes_memory = assumes_memory;
        match outcome {
            Outcome::Found(endless) => Some(endless),
            Outcome::Exhausted | Outcome::Gaps(_) => None,
        }
    }

    /// The proof that a program ends of which all paths were followed. It says less than ranking
    /// functions do, but where these take long, it takes less time.
    pub(super) fn ended_soon(&mut self, pass: Pass) -> Option<Verdict> {
        let [attempt, paths] = SOON;
        if self.may_end()
            && let Ok(verdict) = ranked(self.subject, self.left(attempt), &mut || true)
        {
            return Some(verdict);
        }
        let proof = self.followed(pass, paths)?;
        Some(Verdict::Terminating(Ending::Followed(proof)))
    }

    /// The proof that every execution ends, or, after the first attempt, one that an execution does
    /// not, if the pass is given whose paths may show it, or one over unbounded integers; or why
    /// there is none.
    pub(super) fn ranked_or_endless(
        &mut self,
        pass: Option<Pass>,
    ) -> Result<Verdict, Incompleteness> {
        let (subject, time) = (self.subject, self.left(self.divided() / 2));
        let (mut found, mut ending) = (None, None);
        let proved = ranked(subject, time, &mut || {
            let [question, work] = SECOND;
            found = pass.and_then(|pass| {
                self.glance(Pass {
                    question,
                    work,
                    ..pass
                })
            });
            if found.is_none() && pass.is_some() && self.is_long {
                found = self.repeating_late();
            }
            if found.is_none() && pass.is_some() {
                ending = self.ranked_between_passes(true);
            }
            found.is_some() || ending.is_some() || self.conditional.is_some()
        });
        match (found, ending) {
            (Some(endless), _) => Ok(Verdict::Nonterminating(endless)),
            (None, Some(ending)) => Ok(Verdict::Terminating(ending)),
            (None, None) => proved,
        }
    }
}

/// The proof that every execution ends, without executing the program; or why there is none.
/// `is_over` is asked between attempts.
pub(super) fn ranked(
    subject: &Subject<'_>,
    time: Duration,
    is_over: &mut dyn FnMut() -> bool,
) -> Result<Verdict, Incompleteness> {
    match termination::prove(subject, time, is_over) {
        Ok(proof) => Ok(Verdict::Terminating(Ending::Ranked(Box::new(proof)))),
        Err(stop) => Err(Incompleteness::Unproved(stop)),
    }
}
