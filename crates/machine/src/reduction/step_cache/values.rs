//! What a state has in its parts, as numbers: equal numbers are equal parts.

use crate::state::canonical::{held_of_id_range, names_of_thread};
use crate::state::encoding::Base;
use crate::state::entry_tree::number_of;
use crate::state::memory::Entry;
use crate::state::memory::object::{ObjectView, dynamic, set_bits};
use crate::state::memory::word_reads::word_of;
use crate::state::read_set::ReadSetEntry;
use crate::state::thread::{Identity, Thread};
use impasse_program::address::ObjectId;
use impasse_program::word::Word;
use impasse_store::{Id, Interner};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::hash::Hash;

/// How many numbers of each kind are kept by what they were derived from.
const REMEMBERED: usize = 1 << 16;

/// Numbers given so far, and what they were given to.
#[derive(Default)]
pub struct Values {
    numbers: Numbers,
    records: FxHashMap<Id, u64>,
    identities: FxHashMap<Id, u64>,
    waits: FxHashMap<Id, u64>,
    threads: FxHashMap<Id, u64>,
    globals: FxHashMap<u64, u64>,
    dynamic: FxHashMap<(u64, usize), u64>,
    words: FxHashMap<(u64, u64, bool), u64>,
}

impl Values {
    /// Returns how many different contents have numbers.
    pub fn len(&self) -> usize {
        self.numbers.known.len() + self.words.len()
    }

    /// The number of a word: most stand for themselves.
    fn of_word(&mut self, word: Word) -> u64 {
        const OTHER: u64 = 1 << 63;
        if word.undefined == 0 && !word.pointer && word.bits < OTHER {
            return word.bits;
        }
        let next = OTHER | self.words.len() as u64;
        let key = (word.bits, word.undefined, word.pointer);
        *self.words.entry(key).or_insert(next)
    }

    /// Returns what a state has in a part.
    pub fn of(&mut self, part: ReadSetEntry, base: &Base<'_>) -> u64 {
        let store = base.memory.store;
        let numbers = &mut self.numbers;
        match part {
            ReadSetEntry::Global(n) => number_of(base.globals.entry(n)),
            ReadSetEntry::Word(n, index) => match base.globals.entry(n) {
                Entry::Stored(id) => {
                    let word = word_of(ObjectView::new(store.get(id)), index as usize);
                    self.of_word(word)
                }
                Entry::Hole | Entry::Copied(_) => u64::MAX,
            },
            ReadSetEntry::Dynamic(n) => number_of(base.dynamic.entry(n)),
            ReadSetEntry::Thread(n) => base
                .stored_threads
                .get(n as usize)
                .map_or(0, |id| id.0 as u64 + 1),
            ReadSetEntry::Record(n) => match base.stored_threads.get(n as usize) {
                None => u64::MAX,
                Some(&id) => remember(&mut self.records, id, || {
                    numbers.of(encoded(&base.threads[n as usize].record()))
                }),
            },
            ReadSetEntry::Identity(n) => match base.stored_threads.get(n as usize) {
                None => u64::MAX,
                Some(&id) => remember(&mut self.identities, id, || {
                    let Identity {
                        phase,
                        handle,
                        is_free,
                        is_detached,
                        is_timer,
                        kind,
                    } = base.threads[n as usize].identity();
                    let [free, detached, timer] = [is_free, is_detached, is_timer].map(u64::from);
                    let kind = [kind.routine, kind.creator].map(u64::from);
                    let (phase, handle) = (phase as u64, handle.0.into());
                    numbers.of(vec![phase, handle, free, detached, timer, kind[0], kind[1]])
                }),
            },
            ReadSetEntry::Wait(n) => match base.stored_threads.get(n as usize) {
                None => u64::MAX,
                Some(&id) => remember(&mut self.waits, id, || {
                    let mut waiting = Thread::new(ObjectId::NULL);
                    waiting.wait = base.threads[n as usize].wait;
                    numbers.of(encoded(&waiting))
                }),
            },
            ReadSetEntry::NamesOfThread(n) => match base.stored_threads.get(n as usize) {
                None => 0,
                Some(&id) => remember(&mut self.threads, id, || {
                    let mut content = Vec::new();
                    for names in names_of_thread(&base.threads[n as usize], store) {
                        content.push(names.len() as u64);
                        content.extend(names.iter().map(|object| object.0 as u64));
                    }
                    numbers.of(content)
                }),
            },
            ReadSetEntry::HeldOfIdRange(n, id_range) => {
                let held =
                    held_of_id_range(&base.threads[n as usize], base.memory.id_ranges, id_range);
                let content: Vec<u64> = held.map(u64::from).collect();
                match content.as_slice() {
                    [] => u64::MAX - 1,
                    _ => numbers.of(content),
                }
            }
            ReadSetEntry::DelayedBesides(n) => base.threads.any_delayed_besides(n as usize) as u64,
            ReadSetEntry::NamesOfGlobals => remember(&mut self.globals, base.globals.top(), || {
                numbers.of(names_of_globals(base))
            }),
            ReadSetEntry::NamesOfDynamic => {
                let key = (base.dynamic.top(), base.dynamic.entries.len());
                remember(&mut self.dynamic, key, || {
                    numbers.of(names_of_dynamic(base))
                })
            }
        }
    }
}

fn remember<K: Hash + Eq>(
    known: &mut FxHashMap<K, u64>,
    key: K,
    value: impl FnOnce() -> u64,
) -> u64 {
    if known.len() >= REMEMBERED {
        known.clear();
    }
    *known.entry(key).or_insert_with(value)
}

/// Numbers by content.
#[derive(Default)]
struct Numbers {
    known: FxHashMap<Vec<u64>, u64>,
}

impl Numbers {
    fn of(&mut self, content: Vec<u64>) -> u64 {
        let next = self.known.len() as u64;
        match self.known.entry(content) {
            Occupied(known) => *known.get(),
            Vacant(new) => *new.insert(next),
        }
    }
}

fn encoded(thread: &Thread) -> Vec<u64> {
    let mut bytes = Vec::new();
    thread.encode(&mut bytes);
    bytes.into_iter().map(u64::from).collect()
}

/// Each global that names any, followed by what it names.
fn names_of_globals(base: &Base<'_>) -> Vec<u64> {
    let mut content = Vec::new();
    for global in set_bits(base.globals.naming.iter().copied()) {
        content.push(global as u64);
        names_in(
            base.memory.store,
            base.globals.entries[global],
            &mut content,
        );
    }
    content
}

/// Each object, what is known of it, and what it names.
fn names_of_dynamic(base: &Base<'_>) -> Vec<u64> {
    let mut content = Vec::new();
    for (n, &entry) in base.dynamic.entries.iter().enumerate() {
        if let Entry::Stored(id) = entry {
            let object = ObjectView::new(base.memory.store.get(id));
            let known = (object.flags().bits() as u64) << 8 | object.class() as u64;
            content.extend([n as u64, known]);
            names_in(base.memory.store, entry, &mut content);
        }
    }
    content
}

/// Names have the upper half of a word to themselves, so that they are no numbers of objects.
fn names_in(store: &Interner, entry: Entry, content: &mut Vec<u64>) {
    if let Entry::Stored(id) = entry {
        let names = dynamic(ObjectView::new(store.get(id)).pointers());
        content.extend(names.map(|object| (object.0 as u64) << 32));
    }
}
