//! Threads: what a state knows of one besides its frames.

mod held;
mod stored;
mod threads;

use crate::state::access_history::AccessHistory;
use crate::state::frame::FrameImage;
use crate::state::signal::Signals;
use crate::state::store_buffer::{Buffer, Entry};
use impasse_program::address::{Address, ObjectId};
use impasse_program::word::Word;
use impasse_store::Id;
use smallvec::SmallVec;

pub use held::{Held, HeldKind};
pub use threads::{Identity, Seen, ThreadKind, Threads};

/// How far a thread has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Phase {
    /// It runs the program.
    Running = 0,
    /// Its start routine is left; destructors run.
    Exiting = 1,
    /// It has ended, and can be joined.
    Finished = 2,
    /// It has ended and no thread can refer to it any more; its number can be given again.
    Gone = 3,
}

/// A stage of a blocking operation that takes more than one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wait {
    /// None: the thread is where its next instruction says.
    #[default]
    None,
    /// It waits for a signal of the condition variable.
    Condition {
        condition: Word,
        mutex: Word,
        /// When it ends by itself, in nanoseconds; 0 if it does not, or while the clock stands
        /// still.
        until: Word,
    },
    /// It was woken (or gave up, with an error number) and has to get the mutex again.
    Woken {
        mutex: Word,
        result: u32,
        cancellation: WokenCancellation,
    },
    /// It waits at the barrier.
    Barrier { barrier: Word },
    /// The barrier let it pass.
    Passed,
    /// It has stored the id of a thread that it is about to start.
    Starting {
        handle: Word,
        detached: bool,
        is_timer: bool,
    },
}

/// Whether a thread that was woken from a wait for a condition still reacts in that wait to a
/// request to cancel it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum WokenCancellation {
    /// It may, or return first: it was woken before it knew.
    MayReact = 0,
    /// It does: that is what woke it.
    Reacts = 1,
    /// It does not: it consumes a signal that another thread would have got otherwise.
    Returns = 2,
}

/// The last number that is not given again after the thread was detached.
const DETACHED_ONCE: usize = 8;

/// A thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// How far it has come.
    pub phase: Phase,
    /// The object that stands for it: what `pthread_t` points to.
    pub handle: ObjectId,
    /// Whether no thread will join it. Once it is gone: whether its number is not given again.
    pub detached: bool,
    /// Whether it stands for a timer: the process ends without it.
    pub is_timer: bool,
    /// What it was started in, and by whom.
    pub kind: ThreadKind,
    /// Whether it was stopped in the middle of a computation that continued for long without a
    /// visible action.
    pub preempted: bool,
    /// How many atomic sections it is in.
    pub atomic: u32,
    /// For each of them, the number of the frame that it belongs to (the outermost frame's is 0):
    /// the one that began it, or, once that has returned, its caller.
    pub sections: SmallVec<[u32; 1]>,
    /// What it holds, by slots: each keeps its slot until it is given up, and the last slot is in
    /// use. The number of a thread that ended with locks is not given again.
    pub held: SmallVec<[Option<Held>; 1]>,
    /// Whether its cancellation was requested.
    pub cancel_requested: bool,
    /// Whether it does not react to cancellation at present.
    pub cancel_disabled: bool,
    /// Whether it reacts to cancellation anywhere, not at cancellation points only.
    pub cancel_asynchronous: bool,
    /// Where it is in an operation of several steps.
    pub wait: Wait,
    /// Signals that it blocks, that wait for it, that it handles.
    pub signals: Signals,
    /// What its start routine returned.
    pub result: Word,
    /// Its copies of thread-local variables, by the variable's index.
    pub locals: SmallVec<[(u32, ObjectId); 2]>,
    /// Its stores that have not reached memory yet.
    pub buffer: Buffer,
    /// The plain accesses that it made since its last visible action.
    pub access_history: AccessHistory,
    /// Stored frames, outermost first.
    pub frames: SmallVec<[Id; 8]>,
    /// Frames within those, not stored yet. While the thread runs, its innermost ones are in the
    /// machine's stack.
    pub images: Vec<FrameImage>,
}

impl Thread {
    /// Returns a thread that has not started.
    pub fn new(handle: ObjectId) -> Thread {
        Thread {
            phase: Phase::Running,
            handle,
            detached: false,
            is_timer: false,
            kind: ThreadKind::default(),
            preempted: false,
            atomic: 0,
            sections: SmallVec::new(),
            held: SmallVec::new(),
            cancel_requested: false,
            cancel_disabled: false,
            cancel_asynchronous: false,
            wait: Wait::None,
            signals: Signals::default(),
            result: Word::number(0),
            locals: SmallVec::new(),
            buffer: Buffer::default(),
            access_history: AccessHistory::default(),
            frames: SmallVec::new(),
            images: Vec::new(),
        }
    }

    /// Returns the part of the thread that other threads may read: all but its frames and its
    /// access history.
    pub fn record(&self) -> Thread {
        let mut record = self.clone();
        record.access_history.clear();
        record.frames.clear();
        record.images.clear();
        record
    }

    /// Removes the delayed store at an index from the buffer, without ordering anything, and
    /// returns it.
    pub fn skip_store(&mut self, index: usize) -> Entry {
        let entry = self.buffer.remove(index);
        if entry.atomic {
            let before = &self.buffer.entries()[..index];
            let before = before.iter().filter(|entry| entry.atomic).count();
            self.access_history.skip_store(before);
        }
        entry
    }

    /// Removes the delayed stores to an object from the buffer. Returns each with the index that it
    /// had when it was removed.
    pub fn evict(&mut self, object: ObjectId) -> Vec<(usize, Entry)> {
        let mut evicted = Vec::new();
        let to_it = |entry: &Entry| entry.object == object;
        while let Some(index) = self.buffer.entries().iter().position(to_it) {
            evicted.push((index, self.skip_store(index)));
        }
        evicted
    }

    /// Returns what identifies the thread to others.
    pub fn identity(&self) -> Identity {
        Identity {
            phase: self.phase,
            handle: self.handle,
            is_free: self.phase == Phase::Gone && !self.detached && self.held.is_empty(),
            is_detached: self.detached,
            is_timer: self.is_timer,
            kind: self.kind,
        }
    }

    /// Returns what is left of the thread of this number when it has ended and no thread can join
    /// it any more.
    ///
    /// The numbers of the first threads that are detached are not given again: so it does not
    /// matter for a thread that is started which of them have ended.
    pub fn gone(&mut self, number: usize) -> Thread {
        Thread {
            phase: Phase::Gone,
            detached: self.detached && number <= DETACHED_ONCE,
            held: std::mem::take(&mut self.held),
            ..Thread::new(ObjectId::NULL)
        }
    }

    /// Returns whether the thread can still act.
    pub fn is_alive(&self) -> bool {
        self.identity().is_alive()
    }

    /// Returns whether other threads cannot distinguish it from another one by anything that they
    /// may read.
    pub fn looks_like(&self, other: &Thread) -> bool {
        self.phase == other.phase
            && self.handle == other.handle
            && self.detached == other.detached
            && self.is_timer == other.is_timer
            && self.atomic == other.atomic
            && self.cancel_requested == other.cancel_requested
            && self.cancel_disabled == other.cancel_disabled
            && self.cancel_asynchronous == other.cancel_asynchronous
            && self.wait == other.wait
            && self.signals == other.signals
            && self.buffer == other.buffer
    }

    /// Begins an atomic section in a frame.
    pub fn begin_section(&mut self, frame: usize) {
        self.atomic += 1;
        self.sections.push(frame as u32);
    }

    /// Ends the innermost atomic section. Returns false if there is none.
    pub fn end_section(&mut self) -> bool {
        let ended = self.sections.pop().is_some();
        self.atomic = self.sections.len() as u32;
        ended
    }

    /// Makes the sections that frames inside of frame `index` left open when they returned its own.
    pub fn inherit_sections(&mut self, index: usize) {
        for frame in &mut self.sections {
            *frame = (*frame).min(index as u32);
        }
        for held in self.held.iter_mut().flatten() {
            if held.kind == HeldKind::Function {
                held.frame = held.frame.min(index as u32);
            }
        }
    }

    /// Returns whether a section or a held resource belongs to one of its frames.
    pub fn has_sections(&self) -> bool {
        self.atomic > 0 || !self.held.is_empty()
    }

    /// Ends the sections of the frames inside of frame `index`, which were left by an exception or
    /// a jump.
    pub fn leave_sections_inside(&mut self, index: usize) {
        self.sections.retain(|frame| *frame as usize <= index);
        self.atomic = self.sections.len() as u32;
    }

    /// Begins to hold something and returns its slot.
    pub fn hold(&mut self, held: Held) -> usize {
        match self.held.iter().position(Option::is_none) {
            Some(slot) => {
                self.held[slot] = Some(held);
                slot
            }
            None => {
                self.held.push(Some(held));
                self.held.len() - 1
            }
        }
    }

    /// Returns the slot of what the thread holds at an address, or `None`; the last one if there
    /// are several.
    pub fn slot_of(&self, kind: HeldKind, address: Address) -> Option<usize> {
        let is_it =
            |held: &Option<Held>| held.is_some_and(|h| h.kind == kind && h.address == address);
        self.held.iter().rposition(is_it)
    }

    /// Returns the dynamic objects that it holds, or that contain what it holds.
    pub fn held_itself(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let held = self.held.iter().flatten().map(|held| held.address.object);
        held.filter(|object| object.is_dynamic())
    }

    /// Returns the objects of [`Thread::held_itself`], and those that it accessed recently.
    pub fn held_objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.held_itself().chain(self.access_history.objects())
    }

    /// Empties a slot and returns what it held, if anything.
    pub fn give_up(&mut self, slot: usize) -> Option<Held> {
        let held = self.held.get_mut(slot)?.take();
        while self.held.last().is_some_and(Option::is_none) {
            self.held.pop();
        }
        held
    }

    /// Returns the slot of an operation whose frame lies inside of frame `index`, or `None`.
    pub fn operation_inside(&self, index: usize) -> Option<usize> {
        let inside = |held: &Held| {
            matches!(held.kind, HeldKind::Operation(_)) && held.frame as usize > index
        };
        let mut held = self.held.iter();
        held.rposition(|held| held.as_ref().is_some_and(inside))
    }

    /// Stops watching an address, if it does.
    pub fn stop_watching(&mut self) {
        let watches = |held: &Option<Held>| held.is_some_and(|h| h.kind == HeldKind::Watch);
        if let Some(slot) = self.held.iter().position(watches) {
            self.give_up(slot);
        }
    }
}
