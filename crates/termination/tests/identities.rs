//! Recurrence sets of polynomial equations: certificates that hold without clauses, and changed
//! ones that do not.

mod common;

use common::{Body, Builder};
use impasse_solver::{Term, Terms};
use impasse_termination::certificate::{Certificate, Claim, Goal, IdentityRecord};
use impasse_termination::certify::certify;
use impasse_termination::nontermination::prove_by_equations;
use impasse_termination::problem::{Lasso, Reading};
use std::time::Duration;

const TIME: Duration = Duration::from_secs(20);

/// A loop that continues while x = n², where x grows by `odd`, which grows by `by`.
fn squares(terms: &Terms, by: u128) -> Lasso {
    let mut lasso = Builder::new(terms);
    let number = |value| terms.constant(value, 32);
    let mut variable = |name, entry| lasso.variable(name, number(entry), Reading::Unsigned);
    let (n, x, odd) = (variable("n", 0), variable("x", 0), variable("odd", 1));
    let next = |term: Term, step| terms.add(term, step);
    lasso.iteration(Body {
        guard: vec![terms.equal(x, terms.multiply(n, n))],
        updates: vec![next(n, number(1)), next(x, odd), next(odd, number(by))],
        ..Body::default()
    });
    lasso.done(&[])
}

fn certificate() -> Certificate {
    let terms = Terms::new();
    let lasso = squares(&terms, 2);
    let proof = prove_by_equations(&terms, &lasso, (TIME, false)).expect("a proof");
    let certificate = proof.certificate(&terms, &lasso, TIME);
    certificate.expect("a certificate")
}

fn identities(certificate: &mut Certificate) -> &mut Vec<IdentityRecord> {
    match &mut certificate.claim {
        Claim::RecurrenceSet { identities, .. } => identities,
        other => panic!("{other:?}"),
    }
}

#[test]
fn sums_of_odd_numbers_are_squares() {
    let mut certificate = certificate();
    let checked = certify(&certificate).expect("it holds");
    assert_eq!(checked.unchecked, None);
    // The guard and both equations of the set.
    assert_eq!(identities(&mut certificate).len(), 3);
}

#[test]
fn sums_of_other_numbers_are_not() {
    let terms = Terms::new();
    for by in [0, 1, 3, 4] {
        assert_eq!(
            prove_by_equations(&terms, &squares(&terms, by), (TIME, false)),
            None
        );
    }
}

/// Without any of the multipliers, or with another one, or for another condition.
#[test]
fn changed_identities_are_rejected() {
    let whole = certificate();
    let count = identities(&mut whole.clone()).len();
    for at in 0..count {
        let mut goals = Vec::new();
        let changed = |change: &dyn Fn(&mut IdentityRecord)| {
            let mut changed = whole.clone();
            change(&mut identities(&mut changed)[at]);
            certify(&changed).is_err()
        };
        let parts = identities(&mut whole.clone())[at].multipliers.len();
        for part in 0..parts {
            assert!(changed(&|one| {
                one.multipliers.remove(part);
            }));
            assert!(changed(&|one| one.multipliers[part].0 += 1));
            assert!(changed(&|one| one.multipliers[part].0 += 1000));
            assert!(changed(&|one| one.multipliers[part].1 = usize::MAX));
            let term = identities(&mut whole.clone())[at].multipliers[part].1;
            for other in (0..whole.lasso.terms.len()).filter(|&other| other != term) {
                let [one, another] = [term, other].map(|at| whole.lasso.terms[at].as_str());
                // The negative of the only multiplier shows the same.
                let units = ["32 constant 1", "32 constant 4294967295"];
                let is_same = one == another
                    || (parts == 1 && units.contains(&one) && units.contains(&another));
                assert!(is_same || changed(&|one| one.multipliers[part].1 = other));
            }
        }
        goals.extend((0..3).map(Goal::Set));
        goals.extend([
            Goal::Set(usize::MAX),
            Goal::Guard(1),
            Goal::Guard(usize::MAX),
        ]);
        let own = identities(&mut whole.clone())[at].goal;
        for goal in goals.into_iter().filter(|&goal| goal != own) {
            let accepted = !changed(&|one| one.goal = goal);
            // What is left to the clauses must then follow from them.
            assert!(!accepted, "{own:?} taken for {goal:?}");
        }
    }
}

/// Loops with other steps, whose certificates would be wrong.
#[test]
fn identities_of_another_loop_are_rejected() {
    let mut whole = certificate();
    let two = whole
        .lasso
        .terms
        .iter()
        .position(|line| line == "32 constant 2");
    whole.lasso.terms[two.expect("the step")] = "32 constant 3".into();
    assert!(certify(&whole).is_err());
}
