//! The region of a hang: the states reachable once a section cannot end any more.

use super::region::{Number, Region};
use impasse_store::Interner;
use impasse_transition_system::{HangRegion, Key, TransitionSystem};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

/// Expands up to about `limit` states reachable from `state` and returns those from which
/// `section`, which must be open in `state`, cannot end. Returns `None` if the expanded states show
/// that the section can end from `state`. Where the limit cut the exploration short, the region is
/// not [complete](HangRegion::complete) and the section might still end.
///
/// The result depends on the system alone and on nothing that a search has recorded, so it also
/// checks a search's claim.
pub fn hang_region<S: TransitionSystem + ?Sized>(
    system: &S,
    worker: &mut S::Worker,
    state: &[u8],
    section: Key,
    limit: usize,
) -> Option<HangRegion> {
    let store = Interner::new();
    let mut region = Region::new(store.intern(state).id, section);
    region.explore(system, worker, &store, limit);
    let can_end = region.can_end();
    if can_end[0] {
        return None;
    }
    let complete = region.is_closed();
    let nonterminating = region.nonterminating(&can_end);
    let terminal = match complete {
        true => nearest_terminal_scc(&region, &nonterminating),
        false => nonterminating.clone(),
    };
    let bytes = |numbers: Vec<Number>| {
        let states = numbers.into_iter();
        let states = states.map(|number| store.get(region.state(number)).to_vec());
        states.collect()
    };
    Some(HangRegion {
        states: bytes(nonterminating),
        complete,
        terminal: bytes(terminal),
    })
}

/// The nearest terminal strongly connected component of some states, in their order.
fn nearest_terminal_scc(region: &Region, nonterminating: &[Number]) -> Vec<Number> {
    let mut graph = DiGraph::<Number, ()>::new();
    let nodes: FxHashMap<Number, NodeIndex> = nonterminating
        .iter()
        .map(|&id| (id, graph.add_node(id)))
        .collect();
    for (&number, &node) in &nodes {
        let targets = region
            .successors(number)
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
