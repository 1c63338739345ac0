//! Whether an atomic addition only counts: nothing reads what it returns.
//!
//! *Claim.* If [`Machine::only_counts`] says so, what the addition has read decides nothing but
//! what it stores (`docs/internals/races.md`, "What only counts").

use crate::base::fault::CodePlace;
use crate::machine::Machine;
use crate::machine::operation::Counting;
use crate::state::happens_before::Order;
use impasse_program::instruction::{
    BinaryOperation, Body, Instruction, Operand, PoisonFlags, Position, ReadModifyWrite, Slot,
};

/// How many instructions and calls the result is followed through.
const LONGEST: usize = 64;

/// What becomes of a value.
enum Fate {
    /// Nothing reads it.
    Unread,
    /// The function returns it, and nothing else reads it.
    Returned,
    /// Perhaps something reads it.
    Read,
}

impl Machine<'_> {
    /// Returns whether the present instruction adds to an atomic, or subtracts from one, and
    /// nothing reads the result.
    pub(super) fn only_counts(&self) -> bool {
        use ReadModifyWrite::{Add, Subtract};
        let body = &self.at.function.body;
        let result = match body.code[self.at.position as usize] {
            Instruction::Update {
                operation: Add | Subtract,
                scalar,
                destination,
                ..
            } if scalar.words() == 1 => destination,
            _ => return false,
        };
        match fate(body, self.at.position + 1, result) {
            Fate::Unread => true,
            Fate::Read => false,
            Fate::Returned => self.callers_drop_result(),
        }
    }

    /// Returns what the running function does with the number of references to what objects of the
    /// C++ library share, or `None`.
    pub(crate) fn counting(&self) -> Option<Counting> {
        self.system.countings[self.place().function.0 as usize]
    }

    /// Returns whether the present instruction reads the number of references only to ask whether
    /// one is left, and gets what a store hands over.
    pub(super) fn asks_for_references(&self, order: Order) -> bool {
        order.acquires && self.counting() == Some(Counting::Asks)
    }

    /// Returns whether no caller reads what the running function returns.
    fn callers_drop_result(&self) -> bool {
        for place in self.frames_of(self.running).into_iter().skip(1) {
            let CodePlace { function, position } = place;
            let body = &self.program.function(function).body;
            let Instruction::Call { site } = body.code[position.0 as usize] else {
                return false;
            };
            let site = &body.sites[site.0 as usize];
            if site.results.len() != 1 {
                return site.results.is_empty();
            }
            match fate(body, position.0 + 1, site.destination) {
                Fate::Unread => return true,
                Fate::Read => return false,
                Fate::Returned => {}
            }
        }
        false
    }
}

/// Returns what becomes of the value of a slot, from a position on.
fn fate(body: &Body, mut position: u32, mut slot: Slot) -> Fate {
    let is_live = |position: u32, slot: Slot| {
        let set = body.live[position as usize];
        body.live_sets[set as usize].contains(&slot)
    };
    for _ in 0..LONGEST {
        if !is_live(position, slot) {
            return Fate::Unread;
        }
        let is_it = |operand: Operand| operand == Operand::slot(slot);
        match body.code[position as usize] {
            Instruction::Jump {
                target: Position(target),
            } => position = target,
            Instruction::Return { values } if values.count == 1 => return Fate::Returned,
            Instruction::Move {
                destination,
                source,
            } if is_it(source) && !is_live(position + 1, slot) => {
                slot = destination;
                position += 1;
            }
            // `x += n` adds again, for its own value.
            Instruction::Binary {
                operation: BinaryOperation::Add | BinaryOperation::Subtract,
                scalar,
                poison_flags:
                    PoisonFlags {
                        no_signed_wrap: false,
                        no_unsigned_wrap: false,
                        ..
                    },
                destination,
                left,
                right,
            } if scalar.words() == 1
                && (is_it(left) || is_it(right))
                && !is_live(position + 1, slot) =>
            {
                slot = destination;
                position += 1;
            }
            _ => return Fate::Read,
        }
    }
    Fate::Read
}
