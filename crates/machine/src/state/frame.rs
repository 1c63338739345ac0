//! Stack frames: the decoded form that is executed, and the stored form that states share.
//!
//! **What is dead is not stored.** A stored frame holds the values of those slots only that are
//! live at its position (for a caller: while its callee runs). Two states that differ in dead slots
//! only have the same future, since no execution reads a dead slot before writing it; so they may
//! be one state.

use crate::base::codec::{Reader, put};
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{Instruction, Slot};
use impasse_program::link::{Function, FunctionId, Program};
use impasse_program::word::{TermId, Time, Word};
use smallvec::SmallVec;

/// A frame in its executable form; its slots are words of the [`Stack`].
#[derive(Clone)]
pub struct Frame<'s> {
    /// Whose frame it is.
    pub id: FunctionId,
    /// The function.
    pub function: &'s Function,
    /// The next instruction; for a frame that waits for its callee, the call.
    pub position: u32,
    /// Index of its first slot.
    pub base: usize,
    /// Objects that go when the frame does.
    pub objects: SmallVec<[ObjectId; 4]>,
    /// The object that holds its variable arguments, or null.
    pub arguments: ObjectId,
    /// Whether it waits for a callee that was called by the instruction at `position`.
    pub calling: bool,
    /// Whether the function is the user's, and not a library's.
    pub users: bool,
}

/// The decoded upper part of a thread's stack.
#[derive(Clone, Default)]
pub struct Stack<'s> {
    /// Frames, outermost first.
    pub frames: Vec<Frame<'s>>,
    /// Their slots.
    pub words: Vec<Word>,
}

impl<'s> Stack<'s> {
    /// Becomes a copy of another.
    pub fn restore(&mut self, from: &Stack<'s>) {
        self.frames.clone_from(&from.frames);
        self.words.clone_from(&from.words);
    }

    /// Removes all frames.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.words.clear();
    }

    /// Adds a frame for a function, with undefined slots, and returns it.
    pub fn push(&mut self, program: &'s Program, id: FunctionId) -> &mut Frame<'s> {
        let function = program.function(id);
        let base = self.words.len();
        let slots = function.body.slots as usize;
        self.words.resize(base + slots, Word::undefined(64));
        self.frames.push(Frame {
            id,
            function,
            position: 0,
            base,
            objects: SmallVec::new(),
            arguments: ObjectId::NULL,
            calling: false,
            users: program.is_users(program.info(id).unit),
        });
        self.frames.last_mut().expect("just pushed")
    }

    /// Removes the innermost frame and returns it. Panics if there is none.
    pub fn pop(&mut self) -> Frame<'s> {
        let frame = self.frames.pop().expect("a frame to leave");
        self.words.truncate(frame.base);
        frame
    }

    /// Adds the frame with this stored form.
    pub fn push_stored(&mut self, program: &'s Program, stored: &[u8]) {
        let mut reader = Reader::new(stored);
        let calling = reader.byte() & CALLING != 0;
        let frame = self.push(program, FunctionId(reader.small()));
        frame.position = reader.small();
        frame.calling = calling;
        frame.arguments = ObjectId(reader.small());
        let count = reader.small();
        frame
            .objects
            .extend((0..count).map(|_| ObjectId(reader.small())));
        let (base, function) = (frame.base, frame.function);
        for slot in stored_slots(function, frame.position, calling) {
            self.words[base + slot.0 as usize] = read_word(&mut reader);
        }
    }

    /// Adds the frame with this image.
    pub fn push_image(&mut self, program: &'s Program, image: FrameImage) {
        let frame = self.push(program, image.function);
        frame.position = image.position;
        frame.calling = image.calling;
        frame.objects = image.objects;
        frame.arguments = image.arguments;
        let (base, function) = (frame.base, frame.function);
        for (slot, word) in stored_slots(function, image.position, image.calling)
            .iter()
            .zip(&image.words)
        {
            self.words[base + slot.0 as usize] = *word;
        }
    }

    /// Returns the stored form of one of the frames.
    pub fn image(&self, index: usize) -> FrameImage {
        let frame = &self.frames[index];
        self.image_resting_at(frame, frame.position, frame.calling)
    }

    /// Returns the stored form of one of the frames, if it stopped before the instruction at
    /// `position`.
    pub fn image_at(&self, index: usize, position: u32) -> FrameImage {
        self.image_resting_at(&self.frames[index], position, false)
    }

    fn image_resting_at(&self, frame: &Frame<'_>, position: u32, calling: bool) -> FrameImage {
        let slots = stored_slots(frame.function, position, calling);
        FrameImage {
            function: frame.id,
            position,
            calling,
            arguments: frame.arguments,
            objects: frame.objects.clone(),
            words: slots
                .iter()
                .map(|s| self.words[frame.base + s.0 as usize])
                .collect(),
        }
    }
}

/// Returns the slots whose values a frame that stops at `position` keeps.
pub fn stored_slots(function: &Function, position: u32, calling: bool) -> &[Slot] {
    let body = &function.body;
    match body.code[position as usize] {
        Instruction::Call { site } if calling => body.needed_across(site),
        _ => body.needed_before(position),
    }
}

/// A frame as its stored form has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameImage {
    /// Whose frame it is.
    pub function: FunctionId,
    /// Where it stops.
    pub position: u32,
    /// Whether it waits for a callee.
    pub calling: bool,
    /// The object of variable arguments, or null.
    pub arguments: ObjectId,
    /// Objects that go when the frame does.
    pub objects: SmallVec<[ObjectId; 4]>,
    /// The values of the slots that are needed.
    pub words: SmallVec<[Word; 8]>,
}

const HAS_OBJECTS: u8 = 1;
const CALLING: u8 = 2;
const HAS_TERMS: u8 = 4;
const POINTER: u8 = 16;
const UNDEFINED: u8 = 32;
const TIME: u8 = 64;
const TERM: u8 = 128;

/// Returns whether a stored frame names any object made while running.
pub fn names_objects(stored: &[u8]) -> bool {
    stored[0] & HAS_OBJECTS != 0
}

/// Returns whether a value in a stored frame depends on inputs that are followed symbolically.
pub fn has_terms(stored: &[u8]) -> bool {
    stored[0] & HAS_TERMS != 0
}

impl FrameImage {
    /// Reads a stored form.
    pub fn decode(stored: &[u8]) -> FrameImage {
        let mut reader = Reader::new(stored);
        let flags = reader.byte();
        let function = FunctionId(reader.small());
        let position = reader.small();
        let arguments = ObjectId(reader.small());
        let count = reader.small();
        let objects = (0..count).map(|_| ObjectId(reader.small())).collect();
        let mut words = SmallVec::new();
        while !reader.is_empty() {
            words.push(read_word(&mut reader));
        }
        FrameImage {
            function,
            position,
            calling: flags & CALLING != 0,
            arguments,
            objects,
            words,
        }
    }

    /// Appends the stored form.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let mut names = false;
        self.for_each_object(&mut |_| names = true);
        names |= !self.objects.is_empty();
        let terms = self.words.iter().any(|word| !word.term.is_none());
        let flags = (names as u8 * HAS_OBJECTS)
            | (self.calling as u8 * CALLING)
            | (terms as u8 * HAS_TERMS);
        out.push(flags);
        put(out, self.function.0 as u64);
        put(out, self.position as u64);
        put(out, self.arguments.0 as u64);
        put(out, self.objects.len() as u64);
        for object in &self.objects {
            put(out, object.0 as u64);
        }
        for &word in &self.words {
            put_word(out, word);
        }
    }

    /// Calls `f` with each dynamic object that the frame keeps alive, in order. Its own objects are
    /// not among them unless something names them: an object that nothing names cannot be used.
    pub fn for_each_object(&self, f: &mut dyn FnMut(ObjectId)) {
        if self.arguments.is_dynamic() {
            f(self.arguments);
        }
        for word in &self.words {
            if let Some(object) = object_of(*word) {
                f(object);
            }
        }
    }

    /// Renames objects; `new_name` gives `None` for those that are gone.
    pub fn rename(&mut self, new_name: &dyn Fn(ObjectId) -> Option<ObjectId>) {
        if let Some(object) = new_name(self.arguments) {
            self.arguments = object;
        }
        self.objects = self.objects.iter().filter_map(|&o| new_name(o)).collect();
        for word in &mut self.words {
            rename_word(word, new_name);
        }
    }
}

/// Calls `local` with each object that goes with a stored frame, and `f` with each that it keeps
/// alive, in order.
pub fn for_each_object_in(
    stored: &[u8],
    local: &mut dyn FnMut(ObjectId),
    f: &mut dyn FnMut(ObjectId),
) {
    if !names_objects(stored) {
        return;
    }
    let mut reader = Reader::new(stored);
    reader.byte();
    reader.number();
    reader.number();
    let arguments = ObjectId(reader.small());
    if arguments.is_dynamic() {
        f(arguments);
    }
    for _ in 0..reader.small() {
        local(ObjectId(reader.small()));
    }
    while !reader.is_empty() {
        if let Some(object) = object_of(read_word(&mut reader)) {
            f(object);
        }
    }
}

/// Returns the dynamic object that a word points into, or `None`.
#[inline]
pub fn object_of(word: Word) -> Option<ObjectId> {
    let object = Address::from_bits(word.bits).object;
    (word.pointer && object.is_dynamic()).then_some(object)
}

/// Renames the object in a word.
pub fn rename_word(word: &mut Word, new_name: &dyn Fn(ObjectId) -> Option<ObjectId>) {
    if let Some(object) = object_of(*word)
        && let Some(new) = new_name(object)
    {
        let offset = Address::from_bits(word.bits).offset;
        word.bits = Address {
            object: new,
            offset,
        }
        .bits();
    }
}

/// Appends a word: a tag, how it depends on the time if it does, the bytes of its value, its
/// undefined bits if there are any, and its term if it has one.
pub fn put_word(out: &mut Vec<u8>, word: Word) {
    let length = 8 - word.bits.leading_zeros() as usize / 8;
    let undefined = (word.undefined != 0) as u8 * UNDEFINED;
    let time = !word.time.is_none() as u8 * TIME;
    let term = !word.term.is_none() as u8 * TERM;
    out.push(length as u8 | (word.pointer as u8 * POINTER) | undefined | time | term);
    if time != 0 {
        out.push(word.time.0);
    }
    out.extend_from_slice(&word.bits.to_le_bytes()[..length]);
    if word.undefined != 0 {
        out.extend_from_slice(&word.undefined.to_le_bytes());
    }
    if term != 0 {
        out.extend_from_slice(&word.term.to_bits().to_le_bytes());
    }
}

/// Reads a word.
pub fn read_word(reader: &mut Reader<'_>) -> Word {
    let tag = reader.byte();
    let time = match tag & TIME {
        0 => Time::NONE,
        _ => Time(reader.byte()),
    };
    let bits = reader.little_endian((tag & 15) as usize);
    let undefined = match tag & UNDEFINED {
        0 => 0,
        _ => reader.little_endian(8),
    };
    let term = match tag & TERM {
        0 => TermId::NONE,
        _ => TermId::from_bits(reader.little_endian(4) as u32),
    };
    Word {
        bits,
        undefined,
        pointer: tag & POINTER != 0,
        time,
        term,
    }
}
