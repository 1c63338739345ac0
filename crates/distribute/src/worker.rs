//! One worker: its partition of the states, and the levels it explores.

use impasse_transition_system::{Numbered, Received, TransitionSystem};
use rustc_hash::{FxHashSet, FxHasher};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::hash::Hasher;
use std::rc::Rc;
use timely::communication::Allocate;
use timely::dataflow::operators::{Broadcast, Exchange, Input, Inspect, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

/// The transition that found a state first. Ordered, so that the least of a level is well defined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Predecessor {
    /// The worker that owns the source and the number of the source there; `None` for initial states.
    pub(crate) state: Option<(u32, u32)>,
    pub(crate) ordinal: u32,
}

/// What one worker has found.
pub(crate) struct Partition<S: TransitionSystem> {
    /// For each state, in the order of discovery.
    pub(crate) predecessors: Vec<Predecessor>,
    pub(crate) fault: Option<(S::Fault, Predecessor)>,
    pub(crate) omissions: BTreeSet<S::Omission>,
    pub(crate) transitions: u64,
    pub(crate) depth: u64,
    pub(crate) terminal: u64,
}

/// A successor on its way to its owner: the encoded state, then the parts of a [`Predecessor`].
type Message = (Vec<u8>, Option<(u32, u32)>, u32);

/// Whether a worker found states on a level, and whether it found a fault.
type Tally = (bool, bool);

/// The dataflow as one worker sees it.
struct Flow {
    states: InputHandle<u64, Message>,
    tallies: InputHandle<u64, Tally>,
    states_sent: ProbeHandle<u64>,
    tallies_sent: ProbeHandle<u64>,
    inbox: Rc<RefCell<Vec<Message>>>,
    told: Rc<RefCell<Tally>>,
}

/// Explores the states that this worker owns, level by level, until no worker has any left or one
/// has found a fault.
pub(crate) fn explore<A: Allocate, S: TransitionSystem>(
    worker: &mut Worker<A>,
    system: &S,
) -> Partition<S> {
    let own = worker.index() as u32;
    let mut flow = Flow::new(worker);
    let mut part = Partition::new();
    let mut stored: FxHashSet<Rc<[u8]>> = FxHashSet::default();
    let mut frontier: Vec<(u32, Rc<[u8]>)> = Vec::new();
    let mut scratch = system.worker();
    if own == 0 {
        let mut first = system.worker();
        let mut sink = Numbered::new(|received| part.receive(received, None, &mut flow.states));
        system.initial(&mut first, &mut sink);
    }
    for level in 1.. {
        for (index, state) in frontier.drain(..) {
            let source = Some((own, index));
            let mut sink =
                Numbered::new(|received| part.receive(received, source, &mut flow.states));
            system.successors(&mut scratch, &state, &mut sink);
            let emitted = sink.emitted;
            part.transitions += u64::from(emitted);
            part.terminal += u64::from(emitted == 0);
        }
        for (state, source, ordinal) in flow.exchange(worker, level) {
            let state: Rc<[u8]> = state.into();
            if stored.insert(state.clone()) {
                let index = u32::try_from(part.predecessors.len()).expect("fewer than 2^32 states");
                frontier.push((index, state));
                let state = source;
                part.predecessors.push(Predecessor { state, ordinal });
            }
        }
        let own_tally = (!frontier.is_empty(), part.fault.is_some());
        let (found, fault) = flow.tell(worker, level, own_tally);
        if fault || !found {
            break;
        }
        part.depth += u64::from(level > 1);
    }
    part
}

impl Flow {
    fn new<A: Allocate>(worker: &mut Worker<A>) -> Self {
        let inbox = Rc::new(RefCell::new(Vec::new()));
        let told = Rc::new(RefCell::new((false, false)));
        let (mut states, mut tallies) = (InputHandle::new(), InputHandle::new());
        let (into, heard) = (inbox.clone(), told.clone());
        let (states_sent, tallies_sent) = worker.dataflow(|scope| {
            let states_sent = scope
                .input_from(&mut states)
                .exchange(|message: &Message| owner_hash(&message.0))
                .inspect(move |message| into.borrow_mut().push(message.clone()))
                .probe();
            let tallies_sent = scope
                .input_from(&mut tallies)
                .broadcast()
                .inspect(move |tally: &Tally| {
                    let mut all = heard.borrow_mut();
                    *all = (all.0 | tally.0, all.1 | tally.1);
                })
                .probe();
            (states_sent, tallies_sent)
        });
        Flow {
            states,
            tallies,
            states_sent,
            tallies_sent,
            inbox,
            told,
        }
    }

    /// Returns the states of this level that the worker owns, once all have arrived.
    fn exchange<A: Allocate>(&mut self, worker: &mut Worker<A>, level: u64) -> Vec<Message> {
        self.states.advance_to(level);
        worker.step_while(|| self.states_sent.less_than(&level));
        self.inbox.take()
    }

    /// Returns the disjunction of the tallies of all workers for this level.
    fn tell<A: Allocate>(&mut self, worker: &mut Worker<A>, level: u64, own: Tally) -> Tally {
        self.tallies.send(own);
        self.tallies.advance_to(level);
        worker.step_while(|| self.tallies_sent.less_than(&level));
        self.told.take()
    }
}

impl<S: TransitionSystem> Partition<S> {
    fn new() -> Self {
        Partition {
            predecessors: Vec::new(),
            fault: None,
            omissions: BTreeSet::new(),
            transitions: 0,
            depth: 0,
            terminal: 0,
        }
    }

    fn receive(
        &mut self,
        received: Received<'_, S>,
        state: Option<(u32, u32)>,
        states: &mut InputHandle<u64, Message>,
    ) {
        match received {
            Received::Edge(ordinal, edge) => states.send((edge.target.to_vec(), state, ordinal)),
            Received::Fault(ordinal, fault) => {
                let found = (fault, Predecessor { state, ordinal });
                if self.fault.as_ref().is_none_or(|least| found < *least) {
                    self.fault = Some(found);
                }
            }
            Received::Omission(reason) => {
                self.omissions.insert(reason);
            }
        }
    }
}

/// Returns a hash that is the same in every process.
fn owner_hash(state: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(state);
    hasher.finish()
}
