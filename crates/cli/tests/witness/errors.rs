//! Witnesses of errors that `impasse check` finds: they have the form, and what they say of inputs
//! leads a natively compiled program to the error.

use crate::common::impasse;
use crate::form;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What is declared in each program.
const HEAD: &str = "extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void *malloc(unsigned long); void free(void *); void abort(void);
void reach_error(void) { __assert_fail(\"0\", \"p.c\", 7, \"reach_error\"); }
";

/// A sequential program with an error.
struct Wrong {
    /// The source behind the head.
    rest: &'static str,
    options: &'static [&'static str],
    property: &'static str,
    /// The line of the target.
    line: u32,
    /// What stands there, if a column is given.
    at: Option<&'static str>,
}

const PROGRAMS: [Wrong; 8] = [
    Wrong {
        rest: "int main(void) {\n int n = __VERIFIER_nondet_int();\n if (n * 3u == 36u)\n  reach_error();\n return 0; }\n",
        options: &[],
        property: "! call(reach_error())",
        line: 11,
        at: Some("reach_error()"),
    },
    Wrong {
        rest: "static void check(int c) { if (!c) { reach_error(); } }\n\
         int main(void) {\n unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();\n\
         check(a + 256 * b != 0x4d2); return 0; }\n",
        options: &[],
        property: "! call(reach_error())",
        line: 8,
        at: Some("reach_error();"),
    },
    Wrong {
        rest: "int main(void) {\n double x = __VERIFIER_nondet_double();\n if (x > 2.5 && x < 2.75) reach_error();\n return 0; }\n",
        options: &[],
        property: "! call(reach_error())",
        line: 10,
        at: None,
    },
    Wrong {
        rest: "int main(void) { for (int i = 0; i < 3; i++)\n if (__VERIFIER_nondet_int() != i)\n  return 0;\n reach_error(); return 0; }\n",
        options: &[],
        property: "! call(reach_error())",
        line: 11,
        at: Some("reach_error();"),
    },
    Wrong {
        rest: "int a[4];\nint main(void) { int n = __VERIFIER_nondet_uchar();\n return n > 6 ? 0 : a[n]; }\n",
        options: &[],
        property: "valid-deref",
        line: 10,
        at: None,
    },
    Wrong {
        rest: "int main(void) { int n = __VERIFIER_nondet_int();\n int m = n + 1;\n return m == 0; }\n",
        options: &["--signed-overflow"],
        property: "! overflow",
        line: 9,
        at: None,
    },
    Wrong {
        rest: "int main(void) { int *p = malloc(4);\n if (p) { free(p);\n free(p); } return 0; }\n",
        options: &[],
        property: "valid-free",
        line: 10,
        at: Some("free(p);"),
    },
    Wrong {
        rest: "int main(void) { if (__VERIFIER_nondet_bool())\n abort();\n return 0; }\n",
        options: &["--abort", "error"],
        property: "! call(abort())",
        line: 9,
        at: Some("abort();"),
    },
];

struct Written {
    _folder: TempDir,
    source: PathBuf,
    text: Option<String>,
    errors: String,
}

/// What a check of a program leaves.
fn written(name: &str, source: &str, options: &[&str]) -> Written {
    let folder = tempfile::tempdir().unwrap();
    let (path, witness) = (folder.path().join(name), folder.path().join("witness.yml"));
    std::fs::write(&path, source).unwrap();
    let files = [witness.to_str().unwrap(), path.to_str().unwrap()];
    let words = ["check", "--witness"].iter().chain(&files);
    let output = impasse(words.chain(options));
    Written {
        text: std::fs::read_to_string(&witness).ok(),
        errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        source: path,
        _folder: folder,
    }
}

/// The waypoints of a witness, each of a segment of its own.
fn waypoints(text: &str) -> (Vec<Value>, String) {
    let entries: Value = serde_json::from_str(text).unwrap();
    let entry = &entries[0];
    let segments = entry["content"].as_array().unwrap().iter();
    let waypoints = segments.map(|segment| segment["segment"][0]["waypoint"].clone());
    let property = &entry["metadata"]["task"]["specification"];
    (waypoints.collect(), property.as_str().unwrap().to_owned())
}

#[test]
fn they_have_the_form_and_point_at_the_error() {
    crate::set_up();
    for wrong in PROGRAMS {
        let Wrong {
            rest, property, at, ..
        } = wrong;
        let source = format!("{HEAD}{rest}");
        let written = written("p.c", &source, wrong.options);
        let text = written
            .text
            .unwrap_or_else(|| panic!("{rest}: {}", written.errors));
        let of = |file: &str| std::fs::read_to_string(file).ok();
        form::validate(&text, of).unwrap_or_else(|wrong| panic!("{rest}: {wrong}"));
        let (waypoints, specification) = waypoints(&text);
        let expected = format!("CHECK( init(main()), LTL(G {property}) )");
        assert_eq!(specification, expected, "{rest}");
        let target = waypoints.last().unwrap();
        assert_eq!(target["type"], "target", "{rest}");
        assert_eq!(target["location"]["line"], wrong.line, "{rest}");
        let column = target["location"].get("column");
        assert_eq!(column.is_some(), at.is_some(), "{rest}: {target}");
        if let Some(text) = at {
            assert!(
                crate::text_at(&source, target).starts_with(text),
                "{rest}: {target}"
            );
        }
    }
}

/// Natively, the program calls `reach_error` where the functions that return inputs return what the
/// witness says, in its order.
#[test]
fn their_inputs_lead_to_the_error_natively() {
    crate::set_up();
    let mut tried = 0;
    let called = |wrong: &Wrong| wrong.property.contains("reach_error");
    for Wrong { rest, options, .. } in PROGRAMS.into_iter().filter(called) {
        let source = format!("{HEAD}{rest}");
        let written = written("p.c", &source, options);
        let (waypoints, _) = waypoints(&written.text.unwrap());
        let inputs: Vec<&str> = waypoints
            .iter()
            .filter_map(|waypoint| waypoint["constraint"]["value"].as_str())
            .filter_map(|value| value.strip_prefix("\\result == "))
            .collect();
        assert_eq!(exit_code(&written.source, &inputs), Some(42), "{rest}");
        tried += 1;
    }
    assert_eq!(tried, 4);
}

/// The exit code of the program where inputs have these values.
fn exit_code(source: &Path, inputs: &[&str]) -> Option<i32> {
    let folder = source.parent().unwrap();
    let (harness, binary) = (folder.join("harness.c"), folder.join("p"));
    let inputs = inputs.join(", ");
    let text = format!(
        "#include <stdlib.h>\nstatic double inputs[] = {{{inputs}}};\n\
         static double next(void) {{ static unsigned at; if (at == sizeof inputs / 8) exit(96); return inputs[at++]; }}\n\
         int __VERIFIER_nondet_int(void) {{ return next(); }}\n\
         unsigned char __VERIFIER_nondet_uchar(void) {{ return next(); }}\n\
         double __VERIFIER_nondet_double(void) {{ return next(); }}\n\
         _Bool __VERIFIER_nondet_bool(void) {{ return next(); }}\n\
         void __assert_fail(const char *a, const char *b, unsigned c, const char *d) {{ exit(42); }}\n"
    );
    std::fs::write(&harness, text).unwrap();
    let mut clang = Command::new("clang-19");
    let compiled = clang.arg("-w").arg(source).arg(&harness).arg("-o");
    let output = compiled.arg(&binary).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Command::new(&binary).status().unwrap().code()
}

#[test]
fn what_the_format_cannot_state_is_not_written() {
    crate::set_up();
    let threads = "#include <pthread.h>\n#include <assert.h>\nint n;\n\
                   static void *run(void *p) { n = 1; return 0; }\n\
                   int main(void) { pthread_t t; pthread_create(&t, 0, run, 0);\n\
                   pthread_join(t, 0); assert(n == 2); return 0; }\n";
    let cases = [
        ("threads.c", threads, "several"),
        ("right.c", "int main(void) { return 0; }\n", "has no loop"),
        (
            "p.cpp",
            "#include <cassert>\nint main() { assert(false); }\n",
            "sources in C",
        ),
        (
            "shift.c",
            "int main(void) { volatile int n = 99; return 1 << n; }\n",
            "no property",
        ),
    ];
    for (name, source, reason) in cases {
        let written = written(name, source, &[]);
        assert_eq!(written.text, None, "{name}");
        let (errors, is_said) = (&written.errors, "was not written: ");
        assert!(
            errors.contains(is_said) && errors.contains(reason),
            "{name}: {errors}"
        );
    }
}
