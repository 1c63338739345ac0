//! A search over several workers.
//!
//! Every worker makes all searches of a check: after each one it hears what all others have found
//! and noted, so all decide alike what comes next. Process 0 prepares the program and hears what
//! was found; the others only work.

mod options;
mod processes;
mod resume;

pub use options::{WorkerOptions, check};

use crate::console::Console;
use crate::job::{self, Base};
use crate::limits::{Guard, INCONCLUSIVE, Limits};
use crate::progress;
use crate::searches::{Next, next_search};
use anyhow::Result;
use impasse_distribute::{
    Bounds, Checkpoint, Emit, Endpoint, Failure, HangSearch, Monitor, Running, Saving, Team, start,
};
use impasse_machine::base::fault::{Fault, Omission};
use impasse_machine::system::portable::Notes;
use impasse_machine::system::{LeftOut, System};
use impasse_report::Worker;
use impasse_search::{LiveStatistics, Outcome};
use impasse_transition_system::Key;
use processes::Children;
use resume::{Head, Past};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// How often it is checked whether the processes still exist that this one has started.
const INTERVAL: Duration = Duration::from_millis(100);
/// How long a process may take to end its connections.
const ENDING: Duration = Duration::from_secs(2);
/// How long a process exists on after another one has failed: until all others have noticed that it
/// was the other one.
const MOURNING: Duration = Duration::from_secs(2);

/// Returns why several workers cannot make the search that comes after one of this system, if they
/// cannot.
pub fn refuses(system: &System) -> Option<&'static str> {
    (system.left_out() == Some(LeftOut::Inputs)).then_some(
        "the program reads inputs with more values than can be tried one by one, and several \
         workers cannot follow them symbolically: leave out --workers, or choose a range with \
         --nondet",
    )
}

/// What all workers have found in a search.
type Found = impasse_distribute::Outcome<Fault, Omission>;

/// What a worker tells its process.
enum Told {
    /// What all workers have found in a search, and what the systems of all have noted.
    Searched(Box<Found>, Vec<Notes>),
    /// Why the job cannot be done.
    Refused(String),
    /// All searches are over.
    Ended,
}

/// The workers of a check, as process 0 sees them.
pub struct Workers {
    running: Running<Told>,
    children: Option<Children>,
    addresses: Vec<String>,
}

impl Workers {
    /// Starts the workers of a check, and the other processes if they are to run on this machine.
    /// `base` is what they begin with, and `job` the same in serialised form if there are other
    /// processes. Fails if a process cannot be started, or the options make no sense.
    pub fn start(
        options: &WorkerOptions,
        base: Base,
        job: Option<Vec<u8>>,
        limits: &Limits,
        (guard, live): (&Guard, &Arc<LiveStatistics>),
    ) -> Result<Workers> {
        let mut team = options.team()?;
        if let Some(count) = options.processes {
            team.addresses = processes::free_addresses(count)?;
        }
        let (addresses, each) = (team.addresses.clone(), team.workers);
        let console = guard.console();
        let job = job.filter(|_| addresses.len() > 1);
        let running = run(
            team,
            job,
            OnceLock::from(base),
            monitor(guard, live),
            console,
        );
        let children = options
            .processes
            .map(|_| processes::start(console, &addresses, each, limits.memory()));
        Ok(Workers {
            running,
            children: children.transpose()?,
            addresses,
        })
    }

    /// Waits for what the workers find in their next search, which is one of this system. The
    /// system notes what the copies have noted. Fails if a process or a worker does.
    pub fn search<'s>(
        &mut self,
        system: &'s System,
        guard: &Guard,
        live: &LiveStatistics,
    ) -> Result<(Outcome<&'s System>, Vec<Worker>), Failure> {
        let (found, notes) = progress::shown(guard.console(), live, || self.wait())?;
        notes.into_iter().for_each(|notes| system.absorb(notes));
        let shares = found.workers.iter().map(|share| Worker {
            process: share.process,
            states: share.states,
            transitions: share.transitions,
            state_bytes: share.bytes,
            sent_states: share.sent,
            sent_bytes: share.bytes_sent,
        });
        let shares = shares.collect();
        Ok((outcome(found), shares))
    }

    fn wait(&mut self) -> Result<(Found, Vec<Notes>), Failure> {
        loop {
            match self.running.next(INTERVAL)? {
                Some(Told::Searched(found, notes)) => return Ok((*found, notes)),
                Some(Told::Refused(what)) => {
                    return Err(Failure {
                        process: None,
                        what,
                    });
                }
                Some(Told::Ended) | None => {}
            }
            if let Some(process) = self.children.as_mut().and_then(Children::ended) {
                return Err(Failure {
                    process: Some((process, self.addresses[process].clone())),
                    what: "has ended".into(),
                });
            }
        }
    }

    /// Waits until the workers have ended, but not long.
    pub fn end(self) {
        self.running.finish(ENDING);
    }
}

/// Does what process 0 asks for, and returns the exit code. Fails if the options make no sense.
pub fn serve(options: &WorkerOptions, limits: &Limits, console: &Console) -> Result<u8> {
    let team = options.team()?;
    let own = team.process;
    if options.child {
        processes::begin(own)?;
    }
    let guard = Guard::new(console, limits, |_| INCONCLUSIVE)?;
    let live = Arc::new(LiveStatistics::new());
    let running = run(team, None, OnceLock::new(), monitor(&guard, &live), console);
    let result = loop {
        match running.next(INTERVAL) {
            Ok(Some(Told::Ended)) => break None,
            Ok(_) => {}
            Err(failure) => break Some(failure),
        }
    };
    let Some(failure) = result else {
        running.finish(ENDING);
        return Ok(guard.publish(|| 0));
    };
    if !options.child {
        console.print_error(&format!("impasse: {failure}\n"));
    }
    if failure.process.is_some() {
        thread::sleep(MOURNING);
    }
    Ok(guard.publish(|| INCONCLUSIVE))
}

fn monitor(guard: &Guard, live: &Arc<LiveStatistics>) -> Monitor {
    Monitor {
        cancel: Arc::clone(guard.cancel()),
        live: Arc::clone(live),
    }
}

/// Starts the workers of this process. `job` is what process 0 sends to the others, and `base` what
/// its own workers begin with.
fn run(
    team: Team,
    job: Option<Vec<u8>>,
    base: OnceLock<Base>,
    monitor: Monitor,
    console: &Console,
) -> Running<Told> {
    let (watched, console) = (monitor.clone(), console.clone());
    start(team, monitor, move |endpoint, emit| {
        let worker = Searcher {
            monitor: &watched,
            console: &console,
            emit,
        };
        let refused = begin(endpoint, job.as_ref(), &base).and_then(|()| {
            let base = base
                .get()
                .expect("the first worker of the process has read it");
            worker.searches(endpoint, base)
        });
        if let Err(what) = refused {
            emit(Told::Refused(what));
        }
        if endpoint.is_first() {
            emit(Told::Ended);
        }
    })
}

/// Sets what the workers of this process begin with. All workers get the same error.
fn begin(
    endpoint: &mut Endpoint<'_>,
    job: Option<&Vec<u8>>,
    base: &OnceLock<Base>,
) -> Result<(), String> {
    let received = endpoint.hand_out(job.cloned());
    let mut problem = String::new();
    if let (Some(bytes), None) = (received, base.get()) {
        match job::read(&bytes) {
            Ok(read) => drop(base.set(read)),
            Err(error) => problem = format!("process {} {error:#}", endpoint.process()),
        }
    }
    let problems = endpoint.share(problem.into_bytes()).into_iter();
    match problems.into_iter().find(|problem| !problem.is_empty()) {
        Some(problem) => Err(String::from_utf8_lossy(&problem).into_owned()),
        None => Ok(()),
    }
}

/// One worker.
struct Searcher<'a> {
    monitor: &'a Monitor,
    console: &'a Console,
    emit: Emit<'a, Told>,
}

impl Searcher<'_> {
    /// Makes all searches of a check. All workers get the same error.
    fn searches(&self, endpoint: &mut Endpoint<'_>, base: &Base) -> Result<(), String> {
        let mut system = base.system.copy();
        system.cancel = Arc::clone(&self.monitor.cancel);
        let options = system.options.clone();
        let mut past: Vec<Past> = Vec::new();
        let mut reader = None;
        let mut waiting = Vec::new();
        let mut replaced = None;
        if let Some(folder) = &base.course.resumed {
            let (opened, heads) = resume::open(endpoint, folder, &base.course.identity)?;
            let notes = heads.iter().map(|head| postcard::from_bytes(&head.notes));
            let notes: Result<Vec<Notes>, _> = notes.collect();
            let notes = notes.map_err(|_| "the checkpoint is damaged")?;
            replaced = match &opened {
                Checkpoint::All(files) if base.course.saves_to(folder) => Some(files.len()),
                _ => None,
            };
            reader = Some((opened, notes));
            waiting = heads
                .into_iter()
                .next()
                .map_or_else(Vec::new, |head| head.past);
            waiting.reverse();
        }
        loop {
            let (found, notes) = match waiting.pop() {
                Some(search) => (search.found(), search.notes),
                None => {
                    let shared = Arc::new(system);
                    let opened = reader.take().map(|(opened, notes)| {
                        notes.into_iter().for_each(|notes| shared.absorb(notes));
                        opened
                    });
                    let found = self.search(endpoint, &shared, base, (&past, replaced), opened);
                    system = Arc::into_inner(shared).expect("the search has ended");
                    found
                }
            };
            for notes in read(&notes) {
                system.absorb(notes);
            }
            if endpoint.index() == 0 {
                (self.emit)(Told::Searched(Box::new(found.clone()), read(&notes)));
            }
            let outcome = outcome(found.clone());
            past.push(Past::of(&found, notes));
            system = match next_search(&system, &outcome) {
                Some(_) if refuses(&system).is_some() => return Ok(()),
                Some(Next::More) => system.next(),
                Some(Next::UnknownTime) => system.with_unknown_time(&options),
                None => return Ok(()),
            };
        }
    }

    /// Searches a system, of which each worker has a copy. `before` are the searches before this
    /// one, and the number of workers whose checkpoint is replaced. Returns what all have found,
    /// and what all copies have noted.
    fn search(
        &self,
        endpoint: &mut Endpoint<'_>,
        system: &Arc<System>,
        base: &Base,
        before: (&[Past], Option<usize>),
        checkpoint: Option<Checkpoint>,
    ) -> (Found, Vec<Vec<u8>>) {
        let hangs = system.options.hangs;
        let noted = hangs.notes_program().then_some(Key::PROGRAM);
        let bounds = Bounds {
            hangs: hangs.algorithm().map(|_| HangSearch { noted }),
            max_states: base.course.max_states,
            cancel: Arc::clone(&self.monitor.cancel),
            live: Arc::clone(&self.monitor.live),
            saving: self.saving(system, base, before),
        };
        let found = impasse_explore::distribute(endpoint, system, &bounds, checkpoint);
        (found, endpoint.share(noted_by(system)))
    }

    fn saving(
        &self,
        system: &Arc<System>,
        base: &Base,
        (past, replaced): (&[Past], Option<usize>),
    ) -> Option<Saving> {
        let (folder, interval) = base.course.checkpoints.clone()?;
        let (system, past) = (Arc::clone(system), past.to_vec());
        let identity = base.course.identity.clone();
        let console = self.console.clone();
        Some(Saving {
            folder,
            interval,
            search: past.len() as u32,
            head: Arc::new(move || {
                let head = Head {
                    identity: identity.clone(),
                    past: past.clone(),
                    notes: noted_by(&system),
                };
                postcard::to_stdvec(&head).expect("all types have an encoding")
            }),
            replaced,
            failed: Arc::new(move |error| {
                console.print_error(&format!("impasse: no checkpoint is written: {error}\n"));
            }),
        })
    }
}

/// What a system has noted, in serialised form.
fn noted_by(system: &System) -> Vec<u8> {
    postcard::to_stdvec(&system.notes()).expect("all types have an encoding")
}

fn read(notes: &[Vec<u8>]) -> Vec<Notes> {
    let read = |bytes: &Vec<u8>| postcard::from_bytes(bytes);
    let each = notes.iter().map(read);
    each.map(|notes| notes.unwrap_or_else(|error| panic!("a damaged message: {error}")))
        .collect()
}

fn outcome<'s>(found: Found) -> Outcome<&'s System> {
    Outcome {
        verdict: found.verdict,
        omissions: found.omissions,
        noted_may_hang: found.noted_may_hang,
        statistics: found.statistics,
    }
}
