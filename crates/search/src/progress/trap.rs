//! The trap of a hang: the states that a system can be in once a section cannot end any more.

use super::region::{Number, Region};
use crate::system::{Key, TransitionSystem};
use impasse_store::Interner;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

/// The states from which a section cannot end, as far as they were looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trap {
    /// The states, nearest first; the first is where the section is found hanging.
    pub states: Vec<Vec<u8>>,
    /// Whether these are all, so that the trap proves that the section never ends.
    pub complete: bool,
    /// What it comes to: states that the system moves among forever, once it has come to one of them (of several such sets the
    /// nearest one); a single one without a way on if everything stops. All states where the trap is not complete.
    pub settled: Vec<Vec<u8>>,
}

/// The trap that `state` is in with regard to `section`, of at most about `limit` states; none
/// if the section can end after all.
///
/// This looks at the system alone and not at what a search has recorded, so it also checks a
/// search's claim.
pub fn trap<S: TransitionSystem + ?Sized>(
    system: &S,
    worker: &mut S::Worker,
    state: &[u8],
    section: Key,
    limit: usize,
) -> Option<Trap> {
    let store = Interner::new();
    let mut region = Region::new(store.intern(state).id, section);
    region.explore(system, worker, &store, limit);
    let can_end = region.can_end();
    if can_end[0] {
        return None;
    }
    let complete = region.is_closed();
    let trapped = region.trapped(&can_end);
    let settled = match complete {
        true => settled(&region, &trapped),
        false => trapped.clone(),
    };
    let bytes = |numbers: Vec<Number>| {
        let states = numbers.into_iter();
        let states = states.map(|number| store.get(region.state(number)).to_vec());
        states.collect()
    };
    Some(Trap {
        states: bytes(trapped),
        complete,
        settled: bytes(settled),
    })
}

/// The nearest terminal strongly connected component of some states, in their order.
fn settled(region: &Region, trapped: &[Number]) -> Vec<Number> {
    let mut graph = DiGraph::<Number, ()>::new();
    let nodes: FxHashMap<Number, NodeIndex> =
        trapped.iter().map(|&id| (id, graph.add_node(id))).collect();
    for (&number, &node) in &nodes {
        let targets = region
            .targets(number)
            .filter_map(|target| nodes.get(&target));
        targets.for_each(|&target| {
            graph.update_edge(node, target, ());
        });
    }
    let mut components = tarjan_scc(&graph);
    let mut of = vec![0; graph.node_count()];
    for (number, component) in components.iter().enumerate() {
        component.iter().for_each(|node| of[node.index()] = number);
    }
    let stays = |node: &NodeIndex| {
        let mut targets = graph.neighbors(*node);
        targets.all(|target| of[target.index()] == of[node.index()])
    };
    components.retain(|component| component.iter().all(stays));
    let nearest = components
        .into_iter()
        .min_by_key(|component| component.iter().min().copied());
    let mut nodes = nearest.unwrap_or_default();
    nodes.sort();
    nodes.into_iter().map(|node| graph[node]).collect()
}
