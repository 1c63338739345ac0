//! Programs taken from a compilation database, as CMake writes it.

mod common;

use common::impasse_process;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Once;
use tempfile::TempDir;

/// A project: two executables, `app` and `test`, that share `count.c`, which only `test` compiles
/// with `-DBROKEN`. One file is C++. The build runs in the folder `build`.
struct Project(TempDir);

impl Project {
    fn new() -> Project {
        static SET_UP: Once = Once::new();
        SET_UP.call_once(common::set_up);
        let project = Project(TempDir::new().expect("a temporary folder"));
        project.write("include/limit.h", "#define LIMIT 3\n");
        project.write("build/config.h", "#define CONFIGURED 1\n");
        project.write("build/words.rsp", "-DQUOTED=\\\"a\\ b\\\"\n-I../include");
        let main = "#include <limit.h>\n#include <assert.h>\n#include <string.h>\n#ifndef CONFIGURED\n#error none\n\
            #endif\nstatic_assert(__cplusplus == 201703L);\nextern \"C\" int count();\n\
            int main()\n{\n\tassert(strlen(QUOTED) == 3);\n\tassert(count() == LIMIT);\n}\n";
        project.write("src/main.cc", main);
        let count = "#include \"limit.h\"\n_Static_assert(__STDC_VERSION__ == 199901L, \"C99\");\n\
            int count(void)\n{\n#ifdef BROKEN\n\treturn LIMIT - 1;\n#else\n\treturn LIMIT;\n#endif\n}\n";
        project.write("src/count.c", count);
        project.write("src/other.c", "int main(void) { return 0; }\n");
        project
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Writes a database of these entries: a file, its target, and the flags of its command.
    fn database(&self, entries: &[(&str, &str, &str)]) {
        let build = self.0.path().join("build");
        let entry = |(file, target, flags): &(&str, &str, &str)| {
            let path = self.0.path().join(file);
            let object = format!("CMakeFiles/{target}.dir/__/{file}.o");
            let command = format!("/usr/bin/c++ {flags} -o {object} -c {}", path.display());
            json!({ "directory": build, "command": command, "file": path, "output": object })
        };
        let entries: Vec<Value> = entries.iter().map(entry).collect();
        self.write(
            "build/compile_commands.json",
            &Value::from(entries).to_string(),
        );
    }

    /// Runs `impasse check` in the folder, and returns its exit code and what it prints.
    fn check(&self, words: &str) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_impasse"));
        command
            .arg("check")
            .args(words.split(' '))
            .env("IMPASSE_HOME", common::root());
        let output = command
            .current_dir(self.0.path())
            .output()
            .expect("the tool starts");
        let printed = [output.stdout, output.stderr].concat();
        let code = output.status.code().expect("it exits");
        (code, String::from_utf8_lossy(&printed).into_owned())
    }
}

/// Flags of a usual build, some of which only GCC knows.
const MAIN: &str = "-O2 -g -Wall -Werror -Wlogical-op -fPIC -MD -MT x.o -MF x.d -std=c++17 -include config.h @words.rsp";
const COUNT: &str = "-O3 -DNDEBUG -flto=auto -std=c99 -I../include";

fn project() -> Project {
    let project = Project::new();
    let broken = format!("{COUNT} -DBROKEN");
    project.database(&[
        ("src/main.cc", "app", MAIN),
        ("src/count.c", "app", COUNT),
        ("src/main.cc", "test", MAIN),
        ("src/count.c", "test", &broken),
        ("src/other.c", "other", ""),
        ("src/missing.S", "other", "-m32"),
    ]);
    project
}

#[test]
fn a_target_is_a_program_and_each_file_has_its_flags() {
    let project = project();
    let (code, printed) =
        project.check("--compile-commands build/compile_commands.json --target app");
    assert_eq!(code, 0, "{printed}");
    let (code, printed) = project.check("--compile-commands build --target test");
    assert_eq!(code, 1, "{printed}");
    assert!(
        printed.starts_with("error: assertion at src/main.cc:12: "),
        "{printed}"
    );
}

#[test]
fn files_are_chosen_by_name_and_others_may_be_added() {
    let project = project();
    let (code, printed) = project.check("--compile-commands build --from src/other.c");
    assert_eq!(code, 0, "{printed}");
    let words = "--compile-commands build --from src/main.cc src/count.c -Iinclude -std=c99";
    let (code, printed) = project.check(words);
    assert_eq!(code, 0, "{printed}");
    let words = "--compile-commands build --target app --target test";
    let (code, printed) = project.check(words);
    assert!(
        code == 2 && printed.contains("count.c is compiled in several ways"),
        "{printed}"
    );
}

#[test]
fn what_cannot_be_followed_is_named_with_its_file() {
    let project = project();
    for (words, wanted) in [
        (
            "--compile-commands build --target library",
            "there is no target library, but app, other, test",
        ),
        (
            "--compile-commands build --target other",
            "missing.S: -m32: ",
        ),
        ("--compile-commands build --from src/none.c", "src/none.c"),
        (
            "--compile-commands nowhere.json",
            "CMAKE_EXPORT_COMPILE_COMMANDS",
        ),
        (
            "--compile-commands include/limit.h",
            "no compilation database",
        ),
        ("--target app", "--compile-commands"),
        ("-O2", "name the files of the program"),
    ] {
        let (code, printed) = project.check(words);
        assert_eq!(code, 2, "{words}: {printed}");
        assert!(printed.contains(wanted), "{words}: {printed}");
    }
}

#[test]
fn arguments_and_languages_and_precompiled_headers_are_read() {
    let project = Project::new();
    let folder = project.0.path().join("build");
    let entry = |file: &str, words: &[&str]| {
        let words: Vec<&str> = ["ccache", "c++"].iter().chain(words).copied().collect();
        json!({ "directory": folder, "arguments": words, "file": file })
    };
    project.write(
        "src/really.c",
        "#include <vector>\nint main() { return std::vector<int>{0}[0]; }\n",
    );
    let entries = [
        entry(
            "../src/really.c",
            &["-x", "c++", "-DA=a b", "-c", "../src/really.c"],
        ),
        entry("config.h.cxx", &["-x", "c++-header", "-c", "config.h.cxx"]),
    ];
    project.write("build/compile_commands.json", &json!(entries).to_string());
    let (code, printed) = project.check("--compile-commands build");
    assert_eq!(code, 0, "{printed}");
    let (code, printed) = project.check("--compile-commands build --target app");
    assert!(
        code == 2 && printed.contains("choose files with --from"),
        "{printed}"
    );
}

#[test]
fn every_subcommand_but_loops_takes_a_build() {
    let project = project();
    let database = project.0.path().join("build");
    for command in ["run", "info"] {
        let words = [
            command.as_ref(),
            "--target".as_ref(),
            "app".as_ref(),
            "--compile-commands".as_ref(),
        ];
        let words: Vec<&Path> = words
            .into_iter()
            .map(|word: &std::ffi::OsStr| Path::new(word))
            .collect();
        let output = impasse_process(words.into_iter().chain([database.as_path()]));
        assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
    }
}
