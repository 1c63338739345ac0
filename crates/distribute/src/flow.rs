//! The dataflow that connects the workers.
//!
//! A search goes through *rounds*, which are intervals of timestamps of the dataflow. In each round
//! the workers exchange batches of transitions, and afterwards what they found: progress tracking
//! tells when everything of a round has arrived.

use crate::beat::{Beat, Figures};
use crate::link::Message;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use timely::communication::Allocator;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::{Broadcast, Capability, Input, Inspect, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

/// What can be sent from one worker to another, and stored.
pub trait Sendable: Serialize + DeserializeOwned {}

impl<T: Serialize + DeserializeOwned> Sendable for T {}

/// How long a worker sleeps at most before it looks again whether another one has failed.
const NAP: Duration = Duration::from_millis(10);

/// How many timestamps of the batches are in one round.
const ROUND: u64 = 1 << 20;

/// The first timestamp after a round.
fn end_of(round: u64) -> u64 {
    (round + 1) * ROUND
}

/// What one worker tells all others at the end of a round.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Whether states of this level are left to expand.
    pub(crate) left: bool,
    /// Whether states of the next level were found.
    pub(crate) found: bool,
    /// Whether a fault was found.
    pub(crate) fault: bool,
    /// Whether a state with open sections has no transitions; or, where the noted section is
    /// judged, whether it may never end.
    pub(crate) hint: bool,
    /// Whether the noted section may end.
    pub(crate) ends: bool,
    /// Whether the system has noted what all copies must know of.
    pub(crate) noted: bool,
    /// Whether to write a checkpoint.
    pub(crate) save: bool,
    /// Why to stop, as a number.
    pub(crate) stop: u8,
    /// States found so far.
    pub(crate) states: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.left |= other.left;
        self.found |= other.found;
        self.fault |= other.fault;
        self.hint |= other.hint;
        self.ends |= other.ends;
        self.noted |= other.noted;
        self.save |= other.save;
        self.stop = self.stop.max(other.stop);
        self.states += other.states;
    }
}

/// How the threads of a dataflow are shared out: in each process its workers, and then its
/// supervisor, if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) processes: usize,
    /// Workers of each process.
    pub(crate) workers: usize,
    /// Threads of each process.
    pub(crate) threads: usize,
}

impl Layout {
    /// The number of the thread that is a worker.
    fn thread(self, worker: u32) -> u64 {
        let worker = worker as usize;
        (worker / self.workers * self.threads + worker % self.workers) as u64
    }

    /// The number of the thread that is the supervisor of a process.
    fn supervisor(self, process: u32) -> u64 {
        (process as usize * self.threads + self.workers) as u64
    }
}

/// One worker of a dataflow, as a search sees it.
pub struct Endpoint<'a> {
    worker: &'a mut Worker<Allocator>,
    layout: Layout,
    failed: Failed,
    flow: Option<Flow>,
    /// What is shown of this worker's last search.
    pub(crate) shown: Figures,
    /// What supervisors say to each other.
    beats: Option<InputHandle<u64, Beat>>,
    heard: Rc<RefCell<Vec<Beat>>>,
}

/// Whether a worker of this process has panicked. The others would wait for it.
#[derive(Clone, Default)]
pub(crate) struct Failed(Arc<AtomicBool>);

impl Drop for Failed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

impl<'a> Endpoint<'a> {
    pub(crate) fn new(worker: &'a mut Worker<Allocator>, layout: Layout, failed: Failed) -> Self {
        let flow = Flow::new(worker, layout);
        let heard = Rc::new(RefCell::new(Vec::new()));
        let mut endpoint = Endpoint {
            worker,
            layout,
            failed,
            flow: Some(flow),
            shown: Figures::default(),
            beats: None,
            heard,
        };
        if layout.threads > layout.workers {
            endpoint.connect_supervisors();
        }
        if endpoint.is_supervisor() {
            endpoint.flow = None;
        }
        endpoint
    }

    /// Returns the number of this worker, from 0.
    pub fn index(&self) -> usize {
        self.process() * self.layout.workers + self.worker.index() % self.layout.threads
    }

    /// Returns how many workers there are.
    pub fn peers(&self) -> usize {
        self.layout.processes * self.layout.workers
    }

    /// Returns the number of this worker's process, from 0.
    pub fn process(&self) -> usize {
        self.worker.index() / self.layout.threads
    }

    /// Returns how many processes there are.
    pub fn processes(&self) -> usize {
        self.layout.processes
    }

    /// Returns whether this worker is the first one of its process.
    pub fn is_first(&self) -> bool {
        self.worker.index().is_multiple_of(self.layout.threads)
    }

    /// Passes what the first worker has on to the first worker of each process, which returns it;
    /// the others return nothing.
    pub fn hand_out(&mut self, own: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let mut flow = self.take_flow();
        if let (0, Some(bytes)) = (self.index(), own) {
            for process in 0..self.layout.processes {
                let to = (process * self.layout.workers) as u32;
                flow.send(Message::other(0, to, bytes.clone()));
            }
        }
        let arrived = flow.finish(self);
        self.flow = Some(flow);
        arrived.into_iter().next().map(|message| message.bytes)
    }

    /// Returns what each worker has called this with, by worker.
    pub fn share(&mut self, own: Vec<u8>) -> Vec<Vec<u8>> {
        let mut flow = self.take_flow();
        let shared = flow.share(self, own);
        self.flow = Some(flow);
        shared
    }

    /// Takes the flow out, for a search. It must be [put back](Self::put_back).
    pub(crate) fn take_flow(&mut self) -> Flow {
        self.flow.take().expect("a worker that is in no search")
    }

    pub(crate) fn put_back(&mut self, flow: Flow) {
        self.flow = Some(flow);
    }

    pub(crate) fn is_supervisor(&self) -> bool {
        self.worker.index() % self.layout.threads == self.layout.workers
    }

    /// Connects the supervisors; all threads must take part.
    fn connect_supervisors(&mut self) {
        let (layout, heard) = (self.layout, Rc::clone(&self.heard));
        let mut beats = InputHandle::new();
        self.worker.dataflow(|scope| {
            let to = Exchange::new(move |beat: &Beat| layout.supervisor(beat.to));
            scope
                .input_from(&mut beats)
                .sink(to, "hear", move |(input, _)| {
                    input.for_each(|_, beats| heard.borrow_mut().append(beats));
                });
        });
        self.beats = self.is_supervisor().then_some(beats);
    }

    /// Says something to the supervisor of another process.
    pub(crate) fn beat(&mut self, beat: Beat) {
        let beats = self.beats.as_mut().expect("a supervisor");
        beats.send(beat);
        // What is only flushed waits for more.
        beats.advance_to(beats.time() + 1);
    }

    /// Returns what was said to this supervisor.
    pub(crate) fn beats(&mut self) -> Vec<Beat> {
        self.heard.take()
    }

    /// Lets the dataflow work, or sleeps at most so long.
    pub(crate) fn nap(&mut self, time: Duration) {
        self.worker.step_or_park(Some(time));
    }

    fn wait(&mut self, probe: &ProbeHandle<u64>, time: u64) {
        while probe.less_than(&time) {
            assert!(!self.failed.0.load(Relaxed), "another worker has failed");
            self.worker.step_or_park(Some(NAP));
        }
    }
}

/// The dataflow as one worker sees it.
pub(crate) struct Flow {
    batches: InputHandle<u64, Message>,
    tallies: InputHandle<u64, Tally>,
    batches_sent: ProbeHandle<u64>,
    tallies_sent: ProbeHandle<u64>,
    /// What has arrived, by the round in which it was sent: others may be a round ahead.
    inbox: Rc<RefCell<BTreeMap<u64, Vec<Message>>>>,
    /// What was told, by the number of the tally.
    told: Rc<RefCell<BTreeMap<u64, Tally>>>,
    round: u64,
    tally: u64,
}

impl Flow {
    fn new(worker: &mut Worker<Allocator>, layout: Layout) -> Self {
        let inbox = Rc::new(RefCell::new(BTreeMap::<u64, Vec<Message>>::new()));
        let told = Rc::new(RefCell::new(BTreeMap::<u64, Tally>::new()));
        let (mut batches, mut tallies) = (InputHandle::new(), InputHandle::new());
        let (into, heard) = (inbox.clone(), told.clone());
        let (batches_sent, tallies_sent) = worker.dataflow(|scope| {
            let to = Exchange::new(move |message: &Message| layout.thread(message.to));
            let batches_sent = scope
                .input_from(&mut batches)
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                    to,
                    "receive",
                    |_: Capability<u64>, _| {
                        move |input, _output| {
                            input.for_each(|time, messages| {
                                let round = *time.time() / ROUND;
                                let mut into = into.borrow_mut();
                                into.entry(round).or_default().append(messages);
                            });
                        }
                    },
                )
                .probe();
            let tallies_sent = scope
                .input_from(&mut tallies)
                .broadcast()
                .inspect_time(move |time, tally: &Tally| {
                    heard.borrow_mut().entry(*time).or_default().add(tally);
                })
                .probe();
            (batches_sent, tallies_sent)
        });
        Flow {
            batches,
            tallies,
            batches_sent,
            tallies_sent,
            inbox,
            told,
            round: 0,
            tally: 0,
        }
    }

    /// Sends a batch in this round.
    pub(crate) fn send(&mut self, message: Message) {
        self.batches.send(message);
        // What is only flushed waits for more, so each batch has a time of its own.
        let next = self.batches.time() + 1;
        if next < end_of(self.round) {
            self.batches.advance_to(next);
        }
    }

    /// Returns what each worker has called this with, by worker.
    pub(crate) fn share(&mut self, endpoint: &mut Endpoint<'_>, own: Vec<u8>) -> Vec<Vec<u8>> {
        let (from, peers) = (endpoint.index() as u32, endpoint.peers() as u32);
        for to in (0..peers).filter(|_| !own.is_empty()) {
            self.send(Message::other(from, to, own.clone()));
        }
        let mut shared = vec![Vec::new(); peers as usize];
        for message in self.finish(endpoint) {
            shared[message.from as usize] = message.bytes;
        }
        shared
    }

    /// Lets the dataflow work, and returns what has arrived in this round.
    pub(crate) fn poll(&mut self, endpoint: &mut Endpoint<'_>) -> Vec<Message> {
        endpoint.worker.step();
        self.arrived(self.round)
    }

    /// Ends the sending of this round, and returns the rest of what arrives in it.
    pub(crate) fn finish(&mut self, endpoint: &mut Endpoint<'_>) -> Vec<Message> {
        let end = end_of(self.round);
        self.round += 1;
        self.batches.advance_to(end);
        endpoint.wait(&self.batches_sent, end);
        self.arrived(self.round - 1)
    }

    fn arrived(&mut self, round: u64) -> Vec<Message> {
        let mut inbox = self.inbox.borrow_mut();
        inbox.remove(&round).unwrap_or_default()
    }

    /// Tells all workers, and returns what all have told together. Every worker must tell the same
    /// number of times.
    pub(crate) fn tell(&mut self, endpoint: &mut Endpoint<'_>, own: Tally) -> Tally {
        self.tallies.send(own);
        self.tally += 1;
        self.tallies.advance_to(self.tally);
        endpoint.wait(&self.tallies_sent, self.tally);
        let told = self.told.borrow_mut().remove(&(self.tally - 1));
        told.expect("at least what this worker has told")
    }
}
