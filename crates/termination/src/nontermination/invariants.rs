//! Invariants of a lasso: what holds whenever the cutpoint is reached.
//!
//! Candidates that hold at the entry are dropped until every iteration preserves those that are
//! left together.

use super::step::{Runner, Step, pairs};
use super::{Budget, atoms};
use impasse_solver::{Answer, Evaluator, Node, Solver, Symbol, Term, Terms, Values};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// How much work one question may take.
const QUESTION: Duration = Duration::from_secs(2);
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
    let at_entry = Preservation {
        known: step.stem(),
        images: terms.substitute(&candidates, &step.at(&step.lasso.stem.entry)),
        is_step: false,
    };
    candidates = surviving(terms, candidates, at_entry, budget);
    loop {
        let before = candidates.len();
        for pair in pairs(step) {
            let preserved = Preservation {
                known: pair.taken,
                images: terms.substitute(&candidates, &step.at(&pair.next)),
                is_step: true,
            };
            candidates = surviving(terms, candidates, preserved, budget);
        }
        if candidates.len() == before {
            return candidates;
        }
    }
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
                let inputs: Vec<u128> = widths.map(|width| numbers.of_width(width)).collect();
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

/// Inputs of a run: zeros, ones, or numbers that look like chance and are the same every time.
struct Numbers {
    run: u64,
    state: u64,
}

impl Numbers {
    fn of_run(run: u64) -> Numbers {
        let state = (run + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Numbers { run, state }
    }

    /// Xorshift.
    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    fn of_width(&mut self, width: u8) -> u128 {
        let (high, low, size) = (self.next(), self.next(), self.next());
        let bits = match self.run {
            0 => 0,
            1 => u128::MAX,
            2 | 3 => u128::from(low % 16),
            _ => (u128::from(high) << 64 | u128::from(low)) >> (size % 128),
        };
        bits & (u128::MAX >> (128 - width))
    }
}

/// The candidates of which `kept` says so.
fn those(candidates: Vec<Term>, kept: impl Iterator<Item = bool>) -> Vec<Term> {
    let pairs = candidates.into_iter().zip(kept);
    pairs
        .filter_map(|(one, kept)| kept.then_some(one))
        .collect()
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
struct Preservation {
    known: Term,
    images: Vec<Term>,
    /// Whether the candidates that are left are known as well.
    is_step: bool,
}

/// The candidates that are kept. The solver gets them once, each with a condition that
/// says whether it is assumed and one that says whether it is broken; so it need not begin again
/// when candidates are dropped.
fn surviving(terms: &Terms, candidates: Vec<Term>, of: Preservation, budget: &Budget) -> Vec<Term> {
    let mut solver = Solver::new(terms);
    solver.assert(of.known);
    let flag = |name: &str| terms.variable(terms.symbol(name, 1));
    let mut left = Vec::new();
    for (candidate, image) in candidates.into_iter().zip(of.images) {
        let (assumed, broken) = (flag("assumed"), flag("broken"));
        if of.is_step {
            solver.assert(terms.or(terms.not(assumed), candidate));
        }
        solver.assert(terms.or(terms.not(broken), terms.not(image)));
        left.push(Candidate {
            candidate,
            image,
            assumed,
            broken,
        });
    }
    while !left.is_empty() {
        let broken: Vec<Term> = left.iter().map(|one| one.broken).collect();
        let mut asked = vec![terms.any(&broken)];
        asked.extend(left.iter().map(|one| one.assumed));
        match solver.check(&asked, budget.slice(QUESTION)) {
            Answer::Unsatisfiable => break,
            Answer::Unknown(_) => {
                left = surviving_alone(&solver, left, budget);
                break;
            }
            Answer::Satisfiable(model) => {
                let images: Vec<Term> = left.iter().map(|one| one.image).collect();
                let mut kept = Evaluator::new(terms, &images).run(&model).into_iter();
                left.retain(|_| kept.next() == Some(1));
            }
        }
    }
    left.into_iter().map(|one| one.candidate).collect()
}

/// What may be kept.
struct Candidate {
    candidate: Term,
    image: Term,
    /// If this holds, so does the candidate.
    assumed: Term,
    /// If this holds, the image does not.
    broken: Term,
}

/// The same, with a question for each candidate: one that takes too long is dropped alone.
fn surviving_alone(solver: &Solver, mut left: Vec<Candidate>, budget: &Budget) -> Vec<Candidate> {
    loop {
        let before = left.len();
        let assumed: Vec<Term> = left.iter().map(|one| one.assumed).collect();
        left.retain(|one| {
            let asked: Vec<Term> = assumed.iter().copied().chain([one.broken]).collect();
            let answer = solver.check(&asked, budget.slice(ALONE));
            answer.is_unsatisfiable()
        });
        if left.len() == before {
            return left;
        }
        if budget.is_spent() {
            return Vec::new();
        }
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
