//! LLVM's objects, read through its C interface: the only room with `unsafe` code.
//!
//! SAFETY, for all of it: a [`Module`] owns an LLVM context and a module in it, and frees both when
//! it goes. Every other type here is a non-null pointer that LLVM gave out for an object which that
//! context owns; its lifetime parameter keeps it from outliving the module. Once a module is read,
//! nothing here removes or changes an object: constants and metadata wrappers are only ever added
//! to the context, which moves nothing. No type here is `Send`, so a context is used by one thread
//! only. Functions of LLVM that demand a certain kind of object are called after a check of the
//! kind, which panics where translation has a mistake; indices are checked likewise.

mod instruction;
mod metadata;
mod ty;

pub(super) use instruction::Instruction;
pub(super) use llvm_sys::{
    LLVMAtomicOrdering as AtomicOrdering, LLVMAtomicRMWBinOp as AtomicOperation,
    LLVMIntPredicate as IntPredicate, LLVMLinkage as RawLinkage, LLVMOpcode as Opcode,
    LLVMRealPredicate as RealPredicate, LLVMValueKind as ValueKind,
};
pub(super) use metadata::{Metadata, MetadataKind};
pub(super) use ty::{Type, TypeKind};

use llvm_sys::core::*;
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::marker::PhantomData;
use std::path::Path;
use std::ptr::NonNull;

/// A module that was read from a file.
pub(super) struct Module {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    layout: LLVMTargetDataRef,
    attributes: Attributes,
}

/// LLVM's numbers of the attributes that matter.
#[derive(Clone, Copy)]
struct Attributes {
    by_value: c_uint,
    align: c_uint,
    no_unwind: c_uint,
    returns_twice: c_uint,
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: both were made by `read` and are used by nobody else; the module goes before its
        // context.
        unsafe {
            LLVMDisposeModule(self.module);
            LLVMContextDispose(self.context);
        }
    }
}

/// What makes ordinary functions of coroutines.
const COROUTINE_PASSES: &CStr = c"coro-early,cgscc(coro-split),coro-cleanup,globaldce";

/// Makes ordinary functions of a module's coroutines, if it has any.
///
/// SAFETY: the module is valid, and nobody holds anything of it.
unsafe fn split_coroutines(module: LLVMModuleRef) -> Result<(), String> {
    use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
    use llvm_sys::transforms::pass_builder::{
        LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
    };
    // SAFETY: names end in null; options and the message are freed once, by their own functions.
    unsafe {
        if LLVMGetNamedFunction(module, c"llvm.coro.id".as_ptr()).is_null() {
            return Ok(());
        }
        let options = LLVMCreatePassBuilderOptions();
        let error = LLVMRunPasses(
            module,
            COROUTINE_PASSES.as_ptr(),
            std::ptr::null_mut(),
            options,
        );
        LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(text)
    }
}

/// Takes a message that LLVM allocated.
///
/// SAFETY: `message` is null or a string from LLVM that nobody else frees.
unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}

/// The text at a pointer and length that LLVM gave out; lossy where it is not UTF-8.
///
/// SAFETY: `start` is null or points to `length` bytes that stay while it is read.
unsafe fn text(start: *const c_char, length: usize) -> String {
    if start.is_null() || length == 0 {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Keeps LLVM's remarks and warnings off the terminal; errors come back from the reader.
extern "C" fn ignore_diagnostic(_: LLVMDiagnosticInfoRef, _: *mut c_void) {}

impl Module {
    /// Reads bitcode or textual IR; the error is LLVM's own message.
    pub fn read(path: &Path) -> Result<Module, String> {
        use std::os::unix::ffi::OsStrExt;
        let name = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| "the path holds a null byte".to_string())?;
        // SAFETY: all out-pointers point to locals; the context is disposed on every way out but
        // success, where the new `Module` owns it; `LLVMParseIRInContext` takes the buffer over.
        unsafe {
            let mut buffer = std::ptr::null_mut();
            let mut message = std::ptr::null_mut();
            if LLVMCreateMemoryBufferWithContentsOfFile(name.as_ptr(), &mut buffer, &mut message)
                != 0
            {
                return Err(take_message(message));
            }
            let context = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(context, Some(ignore_diagnostic), std::ptr::null_mut());
            let mut module = std::ptr::null_mut();
            if LLVMParseIRInContext(context, buffer, &mut module, &mut message) != 0 {
                LLVMContextDispose(context);
                return Err(take_message(message));
            }
            if let Err(message) = split_coroutines(module) {
                LLVMDisposeModule(module);
                LLVMContextDispose(context);
                return Err(message);
            }
            LLVMSetIsNewDbgInfoFormat(module, 0);
            let attribute =
                |name: &str| LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            Ok(Module {
                context,
                module,
                layout: LLVMGetModuleDataLayout(module),
                attributes: Attributes {
                    by_value: attribute("byval"),
                    align: attribute("align"),
                    no_unwind: attribute("nounwind"),
                    returns_twice: attribute("returns_twice"),
                },
            })
        }
    }

    /// What is wrong with the module by LLVM's own rules, if anything.
    pub fn verify(&self) -> Result<(), String> {
        use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
        let mut message = std::ptr::null_mut();
        // SAFETY: the module is valid, the message is taken once.
        unsafe {
            let broken = LLVMVerifyModule(
                self.module,
                LLVMVerifierFailureAction::LLVMReturnStatusAction,
                &mut message,
            );
            let text = take_message(message);
            if broken != 0 { Err(text) } else { Ok(()) }
        }
    }

    /// Whether addresses have 32 bits, and not 64.
    pub fn is_ilp32(&self) -> bool {
        // SAFETY: the layout belongs to the module.
        unsafe { LLVMPointerSize(self.layout) == crate::ilp32::BYTES }
    }

    /// Whether addresses have 64 or 32 bits and the low byte comes first.
    pub fn has_usual_layout(&self) -> bool {
        // SAFETY: the layout belongs to the module.
        unsafe {
            matches!(LLVMPointerSize(self.layout), 8 | crate::ilp32::BYTES)
                && matches!(
                    LLVMByteOrder(self.layout),
                    LLVMByteOrdering::LLVMLittleEndian
                )
        }
    }

    /// The name of the source file, or of the module.
    pub fn source_name(&self) -> String {
        let mut length = 0;
        // SAFETY: the string lives in the module.
        unsafe {
            let start = LLVMGetSourceFileName(self.module, &mut length);
            text(start, length)
        }
    }

    /// All functions, declared and defined.
    pub fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: the module is valid; the list of functions does not change.
        let first = unsafe { LLVMGetFirstFunction(self.module) };
        chain(first, |f| unsafe { LLVMGetNextFunction(f) })
    }

    /// All global variables.
    pub fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: as for functions.
        let first = unsafe { LLVMGetFirstGlobal(self.module) };
        chain(first, |g| unsafe { LLVMGetNextGlobal(g) })
    }

    /// All aliases.
    pub fn aliases(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: as for functions.
        let first = unsafe { LLVMGetFirstGlobalAlias(self.module) };
        chain(first, |a| unsafe { LLVMGetNextGlobalAlias(a) })
    }

    /// All indirect functions.
    pub fn indirect_functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: as for functions.
        let first = unsafe { LLVMGetFirstGlobalIFunc(self.module) };
        chain(first, |i| unsafe { LLVMGetNextGlobalIFunc(i) })
    }

    /// How many bytes apart two neighbours of a sized type lie.
    pub fn size_of(&self, ty: Type<'_>) -> u64 {
        assert!(ty.is_sized());
        // SAFETY: the type is sized.
        unsafe { LLVMABISizeOfType(self.layout, ty.raw()) }
    }

    /// The alignment that a sized type has by default.
    pub fn align_of(&self, ty: Type<'_>) -> u32 {
        assert!(ty.is_sized());
        // SAFETY: the type is sized.
        unsafe { LLVMABIAlignmentOfType(self.layout, ty.raw()) }
    }

    /// The offset of a member of a struct.
    pub fn offset_of(&self, ty: Type<'_>, member: u32) -> u64 {
        assert!(matches!(ty.kind(), TypeKind::Struct(count) if member < count) && ty.is_sized());
        // SAFETY: a sized struct with such a member.
        unsafe { LLVMOffsetOfElement(self.layout, ty.raw(), member) }
    }
}

/// Follows a list that LLVM keeps, from its first element to the null at its end.
fn chain<'m>(
    first: LLVMValueRef,
    next: impl Fn(LLVMValueRef) -> LLVMValueRef,
) -> impl Iterator<Item = Value<'m>> {
    std::iter::successors(Value::new(first), move |value| {
        Value::new(next(value.raw()))
    })
}

/// Anything that has a type: constants, globals, parameters, instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Value<'m>(NonNull<llvm_sys::LLVMValue>, PhantomData<&'m Module>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Block<'m>(NonNull<llvm_sys::LLVMBasicBlock>, PhantomData<&'m Module>);

impl<'m> Value<'m> {
    fn new(raw: LLVMValueRef) -> Option<Value<'m>> {
        NonNull::new(raw).map(|raw| Value(raw, PhantomData))
    }

    fn raw(self) -> LLVMValueRef {
        self.0.as_ptr()
    }

    /// Which class of LLVM's it is.
    pub fn kind(self) -> ValueKind {
        // SAFETY: the value is valid.
        unsafe { LLVMGetValueKind(self.raw()) }
    }

    /// Its type.
    pub fn ty(self) -> Type<'m> {
        // SAFETY: the value is valid.
        Type::new(unsafe { LLVMTypeOf(self.raw()) })
    }

    /// Its name; empty if it has none.
    pub fn name(self) -> String {
        let mut length = 0;
        // SAFETY: the string lives in the value.
        unsafe {
            let start = LLVMGetValueName2(self.raw(), &mut length);
            text(start, length)
        }
    }

    /// LLVM's own text for it.
    pub fn print(self) -> String {
        // SAFETY: the value is valid; the string is taken once.
        unsafe { take_message(LLVMPrintValueToString(self.raw())) }
    }

    /// As an instruction, if it is one.
    pub fn as_instruction(self) -> Option<Instruction<'m>> {
        (self.kind() == ValueKind::LLVMInstructionValueKind).then(|| Instruction::new(self))
    }

    /// Whether it is a constant (globals and functions are).
    pub fn is_constant(self) -> bool {
        // SAFETY: the value is valid.
        unsafe { LLVMIsConstant(self.raw()) != 0 }
    }

    /// Whether it is the constant of its type that is all zeros.
    pub fn is_zero(self) -> bool {
        // SAFETY: the value is valid.
        self.is_constant() && unsafe { LLVMIsNull(self.raw()) != 0 }
    }

    /// Whether it is `undef` or `poison`.
    pub fn is_undefined(self) -> bool {
        matches!(
            self.kind(),
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind
        )
    }

    /// How many operands it has.
    pub fn operand_count(self) -> u32 {
        // SAFETY: LLVM answers this for users only, which the check makes sure of.
        unsafe {
            if LLVMIsAUser(self.raw()).is_null() {
                return 0;
            }
            LLVMGetNumOperands(self.raw()) as u32
        }
    }

    /// One of its operands.
    pub fn operand(self, index: u32) -> Value<'m> {
        assert!(index < self.operand_count());
        // SAFETY: there is such an operand.
        Value::new(unsafe { LLVMGetOperand(self.raw(), index) }).expect("operands exist")
    }

    /// All of its operands.
    pub fn operands(self) -> impl Iterator<Item = Value<'m>> {
        (0..self.operand_count()).map(move |index| self.operand(index))
    }

    /// The instructions and constants that use it, each as often as it does.
    pub fn users(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: the value is valid; the list of its uses is not changed while it is followed.
        let first = NonNull::new(unsafe { LLVMGetFirstUse(self.raw()) });
        std::iter::successors(first, |use_| {
            NonNull::new(unsafe { LLVMGetNextUse(use_.as_ptr()) })
        })
        .map(|use_| Value::new(unsafe { LLVMGetUser(use_.as_ptr()) }).expect("a use has a user"))
    }

    /// The value of a constant integer of at most 128 bits, zero-extended.
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

    /// The bits of a constant floating-point number.
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

    /// An element of a constant struct, array or vector.
    pub fn element(self, index: u32) -> Option<Value<'m>> {
        if !self.is_constant() {
            return None;
        }
        // SAFETY: a constant; LLVM answers null where there is no such element.
        Value::new(unsafe { LLVMGetAggregateElement(self.raw(), index) })
    }

    /// The bytes of a constant array of bytes that is kept as such.
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

    /// The operation of a constant expression.
    pub fn constant_opcode(self) -> Option<Opcode> {
        // SAFETY: checked to be a constant expression.
        (self.kind() == ValueKind::LLVMConstantExprValueKind)
            .then(|| unsafe { LLVMGetConstOpcode(self.raw()) })
    }

    /// The block that this is the address of.
    pub fn labelled(self) -> Option<Block<'m>> {
        if self.kind() != ValueKind::LLVMBlockAddressValueKind {
            return None;
        }
        // SAFETY: checked to be the address of a block.
        unsafe { Block::new(LLVMGetBlockAddressBasicBlock(self.raw())) }
    }

    /// The assembly and the constraints of inline assembly.
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

    /// Whether it is a function.
    pub fn is_function(self) -> bool {
        self.kind() == ValueKind::LLVMFunctionValueKind
    }

    /// How a global is linked.
    pub fn linkage(self) -> RawLinkage {
        assert!(self.is_global());
        // SAFETY: a global value.
        unsafe { LLVMGetLinkage(self.raw()) }
    }

    /// Whether a global has no definition here.
    pub fn is_declaration(self) -> bool {
        assert!(self.is_global());
        // SAFETY: a global value.
        unsafe { LLVMIsDeclaration(self.raw()) != 0 }
    }

    /// The type of what a global's address points to.
    pub fn global_type(self) -> Type<'m> {
        assert!(self.is_global());
        // SAFETY: a global value.
        Type::new(unsafe { LLVMGlobalGetValueType(self.raw()) })
    }

    fn is_variable(self) -> bool {
        self.kind() == ValueKind::LLVMGlobalVariableValueKind
    }

    /// What a global variable starts as.
    pub fn initializer(self) -> Option<Value<'m>> {
        assert!(self.is_variable());
        // SAFETY: a global variable.
        Value::new(unsafe { LLVMGetInitializer(self.raw()) })
    }

    /// Whether it is a thread-local variable.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: checked to be a global variable.
        self.is_variable() && unsafe { LLVMIsThreadLocal(self.raw()) != 0 }
    }

    /// Whether a global variable is never written.
    pub fn is_constant_variable(self) -> bool {
        // SAFETY: checked to be a global variable.
        self.is_variable() && unsafe { LLVMIsGlobalConstant(self.raw()) != 0 }
    }

    /// The alignment in bytes that a global variable asks for; 0 if it does not.
    pub fn global_align(self) -> u32 {
        assert!(self.is_variable());
        // SAFETY: a global variable.
        unsafe { LLVMGetAlignment(self.raw()) }
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> Option<Value<'m>> {
        if self.kind() != ValueKind::LLVMGlobalAliasValueKind {
            return None;
        }
        // SAFETY: checked to be an alias.
        Value::new(unsafe { LLVMAliasGetAliasee(self.raw()) })
    }

    /// Metadata attached to a function or global variable under LLVM's number `kind` (0 is `dbg`).
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

    fn context(self) -> LLVMContextRef {
        // SAFETY: the value is valid.
        unsafe { LLVMGetTypeContext(LLVMTypeOf(self.raw())) }
    }

    /// The parameters of a function.
    pub fn parameters(self) -> impl Iterator<Item = Value<'m>> {
        assert!(self.is_function());
        // SAFETY: a function; its parameters do not change.
        let first = unsafe { LLVMGetFirstParam(self.raw()) };
        chain(first, |p| unsafe { LLVMGetNextParam(p) })
    }

    /// The blocks of a function, the entry first.
    pub fn blocks(self) -> impl Iterator<Item = Block<'m>> {
        assert!(self.is_function());
        // SAFETY: a function; its blocks do not change.
        let first = Block::new(unsafe { LLVMGetFirstBasicBlock(self.raw()) });
        std::iter::successors(first, |block| {
            Block::new(unsafe { LLVMGetNextBasicBlock(block.raw()) })
        })
    }

    /// The personality function of a function.
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

    /// Whether a function promises that no exception leaves it.
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

    /// Whether a function is one of LLVM's intrinsics.
    pub fn is_intrinsic(self) -> bool {
        // SAFETY: checked to be a function.
        self.is_function() && unsafe { LLVMGetIntrinsicID(self.raw()) != 0 }
    }
}

impl<'m> Block<'m> {
    fn new(raw: LLVMBasicBlockRef) -> Option<Block<'m>> {
        NonNull::new(raw).map(|raw| Block(raw, PhantomData))
    }

    fn raw(self) -> LLVMBasicBlockRef {
        self.0.as_ptr()
    }

    /// Its instructions, in order.
    pub fn instructions(self) -> impl Iterator<Item = Instruction<'m>> {
        // SAFETY: the block is valid and does not change.
        let first = unsafe { LLVMGetFirstInstruction(self.raw()) };
        chain(first, |i| unsafe { LLVMGetNextInstruction(i) }).map(Instruction::new)
    }

    /// The last instruction.
    pub fn terminator(self) -> Option<Instruction<'m>> {
        // SAFETY: the block is valid.
        Value::new(unsafe { LLVMGetBasicBlockTerminator(self.raw()) }).map(Instruction::new)
    }
}
