//! The region of a violation that a random walk has found.

use super::context::SearchContext;
use super::drained;
use super::execution::Execution;
use super::region::Region;
use impasse_store::Id;
use impasse_transition_system::{Key, TransitionSystem};

/// What is reachable from states of an execution without ending a section, for those states from
/// which the section cannot end.
pub(super) struct ViolationRegion {
    pub(super) section: Key,
    region: Region,
    /// What expansions have cost so far.
    pub(super) cost: u64,
}

impl ViolationRegion {
    /// The empty region.
    pub(super) fn new(section: Key) -> Self {
        ViolationRegion {
            section,
            region: Region::empty(section),
            cost: 0,
        }
    }

    /// Whether the section is open in `state` and can never end from there. Returns false if it
    /// would cost more than `limit` to decide that. If true, the region keeps what
    /// is reachable, so that it need not be explored again.
    pub(super) fn hangs<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        state: Id,
        limit: usize,
    ) -> bool {
        let (system, store) = (context.system, context.states);
        let worker = &mut *context.workers[0];
        let mut open = Vec::new();
        system.open_sections(worker, store.get(state), &mut open);
        let is_open = open.contains(&self.section);
        if !is_open || drained::count(system, worker, store.get(state)) > 0 {
            return false;
        }
        let before = self.region.mark();
        let number = self.region.include(state);
        let cost = self.region.cost();
        self.region.explore(system, worker, store, cost + limit);
        self.cost += (self.region.cost() - cost) as u64;
        let hangs = self.region.hangs(number);
        if !hangs {
            self.region.reset(before);
        }
        hangs
    }

    /// Returns the number of steps to the first state of `execution` from which the section, open
    /// since step `since`, cannot end, as far as expansions that cost `limit` decide that. The
    /// section must not be able to end from the last state.
    pub(super) fn first_hanging<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        execution: &Execution,
        since: usize,
        limit: u64,
    ) -> usize {
        let limit = self.cost + limit;
        let (mut low, mut high, mut back) = (since, execution.steps.len(), 1);
        let mut hangs = |steps| {
            let left = limit.saturating_sub(self.cost);
            self.hangs(context, execution.state(steps), left as usize)
        };
        while low < high {
            let earlier = high.saturating_sub(back).max(low);
            if !hangs(earlier) {
                low = earlier + 1;
                break;
            }
            high = earlier;
            back *= 2;
        }
        while low < high {
            let middle = low.midpoint(high);
            match hangs(middle) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        high
    }
}
