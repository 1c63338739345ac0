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
//! Components are not synthesised from templates with unknown coefficients but taken from a list,
//! which the loop itself suggests: variables and their negatives, distances of what is compared,
//! sums and differences of two variables, sizes without sign. Where that fails, the signs of
//! variables that no iteration changes are distinguished. What is known to hold whenever the
//! cutpoint is reached ([`invariants`]) may be used.

use super::step::Step;
use super::{Budget, atoms};
use impasse_solver::{Answer, Evaluator, Model, Node, Solver, Symbol, Term, Terms, Test};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// How long one question may take.
const QUESTION: Duration = Duration::from_secs(2);
/// Beyond this many variables, sums and differences of two are not tried.
const PAIRED: usize = 10;
/// How many variables are distinguished by their signs.
const SPLITS: usize = 2;
/// Components beyond this many are not tried.
const COMPONENTS: usize = 200;

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
    /// That each is one of these distances ([`distances`]) and not negative where it gets smaller,
    /// so that something other than the width bounds it. A loop that continues until a number
    /// overflows has no such ranking function.
    Bounded(Vec<Term>),
}

/// A ranking function for the lasso.
pub(crate) fn look_for(step: &Step, budget: &Budget) -> Option<Ranking> {
    // What is known has been put into the iterations, so the first attempt relies on it as well.
    let known = step.known.clone();
    if let Some(cases) = by_cases(step, step, &known, &Demand::Smaller, &budget.part(50)) {
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
    let cases = by_cases(step, step, &invariants, &Demand::Smaller, budget)?;
    Some(Ranking::Lexicographic { cases, invariants })
}

/// A ranking function that relies on nothing, without telling cases apart.
pub(crate) fn everywhere(step: &Step, budget: &Budget) -> Option<Ranking> {
    let components = lexicographic(step, step, &[], &Demand::Smaller, budget)?;
    let cases = vec![Case {
        when: Vec::new(),
        components,
    }];
    Some(Ranking::Lexicographic {
        cases,
        invariants: Vec::new(),
    })
}

/// A ranking function for each sign of the variables that no iteration changes, as far as needed.
///
/// Candidates for components are taken from `vocabulary`, which has the variables of `step`.
pub(crate) fn by_cases(
    step: &Step,
    vocabulary: &Step,
    invariants: &[Term],
    demand: &Demand,
    budget: &Budget,
) -> Option<Vec<Case>> {
    let terms = step.terms;
    let mut frozen: Vec<Term> = step.frozen();
    frozen.truncate(SPLITS);
    let mut open = vec![(Vec::new(), frozen)];
    let mut cases = Vec::new();
    while let Some((when, mut frozen)) = open.pop() {
        let known: Vec<Term> = invariants.iter().chain(&when).copied().collect();
        if let Some(components) = lexicographic(step, vocabulary, &known, demand, budget) {
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

/// The relation of an iteration: when it is taken, and the state after it.
struct Pair {
    taken: Term,
    next: Vec<Term>,
}

fn pairs(step: &Step) -> Vec<Pair> {
    let iterations = step.lasso.iterations.iter().zip(&step.taken);
    iterations
        .map(|(iteration, &taken)| Pair {
            taken,
            next: iteration.updates.clone(),
        })
        .collect()
}

/// What is left of an iteration: the pairs of states on which no component chosen so far changes.
struct Left<'t> {
    pair: Pair,
    solver: Solver<'t>,
}

fn lexicographic(
    step: &Step,
    vocabulary: &Step,
    invariants: &[Term],
    demand: &Demand,
    budget: &Budget,
) -> Option<Vec<Term>> {
    let restricted = |pair: Pair| {
        let mut solver = Solver::new(step.terms);
        invariants
            .iter()
            .for_each(|&invariant| solver.assert(invariant));
        solver.assert(pair.taken);
        Left { pair, solver }
    };
    let mut left: Vec<Left> = pairs(step).into_iter().map(restricted).collect();
    let mut candidates = match demand {
        Demand::Smaller => components(vocabulary),
        Demand::Bounded(distances) => known_to(step, distances),
    };
    let mut chosen = Vec::new();
    loop {
        left.retain(|left| {
            !left
                .solver
                .check(&[], budget.slice(QUESTION))
                .is_unsatisfiable()
        });
        if left.is_empty() {
            return Some(chosen);
        }
        let component = next_component(step, &candidates, (&left, demand), budget)?;
        candidates.retain(|&candidate| candidate != component);
        chosen.push(component);
        for left in &mut left {
            let after = image(step, &left.pair, component);
            left.solver.assert(step.terms.equal(component, after));
        }
    }
}

/// A component after an iteration.
fn image(step: &Step, pair: &Pair, component: Term) -> Term {
    step.terms.substitute(&[component], &step.at(&pair.next))[0]
}

/// The first candidate that grows on no pair that is left and gets smaller on some. The
/// counterexample that shows that a candidate grows also rules out those that grow there.
fn next_component(
    step: &Step,
    candidates: &[Term],
    (left, demand): (&[Left], &Demand),
    budget: &Budget,
) -> Option<Term> {
    let mut open = candidates.to_vec();
    while let Some(&component) = open.first() {
        if budget.is_spent() {
            return None;
        }
        match grown(step, component, left, budget) {
            Grown::At(pair, model) => open = not_growing(step, open, pair, &model),
            Grown::Never
                if shrinks(step, component, left, budget)
                    && (*demand == Demand::Smaller
                        || is_bounded(step, component, left, budget)) =>
            {
                return Some(component);
            }
            Grown::Never | Grown::Unknown => {
                open.remove(0);
            }
        }
    }
    None
}

/// Whether a component grows somewhere.
enum Grown<'l> {
    At(&'l Pair, Model),
    Never,
    Unknown,
}

fn grown<'l>(step: &Step, component: Term, left: &'l [Left], budget: &Budget) -> Grown<'l> {
    for Left { pair, solver } in left {
        let grows = step
            .terms
            .test(Test::UnsignedLess, component, image(step, pair, component));
        match solver.check(&[grows], budget.slice(QUESTION)) {
            Answer::Unsatisfiable => {}
            Answer::Satisfiable(model) => return Grown::At(pair, model),
            Answer::Unknown(_) => return Grown::Unknown,
        }
    }
    Grown::Never
}

/// Whether a component that never grows gets smaller on some pair that is left.
fn shrinks(step: &Step, component: Term, left: &[Left], budget: &Budget) -> bool {
    left.iter().any(|Left { pair, solver }| {
        let changes = step.terms.differ(component, image(step, pair, component));
        matches!(
            solver.check(&[changes], budget.slice(QUESTION)),
            Answer::Satisfiable(_)
        )
    })
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

/// The distances between what the iterations compare, read with sign, wide enough not to overflow,
/// with the sign bit turned.
pub(crate) fn distances(step: &Step) -> Vec<Term> {
    let terms = step.terms;
    let mut found = Vec::new();
    for (a, b, _) in compared(step) {
        let width = terms.width(a) + 1;
        if width <= impasse_solver::WIDEST {
            let (a, b) = (terms.sign_extend(a, width), terms.sign_extend(b, width));
            found.push(ordered(terms, terms.subtract(b, a)));
            found.push(ordered(terms, terms.subtract(a, b)));
        }
    }
    found.retain(|&distance| terms.as_constant(distance).is_none());
    found
}

/// Whether a distance that gets smaller is not negative there.
fn is_bounded(step: &Step, distance: Term, left: &[Left], budget: &Budget) -> bool {
    let terms = step.terms;
    let negative = terms.not(terms.extract(distance, terms.width(distance) - 1, 1));
    left.iter().all(|Left { pair, solver }| {
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

/// Expressions that may be components, read without sign: what is read with sign has its sign bit
/// turned, which keeps the order, and what could wrap around has more bits.
fn components(step: &Step) -> Vec<Term> {
    let terms = step.terms;
    let mut found = Vec::new();
    for (a, b, is_signed) in compared(step) {
        // What is on the right minus what is on the left, both wider by one bit; and the
        // reverse.
        let wide = |term| {
            let width = terms.width(term) + 1;
            if is_signed {
                terms.sign_extend(term, width)
            } else {
                terms.zero_extend(term, width)
            }
        };
        if terms.width(a) < impasse_solver::WIDEST {
            found.push(ordered(terms, terms.subtract(wide(b), wide(a))));
            found.push(ordered(terms, terms.subtract(wide(a), wide(b))));
        }
        found.extend([terms.subtract(a, b), terms.subtract(b, a)]);
    }
    let state = step.state();
    for &variable in &state {
        found.extend([
            variable,
            terms.not(variable),
            ordered(terms, variable),
            terms.not(ordered(terms, variable)),
        ]);
        let negative = terms.extract(variable, terms.width(variable) - 1, 1);
        let size = terms.choose(negative, terms.negate(variable), variable);
        found.extend([size, terms.not(size)]);
    }
    if state.len() <= PAIRED {
        for (at, &one) in state.iter().enumerate() {
            for &other in &state[at + 1..] {
                if terms.width(one) == terms.width(other)
                    && terms.width(one) < impasse_solver::WIDEST
                {
                    found.extend(combined(terms, one, other));
                }
            }
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|&component| terms.as_constant(component).is_none() && seen.insert(component));
    found.truncate(COMPONENTS);
    found
}

/// Sums and differences of two variables, both read with and without sign.
fn combined(terms: &Terms, one: Term, other: Term) -> Vec<Term> {
    let width = terms.width(one) + 1;
    let mut found = vec![terms.subtract(one, other), terms.subtract(other, one)];
    for extend in [Terms::sign_extend, Terms::zero_extend] {
        let (one, other) = (extend(terms, one, width), extend(terms, other, width));
        let difference = ordered(terms, terms.subtract(one, other));
        let sum = ordered(terms, terms.add(one, other));
        found.extend([difference, terms.not(difference), sum, terms.not(sum)]);
    }
    found
}

/// A vector read with sign as one read without, in the same order.
fn ordered(terms: &Terms, a: Term) -> Term {
    let width = terms.width(a);
    terms.binary(
        impasse_solver::Binary::Xor,
        a,
        terms.constant(1 << (width - 1), width),
    )
}

/// What the iterations compare, over the state alone, and whether with sign.
fn compared(step: &Step) -> Vec<(Term, Term, bool)> {
    let terms = step.terms;
    let state: FxHashSet<Symbol> = step
        .lasso
        .variables
        .iter()
        .map(|variable| variable.symbol)
        .collect();
    let mut found = Vec::new();
    for term in terms.below(&step.taken) {
        let Node::Test(test, a, b) = terms.node(term) else {
            continue;
        };
        if terms.width(a) == 1
            || !terms
                .symbols_in(&[a, b])
                .iter()
                .all(|symbol| state.contains(symbol))
        {
            continue;
        }
        match test {
            Test::SignedLess | Test::SignedLessEqual => found.push((a, b, true)),
            Test::UnsignedLess | Test::UnsignedLessEqual => found.push((a, b, false)),
            Test::Equal => found.extend([(a, b, true), (a, b, false)]),
            _ => {}
        }
    }
    found
}

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
