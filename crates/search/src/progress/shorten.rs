//! Shorter ways to a hang that a random walk has found.
//!
//! A walk takes many steps that have nothing to do with where it ends. So some of the steps are left out, first all of
//! one label (a label says who moves, see [`Edge`](crate::Edge)), then fewer and fewer that follow each other, of one
//! label or of any: the labels that are left are followed again, as far as each is possible. Where the section cannot end
//! from the state that this leads to either, it is the way from then on. Zeller and Hildebrandt ("Simplifying and Isolating Failure-Inducing
//! Input", 2002) make inputs smaller so.
//!
//! *Cost*: no step is taken twice, and no more altogether than half as many as the search knows states and some thousands; when these are
//! spent no more is tried.

use super::picker::{Choice, Pick, Picked, pick};
use super::sections::Known;
use super::walk::{Step, TrapOfWalk, Walk};
use impasse_store::Id;
use impasse_transition_system::TransitionSystem;
use rustc_hash::FxHashMap;

/// For how many of the states known a step is taken, at most, and how many steps beyond that.
const SHARE: u64 = 2;
const STEPS: u64 = 1 << 11;
/// States that are expanded to find out whether the section can end after a way that was tried: mostly it comes soon to where
/// that is known.
const REGION: usize = 1 << 5;
/// How many times a step is followed again, at most.
const FOLLOWED: usize = 1 << 17;

/// A way to a state from which the section of a trap cannot end, given one; not longer, and mostly shorter.
pub(super) fn shorten<S: TransitionSystem + ?Sized>(
    known: &mut Known<'_, S>,
    walk: Walk,
    trap: &mut TrapOfWalk,
) -> Walk {
    let spent = trap.expanded;
    let mut shortening = Shortening {
        trap,
        targets: FxHashMap::default(),
        limit: spent + STEPS + known.count / SHARE,
        steps_left: FOLLOWED,
        best: walk,
    };
    shortening.leave_out_labels(known);
    let mut size = shortening.best.steps.len().div_ceil(2);
    while size > 0 {
        shortening.leave_out_runs(known, size);
        size /= 2;
    }
    shortening.best
}

struct Shortening<'t> {
    trap: &'t mut TrapOfWalk,
    /// Where the first transition with a label leads from a state, if there is any, as far as that was looked at.
    targets: FxHashMap<(Id, u32), Option<Id>>,
    /// How many states the trap may have expanded at the end; those expanded here count too.
    limit: u64,
    steps_left: usize,
    best: Walk,
}

impl Shortening<'_> {
    /// Tries to do without all steps of a label.
    fn leave_out_labels<S: TransitionSystem + ?Sized>(&mut self, known: &mut Known<'_, S>) {
        for label in self.labels() {
            self.leave_out(known, |_, step| step.label == label);
        }
    }

    /// Tries to do without so many steps of each label that follow each other, and of all steps, from the end on.
    fn leave_out_runs<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        size: usize,
    ) {
        for label in self.labels().into_iter().map(Some).chain([None]) {
            let is_of = |step: &Step| label.is_none_or(|label| step.label == label);
            let mut last = self.best.steps.len();
            while last > 0 && !self.is_spent() {
                let steps = self.best.steps[..last].iter().enumerate().rev();
                let run = steps.filter(|(_, step)| is_of(step)).take(size);
                let Some(first) = run.last().map(|(index, _)| index) else {
                    break;
                };
                self.leave_out(known, |index, step| {
                    (first..last).contains(&index) && is_of(step)
                });
                last = first.min(self.best.steps.len());
            }
        }
    }

    /// The labels of the way, each once.
    fn labels(&self) -> Vec<u32> {
        let mut labels: Vec<u32> = self.best.steps.iter().map(|step| step.label).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    fn is_spent(&self) -> bool {
        self.trap.expanded >= self.limit || self.steps_left == 0
    }

    /// Tries to do without some steps.
    fn leave_out<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        without: impl Fn(usize, &Step) -> bool,
    ) {
        let steps = self.best.steps.iter().enumerate();
        let kept = steps.filter(|(index, step)| !without(*index, step));
        let labels: Vec<u32> = kept.map(|(_, step)| step.label).collect();
        let Some(walk) = self.follow(known, &labels) else {
            return;
        };
        let left = self.limit.saturating_sub(self.trap.expanded);
        if walk.steps.len() < self.best.steps.len()
            && self
                .trap
                .hangs(known, walk.end(), REGION.min(left as usize))
        {
            self.best = walk;
        }
    }

    /// The walk of the first transitions with some labels, where there are such.
    fn follow<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        labels: &[u32],
    ) -> Option<Walk> {
        let root = self.best.root;
        let mut walk = Walk {
            root,
            steps: Vec::with_capacity(labels.len()),
        };
        for &label in labels {
            if self.is_spent() {
                return None;
            }
            self.steps_left -= 1;
            let target = self.target(known, walk.end(), label);
            walk.steps
                .extend(target.map(|target| Step { label, target }));
        }
        Some(walk)
    }

    /// Where the first transition with a label leads, if there is any but those of chance; nowhere if that ends the program.
    fn target<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        state: Id,
        label: u32,
    ) -> Option<Id> {
        let trap = &mut *self.trap;
        *self.targets.entry((state, label)).or_insert_with(|| {
            trap.expanded += 1;
            match pick(known, state, Choice::Label(label)) {
                Picked::Transition(Pick {
                    target,
                    ended: Some(_),
                    ..
                }) => Some(target),
                _ => None,
            }
        })
    }
}
