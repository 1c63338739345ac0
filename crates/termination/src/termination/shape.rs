//! Which objects can be reached from which along links: facts of a state, and what accesses do to
//! them.
//!
//! The objects and the addresses that they hold as links form a graph. A fact names one object or
//! two, each by a variable that is null or where the object starts; of null all of them hold. An
//! address may be one of several variables, its *leaves*, and null besides: without leaves it is
//! null. `docs/internals/termination.md` has the argument.

use impasse_solver::{Symbol, Term, Terms};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// At which offsets links are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Links {
    /// At each offset.
    Each,
    /// At this one only, so an object has one link.
    At(u32),
}

impl Links {
    /// Whether so many bytes at an offset are a link.
    pub fn include(self, offset: u32, bytes: u32) -> bool {
        bytes == 8
            && match self {
                Links::Each => true,
                Links::At(link) => offset == link,
            }
    }
}

/// What is known of objects, by what they are named by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Fact<K> {
    /// It has not been freed.
    There(K),
    /// All that can be reached from it, itself included, has not been freed, and no way along links
    /// comes back to where it has been.
    Whole(K),
    /// The second one cannot be reached from the first one. So they are not the same.
    Apart(K, K),
    /// Nothing can be reached from both.
    Disjoint(K, K),
    /// It has the rank that it had at the header of the loop.
    Ranked(K),
    /// An argument of the recursive call that is being executed, or what could be reached from one
    /// when it began, or made since. Links of such objects lead to such objects.
    Own(K),
    /// Since this call began, no others were freed, and no links of others written.
    Framed,
    /// Since this call began, whatever was whole stayed whole.
    Kept,
}

/// What is known of each call of a recursive function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Summary {
    /// It frees, and writes links of, only what could be reached from its arguments, or was made
    /// since it began. The links lead to such objects.
    pub is_framed: bool,
    /// Whatever was whole stays so.
    pub keeps_whole: bool,
    /// What it returns is null or such an object.
    pub returns_own: bool,
    /// What it returns is whole.
    pub returns_whole: bool,
}

/// What is known of the graph in a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Shape {
    facts: BTreeSet<Fact<Symbol>>,
    /// How long the longest way from an object is, if it is whole: null has the length zero.
    ranks: BTreeMap<Symbol, Term>,
}

impl Shape {
    /// A graph of which these facts are known.
    pub fn of(facts: BTreeSet<Fact<Symbol>>, ranks: BTreeMap<Symbol, Term>) -> Shape {
        Shape { facts, ranks }
    }

    /// The variables of which something is known.
    pub fn known(&self) -> BTreeSet<Symbol> {
        let symbols = self.facts.iter().map(|fact| match *fact {
            Fact::There(a) | Fact::Whole(a) | Fact::Ranked(a) | Fact::Own(a) => vec![a],
            Fact::Apart(a, b) | Fact::Disjoint(a, b) => vec![a, b],
            Fact::Framed | Fact::Kept => Vec::new(),
        });
        symbols.flatten().collect()
    }

    /// The rank of a variable, if it has one.
    pub fn rank(&self, symbol: Symbol) -> Option<Term> {
        self.ranks.get(&symbol).copied()
    }

    /// Gives a variable its rank.
    pub fn set_rank(&mut self, symbol: Symbol, rank: Term) {
        self.ranks.insert(symbol, rank);
    }

    fn each_pair(
        one: &[Symbol],
        other: &[Symbol],
        mut holds: impl FnMut(Symbol, Symbol) -> bool,
    ) -> bool {
        one.iter().all(|&a| other.iter().all(|&b| holds(a, b)))
    }

    /// Whether the second address cannot be reached from the first one.
    pub fn are_apart(&self, from: &[Symbol], to: &[Symbol]) -> bool {
        Shape::each_pair(from, to, |a, b| {
            self.facts.contains(&Fact::Apart(a, b)) || self.facts.contains(&Fact::Disjoint(a, b))
        })
    }

    /// Whether nothing can be reached from both addresses.
    pub fn are_disjoint(&self, one: &[Symbol], other: &[Symbol]) -> bool {
        Shape::each_pair(one, other, |a, b| {
            self.facts.contains(&Fact::Disjoint(a, b))
        })
    }

    /// Whether two addresses are in different objects.
    pub fn are_distinct(&self, one: &[Symbol], other: &[Symbol]) -> bool {
        Shape::each_pair(one, other, |a, b| {
            self.are_apart(&[a], &[b]) || self.are_apart(&[b], &[a])
        })
    }

    /// Whether all that can be reached from an address is whole.
    pub fn is_whole(&self, of: &[Symbol]) -> bool {
        of.iter().all(|&a| self.facts.contains(&Fact::Whole(a)))
    }

    /// Whether the object at an address has not been freed.
    pub fn is_there(&self, of: &[Symbol]) -> bool {
        of.iter()
            .all(|&a| self.facts.contains(&Fact::There(a)) || self.facts.contains(&Fact::Whole(a)))
    }

    /// What is known of addresses that are named, by their names.
    pub fn facts_of<K: Copy + Ord>(&self, named: &[(K, Vec<Symbol>)]) -> BTreeSet<Fact<K>> {
        let mut found = BTreeSet::new();
        if self.is_framed() {
            found.insert(Fact::Framed);
        }
        if self.keeps_whole() {
            found.insert(Fact::Kept);
        }
        for (name, leaves) in named {
            if self.are_own(leaves) {
                found.insert(Fact::Own(*name));
            }
            if self.is_there(leaves) {
                found.insert(Fact::There(*name));
            }
            if self.is_whole(leaves) {
                found.insert(Fact::Whole(*name));
            }
            for (other, others) in named.iter().filter(|(other, _)| other != name) {
                if self.are_disjoint(leaves, others) {
                    found.insert(Fact::Disjoint(*name, *other));
                }
                if self.are_apart(leaves, others) {
                    found.insert(Fact::Apart(*name, *other));
                }
            }
        }
        found
    }

    /// Whether each is an object of the call that is being executed.
    pub fn are_own(&self, of: &[Symbol]) -> bool {
        of.iter().all(|&a| self.facts.contains(&Fact::Own(a)))
    }

    /// Whether only objects of the call that is being executed were changed.
    pub fn is_framed(&self) -> bool {
        self.facts.contains(&Fact::Framed)
    }

    /// Whether all that was whole when the call began that is being executed is whole.
    pub fn keeps_whole(&self) -> bool {
        self.facts.contains(&Fact::Kept)
    }

    /// Begins a call with these arguments.
    pub fn begin_call(&mut self, arguments: &[Symbol]) {
        self.facts
            .retain(|fact| !matches!(fact, Fact::Own(_) | Fact::Framed | Fact::Kept));
        self.facts.extend([Fact::Framed, Fact::Kept]);
        self.facts
            .extend(arguments.iter().map(|&one| Fact::Own(one)));
    }

    /// Ends a call: what is known of it is not known of one around.
    pub fn end_call(&mut self) {
        self.facts
            .retain(|fact| !matches!(fact, Fact::Own(_) | Fact::Framed | Fact::Kept));
    }

    /// Notes a call with these arguments of which all is known that is said of it. None of its
    /// objects is one of the variables that are known here, unless it can be reached from the
    /// arguments.
    pub fn called(&mut self, arguments: &[Symbol], summary: Summary) {
        if !summary.is_framed {
            *self = Shape::default();
            return;
        }
        let old = self.clone();
        let is_beside = |a: Symbol| old.are_disjoint(&[a], arguments);
        let is_missed = |a: Symbol| old.are_apart(arguments, &[a]);
        let (keeps, own) = (summary.keeps_whole, old.are_own(arguments));
        self.facts.retain(|fact| match *fact {
            Fact::There(a) => keeps && old.is_whole(&[a]) || is_missed(a),
            Fact::Whole(a) => keeps || is_beside(a),
            Fact::Apart(a, b) => is_beside(a) || is_missed(b),
            Fact::Disjoint(a, b) => is_beside(a) || is_beside(b),
            Fact::Own(_) | Fact::Ranked(_) => true,
            Fact::Framed => own,
            Fact::Kept => keeps,
        });
        self.ranks.retain(|&a, _| is_beside(a));
    }

    /// Notes what such a call returned.
    pub fn returned(&mut self, arguments: &[Symbol], before: &Shape, result: Symbol, of: Summary) {
        if of.is_framed && of.returns_own {
            for other in before.known() {
                if before.are_disjoint(arguments, &[other]) {
                    self.put_disjoint(result, other);
                }
                if before.are_apart(arguments, &[other]) {
                    self.facts.insert(Fact::Apart(result, other));
                }
            }
            if before.are_own(arguments) {
                self.facts.insert(Fact::Own(result));
            }
        }
        if of.returns_whole {
            self.facts.insert(Fact::Whole(result));
            self.facts.insert(Fact::There(result));
        }
    }

    fn put_disjoint(&mut self, a: Symbol, b: Symbol) {
        self.facts.insert(Fact::Disjoint(a, b));
        self.facts.insert(Fact::Disjoint(b, a));
    }

    /// Notes an object that was made: no link leads to it, and it has none.
    pub fn made(&mut self, start: Symbol) {
        for other in self.known() {
            self.put_disjoint(start, other);
        }
        self.facts
            .extend([Fact::There(start), Fact::Whole(start), Fact::Own(start)]);
    }

    /// Notes what a link holds of an object.
    pub fn loaded(&mut self, from: &[Symbol], to: Symbol) {
        for other in self.known() {
            if other == to {
                continue;
            }
            if self.are_disjoint(from, &[other]) {
                self.put_disjoint(to, other);
            }
            if self.are_apart(from, &[other]) {
                self.facts.insert(Fact::Apart(to, other));
            }
        }
        if self.are_own(from) {
            self.facts.insert(Fact::Own(to));
        }
        if self.is_whole(from) {
            self.facts.insert(Fact::Whole(to));
            self.facts.insert(Fact::There(to));
            if let [only] = from {
                self.facts.insert(Fact::Apart(to, *only));
            }
        }
    }

    /// Makes an object hold an address as a link; whether it has no other ones. Ranks of what may
    /// reach the object are forgotten.
    pub fn stored(&mut self, object: &[Symbol], value: &[Symbol], is_only: bool) {
        let old = self.clone();
        let touched = |a: Symbol| !old.are_apart(&[a], object);
        let extends = |a: Symbol, b: Symbol| !touched(a) || old.are_apart(value, &[b]);
        let closes = !(old.is_whole(value) && old.are_apart(value, object));
        let mut apart = Vec::new();
        let is_framed = old.are_own(object) && old.are_own(value);
        self.facts.retain(|fact| match *fact {
            Fact::There(_) | Fact::Ranked(_) | Fact::Own(_) => true,
            Fact::Framed => is_framed,
            Fact::Kept => !closes,
            Fact::Whole(a) => !(touched(a) && closes),
            Fact::Apart(a, b) => extends(a, b),
            Fact::Disjoint(a, b) => {
                let one = !touched(a) || old.are_disjoint(value, &[b]);
                let other = !touched(b) || old.are_disjoint(&[a], value);
                if !(one && other) && extends(a, b) {
                    apart.push(Fact::Apart(a, b));
                }
                one && other
            }
        });
        self.facts.extend(apart);
        self.ranks.retain(|&a, _| !touched(a));
        if let ([object], true) = (object, is_only && old.are_apart(value, object)) {
            self.stored_only(&old, *object, value);
        }
    }

    /// What can be reached from an object is what can be reached from its only link.
    fn stored_only(&mut self, old: &Shape, object: Symbol, value: &[Symbol]) {
        if old.is_there(&[object]) && old.is_whole(value) {
            self.facts.insert(Fact::Whole(object));
        }
        for other in old.known() {
            if old.are_apart(value, &[other]) && old.are_distinct(&[object], &[other]) {
                self.facts.insert(Fact::Apart(object, other));
            }
            if old.are_disjoint(value, &[other]) && old.are_apart(&[other], &[object]) {
                self.put_disjoint(object, other);
            }
        }
    }

    /// Makes an object hold what is not known where it has links.
    pub fn clobbered(&mut self, object: &[Symbol]) {
        let old = self.clone();
        let touched = |a: Symbol| !old.are_apart(&[a], object);
        self.facts.retain(|fact| match *fact {
            Fact::There(_) | Fact::Ranked(_) => true,
            Fact::Own(_) | Fact::Framed | Fact::Kept => false,
            Fact::Whole(a) | Fact::Apart(a, _) => !touched(a),
            Fact::Disjoint(a, b) => !touched(a) && !touched(b),
        });
        self.ranks.retain(|&a, _| !touched(a));
    }

    /// Frees an object.
    pub fn freed(&mut self, object: &[Symbol]) {
        let old = self.clone();
        self.facts.retain(|fact| match *fact {
            Fact::There(a) => old.are_distinct(&[a], object),
            Fact::Whole(a) => old.are_apart(&[a], object),
            Fact::Framed => old.are_own(object),
            Fact::Kept => false,
            _ => true,
        });
    }

    /// What is known where two paths meet: `named` has the variables that stand for two addresses
    /// there.
    pub fn joined(
        terms: &Terms,
        is_one: Term,
        (one, other): (&Shape, &Shape),
        named: &[(Symbol, Vec<Symbol>, Vec<Symbol>)],
    ) -> Shape {
        let both = &one.known() & &other.known();
        let same = both.iter().map(|&symbol| (symbol, vec![symbol]));
        let (mut mine, mut theirs): (Vec<_>, Vec<_>) = same.map(|own| (own.clone(), own)).unzip();
        for (symbol, a, b) in named {
            mine.push((*symbol, a.clone()));
            theirs.push((*symbol, b.clone()));
        }
        let facts = &one.facts_of(&mine) & &other.facts_of(&theirs);
        let mut ranks = BTreeMap::new();
        for (&symbol, &a) in &one.ranks {
            if let Some(b) = other.rank(symbol) {
                ranks.insert(symbol, terms.choose(is_one, a, b));
            }
        }
        Shape { facts, ranks }
    }
}

#[cfg(test)]
mod tests;
