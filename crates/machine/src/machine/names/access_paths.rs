//! The access paths that the program has to objects: a breadth-first search from its variables.

use super::{MOST_OBJECTS, MOST_WORDS};
use crate::machine::Machine;
use crate::state::frame::{FrameImage, Stack, stored_slots};
use crate::state::memory::object::Flags;
use impasse_program::address::{Address, ObjectId};
use impasse_program::debug::TypeId;
use impasse_program::instruction::VariablePlace;
use impasse_program::link::{FunctionId, UnitId};
use impasse_program::subobject::Subobject;
use impasse_program::word::Word;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// An object, or what follows a place in one, with its type and how it is written.
pub(super) struct View {
    pub(super) object: ObjectId,
    pub(super) start: u64,
    pub(super) unit: UnitId,
    pub(super) ty: TypeId,
    pub(super) written: Written,
    pub(super) pointers: u32,
    pub(super) owner: Owner,
    /// Whether the access path starts at a `this`, which alone says little.
    pub(super) by_this: bool,
}

/// How a view is written.
pub(super) enum Written {
    /// As a variable with this name.
    Variable(String),
    /// As what an expression points to.
    Pointer(String),
    /// As the elements of a container with this name.
    Elements(String),
    /// As the object in which the running function's `this` is.
    This,
}

/// Where an access path starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Everybody,
    Thread(u32),
}

/// The objects that the program has access paths to, nearest first.
pub(super) struct AccessPaths<'m, 's> {
    machine: &'m Machine<'s>,
    queue: VecDeque<View>,
    seen: FxHashSet<(ObjectId, u64, UnitId, TypeId, bool)>,
    /// The next thread at whose variables to start when there is nothing else left.
    next_thread: usize,
}

impl<'m, 's> AccessPaths<'m, 's> {
    pub(super) fn new(machine: &'m Machine<'s>) -> Self {
        let mut paths = AccessPaths {
            machine,
            queue: VecDeque::new(),
            seen: FxHashSet::default(),
            next_thread: 0,
        };
        paths.start_at_globals();
        paths.start_at_next_thread();
        paths
    }

    fn start_at_globals(&mut self) {
        let machine = self.machine;
        let globals = machine.program.globals().iter().zip(0..);
        for (global, number) in globals.take(machine.memory.globals.len()) {
            if machine.program.is_users(global.unit)
                && !global.thread_local
                && let Some(ty) = global.ty
            {
                self.queue.push_back(View {
                    object: ObjectId::global(number),
                    start: 0,
                    unit: global.unit,
                    ty,
                    written: Written::Variable(global.display_name.clone()),
                    pointers: 0,
                    owner: Owner::Everybody,
                    by_this: false,
                });
            }
        }
    }

    fn start_at_next_thread(&mut self) {
        let (machine, thread) = (self.machine, self.next_thread);
        self.next_thread += 1;
        let record = &machine.threads[thread];
        if !record.is_alive() {
            return;
        }
        let mut stack = Stack::default();
        for &frame in &record.frames {
            stack.push_stored(machine.program, machine.memory.store.get(frame));
        }
        for image in &record.images {
            stack.push_image(machine.program, image.clone());
        }
        let mut frames: Vec<FrameImage> = (0..stack.frames.len()).map(|n| stack.image(n)).collect();
        if thread == machine.running {
            let count = machine.stack.frames.len();
            frames.extend((0..count).map(|n| match n + 1 == count {
                true => machine.stack.image_at(n, machine.at.position),
                false => machine.stack.image(n),
            }));
        }
        let owner = Owner::Thread(thread as u32);
        for frame in frames {
            if machine.system.own[frame.function.0 as usize] {
                self.start_at_frame(&frame, owner);
            }
        }
    }

    fn start_at_frame(&mut self, frame: &FrameImage, owner: Owner) {
        let (machine, unit) = (self.machine, self.unit_of(frame.function));
        for &object in &frame.objects {
            let ended = |o: crate::state::memory::ObjectRef<'_>| {
                o.flags().has(Flags::FREED) || o.flags().has(Flags::ENDED)
            };
            if machine.memory.peek(object).is_none_or(ended) {
                continue;
            }
            if let Some((unit, ty)) = machine.memory.type_of_local(object) {
                self.queue.push_back(View {
                    object,
                    start: 0,
                    unit,
                    ty,
                    written: Written::Variable(machine.memory.describe(object)),
                    pointers: 0,
                    owner,
                    by_this: false,
                });
            }
        }
        let function = machine.program.function(frame.function);
        let slots = stored_slots(function, frame.position, frame.calling);
        for variable in &function.body.variables {
            if let VariablePlace::Value { slot, offset, .. } = variable.place
                && let Ok(index) = slots.binary_search(&slot)
                && let Some(ty) = variable.ty
                && let Some(subobject) =
                    machine
                        .program
                        .own_subobject(unit, ty, u64::from(offset), 8)
            {
                let word = frame.words[index];
                let from = View {
                    object: ObjectId::NULL,
                    start: 0,
                    unit,
                    ty,
                    written: match variable.name.as_str() {
                        "this" => Written::This,
                        name => Written::Variable(name.to_owned()),
                    },
                    pointers: 0,
                    owner,
                    by_this: false,
                };
                self.follow(&from, 0, &subobject, word);
            }
        }
    }

    fn unit_of(&self, function: FunctionId) -> UnitId {
        self.machine.program.info(function).unit
    }

    /// The next object, after which what it points to is visited.
    pub(super) fn next(&mut self) -> Option<View> {
        while self.queue.is_empty() && self.next_thread < self.machine.threads.len() {
            self.start_at_next_thread();
        }
        let view = self.queue.pop_front()?;
        self.look_into(&view);
        Some(view)
    }

    fn look_into(&mut self, view: &View) {
        let machine = self.machine;
        let memory = &machine.memory;
        let Some(object) = memory.peek(view.object) else {
            return;
        };
        let Some(size) = machine.program.size_of_type(view.unit, view.ty) else {
            return;
        };
        let count = match view.written {
            Written::Variable(_) | Written::This => 1,
            _ => machine.elements(view).unwrap_or(1),
        };
        let end = (view.start + size * count).min(u64::from(object.size())) / 8;
        let bytes = object.bytes();
        for word in (view.start.div_ceil(8)..end).take(MOST_WORDS) {
            if !object.is_pointer(word as usize) {
                continue;
            }
            let inside = word * 8 - view.start;
            let subobject = machine
                .program
                .own_subobject(view.unit, view.ty, inside % size, 8);
            let at = word as usize * 8;
            if let Some(subobject) = subobject
                && let Some(bits) = bytes.get(at..at + 8)
            {
                let bits = u64::from_le_bytes(bits.try_into().expect("eight bytes"));
                self.follow(view, inside / size, &subobject, Word::pointer(bits));
            }
        }
    }

    /// Adds what a pointer in a view points to.
    fn follow(&mut self, from: &View, k: u64, subobject: &Subobject, word: Word) {
        let machine = self.machine;
        let program = machine.program;
        let address = Address::from_bits(word.bits);
        let is_heap = || machine.is_allocated(address.object);
        let pointee = subobject.ty.and_then(|ty| program.pointee(from.unit, ty));
        let (Some(ty), Ok(start)) = (pointee, u64::try_from(address.offset)) else {
            return;
        };
        let usable = word.pointer && word.is_defined() && address.object.is_dynamic();
        if subobject.inner || !usable || !is_heap() || self.seen.len() >= MOST_OBJECTS {
            return;
        }
        let by_this = from.by_this || matches!(from.written, Written::This);
        if !self
            .seen
            .insert((address.object, start, from.unit, ty, by_this))
        {
            return;
        }
        let written = match &from.written {
            Written::This if from.object == ObjectId::NULL => Written::This,
            _ => {
                let name = machine.written(from, k, subobject);
                match subobject.elements {
                    true => Written::Elements(name),
                    false => Written::Pointer(name),
                }
            }
        };
        self.queue.push_back(View {
            object: address.object,
            start,
            unit: from.unit,
            ty,
            written,
            pointers: from.pointers + 1,
            owner: from.owner,
            by_this,
        });
    }
}
