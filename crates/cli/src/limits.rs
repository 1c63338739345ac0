//! Limits on a run: the options, and what holds them whatever the run does.

use crate::console::Console;
use anyhow::Result;
use clap::Args;
use impasse_limits::{Budget, Cancel, StopReason, Watchdog};
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Limits of a run.
#[derive(Args, Clone, Copy)]
pub struct Limits {
    /// Stop when so much memory is used, as in 4G or 500M. By default 85 % of what is free.
    #[arg(long, value_name = "BYTES", value_parser = amount)]
    max_memory: Option<u64>,
    /// Stop after so many seconds, compilation included.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
}

impl Limits {
    /// Returns the limit on memory, if one was given.
    pub fn memory(&self) -> Option<u64> {
        self.max_memory
    }

    /// Returns the limit on time, if there is one.
    pub fn time(&self) -> Option<Duration> {
        self.max_time
    }

    /// Returns these limits with a tenth more time, for work that checks the clock itself and may
    /// be late by that much.
    pub fn a_tenth_later(self) -> Limits {
        Limits {
            max_time: self.max_time.map(a_tenth_later),
            ..self
        }
    }
}

/// Returns a tenth more time, at most the largest that there is.
pub fn a_tenth_later(time: Duration) -> Duration {
    time.saturating_add(time / 10)
}

/// Reads a number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text
        .trim_end_matches('s')
        .parse()
        .map_err(|_| "a number of seconds")?;
    Duration::try_from_secs_f64(number).map_err(|e| e.to_string())
}

fn amount(text: &str) -> Result<u64, String> {
    let error = || "a number of bytes, as in 500M or 4G".to_owned();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let factor = match text[digits.len()..]
        .to_ascii_uppercase()
        .trim_end_matches("IB")
        .trim_end_matches('B')
    {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(error()),
    };
    let number: u64 = digits.parse().map_err(|_| error())?;
    number.checked_mul(factor).ok_or_else(error)
}

/// Keeps a run within its limits: asks it to stop when one is reached, or when the user interrupts
/// it, and ends the process itself if the run does not stop soon after.
pub struct Guard {
    watchdog: Watchdog,
    cancel: Arc<Cancel>,
    printed: Printed,
    console: Console,
}

impl Guard {
    /// Guards the run from now on. `last_words` prints a result in its place and gives the exit
    /// code. Fails if signals cannot be caught.
    pub fn new(
        console: &Console,
        limits: &Limits,
        last_words: impl FnOnce(StopReason) -> u8 + Send + 'static,
    ) -> Result<Guard> {
        let budget = Budget {
            memory: limits.max_memory,
            time: limits.max_time,
        };
        let interrupt = console.interrupts()?;
        let cancel = Arc::new(Cancel::new());
        let printed = Printed::default();
        let overrun = ending(console, &printed, last_words);
        let started = console.started();
        Ok(Guard {
            watchdog: Watchdog::start(started, budget, interrupt, Arc::clone(&cancel), overrun),
            cancel,
            printed,
            console: console.clone(),
        })
    }

    /// Bounds the run by this time from its start, unless the user has given a limit.
    pub fn bound_time(&self, limit: Duration) {
        self.watchdog.bound_time(limit);
    }

    /// Returns the limit on memory, in bytes.
    pub fn memory(&self) -> u64 {
        self.watchdog.memory()
    }

    /// Calls `relief` when memory gets short, which must give up memory mapped from files.
    pub fn relieve_by(&self, relief: impl Fn() + Send + Sync + 'static) {
        self.watchdog.relieve_by(Box::new(relief));
    }

    /// Returns what gives up memory if it is short, for threads that use much of it.
    pub fn pace(&self) -> Box<dyn Fn() + Send + Sync> {
        self.watchdog.pace()
    }

    /// Returns the console on which the run prints.
    pub fn console(&self) -> &Console {
        &self.console
    }

    /// Returns the request to stop, which the run must poll.
    pub fn cancel(&self) -> &Arc<Cancel> {
        &self.cancel
    }

    /// Says that the run has found something that must not be lost: it is not cancelled any more.
    /// If it does not finish in time, the watchdog calls these last words.
    pub fn conclude(&self, last_words: impl FnOnce(StopReason) -> u8 + Send + 'static) {
        self.watchdog
            .conclude(ending(&self.console, &self.printed, last_words));
    }

    /// Prints the result of the run, unless the watchdog has printed one. Returns the exit code of
    /// the one that is printed.
    pub fn publish(self, print: impl FnOnce() -> u8) -> u8 {
        self.printed.once(print)
    }
}

/// The exit code of the result once it is printed, by the run or by the watchdog.
#[derive(Clone, Default)]
struct Printed(Arc<Mutex<Option<u8>>>);

impl Printed {
    /// Prints a result unless one is printed. Returns the exit code of the one that is.
    fn once(&self, print: impl FnOnce() -> u8) -> u8 {
        let mut code = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *code.get_or_insert_with(print)
    }
}

/// Prints the last words and ends the process.
fn ending(
    console: &Console,
    printed: &Printed,
    last_words: impl FnOnce(StopReason) -> u8 + Send + 'static,
) -> Box<dyn FnOnce(StopReason) + Send> {
    let (console, printed) = (console.clone(), printed.clone());
    Box::new(move |reason| console.exit(printed.once(|| last_words(reason))))
}

/// The stack of work that knows no limits, in bytes.
const STACK: usize = 64 << 20;
/// How often its caller checks whether it is to stop.
const INTERVAL: Duration = Duration::from_millis(10);

/// Runs work that does not poll limits itself, and returns its outcome. If a limit is reached
/// first, `stopped` prints a result in its place, and its exit code is returned; then the caller
/// must end the process soon. Fails if signals cannot be caught or no thread can be started. Panics
/// if the work does.
pub fn within<T: Send + 'static>(
    console: &Console,
    limits: &Limits,
    stopped: impl Fn(StopReason) -> u8 + Clone + Send + 'static,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<std::result::Result<T, u8>> {
    let guard = Guard::new(console, limits, stopped.clone())?;
    let (done, outcome) = channel();
    let body = move || drop(done.send(work()));
    let worker = thread::Builder::new().stack_size(STACK).spawn(body)?;
    loop {
        if let Some(reason) = guard.cancel().reason() {
            return Ok(Err(guard.publish(|| stopped(reason))));
        }
        match outcome.recv_timeout(INTERVAL) {
            Ok(outcome) => return Ok(Ok(outcome)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => unreachable!("work that ends sends its outcome"),
            },
        }
    }
}

/// The exit code of a run that a limit has stopped.
pub const INCONCLUSIVE: u8 = 3;
