//! What the execution on abstract states notes of which objects can be reached from which
//! ([`super::shape`]), where it is followed.

use super::direction::Direction;
use super::header::{Changes, HeadVariable, Header};
use super::part::{Part, Root};
use super::shape::{Fact, Links, Shape};
use super::state::{Base, Memory, Object, State, Val};
use super::{Executor, Key};
use impasse_solver::{Node, Symbol, Term, Test};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

impl Executor<'_, '_> {
    /// At which offsets links are followed.
    fn links(&self) -> Option<Links> {
        self.orders.links.filter(|_| !self.is_ilp32())
    }

    /// Whether it is followed what can be reached.
    pub(super) fn follows_links(&self) -> bool {
        self.links().is_some()
    }

    /// The variables that the object of an address starts at, one of them.
    fn leaves(&self, address: Val) -> Option<Vec<Symbol>> {
        let term = self.start_part(address.term);
        self.starts_of(Val { term, ..address })
    }

    /// Without those that start a global variable, if no link leads to one.
    fn nodes(&self, leaves: Vec<Symbol>) -> Vec<Symbol> {
        let are_linked = self.orders.globals_linked;
        let mut leaves = leaves;
        leaves.retain(|&symbol| are_linked || !self.is_global_start(symbol));
        leaves
    }

    /// Notes an object that was made.
    pub(super) fn link_made(&self, state: &mut State, start: Term) {
        if let (Node::Symbol(start), true) = (self.terms.node(start), self.follows_links()) {
            state.memory.shape.made(start);
        }
    }

    /// Notes what was read through an address at an offset, if it is a link.
    pub(super) fn link_loaded(
        &mut self,
        state: &mut State,
        (address, offset, bytes): (Val, u32, u32),
        value: Val,
    ) {
        let is_link = self
            .links()
            .is_some_and(|links| links.include(offset, bytes));
        if !is_link || address.undefined(self.terms).is_some() {
            return;
        }
        let (Some(from), Some(to)) = (self.leaves(address), self.starts_of(value)) else {
            return;
        };
        let ([to], false) = (&to[..], from.is_empty()) else {
            return;
        };
        state.memory.shape.loaded(&from, *to);
        if !state.memory.shape.is_whole(&from) {
            return;
        }
        let terms = self.terms;
        let before = self.reach_rank(&mut state.memory.shape, self.start_part(address.term));
        let after = self.reach_rank(&mut state.memory.shape, value.term);
        let null = self.in_null_zone(address.term);
        let smaller = terms.test(Test::UnsignedLess, after, before);
        state.assume(terms, terms.or(null, smaller));
    }

    /// The rank of an address; one that has none gets one.
    fn reach_rank(&mut self, shape: &mut Shape, address: Term) -> Term {
        let terms = self.terms;
        match terms.node(address) {
            Node::Constant(0) => self.number(0),
            Node::Choose(c, a, b) => {
                let (a, b) = (self.reach_rank(shape, a), self.reach_rank(shape, b));
                terms.choose(c, a, b)
            }
            Node::Symbol(symbol) => shape.rank(symbol).unwrap_or_else(|| {
                let rank = self.fresh(64);
                if let Node::Symbol(of) = terms.node(rank) {
                    self.bound_rank(of);
                }
                shape.set_rank(symbol, rank);
                rank
            }),
            _ => self.fresh(64),
        }
    }

    /// The rank of a value in a state.
    pub(super) fn reach_rank_in(&mut self, memory: &Memory, value: Val) -> Term {
        let mut shape = memory.shape.clone();
        self.reach_rank(&mut shape, value.term)
    }

    /// Notes what is written through an address at an offset.
    pub(super) fn link_stored(
        &mut self,
        state: &mut State,
        (address, offset, bytes): (Val, u32, u32),
        value: Val,
    ) {
        if bytes == 8 && self.is_plain(value) && self.is_made(value) && self.is_made(address) {
            self.orders.link_offsets.insert(offset);
        }
        let Some(links) = self.links() else { return };
        self.note_globals(value);
        // Whatever is no start of an object ends what is known of the place itself, and where it
        // is read nothing is known of what can be reached.
        let (true, Some(to)) = (links.include(offset, bytes), self.starts_of(value)) else {
            return;
        };
        let Some(from) = self.leaves(address) else {
            state.memory.shape = Shape::default();
            return;
        };
        let from = self.nodes(from);
        if from.is_empty() {
            return;
        }
        let is_only = matches!(links, Links::At(_));
        let rank = match (&from[..], is_only) {
            ([_], true) => Some(self.reach_rank(&mut state.memory.shape, value.term)),
            _ => None,
        };
        state.memory.shape.stored(&from, &to, is_only);
        if let ([from], Some(rank)) = (&from[..], rank)
            && state.memory.shape.is_whole(&[*from])
        {
            let rank = self.terms.add(rank, self.number(1));
            state.memory.shape.set_rank(*from, rank);
        }
    }

    /// Whether a value is the address of an object that was made on the heap.
    fn is_made(&self, value: Val) -> bool {
        let is_made = |object: &Object| match object {
            Object::Made(n) => !self.objects[*n as usize].on_stack,
            other => matches!(other, Object::Summary(_)),
        };
        match value.base {
            Base::Unknown => false,
            Base::Object(object) => is_made(&object),
            Base::OneOf(targets) => self.targets[targets.0 as usize].0.iter().any(is_made),
        }
    }

    /// Notes what is written to an object at an offset that is no number.
    pub(super) fn link_stored_somewhere(&mut self, state: &mut State, object: Val, value: Val) {
        if !self.follows_links() {
            return;
        }
        self.note_globals(value);
        if let (Some(from), Some(to)) = (self.leaves(object), self.starts_of(value)) {
            let from = self.nodes(from);
            state.memory.shape.stored(&from, &to, false);
        }
    }

    /// Notes that a link may lead to a global variable from now on, if a value does.
    fn note_globals(&mut self, value: Val) {
        let is_global = |object: &Object| matches!(object, Object::Global(_));
        let of_base = match value.base {
            Base::Unknown => false,
            Base::Object(object) => is_global(&object),
            Base::OneOf(targets) => self.targets[targets.0 as usize].0.iter().any(is_global),
        };
        let symbols = self.terms.symbols_in(&[value.term]);
        let starts = symbols
            .into_iter()
            .any(|symbol| self.is_global_start(symbol));
        self.orders.globals_linked |= of_base || starts;
    }

    /// Whether a variable is where a global variable starts.
    fn is_global_start(&self, symbol: Symbol) -> bool {
        matches!(self.keys.get(&symbol), Some(Key::Start(Object::Global(_))))
    }

    /// Notes that bytes were copied to an address.
    pub(super) fn link_copied(&mut self, state: &mut State, address: Val) {
        if !self.follows_links() {
            return;
        }
        self.orders.globals_linked = true;
        match self.leaves(address) {
            Some(leaves) => state.memory.shape.clobbered(&leaves),
            None => state.memory.shape = Shape::default(),
        }
    }

    /// Notes that an object was freed, or that its scope has ended.
    pub(super) fn link_freed(&self, memory: &mut Memory, address: Val) {
        if !self.follows_links() {
            return;
        }
        match self.leaves(address) {
            Some(leaves) => memory.shape.freed(&leaves),
            None => memory.shape = Shape::default(),
        }
    }

    /// Whether the object of an address is known to exist by what it can be reached from.
    pub(super) fn is_kept(&self, memory: &Memory, address: Val) -> bool {
        self.follows_links()
            && self
                .leaves(address)
                .is_some_and(|leaves| !leaves.is_empty() && memory.shape.is_there(&leaves))
    }

    /// Whether an address is known to be in another object than this one that was made.
    pub(super) fn is_elsewhere(&self, state: &State, address: Val, object: Object) -> bool {
        let (Object::Made(n), true) = (object, self.follows_links()) else {
            return false;
        };
        let start = self.terms.node(self.objects[n as usize].start);
        match (self.leaves(address), start) {
            (Some(leaves), Node::Symbol(start)) if !leaves.is_empty() => {
                state.memory.shape.are_distinct(&leaves, &[start])
            }
            _ => false,
        }
    }

    /// Forgets what can be reached.
    pub(super) fn forget_links(&self, memory: &mut Memory) {
        memory.shape = Shape::default();
    }

    /// Gives addresses that are different on two paths variables where these meet, and joins what
    /// is known of the graph.
    pub(super) fn join_links(
        &mut self,
        is_one: Term,
        (one, other): (&State, &State),
        (mine, theirs): (&Shape, &Shape),
        joined: &mut State,
    ) {
        let mut named: FxHashMap<(Term, Term), Symbol> = FxHashMap::default();
        let mut leaves = Vec::new();
        for slot in 0..joined.slots.len() {
            let sides = (one.slots[slot], other.slots[slot]);
            if let ((Some(a), Some(b)), Some(value)) = (sides, joined.slots[slot]) {
                let value = self.joint(joined, &mut named, (a, b), value, &mut leaves);
                joined.slots[slot] = Some(value);
            }
        }
        let places: Vec<_> = joined.memory.cells.keys().copied().collect();
        for place in places {
            let of = |state: &State| state.memory.cells.get(&place).copied();
            if let (Some(a), Some(b)) = (of(one), of(other)) {
                let value = joined.memory.cells[&place].value;
                let value = self.joint(joined, &mut named, (a.value, b.value), value, &mut leaves);
                if let Some(cell) = joined.memory.cells.get_mut(&place) {
                    cell.value = value;
                }
            }
        }
        let mut shape = Shape::joined(self.terms, is_one, (mine, theirs), &leaves);
        let (mut mine, mut theirs) = (mine.clone(), theirs.clone());
        for ((a, b), symbol) in named {
            let a = self.known_rank(&mut mine, a);
            let b = self.known_rank(&mut theirs, b);
            if let (Some(a), Some(b)) = (a, b) {
                shape.set_rank(symbol, self.terms.choose(is_one, a, b));
            }
        }
        joined.memory.shape = shape;
    }

    /// The rank of an address, if all of its leaves have one.
    fn known_rank(&mut self, shape: &mut Shape, address: Term) -> Option<Term> {
        let leaves = self.starts_of(Val::of(address))?;
        let are_known = leaves.iter().all(|&leaf| shape.rank(leaf).is_some());
        are_known.then(|| self.reach_rank(shape, address))
    }

    /// A variable in place of a value that is one of two addresses.
    fn joint(
        &mut self,
        state: &mut State,
        named: &mut FxHashMap<(Term, Term), Symbol>,
        (a, b): (Val, Val),
        value: Val,
        leaves: &mut Vec<(Symbol, Vec<Symbol>, Vec<Symbol>)>,
    ) -> Val {
        let terms = self.terms;
        if a.term == b.term || [a, b, value].iter().any(|one| terms.width(one.term) != 64) {
            return value;
        }
        let (Some(mine), Some(theirs), true) =
            (self.starts_of(a), self.starts_of(b), self.is_plain(value))
        else {
            return value;
        };
        if let Some(&known) = named.get(&(a.term, b.term)) {
            let term = terms.variable(known);
            return Val { term, ..value };
        }
        let term = self.fresh(64);
        let Node::Symbol(symbol) = terms.node(term) else {
            return value;
        };
        self.note_plain(symbol);
        state.assume(terms, terms.equal(term, value.term));
        named.insert((a.term, b.term), symbol);
        leaves.push((symbol, mine, theirs));
        Val { term, ..value }
    }

    /// What addresses at a header are named by, with their variables there and their leaves in a
    /// state.
    fn roots(
        &self,
        variables: &[HeadVariable],
        entry: &Shape,
        state: &State,
    ) -> Vec<(Root, Symbol, Vec<Symbol>)> {
        let parts = variables
            .iter()
            .filter(|one| one.rank.is_none() && one.within.is_none());
        let parts = parts.filter_map(|one| {
            let is_frontier = matches!(one.part, Part::Freed(_) | Part::Turned(_));
            let value = self.value(state, one.part).filter(|_| !is_frontier)?;
            let leaves = self
                .starts_of(value)
                .filter(|_| self.is_noted_plain(one.symbol))?;
            Some((Root::Part(one.part), one.symbol, leaves))
        });
        let before = entry.known().into_iter().filter_map(|symbol| {
            let key = self.keys.get(&symbol)?;
            Some((Root::Before(*key), symbol, vec![symbol]))
        });
        parts.chain(before).collect()
    }

    /// What is known of the graph whenever a header is passed, of which the variables are known.
    /// `begins` says that a call of a recursive function begins there.
    pub(super) fn links_at_header(
        &mut self,
        entry: &State,
        (variables, begins): (&[HeadVariable], bool),
        changes: &Changes,
        state: &mut State,
    ) -> BTreeSet<Fact<Root>> {
        if !self.follows_links() {
            return BTreeSet::new();
        }
        let before = &entry.memory.shape;
        let roots = self.roots(variables, before, entry);
        let of: BTreeMap<Root, Symbol> = roots.iter().map(|(root, of, _)| (*root, *of)).collect();
        let named: Vec<_> = roots
            .into_iter()
            .map(|(root, _, leaves)| (root, leaves))
            .collect();
        let mut facts = before.facts_of(&named);
        let ranked = of.iter().filter_map(|(root, &symbol)| match root {
            Root::Before(_) => Some((*root, symbol, before.rank(symbol)?)),
            Root::Part(_) => None,
        });
        let ranked: Vec<_> = ranked.collect();
        facts.extend(ranked.iter().map(|(root, ..)| Fact::Ranked(*root)));
        let of_call = |fact: &Fact<Root>| matches!(fact, Fact::Own(_) | Fact::Framed | Fact::Kept);
        facts.retain(|fact| !(changes.unlinked.contains(fact) || begins && of_call(fact)));
        let ranks = ranked
            .into_iter()
            .filter(|(root, ..)| facts.contains(&Fact::Ranked(*root)));
        let mut ranks: BTreeMap<Symbol, Term> =
            ranks.map(|(_, symbol, rank)| (symbol, rank)).collect();
        for one in variables {
            if let Some((Direction::Reach, _)) = one.rank
                && let Some(&symbol) = of.get(&Root::Part(one.part))
            {
                ranks.insert(symbol, self.terms.variable(one.symbol));
            }
        }
        let known = facts.iter().filter_map(|fact| fact.of_variables(&of));
        let mut shape = Shape::of(known.collect(), ranks);
        if begins {
            shape.begin_call(&self.given(state, true));
        }
        state.memory.shape = shape;
        facts
    }

    /// The variables that the objects start at which are arguments; of one that may be several only
    /// if that does not matter.
    fn given(&self, state: &State, only_one: bool) -> Vec<Symbol> {
        let arguments = state.slots.iter().flatten();
        let leaves = arguments.filter_map(|&one| {
            let is_wide = self.terms.width(one.term) == 64;
            self.starts_of(one).filter(|_| is_wide)
        });
        let fit = leaves.filter(|leaves| !only_one || leaves.len() == 1);
        fit.flatten().collect()
    }

    /// What a call does to the graph in the state in which it begins, with the arguments in its
    /// slots, and what it returns.
    pub(super) fn link_called(&mut self, before: &State, left: &mut State, changes: &Changes) {
        if !self.follows_links() || changes.leaves_links() {
            return;
        }
        let arguments = self.given(before, false);
        left.memory.shape.clone_from(&before.memory.shape);
        left.memory.shape.called(&arguments, changes.summary());
    }

    /// Notes what such a call returned.
    pub(super) fn link_returned(
        &mut self,
        before: &State,
        left: &mut State,
        result: Val,
        changes: &Changes,
    ) {
        let Node::Symbol(symbol) = self.terms.node(result.term) else {
            return;
        };
        if self.follows_links() && self.is_noted_plain(symbol) {
            let arguments = self.given(before, false);
            let (shape, summary) = (&mut left.memory.shape, changes.summary());
            shape.returned(&arguments, &before.memory.shape, symbol, summary);
        }
    }

    /// Notes what does not hold of a call of a recursive function that returns in a state.
    pub(super) fn note_links_returned(&self, state: &State, changes: &mut Changes) {
        let shape = &state.memory.shape;
        let result = state.slots.first().copied().flatten();
        let leaves = result.and_then(|result| self.starts_of(result));
        changes.unframed |= !shape.is_framed();
        changes.breaks_whole |= !shape.keeps_whole();
        changes.returns_other |= !leaves.as_ref().is_some_and(|one| shape.are_own(one));
        changes.returns_broken |= !leaves.as_ref().is_some_and(|one| shape.is_whole(one));
    }

    /// Notes what is known at a header and does not hold any more where it is reached again.
    pub(super) fn compare_links(
        &self,
        (entry, header): (&State, &Header),
        back: &State,
        changes: &mut Changes,
    ) {
        let roots = self.roots(&header.variables, &entry.memory.shape, back);
        let ranked = roots.iter().filter_map(|(root, symbol, _)| {
            let before = entry.memory.shape.rank(*symbol)?;
            let is_kept = back.memory.shape.rank(*symbol) == Some(before);
            is_kept.then_some(Fact::Ranked(*root))
        });
        let ranked: Vec<_> = ranked.collect();
        let named: Vec<_> = roots
            .into_iter()
            .map(|(root, _, leaves)| (root, leaves))
            .collect();
        let mut kept = back.memory.shape.facts_of(&named);
        kept.extend(ranked);
        let lost = header.links.difference(&kept);
        tracing::trace!(lost = ?lost.clone().collect::<Vec<_>>(), "links");
        changes.unlinked.extend(lost);
    }
}
