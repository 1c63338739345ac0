//! The read set of a step: the parts of the state that the step depends on.

use std::cell::{Cell, Ref, RefCell};

/// Steps that read more than this are not worth keeping.
pub const LIMIT: usize = 64;

/// A part of a state that a step can read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReadSetEntry {
    /// The global with this index.
    Global(u32),
    /// A word of it.
    Word(u32, u32),
    /// The object made while running that has this index.
    Dynamic(u32),
    /// A thread, apart from its frames.
    Record(u32),
    /// What others know a thread by.
    Identity(u32),
    /// What a thread waits for.
    Wait(u32),
    /// A thread with its frames.
    Thread(u32),
    /// Which objects made while running a thread and its frames have to do with, in order.
    NamesOfThread(u32),
    /// Which objects of an id range a thread holds.
    HeldOfIdRange(u32, u32),
    /// Which ones the globals name.
    NamesOfGlobals,
    /// Which ones they name themselves, and what is known of each besides its content.
    NamesOfDynamic,
    /// Whether a thread other than this one has delayed stores.
    DelayedBesides(u32),
}

/// What the execution of a step reads of memory.
#[derive(Default)]
pub struct ReadSet {
    recording: Cell<bool>,
    entries: RefCell<Vec<ReadSetEntry>>,
    /// Whether something was looked at that had to be noted, while nothing was.
    missed: Cell<bool>,
}

impl ReadSet {
    /// Clears the read set at the beginning of a step.
    pub fn begin(&self) {
        self.entries.borrow_mut().clear();
        self.missed.set(false);
    }

    /// Returns the entries, in order; at most [`LIMIT`], or one more if there are too many.
    pub fn entries(&self) -> Ref<'_, Vec<ReadSetEntry>> {
        self.entries.borrow()
    }

    /// Returns whether the step depends on more than the entries.
    pub fn missed(&self) -> bool {
        self.missed.get()
    }

    /// Adds an entry of which a part was read before.
    pub fn note_late(&self, part: ReadSetEntry) {
        self.note(part);
        self.missed.set(self.missed.get() || !self.recording.get());
    }

    /// Switches recording on or off.
    pub fn record(&self, recording: bool) {
        self.recording.set(recording);
    }

    /// Returns whether reads are recorded.
    pub fn is_recording(&self) -> bool {
        self.recording.get()
    }

    /// Adds everything that canonicalising the heap reads, for this number of threads.
    pub fn note_names(&self, threads: usize) {
        if self.recording.get() {
            self.add(ReadSetEntry::NamesOfGlobals);
            self.add(ReadSetEntry::NamesOfDynamic);
            (0..threads as u32).for_each(|n| self.add(ReadSetEntry::NamesOfThread(n)));
        }
    }

    /// Adds an entry, if recording is on.
    #[inline]
    pub fn note(&self, part: ReadSetEntry) {
        if self.recording.get() {
            self.add(part);
        }
    }

    #[cold]
    fn add(&self, part: ReadSetEntry) {
        let mut entries = self.entries.borrow_mut();
        if entries.len() <= LIMIT && !entries.contains(&part) {
            entries.push(part);
        }
    }
}
