//! Which of two objects was made first: why a walk along a list ends.
//!
//! Where each object of a summary has only null, or the address of an object that was made before
//! it, at some offset ([`Direction::Older`]), or only of one that was made after it, a walk from
//! object to object cannot come back. A pointer gets a *rank* for each direction, a variable that
//! stands for how many objects are still before it, and what is read there has a smaller one.
//! `docs/internals/termination.md` has the argument.

use super::Executor;
use super::direction::{Direction, Order};
use super::objects::Held;
use super::shape::Links;
use super::state::{Object, State, Val};
use impasse_program::link::FunctionId;
use impasse_solver::{Binary, Node, Symbol, Term, Test};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Ranks are less than two to the power of this.
const RANKS: u32 = 49;

/// What is known of ranks and of the moments at which objects were made.
#[derive(Default)]
pub(super) struct Orders {
    ranks: FxHashMap<(Symbol, Direction), Symbol>,
    /// The positions of objects, counted when an object was last made.
    positions: FxHashMap<(Symbol, Direction, Option<Symbol>), Symbol>,
    /// Whether frontiers are followed.
    pub frontiers: bool,
    /// Whether there would be frontiers to follow.
    pub has_frontiers: bool,
    /// Variables that are null or where an object starts.
    plain: FxHashSet<Symbol>,
    /// An object may have been made between this variable and now.
    last_made: Option<Symbol>,
    /// Whether the program is one of whose objects the order is followed.
    followed: Option<bool>,
    /// Variables that are null or where an object starts that was made by the call which returned
    /// them: after all variables before another one.
    fresh: FxHashMap<Symbol, Symbol>,
    /// Whether a proof may rely on ranks.
    pub used: bool,
    /// At which offsets the links are, if it is followed what can be reached.
    pub links: Option<Links>,
    /// Offsets at which there are links.
    pub link_offsets: BTreeSet<u32>,
    /// Whether a link may lead to a global variable.
    pub globals_linked: bool,
}

impl Orders {
    /// Orders of which nothing is known yet; whether frontiers are followed, and at which offsets
    /// links are.
    pub fn new(frontiers: bool, links: Option<Links>) -> Orders {
        Orders {
            frontiers,
            links,
            ..Orders::default()
        }
    }

    /// Notes that an object was made, or may have been in earlier iterations.
    pub fn made(&mut self, since: Symbol) {
        self.last_made = Some(since);
    }

    /// The variable since which an object may have been made.
    pub fn mark(&self) -> Option<Symbol> {
        self.last_made
    }

    /// Notes that a variable is null or where an object starts that was made after all variables
    /// before a mark.
    pub fn note_fresh(&mut self, symbol: Symbol, mark: Symbol) {
        self.fresh.insert(symbol, mark);
    }

    /// Stops following the order of objects.
    pub fn stop(&mut self) {
        self.followed = Some(false);
    }

    /// The variable for the position of an object that starts at one.
    pub fn position(&self, of: Symbol, direction: Direction) -> Option<Symbol> {
        let key = (of, direction, self.last_made);
        self.positions.get(&key).copied()
    }

    /// Gives an object a position.
    pub fn set_position(&mut self, of: Symbol, direction: Direction, position: Symbol) {
        let key = (of, direction, self.last_made);
        self.positions.insert(key, position);
    }

    /// Forgets ranks of which `is_kept` does not hold, and what was made since.
    pub fn reset(&mut self, last_made: Option<Symbol>, is_kept: impl Fn(&Symbol) -> bool) {
        self.last_made = last_made;
        self.ranks.retain(|_, rank| is_kept(rank));
        self.positions.retain(|_, position| is_kept(position));
    }
}

impl Executor<'_, '_> {
    /// Whether the order of objects is followed. Frontiers are not where a function calls itself:
    /// it may free objects, or change their links, while others wait that have read them.
    pub(super) fn follows_order(&mut self) -> bool {
        if let Some(known) = self.orders.followed {
            return known;
        }
        let program = &self.subject.system.program;
        let own: Vec<_> = (0..program.functions())
            .map(FunctionId)
            .filter(|&id| program.is_users(program.info(id).unit))
            .collect();
        let frontiers = self.orders.frontiers;
        let followed =
            !(self.is_ilp32() || frontiers && own.into_iter().any(|id| self.is_recursive(id)));
        self.orders.followed = Some(followed);
        followed
    }

    /// Notes that a variable is null or where an object starts.
    pub(super) fn note_plain(&mut self, symbol: Symbol) {
        self.orders.plain.insert(symbol);
    }

    /// Whether a variable is known to be null or where an object starts.
    pub(super) fn is_noted_plain(&self, symbol: Symbol) -> bool {
        self.orders.plain.contains(&symbol)
    }

    /// The variables that a value is one of, besides null, if it is nothing else: null or where an
    /// object starts.
    pub(super) fn starts_of(&self, value: Val) -> Option<Vec<Symbol>> {
        if value.poison.is_some() || value.wrapped.is_some() || self.is_ilp32() {
            return None;
        }
        let (mut found, mut open) = (Vec::new(), vec![value.term]);
        while let Some(term) = open.pop() {
            match self.terms.node(term) {
                Node::Constant(0) => {}
                Node::Choose(_, a, b) => open.extend([a, b]),
                Node::Symbol(symbol) if self.orders.plain.contains(&symbol) => found.push(symbol),
                _ => return None,
            }
        }
        Some(found)
    }

    /// Whether a value is null or where an object starts.
    pub(super) fn is_plain(&self, value: Val) -> bool {
        self.terms.width(value.term) == 64 && self.starts_of(value).is_some()
    }

    /// The same as a condition on a variable.
    pub(super) fn plainness(&self, variable: Term) -> Term {
        let terms = self.terms;
        let (low, room) = (1 << 41, (1 << 48) - (1 << 41));
        let above = terms.subtract(variable, self.number(low));
        terms.or(
            terms.equal(variable, self.number(0)),
            terms.test(Test::UnsignedLess, above, self.number(room)),
        )
    }

    /// Which of the objects that were made starts at a variable, as the variable.
    fn is_start(&self, symbol: Symbol) -> bool {
        let variable = self.terms.variable(symbol);
        self.objects.iter().any(|made| made.start == variable)
    }

    /// The object that starts at a variable was made after all variables before this one: before
    /// the variable itself, or before the call that returned it.
    fn made_after(&self, symbol: Symbol) -> Option<Symbol> {
        match self.is_start(symbol) {
            true => Some(symbol),
            false => self.orders.fresh.get(&symbol).copied(),
        }
    }

    /// Whether a value is null or where an object starts that was made after a variable.
    pub(super) fn is_made_since(&self, value: Val, mark: Symbol) -> bool {
        let is_new = |symbol: &Symbol| self.made_after(*symbol).is_some_and(|made| made > mark);
        let starts = self.starts_of(value);
        starts.is_some_and(|starts| starts.iter().all(is_new))
    }

    /// Which ways a value goes that an object holds which starts at a variable.
    pub(super) fn order_from(&self, start: Term, value: Val) -> Order {
        let Node::Symbol(start) = self.terms.node(start) else {
            return Order::NONE;
        };
        let Some(starts) = self.starts_of(value) else {
            return Order::NONE;
        };
        Order {
            // What was there before the object was made is the address of one made before.
            older: starts.iter().all(|&symbol| symbol < start),
            newer: starts
                .iter()
                .all(|&symbol| self.made_after(symbol).is_some_and(|made| made > start)),
            plain: true,
        }
    }

    /// Which ways the value goes that an object holds at an offset.
    fn order_in(&self, state: &State, object: Object, offset: u32) -> Order {
        let cell = state.memory.cells.get(&(object, offset));
        match (object, cell) {
            (Object::Made(n), Some(cell)) if cell.bytes == 8 => {
                self.order_from(self.objects[n as usize].start, cell.value)
            }
            _ => Order::NONE,
        }
    }

    /// Which ways a value goes that is written through an address.
    pub(super) fn order_of_write(&self, address: Val, value: Val) -> Order {
        let Some(starts) = self.starts_of(value) else {
            return Order::NONE;
        };
        let term = self.start_part(address.term);
        let Some(from) = self.starts_of(Val { term, ..address }) else {
            let plain = true;
            return Order {
                plain,
                ..Order::NONE
            };
        };
        let is_later = |symbol: Symbol| {
            let made = self.made_after(symbol);
            made.is_some_and(|made| from.iter().all(|&from| from < made))
        };
        Order {
            older: starts.is_empty(),
            newer: starts.iter().all(|&symbol| is_later(symbol)),
            plain: true,
        }
    }

    /// Whether an address was there before an object, so that it is not in it.
    pub(super) fn was_before(&mut self, address: Val, object: Object) -> bool {
        let Object::Made(n) = object else {
            return false;
        };
        let term = self.start_part(address.term);
        match (
            self.terms.node(self.objects[n as usize].start),
            self.starts_of(Val { term, ..address }),
        ) {
            (Node::Symbol(start), Some(starts)) => {
                starts.iter().all(|&symbol| symbol < start) && self.follows_order()
            }
            _ => false,
        }
    }

    /// An address without the number that is added to it.
    pub(super) fn start_part(&self, address: Term) -> Term {
        match self.terms.node(address) {
            Node::Binary(Binary::Add, a, b) if self.terms.as_constant(b).is_some() => a,
            Node::Binary(Binary::Add, a, b) if self.terms.as_constant(a).is_some() => b,
            _ => address,
        }
    }

    /// The rank of an address.
    pub(super) fn rank(&mut self, address: Term, direction: Direction) -> Term {
        let terms = self.terms;
        let address = self.start_part(address);
        match terms.node(address) {
            Node::Constant(0) => self.number(0),
            Node::Choose(c, a, b) => {
                let (a, b) = (self.rank(a, direction), self.rank(b, direction));
                terms.choose(c, a, b)
            }
            Node::Symbol(symbol) => {
                let is_late = self.orders.last_made.is_none_or(|last| symbol >= last);
                if direction == Direction::Newer && !is_late {
                    return self.fresh(64);
                }
                if let Some(&known) = self.orders.ranks.get(&(symbol, direction)) {
                    return terms.variable(known);
                }
                let rank = self.fresh(64);
                if let Node::Symbol(of) = terms.node(rank) {
                    self.orders.ranks.insert((symbol, direction), of);
                }
                rank
            }
            _ => self.fresh(64),
        }
    }

    /// Says of a variable that it is a rank.
    pub(super) fn bound_rank(&mut self, rank: Symbol) {
        let most = self.number(1 << RANKS);
        let small = self
            .terms
            .test(Test::UnsignedLess, self.terms.variable(rank), most);
        self.axioms.insert(rank, vec![small]);
    }

    /// Gives the variable of a header its rank.
    pub(super) fn set_rank(&mut self, of: Symbol, direction: Direction, rank: Symbol) {
        self.orders.ranks.insert((of, direction), rank);
    }

    /// The directions in which lists go on from what is held.
    pub(super) fn directions_from(&mut self, held: &Held) -> Vec<Direction> {
        let Held::OneOf(objects, _) = held else {
            return Vec::new();
        };
        let sites = objects.iter().filter_map(|object| match object {
            Object::Summary(site) => Some(*site),
            _ => None,
        });
        let orders = sites
            .clone()
            .flat_map(|site| self.sites[site as usize].links());
        let mut found: BTreeSet<Direction> =
            orders.flat_map(|(_, order)| order.directions()).collect();
        if self.follows_links() && sites.count() > 0 {
            found.insert(Direction::Reach);
        }
        match found.is_empty() || !self.follows_order() {
            true => Vec::new(),
            false => found.into_iter().collect(),
        }
    }

    /// Adds to a state what the order of objects says of a value that was read at an offset of one
    /// of several objects.
    pub(super) fn follow_order(
        &mut self,
        state: &mut State,
        (address, objects, offset): (Val, &BTreeSet<Object>, u32),
        (value, held): (Term, &Held),
    ) {
        let Held::OneOf(next, 0) = held else {
            return;
        };
        let is_summary = |object: &Object| matches!(object, Object::Summary(_));
        if address.undefined(self.terms).is_some()
            || self.terms.width(value) != 64
            || !objects.iter().any(is_summary)
        {
            return;
        }
        if next.iter().any(is_summary) {
            self.orders.link_offsets.insert(offset);
        }
        let mut order = Order::BOTH;
        for object in objects {
            let one = match *object {
                Object::Summary(site) if self.has_old_frontier(state, site) => Order::NONE,
                Object::Summary(site) => {
                    let instances = self.instances(state, site).into_iter();
                    let instances =
                        instances.filter(|&one| !self.is_elsewhere(state, address, one));
                    let of_instances = instances.map(|one| self.order_in(state, one, offset));
                    let summary = self.sites[site as usize].order_at(offset, 8);
                    of_instances.fold(summary, Order::and)
                }
                object => match state.memory.cells.get(&(object, offset)) {
                    Some(cell) if cell.bytes == 8 && self.is_plain(cell.value) => Order::BOTH,
                    _ => Order::NONE,
                },
            };
            order = order.and(one);
        }
        let Node::Symbol(symbol) = self.terms.node(value) else {
            return;
        };
        if order.plain && self.follows_links() {
            self.note_plain(symbol);
            let plain = self.plainness(value);
            state.assume(self.terms, plain);
            self.link_loaded(state, (address, offset, 8), Val::of(value));
        }
        if order.is_none() || !self.follows_order() {
            return;
        }
        let is_ranked = next.iter().all(is_summary);
        self.orders.has_frontiers |= !is_ranked;
        if !is_ranked && !self.orders.frontiers {
            return;
        }
        self.orders.used = true;
        self.note_plain(symbol);
        let plain = self.plainness(value);
        state.assume(self.terms, plain);
        let unless = self.follow_positions(state, (address, objects, offset), (value, order));
        let ranked = order.directions().filter(|_| is_ranked);
        for direction in ranked {
            let before = self.rank(address.term, direction);
            let after = self.rank(value, direction);
            let smaller = self.terms.test(Test::UnsignedLess, after, before);
            state.assume(self.terms, self.terms.or(unless, smaller));
        }
    }
}
