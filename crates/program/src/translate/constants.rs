//! Constants as operands: numbers, addresses, and expressions of them.

use super::fold::Folded;
use super::function::Translator;
use super::llvm::{TypeKind, Value};
use super::types::Unsupported;
use crate::instruction::{Constant, Instruction, Operand, Scalar, Slot};
use crate::word::Word;

impl<'m> Translator<'_, 'm> {
    /// Returns the operands of a constant, one for each scalar. Adds the instructions that compute
    /// what is unknown before execution. Fails if the constant has no executable form.
    pub fn constant(&mut self, value: Value<'m>) -> Result<Vec<Operand>, Unsupported> {
        let layout = self.context.types.layout(value.ty())?;
        if value.is_undefined() {
            return Ok(layout.scalars().map(|s| self.build.undefined(s)).collect());
        }
        if value.is_zero() {
            return Ok(layout.scalars().map(|s| self.wide_number(s, 0)).collect());
        }
        if value.is_thread_local() {
            let variable = self.context.symbol(value).ok_or_else(|| unknown(value))?;
            let destination = self.build.slots(1);
            self.build.push(Instruction::ThreadLocal {
                destination,
                variable,
            });
            return Ok(vec![Operand::slot(destination)]);
        }
        if let Some(bits) = value.integer().or_else(|| value.float_bits()) {
            return Ok(vec![self.wide_number(layout.parts[0].scalar, bits)]);
        }
        if let Some(folded) = self.context.fold(value) {
            let constant = match folded {
                Folded::Number(bits) => Constant::Word(Word::number(bits)),
                Folded::Address(symbol, offset) => Constant::Address(symbol, offset),
            };
            return Ok(vec![self.build.constant(constant)]);
        }
        if let Some(opcode) = value.constant_opcode() {
            let destination = self.build.slots(layout.words);
            self.compute(value, opcode, destination)?;
            return Ok(layout
                .parts
                .iter()
                .map(|part| Operand::slot(Slot(destination.0 + part.word)))
                .collect());
        }
        let count = match value.ty().kind() {
            TypeKind::Array(_, count) => count as u32,
            TypeKind::Vector(_, count) | TypeKind::Struct(count) => count,
            _ => return Err(unknown(value)),
        };
        let mut operands = Vec::new();
        for index in 0..count {
            let element = value.element(index).ok_or_else(|| unknown(value))?;
            operands.extend(self.constant(element)?);
        }
        Ok(operands)
    }

    /// Returns the operand for a defined number of a scalar type.
    pub fn wide_number(&mut self, scalar: Scalar, bits: u128) -> Operand {
        match scalar.words() {
            1 => self.build.number(bits as u64),
            _ => self
                .build
                .constant_pair(Word::number(bits as u64), Word::number((bits >> 64) as u64)),
        }
    }
}

fn unknown(value: Value<'_>) -> Unsupported {
    Unsupported(format!("the constant {}", value.print()))
}
