//! Instructions on memory, and the accesses to promoted variables that become moves; terminators.

use super::function::Translator;
use super::llvm::{AtomicOperation, AtomicOrdering, Block, Instruction as Source, Opcode, Value};
use super::promote::{Local, LocalPart};
use super::types::Unsupported;
use crate::debug::LocationId;
use crate::harness::ATOMIC_END;
use crate::instruction::{
    Clause, Instruction, LandingPad, Operand, Ordering, ReadModifyWrite, Scalar, Slot, SymbolId,
};

impl<'m> Translator<'_, 'm> {
    /// Translates one instruction of a block. Fails if it has no executable form.
    pub fn instruction(&mut self, source: Source<'m>, block: Block<'m>) -> Result<(), Unsupported> {
        use Opcode::*;
        match source.opcode() {
            LLVMPHI => Ok(()),
            LLVMAlloca => self.alloca(source),
            LLVMLoad => self.load(source),
            LLVMStore => self.store(source),
            LLVMAtomicRMW => self.update(source),
            LLVMAtomicCmpXchg => self.compare_exchange(source),
            LLVMFence => self.fence(source),
            LLVMCall => self.call(source, None),
            LLVMLandingPad => self.landing_pad_in_place(source, block),
            LLVMInvoke | LLVMRet | LLVMBr | LLVMSwitch | LLVMIndirectBr | LLVMResume
            | LLVMUnreachable => self.terminator(source, block),
            LLVMGetElementPtr if self.promotion.find(source.value()).is_some() => Ok(()),
            LLVMCallBr => Err(Unsupported("assembly with jumps".into())),
            opcode => {
                let destination = self.slot_of(source.value());
                self.compute(source.value(), opcode, destination)
            }
        }
    }

    fn alloca(&mut self, source: Source<'m>) -> Result<(), Unsupported> {
        if let Some((local, _)) = self.promotion.find(source.value()) {
            self.undefine_local(&local);
            return Ok(());
        }
        let element_bytes = self.context.types.size(source.allocated_type())?;
        let count = self.operand(source.operand(0))?;
        let destination = self.slot_of(source.value());
        let variable = self.name_object(source, destination);
        self.build.push(Instruction::Allocate {
            destination,
            count,
            element_bytes,
            align: source.align(),
            variable,
        });
        Ok(())
    }

    /// Appends instructions that make all parts of a promoted variable undefined.
    pub fn undefine_local(&mut self, local: &Local) {
        for part in local.iter() {
            self.build.undefine(part.slot, part.scalar);
        }
    }

    /// Appends copies of a byte to the parts of a promoted variable that lie in a range of offsets.
    pub fn fill_local(&mut self, local: &Local, range: std::ops::Range<u64>, byte: u8) {
        let pattern = u128::from_le_bytes([byte; 16]);
        for part in local.iter().filter(|part| range.contains(&part.offset)) {
            let bits = part.scalar.bits();
            let value = if bits == 128 {
                pattern
            } else {
                pattern & ((1 << bits) - 1)
            };
            let source = self.wide_number(part.scalar, value);
            self.build.copy_scalar(part.scalar, part.slot, source);
        }
    }

    /// Appends loads from a constant's address into the parts of a promoted variable that lie in a
    /// range of offsets.
    pub fn copy_to_local(&mut self, local: &Local, range: std::ops::Range<u64>, constant: Operand) {
        for part in local.iter().filter(|part| range.contains(&part.offset)) {
            let address = self
                .build
                .address_plus(constant, (part.offset - range.start) as i64);
            self.build.push(Instruction::Load {
                scalar: part.scalar,
                ordering: Ordering::NotAtomic,
                volatile: false,
                destination: part.slot,
                address,
            });
        }
    }

    fn load(&mut self, source: Source<'m>) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(source.ty())?;
        let destination = self.slot_of(source.value());
        if let Some((local, offset)) = self.promotion.find(source.operand(0)) {
            for part in &layout.parts {
                let slot = part_at(&local, offset + part.offset).slot;
                self.build.copy_scalar(
                    part.scalar,
                    Slot(destination.0 + part.word),
                    Operand::slot(slot),
                );
            }
            return Ok(());
        }
        check_packing(layout.packed)?;
        let ordering = ordering(source.ordering());
        let volatile = source.is_volatile();
        let base = self.operand(source.operand(0))?;
        for part in &layout.parts {
            let address = self.build.address_plus(base, part.offset as i64);
            self.build.push(Instruction::Load {
                scalar: part.scalar,
                ordering,
                volatile,
                destination: Slot(destination.0 + part.word),
                address,
            });
        }
        Ok(())
    }

    fn store(&mut self, source: Source<'m>) -> Result<(), Unsupported> {
        let value = source.operand(0);
        let layout = self.context.types.layout(value.ty())?;
        let values = self.operands(value)?;
        if let Some((local, offset)) = self.promotion.find(source.operand(1)) {
            for (part, value) in layout.parts.iter().zip(values) {
                let slot = part_at(&local, offset + part.offset).slot;
                self.build.copy_scalar(part.scalar, slot, value);
            }
            return Ok(());
        }
        check_packing(layout.packed)?;
        let ordering = ordering(source.ordering());
        let volatile = source.is_volatile();
        let base = self.operand(source.operand(1))?;
        if source.is_non_temporal() {
            self.build.push(Instruction::NonTemporal);
        }
        for (part, value) in layout.parts.iter().zip(values) {
            let address = self.build.address_plus(base, part.offset as i64);
            self.build.push(Instruction::Store {
                scalar: part.scalar,
                ordering,
                volatile,
                source: value,
                address,
            });
        }
        Ok(())
    }

    /// The scalar that an atomic operation works on.
    fn atomic_scalar(&mut self, value: Value<'m>) -> Result<Scalar, Unsupported> {
        let layout = self.context.types.layout(value.ty())?;
        match (layout.exotic, &layout.parts[..]) {
            (None, [part]) => Ok(part.scalar),
            _ => Err(Unsupported(format!(
                "an atomic operation on type {}",
                value.ty()
            ))),
        }
    }

    fn update(&mut self, source: Source<'m>) -> Result<(), Unsupported> {
        let scalar = self.atomic_scalar(source.operand(1))?;
        let operation = update_operation(source.atomic_operation());
        let ordering = ordering(source.ordering());
        let address = self.operand(source.operand(0))?;
        let operand = self.operand(source.operand(1))?;
        let destination = self.slot_of(source.value());
        self.build.push(Instruction::Update {
            operation,
            scalar,
            ordering,
            destination,
            address,
            source: operand,
        });
        Ok(())
    }

    fn compare_exchange(&mut self, source: Source<'m>) -> Result<(), Unsupported> {
        let scalar = self.atomic_scalar(source.operand(1))?;
        let (success, failure, weak) = source.exchange_orderings();
        let address = self.operand(source.operand(0))?;
        let expected = self.operand(source.operand(1))?;
        let replacement = self.operand(source.operand(2))?;
        let destination = self.slot_of(source.value());
        self.build.push(Instruction::CompareExchange {
            scalar,
            success: ordering(success),
            failure: ordering(failure),
            weak,
            destination,
            address,
            expected,
            replacement,
        });
        Ok(())
    }

    /// LLVM's C interface says nothing of fences, but its text does.
    fn fence(&mut self, source: Source<'m>) -> Result<(), Unsupported> {
        let text = source.print();
        let words = || text.split([' ', ',']);
        let ordering = words().find_map(|word| match word {
            "acquire" => Some(Ordering::Acquire),
            "release" => Some(Ordering::Release),
            "acq_rel" => Some(Ordering::AcquireRelease),
            "seq_cst" => Some(Ordering::SequentiallyConsistent),
            _ => None,
        });
        let ordering = ordering.ok_or_else(|| Unsupported(format!("the fence{text}")))?;
        self.build.push(Instruction::Fence {
            ordering,
            single_thread: text.contains("syncscope(\"singlethread\")"),
        });
        Ok(())
    }

    fn terminator(&mut self, source: Source<'m>, block: Block<'m>) -> Result<(), Unsupported> {
        match source.opcode() {
            Opcode::LLVMRet => self.return_(source)?,
            Opcode::LLVMBr if source.successor_count() == 1 => {
                let target = source.successor(0);
                // At the end of a body: `do` has a branch with two successors there.
                if let Some(start) = source.loop_start() {
                    self.note_loop(target, start);
                }
                self.jump(block, target)
            }
            Opcode::LLVMBr => {
                let condition = self.operand(source.operand(0))?;
                let then = self.edge(block, source.successor(0), false);
                let otherwise = self.edge(block, source.successor(1), false);
                self.build.push(Instruction::Branch {
                    condition,
                    then,
                    otherwise,
                });
            }
            Opcode::LLVMSwitch => self.switch(source, block)?,
            Opcode::LLVMInvoke => {
                let (normal, unwind) = source.invoke_targets();
                let landing = self.edge(block, unwind, true);
                self.call(source, Some(landing))?;
                self.jump(block, normal);
            }
            Opcode::LLVMIndirectBr => self.indirect_jump(source, block)?,
            Opcode::LLVMResume => self.resume(source)?,
            _ => self.build.push(Instruction::Unreachable),
        }
        Ok(())
    }

    fn return_(&mut self, source: Source<'m>) -> Result<(), Unsupported> {
        let mut words = Vec::new();
        for value in source.operands() {
            let layout = self.context.types.layout(value.ty())?;
            for (part, operand) in layout.parts.iter().zip(self.operands(value)?) {
                words.push(operand);
                if part.scalar.words() == 2 {
                    words.push(operand.second());
                }
            }
        }
        if self.is_atomic() {
            self.call_plain_runtime(ATOMIC_END);
        }
        let values = self.build.operands(&words);
        self.build.push(Instruction::Return { values });
        Ok(())
    }

    fn switch(&mut self, source: Source<'m>, block: Block<'m>) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(source.operand(0).ty())?;
        let scalar = layout.parts[0].scalar;
        if scalar.words() != 1 {
            return Err(Unsupported("a switch over more than 64 bits".into()));
        }
        let value = self.operand(source.operand(0))?;
        let mut cases = Vec::new();
        for index in 1..source.successor_count() {
            let case = source.operand(2 * index).integer();
            let case = case.ok_or_else(|| Unsupported("a switch case that is no number".into()))?;
            cases.push((
                case as u64,
                self.edge(block, source.successor(index), false),
            ));
        }
        let default = self.edge(block, source.successor(0), false);
        let cases = self.build.cases(cases);
        self.build.push(Instruction::Switch {
            scalar,
            value,
            cases,
            default,
        });
        Ok(())
    }

    /// clang lets all computed gotos of a function meet in one block that has no place: that of one
    /// of them.
    fn place_of_goto(&mut self, meeting: Block<'m>) -> LocationId {
        let phi = meeting
            .instructions()
            .next()
            .filter(|first| first.opcode() == Opcode::LLVMPHI);
        phi.and_then(|phi| phi.incoming().next())
            .and_then(|(_, from)| from.terminator())
            .map_or_else(LocationId::default, |last| {
                self.context.source.location(last.location())
            })
    }

    fn indirect_jump(&mut self, source: Source<'m>, block: Block<'m>) -> Result<(), Unsupported> {
        if self.build.location == LocationId::default() {
            self.build.location = self.place_of_goto(block);
        }
        let target = self.operand(source.operand(0))?;
        let mut cases: Vec<_> = source
            .successors()
            .map(|to| (self.context.label_number(to), self.edge(block, to, false)))
            .collect();
        cases.sort_unstable_by_key(|case| case.0);
        cases.dedup();
        let cases = self.build.cases(cases);
        self.build.push(Instruction::IndirectJump { target, cases });
        Ok(())
    }

    /// Adds the landing pad, with its results in the two slots from `destination` on.
    pub fn landing_pad(
        &mut self,
        source: Source<'m>,
        destination: Slot,
    ) -> Result<(), Unsupported> {
        let mut pad = LandingPad {
            cleanup: source.is_cleanup(),
            clauses: Vec::new(),
        };
        for clause in source.clauses() {
            pad.clauses.push(match clause.ty().kind() {
                super::llvm::TypeKind::Array(_, count) => {
                    let types = (0..count as u32).filter_map(|index| clause.element(index));
                    Clause::Filter(
                        types
                            .map(|ty| self.type_info(ty))
                            .collect::<Result<_, _>>()?,
                    )
                }
                _ => Clause::Catch(self.type_info(clause)?),
            });
        }
        let clauses = self.build.landing_pad(pad);
        self.build.push(Instruction::LandingPad {
            destination,
            clauses,
        });
        Ok(())
    }

    fn type_info(&mut self, value: Value<'m>) -> Result<Option<SymbolId>, Unsupported> {
        if value.is_zero() {
            return Ok(None);
        }
        let symbol = self.context.symbol(value);
        symbol
            .map(Some)
            .ok_or_else(|| Unsupported(format!("the exception type {}", value.print())))
    }
}

fn part_at(local: &Local, offset: u64) -> LocalPart {
    let index = local.binary_search_by_key(&offset, |part| part.offset);
    local[index.expect("every access of a promoted variable is one of its parts")]
}

fn check_packing(packed: bool) -> Result<(), Unsupported> {
    match packed {
        true => Err(Unsupported(
            "an access to a vector whose elements share bytes".into(),
        )),
        false => Ok(()),
    }
}

fn ordering(ordering: AtomicOrdering) -> Ordering {
    match ordering {
        AtomicOrdering::LLVMAtomicOrderingNotAtomic => Ordering::NotAtomic,
        AtomicOrdering::LLVMAtomicOrderingUnordered => Ordering::Unordered,
        AtomicOrdering::LLVMAtomicOrderingMonotonic => Ordering::Relaxed,
        AtomicOrdering::LLVMAtomicOrderingAcquire => Ordering::Acquire,
        AtomicOrdering::LLVMAtomicOrderingRelease => Ordering::Release,
        AtomicOrdering::LLVMAtomicOrderingAcquireRelease => Ordering::AcquireRelease,
        AtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent => {
            Ordering::SequentiallyConsistent
        }
    }
}

fn update_operation(operation: AtomicOperation) -> ReadModifyWrite {
    match operation {
        AtomicOperation::LLVMAtomicRMWBinOpXchg => ReadModifyWrite::Exchange,
        AtomicOperation::LLVMAtomicRMWBinOpAdd => ReadModifyWrite::Add,
        AtomicOperation::LLVMAtomicRMWBinOpSub => ReadModifyWrite::Subtract,
        AtomicOperation::LLVMAtomicRMWBinOpAnd => ReadModifyWrite::And,
        AtomicOperation::LLVMAtomicRMWBinOpNand => ReadModifyWrite::Nand,
        AtomicOperation::LLVMAtomicRMWBinOpOr => ReadModifyWrite::Or,
        AtomicOperation::LLVMAtomicRMWBinOpXor => ReadModifyWrite::Xor,
        AtomicOperation::LLVMAtomicRMWBinOpMax => ReadModifyWrite::SignedMaximum,
        AtomicOperation::LLVMAtomicRMWBinOpMin => ReadModifyWrite::SignedMinimum,
        AtomicOperation::LLVMAtomicRMWBinOpUMax => ReadModifyWrite::UnsignedMaximum,
        AtomicOperation::LLVMAtomicRMWBinOpUMin => ReadModifyWrite::UnsignedMinimum,
        AtomicOperation::LLVMAtomicRMWBinOpFAdd => ReadModifyWrite::FloatAdd,
        AtomicOperation::LLVMAtomicRMWBinOpFSub => ReadModifyWrite::FloatSubtract,
        AtomicOperation::LLVMAtomicRMWBinOpFMax => ReadModifyWrite::FloatMaximum,
        AtomicOperation::LLVMAtomicRMWBinOpFMin => ReadModifyWrite::FloatMinimum,
        AtomicOperation::LLVMAtomicRMWBinOpUIncWrap => ReadModifyWrite::IncrementWrap,
        AtomicOperation::LLVMAtomicRMWBinOpUDecWrap => ReadModifyWrite::DecrementWrap,
    }
}
