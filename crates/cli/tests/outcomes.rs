//! `impasse outcomes` lists the final values of all executions, or says that there may be others.

mod common;

use common::impasse;
use std::fs;

/// What is printed, and the exit code, for a program.
fn outcomes_of(text: &str) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("outcomes.c");
    fs::write(&path, text).expect("a file");
    let output = impasse(["outcomes".as_ref(), path.as_os_str()]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, output.status.code())
}

/// The same for a program that sets `r` from the nanoseconds `d` between
/// two looks at the clock.
fn outcomes(sets: &str) -> (String, Option<i32>) {
    let text = format!(
        "#include <impasse.h>\n#include <time.h>\n\nIMPASSE_OUTCOME(long, r);\n\n\
         int main(void)\n{{\n\tstruct timespec a, b;\n\
         \tclock_gettime(CLOCK_MONOTONIC, &a);\n\tclock_gettime(CLOCK_MONOTONIC, &b);\n\
         \tlong d = (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec;\n\t{sets}\n}}\n"
    );
    outcomes_of(&text)
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

/// A program with so many inputs of type `char`, the sum of which sets `r`.
fn of_bytes(count: u32, sets: &str) -> (String, Option<i32>) {
    outcomes_of(&format!(
        "#include <impasse.h>\n\nchar __VERIFIER_nondet_char(void);\nIMPASSE_OUTCOME(int, r);\n\n\
         int main(void)\n{{\n\tint sum = 0;\n\tfor (int i = 0; i < {count}; i++)\n\
         \t\tsum += __VERIFIER_nondet_char();\n\t{sets}\n}}\n"
    ))
}

#[test]
fn bytes_with_many_values_together_are_followed() {
    let (text, code) = of_bytes(8, "r = sum == 8 * 127 ? 2 : sum > 0;");
    assert_eq!((text.as_str(), code), ("r=0\nr=1\nr=2\n", Some(0)));
}

#[test]
fn outcomes_that_are_too_many_to_follow_are_tried() {
    let (text, code) = of_bytes(2, "r = sum;");
    assert_eq!((text.lines().count(), code), (511, Some(0)));
}
