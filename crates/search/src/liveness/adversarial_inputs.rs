//! Hangs that inputs decide, in the product: the reference where `tarjan` finds none.
//!
//! Even a component that is not terminal may hang if an input selects among its edges: the input is
//! an adversary, and the scheduler is the player who wants to reach the end. So this module keeps
//! the whole product and computes the player's attractor of the end (C. Baier, J.-P. Katoen,
//! *Principles of Model Checking*, MIT Press 2008, section 6.4.2, computes the same fixpoint
//! without an adversary). A watched state outside of it is a violation.

use super::product::unpack;
use crate::bounds::Bounds;
use crate::outcome::Verdict;
use crate::search::Search;
use impasse_store::{Id, Interner};
use impasse_transition_system::{Branch, Emission, Emissions, Key, Path, TransitionSystem};
use rustc_hash::FxHashMap;

/// A state of the product.
struct Node {
    state: Id,
    /// The node from which it was found; `None` if it is initial.
    from: Option<usize>,
    /// The ordinal of the original transition that found it.
    ordinal: u32,
    /// For each group that the scheduler can select: the targets that an input selects from.
    groups: Vec<Vec<usize>>,
    /// Whether an instance is watched that the next transition does not end.
    watches: bool,
}

/// Searches a product without faults and without a fully accepting terminal component. `section`
/// returns the instance that a state watches.
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
    let mut sink = Emissions::new();
    search.system.initial(&mut worker, &mut sink);
    space.add(None, sink);
    let mut next = 0;
    while next < space.nodes.len() {
        let found = space.nodes.len() as u64;
        let stopped = bounds.check_states(found);
        if let Some(reason) = stopped.or_else(|| bounds.cancel().reason()) {
            return Verdict::Stopped(reason);
        }
        let mut sink = Emissions::new();
        let state = space.states.get(space.nodes[next].state).to_vec();
        search.system.successors(&mut worker, &state, &mut sink);
        space.add(Some(next), sink);
        next += 1;
    }
    match space.first_violation() {
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
    /// Adds the successors of a node, or the initial states.
    fn add<T: TransitionSystem + ?Sized>(&mut self, from: Option<usize>, emissions: Emissions<T>) {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut watches = false;
        for emission in emissions.0 {
            let Emission::Edge(edge) = emission else {
                continue;
            };
            let (ordinal, accepting) = unpack(edge.label);
            let state = self.states.intern(&edge.target).id;
            let number = *self.numbers.entry(state).or_insert_with(|| {
                self.nodes.push(Node {
                    state,
                    from,
                    ordinal,
                    groups: Vec::new(),
                    watches: false,
                });
                self.nodes.len() - 1
            });
            watches |= accepting;
            match (edge.branch, groups.last_mut()) {
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

    /// The first node from which the adversary can prevent the end.
    fn first_violation(&self) -> Option<usize> {
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
        let path = std::iter::successors(Some(node), |&node| self.nodes[node].from);
        let mut ordinals: Vec<u32> = path.map(|node| self.nodes[node].ordinal).collect();
        ordinals.reverse();
        Path::new(ordinals)
    }
}
