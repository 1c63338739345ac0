//! Headers that most C++ test programs include: with them before the first line of each, they are
//! precompiled once, rather than once for each set of headers.

use super::{Directives, Program, all_programs, root};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

static HEADERS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| first_includes(&root().join(FILE)).into_iter().collect());

/// The file that includes them.
const FILE: &str = "tests/prelude.hpp";

/// Flags that put the headers before the first line of a program in C++ that begins with one of
/// them; none with `IMPASSE_PROGRAMS=all`. Other flags may change what is precompiled.
pub fn flags(program: &Program, directives: &Directives) -> Vec<String> {
    let clang = directives.words("clang");
    let is_usual = clang.iter().all(|flag| flag.starts_with("-D"));
    let is_cpp = |path: &Path| path.extension() == Some(OsStr::new("cpp"));
    let includes = |path: &Path| first_includes(path).iter().any(|it| HEADERS.contains(it));
    let mut files = program.files.iter();
    match is_usual && !all_programs() && files.all(|path| is_cpp(path) && includes(path)) {
        true => vec![
            "-include".into(),
            root().join(FILE).to_string_lossy().into_owned(),
        ],
        false => Vec::new(),
    }
}

/// The lines that include headers before any other line of code.
fn first_includes(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a source file");
    let lines = text.lines();
    let code = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    let includes = code.take_while(|line| line.starts_with("#include"));
    includes.map(str::to_owned).collect()
}
