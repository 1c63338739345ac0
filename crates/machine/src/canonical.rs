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

use crate::frame::{FrameImage, names_objects};
use crate::memory::object::{Class, Flags};
use crate::memory::{Entry, Memory};
use crate::thread::{Phase, Thread};
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_store::Interner;

/// Who reaches an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Nobody,
    Thread(u32),
    Everybody,
}

/// The walk.
struct Walk<'m, 's> {
    memory: &'m Memory<'s>,
    owners: Vec<Owner>,
    /// Old indices in the order of the walk; also its queue.
    order: Vec<u32>,
    done: usize,
}

impl Walk<'_, '_> {
    fn root(&mut self, object: ObjectId, owner: Owner) {
        let ObjectKind::Dynamic(index) = object.kind() else {
            return;
        };
        match self.owners.get(index as usize) {
            None => {}
            Some(Owner::Nobody) => {
                if self.memory.dynamic[index as usize] != Entry::Hole {
                    self.owners[index as usize] = owner;
                    self.order.push(index);
                }
            }
            Some(&known) if known == owner || known == Owner::Everybody => {}
            Some(_) => self.share(index),
        }
    }

    /// An object that was reached by one thread is reached by another one too, and so is what it names.
    fn share(&mut self, index: u32) {
        let mut pending = vec![index];
        while let Some(index) = pending.pop() {
            match self.owners.get_mut(index as usize) {
                None | Some(Owner::Nobody | Owner::Everybody) => continue,
                Some(owner) => *owner = Owner::Everybody,
            }
            self.for_each_named(index, |object| {
                if let ObjectKind::Dynamic(n) = object.kind() {
                    pending.push(n);
                }
            });
        }
    }

    fn for_each_named(&self, index: u32, mut f: impl FnMut(ObjectId)) {
        if let Some(object) = self.memory.at(self.memory.dynamic[index as usize]) {
            object.for_each_pointer(|address| f(address.object));
        }
    }

    /// Walks from the roots so far. What an object names belongs to whoever reaches the object.
    fn drain(&mut self) {
        let mut named = Vec::new();
        while let Some(&index) = self.order.get(self.done) {
            self.done += 1;
            self.for_each_named(index, |object| named.push(object));
            for object in named.drain(..) {
                self.root(object, self.owners[index as usize]);
            }
        }
    }
}

/// An unreachable object that was allocated and never freed.
pub struct Leak {
    /// What it is, in words.
    pub description: String,
}

/// Calls `f` with each object that a thread names, in order.
pub fn for_each_object_of(thread: &Thread, store: &Interner, f: &mut dyn FnMut(ObjectId)) {
    thread.for_each_object(f);
    for &frame in &thread.frames {
        let stored = store.get(frame);
        if names_objects(stored) {
            FrameImage::decode(stored).for_each_object(f);
        }
    }
    for image in &thread.images {
        image.for_each_object(f);
    }
}

/// Names all objects canonically, drops what nothing reaches, and marks what several threads reach. Returns the leaks.
pub fn canonicalise(memory: &mut Memory<'_>, threads: &mut [Thread]) -> Vec<Leak> {
    let (owners, order) = walk(memory, threads);
    let leaks = leaks(memory, &owners);
    let names = new_names(memory, &order);
    let renamed = |object: ObjectId| match object.kind() {
        ObjectKind::Dynamic(n) => names.get(n as usize).copied().flatten(),
        _ => None,
    };
    mark_shared(memory, &order, &owners);
    let identity = (0..memory.dynamic.len() as u32)
        .all(|n| renamed(ObjectId::dynamic(n)) == Some(ObjectId::dynamic(n)));
    if !identity {
        rename_in_memory(memory, &order, &renamed);
        rename_in_threads(memory.store, threads, &renamed);
        let count = names.iter().flatten().map(|o| dynamic_index(*o) + 1).max();
        let mut entries = vec![Entry::Hole; count.unwrap_or(0) as usize];
        for (old, new) in names.iter().enumerate() {
            if let Some(new) = new {
                entries[dynamic_index(*new) as usize] = memory.dynamic[old];
            }
        }
        memory.dynamic = entries;
    }
    memory.reshaped = false;
    leaks
}

fn dynamic_index(object: ObjectId) -> u32 {
    match object.kind() {
        ObjectKind::Dynamic(n) => n,
        _ => unreachable!("only objects made while running are renamed"),
    }
}

fn walk(memory: &Memory<'_>, threads: &[Thread]) -> (Vec<Owner>, Vec<u32>) {
    let mut walk = Walk {
        memory,
        owners: vec![Owner::Nobody; memory.dynamic.len()],
        order: Vec::new(),
        done: 0,
    };
    for &entry in &memory.globals {
        if let Some(object) = memory.at(entry) {
            object.for_each_pointer(|address| walk.root(address.object, Owner::Everybody));
        }
    }
    walk.drain();
    for (number, thread) in threads.iter().enumerate() {
        let owner = Owner::Thread(number as u32);
        for_each_object_of(thread, memory.store, &mut |object| walk.root(object, owner));
        walk.drain();
    }
    for index in 0..memory.dynamic.len() as u32 {
        let object = memory.at(memory.dynamic[index as usize]);
        if object.is_some_and(|o| o.flags().has(Flags::PINNED) && !o.flags().has(Flags::FREED)) {
            walk.root(ObjectId::dynamic(index), Owner::Everybody);
            walk.drain();
        }
    }
    (walk.owners, walk.order)
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
    };
    objects.map(describe).collect()
}

/// The new name of each old index: pinned objects keep theirs, the others take the free ones in the order of the walk.
fn new_names(memory: &Memory<'_>, order: &[u32]) -> Vec<Option<ObjectId>> {
    let pinned = |index: u32| {
        let object = memory.at(memory.dynamic[index as usize]);
        object.is_some_and(|o| o.flags().has(Flags::PINNED))
    };
    let mut names = vec![None; memory.dynamic.len()];
    let mut taken = vec![false; memory.dynamic.len()];
    for &index in order.iter().filter(|&&i| pinned(i)) {
        names[index as usize] = Some(ObjectId::dynamic(index));
        taken[index as usize] = true;
    }
    let mut free = (0..).filter(|&n: &u32| !taken.get(n as usize).is_some_and(|&t| t));
    for &index in order {
        if names[index as usize].is_none() {
            names[index as usize] = free.next().map(ObjectId::dynamic);
        }
    }
    names
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
    let globals = (0..memory.globals.len() as u32).map(ObjectId::global);
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
    threads: &mut [Thread],
    new_name: &dyn Fn(ObjectId) -> Option<ObjectId>,
) {
    let mut buffer = Vec::new();
    for thread in threads.iter_mut().filter(|t| t.phase != Phase::Gone) {
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
    }
}
