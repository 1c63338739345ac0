//! A check with several processes ends soon when one of them fails, is stopped or reaches a limit,
//! and says which.

mod common;

use common::{root, set_up};
use libtest_mimic::{Arguments, Failed, Trial};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::process::{Child, Command, ExitCode, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::{NamedTempFile, TempDir};

/// How long a check may take to end after it was disturbed.
const PATIENCE: Duration = Duration::from_secs(10);
/// When it is disturbed.
const SOON: Duration = Duration::from_secs(3);
/// The exit code of a check without an answer.
const INCONCLUSIVE: i32 = 3;
/// A program with more states than a test can search.
const ENDLESS: &str = "tests/limits/counters.c";
const VERIFIED: &str = "examples/philosophers.c";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        set_up();
    }
    let trials = vec![
        Trial::test("hosts", hosts_are_processes),
        Trial::test("killed", || {
            ends_soon(Signal::SIGKILL, "has closed its connection")
        }),
        Trial::test("stopped", || ends_soon(Signal::SIGSTOP, "does not answer")),
        Trial::test("interrupted", || ends_soon(Signal::SIGINT, "interrupted")),
        Trial::test("limits", limits_hold),
        Trial::test("resumed", checks_resume),
        Trial::test("refusals", refusals_say_why),
    ];
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impasse"));
    command.args(words).env("IMPASSE_HOME", root());
    command.current_dir(root());
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn report(output: &Output) -> Result<Value, Failed> {
    let errors = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_slice(&output.stdout);
    Ok(report.map_err(|_| format!("no report, {}: {errors}", output.status))?)
}

fn fails_unless(holds: bool, what: impl FnOnce() -> String) -> Result<(), Failed> {
    match holds {
        true => Ok(()),
        false => Err(what().into()),
    }
}

/// The processes that a process has started, in the order of their numbers.
fn children(parent: u32) -> Vec<i32> {
    let path = format!("/proc/{parent}/task/{parent}/children");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace()
        .filter_map(|pid| pid.parse().ok())
        .collect()
}

/// Sends a signal to the first of two other processes in the middle of a check.
fn ends_soon(signal: Signal, reason: &str) -> Result<(), Failed> {
    let words = ["check", ENDLESS, "--format", "json", "--processes", "3"];
    let check = command(&words).spawn()?;
    let others = wait_for_children(&check)?;
    sleep(SOON);
    kill(Pid::from_raw(others[0]), signal)?;
    let signalled = Instant::now();
    let output = check.wait_with_output()?;
    let took = signalled.elapsed();
    let report = report(&output)?;
    let said = report["reason"].as_str().unwrap_or_default();
    fails_unless(output.status.code() == Some(INCONCLUSIVE), || {
        format!("{}", output.status)
    })?;
    fails_unless(took < PATIENCE, || format!("{took:?} after {signal}"))?;
    fails_unless(said.contains(reason), || format!("the reason is {said:?}"))?;
    let is_named = signal == Signal::SIGINT || said.contains("process 1 (127.0.0.1:");
    fails_unless(is_named, || format!("the reason is {said:?}"))?;
    fails_unless(report["states"].as_u64() > Some(0), || "no states".into())?;
    for other in others {
        fails_unless(is_gone(other), || format!("process {other} is left"))?;
    }
    Ok(())
}

fn wait_for_children(check: &Child) -> Result<Vec<i32>, Failed> {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(60) {
        let others = children(check.id());
        if others.len() == 2 {
            return Ok(others);
        }
        sleep(Duration::from_millis(50));
    }
    Err("no processes are started".into())
}

/// Whether a process ends soon, if it has not ended.
fn is_gone(process: i32) -> bool {
    let exists = || kill(Pid::from_raw(process), None).is_ok();
    (0..50).any(|_| {
        if exists() {
            sleep(Duration::from_millis(100));
        }
        !exists()
    })
}

/// Each limit ends all processes, with the figures so far.
fn limits_hold() -> Result<(), Failed> {
    for limit in ["--max-states=20000", "--max-time=5", "--max-memory=150M"] {
        let words = [
            "check",
            ENDLESS,
            "--format",
            "json",
            "--processes",
            "2",
            limit,
        ];
        let output = command(&words).output()?;
        let report = report(&output)?;
        let said = report["reason"].as_str().unwrap_or_default();
        let option = limit.split('=').next().unwrap_or_default();
        fails_unless(output.status.code() == Some(INCONCLUSIVE), || {
            format!("{}", output.status)
        })?;
        fails_unless(said.contains(option), || {
            format!("{limit}: the reason is {said:?}")
        })?;
        fails_unless(report["states"].as_u64() > Some(0), || {
            format!("{limit}: no states")
        })?;
    }
    Ok(())
}

/// Processes that are started one by one find the same as one process. Only the first one has the
/// program.
fn hosts_are_processes() -> Result<(), Failed> {
    let mut hosts = NamedTempFile::new()?;
    let listeners = [
        TcpListener::bind("127.0.0.1:0")?,
        TcpListener::bind("127.0.0.1:0")?,
    ];
    for listener in &listeners {
        writeln!(hosts, "{}", listener.local_addr()?)?;
    }
    drop(listeners);
    let hosts = hosts.path().to_string_lossy();
    let one = ["check", VERIFIED, "--format", "json", "--por", "full"];
    let one = report(&command(&one).output()?)?;
    let all = ["--hosts", &hosts, "--workers", "2", "--process"];
    let other = command(&[&["check"][..], &all, &["1"]].concat()).spawn()?;
    let words = [&["check", VERIFIED, "--format", "json"][..], &all, &["0"]].concat();
    let many = report(&command(&words).output()?)?;
    for field in ["verdict", "states", "transitions", "depth"] {
        let (one, many) = (&one[field], &many[field]);
        fails_unless(one == many, || format!("{field}: {one} and {many}"))?;
    }
    let workers = many["workers"].as_array().map_or(0, Vec::len);
    fails_unless(workers == 4, || format!("{workers} workers"))?;
    let other = other.wait_with_output()?;
    let errors = String::from_utf8_lossy(&other.stderr);
    fails_unless(other.status.success(), || {
        format!("{}: {errors}", other.status)
    })
}

/// A check that a limit has stopped resumes from its last checkpoint, with any number of workers
/// in any number of processes, and finds what one without a pause finds: in its first search, or in
/// a later one. So does a check that resumes what such a check has saved to the same folder.
fn checks_resume() -> Result<(), Failed> {
    let programs: [(&[&str], &str); 3] = [
        (&["benches/programs/queue.cpp", "-DITEMS=2"], "1000"),
        (
            &["tests/programs/mutex/timed.cpp", "--hangs", "global"],
            "200",
        ),
        (&["tests/programs/time/waits-in-two-threads.cpp"], "600"),
    ];
    for (program, states) in programs {
        let folder = TempDir::new()?;
        let folder = folder.path().to_string_lossy();
        let check = |options: &[&str]| {
            let words = [&["check", "--format", "json"][..], program, options].concat();
            report(&command(&words).output()?)
        };
        let one = check(&["--workers", "1"])?;
        let saved = ["--checkpoint", &folder, "--checkpoint-interval", "0"];
        let stopped = check(&[&saved[..], &["--workers", "4", "--max-states", states]].concat())?;
        fails_unless(stopped["verdict"] == "inconclusive", || {
            format!("{program:?} is too small")
        })?;
        let ways: [&[&str]; 7] = [
            &[],
            &["--processes", "2"],
            &["--processes", "4"],
            &["--workers", "1"],
            &["--workers", "3"],
            &["--workers", "6"],
            &["--processes", "3", "--workers", "1"],
        ];
        for way in ways {
            let resumed = check(&[&["--resume", &folder][..], way].concat())?;
            for field in ["verdict", "states", "transitions", "depth"] {
                let (one, resumed) = (&one[field], &resumed[field]);
                let differs = || format!("{program:?} {way:?}, {field}: {one} and {resumed}");
                fails_unless(one == resumed, differs)?;
            }
        }
        let again = TempDir::new()?;
        for file in fs::read_dir(&*folder)? {
            let file = file?;
            fs::copy(file.path(), again.path().join(file.file_name()))?;
        }
        let again = again.path().to_string_lossy();
        let saved = ["--checkpoint", &again, "--checkpoint-interval", "0"];
        let more = (3 * states.parse::<u64>()? / 2).to_string();
        let further = ["--resume", &again, "--workers", "3", "--max-states", &more];
        check(&[&saved[..], &further].concat())?;
        let names = fs::read_dir(&*again)?
            .flatten()
            .map(|file| file.file_name());
        let names: Vec<_> = names.collect();
        let is_replaced = names
            .iter()
            .all(|name| name.to_string_lossy().ends_with("-of-3"));
        fails_unless(is_replaced, || format!("{program:?}: {names:?}"))?;
        let resumed = check(&["--resume", &again, "--workers", "2"])?;
        for field in ["verdict", "states", "transitions", "depth"] {
            let (one, resumed) = (&one[field], &resumed[field]);
            let differs = || format!("{program:?} once more, {field}: {one} and {resumed}");
            fails_unless(one == resumed, differs)?;
        }
        let other = check(&["--resume", &folder, "--nondet", "1..2"])?;
        let reason = other["reason"].as_str().unwrap_or_default();
        fails_unless(reason.contains("other options"), || {
            format!("the reason is {reason:?}")
        })?;
        damage(&folder)?;
        for way in ways {
            let damaged = check(&[&["--resume", &folder][..], way].concat())?;
            let reason = damaged["reason"].as_str().unwrap_or_default();
            fails_unless(reason.contains("damaged"), || {
                format!("{way:?}: the reason is {reason:?}")
            })?;
        }
    }
    Ok(())
}

/// Changes one byte of what one worker has saved.
fn damage(folder: &str) -> Result<(), Failed> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.to_string_lossy().contains("worker-1-of-") {
            let mut bytes = fs::read(&path)?;
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs::write(&path, bytes)?;
        }
    }
    Ok(())
}

/// Options that make no sense together are refused.
fn refusals_say_why() -> Result<(), Failed> {
    let mut hosts = NamedTempFile::new()?;
    writeln!(hosts, "here:2101\nthere:2101")?;
    let hosts = hosts.path().to_string_lossy();
    let refused: [(&[&str], &str); 5] = [
        (&["--processes", "2", "--threads", "2"], "--threads"),
        (
            &["--processes", "2", "--por", "persistent"],
            "--por persistent",
        ),
        (&["--processes", "2", "--search", "depth"], "--search depth"),
        (&["--hosts", &hosts, "--process", "2"], "names 2 processes"),
        (&["--hosts", &hosts], "--process"),
    ];
    for (options, why) in refused {
        let output = command(&[&["check", VERIFIED][..], options].concat()).output()?;
        let errors = String::from_utf8_lossy(&output.stderr);
        fails_unless(output.status.code() == Some(2), || {
            format!("{options:?}: {}", output.status)
        })?;
        fails_unless(errors.contains(why), || format!("{options:?}: {errors}"))?;
    }
    Ok(())
}
