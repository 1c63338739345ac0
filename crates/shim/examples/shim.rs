//! Tries a program: `shim check|json|paper|run|smv|html file.shim`.

use impasse_shim::analysis::Budget;
use impasse_shim::diagnostic::Rejected;
use impasse_shim::runner::RunInputs;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [command, path, rest @ ..] = &args[..] else {
        eprintln!("usage: shim check|json|paper|run|smv|html FILE [name=value …]");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    try_it(command, path, &text, rest).unwrap_or_else(|rejected| {
        eprint!("{}", rejected.render(true));
        ExitCode::from(2)
    })
}

fn try_it(
    command: &str,
    path: &str,
    text: &str,
    rest: &[String],
) -> Result<ExitCode, Box<Rejected>> {
    let budget = Budget::default();
    match command {
        "run" => {
            let mut inputs = RunInputs::default();
            for (name, value) in rest.iter().filter_map(|arg| arg.split_once('=')) {
                let values = value.split(',').filter_map(|v| v.parse().ok()).collect();
                inputs.parameters.insert(name.into(), values);
            }
            match impasse_shim::run(path, text, &inputs, u64::MAX, &mut |line| {
                println!("{line}")
            })? {
                Ok((_, words)) => eprintln!("{words}"),
                Err(error) => eprintln!("{error}"),
            }
            Ok(ExitCode::SUCCESS)
        }
        "paper" => {
            match impasse_shim::check_as_paper(path, text, &budget)? {
                Some(row) => println!("{}", impasse_shim::report::paper_row(path, &row)),
                None => println!("too large"),
            }
            Ok(ExitCode::SUCCESS)
        }
        "smv" => {
            print!("{}", impasse_shim::emit_smv(path, text)?);
            Ok(ExitCode::SUCCESS)
        }
        "html" => {
            print!(
                "{}",
                impasse_shim::report::page(&impasse_shim::check(path, text, &budget)?, text)
            );
            Ok(ExitCode::SUCCESS)
        }
        "check" => {
            let result = impasse_shim::check(path, text, &budget)?;
            print!("{}", impasse_shim::report::text(&result, false));
            Ok(ExitCode::from(result.verdict.exit_code()))
        }
        _ => {
            let result = impasse_shim::check(path, text, &budget)?;
            println!(
                "{}",
                serde_json::to_string_pretty(&result).unwrap_or_default()
            );
            Ok(ExitCode::from(result.verdict.exit_code()))
        }
    }
}
