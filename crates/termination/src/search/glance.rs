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
/// The same after it.
const SECOND: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(300)];
/// How long a proof by paths may be checked before other proofs are tried again.
const FOLLOWED: Duration = Duration::from_secs(1);

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

    /// The proof that every execution ends, or, after the first attempt, one by the paths of a
    /// pass, if it is given: that they all end, if they are all that there are, or that one does
    /// not. Or why there is none.
    pub(super) fn ranked_or_followed(
        &mut self,
        pass: Option<Pass>,
        are_all: bool,
    ) -> Result<Verdict, Incompleteness> {
        let (subject, time) = (self.subject, self.left(self.divided() / 2));
        let mut found = None;
        let proved = ranked(subject, time, &mut || {
            let Some(pass) = pass else {
                return self.conditional.is_some();
            };
            if are_all {
                let proof = self.followed(pass, FOLLOWED);
                found = proof.map(|proof| Verdict::Terminating(Ending::Followed(proof)));
                return found.is_some();
            }
            let [question, work] = SECOND;
            let endless = self.glance(Pass {
                question,
                work,
                ..pass
            });
            found = endless.map(Verdict::Nonterminating);
            found.is_some() || self.conditional.is_some()
        });
        found.map_or(proved, Ok)
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
