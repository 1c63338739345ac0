//! The workers of a search: threads of one process, or of several processes that are connected by
//! TCP.
//!
//! Every worker does the same work. With several processes, each has one more thread, which
//! [supervises](crate::supervisor) the others. Whatever fails is reported once, and nothing of the
//! dataflow is used afterwards.

use crate::failure::{Event, Failure, Watch};
use crate::flow::{Endpoint, Failed, Layout};
use crate::supervisor::{Monitor, supervise};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use timely::{CommunicationConfig, WorkerConfig};

/// Which workers there are, and which of them are in this process.
#[derive(Clone, Debug)]
pub struct Team {
    /// The workers of each process.
    pub workers: NonZeroUsize,
    /// The addresses of all processes, as `host:port`, if there are several.
    pub addresses: Vec<String>,
    /// The number of this process, from 0.
    pub process: usize,
}

impl Team {
    /// Returns a team of so many threads of this process.
    pub fn of_threads(workers: NonZeroUsize) -> Team {
        Team {
            workers,
            addresses: Vec::new(),
            process: 0,
        }
    }

    /// Returns how many processes there are.
    pub fn processes(&self) -> usize {
        self.addresses.len().max(1)
    }

    fn is_distributed(&self) -> bool {
        !self.addresses.is_empty()
    }

    fn layout(&self) -> Layout {
        let workers = self.workers.get();
        Layout {
            processes: self.processes(),
            workers,
            threads: workers + usize::from(self.is_distributed()),
        }
    }

    fn config(&self) -> timely::Config {
        let threads = self.layout().threads;
        let communication = match self.is_distributed() {
            false => CommunicationConfig::Process(threads),
            true => CommunicationConfig::Cluster {
                threads,
                process: self.process,
                addresses: self.addresses.clone(),
                report: false,
                zerocopy: false,
                log_fn: Arc::new(|_| None),
            },
        };
        timely::Config {
            communication,
            worker: WorkerConfig::default(),
        }
    }
}

/// Passes what a worker of this process has found on to who has [started](start) it.
pub type Emit<'a, T> = &'a dyn Fn(T);

/// Starts a team, as far as it is in this process; its other processes must do the same. `work` is
/// what each worker does: all of them must make the same calls of [`Endpoint`]'s methods and of
/// [`explore`](crate::explore).
pub fn start<T: Send + 'static>(
    team: Team,
    monitor: Monitor,
    work: impl Fn(&mut Endpoint<'_>, Emit<'_, T>) + Send + Sync + 'static,
) -> Running<T> {
    let (sender, events) = channel();
    let watch = Watch::new(&team.addresses, team.workers.get(), sender.clone());
    if team.is_distributed() {
        watch.catch_panics();
    }
    let (running, over) = channel();
    thread::spawn(move || {
        let layout = team.layout();
        let failed = Failed::default();
        let emitted = sender.clone();
        let shared = Arc::clone(&watch);
        let each = move |worker: &mut _| {
            let mut endpoint = Endpoint::new(worker, layout, failed.clone());
            if endpoint.is_supervisor() {
                return supervise(endpoint, &monitor, &shared);
            }
            // Who has started the team may have lost interest.
            let emit = |found| drop(emitted.send(Event::Found(found)));
            let done = catch_unwind(AssertUnwindSafe(|| work(&mut endpoint, &emit)));
            if let Err(panic) = done {
                // The others wait for this one: it is known now that they wait in vain.
                shared.fail(Failure::of_this("a worker has failed".into()));
                resume_unwind(panic);
            }
            shared.finish();
        };
        let joined = timely::execute(team.config(), each).and_then(|guards| {
            let all: Result<Vec<()>, String> = guards.join().into_iter().collect();
            all.map(drop)
        });
        if let Err(error) = joined {
            watch.fail(Failure::of_this(error));
        }
        drop(running);
    });
    Running { events, over }
}

/// A team at work.
pub struct Running<T> {
    events: Receiver<Event<T>>,
    /// Disconnected when all threads of this process have ended.
    over: Receiver<()>,
}

impl<T> Running<T> {
    /// Waits for what a worker of this process finds next, at most so long. Returns nothing if the
    /// time is over, and fails if the team has failed, or has ended.
    pub fn next(&self, patience: Duration) -> Result<Option<T>, Failure> {
        match self.events.recv_timeout(patience) {
            Ok(Event::Found(found)) => Ok(Some(found)),
            Ok(Event::Failed(failure)) => Err(failure),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(Failure::of_this("the workers have ended".into()))
            }
        }
    }

    /// Waits until all workers of this process have ended and all is sent, at most so long. Returns
    /// whether they have.
    pub fn finish(self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        let left = until.saturating_duration_since(Instant::now());
        self.over.recv_timeout(left) == Err(RecvTimeoutError::Disconnected)
    }
}
