//! One thread's share of a breadth-first search, and what it shares with the others.

use crate::bounds::Bounds;
use crate::findings::{Findings, Place, ROOT};
use crate::live_statistics::LiveStatistics;
use crate::liveness::{OpenSections, Recorder};
use crate::search::Search;
use impasse_limits::StopReason;
use impasse_store::{Backing, Batch, Column, Disk, Id, Interner};
use impasse_transition_system::{Branch, Edge, ReducingSink, Sink, TransitionSystem};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// States that a thread takes at a time, at most.
pub(super) const CHUNK: usize = 64;
/// Chunks after which a thread measures the memory in use.
const CHUNKS_COUNTED: usize = 16;
/// Transitions whose targets are looked up together.
const BATCH: usize = 256;
/// The same where states are looked for in files, in which near ones should be read together.
const BATCH_IN_FILES: usize = 1 << 16;

/// Where a search begins.
#[derive(Clone, Copy)]
pub(super) enum Begin<'a> {
    /// With the initial states.
    Initial,
    /// With the drained states of these.
    Drained(&'a [Vec<u8>]),
}

/// Which transitions of a state a search explores.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Successors {
    All,
    Reduced,
}

/// What the threads of a search share.
pub(super) struct Common<'a, S: TransitionSystem + ?Sized> {
    pub(super) system: &'a S,
    /// Where it begins.
    pub(super) begin: Begin<'a>,
    pub(super) successors: Successors,
    pub(super) bounds: Bounds<'a>,
    pub(super) live_statistics: &'a LiveStatistics,
    pub(super) states: Interner,
    /// The least place of each state, by its id; inverted, so that "none" is the zero of a fresh
    /// cell.
    pub(super) places: Column<AtomicU64>,
    /// Where all that is kept.
    pub(super) backing: Backing,
    pub(super) disk: Option<&'a Arc<Disk>>,
    /// With a disk: a bit for each state, set once it has its rank. So the places of most states
    /// need not be read again.
    ranked: Column<AtomicU64>,
    /// The open sections, if the search looks for hangs.
    pub(super) sections: Option<OpenSections>,
    frontier_bytes: AtomicU64,
    peak_bytes: AtomicU64,
}

impl<'a, S: TransitionSystem + ?Sized> Common<'a, S> {
    pub(super) fn new(
        search: &Search<'a, S>,
        begin: Begin<'a>,
        successors: Successors,
        live_statistics: &'a LiveStatistics,
        sections: Option<OpenSections>,
    ) -> Self {
        let backing = search.backing();
        Common {
            system: search.system,
            begin,
            successors,
            bounds: Bounds::new(search.max_states, search.cancel).with_inputs(search.max_inputs),
            live_statistics,
            states: Interner::on(&backing),
            places: Column::on(&backing),
            backing,
            disk: search.disk,
            ranked: Column::new(),
            sections,
            frontier_bytes: AtomicU64::new(0),
            peak_bytes: AtomicU64::new(0),
        }
    }

    /// Notes that a state has its rank; only with a disk.
    pub(super) fn rank(&self, id: Id) {
        let word = self.ranked.cell(id.0 / u64::BITS);
        word.fetch_or(1 << (id.0 % u64::BITS), Relaxed);
    }

    fn is_ranked(&self, id: Id) -> bool {
        let word = self.ranked.get(id.0 / u64::BITS);
        word.is_some_and(|word| word.load(Relaxed) >> (id.0 % u64::BITS) & 1 == 1)
    }

    /// Notes a transition that leads to a state. Returns the least place that the state had before,
    /// or an earlier one if the state was found on an earlier level.
    #[inline]
    fn reached(&self, id: Id, place: Place) -> Option<Place> {
        if self.disk.is_some() && self.is_ranked(id) {
            return Some(Place::new(ROOT, 0));
        }
        let cell = self.places.cell(id.0);
        let inverted = !place.0;
        let mut before = cell.load(Relaxed);
        if before < inverted {
            before = cell.fetch_max(inverted, Relaxed);
        }
        (before != 0).then_some(Place(!before))
    }

    pub(super) fn place(&self, id: Id) -> Place {
        Place::of(&self.places, id)
    }

    /// Notes how much of a level is done and how much was found for the next.
    pub(super) fn waiting(&self, level: usize, done: usize, discovered: usize) {
        self.live_statistics
            .waiting
            .store((level - done + discovered) as u64, Relaxed);
        // The next level takes sixteen bytes a state while it is sorted, and its list four.
        let bytes = level * size_of::<Id>() + discovered * 20;
        self.frontier_bytes.store(bytes as u64, Relaxed);
    }

    pub(super) fn hang_check_is_due(&self, states: u64) -> bool {
        self.sections
            .as_ref()
            .is_some_and(|sections| sections.is_due(states))
    }

    /// Memory in use, in bytes.
    fn bytes(&self) -> u64 {
        self.own_bytes() + self.system.bytes()
    }

    /// The same without the system's own.
    pub(super) fn own_bytes(&self) -> u64 {
        let states = self.states.len() as u64;
        let places = states * size_of::<AtomicU64>() as u64;
        let sections = self
            .sections
            .as_ref()
            .map_or(0, |sections| sections.bytes(states));
        self.states.bytes() + places + sections + self.frontier_bytes.load(Relaxed)
    }

    /// Measures the memory in use. Stops the search if the disk cannot be used.
    fn measure(&self) {
        let bytes = self.bytes();
        self.live_statistics.bytes.store(bytes, Relaxed);
        self.used(bytes);
        if self.disk.is_some_and(|disk| disk.failure().is_some()) {
            self.bounds.cancel().cancel(StopReason::Disk);
        }
    }

    /// So many bytes were seen in use.
    pub(super) fn used(&self, bytes: u64) {
        self.peak_bytes.fetch_max(bytes, Relaxed);
    }

    /// The most memory that was seen in use, in bytes.
    pub(super) fn peak_bytes(&self) -> u64 {
        self.peak_bytes.load(Relaxed).max(self.bytes())
    }

    /// The choices of the path that ends with the transition at `last`.
    pub(super) fn into_ordinals(self, last: Place) -> Vec<u32> {
        let by_rank = last.all_before(&self.states, &self.places, &self.backing);
        drop(self);
        let path = last.path(&by_rank);
        path.into_iter().map(Place::ordinal).collect()
    }
}

/// A part of a level, to be shared out.
pub(super) struct Block<'a> {
    states: &'a [Id],
    first_rank: u32,
    /// The rank of the first state of the level.
    level: u32,
    /// States that a thread takes at a time.
    chunk: usize,
    next: AtomicUsize,
}

impl<'a> Block<'a> {
    /// The part that consists of `states`, to be shared by so many threads.
    pub(super) fn new(states: &'a [Id], level: u32, first_rank: u32, threads: usize) -> Self {
        // Small enough that all threads are done at about the same time.
        let chunk = (states.len() / (threads * 8)).clamp(4, CHUNK);
        Block {
            states,
            first_rank,
            level,
            chunk,
            next: AtomicUsize::new(0),
        }
    }

    /// The next chunk that no worker has taken, and the rank of its first state.
    fn take(&self) -> Option<(&'a [Id], u32)> {
        let start = self.next.fetch_add(self.chunk, Relaxed);
        let end = self.states.len().min(start + self.chunk);
        (start < end).then(|| (&self.states[start..end], self.first_rank + start as u32))
    }
}

/// One thread's share of a search.
pub(super) struct Explorer<S: TransitionSystem + ?Sized> {
    worker: S::Worker,
    pub(super) findings: Findings<S>,
    pub(super) discovered: Vec<Id>,
    pub(super) recorder: Recorder,
    /// Targets of transitions that are yet to be looked up, and the transitions' places.
    targets: Batch,
    places: Vec<Place>,
}

impl<S: TransitionSystem + ?Sized> Explorer<S> {
    pub(super) fn new(system: &S, successors: Successors) -> Self {
        Explorer {
            worker: match successors {
                Successors::All => system.worker(),
                Successors::Reduced => system.reducing_worker(),
            },
            findings: Findings::default(),
            discovered: Vec::new(),
            recorder: Recorder::default(),
            targets: Batch::new(),
            places: Vec::new(),
        }
    }

    pub(super) fn worker(&mut self) -> &mut S::Worker {
        &mut self.worker
    }

    /// Forgets what was found, so that another search can begin.
    pub(super) fn forget(&mut self) {
        self.findings = Findings::default();
        self.discovered.clear();
        self.recorder = Recorder::default();
    }

    pub(super) fn initial(&mut self, common: &Common<'_, S>) {
        // A worker that has stepped is not where the system starts.
        let worker = &mut common.system.worker();
        let (_, mut sink) = self.sink(common, (ROOT, ROOT), false);
        match common.begin {
            Begin::Initial => common.system.initial(worker, &mut sink),
            Begin::Drained(states) => {
                let mut drain = |state| common.system.drain(worker, state, &mut sink);
                states.iter().for_each(|state| drain(state));
            }
        }
        self.intern_targets(common, ROOT);
        common
            .live_statistics
            .states
            .fetch_add(self.findings.states, Relaxed);
    }

    /// Expands chunks of the block until none is left, or the search is cancelled.
    pub(super) fn expand(&mut self, common: &Common<'_, S>, block: &Block<'_>) {
        let mut counted = (self.findings.states, self.findings.transitions);
        for number in 0.. {
            let Some((chunk, first_rank)) = block.take() else {
                break;
            };
            self.expand_chunk(common, chunk, first_rank, block.level);
            counted = self.report(common, counted);
            common.backing.pace();
            // To add up what all threads have stored makes each of them wait.
            if number % CHUNKS_COUNTED == 0 {
                common.measure();
            }
            if common.bounds.cancel().is_cancelled() {
                break;
            }
        }
        self.intern_targets(common, block.level);
        self.report(common, counted);
        common.measure();
    }

    /// Reports what was found since so many states and transitions. Returns how many there are now.
    fn report(&self, common: &Common<'_, S>, (states, transitions): (u64, u64)) -> (u64, u64) {
        let Findings {
            states: found,
            transitions: followed,
            ..
        } = self.findings;
        let live = common.live_statistics;
        live.states.fetch_add(found - states, Relaxed);
        live.transitions.fetch_add(followed - transitions, Relaxed);
        (found, followed)
    }

    fn expand_chunk(&mut self, common: &Common<'_, S>, chunk: &[Id], first_rank: u32, level: u32) {
        // All looked up before the first is needed, so that the waits for memory overlap.
        let mut states: [&[u8]; CHUNK] = [&[]; CHUNK];
        for (state, &id) in states.iter_mut().zip(chunk) {
            *state = common.states.get(id);
        }
        let in_files = common.states.is_partly_sealed();
        for ((rank, &id), state) in (first_rank..).zip(chunk).zip(states) {
            if common.bounds.cancel().is_cancelled() {
                break;
            }
            self.expand_state(common, id, state, (rank, level));
            if self.places.len() >= if in_files { BATCH_IN_FILES } else { BATCH } {
                self.intern_targets(common, level);
            }
        }
        if !in_files {
            self.intern_targets(common, level);
        }
    }

    fn expand_state(
        &mut self,
        common: &Common<'_, S>,
        id: Id,
        state: &[u8],
        (rank, level): (u32, u32),
    ) {
        let mut sections_open = false;
        if let Some(sections) = &common.sections {
            let open = self.recorder.open_keys();
            common.system.open_sections(&mut self.worker, state, open);
            sections_open = !open.is_empty();
            self.recorder.begin(sections, id, rank);
        }
        let (worker, mut sink) = self.sink(common, (rank, level), common.sections.is_some());
        match common.successors {
            Successors::All => common.system.successors(worker, state, &mut sink),
            Successors::Reduced => common.system.reduced_successors(worker, state, &mut sink),
        }
        let (transitions, omitted) = (sink.emitted, sink.omitted);
        self.findings.transitions += u64::from(transitions);
        self.findings.terminal += u64::from(transitions == 0);
        self.findings.stuck |= sections_open && transitions == 0 && !omitted;
    }

    /// Interns the targets reached and notes the new ones. `level` is the rank of the level's first
    /// state.
    fn intern_targets(&mut self, common: &Common<'_, S>, level: u32) {
        let recording = common.sections.is_some();
        let mut places = self.places.drain(..);
        common.states.intern_batch(&mut self.targets, |interned| {
            let place = places.next().expect("each target has a place");
            let before = common.reached(interned.id, place);
            // A local search may have put it into the store already.
            if before.is_none() {
                self.discovered.push(interned.id);
                self.findings.states += 1;
            }
            if recording {
                let deeper = before.is_none_or(|place| place.source() >= level);
                self.recorder.target(interned.id, deeper);
            }
        });
        if let Some(sections) = &common.sections {
            self.recorder.choose_hints(sections);
        }
    }

    fn sink<'s>(
        &'s mut self,
        common: &'s Common<'_, S>,
        (source, level): (u32, u32),
        recording: bool,
    ) -> (&'s mut S::Worker, LevelSink<'s, S>) {
        let Explorer {
            worker,
            findings,
            recorder,
            targets,
            places,
            ..
        } = self;
        let sink = LevelSink {
            findings,
            recorder,
            recording,
            targets,
            places,
            states: &common.states,
            known: &common.places,
            source,
            level,
            ordinal: 0,
            emitted: 0,
            omitted: false,
        };
        (worker, sink)
    }
}

/// Takes the transitions of one state.
struct LevelSink<'s, S: TransitionSystem + ?Sized> {
    findings: &'s mut Findings<S>,
    recorder: &'s mut Recorder,
    /// Whether the search looks for hangs.
    recording: bool,
    targets: &'s mut Batch,
    places: &'s mut Vec<Place>,
    states: &'s Interner,
    /// The least places of the states found.
    known: &'s Column<AtomicU64>,
    source: u32,
    /// The rank of the level's first state.
    level: u32,
    ordinal: u32,
    emitted: u32,
    omitted: bool,
}

impl<S: TransitionSystem + ?Sized> LevelSink<'_, S> {
    fn next_place(&mut self) -> Place {
        let place = Place::new(self.source, self.ordinal);
        self.ordinal += 1;
        self.emitted += 1;
        place
    }
}

impl<S: TransitionSystem + ?Sized> Sink<S> for LevelSink<'_, S> {
    fn edge(&mut self, edge: Edge<'_>) {
        let place = self.next_place();
        self.targets.push(edge.target);
        self.places.push(place);
        self.findings.inputs += u64::from(edge.branch == Branch::Input);
        if self.recording {
            self.recorder.edge(&edge);
        }
    }

    fn fault(&mut self, fault: S::Fault) {
        let place = self.next_place();
        self.findings.fault(fault, place);
    }

    fn omission(&mut self, reason: S::Omission) {
        self.findings.omission(reason);
        self.omitted = true;
        if self.recording {
            self.recorder.omission();
        }
    }
}

impl<S: TransitionSystem + ?Sized> ReducingSink<S> for LevelSink<'_, S> {
    fn leads_deeper(&mut self, target: &[u8]) -> bool {
        let known = self.states.find(target);
        known.is_none_or(|id| Place::of(self.known, id).source() >= self.level)
    }

    fn skip(&mut self, ordinals: u32) {
        self.ordinal += ordinals;
    }
}
