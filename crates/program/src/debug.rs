//! What is known of the source: files, locations, types. Kept with each unit.

use serde::{Deserialize, Serialize};

/// Index of a location in its unit; entry 0 is "unknown".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct LocationId(pub u32);

/// Index of a type in its unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TypeId(pub u32);

/// Index of a file in its unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// Index into [`DebugInfo::scopes`] of the function in the source (which may be inlined into
    /// another).
    pub scope: u32,
    /// Where the scope was inlined.
    pub inlined_at: Option<LocationId>,
}

/// A type of the source.
#[allow(
    missing_docs,
    reason = "the documentation of a variant names its fields"
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Type {
    /// A number, a character or a truth value.
    Base {
        name: String,
        bytes: u64,
        encoding: Encoding,
    },
    /// A pointer or reference.
    Pointer { to: Option<TypeId>, bytes: u64 },
    /// A struct, class or union.
    Record {
        name: String,
        bytes: u64,
        members: Vec<Member>,
    },
    /// An array with its (outermost) number of elements.
    Array { element: TypeId, count: u64 },
    /// An enumeration: its values and their names.
    Enumeration {
        name: String,
        bytes: u64,
        values: Vec<(i64, String)>,
    },
    /// A type by another name, or with qualifiers (then the name is empty).
    Named { name: String, of: Option<TypeId> },
    /// Anything else.
    Other { name: String, bytes: u64 },
}

/// How a base type is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "self-evident")]
pub enum Encoding {
    Boolean,
    Signed,
    Unsigned,
    Character,
    UnsignedCharacter,
    Float,
    Other,
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Member {
    /// Its name; empty for a base class or an anonymous member.
    pub name: String,
    /// Its offset in bits.
    pub bit_offset: u64,
    /// Its size in bits, where it is a bit field.
    pub bit_field: Option<u32>,
    /// Its type.
    pub ty: TypeId,
}

/// The source information of a unit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DebugInfo {
    /// Paths of files, as the compiler was given them.
    pub files: Vec<String>,
    /// Names of source functions, as a person writes them (demangled, with their parameters left
    /// out).
    pub scopes: Vec<String>,
    /// Locations; entry 0 is unknown.
    pub locations: Vec<Location>,
    /// Types.
    pub types: Vec<Type>,
}
