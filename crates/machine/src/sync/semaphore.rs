//! Semaphores (32 bytes): the number at 0, status at 8.

use super::mutex::Patience;
use super::object::{DESTROYED, message_of};
use crate::base::fault::{Awaited, Result, blocked};
use crate::base::section_type::SectionType;
use crate::machine::Machine;
use crate::machine::builtin::{ArgumentAccess, TIME_BYTES, reads, synchronises, writes};
use crate::machine::builtin::{Builtin, Returned};
use crate::state::signal::Interrupted;
use impasse_program::word::Word;

const BYTES: u64 = 32;
const EINTR: i32 = 4;
const EAGAIN: i32 = 11;
const EINVAL: i32 = 22;
const EOVERFLOW: i32 = 75;
const MOST: u32 = i32::MAX as u32;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("sem_init", 3, init).accessing(&[writes(0, BYTES)]),
    Builtin::new("sem_destroy", 1, |m, a| {
        m.access(0, a[0])?;
        m.usable(a[0], "semaphore")?;
        m.set_field(a[0], 8, DESTROYED)?;
        Returned::int(0)
    })
    .accessing(&[synchronises(0, BYTES)]),
    Builtin::new("sem_wait", 1, |m, a| wait(m, a[0], Patience::Wait))
        .accessing(&[synchronises(0, BYTES)])
        .waiting(SectionType::Semaphore)
        .interrupted(),
    Builtin::new("sem_trywait", 1, |m, a| {
        wait(m, a[0], Patience::None(EAGAIN))
    })
    .accessing(&[synchronises(0, BYTES)]),
    Builtin::new("sem_timedwait", 2, |m, a| {
        m.access_unless_null(1, a[1])?;
        wait(m, a[0], Patience::Until(a[1]))
    })
    .accessing(&[synchronises(0, BYTES), TIME])
    .interrupted(),
    Builtin::new("sem_post", 1, post).accessing(&[synchronises(0, BYTES)]),
    Builtin::new("sem_getvalue", 2, get_value).accessing(&[synchronises(0, BYTES), writes(1, 4)]),
];

/// Until when to wait.
const TIME: ArgumentAccess = reads(1, TIME_BYTES).unless_null();

impl Machine<'_> {
    /// Returns -1 with `errno` set: the runtime's own function does it.
    pub(crate) fn fail_with(&mut self, number: i32) -> Result<Returned> {
        match self.system.fail {
            Some(function) => self.continue_in(function, &[Word::number(number as u32 as u64)]),
            None => Returned::int(-1),
        }
    }
}

/// Whether there is something to take: glibc only reads a semaphore that is 0.
pub(crate) fn is_positive(machine: &mut Machine<'_>, arguments: &[Word]) -> bool {
    let value = machine.field(arguments[0], 0, "semaphore");
    value.map_or(true, |value| value > 0)
}

/// Takes one if there is one, and returns whether there was.
pub(super) fn take(machine: &mut Machine<'_>, semaphore: Word) -> Result<bool> {
    let value = machine.field(semaphore, 0, "semaphore")?;
    if value == 0 {
        return Ok(false);
    }
    machine.set_field(semaphore, 0, value - 1)?;
    machine.acquire(message_of(semaphore));
    machine.note_operation_on(semaphore, |m| {
        format!("takes {}: {} left", m.name_of(semaphore), value - 1)
    });
    Ok(true)
}

fn init(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (semaphore, value) = (arguments[0], arguments[2].bits as u32);
    if value > MOST {
        return machine.fail_with(EINVAL);
    }
    machine.initialise(semaphore, BYTES, (0, value))?;
    Returned::int(0)
}

fn wait(machine: &mut Machine<'_>, semaphore: Word, patience: Patience) -> Result<Returned> {
    machine.access(0, semaphore)?;
    machine.usable(semaphore, "semaphore")?;
    if !matches!(patience, Patience::None(_)) && machine.cancelled() {
        return machine.become_cancelled();
    }
    let interrupted = machine.take_interruption();
    if take(machine, semaphore)? {
        return Returned::int(0);
    }
    let is_timed = matches!(patience, Patience::Until(_));
    // Linux does not restart a wait with a limit, whatever the action of the signal says.
    if interrupted == Interrupted::Failing || (is_timed && interrupted == Interrupted::Restarting) {
        return machine.fail_with(EINTR);
    }
    match machine.give_up_with(patience)? {
        Some(number) => {
            machine.observe_weakly();
            machine.fail_with(number)
        }
        None => {
            machine.block_quietly()?;
            blocked(Awaited::Unit, machine.name_of(semaphore), [])
        }
    }
}

fn post(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let semaphore = arguments[0];
    machine.access(0, semaphore)?;
    machine.usable(semaphore, "semaphore")?;
    let value = machine.field(semaphore, 0, "semaphore")?;
    if value >= MOST {
        machine.observe_weakly();
        return machine.fail_with(EOVERFLOW);
    }
    machine.set_field(semaphore, 0, value + 1)?;
    machine.release_to(message_of(semaphore), true);
    machine.note_operation_on(semaphore, |m| {
        format!("posts {}: now {}", m.name_of(semaphore), value + 1)
    });
    Returned::int(0)
}

fn get_value(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.access(0, arguments[0])?;
    machine.observe_weakly();
    machine.usable(arguments[0], "semaphore")?;
    let value = machine.field(arguments[0], 0, "semaphore")?;
    machine.store_number(1, arguments[1], value)?;
    Returned::int(0)
}
