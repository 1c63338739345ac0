//! What memory holds, in the program's own terms: for reports that show whole states.

use super::access_paths::{AccessPaths, View};
use super::{LONGEST, Written};
use crate::machine::Machine;
use crate::state::frame::{FrameImage, stored_slots};
use crate::state::memory::Spot;
use crate::state::memory::object::{Class, Flags};
use crate::value::Value;
use impasse_program::address::{Address, ObjectId};
use impasse_program::debug::TypeId;
use impasse_program::instruction::{Scalar, VariablePlace};
use impasse_program::leaves::Leaf;
use impasse_program::link::UnitId;
use impasse_program::subobject::Subobject;
use impasse_program::word::{TermId, Time, Word};
use rustc_hash::FxHashMap;

/// Scalars of an object that are shown, at most.
const MOST_CELLS: usize = 64;

/// Allocated objects that are shown, at most.
const MOST_OBJECTS: usize = 256;

/// Names and values of scalars.
pub type Cells = Vec<(String, String)>;

/// An object and what it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// A name that it keeps as long as it exists: of a variable its own, of an allocated object its
    /// type and number.
    pub identity: String,
    /// Where it was allocated, as `file:line`; empty if it was not.
    pub allocated: String,
    /// How the program can refer to it at present, if that is another name, and short.
    pub name: String,
    /// `global`, `heap` or `thread-local`.
    pub kind: &'static str,
    /// What it holds.
    pub cells: Cells,
}

/// The values in a state.
pub struct Values<'m, 's> {
    machine: &'m Machine<'s>,
    /// The allocated objects that the program can reach.
    heap: Vec<View>,
    /// Their names.
    identities: FxHashMap<ObjectId, String>,
}

impl<'s> Machine<'s> {
    /// Returns the values in the present state.
    pub fn values(&self) -> Values<'_, 's> {
        let mut values = Values {
            machine: self,
            heap: Vec::new(),
            identities: FxHashMap::default(),
        };
        let mut paths = AccessPaths::new(self);
        while let Some(view) = paths.next() {
            let is_heap = self.is_allocated(view.object) && view.start == 0;
            let is_known = values.identities.contains_key(&view.object);
            if is_heap && !is_known && values.heap.len() < MOST_OBJECTS {
                let identity = self.memory.allocation_name(view.object);
                let identity = identity.map(str::to_owned);
                let identity = identity.unwrap_or_else(|| self.memory.describe(view.object));
                values.identities.insert(view.object, identity);
                values.heap.push(view);
            }
        }
        values
    }

    /// The local variables of the frames of a thread, if events are noted.
    pub(crate) fn noted_locals_of(&self, thread: usize) -> Vec<Cells> {
        match self.observer.notes_events() {
            true => self.values().locals_of(thread),
            false => Vec::new(),
        }
    }
}

impl Values<'_, '_> {
    /// Returns the program's own variables that outlive calls, and the objects that it has
    /// allocated and can reach.
    pub fn contents(&self) -> Vec<Contents> {
        let mut all = self.globals();
        all.extend(self.heap.iter().map(|view| self.allocated(view)));
        all
    }

    fn globals(&self) -> Vec<Contents> {
        let machine = self.machine;
        let globals = machine.program.globals().iter().zip(0..);
        let mut all = Vec::new();
        for (global, number) in globals.take(machine.memory.globals.len()) {
            let Some(ty) = global.ty.filter(|_| machine.program.is_users(global.unit)) else {
                continue;
            };
            let contents = |identity, kind, object| Contents {
                identity,
                allocated: String::new(),
                name: String::new(),
                kind,
                cells: self.cells(object, 0, global.unit, ty),
            };
            if !global.thread_local {
                let object = ObjectId::global(number);
                all.push(contents(machine.memory.describe(object), "global", object));
                continue;
            }
            for thread in 0..machine.threads.len() {
                let mut copies = machine.threads[thread].locals.iter();
                if let Some((_, copy)) = copies.find(|(it, _)| *it == number) {
                    let owner = machine.thread_name(thread as u32);
                    let name = format!("{owner}'s {}", global.display_name);
                    all.push(contents(name, "thread-local", *copy));
                }
            }
        }
        all.retain(|it| !it.cells.is_empty());
        all
    }

    fn allocated(&self, view: &View) -> Contents {
        let whole = Subobject {
            path: String::new(),
            bytes: 0,
            ty: None,
            inner: false,
            elements: false,
        };
        let name = match &view.written {
            _ if view.pointers > LONGEST => String::new(),
            Written::Elements(name) => name.clone(),
            Written::This => "*this".into(),
            Written::Variable(_) | Written::Pointer(_) => self.machine.written(view, 0, &whole),
        };
        Contents {
            identity: self.identities[&view.object].clone(),
            allocated: self.machine.memory.place_of_allocation(view.object),
            name,
            kind: "heap",
            cells: match self.is_gone(view.object) {
                true => vec![(String::new(), "freed".into())],
                false => self.elements(view),
            },
        }
    }

    /// Whether an object does not exist any more.
    fn is_gone(&self, object: ObjectId) -> bool {
        let object = self.machine.memory.peek(object);
        object.is_none_or(|it| it.flags().has(Flags::FREED))
    }

    fn elements(&self, view: &View) -> Cells {
        let size = self.machine.program.size_of_type(view.unit, view.ty);
        let count = self.machine.elements(view).unwrap_or(1).max(1);
        let is_array = count > 1 || matches!(view.written, Written::Elements(_));
        let mut cells = Cells::new();
        for k in 0..count {
            let element = self.cells(view.object, k * size.unwrap_or(1), view.unit, view.ty);
            cells.extend(element.into_iter().map(|(path, value)| match is_array {
                true => (format!("[{k}]{path}"), value),
                false => (path, value),
            }));
            if cells.len() >= MOST_CELLS {
                cells.push(("…".into(), format!("{count} elements")));
                break;
            }
        }
        cells
    }

    /// What an object holds that has the type from an offset on.
    fn cells(&self, object: ObjectId, start: u64, unit: UnitId, ty: TypeId) -> Cells {
        let leaves = self.machine.program.leaves(unit, ty, MOST_CELLS);
        let shown = leaves.into_iter().filter_map(|leaf| {
            let word = self.word_at(object, start + leaf.offset, leaf.bytes)?;
            let value = match word {
                Some(word) => self.of_leaf(unit, ty, &leaf, word),
                None => format!("{} bytes", leaf.bytes),
            };
            Some((leaf.path, value))
        });
        shown.collect()
    }

    /// Some bytes of an object as a word, or nothing if they are more than a word.
    fn word_at(&self, object: ObjectId, at: u64, bytes: u64) -> Option<Option<Word>> {
        let view = self.machine.memory.peek(object)?;
        let (start, length) = (at as usize, bytes as usize);
        let content = view.bytes().get(start..start + length)?;
        if length > 8 {
            return Some(None);
        }
        let undefined = view.undefined().get(start..start + length);
        let undefined = number(undefined.unwrap_or_default());
        let word = Word {
            bits: number(content) & !undefined,
            undefined,
            pointer: length == 8 && start.is_multiple_of(8) && view.is_pointer(start / 8),
            time: Time::NONE,
            term: TermId::NONE,
        };
        let offset = start;
        Some(Some(self.machine.memory.load_term(
            Spot { object, offset },
            length,
            word,
        )))
    }

    fn of_leaf(&self, unit: UnitId, ty: TypeId, leaf: &Leaf, word: Word) -> String {
        let program = self.machine.program;
        let is_float = program.is_float_in_type(unit, ty, leaf.offset, leaf.bytes);
        let scalar = match (is_float, leaf.bytes) {
            (true, 4) => Scalar::Float,
            (true, 8) => Scalar::Double,
            _ => Scalar::Integer(leaf.bytes as u8 * 8),
        };
        self.in_words(unit, leaf.ty, scalar, word)
    }

    fn in_words(&self, unit: UnitId, ty: Option<TypeId>, scalar: Scalar, word: Word) -> String {
        let word = self.machine.symbolic.shown(word);
        if !word.term.is_none() {
            return "depends on inputs".into();
        }
        let address = Address::from_bits(word.bits);
        let is_defined = Value::one(word).is_defined();
        if is_defined && word.pointer && self.identities.contains_key(&address.object) {
            return self.machine.show_address(address);
        }
        let is_thread = self.machine.peek_class(address.object) == Some(Class::Machine);
        if is_defined && word.pointer && is_thread && self.is_gone(address.object) {
            return "a thread that is gone".into();
        }
        let program = self.machine.program;
        let typed = ty.filter(|_| is_defined && !word.pointer);
        typed
            .and_then(|ty| program.value_in_words(unit, ty, word.bits))
            .unwrap_or_else(|| self.machine.show(scalar, Value::one(word)))
    }

    /// Returns the local variables of the frames of a thread, with their values: innermost frame
    /// first. A variable that is not used any more is absent.
    pub fn locals_of(&self, thread: usize) -> Vec<Cells> {
        let record = &self.machine.threads[thread];
        let stored = record.frames.iter();
        let stored = stored.map(|&id| FrameImage::decode(self.machine.memory.store.get(id)));
        let mut all: Vec<FrameImage> = stored.chain(record.images.iter().cloned()).collect();
        if thread == self.machine.running {
            let (stack, position) = (&self.machine.stack, self.machine.at.position);
            let count = stack.frames.len();
            all.extend((0..count).map(|n| match n + 1 == count {
                true => stack.image_at(n, position),
                false => stack.image(n),
            }));
        }
        all.iter()
            .rev()
            .map(|frame| self.locals_in(frame))
            .collect()
    }

    fn locals_in(&self, frame: &FrameImage) -> Cells {
        let machine = self.machine;
        if !machine.system.own[frame.function.0 as usize] {
            return Cells::new();
        }
        let (program, memory) = (machine.program, &machine.memory);
        let function = program.function(frame.function);
        let unit = program.info(frame.function).unit;
        let slots = stored_slots(function, frame.position, frame.calling);
        let mut cells = Cells::new();
        for variable in &function.body.variables {
            if let VariablePlace::Value {
                slot,
                scalar,
                offset,
            } = variable.place
                && let Ok(index) = slots.binary_search(&slot)
            {
                let (offset, bytes) = (u64::from(offset), u64::from(scalar.bytes()));
                let part = |ty| program.own_subobject(unit, ty, offset, bytes);
                let part = variable.ty.and_then(part);
                if part.as_ref().is_some_and(|part| part.inner) || is_of_impasse(&variable.name) {
                    continue;
                }
                let (path, whole) = part.map_or((String::new(), None), |part| (part.path, part.ty));
                let name = variable.name.clone() + &path;
                cells.push((name, self.in_words(unit, whole, scalar, frame.words[index])));
            }
        }
        for &object in &frame.objects {
            let ended = Flags::FREED | Flags::ENDED;
            let is_there = memory.peek(object).is_some_and(|it| !it.flags().has(ended));
            if let Some((unit, ty)) = memory.type_of_local(object).filter(|_| is_there) {
                let name = memory.describe(object);
                if is_of_impasse(&name) {
                    continue;
                }
                let own = self.cells(object, 0, unit, ty).into_iter();
                cells.extend(own.map(|(path, value)| (format!("{name}{path}"), value)));
            }
        }
        cells.truncate(MOST_CELLS);
        cells
    }

    /// Returns the delayed stores of a thread, the oldest first: what they write, and the value.
    pub fn delayed_by(&self, thread: usize) -> Cells {
        let entries = self.machine.threads[thread].buffer.entries().iter();
        let stores = entries.flat_map(|entry| {
            entry.pieces.iter().map(|piece| {
                let address = Address {
                    object: entry.object,
                    offset: i64::from(piece.offset),
                };
                let (name, whole) = self.machine.variable(address, u64::from(piece.bytes));
                let scalar = Scalar::Integer(piece.bytes * 8);
                let name = whole.filter(|it| !it.is_empty()).unwrap_or(name);
                (name, self.machine.show(scalar, Value::one(piece.word)))
            })
        });
        stores.collect()
    }
}

/// Whether a variable is one that a macro of Impasse's own headers declares.
fn is_of_impasse(name: &str) -> bool {
    name.starts_with("impasse_")
}

/// The number that some bytes are, the least significant first.
fn number(bytes: &[u8]) -> u64 {
    let bytes = bytes.iter().rev();
    bytes.fold(0, |number, &byte| number << 8 | u64::from(byte))
}
