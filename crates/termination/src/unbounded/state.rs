//! The state of a path: what its slots and its memory hold, and what is known of the numbers.

use crate::affine::Affine;
use impasse_program::address::{Address, ObjectKind};
use impasse_program::instruction::{Operand, Place, Slot};
use impasse_program::link::{Function, FunctionId};
use impasse_program::word::Word;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// An object whose address is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Object {
    /// A global variable.
    Global(u32),
    /// What an instruction of a frame allocated, by the frame's depth and the position.
    Local(u32, u32),
    /// What `malloc` gave at a call, by function and position.
    Heap(FunctionId, u32),
}

/// A part of memory: an object, an offset, and how many bytes.
pub(super) type Part = (Object, i64, u32);

/// What a slot or a part of memory holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// Anything.
    Any,
    /// A constant, of which it is not known yet whether it has a sign.
    Bits(u64),
    /// An integer.
    Number(Affine),
    /// An address.
    Address(Object, i64),
}

/// A function that is executed.
#[derive(Clone)]
pub(super) struct Frame<'s> {
    pub id: FunctionId,
    pub function: &'s Function,
    /// The next instruction; in frames below the last one, the call.
    pub at: u32,
    pub slots: Vec<Value>,
}

/// A path from a location.
#[derive(Clone)]
pub(super) struct Path<'s> {
    pub frames: Vec<Frame<'s>>,
    pub memory: BTreeMap<Part, Value>,
    /// The objects of the frames, and their sizes.
    pub objects: BTreeMap<Object, u64>,
    /// Whether the globals hold what they were initialised with, where memory has no part of them.
    pub is_initial: bool,
    /// What the arguments were of the function that was called first, if bounds of its result are
    /// assumed.
    pub entry: Vec<Value>,
    /// Expressions that are at most zero.
    pub known: Vec<Affine>,
    /// Unknowns that are products, with their factors.
    pub products: Vec<(usize, Affine, Affine)>,
    /// Whether products are noted there, instead of what their signs say of them.
    pub is_exact: bool,
    /// Whether it divides where a number that is read without sign is negative.
    pub is_strict: bool,
    /// Whether it may not continue, or do so in a way that is not followed.
    pub is_over: bool,
    /// How many inputs it has read since the start of the program.
    pub read: usize,
    /// How many unknowns there are. The first ones are the variables of the location.
    pub unknowns: usize,
}

impl<'s> Path<'s> {
    pub(super) fn top(&mut self) -> &mut Frame<'s> {
        self.frames.last_mut().expect("a path has a frame")
    }

    /// A new unknown integer.
    pub(super) fn fresh(&mut self) -> Affine {
        self.unknowns += 1;
        Affine::unknown(self.unknowns - 1)
    }

    pub(super) fn read(&self, operand: Operand) -> Value {
        let frame = self.frames.last().expect("a path has a frame");
        match operand.place() {
            Place::Slot(slot) => frame.slots[slot.0 as usize].clone(),
            Place::Constant(index) => of_word(frame.function.constants[index as usize]),
        }
    }

    pub(super) fn assign(&mut self, slot: Slot, value: Value) {
        self.top().slots[slot.0 as usize] = value;
    }

    /// What a part of memory holds.
    pub(super) fn load(&self, part: Part, initial: &[u8]) -> Value {
        if let Some(value) = self.memory.get(&part) {
            return value.clone();
        }
        let (object, offset, bytes) = part;
        let content = usize::try_from(offset).ok();
        let content = content.and_then(|from| initial.get(from..from + bytes as usize));
        match (object, content) {
            (Object::Global(_), Some(content))
                if bytes <= 8 && self.overlapping(part).is_none() =>
            {
                let bits = content
                    .iter()
                    .rev()
                    .fold(0, |all, &byte| all << 8 | u64::from(byte));
                Value::Bits(bits)
            }
            _ => Value::Any,
        }
    }

    /// Another part that has bytes of this one.
    pub(super) fn overlapping(&self, part: Part) -> Option<Part> {
        let (object, offset, bytes) = part;
        let overlaps = |&&(other, start, size): &&Part| {
            (other, start, size) != part
                && other == object
                && start < offset + i64::from(bytes)
                && offset < start + i64::from(size)
        };
        self.memory.keys().find(overlaps).copied()
    }

    /// Forgets what is in objects of a frame that is left, and addresses of them.
    pub(super) fn forget_frame(&mut self, depth: u32) {
        let is_gone = |object: &Object| matches!(object, Object::Local(of, _) if *of >= depth);
        self.memory.retain(|(object, _, _), _| !is_gone(object));
        self.objects.retain(|object, _| !is_gone(object));
        let slots = self.frames.iter_mut().flat_map(|frame| &mut frame.slots);
        for value in slots.chain(self.memory.values_mut()) {
            if matches!(value, Value::Address(object, _) if is_gone(object)) {
                *value = Value::Any;
            }
        }
    }
}

fn of_word(word: Word) -> Value {
    match (word.is_defined(), word.pointer) {
        (true, false) => Value::Bits(word.bits),
        (true, true) => {
            let address = Address::from_bits(word.bits);
            match address.object.kind() {
                ObjectKind::Global(n) => Value::Address(Object::Global(n), address.offset),
                _ => Value::Any,
            }
        }
        _ => Value::Any,
    }
}

/// A constant size.
pub(super) fn constant(value: &Value) -> Option<u64> {
    match value {
        Value::Bits(bits) => Some(*bits),
        Value::Number(number) if number.is_constant() => number.constant.to_u64(),
        _ => None,
    }
}
