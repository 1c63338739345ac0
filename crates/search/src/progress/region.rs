//! What can be reached from a state without ending a section.

use impasse_store::{Id, Interner};
use impasse_transition_system::{Branch, Edge, Ends, Key, Sink, TransitionSystem};
use rustc_hash::FxHashMap;

/// The number of a state of a region, in the order in which they are found; 0 is the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Number(pub(super) u32);

/// A region, explored breadth-first from its first state, as far as is asked for.
///
/// Its states are kept in a store that may hold others too.
pub(super) struct Region {
    section: Key,
    states: Vec<Id>,
    numbers: FxHashMap<Id, Number>,
    /// What leaves the states that were expanded, which are the first ones.
    exits: Vec<Exit>,
    /// Where the exits of each of them end.
    ends: Vec<u32>,
    has_input: bool,
    has_end: bool,
    has_fault: bool,
}

/// What a region was at some time.
pub(super) struct Mark {
    states: usize,
    exits: usize,
    has_input: bool,
    has_end: bool,
    has_fault: bool,
}

/// What leaves a state, in a word: a state of the region or an end, and who decides on it.
#[derive(Clone, Copy)]
struct Exit(u32);

impl Exit {
    const END: u32 = u32::MAX >> 1;

    /// The exit to a state, or to the section's end.
    fn new(branch: Branch, target: Option<Number>) -> Self {
        let target = target.map_or(Self::END, |number| number.0);
        Exit(target << 1 | u32::from(branch == Branch::Input))
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
    /// The region of a state in which the section is open, yet to be explored.
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
            exits: Vec::new(),
            ends: Vec::new(),
            has_input: false,
            has_end: false,
            has_fault: false,
        }
    }

    pub(super) fn state(&self, number: Number) -> Id {
        self.states[number.0 as usize]
    }

    /// How many states have been expanded.
    pub(super) fn expanded(&self) -> usize {
        self.ends.len()
    }

    /// Whether all has been explored.
    pub(super) fn is_closed(&self) -> bool {
        self.expanded() == self.states.len()
    }

    /// Whether a fault other than a standstill can happen in it, as far as it was explored.
    pub(super) fn has_fault(&self) -> bool {
        self.has_fault
    }

    /// Whether the section can end, where that can be told at a glance: an end was found, and no input
    /// decides whether it is come to.
    pub(super) fn clearly_ends(&self) -> bool {
        self.has_end && !self.has_input
    }

    /// Whether it shows that the section can never end from one of its states: it is closed, no fault is in
    /// the way, and no end can be relied on.
    pub(super) fn hangs(&self, from: Number) -> bool {
        let may_hang = self.is_closed() && !self.has_fault() && !self.clearly_ends();
        may_hang && !self.can_end()[from.0 as usize]
    }

    /// Adds a state in which the section is open, yet to be explored, unless it is there.
    pub(super) fn include(&mut self, state: Id) -> Number {
        self.number(state)
    }

    /// How it is now, all of what it has being explored.
    pub(super) fn mark(&self) -> Mark {
        debug_assert!(self.is_closed());
        Mark {
            states: self.states.len(),
            exits: self.exits.len(),
            has_input: self.has_input,
            has_end: self.has_end,
            has_fault: self.has_fault,
        }
    }

    /// Makes it what it was.
    pub(super) fn reset(&mut self, mark: Mark) {
        for state in self.states.drain(mark.states..) {
            self.numbers.remove(&state);
        }
        self.ends.truncate(mark.states);
        self.exits.truncate(mark.exits);
        self.has_input = mark.has_input;
        self.has_end = mark.has_end;
        self.has_fault = mark.has_fault;
    }

    /// Memory in use without the store, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let state = size_of::<Id>() + 2 * size_of::<(Id, Number)>() + size_of::<u32>();
        (self.states.len() * state + self.exits.len() * size_of::<Exit>()) as u64
    }

    /// Explores until `limit` states have been expanded, or all, or the section clearly can end.
    pub(super) fn explore<S: TransitionSystem + ?Sized>(
        &mut self,
        system: &S,
        worker: &mut S::Worker,
        store: &Interner,
        limit: usize,
    ) {
        let mut open = Vec::new();
        while !self.is_closed() && self.expanded() < limit && !self.clearly_ends() {
            let mut sink = ExitSink {
                store,
                section: self.section,
                exits: Vec::new(),
                has_fault: false,
            };
            let state = self.states[self.expanded()];
            system.successors(worker, store.get(state), &mut sink);
            self.has_fault |= sink.has_fault;
            for (branch, target) in sink.exits {
                let goes_on = target.filter(|target| {
                    self.numbers.contains_key(target) || {
                        open.clear();
                        system.open_sections(worker, store.get(*target), &mut open);
                        open.contains(&self.section)
                    }
                });
                let target = goes_on.map(|target| self.number(target));
                self.has_input |= branch == Branch::Input;
                self.has_end |= target.is_none();
                self.exits.push(Exit::new(branch, target));
            }
            self.ends.push(self.exits.len() as u32);
        }
    }

    fn number(&mut self, state: Id) -> Number {
        let next = Number(self.states.len() as u32);
        *self.numbers.entry(state).or_insert_with(|| {
            self.states.push(state);
            next
        })
    }

    fn exits(&self, number: Number) -> &[Exit] {
        let index = number.0 as usize;
        match self.ends.get(index) {
            None => &[],
            Some(&end) => {
                let first = index.checked_sub(1).map_or(0, |before| self.ends[before]);
                &self.exits[first as usize..end as usize]
            }
        }
    }

    /// Where a state leads to, but for ends.
    pub(super) fn targets(&self, number: Number) -> impl Iterator<Item = Number> {
        self.exits(number).iter().filter_map(|exit| exit.target())
    }

    /// From which states the section can end, by their numbers; what was not expanded left aside.
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
                let ends = |exit: &Exit| exit.target().is_none_or(|to| can_end[to.0 as usize]);
                let exits = self.exits(Number(number as u32));
                let mut groups = exits.chunk_by(|_, next| next.branch() == Branch::Input);
                if groups.any(|group| group.iter().all(ends)) {
                    can_end[number] = true;
                    changed = true;
                }
            }
        }
        can_end
    }

    /// The states that can be reached from the first one through others from which the section cannot end.
    pub(super) fn trapped(&self, can_end: &[bool]) -> Vec<Number> {
        let mut trapped = vec![Number(0)];
        let mut seen = can_end.to_vec();
        seen[0] = true;
        let mut next = 0;
        while next < trapped.len() {
            for target in self.targets(trapped[next]) {
                if !std::mem::replace(&mut seen[target.0 as usize], true) {
                    trapped.push(target);
                }
            }
            next += 1;
        }
        trapped
    }
}

/// Takes the transitions of one state.
struct ExitSink<'s> {
    store: &'s Interner,
    section: Key,
    /// Where each leads; none if the section ends.
    exits: Vec<(Branch, Option<Id>)>,
    has_fault: bool,
}

impl<S: TransitionSystem + ?Sized> Sink<S> for ExitSink<'_> {
    fn edge(&mut self, edge: Edge<'_>) {
        if edge.branch == Branch::NonProgress {
            return;
        }
        let ends = match edge.ends {
            Ends::Program => true,
            Ends::Sections(keys) => keys.contains(&self.section),
        };
        let target = (!ends).then(|| self.store.intern(edge.target).id);
        self.exits.push((edge.branch, target));
    }

    fn fault(&mut self, fault: S::Fault) {
        self.has_fault |= !S::is_deadlock(&fault);
    }

    fn omission(&mut self, _reason: S::Omission) {
        // Nobody knows where it would have led, so it may end the section.
        self.exits.push((Branch::Schedule, None));
    }
}
