//! The step cache: steps that were executed from other states.
//!
//! *Claim.* With and without the cache, the search explores the same graph, edge by edge.
//!
//! *Conditions.*
//! - The read set of a step ([`ReadSet`]) has everything that the step depends on, besides what
//!   selects its decision tree ([`Start`]). Whoever lets an instruction read something new of a
//!   state must add it to the read set.
//! - What other threads access decides about races and is in no read set. The cache keeps the
//!   accesses of a step, and they are compared with those of the present state. A step that races,
//!   that ends the program, or that ends in an error is executed every time.
//! - In a state with stale accesses nothing is taken from the cache.
//!
//! The argument is in `docs/internals/step-cache.md`. `step_cache = false` executes every step.

mod values;

use crate::machine::futures::NumberedFootprint;
use crate::state::access_history::MemoryAccess;
use crate::state::canonical::Canonicaliser;
use crate::state::clock::Clock;
use crate::state::encoding::{Base, Delta};
use crate::state::happens_before::Op;
use crate::state::memory::Memory;
use crate::state::memory::object::Flags;
use crate::state::memory::word_reads::Patch;
use crate::state::read_set::{LIMIT, ReadSet, ReadSetEntry};
use crate::state::thread::{Seen, Thread};
use impasse_program::address::ObjectId;
use impasse_store::Id;
use impasse_transition_system::{Branch, Key};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use values::Values;

/// When so many nodes are kept, all are forgotten.
const NODES: usize = 1 << 15;

/// What selects the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    /// The running thread's number.
    pub thread: u32,
    /// Its stored form.
    pub stored: Id,
    /// How many numbers of threads are in use.
    pub threads: u32,
    /// The clock.
    pub clock: Clock,
    /// Whether it is drained.
    pub drained: bool,
}

/// A transition that a step makes.
pub struct Outcome {
    /// What it changes, apart from the records of other threads, and from globals of which it knows
    /// a part.
    pub delta: Delta,
    /// What it changes of those, each with a number of its own.
    pub patches: SmallVec<[(u64, Patch); 1]>,
    /// Other threads whose records it changes, without their frames, which stay.
    pub others: Vec<(u32, Thread)>,
    /// What it does to the happens-before history, if states have one.
    pub ops: Vec<Op>,
    /// A number of its own.
    pub number: u64,
    /// The sections that it ends.
    pub ended: SmallVec<[Key; 2]>,
    /// Who decides that it is taken.
    pub branch: Branch,
    /// Whether it is silent.
    pub silent: bool,
    /// Whether it preempts a thread.
    pub preempts: bool,
}

impl Outcome {
    /// Returns whether it changes a thread.
    pub fn changes(&self, thread: u32) -> bool {
        let mut whole = self.delta.threads.iter().map(|(n, _)| n);
        let mut others = self.others.iter().map(|(n, _)| n);
        whole.any(|&n| n == thread) || others.any(|&n| n == thread)
    }
}

/// What is known of a step.
#[derive(Default)]
pub struct Learned {
    /// Whether it is blocked.
    pub blocked: bool,
    /// Its footprint, where the search needs it.
    pub footprint: Option<NumberedFootprint>,
    /// Its visible accesses to memory.
    pub accesses: Vec<MemoryAccess>,
    /// What it does, in order.
    pub outcomes: Vec<Outcome>,
}

/// A step of the running thread that may be kept.
#[derive(Default)]
pub struct Recording {
    /// Whether a step is being recorded.
    pub on: bool,
    /// Whether it depends on more than is noted.
    pub opaque: bool,
    /// What it does.
    pub outcomes: Vec<Outcome>,
    /// Its visible accesses to memory so far, by the names that objects have in the base state.
    pub accesses: Vec<MemoryAccess>,
    /// Once the heap was canonicalised within the step: the objects of the base state by their
    /// present names.
    base_names: Option<FxHashMap<ObjectId, ObjectId>>,
}

impl Recording {
    /// Returns the recording of a step that begins.
    pub fn begin() -> Recording {
        Recording {
            on: true,
            ..Recording::default()
        }
    }

    /// Drops the recording: canonicalising the heap while stores are delayed depends on those,
    /// which are not in the read set.
    pub fn give_up(&mut self) {
        (self.on, self.opaque) = (false, true);
    }

    /// Records an access, which other threads must be checked against. Drops it if the step itself
    /// made the object: no other thread is about to access that.
    pub fn keep_access(&mut self, mut memory_access: MemoryAccess) {
        if let Some(names) = &self.base_names
            && memory_access.address.object.is_dynamic()
        {
            match names.get(&memory_access.address.object) {
                Some(&name) => memory_access.address.object = name,
                None => return,
            }
        }
        self.accesses.push(memory_access);
    }

    /// Notes that the heap was canonicalised within the step.
    pub fn follow(&mut self, canonicaliser: &Canonicaliser, base: &Base<'_>, memory: &Memory<'_>) {
        let before = self.base_names.take();
        let name_before = |object: ObjectId| match &before {
            Some(names) => names.get(&object).copied(),
            None => base.memory.exists(object).then_some(object),
        };
        let names = canonicaliser.new_names();
        let names = names.filter_map(|(old, new)| Some((new, name_before(old)?)));
        let names: FxHashMap<ObjectId, ObjectId> = names.collect();
        let seen_by_all = |memory: &Memory<'_>, object| {
            let flags = memory.get(object).map(|o| o.flags());
            flags.is_some_and(|f| f.has(Flags::SHARED | Flags::EXPOSED))
        };
        for (&now, &then) in &names {
            if seen_by_all(&base.memory, then) && !seen_by_all(memory, now) {
                let bytes = base.memory.get(then).map_or(0, |o| o.size()) as u64;
                self.accesses.push(MemoryAccess::of_all(then, bytes));
            }
        }
        self.base_names = Some(names);
    }
}

/// What the step cache says of a step.
pub enum Found<'a> {
    /// Nothing: it is to be executed and learned.
    Nothing,
    /// That it is not kept.
    Opaque,
    /// What it does.
    Step(&'a Learned),
}

struct Tree {
    /// What is looked at first of the threads.
    seen: Seen,
    root: u32,
}

/// A node: what to read, or what the step does. The first edge is kept with it.
struct Node {
    what: What,
    value: u64,
    next: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// Not known yet.
    Nothing,
    Read(ReadSetEntry),
    Opaque,
    Step(u32),
}

/// The step cache of one search thread.
#[derive(Default)]
pub struct StepCache {
    trees: FxHashMap<Start, Tree>,
    nodes: Vec<Node>,
    edges: FxHashMap<(u32, u64), u32>,
    steps: Vec<Learned>,
    values: Values,
}

impl StepCache {
    /// Returns what the cache holds for a step from a state.
    pub fn find(&mut self, start: Start, base: &Base<'_>) -> Found<'_> {
        let Some(tree) = self.trees.get(&start) else {
            return Found::Nothing;
        };
        let mut at = tree.root;
        loop {
            let node = &self.nodes[at as usize];
            match node.what {
                What::Nothing => return Found::Nothing,
                What::Opaque => return Found::Opaque,
                What::Step(step) => return Found::Step(&self.steps[step as usize]),
                What::Read(part) => {
                    let value = self.values.of(part, base);
                    if node.value == value {
                        at = node.next;
                        continue;
                    }
                    match self.edges.get(&(at, value)) {
                        Some(&next) => at = next,
                        None => return Found::Nothing,
                    }
                }
            }
        }
    }

    /// Adds a step that was executed from a state: its read set, the threads in it apart, and its
    /// effect.
    pub fn learn(
        &mut self,
        start: Start,
        base: &Base<'_>,
        read_set: &ReadSet,
        seen: Seen,
        step: Option<Learned>,
    ) {
        if self.nodes.len() + self.values.len() > NODES {
            *self = StepCache::default();
        }
        let there = (1 << start.threads) - 1;
        let seen = seen.of(there & !(1 << start.thread));
        let parts = read_set.entries();
        let step = step.filter(|_| parts.len() <= LIMIT);
        let known = self.trees.get(&start).map(|t| (t.seen, t.root));
        let (seen, root) = match known {
            Some((known, root)) if known.or(seen) == known => (known, root),
            other => {
                let seen = seen.or(other.map_or(Seen::default(), |(known, _)| known));
                let root = self.add_node();
                self.trees.insert(start, Tree { seen, root });
                (seen, root)
            }
        };
        let in_bits = |bits: u64| (0..64).filter(move |n| bits >> n & 1 == 1);
        let first = in_bits(seen.records).map(ReadSetEntry::Record);
        let first =
            first.chain(in_bits(seen.identities & !seen.records).map(ReadSetEntry::Identity));
        let first = first.chain(in_bits(seen.waits & !seen.records).map(ReadSetEntry::Wait));
        let mut at = root;
        for part in first.chain(parts.iter().copied()) {
            let value = self.values.of(part, base);
            at = self.follow(at, part, value);
        }
        self.nodes[at as usize].what = match step {
            Some(step) => {
                self.steps.push(step);
                What::Step(self.steps.len() as u32 - 1)
            }
            None => What::Opaque,
        };
    }

    fn add_node(&mut self) -> u32 {
        self.nodes.push(Node {
            what: What::Nothing,
            value: u64::MAX,
            next: 0,
        });
        self.nodes.len() as u32 - 1
    }

    /// The node that follows a node which reads a part, where this value is found.
    fn follow(&mut self, at: u32, part: ReadSetEntry, value: u64) -> u32 {
        let node = &mut self.nodes[at as usize];
        if node.what == What::Nothing {
            node.what = What::Read(part);
            let next = self.add_node();
            let node = &mut self.nodes[at as usize];
            (node.value, node.next) = (value, next);
            return next;
        }
        assert!(
            node.what == What::Read(part),
            "a step reads the same parts where it finds the same"
        );
        if node.value == value {
            return node.next;
        }
        if let Some(&next) = self.edges.get(&(at, value)) {
            return next;
        }
        let next = self.add_node();
        self.edges.insert((at, value), next);
        next
    }
}
