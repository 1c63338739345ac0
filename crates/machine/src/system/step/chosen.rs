//! Sets of threads that may be explored alone: no other thread may do anything that conflicts with
//! their next steps.

use super::Stepper;
use super::candidates::{Candidate, Candidates};
use crate::machine::footprint::{Accessed, Footprint, Touched};
use crate::machine::futures::{Control, Member, NumberedFootprint};
use impasse_program::address::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// Threads that may be explored alone, by their indices among the candidates.
#[derive(Default)]
pub(super) struct Chosen {
    pub threads: SmallVec<[usize; 4]>,
    /// Of each what of its step's footprint other threads may access: nothing in it conflicts with
    /// the future of one that was not chosen.
    pub footprints: SmallVec<[NumberedFootprint; 4]>,
    /// Words in memory that no thread accesses that was not chosen, before the thread has ended
    /// that comes with them: so it cannot reach what else the step of this thread accesses.
    pub apart: Vec<(usize, NumberedFootprint)>,
}

impl<'s> Stepper<'s> {
    /// Returns the least set of threads that has this one and every thread whose future conflicts
    /// with the next step of one in the set, or that one in the set waits for. `None` if that is
    /// more than `most` threads, or not known, or no thread in it can move.
    pub(super) fn persistent_set(
        &mut self,
        seed: usize,
        most: usize,
        candidates: &mut Candidates<'s>,
    ) -> Option<Chosen> {
        let mut chosen = Chosen::default();
        chosen.threads.push(seed);
        let mut next = 0;
        loop {
            while let Some(&index) = chosen.threads.get(next) {
                next += 1;
                self.execute(index, candidates);
                let candidate = candidates.get(index);
                let footprint = Arc::clone(&candidate.footprint.footprint);
                if candidate.preempted || footprint.opaque.is_some() || footprint.holds {
                    return None;
                }
                let awaited = footprint.awaits.filter(|_| candidate.blocked);
                for other in candidates.others(&chosen.threads) {
                    let thread = candidates.order[other] as u32;
                    if awaited == Some(thread)
                        || footprint.touches_record(thread)
                        || self.meets(index, other, candidates)
                    {
                        chosen.threads.push(other);
                    }
                }
                if chosen.threads.len() > most {
                    return None;
                }
            }
            self.add_who_reaches(&mut chosen, candidates);
            if chosen.threads.len() > most {
                return None;
            }
            if next == chosen.threads.len() {
                break;
            }
        }
        let mut threads = chosen.threads.iter();
        let can_move = threads.any(|&index| !candidates.get(index).blocked);
        can_move.then_some(chosen)
    }

    /// Returns whether another thread may access, from what it holds itself, what conflicts with a
    /// thread's step.
    fn meets(&mut self, index: usize, other: usize, candidates: &mut Candidates<'s>) -> bool {
        let control = candidates.controls[other];
        let whole = candidates.get(index).footprint.clone();
        if !self.conflicts(candidates.member(index, &whole), control) {
            return false;
        }
        let bare = self.bare(index, candidates);
        if whole.accessed.is_empty() || self.conflicts(candidates.member(index, &bare), control) {
            return true;
        }
        let (part, _) = self.within_reach(index, &[other], candidates);
        self.conflicts(candidates.member(index, &part), control)
    }

    /// Adds the threads whose futures conflict with the step of one that was chosen, as far as
    /// those that were not chosen can reach what it accesses together.
    fn add_who_reaches(&mut self, chosen: &mut Chosen, candidates: &mut Candidates<'s>) {
        let others = candidates.others(&chosen.threads);
        (chosen.footprints, chosen.apart) = Default::default();
        for index in chosen.threads.clone() {
            let whole = candidates.get(index).footprint.clone();
            let meets = |stepper: &mut Self, part: &NumberedFootprint, other: usize| {
                let member = candidates.member(index, part);
                stepper.conflicts(member, candidates.controls[other])
            };
            // In most cases no more is to be known.
            if !others.iter().any(|&other| meets(self, &whole, other)) {
                chosen.footprints.push(whole);
                continue;
            }
            let (part, apart) = self.within_reach(index, &others, candidates);
            for &other in &others {
                if !chosen.threads.contains(&other) && meets(self, &part, other) {
                    chosen.threads.push(other);
                }
            }
            chosen.footprints.push(part);
            chosen
                .apart
                .extend(apart.into_iter().map(|word| (index, word)));
        }
    }

    fn conflicts(&mut self, member: Member<'_>, control: Control) -> bool {
        let selection = self.selection.as_mut().expect("a selective stepper");
        selection.view.conflicts(member, control)
    }

    /// Returns the footprint of a thread's step without its accesses to objects that are known.
    fn bare(&mut self, index: usize, candidates: &mut Candidates<'s>) -> NumberedFootprint {
        let selection = self.selection.as_mut().expect("a selective stepper");
        let candidate = candidates.known[index].as_mut().expect("it was executed");
        let Candidate {
            footprint: step,
            bare,
            ..
        } = candidate;
        let make = || {
            let mut rest = Footprint::clone(&step.footprint);
            let is_known = |touched| step.accessed.iter().any(|(access, _)| *access == touched);
            rest.touched.retain(|guarded| !is_known(guarded.touched));
            selection.view.numbered(rest, Accessed::default())
        };
        bare.get_or_insert_with(make).clone()
    }

    /// Returns what of the footprint of a thread's step these other threads together can reach, and
    /// the words in memory that they do not access, so that they cannot reach more.
    fn within_reach(
        &mut self,
        index: usize,
        others: &[usize],
        candidates: &Candidates<'s>,
    ) -> (NumberedFootprint, Vec<NumberedFootprint>) {
        let step = candidates.get(index).footprint.clone();
        let selection = self.selection.as_mut().expect("a selective stepper");
        let (base, view) = (&self.base, &mut selection.view);
        if !selection.holders.learn(base, &mut self.canonicaliser) {
            return (step, Vec::new());
        }
        let holders = &selection.holders;
        let is_other = |thread: u32| {
            let alive = candidates.order.iter().position(|&n| n as u32 == thread);
            alive.is_none_or(|index| others.contains(&index))
        };
        let thread = candidates.order[index] as u32;
        let mut may_access = |touched: &Touched| {
            let mut word = Footprint::default();
            word.add(*touched);
            let member = (thread, view.number(&word), &word);
            let mut others = others.iter().map(|&other| candidates.controls[other]);
            others.any(|control| view.uses(member, control))
        };
        let mut reached: FxHashMap<ObjectId, Option<SmallVec<[Touched; 4]>>> = FxHashMap::default();
        let mut words = FxHashSet::default();
        let mut rest = Footprint::clone(&step.footprint);
        rest.touched.retain(|guarded| {
            let objects = step
                .accessed
                .iter()
                .filter(|(touched, _)| *touched == guarded.touched);
            let mut objects = objects.map(|(_, object)| *object).peekable();
            if objects.peek().is_none() {
                return true;
            }
            let apart: Option<Vec<_>> = objects
                .map(|object| {
                    let apart = reached.entry(object).or_insert_with(|| {
                        if !base.memory.exists(object) {
                            return None;
                        }
                        holders.words_apart(&base.memory, object, is_other, &mut may_access)
                    });
                    apart.clone()
                })
                .collect();
            words.extend(apart.iter().flatten().flatten().copied());
            apart.is_none()
        });
        let mut words: Vec<Touched> = words.into_iter().collect();
        words.sort_unstable();
        let alone = |touched| {
            let mut word = Footprint::default();
            word.add(touched);
            view.numbered(word, Accessed::default())
        };
        let words = words.into_iter().map(alone).collect();
        (view.numbered(rest, Accessed::default()), words)
    }
}
