//! Breadth-first search: level by level, on several threads, with the result of one.
//!
//! Every state has a *rank*, its number in the order in which a sequential breadth-first search
//! finds it. The place of a state is the least transition that leads to it, by the rank of the
//! source and then by ordinal; states in the order of their places are states in the order of their
//! ranks. So all that threads must agree on is, for each state, the minimum of its places, which
//! does not depend on who comes first. A level is then sorted by place, which gives its states
//! their ranks, and the next level begins. A place of an earlier level is less than any of a later
//! one, so that states of earlier levels need no care.
//!
//! Faults, hangs, omissions and limits on the number of states are looked at after each block of a
//! level, whose size does not depend on the number of threads either.
//!
//! Memory: eight bytes a state for its place, four for each state of the frontier. Ranks are
//! not stored: sorting the places gives them back when a path is wanted.

mod explorer;

use crate::findings::{Findings, OMISSIONS, Place, ROOT};
use crate::meter::Meter;
use crate::outcome::{Outcome, Statistics, Verdict};
use crate::progress::{Doubt, Early, Known, Sections, doubts};
use crate::search::{Search, Strategy};
use explorer::{Begin, Block, CHUNK, Common, Explorer};
use impasse_limits::StopReason;
use impasse_store::Id;
use impasse_transition_system::Path;
use impasse_transition_system::{Key, TransitionSystem};
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

/// States between two looks at what was found.
const BLOCK: usize = 1 << 16;
/// States for which it is worth to wake up one more thread.
const SHARE: usize = 32;

/// Visits every state; looks for hangs too, if asked to.
pub(crate) fn search<S: TransitionSystem + ?Sized>(
    search: &Search<'_, S>,
    hangs: bool,
) -> Outcome<S> {
    search_from(search, Begin::Initial, hangs)
}

fn search_from<S: TransitionSystem + ?Sized>(
    search: &Search<'_, S>,
    begin: Begin<'_>,
    hangs: bool,
) -> Outcome<S> {
    let idle = Meter::new();
    let common = Common::new(
        search,
        begin,
        search.meter.unwrap_or(&idle),
        hangs.then(|| Sections::new(search.apart)),
    );
    let mut run = Run {
        explorers: vec![Explorer::new(search.system)],
        roots: Vec::new(),
        threads: search.threads,
        common,
        findings: Findings::default(),
        omissions: Vec::new(),
        depth: 0,
        endless: false,
    };
    let end = run.levels();
    run.outcome(end)
}

/// A search in the hands of the thread that conducts it.
struct Run<'a, S: TransitionSystem + ?Sized> {
    common: Common<'a, S>,
    explorers: Vec<Explorer<S>>,
    /// The initial states.
    roots: Vec<Id>,
    threads: NonZeroUsize,
    findings: Findings<S>,
    omissions: Vec<S::Omission>,
    depth: u64,
    /// Whether the section that is noted may never end.
    endless: bool,
}

/// Why the levels came to an end.
enum End<F> {
    Exhausted,
    Fault(F, Way),
    Hang(Key, Way),
    Stopped(StopReason),
}

/// How to get to something.
struct Way {
    /// The last transition among those that the search places itself.
    place: Place,
    /// The choices after it.
    then: Vec<u32>,
}

impl From<Place> for Way {
    fn from(place: Place) -> Self {
        let then = Vec::new();
        Way { place, then }
    }
}

impl<S: TransitionSystem + ?Sized> Run<'_, S> {
    fn levels(&mut self) -> End<S::Fault> {
        self.explorers[0].initial(&self.common);
        if let Some(end) = self.look(&[]) {
            return end;
        }
        let mut first_rank = ROOT + 1;
        let mut frontier = self.next_frontier();
        self.roots.clone_from(&frontier);
        while !frontier.is_empty() {
            self.common.meter.depth.store(self.depth, Relaxed);
            if let Some(end) = self.level(&frontier, first_rank) {
                return end;
            }
            first_rank += frontier.len() as u32;
            frontier = self.next_frontier();
            self.depth += u64::from(!frontier.is_empty());
        }
        let hang = self.hang(true);
        let end = self.unless_cancelled(hang).unwrap_or(End::Exhausted);
        if let End::Exhausted = end {
            self.endless = self.find_endless();
        }
        end
    }

    /// Expands the states of a level, block by block.
    fn level(&mut self, frontier: &[Id], first_rank: u32) -> Option<End<S::Fault>> {
        let mut done = 0;
        while done < frontier.len() {
            let left = self.common.bounds.states_left(self.findings.states) as usize;
            let size = left.clamp(CHUNK, BLOCK).min(frontier.len() - done);
            let block = &frontier[done..done + size];
            self.expand(block, first_rank, first_rank + done as u32);
            done += size;
            self.common.waiting(frontier.len(), done, self.discovered());
            if let Some(end) = self.look(block) {
                return Some(end);
            }
        }
        None
    }

    /// Expands a block of states on as many threads as it is worth.
    fn expand(&mut self, states: &[Id], level: u32, first_rank: u32) {
        let threads = states.len().div_ceil(SHARE).min(self.threads.get());
        while self.explorers.len() < threads {
            self.explorers.push(Explorer::new(self.common.system));
        }
        let block = &Block::new(states, level, first_rank, threads);
        let common = &self.common;
        let (first, others) = self
            .explorers
            .split_first_mut()
            .expect("there is always one");
        thread::scope(|scope| {
            for explorer in &mut others[..threads - 1] {
                scope.spawn(move || explorer.expand(common, block));
            }
            first.expand(common, block);
        });
    }

    /// Takes stock of what was found, and tells whether to end; `recent` are the states that were expanded last.
    fn look(&mut self, recent: &[Id]) -> Option<End<S::Fault>> {
        for explorer in &mut self.explorers {
            self.findings.absorb(&mut explorer.findings);
        }
        for reason in std::mem::take(&mut self.findings.omissions) {
            self.omit(reason);
        }
        if let Some((fault, place)) = self.findings.fault.take() {
            return Some(End::Fault(fault, place.into()));
        }
        if let Some(reason) = self.common.bounds.cancel().reason() {
            return Some(End::Stopped(reason));
        }
        let limit = self.common.bounds.check_states(self.findings.states);
        let due = self.findings.stuck || self.common.hang_check_is_due(self.findings.states);
        let hang = if limit.is_some() || due {
            self.hang(false)
        } else {
            None
        };
        let early = match (&hang, limit) {
            (None, None) => self.early_hang(due, recent),
            _ => None,
        };
        let end = hang.or(early).or(limit.map(End::Stopped));
        self.unless_cancelled(end)
    }

    /// What was found, unless the search was cancelled meanwhile: the system may have left
    /// something out.
    fn unless_cancelled(&self, end: Option<End<S::Fault>>) -> Option<End<S::Fault>> {
        match self.common.bounds.cancel().reason() {
            Some(reason) => Some(End::Stopped(reason)),
            None => end,
        }
    }

    /// The nearest of the hangs that can be told already, if hangs are looked for; or what else is found
    /// where nothing is left to chance.
    fn hang(&mut self, exhausted: bool) -> Option<End<S::Fault>> {
        let (sections, mut known) = self.hang_check()?;
        known.exhausted = exhausted;
        let mut doubts = sections.decide(&mut known);
        doubts.sort_unstable();
        let mut worker = self.common.system.worker();
        let certain = doubts.iter().find(|doubt| {
            let state = self.common.states.get(doubt.state);
            doubts::settled(self.common.system, &mut worker, state) == 0
        });
        match certain {
            Some(doubt) => Some(End::Hang(doubt.section, doubt.place.into())),
            None if doubts.is_empty() => self.divergence(),
            None => self.drain(&doubts).or_else(|| self.divergence()),
        }
    }

    /// The nearest state from which only silent transitions can ever be taken, if hangs are looked
    /// for.
    fn divergence(&mut self) -> Option<End<S::Fault>> {
        let (sections, known) = self.hang_check()?;
        let place = sections.divergent(&known)?;
        Some(End::Hang(Key::PROGRAM, place.into()))
    }

    /// Searches from what states in doubt settle to: what is found, if anything is.
    fn drain(&mut self, doubts: &[Doubt]) -> Option<End<S::Fault>> {
        let (common, system) = (&self.common, self.common.system);
        let states = doubts
            .iter()
            .map(|doubt| common.states.get(doubt.state).to_vec());
        let states: Vec<Vec<u8>> = states.collect();
        let search = Search {
            system,
            strategy: Strategy::Hangs,
            apart: common.sections.as_ref().and_then(Sections::apart),
            threads: self.threads,
            max_states: Some(common.bounds.states_left(self.findings.states)),
            cancel: common.bounds.cancel(),
            meter: Some(common.meter),
        };
        let outcome = search_from(&search, Begin::Settled(&states), true);
        common.used(common.own_bytes() + outcome.statistics.bytes);
        self.findings.states += outcome.statistics.states;
        self.findings.transitions += outcome.statistics.transitions;
        self.findings.terminal += outcome.statistics.terminal;
        self.depth = self.depth.max(outcome.statistics.depth);
        outcome
            .omissions
            .into_iter()
            .for_each(|reason| self.omit(reason));
        let way = |path: Path| {
            let (first, then) = path.ordinals().split_first().expect("an initial state");
            let (index, ordinal) = doubts::origin(system, &states, *first);
            let then = [&[ordinal], then].concat();
            let place = doubts[index].place;
            Way { place, then }
        };
        match outcome.verdict {
            Verdict::Exhausted => {
                let sections = self.common.sections.as_mut();
                sections?.clear(doubts.iter().map(|doubt| doubt.state));
                None
            }
            Verdict::Fault { fault, path } => Some(End::Fault(fault, way(path))),
            Verdict::Hang { section, path } => Some(End::Hang(section, way(path))),
            Verdict::Stopped(reason) => Some(End::Stopped(reason)),
        }
    }

    /// Whether the section that is noted may never end.
    fn find_endless(&mut self) -> bool {
        let Some((sections, mut known)) = self.hang_check() else {
            return false;
        };
        sections.endless(&mut known)
    }

    fn omit(&mut self, reason: S::Omission) {
        if self.omissions.len() < OMISSIONS && !self.omissions.contains(&reason) {
            self.omissions.push(reason);
        }
    }

    /// A hang that the search cannot tell yet, if a walk finds one, or a probe, if these are due.
    fn early_hang(&mut self, probes_are_due: bool, recent: &[Id]) -> Option<End<S::Fault>> {
        let states = self.findings.states;
        let sections = self.common.sections.as_ref()?;
        if !probes_are_due && !sections.walks_are_due(states) {
            return None;
        }
        let (sections, mut known) = self.hang_check()?;
        known.recent = recent;
        let probed = match probes_are_due {
            true => sections.probe(&mut known),
            false => None,
        };
        let Early {
            section,
            place,
            then,
        } = probed.or_else(|| sections.walk(&mut known))?;
        Some(End::Hang(section, Way { place, then }))
    }

    /// What looking for hangs needs.
    fn hang_check<'k>(&'k mut self) -> Option<(&'k mut Sections, Known<'k, S>)> {
        let Common {
            sections,
            states,
            places,
            system,
            ..
        } = &mut self.common;
        let sections = sections.as_mut()?;
        let workers = self.explorers.iter_mut();
        let known = Known {
            system: *system,
            states,
            places,
            count: self.findings.states,
            exhausted: false,
            roots: &self.roots,
            recent: &[],
            workers: workers.map(Explorer::worker).collect(),
            apart: sections.apart(),
        };
        Some((sections, known))
    }

    fn discovered(&self) -> usize {
        self.explorers
            .iter()
            .map(|explorer| explorer.discovered.len())
            .sum()
    }

    /// The states found in this level, in the order of their places.
    fn next_frontier(&mut self) -> Vec<Id> {
        let mut placed: Vec<(Place, Id)> = Vec::with_capacity(self.discovered());
        for explorer in &mut self.explorers {
            let found = explorer.discovered.drain(..);
            placed.extend(found.map(|id| (self.common.place(id), id)));
        }
        // Stable because that is fast on the long sorted runs that each thread leaves.
        placed.sort_by_key(|&(place, _)| place);
        placed.into_iter().map(|(_, id)| id).collect()
    }

    fn outcome(self, end: End<S::Fault>) -> Outcome<S> {
        let bytes = self.common.peak_bytes();
        self.common.meter.bytes.store(bytes, Relaxed);
        let states = match end {
            // Those that only a probe has come to were visited too.
            End::Hang(..) => self.findings.states.max(self.common.states.len() as u64),
            _ => self.findings.states,
        };
        let statistics = Statistics {
            states,
            transitions: self.findings.transitions,
            depth: self.depth,
            terminal: self.findings.terminal,
            bytes,
            elapsed: self.common.bounds.elapsed(),
        };
        let path = |common: Common<'_, S>, way: Way| {
            Path::new([common.into_ordinals(way.place), way.then].concat())
        };
        let verdict = match end {
            End::Exhausted => Verdict::Exhausted,
            End::Stopped(reason) => Verdict::Stopped(reason),
            End::Fault(fault, way) => Verdict::Fault {
                fault,
                path: path(self.common, way),
            },
            End::Hang(section, way) => Verdict::Hang {
                section,
                path: path(self.common, way),
            },
        };
        Outcome {
            verdict,
            omissions: self.omissions,
            endless: self.endless,
            statistics,
        }
    }
}
