//! What a linked program is made of: numbers, targets of symbols, functions and globals; and why
//! units do not make a program.

use crate::debug::{LocationId, TypeId};
use crate::library::LibraryError;
use crate::module::Module;
use crate::unit::Signature;
use serde::{Deserialize, Serialize};

/// Index of a function in its program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
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
    /// It has no definition and needs one: an entry of [`crate::link::Program::missing`].
    Missing(u32),
    /// No unit defines it, and that is allowed.
    Absent,
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
    /// Its index there.
    pub index: u32,
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
    /// Whether it is a table of virtual functions (Itanium C++ ABI, 2.9), of a class or of one
    /// under construction.
    pub virtual_table: bool,
    /// Whether it is a part of a standard stream of C++ (`std::cout` and the like).
    pub standard_stream: bool,
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
    /// A unit asks for a function to be run at start or end that has no body.
    #[error("{unit} runs {name} at start or end, which no unit defines")]
    NoConstructor {
        /// The function.
        name: String,
        /// The unit.
        unit: String,
    },
    /// Units with addresses of different sizes.
    #[error(
        "{ilp32} is for a machine with pointers of 32 bits, {long} for one with 64; with --data-model ilp32 \
         `impasse loops` and `impasse run` take the first kind"
    )]
    DifferentPointers {
        /// One unit.
        ilp32: String,
        /// Another.
        long: String,
    },
    /// An initial value that no address of 32 bits can be.
    #[error("the initial value of {0} holds an address that 32 bits cannot express")]
    NoIlp32Address(String),
    /// The library cannot be read.
    #[error(transparent)]
    Library(#[from] LibraryError),
}

/// A unit of a program, and what its symbols stand for.
pub(crate) struct LinkedUnit {
    pub module: Module,
    /// By symbol; `None` for symbols that nothing reached mentions.
    pub targets: Vec<Option<Target>>,
}
