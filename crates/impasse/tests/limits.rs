//! Limits hold whatever the program does: each program below `tests/limits` has no end of its own, or none that anybody would wait for,
//! and must be ended by a limit on time, by a signal, and, if it says `memory: grows`, by a limit on memory.

mod common;

use common::{Directives, Program, programs, root, set_up};
use libtest_mimic::{Arguments, Failed, Trial};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::io::Read;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a run may take after its limit. It takes half a second; more is for machines under load.
const PATIENCE: Duration = Duration::from_secs(20);
/// When a run is interrupted.
const SOON: Duration = Duration::from_secs(2);
/// The limit on memory, in bytes.
const MEMORY: u64 = 160 << 20;

/// What ends a run.
#[derive(Clone, Copy, Debug)]
enum End {
    Time,
    Memory,
    Signal(Signal),
}

const ENDS: [End; 4] = [
    End::Time,
    End::Memory,
    End::Signal(Signal::SIGINT),
    End::Signal(Signal::SIGTERM),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        set_up();
    }
    let found = programs(&root().join("tests/limits")).into_iter();
    let trials = found.map(|program| {
        Trial::test(program.name.clone(), move || {
            ENDS.into_iter().try_for_each(|end| ends(&program, end))
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn ends(program: &Program, end: End) -> Result<(), Failed> {
    let directives = Directives::read(&program.files[0]);
    if matches!(end, End::Memory) && directives.get("memory").is_none() {
        return Ok(());
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_impasse"));
    command.env("IMPASSE_HOME", root()).stdout(Stdio::piped());
    command.args(["check", "--format", "json"]);
    command.args(&program.files).args(directives.words("flags"));
    match end {
        End::Time => command.args(["--max-time", "1"]),
        End::Memory => command.args(["--max-memory", &MEMORY.to_string()]),
        End::Signal(_) => &mut command,
    };
    let mut child = command.spawn()?;
    if let End::Signal(signal) = end {
        sleep(SOON);
        kill(Pid::from_raw(child.id() as i32), signal)?;
    }
    let report = wait(&mut child).map_err(|error| format!("{end:?}: {error}"))?;
    let wanted = match end {
        End::Time => "--max-time",
        End::Memory => "--max-memory",
        End::Signal(_) => "interrupted",
    };
    let reason = report["reason"].as_str().unwrap_or_default();
    if report["verdict"] != "inconclusive" || !reason.contains(wanted) {
        return Err(format!("{end:?}: {report}").into());
    }
    let peak = report["peak_memory_bytes"].as_u64();
    match end {
        End::Memory if peak.is_none_or(|peak| peak > MEMORY + MEMORY / 10) => {
            Err(format!("{end:?}: {peak:?} bytes at the peak").into())
        }
        _ => Ok(()),
    }
}

/// Waits for a run that was told to end, and reads its report.
fn wait(child: &mut Child) -> Result<Value, String> {
    let deadline = Instant::now() + PATIENCE + SOON;
    while child.try_wait().map_err(|e| e.to_string())?.is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            return Err("goes on all the same".into());
        }
        sleep(Duration::from_millis(20));
    }
    let mut text = String::new();
    let output = child.stdout.as_mut().expect("it is piped");
    output
        .read_to_string(&mut text)
        .map_err(|e| e.to_string())?;
    serde_json::from_str(&text).map_err(|e| format!("{e} in {text:?}"))
}
