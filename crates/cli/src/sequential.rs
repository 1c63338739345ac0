//! A program as `impasse loops` executes it: in one thread, with its inputs followed as terms.

use crate::build::Build;
use crate::compiler_flags::CompilerFlags;
use crate::console::Console;
use crate::inputs::{Inputs, Volatile, generated};
use anyhow::{Result, bail};
use impasse_machine::base::options::Options;
use impasse_machine::system::System;
use impasse_termination::subject::Wanted;
use std::path::PathBuf;

/// Every byte of standard input is an input of its own.
const MOST_STDIN_BYTES: usize = 1 << 20;

/// Compiles and links a program for sequential execution. Fails if it has errors.
pub fn system(
    console: &Console,
    files: &[PathBuf],
    flags: &[String],
    wanted: &Wanted,
) -> Result<System> {
    let mut files = files.to_vec();
    if wanted.main.is_some() {
        let text = "__attribute__((__weak__)) int main(void) { return 0; }\n";
        files.push(generated("weak-main.c", text)?);
    }
    let inputs = Inputs {
        files,
        build: Build::default(),
        flags: CompilerFlags::default(),
        arguments: Vec::new(),
        arg_bytes: Vec::new(),
        environment: Vec::new(),
        optimise: false,
        files_from: None,
        stdin: None,
        stdin_bytes: None,
        // It wraps around, and is noted.
        signed_overflow: false,
        malloc_fail: false,
        any_rand: false,
        volatile: Volatile::Ordinary,
        nondet: None,
        roots: wanted.main.iter().cloned().collect(),
        model: wanted.data_model,
    };
    if wanted.stdin_bytes > MOST_STDIN_BYTES {
        bail!("standard input may have at most {MOST_STDIN_BYTES} bytes");
    }
    let options = Options {
        spurious_wakeups: false,
        spurious_failures: false,
        address_reuse: false,
        leaks: false,
        races: false,
        standard_input: vec![0; wanted.stdin_bytes],
        ..inputs.options()?
    };
    inputs.system(console, flags, options)
}
