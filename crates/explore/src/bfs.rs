//! Breadth-first search: level by level, on several threads, with the result of one.
//!
//! Every state has a *rank*, its number in the order in which a sequential breadth-first search finds
//! it. The place of a state is the least transition that leads to it, by the rank of the source and
//! then by ordinal; states in the order of their places are states in the order of their ranks. So
//! all that threads must agree on is, for each state, the minimum of its places, which does not
//! depend on who comes first. A level is then sorted by place, which gives its
//! states their ranks, and the next level begins. A place of an earlier level is less than
//! any of a later one, so that states of earlier levels need no care.
//!
//! That a state with place p is found in the level after p's source follows by induction: sources of
//! lesser rank are in the same level or an earlier one, and a level is finished before the next begins.
//!
//! Faults, omissions and limits on the number of states are looked at after each block of a level, whose
//! size does not depend on the number of threads either.
//!
//! Memory: eight bytes a state for its place, four for each state of the frontier. Ranks are
//! not stored: sorting the places gives them back when a path is wanted.

use crate::findings::{Findings, OMISSIONS, Place};
use crate::limits::Watch;
use crate::meter::Meter;
use crate::outcome::{Outcome, Statistics, StopReason, Verdict};
use crate::path::Path;
use crate::search::Search;
use crate::system::{Edge, Sink, TransitionSystem};
use impasse_store::{Batch, Column, Id, Interner};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// States between two looks at what was found.
const BLOCK: usize = 1 << 16;
/// States that a thread takes at a time.
const CHUNK: usize = 64;
/// Transitions whose targets are looked up together.
const BATCH: usize = 256;
/// The rank of what comes before the initial states.
const ROOT: u32 = 0;

pub(crate) fn search<S: TransitionSystem + ?Sized>(search: &Search<'_, S>) -> Outcome<S> {
    let idle = Meter::new();
    let common = Common {
        system: search.system,
        watch: Watch::new(&search.limits, search.interrupt),
        meter: search.meter.unwrap_or(&idle),
        states: Interner::new(),
        places: Column::new(),
        frontier_bytes: AtomicU64::new(0),
        stop: AtomicBool::new(false),
    };
    let mut run = Run {
        explorers: vec![Explorer::new(search.system)],
        threads: search.threads,
        common,
        findings: Findings::default(),
        omissions: Vec::new(),
        depth: 0,
    };
    let end = run.levels();
    run.outcome(end)
}

/// What all threads of a search share.
struct Common<'a, S: TransitionSystem + ?Sized> {
    system: &'a S,
    watch: Watch<'a>,
    meter: &'a Meter,
    states: Interner,
    /// The least place of each state, by its id; inverted, so that "none" is the zero of a fresh cell.
    places: Column<AtomicU64>,
    frontier_bytes: AtomicU64,
    stop: AtomicBool,
}

/// One thread's share of a search.
struct Explorer<S: TransitionSystem + ?Sized> {
    worker: S::Worker,
    findings: Findings<S>,
    discovered: Vec<Id>,
    reached: Reached,
    stopped: Option<StopReason>,
}

/// Targets of transitions that are yet to be looked up, and the transitions' places.
#[derive(Default)]
struct Reached {
    targets: Batch,
    places: Vec<Place>,
}

/// A search in the hands of the thread that conducts it.
struct Run<'a, S: TransitionSystem + ?Sized> {
    common: Common<'a, S>,
    explorers: Vec<Explorer<S>>,
    threads: NonZeroUsize,
    findings: Findings<S>,
    omissions: Vec<S::Omission>,
    depth: u64,
}

/// Why the levels came to an end.
enum End<F> {
    Exhausted,
    Fault(F, Place),
    Stopped(StopReason),
}

impl<S: TransitionSystem + ?Sized> Run<'_, S> {
    fn levels(&mut self) -> End<S::Fault> {
        self.explorers[0].initial(&self.common);
        if let Some(end) = self.look() {
            return end;
        }
        let mut first_rank = ROOT + 1;
        let mut frontier = self.next_frontier();
        while !frontier.is_empty() {
            self.common.meter.depth.store(self.depth, Relaxed);
            if let Some(end) = self.level(&frontier, first_rank) {
                return end;
            }
            first_rank += frontier.len() as u32;
            frontier = self.next_frontier();
            self.depth += u64::from(!frontier.is_empty());
        }
        End::Exhausted
    }

    /// Expands the states of a level, block by block.
    fn level(&mut self, frontier: &[Id], first_rank: u32) -> Option<End<S::Fault>> {
        let mut done = 0;
        while done < frontier.len() {
            let left = self.common.watch.states_left(self.findings.states) as usize;
            let size = left.clamp(CHUNK, BLOCK).min(frontier.len() - done);
            let block = Block {
                states: &frontier[done..done + size],
                first_rank: first_rank + done as u32,
                next: AtomicUsize::new(0),
            };
            self.expand(&block);
            done += size;
            let waiting = frontier.len() - done + self.discovered();
            self.common.meter.waiting.store(waiting as u64, Relaxed);
            self.common.frontier_bytes.store(
                (frontier.len() * 4 + self.discovered() * 20) as u64,
                Relaxed,
            );
            if let Some(end) = self.look() {
                return Some(end);
            }
        }
        None
    }

    /// Expands a block on as many threads as it is worth.
    fn expand(&mut self, block: &Block<'_>) {
        let useful = block
            .states
            .len()
            .div_ceil(2 * CHUNK)
            .min(self.threads.get());
        while self.explorers.len() < useful {
            self.explorers.push(Explorer::new(self.common.system));
        }
        let common = &self.common;
        let (first, others) = self
            .explorers
            .split_first_mut()
            .expect("there is always one");
        thread::scope(|scope| {
            for explorer in &mut others[..useful - 1] {
                scope.spawn(move || explorer.expand(common, block));
            }
            first.expand(common, block);
        });
    }

    /// Takes stock of what was found, and tells whether to end.
    fn look(&mut self) -> Option<End<S::Fault>> {
        let mut stopped = None;
        for explorer in &mut self.explorers {
            self.findings.absorb(&mut explorer.findings);
            stopped = stopped.or(explorer.stopped);
        }
        for reason in std::mem::take(&mut self.findings.omissions) {
            if self.omissions.len() < OMISSIONS && !self.omissions.contains(&reason) {
                self.omissions.push(reason);
            }
        }
        if let Some((fault, place)) = self.findings.fault.take() {
            return Some(End::Fault(fault, place));
        }
        let stopped = stopped.or_else(|| self.common.watch.check_states(self.findings.states));
        stopped.map(End::Stopped)
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
            placed.extend(
                explorer
                    .discovered
                    .drain(..)
                    .map(|id| (self.common.place(id), id)),
            );
        }
        // Stable because that is fast on the long sorted runs that each thread leaves.
        placed.sort_by_key(|&(place, _)| place);
        placed.into_iter().map(|(_, id)| id).collect()
    }

    fn outcome(self, end: End<S::Fault>) -> Outcome<S> {
        let statistics = Statistics {
            states: self.findings.states,
            transitions: self.findings.transitions,
            depth: self.depth,
            terminal: self.findings.terminal,
            bytes: self.common.bytes(),
            elapsed: self.common.watch.elapsed(),
        };
        let verdict = match end {
            End::Exhausted => Verdict::Exhausted,
            End::Stopped(reason) => Verdict::Stopped(reason),
            End::Fault(fault, place) => Verdict::Fault {
                fault,
                path: self.common.into_path(place),
            },
        };
        Outcome {
            verdict,
            omissions: self.omissions,
            statistics,
        }
    }
}

impl<S: TransitionSystem + ?Sized> Common<'_, S> {
    /// Notes a transition that leads to a state.
    #[inline]
    fn reached(&self, id: Id, place: Place) {
        let cell = self.places.cell(id.0);
        let inverted = !place.0;
        if cell.load(Relaxed) < inverted {
            cell.fetch_max(inverted, Relaxed);
        }
    }

    fn place(&self, id: Id) -> Place {
        Place(!self.places.cell(id.0).load(Relaxed))
    }

    fn bytes(&self) -> u64 {
        let states = self.states.len() as u64;
        let places = states * size_of::<AtomicU64>() as u64;
        self.states.bytes() + places + self.frontier_bytes.load(Relaxed) + self.system.bytes()
    }

    /// The path that ends with the transition at `last`.
    fn into_path(self, last: Place) -> Path {
        let Common { states, places, .. } = self;
        // Only what was ranked before matters; the states themselves are given up to make room.
        let mut by_rank: Vec<Place> = states
            .ids()
            .map(|id| Place(!places.cell(id.0).load(Relaxed)))
            .filter(|place| place.source() < last.source())
            .collect();
        drop((states, places));
        by_rank.sort_unstable();
        let mut ordinals = vec![last.ordinal()];
        let mut rank = last.source();
        while rank != ROOT {
            let place = by_rank[rank as usize - 1];
            ordinals.push(place.ordinal());
            rank = place.source();
        }
        ordinals.reverse();
        Path::new(ordinals)
    }
}

/// A part of a level, to be shared out.
struct Block<'a> {
    states: &'a [Id],
    first_rank: u32,
    next: AtomicUsize,
}

impl<S: TransitionSystem + ?Sized> Explorer<S> {
    fn new(system: &S) -> Self {
        Explorer {
            worker: system.worker(),
            findings: Findings::default(),
            discovered: Vec::new(),
            reached: Reached::default(),
            stopped: None,
        }
    }

    fn initial(&mut self, common: &Common<'_, S>) {
        let (worker, mut sink) = self.sink(ROOT);
        common.system.initial(worker, &mut sink);
        self.resolve(common);
        common.meter.states.fetch_add(self.findings.states, Relaxed);
    }

    /// Expands chunks of the block until none is left.
    fn expand(&mut self, common: &Common<'_, S>, block: &Block<'_>) {
        while !common.stop.load(Relaxed) {
            let start = block.next.fetch_add(CHUNK, Relaxed);
            if start >= block.states.len() {
                return;
            }
            let end = (start + CHUNK).min(block.states.len());
            let before = (self.findings.states, self.findings.transitions);
            // All looked up before the first is needed, so that the waits for memory overlap.
            let mut chunk: [&[u8]; CHUNK] = [&[]; CHUNK];
            for (state, &id) in chunk.iter_mut().zip(&block.states[start..end]) {
                *state = common.states.get(id);
            }
            for (index, state) in (start..end).zip(chunk) {
                self.expand_state(common, state, block.first_rank + index as u32);
            }
            self.resolve(common);
            let meter = common.meter;
            meter
                .states
                .fetch_add(self.findings.states - before.0, Relaxed);
            meter
                .transitions
                .fetch_add(self.findings.transitions - before.1, Relaxed);
            let bytes = common.bytes();
            meter.bytes.store(bytes, Relaxed);
            self.stopped = common.watch.check(bytes);
            if self.stopped.is_some() {
                common.stop.store(true, Relaxed);
                return;
            }
        }
    }

    fn expand_state(&mut self, common: &Common<'_, S>, state: &[u8], rank: u32) {
        let (worker, mut sink) = self.sink(rank);
        common.system.successors(worker, state, &mut sink);
        let transitions = sink.ordinal;
        self.findings.transitions += u64::from(transitions);
        self.findings.terminal += u64::from(transitions == 0);
        if self.reached.places.len() >= BATCH {
            self.resolve(common);
        }
    }

    /// Looks up the targets reached, and notes those that are new.
    fn resolve(&mut self, common: &Common<'_, S>) {
        let Reached { targets, places } = &mut self.reached;
        let mut places = places.drain(..);
        common.states.intern_batch(targets, |interned| {
            let place = places.next().expect("each target has a place");
            common.reached(interned.id, place);
            if interned.new {
                self.discovered.push(interned.id);
                self.findings.states += 1;
            }
        });
    }

    fn sink(&mut self, source: u32) -> (&mut S::Worker, LevelSink<'_, S>) {
        let Explorer {
            worker,
            findings,
            reached,
            ..
        } = self;
        (
            worker,
            LevelSink {
                findings,
                reached,
                source,
                ordinal: 0,
            },
        )
    }
}

/// Takes the transitions of one state.
struct LevelSink<'s, S: TransitionSystem + ?Sized> {
    findings: &'s mut Findings<S>,
    reached: &'s mut Reached,
    source: u32,
    ordinal: u32,
}

impl<S: TransitionSystem + ?Sized> LevelSink<'_, S> {
    fn next_place(&mut self) -> Place {
        let place = Place::new(self.source, self.ordinal);
        self.ordinal += 1;
        place
    }
}

impl<S: TransitionSystem + ?Sized> Sink<S> for LevelSink<'_, S> {
    fn edge(&mut self, edge: Edge<'_>) {
        let place = self.next_place();
        self.reached.targets.push(edge.target);
        self.reached.places.push(place);
    }

    fn fault(&mut self, fault: S::Fault) {
        let place = self.next_place();
        self.findings.fault(fault, place);
    }

    fn omission(&mut self, reason: S::Omission) {
        self.findings.omission(reason);
    }
}
