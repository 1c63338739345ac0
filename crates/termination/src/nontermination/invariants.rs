//! Invariants of a lasso: what holds whenever the cutpoint is reached.
//!
//! Candidates that hold at the entry are dropped until every iteration preserves those that are
//! left together.

#[cfg(test)]
mod tests;

use super::neighbours::{self, Numbers};
use super::step::{Runner, Step, pairs};
use super::{Budget, atoms};
use impasse_solver::work::Moment;
use impasse_solver::{Answer, Evaluator, Node, Solver, Symbol, Term, Terms, Values};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// How much work one question may take.
const QUESTION: Duration = Duration::from_secs(2);
/// One with which it is begun.
const EASY: Duration = Duration::from_millis(300);
/// And one about a single candidate then, and how much work all of these.
const EASY_ALONE: Duration = Duration::from_millis(50);
const ALL_EASY: Duration = Duration::from_secs(1);
/// And one about a single candidate, if they are too hard together.
const ALONE: Duration = Duration::from_secs(1);
/// And one that only saves time.
const QUICK: Duration = Duration::from_millis(500);
/// Runs on which candidates are tried before the solver is asked, and how long each is.
const RUNS: u64 = 6;
const LONGEST: usize = 24;

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
    let entry = step.enter(&step.lasso.stem.example);
    if let Some(entry) = &entry {
        candidates.extend(atoms::holding_in(
            vocabulary,
            std::slice::from_ref(entry),
            &[],
        ));
    }
    let mut seen = FxHashSet::default();
    candidates.retain(|&one| seen.insert(one));
    if let Some(entry) = entry {
        candidates = not_refuted(step, candidates, &entry);
    }
    let all = (0..candidates.len()).collect();
    let images = terms.substitute(&candidates, &step.at(&step.lasso.stem.entry));
    let left = Preservation::at_entry(terms, step.stem(), images).surviving(all, budget);
    let candidates: Vec<Term> = left.into_iter().map(|at| candidates[at]).collect();
    let preserved = pairs(step).into_iter().map(|pair| {
        let images = terms.substitute(&candidates, &step.at(&pair.next));
        Preservation::by_step(terms, pair.taken, (&candidates, images))
    });
    let left = inductive(&preserved.collect::<Vec<_>>(), candidates.len(), budget);
    left.into_iter().map(|at| candidates[at]).collect()
}

/// The largest part of so many candidates that every iteration preserves. Each iteration is asked
/// about until all have preserved the same part.
fn inductive(preserved: &[Preservation], count: usize, budget: &Budget) -> Vec<usize> {
    let mut left: Vec<usize> = (0..count).collect();
    let mut shown = vec![None; preserved.len()];
    while let Some(at) = shown.iter().position(|&shown| shown != Some(left.len())) {
        left = preserved[at].surviving(left, budget);
        shown[at] = Some(left.len());
    }
    left
}

/// The candidates that hold in all states of some runs from the entry.
fn not_refuted(step: &Step, mut candidates: Vec<Term>, entry: &[u128]) -> Vec<Term> {
    let mut runner = Runner::new(step);
    let count = step.lasso.iterations.len();
    for run in 0..RUNS {
        let mut numbers = Numbers::of_run(run);
        let mut state = entry.to_vec();
        for _ in 0..LONGEST {
            let first = numbers.next() as usize;
            let next = (0..count).find_map(|at| {
                let at = (first + at) % count;
                let inputs = step.lasso.iterations[at].inputs.iter();
                let widths = inputs.map(|input| step.terms.symbol_width(input.symbol));
                let inputs: Vec<u128> = widths
                    .map(|width| input_of(run, width, &mut numbers))
                    .collect();
                runner.take(at, &state, &inputs)
            });
            let Some(next) = next else {
                break;
            };
            let variables = step.lasso.variables.iter().map(|variable| variable.symbol);
            let values: Values = variables.zip(next.iter().copied()).collect();
            let held = Evaluator::new(step.terms, &candidates).run(&values);
            candidates = those(candidates, held.into_iter().map(|held| held == 1));
            state = next;
        }
    }
    candidates
}

/// An input of a run: zero, all ones, a small number, or any.
fn input_of(run: u64, width: u8, numbers: &mut Numbers) -> u128 {
    let bits = match run {
        0 => 0,
        1 => u128::MAX,
        2 | 3 => u128::from(numbers.next() % 16),
        _ => numbers.of_width(width),
    };
    bits & (u128::MAX >> (128 - width))
}

/// The candidates of which `kept` says so.
fn those(candidates: Vec<Term>, kept: impl Iterator<Item = bool>) -> Vec<Term> {
    let pairs = candidates.into_iter().zip(kept);
    pairs
        .filter_map(|(one, kept)| kept.then_some(one))
        .collect()
}

/// Conditions that together say what all do: without those that follow from the others. The solver
/// gets each once, with a flag that says whether it is assumed.
pub(crate) fn independent(terms: &Terms, conditions: Vec<Term>, budget: &Budget) -> Vec<Term> {
    let mut solver = Solver::new(terms);
    let mut left: Vec<(Term, Term)> = Vec::new();
    for one in conditions {
        let assumed = terms.variable(terms.symbol("assumed", 1));
        solver.assert(terms.or(terms.not(assumed), one));
        left.push((one, assumed));
    }
    let mut order: Vec<Term> = left.iter().map(|&(one, _)| one).collect();
    order.sort_by_key(|&one| std::cmp::Reverse((terms.below(&[one]).len(), one)));
    for one in order {
        let others = left.iter().filter(|&&(other, _)| other != one);
        let asked = others.map(|&(_, assumed)| assumed).chain([terms.not(one)]);
        let answer = solver.check(&asked.collect::<Vec<_>>(), budget.slice(QUESTION));
        if answer.is_unsatisfiable() {
            left.retain(|&(other, _)| other != one);
        }
    }
    left.into_iter().map(|(one, _)| one).collect()
}

/// Whether some iteration from a state in which the invariants hold leads to one in which they do
/// not, as far as that is found out quickly.
pub(crate) fn are_broken(step: &Step, invariants: &[Term], budget: &Budget) -> bool {
    let terms = step.terms;
    pairs(step).iter().any(|pair| {
        let images = terms.substitute(invariants, &step.at(&pair.next));
        let mut asked = vec![pair.taken, terms.not(terms.all(&images))];
        asked.extend(invariants);
        let answer = Solver::new(terms).check(&asked, budget.slice(QUICK));
        matches!(answer, Answer::Satisfiable(_))
    })
}

/// What must hold for candidates to be kept: their images, where something is known.
///
/// The solver gets them once, each with a condition that says whether it is assumed and one that
/// says whether it is broken; so it need not begin again when candidates are dropped.
struct Preservation<'t> {
    terms: &'t Terms,
    solver: Solver<'t>,
    known: Term,
    candidates: Vec<Candidate>,
}

/// What may be kept.
struct Candidate {
    /// What is known as long as it is kept.
    condition: Option<Term>,
    image: Term,
    /// If this holds, so does the condition.
    assumed: Term,
    /// If this holds, the image does not.
    broken: Term,
}

impl Candidate {
    /// Whether it is kept whatever the solver says.
    fn is_unchanged(&self, terms: &Terms) -> bool {
        self.condition == Some(self.image) || terms.is_true(self.image)
    }
}

/// What single questions show of candidates.
struct Alone {
    /// They are kept together.
    kept: Vec<usize>,
    /// More may be kept.
    open: Vec<usize>,
}

impl<'t> Preservation<'t> {
    /// Images at the entry, where no candidate is known.
    fn at_entry(terms: &'t Terms, known: Term, images: Vec<Term>) -> Self {
        let images = images.into_iter().map(|image| (None, image));
        Self::new(terms, known, images)
    }

    /// Images after an iteration, before which the candidates that are left are known.
    fn by_step(terms: &'t Terms, known: Term, (candidates, images): (&[Term], Vec<Term>)) -> Self {
        let conditions = candidates.iter().map(|&one| Some(one));
        Self::new(terms, known, conditions.zip(images))
    }

    fn new(terms: &'t Terms, known: Term, of: impl Iterator<Item = (Option<Term>, Term)>) -> Self {
        let mut solver = Solver::new(terms);
        solver.assert(known);
        let flag = |name: &str| terms.variable(terms.symbol(name, 1));
        let candidates = of.map(|(condition, image)| {
            let (assumed, broken) = (flag("assumed"), flag("broken"));
            if let Some(condition) = condition {
                solver.assert(terms.or(terms.not(assumed), condition));
            }
            solver.assert(terms.or(terms.not(broken), terms.not(image)));
            Candidate {
                condition,
                image,
                assumed,
                broken,
            }
        });
        let candidates = candidates.collect();
        Preservation {
            terms,
            solver,
            known,
            candidates,
        }
    }

    /// Those of the candidates that are left that are kept. At first with questions that do little
    /// work: what is kept then is so in any case.
    fn surviving(&self, left: Vec<usize>, budget: &Budget) -> Vec<usize> {
        let left = match self.together(left, budget.slice(EASY)) {
            Ok(kept) => return kept,
            Err(left) => left,
        };
        let easy = Budget::until(Moment::now() + budget.slice(ALL_EASY));
        let sure = self.alone(left, EASY_ALONE, &easy);
        if sure.open.is_empty() {
            return sure.kept;
        }
        let mut open = [sure.kept.clone(), sure.open].concat();
        open.sort_unstable();
        let left = match self.together(open, budget.slice(QUESTION)) {
            Ok(kept) => return kept,
            Err(left) => left,
        };
        let found = self.alone(left, ALONE, budget);
        if budget.is_spent() {
            return sure.kept;
        }
        found.kept
    }

    /// Those that are kept; or those that may be, if the solver does not find it out in one
    /// question. Whatever a model refutes, and values near it do, is dropped at once: which part is
    /// the largest one does not depend on the order.
    fn together(&self, mut left: Vec<usize>, most: Duration) -> Result<Vec<usize>, Vec<usize>> {
        while !left.is_empty() {
            let those = || left.iter().map(|&at| &self.candidates[at]);
            let broken: Vec<Term> = those().map(|one| one.broken).collect();
            let mut asked = vec![self.terms.any(&broken)];
            asked.extend(self.assumed(&left));
            match self.solver.check(&asked, most) {
                Answer::Unsatisfiable => break,
                Answer::Unknown(_) => return Err(left),
                Answer::Satisfiable(model) => {
                    let known = those().filter_map(|one| one.condition);
                    let known: Vec<Term> = known.chain([self.known]).collect();
                    let images: Vec<Term> = those().map(|one| one.image).collect();
                    let failed = neighbours::failing(self.terms, &known, &images, &model);
                    let mut failed = failed.into_iter();
                    left.retain(|_| failed.next() == Some(false));
                }
            }
        }
        Ok(left)
    }

    /// The same, with a question for each candidate, which may do so much work: one that takes too
    /// long is dropped alone. Where no work is left, only what is the same after the iteration is
    /// kept.
    fn alone(&self, mut left: Vec<usize>, most: Duration, budget: &Budget) -> Alone {
        let mut open = Vec::new();
        loop {
            let before = left.len();
            let assumed: Vec<Term> = self.assumed(&left).collect();
            left.retain(|&at| {
                let one = &self.candidates[at];
                if one.is_unchanged(self.terms) {
                    return true;
                }
                let asked: Vec<Term> = assumed.iter().copied().chain([one.broken]).collect();
                let answer = self.solver.check(&asked, budget.slice(most));
                // What is broken without some that are open may be kept with them.
                let is_refuted = matches!(answer, Answer::Satisfiable(_)) && open.is_empty();
                if !answer.is_unsatisfiable() && !is_refuted {
                    open.push(at);
                }
                answer.is_unsatisfiable()
            });
            if left.len() == before {
                return Alone { kept: left, open };
            }
            if budget.is_spent() {
                let is_unchanged = |&at: &usize| self.candidates[at].is_unchanged(self.terms);
                let (kept, more) = left.into_iter().partition(is_unchanged);
                open.extend::<Vec<usize>>(more);
                return Alone { kept, open };
            }
        }
    }

    fn assumed(&self, left: &[usize]) -> impl Iterator<Item = Term> {
        let those = left.iter().map(|&at| &self.candidates[at]);
        let known = those.filter(|one| one.condition.is_some());
        known.map(|one| one.assumed)
    }
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
