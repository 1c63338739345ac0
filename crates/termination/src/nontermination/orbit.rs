//! A concrete run, followed until a state repeats.
//!
//! Brent's algorithm: a tortoise that jumps to the hare whenever the number of iterations since its
//! last jump reaches a power of two; when they meet, the iterations since the last jump are a
//! period. It stores two states, however long the run is.

use super::step::{Runner, Step};
use super::{Budget, Evidence, IterationSequence, Proof};
use impasse_solver::Values;

/// How many iterations between looks at the clock.
const PATIENCE: u64 = 1024;

/// What became of a run.
pub(crate) enum Orbit {
    /// It repeats: after so many iterations it is in a state that repeats every so many
    /// iterations.
    Repeats {
        before: u64,
        period: u64,
        state: Vec<u128>,
    },
    /// It leaves.
    Leaves,
    /// It was not followed further.
    GoesOn,
}

/// A repeated state on the run with the example's inputs, if the iterations read nothing.
pub(crate) fn from_example(step: &Step, iterations: u64, budget: &Budget) -> Option<Proof> {
    from_inputs(step, &step.lasso.stem.example, iterations, budget)
}

/// A repeated state on the run with these inputs, if the iterations read nothing.
pub(crate) fn from_inputs(
    step: &Step,
    inputs: &Values,
    iterations: u64,
    budget: &Budget,
) -> Option<Proof> {
    if !step.is_forced() {
        return None;
    }
    let entry = step.enter(inputs)?;
    let Orbit::Repeats {
        before,
        period,
        state,
    } = follow(step, entry, iterations, budget)
    else {
        return None;
    };
    let evidence = Evidence::Repeats {
        cycle: IterationSequence::Forced(period),
        state,
    };
    Some(Proof {
        inputs: inputs.clone(),
        before: IterationSequence::Forced(before),
        evidence,
    })
}

/// Follows a run in which nothing is read for up to `iterations` iterations.
pub(crate) fn follow(step: &Step, entry: Vec<u128>, iterations: u64, budget: &Budget) -> Orbit {
    let mut runner = Runner::new(step);
    let nothing = vec![Vec::new(); step.lasso.iterations.len()];
    let mut advance = move |state: &[u128]| runner.first(state, &nothing).map(|(_, next)| next);
    let (mut tortoise, mut hare) = (entry.clone(), entry.clone());
    let (mut power, mut period) = (1, 0);
    for iteration in 0..iterations {
        let Some(next) = advance(&hare) else {
            return Orbit::Leaves;
        };
        hare = next;
        period += 1;
        if hare == tortoise {
            return first_repeated(entry, period, advance);
        }
        if period == power {
            tortoise.clone_from(&hare);
            power *= 2;
            period = 0;
        }
        if iteration % PATIENCE == 0 && budget.is_spent() {
            break;
        }
    }
    Orbit::GoesOn
}

/// The first state that repeats: two walkers a period apart meet there.
fn first_repeated(
    entry: Vec<u128>,
    period: u64,
    mut advance: impl FnMut(&[u128]) -> Option<Vec<u128>>,
) -> Orbit {
    let (mut behind, mut ahead) = (entry.clone(), entry);
    let mut walk =
        |state: &mut Vec<u128>| *state = advance(state).expect("a run that repeats never leaves");
    for _ in 0..period {
        walk(&mut ahead);
    }
    let mut before = 0;
    while behind != ahead {
        walk(&mut behind);
        walk(&mut ahead);
        before += 1;
    }
    Orbit::Repeats {
        before,
        period,
        state: behind,
    }
}
