//! The progress line of long searches.

use crate::console::{Console, Stream};
use impasse_report::rendering::{bytes, grouped};
use impasse_search::LiveStatistics;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often the line is redrawn.
const INTERVAL: Duration = Duration::from_millis(200);

/// Runs `work` and returns its result. Meanwhile a line on standard error, if that is a terminal,
/// shows how far it is.
pub fn shown<T>(console: &Console, live: &LiveStatistics, work: impl FnOnce() -> T) -> T {
    if !console.is_terminal(Stream::Err) {
        return work();
    }
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let line = scope.spawn(|| draw(live, &over));
        let result = work();
        over.store(true, Ordering::Relaxed);
        line.thread().unpark();
        result
    })
}

fn draw(live: &LiveStatistics, over: &AtomicBool) {
    let started = Instant::now();
    let style = ProgressStyle::with_template("{spinner} {msg}").expect("a valid template");
    let bar = ProgressBar::new_spinner().with_style(style);
    while !over.load(Ordering::Relaxed) {
        thread::park_timeout(INTERVAL);
        let seconds = started.elapsed().as_secs_f64();
        let states = live.states();
        bar.set_message(format!(
            "{} states  {} states/s  depth {}  queue {}  {}  {seconds:.0} s",
            grouped(states),
            grouped((states as f64 / seconds.max(0.001)) as u64),
            grouped(live.depth()),
            grouped(live.waiting()),
            bytes(live.bytes()),
        ));
        bar.tick();
    }
    bar.finish_and_clear();
}
