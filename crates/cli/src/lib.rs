//! The command line of Impasse: one module per subcommand.
//!
//! [`main`] is the whole program. The binary only calls it. [`run`] runs a command line in this
//! process and keeps what it prints, for tests.

mod ahead;
mod batch;
mod behaviour;
mod build;
mod certify;
mod check;
mod compiler_flags;
mod console;
mod data_model;
mod ending;
mod format;
mod graph;
mod hangs;
mod info;
mod inputs;
mod install;
mod isolated;
mod job;
mod limits;
mod loops;
mod memory_model;
mod orders;
mod outcomes;
mod printing;
mod progress;
mod project;
mod replay;
mod reproduce;
mod run;
mod schedules;
mod searches;
mod sequential;
mod setup;
mod shim;
mod sim;
mod suppressions;
mod test;
mod trials;
mod witness;
mod workers;
mod wrapper;

pub use console::{Console, Printed};

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Finds out whether a program can get stuck or go wrong, and shows how.
///
/// Exit codes: 0 verified, 1 error found, 2 bad input, 3 inconclusive.
#[derive(Parser)]
#[command(name = "impasse", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Explore every interleaving of a C or C++ program.
    Check(check::Arguments),
    /// Check each test of a program that uses googletest, Catch2 or doctest.
    Test(test::Arguments),
    /// Execute one schedule of a program, with its real output and exit code.
    Run(run::Arguments),
    /// Follow the path to an error again, from the result of a check, also after the source has
    /// changed.
    Replay(replay::Arguments),
    /// Walk through the states of a program, forwards and back, choosing which thread moves.
    Sim(sim::Arguments),
    /// Print all combinations of final values of the marked variables.
    Outcomes(outcomes::Arguments),
    /// Find the weakest memory orders with which a program is verified.
    Orders(orders::Arguments),
    /// Draw the state graph of a small program.
    Graph(graph::Arguments),
    /// Show the functions of a program, its thread operations, and what is unsupported.
    Info(info::Arguments),
    /// Prove that a sequential C program terminates, or find inputs on which it does not.
    Loops(loops::Arguments),
    /// Check a certificate of `loops`, without its search and without a solver.
    Certify(certify::Arguments),
    /// Find deadlocks in a SHIM program.
    Shim(shim::Arguments),
    /// Build the library bitcode, if it is missing.
    Setup(setup::Arguments),
    /// Compile C as the system's compiler does, and record how (the compiler impasse-cc).
    #[command(disable_help_flag = true)]
    Cc(wrapper::Arguments),
    /// Compile C++ as the system's compiler does, and record how (the compiler impasse-c++).
    #[command(name = "c++", disable_help_flag = true)]
    Cxx(wrapper::Arguments),
    /// Install the program, its manual pages, and completions for shells.
    Install(install::Arguments),
    /// Translate untrusted bitcode, and write the result to standard output.
    #[command(hide = true)]
    Translate(isolated::Arguments),
}

/// Prints diagnostics to standard error as `IMPASSE_LOG` asks, for instance
/// `impasse_compile=debug`.
fn diagnostics() {
    let filter = tracing_subscriber::EnvFilter::from_env("IMPASSE_LOG");
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .without_time()
        .init();
}

/// The exit code for input that cannot be checked.
const BAD_INPUT: u8 = 2;

/// Returns whether a list of words, the program's name first, is a valid command line. Runs
/// nothing, and reads at most the response files that the words name.
pub fn is_valid_command_line<T: Into<OsString> + Clone>(
    words: impl IntoIterator<Item = T>,
) -> bool {
    sorted(words).is_ok_and(|words| Arguments::try_parse_from(words).is_ok())
}

/// Returns a command line in the form that clap parses. Fails if its flags for the compiler cannot
/// be sorted out.
fn sorted<T: Into<OsString>>(words: impl IntoIterator<Item = T>) -> Result<Vec<OsString>> {
    let words = words.into_iter().map(Into::into).collect();
    compiler_flags::sort_out(words, &Arguments::command())
}

/// Runs a command line, the program's name first, in this process, and returns the exit code that
/// `--help` documents. Results and errors go to the console. A run that a limit has stopped may
/// leave a thread behind; one that does not stop soon after a limit ends the process.
pub fn run<T: Into<OsString> + Clone>(words: impl IntoIterator<Item = T>, console: &Console) -> u8 {
    let words = match sorted(words) {
        Ok(words) => words,
        Err(error) => {
            console.print_error(&format!("impasse: {error:#}\n"));
            return BAD_INPUT;
        }
    };
    let arguments = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        Err(error) => {
            let text = error.render().ansi().to_string();
            match error.use_stderr() {
                true => console.print_error(&text),
                false => console.print(&text),
            }
            return error.exit_code() as u8;
        }
    };
    let rest = words.get(2..).unwrap_or_default();
    let result = match arguments.command {
        Command::Check(arguments) => check::main(arguments, rest, console),
        Command::Test(arguments) => test::main(arguments, rest, console),
        Command::Run(arguments) => run::main(arguments, rest, console),
        Command::Replay(arguments) => replay::main(arguments, console),
        Command::Sim(arguments) => sim::main(arguments, console),
        Command::Outcomes(arguments) => outcomes::main(arguments, console),
        Command::Orders(arguments) => orders::main(arguments, console),
        Command::Graph(arguments) => graph::main(arguments, console),
        Command::Info(arguments) => info::main(arguments, console),
        Command::Loops(arguments) => loops::main(arguments, console),
        Command::Certify(arguments) => certify::main(arguments, console),
        Command::Shim(arguments) => shim::main(arguments, console),
        Command::Setup(arguments) => setup::main(arguments, console),
        Command::Cc(arguments) => wrapper::main(arguments, wrapper::C, console),
        Command::Cxx(arguments) => wrapper::main(arguments, wrapper::CXX, console),
        Command::Install(arguments) => install::main(arguments, Arguments::command(), console),
        Command::Translate(arguments) => isolated::main(arguments, console),
    };
    result.unwrap_or_else(|error| {
        console.print_error(&format!("impasse: {error:#}\n"));
        BAD_INPUT
    })
}

/// Runs the command line of this process, with its streams, and returns the exit code.
pub fn main() -> ExitCode {
    let console = Console::of_process();
    diagnostics();
    ExitCode::from(run(std::env::args_os(), &console))
}
