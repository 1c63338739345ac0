//! The single-channel engine: in each state one move is made, and no other is looked at.
//!
//! Starts come first, then joins, then one ready channel. Such a move is a persistent set of one
//! element: nothing that other tasks do can prevent it or change what it does. Each task waits for
//! one thing only; those that wait for a ready channel cannot leave, those not compelled on it can
//! become so only through a start, which comes before, and a parent whose connected children have
//! ended already holds the channel up. Hence every deadlock is reached, and for fixed branches
//! every maximal run has the same length, so that whether a deadlock can be avoided is kept as
//! well.
//!
//! Exceptions poison. A rendezvous at which everyone compelled has arrived or was left by an
//! exception, and someone was, takes place as an exception instead: those that wait inside the
//! handler's scope are left as well, by the outermost of the handlers. When all children of a task
//! have ended or were left, and one was left, the outermost exception propagates in the task: to
//! its handler if it is there, and upwards otherwise.

use crate::attractor::attractor;
use crate::automaton::{Decision, EXIT, Edge, Kind, StateId};
use crate::network::{Global, Network};
use crate::tree::{ChannelId, HandlerId, TaskId};
use rustc_hash::FxHashMap;

/// Where a deadlock is all that was wanted, a search continues for so many states after the first.
pub const AFTER_DEADLOCK: usize = 1_000;

/// One move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A task starts.
    Start(TaskId),
    /// A task computes on.
    Go(TaskId),
    /// A task continues after its children.
    Join(TaskId),
    /// A task is reached by an exception from its children.
    Catch(TaskId, HandlerId),
    /// These tasks meet on a channel.
    Rendezvous(ChannelId, Vec<TaskId>),
    /// These tasks are left by exceptions because they would meet others that were.
    Poison(ChannelId, Vec<(TaskId, HandlerId)>),
}

/// A move and the branches that the moved tasks take after it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The move.
    pub action: Move,
    /// The branches taken after it.
    pub decisions: Vec<(TaskId, Vec<Decision>)>,
    /// Where everyone was before.
    pub before: Global,
}

/// Returns the move that is made in a state, or `None` if the program has ended or is stuck.
///
/// Chooses the first ready channel by priority, beginning with `first` and wrapping around.
pub fn next_move(network: &Network, global: &[u16], first: usize) -> Option<Move> {
    if let Some(action) = start_or_join(network, global) {
        return Some(action);
    }
    let count = network.channels.len();
    let mut seen = vec![false; count];
    let mut found: Option<(usize, ChannelId)> = None;
    for task in network.ids() {
        let Kind::Wait(channel, _) = network.at(global, task).kind else {
            continue;
        };
        let distance = (network.priority[channel.index()] as usize + count - first) % count;
        let better = found.is_none_or(|(least, _)| distance < least);
        if better
            && !std::mem::replace(&mut seen[channel.index()], true)
            && network.ready(global, channel)
        {
            found = Some((distance, channel));
        }
    }
    if let Some((_, channel)) = found {
        return Some(Move::Rendezvous(channel, network.waiting(global, channel)));
    }
    if network.scopes.is_empty() {
        None
    } else {
        poison(network, global)
    }
}

fn start_or_join(network: &Network, global: &[u16]) -> Option<Move> {
    for task in network.ids() {
        let children = match &network.at(global, task).kind {
            Kind::Par(children) => children,
            Kind::Compute => return Some(Move::Go(task)),
            _ => continue,
        };
        if let Some(child) = children.iter().find(|c| network.startable(global, **c)) {
            return Some(Move::Start(*child));
        }
    }
    for task in network.ids() {
        let Kind::Par(children) = &network.at(global, task).kind else {
            continue;
        };
        let mut thrown: Option<HandlerId> = None;
        let over = children
            .iter()
            .all(|child| match network.at(global, *child).kind {
                Kind::Exit => true,
                Kind::Thrown(handler) => {
                    thrown = Some(thrown.map_or(handler, |other| {
                        network.outer[other.index()][handler.index()]
                    }));
                    true
                }
                _ => false,
            });
        if over {
            return Some(thrown.map_or(Move::Join(task), |handler| Move::Catch(task, handler)));
        }
    }
    None
}

fn poison(network: &Network, global: &[u16]) -> Option<Move> {
    (0..network.channels.len() as u32)
        .map(ChannelId)
        .find_map(|channel| {
            let mut thrown = Vec::new();
            for task in &network.channels[channel.index()] {
                match network.at(global, *task).kind {
                    Kind::Thrown(handler) => thrown.push(handler),
                    _ if network.agrees(global, *task, channel) => {}
                    _ => return None,
                }
            }
            let left: Vec<(TaskId, HandlerId)> = network
                .waiting(global, channel)
                .into_iter()
                .filter_map(|task| {
                    let around = thrown
                        .iter()
                        .copied()
                        .filter(|h| network.scopes[h.index()][task.index()]);
                    around
                        .reduce(|a, b| network.outer[a.index()][b.index()])
                        .map(|handler| (task, handler))
                })
                .collect();
            (!left.is_empty()).then_some(Move::Poison(channel, left))
        })
}

/// A next state and, for each moved task, the path it took.
pub type Successor<'a> = (Global, Vec<(TaskId, &'a Edge)>);

/// Returns the states to which a move can lead, one for each choice of branches.
pub fn apply<'a>(network: &'a Network, global: &[u16], action: &Move) -> Vec<Successor<'a>> {
    let (next, choices) = begin(network, global, action);
    combinations(next, &choices)
}

/// A task that continues, and the paths it may take.
pub type Choice<'a> = (TaskId, &'a [Edge]);

/// Returns the first half of a move: the global state before the moved tasks continue, and the
/// branches that each of them can take.
pub fn begin<'a>(network: &'a Network, global: &[u16], action: &Move) -> (Global, Vec<Choice<'a>>) {
    let mut next: Global = global.into();
    let edges = |task: TaskId| network.at(global, task).next.as_slice();
    let choices: Vec<Choice> = match action {
        Move::Start(task) | Move::Go(task) => vec![(*task, edges(*task))],
        Move::Rendezvous(_, tasks) => tasks.iter().map(|task| (*task, edges(*task))).collect(),
        Move::Join(task) => {
            reset_children(network, global, *task, &mut next);
            vec![(*task, edges(*task))]
        }
        Move::Catch(task, handler) => {
            reset_children(network, global, *task, &mut next);
            let caught = network
                .at(global, *task)
                .caught
                .iter()
                .find(|(h, _)| h == handler);
            vec![(*task, caught.map_or(&[], |(_, edges)| edges.as_slice()))]
        }
        Move::Poison(_, tasks) => {
            for (task, handler) in tasks {
                let states = &network.nodes[task.index()].automaton.states;
                let thrown = states
                    .iter()
                    .position(|state| state.kind == Kind::Thrown(*handler));
                next[task.index()] =
                    thrown.expect("a task in a handler's scope can be left through it") as u16;
            }
            Vec::new()
        }
    };
    (next, choices)
}

fn reset_children(network: &Network, global: &[u16], task: TaskId, next: &mut Global) {
    if let Kind::Par(children) = &network.at(global, task).kind {
        children
            .iter()
            .for_each(|child| next[child.index()] = crate::automaton::ENTRY.0 as u16);
    }
}

fn combinations<'a>(start: Global, choices: &[Choice<'a>]) -> Vec<Successor<'a>> {
    let mut all: Vec<Successor<'a>> = vec![(start, Vec::new())];
    for (task, edges) in choices {
        let mut more = Vec::with_capacity(all.len() * edges.len());
        for (global, taken) in all {
            for edge in *edges {
                let (mut global, mut taken) = (global.clone(), taken.clone());
                global[task.index()] = edge.to.0 as u16;
                taken.push((*task, edge));
                more.push((global, taken));
            }
        }
        all = more;
    }
    all
}

/// The states explored and the moves between them.
pub struct Graph {
    /// States in the order of discovery, the first ones first.
    pub states: Vec<Global>,
    /// How many of them are first states.
    pub initial: usize,
    /// The state from which each was found.
    parents: Vec<u32>,
    /// The first deadlock.
    pub deadlock: Option<usize>,
    /// Whether everything was explored.
    pub complete: bool,
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

/// Explores up to `limit` states, breadth-first; after a deadlock, up to `limit_after` more.
pub fn explore(network: &Network, limit: usize, limit_after: usize) -> Graph {
    let mut graph = Graph {
        states: Vec::new(),
        initial: 0,
        parents: Vec::new(),
        deadlock: None,
        complete: false,
        offsets: vec![0],
        targets: Vec::new(),
    };
    let mut known: FxHashMap<Global, u32> = FxHashMap::default();
    for (global, _) in network.initial() {
        graph.add(&mut known, global, u32::MAX);
    }
    graph.initial = graph.states.len();
    let mut next = 0;
    while next < graph.states.len() {
        if graph.states.len()
            > if graph.deadlock.is_some() {
                limit_after
            } else {
                limit
            }
        {
            return graph;
        }
        let global = graph.states[next].clone();
        match next_move(network, &global, 0) {
            Some(action) => {
                for (successor, _) in apply(network, &global, &action) {
                    let id = graph.add(&mut known, successor, next as u32);
                    graph.targets.push(id);
                }
            }
            None if is_stuck(network, &global) => graph.deadlock = graph.deadlock.or(Some(next)),
            None => {}
        }
        graph.offsets.push(graph.targets.len() as u32);
        next += 1;
    }
    graph.complete = true;
    graph
}

/// Returns whether a state without a move is a deadlock: the root has not ended, and no task
/// computes forever.
pub fn is_stuck(network: &Network, global: &[u16]) -> bool {
    !Network::ended(global)
        && network
            .ids()
            .all(|task| network.at(global, task).kind != Kind::Spin)
}

impl Graph {
    fn add(&mut self, known: &mut FxHashMap<Global, u32>, global: Global, parent: u32) -> u32 {
        let fresh = self.states.len() as u32;
        let id = *known.entry(global).or_insert_with_key(|global| {
            self.states.push(global.clone());
            fresh
        });
        if id == fresh {
            self.parents.push(parent);
        }
        id
    }

    /// Returns the number of moves explored.
    pub fn transitions(&self) -> usize {
        self.targets.len()
    }

    /// Returns the distance of the state found last, in moves.
    pub fn depth(&self) -> u64 {
        let last = self.states.len().saturating_sub(1);
        let parent = |state: &usize| self.parents.get(*state).filter(|p| **p != u32::MAX);
        let chain = std::iter::successors(Some(last), |state| parent(state).map(|p| *p as usize));
        chain.count().saturating_sub(1) as u64
    }

    /// Returns the memory that the graph takes, in bytes.
    pub fn bytes(&self) -> u64 {
        let each = self
            .states
            .first()
            .map_or(0, |s| std::mem::size_of_val(&**s));
        let edges = (self.parents.len() + self.offsets.len() + self.targets.len()) * 4;
        (self.states.len() * (each + std::mem::size_of::<Global>()) + edges) as u64
    }

    /// Returns the successors of a state.
    pub fn successors(&self, state: usize) -> &[u32] {
        &self.targets[self.offsets[state] as usize..self.offsets[state + 1] as usize]
    }

    /// Returns whether some run from an initial state never meets a deadlock. The graph must be
    /// complete.
    pub fn can_avoid(&self, network: &Network) -> bool {
        let stuck = |state: &usize| {
            self.successors(*state).is_empty() && is_stuck(network, &self.states[*state])
        };
        let seeds = (0..self.states.len()).filter(stuck);
        let attracted = attractor(self.states.len(), |state| self.successors(state), seeds);
        attracted[..self.initial].contains(&false)
    }

    /// Returns a shortest path to a state.
    pub fn path(&self, network: &Network, state: usize) -> Vec<Step> {
        let mut chain = vec![state];
        while let Some(parent) = self
            .parents
            .get(chain[chain.len() - 1])
            .filter(|p| **p != u32::MAX)
        {
            chain.push(*parent as usize);
        }
        chain.reverse();
        let mut steps: Vec<Step> = chain
            .windows(2)
            .filter_map(|pair| {
                let (before, after) = (&self.states[pair[0]], &self.states[pair[1]]);
                let action = next_move(network, before, 0)?;
                let taken = apply(network, before, &action)
                    .into_iter()
                    .find(|(global, _)| global == after)?
                    .1;
                let decisions = taken
                    .into_iter()
                    .map(|(task, edge)| (task, edge.decisions.clone()))
                    .collect();
                Some(Step {
                    action,
                    decisions,
                    before: before.clone(),
                })
            })
            .collect();
        let first = &self.states[chain[0]];
        if let (Some(step), Some((_, edge))) = (
            steps.first_mut(),
            network.initial().iter().find(|(g, _)| g == first),
        ) {
            step.decisions
                .insert(0, (TaskId(0), edge.decisions.clone()));
        }
        steps
    }
}

/// Returns whether a task has ended in a global state.
pub fn has_ended(global: &[u16], task: TaskId) -> bool {
    StateId(global[task.index()] as u32) == EXIT
}
