//! What the next instruction is about to do, for people.

use super::Replay;
use crate::concolic::trace::Known;
use impasse_program::address::Address;
use impasse_program::instruction::{BinaryOperation, Instruction, Operand, Place, Scalar};

impl<'s> Replay<'_, 's> {
    fn next(&self) -> Option<&'s Instruction> {
        let step = self.trace.steps.get(self.at)?;
        let function = self.frames.last()?.function;
        function.body.code.get(step.position as usize)
    }

    fn known(&self, operand: Operand) -> u64 {
        self.word(operand).known.bits
    }

    /// Whether the next instruction computes an unsigned number that does not fit. What the
    /// compiler writes as the addition of a negative constant is a subtraction, and one from zero
    /// is a sign.
    pub fn wraps_around(&self) -> bool {
        let Some(Instruction::Binary {
            operation,
            scalar: Scalar::Integer(width @ 1..=64),
            poison_flags,
            left,
            right,
            ..
        }) = self.next()
        else {
            return false;
        };
        if poison_flags.no_signed_wrap {
            return false;
        }
        let constant = |operand: Operand| matches!(operand.place(), Place::Constant(_));
        let cut = |bits: u64| u128::from(bits << (64 - width) >> (64 - width));
        let (a, b) = (cut(self.known(*left)), cut(self.known(*right)));
        let range = 1u128 << width;
        match operation {
            BinaryOperation::Add if constant(*right) && b >= range / 2 => a < range - b,
            BinaryOperation::Add => a + b >= range,
            BinaryOperation::Subtract => a < b && !constant(*left),
            BinaryOperation::Multiply => a * b >= range,
            _ => false,
        }
    }

    /// The place, the size in bytes and the value of what the next instruction stores; `None` if it
    /// stores no defined integer or address of one word.
    pub fn stored(&self) -> Option<(Address, u8, Known)> {
        let Some(Instruction::Store {
            scalar: scalar @ (Scalar::Integer(1..=64) | Scalar::Pointer | Scalar::Pointer32),
            source,
            address,
            ..
        }) = self.next()
        else {
            return None;
        };
        let known = self.word(*source).known;
        let place = Address::from_bits(self.known(*address));
        (!known.undefined).then_some((place, scalar.bytes() as u8, known))
    }
}
