//! One worker: its partition of the states, and the levels it explores.

use crate::beat::Figures;
use crate::checkpoint::Saving;
use crate::flow::{Endpoint, Flow, Sendable, Tally};
use crate::hangs::{Checked, Hang, Hangs};
use crate::link::{Incoming, Message, Outgoing, Record, Sent};
use crate::recorder;
use crate::store::{Place, ROOT, Store};
use impasse_limits::{Cancel, StopReason};
use impasse_search::LiveStatistics;
use impasse_store::Id;
use impasse_transition_system::{Key, Numbered, Portable, Received};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// States that all workers together expand in a round, at most.
const ROUND: u64 = 1 << 16;
/// States that a worker expands at least in a round, if it has as many.
const CHUNK: u64 = 64;
/// States that a worker expands before it looks at what has arrived.
const TURN: usize = 32;
/// Distinct omissions that are reported; further ones only repeat that something was left out.
pub(crate) const OMISSIONS: usize = 16;

/// Which hangs a search looks for: sections that can never end.
#[derive(Clone, Copy, Default, Debug)]
pub struct HangSearch {
    /// The nontermination of this section is no violation, but noted.
    pub noted: Option<Key>,
}

/// What a search looks for, what bounds it, and where it says how far it is.
#[derive(Clone)]
pub struct Bounds {
    /// The hangs that it looks for, if any.
    pub hangs: Option<HangSearch>,
    /// The search stops soon after it has found more states than this.
    pub max_states: Option<u64>,
    /// The search stops soon after this request. A system that polls the same request may then emit
    /// fewer transitions than it has.
    pub cancel: Arc<Cancel>,
    /// What the workers of this process have found so far, all together.
    pub live: Arc<LiveStatistics>,
    /// Checkpoints that it writes, if any.
    pub saving: Option<Saving>,
}

/// What one worker has found.
pub(crate) struct Partition<F, O> {
    pub(crate) fault: Option<(F, Place)>,
    /// The first few distinct omissions, each with its round.
    pub(crate) omissions: Vec<(u64, O)>,
    /// The nearest hang of this worker's.
    pub(crate) hang: Option<Hang>,
    /// Whether the noted section may never end, as all workers know.
    pub(crate) noted_may_hang: bool,
    pub(crate) transitions: u64,
    pub(crate) depth: u64,
    pub(crate) terminal: u64,
    pub(crate) bytes: u64,
    pub(crate) sent: u64,
    pub(crate) bytes_sent: u64,
}

/// The states of the present level that this worker owns.
#[derive(Default)]
pub(crate) struct Frontier {
    pub(crate) states: Vec<Id>,
    pub(crate) first_rank: u32,
    pub(crate) done: usize,
}

/// One worker's share of a search.
pub(crate) struct Explorer<'a, S: Portable> {
    pub(crate) system: &'a S,
    pub(crate) bounds: &'a Bounds,
    pub(crate) own: u32,
    pub(crate) peers: u64,
    pub(crate) store: Store,
    pub(crate) hangs: Option<Hangs>,
    hashes: S::Hashes,
    sent: Sent,
    outgoing: Vec<Outgoing<S>>,
    incoming: Vec<Incoming<S>>,
    /// The state that is read or expanded at present.
    state: Vec<u8>,
    pub(crate) round: u64,
    pub(crate) levels: u64,
    /// When the next checkpoint is due.
    pub(crate) next_save: Instant,
    omitted: BTreeSet<S::Omission>,
    pub(crate) partition: Partition<S::Fault, S::Omission>,
    /// What the live statistics know of this worker.
    pub(crate) shown: Figures,
}

impl<'a, S: Portable> Explorer<'a, S> {
    pub(crate) fn new(system: &'a S, bounds: &'a Bounds, endpoint: &Endpoint<'_>) -> Self {
        let peers = endpoint.peers();
        Explorer {
            system,
            bounds,
            own: endpoint.index() as u32,
            peers: peers as u64,
            store: match bounds.hangs {
                Some(_) => Store::with_ids(),
                None => Store::default(),
            },
            hangs: bounds.hangs.map(|hangs| Hangs::new(hangs.noted)),
            hashes: S::Hashes::default(),
            sent: Sent::default(),
            outgoing: (0..peers).map(|_| Outgoing::default()).collect(),
            incoming: (0..peers).map(|_| Incoming::default()).collect(),
            state: Vec::new(),
            round: 0,
            levels: 0,
            next_save: Instant::now()
                + bounds
                    .saving
                    .as_ref()
                    .map_or(Duration::ZERO, |saving| saving.interval),
            omitted: BTreeSet::new(),
            partition: Partition::default(),
            // What is shown of a search before this one is replaced.
            shown: endpoint.shown,
        }
    }

    /// Explores the states that this worker owns, level by level, until no worker has any left, one
    /// has found a fault, or a limit is reached. Returns the limit.
    pub(crate) fn search(
        &mut self,
        endpoint: &mut Endpoint<'_>,
        flow: &mut Flow,
        resumed: Option<Frontier>,
    ) -> Option<StopReason>
    where
        S::Omission: Sendable + Clone,
    {
        if endpoint.index() == 0 && resumed.is_none() {
            self.initial(flow);
        }
        let (system, bounds) = (self.system, self.bounds);
        let mut worker = system.worker();
        let mut frontier = resumed.unwrap_or_default();
        let mut total = 0;
        loop {
            let left = bounds.max_states.unwrap_or(u64::MAX).saturating_sub(total);
            let share = left.clamp(CHUNK, ROUND).div_ceil(self.peers);
            self.expand(endpoint, flow, &mut worker, &mut frontier, share);
            let tally = flow.tell(endpoint, self.tally(&frontier));
            self.end_round(&frontier);
            if tally.noted {
                system.note();
            }
            total = tally.states;
            if tally.fault {
                return None;
            }
            if let Some(reason) = reason(tally.stop) {
                return Some(reason);
            }
            let is_limited = bounds.max_states.is_some_and(|limit| total > limit);
            let exhausted = !tally.left && !tally.found;
            let mut is_over = exhausted;
            let looks = bounds.hangs.is_some() && (exhausted || is_limited || tally.hint);
            if looks || self.is_check_due(total, !tally.left) {
                match self.check_hangs(endpoint, flow, &mut worker, total, exhausted) {
                    Checked::Found => return None,
                    Checked::Stopped(reason) => return Some(reason),
                    Checked::Drained => is_over = false,
                    Checked::Nothing => {}
                }
            }
            if is_limited {
                return Some(StopReason::States);
            }
            if is_over {
                return None;
            }
            if !tally.left {
                frontier = self.begin_level();
                if let (true, Some(saving)) = (tally.save, &bounds.saving) {
                    self.save(endpoint, flow, saving);
                }
            }
        }
    }

    fn initial(&mut self, flow: &mut Flow) {
        let system = self.system;
        let mut first = system.worker();
        let mut sink = Numbered::new(|received| self.receive(received, ROOT, flow));
        system.initial(&mut first, &mut sink);
    }

    /// Expands so many states of the frontier, and takes in what arrives until the round ends.
    fn expand(
        &mut self,
        endpoint: &mut Endpoint<'_>,
        flow: &mut Flow,
        worker: &mut S::Worker,
        frontier: &mut Frontier,
        share: u64,
    ) {
        let end = frontier
            .states
            .len()
            .min(frontier.done.saturating_add(share as usize));
        while frontier.done < end && !self.bounds.cancel.is_cancelled() {
            let rank = frontier.first_rank + frontier.done as u32;
            self.expand_state(worker, frontier.states[frontier.done], rank, flow);
            frontier.done += 1;
            if frontier.done.is_multiple_of(TURN) {
                self.take_in(flow.poll(endpoint));
                self.show(frontier);
            }
        }
        self.send_all(flow);
        self.take_in(flow.finish(endpoint));
        self.show(frontier);
    }

    fn expand_state(&mut self, worker: &mut S::Worker, id: Id, rank: u32, flow: &mut Flow) {
        let system = self.system;
        let mut state = std::mem::take(&mut self.state);
        state.clear();
        state.extend_from_slice(self.store.states.get(id));
        if let Some(hangs) = &mut self.hangs {
            let mut open = Vec::new();
            system.open_sections(worker, &state, &mut open);
            hangs.recorder.begin(rank, &open);
        }
        let mut sink = Numbered::new(|received| self.receive(received, rank, flow));
        system.successors(worker, &state, &mut sink);
        let emitted = sink.emitted;
        if let Some(hangs) = &mut self.hangs {
            hangs.recorder.end();
        }
        self.state = state;
        self.partition.transitions += u64::from(emitted);
        self.partition.terminal += u64::from(emitted == 0);
    }

    /// Passes a transition on to the owner of its target.
    fn receive(&mut self, received: Received<'_, S>, rank: u32, flow: &mut Flow) {
        let place = |ordinal| Place {
            worker: self.own,
            rank,
            ordinal,
        };
        match received {
            Received::Edge(ordinal, edge) => {
                let record = Record {
                    place: place(ordinal),
                    target: edge.target,
                    open: match &mut self.hangs {
                        // Initial states have no source.
                        Some(hangs) if rank != ROOT => hangs.recorder.edge(ordinal, &edge),
                        _ => None,
                    },
                };
                self.edge(record, flow);
            }
            Received::Fault(ordinal, fault) => {
                let found = (fault, place(ordinal));
                let known = &mut self.partition.fault;
                if known.as_ref().is_none_or(|least| found < *least) {
                    *known = Some(found);
                }
            }
            Received::Omission(reason) => {
                if let (Some(hangs), true) = (&mut self.hangs, rank != ROOT) {
                    hangs.recorder.omission();
                }
                self.omit(reason);
            }
        }
    }

    /// Passes on the transition to a drained state of the state with a rank. The ordinals of these
    /// begin at `first`. They take no part in the fixpoint.
    pub(crate) fn receive_drained(
        &mut self,
        received: Received<'_, S>,
        rank: u32,
        first: u32,
        flow: &mut Flow,
    ) {
        match received {
            Received::Edge(ordinal, edge) => {
                let place = Place {
                    worker: self.own,
                    rank,
                    ordinal: first + ordinal,
                };
                let (target, open) = (edge.target, None);
                let record = Record {
                    place,
                    target,
                    open,
                };
                self.edge(record, flow);
            }
            Received::Fault(ordinal, fault) => {
                self.receive(Received::Fault(first + ordinal, fault), rank, flow);
            }
            Received::Omission(reason) => self.omit(reason),
        }
    }

    fn omit(&mut self, reason: S::Omission) {
        self.omitted.insert(reason);
        if self.omitted.len() > OMISSIONS {
            self.omitted.pop_last();
        }
    }

    fn edge(&mut self, record: Record<'_>, flow: &mut Flow) {
        let Record {
            place,
            target,
            open,
        } = record;
        let (owner, slot) = match self.sent.find(target) {
            Some(found) => found,
            None => match self.owner(target) {
                owner if owner == self.own => {
                    let target = self.store.reached(target, place);
                    if let (Some(hangs), Some(open)) = (&mut self.hangs, open) {
                        hangs.recorder.incoming.push(recorder::Incoming {
                            target,
                            place,
                            open,
                        });
                    }
                    return;
                }
                owner => {
                    self.partition.sent += 1;
                    (owner, self.sent.add(target, owner))
                }
            },
        };
        let owner = owner as usize;
        let outgoing = &mut self.outgoing[owner];
        match &self.hangs {
            Some(hangs) if slot.is_new || open.is_some() => {
                outgoing.push_with_slot(self.system, record, slot, &hangs.recorder);
            }
            None if slot.is_new => outgoing.push(self.system, record),
            _ => return,
        }
        if self.outgoing[owner].is_full() {
            self.send(owner, flow);
        }
    }

    /// Returns the worker that owns a state.
    pub(crate) fn owner(&mut self, state: &[u8]) -> u32 {
        // Every state that is stored here is owned here.
        if self.store.states.find(state).is_some() {
            return self.own;
        }
        let hash = self.system.portable_hash(&mut self.hashes, state);
        // The high bits of a product are as evenly distributed as the hash.
        ((u128::from(hash) * u128::from(self.peers)) >> u64::BITS) as u32
    }

    pub(crate) fn send_all(&mut self, flow: &mut Flow) {
        for to in 0..self.outgoing.len() {
            self.send(to, flow);
        }
    }

    fn send(&mut self, to: usize, flow: &mut Flow) {
        if let Some(message) = self.outgoing[to].take(self.own, to as u32) {
            self.partition.bytes_sent += message.len() as u64;
            flow.send(message);
        }
    }

    pub(crate) fn take_in(&mut self, messages: Vec<Message>) {
        for message in messages {
            let (system, store) = (self.system, &mut self.store);
            let reached = |place, state: &[u8]| store.reached(state, place);
            let recorder = self.hangs.as_mut().map(|hangs| &mut hangs.recorder);
            let incoming = &mut self.incoming[message.from as usize];
            incoming
                .read(system, &message, &mut self.state, reached, recorder)
                .unwrap_or_else(|error| panic!("{error}"));
        }
    }

    fn tally(&mut self, frontier: &Frontier) -> Tally {
        let hangs = self.hangs.as_mut();
        Tally {
            hint: hangs.is_some_and(|hangs| hangs.recorder.take_stuck()),
            left: frontier.done < frontier.states.len(),
            found: self.store.waiting() > 0,
            fault: self.partition.fault.is_some(),
            stop: number(self.bounds.cancel.reason()),
            noted: self.system.noted(),
            // The clock of one worker counts.
            save: self.own == 0 && Instant::now() >= self.next_save,
            states: self.store.len(),
            ..Tally::default()
        }
    }

    fn end_round(&mut self, frontier: &Frontier) {
        // Of the first few of all workers, each worker has some among its own first few.
        let known = &mut self.partition.omissions;
        for reason in std::mem::take(&mut self.omitted) {
            let is_new = known.iter().all(|(_, it)| *it != reason);
            if is_new && known.len() < OMISSIONS {
                known.push((self.round, reason));
            }
        }
        self.round += 1;
        self.show(frontier);
    }

    /// Whether to look for hangs now, with so many states found.
    fn is_check_due(&self, states: u64, level_is_done: bool) -> bool {
        let hangs = self.hangs.as_ref();
        hangs.is_some_and(|hangs| level_is_done && hangs.is_due(states))
    }

    fn begin_level(&mut self) -> Frontier {
        let (states, first_rank) = self.store.next_level();
        self.begin(self.store.level_count());
        Frontier {
            states,
            first_rank,
            done: 0,
        }
    }

    /// Notes that the level with this number begins, from 1.
    pub(crate) fn begin(&mut self, level: u64) {
        self.levels = level;
        self.partition.depth = level - 1;
        self.bounds.live.set_depth(self.partition.depth);
    }

    /// Brings the live statistics up to date.
    fn show(&mut self, frontier: &Frontier) {
        let level = frontier.states.len() - frontier.done;
        let hangs = self.hangs.as_ref();
        let figures = Figures {
            states: self.store.len(),
            transitions: self.partition.transitions,
            waiting: (level + self.store.waiting()) as u64,
            bytes: self.store.bytes()
                + self.system.bytes()
                + hangs.map_or(0, |hangs| hangs.recorder.bytes())
                + (frontier.states.capacity() * size_of::<Id>()) as u64,
        };
        self.shown.replace(figures, &self.bounds.live);
        self.partition.bytes = self.partition.bytes.max(figures.bytes);
    }
}

impl<F, O> Default for Partition<F, O> {
    fn default() -> Self {
        Partition {
            fault: None,
            omissions: Vec::new(),
            hang: None,
            noted_may_hang: false,
            transitions: 0,
            depth: 0,
            terminal: 0,
            bytes: 0,
            sent: 0,
            bytes_sent: 0,
        }
    }
}

/// The reasons that a tally can hold, but for none.
const REASONS: [StopReason; 5] = [
    StopReason::States,
    StopReason::Memory,
    StopReason::Disk,
    StopReason::Time,
    StopReason::Interrupted,
];

pub(crate) fn number(reason: Option<StopReason>) -> u8 {
    let index = REASONS.iter().position(|it| Some(*it) == reason);
    index.map_or(0, |index| index as u8 + 1)
}

pub(crate) fn reason(number: u8) -> Option<StopReason> {
    REASONS.get(usize::from(number).checked_sub(1)?).copied()
}
