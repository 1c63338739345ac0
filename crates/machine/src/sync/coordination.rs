//! C++20's semaphores, latches and barriers, which `runtime/libcxx` declares.
//!
//! libc++'s own are made of atomics that are polled: each poll is a step, and its orders are those
//! of an implementation. Here an operation is one step, and hands over what the standard says
//! ([thread.sema], [thread.latch], [thread.barrier]) and no more: an acquisition learns of the
//! releases, but a release not of acquisitions before it, nor an attempt that fails of anything.
//!
//! A semaphore and a latch are a number at 0. A barrier has at 0 how many arrivals its phase still
//! expects, at 4 how many the next one does, and at 8 its phase, 0 or 1.

use super::object::message_of;
use super::semaphore;
use crate::base::fault::{Awaited, ErrorKind, Result, blocked, error, unsupported};
use crate::base::section_type::SectionType;
use crate::exec::interpret::add_to_address;
use crate::machine::Machine;
use crate::machine::builtin::{ArgumentAccess, Builtin, Returned, synchronises};
use impasse_program::word::Word;

/// The highest number that is supported.
const MOST: i64 = i32::MAX as i64;
const NUMBER: ArgumentAccess = synchronises(0, 4);
const BARRIER: ArgumentAccess = synchronises(0, 12);
const NEXT: i64 = 4;
const PHASE: i64 = 8;

/// How a thread arrives at a barrier.
const DROPS: u64 = 1;
const COMPLETES: u64 = 2;
/// In the result: its arrival was the last that the phase expects.
const LAST: u32 = 2;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("__impasse_semaphore_acquire", 1, |m, a| {
        acquire(m, a[0], true)
    })
    .accessing(&[NUMBER])
    .waiting(SectionType::Semaphore),
    Builtin::new("__impasse_semaphore_try_acquire", 1, |m, a| {
        acquire(m, a[0], false)
    })
    .accessing(&[NUMBER]),
    Builtin::new("__impasse_semaphore_release", 3, release).accessing(&[NUMBER]),
    Builtin::new("__impasse_latch_count_down", 2, count_down).accessing(&[NUMBER]),
    Builtin::new("__impasse_latch_try_wait", 1, |m, a| {
        wait_for_latch(m, a[0], false)
    })
    .accessing(&[NUMBER]),
    Builtin::new("__impasse_latch_wait", 1, |m, a| {
        wait_for_latch(m, a[0], true)
    })
    .accessing(&[NUMBER])
    .waiting(SectionType::Barrier),
    Builtin::new("__impasse_barrier_arrive", 3, arrive).accessing(&[BARRIER]),
    Builtin::new("__impasse_barrier_complete", 1, |m, a| {
        m.access(0, a[0])?;
        complete(m, a[0])?;
        Ok(Returned::Nothing)
    })
    .accessing(&[BARRIER]),
    Builtin::new("__impasse_barrier_wait", 2, wait_for_phase)
        .accessing(&[BARRIER])
        .waiting(SectionType::Barrier),
];

/// Takes one of a semaphore. The result is whether it could.
fn acquire(machine: &mut Machine<'_>, semaphore: Word, waits: bool) -> Result<Returned> {
    machine.access(0, semaphore)?;
    if semaphore::take(machine, semaphore)? {
        return Returned::int(1);
    }
    if waits {
        machine.block_quietly()?;
        return blocked(Awaited::Unit, machine.name_of(semaphore), []);
    }
    machine.observe_weakly();
    Returned::int(0)
}

/// Gives a semaphore so many, up to a maximum.
fn release(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let semaphore = arguments[0];
    let (update, most) = (arguments[1].bits as i64, arguments[2].bits as i64);
    machine.access(0, semaphore)?;
    let value = machine.field(semaphore, 0, "semaphore")?;
    let sum = update.saturating_add(i64::from(value));
    if update < 0 || sum > most {
        let name = machine.name_of(semaphore);
        let message =
            format!("releases {name}, which is {value}, by {update}: its maximum is {most}");
        return error(ErrorKind::InvalidCall, message);
    }
    if sum > MOST {
        return unsupported("a semaphore of more than 2147483647");
    }
    machine.set_field(semaphore, 0, sum as u32)?;
    machine.release_to(message_of(semaphore), true);
    machine.note_operation_on(semaphore, |m| {
        format!("releases {}: now {sum}", m.name_of(semaphore))
    });
    Ok(Returned::Nothing)
}

fn count_down(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (latch, update) = (arguments[0], arguments[1].bits as i64);
    machine.access(0, latch)?;
    let value = machine.field(latch, 0, "latch")?;
    if update < 0 || update > i64::from(value) {
        let name = machine.name_of(latch);
        let message = format!("counts {name}, which is {value}, down by {update}");
        return error(ErrorKind::InvalidCall, message);
    }
    let left = value - update as u32;
    machine.set_field(latch, 0, left)?;
    machine.release_to(message_of(latch), true);
    machine.note_operation_on(latch, |m| {
        format!("counts {} down to {left}", m.name_of(latch))
    });
    Ok(Returned::Nothing)
}

/// The result is whether the latch has reached zero.
fn wait_for_latch(machine: &mut Machine<'_>, latch: Word, waits: bool) -> Result<Returned> {
    machine.access(0, latch)?;
    let value = machine.field(latch, 0, "latch")?;
    if value == 0 {
        machine.acquire(message_of(latch));
        return Returned::int(1);
    }
    if waits {
        machine.block_quietly()?;
        return blocked(Awaited::Zero(value), machine.name_of(latch), []);
    }
    machine.observe_weakly();
    Returned::int(0)
}

/// Arrives at a barrier so many times. The result is the phase, and whether it is complete.
fn arrive(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (barrier, update, how) = (arguments[0], arguments[1].bits as i64, arguments[2].bits);
    machine.access(0, barrier)?;
    let expected = machine.field(barrier, 0, "barrier")?;
    if update <= 0 || update > i64::from(expected) {
        let times = match update {
            1 => String::new(),
            n => format!(" {n} times"),
        };
        let more = match expected {
            0 => "no more".into(),
            n => format!("only {n} more"),
        };
        let name = machine.name_of(barrier);
        let message = format!("arrives{times} at {name}, which expects {more}");
        return error(ErrorKind::InvalidCall, message);
    }
    let phase = machine.field(barrier, PHASE, "barrier")?;
    let left = expected - update as u32;
    machine.set_field(barrier, 0, left)?;
    if how & DROPS != 0 {
        let next = machine.field(barrier, NEXT, "barrier")?;
        machine.set_field(barrier, NEXT, next - 1)?;
    }
    machine.release_to(message_of(barrier), true);
    machine.note_operation_on(barrier, |m| match left {
        0 => format!("arrives at {} as the last", m.name_of(barrier)),
        _ => format!("arrives at {}: {left} to come", m.name_of(barrier)),
    });
    if left > 0 {
        return Returned::int(phase as i32);
    }
    machine.acquire(message_of(barrier));
    if how & COMPLETES != 0 {
        complete(machine, barrier)?;
    }
    Returned::int((phase | LAST) as i32)
}

/// Begins the next phase. What the running thread knows, which has learnt of all arrivals, goes to
/// those who wait.
fn complete(machine: &mut Machine<'_>, barrier: Word) -> Result<()> {
    let next = machine.field(barrier, NEXT, "barrier")?;
    let phase = machine.field(barrier, PHASE, "barrier")?;
    machine.set_field(barrier, 0, next)?;
    machine.set_field(barrier, PHASE, phase ^ 1)?;
    machine.release_to(message_of(add_to_address(barrier, PHASE)), false);
    Ok(())
}

/// Waits until a phase is over.
fn wait_for_phase(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (barrier, token) = (arguments[0], arguments[1].bits as u32);
    machine.access(0, barrier)?;
    if machine.field(barrier, PHASE, "barrier")? != token {
        machine.acquire(message_of(add_to_address(barrier, PHASE)));
        return Ok(Returned::Nothing);
    }
    machine.block_quietly()?;
    let needed = machine.field(barrier, NEXT, "barrier")?;
    let missing = machine.field(barrier, 0, "barrier")?;
    let arrived = needed.saturating_sub(missing) as usize;
    let arrivals = Awaited::Arrivals { arrived, needed };
    blocked(arrivals, machine.name_of(barrier), [])
}
