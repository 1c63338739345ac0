//! A question starts no thread: a timer of Z3 would be one, and each fork of the process waits for
//! all of them.

use impasse_solver::work::set_deadline;
use impasse_solver::{Solver, Terms};
use std::fs::read_dir;
use std::time::{Duration, Instant};

#[test]
fn no_question_starts_a_thread() {
    let threads = || read_dir("/proc/self/task").expect("threads").count();
    let terms = Terms::new();
    let x = terms.fresh("x", 8);
    let right = terms.equal(terms.multiply(x, x), terms.constant(49, 8));
    let before = threads();
    for deadline in [None, Some(Instant::now() + Duration::from_secs(20))] {
        set_deadline(deadline);
        let answer = Solver::new(&terms).check(&[right], Duration::from_secs(10));
        assert!(answer.model().is_some());
    }
    assert_eq!(threads(), before);
}
