//! Witnesses of termination: they have the form, and what they say of loops holds when the program
//! is compiled with a check of it wherever a loop's condition is evaluated.

use crate::common::{impasse, root};
use crate::form;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

struct Written {
    _folder: TempDir,
    text: Option<String>,
    errors: String,
}

/// What a search leaves of a program that ends.
fn written(program: &Path) -> Written {
    let folder = tempfile::tempdir().unwrap();
    let witness = folder.path().join("witness.yml");
    let words = ["loops", "--max-time", "60", "--witness"];
    let files = [witness.to_str().unwrap(), program.to_str().unwrap()];
    let output = impasse(words.iter().chain(&files));
    Written {
        text: std::fs::read_to_string(&witness).ok(),
        errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        _folder: folder,
    }
}

/// An invariant: where, and what.
struct Invariant {
    at: (usize, usize),
    condition: String,
    of_two: bool,
}

fn invariants(text: &str) -> Vec<Invariant> {
    let entries: Value = serde_json::from_str(text).unwrap();
    let entry = &entries[0];
    let property = &entry["metadata"]["task"]["specification"];
    assert_eq!(property, "CHECK( init(main()), LTL(F end) )");
    let all = entry["content"].as_array().unwrap().iter();
    all.map(|it| {
        let it = &it["invariant"];
        let number = |key: &str| it["location"][key].as_u64().unwrap() as usize;
        Invariant {
            at: (number("line") - 1, number("column") - 1),
            condition: it["value"].as_str().unwrap().to_owned(),
            of_two: it["type"] == "loop_transition_invariant",
        }
    })
    .collect()
}

/// The variables of earlier visits that a condition speaks of.
fn earlier(condition: &str) -> Vec<&str> {
    let parts = condition.split("\\at(").skip(1);
    let mut names: Vec<&str> = parts
        .filter_map(|it| it.split(", AnyPrev").next())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The program with checks where the conditions of loops are evaluated. Of two visits, the first
/// and the last before it are looked at.
fn watched(source: &str, invariants: &[Invariant]) -> String {
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    let mut ordered: Vec<(usize, &Invariant)> = invariants.iter().enumerate().collect();
    ordered.sort_by_key(|(_, it)| std::cmp::Reverse(it.at));
    for (
        number,
        Invariant {
            at,
            condition,
            of_two,
        },
    ) in ordered
    {
        let mut check = match of_two {
            false => format!("holds_here({condition})"),
            true => String::new(),
        };
        if *of_two {
            let names = earlier(condition);
            let said = |kind: &str| {
                let mut said = condition.clone();
                for name in &names {
                    let of = format!("\\at({name}, AnyPrev)");
                    said = said.replace(&of, &format!("{kind}_{number}_{name}"));
                }
                said
            };
            let each = |text: &dyn Fn(&str) -> String| -> String {
                names.iter().map(|name| text(name)).collect()
            };
            let declared = each(&|name| {
                format!("static __typeof__({name}) first_{number}_{name}, last_{number}_{name}; ")
            });
            let kept = each(&|name| {
                let (first, last) = (
                    format!("first_{number}_{name}"),
                    format!("last_{number}_{name}"),
                );
                format!("if (!passed) {first} = {name}; {last} = {name}; ")
            });
            check = format!(
                "({{ static int passed; {declared}holds_here(!passed || (({}) && ({}))); {kept}passed = 1; 0; }})",
                said("first"),
                said("last")
            );
        }
        let (before, after) = lines[at.0].split_at(at.1);
        let after = match after.strip_prefix("while") {
            Some(rest) => format!("while{}", rest.replacen('(', &format!("({check}, "), 1)),
            None => {
                let (first, rest) = after.split_once(';').unwrap();
                match rest.trim_start().starts_with(';') {
                    true => format!("{first}; {check}, 1{rest}"),
                    false => format!("{first}; {check}, {rest}"),
                }
            }
        };
        lines[at.0] = format!("{before}{after}");
    }
    format!(
        "#include <stdlib.h>\nstatic void holds_here(int holds) {{ if (!holds) exit(96); }}\n\
         static unsigned long long impasse_seed;\nstatic unsigned long long next_input(void)\n\
         {{ impasse_seed = impasse_seed * 6364136223846793005u + 1442695040888963407u; return impasse_seed >> 60 > 3 ? impasse_seed >> 61 : impasse_seed >> 16; }}\n\
         int __VERIFIER_nondet_int(void) {{ return next_input(); }}\n\
         unsigned __VERIFIER_nondet_uint(void) {{ return next_input(); }}\n\
         long __VERIFIER_nondet_long(void) {{ return next_input(); }}\n\
         unsigned long __VERIFIER_nondet_ulong(void) {{ return next_input(); }}\n\
         short __VERIFIER_nondet_short(void) {{ return next_input(); }}\n\
         char __VERIFIER_nondet_char(void) {{ return next_input(); }}\n\
         unsigned char __VERIFIER_nondet_uchar(void) {{ return next_input(); }}\n\
         unsigned short __VERIFIER_nondet_ushort(void) {{ return next_input(); }}\n\
         _Bool __VERIFIER_nondet_bool(void) {{ return next_input() & 1; }}\n{}\n\
         __attribute__((constructor)) static void impasse_start(void)\n\
         {{ const char *s = getenv(\"SEED\"); impasse_seed = s ? strtoull(s, 0, 10) : 0; }}\n",
        lines.join("\n")
    )
}

/// Runs a program with several sequences of inputs, and returns how many runs ended; fails with the
/// seed of one that broke an invariant.
fn broken(text: &str) -> Result<usize, u64> {
    let folder = tempfile::tempdir().unwrap();
    let (path, binary) = (folder.path().join("p.c"), folder.path().join("p"));
    std::fs::write(&path, text).unwrap();
    let mut clang = Command::new("clang-19");
    let compiled = clang
        .args(["-w", "-fwrapv"])
        .arg(&path)
        .arg("-o")
        .arg(&binary);
    let output = compiled.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}\n{text}");
    let mut ended = 0;
    for seed in 0..12u64 {
        let mut run = Command::new("timeout");
        let run = run.arg("1").arg(&binary).env("SEED", seed.to_string());
        match run.status().unwrap().code() {
            Some(96) => return Err(seed),
            Some(124) => {}
            _ => ended += 1,
        }
    }
    Ok(ended)
}

const PROGRAMS: [&str; 6] = [
    "counter/byte-reaches-200.c",
    "counter/up-and-down.c",
    "counter/step-is-positive-input.c",
    "array/lower-bound.c",
    "array/bubble-sort.c",
    "counter/global-as-initialised.c",
];

#[test]
fn what_they_say_of_loops_holds_natively() {
    crate::set_up();
    let (mut of_one, mut of_two, mut ended) = (0, 0, 0);
    let all = std::env::var("IMPASSE_PROGRAMS").is_ok_and(|it| it == "all");
    for program in programs(all) {
        let written = written(&program);
        let name = program.display();
        let Some(text) = written.text else {
            assert!(written.errors.contains("was not written: "), "{name}");
            println!("{name}: {}", written.errors);
            continue;
        };
        let of = |file: &str| std::fs::read_to_string(file).ok();
        form::validate(&text, of).unwrap_or_else(|wrong| panic!("{name}: {wrong}\n{text}"));
        let found = invariants(&text);
        of_one += found.iter().filter(|it| !it.of_two).count();
        of_two += found.iter().filter(|it| it.of_two).count();
        let source = std::fs::read_to_string(&program).unwrap();
        match broken(&watched(&source, &found)) {
            Ok(runs) => ended += runs,
            Err(seed) => panic!("{name} breaks what its witness says, with seed {seed}:\n{text}"),
        }
    }
    println!("{of_one} invariants, {of_two} of two visits; {ended} runs ended");
    assert!(
        of_one > 3 && of_two > 2 && ended > 30,
        "{of_one} {of_two} {ended}"
    );
}

/// Those that the test looks at: with `IMPASSE_PROGRAMS=all`, all that are proved to end and need
/// no flags.
fn programs(all: bool) -> Vec<PathBuf> {
    let folder = root().join("tests/loops");
    if !all {
        return PROGRAMS.iter().map(|name| folder.join(name)).collect();
    }
    let terminating = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let head: Vec<&str> = text
            .lines()
            .take_while(|line| line.starts_with("//"))
            .collect();
        let has = |word: &str| head.iter().any(|line| line.starts_with(word));
        has("// expect: terminating") && !has("// flags:") && !has("// clang:")
    };
    let folders = std::fs::read_dir(folder).unwrap().flatten();
    let files = folders.filter_map(|it| std::fs::read_dir(it.path()).ok());
    let files = files.flatten().flatten().map(|it| it.path());
    let mut found: Vec<PathBuf> = files.filter(terminating).collect();
    found.sort();
    found
}

/// Programs that end, and why nothing is written.
const WITHOUT: [(&str, &str); 2] = [
    ("int main(void) { return 0; }\n", "has no loop"),
    (
        "extern unsigned __VERIFIER_nondet_uint(void);\n\
         int main(void) { unsigned n = __VERIFIER_nondet_uint();\n\
         do n /= 2; while (n); return 0; }\n",
        "can be written in C",
    ),
];

#[test]
fn where_there_is_none_it_says_why() {
    crate::set_up();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.c");
    for (source, reason) in WITHOUT {
        std::fs::write(&path, source).unwrap();
        let written = written(&path);
        assert_eq!(written.text, None, "{source}");
        let said = &written.errors;
        assert!(
            said.contains("was not written: ") && said.contains(reason),
            "{source}: {said}"
        );
    }
}
