//! All searches against a naive one, at any number of threads, and what limits and paths promise.

mod toys;

use impasse_limits::{Budget, Cancel, StopReason, Watchdog, resident_memory};
use impasse_search::{LiveStatistics, Outcome, Search, Statistics, Strategy as Order, Verdict};
use impasse_store::Disk;
use impasse_transition_system::{Edge, Path, Sink, StepEnd, TransitionSystem};
use proptest::collection::vec;
use proptest::prelude::*;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use toys::{BothInside, Counters, Deadlock, Emission, Graph, Peterson, Philosophers};

const THREADS: [usize; 4] = [1, 2, 3, 8];

fn breadth_first<S: TransitionSystem>(system: &S, threads: usize) -> Outcome<S> {
    Search::new(system)
        .threads(NonZeroUsize::new(threads).unwrap())
        .run()
}

/// A search that finds only one state of each shard of its store through memory.
fn on_disk<S: TransitionSystem>(system: &S, threads: usize) -> Outcome<S> {
    let disk = Arc::new(Disk::new(&std::env::temp_dir(), 64).unwrap());
    let search = Search::new(system).disk(&disk);
    search.threads(NonZeroUsize::new(threads).unwrap()).run()
}

fn depth_first<S: TransitionSystem>(system: &S) -> Outcome<S> {
    Search::new(system).strategy(Order::DepthFirst).run()
}

/// What a search of a graph must find.
#[derive(PartialEq, Debug, Default)]
struct Expected {
    states: u64,
    transitions: u64,
    depth: u64,
    terminal: u64,
    fault: Option<(u8, Path)>,
    omissions: BTreeSet<u8>,
}

/// A breadth-first search as one writes it on a blackboard; a level with a fault is the last.
fn naive(graph: &Graph) -> Expected {
    let mut paths = HashMap::from([(0u16, vec![0u32])]);
    let mut level = vec![0u16];
    let mut expected = Expected {
        states: 1,
        ..Expected::default()
    };
    loop {
        let mut next = Vec::new();
        let mut faults = Vec::new();
        for (rank, node) in level.iter().enumerate() {
            let mut ordinal = 0;
            for emission in &graph.nodes[*node as usize] {
                let path: Vec<u32> = paths[node].iter().copied().chain([ordinal]).collect();
                ordinal += u32::from(!matches!(emission, Emission::Omission(_)));
                match *emission {
                    Emission::Omission(reason) => drop(expected.omissions.insert(reason)),
                    Emission::Fault(fault) => faults.push((fault, rank, path)),
                    Emission::To(target) if paths.contains_key(&target) => {}
                    Emission::To(target) => {
                        paths.insert(target, path);
                        next.push(target);
                        expected.states += 1;
                    }
                }
            }
            expected.transitions += u64::from(ordinal);
            expected.terminal += u64::from(ordinal == 0);
        }
        expected.fault = faults
            .into_iter()
            .min()
            .map(|(fault, _, path)| (fault, Path::new(path)));
        if expected.fault.is_some() || next.is_empty() {
            return expected;
        }
        expected.depth += 1;
        level = next;
    }
}

fn found(outcome: &Outcome<Graph>) -> Expected {
    let statistics = outcome.statistics;
    Expected {
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth,
        terminal: statistics.terminal,
        fault: match &outcome.verdict {
            Verdict::Exhausted => None,
            Verdict::Fault { fault, path } => Some((*fault, path.clone())),
            verdict => panic!("unexpected: {verdict:?}"),
        },
        omissions: outcome.omissions.iter().copied().collect(),
    }
}

/// Graphs of up to `size` nodes; faults and omissions are rarer than edges by their weights.
fn graphs(size: u16, faults: u32, omissions: u32) -> impl Strategy<Value = Graph> {
    (1..size).prop_flat_map(move |count| {
        let emission = prop_oneof![
            200 => (0..count).prop_map(Emission::To),
            faults => (0..3u8).prop_map(Emission::Fault),
            omissions => (0..5u8).prop_map(Emission::Omission),
        ];
        vec(vec(emission, 0..5), count as usize).prop_map(|nodes| Graph { nodes })
    })
}

/// Checks that a path leads through existing transitions to `fault`.
fn assert_leads_to<S: TransitionSystem>(system: &S, path: &Path, fault: &S::Fault)
where
    S::Fault: PartialEq + std::fmt::Debug,
{
    let mut last: Option<Vec<u8>> = None;
    let mut reached = None;
    path.replay(system, |step| {
        assert_eq!(step.source, last.as_deref());
        match step.end {
            StepEnd::State { target, .. } => last = Some(target.to_vec()),
            StepEnd::Fault(fault) => reached = Some(fault),
        }
    })
    .unwrap();
    assert_eq!(reached.as_ref(), Some(fault));
    assert_eq!(path.to_string().parse::<Path>().unwrap(), *path);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn breadth_first_is_the_naive_search(graph in graphs(300, 1, 3)) {
        let expected = naive(&graph);
        for threads in THREADS {
            let outcome = breadth_first(&graph, threads);
            prop_assert_eq!(&found(&outcome), &expected);
            if let Verdict::Fault { fault, path } = &outcome.verdict {
                assert_leads_to(&graph, path, fault);
            }
            prop_assert_eq!(&found(&on_disk(&graph, threads)), &expected);
        }
    }

    #[test]
    fn depth_first_visits_the_same(graph in graphs(300, 0, 3)) {
        let mut expected = naive(&graph);
        let outcome = found(&depth_first(&graph));
        expected.depth = outcome.depth;
        prop_assert_eq!(outcome, expected);
    }

    #[test]
    fn depth_first_finds_a_fault_if_there_is_one(graph in graphs(100, 2, 0)) {
        let outcome = depth_first(&graph);
        match &outcome.verdict {
            Verdict::Fault { fault, path } => assert_leads_to(&graph, path, fault),
            verdict => {
                prop_assert_eq!(verdict, &Verdict::Exhausted);
                prop_assert_eq!(naive(&graph).fault, None);
            }
        }
    }

    #[test]
    fn a_superseded_search_stops_once_it_is(graph in graphs(1000, 1, 0), limit in 1..1000u64) {
        let one = breadth_first(&graph, 1);
        for threads in THREADS {
            let largest = Cell::new(0);
            let supersedes = |states| {
                largest.set(states);
                states > limit
            };
            let search = Search::new(&graph).superseded(&supersedes);
            let outcome = search.threads(NonZeroUsize::new(threads).unwrap()).run();
            match outcome.verdict {
                Verdict::Stopped(reason) => {
                    prop_assert_eq!(reason, StopReason::Superseded);
                    prop_assert!(largest.get() > limit && outcome.statistics.states == largest.get());
                }
                verdict => {
                    prop_assert!(largest.get() <= limit);
                    prop_assert_eq!(&verdict, &one.verdict);
                }
            }
        }
    }

    #[test]
    fn a_limit_on_states_is_deterministic(graph in graphs(1000, 1, 0), limit in 1..1000u64) {
        let one = Search::new(&graph).threads(NonZeroUsize::MIN).max_states(limit).run();
        for threads in THREADS {
            let outcome = Search::new(&graph).threads(NonZeroUsize::new(threads).unwrap()).max_states(limit).run();
            prop_assert_eq!(&outcome.verdict, &one.verdict);
            prop_assert_eq!(outcome.statistics.states, one.statistics.states);
            prop_assert_eq!(outcome.statistics.transitions, one.statistics.transitions);
        }
        match one.verdict {
            Verdict::Stopped(reason) => {
                prop_assert_eq!(reason, StopReason::States);
                prop_assert!(one.statistics.states > limit);
            }
            Verdict::Exhausted => prop_assert!(one.statistics.states <= limit),
            Verdict::Fault { .. } => {}
            Verdict::Hang { .. } => panic!("nobody asked for hangs"),
        }
    }
}

#[test]
fn counters_fill_their_box() {
    let counters = Counters::new(vec![9; 5]);
    for threads in THREADS {
        let outcome = breadth_first(&counters, threads);
        assert_eq!(outcome.verdict, Verdict::Exhausted);
        assert_eq!(outcome.statistics.states, 100_000);
        assert_eq!(outcome.statistics.transitions, 5 * 90_000);
        assert_eq!(outcome.statistics.depth, 45);
        assert_eq!(outcome.statistics.terminal, 1);
        let bytes = |mut outcome: Outcome<_>| {
            outcome.statistics.elapsed = Duration::ZERO;
            (
                outcome.verdict,
                Statistics {
                    bytes: 0,
                    ..outcome.statistics
                },
            )
        };
        assert_eq!(bytes(on_disk(&counters, threads)), bytes(outcome));
    }
    let outcome = depth_first(&counters);
    assert_eq!(
        (outcome.statistics.states, outcome.statistics.transitions),
        (100_000, 450_000)
    );
}

#[test]
fn threads_that_race_agree_on_the_path() {
    for last in 0..=6 {
        let counters = Counters {
            limits: vec![6; 6],
            forbidden: vec![3, 6 - last, 4, 2, 3, last],
        };
        let alone = breadth_first(&counters, 1).verdict;
        assert!(matches!(alone, Verdict::Fault { .. }));
        for threads in [2, 3, 8] {
            assert_eq!(breadth_first(&counters, threads).verdict, alone);
            assert_eq!(on_disk(&counters, threads).verdict, alone);
        }
    }
}

#[test]
fn philosophers_starve_by_the_shortest_path() {
    let table = Philosophers {
        count: 7,
        asymmetric: false,
    };
    for threads in THREADS {
        let Verdict::Fault { fault, path } = breadth_first(&table, threads).verdict else {
            panic!("missed")
        };
        assert_eq!(fault, Deadlock);
        assert_eq!(path.ordinals().len(), 1 + 7 + 1);
        assert_leads_to(&table, &path, &fault);
    }
    let table = Philosophers {
        count: 7,
        asymmetric: true,
    };
    let breadth = breadth_first(&table, 2);
    assert_eq!(breadth.verdict, Verdict::Exhausted);
    let depth = depth_first(&table);
    assert_eq!(depth.verdict, Verdict::Exhausted);
    assert_eq!(depth.statistics.states, breadth.statistics.states);
    assert_eq!(depth.statistics.transitions, breadth.statistics.transitions);
}

#[test]
fn peterson_excludes() {
    assert_eq!(
        breadth_first(&Peterson { broken: false }, 2).verdict,
        Verdict::Exhausted
    );
    assert_eq!(
        depth_first(&Peterson { broken: false }).verdict,
        Verdict::Exhausted
    );
    let Verdict::Fault { path, .. } = breadth_first(&Peterson { broken: true }, 2).verdict else {
        panic!("missed")
    };
    assert_leads_to(&Peterson { broken: true }, &path, &BothInside);
}

#[test]
fn faults_before_the_first_state_are_found() {
    struct Stillborn;
    impl TransitionSystem for Stillborn {
        type Worker = ();
        type Fault = u8;
        type Omission = u8;
        fn worker(&self) {}
        fn initial(&self, _: &mut (), sink: &mut dyn Sink<Self>) {
            sink.edge(Edge::to(b"fine"));
            sink.fault(7);
            sink.fault(3);
        }
        fn successors(&self, _: &mut (), _: &[u8], _: &mut dyn Sink<Self>) {}
    }
    let expected = Verdict::Fault {
        fault: 3,
        path: Path::new(vec![2]),
    };
    assert_eq!(breadth_first(&Stillborn, 2).verdict, expected);
    assert_eq!(depth_first(&Stillborn).verdict, expected);
}

/// A space that has no end within anyone's patience.
fn endless() -> Counters {
    Counters::new(vec![255; 12])
}

#[test]
fn memory_time_and_interrupt_stop() {
    let held = resident_memory().expect("Linux");
    let memory = Budget {
        memory: Some(held + (16 << 20)),
        time: None,
    };
    let time = Budget {
        memory: None,
        time: Some(Duration::from_millis(30)),
    };
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let system = endless();
        let search = |budget| {
            let cancel = Arc::new(Cancel::new());
            let never = Box::new(|_| panic!("the search stops by itself"));
            let (now, interrupt) = (Instant::now(), Arc::default());
            let _watchdog = Watchdog::start(now, budget, interrupt, Arc::clone(&cancel), never);
            let search = Search::new(&system).strategy(order).cancel(&cancel);
            search.run().verdict
        };
        assert_eq!(search(memory), Verdict::Stopped(StopReason::Memory));
        assert_eq!(search(time), Verdict::Stopped(StopReason::Time));
        let cancel = Cancel::new();
        cancel.cancel(StopReason::Interrupted);
        let search = Search::new(&system).strategy(order).cancel(&cancel);
        assert_eq!(
            search.run().verdict,
            Verdict::Stopped(StopReason::Interrupted)
        );
    }
}

#[test]
fn the_meter_ends_at_the_outcome() {
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let live_statistics = LiveStatistics::new();
        let counters = Counters::new(vec![9; 4]);
        let statistics = Search::new(&counters)
            .strategy(order)
            .live_statistics(&live_statistics)
            .run()
            .statistics;
        assert_eq!(
            (live_statistics.states(), live_statistics.transitions()),
            (statistics.states, statistics.transitions)
        );
        assert_eq!(live_statistics.waiting(), 0);
        assert!(live_statistics.bytes() > 0);
    }
}

#[test]
fn a_path_of_another_system_is_refused() {
    let path = Path::new(vec![0, 3, 0]);
    let error = path.replay(&Counters::new(vec![2, 2]), |_| {}).unwrap_err();
    assert_eq!((error.step, error.ordinal, error.available), (1, 3, 2));
    assert!("0.x".parse::<Path>().is_err());
}
