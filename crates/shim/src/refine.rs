//! Networks of automata that know their data, as small as their behaviour allows.

use crate::automaton::{Automaton, Edge, Kind, State, StateId};
use crate::data::{Arguments, Knowledge};
use crate::ir::{Pc, Program};
use crate::network::Network;
use crate::tree::{HandlerId, TaskId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

/// How far a task's code may be unfolded.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Steps of one unfolding.
    pub steps: usize,
    /// States of one automaton.
    pub states: usize,
}

/// Enough for tests that guard sends and receives alike, and for short loops.
pub const QUICK: Limits = Limits {
    steps: 2_000,
    states: 1_000,
};
/// Enough for long loops with known bounds.
pub const THOROUGH: Limits = Limits {
    steps: 60_000,
    states: 20_000,
};

/// How many places may be given up before a task's data are.
const MAX_TRIES: usize = 12;

/// Returns the network in which every task knows its own data, as far as that stays within the
/// limits.
pub fn network(program: &Program, tree: &Tree, limits: Limits) -> Network {
    let mut passed: Vec<Arguments> = Vec::new();
    let mut automata = Vec::new();
    for id in tree.ids() {
        let task = tree.task(id);
        let mut start = tree.instances[task.instance.index()].constants.clone();
        if let Some((parent, pc, position)) = task.parent
            && let Some(known) = passed[parent.index()].get(&(pc, position))
        {
            start.iter_mut().zip(known).for_each(|(a, b)| *a = a.or(*b));
        }
        let (automaton, arguments) = unfold(program, tree, id, start, limits);
        automata.push(minimise(&automaton));
        passed.push(arguments);
    }
    Network::new(tree, automata)
}

/// Unfolds a task; places with too many numbers are given up one by one.
fn unfold(
    program: &Program,
    tree: &Tree,
    id: TaskId,
    start: Vec<Option<i64>>,
    limits: Limits,
) -> (Automaton, Arguments) {
    let mut opaque = FxHashSet::default();
    for _ in 0..MAX_TRIES {
        let knowledge = Knowledge::new(program, tree, id, start.clone(), opaque.clone());
        let built = Automaton::build(tree, id, &knowledge, true, limits.steps);
        if let Some(automaton) = built.filter(|automaton| automaton.states.len() <= limits.states) {
            return (automaton, knowledge.arguments());
        }
        let busiest = knowledge.busiest();
        if busiest.is_empty() {
            break;
        }
        opaque.extend(busiest);
    }
    let plain = Automaton::build(tree, id, &crate::automaton::Unknown, true, usize::MAX);
    (
        plain.expect("nothing stops an unlimited unfolding"),
        Arguments::new(),
    )
}

/// What the class of a state depends on.
type Signature = (u32, Vec<u32>, Vec<(HandlerId, Vec<u32>)>);

/// Merges states of the same place in the program from which the same can follow.
fn minimise(automaton: &Automaton) -> Automaton {
    let states = &automaton.states;
    let mut first: FxHashMap<(&Kind, Pc), u32> = FxHashMap::default();
    let mut class: Vec<u32> = Vec::with_capacity(states.len());
    for state in states {
        let fresh = first.len() as u32;
        class.push(*first.entry((&state.kind, state.pc)).or_insert(fresh));
    }
    let mut count = first.len();
    loop {
        let mut known: FxHashMap<Signature, u32> = FxHashMap::default();
        let classes = |edges: &[Edge]| {
            let mut targets: Vec<u32> = edges.iter().map(|edge| class[edge.to.index()]).collect();
            targets.sort_unstable();
            targets.dedup();
            targets
        };
        let next: Vec<u32> = states
            .iter()
            .enumerate()
            .map(|(index, state)| {
                let caught = state
                    .caught
                    .iter()
                    .map(|(handler, edges)| (*handler, classes(edges)))
                    .collect();
                let fresh = known.len() as u32;
                *known
                    .entry((class[index], classes(&state.next), caught))
                    .or_insert(fresh)
            })
            .collect();
        if known.len() == count {
            return quotient(automaton, &class, count);
        }
        count = known.len();
        class = next;
    }
}

fn quotient(automaton: &Automaton, class: &[u32], count: usize) -> Automaton {
    let mut position: Vec<Option<StateId>> = vec![None; count];
    let mut chosen = Vec::new();
    for (index, class) in class.iter().enumerate() {
        if position[*class as usize].is_none() {
            position[*class as usize] = Some(StateId(chosen.len() as u32));
            chosen.push(index);
        }
    }
    let edges = |edges: &[Edge]| {
        let mut out: Vec<Edge> = Vec::new();
        for edge in edges {
            let to = position[class[edge.to.index()] as usize].expect("every class has a state");
            if out.iter().all(|other| other.to != to) {
                out.push(Edge {
                    to,
                    decisions: edge.decisions.clone(),
                });
            }
        }
        out
    };
    let states = chosen.into_iter().map(|index| {
        let state = &automaton.states[index];
        let caught = state
            .caught
            .iter()
            .map(|(handler, caught)| (*handler, edges(caught)))
            .collect();
        State {
            next: edges(&state.next),
            caught,
            ..state.clone()
        }
    });
    Automaton {
        states: states.collect(),
    }
}
