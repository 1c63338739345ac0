//! States that stand for many: values as terms, memory cell by cell, and the condition under which the state is reached.

use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::Slot;
use impasse_solver::{Binary, Node, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Which object an address was computed from: an access through it that is defined stays in that object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// None that is known of; for numbers as for pointers from anywhere.
    Unknown,
    /// This one.
    Object(ObjectId),
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Val {
    /// What it is, as wide as its type.
    pub term: Term,
    /// The object it is an address in.
    pub base: Base,
}

impl Val {
    /// A value of which nothing else is known.
    pub fn of(term: Term) -> Val {
        Val {
            term,
            base: Base::Unknown,
        }
    }

    /// The object it is an address in.
    pub fn object(&self, terms: &Terms) -> Option<ObjectId> {
        match (self.base, terms.as_constant(self.term)) {
            (Base::Object(object), _) => Some(object),
            (Base::Unknown, Some(bits)) => {
                let object = Address::from_bits(bits as u64).object;
                matches!(
                    object.kind(),
                    ObjectKind::Global(_) | ObjectKind::Dynamic(_)
                )
                .then_some(object)
            }
            _ => None,
        }
    }
}

/// Where a cell lies.
pub(super) type Place = (ObjectId, u32);

/// What is known of a cell: its size in bytes, and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CellValue {
    pub bytes: u8,
    pub value: Val,
}

/// Memory: the cells of which something is known. Where there is none, an object holds what it was made with, unless it
/// is blurred: then it may hold anything.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Memory {
    pub cells: BTreeMap<Place, CellValue>,
    pub blurred: BTreeSet<ObjectId>,
    /// Whether every object that can be reached through some memory is blurred.
    pub all: bool,
    /// What was read at addresses that are not known since anything was last written: it is read again the same.
    pub looks: BTreeMap<(Term, u32), Val>,
}

impl Memory {
    /// Forgets the cells that a range of bytes touches.
    pub fn forget(&mut self, object: ObjectId, offset: u32, bytes: u32) {
        let from = offset.saturating_sub(15);
        let to = offset.saturating_add(bytes);
        let range = (object, from)..(object, to);
        let touched = |(&(_, at), cell): (&Place, &CellValue)| {
            (at + u32::from(cell.bytes) > offset).then_some(at)
        };
        let touched: Vec<u32> = self.cells.range(range).filter_map(touched).collect();
        for at in touched {
            self.cells.remove(&(object, at));
        }
    }

    /// Whether something is known of a part of a range of bytes.
    pub fn touches(&self, object: ObjectId, offset: u32, bytes: u32) -> bool {
        let from = offset.saturating_sub(15);
        let range = (object, from)..(object, offset.saturating_add(bytes));
        let mut cells = self.cells.range(range);
        cells.any(|(&(_, at), cell)| at + u32::from(cell.bytes) > offset)
    }

    /// Makes an object hold anything.
    pub fn blur(&mut self, object: ObjectId) {
        self.looks.clear();
        self.forget(object, 0, u32::MAX);
        self.blurred.insert(object);
    }
}

/// A state in a function.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The slots of the innermost frame; none for what is undefined or dead.
    pub slots: Vec<Option<Val>>,
    pub memory: Memory,
    /// The conditions under which it is reached, since the start or the last head of a loop, all of them.
    pub path: Vec<Term>,
}

impl State {
    /// Adds a condition. Whether the state can still be there.
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

    /// The value of a slot.
    pub fn slot(&self, slot: Slot) -> Option<Val> {
        self.slots[slot.0 as usize]
    }

    /// The condition under which it is reached.
    pub fn reached(&self, terms: &Terms) -> Term {
        terms.all(&self.path)
    }
}

/// The conditions that two states share, and for each one term for the rest.
pub(super) fn split(terms: &Terms, one: &[Term], other: &[Term]) -> (Vec<Term>, Term, Term) {
    let shared: Vec<Term> = one.iter().copied().filter(|a| other.contains(a)).collect();
    let rest = |path: &[Term]| {
        let rest: Vec<Term> = path
            .iter()
            .copied()
            .filter(|a| !shared.contains(a))
            .collect();
        terms.all(&rest)
    };
    let (one, other) = (rest(one), rest(other));
    (shared, one, other)
}
