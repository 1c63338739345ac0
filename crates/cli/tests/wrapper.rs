//! `impasse cc` and `impasse c++`, and checks of what they have built.

mod common;

use common::root;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Once;
use tempfile::TempDir;

const IMPASSE: &str = env!("CARGO_BIN_EXE_impasse");

/// Runs a command in a folder, and returns its exit code and what it prints.
fn run(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(folder);
    let output = command.env("IMPASSE_HOME", root()).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", words[0]));
    let printed = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&printed).into_owned(),
    )
}

/// A copy of the example that is built with make.
fn example() -> TempDir {
    static SET_UP: Once = Once::new();
    SET_UP.call_once(common::set_up);
    let folder = TempDir::new().expect("a folder");
    for name in ["Makefile", "app.c", "pool.c", "pool.h"] {
        fs::copy(
            root().join("examples/make").join(name),
            folder.path().join(name),
        )
        .expect("a copy");
    }
    folder
}

fn make(folder: &Path, more: &[&str]) {
    let compiler = format!("CC={IMPASSE} cc");
    let words = [&["make", "--silent", &compiler], more].concat();
    let (code, printed) = run(folder, &words);
    assert_eq!((code, printed.as_str()), (Some(0), ""), "{printed}");
}

#[test]
fn what_make_has_built_is_checked_by_name() {
    let folder = example();
    make(folder.path(), &[]);
    assert_eq!(run(folder.path(), &["./app"]), (Some(0), String::new()));
    let (code, printed) = run(folder.path(), &[IMPASSE, "check", "app"]);
    assert_eq!(code, Some(0), "{printed}");
    // Archivers align members to two bytes only. A short member moves the object behind it.
    for filling in ["", "12", "1234", "123456"] {
        fs::write(folder.path().join("filling"), filling).expect("a file");
        let (code, _) = run(
            folder.path(),
            &["ar", "rcsb", "pool.o", "libpool.a", "filling"],
        );
        assert_eq!(code, Some(0));
        let (code, printed) = run(folder.path(), &[IMPASSE, "check", "libpool.a", "app.o"]);
        assert_eq!(code, Some(0), "{printed}");
    }

    // Flags of the build count, and a change is compiled again.
    run(folder.path(), &["make", "clean"]);
    make(folder.path(), &["CFLAGS=-O2 -DBROKEN -pthread"]);
    let (code, printed) = run(folder.path(), &[IMPASSE, "check", "app"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(
        printed.starts_with("error: assertion at app.c:12"),
        "{printed}"
    );
}

#[test]
fn a_program_may_be_compiled_and_linked_at_once() {
    let folder = example();
    fs::create_dir(folder.path().join("out")).expect("a folder");
    let source = "#include <cassert>\n#ifndef __cplusplus\n#error C\n#endif\nint main() { assert(N == 3); }\n";
    fs::write(folder.path().join("three.cc"), source).expect("a file");
    let words = [IMPASSE, "c++", "-DN=3", "three.cc", "-o", "out/three"];
    let (code, printed) = run(folder.path(), &words);
    assert_eq!(code, Some(0), "{printed}");
    let (code, printed) = run(folder.path(), &[IMPASSE, "check", "out/three"]);
    assert_eq!(code, Some(0), "{printed}");
}

#[test]
fn the_compiler_says_what_it_says_without_impasse() {
    let folder = TempDir::new().expect("a folder");
    for words in [
        &["--version"][..],
        &["-c", "missing.c"],
        &["-E", "missing.c"],
        &[],
    ] {
        let wrapped = run(folder.path(), &[&[IMPASSE, "cc"], words].concat());
        let plain = run(folder.path(), &[&["cc"], words].concat());
        assert_eq!(wrapped, plain);
    }
}

#[test]
fn what_holds_no_records_is_named() {
    let folder = example();
    run(folder.path(), &["make", "--silent"]);
    for name in ["app", "libpool.a", "app.o"] {
        let (code, printed) = run(folder.path(), &[IMPASSE, "check", name]);
        assert_eq!(code, Some(2), "{printed}");
        assert!(
            printed.starts_with(&format!("impasse: {name}: does not say how")),
            "{printed}"
        );
    }
    fs::write(folder.path().join("broken"), b"\x7fELF rest").expect("a file");
    let (code, printed) = run(folder.path(), &[IMPASSE, "check", "broken"]);
    assert_eq!(code, Some(2), "{printed}");
}
