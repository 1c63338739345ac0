//! Hangs that inputs decide, in the enlarged space: the reference for what `tarjan` does not tell.
//!
//! A component that is not terminal may hang nevertheless, if an input chooses among its edges. So
//! the whole space is kept, and what can end whatever the inputs are is computed by the definition:
//! a watched state whose groups of edges each have one that does not lead to an end.

use super::branching::unpack;
use crate::bounds::Bounds;
use crate::outcome::Verdict;
use crate::search::Search;
use impasse_store::{Id, Interner};
use impasse_transition_system::Path;
use impasse_transition_system::{Branch, Edge, Key, Sink, TransitionSystem};
use rustc_hash::FxHashMap;

/// A state of the enlarged space.
struct Node {
    state: Id,
    /// The node that it was found from, unless it is initial.
    from: Option<usize>,
    /// The transition of the original space by which it was found.
    ordinal: u32,
    /// What an input chooses from, for each choice of the scheduler.
    groups: Vec<Vec<usize>>,
    /// Whether an instance is watched, which does not end by the next transition.
    watches: bool,
}

/// Looks at a space without faults and without a terminal component that accepts all; `section`
/// names the instance that a state watches.
pub(super) fn search<T: TransitionSystem + ?Sized>(
    search: &Search<'_, T>,
    section: impl Fn(&[u8]) -> Key,
) -> Verdict<T::Fault> {
    let bounds = Bounds::new(search.max_states, search.cancel);
    let mut space = Space {
        states: Interner::new(),
        numbers: FxHashMap::default(),
        nodes: Vec::new(),
    };
    let mut worker = search.system.worker();
    let mut sink = Edges::default();
    search.system.initial(&mut worker, &mut sink);
    space.add(None, sink);
    let mut next = 0;
    while next < space.nodes.len() {
        let found = space.nodes.len() as u64;
        let stopped = bounds.check_states(found);
        if let Some(reason) = stopped.or_else(|| bounds.cancel().reason()) {
            return Verdict::Stopped(reason);
        }
        let mut sink = Edges::default();
        let state = space.states.get(space.nodes[next].state).to_vec();
        search.system.successors(&mut worker, &state, &mut sink);
        space.add(Some(next), sink);
        next += 1;
    }
    match space.first_that_hangs() {
        None => Verdict::Exhausted,
        Some(node) => Verdict::Hang {
            section: section(space.states.get(space.nodes[node].state)),
            path: space.path(node),
        },
    }
}

struct Space {
    states: Interner,
    numbers: FxHashMap<Id, usize>,
    nodes: Vec<Node>,
}

impl Space {
    /// Adds what leaves a node, or the initial states.
    fn add(&mut self, from: Option<usize>, edges: Edges) {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut watches = false;
        for found in edges.0 {
            let state = self.states.intern(&found.target).id;
            let number = *self.numbers.entry(state).or_insert_with(|| {
                self.nodes.push(Node {
                    state,
                    from,
                    ordinal: found.ordinal,
                    groups: Vec::new(),
                    watches: false,
                });
                self.nodes.len() - 1
            });
            watches |= found.accepting;
            match (found.branch, groups.last_mut()) {
                (Branch::NonProgress, _) => {}
                (Branch::Input, Some(group)) => group.push(number),
                _ => groups.push(vec![number]),
            }
        }
        if let Some(from) = from {
            self.nodes[from].groups = groups;
            self.nodes[from].watches = watches;
        }
    }

    /// The first watched node that cannot end whatever the inputs are.
    fn first_that_hangs(&self) -> Option<usize> {
        let mut ends: Vec<bool> = self.nodes.iter().map(|node| !node.watches).collect();
        loop {
            let mut changed = false;
            for (number, node) in self.nodes.iter().enumerate().rev() {
                let all_end = |group: &Vec<usize>| group.iter().all(|&target| ends[target]);
                if !ends[number] && node.groups.iter().any(all_end) {
                    ends[number] = true;
                    changed = true;
                }
            }
            if !changed {
                return ends.iter().position(|ends| !ends);
            }
        }
    }

    fn path(&self, node: usize) -> Path {
        let way = std::iter::successors(Some(node), |&node| self.nodes[node].from);
        let mut ordinals: Vec<u32> = way.map(|node| self.nodes[node].ordinal).collect();
        ordinals.reverse();
        Path::new(ordinals)
    }
}

/// What a state of the enlarged space emits.
#[derive(Default)]
struct Edges(Vec<Found>);

struct Found {
    target: Vec<u8>,
    ordinal: u32,
    accepting: bool,
    branch: Branch,
}

impl<T: TransitionSystem + ?Sized> Sink<T> for Edges {
    fn edge(&mut self, edge: Edge<'_>) {
        let (ordinal, accepting) = unpack(edge.label);
        self.0.push(Found {
            target: edge.target.to_vec(),
            ordinal,
            accepting,
            branch: edge.branch,
        });
    }

    fn fault(&mut self, _: T::Fault) {}

    fn omission(&mut self, _: T::Omission) {}
}
