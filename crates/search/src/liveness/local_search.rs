//! Bounded local search: checks candidate violations near the initial states early.
//!
//! A breadth-first search has seen the whole region of a hang near the start only when it reaches
//! the deepest states of the region, and all steps that other threads can take meanwhile belong to
//! it. So each backward fixpoint is computed a second time with a *pessimistic* frontier, from
//! which no section can end. A pair inside this fixpoint can certainly end. A pair outside of both
//! fixpoints is undecided: a candidate violation. For each section a local search explores what is
//! reachable from the nearest candidate without ending the section, as far as its budget allows,
//! and continues the next time.
//!
//! *Claim.* Every hang that a local search reports is one. Its region is closed (every transition
//! of its states leads into the region or ends the section), and the least fixpoint inside the
//! region does not contain its first state. An omitted transition counts as an end. A region in
//! which a fault other than a deadlock can happen is left to the search, which finds the fault on a
//! shortest path. A local search changes nothing else, so it cannot hide a hang or a fault.
//!
//! *Candidates.* Most sections that can end do so within a few steps, so their first candidates
//! soon disappear, while those of a hang stay. A section that takes long looks like a hang; hence
//! the budget, of which each candidate gets half of what is left. Together, local searches expand
//! at most a twentieth as many states as the search has found, and some hundreds, and fewer if
//! these have many transitions. Their states go into the search's own store, where the search finds
//! them later.
//!
//! *Determinism.* Candidates are ordered by place and explored in a fixed order, with a budget that
//! depends on the number of states alone, so the number of threads does not matter.

use super::context::{CandidateViolation, SearchContext};
use super::drained;
use super::region::Region;
use impasse_store::{Id, Interner};
use impasse_transition_system::{Key, TransitionSystem};
use rustc_hash::FxHashSet;
use std::thread;

/// Local searches that run at the same time.
const AT_ONCE: usize = 4;
/// States found for each state that local searches may expand again.
const SHARE: u64 = 20;
/// States that they may expand beyond that, at most, and states found for each of these.
const HEAD_START: u64 = 1 << 9;
const HEAD_START_SHARE: u64 = 8;

/// The local searches of a search.
#[derive(Default)]
pub(crate) struct LocalSearches {
    running: Vec<LocalSearch>,
    /// Candidates that were refuted: the section can end, or a fault can happen before.
    refuted: FxHashSet<(Id, Key)>,
    /// What expansions have cost so far.
    spent: u64,
}

struct LocalSearch {
    candidate: CandidateViolation,
    region: Region,
    /// What its expansions may have cost when it pauses next.
    limit: usize,
}

/// The result of a local search.
enum Finding {
    Confirmed,
    Refuted,
    Undecided,
}

impl LocalSearches {
    /// Whether a candidate was refuted.
    pub(super) fn has_refuted(&self, state: Id, section: Key) -> bool {
        self.refuted.contains(&(state, section))
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let regions = self.running.iter().map(|search| &search.region);
        regions.map(Region::bytes).sum()
    }

    /// Continues the local searches of the first candidates, which are ordered by place. Returns
    /// the nearest confirmed violation.
    pub(super) fn run<S: TransitionSystem + ?Sized>(
        &mut self,
        context: &mut SearchContext<'_, S>,
        candidates: &[CandidateViolation],
    ) -> Option<CandidateViolation> {
        self.running
            .retain(|search| candidates.contains(&search.candidate));
        for &candidate in candidates {
            // A state that is not drained is left to the search.
            let state = context.states.get(candidate.state);
            if drained::count(context.system, context.workers[0], state) > 0 {
                self.refuted.insert((candidate.state, candidate.section));
                continue;
            }
            let is_free = self.running.len() < AT_ONCE;
            if is_free
                && self
                    .running
                    .iter()
                    .all(|search| search.candidate != candidate)
            {
                self.running.push(LocalSearch {
                    candidate,
                    region: Region::new(candidate.state, candidate.section),
                    limit: 0,
                });
            }
        }
        self.running.sort_by_key(|search| search.candidate.place);
        self.set_limits(context.count);
        let before = self.cost();
        explore(context, &mut self.running);
        self.spent += self.cost() - before;
        let mut confirmed = None;
        let refuted = &mut self.refuted;
        self.running.retain(|search| match search.finding() {
            Finding::Undecided => true,
            Finding::Refuted => {
                refuted.insert((search.candidate.state, search.candidate.section));
                false
            }
            Finding::Confirmed => {
                confirmed.get_or_insert(search.candidate);
                true
            }
        });
        confirmed
    }

    /// Divides the budget: each local search gets half of what is left.
    fn set_limits(&mut self, states: u64) {
        let budget = states / SHARE + HEAD_START.min(states / HEAD_START_SHARE);
        let mut left = budget.saturating_sub(self.spent);
        for search in &mut self.running {
            let share = left.div_ceil(2);
            search.limit = search.region.cost() + share as usize;
            left -= share;
        }
    }

    fn cost(&self) -> u64 {
        let regions = self.running.iter().map(|search| &search.region);
        regions.map(|region| region.cost() as u64).sum()
    }
}

/// Continues each local search up to its limit.
fn explore<S: TransitionSystem + ?Sized>(
    context: &mut SearchContext<'_, S>,
    searches: &mut [LocalSearch],
) {
    let (system, store, workers) = (context.system, context.states, &mut context.workers);
    // The first one has the most to expand: it gets a thread of its own if there are several.
    let threads = workers.len();
    let mut shares: Vec<Vec<&mut LocalSearch>> = (0..threads).map(|_| Vec::new()).collect();
    for (index, search) in searches.iter_mut().enumerate() {
        shares[index.min(threads - 1)].push(search);
    }
    thread::scope(|scope| {
        let mut shares = shares.into_iter().zip(workers);
        let own = shares.next();
        for (share, worker) in shares.filter(|(share, _)| !share.is_empty()) {
            scope.spawn(move || {
                share
                    .into_iter()
                    .for_each(|search| search.explore(system, worker, store))
            });
        }
        if let Some((share, worker)) = own {
            share
                .into_iter()
                .for_each(|search| search.explore(system, worker, store));
        }
    });
}

impl LocalSearch {
    fn explore<S: TransitionSystem + ?Sized>(
        &mut self,
        system: &S,
        worker: &mut S::Worker,
        store: &Interner,
    ) {
        self.region.explore(system, worker, store, self.limit);
    }

    fn finding(&self) -> Finding {
        let region = &self.region;
        let can_end = || region.clearly_ends() || region.can_end()[0];
        if region.has_fault() || can_end() {
            Finding::Refuted
        } else if region.is_closed() {
            Finding::Confirmed
        } else {
            Finding::Undecided
        }
    }
}
