//! What a task knows of its own data: constants, what was computed from what, and which tests
//! have been decided.
//!
//! A place that was assigned something unknown is a symbol; the symbol's name is the place. When a
//! place becomes unknown again, everything said about the old symbol is dropped first, so that a
//! term never speaks of two values of one place. A test is a term; when the same term is tested
//! again, nothing in it has been written since, and the branch is the same. Numbers compared with
//! one term are kept in order as well, so that `n > 5` decides `n > 3`.
//!
//! What others do to a task's data is limited to its channels and to what it passes to its children
//! by reference; both become unknown when they may have changed.

use crate::automaton::Values;
use crate::instance::successors;
use crate::ir::{Arg, Instr, Mode, Op, Operand, Pc, Place, Program, Scalar, Type, VarId};
use crate::specialise::clobbered;
use crate::syntax::tree::BinaryOp;
use crate::terms::{Term, TermId, Terms};
use crate::tree::{Task, TaskId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A number in a variable.
pub type Slot = (VarId, u32);

/// Variables of more numbers than this are not looked into.
const MAX_SIZE: u32 = 16;
/// Terms larger than this are taken for unknown.
const MAX_TERM: u32 = 24;

/// What is known at a point.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Env {
    /// Places that are not symbols.
    values: BTreeMap<Slot, TermId>,
    /// Tests that have been decided.
    facts: BTreeMap<TermId, bool>,
}

/// Constants passed to a call, by instruction and position of the call.
pub type Arguments = BTreeMap<(Pc, usize), Vec<Option<i64>>>;

/// The knowledge of one task.
pub struct Knowledge<'a> {
    program: &'a Program,
    task: &'a Task,
    start: Vec<Option<i64>>,
    /// Places whose numbers are not followed.
    opaque: FxHashSet<Slot>,
    live: Vec<Vec<bool>>,
    inner: RefCell<Inner>,
}

#[derive(Default)]
struct Inner {
    terms: Terms<Slot>,
    numbers: FxHashMap<Slot, FxHashSet<i64>>,
    arguments: Arguments,
}

impl<'a> Knowledge<'a> {
    /// Returns the knowledge of a task at its start, given constant arguments and the places that
    /// are not tracked.
    pub fn new(
        program: &'a Program,
        tree: &'a Tree,
        id: TaskId,
        start: Vec<Option<i64>>,
        opaque: FxHashSet<Slot>,
    ) -> Self {
        let task = tree.task(id);
        Knowledge {
            program,
            task,
            start,
            opaque,
            live: liveness(task),
            inner: RefCell::default(),
        }
    }

    /// Returns the places with the most different numbers: those to stop tracking.
    pub fn busiest(&self) -> Vec<Slot> {
        let inner = self.inner.borrow();
        let followed = inner
            .numbers
            .iter()
            .filter(|(slot, numbers)| numbers.len() > 1 && !self.opaque.contains(*slot));
        let counts: Vec<(usize, Slot)> = followed
            .map(|(slot, numbers)| (numbers.len(), *slot))
            .collect();
        let most = counts.iter().map(|(count, _)| *count).max().unwrap_or(0);
        counts
            .into_iter()
            .filter(|(count, _)| count * 2 >= most)
            .map(|(_, slot)| slot)
            .collect()
    }

    /// Returns the constants that were passed to calls.
    pub fn arguments(&self) -> Arguments {
        self.inner.borrow().arguments.clone()
    }

    fn size(&self, var: VarId) -> u32 {
        self.program.size(&self.task.function.vars[var.index()].ty)
    }

    fn slot(&self, place: &Place) -> Option<Slot> {
        (place.indices.is_empty() && self.size(place.var) <= MAX_SIZE)
            .then_some((place.var, place.offset))
    }

    fn scalar(&self, (var, _): Slot) -> Option<Scalar> {
        match self.task.function.vars[var.index()].ty {
            Type::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    fn value(&self, env: &Env, slot: Slot, inner: &mut Inner) -> TermId {
        env.values
            .get(&slot)
            .copied()
            .unwrap_or_else(|| inner.terms.symbol(slot))
    }

    fn operand(&self, env: &Env, operand: &Operand, inner: &mut Inner) -> Option<TermId> {
        match operand {
            Operand::Const(value) => Some(inner.terms.number(*value)),
            Operand::Place(place) => self.slot(place).map(|slot| self.value(env, slot, inner)),
        }
    }

    /// Makes a place unknown, and everything that was said about its symbol.
    fn lose(&self, env: &mut Env, slot: Slot, inner: &Inner) {
        let mut work = vec![slot];
        while let Some(slot) = work.pop() {
            env.values.remove(&slot);
            let mentions = |term: TermId| {
                let mut symbols = Vec::new();
                inner.terms.symbols(term, &mut symbols);
                symbols.contains(&slot)
            };
            env.facts.retain(|term, _| !mentions(*term));
            let touched: Vec<Slot> = env
                .values
                .iter()
                .filter(|(_, term)| mentions(**term))
                .map(|(s, _)| *s)
                .collect();
            for other in touched {
                env.values.remove(&other);
                work.push(other);
            }
        }
    }

    fn lose_variable(&self, env: &mut Env, var: VarId, inner: &Inner) {
        if self.size(var) <= MAX_SIZE {
            (0..self.size(var)).for_each(|offset| self.lose(env, (var, offset), inner));
        }
    }

    fn assign(&self, env: &mut Env, slot: Slot, term: Option<TermId>, inner: &mut Inner) {
        let Some(term) = term.filter(|term| inner.terms.size(*term) <= MAX_TERM) else {
            return self.lose(env, slot, inner);
        };
        if let Some(value) = inner.terms.constant(term) {
            if self.opaque.contains(&slot) {
                return self.lose(env, slot, inner);
            }
            inner.numbers.entry(slot).or_default().insert(value);
        }
        let mut symbols = Vec::new();
        inner.terms.symbols(term, &mut symbols);
        if symbols.contains(&slot) {
            // The place's own old value is in the new one; it has no other name.
            if inner.terms.get(term) == Term::Symbol(slot) {
                env.values.remove(&slot);
            } else {
                self.lose(env, slot, inner);
            }
            return;
        }
        env.values.insert(slot, term);
    }

    fn computed(&self, env: &Env, op: &Op, inner: &mut Inner) -> Option<TermId> {
        match op {
            Op::Move(_, operand, store) => {
                let term = self.operand(env, operand, inner)?;
                let same = matches!(operand, Operand::Place(p) if self.slot(p).and_then(|s| self.scalar(s)) == Some(*store));
                Some(if same {
                    term
                } else {
                    inner.terms.convert(*store, term)
                })
            }
            Op::Unary(_, op, a, ty, store) => {
                let a = self.operand(env, a, inner)?;
                let term = inner.terms.unary(*op, *ty, a);
                Some(inner.terms.convert(*store, term))
            }
            Op::Binary(_, op, a, b, ty, store) => {
                let (a, b) = (self.operand(env, a, inner)?, self.operand(env, b, inner)?);
                let term = inner.terms.binary(*op, *ty, a, b)?;
                Some(inner.terms.convert(*store, term))
            }
            _ => None,
        }
    }

    fn pass(&self, env: &Env, pc: Pc, op: &Op, inner: &mut Inner) {
        let Op::Par(calls, _) = op else { return };
        for (position, call) in calls.iter().enumerate() {
            let mut values = Vec::new();
            for arg in &call.args {
                values.push(match arg {
                    Arg::Scalar(operand) => self
                        .operand(env, operand, inner)
                        .and_then(|t| inner.terms.constant(t)),
                    _ => None,
                });
            }
            match inner.arguments.get_mut(&(pc, position)) {
                None => drop(inner.arguments.insert((pc, position), values)),
                Some(known) => known
                    .iter_mut()
                    .zip(values)
                    .for_each(|(a, b)| *a = a.filter(|a| Some(*a) == b)),
            }
        }
    }

    /// The truth of a test that follows from other tests of the same term with other numbers.
    fn implied(&self, env: &Env, test: TermId, terms: &Terms<Slot>) -> Option<bool> {
        let (term, ty, ask) = bound(terms, test, true)?;
        let (mut low, mut high) = match ty.shape() {
            (64, _) => (i64::MIN, i64::MAX),
            (bits, true) => (-1i64 << (bits - 1), (1i64 << (bits - 1)) - 1),
            (bits, false) => (0, (1i64 << bits) - 1),
        };
        for (fact, truth) in &env.facts {
            if let Some((other, other_ty, bounds)) = bound(terms, *fact, *truth)
                && other == term
                && other_ty == ty
            {
                low = low.max(bounds.0);
                high = high.min(bounds.1);
            }
        }
        if ask.0 <= low && high <= ask.1 {
            return Some(true);
        }
        (high < ask.0 || ask.1 < low).then_some(false)
    }
}

/// A comparison of a term with a number as the range that it allows, if its truth makes it one.
fn bound(terms: &Terms<Slot>, test: TermId, truth: bool) -> Option<(TermId, Scalar, (i64, i64))> {
    let Term::Binary(op, ty, a, b) = terms.get(test) else {
        return None;
    };
    if ty.shape() == (64, false) {
        return None;
    }
    let (least, most) = (i64::MIN, i64::MAX);
    let number = |id| terms.constant(id).map(|value| ty.wrap(value));
    match (op, number(a), number(b), truth) {
        (BinaryOp::Less, None, Some(n), true) => Some((a, ty, (least, n.checked_sub(1)?))),
        (BinaryOp::Less, None, Some(n), false) => Some((a, ty, (n, most))),
        (BinaryOp::Less, Some(n), None, true) => Some((b, ty, (n.checked_add(1)?, most))),
        (BinaryOp::Less, Some(n), None, false) => Some((b, ty, (least, n))),
        (BinaryOp::Equal, None, Some(n), true) => Some((a, ty, (n, n))),
        (BinaryOp::Equal, Some(n), None, true) => Some((b, ty, (n, n))),
        _ => None,
    }
}

impl Values for Knowledge<'_> {
    type Env = Env;

    fn start(&self) -> Env {
        let mut env = Env::default();
        let inner = &mut *self.inner.borrow_mut();
        let mut types = Vec::new();
        for (index, var) in self.task.function.vars.iter().enumerate() {
            let id = VarId(index as u32);
            if self.size(id) > MAX_SIZE {
                continue;
            }
            match self.task.function.params.get(index) {
                Some(Mode::Value) => {
                    let known = self.start.get(index).copied().flatten();
                    if let Some(value) = known {
                        let term = inner.terms.number(value);
                        self.assign(&mut env, (id, 0), Some(term), inner);
                    }
                }
                Some(_) => {}
                None => {
                    types.clear();
                    self.program.scalars(&var.ty, &mut types);
                    for (offset, ty) in types.iter().enumerate() {
                        let term = inner.terms.number(ty.default_value());
                        self.assign(&mut env, (id, offset as u32), Some(term), inner);
                    }
                }
            }
        }
        env
    }

    fn execute(&self, env: &mut Env, pc: Pc, instr: &Instr) {
        let inner = &mut *self.inner.borrow_mut();
        self.pass(env, pc, &instr.op, inner);
        for var in clobbered(&instr.op) {
            self.lose_variable(env, var, inner);
        }
        let Some(target) = instr.op.target() else {
            return;
        };
        let Some(slot) = self.slot(target) else {
            return self.lose_variable(env, target.var, inner);
        };
        match &instr.op {
            Op::Table(_, values) => {
                for (offset, value) in values.iter().enumerate() {
                    let term = inner.terms.number(*value);
                    self.assign(env, (slot.0, slot.1 + offset as u32), Some(term), inner);
                }
            }
            Op::Copy(_, from, size) => {
                let from = self.slot(from);
                for offset in 0..*size {
                    let term =
                        from.map(|(var, first)| self.value(env, (var, first + offset), inner));
                    self.assign(env, (slot.0, slot.1 + offset), term, inner);
                }
            }
            op => {
                let term = self.computed(env, op, inner);
                self.assign(env, slot, term, inner);
            }
        }
    }

    fn decide(&self, env: &mut Env, _: Pc, condition: &Operand, truth: bool) -> bool {
        let inner = &mut *self.inner.borrow_mut();
        let Some(term) = self.operand(env, condition, inner) else {
            return true;
        };
        if let Some(value) = inner.terms.constant(term) {
            return (value != 0) == truth;
        }
        let (test, negated) = inner.terms.strip(term);
        let truth = truth != negated;
        if let Some(known) = env
            .facts
            .get(&test)
            .copied()
            .or_else(|| self.implied(env, test, &inner.terms))
        {
            return known == truth;
        }
        // A narrower range says all that a wider one of the same term did.
        if let Some((term, ty, range)) = bound(&inner.terms, test, truth) {
            env.facts
                .retain(|fact, truth| match bound(&inner.terms, *fact, *truth) {
                    Some((t, other, wide)) => {
                        t != term || other != ty || wide.0 > range.0 || wide.1 < range.1
                    }
                    None => true,
                });
        }
        env.facts.insert(test, truth);
        true
    }

    fn forget(&self, env: &mut Env, pc: Pc) {
        let Some(live) = self.live.get(pc) else {
            return *env = Env::default();
        };
        if env.values.is_empty() && env.facts.is_empty() {
            return;
        }
        env.values.retain(|(var, _), _| live[var.index()]);
        if env.facts.is_empty() {
            return;
        }
        let inner = self.inner.borrow();
        let mut kept: Vec<Slot> = Vec::new();
        env.values
            .values()
            .for_each(|term| inner.terms.symbols(*term, &mut kept));
        env.facts.retain(|term, _| {
            let mut symbols = Vec::new();
            inner.terms.symbols(*term, &mut symbols);
            symbols
                .iter()
                .all(|s| kept.contains(s) || (live[s.0.index()] && !env.values.contains_key(s)))
        });
    }
}

/// For each instruction, the variables that may be read before they are wholly overwritten.
pub(crate) fn liveness(task: &Task) -> Vec<Vec<bool>> {
    let function = &task.function;
    let (count, vars) = (function.code.len(), function.vars.len());
    let outward = |var: usize| {
        matches!(
            function.params.get(var),
            Some(Mode::Reference | Mode::Writer)
        )
    };
    let at_end: Vec<bool> = (0..vars)
        .map(|var| outward(var) || function.result == Some(VarId(var as u32)))
        .collect();
    let mut live = vec![vec![false; vars]; count + 1];
    live[count] = at_end.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for pc in (0..count).rev() {
            let op = &function.code[pc].op;
            let mut now = vec![false; vars];
            for next in successors(function, pc) {
                now.iter_mut().zip(&live[next]).for_each(|(a, b)| *a |= b);
            }
            if matches!(op, Op::Return | Op::Throw(_)) {
                now.clone_from(&at_end);
            }
            if let Some(place) = op.target()
                && matches!(function.vars[place.var.index()].ty, Type::Scalar(_))
            {
                now[place.var.index()] = false;
            }
            reads(op, &mut |var| now[var.index()] = true);
            if now != live[pc] {
                live[pc] = now;
                changed = true;
            }
        }
    }
    live
}

fn reads(op: &Op, mark: &mut impl FnMut(VarId)) {
    let place = |place: &Place, mark: &mut dyn FnMut(VarId)| {
        mark(place.var);
        place.indices.iter().for_each(|index| mark(index.var));
    };
    let mut operand = |operand: &Operand| {
        if let Operand::Place(p) = operand {
            place(p, mark);
        }
    };
    match op {
        Op::Move(_, a, _) | Op::Unary(_, _, a, ..) | Op::If(a, ..) => operand(a),
        Op::Binary(_, _, a, b, ..) => {
            operand(a);
            operand(b);
        }
        Op::Copy(_, from, _) => place(from, mark),
        Op::Send(var) | Op::Receive(var) => mark(*var),
        Op::Par(calls, _) => {
            for arg in calls.iter().flat_map(|call| &call.args) {
                match arg {
                    Arg::Scalar(a) => {
                        if let Operand::Place(p) = a {
                            place(p, mark);
                        }
                    }
                    Arg::Aggregate(p) | Arg::Reference(p) => place(p, mark),
                    Arg::Channel(var) => mark(*var),
                }
            }
        }
        _ => {}
    }
    if let Some(target) = op.target() {
        target.indices.iter().for_each(|index| mark(index.var));
    }
}
