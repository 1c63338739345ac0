//! Expanding a state selectively: a set of threads, where what they do next and what the others may
//! do later are independent ([`crate::machine::futures`]).

use super::candidates::{Candidate, Candidates};
use super::chosen::Chosen;
use super::reach::Holders;
use super::symmetric::Symmetric;
use super::{Attempt, First, Stepper};
use crate::machine::footprint::{Accessed, Footprint, Place, in_memory};
use crate::machine::futures::{Control, NumberedFootprint, View};
use crate::machine::system::System;
use crate::reduction::step_cache::Outcome;
use crate::state::encoding::{Base, Delta};
use crate::state::frame::{FrameImage, object_of};
use crate::state::happens_before::{HappensBefore, Place as HistoryPlace};
use crate::state::memory::Access;
use crate::state::thread::Thread;
use impasse_program::address::Address;
use impasse_program::word::Word;
use impasse_store::{Id, Interner};
use impasse_transition_system::{Emission, Emissions, ReducingSink, Sink};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// For how many stored threads the control is kept.
const REMEMBERED: usize = 1 << 16;

/// What a stepper needs to expand states selectively.
pub(super) struct Selection<'s> {
    pub view: View<'s>,
    controls: Controls,
    /// Where the last step has led threads.
    moves: SmallVec<[Move; 2]>,
    /// The footprint of the last step.
    last: NumberedFootprint,
    /// What holds the addresses of objects.
    pub holders: Holders,
}

impl<'s> Selection<'s> {
    pub(super) fn new(system: &'s System) -> Self {
        Selection {
            view: View::new(&system.futures),
            controls: Controls::default(),
            moves: SmallVec::new(),
            last: NumberedFootprint::default(),
            holders: Holders::default(),
        }
    }
}

/// A thread that need not move, and the one that moves in its place, by their indices among the
/// candidates.
struct Replaced {
    index: usize,
    by: usize,
}

/// Where a step leads a thread.
#[derive(Clone, Copy)]
struct Move {
    before: Control,
    after: Control,
    /// Whether it is the step's own thread, or one that the step starts.
    own: bool,
    /// Whether the thread can only get from one spot to the other by such steps.
    leads: bool,
}

/// The controls of stored threads.
#[derive(Default)]
struct Controls(FxHashMap<(u32, Id), Control>);

impl Controls {
    fn of(&mut self, store: &Interner, number: u32, stored: Id) -> Control {
        if self.0.len() >= REMEMBERED {
            self.0.clear();
        }
        *self.0.entry((number, stored)).or_insert_with(|| {
            let [mut frames, mut positions, mut spot] = [(); 3].map(|()| FxHasher::default());
            number.hash(&mut frames);
            number.hash(&mut positions);
            number.hash(&mut spot);
            for frame in Thread::decode(store.get(stored)).frames {
                frame.0.hash(&mut frames);
                let image = FrameImage::decode(store.get(frame));
                (image.function.0, image.position).hash(&mut positions);
                (image.function.0, image.position).hash(&mut spot);
                let words = image.words.into_iter();
                words.for_each(|word| without_names(word).hash(&mut spot));
            }
            Control {
                thread: number,
                frames: frames.finish(),
                positions: positions.finish(),
                spot: spot.finish(),
            }
        })
    }
}

/// A word without what steps of other threads may change in it.
fn without_names(word: Word) -> impl Hash {
    let offset = object_of(word).map(|_| Address::from_bits(word.bits).offset);
    let value = offset.is_none().then_some(word.bits);
    let value = value.filter(|_| word.term.is_none());
    (offset, value, word.undefined)
}

impl<'s> Stepper<'s> {
    /// Emits the transitions of some threads if the others need not move before them, and every
    /// transition that leaves a state otherwise.
    pub fn reduced_successors(&mut self, state: &[u8], sink: &mut dyn ReducingSink<&'s System>) {
        if !self.begin(state) {
            return;
        }
        if let Some(selection) = &mut self.selection {
            selection.holders.forget();
            if !selection.view.begin_state() {
                self.selection = None;
            }
        }
        let (order, first) = self.order();
        let threads = self.base.threads.len();
        if self.selection.is_none() || first != First::Any || threads < 2 {
            return self.expand(state, sink);
        }
        let mut candidates = self.candidates(order);
        let count = candidates.order.len();
        // Single threads first, then as few as possible.
        for seed in 0..count {
            let single = self.persistent_set(seed, 1, &mut candidates);
            if let Some(chosen) = single
                && self.may_choose(&chosen, &[], &candidates, sink)
            {
                return self.emit_chosen(&chosen.threads, &[], candidates, sink);
            }
        }
        let sets =
            (0..count).filter_map(|seed| self.persistent_set(seed, count - 1, &mut candidates));
        let mut sets: Vec<Chosen> = sets.filter(|chosen| chosen.threads.len() > 1).collect();
        sets.sort_by_key(|chosen| chosen.threads.len());
        for chosen in sets {
            let replaced = self.replaced(&chosen.threads, &candidates);
            if self.may_choose(&chosen, &replaced, &candidates, sink) {
                return self.emit_chosen(&chosen.threads, &replaced, candidates, sink);
            }
        }
        let all: Vec<usize> = (0..count).collect();
        all.iter()
            .for_each(|&index| self.execute(index, &mut candidates));
        let replaced = self.replaced(&all, &candidates);
        let blocked = all.iter().filter(|&&index| candidates.get(index).blocked);
        let blocked: Vec<usize> = blocked.map(|&index| candidates.order[index]).collect();
        self.emit_chosen(&all, &replaced, candidates, sink);
        if blocked.len() == count && !self.drains_later(state) {
            self.report_deadlock(blocked, sink);
        }
    }

    fn candidates(&mut self, order: Vec<usize>) -> Candidates<'s> {
        let selection = self.selection.as_mut().expect("a selective stepper");
        let store = self.base.memory.store;
        let control = |&thread: &usize| {
            let stored = self.base.stored_threads[thread];
            selection.controls.of(store, thread as u32, stored)
        };
        Candidates {
            controls: order.iter().map(control).collect(),
            known: order.iter().map(|_| None).collect(),
            fail: false,
            order,
        }
    }

    /// Executes a thread unless that was done.
    pub(super) fn execute(&mut self, index: usize, candidates: &mut Candidates<'s>) {
        if candidates.known[index].is_some() {
            return;
        }
        let thread = candidates.order[index];
        let mut emissions = Emissions::new();
        let attempt = self.attempt(thread, &mut emissions);
        let is_fault = |emission: &Emission<_>| matches!(emission, Emission::Fault(_));
        candidates.fail |= emissions.0.iter().any(is_fault);
        let footprint = self.with_history(thread);
        candidates.known[index] = Some(Candidate {
            emissions,
            footprint: self.in_order(footprint, candidates.controls[index]),
            bare: None,
            blocked: matches!(attempt, Attempt::Blocked),
            preempted: matches!(attempt, Attempt::Moved { preempted: true }),
        });
    }

    /// Returns which of some threads need not move here, each with one that moves in its place: it
    /// makes no difference which of the two does.
    fn replaced(&mut self, chosen: &[usize], candidates: &Candidates<'s>) -> Vec<Replaced> {
        let mut replaced: Vec<Replaced> = Vec::new();
        if !self.machine.system.symmetry.is_on() || candidates.fail {
            return replaced;
        }
        let mut chosen: SmallVec<[usize; 8]> = SmallVec::from_slice(chosen);
        chosen.retain(|index| !candidates.get(*index).blocked);
        chosen.sort_unstable();
        let mut moving: SmallVec<[usize; 8]> = SmallVec::new();
        for index in chosen {
            let mut known = moving.iter().copied();
            match known.find(|&by| self.may_replace(by, index, candidates)) {
                Some(by) => replaced.push(Replaced { index, by }),
                None => moving.push(index),
            }
        }
        replaced
    }

    /// Returns whether a thread may move in the place of another one, and notes what that rests on
    /// if so.
    fn may_replace(&mut self, by: usize, index: usize, candidates: &Candidates<'s>) -> bool {
        let [one, other] = [by, index].map(|index| candidates.order[index]);
        match self.are_symmetric(one, other) {
            None => false,
            Some(Symmetric::Always) => true,
            Some(Symmetric::WhileWaiting(creator, sharing)) => {
                let others = candidates.controls.iter().copied();
                let others = others.filter(|control| control.thread != creator);
                let others: SmallVec<[Control; 8]> = others.collect();
                self.assume_unused(creator, *sharing, &others)
            }
        }
    }

    /// Assumes that others access nothing of a footprint before a thread has ended, and returns
    /// true, unless it is known that one does.
    pub(super) fn assume_unused(
        &mut self,
        thread: u32,
        footprint: Footprint,
        others: &[Control],
    ) -> bool {
        let Some(Selection { view, .. }) = &mut self.selection else {
            return false;
        };
        let member = (thread, view.number(&footprint), &footprint);
        let is_unused = !others.iter().any(|&other| view.uses(member, other));
        if is_unused {
            view.assume_no_access(member, others);
        }
        is_unused
    }

    /// Returns whether the search may explore these threads alone, and notes what that rests on if
    /// so.
    fn may_choose(
        &mut self,
        chosen: &Chosen,
        replaced: &[Replaced],
        candidates: &Candidates<'s>,
        sink: &mut dyn ReducingSink<&'s System>,
    ) -> bool {
        if candidates.fail {
            return false;
        }
        let mut threads: SmallVec<[usize; 4]> = chosen.threads.clone();
        threads.sort_unstable();
        let moves = |index: &&usize| !replaced.iter().any(|it| it.index == **index);
        let moving: SmallVec<[usize; 4]> = threads.iter().filter(moves).copied().collect();
        let mut explored = moving.iter().map(|&index| candidates.get(index));
        let deeper = explored.any(|candidate| candidate.leads_deeper(sink));
        let Some(selection) = &mut self.selection else {
            return false;
        };
        let mut passes_once = |&index: &usize| {
            let control = candidates.controls[index];
            candidates.get(index).can_progress() && selection.view.assume_passing_once(control)
        };
        if !deeper && !moving.iter().any(&mut passes_once) {
            return false;
        }
        let mut in_order = |&index: &usize| {
            let step = &candidates.get(index).footprint.footprint;
            let control = candidates.controls[index];
            !step.has_unordered_stores() || selection.view.assume_passing_once(control)
        };
        if !threads.iter().all(&mut in_order) {
            return false;
        }
        let omitted = candidates.others(&threads);
        let omitted: SmallVec<[Control; 8]> = omitted
            .iter()
            .map(|&index| candidates.controls[index])
            .collect();
        let step = |index: usize| candidates.member(index, &candidates.get(index).footprint);
        let first = step(threads[0]);
        let single = threads.len() == 1;
        if single && first.2.ends_thread() && !selection.view.assume_staying(first, &omitted) {
            return false;
        }
        let deterministic = single && candidates.get(threads[0]).is_deterministic();
        if !deterministic && !selection.view.assume_no_input(first, &omitted) {
            return false;
        }
        for (&index, part) in chosen.threads.iter().zip(&chosen.footprints) {
            let member = candidates.member(index, part);
            selection.view.assume_independence(member, &omitted);
        }
        for (index, word) in &chosen.apart {
            let member = candidates.member(*index, word);
            selection.view.assume_no_access(member, &omitted);
        }
        true
    }

    /// Emits the transitions of these threads, in order, but for those that are replaced.
    fn emit_chosen(
        &mut self,
        chosen: &[usize],
        replaced: &[Replaced],
        mut candidates: Candidates<'s>,
        sink: &mut dyn ReducingSink<&'s System>,
    ) {
        for index in 0..=chosen.iter().copied().max().unwrap_or(0) {
            self.execute(index, &mut candidates);
            let Some(candidate) = candidates.known[index].take() else {
                continue;
            };
            let replaced = replaced.iter().find(|it| it.index == index);
            if let Some(&Replaced { by, .. }) = replaced {
                let controls = [by, index].map(|index| candidates.controls[index]);
                self.observe_symmetric(controls);
            }
            match replaced.is_none() && chosen.contains(&index) {
                true => candidate.emissions.pass_on(sink),
                false => sink.skip(candidate.emissions.ordinals()),
            }
        }
    }

    /// Two threads are symmetric: what one of them may do, the other one may.
    fn observe_symmetric(&mut self, controls: [Control; 2]) {
        let [one, other] = controls;
        let kind = self.base.threads.identity(one.thread as usize).kind;
        self.machine.system.symmetry.note_use(kind);
        if let Some(Selection { view, .. }) = &mut self.selection {
            view.observe_exchange(one, other);
            view.observe_exchange(other, one);
        }
    }

    /// Returns the footprint of a step from a control. If its thread may come back there, the order
    /// of stores matters.
    fn in_order(&mut self, step: NumberedFootprint, control: Control) -> NumberedFootprint {
        let selection = self.selection.as_mut().expect("a selective stepper");
        if !step.footprint.has_unordered_stores() || selection.view.may_pass_once(control) {
            return step;
        }
        let accessed = step.accessed.iter();
        let accessed = accessed.map(|&(touched, object)| (touched.ordered(), object));
        let footprint = step.footprint.ordered();
        selection.view.numbered(footprint, accessed.collect())
    }

    /// Returns the footprint of the last step, a thread's, with what the thread has accessed before
    /// it: races with that are found only until its next visible action.
    fn with_history(&mut self, thread: usize) -> NumberedFootprint {
        let selection = self.selection.as_mut().expect("a selective stepper");
        let history = self.base.threads.access_history(thread);
        if history.is_empty() {
            return selection.last.clone();
        }
        let mut footprint = Footprint::clone(&selection.last.footprint);
        let mut accessed = Accessed::clone(&selection.last.accessed);
        for before in history.iter() {
            let writes = before.access == Access::Write;
            let memory = &self.base.memory;
            let touched = in_memory(memory, before.address, before.bytes, writes);
            footprint.add(touched);
            if before.address.object.is_dynamic() {
                accessed.push((touched, before.address.object));
            }
        }
        selection.view.numbered(footprint, accessed)
    }

    /// Lets a thread take its steps from the base state, and observes them.
    pub(super) fn observed_step(
        &mut self,
        thread: usize,
        sink: &mut dyn Sink<&'s System>,
    ) -> Attempt {
        let Some(selection) = &mut self.selection else {
            return self.step(thread, sink);
        };
        selection.moves.clear();
        self.machine.footprint.begin(true);
        if self.machine.history.tracks() && self.machine.system.symmetry.is_on() {
            self.machine.footprint.note_shared();
        }
        self.machine.threads.begin_footprint();
        let attempt = self.step(thread, sink);
        let (mut footprint, accessed) = self.machine.footprint.take();
        self.add_records(thread, &mut footprint);
        if let Some(selection) = &mut self.selection {
            selection.last = selection.view.numbered(footprint, accessed);
            selection.observe(thread, &self.base);
        }
        attempt
    }

    /// Adds the records of other threads that the step has read or changed, also of those that
    /// have ended: the step could have come before their end.
    fn add_records(&self, thread: usize, footprint: &mut Footprint) {
        let known = self.base.threads.len();
        let touched = self.machine.threads.touched();
        let whole_kind =
            |other: usize| std::iter::once(other).chain(self.machine.others_of_kind(other));
        let touched = touched.filter(|&other| other != thread && other < known);
        for other in touched
            .flat_map(whole_kind)
            .filter(|&other| other != thread)
        {
            footprint.add_whole(Place::Record(other as u32), true);
            footprint.add_whole(Place::Detached(other as u32), true);
        }
    }

    /// Returns the footprint of the last step, if the stepper is selective.
    pub(super) fn last_footprint(&self) -> Option<NumberedFootprint> {
        let selection = self.selection.as_ref();
        selection.map(|selection| selection.last.clone())
    }
}

impl Stepper<'_> {
    /// Returns the controls of the threads that are alive after a step that changes this.
    pub(super) fn controls_after(&mut self, delta: &Delta) -> Vec<Control> {
        let Some(selection) = &mut self.selection else {
            return Vec::new();
        };
        let store = self.base.memory.store;
        let mut controls = Vec::new();
        for number in 0..delta.thread_count {
            let moved = delta.threads.iter().find(|(other, _)| *other == number);
            let stored = moved.map(|&(_, stored)| stored);
            let stored = stored.or_else(|| self.base.stored_thread(number as usize));
            let alive = self.machine.threads.identity(number as usize).is_alive();
            if let Some(stored) = stored.filter(|_| alive) {
                controls.push(selection.controls.of(store, number, stored));
            }
        }
        controls
    }

    /// Drops, in the state that a step leads to, what no thread will read in atomics, as far as was
    /// observed.
    pub(super) fn drop_unused(&mut self, delta: &Delta) {
        let Some(selection) = &mut self.selection else {
            return;
        };
        let machine = &mut self.machine;
        if machine.history.accesses().locations().is_empty() || !selection.view.drops_unused() {
            return;
        }
        let memory = &machine.memory;
        let mut is_unused = |thread: u32, place: &HistoryPlace, access: Access, until: u32| {
            let moved = delta.threads.iter().find(|(number, _)| *number == thread);
            let stored = moved.map(|&(_, stored)| stored);
            let Some(stored) = stored.or_else(|| self.base.stored_thread(thread as usize)) else {
                return false;
            };
            let control = selection.controls.of(memory.store, thread, stored);
            let mut footprint = Footprint::default();
            let writes = access == Access::Write;
            footprint.add(in_memory(
                memory,
                place.address(),
                place.bytes.into(),
                writes,
            ));
            let number = selection.view.number(&footprint);
            selection
                .view
                .assume_unused((until, number, &footprint), control)
        };
        let history = machine.history.accesses_mut();
        let mut shorter = HappensBefore::clone(history);
        if shorter.drop_unused(&mut is_unused) {
            *history = Arc::new(shorter);
        }
    }
}

impl Selection<'_> {
    /// Notes where a transition of the present step leads the threads.
    pub(super) fn note_moves(&mut self, thread: u32, delta: &Delta, base: &Base<'_>) {
        let store = base.memory.store;
        let Some(stored) = base.stored_thread(thread as usize) else {
            return;
        };
        let from = self.controls.of(store, thread, stored);
        let mut moved: SmallVec<[(u32, Id); 2]> = delta.threads.iter().copied().collect();
        if !moved.iter().any(|&(number, _)| number == thread) {
            moved.push((thread, stored));
        }
        for (number, stored) in moved {
            let known = base.stored_thread(number as usize);
            let known = known.filter(|_| base.threads[number as usize].is_alive());
            let before = known.map_or(from, |stored| self.controls.of(store, number, stored));
            let after = self.controls.of(store, number, stored);
            let own = known.is_none() || number == thread;
            let restarts = known.is_none()
                && base.stored_thread(number as usize).is_some()
                && !Thread::decode(store.get(stored)).frames.is_empty();
            let leads =
                number == thread || restarts || known.is_some() && before.spot != after.spot;
            if before != after || leads {
                self.moves.push(Move {
                    before,
                    after,
                    own,
                    leads,
                });
            }
        }
    }

    /// Observes the last step, a thread's, with its footprint and the moves that were noted.
    fn observe(&mut self, thread: usize, base: &Base<'_>) {
        let (store, stored) = (base.memory.store, base.stored_threads[thread]);
        let from = self.controls.of(store, thread as u32, stored);
        let number = self.last.number;
        self.view.observe(from, None, number);
        let nothing = self.view.number(&Footprint::default());
        for Move {
            before,
            after,
            own,
            leads,
        } in self.moves.drain(..)
        {
            // What the step waits for, the other threads need not wait for.
            let footprint = if own { number } else { nothing };
            let is_new = self.view.observe(before, Some(after), footprint);
            // Whether a number was in use before depends on more than the control.
            if leads && (is_new || before.thread != after.thread) {
                self.view.observe_move(before, after);
            }
        }
    }

    /// Observes that the last step, a thread's, goes on to another control.
    pub(super) fn observe_on(&mut self, thread: usize, last: Id, base: &Base<'_>) {
        let (store, stored) = (base.memory.store, base.stored_threads[thread]);
        let from = self.controls.of(store, thread as u32, stored);
        let to = self.controls.of(store, thread as u32, last);
        self.view.observe(from, Some(to), self.last.number);
        self.view.observe_move(from, to);
    }

    /// Observes a step that is taken from the step cache.
    pub(super) fn observe_again(
        &mut self,
        thread: usize,
        footprint: &NumberedFootprint,
        outcomes: &[Outcome],
        base: &Base<'_>,
    ) {
        self.moves.clear();
        self.last = footprint.clone();
        for outcome in outcomes {
            self.note_moves(thread as u32, &outcome.delta, base);
        }
        self.observe(thread, base);
    }
}
