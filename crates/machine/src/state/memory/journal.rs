//! What a memory notes in the journal of a replay ([`crate::state::journal`]).

use super::Memory;
use crate::state::journal::Journal;
use impasse_program::address::ObjectId;
use std::sync::Arc;

impl Memory<'_> {
    fn journal_mut(&mut self) -> Option<&mut Journal> {
        self.journal.as_mut().map(Arc::make_mut)
    }

    /// Records that the program allocated an object.
    pub fn record_allocation(&mut self, object: ObjectId) {
        if self.journal.is_some() {
            let name = self.describe(object);
            self.journal_mut()
                .expect("there is one")
                .allocate(object, name);
        }
    }

    /// Records that the program freed an object; `how` says by which thread, and where.
    pub fn record_free(&mut self, object: ObjectId, how: String) {
        if let Some(journal) = self.journal_mut() {
            journal.free(object, how);
        }
    }

    /// Records that a thread was started, with a number.
    pub fn record_start(&mut self, thread: usize) {
        if let Some(journal) = self.journal_mut() {
            journal.start(thread);
        }
    }

    /// Renames objects in the journal, and drops those that are gone.
    pub fn renumber_journal(&mut self, names: &[(ObjectId, Option<ObjectId>)]) {
        if let Some(journal) = self.journal_mut() {
            journal.renumber(names);
        }
    }

    /// Returns the number of a thread in reports.
    pub fn reported_thread(&self, number: usize) -> u32 {
        let journal = self.journal.as_ref();
        journal.map_or(number as u32, |journal| journal.thread(number))
    }

    /// Returns what distinguishes an object from others with the same description; empty if there
    /// is none.
    pub fn which(&self, object: ObjectId) -> String {
        let journal = self.journal.as_ref();
        let life = journal.and_then(|journal| journal.objects.get(&object));
        match life.map_or(0, |life| life.twins) {
            0 => String::new(),
            twins => format!(" ({})", ordinal(twins + 1)),
        }
    }

    /// Returns the number of an object among those that were allocated at its place, from 1.
    pub fn number_of(&self, object: ObjectId) -> u32 {
        let journal = self.journal.as_ref();
        let life = journal.and_then(|journal| journal.objects.get(&object));
        life.map_or(0, |life| life.twins) + 1
    }

    /// Returns who freed an object, and where, in words; empty if that is unknown.
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
}
