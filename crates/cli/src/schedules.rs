//! `impasse run --schedule`: many random schedules.

use crate::behaviour::Behaviour;
use crate::console::Console;
use crate::inputs::Inputs;
use crate::limits::{Guard, Limits};
use crate::printing::Printing;
use crate::reproduce::with_command;
use anyhow::{Result, anyhow};
use clap::{ArgGroup, Args, ValueEnum};
use impasse_diagnose as diagnose;
use impasse_machine::base::hangs::Hangs;
use impasse_machine::base::options::{Clocks, Options};
use impasse_machine::system::System;
use impasse_report::{Report, Schedules, Scope};
use impasse_search::{LiveStatistics, Sampled, Scheduler};
use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::sync::Arc;

/// The options that need `--schedule`.
const OWN: [&str; 24] = [
    "runs",
    "seed",
    "depth",
    "max_steps",
    "threads",
    "memory_model",
    "store_buffer",
    "max_history",
    "exit_code",
    "abort",
    "main_returns",
    "leaks",
    "races",
    "suppressions",
    "spurious_wakeups",
    "spurious_failures",
    "address_reuse",
    "uncaught",
    "format",
    "full_trace",
    "library_frames",
    "html",
    "max_memory",
    "max_time",
];

/// Options of random schedules.
#[derive(Args)]
#[command(group(ArgGroup::new("of-schedules").args(OWN).multiple(true).requires("schedule")))]
pub struct ScheduleOptions {
    /// Execute many random schedules, and report the first error that one of them meets.
    #[arg(long, value_enum)]
    pub schedule: Option<Choice>,
    /// Number of random schedules.
    #[arg(long, value_name = "N", default_value = "1000")]
    runs: NonZeroU64,
    /// Seed of all random choices.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Under pct: depth of the errors to look for; priorities change at one random step less.
    #[arg(long, value_name = "D", default_value = "3")]
    depth: NonZeroU32,
    /// Cut a run after N steps.
    #[arg(long, value_name = "N", default_value = "10000")]
    max_steps: NonZeroU64,
    #[command(flatten)]
    behaviour: Behaviour,
    #[command(flatten)]
    printing: Printing,
    #[command(flatten)]
    limits: Limits,
    /// Number of threads that execute schedules; all cores by default.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// What chooses the thread that moves.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Choice {
    /// Any thread that can move, with the same probability, at each visible action.
    Random,
    /// Probabilistic concurrency testing: the thread with the greatest of random priorities, which
    /// change at random steps.
    Pct,
}

impl ScheduleOptions {
    fn scheduler(&self, choice: Choice) -> Scheduler {
        match choice {
            Choice::Random => Scheduler::Random,
            Choice::Pct => Scheduler::Pct { depth: self.depth },
        }
    }

    /// Returns the figures of no schedules.
    fn none(&self, choice: Choice) -> Schedules {
        let scheduler = match choice {
            Choice::Random => "random".to_owned(),
            Choice::Pct => format!("pct, depth {}", self.depth),
        };
        Schedules {
            scheduler,
            seed: self.seed,
            runs: 0,
            cut: 0,
            omitted: 0,
            steps: 0,
            longest: 0,
        }
    }

    fn sample<'s>(&self, system: &'s System, choice: Choice, guard: &Guard) -> Sampled<&'s System> {
        let runs = self.runs.get();
        let mut schedules = impasse_search::Schedules::new(&system, self.scheduler(choice), runs)
            .seed(self.seed)
            .max_steps(self.max_steps.get())
            .cancel(guard.cancel());
        if let Some(threads) = self.threads {
            schedules = schedules.threads(threads);
        }
        impasse_explore::sample(schedules)
    }
}

/// Executes random schedules of a program, prints the report and returns the exit code. Where a
/// check would search again, as for another memory model, as many schedules follow. `words` are
/// those after `run`. Fails if the input cannot be used.
pub fn main(
    options: &ScheduleOptions,
    choice: Choice,
    inputs: &Inputs,
    words: &[OsString],
    console: &Console,
) -> Result<u8> {
    let mut blank = blank_report();
    let name = inputs.name().display().to_string();
    let output = options.printing.output(console, name);
    let guard = {
        let (output, blank) = (output.clone(), blank.clone());
        let stopped = move |reason| {
            let elapsed = output.console().elapsed();
            let figures = LiveStatistics::new();
            output.print(&diagnose::stopped(blank, &figures, reason, elapsed))
        };
        Guard::new(console, &options.limits, stopped)?
    };
    let mut system = system(options, inputs, console)?;
    system.cancel = Arc::clone(guard.cancel());
    let mut figures = options.none(choice);
    let mut sampled = options.sample(&system, choice, &guard);
    loop {
        add(&mut figures, &sampled);
        blank.seconds += sampled.elapsed.as_secs_f64();
        let is_over = sampled.fault.is_some() || sampled.stopped.is_some();
        if is_over || !system.leaves_out() {
            break;
        }
        drop(sampled);
        system = system.next();
        sampled = options.sample(&system, choice, &guard);
    }
    blank.transitions = figures.steps;
    blank.depth = figures.longest;
    blank.state_bytes = sampled.bytes;
    blank.schedules = Some(figures);
    if let Some(found) = diagnose::in_short_of_schedules(&system, &sampled, &blank) {
        let output = output.clone();
        guard.conclude(move |reason| output.print(&diagnose::without_trace(found, reason)));
    }
    let shown = options.printing.shown();
    let report = diagnose::report_of_schedules(&system, &sampled, blank, shown);
    let report = with_command(report, "run", words);
    Ok(guard.publish(|| output.print(&report)))
}

/// Returns a report that says what random schedules look for.
pub fn blank_report() -> Report {
    Report {
        hangs: Scope::Deadlocks,
        ..Report::blank()
    }
}

/// Returns the program. Clocks show some times, and spurious failures need no second search, since
/// only deadlocks of all threads are looked for. Fails if the input cannot be used.
pub fn system(options: &ScheduleOptions, inputs: &Inputs, console: &Console) -> Result<System> {
    let program = inputs.program(console, &[])?;
    let machine = options
        .behaviour
        .options(&program, Hangs::Deadlocks, inputs.options()?)?;
    let machine = Options {
        clocks: Clocks::Moving,
        ..machine
    };
    let mut system = System::new(program, machine).map_err(|error| anyhow!(error))?;
    system.spurious_failures_known = true;
    Ok(system)
}

fn add(figures: &mut Schedules, sampled: &Sampled<&System>) {
    figures.runs += sampled.runs;
    figures.cut += sampled.cut;
    // The next runs make up for what these have left out.
    figures.omitted = sampled.omitted;
    figures.steps += sampled.steps;
    figures.longest = figures.longest.max(sampled.longest);
}
