//! States from which only silent transitions lead, and programs that cannot always end, as the
//! search finds them on random graphs, against the definitions written down plainly.

use impasse_search::{Search, Strategy as Order, Verdict};
use impasse_transition_system::{Branch, Edge, Ends, Key, Sink, TransitionSystem};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroUsize;

/// A graph; node 0 is initial. Nodes without exits are ends.
#[derive(Clone, Debug)]
struct Graph(Vec<Vec<Exit>>);

#[derive(Clone, Copy, Debug)]
struct Exit {
    target: u16,
    branch: Branch,
    ends: bool,
    silent: bool,
}

impl Exit {
    fn edge<'a>(&self, target: &'a [u8]) -> Edge<'a> {
        Edge {
            branch: self.branch,
            ends: match self.ends {
                true => Ends::Program,
                false => Ends::Sections(&[]),
            },
            silent: self.silent,
            ..Edge::to(target)
        }
    }
}

impl TransitionSystem for Graph {
    type Worker = ();
    type Fault = ();
    type Omission = ();

    fn worker(&self) {}

    fn initial(&self, _: &mut (), sink: &mut dyn Sink<Self>) {
        sink.edge(Edge::to(&0u16.to_le_bytes()));
    }

    fn successors(&self, _: &mut (), state: &[u8], sink: &mut dyn Sink<Self>) {
        for exit in &self.0[node(state)] {
            sink.edge(exit.edge(&exit.target.to_le_bytes()));
        }
    }

    fn open_sections(&self, _: &mut (), state: &[u8], open: &mut Vec<Key>) {
        if !self.0[node(state)].is_empty() {
            open.push(Key::PROGRAM);
        }
    }
}

/// A graph each node of which has a drained twin: the same without non-progress edges.
#[derive(Clone, Debug)]
struct Drainable(Graph);

/// Mark of a drained node.
const DRAINED: u16 = 1 << 15;

impl TransitionSystem for Drainable {
    type Worker = ();
    type Fault = ();
    type Omission = ();

    fn worker(&self) {}

    fn initial(&self, _: &mut (), sink: &mut dyn Sink<Self>) {
        sink.edge(Edge::to(&0u16.to_le_bytes()));
    }

    fn successors(&self, _: &mut (), state: &[u8], sink: &mut dyn Sink<Self>) {
        let drained = node(state) as u16 & DRAINED;
        let exits = self.0.0[node(state) & !usize::from(DRAINED)].iter();
        for exit in exits.filter(|exit| drained == 0 || exit.branch != Branch::NonProgress) {
            sink.edge(exit.edge(&(exit.target | drained).to_le_bytes()));
        }
    }

    fn open_sections(&self, _: &mut (), state: &[u8], open: &mut Vec<Key>) {
        if !self.0.0[node(state) & !usize::from(DRAINED)].is_empty() {
            open.push(Key::PROGRAM);
        }
    }

    fn drain(&self, _: &mut (), state: &[u8], sink: &mut dyn Sink<Self>) {
        let node = node(state) as u16;
        if node & DRAINED == 0 {
            sink.edge(Edge::to(&(node | DRAINED).to_le_bytes()));
        }
    }
}

fn node(state: &[u8]) -> usize {
    usize::from(u16::from_le_bytes(state.try_into().unwrap()))
}

impl Graph {
    /// The nodes that can be reached from one through some exits, with their distances.
    fn reachable(&self, from: usize, follows: impl Fn(&Exit) -> bool) -> BTreeMap<usize, usize> {
        let mut found = BTreeMap::from([(from, 0)]);
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for exit in self.0[node].iter().filter(|exit| follows(exit)) {
                let target = usize::from(exit.target);
                if !found.contains_key(&target) {
                    found.insert(target, found[&node] + 1);
                    queue.push_back(target);
                }
            }
        }
        found
    }

    /// Whether all that ever leaves a node, but by chance, is silent, and there always is
    /// something.
    fn diverges(&self, node: usize) -> bool {
        let relied_on = |exit: &Exit| exit.branch != Branch::NonProgress;
        let reachable = self.reachable(node, relied_on);
        reachable.keys().all(|&node| {
            let mut exits = self.0[node]
                .iter()
                .filter(|exit| relied_on(exit))
                .peekable();
            exits.peek().is_some() && exits.all(|exit| exit.silent && !exit.ends)
        })
    }

    /// By node, whether the program can end from there: in some group that the scheduler can
    /// choose, whatever the input.
    fn can_end(&self) -> Vec<bool> {
        let mut can: Vec<bool> = self.0.iter().map(Vec::is_empty).collect();
        loop {
            let before = can.clone();
            for (node, exits) in self.0.iter().enumerate() {
                let relied_on: Vec<&Exit> = exits
                    .iter()
                    .filter(|e| e.branch != Branch::NonProgress)
                    .collect();
                let mut groups = relied_on.chunk_by(|_, exit| exit.branch == Branch::Input);
                let ends = |exit: &&Exit| exit.ends || before[usize::from(exit.target)];
                can[node] |= groups.any(|group| group.iter().all(ends));
            }
            if can == before {
                return can;
            }
        }
    }
}

fn graphs(size: u16, noise: u32) -> impl Strategy<Value = Graph> {
    (1..=size).prop_flat_map(move |size| {
        let branch = prop_oneof![6 => Just(Branch::Schedule), 1 => Just(Branch::Input), 1 => Just(Branch::NonProgress)];
        let silent = prop_oneof![10 => Just(true), noise => Just(false)];
        let exit = (0..size, branch, prop::bool::weighted(0.05), silent);
        let exit = exit.prop_map(|(target, branch, ends, silent)| Exit { target, branch, ends, silent });
        let exits = vec(exit, 0..4).prop_map(|mut exits| {
            // An input is an alternative to what comes before it.
            let first = exits.iter_mut().find(|exit| exit.branch != Branch::NonProgress);
            if let Some(first) = first {
                first.branch = Branch::Schedule;
            }
            exits
        });
        vec(exits, usize::from(size)).prop_map(Graph)
    })
}

const THREADS: [NonZeroUsize; 2] = [NonZeroUsize::MIN, NonZeroUsize::new(3).unwrap()];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_nearest_divergent_state_is_found(graph in graphs(30, 3)) {
        let reachable = graph.reachable(0, |_| true);
        let diverging = reachable.iter().filter(|(node, _)| graph.diverges(**node));
        let nearest = diverging.map(|(_, distance)| *distance).min();
        for threads in THREADS {
            let outcome = Search::new(&graph).strategy(Order::LivenessFixpoint).note(Key::PROGRAM).threads(threads).run();
            match outcome.verdict {
                Verdict::Hang { section, path } => {
                    prop_assert_eq!(section, Key::PROGRAM);
                    prop_assert_eq!(Some(path.ordinals().len() - 1), nearest);
                }
                verdict => {
                    prop_assert_eq!(verdict, Verdict::Exhausted);
                    prop_assert_eq!(nearest, None);
                }
            }
        }
    }

    #[test]
    fn programs_that_cannot_always_end_are_noted(graph in graphs(30, 30)) {
        let reachable = graph.reachable(0, |_| true);
        let can_end = graph.can_end();
        let endless = reachable.keys().any(|&node| !can_end[node]);
        for threads in THREADS {
            let outcome = Search::new(&graph).strategy(Order::LivenessFixpoint).note(Key::PROGRAM).threads(threads).run();
            if outcome.verdict == Verdict::Exhausted {
                prop_assert_eq!(outcome.noted_may_hang, endless);
            }
            let graph = Drainable(graph.clone());
            let outcome = Search::new(&graph).strategy(Order::LivenessFixpoint).note(Key::PROGRAM).threads(threads).run();
            if outcome.verdict == Verdict::Exhausted {
                prop_assert_eq!(outcome.noted_may_hang, endless);
            }
        }
    }
}
