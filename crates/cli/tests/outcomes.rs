//! `impasse outcomes` lists the final values of all executions, or says that there may be others.

mod common;

use common::impasse;
use std::fs;

/// What is printed, and the exit code, for a program that sets `r` from the nanoseconds `d` between
/// two looks at the clock.
fn outcomes(sets: &str) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("outcomes.c");
    let text = format!(
        "#include <impasse.h>\n#include <time.h>\n\nIMPASSE_OUTCOME(long, r);\n\n\
         int main(void)\n{{\n\tstruct timespec a, b;\n\
         \tclock_gettime(CLOCK_MONOTONIC, &a);\n\tclock_gettime(CLOCK_MONOTONIC, &b);\n\
         \tlong d = (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec;\n\t{sets}\n}}\n"
    );
    fs::write(&path, text).expect("a file");
    let output = impasse(["outcomes".as_ref(), path.as_os_str()]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, output.status.code())
}

#[test]
fn what_holds_at_all_times_is_complete() {
    assert_eq!(
        outcomes("r = b.tv_sec >= a.tv_sec;"),
        ("r=1\n".into(), Some(0))
    );
}

#[test]
fn what_some_time_decides_is_inconclusive() {
    let (text, code) = outcomes("r = d == 12345;");
    assert!(text.starts_with("r=0\ninconclusive: "), "{text}");
    assert_eq!(code, Some(3));
}

#[test]
fn what_holds_a_time_is_inconclusive() {
    let (text, code) = outcomes("r = d;");
    assert!(text.contains("inconclusive: "), "{text}");
    assert_eq!(code, Some(3));
}
