//! The documentation says what the tool does.
//!
//! A page's first `c` or `cpp` block is a program; it is put into a folder of its own under the
//! page's name. Each `console` block holds commands, after `$ `, and what they print; the commands
//! are executed there, and must print that (but for time and memory, and where a page shows a line
//! `...` for any number of lines). The first line of a program, `// expect: ...`, must agree with
//! the first verdict.
//!
//! With `IMPASSE_BLESS=1` in the environment, what is printed is written into the pages instead.

mod common;

use common::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

/// Runs the tool in a folder. What it builds once is built before.
fn impasse<'a>(arguments: impl IntoIterator<Item = &'a str>, folder: &Path) -> Output {
    static SET_UP: Once = Once::new();
    SET_UP.call_once(common::set_up);
    let mut command = Command::new(env!("CARGO_BIN_EXE_impasse"));
    let command = command.args(arguments).env("IMPASSE_HOME", root());
    command.current_dir(folder).output().unwrap()
}

/// All pages: the README, and what lies in `docs/` and its folders.
fn pages() -> Vec<PathBuf> {
    let docs = walkdir::WalkDir::new(root().join("docs")).sort_by_file_name();
    let docs = docs.into_iter().map(|entry| entry.unwrap().into_path());
    let docs = docs.filter(|path| path.extension().is_some_and(|e| e == "md"));
    std::iter::once(root().join("README.md"))
        .chain(docs)
        .collect()
}

/// A page taken apart at its fences: prose and blocks, in order. Joined by line ends it is the page
/// again.
struct Page {
    path: PathBuf,
    parts: Vec<Part>,
}

enum Part {
    Prose(String),
    Block {
        language: String,
        lines: Vec<String>,
    },
}

impl Page {
    fn read(path: &Path) -> Page {
        let text = fs::read_to_string(path).unwrap();
        let mut parts = Vec::new();
        let mut lines = text.lines().map(str::to_owned);
        while let Some(line) = lines.next() {
            parts.push(match line.strip_prefix("```") {
                None => Part::Prose(line),
                Some(language) => Part::Block {
                    language: language.to_owned(),
                    lines: lines.by_ref().take_while(|line| line != "```").collect(),
                },
            });
        }
        let path = path.to_owned();
        Page { path, parts }
    }

    fn text(&self) -> String {
        let part = |part: &Part| match part {
            Part::Prose(line) => format!("{line}\n"),
            Part::Block { language, lines } => {
                let inside: String = lines.iter().map(|line| format!("{line}\n")).collect();
                format!("```{language}\n{inside}```\n")
            }
        };
        self.parts.iter().map(part).collect()
    }

    /// The program of the page, and the extension of its file.
    fn program(&self) -> Option<(&str, &[String])> {
        self.parts.iter().find_map(|part| match part {
            Part::Block { language, lines } if ["c", "cpp"].contains(&language.as_str()) => {
                Some((language.as_str(), lines.as_slice()))
            }
            _ => None,
        })
    }

    fn stem(&self) -> &str {
        self.path.file_stem().unwrap().to_str().unwrap()
    }

    /// A folder with the program of the page, and with the examples.
    fn workplace(&self) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.stem());
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(root().join("examples"), folder.join("examples")).unwrap();
        if let Some((extension, lines)) = self.program() {
            let file = folder.join(format!("{}.{extension}", self.stem()));
            fs::write(file, lines.join("\n") + "\n").unwrap();
        }
        folder
    }
}

/// What a command prints, a line each.
fn printed(command: &str, folder: &Path) -> Vec<String> {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("./impasse"), "{command}");
    let output = impasse(words, folder);
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    text.lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// A line without what depends on the machine: of the figures that close a report, those of time
/// and memory.
fn steady(line: &str) -> &str {
    let is_of_search = line.contains(" states, ") && line.contains(" transitions, depth ");
    match is_of_search || line.contains(" steps, at most ") {
        true => line.rsplitn(3, ", ").last().unwrap_or(line),
        false => line,
    }
}

/// Whether the output of a command is what a page shows, time and memory aside.
fn agree(output: &[String], shown: &[String]) -> bool {
    let said = |lines: &[String]| {
        let said: Vec<_> = lines.iter().map(|line| steady(line)).collect();
        said.join("\n").trim_end().to_owned()
    };
    let (output, shown) = (said(output), said(shown));
    match shown.split_once("\n...") {
        None => output == shown,
        Some((start, end)) => output.starts_with(start) && output.ends_with(end),
    }
}

/// The commands of a console block, each with the lines that follow it.
fn commands(lines: &[String]) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for line in lines {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), Vec::new())),
            (None, Some((_, output))) => output.push(line.clone()),
            (None, None) => panic!("a console block starts with a command, not with {line:?}"),
        }
    }
    commands
}

/// Executes what a page shows, and puts what is printed in place of what is shown. Returns the
/// differences.
fn refresh(page: &mut Page) -> Vec<String> {
    let folder = page.workplace();
    let mut differences = Vec::new();
    for part in &mut page.parts {
        let Part::Block { language, lines } = part else {
            continue;
        };
        if language != "console" {
            continue;
        }
        let mut fresh = Vec::new();
        for (command, shown) in commands(lines) {
            let mut output = printed(&command, &folder);
            if agree(&output, &shown) {
                output = shown;
            } else {
                let (shown, output) = (shown.join("\n"), output.join("\n"));
                differences.push(format!("$ {command}\nshows\n{shown}\nbut prints\n{output}"));
            }
            fresh.push(format!("$ {command}"));
            fresh.extend(output);
        }
        *lines = fresh;
    }
    differences
}

#[test]
fn commands_print_what_the_pages_show() {
    let bless = std::env::var_os("IMPASSE_BLESS").is_some();
    let mut failures = Vec::new();
    for path in pages() {
        let mut page = Page::read(&path);
        let differences = refresh(&mut page);
        if bless && !differences.is_empty() {
            fs::write(&path, page.text()).unwrap();
        } else {
            let name = path.display();
            failures.extend(differences.iter().map(|d| format!("{name}: {d}")));
        }
    }
    assert!(
        failures.is_empty(),
        "{}\n\nIMPASSE_BLESS=1 writes what is printed into the pages",
        failures.join("\n\n")
    );
}

/// Whether a verdict in one line is what a first line `// expect: ...` says.
fn meets(verdict: &str, expected: &str) -> bool {
    expected.split_whitespace().all(|word| {
        let sign = match word.split_once('=') {
            None if word == "nonterminating" => " forever".into(),
            None if verdict.starts_with(&format!("{word} under ")) => ":".into(),
            None => format!("{word}:"),
            Some(("kind", kind)) => format!("error: {kind} at "),
            Some(("line", line)) => format!(":{line}:"),
            Some(_) => panic!("expecting {word}?"),
        };
        verdict.contains(&sign)
    })
}

#[test]
fn expectations_agree_with_what_is_shown() {
    for path in pages() {
        let page = Page::read(&path);
        let Some((_, program)) = page.program() else {
            continue;
        };
        let name = path.display();
        let expected = program[0].strip_prefix("// expect: ");
        let expected = expected.unwrap_or_else(|| panic!("{name}: the program expects nothing"));
        let shown = page.parts.iter().find_map(|part| match part {
            Part::Block { language, lines } if language == "console" => lines.get(1),
            _ => None,
        });
        let shown = shown.unwrap_or_else(|| panic!("{name}: no verdict is shown"));
        assert!(meets(shown, expected), "{name}: {shown:?}, not {expected}");
    }
}

#[test]
fn examples_are_what_they_say() {
    let entries = fs::read_dir(root().join("examples")).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let mut tried = 0;
    for path in files.filter(|path| path.is_file()) {
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        let Some(expected) = lines.find_map(|line| line.strip_prefix("// expect: ")) else {
            continue;
        };
        let output = impasse(["check", path.to_str().unwrap()], &root());
        let printed = String::from_utf8(output.stdout).unwrap();
        let verdict = printed.lines().next().unwrap_or_default();
        let name = path.display();
        assert!(meets(verdict, expected), "{name}: {verdict:?}");
        tried += 1;
    }
    assert!(tried >= 9, "{tried} examples say what is expected");
}

#[test]
fn every_kind_of_error_has_a_page() {
    for kind in impasse_machine::base::fault::ErrorKind::ALL {
        let page = root().join(format!("docs/errors/{kind}.md"));
        assert!(page.is_file(), "{} is missing", page.display());
        let index = fs::read_to_string(root().join("docs/errors/README.md")).unwrap();
        assert!(index.contains(&format!("({kind}.md)")), "{kind}");
    }
}

#[test]
fn every_field_of_the_json_form_is_described() {
    let page = Page::read(&root().join("docs/json.md"));
    let folder = page.workplace();
    let output = impasse(["check", "--format", "json", "json.cpp"], &folder);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut names = BTreeSet::new();
    field_names(&report, &mut names);
    assert!(names.len() > 20, "{names:?}");
    let text = page.text();
    for name in names {
        assert!(
            text.contains(&format!("`{name}`")),
            "{name} is not described"
        );
    }
}

fn field_names(value: &serde_json::Value, names: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            names.insert(name.clone());
            field_names(value, names);
        }),
        serde_json::Value::Array(values) => values.iter().for_each(|v| field_names(v, names)),
        _ => {}
    }
}

#[test]
fn every_option_is_described() {
    let page = fs::read_to_string(root().join("docs/checking.md")).unwrap();
    for command in ["check", "run", "info"] {
        let output = impasse([command, "--help"], &root());
        let help = String::from_utf8(output.stdout).unwrap();
        let words = help.split_whitespace();
        let options: Vec<_> = words.filter(|word| word.starts_with("--")).collect();
        assert!(options.len() > 5, "{help}");
        for option in options.iter().filter(|option| option.len() > 2) {
            let option = option.trim_end_matches([',', ']', ')', '.']);
            assert!(page.contains(option), "{option} of {command}");
        }
    }
}

/// Paths in backquotes that begin with a crate's folder, `crates/` or `docs/` exist.
#[test]
fn files_that_documents_name_exist() {
    let root = root();
    let crates = root.join("crates");
    let pages =
        ["ARCHITECTURE.md", "CONTRIBUTING.md", "tests/README.md"].map(|page| root.join(page));
    let internals = fs::read_dir(root.join("docs/internals")).expect("a folder");
    let internals = internals.map(|entry| entry.expect("an entry").path());
    let mut missing = Vec::new();
    let mut count = 0;
    for page in pages.into_iter().chain(internals) {
        let text = fs::read_to_string(&page).expect("a page");
        for path in text.split('`').skip(1).step_by(2) {
            let first = path.split('/').next().unwrap_or_default();
            let is_plain = path
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"/_-.".contains(&b));
            let base = match first {
                "crates" | "docs" => &root,
                _ if path.contains("/src") && crates.join(first).is_dir() => &crates,
                _ => continue,
            };
            count += 1;
            if is_plain && !base.join(path).exists() {
                missing.push(format!("{}: {path}", page.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(count > 50, "only {count} paths");
}
