//! What cannot be checked is said in one line, with exit code 2; limits end in exit code 3; the
//! JSON report has its fields.

mod common;

use common::impasse_process;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Output;
use std::sync::Once;
use tempfile::TempDir;

/// A file in a folder of its own, which is kept for the test.
struct Case {
    _folder: TempDir,
    path: PathBuf,
}

fn case(name: &str, content: impl AsRef<[u8]>) -> Case {
    static SET_UP: Once = Once::new();
    SET_UP.call_once(common::set_up);
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a new file");
    Case {
        _folder: folder,
        path,
    }
}

fn check(case: &Case, options: &[&str]) -> Output {
    let path = case.path.to_string_lossy().into_owned();
    let mut arguments = vec!["check".to_owned(), path];
    arguments.extend(options.iter().map(|&word| word.into()));
    impasse_process(arguments)
}

/// The error's line, which names the file, among at most `lines` lines in all.
fn refused(case: &Case, wanted: &str, lines: usize) {
    for command in ["check", "run", "info"] {
        let output = impasse_process([command.as_ref(), case.path.as_os_str()]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {errors}");
        assert!(errors.lines().count() <= lines, "{command}: {errors}");
        let line = errors.lines().find(|l| l.starts_with("impasse: "));
        let line = line.unwrap_or_else(|| panic!("{command}: {errors}"));
        assert!(line.contains(wanted), "{command}: {errors}");
        let name = case.path.file_name().expect("a name").to_string_lossy();
        assert!(errors.contains(&*name), "{command}: {errors}");
        assert!(!errors.contains("panicked"), "{command}: {errors}");
        assert!(output.stdout.is_empty(), "{command}");
    }
}

#[test]
fn a_missing_file() {
    let case = case("here.c", "");
    fs::remove_file(&case.path).expect("the file was made");
    refused(&case, "here.c", 1);
}

#[test]
fn an_empty_file() {
    refused(&case("empty.c", ""), "is empty", 1);
}

#[test]
fn a_program_without_main() {
    refused(&case("part.c", "int f(void) { return 1; }\n"), "main", 1);
}

#[test]
fn text_that_is_no_c() {
    refused(&case("letter.c", "Dear reader,\n"), "letter.c", 12);
}

#[test]
fn a_program_that_does_not_compile() {
    let text = "int main(void)\n{\n\treturn undeclared;\n}\n";
    let case = case("wrong.c", text);
    refused(&case, "wrong.c", 12);
    let errors = check(&case, &[]).stderr;
    let errors = String::from_utf8_lossy(&errors).into_owned();
    assert!(errors.contains("wrong.c:3:9"), "{errors}");
}

#[test]
fn a_type_of_file_that_is_not_known() {
    refused(
        &case("picture.png", [0x89, b'P', b'N', b'G']),
        "picture.png",
        1,
    );
}

#[test]
fn a_folder() {
    let folder = case("inside.c", "");
    let path = folder.path.parent().expect("a folder");
    let output = impasse_process(["check".as_ref(), path.as_os_str()]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn broken_bitcode() {
    refused(
        &case("broken.bc", "BC\u{c0}\u{de} and no more"),
        "broken.bc",
        1,
    );
    refused(&case("nothing.bc", ""), "nothing.bc", 1);
}

#[test]
fn broken_assembly() {
    let text = "define i32 @main() {\n  ret i64 0\n}\n";
    refused(&case("broken.ll", text), "broken.ll", 6);
}

#[test]
fn a_missing_input_beside_a_good_one() {
    let good = case("good.c", "int main(void) { return 0; }\n");
    let missing = good.path.with_file_name("missing.c");
    let output = impasse_process(["check".as_ref(), good.path.as_os_str(), missing.as_os_str()]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("missing.c"), "{errors}");
}

#[test]
fn main_defined_twice() {
    let one = case("one.c", "int main(void) { return 0; }\n");
    let two = one.path.with_file_name("two.c");
    fs::write(&two, "int main(void) { return 1; }\n").expect("a new file");
    let output = impasse_process(["check".as_ref(), one.path.as_os_str(), two.as_os_str()]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("main"), "{errors}");
}

#[test]
fn options_that_make_no_sense() {
    let case = case("good.c", "int main(void) { return 0; }\n");
    let cases: [&[&str]; 6] = [
        &["--nondet", "5..1"],
        &["--nondet", "many"],
        &["--max-memory", "lots"],
        &["--threads", "0"],
        &["--format", "poem"],
        &["--", "-std=c++99"],
    ];
    for options in cases {
        let output = check(&case, options);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {errors}");
        assert!(!errors.is_empty(), "{options:?}");
    }
}

#[test]
fn no_arguments_at_all() {
    let output = impasse_process::<&str>([]);
    assert_eq!(output.status.code(), Some(2));
}

/// Three threads that count without end.
const MANY_STATES: &str = "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_uint n[3];\n\
    static void *work(void *p)\n{\n\tfor (;;)\n\t\t++*(atomic_uint *)p;\n\treturn 0;\n}\n\
    int main(void)\n{\n\tpthread_t t[3];\n\tfor (int i = 0; i < 3; i++)\n\t\tpthread_create(&t[i], 0, work, &n[i]);\n\
    \tpthread_join(t[0], 0);\n\treturn 0;\n}\n";

#[test]
fn limits_end_inconclusive() {
    let case = case("many.c", MANY_STATES);
    let cases = [
        ("--max-states", "1000", "states"),
        ("--max-time", "0.5", "time"),
        ("--max-memory", "150M", "memory"),
    ];
    for (option, limit, wanted) in cases {
        for order in ["breadth", "depth"] {
            let options = [option, limit, "--format", "json", "--search", order];
            let output = check(&case, &options);
            assert_eq!(output.status.code(), Some(3), "{option} {order}");
            let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
            assert_eq!(report["verdict"], "inconclusive");
            let reason = report["reason"].as_str().expect("a reason");
            assert!(reason.contains(wanted), "{option}: {reason}");
            assert!(report["states"].as_u64() > Some(10), "{option} {order}");
        }
    }
}

#[test]
fn the_human_report_starts_with_the_verdict() {
    let good = case("good.c", "int main(void) { return 0; }\n");
    let bad = case(
        "bad.c",
        "#include <stdlib.h>\nint main(void) { abort(); }\n",
    );
    let unknown = case(
        "far.c",
        "int far(void);\nint main(void) { return far(); }\n",
    );
    for (case, word, code) in [
        (good, "verified", 0),
        (bad, "error", 1),
        (unknown, "inconclusive", 3),
    ] {
        let output = check(&case, &[]);
        let text = String::from_utf8_lossy(&output.stdout);
        let first = text.lines().next().unwrap_or_default();
        assert!(first.contains(word), "{text}");
        assert_eq!(output.status.code(), Some(code), "{text}");
    }
}

fn report_of(text: &str, options: &[&str]) -> Value {
    let case = case("program.c", text);
    let mut all = vec!["--format", "json", "--threads", "1"];
    all.extend(options);
    let output = check(&case, &all);
    let mut report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    shorten_paths(&mut report);
    report
}

/// The temporary folder differs from run to run, and musl's frames from version to version.
fn shorten_paths(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(file)) = fields.get_mut("file")
                && let Some((_, name)) = file.rsplit_once('/')
            {
                *file = name.into();
            }
            fields.values_mut().for_each(shorten_paths);
        }
        Value::Array(items) => {
            let library = |item: &Value| item["library"] == true;
            items.retain(|item| !library(item));
            items.iter_mut().for_each(shorten_paths);
        }
        _ => {}
    }
}

macro_rules! snapshot {
    ($report:expr) => {
        insta::assert_json_snapshot!($report, {
            ".seconds" => "[seconds]",
            ".peak_memory_bytes" => "[bytes]",
            ".state_bytes" => "[bytes]",
            ".replay.command" => "[command]",
        })
    };
}

#[test]
fn json_of_a_verified_program() {
    snapshot!(report_of("int main(void) { return 0; }\n", &[]));
}

#[test]
fn json_of_an_error() {
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int n;\n\
        static void *work(void *p)\n{\n\tn = 2;\n\treturn p;\n}\n\
        int main(void)\n{\n\tpthread_t t;\n\tpthread_create(&t, 0, work, 0);\n\tassert(n == 0);\n\
        \tpthread_join(t, 0);\n\treturn 0;\n}\n";
    snapshot!(report_of(text, &[]));
}

#[test]
fn json_of_a_hang() {
    let text = "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        int main(void)\n{\n\tpthread_mutex_lock(&m);\n\tpthread_mutex_lock(&m);\n\treturn 0;\n}\n";
    snapshot!(report_of(text, &[]));
}

#[test]
fn what_becomes_of_delayed_writes() {
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\
        static _Atomic(atomic_int *) given, kept;\nstatic atomic_int x, y, z;\n\
        static void set(atomic_int *a, int value)\n{\n\tatomic_store_explicit(a, value, memory_order_relaxed);\n}\n\
        static void *work(void *p)\n{\n\tatomic_int *own = atomic_exchange(&given, 0);\n\tset(own, 2);\n\tfree(own);\n\
        \tatomic_int *shared = atomic_load(&kept);\n\tset(shared, 3);\n\tfree(shared);\n\
        \tset(&x, 1);\n\tatomic_thread_fence(memory_order_seq_cst);\n\
        \tset(&y, 1);\n\tset(&z, 1);\n\tassert(y != 1 || x == 0);\n\treturn p;\n}\n\
        int main(void)\n{\n\tpthread_t t;\n\tgiven = calloc(1, sizeof *given);\n\tkept = calloc(1, sizeof *kept);\n\
        \tpthread_create(&t, 0, work, 0);\n\tset(&z, 0);\n\tpthread_join(t, 0);\n\treturn 0;\n}\n";
    let report = report_of(text, &["--memory-model", "tso"]);
    let texts = report["trace"].as_array().expect("a trace").iter();
    let texts = texts.filter_map(|step| step["text"].as_str());
    // The temporary folder differs from run to run.
    let texts = texts.map(|text| match (text.find('/'), text.find("program.c")) {
        (Some(from), Some(to)) => format!("{}{}", &text[..from], &text[to..]),
        _ => text.to_owned(),
    });
    snapshot!(texts.collect::<Vec<String>>());
}

#[test]
fn json_of_something_unsupported() {
    let text = "int far(int);\nint main(void)\n{\n\treturn far(2);\n}\n";
    snapshot!(report_of(text, &[]));
}

#[test]
fn nothing_else_is_on_standard_output() {
    let case = case(
        "talks.c",
        "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n",
    );
    let output = check(&case, &["--format", "json"]);
    serde_json::from_slice::<Value>(&output.stdout).expect("one JSON object and nothing else");
}

fn loops(case: &Case, options: &[&str]) -> (Option<i32>, String) {
    let path = case.path.to_string_lossy().into_owned();
    let mut arguments = vec!["loops".to_owned(), path];
    arguments.extend(options.iter().map(|&word| word.into()));
    let output = impasse_process(arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), errors)
}

#[test]
fn loops_refuses_what_it_cannot_do() {
    let program = case(
        "f.c",
        "int f(int x) { return x; }\nint g(double d) { return d > 0; }\n",
    );
    let cxx = case("f.cpp", "int main() { return 0; }\n");
    let (code, errors) = loops(&cxx, &["--data-model", "ilp32"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("only C can be compiled"), "{errors}");
    let (code, errors) = loops(&program, &[]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("main"), "{errors}");
    let (code, errors) = loops(&program, &["--main", "g"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(
        errors.contains("neither an integer nor a pointer"),
        "{errors}"
    );
    let (code, errors) = loops(&program, &["--main", "h"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains('h'), "{errors}");
}

#[test]
fn certificates_that_do_not_hold_are_rejected() {
    let program = case(
        "loop.c",
        "int main(void) { int i = 0; while (i < 5) i += 0; return 0; }\n",
    );
    let proof = program.path.with_extension("json");
    let (code, errors) = loops(&program, &["--certificate", &proof.to_string_lossy()]);
    assert_eq!(code, Some(1), "{errors}");
    let certify = || {
        impasse_process(["certify".as_ref(), proof.as_os_str()])
            .status
            .code()
    };
    assert_eq!(certify(), Some(0));
    fs::write(
        &program.path,
        "int main(void) { int i = 0; while (i < 5) i += 1; return 0; }\n",
    )
    .expect("the program can be changed");
    assert_eq!(certify(), Some(1), "the program ends now");
    fs::write(&proof, "{}").expect("the proof can be changed");
    assert_eq!(certify(), Some(2), "no certificate at all");
}
