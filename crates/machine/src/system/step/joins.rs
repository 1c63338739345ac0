//! Which threads a thread joins before it does anything else. That matters where older messages of
//! atomics can be read (`docs/internals/c11.md`, "Joins ahead"), and where threads may be symmetric
//! (`docs/internals/symmetry.md`).

use super::Stepper;
use super::fork::Snapshot;
use crate::machine::footprint::Footprint;
use crate::machine::futures::Control;
use crate::machine::history::Joined;
use crate::state::encoding::Delta;
use smallvec::SmallVec;

/// How many jumps back and calls a thread may make between its joins, all together: so many, and
/// more for each thread.
const BUDGET: u64 = 1 << 12;
const BUDGET_PER_THREAD: u64 = 1 << 6;

impl Stepper<'_> {
    /// Notes, for each thread that is about to join one, which threads it joins before it does
    /// anything else, but for those that another thread is about to join.
    pub(super) fn look_for_joins(&mut self) {
        let waiting = self.machine.history.take_joins_ahead();
        for (thread, target) in waiting.into_iter().rev() {
            let (mut joined, _) = self.joins_of(thread as usize);
            if joined.is_empty() {
                joined.push(target);
            }
            let history = self.machine.history.accesses();
            joined.retain(|target| !history.is_awaited_besides(thread, *target));
            if !joined.is_empty() {
                self.machine.track_joins_ahead(thread, joined);
            }
        }
    }

    /// Checks whether threads that are about to join one of several symmetric ones join all of them
    /// before they do anything else. `delta` is what the step changes.
    pub(super) fn check_joins(&mut self, delta: &Delta) {
        for (thread, target) in self.machine.history.take_kind_joins() {
            let others = self.machine.joinable_of_kind(target as usize);
            if others.is_empty() {
                continue;
            }
            // How many there are is not in the read set.
            self.recording.opaque = true;
            if self.selection.is_some() && !self.joins_all(thread as usize, &others, delta) {
                self.machine.distinguish(target as usize);
            }
        }
    }

    /// Whether a thread joins these before it does anything else, but for accesses of memory that
    /// no other thread accesses meanwhile.
    fn joins_all(&mut self, thread: usize, others: &[usize], delta: &Delta) -> bool {
        self.machine.history.share_ahead();
        let (joined, footprint) = self.joins_of(thread);
        if !others.iter().all(|&other| joined.contains(&(other as u32))) {
            return false;
        }
        if footprint.touched.is_empty() {
            return true;
        }
        let others = self.controls_after(delta);
        let others = others.into_iter().filter(|it| it.thread as usize != thread);
        let others: SmallVec<[Control; 8]> = others.collect();
        self.assume_unused(thread as u32, footprint, &others)
    }

    /// Continues with a thread as if whatever it joins had ended, until it does anything else that
    /// another thread could observe, or that depends on what others do. Returns what it has joined,
    /// and what it accesses until then that others can reach.
    fn joins_of(&mut self, thread: usize) -> (Joined, Footprint) {
        let machine = &mut self.machine;
        let budget = BUDGET + BUDGET_PER_THREAD * machine.threads.len() as u64;
        let from = Snapshot::of(machine);
        let footprint = std::mem::take(&mut machine.footprint);
        let observer = std::mem::take(&mut machine.observer);
        machine.footprint.begin(machine.history.shares_ahead());
        machine.restore_context(thread);
        machine.progress.begin_thread(false, false, budget);
        machine.history.look_ahead();
        // Why it stops does not matter.
        let _ = machine.execute();
        let joined = machine.history.stop_looking_ahead();
        let accessed = machine.footprint.take_marked();
        from.restore(machine);
        machine.footprint = footprint;
        machine.observer = observer;
        (joined, accessed)
    }
}
