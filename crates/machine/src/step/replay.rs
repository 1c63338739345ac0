//! Taking steps from the memo (see [`crate::memo`]) where they are known, and recording them where they are not.

use super::{Attempt, Stepper};
use crate::memo::{Found, Learned, Outcome, Part, Recording, Start};
use crate::race::Touch;
use crate::state::{Base, Delta};
use crate::system::System;
use impasse_explore::{Branch, Edge, Ends, Sink};

impl<'s> Stepper<'s> {
    /// Lets a thread take its steps from the base state, executing them only if they are not remembered.
    pub(super) fn attempt(&mut self, thread: usize, sink: &mut dyn Sink<&'s System>) -> Attempt {
        let many = self.base.threads.len() >= 64;
        let options = self.machine.options;
        if !options.remember
            || !self.base.memory.concurrent
            || many
            || self.recorded.is_some()
            || self.strays
        {
            return self.step(thread, sink);
        }
        let start = Start {
            thread: thread as u32,
            stored: self.base.stored_threads[thread],
            threads: self.base.threads.len() as u32,
            clock: self.base.clock,
            settled: self.base.settled,
        };
        match self.memo.find(start, &self.base) {
            Found::Opaque => return self.step(thread, sink),
            Found::Step(step) if !races(&self.pendings, thread, &step.accesses) => {
                let (encoded, buffer) = (&mut self.encoded, &mut self.buffer);
                return replay(step, thread, &mut self.base, encoded, buffer, sink);
            }
            Found::Step(_) => return self.step(thread, sink),
            Found::Nothing => {}
        }
        self.machine.memory.footprint.begin();
        self.machine.accesses.clear();
        self.machine.raced = false;
        self.recording = Recording::begin();
        let attempt = self.step(thread, sink);
        self.keep_accesses();
        let recording = std::mem::take(&mut self.recording);
        let blocked = matches!(attempt, Attempt::Blocked);
        let opaque = recording.opaque || blocked && !recording.outcomes.is_empty();
        let step = (!opaque).then(|| Learned {
            blocked,
            accesses: recording.accesses,
            outcomes: recording.outcomes,
        });
        let seen = self.machine.threads.take_seen();
        if self.machine.raced {
            // How far it came was a matter of what others are about to do, which the memo knows nothing of.
            return attempt;
        }
        let footprint = &self.machine.memory.footprint;
        self.memo.learn(start, &self.base, footprint, seen, step);
        attempt
    }

    /// Keeps the accesses since the last call, by the names that objects have in the base state.
    pub(super) fn keep_accesses(&mut self) {
        for touch in self.machine.accesses.drain(..) {
            self.recording.keep_access(touch);
        }
    }

    /// A thread that was there in the base state goes on within the step that is being recorded.
    pub(super) fn note_thread(&mut self, thread: usize) {
        if self.recording.on && thread < self.base.threads.len() {
            let footprint = &self.machine.memory.footprint;
            footprint.look(true);
            footprint.note(Part::Thread(thread as u32));
            footprint.look(false);
        }
    }

    /// Keeps a transition of the step of a thread that is being recorded.
    pub(super) fn keep_outcome(&mut self, thread: u32, mut delta: Delta, branch: Branch) {
        let (threads, base) = (&self.machine.threads, &self.base.threads);
        // Of another thread the step looked at all, or at the record only and left the frames and recent accesses as they are.
        let whole = |n: u32| {
            let n_ = n as usize;
            n == thread
                || n_ >= base.len()
                || threads[n_].frames != base[n_].frames
                || threads[n_].recent != base[n_].recent
        };
        let changed = delta.threads.iter().map(|&(n, _)| n);
        let cut = changed.clone().any(|n| threads[n as usize].cut);
        let others = changed.filter(|&n| !whole(n));
        let others = others.map(|n| (n, threads[n as usize].record())).collect();
        delta.threads.retain(|(n, _)| whole(*n));
        self.recording.outcomes.push(Outcome {
            delta,
            others,
            ended: self.machine.ended.clone(),
            branch,
            cut,
        });
    }
}

/// Whether a thread's accesses race with what others are about to access.
fn races(pendings: &[(usize, Touch)], thread: usize, accesses: &[Touch]) -> bool {
    let others = || pendings.iter().filter(|(other, _)| *other != thread);
    accesses
        .iter()
        .any(|mine| others().any(|(_, theirs)| mine.races_with(theirs)))
}

/// Emits the transitions of a step that was taken before.
fn replay<'s>(
    step: &Learned,
    thread: usize,
    base: &mut Base<'s>,
    encoded: &mut Vec<u8>,
    buffer: &mut Vec<u8>,
    sink: &mut dyn Sink<&'s System>,
) -> Attempt {
    if step.blocked {
        return Attempt::Blocked;
    }
    let stays_cut = |outcome: &Outcome| {
        let mut threads = (0..).zip(base.threads.iter());
        threads.any(|(n, thread)| thread.cut && !outcome.changes(n))
    };
    let cut = |outcome: &Outcome| outcome.cut || stays_cut(outcome);
    let cut = step.outcomes.iter().any(cut);
    for outcome in &step.outcomes {
        match outcome.others.is_empty() {
            true => base.write(&outcome.delta, encoded, buffer),
            false => {
                let delta = with_others(outcome, base);
                base.write(&delta, encoded, buffer);
            }
        }
        sink.edge(Edge {
            target: encoded,
            label: thread as u32,
            branch: outcome.branch,
            ends: Ends::Sections(&outcome.ended),
        });
    }
    Attempt::Moved { cut }
}

/// What a transition changes, with the threads that it changes besides the running one.
fn with_others(outcome: &Outcome, base: &Base<'_>) -> Delta {
    let mut delta = outcome.delta.clone();
    let mut buffer = Vec::new();
    for (n, record) in &outcome.others {
        let mut thread = record.clone();
        let now = &base.threads[*n as usize];
        (thread.frames, thread.recent) = (now.frames.clone(), now.recent.clone());
        buffer.clear();
        thread.encode(&mut buffer);
        let id = base.memory.store.intern(&buffer).id;
        delta.threads.push((*n, id));
    }
    delta.threads.sort_unstable();
    delta
}
