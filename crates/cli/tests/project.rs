//! Several checks at once: those of `impasse.toml`, and the tests of a program.

mod common;

use serde_json::Value;
use std::fs;
use std::process::Command;
use std::sync::Once;
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    static SET_UP: Once = Once::new();
    SET_UP.call_once(common::set_up);
    let folder = TempDir::new().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

/// Runs `impasse` in the folder, and returns its exit code and what it prints to both streams.
fn run(folder: &TempDir, words: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_impasse"))
        .args(words.split(' '))
        .env("IMPASSE_HOME", common::root())
        .current_dir(folder.path())
        .output()
        .expect("the tool starts");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().expect("it exits");
    (code, text(&output.stdout), text(&output.stderr))
}

const LOOP: &str = "int main(void) { for (;;) ; }\n";
const ASSERTION: &str = "#include <assert.h>\nint main(void) { assert(N == 1); return 0; }\n";

/// The name, the verdict and the kind of error of each check.
fn verdicts(json: &str) -> Vec<String> {
    let all: Value = serde_json::from_str(json).unwrap_or_else(|_| panic!("{json}"));
    let checks = all["checks"].as_array().expect("checks").iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    checks
        .map(|it| {
            let report = &it["report"];
            [&it["name"], &report["verdict"], &report["error"]["kind"]]
                .map(text)
                .join(" ")
        })
        .collect()
}

#[test]
fn a_project_has_several_checks() {
    let project = "flags = \"-DN=1\"\n[check.loop]\nfiles = [\"loop.c\"]\nhangs = \"global\"\n\
        [check.right]\nfiles = \"assert.c\"\n[check.wrong]\nfiles = \"assert.c\"\nflags = [\"-UN\", \"-DN=2\"]\n";
    let files = [
        ("impasse.toml", project),
        ("loop.c", LOOP),
        ("assert.c", ASSERTION),
    ];
    let folder = folder(&files);
    let (code, out, errors) = run(&folder, "check --format json");
    assert_eq!(code, 1, "{errors}");
    let found = [
        "loop error hang",
        "right verified ",
        "wrong error assertion",
    ];
    assert_eq!(verdicts(&out), found);
    let (code, out, _) = run(
        &folder,
        "check --format json --only right --only loop --hangs off",
    );
    assert_eq!(code, 0, "{out}");
    assert_eq!(verdicts(&out), ["loop verified ", "right verified "]);
    let (code, out, _) = run(&folder, "check --only wrong");
    assert!(
        code == 1 && out.starts_with("== wrong\nerror: assertion at assert.c:2"),
        "{out}"
    );
    assert!(
        out.ends_with("1 checks: 0 verified, 1 with errors, 0 inconclusive\n"),
        "{out}"
    );
}

#[test]
fn a_project_gives_the_environment() {
    let program = "#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n\
        int main(void) { assert(!strcmp(getenv(\"MODE\"), \"a=b\") && getenv(\"LANG\")); }\n";
    let project = "[check.given]\nfiles = \"read.c\"\nenv = [\"MODE=a=b\", \"LANG=C\"]\n\
        [check.wrong]\nfiles = \"read.c\"\nenv = [\"MODE=b\", \"LANG=C\"]\n";
    let folder = folder(&[("impasse.toml", project), ("read.c", program)]);
    let (code, out, errors) = run(&folder, "check --format json");
    assert_eq!(code, 1, "{errors}");
    assert_eq!(verdicts(&out), ["given verified ", "wrong error assertion"]);
}

#[test]
fn a_project_file_must_be_right() {
    let wrong = |text| {
        let folder = folder(&[("impasse.toml", text), ("loop.c", LOOP)]);
        let (code, _, errors) = run(&folder, "check");
        assert_eq!(code, 2, "{errors}");
        errors
    };
    assert!(
        wrong("[check.a]\nfiles = \"loop.c\"\nhang = \"off\"\n")
            .contains("[check.a]: unexpected argument '--hang'")
    );
    assert!(wrong("[check.a]\nhangs = \"off\"\n").contains("neither `files` nor"));
    assert!(
        wrong("[check.a]\nfiles = \"none.c\"\n").is_empty(),
        "its report says so"
    );
    assert!(wrong("[check\n").contains("impasse.toml"));
    let (code, _, errors) = run(&folder(&[]), "check");
    assert!(
        code == 2 && errors.contains("describe the project in impasse.toml"),
        "{errors}"
    );
}

/// It understands the options of doctest that Impasse uses.
const TESTS: &str = "#include <cstdio>\n#include <cstring>\n#include <cassert>\n#include <thread>\n\
    namespace doctest { struct Context { int run(int, char **); }; }\n\
    static int n;\n\
    static void races() { std::thread t([] { n++; }); n++; t.join(); }\n\
    static void fails() { assert(n == 1); }\nstatic void passes() {}\n\
    static struct { const char *name; void (*run)(); } tests[] =\n\
    {{\"passes, always\", passes}, {\"races\", races}, {\"fails\", fails}};\n\
    [[gnu::noinline]] int doctest::Context::run(int count, char **words)\n{\n\
    const char *only = nullptr; bool list = false;\n\
    for (int i = 1; i < count; i++)\n\
    if (!strcmp(words[i], \"--list-test-cases\")) list = true;\n\
    else if (!strncmp(words[i], \"--test-case=\", 12)) only = words[i] + 12;\n\
    if (list) printf(\"[doctest] listing\\n=====\\n\");\n\
    for (auto &test : tests)\n\
    if (!only || !strncmp(test.name, only, strcspn(only, \"\\\\\"))) {\n\
    if (list) puts(test.name); else test.run(); }\n\
    if (list) puts(\"=====\");\n\
    return 0;\n}\n\
    int main(int count, char **words) { return doctest::Context().run(count, words); }\n";

#[test]
fn each_test_is_checked_by_itself() {
    let folder = folder(&[("tests.cpp", TESTS)]);
    let (code, out, errors) = run(&folder, "test tests.cpp --list");
    assert_eq!(
        (code, out.as_str()),
        (0, "passes, always\nraces\nfails\n"),
        "{errors}"
    );
    let (code, out, errors) = run(&folder, "test --format json tests.cpp");
    assert_eq!(code, 1, "{errors}");
    let found = [
        "passes, always verified ",
        "races error data-race",
        "fails error assertion",
    ];
    assert_eq!(verdicts(&out), found);
    let (code, out, _) = run(&folder, "test tests.cpp --test p*");
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("verified      passes, always  "), "{out}");
    let (code, _, errors) = run(&folder, "test tests.cpp --test none");
    assert!(code == 2 && errors.contains("lists no test"), "{errors}");
}

#[test]
fn a_program_without_a_framework_has_no_tests() {
    let (code, _, errors) = run(&folder(&[("loop.c", LOOP)]), "test loop.c");
    assert!(
        code == 2 && errors.contains("uses none of googletest"),
        "{errors}"
    );
}
