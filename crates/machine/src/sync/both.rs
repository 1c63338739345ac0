//! Locking two mutexes in one step, once both are free, for `std::lock` and `std::scoped_lock`.

use super::mutex::MUTEX_BYTES;
use crate::base::fault::{Awaited, ErrorKind, Result, blocked, error};
use crate::base::section_type::SectionType;
use crate::machine::Machine;
use crate::machine::builtin::{Builtin, Returned, synchronises};
use impasse_program::word::Word;

pub(crate) const BUILTINS: &[Builtin] = &[Builtin::new("__impasse_lock_both", 2, lock_both)
    .accessing(&[synchronises(0, MUTEX_BYTES), synchronises(1, MUTEX_BYTES)])
    .waiting(SectionType::Mutex)];

/// Neither is held in the meantime. Where attempts to lock fail only because a mutex is held, that
/// would be a difference: the result is zero then, and nothing is locked.
fn lock_both(machine: &mut Machine<'_>, mutexes: &[Word]) -> Result<Returned> {
    machine.access(0, mutexes[0])?;
    machine.access(1, mutexes[1])?;
    if mutexes[0].bits == mutexes[1].bits {
        let name = machine.name_of(mutexes[0]);
        let twice = format!("locks the mutex {name} twice at once");
        return error(ErrorKind::MutexMisuse, twice);
    }
    if !machine.options.spurious_failures {
        return Returned::int(0);
    }
    for &mutex in mutexes {
        let owner = machine.mutex_owner(mutex)?;
        if owner != 0 {
            machine.block_quietly()?;
            return blocked(Awaited::Lock, machine.name_of(mutex), [owner - 1]);
        }
    }
    for &mutex in mutexes {
        machine.take_mutex(mutex)?;
    }
    machine.note_operation_on(mutexes[0], |m| {
        let [first, second] = [mutexes[0], mutexes[1]].map(|mutex| m.name_of(mutex));
        format!("locks {first} and {second}")
    });
    Returned::int(1)
}
