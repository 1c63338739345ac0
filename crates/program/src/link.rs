//! Joining units into a program.

use crate::debug::{LocationId, TypeId};
use crate::instruction::{Body, Position, SymbolId};
use crate::unit::{Signature, Unit};
use crate::word::Word;

/// Index of a function in its program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionId(pub u32);

/// Index of a global variable or constant in its program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GlobalId(pub u32);

/// Index of a unit in its program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId(pub u32);

/// A function that the machine implements itself, by the number that the machine gave it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BuiltinId(pub u16);

/// What a symbol turned out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A function with a body.
    Function(FunctionId),
    /// A function of the machine.
    Builtin(BuiltinId),
    /// A variable or constant, and an offset into it.
    Global(GlobalId, i64),
    /// Nobody defines it, though somebody must: an entry of [`Program::missing`].
    Missing(u32),
    /// Nobody defines it, and that is allowed.
    Absent,
}

/// A function ready for execution.
pub struct Function {
    /// Its body.
    pub body: Body,
    /// The body's constants, with addresses filled in.
    pub constants: Vec<Word>,
    /// For each call site that names a symbol, what it calls; `Absent` for calls through addresses.
    pub targets: Vec<Target>,
}

/// What is known of a function without its body.
pub struct FunctionInfo {
    /// The unit that defines it.
    pub unit: UnitId,
    /// Its index there.
    pub index: u32,
    /// The name for linking.
    pub name: String,
    /// The name for people.
    pub display_name: String,
    /// Its types.
    pub signature: Signature,
    /// Where it is defined.
    pub location: LocationId,
}

/// A global variable or constant.
pub struct GlobalInfo {
    /// The unit that defines it.
    pub unit: UnitId,
    /// The name for linking.
    pub name: String,
    /// The name for people.
    pub display_name: String,
    /// Its initial content, addresses filled in; its length is its size.
    pub bytes: Vec<u8>,
    /// The offsets of addresses in the initial content.
    pub pointers: Vec<u32>,
    /// Whether it is never written.
    pub constant: bool,
    /// Whether each thread has a copy of its own (this is then what a copy starts as).
    pub thread_local: bool,
    /// Its alignment in bytes.
    pub align: u32,
    /// Its type in the source.
    pub ty: Option<TypeId>,
    /// Where it is declared.
    pub location: LocationId,
}

/// Why units do not make a program.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// Two units define the same strong symbol.
    #[error("{name} is defined twice: in {first} and in {second}")]
    DefinedTwice {
        /// The symbol.
        name: String,
        /// One unit.
        first: String,
        /// The other.
        second: String,
    },
    /// A root, such as `main`, is defined nowhere.
    #[error("no unit defines {0}")]
    NoRoot(String),
}

/// A place in the source, for people.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLocation {
    /// The file's path as the compiler was given it; empty if unknown.
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The source function it lies in.
    pub function: String,
}

/// A linked program: what can be reached from its roots, numbered.
///
/// Numbers depend only on the units and their order, never on what is executed first. Mutable globals that are not thread-local
/// have the lowest numbers, `0..mutable_globals()`.
pub struct Program {}

impl Program {
    /// Links `user` units and, as far as they are needed, `library` units (an archive: the constructors of a member run only if something
    /// in it is reached). `builtin` gives the number of a function that the machine implements; such a name
    /// is never taken from a unit of the library. `roots` are the names that start everything.
    pub fn link(
        user: Vec<Unit>,
        library: Vec<std::sync::Arc<Unit>>,
        builtin: &dyn Fn(&str) -> Option<BuiltinId>,
        roots: &[&str],
    ) -> Result<Program, LinkError> {
        todo!()
    }

    /// The function's executable form, decoded when first asked for.
    pub fn function(&self, id: FunctionId) -> &Function {
        todo!()
    }

    /// What is known of a function without its body.
    pub fn info(&self, id: FunctionId) -> &FunctionInfo {
        todo!()
    }

    /// How many functions have bodies.
    pub fn functions(&self) -> u32 {
        todo!()
    }

    /// What the function object with this index (see [`crate::address::ObjectKind::Function`]) is: functions with bodies come first, then builtins whose address is
    /// taken, then missing functions whose address is taken.
    pub fn function_object(&self, index: u32) -> Option<Target> {
        todo!()
    }

    /// The object that stands for a function, for making function pointers.
    pub fn address_of(&self, function: FunctionId) -> crate::address::Address {
        todo!()
    }

    /// All globals.
    pub fn globals(&self) -> &[GlobalInfo] {
        todo!()
    }

    /// How many globals are part of a state.
    pub fn mutable_globals(&self) -> u32 {
        todo!()
    }

    /// The function with this link name, if it is reached.
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        todo!()
    }

    /// The global with this link name, if it is reached.
    pub fn find_global(&self, name: &str) -> Option<GlobalId> {
        todo!()
    }

    /// What a symbol of the unit that defines `function` is.
    pub fn target(&self, function: FunctionId, symbol: SymbolId) -> Target {
        todo!()
    }

    /// Functions to run before `main`, in order.
    pub fn constructors(&self) -> &[FunctionId] {
        todo!()
    }

    /// Functions to run after `main`, in order.
    pub fn destructors(&self) -> &[FunctionId] {
        todo!()
    }

    /// Names that are used and defined nowhere.
    pub fn missing(&self) -> &[String] {
        todo!()
    }

    /// Where an instruction comes from: the innermost inlined place first, then the places it was inlined at.
    pub fn location(&self, function: FunctionId, position: Position) -> Vec<SourceLocation> {
        todo!()
    }

    /// Where a function or global is declared.
    pub fn declared_at(&self, unit: UnitId, location: LocationId) -> Option<SourceLocation> {
        todo!()
    }

    /// Whether the unit is one of the user's (and not of the libraries).
    pub fn is_users(&self, unit: UnitId) -> bool {
        todo!()
    }

    /// The name of the part at `offset` bytes into an object of the type, as one writes it after the variable's name: `.field[3].next`;
    /// empty if the offset is its start and the type is a scalar, `None` if the type does not say.
    pub fn path_in_type(
        &self,
        unit: UnitId,
        ty: TypeId,
        offset: u64,
        bytes: u64,
    ) -> Option<String> {
        todo!()
    }
}
