//! What a memory notes in the journal of a replay ([`crate::state::journal`]).

use super::Memory;
use crate::state::journal::{Journal, Life};
use impasse_program::address::ObjectId;
use impasse_program::allocated::UsedAs;
use std::sync::Arc;

impl Memory<'_> {
    fn journal_mut(&mut self) -> Option<&mut Journal> {
        self.journal.as_mut().map(Arc::make_mut)
    }

    /// Records that the program allocated an object, and as what, if that is known.
    pub fn record_allocation(&mut self, object: ObjectId, used_as: Option<UsedAs>) {
        let program = self.program;
        if let Some(journal) = self.journal_mut() {
            let name = used_as.and_then(|it| program.own_type_name(it.unit, it.ty));
            journal.allocate(object, name.unwrap_or("object"), used_as);
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

    fn life(&self, object: ObjectId) -> Option<&Life> {
        self.journal.as_ref()?.objects.get(&object)
    }

    /// Returns the name of an allocated object that stays the same on a path and that no other one
    /// has there, as in `Node#3`; `None` if there is no journal.
    pub fn allocation_name(&self, object: ObjectId) -> Option<&str> {
        Some(&self.life(object)?.name)
    }

    /// Returns what an object was allocated as, or `None` if that is not known.
    pub fn allocated_as(&self, object: ObjectId) -> Option<UsedAs> {
        self.life(object)?.used_as
    }

    /// Returns who freed an object, and where, in words; empty if that is unknown.
    pub fn freed_by(&self, object: ObjectId) -> String {
        let freed = self.life(object).and_then(|life| life.freed.as_ref());
        freed.map_or(String::new(), |how| format!(" {how}"))
    }
}
