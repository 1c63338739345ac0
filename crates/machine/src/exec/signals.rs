//! Delivering signals: handlers that interrupt a thread ([`crate::state::signal`]).

use crate::base::fault::{Result, unsupported};
use crate::machine::Machine;
use crate::machine::builtin::Builtin;
use crate::state::signal::{Handler, Interrupted, Sent, SignalSet, Signals};
use crate::state::thread::Wait;
use impasse_program::instruction::Instruction;
use impasse_program::link::Target;
use impasse_program::word::Word;

/// Why an execution cannot be followed.
pub const HANDLER_LEFT: &str = "a signal handler that is left for good, and interrupted a wait";

impl Machine<'_> {
    /// Notes whether the running thread may be interrupted, and whether a signal is there to do so.
    #[inline]
    pub fn look_for_signals(&mut self) {
        let signals = &self.threads[self.running].signals;
        let signalled = !signals.deliverable().is_empty();
        let open = !signals.handled.without(signals.blocked).is_empty();
        let possible =
            open && self.system.handle_signal.is_some() && (self.memory.concurrent || signalled);
        self.interruptions.note(signalled, possible);
    }

    /// Notes that a signal has a handler from now on, or has none.
    pub fn note_handler(&mut self, signal: u32, present: bool) {
        self.change_signals_of_all(|signals| {
            signals.handled = signals.handled.without(SignalSet::of(signal));
            if present {
                signals.handled.add(SignalSet::of(signal));
            }
        });
    }

    /// Changes what each thread that is alive knows of signals.
    pub fn change_signals_of_all(&mut self, change: impl Fn(&mut Signals)) {
        for number in 0..self.threads.len() {
            if self.threads[number].is_alive() {
                change(&mut self.threads[number].signals);
            }
        }
        self.look_for_signals();
    }

    /// Removes a signal that the running thread handles or takes.
    pub fn take_signal(&mut self, sent: Sent) {
        if sent.shared {
            self.change_signals_of_all(|signals| signals.shared.take(sent.signal));
        } else {
            self.thread().signals.pending.take(sent.signal);
            self.look_for_signals();
        }
    }

    /// Enters the handler of the next signal that is to interrupt the thread, if there is one.
    /// Called at the beginning of a step. Fails if the handler cannot be entered.
    #[cold]
    pub fn be_interrupted(&mut self) -> Result<()> {
        let thread = &self.threads[self.running];
        let open = SignalSet(!thread.signals.blocked.0);
        let Some(sent) = thread.signals.next_of(open) else {
            return Ok(());
        };
        let signal = sent.signal;
        if thread.atomic > 0 || !thread.is_alive() {
            return Ok(());
        }
        // Without the function, nobody sends signals to others, and the runtime itself handles what
        // a thread lets through that it has sent to itself.
        let Some(function) = self.system.handle_signal else {
            return Ok(());
        };
        if self.progress.has_scheduling_points() && self.choose(2, false)? == 0 {
            return Ok(());
        }
        let fails = self.is_at_call_that_fails();
        self.progress.act();
        self.acquire_sent();
        self.note_operation(|_| format!("is interrupted by signal {signal}"));
        let (blocked, waits) = (
            self.threads[self.running].signals.blocked,
            self.effects.waited_for(),
        );
        let arguments = [signal as u64, sent.shared as u64, blocked.0].map(Word::number);
        self.enter(function, &arguments)?;
        let frame = self.frame_count() as u32 - 1;
        self.take_signal(sent);
        let signals = &mut self.thread().signals;
        signals.blocked = SignalSet(!0);
        signals.awaited = SignalSet::default();
        signals.handlers.push(Handler {
            frame,
            fails,
            blocked,
            waits,
        });
        self.effects.retract_ends();
        self.progress.end_instruction();
        self.choices.end_instruction();
        self.look_for_signals();
        Ok(())
    }

    /// Whether the next instruction is a call that a signal makes fail.
    fn is_at_call_that_fails(&self) -> bool {
        let code = &self.at.function.body.code;
        let Instruction::Call { site } = code[self.at.position as usize] else {
            return false;
        };
        match self.target(site) {
            Ok(Target::Builtin(id)) => Builtin::from_id(id).is_interrupted(),
            _ => false,
        }
    }

    /// Fails if the innermost frame, which is left without returning, waits in a list of the
    /// runtime's: a handler that interrupted it is left for good.
    pub fn check_not_listed(&self) -> Result<()> {
        let frame = self.stack.frames.last().map(|frame| frame.id);
        match frame.is_some() && self.system.listed.contains(&frame) {
            true => unsupported(HANDLER_LEFT),
            false => Ok(()),
        }
    }

    /// Ends the innermost handler: what it interrupted fails or starts again.
    pub fn end_handler(&mut self, restarts: bool) -> Result<()> {
        self.visible_action()?;
        let handler = self.threads[self.running].signals.handlers.last();
        let fails = handler.is_some_and(|h| h.fails);
        let waited =
            fails && (!self.progress.has_scheduling_points() || self.choose(2, false)? == 1);
        let signals = &mut self.thread().signals;
        if let Some(handler) = signals.handlers.pop() {
            signals.blocked = handler.blocked;
        }
        signals.interrupted = match (waited, restarts) {
            (false, _) => Interrupted::No,
            (true, true) => Interrupted::Restarting,
            (true, false) => Interrupted::Failing,
        };
        self.look_for_signals();
        Ok(())
    }

    /// Returns what interrupted the present call, and clears it.
    pub fn take_interruption(&mut self) -> Interrupted {
        match self.threads[self.running].signals.interrupted {
            Interrupted::No => Interrupted::No,
            _ => std::mem::take(&mut self.thread().signals.interrupted),
        }
    }

    /// Returns whether the thread runs a handler that interrupted it in the middle of a wait of
    /// several steps.
    pub fn handles_within_wait(&self) -> bool {
        let thread = &self.threads[self.running];
        thread.wait != Wait::None && !thread.signals.handlers.is_empty()
    }
}
