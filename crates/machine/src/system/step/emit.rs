//! Emitting what a step leads to: a state, the end of the program, or an error.

use super::Stepper;
use crate::base::fault::{ErrorKind, Fault, Halt};
use crate::base::options::ExitCodes;
use crate::machine::record::Recorded;
use crate::machine::system::System;
use crate::state::canonical::{Parts, canonicalise_inputs, put_known_inputs};
use crate::state::encoding::{self, Delta};
use impasse_program::address::{ObjectId, ObjectKind};
use impasse_transition_system::{Branch, Edge, Ends, Sink};
use std::sync::Arc;

impl<'s> Stepper<'s> {
    pub(super) fn keep_events(&mut self) {
        for written in self.canonicaliser.written.drain(..) {
            self.machine.note_reached(written.thread, &written.entry);
        }
        let machine = &self.machine;
        if let (Some(recorded), Some(events)) = (&mut self.recorded, machine.observer.events()) {
            let journal = machine.memory.journal.clone();
            recorded.push(Recorded {
                condition: machine.symbolic.condition.clone(),
                events: events.clone(),
                journal: journal.unwrap_or_default(),
            });
        }
    }

    pub(super) fn emit_fault(&mut self, fault: Fault, sink: &mut dyn Sink<&'s System>) {
        self.keep_events();
        sink.fault(fault);
    }

    pub(super) fn emit_state(
        &mut self,
        label: u32,
        branch: Branch,
        sink: &mut dyn Sink<&'s System>,
    ) {
        self.look_for_joins();
        if let Some(message) = self.canonicalise() {
            self.recording.opaque = true;
            let fault = self.machine.fault(ErrorKind::MemoryLeak, message);
            self.emit_fault(fault, sink);
            return;
        }
        let machine = &mut self.machine;
        if let Some(terms) = machine.symbolic.terms() {
            let mut parts = Parts {
                memory: &mut machine.memory,
                threads: &mut machine.threads,
                history: machine.history.accesses_mut(),
                clock: machine.time.clock_mut(),
            };
            let condition = &mut machine.symbolic.condition;
            match machine.symbolic.keeps {
                true => put_known_inputs(terms, condition, &mut parts),
                false => canonicalise_inputs(terms, condition, &mut parts),
            }
        }
        if machine.threads[label as usize].atomic > 0 {
            machine.footprint.hold();
        }
        machine.memory.store_copies(&mut self.buffer);
        let store = machine.memory.store;
        for number in 0..machine.threads.len() {
            if machine.threads[number].images.is_empty() {
                continue;
            }
            let thread = &mut machine.threads[number];
            for image in thread.images.drain(..) {
                self.buffer.clear();
                image.encode(&mut self.buffer);
                thread.frames.push(store.intern(&self.buffer).id);
            }
        }
        let delta = self.base.delta(
            &machine.memory,
            &machine.threads,
            machine.time.clock(),
            machine.in_flight.is_state_drained(),
        );
        if let Some(selection) = &mut self.selection {
            selection.note_moves(label, &delta, &self.base);
        }
        self.check_joins(&delta);
        self.drop_unused(&delta);
        self.drop_outdated();
        let machine = &mut self.machine;
        let history = self
            .base
            .store_history(machine.history.accesses(), &mut self.buffer);
        let reuse = self.base.store_reuse(&machine.memory, &mut self.buffer);
        let condition = self
            .base
            .store_condition(&machine.symbolic.condition, &mut self.buffer);
        self.base.write(
            &delta,
            [history, reuse, condition],
            &mut self.encoded,
            &mut self.buffer,
        );
        let silent = self.is_silent(label, &delta);
        if self.recording.on && !self.recording.opaque {
            self.keep_outcome(label, delta, branch, silent);
        }
        self.keep_events();
        sink.edge(Edge {
            target: &self.encoded,
            label,
            branch,
            ends: Ends::Sections(self.machine.effects.ended()),
            silent,
        });
    }

    /// Drops, in the state that a step leads to, older messages of atomics that one thread alone can
    /// reach, as far as it has seen newer ones.
    fn drop_outdated(&mut self) {
        let machine = &mut self.machine;
        let system = machine.system;
        let history = machine.history.accesses();
        if history.locations().is_empty() || !system.guesses.all_have_seen() {
            return;
        }
        let memory = &machine.memory;
        let threads = machine.threads.len();
        let owner = |object: ObjectId| {
            let ObjectKind::Dynamic(number) = object.kind() else {
                return None;
            };
            let ranges = memory.id_ranges;
            let owner = ranges.owner(ranges.range_of(number), threads);
            let owner = owner.filter(|_| !memory.is_visible(object));
            owner.map(|owner| owner as u32)
        };
        if let Some(shorter) = history.outdated(&owner) {
            *machine.history.accesses_mut() = Arc::new(shorter);
        }
    }

    /// Whether a step of a thread changes nothing that another thread or the world outside could
    /// observe. The end of a section counts as a change, and so does a store to memory that
    /// outlives calls, whatever it stores: a longer step may have stored something else before. An
    /// exchange that leaves the value as it is does not.
    fn is_silent(&self, thread: u32, delta: &Delta) -> bool {
        let thread = thread as usize;
        let (before, after) = (&self.base.threads, &self.machine.threads);
        !self.machine.effects.counts_as_change()
            && !self.machine.memory.written
            && self.machine.memory.reuse == self.base.memory.reuse
            && self.machine.effects.ended().is_empty()
            && delta.is_silent(thread, &self.base)
            && before.len() > thread
            && before[thread].looks_like(&after[thread])
    }

    /// No outcome of the step meets the program's assumptions: the execution does not count any
    /// more, so that nothing hangs in it.
    pub(super) fn emit_infeasible(&mut self, label: u32, sink: &mut dyn Sink<&'s System>) {
        self.recording.opaque = true;
        encoding::infeasible(&mut self.encoded);
        self.keep_events();
        sink.edge(Edge {
            target: &self.encoded,
            label,
            branch: Branch::Schedule,
            ends: Ends::Program,
            silent: false,
        });
    }

    /// The program has ended: what is allocated and reachable from nowhere now is a leak, whose
    /// place is that of the allocation.
    pub(super) fn emit_end(
        &mut self,
        status: i32,
        label: u32,
        branch: Branch,
        sink: &mut dyn Sink<&'s System>,
    ) {
        self.recording.opaque = true;
        let code = status & 0xff;
        if code != 0 && self.machine.options.exit_codes == ExitCodes::Zero {
            let message = format!("the program exits with code {code}");
            let fault = self.machine.fault(ErrorKind::ExitCode, message);
            if !self.machine.system.suppresses(&fault) {
                self.emit_fault(fault, sink);
                return;
            }
        }
        let machine = &mut self.machine;
        if let Err(halt) = machine.note_outcome()
            && let Halt::Unsupported(what) = *halt
        {
            sink.omission(machine.omission(what));
        }
        self.note_messages();
        let machine = &mut self.machine;
        let leaks = self
            .canonicaliser
            .canonicalise(&mut machine.memory, &mut machine.threads);
        if self.canonicaliser.changed && machine.memory.journal.is_some() {
            let names = self.canonicaliser.changed_names();
            machine.memory.renumber_journal(&names);
        }
        if let Some(message) = self.leak_message(&leaks) {
            let mut fault = self.machine.fault(ErrorKind::MemoryLeak, message);
            fault.stacks[0].frames = leaks
                .iter()
                .take(1)
                .filter_map(|leak| leak.origin)
                .collect();
            self.emit_fault(fault, sink);
            return;
        }
        encoding::ended(status, &mut self.encoded);
        self.keep_events();
        sink.edge(Edge {
            target: &self.encoded,
            label,
            branch,
            ends: Ends::Program,
            silent: false,
        });
    }
}
