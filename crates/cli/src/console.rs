//! What surrounds a command: where it prints, since when it runs, what interrupts it.

use anyhow::{Context, Result};
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What a command prints to, and its start. Clones print to the same place.
#[derive(Clone)]
pub struct Console {
    started: Instant,
    target: Target,
}

#[derive(Clone)]
enum Target {
    /// The streams of this process.
    Process,
    /// Memory.
    Memory {
        printed: Arc<Mutex<Printed>>,
        /// The binary, for work that needs a process of its own.
        executable: PathBuf,
    },
}

/// What a command printed.
#[derive(Default, Debug)]
pub struct Printed {
    /// To standard output.
    pub out: Vec<u8>,
    /// To standard error.
    pub err: Vec<u8>,
}

/// One of the two streams that a command prints to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

impl Console {
    /// Returns the streams of this process. Time counts from this call.
    pub fn of_process() -> Console {
        Console {
            started: Instant::now(),
            target: Target::Process,
        }
    }

    /// Returns a console that keeps what is printed. Work that needs a process of its own runs
    /// `executable`, the binary of Impasse. Time counts from this call.
    pub fn in_memory(executable: PathBuf) -> Console {
        let printed = Arc::default();
        Console {
            started: Instant::now(),
            target: Target::Memory {
                printed,
                executable,
            },
        }
    }

    /// Returns what has been printed since the last call, if this console keeps it; otherwise
    /// nothing.
    pub fn take_printed(&self) -> Printed {
        match &self.target {
            Target::Process => Printed::default(),
            Target::Memory { printed, .. } => std::mem::take(&mut *lock(printed)),
        }
    }

    /// Prints text to standard output, without colours if that is no terminal. Ignores that the
    /// reader has closed the stream.
    pub fn print(&self, text: &str) {
        match &self.target {
            Target::Process => drop(anstream::stdout().write_all(text.as_bytes())),
            Target::Memory { .. } => self.write_plain(Stream::Out, text),
        }
    }

    /// Prints a message to standard error, without colours if that is no terminal. Ignores that the
    /// reader has closed the stream.
    pub fn print_error(&self, text: &str) {
        match &self.target {
            Target::Process => drop(anstream::stderr().write_all(text.as_bytes())),
            Target::Memory { .. } => self.write_plain(Stream::Err, text),
        }
    }

    fn write_plain(&self, stream: Stream, text: &str) {
        let plain = anstream::adapter::strip_str(text).to_string();
        self.write(stream, plain.as_bytes());
    }

    /// Writes bytes as they are, at once. Ignores that the reader has closed the stream.
    pub fn write(&self, stream: Stream, bytes: &[u8]) {
        match (&self.target, stream) {
            (Target::Process, Stream::Out) => {
                drop(stdout().write_all(bytes).and_then(|()| stdout().flush()));
            }
            (Target::Process, Stream::Err) => drop(stderr().write_all(bytes)),
            (Target::Memory { printed, .. }, Stream::Out) => lock(printed).out.extend(bytes),
            (Target::Memory { printed, .. }, Stream::Err) => lock(printed).err.extend(bytes),
        }
    }

    /// Returns whether a stream is a terminal.
    pub fn is_terminal(&self, stream: Stream) -> bool {
        match (&self.target, stream) {
            (Target::Process, Stream::Out) => stdout().is_terminal(),
            (Target::Process, Stream::Err) => stderr().is_terminal(),
            (Target::Memory { .. }, _) => false,
        }
    }

    /// Returns the moment from which the command's time counts.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Returns the time since [`Console::started`].
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns a flag that becomes true when the user interrupts the command. Fails if signals
    /// cannot be caught; a second call in one process does.
    pub fn interrupts(&self) -> Result<Arc<AtomicBool>> {
        let flag = Arc::new(AtomicBool::new(false));
        if let Target::Process = self.target {
            let flag = Arc::clone(&flag);
            ctrlc::set_handler(move || flag.store(true, Relaxed)).context("catching Ctrl-C")?;
        }
        Ok(flag)
    }

    /// Returns the path of the binary of Impasse. Fails if the system does not report it.
    pub fn executable(&self) -> Result<PathBuf> {
        match &self.target {
            Target::Process => Ok(std::env::current_exe()?),
            Target::Memory { executable, .. } => Ok(executable.clone()),
        }
    }

    /// Ends this process with an exit code, whatever its other threads do. What a console keeps
    /// goes to the streams of this process first.
    pub fn exit(&self, code: u8) -> ! {
        let printed = self.take_printed();
        Console::of_process().write(Stream::Out, &printed.out);
        Console::of_process().write(Stream::Err, &printed.err);
        process::exit(i32::from(code))
    }
}

fn lock(printed: &Mutex<Printed>) -> std::sync::MutexGuard<'_, Printed> {
    printed
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
