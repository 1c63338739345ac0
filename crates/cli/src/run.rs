//! `impasse run`: one schedule, with the program's real output and exit code; or many random ones.

use crate::console::{Console, Stream};
use crate::data_model::Model;
use crate::inputs::Inputs;
use crate::schedules::{self, ScheduleOptions};
use anyhow::Result;
use clap::Args;
use impasse_diagnose::{error, reason};
use impasse_machine::base::options::Options;
use impasse_machine::system::run::{Ending, run};

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

/// Executes the program once, as it would run natively, and returns its exit code; or executes
/// random schedules, and returns the exit code of the report. Fails if the input cannot be used.
pub fn main(mut arguments: Arguments, console: &Console) -> Result<u8> {
    arguments.inputs.model = arguments.data_model.into();
    arguments.inputs.arguments.append(&mut arguments.last);
    if let Some(choice) = arguments.schedules.schedule {
        return schedules::main(&arguments.schedules, choice, &arguments.inputs, console);
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
