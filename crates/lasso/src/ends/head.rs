//! What may be different whenever the head of a loop, or the entry of a recursive function, is passed.
//!
//! Nothing is thought to change at first. What is seen to be different where the head is reached again becomes a variable, and the turn is
//! executed anew, until it changes nothing else: then the states at the head that the variables stand for are all
//! that are ever there, by induction over the turns.

use super::Executor;
use super::state::{Base, CellValue, Memory, Place, State, Val};
use impasse_program::address::{ObjectId, ObjectKind};
use impasse_solver::{Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A part of the state that may be different each time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    /// A slot of the frame.
    Slot(u32),
    /// A cell of memory.
    Cell(Place),
}

/// What is known of such a part: its width, and the object that it is an address in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change {
    width: u8,
    base: Base,
}

/// What may change from one visit of a head to the next.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Changes {
    parts: BTreeMap<Part, Change>,
    /// Cells that a turn looks at; they are known from before the first visit.
    seen: BTreeMap<Place, u8>,
    blurred: BTreeSet<ObjectId>,
    all: bool,
}

/// A head that is entered.
pub(super) struct Head {
    /// The state that stands for all at the head; its path is empty.
    pub state: State,
    /// The variables for what may change.
    pub variables: Vec<(Part, Symbol)>,
    /// Variables made before this one are the same in all turns.
    pub mark: Symbol,
    /// Objects with lower numbers existed before.
    pub objects: u32,
}

impl Executor<'_, '_> {
    /// The state at the head, where `entry` is that on the way in.
    pub(super) fn head(&mut self, entry: &mut State, changes: &Changes) -> Head {
        for (&place, &bytes) in &changes.seen {
            self.read(&mut entry.memory, place, bytes);
        }
        let mark = self.terms.symbol("mark", 1);
        let mut state = State {
            slots: entry.slots.clone(),
            memory: entry.memory.clone(),
            path: Vec::new(),
        };
        state.memory.looks.clear();
        if changes.all {
            self.blur_all(&mut state.memory);
        }
        for &object in &changes.blurred {
            state.memory.blur(object);
        }
        let mut variables = Vec::new();
        for (&part, &Change { width, base }) in &changes.parts {
            let symbol = self.terms.symbol("x", width);
            let term = self.terms.variable(symbol);
            let value = Val { term, base };
            if base == Base::Unknown
                && let Some(before) = self.value(&mut entry.clone(), part)
            {
                self.expose(before);
            }
            match part {
                Part::Slot(slot) => state.slots[slot as usize] = Some(value),
                Part::Cell(place) => {
                    let bytes = width / 8;
                    state.memory.cells.insert(place, CellValue { bytes, value });
                }
            }
            variables.push((part, symbol));
        }
        Head {
            state,
            variables,
            mark,
            objects: self.objects.len() as u32,
        }
    }

    /// How many of the objects that were there before a head are exposed. Those that a turn makes are so from some moment of it on,
    /// but these may have been before the turn that exposes them.
    pub(super) fn exposed_before(&self, head: &Head) -> usize {
        let old = |object: &&ObjectId| match object.kind() {
            ObjectKind::Dynamic(n) => n < head.objects,
            _ => true,
        };
        self.exposed.iter().filter(old).count()
    }

    /// The value of a part of a state.
    pub(super) fn value(&mut self, state: &mut State, part: Part) -> Option<Val> {
        match part {
            Part::Slot(slot) => state.slots.get(slot as usize).copied().flatten(),
            Part::Cell(place) => state.memory.cells.get(&place).map(|cell| cell.value),
        }
    }

    /// Enters into `changes` what is different in a state where the head is reached again, or only in its memory.
    pub(super) fn compare(
        &mut self,
        (entry, head): (&State, &Head),
        back: &State,
        slots: bool,
        changes: &mut Changes,
    ) {
        let count = if slots { back.slots.len() } else { 0 };
        for slot in 0..count {
            let (before, after) = (head.state.slots[slot], back.slots[slot]);
            let Some(before) = before else {
                after.into_iter().for_each(|value| self.expose(value));
                continue;
            };
            let part = Part::Slot(slot as u32);
            let after = after.unwrap_or_else(|| self.anything(self.terms.width(before.term)));
            if before != after {
                self.note((entry.slots[slot], before, after), head, part, changes);
            }
        }
        self.compare_memory((entry, head), &back.memory, changes);
    }

    fn compare_memory(
        &mut self,
        (entry, head): (&State, &Head),
        back: &Memory,
        changes: &mut Changes,
    ) {
        changes.all |= back.all && !entry.memory.all;
        let old = |object: ObjectId| match object.kind() {
            ObjectKind::Dynamic(n) => n < head.objects,
            _ => true,
        };
        let blurred = back.blurred.difference(&entry.memory.blurred);
        changes
            .blurred
            .extend(blurred.copied().filter(|&object| old(object)));
        for (&place, cell) in &back.cells {
            if !old(place.0) {
                continue;
            }
            match head.state.memory.cells.get(&place) {
                Some(before) if before == cell => {}
                Some(before) if before.bytes == cell.bytes => {
                    let first = entry
                        .memory
                        .cells
                        .get(&place)
                        .filter(|first| first.bytes == cell.bytes);
                    let first = first.map(|first| first.value);
                    self.note(
                        (first, before.value, cell.value),
                        head,
                        Part::Cell(place),
                        changes,
                    );
                }
                None if !changes.seen.contains_key(&place)
                    && !self.is_blurred(&back.clone(), place.0)
                    && !entry
                        .memory
                        .touches(place.0, place.1, u32::from(cell.bytes)) =>
                {
                    changes.seen.insert(place, cell.bytes);
                }
                // In a blurred object, what a turn finds out about a cell is forgotten.
                None if self.is_blurred(&head.state.memory, place.0) => {}
                _ => {
                    changes.blurred.insert(place.0);
                }
            }
        }
        // What the head knows and the end of a turn does not.
        for (&place, before) in &head.state.memory.cells {
            if !back.cells.contains_key(&place) {
                let width = before.bytes * 8;
                let after = self.anything(width);
                let first = entry.memory.cells.get(&place).map(|cell| cell.value);
                self.note(
                    (first, before.value, after),
                    head,
                    Part::Cell(place),
                    changes,
                );
            }
        }
        // Parts of blurred objects are not told apart.
        let blurred = changes.blurred.clone();
        let forgotten =
            |part: &Part| matches!(part, Part::Cell((object, _)) if blurred.contains(object));
        changes.parts.retain(|part, _| !forgotten(part));
    }

    /// Notes that a part changes: what it was on the way in and at the head, and what it is at the end of a turn.
    fn note(
        &mut self,
        (first, before, after): (Option<Val>, Val, Val),
        head: &Head,
        part: Part,
        changes: &mut Changes,
    ) {
        let (_, same) = self.alike(first.unwrap_or(before).term, after.term);
        // An object that a turn makes is another one in each.
        let made = match after.object(self.terms).map(ObjectId::kind) {
            Some(ObjectKind::Dynamic(n)) => n >= head.objects,
            _ => false,
        };
        let known = changes.parts.get(&part).map(|known| known.base);
        let base = match (known, made) {
            (Some(Base::Unknown), _) | (_, true) => {
                self.expose(first.unwrap_or(before));
                self.expose(after);
                Base::Unknown
            }
            _ => self.common_base(first.unwrap_or(before), after),
        };
        let width = match (part, changes.parts.get(&part)) {
            (Part::Cell(_), _) => self.terms.width(before.term),
            (Part::Slot(_), Some(known)) => known.width.max(self.terms.width(same)),
            (Part::Slot(_), None) => self.terms.width(same),
        };
        changes.parts.insert(part, Change { width, base });
    }

    /// Changes memory as some turns, or calls, may have.
    pub(super) fn disturb(&mut self, memory: &mut Memory, changes: &Changes) {
        memory.looks.clear();
        if changes.all {
            self.blur_all(memory);
        }
        for &object in &changes.blurred {
            memory.blur(object);
        }
        for (&part, &Change { width, base }) in &changes.parts {
            if let Part::Cell(place) = part {
                let value = Val {
                    term: self.fresh(width),
                    base,
                };
                self.write(memory, place, width / 8, value);
            }
        }
    }

    /// The term of a part of a state, as wide as its variable.
    pub(super) fn term_of(&mut self, state: &mut State, part: Part, width: u8) -> Term {
        match self.value(state, part) {
            Some(value) => self.terms.resize_unsigned(value.term, width),
            None => self.fresh(width),
        }
    }
}
