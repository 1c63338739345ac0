//! What a read-modify-write writes.

use impasse_program::instruction::{
    BinaryOperation, FloatOperation, Intrinsic, ReadModifyWrite as R,
};

/// How the new value is made of the old one and the operand, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Modification {
    /// It is the operand.
    Replace,
    /// Integer arithmetic that wraps around.
    Binary(BinaryOperation),
    /// The complement of the conjunction.
    Nand,
    /// An intrinsic on integers or floating-point numbers.
    Intrinsic(Intrinsic),
    /// Floating-point arithmetic.
    Float(FloatOperation),
    /// One more; zero where the old value is not less than the operand.
    IncrementWrap,
    /// One less; the operand where the old value is zero or greater than the operand.
    DecrementWrap,
}

/// Returns the modification that a read-modify-write makes.
pub const fn modification(operation: R) -> Modification {
    match operation {
        R::Exchange => Modification::Replace,
        R::Add => Modification::Binary(BinaryOperation::Add),
        R::Subtract => Modification::Binary(BinaryOperation::Subtract),
        R::And => Modification::Binary(BinaryOperation::And),
        R::Or => Modification::Binary(BinaryOperation::Or),
        R::Xor => Modification::Binary(BinaryOperation::Xor),
        R::Nand => Modification::Nand,
        R::SignedMaximum => Modification::Intrinsic(Intrinsic::SignedMaximum),
        R::SignedMinimum => Modification::Intrinsic(Intrinsic::SignedMinimum),
        R::UnsignedMaximum => Modification::Intrinsic(Intrinsic::UnsignedMaximum),
        R::UnsignedMinimum => Modification::Intrinsic(Intrinsic::UnsignedMinimum),
        R::FloatAdd => Modification::Float(FloatOperation::Add),
        R::FloatSubtract => Modification::Float(FloatOperation::Subtract),
        R::FloatMaximum => Modification::Intrinsic(Intrinsic::MaximumNumber),
        R::FloatMinimum => Modification::Intrinsic(Intrinsic::MinimumNumber),
        R::IncrementWrap => Modification::IncrementWrap,
        R::DecrementWrap => Modification::DecrementWrap,
    }
}
