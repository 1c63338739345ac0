//! Proofs for random lassos over a few bits, against all runs of their tiny transition systems.

mod common;

use common::random::{Recipe, STATES, Truth, cook, entries, explore, number, recipe, state};
use impasse_solver::{Evaluator, Terms};
use impasse_termination::nontermination::{Evidence, Options, Proof, Ranking, Verdict, prove};
use impasse_termination::problem::Lasso;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

fn check_proof(terms: &Terms, lasso: &Lasso, truth: &Truth, proof: &Proof) {
    let entry = entries(terms, lasso).into_iter().find(|(values, _)| {
        lasso
            .stem
            .inputs
            .iter()
            .all(|i| values.get(i.symbol) == proof.inputs.get(i.symbol))
    });
    let (_, entry) = entry.expect("the stem can be taken with the inputs of the proof");
    assert!(
        truth.goes_on[entry],
        "from state {:?} every run ends",
        state(entry)
    );
    match &proof.evidence {
        Evidence::Repeats { cycle, state } => {
            assert!(!cycle.is_empty());
            assert!(truth.goes_on[number(state)]);
        }
        Evidence::Closed { set, .. } => {
            let mut evaluator = Evaluator::new(terms, set);
            let mut contains = |at: usize| {
                let values = lasso
                    .variables
                    .iter()
                    .map(|v| v.symbol)
                    .zip(state(at))
                    .collect();
                !evaluator.run(&values).contains(&0)
            };
            for at in 0..STATES {
                if contains(at) {
                    let stays = truth.successors[at].iter().any(|&to| contains(to));
                    assert!(stays, "{:?} leaves the set", state(at));
                }
            }
        }
        Evidence::Linear(_) => panic!("only the machine's numbers were asked for"),
    }
}

/// Whether something was proved; panics if it is wrong.
fn decided(recipe: &Recipe, options: &Options) -> bool {
    let terms = Terms::new();
    let lasso = cook(&terms, recipe);
    let truth = explore(&terms, &lasso);
    match prove(&terms, &lasso, options) {
        Verdict::Nonterminating(proof) => check_proof(&terms, &lasso, &truth, &proof),
        Verdict::Terminating(ranking) => {
            for (values, entry) in entries(&terms, &lasso) {
                assert!(
                    !truth.goes_on[entry],
                    "{values:?} goes on forever, despite {ranking:?}"
                );
            }
            if let Ranking::Lexicographic { invariants, .. } = ranking
                && invariants.is_empty()
            {
                assert!(!truth.goes_on.contains(&true), "some state goes on forever");
            }
        }
        Verdict::Unknown(_) => return false,
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn what_is_proved_is_true(recipe in recipe()) {
        decided(&recipe, &Options::default());
    }

    #[test]
    fn what_is_proved_without_unrolling_is_true(recipe in recipe()) {
        decided(&recipe, &Options { unrollings: 0, iterations: 3, ..Options::default() });
    }
}

#[test]
fn most_lassos_are_decided() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let all = 200;
    let decided = (0..all)
        .filter(|_| {
            decided(
                &recipe().new_tree(&mut runner).unwrap().current(),
                &Options::default(),
            )
        })
        .count();
    assert!(decided * 100 >= all * 95, "{decided} of {all}");
}
