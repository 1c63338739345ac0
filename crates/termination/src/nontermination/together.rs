//! Recurrence sets in which several paths of a loop are taken: those that inputs can choose a path
//! to stay in, and those of equations that all paths preserve.
//!
//! Where the paths have conditions in common that are equations between polynomials, each path must
//! preserve them by the laws of rings ([`super::identities`]). What else decides which path is
//! taken is left to the solver: some path is taken wherever the equations hold.

use super::identities::{Equations, is_nonlinear_equation};
use super::policies::{conjuncts, policies};
use super::recurrence_set::{self, Attempt, EQUATIONS, GUARDS, QUESTION};
use super::step::{self, Step};
use super::{Budget, Options, Proof};
use crate::problem::Lasso;
use impasse_solver::work::Moment;
use impasse_solver::{Answer, Solver, Term, Terms};

/// Looks for a set of machine states in which some path of a lasso with several can always be
/// taken: first for equations that all of them preserve.
pub fn prove_together(terms: &Terms, lasso: &Lasso, options: &Options) -> Option<Proof> {
    lasso.check(terms).ok()?;
    let budget = Budget::until(Moment::now() + options.time);
    let (special, known) = step::specialise(terms, lasso);
    let special = Step::new(terms, &special, known);
    let guards = lasso.iterations.iter().flat_map(|one| &one.guard);
    let has_equations = guards
        .into_iter()
        .any(|one| is_nonlinear_equation(terms, one.term));
    if has_equations && let Some(proof) = by_equations(&special, &budget.part(50)) {
        return Some(proof);
    }
    if options.is_brief {
        return None;
    }
    by_choice(&special, &budget.part(50))
        .or_else(|| recurrence_set::look_for(&special, options, &budget))
}

/// How many policies are tried where inputs choose between paths.
const CHOICES: usize = 2;

/// The states in which some path can be taken that leads to such a state, unrolled a few times:
/// inputs choose the path.
fn by_choice(step: &Step, budget: &Budget) -> Option<Proof> {
    let terms = step.terms;
    if step.is_forced() {
        return None;
    }
    policies(step).into_iter().take(CHOICES).find_map(|policy| {
        let paths = paths(step, &policy);
        let leads_to = |set: &[Term]| {
            let inside = paths.iter().map(|(guard, next)| {
                let images = terms.substitute(set, &step.at(next));
                terms.all(&[&guard[..], &images].concat())
            });
            terms.any(&inside.collect::<Vec<_>>())
        };
        let attempt = Attempt::new(step, policy);
        let mut set = vec![leads_to(&[])];
        for _ in 0..GUARDS {
            let again = leads_to(&set);
            let mut question = set.clone();
            question.push(terms.not(again));
            match Solver::new(terms).check(&question, budget.slice(QUESTION)) {
                Answer::Unsatisfiable => return attempt.entered(set, budget),
                Answer::Satisfiable(_) => set.push(again),
                Answer::Unknown(_) => return None,
            }
        }
        None
    })
}

fn by_equations(step: &Step, budget: &Budget) -> Option<Proof> {
    let mut policies = policies(step).into_iter();
    policies.find_map(|policy| of_policy(step, policy, budget))
}

/// A path under a policy: what is asked for it to be taken, and the state after it.
type Path = (Vec<Term>, Vec<Term>);

/// The paths of a lasso under a policy.
fn paths(step: &Step, policy: &[Vec<Term>]) -> Vec<Path> {
    let state = step.state();
    let each = policy.iter().enumerate().map(|(at, reads)| {
        let (taken, next) = step.iteration(at, &state, reads);
        (conjuncts(step.terms, taken), next)
    });
    each.collect()
}

fn of_policy(step: &Step, policy: Vec<Vec<Term>>, budget: &Budget) -> Option<Proof> {
    let terms = step.terms;
    let paths = paths(step, &policy);
    let asked = paths.iter().flat_map(|(guard, _)| guard).copied();
    let mut asked: Vec<Term> = asked
        .filter(|&part| terms.difference(part).is_some())
        .collect();
    asked.sort_unstable();
    asked.dedup();
    let is_common = |part: &Term| paths.iter().all(|(guard, _)| guard.contains(part));
    let common: Vec<Term> = asked.iter().copied().filter(is_common).collect();
    // Then those that only some path asks for: they hold where others are taken as well.
    let any = asked
        .into_iter()
        .filter(|&part| is_common(&part) || is_nonlinear_equation(terms, part));
    let mut all = vec![common, any.collect()];
    all.dedup();
    all.into_iter()
        .find_map(|equations| preserved(step, (&policy, &paths), equations, budget))
}

/// A recurrence set of equations that hold on entry, and more until all paths preserve all of them.
fn preserved(
    step: &Step,
    (policy, paths): (&[Vec<Term>], &[Path]),
    asked: Vec<Term>,
    budget: &Budget,
) -> Option<Proof> {
    let terms = step.terms;
    let mut equations = asked.clone();
    let mut last = asked;
    for _ in 0..EQUATIONS {
        let known = Equations::of(terms, &equations);
        let images = paths
            .iter()
            .flat_map(|(_, next)| terms.substitute(&last, &step.at(next)));
        let mut images: Vec<Term> = images.collect();
        images.retain(|&image| match terms.difference(image) {
            Some(difference) => known.imply(&difference).is_none(),
            None => terms.as_constant(image) != Some(1),
        });
        images.sort_unstable();
        images.dedup();
        if images
            .iter()
            .any(|&image| terms.difference(image).is_none())
        {
            return None;
        }
        last = images;
        if last.is_empty() {
            break;
        }
        equations.extend(&last);
    }
    if equations.is_empty() || !last.is_empty() {
        return None;
    }
    // What else is asked of a path, and the state after the first that can be taken.
    let mut taken = terms.boolean(false);
    let mut next: Option<Vec<Term>> = None;
    for (guard, after) in paths.iter().rev() {
        let rest = guard.iter().filter(|part| !equations.contains(part));
        let rest = terms.all(&rest.copied().collect::<Vec<_>>());
        next = Some(match next {
            None => after.clone(),
            Some(later) => {
                let pairs = after.iter().zip(later);
                pairs
                    .map(|(&one, other)| terms.choose(rest, one, other))
                    .collect()
            }
        });
        taken = terms.or(rest, taken);
    }
    let after = step.at(&next?);
    let attempt = Attempt::new(step, policy.to_vec());
    let mut others: Vec<Term> = conjuncts(terms, taken);
    others.retain(|&part| terms.as_constant(part) != Some(1));
    // Of paths that differ by a condition and its opposite, one can always be taken.
    let always = [terms.not(terms.all(&others))];
    let always = Solver::new(terms).check(&always, budget.slice(QUESTION));
    if matches!(always, Answer::Unsatisfiable) {
        return attempt.entered(equations, budget);
    }
    let mut last = others.clone();
    for _ in 0..GUARDS {
        last = terms.substitute(&last, &after);
        let mut question = others.clone();
        question.push(terms.not(terms.all(&last)));
        match Solver::new(terms).check(&question, budget.slice(QUESTION)) {
            Answer::Unsatisfiable => {
                return attempt.entered([equations, others].concat(), budget);
            }
            Answer::Satisfiable(_) => others.extend(&last),
            Answer::Unknown(_) => return None,
        }
    }
    None
}
