//! Loops that nothing leaves.
//!
//! If no path from a header leads out of its function or to anything that may fail, an execution
//! that reaches the header never terminates, whatever it computes. Instructions that may fail are
//! calls, divisions and shifts by what is not a constant, and accesses to memory other than to
//! whole global variables.

use super::run::Subject;
use crate::problem::Overflow;
use impasse_machine::base::fault::CodePlace;
use impasse_program::address::{Address, ObjectKind};
use impasse_program::instruction::{
    BinaryOperation, Conversion, Instruction, Operand, Place, Position,
};
use impasse_program::link::Function;
use impasse_program::word::Word;
use rustc_hash::FxHashSet;

/// What must be assumed about signed overflow so that nothing leaves the loop with this header once
/// it is reached; `None` if something may leave it.
pub fn is_never_left(subject: &Subject<'_>, header: CodePlace) -> Option<Overflow> {
    let function = subject.system.program.function(header.function);
    let body = &function.body;
    let mut seen = FxHashSet::default();
    let mut open = vec![header.position];
    let mut overflow = Overflow::Undefined;
    while let Some(at) = open.pop() {
        if !seen.insert(at.0) {
            continue;
        }
        let instruction = &body.code[at.0 as usize];
        if !cannot_fail(subject, function, instruction) {
            return None;
        }
        if let Instruction::Binary { poison_flags, .. } = instruction
            && poison_flags.no_signed_wrap
        {
            overflow = Overflow::Wraps;
        }
        instruction.for_each_successor(body, at, |next: Position| open.push(next));
    }
    Some(overflow)
}

fn cannot_fail(subject: &Subject<'_>, function: &Function, instruction: &Instruction) -> bool {
    use Instruction as I;
    let constant = |operand: Operand| match operand.place() {
        Place::Constant(index) => Some(function.constants[index as usize]),
        _ => None,
    };
    match instruction {
        I::Move { .. }
        | I::Compare { .. }
        | I::Select { .. }
        | I::Freeze { .. }
        | I::AddressOffset { .. }
        | I::Jump { .. }
        | I::Branch { .. }
        | I::Switch { .. } => true,
        I::Convert { conversion, .. } => matches!(
            conversion,
            Conversion::Truncate | Conversion::ZeroExtend | Conversion::SignExtend
        ),
        I::Binary {
            operation,
            right,
            scalar,
            ..
        } => {
            use BinaryOperation as B;
            let right = constant(*right).map(|word| word.bits);
            match operation {
                B::UnsignedDivide | B::UnsignedRemainder => right.is_some_and(|by| by != 0),
                B::SignedDivide | B::SignedRemainder => {
                    // Neither zero nor minus one.
                    right.is_some_and(|by| (2..1 << 31).contains(&by))
                }
                B::ShiftLeft | B::LogicalShiftRight | B::ArithmeticShiftRight => {
                    right.is_some_and(|by| by < u64::from(scalar.bits()))
                }
                _ => true,
            }
        }
        I::Load {
            scalar, address, ..
        }
        | I::Store {
            scalar, address, ..
        } => constant(*address).is_some_and(|to| is_inside(subject, to, scalar.bytes())),
        _ => false,
    }
}

/// Whether so many bytes at an address lie in a global variable that the program may write.
fn is_inside(subject: &Subject<'_>, address: Word, bytes: u32) -> bool {
    let program = &subject.system.program;
    let address = Address::from_bits(address.bits);
    let ObjectKind::Global(number) = address.object.kind() else {
        return false;
    };
    let global = program.globals().get(number as usize);
    let end = address.offset.checked_add(i64::from(bytes));
    global.is_some_and(|global| {
        let size = global.bytes.len() as i64;
        let aligned = address.offset % i64::from(bytes.max(1)) == 0;
        !global.constant
            && !global.thread_local
            && aligned
            && address.offset >= 0
            && end.is_some_and(|end| end <= size)
    })
}
