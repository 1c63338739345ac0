//! Looks for sections that can never end, in what the workers have explored so far.

use crate::fixpoint::{Fixpoint, Outside, sort};
use crate::flow::{Endpoint, Flow, Tally};
use crate::hangs::{Checked, Hang};
use crate::link::Message;
use crate::worker::{Explorer, number, reason};
use impasse_limits::StopReason;
use impasse_transition_system::{Key, Numbered, Portable, Received};

/// What one worker makes of the states outside of a fixpoint.
#[derive(Default)]
struct Judged {
    /// The first violation.
    hang: Option<Hang>,
    /// States whose drained states decide about a section.
    undecided: Vec<u32>,
    /// The same for the noted section.
    noted: Vec<u32>,
    /// Whether the noted section can never end from some drained state.
    noted_may_hang: bool,
}

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
        let mut judged = self.judge(worker, &outside, exhausted);
        self.partition.hang = judged.hang;
        let tally = Tally {
            left: !judged.undecided.is_empty(),
            found: !judged.noted.is_empty(),
            hint: judged.noted_may_hang,
            ends: self.noted_may_end(),
            ..self.hang_tally()
        };
        let tally = flow.tell(endpoint, tally);
        if let Some(reason) = reason(tally.stop) {
            return Checked::Stopped(reason);
        }
        if tally.fault {
            return Checked::Found;
        }
        // A section that is open everywhere, and that nothing ends, needs no drained states.
        let noted_may_hang = tally.hint || tally.found && !tally.ends;
        self.partition.noted_may_hang = noted_may_hang;
        if noted_may_hang {
            judged.noted.clear();
        }
        let noted_is_open = tally.found && !noted_may_hang;
        if exhausted && (tally.left || noted_is_open) {
            judged.undecided.append(&mut judged.noted);
            judged.undecided.sort_unstable();
            judged.undecided.dedup();
            self.drain(endpoint, flow, worker, &judged.undecided);
            return Checked::Drained;
        }
        if tally.left {
            return Checked::Nothing;
        }
        if let Some(found) = outside.iter().find(|state| state.diverges) {
            self.partition.hang = Some(self.hang(found.rank, Key::PROGRAM));
        }
        let tally = flow.tell(endpoint, self.hang_tally());
        match (reason(tally.stop), tally.fault) {
            (Some(reason), _) => Checked::Stopped(reason),
            (None, true) => Checked::Found,
            (None, false) => Checked::Nothing,
        }
    }

    fn noted_may_end(&self) -> bool {
        let hangs = self.hangs.as_ref();
        hangs.is_some_and(|hangs| hangs.recorder.noted_may_end())
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

    /// Notes the first violation, if there is one. Only the states of an exhausted search count for
    /// the noted section.
    fn judge(&self, worker: &mut S::Worker, outside: &[Outside], exhausted: bool) -> Judged {
        let hangs = self.hangs.as_ref().expect("the search looks for hangs");
        let mut judged = Judged::default();
        for state in outside {
            let looks_at_noted = state.noted && exhausted && !judged.noted_may_hang;
            let is_done = state.section.is_none() && !looks_at_noted;
            if is_done || hangs.drained.contains(&state.rank) {
                continue;
            }
            let is_drained = self.count_drained(worker, state.rank) == 0;
            match (state.section, is_drained) {
                (Some(section), true) => {
                    judged.hang = Some(self.hang(state.rank, section));
                    break;
                }
                (Some(_), false) => judged.undecided.push(state.rank),
                (None, _) => {}
            }
            match is_drained {
                true => judged.noted_may_hang |= looks_at_noted,
                false if looks_at_noted => judged.noted.push(state.rank),
                false => {}
            }
        }
        judged
    }

    fn hang(&self, rank: u32, section: Key) -> Hang {
        Hang {
            level: self.store.level(rank),
            worker: self.own,
            rank,
            key: section.0,
        }
    }

    fn hang_tally(&self) -> Tally {
        Tally {
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
