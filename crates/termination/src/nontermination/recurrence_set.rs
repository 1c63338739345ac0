//! Recurrent sets over bit vectors, by guessing and checking.
//!
//! A set S is recurrent if from each of its states some iteration leads into S again (section 5.1,
//! proposition 1). Here the inputs that the iterations read are fixed beforehand by a *policy*, a
//! term over the state for each input, so that the iteration is a function f with a guard T and S
//! is recurrent if S ⇒ T ∧ S∘f, which the bit-vector solver decides exactly: no overflow goes
//! unseen. Two methods to guess S:
//!
//! - The guard unrolled: S = T ∧ T∘f ∧ … ∧ T∘fʲ, recurrent if it implies T∘fʲ⁺¹. This is what the
//!   guards that "grow monotonically", at once or after j iterations, need, and those that are
//!   polynomial equations that an iteration preserves. Ring laws decide what equations imply
//!   ([`super::identities`]) where the solver cannot.
//! - Conditions observed: those of [`super::atoms`] that hold on a long run; what the solver shows
//!   not to be preserved is dropped, until all that is left is (the largest inductive subset). If
//!   it implies T, it is recurrent.
//!
//! A third one is a linear set found over integers ([`from_integers`]), whose inequalities join the
//! conditions observed.
//!
//! The paper searches for sets of integers only; sets of machine states that are never left because
//! they wrap around (an odd counter that steps by two) have no counterpart there.

use super::identities::Equations;
use super::policies::{conjuncts, policies};
use super::step::{Runner, Step};
use super::{
    Budget, Evidence, IterationSequence, LinearRecurrenceSet, Options, Proof, atoms, orbit, seeds,
};
use crate::affine::Affine;
use crate::problem::{Iteration, Reading};
use impasse_solver::{Answer, Binary, Evaluator, Node, Solver, Term, Terms, Test, Values, WIDEST};
use num_bigint::BigInt;
use std::time::Duration;

/// How long one question may take.
pub(super) const QUESTION: Duration = Duration::from_secs(2);
/// How often the guard is unrolled.
pub(super) const GUARDS: usize = 4;
/// How often its equations are, where no solver is asked.
pub(super) const EQUATIONS: usize = 8;
/// How many iterations a run takes before questions about what it keeps are worth asking.
const EXECUTED: u64 = 50_000;
/// How many iterations of a run are observed.
const OBSERVED: u64 = 10_000;
/// How many states of a run are kept as a sample.
const SAMPLE: usize = 400;

/// A set that the lasso never leaves.
pub(crate) fn look_for(step: &Step, options: &Options, budget: &Budget) -> Option<Proof> {
    let policies = policies(step).into_iter();
    let attempts: Vec<Attempt<'_, '_>> = policies.map(|one| Attempt::new(step, one)).collect();
    let closed = attempts
        .iter()
        .find_map(|attempt| attempt.closed_guard(budget));
    if closed.is_some() {
        return closed;
    }
    for attempt in attempts {
        if let Some(proof) = attempt.unrolled_guard(budget) {
            return Some(proof);
        }
        let mut hard = Vec::new();
        for inputs in seeds::of_function(step, attempt.taken, &attempt.next, budget) {
            match attempt.observed(&inputs, &[], options, budget) {
                Observed::Proved(proof) => return Some(*proof),
                Observed::Hard(candidates) => hard.push((inputs, candidates)),
                Observed::Nothing => {}
            }
            if budget.is_spent() {
                return None;
            }
        }
        for (inputs, candidates) in hard {
            if let Some(proof) = attempt.of_candidates(&inputs, candidates, budget) {
                return Some(proof);
            }
        }
    }
    None
}

/// A set that the lasso never leaves because of polynomial equations of its guard. If so asked, only
/// one that the run on the example does not leave for many iterations.
pub(crate) fn by_equations(step: &Step, only_on_example: bool, budget: &Budget) -> Option<Proof> {
    let mut policies = policies(step).into_iter();
    policies
        .find_map(|policy| Attempt::new(step, policy).unrolled_equations(only_on_example, budget))
}

/// A set that was found over integers as one of machine states, strengthened by what else holds on
/// the run.
pub(crate) fn from_integers(
    step: &Step,
    (inputs, linear): (&Values, &LinearRecurrenceSet),
    options: &Options,
    budget: &Budget,
) -> Option<Proof> {
    if linear.iterations != 1 {
        return None;
    }
    let mut inequalities = linear.set.clone();
    for (at, value) in &linear.fixed {
        let above = Affine::unknown(*at).shifted(-value);
        inequalities.extend([above.times(&(-1).into()), above]);
    }
    let rows: Vec<Term> = inequalities
        .iter()
        .map(|row| at_most_zero(step, row))
        .collect::<Option<_>>()?;
    let read = |iteration: &Iteration, choices: &[Affine]| -> Option<Vec<Term>> {
        let pairs = iteration.inputs.iter().zip(choices);
        pairs
            .map(|(input, choice)| chosen(step, choice, step.terms.symbol_width(input.symbol)))
            .collect()
    };
    let iterations = step.lasso.iterations.iter().zip(&linear.policy);
    let policy = iterations
        .map(|(iteration, choices)| read(iteration, choices))
        .collect::<Option<_>>()?;
    let attempt = Attempt::new(step, policy);
    match attempt.observed(inputs, &rows, options, budget) {
        Observed::Proved(proof) => Some(*proof),
        Observed::Hard(candidates) => attempt.of_candidates(inputs, candidates, budget),
        Observed::Nothing => None,
    }
}

/// An inequality over integers as a condition on vectors wide enough for it not to overflow.
fn at_most_zero(step: &Step, row: &Affine) -> Option<Term> {
    let terms = step.terms;
    let widest = step
        .state()
        .iter()
        .map(|&variable| terms.width(variable))
        .max()?;
    let numbers = row.coefficients.values().chain([&row.constant]);
    let bits = numbers.map(|number| number.bits()).max().unwrap_or(0) + u64::from(widest) + 8;
    let width = u8::try_from(bits).ok().filter(|&width| width <= WIDEST)?;
    let constant =
        |number: &BigInt| Some(terms.constant(i128::try_from(number).ok()? as u128, width));
    let mut sum = constant(&row.constant)?;
    for (&at, coefficient) in &row.coefficients {
        let variable = &step.lasso.variables[at];
        let symbol = terms.variable(variable.symbol);
        let wide = match variable.reading {
            Some(Reading::Unsigned) => terms.zero_extend(symbol, width),
            _ => terms.sign_extend(symbol, width),
        };
        sum = terms.add(sum, terms.multiply(wide, constant(coefficient)?));
    }
    Some(terms.test(Test::SignedLessEqual, sum, terms.constant(0, width)))
}

/// What is read: a number, or a variable of the width.
fn chosen(step: &Step, choice: &Affine, width: u8) -> Option<Term> {
    if choice.is_constant() {
        return Some(
            step.terms
                .constant(i128::try_from(&choice.constant).ok()? as u128, width),
        );
    }
    let variable = *step.state().get(*choice.coefficients.keys().next()?)?;
    let is_it = *choice == Affine::unknown(*choice.coefficients.keys().next()?);
    (is_it && step.terms.width(variable) == width).then_some(variable)
}

/// A comparison with its sides as sums of products, or the condition as it is.
fn normal(terms: &Terms, condition: Term) -> Term {
    let side = |term| terms.sum_of(&terms.polynomial(term));
    match terms.node(condition) {
        Node::Not(inner) => terms.not(normal(terms, inner)),
        Node::Test(kind, left, right) => terms.test(kind, side(left), side(right)),
        _ => condition,
    }
}

/// What came of a run.
enum Observed {
    Proved(Box<Proof>),
    /// Nothing, but there are candidates about which questions are hard.
    Hard(Vec<Term>),
    Nothing,
}

/// The search under one policy.
pub(super) struct Attempt<'a, 's> {
    step: &'s Step<'a>,
    policy: Vec<Vec<Term>>,
    /// When an iteration is taken, and the state after it.
    taken: Term,
    next: Vec<Term>,
}

impl<'a, 's> Attempt<'a, 's> {
    pub(super) fn new(step: &'s Step<'a>, policy: Vec<Vec<Term>>) -> Attempt<'a, 's> {
        let (taken, next) = step.with_inputs(&step.state(), &policy);
        Attempt {
            step,
            policy,
            taken,
            next,
        }
    }

    fn proof(&self, inputs: Values, before: IterationSequence, mut set: Vec<Term>) -> Proof {
        let known = self.step.known.iter().filter(|&known| !set.contains(known));
        let known: Vec<Term> = known.copied().collect();
        set.extend(known);
        Proof {
            inputs,
            before,
            evidence: Evidence::Closed {
                set,
                policy: self.policy.clone(),
            },
        }
    }

    /// The guard, unrolled until each of its conditions holds once more because its sides are those
    /// of one that holds, by ring laws. This needs no solver.
    fn closed_guard(&self, budget: &Budget) -> Option<Proof> {
        let terms = self.step.terms;
        let after = self.step.at(&self.next);
        let mut set = conjuncts(terms, self.taken);
        let mut held: Vec<Term> = set.iter().map(|&part| normal(terms, part)).collect();
        let mut last = set.clone();
        for _ in 0..GUARDS {
            last = terms.substitute(&last, &after);
            last.retain(|&part| {
                let part = normal(terms, part);
                terms.as_constant(part) != Some(1) && !held.contains(&part)
            });
            if last.is_empty() {
                return self.entered(set, budget);
            }
            set.extend(&last);
            held.extend(last.iter().map(|&part| normal(terms, part)));
        }
        None
    }

    /// The guard, unrolled until it implies that it holds once more.
    fn unrolled_guard(&self, budget: &Budget) -> Option<Proof> {
        let terms = self.step.terms;
        let after = self.step.at(&self.next);
        let mut solver = Solver::new(terms);
        let mut set = Vec::new();
        let mut equations = Vec::new();
        let mut last = self.taken;
        for _ in 0..GUARDS {
            solver.assert(last);
            set.push(last);
            equations.extend(
                conjuncts(terms, last)
                    .into_iter()
                    .filter_map(|part| terms.equation(part)),
            );
            let parts = terms.substitute(&conjuncts(terms, last), &after);
            // Equations that differ by ring laws only from one that holds need no solver.
            let open = parts.into_iter().filter(|&part| {
                terms
                    .equation(part)
                    .is_none_or(|it| !equations.contains(&it))
            });
            let again = terms.all(&open.collect::<Vec<_>>());
            match solver.check(&[terms.not(again)], budget.slice(QUESTION)) {
                Answer::Unsatisfiable => return self.entered(set, budget),
                Answer::Satisfiable(_) => last = again,
                Answer::Unknown(_) => return None,
            }
        }
        None
    }

    /// The guard, unrolled until its equations imply by ring laws that they hold once more, and
    /// everything else implies likewise, for the solver, that it does. Only where products occur.
    ///
    /// Questions about overflow of products are hard, and seldom asked in vain where the run on the
    /// example goes well.
    fn unrolled_equations(&self, only_on_example: bool, budget: &Budget) -> Option<Proof> {
        let terms = self.step.terms;
        let after = self.step.at(&self.next);
        let (mut equations, mut others): (Vec<Term>, Vec<Term>) = conjuncts(terms, self.taken)
            .into_iter()
            .partition(|&part| terms.difference(part).is_some());
        let mut last = equations.clone();
        for _ in 0..EQUATIONS {
            let known = Equations::of(terms, &equations);
            last = terms.substitute(&last, &after);
            last.retain(|&image| match terms.difference(image) {
                Some(difference) => known.imply(&difference).is_none(),
                None => terms.as_constant(image) != Some(1),
            });
            if last.is_empty() {
                break;
            }
            equations.extend(&last);
        }
        if !last.is_empty() {
            return None;
        }
        if only_on_example && !others.is_empty() {
            let entry = self.step.enter(&self.step.lasso.stem.example)?;
            self.sample(entry, EXECUTED)?;
        }
        let mut last = others.clone();
        for _ in 0..GUARDS {
            last = terms.substitute(&last, &after);
            let mut question = others.clone();
            question.push(terms.not(terms.all(&last)));
            match Solver::new(terms).check(&question, budget.slice(QUESTION)) {
                Answer::Unsatisfiable => {
                    return self.entered([equations, others].concat(), budget);
                }
                Answer::Satisfiable(_) => others.extend(&last),
                Answer::Unknown(_) => return None,
            }
        }
        None
    }

    /// A proof from a recurrent set, if the stem leads into it: the example does, or other inputs.
    pub(super) fn entered(&self, set: Vec<Term>, budget: &Budget) -> Option<Proof> {
        let terms = self.step.terms;
        let entry = self.step.at(&self.step.lasso.stem.entry);
        let mut conditions = terms.substitute(&set, &entry);
        let example = &self.step.lasso.stem.example;
        let is_inside = self.step.enter(example).is_some()
            && !Evaluator::new(terms, &conditions).run(example).contains(&0);
        if is_inside {
            let inputs = self.step.lasso.stem.inputs.iter();
            let inputs = inputs.map(|input| (input.symbol, example.get(input.symbol)));
            return Some(self.proof(inputs.collect(), IterationSequence::Chosen(Vec::new()), set));
        }
        conditions.push(self.step.stem());
        let model = Solver::new(terms)
            .check(&conditions, budget.slice(QUESTION))
            .model()?;
        let inputs = self
            .step
            .lasso
            .stem
            .inputs
            .iter()
            .map(|input| (input.symbol, model.get(input.symbol)))
            .collect();
        Some(self.proof(inputs, IterationSequence::Chosen(Vec::new()), set))
    }

    /// A recurrent set from what holds on the run with these inputs, some of it suggested. At first
    /// without remainders, about which questions are hard.
    fn observed(
        &self,
        inputs: &Values,
        suggested: &[Term],
        options: &Options,
        budget: &Budget,
    ) -> Observed {
        if *inputs != self.step.lasso.stem.example
            && let Some(proof) = orbit::from_inputs(self.step, inputs, options.iterations, budget)
        {
            return Observed::Proved(Box::new(proof));
        }
        let entry = self.step.enter(inputs);
        let sample = entry.and_then(|entry| self.sample(entry, options.iterations.min(OBSERVED)));
        let Some(sample) = sample else {
            return Observed::Nothing;
        };
        let all = atoms::holding_in(self.step, &sample, suggested);
        let (easy, hard): (Vec<Term>, Vec<Term>) =
            all.iter().partition(|&&one| !self.has_remainder(one));
        match self.of_candidates(inputs, easy, budget) {
            Some(proof) => Observed::Proved(Box::new(proof)),
            None if hard.is_empty() => Observed::Nothing,
            None => Observed::Hard(all),
        }
    }

    /// Whether a condition is about the remainder of a variable, which no iteration computes.
    fn has_remainder(&self, condition: Term) -> bool {
        let terms = self.step.terms;
        let mut below = terms.below(&[condition]).into_iter();
        below.any(|term| {
            matches!(
                terms.node(term),
                Node::Binary(Binary::UnsignedRemainder, ..)
            )
        })
    }

    /// A recurrent set of candidates that hold on the run with these inputs.
    fn of_candidates(
        &self,
        inputs: &Values,
        candidates: Vec<Term>,
        budget: &Budget,
    ) -> Option<Proof> {
        let set = self.largest_inductive(candidates, budget)?;
        let relevant = self
            .step
            .lasso
            .stem
            .inputs
            .iter()
            .map(|input| (input.symbol, inputs.get(input.symbol)))
            .collect();
        Some(self.proof(
            relevant,
            IterationSequence::Chosen(Vec::new()),
            self.smallest(set, budget),
        ))
    }

    /// States of the run under the policy: the first ones, and ever fewer of the later ones. `None`
    /// if it leaves.
    fn sample(&self, entry: Vec<u128>, iterations: u64) -> Option<Vec<Vec<u128>>> {
        let mut runner = Runner::new(self.step);
        let symbols: Vec<_> = self
            .step
            .lasso
            .variables
            .iter()
            .map(|variable| variable.symbol)
            .collect();
        let flat: Vec<Term> = self.policy.iter().flatten().copied().collect();
        let mut chooser = Evaluator::new(self.step.terms, &flat);
        let mut sample = vec![entry.clone()];
        let mut state = entry;
        let stride = (iterations / SAMPLE as u64).max(1);
        for iteration in 0..iterations {
            let values = symbols.iter().copied().zip(state.iter().copied()).collect();
            let mut chosen = chooser.run(&values).into_iter();
            let inputs: Vec<Vec<u128>> = self
                .policy
                .iter()
                .map(|of_iteration| chosen.by_ref().take(of_iteration.len()).collect())
                .collect();
            state = runner.first(&state, &inputs)?.1;
            if iteration < SAMPLE as u64 / 2 || iteration % stride == 0 {
                sample.push(state.clone());
            }
        }
        Some(sample)
    }

    /// The largest subset of the candidates that the iteration preserves, if it implies that an
    /// iteration is taken.
    fn largest_inductive(&self, mut candidates: Vec<Term>, budget: &Budget) -> Option<Vec<Term>> {
        let terms = self.step.terms;
        let after = self.step.at(&self.next);
        let mut solver = Solver::new(terms);
        loop {
            let images = terms.substitute(&candidates, &after);
            let broken: Vec<Term> = images.iter().map(|&image| terms.not(image)).collect();
            let mut question = candidates.clone();
            question.push(self.taken);
            question.push(terms.any(&broken));
            match solver.check(&question, budget.slice(QUESTION)) {
                Answer::Unsatisfiable => break,
                Answer::Unknown(_) => return None,
                Answer::Satisfiable(model) => {
                    let kept = Evaluator::new(terms, &images).run(&model);
                    candidates = candidates
                        .into_iter()
                        .zip(kept)
                        .filter_map(|(c, kept)| (kept == 1).then_some(c))
                        .collect();
                }
            }
        }
        solver.push();
        for &condition in &candidates {
            solver.assert(condition);
        }
        solver
            .check(&[terms.not(self.taken)], budget.slice(QUESTION))
            .is_unsatisfiable()
            .then_some(candidates)
    }

    /// Whether a set is recurrent.
    fn is_recurrent(&self, set: &[Term], budget: &Budget) -> bool {
        let terms = self.step.terms;
        let images = terms.substitute(set, &self.step.at(&self.next));
        let stays = terms.and(self.taken, terms.all(&images));
        let mut question = set.to_vec();
        question.push(terms.not(stays));
        Solver::new(terms)
            .check(&question, budget.slice(QUESTION))
            .is_unsatisfiable()
    }

    /// The set without conditions that it does not need, the longest first: a set is for people to
    /// read.
    fn smallest(&self, mut set: Vec<Term>, budget: &Budget) -> Vec<Term> {
        let half = Budget {
            end: impasse_solver::work::Moment::now() + budget.slice(QUESTION),
        };
        let mut order = set.clone();
        order.sort_by_key(|&condition| {
            std::cmp::Reverse((self.step.terms.below(&[condition]).len(), condition))
        });
        for condition in order {
            if half.is_spent() {
                break;
            }
            let without: Vec<Term> = set
                .iter()
                .copied()
                .filter(|&other| other != condition)
                .collect();
            if self.is_recurrent(&without, &half) {
                set = without;
            }
        }
        set
    }
}
