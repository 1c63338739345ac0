//! What a prover says is seen on the machine before it is believed.
//!
//! A proof that a state repeats is executed: the inputs of the stem, those of the iterations before
//! the state, and those of the iterations that repeat, several times over; it stands if in that
//! execution everything that the path depends on is the same at both ends of the iterations, which
//! is a proof by itself. A recurrence set is never left, so what can be seen is some iterations,
//! and the set needs a certificate besides. Of a proof over unbounded integers the machine can show
//! the first iteration only, and the certificate has to do the rest.
//!
//! A certificate speaks of the lasso that the execution of its own inputs makes
//! ([`crate::concolic::derive`]), so that another execution on them can be compared.
//! The proof is said of that lasso, variable by variable, before it is certified.

use super::candidates::chain_of;
use super::{Endless, Reason};
use crate::certificate::Certificate;
use crate::concolic::acceleration::Inner;
use crate::concolic::derive::lasso_of;
use crate::concolic::iteration::{Assumed, LoopRelation};
use crate::concolic::run::{Bounds, Subject, execute};
use crate::concolic::trace::{Effect, End, Trace};
use crate::nontermination::{Evidence, IterationSequence, Proof, read_until};
use crate::problem::{Input, Lasso};
use impasse_solver::{Evaluator, Symbol, Term, Terms, Values};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// How many iterations of a recurrence set are executed.
const SHOWN: usize = 64;
/// How many, where inner loops may take longer each time.
const SHOWN_ACCELERATED: usize = 2;
/// How many times longer than the first their iterations may get.
const LONGER: usize = 20;
/// How many instructions an execution may take that confirms a proof.
pub const LONGEST: usize = 30_000_000;

/// The execution that a proof speaks of, if it does what the proof says.
pub(super) fn confirm(
    subject: &Subject<'_>,
    terms: &Terms,
    (trace, relation): (&Trace, &LoopRelation),
    (lasso, proof): (&Lasso, Proof),
    time: Duration,
) -> Option<Endless> {
    let Assumed { inner, overflow } = relation.assumed();
    let (read, iterations) = plan(terms, lasso, &proof, inner);
    // A beginning that is not recorded has the inputs that it had.
    let mut values = match trace.skipped {
        0 => Vec::new(),
        _ => trace.values[..read_before(trace, relation.visits.0)].to_vec(),
    };
    values.extend(read);
    let before = usize::try_from(proof.before.len()).ok()?;
    let start = trace.visits[relation.visits.0 as usize].step;
    let steps = steps_of(
        trace,
        relation.visits,
        before.checked_add(iterations)?,
        inner,
    )?;
    // What a policy chooses is known for these iterations only.
    let more = !matches!(&proof.evidence, Evidence::Closed { policy, .. } if reads(policy));
    let bounds = Bounds {
        steps,
        inputs: values.len() + usize::from(more),
        skip: trace.skipped,
    };
    let seen = execute(subject, &values, bounds);
    let (chain, at) = chain_at(trace, relation.visits.0)?;
    let stride = chain.iter().position(|&other| other == relation.visits.1)? - at;
    let first = seen
        .visits
        .binary_search_by_key(&start, |visit| visit.step)
        .ok()? as u32;
    let pair = match seen.repeated {
        Some(pair) => pair,
        None => {
            let (chain, at) = chain_at(&seen, first)?;
            let from = at + before * stride;
            (*chain.get(from)?, *chain.get(from + iterations * stride)?)
        }
    };
    let followed = Assumed {
        inner: Inner::Followed,
        overflow,
    };
    let relation = LoopRelation::new(subject, terms, &seen, pair, followed).ok()?;
    if relation.repeats() && !matches!(proof.evidence, Evidence::Linear(_)) {
        return Some(Endless {
            trace: seen,
            relation,
            paths: Vec::new(),
            iterations: iterations as u64,
            reason: Reason::Repeats,
        });
    }
    match &proof.evidence {
        Evidence::Repeats { .. } => return None,
        Evidence::Closed { .. } if seen.end != End::Cut => return None,
        Evidence::Closed { .. } | Evidence::Linear(_) => {}
    }
    let (chain, at) = chain_at(&seen, first)?;
    let iteration = (first, *chain.get(at + stride)?);
    let end = seen.visits[iteration.1 as usize].step;
    if matches!(proof.evidence, Evidence::Linear(_)) && seen.wrap.is_some_and(|step| step < end) {
        return None;
    }
    let iteration = (iteration, Assumed { inner, overflow });
    let (relation, certificate) =
        certified(subject, &seen, iteration, (terms, lasso, &proof), time)?;
    Some(Endless {
        trace: seen,
        relation,
        paths: Vec::new(),
        iterations: 1,
        reason: Reason::Proved(Box::new(certificate)),
    })
}

/// How many inputs an execution reads before a visit.
fn read_before(trace: &Trace, visit: u32) -> usize {
    let steps = &trace.steps[..trace.visits[visit as usize].step as usize];
    let read = steps
        .iter()
        .enumerate()
        .map(|(at, step)| match step.effect {
            Effect::Input(input) => input as usize + 1,
            Effect::Bytes(first) => first as usize + trace.words_of(at)[3].bits as usize,
            _ => 0,
        });
    read.max().unwrap_or(0).max(trace.read_before)
}

/// Whether some iteration reads something.
fn reads(policy: &[Vec<Term>]) -> bool {
    policy.iter().any(|reads| !reads.is_empty())
}

/// The inputs of the execution that a proof speaks of, and how many iterations it shows.
fn plan(terms: &Terms, lasso: &Lasso, proof: &Proof, inner: Inner) -> (Vec<u64>, usize) {
    let stem = lasso.stem.inputs.iter();
    let mut values: Vec<u64> = stem
        .map(|input| proof.inputs.get(input.symbol) as u64)
        .collect();
    values.extend(read(&proof.before));
    let iterations = match &proof.evidence {
        Evidence::Repeats { cycle, .. } => {
            let inputs: Vec<u64> = read(cycle).collect();
            values.extend((0..8).flat_map(|_| inputs.iter().copied()));
            cycle.len() as usize
        }
        Evidence::Closed { policy, .. } => {
            values.extend(chosen(terms, lasso, proof, policy));
            match inner {
                Inner::Followed => SHOWN,
                Inner::Accelerated => SHOWN_ACCELERATED,
            }
        }
        Evidence::Linear(set) => {
            let entry = Evaluator::new(terms, &lasso.stem.entry).run(&proof.inputs);
            let before = proof.before.len();
            values.extend(read_until(terms, lasso, (&entry, before), set));
            1
        }
    };
    (values, iterations)
}

/// How many instructions are enough for so many iterations like the one between two visits; `None`
/// if they are too many.
fn steps_of(trace: &Trace, visits: (u32, u32), iterations: usize, inner: Inner) -> Option<usize> {
    let [start, end] = [visits.0, visits.1].map(|visit| trace.visits[visit as usize].step as usize);
    let length = end - start;
    let steps = iterations
        .checked_mul(length)?
        .checked_add(start + 2 * length + 1000)?;
    match inner {
        Inner::Followed => (steps <= LONGEST).then_some(steps),
        // Its iterations may get longer.
        Inner::Accelerated => Some(steps.saturating_mul(LONGER).min(LONGEST)),
    }
}

/// The visits of the loop or recursion that a visit belongs to, and its index among them.
pub(super) fn chain_at(trace: &Trace, visit: u32) -> Option<(Vec<u32>, usize)> {
    let chain = chain_of(trace, visit)?;
    let at = chain.iter().position(|&other| other == visit)?;
    Some((chain, at))
}

/// The proof said of the lasso that an execution makes between two visits, as a certificate that
/// holds.
fn certified(
    subject: &Subject<'_>,
    seen: &Trace,
    (visits, assumed): ((u32, u32), Assumed),
    (terms, lasso, proof): (&Terms, &Lasso, &Proof),
    time: Duration,
) -> Option<(LoopRelation, Certificate)> {
    let bounds = Bounds {
        steps: seen.steps.len() + 1,
        inputs: seen.values.len(),
        skip: seen.skipped,
    };
    let again = execute(subject, &seen.values, bounds);
    let own = Terms::new();
    let (relation, derived) = lasso_of(subject, &own, &again, visits, assumed).ok()?;
    let proof = said_of(proof, (terms, lasso), (&own, &derived))?;
    let certificate = proof.certificate(&own, &derived, time).ok()?;
    crate::certify::certify(&certificate).ok()?;
    Some((relation, certificate))
}

/// A proof about one lasso as one about another, whose variables and inputs are as many and as
/// wide.
pub(super) fn said_of(
    proof: &Proof,
    (from, lasso): (&Terms, &Lasso),
    (to, derived): (&Terms, &Lasso),
) -> Option<Proof> {
    let paired = |here: Vec<Symbol>, there: Vec<Symbol>| {
        let fits = here.len() == there.len()
            && here
                .iter()
                .zip(&there)
                .all(|(&a, &b)| from.symbol_width(a) == to.symbol_width(b));
        fits.then(|| here.into_iter().zip(there).collect::<Vec<_>>())
    };
    let inputs_of = |inputs: &[Input]| inputs.iter().map(|input| input.symbol).collect();
    let state_of = |lasso: &Lasso| lasso.variables.iter().map(|v| v.symbol).collect();
    let stem = paired(
        inputs_of(&lasso.stem.inputs),
        inputs_of(&derived.stem.inputs),
    )?;
    let state = paired(state_of(lasso), state_of(derived))?;
    if lasso.iterations.len() != derived.iterations.len() {
        return None;
    }
    for (iteration, own) in lasso.iterations.iter().zip(&derived.iterations) {
        paired(inputs_of(&iteration.inputs), inputs_of(&own.inputs))?;
    }
    let variables = state
        .iter()
        .map(|&(here, there)| (here, to.variable(there)));
    let variables: FxHashMap<Symbol, Term> = variables.collect();
    let evidence = match &proof.evidence {
        Evidence::Closed { set, policy } => Evidence::Closed {
            set: to.import(from, set, &variables)?,
            policy: policy
                .iter()
                .map(|reads| to.import(from, reads, &variables))
                .collect::<Option<_>>()?,
        },
        other => other.clone(),
    };
    Some(Proof {
        inputs: stem
            .into_iter()
            .map(|(here, there)| (there, proof.inputs.get(here)))
            .collect(),
        before: proof.before.clone(),
        evidence,
    })
}

/// What iterations read, in order.
fn read(sequence: &IterationSequence) -> impl Iterator<Item = u64> {
    let choices = match sequence {
        IterationSequence::Forced(_) => &[][..],
        IterationSequence::Chosen(choices) => choices,
    };
    choices
        .iter()
        .flat_map(|choice| choice.inputs.iter().map(|&value| value as u64))
}

/// What the iterations of a recurrence set read, from the state in which it is reached.
fn chosen(
    terms: &Terms,
    lasso: &Lasso,
    proof: &Proof,
    policy: &[Vec<impasse_solver::Term>],
) -> Vec<u64> {
    let [iteration] = &lasso.iterations[..] else {
        return Vec::new();
    };
    let mut values: Values = proof.inputs.clone();
    let mut state = Evaluator::new(terms, &lasso.stem.entry).run(&values);
    let mut update = Evaluator::new(terms, &iteration.updates);
    let mut step = |state: &mut Vec<u128>, inputs: &[u128], values: &mut Values| {
        for (variable, &value) in lasso.variables.iter().zip(state.iter()) {
            values.set(variable.symbol, value);
        }
        for (input, &value) in iteration.inputs.iter().zip(inputs) {
            values.set(input.symbol, value);
        }
        *state = update.run(values);
    };
    match &proof.before {
        IterationSequence::Forced(iterations) => {
            (0..*iterations).for_each(|_| step(&mut state, &[], &mut values))
        }
        IterationSequence::Chosen(choices) => choices
            .iter()
            .for_each(|choice| step(&mut state, &choice.inputs, &mut values)),
    }
    let mut choose = Evaluator::new(terms, &policy[0]);
    let mut read = Vec::new();
    for _ in 0..SHOWN {
        for (variable, &value) in lasso.variables.iter().zip(&state) {
            values.set(variable.symbol, value);
        }
        let inputs = choose.run(&values);
        read.extend(inputs.iter().map(|&value| value as u64));
        step(&mut state, &inputs, &mut values);
    }
    read
}
