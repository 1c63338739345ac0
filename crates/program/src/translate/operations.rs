//! Instructions that compute values from values.

use super::fold::{Step, steps};
use super::function::Translator;
use super::llvm::{Instruction as Source, IntPredicate, Opcode, TypeKind, Value};
use super::types::{Layout, Unsupported};
use crate::instruction::{
    BinaryOperation, Comparison, Conversion, FloatComparison, FloatOperation, Instruction,
    Intrinsic, Operand, PoisonFlags, Scalar, Slot,
};
use std::rc::Rc;

impl<'m> Translator<'_, 'm> {
    /// Translates an instruction, or a constant expression, without effects. Fails if it has no
    /// executable form.
    pub fn compute(
        &mut self,
        value: Value<'m>,
        opcode: Opcode,
        destination: Slot,
    ) -> Result<(), Unsupported> {
        if let Some(operation) = binary_operation(opcode) {
            return self.binary(value, opcode, operation, destination);
        }
        if let Some(operation) = float_operation(opcode) {
            return self.float(value, operation, destination);
        }
        if let Some(conversion) = conversion(opcode) {
            return self.convert(value, conversion, destination);
        }
        match opcode {
            Opcode::LLVMGetElementPtr => self.step(value, destination),
            Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => self.repack(value, destination),
            Opcode::LLVMICmp => self.compare(value, destination),
            Opcode::LLVMFCmp => match value.as_instruction() {
                Some(source) => self.float_compare(
                    value,
                    float_comparison(source.real_predicate() as u32),
                    destination,
                ),
                None => Err(Unsupported("a comparison inside a constant".into())),
            },
            Opcode::LLVMFNeg => self.negate(value, destination),
            Opcode::LLVMSelect => self.select(value, destination),
            Opcode::LLVMFreeze => self.freeze(value, destination),
            Opcode::LLVMExtractValue | Opcode::LLVMInsertValue => {
                self.member(value, opcode, destination)
            }
            Opcode::LLVMExtractElement => self.extract_element(value, destination),
            Opcode::LLVMInsertElement => self.insert_element(value, destination),
            Opcode::LLVMShuffleVector => self.shuffle(value, destination),
            _ => Err(Unsupported(format!("the instruction{}", value.print()))),
        }
    }

    /// The layout of a type whose numbers can be computed with.
    fn computable(&mut self, value: Value<'m>) -> Result<Rc<Layout>, Unsupported> {
        let layout = self.context.types.layout(value.ty())?;
        match layout.exotic {
            Some(what) => Err(Unsupported(what.into())),
            None => Ok(layout),
        }
    }

    fn binary(
        &mut self,
        value: Value<'m>,
        opcode: Opcode,
        operation: BinaryOperation,
        destination: Slot,
    ) -> Result<(), Unsupported> {
        let layout = self.computable(value)?;
        let poison_flags = value
            .as_instruction()
            .map_or_else(PoisonFlags::default, |i| poison_flags(i, opcode));
        let left = self.operands(value.operand(0))?;
        let right = self.operands(value.operand(1))?;
        for (index, part) in layout.parts.iter().enumerate() {
            self.build.push(Instruction::Binary {
                operation,
                scalar: part.scalar,
                poison_flags,
                destination: Slot(destination.0 + part.word),
                left: left[index],
                right: right[index],
            });
        }
        Ok(())
    }

    /// Translates floating-point arithmetic on the first two operands. Fails as
    /// [`Translator::compute`] does.
    pub fn float(
        &mut self,
        value: Value<'m>,
        operation: FloatOperation,
        destination: Slot,
    ) -> Result<(), Unsupported> {
        let layout = self.computable(value)?;
        let left = self.operands(value.operand(0))?;
        let right = self.operands(value.operand(1))?;
        for (index, part) in layout.parts.iter().enumerate() {
            self.build.push(Instruction::Float {
                operation,
                scalar: part.scalar,
                destination: Slot(destination.0 + part.word),
                left: left[index],
                right: right[index],
            });
        }
        Ok(())
    }

    /// Translates a conversion of the first operand. Fails as [`Translator::compute`] does.
    pub fn convert(
        &mut self,
        value: Value<'m>,
        conversion: Conversion,
        destination: Slot,
    ) -> Result<(), Unsupported> {
        let from = self.computable(value.operand(0))?;
        let to = self.computable(value)?;
        let sources = self.operands(value.operand(0))?;
        for (index, part) in to.parts.iter().enumerate() {
            self.build.push(Instruction::Convert {
                conversion,
                from: from.parts[index].scalar,
                to: part.scalar,
                destination: Slot(destination.0 + part.word),
                source: sources[index],
            });
        }
        Ok(())
    }

    /// Reads the same bits as another type.
    fn repack(&mut self, value: Value<'m>, destination: Slot) -> Result<(), Unsupported> {
        let from = self.context.types.layout(value.operand(0).ty())?;
        let to = self.context.types.layout(value.ty())?;
        let sources = self.operands(value.operand(0))?;
        let (Some(first), Some(result)) = (from.parts.first(), to.parts.first()) else {
            return Ok(());
        };
        if first.scalar.bits() == result.scalar.bits()
            && first.scalar.words() == result.scalar.words()
        {
            for (part, source) in to.parts.iter().zip(sources) {
                self.build
                    .copy_scalar(part.scalar, Slot(destination.0 + part.word), source);
            }
            return Ok(());
        }
        let arguments = self.build.operands(&sources);
        self.build.push(Instruction::Repack {
            from: first.scalar,
            to: result.scalar,
            destination,
            arguments,
        });
        Ok(())
    }

    fn compare(&mut self, value: Value<'m>, destination: Slot) -> Result<(), Unsupported> {
        let Some(instruction) = value.as_instruction() else {
            return Err(Unsupported("a comparison inside a constant".into()));
        };
        let comparison = comparison(instruction.int_predicate());
        let layout = self.computable(value.operand(0))?;
        let left = self.operands(value.operand(0))?;
        let right = self.operands(value.operand(1))?;
        for (index, part) in layout.parts.iter().enumerate() {
            self.build.push(Instruction::Compare {
                comparison,
                scalar: part.scalar,
                destination: Slot(destination.0 + index as u32),
                left: left[index],
                right: right[index],
            });
        }
        Ok(())
    }

    /// Translates a comparison of the first two operands. Fails as [`Translator::compute`] does.
    pub fn float_compare(
        &mut self,
        value: Value<'m>,
        comparison: FloatComparison,
        destination: Slot,
    ) -> Result<(), Unsupported> {
        let layout = self.computable(value.operand(0))?;
        let left = self.operands(value.operand(0))?;
        let right = self.operands(value.operand(1))?;
        for (index, part) in layout.parts.iter().enumerate() {
            self.build.push(Instruction::FloatCompare {
                comparison,
                scalar: part.scalar,
                destination: Slot(destination.0 + index as u32),
                left: left[index],
                right: right[index],
            });
        }
        Ok(())
    }

    fn negate(&mut self, value: Value<'m>, destination: Slot) -> Result<(), Unsupported> {
        let layout = self.computable(value)?;
        let sources = self.operands(value.operand(0))?;
        for (part, source) in layout.parts.iter().zip(sources) {
            let arguments = self.build.operands(&[source]);
            self.build.push(Instruction::Compute {
                intrinsic: Intrinsic::FloatNegate,
                scalar: part.scalar,
                destination: Slot(destination.0 + part.word),
                arguments,
            });
        }
        Ok(())
    }

    fn select(&mut self, value: Value<'m>, destination: Slot) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(value.ty())?;
        let conditions = self.operands(value.operand(0))?;
        let then = self.operands(value.operand(1))?;
        let otherwise = self.operands(value.operand(2))?;
        for (index, part) in layout.parts.iter().enumerate() {
            self.build.push(Instruction::Select {
                scalar: part.scalar,
                destination: Slot(destination.0 + part.word),
                condition: *conditions.get(index).unwrap_or(&conditions[0]),
                then: then[index],
                otherwise: otherwise[index],
            });
        }
        Ok(())
    }

    fn freeze(&mut self, value: Value<'m>, destination: Slot) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(value.ty())?;
        let sources = self.operands(value.operand(0))?;
        for (part, source) in layout.parts.iter().zip(sources) {
            self.build.push(Instruction::Freeze {
                scalar: part.scalar,
                destination: Slot(destination.0 + part.word),
                source,
            });
        }
        Ok(())
    }

    /// Where the member that indices name starts in an aggregate, in scalars.
    fn member_start(
        &mut self,
        aggregate: Value<'m>,
        indices: &[u32],
    ) -> Result<usize, Unsupported> {
        let mut ty = aggregate.ty();
        let mut start = 0;
        for &index in indices {
            match ty.kind() {
                TypeKind::Struct(_) => {
                    for before in 0..index {
                        start += self.context.types.layout(ty.member(before))?.parts.len();
                    }
                    ty = ty.member(index);
                }
                TypeKind::Array(element, _) => {
                    start += index as usize * self.context.types.layout(element)?.parts.len();
                    ty = element;
                }
                _ => return Err(Unsupported(format!("a member of type {ty}"))),
            }
        }
        Ok(start)
    }

    fn member(
        &mut self,
        value: Value<'m>,
        opcode: Opcode,
        destination: Slot,
    ) -> Result<(), Unsupported> {
        let Some(instruction) = value.as_instruction() else {
            return Err(Unsupported("a member inside a constant".into()));
        };
        let start = self.member_start(value.operand(0), &instruction.indices())?;
        let layout = self.context.types.layout(value.ty())?;
        let mut sources = self.operands(value.operand(0))?;
        if opcode == Opcode::LLVMInsertValue {
            let inserted = self.operands(value.operand(1))?;
            sources.splice(start..start + inserted.len(), inserted);
        } else {
            sources.drain(..start);
        }
        self.copy_all(&layout, destination, &sources);
        Ok(())
    }

    /// Adds copies of all scalars of a value.
    pub fn copy_all(&mut self, layout: &Layout, destination: Slot, sources: &[Operand]) {
        for (part, &source) in layout.parts.iter().zip(sources) {
            self.build
                .copy_scalar(part.scalar, Slot(destination.0 + part.word), source);
        }
    }

    fn extract_element(&mut self, value: Value<'m>, destination: Slot) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(value.ty())?;
        let elements = self.operands(value.operand(0))?;
        let index = value.operand(1);
        if let Some(index) = index.integer() {
            let source = elements.get(index as usize).copied();
            let scalar = layout.parts[0].scalar;
            let source = source.unwrap_or_else(|| self.build.undefined(scalar));
            self.build.copy_scalar(scalar, destination, source);
            return Ok(());
        }
        let scalar = layout.parts[0].scalar;
        let undefined = self.build.undefined(scalar);
        self.build.copy_scalar(scalar, destination, undefined);
        for (position, &element) in elements.iter().enumerate() {
            let condition = self.is_index(index, position)?;
            self.build.push(Instruction::Select {
                scalar,
                destination,
                condition,
                then: element,
                otherwise: Operand::slot(destination),
            });
        }
        Ok(())
    }

    /// Whether an index that is known at execution only is this one.
    fn is_index(&mut self, index: Value<'m>, position: usize) -> Result<Operand, Unsupported> {
        let scalar = self.computable(index)?.parts[0].scalar;
        let left = self.operand(index)?;
        let right = self.wide_number(scalar, position as u128);
        let destination = self.build.slots(1);
        self.build.push(Instruction::Compare {
            comparison: Comparison::Equal,
            scalar,
            destination,
            left,
            right,
        });
        Ok(Operand::slot(destination))
    }

    fn insert_element(&mut self, value: Value<'m>, destination: Slot) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(value.ty())?;
        let mut elements = self.operands(value.operand(0))?;
        let inserted = self.operand(value.operand(1))?;
        let index = value.operand(2);
        if let Some(index) = index.integer() {
            if let Some(element) = elements.get_mut(index as usize) {
                *element = inserted;
            }
            self.copy_all(&layout, destination, &elements);
            return Ok(());
        }
        for (position, part) in layout.parts.iter().enumerate() {
            let condition = self.is_index(index, position)?;
            self.build.push(Instruction::Select {
                scalar: part.scalar,
                destination: Slot(destination.0 + part.word),
                condition,
                then: inserted,
                otherwise: elements[position],
            });
        }
        Ok(())
    }

    fn shuffle(&mut self, value: Value<'m>, destination: Slot) -> Result<(), Unsupported> {
        let Some(instruction) = value.as_instruction() else {
            return Err(Unsupported("a shuffle inside a constant".into()));
        };
        let layout = self.context.types.layout(value.ty())?;
        let mut elements = self.operands(value.operand(0))?;
        elements.extend(self.operands(value.operand(1))?);
        let mut sources = Vec::new();
        for taken in instruction.shuffle_mask() {
            sources.push(match taken.and_then(|index| elements.get(index as usize)) {
                Some(&element) => element,
                None => self.build.undefined(layout.parts[0].scalar),
            });
        }
        self.copy_all(&layout, destination, &sources);
        Ok(())
    }

    /// An address some steps from another one; for a vector of addresses, each lane by itself.
    fn step(&mut self, value: Value<'m>, destination: Slot) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(value.ty())?;
        let bases = self.operands(value.operand(0))?;
        let steps = steps(value, &mut self.context.types)?;
        for lane in 0..layout.parts.len() {
            let base = *bases.get(lane).unwrap_or(&bases[0]);
            let address = self.stepped(base, &steps, lane)?;
            self.name_result(address, Slot(destination.0 + lane as u32));
        }
        Ok(())
    }

    /// Copies an address to its slot; where it was just computed, computes it there.
    fn name_result(&mut self, address: Operand, destination: Slot) {
        if !self.build.redirect(address, destination) {
            self.build.copy(destination, address);
        }
    }

    fn stepped(
        &mut self,
        base: Operand,
        steps: &[Step<'m>],
        lane: usize,
    ) -> Result<Operand, Unsupported> {
        let constant = steps.iter().fold(0i64, |sum, step| match step {
            Step::Constant(bytes) => sum.wrapping_add(*bytes),
            Step::Index(..) => sum,
        });
        let mut address = self.build.address_plus(base, constant);
        for step in steps {
            let Step::Index(index, scale) = step else {
                continue;
            };
            let index_layout = self.computable(*index)?;
            let Scalar::Integer(width) = index_layout.parts[0].scalar else {
                return Err(Unsupported("an index of more than 64 bits".into()));
            };
            let indices = self.operands(*index)?;
            let destination = self.build.slots(1);
            self.build.push(Instruction::AddressIndex {
                destination,
                base: address,
                index: *indices.get(lane).unwrap_or(&indices[0]),
                width,
                scale: *scale,
            });
            address = Operand::slot(destination);
        }
        Ok(address)
    }
}

fn poison_flags(instruction: Source<'_>, opcode: Opcode) -> PoisonFlags {
    use Opcode::*;
    match opcode {
        LLVMAdd | LLVMSub | LLVMMul | LLVMShl => PoisonFlags {
            no_signed_wrap: instruction.no_signed_wrap(),
            no_unsigned_wrap: instruction.no_unsigned_wrap(),
            exact: false,
        },
        LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr => PoisonFlags {
            exact: instruction.is_exact(),
            ..PoisonFlags::default()
        },
        _ => PoisonFlags::default(),
    }
}

fn binary_operation(opcode: Opcode) -> Option<BinaryOperation> {
    Some(match opcode {
        Opcode::LLVMAdd => BinaryOperation::Add,
        Opcode::LLVMSub => BinaryOperation::Subtract,
        Opcode::LLVMMul => BinaryOperation::Multiply,
        Opcode::LLVMUDiv => BinaryOperation::UnsignedDivide,
        Opcode::LLVMSDiv => BinaryOperation::SignedDivide,
        Opcode::LLVMURem => BinaryOperation::UnsignedRemainder,
        Opcode::LLVMSRem => BinaryOperation::SignedRemainder,
        Opcode::LLVMShl => BinaryOperation::ShiftLeft,
        Opcode::LLVMLShr => BinaryOperation::LogicalShiftRight,
        Opcode::LLVMAShr => BinaryOperation::ArithmeticShiftRight,
        Opcode::LLVMAnd => BinaryOperation::And,
        Opcode::LLVMOr => BinaryOperation::Or,
        Opcode::LLVMXor => BinaryOperation::Xor,
        _ => return None,
    })
}

fn float_operation(opcode: Opcode) -> Option<FloatOperation> {
    Some(match opcode {
        Opcode::LLVMFAdd => FloatOperation::Add,
        Opcode::LLVMFSub => FloatOperation::Subtract,
        Opcode::LLVMFMul => FloatOperation::Multiply,
        Opcode::LLVMFDiv => FloatOperation::Divide,
        Opcode::LLVMFRem => FloatOperation::Remainder,
        _ => return None,
    })
}

fn conversion(opcode: Opcode) -> Option<Conversion> {
    Some(match opcode {
        Opcode::LLVMTrunc => Conversion::Truncate,
        Opcode::LLVMZExt => Conversion::ZeroExtend,
        Opcode::LLVMSExt => Conversion::SignExtend,
        Opcode::LLVMFPTrunc => Conversion::FloatTruncate,
        Opcode::LLVMFPExt => Conversion::FloatExtend,
        Opcode::LLVMFPToUI => Conversion::FloatToUnsigned,
        Opcode::LLVMFPToSI => Conversion::FloatToSigned,
        Opcode::LLVMUIToFP => Conversion::UnsignedToFloat,
        Opcode::LLVMSIToFP => Conversion::SignedToFloat,
        Opcode::LLVMPtrToInt => Conversion::PointerToInteger,
        Opcode::LLVMIntToPtr => Conversion::IntegerToPointer,
        _ => return None,
    })
}

fn comparison(predicate: IntPredicate) -> Comparison {
    match predicate {
        IntPredicate::LLVMIntEQ => Comparison::Equal,
        IntPredicate::LLVMIntNE => Comparison::NotEqual,
        IntPredicate::LLVMIntUGT => Comparison::UnsignedGreater,
        IntPredicate::LLVMIntUGE => Comparison::UnsignedGreaterEqual,
        IntPredicate::LLVMIntULT => Comparison::UnsignedLess,
        IntPredicate::LLVMIntULE => Comparison::UnsignedLessEqual,
        IntPredicate::LLVMIntSGT => Comparison::SignedGreater,
        IntPredicate::LLVMIntSGE => Comparison::SignedGreaterEqual,
        IntPredicate::LLVMIntSLT => Comparison::SignedLess,
        IntPredicate::LLVMIntSLE => Comparison::SignedLessEqual,
    }
}

/// LLVM numbers the predicates by the outcomes for which they hold: equal 1, greater 2, less 4,
/// unordered 8.
fn float_comparison(outcomes: u32) -> FloatComparison {
    FloatComparison {
        unordered: outcomes & 8 != 0,
        equal: outcomes & 1 != 0,
        greater: outcomes & 2 != 0,
        less: outcomes & 4 != 0,
    }
}

/// The predicate with this name in LLVM's text.
pub(super) fn float_comparison_by_name(name: &str) -> Option<FloatComparison> {
    let names = [
        "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge",
        "ult", "ule", "une", "true",
    ];
    let outcomes = names.iter().position(|&known| known == name)?;
    Some(float_comparison(outcomes as u32))
}
