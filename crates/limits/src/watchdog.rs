//! The watchdog: a thread that checks the clock and the memory of the process, so that limits hold
//! whatever the other threads are doing.

use crate::code::Code;
use crate::{Cancel, StopReason};
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The share of the available memory that a run takes when it was given no limit.
const DEFAULT_SHARE: f64 = 0.85;
/// The share of the limit on memory at which pages of files are given up.
const RELIEF_SHARE: f64 = 0.75;
/// Pages of files are given up only if those that came since the last time take this share of it.
const WORTH_RELIEF: f64 = 0.05;
/// The share of it that pages of files take at most that are in use all the time.
const FEW_LEFT: f64 = 0.15;
/// The share of the available memory that must stay free.
const RESERVED_SHARE: f64 = 0.04;
/// How often the clock and the memory of the process are checked, while there is memory left.
const INTERVAL: Duration = Duration::from_millis(10);
/// How often they are checked when there is hardly any left.
const SHORT_INTERVAL: Duration = Duration::from_millis(1);
/// How fast memory can be used up at most, in bytes per second: it must be written.
const FASTEST_GROWTH: f64 = 16e9;
/// How often the machine's free memory is checked, in intervals.
const MACHINE_INTERVALS: u32 = 25;
/// How long a run that was asked to stop may take to do so by itself.
const GRACE: Duration = Duration::from_millis(500);
/// By how much a run that was asked to stop may exceed its limit on memory meanwhile.
const EXCESS: f64 = 1.04;

/// What Linux counts memory in, on x86-64.
const PAGE: u64 = 4096;

/// Bounds on a run, whatever it does. None means no bound, but for memory, which is always bounded
/// by what the machine has left.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Memory of the whole process, in bytes.
    pub memory: Option<u64>,
    /// Wall-clock time since the process began to count.
    pub time: Option<Duration>,
}

/// What gives up memory that can be had again.
pub type Relief = Box<dyn Fn() + Send + Sync>;

/// What is called when a run does not stop by itself.
pub type Overrun = Box<dyn FnOnce(StopReason) + Send>;

/// Keeps a run within its budget: cancels it when the budget is spent or the user interrupts, and
/// calls an [`Overrun`] if it has not ended soon after. Stops watching when dropped.
pub struct Watchdog {
    thread: Option<JoinHandle<()>>,
    /// Closed when there is nothing more to watch.
    over: Option<mpsc::Sender<()>>,
    phase: Arc<Mutex<Phase>>,
    limits: Arc<Limits>,
    cancel: Arc<Cancel>,
}

/// What a run is doing.
struct Phase {
    /// Whether it has its result, and what is left to do may not be cut short by half.
    concluding: bool,
    overrun: Option<Overrun>,
}

impl Watchdog {
    /// Watches a run from now on, on a thread of its own. Once `interrupt` is true or the budget is
    /// spent, cancels `cancel`; if the run has not ended half a second later, calls `overrun`. Time
    /// counts from `started`.
    pub fn start(
        started: Instant,
        budget: Budget,
        interrupt: Arc<AtomicBool>,
        cancel: Arc<Cancel>,
        overrun: Overrun,
    ) -> Watchdog {
        let (over, closed) = mpsc::channel();
        let phase = Arc::new(Mutex::new(Phase {
            concluding: false,
            overrun: Some(overrun),
        }));
        let limits = Arc::new(Limits::new(started, &budget));
        if let Some(reason) = limits.spent(false) {
            cancel.cancel(reason);
        }
        let watch = Watch {
            limits: Arc::clone(&limits),
            interrupt,
            cancel: Arc::clone(&cancel),
            phase: Arc::clone(&phase),
        };
        Watchdog {
            thread: Some(thread::spawn(move || watch.run(&closed))),
            over: Some(over),
            phase,
            limits,
            cancel,
        }
    }

    /// Bounds the run by this time from its start, unless its budget already bounds it.
    pub fn bound_time(&self, limit: Duration) {
        let _ = self.limits.time.set(limit);
    }

    /// Returns the limit on memory, in bytes.
    pub fn memory(&self) -> u64 {
        self.limits.memory
    }

    /// Calls `relief` from now on whenever memory gets short, if there is none yet. It must give up
    /// memory that is mapped from files.
    pub fn relieve_by(&self, relief: Relief) {
        let _ = self.limits.relief.set(relief);
    }

    /// Returns what calls the relief if memory is short, for threads that use much of what it gives
    /// up: the watchdog may be late where processors are busy.
    pub fn pace(&self) -> Relief {
        // What is paced may be what the relief keeps.
        let limits = Arc::downgrade(&self.limits);
        Box::new(move || {
            if let Some(limits) = limits.upgrade() {
                limits.relieve();
            }
        })
    }

    /// Says that the run has its result: from now on the watchdog cancels nothing. If the run does
    /// not end within half a second after the budget is spent, the watchdog calls this `overrun`.
    pub fn conclude(&self, overrun: Overrun) {
        let mut phase = self
            .phase
            .lock()
            .expect("no thread panics while it holds the lock");
        *phase = Phase {
            concluding: true,
            overrun: Some(overrun),
        };
        self.cancel.clear();
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.over = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The watchdog's thread.
struct Watch {
    limits: Arc<Limits>,
    interrupt: Arc<AtomicBool>,
    cancel: Arc<Cancel>,
    phase: Arc<Mutex<Phase>>,
}

impl Watch {
    fn run(&self, closed: &mpsc::Receiver<()>) {
        let mut spent: Option<(StopReason, Instant)> = None;
        let mut checks = 0;
        while closed.recv_timeout(self.limits.pause()) == Err(mpsc::RecvTimeoutError::Timeout) {
            checks += 1;
            self.limits.relieve();
            let reason = match self.interrupt.load(Relaxed) {
                true => Some(StopReason::Interrupted),
                false => self.limits.spent(checks % MACHINE_INTERVALS == 1),
            };
            spent = spent.or(reason.map(|reason| (reason, Instant::now())));
            let Some((reason, since)) = spent else {
                continue;
            };
            let mut phase = self
                .phase
                .lock()
                .expect("no thread panics while it holds the lock");
            if !phase.concluding {
                self.cancel.cancel(reason);
            }
            if since.elapsed() >= GRACE || self.limits.far_exceeded() {
                let overrun = phase.overrun.take();
                drop(phase);
                return overrun.into_iter().for_each(|overrun| overrun(reason));
            }
        }
    }
}

/// A budget in numbers.
struct Limits {
    started: Instant,
    memory: u64,
    time: OnceLock<Duration>,
    /// What must stay free of the machine's memory.
    reserved: u64,
    relief: OnceLock<Relief>,
    code: OnceLock<Code>,
    /// How many bytes of files were in memory after the last relief.
    not_relieved: AtomicU64,
}

impl Limits {
    fn new(started: Instant, budget: &Budget) -> Limits {
        let available = available_memory();
        let share = |share: f64| available.map(|bytes| (bytes as f64 * share) as u64);
        Limits {
            started,
            memory: budget.memory.or(share(DEFAULT_SHARE)).unwrap_or(u64::MAX),
            time: budget.time.map_or_else(OnceLock::new, OnceLock::from),
            reserved: share(RESERVED_SHARE).unwrap_or(0),
            relief: OnceLock::new(),
            code: OnceLock::new(),
            not_relieved: AtomicU64::new(0),
        }
    }

    /// Gives up memory if there is little left, and something that can be given up.
    fn relieve(&self) {
        let Some([resident, of_files]) = memory_fields([RESIDENT, OF_FILES]) else {
            return;
        };
        let share = |share: f64| (self.memory as f64 * share) as u64;
        let gained = of_files.saturating_sub(self.not_relieved.load(Relaxed));
        if resident > share(RELIEF_SHARE) && gained > share(WORTH_RELIEF) {
            self.give_up();
        }
    }

    /// Gives up what can be given up.
    fn give_up(&self) {
        self.code.get_or_init(Code::find).release();
        if let Some(relief) = self.relief.get() {
            relief();
        }
        // What is left are pages in use that came back already, or that cannot be given up. Few are
        // taken for such: this thread may have had to wait.
        let [left] = memory_fields([OF_FILES]).unwrap_or_default();
        let few = (self.memory as f64 * FEW_LEFT) as u64;
        self.not_relieved.store(left.min(few), Relaxed);
    }

    /// Whether more memory is in use than the limit, even once what can be given up is. With a
    /// relief, pages of files never count: others come at once.
    fn exceeds_memory(&self) -> bool {
        exceeds(self.memory) && {
            self.give_up();
            let fields = memory_fields([RESIDENT, OF_FILES]);
            fields.is_some_and(|[resident, of_files]| {
                let relieved = self.relief.get().map_or(0, |_| of_files);
                resident.saturating_sub(relieved) > self.memory
            })
        }
    }

    /// What is spent.
    fn spent(&self, check_machine: bool) -> Option<StopReason> {
        let full = || available_memory().is_some_and(|bytes| bytes < self.reserved);
        if self
            .time
            .get()
            .is_some_and(|&limit| self.started.elapsed() >= limit)
        {
            Some(StopReason::Time)
        } else if self.exceeds_memory() || check_machine && full() {
            Some(StopReason::Memory)
        } else {
            None
        }
    }

    /// How long to wait before the next check: not so long that the memory left can be used up
    /// meanwhile.
    fn pause(&self) -> Duration {
        let left = self.memory.saturating_sub(resident_memory().unwrap_or(0));
        Duration::from_secs_f64(left as f64 / FASTEST_GROWTH).clamp(SHORT_INTERVAL, INTERVAL)
    }

    /// Whether so much memory is in use that the run must end at once.
    fn far_exceeded(&self) -> bool {
        exceeds((self.memory as f64 * EXCESS) as u64)
    }
}

fn exceeds(memory: u64) -> bool {
    resident_memory().is_some_and(|bytes| bytes > memory)
}

/// Returns the memory that this process uses at present, in bytes, as Linux counts it, or `None`
/// where the system does not report it.
pub fn resident_memory() -> Option<u64> {
    memory_fields([RESIDENT]).map(|[bytes]| bytes)
}

/// Fields of what Linux says of a process's memory.
const RESIDENT: usize = 1;
const OF_FILES: usize = 2;

fn memory_fields<const N: usize>(numbers: [usize; N]) -> Option<[u64; N]> {
    let fields = fs::read_to_string("/proc/self/statm").ok()?;
    let mut found = [0; N];
    for (bytes, number) in found.iter_mut().zip(numbers) {
        let pages: u64 = fields.split_whitespace().nth(number)?.parse().ok()?;
        *bytes = pages * PAGE;
    }
    Some(found)
}

/// Returns the most memory that this process has used, in bytes; 0 where the system does not report
/// it.
pub fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    kilobytes(&status, "VmHWM:").unwrap_or(0) * 1024
}

/// The memory that this process can still have, in bytes, where the system reports it: the
/// machine's, or less where its control group has less.
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
    fn memory_counts_what_is_touched() {
        let before = resident_memory().expect("Linux");
        let touched = std::hint::black_box(vec![1u8; 64 << 20]);
        let after = resident_memory().expect("Linux");
        assert!(after - before > 48 << 20);
        drop(touched);
    }

    /// Starts a watchdog over a run that does not check whether it is cancelled, and waits for what
    /// it calls.
    fn overrun_of(budget: Budget, interrupted: bool, cancel: &Arc<Cancel>) -> StopReason {
        let (sender, overrun) = mpsc::channel();
        let send = move |reason| sender.send(reason).expect("the test waits");
        let interrupt = Arc::new(AtomicBool::new(interrupted));
        let (now, cancel) = (Instant::now(), Arc::clone(cancel));
        let _watchdog = Watchdog::start(now, budget, interrupt, cancel, Box::new(send));
        overrun.recv().expect("the watchdog calls")
    }

    #[test]
    fn each_limit_stops() {
        let time = Some(Duration::from_millis(1));
        let memory = Some(1);
        let cases = [
            (Budget { time, memory: None }, false, StopReason::Time),
            (Budget { time: None, memory }, false, StopReason::Memory),
            (Budget::default(), true, StopReason::Interrupted),
        ];
        for (budget, interrupted, reason) in cases {
            let cancel = Arc::new(Cancel::new());
            assert_eq!(overrun_of(budget, interrupted, &cancel), reason);
            assert_eq!(cancel.reason(), Some(reason));
        }
    }

    #[test]
    fn a_conclusion_is_not_cancelled() {
        let cancel = Arc::new(Cancel::new());
        let interrupt = Arc::new(AtomicBool::new(false));
        let (sender, overrun) = mpsc::channel();
        let watchdog = Watchdog::start(
            Instant::now(),
            Budget::default(),
            Arc::clone(&interrupt),
            Arc::clone(&cancel),
            Box::new(|_| panic!("replaced")),
        );
        watchdog.conclude(Box::new(move |reason| {
            sender.send(reason).expect("the test waits")
        }));
        interrupt.store(true, Relaxed);
        assert_eq!(overrun.recv(), Ok(StopReason::Interrupted));
        assert_eq!(cancel.reason(), None);
    }
}
