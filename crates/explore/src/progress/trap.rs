//! The trap of a hang: the states that a system can be in once a section cannot end any more.

use crate::system::{Branch, Edge, Ends, Key, Sink, TransitionSystem};
use impasse_store::{Id, Interner};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{HashMap, HashSet};

/// The states from which a section cannot end, as far as they were looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trap {
    /// The states, nearest first; the first is where the section is found hanging.
    pub states: Vec<Vec<u8>>,
    /// Whether these are all, so that the trap proves that the section never ends.
    pub complete: bool,
    /// What it comes to: states that the system moves among for ever, once it has come to one of them (of several such sets the
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
    state: &[u8],
    section: Key,
    limit: usize,
) -> Option<Trap> {
    let mut region = Region {
        states: Interner::new(),
        order: Vec::new(),
        edges: HashMap::new(),
    };
    let start = region.states.intern(state).id;
    region.order.push(start);
    let complete = region.explore(system, section, limit);
    let can_end = region.can_end();
    if can_end.contains(&start) {
        return None;
    }
    let trapped = region.trapped(start, &can_end);
    let settled = match complete {
        true => region.settled(&trapped),
        false => trapped.clone(),
    };
    let bytes = |ids: Vec<Id>| {
        let states = ids.into_iter();
        states.map(|id| region.states.get(id).to_vec()).collect()
    };
    Some(Trap {
        states: bytes(trapped),
        complete,
        settled: bytes(settled),
    })
}

/// What can be reached without ending the section.
struct Region {
    states: Interner,
    /// In the order in which they were found.
    order: Vec<Id>,
    /// What leaves each state that was expanded.
    edges: HashMap<Id, Vec<Exit>>,
}

#[derive(Clone, Copy)]
struct Exit {
    branch: Branch,
    /// None if the section ends.
    target: Option<Id>,
}

impl Region {
    /// Expands up to `limit` states, and tells whether that was all.
    fn explore<S: TransitionSystem + ?Sized>(
        &mut self,
        system: &S,
        section: Key,
        limit: usize,
    ) -> bool {
        let mut worker = system.worker();
        let mut open = Vec::new();
        let mut next = 0;
        while next < self.order.len().min(limit) {
            let id = self.order[next];
            next += 1;
            let mut sink = ExitSink {
                states: &self.states,
                section,
                exits: Vec::new(),
                found: HashSet::new(),
            };
            system.successors(&mut worker, self.states.get(id), &mut sink);
            let ExitSink {
                mut exits,
                mut found,
                ..
            } = sink;
            for exit in &mut exits {
                let Some(target) = exit.target else { continue };
                open.clear();
                system.open_sections(&mut worker, self.states.get(target), &mut open);
                if !open.contains(&section) {
                    exit.target = None;
                } else if found.remove(&target) {
                    self.order.push(target);
                }
            }
            self.edges.insert(id, exits);
        }
        next == self.order.len()
    }

    /// The states from which the section can end, those not expanded left aside.
    fn can_end(&self) -> HashSet<Id> {
        let mut can_end = HashSet::new();
        loop {
            let before = can_end.len();
            for (&id, exits) in &self.edges {
                let ends = |exit: &Exit| exit.target.is_none_or(|target| can_end.contains(&target));
                let groups = exits.chunk_by(|_, next| next.branch == Branch::Input);
                if groups.into_iter().any(|group| group.iter().all(ends)) {
                    can_end.insert(id);
                }
            }
            if can_end.len() == before {
                return can_end;
            }
        }
    }

    /// The states that can be reached through others from which the section cannot end.
    fn trapped(&self, start: Id, can_end: &HashSet<Id>) -> Vec<Id> {
        let mut trapped = vec![start];
        let mut seen = HashSet::from([start]);
        let mut next = 0;
        while next < trapped.len() {
            for exit in self.edges.get(&trapped[next]).into_iter().flatten() {
                let target = exit.target.filter(|target| !can_end.contains(target));
                trapped.extend(target.filter(|&target| seen.insert(target)));
            }
            next += 1;
        }
        trapped
    }
}

impl Region {
    /// The nearest terminal strongly connected component of some states, in their order.
    fn settled(&self, trapped: &[Id]) -> Vec<Id> {
        let mut graph = DiGraph::<Id, ()>::new();
        let nodes: HashMap<Id, NodeIndex> =
            trapped.iter().map(|&id| (id, graph.add_node(id))).collect();
        for (id, &node) in &nodes {
            let exits = self.edges.get(id).into_iter().flatten();
            let targets = exits.filter_map(|exit| nodes.get(&exit.target?));
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
}

/// Takes the transitions of one state.
struct ExitSink<'s> {
    states: &'s Interner,
    section: Key,
    exits: Vec<Exit>,
    /// States not met before.
    found: HashSet<Id>,
}

impl<S: TransitionSystem + ?Sized> Sink<S> for ExitSink<'_> {
    fn edge(&mut self, edge: Edge<'_>) {
        if edge.branch == Branch::Chance {
            return;
        }
        let ends = match edge.ends {
            Ends::Program => true,
            Ends::Sections(keys) => keys.contains(&self.section),
        };
        let target = (!ends).then(|| {
            let interned = self.states.intern(edge.target);
            if interned.new {
                self.found.insert(interned.id);
            }
            interned.id
        });
        self.exits.push(Exit {
            branch: edge.branch,
            target,
        });
    }

    fn fault(&mut self, _fault: S::Fault) {}

    fn omission(&mut self, _reason: S::Omission) {
        // Nobody knows where it would have led, so it may end the section.
        self.exits.push(Exit {
            branch: Branch::Schedule,
            target: None,
        });
    }
}
