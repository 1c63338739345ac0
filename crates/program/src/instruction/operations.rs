//! What instructions compute: arithmetic, comparisons, conversions, atomic updates, intrinsics.

use serde::{Deserialize, Serialize};

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

/// What the compiler noted on an operation; a violation is an error only where an option
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
    /// Returns whether the access is atomic.
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
