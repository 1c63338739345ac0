//! Leaks: unreachable objects that were allocated and never freed.

use crate::base::fault::CodePlace;
use crate::state::memory::Memory;
use crate::state::memory::object::Flags;
use impasse_program::address::ObjectId;

/// An unreachable object that was allocated and never freed.
pub struct Leak {
    /// Its name before the heap was canonicalised.
    pub object: ObjectId,
    /// What it is, in words.
    pub description: String,
    /// Where it was allocated.
    pub origin: Option<CodePlace>,
}

/// Returns the leaks among the unreachable objects.
pub(super) fn leaks(memory: &Memory<'_>, unreached: impl Iterator<Item = u32>) -> Vec<Leak> {
    let leaked = |&index: &u32| {
        let object = memory.at(memory.dynamic[index as usize]);
        object.is_some_and(|o| o.class().is_allocated() && !o.flags().has(Flags::FREED))
    };
    let objects = unreached.filter(leaked).map(ObjectId::dynamic);
    let describe = |object| Leak {
        object,
        description: memory.describe(object),
        origin: memory.get(object).and_then(|o| o.origin()),
    };
    objects.map(describe).collect()
}
