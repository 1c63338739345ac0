//! Signals: masks, sending, and waiting for them. What a signal does is the runtime's.

use crate::base::fault::{Awaited, Result, blocked};
use crate::base::section_type::SectionType;
use crate::machine::Machine;
use crate::machine::builtin::synchronises;
use crate::machine::builtin::{Builtin, Returned};
use crate::state::signal::SignalSet;
use crate::value::Value;
use impasse_program::instruction::Scalar;
use impasse_program::word::Word;

const TIMED: u64 = 1;
const CANCELLABLE: u64 = 2;
const ECANCELED: i32 = 125;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("__impasse_blocked_signals", 0, |m, _| {
        let blocked = m.thread().signals.blocked;
        Ok(Returned::Word(Word::number(blocked.0)))
    }),
    Builtin::new("__impasse_block_signals", 1, |m, a| {
        m.visible_action()?;
        m.thread().signals.blocked = SignalSet(a[0].bits);
        m.look_for_signals();
        Ok(Returned::Nothing)
    }),
    Builtin::new("__impasse_signal_handled", 2, |m, a| {
        m.visible_action()?;
        m.note_handler(a[0].bits as u32, a[1].bits as u32 != 0);
        Ok(Returned::Nothing)
    }),
    Builtin::new("__impasse_pending_signals", 0, |m, _| {
        m.visible_action()?;
        let pending = m.thread().signals.pending;
        Ok(Returned::Word(Word::number(pending.0)))
    }),
    Builtin::new("__impasse_send_signal", 3, send),
    Builtin::new("__impasse_signal_process", 2, send_to_any),
    Builtin::new("__impasse_wait_for_signal", 3, wait)
        .accessing(&[synchronises(0, 8)])
        .waiting(SectionType::Condition),
    Builtin::new("__impasse_handler_ends", 1, |m, a| {
        m.end_handler(a[0].bits as u32 != 0)?;
        Ok(Returned::Nothing)
    }),
];

/// To a thread. The last argument only makes sure that the function which handles signals is
/// linked.
fn send(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.visible_action()?;
    let number = machine.thread_of(arguments[0], "sends a signal to")?;
    let signal = arguments[1].bits as u32;
    machine.send_signal(number, signal);
    Returned::int(0)
}

impl Machine<'_> {
    fn send_signal(&mut self, thread: usize, signal: u32) {
        if self.threads[thread].is_alive() {
            self.threads[thread]
                .signals
                .pending
                .add(SignalSet::of(signal));
        }
        self.release_sent(thread);
        if thread == self.running {
            self.look_for_signals();
        }
        self.note_operation(|m| {
            format!("sends signal {signal} to {}", m.thread_name(thread as u32))
        });
    }
}

/// To any thread that does not block it: 1 if that is the running one, which has to handle it; 2 if
/// it was sent to another one; 0 if all block it.
fn send_to_any(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.visible_action()?;
    let signal = SignalSet::of(arguments[0].bits as u32);
    let threads = machine.threads.iter().enumerate();
    let open = threads.filter(|(_, t)| t.is_alive() && t.signals.blocked.common(signal).is_empty());
    let open: Vec<usize> = open.map(|(n, _)| n).collect();
    if open.is_empty() {
        return Returned::int(0);
    }
    let chosen = match open.len() {
        1 => open[0],
        count => open[machine.choose(count as u32, false)? as usize],
    };
    if chosen == machine.running {
        return Returned::int(1);
    }
    machine.send_signal(chosen, arguments[0].bits as u32);
    Returned::int(2)
}

/// Takes the lowest signal of a set that waits for the thread, or for the process: its set is at
/// the first argument.
fn wait(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let (process, wanted, flags) = (
        arguments[0],
        SignalSet(arguments[1].bits),
        arguments[2].bits,
    );
    let spot = machine.access(0, process)?;
    let shared = SignalSet(machine.load_checked(Scalar::Integer(64), spot).low.bits);
    let own = machine.thread().signals.pending;
    if let Some(signal) = own.common(wanted).lowest() {
        machine.thread().signals.pending = own.without(SignalSet::of(signal));
        machine.acquire_sent();
        machine.look_for_signals();
        machine.note_operation(|_| format!("takes signal {signal}"));
        return Returned::int(signal as i32);
    }
    if let Some(signal) = shared.common(wanted).lowest() {
        let rest = shared.without(SignalSet::of(signal));
        machine.acquire_sections();
        machine.store_checked(Scalar::Integer(64), spot, Value::one(Word::number(rest.0)));
        machine.note_operation(|_| format!("takes signal {signal}"));
        return Returned::int(signal as i32);
    }
    if flags & CANCELLABLE != 0 && machine.cancelled() {
        return Returned::int(-ECANCELED);
    }
    if flags & TIMED != 0 {
        return Returned::int(0);
    }
    machine.block_quietly()?;
    blocked(Awaited::Signal, "a signal".into(), [])
}
