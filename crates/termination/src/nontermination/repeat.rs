//! Bit-precise repeated states (section 5.2, equation 5).
//!
//! The loop is unrolled once, twice, …; after each unrolling the solver is asked for inputs with
//! which the state at the cutpoint is one that was there before. The paper asks for the state after
//! the last iteration to be that after the stem; here it may be that after any iteration, which
//! lets the run take some iterations before it repeats. The inputs read in the iterations are
//! variables of the question like the stem's, so the solver chooses them; as only finitely many are
//! needed to return to the same state, the same choices serve forever.

use super::step::{Step, Symbolic};
use super::{Budget, Evidence, Proof};
use impasse_solver::{Answer, Solver, Term};
use std::time::Duration;

/// How long one unrolling may take.
const QUESTION: Duration = Duration::from_secs(3);

/// In so many iterations a state is looked for that repeats from anywhere.
const PERIOD: usize = 2;
/// And how much work each of them may take.
const PERIODIC: Duration = Duration::from_millis(300);

/// What unrolling showed.
pub(crate) enum Unrolled {
    /// A state repeats.
    Repeats(Proof),
    /// No run takes more iterations than this.
    Bound(u64),
    /// Neither, as far as it was unrolled.
    Nothing,
}

/// Unrolls the loop up to `unrollings` times and looks for a state that repeats.
pub(crate) fn look_for(step: &Step, unrollings: usize, budget: &Budget) -> Unrolled {
    let terms = step.terms;
    let mut solver = Solver::new(terms);
    solver.assert(step.stem());
    let mut states = vec![step.lasso.stem.entry.clone()];
    let mut run: Vec<Symbolic> = Vec::new();
    for iterations in 0..unrollings {
        let next = step.symbolic(states.last().expect("the entry is a state"));
        solver.assert(next.taken);
        states.push(next.next.clone());
        run.push(next);
        if budget.is_spent() {
            return Unrolled::Nothing;
        }
        let (last, earlier) = states.split_last().expect("the entry is a state");
        let repeats: Vec<Term> = earlier
            .iter()
            .map(|state| same(step, state, last))
            .collect();
        match solver.check(&[terms.any(&repeats)], budget.slice(QUESTION)) {
            Answer::Satisfiable(model) => {
                return proof(step, &run, &repeats, &model)
                    .map_or(Unrolled::Nothing, Unrolled::Repeats);
            }
            Answer::Unsatisfiable
                if solver.check(&[], budget.slice(QUESTION)).is_unsatisfiable() =>
            {
                return Unrolled::Bound(iterations as u64);
            }
            Answer::Unsatisfiable => {}
            Answer::Unknown(_) => return Unrolled::Nothing,
        }
    }
    Unrolled::Nothing
}

/// Whether some state in which the invariants hold is there again after a few iterations. If so, no
/// expression over the state decreases with each of them: there is no ranking function.
pub(crate) fn comes_back(step: &Step, invariants: &[Term], budget: &Budget) -> bool {
    let terms = step.terms;
    let state = step.state();
    let mut solver = Solver::new(terms);
    invariants.iter().for_each(|&one| solver.assert(one));
    let mut now = state.clone();
    (0..PERIOD).any(|_| {
        let next = step.symbolic(&now);
        solver.assert(next.taken);
        now = next.next;
        let answer = solver.check(&[same(step, &state, &now)], budget.slice(PERIODIC));
        matches!(answer, Answer::Satisfiable(_))
    })
}

/// Whether two states are equal.
fn same(step: &Step, one: &[Term], other: &[Term]) -> Term {
    let equal: Vec<Term> = one
        .iter()
        .zip(other)
        .map(|(&a, &b)| step.terms.equal(a, b))
        .collect();
    step.terms.all(&equal)
}

/// What the model says: which of the earlier states repeats.
fn proof(
    step: &Step,
    run: &[Symbolic],
    repeats: &[Term],
    model: &impasse_solver::Model,
) -> Option<Proof> {
    let before = repeats
        .iter()
        .position(|&repeats| step.terms.holds(repeats, model))?;
    let inputs = step
        .lasso
        .stem
        .inputs
        .iter()
        .map(|input| (input.symbol, model.get(input.symbol)))
        .collect();
    let before_run = step.sequence(&run[..before], model);
    let entry = step.enter(&inputs)?;
    let state = super::step::Runner::new(step).follow(&entry, &before_run)?;
    let evidence = Evidence::Repeats {
        cycle: step.sequence(&run[before..], model),
        state,
    };
    Some(Proof {
        inputs,
        before: before_run,
        evidence,
    })
}
