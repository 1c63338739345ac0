//! What is known of the open sections of each state, and the fixpoint that decides which can end.

use super::log::{Emission, Ended, Log, Reader};
use crate::findings::Place;
use crate::system::{Branch, Key};
use impasse_store::{Column, Id, Interner};
use std::num::NonZeroUsize;
use std::sync::atomic::{
    AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed,
};
use std::thread;

/// States before the first decision.
const FIRST_DECISION: u64 = 1 << 6;

/// Segments for which it is worth to wake up one more thread.
const SHARE: usize = 4;

/// The pairs of states and sections, and which of them might end for all that is known.
///
/// The keys open in a state are a list; lists are stored once. Each expanded state with open
/// sections has a range of cells, which hold a bit for each key in the order of its list.
pub(crate) struct Sections {
    lists: Interner,
    /// By state: the number of its list plus one, and its first cell; zero if not expanded.
    known: Column<AtomicU64>,
    cells: AtomicU32,
    can_end: Column<AtomicU8>,
    groups: Vec<Group>,
    log_bytes: AtomicU64,
    next_decision: u64,
    /// States whose sections were found to end in another way than through what is logged.
    cleared: Vec<Id>,
}

/// A state with a section that was not found to end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Doubt {
    /// The least transition that leads to the state.
    pub(crate) place: Place,
    pub(crate) state: Id,
    pub(crate) section: Key,
}

/// A part of the log.
struct Group {
    segments: Vec<Segment>,
    /// Whether the segments were written at the same time, by several threads, so that they depend
    /// little on each other; else they stand in the order of writing.
    concurrent: bool,
}

struct Segment {
    records: Vec<u8>,
    /// Whether it has pairs that are not known to end.
    unsettled: AtomicBool,
}

/// The keys open in a state, and where its cells are.
#[derive(Clone, Copy)]
struct Open<'a> {
    list: Id,
    keys: &'a [u8],
    first_cell: u32,
}

const KEY_BYTES: usize = size_of::<u64>();
/// Keys that are decided together, a bit each in a `u8`.
const CELL: usize = 8;

impl<'a> Open<'a> {
    fn len(&self) -> usize {
        self.keys.len() / KEY_BYTES
    }

    fn position(&self, key: &[u8]) -> Option<usize> {
        self.keys
            .chunks_exact(KEY_BYTES)
            .position(|other| other == key)
    }

    /// The keys of one cell.
    fn cell_keys(&self, cell: usize) -> std::slice::ChunksExact<'a, u8> {
        let keys = &self.keys[cell * CELL * KEY_BYTES..];
        keys[..keys.len().min(CELL * KEY_BYTES)].chunks_exact(KEY_BYTES)
    }

    fn cells(&self) -> usize {
        self.len().div_ceil(CELL)
    }

    /// The bits of a cell that stand for a key.
    fn all(&self, cell: usize) -> u8 {
        u8::MAX >> CELL.saturating_sub(self.len() - cell * CELL)
    }
}

impl Sections {
    pub(crate) fn new() -> Self {
        Sections {
            lists: Interner::new(),
            known: Column::new(),
            cells: AtomicU32::new(0),
            can_end: Column::new(),
            groups: Vec::new(),
            log_bytes: AtomicU64::new(0),
            next_decision: FIRST_DECISION,
            cleared: Vec::new(),
        }
    }

    /// The number of a list of keys, given as bytes.
    pub(super) fn list(&self, keys: &[u8]) -> Id {
        self.lists.intern(keys).id
    }

    /// A state with so many sections open, those of `list`, is being expanded.
    pub(super) fn expanded(&self, state: Id, list: Id, open: usize) {
        let first = self.cells.fetch_add(open.div_ceil(CELL) as u32, Relaxed);
        let known = (u64::from(list.0) + 1) << 32 | u64::from(first);
        self.known.cell(state.0).store(known, Relaxed);
    }

    /// The log has grown by so many bytes.
    pub(crate) fn grew(&self, bytes: usize) {
        self.log_bytes.fetch_add(bytes as u64, Relaxed);
    }

    /// Takes over the log of what was expanded since the last time, by one thread or by several at
    /// once.
    pub(crate) fn append(&mut self, log: Log, concurrent: bool) {
        let segments = log.into_iter().filter(|records| !records.is_empty());
        let segments = segments.map(|records| Segment {
            records,
            unsettled: AtomicBool::new(true),
        });
        let segments: Vec<Segment> = segments.collect();
        if !segments.is_empty() {
            self.groups.push(Group {
                segments,
                concurrent,
            });
        }
    }

    /// Memory in use with so many states, in bytes.
    pub(crate) fn bytes(&self, states: u64) -> u64 {
        let cells = u64::from(self.cells.load(Relaxed));
        self.lists.bytes() + 8 * states + cells + self.log_bytes.load(Relaxed)
    }

    /// Whether, with so many states known, it is time to decide.
    pub(crate) fn is_due(&self, states: u64) -> bool {
        states >= self.next_decision
    }

    /// Decides what might end, with so many states known, and returns the states that have sections
    /// which cannot, as far as is known: where they are, and the first such section.
    pub(crate) fn decide(
        &mut self,
        threads: NonZeroUsize,
        states: u64,
        place: impl Fn(Id) -> Place,
    ) -> Vec<Doubt> {
        self.next_decision = (2 * states).max(FIRST_DECISION);
        self.can_end = Column::new();
        for open in self.cleared.iter().filter_map(|&state| self.open(state)) {
            for cell in 0..open.cells() {
                self.cell(open, cell).store(open.all(cell), Relaxed);
            }
        }
        self.fixpoint(threads);
        let mut doubts = Vec::new();
        let segments = self.groups.iter().flat_map(|group| &group.segments);
        for segment in segments.filter(|segment| segment.unsettled.load(Relaxed)) {
            let mut emissions = Vec::new();
            let mut reader = Reader::new(&segment.records);
            while let Some(state) = reader.next(&mut emissions) {
                let doubt = self.hanging_key(state).map(|section| Doubt {
                    place: place(state),
                    state,
                    section,
                });
                doubts.extend(doubt);
            }
        }
        doubts
    }

    /// The sections of some states can end after all.
    pub(crate) fn clear(&mut self, states: impl Iterator<Item = Id>) {
        self.cleared.extend(states);
    }

    /// The first key of a state that was not found to end.
    fn hanging_key(&self, state: Id) -> Option<Key> {
        let open = self.open(state)?;
        let mut keys = open.keys.chunks_exact(KEY_BYTES).enumerate();
        let (_, key) = keys.find(|&(position, _)| !self.holds(open, position))?;
        Some(Key(u64::from_le_bytes(
            key.try_into().expect("a key has as many bytes"),
        )))
    }

    fn open(&self, state: Id) -> Option<Open<'_>> {
        let known = self.known.get(state.0)?.load(Relaxed);
        let list = Id(((known >> 32) as u32).checked_sub(1)?);
        Some(Open {
            list,
            keys: self.lists.get(list),
            first_cell: known as u32,
        })
    }

    fn cell(&self, open: Open<'_>, cell: usize) -> &AtomicU8 {
        self.can_end.cell(open.first_cell + cell as u32)
    }

    fn holds(&self, open: Open<'_>, position: usize) -> bool {
        self.cell(open, position / CELL).load(Relaxed) & 1 << (position % CELL) != 0
    }

    /// Sweeps over the log until nothing changes. Threads may see what others found in the same
    /// sweep or not: the set only grows, so that the end is the same.
    fn fixpoint(&self, threads: NonZeroUsize) {
        for segment in self.groups.iter().flat_map(|group| &group.segments) {
            segment.unsettled.store(true, Relaxed);
        }
        let mut backwards = true;
        loop {
            let changed = if backwards {
                self.groups.iter().rev().fold(false, |changed, group| {
                    self.sweep_group(group, true, threads) | changed
                })
            } else {
                self.groups.iter().fold(false, |changed, group| {
                    self.sweep_group(group, false, threads) | changed
                })
            };
            if !changed {
                return;
            }
            backwards = !backwards;
        }
    }

    /// Sweeps over a group, and tells whether anything changed. Groups depend on each other, so
    /// that they come one after the other; only within one can threads share the work.
    fn sweep_group(&self, group: &Group, backwards: bool, threads: NonZeroUsize) -> bool {
        let count = group.segments.len();
        let changed = AtomicBool::new(false);
        let threads = if group.concurrent {
            threads.get().min(count / SHARE)
        } else {
            1
        };
        in_parallel(threads, count, |turn| {
            let segment = &group.segments[if backwards { count - 1 - turn } else { turn }];
            if segment.unsettled.load(Relaxed) && self.sweep(segment, backwards) {
                changed.store(true, Relaxed);
            }
        });
        changed.into_inner()
    }

    /// Sweeps over a segment, and tells whether anything changed.
    fn sweep(&self, segment: &Segment, backwards: bool) -> bool {
        let mut swept = Swept {
            changed: false,
            settled: true,
        };
        let mut emissions = Vec::new();
        let mut reader = Reader::new(&segment.records);
        if backwards {
            while let Some(state) = reader.next(&mut emissions) {
                self.advance(state, &emissions, &mut swept);
            }
        } else {
            for mut record in reader.records_forwards() {
                let state = record
                    .next(&mut emissions)
                    .expect("a record was found here");
                self.advance(state, &emissions, &mut swept);
            }
        }
        segment.unsettled.store(!swept.settled, Relaxed);
        swept.changed
    }

    /// Adds those pairs of a state that belong into the fixpoint by now.
    fn advance(&self, state: Id, emissions: &[Emission], swept: &mut Swept) {
        let open = self.open(state).expect("what is logged is expanded");
        for cell in 0..open.cells() {
            let before = self.cell(open, cell).load(Relaxed);
            let all = open.all(cell);
            if before == all {
                continue;
            }
            let after = before | self.ending(open, cell, emissions, all & !before);
            if after != before {
                self.cell(open, cell).fetch_or(after, Relaxed);
                swept.changed = true;
            }
            swept.settled &= after == all;
        }
    }

    /// Which of the `wanted` keys of a cell can end: those for which, in some group, each edge ends
    /// the section or leads to where it can end.
    fn ending(&self, open: Open<'_>, cell: usize, emissions: &[Emission], wanted: u8) -> u8 {
        let mut ending = 0;
        for group in emissions.chunk_by(|_, next| next.note.branch() == Branch::Input) {
            let missing = wanted & !ending;
            ending |= group.iter().fold(missing, |keys, &emission| {
                self.ending_through(open, cell, emission, keys)
            });
            if ending == wanted {
                break;
            }
        }
        ending
    }

    /// Which of the `wanted` keys of a cell an edge ends, or leads to where they can end.
    fn ending_through(&self, open: Open<'_>, cell: usize, emission: Emission, wanted: u8) -> u8 {
        let (Some(ends), Some(target)) = (emission.note.ends(), emission.target) else {
            return wanted;
        };
        let ended: &[u8] = match ends {
            Ended::Program => return wanted,
            Ended::Nothing => &[],
            Ended::List(list) => self.lists.get(list),
        };
        let Some(next) = self.open(target) else {
            return wanted;
        };
        if next.list == open.list && ended.is_empty() {
            return wanted & self.cell(next, cell).load(Relaxed);
        }
        let mut ending = 0;
        for (bit, key) in open.cell_keys(cell).enumerate() {
            let is_ended = || ended.chunks_exact(KEY_BYTES).any(|end| end == key);
            // What is not open any more has ended, whatever the edge says.
            let goes_on = || {
                next.position(key)
                    .is_some_and(|position| !self.holds(next, position))
            };
            if wanted & 1 << bit != 0 && (is_ended() || !goes_on()) {
                ending |= 1 << bit;
            }
        }
        ending
    }
}

/// What a sweep over a segment found.
struct Swept {
    changed: bool,
    /// Whether all its pairs can end.
    settled: bool,
}

/// Does `work` for all numbers below `count`, on so many threads.
fn in_parallel(threads: usize, count: usize, work: impl Fn(usize) + Sync) {
    if threads <= 1 {
        return (0..count).for_each(work);
    }
    let next = AtomicUsize::new(0);
    let share = || {
        let turns = std::iter::repeat_with(|| next.fetch_add(1, Relaxed));
        turns.take_while(|&turn| turn < count).for_each(&work);
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(share);
        }
        share();
    });
}
