//! Early hangs: the traps of suspects, explored by themselves.
//!
//! Breadth-first, the trap of a hang near the start is known entirely only when the search has got to
//! its deepest states, which may be nearly all that there are: all that other threads can do meanwhile
//! belongs to the trap. So each time the fixpoint is computed, another one is, in which states that are not
//! expanded count as *not* able to end anything. A pair inside that one can end for certain; pairs
//! outside of both say nothing yet: *suspects*. Of each section the nearest suspect is probed: what can be
//! reached from it without ending the section is explored by itself, as far as the allowance goes, and
//! further the next time.
//!
//! *A hang that a probe tells is one*: its region is closed (all that leaves its states has been
//! followed, and leads into it or ends the section), and the least fixpoint inside of it does not hold its
//! first state; what lies outside can be reached only by ending the section. A transition that was
//! omitted counts as an end, and a region in which a fault can happen, other than that nothing can go on, is left to the search,
//! which finds the fault by a shortest path. What a probe finds is never used otherwise, so that it cannot hide a hang or a fault.
//!
//! *The nearest suspects are the likeliest*: a section that can end mostly does so within a few steps, so its
//! first suspects soon stop being any, while those of a hang stay. A section that takes long (a thread
//! waits for another one that has much to do) looks the same; hence the allowance, of which each suspect
//! gets half of what is left. Altogether probes expand no more than a twentieth as many states as the search has
//! found, and some hundreds. The states that they come to are put into the search's own store, where it finds them
//! when it gets there.
//!
//! *Determinism*: suspects are ordered by their places and explored each in an order of its own, with an
//! allowance that depends on the number of states alone, so the number of threads does not matter.

use super::doubts::settled;
use super::region::Region;
use super::sections::Known;
use crate::findings::Place;
use impasse_store::{Id, Interner};
use impasse_transition_system::{Key, TransitionSystem};
use rustc_hash::FxHashSet;
use std::thread;

/// Suspects that are probed at the same time.
const PROBES: usize = 4;
/// One in so many states may be expanded once more by probes.
const SHARE: u64 = 20;
/// States that probes may expand beyond that, at most, and for how many states one.
const HEAD_START: u64 = 1 << 9;
const HEAD_START_SHARE: u64 = 8;

/// A section open in a state that is expanded, and not known to be able to end nor not to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Suspect {
    pub(super) state: Id,
    pub(super) section: Key,
    pub(super) place: Place,
}

/// The probes of a search.
#[derive(Default)]
pub(crate) struct Probes {
    running: Vec<Probe>,
    /// What was probed in vain: the section can end, or a fault is in its way.
    cleared: FxHashSet<(Id, Key)>,
    /// States expanded so far.
    spent: u64,
}

struct Probe {
    suspect: Suspect,
    region: Region,
    /// States that it may have expanded when it rests next.
    limit: usize,
}

/// What a probe says of its suspect.
enum Finding {
    Hangs,
    Cleared,
    Unknown,
}

impl Probes {
    /// Whether a pair need not be suspected any more.
    pub(super) fn has_cleared(&self, state: Id, section: Key) -> bool {
        self.cleared.contains(&(state, section))
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.running.iter().map(|probe| probe.region.bytes()).sum()
    }

    /// Probes the first of the suspects, which are ordered by place; returns the nearest of those that hang.
    pub(super) fn run<S: TransitionSystem + ?Sized>(
        &mut self,
        known: &mut Known<'_, S>,
        suspects: &[Suspect],
    ) -> Option<Suspect> {
        self.running
            .retain(|probe| suspects.contains(&probe.suspect));
        for &suspect in suspects {
            // What is left to chance is not a probe's business.
            let state = known.states.get(suspect.state);
            if settled(known.system, known.workers[0], state) > 0 {
                self.cleared.insert((suspect.state, suspect.section));
                continue;
            }
            let is_free = self.running.len() < PROBES;
            if is_free && self.running.iter().all(|probe| probe.suspect != suspect) {
                let region = Region::new(suspect.state, suspect.section);
                self.running.push(Probe {
                    suspect,
                    region,
                    limit: 0,
                });
            }
        }
        self.running.sort_by_key(|probe| probe.suspect.place);
        self.allow(known.count);
        let before = self.expanded();
        explore(known, &mut self.running);
        self.spent += self.expanded() - before;
        let mut hanging = None;
        let cleared = &mut self.cleared;
        self.running.retain(|probe| match probe.finding() {
            Finding::Unknown => true,
            Finding::Cleared => {
                cleared.insert((probe.suspect.state, probe.suspect.section));
                false
            }
            Finding::Hangs => {
                hanging.get_or_insert(probe.suspect);
                true
            }
        });
        hanging
    }

    /// Shares out what may be expanded: to each probe half of what is left.
    fn allow(&mut self, states: u64) {
        let allowance = states / SHARE + HEAD_START.min(states / HEAD_START_SHARE);
        let mut left = allowance.saturating_sub(self.spent);
        for probe in &mut self.running {
            let share = left.div_ceil(2);
            probe.limit = probe.region.expanded() + share as usize;
            left -= share;
        }
    }

    fn expanded(&self) -> u64 {
        let regions = self.running.iter().map(|probe| &probe.region);
        regions.map(|region| region.expanded() as u64).sum()
    }
}

/// Lets each probe go to its limit.
fn explore<S: TransitionSystem + ?Sized>(known: &mut Known<'_, S>, probes: &mut [Probe]) {
    let (system, store, workers) = (known.system, known.states, &mut known.workers);
    // The first has the longest way to go: it has a thread for itself, if there are several.
    let turns = workers.len();
    let mut shares: Vec<Vec<&mut Probe>> = (0..turns).map(|_| Vec::new()).collect();
    for (turn, probe) in probes.iter_mut().enumerate() {
        shares[turn.min(turns - 1)].push(probe);
    }
    thread::scope(|scope| {
        let mut shares = shares.into_iter().zip(workers);
        let own = shares.next();
        for (share, worker) in shares.filter(|(share, _)| !share.is_empty()) {
            scope.spawn(move || {
                share
                    .into_iter()
                    .for_each(|probe| probe.explore(system, worker, store))
            });
        }
        if let Some((share, worker)) = own {
            share
                .into_iter()
                .for_each(|probe| probe.explore(system, worker, store));
        }
    });
}

impl Probe {
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
            Finding::Cleared
        } else if region.is_closed() {
            Finding::Hangs
        } else {
            Finding::Unknown
        }
    }
}
