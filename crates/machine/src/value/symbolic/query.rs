//! Questions about terms under a path condition, with what is known of earlier ones.
//!
//! A path condition is satisfiable: this is what every state keeps. So a question depends only on
//! the conjuncts that share inputs with it, directly or through others: whatever values satisfy
//! these, the rest can be satisfied as well.

use super::plain::plain_value;
use super::private::{PATIENCE, Private};
use super::{Arena, InputId, SharedTerms};
use impasse_solver::{Answer, Binary, Evaluator, Node, Term, Terms, Values, work};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::sync::MutexGuard;
use std::time::{Duration, Instant};

/// How many models of earlier questions are tried.
const MODELS: usize = 24;
/// Between bounds that are so many numbers apart, each is asked for.
const BETWEEN: u128 = 256;
/// How many of these may be no values.
const MISSED: u32 = 2;
/// Whether something can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feasibility {
    /// It can.
    Yes,
    /// It cannot.
    No,
    /// The solver has found no answer.
    Unknown,
}

/// Answers to earlier questions.
#[derive(Default)]
pub(super) struct Queries {
    answers: FxHashMap<Box<[Term]>, Feasibility>,
    values: FxHashMap<Box<[Term]>, Vec<u64>>,
    /// Terms with more values than this number.
    many: FxHashMap<Box<[Term]>, usize>,
    models: VecDeque<Values>,
    counts: Counts,
    /// The work that Z3 may still do, if all its work together is bounded.
    left: Option<Duration>,
}

impl Queries {
    fn patience(&self) -> Duration {
        self.left.map_or(PATIENCE, |left| left.min(PATIENCE))
    }

    /// Keeps a model, instead of the oldest one if there are many.
    fn add_model(&mut self, model: Values) {
        self.models.push_back(model);
        if self.models.len() > MODELS {
            self.models.pop_front();
        }
    }

    /// Notes that Z3 was called.
    fn solved(&mut self, time: Duration, work: Duration) {
        self.counts.solved += 1;
        self.counts.time += time;
        self.left = self.left.map(|left| left.saturating_sub(work));
    }
}

/// How many questions there were, and who has answered them.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    /// All questions whose answer was not plain.
    pub asked: u64,
    /// Those that were asked before.
    pub repeated: u64,
    /// Those that an earlier model has answered.
    pub by_model: u64,
    /// Those that a changed model has answered.
    pub guessed: u64,
    /// Those that bounds on parts of the condition have answered.
    pub by_interval: u64,
    /// Those about few values, each of which was tried, or about differences of times.
    pub tried: u64,
    /// How often Z3 was called.
    pub solved: u64,
    /// The time that Z3 took.
    pub time: Duration,
}

impl SharedTerms {
    fn queries(&self) -> MutexGuard<'_, Queries> {
        self.queries
            .lock()
            .expect("no thread panics while it holds the lock")
    }

    /// Bounds the work that Z3 does for all questions together. What it would do beyond has no
    /// answer. Of a search on one thread, the answers are the same in every run.
    pub fn limit_work(&self, work: Duration) {
        self.queries().left = Some(work);
    }

    /// Returns whether Z3 has done as much as it may.
    pub fn is_work_over(&self) -> bool {
        self.queries().left.is_some_and(|left| left.is_zero())
    }

    /// Bounds it no longer, and forgets that questions had no answer.
    pub fn lift_limit(&self) {
        let mut queries = self.queries();
        queries.left = None;
        queries.answers.retain(|_, it| *it != Feasibility::Unknown);
    }

    /// Returns how many questions there were so far.
    pub fn counts(&self) -> Counts {
        self.queries().counts
    }

    /// Returns the inputs on which the values of a term depend under a path condition: those in it,
    /// and those that share conjuncts with these, directly or through others.
    pub fn linked_inputs(&self, path: &[Term], term: Term) -> FxHashSet<InputId> {
        let mut arena = self.arena();
        let mut conditions = arena.slice(path, term);
        conditions.push(term);
        let inputs = conditions.into_iter().map(|term| arena.inputs_of(term));
        let inputs: Vec<_> = inputs.collect();
        let inputs = inputs.iter().flat_map(|inputs| inputs.iter());
        inputs.map(|&(input, _)| input).collect()
    }

    /// Returns whether a path condition, which is satisfiable, and a further condition can hold
    /// together.
    pub fn is_feasible(&self, path: &[Term], condition: Term) -> Feasibility {
        let mut arena = self.arena();
        match arena.terms.as_constant(condition) {
            Some(0) => return Feasibility::No,
            Some(_) => return Feasibility::Yes,
            None => {}
        }
        let mut asked = arena.slice(path, condition);
        asked.push(condition);
        let key: Box<[Term]> = asked.as_slice().into();
        let mut queries = self.queries();
        queries.counts.asked += 1;
        if let Some(&known) = queries.answers.get(&key) {
            queries.counts.repeated += 1;
            return known;
        }
        let mut holds = false;
        let (&condition, conjuncts) = asked.split_last().expect("the condition");
        if let Some(holds) = arena.known_by_intervals(conjuncts, condition) {
            queries.counts.by_interval += 1;
            return match holds {
                true => Feasibility::Yes,
                false => Feasibility::No,
            };
        }
        let is_tried = arena.try_values(conjuncts, condition, |value| {
            holds |= value == 1;
            !holds
        });
        let known = match is_tried {
            true => Some(holds),
            false => arena.are_times_possible(&asked),
        };
        if let Some(holds) = known {
            queries.counts.tried += 1;
            let feasibility = match holds {
                true => Feasibility::Yes,
                false => Feasibility::No,
            };
            queries.answers.insert(key, feasibility);
            return feasibility;
        }
        let mut evaluator = Evaluator::new(&arena.terms, &asked);
        let mut holds = |model: &&Values| !evaluator.run(model).contains(&0);
        if queries.models.iter().rev().any(|model| holds(&model)) {
            queries.counts.by_model += 1;
            queries.answers.insert(key, Feasibility::Yes);
            return Feasibility::Yes;
        }
        if let Some(found) = arena.guess(&asked, queries.models.iter().rev()) {
            queries.counts.guessed += 1;
            queries.add_model(found);
            queries.answers.insert(key, Feasibility::Yes);
            return Feasibility::Yes;
        }
        let patience = queries.patience();
        drop(queries);
        let mut private = Private::new(&mut arena, &asked);
        drop(arena);
        private.replace_equals(asked.len());
        let (start, before) = (Instant::now(), work::of_solver());
        let solver = private.solver_of_sums();
        let answer = solver.check(&private.conditions, patience);
        let mut queries = self.queries();
        queries.solved(start.elapsed(), work::of_solver() - before);
        let feasibility = match answer {
            Answer::Satisfiable(found) => {
                queries.add_model(private.model(&found));
                Feasibility::Yes
            }
            Answer::Unsatisfiable => Feasibility::No,
            Answer::Unknown(_) => Feasibility::Unknown,
        };
        queries.answers.insert(key, feasibility);
        feasibility
    }

    /// Returns all values that a term can have under a path condition, in ascending order without
    /// sign, or `None` if there are more than `most` or the solver does not find them.
    pub fn values_of(&self, path: &[Term], term: Term, most: usize) -> Option<Vec<u64>> {
        let mut arena = self.arena();
        if let Some(number) = arena.terms.as_constant(term) {
            return Some(vec![number as u64]);
        }
        let mut asked = arena.slice(path, term);
        asked.push(term);
        let key: Box<[Term]> = asked.as_slice().into();
        let queries = self.queries();
        if let Some(known) = queries.values.get(&key) {
            return Some(known.clone()).filter(|values| values.len() <= most);
        }
        if queries.many.get(&key).is_some_and(|known| *known >= most) {
            return None;
        }
        drop(queries);
        let mut tried = BTreeSet::new();
        let (&term, conjuncts) = asked.split_last().expect("the term");
        let is_tried = arena.try_values(conjuncts, term, |value| {
            tried.insert(value as u64);
            true
        });
        if is_tried {
            let mut queries = self.queries();
            queries.counts.tried += 1;
            let found = Vec::from_iter(tried);
            queries.values.insert(key, found.clone());
            return Some(found).filter(|values| values.len() <= most);
        }
        let interval = arena.interval_under(conjuncts, term);
        drop(arena);
        let between = interval.and_then(|bounds| self.values_between(path, term, bounds));
        if let Some(found) = between.or_else(|| self.values_by_operand(path, term, most)) {
            self.queries().values.insert(key, found.clone());
            return Some(found).filter(|values| values.len() <= most);
        }
        let mut private = Private::new(&mut self.arena(), &asked);
        private.replace_equals(asked.len() - 1);
        let patience = self.queries().patience();
        let (start, before) = (Instant::now(), work::of_solver());
        let found = private.values(most, patience);
        let mut queries = self.queries();
        queries.solved(start.elapsed(), work::of_solver() - before);
        let found = found?;
        if found.len() > most {
            queries.many.insert(key, most);
            return None;
        }
        queries.values.insert(key, found.clone());
        Some(found)
    }

    /// Returns the values of a term that lies between bounds, if almost all numbers between them
    /// are values: so no proof is needed that there are no others.
    fn values_between(
        &self,
        path: &[Term],
        term: Term,
        (low, high): (u128, u128),
    ) -> Option<Vec<u64>> {
        if high - low >= BETWEEN {
            return None;
        }
        let (mut found, mut missed) = (Vec::new(), 0);
        for value in low..=high {
            let equal =
                self.with(|terms| terms.equal(term, terms.constant(value, terms.width(term))));
            match self.is_feasible(path, equal) {
                Feasibility::Yes => found.push(value as u64),
                Feasibility::No if missed < MISSED => missed += 1,
                _ => return None,
            }
        }
        Some(found)
    }

    /// The values of a term that is a function of one operand, such as an index that is multiplied
    /// by a size: what it makes of the values of that.
    fn values_by_operand(&self, path: &[Term], term: Term, most: usize) -> Option<Vec<u64>> {
        let constant = |terms: &Terms, of: Term| terms.as_constant(of).map(|_| of);
        let (width, node) = self.with(|terms| (terms.width(term), terms.node(term)));
        let operand = match node {
            Node::ZeroExtend(x) | Node::SignExtend(x) => x,
            Node::Concatenate(x, y) => self.with(|terms| constant(terms, y).map(|_| x))?,
            Node::Binary(Binary::Add | Binary::Multiply | Binary::ShiftLeft, x, y) => {
                self.with(|terms| constant(terms, y).map(|_| x))?
            }
            _ => return None,
        };
        let values = self.values_of(path, operand, most)?;
        let made = self.with(|terms| {
            let made = values.iter().map(|&value| {
                let x = terms.constant(value.into(), terms.width(operand));
                let made = match node {
                    Node::ZeroExtend(_) => terms.zero_extend(x, width),
                    Node::SignExtend(_) => terms.sign_extend(x, width),
                    Node::Concatenate(_, y) => terms.concatenate(x, y),
                    Node::Binary(operation, _, y) => terms.binary(operation, x, y),
                    _ => return None,
                };
                terms.as_constant(made).map(|value| value as u64)
            });
            made.collect::<Option<BTreeSet<u64>>>()
        });
        Some(made?.into_iter().collect())
    }

    /// Returns a value that a term can have where all conditions hold, as
    /// [`SharedTerms::plain_values`] does.
    pub fn plain_value(&self, conditions: &[Term], term: Term) -> Option<u64> {
        self.plain_values(conditions, &[term])?.pop()
    }

    /// Returns values that some terms can have together where all conditions hold, or `None` if the
    /// solver finds none. They depend on nothing but these terms, and are small where they can be.
    pub fn plain_values(&self, conditions: &[Term], of: &[Term]) -> Option<Vec<u64>> {
        let mut arena = self.arena();
        let all: Vec<Term> = conditions.iter().chain(of).copied().collect();
        let private = Private::new(&mut arena, &all);
        drop(arena);
        let (conditions, inputs) = private.conditions.split_at(conditions.len());
        let terms = &private.terms;
        let mut solver = private.solver_of_sums();
        conditions
            .iter()
            .for_each(|&condition| solver.assert(condition));
        let mut values = Vec::new();
        for &input in inputs {
            let value = plain_value(terms, &solver, input)?;
            solver.assert(terms.equal(input, terms.constant(value.into(), terms.width(input))));
            values.push(value);
        }
        Some(values)
    }
}

impl Arena {
    /// The conjuncts of a path condition that share inputs with a term, directly or through others,
    /// in order.
    fn slice(&mut self, path: &[Term], term: Term) -> Vec<Term> {
        let mut inputs: FxHashSet<InputId> = FxHashSet::default();
        inputs.extend(self.inputs_of(term).iter().map(|&(input, _)| input));
        let mut left: Vec<Term> = path.to_vec();
        let mut slice = Vec::new();
        loop {
            let before = left.len();
            left.retain(|&conjunct| {
                let of = self.inputs_of(conjunct);
                let shares = of.iter().any(|(input, _)| inputs.contains(input));
                if shares {
                    inputs.extend(of.iter().map(|&(input, _)| input));
                    slice.push(conjunct);
                }
                !shares
            });
            if left.len() == before {
                slice.sort_unstable();
                return slice;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::value::symbolic::{Feasibility, InputId, SharedTerms};
    use impasse_solver::{Binary, Test};

    /// Questions about hashes of two inputs that are equal, or differ: bit by bit they are hard.
    #[test]
    fn equal_inputs_have_equal_hashes() {
        let shared = SharedTerms::default();
        let inputs = [(InputId::new(1, 0), 32), (InputId::new(2, 0), 32)];
        let [x, y] = inputs.map(|input| shared.input(input));
        let (path, equal, differ) = shared.with(|terms| {
            let factor = terms.constant(2_654_435_761, 32);
            let bucket = |x| terms.extract(terms.multiply(x, factor), 30, 2);
            let path = [terms.equal(bucket(x), terms.constant(1, 2)), {
                let next = terms.add(y, terms.constant(1, 32));
                terms.equal(bucket(next), terms.constant(3, 2))
            }];
            let next = terms.add(y, terms.constant(1, 32));
            (path, terms.equal(x, next), terms.equal(x, y))
        });
        assert_eq!(shared.is_feasible(&path, equal), Feasibility::No);
        assert_eq!(shared.is_feasible(&path, differ), Feasibility::Yes);
    }

    /// The bucket of an input, by a multiplicative hash: that it is no other one is plain only to a
    /// solver that is asked once.
    #[test]
    fn values_of_a_hash_are_all() {
        let shared = SharedTerms::default();
        let x = shared.input((InputId::new(1, 0), 32));
        let bucket = shared.with(|terms| {
            let hash = terms.multiply(x, terms.constant(2_654_435_761, 32));
            terms.binary(Binary::LogicalShiftRight, hash, terms.constant(30, 32))
        });
        assert_eq!(shared.values_of(&[], bucket, 1024), Some(vec![0, 1, 2, 3]));
    }

    /// The values of indices as programs compute them, against those for each value of an input.
    #[test]
    fn values_of_indices_are_all() {
        let shared = SharedTerms::default();
        let input = (InputId::new(1, 0), 16);
        let x = shared.input(input);
        let (bound, indices) = shared.with(|terms| {
            let number = |value: u128| terms.constant(value, 16);
            let hash = terms.binary(Binary::Multiply, x, number(40503));
            let rest = terms.binary(Binary::UnsignedRemainder, x, number(5));
            let next = terms.binary(Binary::Add, rest, number(3));
            let mut indices = vec![
                terms.binary(Binary::LogicalShiftRight, hash, number(14)),
                terms.binary(Binary::UnsignedRemainder, next, number(5)),
                terms.binary(Binary::And, x, number(0x205)),
                terms.sign_extend(terms.extract(hash, 12, 4), 16),
            ];
            for n in 0..indices.len() {
                let wide = terms.zero_extend(indices[n], 64);
                indices.push(terms.binary(Binary::Multiply, wide, terms.constant(12, 64)));
                indices.push(terms.concatenate(indices[n], terms.constant(1, 3)));
                indices.push(terms.binary(Binary::ShiftLeft, indices[n], number(15)));
            }
            (terms.test(Test::UnsignedLess, number(99), x), indices)
        });
        for index in indices {
            let values = (100..1 << 16).map(|n| shared.value(index, &shared.values(&[(input, n)])));
            let mut all: Vec<u64> = values.collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(shared.values_of(&[bound], index, 1024), Some(all));
        }
    }
}
