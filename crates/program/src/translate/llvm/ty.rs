//! Types of LLVM's.

use super::*;
use llvm_sys::LLVMTypeKind;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::translate) struct Type<'m>(NonNull<llvm_sys::LLVMType>, PhantomData<&'m Module>);

/// What a type is.
pub(in crate::translate) enum TypeKind<'m> {
    Void,
    Integer(u32),
    Half,
    Float,
    Double,
    Extended,
    Quad,
    Pointer,
    Array(Type<'m>, u64),
    Vector(Type<'m>, u32),
    Struct(u32),
    Other,
}

impl<'m> Type<'m> {
    pub(super) fn new(raw: LLVMTypeRef) -> Type<'m> {
        Type(NonNull::new(raw).expect("every type exists"), PhantomData)
    }

    pub(super) fn raw(self) -> LLVMTypeRef {
        self.0.as_ptr()
    }

    /// Returns the kind of the type.
    pub fn kind(self) -> TypeKind<'m> {
        use LLVMTypeKind::*;
        // SAFETY: each function is called for the kind that it is for.
        unsafe {
            match LLVMGetTypeKind(self.raw()) {
                LLVMVoidTypeKind => TypeKind::Void,
                LLVMIntegerTypeKind => TypeKind::Integer(LLVMGetIntTypeWidth(self.raw())),
                LLVMHalfTypeKind | LLVMBFloatTypeKind => TypeKind::Half,
                LLVMFloatTypeKind => TypeKind::Float,
                LLVMDoubleTypeKind => TypeKind::Double,
                LLVMX86_FP80TypeKind => TypeKind::Extended,
                LLVMFP128TypeKind | LLVMPPC_FP128TypeKind => TypeKind::Quad,
                LLVMPointerTypeKind => TypeKind::Pointer,
                LLVMArrayTypeKind => TypeKind::Array(
                    Type::new(LLVMGetElementType(self.raw())),
                    LLVMGetArrayLength2(self.raw()),
                ),
                LLVMVectorTypeKind => TypeKind::Vector(
                    Type::new(LLVMGetElementType(self.raw())),
                    LLVMGetVectorSize(self.raw()),
                ),
                LLVMStructTypeKind => TypeKind::Struct(LLVMCountStructElementTypes(self.raw())),
                _ => TypeKind::Other,
            }
        }
    }

    /// Returns whether it has a size that does not depend on the processor.
    pub fn is_sized(self) -> bool {
        match self.kind() {
            TypeKind::Void => false,
            TypeKind::Array(element, _) => element.is_sized(),
            TypeKind::Struct(count) => {
                // SAFETY: the type is valid.
                let sized = unsafe { LLVMTypeIsSized(self.raw()) } != 0;
                sized && (0..count).all(|index| self.member(index).is_sized())
            }
            TypeKind::Other => false,
            _ => true,
        }
    }

    /// Returns a member of a struct.
    pub fn member(self, index: u32) -> Type<'m> {
        assert!(matches!(self.kind(), TypeKind::Struct(count) if index < count));
        // SAFETY: a struct with such a member.
        Type::new(unsafe { LLVMStructGetTypeAtIndex(self.raw(), index) })
    }

    fn is_function(self) -> bool {
        // SAFETY: the type is valid.
        matches!(
            unsafe { LLVMGetTypeKind(self.raw()) },
            LLVMTypeKind::LLVMFunctionTypeKind
        )
    }

    /// Returns the parameters of a function type.
    pub fn parameters(self) -> Vec<Type<'m>> {
        assert!(self.is_function());
        // SAFETY: a function type; the buffer has room for as many types as there are.
        unsafe {
            let mut types = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.raw()) as usize];
            LLVMGetParamTypes(self.raw(), types.as_mut_ptr());
            types.into_iter().map(Type::new).collect()
        }
    }

    /// Returns the result type of a function type.
    pub fn result(self) -> Type<'m> {
        assert!(self.is_function());
        // SAFETY: a function type.
        Type::new(unsafe { LLVMGetReturnType(self.raw()) })
    }

    /// Returns whether a function type takes variable arguments.
    pub fn is_variadic(self) -> bool {
        assert!(self.is_function());
        // SAFETY: a function type.
        unsafe { LLVMIsFunctionVarArg(self.raw()) != 0 }
    }
}

impl std::fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: the type is valid; the string is taken once.
        f.write_str(&unsafe { take_message(LLVMPrintTypeToString(self.raw())) })
    }
}
