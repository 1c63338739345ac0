//! How far the objects of a list have been freed, or turned round.
//!
//! A walk along a list may free each object after it has read where the next one is, or make it
//! point backwards. What is known of the summary of these objects then holds only of those that the
//! walk has not reached yet: the ones whose *position* is less than a number, the frontier. The
//! position of an object is its rank at the moment when the last object was made, so it is the same
//! for each pointer to it; once another object is made, positions are counted anew, and whatever
//! lies beyond a frontier is given up. `docs/internals/termination.md` has the argument.

use super::direction::{Direction, Frontier, Link, Order};
use super::header::{Changes, Header};
use super::objects::Held;
use super::obligation::Claim;
use super::part::Part;
use super::state::{Base, Memory, Object, State, Val};
use super::{Executor, Result};
use impasse_machine::base::fault::CodePlace;
use impasse_solver::{Node, Symbol, Term, Test};
use std::collections::BTreeSet;

/// Positions are less than two to the power of this.
const BITS: u32 = 48;

impl Executor<'_, '_> {
    /// Where nothing is beyond a frontier.
    fn nowhere(&self) -> Term {
        self.number(u64::MAX)
    }

    /// The links of a summary's objects, if frontiers are followed.
    pub(super) fn link_of(&mut self, site: u32) -> Option<Link> {
        if !self.orders.frontiers || !self.follows_order() {
            return None;
        }
        let links = self.sites[site as usize].links();
        let towards = |direction| {
            let goes = |order: &Order| order.directions().any(|one| one == direction);
            let mut links = links.iter().filter(|(_, order)| goes(order));
            links.next().map(|&(offset, _)| Link { offset, direction })
        };
        towards(Direction::Older).or_else(|| towards(Direction::Newer))
    }

    fn is_current(&mut self, site: u32, frontier: Frontier) -> bool {
        frontier.since == self.orders.mark() && self.link_of(site) == Some(frontier.link)
    }

    /// The frontier of a summary, if it can have one. One that is out of date is given up.
    fn frontier(&mut self, memory: &mut Memory, site: u32) -> Option<Frontier> {
        let known = memory.frontiers.get(&site).copied();
        match known {
            Some(known) if self.is_current(site, known) => return Some(known),
            Some(_) => self.give_up(memory, site),
            None => {}
        }
        let link = self.link_of(site)?;
        self.orders.used = true;
        Some(Frontier {
            since: self.orders.mark(),
            link,
            freed: self.nowhere(),
            turned: self.nowhere(),
        })
    }

    /// Forgets a frontier, with what was known of the objects before it.
    fn give_up(&mut self, memory: &mut Memory, site: u32) {
        let Some(known) = memory.frontiers.remove(&site) else {
            return;
        };
        if known.freed != self.nowhere() {
            let gone = self.terms.boolean(true);
            memory.gone.insert(Object::Summary(site), gone);
        }
        if known.turned != self.nowhere() {
            self.lose_order(site, known.link);
        }
    }

    fn lose_order(&mut self, site: u32, link: Link) {
        self.hold(site, (link.offset, 8), (&Held::Null, Order::NONE));
    }

    /// Gives up the frontiers of a state that are out of date; all of them, if the loop makes
    /// objects.
    pub(super) fn settle_frontiers(&mut self, memory: &mut Memory, makes: bool) {
        for site in memory.frontiers.keys().copied().collect::<Vec<_>>() {
            match makes {
                true => self.give_up(memory, site),
                false => {
                    self.frontier(memory, site);
                }
            }
        }
    }

    /// Joins the frontiers of two memories.
    pub(super) fn merge_frontiers(
        &mut self,
        is_one: Term,
        (one, other): (&mut Memory, &mut Memory),
        merged: &mut Memory,
    ) {
        for site in sites_of(one, other) {
            match (self.frontier(one, site), self.frontier(other, site)) {
                (Some(a), Some(b)) if a.link == b.link => {
                    let frontier = Frontier {
                        freed: self.terms.choose(is_one, a.freed, b.freed),
                        turned: self.terms.choose(is_one, a.turned, b.turned),
                        ..a
                    };
                    merged.frontiers.insert(site, frontier);
                }
                _ => {
                    self.give_up(one, site);
                    self.give_up(other, site);
                }
            }
        }
    }

    /// The position of the object that an address is in.
    pub(super) fn position(&mut self, address: Term, direction: Direction) -> Term {
        let terms = self.terms;
        let address = self.start_part(address);
        match terms.node(address) {
            Node::Constant(0) => self.number(0),
            Node::Choose(c, a, b) => {
                let (a, b) = (self.position(a, direction), self.position(b, direction));
                terms.choose(c, a, b)
            }
            Node::Symbol(symbol) => match self.orders.position(symbol, direction) {
                Some(known) => terms.variable(known),
                None => {
                    let position = self.new_position();
                    if let Node::Symbol(of) = terms.node(position) {
                        self.orders.set_position(symbol, direction, of);
                    }
                    position
                }
            },
            _ => self.new_position(),
        }
    }

    fn new_position(&mut self) -> Term {
        let position = self.fresh(64);
        if let Node::Symbol(symbol) = self.terms.node(position) {
            self.bound_position(symbol);
        }
        position
    }

    /// Says of a variable that it is a position.
    pub(super) fn bound_position(&mut self, symbol: Symbol) {
        let position = self.terms.variable(symbol);
        let most = self.number(1 << BITS);
        let small = self.terms.test(Test::UnsignedLess, position, most);
        self.axioms.insert(symbol, vec![small]);
    }

    /// When the object that an address of it is in may have been freed.
    pub(super) fn is_gone(&mut self, memory: &Memory, object: Object, address: Term) -> Term {
        let terms = self.terms;
        if self.is_kept(memory, Val::of(address)) {
            return terms.boolean(false);
        }
        let gone = memory.gone(terms, object);
        let Object::Summary(site) = object else {
            return gone;
        };
        match memory.frontiers.get(&site).copied() {
            None => gone,
            Some(known) if known.freed == self.nowhere() => gone,
            Some(known) if self.is_current(site, known) => {
                let position = self.position(address, known.link.direction);
                let beyond = terms.test(Test::UnsignedLessEqual, known.freed, position);
                terms.or(gone, beyond)
            }
            Some(_) => terms.boolean(true),
        }
    }

    /// Whether it is known of an object that is read that it has not been freed, or an obligation
    /// has shown it.
    pub(super) fn is_there(&mut self, memory: &Memory, object: Object) -> bool {
        let here = self.terms.is_false(memory.gone(self.terms, object));
        let current = match object {
            Object::Summary(site) => match memory.frontiers.get(&site).copied() {
                Some(known) => known.freed == self.nowhere() || self.is_current(site, known),
                None => true,
            },
            _ => true,
        };
        here && current
    }

    /// Shows of an address that is read through that it is before the frontiers of the objects
    /// that it may be in.
    pub(super) fn read_before_frontiers(
        &mut self,
        state: &mut State,
        address: Val,
        place: CodePlace,
    ) -> Result<()> {
        let Base::OneOf(targets) = address.base else {
            return Ok(());
        };
        if state.memory.frontiers.is_empty() {
            return Ok(());
        }
        let terms = self.terms;
        let mut inside = terms.boolean(true);
        for object in self.targets[targets.0 as usize].0.clone() {
            // Where it is not known in any case, the read gives anything.
            if matches!(object, Object::Summary(_)) && self.is_there(&state.memory, object) {
                let gone = self.is_gone(&state.memory, object, address.term);
                inside = terms.and(inside, terms.not(gone));
            }
        }
        let null = self.in_null_zone(address.term);
        self.oblige(state, terms.or(null, inside), Claim::Read, place)
    }

    /// Moves a frontier to an object that is freed, where the address is not null. Whether the
    /// summary has one.
    pub(super) fn free_up_to(
        &mut self,
        state: &mut State,
        object: Object,
        (address, null): (Term, Term),
    ) -> bool {
        let terms = self.terms;
        let Object::Summary(site) = object else {
            return false;
        };
        self.orders.has_frontiers |= !self.sites[site as usize].links().is_empty();
        if !self.instances(state, site).is_empty() {
            return false;
        }
        let Some(mut frontier) = self.frontier(&mut state.memory, site) else {
            return false;
        };
        // It was shown to be before the frontier.
        let next = self.position(address, frontier.link.direction);
        frontier.freed = match state.path.contains(&terms.not(null)) {
            true => next,
            false => terms.choose(null, frontier.freed, next),
        };
        state.memory.stirred.insert(site);
        state.memory.frontiers.insert(site, frontier);
        true
    }

    fn lesser(&self, one: Term, other: Term) -> Term {
        let less = self.terms.test(Test::UnsignedLess, one, other);
        self.terms.choose(less, one, other)
    }

    /// Moves a frontier to an object whose link is written, unless the link goes in its direction.
    /// What the order of a link of the summary's objects is after the write, if it is known
    /// otherwise that `order` is what can be said of the value.
    pub(super) fn turn_at(
        &mut self,
        state: &mut State,
        (site, offset): (u32, u32),
        (address, value): (Val, Val),
        order: Order,
    ) -> Order {
        let known = self.sites[site as usize].order_at(offset, 8);
        self.orders.has_frontiers |= !known.is_none() && known.and(order).is_none();
        let is_plain = self.is_plain(value) && address.undefined(self.terms).is_none();
        let link = self.link_of(site).filter(|link| link.offset == offset);
        let (Some(link), true) = (link, is_plain) else {
            return order;
        };
        let follows = order.directions().any(|one| one == link.direction);
        if follows || !self.instances(state, site).is_empty() {
            return order;
        }
        let Some(mut frontier) = self.frontier(&mut state.memory, site) else {
            return order;
        };
        let terms = self.terms;
        let (here, next) = (
            self.position(address.term, link.direction),
            self.position(value.term, link.direction),
        );
        let null = terms.equal(value.term, self.number(0));
        let keeps = terms.or(null, terms.test(Test::UnsignedLess, next, here));
        let turned = self.lesser(here, frontier.turned);
        frontier.turned = terms.choose(keeps, frontier.turned, turned);
        state.memory.frontiers.insert(site, frontier);
        order.or(link.direction)
    }

    /// Adds to a state what the links of objects say of the positions of an address in one of them
    /// and of a value that was read there. When the order of the links does not hold.
    pub(super) fn follow_positions(
        &mut self,
        state: &mut State,
        (address, objects, offset): (Val, &BTreeSet<Object>, u32),
        (value, order): (Term, Order),
    ) -> Term {
        let terms = self.terms;
        let mut unless = vec![self.in_null_zone(address.term)];
        let (mut directions, mut others) = (BTreeSet::new(), Vec::new());
        for &object in objects {
            let Object::Summary(site) = object else {
                // In any order, so nothing is known of their positions.
                let start = self.start(object);
                let place = terms.add(start, self.number(offset.into()));
                others.push(terms.equal(address.term, place));
                continue;
            };
            let link = self.link_of(site).filter(|link| link.offset == offset);
            directions.insert(link.map(|link| link.direction));
            if let (Some(link), Some(known)) = (link, state.memory.frontiers.get(&site).copied()) {
                let here = self.position(address.term, link.direction);
                unless.push(terms.test(Test::UnsignedLessEqual, known.turned, here));
            }
        }
        let unless = terms.any(&unless);
        let mut directions = directions.into_iter();
        if let (Some(Some(direction)), None) = (directions.next(), directions.next())
            && order.directions().any(|one| one == direction)
        {
            let here = self.position(address.term, direction);
            let next = self.position(value, direction);
            let smaller = terms.test(Test::UnsignedLess, next, here);
            others.extend([unless, smaller]);
            state.assume(terms, terms.any(&others));
        }
        unless
    }

    /// Whether the frontier that a state has for a summary tells anything of its links.
    pub(super) fn has_old_frontier(&mut self, state: &State, site: u32) -> bool {
        match state.memory.frontiers.get(&site).copied() {
            Some(known) => known.turned != self.nowhere() && !self.is_current(site, known),
            None => false,
        }
    }

    /// The frontier that a part stands for.
    pub(super) fn frontier_part(&self, memory: &Memory, part: Part) -> Option<Val> {
        let (Part::Freed(site) | Part::Turned(site)) = part else {
            return None;
        };
        let known = memory.frontiers.get(&site);
        let of = known.map_or(self.nowhere(), |known| match part {
            Part::Turned(_) => known.turned,
            _ => known.freed,
        });
        Some(Val::of(of))
    }

    /// Makes a part a variable at a header.
    pub(super) fn set_frontier_part(&mut self, memory: &mut Memory, part: Part, term: Term) {
        let (Part::Freed(site) | Part::Turned(site)) = part else {
            return;
        };
        let Some(mut frontier) = self.frontier(memory, site) else {
            let gone = self.terms.boolean(true);
            memory.gone.insert(Object::Summary(site), gone);
            for (offset, _) in self.sites[site as usize].offsets() {
                let direction = Direction::Older;
                self.lose_order(site, Link { offset, direction });
            }
            return;
        };
        match part {
            Part::Turned(_) => frontier.turned = term,
            _ => frontier.freed = term,
        }
        memory.frontiers.insert(site, frontier);
    }

    /// Notes which frontiers an iteration moves.
    pub(super) fn compare_frontiers(
        &mut self,
        (entry, header): (&State, &Header),
        back: &Memory,
        changes: &mut Changes,
    ) {
        let before = &header.state.memory;
        for site in sites_of(before, back) {
            for part in [Part::Freed(site), Part::Turned(site)] {
                let of = |memory| self.frontier_part(memory, part);
                if let (Some(first), Some(before), Some(after)) =
                    (of(&entry.memory), of(before), of(back))
                    && before != after
                {
                    self.note((Some(first), before, after), (part, 0), changes);
                }
            }
        }
    }
}

/// The summaries of which one memory or the other one has a frontier.
fn sites_of(one: &Memory, other: &Memory) -> BTreeSet<u32> {
    let sites = one.frontiers.keys().chain(other.frontiers.keys());
    sites.copied().collect()
}
