//! Where paths divide: conditions, comparisons and switches.

use super::arithmetic::{Reading, readings};
use super::farkas::contradiction;
use super::state::{Path, Value};
use crate::affine::Affine;
use impasse_program::instruction::{Comparison, Operand, Position, Scalar, Slot};

/// The paths on which a condition holds, and those on which it does not.
pub(super) fn divided<'s>(
    path: &mut Path<'s>,
    condition: Operand,
) -> (Vec<Path<'s>>, Vec<Path<'s>>) {
    let number = path.number(condition, Scalar::Integer(1), Reading::Unsigned);
    path.compared(Comparison::NotEqual, (&number, &Affine::default()))
}

/// Compares. A constant that may be two numbers is either.
pub(super) fn compare<'s>(
    mut path: Path<'s>,
    comparison: Comparison,
    scalar: Scalar,
    (destination, left, right): (Slot, Operand, Operand),
) -> Vec<Path<'s>> {
    use Comparison as C;
    let reading = match comparison {
        C::Equal | C::NotEqual => Reading::Either,
        C::SignedGreater | C::SignedGreaterEqual | C::SignedLess | C::SignedLessEqual => {
            Reading::Signed
        }
        _ => Reading::Unsigned,
    };
    let bits = match (path.read(right), scalar) {
        (Value::Bits(bits), Scalar::Integer(width)) if width > 1 => {
            Some(readings(bits, width.into(), reading))
        }
        _ => None,
    };
    let a = path.number(left, scalar, reading);
    let others: Vec<Affine> = match bits {
        Some(numbers) => numbers.into_iter().map(Affine::constant).collect(),
        None => vec![path.number(right, scalar, reading)],
    };
    let mut found = Vec::new();
    if reading == Reading::Unsigned {
        let numbers = others.iter().chain([&a]);
        found.extend(numbers.filter_map(|one| path.without_sign(one)));
    }
    for b in others {
        let (holds, fails) = path.compared(comparison, (&a, &b));
        for (paths, outcome) in [(holds, 1), (fails, 0)] {
            found.extend(paths.into_iter().map(|mut path| {
                path.assign(destination, Value::Bits(outcome));
                path
            }));
        }
    }
    found
}

/// The lowest bit of a number; of one that is neither 0 nor 1, either.
pub(super) fn lowest_bit<'s>(
    mut path: Path<'s>,
    destination: Slot,
    (source, scalar): (Operand, Scalar),
) -> Vec<Path<'s>> {
    if let Value::Bits(bits) = path.read(source) {
        path.assign(destination, Value::Bits(bits & 1));
        return vec![path];
    }
    let number = path.number(source, scalar, Reading::Either);
    let mut found = Vec::new();
    for bit in [0, 1] {
        let (equal, _) = path.compared(Comparison::Equal, (&number, &Affine::constant(bit)));
        found.extend(equal.into_iter().map(|path| (path, bit)));
    }
    let outside = [number.shifted(1), number.times(&(-1).into()).shifted(2)];
    for path in outside.into_iter().filter_map(|one| path.at_most_zero(one)) {
        found.extend([(path.clone(), 0), (path, 1)]);
    }
    let assigned = found.into_iter().map(|(mut path, bit)| {
        path.assign(destination, Value::Bits(bit as u64));
        path
    });
    assigned.collect()
}

pub(super) fn switch<'s>(
    path: Path<'s>,
    (number, scalar): (&Affine, Scalar),
    cases: &[(u64, Position)],
    default: Position,
) -> Vec<Path<'s>> {
    let lead = |mut path: Path<'s>, target: Position| {
        path.top().at = target.0;
        path
    };
    let mut found = Vec::new();
    let mut others = vec![path];
    for &(case, target) in cases {
        for case in readings(case, scalar.bits().min(64), Reading::Either) {
            let mut left = Vec::new();
            for path in others {
                let case = Affine::constant(case.clone());
                let (equal, different) = path.compared(Comparison::Equal, (number, &case));
                found.extend(equal.into_iter().map(|path| lead(path, target)));
                let possible = |path: &Path<'s>| contradiction(&path.known).is_none();
                left.extend(different.into_iter().filter(possible));
            }
            others = left;
        }
    }
    found.extend(others.into_iter().map(|path| lead(path, default)));
    found
}
