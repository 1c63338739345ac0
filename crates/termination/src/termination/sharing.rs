//! Objects that only the activation of a recursive function knows which made them.
//!
//! Their address is in its frame alone, until it is written to memory, given to a function of the
//! library, or an argument. Until then no call inside reaches such an object: an access through an
//! address that is not known is no write, and gives anything where it reads. So to these calls it
//! does not exist, and it is no part of the summary of its site, which would hold what an object
//! holds that is half built.

use super::Executor;
use super::state::{Base, Object, State, Val};
use impasse_solver::Node;
use std::collections::BTreeSet;

impl Executor<'_, '_> {
    /// Notes that an address may be found in memory from now on.
    pub(super) fn share(&mut self, value: Val) {
        if !self.recursions.is_empty() {
            let objects = self.objects_of(value);
            self.shared.extend(objects);
        }
    }

    /// The objects that a value was computed from the addresses of.
    fn objects_of(&self, value: Val) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut add = |object: &Object| {
            if let Object::Made(n) = object {
                found.insert(*n);
            }
        };
        match value.base {
            Base::Unknown => {}
            Base::Object(object) => add(&object),
            Base::OneOf(targets) => self.targets[targets.0 as usize].0.iter().for_each(add),
        }
        let symbols = self.terms.symbols_in(&[value.term]);
        for (n, made) in (0..).zip(&self.objects) {
            if let Node::Symbol(start) = self.terms.node(made.start)
                && symbols.contains(&start)
            {
                found.insert(n);
            }
        }
        found
    }

    /// Removes from the state in which a function is called again what it cannot reach, of the
    /// objects from this number on.
    pub(super) fn hide_unshared(&self, state: &mut State, from: u32) {
        if self.is_ilp32() {
            return;
        }
        let arguments = state.slots.iter().flatten();
        let given: BTreeSet<u32> = arguments.flat_map(|&one| self.objects_of(one)).collect();
        let is_hidden = |object: &Object| match object {
            Object::Made(n) => *n >= from && !self.shared.contains(n) && !given.contains(n),
            _ => false,
        };
        let memory = &mut state.memory;
        memory.forget_looks();
        memory.cells.retain(|(object, _), _| !is_hidden(object));
        memory.spots.retain(|spot| !is_hidden(&spot.object));
        memory.gone.retain(|object, _| !is_hidden(object));
        memory.blurred.retain(|object| !is_hidden(object));
        memory.made.retain(|object| !is_hidden(object));
    }
}
