//! The states reachable from a state without ending a section.

use super::outgoing::OutgoingSink;
use impasse_store::{Id, Interner};
use impasse_transition_system::{Branch, Ends, Key, TransitionSystem};
use rustc_hash::FxHashMap;

/// So many transitions of a state cost no more than one.
const MANY: usize = 8;

/// The number of a state of a region, in the order in which they are found; 0 is the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Number(pub(super) u32);

/// A region, explored breadth-first from its first state up to a limit.
///
/// Its states are in a store that may hold others too.
pub(super) struct Region {
    section: Key,
    states: Vec<Id>,
    numbers: FxHashMap<Id, Number>,
    /// The outgoing transitions of the expanded states, which are the first ones.
    outgoing: Vec<Outgoing>,
    /// Where those of each expanded state end.
    ends: Vec<u32>,
    has_input: bool,
    has_end: bool,
    has_fault: bool,
}

/// The extent of a region at some time.
pub(super) struct Mark {
    states: usize,
    outgoing: usize,
    has_input: bool,
    has_end: bool,
    has_fault: bool,
}

/// An outgoing transition in a word: a state of the region or an end, and who selects it.
#[derive(Clone, Copy)]
struct Outgoing(u32);

impl Outgoing {
    const END: u32 = u32::MAX >> 1;

    /// The transition to a state, or to the end of the section.
    fn new(branch: Branch, target: Option<Number>) -> Self {
        let target = target.map_or(Self::END, |number| number.0);
        Outgoing(target << 1 | u32::from(branch == Branch::Input))
    }

    fn branch(self) -> Branch {
        match self.0 & 1 {
            0 => Branch::Schedule,
            _ => Branch::Input,
        }
    }

    fn target(self) -> Option<Number> {
        Some(Number(self.0 >> 1)).filter(|number| number.0 != Self::END)
    }
}

impl Region {
    /// The unexplored region of a state in which the section is open.
    pub(super) fn new(state: Id, section: Key) -> Self {
        let mut region = Region::empty(section);
        region.include(state);
        region
    }

    /// A region without a state.
    pub(super) fn empty(section: Key) -> Self {
        Region {
            section,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            outgoing: Vec::new(),
            ends: Vec::new(),
            has_input: false,
            has_end: false,
            has_fault: false,
        }
    }

    pub(super) fn state(&self, number: Number) -> Id {
        self.states[number.0 as usize]
    }

    /// How many states were expanded.
    pub(super) fn expanded(&self) -> usize {
        self.ends.len()
    }

    /// What the expansions cost: the number of states, more if these have many transitions.
    pub(super) fn cost(&self) -> usize {
        self.expanded().max(self.outgoing.len() / MANY)
    }

    /// Whether every state was expanded.
    pub(super) fn is_closed(&self) -> bool {
        self.expanded() == self.states.len()
    }

    /// Whether a fault other than a deadlock can happen in it, as far as it was explored.
    pub(super) fn has_fault(&self) -> bool {
        self.has_fault
    }

    /// Whether the section obviously can end: an end was found, and no input decides whether it is
    /// reached.
    pub(super) fn clearly_ends(&self) -> bool {
        self.has_end && !self.has_input
    }

    /// Whether the region shows that the section can never end from one of its states: it is
    /// closed, no fault can happen, and the state is outside of the fixpoint.
    pub(super) fn hangs(&self, from: Number) -> bool {
        let may_hang = self.is_closed() && !self.has_fault() && !self.clearly_ends();
        may_hang && !self.can_end()[from.0 as usize]
    }

    /// Adds a state in which the section is open, unless the region has it.
    pub(super) fn include(&mut self, state: Id) -> Number {
        self.number(state)
    }

    /// Its present extent. The region must be closed.
    pub(super) fn mark(&self) -> Mark {
        debug_assert!(self.is_closed());
        Mark {
            states: self.states.len(),
            outgoing: self.outgoing.len(),
            has_input: self.has_input,
            has_end: self.has_end,
            has_fault: self.has_fault,
        }
    }

    /// Returns to an earlier extent.
    pub(super) fn reset(&mut self, mark: Mark) {
        for state in self.states.drain(mark.states..) {
            self.numbers.remove(&state);
        }
        self.ends.truncate(mark.states);
        self.outgoing.truncate(mark.outgoing);
        self.has_input = mark.has_input;
        self.has_end = mark.has_end;
        self.has_fault = mark.has_fault;
    }

    /// Memory in use without the store, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let state = size_of::<Id>() + 2 * size_of::<(Id, Number)>() + size_of::<u32>();
        (self.states.len() * state + self.outgoing.len() * size_of::<Outgoing>()) as u64
    }

    /// Explores until the expansions cost `limit`, or all states were expanded, or the section
    /// obviously can end.
    pub(super) fn explore<S: TransitionSystem + ?Sized>(
        &mut self,
        system: &S,
        worker: &mut S::Worker,
        store: &Interner,
        limit: usize,
    ) {
        let mut open = Vec::new();
        while !self.is_closed() && self.cost() < limit && !self.clearly_ends() {
            let section = self.section;
            let mut sink = OutgoingSink::new(None, |edge| {
                let ends = match edge.ends {
                    Ends::Program => true,
                    Ends::Sections(keys) => keys.contains(&section),
                };
                (!ends).then(|| store.intern(edge.target).id)
            });
            let state = self.states[self.expanded()];
            system.successors(worker, store.get(state), &mut sink);
            self.has_fault |= sink.has_fault;
            for (branch, target) in sink.transitions {
                let stays = target.filter(|target| {
                    self.numbers.contains_key(target) || {
                        open.clear();
                        system.open_sections(worker, store.get(*target), &mut open);
                        open.contains(&self.section)
                    }
                });
                let target = stays.map(|target| self.number(target));
                self.has_input |= branch == Branch::Input;
                self.has_end |= target.is_none();
                self.outgoing.push(Outgoing::new(branch, target));
            }
            self.ends.push(self.outgoing.len() as u32);
        }
    }

    fn number(&mut self, state: Id) -> Number {
        let next = Number(self.states.len() as u32);
        *self.numbers.entry(state).or_insert_with(|| {
            self.states.push(state);
            next
        })
    }

    fn outgoing(&self, number: Number) -> &[Outgoing] {
        let index = number.0 as usize;
        match self.ends.get(index) {
            None => &[],
            Some(&end) => {
                let first = index.checked_sub(1).map_or(0, |before| self.ends[before]);
                &self.outgoing[first as usize..end as usize]
            }
        }
    }

    /// The successors of a state, but for ends.
    pub(super) fn successors(&self, number: Number) -> impl Iterator<Item = Number> {
        let outgoing = self.outgoing(number).iter();
        outgoing.filter_map(|transition| transition.target())
    }

    /// By number, whether the section can end from a state. Ignores what was not expanded.
    pub(super) fn can_end(&self) -> Vec<bool> {
        let mut can_end = vec![false; self.states.len()];
        let mut changed = self.has_end;
        while changed {
            changed = false;
            for number in (0..self.expanded())
                .rev()
                .filter(|&n| !can_end[n])
                .collect::<Vec<_>>()
            {
                let ends = |transition: &Outgoing| {
                    transition.target().is_none_or(|to| can_end[to.0 as usize])
                };
                let outgoing = self.outgoing(Number(number as u32));
                let mut groups = outgoing.chunk_by(|_, next| next.branch() == Branch::Input);
                if groups.any(|group| group.iter().all(ends)) {
                    can_end[number] = true;
                    changed = true;
                }
            }
        }
        can_end
    }

    /// The states reachable from the first one through states from which the section cannot end.
    pub(super) fn nonterminating(&self, can_end: &[bool]) -> Vec<Number> {
        let mut found = vec![Number(0)];
        let mut seen = can_end.to_vec();
        seen[0] = true;
        let mut next = 0;
        while next < found.len() {
            for target in self.successors(found[next]) {
                if !std::mem::replace(&mut seen[target.0 as usize], true) {
                    found.push(target);
                }
            }
            next += 1;
        }
        found
    }
}
