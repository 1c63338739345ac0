//! What of a worker's part of a search is in a checkpoint.

use crate::checkpoint::{self, Moment, Reader, Saving, Writer, damaged};
use crate::flow::{Endpoint, Flow, Sendable, Tally};
use crate::recorder::Saved as SavedRecorder;
use crate::store::Place;
use crate::worker::{Explorer, Frontier, Partition};
use impasse_transition_system::{Malformed, Portable};
use serde::{Deserialize, Serialize};
use std::io;
use std::time::Instant;

/// Bytes of states that are written together.
const BATCH: usize = 1 << 20;

/// What is not states.
#[derive(Serialize, Deserialize)]
struct Rest<O> {
    places: Vec<Place>,
    levels: Vec<u32>,
    round: u64,
    omissions: Vec<(u64, O)>,
    noted_may_hang: bool,
    transitions: u64,
    terminal: u64,
    bytes: u64,
    sent: u64,
    bytes_sent: u64,
    hangs: Option<Hangs>,
}

#[derive(Serialize, Deserialize)]
struct Hangs {
    recorder: SavedRecorder,
    drained: Vec<u32>,
    next_check: u64,
}

impl<S: Portable> Explorer<'_, S>
where
    S::Omission: Sendable + Clone,
{
    /// Writes a checkpoint, at the beginning of a level. All workers must call it. The one before
    /// it remains if one of them fails.
    pub(crate) fn save(&mut self, endpoint: &mut Endpoint<'_>, flow: &mut Flow, saving: &Saving) {
        let began = Instant::now();
        let (own, workers) = (self.own as usize, self.peers as usize);
        let moment = Moment {
            search: saving.search,
            level: self.levels,
        };
        let written = Writer::new(&saving.folder, moment, own, workers).and_then(|mut writer| {
            writer.bytes(&(saving.head)())?;
            self.write(&mut writer)?;
            writer.complete()
        });
        if let Err(error) = &written {
            (saving.failed)(&error.to_string());
        }
        let tally = Tally {
            fault: written.is_err(),
            ..Tally::default()
        };
        if !flow.tell(endpoint, tally).fault {
            checkpoint::delete_others(&saving.folder, own, workers, moment);
        }
        // At most a tenth of the time goes into checkpoints.
        self.next_save = Instant::now() + saving.interval.max(10 * began.elapsed());
    }

    fn write(&self, writer: &mut Writer) -> io::Result<()> {
        let rest = Rest {
            places: self.store.places().to_vec(),
            levels: self.store.levels().to_vec(),
            round: self.round,
            omissions: self.partition.omissions.clone(),
            noted_may_hang: self.partition.noted_may_hang,
            transitions: self.partition.transitions,
            terminal: self.partition.terminal,
            bytes: self.partition.bytes,
            sent: self.partition.sent,
            bytes_sent: self.partition.bytes_sent,
            hangs: self.hangs.as_ref().map(|hangs| Hangs {
                recorder: hangs.recorder.save(|target| self.store.rank(target)),
                drained: hangs.drained.iter().copied().collect(),
                next_check: hangs.next_check,
            }),
        };
        writer.value(&rest)?;
        let mut sender = S::Sender::default();
        let mut batch = Vec::new();
        for id in self.store.in_order() {
            self.system
                .export(&mut sender, self.store.states.get(id), &mut batch);
            if batch.len() >= BATCH {
                writer.bytes(&batch)?;
                batch.clear();
            }
        }
        writer.bytes(&batch)
    }

    /// Takes over what a checkpoint holds, and returns the level that begins. Fails if the file
    /// cannot be read or is damaged.
    pub(crate) fn restore(&mut self, reader: &mut Reader) -> io::Result<Frontier> {
        let rest: Rest<S::Omission> = reader.value()?;
        let mut receiver = S::Receiver::default();
        let mut state = Vec::new();
        let (mut batch, mut at) = (Vec::new(), 0);
        for &place in &rest.places {
            if at == batch.len() {
                (batch, at) = (reader.bytes()?, 0);
            }
            let mut left = &batch[at..];
            let read = self.system.import(&mut receiver, &mut left, &mut state);
            read.map_err(|Malformed| damaged())?;
            at = batch.len() - left.len();
            self.store.restore(&state, place);
        }
        self.store.restore_levels(rest.levels);
        self.round = rest.round;
        self.partition = Partition {
            omissions: rest.omissions,
            noted_may_hang: rest.noted_may_hang,
            transitions: rest.transitions,
            terminal: rest.terminal,
            bytes: rest.bytes,
            sent: rest.sent,
            bytes_sent: rest.bytes_sent,
            ..Partition::default()
        };
        match (&mut self.hangs, rest.hangs) {
            (Some(hangs), Some(saved)) => {
                let store = &self.store;
                hangs
                    .recorder
                    .restore(saved.recorder, |rank| store.id(rank));
                hangs.drained = saved.drained.into_iter().collect();
                hangs.next_check = saved.next_check;
            }
            (None, None) => {}
            _ => return Err(damaged()),
        }
        let (states, first_rank) = self.store.last_level();
        self.begin(self.store.level_count());
        Ok(Frontier {
            states,
            first_rank,
            done: 0,
        })
    }
}
