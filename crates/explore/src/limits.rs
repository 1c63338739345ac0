//! How far a search may go, and the watch over it.

use crate::outcome::StopReason;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Bounds on a search; whichever is hit first stops it. None means no bound, but for
/// memory, which is always bounded by what the machine has left.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Distinct states. The search stops soon after it has found more.
    pub states: Option<u64>,
    /// Memory in bytes, of states, bookkeeping and the system together.
    pub memory: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
}

/// The most states that can be numbered, with room for those found before a search notices.
const NUMBERABLE: u64 = 4_000_000_000;
/// The share of the available memory that a search takes when it was given no limit.
const DEFAULT_SHARE: f64 = 0.85;
/// The share of the available memory that must stay free, whoever uses the rest.
const RESERVED_SHARE: f64 = 0.04;
/// How often the machine's free memory is looked up.
const MEMORY_INTERVAL: Duration = Duration::from_millis(250);

/// Watches a running search; shared by its threads.
pub(crate) struct Watch<'a> {
    started: Instant,
    states: u64,
    memory: u64,
    time: Option<Duration>,
    interrupt: Option<&'a AtomicBool>,
    reserved: u64,
    next_look: AtomicU64,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: &Limits, interrupt: Option<&'a AtomicBool>) -> Self {
        let available = available_memory();
        let share = |share: f64| available.map(|bytes| (bytes as f64 * share) as u64);
        Watch {
            started: Instant::now(),
            states: limits.states.unwrap_or(NUMBERABLE).min(NUMBERABLE),
            memory: limits.memory.or(share(DEFAULT_SHARE)).unwrap_or(u64::MAX),
            time: limits.time,
            interrupt,
            reserved: share(RESERVED_SHARE).unwrap_or(0),
            next_look: AtomicU64::new(0),
        }
    }

    /// The flag by which somebody asks to stop.
    pub(crate) fn interrupt(&self) -> Option<&'a AtomicBool> {
        self.interrupt
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// What is left for a search within this one, with so many states found and so many bytes in use.
    pub(crate) fn left(&self, states: u64, bytes: u64) -> Limits {
        Limits {
            states: Some(self.states_left(states)),
            memory: Some(self.memory.saturating_sub(bytes)),
            time: self.time.map(|limit| limit.saturating_sub(self.elapsed())),
        }
    }

    /// How many more states may be found.
    pub(crate) fn states_left(&self, states: u64) -> u64 {
        self.states.saturating_sub(states)
    }

    /// Why to stop, with so many states found.
    pub(crate) fn check_states(&self, states: u64) -> Option<StopReason> {
        (states > self.states).then_some(StopReason::States)
    }

    /// Why to stop at this very moment, with so many bytes in use.
    pub(crate) fn check(&self, bytes: u64) -> Option<StopReason> {
        let elapsed = self.elapsed();
        if self.interrupt.is_some_and(|flag| flag.load(Relaxed)) {
            Some(StopReason::Interrupted)
        } else if self.time.is_some_and(|limit| elapsed >= limit) {
            Some(StopReason::Time)
        } else if bytes > self.memory || self.machine_is_full(elapsed) {
            Some(StopReason::Memory)
        } else {
            None
        }
    }

    /// Whether the machine has hardly any memory left; looked up now and then only.
    fn machine_is_full(&self, elapsed: Duration) -> bool {
        let due = self.next_look.load(Relaxed);
        let now = elapsed.as_millis() as u64;
        let next = now + MEMORY_INTERVAL.as_millis() as u64;
        now >= due
            && self
                .next_look
                .compare_exchange(due, next, Relaxed, Relaxed)
                .is_ok()
            && available_memory().is_some_and(|bytes| bytes < self.reserved)
    }
}

/// The memory that this process may take where it was given no limit, in bytes: most of what it can have.
pub fn default_memory() -> Option<u64> {
    available_memory().map(|bytes| (bytes as f64 * DEFAULT_SHARE) as u64)
}

/// The memory that this process can still have, in bytes, where the system tells: the machine's,
/// or less where its control group has less.
fn available_memory() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let machine = kilobytes(&meminfo, "MemAvailable:")? * 1024;
    Some(group_memory().map_or(machine, |group| machine.min(group)))
}

fn kilobytes(meminfo: &str, name: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

fn group_memory() -> Option<u64> {
    let number = |file: &str| -> Option<u64> {
        fs::read_to_string(format!("/sys/fs/cgroup/{file}"))
            .ok()?
            .trim()
            .parse()
            .ok()
    };
    Some(number("memory.max")?.saturating_sub(number("memory.current")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meminfo_is_understood() {
        let text = "MemTotal:       24607528 kB\nMemAvailable:   23995680 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable:"), Some(23_995_680));
        assert_eq!(kilobytes(text, "SwapFree:"), None);
    }

    #[test]
    fn each_limit_stops() {
        let flag = AtomicBool::new(false);
        let limits = Limits {
            states: Some(10),
            memory: Some(1000),
            time: None,
        };
        let watch = Watch::new(&limits, Some(&flag));
        assert_eq!(watch.check_states(10), None);
        assert_eq!(watch.check_states(11), Some(StopReason::States));
        assert_eq!(watch.check(1000), None);
        assert_eq!(watch.check(1001), Some(StopReason::Memory));
        flag.store(true, Relaxed);
        assert_eq!(watch.check(0), Some(StopReason::Interrupted));
        let watch = Watch::new(
            &Limits {
                time: Some(Duration::ZERO),
                ..limits
            },
            None,
        );
        assert_eq!(watch.check(0), Some(StopReason::Time));
    }
}
