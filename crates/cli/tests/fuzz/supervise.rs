//! Starts processes that try files, and notices how they end.

use super::common::impasse_process;
use libtest_mimic::Failed;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// So long may one file take. Its own limits are much lower; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// Tries so many files of a kind; the error lists those that did harm.
pub fn run(name: &str, folder: &Path, files: Range<u64>) -> Result<(), Failed> {
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    let mut harm = Vec::new();
    let mut next = files.start;
    while next < files.end {
        let worker = Worker::start(name, next..files.end);
        let mut phase = String::from("start");
        let how = loop {
            match worker.lines.recv_timeout(PATIENCE) {
                Ok(line) => match line.split_once(' ') {
                    Some(("phase", name)) => phase = name.to_owned(),
                    Some(("done", outcome)) => {
                        if let Some(what) = outcome.strip_prefix("harm: ") {
                            harm.push((next, what.to_owned()));
                        }
                        let outcome = outcome.split(':').next().unwrap_or_default();
                        *tally.entry(outcome.to_owned()).or_default() += 1;
                        next += 1;
                    }
                    _ => {}
                },
                Err(RecvTimeoutError::Timeout) => break "hangs",
                Err(RecvTimeoutError::Disconnected) => break "dies",
            }
        };
        let status = worker.end();
        if next >= files.end {
            break;
        }
        if phase == "start" {
            return Err(format!("a worker {how} before its first file ({status})").into());
        }
        let survived = match phase == "read" && how == "dies" {
            true => isolated(folder, next),
            false => Err(format!("{how} in phase {phase} ({status})")),
        };
        match survived {
            Ok(()) => *tally.entry("the reader dies".into()).or_default() += 1,
            Err(what) => harm.push((next, what)),
        }
        next += 1;
    }
    println!("{name}: {} files: {tally:?}", files.end - files.start);
    if harm.is_empty() {
        return Ok(());
    }
    let list = harm
        .iter()
        .map(|(number, what)| format!("  {number}: {what}\n"));
    let list: String = list.collect();
    Err(format!(
        "{} files did harm; they are in {}\n{list}",
        harm.len(),
        folder.display()
    )
    .into())
}

/// The tool rejects a file whose reader dies, in one line.
fn isolated(folder: &Path, number: u64) -> Result<(), String> {
    let path = |end: &str| folder.join(format!("{number}.{end}"));
    let path = ["bc", "ll"].map(path).into_iter().find(|p| p.exists());
    let path = path.ok_or("the file is gone")?;
    let output = impasse_process(["check".as_ref(), path.as_os_str()]);
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(2) || errors.lines().count() != 1 {
        return Err(format!("{}: {}", output.status, errors.replace('\n', "; ")));
    }
    std::fs::remove_file(path).map_err(|error| error.to_string())
}

struct Worker {
    child: Child,
    lines: Receiver<String>,
}

impl Worker {
    fn start(name: &str, files: Range<u64>) -> Worker {
        let myself = std::env::current_exe().expect("this program");
        let mut command = Command::new(myself);
        command
            .args(["work", name])
            .args([files.start.to_string(), files.end.to_string()]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("a worker starts");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().expect("piped"));
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Worker { child, lines }
    }

    /// Ends the process, if it has not ended; how it did.
    fn end(mut self) -> String {
        if matches!(
            self.lines.try_recv(),
            Err(std::sync::mpsc::TryRecvError::Empty)
        ) {
            let _ = self.child.kill();
        }
        self.child
            .wait()
            .map_or_else(|e| e.to_string(), |status| status.to_string())
    }
}
