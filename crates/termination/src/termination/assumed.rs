//! Invariants of a loop around others that hold only because of what holds inside.
//!
//! What the loops inside keep may depend on what holds whenever the loop around is passed, and the
//! other way round: in `while (x != y) { while (x > y) x -= y; … }` x stays positive inside because
//! y is positive there, and y is so outside because the other loop inside keeps it. So conditions
//! that hold on entry are assumed at the header, invariants of the loops inside are looked for under
//! this assumption, and conditions that an iteration then breaks are dropped, until none is broken.
//! What is left holds by induction over the iterations; a check shows it as it shows any invariant.

use super::cycle::{Around, Subject};
use super::execute::Flow;
use super::header::{Changes, Header};
use super::relation::Relation;
use super::state::State;
use super::{Executor, Result};
use impasse_solver::work::Moment;
use impasse_solver::{Answer, Evaluator, Node, Solver, Symbol, Term, Test};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// How often an iteration is executed under assumptions.
const ROUNDS: usize = 5;
/// So many variables are compared with what they were on entry.
const COMPARED: usize = 10;
/// So many conditions are assumed at first.
const MOST: usize = 40;
/// How much work one question may take.
const QUESTION: Duration = Duration::from_millis(500);

impl<'a, 's> Executor<'a, 's> {
    /// Conditions that hold at the header if they hold where iterations begin, and the iterations
    /// under them. None if there are none.
    pub(super) fn assumed(
        &mut self,
        (entry, header, changes): (&State, &Header, &Changes),
        (subject, backs): (&Subject, &[State]),
        iteration: &mut Around<'_, 'a, 's>,
        end: Moment,
    ) -> Result<Option<(Vec<Term>, Flow)>> {
        let relation = self.relation(entry, header, backs);
        let mut open = self.holding_on_entry(&relation);
        for _ in 0..ROUNDS {
            if open.is_empty() || end.is_over() {
                break;
            }
            let mut flow = iteration(self, header, &open)?;
            self.changed((entry, header), subject, &mut flow, &mut changes.clone());
            let relation = self.relation(entry, header, &flow.backs);
            let before = open.len();
            self.keep_preserved(&relation, &mut open)?;
            if open.len() == before {
                return Ok(Some((open, flow)));
            }
        }
        Ok(None)
    }

    /// Conditions on what changes that hold on entry: what is known there of its values, and that
    /// it is at least or at most what it is there.
    fn holding_on_entry(&self, relation: &Relation) -> Vec<Term> {
        let terms = self.terms;
        let pairs = relation.variables.iter().zip(&relation.first);
        let mut renamed: FxHashMap<Symbol, Term> = FxHashMap::default();
        let mut compared = Vec::new();
        for (variable, &first) in pairs {
            let now = terms.variable(variable.symbol);
            if let Node::Symbol(symbol) = terms.node(first) {
                renamed.insert(symbol, now);
            }
            if variable.rank.is_none() && terms.width(now) > 7 {
                compared.push((first, now));
            }
        }
        let context: Vec<Term> = self.context.concat();
        let moved = terms.substitute(&context, &renamed);
        let mut found: Vec<Term> = moved
            .into_iter()
            .zip(&context)
            .filter_map(|(moved, &of)| (moved != of).then_some(moved))
            .collect();
        for (first, now) in compared.into_iter().take(COMPARED) {
            for test in [Test::SignedLessEqual, Test::UnsignedLessEqual] {
                found.extend([terms.test(test, first, now), terms.test(test, now, first)]);
            }
        }
        found.retain(|&one| terms.as_constant(one).is_none());
        found.sort_unstable();
        found.dedup();
        found.truncate(MOST);
        found
    }

    /// Drops the conditions that an iteration may break.
    fn keep_preserved(&mut self, relation: &Relation, open: &mut Vec<Term>) -> Result<()> {
        let terms = self.terms;
        let context: Vec<Term> = self.context.concat();
        for path in &relation.iterations {
            let known: Vec<Term> = context.iter().chain(&path.taken).copied().collect();
            let after = relation.at(&path.next);
            while !open.is_empty() {
                self.check_time()?;
                let images = terms.substitute(open, &after);
                let broken = terms.not(terms.all(&images));
                let asked = self.near(&known, &[broken]);
                match Solver::new(terms).check(&asked, QUESTION) {
                    Answer::Unsatisfiable => break,
                    Answer::Unknown(_) => open.clear(),
                    Answer::Satisfiable(model) => {
                        let held = Evaluator::new(terms, &images).run(&model);
                        let mut held = held.into_iter();
                        open.retain(|_| held.next() == Some(1));
                    }
                }
            }
        }
        Ok(())
    }
}
