//! Giving objects other names wherever they are named.

use crate::state::frame::{FrameImage, names_objects};
use crate::state::memory::Memory;
use crate::state::thread::{Phase, Threads};
use impasse_program::address::{Address, ObjectId};
use impasse_store::Interner;

/// The new name of an object; `None` for what is gone or has no other.
type NewName<'a> = &'a dyn Fn(ObjectId) -> Option<ObjectId>;

/// In objects, which exist.
pub fn in_objects(memory: &mut Memory<'_>, objects: &[ObjectId], new_name: NewName<'_>) {
    for &object in objects {
        let mut stale = false;
        // Which objects it names was noted; more is looked at only if it changes.
        let view = memory.peek(object).expect("a reached object");
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

/// What renaming changed of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changed {
    /// Nothing.
    Nothing,
    /// Its record, but neither its frames nor its access history.
    Record,
    /// More than that.
    Whole,
}

/// In a thread and its frames.
pub fn in_thread(
    store: &Interner,
    threads: &mut Threads,
    number: usize,
    new_name: NewName<'_>,
) -> Changed {
    if threads[number].phase == Phase::Gone && threads[number].held.is_empty() {
        return Changed::Nothing;
    }
    let mut buffer = Vec::new();
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
    let before = &threads[number];
    if thread == *before {
        return Changed::Nothing;
    }
    let record = (&thread.frames, &thread.images, &thread.access_history)
        == (&before.frames, &before.images, &before.access_history);
    threads[number] = thread;
    match record {
        true => Changed::Record,
        false => Changed::Whole,
    }
}
