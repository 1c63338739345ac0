//! The files that are changed: the project's own programs, and what is made of them.

use super::common::{impasse_process, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file and its name, whose end says what it is.
#[derive(Clone)]
pub struct Seed {
    pub name: String,
    pub content: Vec<u8>,
}

impl Seed {
    fn read(path: &Path) -> Seed {
        let relative = path.strip_prefix(root()).unwrap_or(path);
        Seed {
            name: relative.display().to_string(),
            content: fs::read(path).expect("a readable seed"),
        }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.content).into_owned()
    }
}

/// All files below a folder of the project with one of these ends, in order.
fn files(folder: &str, ends: &[&str]) -> Vec<PathBuf> {
    let all = walkdir::WalkDir::new(root().join(folder)).sort_by_file_name();
    let paths = all
        .into_iter()
        .map(|entry| entry.expect("an entry").into_path());
    let fits = |path: &PathBuf| {
        let end = path.extension().and_then(|e| e.to_str());
        end.is_some_and(|end| ends.contains(&end))
    };
    paths.filter(fits).collect()
}

/// C programs, each small.
pub fn sources() -> Vec<Seed> {
    let mut paths = files("tests/programs", &["c"]);
    paths.extend(files("tests/memory-model/litmus", &["c"]));
    paths.extend(files("examples", &["c"]));
    paths
        .iter()
        .map(|path| Seed::read(path))
        .filter(|seed| seed.content.len() < 4_000)
        .collect()
}

pub fn shim() -> Vec<Seed> {
    let mut paths = files("tests/shim", &["shim"]);
    paths.extend(files("examples/shim", &["shim"]));
    paths.iter().map(|path| Seed::read(path)).collect()
}

/// What clang makes of some C programs and a few of C++, with and without optimisation: made in a
/// folder.
pub fn make_intermediate(folder: &Path, end: &str) {
    let sources = files("tests/programs", &["c"]).into_iter().step_by(40);
    let more = files("tests/programs/exceptions", &["cpp"])
        .into_iter()
        .take(2);
    for (number, source) in sources.chain(more).enumerate() {
        let mut clang = Command::new("clang-19");
        clang
            .args(["-w", "-c", "-emit-llvm", "-I"])
            .arg(root().join("include"));
        clang.args(match number % 3 {
            0 => ["-O0", "-g"],
            1 => ["-O1", "-g0"],
            _ => ["-O2", "-g"],
        });
        clang.args(if end == "ll" { &["-S"][..] } else { &[] });
        clang
            .arg(source)
            .arg("-o")
            .arg(folder.join(format!("{number:03}.{end}")));
        clang.output().expect("clang runs");
    }
}

/// Programs with a certificate, each found at once: of loops that repeat a state, and of such as
/// need a proof.
const CERTIFIED: [&str; 8] = [
    "machine/index-too-narrow.c",
    "machine/odd-minus-two.c",
    "nested/moves-and-adds-four.c",
    "nested/steps-of-four-keep-the-rest.c",
    "recursion/same-argument.c",
    "array/sort-never-content.c",
    "pointer/list-closed-by-input.c",
    "period/rotation.c",
];

/// What `impasse loops` says to some programs, of twins to the broken one: made in a folder, with
/// the programs.
pub fn make_results(folder: &Path) {
    for (number, program) in CERTIFIED.iter().enumerate() {
        let program = root().join("tests/loops").join(program);
        let path = program.to_str().expect("a plain path");
        let made = impasse_process(["loops", "--format", "json", path, "--", "-DBROKEN"]);
        let name = |end: &str| folder.join(format!("{number:03}.{end}"));
        fs::write(name("json"), &made.stdout).expect("a new file");
        fs::copy(&program, name("c")).expect("a new file");
    }
}

/// The proof in what `impasse loops` says, as text, if it holds one.
pub fn proof(seed: &Seed) -> Option<Seed> {
    let result: serde_json::Value = serde_json::from_slice(&seed.content).expect("a result");
    let proof = result["certificate"]["claimed"]["execution"]["proof"].as_object()?;
    Some(Seed {
        name: seed.name.clone(),
        content: serde_json::to_vec_pretty(proof).expect("it can be written"),
    })
}

/// The files of a folder with an end, in order.
pub fn made(folder: &Path, end: &str) -> Vec<Seed> {
    let entries = fs::read_dir(folder).expect("a folder of seeds");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == end));
    paths.sort();
    paths.iter().map(|path| Seed::read(path)).collect()
}
