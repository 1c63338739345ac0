//! What is known of an object at offsets that are not numbers: what was written there last.

use super::Executor;
use super::state::{Base, CellValue, Memory, Object, Spot, Val};
use impasse_solver::{Term, Test};
use std::collections::BTreeSet;

/// How many values at offsets that are not numbers are known of an object.
const SPOTS: usize = 4;

/// In objects with more numbers at offsets that are numbers, none of them is found by an address of
/// which only the object is known.
const NUMBERS: usize = 4;

impl Executor<'_, '_> {
    /// A value that is read, or that of a spot, or of a cell that holds a number, if it is read
    /// there.
    pub(super) fn at_spots(
        &mut self,
        memory: &Memory,
        address: Val,
        bytes: u8,
        mut value: Val,
    ) -> Val {
        let Base::Object(object) = address.base else {
            return value;
        };
        if !self.terms.is_false(memory.gone(self.terms, object)) {
            return value;
        }
        let offset = self.offset(address.term, object);
        for spot in memory.spots.clone() {
            if spot.object == object && spot.bytes == bytes {
                let there = self.terms.equal(offset, spot.offset);
                value = self.choose(there, spot.value, value);
            }
        }
        for (at, number) in self.numbers(memory, object, bytes) {
            let there = self.terms.equal(offset, self.number(at.into()));
            value = self.choose(there, number, value);
        }
        value
    }

    /// The cells of an object that hold numbers of so many bytes, such as the end of a text; none
    /// if they are many.
    fn numbers(&self, memory: &Memory, object: Object, bytes: u8) -> Vec<(u32, Val)> {
        let is_number = |value: Val| {
            self.terms.as_constant(value.term).is_some() && value.undefined(self.terms).is_none()
        };
        let cells = memory.of_object(object);
        let numbers = cells.filter(|(_, cell)| cell.bytes == bytes && is_number(cell.value));
        let found: Vec<_> = numbers
            .map(|(at, cell)| (at, cell.value))
            .take(NUMBERS + 1)
            .collect();
        match found.len() > NUMBERS {
            true => Vec::new(),
            false => found,
        }
    }

    /// Notes of objects that hold one zero of some size, like the end of a text, where it is:
    /// what else they hold is about to be forgotten.
    pub(super) fn note_ends(&mut self, memory: &mut Memory, objects: &BTreeSet<Object>) {
        for &object in objects {
            let cells: Vec<_> = memory.of_object(object).collect();
            let zeros = |bytes: u8| {
                let is_zero = move |cell: &CellValue| cell.bytes == bytes;
                let zeros = cells.iter().filter(move |(_, cell)| is_zero(cell));
                zeros.filter(|(_, cell)| self.terms.as_constant(cell.value.term) == Some(0))
            };
            let only = [1, 2, 4, 8].map(|bytes| {
                let mut zeros = zeros(bytes);
                zeros.next().copied().filter(|_| zeros.next().is_none())
            });
            for (at, CellValue { bytes, value }) in only.into_iter().flatten() {
                let spot = Spot {
                    object,
                    offset: self.number(at.into()),
                    bytes,
                    value,
                };
                if memory.spot(&spot).is_none() {
                    memory.spots.push(spot);
                }
            }
        }
    }

    /// Notes that a value was written, and that others may have been overwritten.
    pub(super) fn write_spot(
        &mut self,
        memory: &mut Memory,
        (object, offset): (Object, Term),
        bytes: u8,
        value: Val,
    ) {
        let terms = self.terms;
        memory
            .spots
            .retain(|spot| spot.object != object || spot.offset != offset);
        for at in 0..memory.spots.len() {
            let spot = memory.spots[at];
            if spot.object == object {
                // Of two that are no closer than their sizes, neither touches the other.
                let after = terms.subtract(offset, spot.offset);
                let before = terms.subtract(spot.offset, offset);
                let apart = terms.and(
                    terms.test(
                        Test::UnsignedLessEqual,
                        self.number(spot.bytes.into()),
                        after,
                    ),
                    terms.test(Test::UnsignedLessEqual, self.number(bytes.into()), before),
                );
                let anything = self.anything(terms.width(spot.value.term));
                memory.spots[at].value = self.choose(apart, spot.value, anything);
            }
        }
        let spot = Spot {
            object,
            offset,
            bytes,
            value,
        };
        memory.spots.push(spot);
        let of_it = |spot: &Spot| spot.object == object;
        if memory.spots.iter().filter(|spot| of_it(spot)).count() > SPOTS {
            let first = memory.spots.iter().position(of_it);
            memory.spots.remove(first.expect("there are some"));
        }
    }
}
