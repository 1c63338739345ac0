//! C++'s shared mutexes (`runtime/shared_mutex.c`): one number, as libc++ counts.
//!
//! The highest bit says that a writer has entered, the others how many readers there are. A writer
//! enters first, which lets no more readers in, and then waits for those that are there. What is
//! handed over is what the standard says ([thread.sharedmutex.requirements]): a writer learns of
//! all who had the lock before, a reader of writers alone.

use super::object::message_of;
use crate::base::fault::{Awaited, ErrorKind, Result, blocked, error};
use crate::base::section_type::SectionType;
use crate::exec::interpret::add_to_address;
use crate::machine::Machine;
use crate::machine::builtin::{ArgumentAccess, Builtin, Returned, synchronises};
use impasse_program::word::Word;

const STATE: ArgumentAccess = synchronises(0, 4);
const ENTERED: u32 = 1 << 31;
/// Where what readers hand over stands, from the number on.
const READERS: i64 = 4;
const WHAT: &str = "shared mutex";

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("__impasse_shared_lock", 1, enter)
        .accessing(&[STATE])
        .waiting(SectionType::ReaderWriter),
    Builtin::new("__impasse_shared_await_readers", 1, await_readers)
        .accessing(&[STATE])
        .waiting(SectionType::ReaderWriter),
    Builtin::new("__impasse_shared_lock_shared", 1, lock_shared)
        .accessing(&[STATE])
        .waiting(SectionType::ReaderWriter),
    Builtin::new("__impasse_shared_try_lock", 2, try_lock).accessing(&[STATE]),
    Builtin::new("__impasse_shared_unlock", 2, unlock).accessing(&[STATE]),
];

/// Accesses a shared mutex, and returns its number.
fn state(machine: &mut Machine<'_>, mutex: Word) -> Result<u32> {
    machine.access(0, mutex)?;
    machine.field(mutex, 0, WHAT)
}

/// A writer enters. The result is whether there is no reader, so that it has the lock.
fn enter(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let mutex = arguments[0];
    let state = state(machine, mutex)?;
    if state & ENTERED != 0 {
        machine.block_quietly()?;
        return blocked(Awaited::WriteLock, machine.name_of(mutex), []);
    }
    machine.set_field(mutex, 0, state | ENTERED)?;
    match state {
        0 => learn_of_all(machine, mutex),
        _ => machine.observe_weakly(),
    }
    Returned::int(i32::from(state == 0))
}

fn await_readers(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let mutex = arguments[0];
    if state(machine, mutex)? != ENTERED {
        machine.block_quietly()?;
        return blocked(Awaited::WriteLockAfterReaders, machine.name_of(mutex), []);
    }
    learn_of_all(machine, mutex);
    Ok(Returned::Nothing)
}

fn lock_shared(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let mutex = arguments[0];
    let state = state(machine, mutex)?;
    if state & ENTERED != 0 {
        machine.block_quietly()?;
        return blocked(Awaited::ReadLock, machine.name_of(mutex), []);
    }
    machine.set_field(mutex, 0, state + 1)?;
    machine.acquire(message_of(mutex));
    Ok(Returned::Nothing)
}

fn try_lock(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (mutex, writes) = (arguments[0], arguments[1].bits != 0);
    let state = state(machine, mutex)?;
    let is_free = if writes {
        state == 0
    } else {
        state & ENTERED == 0
    };
    if !is_free {
        machine.observe_weakly();
    } else if writes {
        machine.set_field(mutex, 0, ENTERED)?;
        learn_of_all(machine, mutex);
    } else {
        machine.set_field(mutex, 0, state + 1)?;
        machine.acquire(message_of(mutex));
    }
    Returned::int(i32::from(is_free))
}

fn unlock(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (mutex, writes) = (arguments[0], arguments[1].bits != 0);
    let state = state(machine, mutex)?;
    let is_held = if writes {
        state == ENTERED
    } else {
        state & !ENTERED != 0
    };
    if !is_held {
        let name = machine.name_of(mutex);
        let how = if writes { "writing" } else { "reading" };
        let message = format!("unlocks the {WHAT} {name}, which no thread holds for {how}");
        return error(ErrorKind::MutexMisuse, message);
    }
    if writes {
        machine.set_field(mutex, 0, 0)?;
        machine.release_to(message_of(mutex), false);
    } else {
        machine.set_field(mutex, 0, state - 1)?;
        machine.release_to(message_of(add_to_address(mutex, READERS)), true);
    }
    Ok(Returned::Nothing)
}

/// A writer learns what all knew that had the lock before.
fn learn_of_all(machine: &mut Machine<'_>, mutex: Word) {
    machine.acquire(message_of(mutex));
    machine.acquire(message_of(add_to_address(mutex, READERS)));
}
