//! Independent groups of tasks, taken apart.
//!
//! Children of one `par` that share no channel, with each other or with anyone who can run at the
//! same time, cannot influence each other: each group is explored by itself, and what it can come
//! to — to end, to be stuck, to run forever — takes its place. All closed groups of one `par` are
//! then one task that chooses among their joint outcomes: they end if all end; they
//! run forever if one does; they are stuck otherwise. Ancestors that hold a group's channels do not
//! matter: they have handed their connection down, and no task waits there once the group has
//! ended.
//!
//! Exceptions spread only to those that would meet a remaining task, hence inside a group. What
//! leaves a group is one more thing that it can come to, by its outermost handler: it has no effect
//! before all siblings have ended or were left, and then the outermost of all counts.

use crate::attractor::attractor;
use crate::automaton::{Automaton, ENTRY, EXIT, Edge, Kind, State, StateId};
use crate::network::{Network, Node};
use crate::single::{explore, is_stuck};
use crate::tree::{HandlerId, TaskId};
use std::collections::BTreeSet;

/// What a group can come to.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Outcomes {
    ends: bool,
    stuck: bool,
    runs_forever: bool,
    /// It is left by an exception to one of these.
    left: BTreeSet<HandlerId>,
}

impl Outcomes {
    fn ends() -> Outcomes {
        Outcomes {
            ends: true,
            ..Outcomes::default()
        }
    }

    fn halts(&self) -> bool {
        self.ends || self.stuck || !self.left.is_empty()
    }

    /// What two groups can come to together.
    fn with(
        &self,
        other: &Outcomes,
        outer: impl Fn(HandlerId, HandlerId) -> HandlerId,
    ) -> Outcomes {
        let mut left = BTreeSet::new();
        for (one, another) in [(self, other), (other, self)] {
            if another.ends {
                left.extend(&one.left);
            }
            for handler in &one.left {
                left.extend(another.left.iter().map(|other| outer(*handler, *other)));
            }
        }
        Outcomes {
            ends: self.ends && other.ends,
            stuck: (self.stuck && other.halts()) || (other.stuck && self.halts()),
            runs_forever: self.runs_forever || other.runs_forever,
            left,
        }
    }
}

/// Returns the network with its independent groups replaced by their outcomes, or `None` if there
/// are no such groups, or one of them has more than `limit` states.
pub fn apart(network: &Network, limit: usize) -> Option<Network> {
    let mut result = network.clone();
    let mut changed = false;
    let mut done = BTreeSet::new();
    for task in network.ids() {
        let first = network.nodes[task.index()].siblings[0];
        if task.0 == 0 || task != first || inside(network, task, &done) {
            continue;
        }
        let siblings = &network.nodes[task.index()].siblings;
        let parts = parts(network, siblings);
        let closed: Vec<&Vec<TaskId>> = parts
            .iter()
            .filter(|part| is_closed(network, part))
            .collect();
        if parts.len() < 2 || closed.is_empty() {
            continue;
        }
        let mut together = Outcomes::ends();
        for part in &closed {
            let alone = outcomes(&restrict(network, part), limit)?;
            together = together.with(&alone, |a, b| network.outer[a.index()][b.index()]);
        }
        let members: Vec<TaskId> = closed.into_iter().flatten().copied().collect();
        for member in &members {
            let automaton = &mut result.nodes[member.index()].automaton;
            *automaton = summary(automaton, &together);
            together = Outcomes::ends();
        }
        for channel in &mut result.channels {
            channel.retain(|task| {
                !members
                    .iter()
                    .any(|member| is_under(network, *task, *member))
            });
        }
        done.extend(members);
        changed = true;
    }
    changed.then_some(result)
}

fn is_under(network: &Network, mut task: TaskId, above: TaskId) -> bool {
    loop {
        if task == above {
            return true;
        }
        match network.nodes[task.index()].parent {
            Some(parent) => task = parent,
            None => return false,
        }
    }
}

fn inside(network: &Network, task: TaskId, done: &BTreeSet<TaskId>) -> bool {
    done.iter().any(|member| is_under(network, task, *member))
}

/// Siblings that share channels, directly or through others, taken together.
fn parts(network: &Network, siblings: &[TaskId]) -> Vec<Vec<TaskId>> {
    let mut parts: Vec<Vec<TaskId>> = siblings.iter().map(|sibling| vec![*sibling]).collect();
    for holders in &network.channels {
        let holds = |part: &Vec<TaskId>| {
            part.iter()
                .any(|member| holders.iter().any(|t| is_under(network, *t, *member)))
        };
        let (joined, apart): (Vec<_>, Vec<_>) = parts.into_iter().partition(holds);
        parts = apart;
        if !joined.is_empty() {
            parts.push(joined.concat());
        }
    }
    parts
}

/// Whether no task outside that can run at the same time holds a channel of the group.
fn is_closed(network: &Network, part: &[TaskId]) -> bool {
    let member = |task: TaskId| part.iter().any(|m| is_under(network, task, *m));
    let held = network
        .channels
        .iter()
        .filter(|holders| holders.iter().any(|t| member(*t)));
    held.flatten()
        .all(|task| member(*task) || !at_once(network, *task, part[0]))
}

/// Whether two tasks can run at the same time without one being an ancestor of the other.
fn at_once(network: &Network, a: TaskId, b: TaskId) -> bool {
    let path = |mut task: TaskId| {
        let mut path = vec![task];
        while let Some(parent) = network.nodes[task.index()].parent {
            path.push(parent);
            task = parent;
        }
        path.reverse();
        path
    };
    let (a, b) = (path(a), path(b));
    let fork = a.iter().zip(&b).find(|(x, y)| x != y);
    fork.is_some_and(|(x, y)| network.nodes[x.index()].siblings.contains(y))
}

/// The network of a group alone, under a root that runs it once.
fn restrict(network: &Network, part: &[TaskId]) -> Network {
    let kept: Vec<TaskId> = network
        .ids()
        .filter(|t| part.iter().any(|m| is_under(network, *t, *m)))
        .collect();
    let new = |task: &TaskId| {
        TaskId(
            kept.binary_search(task)
                .map_or(0, |position| position as u32 + 1),
        )
    };
    let edge = |to: StateId| {
        vec![Edge {
            to,
            decisions: Vec::new(),
        }]
    };
    let span = network.nodes[0].span;
    let state = |kind, next| State {
        kind,
        pc: 0,
        span,
        next,
        caught: Vec::new(),
    };
    let children: Vec<TaskId> = part.iter().map(new).collect();
    let mut root = vec![
        state(Kind::Entry, edge(StateId(2))),
        state(Kind::Exit, Vec::new()),
        state(Kind::Par(children.clone()), edge(EXIT)),
    ];
    for handler in handlers_outside(network, part[0]) {
        let to = StateId(root.len() as u32);
        root.push(state(Kind::Thrown(handler), Vec::new()));
        root[2].caught.push((handler, edge(to)));
    }
    let mut nodes = vec![Node {
        parent: None,
        siblings: vec![TaskId(0)],
        automaton: Automaton { states: root },
        span,
    }];
    for task in &kept {
        let mut node = network.nodes[task.index()].clone();
        node.siblings = if part.contains(task) {
            children.clone()
        } else {
            node.siblings.iter().map(new).collect()
        };
        node.parent = node.parent.map(|parent| new(&parent));
        for state in &mut node.automaton.states {
            if let Kind::Par(children) = &mut state.kind {
                *children = children.iter().map(new).collect();
            }
        }
        nodes.push(node);
    }
    let channels = network.channels.iter().map(|holders| {
        holders
            .iter()
            .filter(|t| kept.contains(t))
            .map(new)
            .collect()
    });
    let channels = channels.collect();
    Network {
        nodes,
        channels,
        scopes: network
            .scopes
            .iter()
            .map(|scope| {
                let inside = kept.iter().map(|task| scope[task.index()]);
                std::iter::once(false).chain(inside).collect()
            })
            .collect(),
        outer: network.outer.clone(),
        priority: network.priority.clone(),
    }
}

/// The handlers around a task; those of its group are further in.
fn handlers_outside(network: &Network, task: TaskId) -> impl Iterator<Item = HandlerId> + '_ {
    let around = move |handler: &HandlerId| network.scopes[handler.index()][task.index()];
    (0..network.scopes.len() as u32)
        .map(HandlerId)
        .filter(around)
}

/// What a network can come to.
fn outcomes(network: &Network, limit: usize) -> Option<Outcomes> {
    let smaller = apart(network, limit);
    let network = smaller.as_ref().unwrap_or(network);
    let graph = explore(network, limit, limit);
    if !graph.complete {
        return None;
    }
    let root = |global: &[u16]| network.at(global, TaskId(0)).kind.clone();
    let ends = graph.states.iter().any(|global| Network::ended(global));
    let spins = |global: &[u16]| {
        network
            .ids()
            .any(|t| network.at(global, t).kind == Kind::Spin)
    };
    let halts = |state: usize| graph.successors(state).is_empty() && !spins(&graph.states[state]);
    let (mut stuck, mut left) = (false, BTreeSet::new());
    for state in (0..graph.states.len()).filter(|s| graph.successors(*s).is_empty()) {
        match root(&graph.states[state]) {
            Kind::Thrown(handler) => drop(left.insert(handler)),
            _ => stuck |= is_stuck(network, &graph.states[state]),
        }
    }
    let seeds = (0..graph.states.len()).filter(|state| halts(*state));
    let attracted = attractor(graph.states.len(), |state| graph.successors(state), seeds);
    let runs_forever = attracted[..graph.initial].contains(&false);
    Some(Outcomes {
        ends,
        stuck,
        runs_forever,
        left,
    })
}

/// A task that chooses among what a group can come to.
fn summary(automaton: &Automaton, outcomes: &Outcomes) -> Automaton {
    let span = automaton.state(ENTRY).span;
    let state = |kind, next| State {
        kind,
        pc: 0,
        span,
        next,
        caught: Vec::new(),
    };
    let mut states = vec![
        state(Kind::Entry, Vec::new()),
        state(Kind::Exit, Vec::new()),
        state(Kind::Stuck, Vec::new()),
        state(Kind::Spin, Vec::new()),
    ];
    let mut targets = Vec::new();
    let choices = [
        (outcomes.ends, EXIT),
        (outcomes.stuck, StateId(2)),
        (outcomes.runs_forever, StateId(3)),
    ];
    targets.extend(choices.iter().filter(|(can, _)| *can).map(|(_, to)| *to));
    for handler in &outcomes.left {
        targets.push(StateId(states.len() as u32));
        states.push(state(Kind::Thrown(*handler), Vec::new()));
    }
    let edge = |to| Edge {
        to,
        decisions: Vec::new(),
    };
    states[0].next = targets.into_iter().map(edge).collect();
    Automaton { states }
}
