//! Transitions of the memory model that no thread makes (see [`crate::memory_model`]): flushes by
//! `tso-flusher`, and the drained states of a state.

use super::Stepper;
use crate::base::hangs::Draining;
use crate::base::options::MemoryModel;
use crate::machine::record::Action;
use crate::machine::system::System;
use crate::memory_model::full_drain_orders;
use crate::state::encoding::Kind;
use crate::state::store_buffer::Buffer;
use crate::system::open_sections::any_open_in;
use impasse_transition_system::{Branch, Sink};

impl<'s> Stepper<'s> {
    /// What flushers do: emits a transition for each buffer's oldest entry. Whether there is any.
    pub(super) fn flushes(&mut self, sink: &mut dyn Sink<&'s System>) -> bool {
        if self.machine.options.memory_model != MemoryModel::TsoFlusher || self.base.drained {
            return false;
        }
        let mut any = false;
        for thread in 0..self.base.threads.len() {
            if !self.base.threads[thread].buffer.is_empty() {
                any = true;
                self.restore_base();
                self.machine.running = thread;
                self.machine.flush_oldest(thread);
                self.machine.commit_quietly();
                self.emit_state(thread as u32, Branch::Schedule, sink);
            }
        }
        any
    }

    /// Emits the transitions to the drained states if Impasse looks for hangs and a section is
    /// open. With `tso-flusher` a state with empty buffers is reached anyway. Returns whether any
    /// was emitted.
    pub(super) fn drain_at_once(&mut self, state: &[u8], sink: &mut dyn Sink<&'s System>) -> bool {
        if self.machine.system.draining() != Draining::Always
            || self.base.drained
            || !any_open_in(&mut self.sections, state)
        {
            return false;
        }
        let flushers = self.machine.options.memory_model == MemoryModel::TsoFlusher;
        if flushers && self.any_delayed() {
            return false;
        }
        self.emit_drained(sink);
        true
    }

    /// Whether a state without successors is not reported as a deadlock because its drained states
    /// will be: they show where the delayed stores went. This needs an open section, which makes
    /// the state a candidate violation.
    pub(super) fn drains_later(&mut self, state: &[u8]) -> bool {
        self.machine.system.draining() == Draining::Candidates
            && self.any_delayed()
            && any_open_in(&mut self.sections, state)
    }

    fn any_delayed(&self) -> bool {
        self.base.threads.iter().any(|t| !t.buffer.is_empty())
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
        let buffers: Vec<&Buffer> = self.base.threads.iter().map(|t| &t.buffer).collect();
        let orders = full_drain_orders(&buffers, &self.machine.system.cancel);
        for order in orders.unwrap_or_default() {
            self.restore_base();
            self.machine.running = 0;
            self.machine.flush_in_order(&order);
            self.machine.commit_quietly();
            self.machine.drained = true;
            let text = match self.machine.may_delay() {
                true => "all delayed writes are in memory, and none is delayed from here on",
                false => "nothing fails spuriously from here on",
            };
            let text = text.into();
            self.machine
                .note_for(0, Action::Operation { text }, String::new());
            self.emit_state(0, Branch::Schedule, sink);
        }
    }
}
