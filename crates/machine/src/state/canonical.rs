//! The canonical heap: numbers for the objects made while running, and which threads can reach
//! them.
//!
//! *Claim.* States that are equal up to the numbers of objects become equal, and exploring the
//! canonical state stands for exploring each of them.
//!
//! *Conditions.*
//! - No execution depends on the numbers. Whoever lets a program see the number of an object must
//!   expose the object ([`crate::state::memory`]): it keeps its number from then on, and never
//!   counts as unreachable.
//! - The result depends only on which objects each root and each object names, in order. The roots
//!   are the mutable globals, what older messages of atomics hold, and for each thread its
//!   descriptor, its thread-local variables and its frames from the outermost on.
//!
//! A first walk finds unreachable objects, which are dropped and may be leaks; the objects that
//! only one thread reaches, its *own*; and shared ones. A second walk numbers them: own objects
//! from the id range of their thread, shared objects from id range 0
//! ([`crate::state::memory::id_ranges`]). A step that changes no list of names skips both walks;
//! one that changes only its thread's names renumbers that thread's objects ([`own`]).
//!
//! The argument is in `docs/internals/canonical-heap.md`.

mod leaks;
mod own;
mod private_stores;
mod references;
mod rename;
mod terms;

use crate::state::frame::{for_each_object_in, names_objects};
use crate::state::happens_before::Names;
use crate::state::memory::id_ranges::IdRanges;
use crate::state::memory::object::Flags;
use crate::state::memory::{Entry, Memory};
use crate::state::read_set::ReadSetEntry;
use crate::state::thread::{Thread, Threads};
use impasse_program::address::{ObjectId, ObjectKind};
use impasse_store::{Id, Interner};
use leaks::leaks;
use private_stores::{Written, write_private};
use references::{dynamic_index, for_each_named, for_each_naming_global};
use rename::Changed;
use smallvec::SmallVec;
use std::sync::Arc;

pub use leaks::Leak;
pub use references::{held_of_id_range, names_of_thread, naming_globals};
pub use terms::{Parts, canonicalise_inputs, known_inputs, put_in_memory, put_known_inputs};

/// Which threads reach an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Unreached,
    Thread(u32),
    Shared,
}

/// What the walks keep between states: their scratch, and the objects that stored frames name.
#[derive(Default)]
pub struct Canonicaliser {
    owners: Vec<Owner>,
    /// The queue of the first walk.
    order: Vec<u32>,
    pending: Vec<u32>,
    named: Vec<ObjectId>,
    /// Whether the second walk has met an object.
    met: Vec<bool>,
    /// The shared objects, by their present numbers, in the order of the second walk.
    shared: Vec<u32>,
    /// The own objects of each thread.
    own: Vec<Vec<u32>>,
    /// The new name of each present number.
    names: Vec<Option<ObjectId>>,
    frames: Vec<FrameNames>,
    /// Delayed stores of threads to objects that were found to be private, which have reached
    /// memory.
    pub written: Vec<Written>,
    /// Whether any object changed its name, or is gone, when the heap was canonicalised last.
    pub changed: bool,
}

/// The objects of a stored frame.
#[derive(Clone, Default)]
struct FrameNames {
    frame: Option<Id>,
    /// Those that it keeps alive, in order.
    names: SmallVec<[ObjectId; 6]>,
    /// Those that go with it, in order.
    locals: SmallVec<[ObjectId; 2]>,
}

/// For how many stored frames the canonicaliser keeps results.
const REMEMBERED: usize = 4096;

impl Canonicaliser {
    /// The objects of a stored frame, if it has any.
    fn names_of_frame(&mut self, store: &Interner, frame: Id) -> Option<&FrameNames> {
        let stored = store.get(frame);
        if !names_objects(stored) {
            return None;
        }
        if self.frames.is_empty() {
            self.frames = vec![FrameNames::default(); REMEMBERED];
        }
        let hash = (frame.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let known = &mut self.frames[hash as usize % REMEMBERED];
        if known.frame != Some(frame) {
            *known = FrameNames {
                frame: Some(frame),
                ..FrameNames::default()
            };
            let FrameNames { names, locals, .. } = known;
            for_each_object_in(stored, &mut |o| locals.push(o), &mut |o| names.push(o));
        }
        Some(known)
    }

    /// Calls `f` with each object that a thread's own record and its frames from `from` on name,
    /// and each local variable that it accessed recently, in order.
    pub fn for_each_object_of(
        &mut self,
        thread: &Thread,
        from: usize,
        store: &Interner,
        f: &mut dyn FnMut(ObjectId),
    ) {
        thread.for_each_object(f);
        for &frame in &thread.frames[from..] {
            let known = self.names_of_frame(store, frame);
            known
                .iter()
                .flat_map(|k| &k.names)
                .copied()
                .for_each(&mut *f);
        }
        for image in &thread.images {
            image.for_each_object(f);
        }
        thread.access_history.locals().for_each(f);
    }

    /// Calls `f` with each object that goes with a frame of the thread.
    pub fn for_each_local_of(
        &mut self,
        thread: &Thread,
        store: &Interner,
        f: &mut dyn FnMut(ObjectId),
    ) {
        for &frame in &thread.frames {
            let known = self.names_of_frame(store, frame);
            known
                .iter()
                .flat_map(|k| &k.locals)
                .copied()
                .for_each(&mut *f);
        }
        for image in &thread.images {
            image.objects.iter().copied().for_each(&mut *f);
        }
    }

    /// Adds a thread's local variables that others could reach at some time: these may have
    /// accessed them, which the end of their scope can race with.
    fn add_escaped(
        &mut self,
        memory: &Memory<'_>,
        thread: &Thread,
        entry: &dyn Fn(u32) -> Entry,
        to: &mut Vec<ObjectId>,
    ) {
        if !memory.keeps_escaped {
            return;
        }
        let escaped = |object: ObjectId| match object.kind() {
            ObjectKind::Dynamic(n) => {
                let object = memory.at(entry(n));
                object.is_some_and(|o| o.flags().has(Flags::ESCAPED))
            }
            _ => false,
        };
        self.for_each_local_of(thread, memory.store, &mut |object| {
            if escaped(object) {
                to.push(object);
            }
        });
    }

    fn root(&mut self, memory: &Memory<'_>, object: ObjectId, owner: Owner) {
        let ObjectKind::Dynamic(index) = object.kind() else {
            return;
        };
        match self.owners.get(index as usize) {
            None => {}
            Some(Owner::Unreached) if memory.dynamic[index as usize] == Entry::Hole => {}
            Some(Owner::Unreached) => {
                self.owners[index as usize] = owner;
                self.order.push(index);
            }
            Some(&known) if known == owner || known == Owner::Shared => {}
            Some(_) => self.share(memory, index),
        }
    }

    /// An object that was reached by one thread is reached by another one too, and so is what it
    /// names.
    fn share(&mut self, memory: &Memory<'_>, index: u32) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.push(index);
        while let Some(index) = pending.pop() {
            match self.owners.get_mut(index as usize) {
                None | Some(Owner::Unreached | Owner::Shared) => continue,
                Some(owner) => *owner = Owner::Shared,
            }
            for_each_named(memory, index, |object| {
                if let ObjectKind::Dynamic(n) = object.kind() {
                    pending.push(n);
                }
            });
        }
        self.pending = pending;
    }

    /// Walks from the roots so far, beginning with the entry `done` of the order. What an object
    /// names belongs to the threads that reach the object.
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

    /// The first walk: who reaches what.
    fn walk(&mut self, memory: &Memory<'_>, threads: &Threads) {
        self.owners.clear();
        self.owners.resize(memory.dynamic.len(), Owner::Unreached);
        self.order.clear();
        for_each_naming_global(memory, |object| {
            object.for_each_pointer(|a| self.root(memory, a.object, Owner::Shared));
        });
        for &object in &memory.in_messages {
            self.root(memory, object, Owner::Shared);
        }
        self.drain(memory, 0);
        let mut roots = std::mem::take(&mut self.named);
        for (number, thread) in threads.iter().enumerate() {
            let owner = Owner::Thread(number as u32);
            let done = self.order.len();
            self.for_each_object_of(thread, 0, memory.store, &mut |object| roots.push(object));
            self.add_escaped(
                memory,
                thread,
                &|n| {
                    memory
                        .dynamic
                        .get(n as usize)
                        .copied()
                        .unwrap_or(Entry::Hole)
                },
                &mut roots,
            );
            for object in roots.drain(..) {
                self.root(memory, object, owner);
            }
            for entry in thread.buffer.entries() {
                entry
                    .values()
                    .for_each(|o| self.root(memory, o, Owner::Shared));
            }
            self.drain(memory, done);
        }
        self.named = roots;
        for index in 0..memory.dynamic.len() as u32 {
            if is_exposed(memory, index) {
                let done = self.order.len();
                self.root(memory, ObjectId::dynamic(index), Owner::Shared);
                self.drain(memory, done);
            }
        }
        self.share_locals(memory, threads);
    }

    /// What goes with a frame of one thread and is reached by another one only is shared by the
    /// two.
    fn share_locals(&mut self, memory: &Memory<'_>, threads: &Threads) {
        let mut locals = std::mem::take(&mut self.named);
        for (number, thread) in threads.iter().enumerate() {
            self.for_each_local_of(thread, memory.store, &mut |object| locals.push(object));
            for object in locals.drain(..) {
                if let ObjectKind::Dynamic(n) = object.kind()
                    && let Some(&Owner::Thread(owner)) = self.owners.get(n as usize)
                    && owner != number as u32
                {
                    self.share(memory, n);
                }
            }
        }
        self.named = locals;
    }

    /// The second walk: in which order objects are numbered.
    fn arrange(&mut self, memory: &Memory<'_>, threads: &Threads) {
        self.met.clear();
        self.met.resize(memory.dynamic.len(), false);
        self.shared.clear();
        self.own.resize(threads.len(), Vec::new());
        self.own.iter_mut().for_each(Vec::clear);
        for_each_naming_global(memory, |object| {
            object.for_each_pointer(|a| self.meet(a.object));
        });
        for &object in &memory.in_messages {
            self.meet(object);
        }
        self.arrange_shared(memory, 0);
        let mut named = std::mem::take(&mut self.named);
        for (number, thread) in threads.iter().enumerate() {
            let met = self.shared.len();
            self.for_each_object_of(thread, 0, memory.store, &mut |object| named.push(object));
            self.add_escaped(
                memory,
                thread,
                &|n| {
                    memory
                        .dynamic
                        .get(n as usize)
                        .copied()
                        .unwrap_or(Entry::Hole)
                },
                &mut named,
            );
            named.drain(..).for_each(|object| self.meet(object));
            let mut done = 0;
            while let Some(&index) = self.own[number].get(done) {
                done += 1;
                for_each_named(memory, index, |object| named.push(object));
                named.drain(..).for_each(|object| self.meet(object));
            }
            self.arrange_shared(memory, met);
        }
        self.named = named;
        for index in 0..memory.dynamic.len() as u32 {
            if is_exposed(memory, index) {
                let met = self.shared.len();
                self.meet(ObjectId::dynamic(index));
                self.arrange_shared(memory, met);
            }
        }
    }

    /// Continues from the shared objects that were met, beginning with the one at `done`.
    fn arrange_shared(&mut self, memory: &Memory<'_>, mut done: usize) {
        while let Some(&index) = self.shared.get(done) {
            done += 1;
            for_each_named(memory, index, |object| self.meet(object));
        }
    }

    fn meet(&mut self, object: ObjectId) {
        let ObjectKind::Dynamic(index) = object.kind() else {
            return;
        };
        let Some(met) = self.met.get_mut(index as usize) else {
            return;
        };
        if std::mem::replace(met, true) {
            return;
        }
        match self.owners[index as usize] {
            Owner::Shared => self.shared.push(index),
            Owner::Thread(thread) => self.own[thread as usize].push(index),
            Owner::Unreached => {}
        }
    }

    /// Names all objects canonically, drops unreachable ones, and marks those that several threads
    /// reach. Returns the leaks.
    pub fn canonicalise(&mut self, memory: &mut Memory<'_>, threads: &mut Threads) -> Vec<Leak> {
        memory.read_set.note_names(threads.len());
        memory.know_names();
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
        let unreached = (0..self.owners.len()).filter(|&n| self.owners[n] == Owner::Unreached);
        let leaks = leaks(memory, unreached.map(|n| n as u32));
        self.arrange(memory, threads);
        memory.id_ranges = IdRanges::of(threads.len());
        self.choose_names(memory);
        memory.takes_number = None;
        mark_shared(memory, &self.order, &self.owners);
        memory.reshaped = false;
        memory.regrouped = false;
        self.rename(memory, threads);
        leaks
    }

    /// Returns the old and new names of all objects that were reachable when the heap was
    /// canonicalised last.
    pub fn new_names(&self) -> impl Iterator<Item = (ObjectId, ObjectId)> + '_ {
        let old = (0..).map(ObjectId::dynamic);
        old.zip(&self.names)
            .filter_map(|(old, new)| Some((old, (*new)?)))
    }

    /// Returns the objects whose names changed, or that are gone, when the heap was canonicalised
    /// last.
    pub fn changed_names(&self) -> Names {
        let old = (0..).map(ObjectId::dynamic).zip(&self.names);
        let changed = old.filter(|(old, new)| **new != Some(*old));
        Arc::new(changed.map(|(old, new)| (old, *new)).collect())
    }

    /// Renames the objects in what a memory knows besides their contents: the reuse of addresses,
    /// and the journal. `leaks` says which of those that are gone leaked.
    pub fn rename_notes(&self, memory: &mut Memory<'_>, leaks: &[Leak]) {
        if self.changed && (memory.reuse.is_some() || memory.journal.is_some()) {
            let names = self.changed_names();
            memory.rename_reuse(&names, |object| leaks.iter().any(|l| l.object == object));
            memory.renumber_journal(&names);
        }
    }

    /// Returns the name that an object was given when the heap was canonicalised last, or `None` if
    /// it is gone.
    pub fn name_of(&self, object: ObjectId) -> Option<ObjectId> {
        match object.kind() {
            ObjectKind::Dynamic(n) => self.names.get(n as usize).copied().flatten(),
            _ => Some(object),
        }
    }

    /// The new name of each present number: exposed objects keep theirs, the others take the free
    /// ones of their id range.
    fn choose_names(&mut self, memory: &Memory<'_>) {
        self.names.clear();
        self.names.resize(memory.dynamic.len(), None);
        let exposed = |index: u32| is_exposed(memory, index);
        let mut taken: SmallVec<[u32; 8]> = SmallVec::new();
        for &index in self.shared.iter().filter(|&&i| exposed(i)) {
            let number = match memory.takes_number {
                Some((new, number)) if new == ObjectId::dynamic(index) => dynamic_index(number),
                _ => index,
            };
            self.names[index as usize] = Some(ObjectId::dynamic(number));
            taken.push(number);
        }
        let own = self.own.iter().enumerate();
        let own = own.map(|(thread, own)| (memory.id_ranges.own(thread), own));
        for (id_range, members) in std::iter::once((0, &self.shared)).chain(own) {
            let numbers = (0..).map(|n| memory.id_ranges.number(id_range, n));
            let mut free = numbers.filter(|n| !taken.contains(n));
            for &index in members {
                if self.names[index as usize].is_none() {
                    self.names[index as usize] = free.next().map(ObjectId::dynamic);
                }
            }
        }
    }

    /// Gives all objects their new names.
    fn rename(&mut self, memory: &mut Memory<'_>, threads: &mut Threads) {
        let stays = |(n, name): (usize, &Option<ObjectId>)| match name {
            Some(name) => *name == ObjectId::dynamic(n as u32),
            None => memory.dynamic[n] == Entry::Hole,
        };
        self.changed = !self.names.iter().enumerate().all(stays);
        if !self.changed {
            return;
        }
        let names = &self.names;
        let new_name = |object: ObjectId| match object.kind() {
            ObjectKind::Dynamic(n) => names.get(n as usize).copied().flatten(),
            _ => None,
        };
        for written in &mut self.written {
            written.entry.rename(&new_name);
        }
        let naming = naming_globals(memory).map(ObjectId::global);
        let reached = self.order.iter().map(|&n| ObjectId::dynamic(n));
        let objects: Vec<ObjectId> = naming.chain(reached).collect();
        rename::in_objects(memory, &objects, &new_name);
        for number in 0..threads.len() {
            let part = match rename::in_thread(memory.store, threads, number, &new_name) {
                Changed::Nothing => continue,
                Changed::Record => ReadSetEntry::Record(number as u32),
                Changed::Whole => ReadSetEntry::Thread(number as u32),
            };
            memory.read_set.note(part);
        }
        let last = names.iter().flatten().map(|o| dynamic_index(*o) + 1).max();
        let mut entries = vec![Entry::Hole; last.unwrap_or(0) as usize];
        for (old, new) in names.iter().enumerate() {
            if let Some(new) = new {
                let index = dynamic_index(*new);
                if index as usize != old {
                    memory.read_set.note(ReadSetEntry::Dynamic(old as u32));
                }
                entries[index as usize] = memory.dynamic[old];
            }
        }
        memory.dynamic = entries;
        memory.renumbered = true;
    }
}

fn is_exposed(memory: &Memory<'_>, index: u32) -> bool {
    let object = memory.at(memory.dynamic[index as usize]);
    object.is_some_and(|o| o.flags().has(Flags::EXPOSED))
}

fn mark_shared(memory: &mut Memory<'_>, order: &[u32], owners: &[Owner]) {
    for &index in order {
        let shared = owners[index as usize] == Owner::Shared;
        let object = ObjectId::dynamic(index);
        // Flags are among what was noted of all objects.
        let known = memory.at(memory.dynamic[index as usize]);
        let known = known.expect("a reached object").flags();
        if known.has(Flags::SHARED) != shared {
            let keeps_escaped = memory.keeps_escaped;
            memory.get_mut(object).share(shared, keeps_escaped);
        }
    }
}
