//! The dataflow that connects the workers.
//!
//! A search goes through *rounds*, which are the timestamps of the dataflow. In each round the
//! workers exchange batches of transitions, and afterwards what they found: progress tracking tells
//! when everything of a round has arrived.

use crate::link::Message;
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
use timely::dataflow::operators::{Broadcast, Input, Inspect, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

/// How long a worker sleeps at most before it looks again whether another one has failed.
const NAP: Duration = Duration::from_millis(10);

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
        self.stop = self.stop.max(other.stop);
        self.states += other.states;
    }
}

/// One worker of a dataflow, as a search sees it.
pub struct Endpoint<'a> {
    worker: &'a mut Worker<Allocator>,
    failed: Failed,
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
    pub(crate) fn new(worker: &'a mut Worker<Allocator>, failed: Failed) -> Self {
        Endpoint { worker, failed }
    }

    /// Returns the number of this worker, from 0.
    pub fn index(&self) -> usize {
        self.worker.index()
    }

    /// Returns how many workers there are.
    pub fn peers(&self) -> usize {
        self.worker.peers()
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
    inbox: Rc<RefCell<Vec<Message>>>,
    /// What was told, by the number of the tally.
    told: Rc<RefCell<BTreeMap<u64, Tally>>>,
    round: u64,
    tally: u64,
}

impl Flow {
    pub(crate) fn new(endpoint: &mut Endpoint<'_>) -> Self {
        let inbox = Rc::new(RefCell::new(Vec::new()));
        let told = Rc::new(RefCell::new(BTreeMap::<u64, Tally>::new()));
        let (mut batches, mut tallies) = (InputHandle::new(), InputHandle::new());
        let (into, heard) = (inbox.clone(), told.clone());
        let (batches_sent, tallies_sent) = endpoint.worker.dataflow(|scope| {
            let to = Exchange::new(|message: &Message| u64::from(message.to));
            let batches_sent = scope
                .input_from(&mut batches)
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(to, "receive", |_, _| {
                    move |input, _output| {
                        input.for_each(|_, messages| into.borrow_mut().append(messages));
                    }
                })
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
        self.batches.flush();
    }

    /// Lets the dataflow work, and returns what has arrived in this round.
    pub(crate) fn poll(&mut self, endpoint: &mut Endpoint<'_>) -> Vec<Message> {
        endpoint.worker.step();
        self.inbox.take()
    }

    /// Ends the sending of this round, and returns the rest of what arrives in it.
    pub(crate) fn finish(&mut self, endpoint: &mut Endpoint<'_>) -> Vec<Message> {
        self.round += 1;
        self.batches.advance_to(self.round);
        endpoint.wait(&self.batches_sent, self.round);
        self.inbox.take()
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
