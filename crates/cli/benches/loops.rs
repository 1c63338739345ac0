//! `impasse loops` on a folder of programs with known verdicts: a table, one line a family.
//!
//! `cargo bench -p impasse --bench loops -- FOLDER [SECONDS [WORD…]]`: every `.yml` file below
//! FOLDER that names a program (`input_files`) and a verdict for `termination.prp` is a task, as in
//! the collections of the software-verification community; the folder it lies in is its family;
//! `data_model` says the sizes of types. With words, only tasks whose path has one of them. SECONDS
//! (60) bound each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

struct Task {
    family: String,
    program: PathBuf,
    /// The sizes of C's types, as `--data-model` names them.
    data_model: String,
    terminates: bool,
}

#[derive(Default)]
struct Row {
    endless: usize,
    found: usize,
    ending: usize,
    proved: usize,
    wrong: Vec<PathBuf>,
    time: Duration,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let Some(folder) = arguments.first() else {
        println!(
            "name a folder of tasks: cargo bench -p impasse --bench loops -- FOLDER [SECONDS [WORD…]]"
        );
        return ExitCode::SUCCESS;
    };
    let seconds = arguments.get(1).map_or("60", String::as_str);
    let words = arguments.get(2..).unwrap_or_default();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for task in tasks(Path::new(folder)) {
        let path = task.program.to_string_lossy();
        if !words.is_empty() && !words.iter().any(|word| path.contains(word.as_str())) {
            continue;
        }
        run(&task, seconds, rows.entry(task.family.clone()).or_default());
    }
    print(&rows)
}

fn tasks(folder: &Path) -> Vec<Task> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name();
    let files = files.into_iter().filter_map(Result::ok);
    let yml = files.filter(|file| file.path().extension().is_some_and(|e| e == "yml"));
    yml.filter_map(|file| task(file.path())).collect()
}

/// The task that a file describes, if it has a verdict. Of each property the file says its name and
/// the verdict, in any order.
fn task(path: &Path) -> Option<Task> {
    let text = std::fs::read_to_string(path).ok()?;
    let value = |line: &str, key: &str| {
        let (_, value) = line.split_once(key)?;
        Some(value.trim().trim_matches(['\'', '"']).to_owned())
    };
    let program = text.lines().find_map(|line| value(line, "input_files:"))?;
    let mut items: Vec<Vec<&str>> = Vec::new();
    for line in text.lines().map(str::trim_start) {
        match items.last_mut() {
            _ if line.starts_with('#') => {}
            Some(item) if !line.starts_with('-') => item.push(line),
            _ => items.push(vec![line]),
        }
    }
    let names = |item: &&Vec<&str>| item.iter().any(|line| line.contains("termination.prp"));
    let mut lines = items.iter().find(names)?.iter();
    let verdict = lines.find_map(|line| value(line, "expected_verdict:"))?;
    let folder = path.parent()?;
    let model = text.lines().find_map(|line| value(line, "data_model:"));
    Some(Task {
        family: folder.file_name()?.to_string_lossy().into_owned(),
        program: folder.join(program),
        data_model: model.map_or("lp64".into(), |model| model.to_lowercase()),
        terminates: verdict == "true",
    })
}

fn run(task: &Task, seconds: &str, row: &mut Row) {
    let started = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_impasse"))
        .args(["loops", "--max-time", seconds])
        .args(["--data-model", &task.data_model])
        .arg(&task.program)
        .args(["--", "-w"])
        .output()
        .expect("the tool starts");
    row.time += started.elapsed();
    let code = output.status.code();
    match task.terminates {
        true => row.ending += 1,
        false => row.endless += 1,
    }
    match (task.terminates, code) {
        (true, Some(0)) => row.proved += 1,
        (false, Some(1)) => row.found += 1,
        (true, Some(1)) | (false, Some(0)) => row.wrong.push(task.program.clone()),
        _ => {}
    }
}

fn print(rows: &BTreeMap<String, Row>) -> ExitCode {
    println!("| family | never end | found | end | proved | wrong | seconds |");
    println!("|---|---|---|---|---|---|---|");
    let mut all = Row::default();
    for (family, row) in rows {
        line(family, row);
        all.endless += row.endless;
        all.found += row.found;
        all.ending += row.ending;
        all.proved += row.proved;
        all.wrong.extend(row.wrong.iter().cloned());
        all.time += row.time;
    }
    line("all", &all);
    for program in &all.wrong {
        println!("wrong: {}", program.display());
    }
    match all.wrong.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn line(name: &str, row: &Row) {
    println!(
        "| {name} | {} | {} | {} | {} | {} | {:.0} |",
        row.endless,
        row.found,
        row.ending,
        row.proved,
        row.wrong.len(),
        row.time.as_secs_f64()
    );
}
