//! One turn of a lasso as a function of the state, symbolically and concretely.
//!
//! Where a lasso has several turns, a symbolic step takes any that can be taken, as a proof that there is no run has to
//! look at all. A step under given inputs takes the first that can be taken.

use super::{Choice, Course};
use crate::problem::{Lasso, Turn};
use impasse_solver::{Evaluator, Symbol, Term, Terms, Values};
use rustc_hash::FxHashMap;

/// The width of the variable that says which turn a step takes.
const SELECTOR: u8 = 32;

/// The turns of a lasso, ready to be taken.
pub(crate) struct Step<'a> {
    pub terms: &'a Terms,
    pub lasso: &'a Lasso,
    /// For each turn, when it is taken.
    pub taken: Vec<Term>,
    /// What was put into the turns and holds in every state of a run that enters through the stem.
    pub known: Vec<Term>,
}

/// A lasso with the values of variables that are constants at the entry and that no turn changes put into the turns,
/// and what that relies on.
pub(crate) fn specialise(terms: &Terms, lasso: &Lasso) -> (Lasso, Vec<Term>) {
    let mut special = lasso.clone();
    let mut constants = FxHashMap::default();
    let mut known = Vec::new();
    for (at, variable) in lasso.variables.iter().enumerate() {
        let (symbol, entry) = (terms.variable(variable.symbol), lasso.stem.entry[at]);
        if terms.as_constant(entry).is_some()
            && lasso.turns.iter().all(|turn| turn.updates[at] == symbol)
        {
            constants.insert(variable.symbol, entry);
            known.push(terms.equal(symbol, entry));
        }
    }
    let put = |term: Term| terms.substitute(&[term], &constants)[0];
    for turn in &mut special.turns {
        turn.guard
            .iter_mut()
            .for_each(|condition| condition.term = put(condition.term));
        turn.hazards
            .iter_mut()
            .for_each(|hazard| hazard.term = put(hazard.term));
        for (update, variable) in turn.updates.iter_mut().zip(&lasso.variables) {
            if !constants.contains_key(&variable.symbol) {
                *update = put(*update);
            }
        }
    }
    (special, known)
}

/// A step taken symbolically.
pub(crate) struct Symbolic {
    /// When some turn is taken.
    pub taken: Term,
    /// When each turn is.
    pub each: Vec<Term>,
    /// The state after it.
    pub next: Vec<Term>,
    /// The variables that stand for the inputs of each turn.
    pub inputs: Vec<Vec<Symbol>>,
}

impl<'a> Step<'a> {
    pub fn new(terms: &'a Terms, lasso: &'a Lasso, known: Vec<Term>) -> Step<'a> {
        let taken = lasso.turns.iter().map(|turn| turn.taken(terms)).collect();
        Step {
            terms,
            lasso,
            taken,
            known,
        }
    }

    /// Whether no turn reads anything.
    pub fn is_forced(&self) -> bool {
        self.lasso.turns.iter().all(|turn| turn.inputs.is_empty())
    }

    /// The state as its own variables.
    pub fn state(&self) -> Vec<Term> {
        self.lasso
            .variables
            .iter()
            .map(|variable| self.terms.variable(variable.symbol))
            .collect()
    }

    /// The variables that no turn changes.
    pub fn frozen(&self) -> Vec<Term> {
        let unchanged = |at: usize, variable: Term| {
            self.lasso
                .turns
                .iter()
                .all(|turn| turn.updates[at] == variable)
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

    /// A step from `state` with new inputs, by any of the turns: a new variable says which.
    pub fn symbolic(&self, state: &[Term]) -> Symbolic {
        let terms = self.terms;
        let inputs: Vec<Vec<Symbol>> = self
            .lasso
            .turns
            .iter()
            .map(|turn| self.renewed(turn))
            .collect();
        let several = self.lasso.turns.len() > 1;
        let selector = several.then(|| terms.fresh("turn", SELECTOR));
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
            let (taken, updates) = self.turn(at, state, &values);
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

    fn renewed(&self, turn: &Turn) -> Vec<Symbol> {
        let renew = |symbol| {
            self.terms
                .symbol(self.terms.name(symbol), self.terms.symbol_width(symbol))
        };
        turn.inputs
            .iter()
            .map(|input| renew(input.symbol))
            .collect()
    }

    /// When some turn is taken from `state` with the inputs given for each turn, and the state
    /// after the first that is.
    pub fn with_inputs(&self, state: &[Term], inputs: &[Vec<Term>]) -> (Term, Vec<Term>) {
        let terms = self.terms;
        let mut any = terms.boolean(false);
        let mut next: Option<Vec<Term>> = None;
        for (at, inputs) in inputs.iter().enumerate().rev() {
            let (taken, updates) = self.turn(at, state, inputs);
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

    /// When one turn is taken from `state` with `inputs`, and the state after it.
    pub fn turn(&self, at: usize, state: &[Term], inputs: &[Term]) -> (Term, Vec<Term>) {
        let turn = &self.lasso.turns[at];
        let mut map = self.at(state);
        map.extend(
            turn.inputs
                .iter()
                .map(|input| input.symbol)
                .zip(inputs.iter().copied()),
        );
        let mut roots = vec![self.taken[at]];
        roots.extend(&turn.updates);
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

    /// The turns that a model of a symbolic run takes.
    pub fn course(&self, run: &[Symbolic], model: &Values) -> Course {
        if self.is_forced() && self.lasso.turns.len() == 1 {
            return Course::Forced(run.len() as u64);
        }
        Course::Chosen(run.iter().map(|step| self.choice(step, model)).collect())
    }

    fn choice(&self, step: &Symbolic, model: &Values) -> Choice {
        let taken = step
            .each
            .iter()
            .position(|&taken| self.terms.holds(taken, model));
        let turn = taken.expect("a turn of the run is taken in its model");
        Choice {
            turn,
            inputs: step.inputs[turn]
                .iter()
                .map(|&symbol| model.get(symbol))
                .collect(),
        }
    }
}

/// A runner of turns on concrete states.
pub(crate) struct Runner<'a> {
    lasso: &'a Lasso,
    evaluators: Vec<Evaluator>,
}

impl<'a> Runner<'a> {
    pub fn new(step: &Step<'a>) -> Runner<'a> {
        let evaluator = |(turn, &taken): (&Turn, &Term)| {
            let mut roots = vec![taken];
            roots.extend(&turn.updates);
            Evaluator::new(step.terms, &roots)
        };
        let evaluators = step
            .lasso
            .turns
            .iter()
            .zip(&step.taken)
            .map(evaluator)
            .collect();
        Runner {
            lasso: step.lasso,
            evaluators,
        }
    }

    /// The state after one turn with these inputs, if it is taken.
    pub fn take(&mut self, turn: usize, state: &[u128], inputs: &[u128]) -> Option<Vec<u128>> {
        let mut values: Values = self
            .lasso
            .variables
            .iter()
            .map(|variable| variable.symbol)
            .zip(state.iter().copied())
            .collect();
        for (input, &value) in self.lasso.turns[turn].inputs.iter().zip(inputs) {
            values.set(input.symbol, value);
        }
        let mut made = self.evaluators[turn].run(&values);
        (made.remove(0) == 1).then_some(made)
    }

    /// The state after the first turn that is taken, where each turn reads the inputs given for it.
    pub fn first(&mut self, state: &[u128], inputs: &[Vec<u128>]) -> Option<(usize, Vec<u128>)> {
        (0..self.evaluators.len())
            .find_map(|turn| Some((turn, self.take(turn, state, &inputs[turn])?)))
    }

    /// The state after a course.
    pub fn follow(&mut self, state: &[u128], course: &Course) -> Option<Vec<u128>> {
        let mut state = state.to_vec();
        match course {
            Course::Forced(turns) => {
                let nothing = vec![Vec::new(); self.evaluators.len()];
                for _ in 0..*turns {
                    state = self.first(&state, &nothing)?.1;
                }
            }
            Course::Chosen(choices) => {
                for choice in choices {
                    state = self.take(choice.turn, &state, &choice.inputs)?;
                }
            }
        }
        Some(state)
    }
}
