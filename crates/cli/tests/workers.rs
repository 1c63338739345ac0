//! A search over several workers finds what a search on one machine finds: the test programs, each
//! with two workers or three, and some of them with as many processes. `IMPASSE_PROGRAMS` in the
//! environment says how many of the programs are checked, 60 by default, or `all`.

mod common;

use common::{Directives, check, check_by, impasse_process, set_up, some_programs, summary};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::process::ExitCode;

/// Programs that are checked by default.
const USUAL: usize = 60;
/// Of so many of the checked programs, one is checked with several processes too.
const PROCESSES: usize = 4;
/// So many states are enough for those that have inputs: several workers try each value of small
/// ones, which one machine follows together.
const MOST_WITH_INPUTS: [&str; 2] = ["--max-states", "100000"];
const LIMITED: &str = "the limit on states";
/// What several workers cannot do.
const REFUSED: &str = "several workers cannot follow them symbolically";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        set_up();
    }
    let chosen = some_programs(USUAL, can_be_shared).into_iter().enumerate();
    let trials = chosen.map(|(n, (program, directives))| {
        let count = ["2", "3"][n % 2];
        let with_processes = n % PROCESSES == 0;
        Trial::test(program.name.clone(), move || {
            let one = check(&program, &directives, &["--threads", "1", "--por", "full"])?;
            let has_inputs = program.name.starts_with("inputs/");
            let limit = if has_inputs {
                &MOST_WITH_INPUTS[..]
            } else {
                &[]
            };
            let options = |how| [&[how, count], limit].concat();
            let many = check(&program, &directives, &options("--workers"))?;
            if has_inputs && is_limited(&many) {
                return Ok(());
            }
            agree(&one, &many, "workers")?;
            if with_processes {
                let run = |words: &[String]| impasse_process(words);
                let many = check_by(run, &program, &directives, &options("--processes"))?;
                agree(&one, &many, "processes")?;
            }
            Ok(())
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn is_limited(report: &Value) -> bool {
    report["reason"]
        .as_str()
        .is_some_and(|reason| reason.contains(LIMITED))
}

fn is_hang(report: &Value) -> bool {
    report["error"]["kind"] == "hang"
}

/// Whether no flag of the program asks for what several workers refuse.
fn can_be_shared(directives: &Directives) -> bool {
    let refused = ["--search", "--por", "--hang-algorithm"];
    let is_refused = |flag: &String| refused.iter().any(|word| flag.starts_with(word));
    !directives.words("flags").iter().any(is_refused)
}

/// Fails unless a check with several workers has reported what a check with one thread has.
fn agree(one: &Value, many: &Value, how: &str) -> Result<(), Failed> {
    let reason = many["reason"].as_str().unwrap_or_default();
    if reason.contains(REFUSED) {
        return Ok(());
    }
    let fields: &[&str] = match one["verdict"].as_str() {
        Some("verified") => &[
            "/verdict",
            "/states",
            "/transitions",
            "/depth",
            "/environment",
            "/suppressed",
            "/nonterminating",
        ],
        // Where a program has a hang and another error, either may be found first.
        Some("error") if is_hang(one) || is_hang(many) => &["/verdict"],
        Some("error") => &["/verdict", "/error/kind"],
        _ => &["/verdict", "/reason"],
    };
    let differs = |field: &&&str| one.pointer(field) != many.pointer(field);
    if let Some(field) = fields.iter().find(differs) {
        let (one, many) = (summary(one), summary(many));
        return Err(format!("{field} differs: {one} / with {how} {many}").into());
    }
    let states = |report: &Value| report["states"].as_u64().unwrap_or_default();
    let shares = many["workers"].as_array().into_iter().flatten();
    let shared: u64 = shares.map(states).sum();
    match shared == states(many) {
        true => Ok(()),
        false => Err(format!("the workers own {shared} of {} states", states(many)).into()),
    }
}
