//! The threads of a state, and which of them a step reads.

use super::{Held, Phase, Thread, Wait};
use crate::state::access_history::AccessHistory;
use crate::state::store_buffer::Buffer;
use impasse_program::address::ObjectId;
use std::cell::Cell;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// Which threads were looked at: one bit for each of the first 64.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Seen {
    /// The whole record.
    pub records: u64,
    /// What others know it by.
    pub identities: u64,
    /// What it waits for.
    pub waits: u64,
}

impl Seen {
    /// Returns the union.
    pub fn or(self, other: Seen) -> Seen {
        Seen {
            records: self.records | other.records,
            identities: self.identities | other.identities,
            waits: self.waits | other.waits,
        }
    }

    /// Returns what was read of these threads.
    pub fn of(self, threads: u64) -> Seen {
        Seen {
            records: self.records & threads,
            identities: self.identities & threads,
            waits: self.waits & threads,
        }
    }
}

/// Words of bits for threads that a step touches: numbers that are equal modulo the bits are not
/// told apart.
const TOUCHED: usize = 8;

/// What a thread was started in, and by whom. All threads of a kind execute the same code; nothing
/// but what they were given, and when they move, distinguishes them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct ThreadKind {
    /// One more than the number of the start routine; 0 for the main thread.
    pub routine: u32,
    /// The number of the thread that started it.
    pub creator: u32,
}

/// What others know a thread by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    /// How far it has come.
    pub phase: Phase,
    /// The object that its `pthread_t` names.
    pub handle: ObjectId,
    /// Whether a new thread may have its number.
    pub is_free: bool,
    /// Whether it was detached.
    pub is_detached: bool,
    /// Whether it stands for a timer.
    pub is_timer: bool,
    /// What it was started in, and by whom.
    pub kind: ThreadKind,
}

impl Identity {
    /// Returns whether the thread can still act.
    pub fn is_alive(self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Exiting)
    }
}

/// The threads of a state. Copies share each thread until one of them changes it.
#[derive(Clone, Default, Debug)]
pub struct Threads {
    list: Vec<Arc<Thread>>,
    /// Whether to note who is looked at.
    recording: Cell<bool>,
    seen: Cell<Seen>,
    /// Which records were read or changed since the footprint of the step began.
    touched: [Cell<u64>; TOUCHED],
}

impl Threads {
    /// Returns the number of thread numbers in use.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns all threads.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Thread> + Clone {
        if self.recording.get() {
            self.touched.iter().for_each(|touched| touched.set(!0));
        }
        self.note(Seen {
            records: !0,
            ..Seen::default()
        });
        self.list.iter().map(|thread| &**thread)
    }

    /// Returns what each thread has delayed. A step that depends on it names the bytes that it
    /// looks for, in its footprint.
    pub fn buffers(&self) -> impl ExactSizeIterator<Item = &Buffer> + Clone {
        self.note(Seen {
            records: !0,
            ..Seen::default()
        });
        self.list.iter().map(|thread| &thread.buffer)
    }

    /// Returns what identifies each thread to others.
    pub fn identities(&self) -> impl ExactSizeIterator<Item = Identity> + Clone {
        let identities = !0;
        self.note(Seen {
            identities,
            ..Seen::default()
        });
        self.list.iter().map(|thread| thread.identity())
    }

    /// Returns what identifies a thread to others.
    pub fn identity(&self, number: usize) -> Identity {
        self.note(Seen {
            identities: 1 << (number % 64),
            ..Seen::default()
        });
        self.list[number].identity()
    }

    /// Returns what each thread waits for.
    pub fn waits(&self) -> impl ExactSizeIterator<Item = Wait> + Clone {
        let waits = !0;
        self.note(Seen {
            waits,
            ..Seen::default()
        });
        self.list.iter().map(|thread| thread.wait)
    }

    /// Returns what each thread holds. A step that depends on it names the object in its footprint,
    /// as do those that begin and end to hold it.
    pub fn held(&self) -> impl ExactSizeIterator<Item = &[Option<Held>]> + Clone {
        self.note(Seen {
            records: !0,
            ..Seen::default()
        });
        self.list.iter().map(|thread| &*thread.held)
    }

    /// Returns whether a thread other than this one has delayed stores. Records no read.
    pub fn any_delayed_besides(&self, number: usize) -> bool {
        let mut others = (0..).zip(&self.list).filter(|(n, _)| *n != number);
        others.any(|(_, thread)| !thread.buffer.is_empty())
    }

    /// Switches the recording of reads on or off.
    pub fn record(&self, recording: bool) {
        self.recording.set(recording);
    }

    /// Returns which threads were read since the last call.
    pub fn take_seen(&self) -> Seen {
        self.seen.take()
    }

    /// Begins the footprint of a step.
    pub fn begin_footprint(&self) {
        self.touched.iter().for_each(|touched| touched.set(0));
    }

    /// Returns the numbers of the threads whose records were read or changed since.
    pub fn touched(&self) -> impl Iterator<Item = usize> + '_ {
        let is_touched =
            |number: &usize| self.touched[number / 64 % TOUCHED].get() >> (number % 64) & 1 == 1;
        (0..self.list.len()).filter(is_touched)
    }

    #[inline]
    fn note(&self, seen: Seen) {
        if self.recording.get() {
            self.seen.set(self.seen.get().or(seen));
        }
    }

    #[inline]
    fn note_record(&self, number: usize) {
        if self.recording.get() {
            let touched = &self.touched[number / 64 % TOUCHED];
            touched.set(touched.get() | 1 << (number % 64));
        }
        self.note(Seen {
            records: 1 << (number % 64),
            ..Seen::default()
        });
    }

    /// Adds a thread.
    pub fn push(&mut self, thread: Arc<Thread>) {
        self.list.push(thread);
    }

    /// Changes something in the record of a thread that the footprint of the step names otherwise:
    /// by what the thread waits for, which its own step has too, or as [`Place::Detached`].
    ///
    /// [`Place::Detached`]: crate::machine::footprint::Place::Detached
    pub fn change_named(&mut self, number: usize, change: impl FnOnce(&mut Thread)) {
        self.note(Seen {
            records: 1 << (number % 64),
            ..Seen::default()
        });
        change(Arc::make_mut(&mut self.list[number]));
    }

    /// Replaces a thread.
    pub fn set(&mut self, number: usize, thread: Arc<Thread>) {
        self.list[number] = thread;
    }

    /// Removes all but the first `count` threads.
    pub fn truncate(&mut self, count: usize) {
        self.list.truncate(count);
    }

    /// Becomes a copy of another.
    pub fn restore(&mut self, from: &Threads) {
        self.list.clone_from(&from.list);
    }

    /// Returns whether a thread is the same object in both, and so certainly unchanged.
    pub fn is_shared(&self, other: &Threads, number: usize) -> bool {
        match (self.list.get(number), other.list.get(number)) {
            (Some(mine), Some(theirs)) => Arc::ptr_eq(mine, theirs),
            _ => false,
        }
    }

    /// Returns the plain accesses that a thread made since its last visible action. Records no
    /// read: what is read here is compared with each step.
    pub fn access_history(&self, number: usize) -> &AccessHistory {
        &self.list[number].access_history
    }

    /// Forgets the plain accesses that a thread made since its last visible action: no thread can
    /// race with them. No step depends on it.
    pub fn clear_access_history(&mut self, number: usize) {
        Arc::make_mut(&mut self.list[number]).access_history.clear();
    }

    /// Shares a thread of another.
    pub fn share(&mut self, other: &Threads, number: usize) {
        self.list[number] = Arc::clone(&other.list[number]);
    }
}

impl Index<usize> for Threads {
    type Output = Thread;
    fn index(&self, number: usize) -> &Thread {
        self.note_record(number);
        &self.list[number]
    }
}

impl IndexMut<usize> for Threads {
    fn index_mut(&mut self, number: usize) -> &mut Thread {
        self.note_record(number);
        Arc::make_mut(&mut self.list[number])
    }
}
