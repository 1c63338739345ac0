//! Which objects some threads can come to access: those whose addresses they hold, and what leads
//! on from there through addresses that they will read, as far as was observed.
//!
//! *Claim.* If some threads cannot reach an object in a state, and only they move, none of them
//! accesses it.
//!
//! *Conditions.* The object is found from the roots of the canonical heap
//! ([`crate::state::canonical`]). Futures have each read of a word of memory that holds the address
//! of an object, and what is assumed of them is noted.
//!
//! The argument is in `docs/internals/persistent-sets.md`.

use crate::machine::footprint::{Touched, in_memory};
use crate::state::canonical::{Canonicaliser, naming_globals};
use crate::state::encoding::Base;
use crate::state::memory::object::Flags;
use crate::state::memory::{Memory, ObjectRef};
use impasse_program::address::{Address, ObjectId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// In states with more objects it is not asked who reaches which.
const OBJECTS: usize = 1 << 10;

/// What holds the address of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    /// Something that every thread may read.
    Any,
    /// A thread.
    Thread(u32),
    /// The word of memory at this address.
    Word(Address),
}

/// What holds the addresses of the objects of a state.
#[derive(Default)]
pub(super) struct Holders {
    of: FxHashMap<ObjectId, SmallVec<[Holder; 2]>>,
    /// Whether they are those of the base state.
    known: bool,
}

impl Holders {
    /// Another state is the base state now.
    pub(super) fn forget(&mut self) {
        self.known = false;
    }

    fn add(&mut self, object: ObjectId, holder: Holder) {
        if object.is_dynamic() {
            self.of.entry(object).or_default().push(holder);
        }
    }

    /// Finds out what holds the addresses of the objects of the base state. False if there are too
    /// many.
    pub(super) fn learn(&mut self, base: &Base<'_>, canonicaliser: &mut Canonicaliser) -> bool {
        let memory = &base.memory;
        if memory.dynamic.len() > OBJECTS {
            return false;
        }
        if std::mem::replace(&mut self.known, true) {
            return true;
        }
        self.of.clear();
        for global in naming_globals(memory) {
            let id = ObjectId::global(global);
            memory
                .peek(id)
                .into_iter()
                .for_each(|object| self.add_words(id, object));
        }
        for (number, &entry) in (0..).zip(&memory.dynamic) {
            let Some(object) = memory.at(entry) else {
                continue;
            };
            let id = ObjectId::dynamic(number);
            if object.flags().has(Flags::EXPOSED) {
                self.add(id, Holder::Any);
            }
            self.add_words(id, object);
        }
        for object in base.happens_before.locations().named() {
            self.add(object, Holder::Any);
        }
        for (number, thread) in (0..).zip(base.threads.iter()) {
            let holder = Holder::Thread(number);
            let add = &mut |object| self.add(object, holder);
            canonicaliser.for_each_object_of(thread, 0, memory.store, add);
            canonicaliser.for_each_local_of(thread, memory.store, add);
            thread.held_itself().for_each(add);
            for entry in thread.buffer.entries() {
                entry
                    .values()
                    .for_each(|object| self.add(object, Holder::Any));
            }
        }
        true
    }

    fn add_words(&mut self, container: ObjectId, object: ObjectRef<'_>) {
        object.for_each_pointer_at(|offset, address| {
            let word = Address {
                object: container,
                offset,
            };
            self.add(address.object, Holder::Word(word));
        });
    }

    /// Returns words that some threads must not access, so that they cannot reach an object. `None`
    /// if they may reach it, given which words they may access.
    pub(super) fn words_apart(
        &self,
        memory: &Memory<'_>,
        object: ObjectId,
        is_member: impl Fn(u32) -> bool,
        mut may_access: impl FnMut(&Touched) -> bool,
    ) -> Option<SmallVec<[Touched; 4]>> {
        let mut words = SmallVec::new();
        let mut seen = FxHashSet::from_iter([object]);
        let mut pending = vec![object];
        while let Some(object) = pending.pop() {
            for &holder in self.of.get(&object).into_iter().flatten() {
                let word = match holder {
                    Holder::Any => return None,
                    Holder::Thread(thread) if is_member(thread) => return None,
                    Holder::Thread(_) => continue,
                    Holder::Word(word) => word,
                };
                let touched = in_memory(memory, word, WORD, true);
                let container = word.object;
                if is_shared(memory, container) && !may_access(&touched) {
                    words.push(touched);
                } else if !container.is_dynamic() {
                    return None;
                } else if seen.insert(container) {
                    pending.push(container);
                }
            }
        }
        Some(words)
    }
}

/// The bytes of a word that holds an address.
const WORD: u64 = 8;

/// Whether several threads can reach an object, so that each access to it is a visible one.
fn is_shared(memory: &Memory<'_>, object: ObjectId) -> bool {
    let flags = memory.peek(object).map(ObjectRef::flags);
    !object.is_dynamic() || flags.is_some_and(|f| f.has(Flags::SHARED | Flags::EXPOSED))
}
