//! `impasse info`: what a program is made of.

use crate::console::Console;
use crate::inputs::Inputs;
use anyhow::Result;
use clap::Args;

/// Options of `impasse info`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    inputs: Inputs,
    /// Flags for clang, whatever they are.
    #[arg(last = true)]
    flags: Vec<String>,
}

/// Prints a summary of the linked program and returns the exit code. Fails if the input cannot be
/// used.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    let program = arguments.inputs.program(console, &arguments.flags)?;
    console.print(&format!("{}\n", program.summary()));
    Ok(0)
}
