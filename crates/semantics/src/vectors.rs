//! The algebra of bit vectors that a domain of values provides.

use impasse_program::instruction::BinaryOperation;

/// How the bits of a vector are read as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// As a number from zero.
    Unsigned,
    /// In two's complement.
    Signed,
}

/// An operation whose exact result may not fit the width of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the operation and how its operands are read")]
pub enum Overflow {
    SignedAdd,
    UnsignedAdd,
    SignedSubtract,
    SignedMultiply,
    UnsignedMultiply,
}

/// What can be counted in a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// The bits that are one.
    Ones,
    /// The zeros above the highest one.
    LeadingZeros,
    /// The zeros below the lowest one.
    TrailingZeros,
}

/// Total operations on bit vectors, and conditions on them. A handle: cheap to copy.
///
/// Every vector has a width, which the caller names where an instance might not store it. Both
/// operands of an operation have the same width. As in SMT-LIB, a quotient by zero is all ones (for
/// [`Sign::Signed`] and a negative dividend, one), a remainder by zero is the dividend, and a shift
/// by the width or more leaves zeros or copies of the sign; [`crate::arithmetic::hazards`] says
/// where LLVM leaves the result undefined.
///
/// ```
/// use impasse_semantics::numbers::Narrow;
/// use impasse_semantics::vectors::{Sign, Vectors};
///
/// /// The greater of two signed vectors: numbers here, terms or abstract values elsewhere.
/// fn maximum<V: Vectors>(v: V, width: u32, a: V::Vector, b: V::Vector) -> V::Vector {
///     v.choose(v.less(Sign::Signed, width, a, b), b, a)
/// }
///
/// assert_eq!(maximum(Narrow, 8, 0xff, 1), 1); // 0xff is -1
/// ```
pub trait Vectors: Copy {
    /// A vector.
    type Vector: Copy;
    /// Whether something holds.
    type Condition: Copy;

    /// Returns the lowest `width` bits of a number.
    fn constant(self, value: u128, width: u32) -> Self::Vector;

    /// Returns the result of an operation, truncated to the width.
    fn binary(
        self,
        operation: BinaryOperation,
        width: u32,
        left: Self::Vector,
        right: Self::Vector,
    ) -> Self::Vector;

    /// Returns whether two vectors are equal.
    fn equal(self, width: u32, left: Self::Vector, right: Self::Vector) -> Self::Condition;

    /// Returns whether the first is less than the second.
    fn less(
        self,
        sign: Sign,
        width: u32,
        left: Self::Vector,
        right: Self::Vector,
    ) -> Self::Condition;

    /// Returns whether the first is at most the second.
    fn at_most(
        self,
        sign: Sign,
        width: u32,
        left: Self::Vector,
        right: Self::Vector,
    ) -> Self::Condition;

    /// Returns whether the exact result of an operation does not fit.
    fn overflows(
        self,
        operation: Overflow,
        width: u32,
        left: Self::Vector,
        right: Self::Vector,
    ) -> Self::Condition;

    /// Returns whether both conditions hold.
    fn and(self, one: Self::Condition, other: Self::Condition) -> Self::Condition;

    /// Returns whether a condition does not hold.
    fn not(self, condition: Self::Condition) -> Self::Condition;

    /// Returns the first vector where a condition holds, elsewhere the second.
    fn choose(
        self,
        condition: Self::Condition,
        yes: Self::Vector,
        no: Self::Vector,
    ) -> Self::Vector;

    /// Returns `width` bits of a vector, from bit `low` on.
    fn extract(self, of: Self::Vector, low: u32, width: u32) -> Self::Vector;

    /// Returns the bits of `high` above the `low_width` bits of `low`.
    fn concatenate(self, high: Self::Vector, low: Self::Vector, low_width: u32) -> Self::Vector;

    /// Returns the vector with `to` bits instead of `from`: truncated, or extended by zeros or
    /// copies of the sign.
    fn resize(self, sign: Sign, of: Self::Vector, from: u32, to: u32) -> Self::Vector;

    /// Returns the number of bits of a kind, as a vector of the same width, or `None` if the domain
    /// cannot express it. Of zeros in a vector without ones there are `width`.
    fn count(self, what: Count, width: u32, of: Self::Vector) -> Option<Self::Vector>;
}
