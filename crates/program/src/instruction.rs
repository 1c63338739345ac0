//! The instructions of the executable form.
//!
//! A function is a sequence of instructions; jumps name positions in it. Values live in *slots*,
//! words of the frame, which unlike LLVM's registers may be assigned more than once: locals whose
//! address is not taken are slots as well, and a phi is a move on each incoming edge. First-class
//! aggregates and vectors are taken apart into their scalars, so that every instruction works on
//! scalars, each held by one slot or, where it is wider than 64 bits, by two consecutive ones (the
//! low word first).

use crate::word::Word;
use serde::{Deserialize, Serialize};

/// A word of the frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Slot(pub u32);

/// A position in a function's instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Position(pub u32);

/// A slot or a constant of the function's pool. For a scalar of two words, the first of two
/// consecutive ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Operand(u32);

const CONSTANT: u32 = 1 << 31;

/// What an [`Operand`] names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A slot of the frame.
    Slot(Slot),
    /// An entry of [`Body::constants`].
    Constant(u32),
}

impl Operand {
    /// The operand that reads a slot.
    #[inline]
    pub const fn slot(slot: Slot) -> Operand {
        Operand(slot.0)
    }

    /// The operand that reads entry `index` of the constant pool.
    #[inline]
    pub const fn constant(index: u32) -> Operand {
        Operand(index | CONSTANT)
    }

    /// What it names.
    #[inline]
    pub const fn place(self) -> Place {
        if self.0 & CONSTANT == 0 {
            Place::Slot(Slot(self.0))
        } else {
            Place::Constant(self.0 & !CONSTANT)
        }
    }

    /// The second word of a scalar of two words.
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
    /// How many slots hold it.
    #[inline]
    pub const fn words(self) -> u32 {
        match self {
            Scalar::Wide(_) | Scalar::Extended => 2,
            _ => 1,
        }
    }

    /// Its width in bits, in registers.
    #[inline]
    pub const fn bits(self) -> u32 {
        match self {
            Scalar::Integer(n) | Scalar::Wide(n) => n as u32,
            Scalar::Float => 32,
            Scalar::Double | Scalar::Pointer | Scalar::Pointer32 => 64,
            Scalar::Extended => 80,
        }
    }

    /// How many bytes of memory a load or store of it touches.
    #[inline]
    pub const fn bytes(self) -> u32 {
        match self {
            Scalar::Pointer32 => crate::ilp32::BYTES,
            _ => self.bits().div_ceil(8),
        }
    }

    /// Whether it is an address.
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
    /// As indices.
    #[inline]
    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}

/// Operations on two integers of equal width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "LLVM's own names, without abbreviation")]
pub enum BinaryOperation {
    Add,
    Subtract,
    Multiply,
    UnsignedDivide,
    SignedDivide,
    UnsignedRemainder,
    SignedRemainder,
    ShiftLeft,
    LogicalShiftRight,
    ArithmeticShiftRight,
    And,
    Or,
    Xor,
}

/// PoisonFlags that the compiler noted on an operation; broken ones are errors only where an option
/// asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct PoisonFlags {
    /// `nsw`: no signed overflow.
    pub no_signed_wrap: bool,
    /// `nuw`: no unsigned overflow.
    pub no_unsigned_wrap: bool,
    /// `exact`: no bit is lost.
    pub exact: bool,
}

/// Comparisons of integers or addresses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "LLVM's own names, without abbreviation")]
pub enum Comparison {
    Equal,
    NotEqual,
    UnsignedGreater,
    UnsignedGreaterEqual,
    UnsignedLess,
    UnsignedLessEqual,
    SignedGreater,
    SignedGreaterEqual,
    SignedLess,
    SignedLessEqual,
}

/// Comparisons of floating-point numbers: true if any of the four named outcomes holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct FloatComparison {
    /// True if one of them is not a number.
    pub unordered: bool,
    /// True if equal.
    pub equal: bool,
    /// True if greater.
    pub greater: bool,
    /// True if less.
    pub less: bool,
}

/// Operations on two floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "LLVM's own names, without abbreviation")]
pub enum FloatOperation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// Conversions between scalars.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "LLVM's own names, without abbreviation")]
pub enum Conversion {
    Truncate,
    ZeroExtend,
    SignExtend,
    FloatTruncate,
    FloatExtend,
    FloatToUnsigned,
    FloatToSigned,
    UnsignedToFloat,
    SignedToFloat,
    PointerToInteger,
    IntegerToPointer,
}

/// Read-modify-write operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "LLVM's own names, without abbreviation")]
pub enum ReadModifyWrite {
    Exchange,
    Add,
    Subtract,
    And,
    Nand,
    Or,
    Xor,
    SignedMaximum,
    SignedMinimum,
    UnsignedMaximum,
    UnsignedMinimum,
    FloatAdd,
    FloatSubtract,
    FloatMaximum,
    FloatMinimum,
    IncrementWrap,
    DecrementWrap,
}

/// The ordering of an access to memory, as LLVM's and C's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of C and LLVM")]
pub enum Ordering {
    NotAtomic,
    Unordered,
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

impl Ordering {
    /// Whether the access is atomic.
    pub const fn is_atomic(self) -> bool {
        !matches!(self, Ordering::NotAtomic)
    }
}

/// Functions of scalars without any other effect: LLVM's intrinsics.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of LLVM's intrinsics, spelt out")]
pub enum Intrinsic {
    CountOnes,
    /// Arguments: value, and whether zero is poison.
    CountLeadingZeros,
    /// Arguments: value, and whether zero is poison.
    CountTrailingZeros,
    SwapBytes,
    ReverseBits,
    FunnelShiftLeft,
    FunnelShiftRight,
    UnsignedMinimum,
    UnsignedMaximum,
    SignedMinimum,
    SignedMaximum,
    /// Arguments: value, and whether the least integer is poison.
    Absolute,
    SaturatingSignedAdd,
    SaturatingUnsignedAdd,
    SaturatingSignedSubtract,
    SaturatingUnsignedSubtract,
    SaturatingUnsignedShiftLeft,
    SaturatingSignedShiftLeft,
    /// Results: the sum, then (in the slot after it) whether it overflowed. The next five likewise.
    SignedAddOverflow,
    UnsignedAddOverflow,
    SignedSubtractOverflow,
    UnsignedSubtractOverflow,
    SignedMultiplyOverflow,
    UnsignedMultiplyOverflow,
    FloatNegate,
    FloatAbsolute,
    SquareRoot,
    Floor,
    Ceiling,
    TruncateToIntegral,
    RoundTiesToEven,
    RoundTiesAway,
    /// In the current rounding mode, which is always to nearest, ties to even.
    RoundCurrent,
    CopySign,
    /// `fmin`: a number if either is.
    MinimumNumber,
    MaximumNumber,
    /// IEEE 754-2019 minimum: not a number if either is not.
    Minimum,
    Maximum,
    FusedMultiplyAdd,
    /// Arguments: value, and the mask of classes; the result has one bit.
    IsFloatClass,
    /// `llvm.ptrmask`: arguments address and mask.
    PointerMask,
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
    /// The object (made by `Allocate`) comes into scope, with undefined content.
    LifetimeStart { address: Operand },
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

    /// Goes on at the target.
    Jump { target: Position },
    /// Goes on at one of two targets, by a one-bit condition.
    Branch {
        condition: Operand,
        then: Position,
        otherwise: Position,
    },
    /// Goes on at the target of the matching case. `cases` index [`Body::cases`].
    Switch {
        scalar: Scalar,
        value: Operand,
        cases: Range,
        default: Position,
    },
    /// Goes on where the label leads whose number `target` is; no other number is a label's.
    /// `cases` index [`Body::cases`].
    IndirectJump { target: Operand, cases: Range },
    /// Calls; goes on at the next position, or at the landing position of the site when an
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
    /// Whether control may come back here once more after the call has returned, as with `setjmp`.
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
}
