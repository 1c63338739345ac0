//! Run-time errors that a program may end by.

use crate::instance::reachable;
use crate::ir::{Function, Index, Op, Operand, Place, Program, Scalar, Type};
use crate::syntax::tree::BinaryOp;
use crate::tree::Tree;

/// Returns the first line on which Impasse cannot exclude a run-time error, and what the error
/// would be; `None` if there is none.
pub fn first(program: &Program, tree: &Tree) -> Option<(u32, &'static str)> {
    let mut found: Option<(u32, &'static str)> = None;
    for instance in &tree.instances {
        let function = &instance.function;
        let reached = reachable(function);
        for (pc, instr) in function
            .code
            .iter()
            .enumerate()
            .filter(|(pc, _)| reached[*pc])
        {
            let line = program.file.line(instr.span);
            if let Some(fault) = of(function, &function.code[pc].op)
                && found.is_none_or(|(first, _)| line < first)
            {
                found = Some((line, fault));
            }
        }
    }
    found
}

fn of(function: &Function, op: &Op) -> Option<&'static str> {
    let zero = |divisor: &Operand| !matches!(divisor, Operand::Const(value) if *value != 0);
    let outside = match op {
        Op::Binary(_, BinaryOp::Divide | BinaryOp::Remainder, _, divisor, ..) if zero(divisor) => {
            return Some("a division by zero");
        }
        Op::Move(_, operand, store) => !fits(function, operand, *store),
        Op::Unary(.., store) | Op::Binary(.., store) => matches!(store, Scalar::Range { .. }),
        _ => false,
    };
    if outside {
        return Some("a number outside its range");
    }
    let mut bad = false;
    places(op, &mut |place| {
        bad |= place.indices.iter().any(|index| leaves(function, index))
    });
    bad.then_some("an index out of bounds")
}

/// Whether an operand surely is in a type, if that is a range.
fn fits(function: &Function, operand: &Operand, store: Scalar) -> bool {
    let Scalar::Range { low, high } = store else {
        return true;
    };
    match operand {
        Operand::Const(value) => (low..=high).contains(value),
        Operand::Place(place) => scalar(function, place)
            .is_some_and(|ty| bounds(ty).is_some_and(|(least, most)| low <= least && most <= high)),
    }
}

fn leaves(function: &Function, index: &Index) -> bool {
    let ty = scalar(function, &Place::whole(index.var)).and_then(bounds);
    !ty.is_some_and(|(least, most)| 0 <= least && most < i64::from(index.count))
}

fn scalar(function: &Function, place: &Place) -> Option<Scalar> {
    match function.vars[place.var.index()].ty {
        Type::Scalar(scalar) => Some(scalar),
        _ => None,
    }
}

/// The least and the greatest number of a type, where both are small.
fn bounds(ty: Scalar) -> Option<(i64, i64)> {
    match ty {
        Scalar::Bool => Some((0, 1)),
        Scalar::Range { low, high } => Some((low, high)),
        Scalar::Int { bits, signed } if bits <= 32 => Some(match signed {
            true => (-1 << (bits - 1), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        }),
        Scalar::Int { .. } => None,
    }
}

/// All places that an instruction reads or writes.
fn places(op: &Op, visit: &mut impl FnMut(&Place)) {
    let operand = |operand: &Operand, visit: &mut dyn FnMut(&Place)| {
        if let Operand::Place(place) = operand {
            visit(place);
        }
    };
    op.target().into_iter().for_each(&mut *visit);
    match op {
        Op::Move(_, a, _) | Op::Unary(_, _, a, ..) | Op::If(a, ..) => operand(a, visit),
        Op::Binary(_, _, a, b, ..) => {
            operand(a, visit);
            operand(b, visit);
        }
        Op::Copy(_, from, _) => visit(from),
        Op::Print(items) => {
            for item in items {
                if let crate::ir::PrintItem::Value(value, _) = item {
                    operand(value, visit);
                }
            }
        }
        Op::Par(calls, _) => {
            for arg in calls.iter().flat_map(|call| &call.args) {
                match arg {
                    crate::ir::Arg::Scalar(value) => operand(value, visit),
                    crate::ir::Arg::Aggregate(place) | crate::ir::Arg::Reference(place) => {
                        visit(place)
                    }
                    crate::ir::Arg::Channel(_) => {}
                }
            }
        }
        Op::Table(..)
        | Op::Input(..)
        | Op::Label(_)
        | Op::Goto(_)
        | Op::Send(_)
        | Op::Receive(_)
        | Op::Return
        | Op::Throw(_) => {}
    }
}
