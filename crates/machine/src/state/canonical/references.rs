//! Which objects threads, globals and objects refer to.

use crate::state::frame::for_each_object_in;
use crate::state::memory::id_ranges::IdRanges;
use crate::state::memory::object::{Flags, set_bits};
use crate::state::memory::{Memory, ObjectRef};
use crate::state::thread::Thread;
use impasse_program::address::{ObjectId, ObjectKind};
use impasse_store::Interner;

/// Returns the objects that a thread refers to, in order: those that its record names, those that
/// its stored frames name, those that its frames own, those that it holds, and those that it
/// accessed recently, of these the local variables apart.
pub fn names_of_thread(thread: &Thread, store: &Interner) -> [Vec<ObjectId>; 6] {
    let mut own = Vec::new();
    thread.for_each_object(&mut |object| own.push(object));
    let (mut names, mut locals) = (Vec::new(), Vec::new());
    for &frame in &thread.frames {
        let stored = store.get(frame);
        for_each_object_in(stored, &mut |o| locals.push(o), &mut |o| names.push(o));
    }
    let held = thread.held_itself().collect();
    let accesses = &thread.access_history;
    let accesses = (accesses.objects().collect(), accesses.locals().collect());
    [own, names, locals, held, accesses.0, accesses.1]
}

/// Returns the numbers of the objects of an id range that a thread holds.
pub fn held_of_id_range(
    thread: &Thread,
    id_ranges: IdRanges,
    id_range: u32,
) -> impl Iterator<Item = u32> + '_ {
    let numbers = thread.held_objects().map(dynamic_index);
    numbers.filter(move |&n| id_ranges.range_of(n) == id_range)
}

/// Returns the globals that hold addresses of objects made while running, by number.
pub fn naming_globals<'m>(memory: &'m Memory<'_>) -> impl Iterator<Item = u32> + 'm {
    set_bits(memory.naming.iter().copied()).map(|n| n as u32)
}

/// Calls `f` with each of these globals.
pub(super) fn for_each_naming_global(memory: &Memory<'_>, mut f: impl FnMut(ObjectRef<'_>)) {
    for global in naming_globals(memory) {
        if let Some(object) = memory.at(memory.globals[global as usize]) {
            f(object);
        }
    }
}

/// Calls `f` with each object to which a dynamic object refers, in order.
pub(super) fn for_each_named(memory: &Memory<'_>, index: u32, mut f: impl FnMut(ObjectId)) {
    if let Some(object) = memory.at(memory.dynamic[index as usize]) {
        object.for_each_pointer(|address| f(address.object));
        if object.flags().has(Flags::FREED) {
            // Whoever has its address may access what has it now.
            memory
                .has_address_of(ObjectId::dynamic(index))
                .into_iter()
                .for_each(f);
        }
    }
}

/// Returns the number of a dynamic object. Panics if it is none.
pub(super) fn dynamic_index(object: ObjectId) -> u32 {
    match object.kind() {
        ObjectKind::Dynamic(n) => n,
        _ => unreachable!("only objects made while running are renamed"),
    }
}
