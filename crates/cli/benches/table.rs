//! Usage: `cargo bench -p impasse --bench table [-- [--quick] [--threads N] [--modes | --local |
//! --reported | --reduction] [NAME]]`, where NAME is a part of a program's name and sizes, and
//! `--quick` leaves out the programs of many states. Instead of comparing with SPIN,
//! - `--modes` compares ways of checking each program: without looking for hangs, with
//!   sections, for the whole program, by the literature's construction, and under x86-TSO;
//! - `--local` compares the first two of these with each access as a step;
//! - `--reported` measures how much of the state space of a program Impasse explores until it
//!   reports a hang;
//! - `--reduction` compares exploring all threads with exploring persistent sets.
//!
//! These print Markdown, as it stands in `docs/performance.md`.
//!
//! Impasse on the programs of `benches/programs`, as it is and with each access to shared memory as
//! a step of its own (`local`), SPIN on the equal models of `benches/promela`, where it is so,
//! too, and how long Impasse takes to start.
//!
//! The seconds of a search are processor time, so that a machine with other work to do gives about
//! the same figures: what the process and its children used, less what they use when the search
//! ends after one state. With several threads they are what passes on the clock. `total` is what
//! passes on the clock from the start of the process to its end.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A program at one size.
struct Row {
    program: &'static str,
    sizes: &'static [&'static str],
    /// Whether it takes more than a few seconds.
    long: bool,
}

/// What is measured; a model has the program's name.
const ROWS: [Row; 11] = [
    short("peterson2.cpp", &[]),
    short("peterson3.cpp", &[]),
    short("peterson3.cpp", &["N=4"]),
    short("counter.cpp", &["THREADS=3"]),
    short("counter.cpp", &["THREADS=4"]),
    short("spsc.cpp", &["CAPACITY=16", "VALUES=64"]),
    short("philosophers.c", &["N=7"]),
    short("rwlock.c", &["READERS=7", "WRITERS=3"]),
    short("queue.cpp", &["ITEMS=2"]),
    long("queue.cpp", &["ITEMS=3"]),
    long("queue.cpp", &["ITEMS=4"]),
];

/// Programs that hang, for `--reported`.
const HANGING: [Row; 13] = [
    short("early.c", &["COUNT=30"]),
    short("early.c", &["COUNT=60"]),
    short("early.c", &["COUNT=120"]),
    long("early.c", &["COUNT=200"]),
    short("philosophers.c", &["CIRCLE", "N=8"]),
    short("philosophers.c", &["CIRCLE", "N=9"]),
    long("philosophers.c", &["CIRCLE", "N=10"]),
    short("wakeup.c", &["COUNT=20"]),
    short("wakeup.c", &["COUNT=40"]),
    short("wakeup.c", &["COUNT=80"]),
    short("queue.cpp", &["DEAF", "ITEMS=3"]),
    short("queue.cpp", &["DEAF", "ITEMS=4"]),
    long("queue.cpp", &["DEAF", "ITEMS=6"]),
];

/// Classics of the literature on partial-order reduction, for `--reduction`.
const INDEPENDENT: [Row; 18] = [
    short("disjoint.c", &["N=7"]),
    long("disjoint.c", &["N=12"]),
    long("readers.c", &["N=12"]),
    long("one-writer.c", &["N=14"]),
    long("indexer.c", &["N=12"]),
    long("indexer.c", &["N=14"]),
    long("file-system.c", &["N=14"]),
    long("file-system.c", &["N=19"]),
    short("last-zero.c", &["N=6"]),
    long("last-zero.c", &["N=11"]),
    short("fibonacci.c", &["N=5"]),
    short("seqlock.c", &["N=5"]),
    short("michael-scott.c", &["N=3"]),
    short("treiber.c", &["N=3"]),
    short("philosophers.c", &["N=7"]),
    short("rwlock.c", &["READERS=7", "WRITERS=3"]),
    short("queue.cpp", &["ITEMS=2"]),
    short("peterson3.cpp", &["N=4"]),
];

const fn short(program: &'static str, sizes: &'static [&'static str]) -> Row {
    Row {
        program,
        sizes,
        long: false,
    }
}

const fn long(program: &'static str, sizes: &'static [&'static str]) -> Row {
    Row {
        program,
        sizes,
        long: true,
    }
}

impl Row {
    fn name(&self) -> String {
        let words = std::iter::once(self.program).chain(self.sizes.iter().copied());
        words.collect::<Vec<_>>().join(" ")
    }

    fn definitions(&self) -> impl Iterator<Item = String> {
        self.sizes.iter().map(|size| format!("-D{size}"))
    }

    fn in_markdown(&self) -> String {
        let words = std::iter::once(self.program).chain(self.sizes.iter().copied());
        words
            .map(|word| format!("`{word}`"))
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn model(&self) -> PathBuf {
        let name = Path::new(self.program).with_extension("pml");
        root().join("benches/promela").join(name)
    }
}

/// What a search did and what it took.
struct Figures {
    states: f64,
    transitions: f64,
    seconds: f64,
    /// The same of each turn in which it was tried; `seconds` is the least.
    turns: Vec<f64>,
    /// Of the states alone, as the tool itself gives it.
    state_bytes: f64,
    /// Of the whole process.
    memory: f64,
    total: Duration,
    /// Of the way to an error; of the states, not of what happens in them.
    steps: usize,
}

/// What is compared.
#[derive(Clone, Copy)]
enum Table {
    Spin,
    Modes,
    Local,
    Reported,
    Reduction,
}

/// The command line.
struct Options {
    quick: bool,
    table: Table,
    threads: usize,
    name: String,
}

impl Options {
    /// Those that are asked for.
    fn rows<'a>(&'a self, rows: &'a [Row]) -> impl Iterator<Item = &'a Row> {
        rows.iter()
            .filter(|row| !(row.long && self.quick) && row.name().contains(&self.name))
    }
}

fn main() {
    let options = options();
    match options.table {
        Table::Spin => beside_spin(&options),
        Table::Modes => modes(&options),
        Table::Local => local(&options),
        Table::Reported => reported(&options),
        Table::Reduction => reduction(&options),
    }
}

fn beside_spin(options: &Options) {
    println!(
        "{:<32} {:<7} {:>9} {:>11} {:>8} {:>9} {:>13} {:>12} {:>6} {:>7}",
        "program",
        "",
        "states",
        "transitions",
        "seconds",
        "states/s",
        "transitions/s",
        "bytes/state",
        "MiB",
        "total"
    );
    let spin = Command::new("spin").arg("-V").output().is_ok();
    for row in options.rows(&ROWS) {
        print(
            &row.name(),
            "impasse",
            &check(row, options.threads, &[ALL_THREADS]),
        );
        let local = ["--por=local"];
        print("", "local", &check(row, options.threads, &local));
        if spin {
            print("", "spin", &verify(row));
        }
    }
    if !spin {
        println!("no figures of SPIN: the command spin is missing; install the package spin");
    }
    if "start".contains(&options.name) {
        println!();
        start("C", "rwlock.c");
        start("C++", "peterson2.cpp");
        start("larger C++", "headers.cpp");
    }
}

/// As all tables are measured but the one that says what persistent sets save.
const ALL_THREADS: &str = "--por=full";

/// The ways of checking that are compared; the first is the measure of the others.
const MODES: [(&str, &[&str]); 5] = [
    ("off", &["--hangs=off"]),
    ("local", &["--hangs=local"]),
    ("global", &["--hangs=global"]),
    ("product", &["--hang-algorithm=product"]),
    ("tso", &["--memory-model", "tso"]),
];

/// No way of checking a program takes longer, in seconds.
const PATIENCE: &str = "120";

fn modes(options: &Options) {
    println!("| program | | verdict | states | seconds | times | bytes/state | times the memory |");
    println!("|---|---|---|--:|--:|--:|--:|--:|");
    for row in options.rows(&ROWS) {
        let flags =
            MODES.map(|(_, flags)| [flags, &[ALL_THREADS, "--max-time", PATIENCE]].concat());
        let ways = flags.each_ref().map(Vec::as_slice);
        let found = explore_in_turns(row, 1, ways);
        let off = &found[0].1;
        for ((mode, _), (verdict, figures)) in MODES.iter().zip(&found) {
            println!(
                "| {} | {mode} | {verdict} | {} | {:.2} | {} | {:.0} | {:.2} |",
                match *mode {
                    "off" => row.in_markdown(),
                    _ => String::new(),
                },
                thousands(figures.states),
                figures.seconds,
                times(figures, off),
                figures.state_bytes / figures.states,
                figures.memory / off.memory,
            );
        }
    }
}

/// States from which on a space says what a state takes.
const MANY: f64 = 15_000.0;

/// What looking for sections that cannot end takes, with each access as a step, in spaces of many
/// states.
fn local(options: &Options) {
    println!("| program | seconds, off | local | times | bytes/state, off | local | times |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for row in options.rows(&ROWS) {
        let ways = [&["--hangs=off", "--por=local"][..], &["--por=local"]];
        let [(_, off), (verdict, local)] = explore_in_turns(row, options.threads, ways);
        if off.states < MANY {
            continue;
        }
        assert_eq!((verdict.as_str(), local.states), ("verified", off.states));
        let bytes = |figures: &Figures| figures.state_bytes / figures.states;
        println!(
            "| {} | {:.2} | {:.2} | {} | {:.1} | {:.1} | {:.2} |",
            row.in_markdown(),
            off.seconds,
            local.seconds,
            times(&local, &off),
            bytes(&off),
            bytes(&local),
            bytes(&local) / bytes(&off),
        );
    }
}

/// A number in groups of three digits.
fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups = groups.map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(",")
}

/// How many times as long something took: the median of the turns, as the machine may be slower in
/// one than in another; nothing where the clock says too little.
fn times(figures: &Figures, of: &Figures) -> String {
    if of.seconds < 0.01 {
        return String::new();
    }
    let pairs = figures.turns.iter().zip(&of.turns);
    let mut ratios: Vec<f64> = pairs.map(|(seconds, of)| seconds / of).collect();
    ratios.sort_by(f64::total_cmp);
    format!("{:.2}", ratios[ratios.len() / 2])
}

/// How much of its state space Impasse explores until it reports a program's hang, and in how much
/// of the time.
fn reported(options: &Options) {
    println!("| program | states | seconds | until it is reported | | seconds | | steps |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for row in options.rows(&HANGING) {
        let ways = [&["--hangs=off", ALL_THREADS][..], &[ALL_THREADS]];
        let [(_, whole), (verdict, until)] = explore_in_turns(row, options.threads, ways);
        assert_eq!(verdict, "error", "{}", row.name());
        println!(
            "| {} | {} | {:.2} | {} | {:.0} % | {:.2} | {:.0} % | {} |",
            row.in_markdown(),
            thousands(whole.states),
            whole.seconds,
            thousands(until.states),
            100.0 * until.states / whole.states,
            until.seconds,
            100.0 * until.seconds / whole.seconds,
            until.steps,
        );
    }
}

/// What persistent sets save.
fn reduction(options: &Options) {
    const MOST: &str = "300000";
    println!("| program | states, all threads | seconds | states | seconds |");
    println!("|---|--:|--:|--:|--:|");
    for row in options.rows(&INDEPENDENT) {
        let ways = [&[ALL_THREADS, "--max-states", MOST][..], &[]];
        let [(whole, all), (verdict, reduced)] = explore_in_turns(row, options.threads, ways);
        assert_eq!(verdict, "verified", "{}", row.name());
        let (more, states) = match whole == "verified" {
            true => ("", thousands(all.states)),
            false => ("over ", "300,000".into()),
        };
        println!(
            "| {} | {more}{states} | {more}{:.2} | {} | {:.2} |",
            row.in_markdown(),
            all.seconds,
            thousands(reduced.states),
            reduced.seconds,
        );
    }
}

fn options() -> Options {
    let mut options = Options {
        quick: false,
        table: Table::Spin,
        threads: 1,
        name: String::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            // What cargo itself adds.
            "--bench" => {}
            "--quick" => options.quick = true,
            "--modes" => options.table = Table::Modes,
            "--local" => options.table = Table::Local,
            "--reported" => options.table = Table::Reported,
            "--reduction" => options.table = Table::Reduction,
            "--threads" => {
                let number = words.next().and_then(|n| n.parse().ok());
                options.threads = number.expect("--threads takes a number");
            }
            _ => options.name = word,
        }
    }
    options
}

/// Below this, a rate says more of the clock than of the search.
const SHORTEST: f64 = 0.05;

fn print(name: &str, tool: &str, figures: &Figures) {
    let rate = |count: f64| match figures.seconds < SHORTEST {
        true => "-".to_owned(),
        false => format!("{:.0}", count / figures.seconds),
    };
    println!(
        "{name:<32} {tool:<7} {:>9} {:>11} {:>8.2} {:>9} {:>13} {:>12.0} {:>6.0} {:>7.2}",
        figures.states,
        figures.transitions,
        figures.seconds,
        rate(figures.states),
        rate(figures.transitions),
        figures.state_bytes / figures.states,
        figures.memory / MIB,
        figures.total.as_secs_f64(),
    );
}

const MIB: f64 = (1 << 20) as f64;

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository exists")
}

/// Runs a command; returns its output, its processor time with that of its children, and the time
/// that passed.
fn run(command: &mut Command) -> (Output, f64, Duration) {
    let used = || {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the kernel keeps account");
        (usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6
    };
    let (before, begin) = (used(), Instant::now());
    let output = command.output().expect("the command starts");
    (output, used() - before, begin.elapsed())
}

/// How often each way of checking is tried, and how often if all take less than so many seconds, as
/// the start then weighs much.
const TURNS: usize = 9;
const SHORT_TURNS: usize = 20;
const SHORT: f64 = 0.3;
/// What takes so many seconds is tried once.
const LONG: f64 = 5.0;

/// The quickest of three runs, or the only one if it is long.
fn quickest(mut run: impl FnMut() -> (Output, f64, Duration)) -> (Output, f64, Duration) {
    let mut best = run();
    if best.1 < LONG {
        for _ in 0..2 {
            let (output, used, passed) = run();
            best = (output, used.min(best.1), passed.min(best.2));
        }
    }
    best
}

fn impasse(program: &str, options: &[&str], definitions: impl Iterator<Item = String>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impasse"));
    command
        .env("IMPASSE_HOME", root())
        .args(["check", "--format", "json"])
        .args(options);
    if !options.contains(&"--memory-model") {
        command.args(["--memory-model", "sc"]);
    }
    command
        .arg(root().join("benches/programs").join(program))
        .arg("--")
        .args(definitions);
    command
}

fn check(row: &Row, threads: usize, more: &[&str]) -> Figures {
    let (verdict, figures) = explore(row, threads, &[&["--hangs=off"], more].concat());
    assert_eq!(verdict, "verified", "{}", row.name());
    figures
}

/// Checks a program with some more options: the verdict and the figures.
fn explore(row: &Row, threads: usize, more: &[&str]) -> (String, Figures) {
    let [found] = explore_in_turns(row, threads, [more]);
    found
}

/// The same in several ways, in turns, so that what else the machine does meets them alike.
fn explore_in_turns<const N: usize>(
    row: &Row,
    threads: usize,
    ways: [&[&str]; N],
) -> [(String, Figures); N] {
    let threads_option = threads.to_string();
    let once = |options: &[&str]| {
        let options = [&["--threads", &threads_option], options].concat();
        run(&mut impasse(row.program, &options, row.definitions()))
    };
    let start = || once(&["--max-states", "1"]).1;
    start(); // The caches are warm now.
    let mut used_before = start();
    let mut tried = ways.map(|way| vec![once(way)]);
    let is_short = |runs: &Vec<(Output, f64, Duration)>| runs[0].1 < SHORT;
    let turns = match tried.iter().all(is_short) {
        true => SHORT_TURNS,
        false => TURNS,
    };
    for _ in 1..turns {
        used_before = used_before.min(start());
        for (runs, way) in tried.iter_mut().zip(ways) {
            if runs[0].1 < LONG {
                runs.push(once(way));
            }
        }
    }
    tried.map(|runs| figures(&runs, threads, used_before))
}

/// The verdict and the figures of some runs of the same search, all of which used so many seconds
/// of the processor before it.
fn figures(
    runs: &[(Output, f64, Duration)],
    threads: usize,
    used_before: f64,
) -> (String, Figures) {
    let report = |(output, ..): &(Output, f64, Duration)| -> Value {
        serde_json::from_slice(&output.stdout).expect("a report")
    };
    let turns: Vec<f64> = runs
        .iter()
        .map(|run| match threads {
            1 => (run.1 - used_before).max(0.0),
            _ => report(run)["seconds"].as_f64().expect("a number"),
        })
        .collect();
    let report = report(&runs[0]);
    let number = |field: &str| report[field].as_f64().expect("a number");
    let verdict = report["verdict"].as_str().expect("a verdict").to_owned();
    let figures = Figures {
        states: number("states"),
        transitions: number("transitions"),
        seconds: turns.iter().copied().fold(f64::INFINITY, f64::min),
        turns,
        state_bytes: number("state_bytes"),
        memory: number("peak_memory_bytes"),
        total: runs.iter().map(|(_, _, total)| *total).min().expect("one"),
        steps: report["path"]
            .as_str()
            .map_or(0, |path| path.split('.').count()),
    };
    (verdict, figures)
}

/// Lets SPIN make a verifier of the model, and runs it.
fn verify(row: &Row) -> Figures {
    let (_, used_before, _) = search(Path::new("nothing.pml"), std::iter::empty());
    let (text, used, total) = search(&row.model(), row.definitions());
    let clean = text.contains("errors: 0") && !text.contains("max search depth too small");
    assert!(clean, "{}: {text}", row.name());
    let number = |what: &str| {
        let line = text.lines().find(|line| line.contains(what));
        let word = line.and_then(|line| line.split_whitespace().next());
        let number = word.and_then(|word| word.parse::<f64>().ok());
        number.unwrap_or_else(|| panic!("no {what}: {text}"))
    };
    Figures {
        states: number("states, stored"),
        transitions: number("transitions (="),
        seconds: (used - used_before).max(0.0),
        turns: Vec::new(),
        state_bytes: number("actual memory usage for states") * MIB,
        memory: number("total actual memory usage") * MIB,
        total,
        steps: 0,
    }
}

/// What SPIN's verifier of a model says; it is compiled without what only liveness needs. The
/// folder that it is made in has a model of next to nothing.
fn search(model: &Path, definitions: impl Iterator<Item = String>) -> (String, f64, Duration) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("nothing.pml"), "init { skip }").expect("a new file");
    let succeed = |command: &mut Command| {
        let (output, ..) = run(command.current_dir(&folder));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{command:?}: {text}");
    };
    succeed(Command::new("spin").arg("-a").args(definitions).arg(model));
    succeed(Command::new("gcc").args(["-O2", "-w", "-DSAFETY", "-o", "pan", "pan.c"]));
    let mut verifier = Command::new(folder.path().join("pan"));
    verifier.arg("-m1000000").current_dir(&folder);
    let (output, used, total) = quickest(|| run(&mut verifier));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, used, total)
}

/// Prints how long a check of a program takes, when it was checked before and when its text is new;
/// what it includes was included before.
fn start(language: &str, program: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let text = std::fs::read(root().join("benches/programs").join(program)).expect("a program");
    let copy = folder.path().join(program);
    let mut serial = 0;
    let mut time = |new: bool| {
        let (_, used, passed) = quickest(|| {
            serial += i32::from(new);
            let last = format!("// {} {serial}\n", std::process::id());
            std::fs::write(&copy, [&text, last.as_bytes()].concat()).expect("a new file");
            let copy = copy.to_str().expect("a path in Unicode");
            run(&mut impasse(copy, &["--threads", "1"], std::iter::empty()))
        });
        format!(
            "{:.2} s, of the processor {used:.2} s",
            passed.as_secs_f64()
        )
    };
    println!(
        "start, {language} program checked for the first time: {}",
        time(true)
    );
    println!("start, {language} program checked before: {}", time(false));
}
