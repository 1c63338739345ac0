//! `impasse run`: one schedule, with the program's real output and exit code; or many random ones.

use crate::console::{Console, Stream};
use crate::data_model::Model;
use crate::inputs::Inputs;
use crate::schedules::{self, ScheduleOptions};
use anyhow::Result;
use clap::Args;
use impasse_diagnose::{error, reason};
use impasse_machine::base::options::Options;
use impasse_machine::system::System;
use impasse_machine::system::run::{Ending, run};
use impasse_report::Report;
use std::ffi::OsString;

/// Options of `impasse run`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    /// The sizes of C's types.
    #[arg(long, value_enum, default_value_t = Model::Lp64)]
    data_model: Model,
    #[command(flatten, next_help_heading = "Random schedules")]
    schedules: ScheduleOptions,
    /// Arguments of the program, after those of --arg.
    #[arg(last = true, value_name = "ARGUMENTS")]
    last: Vec<String>,
}

/// The exit code for an error of the program, as for a program killed by SIGABRT.
const FAILED: u8 = 134;

impl Arguments {
    /// Returns the program, and the world around it.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Returns the system of random schedules, and a report that says what is looked for in it.
    /// Fails if the input cannot be used.
    pub fn system(mut self, console: &Console) -> Result<(Report, System)> {
        self.complete_inputs();
        let system = schedules::system(&self.schedules, &self.inputs, console)?;
        Ok((schedules::blank_report(), system))
    }

    fn complete_inputs(&mut self) {
        self.inputs.model = self.data_model.into();
        self.inputs.arguments.append(&mut self.last);
    }
}

/// Executes the program once, as it would run natively, and returns its exit code; or executes
/// random schedules, and returns the exit code of the report. `words` are those after `run`. Fails
/// if the input cannot be used.
pub fn main(mut arguments: Arguments, words: &[OsString], console: &Console) -> Result<u8> {
    arguments.complete_inputs();
    if let Some(choice) = arguments.schedules.schedule {
        return schedules::main(
            &arguments.schedules,
            choice,
            &arguments.inputs,
            words,
            console,
        );
    }
    let options = Options {
        spurious_wakeups: false,
        spurious_failures: false,
        address_reuse: false,
        ..arguments.inputs.options()?
    };
    let system = arguments.inputs.system(console, &[], options)?;
    let mut print = |descriptor: i32, bytes: &[u8]| {
        let stream = if descriptor == 2 {
            Stream::Err
        } else {
            Stream::Out
        };
        console.write(stream, bytes);
    };
    Ok(match run(&system, &mut print, &|| false) {
        Ending::Exit(status) => status as u8,
        Ending::Fault(fault) => {
            let error = error(&system, &fault);
            console.print_error(&format!("impasse: {}: {}\n", error.kind, error.message));
            for thread in &error.threads {
                let waits = thread
                    .waits
                    .as_deref()
                    .map_or(String::new(), |w| format!(" waits {w}"));
                let name = impasse_report::rendering::thread_name(thread.thread);
                console.print_error(&format!("  {name}{waits}\n"));
                for frame in &thread.stack {
                    let (file, line) = (&frame.file, frame.line);
                    console.print_error(&format!("    {} at {file}:{line}\n", frame.function));
                }
            }
            FAILED
        }
        Ending::Omission(omission) => {
            let reason = reason(&system, &omission);
            let (file, line) = (&reason.file, reason.line);
            console.print_error(&format!(
                "impasse: unsupported: {} at {file}:{line}\n",
                reason.what
            ));
            3
        }
        Ending::Infeasible => {
            console.print_error(
                "impasse: an assumption of the program does not hold in this schedule\n",
            );
            3
        }
        Ending::Interrupted => 130,
    })
}
