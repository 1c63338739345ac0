//! The body of a function: its code, and the pools that instructions refer to by index.

use super::{CallSiteId, Instruction, Operand, Position, Scalar, Slot, SymbolId};
use crate::word::Word;
use serde::{Deserialize, Serialize};

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Callee {
    /// A function by name; [`crate::link::Function::targets`] says what it is in the program.
    Symbol(SymbolId),
    /// Whatever the address names.
    Address(Operand),
}

/// One argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Argument {
    /// The value.
    pub value: Operand,
    /// Its type.
    pub scalar: Scalar,
    /// Size and alignment in bytes of the object behind the pointer, where the callee gets a copy
    /// of its own (`byval`).
    pub by_value: Option<(u32, u32)>,
}

/// A call: everything that the instruction itself has no room for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CallSite {
    /// Who is called.
    pub callee: Callee,
    /// With what.
    pub arguments: Vec<Argument>,
    /// How many of the arguments are not variable ones.
    pub fixed: u32,
    /// Where the first word of the results goes.
    pub destination: Slot,
    /// The types of the results, in order (more than one for an aggregate).
    pub results: Vec<Scalar>,
    /// Where an exception that leaves the callee arrives.
    pub landing: Option<Position>,
    /// For LLVM's `nounwind` at the site.
    pub no_unwind: bool,
    /// Whether control may return here once more after the call has returned, as with `setjmp`.
    pub returns_twice: bool,
}

/// A clause of a landing pad.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Clause {
    /// Catches this type (a type info symbol), or everything.
    Catch(Option<SymbolId>),
    /// An exception specification: all types but these violate it. `None` stands for a null entry.
    Filter(Vec<Option<SymbolId>>),
}

/// What a landing pad accepts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LandingPad {
    /// Whether it is entered for clean-up whatever the exception.
    pub cleanup: bool,
    /// Tried in order.
    pub clauses: Vec<Clause>,
}

/// A constant as a unit knows it, before symbols have addresses.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Constant {
    /// A word that needs no symbol.
    Word(Word),
    /// The address of a symbol plus an offset.
    Address(SymbolId, i64),
}

/// A named local variable or parameter, for reports.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// Its type, if known.
    pub ty: Option<crate::debug::TypeId>,
    /// The slot that holds its value (the first, for an aggregate), or the address of its object.
    pub place: VariablePlace,
    /// The line of its declaration.
    pub line: u32,
}

/// A local variable gets a value that no instruction moves to its place: whatever reads the
/// variable reads it from elsewhere. For reports.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Assigned {
    /// The instruction after which it gets the value.
    pub after: Position,
    /// The variable, whose place does not hold the value.
    pub variable: Variable,
    /// The value, one word.
    pub value: Operand,
}

/// Where a variable is found.
#[allow(
    missing_docs,
    reason = "the documentation of a variant names its fields"
)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum VariablePlace {
    /// The part of the variable that starts at byte `offset` is the value of a slot.
    Value {
        slot: Slot,
        scalar: Scalar,
        offset: u32,
    },
    /// A slot holds the address of the variable's object.
    Object(Slot),
}

/// A function's body as a unit keeps it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Body {
    /// The instructions; execution starts with the first.
    pub code: Vec<Instruction>,
    /// How many slots a frame has. Parameters fill the first ones, in order.
    pub slots: u32,
    /// The constant pool.
    pub constants: Vec<Constant>,
    /// Operand lists of instructions.
    pub operands: Vec<Operand>,
    /// Switch cases, by value.
    pub cases: Vec<(u64, Position)>,
    /// Calls.
    pub sites: Vec<CallSite>,
    /// Landing pads.
    pub pads: Vec<LandingPad>,
    /// Reasons of `Unsupported`.
    pub names: Vec<String>,
    /// The source location of each instruction.
    pub locations: Vec<crate::debug::LocationId>,
    /// Where the loops of the source stand (`while` or `for`) whose conditions start at a position,
    /// as far as the compiler says.
    pub loop_starts: Vec<(Position, crate::debug::LocationId)>,
    /// Named variables.
    pub variables: Vec<Variable>,
    /// What they are assigned without an instruction.
    pub assigned: Vec<Assigned>,
    /// For each instruction, an index into `live_sets`: the slots that are live just before it.
    pub live: Vec<u32>,
    /// Sorted sets of slots.
    pub live_sets: Vec<Vec<Slot>>,
    /// For each call site, an index into `live_sets`: the slots of this frame that are live while
    /// the callee runs (those live at either continuation, less the results).
    pub live_across: Vec<u32>,
    /// Which slots are needed, where these are fewer than the live ones.
    pub needed: Option<Needed>,
}

/// The slots whose values can decide anything: those that are live, but for variables that are only
/// used to compute themselves.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Needed {
    /// As [`Body::live`].
    pub before: Vec<u32>,
    /// As [`Body::live_across`].
    pub across: Vec<u32>,
}

impl Body {
    /// Returns the slots that are needed just before an instruction. Panics if there is none.
    #[inline]
    pub fn needed_before(&self, position: u32) -> &[Slot] {
        let sets = self.needed.as_ref().map_or(&self.live, |it| &it.before);
        &self.live_sets[sets[position as usize] as usize]
    }

    /// Returns the slots of this frame that are needed while the callee of a site runs. Panics if
    /// there is no such site.
    #[inline]
    pub fn needed_across(&self, site: CallSiteId) -> &[Slot] {
        let sets = self
            .needed
            .as_ref()
            .map_or(&self.live_across, |it| &it.across);
        &self.live_sets[sets[site.0 as usize] as usize]
    }
}
