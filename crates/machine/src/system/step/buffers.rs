//! Transitions of the memory model that no thread makes (see [`crate::memory_model`]): what flushers do, and settling.

use super::Stepper;
use crate::base::options::Settle;
use crate::machine::record::Action;
use crate::memory_model::buffer::Buffer;
use crate::memory_model::{MemoryModel, emptyings};
use crate::state::encoding::Kind;
use crate::state::section::any_open_in;
use crate::system::System;
use impasse_transition_system::{Branch, Sink};

impl<'s> Stepper<'s> {
    /// What flushers do: emits a transition for each buffer's oldest entry. Whether there is any.
    pub(super) fn flushes(&mut self, sink: &mut dyn Sink<&'s System>) -> bool {
        if self.machine.options.memory_model != MemoryModel::TsoFlusher || self.base.settled {
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

    /// Emits the transitions to settled states, where a section is open in which a hang is looked for. Flushers have emptied the buffers
    /// in some state before. Whether there are any.
    pub(super) fn settle_at_once(&mut self, state: &[u8], sink: &mut dyn Sink<&'s System>) -> bool {
        if self.machine.system.settle() != Settle::Always
            || self.base.settled
            || !any_open_in(&mut self.sections, state)
        {
            return false;
        }
        let flushers = self.machine.options.memory_model == MemoryModel::TsoFlusher;
        if flushers && self.any_delayed() {
            return false;
        }
        self.emit_settled(sink);
        true
    }

    /// Whether a state without a way on should rather be settled before it is told that it has none, so that it is seen where the delayed stores
    /// went: a section is open in it, which is then in doubt.
    pub(super) fn settles_later(&mut self, state: &[u8]) -> bool {
        self.machine.system.settle() == Settle::Doubtful
            && self.any_delayed()
            && any_open_in(&mut self.sections, state)
    }

    fn any_delayed(&self) -> bool {
        self.base.threads.iter().any(|t| !t.buffer.is_empty())
    }

    /// Emits the transitions to settled states, where it is in doubt whether a section ends.
    pub fn settle(&mut self, state: &[u8], sink: &mut dyn Sink<&'s System>) {
        if self.machine.system.settle() != Settle::Doubtful {
            return;
        }
        let globals = self.machine.program.mutable_globals() as usize;
        if let Kind::Running = self.base.read(state, globals)
            && !self.base.settled
        {
            self.emit_settled(sink);
        }
    }

    fn emit_settled(&mut self, sink: &mut dyn Sink<&'s System>) {
        let buffers: Vec<&Buffer> = self.base.threads.iter().map(|t| &t.buffer).collect();
        let ways = emptyings(&buffers, &self.machine.system.cancel);
        for way in ways.unwrap_or_default() {
            self.restore_base();
            self.machine.running = 0;
            self.machine.take_way(&way);
            self.machine.commit_quietly();
            self.machine.settled = true;
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
