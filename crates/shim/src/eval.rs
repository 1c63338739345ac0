//! Arithmetic: one definition of every operator, for folding, analysis and execution.

use crate::ir::Scalar;
use crate::syntax::tree::{BinaryOp, UnaryOp};

/// Returns `op a` in the given type.
pub fn unary(op: UnaryOp, ty: Scalar, a: i64) -> i64 {
    let a = ty.wrap(a);
    ty.wrap(match op {
        UnaryOp::Negate => a.wrapping_neg(),
        UnaryOp::Complement => !a,
        UnaryOp::Not => return (a == 0) as i64,
        UnaryOp::Plus => a,
    })
}

/// Returns `a op b` in the given type, or `None` for a division by zero.
///
/// Results wrap around. A shift distance counts modulo the width.
pub fn binary(op: BinaryOp, ty: Scalar, a: i64, b: i64) -> Option<i64> {
    let (bits, signed) = ty.shape();
    let (a, b) = (ty.wrap(a), ty.wrap(b));
    let less = if signed { a < b } else { (a as u64) < b as u64 };
    let distance = (b as u64 % bits as u64) as u32;
    let value = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide | BinaryOp::Remainder if b == 0 => return None,
        BinaryOp::Divide if signed => a.wrapping_div(b),
        BinaryOp::Divide => (a as u64 / b as u64) as i64,
        BinaryOp::Remainder if signed => a.wrapping_rem(b),
        BinaryOp::Remainder => (a as u64 % b as u64) as i64,
        BinaryOp::ShiftLeft => a << distance,
        BinaryOp::ShiftRight if signed => a >> distance,
        BinaryOp::ShiftRight => ((a as u64) >> distance) as i64,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        BinaryOp::Less => return Some(less as i64),
        BinaryOp::LessEqual => return Some((less || a == b) as i64),
        BinaryOp::Greater => return Some((!less && a != b) as i64),
        BinaryOp::GreaterEqual => return Some(!less as i64),
        BinaryOp::Equal => return Some((a == b) as i64),
        BinaryOp::NotEqual => return Some((a != b) as i64),
    };
    Some(ty.wrap(value))
}
