//! What a verdict says of all inputs agrees with executing all inputs.
//!
//! `IMPASSE_PROGRAMS` says how many programs are made; a long run takes thousands.

mod generate;

use generate::{Shape, program};
use impasse_shim::analysis::{Budget, decide};
use impasse_shim::ir::Program;
use impasse_shim::machine::Ending;
use impasse_shim::runner::{RunInputs, run_program};
use impasse_shim::tree::Tree;
use impasse_shim::verdict::{CheckResult, Verdict};
use impasse_shim::{elaborate, predicates, refine, single};
use std::collections::BTreeMap;

const STEPS: u64 = 20_000;

fn shape(seed: u64) -> Shape {
    let seed = seed as usize;
    Shape {
        channels: 2 + seed % 2,
        length: 2 + seed % 3,
        depth: 1 + seed % 3 / 2,
        open: false,
        exceptions: seed % 5 == 4,
        arrays: true,
    }
}

/// How a program ends on each of its inputs; none where one run is too long.
fn endings(program: &Program, tree: &Tree) -> Option<Vec<(String, Ending)>> {
    let mut endings = Vec::new();
    for (i, j, b) in (0..40).map(|n| (n / 8, n / 2 % 4, n % 2)) {
        let given = [("i", i), ("j", j), ("b", b)];
        let parameters = given.iter().map(|(name, n)| (name.to_string(), vec![*n]));
        let inputs = RunInputs {
            parameters: parameters.collect(),
            streams: BTreeMap::new(),
        };
        let run = run_program(program, tree, &inputs, STEPS, &mut |_| {}).expect("good inputs");
        if run.ending == Ending::OutOfSteps {
            return None;
        }
        endings.push((format!("{given:?}"), run.ending));
    }
    Some(endings)
}

/// What is wrong with a result.
fn disagreement(result: &CheckResult, endings: &[(String, Ending)]) -> Option<String> {
    let deadlocks = |ending: &Ending| *ending == Ending::Deadlock;
    let witness = |wanted: &dyn Fn(&Ending) -> bool| {
        let found = endings.iter().find(|(_, ending)| wanted(ending));
        found.map(|(inputs, ending)| format!("{inputs}: {ending:?}"))
    };
    match (result.verdict, &result.unless) {
        (Verdict::DeadlockFree, _) => witness(&deadlocks),
        (Verdict::Inevitable, _) => witness(&|ending| !deadlocks(ending)),
        (Verdict::Deadlock, Some(_)) => witness(&|ending| matches!(ending, Ending::Finished)),
        (Verdict::Deadlock, None) => match witness(&deadlocks) {
            Some(_) => None,
            None => Some("no input deadlocks".into()),
        },
        (Verdict::Possible, _) => None,
    }
}

/// What an engine says of all inputs that is not so.
fn engines(program: &Program, tree: &Tree, endings: &[(String, Ending)]) -> Option<String> {
    let deadlock = endings.iter().find(|(_, e)| *e == Ending::Deadlock);
    let calm = |ending: &Ending| matches!(ending, Ending::Finished | Ending::Forever(_));
    let calm = endings.iter().find(|(_, ending)| calm(ending));
    for limits in [refine::QUICK, refine::THOROUGH] {
        let network = refine::network(program, tree, limits);
        let graph = single::explore(&network, 20_000, 20_000);
        if !graph.complete {
            continue;
        }
        match (graph.deadlock, deadlock, calm) {
            (None, Some(wrong), _) => return Some(format!("network, free: {wrong:?}")),
            (Some(_), _, Some(wrong)) if !graph.can_avoid(&network) => {
                return Some(format!("network, inevitable: {wrong:?}"));
            }
            _ => {}
        }
    }
    match (predicates::decide(program, tree, PREDICATES), deadlock) {
        (predicates::Outcome::Free { .. }, Some(wrong)) => Some(format!("predicates: {wrong:?}")),
        (predicates::Outcome::Deadlock(..), None) => Some("predicates: no deadlock".into()),
        _ => None,
    }
}

/// Small enough for thousands of programs.
const PREDICATES: predicates::Limits = predicates::Limits {
    rounds: 8,
    predicates: 20,
    states: 1_000,
    questions: 200,
    effort: 10_000,
    steps: STEPS,
};

#[test]
fn verdicts_hold_for_every_input() {
    let count = std::env::var("IMPASSE_PROGRAMS").map(|n| n.parse().expect("a number"));
    let count: u64 = count.unwrap_or(250);
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..count {
        let text = program(seed, shape(seed));
        let (program, tree) = elaborate("random.shim", &text)
            .unwrap_or_else(|r| panic!("{text}\n{}", r.render(false)));
        let Some(endings) = endings(&program, &tree) else {
            *counts.entry("too long".into()).or_default() += 1;
            continue;
        };
        if let Some(wrong) = engines(&program, &tree, &endings) {
            panic!("seed {seed}: {wrong}\n{text}");
        }
        // With and without running all inputs: terms must be as exact as numbers are.
        for inputs in [0, Budget::default().inputs] {
            let budget = Budget {
                inputs,
                ..Budget::default()
            };
            let result = decide(&program, &tree, &budget, &mut |_| {});
            if let Some(wrong) = disagreement(&result, &endings) {
                let (verdict, method) = (result.verdict.word(), result.method);
                panic!("seed {seed}: {verdict} ({method}), but {wrong}\n{text}");
            }
            let how = if inputs == 0 {
                "by terms"
            } else {
                "by all means"
            };
            let what = format!("{} {how}", result.verdict.word());
            *counts.entry(what).or_default() += 1;
        }
    }
    println!("{counts:?}");
    let of = |word: &str| {
        counts
            .get(&format!("{word} by all means"))
            .copied()
            .unwrap_or(0)
    };
    let decided = of("deadlock-free") + of("deadlock") + of("inevitable");
    assert!(decided > of("possible") * 20, "{counts:?}");
    for word in ["deadlock-free", "deadlock", "inevitable"] {
        assert!(
            u64::from(of(word)) * 40 > count,
            "few are {word}: {counts:?}"
        );
    }
}
