//! Compilation databases, `compile_commands.json`: how a build compiles each of its files.
//!
//! The format is that of clang: a list of objects with a `directory`, a `file`, and the `arguments`
//! of the compiler, or its `command` as a shell would take it. The database does not record which
//! objects make up an executable. CMake and Meson keep the objects of a target in a folder of its
//! own, `CMakeFiles/NAME.dir` or `NAME.p`, so the path of the object names the target.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::command_line::{CommandLine, expand};
use crate::error::CompileError;
use crate::flags::Language;
use crate::input::Source;
use crate::recorded::{self, Record};

/// The usual name of the file.
const NAME: &str = "compile_commands.json";

/// Flags whose value is a path, relative to the working directory of the command. The value may be
/// joined to them.
const WITH_PATH: &[&str] = &[
    "-I",
    "-F",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
];

/// How a build compiles each of its files.
pub struct CompilationDatabase {
    path: PathBuf,
    entries: Vec<Entry>,
}

/// One call of a compiler, as the format has it.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
    output: Option<String>,
}

impl CompilationDatabase {
    /// Reads a database, or the one in a folder. Fails if there is none, or it is not in the
    /// format.
    pub fn read(path: &Path) -> Result<CompilationDatabase, CompileError> {
        let path = match path.is_dir() {
            true => path.join(NAME),
            false => path.to_owned(),
        };
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => CompileError::input(&path, MISSING),
            _ => CompileError::io(&path, error),
        })?;
        let entries = serde_json::from_str(&text).map_err(|error| {
            CompileError::input(&path, format!("no compilation database: {error}"))
        })?;
        Ok(CompilationDatabase { path, entries })
    }

    /// Returns how the sources of an executable, a shared library, an object or an archive were
    /// compiled, which the compiler wrapper has recorded in it. Fails as [`recorded::read`] does.
    pub fn recorded_in(path: &Path) -> Result<CompilationDatabase, CompileError> {
        let entry = |record: Record| Entry {
            directory: record.directory,
            file: record.file,
            arguments: Some(record.arguments),
            command: None,
            output: None,
        };
        Ok(CompilationDatabase {
            path: path.to_owned(),
            entries: recorded::read(path)?.into_iter().map(entry).collect(),
        })
    }

    /// Returns the sources of a program, in the order of the database, each with its flags: those
    /// that any of `targets` compiles, or every target if there are none, and of these the files
    /// that `from` names, or all if it names none. Fails if a name selects nothing, if a file is
    /// compiled in two ways, or if Impasse cannot follow a command.
    pub fn select(
        &self,
        targets: &[String],
        from: &[PathBuf],
    ) -> Result<Vec<Source>, CompileError> {
        let commands: Result<Vec<Command>, CompileError> = self
            .entries
            .iter()
            .map(|entry| self.command(entry))
            .collect();
        let commands = commands?;
        for target in targets {
            if !commands.iter().any(|it| it.target.as_ref() == Some(target)) {
                return Err(self.no_target(target, &commands));
            }
        }
        let is_of_target = |it: &&Command| match &it.target {
            _ if targets.is_empty() => true,
            Some(target) => targets.contains(target),
            None => false,
        };
        let mut chosen: Vec<&Command> = commands.iter().filter(is_of_target).collect();
        if !from.is_empty() {
            for file in from {
                let wanted = file
                    .canonicalize()
                    .map_err(|error| CompileError::io(file, error))?;
                if !chosen.iter().any(|it| it.real_path == wanted) {
                    return Err(self.error(format!("no command compiles {}", file.display())));
                }
            }
            let wanted: BTreeSet<PathBuf> = from
                .iter()
                .filter_map(|it| it.canonicalize().ok())
                .collect();
            chosen.retain(|it| wanted.contains(&it.real_path));
        }
        let mut sources: Vec<Source> = Vec::new();
        for command in chosen {
            let Some(source) = self.source(command)? else {
                continue;
            };
            match sources.iter().find(|it| it.path == source.path) {
                Some(other) if *other == source => {}
                Some(_) => {
                    let file = source.path.display();
                    let why =
                        format!("{file} is compiled in several ways; choose one with --target");
                    return Err(self.error(why));
                }
                None => sources.push(source),
            }
        }
        match sources.is_empty() {
            true => Err(self.error("the database is empty".into())),
            false => Ok(sources),
        }
    }

    fn error(&self, reason: String) -> CompileError {
        CompileError::input(&self.path, reason)
    }

    fn no_target(&self, target: &str, commands: &[Command]) -> CompileError {
        let names: BTreeSet<&str> = commands
            .iter()
            .filter_map(|it| it.target.as_deref())
            .collect();
        let names: Vec<&str> = names.into_iter().collect();
        self.error(match names.is_empty() {
            true => format!(
                "there is no target {target}: the paths of the objects name no targets, as CMake's and \
                 Meson's do; choose files with --from"
            ),
            false => format!("there is no target {target}, but {}", names.join(", ")),
        })
    }

    /// An entry with the words of its command.
    fn command<'e>(&self, entry: &'e Entry) -> Result<Command<'e>, CompileError> {
        let file = entry.directory.join(&entry.file);
        let words = match (&entry.arguments, &entry.command) {
            (Some(words), _) => Some(words.clone()),
            (None, Some(command)) => shlex::split(command),
            (None, None) => None,
        };
        let Some(words) = words else {
            let why = "has no command that can be read";
            return Err(self.error(format!("the entry of {} {why}", file.display())));
        };
        Ok(Command {
            target: object(entry, &words).and_then(|path| target(&path)),
            real_path: file.canonicalize().unwrap_or(file),
            entry,
            words,
        })
    }

    /// The source that a command compiles; none if it only precompiles a header. Warnings are left
    /// to the build.
    fn source(&self, command: &Command) -> Result<Option<Source>, CompileError> {
        let folder = &command.entry.directory;
        let path = seen_from_here(&folder.join(&command.entry.file));
        let in_entry = |error: String| self.error(format!("{}: {error}", path.display()));
        let compiler = command
            .words
            .first()
            .map(Path::new)
            .and_then(Path::file_stem);
        if compiler.is_some_and(|name| name == "cl" || name == "clang-cl") {
            let why = "commands of MSVC are not supported; build with GCC or clang";
            return Err(in_entry(why.into()));
        }
        let words = expand(command.words.iter().skip(1).cloned(), folder)?;
        let line = CommandLine::read(&words).map_err(|error| in_entry(error.to_string()))?;
        let language = match line.language.as_deref() {
            None | Some("none") => None,
            Some("c") => Some(Language::C),
            Some("c++") => Some(Language::Cxx),
            Some(header) if header.ends_with("-header") => return Ok(None),
            Some(other) => {
                let why = "is not supported; Impasse compiles C and C++";
                return Err(in_entry(format!("-x {other} {why}")));
            }
        };
        let mut flags = with_paths_from_here(line.flags, folder);
        flags.retain(|flag| !is_about_warnings(flag));
        flags.push("-w".into());
        Ok(Some(Source {
            path,
            flags,
            language,
            is_member: false,
        }))
    }
}

const MISSING: &str = "there is no such file; CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always, \
and `bear -- make` for other builds";

/// An entry, and what it says.
struct Command<'e> {
    entry: &'e Entry,
    words: Vec<String>,
    /// The file, without links.
    real_path: PathBuf,
    target: Option<String>,
}

/// The object that a command writes, if the entry says so.
fn object(entry: &Entry, words: &[String]) -> Option<PathBuf> {
    let output = entry.output.clone();
    let output = output.or_else(|| {
        let at = words.iter().rposition(|word| word == "-o")?;
        words.get(at + 1).cloned()
    });
    output.map(PathBuf::from)
}

/// The target that an object belongs to: `CMakeFiles/NAME.dir/…` or `NAME.p/…`.
fn target(object: &Path) -> Option<String> {
    let names: Vec<String> = object
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    let cmake = names.windows(2).rev().find(|pair| pair[0] == "CMakeFiles");
    let folders = names.split_last()?.1;
    let name = match cmake {
        Some(pair) => pair[1].strip_suffix(".dir"),
        None => folders.iter().find_map(|name| name.strip_suffix(".p")),
    };
    name.map(str::to_owned)
}

fn is_about_warnings(flag: &str) -> bool {
    let is_warning = flag.starts_with("-W") && !flag.starts_with("-Wp,");
    is_warning || flag.starts_with("-pedantic") || flag == "-w"
}

/// Flags in which paths that start from `folder` are as seen from the working directory.
fn with_paths_from_here(flags: Vec<String>, folder: &Path) -> Vec<String> {
    let mut moved: Vec<String> = Vec::new();
    let mut flags = flags.into_iter();
    while let Some(flag) = flags.next() {
        let of = |option: &&&str| flag.starts_with(**option);
        // None of these options begins with another one.
        let Some(option) = WITH_PATH.iter().find(of) else {
            moved.push(flag);
            continue;
        };
        let value = match flag.strip_prefix(option) {
            Some("") | None => flags.next().unwrap_or_default(),
            Some(value) => value.to_owned(),
        };
        let path = folder.join(&value);
        // What names a file and not a folder is also searched for in those.
        let is_elsewhere = matches!(*option, "-include" | "-imacros") && !path.exists();
        let value = match is_elsewhere {
            true => value,
            false => seen_from_here(&path).display().to_string(),
        };
        moved.extend([(*option).to_owned(), value]);
    }
    moved
}

/// A path, relative to the working directory if it lies below that. The last name may be a link,
/// and stays.
fn seen_from_here(path: &Path) -> PathBuf {
    let real = match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => folder.canonicalize().map(|folder| folder.join(name)),
        _ => path.canonicalize(),
    };
    let real = real.unwrap_or_else(|_| path.to_owned());
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let below = here.ok().and_then(|here| real.strip_prefix(here).ok());
    match below {
        Some(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Some(below) => below.to_owned(),
        None => real,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_name_their_targets() {
        let target = |path: &str| target(Path::new(path));
        assert_eq!(
            target("CMakeFiles/app.dir/src/a.c.o").as_deref(),
            Some("app")
        );
        assert_eq!(
            target("/b/sub/CMakeFiles/x.y.dir/Debug/a.cc.o").as_deref(),
            Some("x.y")
        );
        assert_eq!(target("src/app.p/main.c.o").as_deref(), Some("app"));
        assert_eq!(target("a.o"), None);
        assert_eq!(target("obj/a.p"), None);
    }

    #[test]
    fn paths_start_from_the_folder_of_the_command() {
        let folder = tempfile::tempdir().expect("a folder");
        let real = folder.path().canonicalize().expect("it is there");
        fs::write(folder.path().join("config.h"), "").expect("a file");
        let flags = [
            "-Iinc", "-I", "../inc", "-include", "config.h", "-include", "other.h", "-DA=-Ib",
        ];
        let moved = with_paths_from_here(flags.map(String::from).to_vec(), folder.path());
        let inside = |name: &str| real.join(name).display().to_string();
        let parent = real
            .parent()
            .expect("a parent")
            .join("inc")
            .display()
            .to_string();
        let config = inside("config.h");
        let inc = inside("inc");
        assert_eq!(
            moved,
            [
                "-I", &inc, "-I", &parent, "-include", &config, "-include", "other.h", "-DA=-Ib"
            ]
        );
    }
}
