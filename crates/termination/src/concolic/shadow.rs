//! Values on the side: what the values of an execution are made of.

use super::trace::Known;
use impasse_program::address::ObjectId;
use impasse_program::instruction::Slot;
use impasse_solver::{Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A part of the state in which an iteration starts, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CellId(pub u32);

/// Where a part of the state lives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CellPlace {
    /// A slot of the cutpoint's frame.
    Slot(Slot),
    /// A piece of memory: the object, the offset, and the size in bytes.
    Memory(ObjectId, u32, u8),
}

/// A part of the state in which an iteration starts that the iteration reads.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Where it lives.
    pub place: CellPlace,
    /// What it held.
    pub initial: Known,
    /// The variable for it, with its width in bits, once it has been used as a number.
    pub symbol: Option<(Symbol, u8)>,
}

/// What a value is made of.
#[derive(Clone, Debug)]
pub enum Shadow {
    /// It is the same in every execution of this path.
    Concrete,
    /// What a part of the state held at the start.
    Cell(CellId),
    /// A term; bits above its width are zero.
    Term(Term),
    /// Nothing that a term could say, made of these parts of the state.
    Opaque(Rc<BTreeSet<CellId>>),
}

/// A value with its shadow.
#[derive(Clone, Debug)]
pub struct Value {
    /// The concrete value.
    pub known: Known,
    /// What it is made of.
    pub shadow: Shadow,
}

impl Value {
    /// A value that is always the same.
    pub fn concrete(known: Known) -> Value {
        Value {
            known,
            shadow: Shadow::Concrete,
        }
    }

    /// A value that an instruction has computed. The trace has its concrete part, which it gets
    /// when it is assigned.
    pub fn computed(shadow: Shadow) -> Value {
        Value {
            known: Known::number(0),
            shadow,
        }
    }

    /// Whether it is always the same.
    pub fn is_concrete(&self) -> bool {
        matches!(self.shadow, Shadow::Concrete)
    }
}

/// What a byte of memory is made of.
#[derive(Clone, Copy, Debug)]
pub enum Byte {
    /// One byte of a value that was stored: which value, which of its bytes.
    Part(u32, u8),
    /// What the byte there held at the start.
    Initial(ObjectId, u32),
    /// The same in every execution of this path.
    Fixed,
}

/// The bytes of memory that are not as at the start, or that are made of something.
#[derive(Default)]
pub struct ShadowMemory {
    bytes: FxHashMap<(ObjectId, u32), Byte>,
    stored: Vec<(Value, u8)>,
}

impl ShadowMemory {
    /// A byte, if anything is known of it.
    pub fn byte(&self, object: ObjectId, offset: u32) -> Option<Byte> {
        self.bytes.get(&(object, offset)).copied()
    }

    /// All bytes of which anything is known, in no order.
    pub fn bytes(&self) -> impl Iterator<Item = ((ObjectId, u32), Byte)> + '_ {
        self.bytes.iter().map(|(&place, &byte)| (place, byte))
    }

    /// Sets a byte.
    pub fn set(&mut self, object: ObjectId, offset: u32, byte: Byte) {
        self.bytes.insert((object, offset), byte);
    }

    /// Forgets what is known of a byte.
    pub fn forget(&mut self, object: ObjectId, offset: u32) {
        self.bytes.remove(&(object, offset));
    }

    /// Stores a value that takes `bytes` bytes.
    pub fn store(&mut self, object: ObjectId, offset: u32, bytes: u8, value: Value) {
        let number = self.stored.len() as u32;
        self.stored.push((value, bytes));
        for index in 0..bytes {
            self.bytes.insert(
                (object, offset + u32::from(index)),
                Byte::Part(number, index),
            );
        }
    }

    /// The value that was stored with this number, and its size in bytes.
    pub fn stored(&self, number: u32) -> &(Value, u8) {
        &self.stored[number as usize]
    }
}
