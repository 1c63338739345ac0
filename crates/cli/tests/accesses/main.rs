//! Programs of two threads that make each pair of accesses which the machine knows of, at the same
//! place and apart: those of its builtins, by their table, and those of instructions. A data race
//! must be found exactly where the two overlap, one of them writes, and not both are atomic: under
//! each reduction, with steps remembered and without, after so many plain accesses that no more are
//! remembered, with a signal handler, and after a choice.
//!
//! One program holds all accesses; its arguments choose. `IMPASSE_PROGRAMS` in the environment says
//! how many combinations to try instead of the usual number, or `all`, and `IMPASSE_PROGRAMS_FROM`
//! the number of the first one.

mod calls;
#[path = "../common/mod.rs"]
mod common;
mod program;
mod templates;

use common::{link, set_up};
use impasse_machine::base::fault::ErrorKind;
use impasse_machine::base::hangs::Hangs;
use impasse_machine::base::options::{Options, Por};
use impasse_machine::state::memory::Access;
use impasse_machine::system::System;
use impasse_search::{Search, Strategy, Verdict};
use libtest_mimic::{Arguments, Failed, Trial};
use program::{BLOCK, program};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use templates::{Template, templates};

/// How many combinations are tried.
const USUAL: u64 = 400;
/// How many in one go, in one system.
const AT_ONCE: u64 = 100;
/// How many plain accesses come before.
const BEFORE: [u64; 3] = [63, 64, 65];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        set_up();
    }
    let all = Arc::new(Everything::new());
    let count = match std::env::var("IMPASSE_PROGRAMS").as_deref() {
        Err(_) => USUAL,
        Ok("all") => all.combinations(),
        Ok(number) => number.parse().expect("a number, or `all`"),
    };
    let from = std::env::var("IMPASSE_PROGRAMS_FROM").map(|n| n.parse().expect("a number"));
    let from: u64 = from.unwrap_or(0);
    let end = all.combinations().min(from + count);
    let trials = (from..end).step_by(AT_ONCE as usize).map(|start| {
        let all = Arc::clone(&all);
        let numbers = start..end.min(start + AT_ONCE);
        let name = format!(
            "{}..{} of {}",
            numbers.start,
            numbers.end,
            all.combinations()
        );
        Trial::test(name, move || all.test(numbers))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// The accesses, and the program that holds them.
struct Everything {
    templates: Vec<Template>,
    source: PathBuf,
    pairs: Vec<[usize; 2]>,
    /// How far apart neighbouring combinations are; coprime to their number.
    stride: u64,
}

/// How two accesses meet.
struct Combination {
    accesses: [usize; 2],
    /// How far apart the places are; none: in two blocks.
    distance: Option<u64>,
    /// How many plain accesses each thread makes before; one of them makes none.
    before: [u64; 2],
    handler: bool,
    chooses: bool,
    por: Por,
    step_cache: bool,
}

impl Everything {
    fn new() -> Everything {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("accesses");
        fs::create_dir_all(&folder).expect("a folder for the program");
        let source = folder.join("accesses.c");
        let templates = templates();
        fs::write(&source, program(&templates)).expect("the program can be written");
        let count = templates.len();
        let pairs = (0..count).flat_map(|one| (one..count).map(move |other| [one, other]));
        let mut all = Everything {
            templates,
            pairs: pairs.collect(),
            source,
            stride: 1,
        };
        let total = all.combinations();
        // By the golden ratio each run of combinations is spread evenly over all.
        let mut strides = (total as f64 * 0.618_034) as u64..;
        all.stride = strides.find(|n| gcd(*n, total) == 1).expect("a prime");
        all
    }

    fn combinations(&self) -> u64 {
        self.pairs.len() as u64 * 2 * (2 * BEFORE.len() as u64 + 1) * 2 * 2 * 3 * 2
    }

    /// The combination with a number: neighbouring ones have little in common, so that a few are a
    /// fair share.
    fn combination(&self, number: u64) -> Combination {
        let mut rest = number * self.stride % self.combinations();
        let mut digit = |base: usize| {
            let digit = rest % base as u64;
            rest /= base as u64;
            digit as usize
        };
        let accesses = self.pairs[digit(self.pairs.len())];
        let together = digit(2) == 0;
        let [first, second] = accesses.map(|n| &self.templates[n]);
        let behind = first.bytes.next_multiple_of(16);
        Combination {
            accesses,
            distance: match together {
                true => Some(0),
                false => Some(behind).filter(|_| behind + second.bytes <= BLOCK),
            },
            before: match digit(2 * BEFORE.len() + 1) {
                0 => [0, 0],
                n if n % 2 == 0 => [BEFORE[n / 2 - 1], 0],
                n => [0, BEFORE[n / 2]],
            },
            handler: digit(2) == 1,
            chooses: digit(2) == 1,
            por: [Por::Full, Por::Local, Por::Off][digit(3)],
            step_cache: digit(2) == 0,
        }
    }

    fn test(&self, numbers: std::ops::Range<u64>) -> Result<(), Failed> {
        let program = link(&self.source, "accesses.c").map_err(|error| error.to_string())?;
        let mut system = System::new(program, Options::default())?;
        for number in numbers {
            let combination = self.combination(number);
            self.check(&mut system, &combination).map_err(|message| {
                format!("{number}: {}: {message}", self.describe(&combination))
            })?;
        }
        Ok(())
    }

    /// Whether the threads' accesses race.
    fn expects_race(&self, combination: &Combination) -> bool {
        let [first, second] = combination.accesses.map(|n| &self.templates[n]);
        combination.distance == Some(0)
            && (first.access == Access::Write || second.access == Access::Write)
            && !(first.atomic && second.atomic)
    }

    fn check(&self, system: &mut System, combination: &Combination) -> Result<(), String> {
        let [first, second] = combination.accesses.map(|n| &self.templates[n]);
        let same_place = combination.distance == Some(0);
        if same_place && first.atomic && second.atomic && first.family != second.family {
            return Ok(());
        }
        let distance = combination.distance.map_or("-1".into(), |d| d.to_string());
        let words = [
            "accesses".into(),
            combination.accesses[0].to_string(),
            combination.accesses[1].to_string(),
            distance,
            combination.before[0].to_string(),
            combination.before[1].to_string(),
            (combination.handler as u32).to_string(),
            (combination.chooses as u32).to_string(),
        ];
        system.options = Options {
            arguments: words.into(),
            standard_input: b"12345678".to_vec(),
            leaks: false,
            hangs: Hangs::Off,
            por: combination.por,
            step_cache: combination.step_cache,
            ..Options::default()
        };
        let expected = self.expects_race(combination);
        let is_race = |found: &Found| matches!(found, Some((ErrorKind::DataRace, _)));
        // Depth-first search meets a race on its first paths, unless another error comes before.
        // Without handlers, `--por full` is quick, and prunes in breadth-first search only.
        let quick = combination.por == Por::Full && !combination.handler;
        let mut found = None;
        if expected && !quick {
            found = search(system, Strategy::DepthFirst)?;
        }
        if !is_race(&found) {
            found = search(system, Strategy::BreadthFirst)?;
        }
        let right = match (&found, expected) {
            (None, race) => !race,
            (Some((ErrorKind::DataRace, _)), race) => race,
            // What is done at the same place is no error by itself, or it is one of another kind as
            // well.
            (Some(_), true) => first.frees || second.frees,
            (Some(_), false) => same_place,
        };
        match right {
            true => Ok(()),
            false => Err(format!("{found:?}")),
        }
    }

    fn describe(&self, combination: &Combination) -> String {
        let [first, second] = combination.accesses.map(|n| &self.templates[n].name);
        format!(
            "{first} and {second}, distance {:?}, {:?} accesses before, handler {}, choices {}, {:?}, step_cache {}",
            combination.distance,
            combination.before,
            combination.handler,
            combination.chooses,
            combination.por,
            combination.step_cache
        )
    }
}

/// The error that a search finds: its kind and message.
type Found = Option<(ErrorKind, String)>;

/// The error that a search finds. Fails if the search leaves something out or stops.
fn search(system: &System, strategy: Strategy) -> Result<Found, String> {
    let search = Search::new(&system).threads(NonZeroUsize::MIN);
    let outcome = impasse_explore::search(search.strategy(strategy));
    match &outcome.verdict {
        Verdict::Fault { fault, .. } => Ok(Some((fault.kind, fault.message.clone()))),
        Verdict::Exhausted if outcome.omissions.is_empty() => Ok(None),
        Verdict::Exhausted => Err(format!("omitted {}", outcome.omissions[0].what)),
        Verdict::Stopped(reason) => Err(format!("stopped: {reason:?}")),
        Verdict::Hang { .. } => Err("a hang".into()),
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        b => gcd(b, a % b),
    }
}
