//! Objects of the abstract memory, where they start, and what is known of pointers to them.
//!
//! An address is a term with the bits that it has on the machine: the start of an object, a
//! variable of which only the range is known (so that nothing can depend on where the linker, the
//! allocator and address-space randomisation put it), plus an offset. Objects that an iteration
//! makes get other starts in each; those of earlier iterations are distinguished by their
//! allocation site only ([`Object::Summary`]). Of a summary only the provenance of the pointers
//! that its objects hold is known, whatever the moment ([`Site::cells`]).

use super::direction::Order;
use super::state::{Base, Object, State, Targets, Val};
use super::{Executor, Key, wrapping};
use impasse_machine::base::fault::CodePlace;
use impasse_program::address::{Address, ObjectKind};
use impasse_solver::{Binary, Node, Term, Test};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// An object that an allocation made.
pub(super) struct Made {
    /// Where it starts.
    pub start: Term,
    /// When it was not made, and its address is null.
    pub failed: Option<Term>,
    /// Its size in bytes, 64 bits wide.
    pub size: Term,
    /// Whether it is made of zeros.
    pub zeroed: bool,
    /// Whether it goes with the frame that made it.
    pub on_stack: bool,
    /// Where it was made.
    pub site: u32,
}

/// An allocation site: a place in the code, and the calls through which it was reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Site {
    /// Functions and positions, outermost first.
    path: Vec<(u32, u32)>,
    /// No object made here is smaller; none if that is not known.
    size: Option<u64>,
    /// Whether a summary of its objects exists.
    summarised: bool,
    /// Whether the objects of the summary may hold anything.
    blurred: bool,
    /// For offsets at which all objects of the summary hold values of so many bytes: their
    /// provenance.
    cells: BTreeMap<u32, SiteCell>,
}

impl Site {
    /// Whether the objects of the summary may hold anything.
    pub fn is_blurred(&self) -> bool {
        self.blurred
    }

    /// Where something is known of what they hold, and in how many bytes.
    pub fn offsets(&self) -> Vec<(u32, u8)> {
        let cells = self.cells.iter();
        cells.map(|(&offset, cell)| (offset, cell.bytes)).collect()
    }

    /// Which ways the addresses go that the objects of the summary hold at an offset.
    pub fn order_at(&self, offset: u32, bytes: u8) -> Order {
        match self.cells.get(&offset) {
            Some(cell) if self.summarised && !self.blurred && cell.bytes == bytes => cell.order,
            _ => Order::NONE,
        }
    }

    /// The same, of each offset at which there are addresses.
    pub fn links(&self) -> Vec<(u32, Order)> {
        let cells = self.cells.iter();
        let links = cells.filter(|(_, cell)| matches!(cell.held, Held::OneOf(..)));
        links
            .map(|(&offset, _)| (offset, self.order_at(offset, 8)))
            .filter(|&(_, order)| !order.is_none())
            .collect()
    }
}

/// What the objects of a summary hold at an offset.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct SiteCell {
    bytes: u8,
    held: Held,
    /// Whether the addresses among them are those of objects that were made earlier, or later.
    #[serde(default)]
    order: Order,
}

/// The provenance of a value, in a form that stands alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Held {
    /// Null.
    Null,
    /// Null, or so many bytes after the start of one of these objects.
    OneOf(BTreeSet<Object>, u32),
    /// Somewhere from the start of this object on.
    Within(Object),
    /// Anything.
    Anything,
}

/// What one object holds: at each offset how many bytes, their provenance, and which way they go.
type Cells = BTreeMap<u32, (u8, Held, Order)>;

/// So often an address is divided into two cases.
const CASES: u32 = 4;

/// The least address of an object.
fn lowest(ilp32: bool) -> u64 {
    if ilp32 { 1 << 16 } else { 1 << 41 }
}

/// No object has an address from here on.
fn highest(ilp32: bool) -> u64 {
    if ilp32 { 1 << 32 } else { 1 << 47 }
}

impl Executor<'_, '_> {
    /// Whether an object exists, where so many were made.
    pub(super) fn exists(&self, object: Object, made: u32) -> bool {
        let program = &self.subject.system.program;
        match object {
            Object::Global(n) => n as usize <= program.globals().len(),
            Object::Function(n) => program.function_object(n).is_some(),
            Object::Made(n) => n < made,
            Object::Summary(n) => (n as usize) < self.sites.len(),
        }
    }

    pub(super) fn number(&self, value: u64) -> Term {
        self.terms.constant(u128::from(value), 64)
    }

    /// Whether addresses take four bytes.
    pub(super) fn is_ilp32(&self) -> bool {
        self.subject.system.program.ilp32().is_some()
    }

    /// Where an object starts.
    pub(super) fn start(&mut self, object: Object) -> Term {
        if let Object::Made(n) = object {
            return self.objects[n as usize].start;
        }
        if let Some(&known) = self.starts.get(&object) {
            return known;
        }
        let size = self.size_of(object);
        let start = self.new_start(Key::Start(object), size, None);
        self.starts.insert(object, start);
        start
    }

    /// A variable for where an object of this size starts.
    fn new_start(&mut self, key: Key, size: Term, failed: Option<Term>) -> Term {
        let ilp32 = self.is_ilp32();
        let width = if ilp32 { 32 } else { 64 };
        let symbol = self.symbol(key, width);
        let start = self.terms.zero_extend(self.terms.variable(symbol), 64);
        let (low, high) = (self.number(lowest(ilp32)), self.number(highest(ilp32)));
        let terms = self.terms;
        let room = terms.test(Test::UnsignedLess, size, terms.subtract(high, start));
        let fits = match failed {
            Some(failed) => terms.or(failed, room),
            None => room,
        };
        let below = terms.test(Test::UnsignedLess, start, high);
        let above = terms.test(Test::UnsignedLessEqual, low, start);
        self.axioms.insert(symbol, vec![above, below, fits]);
        self.note_plain(symbol);
        start
    }

    /// The size of an object; of a summary, one that none of its objects is smaller than.
    pub(super) fn size_of(&self, object: Object) -> Term {
        match object {
            Object::Global(n) => {
                let globals = self.subject.system.program.globals();
                // The one that the program does not have is `errno`.
                self.number(globals.get(n as usize).map_or(4, |g| g.bytes.len() as u64))
            }
            Object::Made(n) => self.objects[n as usize].size,
            Object::Summary(n) => self.number(self.sites[n as usize].size.unwrap_or(0)),
            Object::Function(_) => self.number(0),
        }
    }

    /// The address that a constant of the machine stands for.
    pub(super) fn decoded(&mut self, bits: u64) -> Val {
        let address = Address::from_bits(bits);
        let object = match address.object.kind() {
            ObjectKind::Global(n) => Object::Global(n),
            ObjectKind::Function(n) => Object::Function(n),
            ObjectKind::Null => return Val::of(self.number(bits)),
            _ => return self.anything(64),
        };
        let start = self.start(object);
        let offset = self.number(address.offset as u64);
        Val::at(self.terms.add(start, offset), Base::Object(object))
    }

    /// How far an address is from the start of its object, where it is not null.
    pub(super) fn offset(&mut self, address: Term, object: Object) -> Term {
        self.distance(self.not_null(address), object)
    }

    /// How far an address is from the start of an object.
    pub(super) fn distance(&mut self, address: Term, object: Object) -> Term {
        let terms = self.terms;
        let start = self.start(object);
        if !self.is_ilp32() {
            return wrapping::distance(terms, address, start, CASES);
        }
        // Below the start wraps around, and is further away than any object has bytes.
        let low = |term| terms.extract(term, 0, 32);
        let distance = terms.expanded(terms.subtract(low(address), low(start)));
        terms.zero_extend(distance, 64)
    }

    /// An address without the cases in which it is null or next to it.
    fn not_null(&self, address: Term) -> Term {
        let terms = self.terms;
        match terms.node(address) {
            Node::Choose(_, a, b) if self.is_small(a) => self.not_null(b),
            Node::Choose(_, a, b) if self.is_small(b) => self.not_null(a),
            Node::Choose(_, a, b) => {
                let (a, b) = (self.not_null(a), self.not_null(b));
                if a == b { a } else { address }
            }
            Node::Binary(Binary::Add, a, b) => {
                let (a, b) = (self.not_null(a), self.not_null(b));
                terms.add(a, b)
            }
            _ => address,
        }
    }

    /// When an address is none of those cases.
    pub(super) fn is_not_null(&self, address: Term) -> Term {
        let terms = self.terms;
        match terms.node(address) {
            Node::Choose(c, a, b) if self.is_small(a) => {
                terms.and(terms.not(c), self.is_not_null(b))
            }
            Node::Choose(c, a, b) if self.is_small(b) => terms.and(c, self.is_not_null(a)),
            Node::Choose(c, a, b) => terms.choose(c, self.is_not_null(a), self.is_not_null(b)),
            Node::Binary(Binary::Add, a, b) => terms.and(self.is_not_null(a), self.is_not_null(b)),
            _ => terms.boolean(true),
        }
    }

    /// Whether a term is a number below the least address of a page that is ever mapped.
    fn is_small(&self, term: Term) -> bool {
        let constant = self.terms.as_constant(term);
        constant.is_some_and(|number| number < 1 << 15)
    }

    /// Whether an address is so near to null that no object can be there: an access ends the
    /// program.
    pub(super) fn in_null_zone(&self, address: Term) -> Term {
        let terms = self.terms;
        let (room, both) = match self.is_ilp32() {
            // Nothing is mapped below the 64 KiB that Linux keeps free.
            true => (0, 1 << 16),
            // Position-independent executables, heaps and stacks all lie above 2^41, and below
            // 2^47.
            false => (1 << 40, 1 << 41),
        };
        let shifted = terms.add(address, self.number(room));
        terms.test(Test::UnsignedLess, shifted, self.number(both))
    }

    /// A new object. Inside of loops and recursions each iteration makes another one.
    pub(super) fn make(
        &mut self,
        state: &mut State,
        place: CodePlace,
        size: Term,
        (zeroed, on_stack, may_fail): (bool, bool, bool),
    ) -> Val {
        let size = self.terms.resize_unsigned(size, 64);
        let site = self.site(place);
        let failed = may_fail.then(|| self.fresh(1));
        let key = self.next_key();
        let start = self.new_start(key, size, failed);
        if let Node::Symbol(symbol) = self.terms.node(start) {
            self.orders.made(symbol);
        }
        let object = Object::Made(self.objects.len() as u32);
        self.objects.push(Made {
            start,
            failed,
            size,
            zeroed,
            on_stack,
            site,
        });
        state.memory.made.insert(object);
        self.link_made(state, start);
        let term = match failed {
            Some(failed) => self.terms.choose(failed, self.number(0), start),
            None => start,
        };
        Val::at(term, Base::Object(object))
    }

    fn site(&mut self, place: CodePlace) -> u32 {
        let calls = self.calls.iter().map(|call| call.from);
        let path = calls.chain([place]);
        let path: Vec<(u32, u32)> = path.map(|at| (at.function.0, at.position.0)).collect();
        if let Some(known) = self.sites.iter().position(|site| site.path == path) {
            return known as u32;
        }
        self.sites.push(Site {
            path,
            size: None,
            summarised: false,
            blurred: false,
            cells: BTreeMap::new(),
        });
        self.sites.len() as u32 - 1
    }

    /// A list of objects and an offset, as a number.
    pub(super) fn targets(&mut self, objects: BTreeSet<Object>, offset: u32) -> Targets {
        let wanted = (objects, offset);
        let known = self.targets.iter().position(|one| *one == wanted);
        let at = known.unwrap_or_else(|| {
            self.targets.push(wanted);
            self.targets.len() - 1
        });
        Targets(at as u32)
    }

    /// The provenance of a value.
    pub(super) fn held(&mut self, value: Val) -> Held {
        if self.terms.as_constant(value.term) == Some(0) {
            return Held::Null;
        }
        match value.base {
            Base::Unknown => Held::Anything,
            Base::OneOf(Targets(at)) => {
                let (objects, offset) = self.targets[at as usize].clone();
                Held::OneOf(objects, offset)
            }
            Base::Object(object) => {
                let term = self.terms.resize_unsigned(value.term, 64);
                let offset = self.offset(term, object);
                match self.terms.as_constant(offset).map(u32::try_from) {
                    Some(Ok(offset)) => Held::OneOf([object].into(), offset),
                    _ => Held::Within(object),
                }
            }
        }
    }

    /// The base of what is held; `term` is the value.
    pub(super) fn base_of(&mut self, held: &Held) -> Base {
        match held {
            // Its variable stands for null alone, but there is no need to say so.
            Held::Null | Held::Anything => Base::Unknown,
            Held::Within(object) => Base::Object(*object),
            Held::OneOf(objects, offset) => match objects.first() {
                Some(&only) if objects.len() == 1 && !matches!(only, Object::Summary(_)) => {
                    Base::Object(only)
                }
                _ => Base::OneOf(self.targets(objects.clone(), *offset)),
            },
        }
    }

    /// The base of a value that is one of two.
    pub(super) fn common_base(&mut self, one: Val, other: Val) -> Base {
        let (one, other) = (self.held(one), self.held(other));
        let held = joined(&one, &other);
        self.base_of(&held)
    }

    /// What the objects of a summary hold at an offset, and the site's distinguished ones.
    pub(super) fn held_by_site(
        &mut self,
        state: &State,
        site: u32,
        offset: u32,
        bytes: u8,
        address: Val,
    ) -> Held {
        let summary = &self.sites[site as usize];
        let mut held = match summary.cells.get(&offset) {
            _ if !summary.summarised => Held::Null,
            Some(cell) if !summary.blurred && cell.bytes == bytes => cell.held.clone(),
            _ => return Held::Anything,
        };
        let instances = self.instances(state, site);
        for object in instances {
            if self.is_elsewhere(state, address, object) {
                continue;
            }
            let value = match state.memory.cells.get(&(object, offset)) {
                Some(cell) if cell.bytes == bytes => cell.value,
                _ => return Held::Anything,
            };
            let value = self.held(value);
            held = joined(&held, &value);
        }
        held
    }

    /// Enters a value that is written to the objects of a summary.
    pub(super) fn hold(
        &mut self,
        site: u32,
        (offset, bytes): (u32, u8),
        (value, order): (&Held, Order),
    ) {
        let of = &mut self.sites[site as usize];
        let before = of.clone();
        let overlapping = |(&at, cell): (&u32, &SiteCell)| {
            at != offset && at < offset + u32::from(bytes) && at + u32::from(cell.bytes) > offset
        };
        of.blurred |= of.cells.iter().any(overlapping);
        match of.cells.get_mut(&offset) {
            Some(cell) if cell.bytes == bytes => {
                cell.held = joined(&cell.held, value);
                cell.order = cell.order.and(order);
            }
            Some(_) => of.blurred = true,
            // What the others hold there is not known.
            None if of.summarised => {
                let (held, order) = (Held::Anything, Order::NONE);
                of.cells.insert(offset, SiteCell { bytes, held, order });
            }
            None => {
                let held = value.clone();
                of.cells.insert(offset, SiteCell { bytes, held, order });
            }
        }
        self.grown |= self.sites[site as usize] != before;
    }

    /// Makes the objects of a summary hold anything.
    pub(super) fn blur_site(&mut self, site: u32) {
        self.grown |= !std::mem::replace(&mut self.sites[site as usize].blurred, true);
    }

    /// Makes objects with this number or a higher one part of the summaries of their sites: the
    /// iteration that made them is over.
    pub(super) fn age(&mut self, state: &mut State, from: u32) {
        let is_young = |object: &Object| matches!(object, Object::Made(n) if *n >= from);
        let cells = std::mem::take(&mut state.memory.cells);
        let (young, old): (BTreeMap<_, _>, _) = cells
            .into_iter()
            .partition(|((object, _), _)| is_young(object));
        state.memory.cells = old;
        state.memory.forget_looks();
        let mut of_objects: BTreeMap<u32, Cells> = BTreeMap::new();
        for object in state.memory.made.iter().filter(|object| is_young(object)) {
            if let Object::Made(n) = object {
                of_objects.insert(*n, BTreeMap::new());
            }
        }
        for ((object, offset), cell) in young {
            let Object::Made(n) = object else { continue };
            let order = self.order_from(self.objects[n as usize].start, cell.value);
            let value = self.aged(cell.value, from);
            let held = self.held(value);
            of_objects
                .entry(n)
                .or_default()
                .insert(offset, (cell.bytes, held, order));
        }
        for (n, cells) in of_objects {
            self.summarise(n, &cells, state.memory.blurred.contains(&Object::Made(n)));
        }
        self.age_sets(state, &is_young);
        state.memory.spots.retain(|spot| !is_young(&spot.object));
        for at in 0..state.memory.spots.len() {
            let value = state.memory.spots[at].value;
            state.memory.spots[at].value = self.aged(value, from);
        }
        for place in state.memory.cells.keys().copied().collect::<Vec<_>>() {
            let cell = state.memory.cells[&place];
            let value = self.aged(cell.value, from);
            state
                .memory
                .cells
                .insert(place, super::state::CellValue { value, ..cell });
        }
        for slot in 0..state.slots.len() {
            state.slots[slot] = state.slots[slot].map(|value| self.aged(value, from));
        }
    }

    fn age_sets(&self, state: &mut State, is_young: &dyn Fn(&Object) -> bool) {
        let memory = &mut state.memory;
        let summary = |object: &Object| match object {
            Object::Made(n) => Object::Summary(self.objects[*n as usize].site),
            other => *other,
        };
        let gone = memory.gone.iter();
        let gone = gone.filter(|&(object, &gone)| is_young(object) && !self.terms.is_false(gone));
        let gone: Vec<Object> = gone.map(|(object, _)| summary(object)).collect();
        let always = self.terms.boolean(true);
        memory
            .gone
            .extend(gone.into_iter().map(|object| (object, always)));
        memory.gone.retain(|object, _| !is_young(object));
        for set in [&mut memory.blurred, &mut memory.made] {
            set.retain(|object| !is_young(object));
        }
    }

    /// Adds an object to the summary of its site.
    fn summarise(&mut self, n: u32, cells: &Cells, blurred: bool) {
        let made = &self.objects[n as usize];
        let (site, zeroed) = (made.site, made.zeroed);
        let size = self.terms.as_constant(made.size).map(|size| size as u64);
        let before = self.sites[site as usize].clone();
        let first = !before.summarised;
        for (&offset, (bytes, held, order)) in cells {
            self.hold(site, (offset, *bytes), (held, *order));
        }
        let initial = if zeroed { Held::Null } else { Held::Anything };
        let of = &mut self.sites[site as usize];
        for (offset, cell) in &mut of.cells {
            if !cells.contains_key(offset) {
                cell.held = joined(&cell.held, &initial);
                if !zeroed {
                    cell.order = Order::NONE;
                }
            }
        }
        of.blurred |= blurred;
        of.size = match (first, of.size, size) {
            (true, _, size) => size,
            (false, Some(a), Some(b)) => Some(a.min(b)),
            _ => None,
        };
        of.summarised = true;
        self.grown |= *of != before;
    }

    /// A value after the iteration that made objects from this one on.
    fn aged(&mut self, value: Val, from: u32) -> Val {
        let is_young = |object: &Object| matches!(object, Object::Made(n) if *n >= from);
        let held = match value.base {
            Base::Object(object) if is_young(&object) => self.held(value),
            Base::OneOf(Targets(at)) if self.targets[at as usize].0.iter().any(is_young) => {
                self.held(value)
            }
            _ => return value,
        };
        let Held::OneOf(objects, offset) = held else {
            return Val::of(value.term);
        };
        let summary = |object| match object {
            Object::Made(n) if n >= from => Object::Summary(self.objects[n as usize].site),
            other => other,
        };
        let objects = objects.into_iter().map(summary).collect();
        let base = Base::OneOf(self.targets(objects, offset));
        Val { base, ..value }
    }
}

/// The provenance of a value that is one of two.
pub(super) fn joined(one: &Held, other: &Held) -> Held {
    use Held::{Anything, Null, OneOf, Within};
    match (one, other) {
        (Null, held) | (held, Null) => held.clone(),
        (OneOf(a, x), OneOf(b, y)) if x == y => OneOf(a | b, *x),
        (OneOf(a, _), OneOf(b, _)) if a == b && a.len() == 1 => within(a.first()),
        (OneOf(a, _), Within(object)) | (Within(object), OneOf(a, _))
            if a.len() == 1 && a.contains(object) =>
        {
            within(Some(object))
        }
        (Within(a), Within(b)) if a == b => Within(*a),
        _ => Anything,
    }
}

fn within(object: Option<&Object>) -> Held {
    match object {
        Some(Object::Summary(_)) | None => Held::Anything,
        Some(&object) => Held::Within(object),
    }
}
