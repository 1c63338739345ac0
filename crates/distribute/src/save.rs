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
pub(crate) struct Rest<O> {
    pub(crate) places: Vec<Place>,
    pub(crate) levels: Vec<u32>,
    pub(crate) round: u64,
    pub(crate) omissions: Vec<(u64, O)>,
    pub(crate) noted_may_hang: bool,
    pub(crate) transitions: u64,
    pub(crate) terminal: u64,
    pub(crate) bytes: u64,
    pub(crate) sent: u64,
    pub(crate) bytes_sent: u64,
    pub(crate) hangs: Option<Hangs>,
}

/// What is kept to find hangs.
#[derive(Serialize, Deserialize)]
pub(crate) struct Hangs {
    pub(crate) recorder: SavedRecorder,
    pub(crate) drained: Vec<u32>,
    pub(crate) next_check: u64,
}

/// The states of a file, in the order of ranks.
pub(crate) struct States<'r, S: Portable> {
    reader: &'r mut Reader,
    receiver: S::Receiver,
    /// States that were read together, and where the next one begins.
    batch: Vec<u8>,
    at: usize,
    state: Vec<u8>,
}

impl<'r, S: Portable> States<'r, S> {
    /// Returns what reads them from where the reader is.
    pub(crate) fn new(reader: &'r mut Reader) -> Self {
        States {
            reader,
            receiver: S::Receiver::default(),
            batch: Vec::new(),
            at: 0,
            state: Vec::new(),
        }
    }

    /// Reads the next one. Fails if there is none.
    pub(crate) fn next(&mut self, system: &S) -> io::Result<&[u8]> {
        if self.at == self.batch.len() {
            (self.batch, self.at) = (self.reader.bytes()?, 0);
        }
        let mut left = &self.batch[self.at..];
        let read = system.import(&mut self.receiver, &mut left, &mut self.state);
        read.map_err(|Malformed| damaged())?;
        self.at = self.batch.len() - left.len();
        Ok(&self.state)
    }
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
            if let Some(former) = saving.replaced {
                checkpoint::delete_replaced(&saving.folder, former);
            }
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
        let mut states = States::<S>::new(reader);
        for &place in &rest.places {
            self.store.restore(states.next(self.system)?, place);
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
        Ok(self.go_on())
    }

    /// Begins the last level of which states are stored.
    pub(crate) fn go_on(&mut self) -> Frontier {
        let (states, first_rank) = self.store.last_level();
        self.begin(self.store.level_count());
        Frontier {
            states,
            first_rank,
            done: 0,
        }
    }
}
