//! The search over several workers, compared with the one of one machine on random graphs.

use impasse_distribute::breadth_first;
use impasse_search::{Search, Verdict};
use impasse_transition_system::{Edge, Sink, StepEnd, TransitionSystem};
use std::num::NonZeroU32;
use std::sync::Arc;

/// For each node its targets, and possibly a fault. Node 0 is initial.
struct Graph(Vec<(Vec<u16>, Option<u8>, Option<u8>)>);

impl TransitionSystem for Graph {
    type Worker = ();
    type Fault = u8;
    type Omission = u8;

    fn worker(&self) {}

    fn initial(&self, _: &mut (), sink: &mut dyn Sink<Self>) {
        sink.edge(Edge::to(&0u16.to_le_bytes()));
    }

    fn successors(&self, _: &mut (), state: &[u8], sink: &mut dyn Sink<Self>) {
        let (targets, fault, omission) = &self.0[u16::from_le_bytes([state[0], state[1]]) as usize];
        targets
            .iter()
            .for_each(|to| sink.edge(Edge::to(&to.to_le_bytes())));
        fault.iter().for_each(|fault| sink.fault(*fault));
        omission.iter().for_each(|reason| sink.omission(*reason));
    }
}

/// A linear congruential generator, so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn graph(&mut self) -> Graph {
        let nodes = 1 + self.below(300);
        let faulty = self.below(2) == 0;
        let node = |_| {
            let targets = (0..self.below(4))
                .map(|_| self.below(nodes) as u16)
                .collect();
            let fault = (faulty && self.below(20) == 0).then(|| self.below(3) as u8);
            let omission = (self.below(50) == 0).then(|| self.below(3) as u8);
            (targets, fault, omission)
        };
        Graph((0..nodes).map(node).collect())
    }
}

#[test]
fn agrees_with_one_machine() {
    let graphs = std::env::var("IMPASSE_PROGRAMS").map_or(100, |n| n.parse().unwrap());
    let mut random = Random(1);
    let (mut refuted, mut deep) = (0, 0);
    for _ in 0..graphs {
        let graph = Arc::new(random.graph());
        let one = Search::new(&*graph).run();
        for workers in 1..=4 {
            let all = breadth_first(graph.clone(), NonZeroU32::new(workers).unwrap()).unwrap();
            assert_eq!(all.states.iter().sum::<u64>(), one.statistics.states);
            assert_eq!(all.transitions, one.statistics.transitions);
            assert_eq!(all.depth, one.statistics.depth);
            assert_eq!(all.terminal, one.statistics.terminal);
            assert!(all.omissions.iter().eq(&one.omissions));
            match (&all.fault, &one.verdict) {
                (None, Verdict::Exhausted) => deep += u32::from(all.depth > 5),
                (
                    Some((fault, path)),
                    Verdict::Fault {
                        fault: expected,
                        path: shortest,
                    },
                ) => {
                    refuted += 1;
                    assert_eq!(fault, expected);
                    assert_eq!(path.ordinals().len(), shortest.ordinals().len());
                    assert_eq!(replayed(&graph, path), Some(*fault));
                }
                (found, expected) => panic!("{found:?} instead of {expected:?}"),
            }
        }
    }
    assert!(refuted > 0 && deep > 0, "the graphs are too simple");
}

/// Returns the fault that a path ends with.
fn replayed(graph: &Graph, path: &impasse_transition_system::Path) -> Option<u8> {
    let mut last = None;
    let _ = path.replay(graph, |step| {
        last = match step.end {
            StepEnd::Fault(fault) => Some(fault),
            StepEnd::State { .. } => None,
        };
    });
    last
}
