//! Who can reach objects, and whose numbers a program may have seen: what is stored where others
//! read it is shared, and what is read as a number is exposed.

use super::object::Flags;
use super::{Memory, ObjectRef, little_endian};
use impasse_program::address::{Address, ObjectId};
use impasse_program::word::Word;
use std::ops::Range;

impl Memory<'_> {
    /// Notes that an address was written to an object: what a shared object points to is shared.
    #[inline]
    pub(super) fn stored_pointer(&mut self, into: ObjectId, bits: u64) {
        let target = Address::from_bits(bits).object;
        if self.concurrent && target.is_dynamic() && self.is_visible(into) {
            self.escape(target);
        }
    }

    /// Marks an object, and all that is reachable from it, as escaped: several threads can reach
    /// it.
    pub fn escape(&mut self, object: ObjectId) {
        let mut pending = vec![object];
        while let Some(object) = pending.pop() {
            let Some(view) = self.get(object) else {
                continue;
            };
            if !object.is_dynamic() || view.flags().has(Flags::SHARED) {
                continue;
            }
            view.for_each_pointer(|a| pending.push(a.object));
            pending.extend(self.has_address_of(object));
            let keeps_escaped = self.keeps_escaped;
            self.get_mut(object).share(true, keeps_escaped);
        }
    }

    /// Exposes what these words of an object name.
    pub(super) fn expose_targets(&mut self, object: ObjectId, words: Range<usize>) {
        let Some(view) = self.get(object) else {
            return;
        };
        let targets: Vec<ObjectId> = words
            .filter(|&w| view.is_pointer(w))
            .map(|w| {
                let bytes = &view.bytes()[w << self.word_log2..(w + 1) << self.word_log2];
                let bits = match &self.ilp32 {
                    Some(ilp32) => ilp32.widen(little_endian(bytes) as u32),
                    None => little_endian(bytes),
                };
                Address::from_bits(bits).object
            })
            .collect();
        for target in targets {
            self.expose(target);
        }
    }

    /// Exposes an object: its number was, or may have been, observed.
    pub fn expose(&mut self, object: ObjectId) {
        let exposed = |o: ObjectRef| o.flags().has(Flags::EXPOSED);
        if object.is_dynamic() && self.get(object).is_some_and(|o| !exposed(o)) {
            self.look_at_stale_number(object);
            self.get_mut(object).flags.set(Flags::EXPOSED, true);
            self.regrouped = true;
        }
    }

    /// Exposes what a word names, if it is an address.
    #[inline]
    pub fn expose_word(&mut self, word: Word) {
        if word.pointer {
            self.expose(Address::from_bits(word.bits).object);
        }
    }
}
