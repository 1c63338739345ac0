//! What the runtime's unwinder (`runtime/unwind.c`) is built on, and `llvm.eh.typeid.for`.

use crate::base::fault::{ErrorKind, Result, error};
use crate::base::options::Uncaught;
use crate::exec::interpret::Flow;
use crate::exec::unwind::Wanted;
use crate::machine::Machine;
use crate::machine::builtin::{Builtin, Returned};
use crate::machine::builtin::{reads, writes};
use crate::state::memory::Spot;
use crate::value::Value;
use impasse_program::address::Address;
use impasse_program::instruction::Scalar;
use impasse_program::word::Word;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("__impasse_frame", 0, |m, _| {
        Returned::number(m.frame_count() as i64 - 1, 64)
    }),
    Builtin::new("__impasse_next_frame", 2, next_frame).accessing(&[writes(0, CONTEXT_BYTES)]),
    Builtin::new("__impasse_land", 1, land).accessing(&[reads(0, CONTEXT_BYTES)]),
    Builtin::new("__impasse_unwinds_uncaught", 0, unwinds_uncaught),
    Builtin::new("__impasse_function_start", 1, function_start),
    Builtin::new("__impasse_leave_thread", 1, |m, a| {
        match m.begin_exit(a[0])? {
            Flow::Stop(stop) => Ok(Returned::Stop(stop)),
            _ => Ok(Returned::Moved),
        }
    }),
    Builtin::new("llvm.eh.typeid.for", 1, type_number),
];

/// The words of the runtime's `struct _Unwind_Context`.
#[derive(Clone, Copy)]
enum Field {
    Frame,
    Personality,
    Region,
    ReturnAddress,
    Table,
    Landing,
    Exception,
    Selector,
}

const CONTEXT_BYTES: u64 = 64;

fn at(context: Spot, field: Field) -> Spot {
    Spot {
        object: context.object,
        offset: context.offset + field as usize * 8,
    }
}

impl Machine<'_> {
    fn context_word(&mut self, context: Spot, field: Field) -> Word {
        self.load_checked(Scalar::Pointer, at(context, field)).low
    }

    fn set_context_word(&mut self, context: Spot, field: Field, word: Word) {
        self.store_checked(Scalar::Pointer, at(context, field), Value::one(word));
    }
}

/// Moves a context outward to the next frame of the wanted kind; 0 if there is none.
fn next_frame(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let context = machine.access(0, arguments[0])?;
    let wanted = match arguments[1].bits as u32 {
        0 => Wanted::Any,
        1 => Wanted::Handler,
        _ => Wanted::Landing,
    };
    let below = machine.context_word(context, Field::Frame).bits as usize;
    let below = below.min(machine.frame_count().saturating_sub(1));
    let Some(frame) = machine.next_frame(below, wanted)? else {
        return Returned::int(0);
    };
    let personality = machine.program.personality(frame.function);
    let region = machine.program.address_of(frame.function).bits();
    for (field, word) in [
        (Field::Frame, Word::number(frame.index as u64)),
        (Field::Personality, personality.unwrap_or(Word::number(0))),
        (Field::Region, Word::pointer(region)),
        (Field::ReturnAddress, machine.return_address(&frame)),
        (Field::Table, machine.table_address(&frame)),
        (Field::Landing, machine.landing_address(&frame)),
    ] {
        machine.set_context_word(context, field, word);
    }
    Returned::int(1)
}

/// Removes all frames inside of the context's, and continues there, at the landing pad that its
/// instruction pointer names.
fn land(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let context = machine.access(0, arguments[0])?;
    let frame = machine.context_word(context, Field::Frame).bits as usize;
    let target = machine.context_word(context, Field::ReturnAddress);
    let exception = machine.context_word(context, Field::Exception);
    let selector = machine.context_word(context, Field::Selector);
    let position = Address::from_bits(target.bits).offset;
    let selector = Word::number(selector.bits & 0xffff_ffff);
    machine.land(frame, position as u32, exception, selector)?;
    Ok(Returned::Moved)
}

/// Whether the stack is unwound although no handler catches the exception.
fn unwinds_uncaught(machine: &mut Machine<'_>, _: &[Word]) -> Result<Returned> {
    let unwinds = match machine.options.uncaught {
        Uncaught::Both if machine.clean_up_waits()? => machine.choose(2, true)? == 1,
        Uncaught::Both | Uncaught::Terminate => false,
        Uncaught::Unwind => true,
    };
    Returned::int(unwinds as i32)
}

/// The start of the function that an address points into.
fn function_start(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let address = machine.memory.address(arguments[0])?;
    let start = Address::of(address.object).bits();
    Ok(Returned::Word(Word::pointer(start)))
}

fn type_number(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let table = machine.exception_table(machine.at.id);
    let Some(table) = table else {
        return error(
            ErrorKind::InvalidCall,
            "asks for the number of an exception type where no exception arrives",
        );
    };
    let number = table.content.type_number(arguments[0]);
    Returned::number(number as i64, 32)
}
