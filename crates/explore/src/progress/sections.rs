//! What is known of the open sections of each state, and the fixpoints that decide which can end.

use super::log::{Emission, Ended, Log, Reader, Segment, write_record};
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

/// The pairs of states and sections, and what is decided about them.
///
/// The keys open in a state are a list; lists are stored once. Each expanded state with open sections has
/// a range of cells, of eight pairs each in the order of its list, in two sets: those that can certainly end, and
/// those that might for all that is known.
pub(crate) struct Sections {
    lists: Interner,
    /// By state: the number of its list plus one, and its first cell; zero if not expanded.
    known: Column<AtomicU64>,
    cells: AtomicU32,
    certain: Column<AtomicU8>,
    possible: Column<AtomicU8>,
    log: Log,
    log_bytes: AtomicU64,
    next_decision: u64,
}

/// The keys open in a state, and where its cells are.
#[derive(Clone, Copy)]
struct Open<'a> {
    list: Id,
    keys: &'a [u8],
    first_cell: u32,
}

const KEY_BYTES: usize = size_of::<u64>();

impl Open<'_> {
    fn len(&self) -> usize {
        self.keys.len() / KEY_BYTES
    }

    fn position(&self, key: &[u8]) -> Option<usize> {
        self.keys
            .chunks_exact(KEY_BYTES)
            .position(|other| other == key)
    }

    fn key(&self, index: usize) -> &[u8] {
        &self.keys[index * KEY_BYTES..][..KEY_BYTES]
    }
}

/// How to judge what is not known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    /// What is not expanded ends nothing.
    Certain,
    /// What is not expanded ends everything.
    Possible,
}

impl Sections {
    pub(crate) fn new() -> Self {
        Sections {
            lists: Interner::new(),
            known: Column::new(),
            cells: AtomicU32::new(0),
            certain: Column::new(),
            possible: Column::new(),
            log: Log::new(),
            log_bytes: AtomicU64::new(0),
            next_decision: FIRST_DECISION,
        }
    }

    /// The number of a list of keys.
    pub(super) fn list(&self, keys: &[Key]) -> Id {
        let mut bytes = [0; 16 * KEY_BYTES];
        if keys.len() > 16 {
            let bytes: Vec<u8> = keys.iter().flat_map(|key| key.0.to_le_bytes()).collect();
            return self.lists.intern(&bytes).id;
        }
        for (target, key) in bytes.chunks_exact_mut(KEY_BYTES).zip(keys) {
            target.copy_from_slice(&key.0.to_le_bytes());
        }
        self.lists.intern(&bytes[..keys.len() * KEY_BYTES]).id
    }

    /// A state with these open sections is being expanded.
    pub(super) fn expanded(&self, state: Id, open: &[Key]) {
        let list = self.list(open);
        let first = self.cells.fetch_add(open.len().div_ceil(8) as u32, Relaxed);
        self.known
            .cell(state.0)
            .store((u64::from(list.0) + 1) << 32 | u64::from(first), Relaxed);
    }

    /// The log has grown by so many bytes.
    pub(crate) fn grew(&self, bytes: usize) {
        self.log_bytes.fetch_add(bytes as u64, Relaxed);
    }

    /// Takes over a part of the log.
    pub(crate) fn append(&mut self, log: Log) {
        self.log.extend(log);
    }

    /// Memory in use with so many states, in bytes.
    pub(crate) fn bytes(&self, states: u64) -> u64 {
        let cells = u64::from(self.cells.load(Relaxed));
        self.lists.bytes() + 8 * states + 2 * cells + self.log_bytes.load(Relaxed)
    }

    /// Whether, with so many states known, it is time to decide.
    pub(crate) fn is_due(&self, states: u64) -> bool {
        states >= self.next_decision
    }

    /// Computes both fixpoints for what is known, and forgets what is certain.
    pub(crate) fn decide(&mut self, threads: NonZeroUsize, states: u64) {
        self.next_decision = (states + states / 2).max(FIRST_DECISION);
        self.fixpoint(View::Certain, threads);
        self.forget_decided();
        self.possible = Column::new();
        self.fixpoint(View::Possible, threads);
    }

    /// The pair with the nearest state among those that cannot end, after a decision.
    pub(crate) fn nearest_hang(&self, place: impl Fn(Id) -> Place) -> Option<(Key, Place)> {
        let mut nearest: Option<(Key, Place)> = None;
        let mut emissions = Vec::new();
        for segment in &self.log {
            let mut reader = Reader::new(segment);
            while let Some(state) = reader.next(&mut emissions) {
                let Some(open) = self.open(state) else {
                    continue;
                };
                let hangs = |&index: &usize| !self.holds(View::Possible, open, index);
                let Some(index) = (0..open.len()).find(hangs) else {
                    continue;
                };
                let place = place(state);
                if nearest.is_none_or(|(_, least)| place < least) {
                    let key = open.key(index).try_into().expect("a key has as many bytes");
                    nearest = Some((Key(u64::from_le_bytes(key)), place));
                }
            }
        }
        nearest
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

    fn set(&self, view: View) -> &Column<AtomicU8> {
        match view {
            View::Certain => &self.certain,
            View::Possible => &self.possible,
        }
    }

    fn is_in(&self, view: View, open: Open<'_>, index: usize) -> bool {
        let cell = self.set(view).cell(open.first_cell + (index / 8) as u32);
        cell.load(Relaxed) & 1 << (index % 8) != 0
    }

    /// Whether the pair is in the fixpoint; what is certain is possible.
    fn holds(&self, view: View, open: Open<'_>, index: usize) -> bool {
        self.is_in(view, open, index)
            || view == View::Possible && self.is_in(View::Certain, open, index)
    }

    /// Sweeps over the log until nothing changes. Threads may see what others found in the same
    /// sweep or not: sets only grow, so that the end is the same.
    fn fixpoint(&self, view: View, threads: NonZeroUsize) {
        let mut backwards = true;
        loop {
            let changed = AtomicBool::new(false);
            in_parallel(threads, self.log.len(), |number| {
                let number = if backwards {
                    self.log.len() - 1 - number
                } else {
                    number
                };
                if self.sweep(view, &self.log[number], backwards) {
                    changed.store(true, Relaxed);
                }
            });
            if !changed.into_inner() {
                return;
            }
            backwards = !backwards;
        }
    }

    fn sweep(&self, view: View, segment: &Segment, backwards: bool) -> bool {
        let mut emissions = Vec::new();
        let mut reader = Reader::new(segment);
        // Records can only be read forwards: to go backwards, where each begins is found first.
        let mut records = vec![reader.clone()];
        while reader.next(&mut emissions).is_some() {
            records.push(reader.clone());
        }
        if backwards {
            records.reverse();
        }
        let mut changed = false;
        for mut record in records {
            if let Some(state) = record.next(&mut emissions) {
                changed |= self.advance(view, state, &emissions);
            }
        }
        changed
    }

    /// Adds the pairs of a state that belong into the fixpoint now, and tells whether there were any.
    fn advance(&self, view: View, state: Id, emissions: &[Emission]) -> bool {
        let Some(open) = self.open(state) else {
            return false;
        };
        let mut changed = false;
        for index in 0..open.len() {
            if !self.holds(view, open, index) && self.can_end(view, open, index, emissions) {
                let cell = self.set(view).cell(open.first_cell + (index / 8) as u32);
                cell.fetch_or(1 << (index % 8), Relaxed);
                changed = true;
            }
        }
        changed
    }

    /// Whether in some group each edge ends the section or leads to where it can end.
    fn can_end(&self, view: View, open: Open<'_>, index: usize, emissions: &[Emission]) -> bool {
        emissions
            .chunk_by(|_, next| next.note.branch() == Branch::Input)
            .any(|group| {
                group
                    .iter()
                    .all(|&emission| self.edge_can_end(view, open, index, emission))
            })
    }

    fn edge_can_end(&self, view: View, open: Open<'_>, index: usize, emission: Emission) -> bool {
        let (Some(ends), Some(target)) = (emission.note.ends(), emission.target) else {
            return view == View::Possible;
        };
        let key = open.key(index);
        match ends {
            Ended::Program => return true,
            Ended::List(list)
                if self
                    .lists
                    .get(list)
                    .chunks_exact(KEY_BYTES)
                    .any(|end| end == key) =>
            {
                return true;
            }
            Ended::List(_) | Ended::Nothing => {}
        }
        let Some(next) = self.open(target) else {
            return view == View::Possible;
        };
        let position = if next.list == open.list {
            Some(index)
        } else {
            next.position(key)
        };
        // What is not open any more has ended, whatever the edge says.
        position.is_none_or(|position| self.holds(view, next, position))
    }

    /// Drops the records of states all of whose pairs can certainly end.
    fn forget_decided(&mut self) {
        let mut log = std::mem::take(&mut self.log);
        let mut emissions = Vec::new();
        let mut kept = Segment::new();
        for segment in &mut log {
            kept.clear();
            let mut reader = Reader::new(segment);
            while let Some(state) = reader.next(&mut emissions) {
                let open = self.open(state).expect("what is logged is expanded");
                if (0..open.len()).any(|index| !self.is_in(View::Certain, open, index)) {
                    write_record(
                        &mut kept,
                        state,
                        emissions.len() as u32,
                        emissions.iter().copied(),
                    );
                }
            }
            if kept.len() < segment.len() {
                *segment = kept.as_slice().to_vec();
            }
        }
        log.retain(|segment| !segment.is_empty());
        self.log_bytes.store(
            log.iter().map(|segment| segment.len() as u64).sum(),
            Relaxed,
        );
        self.log = log;
    }
}

/// Does `work` for all numbers below `count`, on several threads if there is much of it.
fn in_parallel(threads: NonZeroUsize, count: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let share = || {
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= count {
                return;
            }
            work(number);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(count / 4) {
            scope.spawn(share);
        }
        share();
    });
}
