//! Metadata of LLVM's: what is known of the source.

use super::*;
pub(in crate::translate) use llvm_sys::debuginfo::LLVMMetadataKind as MetadataKind;
use llvm_sys::debuginfo::*;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A node of metadata.
#[derive(Clone, Copy)]
pub(in crate::translate) struct Metadata<'m> {
    raw: NonNull<llvm_sys::LLVMOpaqueMetadata>,
    context: LLVMContextRef,
    module: PhantomData<&'m Module>,
}

impl PartialEq for Metadata<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Metadata<'_> {}

impl std::hash::Hash for Metadata<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

impl<'m> Metadata<'m> {
    pub(super) fn new(raw: LLVMMetadataRef, context: LLVMContextRef) -> Option<Metadata<'m>> {
        NonNull::new(raw).map(|raw| Metadata {
            raw,
            context,
            module: PhantomData,
        })
    }

    fn raw(self) -> LLVMMetadataRef {
        self.raw.as_ptr()
    }

    /// Returns the kind of the node.
    pub fn kind(self) -> MetadataKind {
        // SAFETY: the node is valid.
        unsafe { LLVMGetMetadataKind(self.raw()) }
    }

    /// Returns whether the node is of this kind.
    pub fn is(self, kind: MetadataKind) -> bool {
        self.kind() as u32 == kind as u32
    }

    fn expect<const N: usize>(self, kinds: [MetadataKind; N]) {
        let found = kinds.into_iter().any(|kind| self.is(kind));
        assert!(found, "metadata of kind {:?}", self.kind());
    }

    fn as_value(self) -> Value<'m> {
        // SAFETY: the node is valid and belongs to the context.
        Value::new(unsafe { LLVMMetadataAsValue(self.context, self.raw()) })
            .expect("a wrapper is made")
    }

    /// Returns LLVM's text for the node.
    pub fn print(self) -> String {
        self.as_value().print()
    }

    /// Returns the text of a string, or `None`.
    pub fn string(self) -> Option<String> {
        if !self.is(MetadataKind::LLVMMDStringMetadataKind) {
            return None;
        }
        let mut length = 0;
        // SAFETY: checked to be a string, which lives in the context.
        unsafe {
            let start = LLVMGetMDString(self.as_value().raw(), &mut length);
            Some(text(start, length as usize))
        }
    }

    /// Returns the constant integer that the node wraps, or `None`.
    pub fn integer(self) -> Option<u128> {
        if !self.is(MetadataKind::LLVMConstantAsMetadataMetadataKind) {
            return None;
        }
        let mut value = std::ptr::null_mut();
        // SAFETY: for a wrapped value LLVM writes one operand, the value.
        unsafe { LLVMGetMDNodeOperands(self.as_value().raw(), &mut value) };
        Value::new(value)?.integer()
    }

    fn is_node(self) -> bool {
        use MetadataKind::*;
        !matches!(
            self.kind(),
            LLVMMDStringMetadataKind
                | LLVMConstantAsMetadataMetadataKind
                | LLVMLocalAsMetadataMetadataKind
                | LLVMDistinctMDOperandPlaceholderMetadataKind
                | LLVMDIArgListMetadataKind
        )
    }

    /// Returns the operands of a node; none if it has no operands.
    pub fn operands(self) -> Vec<Option<Metadata<'m>>> {
        if !self.is_node() {
            return Vec::new();
        }
        let value = self.as_value();
        // SAFETY: checked to be a node; the buffer has room for all operands; each is null or a
        // value that wraps metadata.
        unsafe {
            let mut operands =
                vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(value.raw()) as usize];
            LLVMGetMDNodeOperands(value.raw(), operands.as_mut_ptr());
            operands
                .into_iter()
                .map(|operand| {
                    if operand.is_null() {
                        return None;
                    }
                    Metadata::new(LLVMValueAsMetadata(operand), self.context)
                })
                .collect()
        }
    }

    /// Returns the line, column, scope and inlining site of a location, or `None`.
    pub fn location(self) -> Option<(u32, u32, Metadata<'m>, Option<Metadata<'m>>)> {
        if !self.is(MetadataKind::LLVMDILocationMetadataKind) {
            return None;
        }
        // SAFETY: checked to be a location.
        unsafe {
            Some((
                LLVMDILocationGetLine(self.raw()),
                LLVMDILocationGetColumn(self.raw()),
                Metadata::new(LLVMDILocationGetScope(self.raw()), self.context)?,
                Metadata::new(LLVMDILocationGetInlinedAt(self.raw()), self.context),
            ))
        }
    }

    fn is_scope(self) -> bool {
        use MetadataKind::*;
        matches!(
            self.kind(),
            LLVMDIBasicTypeMetadataKind
                | LLVMDIDerivedTypeMetadataKind
                | LLVMDICompositeTypeMetadataKind
                | LLVMDISubroutineTypeMetadataKind
                | LLVMDIFileMetadataKind
                | LLVMDICompileUnitMetadataKind
                | LLVMDISubprogramMetadataKind
                | LLVMDILexicalBlockMetadataKind
                | LLVMDILexicalBlockFileMetadataKind
                | LLVMDINamespaceMetadataKind
                | LLVMDIModuleMetadataKind
                | LLVMDICommonBlockMetadataKind
        )
    }

    /// Returns the file of a scope, or `None`.
    pub fn file_of_scope(self) -> Option<Metadata<'m>> {
        if !self.is_scope() {
            return None;
        }
        // SAFETY: checked to be a scope.
        Metadata::new(unsafe { LLVMDIScopeGetFile(self.raw()) }, self.context)
    }

    /// Returns the directory and the name of a file.
    pub fn file_name(self) -> (String, String) {
        self.expect([MetadataKind::LLVMDIFileMetadataKind]);
        let mut length = 0;
        // SAFETY: a file; its strings live in the context.
        unsafe {
            let start = LLVMDIFileGetDirectory(self.raw(), &mut length);
            let directory = text(start, length as usize);
            let start = LLVMDIFileGetFilename(self.raw(), &mut length);
            (directory, text(start, length as usize))
        }
    }

    /// Returns the line of a function.
    pub fn subprogram_line(self) -> u32 {
        self.expect([MetadataKind::LLVMDISubprogramMetadataKind]);
        // SAFETY: a function.
        unsafe { LLVMDISubprogramGetLine(self.raw()) }
    }

    /// Returns the line and file of a variable.
    pub fn variable_place(self) -> (u32, Option<Metadata<'m>>) {
        self.expect([
            MetadataKind::LLVMDILocalVariableMetadataKind,
            MetadataKind::LLVMDIGlobalVariableMetadataKind,
        ]);
        // SAFETY: a variable.
        unsafe {
            (
                LLVMDIVariableGetLine(self.raw()),
                Metadata::new(LLVMDIVariableGetFile(self.raw()), self.context),
            )
        }
    }

    /// Returns the variable of a global variable's attachment, or `None`.
    pub fn global_variable(self) -> Option<Metadata<'m>> {
        if !self.is(MetadataKind::LLVMDIGlobalVariableExpressionMetadataKind) {
            return None;
        }
        // SAFETY: checked to be such an attachment.
        Metadata::new(
            unsafe { LLVMDIGlobalVariableExpressionGetVariable(self.raw()) },
            self.context,
        )
    }

    fn is_type(self) -> bool {
        use MetadataKind::*;
        matches!(
            self.kind(),
            LLVMDIBasicTypeMetadataKind
                | LLVMDIDerivedTypeMetadataKind
                | LLVMDICompositeTypeMetadataKind
                | LLVMDISubroutineTypeMetadataKind
        )
    }

    /// Returns the DWARF tag of a type.
    pub fn tag(self) -> u16 {
        assert!(self.is_type());
        // SAFETY: a type is a node with a tag.
        unsafe { LLVMGetDINodeTag(self.raw()) }
    }

    /// Returns the size and offset of a type, in bits, and its flags.
    pub fn type_layout(self) -> (u64, u64, i32) {
        assert!(self.is_type());
        // SAFETY: a type.
        unsafe {
            (
                LLVMDITypeGetSizeInBits(self.raw()),
                LLVMDITypeGetOffsetInBits(self.raw()),
                LLVMDITypeGetFlags(self.raw()),
            )
        }
    }
}

impl<'m> Value<'m> {
    /// Returns the metadata that the value wraps, or `None`.
    pub fn as_metadata(self) -> Option<Metadata<'m>> {
        if self.kind() != ValueKind::LLVMMetadataAsValueValueKind {
            return None;
        }
        // SAFETY: checked to wrap metadata.
        Metadata::new(unsafe { LLVMValueAsMetadata(self.raw()) }, self.context())
    }

    /// Returns the value inside metadata that wraps a value, itself wrapped.
    pub fn unwrapped(self) -> Option<Value<'m>> {
        use MetadataKind::*;
        let kind = self.as_metadata()?.kind();
        if !matches!(
            kind,
            LLVMConstantAsMetadataMetadataKind | LLVMLocalAsMetadataMetadataKind
        ) {
            return None;
        }
        let mut value = std::ptr::null_mut();
        // SAFETY: for a wrapped value LLVM writes one operand, the value.
        unsafe { LLVMGetMDNodeOperands(self.raw(), &mut value) };
        Value::new(value)
    }
}
