//! What may be different whenever a loop header, or the entry of a recursive function, is passed.
//!
//! Nothing is assumed to change at first. What differs where the header is reached again becomes a
//! variable, and the iteration is executed again, until it changes nothing else: then the states at
//! the header that the variables stand for are all that are ever there, by induction over the
//! iterations.

use super::Executor;
use super::direction::Direction;
use super::objects::{Held, joined};
use super::part::{Part, Root};
use super::shape::{Fact, Summary};
use super::state::{Memory, Object, Place, Spot, State, Val};
use impasse_solver::{Symbol, Term};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Whether all cells that a cell overlaps lie inside of it and are smaller: together they are its
/// value. In a blurred object, nothing may be missing.
fn is_made_of_parts(memory: &Memory, (object, offset): Place, bytes: u8) -> bool {
    let end = offset + u32::from(bytes);
    let touched = memory.touched(object, offset, bytes.into());
    let known: u32 = touched.iter().map(|(_, cell)| u32::from(cell.bytes)).sum();
    let mut parts = touched.iter();
    let are_inside = parts
        .all(|&(at, cell)| at >= offset && at + u32::from(cell.bytes) <= end && cell.bytes < bytes);
    are_inside && (known == u32::from(bytes) || !memory.blurred.contains(&object))
}

/// What is known of such a part: the bits of its variable, its bytes in memory, and its provenance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Change {
    width: u8,
    bytes: u8,
    held: Held,
    /// Whether it is always null or where an object starts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    plain: bool,
}

/// What may change from one visit of a header to the next.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Changes {
    #[serde(with = "pairs")]
    parts: BTreeMap<Part, Change>,
    /// Cells that an iteration looks at; they are known from before the first visit.
    #[serde(with = "pairs")]
    seen: BTreeMap<Place, u8>,
    blurred: BTreeSet<Object>,
    gone: BTreeSet<Object>,
    stirred: BTreeSet<u32>,
    /// What is known of the graph of links on entry and does not hold later.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) unlinked: BTreeSet<Fact<Root>>,
    /// Whether a call changes the graph of links elsewhere than at what its arguments reach.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) unframed: bool,
    /// Whether something may not be whole after a call that was whole before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) breaks_whole: bool,
    /// Whether it may return an object that its arguments did not reach.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) returns_other: bool,
    /// Whether it may return an object that is not whole.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) returns_broken: bool,
    /// Whether objects are made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) makes: bool,
    /// What a recursive function returns whose result is an address; none if no call returns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<Returned>,
}

/// What is known of the addresses that a recursive function returns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Returned {
    pub(super) held: Held,
    /// Whether each is null or where an object starts.
    pub(super) plain: bool,
    /// Whether each is null or where an object starts that the call made.
    pub(super) fresh: bool,
}

/// Maps as lists of pairs: the keys of JSON's objects are strings.
mod pairs {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    pub fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub fn deserialize<'d, K: Deserialize<'d> + Ord, V: Deserialize<'d>, D: Deserializer<'d>>(
        deserializer: D,
    ) -> Result<BTreeMap<K, V>, D::Error> {
        Vec::<(K, V)>::deserialize(deserializer).map(|pairs| pairs.into_iter().collect())
    }
}

impl Change {
    /// The object that the part is an address in, if it always is.
    fn within(&self) -> Option<Object> {
        match self.held {
            Held::Within(object) if self.width == 64 => Some(object),
            _ => None,
        }
    }
}

impl Changes {
    /// Whether a cell is a part of one that an iteration looks at.
    fn sees_around(&self, (object, offset): Place, bytes: u8) -> bool {
        let from = (object, offset.saturating_sub(7));
        let mut around = self.seen.range(from..=(object, offset));
        around.any(|(&(_, start), &size)| {
            size > bytes && start + u32::from(size) >= offset + u32::from(bytes)
        })
    }

    /// What is known of calls of a recursive function.
    pub(super) fn summary(&self) -> Summary {
        Summary {
            is_framed: !self.unframed,
            keeps_whole: !self.breaks_whole,
            returns_own: !self.returns_other,
            returns_whole: !self.returns_broken,
        }
    }

    /// Whether no link is written, and nothing freed.
    pub(super) fn leaves_links(&self) -> bool {
        let is_cell = |part: &Part| matches!(part, Part::Cell(..));
        self.blurred.is_empty()
            && self.gone.is_empty()
            && self.stirred.is_empty()
            && !self.parts.keys().any(is_cell)
    }

    /// Whether each part names an object and a slot that exist in a state, and has a width that
    /// fits.
    pub(super) fn fit(&self, slots: usize, objects: &dyn Fn(Object) -> bool) -> bool {
        let is_object = |object: &Object| objects(*object);
        let held = |held: &Held| match held {
            Held::OneOf(objects, _) => objects.iter().all(is_object),
            Held::Within(object) => objects(*object),
            Held::Null | Held::Anything => true,
        };
        let part = |(part, change): (&Part, &Change)| {
            let place = match *part {
                Part::Slot(slot) => (slot as usize) < slots && change.bytes == 0,
                Part::Cell(object, offset) => {
                    objects(object) && offset < 1 << 31 && (1..=8).contains(&change.bytes)
                }
                Part::Freed(site) | Part::Turned(site) => {
                    objects(Object::Summary(site)) && change.bytes == 0 && change.width == 64
                }
                Part::Spot(object, _) => objects(object) && (1..=8).contains(&change.bytes),
            };
            place && held(&change.held) && (1..=64).contains(&change.width)
        };
        let seen = |(&(object, offset), &bytes): (&Place, &u8)| {
            objects(object) && offset < 1 << 31 && (1..=8).contains(&bytes)
        };
        let address = self.address.iter().map(|address| &address.held);
        address.into_iter().all(held)
            && self.parts.iter().all(part)
            && self.seen.iter().all(seen)
            && self.blurred.iter().chain(&self.gone).all(is_object)
    }
}

/// A variable for a part of the state at a header.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadVariable {
    pub part: Part,
    pub symbol: Symbol,
    /// The object that the part is an address in, if it always is: then the variable is its offset.
    pub within: Option<Object>,
    /// The direction, if it stands for the rank of the part, and whether it is the position.
    pub rank: Option<(Direction, bool)>,
    /// Where the spot is, if it is one.
    pub spot: Option<Spot>,
}

/// A header that is entered.
pub(super) struct Header {
    /// The state that stands for all at the header; its path is empty.
    pub state: State,
    /// The variables for what may change.
    pub variables: Vec<HeadVariable>,
    /// Variables made before this one are the same in all iterations.
    pub mark: Symbol,
    /// Objects with lower numbers existed before.
    pub objects: u32,
    /// Whether spots are parts of the state there.
    pub spots: bool,
    /// What is known there of the graph of links.
    pub links: BTreeSet<Fact<Root>>,
}

impl Header {
    fn is_old(&self, object: Object) -> bool {
        !matches!(object, Object::Made(n) if n >= self.objects)
    }
}

impl Executor<'_, '_> {
    /// The state at the header, where `entry` is that on entry. Of a loop, spots are parts of the
    /// state; of a recursion they are not.
    pub(super) fn header(&mut self, entry: &mut State, changes: &Changes, spots: bool) -> Header {
        for (&place, &bytes) in &changes.seen {
            // What a global variable was initialised with is no cell yet.
            let value = self.read(&mut entry.memory, place, bytes);
            self.put(&mut entry.memory, place, bytes, value);
        }
        if spots {
            self.note_ends(&mut entry.memory, &changes.blurred);
        }
        for &part in changes.parts.keys() {
            self.settle(entry, part);
        }
        let mark = self.terms.symbol("mark", 1);
        if changes.makes {
            self.orders.made(mark);
        }
        self.settle_frontiers(&mut entry.memory, false);
        let mut state = State {
            slots: entry.slots.clone(),
            memory: entry.memory.clone(),
            path: Vec::new(),
        };
        state.memory.forget_looks();
        for &object in &changes.blurred {
            self.blur_object(&mut state, object);
        }
        if spots {
            state.memory.spots.clone_from(&entry.memory.spots);
        }
        for &object in &changes.gone {
            state.memory.gone.insert(object, self.terms.boolean(true));
        }
        state.memory.stirred.extend(&changes.stirred);
        let mut variables = Vec::new();
        for (&part, change) in &changes.parts {
            let key = self.next_key();
            let within = change.within();
            let ilp32 = within.is_some() && self.is_ilp32();
            let symbol = self.symbol(key, if ilp32 { 32 } else { change.width });
            let mut term = self.terms.variable(symbol);
            if let Some(object) = within {
                let start = self
                    .terms
                    .resize_unsigned(self.start(object), if ilp32 { 32 } else { 64 });
                term = self.terms.zero_extend(self.terms.add(start, term), 64);
            }
            let base = self.base_of(&change.held);
            let value = Val::at(term, base);
            let mut spot = None;
            match part {
                Part::Slot(slot) => state.slots[slot as usize] = Some(value),
                Part::Cell(object, offset) => {
                    self.put(&mut state.memory, (object, offset), change.bytes, value);
                }
                Part::Freed(_) | Part::Turned(_) => {
                    self.set_frontier_part(&mut state.memory, part, term);
                }
                Part::Spot(object, at) => {
                    spot = entry.memory.nth_spot(object, at).copied();
                    let known = spot.and_then(|spot| state.memory.spot_mut(&spot));
                    if let Some(known) = known {
                        known.value = value;
                    }
                }
            }
            variables.push(HeadVariable {
                part,
                symbol,
                within,
                rank: None,
                spot,
            });
            if change.plain && within.is_none() {
                let ranks = self.ranks_of(part, symbol, &change.held, changes.makes);
                if !spots {
                    ranks.iter().for_each(|rank| self.bound_rank(rank.symbol));
                }
                variables.extend(ranks);
            }
        }
        let links = self.links_at_header(entry, (&variables, !spots), changes, &mut state);
        Header {
            links,
            state,
            variables,
            mark,
            objects: self.objects.len() as u32,
            spots,
        }
    }

    /// Variables for the ranks of a part that is null or where an object starts.
    /// Where no objects are made, they have positions instead, if frontiers are followed.
    fn ranks_of(
        &mut self,
        part: Part,
        symbol: Symbol,
        held: &Held,
        makes: bool,
    ) -> Vec<HeadVariable> {
        self.note_plain(symbol);
        let directions = self.directions_from(held);
        if !directions.is_empty() {
            let plain = self.plainness(self.terms.variable(symbol));
            self.axioms.insert(symbol, vec![plain]);
        }
        let mut found = Vec::new();
        for direction in directions {
            let key = self.next_key();
            let rank = self.symbol(key, 64);
            let is_position = self.orders.frontiers && !makes && direction != Direction::Reach;
            if is_position {
                self.orders.set_position(symbol, direction, rank);
                self.bound_position(rank);
            } else if direction == Direction::Reach {
                self.bound_rank(rank);
            } else {
                self.set_rank(symbol, direction, rank);
            }
            found.push(HeadVariable {
                part,
                symbol: rank,
                within: None,
                rank: Some((direction, is_position)),
                spot: None,
            });
        }
        found
    }

    /// Settles the value of a part, which becomes that of a variable.
    fn settle(&mut self, state: &mut State, part: Part) {
        let value = match part {
            Part::Slot(slot) => state.slots.get_mut(slot as usize).and_then(Option::as_mut),
            Part::Cell(object, offset) => {
                let cell = state.memory.cells.get_mut(&(object, offset));
                cell.map(|cell| &mut cell.value)
            }
            Part::Spot(object, at) => {
                let spot = state.memory.nth_spot(object, at).copied();
                let spot = spot.and_then(|spot| state.memory.spot_mut(&spot));
                spot.map(|spot| &mut spot.value)
            }
            Part::Freed(_) | Part::Turned(_) => None,
        };
        if let Some(value) = value {
            *value = self.settled(*value);
        }
    }

    /// Whether what is said of the parts that change holds on entry.
    pub(super) fn covers(&mut self, changes: &Changes, entry: &State) -> bool {
        changes.parts.iter().all(|(&part, change)| {
            let (fits, held, plain) = match self.value(entry, part) {
                Some(value) => {
                    let fits = self.fits_in(value.term, change.width);
                    (fits, self.held(value), self.is_plain(value))
                }
                None => (true, Held::Anything, false),
            };
            fits && (plain || !change.plain) && joined(&held, &change.held) == change.held
        })
    }

    /// Whether the bits of a term beyond a width are zero.
    fn fits_in(&self, term: Term, width: u8) -> bool {
        let constant = self.terms.as_constant(term);
        self.terms.width(term) <= width || constant.is_some_and(|value| value >> width == 0)
    }

    /// The value of a part of a state.
    pub(super) fn value(&self, state: &State, part: Part) -> Option<Val> {
        match part {
            Part::Slot(slot) => state.slots.get(slot as usize).copied().flatten(),
            Part::Cell(object, offset) => {
                let cell = state.memory.cells.get(&(object, offset));
                cell.map(|cell| cell.value)
            }
            Part::Spot(object, at) => {
                let spot = state.memory.nth_spot(object, at);
                spot.map(|spot| spot.value)
            }
            Part::Freed(_) | Part::Turned(_) => self.frontier_part(&state.memory, part),
        }
    }

    /// Enters into `changes` what is different in a state where the header is reached again, or
    /// only in its memory. Objects that the iteration made are part of summaries by now.
    pub(super) fn compare(
        &mut self,
        (entry, header): (&State, &Header),
        back: &State,
        slots: bool,
        changes: &mut Changes,
    ) {
        let count = if slots { back.slots.len() } else { 0 };
        for slot in 0..count {
            let (Some(before), after) = (header.state.slots[slot], back.slots[slot]) else {
                continue;
            };
            let after = match after {
                Some(after) => after,
                None => self.anything(self.terms.width(before.term)),
            };
            if before != after {
                let part = Part::Slot(slot as u32);
                self.note((entry.slots[slot], before, after), (part, 0), changes);
            }
        }
        self.compare_frontiers((entry, header), &back.memory, changes);
        self.compare_memory((entry, header), &back.memory, changes);
    }

    fn compare_memory(
        &mut self,
        (entry, header): (&State, &Header),
        back: &Memory,
        changes: &mut Changes,
    ) {
        let old = |object: &&Object| header.is_old(**object);
        let blurred = back.blurred.difference(&entry.memory.blurred);
        changes.blurred.extend(blurred.filter(old));
        let gone = back.gone.iter().filter(|&(&object, &gone)| {
            let before = header.state.memory.gone(self.terms, object);
            gone != before && !self.terms.is_true(before) && !self.terms.is_false(gone)
        });
        changes
            .gone
            .extend(gone.map(|(object, _)| object).filter(old));
        changes
            .stirred
            .extend(back.stirred.difference(&entry.memory.stirred));
        if header.spots {
            self.compare_spots((&entry.memory, header), back, changes);
        }
        let spots = header.state.memory.spots.iter().chain(&back.spots);
        for spot in spots.filter(|_| !header.spots) {
            let of_it = |memory: &Memory| {
                let spots = memory
                    .spots
                    .iter()
                    .filter(|other| other.object == spot.object);
                spots.copied().collect::<Vec<_>>()
            };
            if header.is_old(spot.object) && of_it(&header.state.memory) != of_it(back) {
                changes.blurred.insert(spot.object);
            }
        }
        for (&place, cell) in &back.cells {
            let (object, offset) = place;
            let part = (Part::Cell(object, offset), cell.bytes);
            let blurred_before = entry.memory.blurred.contains(&object);
            let is_blurred = back.blurred.contains(&object) && !blurred_before;
            match header.state.memory.cells.get(&place) {
                _ if !header.is_old(object) => {}
                Some(before) if before == cell => {}
                Some(before) if before.bytes == cell.bytes => {
                    let first = entry.memory.cells.get(&place);
                    let first = first.filter(|first| first.bytes == cell.bytes);
                    let first = first.map(|first| first.value);
                    self.note((first, before.value, cell.value), part, changes);
                }
                _ if !(changes.seen.contains_key(&place) || is_blurred)
                    && is_made_of_parts(&entry.memory, place, cell.bytes) =>
                {
                    changes.seen.insert(place, cell.bytes);
                }
                // In a blurred object, what an iteration finds out about a cell is forgotten.
                None if header.state.memory.blurred.contains(&object) => {}
                _ => {
                    changes.blurred.insert(object);
                }
            }
        }
        // What the header knows and the end of an iteration does not.
        for (&place, before) in &header.state.memory.cells {
            let is_part = changes.sees_around(place, before.bytes);
            if !is_part && !back.cells.contains_key(&place) && !changes.blurred.contains(&place.0) {
                let after = self.anything(before.bytes * 8);
                let first = entry.memory.cells.get(&place).map(|cell| cell.value);
                let part = (Part::Cell(place.0, place.1), before.bytes);
                self.note((first, before.value, after), part, changes);
            }
        }
        // Parts of blurred objects are not distinguished.
        let blurred = changes.blurred.clone();
        let forgotten =
            |part: &Part| matches!(part, Part::Cell(object, _) if blurred.contains(object));
        changes.parts.retain(|part, _| !forgotten(part));
        changes
            .seen
            .retain(|(object, _), _| !blurred.contains(object));
    }

    /// Notes which spots that were known on entry hold something else. What is new is not known
    /// at the header.
    fn compare_spots(
        &mut self,
        (entry, header): (&Memory, &Header),
        back: &Memory,
        changes: &mut Changes,
    ) {
        let mut counts = BTreeMap::new();
        for spot in &entry.spots {
            let count = counts.entry(spot.object).or_insert(0);
            let part = (Part::Spot(spot.object, *count), spot.bytes);
            *count += 1;
            let Some(before) = header.state.memory.spot(spot).map(|spot| spot.value) else {
                continue;
            };
            let after = match back.spot(spot) {
                Some(spot) => spot.value,
                None => self.anything(self.terms.width(before.term)),
            };
            if before != after {
                self.note((Some(spot.value), before, after), part, changes);
            }
        }
    }

    /// Notes that a part changes: what it was on entry and at the header, and what it is at
    /// the end of an iteration.
    pub(super) fn note(
        &mut self,
        (first, before, after): (Option<Val>, Val, Val),
        (part, bytes): (Part, u8),
        changes: &mut Changes,
    ) {
        let first = first.unwrap_or(before);
        let (_, same) = self.alike(first.term, after.term);
        let mut plain = self.is_plain(first) && self.is_plain(after);
        let (first, after) = (self.held(first), self.held(after));
        let mut held = joined(&first, &after);
        let mut width = self.terms.width(same);
        if let Some(known) = changes.parts.get(&part) {
            held = joined(&held, &known.held);
            width = width.max(known.width);
            plain &= known.plain;
        }
        let change = Change {
            width,
            bytes,
            held,
            plain,
        };
        changes.parts.insert(part, change);
    }

    /// Changes memory as some iterations, or calls, may have.
    pub(super) fn disturb(&mut self, state: &mut State, changes: &Changes) {
        state.memory.forget_looks();
        if !changes.leaves_links() {
            self.forget_links(&mut state.memory);
        }
        for &object in &changes.blurred {
            self.blur_object(state, object);
        }
        for &object in &changes.gone {
            self.lose(state, object, self.terms.boolean(true));
        }
        for &site in &changes.stirred {
            state.memory.stirred.insert(site);
            for object in self.instances(state, site) {
                self.stir(state, site, object);
            }
        }
        for (&part, change) in &changes.parts {
            if let Part::Cell(object, offset) = part {
                let term = self.fresh(change.width);
                let base = self.base_of(&change.held);
                let value = Val::at(term, base);
                self.write(&mut state.memory, (object, offset), change.bytes, value);
            }
        }
    }

    /// Makes an object hold what the summary of its site may have been written to hold.
    fn stir(&mut self, state: &mut State, site: u32, object: Object) {
        if self.sites[site as usize].is_blurred() {
            return state.memory.blur(object);
        }
        for (offset, cell) in state.memory.of_object(object).collect::<Vec<_>>() {
            let anywhere = Val::of(self.number(0));
            let held = self.held_by_site(state, site, offset, cell.bytes, anywhere);
            let base = self.base_of(&held);
            let term = self.fresh(self.terms.width(cell.value.term));
            let value = Val::at(term, base);
            self.write(&mut state.memory, (object, offset), cell.bytes, value);
        }
        let unknown = self.sites[site as usize].offsets();
        for (offset, bytes) in unknown {
            if !state.memory.cells.contains_key(&(object, offset)) {
                let value = self.anything(bytes * 8);
                self.write(&mut state.memory, (object, offset), bytes, value);
            }
        }
    }

    /// The value of a variable in a state.
    pub(super) fn term_of(&mut self, state: &State, variable: &HeadVariable) -> Term {
        let width = self.terms.symbol_width(variable.symbol);
        let value = match &variable.spot {
            Some(spot) => state.memory.spot(spot).map(|spot| spot.value),
            None => self.value(state, variable.part),
        };
        let Some(value) = value else {
            return self.fresh(width);
        };
        match variable.rank {
            Some((Direction::Reach, _)) => return self.reach_rank_in(&state.memory, value),
            Some((direction, true)) => return self.position(value.term, direction),
            Some((direction, false)) => return self.rank(value.term, direction),
            None => {}
        }
        let term = match variable.within {
            Some(object) => {
                let address = self.terms.resize_unsigned(value.term, 64);
                self.distance(address, object)
            }
            None => value.term,
        };
        self.terms.resize_unsigned(term, width)
    }
}
