//! Canonicalising the heap at the end of a step, and within one: only where names may have changed.

use super::Stepper;
use crate::machine::Machine;
use crate::state::canonical;

impl Stepper<'_> {
    pub(super) fn leak_message(&mut self, leaks: &[canonical::Leak]) -> Option<String> {
        if leaks.is_empty() || !self.machine.options.leaks {
            return None;
        }
        let mut reported = leaks
            .iter()
            .filter(|leak| !self.machine.suppresses_leak(leak));
        let what = reported.next().map(|leak| leak.description.as_str());
        let count = reported.count() + 1;
        // Rules depend on all frames, and the read set has only some.
        self.recording.opaque |= !self.machine.options.suppressions.rules().is_empty();
        let what = what?;
        let more = match count {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        Some(format!("nothing refers any more to {what}{more}"))
    }

    /// Settles names where they may have changed.
    pub(super) fn canonicalise(&mut self) -> Option<String> {
        self.note_messages();
        if !self.names_changed() {
            return None;
        }
        let others_change = self.names_of_others_changed();
        self.machine.memory.read_set.record(self.recording.on);
        let delayed = self.machine.model().is_in_flight(&self.machine);
        if delayed {
            self.recording.give_up();
            self.machine.memory.read_set.record(false);
        }
        let running = self.machine.running;
        let Machine {
            memory, threads, ..
        } = &mut self.machine;
        let leaks = match others_change || delayed {
            true => None,
            false => self
                .canonicaliser
                .canonicalise_own(memory, threads, running, &self.base),
        };
        let leaks = leaks.unwrap_or_else(|| self.canonicaliser.canonicalise(memory, threads));
        memory.read_set.record(false);
        self.canonicaliser.rename_notes(memory, &leaks);
        self.rename_history();
        self.leak_message(&leaks)
    }

    /// Says to the memory what older messages of atomics name.
    pub(super) fn note_messages(&mut self) {
        let machine = &mut self.machine;
        if !machine.history.tracks() {
            return;
        }
        let locations = machine.history.accesses().locations();
        machine.memory.in_messages.clear();
        machine.memory.in_messages.extend(locations.named());
        let before = self.base.happens_before.locations().named();
        machine.memory.reshaped |= !before.eq(locations.named());
    }

    /// The history has the new names, and knows which delayed stores to private objects have
    /// reached memory.
    fn rename_history(&mut self) {
        let machine = &mut self.machine;
        if !machine.tracks() {
            return;
        }
        if self.canonicaliser.changed {
            machine.rename_history(self.canonicaliser.changed_names());
        }
        for written in &self.canonicaliser.written {
            let message = written.entry.atomic.then(|| written.entry.message());
            machine.track_store_left(written.thread, written.index, message);
        }
        machine.commit_quietly();
    }

    /// Canonicalises all names within a step, before another thread continues in it.
    pub(super) fn canonicalise_within(&mut self) -> Option<String> {
        self.keep_accesses();
        self.note_messages();
        let machine = &mut self.machine;
        machine.footprint.lose_objects();
        machine.memory.read_set.record(self.recording.on);
        if machine.model().is_in_flight(machine) {
            self.recording.give_up();
            machine.memory.read_set.record(false);
        }
        let (memory, threads) = (&mut machine.memory, &mut machine.threads);
        let leaks = self.canonicaliser.canonicalise(memory, threads);
        memory.read_set.record(false);
        self.canonicaliser.rename_notes(memory, &leaks);
        if self.recording.on {
            self.recording
                .follow(&self.canonicaliser, &self.base, memory);
        }
        self.rename_history();
        self.leak_message(&leaks)
    }

    /// Whether what the roots and objects name may differ from the base state.
    fn names_changed(&mut self) -> bool {
        let machine = &self.machine;
        let memory = &machine.memory;
        if memory.reshaped || memory.regrouped || self.thread_count_changed() {
            return true;
        }
        if machine.memory.dynamic.is_empty() {
            return false;
        }
        if machine.memory.pointers_changed() {
            return true;
        }
        (0..self.machine.threads.len()).any(|thread| self.names_of_thread_changed(thread))
    }

    fn thread_count_changed(&self) -> bool {
        self.machine.threads.len() != self.base.threads.len()
    }

    /// Whether a thread other than the running one may name other objects than in the base state.
    fn names_of_others_changed(&mut self) -> bool {
        let running = self.machine.running;
        let mut others = (0..self.machine.threads.len()).filter(|&thread| thread != running);
        self.thread_count_changed() || others.any(|thread| self.names_of_thread_changed(thread))
    }

    fn names_of_thread_changed(&mut self, thread: usize) -> bool {
        let (threads, base) = (&self.machine.threads, &self.base.threads);
        if threads.is_shared(base, thread) {
            return false;
        }
        let (before, after) = (&base[thread], &threads[thread]);
        let frames = before.frames.iter().zip(&after.frames);
        let common = frames.take_while(|(a, b)| a == b).count();
        let store = self.machine.memory.store;
        let (names_before, names_after) = (&mut self.names_before, &mut self.names_after);
        names_before.clear();
        names_after.clear();
        let canonicaliser = &mut self.canonicaliser;
        canonicaliser.for_each_object_of(before, common, store, &mut |o| names_before.push(o));
        canonicaliser.for_each_object_of(after, common, store, &mut |o| names_after.push(o));
        self.names_before != self.names_after
    }
}
