//! Transitions of what is in flight, which no thread makes (see [`crate::memory_model`]): those of
//! the memory model's own, and those to the drained states of a state.

use super::Stepper;
use crate::base::hangs::Draining;
use crate::machine::record::Action;
use crate::machine::system::System;
use crate::state::encoding::Kind;
use crate::system::open_sections::any_open_in;
use impasse_transition_system::{Branch, Sink};

impl<'s> Stepper<'s> {
    /// Emits the memory model's own transitions. Returns whether there is any.
    pub(super) fn own_transitions(&mut self, sink: &mut dyn Sink<&'s System>) -> bool {
        if self.base.drained {
            return false;
        }
        let model = self.machine.system.memory_model();
        let threads = model.own_transitions(&self.base.threads);
        for &thread in &threads {
            self.restore_base();
            self.machine.running = thread;
            model.take_own_transition(&mut self.machine, thread);
            self.machine.commit_quietly();
            self.emit_state(thread as u32, Branch::Schedule, sink);
        }
        !threads.is_empty()
    }

    /// Emits the transitions to the drained states if Impasse looks for hangs and a section is
    /// open. A model with transitions of its own reaches a state with nothing in flight anyway.
    /// Returns whether any was emitted.
    pub(super) fn drain_at_once(&mut self, state: &[u8], sink: &mut dyn Sink<&'s System>) -> bool {
        if self.machine.system.draining() != Draining::Always
            || self.base.drained
            || !any_open_in(&mut self.sections, state)
        {
            return false;
        }
        let model = self.machine.system.memory_model();
        if model.has_own_transitions()
            && model.have_in_flight(&self.base.threads, &self.base.happens_before)
        {
            return false;
        }
        self.emit_drained(sink);
        true
    }

    /// Whether a state without successors is not reported as a deadlock because its drained states
    /// will be: they show where the delayed stores went. This needs an open section, which makes
    /// the state a candidate violation.
    pub(super) fn drains_later(&mut self, state: &[u8]) -> bool {
        let system = self.machine.system;
        system.draining() == Draining::Candidates
            && system
                .memory_model()
                .have_in_flight(&self.base.threads, &self.base.happens_before)
            && any_open_in(&mut self.sections, state)
    }

    /// Emits the transitions to the drained states of a candidate violation.
    pub fn drain(&mut self, state: &[u8], sink: &mut dyn Sink<&'s System>) {
        if self.machine.system.draining() != Draining::Candidates {
            return;
        }
        let globals = self.machine.program.mutable_globals() as usize;
        if let Kind::Running = self.base.read(state, globals)
            && !self.base.drained
        {
            self.emit_drained(sink);
        }
    }

    fn emit_drained(&mut self, sink: &mut dyn Sink<&'s System>) {
        let system = self.machine.system;
        let model = system.memory_model();
        for order in model.full_drain_orders(system, &self.base.threads) {
            self.restore_base();
            self.machine.running = 0;
            model.drain_in_order(&mut self.machine, &order);
            self.machine.commit_quietly();
            self.machine.in_flight.end();
            let text = model.drained_in_words().into();
            self.machine
                .note_for(0, Action::Operation { text }, String::new());
            self.emit_state(0, Branch::Schedule, sink);
        }
    }
}
