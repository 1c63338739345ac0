//! What a report says of one state: where each thread is, what it holds, and what it waits for.

use super::Stepper;
use crate::base::fault::{Blocked, CodePlace, Fault, Halt};
use crate::machine::names::contents::Values;
use crate::state::thread::Held;
use impasse_program::word::Word;

/// A state, looked at for a report.
pub struct View<'v, 's> {
    stepper: &'v mut Stepper<'s>,
}

impl<'s> View<'_, 's> {
    /// Returns the number of threads, including those that have ended. Threads are numbered from 0.
    pub fn thread_count(&self) -> usize {
        self.stepper.base.threads.len()
    }

    /// Returns whether a thread has not ended.
    pub fn is_alive(&self, thread: usize) -> bool {
        self.stepper.base.threads[thread].is_alive()
    }

    /// Returns what a thread holds, by slots, and the operations of libraries that it is in.
    pub fn held_by(&self, thread: usize) -> &[Option<Held>] {
        &self.stepper.base.threads[thread].held
    }

    /// Returns the frames of a thread, innermost first.
    pub fn frames_of(&self, thread: usize) -> Vec<CodePlace> {
        self.stepper.machine.frames_of(thread)
    }

    /// Returns what the program calls something that a thread holds, or a library operation that it
    /// executes.
    pub fn name_of(&self, held: &Held) -> String {
        match held.address.bits() {
            0 => "what is gone".into(),
            bits => self.stepper.machine.name_of(Word::pointer(bits)),
        }
    }

    /// Returns the values of the state.
    pub fn values(&self) -> Values<'_, 's> {
        self.stepper.machine.values()
    }

    /// Returns what a thread waits for that cannot take a step.
    pub fn why_blocked(&mut self, thread: usize) -> Blocked {
        let blocked = self.stepper.why_blocked(thread);
        self.stepper.rest();
        blocked
    }
}

impl<'s> Stepper<'s> {
    /// Returns a view of a state, which must be one of this system. Places and names are those of
    /// the journal given to [`Stepper::continue_with`].
    pub fn view(&mut self, state: &[u8]) -> View<'_, 's> {
        let globals = self.machine.program.mutable_globals() as usize;
        self.base.read(state, globals);
        self.rest();
        View { stepper: self }
    }

    /// Goes back to the base state, where no thread runs.
    fn rest(&mut self) {
        self.restore_base();
        self.machine.stack.clear();
    }

    /// What a thread that is blocked in the base state waits for.
    fn why_blocked(&mut self, thread: usize) -> Blocked {
        self.restore_base();
        self.machine.observer.explain(true);
        self.machine
            .progress
            .begin_thread(false, false, super::limit(&self.machine));
        self.machine.restore_context(thread);
        let mut result = self.machine.execute();
        while let Err(halt) = &result
            && let Halt::Choice(..) = **halt
        {
            self.machine.choices.add(0);
            result = self.machine.execute();
        }
        self.machine.observer.explain(false);
        match result.map_err(|halt| *halt) {
            Err(Halt::Blocked(blocked)) => blocked,
            _ => Blocked::default(),
        }
    }

    /// The error that all threads are blocked in the base state.
    pub(super) fn deadlock(&mut self, blocked: Vec<usize>) -> Fault {
        let blocked = blocked.into_iter();
        let blocked = blocked.map(|thread| (thread, self.why_blocked(thread)));
        let blocked = blocked.collect();
        self.rest();
        self.machine.deadlock(blocked)
    }
}
