//! Values of LLVM's, constants and globals among them, and basic blocks.

use super::*;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// Anything that has a type: constants, globals, parameters, instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::translate) struct Value<'m>(NonNull<llvm_sys::LLVMValue>, PhantomData<&'m Module>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::translate) struct Block<'m>(
    NonNull<llvm_sys::LLVMBasicBlock>,
    PhantomData<&'m Module>,
);

impl<'m> Value<'m> {
    pub(super) fn new(raw: LLVMValueRef) -> Option<Value<'m>> {
        NonNull::new(raw).map(|raw| Value(raw, PhantomData))
    }

    pub(super) fn raw(self) -> LLVMValueRef {
        self.0.as_ptr()
    }

    /// Returns LLVM's class of the value.
    pub fn kind(self) -> ValueKind {
        // SAFETY: the value is valid.
        unsafe { LLVMGetValueKind(self.raw()) }
    }

    /// Returns its type.
    pub fn ty(self) -> Type<'m> {
        // SAFETY: the value is valid.
        Type::new(unsafe { LLVMTypeOf(self.raw()) })
    }

    /// Returns its name; empty if it has none.
    pub fn name(self) -> String {
        let mut length = 0;
        // SAFETY: the string lives in the value.
        unsafe {
            let start = LLVMGetValueName2(self.raw(), &mut length);
            text(start, length)
        }
    }

    /// Returns LLVM's text for the value.
    pub fn print(self) -> String {
        // SAFETY: the value is valid; the string is taken once.
        unsafe { take_message(LLVMPrintValueToString(self.raw())) }
    }

    /// Returns the value as an instruction, or `None` if it is none.
    pub fn as_instruction(self) -> Option<Instruction<'m>> {
        (self.kind() == ValueKind::LLVMInstructionValueKind).then(|| Instruction::new(self))
    }

    /// Returns whether it is a constant, such as a global or a function.
    pub fn is_constant(self) -> bool {
        // SAFETY: the value is valid.
        unsafe { LLVMIsConstant(self.raw()) != 0 }
    }

    /// Returns whether it is the constant of its type that is all zeros.
    pub fn is_zero(self) -> bool {
        // SAFETY: the value is valid.
        self.is_constant() && unsafe { LLVMIsNull(self.raw()) != 0 }
    }

    /// Returns whether it is `undef` or `poison`.
    pub fn is_undefined(self) -> bool {
        matches!(
            self.kind(),
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind
        )
    }

    /// Returns the number of its operands.
    pub fn operand_count(self) -> u32 {
        // SAFETY: LLVM answers this for users only, which the check makes sure of.
        unsafe {
            if LLVMIsAUser(self.raw()).is_null() {
                return 0;
            }
            LLVMGetNumOperands(self.raw()) as u32
        }
    }

    /// Returns one of its operands.
    pub fn operand(self, index: u32) -> Value<'m> {
        assert!(index < self.operand_count());
        // SAFETY: there is such an operand.
        Value::new(unsafe { LLVMGetOperand(self.raw(), index) }).expect("operands exist")
    }

    /// Returns all of its operands.
    pub fn operands(self) -> impl Iterator<Item = Value<'m>> {
        (0..self.operand_count()).map(move |index| self.operand(index))
    }

    /// Returns the instructions and constants that use it, once for each use.
    pub fn users(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: the value is valid; the list of its uses is not changed while it is followed.
        let first = NonNull::new(unsafe { LLVMGetFirstUse(self.raw()) });
        std::iter::successors(first, |use_| {
            NonNull::new(unsafe { LLVMGetNextUse(use_.as_ptr()) })
        })
        .map(|use_| Value::new(unsafe { LLVMGetUser(use_.as_ptr()) }).expect("a use has a user"))
    }

    /// Returns the value of a constant integer of at most 128 bits, zero-extended, or `None`.
    pub fn integer(self) -> Option<u128> {
        if self.kind() != ValueKind::LLVMConstantIntValueKind {
            return None;
        }
        let TypeKind::Integer(width) = self.ty().kind() else {
            return None;
        };
        if width <= 64 {
            // SAFETY: a constant integer that fits.
            return Some(unsafe { LLVMConstIntGetZExtValue(self.raw()) } as u128);
        }
        let printed = self.print();
        let signed: i128 = printed.rsplit(' ').next()?.parse().ok()?;
        let mask = if width >= 128 { !0 } else { (1 << width) - 1 };
        Some(signed as u128 & mask)
    }

    /// Returns the bits of a constant floating-point number, or `None`.
    pub fn float_bits(self) -> Option<u128> {
        if self.kind() != ValueKind::LLVMConstantFPValueKind {
            return None;
        }
        let width = match self.ty().kind() {
            TypeKind::Half => 16,
            TypeKind::Float => 32,
            TypeKind::Double => 64,
            TypeKind::Extended => 80,
            TypeKind::Quad => 128,
            _ => return None,
        };
        // SAFETY: a cast of a constant number to an integer as wide as it; LLVM folds it to a
        // constant.
        let cast = unsafe {
            let context = LLVMGetTypeContext(self.ty().raw());
            Value::new(LLVMConstBitCast(
                self.raw(),
                LLVMIntTypeInContext(context, width),
            ))
        };
        cast?.integer()
    }

    /// Returns an element of a constant struct, array or vector, or `None`.
    pub fn element(self, index: u32) -> Option<Value<'m>> {
        if !self.is_constant() {
            return None;
        }
        // SAFETY: a constant; LLVM answers null where there is no such element.
        Value::new(unsafe { LLVMGetAggregateElement(self.raw(), index) })
    }

    /// Returns the bytes of a constant array of bytes, or `None` if LLVM does not store them as
    /// such.
    pub fn constant_bytes(self) -> Option<&'m [u8]> {
        if self.kind() != ValueKind::LLVMConstantDataArrayValueKind {
            return None;
        }
        // SAFETY: data of single bytes; they live as long as the context.
        unsafe {
            if LLVMIsConstantString(self.raw()) == 0 {
                return None;
            }
            let mut length = 0;
            let start = LLVMGetAsString(self.raw(), &mut length);
            Some(std::slice::from_raw_parts(start.cast(), length))
        }
    }

    /// Returns the operation of a constant expression, or `None`.
    pub fn constant_opcode(self) -> Option<Opcode> {
        // SAFETY: checked to be a constant expression.
        (self.kind() == ValueKind::LLVMConstantExprValueKind)
            .then(|| unsafe { LLVMGetConstOpcode(self.raw()) })
    }

    /// Returns the block whose address this is, or `None`.
    pub fn labelled(self) -> Option<Block<'m>> {
        if self.kind() != ValueKind::LLVMBlockAddressValueKind {
            return None;
        }
        // SAFETY: checked to be the address of a block.
        unsafe { Block::new(LLVMGetBlockAddressBasicBlock(self.raw())) }
    }

    /// Returns the text and the constraints of inline assembly, or `None`.
    pub fn inline_assembly(self) -> Option<(String, String)> {
        if self.kind() != ValueKind::LLVMInlineAsmValueKind {
            return None;
        }
        // SAFETY: checked to be inline assembly; the strings live in it.
        unsafe {
            let mut length = 0;
            let start = LLVMGetInlineAsmAsmString(self.raw(), &mut length);
            let assembly = text(start, length);
            let start = LLVMGetInlineAsmConstraintString(self.raw(), &mut length);
            Some((assembly, text(start, length)))
        }
    }

    fn is_global(self) -> bool {
        matches!(
            self.kind(),
            ValueKind::LLVMFunctionValueKind
                | ValueKind::LLVMGlobalVariableValueKind
                | ValueKind::LLVMGlobalAliasValueKind
                | ValueKind::LLVMGlobalIFuncValueKind
        )
    }

    /// Returns whether it is a function.
    pub fn is_function(self) -> bool {
        self.kind() == ValueKind::LLVMFunctionValueKind
    }

    /// Returns the linkage of a global.
    pub fn linkage(self) -> RawLinkage {
        assert!(self.is_global());
        // SAFETY: a global value.
        unsafe { LLVMGetLinkage(self.raw()) }
    }

    /// Returns whether a global has no definition here.
    pub fn is_declaration(self) -> bool {
        assert!(self.is_global());
        // SAFETY: a global value.
        unsafe { LLVMIsDeclaration(self.raw()) != 0 }
    }

    /// Returns the type of a global's content.
    pub fn global_type(self) -> Type<'m> {
        assert!(self.is_global());
        // SAFETY: a global value.
        Type::new(unsafe { LLVMGlobalGetValueType(self.raw()) })
    }

    fn is_variable(self) -> bool {
        self.kind() == ValueKind::LLVMGlobalVariableValueKind
    }

    /// Returns the initial value of a global variable, or `None`.
    pub fn initializer(self) -> Option<Value<'m>> {
        assert!(self.is_variable());
        // SAFETY: a global variable.
        Value::new(unsafe { LLVMGetInitializer(self.raw()) })
    }

    /// Returns whether it is a thread-local variable.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: checked to be a global variable.
        self.is_variable() && unsafe { LLVMIsThreadLocal(self.raw()) != 0 }
    }

    /// Returns whether it is a global variable that is never written.
    pub fn is_constant_variable(self) -> bool {
        // SAFETY: checked to be a global variable.
        self.is_variable() && unsafe { LLVMIsGlobalConstant(self.raw()) != 0 }
    }

    /// Returns the alignment that a global variable asks for, in bytes; 0 if it asks for none.
    pub fn global_align(self) -> u32 {
        assert!(self.is_variable());
        // SAFETY: a global variable.
        unsafe { LLVMGetAlignment(self.raw()) }
    }

    /// Returns the name of the section that a global variable asks for; empty if it asks for none.
    pub fn section(self) -> &'m str {
        assert!(self.is_variable());
        // SAFETY: a global variable, whose section is a string that lives as long as the module.
        let section = unsafe {
            let raw = LLVMGetSection(self.raw());
            (!raw.is_null()).then(|| CStr::from_ptr(raw))
        };
        section.map_or("", |name| name.to_str().unwrap_or(""))
    }

    /// Returns what an alias stands for, or `None` if this is no alias.
    pub fn aliasee(self) -> Option<Value<'m>> {
        if self.kind() != ValueKind::LLVMGlobalAliasValueKind {
            return None;
        }
        // SAFETY: checked to be an alias.
        Value::new(unsafe { LLVMAliasGetAliasee(self.raw()) })
    }

    /// Returns the debug information of a function or global variable, or `None`.
    pub fn attached_debug(self) -> Option<Metadata<'m>> {
        assert!(self.is_function() || self.is_variable());
        // SAFETY: a global object; the list is read within its length and freed once.
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.raw(), &mut count);
            let mut found = None;
            for index in 0..count as c_uint {
                if LLVMValueMetadataEntriesGetKind(entries, index) == 0 {
                    found = Metadata::new(
                        LLVMValueMetadataEntriesGetMetadata(entries, index),
                        self.context(),
                    );
                    break;
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }

    pub(super) fn context(self) -> LLVMContextRef {
        // SAFETY: the value is valid.
        unsafe { LLVMGetTypeContext(LLVMTypeOf(self.raw())) }
    }

    /// Returns the parameters of a function.
    pub fn parameters(self) -> impl Iterator<Item = Value<'m>> {
        assert!(self.is_function());
        // SAFETY: a function; its parameters do not change.
        let first = unsafe { LLVMGetFirstParam(self.raw()) };
        chain(first, |p| unsafe { LLVMGetNextParam(p) })
    }

    /// Returns the blocks of a function, the entry first.
    pub fn blocks(self) -> impl Iterator<Item = Block<'m>> {
        assert!(self.is_function());
        // SAFETY: a function; its blocks do not change.
        let first = Block::new(unsafe { LLVMGetFirstBasicBlock(self.raw()) });
        std::iter::successors(first, |block| {
            Block::new(unsafe { LLVMGetNextBasicBlock(block.raw()) })
        })
    }

    /// Returns the personality routine of a function, or `None`.
    pub fn personality(self) -> Option<Value<'m>> {
        assert!(self.is_function());
        // SAFETY: a function, asked whether it has one first.
        unsafe {
            if LLVMHasPersonalityFn(self.raw()) == 0 {
                return None;
            }
            Value::new(LLVMGetPersonalityFn(self.raw()))
        }
    }

    /// Returns whether a function promises that no exception leaves it.
    pub fn is_no_unwind(self, module: &'m Module) -> bool {
        assert!(self.is_function());
        // SAFETY: a function and a number of an attribute.
        unsafe {
            !LLVMGetEnumAttributeAtIndex(
                self.raw(),
                llvm_sys::LLVMAttributeFunctionIndex,
                module.attributes.no_unwind,
            )
            .is_null()
        }
    }

    /// Returns whether a function is one of LLVM's intrinsics.
    pub fn is_intrinsic(self) -> bool {
        // SAFETY: checked to be a function.
        self.is_function() && unsafe { LLVMGetIntrinsicID(self.raw()) != 0 }
    }
}

impl<'m> Block<'m> {
    pub(super) fn new(raw: LLVMBasicBlockRef) -> Option<Block<'m>> {
        NonNull::new(raw).map(|raw| Block(raw, PhantomData))
    }

    pub(super) fn raw(self) -> LLVMBasicBlockRef {
        self.0.as_ptr()
    }

    /// Returns its instructions, in order.
    pub fn instructions(self) -> impl Iterator<Item = Instruction<'m>> {
        // SAFETY: the block is valid and does not change.
        let first = unsafe { LLVMGetFirstInstruction(self.raw()) };
        chain(first, |i| unsafe { LLVMGetNextInstruction(i) }).map(Instruction::new)
    }

    /// Returns the last instruction, or `None` if the block has no terminator.
    pub fn terminator(self) -> Option<Instruction<'m>> {
        // SAFETY: the block is valid.
        Value::new(unsafe { LLVMGetBasicBlockTerminator(self.raw()) }).map(Instruction::new)
    }
}
