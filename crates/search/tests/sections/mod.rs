//! Graphs whose nodes have open sections, and what hangs in them by the definition, written down
//! plainly.

use impasse_search::{Search, Strategy as Order, Verdict};
use impasse_transition_system::{
    Branch, Edge, Ends, Key, Path, Sink, StepEnd, SuccessorFilter, TransitionSystem,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

/// A graph whose nodes have open sections; node 0 is initial.
#[derive(Clone, Debug)]
pub struct SectionGraph {
    pub nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
pub struct Node {
    /// The keys open here, one a bit.
    pub open: u8,
    pub exits: Vec<Exit>,
}

#[derive(Clone, Debug)]
pub enum Exit {
    To {
        target: u16,
        ends: u8,
        program: bool,
        input: bool,
    },
    Omission,
    Fault,
}

pub fn keys(bits: u8) -> impl Iterator<Item = Key> {
    (0..8u64).filter(move |bit| bits & 1 << bit != 0).map(Key)
}

pub fn node(state: &[u8]) -> usize {
    usize::from(u16::from_le_bytes(state.try_into().unwrap()))
}

impl TransitionSystem for SectionGraph {
    type Worker = ();
    type Fault = ();
    type Omission = ();

    fn worker(&self) {}

    fn initial(&self, _: &mut (), sink: &mut dyn Sink<Self>) {
        sink.edge(Edge::to(&0u16.to_le_bytes()));
    }

    fn successors(&self, _: &mut (), state: &[u8], sink: &mut dyn Sink<Self>) {
        for (label, group) in (0..).zip(self.groups(node(state))) {
            emit(group, label, sink);
        }
    }

    fn lazy_successors(&self, _: &mut (), state: &[u8], sink: &mut dyn SuccessorFilter<Self>) {
        let groups: Vec<&[Exit]> = self.groups(node(state)).collect();
        let mut left: Vec<u32> = (0..groups.len() as u32).collect();
        while let Some(label) = sink.next_label(&left) {
            left.retain(|&other| other != label);
            emit(groups[label as usize], label, sink);
        }
    }

    fn open_sections(&self, _: &mut (), state: &[u8], open: &mut Vec<Key>) {
        open.extend(keys(self.nodes[node(state)].open));
    }
}

/// Emits a group of exits.
fn emit(group: &[Exit], label: u32, sink: &mut dyn Sink<SectionGraph>) {
    for exit in group {
        let Exit::To {
            target,
            ends,
            program,
            input,
        } = *exit
        else {
            match exit {
                Exit::Fault => sink.fault(()),
                _ => sink.omission(()),
            }
            continue;
        };
        let ended: Vec<Key> = keys(ends).collect();
        sink.edge(Edge {
            target: &target.to_le_bytes(),
            label,
            branch: if input {
                Branch::Input
            } else {
                Branch::Schedule
            },
            ends: if program {
                Ends::Program
            } else {
                Ends::Sections(&ended)
            },
            silent: false,
        });
    }
}

pub type Pair = (usize, Key);

impl SectionGraph {
    /// The groups of exits of a node.
    pub fn groups(&self, node: usize) -> impl Iterator<Item = &[Exit]> {
        let is_input = |exit: &Exit| matches!(exit, Exit::To { input: true, .. });
        self.nodes[node]
            .exits
            .chunk_by(move |_, next| is_input(next))
    }

    fn reachable(&self, from: usize) -> BTreeSet<usize> {
        let mut reachable = BTreeSet::from([from]);
        loop {
            let before = reachable.len();
            for from in reachable.clone() {
                for exit in &self.nodes[from].exits {
                    if let Exit::To { target, .. } = exit {
                        reachable.insert(usize::from(*target));
                    }
                }
            }
            if reachable.len() == before {
                return reachable;
            }
        }
    }

    /// The reachable pairs of a node and a section open in it.
    pub fn pairs(&self) -> BTreeSet<Pair> {
        self.pairs_from(0)
    }

    fn pairs_from(&self, from: usize) -> BTreeSet<Pair> {
        let nodes = self.reachable(from).into_iter();
        nodes
            .flat_map(|node| keys(self.nodes[node].open).map(move |key| (node, key)))
            .collect()
    }

    fn exit_can_end(&self, exit: &Exit, key: Key, can_end: &BTreeSet<Pair>) -> bool {
        match *exit {
            Exit::Omission => true,
            Exit::Fault => false,
            Exit::To {
                target,
                ends,
                program,
                ..
            } => {
                let target = usize::from(target);
                let stays_open = keys(self.nodes[target].open).any(|open| open == key);
                program
                    || keys(ends).any(|end| end == key)
                    || !stays_open
                    || can_end.contains(&(target, key))
            }
        }
    }

    /// The pairs from which the section cannot end: what the definition calls nonterminating.
    pub fn hanging(&self) -> BTreeSet<Pair> {
        self.hanging_from(0)
    }

    pub fn hanging_from(&self, from: usize) -> BTreeSet<Pair> {
        let pairs = self.pairs_from(from);
        let mut can_end = BTreeSet::new();
        loop {
            let more: BTreeSet<Pair> = pairs
                .iter()
                .copied()
                .filter(|&(node, key)| {
                    let exits = &self.nodes[node].exits;
                    let is_input = |exit: &Exit| matches!(exit, Exit::To { input: true, .. });
                    exits.chunk_by(|_, next| is_input(next)).any(|group| {
                        group
                            .iter()
                            .all(|exit| self.exit_can_end(exit, key, &can_end))
                    })
                })
                .collect();
            if more == can_end {
                return pairs.difference(&can_end).copied().collect();
            }
            can_end = more;
        }
    }

    pub fn search(&self, order: Order, threads: usize) -> (Verdict<()>, u64) {
        let threads = NonZeroUsize::new(threads).unwrap();
        let outcome = Search::new(self).strategy(order).threads(threads).run();
        (outcome.verdict, outcome.statistics.states)
    }

    /// The node that a path leads to.
    pub fn end(&self, path: &Path) -> usize {
        let mut last = None;
        path.replay(self, |step| match step.end {
            StepEnd::State { target, .. } => last = Some(node(target)),
            StepEnd::Fault(()) => unreachable!("there are no faults"),
        })
        .unwrap();
        last.unwrap()
    }

    /// Checks that the verdict is a hang of the definition, or that there is none.
    pub fn assert_right(&self, verdict: &Verdict<()>, hanging: &BTreeSet<Pair>) {
        match verdict {
            Verdict::Exhausted => assert_eq!(*hanging, BTreeSet::new()),
            Verdict::Hang { section, path } => {
                let pair = (self.end(path), *section);
                assert!(hanging.contains(&pair), "{pair:?} is not among {hanging:?}");
            }
            verdict => panic!("unexpected: {verdict:?}"),
        }
    }

    /// This graph and a counter that counts to `limit` beside it; while it counts, it is in a
    /// section of its own if `counted`.
    pub fn beside_counter(&self, limit: u16, counted: bool) -> SectionGraph {
        let mut nodes = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            for count in 0..=limit {
                let width = limit + 1;
                let mut node = node.clone();
                for exit in &mut node.exits {
                    if let Exit::To { target, .. } = exit {
                        *target = *target * width + count;
                    }
                }
                if count < limit {
                    node.open |= u8::from(counted) << 7;
                    node.exits.push(Exit::To {
                        target: index as u16 * width + count + 1,
                        ends: 0,
                        program: false,
                        input: false,
                    });
                }
                nodes.push(node);
            }
        }
        SectionGraph { nodes }
    }
}

/// What occurs in generated graphs.
#[derive(Clone, Copy)]
pub struct Kind {
    pub nodes: u16,
    pub degree: usize,
    pub inputs: bool,
    pub omissions: bool,
}

pub fn graphs(kind: Kind) -> impl Strategy<Value = SectionGraph> {
    (1..kind.nodes).prop_flat_map(move |count| {
        let ends = prop_oneof![3 => Just(0), 1 => 0..16u8];
        let program = prop::bool::weighted(0.02);
        let input = prop::bool::weighted(if kind.inputs { 0.4 } else { 0.0 });
        let edge =
            (0..count, ends, program, input).prop_map(|(target, ends, program, input)| Exit::To {
                target,
                ends,
                program,
                input,
            });
        let exit = prop_oneof![20 => edge, u32::from(kind.omissions) => Just(Exit::Omission)];
        let node =
            (0..16u8, vec(exit, 0..=kind.degree)).prop_map(|(open, exits)| Node { open, exits });
        vec(node, usize::from(count)).prop_map(|nodes| SectionGraph { nodes })
    })
}

pub const SMALL: Kind = Kind {
    nodes: 12,
    degree: 3,
    inputs: false,
    omissions: false,
};
pub const LARGE: Kind = Kind {
    nodes: 1500,
    degree: 4,
    inputs: false,
    omissions: false,
};

/// A chain that ends, in which everything stays open to the last edge but one; it branches off into
/// a loop at `leak`.
pub fn chain(length: u16, leak: Option<u16>) -> SectionGraph {
    let to = |target| Exit::To {
        target,
        ends: 0,
        program: false,
        input: false,
    };
    let mut nodes: Vec<Node> = (0..length)
        .map(|index| Node {
            open: 0b111,
            exits: vec![to(index + 1)],
        })
        .collect();
    nodes.push(Node {
        open: 0,
        exits: vec![],
    });
    if let Some(leak) = leak {
        let around = nodes.len() as u16;
        nodes[usize::from(leak)].exits.push(to(around));
        nodes.push(Node {
            open: 0b010,
            exits: vec![to(around)],
        });
    }
    SectionGraph { nodes }
}
