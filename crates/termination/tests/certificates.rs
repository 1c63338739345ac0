//! Certificates: those of true proofs are accepted, and those that were tampered with are accepted
//! only where what they claim is true all the same.

mod common;

use common::random::{Recipe, cook, entries, explore, recipe};
use impasse_solver::Terms;
use impasse_termination::certificate::{Certificate, Claim, IterationSequenceRecord, Number};
use impasse_termination::certify::certify;
use impasse_termination::nontermination::{Options, Verdict, prove};
use proptest::prelude::*;
use std::time::Duration;

/// Options that leave little to repeated states, so that sets are found as well.
fn options(sets: bool) -> Options {
    let mut options = Options {
        time: Duration::from_secs(20),
        ..Options::default()
    };
    if sets {
        options.unrollings = 0;
        options.iterations = 3;
    }
    options
}

/// Changes something.
fn tamper(certificate: &mut Certificate, (what, which, value): (u8, usize, u8)) {
    let change = |numbers: &mut Vec<Number>| {
        if let Some(count) = numbers.len().checked_sub(1) {
            numbers[which % (count + 1)] = Number(u128::from(value) % 8);
        }
    };
    let sequence = |sequence: &mut IterationSequenceRecord| match sequence {
        IterationSequenceRecord::Forced(iterations) => *iterations = u64::from(value) % 5,
        IterationSequenceRecord::Chosen(choices) => choices.truncate(which % (choices.len() + 1)),
    };
    match (what % 8, &mut certificate.claim) {
        (0, _) => change(&mut certificate.inputs),
        (1, _) => sequence(&mut certificate.before),
        (2, Claim::RepeatedState { state, .. }) => change(state),
        (3, Claim::RepeatedState { cycle, .. }) => sequence(cycle),
        (2, Claim::RecurrenceSet { set, .. }) => set.truncate(which % (set.len() + 1)),
        (
            3,
            Claim::RecurrenceSet {
                steps: Some(steps), ..
            },
        ) => steps.truncate(which % (steps.len() + 1)),
        (4, Claim::RecurrenceSet { set, .. }) => set.push(which % certificate.lasso.terms.len()),
        (
            5,
            Claim::RecurrenceSet {
                steps: Some(steps), ..
            },
        ) => steps.insert(0, vec![1 + i32::from(value) % 40]),
        (6, Claim::RecurrenceSet { steps, .. }) => *steps = Some(vec![vec![]]),
        _ => certificate.format += u32::from(value),
    }
}

fn check(recipe: &Recipe, sets: bool, change: (u8, usize, u8)) {
    let terms = Terms::new();
    let lasso = cook(&terms, recipe);
    let Verdict::Nonterminating(proof) = prove(&terms, &lasso, &options(sets)) else {
        return;
    };
    let certificate = proof
        .certificate(&terms, &lasso, Duration::from_secs(20))
        .expect("a true proof has one");
    let text = serde_json::to_string(&certificate).expect("certificates can be written");
    let mut certificate: Certificate = serde_json::from_str(&text).expect("and read again");
    assert_eq!(certify(&certificate).expect("it holds").unchecked, None);

    tamper(&mut certificate, change);
    if let Ok(checked) = certify(&certificate)
        && checked.unchecked.is_none()
    {
        let truth = explore(&terms, &lasso);
        let given = |at: usize| certificate.inputs[at].0;
        let same = entries(&terms, &lasso).into_iter().find(|(values, _)| {
            lasso
                .stem
                .inputs
                .iter()
                .enumerate()
                .all(|(at, i)| values.get(i.symbol) == given(at))
        });
        let (_, entry) = same.expect("the stem can be taken");
        assert!(truth.goes_on[entry], "accepted, but every run ends");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn what_is_accepted_is_true(recipe in recipe(), sets in any::<bool>(), change in any::<(u8, usize, u8)>()) {
        check(&recipe, sets, change);
    }
}
