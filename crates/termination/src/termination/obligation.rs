//! What has to be shown, and how it is: by Z3 while a proof is looked for, by a clausal proof where
//! one is checked.
//!
//! An obligation is a condition that must hold in a state. It is shown by refuting what is known of
//! the state together with the condition's negation. Of what is known, only what shares variables
//! with the condition, directly or through others, is put to the solver first: the rest can
//! contribute only if the state cannot be reached at all.

use super::state::State;
use super::{Executor, Mode, Result, Stop};
use crate::certify::validity::refutes;
use crate::nontermination::policies::conjuncts;
use impasse_machine::base::fault::CodePlace;
use impasse_solver::{Solver, Symbol, Term};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// How long the solver may take for one obligation.
const QUESTION: Duration = Duration::from_millis(1500);

/// What has to be shown, for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// A write stays inside of its object.
    Write,
    /// What is freed was allocated and not freed before.
    Free,
    /// What is read has not been freed.
    Read,
    /// The place is never reached.
    Unreachable,
}

impl Executor<'_, '_> {
    /// Shows that a condition holds in a state, where a proof is made or checked.
    pub(super) fn oblige(
        &mut self,
        state: &State,
        condition: Term,
        claim: Claim,
        place: CodePlace,
    ) -> Result<()> {
        if self.terms.is_true(condition) || state.path.contains(&condition) {
            return Ok(());
        }
        if self.mode == Mode::Exploring {
            self.watched.push(condition);
            return Ok(());
        }
        let mut known: Vec<Term> = self.context.concat();
        known.extend(&state.path);
        match self.follows(&known, condition)? {
            true => Ok(()),
            false => {
                let line = self.own_line(place);
                Err(match claim {
                    Claim::Write => Stop::Write(line),
                    Claim::Free => Stop::Free(line),
                    Claim::Read => Stop::Read(line),
                    Claim::Unreachable => Stop::Reached(line),
                })
            }
        }
    }

    /// Whether a condition follows from others.
    pub(super) fn follows(&mut self, known: &[Term], condition: Term) -> Result<bool> {
        self.check_time()?;
        let negated = self.terms.not(condition);
        if known.contains(&condition) || self.terms.is_false(negated) {
            return Ok(true);
        }
        if self.is_known_equation(known, condition) {
            return Ok(true);
        }
        let near = self.near(known, &[negated]);
        if self.are_contradictory(&near)? {
            return Ok(true);
        }
        if known.iter().all(|one| near.contains(one)) {
            return Ok(false);
        }
        let mut all = known.to_vec();
        all.push(negated);
        let all = self.near(&all.clone(), &all);
        self.are_contradictory(&all)
    }

    /// Whether a condition is an equation, or says that one does not hold, and follows by the laws
    /// of rings from one thing that is known. To find that out bit by bit takes long.
    fn is_known_equation(&self, known: &[Term], condition: Term) -> bool {
        let terms = self.terms;
        let Some(wanted) = terms.equation(condition) else {
            return false;
        };
        let difference = terms.difference(condition);
        let is_zero =
            difference.is_some_and(|sum| terms.as_constant(terms.sum_of(&sum)) == Some(0));
        let mut parts = known.iter().flat_map(|&one| conjuncts(terms, one));
        is_zero || parts.any(|part| terms.equation(part).as_ref() == Some(&wanted))
    }

    /// Whether conditions, with what is known of addresses, cannot hold together.
    pub(super) fn are_impossible(&mut self, conditions: &[Term]) -> Result<bool> {
        self.check_time()?;
        let all = self.near(conditions, conditions);
        self.are_contradictory(&all)
    }

    fn are_contradictory(&self, conditions: &[Term]) -> Result<bool> {
        if conditions.iter().any(|&one| self.terms.is_false(one)) {
            return Ok(true);
        }
        Ok(match self.mode {
            Mode::Exploring | Mode::Proving => Solver::new(self.terms)
                .check(conditions, self.scope.time(QUESTION))
                .is_unsatisfiable(),
            Mode::Checking => refutes(self.terms, conditions, self.deadline),
        })
    }

    /// The goals, the conditions that share variables with them, directly or through others, and
    /// what is known of these variables.
    pub(super) fn near(&self, known: &[Term], goals: &[Term]) -> Vec<Term> {
        let mut found = goals.to_vec();
        let mut symbols: FxHashSet<Symbol> = self.terms.symbols_in(goals).into_iter().collect();
        let mut axioms = FxHashSet::default();
        let mut open: Vec<(Term, Vec<Symbol>)> = known
            .iter()
            .filter(|condition| !goals.contains(condition))
            .map(|&condition| (condition, self.terms.symbols_in(&[condition])))
            .collect();
        loop {
            let before = (found.len(), symbols.len());
            for symbol in symbols.iter().copied().collect::<Vec<_>>() {
                for &axiom in self.axioms.get(&symbol).into_iter().flatten() {
                    if axioms.insert(axiom) {
                        found.push(axiom);
                        symbols.extend(self.terms.symbols_in(&[axiom]));
                    }
                }
            }
            open.retain(|(condition, of)| {
                let shares = of.iter().any(|symbol| symbols.contains(symbol));
                if shares {
                    found.push(*condition);
                    symbols.extend(of);
                }
                !shares
            });
            if (found.len(), symbols.len()) == before {
                return found;
            }
        }
    }
}
