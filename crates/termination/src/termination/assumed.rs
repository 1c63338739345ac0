//! Invariants of a loop around others that hold only because of what holds inside.
//!
//! What the loops inside keep may depend on what holds whenever the loop around is passed, and the
//! other way round: in `while (x != y) { while (x > y) x -= y; … }` x stays positive inside as y is
//! positive there, and y is so outside because the other loop inside keeps it. So conditions that
//! hold on entry are assumed at the header, those of the loops inside are looked for under this
//! assumption in the same way, and conditions that an iteration then breaks are dropped, until none
//! is broken. What is left holds by induction over the iterations; a check shows it as it shows any
//! invariant.

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

/// How much work may be done to find out what holds at the header of a loop around others.
const TIME: Duration = Duration::from_secs(4);
/// How often an iteration is executed under assumptions.
const ROUNDS: usize = 6;
/// So many variables are compared with what they were on entry.
const COMPARED: usize = 10;
/// So many conditions are assumed at first.
const MOST: usize = 60;
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
    ) -> Result<Option<(Vec<Term>, Flow)>> {
        let end = Moment::now() + TIME;
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
            self.drop_broken(&relation, &mut open)?;
            if open.len() == before {
                return Ok(Some((open, flow)));
            }
        }
        Ok(None)
    }

    /// Of the conditions that hold on entry those that each iteration preserves if all of them hold
    /// before it.
    pub(super) fn preserved(&mut self, relation: &Relation) -> Result<Vec<Term>> {
        let mut open = self.holding_on_entry(relation);
        loop {
            let before = open.len();
            self.drop_broken(relation, &mut open)?;
            if open.len() == before {
                return Ok(open);
            }
        }
    }

    /// Conditions on what changes that hold on entry: what is known there of its values, where one
    /// number is less than another that it is at most that, and that each number is at least or at
    /// most what it is there.
    fn holding_on_entry(&self, relation: &Relation) -> Vec<Term> {
        let terms = self.terms;
        let context: Vec<Term> = self.context.concat();
        let pairs = relation.variables.iter().zip(&relation.first);
        let numbers = pairs
            .map(|(variable, &first)| (terms.variable(variable.symbol), first, variable.rank))
            .filter(|&(now, _, rank)| rank.is_none() && terms.width(now) > 7);
        let numbers: Vec<(Term, Term)> = numbers.map(|one| (one.0, one.1)).take(COMPARED).collect();
        let mut found = Vec::new();
        for &(now, first) in &numbers {
            let Node::Symbol(symbol) = terms.node(first) else {
                continue;
            };
            let renamed: FxHashMap<Symbol, Term> = [(symbol, now)].into_iter().collect();
            let moved = terms
                .substitute(&context, &renamed)
                .into_iter()
                .zip(&context);
            for (moved, _) in moved.filter(|(moved, of)| moved != *of) {
                found.push(moved);
                found.extend(self.weaker(moved));
            }
        }
        for (now, first) in numbers {
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

    /// That a number is at most another one, of a condition that it is less.
    fn weaker(&self, condition: Term) -> Option<Term> {
        match self.terms.node(condition) {
            Node::Test(Test::SignedLess, a, b) => {
                Some(self.terms.test(Test::SignedLessEqual, a, b))
            }
            Node::Test(Test::UnsignedLess, a, b) => {
                Some(self.terms.test(Test::UnsignedLessEqual, a, b))
            }
            _ => None,
        }
    }

    /// Drops the conditions that an iteration may break before which all of them hold.
    fn drop_broken(&mut self, relation: &Relation, open: &mut Vec<Term>) -> Result<()> {
        let terms = self.terms;
        let mut known: Vec<Term> = self.context.concat();
        known.extend(open.iter());
        for path in &relation.iterations {
            let known: Vec<Term> = known.iter().chain(&path.taken).copied().collect();
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
