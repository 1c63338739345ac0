//! Transitions of the memory model that no thread makes (see [`crate::model`]): what flushers do, and settling.

use super::Stepper;
use crate::model::buffer::Buffer;
use crate::model::{MemoryModel, emptyings};
use crate::record::Action;
use crate::section::any_open_in;
use crate::system::System;
use impasse_explore::{Branch, Sink};

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
                self.machine.flush_oldest(thread);
                self.emit_state(thread as u32, Branch::Schedule, sink);
            }
        }
        any
    }

    /// Emits the transitions to settled states, where a section is open in which a hang is looked for. Flushers have emptied the buffers
    /// in some state before. Whether there are any.
    pub(super) fn settle(&mut self, state: &[u8], sink: &mut dyn Sink<&'s System>) -> bool {
        let model = self.machine.options.memory_model;
        if model == MemoryModel::SequentialConsistency
            || self.base.settled
            || !any_open_in(&mut self.sections, state)
        {
            return false;
        }
        let buffers: Vec<&Buffer> = self.base.threads.iter().map(|t| &t.buffer).collect();
        if model == MemoryModel::TsoFlusher && buffers.iter().any(|b| !b.is_empty()) {
            return false;
        }
        for way in emptyings(&buffers) {
            self.restore_base();
            self.machine.take_way(&way);
            self.machine.settled = true;
            let text = "all delayed writes are in memory, and none is delayed from here on";
            let text = text.into();
            self.machine.note_for(0, Action::Operation { text });
            self.emit_state(0, Branch::Schedule, sink);
        }
        true
    }
}
