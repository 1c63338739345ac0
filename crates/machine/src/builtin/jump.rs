//! Non-local jumps: `setjmp` and `longjmp`.
//!
//! A frame that calls `setjmp` gets an object of size 0 that goes with it. The buffer holds its
//! address and the position of the call, so that a jump into a frame that is gone is seen, even if
//! another activation of the function is there now.
//!
//! C++ leaves a jump undefined where an exception in its place would run destructors of variables.
//! That is looked for in the frames that are left, not in the one that is jumped to: what was alive
//! there at the call of `setjmp` stays so.

use crate::base::fault::{ErrorKind, Result, error, unsupported};
use crate::machine::Machine;
use crate::machine::builtin::{Builtin, Returned};
use crate::machine::builtin::{reads, writes};
use crate::state::memory::Spot;
use crate::state::memory::object::{Class, Flags, Object};
use crate::value::Value;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::Scalar;
use impasse_program::word::Word;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("setjmp", 1, set).accessing(&[writes(0, BYTES)]),
    Builtin::new("_setjmp", 1, set).accessing(&[writes(0, BYTES)]),
    Builtin::new("__setjmp", 1, set).accessing(&[writes(0, BYTES)]),
    Builtin::new("sigsetjmp", 2, set_without_mask).accessing(&[writes(0, SIGNAL_BYTES)]),
    Builtin::new("__sigsetjmp", 2, set_without_mask).accessing(&[writes(0, SIGNAL_BYTES)]),
    Builtin::new("longjmp", 2, jump).accessing(&[reads(0, BYTES)]),
    Builtin::new("_longjmp", 2, jump).accessing(&[reads(0, BYTES)]),
];

/// How much of a `jmp_buf` is used.
const BYTES: u64 = 16;
/// Where `sigjmp_buf` says whether the signal mask is in it.
const MASK_IS_SAVED: usize = 64;
const SIGNAL_BYTES: u64 = MASK_IS_SAVED as u64 + 8;

fn second(spot: Spot) -> Spot {
    Spot {
        object: spot.object,
        offset: spot.offset + 8,
    }
}

fn set(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let spot = machine.access(0, arguments[0])?;
    machine.set_jump(spot);
    Returned::int(0)
}

/// A call that was not compiled with the runtime's header, which saves the mask by a call of its
/// own: it is not saved.
fn set_without_mask(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    if arguments[1].bits as u32 != 0 {
        return unsupported("sigsetjmp of another C library, with the signal mask saved");
    }
    let spot = machine.access(0, arguments[0])?;
    let flag = Spot {
        object: spot.object,
        offset: spot.offset + MASK_IS_SAVED,
    };
    machine.store_checked(Scalar::Integer(64), flag, Value::one(Word::number(0)));
    machine.set_jump(spot);
    Returned::int(0)
}

impl Machine<'_> {
    /// Makes the present call the target of a buffer.
    fn set_jump(&mut self, spot: Spot) {
        let marker = self.frame_marker();
        let marker = Word::pointer(Address::of(marker).bits());
        self.store_checked(Scalar::Pointer, spot, Value::one(marker));
        let position = Word::number(self.at.position as u64);
        self.store_checked(Scalar::Integer(64), second(spot), Value::one(position));
    }

    /// The object that stands for the innermost frame.
    fn frame_marker(&mut self) -> ObjectId {
        let frame = self.stack.frames.last().expect("a running frame");
        let is_marker = |object: &&ObjectId| {
            **object != frame.arguments
                && self.memory.get(**object).is_some_and(|o| {
                    o.class() == Class::Machine && o.size() == 0 && !o.flags().has(Flags::FREED)
                })
        };
        if let Some(&known) = frame.objects.iter().find(is_marker) {
            return known;
        }
        self.allocate_local(Object::undefined(Class::Machine, 0, 3, None))
    }
}

fn jump(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let spot = machine.access(0, arguments[0])?;
    let marker = machine.load_checked(Scalar::Pointer, spot).low;
    let position = machine.load_checked(Scalar::Integer(64), second(spot)).low;
    if !marker.is_defined() || !position.is_defined() || !arguments[1].is_defined() {
        return error(
            ErrorKind::UndefinedValue,
            "longjmp depends on an undefined value; was setjmp called?",
        );
    }
    let object = Address::from_bits(marker.bits).object;
    let freed = |o: crate::state::memory::ObjectRef| o.flags().has(Flags::FREED);
    if !marker.pointer || machine.memory.get(object).is_none_or(freed) {
        return error(
            ErrorKind::InvalidCall,
            "longjmp goes to a function that has returned, or to where no setjmp was called",
        );
    }
    let Some(frame) = machine.frame_of_object(object) else {
        return error(
            ErrorKind::InvalidCall,
            "longjmp goes to a function of another thread",
        );
    };
    if let Some(function) = machine.destructors_inside(frame) {
        let name = &machine.program.info(function).display_name;
        return error(
            ErrorKind::InvalidCall,
            format!(
                "longjmp leaves {name}, where an exception would run destructors: C++ does not allow that"
            ),
        );
    }
    let result = match arguments[1].bits as u32 {
        0 => 1,
        value => value,
    };
    let result = Word::number(result as u64);
    machine.return_again(frame, position.bits as u32, result)?;
    Ok(Returned::Moved)
}
