//! Delivering signals: handlers that interrupt a thread ([`crate::state::signal`]).

use crate::base::fault::Result;
use crate::machine::Machine;
use crate::machine::builtin::Builtin;
use crate::state::signal::{Handler, Interrupted, SignalSet};
use crate::state::thread::Wait;
use impasse_program::instruction::Instruction;
use impasse_program::link::Target;
use impasse_program::word::Word;

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
        for number in 0..self.threads.len() {
            if self.threads[number].is_alive() {
                let handled = &mut self.threads[number].signals.handled;
                *handled = handled.without(SignalSet::of(signal));
                if present {
                    handled.add(SignalSet::of(signal));
                }
            }
        }
        self.look_for_signals();
    }

    /// Enters the handler of the next signal that is to interrupt the thread, if there is one.
    /// Called at the beginning of a step. Fails if the handler cannot be entered.
    #[cold]
    pub fn be_interrupted(&mut self) -> Result<()> {
        let thread = &self.threads[self.running];
        let Some(signal) = thread.signals.deliverable().lowest() else {
            return Ok(());
        };
        if thread.atomic > 0 || !thread.is_alive() {
            return Ok(());
        }
        let Some(function) = self.system.handle_signal else {
            return crate::base::fault::unsupported("a signal, which the runtime lacks");
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
        let arguments = [signal as u64, blocked.0].map(Word::number);
        self.enter(function, &arguments)?;
        let frame = self.frame_count() as u32 - 1;
        let signals = &mut self.thread().signals;
        signals.pending = signals.pending.without(SignalSet::of(signal));
        signals.blocked = SignalSet(!0);
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
