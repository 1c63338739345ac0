//! Instructions of LLVM's.

use super::*;
use std::ops::Deref;

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::translate) struct Instruction<'m>(Value<'m>);

impl<'m> Deref for Instruction<'m> {
    type Target = Value<'m>;

    fn deref(&self) -> &Value<'m> {
        &self.0
    }
}

impl<'m> Instruction<'m> {
    /// The value must be an instruction.
    pub(super) fn new(value: Value<'m>) -> Instruction<'m> {
        debug_assert!(value.kind() == ValueKind::LLVMInstructionValueKind);
        Instruction(value)
    }

    /// Returns the instruction as a value.
    pub fn value(self) -> Value<'m> {
        self.0
    }

    /// Returns the block that it is in.
    pub fn block(self) -> Option<Block<'m>> {
        // SAFETY: an instruction.
        Block::new(unsafe { LLVMGetInstructionParent(self.raw()) })
    }

    /// Returns the operation.
    pub fn opcode(self) -> Opcode {
        // SAFETY: an instruction.
        unsafe { LLVMGetInstructionOpcode(self.raw()) }
    }

    fn expect(self, opcodes: &[Opcode]) {
        assert!(opcodes.contains(&self.opcode()), "{}", self.print());
    }

    /// Returns its place in the source, or `None`.
    pub fn location(self) -> Option<Metadata<'m>> {
        // SAFETY: an instruction.
        let raw = unsafe { llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(self.raw()) };
        Metadata::new(raw, self.context())
    }

    /// Returns the number of successor blocks; 0 unless the instruction is a terminator.
    pub fn successor_count(self) -> u32 {
        // SAFETY: asked of terminators only.
        unsafe {
            if LLVMIsATerminatorInst(self.raw()).is_null() {
                return 0;
            }
            LLVMGetNumSuccessors(self.raw())
        }
    }

    /// Returns a successor block, by its index.
    pub fn successor(self, index: u32) -> Block<'m> {
        assert!(index < self.successor_count());
        // SAFETY: there is such a successor.
        Block::new(unsafe { LLVMGetSuccessor(self.raw(), index) }).expect("successors exist")
    }

    /// Returns all successor blocks.
    pub fn successors(self) -> impl Iterator<Item = Block<'m>> {
        (0..self.successor_count()).map(move |index| self.successor(index))
    }

    /// Returns the incoming values of a phi and the blocks that they come from.
    pub fn incoming(self) -> impl Iterator<Item = (Value<'m>, Block<'m>)> {
        self.expect(&[Opcode::LLVMPHI]);
        // SAFETY: a phi, asked within its number of incoming values.
        let count = unsafe { LLVMCountIncoming(self.raw()) };
        (0..count).map(move |index| unsafe {
            (
                Value::new(LLVMGetIncomingValue(self.raw(), index)).expect("incoming values exist"),
                Block::new(LLVMGetIncomingBlock(self.raw(), index)).expect("incoming blocks exist"),
            )
        })
    }

    /// Returns the predicate of an integer comparison.
    pub fn int_predicate(self) -> IntPredicate {
        self.expect(&[Opcode::LLVMICmp]);
        // SAFETY: an integer comparison.
        unsafe { LLVMGetICmpPredicate(self.raw()) }
    }

    /// Returns the predicate of a floating-point comparison.
    pub fn real_predicate(self) -> RealPredicate {
        self.expect(&[Opcode::LLVMFCmp]);
        // SAFETY: a floating-point comparison.
        unsafe { LLVMGetFCmpPredicate(self.raw()) }
    }

    /// Returns whether an operation promises no signed overflow.
    pub fn no_signed_wrap(self) -> bool {
        use Opcode::*;
        self.expect(&[LLVMAdd, LLVMSub, LLVMMul, LLVMShl]);
        // SAFETY: an operation that may have the flag.
        unsafe { LLVMGetNSW(self.raw()) != 0 }
    }

    /// Returns whether an operation promises no unsigned overflow.
    pub fn no_unsigned_wrap(self) -> bool {
        use Opcode::*;
        self.expect(&[LLVMAdd, LLVMSub, LLVMMul, LLVMShl]);
        // SAFETY: an operation that may have the flag.
        unsafe { LLVMGetNUW(self.raw()) != 0 }
    }

    /// Returns whether an operation promises to lose no bit.
    pub fn is_exact(self) -> bool {
        use Opcode::*;
        self.expect(&[LLVMUDiv, LLVMSDiv, LLVMLShr, LLVMAShr]);
        // SAFETY: an operation that may have the flag.
        unsafe { LLVMGetExact(self.raw()) != 0 }
    }

    /// Returns the element type of an `alloca`.
    pub fn allocated_type(self) -> Type<'m> {
        self.expect(&[Opcode::LLVMAlloca]);
        // SAFETY: an alloca.
        Type::new(unsafe { LLVMGetAllocatedType(self.raw()) })
    }

    /// Returns the alignment of an `alloca`, load or store, in bytes.
    pub fn align(self) -> u32 {
        use Opcode::*;
        self.expect(&[LLVMAlloca, LLVMLoad, LLVMStore]);
        // SAFETY: an instruction that has an alignment.
        unsafe { LLVMGetAlignment(self.raw()) }
    }

    /// Returns whether an access to memory is volatile.
    pub fn is_volatile(self) -> bool {
        use Opcode::*;
        self.expect(&[LLVMLoad, LLVMStore, LLVMAtomicRMW, LLVMAtomicCmpXchg]);
        // SAFETY: an access to memory.
        unsafe { LLVMGetVolatile(self.raw()) != 0 }
    }

    /// Returns where the loop starts in the source at whose end the branch is, if it says so.
    pub fn loop_start(self) -> Option<Metadata<'m>> {
        const NAME: &str = "llvm.loop";
        // SAFETY: the name is as long as it says; an instruction of the context, and its metadata.
        let node = unsafe {
            let kind =
                LLVMGetMDKindIDInContext(self.context(), NAME.as_ptr().cast(), NAME.len() as u32);
            let node = LLVMGetMetadata(self.raw(), kind);
            if node.is_null() {
                return None;
            }
            Metadata::new(LLVMValueAsMetadata(node), self.context())?
        };
        let mut parts = node.operands().into_iter().flatten();
        parts.find(|part| part.is(MetadataKind::LLVMDILocationMetadataKind))
    }

    /// Returns whether an access to memory is non-temporal.
    pub fn is_non_temporal(self) -> bool {
        const NAME: &str = "nontemporal";
        // SAFETY: the name is as long as it says; an instruction of the context.
        unsafe {
            let kind =
                LLVMGetMDKindIDInContext(self.context(), NAME.as_ptr().cast(), NAME.len() as u32);
            !LLVMGetMetadata(self.raw(), kind).is_null()
        }
    }

    /// Returns the ordering of a load, store or update.
    pub fn ordering(self) -> AtomicOrdering {
        use Opcode::*;
        self.expect(&[LLVMLoad, LLVMStore, LLVMAtomicRMW]);
        // SAFETY: an access that has one ordering.
        unsafe { LLVMGetOrdering(self.raw()) }
    }

    /// Returns the operation of an `atomicrmw`.
    pub fn atomic_operation(self) -> AtomicOperation {
        self.expect(&[Opcode::LLVMAtomicRMW]);
        // SAFETY: an atomicrmw.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw()) }
    }

    /// Returns the orderings of a `cmpxchg` on success and failure, and whether it may fail
    /// although equal.
    pub fn exchange_orderings(self) -> (AtomicOrdering, AtomicOrdering, bool) {
        self.expect(&[Opcode::LLVMAtomicCmpXchg]);
        // SAFETY: a cmpxchg.
        unsafe {
            (
                LLVMGetCmpXchgSuccessOrdering(self.raw()),
                LLVMGetCmpXchgFailureOrdering(self.raw()),
                LLVMGetWeak(self.raw()) != 0,
            )
        }
    }

    /// Returns the indices of `extractvalue` or `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        use Opcode::*;
        self.expect(&[LLVMExtractValue, LLVMInsertValue]);
        // SAFETY: an instruction with indices, read within their number.
        unsafe {
            let count = LLVMGetNumIndices(self.raw()) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw()), count).to_vec()
        }
    }

    /// Returns the elements that a `shufflevector` takes; `None` for an undefined one.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        self.expect(&[Opcode::LLVMShuffleVector]);
        // SAFETY: a shufflevector, read within the length of its mask.
        unsafe {
            let undefined = LLVMGetUndefMaskElem();
            (0..LLVMGetNumMaskElements(self.raw()))
                .map(|index| LLVMGetMaskValue(self.raw(), index))
                .map(|element| (element != undefined).then_some(element as u32))
                .collect()
        }
    }

    /// Returns whether it is a call of any form.
    pub fn is_call(self) -> bool {
        use Opcode::*;
        matches!(self.opcode(), LLVMCall | LLVMInvoke | LLVMCallBr)
    }

    /// Returns the callee of a call.
    pub fn callee(self) -> Value<'m> {
        assert!(self.is_call());
        // SAFETY: a call.
        Value::new(unsafe { LLVMGetCalledValue(self.raw()) }).expect("a call has a callee")
    }

    /// Returns the function type by which a call calls.
    pub fn callee_type(self) -> Type<'m> {
        assert!(self.is_call());
        // SAFETY: a call.
        Type::new(unsafe { LLVMGetCalledFunctionType(self.raw()) })
    }

    /// Returns the arguments of a call.
    pub fn arguments(self) -> impl ExactSizeIterator<Item = Value<'m>> {
        assert!(self.is_call());
        // SAFETY: a call; arguments are its first operands.
        let count = unsafe { LLVMGetNumArgOperands(self.raw()) };
        (0..count).map(move |index| self.operand(index))
    }

    /// Returns the type and alignment, in bytes, of an argument that is passed by value behind its
    /// pointer, or `None` for another argument.
    pub fn by_value(self, module: &'m Module, argument: u32) -> Option<(Type<'m>, Option<u32>)> {
        assert!(self.is_call());
        // SAFETY: a call, numbers of attributes; `byval` has a type, `align` a number.
        unsafe {
            let attribute = |kind| LLVMGetCallSiteEnumAttribute(self.raw(), argument + 1, kind);
            let by_value = attribute(module.attributes.by_value);
            if by_value.is_null() {
                return None;
            }
            let align = attribute(module.attributes.align);
            let align = (!align.is_null()).then(|| LLVMGetEnumAttributeValue(align) as u32);
            Some((Type::new(LLVMGetTypeAttributeValue(by_value)), align))
        }
    }

    /// Returns whether a call promises that no exception leaves it.
    pub fn is_no_unwind(self, module: &'m Module) -> bool {
        self.has_attribute(module.attributes.no_unwind)
    }

    /// Returns whether a call may return more than once, as one of `setjmp`.
    pub fn returns_twice(self, module: &'m Module) -> bool {
        self.has_attribute(module.attributes.returns_twice)
    }

    fn has_attribute(self, attribute: std::ffi::c_uint) -> bool {
        assert!(self.is_call());
        // SAFETY: a call and a number of an attribute.
        unsafe {
            !LLVMGetCallSiteEnumAttribute(
                self.raw(),
                llvm_sys::LLVMAttributeFunctionIndex,
                attribute,
            )
            .is_null()
        }
    }

    /// Returns the blocks where an `invoke` continues: normally, and when an exception arrives.
    pub fn invoke_targets(self) -> (Block<'m>, Block<'m>) {
        self.expect(&[Opcode::LLVMInvoke]);
        (self.successor(0), self.successor(1))
    }

    /// Returns the clauses of a `landingpad`.
    pub fn clauses(self) -> impl Iterator<Item = Value<'m>> {
        self.expect(&[Opcode::LLVMLandingPad]);
        // SAFETY: a landing pad, asked within its number of clauses.
        let count = unsafe { LLVMGetNumClauses(self.raw()) };
        (0..count).map(move |index| {
            Value::new(unsafe { LLVMGetClause(self.raw(), index) }).expect("clauses exist")
        })
    }

    /// Returns whether a `landingpad` is entered for clean-up.
    pub fn is_cleanup(self) -> bool {
        self.expect(&[Opcode::LLVMLandingPad]);
        // SAFETY: a landing pad.
        unsafe { LLVMIsCleanup(self.raw()) != 0 }
    }
}

impl<'m> Value<'m> {
    /// Returns the source element type of a `getelementptr`, be it an instruction or a constant
    /// expression.
    pub fn stepped_type(self) -> Type<'m> {
        let opcode = self
            .constant_opcode()
            .or_else(|| self.as_instruction().map(Instruction::opcode));
        assert!(opcode == Some(Opcode::LLVMGetElementPtr));
        // SAFETY: a getelementptr.
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.raw()) })
    }
}
