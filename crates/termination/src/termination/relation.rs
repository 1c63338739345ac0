//! The iterations of a loop as a relation between states, and as a lasso for the provers.

use super::header::{HeadVariable, Header};
use super::part::Part;
use super::state::State;
use super::{Executor, Scope};
use crate::problem::{Condition, Input, Iteration, Lasso, Line, Place, Stem, Variable};
use impasse_solver::{Answer, Node, Solver, Symbol, Term, Test};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::time::Duration;

/// With more paths around a loop, they are taken together for the provers.
const MOST_PATHS: usize = 4;
/// Of so many variables that decide nothing in their loop, invariants are looked for.
const MOST_VARIABLES: usize = 16;
/// Of so many variables it is found out which grow in proportion.
const RELATED: usize = 12;
/// So many conditions may decide what is added.
const MOST_CHOICES: usize = 3;
/// So many of them may be the sums of two others.
const MOST_SUMS: usize = 8;
/// Multiples of larger powers of two are not tried.
const MOST_ZEROS: u32 = 4;
/// A variable is the state of a machine if it becomes so many different numbers.
const FEWEST_STATES: usize = 3;
/// So many conditions are tried of those under which such variables become numbers.
const MOST_REASONS: usize = 48;
/// How long the solver may take for an example.
const QUESTION: Duration = Duration::from_millis(500);

/// What the iterations of a loop do to what may change.
pub(super) struct Relation {
    /// What may change.
    pub variables: Vec<HeadVariable>,
    /// Their values on entry.
    pub first: Vec<Term>,
    /// The paths around the loop.
    pub iterations: Vec<LoopPath>,
    /// Variables made before this one are the same in all iterations.
    mark: Symbol,
}

/// A path from the header of a loop back to it.
pub(super) struct LoopPath {
    /// The conditions under which it is taken.
    pub taken: Vec<Term>,
    /// The values after it.
    pub next: Vec<Term>,
}

impl Relation {
    /// The variables mapped to values.
    pub fn at(&self, values: &[Term]) -> FxHashMap<Symbol, Term> {
        let symbols = self.variables.iter().map(|variable| variable.symbol);
        symbols.zip(values.iter().copied()).collect()
    }
}

impl Executor<'_, '_> {
    pub(super) fn relation(&mut self, entry: &State, header: &Header, backs: &[State]) -> Relation {
        let iterations = backs.iter().map(|back| LoopPath {
            taken: back.path.clone(),
            next: self.values_of(back, header),
        });
        let iterations = iterations.collect();
        Relation {
            variables: header.variables.clone(),
            first: self.values_of(entry, header),
            iterations,
            mark: header.mark,
        }
    }

    fn values_of(&mut self, state: &State, header: &Header) -> Vec<Term> {
        let each = header.variables.iter();
        each.map(|variable| self.term_of(state, variable)).collect()
    }

    /// One path for several, with a variable that says which.
    fn together(&self, paths: &[LoopPath]) -> Vec<LoopPath> {
        let terms = self.terms;
        let guards: Vec<Term> = paths.iter().map(|path| terms.all(&path.taken)).collect();
        let mut next = paths.last().map_or(Vec::new(), |path| path.next.clone());
        for (path, &guard) in paths.iter().zip(&guards).rev().skip(1) {
            let pairs = path.next.iter().zip(&next);
            next = pairs
                .map(|(&one, &other)| terms.choose(guard, one, other))
                .collect();
        }
        vec![LoopPath {
            taken: vec![terms.any(&guards)],
            next,
        }]
    }

    /// The iterations as a lasso, and conditions that may always hold at the header. Whether what
    /// decides if memory is used as it must be is part of it.
    pub(super) fn lasso(
        &mut self,
        relation: &Relation,
        line: &Line,
        watched: bool,
    ) -> (Lasso, Vec<Term>) {
        let terms = self.terms;
        let together;
        let paths = match relation.iterations.len() {
            0..=MOST_PATHS => &relation.iterations,
            _ => {
                together = self.together(&relation.iterations);
                &together
            }
        };
        let mut guards: Vec<Term> = paths.iter().flat_map(|path| path.taken.clone()).collect();
        if watched {
            guards.extend(&self.watched);
        }
        if watched && self.scope != Scope::Deciding {
            let changing = relation.variables.iter().take(MOST_VARIABLES);
            guards.extend(changing.map(|variable| terms.variable(variable.symbol)));
        }
        let needed = needed(relation, paths, &guards, terms);
        let mut shape = Shape {
            next: vec![Vec::new(); paths.len()],
            ..Shape::default()
        };
        for (at, &HeadVariable { part, symbol, .. }) in relation.variables.iter().enumerate() {
            if needed.contains(&symbol) {
                let next = paths.iter().map(|path| path.next[at]);
                shape.add(symbol, part, relation.first[at], next);
            }
        }
        let (suggested, more) = self.suggested(&shape);
        let mut frozen: Vec<Symbol> = needed.into_iter().filter(|&s| s < relation.mark).collect();
        frozen.extend(more);
        frozen.sort_unstable();
        frozen.dedup();
        for &symbol in &frozen {
            let variable = terms.variable(symbol);
            let next = paths.iter().map(|_| variable);
            shape.add(symbol, Part::Slot(0), variable, next);
        }
        let mut suggested = suggested;
        suggested.extend(self.reasons(&shape, paths));
        let lasso = self.lasso_of(shape, paths, line);
        suggested.extend(self.proportions(&lasso));
        suggested.extend(self.multiples(&lasso));
        (lasso, suggested)
    }

    /// Of a variable that only ever becomes one of a few numbers, like the state of a machine: what
    /// held when it became one of them may still hold, and where it becomes another one after that.
    fn reasons(&self, shape: &Shape, paths: &[LoopPath]) -> Vec<Term> {
        let terms = self.terms;
        let declared: FxHashSet<Symbol> = shape.variables.iter().map(|one| one.symbol).collect();
        let mut found = Vec::new();
        for (at, variable) in shape.variables.iter().enumerate() {
            let now = terms.variable(variable.symbol);
            if !(2..=64).contains(&terms.width(now)) {
                continue;
            }
            let mut leaves = Vec::new();
            let next = paths.iter().zip(&shape.next);
            let is_machine = next
                .into_iter()
                .all(|(path, next)| self.numbers_of(next[at], now, &path.taken, &mut leaves));
            let numbers: BTreeSet<u128> = leaves.iter().map(|leaf| leaf.0).collect();
            if !is_machine || numbers.len() < FEWEST_STATES {
                continue;
            }
            let is_of_rest = |condition: &Term| {
                let below = terms.symbols_in(&[*condition]);
                !below.is_empty()
                    && !below.contains(&variable.symbol)
                    && below.iter().all(|symbol| declared.contains(symbol))
            };
            let under = |number: u128, condition: Term| {
                let is_other = terms.differ(now, terms.constant(number, terms.width(now)));
                terms.or(is_other, condition)
            };
            for (number, conditions) in &leaves {
                let of_rest = conditions.iter().copied().filter(is_of_rest);
                found.extend(of_rest.map(|condition| under(*number, condition)));
            }
            let all: Vec<Term> = leaves.into_iter().flat_map(|leaf| leaf.1).collect();
            let tests = terms.below(&all).into_iter().filter(is_of_rest);
            for condition in tests.flat_map(|test| self.and_less(test)) {
                found.extend(numbers.iter().map(|&number| under(number, condition)));
            }
        }
        let mut seen = FxHashSet::default();
        found.retain(|&one| seen.insert(one));
        found.truncate(MOST_REASONS);
        found
    }

    /// That of two numbers that a test compares one is at most the other: what may be left of what
    /// it has found where one of the two has changed by one since.
    fn and_less(&self, test: Term) -> Vec<Term> {
        let terms = self.terms;
        let Node::Test(test, a, b) = terms.node(test) else {
            return Vec::new();
        };
        match test {
            Test::SignedLess | Test::SignedLessEqual => vec![
                terms.test(Test::SignedLessEqual, a, b),
                terms.test(Test::SignedLessEqual, b, a),
            ],
            Test::UnsignedLess | Test::UnsignedLessEqual => vec![
                terms.test(Test::UnsignedLessEqual, a, b),
                terms.test(Test::UnsignedLessEqual, b, a),
            ],
            _ => Vec::new(),
        }
    }

    /// Whether a value is always one of some numbers, or what it was; enters them into `found`,
    /// with the conditions under which it is.
    fn numbers_of(
        &self,
        value: Term,
        before: Term,
        known: &[Term],
        found: &mut Vec<(u128, Vec<Term>)>,
    ) -> bool {
        let terms = self.terms;
        if let Some(number) = terms.as_constant(value) {
            found.push((number, known.to_vec()));
            return found.len() <= MOST_REASONS;
        }
        match terms.node(value) {
            Node::Choose(c, a, b) => {
                let with = |condition: Term| [known, &[condition]].concat();
                self.numbers_of(a, before, &with(c), found)
                    && self.numbers_of(b, before, &with(terms.not(c)), found)
            }
            Node::ZeroExtend(narrow) if terms.width(narrow) > 1 => {
                self.numbers_of(narrow, before, known, found)
            }
            _ => value == before,
        }
    }

    /// Of two variables to which each iteration adds numbers in proportion: that what they have
    /// gained is in that proportion.
    fn proportions(&self, lasso: &Lasso) -> Vec<Term> {
        let growing = self.growing(lasso);
        let mut found = Vec::new();
        for (n, (one, first, by)) in growing.iter().enumerate() {
            for (other, second, with) in &growing[n + 1..] {
                let Some(at) = by.iter().position(|&number| number != 0) else {
                    continue;
                };
                let (a, b) = (by[at], with[at]);
                let pairs = by.iter().zip(with);
                if pairs
                    .into_iter()
                    .all(|(&x, &y)| x.checked_mul(b) == a.checked_mul(y))
                {
                    found.push(self.proportion((*one, *first, a), (*other, *second, b)));
                }
            }
        }
        found.extend(self.sums(&growing));
        found
    }

    /// The variables to which each iteration adds numbers, with what they are on entry, and these
    /// numbers: for each path, and each way to decide what updates depend on.
    fn growing(&self, lasso: &Lasso) -> Vec<(Term, Term, Vec<i128>)> {
        let terms = self.terms;
        let benign = self.benign(lasso);
        let mut updates = Vec::new();
        for iteration in &benign.iterations {
            let first = iteration.updates.iter().take(RELATED).copied();
            let first: Vec<Term> = first.collect();
            let mut tests = BTreeSet::new();
            first.iter().for_each(|&one| self.choices(one, &mut tests));
            let tests: Vec<Term> = match tests.len() <= MOST_CHOICES {
                true => tests.into_iter().collect(),
                false => Vec::new(),
            };
            for way in 0..1u32 << tests.len() {
                let taken = |test: Term| {
                    let at = tests.iter().position(|&one| one == test)?;
                    Some(way >> at & 1 == 1)
                };
                let of = first.iter().map(|&one| self.chosen(one, &taken));
                updates.push(of.collect::<Vec<_>>());
            }
        }
        let mut growing = Vec::new();
        for (at, variable) in lasso.variables.iter().enumerate().take(RELATED) {
            let now = terms.variable(variable.symbol);
            let added = updates.iter().map(|updates| {
                let added = terms.expanded(terms.subtract(updates[at], now));
                let width = terms.width(now);
                let added = terms.as_constant(added).filter(|_| width > 7)?;
                Some(((added << (128 - width)) as i128) >> (128 - width))
            });
            let added: Option<Vec<i128>> = added.collect();
            if let Some(added) = added.filter(|added| added.iter().any(|&number| number != 0)) {
                growing.push((now, lasso.stem.entry[at], added));
            }
        }
        growing
    }

    /// Enters what decides which one of several terms a term is.
    fn choices(&self, term: Term, found: &mut BTreeSet<Term>) {
        if let Node::Choose(test, a, b) = self.terms.node(term)
            && found.len() <= MOST_CHOICES
            && found.insert(test)
        {
            self.choices(a, found);
            self.choices(b, found);
        }
    }

    /// The term that a term is, where this is decided.
    fn chosen(&self, mut term: Term, taken: &dyn Fn(Term) -> Option<bool>) -> Term {
        while let Node::Choose(test, a, b) = self.terms.node(term)
            && let Some(is_taken) = taken(test)
        {
            term = if is_taken { a } else { b };
        }
        term
    }

    /// Of variables to which each iteration adds numbers, of which one is the sum of the others:
    /// that what they have gained is so, too. Where one path counts one of two variables up and one
    /// the other, this is how a third counts both.
    fn sums(&self, growing: &[(Term, Term, Vec<i128>)]) -> Vec<Term> {
        let terms = self.terms;
        let gained = |&(now, first, _): &(Term, Term, _)| {
            terms.subtract(terms.resize_signed(now, 64), terms.resize_signed(first, 64))
        };
        let mut found = Vec::new();
        for (n, one) in growing.iter().enumerate() {
            for other in &growing[n + 1..] {
                let sum = one.2.iter().zip(&other.2).map(|(a, b)| a.checked_add(*b));
                let Some(sum) = sum.collect::<Option<Vec<i128>>>() else {
                    continue;
                };
                let is_sum = |third: &&(Term, Term, Vec<i128>)| {
                    third.2 == sum && third.2 != one.2 && third.2 != other.2
                };
                let thirds = growing.iter().filter(is_sum);
                let several = [one, other].iter().all(|of| of.2.contains(&0));
                found.extend(thirds.filter(|_| several).map(|third| {
                    let both = terms.add(gained(one), gained(other));
                    terms.equal(gained(third), both)
                }));
            }
        }
        found.truncate(MOST_SUMS);
        found
    }

    /// Of two numbers that are compared for equality, where each iteration changes their difference
    /// by a multiple of a power of two: that it is a multiple of it.
    fn multiples(&self, lasso: &Lasso) -> Vec<Term> {
        let terms = self.terms;
        let benign = self.benign(lasso);
        let declared: FxHashSet<Symbol> = lasso.variables.iter().map(|one| one.symbol).collect();
        let guards = lasso.iterations.iter().flat_map(|one| &one.guard);
        let guards: Vec<Term> = guards.map(|condition| condition.term).collect();
        let mut found = Vec::new();
        for test in terms.below(&guards) {
            let Node::Test(Test::Equal, a, b) = terms.node(test) else {
                continue;
            };
            let below = terms.symbols_in(&[test]);
            if terms.width(a) < 8 || !below.iter().all(|symbol| declared.contains(symbol)) {
                continue;
            }
            let difference = terms.subtract(a, b);
            let zeros = benign.iterations.iter().map(|iteration| {
                let variables = lasso.variables.iter().map(|variable| variable.symbol);
                let map = variables.zip(iteration.updates.iter().copied()).collect();
                let after = terms.substitute(&[difference], &map)[0];
                let change = terms.expanded(terms.subtract(after, difference));
                terms.as_constant(change).map_or(0, u128::trailing_zeros)
            });
            let bits = zeros.min().unwrap_or(0).min(MOST_ZEROS) as u8;
            if bits > 0 {
                let zero = terms.constant(0, bits);
                found.push(terms.equal(terms.extract(difference, 0, bits), zero));
            }
        }
        found
    }

    /// That `b` times what the first has gained is `a` times what the second has. Products with
    /// negative numbers are large once they are divided into bits.
    fn proportion(&self, (x, x0, a): (Term, Term, i128), (y, y0, b): (Term, Term, i128)) -> Term {
        let terms = self.terms;
        let times = |now: Term, first: Term, factor: u128| {
            let gained =
                terms.subtract(terms.resize_signed(now, 64), terms.resize_signed(first, 64));
            terms.multiply(gained, terms.constant(factor, 64))
        };
        let one = times(x, x0, b.unsigned_abs());
        let other = times(y, y0, a.unsigned_abs());
        match (a < 0) == (b < 0) {
            true => terms.equal(one, other),
            false => terms.equal(terms.add(one, other), terms.constant(0, 64)),
        }
    }

    /// Comparisons of what changes with what it was on entry, and the variables that these
    /// name.
    fn suggested(&self, shape: &Shape) -> (Vec<Term>, Vec<Symbol>) {
        let terms = self.terms;
        let (mut suggested, mut frozen) = (Vec::new(), Vec::new());
        for (variable, &first) in shape.variables.iter().zip(&shape.entry) {
            let below = terms.symbols_in(&[first]);
            if below.len() > 3 {
                continue;
            }
            let now = terms.variable(variable.symbol);
            for test in [Test::SignedLessEqual, Test::UnsignedLessEqual] {
                suggested.push(terms.test(test, now, first));
                suggested.push(terms.test(test, first, now));
            }
            frozen.extend(below);
        }
        (suggested, frozen)
    }

    fn lasso_of(&mut self, shape: Shape, paths: &[LoopPath], line: &Line) -> Lasso {
        let terms = self.terms;
        let context: Vec<Term> = self.context.concat();
        let condition = |term: Term| Condition {
            term,
            line: line.clone(),
        };
        let declared: FxHashSet<Symbol> = shape.variables.iter().map(|v| v.symbol).collect();
        let near = |condition: &Term| {
            let below = terms.symbols_in(&[*condition]);
            below.iter().any(|symbol| declared.contains(symbol))
        };
        let mut known: Vec<Term> = context.iter().copied().filter(near).collect();
        known.extend(
            declared
                .iter()
                .flat_map(|symbol| self.axioms.get(symbol))
                .flatten(),
        );
        let mut stem = Stem {
            entry: shape.entry,
            ..Stem::default()
        };
        let mut axioms = Vec::new();
        let all: Vec<Term> = context.iter().chain(&stem.entry).copied().collect();
        for symbol in terms.symbols_in(&all) {
            axioms.extend(self.axioms.get(&symbol).into_iter().flatten().copied());
        }
        let conditions: Vec<Term> = context.iter().copied().chain(axioms).collect();
        let below: Vec<Term> = conditions.iter().chain(&stem.entry).copied().collect();
        let inputs = terms.symbols_in(&below).into_iter();
        stem.inputs = inputs.map(|symbol| input(symbol, line)).collect();
        if let Answer::Satisfiable(model) = Solver::new(terms).check(&conditions, QUESTION) {
            stem.example = model;
        }
        stem.conditions = conditions.into_iter().map(condition).collect();
        let mut iterations = Vec::new();
        for (path, updates) in paths.iter().zip(shape.next) {
            let guard: Vec<Term> = path.taken.iter().chain(&known).copied().collect();
            let below: Vec<Term> = guard.iter().chain(&updates).copied().collect();
            let inputs = terms.symbols_in(&below).into_iter();
            let inputs = inputs.filter(|symbol| !declared.contains(symbol));
            iterations.push(Iteration {
                inputs: inputs.map(|symbol| input(symbol, line)).collect(),
                guard: guard.into_iter().map(condition).collect(),
                updates,
                hazards: Vec::new(),
                lines: Vec::new(),
            });
        }
        let lasso = Lasso {
            header: line.clone(),
            variables: shape.variables,
            stem,
            iterations,
        };
        debug_assert_eq!(lasso.check(terms), Ok(()));
        lasso
    }

    /// A lasso in which what is undefined gives what the machine computes.
    pub(super) fn benign(&self, lasso: &Lasso) -> Lasso {
        let mut benign = lasso.clone();
        let put = |term: Term| {
            let mut term = term;
            // What a variable stands for may depend on others.
            for _ in 0..8 {
                let next = self.terms.substitute(&[term], &self.undefined)[0];
                if next == term {
                    break;
                }
                term = next;
            }
            term
        };
        for iteration in &mut benign.iterations {
            iteration
                .guard
                .iter_mut()
                .for_each(|condition| condition.term = put(condition.term));
            iteration
                .updates
                .iter_mut()
                .for_each(|update| *update = put(*update));
        }
        benign
    }
}

/// The state of a lasso.
#[derive(Default)]
struct Shape {
    variables: Vec<Variable>,
    entry: Vec<Term>,
    /// For each path around the loop.
    next: Vec<Vec<Term>>,
}

impl Shape {
    fn add(&mut self, symbol: Symbol, part: Part, first: Term, next: impl Iterator<Item = Term>) {
        self.variables.push(Variable {
            symbol,
            name: String::new(),
            reading: None,
            place: match part {
                Part::Slot(_) => Place::Local,
                Part::Cell(..) | Part::Spot(..) | Part::Freed(_) | Part::Turned(_) => Place::Memory,
            },
        });
        self.entry.push(first);
        for (values, value) in self.next.iter_mut().zip(next) {
            values.push(value);
        }
    }
}

/// The variables that decide whether another iteration is taken, now or later, or that other
/// conditions name.
fn needed(
    relation: &Relation,
    paths: &[LoopPath],
    conditions: &[Term],
    terms: &impasse_solver::Terms,
) -> FxHashSet<Symbol> {
    let mut needed: FxHashSet<Symbol> = terms.symbols_in(conditions).into_iter().collect();
    let mut open: Vec<Symbol> = needed.iter().copied().collect();
    while let Some(symbol) = open.pop() {
        let mut variables = relation.variables.iter();
        let Some(at) = variables.position(|variable| variable.symbol == symbol) else {
            continue;
        };
        let after: Vec<Term> = paths.iter().map(|path| path.next[at]).collect();
        for below in terms.symbols_in(&after) {
            if needed.insert(below) {
                open.push(below);
            }
        }
    }
    needed
}

fn input(symbol: Symbol, line: &Line) -> Input {
    Input {
        symbol,
        name: String::new(),
        reading: None,
        line: line.clone(),
    }
}
