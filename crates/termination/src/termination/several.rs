//! Accesses through addresses of one of several objects, which summaries may be among.

use super::Executor;
use super::objects::{Held, joined};
use super::state::{Base, Memory, Object, Place, State, Targets, Val};
use std::collections::BTreeSet;

impl Executor<'_, '_> {
    pub(super) fn read_one_of(
        &mut self,
        state: &mut State,
        address: Val,
        targets: Targets,
        bytes: u8,
    ) -> Val {
        let look = (address.term, u32::from(bytes));
        if let Some(&known) = state.memory.looks.get(&look) {
            return known;
        }
        let (objects, offset) = self.targets[targets.0 as usize].clone();
        let mut held = Held::Null;
        for &object in &objects {
            let one = match object {
                Object::Summary(site) => self.held_by_site(state, site, offset, bytes),
                _ => {
                    let value = self.read(&mut state.memory, (object, offset), bytes);
                    self.held(value)
                }
            };
            held = joined(&held, &one);
        }
        let width = if bytes == 4 && self.is_ilp32() {
            64
        } else {
            bytes * 8
        };
        let base = self.base_of(&held);
        let width = if base == Base::Unknown {
            bytes * 8
        } else {
            width
        };
        let term = self.fresh(width);
        let value = Val::at(term, base);
        state.memory.looks.insert(look, value);
        self.follow_order(state, (address, &objects, offset), (term, &held));
        value
    }

    /// Writes a value to one of several objects.
    pub(super) fn write_one_of(
        &mut self,
        state: &mut State,
        (address, targets): (Val, Targets),
        bytes: u8,
        value: Val,
    ) {
        let (objects, offset) = self.targets[targets.0 as usize].clone();
        let held = self.held(value);
        let held = self.lasting(held);
        let order = self.order_of_write(address, value);
        for object in objects {
            let Object::Summary(site) = object else {
                self.write_perhaps(&mut state.memory, (object, offset), bytes, value);
                continue;
            };
            let order = match bytes {
                8 => self.turn_at(state, (site, offset), (address, value), order),
                _ => order,
            };
            self.hold(site, (offset, bytes), (&held, order));
            state.memory.stirred.insert(site);
            for object in self.instances(state, site) {
                if !self.was_before(address, object) {
                    self.write_perhaps(&mut state.memory, (object, offset), bytes, value);
                }
            }
        }
    }

    /// Notes what was written through an address: it is read there again.
    pub(super) fn note_written(&self, state: &mut State, (address, bytes): (Val, u8), value: Val) {
        if value.undefined(self.terms).is_none() && !self.is_ilp32() {
            let term = self.terms.resize_unsigned(value.term, bytes * 8);
            let look = (address.term, u32::from(bytes));
            state.memory.looks.insert(look, Val { term, ..value });
        }
    }

    /// Writes a value, or does not.
    fn write_perhaps(&mut self, memory: &mut Memory, place: Place, bytes: u8, value: Val) {
        let before = self.read(memory, place, bytes);
        let written = self.fresh(1);
        let either = self.choose(written, value, before);
        self.write(memory, place, bytes, either);
    }

    /// Objects, with those that a state still distinguishes of a summary.
    pub(super) fn meant(&self, memory: &Memory, objects: &BTreeSet<Object>) -> Vec<Object> {
        let mut meant: Vec<Object> = objects.iter().copied().collect();
        for object in objects {
            if let Object::Summary(site) = object {
                meant.extend(self.instances_in(memory, *site));
            }
        }
        meant
    }

    /// The objects of a site that a state distinguishes.
    pub(super) fn instances(&self, state: &State, site: u32) -> Vec<Object> {
        self.instances_in(&state.memory, site)
    }

    /// The same of a memory.
    pub(super) fn instances_in(&self, memory: &Memory, site: u32) -> Vec<Object> {
        let of_site = |object: &&Object| match object {
            Object::Made(n) => self.objects[*n as usize].site == site,
            _ => false,
        };
        memory.made.iter().filter(of_site).copied().collect()
    }

    /// What is held, whatever the iteration: an object that a loop makes becomes part of a summary.
    pub(super) fn lasting(&self, held: Held) -> Held {
        let Held::OneOf(objects, offset) = held else {
            return held;
        };
        let of_all = |object| match object {
            Object::Made(n) if n >= self.outermost => {
                Object::Summary(self.objects[n as usize].site)
            }
            other => other,
        };
        Held::OneOf(objects.into_iter().map(of_all).collect(), offset)
    }
}
