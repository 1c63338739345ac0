//! A real process whose threads ask before they act.

use crate::places::Places;
use crate::protocol::{Answer, Message, SIZE};
use crate::states::{Event, Exit, Process};
use anyhow::{Context, Result};
use impasse_diagnose::order::Place;
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// How a program is started.
#[derive(Clone, Default, Debug)]
pub struct Start {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Variables of its environment, as in `LANG=C`.
    pub environment: Vec<(String, String)>,
    /// What it reads as standard input, if it does not read the user's.
    pub stdin: Option<PathBuf>,
    /// The folder in which it runs; of a program to replay, the one with the files that it begins
    /// with.
    pub folder: Option<PathBuf>,
    /// Whether it runs under gdb, which the user directs.
    pub debugged: bool,
    /// What the runtime learns of the path: variables of the environment. They are set for it.
    pub told: Vec<(&'static str, String)>,
}

/// A process that was started.
pub struct Running<'p> {
    child: Child,
    said: Receiver<(Message, Option<UnixStream>)>,
    threads: BTreeMap<u32, UnixStream>,
    places: &'p mut Places,
    /// The number of the process itself, if another one debugs it.
    inner: Option<u32>,
    debugged: bool,
}

impl<'p> Running<'p> {
    /// Starts a program. `folder` is one for its socket. Fails if it cannot be started.
    pub fn start(start: &Start, folder: &Path, places: &'p mut Places) -> Result<Running<'p>> {
        let socket = folder.join("steering");
        let _ = std::fs::remove_file(&socket);
        let listener = UnixListener::bind(&socket).context("no socket for the process")?;
        let mut command = command(start);
        command.env("IMPASSE_STEERED", &socket);
        command.envs(start.told.iter().map(|(name, value)| (name, value)));
        // SAFETY: between fork and exec, these are system calls, and allocate nothing.
        unsafe {
            command.pre_exec(|| Ok(set_pdeathsig(Signal::SIGKILL)?));
        }
        let child = command.spawn().with_context(|| match start.debugged {
            true => "gdb cannot be started; install the package gdb, or use --native".into(),
            false => format!("{} cannot be started", start.program.display()),
        })?;
        if start.debugged {
            // Ctrl-C stops the program, and not this process.
            // SAFETY: no code runs on the signal.
            let _ = unsafe { signal(Signal::SIGINT, SigHandler::SigIgn) };
        }
        let (say, said) = channel();
        thread::spawn(move || accept(&listener, &say));
        Ok(Running {
            child,
            said,
            threads: BTreeMap::new(),
            places,
            inner: None,
            debugged: start.debugged,
        })
    }

    /// Leaves the process to the user, if it runs under a debugger, until that ends. `stops` says
    /// whether it has to be stopped first.
    pub fn leave_to_debugger(&mut self, stops: bool) {
        if !self.debugged {
            return;
        }
        if let (Some(inner), true) = (self.inner, stops) {
            let _ = kill(Pid::from_raw(inner as i32), Signal::SIGINT);
        }
        let _ = self.child.wait();
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The call that starts a program.
fn command(start: &Start) -> Command {
    let mut command = match start.debugged {
        true => {
            let mut command = Command::new("gdb");
            let options = ["-q", "-ex", "set pagination off", "-ex", "run", "--args"];
            command.args(options).arg(&start.program);
            command.env("IMPASSE_DEBUGGED", "1");
            command
        }
        false => {
            let mut command = Command::new(&start.program);
            command.env_clear();
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command
        }
    };
    command.args(&start.arguments);
    command.envs(start.environment.iter().map(|(a, b)| (a, b)));
    if let Some(folder) = &start.folder {
        command.current_dir(folder);
    }
    match &start.stdin {
        Some(path) => match std::fs::File::open(path) {
            Ok(file) => drop(command.stdin(file)),
            Err(_) => drop(command.stdin(Stdio::null())),
        },
        None if !start.debugged => drop(command.stdin(Stdio::null())),
        None => {}
    }
    command
}

/// Takes the connections of threads, and passes on what they say.
fn accept(listener: &UnixListener, say: &Sender<(Message, Option<UnixStream>)>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            return;
        };
        let say = say.clone();
        thread::spawn(move || listen(stream, &say));
    }
}

/// Passes on what one thread says; with the first message, the connection for answers.
fn listen(mut stream: UnixStream, say: &Sender<(Message, Option<UnixStream>)>) {
    let mut answers = stream.try_clone().ok();
    let mut bytes = [0; SIZE];
    while stream.read_exact(&mut bytes).is_ok() {
        let Ok(message) = Message::read(&bytes) else {
            return;
        };
        if say.send((message, answers.take())).is_err() {
            return;
        }
    }
}

impl Process for Running<'_> {
    fn tell(&mut self, thread: u32, answer: Answer) {
        if let Some(stream) = self.threads.get_mut(&thread) {
            let _ = stream.write_all(&[answer.byte()]);
        }
    }

    fn next(&mut self, wait: Duration) -> Event {
        match self.said.recv_timeout(wait) {
            Ok((message, answers)) => {
                if let Some(answers) = answers {
                    self.threads.insert(message.thread, answers);
                }
                if let (0, crate::protocol::What::Started(kernel)) = (message.thread, &message.what)
                {
                    self.inner = Some(*kernel);
                }
                Event::Said(message)
            }
            Err(RecvTimeoutError::Disconnected) => Event::Quiet,
            Err(RecvTimeoutError::Timeout) => match self.child.try_wait() {
                Ok(Some(status)) => Event::Ended(match (status.code(), status.signal()) {
                    (Some(code), _) => Exit::Code(code),
                    (None, signal) => Exit::Signal(signal.unwrap_or(0)),
                }),
                _ => Event::Quiet,
            },
        }
    }

    fn waits(&self, kernel: u32) -> bool {
        let process = self.inner.unwrap_or(self.child.id());
        let path = format!("/proc/{process}/task/{kernel}/stat");
        let Ok(text) = std::fs::read_to_string(path) else {
            return false;
        };
        let state = text
            .rsplit(')')
            .next()
            .and_then(|it| it.split_whitespace().next());
        matches!(state, Some("S" | "D" | "t" | "T"))
    }

    fn place(&mut self, stack: &[u64]) -> (Option<Place>, bool) {
        let own = self.places.own(stack);
        (own.place, own.direct)
    }
}
