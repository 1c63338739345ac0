//! States in a form that means the same in every process.
//!
//! A stored state is made of the numbers of its components, which the store of one process has
//! given. The portable form of a state holds the components themselves, each of them the first time
//! that a [`Sender`] meets it, and afterwards a number that the sender and its [`Receiver`] count
//! alike. The receiver stores the components, so the state gets the encoding that it has there.
//! Of a state that is made like the one sent before it, only the components are sent that differ.
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
/// A run that differs in some children from the last one of its level.
const LIKE: u64 = 2;
const KNOWN: u64 = 3;

/// How the portable form of a state begins.
const ENDED: u64 = 0;
const WHOLE: u64 = 1;
const RELATIVE: u64 = 2;

/// A stored state, taken apart.
#[derive(Clone, Default)]
struct State {
    /// The kind and the clock, or all of a state without threads.
    head: SmallVec<[u8; 32]>,
    /// How many threads there are.
    threads: usize,
    /// How many numbers of objects made while running there are.
    objects: usize,
    /// The threads, the globals, the objects, the optional parts: none for an empty tree.
    components: SmallVec<[Id; 16]>,
}

impl State {
    fn read(state: &[u8], shape: Shape) -> Self {
        if has_ended(state) {
            return State {
                head: SmallVec::from_slice(state),
                ..State::default()
            };
        }
        let mut reader = Reader::new(state);
        reader.byte();
        Clock::decode(&mut reader);
        let head = &state[..state.len() - reader.rest().len()];
        let threads = reader.number() as usize;
        let mut components: SmallVec<[Id; 16]> = (0..threads).map(|_| Id(reader.small())).collect();
        let globals = Id(reader.small());
        components.extend((shape.globals > 0).then_some(globals));
        let objects = reader.number() as usize;
        let dynamic = Id(reader.small());
        components.extend((objects > 0).then_some(dynamic));
        components.extend((0..shape.parts).map(|_| Id(reader.small())));
        debug_assert!(reader.is_empty());
        State {
            head: SmallVec::from_slice(head),
            threads,
            objects,
            components,
        }
    }

    /// Appends what [`read`](Self::read) reads.
    fn write(&self, shape: Shape, out: &mut Vec<u8>) {
        let mut components = self.components.iter().map(|id| u64::from(id.0));
        out.extend_from_slice(&self.head);
        put(out, self.threads as u64);
        for thread in components.by_ref().take(self.threads) {
            put(out, thread);
        }
        let mut tree = |entries| match entries {
            0 => 0,
            _ => components.next().unwrap_or(0),
        };
        let (globals, dynamic) = (tree(shape.globals), tree(self.objects));
        put(out, globals);
        put(out, self.objects as u64);
        put(out, dynamic);
        components.for_each(|part| put(out, part));
    }

    /// The forms of the components.
    fn forms(&self, shape: Shape) -> impl Iterator<Item = Form> {
        let threads = std::iter::repeat_n(Form::Thread, self.threads);
        let trees = Form::tree(shape.globals)
            .into_iter()
            .chain(Form::tree(self.objects));
        let parts = std::iter::repeat_n(Form::Content, shape.parts);
        threads.chain(trees).chain(parts)
    }

    /// Whether it differs from another one in nothing but which components it has.
    fn is_made_like(&self, other: &State) -> bool {
        (&self.head, self.threads, self.objects) == (&other.head, other.threads, other.objects)
            && self.components.len() == other.components.len()
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

/// The components that a run refers to, `None` for a hole.
type Children = SmallVec<[Option<(Form, Id)>; RUN]>;

/// The runs that were sent last, by level.
#[derive(Default)]
struct LastRuns(Vec<Children>);

impl LastRuns {
    /// Takes out the last run of a level; one without children if there is none.
    fn take(&mut self, level: u8) -> Children {
        let run = self.0.get_mut(level as usize);
        run.map(std::mem::take).unwrap_or_default()
    }

    fn set(&mut self, level: u8, run: Children) {
        let index = level as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, Children::new());
        }
        self.0[index] = run;
    }
}

/// Appends so many bits, eight to a byte.
fn put_mask(out: &mut Vec<u8>, count: usize, bit: impl Fn(usize) -> bool) {
    for first in (0..count).step_by(8) {
        let bits = first..count.min(first + 8);
        out.push(bits.fold(0, |byte, n| byte | u8::from(bit(n)) << (n - first)));
    }
}

/// Takes off so many bits.
fn take_mask<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], Malformed> {
    let (mask, rest) = bytes.split_at_checked(count.div_ceil(8)).ok_or(Malformed)?;
    *bytes = rest;
    Ok(mask)
}

fn is_set(mask: &[u8], n: usize) -> bool {
    mask[n / 8] >> (n % 8) & 1 == 1
}

/// The hashes of components that were computed before.
#[derive(Default)]
pub struct Hashes(FxHashMap<u64, u64>);

impl Hashes {
    /// Returns the hash of a state, which is the same in every process.
    pub fn of_state(&mut self, store: &Interner, shape: Shape, state: &[u8]) -> u64 {
        if has_ended(state) {
            return hash_of(state);
        }
        let state = State::read(state, shape);
        let mut bytes: SmallVec<[u8; 256]> = SmallVec::from_slice(&state.head);
        for (form, &id) in state.forms(shape).zip(&state.components) {
            bytes.extend_from_slice(&self.of(store, form, id).to_le_bytes());
        }
        bytes.extend_from_slice(&(state.objects as u64).to_le_bytes());
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

/// What a receiver knows.
#[derive(Default)]
pub struct Sender {
    /// Components, with their numbers.
    known: FxHashMap<u64, u32>,
    /// The last state that had not ended.
    last: State,
    last_runs: LastRuns,
}

impl Sender {
    /// Appends the portable form of a state.
    pub fn state(&mut self, store: &Interner, shape: Shape, state: &[u8], out: &mut Vec<u8>) {
        if has_ended(state) {
            put(out, ENDED);
            put(out, state.len() as u64);
            out.extend_from_slice(state);
            return;
        }
        let state = State::read(state, shape);
        let last = std::mem::take(&mut self.last);
        let is_relative = state.is_made_like(&last);
        let differs =
            |index: usize| !is_relative || state.components[index] != last.components[index];
        if is_relative {
            put(out, RELATIVE);
            put_mask(out, state.components.len(), differs);
        } else {
            put(out, WHOLE);
            put(out, state.head.len() as u64);
            out.extend_from_slice(&state.head);
            put(out, state.threads as u64);
            put(out, state.objects as u64);
        }
        for (n, form) in state.forms(shape).enumerate() {
            if differs(n) {
                self.reference(store, form, state.components[n], out);
            }
        }
        self.last = state;
    }

    fn reference(&mut self, store: &Interner, form: Form, id: Id, out: &mut Vec<u8>) {
        if let Some(&number) = self.known.get(&form.key(id)) {
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
                let mut all: Children = SmallVec::new();
                children(stored, level, |child| all.push(child));
                let last = self.last_runs.take(level);
                let is_like = last.len() == all.len();
                let differs = |n: usize| !is_like || all[n] != last[n];
                // The mark that the form begins with is written already.
                match is_like {
                    true => {
                        let mark = out.len() - 1;
                        out[mark] = LIKE as u8;
                        put_mask(out, all.len(), differs);
                    }
                    false => put(out, all.len() as u64),
                }
                for n in (0..all.len()).filter(|&n| differs(n)) {
                    match all[n] {
                        Some((form, id)) => self.reference(store, form, id, out),
                        None => put(out, HOLE),
                    }
                }
                self.last_runs.set(level, all);
            }
        }
        let number = self.known.len() as u32;
        self.known.insert(form.key(id), number);
    }
}

/// What a sender has sent.
#[derive(Default)]
pub struct Receiver {
    /// Components, by their numbers.
    known: Vec<Id>,
    /// The last state that had not ended.
    last: State,
    last_runs: LastRuns,
}

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
        let mut read = std::mem::take(&mut self.last);
        let mut changed: SmallVec<[u8; 8]> = SmallVec::new();
        match number(bytes)? {
            ENDED => {
                self.last = read;
                state.extend_from_slice(piece(bytes)?);
                return match has_ended(state) {
                    true => Ok(()),
                    false => Err(Malformed),
                };
            }
            WHOLE => {
                read.head = SmallVec::from_slice(piece(bytes)?);
                read.threads = number(bytes)? as usize;
                read.objects = number(bytes)? as usize;
                let count = read.forms(shape).count();
                read.components = SmallVec::from_elem(Id(0), count);
                changed.resize(count.div_ceil(8), u8::MAX);
            }
            RELATIVE => {
                let mask = take_mask(bytes, read.components.len())?;
                changed.extend_from_slice(mask);
            }
            _ => return Err(Malformed),
        }
        let forms: SmallVec<[Form; 16]> = read.forms(shape).collect();
        for (n, form) in forms.into_iter().enumerate() {
            if is_set(&changed, n) {
                read.components[n] = self.component(store, form, bytes)?;
            }
        }
        read.write(shape, state);
        self.last = read;
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
        let mark = match number(bytes)? {
            HOLE => return Ok(None),
            mark @ (NEW | LIKE) => mark,
            known => {
                let id = self.known.get((known - KNOWN) as usize);
                return Ok(Some(*id.ok_or(Malformed)?));
            }
        };
        let mut stored = Vec::new();
        match form {
            Form::Content => stored.extend_from_slice(piece(bytes)?),
            Form::Thread => {
                stored.extend_from_slice(piece(bytes)?);
                for _ in 0..number(bytes)? {
                    let frame = self.component(store, Form::Content, bytes)?;
                    put(&mut stored, frame.0.into());
                }
            }
            Form::Run(level) => self.run(store, level, mark == LIKE, bytes, &mut stored)?,
        }
        let id = store.intern(&stored).id;
        self.known.push(id);
        Ok(Some(id))
    }
}

impl Receiver {
    /// Reads the children of a run, and appends its stored form.
    fn run(
        &mut self,
        store: &Interner,
        level: u8,
        is_like: bool,
        bytes: &mut &[u8],
        stored: &mut Vec<u8>,
    ) -> Result<(), Malformed> {
        let mut all = self.last_runs.take(level);
        let mask = match is_like {
            true => Some(take_mask(bytes, all.len())?),
            false => {
                all.clear();
                all.resize(number(bytes)? as usize, None);
                None
            }
        };
        let below = match level {
            0 => Form::Content,
            _ => Form::Run(level - 1),
        };
        for n in 0..all.len() {
            if mask.is_none_or(|mask| is_set(mask, n)) {
                let id = self.reference(store, below, bytes)?;
                all[n] = id.map(|id| (below, id));
            }
        }
        for child in &all {
            let id = child.map(|(_, id)| u64::from(id.0));
            match level {
                0 => put(stored, id.map_or(0, |id| id + 1)),
                _ => put(stored, id.ok_or(Malformed)?),
            }
        }
        self.last_runs.set(level, all);
        Ok(())
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
