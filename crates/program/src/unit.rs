//! One translated module, with its symbols not yet resolved. Can be kept on disk.

use crate::debug::{DebugInfo, LocationId, TypeId};
use crate::instruction::{Scalar, SymbolId};
use serde::{Deserialize, Serialize};

/// How a symbol is shared between units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Linkage {
    /// Seen in its own unit only.
    Internal,
    /// Defined once in the program.
    Strong,
    /// One of several definitions is taken; a strong one wins.
    Weak,
    /// An undefined symbol that may stay undefined (its address is then null).
    ExternalWeak,
}

/// What a symbol is in its unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Definition {
    /// Defined elsewhere.
    Undefined,
    /// Index into [`Unit::functions`].
    Function(u32),
    /// Index into [`Unit::globals`].
    Global(u32),
    /// Another symbol plus an offset.
    Alias(SymbolId, i64),
}

/// A name that a unit defines or uses.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Symbol {
    /// The name for linking.
    pub name: String,
    /// How it is shared.
    pub linkage: Linkage,
    /// What it is.
    pub definition: Definition,
    /// Whether it is a function (also where it is undefined).
    pub function: bool,
}

/// The types that a function takes and gives.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Signature {
    /// Parameters, taken apart into scalars.
    pub parameters: Vec<Scalar>,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// Results, taken apart into scalars.
    pub results: Vec<Scalar>,
}

/// A function that a unit defines.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Its types.
    pub signature: Signature,
    /// Its name as a person writes it, with parameters left out.
    pub display_name: String,
    /// Where it is defined.
    pub location: LocationId,
    /// Every symbol that its body mentions, without repetition.
    pub references: Vec<SymbolId>,
    /// Whether it promises that no exception leaves it.
    pub no_unwind: bool,
    /// The personality function for its exceptions.
    pub personality: Option<SymbolId>,
    /// The encoded [`crate::instruction::Body`].
    #[serde(with = "serde_bytes")]
    pub body: Vec<u8>,
}

/// A place in a global's initial content that holds the address of a symbol.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Relocation {
    /// Offset of the eight bytes.
    pub offset: u32,
    /// Whose address.
    pub symbol: SymbolId,
    /// What is added to it.
    pub addend: i64,
}

/// A global variable or constant that a unit defines.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Its name as a person writes it.
    pub display_name: String,
    /// Initial content; its length is the size of the object.
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
    /// Addresses in the initial content.
    pub relocations: Vec<Relocation>,
    /// Alignment in bytes.
    pub align: u32,
    /// Whether it is never written.
    pub constant: bool,
    /// Whether each thread has a copy of its own.
    pub thread_local: bool,
    /// Its type in the source.
    pub ty: Option<TypeId>,
    /// Where it is declared.
    pub location: LocationId,
}

/// One translated module.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Unit {
    /// Where it comes from, for messages.
    pub name: String,
    /// All symbols mentioned.
    pub symbols: Vec<Symbol>,
    /// Functions defined here.
    pub functions: Vec<Function>,
    /// Globals defined here.
    pub globals: Vec<Global>,
    /// Functions to run before `main`, with their priorities (low first).
    pub constructors: Vec<(u32, SymbolId)>,
    /// Functions to run after `main`, likewise.
    pub destructors: Vec<(u32, SymbolId)>,
    /// Source information.
    pub debug: DebugInfo,
    /// Whether addresses take four bytes in memory.
    pub is_ilp32: bool,
}
