//! Limits hold whatever the program does: each program below `tests/limits` has no end of its own,
//! or one that is too far away, and must be ended by a limit on time, by a signal, and, if
//! it says `memory: grows`, by a limit on memory. Its line `command:` names the subcommand if that
//! is not `check`. A search of a program below `tests/ahead` has no end either, but one that comes
//! after it has the answer.

mod common;

use common::{Directives, Program, check, impasse_process, programs, root, set_up, summary};
use libtest_mimic::{Arguments, Failed, Trial};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::{Read, Seek};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// How long a run may take after its limit. It takes half a second; more is for machines under
/// load.
const PATIENCE: Duration = Duration::from_secs(20);
/// When a run is interrupted.
const SOON: Duration = Duration::from_secs(2);
/// The exit code of a run that was stopped.
const INCONCLUSIVE: i32 = 3;
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
    let endless = found.map(|program| {
        Trial::test(program.name.clone(), move || {
            ENDS.into_iter().try_for_each(|end| ends(&program, end))
        })
    });
    let found = programs(&root().join("tests/ahead")).into_iter();
    let ahead =
        found.map(|program| Trial::test(program.name.clone(), move || looks_ahead(&program)));
    libtest_mimic::run(&arguments, endless.chain(ahead).collect()).exit_code()
}

fn looks_ahead(program: &Program) -> Result<(), Failed> {
    let directives = Directives::read(&program.files[0]);
    let report = check(program, &directives, &["--max-time", "60"])?;
    let error = &report["error"];
    let found = format!("error kind={} line={}", error["kind"], error["line"]);
    match directives.get("expect") == Some(found.replace('"', "").as_str()) {
        true => Ok(()),
        false => Err(summary(&report).into()),
    }
}

fn ends(program: &Program, end: End) -> Result<(), Failed> {
    let directives = Directives::read(&program.files[0]);
    if matches!(end, End::Memory) && directives.get("memory").is_none() {
        return Ok(());
    }
    let command = directives.get("command").unwrap_or("check");
    match command {
        "certify" => {
            let certificate = certificate(program)?;
            stopped(&["certify".as_ref(), certificate.path().as_os_str()], end)
        }
        _ => {
            let mut arguments = vec![OsStr::new(command), "--format".as_ref(), "json".as_ref()];
            arguments.extend(program.files.iter().map(|file| file.as_os_str()));
            let flags = directives.words("flags");
            arguments.extend(flags.iter().map(OsStr::new));
            stopped(&arguments, end)
        }
    }
}

/// A certificate of another program, which speaks of this one instead.
fn certificate(program: &Program) -> Result<NamedTempFile, Failed> {
    let mut file = NamedTempFile::new()?;
    let other = root().join("tests/loops/undefined/even-stays-even-unsigned.c");
    let flags = ["loops", "--certificate"].map(OsStr::new);
    impasse_process([
        flags[0],
        flags[1],
        file.path().as_os_str(),
        other.as_os_str(),
    ]);
    let mut evidence: Value = serde_json::from_reader(&file)?;
    evidence["files"] = json!(program.files);
    file.rewind()?;
    serde_json::to_writer(&mut file, &evidence)?;
    let written = file.stream_position()?;
    file.as_file().set_len(written)?;
    Ok(file)
}

/// Runs the tool, which must be stopped, and say so.
fn stopped(arguments: &[&OsStr], end: End) -> Result<(), Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impasse"));
    command.env("IMPASSE_HOME", root()).stdout(Stdio::piped());
    command.args(arguments);
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
    let (code, text) = wait(&mut child).map_err(|error| format!("{end:?}: {error}"))?;
    let wanted = match end {
        End::Time => "--max-time",
        End::Memory => "--max-memory",
        End::Signal(_) => "interrupted",
    };
    if code != Some(INCONCLUSIVE) || !text.contains(wanted) {
        return Err(format!("{end:?}: {code:?}, {text}").into());
    }
    let report: Value = serde_json::from_str(&text).unwrap_or_default();
    let peak = report["peak_memory_bytes"].as_u64();
    match end {
        End::Memory if peak.is_some_and(|peak| peak > MEMORY + MEMORY / 10) => {
            Err(format!("{end:?}: {peak:?} bytes at the peak").into())
        }
        _ => Ok(()),
    }
}

/// Waits for a run that must be stopped; its exit code, and what it printed.
fn wait(child: &mut Child) -> Result<(Option<i32>, String), String> {
    let deadline = Instant::now() + PATIENCE + SOON;
    let status = loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) => break status,
            None if Instant::now() > deadline => {
                let _ = child.kill();
                return Err("continues after the limit".into());
            }
            None => sleep(Duration::from_millis(20)),
        }
    };
    let mut text = String::new();
    let output = child.stdout.as_mut().expect("it is piped");
    output
        .read_to_string(&mut text)
        .map_err(|e| e.to_string())?;
    Ok((status.code(), text))
}
