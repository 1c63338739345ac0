//! How many bits the value of a slot has, by the instructions that read or assign it.

use impasse_program::instruction::{Body, Instruction as I, Operand, Scalar, Slot};

/// How many moves are followed.
const MOVES: u32 = 4;

/// Returns the width of the values in a slot, as some instruction reads or assigns one, or `None`
/// if none says so. A slot may have values of several widths.
pub(super) fn width_of(body: &Body, slot: Slot) -> Option<u32> {
    follow(body, slot, MOVES)
}

fn follow(body: &Body, slot: Slot, moves: u32) -> Option<u32> {
    if let Some(width) = body.code.iter().find_map(|it| used(body, it, slot)) {
        return Some(width);
    }
    let moved = |instruction: &I| match *instruction {
        I::Move {
            destination,
            source,
        } if source == Operand::slot(slot) => follow(body, destination, moves - 1),
        _ => None,
    };
    match moves {
        0 => None,
        _ => body.code.iter().find_map(moved),
    }
}

/// The width of a slot that an instruction reads, or assigns as its only result.
fn used(body: &Body, instruction: &I, slot: Slot) -> Option<u32> {
    let reads = |operands: &[Operand]| operands.contains(&Operand::slot(slot));
    let one = |scalar: Scalar| (scalar.words() == 1).then(|| scalar.bits());
    match *instruction {
        I::Binary {
            scalar,
            destination,
            left,
            right,
            ..
        } if destination == slot || reads(&[left, right]) => one(scalar),
        I::Compare {
            scalar,
            left,
            right,
            ..
        } if reads(&[left, right]) => one(scalar),
        I::Compare { destination, .. } if destination == slot => Some(1),
        I::Convert { from, source, .. } if reads(&[source]) => one(from),
        I::Convert {
            to, destination, ..
        } if destination == slot => one(to),
        I::Select {
            scalar,
            destination,
            then,
            otherwise,
            ..
        } if destination == slot || reads(&[then, otherwise]) => one(scalar),
        I::Store { scalar, source, .. } if reads(&[source]) => one(scalar),
        I::Load {
            scalar,
            destination,
            ..
        } if destination == slot => one(scalar),
        I::AddressIndex { index, width, .. } if reads(&[index]) => Some(width.into()),
        I::Branch { condition, .. } if reads(&[condition]) => Some(1),
        I::Call { site } => {
            let mut arguments = body.sites[site.0 as usize].arguments.iter();
            let argument = arguments.find(|it| it.value == Operand::slot(slot))?;
            one(argument.scalar)
        }
        _ => None,
    }
}
