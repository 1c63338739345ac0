//! Which threads a thread joins before it does anything else. That matters where older messages of
//! atomics can be read (`docs/internals/c11.md`, "Joins ahead"), and where threads may be taken for
//! one another (`docs/internals/symmetry.md`).

use super::Stepper;
use super::fork::Snapshot;
use crate::machine::history::Joined;

/// How many jumps back and calls a thread may make between its joins, all together.
const BUDGET: u64 = 1 << 12;

impl Stepper<'_> {
    /// Notes which threads a thread joins before it does anything else, if it is about to join one.
    pub(super) fn look_for_joins(&mut self) {
        for (thread, target) in self.machine.history.take_joins_alike() {
            self.look_for_alike(thread as usize, target as usize);
        }
        let Some((thread, target)) = self.machine.history.take_join_ahead() else {
            return;
        };
        let mut joined = self.joins_of(thread as usize);
        if joined.is_empty() {
            joined.push(target);
        }
        self.machine.track_joins_ahead(thread, joined);
    }

    /// Checks whether a thread that is about to join one of several that may be taken for one
    /// another joins all of them before it does anything else.
    fn look_for_alike(&mut self, thread: usize, target: usize) {
        let alike = self.machine.joined_alike(target);
        if alike.is_empty() {
            return;
        }
        // How many there are is not in the read set.
        self.recording.opaque = true;
        let joined = self.joins_of(thread);
        if !alike.iter().all(|&other| joined.contains(&(other as u32))) {
            self.machine.distinguish(target);
        }
    }

    /// Continues with a thread as if whatever it joins had ended, until it does anything else that
    /// another thread could observe, or that depends on what others do. Returns what it has joined.
    fn joins_of(&mut self, thread: usize) -> Joined {
        let machine = &mut self.machine;
        let from = Snapshot::of(machine);
        let footprint = std::mem::take(&mut machine.footprint);
        let observer = std::mem::take(&mut machine.observer);
        machine.restore_context(thread);
        machine.progress.begin_thread(false, false, BUDGET);
        machine.history.look_ahead();
        // Why it stops does not matter.
        let _ = machine.execute();
        let joined = machine.history.stop_looking_ahead();
        from.restore(machine);
        machine.footprint = footprint;
        machine.observer = observer;
        joined
    }
}
