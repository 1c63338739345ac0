//! What is said about data agrees with running programs.
//!
//! `IMPASSE_PROGRAMS` says how many programs with inputs are made.

mod generate;

use generate::{Shape, program};
use impasse_shim::analysis::{Budget, decide};
use impasse_shim::machine::Ending;
use impasse_shim::network::Network;
use impasse_shim::runner::{RunInputs, run_program};
use impasse_shim::verdict::Verdict;
use impasse_shim::{elaborate, predicates, refine, single};
use std::collections::BTreeMap;

const STEPS: u64 = 50_000;

fn shape(seed: u64, open: bool, exceptions: bool) -> Shape {
    let seed = seed as usize;
    Shape {
        channels: 1 + seed % 4,
        length: 2 + seed % 3,
        depth: 1 + seed % 3,
        open,
        exceptions,
        arrays: false,
    }
}

/// Whether a complete search says that nothing, or everything, deadlocks.
fn says(network: &Network) -> Option<(bool, bool)> {
    let graph = single::explore(network, 50_000, 50_000);
    graph.complete.then(|| {
        (
            graph.deadlock.is_none(),
            graph.deadlock.is_some() && !graph.can_avoid(network),
        )
    })
}

#[test]
fn closed_programs_do_what_was_said() {
    let (mut deadlocks, mut refuted, mut undecided) = (0, 0, 0);
    for seed in 0..5_000 {
        let text = program(seed, shape(seed, false, seed % 2 == 1));
        let (program, tree) = elaborate("random.shim", &text)
            .unwrap_or_else(|r| panic!("{text}\n{}", r.render(false)));
        let run = run_program(&program, &tree, &RunInputs::default(), STEPS, &mut |_| {})
            .expect("no inputs");
        let deadlock = match run.ending {
            Ending::OutOfSteps => {
                undecided += 1;
                continue;
            }
            ending => ending == Ending::Deadlock,
        };
        deadlocks += u32::from(deadlock);
        let plain = says(&Network::paper(&tree, true));
        let known = says(&refine::network(&program, &tree, refine::QUICK));
        for (free, inevitable) in plain.into_iter().chain(known) {
            assert!(!(free && deadlock), "said free, seed {seed}\n{text}");
            assert!(
                !inevitable || deadlock,
                "said inevitable, seed {seed}\n{text}"
            );
        }
        refuted += u32::from(plain == Some((false, false)) && known == Some((true, false)));
        let verdict = decide(
            &program,
            &tree,
            &Budget {
                steps: STEPS,
                ..Budget::default()
            },
            &mut |_| {},
        )
        .verdict;
        let expected = if deadlock {
            Verdict::Inevitable
        } else {
            Verdict::DeadlockFree
        };
        assert_eq!(verdict, expected, "seed {seed}\n{text}");
    }
    println!("{deadlocks} deadlock, {refuted} false alarms refuted, {undecided} undecided");
    assert!(
        deadlocks > 300 && refuted > 100 && undecided < 400,
        "{deadlocks} {refuted} {undecided}"
    );
}

#[test]
fn open_programs_do_what_was_said() {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut budget = Budget::default();
    budget.limits.runs = 40;
    budget.limits.steps = 20_000;
    budget.limits.conditions = 20;
    budget.limits.questions = 100;
    budget.predicates.rounds = 12;
    budget.predicates.questions = 600;
    let count = std::env::var("IMPASSE_PROGRAMS").map(|n| n.parse().expect("a number"));
    for seed in 0..count.unwrap_or(300) {
        let arrays = seed % 2 == 1;
        let text = program(
            seed,
            Shape {
                arrays,
                ..shape(seed, true, seed % 4 == 3)
            },
        );
        let (program, tree) = elaborate("random.shim", &text)
            .unwrap_or_else(|r| panic!("{text}\n{}", r.render(false)));
        let result = decide(&program, &tree, &budget, &mut |_| {});
        *counts.entry(result.verdict.word()).or_default() += 1;
        let mut rng = fastrand::Rng::with_seed(seed);
        for _ in 0..8 {
            let given = [("i", 5), ("j", 4), ("b", 2)]
                .into_iter()
                .filter(|_| arrays);
            let parameters = given.map(|(name, end)| (name.into(), vec![rng.i64(0..end)]));
            let parameters: BTreeMap<String, Vec<i64>> = parameters.collect();
            let streams = tree
                .tasks
                .iter()
                .map(|t| (t.name.clone(), (0..20).map(|_| rng.i64(0..4)).collect()));
            let inputs = RunInputs {
                parameters,
                streams: streams.collect(),
            };
            let run =
                run_program(&program, &tree, &inputs, STEPS, &mut |_| {}).expect("good inputs");
            let deadlock = match run.ending {
                Ending::OutOfSteps => continue,
                ending => ending == Ending::Deadlock,
            };
            assert!(
                !(result.verdict == Verdict::DeadlockFree && deadlock),
                "seed {seed} ({})\n{text}",
                result.method
            );
            assert!(
                result.verdict != Verdict::Inevitable || deadlock,
                "seed {seed} ({})\n{text}",
                result.method
            );
        }
    }
    println!("{counts:?}");
    assert!(
        counts.len() >= 3 && counts.values().all(|count| *count > 0),
        "{counts:?}"
    );
}

/// Small enough for thousands of programs.
const PREDICATES: predicates::Limits = predicates::Limits {
    rounds: 12,
    predicates: 30,
    states: 2_000,
    questions: 300,
    effort: 20_000,
    steps: STEPS,
};

#[test]
fn predicates_agree_with_running() {
    let (mut free, mut deadlocks, mut open) = (0, 0, 0);
    for seed in 0..1_000 {
        let text = program(seed, shape(seed, false, seed % 3 == 1));
        let (program, tree) = elaborate("random.shim", &text)
            .unwrap_or_else(|r| panic!("{text}\n{}", r.render(false)));
        let outcome = predicates::decide(&program, &tree, PREDICATES);
        let run = run_program(&program, &tree, &RunInputs::default(), STEPS, &mut |_| {})
            .expect("no inputs");
        match (outcome, run.ending) {
            (_, Ending::OutOfSteps) | (predicates::Outcome::Open, _) => open += 1,
            (predicates::Outcome::Free { .. }, ending) => {
                assert!(ending != Ending::Deadlock, "said free, seed {seed}\n{text}");
                free += 1;
            }
            (predicates::Outcome::Deadlock(..), ending) => {
                assert!(ending == Ending::Deadlock, "seed {seed}\n{text}");
                deadlocks += 1;
            }
        }
    }
    println!("{free} free, {deadlocks} deadlock, {open} open");
    assert!(
        free > 600 && deadlocks > 50 && open < 150,
        "{free} {deadlocks} {open}"
    );
}
