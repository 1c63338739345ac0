//! Whole states: from the machine to a byte string and back.
//!
//! A stored state is short: the numbers of the stored forms of its threads, of its globals and of its objects. Objects are numbered in
//! runs of sixteen, and runs in runs, so that a state that differs from another in one object has only the runs
//! above it of its own. Equal states have equal byte strings, since stored forms are stored once.

use crate::codec::{Reader, put};
use crate::memory::object::{ObjectView, dynamic};
use crate::memory::{Entry, Memory};
use crate::thread::{Thread, Threads};
use impasse_store::{Id, Interner};
use smallvec::SmallVec;

const RUN: usize = 16;

/// What a stored state is.
pub enum Kind {
    /// The program runs.
    Running,
    /// The program has ended.
    Ended,
}

/// A list of entries that was read or written last, with the numbers of its runs: neighbouring states share most of them.
#[derive(Clone, Default)]
pub struct Sequence {
    /// The entries.
    pub entries: Vec<Entry>,
    /// One bit for each: whether it names an object made while running.
    pub naming: Vec<u64>,
    runs: Vec<u64>,
    top: Option<u64>,
}

impl Sequence {
    /// Reads the sequence of `count` entries whose stored form has the number `top`.
    fn read(&mut self, store: &Interner, count: usize, top: u64) {
        if self.top == Some(top) && self.entries.len() == count {
            return;
        }
        self.top = Some(top);
        let runs = expand(store, count.div_ceil(RUN), top);
        self.entries.resize(count, Entry::Hole);
        self.naming.resize(count.div_ceil(64), 0);
        self.runs.truncate(count.div_ceil(RUN));
        for (n, &run) in runs.iter().enumerate() {
            let start = n * RUN;
            let length = RUN.min(count - start);
            let known = self.runs.get(n) == Some(&run);
            if known && length == RUN {
                continue;
            }
            let mut reader = Reader::new(store.get(Id(run as u32)));
            for n in start..start + length {
                let entry = entry_of(reader.number());
                if self.entries[n] != entry {
                    self.entries[n] = entry;
                    let bit = (names_objects(store, entry) as u64) << (n % 64);
                    self.naming[n / 64] = self.naming[n / 64] & !(1 << (n % 64)) | bit;
                }
            }
        }
        self.runs = runs;
    }

    /// Stores entries, given the sequence that they were derived from; gives the number of the stored form.
    fn write(&self, store: &Interner, entries: &[Entry], buffer: &mut Vec<u8>) -> u64 {
        let mut runs: SmallVec<[u64; 32]> = SmallVec::new();
        for (n, run) in entries.chunks(RUN).enumerate() {
            let start = n * RUN;
            let before = self.entries.get(start..start + run.len());
            let same_length = start + run.len() == self.entries.len() || run.len() == RUN;
            match self.runs.get(n) {
                Some(&known) if same_length && before == Some(run) => runs.push(known),
                _ => {
                    buffer.clear();
                    run.iter().for_each(|&entry| put(buffer, number_of(entry)));
                    runs.push(store.intern(buffer).id.0 as u64);
                }
            }
        }
        collapse(store, &runs, buffer)
    }
}

fn names_objects(store: &Interner, entry: Entry) -> bool {
    match entry {
        Entry::Stored(id) => dynamic(ObjectView::new(store.get(id)).pointers())
            .next()
            .is_some(),
        _ => false,
    }
}

fn entry_of(number: u64) -> Entry {
    match number {
        0 => Entry::Hole,
        n => Entry::Stored(Id(n as u32 - 1)),
    }
}

fn number_of(entry: Entry) -> u64 {
    match entry {
        Entry::Hole => 0,
        Entry::Stored(id) => id.0 as u64 + 1,
        Entry::Copied(_) => unreachable!("copies are stored before states are"),
    }
}

/// The numbers of `count` runs from the number of their top.
fn expand(store: &Interner, count: usize, top: u64) -> Vec<u64> {
    let mut depth = 0;
    let mut reach = 1;
    while reach < count {
        reach *= RUN;
        depth += 1;
    }
    let mut level = vec![top];
    for _ in 0..depth {
        let mut next = Vec::new();
        for id in level {
            let mut reader = Reader::new(store.get(Id(id as u32)));
            while !reader.is_empty() {
                next.push(reader.number());
            }
        }
        level = next;
    }
    if count == 0 { Vec::new() } else { level }
}

/// The number of the top of some runs.
fn collapse(store: &Interner, level: &[u64], buffer: &mut Vec<u8>) -> u64 {
    if level.len() <= 1 {
        return level.first().copied().unwrap_or(0);
    }
    let chunks = level.chunks(RUN).map(|chunk| {
        buffer.clear();
        chunk.iter().for_each(|&id| put(buffer, id));
        store.intern(buffer).id.0 as u64
    });
    let above: SmallVec<[u64; 32]> = chunks.collect();
    collapse(store, &above, buffer)
}

/// A decoded state, from which steps start.
pub struct Base<'s> {
    /// Its memory, everything stored.
    pub memory: Memory<'s>,
    /// Its threads.
    pub threads: Threads,
    /// The latest time a clock showed.
    pub clock: u64,
    stored_threads: Vec<Id>,
    globals: Sequence,
    dynamic: Sequence,
}

impl<'s> Base<'s> {
    /// A base without a state.
    pub fn new(memory: Memory<'s>) -> Self {
        Base {
            memory,
            threads: Threads::default(),
            clock: 0,
            stored_threads: Vec::new(),
            globals: Sequence::default(),
            dynamic: Sequence::default(),
        }
    }

    /// Decodes a state.
    pub fn read(&mut self, state: &[u8], globals: usize) -> Kind {
        let store = self.memory.store;
        let mut reader = Reader::new(state);
        if reader.byte() == 1 {
            return Kind::Ended;
        }
        self.clock = reader.number();
        let count = reader.small();
        self.threads.truncate(count as usize);
        self.stored_threads.truncate(count as usize);
        for n in 0..count as usize {
            let id = Id(reader.small());
            if self.stored_threads.get(n) == Some(&id) {
                continue;
            }
            let thread = Thread::decode(store.get(id));
            if n < self.threads.len() {
                self.threads[n] = thread;
                self.stored_threads[n] = id;
            } else {
                self.threads.push(thread);
                self.stored_threads.push(id);
            }
        }
        let top = reader.number();
        self.globals.read(store, globals, top);
        let dynamic = reader.number() as usize;
        let top = reader.number();
        self.dynamic.read(store, dynamic, top);
        self.memory.globals.clone_from(&self.globals.entries);
        self.memory.naming.clone_from(&self.globals.naming);
        self.memory.dynamic.clone_from(&self.dynamic.entries);
        self.memory.reshaped = false;
        let alive = self.threads.iter().filter(|t| t.is_alive()).count();
        self.memory.concurrent = alive > 1;
        Kind::Running
    }

    /// Encodes a state that was derived from this one. All copies and frames must be stored.
    pub fn write(
        &self,
        memory: &Memory<'s>,
        threads: &Threads,
        clock: u64,
        wrote_globals: bool,
        out: &mut Vec<u8>,
        buffer: &mut Vec<u8>,
    ) {
        let store = memory.store;
        out.clear();
        out.push(0);
        put(out, clock);
        put(out, threads.len() as u64);
        for (n, thread) in threads.iter().enumerate() {
            let unchanged = threads.is_shared(&self.threads, n)
                || (n < self.threads.len() && self.threads[n] == *thread);
            let id = match unchanged {
                true => self.stored_threads[n],
                false => {
                    buffer.clear();
                    thread.encode(buffer);
                    store.intern(buffer).id
                }
            };
            put(out, id.0 as u64);
        }
        let globals = match wrote_globals || self.globals.top.is_none() {
            true => self.globals.write(store, &memory.globals, buffer),
            false => self.globals.top.unwrap_or(0),
        };
        put(out, globals);
        put(out, memory.dynamic.len() as u64);
        put(out, self.dynamic.write(store, &memory.dynamic, buffer));
    }
}

/// The state in which the program has ended.
pub fn ended(status: i32, out: &mut Vec<u8>) {
    out.clear();
    out.push(1);
    put(out, status as u32 as u64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::object::{Class, Object};

    #[test]
    fn sequences_and_back() {
        let store = Interner::new();
        let mut buffer = Vec::new();
        let stored = |n: usize| {
            let mut bytes = Vec::new();
            let content = (n as u64).to_le_bytes();
            Object::with_content(Class::Global, &content, &[], 3).encode(&mut bytes);
            store.intern(&bytes).id
        };
        for count in [0usize, 1, 15, 16, 17, 255, 256, 257, 5000] {
            let entry = |n: usize| match n % 7 {
                0 => Entry::Hole,
                _ => Entry::Stored(stored(n)),
            };
            let entries: Vec<Entry> = (0..count).map(entry).collect();
            let mut sequence = Sequence::default();
            let top = sequence.write(&store, &entries, &mut buffer);
            sequence.read(&store, count, top);
            assert_eq!(sequence.entries, entries);
            for changed in [0, count / 2, count.saturating_sub(1)] {
                let mut other = entries.clone();
                if let Some(entry) = other.get_mut(changed) {
                    *entry = Entry::Stored(stored(1_000_000));
                }
                let top = sequence.write(&store, &other, &mut buffer);
                assert_eq!(top, Sequence::default().write(&store, &other, &mut buffer));
                let mut copy = sequence.clone();
                copy.read(&store, count, top);
                assert_eq!(copy.entries, other);
            }
        }
    }
}
