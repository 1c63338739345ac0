//! The instructions of the executable form.
//!
//! A function is a sequence of instructions; jumps name positions in it. Values live in *slots*,
//! words of the frame, which unlike LLVM's registers may be assigned more than once: locals whose
//! address is not taken are slots as well, and a phi is a move on each incoming edge. First-class
//! aggregates and vectors are taken apart into their scalars, so that every instruction works on
//! scalars, each held by one slot or, where it is wider than 64 bits, by two consecutive ones (the
//! low word first).

mod body;
mod operations;

pub use body::{
    Argument, Assigned, Body, CallSite, Callee, Clause, Constant, LandingPad, Needed, Variable,
    VariablePlace,
};
pub use operations::{
    BinaryOperation, Comparison, Conversion, FloatComparison, FloatOperation, Intrinsic, Ordering,
    PoisonFlags, ReadModifyWrite,
};

use serde::{Deserialize, Serialize};
use std::fmt;

/// A word of the frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Slot(pub u32);

impl fmt::Debug for Slot {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "%{}", self.0)
    }
}

/// A position in a function's instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Position(pub u32);

/// A slot or a constant of the function's pool. For a scalar of two words, the first of two
/// consecutive ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Operand(u32);

const CONSTANT: u32 = 1 << 31;

impl fmt::Debug for Operand {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place() {
            Place::Slot(slot) => slot.fmt(out),
            Place::Constant(index) => write!(out, "#{index}"),
        }
    }
}

/// What an [`Operand`] names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A slot of the frame.
    Slot(Slot),
    /// An entry of [`Body::constants`].
    Constant(u32),
}

impl Operand {
    /// Returns the operand that reads a slot.
    #[inline]
    pub const fn slot(slot: Slot) -> Operand {
        Operand(slot.0)
    }

    /// Returns the operand that reads entry `index` of the constant pool.
    #[inline]
    pub const fn constant(index: u32) -> Operand {
        Operand(index | CONSTANT)
    }

    /// Returns the slot or the constant that the operand names.
    #[inline]
    pub const fn place(self) -> Place {
        if self.0 & CONSTANT == 0 {
            Place::Slot(Slot(self.0))
        } else {
            Place::Constant(self.0 & !CONSTANT)
        }
    }

    /// Returns the operand of the second word, given that of the first word of a scalar of two
    /// words.
    #[inline]
    pub const fn second(self) -> Operand {
        Operand(self.0 + 1)
    }
}

/// The type of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Scalar {
    /// An integer of 1 to 64 bits: one word.
    Integer(u8),
    /// An integer of 65 to 128 bits: two words.
    Wide(u8),
    /// IEEE single precision, its bits in the lower half of a word.
    Float,
    /// IEEE double precision.
    Double,
    /// The 80-bit extended format of x86: two words, of which the second holds sign and exponent.
    Extended,
    /// An address.
    Pointer,
    /// An address that takes four bytes in memory ([`crate::ilp32`]); in a register it is like any
    /// other.
    Pointer32,
}

impl Scalar {
    /// Returns the number of slots that hold it: 1 or 2.
    #[inline]
    pub const fn words(self) -> u32 {
        match self {
            Scalar::Wide(_) | Scalar::Extended => 2,
            _ => 1,
        }
    }

    /// Returns its width in registers, in bits.
    #[inline]
    pub const fn bits(self) -> u32 {
        match self {
            Scalar::Integer(n) | Scalar::Wide(n) => n as u32,
            Scalar::Float => 32,
            Scalar::Double | Scalar::Pointer | Scalar::Pointer32 => 64,
            Scalar::Extended => 80,
        }
    }

    /// Returns the number of bytes of memory that a load or store of it accesses.
    #[inline]
    pub const fn bytes(self) -> u32 {
        match self {
            Scalar::Pointer32 => crate::ilp32::BYTES,
            _ => self.bits().div_ceil(8),
        }
    }

    /// Returns whether it is an address.
    #[inline]
    pub const fn is_pointer(self) -> bool {
        matches!(self, Scalar::Pointer | Scalar::Pointer32)
    }
}

/// A run of entries in one of the function's pools.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Range {
    /// The first entry.
    pub start: u32,
    /// How many.
    pub count: u32,
}

impl Range {
    /// Returns the range as indices into the pool.
    #[inline]
    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}

/// One instruction.
#[allow(
    missing_docs,
    reason = "the documentation of a variant names its fields"
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Instruction {
    /// Copies one word.
    Move { destination: Slot, source: Operand },
    /// Makes a scalar undefined in all of its bits.
    Undefine { destination: Slot, scalar: Scalar },
    /// Integer arithmetic, one or two words wide.
    Binary {
        operation: BinaryOperation,
        scalar: Scalar,
        poison_flags: PoisonFlags,
        destination: Slot,
        left: Operand,
        right: Operand,
    },
    /// Compares integers or addresses; the result has one bit.
    Compare {
        comparison: Comparison,
        scalar: Scalar,
        destination: Slot,
        left: Operand,
        right: Operand,
    },
    /// Floating-point arithmetic.
    Float {
        operation: FloatOperation,
        scalar: Scalar,
        destination: Slot,
        left: Operand,
        right: Operand,
    },
    /// Compares floating-point numbers; the result has one bit.
    FloatCompare {
        comparison: FloatComparison,
        scalar: Scalar,
        destination: Slot,
        left: Operand,
        right: Operand,
    },
    /// Converts between scalar types.
    Convert {
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        destination: Slot,
        source: Operand,
    },
    /// Chooses between two values of the same type, evaluating nothing.
    Select {
        scalar: Scalar,
        destination: Slot,
        condition: Operand,
        then: Operand,
        otherwise: Operand,
    },
    /// An arbitrary but fixed value where the source is undefined (`freeze`).
    Freeze {
        scalar: Scalar,
        destination: Slot,
        source: Operand,
    },
    /// Joins the bits of consecutive scalars of type `from` and takes them apart as scalars of type
    /// `to`: LLVM's `bitcast`. `arguments` are operands; results go to consecutive slots.
    Repack {
        from: Scalar,
        to: Scalar,
        destination: Slot,
        arguments: Range,
    },
    /// A pure function of its `arguments` (operands).
    Compute {
        intrinsic: Intrinsic,
        scalar: Scalar,
        destination: Slot,
        arguments: Range,
    },

    /// `base + offset`, an address within the same object.
    AddressOffset {
        destination: Slot,
        base: Operand,
        offset: i64,
    },
    /// `base + index * scale`, where the index has `width` bits and is signed.
    AddressIndex {
        destination: Slot,
        base: Operand,
        index: Operand,
        width: u8,
        scale: u64,
    },
    /// A new object in this frame, `count * element_bytes` bytes, undefined; it goes when the frame
    /// does.
    Allocate {
        destination: Slot,
        count: Operand,
        element_bytes: u64,
        align: u32,
        variable: Option<VariableId>,
    },
    /// The object (made by `Allocate`) comes into scope, with undefined content. If it `renews`,
    /// and the scope has begun before, a new object takes its place: the slot of `address` gets
    /// the address of that one. It does not count as assigned, since it is that of the same
    /// variable.
    LifetimeStart { address: Operand, renews: bool },
    /// The object (made by `Allocate`) leaves its scope.
    LifetimeEnd { address: Operand },
    /// The number of objects that the frame has, for `StackRestore`.
    StackSave { destination: Slot },
    /// Frees what the frame allocated since the `StackSave` that gave `saved`.
    StackRestore { saved: Operand },
    /// The address of this thread's copy of a thread-local variable.
    ThreadLocal {
        destination: Slot,
        variable: SymbolId,
    },
    /// Reads memory.
    Load {
        scalar: Scalar,
        ordering: Ordering,
        volatile: bool,
        destination: Slot,
        address: Operand,
    },
    /// Writes memory.
    Store {
        scalar: Scalar,
        ordering: Ordering,
        volatile: bool,
        source: Operand,
        address: Operand,
    },
    /// Reads, computes and writes in one step; the destination gets the old value.
    Update {
        operation: ReadModifyWrite,
        scalar: Scalar,
        ordering: Ordering,
        destination: Slot,
        address: Operand,
        source: Operand,
    },
    /// Compares with `expected` and, if equal, writes `replacement`; the destination gets the old
    /// value, the slot after it whether they were equal. `weak` may fail although equal.
    CompareExchange {
        scalar: Scalar,
        success: Ordering,
        failure: Ordering,
        weak: bool,
        destination: Slot,
        address: Operand,
        expected: Operand,
        replacement: Operand,
    },
    /// A fence; `single_thread` is one against signal handlers only.
    Fence {
        ordering: Ordering,
        single_thread: bool,
    },
    /// The store that follows is non-temporal: it may reach memory after stores that follow it.
    NonTemporal,
    /// Copies `bytes` bytes; `may_overlap` for memmove.
    CopyMemory {
        destination: Operand,
        source: Operand,
        bytes: Operand,
        may_overlap: bool,
    },
    /// Fills `bytes` bytes with the low byte of `value`.
    FillMemory {
        destination: Operand,
        value: Operand,
        bytes: Operand,
    },

    /// Starts on the variable arguments: fills the `va_list` at the address (x86-64 layout: both
    /// register offsets exhausted, the overflow area an object holding the arguments; under ILP32
    /// only the address of that object).
    VariableArgumentsStart { list: Operand },
    /// Copies a `va_list` (24 bytes, or one 32-bit pointer).
    VariableArgumentsCopy {
        destination: Operand,
        source: Operand,
    },

    /// Continues at the target.
    Jump { target: Position },
    /// Continues at one of two targets, by a one-bit condition.
    Branch {
        condition: Operand,
        then: Position,
        otherwise: Position,
    },
    /// Continues at the target of the matching case. `cases` index [`Body::cases`].
    Switch {
        scalar: Scalar,
        value: Operand,
        cases: Range,
        default: Position,
    },
    /// Continues where the label leads whose number `target` is; no other number is a label's.
    /// `cases` index [`Body::cases`].
    IndirectJump { target: Operand, cases: Range },
    /// Calls; continues at the next position, or at the landing position of the site when an
    /// exception arrives.
    Call { site: CallSiteId },
    /// Returns the operands, each one word (as many as the results have).
    Return { values: Range },
    /// Where an exception arrives: the destination gets the exception object, the slot after it the
    /// selector.
    LandingPad {
        destination: Slot,
        clauses: LandingPadId,
    },
    /// Must not be reached.
    Unreachable,
    /// Something that cannot be executed; the reason is a name of [`Body::names`].
    Unsupported { reason: u32 },
}

/// Index of a call site in its function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CallSiteId(pub u32);

/// Index of a landing pad in its function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LandingPadId(pub u32);

/// Index of a symbol in its unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct SymbolId(pub u32);

/// Index of a variable in [`Body::variables`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct VariableId(pub u32);
