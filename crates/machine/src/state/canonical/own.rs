//! Renumbering the own objects of one thread (`docs/internals/canonical-heap.md`, "Renumbering one
//! thread").

use super::{Canonicaliser, Leak, held_of_id_range, leaks, rename};
use crate::state::encoding::Base;
use crate::state::memory::object::Flags;
use crate::state::memory::{Entry, Memory};
use crate::state::read_set::ReadSetEntry;
use crate::state::thread::{Thread, Threads};
use impasse_program::address::{ObjectId, ObjectKind};

/// What a walk through a thread's own objects meets, in order.
struct Region {
    own: Vec<u32>,
    shared: Vec<u32>,
    /// Shared objects that go with a frame of the thread.
    locals: Vec<u32>,
}

impl Canonicaliser {
    /// Names the own objects of the running thread, which took a step from the base state and
    /// changed no other thread's names. Returns the leaks, or `None` if the whole heap must be
    /// canonicalised.
    pub fn canonicalise_own(
        &mut self,
        memory: &mut Memory<'_>,
        threads: &mut Threads,
        running: usize,
        base: &Base<'_>,
    ) -> Option<Vec<Leak>> {
        let (id_ranges, id_range) = (memory.id_ranges, memory.id_ranges.own(running));
        let is_own = |n: u32, flags: Flags| {
            id_ranges.range_of(n) == id_range && !flags.has(Flags::SHARED | Flags::EXPOSED)
        };
        if memory.regrouped || memory.reuse.is_some() || memory.foreign_pointers_changed(is_own) {
            return None;
        }
        for (n, thread) in threads.iter().enumerate() {
            if n != running {
                let part = ReadSetEntry::HeldOfIdRange(n as u32, id_range);
                memory.read_set.note(part);
                if held_of_id_range(thread, id_ranges, id_range)
                    .next()
                    .is_some()
                {
                    return None;
                }
            }
        }
        let own_in = |entry: Entry, n: u32| {
            let object = memory.at(entry);
            object.is_some_and(|o| is_own(n, o.flags()))
        };
        let entry_before = |n: u32| {
            memory.read_set.note(ReadSetEntry::Dynamic(n));
            base.dynamic.entry(n)
        };
        let entry_after = |n: u32| memory.entry(ObjectId::dynamic(n));
        let in_id_range = |n: u32| id_ranges.range_of(n) == id_range;
        let before = self.region(
            memory,
            &base.threads[running],
            &in_id_range,
            &entry_before,
            &own_in,
        );
        let after = self.region(
            memory,
            &threads[running],
            &in_id_range,
            &entry_after,
            &own_in,
        );
        if before.shared != after.shared || before.locals != after.locals {
            return None;
        }
        let numbers = (0..).map(|n| id_ranges.number(id_range, n));
        let filled = numbers.map(|n| (n, entry_before(n)));
        let filled = filled.take_while(|&(_, entry)| entry != Entry::Hole);
        let owned = filled.filter(|&(n, entry)| own_in(entry, n));
        let candidates: Vec<u32> = owned.map(|(n, _)| n).chain(memory.made()).collect();
        let gone = candidates.iter().filter(|n| !after.own.contains(n));
        let leaks = leaks(memory, gone.copied());
        self.rename_own(memory, threads, running, &candidates, &after.own);
        memory.reshaped = false;
        Some(leaks)
    }

    /// Walks from a thread through its own objects.
    fn region(
        &mut self,
        memory: &Memory<'_>,
        thread: &Thread,
        in_id_range: &dyn Fn(u32) -> bool,
        entry: &dyn Fn(u32) -> Entry,
        is_own: &dyn Fn(Entry, u32) -> bool,
    ) -> Region {
        let mut region = Region {
            own: Vec::new(),
            shared: Vec::new(),
            locals: Vec::new(),
        };
        self.met.clear();
        let mut named = std::mem::take(&mut self.named);
        self.for_each_object_of(thread, 0, memory.store, &mut |object| named.push(object));
        self.add_escaped(memory, thread, entry, &mut named);
        let mut done = 0;
        loop {
            for object in named.drain(..) {
                let ObjectKind::Dynamic(n) = object.kind() else {
                    continue;
                };
                if self.met.len() <= n as usize {
                    self.met.resize(n as usize + 1, false);
                }
                if std::mem::replace(&mut self.met[n as usize], true) {
                    continue;
                }
                match in_id_range(n) && is_own(entry(n), n) {
                    true => region.own.push(n),
                    false => region.shared.push(n),
                }
            }
            let Some(&next) = region.own.get(done) else {
                break;
            };
            done += 1;
            if let Some(object) = memory.at(entry(next)) {
                object.for_each_pointer(|a| named.push(a.object));
            }
        }
        self.for_each_local_of(thread, memory.store, &mut |object| named.push(object));
        let locals = named.drain(..).filter_map(|object| match object.kind() {
            ObjectKind::Dynamic(n) => Some(n),
            _ => None,
        });
        let shared = |&n: &u32| !in_id_range(n) || !is_own(entry(n), n);
        region.locals = locals.filter(shared).collect();
        self.named = named;
        region
    }

    /// Numbers the thread's own objects in the given order; of the candidates, the others are gone.
    fn rename_own(
        &mut self,
        memory: &mut Memory<'_>,
        threads: &mut Threads,
        running: usize,
        candidates: &[u32],
        own: &[u32],
    ) {
        let (id_ranges, id_range) = (memory.id_ranges, memory.id_ranges.own(running));
        let exposed = |n: &u32| {
            let object = memory.get(ObjectId::dynamic(*n));
            object.is_some_and(|o| o.flags().has(Flags::EXPOSED))
        };
        let numbers = (0..).map(|n| id_ranges.number(id_range, n));
        let numbers = numbers.filter(|n| !exposed(n)).take(own.len());
        let renamed: Vec<(u32, u32)> = own.iter().copied().zip(numbers).collect();
        self.changed =
            renamed.len() != candidates.len() || renamed.iter().any(|(old, new)| old != new);
        if !self.changed {
            return;
        }
        self.names.clear();
        let all = (0..memory.dynamic.len() as u32).map(|n| Some(ObjectId::dynamic(n)));
        self.names.extend(all);
        for &n in candidates {
            self.names[n as usize] = None;
        }
        for &(old, new) in &renamed {
            self.names[old as usize] = Some(ObjectId::dynamic(new));
        }
        let names = &self.names;
        let new_name = |object: ObjectId| match object.kind() {
            ObjectKind::Dynamic(n) => names.get(n as usize).copied().flatten(),
            _ => None,
        };
        let objects: Vec<ObjectId> = own.iter().map(|&n| ObjectId::dynamic(n)).collect();
        rename::in_objects(memory, &objects, &new_name);
        rename::in_thread(memory.store, threads, running, &new_name);
        let entries: Vec<Entry> = own.iter().map(|&n| memory.dynamic[n as usize]).collect();
        for &n in candidates {
            memory.dynamic[n as usize] = Entry::Hole;
        }
        for (&(_, new), entry) in renamed.iter().zip(entries) {
            memory.dynamic[new as usize] = entry;
        }
        memory.renumbered = true;
    }
}
