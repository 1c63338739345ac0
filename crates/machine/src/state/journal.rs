//! What a replay knows beyond the states that it passes: which of several objects is meant, who
//! freed an object and where, and which of several threads.
//!
//! A state has no past. Objects are renumbered when a state is stored, and a new thread can get the
//! number of a joined one. So a replay keeps a journal beside the states, by their present numbers,
//! and renumbers it with them. The search keeps none, and nothing that a step does depends on one.

use crate::state::canonical::Canonicaliser;
use crate::state::memory::Memory;
use impasse_program::address::ObjectId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The journal of a path.
#[derive(Clone, Default, Debug)]
pub struct Journal {
    /// How many objects were allocated so far, by what they are called.
    allocations: BTreeMap<String, u32>,
    /// The allocated objects, and the freed ones that something still refers to.
    objects: BTreeMap<ObjectId, Life>,
    /// How many threads were started before each thread, by the number that it has in the state.
    threads: BTreeMap<usize, u32>,
    /// How many threads were started.
    started: u32,
}

/// The past of an object.
#[derive(Clone, Debug)]
struct Life {
    /// How many objects that are called the same were allocated before.
    twins: u32,
    /// Who freed it, and where, in words.
    freed: Option<String>,
}

impl Journal {
    /// A journal that goes on after this one in states with other objects, but the same threads.
    pub fn of_threads(&self) -> Journal {
        Journal {
            threads: self.threads.clone(),
            started: self.started,
            ..Journal::default()
        }
    }

    /// The number that a thread has in reports, where none is given twice.
    pub fn thread(&self, number: usize) -> u32 {
        let reported = self.threads.get(&number).copied();
        reported.unwrap_or(number as u32)
    }

    /// A thread is started, with a number that a thread may have had that is gone.
    fn start(&mut self, number: usize) {
        self.started += 1;
        self.threads.insert(number, self.started);
    }

    fn allocate(&mut self, object: ObjectId, name: String) {
        let count = self.allocations.entry(name).or_default();
        let life = Life {
            twins: *count,
            freed: None,
        };
        *count += 1;
        self.objects.insert(object, life);
    }

    fn free(&mut self, object: ObjectId, how: String) {
        if let Some(life) = self.objects.get_mut(&object) {
            life.freed = Some(how);
        }
    }

    fn renumber(&mut self, canonicaliser: &Canonicaliser) {
        let changed = canonicaliser.changed_names();
        let moved: Vec<(ObjectId, Life)> = changed
            .iter()
            .filter_map(|(old, new)| Some((*new, self.objects.remove(old)?)))
            .filter_map(|(new, life)| Some((new?, life)))
            .collect();
        self.objects.extend(moved);
    }
}

impl Memory<'_> {
    fn journal_mut(&mut self) -> Option<&mut Journal> {
        self.journal.as_mut().map(Arc::make_mut)
    }

    /// An object was allocated, by the program.
    pub fn record_allocation(&mut self, object: ObjectId) {
        if self.journal.is_some() {
            let name = self.describe(object);
            self.journal_mut()
                .expect("there is one")
                .allocate(object, name);
        }
    }

    /// The program has freed an object, as said in words.
    pub fn record_free(&mut self, object: ObjectId, how: String) {
        if let Some(journal) = self.journal_mut() {
            journal.free(object, how);
        }
    }

    /// A thread was started, with a number.
    pub fn record_start(&mut self, thread: usize) {
        if let Some(journal) = self.journal_mut() {
            journal.start(thread);
        }
    }

    /// Objects have new numbers, or are gone.
    pub fn renumber_journal(&mut self, canonicaliser: &Canonicaliser) {
        if canonicaliser.changed
            && let Some(journal) = self.journal_mut()
        {
            journal.renumber(canonicaliser);
        }
    }

    /// The number that a thread has in reports.
    pub fn reported_thread(&self, number: usize) -> u32 {
        let journal = self.journal.as_ref();
        journal.map_or(number as u32, |journal| journal.thread(number))
    }

    /// What follows the description of an object where others are described in the same way.
    pub fn which(&self, object: ObjectId) -> String {
        let journal = self.journal.as_ref();
        let life = journal.and_then(|journal| journal.objects.get(&object));
        match life.map_or(0, |life| life.twins) {
            0 => String::new(),
            twins => format!(" ({})", ordinal(twins + 1)),
        }
    }

    /// Who freed an object, and where, in words; empty if that is not known.
    pub fn freed_by(&self, object: ObjectId) -> String {
        let journal = self.journal.as_ref();
        let life = journal.and_then(|journal| journal.objects.get(&object));
        let freed = life.and_then(|life| life.freed.as_ref());
        freed.map_or(String::new(), |how| format!(" {how}"))
    }
}

/// A number as in "2nd".
fn ordinal(number: u32) -> String {
    let suffix = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_are_written_as_in_english() {
        let written = [2, 3, 4, 11, 12, 13, 21, 22, 103, 112].map(ordinal);
        let expected = [
            "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "103rd", "112th",
        ];
        assert_eq!(written, expected);
    }

    #[test]
    fn threads_that_get_the_number_of_another_one_have_their_own_name() {
        let mut journal = Journal::default();
        assert_eq!(journal.thread(0), 0);
        journal.start(1);
        journal.start(2);
        journal.start(1);
        assert_eq!([0, 1, 2].map(|n| journal.thread(n)), [0, 3, 2]);
    }
}
