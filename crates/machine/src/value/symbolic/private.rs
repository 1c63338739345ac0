//! A question as Z3 gets it.

use super::{Arena, CLOCK_BITS};
use impasse_solver::{Answer, Node, Solver, Symbol, Term, Terms, Test, Values};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// How much work Z3 may do for one question.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// How much work it may do at first for the next one of a term's values.
const BRIEFLY: Duration = Duration::from_millis(50);

/// Behind so many values, Z3 is not asked anew for the next one, which would take long.
const FEW: usize = 16;

/// A question in an arena of its own, so that no other thread waits while Z3 works on it.
pub(super) struct Private {
    pub(super) terms: Terms,
    pub(super) conditions: Vec<Term>,
    /// Each variable of the search's terms, and the one that stands for it.
    variables: Vec<(Symbol, Symbol)>,
    /// Variables that were replaced, in that order, and by what.
    replaced: Vec<(Symbol, Term)>,
}

impl Private {
    pub(super) fn new(arena: &mut Arena, conditions: &[Term]) -> Private {
        let terms = Terms::new();
        let mut map = FxHashMap::default();
        let mut variables = Vec::new();
        for &condition in conditions {
            for &input in arena.inputs_of(condition).iter() {
                let symbol = arena.symbol(input);
                map.entry(symbol).or_insert_with(|| {
                    let own = terms.symbol(String::new(), input.1);
                    variables.push((symbol, own));
                    terms.variable(own)
                });
            }
        }
        let conditions = terms.import(&arena.terms, conditions, &map);
        Private {
            conditions: conditions.expect("every variable has its own"),
            terms,
            variables,
            replaced: Vec::new(),
        }
    }

    /// Replaces variables that one of the first conditions says are equal to a term without them:
    /// where terms become the same by it, Z3 would have to find out bit by bit that they are.
    pub(super) fn replace_equals(&mut self, conditions: usize) {
        if self.has_times() {
            return;
        }
        let mut at = 0;
        while at < conditions {
            let Some((symbol, by)) = self.definition(self.conditions[at]) else {
                at += 1;
                continue;
            };
            let map = [(symbol, by)].into_iter().collect();
            self.conditions = self.terms.substitute(&self.conditions, &map);
            self.replaced.push((symbol, by));
            at = 0;
        }
    }

    /// The variable and the term that a condition says are equal, if the term does not depend on
    /// the variable.
    fn definition(&self, condition: Term) -> Option<(Symbol, Term)> {
        let Node::Test(Test::Equal, a, b) = self.terms.node(condition) else {
            return None;
        };
        let define = |one: Term, other: Term| match self.terms.node(one) {
            Node::Symbol(symbol) => {
                let is_free = !self.terms.symbols_in(&[other]).contains(&symbol);
                is_free.then_some((symbol, other))
            }
            _ => None,
        };
        define(a, b).or_else(|| define(b, a))
    }

    fn has_times(&self) -> bool {
        let mut variables = self.variables.iter();
        variables.any(|(_, own)| self.terms.symbol_width(*own) == CLOCK_BITS)
    }

    /// A solver for many questions, for times one over integers.
    fn solver(&self) -> Solver<'_> {
        let solver = Solver::new(&self.terms);
        match self.has_times() {
            true => solver.over_integers(),
            false => solver,
        }
    }

    /// The same for few questions, which may be about sums.
    pub(super) fn solver_of_sums(&self) -> Solver<'_> {
        match self.has_times() {
            true => self.solver(),
            false => self.solver().over_sums(),
        }
    }

    pub(super) fn model(&self, found: &Values) -> Values {
        let mut found = found.clone();
        for &(symbol, by) in self.replaced.iter().rev() {
            found.set(symbol, self.terms.value(by, &found));
        }
        let variables = self.variables.iter();
        variables
            .map(|&(of_search, own)| (of_search, found.get(own)))
            .collect()
    }

    /// The values of the last term, where all others hold: all, or one more than `most`. None if
    /// the solver does not find them.
    pub(super) fn values(&self, most: usize, patience: Duration) -> Option<Vec<u64>> {
        let terms = &self.terms;
        let (&term, conditions) = self.conditions.split_last().expect("a term");
        let mut solver = self.solver();
        conditions
            .iter()
            .for_each(|&condition| solver.assert(condition));
        let mut found = Vec::new();
        loop {
            let are_few = found.len() <= FEW;
            let first = if are_few { BRIEFLY } else { patience };
            let answer = match solver.check(&[], patience.min(first)) {
                Answer::Unknown(_) if are_few => solver.check_anew(patience),
                known => known,
            };
            match answer {
                Answer::Unknown(_) => return None,
                Answer::Unsatisfiable => break,
                Answer::Satisfiable(model) => {
                    let value = terms.value(term, &model);
                    found.push(value as u64);
                    if found.len() > most {
                        break;
                    }
                    solver.assert(terms.differ(term, terms.constant(value, terms.width(term))));
                }
            }
        }
        found.sort_unstable();
        Some(found)
    }
}
