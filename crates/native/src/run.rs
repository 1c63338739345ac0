//! From a path to an error to what a process shows of it.

use crate::calls::{Moment, with_whole_calls};
use crate::compile::compile;
use crate::places::{Places, full};
use crate::process::{Running, Start};
use crate::states::Hold;
use crate::steering::Steering;
use crate::verdict::{How, Shown, shown};
use anyhow::Result;
use impasse_compile::{Source, Toolchain};
use impasse_diagnose::order::{Copies, Order, shows_in_a_process};
use impasse_report::{ErrorReport, NativeOutcome, NativeRun};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// How many other places are tried for the earlier access of a race.
const EARLIER: usize = 4;

/// How long the user may take in the debugger.
const DEBUGGED: Duration = Duration::from_secs(24 * 60 * 60);

/// A program that is to run as a process.
pub struct Program<'a> {
    /// Where clang and the headers are.
    pub toolchain: &'a Toolchain,
    /// Its sources.
    pub sources: Vec<Source>,
    /// Flags for the compiler.
    pub flags: Vec<String>,
    /// How it starts. The executable is built.
    pub start: Start,
    /// How long one execution may take without a debugger.
    pub time: Duration,
}

/// Runs a program so that its threads act in this order, and returns what it shows of the error at
/// its end. Fails if there is no folder for it, or a tool is missing.
pub fn replay(program: &Program<'_>, order: &Order, error: &ErrorReport) -> Result<NativeRun> {
    let not_tried = |text: &str| NativeRun {
        outcome: NativeOutcome::NotTried,
        text: text.into(),
    };
    if let Some(why) = &order.beyond {
        return Ok(not_tried(why));
    }
    if let Err(why) = shows_in_a_process(error) {
        return Ok(not_tried(why));
    }
    let folder = tempfile::Builder::new()
        .prefix("impasse-native-")
        .tempdir()?;
    let built = compile(
        program.toolchain,
        &program.sources,
        &program.flags,
        folder.path(),
    );
    let executable = match built {
        Ok(executable) => executable,
        Err(why) => return Ok(not_tried(&format!("it does not compile natively: {why}"))),
    };
    let order = with_full_places(order);
    let told = told(&order, folder.path())?;
    let standard_input = order.standard_input.as_ref().map(|bytes| {
        let path = folder.path().join("stdin");
        std::fs::write(&path, bytes).map(|()| path)
    });
    let unknown = order.arguments.iter().cloned().map(OsString::from_vec);
    let places = Places::of(&executable, vec![program.toolchain.headers()])?;
    let start = Start {
        program: executable,
        told,
        stdin: standard_input.transpose()?.or(program.start.stdin.clone()),
        arguments: program
            .start
            .arguments
            .iter()
            .cloned()
            .chain(unknown)
            .collect(),
        ..program.start.clone()
    };
    let is_debugged = start.debugged;
    let mut attempts = Attempts {
        start,
        folder: folder.path(),
        places,
        order,
        skips: false,
        error,
        time: program.time,
    };
    attempts.start.debugged = is_debugged && error.kind != "data-race";
    let (seen, hold) = attempts.best()?;
    if is_debugged && error.kind == "data-race" {
        attempts.start.debugged = true;
        attempts.one(How {
            hold,
            ..How::default()
        })?;
    }
    let (outcome, text) = match seen {
        Shown::Occurs(text) => (NativeOutcome::Occurs, text),
        Shown::NotSeen(text) => (NativeOutcome::NotSeen, text),
        Shown::Left(text) => (NativeOutcome::LeftPath, text),
        Shown::MayBeSeen(_, text) => match text {
            Some(text) => (NativeOutcome::Occurs, text),
            None => (NativeOutcome::NotSeen, NOT_AT_ONCE.into()),
        },
    };
    Ok(NativeRun { outcome, text })
}

/// What is said of a race whose accesses are ordered in every execution.
const NOT_AT_ONCE: &str = "the accesses are not made at the same time";

/// Executions of a program.
struct Attempts<'a> {
    start: Start,
    folder: &'a Path,
    places: Places,
    order: Order,
    /// Whether what cannot be followed is left out.
    skips: bool,
    error: &'a ErrorReport,
    time: Duration,
}

impl Attempts<'_> {
    /// What the execution shows that shows most, and which thread is held in it.
    fn best(&mut self) -> Result<(Shown, Option<Hold>)> {
        let started = Instant::now();
        let (first, hold) = self.by_the_path()?;
        let is_shown = matches!(first, Shown::Occurs(_) | Shown::MayBeSeen(_, Some(_)));
        if is_shown || self.start.debugged || started.elapsed() >= self.time {
            return Ok((first, hold));
        }
        // The order within calls of a library may be what the process cannot follow.
        let fine = self.order.clone();
        self.skips = true;
        for moment in [Moment::First, Moment::Last] {
            self.order = with_whole_calls(&fine, moment);
            let again = self.by_the_path()?;
            if let (Shown::Occurs(_) | Shown::MayBeSeen(_, Some(_)), _) = again {
                return Ok(again);
            }
        }
        self.order = fine;
        self.skips = false;
        Ok((first, hold))
    }

    /// The same, in the order of operations as it is.
    fn by_the_path(&mut self) -> Result<(Shown, Option<Hold>)> {
        let first = self.one(How::default())?;
        if let Shown::MayBeSeen(earlier, _) = &first {
            for access in earlier.iter().take(EARLIER) {
                let again = self.one(How {
                    hold: Some(access.hold),
                    ..How::default()
                })?;
                if let Shown::Occurs(_) = again {
                    return Ok((again, Some(access.hold)));
                }
            }
        }
        let at_once = matches!(self.error.kind.as_str(), "data-race" | "hang");
        if let (Shown::NotSeen(_), false) = (&first, at_once || self.start.debugged) {
            let again = self.one(How {
                others_first: true,
                ..How::default()
            })?;
            if let Shown::Occurs(_) = again {
                return Ok((again, None));
            }
        }
        Ok((first, None))
    }

    fn one(&mut self, how: How) -> Result<Shown> {
        let deadline = match self.start.debugged {
            true => Instant::now() + DEBUGGED,
            false => Instant::now() + self.time,
        };
        // Each process has the files that the path begins with, none unless the user says which.
        let files = tempfile::Builder::new()
            .prefix("files-")
            .tempdir_in(self.folder)?;
        if let Some(given) = &self.start.folder {
            copy_files(given, files.path())?;
        }
        let start = Start {
            folder: Some(files.path().to_owned()),
            ..self.start.clone()
        };
        let process = Running::start(&start, self.folder, &mut self.places)?;
        let mut steering = Steering::new(process, how.hold, deadline);
        if self.skips {
            steering.skip();
        }
        let shown = shown(&mut steering, &self.order, self.error, how);
        let stands_still = matches!(self.error.kind.as_str(), "hang" | "data-race");
        steering.into_process().leave_to_debugger(stands_still);
        Ok(shown)
    }
}

/// Copies what is in a folder to another one. Fails if something cannot be read or written.
fn copy_files(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            std::fs::create_dir(&target)?;
            copy_files(&entry.path(), &target)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(std::fs::read_link(entry.path())?, &target)?;
        } else if kind.is_file() {
            std::fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

/// What the runtime learns of a path. Fails if the file of inputs cannot be written.
fn told(order: &Order, folder: &Path) -> Result<Vec<(&'static str, String)>> {
    let mut told = Vec::new();
    if !order.inputs.is_empty() {
        let file = folder.join("inputs");
        let lines = order
            .inputs
            .iter()
            .map(|(thread, value)| format!("{thread} {value}\n"));
        std::fs::write(&file, lines.collect::<String>())?;
        told.push(("IMPASSE_INPUTS", file.display().to_string()));
    }
    match order.copies {
        Copies::Whole => {}
        Copies::Ascending => told.push(("IMPASSE_COPIES", "ascending".into())),
        Copies::Descending => told.push(("IMPASSE_COPIES", "descending".into())),
    }
    if order.allocations_fail {
        told.push(("IMPASSE_ALLOCATIONS_FAIL", "1".into()));
    }
    Ok(told)
}

fn with_full_places(order: &Order) -> Order {
    let mut order = order.clone();
    let turns = order.turns.iter_mut().chain(&mut order.with_descriptors);
    for act in turns.flat_map(|turn| &mut turn.operations) {
        act.place = full(&act.place);
    }
    order
}
