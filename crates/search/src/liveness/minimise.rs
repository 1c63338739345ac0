//! Counterexample minimisation: shorter paths to a hang that a random walk has found.
//!
//! Most steps of a walk do not matter for where it ends. Minimisation removes steps: first all
//! steps of one label (the machine labels a transition with its thread), then shorter and shorter
//! runs of steps, of one label or of any. It then executes the remaining labels again, as far as
//! each has a transition. If the section cannot end from the resulting state either, this is the
//! new path. This is delta debugging: A. Zeller, R. Hildebrandt, *Simplifying and Isolating
//! Failure-Inducing Input*, IEEE Transactions on Software Engineering 28(2), 2002, section 3
//! (ddmin).
//!
//! *Cost.* No transition is computed twice. Minimisation expands at most half as many states as the
//! search has found, and some thousands more; then it keeps the best path so far.

use super::context::SearchContext;
use super::execution::{Execution, Step};
use super::sampler::{Sample, Sampled, Selection, sample};
use super::violation_region::ViolationRegion;
use impasse_store::Id;
use impasse_transition_system::TransitionSystem;
use rustc_hash::FxHashMap;

/// States found for each state that may be expanded, and states that may be expanded beyond that.
const SHARE: u64 = 2;
const STEPS: u64 = 1 << 11;
/// States that are expanded to decide whether the section can end after a candidate path. Most such
/// paths soon reach a state for which this is known.
const REGION: usize = 1 << 5;
/// Steps that are executed again, at most.
const REPLAYED: usize = 1 << 17;

/// Returns a path to a state from which the section of `region` cannot end, given one. The result
/// is at most as long, and mostly shorter.
pub(super) fn minimise<S: TransitionSystem + ?Sized>(
    context: &mut SearchContext<'_, S>,
    execution: Execution,
    region: &mut ViolationRegion,
) -> Execution {
    let spent = region.cost;
    let mut minimisation = Minimisation {
        region,
        targets: FxHashMap::default(),
        limit: spent + STEPS + context.count / SHARE,
        steps_left: REPLAYED,
        best: execution,
    };
    minimisation.remove_labels(context);
    let mut size = minimisation.best.steps.len().div_ceil(2);
    while size > 0 {
        minimisation.remove_runs(context, size);
        size /= 2;
    }
    minimisation.best
}

struct Minimisation<'t> {
    region: &'t mut ViolationRegion,
    /// By state and label: the target of the first such transition, if there is one.
    targets: FxHashMap<(Id, u32), Option<Id>>,
    /// What the region's expansions may have cost in the end, including those made here.
    limit: u64,
    steps_left: usize,
    best: Execution,
}

impl Minimisation<'_> {
    /// Tries to remove all steps of each label.
    fn remove_labels<S: TransitionSystem + ?Sized>(&mut self, context: &mut SearchContext<'_, S>) {
        for label in self.labels() {
            self.remove(context, |_, step| step.label == label);
        }
    }

    /// Tries to remove runs of `size` consecutive steps of each label, and of all steps, from the
    /// end.
    fn remove_runs<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
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
                self.remove(context, |index, step| {
                    (first..last).contains(&index) && is_of(step)
                });
                last = first.min(self.best.steps.len());
            }
        }
    }

    /// The labels of the best path, each once.
    fn labels(&self) -> Vec<u32> {
        let mut labels: Vec<u32> = self.best.steps.iter().map(|step| step.label).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    fn is_spent(&self) -> bool {
        self.region.cost >= self.limit || self.steps_left == 0
    }

    /// Tries to remove the steps for which `is_removed` holds.
    fn remove<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        is_removed: impl Fn(usize, &Step) -> bool,
    ) {
        let steps = self.best.steps.iter().enumerate();
        let kept = steps.filter(|(index, step)| !is_removed(*index, step));
        let labels: Vec<u32> = kept.map(|(_, step)| step.label).collect();
        let Some(execution) = self.replay(context, &labels) else {
            return;
        };
        let left = self.limit.saturating_sub(self.region.cost);
        if execution.steps.len() < self.best.steps.len()
            && self
                .region
                .hangs(context, execution.end(), REGION.min(left as usize))
        {
            self.best = execution;
        }
    }

    /// Executes the first transition with each of some labels, where there is one. Returns `None`
    /// if the budget is spent.
    fn replay<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        labels: &[u32],
    ) -> Option<Execution> {
        let root = self.best.root;
        let mut execution = Execution {
            root,
            steps: Vec::with_capacity(labels.len()),
        };
        for &label in labels {
            if self.is_spent() {
                return None;
            }
            self.steps_left -= 1;
            let target = self.target(context, execution.end(), label);
            execution
                .steps
                .extend(target.map(|target| Step { label, target }));
        }
        Some(execution)
    }

    /// The target of the first transition with a label that is no non-progress edge; `None` if
    /// there is none, or if it ends the program.
    fn target<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        state: Id,
        label: u32,
    ) -> Option<Id> {
        let region = &mut *self.region;
        *self.targets.entry((state, label)).or_insert_with(|| {
            region.cost += 1;
            match sample(context, state, Selection::Label(label)) {
                Sampled::Transition(Sample {
                    target,
                    ended: Some(_),
                    ..
                }) => Some(target),
                _ => None,
            }
        })
    }
}
