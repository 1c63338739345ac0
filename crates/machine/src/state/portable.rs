//! States in a form that means the same in every process.
//!
//! A stored state is made of the numbers of its components, which the store of one process has
//! given. The portable form of a state holds the components themselves, each of them the first time
//! that a [`Sender`] meets it, and afterwards a number that the sender and its [`Receiver`] count
//! alike. The receiver stores the components, so that the state gets the encoding that it has there.
//!
//! *The same state has the same hash everywhere.* The hash of a component is made of its own bytes
//! and the hashes of the components that it refers to, never of their numbers.
//!
//! States with values that are terms have no portable form: a term is a number of one process too.

use crate::base::codec::{Reader, put};
use crate::state::clock::Clock;
use crate::state::encoding::has_ended;
use crate::state::memory::id_ranges::RUN;
use crate::state::thread::Thread;
use impasse_store::{Id, Interner, hash_of};
use impasse_transition_system::Malformed;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What states of a system are made of.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// How many mutable globals there are.
    pub globals: usize,
    /// How many optional parts follow the memory.
    pub parts: usize,
}

/// What a component refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// Nothing.
    Content,
    /// Frames, after its own bytes.
    Thread,
    /// Entries at level 0 (see `entry_tree`), or the runs of the level below.
    Run(u8),
}

impl Form {
    /// The form of a tree over so many entries; `None` if it has no component.
    fn tree(entries: usize) -> Option<Form> {
        let mut size = entries;
        let mut level = None;
        while size > 1 || (size == 1 && level.is_none()) {
            size = size.div_ceil(RUN);
            level = Some(level.map_or(0, |level: u8| level + 1));
        }
        level.map(Form::Run)
    }

    /// A component as one number: the same bytes may be components of several forms.
    fn key(self, id: Id) -> u64 {
        let form = match self {
            Form::Content => 0,
            Form::Thread => 1,
            Form::Run(level) => 2 + u64::from(level),
        };
        form << 32 | u64::from(id.0)
    }
}

/// How references begin that are no numbers of known components.
const HOLE: u64 = 0;
const NEW: u64 = 1;
const KNOWN: u64 = 2;

/// A stored state, taken apart.
struct State<'a> {
    /// The kind and the clock, or all of a state without threads.
    head: &'a [u8],
    body: Option<Body>,
}

struct Body {
    threads: SmallVec<[Id; 8]>,
    globals: Option<(Form, Id)>,
    objects: usize,
    dynamic: Option<(Form, Id)>,
    parts: SmallVec<[Id; 3]>,
}

impl<'a> State<'a> {
    fn read(state: &'a [u8], shape: Shape) -> Self {
        if has_ended(state) {
            let head = state;
            return State { head, body: None };
        }
        let mut reader = Reader::new(state);
        reader.byte();
        Clock::decode(&mut reader);
        let head = &state[..state.len() - reader.rest().len()];
        let count = reader.small();
        let threads = (0..count).map(|_| Id(reader.small())).collect();
        let top = Id(reader.small());
        let globals = Form::tree(shape.globals).map(|form| (form, top));
        let objects = reader.number() as usize;
        let top = Id(reader.small());
        let dynamic = Form::tree(objects).map(|form| (form, top));
        let parts = (0..shape.parts).map(|_| Id(reader.small())).collect();
        debug_assert!(reader.is_empty());
        let body = Some(Body {
            threads,
            globals,
            objects,
            dynamic,
            parts,
        });
        State { head, body }
    }
}

/// The bytes of a stored thread before its frames, and the frames.
fn split_thread(stored: &[u8]) -> (&[u8], SmallVec<[Id; 16]>) {
    let frames: SmallVec<[Id; 16]> = Thread::decode(stored).frames.iter().copied().collect();
    let mut suffix = Vec::new();
    frames
        .iter()
        .for_each(|frame| put(&mut suffix, frame.0.into()));
    (&stored[..stored.len() - suffix.len()], frames)
}

/// Calls `child` with each component that a run of this level refers to, `None` for a hole.
fn children(stored: &[u8], level: u8, mut child: impl FnMut(Option<(Form, Id)>)) {
    let mut reader = Reader::new(stored);
    while !reader.is_empty() {
        let number = reader.small();
        child(match level.checked_sub(1) {
            Some(below) => Some((Form::Run(below), Id(number))),
            None => number.checked_sub(1).map(|id| (Form::Content, Id(id))),
        });
    }
}

/// The hashes of components that were computed before.
#[derive(Default)]
pub struct Hashes(FxHashMap<u64, u64>);

impl Hashes {
    /// Returns the hash of a state, which is the same in every process.
    pub fn of_state(&mut self, store: &Interner, shape: Shape, state: &[u8]) -> u64 {
        let State { head, body } = State::read(state, shape);
        let mut bytes: SmallVec<[u8; 256]> = SmallVec::from_slice(head);
        if let Some(body) = body {
            let threads = body.threads.iter().map(|&id| (Form::Thread, id));
            let parts = body.parts.iter().map(|&id| (Form::Content, id));
            let trees = body.globals.into_iter().chain(body.dynamic);
            for (form, id) in threads.chain(trees).chain(parts) {
                bytes.extend_from_slice(&self.of(store, form, id).to_le_bytes());
            }
            bytes.extend_from_slice(&(body.objects as u64).to_le_bytes());
        }
        hash_of(&bytes)
    }

    fn of(&mut self, store: &Interner, form: Form, id: Id) -> u64 {
        if let Some(&hash) = self.0.get(&form.key(id)) {
            return hash;
        }
        let stored = store.get(id);
        let hash = match form {
            Form::Content => hash_of(stored),
            Form::Thread => {
                let (own, frames) = split_thread(stored);
                let mut bytes: SmallVec<[u8; 256]> = SmallVec::from_slice(own);
                for frame in frames {
                    let hash = self.of(store, Form::Content, frame);
                    bytes.extend_from_slice(&hash.to_le_bytes());
                }
                hash_of(&bytes)
            }
            Form::Run(level) => {
                let mut bytes: SmallVec<[u8; 256]> = SmallVec::new();
                children(stored, level, |child| {
                    let hash = child.map_or(0, |(form, id)| self.of(store, form, id));
                    bytes.extend_from_slice(&hash.to_le_bytes());
                });
                hash_of(&bytes)
            }
        };
        self.0.insert(form.key(id), hash);
        hash
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.capacity() as u64 * (size_of::<(u64, u64)>() as u64 + 1)
    }
}

/// The components that a receiver knows, with their numbers.
#[derive(Default)]
pub struct Sender(FxHashMap<u64, u32>);

impl Sender {
    /// Appends the portable form of a state.
    pub fn state(&mut self, store: &Interner, shape: Shape, state: &[u8], out: &mut Vec<u8>) {
        let State { head, body } = State::read(state, shape);
        put(out, head.len() as u64);
        out.extend_from_slice(head);
        let Some(body) = body else {
            return;
        };
        put(out, body.threads.len() as u64);
        for &thread in &body.threads {
            self.reference(store, Form::Thread, thread, out);
        }
        if let Some((form, id)) = body.globals {
            self.reference(store, form, id, out);
        }
        put(out, body.objects as u64);
        if let Some((form, id)) = body.dynamic {
            self.reference(store, form, id, out);
        }
        for &part in &body.parts {
            self.reference(store, Form::Content, part, out);
        }
    }

    fn reference(&mut self, store: &Interner, form: Form, id: Id, out: &mut Vec<u8>) {
        if let Some(&number) = self.0.get(&form.key(id)) {
            return put(out, u64::from(number) + KNOWN);
        }
        put(out, NEW);
        let stored = store.get(id);
        match form {
            Form::Content => {
                put(out, stored.len() as u64);
                out.extend_from_slice(stored);
            }
            Form::Thread => {
                let (own, frames) = split_thread(stored);
                put(out, own.len() as u64);
                out.extend_from_slice(own);
                put(out, frames.len() as u64);
                for frame in frames {
                    self.reference(store, Form::Content, frame, out);
                }
            }
            Form::Run(level) => {
                let mut count = 0;
                children(stored, level, |_| count += 1);
                put(out, count);
                children(stored, level, |child| match child {
                    Some((form, id)) => self.reference(store, form, id, out),
                    None => put(out, HOLE),
                });
            }
        }
        let number = self.0.len() as u32;
        self.0.insert(form.key(id), number);
    }
}

/// The components that a sender has sent, by their numbers.
#[derive(Default)]
pub struct Receiver(Vec<Id>);

impl Receiver {
    /// Reads what [`Sender::state`] wrote at the beginning of `bytes`, and sets `state` to the
    /// encoding of the state in this process. Fails if it is anything else.
    pub fn state(
        &mut self,
        store: &Interner,
        shape: Shape,
        bytes: &mut &[u8],
        state: &mut Vec<u8>,
    ) -> Result<(), Malformed> {
        state.clear();
        state.extend_from_slice(piece(bytes)?);
        if state.is_empty() {
            return Err(Malformed);
        }
        if has_ended(state) {
            return Ok(());
        }
        let threads = number(bytes)?;
        put(state, threads);
        for _ in 0..threads {
            let id = self.component(store, Form::Thread, bytes)?;
            put(state, id.0.into());
        }
        self.tree(store, shape.globals, bytes, state)?;
        let objects = number(bytes)?;
        put(state, objects);
        self.tree(store, objects as usize, bytes, state)?;
        for _ in 0..shape.parts {
            let id = self.component(store, Form::Content, bytes)?;
            put(state, id.0.into());
        }
        Ok(())
    }

    fn tree(
        &mut self,
        store: &Interner,
        entries: usize,
        bytes: &mut &[u8],
        state: &mut Vec<u8>,
    ) -> Result<(), Malformed> {
        let top = match Form::tree(entries) {
            Some(form) => self.component(store, form, bytes)?,
            None => Id(0),
        };
        put(state, top.0.into());
        Ok(())
    }

    fn component(
        &mut self,
        store: &Interner,
        form: Form,
        bytes: &mut &[u8],
    ) -> Result<Id, Malformed> {
        self.reference(store, form, bytes)?.ok_or(Malformed)
    }

    /// Returns the component that a reference means, `None` for a hole.
    fn reference(
        &mut self,
        store: &Interner,
        form: Form,
        bytes: &mut &[u8],
    ) -> Result<Option<Id>, Malformed> {
        match number(bytes)? {
            HOLE => return Ok(None),
            NEW => {}
            known => {
                let id = self.0.get((known - KNOWN) as usize).ok_or(Malformed)?;
                return Ok(Some(*id));
            }
        }
        let mut stored = Vec::new();
        if let Form::Content | Form::Thread = form {
            stored.extend_from_slice(piece(bytes)?);
        }
        if form != Form::Content {
            for _ in 0..number(bytes)? {
                let child = match form {
                    Form::Content | Form::Thread | Form::Run(0) => Form::Content,
                    Form::Run(level) => Form::Run(level - 1),
                };
                let id = self.reference(store, child, bytes)?;
                let id = id.map(|id| u64::from(id.0));
                match form {
                    Form::Run(0) => put(&mut stored, id.map_or(0, |id| id + 1)),
                    _ => put(&mut stored, id.ok_or(Malformed)?),
                }
            }
        }
        let id = store.intern(&stored).id;
        self.0.push(id);
        Ok(Some(id))
    }
}

/// Takes a number off the beginning of some bytes.
fn number(bytes: &mut &[u8]) -> Result<u64, Malformed> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(Malformed)?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(Malformed)
}

/// Takes a length and as many bytes.
fn piece<'a>(bytes: &mut &'a [u8]) -> Result<&'a [u8], Malformed> {
    let length = number(bytes)? as usize;
    let (piece, rest) = bytes.split_at_checked(length).ok_or(Malformed)?;
    *bytes = rest;
    Ok(piece)
}
