//! The example project that checks itself with ctest.

mod common;

use common::root;
use std::process::Command;

fn output_of(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().expect("cmake is installed");
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

#[test]
fn ctest_runs_checks() {
    common::set_up();
    let build = tempfile::tempdir().expect("a folder");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(root().join("examples/cmake"));
    configure.arg("-B").arg(build.path());
    configure.arg(format!("-DImpasse_DIR={}", root().join("cmake").display()));
    let executable = env!("CARGO_BIN_EXE_impasse");
    configure.arg(format!("-DIMPASSE_EXECUTABLE={executable}"));
    let (code, text) = output_of(&mut configure);
    assert_eq!(code, Some(0), "{text}");

    let mut tests = Command::new("ctest");
    tests.arg("--test-dir").arg(build.path());
    tests.arg("--output-on-failure").env("IMPASSE_HOME", root());
    let (code, text) = output_of(&mut tests);
    assert_ne!(code, Some(0), "{text}");
    let line = |name: &str| {
        text.lines()
            .find(|l| l.contains(name) && l.contains("Test #"))
    };
    assert!(
        line("impasse.one_reader").is_some_and(|l| l.contains("Passed")),
        "{text}"
    );
    assert!(
        line("impasse.two_readers").is_some_and(|l| l.contains("Failed")),
        "{text}"
    );
    assert!(text.contains("error: hang at mailbox.c:7"), "{text}");
}

#[test]
fn each_googletest_is_checked() {
    common::set_up();
    let build = tempfile::tempdir().expect("a folder");
    let project = root().join("examples/googletest");
    let mut configure = Command::new("cmake");
    configure
        .arg("-S")
        .arg(&project)
        .arg("-B")
        .arg(build.path());
    let (code, text) = output_of(&mut configure);
    assert_eq!(code, Some(0), "{text}");

    let mut tests = Command::new(env!("CARGO_BIN_EXE_impasse"));
    tests.args(["test", "--compile-commands"]).arg(build.path());
    for target in ["queue_test", "gtest", "gtest_main"] {
        tests.args(["--target", target]);
    }
    tests.env("IMPASSE_HOME", root()).current_dir(&project);
    let (code, text) = output_of(&mut tests);
    assert_eq!(code, Some(1), "{text}");
    let verdict = |name: &str| {
        let mut lines = text.lines().map(str::split_whitespace);
        lines.find_map(|mut line| line.next().filter(|_| line.next() == Some(name)))
    };
    assert_eq!(verdict("Queue.KeepsALetter"), Some("verified"), "{text}");
    assert_eq!(verdict("Queue.HandsOver"), Some("verified"), "{text}");
    assert_eq!(verdict("Queue.ServesTwoReceivers"), Some("error"), "{text}");
    assert!(text.contains("hang at ./queue.h:14"), "{text}");
}

#[test]
fn mistakes_end_the_configuration() {
    let folder = tempfile::tempdir().expect("a folder");
    let lists = "cmake_minimum_required(VERSION 3.18)\nproject(none NONE)\nenable_testing()\n\
                 find_package(Impasse REQUIRED)\nimpasse_add_check(NAME empty)\n";
    std::fs::write(folder.path().join("CMakeLists.txt"), lists).expect("a file");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(folder.path());
    configure.arg("-B").arg(folder.path().join("build"));
    configure.arg(format!("-DImpasse_DIR={}", root().join("cmake").display()));
    configure.arg("-DIMPASSE_EXECUTABLE=/bin/true");
    let (code, text) = output_of(&mut configure);
    assert_ne!(code, Some(0), "{text}");
    assert!(
        text.contains("TARGETS or SOURCES must name what is checked"),
        "{text}"
    );
}
