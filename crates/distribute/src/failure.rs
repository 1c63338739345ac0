//! What fails when workers are in several processes, and who finds it out.
//!
//! Timely's threads panic when a connection breaks, and the panic spreads to all workers; some
//! destructors then panic again, which aborts the process. So a panic of such a thread ends in the
//! hook: it reports the failure, and the thread sleeps until the process exits. The names of the
//! threads say which process is at the other end.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::{panic, thread};

/// Why a team has failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The number and the address of the process that has failed, unless it is this one.
    pub process: Option<(usize, String)>,
    /// What it did.
    pub what: String,
}

impl Failure {
    pub(crate) fn of_this(what: String) -> Failure {
        Failure {
            process: None,
            what,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.process {
            Some((process, address)) => write!(f, "process {process} ({address}) {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// What a team tells who has started it.
pub(crate) enum Event<T> {
    Found(T),
    Failed(Failure),
}

type Report = Box<dyn FnOnce(Failure) + Send>;

/// What is known of the processes of a team.
pub(crate) struct Watch {
    addresses: Vec<String>,
    workers: usize,
    /// By process: whether its workers have ended. Whatever it does then is no failure.
    ended: Vec<AtomicBool>,
    /// How many workers of this process have ended.
    finished: AtomicUsize,
    /// Reports the first failure.
    report: Mutex<Option<Report>>,
}

/// The team whose threads the hook watches: a process has one.
static WATCHED: OnceLock<Arc<Watch>> = OnceLock::new();

impl Watch {
    pub(crate) fn new<T: Send + 'static>(
        addresses: &[String],
        workers: usize,
        events: Sender<Event<T>>,
    ) -> Arc<Watch> {
        let report = move |failure| drop(events.send(Event::Failed(failure)));
        Arc::new(Watch {
            addresses: addresses.to_vec(),
            workers,
            ended: addresses.iter().map(|_| AtomicBool::new(false)).collect(),
            finished: AtomicUsize::new(0),
            report: Mutex::new(Some(Box::new(report))),
        })
    }

    /// Notes that a worker of this process has ended.
    pub(crate) fn finish(&self) {
        self.finished.fetch_add(1, SeqCst);
    }

    /// Whether all of them have.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished.load(SeqCst) == self.workers
    }

    /// Notes that all workers of a process have ended.
    pub(crate) fn end(&self, process: usize) {
        self.ended[process].store(true, SeqCst);
    }

    pub(crate) fn has_ended(&self, process: usize) -> bool {
        self.ended[process].load(SeqCst)
    }

    /// Whether all workers of all processes have ended.
    pub(crate) fn is_over(&self) -> bool {
        self.ended.iter().all(|ended| ended.load(SeqCst))
    }

    /// Reports a failure, unless one was reported. Returns whether it is the first.
    pub(crate) fn fail(&self, failure: Failure) -> bool {
        let mut report = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        let first = report.take();
        let is_first = first.is_some();
        if let Some(report) = first {
            report(failure);
        }
        is_first
    }

    /// Reports that another process has failed, unless its part was done.
    pub(crate) fn fail_process(&self, process: usize, what: &str) {
        if !self.has_ended(process) {
            self.fail(Failure {
                process: Some((process, self.addresses[process].clone())),
                what: what.into(),
            });
        }
    }

    /// Lets panics of timely's threads end in this hook from now on.
    pub(crate) fn catch_panics(self: &Arc<Self>) {
        if WATCHED.set(Arc::clone(self)).is_err() {
            return;
        }
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let current = thread::current();
            let Some(role) = current.name().and_then(|name| name.strip_prefix("timely:")) else {
                return before(info);
            };
            let watch = WATCHED.get().expect("it is set before the hook");
            match role.split_once('-') {
                Some(("recv" | "send", process)) => {
                    let text = info.payload().downcast_ref::<String>();
                    let text = text.map_or("", String::as_str);
                    let what = match text.starts_with("timely communication error") {
                        true => "has closed its connection",
                        // Its messages end at other workers than there are, for instance.
                        false => "sends what cannot be read: does it have as many --workers?",
                    };
                    let process = process.parse().unwrap_or(0);
                    watch.fail_process(process, what);
                }
                // The same once more, if there was a failure before.
                _ if watch.fail(Failure::of_this(format!("a worker failed: {info}"))) => {
                    before(info)
                }
                _ => {}
            }
            loop {
                thread::park();
            }
        }));
    }
}
