//! Lexicographic ranking functions over bit vectors: no run goes around forever (section 7's
//! termination test).
//!
//! A component is an expression over the state read as a number. Numbers of so many bits are
//! bounded below by themselves, so it is enough that a component never grows and that each
//! iteration makes the first component that changes smaller: if R is the relation of all
//! iterations, components ρ₁, …, ρₙ are chosen such that ρᵢ never grows on R restricted to the
//! pairs on which ρ₁, …, ρᵢ₋₁ stay the same, until nothing is left of R. Every question goes to the
//! bit-vector solver with the exact iteration, so wrapping around is seen; inputs are universally
//! quantified, as an unsatisfiable question has them.
//!
//! Components are taken from a list, which the loop itself suggests: variables and their negatives,
//! distances of what is compared, sums and differences of two variables, sizes without sign. Where
//! that fails, the signs of variables that no iteration changes are distinguished; then components
//! are made of examples ([`super::synthesis`]), and what is left is divided by conditions that no
//! iteration changes any more: the phases of a loop. What is known to hold whenever the
//! cutpoint is reached ([`invariants`]) may be used.

use super::Budget;
pub(crate) use super::components::{bounded, distances};
use super::components::{components, conditions};
use super::invariants::invariants;
use super::step::{Pair, Step, pairs};
use super::synthesis::{self, Change};
use impasse_solver::{Answer, Evaluator, Model, Solver, Symbol, Term, Terms, Test};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// How long one question may take.
const QUESTION: Duration = Duration::from_secs(2);
/// And how long before other candidates are asked about.
const EASY: Duration = Duration::from_millis(200);
/// And about a component that was made of examples.
const GUESSED: Duration = Duration::from_millis(600);
/// How many variables are distinguished by their signs.
const SPLITS: usize = 2;
/// How often what is left may be divided by a condition.
const CASES: usize = 2;

/// Why no run goes around forever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ranking {
    /// No run takes more iterations than this.
    Bound(u64),
    /// From every state in which the invariants hold, which they do at the entry and after each
    /// iteration, the cases that are the state's own make every iteration go down.
    Lexicographic {
        /// Every state is in one of them, and no iteration leads from one into another.
        cases: Vec<Case>,
        /// What was used of what always holds, over the lasso's variables. If there are any, the
        /// proof speaks of runs that enter through the lasso's stem and stay within its iterations
        /// only.
        invariants: Vec<Term>,
    },
}

/// A ranking function for some of the states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// Which states: conditions on variables that no iteration changes.
    pub when: Vec<Term>,
    /// Expressions over the lasso's variables, read without sign, of which every iteration makes
    /// the first that changes smaller.
    pub components: Vec<Term>,
}

/// What is asked of components.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Demand {
    /// Nothing else: numbers of so many bits are bounded below by themselves.
    Smaller,
    /// That each is one of these numbers ([`distances`], [`bounded`]) and not negative where it
    /// gets smaller, so that something other than the width bounds it. A loop that continues until
    /// a number overflows has no such ranking function.
    Bounded(Vec<Term>),
}

/// Any component that the loop suggests.
const LISTED: (&Demand, Effort) = (&Demand::Smaller, Effort::Suggested);

/// A ranking function for the lasso.
pub(crate) fn look_for(step: &Step, budget: &Budget) -> Option<Ranking> {
    // What is known has been put into the iterations, so the first attempt relies on it as well.
    let known = step.known.clone();
    if let Some(cases) = by_cases(step, step, &known, LISTED, &budget.part(50)) {
        return Some(Ranking::Lexicographic {
            cases,
            invariants: known,
        });
    }
    let more = invariants(step, step, &[], &budget.part(50));
    if more.is_empty() {
        return None;
    }
    let invariants: Vec<Term> = known.into_iter().chain(more).collect();
    let cases = by_cases(step, step, &invariants, LISTED, budget)?;
    Some(Ranking::Lexicographic { cases, invariants })
}

/// A ranking function that relies on nothing, without telling cases apart.
pub(crate) fn everywhere(step: &Step, budget: &Budget) -> Option<Ranking> {
    let components = lexicographic(step, step, &[], LISTED, budget)?;
    let cases = vec![Case {
        when: Vec::new(),
        components,
    }];
    Some(Ranking::Lexicographic {
        cases,
        invariants: Vec::new(),
    })
}

/// How hard to look for a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// Only among what the loop suggests, with easy questions.
    Easy,
    /// Only among what the loop suggests.
    Suggested,
    /// Then also by synthesis, and with cases that iterations do not leave any more.
    Synthesised,
}

/// A ranking function for each sign of the variables that no iteration changes, as far as needed.
///
/// Candidates for components are taken from `vocabulary`, which has the variables of `step`.
pub(crate) fn by_cases(
    step: &Step,
    vocabulary: &Step,
    invariants: &[Term],
    (demand, effort): (&Demand, Effort),
    budget: &Budget,
) -> Option<Vec<Case>> {
    let terms = step.terms;
    let mut frozen: Vec<Term> = step.frozen();
    frozen.truncate(SPLITS);
    let mut open = vec![(Vec::new(), frozen)];
    let mut cases = Vec::new();
    while let Some((when, mut frozen)) = open.pop() {
        let known: Vec<Term> = invariants.iter().chain(&when).copied().collect();
        if let Some(components) = lexicographic(step, vocabulary, &known, (demand, effort), budget)
        {
            cases.push(Case { when, components });
            continue;
        }
        let variable = frozen.pop()?;
        let negative = terms.extract(variable, terms.width(variable) - 1, 1);
        for sign in [negative, terms.not(negative)] {
            open.push((when.iter().copied().chain([sign]).collect(), frozen.clone()));
        }
    }
    Some(cases)
}

/// What is left of an iteration: the pairs of states on which no component chosen so far changes.
struct Left<'t> {
    pair: Pair,
    /// What holds of these pairs.
    assumed: Vec<Term>,
    solver: Solver<'t>,
}

impl<'t> Left<'t> {
    fn new(terms: &'t Terms, pair: Pair, assumed: Vec<Term>) -> Left<'t> {
        let mut solver = Solver::new(terms);
        assumed.iter().for_each(|&one| solver.assert(one));
        Left {
            pair,
            assumed,
            solver,
        }
    }

    fn assume(&mut self, condition: Term) {
        self.solver.assert(condition);
        self.assumed.push(condition);
    }

    fn is_empty(&self, budget: &Budget) -> bool {
        let answer = self.solver.check(&[], budget.slice(QUESTION));
        answer.is_unsatisfiable()
    }
}

fn lexicographic(
    step: &Step,
    vocabulary: &Step,
    invariants: &[Term],
    (demand, effort): (&Demand, Effort),
    budget: &Budget,
) -> Option<Vec<Term>> {
    let restricted = |pair: Pair| {
        let assumed = invariants.iter().copied().chain([pair.taken]).collect();
        Left::new(step.terms, pair, assumed)
    };
    let left: Vec<Left> = pairs(step).into_iter().map(restricted).collect();
    let descent = Descent {
        step,
        vocabulary,
        demand,
        effort,
        budget,
    };
    let mut candidates = match demand {
        Demand::Smaller => components(vocabulary),
        Demand::Bounded(distances) => known_to(step, distances),
    };
    // Questions about small terms are easy, and which component comes first decides nothing.
    candidates.sort_by_cached_key(|&one| step.terms.below(&[one]).len());
    descent.components(left, candidates, CASES)
}

/// The search for the components of one ranking function.
struct Descent<'d, 's> {
    step: &'d Step<'s>,
    vocabulary: &'d Step<'s>,
    demand: &'d Demand,
    effort: Effort,
    budget: &'d Budget,
}

impl<'s> Descent<'_, 's> {
    /// Components until nothing is left. With `splits` left, conditions that no iteration changes
    /// any more may divide what is left.
    fn components(
        &self,
        mut left: Vec<Left<'s>>,
        mut candidates: Vec<Term>,
        splits: usize,
    ) -> Option<Vec<Term>> {
        let mut chosen = Vec::new();
        loop {
            left.retain(|left| !left.is_empty(self.budget));
            if left.is_empty() {
                return Some(chosen);
            }
            let found = self.next_component(&candidates, &left);
            let found = found.or_else(|| self.synthesised(&left));
            let Some(component) = found else {
                chosen.extend(self.divided(&left, &candidates, splits)?);
                return Some(chosen);
            };
            candidates.retain(|&candidate| candidate != component);
            chosen.push(component);
            for left in &mut left {
                let after = image(self.step, &left.pair, component);
                left.assume(self.step.terms.equal(component, after));
            }
        }
    }

    /// The first candidate that grows on no pair that is left and gets smaller on some; those that
    /// take long to decide come last.
    fn next_component(&self, candidates: &[Term], left: &[Left]) -> Option<Term> {
        let mut hard = Vec::new();
        let found = self.first_component((candidates, &mut hard), left, EASY);
        if found.is_some() || self.effort == Effort::Easy {
            return found;
        }
        self.first_component((&hard, &mut Vec::new()), left, QUESTION)
    }

    /// The same, with so much work for a question; candidates that take more are noted, and leave
    /// less for the next one. The counterexample that shows that a candidate grows also rules out
    /// those that grow there.
    fn first_component(
        &self,
        (candidates, hard): (&[Term], &mut Vec<Term>),
        left: &[Left],
        most: Duration,
    ) -> Option<Term> {
        let (step, budget) = (self.step, self.budget);
        let mut open = candidates.to_vec();
        while let Some(&component) = open.first() {
            if budget.is_spent() {
                return None;
            }
            let most = most / (1 + hard.len() as u32);
            let verdict = match grown(step, component, left, budget.slice(most)) {
                Grown::At(pair, model) => {
                    open = not_growing(step, open, pair, &model);
                    continue;
                }
                Grown::Never => shrinks(step, component, left, budget.slice(most)),
                Grown::Unknown => None,
            };
            let is_enough =
                || *self.demand == Demand::Smaller || is_bounded(step, component, left, budget);
            match verdict {
                Some(true) if is_enough() => return Some(component),
                Some(_) => {
                    open.remove(0);
                }
                None => hard.push(open.remove(0)),
            }
        }
        None
    }

    /// A component that examples suggest.
    fn synthesised(&self, left: &[Left]) -> Option<Term> {
        if self.effort != Effort::Synthesised || *self.demand != Demand::Smaller {
            return None;
        }
        let change = |pair: &Pair, model: &Model| Change {
            next: pair.next.clone(),
            model: model.clone(),
        };
        let mut examples = Vec::new();
        for Left { pair, solver, .. } in left {
            let answer = solver.check(&[], self.budget.slice(QUESTION));
            examples.push(change(pair, &answer.model()?));
        }
        let refuted =
            |component: Term| match grown(self.step, component, left, self.budget.slice(GUESSED)) {
                Grown::At(pair, model) => synthesis::Trial::Grows(change(pair, &model)),
                Grown::Never => synthesis::Trial::Holds,
                Grown::Unknown => synthesis::Trial::Unknown,
            };
        synthesis::component(self.vocabulary, examples, &refuted, self.budget)
    }

    /// Components for the two cases of a condition that no iteration changes: as one list, whose
    /// components are chosen by the condition. On the pairs of states that are left it has one
    /// value at both ends, so those of one case decrease.
    fn divided(&self, left: &[Left], candidates: &[Term], splits: usize) -> Option<Vec<Term>> {
        if self.effort != Effort::Synthesised || splits == 0 {
            return None;
        }
        let terms = self.step.terms;
        let of_case = |case: Term| -> Option<Vec<Term>> {
            let restricted = |Left { pair, assumed, .. }: &Left| {
                let mut restricted = Left::new(terms, pair.clone(), assumed.clone());
                restricted.assume(case);
                restricted.assume(image(self.step, pair, case));
                restricted
            };
            let left = left.iter().map(restricted).collect();
            self.components(left, candidates.to_vec(), splits - 1)
        };
        for condition in conditions(self.vocabulary) {
            if self.budget.is_spent() {
                return None;
            }
            if self.divides(condition, left)
                && let Some(holds) = of_case(condition)
                && let Some(fails) = of_case(terms.not(condition))
            {
                return Some(chosen_by(terms, condition, (holds, fails)));
            }
        }
        None
    }

    /// Whether a condition stays what it is on all that is left, where it may be either.
    fn divides(&self, condition: Term, left: &[Left]) -> bool {
        let terms = self.step.terms;
        let may = |conditions: &[Term], Left { solver, .. }: &Left| {
            let answer = solver.check(conditions, self.budget.slice(QUESTION));
            matches!(answer, Answer::Satisfiable(_))
        };
        let stays = left.iter().all(|left| {
            let changes = terms.differ(condition, image(self.step, &left.pair, condition));
            let answer = left.solver.check(&[changes], self.budget.slice(QUESTION));
            answer.is_unsatisfiable()
        });
        stays
            && left.iter().any(|left| may(&[condition], left))
            && left.iter().any(|left| may(&[terms.not(condition)], left))
    }
}

/// Two lists of components as one: which of the two counts is what a condition says.
fn chosen_by(terms: &Terms, condition: Term, (holds, fails): (Vec<Term>, Vec<Term>)) -> Vec<Term> {
    let count = holds.len().max(fails.len());
    let at = |list: &[Term], at: usize| list.get(at).copied();
    let merged = (0..count).map(|n| {
        let (one, other) = (at(&holds, n), at(&fails, n));
        let widths = one.into_iter().chain(other).map(|term| terms.width(term));
        let width = widths.max().expect("one of them is there");
        let wide = |term: Option<Term>| match term {
            Some(term) => terms.zero_extend(term, width),
            None => terms.constant(0, width),
        };
        terms.choose(condition, wide(one), wide(other))
    });
    merged.collect()
}

/// A component after an iteration.
fn image(step: &Step, pair: &Pair, component: Term) -> Term {
    step.terms.substitute(&[component], &step.at(&pair.next))[0]
}

/// Whether a component grows somewhere.
enum Grown<'l> {
    At(&'l Pair, Model),
    Never,
    Unknown,
}

fn grown<'l>(step: &Step, component: Term, left: &'l [Left], time: Duration) -> Grown<'l> {
    for Left { pair, solver, .. } in left {
        let grows = step
            .terms
            .test(Test::UnsignedLess, component, image(step, pair, component));
        match solver.check(&[grows], time) {
            Answer::Unsatisfiable => {}
            Answer::Satisfiable(model) => return Grown::At(pair, model),
            Answer::Unknown(_) => return Grown::Unknown,
        }
    }
    Grown::Never
}

/// Whether a component that never grows gets smaller on some pair that is left; `None` if that is
/// not found out in time.
fn shrinks(step: &Step, component: Term, left: &[Left], time: Duration) -> Option<bool> {
    let mut is_known = true;
    for Left { pair, solver, .. } in left {
        let changes = step.terms.differ(component, image(step, pair, component));
        match solver.check(&[changes], time) {
            Answer::Satisfiable(_) => return Some(true),
            Answer::Unsatisfiable => {}
            Answer::Unknown(_) => is_known = false,
        }
    }
    is_known.then_some(false)
}

/// Those of some terms that are over the state alone.
fn known_to(step: &Step, terms: &[Term]) -> Vec<Term> {
    let mut state = step.lasso.variables.iter().map(|variable| variable.symbol);
    let known: FxHashSet<Symbol> = state.by_ref().collect();
    let is_known = |term: &&Term| {
        let below = step.terms.symbols_in(&[**term]);
        below.iter().all(|symbol| known.contains(symbol))
    };
    terms.iter().filter(is_known).copied().collect()
}

/// Whether a distance that gets smaller is not negative there.
fn is_bounded(step: &Step, distance: Term, left: &[Left], budget: &Budget) -> bool {
    let terms = step.terms;
    let negative = terms.not(terms.extract(distance, terms.width(distance) - 1, 1));
    left.iter().all(|Left { pair, solver, .. }| {
        let changes = terms.differ(distance, image(step, pair, distance));
        solver
            .check(&[changes, negative], budget.slice(QUESTION))
            .is_unsatisfiable()
    })
}

/// The candidates that do not grow on the pair of states that a model describes.
fn not_growing(step: &Step, open: Vec<Term>, pair: &Pair, model: &Model) -> Vec<Term> {
    let images = step.terms.substitute(&open, &step.at(&pair.next));
    let before = Evaluator::new(step.terms, &open).run(model);
    let after = Evaluator::new(step.terms, &images).run(model);
    let kept = before
        .into_iter()
        .zip(after)
        .map(|(before, after)| after <= before);
    open.into_iter()
        .zip(kept)
        .filter_map(|(component, kept)| kept.then_some(component))
        .collect()
}
