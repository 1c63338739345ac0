//! Abstract states: values as terms, memory cell by cell, and the condition under which the state
//! is reached.

use super::direction::Frontier;
use super::shape::Shape;
use impasse_program::instruction::Slot;
use impasse_solver::{Binary, Node, Term, Terms};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A memory object of the abstract state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Object {
    /// A global variable or constant, by its index in the program.
    Global(u32),
    /// A function, by its index in the program.
    Function(u32),
    /// An object that an allocation made, by the order in which they are made.
    Made(u32),
    /// All objects that earlier iterations made at an allocation site.
    Summary(u32),
}

/// A set of objects, by its place in a list of such sets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Targets(pub u32);

/// The provenance of a value: which object its address was computed from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// None that is known; for numbers as for pointers from anywhere.
    Unknown,
    /// The value is the start of this object plus a number, or null plus that number where the
    /// object was not made.
    Object(Object),
    /// The value is null, or a fixed number of bytes after the start of one of these objects.
    OneOf(Targets),
}

/// A value. Its term has the bits that it has on the machine, addresses included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Val {
    /// Its bits, as wide as its type.
    pub term: Term,
    /// Its provenance.
    pub base: Base,
    /// When it comes from an operation that is undefined, if it may: then its bits are anything
    /// already, and so is whatever is computed from it.
    pub poison: Option<Term>,
    /// When it is an address computed past an end of the address space, if it may be: its bits are
    /// exact, so that accesses find its object, but whatever else is computed from it is anything.
    pub wrapped: Option<Term>,
}

impl Val {
    /// A value without provenance.
    pub fn of(term: Term) -> Val {
        Val::at(term, Base::Unknown)
    }

    /// A value with a provenance.
    pub fn at(term: Term, base: Base) -> Val {
        Val {
            term,
            base,
            poison: None,
            wrapped: None,
        }
    }

    /// When it comes from an operation that is undefined, if it may.
    pub fn undefined(self, terms: &Terms) -> Option<Term> {
        match (self.poison, self.wrapped) {
            (Some(a), Some(b)) => Some(terms.or(a, b)),
            (one, other) => one.or(other),
        }
    }
}

/// Where a cell lies.
pub(super) type Place = (Object, u32);

/// What is known of a cell: its size in bytes, and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CellValue {
    pub bytes: u8,
    pub value: Val,
}

/// A value at an offset that is not a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    pub object: Object,
    /// The offset, 64 bits wide.
    pub offset: Term,
    pub bytes: u8,
    pub value: Val,
}

impl Spot {
    /// Whether it is where another one is.
    fn is_at(&self, other: &Spot) -> bool {
        let place = |spot: &Spot| (spot.object, spot.offset, spot.bytes);
        place(self) == place(other)
    }
}

/// Values by the address and the number of bytes.
pub(super) type Looks = BTreeMap<(Term, u32), Val>;

/// Memory: the cells of which something is known. Where there is none, an object holds what it was
/// made with, unless it is blurred: then it may hold anything.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Memory {
    pub cells: BTreeMap<Place, CellValue>,
    /// What was written last at offsets that are not numbers, in objects that are blurred.
    pub spots: Vec<Spot>,
    pub blurred: BTreeSet<Object>,
    /// The objects that were made and may exist.
    pub made: BTreeSet<Object>,
    /// Objects that may have been freed, or whose scope may have ended, and when they have.
    pub gone: BTreeMap<Object, Term>,
    /// How far the objects of summaries were freed, or turned round.
    pub frontiers: BTreeMap<u32, Frontier>,
    /// Allocation sites whose summaries were written to.
    pub stirred: BTreeSet<u32>,
    /// What was read at places that are not known since the last write: it is read again the same.
    pub looks: Looks,
    /// What can be reached from where along links.
    pub shape: Shape,
    /// Which write was the last one.
    pub written: Rc<()>,
}

impl Memory {
    /// The cells that a range of bytes touches.
    pub fn touched(&self, object: Object, offset: u32, bytes: u32) -> Vec<(u32, CellValue)> {
        let from = offset.saturating_sub(15);
        let range = (object, from)..(object, offset.saturating_add(bytes));
        let cells = self.cells.range(range);
        let touched = cells.filter(|((_, at), cell)| at + u32::from(cell.bytes) > offset);
        touched.map(|(&(_, at), &cell)| (at, cell)).collect()
    }

    /// The cells of an object.
    pub fn of_object(&self, object: Object) -> impl Iterator<Item = (u32, CellValue)> + '_ {
        let cells = self.cells.range((object, 0)..=(object, u32::MAX));
        cells.map(|(&(_, at), &cell)| (at, cell))
    }

    /// When an object has been freed, or its scope has ended.
    pub fn gone(&self, terms: &Terms, object: Object) -> Term {
        let known = self.gone.get(&object).copied();
        known.unwrap_or_else(|| terms.boolean(false))
    }

    /// The spot of an object that was noted as so many others were before it.
    pub fn nth_spot(&self, object: Object, at: u32) -> Option<&Spot> {
        let mut spots = self.spots.iter().filter(|spot| spot.object == object);
        spots.nth(at as usize)
    }

    /// The spot at the same place as another one.
    pub fn spot(&self, like: &Spot) -> Option<&Spot> {
        self.spots.iter().find(|spot| spot.is_at(like))
    }

    /// The same.
    pub fn spot_mut(&mut self, like: &Spot) -> Option<&mut Spot> {
        self.spots.iter_mut().find(|spot| spot.is_at(like))
    }

    /// Notes that memory may have changed.
    pub fn forget_looks(&mut self) {
        self.looks.clear();
        self.written = Rc::default();
    }

    /// Whether nothing was written since the two were one.
    pub fn is_as_written(&self, other: &Memory) -> bool {
        Rc::ptr_eq(&self.written, &other.written)
    }

    /// A memory of which nothing but its last write is known.
    pub fn since_write_of(other: &Memory) -> Memory {
        Memory {
            written: other.written.clone(),
            ..Memory::default()
        }
    }

    /// Makes an object hold anything.
    pub fn blur(&mut self, object: Object) {
        self.forget_looks();
        self.cells.retain(|&(other, _), _| other != object);
        self.spots.retain(|spot| spot.object != object);
        self.blurred.insert(object);
    }
}

/// A state in a function.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// The slots of the innermost frame; none for what is undefined or dead.
    pub slots: Vec<Option<Val>>,
    pub memory: Memory,
    /// The conditions under which it is reached, since the start or the innermost loop header, all
    /// of them.
    pub path: Vec<Term>,
}

impl State {
    /// Adds a condition. Whether the state can still be reached.
    pub fn assume(&mut self, terms: &Terms, condition: Term) -> bool {
        if terms.is_true(condition) || self.path.contains(&condition) {
            return true;
        }
        let mut open = vec![condition];
        while let Some(one) = open.pop() {
            match terms.node(one) {
                Node::Binary(Binary::And, a, b) => open.extend([b, a]),
                _ if self.path.contains(&terms.not(one)) => return false,
                _ if !self.path.contains(&one) => self.path.push(one),
                _ => {}
            }
        }
        !terms.is_false(condition)
    }

    /// Adds a condition that the program has tested, and replaces the bits that it is the value of:
    /// where an allocation is known not to have failed, say, its address is not null or a start.
    pub fn learn(&mut self, terms: &Terms, condition: Term) -> bool {
        let is_possible = self.assume(terms, condition);
        let (mut bits, mut open) = (FxHashMap::default(), vec![condition]);
        while let Some(one) = open.pop() {
            match terms.node(one) {
                Node::Binary(Binary::And, a, b) => open.extend([a, b]),
                Node::Symbol(symbol) => {
                    bits.insert(symbol, terms.boolean(true));
                }
                Node::Not(a) => {
                    if let Node::Symbol(symbol) = terms.node(a) {
                        bits.insert(symbol, terms.boolean(false));
                    }
                }
                _ => {}
            }
        }
        if bits.is_empty() {
            return is_possible;
        }
        let put = |term: Term| terms.substitute(&[term], &bits)[0];
        let possible = |term: Term| Some(put(term)).filter(|&term| !terms.is_false(term));
        for value in self.values_mut() {
            value.term = put(value.term);
            value.poison = value.poison.and_then(possible);
            value.wrapped = value.wrapped.and_then(possible);
        }
        for gone in self.memory.gone.values_mut() {
            *gone = put(*gone);
        }
        is_possible
    }

    /// All values that it consists of.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Val> {
        let cells = self.memory.cells.values_mut().map(|cell| &mut cell.value);
        let spots = self.memory.spots.iter_mut().map(|spot| &mut spot.value);
        self.slots.iter_mut().flatten().chain(cells).chain(spots)
    }

    /// The value of a slot.
    pub fn slot(&self, slot: Slot) -> Option<Val> {
        self.slots[slot.0 as usize]
    }
}

/// The conditions that two states share, and for each one term for the rest.
pub(super) fn split(terms: &Terms, one: &[Term], other: &[Term]) -> (Vec<Term>, Term, Term) {
    let shared: Vec<Term> = one.iter().copied().filter(|a| other.contains(a)).collect();
    let rest = |path: &[Term]| {
        let rest = path.iter().copied().filter(|a| !shared.contains(a));
        terms.all(&rest.collect::<Vec<_>>())
    };
    let (one, other) = (rest(one), rest(other));
    (shared, one, other)
}
