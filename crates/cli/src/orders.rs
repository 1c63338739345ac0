//! `impasse orders`: the weakest memory orders with which a program is verified.

mod advice;
mod patch;
mod plan;
mod trial;

use crate::behaviour::Behaviour;
use crate::console::{Console, Stream};
use crate::hangs::HangOptions;
use crate::inputs::Inputs;
use crate::limits::{Guard, Limits};
use advice::{Advice, Operation};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use impasse_limits::StopReason;
use impasse_machine::base::options::{MemoryModelName, Options};
use impasse_program::atomics::AtomicOperation;
use impasse_program::link::Program;
use impasse_program::orders::Orders;
use indicatif::ProgressBar;
use plan::{Choice, strongest, weaken};
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use trial::{Finding, Trials};

/// Options of `impasse orders`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    behaviour: Behaviour,
    #[command(flatten)]
    hangs: HangOptions,
    /// Form of the result.
    #[arg(long, value_enum, default_value_t = Form::Human)]
    format: Form,
    /// File to write the patch to, instead of printing it.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Give up a check with other orders after N states: they count as too weak.
    #[arg(long, value_name = "N", default_value = "200000")]
    max_states: u64,
    #[command(flatten)]
    limits: Limits,
    /// Number of threads that search; all cores by default.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Flags for clang, whatever they are.
    #[arg(last = true)]
    flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A table and a patch.
    Human,
    /// JSON.
    Json,
}

/// Finds the weakest orders with which a program is verified, prints them with a patch, and returns
/// the exit code: that of `check` for the program as it is. Fails if the input cannot be used or
/// the options do not go with memory orders.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    if arguments.inputs.optimise {
        bail!("--optimise moves operations away from their places in the source");
    }
    let hangs = arguments.hangs.chosen()?;
    let speaker = console.clone();
    let guard = Guard::new(console, &arguments.limits, move |reason| {
        stopped(&speaker, reason)
    })?;
    let program = arguments
        .inputs
        .separated_program(console, &arguments.flags)?;
    let options = Options {
        adjacent_races_first: true,
        ..arguments.inputs.options()?
    };
    let options = arguments.behaviour.options(&program, hangs, options)?;
    if !matches!(
        options.memory_model,
        MemoryModelName::Auto | MemoryModelName::C11
    ) {
        bail!("memory orders matter under --memory-model c11 and auto alone");
    }
    let advice = arguments.advice(program, options, &guard)?;
    let diff = advice.diff();
    if let Some(path) = &arguments.output {
        fs::write(path, diff).with_context(|| path.display().to_string())?;
    }
    Ok(guard.publish(|| {
        let text = match arguments.format {
            Form::Human => advice.human(arguments.output.as_deref()),
            Form::Json => advice.json(),
        };
        console.print(&text);
        advice.exit_code()
    }))
}

/// Says that a limit ended the run before there was anything to say, and gives the exit code.
fn stopped(console: &Console, reason: StopReason) -> u8 {
    console.print(&format!("inconclusive: {}\n", reason.in_words()));
    crate::limits::INCONCLUSIVE
}

impl Arguments {
    fn advice(&self, program: Program, options: Options, guard: &Guard) -> Result<Advice> {
        let operations = program.atomic_operations();
        let bounds = (&self.hangs, self.max_states, self.threads);
        let mut trials = Trials::new(program, &operations, options, bounds, guard.cancel());
        let bar = match guard.console().is_terminal(Stream::Err) {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        bar.set_message("as written");
        bar.tick();
        let (as_written, report) = trials.as_written()?;
        // The operations whose orders are known, by their numbers.
        let numbers = (0..operations.len()).filter(|&n| operations[n].orders.is_some());
        let mut search = Weakening {
            numbers: numbers.collect(),
            operations: &operations,
            trials: &mut trials,
            bar: &bar,
            guard,
        };
        let (choices, fixes) = search.run(&as_written)?;
        let numbers = search.numbers;
        bar.finish_and_clear();
        let mut choices = numbers
            .into_iter()
            .zip(choices)
            .collect::<Vec<_>>()
            .into_iter()
            .peekable();
        let all = operations
            .iter()
            .enumerate()
            .map(|(n, operation)| Operation {
                operation: operation.clone(),
                choice: choices
                    .next_if(|(number, _)| *number == n)
                    .map(|(_, choice)| choice),
            });
        Ok(Advice {
            operations: all.collect(),
            as_written,
            fixes,
            model: report.memory_model,
            stopped: guard.cancel().reason(),
            trials: trials.count,
        })
    }
}

/// Whether there are orders with which the program is verified.
#[derive(Clone, Debug)]
pub enum Fix {
    /// It is verified as written.
    NotNeeded,
    /// There are.
    Found,
    /// There are none: this is found with the strongest orders.
    None(Finding),
}

struct Weakening<'a, 'o> {
    numbers: Vec<usize>,
    operations: &'o [AtomicOperation],
    trials: &'a mut Trials<'o>,
    bar: &'a ProgressBar,
    guard: &'a Guard,
}

impl Weakening<'_, '_> {
    /// Weakens what is verified as written; of what is not, first strengthens everything, and never
    /// goes below what is written.
    fn run(&mut self, as_written: &Finding) -> Result<(Vec<Choice>, Fix)> {
        let is_verified = matches!(as_written, Finding::Verified);
        let choice = |&n: &usize| {
            let operation = &self.operations[n];
            let written = operation.orders.expect("its orders are known");
            Choice {
                kind: operation.kind,
                least: (!is_verified).then_some(written),
                orders: match is_verified {
                    true => written,
                    false => strongest(operation.kind),
                },
                rejected: Vec::new(),
            }
        };
        let mut choices: Vec<Choice> = self.numbers.iter().map(choice).collect();
        let mut fix = Fix::NotNeeded;
        if !is_verified {
            let orders: Vec<Orders> = choices.iter().map(|choice| choice.orders).collect();
            fix = match self.check(None, &orders)? {
                Finding::Verified if matches!(as_written, Finding::Error(_)) => Fix::Found,
                other => Fix::None(other),
            };
        }
        let mut failure = None;
        if !matches!(fix, Fix::None(_)) {
            weaken(&mut choices, |n, orders| {
                if self.guard.cancel().reason().is_some() {
                    return None;
                }
                let found = self.check(n, orders);
                found.map_err(|error| failure = Some(error)).ok()
            });
        }
        match failure {
            Some(error) => Err(anyhow!(error)),
            None => Ok((choices, fix)),
        }
    }

    fn check(&mut self, changed: Option<usize>, orders: &[Orders]) -> Result<Finding> {
        let what = match changed {
            Some(n) => {
                let operation = &self.operations[self.numbers[n]];
                format!(
                    "{} at {} as {}",
                    operation.kind.name(),
                    operation.place,
                    orders[n]
                )
            }
            None => "all operations".into(),
        };
        self.bar
            .set_message(format!("trial {}: {what}", self.trials.count));
        self.bar.tick();
        let numbers = self.numbers.iter().copied();
        self.trials.with(numbers.zip(orders.iter().copied()))
    }
}
