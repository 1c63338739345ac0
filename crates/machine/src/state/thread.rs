//! Threads: what is known of one besides its frames, and its stored form.

use crate::base::codec::{Reader, put};
use crate::base::section_type::SectionType;
use crate::state::access_history::AccessHistory;
use crate::state::frame::{FrameImage, object_of, put_word, read_word, rename_word};
use crate::state::signal::Signals;
use crate::state::store_buffer::{Buffer, Entry};
use impasse_program::address::{Address, ObjectId};
use impasse_program::word::Word;
use impasse_store::Id;
use smallvec::SmallVec;
use std::cell::Cell;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

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
    /// It has ended and nobody can refer to it any more; its number can be given again.
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
        until: u64,
    },
    /// It was woken (or gave up, with an error number) and has to get the mutex again.
    Woken { mutex: Word, result: u32 },
    /// It waits at the barrier.
    Barrier { barrier: Word },
    /// The barrier let it pass.
    Passed,
    /// It has stored the id of a thread that it is about to start.
    Starting { handle: Word, detached: bool },
}

/// What kind of thing a thread holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeldKind {
    /// A mutex.
    Mutex,
    /// A spin lock.
    SpinLock,
    /// A reader-writer lock, for reading.
    ReadLock,
    /// A reader-writer lock, for writing.
    WriteLock,
    /// An exclusive section of the program's own.
    Exclusive,
    /// The program waits for an event, in its own way.
    Event,
    /// A function that must return.
    Function,
    /// The thread watches an address, until somebody notifies it. It is no section.
    Watch,
    /// One of the libraries' operations that may wait; the address is that of its first argument.
    Operation(SectionType),
}

impl HeldKind {
    const PLAIN: [HeldKind; 8] = [
        HeldKind::Mutex,
        HeldKind::SpinLock,
        HeldKind::ReadLock,
        HeldKind::WriteLock,
        HeldKind::Exclusive,
        HeldKind::Event,
        HeldKind::Function,
        HeldKind::Watch,
    ];

    /// Whether it is a lock.
    pub fn is_lock(self) -> bool {
        use HeldKind::{Mutex, ReadLock, SpinLock, WriteLock};
        matches!(self, Mutex | SpinLock | ReadLock | WriteLock)
    }

    /// Its number in stored forms; never 0.
    fn number(self) -> u8 {
        let plain = Self::PLAIN.iter().position(|&kind| kind == self);
        match (plain, self) {
            (Some(index), _) => index as u8 + 1,
            (None, HeldKind::Operation(kind)) => (Self::PLAIN.len() + 1) as u8 + kind as u8,
            (None, _) => unreachable!("all others are plain"),
        }
    }

    /// The kind with a number; none for 0.
    fn of_number(number: u8) -> Option<HeldKind> {
        let index = number.checked_sub(1)? as usize;
        let operation = || HeldKind::Operation(SectionType::ALL[index - Self::PLAIN.len()]);
        Some(Self::PLAIN.get(index).copied().unwrap_or_else(operation))
    }
}

/// Something that a thread holds.
///
/// The address does not keep its object alive: it is there to find the entry again, and to name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// What kind of thing.
    pub kind: HeldKind,
    /// Its address; null once its object is gone, and for functions.
    pub address: Address,
    /// The frame that it goes with (the outermost frame's number is 0); for functions and
    /// operations.
    pub frame: u32,
}

/// A thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// How far it has come.
    pub phase: Phase,
    /// The object that stands for it: what `pthread_t` points to.
    pub handle: ObjectId,
    /// Whether nobody will join it.
    pub detached: bool,
    /// Whether it was stopped in the middle of a computation that went on for long without a
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
    /// What either saw.
    pub fn or(self, other: Seen) -> Seen {
        Seen {
            records: self.records | other.records,
            identities: self.identities | other.identities,
            waits: self.waits | other.waits,
        }
    }

    /// What was seen of these threads.
    pub fn of(self, threads: u64) -> Seen {
        Seen {
            records: self.records & threads,
            identities: self.identities & threads,
            waits: self.waits & threads,
        }
    }
}

/// What others know a thread by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    /// How far it has come.
    pub phase: Phase,
    /// The object that its `pthread_t` names.
    pub handle: ObjectId,
    /// Whether it holds something.
    pub holds: bool,
}

impl Identity {
    /// Whether it can still do something.
    pub fn is_alive(self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Exiting)
    }
}

/// The threads of a state. Copies share each thread until one of them changes it.
#[derive(Clone, Default, Debug)]
pub struct Threads {
    list: Vec<Arc<Thread>>,
    /// Whether to note who is looked at.
    looking: Cell<bool>,
    seen: Cell<Seen>,
}

impl Threads {
    /// How many numbers of threads are in use.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Thread> + Clone {
        let records = !0;
        self.note(Seen {
            records,
            ..Seen::default()
        });
        self.list.iter().map(|thread| &**thread)
    }

    /// What all of them are known by.
    pub fn identities(&self) -> impl ExactSizeIterator<Item = Identity> + Clone {
        let identities = !0;
        self.note(Seen {
            identities,
            ..Seen::default()
        });
        self.list.iter().map(|thread| thread.identity())
    }

    /// What all of them wait for.
    pub fn waits(&self) -> impl ExactSizeIterator<Item = Wait> + Clone {
        let waits = !0;
        self.note(Seen {
            waits,
            ..Seen::default()
        });
        self.list.iter().map(|thread| thread.wait)
    }

    /// Whether a thread other than this one has delayed stores. It is not noted who was looked at.
    pub fn any_delayed_besides(&self, number: usize) -> bool {
        let mut others = (0..).zip(&self.list).filter(|(n, _)| *n != number);
        others.any(|(_, thread)| !thread.buffer.is_empty())
    }

    /// Whether to note from now on who is looked at.
    pub fn look(&self, looking: bool) {
        self.looking.set(looking);
    }

    /// Who was looked at since the last call.
    pub fn take_seen(&self) -> Seen {
        self.seen.take()
    }

    #[inline]
    fn note(&self, seen: Seen) {
        if self.looking.get() {
            self.seen.set(self.seen.get().or(seen));
        }
    }

    #[inline]
    fn note_record(&self, number: usize) {
        self.note(Seen {
            records: 1 << (number % 64),
            ..Seen::default()
        });
    }

    /// Adds a thread.
    pub fn push(&mut self, thread: Arc<Thread>) {
        self.list.push(thread);
    }

    /// Replaces a thread.
    pub fn set(&mut self, number: usize, thread: Arc<Thread>) {
        self.list[number] = thread;
    }

    /// Forgets all but the first ones.
    pub fn truncate(&mut self, count: usize) {
        self.list.truncate(count);
    }

    /// Becomes a copy of another.
    pub fn restore(&mut self, from: &Threads) {
        self.list.clone_from(&from.list);
    }

    /// Whether a thread is the same object in both, and so certainly unchanged.
    pub fn is_shared(&self, other: &Threads, number: usize) -> bool {
        match (self.list.get(number), other.list.get(number)) {
            (Some(mine), Some(theirs)) => Arc::ptr_eq(mine, theirs),
            _ => false,
        }
    }

    /// The plain accesses that a thread made since its last visible action. What is looked at here
    /// is compared with each step anew, and so not noted.
    pub fn access_history(&self, number: usize) -> &AccessHistory {
        &self.list[number].access_history
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

impl Thread {
    /// A thread that has not started.
    pub fn new(handle: ObjectId) -> Thread {
        Thread {
            phase: Phase::Running,
            handle,
            detached: false,
            preempted: false,
            atomic: 0,
            sections: SmallVec::new(),
            held: SmallVec::new(),
            cancel_requested: false,
            cancel_disabled: false,
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

    /// What is known of it besides its frames and what it has accessed: what other threads may look
    /// at.
    pub fn record(&self) -> Thread {
        let mut record = self.clone();
        record.access_history.clear();
        record.frames.clear();
        record.images.clear();
        record
    }

    /// Takes the delayed store at an index out of its buffer, which orders nothing.
    pub fn skip_store(&mut self, index: usize) -> Entry {
        let entry = self.buffer.remove(index);
        if entry.atomic {
            let before = &self.buffer.entries()[..index];
            let before = before.iter().filter(|entry| entry.atomic).count();
            self.access_history.skip_store(before);
        }
        entry
    }

    /// Takes the delayed stores to an object out of its buffer: each with the index that it has
    /// when it is taken.
    pub fn evict(&mut self, object: ObjectId) -> Vec<(usize, Entry)> {
        let mut evicted = Vec::new();
        let to_it = |entry: &Entry| entry.object == object;
        while let Some(index) = self.buffer.entries().iter().position(to_it) {
            evicted.push((index, self.skip_store(index)));
        }
        evicted
    }

    /// What others know it by.
    pub fn identity(&self) -> Identity {
        Identity {
            phase: self.phase,
            handle: self.handle,
            holds: !self.held.is_empty(),
        }
    }

    /// Whether it can still do something.
    pub fn is_alive(&self) -> bool {
        self.identity().is_alive()
    }

    /// Whether others could not tell it from another one by anything that they may look at.
    pub fn looks_like(&self, other: &Thread) -> bool {
        self.phase == other.phase
            && self.handle == other.handle
            && self.detached == other.detached
            && self.atomic == other.atomic
            && self.cancel_requested == other.cancel_requested
            && self.cancel_disabled == other.cancel_disabled
            && self.wait == other.wait
            && self.signals == other.signals
            && self.buffer == other.buffer
    }

    /// Begins an atomic section in a frame.
    pub fn begin_section(&mut self, frame: usize) {
        self.atomic += 1;
        self.sections.push(frame as u32);
    }

    /// Ends the innermost atomic section; false if there is none.
    pub fn end_section(&mut self) -> bool {
        let ended = self.sections.pop().is_some();
        self.atomic = self.sections.len() as u32;
        ended
    }

    /// Frames inside of frame `index` have returned: what sections they left open are its own now.
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

    /// Whether anything is bound to one of its frames.
    pub fn has_sections(&self) -> bool {
        self.atomic > 0 || !self.held.is_empty()
    }

    /// Frames inside of frame `index` were left by an exception or a jump: the sections that belong
    /// to them end.
    pub fn leave_sections_inside(&mut self, index: usize) {
        self.sections.retain(|frame| *frame as usize <= index);
        self.atomic = self.sections.len() as u32;
    }

    /// Begins to hold something; gives its slot.
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

    /// The slot of what the thread holds at an address; the last one if there are several.
    pub fn slot_of(&self, kind: HeldKind, address: Address) -> Option<usize> {
        let is_it =
            |held: &Option<Held>| held.is_some_and(|h| h.kind == kind && h.address == address);
        self.held.iter().rposition(is_it)
    }

    /// The objects made while running that it holds, or that what it holds is in.
    pub fn held_itself(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let held = self.held.iter().flatten().map(|held| held.address.object);
        held.filter(|object| object.is_dynamic())
    }

    /// The same, and those that it accessed recently.
    pub fn held_objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.held_itself().chain(self.access_history.objects())
    }

    /// Gives up what is in a slot.
    pub fn give_up(&mut self, slot: usize) -> Option<Held> {
        let held = self.held.get_mut(slot)?.take();
        while self.held.last().is_some_and(Option::is_none) {
            self.held.pop();
        }
        held
    }

    /// The slot of an operation whose frame lies inside of frame `index`.
    pub fn operation_inside(&self, index: usize) -> Option<usize> {
        let inside = |held: &Held| {
            matches!(held.kind, HeldKind::Operation(_)) && held.frame as usize > index
        };
        let mut held = self.held.iter();
        held.rposition(|held| held.as_ref().is_some_and(inside))
    }

    /// It watches nothing any more.
    pub fn stop_watching(&mut self) {
        let watches = |held: &Option<Held>| held.is_some_and(|h| h.kind == HeldKind::Watch);
        if let Some(slot) = self.held.iter().position(watches) {
            self.give_up(slot);
        }
    }

    /// Appends the stored form. All frames must be stored.
    pub fn encode(&self, out: &mut Vec<u8>) {
        debug_assert!(self.images.is_empty());
        let flags = self.phase as u8
            | (self.detached as u8) << 2
            | (self.preempted as u8) << 3
            | (self.cancel_requested as u8) << 4
            | (self.cancel_disabled as u8) << 5
            | (!self.buffer.is_empty() as u8) << 6
            | (!self.access_history.is_empty() as u8) << 7;
        out.push(flags);
        put(out, self.handle.0 as u64);
        put(out, self.atomic as u64);
        self.sections
            .iter()
            .for_each(|&frame| put(out, frame as u64));
        put(out, self.held.len() as u64);
        for held in &self.held {
            let Some(held) = held else {
                out.push(0);
                continue;
            };
            out.push(held.kind.number());
            put(out, held.address.bits());
            put(out, held.frame as u64);
        }
        let with_signals = (!self.signals.is_plain() as u8) << 7;
        match self.wait {
            Wait::None => out.push(with_signals),
            Wait::Condition {
                condition,
                mutex,
                until,
            } => {
                out.push(1 | with_signals);
                put_word(out, condition);
                put_word(out, mutex);
                put(out, until);
            }
            Wait::Woken { mutex, result } => {
                out.push(2 | with_signals);
                put_word(out, mutex);
                put(out, result as u64);
            }
            Wait::Barrier { barrier } => {
                out.push(3 | with_signals);
                put_word(out, barrier);
            }
            Wait::Passed => out.push(4 | with_signals),
            Wait::Starting { handle, detached } => {
                out.push((5 + detached as u8) | with_signals);
                put_word(out, handle);
            }
        }
        if with_signals != 0 {
            self.signals.encode(out);
        }
        put_word(out, self.result);
        put(out, self.locals.len() as u64);
        for &(variable, object) in &self.locals {
            put(out, variable as u64);
            put(out, object.0 as u64);
        }
        if !self.buffer.is_empty() {
            self.buffer.encode(out);
        }
        if !self.access_history.is_empty() {
            self.access_history.encode(out);
        }
        for &frame in &self.frames {
            put(out, frame.0 as u64);
        }
    }

    /// Reads a stored form.
    pub fn decode(stored: &[u8]) -> Thread {
        let mut reader = Reader::new(stored);
        let flags = reader.byte();
        let handle = ObjectId(reader.small());
        let atomic = reader.small();
        let sections = (0..atomic).map(|_| reader.small()).collect();
        let held = (0..reader.small())
            .map(|_| read_held(&mut reader))
            .collect();
        let stage = reader.byte();
        let wait = match stage & 127 {
            0 => Wait::None,
            1 => Wait::Condition {
                condition: read_word(&mut reader),
                mutex: read_word(&mut reader),
                until: reader.number(),
            },
            2 => Wait::Woken {
                mutex: read_word(&mut reader),
                result: reader.small(),
            },
            3 => Wait::Barrier {
                barrier: read_word(&mut reader),
            },
            4 => Wait::Passed,
            stage => Wait::Starting {
                handle: read_word(&mut reader),
                detached: stage == 6,
            },
        };
        let signals = match stage & 128 {
            0 => Signals::default(),
            _ => Signals::decode(&mut reader),
        };
        let result = read_word(&mut reader);
        let count = reader.small();
        let locals = (0..count).map(|_| (reader.small(), ObjectId(reader.small())));
        let locals = locals.collect();
        let buffer = match flags & 64 {
            0 => Buffer::default(),
            _ => Buffer::decode(&mut reader),
        };
        let access_history = match flags & 128 {
            0 => AccessHistory::default(),
            _ => AccessHistory::decode(&mut reader),
        };
        let mut frames = SmallVec::new();
        while !reader.is_empty() {
            frames.push(Id(reader.small()));
        }
        Thread {
            phase: match flags & 3 {
                0 => Phase::Running,
                1 => Phase::Exiting,
                2 => Phase::Finished,
                _ => Phase::Gone,
            },
            handle,
            detached: flags & 4 != 0,
            preempted: flags & 8 != 0,
            atomic,
            sections,
            held,
            cancel_requested: flags & 16 != 0,
            cancel_disabled: flags & 32 != 0,
            wait,
            signals,
            result,
            locals,
            buffer,
            access_history,
            frames,
            images: Vec::new(),
        }
    }

    fn words_mut(&mut self) -> SmallVec<[&mut Word; 3]> {
        let mut words = SmallVec::new();
        words.push(&mut self.result);
        match &mut self.wait {
            Wait::Condition {
                condition, mutex, ..
            } => {
                words.push(condition);
                words.push(mutex);
            }
            Wait::Woken { mutex, .. } => words.push(mutex),
            Wait::Barrier { barrier } => words.push(barrier),
            Wait::Starting { handle, .. } => words.push(handle),
            Wait::None | Wait::Passed => {}
        }
        words
    }

    /// Calls `f` with each object that the thread names apart from its frames, in order.
    pub fn for_each_object(&self, f: &mut dyn FnMut(ObjectId)) {
        if self.phase == Phase::Gone {
            return;
        }
        f(self.handle);
        self.locals.iter().for_each(|&(_, object)| f(object));
        let mut word = |word: Word| {
            if let Some(object) = object_of(word) {
                f(object);
            }
        };
        word(self.result);
        match self.wait {
            Wait::Condition {
                condition, mutex, ..
            } => {
                word(condition);
                word(mutex);
            }
            Wait::Woken { mutex, .. } => word(mutex),
            Wait::Barrier { barrier } => word(barrier),
            Wait::Starting { handle, .. } => word(handle),
            Wait::None | Wait::Passed => {}
        }
        self.buffer.for_each_object(f);
    }

    /// Renames objects.
    pub fn rename(&mut self, new_name: &dyn Fn(ObjectId) -> Option<ObjectId>) {
        for held in self.held.iter_mut().flatten() {
            if held.address.object.is_dynamic() {
                let gone = Address::of(ObjectId::NULL);
                let object = new_name(held.address.object);
                let offset = held.address.offset;
                held.address = object.map_or(gone, |object| Address { object, offset });
            }
        }
        if self.phase == Phase::Gone {
            return;
        }
        self.handle = new_name(self.handle).unwrap_or(self.handle);
        for (_, object) in &mut self.locals {
            *object = new_name(*object).unwrap_or(*object);
        }
        for word in self.words_mut() {
            rename_word(word, new_name);
        }
        self.buffer.rename(new_name);
        self.access_history.rename(new_name);
    }
}

fn read_held(reader: &mut Reader<'_>) -> Option<Held> {
    let kind = HeldKind::of_number(reader.byte())?;
    Some(Held {
        kind,
        address: Address::from_bits(reader.number()),
        frame: reader.small(),
    })
}
