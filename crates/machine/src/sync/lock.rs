//! What the runtime's own C code synchronises with: plain locks, waiting on a number, what is done
//! once, atomic sections.

use super::mutex::take_plain;
use super::object::message_of;
use crate::base::fault::{Awaited, ErrorKind, Result, blocked, error};
use crate::base::section_type::SectionType;
use crate::machine::Machine;
use crate::machine::builtin::{ArgumentAccess, loads_as_many, synchronises, updates_as_many};
use crate::machine::builtin::{Builtin, Returned};
use crate::state::signal::{Interrupted, SignalSet};
use impasse_program::address::Address;
use impasse_program::word::Word;

const TIMED: u64 = 1;
const CANCELLABLE: u64 = 2;
const NOT_RESTARTED: u64 = 4;
const EINTR: i32 = 4;
const ETIMEDOUT: i32 = 110;
const ECANCELED: i32 = 125;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("__impasse_lock", 2, |m, a| take_plain(m, a[0], a[1]))
        .accessing(&[NUMBER])
        .waiting(SectionType::Mutex),
    Builtin::new("__impasse_unlock", 1, |m, a| {
        m.access(0, a[0])?;
        m.set_field(a[0], 0, 0)?;
        m.release_to(message_of(a[0]), false);
        Ok(Returned::Nothing)
    })
    .accessing(&[NUMBER]),
    Builtin::new("__impasse_block_while_equal", 4, block_while_equal)
        .accessing(&[NUMBER])
        .waiting(SectionType::Atomic)
        .interrupted(),
    Builtin::new("__impasse_begin_once", 3, begin_once)
        .accessing(&[NUMBER])
        .waiting(SectionType::Once),
    Builtin::new("__impasse_end_once", 2, |m, a| {
        m.access(0, a[0])?;
        m.set_field(a[0], 0, a[1].bits as u32)?;
        m.release_to(message_of(a[0]), false);
        Ok(Returned::Nothing)
    })
    .accessing(&[NUMBER]),
    Builtin::new("__impasse_atomic_begin", 0, |m, _| {
        m.act()?;
        let frame = m.frame_count() - 1;
        m.acquire_sections();
        m.thread().begin_section(frame);
        Ok(Returned::Nothing)
    }),
    Builtin::new("__impasse_atomic_end", 0, |m, _| {
        match m.thread().end_section() {
            true => {
                m.release_sections();
                Ok(Returned::Nothing)
            }
            false => error(
                ErrorKind::InvalidCall,
                "ends an atomic section that it is not in",
            ),
        }
    }),
    Builtin::new("__impasse_atomic_load_begin", 2, begin_access).accessing(&[loads_as_many(0, 1)]),
    Builtin::new("__impasse_atomic_update_begin", 2, begin_access)
        .accessing(&[updates_as_many(0, 1)]),
    Builtin::new("__impasse_atomic_access_end", 0, |m, _| {
        m.thread().end_section();
        Ok(Returned::Nothing)
    }),
    Builtin::new("__impasse_fence_before_load", 1, |m, a| {
        let address = Address::from_bits(a[0].bits);
        m.model().fence_before_load(m, address)?;
        Ok(Returned::Nothing)
    }),
];

/// Begins a step that orders others by what it accesses alone, unlike atomic sections.
fn begin_access(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.access_bytes(0, arguments[0], arguments[1].bits)?;
    machine.model().begin_large_access(machine)?;
    let frame = machine.frame_count() - 1;
    machine.thread().begin_section(frame);
    Ok(Returned::Nothing)
}

/// Whether what is to be done once is not done yet: a later call only loads.
pub(crate) fn is_not_done(machine: &mut Machine<'_>, arguments: &[Word]) -> bool {
    let number = machine.field(arguments[0], 0, "number");
    number.map_or(true, |number| number != arguments[2].bits as u32)
}

/// Waits while a number says that another thread is at something that is done once. The result is
/// whether it is up to the running thread now.
fn begin_once(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (flag, running, done) = (arguments[0], arguments[1].bits, arguments[2].bits);
    match is_not_done(machine, arguments) {
        true => machine.access(0, flag)?,
        false => machine.access_reading(0, flag)?,
    };
    let number = u64::from(machine.field(flag, 0, "number")?);
    if number == running {
        machine.block_quietly()?;
        return blocked(Awaited::Change(running as i32), machine.name_of(flag), []);
    }
    machine.acquire(message_of(flag));
    if number == done {
        return Returned::int(0);
    }
    machine.set_field(flag, 0, running as u32)?;
    Returned::int(1)
}

/// What the runtime's code locks, or waits for.
const NUMBER: ArgumentAccess = synchronises(0, 4);

fn block_while_equal(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (address, value, flags) = (arguments[0], arguments[1], arguments[2].bits);
    let open = SignalSet(arguments[3].bits);
    machine.access(0, address)?;
    let interrupted = machine.take_interruption();
    let awaited = std::mem::take(&mut machine.thread().signals.awaited);
    if machine.field(address, 0, "number")? != value.bits as u32 {
        machine.acquire(message_of(address));
        return Returned::int(0);
    }
    if flags & CANCELLABLE != 0 && machine.cancelled() {
        machine.acquire_sent();
        return Returned::int(ECANCELED);
    }
    match interrupted {
        Interrupted::Failing => return Returned::int(EINTR),
        Interrupted::Restarting if flags & NOT_RESTARTED != 0 => return Returned::int(EINTR),
        _ => {}
    }
    if machine.thread().signals.next_of(open).is_some() {
        return Returned::int(EINTR);
    }
    if flags & TIMED != 0 {
        machine.observe_weakly();
        return Returned::int(ETIMEDOUT);
    }
    if awaited != open {
        return machine.begin_to_await(open);
    }
    machine.block_quietly()?;
    let place = Address::from_bits(address.bits);
    if let Some(call) = machine
        .library_call()
        .filter(|_| machine.is_of_library(place))
    {
        return blocked(Awaited::Return, call.into(), []);
    }
    let (name, value) = (machine.name_of(address), value.bits as u32 as i32);
    blocked(Awaited::Change(value), name, [])
}
