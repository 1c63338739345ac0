//! The paper's model explored state by state: all tasks move together in each cycle.
//!
//! A state is where every task is, and which tasks moved in the cycle before. The program may
//! deadlock if some reachable state has no moved task while the root has not ended; it must
//! deadlock if no path from any first state avoids such states forever.

use crate::automaton::{ENTRY, EXIT, Edge, Kind};
use crate::network::Network;
use crate::tree::TaskId;
use rustc_hash::FxHashMap;

/// What the exploration found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// No reachable state is a deadlock (AG).
    pub always_moves: bool,
    /// Some path avoids deadlocks (EG, from some first state).
    pub can_avoid: bool,
    /// Reachable states.
    pub states: u64,
    /// Moves between them.
    pub transitions: u64,
}

/// Where every task is, then one bit for each task that moved.
type Key = Box<[u16]>;

/// Explores the model, or returns `None` if it has more than `limit` states.
pub fn explore(network: &Network, limit: usize) -> Option<Outcome> {
    let count = network.nodes.len();
    let mut search = Search {
        network,
        limit,
        keys: Vec::new(),
        known: FxHashMap::default(),
    };
    let moved = vec![u16::MAX; count.div_ceil(16)];
    for (global, _) in network.initial() {
        let mut key = global.to_vec();
        key.extend(mask(&moved, count));
        search.add(key)?;
    }
    let initial = search.keys.len();
    let mut edges: Vec<Vec<u32>> = Vec::new();
    let mut next = 0;
    while next < search.keys.len() {
        let targets = search.successors(next)?;
        edges.push(targets);
        next += 1;
    }
    let stuck: Vec<bool> = search.keys.iter().map(|key| is_stuck(key, count)).collect();
    let seeds = (0..edges.len()).filter(|state| stuck[*state]);
    let attracted = crate::attractor::attractor(edges.len(), |state| &edges[state], seeds);
    Some(Outcome {
        always_moves: !stuck.contains(&true),
        can_avoid: attracted[..initial].contains(&false),
        states: search.keys.len() as u64,
        transitions: edges.iter().map(|targets| targets.len() as u64).sum(),
    })
}

fn mask(bits: &[u16], count: usize) -> Vec<u16> {
    let last = bits.len() - 1;
    let keep = |(i, word): (usize, &u16)| {
        if i == last {
            *word & (u16::MAX >> (bits.len() * 16 - count))
        } else {
            *word
        }
    };
    bits.iter().enumerate().map(keep).collect()
}

fn is_stuck(key: &[u16], count: usize) -> bool {
    !Network::ended(key) && key[count..].iter().all(|word| *word == 0)
}

struct Search<'a> {
    network: &'a Network,
    limit: usize,
    keys: Vec<Key>,
    known: FxHashMap<Key, u32>,
}

impl Search<'_> {
    fn add(&mut self, key: Vec<u16>) -> Option<u32> {
        let key = key.into_boxed_slice();
        if let Some(id) = self.known.get(&key) {
            return Some(*id);
        }
        if self.keys.len() >= self.limit {
            return None;
        }
        let id = self.keys.len() as u32;
        self.keys.push(key.clone());
        self.known.insert(key, id);
        Some(id)
    }

    fn successors(&mut self, index: usize) -> Option<Vec<u32>> {
        let count = self.network.nodes.len();
        let key = self.keys[index].clone();
        let mut next = key[..count].to_vec();
        let mut moved = vec![0u16; count.div_ceil(16)];
        let mut choices: Vec<(usize, Vec<u16>)> = Vec::new();
        for task in self.network.ids() {
            let Some(targets) = moves(self.network, &key, task) else {
                continue;
            };
            let index = task.index();
            moved[index / 16] |= 1 << (index % 16);
            match targets[..] {
                [only] => next[index] = only,
                _ => choices.push((index, targets)),
            }
        }
        next.extend(moved);
        let mut targets = Vec::new();
        let mut digits = vec![0usize; choices.len()];
        loop {
            for ((index, options), digit) in choices.iter().zip(&digits) {
                next[*index] = options[*digit];
            }
            let id = self.add(next.clone())?;
            if !targets.contains(&id) {
                targets.push(id);
            }
            let Some(place) = (0..digits.len()).find(|i| digits[*i] + 1 < choices[*i].1.len())
            else {
                break;
            };
            digits[place] += 1;
            digits[..place].fill(0);
        }
        Some(targets)
    }
}

/// Returns the states to which a task can move in this cycle, or `None` if it stays.
pub fn moves(network: &Network, global: &[u16], task: TaskId) -> Option<Vec<u16>> {
    let state = network.at(global, task);
    let exited = |tasks: &[TaskId]| tasks.iter().all(|t| global[t.index()] == EXIT.0 as u16);
    let free = match &state.kind {
        Kind::Entry => network.startable(global, task),
        Kind::Exit if task.index() > 0 && exited(&network.nodes[task.index()].siblings) => {
            return Some(vec![ENTRY.0 as u16]);
        }
        Kind::Exit | Kind::Stuck | Kind::Thrown(_) => false,
        Kind::Spin => return Some(vec![global[task.index()]]),
        Kind::Par(children) => exited(children),
        Kind::Compute => true,
        Kind::Wait(channel, _) => network.ready(global, *channel),
    };
    free.then(|| targets(&state.next))
}

fn targets(edges: &[Edge]) -> Vec<u16> {
    edges.iter().map(|edge| edge.to.0 as u16).collect()
}
