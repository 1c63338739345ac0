//! Delayed stores to objects that only their thread reaches: they reach memory at once.

use crate::state::memory::Memory;
use crate::state::memory::object::Flags;
use crate::state::store_buffer::Entry;
use crate::state::thread::Threads;
use impasse_program::address::ObjectId;

/// A delayed store to an object that only its thread reaches, which has reached memory.
#[derive(Clone, Debug)]
pub struct Written {
    /// The thread.
    pub thread: usize,
    /// The index that the store had in the buffer.
    pub index: usize,
    /// The store.
    pub entry: Entry,
}

/// Writes the entries of each thread's buffer for objects that only this thread reaches, and
/// returns them.
pub fn write_private(
    memory: &mut Memory<'_>,
    threads: &mut Threads,
    is_private: impl Fn(ObjectId, usize) -> bool,
) -> Vec<Written> {
    let mut written = Vec::new();
    for thread in 0..threads.len() {
        let private = |e: &Entry| is_private(e.object, thread);
        while let Some(index) = threads[thread].buffer.entries().iter().position(private) {
            let entry = threads[thread].skip_store(index);
            if memory
                .get(entry.object)
                .is_some_and(|o| !o.flags().has(Flags::FREED))
            {
                entry.write(memory);
            }
            written.push(Written {
                thread,
                index,
                entry,
            });
        }
    }
    written
}
