//! Comparing addresses, of which a freed one may have been used again.

use crate::base::fault::Result;
use crate::machine::Machine;
use crate::machine::record::Action;
use crate::state::memory::object::Class;
use crate::state::memory::reuse::Sharing;
use crate::value::Value;
use impasse_program::address::{Address, ObjectId};
use impasse_program::word::Word;

impl Machine<'_> {
    /// Returns whether two words that are compared are addresses of different objects that share
    /// one. Where that is undecided, halts for a choice.
    #[inline]
    pub fn share_address(&mut self, left: Word, right: Word) -> Result<bool> {
        let (a, b) = (
            Address::from_bits(left.bits),
            Address::from_bits(right.bits),
        );
        let both = a.object.is_dynamic() && b.object.is_dynamic();
        if !both || a.object == b.object || a.offset != b.offset {
            return Ok(false);
        }
        let names = |word: Word, object| word.pointer || self.memory.is_exposed(object);
        match names(left, a.object) && names(right, b.object) {
            true => self.share_objects(a.object, b.object),
            false => Ok(false),
        }
    }

    /// The same of objects that addresses name, or numbers that equal their addresses.
    #[cold]
    fn share_objects(&mut self, a: ObjectId, b: ObjectId) -> Result<bool> {
        if self.memory.may_share(a, b) {
            self.record_comparison(a);
            self.record_comparison(b);
        }
        let Some(reuse) = &self.memory.reuse else {
            self.memory.note_compared(a, b);
            return Ok(false);
        };
        let shared = match reuse.sharing(a, b) {
            Sharing::Shared => true,
            Sharing::Apart => return Ok(false),
            Sharing::Open => {
                let shared = self.choose(2, true)? == 1;
                self.decide_sharing(a, b, shared);
                shared
            }
        };
        if shared {
            let thread = self.running as u32;
            let reuse = self.memory.reuse_mut().expect("addresses are used again");
            reuse.find(a, b, thread);
        }
        Ok(shared)
    }

    /// Decides whether two objects share an address. It must have been open.
    pub fn decide_sharing(&mut self, a: ObjectId, b: ObjectId, shared: bool) {
        if shared && self.observer.notes_events() {
            let text = self.describe_sharing(a, b);
            self.note(Action::Choice { text });
        }
        let reuse = self.memory.reuse_mut().expect("addresses are used again");
        match shared {
            true => reuse.share(a, b),
            false => reuse.part(a, b),
        }
        self.memory.regrouped |= shared;
    }

    fn describe_sharing(&self, a: ObjectId, b: ObjectId) -> String {
        let class = self.memory.get(a).map(|object| object.class());
        if class == Some(Class::Machine) {
            return "the id of a thread that is gone is used again".into();
        }
        let [a, b] = [a, b].map(|object| self.memory.describe(object));
        format!("{a} and {b} have the same address, which is used again")
    }

    /// Returns whether two defined values are equal, for a compare-and-exchange. Halts as
    /// [`Machine::share_address`] does.
    pub fn same_value(&mut self, left: Value, right: Value) -> Result<bool> {
        Ok(self.same_word(left.low, right.low)? && self.same_word(left.high, right.high)?)
    }

    fn same_word(&mut self, left: Word, right: Word) -> Result<bool> {
        if left.bits == right.bits {
            return Ok(true);
        }
        Ok((left.pointer || right.pointer) && self.share_address(left, right)?)
    }
}
