//! Divergence: states from which only silent transitions can ever be taken.
//!
//! A transition is *silent* if it changes nothing that another thread could observe
//! (`Edge::silent`). A system that can only take silent transitions from some state on, and always
//! has one, does nothing any more: every thread that still runs waits for a change that no thread
//! makes. (A. W. Roscoe, *The Theory and Practice of Concurrency*, Prentice Hall 1998, calls an
//! endless sequence of hidden actions divergence.)
//!
//! A state is *silent* if all its transitions but non-progress edges are. A silent state diverges
//! unless it leads, through silent states, to a state that is not silent: one with a change, an end
//! or no transition, or one that is not expanded yet. This is backward reachability among the
//! silent states, so a divergent state stays divergent whatever the search finds later.
//!
//! *Memory.* The search keeps the targets of silent states. One that leads to an expanded state
//! which is not silent *escapes* whatever the search finds later, and so does one that leads to it.
//! Such states are forgotten each time the number of words has doubled: a state that is expanded
//! and not kept is then not silent, or escapes. What is left lies near the frontier, and all
//! forgetting together takes as long as reading each word a few times.
//!
//! It does not matter who selects a transition. If an input leads from a silent state to divergent
//! ones, the search finds these.

use crate::findings::Place;
use impasse_store::Id;
use rustc_hash::FxHashMap;
use std::sync::Mutex;

/// Words that are kept before any are forgotten.
const FEW: usize = 8;

/// The silent states that were expanded and may diverge, and where they lead.
#[derive(Default)]
pub(crate) struct Silent {
    /// For each: its id, the number of its targets, and these.
    states: Mutex<Vec<u32>>,
    /// How many words there were when states were forgotten last.
    kept: usize,
}

/// Silent states that one thread has expanded.
#[derive(Default)]
pub(crate) struct Batch(Vec<u32>);

impl Batch {
    /// Adds a silent state with its targets.
    pub(crate) fn add(&mut self, state: Id, targets: impl Iterator<Item = Id>) {
        self.0.extend([state.0, 0]);
        let count = self.0.len() - 1;
        self.0.extend(targets.map(|target| target.0));
        self.0[count] = (self.0.len() - count - 1) as u32;
    }
}

impl Silent {
    /// Adds the states of a batch and empties it.
    pub(crate) fn take(&self, batch: &mut Batch) {
        if !batch.0.is_empty() {
            let mut states = self
                .states
                .lock()
                .expect("no thread panics while it holds the lock");
            states.append(&mut batch.0);
        }
    }

    /// Forgets states that certainly escape, if there are twice as many words as after the last
    /// time. Every silent state that is expanded must have been added.
    pub(crate) fn forget_escaping(&mut self, is_expanded: impl Fn(Id) -> bool) {
        let words = self
            .states
            .get_mut()
            .expect("no thread panics while it holds the lock");
        if words.len() < 2 * self.kept.max(FEW) {
            return;
        }
        let escapes = Graph::new(words, is_expanded).escapes();
        let mut kept = Vec::new();
        for ((state, targets), _) in Records(words).zip(escapes).filter(|(_, escapes)| !escapes) {
            kept.extend([state.0, targets.len() as u32]);
            kept.extend(targets);
        }
        self.kept = kept.len();
        kept.reserve_exact(self.kept.max(FEW));
        *words = kept;
    }

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let states = self
            .states
            .lock()
            .expect("no thread panics while it holds the lock");
        (states.capacity() * size_of::<u32>()) as u64
    }

    /// The divergent states with their places, the nearest first.
    pub(crate) fn divergent(&self, place: impl Fn(Id) -> Place) -> Vec<(Place, Id)> {
        let words = self
            .states
            .lock()
            .expect("no thread panics while it holds the lock");
        let graph = Graph::new(&words, |_| true);
        let escapes = graph.escapes();
        let diverging = graph.states.iter().zip(escapes);
        let diverging = diverging.filter(|(_, escapes)| !escapes);
        let placed = diverging.map(|(&state, _)| (place(state), state));
        let mut placed: Vec<(Place, Id)> = placed.collect();
        placed.sort_unstable();
        placed
    }
}

/// The silent states, numbered.
struct Graph {
    states: Vec<Id>,
    /// By number, the silent states that lead to it.
    sources: Vec<Vec<u32>>,
    /// The states that lead to one that is not among them and counts as not silent.
    exits: Vec<u32>,
}

impl Graph {
    /// The graph of these words. Of the other states those count as not silent that `escapes` says.
    fn new(words: &[u32], escapes: impl Fn(Id) -> bool) -> Graph {
        let records = || Records(words);
        let states: Vec<Id> = records().map(|(state, _)| state).collect();
        let numbers: FxHashMap<u32, u32> = states.iter().map(|state| state.0).zip(0..).collect();
        let mut graph = Graph {
            sources: vec![Vec::new(); states.len()],
            exits: Vec::new(),
            states,
        };
        for (number, (_, targets)) in (0..).zip(records()) {
            for target in targets {
                match numbers.get(target) {
                    Some(&target) => graph.sources[target as usize].push(number),
                    None if escapes(Id(*target)) => graph.exits.push(number),
                    None => {}
                }
            }
        }
        graph
    }

    /// By number, whether a state leads to an exit.
    fn escapes(&self) -> Vec<bool> {
        let mut escapes = vec![false; self.states.len()];
        let mut pending = self.exits.clone();
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut escapes[state as usize], true) {
                pending.extend(&self.sources[state as usize]);
            }
        }
        escapes
    }
}

/// Reads the states of [`Silent`].
struct Records<'a>(&'a [u32]);

impl<'a> Iterator for Records<'a> {
    type Item = (Id, &'a [u32]);

    fn next(&mut self) -> Option<Self::Item> {
        let (&[state, count], rest) = self.0.split_first_chunk()?;
        let (targets, rest) = rest.split_at(count as usize);
        self.0 = rest;
        Some((Id(state), targets))
    }
}
