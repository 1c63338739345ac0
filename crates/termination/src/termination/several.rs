//! Accesses through addresses of one of several objects, which summaries may be among.

use super::Executor;
use super::objects::{Held, joined};
use super::state::{Base, Memory, Object, Place, State, Targets, Val};
use impasse_solver::Term;
use std::collections::BTreeSet;

/// Of so many objects an address says which one it is in.
const FEW: usize = 4;

/// Whether objects are few, and none stands for others.
fn are_distinguished(objects: &BTreeSet<Object>) -> bool {
    let is_summary = |object: &Object| matches!(object, Object::Summary(_));
    objects.len() <= FEW && !objects.iter().any(is_summary)
}

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
                Object::Summary(site) => self.held_by_site(state, site, offset, bytes, address),
                _ => {
                    let value = self.read(&mut state.memory, (object, offset), bytes);
                    self.held(value)
                }
            };
            held = joined(&held, &one);
        }
        if held == Held::Null && bytes == 8 {
            return Val::of(self.number(0));
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
        let mut value = Val::at(term, base);
        if base == Base::Unknown && are_distinguished(&objects) {
            for &object in &objects {
                let there = self.is_at(address, (object, offset));
                let held = self.read(&mut state.memory, (object, offset), bytes);
                value = self.choose(there, held, value);
            }
        }
        state.memory.looks.insert(look, value);
        self.follow_order(state, (address, &objects, offset), (term, &held));
        value
    }

    /// When an address is that of a place.
    fn is_at(&mut self, address: Val, (object, offset): Place) -> Term {
        let place = self
            .terms
            .add(self.start(object), self.number(offset.into()));
        let address = self.terms.resize_unsigned(address.term, 64);
        self.terms.equal(address, place)
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
        let distinguished = are_distinguished(&objects);
        for object in objects {
            let Object::Summary(site) = object else {
                let place = (object, offset);
                let written = match distinguished {
                    true => self.is_at(address, place),
                    false => self.fresh(1),
                };
                self.write_where(&mut state.memory, place, bytes, (written, value));
                continue;
            };
            let order = match bytes {
                8 => self.turn_at(state, (site, offset), (address, value), order),
                _ => order,
            };
            self.hold(site, (offset, bytes), (&held, order));
            state.memory.stirred.insert(site);
            for object in self.instances(state, site) {
                let is_elsewhere = self.is_elsewhere(state, address, object);
                if !is_elsewhere && !self.was_before(address, object) {
                    let written = self.fresh(1);
                    let place = (object, offset);
                    self.write_where(&mut state.memory, place, bytes, (written, value));
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

    /// Writes a value where a condition holds.
    fn write_where(
        &mut self,
        memory: &mut Memory,
        place: Place,
        bytes: u8,
        (written, value): (Term, Val),
    ) {
        let before = self.read(memory, place, bytes);
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
