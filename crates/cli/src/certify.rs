//! `impasse certify`: checks a certificate of `impasse loops`.

use crate::console::Console;
use crate::limits::{INCONCLUSIVE, Limits, within};
use crate::sequential::system;
use anyhow::{Context, Result};
use clap::Args;
use impasse_limits::StopReason;
use impasse_termination::check::check_evidence;
use impasse_termination::outcome::read_evidence;
use std::path::PathBuf;

/// Options of `impasse certify`.
#[derive(Args)]
pub struct Arguments {
    /// What `impasse loops --format json` printed, or wrote with --certificate.
    certificate: PathBuf,
    /// The program, if it is not where it was.
    files: Vec<PathBuf>,
    /// Do not compile and run the program natively as well.
    #[arg(long)]
    no_native: bool,
    #[command(flatten)]
    limits: Limits,
}

/// Checks a certificate, prints the result and returns the exit code. Fails if the certificate or
/// the program cannot be read.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    let limits = arguments.limits;
    let (speaker, worker) = (console.clone(), console.clone());
    let stopped = move |reason: StopReason| {
        let why = reason.in_words();
        speaker.print(&format!(
            "the certificate was not checked to the end: {why}\n"
        ));
        INCONCLUSIVE
    };
    match within(console, &limits, stopped, move || {
        checked(&worker, arguments)
    })? {
        Ok(checked) => Ok(report(console, checked?)),
        Err(code) => Ok(code),
    }
}

/// What shows that a certificate holds, or why it does not. Fails if there is no certificate, or
/// the program cannot be compiled.
fn checked(console: &Console, arguments: Arguments) -> Result<Result<Vec<String>>> {
    let name = arguments.certificate.display().to_string();
    let text = std::fs::read_to_string(&arguments.certificate).context(name.clone())?;
    let evidence = read_evidence(&text).context(name)?;
    let files = match arguments.files.is_empty() {
        true => evidence.files.iter().map(PathBuf::from).collect(),
        false => arguments.files,
    };
    let system = system(console, &files, &evidence.flags, &evidence.wanted)?;
    let natively = !arguments.no_native;
    Ok(check_evidence(&evidence, &system, &files, natively))
}

/// Prints what a check found, and returns the exit code.
fn report(console: &Console, checked: Result<Vec<String>>) -> u8 {
    match checked {
        Ok(statements) => {
            console.print("the certificate holds:\n");
            for statement in statements {
                console.print(&format!("  {statement}\n"));
            }
            0
        }
        Err(error) => {
            console.print(&format!("the certificate does not hold: {error:#}\n"));
            1
        }
    }
}
