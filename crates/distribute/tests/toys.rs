//! The search over several workers, compared with the one of one machine on random graphs.

mod common;

use common::with_team;
use impasse_distribute::{Bounds, Outcome, explore};
use impasse_limits::StopReason;
use impasse_search::{LiveStatistics, Search, Verdict};
use impasse_transition_system::{Edge, Malformed, Portable, Sink, StepEnd, TransitionSystem};
use std::sync::Arc;

/// For each node its targets, and possibly a fault. Node 0 is initial.
struct Graph(Vec<(Vec<u16>, Option<u8>, Option<u8>)>);

/// One copy of a graph, with encodings of its own.
struct Copy {
    graph: Arc<Graph>,
    number: u16,
}

impl Copy {
    fn encoded(&self, node: u16) -> Vec<u8> {
        (node ^ self.number).to_le_bytes().to_vec()
    }

    fn node(&self, state: &[u8]) -> u16 {
        u16::from_le_bytes([state[0], state[1]]) ^ self.number
    }
}

impl TransitionSystem for Copy {
    type Worker = ();
    type Fault = u8;
    type Omission = u8;

    fn worker(&self) {}

    fn initial(&self, _: &mut (), sink: &mut dyn Sink<Self>) {
        sink.edge(Edge::to(&self.encoded(0)));
    }

    fn successors(&self, _: &mut (), state: &[u8], sink: &mut dyn Sink<Self>) {
        let (targets, fault, omission) = &self.graph.0[self.node(state) as usize];
        targets
            .iter()
            .for_each(|to| sink.edge(Edge::to(&self.encoded(*to))));
        fault.iter().for_each(|fault| sink.fault(*fault));
        omission.iter().for_each(|reason| sink.omission(*reason));
    }
}

/// Each copy encodes states as it likes; the portable form is the number of the node.
impl Portable for Copy {
    type Hashes = ();
    type Sender = ();
    type Receiver = ();

    fn portable_hash(&self, _: &mut (), state: &[u8]) -> u64 {
        let number = u64::from(self.node(state)) + 1;
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
    }

    fn export(&self, _: &mut (), state: &[u8], out: &mut Vec<u8>) {
        out.extend(self.node(state).to_le_bytes());
    }

    fn import(&self, _: &mut (), bytes: &mut &[u8], state: &mut Vec<u8>) -> Result<(), Malformed> {
        let (number, rest) = bytes.split_first_chunk().ok_or(Malformed)?;
        *bytes = rest;
        *state = self.encoded(u16::from_le_bytes(*number));
        Ok(())
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

fn unbounded() -> Bounds {
    Bounds {
        hangs: None,
        max_states: None,
        cancel: Arc::default(),
        live: Arc::new(LiveStatistics::new()),
        saving: None,
    }
}

fn with_workers(graph: &Arc<Graph>, workers: usize) -> Outcome<u8, u8> {
    within(graph, workers, unbounded())
}

fn within(graph: &Arc<Graph>, workers: usize, bounds: Bounds) -> Outcome<u8, u8> {
    let graph = graph.clone();
    with_team(workers, &bounds.clone(), move |endpoint| {
        let number = 7 * endpoint.index() as u16;
        let graph = graph.clone();
        explore(endpoint, &Copy { graph, number }, &bounds, None)
    })
}

#[test]
fn agrees_with_one_machine() {
    let graphs = std::env::var("IMPASSE_PROGRAMS").map_or(100, |n| n.parse().unwrap());
    let mut random = Random(1);
    let (mut refuted, mut deep) = (0, 0);
    for _ in 0..graphs {
        let graph = Arc::new(random.graph());
        let copy = Copy {
            graph: graph.clone(),
            number: 0,
        };
        let one = Search::new(&copy).run();
        for workers in 1..=4 {
            let all = with_workers(&graph, workers);
            let statistics = (all.statistics, one.statistics);
            assert_eq!(statistics.0.states, statistics.1.states);
            assert_eq!(statistics.0.transitions, statistics.1.transitions);
            assert_eq!(statistics.0.depth, statistics.1.depth);
            assert_eq!(statistics.0.terminal, statistics.1.terminal);
            assert_eq!(all.omissions, one.omissions);
            match (&all.verdict, &one.verdict) {
                (Verdict::Exhausted, Verdict::Exhausted) => {
                    deep += u32::from(statistics.0.depth > 5);
                }
                (
                    Verdict::Fault { fault, path },
                    Verdict::Fault {
                        fault: expected,
                        path: shortest,
                    },
                ) => {
                    refuted += 1;
                    assert_eq!(fault, expected);
                    assert_eq!(path.ordinals().len(), shortest.ordinals().len());
                    assert_eq!(replayed(&copy, path), Some(*fault));
                }
                (found, expected) => panic!("{found:?} instead of {expected:?}"),
            }
            let again = with_workers(&graph, workers);
            assert_eq!(again.verdict, all.verdict);
        }
    }
    assert!(refuted > 0 && deep > 0, "the graphs are too simple");
}

#[test]
fn bounds_stop_all_workers() {
    let chain = |node: u16| (vec![node + 1], None, None);
    let mut nodes: Vec<_> = (0..1000).map(chain).collect();
    nodes.push((vec![], Some(0), None));
    let graph = Arc::new(Graph(nodes));
    for workers in 1..=3 {
        let bounds = Bounds {
            max_states: Some(100),
            ..unbounded()
        };
        let live = bounds.live.clone();
        let found = within(&graph, workers, bounds);
        assert_eq!(found.verdict, Verdict::Stopped(StopReason::States));
        assert_eq!(found.statistics.states, 101);
        assert_eq!(live.states(), 101);
        let bounds = unbounded();
        bounds.cancel.cancel(StopReason::Time);
        let found = within(&graph, workers, bounds);
        assert_eq!(found.verdict, Verdict::Stopped(StopReason::Time));
        assert_eq!(found.statistics.states, 1);
        let found = with_workers(&graph, workers);
        assert!(matches!(found.verdict, Verdict::Fault { .. }), "{found:?}");
    }
}

/// Returns the fault that a path ends with.
fn replayed(graph: &Copy, path: &impasse_transition_system::Path) -> Option<u8> {
    let mut last = None;
    let _ = path.replay(graph, |step| {
        last = match step.end {
            StepEnd::Fault(fault) => Some(fault),
            StepEnd::State { .. } => None,
        };
    });
    last
}
