//! `impasse check`: every interleaving.

use crate::ahead::{Ahead, Found, Outlook, Runs, With};
use crate::batch;
use crate::behaviour::{Behaviour, Switch};
use crate::compiler_flags::sort_out;
use crate::console::Console;
use crate::format::Format;
use crate::hangs::HangOptions;
use crate::inputs::{Inputs, Volatile};
use crate::job::{self, Base, Parts};
use crate::limits::{Guard, Limits};
use crate::printing::{Output, Printing};
use crate::reproduce::with_command;
use crate::searches::{Next, next_search};
use crate::trials::Trials;
use crate::workers::{WorkerOptions, Workers};
use crate::{progress, project, witness, workers};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, CommandFactory, Parser, ValueEnum};
use impasse_diagnose as diagnose;
use impasse_distribute::Failure;
use impasse_limits::StopReason;
use impasse_machine::base::hangs::Hangs;
use impasse_machine::base::options::{Clocks, Options, Por, Tracking};
use impasse_machine::system::System;
use impasse_program::link::Program;
use impasse_report::rendering::Rendering;
use impasse_report::{Report, Worker};
use impasse_search::{LiveStatistics, Outcome, Schedules, Search, Verdict};
use impasse_store::{Backing, Disk};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

/// Of a limit on memory, so many bytes allow one more state that is found through memory. Such a
/// state takes about fifty bytes, index included, most of which are pages of the file.
const BYTES_PER_STATE: u64 = 400;

/// Options of `impasse check`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    behaviour: Behaviour,
    /// Check only this one of the checks in ./impasse.toml; may be repeated.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    #[command(flatten)]
    printing: Printing,
    /// Also write an error of a sequential program in C, or what always holds at its loops if it is
    /// verified, as a witness in SV-COMP's format 2.1.
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    #[command(flatten)]
    hangs: HangOptions,
    /// Partial-order reduction: which equivalent interleavings the search skips. `persistent` by
    /// default, and with several workers `full`.
    #[arg(long, value_enum)]
    por: Option<OnPor>,
    /// Symmetry reduction: of threads of one function that are in the same place with the same
    /// values, let one move.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    symmetry: Switch,
    /// Reuse a step in each state that agrees in everything the step reads, instead of executing it
    /// again.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    step_cache: Switch,
    /// What clocks show.
    #[arg(long, value_enum, default_value_t = OnClocks::Sampled)]
    clocks: OnClocks,
    /// Stop after N states.
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    #[command(flatten)]
    limits: Limits,
    /// Keep states in files in this folder, and in memory only those that are in use.
    #[arg(long, value_name = "FOLDER")]
    states_on_disk: Option<PathBuf>,
    /// Of so many states, the latest, find each through memory; for tests.
    #[arg(long, value_name = "N", requires = "states_on_disk", hide = true)]
    states_in_memory: Option<u64>,
    /// Number of threads that search; all cores by default.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    workers: WorkerOptions,
    /// Flags for clang, whatever they are.
    #[arg(last = true)]
    flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnClocks {
    /// A few times; then, to be sure, whatever depends on the time.
    Sampled,
    /// Any time: readings are followed symbolically.
    Symbolic,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnPor {
    /// `full`, and where it pays, only threads move whose next steps conflict with nothing that the
    /// others may do.
    Persistent,
    /// `local`, and where Impasse reports data races, plain accesses to shared memory end no step
    /// either.
    Full,
    /// Accesses to memory that only one thread can reach end no step.
    Local,
    /// Every access to memory is a step of its own.
    Off,
}

impl Arguments {
    /// Returns the program, and the world around it.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    fn options(&self, program: &Program, hangs: Hangs) -> Result<Options> {
        let is_symbolic = self.clocks == OnClocks::Symbolic;
        if is_symbolic && self.inputs.nondet.is_some() {
            bail!("--clocks symbolic follows all inputs symbolically: leave out --nondet");
        }
        let options = Options {
            por: match self.por.unwrap_or(self.usual_por()) {
                OnPor::Persistent => Por::Persistent,
                OnPor::Full => Por::Full,
                OnPor::Local => Por::Local,
                OnPor::Off => Por::Off,
            },
            symmetry: self.symmetry == Switch::On,
            step_cache: self.step_cache == Switch::On,
            symbolic_inputs: true,
            symbolic_clocks: is_symbolic,
            adjacent_races_first: true,
            ..self.inputs.options()?
        };
        self.behaviour.options(program, hangs, options)
    }

    /// What prints the report. Fails if a witness is asked for and a build cannot be read.
    fn output(&self, console: &Console) -> Result<Output> {
        let name = self.inputs.name().display().to_string();
        let witness = self.witness.as_ref().map(|path| {
            let sources = self.inputs.sources()?.into_iter();
            let not_if_verified = match (self.inputs.build.is_given(), self.inputs.nondet) {
                (true, _) => Some("the invariants of programs from a build are not looked for"),
                (_, Some(_)) => Some("with --nondet, the verdict holds of some inputs only"),
                _ => None,
            };
            anyhow::Ok(witness::Wanted {
                path: path.clone(),
                sources: sources.map(|source| source.path).collect(),
                flags: self.inputs.flags.chosen(&self.flags)?,
                data_model: self.inputs.model,
                not_if_verified,
            })
        });
        let output = self.printing.output(console, name);
        Ok(output.with_witness(witness.transpose()?))
    }

    /// Returns the form of reports.
    pub fn format(&self) -> Format {
        self.printing.format()
    }

    /// Adds flags for the compiler.
    pub fn add_flags(&mut self, flags: &[&str]) {
        self.flags.extend(flags.iter().map(|&flag| flag.to_owned()));
    }

    /// Returns the program. Fails as [`Inputs::program`] does.
    pub fn program(&self, console: &Console) -> Result<Program> {
        self.inputs.program(console, &self.flags)
    }

    /// Returns the system that is searched first, and a report that says what is looked for in it.
    /// Fails if the options contradict each other or the input cannot be used.
    pub fn system(&self, console: &Console) -> Result<(Report, System)> {
        let hangs = self.hangs.chosen()?;
        self.check_workers(hangs)?;
        let program = self.inputs.program(console, &self.flags)?;
        let options = self.options(&program, hangs)?;
        let system = System::new(program, options).map_err(|error| anyhow!(error))?;
        Ok((self.blank_report(hangs), system))
    }

    /// Returns a report that says what is looked for, and nothing yet about what was found.
    fn blank_report(&self, hangs: Hangs) -> Report {
        Report {
            volatile_atomic: self.inputs.volatile == Volatile::Atomic,
            ..self.hangs.blank_report(hangs)
        }
    }

    /// Returns the system that is searched first, with the parts of its program if other processes
    /// need them. Fails as [`system`](Self::system) does.
    fn system_and_parts(
        &self,
        console: &Console,
        hangs: Hangs,
        disk: Option<&Arc<Disk>>,
    ) -> Result<(System, Option<Parts>)> {
        let (program, parts) = match self.workers.need_parts() {
            false => (self.program(console)?, None),
            true => {
                let (program, parts) = self.inputs.program_with_parts(console, &self.flags)?;
                (program, Some(parts))
            }
        };
        let options = Options {
            backing: disk.cloned().map(Backing::from).unwrap_or_default(),
            ..self.options(&program, hangs)?
        };
        let system = System::new(program, options).map_err(|error| anyhow!(error))?;
        Ok((system, parts))
    }

    /// Returns the options that the inputs decide. Fails as [`Inputs::options`] does.
    pub fn inputs_options(&self) -> Result<Options> {
        self.inputs.options()
    }

    /// Fails if a witness is asked for: several checks would write the same file.
    pub fn for_each(&self) -> Result<()> {
        match &self.witness {
            Some(path) => bail!(
                "--witness writes one file, {}, and there are several checks: check the program \
                 alone",
                path.display()
            ),
            None => Ok(()),
        }
    }

    /// Returns how reports are printed.
    pub fn printing(&self) -> &Printing {
        &self.printing
    }

    /// Returns how reports are rendered.
    pub fn rendering(&self) -> Rendering {
        self.printing.rendering()
    }

    fn usual_por(&self) -> OnPor {
        match self.workers.are_used() {
            false => OnPor::Persistent,
            true => OnPor::Full,
        }
    }

    /// Fails if the options ask for what a search over several workers cannot do.
    fn check_workers(&self, hangs: Hangs) -> Result<()> {
        if !self.workers.are_used() {
            return Ok(());
        }
        if self.clocks == OnClocks::Symbolic {
            bail!("--workers cannot follow clocks symbolically: leave out --clocks");
        }
        if self.states_on_disk.is_some() {
            bail!("--workers keeps states in memory: leave out --states-on-disk");
        }
        if self.por == Some(OnPor::Persistent) {
            bail!("--workers explores what --por full does: leave out --por persistent");
        }
        workers::check(hangs)
    }

    /// Starts the workers, and the other processes if they are to run on this machine. Fails if
    /// they cannot be started.
    fn start_workers(
        &self,
        system: &System,
        parts: Option<Parts>,
        guard: &Guard,
        live: &Arc<LiveStatistics>,
    ) -> Result<Workers> {
        let mut course = self.workers.course(self.max_states)?;
        let write = |parts| job::write(parts, &system.options, &mut course);
        let job = parts.map(write).transpose()?;
        let system = system.copy();
        let base = Base { system, course };
        Workers::start(&self.workers, base, job, &self.limits, (guard, live))
    }

    /// Returns the folder for states, if there is one. Fails if files cannot be made there.
    fn disk(&self, guard: &Guard) -> Result<Option<Arc<Disk>>> {
        let Some(folder) = &self.states_on_disk else {
            return Ok(None);
        };
        let usual = guard.memory() / BYTES_PER_STATE;
        let recent = self.states_in_memory.unwrap_or(usual);
        let disk = Disk::new(folder, recent);
        let disk = Arc::new(disk.with_context(|| {
            format!(
                "{}: no room for states can be reserved here",
                folder.display()
            )
        })?);
        let relieved = Arc::clone(&disk);
        guard.relieve_by(move || relieved.release());
        disk.pace_by(guard.pace());
        Ok(Some(disk))
    }

    /// Returns what a search of this system finds. If another one ahead of it has found an error,
    /// also returns the system of that one.
    fn search<'s>(
        &self,
        system: &'s System,
        live: &LiveStatistics,
        guard: &Guard,
        disk: Option<&Arc<Disk>>,
        trials: &Trials,
    ) -> (Outcome<&'s System>, Option<System>) {
        let look = |system: &System, states: u64| {
            let search = self.prepared(&system, guard, disk, trials);
            let outcome = impasse_explore::search(search.at_most(states));
            Found::of(&outcome.verdict, guard.cancel().is_cancelled())
        };
        let sample =
            |runs: Runs| impasse_explore::sample(self.schedules(&system, runs, guard)).fault;
        let ahead = Outlook::new(
            system,
            With {
                search: &look,
                sample: &sample,
            },
        );
        let supersedes = |states| ahead.supersedes(states);
        let search = self.prepared(&system, guard, disk, trials);
        let search = match trials.leave_states_unlimited() {
            true => search.superseded(&supersedes),
            false => search,
        };
        let search = search.live_statistics(live);
        let mut outcome =
            progress::shown(guard.console(), live, || impasse_explore::search(search));
        match ahead.into_found() {
            Some(Ahead::In(system)) => (outcome, Some(*system)),
            Some(Ahead::Here(fault, path)) => {
                let path = impasse_explore::without_symmetry(system, &path);
                outcome.verdict = Verdict::Fault { fault, path };
                (outcome, None)
            }
            None => (outcome, None),
        }
    }

    /// Random schedules within the limits of the check.
    fn schedules<'a, 's>(
        &self,
        system: &'a &'s System,
        runs: Runs,
        guard: &'a Guard,
    ) -> Schedules<'a, &'s System> {
        let schedules = Schedules::new(system, runs.scheduler, runs.number)
            .max_steps(runs.steps)
            .cancel(guard.cancel());
        match self.threads {
            Some(threads) => schedules.threads(threads),
            None => schedules,
        }
    }

    /// A search with the limits of the check.
    fn prepared<'a, 's>(
        &self,
        system: &'a &'s System,
        guard: &'a Guard,
        disk: Option<&'a Arc<Disk>>,
        trials: &Trials,
    ) -> Search<'a, &'s System> {
        let mut search = self.hangs.search(system).cancel(guard.cancel());
        if let Some(threads) = self.threads {
            search = search.threads(threads);
        }
        if let Some(disk) = disk {
            search = search.disk(disk);
        }
        trials.limit(search)
    }
}

/// Checks a program, or a project if no files are given, prints the reports and returns the exit
/// code. `words` are those after `check`. Fails if the options contradict each other or the input
/// cannot be used.
pub fn main(arguments: Arguments, words: &[OsString], console: &Console) -> Result<u8> {
    if arguments.workers.serve() {
        return workers::serve(&arguments.workers, &arguments.limits, console);
    }
    match arguments.inputs.are_given() {
        true => check_program(arguments, words, console),
        false => check_project(&arguments, words, console),
    }
}

/// Checks what `impasse.toml` describes.
fn check_project(arguments: &Arguments, words: &[OsString], console: &Console) -> Result<u8> {
    arguments.for_each()?;
    let printing = &arguments.printing;
    let words = without_options(words, &["format", "only", "html"]);
    let words: Vec<OsString> = printing.words_of_each().into_iter().chain(words).collect();
    let tasks = project::checks(&words, &arguments.only, &validate)?;
    let (format, rendering) = (arguments.format(), arguments.rendering());
    let (reports, code) = batch::run(console, &tasks, |named| {
        console.print(&format.next(named, rendering));
    })?;
    console.print(&format.last(&reports, rendering));
    printing.write_overview(&reports)?;
    Ok(code)
}

/// The command line of a check alone.
#[derive(Parser)]
enum Alone {
    Check(Box<Arguments>),
}

/// Fails unless these words may follow `check` and name files.
fn validate(words: &[OsString]) -> Result<()> {
    let all = ["impasse", "check"].map(OsString::from);
    let words = all.into_iter().chain(words.iter().cloned()).collect();
    let words = sort_out(words, &Alone::command())?;
    let Alone::Check(arguments) = Alone::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        anyhow!(line.trim_start_matches("error: ").to_owned())
    })?;
    match arguments.inputs.are_given() {
        true => Ok(()),
        false => bail!("it has neither `files` nor `compile-commands`"),
    }
}

/// Returns words without some options, each with its value.
pub fn without_options(words: &[OsString], options: &[&str]) -> Vec<OsString> {
    let mut left = words.iter();
    let mut kept = Vec::new();
    while let Some(word) = left.next() {
        let text = word.to_string_lossy();
        if text == "--" {
            kept.push(word.clone());
            break;
        }
        let (name, value) = match text.split_once('=') {
            Some((name, _)) => (name, true),
            None => (text.as_ref(), false),
        };
        match name
            .strip_prefix("--")
            .is_some_and(|name| options.contains(&name))
        {
            true if value => {}
            true => drop(left.next()),
            false => kept.push(word.clone()),
        }
    }
    kept.extend(left.cloned());
    kept
}

fn check_program(arguments: Arguments, words: &[OsString], console: &Console) -> Result<u8> {
    if !arguments.only.is_empty() {
        bail!("--only names checks of impasse.toml, which count if no files are given");
    }
    let hangs = arguments.hangs.chosen()?;
    arguments.check_workers(hangs)?;
    let live = Arc::new(LiveStatistics::new());
    let blank = arguments.blank_report(hangs);
    let output = arguments.output(console)?;
    let guard = {
        let output = output.clone();
        let (blank, live) = (blank.clone(), Arc::clone(&live));
        let stopped = move |reason| {
            output.print(&diagnose::stopped(
                blank,
                &live,
                reason,
                output.console().elapsed(),
            ))
        };
        Guard::new(console, &arguments.limits, stopped)?
    };
    let disk = arguments.disk(&guard)?;
    let (mut system, parts) = arguments.system_and_parts(console, hangs, disk.as_ref())?;
    system.cancel = Arc::clone(guard.cancel());
    let workers = match arguments.workers.are_used() {
        true => Some(arguments.start_workers(&system, parts, &guard, &live)?),
        false => None,
    };
    let searcher = Searcher {
        arguments: &arguments,
        workers,
        live: &live,
        guard: &guard,
        disk: disk.as_ref(),
        found: None,
    };
    let report = match answer(searcher, system, blank.clone(), &output) {
        Ok(report) => with_command(report, "check", words),
        Err(failure) => Report {
            reason: Some(failure.to_string()),
            ..diagnose::stopped(blank, &live, StopReason::Interrupted, console.elapsed())
        },
    };
    Ok(guard.publish(|| output.print(&report)))
}

/// What makes the searches of a check.
struct Searcher<'a> {
    arguments: &'a Arguments,
    workers: Option<Workers>,
    live: &'a Arc<LiveStatistics>,
    guard: &'a Guard,
    disk: Option<&'a Arc<Disk>>,
    /// The system in which a search ahead of the last one has found an error.
    found: Option<System>,
}

impl Searcher<'_> {
    /// Returns what a search of this system finds, and what each worker did if there are several.
    /// Fails if a worker does.
    fn search<'s>(
        &mut self,
        system: &'s System,
        trials: &Trials,
    ) -> Result<(Outcome<&'s System>, Vec<Worker>), Failure> {
        let (live, guard) = (self.live, self.guard);
        match &mut self.workers {
            Some(workers) => workers.search(system, guard, live),
            None => {
                let (outcome, found) = self
                    .arguments
                    .search(system, live, guard, self.disk, trials);
                self.found = found;
                Ok((outcome, Vec::new()))
            }
        }
    }
}

/// Makes all searches of a check, and returns the report. Fails if a worker does.
fn answer(
    mut searcher: Searcher<'_>,
    mut system: System,
    blank: Report,
    output: &Output,
) -> Result<Report, Failure> {
    let is_alone = searcher.workers.is_none();
    let mut trials = Trials::of(&system, searcher.arguments.max_states, is_alone);
    let mut without_answer = None;
    let report = loop {
        let (report, next) = attempt(&mut searcher, system, &mut trials, blank.clone(), output)?;
        match next {
            Some(next) => (system, without_answer) = (next, Some(report)),
            None if trials.are_in_vain() => break without_answer.unwrap_or(report),
            None => break report,
        }
    };
    searcher.workers.into_iter().for_each(Workers::end);
    Ok(report)
}

/// Makes the searches from a first system on. Returns the report, and the system from which to
/// begin again, if any. Fails if a worker does.
fn attempt(
    searcher: &mut Searcher<'_>,
    mut system: System,
    trials: &mut Trials,
    blank: Report,
    output: &Output,
) -> Result<(Report, Option<System>), Failure> {
    let options = system.options.clone();
    let (mut outcome, mut workers) = searcher.search(&system, trials)?;
    while let Some(next) = trials.next(&system, &outcome) {
        drop(outcome);
        system = next;
        (outcome, workers) = searcher.search(&system, trials)?;
    }
    let mut refused = None;
    loop {
        if let Some(found) = searcher.found.take() {
            drop(outcome);
            system = found;
            (outcome, workers) = searcher.search(&system, trials)?;
            continue;
        }
        let Some(next) = next_search(&system, &outcome) else {
            break;
        };
        let shared = searcher.workers.as_ref();
        refused = shared.and_then(|_| workers::refuses(&system));
        if refused.is_some() {
            break;
        }
        let (endless, statistics) = (outcome.noted_may_hang, outcome.statistics);
        drop(outcome);
        system = match next {
            Next::More => system.next(),
            Next::UnknownTime => system.with_unknown_time(&options),
        };
        let shares = std::mem::take(&mut workers);
        (outcome, workers) = searcher.search(&system, trials)?;
        // The search for races alone looks for nothing else.
        outcome.noted_may_hang |= endless && system.tracking == Tracking::Accesses;
        let is_cut_short = !matches!(outcome.verdict, Verdict::Exhausted);
        if is_cut_short && system.options.clocks == Clocks::Unknown {
            // What it found may be no error: the figures are those of the search before.
            (outcome.statistics, workers) = (statistics, shares);
        }
    }
    if let Some(found) = diagnose::in_short(&system, &outcome, &blank) {
        let output = output.clone();
        let last_words = move |reason| output.print(&diagnose::without_trace(found, reason));
        searcher.guard.conclude(last_words);
    }
    let shown = searcher.arguments.printing.shown();
    let mut report = diagnose::report(&system, &outcome, blank, shown);
    report.workers = workers;
    if let Some(reason) = refused {
        report.verdict = impasse_report::Verdict::Inconclusive;
        report.reason = Some(reason.to_owned());
    }
    let has_answer = report.verdict != impasse_report::Verdict::Inconclusive;
    let again = trials.after(&system, &outcome, has_answer);
    Ok((report, again))
}
