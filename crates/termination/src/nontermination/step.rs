//! One iteration of a lasso as a function of the state, symbolically and concretely.
//!
//! Where a lasso has several iterations, a symbolic step takes any that can be taken, as a proof
//! that there is no run has to look at all. A step under given inputs takes the first that can be
//! taken.

use super::{Choice, IterationSequence};
use crate::problem::{Condition, Iteration, Lasso, Stem};
use impasse_solver::{Evaluator, Symbol, Term, Terms, Values};
use rustc_hash::FxHashMap;

/// The width of the variable that says which iteration a step takes.
const SELECTOR: u8 = 32;

/// The iterations of a lasso, ready to be taken.
pub(crate) struct Step<'a> {
    pub terms: &'a Terms,
    pub lasso: &'a Lasso,
    /// For each iteration, when it is taken.
    pub taken: Vec<Term>,
    /// What was put into the iterations and holds in every state of a run that enters through the
    /// stem.
    pub known: Vec<Term>,
}

/// A lasso with the values of variables that are constants at the entry and that no iteration
/// changes put into the iterations, and what that relies on.
pub(crate) fn specialise(terms: &Terms, lasso: &Lasso) -> (Lasso, Vec<Term>) {
    let mut special = lasso.clone();
    let mut constants = FxHashMap::default();
    let mut known = Vec::new();
    for (at, variable) in lasso.variables.iter().enumerate() {
        let (symbol, entry) = (terms.variable(variable.symbol), lasso.stem.entry[at]);
        if terms.as_constant(entry).is_some()
            && lasso
                .iterations
                .iter()
                .all(|iteration| iteration.updates[at] == symbol)
        {
            constants.insert(variable.symbol, entry);
            known.push(terms.equal(symbol, entry));
        }
    }
    let put = |term: Term| terms.substitute(&[term], &constants)[0];
    for iteration in &mut special.iterations {
        iteration
            .guard
            .iter_mut()
            .for_each(|condition| condition.term = put(condition.term));
        iteration
            .hazards
            .iter_mut()
            .for_each(|hazard| hazard.term = put(hazard.term));
        for (update, variable) in iteration.updates.iter_mut().zip(&lasso.variables) {
            if !constants.contains_key(&variable.symbol) {
                *update = put(*update);
            }
        }
    }
    (special, known)
}

/// A lasso with a stem that has the inputs of its example only, and leads to one state. What no
/// iteration changes is a number then, and may make products vanish.
pub(crate) fn on_example(terms: &Terms, lasso: &Lasso) -> Lasso {
    let stem = &lasso.stem;
    let values = Evaluator::new(terms, &stem.entry).run(&stem.example);
    let pairs = stem.entry.iter().zip(values);
    let entry = pairs.map(|(&term, value)| terms.constant(value, terms.width(term)));
    let conditions = stem.inputs.iter().map(|input| {
        let symbol = terms.variable(input.symbol);
        let value = terms.constant(stem.example.get(input.symbol), terms.width(symbol));
        Condition {
            term: terms.equal(symbol, value),
            line: input.line.clone(),
        }
    });
    Lasso {
        stem: Stem {
            inputs: stem.inputs.clone(),
            conditions: conditions.collect(),
            entry: entry.collect(),
            example: stem.example.clone(),
        },
        ..lasso.clone()
    }
}

/// A step taken symbolically.
pub(crate) struct Symbolic {
    /// When some iteration is taken.
    pub taken: Term,
    /// When each iteration is.
    pub each: Vec<Term>,
    /// The state after it.
    pub next: Vec<Term>,
    /// The variables that stand for the inputs of each iteration.
    pub inputs: Vec<Vec<Symbol>>,
}

impl<'a> Step<'a> {
    pub fn new(terms: &'a Terms, lasso: &'a Lasso, known: Vec<Term>) -> Step<'a> {
        let taken = lasso
            .iterations
            .iter()
            .map(|iteration| iteration.taken(terms))
            .collect();
        Step {
            terms,
            lasso,
            taken,
            known,
        }
    }

    /// Whether no iteration reads anything.
    pub fn is_forced(&self) -> bool {
        self.lasso
            .iterations
            .iter()
            .all(|iteration| iteration.inputs.is_empty())
    }

    /// The state as its own variables.
    pub fn state(&self) -> Vec<Term> {
        self.lasso
            .variables
            .iter()
            .map(|variable| self.terms.variable(variable.symbol))
            .collect()
    }

    /// The variables that no iteration changes.
    pub fn frozen(&self) -> Vec<Term> {
        let unchanged = |at: usize, variable: Term| {
            self.lasso
                .iterations
                .iter()
                .all(|iteration| iteration.updates[at] == variable)
        };
        self.state()
            .into_iter()
            .enumerate()
            .filter_map(|(at, v)| unchanged(at, v).then_some(v))
            .collect()
    }

    /// What holds if the stem is taken.
    pub fn stem(&self) -> Term {
        let conditions: Vec<Term> = self
            .lasso
            .stem
            .conditions
            .iter()
            .map(|condition| condition.term)
            .collect();
        self.terms.all(&conditions)
    }

    /// The variables of the state mapped to the values of `state`.
    pub fn at(&self, state: &[Term]) -> FxHashMap<Symbol, Term> {
        self.lasso
            .variables
            .iter()
            .map(|variable| variable.symbol)
            .zip(state.iter().copied())
            .collect()
    }

    /// A step from `state` with new inputs, by any of the iterations: a new variable says which.
    pub fn symbolic(&self, state: &[Term]) -> Symbolic {
        let terms = self.terms;
        let inputs: Vec<Vec<Symbol>> = self
            .lasso
            .iterations
            .iter()
            .map(|iteration| self.renewed(iteration))
            .collect();
        let several = self.lasso.iterations.len() > 1;
        let selector = several.then(|| terms.fresh("iteration", SELECTOR));
        let selected = |at: usize| match selector {
            Some(selector) => terms.equal(selector, terms.constant(at as u128, SELECTOR)),
            None => terms.boolean(true),
        };
        let mut each = Vec::new();
        let mut next: Option<Vec<Term>> = None;
        for (at, symbols) in inputs.iter().enumerate() {
            let values: Vec<Term> = symbols
                .iter()
                .map(|&symbol| terms.variable(symbol))
                .collect();
            let (taken, updates) = self.iteration(at, state, &values);
            each.push(terms.and(selected(at), taken));
            next = Some(match next {
                None => updates,
                Some(others) => {
                    let pairs = updates.into_iter().zip(others);
                    pairs
                        .map(|(one, other)| terms.choose(selected(at), one, other))
                        .collect()
                }
            });
        }
        Symbolic {
            taken: terms.any(&each),
            each,
            next: next.unwrap_or_else(|| state.to_vec()),
            inputs,
        }
    }

    fn renewed(&self, iteration: &Iteration) -> Vec<Symbol> {
        let renew = |symbol| {
            self.terms
                .symbol(self.terms.name(symbol), self.terms.symbol_width(symbol))
        };
        iteration
            .inputs
            .iter()
            .map(|input| renew(input.symbol))
            .collect()
    }

    /// When some iteration is taken from `state` with the inputs given for each iteration, and the
    /// state after the first that is.
    pub fn with_inputs(&self, state: &[Term], inputs: &[Vec<Term>]) -> (Term, Vec<Term>) {
        let terms = self.terms;
        let mut any = terms.boolean(false);
        let mut next: Option<Vec<Term>> = None;
        for (at, inputs) in inputs.iter().enumerate().rev() {
            let (taken, updates) = self.iteration(at, state, inputs);
            next = Some(match next {
                None => updates,
                Some(others) => {
                    let pairs = updates.into_iter().zip(others);
                    pairs
                        .map(|(one, other)| terms.choose(taken, one, other))
                        .collect()
                }
            });
            any = terms.or(taken, any);
        }
        (any, next.unwrap_or_else(|| state.to_vec()))
    }

    /// When one iteration is taken from `state` with `inputs`, and the state after it.
    pub fn iteration(&self, at: usize, state: &[Term], inputs: &[Term]) -> (Term, Vec<Term>) {
        let iteration = &self.lasso.iterations[at];
        let mut map = self.at(state);
        map.extend(
            iteration
                .inputs
                .iter()
                .map(|input| input.symbol)
                .zip(inputs.iter().copied()),
        );
        let mut roots = vec![self.taken[at]];
        roots.extend(&iteration.updates);
        let mut made = self.terms.substitute(&roots, &map);
        let taken = made.remove(0);
        (taken, made)
    }

    /// The state in which the stem leads to the cutpoint, if `inputs` take it.
    pub fn enter(&self, inputs: &Values) -> Option<Vec<u128>> {
        let mut roots = vec![self.stem()];
        roots.extend(&self.lasso.stem.entry);
        let mut made = Evaluator::new(self.terms, &roots).run(inputs);
        (made.remove(0) == 1).then_some(made)
    }

    /// The iterations that a model of a symbolic run takes.
    pub fn sequence(&self, run: &[Symbolic], model: &Values) -> IterationSequence {
        if self.is_forced() && self.lasso.iterations.len() == 1 {
            return IterationSequence::Forced(run.len() as u64);
        }
        IterationSequence::Chosen(run.iter().map(|step| self.choice(step, model)).collect())
    }

    fn choice(&self, step: &Symbolic, model: &Values) -> Choice {
        let taken = step
            .each
            .iter()
            .position(|&taken| self.terms.holds(taken, model));
        let iteration = taken.expect("an iteration of the run is taken in its model");
        Choice {
            iteration,
            inputs: step.inputs[iteration]
                .iter()
                .map(|&symbol| model.get(symbol))
                .collect(),
        }
    }
}

/// A runner of iterations on concrete states.
pub(crate) struct Runner<'a> {
    lasso: &'a Lasso,
    evaluators: Vec<Evaluator>,
}

impl<'a> Runner<'a> {
    pub fn new(step: &Step<'a>) -> Runner<'a> {
        let evaluator = |(iteration, &taken): (&Iteration, &Term)| {
            let mut roots = vec![taken];
            roots.extend(&iteration.updates);
            Evaluator::new(step.terms, &roots)
        };
        let evaluators = step
            .lasso
            .iterations
            .iter()
            .zip(&step.taken)
            .map(evaluator)
            .collect();
        Runner {
            lasso: step.lasso,
            evaluators,
        }
    }

    /// The state after one iteration with these inputs, if it is taken.
    pub fn take(&mut self, iteration: usize, state: &[u128], inputs: &[u128]) -> Option<Vec<u128>> {
        let mut values: Values = self
            .lasso
            .variables
            .iter()
            .map(|variable| variable.symbol)
            .zip(state.iter().copied())
            .collect();
        for (input, &value) in self.lasso.iterations[iteration].inputs.iter().zip(inputs) {
            values.set(input.symbol, value);
        }
        let mut made = self.evaluators[iteration].run(&values);
        (made.remove(0) == 1).then_some(made)
    }

    /// The state after the first iteration that is taken, where each iteration reads the inputs
    /// given for it.
    pub fn first(&mut self, state: &[u128], inputs: &[Vec<u128>]) -> Option<(usize, Vec<u128>)> {
        (0..self.evaluators.len()).find_map(|iteration| {
            Some((iteration, self.take(iteration, state, &inputs[iteration])?))
        })
    }

    /// The state after a sequence of iterations.
    pub fn follow(&mut self, state: &[u128], sequence: &IterationSequence) -> Option<Vec<u128>> {
        let mut state = state.to_vec();
        match sequence {
            IterationSequence::Forced(iterations) => {
                let nothing = vec![Vec::new(); self.evaluators.len()];
                for _ in 0..*iterations {
                    state = self.first(&state, &nothing)?.1;
                }
            }
            IterationSequence::Chosen(choices) => {
                for choice in choices {
                    state = self.take(choice.iteration, &state, &choice.inputs)?;
                }
            }
        }
        Some(state)
    }
}

/// The relation of an iteration: when it is taken, and the state after it.
#[derive(Clone)]
pub(crate) struct Pair {
    pub(crate) taken: Term,
    pub(crate) next: Vec<Term>,
}

/// The relations of a lasso's iterations.
pub(crate) fn pairs(step: &Step) -> Vec<Pair> {
    let iterations = step.lasso.iterations.iter().zip(&step.taken);
    iterations
        .map(|(iteration, &taken)| Pair {
            taken,
            next: iteration.updates.clone(),
        })
        .collect()
}
