//! Proofs that a program ends over unbounded integers, as a part of the search.

use super::{Ending, Goal, Incompleteness, Search};
use crate::nontermination::Arithmetic;
use crate::unbounded;

/// One over the part of the time in which ranking functions are looked for.
const PART: u32 = 6;

impl Search<'_, '_> {
    /// The proof that every execution ends over unbounded integers, where they may be meant.
    pub(super) fn ranked_over_integers(&mut self) -> Option<Ending> {
        let are_meant = self.options.arithmetic != Arithmetic::Machine
            && self.options.goal != Goal::Endless
            && self.subject.tells_signs
            && self.conditional.is_none();
        if !are_meant {
            return None;
        }
        let time = self.left(self.divided() / PART);
        match unbounded::prove(self.subject, time) {
            Ok(proof) => {
                let headers = unbounded::check(self.subject, &proof).ok()?;
                Some(Ending::Unbounded(Box::new(proof), headers))
            }
            Err(why) => {
                tracing::debug!(why, "no proof over unbounded integers");
                self.unranked = Some(why);
                None
            }
        }
    }

    /// Why no such proof was found.
    pub(super) fn not_over_integers(&self) -> Vec<Incompleteness> {
        if self.options.arithmetic == Arithmetic::Machine {
            return Vec::new();
        }
        let why = match (&self.unranked, self.subject.tells_signs) {
            (Some(why), _) => why.as_str(),
            (None, true) => return Vec::new(),
            (None, false) => "it is not known which numbers have a sign",
        };
        let what = format!("that it ends over unbounded integers is not proved: {why}");
        vec![Incompleteness::Other(what)]
    }
}
