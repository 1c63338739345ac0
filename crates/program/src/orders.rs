//! Memory orders: their names, and other ones for the instructions of a body.

use crate::instruction::{Body, Instruction, Ordering, Position};
use crate::linked::FunctionId;
use crate::unit::Unit;
use std::collections::BTreeMap;
use std::fmt;

/// The memory orders of an operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Orders {
    /// The order, of a compare-exchange if it stores.
    pub order: Ordering,
    /// The order of a compare-exchange that does not store.
    pub failure: Option<Ordering>,
}

impl fmt::Display for Orders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.order.name())?;
        match self.failure {
            Some(failure) => write!(f, ", {}", failure.name()),
            None => Ok(()),
        }
    }
}

impl Ordering {
    /// Returns its name in C, without what all have in front.
    pub fn name(self) -> &'static str {
        match self {
            Ordering::NotAtomic => "not atomic",
            Ordering::Unordered => "unordered",
            Ordering::Relaxed => "relaxed",
            Ordering::Acquire => "acquire",
            Ordering::Release => "release",
            Ordering::AcquireRelease => "acq_rel",
            Ordering::SequentiallyConsistent => "seq_cst",
        }
    }

    /// Returns the order that has this number in C and C++, if one has. Consume is acquire here.
    pub fn of_number(number: u64) -> Option<Ordering> {
        Some(match number {
            0 => Ordering::Relaxed,
            1 | 2 => Ordering::Acquire,
            3 => Ordering::Release,
            4 => Ordering::AcquireRelease,
            5 => Ordering::SequentiallyConsistent,
            _ => return None,
        })
    }

    /// Returns the order by which a compare-exchange fails that is given this one alone.
    pub fn of_failure(self) -> Ordering {
        match self {
            Ordering::AcquireRelease => Ordering::Acquire,
            Ordering::Release => Ordering::Relaxed,
            other => other,
        }
    }
}

impl Unit {
    /// Makes volatile loads acquire and volatile stores release, of scalars that one instruction of
    /// a processor accesses. Fails if a body is damaged.
    pub fn make_volatile_atomic(&mut self) -> Result<(), postcard::Error> {
        for function in &mut self.functions {
            let mut body = Body::decode(&function.body)?;
            let mut is_changed = false;
            for instruction in &mut body.code {
                let (order, atomic) = match instruction {
                    Instruction::Load {
                        scalar,
                        ordering,
                        volatile: true,
                        ..
                    } if scalar.words() == 1 => (ordering, Ordering::Acquire),
                    Instruction::Store {
                        scalar,
                        ordering,
                        volatile: true,
                        ..
                    } if scalar.words() == 1 => (ordering, Ordering::Release),
                    _ => continue,
                };
                if !order.is_atomic() {
                    *order = atomic;
                    is_changed = true;
                }
            }
            if is_changed {
                function.body = body.encode();
            }
        }
        Ok(())
    }
}

/// The orders by which instructions are executed instead of those that they name.
pub(crate) type OtherOrders = BTreeMap<FunctionId, Vec<(Position, Orders)>>;

/// Changes the orders of instructions.
pub(crate) fn change(body: &mut Body, orders: &[(Position, Orders)]) {
    for (at, orders) in orders {
        match &mut body.code[at.0 as usize] {
            Instruction::Load { ordering, .. }
            | Instruction::Store { ordering, .. }
            | Instruction::Update { ordering, .. } => *ordering = orders.order,
            Instruction::CompareExchange {
                success, failure, ..
            } => {
                *success = orders.order;
                *failure = orders.failure.unwrap_or(orders.order.of_failure());
            }
            Instruction::Fence {
                ordering,
                single_thread,
            } => {
                *ordering = orders.order;
                *single_thread = orders.order == Ordering::Relaxed;
            }
            other => unreachable!("{other:?} is no atomic operation"),
        }
    }
}

/// Returns whether an instruction is an atomic operation.
pub(crate) fn is_atomic(instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Load { ordering, .. } | Instruction::Store { ordering, .. } => {
            ordering.is_atomic()
        }
        Instruction::Update { .. } | Instruction::CompareExchange { .. } => true,
        Instruction::Fence { single_thread, .. } => !single_thread,
        _ => false,
    }
}
