//! Looks for sections that can never end, in what the workers have explored so far.

use crate::fixpoint::{Fixpoint, Outside, sort};
use crate::flow::{Endpoint, Flow, Tally};
use crate::hangs::{Checked, Hang};
use crate::link::Message;
use crate::worker::{Explorer, number, reason};
use impasse_limits::StopReason;
use impasse_transition_system::{Key, Numbered, Portable, Received};

impl<S: Portable> Explorer<'_, S> {
    /// Looks for hangs in what all workers have explored. If that is `exhausted`, there are no
    /// others. Must be called by all workers, which look for hangs.
    pub(crate) fn check_hangs(
        &mut self,
        endpoint: &mut Endpoint<'_>,
        flow: &mut Flow,
        worker: &mut S::Worker,
        states: u64,
        exhausted: bool,
    ) -> Checked {
        let outside = match self.outside(endpoint, flow, states) {
            Ok(outside) => outside,
            Err(reason) => return Checked::Stopped(reason),
        };
        let waiting = self.judge(worker, &outside, exhausted);
        let tally = flow.tell(endpoint, self.hang_tally(!waiting.is_empty()));
        match (reason(tally.stop), tally) {
            (Some(reason), _) => return Checked::Stopped(reason),
            (None, Tally { fault: true, .. }) => return Checked::Found,
            (None, Tally { left: true, .. }) if exhausted => {
                self.drain(endpoint, flow, worker, &waiting);
                return Checked::Drained;
            }
            (None, Tally { left: true, .. }) => return Checked::Nothing,
            (None, _) => {}
        }
        if let Some(found) = outside.iter().find(|state| state.diverges) {
            self.partition.hang = Some(self.hang(found.rank, Key::PROGRAM));
        }
        let tally = flow.tell(endpoint, self.hang_tally(false));
        match (reason(tally.stop), tally.fault) {
            (Some(reason), _) => Checked::Stopped(reason),
            (None, true) => Checked::Found,
            (None, false) => Checked::Nothing,
        }
    }

    /// Computes the fixpoint, and returns the states with pairs outside of it, or why the search
    /// stops.
    fn outside(
        &mut self,
        endpoint: &mut Endpoint<'_>,
        flow: &mut Flow,
        states: u64,
    ) -> Result<Vec<Outside>, StopReason> {
        let (own, peers) = (self.own, self.peers as usize);
        let hangs = self.hangs.as_mut().expect("the search looks for hangs");
        hangs.check(states);
        sort(&mut hangs.recorder);
        let mut fixpoint = Fixpoint::new(own, peers, &hangs.recorder, &self.store);
        loop {
            fixpoint.run();
            for (to, bytes) in fixpoint.take_outbox() {
                flow.send(Message::other(own, to, bytes));
            }
            for message in flow.finish(endpoint) {
                fixpoint
                    .hear(&message.bytes)
                    .unwrap_or_else(|error| panic!("{error}"));
            }
            let tally = flow.tell(
                endpoint,
                Tally {
                    left: fixpoint.has_work(),
                    stop: number(self.bounds.cancel.reason()),
                    ..Tally::default()
                },
            );
            if let Some(reason) = reason(tally.stop) {
                return Err(reason);
            }
            if !tally.left {
                return Ok(fixpoint.outside(hangs.noted));
            }
        }
    }

    /// Notes the first violation, if there is one, and whether the noted section may never end.
    /// Returns the states whose drained states decide. Only those of an exhausted search count for
    /// the noted section.
    fn judge(&mut self, worker: &mut S::Worker, outside: &[Outside], exhausted: bool) -> Vec<u32> {
        let mut waiting = Vec::new();
        let mut noted_decided = !exhausted;
        for state in outside {
            let looks_at_noted = state.noted && !noted_decided;
            let hangs = self.hangs.as_ref().expect("the search looks for hangs");
            if state.section.is_none() && !looks_at_noted || hangs.drained.contains(&state.rank) {
                continue;
            }
            if self.count_drained(worker, state.rank) > 0 {
                waiting.push(state.rank);
                continue;
            }
            if looks_at_noted {
                noted_decided = true;
                self.partition.noted_may_hang = true;
            }
            if let Some(section) = state.section {
                self.partition.hang = Some(self.hang(state.rank, section));
                break;
            }
        }
        waiting
    }

    fn hang(&self, rank: u32, section: Key) -> Hang {
        Hang {
            level: self.store.level(rank),
            worker: self.own,
            rank,
            section,
        }
    }

    fn hang_tally(&self, left: bool) -> Tally {
        Tally {
            left,
            fault: self.partition.hang.is_some(),
            stop: number(self.bounds.cancel.reason()),
            ..Tally::default()
        }
    }

    /// Returns how many drained states the state with a rank has: none if it is drained.
    fn count_drained(&self, worker: &mut S::Worker, rank: u32) -> u32 {
        let state = self.store.states.get(self.store.id(rank));
        let mut sink = Numbered::new(|_: Received<'_, S>| {});
        self.system.drain(worker, state, &mut sink);
        sink.emitted
    }

    /// Passes the drained states of some states on to their owners.
    fn drain(
        &mut self,
        endpoint: &mut Endpoint<'_>,
        flow: &mut Flow,
        worker: &mut S::Worker,
        ranks: &[u32],
    ) {
        let system = self.system;
        for &rank in ranks {
            let state = self.store.states.get(self.store.id(rank)).to_vec();
            // The ordinals of drained states follow those of the other successors.
            let mut before = Numbered::new(|_: Received<'_, S>| {});
            system.successors(worker, &state, &mut before);
            let first = before.emitted;
            let mut sink =
                Numbered::new(|received| self.receive_drained(received, rank, first, flow));
            system.drain(worker, &state, &mut sink);
            let hangs = self.hangs.as_mut().expect("the search looks for hangs");
            hangs.drained.insert(rank);
        }
        self.send_all(flow);
        self.take_in(flow.finish(endpoint));
    }
}
