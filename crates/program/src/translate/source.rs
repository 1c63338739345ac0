//! What the debug information says: places, names and types of the source.

use super::llvm::{Metadata, MetadataKind, Value};
use crate::debug::{DebugInfo, Encoding, FileId, Location, LocationId, Member, Type, TypeId};
use crate::template_names::shortened;
use rustc_hash::FxHashMap;
use std::path::Path;

/// The flag of a member that every object of its class shares.
const STATIC_MEMBER: i32 = 1 << 12;
/// The flag of a bit field.
const BIT_FIELD: i32 = 1 << 19;
/// The scope of a location whose place is unknown has no name.
const UNKNOWN_SCOPE: u32 = 0;

/// The source information of a unit, as it is found.
pub(super) struct Source<'m> {
    info: DebugInfo,
    files: FxHashMap<String, FileId>,
    file_nodes: FxHashMap<Metadata<'m>, FileId>,
    scopes: FxHashMap<String, u32>,
    scope_nodes: FxHashMap<Metadata<'m>, (u32, FileId)>,
    locations: FxHashMap<Metadata<'m>, LocationId>,
    functions: FxHashMap<Metadata<'m>, String>,
    types: FxHashMap<Metadata<'m>, TypeId>,
    /// Types that have a number but no description yet.
    pending: Vec<(Metadata<'m>, TypeId)>,
    plain: FxHashMap<Metadata<'m>, bool>,
}

impl Default for Source<'_> {
    fn default() -> Self {
        Source {
            info: DebugInfo {
                files: vec![String::new()],
                scopes: vec![String::new()],
                locations: vec![Location::default()],
                types: Vec::new(),
            },
            files: FxHashMap::default(),
            file_nodes: FxHashMap::default(),
            scopes: FxHashMap::default(),
            scope_nodes: FxHashMap::default(),
            locations: FxHashMap::default(),
            functions: FxHashMap::default(),
            types: FxHashMap::default(),
            pending: Vec::new(),
            plain: FxHashMap::default(),
        }
    }
}

impl<'m> Source<'m> {
    /// Returns all source information that was asked for.
    pub fn finish(mut self) -> DebugInfo {
        while let Some((node, id)) = self.pending.pop() {
            let description = self.describe(node);
            self.info.types[id.0 as usize] = description;
        }
        self.info
    }

    fn file(&mut self, node: Metadata<'m>) -> FileId {
        if let Some(&known) = self.file_nodes.get(&node) {
            return known;
        }
        let id = match node.kind() {
            MetadataKind::LLVMDIFileMetadataKind => {
                let (directory, name) = node.file_name();
                let path = path_from_here(&directory, name);
                let files = &mut self.info.files;
                *self.files.entry(path).or_insert_with_key(|path| {
                    files.push(path.clone());
                    FileId(files.len() as u32 - 1)
                })
            }
            _ => FileId::default(),
        };
        self.file_nodes.insert(node, id);
        id
    }

    fn scope_name(&mut self, name: String) -> u32 {
        let scopes = &mut self.info.scopes;
        *self.scopes.entry(name).or_insert_with_key(|name| {
            scopes.push(name.clone());
            scopes.len() as u32 - 1
        })
    }

    /// Returns the number of the place that the location of an instruction names.
    pub fn location(&mut self, node: Option<Metadata<'m>>) -> LocationId {
        let Some(node) = node else {
            return LocationId::default();
        };
        if let Some(&known) = self.locations.get(&node) {
            return known;
        }
        let Some((line, column, scope, inlined_at)) = node.location() else {
            return LocationId::default();
        };
        let inlined_at = inlined_at.map(|at| self.location(Some(at)));
        let (scope, file) = self.scope(scope);
        let id = self.add_location(Location {
            file,
            line,
            column,
            scope,
            inlined_at,
        });
        self.locations.insert(node, id);
        id
    }

    fn add_location(&mut self, location: Location) -> LocationId {
        self.info.locations.push(location);
        LocationId(self.info.locations.len() as u32 - 1)
    }

    /// The function and the file that a scope lies in.
    fn scope(&mut self, node: Metadata<'m>) -> (u32, FileId) {
        if let Some(&known) = self.scope_nodes.get(&node) {
            return known;
        }
        let file = node
            .file_of_scope()
            .map_or(FileId::default(), |file| self.file(file));
        let scope = match enclosing_function(node) {
            Some(function) => {
                let name = self.function(function);
                self.scope_name(name)
            }
            None => UNKNOWN_SCOPE,
        };
        self.scope_nodes.insert(node, (scope, file));
        (scope, file)
    }

    /// The name of a function with its scopes.
    fn function(&mut self, node: Metadata<'m>) -> String {
        if let Some(known) = self.functions.get(&node) {
            return known.clone();
        }
        let name = qualified_name(node);
        self.functions.insert(node, name.clone());
        name
    }

    /// Returns the name for people and the place of a function.
    pub fn of_function(&mut self, function: Value<'m>) -> (String, LocationId) {
        let symbol = function.name();
        let Some(node) = function.attached_debug() else {
            return (demangled(&symbol), LocationId::default());
        };
        let in_class = node
            .operands()
            .get(1)
            .copied()
            .flatten()
            .is_some_and(|scope| {
                !matches!(
                    scope.kind(),
                    MetadataKind::LLVMDIFileMetadataKind
                        | MetadataKind::LLVMDICompileUnitMetadataKind
                )
            });
        let mut name = self.function(node);
        if !in_class && symbol.starts_with("_Z") {
            name = demangled(&symbol);
        }
        let (_, file) = self.scope(node);
        let scope = self.scope_name(name.clone());
        let location = self.add_location(Location {
            file,
            line: node.subprogram_line(),
            column: 0,
            scope,
            inlined_at: None,
        });
        (name, location)
    }

    /// Returns the name, the type and the line of a local variable.
    pub fn variable(&mut self, node: Metadata<'m>) -> (String, Option<TypeId>, u32) {
        let operands = node.operands();
        let ty = operand(&operands, 3).map(|ty| self.ty(ty));
        (string(&operands, 1), ty, node.variable_place().0)
    }

    /// Returns the name for people, the type and the place of a global variable.
    pub fn of_global(&mut self, global: Value<'m>) -> (String, Option<TypeId>, LocationId) {
        let variable = global.attached_debug().and_then(Metadata::global_variable);
        let Some(node) = variable else {
            return (demangled(&global.name()), None, LocationId::default());
        };
        let operands = node.operands();
        let name = qualified_name(node);
        let name = if name.is_empty() {
            demangled(&global.name())
        } else {
            name
        };
        let ty = operand(&operands, 3).map(|ty| self.ty(ty));
        let (line, file) = node.variable_place();
        let file = file.map_or(FileId::default(), |file| self.file(file));
        let location = self.add_location(Location {
            file,
            line,
            column: 0,
            scope: UNKNOWN_SCOPE,
            inlined_at: None,
        });
        (name, ty, location)
    }

    /// Returns whether a variable is at its declared place, without further steps.
    pub fn is_plain(&mut self, expression: Metadata<'m>) -> bool {
        *self
            .plain
            .entry(expression)
            .or_insert_with(|| expression.print().ends_with("!DIExpression()"))
    }

    fn ty(&mut self, node: Metadata<'m>) -> TypeId {
        if let Some(&known) = self.types.get(&node) {
            return known;
        }
        let id = self.add_type(Type::Other {
            name: String::new(),
            bytes: 0,
        });
        self.types.insert(node, id);
        self.pending.push((node, id));
        id
    }

    fn add_type(&mut self, ty: Type) -> TypeId {
        self.info.types.push(ty);
        TypeId(self.info.types.len() as u32 - 1)
    }

    fn describe(&mut self, node: Metadata<'m>) -> Type {
        let operands = node.operands();
        let name = string(&operands, 2);
        match node.kind() {
            MetadataKind::LLVMDIBasicTypeMetadataKind => base_type(node, name),
            MetadataKind::LLVMDIDerivedTypeMetadataKind => self.derived(node, &operands, name),
            MetadataKind::LLVMDICompositeTypeMetadataKind => self.composite(node, &operands),
            MetadataKind::LLVMDISubroutineTypeMetadataKind => Type::Other {
                name: "function".into(),
                bytes: 0,
            },
            _ => Type::Other { name, bytes: 0 },
        }
    }

    fn derived(
        &mut self,
        node: Metadata<'m>,
        operands: &[Option<Metadata<'m>>],
        name: String,
    ) -> Type {
        let base = operand(operands, 3);
        match node.tag() {
            dwarf::POINTER | dwarf::REFERENCE | dwarf::RVALUE_REFERENCE => Type::Pointer {
                to: base.map(|base| self.ty(base)),
                bytes: node.type_layout().0 / 8,
            },
            dwarf::TYPEDEF => Type::Named {
                name: shortened(&name),
                of: base.map(|base| self.ty(base)),
            },
            dwarf::CONST | dwarf::VOLATILE | dwarf::RESTRICT | dwarf::ATOMIC => Type::Named {
                name: String::new(),
                of: base.map(|base| self.ty(base)),
            },
            _ => Type::Other {
                name,
                bytes: node.type_layout().0 / 8,
            },
        }
    }

    fn composite(&mut self, node: Metadata<'m>, operands: &[Option<Metadata<'m>>]) -> Type {
        let bytes = node.type_layout().0 / 8;
        let elements = operand(operands, 4).map_or_else(Vec::new, Metadata::operands);
        let elements: Vec<Metadata<'m>> = elements.into_iter().flatten().collect();
        match node.tag() {
            dwarf::ARRAY => match operand(operands, 3) {
                Some(element) => self.array(element, &elements),
                None => Type::Other {
                    name: "array".into(),
                    bytes,
                },
            },
            dwarf::ENUMERATION => Type::Enumeration {
                name: qualified_name(node),
                bytes,
                values: elements.into_iter().filter_map(enumerator).collect(),
            },
            _ => Type::Record {
                name: qualified_name(node),
                bytes,
                members: elements
                    .into_iter()
                    .filter_map(|member| self.member(member))
                    .collect(),
            },
        }
    }

    /// An array of arrays has one node with several counts.
    fn array(&mut self, element: Metadata<'m>, ranges: &[Metadata<'m>]) -> Type {
        let mut element = self.ty(element);
        for (index, range) in ranges.iter().enumerate().rev() {
            let count = operand(&range.operands(), 0).and_then(Metadata::integer);
            let count = count.map_or(0, |count| if count as i64 == -1 { 0 } else { count as u64 });
            let array = Type::Array { element, count };
            if index == 0 {
                return array;
            }
            element = self.add_type(array);
        }
        Type::Array { element, count: 0 }
    }

    fn member(&mut self, node: Metadata<'m>) -> Option<Member> {
        if !node.is(MetadataKind::LLVMDIDerivedTypeMetadataKind)
            || !matches!(node.tag(), dwarf::MEMBER | dwarf::INHERITANCE)
        {
            return None;
        }
        let (bits, bit_offset, flags) = node.type_layout();
        if flags & STATIC_MEMBER != 0 {
            return None;
        }
        let operands = node.operands();
        let ty = self.ty(operand(&operands, 3)?);
        Some(Member {
            name: string(&operands, 2),
            bit_offset,
            bit_field: (flags & BIT_FIELD != 0).then_some(bits as u32),
            ty,
        })
    }
}

/// DWARF's numbers of the kinds of types.
mod dwarf {
    pub const ARRAY: u16 = 0x01;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const REFERENCE: u16 = 0x10;
    pub const TYPEDEF: u16 = 0x16;
    pub const INHERITANCE: u16 = 0x1c;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const RVALUE_REFERENCE: u16 = 0x42;
    pub const ATOMIC: u16 = 0x47;
}

fn operand<'m>(operands: &[Option<Metadata<'m>>], index: usize) -> Option<Metadata<'m>> {
    operands.get(index).copied().flatten()
}

fn string(operands: &[Option<Metadata<'_>>], index: usize) -> String {
    operand(operands, index)
        .and_then(Metadata::string)
        .unwrap_or_default()
}

/// The function that a scope is or lies in.
fn enclosing_function(mut scope: Metadata<'_>) -> Option<Metadata<'_>> {
    loop {
        match scope.kind() {
            MetadataKind::LLVMDISubprogramMetadataKind => return Some(scope),
            MetadataKind::LLVMDILexicalBlockMetadataKind
            | MetadataKind::LLVMDILexicalBlockFileMetadataKind => {
                scope = operand(&scope.operands(), 1)?;
            }
            _ => return None,
        }
    }
}

/// The name of a function, type or variable after those of the scopes around it.
fn qualified_name(node: Metadata<'_>) -> String {
    let mut names = Vec::new();
    let mut current = Some(node);
    while let Some(node) = current {
        let operands = node.operands();
        let (name, scope) = match node.kind() {
            MetadataKind::LLVMDISubprogramMetadataKind
            | MetadataKind::LLVMDICompositeTypeMetadataKind
            | MetadataKind::LLVMDIDerivedTypeMetadataKind
            | MetadataKind::LLVMDINamespaceMetadataKind => (string(&operands, 2), 1),
            MetadataKind::LLVMDIGlobalVariableMetadataKind => (string(&operands, 1), 0),
            MetadataKind::LLVMDILexicalBlockMetadataKind
            | MetadataKind::LLVMDILexicalBlockFileMetadataKind => {
                current = operand(&operands, 1);
                continue;
            }
            _ => break,
        };
        let inline = node.is(MetadataKind::LLVMDINamespaceMetadataKind) && name == "__1";
        if !inline {
            names.push(match (name.is_empty(), node.kind()) {
                (false, _) => name,
                (true, MetadataKind::LLVMDINamespaceMetadataKind) => "(anonymous namespace)".into(),
                (true, _) if names.last().is_some_and(|inner| inner == "operator()") => {
                    "(lambda)".into()
                }
                (true, _) => "(anonymous)".into(),
            });
        }
        current = operand(&operands, scope);
    }
    names.reverse();
    shortened(&names.join("::"))
}

/// The name of a symbol as a person writes it, without parameters.
fn demangled(symbol: &str) -> String {
    let options = cpp_demangle::DemangleOptions::new()
        .no_params()
        .no_return_type();
    if !symbol.starts_with("_Z") {
        return symbol.to_string();
    }
    let demangled = cpp_demangle::Symbol::new(symbol)
        .ok()
        .and_then(|parsed| parsed.demangle(&options).ok());
    demangled.map_or_else(|| symbol.to_string(), |name| shortened(&name))
}

/// LLVM's C interface does not give the encoding of a base type, but its text does.
fn base_type(node: Metadata<'_>, name: String) -> Type {
    let text = node.print();
    let encoding = match text
        .split("DW_ATE_")
        .nth(1)
        .map(|rest| rest.trim_end_matches(')'))
    {
        Some("boolean") => Encoding::Boolean,
        Some("signed") => Encoding::Signed,
        Some("unsigned") => Encoding::Unsigned,
        Some("signed_char") => Encoding::Character,
        Some("unsigned_char" | "UTF") => Encoding::UnsignedCharacter,
        Some("float") => Encoding::Float,
        _ => Encoding::Other,
    };
    Type::Base {
        name,
        bytes: node.type_layout().0 / 8,
        encoding,
    }
}

/// The value and the name of an enumerator; the value is in LLVM's text only.
fn enumerator(node: Metadata<'_>) -> Option<(i64, String)> {
    if !node.is(MetadataKind::LLVMDIEnumeratorMetadataKind) {
        return None;
    }
    let name = string(&node.operands(), 0);
    let text = node.print();
    let number = text.rsplit_once("value: ")?.1;
    let number = number.split([',', ')']).next()?;
    let value = number
        .parse()
        .or_else(|_| number.parse::<u64>().map(|n| n as i64))
        .ok()?;
    Some((value, name))
}

/// A file's path as seen from the current folder. clang splits paths at the folder that they share
/// with the one it ran in.
fn path_from_here(directory: &str, name: String) -> String {
    let directory = Path::new(directory);
    let here = std::env::current_dir().is_ok_and(|folder| folder == directory);
    if directory.as_os_str().is_empty() || here || Path::new(&name).is_absolute() {
        return name;
    }
    directory.join(name).to_string_lossy().into_owned()
}
