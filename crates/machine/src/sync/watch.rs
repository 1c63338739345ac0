//! Waiting for an atomic to change (`std::atomic::wait`), under the names by which libc++'s headers
//! call for it.
//!
//! libc++'s own implementation counts notifications in a table, so that a program that notifies
//! forever never repeats a state. Here a thread *watches* an address from the moment on that it
//! asks to, until a thread notifies the address; waiting is being blocked while one watches. As in
//! libc++, a notification of an `int` wakes one thread if it is to wake one, any other one wakes
//! all. A thread that begins to watch has seen what was stored before: it cannot miss a
//! notification because it reads an older value.

use crate::base::fault::{Awaited, Result, blocked};
use crate::base::section_type::SectionType;
use crate::machine::builtin::synchronises;
use crate::machine::builtin::{Builtin, Returned};
use crate::machine::{Machine, Stop};
use crate::state::thread::{Held, HeldKind, Thread};
use impasse_program::address::Address;
use impasse_program::word::Word;

/// The bytes of the largest atomic that can be watched.
const WATCHED: u64 = 8;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("_ZNSt3__123__libcpp_atomic_monitorEPVKv", 1, monitor),
    Builtin::new("_ZNSt3__120__libcpp_atomic_waitEPVKvi", 2, wait).waiting(SectionType::Atomic),
    Builtin::new("_ZNSt3__123__cxx_atomic_notify_oneEPVKv", 1, |m, a| {
        notify(m, a[0], true)
    }),
    Builtin::new("_ZNSt3__123__cxx_atomic_notify_allEPVKv", 1, |m, a| {
        notify(m, a[0], true)
    }),
    Builtin::new(
        "_ZNSt3__120__libcpp_atomic_waitEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEEi",
        2,
        wait_for_change,
    )
    .accessing(&[synchronises(0, 4)])
    .waiting(SectionType::Atomic),
    Builtin::new(
        "_ZNSt3__123__cxx_atomic_notify_oneEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE",
        1,
        |m, a| notify(m, a[0], false),
    ),
    Builtin::new(
        "_ZNSt3__123__cxx_atomic_notify_allEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE",
        1,
        |m, a| notify(m, a[0], true),
    ),
];

/// The thread watches an address from now on. The result is for `wait`.
fn monitor(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.act()?;
    machine.record_memory(arguments[0], WATCHED);
    machine.see_newest(Address::from_bits(arguments[0].bits))?;
    machine.watch(arguments[0]);
    Returned::int(0)
}

/// Blocks while the thread watches.
fn wait(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.act()?;
    machine.record_memory(arguments[0], WATCHED);
    match machine.is_watching() {
        true => wait_blocked(machine, arguments[0]),
        false => Ok(Returned::Nothing),
    }
}

/// Unless the number at an address has changed by now, watches it and blocks while the thread
/// watches.
fn wait_for_change(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (address, old) = (arguments[0], arguments[1]);
    machine.access(0, address)?;
    if machine.is_watching() {
        return wait_blocked(machine, address);
    }
    if machine.field(address, 0, "atomic")? != old.bits as u32 {
        return Ok(Returned::Nothing);
    }
    machine.watch(address);
    machine.note_operation_on(address, |m| {
        format!("waits for {} to change", m.name_of(address))
    });
    Ok(Returned::Stop(Stop::SchedulingPoint))
}

fn wait_blocked(machine: &Machine<'_>, address: Word) -> Result<Returned> {
    machine.block_quietly()?;
    blocked(Awaited::Notification, machine.name_of(address), [])
}

/// Wakes those who watch an address: all, or one of them.
fn notify(machine: &mut Machine<'_>, address: Word, all: bool) -> Result<Returned> {
    machine.act()?;
    machine.record_memory(address, WATCHED);
    let watching = machine.watching(address);
    let woken = match all || watching.is_empty() {
        true => watching,
        false => vec![watching[machine.choose(watching.len() as u32, false)? as usize]],
    };
    for &thread in &woken {
        machine
            .threads
            .change_named(thread as usize, Thread::stop_watching);
    }
    machine.note_operation_on(address, |m| {
        let name = m.name_of(address);
        match woken.len() {
            0 => format!("notifies {name}, but no thread waits"),
            1 => format!("notifies {name}: {} wakes", m.thread_name(woken[0])),
            n => format!("notifies {name}: {n} threads wake"),
        }
    });
    Ok(Returned::Nothing)
}

impl Machine<'_> {
    fn watch(&mut self, address: Word) {
        self.thread().stop_watching();
        self.thread().hold(Held {
            kind: HeldKind::Watch,
            address: Address::from_bits(address.bits),
            frame: 0,
        });
    }

    /// Returns the threads that watch an address.
    fn watching(&self, address: Word) -> Vec<u32> {
        let address = Address::from_bits(address.bits);
        let watches = |held: &Held| held.kind == HeldKind::Watch && held.address == address;
        let threads = (0..).zip(self.threads.held());
        let watching = threads.filter(|(_, held)| held.iter().flatten().any(watches));
        watching.map(|(thread, _)| thread).collect()
    }

    fn is_watching(&mut self) -> bool {
        let mut held = self.thread().held.iter().flatten();
        held.any(|held| held.kind == HeldKind::Watch)
    }
}
