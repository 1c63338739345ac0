//! The stored form of a thread, and the objects that it names.

use super::{Held, HeldKind, Phase, Thread, ThreadKind, Wait, WokenCancellation};
use crate::base::codec::{Reader, put};
use crate::state::access_history::AccessHistory;
use crate::state::frame::{object_of, put_word, read_word, rename_word};
use crate::state::signal::Signals;
use crate::state::store_buffer::Buffer;
use impasse_program::address::{Address, ObjectId};
use impasse_program::word::Word;
use impasse_store::Id;
use smallvec::SmallVec;

/// The stages of a thread that was woken, by how it reacts to cancellation.
const WOKEN: [u8; 3] = [2, 7, 8];

impl Thread {
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
        let more = (!self.signals.is_plain() as u8) << 7
            | (self.is_timer as u8) << 6
            | (self.cancel_asynchronous as u8) << 5;
        match self.wait {
            Wait::None => out.push(more),
            Wait::Condition {
                condition,
                mutex,
                until,
            } => {
                out.push(1 | more);
                put_word(out, condition);
                put_word(out, mutex);
                put_word(out, until);
            }
            Wait::Woken {
                mutex,
                result,
                cancellation,
            } => {
                out.push(WOKEN[cancellation as usize] | more);
                put_word(out, mutex);
                put(out, result as u64);
            }
            Wait::Barrier { barrier } => {
                out.push(3 | more);
                put_word(out, barrier);
            }
            Wait::Passed => out.push(4 | more),
            Wait::Starting {
                handle,
                detached,
                is_timer,
            } => {
                let stage = if is_timer { 9 } else { 5 + detached as u8 };
                out.push(stage | more);
                put_word(out, handle);
            }
        }
        if !self.signals.is_plain() {
            self.signals.encode(out);
        }
        put_word(out, self.result);
        put(out, self.kind.routine as u64);
        if self.kind.routine > 0 {
            put(out, self.kind.creator as u64);
        }
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
        let wait = match stage & 31 {
            0 => Wait::None,
            1 => Wait::Condition {
                condition: read_word(&mut reader),
                mutex: read_word(&mut reader),
                until: read_word(&mut reader),
            },
            2 | 7 | 8 => Wait::Woken {
                mutex: read_word(&mut reader),
                result: reader.small(),
                cancellation: match stage & 31 {
                    2 => WokenCancellation::MayReact,
                    7 => WokenCancellation::Reacts,
                    _ => WokenCancellation::Returns,
                },
            },
            3 => Wait::Barrier {
                barrier: read_word(&mut reader),
            },
            4 => Wait::Passed,
            stage => Wait::Starting {
                handle: read_word(&mut reader),
                detached: stage & 31 != 5,
                is_timer: stage & 31 == 9,
            },
        };
        let signals = match stage & 128 {
            0 => Signals::default(),
            _ => Signals::decode(&mut reader),
        };
        let result = read_word(&mut reader);
        let routine = reader.small();
        let creator = if routine > 0 { reader.small() } else { 0 };
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
            is_timer: stage & 64 != 0,
            kind: ThreadKind { routine, creator },
            preempted: flags & 8 != 0,
            atomic,
            sections,
            held,
            cancel_requested: flags & 16 != 0,
            cancel_disabled: flags & 32 != 0,
            cancel_asynchronous: stage & 32 != 0,
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
