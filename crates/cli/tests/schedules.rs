//! `impasse run --schedule`: what random schedules find, that what they find is there, and what
//! they report.

mod common;

use common::{Directives, impasse, programs, root};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

const SCHEDULERS: [&str; 2] = ["random", "pct"];

fn run(file: impl AsRef<Path>, options: &[&str]) -> Output {
    let file = root().join(file).to_string_lossy().into_owned();
    let words = ["run", &file].into_iter().chain(options.iter().copied());
    impasse(words)
}

fn report(file: impl AsRef<Path>, options: &[&str]) -> Value {
    let output = run(file, &[options, &["--format", "json"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value = serde_json::from_slice(&output.stdout).expect(&errors);
    let code = match report["verdict"].as_str() {
        Some("error") => 1,
        Some("inconclusive") => 3,
        other => panic!("{other:?} is no verdict of random schedules"),
    };
    assert_eq!(output.status.code(), Some(code), "{errors}");
    report
}

/// Each scheduler finds an error of this kind, with a trace, in a few runs with seed 7.
fn finds(file: &str, kind: &str, options: &[&str]) {
    for scheduler in SCHEDULERS {
        let chosen = ["--schedule", scheduler, "--seed", "7", "--runs", "300"];
        let report = report(file, &[&chosen, options].concat());
        assert_eq!(report["error"]["kind"], kind, "{file}, {scheduler}");
        let trace = report["trace"].as_array().expect("a trace");
        assert!(trace.len() > 2, "{file}, {scheduler}");
        let schedules = &report["schedules"];
        assert!(schedules["runs"].as_u64().expect("a number") <= 300);
    }
}

#[test]
fn both_schedulers_find_a_race() {
    finds("examples/counter-race.cpp", "data-race", &[]);
}

#[test]
fn both_schedulers_find_a_deadlock() {
    finds("examples/lock-order.c", "hang", &[]);
}

#[test]
fn both_schedulers_find_a_failed_assertion() {
    finds("examples/lost-update.cpp", "assertion", &[]);
}

/// A file in a folder of its own.
fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("a file");
    (folder, path)
}

/// Both threads miss the other's store.
const STORE_BUFFERING: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, seen;

static void *other(void *argument)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	seen = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, other, 0);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	int own = atomic_load_explicit(&y, memory_order_relaxed);
	pthread_join(thread, 0);
	assert(own || seen);
}
";

#[test]
fn what_loads_see_is_chosen_at_random() {
    let (_folder, path) = file(STORE_BUFFERING);
    for model in ["tso", "c11", "auto"] {
        for scheduler in SCHEDULERS {
            let options = ["--schedule", scheduler, "--memory-model", model];
            let report = report(&path, &options);
            assert_eq!(report["error"]["kind"], "assertion", "{model}");
        }
    }
    let options = ["--schedule", "random", "--memory-model", "sc"];
    assert_eq!(report(&path, &options)["verdict"], "inconclusive");
}

#[test]
fn inputs_are_chosen_at_random() {
    let text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n\
                int main(void)\n{\n\tint n = __VERIFIER_nondet_int();\n\tassert(n != 7);\n}\n";
    let (_folder, path) = file(text);
    let options = ["--schedule", "random", "--nondet", "0..9"];
    let report = report(&path, &options);
    assert_eq!(report["error"]["kind"], "assertion");
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let steady = |seed: &str, threads: &str| {
        let options = ["--schedule", "pct", "--seed", seed, "--threads", threads];
        let mut report = report("examples/lost-update.cpp", &options);
        for field in ["seconds", "peak_memory_bytes", "state_bytes"] {
            report[field].take();
        }
        report
    };
    assert_eq!(steady("1", "1"), steady("1", "2"));
    assert_ne!(steady("1", "1"), steady("2", "1"));
}

#[test]
fn no_error_is_no_verification() {
    for scheduler in SCHEDULERS {
        let options = ["--schedule", scheduler, "--runs", "50"];
        let output = run("examples/counter.c", &options);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let wanted = "inconclusive: no error in 50 random schedules; others may have one\n";
        assert!(text.starts_with(wanted), "{text}");
        assert!(text.contains("\n50 runs ("), "{text}");
        assert_eq!(output.status.code(), Some(3));
    }
}

#[test]
fn long_runs_are_cut_and_counted() {
    let options = ["--schedule", "random", "--runs", "9", "--max-steps", "5"];
    let report = report("examples/counter.c", &options);
    assert_eq!(report["schedules"]["cut"], 9);
    assert_eq!(report["schedules"]["longest"], 5);
    let reason = report["reason"].as_str().expect("a reason");
    assert!(reason.contains("9 runs cut after 5 steps"), "{reason}");
}

#[test]
fn a_limit_on_time_stops_the_runs() {
    let runs = "1000000000000";
    let options = ["--schedule", "random", "--runs", runs, "--max-time", "2"];
    let report = report("examples/counter.c", &options);
    let reason = report["reason"].as_str().expect("a reason");
    assert!(reason.contains("--max-time"), "{reason}");
}

#[test]
fn options_of_schedules_need_a_scheduler() {
    let help = impasse(["run", "--help"]);
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let (_, own) = help.split_once("Random schedules:").expect("a heading");
    let options = own.lines().filter_map(|line| {
        let option = line.trim_start().strip_prefix("--")?;
        let mut words = option.split_whitespace();
        let (name, value) = (words.next()?, words.next());
        Some((format!("--{name}"), value.is_some()))
    });
    let options: Vec<(String, bool)> = options.filter(|(name, _)| name != "--schedule").collect();
    assert!(options.len() > 20, "{options:?}");
    for (name, has_value) in options {
        let value = match name.as_str() {
            _ if !has_value => "",
            "--memory-model" => "=sc",
            "--exit-code" => "=any",
            "--abort" => "=prune",
            "--main-returns" => "=waits",
            "--uncaught" => "=both",
            "--format" => "=json",
            "--suppressions" => "=none.toml",
            "--leaks" | "--races" | "--spurious-wakeups" => "=on",
            "--spurious-failures" | "--address-reuse" => "=on",
            _ => "=1",
        };
        let output = run("examples/counter.c", &[&format!("{name}{value}")]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains("--schedule <SCHEDULE>"), "{name}: {errors}");
    }
}

/// What is verified has no error, in any schedule.
#[test]
fn no_schedule_of_a_verified_program_fails() {
    let mut tried = 0;
    let folder = |name: &str| programs(&root().join("tests/programs").join(name));
    for program in ["condition", "mutex"].into_iter().flat_map(folder) {
        for (program, directives) in program.variants() {
            let is_verified = directives.get("expect").unwrap_or_default() == "verified";
            let mut others = ["flags", "stdin", "arguments"].iter();
            if !is_verified || others.any(|key| directives.get(key).is_some()) {
                continue;
            }
            for scheduler in SCHEDULERS {
                let report = sampled(&program, &directives, scheduler);
                let (name, error) = (&program.name, &report["error"]);
                assert_eq!(report["verdict"], "inconclusive", "{name}: {error}");
            }
            tried += 1;
        }
    }
    assert!(tried > 8, "{tried} programs");
}

fn sampled(program: &common::Program, directives: &Directives, scheduler: &str) -> Value {
    let clang = directives.words("clang").into_iter();
    let clang: Vec<String> = clang.map(|flag| format!("--clang={flag}")).collect();
    let files = program.files.iter();
    let files: Vec<String> = files.map(|file| file.display().to_string()).collect();
    let (first, others) = files.split_first().expect("a file");
    let options = ["--runs", "30", "--max-steps", "1000", "--threads", "1"];
    let words = others.iter().chain(&clang).map(String::as_str);
    let words = words.chain(options).chain(["--schedule", scheduler]);
    report(first, &words.collect::<Vec<&str>>())
}
