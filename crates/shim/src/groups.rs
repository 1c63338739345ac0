//! Independent groups of tasks, taken apart.
//!
//! Children of one `par` that share no channel, with each other or with anyone who can run at the
//! same time, cannot influence each other: each group is explored by itself, and what it can come to
//! — to end, to be stuck, to go on for ever — takes its place. All closed groups of one `par` are then
//! one task that chooses among what they can come to together: they end if all end; they go on if one
//! does; they are stuck otherwise. Ancestors that hold a group's channels do not matter: they have
//! handed their connection down, and nobody waits there once the group has ended.

use crate::automaton::{Automaton, ENTRY, EXIT, Edge, Kind, State, StateId};
use crate::fate::inevitable;
use crate::network::{Network, Node};
use crate::single::{explore, is_stuck};
use crate::tree::TaskId;
use std::collections::BTreeSet;

/// What a group can come to.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Outcomes {
    ends: bool,
    stuck: bool,
    goes_on: bool,
}

/// The network with its independent groups replaced by what they can come to; none if there are no
/// such groups, or one of them is too large.
pub fn apart(network: &Network, limit: usize) -> Option<Network> {
    if !network.scopes.is_empty() {
        return None;
    }
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
        let mut together = Outcomes {
            ends: true,
            stuck: false,
            goes_on: false,
        };
        for part in &closed {
            together = both(together, outcomes(&restrict(network, part), limit)?);
        }
        let members: Vec<TaskId> = closed.into_iter().flatten().copied().collect();
        for (index, member) in members.iter().enumerate() {
            let chosen = if index == 0 {
                together
            } else {
                Outcomes {
                    ends: true,
                    ..Outcomes::default()
                }
            };
            result.nodes[member.index()].automaton =
                summary(&network.nodes[member.index()].automaton, chosen);
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

fn both(a: Outcomes, b: Outcomes) -> Outcomes {
    let halts = |o: Outcomes| o.ends || o.stuck;
    Outcomes {
        ends: a.ends && b.ends,
        stuck: (a.stuck && halts(b)) || (b.stuck && halts(a)),
        goes_on: a.goes_on || b.goes_on,
    }
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

/// Whether nobody outside who can run at the same time holds a channel of the group.
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
    let root = vec![
        state(Kind::Entry, edge(StateId(2))),
        state(Kind::Exit, Vec::new()),
        state(Kind::Par(children.clone()), edge(EXIT)),
    ];
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
        scopes: Vec::new(),
        outer: Vec::new(),
        priority: network.priority.clone(),
    }
}

/// What a network can come to.
fn outcomes(network: &Network, limit: usize) -> Option<Outcomes> {
    let smaller = apart(network, limit);
    let network = smaller.as_ref().unwrap_or(network);
    let graph = explore(network, limit, limit);
    if !graph.complete {
        return None;
    }
    let ends = graph.states.iter().any(|global| Network::ended(global));
    let spins = |global: &[u16]| {
        network
            .ids()
            .any(|t| network.at(global, t).kind == Kind::Spin)
    };
    let halts = |state: usize| graph.successors(state).is_empty() && !spins(&graph.states[state]);
    let stuck = (0..graph.states.len())
        .any(|s| graph.successors(s).is_empty() && is_stuck(network, &graph.states[s]));
    let seeds = (0..graph.states.len()).filter(|state| halts(*state));
    let doomed = inevitable(graph.states.len(), |state| graph.successors(state), seeds);
    let goes_on = doomed[..graph.initial].contains(&false);
    Some(Outcomes {
        ends,
        stuck,
        goes_on,
    })
}

/// A task that chooses among what a group can come to.
fn summary(automaton: &Automaton, outcomes: Outcomes) -> Automaton {
    let span = automaton.state(ENTRY).span;
    let state = |kind, next| State {
        kind,
        pc: 0,
        span,
        next,
        caught: Vec::new(),
    };
    let choices = [
        (outcomes.ends, EXIT),
        (outcomes.stuck, StateId(2)),
        (outcomes.goes_on, StateId(3)),
    ];
    let possible = choices.into_iter().filter(|(can, _)| *can);
    let next = possible
        .map(|(_, to)| Edge {
            to,
            decisions: Vec::new(),
        })
        .collect();
    let states = vec![
        state(Kind::Entry, next),
        state(Kind::Exit, Vec::new()),
        state(Kind::Stuck, Vec::new()),
        state(Kind::Spin, Vec::new()),
    ];
    Automaton { states }
}
