//! What the tests of the command line share: running command lines, finding programs, reading their
//! first lines.

#![allow(dead_code, reason = "each test binary uses its part")]

mod prelude;

use impasse::Console;
use impasse_compile::{CompileRequest, DataModel, Toolchain, compile, library};
use impasse_machine::base::options::Options;
use impasse_machine::system::{ROOTS, System, builtin};
use impasse_program::library::{Library, version};
use impasse_program::link::Program as Linked;
use impasse_program::translate::translate_file;
use impasse_search::{Search, Verdict};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::iter;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::os::unix::process::ExitStatusExt;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Output};
use std::thread;
use std::time::Instant;

/// The root of the repository.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository exists")
}

/// The binary.
const BINARY: &str = env!("CARGO_BIN_EXE_impasse");
/// The stack of a command line that runs in this process, in bytes: that of a main thread.
const STACK: usize = 8 << 20;

/// Runs a command line in this process, to its end. The tests of one binary run side by side, so
/// limits on memory need [`impasse_process`], and so do programs whose analysis may crash or take
/// more than its time.
pub fn impasse<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    let arguments = arguments.into_iter().map(|word| word.as_ref().to_owned());
    let words: Vec<OsString> = iter::once("impasse".into()).chain(arguments).collect();
    let run = || {
        let console = Console::in_memory(BINARY.into());
        let code = impasse::run(words, &console);
        let printed = console.take_printed();
        Output {
            status: ExitStatus::from_raw(i32::from(code) << 8),
            stdout: printed.out,
            stderr: printed.err,
        }
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, run).expect("a thread starts");
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Runs a command line in a process of its own, to its end.
pub fn impasse_process<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    let mut command = Command::new(BINARY);
    command.args(arguments).env("IMPASSE_HOME", root());
    command.output().expect("the tool starts")
}

/// Builds what the tool builds once, so that tests which run side by side find it there.
pub fn set_up() {
    for model in ["lp64", "ilp32"] {
        let output = impasse(["setup", "--data-model", model]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "impasse setup: {errors}");
    }
}

/// Compiles a source, which gets a name of its own, and links it with the libraries.
pub fn link(source: &Path, name: &str) -> Result<Linked, Box<dyn std::error::Error>> {
    let toolchain = Toolchain::locate(&Toolchain::default_cache())?;
    let bitcode = library::ensure(&toolchain, DataModel::Lp64, &|_| {})?;
    let file = format!("{}-{:016x}.library", &bitcode.digest()[..32], version());
    let library = Library::open(&toolchain.cache().join("executable").join(file))?;
    let request = CompileRequest {
        inputs: vec![source.to_owned().into()],
        flags: Vec::new(),
        optimise: false,
    };
    let modules = compile(&toolchain, &bitcode, &request)?;
    let units = modules.iter().map(|module| {
        let mut unit = translate_file(&module.bitcode)?;
        unit.name = name.into();
        Ok(unit)
    });
    let units: Result<Vec<_>, Box<dyn std::error::Error>> = units.collect();
    Ok(Linked::link(units?, &library, &builtin, &ROOTS)?)
}

/// Tries so many programs that are made up, by their numbers. `IMPASSE_PROGRAMS` in the environment
/// says how many instead, and `IMPASSE_PROGRAMS_FROM` the number of the first one.
pub fn try_made_up(usual: u64, test: fn(u64) -> Result<(), Failed>) -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        set_up();
    }
    let number = |name| std::env::var(name).map(|n| n.parse::<u64>().expect("a number"));
    let count = number("IMPASSE_PROGRAMS").unwrap_or(usual);
    let first = number("IMPASSE_PROGRAMS_FROM").unwrap_or(0);
    let trials = (first..first + count).map(|n| Trial::test(format!("{n}"), move || test(n)));
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// Tries so many programs that are made up, by their numbers, some at a time in one system.
/// `IMPASSE_PROGRAMS` in the environment says how many instead.
pub fn try_in_batches(
    usual: u64,
    at_once: u64,
    test: fn(Range<u64>) -> Result<(), Failed>,
) -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        set_up();
    }
    let count = std::env::var("IMPASSE_PROGRAMS").map(|n| n.parse().expect("a number"));
    let count = count.unwrap_or(usual);
    let trials = (0..count.div_ceil(at_once)).map(|n| {
        let numbers = n * at_once..count.min((n + 1) * at_once);
        Trial::test(format!("{numbers:?}"), move || test(numbers))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// How many sets of headers are precompiled before the programs that share them are tested; fewer
/// than are kept.
const PRECOMPILED: usize = 8;

/// The tests of programs and their broken twins, in the order of [`sort`]. Those that say `slow:`
/// are ignored, unless `IMPASSE_PROGRAMS` is `all`. With `IMPASSE_TIMES`, a file, the seconds that
/// each takes are written there.
pub fn trials(
    found: Vec<Program>,
    test: fn(&Program, &Directives) -> Result<(), Failed>,
) -> Vec<Trial> {
    let mut variants: Vec<_> = found.into_iter().flat_map(Program::variants).collect();
    sort(&mut variants);
    let trial = |(program, directives): (Program, Directives)| {
        let is_left_out = directives.get("slow").is_some() && !all_programs();
        let trial = Trial::test(program.name.clone(), move || {
            let started = Instant::now();
            let result = test(&program, &directives);
            if let Some(path) = std::env::var_os("IMPASSE_TIMES") {
                let mut file = OpenOptions::new().create(true).append(true).open(path)?;
                let seconds = started.elapsed().as_secs_f64();
                writeln!(file, "{seconds:8.2} {}", program.name)?;
            }
            result
        });
        trial.with_ignored_flag(is_left_out)
    };
    variants.into_iter().map(trial).collect()
}

/// Those that say `slow:` come first, so that none of them is left to run alone at the end. Those
/// with the same headers come together, except for one of them that comes earlier, so that threads
/// do not precompile the same headers at the same time.
fn sort(variants: &mut Vec<(Program, Directives)>) {
    let headers = |(program, directives): &(Program, Directives)| {
        let shared = prelude::flags(program, directives);
        let own = match shared.is_empty() {
            true => program.included(),
            false => Vec::new(),
        };
        (shared, own, directives.get("clang").map(str::to_owned))
    };
    let mut sets: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for variant in variants.drain(..) {
        sets.entry(headers(&variant)).or_default().push(variant);
    }
    let mut keyed = Vec::new();
    for (set, programs) in sets.into_values().enumerate() {
        for (index, variant) in programs.into_iter().enumerate() {
            let is_slow = variant.1.get("slow").is_some();
            keyed.push(((!is_slow, set / PRECOMPILED, index > 0, set), variant));
        }
    }
    keyed.sort_by_key(|(key, _)| *key);
    variants.extend(keyed.into_iter().map(|(_, variant)| variant));
}

/// The outcomes that a program has with other options, and the system that was searched last.
pub fn outcomes(system: System, options: Options) -> Result<(System, BTreeSet<String>), String> {
    let mut system = System::new(system.program, options)?;
    let mut found = BTreeSet::new();
    loop {
        let explored = &system;
        let search = Search::new(&explored).threads(NonZeroUsize::MIN);
        let outcome = impasse_explore::search(search);
        found.extend(system.outcomes.found().iter().map(|line| by_name(line)));
        match &outcome.verdict {
            Verdict::Exhausted if system.leaves_out() => {}
            Verdict::Exhausted if outcome.omissions.is_empty() => return Ok((system, found)),
            Verdict::Exhausted => return Err(format!("omitted {}", outcome.omissions[0].what)),
            Verdict::Fault { fault, .. } => return Err(fault.message.clone()),
            _ => return Err("the search stopped".into()),
        }
        drop(outcome);
        system = system.next();
    }
}

/// Variables and their values, by names.
fn by_name(line: &str) -> String {
    let mut parts: Vec<&str> = line.split(' ').collect();
    parts.sort_unstable();
    parts.join(" ")
}

/// What defines the broken twin of a program, and ends its name.
const BROKEN: &str = " -DBROKEN";

/// A test program: its name, and its files, the one with the directives first.
#[derive(Clone)]
pub struct Program {
    /// The path below the folder that was searched.
    pub name: String,
    /// The files.
    pub files: Vec<PathBuf>,
}

impl Program {
    /// The lines of a C++ program that include headers.
    fn included(&self) -> Vec<String> {
        if self.files[0].extension() == Some(OsStr::new("c")) {
            return Vec::new();
        }
        let text = fs::read_to_string(&self.files[0]).expect("a program to read");
        let lines = text.lines().filter(|line| line.starts_with("#include"));
        lines.map(str::to_owned).collect()
    }

    /// Whether the `n`th of `all` comparisons is to be made with this program: one of them in a
    /// usual run, and the next one with its broken twin; all with `IMPASSE_PROGRAMS=all`.
    pub fn is_in_turn(&self, n: usize, all: usize) -> bool {
        let (name, twin) = match self.name.strip_suffix(BROKEN) {
            Some(name) => (name, 1),
            None => (&*self.name, 0),
        };
        let own: usize = name.bytes().map(usize::from).sum();
        all_programs() || (own + twin) % all == n
    }

    /// The program as it stands and, if its first lines have a directive `broken:`, its broken
    /// twin, each with its directives.
    pub fn variants(self) -> Vec<(Program, Directives)> {
        let correct = Directives::read(&self.files[0]);
        let broken = correct.of_broken_twin().map(|broken| {
            let name = self.name.clone() + BROKEN;
            let files = self.files.clone();
            (Program { name, files }, broken)
        });
        [(self, correct)].into_iter().chain(broken).collect()
    }
}

/// Some of the test programs of `check`, as far apart as possible, so that there are some of each
/// kind: so many of those that are wanted. `IMPASSE_PROGRAMS` in the environment says how many
/// instead, or `all`.
pub fn some_programs(
    usual: usize,
    is_wanted: fn(&Directives) -> bool,
) -> Vec<(Program, Directives)> {
    let all: Vec<(Program, Directives)> = ["tests/programs", "tests/memory-model/programs"]
        .into_iter()
        .flat_map(|folder| programs(&root().join(folder)))
        .flat_map(Program::variants)
        .filter(|(_, directives)| is_wanted(directives))
        .collect();
    let count = match std::env::var("IMPASSE_PROGRAMS") {
        Ok(count) if count == "all" => all.len(),
        Ok(count) => count.parse().expect("a number, or `all`"),
        Err(_) => usual,
    };
    let chosen = (0..count.min(all.len())).map(|n| all[n * all.len() / count].clone());
    chosen.collect()
}

/// Whether all programs are to be tried, in every way: `IMPASSE_PROGRAMS=all`.
pub fn all_programs() -> bool {
    std::env::var("IMPASSE_PROGRAMS").is_ok_and(|it| it == "all")
}

/// All programs below a folder. A folder with a file `main.c` or `main.cpp` is one program.
pub fn programs(folder: &Path) -> Vec<Program> {
    let mut found = Vec::new();
    collect(folder, folder, &mut found);
    assert!(!found.is_empty(), "no programs in {}", folder.display());
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Program>) {
    let entries = fs::read_dir(folder).expect("a folder of programs");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort_by_key(|path| (path.file_stem() != Some(OsStr::new("main")), path.clone()));
    for path in paths.iter().filter(|path| path.is_dir()) {
        collect(root, path, found);
    }
    paths.retain(|path| is_source(path));
    let one = paths
        .first()
        .is_some_and(|p| p.file_stem() == Some(OsStr::new("main")));
    let name = |path: &Path| {
        let relative = path.strip_prefix(root).expect("a path below the root");
        relative.to_string_lossy().into_owned()
    };
    if one {
        found.push(Program {
            name: name(folder),
            files: paths,
        });
        return;
    }
    found.extend(paths.into_iter().map(|path| Program {
        name: name(&path),
        files: vec![path],
    }));
}

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    matches!(extension, Some("c" | "cpp" | "i" | "ii" | "ll"))
}

/// What a program's first lines say: `// key: text`, or `; key: text` in LLVM assembly.
#[derive(Clone)]
pub struct Directives(BTreeMap<String, String>);

impl Directives {
    const KEYS: [&str; 29] = [
        "clocks",
        "command",
        "expect",
        "broken",
        "flags",
        "clang",
        "stdin",
        "arguments",
        "por-off",
        "most-states",
        "persistent-sets",
        "product",
        "environment",
        "suppressed",
        "sequential",
        "flushers",
        "models",
        "ilp32",
        "memory",
        "trace",
        "slow",
        "litmus",
        "x86",
        "sc",
        "tso",
        "c11",
        "no-axioms",
        "by-hand",
        "unfixable",
    ];

    /// Reads them from the comments before the first line of code. A directive continues in the
    /// next line if that is indented by four spaces. A directive that is given more than once has
    /// as many lines. Panics at a single word before a colon that is no key: it may be misspelt.
    pub fn read(path: &Path) -> Directives {
        let text = fs::read_to_string(path).expect("a source file");
        let comment = |line: &str| {
            let rest = line.strip_prefix("//").or_else(|| line.strip_prefix(';'));
            rest.map(str::to_owned)
        };
        let mut directives: BTreeMap<String, String> = BTreeMap::new();
        let mut last: Option<String> = None;
        let header = text.lines().map_while(comment);
        let ignored = text
            .lines()
            .skip(header.clone().count())
            .filter_map(comment);
        for line in ignored {
            let (key, _) = line.trim_start().split_once(": ").unwrap_or_default();
            let is_directive = Self::KEYS.contains(&key.strip_prefix("broken-").unwrap_or(key));
            assert!(
                !is_directive,
                "{}: {key}: stands below code",
                path.display()
            );
        }
        for line in header {
            if let (Some(key), Some(more)) = (&last, line.strip_prefix("     ")) {
                let text = directives.get_mut(key).expect("it has begun");
                text.push(' ');
                text.push_str(more.trim());
                continue;
            }
            last = Self::directive(path, line.trim_start()).map(|(key, value)| {
                let text = directives.entry(key.to_owned()).or_default();
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(value.trim());
                key.to_owned()
            });
        }
        Directives(directives)
    }

    /// Key and text, if a comment is a directive.
    fn directive<'a>(path: &Path, comment: &'a str) -> Option<(&'a str, &'a str)> {
        let (key, value) = comment.split_once(": ")?;
        let is_word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if !key.bytes().all(is_word) {
            return None;
        }
        let of = key.strip_prefix("broken-").unwrap_or(key);
        let known = Self::KEYS.contains(&of);
        let (path, keys) = (path.display(), Self::KEYS);
        assert!(
            known,
            "{path}: no directive is called {key:?}; there are {keys:?}"
        );
        Some((key, value))
    }

    /// Those of the twin that is compiled with `-DBROKEN`: `broken:` is what is expected of it, and
    /// `broken-key:` replaces `key:`, which otherwise holds for both. A trace is shown by one of
    /// them.
    fn of_broken_twin(&self) -> Option<Directives> {
        let expected = self.get("broken")?.to_owned();
        let mut twin = self.0.clone();
        twin.remove("trace");
        for (key, text) in &self.0 {
            if let Some(key) = key.strip_prefix("broken-") {
                twin.insert(key.to_owned(), text.clone());
            }
        }
        twin.insert("expect".into(), expected);
        let clang = twin.entry("clang".into()).or_default();
        clang.push_str(BROKEN);
        Some(Directives(twin))
    }

    /// The text of one.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// The same, with another memory model among the flags.
    pub fn with_memory_model(&self, model: &str) -> Directives {
        let mut directives = self.clone();
        let flags: Vec<String> = self.words("flags");
        let other = |word: String| if word == "tso" { model.into() } else { word };
        let flags: Vec<String> = flags.into_iter().map(other).collect();
        directives.0.insert("flags".into(), flags.join(" "));
        directives
    }

    /// The text of one, cut at spaces.
    pub fn words(&self, key: &str) -> Vec<String> {
        let text = self.get(key).unwrap_or_default();
        text.split_whitespace().map(str::to_owned).collect()
    }
}

/// What bounds the check of a test program whose options name no other bound.
const LIMITS: [(&str, &str); 2] = [("--max-states", "500000"), ("--max-time", "100")];

/// Checks a program with options and returns the report. Fails if there is none, or if the exit
/// code says something else.
pub fn check(
    program: &Program,
    directives: &Directives,
    options: &[&str],
) -> Result<Value, Failed> {
    check_by(|words| impasse(words), program, directives, options)
}

/// Checks a program as [`check`] does, where `run` runs a command line.
pub fn check_by(
    run: impl Fn(&[String]) -> Output,
    program: &Program,
    directives: &Directives,
    options: &[&str],
) -> Result<Value, Failed> {
    let mut arguments: Vec<String> = vec!["check".into(), "--format".into(), "json".into()];
    let files = program.files.iter();
    arguments.extend(files.map(|file| file.to_string_lossy().into_owned()));
    let limits = LIMITS.iter().filter(|(limit, _)| !options.contains(limit));
    let limits = limits.flat_map(|&(limit, n)| [limit, n]);
    arguments.extend(limits.chain(options.iter().copied()).map(str::to_owned));
    arguments.extend(directives.words("flags"));
    arguments.push("--".into());
    arguments.extend(directives.words("clang"));
    arguments.extend(prelude::flags(program, directives));
    let output = run(&arguments);
    let report = serde_json::from_slice(&output.stdout).map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("no report, {}, with {options:?}: {errors}", output.status)
    });
    let report: Value = report?;
    let code = match report["verdict"].as_str() {
        Some("verified") => 0,
        Some("error") => 1,
        _ => 3,
    };
    match output.status.code() == Some(code) {
        true => Ok(report),
        false => Err(format!("{} although {}", output.status, summary(&report)).into()),
    }
}

/// Returns what a report says, in a line.
pub fn summary(report: &Value) -> String {
    let error = &report["error"];
    let what = match report["verdict"].as_str() {
        Some("error") => format!(
            "error {} at {}:{}: {}",
            error["kind"], error["file"], error["line"], error["message"]
        ),
        Some("inconclusive") => format!("inconclusive: {}", report["reason"]),
        _ => report["verdict"].to_string(),
    };
    let (states, transitions) = (&report["states"], &report["transitions"]);
    format!("{what} ({states} states, {transitions} transitions)")
}

/// Compares the outcomes of a program on one thread and on two with those of the same program in
/// which a macro is defined. Fails if they differ; an inconclusive answer may lack some.
pub fn same_outcomes(path: &Path, model: &str, defined: &str) -> Result<(), Failed> {
    let file = path.display().to_string();
    let outcomes = |threads: &str, flags: &[&str]| {
        let options = ["outcomes", &file, "--memory-model", model];
        let limits = ["--max-time", "60", "--threads", threads];
        let output = impasse([&options[..], &limits, flags].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text)
    };
    let wanted = outcomes("1", &[&format!("-D{defined}")]);
    if wanted.0 == Some(3) {
        return Ok(());
    }
    for threads in ["1", "2"] {
        let found = outcomes(threads, &[]);
        let same = match found.0 {
            Some(0) => found == wanted,
            Some(3) => {
                let mut lines = found.1.lines();
                let is_known = |line: &str| wanted.1.lines().any(|wanted| wanted == line);
                lines.all(|line| line.starts_with("inconclusive") || is_known(line))
            }
            // Of an error, each search reports where it meets it first.
            _ => found.0 == wanted.0,
        };
        if !same {
            let apart = format!("{found:?} on {threads} threads, {wanted:?} with {defined}");
            return Err(format!("{file}: {apart}").into());
        }
    }
    Ok(())
}

/// What a check of a program that is made up reports.
#[derive(PartialEq, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: String,
    /// The kind of the error.
    pub kind: Value,
    /// The number of states.
    pub states: Value,
}

impl Answer {
    /// Returns the answer for a file. Fails if there is no report.
    pub fn of(path: &Path, options: &[&str]) -> Result<Answer, Failed> {
        let path = path.to_string_lossy();
        let output = impasse([&["check", &*path, "--format", "json"][..], options].concat());
        let report: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
            let errors = String::from_utf8_lossy(&output.stderr);
            format!("{path}, {options:?}: {errors}")
        })?;
        Ok(Answer {
            verdict: report["verdict"].as_str().unwrap_or_default().into(),
            kind: report["error"]["kind"].clone(),
            states: report["states"].clone(),
        })
    }
}
