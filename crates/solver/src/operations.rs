//! Operations and questions as Z3's vectors have them.

use crate::term::{Binary, Test};
use z3::ast::{BV, Bool};

/// Returns the result of an operation.
pub(crate) fn binary(operation: Binary, a: &BV, b: &BV) -> BV {
    match operation {
        Binary::Add => a.bvadd(b),
        Binary::Subtract => a.bvsub(b),
        Binary::Multiply => a.bvmul(b),
        Binary::UnsignedDivide => a.bvudiv(b),
        Binary::SignedDivide => a.bvsdiv(b),
        Binary::UnsignedRemainder => a.bvurem(b),
        Binary::SignedRemainder => a.bvsrem(b),
        Binary::ShiftLeft => a.bvshl(b),
        Binary::LogicalShiftRight => a.bvlshr(b),
        Binary::ArithmeticShiftRight => a.bvashr(b),
        Binary::And => a.bvand(b),
        Binary::Or => a.bvor(b),
        Binary::Xor => a.bvxor(b),
    }
}

/// Returns the answer to a question.
///
/// Overflow is expressed by the operation on operands wide enough: Z3's own predicates are wrong
/// for vectors of one bit.
pub(crate) fn question(test: Test, a: &BV, b: &BV) -> Bool {
    let width = a.get_size();
    let signed_misfit = |more: u32, operation: fn(&BV, &BV) -> BV| {
        let wide = operation(&a.sign_ext(more), &b.sign_ext(more));
        wide.extract(width - 1, 0).sign_ext(more).eq(&wide).not()
    };
    let unsigned_misfit = |more: u32, operation: fn(&BV, &BV) -> BV| {
        let wide = operation(&a.zero_ext(more), &b.zero_ext(more));
        let carry = wide.extract(width + more - 1, width);
        carry.eq(carry.bvxor(&carry)).not()
    };
    match test {
        Test::Equal => a.eq(b),
        Test::UnsignedLess => a.bvult(b),
        Test::UnsignedLessEqual => a.bvule(b),
        Test::SignedLess => a.bvslt(b),
        Test::SignedLessEqual => a.bvsle(b),
        Test::UnsignedAddOverflow => unsigned_misfit(1, |a, b| a.bvadd(b)),
        Test::SignedAddOverflow => signed_misfit(1, |a, b| a.bvadd(b)),
        Test::SignedSubtractOverflow => signed_misfit(1, |a, b| a.bvsub(b)),
        Test::UnsignedMultiplyOverflow => unsigned_misfit(width, |a, b| a.bvmul(b)),
        Test::SignedMultiplyOverflow => signed_misfit(width, |a, b| a.bvmul(b)),
    }
}
