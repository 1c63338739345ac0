//! Whole states: from the machine to a byte string and back.
//!
//! A stored state is short: the numbers of the stored forms of its threads, of its globals and of
//! its objects (see the module [`crate::state::entry_tree`]). Equal states have equal byte strings,
//! since stored forms are stored once.

use crate::base::codec::{Reader, put};
use crate::state::clock::Clock;
use crate::state::condition::Condition;
use crate::state::entry_tree::{Changes, EntryTree};
use crate::state::happens_before::HappensBefore;
use crate::state::memory::id_ranges::IdRanges;
use crate::state::memory::reuse::Reuse;
use crate::state::memory::{Entry, Memory};
use crate::state::thread::{Thread, Threads};
use impasse_store::{Id, Interner};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::sync::Arc;

/// How the stored forms of states begin.
const RUNNING: u8 = 0;
const ENDED: u8 = 1;
const INFEASIBLE: u8 = 2;
const DRAINED: u8 = 3;

/// What a stored state is.
pub enum Kind {
    /// The program runs.
    Running,
    /// The program has ended, or the execution does not count any more.
    Ended,
}

/// What a step changed, everything stored.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Delta {
    /// Whether it is drained.
    pub drained: bool,
    /// The clock after the step.
    pub clock: Clock,
    /// How many numbers of threads are in use after the step.
    pub thread_count: u32,
    /// Threads that are new or changed, in ascending order.
    pub threads: SmallVec<[(u32, Id); 2]>,
    /// Globals that changed.
    pub globals: Changes,
    /// Objects that are new, changed or gone.
    pub dynamic: Changes,
}

impl Delta {
    /// Returns whether nothing changes but one thread's frames and what only that thread can reach.
    pub fn is_silent(&self, thread: usize, base: &Base<'_>) -> bool {
        let own = base.memory.id_ranges.own(thread);
        self.drained == base.drained
            && self.thread_count as usize == base.threads.len()
            && self.threads.iter().all(|&(n, _)| n as usize == thread)
            && self.globals.is_empty()
            && self
                .dynamic
                .iter()
                .all(|&(n, _)| base.memory.id_ranges.range_of(n) == own)
    }
}

/// How many threads are kept decoded.
const REMEMBERED: usize = 1 << 14;

/// A decoded state, from which steps start.
pub struct Base<'s> {
    /// Its memory, everything stored.
    pub memory: Memory<'s>,
    /// Its threads.
    pub threads: Threads,
    /// Whether everything is as under sequential consistency from here on, although the memory
    /// model is a weaker one.
    pub drained: bool,
    /// The clock.
    pub clock: Clock,
    /// The numbers of the threads' stored forms.
    pub stored_threads: Vec<Id>,
    /// Its globals.
    pub globals: EntryTree,
    /// Its objects made while running.
    pub dynamic: EntryTree,
    /// The accesses that can still race, if states have a history.
    pub happens_before: Arc<HappensBefore>,
    /// The number of its stored form.
    pub stored_history: Option<Id>,
    /// The same of what is known of freed addresses.
    stored_reuse: Option<Id>,
    /// Which values its inputs may have that are followed symbolically.
    pub condition: Condition,
    /// The number of its stored form.
    stored_condition: Option<Id>,
    tracking: bool,
    decoded: FxHashMap<Id, Arc<Thread>>,
    histories: FxHashMap<Id, Arc<HappensBefore>>,
    /// The stored normal forms of histories, by their bytes before, which say all that the normal
    /// form depends on.
    normal_forms: RefCell<FxHashMap<Box<[u8]>, Id>>,
}

impl<'s> Base<'s> {
    /// Returns a base without a state. `tracking` says whether states have a history.
    pub fn new(memory: Memory<'s>, tracking: bool) -> Self {
        Base {
            memory,
            threads: Threads::default(),
            drained: false,
            clock: Clock::default(),
            stored_threads: Vec::new(),
            globals: EntryTree::default(),
            dynamic: EntryTree::default(),
            happens_before: Arc::default(),
            stored_history: None,
            stored_reuse: None,
            condition: Condition::default(),
            stored_condition: None,
            tracking,
            decoded: FxHashMap::default(),
            histories: FxHashMap::default(),
            normal_forms: RefCell::default(),
        }
    }

    /// Decodes a state, of a program with this number of mutable globals.
    pub fn read(&mut self, state: &[u8], globals: usize) -> Kind {
        let store = self.memory.store;
        let mut reader = Reader::new(state);
        match reader.byte() {
            ENDED | INFEASIBLE => return Kind::Ended,
            kind => self.drained = kind == DRAINED,
        }
        self.clock = Clock::decode(&mut reader);
        let count = reader.small();
        self.threads.truncate(count as usize);
        self.stored_threads.truncate(count as usize);
        for n in 0..count as usize {
            let id = Id(reader.small());
            if self.stored_threads.get(n) == Some(&id) {
                continue;
            }
            let thread = self.decode(store, id);
            if n < self.threads.len() {
                self.threads.set(n, thread);
                self.stored_threads[n] = id;
            } else {
                self.threads.push(thread);
                self.stored_threads.push(id);
            }
        }
        let top = reader.number();
        if self.globals.read(store, globals, top) {
            self.memory.globals.clone_from(&self.globals.entries);
            self.memory.naming.clone_from(&self.globals.naming);
        }
        let dynamic = reader.number() as usize;
        let top = reader.number();
        if self.dynamic.read(store, dynamic, top) {
            self.memory.dynamic.clone_from(&self.dynamic.entries);
        }
        if self.tracking {
            let id = Id(reader.small());
            if self.stored_history != Some(id) {
                self.happens_before = self.decode_history(store, id);
                self.stored_history = Some(id);
            }
        }
        if self.memory.reuse.is_some() {
            let id = Id(reader.small());
            if self.stored_reuse != Some(id) {
                self.memory.reuse = Some(Arc::new(Reuse::decode(store.get(id))));
                self.stored_reuse = Some(id);
            }
        }
        if self.memory.terms.is_some() {
            let id = Id(reader.small());
            if self.stored_condition != Some(id) {
                self.condition = Condition::decode(store.get(id));
                self.stored_condition = Some(id);
            }
        }
        self.memory.reshaped = false;
        self.memory.regrouped = false;
        self.memory.renumbered = false;
        self.memory.id_ranges = IdRanges::of(self.threads.len());
        let alive = self.threads.iter().filter(|t| t.is_alive()).count();
        self.memory.concurrent = alive > 1;
        Kind::Running
    }

    fn decode(&mut self, store: &Interner, id: Id) -> Arc<Thread> {
        if self.decoded.len() >= REMEMBERED {
            self.decoded.clear();
        }
        let decode = || Arc::new(Thread::decode(store.get(id)));
        Arc::clone(self.decoded.entry(id).or_insert_with(decode))
    }

    fn decode_history(&mut self, store: &Interner, id: Id) -> Arc<HappensBefore> {
        if self.histories.len() >= REMEMBERED {
            self.histories.clear();
        }
        let decode = || Arc::new(HappensBefore::decode(store.get(id)));
        Arc::clone(self.histories.entry(id).or_insert_with(decode))
    }

    /// Stores a history and returns its id, or `None` if states have none.
    pub fn store_history(
        &self,
        happens_before: &Arc<HappensBefore>,
        buffer: &mut Vec<u8>,
    ) -> Option<Id> {
        if !self.tracking {
            return None;
        }
        match self.stored_history {
            Some(id) if Arc::ptr_eq(happens_before, &self.happens_before) => Some(id),
            _ => {
                buffer.clear();
                happens_before.encode(buffer);
                let mut known = self.normal_forms.borrow_mut();
                if let Some(&id) = known.get(&buffer[..]) {
                    debug_assert_eq!(id, self.store_normal_form(happens_before, buffer));
                    return Some(id);
                }
                let before: Box<[u8]> = buffer[..].into();
                let id = self.store_normal_form(happens_before, buffer);
                if known.len() >= REMEMBERED {
                    known.clear();
                }
                known.insert(before, id);
                Some(id)
            }
        }
    }

    fn store_normal_form(&self, happens_before: &HappensBefore, buffer: &mut Vec<u8>) -> Id {
        let mut normal = happens_before.clone();
        normal.normalise();
        buffer.clear();
        normal.encode(buffer);
        self.memory.store.intern(buffer).id
    }

    /// Stores what is known of freed addresses and returns its id, or `None` if addresses are not
    /// reused.
    pub fn store_reuse(&self, memory: &Memory<'s>, buffer: &mut Vec<u8>) -> Option<Id> {
        let reuse = memory.reuse.as_ref()?;
        buffer.clear();
        reuse.encode(buffer);
        Some(self.memory.store.intern(buffer).id)
    }

    /// Stores a path condition and returns its id, or `None` if inputs are not followed.
    pub fn store_condition(&self, condition: &Condition, buffer: &mut Vec<u8>) -> Option<Id> {
        self.memory.terms?;
        buffer.clear();
        condition.encode(buffer);
        Some(self.memory.store.intern(buffer).id)
    }

    /// Returns the id of the stored form of a thread, or `None` if the state has none with this
    /// number.
    pub fn stored_thread(&self, thread: usize) -> Option<Id> {
        self.stored_threads.get(thread).copied()
    }

    /// Returns the difference between this state and one that was derived from it. All copies and
    /// frames must be stored.
    pub fn delta(
        &self,
        memory: &Memory<'s>,
        threads: &Threads,
        clock: Clock,
        drained: bool,
    ) -> Delta {
        let mut delta = Delta {
            drained,
            clock,
            thread_count: threads.len() as u32,
            ..Delta::default()
        };
        let mut buffer = Vec::new();
        for (n, thread) in threads.iter().enumerate() {
            let unchanged = threads.is_shared(&self.threads, n)
                || (n < self.threads.len() && self.threads[n] == *thread);
            if !unchanged {
                buffer.clear();
                thread.encode(&mut buffer);
                let id = memory.store.intern(&buffer).id;
                delta.threads.push((n as u32, id));
            }
        }
        // Only what the step copied can have changed, but for objects that were renumbered.
        fn copied(numbers: &[u32]) -> impl Iterator<Item = u32> {
            numbers.iter().copied()
        }
        delta.globals = match self.globals.entries.len() == memory.globals.len() {
            true => changes(
                &self.globals,
                &memory.globals,
                copied(&memory.copied_globals),
            ),
            false => all_changes(&self.globals, &memory.globals),
        };
        delta.dynamic = match memory.renumbered {
            false => changes(
                &self.dynamic,
                &memory.dynamic,
                copied(&memory.copied_dynamic),
            ),
            true => all_changes(&self.dynamic, &memory.dynamic),
        };
        debug_assert_eq!(delta.globals, all_changes(&self.globals, &memory.globals));
        debug_assert_eq!(delta.dynamic, all_changes(&self.dynamic, &memory.dynamic));
        delta
    }

    /// Returns the number of the stored form that a thread has in another state, if that differs
    /// from this one in nothing else. Of the optional parts, both may have a history.
    pub fn other_thread(&self, thread: usize, state: &[u8]) -> Option<Id> {
        let mut reader = Reader::new(state);
        let kind = if self.drained { DRAINED } else { RUNNING };
        if reader.byte() != kind
            || Clock::decode(&mut reader) != self.clock
            || reader.small() as usize != self.stored_threads.len()
        {
            return None;
        }
        let mut changed = None;
        for (n, known) in self.stored_threads.iter().enumerate() {
            let id = Id(reader.small());
            match n == thread {
                true => changed = Some(id),
                false if id != *known => return None,
                false => {}
            }
        }
        let same = reader.number() == self.globals.top()
            && reader.number() as usize == self.dynamic.entries.len()
            && reader.number() == self.dynamic.top()
            && (!self.tracking || Some(Id(reader.small())) == self.stored_history)
            && reader.is_empty();
        changed.filter(|_| same)
    }

    /// Encodes the state in which a thread has another stored form, and which differs from this one
    /// in nothing else. Of the optional parts, both may have a history.
    pub fn with_thread(&self, thread: usize, stored: Id, out: &mut Vec<u8>) {
        out.clear();
        out.push(if self.drained { DRAINED } else { RUNNING });
        self.clock.encode(out);
        put(out, self.stored_threads.len() as u64);
        for (n, known) in self.stored_threads.iter().enumerate() {
            let id = if n == thread { stored } else { *known };
            put(out, id.0 as u64);
        }
        put(out, self.globals.top());
        put(out, self.dynamic.entries.len() as u64);
        put(out, self.dynamic.top());
        if let Some(history) = self.stored_history.filter(|_| self.tracking) {
            put(out, history.0 as u64);
        }
    }

    /// Encodes the state that has these changes, and these optional parts.
    pub fn write(
        &mut self,
        delta: &Delta,
        parts: [Option<Id>; 3],
        out: &mut Vec<u8>,
        buffer: &mut Vec<u8>,
    ) {
        let store = self.memory.store;
        out.clear();
        out.push(if delta.drained { DRAINED } else { RUNNING });
        delta.clock.encode(out);
        put(out, delta.thread_count as u64);
        let mut changed = delta.threads.iter().peekable();
        for n in 0..delta.thread_count {
            let id = match changed.next_if(|&&(m, _)| m == n) {
                Some(&(_, id)) => id,
                None => self.stored_threads[n as usize],
            };
            put(out, id.0 as u64);
        }
        let count = self.memory.program.mutable_globals() as usize;
        let globals = match delta.globals.is_empty() {
            true => self.globals.top(),
            false => self.globals.write(store, &delta.globals, count, buffer),
        };
        put(out, globals);
        let count = self.dynamic_count(delta);
        put(out, count as u64);
        let dynamic = match delta.dynamic.is_empty() && count == self.dynamic.entries.len() {
            true => self.dynamic.top(),
            false => {
                let there = delta
                    .dynamic
                    .partition_point(|&(n, _)| (n as usize) < count);
                self.dynamic
                    .write(store, &delta.dynamic[..there], count, buffer)
            }
        };
        put(out, dynamic);
        for part in parts.into_iter().flatten() {
            put(out, part.0 as u64);
        }
    }

    /// How many numbers of objects a state with these changes has: whole stripes, as few as
    /// possible.
    fn dynamic_count(&self, delta: &Delta) -> usize {
        let before = self.dynamic.entries.len() as u32;
        let id_ranges = IdRanges::of(delta.thread_count as usize);
        let there = delta.dynamic.iter().filter(|(_, e)| *e != Entry::Hole);
        let changed = there.map(|&(n, _)| n + 1).max().unwrap_or(0);
        if changed <= before && before == id_ranges.stripes(0) {
            return before as usize;
        }
        let gone = |n: &u32| delta.dynamic.binary_search_by_key(n, |&(n, _)| n).is_ok();
        let stays = |n: &u32| self.dynamic.entry(*n) != Entry::Hole && !gone(n);
        let kept = (changed..before).rev().find(stays).map_or(0, |n| n + 1);
        id_ranges.stripes(changed.max(kept)) as usize
    }
}

/// Which of some entries differ.
fn changes(before: &EntryTree, after: &[Entry], numbers: impl Iterator<Item = u32>) -> Changes {
    let entry = |n: u32| after.get(n as usize).copied().unwrap_or(Entry::Hole);
    let entries = numbers.map(|n| (n, entry(n)));
    entries.filter(|&(n, e)| before.entry(n) != e).collect()
}

/// Which entries differ at all.
fn all_changes(before: &EntryTree, after: &[Entry]) -> Changes {
    let count = after.len().max(before.entries.len());
    changes(before, after, 0..count as u32)
}

/// Returns whether a stored state has no threads any more.
pub fn has_ended(state: &[u8]) -> bool {
    matches!(state.first(), Some(&(ENDED | INFEASIBLE)))
}

/// Returns whether a stored state is drained.
pub fn is_drained(state: &[u8]) -> bool {
    state.first() == Some(&DRAINED)
}

/// Returns the numbers of the stored threads of a stored state, or `None` once the program has
/// ended.
pub fn stored_threads(state: &[u8]) -> Option<impl Iterator<Item = Id>> {
    let mut reader = Reader::new(state);
    if let ENDED | INFEASIBLE = reader.byte() {
        return None;
    }
    Clock::decode(&mut reader);
    let count = reader.small();
    Some((0..count).map(move |_| Id(reader.small())))
}

/// Encodes the state in which an execution ends because an assumption does not hold.
pub fn infeasible(out: &mut Vec<u8>) {
    out.clear();
    out.push(INFEASIBLE);
}

/// Encodes the state in which the program has ended with a status.
pub fn ended(status: i32, out: &mut Vec<u8>) {
    out.clear();
    out.push(ENDED);
    put(out, status as u32 as u64);
}
