//! Steps of threads in spin loops: they run on through the iterations in which nothing changes but
//! the loop's counter, to the last one.
//!
//! A step of a thread may lead to a state that differs from the one before in the counter of a spin
//! loop only. The thread can then repeat it alone until the counter ends the loop. So the step goes
//! on to the state before the last iteration.
//!
//! *Claim.* Such steps reach an error, a deadlock or a hang if and only if single iterations do.
//!
//! *Conditions.*
//! - `impasse_program::spin` accepts the loop: an iteration that returns to its header has changed
//!   nothing but the counter, which is not read for anything else.
//! - The step leaves all else as it was: what is in flight, and what threads know. The program
//!   reads no inputs
//!   ([`System::shortens_spin_loops`](crate::machine::system::System::shortens_spin_loops)).
//!
//! The argument is in `docs/internals/spin-loops.md`.

use super::{Attempt, Stepper};
use crate::machine::system::System;
use crate::state::frame::{FrameImage, stored_slots};
use crate::state::thread::Thread;
use impasse_program::word::Word;
use impasse_store::Id;
use impasse_transition_system::{Branch, Emission, Emissions, Sink};
use rustc_hash::FxHashMap;

/// For how many stored threads something is kept.
const REMEMBERED: usize = 1 << 16;
/// Iterations that a step runs on through, at most. More take several steps.
const MOST: u32 = 1 << 20;

/// What is known of threads in spin loops, by the numbers of their stored forms.
#[derive(Default)]
pub(super) struct Spinning {
    /// Whether a thread is in a spin loop.
    known: FxHashMap<Id, bool>,
    /// Where a thread comes whose iterations change nothing but the counter: before the last one.
    last: FxHashMap<Id, Id>,
}

impl<'s> Stepper<'s> {
    /// Lets a thread take its steps from the base state, executing them only if they are not in the
    /// step cache.
    pub(super) fn attempt(&mut self, thread: usize, sink: &mut dyn Sink<&'s System>) -> Attempt {
        if !self.is_in_spin_loop(thread) {
            return self.attempt_once(thread, sink);
        }
        let mut emissions = Emissions::new();
        let attempt = self.attempt_once(thread, &mut emissions);
        if let Attempt::Moved { preempted: false } = attempt
            && let Some((repeated, next)) = self.repeated(thread, &emissions)
        {
            let last = self.last_iteration(thread, next);
            if let Emission::Edge(edge) = &mut emissions.0[repeated] {
                self.base.with_thread(thread, last, &mut edge.target);
            }
            if let Some(selection) = &mut self.selection {
                selection.observe_on(thread, last, &self.base);
            }
        }
        emissions.pass_on(sink);
        attempt
    }

    /// Returns whether a thread of the base state is in a spin loop.
    fn is_in_spin_loop(&mut self, thread: usize) -> bool {
        let Some(spinning) = &mut self.spinning else {
            return false;
        };
        if !self.base.memory.concurrent {
            return false;
        }
        if spinning.known.len() >= REMEMBERED {
            spinning.known.clear();
        }
        let (system, store) = (self.machine.system, self.base.memory.store);
        let mut frames = self.base.threads[thread].frames.iter();
        let inside = || {
            frames.any(|frame| {
                let image = FrameImage::decode(store.get(*frame));
                let mut loops = system.spin_loops_of(image.function).iter();
                loops.any(|it| it.contains(image.position))
            })
        };
        let stored = self.base.stored_threads[thread];
        *spinning.known.entry(stored).or_insert_with(inside)
    }

    /// Returns which outcome of a thread's step differs from the base state in nothing but the
    /// counter of a spin loop, and the stored form that the thread has then. `None` if none does,
    /// or if an outcome is no edge or depends on an input.
    fn repeated(&self, thread: usize, emissions: &Emissions<&'s System>) -> Option<(usize, Id)> {
        let of_scheduler = |emission: &Emission<&'s System>| match emission {
            Emission::Edge(edge) => edge.branch != Branch::Input,
            _ => false,
        };
        if !emissions.0.iter().all(of_scheduler) {
            return None;
        }
        let mut outcomes = emissions.0.iter().enumerate();
        outcomes.find_map(|(n, emission)| Some((n, self.only_counted(thread, emission)?)))
    }

    /// Returns the stored form that a thread has after a step with this outcome, if nothing but the
    /// counter of a spin loop differs from the base state.
    fn only_counted(&self, thread: usize, emission: &Emission<&'s System>) -> Option<Id> {
        let Emission::Edge(edge) = emission else {
            return None;
        };
        if !edge.silent || !edge.ended.as_ref().is_some_and(Vec::is_empty) {
            return None;
        }
        let next = self.base.other_thread(thread, &edge.target)?;
        let before = &self.base.threads[thread];
        let mut after = Thread::decode(self.base.memory.store.get(next));
        let frames = std::mem::replace(&mut after.frames, before.frames.clone());
        let same = after == *before && frames.len() == before.frames.len();
        let mut changed = frames.iter().zip(&before.frames).filter(|(a, b)| a != b);
        let (Some((&after, &before)), None, true) = (changed.next(), changed.next(), same) else {
            return None;
        };
        self.counts(before, after).then_some(next)
    }

    /// Returns whether two stored frames differ in the counter of a spin loop only.
    fn counts(&self, before: Id, after: Id) -> bool {
        let (system, store) = (self.machine.system, self.base.memory.store);
        let before = FrameImage::decode(store.get(before));
        let mut after = FrameImage::decode(store.get(after));
        let words = std::mem::replace(&mut after.words, before.words.clone());
        if after != before || words.len() != before.words.len() {
            return false;
        }
        let mut changed = (0..words.len()).filter(|&n| words[n] != before.words[n]);
        let (Some(n), None) = (changed.next(), changed.next()) else {
            return false;
        };
        let is_number = |word: Word| word.is_defined() && !word.pointer && word.time.is_none();
        let function = system.program.function(before.function);
        let slot = stored_slots(function, before.position, before.calling)[n];
        let mut loops = system.spin_loops_of(before.function).iter();
        is_number(words[n])
            && is_number(before.words[n])
            && loops.any(|it| it.counter == slot && it.contains(before.position))
    }

    /// Returns the stored form of a thread before the last iteration of its spin loop, given the
    /// one that it has after the first.
    fn last_iteration(&mut self, thread: usize, next: Id) -> Id {
        let start = self.base.stored_threads[thread];
        let known = |spinning: &Spinning| spinning.last.get(&start).copied();
        if let Some(last) = self.spinning.as_ref().and_then(known) {
            return last;
        }
        let (mut here, mut state) = (Vec::new(), Vec::new());
        self.base.with_thread(thread, start, &mut here);
        let selection = self.selection.take();
        let recorded = self.recorded.take();
        let mut last = next;
        for _ in 0..MOST {
            if self.machine.system.cancel.is_cancelled() {
                break;
            }
            self.base.with_thread(thread, last, &mut state);
            self.begin(&state);
            let mut emissions = Emissions::new();
            // Not by the step cache, which would learn steps that are not observed.
            let attempt = self.step(thread, &mut emissions);
            match (attempt, self.repeated(thread, &emissions)) {
                (Attempt::Moved { preempted: false }, Some((_, next))) => last = next,
                _ => break,
            }
        }
        self.begin(&here);
        (self.selection, self.recorded) = (selection, recorded);
        if let Some(spinning) = &mut self.spinning {
            if spinning.last.len() >= REMEMBERED {
                spinning.last.clear();
            }
            spinning.last.insert(start, last);
        }
        last
    }
}
