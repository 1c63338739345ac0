//! Code executed on terms.
//!
//! The same code executes a move on nothing but the names of places, which gives the conditions and
//! the assignments of the move ([`Values::effect`]), and a whole trace from the start of the
//! program, which gives its conditions over the inputs ([`Values::follow`]). Conditions come in the
//! same order both times. What is not followed — large variables, elements at unknown positions,
//! calls of functions that do not communicate — is a new unknown. A run-time error ends the
//! program, so that what would be one (a division by zero, a range or an array left) is excluded by
//! a condition.

use super::blocks::{Block, Blocks, Step};

use crate::ir::{Op, Operand, Place, Program, Scalar, Type, VarId};
use crate::network::Global;
use crate::single::Move;
use crate::syntax::tree::{BinaryOp, UnaryOp};
use crate::terms::{TermId, Terms};
use crate::tree::{TaskId, Tree};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Variables of more numbers than this are not followed.
const MAX_SIZE: u32 = 32;
/// Terms larger than this are not followed.
const MAX_TERM: u32 = 60;

/// A number in a variable of a task.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Slot {
    pub(super) task: TaskId,
    pub(super) var: VarId,
    pub(super) offset: u32,
}

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Origin {
    /// What a place holds before a move.
    Slot(Slot),
    /// A number of a parameter of `main`.
    Parameter(usize, usize),
    /// The input of a task that so many came before.
    Input(TaskId, u32),
    /// Something that is not followed.
    Unknown,
}

/// A move and which path each of the moved tasks takes, by its number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Taken {
    /// The move; none for the first steps of `main`.
    pub(super) action: Option<Move>,
    /// Where everyone was before.
    pub(super) before: Global,
    /// The paths taken.
    pub(super) paths: Vec<(TaskId, usize)>,
}

impl Taken {
    /// What its effect depends on.
    fn key(&self) -> Key {
        let met = match &self.action {
            Some(Move::Rendezvous(_, tasks)) => tasks.as_slice(),
            _ => &[],
        };
        let states = met.iter().map(|task| self.before[task.index()]);
        let paths = self.paths.iter();
        let paths = paths.map(|(task, path)| (*task, self.before[task.index()], *path));
        (self.action.clone(), states.collect(), paths.collect())
    }
}

/// What the effect of a move depends on: the move, where those are who meet, and which tasks
/// continue, from where and how.
type Key = (Option<Move>, Vec<u16>, Vec<(TaskId, u16, usize)>);

/// A condition and its truth.
pub(super) type Condition = (TermId, bool);

/// What a move demands and what it assigns.
#[derive(Clone, Default, Debug)]
pub(super) struct Effect {
    pub(super) conditions: Vec<Condition>,
    pub(super) assigned: BTreeMap<Slot, TermId>,
}

/// A trace executed from the start.
pub(super) struct History {
    /// Before each move, and at the end, what places hold.
    pub(super) stores: Vec<Rc<BTreeMap<Slot, TermId>>>,
    /// The conditions of each move.
    pub(super) conditions: Vec<Vec<Condition>>,
}

impl History {
    /// All conditions, in order.
    pub(super) fn conditions(&self) -> impl Iterator<Item = Condition> {
        self.conditions.iter().flatten().copied()
    }
}

/// The store of terms and what its symbols stand for.
pub(super) struct Values<'a> {
    pub(super) program: &'a Program,
    pub(super) tree: &'a Tree,
    terms: Terms<u32>,
    origins: Vec<Origin>,
    types: Vec<Scalar>,
    known: FxHashMap<Origin, u32>,
    effects: FxHashMap<Key, Rc<Effect>>,
    /// The types of the numbers of each variable, by instance and variable; none if too large.
    layouts: FxHashMap<(TaskId, VarId), Option<Rc<Vec<Scalar>>>>,
}

/// What places hold while a move is executed.
pub(super) struct Store {
    pub(super) values: BTreeMap<Slot, TermId>,
    conditions: Vec<Condition>,
    /// How many inputs each task has asked for; none where that is not known.
    inputs: Option<FxHashMap<TaskId, u32>>,
}

impl<'a> Values<'a> {
    pub(super) fn new(program: &'a Program, tree: &'a Tree) -> Values<'a> {
        Values {
            program,
            tree,
            terms: Terms::default(),
            origins: Vec::new(),
            types: Vec::new(),
            known: FxHashMap::default(),
            effects: FxHashMap::default(),
            layouts: FxHashMap::default(),
        }
    }

    pub(super) fn terms(&self) -> &Terms<u32> {
        &self.terms
    }

    pub(super) fn terms_mut(&mut self) -> &mut Terms<u32> {
        &mut self.terms
    }

    /// The types of the symbols.
    pub(super) fn types(&self) -> &[Scalar] {
        &self.types
    }

    /// What the symbols stand for.
    pub(super) fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// The type of a place that is followed.
    pub(super) fn slot_type(&mut self, slot: Slot) -> Option<Scalar> {
        let layout = self.layout(slot.task, slot.var)?;
        layout.get(slot.offset as usize).copied()
    }

    /// The term for what a place holds before a move.
    pub(super) fn name(&mut self, slot: Slot, ty: Scalar) -> TermId {
        self.symbol(Origin::Slot(slot), ty)
    }

    /// The places that a term speaks of, and whether it speaks of nothing else.
    pub(super) fn slots(&self, term: TermId) -> (Vec<Slot>, bool) {
        let mut symbols = Vec::new();
        self.terms.symbols(term, &mut symbols);
        symbols.sort_unstable();
        symbols.dedup();
        let slot = |symbol: &u32| match self.origins[*symbol as usize] {
            Origin::Slot(slot) => Some(slot),
            _ => None,
        };
        let slots: Vec<Slot> = symbols.iter().filter_map(slot).collect();
        let only = slots.len() == symbols.len();
        (slots, only)
    }

    /// A condition on places after a move, as one on places before it.
    pub(super) fn after(&mut self, term: TermId, effect: &Effect) -> TermId {
        let origins = &self.origins;
        let replace = |symbol: u32| match origins[symbol as usize] {
            Origin::Slot(slot) => effect.assigned.get(&slot).copied(),
            _ => None,
        };
        match self.terms.substitute(term, &replace) {
            Some(result) if self.terms.size(result) <= 4 * MAX_TERM => result,
            _ => self.unknown(Scalar::Bool),
        }
    }

    pub(super) fn symbol(&mut self, origin: Origin, ty: Scalar) -> TermId {
        let fresh = self.origins.len() as u32;
        let symbol = match origin {
            Origin::Unknown => fresh,
            known => *self.known.entry(known).or_insert(fresh),
        };
        if symbol == fresh {
            self.origins.push(origin);
            self.types.push(ty);
        }
        self.terms.symbol(symbol)
    }

    fn unknown(&mut self, ty: Scalar) -> TermId {
        self.symbol(Origin::Unknown, ty)
    }

    pub(super) fn layout(&mut self, task: TaskId, var: VarId) -> Option<Rc<Vec<Scalar>>> {
        if let Some(known) = self.layouts.get(&(task, var)) {
            return known.clone();
        }
        let ty = &self.tree.task(task).function.vars[var.index()].ty;
        let layout = (self.program.size(ty) <= MAX_SIZE).then(|| {
            let mut types = Vec::new();
            self.program.scalars(ty, &mut types);
            Rc::new(types)
        });
        self.layouts.insert((task, var), layout.clone());
        layout
    }

    /// The conditions and assignments of a move.
    pub(super) fn effect(&mut self, blocks: &Blocks, taken: &Taken) -> Rc<Effect> {
        if let Some(effect) = self.effects.get(&taken.key()) {
            return effect.clone();
        }
        let mut store = Store {
            values: BTreeMap::new(),
            conditions: Vec::new(),
            inputs: None,
        };
        self.perform(blocks, taken, &mut store);
        let effect = Rc::new(Effect {
            conditions: store.conditions,
            assigned: store.values,
        });
        self.effects.insert(taken.key(), effect.clone());
        effect
    }

    /// Executes a trace from the start of the program.
    pub(super) fn follow(&mut self, blocks: &Blocks, trace: &[Taken]) -> History {
        let mut store = Store {
            values: BTreeMap::new(),
            conditions: Vec::new(),
            inputs: Some(FxHashMap::default()),
        };
        let mut history = History {
            stores: vec![Rc::new(BTreeMap::new())],
            conditions: Vec::new(),
        };
        for taken in trace {
            self.perform(blocks, taken, &mut store);
            history
                .conditions
                .push(std::mem::take(&mut store.conditions));
            history.stores.push(Rc::new(store.values.clone()));
        }
        history
    }

    pub(super) fn forget(&mut self, store: &mut Store, task: TaskId, var: VarId) {
        let Some(layout) = self.layout(task, var) else {
            return;
        };
        for (offset, ty) in layout.iter().enumerate() {
            let term = self.unknown(*ty);
            store.values.insert(
                Slot {
                    task,
                    var,
                    offset: offset as u32,
                },
                term,
            );
        }
    }

    pub(super) fn execute(&mut self, store: &mut Store, task: TaskId, block: &Block) {
        let tree = self.tree;
        let code = &tree.task(task).function.code;
        for step in block {
            match *step {
                Step::Decide(pc, truth) => {
                    let Op::If(condition, ..) = &code[pc].op else {
                        continue;
                    };
                    let (term, _) = self.operand(store, task, condition, crate::ir::INT);
                    store.conditions.push((term, truth));
                }
                Step::Execute(pc) => self.instruction(store, task, &code[pc].op),
            }
        }
    }

    fn instruction(&mut self, store: &mut Store, task: TaskId, op: &Op) {
        match op {
            Op::Move(place, operand, ty) => {
                let (term, from) = self.operand(store, task, operand, *ty);
                self.write(store, task, place, (term, from), *ty);
            }
            Op::Unary(place, op, a, ty, to) => {
                let (a, _) = self.operand(store, task, a, *ty);
                let term = self.terms.unary(*op, *ty, a);
                self.write(
                    store,
                    task,
                    place,
                    (term, computed(*op == UnaryOp::Not, *ty)),
                    *to,
                );
            }
            Op::Binary(place, op, a, b, ty, to) => {
                let (a, _) = self.operand(store, task, a, *ty);
                let (b, _) = self.operand(store, task, b, *ty);
                if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) {
                    store.conditions.push((b, true));
                }
                let term = match self.terms.binary(*op, *ty, a, b) {
                    Some(term) => term,
                    None => self.unknown(*ty),
                };
                self.write(
                    store,
                    task,
                    place,
                    (term, computed(op.compares(), *ty)),
                    *to,
                );
            }
            Op::Input(place, ty) => {
                let term = match &mut store.inputs {
                    Some(counts) => {
                        let count = counts.entry(task).or_default();
                        *count += 1;
                        let origin = Origin::Input(task, *count - 1);
                        self.symbol(origin, *ty)
                    }
                    None => self.unknown(*ty),
                };
                self.write(store, task, place, (term, *ty), *ty);
            }
            Op::Copy(to, from, size) => self.copy(store, (task, from), (task, to), *size),
            Op::Table(place, numbers) => {
                for (index, number) in numbers.iter().enumerate() {
                    let term = self.terms.number(*number);
                    let mut place = place.clone();
                    place.offset += index as u32;
                    self.assign(store, task, &place, term);
                }
            }
            Op::Par(calls, _) => {
                for call in calls {
                    self.forget_results(store, task, call);
                }
            }
            _ => {}
        }
    }

    /// Stores a number of a type into a place of another.
    fn write(
        &mut self,
        store: &mut Store,
        task: TaskId,
        place: &Place,
        (term, from): (TermId, Scalar),
        to: Scalar,
    ) {
        if let Scalar::Range { low, high } = to {
            for (bound, below) in [(low, true), (high, false)] {
                let bound = self.terms.number(bound);
                let (a, b) = if below { (term, bound) } else { (bound, term) };
                let test = self.wide(BinaryOp::Less, a, b);
                store.conditions.push((test, false));
            }
        }
        let term = self.convert(term, from, to);
        self.assign(store, task, place, term);
    }

    fn wide(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let ty = Scalar::Int {
            bits: 64,
            signed: true,
        };
        self.terms
            .binary(op, ty, a, b)
            .expect("a comparison has a value")
    }

    pub(super) fn convert(&mut self, term: TermId, from: Scalar, to: Scalar) -> TermId {
        if from == to || matches!(to, Scalar::Range { .. }) {
            term
        } else {
            self.terms.convert(to, term)
        }
    }

    pub(super) fn operand(
        &mut self,
        store: &mut Store,
        task: TaskId,
        operand: &Operand,
        ty: Scalar,
    ) -> (TermId, Scalar) {
        match operand {
            Operand::Const(value) => (self.terms.number(*value), wide_enough()),
            Operand::Place(place) => {
                let found = self.type_at(task, place).unwrap_or(ty);
                let term = match self.resolve(store, task, place) {
                    Some(slot) => self.value(store, slot, found),
                    None => self.unknown(found),
                };
                (term, found)
            }
        }
    }

    pub(super) fn size(&self, task: TaskId, var: VarId) -> u32 {
        let ty = &self.tree.task(task).function.vars[var.index()].ty;
        self.program.size(ty)
    }

    /// The type of a number at a place, whatever its indices.
    fn type_at(&self, task: TaskId, place: &Place) -> Option<Scalar> {
        let mut ty = &self.tree.task(task).function.vars[place.var.index()].ty;
        let mut offset = place.offset;
        loop {
            match ty {
                Type::Scalar(scalar) => return Some(*scalar),
                Type::Array(element, _) => {
                    offset %= self.program.size(element).max(1);
                    ty = element;
                }
                Type::Struct(id) => {
                    let fields = &self.program.structs[id.index()].fields;
                    let (_, field, first) =
                        fields.iter().rev().find(|(.., first)| *first <= offset)?;
                    offset -= first;
                    ty = field;
                }
                Type::Void | Type::Unknown => return None,
            }
        }
    }

    /// What a place holds.
    fn value(&mut self, store: &mut Store, slot: Slot, ty: Scalar) -> TermId {
        if let Some(term) = store.values.get(&slot) {
            return *term;
        }
        match store.inputs {
            None => self.symbol(Origin::Slot(slot), ty),
            Some(_) => self.unknown(ty),
        }
    }

    /// The number that a place is, if its indices are known and the variable is followed. Its
    /// indices are demanded to be within bounds.
    fn resolve(&mut self, store: &mut Store, task: TaskId, place: &Place) -> Option<Slot> {
        let mut offset = Some(place.offset);
        for index in &place.indices {
            let ty = self
                .type_at(task, &Place::whole(index.var))
                .unwrap_or(crate::ir::INT);
            let slot = Slot {
                task,
                var: index.var,
                offset: 0,
            };
            let term = self.value(store, slot, ty);
            let (zero, count) = (self.terms.number(0), self.terms.number(index.count as i64));
            let below = self.wide(BinaryOp::Less, term, zero);
            let within = self.wide(BinaryOp::Less, term, count);
            store.conditions.push((below, false));
            store.conditions.push((within, true));
            offset = match (offset, self.terms.constant(term)) {
                (Some(sum), Some(value)) if (0..index.count as i64).contains(&value) => {
                    Some(sum + value as u32 * index.stride)
                }
                _ => None,
            };
        }
        self.layout(task, place.var)?;
        Some(Slot {
            task,
            var: place.var,
            offset: offset?,
        })
    }

    pub(super) fn assign(&mut self, store: &mut Store, task: TaskId, place: &Place, term: TermId) {
        match self.resolve(store, task, place) {
            Some(slot) => {
                let term = match self.slot_type(slot) {
                    Some(ty) if self.terms.size(term) > MAX_TERM => self.unknown(ty),
                    _ => term,
                };
                store.values.insert(slot, term);
            }
            None => self.forget(store, task, place.var),
        }
    }

    /// Copies all numbers of one place to another of the same type.
    pub(super) fn copy(
        &mut self,
        store: &mut Store,
        from: (TaskId, &Place),
        to: (TaskId, &Place),
        size: u32,
    ) {
        let source = self.resolve(store, from.0, from.1);
        let Some(target) = self.resolve(store, to.0, to.1) else {
            return self.forget(store, to.0, to.1.var);
        };
        for offset in 0..size {
            let to = Slot {
                offset: target.offset + offset,
                ..target
            };
            let Some(ty) = self.slot_type(to) else {
                continue;
            };
            let term = match source {
                Some(first) => {
                    let from = Slot {
                        offset: first.offset + offset,
                        ..first
                    };
                    self.value(store, from, ty)
                }
                None => self.unknown(ty),
            };
            store.values.insert(to, term);
        }
    }
}

/// The type of a constant: any that it fits in.
fn wide_enough() -> Scalar {
    Scalar::Int {
        bits: 64,
        signed: true,
    }
}

/// The type of a computed number.
fn computed(truth: bool, ty: Scalar) -> Scalar {
    if truth { Scalar::Bool } else { ty }
}
