//! `impasse install`: what it puts where, and that what it puts there is used.

mod common;

use common::root;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Installs the program to a new folder.
fn installed() -> tempfile::TempDir {
    let prefix = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_impasse"))
        .args(["install", "--prefix"])
        .arg(prefix.path())
        .env("IMPASSE_HOME", root())
        .output()
        .expect("impasse runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    for line in printed.lines() {
        let (_, path) = line.split_at(12);
        assert!(Path::new(path).exists(), "{path} is not there");
    }
    prefix
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the command runs")
}

#[test]
fn an_installation_is_complete() {
    let prefix = installed();
    let at = |file: &str| prefix.path().join(file);

    // The program uses its own files: it misses them when they are gone.
    fs::remove_file(at("share/impasse/runtime/impasse_machine.h")).expect("the runtime is there");
    let mut command = Command::new(at("bin/impasse"));
    command.arg("setup").env_remove("IMPASSE_HOME");
    let output = run(command.env("IMPASSE_CACHE", at("cache")));
    let wanted = format!("{}: the folder runtime/", at("share/impasse").display());
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains(&wanted),
        "{}",
        text(&output.stderr)
    );

    // The compilers compile.
    let source = at("empty.c");
    fs::write(&source, "int main(void) {}\n").expect("a file");
    let mut compiler = Command::new(at("bin/impasse-cc"));
    let output = run(compiler.arg("-c").arg(&source).arg("-o").arg(at("empty.o")));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let object = fs::read(at("empty.o")).expect("an object");
    assert!(object.windows(8).any(|bytes| bytes == b".impasse"));

    // CMake finds its package.
    assert!(at("share/impasse/cmake/ImpasseConfig.cmake").is_file());

    // Each subcommand has a page, which names its options.
    let page = fs::read_to_string(at("share/man/man1/impasse-check.1")).expect("a page");
    assert!(page.contains("max\\-states") && page.contains(".TH impasse-check 1"));
    let pages = fs::read_dir(at("share/man/man1")).expect("a folder");
    let help = text(&run(Command::new(at("bin/impasse")).arg("--help")).stdout);
    for page in pages {
        let name = page
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("a name");
        let subcommand = name.trim_end_matches(".1").trim_start_matches("impasse");
        let subcommand = subcommand.trim_start_matches('-').split('-').next();
        let subcommand = subcommand.expect("a first part");
        assert!(help.contains(&format!("  {subcommand}")), "{name}");
    }

    // The shell completes subcommands and options.
    for (words, wanted) in [
        ("impasse ou", "outcomes"),
        ("impasse check --max-st", "--max-states"),
    ] {
        let script = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _impasse impasse \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; \
             echo \"${{COMPREPLY[@]}}\"",
            at("share/bash-completion/completions/impasse").display()
        );
        let output = run(Command::new("bash").args(["-c", &script]));
        assert_eq!(
            text(&output.stdout).trim(),
            wanted,
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let output = run(Command::new(env!("CARGO_BIN_EXE_impasse"))
        .args(["install", "--prefix", "/dev/null/there"])
        .env("IMPASSE_HOME", root()));
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("/dev/null/there"));
    assert!(text(&output.stderr).contains("--prefix"));
}
