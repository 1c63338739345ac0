//! `impasse loops`: does a sequential program run for ever?

use crate::inputs::Inputs;
use anyhow::{Result, anyhow};
use clap::Args;
use impasse_lasso::concolic::heads::Heads;
use impasse_lasso::concolic::run::Subject;
use impasse_lasso::prove::Arithmetic;
use impasse_lasso::search::{self, Reason, Verdict, search};
use impasse_machine::options::Options;
use impasse_solver::Terms;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Options of `impasse loops`.
#[derive(Args)]
pub struct Arguments {
    /// C sources, preprocessed files (.i), LLVM assembly (.ll) or bitcode (.bc).
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    max_time: f64,
    /// Flags for clang.
    #[arg(last = true)]
    flags: Vec<String>,
}

/// Looks for an endless execution.
pub fn main(arguments: Arguments) -> Result<ExitCode> {
    let inputs = Inputs {
        files: arguments.files,
        optimise: false,
        files_from: None,
        stdin: None,
        signed_overflow: true,
        malloc_fail: false,
        choices: None,
    };
    let options = Options {
        spurious_wakeups: false,
        leaks: false,
        races: false,
        ..inputs.options(&[])?
    };
    let system = inputs.system(&arguments.flags, options)?;
    let entry = system
        .main
        .ok_or_else(|| anyhow!("the program has no function main"))?;
    let subject = Subject {
        system: &system,
        entry,
        test: None,
        globals: Vec::new(),
        heads: Heads::default(),
    };
    let terms = Terms::new();
    let options = search::Options {
        arithmetic: Arithmetic::Machine,
        time: Duration::from_secs_f64(arguments.max_time),
    };
    let (verdict, statistics) = search(&subject, &terms, &options);
    eprintln!("{statistics:?}");
    Ok(match verdict {
        Verdict::Nonterminating(found) => {
            println!("nonterminating {}", matches!(found.reason, Reason::Repeats));
            for (input, value) in found.trace.inputs.iter().zip(&found.trace.values).take(5) {
                println!("  {:?} = {value}", input.source);
            }
            println!(
                "  {:?}",
                impasse_lasso::concolic::turn::lines(&subject, &found.trace, found.round.visits)
                    .iter()
                    .map(|l| l.line)
                    .take(20)
                    .collect::<Vec<_>>()
            );
            ExitCode::from(1)
        }
        Verdict::Terminating => {
            println!("terminating");
            ExitCode::from(0)
        }
        Verdict::Unknown(gaps) => {
            println!("unknown {gaps:?}");
            ExitCode::from(3)
        }
    })
}
