//! Looks for an endless iteration in one execution: at states that repeat, then by the provers.

use super::candidates::{self, Candidates, Signature};
use super::confirm::confirm;
use super::{Asked, Endless, Pass, Search};
use crate::concolic::acceleration::{Inner, runs};
use crate::concolic::iteration::{Assumed, LoopRelation, StemSearch};
use crate::concolic::trace::Trace;
use crate::nontermination::{self, Arithmetic, Proof, Ranking, Verdict};
use crate::nontermination::{is_nonlinear_equation, prove, prove_by_equations};
use crate::problem::{Lasso, Overflow};
use impasse_solver::work::Moment;
use std::time::Duration;

/// How many instructions of one execution are evaluated in iterations.
const EVALUATED: usize = 3_000_000;
/// How many lassos of one execution the provers get at most.
const LASSOS: usize = 16;
/// With how many stems an iteration is given to the provers in one pass.
const STEMS: u32 = 3;
/// How long a proof may take that is looked for in all lassos first.
const BRIEF: Duration = Duration::from_millis(40);
/// How long a proof by equations may take.
const BY_EQUATIONS: Duration = Duration::from_millis(100);

/// What the provers are asked about.
fn asked(trace: &Trace, visits: (u32, u32), assumed: Assumed) -> Asked {
    let place = trace.visits[visits.0 as usize].place;
    (place, assumed.inner, assumed.overflow)
}

/// The iterations of one execution that may run forever.
#[derive(Default)]
struct Iterations {
    /// One between whose visits a state repeats.
    repeating: Option<((u32, u32), LoopRelation)>,
    /// Those that are left to the provers.
    open: Vec<(Signature, LoopRelation)>,
}

impl Search<'_, '_> {
    /// Looks for an endless iteration in an execution.
    pub(super) fn analyse(&mut self, trace: Trace, pass: Pass) -> Option<Endless> {
        if !pass.question.is_zero()
            && let Some(relation) = self.never_left(&trace)
            && self.is_welcome(&relation)
        {
            return Some(Endless::without_exit(trace, relation));
        }
        let found = self.iterations(&trace, pass);
        if let Some((visits, relation)) = found.repeating {
            return Some(Endless::repeating(trace, visits, relation));
        }
        // Later passes ask this first; in the first one, a state that repeats says more.
        if let Some(relation) = self.never_left(&trace)
            && relation.overflow == Overflow::Undefined
        {
            return Some(Endless::without_exit(trace, relation));
        }
        let equations = found.open.iter().any(|(_, open)| self.has_equations(open));
        let is_new = |(_, open): &(Signature, LoopRelation)| {
            self.is_new(pass, asked(&trace, open.visits, open.assumed()))
        };
        if !equations && !self.may_prove(pass) && !found.open.iter().any(is_new) {
            return None;
        }
        let lassos = self.lassos(&trace, found.open);
        if let Some(endless) = self.by_equations(&trace, &lassos, pass) {
            return Some(endless);
        }
        if equations && let Some(endless) = self.by_several_paths(&trace, pass, true) {
            return Some(endless);
        }
        if let Some(endless) = self.briefly(&trace, &lassos, pass) {
            return Some(endless);
        }
        if !pass.is_glance
            && self.may_prove(pass)
            && let Some(endless) = self.by_several_paths(&trace, pass, false)
        {
            return Some(endless);
        }
        for candidate in lassos.iter().filter(|_| !pass.is_glance) {
            if self.out_of_time() || !self.may_prove(pass) {
                return None;
            }
            let endless = self.ask_provers(&trace, candidate, (pass.question, false));
            if endless.is_some() {
                return endless;
            }
        }
        None
    }

    /// What takes the provers little time in any of the lassos. A proof with a condition is kept
    /// while a better one is looked for.
    fn briefly(
        &mut self,
        trace: &Trace,
        lassos: &[(Signature, LoopRelation, Lasso)],
        pass: Pass,
    ) -> Option<Endless> {
        for candidate in lassos {
            if self.out_of_time() {
                return None;
            }
            let (_, relation, _) = candidate;
            let what = asked(trace, relation.visits, relation.assumed());
            if !self.may_prove(pass) && !self.is_new(pass, what) {
                continue;
            }
            self.asked.insert(what);
            let time = pass.question.min(BRIEF);
            let Some(endless) = self.ask_provers(trace, candidate, (time, true)) else {
                continue;
            };
            if endless.relation.overflow == Overflow::Undefined {
                return Some(endless);
            }
            self.keep_conditional(endless);
            return None;
        }
        None
    }

    /// Evaluates the iterations of an execution, the most promising first, until one repeats a
    /// state without any assumption.
    fn iterations(&mut self, trace: &Trace, pass: Pass) -> Iterations {
        let mut found = Iterations::default();
        let mut left = EVALUATED;
        for (visits, signature) in Candidates::of(self.subject, trace).list {
            let surely = trace.repeated == Some(visits);
            let tries = self.tried.entry(signature).or_insert(0);
            let ends = |overflow| self.ending.contains(&signature.under(overflow));
            let tried = *tries >= STEMS || (ends(Overflow::Undefined) && ends(Overflow::Wraps));
            if tried && !surely {
                continue;
            }
            *tries += 1;
            let length = candidates::length(trace, visits);
            if length > left && !surely {
                continue;
            }
            left = left.saturating_sub(length);
            let is_proved = self.evaluate(trace, (visits, signature), pass, &mut found);
            if is_proved || self.out_of_time() {
                break;
            }
        }
        found
    }

    /// Evaluates an iteration under each assumption and notes what comes of it. Returns whether it
    /// repeats a state without any assumption.
    fn evaluate(
        &mut self,
        trace: &Trace,
        (visits, signature): ((u32, u32), Signature),
        pass: Pass,
        found: &mut Iterations,
    ) -> bool {
        for &overflow in self.assumptions() {
            let ends = self.ending.contains(&signature.under(overflow));
            let assumed = Assumed {
                inner: Inner::Accelerated,
                overflow,
            };
            let is_new = self.is_new(pass, asked(trace, visits, assumed));
            if (self.may_prove(pass) || is_new) && !ends {
                let accelerated = self.accelerated(trace, visits, overflow);
                found.open.extend(accelerated);
            }
            let assumed = Assumed {
                inner: Inner::Followed,
                overflow,
            };
            let relation = LoopRelation::new(self.subject, self.terms, trace, visits, assumed);
            let Ok(relation) = relation else {
                continue;
            };
            if relation.repeats() {
                let is_proved = overflow == Overflow::Undefined;
                if is_proved || found.repeating.is_none() {
                    found.repeating = Some((visits, relation));
                }
                return is_proved;
            }
            let is_same = overflow == Overflow::Undefined && !relation.may_overflow();
            if !ends {
                found.open.push((signature, relation));
            }
            if is_same {
                break;
            }
        }
        false
    }

    /// The lassos of iterations, earlier visits first; those that need no assumption come before
    /// those that do.
    fn lassos(
        &mut self,
        trace: &Trace,
        mut open: Vec<(Signature, LoopRelation)>,
    ) -> Vec<(Signature, LoopRelation, Lasso)> {
        open.truncate(LASSOS);
        open.sort_by_key(|(_, relation)| relation.visits.0);
        let mut lassos = Vec::new();
        for overflow in [Overflow::Undefined, Overflow::Wraps] {
            let (inputs, terms) = (&mut self.inputs, self.terms);
            let mut stems = StemSearch::new(self.subject, terms, trace, inputs, overflow);
            let (now, later): (Vec<_>, Vec<_>) = open
                .into_iter()
                .partition(|(_, relation)| relation.overflow == overflow);
            open = later;
            for (signature, relation) in now {
                if let Some(lasso) = relation.lasso(&mut stems) {
                    lassos.push((signature, relation, lasso));
                }
            }
        }
        lassos
    }

    /// Whether an iteration is taken while an equation between polynomials holds.
    pub(super) fn has_equations(&self, relation: &LoopRelation) -> bool {
        let mut forks = relation.forks.iter();
        forks.any(|fork| is_nonlinear_equation(self.terms, fork.term))
    }

    /// A proof by equations that imply themselves, which takes little time: looked for in every
    /// pass, and in all lassos first.
    fn by_equations(
        &mut self,
        trace: &Trace,
        lassos: &[(Signature, LoopRelation, Lasso)],
        pass: Pass,
    ) -> Option<Endless> {
        let is_early = pass.question.is_zero() || pass.is_glance;
        let is_machine = self.arithmetic != Arithmetic::Integer;
        for (_, relation, lasso) in lassos.iter().filter(|_| is_machine) {
            if !self.has_equations(relation) {
                continue;
            }
            let before = Moment::now();
            let time = self.left(BY_EQUATIONS);
            let proof = prove_by_equations(self.terms, lasso, (time, is_early));
            self.proving += Moment::now().since(before);
            if let Some(proof) = proof {
                let endless = self.confirmed(trace, (relation, lasso), proof);
                if endless.is_some() {
                    return endless;
                }
            }
        }
        None
    }

    /// The execution that a proof speaks of, if it does what the proof says.
    fn confirmed(
        &mut self,
        trace: &Trace,
        (relation, lasso): (&LoopRelation, &Lasso),
        proof: Proof,
    ) -> Option<Endless> {
        let (example, proof) = ((trace, relation), (lasso, proof));
        let time = self.left(Duration::from_secs(20));
        let endless = confirm(self.subject, self.terms, example, proof, time);
        self.statistics.unconfirmed += u64::from(endless.is_none());
        endless
    }

    /// Gives a lasso to the provers, and shows what they prove on the machine.
    fn ask_provers(
        &mut self,
        trace: &Trace,
        (signature, relation, lasso): &(Signature, LoopRelation, Lasso),
        (time, is_brief): (Duration, bool),
    ) -> Option<Endless> {
        debug_assert_eq!(lasso.check(self.terms), Ok(()));
        self.statistics.lassos += 1;
        let options = nontermination::Options {
            arithmetic: self.arithmetic,
            time: self.left(time),
            is_brief,
            ..nontermination::Options::default()
        };
        let before = Moment::now();
        let verdict = prove(self.terms, lasso, &options);
        let work = Moment::now().since(before);
        self.proving += work;
        tracing::debug!(iterations = ?relation.visits, ?work, ?verdict, "asked of a lasso");
        match verdict {
            Verdict::Nonterminating(proof) => self.confirmed(trace, (relation, lasso), *proof),
            // A ranking function that needs no invariants holds with any stem.
            Verdict::Terminating(Ranking::Lexicographic { invariants, .. })
                if invariants.is_empty() =>
            {
                self.ending.insert(signature.under(relation.overflow));
                if !relation.may_overflow() {
                    self.ending.insert(signature.under(Overflow::Wraps));
                }
                None
            }
            Verdict::Terminating(_) | Verdict::Unknown(_) => None,
        }
    }

    /// The iteration between two visits with its inner loops accelerated. `None` if it has none
    /// that can be, if the provers had it often enough, or if it is known to end.
    fn accelerated(
        &mut self,
        trace: &Trace,
        visits: (u32, u32),
        overflow: Overflow,
    ) -> Option<(Signature, LoopRelation)> {
        let found = runs(trace, visits);
        let signature = Signature::of_runs(trace, visits, &found);
        let tried = self.tried.entry(signature.under(overflow));
        let tries = tried.or_insert(0);
        let ends = self.ending.contains(&signature.under(overflow));
        if found.is_empty() || *tries >= STEMS || ends {
            return None;
        }
        *tries += 1;
        let assumed = Assumed {
            inner: Inner::Accelerated,
            overflow,
        };
        let relation = LoopRelation::new(self.subject, self.terms, trace, visits, assumed).ok()?;
        Some((signature, relation))
    }

    /// Whether the provers may run now: other executions may show at once what they look for, so
    /// that half of the time is for executions, and all of the first pass.
    pub(super) fn may_prove(&self, pass: Pass) -> bool {
        !pass.question.is_zero()
            && self.proving * 2 <= Moment::now().since(self.first) + pass.question
    }

    /// Whether nothing was asked of a loop in this pass, unless it is a glance. Then a brief
    /// question about it may always be asked: how often others were looked at must not decide
    /// whether it is.
    fn is_new(&self, pass: Pass, what: Asked) -> bool {
        let is_whole = !pass.question.is_zero() && pass.work == Duration::MAX;
        is_whole && !self.asked.contains(&what)
    }

    /// Whether a proof from this relation is better than the proof that is kept.
    fn is_welcome(&self, relation: &LoopRelation) -> bool {
        relation.overflow == Overflow::Undefined || self.conditional.is_none()
    }

    /// The assumptions about signed overflow to try, in order: a proof without one is better.
    pub(super) fn assumptions(&self) -> &'static [Overflow] {
        match self.conditional {
            None => &[Overflow::Undefined, Overflow::Wraps],
            Some(_) => &[Overflow::Undefined],
        }
    }
}
