//! What a compilation depended on, and whether all of it is still so.
//!
//! A record holds the hash of every file that clang read, except for those of the library and of
//! clang itself, which the key of the record stands for. A header that is *added* can matter as
//! well, if it is found before one that was read: so a record also holds which files of the same
//! names were there in all folders that are searched. Of the headers that a file asks for by
//! `__has_include`, it holds which were there as well. Where the name of one is not plain to see,
//! the record is unreliable; such a result is not kept.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::CompileError;

/// The result of a compilation and its conditions.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Recorded {
    pub(crate) bitcode: PathBuf,
    pub(crate) warnings: String,
    files: Vec<(PathBuf, String)>,
    /// Headers of the library that were read, relative to the folder that they are found in.
    library_names: BTreeSet<PathBuf>,
    /// Folders that are searched before the library's, and that were named by flags.
    named_folders: Vec<PathBuf>,
    /// Names that `__has_include` asks for.
    asked: BTreeSet<PathBuf>,
    shadows: Vec<PathBuf>,
    reliable: bool,
}

impl Recorded {
    pub(crate) fn is_current(&self) -> bool {
        self.files
            .iter()
            .all(|(path, hash)| fs::read(path).is_ok_and(|content| hash_of(&content) == *hash))
            && self.shadows() == self.shadows
    }

    fn shadows(&self) -> Vec<PathBuf> {
        let (library, asked) = (&self.library_names, &self.asked);
        shadows(&self.files, library, asked, &self.named_folders)
    }

    pub(crate) fn is_reliable(&self) -> bool {
        self.reliable
    }
}

pub(crate) fn load(path: &Path) -> Option<Recorded> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

pub(crate) fn store(recorded: &Recorded, path: &Path) -> Result<(), CompileError> {
    let text = serde_json::to_vec(recorded).expect("a record is plain data");
    fs::write(path, text).map_err(|e| CompileError::io(path, e))
}

/// Reads what clang listed (nothing, for what it does not preprocess).
pub(crate) fn record(
    input: &Path,
    listed: &Path,
    library: &[&Path],
    flags: &[String],
) -> Result<Recorded, CompileError> {
    let mut paths: BTreeSet<PathBuf> = listed_files(listed).into_iter().collect();
    paths.insert(input.to_owned());
    let named_folders = named_folders(flags);
    let mut files = Vec::new();
    let mut library_names = BTreeSet::new();
    let mut asked = BTreeSet::new();
    let mut reliable = !flags.iter().any(|flag| flag.starts_with('@'));
    for path in paths {
        if library.iter().any(|folder| path.starts_with(folder)) {
            if !named_folders.is_empty() {
                library_names.extend(name_in_include_folder(&path));
            }
            continue;
        }
        let content = fs::read(&path).map_err(|e| CompileError::io(&path, e))?;
        reliable &= !String::from_utf8_lossy(&content).contains("__has_embed");
        match names_asked_for(&String::from_utf8_lossy(&content)) {
            Some(names) => asked.extend(names),
            None => reliable = false,
        }
        files.push((path, hash_of(&content)));
    }
    let shadows = shadows(&files, &library_names, &asked, &named_folders);
    let (bitcode, warnings) = Default::default();
    Ok(Recorded {
        bitcode,
        warnings,
        files,
        library_names,
        named_folders,
        asked,
        shadows,
        reliable,
    })
}

/// The files that clang listed as read.
pub(crate) fn listed_files(listed: &Path) -> Vec<PathBuf> {
    parse(&fs::read_to_string(listed).unwrap_or_default())
}

fn hash_of(content: &[u8]) -> String {
    blake3::hash(content).to_hex()[..32].to_owned()
}

/// The headers that a text asks for by `__has_include`; none if one is not a plain name.
fn names_asked_for(text: &str) -> Option<Vec<PathBuf>> {
    const WORD: &str = "__has_include";
    let mut names = Vec::new();
    for (at, _) in text.match_indices(WORD) {
        let before = text[..at].trim_end_matches([' ', '\t', '(']);
        if before.ends_with("defined") || before.ends_with("ifdef") || before.ends_with("ifndef") {
            continue;
        }
        let rest = &text[at + WORD.len()..];
        let rest = rest.strip_prefix("_next").unwrap_or(rest);
        let name = rest.trim_start().strip_prefix('(')?.trim_start();
        let (name, end) = match name.strip_prefix('<') {
            Some(name) => (name, '>'),
            None => (name.strip_prefix('"')?, '"'),
        };
        names.push(PathBuf::from(name.split_once(end)?.0));
    }
    Some(names)
}

/// The files of a rule for make: `target: file file \`, with spaces in names escaped.
fn parse(rule: &str) -> Vec<PathBuf> {
    let Some((_, files)) = rule.split_once(": ") else {
        return Vec::new();
    };
    let mut paths = Vec::new();
    let mut path = String::new();
    let mut characters = files.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\\' if matches!(characters.peek(), Some(' ' | '#')) => path.extend(characters.next()),
            '\\' if characters.peek() == Some(&'\n') => {}
            '$' if characters.peek() == Some(&'$') => path.extend(characters.next()),
            c if c.is_whitespace() => {
                paths.extend((!path.is_empty()).then(|| PathBuf::from(std::mem::take(&mut path))))
            }
            c => path.push(c),
        }
    }
    paths.extend((!path.is_empty()).then(|| PathBuf::from(path)));
    paths
}

/// The folders that flags add to the search, as `-Ifolder` or `-I folder`.
pub(crate) fn named_folders(flags: &[String]) -> Vec<PathBuf> {
    const OPTIONS: [&str; 5] = ["-I", "-iquote", "-isystem", "-idirafter", "-F"];
    let mut folders = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let Some(rest) = OPTIONS.iter().find_map(|option| flag.strip_prefix(option)) else {
            continue;
        };
        match rest {
            "" => folders.extend(flags.next().map(PathBuf::from)),
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    folders
}

/// `.../include/__algorithm/max.h` is included as `__algorithm/max.h`.
fn name_in_include_folder(path: &Path) -> Option<PathBuf> {
    let names: Vec<_> = path.iter().collect();
    let folder = names
        .iter()
        .rposition(|name| *name == "include" || name.to_string_lossy().contains("-linux-"))?;
    Some(names[folder + 1..].iter().collect())
}

/// Of all places where a file might be found in place of one that was read, those that hold one.
fn shadows(
    files: &[(PathBuf, String)],
    library_names: &BTreeSet<PathBuf>,
    asked: &BTreeSet<PathBuf>,
    named: &[PathBuf],
) -> Vec<PathBuf> {
    let mut candidates = BTreeSet::new();
    let beside: BTreeSet<&Path> = files.iter().filter_map(|(path, _)| path.parent()).collect();
    for (path, _) in files {
        let names: Vec<_> = path.iter().collect();
        for start in 0..names.len() {
            let suffix: PathBuf = names[start..].iter().collect();
            if suffix.is_relative() {
                candidates.extend(
                    beside
                        .iter()
                        .copied()
                        .chain(named.iter().map(PathBuf::as_path))
                        .map(|f| f.join(&suffix)),
                );
            }
        }
    }
    for name in asked {
        candidates.extend(beside.iter().map(|folder| folder.join(name)));
    }
    for name in library_names.iter().chain(asked) {
        candidates.extend(named.iter().map(|folder| folder.join(name)));
    }
    candidates
        .into_iter()
        .filter(|path| path.exists())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_for_make_is_read() {
        let rule = "module.bc: a.c dir/with\\ space.h \\\n  /usr/x$$y.h\n";
        let expected: Vec<PathBuf> = ["a.c", "dir/with space.h", "/usr/x$y.h"]
            .iter()
            .map(PathBuf::from)
            .collect();
        assert_eq!(parse(rule), expected);
    }

    #[test]
    fn asked_names_are_found() {
        let names = |text| names_asked_for(text);
        let text =
            "#ifdef __has_include\n#if __has_include(<a/b.h>) || __has_include_next ( \"c\" )\n";
        assert_eq!(names(text), Some(vec!["a/b.h".into(), "c".into()]));
        assert_eq!(names("#if defined(__has_include) && 1\n"), Some(Vec::new()));
        assert_eq!(names("#define has(x) __has_include(x)\n"), None);
        assert_eq!(names("#define has __has_include\n"), None);
    }

    #[test]
    fn folders_are_found_in_flags() {
        let flags = ["-Iinclude", "-DN=3", "-isystem", "other"].map(String::from);
        assert_eq!(
            named_folders(&flags),
            [PathBuf::from("include"), PathBuf::from("other")]
        );
    }
}
