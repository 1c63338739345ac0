//! `impasse info`: what a program is made of.

use crate::inputs::Inputs;
use anyhow::Result;
use clap::Args;
use std::process::ExitCode;

/// Options of `impasse info`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    /// Flags for clang.
    #[arg(last = true)]
    flags: Vec<String>,
}

/// Shows the summary.
pub fn main(arguments: Arguments) -> Result<ExitCode> {
    let program = arguments.inputs.program(&arguments.flags)?;
    anstream::println!("{}", program.summary());
    Ok(ExitCode::SUCCESS)
}
