//! Constants as operands: numbers, addresses, and expressions of them.

use super::context::Context;
use super::function::Translator;
use super::llvm::{Opcode, TypeKind, Value, ValueKind};
use super::types::{Types, Unsupported};
use crate::ilp32::Ilp32Addresses;
use crate::instruction::{Constant, Instruction, Operand, Scalar, Slot, SymbolId};
use crate::word::{Word, mask};

/// What a constant of up to 64 bits comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Folded {
    Number(u64),
    Address(SymbolId, i64),
}

/// A step of a `getelementptr`.
pub(super) enum Step<'m> {
    /// By so many bytes.
    Constant(i64),
    /// By a signed index times a size in bytes.
    Index(Value<'m>, u64),
}

/// The steps of a `getelementptr`, an instruction or a constant expression.
pub(super) fn steps<'m>(
    value: Value<'m>,
    types: &mut Types<'m>,
) -> Result<Vec<Step<'m>>, Unsupported> {
    let mut ty = value.stepped_type();
    let mut steps = Vec::new();
    for (position, index) in value.operands().skip(1).enumerate() {
        if position > 0 {
            match ty.kind() {
                TypeKind::Struct(_) => {
                    let scalar = index.element(0).unwrap_or(index);
                    let member = scalar.integer().unwrap_or(u128::MAX) as u32;
                    steps.push(Step::Constant(types.member_offset(ty, member)? as i64));
                    ty = ty.member(member);
                    continue;
                }
                TypeKind::Array(element, _) | TypeKind::Vector(element, _) => ty = element,
                _ => return Err(Unsupported(format!("indexing type {ty}"))),
            }
        }
        let size = types.size(ty)?;
        steps.push(match signed_index(index) {
            Some(constant) => Step::Constant(constant.wrapping_mul(size as i64)),
            None => Step::Index(index, size),
        });
    }
    Ok(steps)
}

/// The offset that a `getelementptr` adds to its base, if all of its indices are constants.
pub(super) fn constant_offset<'m>(value: Value<'m>, types: &mut Types<'m>) -> Option<i64> {
    steps(value, types)
        .ok()?
        .iter()
        .try_fold(0i64, |sum, step| match step {
            Step::Constant(bytes) => Some(sum.wrapping_add(*bytes)),
            Step::Index(..) => None,
        })
}

/// The value of a constant index.
fn signed_index(index: Value<'_>) -> Option<i64> {
    let TypeKind::Integer(width @ 1..=64) = index.ty().kind() else {
        return None;
    };
    let shift = 64 - width;
    Some(((index.integer()? as u64) << shift) as i64 >> shift)
}

impl<'m> Context<'m> {
    /// What a constant comes to, if it is a number or an address and an offset.
    pub fn fold(&mut self, value: Value<'m>) -> Option<Folded> {
        if let Some(symbol) = self.symbol(value) {
            return (!value.is_thread_local()).then_some(Folded::Address(symbol, 0));
        }
        match value.kind() {
            ValueKind::LLVMConstantPointerNullValueKind => Some(Folded::Number(0)),
            ValueKind::LLVMConstantIntValueKind => {
                u64::try_from(value.integer()?).ok().map(Folded::Number)
            }
            ValueKind::LLVMConstantExprValueKind => self.fold_expression(value),
            _ => value
                .labelled()
                .map(|block| Folded::Number(self.label_number(block))),
        }
    }

    fn fold_expression(&mut self, value: Value<'m>) -> Option<Folded> {
        use Folded::*;
        let width = match value.ty().kind() {
            TypeKind::Integer(width @ 1..=64) => width,
            TypeKind::Pointer => 64,
            _ => return None,
        };
        let ilp32 = self.types.is_ilp32();
        let is_pointer = matches!(value.ty().kind(), TypeKind::Pointer);
        let number = |bits: u64| match ilp32 && is_pointer {
            // A number that may be in an object is an address in it, which is found when it is
            // executed.
            true => {
                let number = bits as u32;
                Ilp32Addresses::is_never_an_object(number).then_some(Number(number.into()))
            }
            false => Some(Number(bits & mask(width))),
        };
        let first = self.fold(value.operand(0))?;
        let opcode = value.constant_opcode()?;
        match opcode {
            Opcode::LLVMGetElementPtr => {
                let offset = constant_offset(value, &mut self.types)?;
                match first {
                    Number(base) => number(base.wrapping_add(offset as u64)),
                    Address(symbol, base) => Some(Address(symbol, base.wrapping_add(offset))),
                }
            }
            Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMTrunc => match first {
                Number(bits) => number(bits),
                // A 32-bit address becomes an integer when it is executed.
                Address(..) => {
                    let same = width == 64 && !(ilp32 && opcode == Opcode::LLVMPtrToInt);
                    same.then_some(first)
                }
            },
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMXor => {
                let second = self.fold(value.operand(1))?;
                match (opcode, first, second) {
                    (Opcode::LLVMAdd, Number(a), Number(b)) => number(a.wrapping_add(b)),
                    (Opcode::LLVMSub, Number(a), Number(b)) => number(a.wrapping_sub(b)),
                    (Opcode::LLVMMul, Number(a), Number(b)) => number(a.wrapping_mul(b)),
                    (Opcode::LLVMXor, Number(a), Number(b)) => number(a ^ b),
                    (Opcode::LLVMAdd, Address(s, a), Number(b))
                    | (Opcode::LLVMAdd, Number(b), Address(s, a)) => {
                        Some(Address(s, a.wrapping_add(b as i64)))
                    }
                    (Opcode::LLVMSub, Address(s, a), Number(b)) => {
                        Some(Address(s, a.wrapping_sub(b as i64)))
                    }
                    (Opcode::LLVMSub, Address(s, a), Address(t, b)) if s == t => {
                        number(a.wrapping_sub(b) as u64)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

impl<'m> Translator<'_, 'm> {
    /// The operands of a constant, one for each scalar; what cannot be known before execution is
    /// computed here.
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

    /// The operand for a defined number of a scalar type.
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
