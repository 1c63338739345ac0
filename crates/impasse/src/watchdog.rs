//! Work under limits that hold whatever it is doing.
//!
//! The work runs on a thread of its own and is not asked to stop: when a limit is reached, the
//! caller says so, and the work ends with the process.

use anyhow::{Context, Result};
use impasse_explore::{Limits, StopReason, default_memory};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often the limits are looked at.
const INTERVAL: Duration = Duration::from_millis(20);
/// The stack of the work, in bytes.
const STACK: usize = 64 << 20;

/// The outcome of `work`, or the limit that was reached before it came to its end; then the caller
/// must end the process soon. Ctrl-C and SIGTERM count as limits. Limits on states are ignored.
pub fn within<T: Send + 'static>(
    limits: &Limits,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<std::result::Result<T, StopReason>> {
    let started = Instant::now();
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)).context("catching Ctrl-C")?;
    let most = limits.memory.or_else(default_memory);
    let (done, outcome) = channel();
    let body = move || drop(done.send(work()));
    let worker = thread::Builder::new().stack_size(STACK).spawn(body)?;
    loop {
        if interrupted.load(Ordering::Relaxed) {
            return Ok(Err(StopReason::Interrupted));
        }
        if limits.time.is_some_and(|limit| started.elapsed() >= limit) {
            return Ok(Err(StopReason::Time));
        }
        if most.zip(resident()).is_some_and(|(most, held)| held > most) {
            return Ok(Err(StopReason::Memory));
        }
        match outcome.recv_timeout(INTERVAL) {
            Ok(outcome) => return Ok(Ok(outcome)),
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => unreachable!("work that ends sends its outcome"),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// The memory that this process holds, in bytes, where the system tells.
fn resident() -> Option<u64> {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}
