//! What the functions of a module share while it is translated: types, symbols, source information.

use super::llvm::{Block, Module, RawLinkage, Value, ValueKind};
use super::source::Source;
use super::stem::stem;
use super::types::Types;
use crate::instruction::SymbolId;
use crate::unit::{Definition, Linkage, Symbol};
use rustc_hash::FxHashMap;

/// A module under translation.
pub(super) struct Context<'m> {
    pub module: &'m Module,
    pub types: Types<'m>,
    pub source: Source<'m>,
    /// The symbols found so far.
    pub symbols: Vec<Symbol>,
    numbers: FxHashMap<Value<'m>, SymbolId>,
    /// Functions that the module itself does not mention.
    runtime: FxHashMap<String, SymbolId>,
    /// The names of intrinsics, without prefix and types.
    stems: FxHashMap<Value<'m>, String>,
    /// The numbers of the blocks whose addresses are taken.
    labels: FxHashMap<Block<'m>, u64>,
}

impl<'m> Context<'m> {
    /// Finds the symbols of a module; none has its definition yet.
    pub fn new(module: &'m Module) -> Context<'m> {
        let mut context = Context {
            module,
            types: Types::new(module),
            source: Source::default(),
            symbols: Vec::new(),
            numbers: FxHashMap::default(),
            runtime: FxHashMap::default(),
            stems: FxHashMap::default(),
            labels: FxHashMap::default(),
        };
        for function in module.functions() {
            if function.is_intrinsic() {
                let name = function.name();
                context.stems.insert(function, stem(&name).to_string());
            } else {
                context.declare(function, true);
            }
        }
        for global in module.globals().filter(|global| !is_reserved(*global)) {
            context.declare(global, false);
        }
        for alias in module.aliases() {
            let function = alias.aliasee().is_some_and(|aliasee| aliasee.is_function());
            context.declare(alias, function);
        }
        for indirect in module.indirect_functions() {
            context.declare(indirect, true);
        }
        context
    }

    fn declare(&mut self, value: Value<'m>, function: bool) {
        let id = SymbolId(self.symbols.len() as u32);
        let mut name = value.name();
        if name.is_empty() {
            name = format!("(unnamed {})", id.0);
        }
        self.symbols.push(Symbol {
            name,
            linkage: linkage(value),
            definition: Definition::Undefined,
            function,
        });
        self.numbers.insert(value, id);
    }

    /// Returns the symbol of a function, variable or alias, or `None` for any other value.
    pub fn symbol(&self, value: Value<'m>) -> Option<SymbolId> {
        match value.kind() {
            ValueKind::LLVMFunctionValueKind
            | ValueKind::LLVMGlobalVariableValueKind
            | ValueKind::LLVMGlobalAliasValueKind
            | ValueKind::LLVMGlobalIFuncValueKind => self.numbers.get(&value).copied(),
            _ => None,
        }
    }

    /// Returns the symbol of a function that the translation itself calls.
    pub fn runtime_function(&mut self, name: &str) -> SymbolId {
        if let Some(&known) = self.runtime.get(name) {
            return known;
        }
        let found = self.symbols.iter().position(|symbol| symbol.name == name);
        let index = found.unwrap_or_else(|| {
            self.symbols.push(Symbol {
                name: name.to_string(),
                linkage: Linkage::Strong,
                definition: Definition::Undefined,
                function: true,
            });
            self.symbols.len() - 1
        });
        let id = SymbolId(index as u32);
        self.runtime.insert(name.to_string(), id);
        id
    }

    /// Returns the address of a block: a number that is not zero and that no other block of the
    /// module has. So labels can be kept in constant tables, and subtracted from each other, before
    /// their function has its final code.
    pub fn label_number(&mut self, block: Block<'m>) -> u64 {
        let next = self.labels.len() as u64 + 1;
        *self.labels.entry(block).or_insert(next)
    }

    /// Returns the name of an intrinsic without prefix and types, or `None` for another function.
    pub fn stem(&self, function: Value<'m>) -> Option<&str> {
        self.stems.get(&function).map(String::as_str)
    }
}

/// Whether a variable is a note to the compiler or the linker.
pub(super) fn is_reserved(global: Value<'_>) -> bool {
    global.name().starts_with("llvm.")
}

/// Whether a function or variable has a definition of its own here.
pub(super) fn is_defined(value: Value<'_>) -> bool {
    !value.is_declaration() && value.linkage() != RawLinkage::LLVMAvailableExternallyLinkage
}

fn linkage(value: Value<'_>) -> Linkage {
    match value.linkage() {
        RawLinkage::LLVMInternalLinkage | RawLinkage::LLVMPrivateLinkage => Linkage::Internal,
        RawLinkage::LLVMExternalWeakLinkage => Linkage::ExternalWeak,
        RawLinkage::LLVMLinkOnceAnyLinkage
        | RawLinkage::LLVMLinkOnceODRLinkage
        | RawLinkage::LLVMLinkOnceODRAutoHideLinkage
        | RawLinkage::LLVMWeakAnyLinkage
        | RawLinkage::LLVMWeakODRLinkage
        | RawLinkage::LLVMCommonLinkage => Linkage::Weak,
        _ => Linkage::Strong,
    }
}
