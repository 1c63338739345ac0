//! Canonical names for objects made while running, and who can reach them.
//!
//! Executions that allocate the same objects in another order reach states that are equal up to the objects' numbers. When a step ends, objects
//! are therefore numbered in the order in which a breadth-first walk from the roots meets them: first from the
//! mutable globals, then from each thread (its descriptor, its thread-local variables, its frames from the outermost on). The walk
//! sees only what states that are equal up to numbers have in common, so that such states become equal.
//!
//! *Argument.* Renaming is an isomorphism of the transition system as long as no execution can tell numbers apart. Equality of addresses,
//! arithmetic inside an object and access do not depend on numbers; everything else that could is caught by
//! the memory and pins the object (see [`crate::memory`]): a pinned object keeps its number, and is never taken
//! for unreachable, since its address may live in an integer.
//!
//! The same walk tells
//! - which objects nothing reaches: they cannot be accessed any more and are dropped; if they were allocated and not freed they are leaks;
//! - which objects only one thread reaches: no other thread can access them before that one stores
//!   their address where others can read it, which is itself an observable action. Accesses to them are not observable.
//!
//! The walk's result depends only on which objects each root and each object names, in order. A step that changed none of these
//! lists, made nothing and freed nothing leaves all names and all facts as they were, and skips the walk.

use crate::fault::CodePlace;
use crate::frame::{FrameImage, for_each_object_in, names_objects};
use crate::memory::object::{Class, Flags};
use crate::memory::{Entry, Memory};
use crate::model::buffer::Entry as Delayed;
use crate::model::write_private;
use crate::thread::{Phase, Thread, Threads};
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_store::{Id, Interner};
use smallvec::SmallVec;

/// Who reaches an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Nobody,
    Thread(u32),
    Everybody,
}

/// What the walk keeps between states: its scratch, and the objects that stored frames name.
#[derive(Default)]
pub struct Namer {
    owners: Vec<Owner>,
    /// Old indices in the order of the walk; also its queue.
    order: Vec<u32>,
    pending: Vec<u32>,
    named: Vec<ObjectId>,
    names: Vec<Option<ObjectId>>,
    frames: Vec<(u32, SmallVec<[ObjectId; 6]>)>,
    /// Delayed stores of threads to objects that were found to be private, which have reached memory.
    pub written: Vec<(usize, Delayed)>,
}

/// How many stored frames the namer remembers.
const REMEMBERED: usize = 4096;

impl Namer {
    /// Calls `f` with each object that a stored frame keeps alive, in order.
    fn for_each_object_of_frame(
        &mut self,
        store: &Interner,
        frame: Id,
        f: &mut dyn FnMut(ObjectId),
    ) {
        let stored = store.get(frame);
        if !names_objects(stored) {
            return;
        }
        if self.frames.is_empty() {
            self.frames = vec![(u32::MAX, SmallVec::new()); REMEMBERED];
        }
        let hash = (frame.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let (known, objects) = &mut self.frames[hash as usize % REMEMBERED];
        if *known != frame.0 {
            *known = frame.0;
            objects.clear();
            for_each_object_in(stored, &mut |object| objects.push(object));
        }
        objects.iter().copied().for_each(f);
    }

    /// Calls `f` with each object that a thread's own record and its frames from `from` on name, in order.
    pub fn for_each_object_of(
        &mut self,
        thread: &Thread,
        from: usize,
        store: &Interner,
        f: &mut dyn FnMut(ObjectId),
    ) {
        thread.for_each_object(f);
        for &frame in &thread.frames[from..] {
            self.for_each_object_of_frame(store, frame, f);
        }
        for image in &thread.images {
            image.for_each_object(f);
        }
    }

    fn root(&mut self, memory: &Memory<'_>, object: ObjectId, owner: Owner) {
        let ObjectKind::Dynamic(index) = object.kind() else {
            return;
        };
        match self.owners.get(index as usize) {
            None => {}
            Some(Owner::Nobody) if memory.dynamic[index as usize] == Entry::Hole => {}
            Some(Owner::Nobody) => {
                self.owners[index as usize] = owner;
                self.order.push(index);
            }
            Some(&known) if known == owner || known == Owner::Everybody => {}
            Some(_) => self.share(memory, index),
        }
    }

    /// An object that was reached by one thread is reached by another one too, and so is what it names.
    fn share(&mut self, memory: &Memory<'_>, index: u32) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.push(index);
        while let Some(index) = pending.pop() {
            match self.owners.get_mut(index as usize) {
                None | Some(Owner::Nobody | Owner::Everybody) => continue,
                Some(owner) => *owner = Owner::Everybody,
            }
            for_each_named(memory, index, |object| {
                if let ObjectKind::Dynamic(n) = object.kind() {
                    pending.push(n);
                }
            });
        }
        self.pending = pending;
    }

    /// Walks from the roots so far, beginning with the entry `done` of the order. What an object names belongs to whoever reaches
    /// the object.
    fn drain(&mut self, memory: &Memory<'_>, mut done: usize) {
        let mut named = std::mem::take(&mut self.named);
        while let Some(&index) = self.order.get(done) {
            done += 1;
            for_each_named(memory, index, |object| named.push(object));
            for object in named.drain(..) {
                self.root(memory, object, self.owners[index as usize]);
            }
        }
        self.named = named;
    }

    fn walk(&mut self, memory: &Memory<'_>, threads: &Threads) {
        self.owners.clear();
        self.owners.resize(memory.dynamic.len(), Owner::Nobody);
        self.order.clear();
        for (group, &bits) in memory.naming.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let global = group * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if let Some(object) = memory.at(memory.globals[global]) {
                    object.for_each_pointer(|a| self.root(memory, a.object, Owner::Everybody));
                }
            }
        }
        self.drain(memory, 0);
        let mut roots = std::mem::take(&mut self.named);
        for (number, thread) in threads.iter().enumerate() {
            let owner = Owner::Thread(number as u32);
            let done = self.order.len();
            self.for_each_object_of(thread, 0, memory.store, &mut |object| roots.push(object));
            for object in roots.drain(..) {
                self.root(memory, object, owner);
            }
            for entry in thread.buffer.entries() {
                entry
                    .values()
                    .for_each(|o| self.root(memory, o, Owner::Everybody));
            }
            self.drain(memory, done);
        }
        self.named = roots;
        for index in 0..memory.dynamic.len() as u32 {
            let object = memory.at(memory.dynamic[index as usize]);
            if object.is_some_and(|o| o.flags().has(Flags::PINNED) && !o.flags().has(Flags::FREED))
            {
                let done = self.order.len();
                self.root(memory, ObjectId::dynamic(index), Owner::Everybody);
                self.drain(memory, done);
            }
        }
    }

    /// Names all objects canonically, drops what nothing reaches, and marks what several threads reach. Returns the leaks.
    pub fn canonicalise(&mut self, memory: &mut Memory<'_>, threads: &mut Threads) -> Vec<Leak> {
        self.walk(memory, threads);
        if threads.iter().any(|t| !t.buffer.is_empty()) {
            let private = |object: ObjectId, thread: usize| match object.kind() {
                ObjectKind::Dynamic(n) => self.owners[n as usize] == Owner::Thread(thread as u32),
                _ => false,
            };
            let written = write_private(memory, threads, private);
            if !written.is_empty() {
                self.written.extend(written);
                self.walk(memory, threads);
            }
        }
        let leaks = leaks(memory, &self.owners);
        self.choose_names(memory);
        mark_shared(memory, &self.order, &self.owners);
        memory.reshaped = false;
        let stays =
            |(n, name): (usize, &Option<ObjectId>)| *name == Some(ObjectId::dynamic(n as u32));
        if self.names.iter().enumerate().all(stays) {
            return leaks;
        }
        let names = &self.names;
        let new_name = |object: ObjectId| match object.kind() {
            ObjectKind::Dynamic(n) => names.get(n as usize).copied().flatten(),
            _ => None,
        };
        rename_in_memory(memory, &self.order, &new_name);
        rename_in_threads(memory.store, threads, &new_name);
        let count = names.iter().flatten().map(|o| dynamic_index(*o) + 1).max();
        let mut entries = vec![Entry::Hole; count.unwrap_or(0) as usize];
        for (old, new) in names.iter().enumerate() {
            if let Some(new) = new {
                entries[dynamic_index(*new) as usize] = memory.dynamic[old];
            }
        }
        memory.dynamic = entries;
        leaks
    }

    /// The new name of each old index: pinned objects keep theirs, the others take the free ones in the order of the walk.
    fn choose_names(&mut self, memory: &Memory<'_>) {
        let pinned = |index: u32| {
            let object = memory.at(memory.dynamic[index as usize]);
            object.is_some_and(|o| o.flags().has(Flags::PINNED))
        };
        self.names.clear();
        self.names.resize(memory.dynamic.len(), None);
        let mut taken: SmallVec<[u32; 8]> = SmallVec::new();
        for &index in self.order.iter().filter(|&&i| pinned(i)) {
            self.names[index as usize] = Some(ObjectId::dynamic(index));
            taken.push(index);
        }
        let mut free = (0..).filter(|n: &u32| !taken.contains(n));
        for &index in &self.order {
            if self.names[index as usize].is_none() {
                self.names[index as usize] = free.next().map(ObjectId::dynamic);
            }
        }
    }
}

fn for_each_named(memory: &Memory<'_>, index: u32, mut f: impl FnMut(ObjectId)) {
    if let Some(object) = memory.at(memory.dynamic[index as usize]) {
        object.for_each_pointer(|address| f(address.object));
    }
}

/// An unreachable object that was allocated and never freed.
pub struct Leak {
    /// What it is, in words.
    pub description: String,
    /// Where it was allocated.
    pub origin: Option<CodePlace>,
}

fn dynamic_index(object: ObjectId) -> u32 {
    match object.kind() {
        ObjectKind::Dynamic(n) => n,
        _ => unreachable!("only objects made while running are renamed"),
    }
}

fn leaks(memory: &Memory<'_>, owners: &[Owner]) -> Vec<Leak> {
    let leaked = |&index: &usize| {
        let Some(object) = memory.at(memory.dynamic[index]) else {
            return false;
        };
        owners[index] == Owner::Nobody
            && object.class() == Class::Heap
            && !object.flags().has(Flags::FREED)
    };
    let indices = (0..owners.len()).filter(leaked);
    let objects = indices.map(|n| ObjectId::dynamic(n as u32));
    let describe = |object| Leak {
        description: memory.describe(object),
        origin: memory.get(object).and_then(|o| o.origin()),
    };
    objects.map(describe).collect()
}

fn mark_shared(memory: &mut Memory<'_>, order: &[u32], owners: &[Owner]) {
    for &index in order {
        let shared = owners[index as usize] == Owner::Everybody;
        let object = ObjectId::dynamic(index);
        let known = memory.get(object).expect("a reached object").flags();
        if known.has(Flags::SHARED) != shared {
            memory.get_mut(object).flags.set(Flags::SHARED, shared);
        }
    }
}

fn rename_in_memory(
    memory: &mut Memory<'_>,
    order: &[u32],
    new_name: &dyn Fn(ObjectId) -> Option<ObjectId>,
) {
    let naming = |n: &u32| memory.naming[*n as usize / 64] >> (n % 64) & 1 == 1;
    let globals = (0..memory.globals.len() as u32)
        .filter(naming)
        .map(ObjectId::global);
    let objects: Vec<ObjectId> = globals
        .chain(order.iter().map(|&n| ObjectId::dynamic(n)))
        .collect();
    for object in objects {
        let mut stale = false;
        let view = memory.get(object).expect("a reached object");
        view.for_each_pointer(|a| stale |= new_name(a.object).is_some_and(|n| n != a.object));
        if !stale {
            continue;
        }
        let target = memory.get_mut(object);
        let words: Vec<usize> = target.pointer_words().collect();
        for word in words {
            let address = Address::from_bits(target.word(word));
            if let Some(object) = new_name(address.object) {
                let offset = address.offset;
                target.set_word(word, Address { object, offset }.bits());
            }
        }
    }
}

fn rename_in_threads(
    store: &Interner,
    threads: &mut Threads,
    new_name: &dyn Fn(ObjectId) -> Option<ObjectId>,
) {
    let mut buffer = Vec::new();
    for number in 0..threads.len() {
        if threads[number].phase == Phase::Gone && threads[number].held.is_empty() {
            continue;
        }
        let mut thread = threads[number].clone();
        thread.rename(new_name);
        for frame in &mut thread.frames {
            let stored = store.get(*frame);
            if !names_objects(stored) {
                continue;
            }
            let mut image = FrameImage::decode(stored);
            image.rename(new_name);
            buffer.clear();
            image.encode(&mut buffer);
            if buffer != stored {
                *frame = store.intern(&buffer).id;
            }
        }
        for image in &mut thread.images {
            image.rename(new_name);
        }
        if thread != threads[number] {
            threads[number] = thread;
        }
    }
}
