//! Taking steps from the step cache ([`crate::reduction::step_cache`]), and recording those that it
//! lacks.

use super::{Attempt, REMEMBERED, Stepper};
use crate::machine::system::System;
use crate::reduction::step_cache::{Found, Learned, Outcome, Recording, Start};
use crate::state::access_history::{MemoryAccess, OtherAccesses};
use crate::state::encoding::{Base, Delta};
use crate::state::memory::Entry;
use crate::state::memory::object::ObjectView;
use crate::state::memory::word_reads::Patch;
use crate::state::read_set::ReadSetEntry;
use impasse_store::Id;
use impasse_transition_system::{Branch, Edge, Ends, Sink};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// For how many transitions the history after them is kept.
const HISTORIES: usize = 1 << 14;

impl<'s> Stepper<'s> {
    /// Lets a thread take its steps from the base state, executing them only if they are not in the
    /// step cache. They end in the spin loop that the thread is in.
    pub(super) fn attempt_once(
        &mut self,
        thread: usize,
        sink: &mut dyn Sink<&'s System>,
    ) -> Attempt {
        let many = self.base.threads.len() >= 64;
        let options = self.machine.options;
        if !options.step_cache
            || options.memory_model.needs_history()
            || !self.base.memory.concurrent
            || many
            || self.recorded.is_some()
            || self.others.stale
        {
            return self.observed_step(thread, sink);
        }
        let start = Start {
            thread: thread as u32,
            stored: self.base.stored_threads[thread],
            threads: self.base.threads.len() as u32,
            clock: self.base.clock,
            drained: self.base.drained,
        };
        match self.memo.find(start, &self.base) {
            Found::Opaque => return self.observed_step(thread, sink),
            Found::Step(step) if !races(&self.others, thread, &step.accesses) => {
                if self.replayer.find_histories(step, &self.base) {
                    if let (Some(selection), Some(footprint)) =
                        (&mut self.selection, &step.footprint)
                    {
                        selection.observe_again(thread, footprint, &step.outcomes, &self.base);
                    }
                    return self.replayer.replay(step, thread, &mut self.base, sink);
                }
                return self.observed_step(thread, sink);
            }
            Found::Step(_) => return self.observed_step(thread, sink),
            Found::Nothing => {}
        }
        self.machine.memory.read_set.begin();
        self.machine.races.begin_recording();
        self.recording = Recording::begin();
        self.machine.history.keep_ops(true);
        let attempt = self.observed_step(thread, sink);
        self.machine.history.keep_ops(false);
        self.keep_accesses();
        let recording = std::mem::take(&mut self.recording);
        let blocked = matches!(attempt, Attempt::Blocked);
        let missed = self.machine.memory.read_set.missed();
        let opaque = recording.opaque || missed || blocked && !recording.outcomes.is_empty();
        let step = (!opaque).then(|| Learned {
            blocked,
            footprint: self.last_footprint(),
            accesses: recording.accesses,
            outcomes: recording.outcomes,
        });
        let seen = self.machine.threads.take_seen();
        if self.machine.races.has_raced() {
            // How far it came was a matter of what others do, which the step cache knows nothing
            // of.
            return attempt;
        }
        let read_set = &self.machine.memory.read_set;
        self.memo.learn(start, &self.base, read_set, seen, step);
        attempt
    }

    /// Takes what changed of globals that the step knows in part out of the changes.
    fn patches(&mut self, delta: &mut Delta) -> SmallVec<[(u64, Patch); 1]> {
        let memory = &self.machine.memory;
        let mut patches = SmallVec::new();
        for (global, written) in &memory.patched {
            let changed = delta.globals.iter().position(|(n, _)| n == global);
            let changed = changed.map(|at| delta.globals.remove(at));
            if let Some((_, Entry::Stored(after))) = changed {
                let after = ObjectView::new(memory.store.get(after));
                patches.push((self.patches, Patch::of(*global, after, written)));
                self.patches += 1;
            }
        }
        patches
    }

    /// Keeps the accesses since the last call, by the names that objects have in the base state.
    pub(super) fn keep_accesses(&mut self) {
        for memory_access in self.machine.races.take_recorded() {
            self.recording.keep_access(memory_access);
        }
    }

    /// A thread that was there in the base state continues within the step that is being recorded.
    pub(super) fn note_thread(&mut self, thread: usize) {
        if self.recording.on && thread < self.base.threads.len() {
            let read_set = &self.machine.memory.read_set;
            read_set.record(true);
            read_set.note(ReadSetEntry::Thread(thread as u32));
            read_set.record(false);
        }
    }

    /// Keeps a transition of the step of a thread that is being recorded.
    pub(super) fn keep_outcome(
        &mut self,
        thread: u32,
        mut delta: Delta,
        branch: Branch,
        silent: bool,
    ) {
        let (threads, base) = (&self.machine.threads, &self.base.threads);
        // Of another thread the step looked at all, or at the record only and left the frames and
        // access history as they are.
        let whole = |n: u32| {
            let n_ = n as usize;
            n == thread
                || n_ >= base.len()
                || threads[n_].frames != base[n_].frames
                || threads[n_].access_history != base[n_].access_history
        };
        let changed = delta.threads.iter().map(|&(n, _)| n);
        let preempted = changed.clone().any(|n| threads[n as usize].preempted);
        let others = changed.filter(|&n| !whole(n));
        let others = others.map(|n| (n, threads[n as usize].record())).collect();
        delta.threads.retain(|(n, _)| whole(*n));
        let patches = self.patches(&mut delta);
        self.outcomes += 1;
        self.recording.outcomes.push(Outcome {
            delta,
            patches,
            others,
            ops: self.machine.history.ops().clone(),
            number: self.outcomes,
            ended: self.machine.effects.ended().clone(),
            branch,
            silent,
            preempts: preempted,
        });
    }
}

/// Whether a thread's accesses race with those of others.
fn races(others: &OtherAccesses, thread: usize, accesses: &[MemoryAccess]) -> bool {
    let mut accesses = accesses.iter();
    accesses.any(|mine| others.conflict(thread, mine).is_some())
}

/// Emits transitions of steps that were taken before.
#[derive(Default)]
pub(super) struct Replayer {
    encoded: Vec<u8>,
    buffer: Vec<u8>,
    delta: Delta,
    patched: Patched,
    /// The history after each of the step's transitions, if states have one.
    histories: Vec<Option<Id>>,
    /// Histories after transitions: by the history before and the transition's number.
    after: FxHashMap<(Option<Id>, u64), Id>,
}

impl Replayer {
    /// Finds out what the transitions of a step make of the history. False if one of them races
    /// with something in it.
    fn find_histories(&mut self, step: &Learned, base: &Base<'_>) -> bool {
        self.histories.clear();
        for outcome in &step.outcomes {
            let Some(before) = base.stored_history else {
                self.histories.push(None);
                continue;
            };
            let key = (Some(before), outcome.number);
            let after = match (outcome.ops.is_empty(), self.after.get(&key)) {
                (true, _) => Some(before),
                (_, Some(&known)) => Some(known),
                (_, None) => {
                    let mut history = Arc::clone(&base.happens_before);
                    let changed = Arc::make_mut(&mut history);
                    if outcome.ops.iter().any(|op| changed.apply(op).is_err()) {
                        return false;
                    }
                    let after = base.store_history(&history, &mut self.buffer);
                    if self.after.len() >= HISTORIES {
                        self.after.clear();
                    }
                    self.after.extend(after.map(|after| (key, after)));
                    after
                }
            };
            self.histories.push(after);
        }
        true
    }

    /// Emits the transitions of a step.
    fn replay<'s>(
        &mut self,
        step: &Learned,
        thread: usize,
        base: &mut Base<'s>,
        sink: &mut dyn Sink<&'s System>,
    ) -> Attempt {
        if step.blocked {
            return Attempt::Blocked;
        }
        let stays_preempted = |outcome: &Outcome| {
            let mut threads = (0..).zip(base.threads.iter());
            threads.any(|(n, thread)| thread.preempted && !outcome.changes(n))
        };
        let preempted = |outcome: &Outcome| outcome.preempts || stays_preempted(outcome);
        let preempted = step.outcomes.iter().any(preempted);
        for (n, outcome) in step.outcomes.iter().enumerate() {
            let history = self.histories[n];
            let delta = match outcome.others.is_empty() && outcome.patches.is_empty() {
                true => &outcome.delta,
                false => {
                    self.complete(outcome, base);
                    &self.delta
                }
            };
            base.write(
                delta,
                [history, None, None],
                &mut self.encoded,
                &mut self.buffer,
            );
            sink.edge(Edge {
                target: &self.encoded,
                label: thread as u32,
                branch: outcome.branch,
                ends: Ends::Sections(&outcome.ended),
                silent: outcome.silent,
            });
        }
        Attempt::Moved { preempted }
    }

    /// Completes what a transition changes with the threads that it changes besides the running
    /// one, and the globals of which it knows a part.
    fn complete(&mut self, outcome: &Outcome, base: &Base<'_>) {
        let (delta, buffer) = (&mut self.delta, &mut self.buffer);
        let store = base.memory.store;
        delta.clone_from(&outcome.delta);
        for (n, record) in &outcome.others {
            let mut thread = record.clone();
            let now = &base.threads[*n as usize];
            (thread.frames, thread.access_history) =
                (now.frames.clone(), now.access_history.clone());
            buffer.clear();
            thread.encode(buffer);
            delta.threads.push((*n, store.intern(buffer).id));
        }
        delta.threads.sort_unstable();
        for (number, patch) in &outcome.patches {
            let Entry::Stored(before) = base.globals.entry(patch.global) else {
                unreachable!("a global that was written")
            };
            let after = self.patched.after(before, *number, || {
                buffer.clear();
                patch.apply(ObjectView::new(store.get(before)), buffer);
                store.intern(buffer).id
            });
            if after != before {
                delta.globals.push((patch.global, Entry::Stored(after)));
            }
        }
        delta.globals.sort_unstable_by_key(|&(n, _)| n);
    }
}

/// What globals become by patches: the same ones are made again and again.
#[derive(Default)]
struct Patched {
    known: FxHashMap<(Id, u64), Id>,
}

impl Patched {
    fn after(&mut self, before: Id, patch: u64, apply: impl FnOnce() -> Id) -> Id {
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        *self.known.entry((before, patch)).or_insert_with(apply)
    }
}
