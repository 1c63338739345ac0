//! Random schedules: what they find, how often, and what they promise.

mod toys;

use impasse_search::{Sampled, Scheduler, Schedules};
use impasse_transition_system::{Edge, Path, Sink, StepEnd, SuccessorFilter, TransitionSystem};
use std::num::{NonZeroU32, NonZeroUsize};
use toys::{Counters, Emission, Graph, Philosophers};

const RANDOM: Scheduler = Scheduler::Random;

fn pct(depth: u32) -> Scheduler {
    let depth = NonZeroU32::new(depth).unwrap();
    Scheduler::Pct { depth }
}

fn sampled<S: TransitionSystem>(system: &S, scheduler: Scheduler, seed: u64) -> Sampled<S> {
    let schedules = Schedules::new(system, scheduler, 10_000);
    schedules.seed(seed).max_steps(1_000).run()
}

/// Two threads. The error needs three steps in one order: the second thread takes its first step
/// just after the third of the first one, which then takes all its steps before the second one
/// moves again. So its depth is 3.
struct Deep;

const STEPS: [u8; 2] = [10, 2];

impl Deep {
    fn step(state: &[u8], thread: u32, sink: &mut dyn Sink<Self>) {
        let mut next = [state[0], state[1], state[2]];
        if next[thread as usize] == STEPS[thread as usize] {
            return;
        }
        next[thread as usize] += 1;
        match next {
            [_, 1, 0] if thread == 1 && next[0] == 3 => next[2] = 1,
            [10, 1, 1] => return sink.fault("in this order"),
            _ => {}
        }
        sink.edge(Edge {
            label: thread,
            ..Edge::to(&next)
        });
    }
}

impl TransitionSystem for Deep {
    type Worker = ();
    type Fault = &'static str;
    type Omission = ();

    fn worker(&self) {}

    fn initial(&self, _: &mut (), sink: &mut dyn Sink<Self>) {
        sink.edge(Edge::to(&[0, 0, 0]));
    }

    fn successors(&self, _: &mut (), state: &[u8], sink: &mut dyn Sink<Self>) {
        for thread in [0, 1] {
            Deep::step(state, thread, sink);
        }
    }

    fn lazy_successors(&self, _: &mut (), state: &[u8], sink: &mut dyn SuccessorFilter<Self>) {
        let mut left = vec![0, 1];
        while let Some(thread) = sink.next_label(&left) {
            left.retain(|other| *other != thread);
            Deep::step(state, thread, sink);
        }
    }
}

/// How many runs it takes to meet the error of `Deep`, on average over some seeds.
fn runs_to_the_error(scheduler: Scheduler) -> f64 {
    let seeds = 200;
    let runs = (0..seeds).map(|seed| {
        let sampled = sampled(&Deep, scheduler, seed);
        assert!(sampled.fault.is_some(), "seed {seed}");
        sampled.runs
    });
    runs.sum::<u64>() as f64 / seeds as f64
}

#[test]
fn pct_finds_an_error_as_often_as_it_promises() {
    let (threads, steps, depth) = (2.0, 12.0_f64, 3);
    let promised = threads * steps.powi(depth - 1);
    let needed = runs_to_the_error(pct(depth as u32));
    assert!(needed < promised, "{needed} runs, {promised} were promised");
    // With two changes too few, no run can meet it.
    let shallow = Schedules::new(&Deep, pct(1), 10_000).run();
    assert!(shallow.fault.is_none());
}

#[test]
fn pct_finds_a_deep_error_more_often_than_random_steps_do() {
    let (pct, random) = (runs_to_the_error(pct(3)), runs_to_the_error(RANDOM));
    assert!(2.0 * pct < random, "{pct} and {random} runs");
}

#[test]
fn a_fault_comes_with_a_path_that_replays() {
    for scheduler in [RANDOM, pct(3)] {
        let (fault, path) = sampled(&Deep, scheduler, 1).fault.expect("a fault");
        let mut last = None;
        let replayed = path.replay(&Deep, |step| {
            if let StepEnd::Fault(fault) = step.end {
                last = Some(fault);
            }
        });
        assert_eq!((replayed, last), (Ok(()), Some(fault)));
    }
}

#[test]
fn the_outcome_depends_on_the_seed_alone() {
    let outcome = |threads, seed| {
        let schedules = Schedules::new(&Deep, pct(3), 10_000).seed(seed);
        let sampled = schedules.threads(NonZeroUsize::new(threads).unwrap()).run();
        (sampled.fault, sampled.runs, sampled.steps, sampled.longest)
    };
    for seed in 0..20 {
        let alone = outcome(1, seed);
        assert_eq!(alone, outcome(2, seed));
        assert_eq!(alone, outcome(8, seed));
    }
    assert_ne!(outcome(1, 0), outcome(1, 1));
}

#[test]
fn a_deadlock_is_found_by_both() {
    let system = Philosophers {
        count: 3,
        asymmetric: false,
    };
    for scheduler in [RANDOM, pct(3)] {
        assert!(sampled(&system, scheduler, 0).fault.is_some());
    }
}

#[test]
fn runs_without_an_error_are_counted() {
    let system = Counters::new(vec![4, 5]);
    for scheduler in [RANDOM, pct(2)] {
        let schedules = Schedules::new(&system, scheduler, 50);
        let all = schedules.run();
        assert!(all.fault.is_none() && all.stopped.is_none());
        let counts = (all.runs, all.cut, all.steps, all.longest);
        assert_eq!(counts, (50, 0, 50 * 9, 9));
        let cut = Schedules::new(&system, scheduler, 50).max_steps(3).run();
        assert_eq!((cut.runs, cut.cut, cut.steps), (50, 50, 150));
    }
}

#[test]
fn an_omission_ends_a_run() {
    let nodes = vec![vec![Emission::To(1)], vec![Emission::Omission(7)]];
    let sampled = Schedules::new(&Graph { nodes }, RANDOM, 3).run();
    assert_eq!((sampled.omitted, sampled.omissions), (3, vec![7]));
    assert!(sampled.fault.is_none());
}

#[test]
fn each_outcome_of_a_choice_is_taken() {
    let to = |targets: &[u16]| targets.iter().map(|&target| Emission::To(target)).collect();
    let mut nodes = vec![to(&[1, 2, 3, 4])];
    nodes.extend((0..3).map(|_| Vec::new()));
    nodes.push(vec![Emission::Fault(9)]);
    let found = sampled(&Graph { nodes }, RANDOM, 0);
    assert_eq!(found.fault, Some((9, Path::new(vec![0, 3, 0]))));
}

#[test]
fn a_request_stops_the_runs() {
    let cancel = impasse_limits::Cancel::new();
    cancel.cancel(impasse_limits::StopReason::Time);
    let sampled = Schedules::new(&Deep, RANDOM, 1 << 40).cancel(&cancel).run();
    assert_eq!(sampled.stopped, Some(impasse_limits::StopReason::Time));
    assert_eq!((sampled.runs, sampled.fault), (0, None));
}
