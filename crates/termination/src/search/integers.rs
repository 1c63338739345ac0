//! Proofs that a program ends over unbounded integers, as a part of the search.

use super::{Ending, Endless, Goal, Incompleteness, Pass, Reason, Search, Verdict};
use crate::concolic::iteration::LoopRelation;
use crate::concolic::run::execute;
use crate::concolic::trace::{End, Trace};
use crate::nontermination::Arithmetic;
use crate::problem::Overflow;
use crate::unbounded::{self, Unproved};
use impasse_machine::base::fault::ErrorKind;
use std::time::Duration;

/// One over the parts of the time in which ranking functions are looked for: before the provers are
/// asked of single loops, and after that.
const PARTS: [u32; 2] = [12, 3];
/// How much work a proof that the program ends may take where it computes products.
const PRODUCTS: Duration = Duration::from_secs(3);
/// How many executions that did not end are looked at, and how much work one may take.
const UNENDED: usize = 4;
const UNENDING: Duration = Duration::from_secs(1);

impl Search<'_, '_> {
    /// The proof that every execution ends over unbounded integers, where they may be meant.
    pub(super) fn ranked_over_integers(&mut self, time: Duration) -> Option<Ending> {
        let are_meant = self.options.arithmetic != Arithmetic::Machine
            && self.options.goal != Goal::Endless
            && self.subject.tells_signs;
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

    /// The same once before the provers are asked of single loops, and after that if there was no
    /// time for it.
    pub(super) fn ranked_between_passes(&mut self, is_first: bool) -> Option<Ending> {
        let part = match (is_first, &self.unranked) {
            (true, None) => PARTS[0],
            (false, Some(Unproved::Time)) => PARTS[1],
            _ => return None,
        };
        self.ranked_over_integers(self.left(self.divided() / part))
    }

    /// Keeps the inputs of an execution that did not end by itself.
    pub(super) fn note_unended(&mut self, trace: &Trace) {
        let is_open = match &trace.end {
            End::Cut | End::Wrapped => true,
            End::Undefined(kind, ..) => *kind == ErrorKind::SignedOverflow,
            _ => false,
        };
        if is_open && self.unended.len() < UNENDED && !self.unended.contains(&trace.values) {
            self.unended.push(trace.values.clone());
        }
    }

    /// Proofs by equations between products, where machine integers are meant as well: on these
    /// they are seldom found.
    pub(super) fn by_products(&mut self) -> Option<Verdict> {
        let are_meant = self.options.arithmetic == Arithmetic::Both
            && self.options.goal == Goal::Both
            && self.subject.tells_signs;
        if !are_meant {
            return None;
        }
        if let Some(proof) = unbounded::prove_with_products(self.subject, self.left(PRODUCTS)) {
            let headers = unbounded::check(self.subject, &proof).ok()?;
            let ending = Ending::Unbounded(Box::new(proof), headers);
            return Some(Verdict::Terminating(ending));
        }
        let kept = self.unended.clone();
        let endless = self.unending_over_integers(true);
        self.unended = kept;
        endless.map(|endless| Verdict::Nonterminating(Box::new(endless)))
    }

    /// What holds over unbounded integers, where a proof on machine integers needs that signed
    /// overflow wraps around: a verdict without a condition is better.
    pub(super) fn without_condition(&mut self) -> Option<Verdict> {
        if self.options.arithmetic != Arithmetic::Both {
            return None;
        }
        if let Some(verdict) = self.by_products() {
            return Some(verdict);
        }
        if let Some(ending) = self.ranked_between_passes(true) {
            return Some(Verdict::Terminating(ending));
        }
        let endless = self.unending_over_integers(false)?;
        Some(Verdict::Nonterminating(Box::new(endless)))
    }

    /// An execution on the inputs that are kept that does not end over unbounded integers. Each is
    /// asked about once.
    pub(super) fn unending_over_integers(&mut self, needs_products: bool) -> Option<Endless> {
        let are_meant = self.options.arithmetic != Arithmetic::Machine && self.subject.tells_signs;
        let kept = std::mem::take(&mut self.unended);
        if !are_meant {
            return None;
        }
        let executed = kept.iter().map(|values| {
            let trace = execute(self.subject, values, Pass::first().bounds);
            (self.passed_twice(&trace), trace)
        });
        // What passes more loops says which of them it does not leave.
        let mut executed: Vec<_> = executed.collect();
        executed.sort_by_key(|(passed, _)| std::cmp::Reverse(passed.len()));
        for (passed, trace) in executed {
            if self.out_of_time() {
                return None;
            }
            let time = self.left(UNENDING);
            if let Some(visits) = outermost(&trace, &passed)
                && let Some(proof) =
                    unbounded::prove_endless(self.subject, &trace, (time, needs_products))
            {
                return Some(Endless {
                    relation: LoopRelation::never_left(visits, Overflow::Undefined),
                    trace,
                    paths: Vec::new(),
                    iterations: 1,
                    reason: Reason::Unending(Box::new(proof)),
                });
            }
        }
        None
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

/// Of loops that an execution passes twice, the latest first, the outermost one around the latest.
fn outermost(trace: &Trace, passed: &[(u32, u32)]) -> Option<(u32, u32)> {
    let &(latest, _) = passed.first()?;
    let is_around = |&&(from, _): &&(u32, u32)| {
        let own = &trace.visits[from as usize];
        let mut later = trace.visits[latest as usize..].iter();
        later.any(|visit| (visit.place, visit.activation) == (own.place, own.activation))
    };
    passed.iter().filter(is_around).min().copied()
}
