//! Where new objects go: which of the freed addresses that the program has seen as numbers they get
//! (`docs/internals/reuse.md`). Of all other freed addresses that is decided when it matters.

use crate::base::fault::{Result, unsupported};
use crate::machine::Machine;
use crate::machine::builtin::Returned;
use crate::machine::footprint::Place;
use crate::state::memory::object::{Class, Object};
use crate::state::memory::reuse::Sharing;
use impasse_program::address::ObjectId;
use impasse_program::word::Word;
use smallvec::SmallVec;

/// No object chooses among more addresses.
const MOST_SEEN: usize = 16;

/// The freed objects whose numbers the program has seen, and whether a new one gets the address.
pub(crate) type Room = SmallVec<[(ObjectId, bool); 2]>;

impl Machine<'_> {
    /// Where addresses are used again, others can observe which are free: a visible action, if the
    /// instruction is not one anyway.
    pub(crate) fn act_on_addresses(&mut self) -> Result<()> {
        let was_visible = self.progress.acts_now();
        match self.memory.reuse.is_some() && !was_visible {
            true => self.visible_action(),
            false => Ok(()),
        }
    }

    /// Chooses where a new object of a class goes. A choice, and the visible action of the step.
    pub(crate) fn room(&mut self, class: Class) -> Result<Room> {
        if class == Class::Machine {
            self.record_touch(Place::ThreadNumbers, false);
        }
        if self.memory.reuse.is_none() {
            return Ok(Room::default());
        }
        // What others free before decides which addresses it may be.
        self.act_on_addresses()?;
        let freed = self.memory.freed(class);
        let seen = |object: &ObjectId| self.memory.is_exposed(*object);
        let reuse = self
            .memory
            .reuse
            .as_ref()
            .expect("addresses are used again");
        let vacant = |object: &ObjectId| reuse.group(*object).iter().all(|o| freed.contains(o));
        let seen: SmallVec<[ObjectId; 4]> =
            freed.iter().copied().filter(seen).filter(vacant).collect();
        if seen.len() > MOST_SEEN || !seen.is_empty() && self.program.ilp32().is_some() {
            return unsupported(
                "an allocation after many addresses were freed that the program has seen as numbers",
            );
        }
        let choice = self.choose(seen.len() as u32 + 1, true)?;
        let numbered = seen.into_iter().zip(1..);
        Ok(numbered.map(|(object, n)| (object, n == choice)).collect())
    }

    /// A new object where there is room for it.
    pub(crate) fn allocate_in(&mut self, room: Room, object: Object) -> ObjectId {
        let object = self.memory.allocate(object);
        for (freed, taken) in room {
            self.decide_sharing(object, freed, taken);
            if taken {
                self.memory.take_number(object, freed);
            }
        }
        object
    }

    /// Whether an allocation whose number the program has seen keeps its address when it is moved.
    /// A choice.
    pub(crate) fn stays(&mut self, old: ObjectId, room: &Room) -> Result<bool> {
        let moves = room.iter().any(|&(_, taken)| taken);
        let seen = self.memory.is_exposed(old);
        Ok(self.memory.reuse.is_some() && seen && !moves && self.choose(2, true)? == 1)
    }

    /// An allocation was moved to a new object, perhaps without a change of its address.
    pub(crate) fn move_address(&mut self, old: ObjectId, new: ObjectId, stays: bool) {
        let seen = self.memory.is_exposed(old);
        let Some(reuse) = self.memory.reuse_mut() else {
            return;
        };
        if reuse.sharing(old, new) == Sharing::Apart && (stays || !seen) {
            let vacant = reuse.group(old);
            reuse.make(new, &vacant);
        }
        if stays {
            self.decide_sharing(old, new, true);
            self.memory.take_number(new, old);
        }
    }

    /// What an allocation returns: nothing else happens in the step if the object has still to get
    /// its number.
    pub(crate) fn allocated(&self, word: Word) -> Returned {
        match self.memory.takes_number {
            Some(_) => Returned::Last(word),
            None => Returned::Word(word),
        }
    }
}
