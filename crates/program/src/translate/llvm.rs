//! LLVM's modules, read through its C interface. All `unsafe` code of the crate lies here and in
//! the folder beside it.
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
mod value;

pub(super) use instruction::Instruction;
pub(super) use llvm_sys::{
    LLVMAtomicOrdering as AtomicOrdering, LLVMAtomicRMWBinOp as AtomicOperation,
    LLVMIntPredicate as IntPredicate, LLVMLinkage as RawLinkage, LLVMOpcode as Opcode,
    LLVMRealPredicate as RealPredicate, LLVMValueKind as ValueKind,
};
pub(super) use metadata::{Metadata, MetadataKind};
pub(super) use ty::{Type, TypeKind};
pub(super) use value::{Block, Value};

use llvm_sys::core::*;
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::path::Path;

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
        // SAFETY: both were made by `read`, and nothing else uses them; the module goes before its
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
/// SAFETY: the module is valid, and nothing refers to its parts.
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
/// SAFETY: `message` is null or a string from LLVM that nothing else frees.
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

/// Keeps LLVM's remarks and warnings off the terminal; the reader returns errors.
extern "C" fn ignore_diagnostic(_: LLVMDiagnosticInfoRef, _: *mut c_void) {}

impl Module {
    /// Reads bitcode or textual IR. Fails with LLVM's own message.
    pub fn read(path: &Path) -> Result<Module, String> {
        use std::os::unix::ffi::OsStrExt;
        let name = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| "the path holds a null byte".to_string())?;
        // SAFETY: all out-pointers point to locals; the context is disposed on every exit but
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

    /// Checks the module by LLVM's own rules. Fails with LLVM's own message.
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

    /// Returns whether addresses have 32 bits.
    pub fn is_ilp32(&self) -> bool {
        // SAFETY: the layout belongs to the module.
        unsafe { LLVMPointerSize(self.layout) == crate::ilp32::BYTES }
    }

    /// Returns whether addresses have 64 or 32 bits and the byte order is little-endian.
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

    /// Returns the name of the source file, or of the module.
    pub fn source_name(&self) -> String {
        let mut length = 0;
        // SAFETY: the string lives in the module.
        unsafe {
            let start = LLVMGetSourceFileName(self.module, &mut length);
            text(start, length)
        }
    }

    /// Returns all functions, declared and defined.
    pub fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: the module is valid; the list of functions does not change.
        let first = unsafe { LLVMGetFirstFunction(self.module) };
        chain(first, |f| unsafe { LLVMGetNextFunction(f) })
    }

    /// Returns all global variables.
    pub fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: as for functions.
        let first = unsafe { LLVMGetFirstGlobal(self.module) };
        chain(first, |g| unsafe { LLVMGetNextGlobal(g) })
    }

    /// Returns all aliases.
    pub fn aliases(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: as for functions.
        let first = unsafe { LLVMGetFirstGlobalAlias(self.module) };
        chain(first, |a| unsafe { LLVMGetNextGlobalAlias(a) })
    }

    /// Returns all indirect functions.
    pub fn indirect_functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: as for functions.
        let first = unsafe { LLVMGetFirstGlobalIFunc(self.module) };
        chain(first, |i| unsafe { LLVMGetNextGlobalIFunc(i) })
    }

    /// Returns the distance of two neighbours of a sized type in an array, in bytes.
    pub fn size_of(&self, ty: Type<'_>) -> u64 {
        assert!(ty.is_sized());
        // SAFETY: the type is sized.
        unsafe { LLVMABISizeOfType(self.layout, ty.raw()) }
    }

    /// Returns the default alignment of a sized type, in bytes.
    pub fn align_of(&self, ty: Type<'_>) -> u32 {
        assert!(ty.is_sized());
        // SAFETY: the type is sized.
        unsafe { LLVMABIAlignmentOfType(self.layout, ty.raw()) }
    }

    /// Returns the offset of a member of a struct, in bytes.
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
