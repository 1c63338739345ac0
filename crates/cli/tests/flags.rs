//! Flags for the compiler, and arguments of the program, in every subcommand.

mod common;

use common::impasse;
use std::fs;
use std::path::Path;
use std::sync::Once;
use tempfile::TempDir;

/// It shows its argument and two macros, one of which a header defines.
const PROGRAM: &str = "#include <value.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <impasse.h>\n\
    IMPASSE_OUTCOME(int, result);\nint main(int argc, char **argv)\n{\n\
    \tresult = VALUE + FLAG;\n\tif (argc > 1)\n\t\tresult += atoi(argv[1]);\n\
    \tprintf(\"%d\\n\", result);\n\twhile (VALUE + FLAG != 42);\n\treturn result != 42;\n}\n";

fn folder() -> TempDir {
    static SET_UP: Once = Once::new();
    SET_UP.call_once(common::set_up);
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write("program.c", PROGRAM);
    write("include/value.h", "#define VALUE 40\n");
    let include = folder.path().join("include");
    let words = format!("-I '{}'\n-DFLAG=2", include.display());
    write("flags.rsp", &words);
    folder
}

/// Runs a command line, in which `DIR` stands for the folder, and returns its exit code and all
/// that it prints.
fn run(folder: &Path, words: &str) -> (i32, String) {
    let folder = folder.to_str().expect("a plain name");
    let words = words.split(' ').map(|word| word.replace("DIR", folder));
    let output = impasse(words);
    let printed = [output.stdout, output.stderr].concat();
    let code = output.status.code().expect("it exits");
    (code, String::from_utf8_lossy(&printed).into_owned())
}

/// Headers are precompiled without `LIMIT`, which they do not mention, and differ with `NDEBUG`.
#[test]
fn precompiled_headers_see_the_macros_that_they_mention() {
    let folder = folder();
    let text = "#include <cassert>\n#include <thread>\n#ifndef LIMIT\n#define LIMIT 1\n#endif\n\
        int main()\n{\n\tassert(LIMIT == 2);\n}\n";
    fs::write(folder.path().join("program.cpp"), text).expect("a file");
    let cases = [
        ("", 1),
        ("-DLIMIT=2", 0),
        ("-DNDEBUG", 0),
        ("-DLIMIT=3 -DNDEBUG", 0),
        ("-DLIMIT=3", 1),
    ];
    for (flags, expected) in cases {
        let line = format!("check DIR/program.cpp {flags}");
        let (code, printed) = run(folder.path(), line.trim());
        assert_eq!(code, expected, "{flags}: {printed}");
    }
}

#[test]
fn every_subcommand_takes_flags_before_and_after_files() {
    let folder = folder();
    for command in ["check", "run", "outcomes", "info", "loops"] {
        for flags in [
            "-DFLAG=2 DIR/program.c -IDIR/include",
            "DIR/program.c -I DIR/include -D FLAG=2 -O3 -pthread -Wall",
            "@DIR/flags.rsp DIR/program.c",
            "DIR/program.c -include DIR/include/value.h --clang=-DFLAG=2 -isystem DIR/include",
        ] {
            let (code, printed) = run(folder.path(), &format!("{command} {flags}"));
            assert_eq!(code, 0, "{command} {flags}: {printed}");
        }
    }
}

#[test]
fn the_systems_headers_come_last_and_are_pointed_out() {
    let folder = folder();
    let text = "#include <cstdlib>\n#include <thread_db.h>\nint main() { return EXIT_SUCCESS; }\n";
    fs::write(folder.path().join("program.cpp"), text).expect("a file");
    for flags in ["-I/usr/include", "-isystem /usr/include/"] {
        let (code, printed) = run(folder.path(), &format!("check {flags} DIR/program.cpp"));
        assert_eq!(code, 0, "{flags}: {printed}");
    }
    let (code, printed) = run(folder.path(), "check DIR/program.cpp");
    let help = "it is in /usr/include: add -idirafter /usr/include";
    assert!(code == 2 && printed.contains(help), "{printed}");
}

#[test]
fn programs_of_earlier_standards_compile() {
    let folder = folder();
    let text =
        "#include <memory>\nint main() { std::auto_ptr<int> none; return none.get() != 0; }\n";
    fs::write(folder.path().join("program.cpp"), text).expect("a file");
    let (code, printed) = run(folder.path(), "check DIR/program.cpp");
    let note = "program.cpp: compiles only by an earlier standard, -std=gnu++14";
    assert!(code == 0 && printed.contains(note), "{printed}");
    let (code, printed) = run(folder.path(), "check -std=c++23 DIR/program.cpp");
    assert!(code == 2 && !printed.contains("earlier"), "{printed}");
    let text = "int main() { return twice(3) != 6; }\ntwice(n) { return n + n; }\n";
    fs::write(folder.path().join("old.c"), text).expect("a file");
    let (code, printed) = run(folder.path(), "check DIR/old.c");
    assert!(code == 0 && printed.contains("implicit"), "{printed}");
}

#[test]
fn two_dashes_mean_flags_but_in_run() {
    let folder = folder();
    for command in ["check", "outcomes", "info", "loops"] {
        let words = format!("{command} DIR/program.c -- -I DIR/include -DFLAG=2");
        let (code, printed) = run(folder.path(), &words);
        assert_eq!(code, 0, "{words}: {printed}");
    }
    let (code, printed) = run(folder.path(), "run @DIR/flags.rsp DIR/program.c -- 7");
    assert_eq!((code, printed.as_str()), (1, "49\n"));
}

#[test]
fn arguments_have_one_option() {
    let folder = folder();
    let (code, printed) = run(folder.path(), "run @DIR/flags.rsp DIR/program.c --arg -7");
    assert_eq!((code, printed.as_str()), (1, "35\n"));
    let (code, printed) = run(
        folder.path(),
        "outcomes @DIR/flags.rsp DIR/program.c --arg 7 --exit-code any",
    );
    assert_eq!((code, printed.as_str()), (0, "result=49\n"));
    let (code, printed) = run(folder.path(), "check @DIR/flags.rsp DIR/program.c --arg 7");
    assert!(code == 1 && printed.contains("exit-code"), "{printed}");
}

#[test]
fn what_cannot_be_followed_is_named_in_one_line() {
    let folder = folder();
    for (flags, wanted) in [
        ("-m32", "impasse: -m32: "),
        ("-fopenmp", "impasse: -fopenmp: OpenMP is not supported"),
        ("-x c++", "impasse: -x c++: "),
        ("-quick", "impasse: -quick: neither an option"),
        (
            "-threads 2",
            "impasse: -threads: options of Impasse begin with two dashes",
        ),
        (
            "@DIR/missing.rsp",
            "missing.rsp: there is no such response file",
        ),
        ("-- other.c", "impasse: other.c: stands among the flags"),
        ("-I", "impasse: -I: a value must follow this flag"),
    ] {
        let (code, printed) = run(folder.path(), &format!("check DIR/program.c {flags}"));
        assert_eq!(code, 2, "{flags}: {printed}");
        assert!(printed.contains(wanted), "{flags}: {printed}");
        assert_eq!(printed.lines().count(), 1, "{flags}: {printed}");
    }
}
