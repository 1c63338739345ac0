//! The progress line of long searches.

use impasse_report::human::{bytes, grouped};
use impasse_search::Meter;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often the line is drawn anew.
const INTERVAL: Duration = Duration::from_millis(200);

/// Runs `work` while a line on standard error, if that is a terminal, shows how far it is.
pub fn shown<T>(meter: &Meter, work: impl FnOnce() -> T) -> T {
    if !stderr().is_terminal() {
        return work();
    }
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let line = scope.spawn(|| draw(meter, &over));
        let result = work();
        over.store(true, Ordering::Relaxed);
        line.thread().unpark();
        result
    })
}

fn draw(meter: &Meter, over: &AtomicBool) {
    let started = Instant::now();
    let style = ProgressStyle::with_template("{spinner} {msg}").expect("a valid template");
    let bar = ProgressBar::new_spinner().with_style(style);
    while !over.load(Ordering::Relaxed) {
        thread::park_timeout(INTERVAL);
        let seconds = started.elapsed().as_secs_f64();
        let states = meter.states();
        bar.set_message(format!(
            "{} states  {} states/s  depth {}  queue {}  {}  {seconds:.0} s",
            grouped(states),
            grouped((states as f64 / seconds.max(0.001)) as u64),
            grouped(meter.depth()),
            grouped(meter.waiting()),
            bytes(meter.bytes()),
        ));
        bar.tick();
    }
    bar.finish_and_clear();
}
