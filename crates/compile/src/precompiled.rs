//! Precompiled headers: the leading `#include <...>` lines of a C++ file, parsed once.
//!
//! Only what a file itself includes before anything else is precompiled, with the same flags, so
//! the file means the same with the precompiled header as without: they keep their order, and
//! nothing comes before them. A file whose first lines are anything else (a macro, a header of its
//! own) ends the search; what stands before it counts.
//!
//! A macro that the user defines (`-DN=3`) and that none of these headers mentions makes no
//! difference to them: one precompiled header serves every value of it.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::cache::publish_file;
use crate::clang::{clang, hash_arguments};
use crate::dependencies::listed_files;
use crate::error::CompileError;
use crate::library::Library;
use crate::names::{in_capitals, is_in_capitals};
use crate::toolchain::Toolchain;

/// Precompiled headers are large; those used last are kept.
const KEPT: usize = 24;

/// The flag that includes a file before the first line of another.
const INCLUDE: &str = "-include";
/// Other flags that put something before the first line of a file.
const BEFORE_THE_FILE: &[&str] = &["-imacros", "-include-pch"];

/// The precompiled header for a source file; none if it has no leading standard headers. What the
/// user's folders hold is no such header: it may change.
pub(crate) fn ensure(
    toolchain: &Toolchain,
    library: &Library,
    arguments: &[OsString],
    folders: &[PathBuf],
    source: &[u8],
) -> Result<Option<PathBuf>, CompileError> {
    let Some((before, arguments)) = without_included_file(arguments) else {
        return Ok(None);
    };
    let first = match before {
        Some(path) => fs::read(path).unwrap_or_default(),
        None => source.to_vec(),
    };
    let mut headers = leading_headers(&String::from_utf8_lossy(&first));
    let own = |header: &String| folders.iter().any(|folder| folder.join(header).exists());
    let standard = headers.iter().position(own).unwrap_or(headers.len());
    headers.truncate(standard);
    if headers.is_empty() {
        return Ok(None);
    }
    let others: Vec<OsString> = arguments
        .iter()
        .filter(|argument| own_macro(argument).is_none())
        .cloned()
        .collect();
    let Some(path) = find_or_make(toolchain, library, &others, &headers)? else {
        return Ok(None);
    };
    let mentioned = mentioned(&path)?;
    let matters = |argument: &&OsString| own_macro(argument).is_none_or(|n| mentioned.contains(n));
    let mattering: Vec<OsString> = arguments.iter().filter(matters).cloned().collect();
    match mattering == others {
        true => Ok(Some(path)),
        false => find_or_make(toolchain, library, &mattering, &headers),
    }
}

/// The file that the arguments include before the first line, and the other arguments; none if
/// anything else stands before that line.
fn without_included_file(arguments: &[OsString]) -> Option<(Option<&OsStr>, Vec<OsString>)> {
    let is_other = |argument: &OsString| BEFORE_THE_FILE.iter().any(|flag| argument == flag);
    if arguments.iter().any(is_other) {
        return None;
    }
    let Some(at) = arguments.iter().position(|argument| argument == INCLUDE) else {
        return Some((None, arguments.to_vec()));
    };
    let file = arguments.get(at + 1)?;
    let rest = [&arguments[..at], &arguments[at + 2..]].concat();
    let one = !rest.iter().any(|argument| argument == INCLUDE);
    one.then_some((Some(file), rest))
}

/// The name of a macro that an argument defines, if it is one that programs choose for their own.
fn own_macro(argument: &OsStr) -> Option<&str> {
    let definition = argument.to_str()?.strip_prefix("-D")?;
    let name = definition.split('=').next().unwrap_or_default();
    is_in_capitals(name).then_some(name)
}

/// The names in capitals that the headers mention.
fn mentioned(precompiled: &Path) -> Result<BTreeSet<String>, CompileError> {
    let path = names_file(precompiled);
    let names = fs::read_to_string(&path).map_err(|e| CompileError::io(&path, e))?;
    Ok(names.lines().map(str::to_owned).collect())
}

fn names_file(precompiled: &Path) -> PathBuf {
    precompiled.with_extension("names")
}

/// The precompiled header for these arguments; none if clang cannot make it.
fn find_or_make(
    toolchain: &Toolchain,
    library: &Library,
    arguments: &[OsString],
    headers: &[String],
) -> Result<Option<PathBuf>, CompileError> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(toolchain.clang_identity().as_bytes());
    hasher.update(library.digest().as_bytes());
    hash_arguments(&mut hasher, arguments);
    for header in headers {
        hasher.update(header.as_bytes());
        hasher.update(b"\n");
    }
    let folder = folder(toolchain);
    let path = folder.join(format!("{}.pch", &hasher.finalize().to_hex()[..32]));
    match File::options().append(true).open(&path) {
        Ok(file) if names_file(&path).exists() => {
            // Only the order of eviction depends on it.
            let _ = file.set_modified(SystemTime::now());
        }
        _ => {
            if !precompile(toolchain, arguments, headers, &path)? {
                return Ok(None);
            }
            evict(&folder)?;
        }
    }
    Ok(Some(path))
}

/// Where they are kept.
pub(crate) fn folder(toolchain: &Toolchain) -> PathBuf {
    toolchain.cache().join("headers")
}

/// Whether clang could do it; if not, it will say why when it compiles the file itself.
fn precompile(
    toolchain: &Toolchain,
    arguments: &[OsString],
    headers: &[String],
    target: &Path,
) -> Result<bool, CompileError> {
    let source = target.with_extension("hpp");
    let text: String = headers
        .iter()
        .map(|header| format!("#include <{header}>\n"))
        .collect();
    publish_file(&source, |path| {
        fs::write(path, &text).map_err(|e| CompileError::io(path, e))
    })?;
    let listed = tempfile::NamedTempFile::new().map_err(|e| CompileError::io(&source, e))?;
    let mut worked = false;
    let result = publish_file(target, |path| {
        let status = clang(toolchain)
            .args(
                arguments
                    .iter()
                    .filter(|argument| *argument != "-emit-llvm" && *argument != "-c"),
            )
            .args(["-x", "c++-header", "-w", "-MD", "-MF"])
            .arg(listed.path())
            .arg(&source)
            .arg("-o")
            .arg(path)
            .output()
            .map_err(|e| CompileError::io(toolchain.clang(), e))?
            .status;
        worked = status.success();
        if !worked {
            return Err(CompileError::Toolchain("the headers do not compile".into()));
        }
        let files = listed_files(listed.path());
        publish_file(&names_file(target), |path| {
            let names: Vec<String> = own_names(&files)?.into_iter().collect();
            fs::write(path, names.join("\n")).map_err(|e| CompileError::io(path, e))
        })
    });
    match result {
        Err(error) if worked => Err(error),
        _ => Ok(worked),
    }
}

/// The names in capitals that files mention.
fn own_names(files: &[PathBuf]) -> Result<BTreeSet<String>, CompileError> {
    let mut names = BTreeSet::new();
    for path in files {
        let content = fs::read(path).map_err(|e| CompileError::io(path, e))?;
        let text = String::from_utf8_lossy(&content);
        names.extend(in_capitals(&text).map(str::to_owned));
    }
    Ok(names)
}

fn evict(folder: &Path) -> Result<(), CompileError> {
    let mut kept: Vec<(SystemTime, PathBuf)> = fs::read_dir(folder)
        .map_err(|e| CompileError::io(folder, e))?
        .flatten()
        .filter(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "pch")
        })
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    kept.sort();
    let surplus = kept.len().saturating_sub(KEPT);
    for (_, path) in &kept[..surplus] {
        // Another process may have removed it first.
        let _ = fs::remove_file(path);
        let _ = fs::remove_file(path.with_extension("hpp"));
        let _ = fs::remove_file(names_file(path));
    }
    Ok(())
}

/// The standard headers that a file includes before anything else.
fn leading_headers(source: &str) -> Vec<String> {
    let mut headers = Vec::new();
    let mut rest = source;
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, after)| after);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
        } else if let Some((header, after)) = include_line(rest) {
            headers.push(header.to_owned());
            rest = after;
        } else {
            return headers;
        }
    }
}

/// `#include <name>` of a header without a folder or an extension, as the standard's are.
fn include_line(text: &str) -> Option<(&str, &str)> {
    let (line, after) = text.split_once('\n').unwrap_or((text, ""));
    let name = line
        .strip_prefix('#')?
        .trim_start()
        .strip_prefix("include")?
        .trim_start()
        .strip_prefix('<')?;
    let (name, end) = name.split_once('>')?;
    let end = end.trim();
    let standard = !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    (standard && (end.is_empty() || end.starts_with("//"))).then_some((name, after))
}

#[cfg(test)]
mod tests {
    use super::{leading_headers, own_macro, without_included_file};
    use std::ffi::OsString;

    fn found(source: &str) -> Vec<String> {
        leading_headers(source).into_iter().collect()
    }

    #[test]
    fn comments_may_stand_between() {
        let source = "// expect: verified\n/* a\n b */\n#include <thread>\n\n#  include <mutex> // locks\nint main() {}\n";
        assert_eq!(found(source), ["thread", "mutex"]);
    }

    #[test]
    fn only_names_in_capitals_are_a_programs_own() {
        assert_eq!(own_macro("-DN=3".as_ref()), Some("N"));
        assert_eq!(own_macro("-DWITH_2_LOCKS".as_ref()), Some("WITH_2_LOCKS"));
        for other in [
            "-D_GNU_SOURCE",
            "-Dprivate=public",
            "-DF(x)=x",
            "-D",
            "-O2",
            "N",
        ] {
            assert_eq!(own_macro(other.as_ref()), None, "{other}");
        }
    }

    #[test]
    fn one_file_may_be_included_before_the_first_line() {
        let split = |text: &str| {
            let arguments: Vec<OsString> = text.split(' ').map(OsString::from).collect();
            let (file, others) = without_included_file(&arguments)?;
            let others: Vec<String> = others
                .iter()
                .map(|it| it.to_string_lossy().into())
                .collect();
            Some((
                file.map(|it| it.to_string_lossy().into_owned()),
                others.join(" "),
            ))
        };
        assert_eq!(split("-O1 -g"), Some((None, "-O1 -g".into())));
        let included = Some((Some("a.hxx".into()), "-O1 -g".into()));
        assert_eq!(split("-O1 -include a.hxx -g"), included);
        assert_eq!(split("-include a.h -include b.h"), None);
        assert_eq!(split("-O1 -imacros a.h"), None);
    }

    #[test]
    fn the_first_other_line_ends_the_search() {
        assert_eq!(
            found("#include <vector>\n#define NDEBUG\n#include <cassert>\n"),
            ["vector"]
        );
        assert_eq!(found("#include \"a.h\"\n#include <vector>\n"), [""; 0]);
        assert_eq!(found("#include <pthread.h>\n#include <vector>\n"), [""; 0]);
    }
}
