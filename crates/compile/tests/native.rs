//! The runtime and the libraries without the machine: compiled to native code, with the builtins
//! of one thread in `native/machine.c`, programs must behave as C and C++ say.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use impasse_compile::{CompileRequest, DataModel, Library, Member, Toolchain, compile, library};
use tempfile::TempDir;

static READY: LazyLock<(Toolchain, Library)> = LazyLock::new(|| {
    let toolchain = Toolchain::locate(&Toolchain::default_cache()).expect("clang 19 is installed");
    let library =
        library::ensure(&toolchain, DataModel::Lp64, &|_| {}).expect("the library can be built");
    (toolchain, library)
});

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native")
}

fn succeed(command: &mut Command) {
    let output = command.output().expect("the tool runs");
    assert!(
        output.status.success(),
        "{command:?}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The symbols of bitcode files: which each defines, and which it needs.
fn symbols(files: &[&Path]) -> Vec<(HashSet<String>, HashSet<String>)> {
    let output = Command::new("llvm-nm-19")
        .args(["--format=posix", "--print-file-name"])
        .args(files)
        .output();
    let text =
        String::from_utf8(output.expect("llvm-nm-19 runs").stdout).expect("its output is text");
    let index: HashMap<&str, usize> = files
        .iter()
        .enumerate()
        .map(|(i, f)| (f.to_str().expect("a path"), i))
        .collect();
    let mut symbols = vec![Default::default(); files.len()];
    for line in text.lines() {
        let (file, rest) = line.split_once(": ").expect("a file and a symbol");
        let mut words = rest.split_whitespace();
        let (name, kind) = (words.next().expect("a name"), words.next().expect("a kind"));
        let (defined, needed): &mut (HashSet<_>, HashSet<_>) = &mut symbols[index[file]];
        match kind {
            "U" => needed.insert(name.to_owned()),
            _ if kind.chars().all(|k| k.is_ascii_uppercase()) => defined.insert(name.to_owned()),
            _ => false,
        };
    }
    symbols
}

/// What is reached from the first two files, as from an archive.
fn reached<'a>(files: &[&'a Path]) -> Vec<&'a Path> {
    let symbols = symbols(files);
    let mut home = HashMap::new();
    for (i, (defined, _)) in symbols.iter().enumerate() {
        for name in defined {
            home.entry(name).or_insert(i);
        }
    }
    let mut taken = BTreeSet::new();
    let mut todo = vec![0, 1];
    // The code generator may call it for memcmp.
    todo.extend(home.get(&"bcmp".to_owned()));
    while let Some(i) = todo.pop() {
        if taken.insert(i) {
            todo.extend(symbols[i].1.iter().filter_map(|name| home.get(name)));
        }
    }
    taken.into_iter().map(|i| files[i]).collect()
}

/// Compiles a program of the folder `native`, links it with the library and runs it.
fn run(name: &str) -> Output {
    let (toolchain, library) = &*READY;
    let request = CompileRequest {
        inputs: vec![folder().join(name).into()],
        ..CompileRequest::default()
    };
    let module = compile(toolchain, library, &request)
        .expect("it compiles")
        .remove(0);
    let work = TempDir::new().expect("a folder for the test");
    let [linked, object, machine, program] =
        ["linked.bc", "linked.o", "machine.o", "program"].map(|n| work.path().join(n));
    let start = library
        .members()
        .iter()
        .find(|m| m.source.ends_with("runtime/start.c"))
        .expect("start-up is a member");
    let others = library
        .members()
        .iter()
        .filter(|m| m.source != start.source);
    let files: Vec<&Path> = [&module.bitcode, &start.bitcode]
        .into_iter()
        .chain(others.map(|m| &m.bitcode))
        .map(PathBuf::as_path)
        .collect();
    // Where the runtime replaces one of several functions of a file of the C library, both define
    // it, and the runtime's counts.
    let of_runtime = |m: &&Member| m.source.contains("/runtime/");
    let own = library.members().iter().filter(of_runtime);
    let own: HashSet<&Path> = own.map(|m| m.bitcode.as_path()).collect();
    let (own, others): (Vec<&Path>, Vec<&Path>) = reached(&files)
        .into_iter()
        .partition(|file| own.contains(file));
    succeed(
        Command::new("llvm-link-19")
            .args(others)
            .args(
                own.iter()
                    .map(|file| format!("--override={}", file.display())),
            )
            .arg("-o")
            .arg(&linked),
    );
    succeed(
        Command::new("clang-19")
            .args(["-O0", "-w", "-fno-pic", "-c", "-x", "ir"])
            .arg(&linked)
            .arg("-o")
            .arg(&object),
    );
    let headers = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../../runtime");
    succeed(
        Command::new("clang-19")
            .args([
                "-O1",
                "-ffreestanding",
                "-fno-pic",
                "-fno-stack-protector",
                "-Wall",
                "-Wextra",
                "-Werror",
                headers,
                "-c",
            ])
            .arg(folder().join("machine.c"))
            .arg("-o")
            .arg(&machine),
    );
    succeed(
        Command::new("ld")
            .args([
                "-static",
                "--gc-sections",
                "--unresolved-symbols=ignore-all",
                "-o",
            ])
            .args([&program, &machine, &object]),
    );
    Command::new(&program)
        .arg("argument")
        .env_clear()
        .env("PRESENT", "1")
        .output()
        .expect("it runs")
}

fn expect(name: &str, status: i32, output: &str) {
    let result = run(name);
    let said = String::from_utf8_lossy(&result.stderr);
    assert_eq!(String::from_utf8_lossy(&result.stdout), output, "{said}");
    assert_eq!(result.status.code(), Some(status), "{said}");
}

#[test]
fn files_in_memory() {
    expect("files.c", 0, "files work\n");
}

#[test]
fn process_signals_keys_time() {
    expect("process.c", 3, "2 argument\nlast\n");
}

#[test]
fn streams_of_cxx() {
    let lines = [
        "+global",
        "+local",
        "local",
        "even   64 0x5",
        "odd   81 0x5",
        "1.25 text 9",
        "first line 7070707",
        "-local",
        "-global",
        "",
    ];
    expect("streams.cpp", 0, &lines.join("\n"));
}
