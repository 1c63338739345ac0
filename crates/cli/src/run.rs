//! `impasse run`: one schedule, with the program's real output and exit code.

use crate::inputs::{Inputs, Model};
use crate::trace;
use anyhow::Result;
use clap::Args;
use impasse_machine::base::options::Options;
use impasse_machine::system::run::{Ending, run};
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

/// Options of `impasse run`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    /// The sizes of C's types.
    #[arg(long, value_enum, default_value_t = Model::Lp64)]
    data_model: Model,
    /// A flag for clang; may be given several times.
    #[arg(long = "clang", value_name = "FLAG", allow_hyphen_values = true)]
    flags: Vec<String>,
    /// Arguments of the program.
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// The exit code for an error of the program, as for a program killed by SIGABRT.
const FAILED: u8 = 134;

/// Runs the program.
pub fn main(mut arguments: Arguments) -> Result<ExitCode> {
    arguments.inputs.model = arguments.data_model;
    let options = Options {
        spurious_wakeups: false,
        spurious_failures: false,
        address_reuse: false,
        ..arguments.inputs.options(&arguments.arguments)?
    };
    let system = arguments.inputs.system(&arguments.flags, options)?;
    let mut print = |descriptor: i32, bytes: &[u8]| {
        // A reader that has gone away does not concern the program, whose output is not the host's.
        let _ = match descriptor {
            2 => stderr().write_all(bytes),
            _ => stdout().write_all(bytes).and_then(|()| stdout().flush()),
        };
    };
    Ok(match run(&system, &mut print, &|| false) {
        Ending::Exit(status) => ExitCode::from(status as u8),
        Ending::Fault(fault) => {
            let error = trace::error(&system, &fault);
            anstream::eprintln!("impasse: {}: {}", error.kind, error.message);
            for thread in &error.threads {
                let waits = thread
                    .waits
                    .as_deref()
                    .map_or(String::new(), |w| format!(" waits {w}"));
                anstream::eprintln!(
                    "  {}{waits}",
                    impasse_report::human::thread_name(thread.thread)
                );
                for frame in &thread.stack {
                    anstream::eprintln!("    {} at {}:{}", frame.function, frame.file, frame.line);
                }
            }
            ExitCode::from(FAILED)
        }
        Ending::Omission(omission) => {
            let reason = trace::reason(&system, &omission);
            anstream::eprintln!(
                "impasse: unsupported: {} at {}:{}",
                reason.what,
                reason.file,
                reason.line
            );
            ExitCode::from(3)
        }
        Ending::Infeasible => {
            anstream::eprintln!(
                "impasse: an assumption of the program does not hold in this schedule"
            );
            ExitCode::from(3)
        }
        Ending::Interrupted => ExitCode::from(130),
    })
}
