//! Tries files, one after another, and reports the result of each.

use super::common::{impasse_process, root};
use super::{Kind, mutate, seeds};
use fastrand::Rng;
use impasse_compile::{DataModel, Toolchain};
use impasse_limits::{Budget, Cancel, Watchdog};
use impasse_machine::base::options::Options;
use impasse_machine::machine::record::Detail;
use impasse_machine::system::replay::replay;
use impasse_machine::system::{ROOTS, System, builtin};
use impasse_program::library::{Library, version};
use impasse_program::link::Program;
use impasse_program::translate::translate_file;
use impasse_program::unit::Unit;
use impasse_search::{Search, Verdict};
use impasse_termination::certificate::Certificate;
use nix::sys::resource::{Resource, setrlimit};
use seeds::Seed;
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The address space of a worker, in bytes.
const MEMORY: u64 = 2 << 30;
/// So many files of each that the tool reads as a whole go through it.
const SAMPLE: u64 = 50;
/// Limits of a search.
const STATES: u64 = 300;
const TIME: Duration = Duration::from_secs(5);

/// Tries these files of a kind.
pub fn work(kind: Kind, folder: &Path, files: Range<u64>) {
    setrlimit(Resource::RLIMIT_AS, MEMORY, MEMORY).expect("a limit on memory");
    setrlimit(Resource::RLIMIT_CORE, 0, 0).expect("no core dumps");
    let panicked = Arc::new(Mutex::new(String::new()));
    let note = Arc::clone(&panicked);
    std::panic::set_hook(Box::new(move |info| {
        let mut note = note.lock().expect("only noted");
        if note.is_empty() {
            *note = info.to_string().replace('\n', " ");
        }
    }));
    let worker = Worker::new(kind, folder);
    for number in files {
        panicked.lock().expect("only noted").clear();
        let outcome = catch_unwind(AssertUnwindSafe(|| worker.try_file(number)));
        let panicked = panicked.lock().expect("only noted").clone();
        match outcome {
            Ok(outcome) if panicked.is_empty() => say(&format!("done {outcome}")),
            _ => say(&format!("done harm: {panicked}")),
        }
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .expect("the receiver lives");
}

fn phase(name: &str) {
    say(&format!("phase {name}"));
}

struct Worker {
    kind: Kind,
    folder: PathBuf,
    seeds: Vec<Seed>,
    library: Option<Arc<Library>>,
}

/// Makes the seeds of a kind that are not there already.
pub fn prepare(kind: Kind, folder: &Path) {
    let folder = folder.join("seeds");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("old seeds go");
    }
    fs::create_dir_all(&folder).expect("a folder");
    match kind {
        Kind::Bitcode => seeds::make_intermediate(&folder, "bc"),
        Kind::Assembly => seeds::make_intermediate(&folder, "ll"),
        Kind::Certificate | Kind::Json => seeds::make_results(&folder),
        Kind::C | Kind::Shim => {}
    }
}

impl Worker {
    fn new(kind: Kind, folder: &Path) -> Worker {
        let made = folder.join("seeds");
        let seeds = match kind {
            Kind::Bitcode => seeds::made(&made, "bc"),
            Kind::Assembly => seeds::made(&made, "ll"),
            Kind::C => seeds::sources(),
            Kind::Shim => seeds::shim(),
            Kind::Json => seeds::made(&made, "json"),
            Kind::Certificate => {
                let results = seeds::made(&made, "json");
                results.iter().filter_map(seeds::proof).collect()
            }
        };
        assert!(seeds.len() > 3, "{} seeds", seeds.len());
        let translates = matches!(kind, Kind::Bitcode | Kind::Assembly);
        Worker {
            kind,
            folder: folder.to_owned(),
            seeds,
            library: translates.then(library),
        }
    }

    /// Makes a file and gives it to its readers; the result, in a word or two.
    fn try_file(&self, number: u64) -> String {
        phase("make");
        let mut rng = Rng::with_seed(number);
        let chosen = rng.usize(0..self.seeds.len());
        let seed = &self.seeds[chosen];
        let end = Path::new(&seed.name).extension().expect("an end");
        let path = self.folder.join(format!("{number}.{}", end.display()));
        let content = match self.kind {
            Kind::Bitcode => mutate::bytes(&mut rng, &seed.content),
            _ => mutate::text(&mut rng, &seed.text()),
        };
        fs::write(&path, &content).expect("a new file");
        let outcome = match self.kind {
            Kind::Bitcode | Kind::Assembly => self.translate(&path, number.is_multiple_of(SAMPLE)),
            Kind::C => tool(&[
                "check".as_ref(),
                "--max-states=300".as_ref(),
                "--max-time=5".as_ref(),
                "--max-memory=500M".as_ref(),
                &path,
            ]),
            Kind::Shim => shim(&path, &content, number.is_multiple_of(SAMPLE)),
            Kind::Certificate => certify(&content),
            Kind::Json => {
                let program = root().join(&seed.name).with_extension("c");
                tool(&["certify".as_ref(), "--no-native".as_ref(), &path, &program])
            }
        };
        if !outcome.starts_with("harm") {
            fs::remove_file(&path).expect("it was made");
        }
        outcome
    }

    /// From the file through the machine.
    fn translate(&self, path: &Path, sample: bool) -> String {
        if sample {
            phase("tool");
            return tool(&[
                "check".as_ref(),
                "--max-states=300".as_ref(),
                "--max-time=5".as_ref(),
                "--max-memory=500M".as_ref(),
                path,
            ]);
        }
        phase("read");
        let unit = match translate_file(path) {
            Ok(unit) => unit,
            Err(_) => return "rejected".into(),
        };
        phase("decode");
        let bytes = postcard::to_stdvec(&unit).expect("it can be encoded");
        let unit: Unit = postcard::from_bytes(&bytes).expect("it can be decoded");
        phase("link");
        let library = self.library.as_ref().expect("opened");
        let program = match Program::link(vec![unit], library, &builtin, &ROOTS) {
            Ok(program) if program.find_function("main").is_some() => program,
            _ => return "not linked".into(),
        };
        phase("load");
        let Ok(mut system) = System::new(program, Options::default()) else {
            return "not loaded".into();
        };
        phase("search");
        let cancel = Arc::new(Cancel::new());
        system.cancel = Arc::clone(&cancel);
        let _watchdog = watch(&cancel);
        let explored = &system;
        let search = Search::new(&explored)
            .max_states(STATES)
            .cancel(&cancel)
            .threads(NonZeroUsize::MIN);
        let search = impasse_explore::search(search);
        match &search.verdict {
            Verdict::Fault { path, .. } | Verdict::Hang { path, .. } => {
                phase("replay");
                replay(&system, path, Detail::default());
                "error".into()
            }
            Verdict::Stopped(reason) => format!("stopped by {reason:?}"),
            Verdict::Exhausted => "explored".into(),
        }
    }
}

/// Limits on a search. One that exceeds them ends the worker.
fn watch(cancel: &Arc<Cancel>) -> Watchdog {
    let budget = Budget {
        memory: Some(MEMORY / 4),
        time: Some(TIME),
    };
    let overrun = |reason| {
        eprintln!("the search continues after its limit: {reason:?}");
        std::process::abort();
    };
    let cancel = Arc::clone(cancel);
    Watchdog::start(
        Instant::now(),
        budget,
        Arc::default(),
        cancel,
        Box::new(overrun),
    )
}

fn certify(content: &[u8]) -> String {
    phase("certify");
    let Ok(proof) = serde_json::from_slice::<Certificate>(content) else {
        return "rejected".into();
    };
    match impasse_termination::certify::certify(&proof) {
        Ok(_) => "holds".into(),
        Err(_) => "does not hold".into(),
    }
}

fn shim(path: &Path, content: &[u8], sample: bool) -> String {
    if sample {
        phase("tool");
        return tool(&["shim".as_ref(), "--max-time=5".as_ref(), path]);
    }
    phase("shim");
    let Ok(text) = std::str::from_utf8(content) else {
        return "no text".into();
    };
    match impasse_shim::check("changed.shim", text, &shim_budget()) {
        Ok(result) => {
            impasse_shim::report::text(&result, false);
            impasse_shim::report::json(&result);
            impasse_shim::report::page(&result, text);
            result.verdict.word().into()
        }
        Err(rejected) => {
            rejected.render(false);
            "rejected".into()
        }
    }
}

/// A share of the usual budget.
fn shim_budget() -> impasse_shim::analysis::Budget {
    let mut budget = impasse_shim::analysis::Budget::default();
    budget.states /= 50;
    budget.nodes /= 50;
    budget.steps /= 50;
    budget.limits = budget.limits.part(20);
    budget.input_steps /= 50;
    budget.predicates.rounds = 4;
    budget.predicates.questions = 100;
    budget
}

/// What the tool itself makes of a file.
fn tool(arguments: &[&Path]) -> String {
    phase("tool");
    let output = impasse_process(arguments.iter().map(|argument| argument.as_os_str()));
    let errors = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    let line = |text: &str| {
        text.lines()
            .find(|l| l.contains("panicked"))
            .map(str::to_owned)
    };
    match code {
        _ if errors.contains("panicked") => format!("harm: {}", line(&errors).unwrap_or_default()),
        Some(code @ 0..=3) => format!("exit code {code}"),
        _ => format!(
            "harm: {}: {}",
            output.status,
            errors.lines().next().unwrap_or_default()
        ),
    }
}

/// The libraries as the tool keeps them.
fn library() -> Arc<Library> {
    let toolchain = Toolchain::locate(&Toolchain::default_cache()).expect("clang");
    let model = DataModel::Lp64;
    let bitcode = impasse_compile::library::ensure(&toolchain, model, &|_| {}).expect("set up");
    let name = format!("{}-{:016x}.library", &bitcode.digest()[..32], version());
    Library::open(&toolchain.cache().join("executable").join(name)).expect("set up")
}
