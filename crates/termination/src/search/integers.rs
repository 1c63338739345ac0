//! Proofs that a program ends over unbounded integers, as a part of the search.

use super::{Ending, Goal, Incompleteness, Search};
use crate::nontermination::Arithmetic;
use crate::unbounded::{self, Unproved};
use std::time::Duration;

/// One over the parts of the time in which ranking functions are looked for: before the provers are
/// asked of single loops, and after that.
const PARTS: [u32; 2] = [12, 3];

impl Search<'_, '_> {
    /// The proof that every execution ends over unbounded integers, where they may be meant.
    pub(super) fn ranked_over_integers(&mut self, time: Duration) -> Option<Ending> {
        let are_meant = self.options.arithmetic != Arithmetic::Machine
            && self.options.goal != Goal::Endless
            && self.subject.tells_signs
            && self.conditional.is_none();
        if !are_meant {
            return None;
        }
        match unbounded::prove(self.subject, time) {
            Ok(proof) => {
                let headers = unbounded::check(self.subject, &proof).ok()?;
                Some(Ending::Unbounded(Box::new(proof), headers))
            }
            Err(why) => {
                tracing::debug!(%why, "no proof over unbounded integers");
                self.unranked = Some(why);
                None
            }
        }
    }

    /// The same before the provers are asked of single loops, and after that if there was no time
    /// for it.
    pub(super) fn ranked_between_passes(&mut self, is_first: bool) -> Option<Ending> {
        let part = match (is_first, &self.unranked) {
            (true, _) => PARTS[0],
            (false, Some(Unproved::Time)) => PARTS[1],
            _ => return None,
        };
        self.ranked_over_integers(self.left(self.divided() / part))
    }

    /// Why no such proof was found.
    pub(super) fn not_over_integers(&self) -> Vec<Incompleteness> {
        if self.options.arithmetic == Arithmetic::Machine {
            return Vec::new();
        }
        let why = match (&self.unranked, self.subject.tells_signs) {
            (Some(why), _) => why.to_string(),
            (None, true) => return Vec::new(),
            (None, false) => "it is not known which numbers have a sign".into(),
        };
        let what = format!("that it ends over unbounded integers is not proved: {why}");
        vec![Incompleteness::Other(what)]
    }
}
