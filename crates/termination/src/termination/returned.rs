//! What a recursive function returns: of an address, which objects it may be in, and of a number
//! what bounds say: between which numbers it lies, or its difference to one of the arguments.
//!
//! Of a call of a function that is being executed nothing else is known but what any call of it may
//! change. That is not enough where what one call returns is what another gets, as in
//! `f(f(n + 11))`. So bounds are assumed where the function calls itself, and shown where it
//! returns. Why that is enough: a call that returns has finitely many calls inside of it, all of
//! which have returned, and by induction over their number each result is within the bounds.
//!
//! Bounds are looked for as invariants are: those that some call breaks, while all that are left
//! are assumed of the calls inside, are dropped, until none is. What is known of addresses grows
//! instead: at first no call inside returns. `docs/internals/termination.md` has the argument.

use super::cycle::Around;
use super::header::{Changes, Header, Returned};
use super::objects::{Held, joined};
use super::record::Bound;
use super::state::{State, Val};
use super::{Executor, Mode, Result, Scope};
use impasse_program::instruction::Scalar;
use impasse_program::link::FunctionId;
use impasse_solver::{Answer, Evaluator, Node, Solver, Symbol, Term, Test};
use std::time::Duration;

/// So many constants of the function are tried as bounds.
const CONSTANTS: usize = 8;
/// Constants further from zero are not.
const FURTHEST: i128 = 1 << 20;
/// How often a function is executed to find out which bounds hold.
const ROUNDS: usize = 12;
/// How much work one question may take.
const QUESTION: Duration = Duration::from_millis(500);

/// A function whose arguments and result are numbers or addresses of one word.
struct Shape {
    result: u8,
    arguments: Vec<Scalar>,
}

impl Shape {
    /// Whether a bound speaks of what there is.
    fn fits(&self, bound: &Bound) -> bool {
        bound.less.is_none_or(|at| {
            let argument = self.arguments.get(at as usize);
            argument.is_some_and(|argument| !argument.is_pointer())
        })
    }
}

impl<'a, 's> Executor<'a, 's> {
    fn shape(&self, id: FunctionId) -> Option<Shape> {
        let signature = &self.subject.system.program.info(id).signature;
        let is_word = |scalar: &Scalar| scalar.words() == 1;
        match &signature.results[..] {
            [result]
                if is_word(result)
                    && !result.is_pointer()
                    && !signature.variadic
                    && signature.parameters.iter().all(is_word) =>
            {
                Some(Shape {
                    result: result.bits() as u8,
                    arguments: signature.parameters.clone(),
                })
            }
            _ => None,
        }
    }

    /// Whether a function returns one address.
    pub(super) fn returns_address(&self, id: FunctionId) -> bool {
        let signature = &self.subject.system.program.info(id).signature;
        let is_address = matches!(&signature.results[..], [result] if result.is_pointer());
        is_address && !signature.variadic && !self.is_ilp32()
    }

    /// Whether bounds speak of a result and of arguments that a function has.
    pub(super) fn bounds_fit(&self, id: FunctionId, bounds: &[Bound]) -> bool {
        match self.shape(id) {
            Some(shape) => bounds.iter().all(|bound| shape.fits(bound)),
            None => bounds.is_empty(),
        }
    }

    /// Enters what a recursive function returns in a state, whose values are those of the
    /// iteration's end (`left`), or of before (`young`), when its objects were distinguished.
    pub(super) fn note_returned(
        &mut self,
        header: &Header,
        (young, left): (&State, &State),
        changes: &mut Changes,
    ) {
        let first = |state: &State| state.slots.first().copied().flatten();
        let now = match (first(young), first(left)) {
            (Some(young), Some(left)) => Returned {
                held: self.held(left),
                plain: self.is_plain(young),
                fresh: self.is_made_since(young, header.mark),
            },
            _ => Returned {
                held: Held::Anything,
                plain: false,
                fresh: false,
            },
        };
        let joined = match changes.address.take() {
            Some(before) => Returned {
                held: joined(&before.held, &now.held),
                plain: before.plain && now.plain,
                fresh: before.fresh && now.fresh,
            },
            None => now,
        };
        changes.address = Some(joined);
    }

    /// An address that a call of a recursive function returns, which began at a mark.
    pub(super) fn returned_address(
        &mut self,
        state: &mut State,
        returned: &Returned,
        mark: Symbol,
    ) -> Val {
        if returned.held == Held::Null {
            return Val::of(self.number(0));
        }
        let term = self.fresh(64);
        let base = self.base_of(&returned.held);
        if let (Node::Symbol(symbol), true) = (self.terms.node(term), returned.plain) {
            self.note_plain(symbol);
            let plain = self.plainness(term);
            state.assume(self.terms, plain);
            if returned.fresh {
                self.orders.note_fresh(symbol, mark);
            }
        }
        Val::at(term, base)
    }

    /// A new result of a call with the arguments in a state's slots, within bounds; none if there
    /// are no bounds.
    pub(super) fn result_within(
        &mut self,
        id: FunctionId,
        state: &mut State,
        bounds: &[Bound],
    ) -> Option<Val> {
        let shape = self.shape(id).filter(|_| !bounds.is_empty())?;
        let result = self.anything(shape.result);
        for condition in self.within(id, result, &state.slots.clone(), bounds) {
            state.assume(self.terms, condition);
        }
        Some(result)
    }

    /// That a result is within bounds, if these are the arguments: one condition for each bound.
    pub(super) fn within(
        &mut self,
        id: FunctionId,
        result: Val,
        arguments: &[Option<Val>],
        bounds: &[Bound],
    ) -> Vec<Term> {
        let Some(shape) = self.shape(id) else {
            return Vec::new();
        };
        let terms = self.terms;
        // Two bits more than the widest number has, so that no difference wraps around.
        let bits = shape.arguments.iter().map(|argument| argument.bits() as u8);
        let width = bits.chain([shape.result, 64]).max().unwrap_or(64) + 2;
        let wide = |value: Val, bits: u8| {
            terms.sign_extend(terms.resize_unsigned(value.term, bits), width)
        };
        let mut conditions = Vec::new();
        for bound in bounds {
            let mut sum = wide(result, shape.result);
            if let Some(at) = bound.less {
                let bits = shape.arguments[at as usize].bits() as u8;
                let argument = match arguments.get(at as usize).copied().flatten() {
                    Some(argument) => argument,
                    None => self.anything(bits),
                };
                sum = terms.subtract(sum, wide(argument, bits));
            }
            let number = terms.constant(i128::from(bound.number) as u128, width);
            conditions.push(match bound.is_least {
                true => terms.test(Test::SignedLessEqual, number, sum),
                false => terms.test(Test::SignedLessEqual, sum, number),
            });
        }
        conditions
    }

    /// The bounds, of those that the function's constants suggest, that hold of what it returns
    /// from states in which the invariants do.
    pub(super) fn bounds(
        &mut self,
        header: &Header,
        invariants: &[Term],
        returns: &[State],
        iteration: &mut Around<'_, 'a, 's>,
    ) -> Result<Vec<Bound>> {
        let own = self.recursions.len() - 1;
        let id = self.recursions[own].function;
        if self.scope == Scope::Deciding || returns.is_empty() {
            return Ok(Vec::new());
        }
        let mut left = self.suggested_bounds(id, returns);
        for _ in 0..ROUNDS {
            if left.is_empty() {
                break;
            }
            self.recursions[own].returned.clone_from(&left);
            self.mode = Mode::Exploring;
            let flow = iteration(self, header, invariants);
            self.mode = Mode::Proving;
            let before = left.len();
            for state in &flow?.returns {
                left = self.kept(id, (header, state), left)?;
            }
            if left.len() == before {
                return Ok(tightest(&left));
            }
        }
        self.recursions[own].returned.clear();
        Ok(Vec::new())
    }

    /// The bounds that hold of what a state returns.
    fn kept(
        &mut self,
        id: FunctionId,
        (header, state): (&Header, &State),
        mut bounds: Vec<Bound>,
    ) -> Result<Vec<Bound>> {
        self.check_time()?;
        let Some(result) = state.slots.first().copied().flatten() else {
            return Ok(Vec::new());
        };
        let mut known: Vec<Term> = self.context.concat();
        known.extend(&state.path);
        while !bounds.is_empty() {
            let conditions = self.within(id, result, &header.state.slots, &bounds);
            let broken = self.terms.not(self.terms.all(&conditions));
            let asked = self.near(&known, &[broken]);
            match Solver::new(self.terms).check(&asked, QUESTION) {
                Answer::Unsatisfiable => break,
                Answer::Unknown(_) => return Ok(Vec::new()),
                Answer::Satisfiable(model) => {
                    let held = Evaluator::new(self.terms, &conditions).run(&model);
                    let mut held = held.into_iter();
                    bounds.retain(|_| held.next() == Some(1));
                }
            }
        }
        Ok(bounds)
    }

    fn suggested_bounds(&self, id: FunctionId, returns: &[State]) -> Vec<Bound> {
        let Some(shape) = self.shape(id) else {
            return Vec::new();
        };
        let terms = self.terms;
        let roots = returns.iter().flat_map(|state| {
            let slots = state.slots.iter().flatten().map(|value| value.term);
            slots.chain(state.path.iter().copied())
        });
        let roots: Vec<Term> = roots.collect();
        let mut numbers: Vec<i128> = vec![0, 1, -1];
        let constants = terms.below(&roots).into_iter().filter_map(|term| {
            let width = terms.width(term);
            let bits = terms.as_constant(term).filter(|_| width > 7)?;
            Some(((bits << (128 - width)) as i128) >> (128 - width))
        });
        let near = |number: &i128| (-FURTHEST..FURTHEST).contains(number);
        for number in constants.filter(near).take(CONSTANTS) {
            numbers.extend([number, -number, number + 1, number - 1]);
        }
        numbers.sort_unstable();
        numbers.dedup();
        let arguments = (0..shape.arguments.len() as u32).map(Some);
        let mut found = Vec::new();
        for less in std::iter::once(None).chain(arguments) {
            for &number in &numbers {
                for is_least in [false, true] {
                    found.push(Bound {
                        less,
                        is_least,
                        number: number as i64,
                    });
                }
            }
        }
        found.retain(|bound| shape.fits(bound));
        found
    }
}

/// Of bounds on the same side of the same number those from which the others follow.
fn tightest(bounds: &[Bound]) -> Vec<Bound> {
    let is_weaker = |one: &Bound, other: &Bound| {
        let same = one.less == other.less && one.is_least == other.is_least;
        same && match one.is_least {
            true => one.number < other.number,
            false => one.number > other.number,
        }
    };
    let kept = bounds
        .iter()
        .filter(|one| !bounds.iter().any(|other| is_weaker(one, other)));
    kept.copied().collect()
}
