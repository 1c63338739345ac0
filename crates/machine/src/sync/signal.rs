//! Signals: masks, sending, and waiting for them. What a signal does is the runtime's.

use crate::base::fault::{Awaited, Result, blocked, unsupported};
use crate::base::section_type::SectionType;
use crate::machine::builtin::{Builtin, Returned};
use crate::machine::{Machine, Stop};
use crate::state::signal::{Interrupted, SignalSet, Waiting};
use impasse_program::word::Word;

const TIMED: u64 = 1;
const CANCELLABLE: u64 = 2;
const EINTR: i32 = 4;
const ECANCELED: i32 = 125;
/// The first real-time signal.
const REAL_TIME: u32 = 32;
/// Of a signal that waits for any thread: added to its number.
const SHARED: i32 = 1 << 8;

/// Of a signal to the process: the running thread has to handle it, since it lets it through, and
/// no other one does or waits for it.
const OWN: i32 = 1;
/// It waited already.
const MERGED: i32 = 2;
/// It is forgotten.
const IGNORED: i32 = 3;

pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin::new("__impasse_blocked_signals", 0, |m, _| {
        let blocked = m.thread().signals.blocked;
        Ok(Returned::Word(Word::number(blocked.0)))
    }),
    Builtin::new("__impasse_block_signals", 1, |m, a| {
        m.visible_action()?;
        let signals = &mut m.thread().signals;
        signals.blocked = SignalSet(a[0].bits);
        signals.awaited = SignalSet::default();
        m.look_for_signals();
        Ok(Returned::Nothing)
    }),
    Builtin::new("__impasse_signal_handled", 3, set_action),
    Builtin::new("__impasse_pending_signals", 0, |m, _| {
        m.visible_action()?;
        let waiting = m.thread().signals.waiting();
        Ok(Returned::Word(Word::number(waiting.0)))
    }),
    Builtin::new("__impasse_send_signal", 4, send),
    Builtin::new("__impasse_signal_process", 3, send_to_any),
    Builtin::new("__impasse_wait_for_signal", 2, wait)
        .waiting(SectionType::Condition)
        .interrupted(),
    Builtin::new("__impasse_interrupted", 1, interrupted).interrupted(),
    Builtin::new("__impasse_handler_ends", 1, |m, a| {
        m.end_handler(a[0].bits as u32 != 0)?;
        Ok(Returned::Nothing)
    }),
];

/// Notes whether a signal has a handler. One that is ignored is forgotten, where it waits.
fn set_action(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.visible_action()?;
    let signal = arguments[0].bits as u32;
    let [handled, ignored] = [arguments[1], arguments[2]].map(|word| word.bits as u32 != 0);
    machine.note_handler(signal, handled);
    if ignored {
        machine.change_signals_of_all(|signals| {
            signals.pending.forget(signal);
            signals.shared.forget(signal);
        });
    }
    Ok(Returned::Nothing)
}

/// To a thread. The last argument only makes sure that the function which handles signals is
/// linked.
fn send(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.visible_action()?;
    let number = machine.thread_of(arguments[0], "sends a signal to")?;
    machine.distinguish(number);
    let signal = arguments[1].bits as u32;
    let is_ignored = arguments[2].bits as u32 != 0 && machine.lets_through(number, signal);
    if machine.threads[number].is_alive() && !is_ignored {
        let pending = &mut machine.threads[number].signals.pending;
        add_sent(pending, signal)?;
    }
    machine.release_sent(number);
    if number == machine.running {
        machine.look_for_signals();
    }
    machine
        .note_operation(|m| format!("sends signal {signal} to {}", m.thread_name(number as u32)));
    Returned::int(0)
}

impl Machine<'_> {
    /// Lets others know for which signals the running thread waits, and stays at the call.
    pub(crate) fn begin_to_await(&mut self, signals: SignalSet) -> Result<Returned> {
        self.record_unknown();
        self.thread().signals.awaited = signals;
        Ok(Returned::Stop(Stop::SchedulingPoint))
    }

    /// Whether a thread does not block a signal. In `sigsuspend` and its like, which have a mask of
    /// their own, the runtime blocks all; in `sigwait`, what is awaited is blocked.
    fn lets_through(&self, thread: usize, signal: u32) -> bool {
        let signals = &self.threads[thread].signals;
        let blocked = match signals.blocked == SignalSet::ALL {
            true => signals.blocked.without(signals.awaited),
            false => signals.blocked,
        };
        blocked.common(SignalSet::of(signal)).is_empty()
    }
}

/// Adds a signal to those that wait. One that waits already is one signal, unless it is a real-time
/// signal: the kernel keeps a queue of these.
fn add_sent(waiting: &mut Waiting, signal: u32) -> Result<()> {
    match waiting.add(signal, signal >= REAL_TIME) {
        true => Ok(()),
        false => unsupported("more than 33 times the same signal, waiting"),
    }
}

/// To the process: whether it waits for any thread, or what happens to it instead.
fn send_to_any(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.visible_action()?;
    let signal = arguments[0].bits as u32;
    // Linux forgets a signal that is ignored where the main thread does not block it.
    if arguments[1].bits as u32 != 0 && machine.lets_through(0, signal) {
        return Returned::int(IGNORED);
    }
    let set = SignalSet::of(signal);
    let others = (0..machine.threads.len()).filter(|&n| n != machine.running);
    let mut others = others.filter(|&n| machine.threads[n].is_alive());
    let goes_elsewhere = others.any(|n| machine.threads[n].signals.may_take(set));
    if machine.lets_through(machine.running, signal) && !goes_elsewhere {
        return Returned::int(OWN);
    }
    let mut shared = machine.thread().signals.shared.clone();
    let merges = signal < REAL_TIME && shared.has(signal);
    add_sent(&mut shared, signal)?;
    machine.change_signals_of_all(|signals| signals.shared = shared.clone());
    for thread in 0..machine.threads.len() {
        if machine.threads[thread].is_alive() {
            machine.release_sent(thread);
        }
    }
    machine.note_operation(|_| format!("sends signal {signal} to the process"));
    Returned::int(if merges { MERGED } else { 0 })
}

/// Takes the next signal of a set that waits for the thread, or for the process. Who sends one to
/// the process knows whether a thread waits for it: so that it begins to wait is a step.
fn wait(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    machine.visible_action()?;
    let (wanted, flags) = (SignalSet(arguments[0].bits), arguments[1].bits);
    let interrupted = machine.take_interruption();
    let awaited = std::mem::take(&mut machine.thread().signals.awaited);
    if let Some(sent) = machine.thread().signals.next_of(wanted) {
        machine.take_signal(sent);
        machine.acquire_sent();
        machine.note_operation(|_| format!("takes signal {}", sent.signal));
        return Returned::int(sent.signal as i32 + sent.shared as i32 * SHARED);
    }
    if flags & CANCELLABLE != 0 && machine.cancelled() {
        return Returned::int(-ECANCELED);
    }
    if interrupted != Interrupted::No {
        return Returned::int(-EINTR);
    }
    if flags & TIMED != 0 {
        return Returned::int(0);
    }
    if awaited != wanted {
        return machine.begin_to_await(wanted);
    }
    machine.block_quietly()?;
    blocked(Awaited::Signal, "a signal".into(), [])
}

/// Where a wait begins that ends by itself, and takes signals of a set: whether a handler has
/// interrupted it.
fn interrupted(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    if machine.system.handle_signal.is_none() {
        return Returned::int(0);
    }
    machine.visible_action()?;
    if machine.take_interruption() != Interrupted::No {
        return Returned::int(EINTR);
    }
    let wanted = SignalSet(arguments[0].bits);
    match machine.thread().signals.awaited == wanted {
        true => Returned::int(0),
        false => machine.begin_to_await(wanted),
    }
}
