//! Circuits against evaluation.

use super::*;
use crate::eval;
use crate::ir::INT;

const OPS: [BinaryOp; 16] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::BitAnd,
    BinaryOp::BitXor,
    BinaryOp::BitOr,
];

/// Fixing both operands leaves the one result that evaluation gives.
#[test]
fn circuits_compute_what_evaluation_computes() {
    let mut rng = fastrand::Rng::with_seed(7);
    let word = Scalar::Int {
        bits: 32,
        signed: false,
    };
    for round in 0..96 {
        let ty = if round % 2 == 0 { INT } else { word };
        let op = OPS[round / 2 % OPS.len()];
        let pick = |rng: &mut fastrand::Rng| match rng.u8(0..3) {
            0 => rng.i64(-4..5),
            _ => rng.i64(i32::MIN as i64..=i32::MAX as i64),
        };
        let (a, b) = (ty.wrap(pick(&mut rng)), ty.wrap(pick(&mut rng)));
        let Some(expected) = eval::binary(op, ty, a, b) else {
            continue;
        };
        let mut terms = Terms::default();
        let (x, y) = (terms.symbol(0), terms.symbol(1));
        let result = terms.binary(op, ty, x, y).expect("unknown operands");
        let fixed = |terms: &mut Terms<u32>, term, value| {
            let number = terms.number(value);
            (
                terms
                    .binary(
                        BinaryOp::Equal,
                        Scalar::Int {
                            bits: 64,
                            signed: true,
                        },
                        term,
                        number,
                    )
                    .expect("no division"),
                true,
            )
        };
        let mut conditions = vec![
            fixed(&mut terms, x, a),
            fixed(&mut terms, y, b),
            fixed(&mut terms, result, expected),
        ];
        assert_eq!(
            solve(&terms, &[ty, ty], &conditions),
            Answer::Satisfied(vec![a, b]),
            "{a} {op:?} {b} = {expected}"
        );
        conditions[2].1 = false;
        assert_eq!(
            solve(&terms, &[ty, ty], &conditions),
            Answer::Impossible,
            "{a} {op:?} {b} = {expected}"
        );
    }
}
