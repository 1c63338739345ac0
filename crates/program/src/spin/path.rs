//! Paths through an iteration of a loop, and what is known of the values on them.

use crate::instruction::{
    BinaryOperation, Body, Comparison, Conversion, Instruction as I, Operand, Place, Range, Slot,
};
use crate::link::{Function, FunctionId};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// What is known of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Unknown,
    /// It depends on nothing that the loop changes.
    Invariant,
    /// This number.
    Number(u64),
    /// It depends on the counter, and on nothing else that the loop changes.
    Counted,
    /// The address of an object of the loop's own frame, by the slot that holds it.
    Local(Slot),
    /// The address of an object that the iteration made.
    New,
}

/// A frame on a path.
#[derive(Clone)]
pub(super) struct Frame<'p> {
    pub id: FunctionId,
    pub function: &'p Function,
    pub position: u32,
    pub values: Vec<Value>,
}

impl Frame<'_> {
    pub fn value(&self, operand: Operand) -> Value {
        match operand.place() {
            Place::Slot(slot) => self.values[slot.0 as usize],
            Place::Constant(index) => {
                let word = self.function.constants[index as usize];
                match word.is_defined() && !word.pointer {
                    true => Value::Number(word.bits),
                    false => Value::Invariant,
                }
            }
        }
    }

    pub fn is_counted(&self, operand: Operand, words: u32) -> bool {
        let slot = |slot: Slot| {
            let words = &self.values[slot.0 as usize..(slot.0 + words) as usize];
            words.contains(&Value::Counted)
        };
        matches!(operand.place(), Place::Slot(first) if slot(first))
    }
}

/// A path through an iteration.
#[derive(Clone)]
pub(super) struct Path<'p> {
    pub frames: Vec<Frame<'p>>,
    /// Whether something was changed that others, or later iterations, may read.
    pub effect: bool,
    /// The slots of the loop's frame that were assigned.
    pub assigned: FixedBitSet,
    /// The objects of the loop's frame whose scope has begun in this iteration.
    pub begun: BTreeSet<Slot>,
    /// Where something was computed of the counter, or decided by it.
    pub counting: Vec<u32>,
}

/// The slots that instructions of a region assign.
pub(super) fn assigned(body: &Body, region: &FixedBitSet) -> FixedBitSet {
    let mut assigned = FixedBitSet::with_capacity(body.slots as usize);
    for at in region.ones() {
        body.code[at].for_each_definition(body, |slot| assigned.insert(slot.0 as usize));
    }
    assigned
}

/// The slots whose values an execution that has come to a position may still read.
pub(super) fn live(body: &Body, position: u32) -> &[Slot] {
    &body.live_sets[body.live[position as usize] as usize]
}

/// Assigns the same value to all slots that an instruction assigns.
pub(super) fn assign(path: &mut Path<'_>, instruction: &I, value: Value) {
    let outermost = path.frames.len() == 1;
    let Some(frame) = path.frames.last_mut() else {
        return;
    };
    let body = &frame.function.body;
    let Some((first, words)) = instruction.definitions(body) else {
        return;
    };
    // Of a value of two words nothing is known.
    let value = if words == 1 || value == Value::Counted {
        value
    } else {
        Value::Unknown
    };
    for slot in first.0..first.0 + words {
        frame.values[slot as usize] = value;
        if outermost {
            path.assigned.insert(slot as usize);
        }
    }
}

/// Returns to the caller, or out of the loop's own function.
pub(super) fn leave(path: &mut Path<'_>, values: Range) {
    let Some(frame) = path.frames.pop() else {
        return;
    };
    let operands = &frame.function.body.operands[values.indices()];
    let returned: Vec<Value> = operands.iter().map(|&value| frame.value(value)).collect();
    let outermost = path.frames.len() == 1;
    let Some(caller) = path.frames.last_mut() else {
        return;
    };
    let body = &caller.function.body;
    if let Some((first, words)) = body.code[caller.position as usize].definitions(body) {
        for slot in first.0..first.0 + words {
            let value = returned.get((slot - first.0) as usize).copied();
            caller.values[slot as usize] = value.unwrap_or(Value::Unknown);
            if outermost {
                path.assigned.insert(slot as usize);
            }
        }
    }
    caller.position += 1;
}

/// What a pure instruction computes of what is known of its operands. `None` if the result depends
/// on the counter and on what the loop reads.
pub(super) fn computed(frame: &Frame<'_>, instruction: &I) -> Option<Value> {
    let body = &frame.function.body;
    let (mut counted, mut varies, mut wide) = (false, false, false);
    instruction.for_each_operand(body, |operand, words| {
        wide |= words > 1;
        match frame.value(operand) {
            Value::Counted => counted = true,
            Value::Invariant | Value::Number(_) => {}
            _ => varies = true,
        }
    });
    if counted {
        let single = instruction
            .definitions(body)
            .is_some_and(|(_, words)| words == 1);
        return (!varies && !wide && single).then_some(Value::Counted);
    }
    if wide || varies {
        return Some(Value::Unknown);
    }
    let numbers = |left, right| match (frame.value(left), frame.value(right)) {
        (Value::Number(left), Value::Number(right)) => Some((left, right)),
        _ => None,
    };
    let number = match *instruction {
        I::Compare {
            comparison,
            left,
            right,
            ..
        } => numbers(left, right).and_then(|(left, right)| match comparison {
            Comparison::Equal => Some(u64::from(left == right)),
            Comparison::NotEqual => Some(u64::from(left != right)),
            _ => None,
        }),
        I::Binary {
            operation,
            left,
            right,
            ..
        } => numbers(left, right).and_then(|(left, right)| match operation {
            BinaryOperation::And => Some(left & right),
            BinaryOperation::Or => Some(left | right),
            BinaryOperation::Xor => Some(left ^ right),
            _ => None,
        }),
        I::Convert {
            conversion,
            to,
            source,
            ..
        } => match (conversion, frame.value(source)) {
            (Conversion::ZeroExtend, Value::Number(number)) => Some(number),
            (Conversion::Truncate, Value::Number(number)) => {
                Some(number & (u64::MAX >> (64 - to.bits().min(64))))
            }
            _ => None,
        },
        I::Select {
            condition,
            then,
            otherwise,
            ..
        } => match frame.value(condition) {
            Value::Number(0) => return Some(frame.value(otherwise)),
            Value::Number(_) => return Some(frame.value(then)),
            _ => None,
        },
        _ => None,
    };
    Some(number.map_or(Value::Invariant, Value::Number))
}
