//! A network of task automata and the rule of who is compelled to synchronise.
//!
//! A task is connected to the channels passed to it. While it runs children it passes its
//! connection on; when all its connected children have ended it takes the duty back. A task that
//! has not started or that has ended is not compelled.

use crate::automaton::{Automaton, ENTRY, EXIT, Kind, State, StateId, Unknown, Values};
use crate::ir::Op;
use crate::source::Span;
use crate::tree::{ChannelId, HandlerId, TaskId, Tree};

/// Automata and the channels between them.
#[derive(Clone, Debug)]
pub struct Network {
    /// One for each task of the tree.
    pub nodes: Vec<Node>,
    /// The tasks connected to each channel.
    pub channels: Vec<Vec<TaskId>>,
    /// For each handler and task, whether the handler is around the task.
    pub scopes: Vec<Vec<bool>>,
    /// Channels in the order in which they are served: what flows out of the network comes first.
    pub priority: Vec<u32>,
    /// For each pair of handlers `a`, `b`, the outer one is `outer[a][b]`.
    pub outer: Vec<Vec<HandlerId>>,
}

/// One automaton and its place in the tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// The task that runs it.
    pub parent: Option<TaskId>,
    /// Those that run with it.
    pub siblings: Vec<TaskId>,
    /// Its automaton.
    pub automaton: Automaton,
    /// Where its function is.
    pub span: Span,
}

/// The states of all tasks.
pub type Global = Box<[u16]>;

/// Unfolding more than this is not worth while.
pub const MAX_STATES: usize = 60_000;

impl Network {
    /// Returns the paper's network, which knows nothing of the data.
    pub fn paper(tree: &Tree, exceptions: bool) -> Network {
        let automata = tree.ids().map(|id| {
            Automaton::build(tree, id, &Unknown, exceptions, usize::MAX)
                .expect("nothing stops an unlimited unfolding")
        });
        Network::new(tree, automata.collect())
    }

    /// Returns the automaton of one task, given what is known of its data, or `None` if it needs
    /// more than `limit` steps of unfolding.
    pub fn refined<V: Values>(
        tree: &Tree,
        id: TaskId,
        values: &V,
        limit: usize,
    ) -> Option<Automaton> {
        let automaton = Automaton::build(tree, id, values, true, limit)?;
        (automaton.states.len() < MAX_STATES).then_some(automaton)
    }

    /// Returns a network of one automaton for each task, in the order of the tasks.
    pub fn new(tree: &Tree, automata: Vec<Automaton>) -> Network {
        let nodes = tree.ids().zip(automata).map(|(id, automaton)| {
            let task = tree.task(id);
            let siblings = match task.parent {
                Some((parent, pc, _)) => tree.task(parent).children[&pc]
                    .iter()
                    .map(|(_, id)| *id)
                    .collect(),
                None => vec![id],
            };
            Node {
                parent: task.parent.map(|(parent, ..)| parent),
                siblings,
                automaton,
                span: task.function.span,
            }
        });
        let nodes = nodes.collect();
        let channels = tree
            .channels
            .iter()
            .map(|channel| channel.tasks.clone())
            .collect();
        let handlers = || (0..tree.handlers.len() as u32).map(HandlerId);
        let mut scopes = vec![vec![false; tree.tasks.len()]; tree.handlers.len()];
        for task in tree.ids() {
            tree.handlers_around(task)
                .iter()
                .for_each(|h| scopes[h.index()][task.index()] = true);
        }
        let outer = handlers()
            .map(|a| handlers().map(|b| tree.outer(a, b)).collect())
            .collect();
        let priority = priorities(tree);
        Network {
            nodes,
            channels,
            scopes,
            priority,
            outer,
        }
    }

    /// Returns all tasks.
    pub fn ids(&self) -> impl Iterator<Item = TaskId> + use<> {
        (0..self.nodes.len() as u32).map(TaskId)
    }

    /// Returns the state of a task in a global state.
    pub fn at<'a>(&'a self, global: &[u16], task: TaskId) -> &'a State {
        self.nodes[task.index()]
            .automaton
            .state(StateId(global[task.index()] as u32))
    }

    /// Returns whether a task has started and not ended.
    pub fn running(global: &[u16], task: TaskId) -> bool {
        let state = StateId(global[task.index()] as u32);
        state != ENTRY && state != EXIT
    }

    /// Returns whether a task does not prevent a rendezvous on a channel.
    pub fn agrees(&self, global: &[u16], task: TaskId, channel: ChannelId) -> bool {
        let active = |child: TaskId| Network::running(global, child) && self.holds(child, channel);
        agrees(&self.at(global, task).kind, channel, active)
    }

    /// Returns whether a task is connected to a channel.
    pub fn holds(&self, task: TaskId, channel: ChannelId) -> bool {
        self.channels[channel.index()].binary_search(&task).is_ok()
    }

    /// Returns whether a rendezvous on a channel is possible.
    pub fn ready(&self, global: &[u16], channel: ChannelId) -> bool {
        self.channels[channel.index()]
            .iter()
            .all(|task| self.agrees(global, *task, channel))
    }

    /// Returns the tasks that wait for a channel.
    pub fn waiting(&self, global: &[u16], channel: ChannelId) -> Vec<TaskId> {
        let tasks = self.channels[channel.index()].iter().copied();
        tasks
            .filter(|t| matches!(self.at(global, *t).kind, Kind::Wait(c, _) if c == channel))
            .collect()
    }

    /// Returns whether a task can be started: its parent is at the statement that runs it.
    pub fn startable(&self, global: &[u16], task: TaskId) -> bool {
        let node = &self.nodes[task.index()];
        global[task.index()] == ENTRY.0 as u16
            && node.parent.is_some_and(
                |p| matches!(&self.at(global, p).kind, Kind::Par(c) if c.contains(&task)),
            )
    }

    /// Returns whether the whole program has ended.
    pub fn ended(global: &[u16]) -> bool {
        global[0] == EXIT.0 as u16
    }

    /// Returns the initial states: the root is at one of its first communications, all other tasks
    /// have not started.
    pub fn initial(&self) -> Vec<(Global, &crate::automaton::Edge)> {
        let root = &self.nodes[0].automaton.state(ENTRY).next;
        let start = vec![ENTRY.0 as u16; self.nodes.len()];
        root.iter()
            .map(|edge| {
                let mut global = start.clone().into_boxed_slice();
                global[0] = edge.to.0 as u16;
                (global, edge)
            })
            .collect()
    }
}

/// Returns whether a task that waits for `kind` does not prevent a rendezvous on a channel;
/// `active` says which tasks run and are connected to it.
pub fn agrees(kind: &Kind, channel: ChannelId, active: impl Fn(TaskId) -> bool) -> bool {
    match kind {
        Kind::Entry | Kind::Exit => true,
        Kind::Wait(waited, _) => *waited == channel,
        Kind::Par(children) => children.iter().any(|child| active(*child)),
        Kind::Spin | Kind::Compute | Kind::Stuck | Kind::Thrown(_) => false,
    }
}

/// Numbers channels so that those further down the flow of data come first: then a network holds
/// little data at a time, and few states arise. A channel is further down than another if a task
/// receives from the other and sends on it.
fn priorities(tree: &Tree) -> Vec<u32> {
    let count = tree.channels.len();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
    for task in &tree.tasks {
        let mut ends: (Vec<usize>, Vec<usize>) = Default::default();
        for instr in &task.function.code {
            match instr.op {
                Op::Receive(var) => ends.0.push(task.channel(var).index()),
                Op::Send(var) => ends.1.push(task.channel(var).index()),
                _ => {}
            }
        }
        for from in &ends.0 {
            after[*from].extend(&ends.1);
        }
    }
    let mut rank = vec![u32::MAX; count];
    let mut visited = vec![false; count];
    let mut next = 0;
    for start in 0..count {
        let mut stack = vec![(start, false)];
        while let Some((channel, done)) = stack.pop() {
            if done {
                rank[channel] = next;
                next += 1;
            } else if !std::mem::replace(&mut visited[channel], true) {
                stack.push((channel, true));
                stack.extend(
                    after[channel]
                        .iter()
                        .filter(|c| !visited[**c])
                        .map(|c| (*c, false)),
                );
            }
        }
    }
    rank
}
