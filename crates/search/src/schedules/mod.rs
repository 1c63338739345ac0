//! Random schedules: many executions, one after the other, without storing states.
//!
//! Each run starts in an initial state and follows one transition at a time, until there is none,
//! until an error or an omission, or until it has taken too many steps. A [`Scheduler`] picks the
//! label (of the machine: the thread) that moves; among the transitions with this label, inputs and
//! the like, each has the same probability. The system generates the transitions of as few labels
//! as that takes.
//!
//! *What it shows.* An error that a run meets is one. That no run meets an error shows nothing
//! about the other schedules.
//!
//! *Determinism.* The random numbers of a run depend on the seed and its number alone, and the
//! error of the first run that meets one is returned. So the outcome does not depend on the number
//! of threads.

mod pick;
mod step;

use crate::bounds::NEVER;
use crate::findings::OMISSIONS;
use fastrand::Rng;
use impasse_limits::{Cancel, StopReason};
use impasse_transition_system::{Emissions, Numbered, Path, Received, Sink, TransitionSystem};
use pick::Picker;
use std::collections::BTreeSet;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};
use step::{Chosen, StepSink};

/// How a run picks what moves next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheduler {
    /// Each label that can move has the same probability, at each step.
    Random,
    /// Probabilistic concurrency testing: random priorities, which change at random steps. Of the
    /// labels that can move, that with the greatest priority does.
    ///
    /// *Claim.* A run of at most k steps of n labels meets an error that depends on the order of
    /// `depth` steps with a probability of at least 1/(n·k^(depth-1)).
    ///
    /// S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, *A Randomized Scheduler with
    /// Probabilistic Guarantees of Finding Bugs*, ASPLOS 2010. k is the length of the first run. A
    /// label that takes many silent steps in a row gets the least priority, since it may wait for
    /// another one; the claim is for runs without that.
    Pct {
        /// The depth of the errors to look for: priorities change one time less.
        depth: NonZeroU32,
    },
}

/// Random runs: of which system, how many, and within which bounds.
pub struct Schedules<'a, S: TransitionSystem + ?Sized> {
    system: &'a S,
    scheduler: Scheduler,
    runs: u64,
    seed: u64,
    max_steps: u64,
    threads: NonZeroUsize,
    cancel: &'a Cancel,
}

/// What random runs have met. All but `bytes` and `elapsed` depends only on the system, the
/// scheduler, the numbers of runs and steps and the seed, unless a request stopped the runs.
pub struct Sampled<S: TransitionSystem + ?Sized> {
    /// The fault of the first run that met one, and the path to it.
    pub fault: Option<(S::Fault, Path)>,
    /// Why runs ended at transitions that were left out: the first few distinct reasons.
    pub omissions: Vec<S::Omission>,
    /// Runs that ended, up to the one with the fault.
    pub runs: u64,
    /// Those that were cut after the greatest number of steps.
    pub cut: u64,
    /// Those that ended at a transition that was left out.
    pub omitted: u64,
    /// The steps of all runs.
    pub steps: u64,
    /// The steps of the longest one.
    pub longest: u64,
    /// What stopped the runs before there were as many as asked for.
    pub stopped: Option<StopReason>,
    /// The memory that the system holds at the end, in bytes.
    pub bytes: u64,
    /// The time it took.
    pub elapsed: Duration,
}

impl<'a, S: TransitionSystem + ?Sized> Schedules<'a, S> {
    /// Returns so many runs (at least one) with this scheduler, with seed 0, on all cores, without
    /// bounds.
    pub fn new(system: &'a S, scheduler: Scheduler, runs: u64) -> Self {
        Schedules {
            system,
            scheduler,
            runs,
            seed: 0,
            max_steps: u64::MAX,
            threads: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            cancel: &NEVER,
        }
    }

    /// Sets the seed of all random choices.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Cuts each run after so many steps. Unbounded by default.
    pub fn max_steps(mut self, steps: u64) -> Self {
        self.max_steps = steps;
        self
    }

    /// Sets the number of threads; as many as there are cores by default.
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Stops soon after this request is made; the run under way then does not count.
    pub fn cancel(mut self, cancel: &'a Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Executes the runs. It never fails: what stopped it is in the result.
    pub fn run(self) -> Sampled<S> {
        let started = Instant::now();
        let first = self.execute(&mut Worker::new(self.system), 0, None);
        let mut all = Vec::from_iter(first);
        if all.iter().all(|run| run.end.fault().is_none()) {
            let length = all.first().map_or(1, |first| first.steps);
            all.extend(self.later_runs(length));
        }
        all.sort_by_key(|run| run.number);
        if let Some(first) = all.iter().position(|run| run.end.fault().is_some()) {
            all.truncate(first + 1);
        }
        let fault = all.pop_if(|run| run.end.fault().is_some());
        self.gathered(all, fault, started)
    }

    /// The runs after the first one, which took `length` steps; at least up to the first fault.
    fn later_runs(&self, length: u64) -> Vec<Run<S>> {
        let next = AtomicU64::new(1);
        let least_fault = AtomicU64::new(u64::MAX);
        let work = || {
            let mut worker = Worker::new(self.system);
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= self.runs || number > least_fault.load(Relaxed) {
                    return done;
                }
                let Some(run) = self.execute(&mut worker, number, Some(length)) else {
                    return done;
                };
                if run.end.fault().is_some() {
                    least_fault.fetch_min(number, Relaxed);
                }
                done.push(run);
            }
        };
        let threads = self.threads.get().min(self.runs as usize);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let done = workers.into_iter().map(|worker| worker.join());
            done.flat_map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }

    fn gathered(&self, all: Vec<Run<S>>, fault: Option<Run<S>>, started: Instant) -> Sampled<S> {
        let length = all.first().map(|first| first.steps);
        let fault_length = fault.as_ref().map_or(0, |run| run.steps);
        let counts = all.iter().map(|run| run.steps).chain([fault_length]);
        let (steps, longest) = (counts.clone().sum(), counts.max().unwrap_or(0));
        let count = |wanted: fn(&End<S>) -> bool| {
            let runs = all.iter().filter(|run| wanted(&run.end));
            runs.count() as u64
        };
        let (cut, omitted) = (
            count(|end| matches!(end, End::Cut)),
            count(|end| matches!(end, End::Omission(_))),
        );
        let runs = all.len() as u64 + u64::from(fault.is_some());
        let omissions: BTreeSet<S::Omission> = all
            .into_iter()
            .filter_map(|run| match run.end {
                End::Omission(reason) => Some(reason),
                _ => None,
            })
            .collect();
        let found = fault.and_then(|run| {
            let length = length.filter(|_| run.number > 0);
            let path = self.path_of(run.number, length)?;
            run.end.into_fault().map(|fault| (fault, path))
        });
        Sampled {
            stopped: self.cancel.reason().filter(|_| found.is_none()),
            fault: found,
            omissions: omissions.into_iter().take(OMISSIONS).collect(),
            runs,
            cut,
            omitted,
            steps,
            longest,
            bytes: self.system.bytes(),
            elapsed: started.elapsed(),
        }
    }

    /// Executes a run; `length` is that of the first one. Returns nothing if a request
    /// to stop is made meanwhile.
    fn execute(&self, worker: &mut Worker<S>, number: u64, length: Option<u64>) -> Option<Run<S>> {
        self.follow(worker, number, length, |_, _| {})
    }

    /// Executes a run and calls `visit` with each state but the last, and what follows it.
    fn follow(
        &self,
        worker: &mut Worker<S>,
        number: u64,
        length: Option<u64>,
        mut visit: impl FnMut(Option<&[u8]>, &Chosen<S>),
    ) -> Option<Run<S>> {
        let mut random = Rng::with_seed(mixed(self.seed, number));
        let mut picker = Picker::new(self.scheduler, length, &mut random);
        let mut state: Option<Vec<u8>> = None;
        let mut steps = 0;
        let end = loop {
            if steps == self.max_steps {
                break End::Cut;
            }
            let mut sink = StepSink::new(&mut picker, &mut random);
            match &state {
                None => worker.starts.emit_to(&mut sink),
                Some(state) => self
                    .system
                    .lazy_successors(&mut worker.inner, state, &mut sink),
            }
            if let (true, Some(state)) = (sink.is_empty(), &state) {
                // It has ended, or no label can move: all transitions say which.
                self.system.successors(&mut worker.inner, state, &mut sink);
            }
            let chosen = sink.chosen();
            if self.cancel.is_cancelled() {
                return None;
            }
            let Some(chosen) = chosen else {
                break End::Over;
            };
            visit(state.as_deref(), &chosen);
            steps += u64::from(state.is_some());
            match chosen {
                Chosen::State { target, .. } => state = Some(target),
                Chosen::Fault(fault) => break End::Fault(fault),
                Chosen::Omission(reason) => break End::Omission(reason),
            }
        };
        Some(Run { number, steps, end })
    }

    /// The path of a run that ends in a fault: it is executed again, and all transitions of each
    /// state are numbered. None if a request to stop is made meanwhile.
    fn path_of(&self, number: u64, length: Option<u64>) -> Option<Path> {
        let (mut worker, mut other) = (Worker::new(self.system), Worker::new(self.system));
        let mut ordinals = Vec::new();
        self.follow(&mut worker, number, length, |state, chosen| {
            ordinals.push(self.ordinal(&mut other, state, chosen));
        })?;
        let ordinals: Option<Vec<u32>> = ordinals.into_iter().collect();
        let is_complete = ordinals.is_some() || self.cancel.is_cancelled();
        assert!(is_complete, "a state has other transitions than before");
        ordinals.map(Path::new)
    }

    /// The ordinal among all transitions of a state, or among the initial states, of a chosen one.
    fn ordinal(
        &self,
        worker: &mut Worker<S>,
        state: Option<&[u8]>,
        chosen: &Chosen<S>,
    ) -> Option<u32> {
        let mut found = None;
        let mut sink = Numbered::new(|received: Received<'_, S>| {
            let (ordinal, is_it) = match (received, chosen) {
                (Received::Edge(n, edge), Chosen::State { label, target }) => {
                    (n, (edge.label, edge.target) == (*label, &target[..]))
                }
                (Received::Fault(n, fault), Chosen::Fault(chosen)) => (n, fault == *chosen),
                _ => return,
            };
            if is_it {
                found.get_or_insert(ordinal);
            }
        });
        let sink: &mut dyn Sink<S> = &mut sink;
        match state {
            None => worker.starts.emit_to(sink),
            Some(state) => self.system.successors(&mut worker.inner, state, sink),
        }
        found
    }
}

/// What one thread needs to execute runs.
struct Worker<S: TransitionSystem + ?Sized> {
    inner: S::Worker,
    /// What the system emits as its initial states.
    starts: Emissions<S>,
}

impl<S: TransitionSystem + ?Sized> Worker<S> {
    fn new(system: &S) -> Self {
        let mut starts = Emissions::new();
        system.initial(&mut system.worker(), &mut starts);
        let inner = system.worker();
        Worker { inner, starts }
    }
}

/// A run that has ended.
struct Run<S: TransitionSystem + ?Sized> {
    number: u64,
    steps: u64,
    end: End<S>,
}

/// How a run ends.
enum End<S: TransitionSystem + ?Sized> {
    /// The last state has no transition.
    Over,
    Cut,
    Fault(S::Fault),
    Omission(S::Omission),
}

impl<S: TransitionSystem + ?Sized> End<S> {
    fn fault(&self) -> Option<&S::Fault> {
        match self {
            End::Fault(fault) => Some(fault),
            _ => None,
        }
    }

    fn into_fault(self) -> Option<S::Fault> {
        match self {
            End::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

/// The seed of one run: numbers that are close give seeds that are not.
fn mixed(seed: u64, run: u64) -> u64 {
    Rng::with_seed(seed).u64(..) ^ Rng::with_seed(run).u64(..).rotate_left(32)
}
