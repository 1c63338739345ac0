//! Breadth-first search: level by level, on several threads, with the result of one.
//!
//! Every state has a *rank*, its number in the order in which a sequential breadth-first search
//! finds it. The place of a state is the least transition that leads to it, by the rank of the
//! source and then by ordinal; the order of places is the order of ranks. So the threads only have
//! to agree on the minimum of the places of each state, which does not depend on who comes first.
//! The search then sorts the level by place, which gives its states their ranks, and begins the
//! next level. A place of an earlier level is less than any place of a later one, so states of
//! earlier levels need no care.
//!
//! The search checks for faults, hangs, omissions and the limit on states after each block of a
//! level, and for that on values of inputs. The size of a block does not depend on the number of
//! threads either.
//!
//! *Memory.* Eight bytes a state for its place, four for each state of the frontier. Ranks are not
//! stored: sorting the places recovers them when a path is wanted.

mod explorer;
mod reduction;

use crate::findings::{Findings, OMISSIONS, Place, ROOT};
use crate::live_statistics::LiveStatistics;
use crate::liveness::{CandidateViolation, EarlyViolation, OpenSections, SearchContext, drained};
use crate::outcome::{Outcome, Statistics, Verdict};
use crate::search::{Search, Strategy, Superseded};
use explorer::{Begin, Block, CHUNK, Common, Explorer, Successors};
use impasse_limits::StopReason;
use impasse_store::{Id, Memory};
use impasse_transition_system::Path;
use impasse_transition_system::{Key, TransitionSystem};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::OnceCell;
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering::Relaxed;

/// States between two checks of what was found.
const BLOCK: usize = 1 << 16;
/// The same where the values of inputs are tried and their number is bounded: each state may have
/// many successors.
const BLOCK_OF_INPUTS: usize = 1 << 8;
/// States that a refuted search finds at least before it begins again.
const BEFORE_RESTART: u64 = 1 << 8;
/// States that one thread sorts faster than several.
const SORTED_ALONE: usize = 1 << 13;
/// States for each further thread, at least.
const SHARE: usize = 32;

/// Visits every state that matters, and looks for hangs if `hangs` is set.
pub(crate) fn search<S: TransitionSystem + ?Sized>(
    search: &Search<'_, S>,
    hangs: bool,
) -> Outcome<S> {
    match search.system.reduces() {
        true => reduction::search_where_it_pays(search, hangs),
        false => search_from(search, Begin::Initial, hangs, Successors::All),
    }
}

fn search_from<S: TransitionSystem + ?Sized>(
    search: &Search<'_, S>,
    begin: Begin<'_>,
    hangs: bool,
    successors: Successors,
) -> Outcome<S> {
    let idle = LiveStatistics::new();
    let mut explorers = vec![Explorer::new(search.system, successors)];
    loop {
        if let Begin::Initial = begin {
            let reduced = successors == Successors::Reduced;
            search.system.begin_search(reduced, true);
        }
        let common = Common::new(
            search,
            begin,
            successors,
            search.live_statistics.unwrap_or(&idle),
            hangs.then(|| OpenSections::new(search.noted, &search.backing())),
        );
        let mut run = Run {
            explorers,
            roots: Vec::new(),
            threads: search.threads,
            pool: OnceCell::new(),
            common,
            findings: Findings::default(),
            omissions: Vec::new(),
            depth: 0,
            refuted_at: None,
            noted_may_hang: false,
            superseded: search.superseded,
        };
        let end = run.levels();
        if matches!(end, End::Refuted) || run.withdraws(&end) {
            run.common.live_statistics.begin_again();
            explorers = run.explorers;
            explorers.iter_mut().for_each(Explorer::forget);
            continue;
        }
        return run.outcome(end);
    }
}

/// A search, as the thread that conducts it sees it.
struct Run<'a, S: TransitionSystem + ?Sized> {
    common: Common<'a, S>,
    explorers: Vec<Explorer<S>>,
    /// The initial states.
    roots: Vec<Id>,
    threads: NonZeroUsize,
    /// The threads, once they are needed.
    pool: OnceCell<ThreadPool>,
    findings: Findings<S>,
    omissions: Vec<S::Omission>,
    depth: u64,
    /// How many states there were when it turned out that too few transitions are explored.
    refuted_at: Option<u64>,
    noted_may_hang: bool,
    superseded: Option<&'a Superseded<'a>>,
}

/// The threads of a search, started when they are first needed.
fn pool(started: &OnceCell<ThreadPool>, threads: NonZeroUsize) -> &ThreadPool {
    started.get_or_init(|| {
        let builder = ThreadPoolBuilder::new().num_threads(threads.get());
        builder.build().expect("threads can be started")
    })
}

/// Why the search ended.
enum End<F> {
    Exhausted,
    Fault(F, PathTo),
    Hang(Key, PathTo),
    Stopped(StopReason),
    /// Too few transitions were explored: the search must begin again.
    Refuted,
}

/// The path to a finding.
struct PathTo {
    /// The last transition that the search has found itself.
    place: Place,
    /// The ordinals of the transitions after it.
    suffix: Vec<u32>,
}

impl From<Place> for PathTo {
    fn from(place: Place) -> Self {
        let suffix = Vec::new();
        PathTo { place, suffix }
    }
}

impl<S: TransitionSystem + ?Sized> Run<'_, S> {
    fn levels(&mut self) -> End<S::Fault> {
        self.explorers[0].initial(&self.common);
        if let Some(end) = self.check_findings(&[]) {
            return end;
        }
        let mut first_rank = ROOT + 1;
        let mut frontier = self.next_frontier();
        self.roots = frontier.to_vec();
        while !frontier.is_empty() {
            self.common.live_statistics.depth.store(self.depth, Relaxed);
            if let Some(end) = self.level(&frontier, first_rank) {
                return end;
            }
            if self.is_refuted(false) && self.has_learned_enough() {
                return End::Refuted;
            }
            first_rank += frontier.len() as u32;
            frontier = self.next_frontier();
            self.depth += u64::from(!frontier.is_empty());
        }
        if self.is_refuted(true) {
            return End::Refuted;
        }
        let hang = self.hang(true);
        let hang = hang.or_else(|| self.check_noted());
        self.unless_cancelled(hang).unwrap_or(End::Exhausted)
    }

    /// Returns whether too few transitions are explored. What the search `claims` rests on the
    /// answer.
    fn is_refuted(&mut self, claims: bool) -> bool {
        let common = &self.common;
        let reduced = common.successors == Successors::Reduced;
        if matches!(common.begin, Begin::Initial) && common.system.revise(reduced, claims) {
            self.refuted_at.get_or_insert(self.findings.states);
        }
        self.refuted_at.is_some()
    }

    /// Returns whether the search has found something that hangs, and the system withdraws what
    /// that rests on.
    fn withdraws(&self, end: &End<S::Fault>) -> bool {
        let hangs = match end {
            End::Hang(..) => true,
            End::Fault(fault, _) => S::is_deadlock(fault),
            _ => self.noted_may_hang,
        };
        // What was found from drained states, the search that drained them asks about.
        let may_begin_again = matches!(self.common.begin, Begin::Initial);
        hangs && may_begin_again && self.common.system.withdraw()
    }

    /// Returns whether a refuted search begins again now: it goes on until it has found as much
    /// again, so that the next search knows more.
    fn has_learned_enough(&self) -> bool {
        let refuted_at = self.refuted_at.unwrap_or(u64::MAX);
        self.findings.states > refuted_at.saturating_mul(2).saturating_add(BEFORE_RESTART)
    }

    /// Expands the states of a level, block by block.
    fn level(&mut self, frontier: &[Id], first_rank: u32) -> Option<End<S::Fault>> {
        let mut done = 0;
        while done < frontier.len() {
            let left = self.common.bounds.states_left(self.findings.states) as usize;
            let most = match self.common.bounds.limits_inputs(self.common.system) {
                true => BLOCK_OF_INPUTS,
                false => BLOCK,
            };
            let size = left.clamp(CHUNK, most).min(frontier.len() - done);
            let block = &frontier[done..done + size];
            self.expand(block, first_rank, first_rank + done as u32);
            done += size;
            self.common.waiting(frontier.len(), done, self.discovered());
            if let Some(end) = self.check_findings(block) {
                return Some(end);
            }
        }
        None
    }

    /// Expands a block of states on as many threads as pay off.
    fn expand(&mut self, states: &[Id], level: u32, first_rank: u32) {
        let threads = states.len().div_ceil(SHARE).min(self.threads.get());
        while self.explorers.len() < threads {
            let explorer = Explorer::new(self.common.system, self.common.successors);
            self.explorers.push(explorer);
        }
        let block = &Block::new(states, level, first_rank, threads);
        let common = &self.common;
        let (first, others) = self
            .explorers
            .split_first_mut()
            .expect("there is always one");
        if others[..threads - 1].is_empty() {
            return first.expand(common, block);
        }
        let pool = pool(&self.pool, self.threads);
        pool.in_place_scope(|scope| {
            for explorer in &mut others[..threads - 1] {
                scope.spawn(move |_| explorer.expand(common, block));
            }
            first.expand(common, block);
        });
    }

    /// Collects what the threads have found. Returns whether the search ends. `recent` are the
    /// states expanded last.
    fn check_findings(&mut self, recent: &[Id]) -> Option<End<S::Fault>> {
        for explorer in &mut self.explorers {
            self.findings.absorb(&mut explorer.findings);
        }
        for reason in std::mem::take(&mut self.findings.omissions) {
            self.omit(reason);
        }
        if let Some(sections) = &mut self.common.sections {
            sections.forget();
        }
        if let Some((fault, place)) = self.findings.fault.take() {
            return Some(End::Fault(fault, place.into()));
        }
        if let Some(reason) = self.common.bounds.cancel().reason() {
            return Some(End::Stopped(reason));
        }
        let bounds = &self.common.bounds;
        let limit = bounds.check_states(self.findings.states);
        let limit = limit.or_else(|| bounds.check_inputs(self.common.system, self.findings.inputs));
        let due = self.findings.stuck || self.common.hang_check_is_due(self.findings.states);
        // While too few transitions are explored, a hang may not be one.
        let hang = match (limit.is_some() || due) && !self.is_refuted(true) {
            true => self.hang(false),
            false => None,
        };
        let early = match (&hang, limit) {
            (None, None) => self.early_hang(due, recent),
            _ => None,
        };
        let end = hang.or(early).or(limit.map(End::Stopped));
        let end = end.or_else(|| self.superseded());
        self.unless_cancelled(end)
    }

    /// Stops the search if another one has the answer.
    fn superseded(&self) -> Option<End<S::Fault>> {
        let ask = self.superseded?;
        ask(self.findings.states).then_some(End::Stopped(StopReason::Superseded))
    }

    /// What was found, unless the search was cancelled meanwhile: then the system may have omitted
    /// transitions.
    fn unless_cancelled(&self, end: Option<End<S::Fault>>) -> Option<End<S::Fault>> {
        match self.common.bounds.cancel().reason() {
            Some(reason) => Some(End::Stopped(reason)),
            None => end,
        }
    }

    /// Returns the nearest hang that is certain now, if the search looks for hangs, or what the
    /// search from the drained states of candidate violations finds.
    fn hang(&mut self, exhausted: bool) -> Option<End<S::Fault>> {
        let (sections, mut context) = self.search_context()?;
        context.exhausted = exhausted;
        let mut candidates = sections.check(&mut context);
        candidates.sort_unstable();
        let mut worker = self.common.system.worker();
        let violation = candidates.iter().find(|candidate| {
            let state = self.common.states.get(candidate.state);
            drained::count(self.common.system, &mut worker, state) == 0
        });
        match violation {
            Some(violation) => Some(End::Hang(violation.section, violation.place.into())),
            None if candidates.is_empty() => self.divergence(),
            None => self.drain(&candidates).or_else(|| self.divergence()),
        }
    }

    /// The nearest state from which only silent transitions can ever be taken, if the search looks
    /// for hangs.
    fn divergence(&mut self) -> Option<End<S::Fault>> {
        let (sections, mut context) = self.search_context()?;
        let place = sections.divergent(&mut context)?;
        Some(End::Hang(Key::PROGRAM, place.into()))
    }

    /// Searches from the drained states of candidate violations. Returns what it finds.
    fn drain(&mut self, candidates: &[CandidateViolation]) -> Option<End<S::Fault>> {
        let (common, system) = (&self.common, self.common.system);
        let states = candidates
            .iter()
            .map(|candidate| common.states.get(candidate.state).to_vec());
        let states: Vec<Vec<u8>> = states.collect();
        let search = Search {
            system,
            strategy: Strategy::LivenessFixpoint,
            noted: common.sections.as_ref().and_then(OpenSections::noted),
            threads: self.threads,
            max_states: Some(common.bounds.states_left(self.findings.states)),
            max_inputs: None,
            cancel: common.bounds.cancel(),
            live_statistics: Some(common.live_statistics),
            disk: common.disk,
            superseded: None,
        };
        let outcome = search_from(&search, Begin::Drained(&states), true, Successors::All);
        common.used(common.own_bytes() + outcome.statistics.bytes);
        self.findings.states += outcome.statistics.states;
        self.findings.transitions += outcome.statistics.transitions;
        self.findings.terminal += outcome.statistics.terminal;
        self.depth = self.depth.max(outcome.statistics.depth);
        outcome
            .omissions
            .into_iter()
            .for_each(|reason| self.omit(reason));
        let path_to = |path: Path| {
            let (first, suffix) = path.ordinals().split_first().expect("an initial state");
            let (index, ordinal) = drained::origin(system, &states, *first);
            let suffix = [&[ordinal], suffix].concat();
            let place = candidates[index].place;
            PathTo { place, suffix }
        };
        self.noted_may_hang |= outcome.noted_may_hang;
        match outcome.verdict {
            Verdict::Exhausted => {
                let sections = self.common.sections.as_mut();
                sections?.refute(candidates.iter().map(|candidate| candidate.state));
                None
            }
            Verdict::Fault { fault, path } => Some(End::Fault(fault, path_to(path))),
            Verdict::Hang { section, path } => Some(End::Hang(section, path_to(path))),
            Verdict::Stopped(reason) => Some(End::Stopped(reason)),
        }
    }

    /// Decides whether the noted section may never end. Returns what the search from the drained
    /// states of candidates finds, if these must decide.
    fn check_noted(&mut self) -> Option<End<S::Fault>> {
        let (sections, mut context) = self.search_context()?;
        if sections.noted_never_ends() {
            self.noted_may_hang = true;
            return None;
        }
        let mut candidates = sections.noted_candidates(&mut context);
        candidates.sort_unstable();
        let nearest = context.states.get(candidates.first()?.state);
        match drained::count(context.system, context.workers[0], nearest) {
            0 => self.noted_may_hang = true,
            _ => return self.drain(&candidates),
        }
        None
    }

    fn omit(&mut self, reason: S::Omission) {
        if self.omissions.len() < OMISSIONS && !self.omissions.contains(&reason) {
            self.omissions.push(reason);
        }
    }

    /// Returns a hang that the fixpoint cannot show yet, if a local search or a random walk that is
    /// due finds one.
    fn early_hang(&mut self, check_is_due: bool, recent: &[Id]) -> Option<End<S::Fault>> {
        let states = self.findings.states;
        let sections = self.common.sections.as_ref()?;
        if !check_is_due && !sections.walks_are_due(states) {
            return None;
        }
        let (sections, mut context) = self.search_context()?;
        context.recent = recent;
        let found = match check_is_due {
            true => sections.search_locally(&mut context),
            false => None,
        };
        let EarlyViolation {
            section,
            place,
            suffix,
        } = found.or_else(|| sections.walk(&mut context))?;
        Some(End::Hang(section, PathTo { place, suffix }))
    }

    /// The open sections and the search, if it looks for hangs.
    fn search_context<'k>(&'k mut self) -> Option<(&'k mut OpenSections, SearchContext<'k, S>)> {
        let Common {
            sections,
            states,
            places,
            system,
            successors,
            backing,
            ..
        } = &mut self.common;
        let sections = sections.as_mut()?;
        let workers = self.explorers.iter_mut();
        let context = SearchContext {
            system: *system,
            states,
            places,
            backing,
            count: self.findings.states,
            exhausted: false,
            reduced: *successors == Successors::Reduced,
            roots: &self.roots,
            recent: &[],
            workers: workers.map(Explorer::worker).collect(),
            noted: sections.noted(),
        };
        Some((sections, context))
    }

    fn discovered(&self) -> usize {
        self.explorers
            .iter()
            .map(|explorer| explorer.discovered.len())
            .sum()
    }

    /// The states found on this level, in the order of their places.
    fn next_frontier(&mut self) -> Memory<Id> {
        if self.common.disk.is_some() {
            return self.next_frontier_on_disk();
        }
        let common = &self.common;
        let placed = |id| (common.place(id), id);
        let unplaced = |(_, id): (Place, Id)| id;
        let found = |explorer: &mut Explorer<S>| std::mem::take(&mut explorer.discovered);
        let frontier: Vec<Id> = if self.sorts_alone() {
            let found = self.explorers.iter_mut().flat_map(found);
            let mut placed: Vec<(Place, Id)> = found.map(placed).collect();
            // Stable because that is fast on the long sorted runs that each thread leaves.
            placed.sort_by_key(|&(place, _)| place);
            placed.into_iter().map(unplaced).collect()
        } else {
            let explorers = &mut self.explorers;
            pool(&self.pool, self.threads).install(|| {
                let found = explorers.par_iter_mut().flat_map(found);
                let mut placed: Vec<(Place, Id)> = found.map(placed).collect();
                placed.par_sort_by_key(|&(place, _)| place);
                placed.into_par_iter().map(unplaced).collect()
            })
        };
        frontier.into_boxed_slice().into()
    }

    /// The same where states lie on disk: what is sorted lies there too.
    fn next_frontier_on_disk(&mut self) -> Memory<Id> {
        let length = self.discovered();
        let alone = self.sorts_alone();
        let common = &self.common;
        let found = self.explorers.iter_mut();
        let found = found.flat_map(|explorer| std::mem::take(&mut explorer.discovered));
        let mut placed: Memory<[u64; 2]> = common.backing.zeroed(length);
        for (entry, id) in placed.iter_mut().zip(found) {
            *entry = [common.place(id).0, id.0.into()];
        }
        match alone {
            true => placed.sort_unstable(),
            false => pool(&self.pool, self.threads).install(|| placed.par_sort_unstable()),
        }
        let mut frontier: Memory<Id> = common.backing.zeroed(length);
        for (state, &[_, id]) in frontier.iter_mut().zip(&*placed) {
            *state = Id(id as u32);
            common.rank(*state);
        }
        frontier
    }

    /// Whether one thread sorts the states found.
    fn sorts_alone(&self) -> bool {
        self.discovered() < SORTED_ALONE || self.threads.get() == 1
    }

    fn outcome(self, end: End<S::Fault>) -> Outcome<S> {
        let bytes = self.common.peak_bytes();
        self.common.live_statistics.bytes.store(bytes, Relaxed);
        let states = match end {
            // States that only a local search or a walk has reached were visited too.
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
        let path = |common: Common<'_, S>, to: PathTo| {
            Path::new([common.into_ordinals(to.place), to.suffix].concat())
        };
        let verdict = match end {
            End::Exhausted => Verdict::Exhausted,
            End::Refuted => unreachable!("the search begins again"),
            End::Stopped(reason) => Verdict::Stopped(reason),
            End::Fault(fault, to) => Verdict::Fault {
                fault,
                path: path(self.common, to),
            },
            End::Hang(section, to) => Verdict::Hang {
                section,
                path: path(self.common, to),
            },
        };
        Outcome {
            verdict,
            omissions: self.omissions,
            noted_may_hang: self.noted_may_hang,
            statistics,
        }
    }
}
