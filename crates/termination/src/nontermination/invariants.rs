//! Invariants of a lasso: what holds whenever the cutpoint is reached.
//!
//! Candidates that hold at the entry are dropped until every iteration preserves those that are
//! left together.

use super::step::{Step, pairs};
use super::{Budget, atoms};
use impasse_solver::{Answer, Evaluator, Node, Solver, Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// How long one question may take.
const QUESTION: Duration = Duration::from_secs(2);

/// What holds at the entry, whatever the inputs, and is preserved by every iteration.
///
/// Candidates are taken from `vocabulary`, which has the variables of `step`.
pub(crate) fn invariants(
    step: &Step,
    vocabulary: &Step,
    suggested: &[Term],
    budget: &Budget,
) -> Vec<Term> {
    let terms = step.terms;
    let mut candidates = from_the_stem(step);
    candidates.extend(suggested);
    if let Some(entry) = step.enter(&step.lasso.stem.example) {
        candidates.extend(atoms::holding_in(vocabulary, &[entry], &[]));
    }
    let entry = step.at(&step.lasso.stem.entry);
    let at_entry = |candidates: &[Term]| Preservation {
        assumed: vec![step.stem()],
        images: terms.substitute(candidates, &entry),
    };
    candidates = surviving(step, candidates, &at_entry, budget);
    loop {
        let before = candidates.len();
        for pair in pairs(step) {
            let after = step.at(&pair.next);
            let preserved = |candidates: &[Term]| Preservation {
                assumed: candidates.iter().copied().chain([pair.taken]).collect(),
                images: terms.substitute(candidates, &after),
            };
            candidates = surviving(step, candidates, &preserved, budget);
        }
        if candidates.len() == before {
            return candidates;
        }
    }
}

/// Conditions that together say what all do: without those that follow from the others.
pub(crate) fn independent(terms: &Terms, mut conditions: Vec<Term>, budget: &Budget) -> Vec<Term> {
    let mut order = conditions.clone();
    order.sort_by_key(|&one| std::cmp::Reverse((terms.below(&[one]).len(), one)));
    for one in order {
        let others: Vec<Term> = conditions.iter().copied().filter(|&o| o != one).collect();
        let mut asked = others.clone();
        asked.push(terms.not(one));
        let answer = Solver::new(terms).check(&asked, budget.slice(QUESTION));
        if answer.is_unsatisfiable() {
            conditions = others;
        }
    }
    conditions
}

/// Whether every iteration from a state in which the invariants hold leads to one in which they do.
pub(crate) fn are_kept(step: &Step, invariants: &[Term], budget: &Budget) -> bool {
    let terms = step.terms;
    pairs(step).iter().all(|pair| {
        let images = terms.substitute(invariants, &step.at(&pair.next));
        let mut asked = vec![pair.taken, terms.not(terms.all(&images))];
        asked.extend(invariants);
        Solver::new(terms)
            .check(&asked, budget.slice(QUESTION))
            .is_unsatisfiable()
    })
}

/// What must hold for candidates to be kept: their images, where the assumptions do.
struct Preservation {
    assumed: Vec<Term>,
    images: Vec<Term>,
}

/// The candidates that are kept; what is assumed may depend on those that are left.
fn surviving(
    step: &Step,
    mut candidates: Vec<Term>,
    question: &dyn Fn(&[Term]) -> Preservation,
    budget: &Budget,
) -> Vec<Term> {
    let terms = step.terms;
    while !candidates.is_empty() {
        let Preservation {
            assumed: mut asked,
            images,
        } = question(&candidates);
        let broken: Vec<Term> = images.iter().map(|&image| terms.not(image)).collect();
        asked.push(terms.any(&broken));
        match Solver::new(terms).check(&asked, budget.slice(QUESTION)) {
            Answer::Unsatisfiable => return candidates,
            Answer::Unknown(_) => return Vec::new(),
            Answer::Satisfiable(model) => {
                let kept = Evaluator::new(terms, &images).run(&model);
                candidates = candidates
                    .into_iter()
                    .zip(kept)
                    .filter_map(|(one, kept)| (kept == 1).then_some(one))
                    .collect();
            }
        }
    }
    candidates
}

/// Conditions of the stem that speak of inputs which are variables at the entry, said of the
/// variables.
fn from_the_stem(step: &Step) -> Vec<Term> {
    let terms = step.terms;
    let mut known: FxHashMap<Symbol, Term> = FxHashMap::default();
    for (variable, &value) in step.state().iter().zip(&step.lasso.stem.entry) {
        if let Node::Symbol(input) = terms.node(value) {
            known.entry(input).or_insert(*variable);
        }
    }
    let conditions = step
        .lasso
        .stem
        .conditions
        .iter()
        .map(|condition| condition.term);
    let sayable: Vec<Term> = conditions
        .filter(|&term| {
            terms
                .symbols_in(&[term])
                .iter()
                .all(|symbol| known.contains_key(symbol))
        })
        .collect();
    terms.substitute(&sayable, &known)
}
