//! Constant folding: the numbers and addresses that constants stand for, and the steps of a
//! `getelementptr`.

use super::context::Context;
use super::llvm::{Opcode, TypeKind, Value, ValueKind};
use super::types::{Types, Unsupported};
use crate::ilp32::Ilp32Addresses;
use crate::instruction::SymbolId;
use crate::word::mask;

/// The value of a constant of up to 64 bits.
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
    /// Returns the value of a constant that is a number, or an address and an offset; `None` for
    /// any other.
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
