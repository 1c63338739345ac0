//! `impasse replay`: errors replay from their JSON, also after the source has changed, and no file
//! crashes it.

mod common;

use common::{Directives, Program, all_programs, impasse, programs, root};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Checks a program, and keeps the result in a file.
fn record(file: &Path, words: &[&str]) -> Value {
    let words = [&["check", "--format", "json"], words].concat();
    let output = impasse(&words);
    fs::write(file, &output.stdout).expect("the file is written");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Replays a result: the report, or what is said instead, and the exit code.
fn replay(file: &Path, options: &[&str]) -> (Value, i32) {
    let words = ["replay", &file.display().to_string(), "--format", "json"];
    let output = impasse([&words, options].concat());
    let report = serde_json::from_slice(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code().expect("an exit code");
    (report.unwrap_or(Value::String(said)), code)
}

fn words(program: &Program, directives: &Directives) -> Vec<String> {
    let files = program.files.iter().map(|path| path.display().to_string());
    let clang = directives.words("clang").into_iter();
    let clang = clang.map(|flag| format!("--clang={flag}"));
    // What is printed is none of the path.
    let flags = directives.words("flags").into_iter();
    let flags = flags.filter(|flag| flag != "--full-trace" && flag != "--library-frames");
    files.chain(flags).chain(clang).collect()
}

/// Every so many of the test programs; all if `IMPASSE_PROGRAMS` is `all`.
const USUAL: usize = 16;

/// The programs in folders in which an error is to be found, each with its directives.
fn failing(folders: &[&str]) -> Vec<(Program, Directives)> {
    let found = folders.iter().flat_map(|it| programs(&root().join(it)));
    let variants = found.flat_map(Program::variants);
    let failing = variants.filter(|(program, it)| {
        let is_checked = !program.name.contains("suppress") && it.get("command").is_none();
        let expected = it.get("expect");
        is_checked && expected.is_some_and(|text| text.starts_with("error"))
    });
    failing.collect()
}

#[test]
fn errors_of_the_test_programs_replay() {
    let step = if all_programs() { 1 } else { USUAL };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("result.json");
    let failing = failing(&["tests/programs", "tests/memory-model/programs"]);
    let mut replayed = 0;
    for (program, directives) in failing.into_iter().step_by(step) {
        let words = words(&program, &directives);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let recorded = record(&file, &words);
        if recorded["verdict"] != "error" {
            continue;
        }
        let (again, code) = replay(&file, &[]);
        let name = &program.name;
        assert_eq!(code, 1, "{name}: {again}");
        assert_eq!(
            again["replayed"]["outcome"], "same-error",
            "{name}: {again}"
        );
        for field in ["/error", "/trace", "/path", "/environment", "/replay"] {
            assert_eq!(
                again.pointer(field),
                recorded.pointer(field),
                "{name}: {field}"
            );
        }
        replayed += 1;
    }
    assert!(replayed > 10, "{replayed} errors were replayed");
}

/// What a real process shows of the error of a program; `None` if none is found.
fn native(program: &Program, directives: &Directives) -> Option<(String, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("result.json");
    let words = words(program, directives);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if record(&file, &words)["verdict"] != "error" {
        return None;
    }
    let (report, code) = replay(&file, &["--native"]);
    let field = |name: &str| report["native"][name].as_str().map(str::to_owned);
    let outcome = field("outcome").unwrap_or_else(|| panic!("{}: {report}", program.name));
    assert_eq!(code == 1, outcome == "occurs", "{}: {report}", program.name);
    Some((outcome, field("text").unwrap_or_default()))
}

#[test]
fn the_errors_of_the_examples_occur_in_real_processes() {
    let mut occurred = 0;
    let all = failing(&["examples"]).into_iter();
    let alone = all.filter(|(program, _)| !program.name.starts_with("libraries/"));
    for (program, directives) in alone {
        let Some((outcome, text)) = native(&program, &directives) else {
            continue;
        };
        let wanted = match directives.get("flags") {
            // Older values are none of what a processor can be told to read.
            Some(flags) if flags.contains("c11") || flags.contains("tso") => "not-tried",
            _ if program.name.contains("relaxed") => "not-tried",
            _ => "occurs",
        };
        assert_eq!(outcome, wanted, "{}: {text}", program.name);
        occurred += usize::from(outcome == "occurs");
    }
    assert!(occurred > 5, "{occurred} errors occurred");
}

/// A program that goes wrong in one place when Impasse checks it and in another as a process.
const ELSEWHERE: &str = "#include <assert.h>
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *volatile none;
static void fail(void) { FAILS; }
int main(void)
{
    pthread_mutex_lock(&m);
#if __has_feature(thread_sanitizer)
    FAILS;
#endif
    fail();
    return 0;
}
";

#[test]
fn an_error_elsewhere_in_the_process_is_not_that_of_the_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, source) = (folder.path().join("r.json"), folder.path().join("a.c"));
    let failures = [
        ("assertion", "assert(none)"),
        ("null-dereference", "*none = 1"),
        ("hang", "pthread_mutex_lock(&m)"),
    ];
    for (kind, failure) in failures {
        for (text, wanted) in [(ELSEWHERE, "not-seen"), (&alike(), "occurs")] {
            fs::write(&source, text.replace("FAILS", failure)).expect("the file is written");
            let recorded = record(&file, &[&source.display().to_string()]);
            assert_eq!(recorded["error"]["kind"], kind, "{recorded}");
            let (report, _) = replay(&file, &["--native"]);
            let native = &report["native"];
            assert_eq!(native["outcome"], wanted, "{failure}: {native}");
        }
    }
}

/// The same program without the difference.
fn alike() -> String {
    ELSEWHERE.replace("__has_feature(thread_sanitizer)", "0")
}

const LATE: &str = "#include <assert.h>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <thread>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s;
static std::mutex own;
static std::condition_variable condition;
static bool set;
static timespec until() { return {4000000000, 0}; }
int main()
{
    sem_init(&s, 0, 0);
    TAKE
    std::thread other([] {
        GIVE
    });
    timespec time = until();
    assert(WAIT);
    other.join();
}
";

#[test]
fn waits_time_out_in_the_process_as_on_the_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, source) = (folder.path().join("r.json"), folder.path().join("a.cpp"));
    let waits = [
        (
            "pthread_mutex_lock(&m);",
            "pthread_mutex_lock(&m); pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
            "pthread_cond_timedwait(&c, &m, &time) == 0",
        ),
        (
            "",
            "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
            "pthread_mutex_timedlock(&m, &time) == 0 && pthread_mutex_unlock(&m) == 0",
        ),
        ("", "sem_post(&s);", "sem_timedwait(&s, &time) == 0"),
        (
            "",
            "pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l);",
            "pthread_rwlock_timedrdlock(&l, &time) == 0 && pthread_rwlock_unlock(&l) == 0",
        ),
        (
            "std::unique_lock<std::mutex> lock(own);",
            "std::lock_guard<std::mutex> lock(own); set = true; condition.notify_one();",
            "condition.wait_for(lock, std::chrono::seconds(9), [] { return set; })",
        ),
    ];
    for (take, give, wait) in waits {
        let text = LATE.replace("TAKE", take).replace("GIVE", give);
        fs::write(&source, text.replace("WAIT", wait)).expect("the file is written");
        let recorded = record(&file, &[&source.display().to_string()]);
        assert_eq!(recorded["error"]["kind"], "assertion", "{wait}: {recorded}");
        let (report, _) = replay(&file, &["--native"]);
        let native = &report["native"];
        assert_eq!(native["outcome"], "occurs", "{wait}: {native}");
    }
}

/// Errors that do no harm in a process, each with the main function and what it needs.
const HARMLESS: [(&str, &str, &str); 7] = [
    (
        "out-of-bounds",
        "static int get(int *a) { return a[3]; }",
        "int a[3] = {0}; return get(a);",
    ),
    (
        "out-of-bounds",
        "static int a[3]; static int *p = a;",
        "return p[3];",
    ),
    (
        "use-after-return",
        "static int *p; static void f(void) { int n = 1; p = &n; }",
        "f(); return *p;",
    ),
    ("memory-leak", "#include <stdlib.h>", "malloc(3); return 0;"),
    ("invalid-shift", "static int n = 40;", "return 1 << n;"),
    (
        "invalid-call",
        "#include <string.h>",
        "char a[9] = \"abc\"; strcpy(a + 1, a); return 0;",
    ),
    (
        "assertion",
        "#include <assert.h>
        #include <pthread.h>
        #include <signal.h>
        static int a, b;
        static void handle(int n) { assert(a == b); }
        static void *work(void *n) { a = 1; b = 1; return n; }",
        "signal(SIGUSR1, handle); pthread_t t; pthread_create(&t, 0, work, 0);
        pthread_kill(t, SIGUSR1); pthread_join(t, 0);",
    ),
];

#[test]
fn what_does_no_harm_and_signals_are_seen_in_the_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, source) = (folder.path().join("r.json"), folder.path().join("a.c"));
    for (kind, before, main) in HARMLESS {
        let text = format!("{before}\nint main(void) {{\n{main}\n}}\n");
        fs::write(&source, text).expect("the file is written");
        let recorded = record(&file, &[&source.display().to_string()]);
        assert_eq!(recorded["error"]["kind"], kind, "{main}: {recorded}");
        let (report, _) = replay(&file, &["--native"]);
        let native = &report["native"];
        assert_eq!(native["outcome"], "occurs", "{main}: {native}");
    }
}

/// Errors of paths on which something is chosen, each with an option, and the main function and
/// what it needs.
const CHOSEN: [(&str, &str, &str, &str); 5] = [
    (
        "assertion",
        "--nondet=0..9",
        "#include <assert.h>
        int __VERIFIER_nondet_int(void);",
        "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
        assert(a != 7 || b != 3);",
    ),
    (
        "assertion",
        "--races=off",
        "#include <assert.h>
        #include <impasse.h>",
        "int a = impasse_choose(3); impasse_assume(a != 1); assert(a == 0);",
    ),
    (
        "assertion",
        "--races=off",
        "#include <assert.h>
        #include <pthread.h>
        static struct pair { long a, b; } pair, ones = {1, 1};
        static void *work(void *n) { pair = ones; return n; }",
        "pthread_t t; pthread_create(&t, 0, work, 0);
        struct pair seen = pair;
        assert(seen.a == seen.b);",
    ),
    (
        "null-dereference",
        "--malloc-fail",
        "#include <stdlib.h>",
        "int *a = malloc(4); if (a) { *a = 1; int *b = malloc(4); *b = 2; free(b); } free(a);",
    ),
    (
        "invalid-call",
        "--races=off",
        "#include <setjmp.h>
        static jmp_buf b;
        static int set(void) { return setjmp(b); }",
        "if (!set()) longjmp(b, 1);",
    ),
];

#[test]
fn what_the_path_chooses_is_chosen_in_the_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, source) = (folder.path().join("r.json"), folder.path().join("a.c"));
    for (kind, option, before, main) in CHOSEN {
        let text = format!("{before}\nint main(void) {{\n{main}\n}}\n");
        fs::write(&source, text).expect("the file is written");
        let recorded = record(&file, &[&source.display().to_string(), option]);
        assert_eq!(recorded["error"]["kind"], kind, "{main}: {recorded}");
        let (report, _) = replay(&file, &["--native"]);
        let native = &report["native"];
        assert_eq!(native["outcome"], "occurs", "{main}: {native}");
    }
}

/// Test programs whose errors occur by a part of the runtime or of the steering each.
const SEEN_BY_ITS_PARTS: [&str; 10] = [
    "assembly/published-by-move.c -DBROKEN",
    "condition/two-mutexes.c -DBROKEN",
    "exceptions/malloc-fail-uncaught.cpp",
    "hangs/counting-semaphore.cpp -DBROKEN",
    "harness/cxx-linkage.cpp -DBROKEN",
    "library-c/eventfd-counts.c",
    "memory/delete-of-malloc.cpp -DBROKEN",
    "memory/mapped-bounds.c",
    "sockets/ends-accept.c -DBROKEN",
    "sockets/unread.c",
];

#[test]
fn each_part_of_the_runtime_does_its_work() {
    let programs = failing(&["tests/programs"]).into_iter();
    let chosen = programs.filter(|(it, _)| SEEN_BY_ITS_PARTS.contains(&&*it.name));
    let mut occurred = 0;
    for (program, directives) in chosen {
        let (outcome, text) = native(&program, &directives).expect("an error");
        assert_eq!(outcome, "occurs", "{}: {text}", program.name);
        occurred += 1;
    }
    assert_eq!(occurred, SEEN_BY_ITS_PARTS.len());
}

/// Every so many of the test programs run as processes.
const USUAL_PROCESSES: usize = 40;

/// Prints the share of errors that occur, and what became of the rest: with `IMPASSE_PROGRAMS=all`
/// of all, and with a number of so many.
#[test]
fn errors_of_the_test_programs_occur_in_real_processes() {
    let programs = failing(&["tests/programs"]);
    let wanted = std::env::var("IMPASSE_PROGRAMS").ok();
    let wanted = wanted.and_then(|count| count.parse::<usize>().ok());
    let step = match wanted {
        Some(count) => programs.len().div_ceil(count.max(1)),
        None if all_programs() => 1,
        None => USUAL_PROCESSES,
    };
    let chosen: Vec<_> = programs.into_iter().step_by(step).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = Vec::new();
        while let Some((program, directives)) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some((outcome, text)) = native(program, directives) {
                let text = text.lines().next().unwrap_or_default().to_owned();
                outcomes.push((outcome, text, program.name.clone()));
            }
        }
        outcomes
    };
    let mut outcomes = thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut outcomes = work();
        outcomes.extend(other.join().expect("no panic"));
        outcomes
    });
    outcomes.sort();
    for (outcome, text, name) in outcomes.iter().filter(|it| it.0 != "occurs") {
        println!("{outcome}: {name}: {text}");
    }
    let count = |wanted: &str| outcomes.iter().filter(|it| it.0 == wanted).count();
    let (occurred, followed) = (count("occurs"), outcomes.len() - count("not-tried"));
    let share = occurred as f64 / followed as f64;
    println!("{occurred} of {followed} errors occurred in real processes: {share:.2}");
    assert!(share >= SHARE, "{occurred} of {followed} errors occurred");
}

/// The least share of the errors that occur, among those that a process is led to: of few programs,
/// it varies with which they are.
const SHARE: f64 = 0.7;

#[test]
fn an_error_of_a_random_schedule_replays() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("result.json");
    let source = root().join("examples/lock-order.c").display().to_string();
    let output = impasse([
        "run",
        &source,
        "--schedule",
        "random",
        "--seed",
        "3",
        "--format=json",
    ]);
    fs::write(&file, output.stdout).expect("the file is written");
    let (again, code) = replay(&file, &[]);
    assert_eq!(
        (code, &again["replayed"]["outcome"]),
        (1, &json!("same-error")),
        "{again}"
    );
}

const DEADLOCK: &str = "#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void *work(void *argument)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    shared++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    shared++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
    return 0;
}
";

/// What becomes of the recorded deadlock after a change of the source.
fn after(changes: &[(&str, &str)]) -> (Value, i32) {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, source) = (folder.path().join("r.json"), folder.path().join("a.c"));
    fs::write(&source, DEADLOCK).expect("the file is written");
    let recorded = record(&file, &[&source.display().to_string()]);
    assert_eq!(recorded["error"]["kind"], "hang", "{recorded}");
    let change = |text: String, (from, to): &(&str, &str)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    let changed = changes.iter().fold(DEADLOCK.to_owned(), change);
    fs::write(&source, changed).expect("the file is written");
    replay(&file, &[])
}

#[test]
fn lines_values_and_what_is_done_alone_may_change() {
    let setup = "int main(void)\n{\n    for (int i = 0; i < 5000; i++) shared = 0;\n\n";
    let (report, code) = after(&[("int main(void)\n{\n", setup), ("shared++", "shared += 7")]);
    assert_eq!(
        (code, &report["replayed"]["outcome"]),
        (1, &json!("same-error")),
        "{report}"
    );
}

#[test]
fn a_path_that_is_gone_says_where() {
    let order = "    pthread_mutex_lock(&b);\n    pthread_mutex_lock(&a);\n    shared++;";
    let other = "    pthread_mutex_lock(&a);\n    pthread_mutex_lock(&b);\n    shared++;";
    let (report, code) = after(&[(order, other)]);
    assert_eq!(
        (code, &report["replayed"]["outcome"]),
        (3, &json!("no-path")),
        "{report}"
    );
    let text = report["replayed"]["text"].as_str().expect("text");
    assert!(
        text.contains("thread 1") && text.contains("in the recorded path"),
        "{text}"
    );
    assert_eq!(report["verdict"], "inconclusive");
    assert!(!report["trace"].as_array().expect("steps").is_empty());
}

#[test]
fn a_path_without_an_error_says_nothing_of_others() {
    let (report, code) = after(&[(
        "    pthread_mutex_lock(&a);\n    shared++;\n    pthread_mutex_unlock(&a);\n",
        "    shared++;\n",
    )]);
    // The race that this brings is on another path.
    assert_eq!(
        (code, &report["replayed"]["outcome"]),
        (0, &json!("no-error")),
        "{report}"
    );
    assert_eq!(report["verdict"], "inconclusive");
}

#[test]
fn another_error_on_the_path_is_an_error() {
    let (report, code) = after(&[(
        "    pthread_mutex_lock(&a);\n    shared++;",
        "    *(int *)0 = 1;\n    shared++;",
    )]);
    assert_eq!(
        (code, &report["replayed"]["outcome"]),
        (1, &json!("other-error")),
        "{report}"
    );
    assert_eq!(report["error"]["kind"], "null-dereference");
}

/// Every value in a result, replaced by others, is answered with an exit code.
#[test]
fn tampered_results_do_not_crash_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, source) = (folder.path().join("r.json"), folder.path().join("a.c"));
    fs::write(&source, DEADLOCK).expect("the file is written");
    let mut recorded = record(&file, &[&source.display().to_string()]);
    recorded["trace"] = json!([]);
    let mut pointers = Vec::new();
    collect(&recorded, String::new(), &mut pointers);
    pointers.retain(|it| it.starts_with("/replay") || it.starts_with("/error/hang/section"));
    assert!(pointers.len() > 10);
    let values = [
        json!(null),
        json!(-1),
        json!(4_294_967_295_u32),
        json!("--help"),
        json!([[]]),
    ];
    for (n, pointer) in pointers.iter().enumerate() {
        let value = &values[n % values.len()];
        let mut tampered = recorded.clone();
        *tampered.pointer_mut(pointer).expect("it is there") = value.clone();
        fs::write(&file, tampered.to_string()).expect("the file is written");
        let (_, code) = replay(&file, &[]);
        assert!((0..4).contains(&code), "{pointer} = {value}: {code}");
    }
    for text in [
        "",
        "{}",
        "[]",
        "{\"checks\":[]}",
        "{\"verdict\":\"error\"}",
        "\u{0}",
    ] {
        fs::write(&file, text).expect("the file is written");
        assert_eq!(replay(&file, &[]).1, 2, "{text}");
    }
}

fn collect(value: &Value, at: String, pointers: &mut Vec<String>) {
    pointers.push(at.clone());
    match value {
        Value::Array(all) => {
            for (n, it) in all.iter().enumerate() {
                collect(it, format!("{at}/{n}"), pointers);
            }
        }
        Value::Object(all) => {
            for (name, it) in all {
                collect(it, format!("{at}/{name}"), pointers);
            }
        }
        _ => {}
    }
}
