//! Goes on from a checkpoint of another number of workers.
//!
//! Every worker reads the files of all, and keeps the states that it owns now. A state gets a new
//! rank: states are counted level by level, and within a level worker by worker, in the order of
//! their old ranks. All workers count alike, so each knows the new rank of every state, and renames
//! whatever refers to states by their ranks.

use crate::checkpoint::{Reader, damaged};
use crate::flow::Sendable;
use crate::homes::{Home, Homes};
use crate::save::{Rest, States};
use crate::worker::{Explorer, Frontier, Partition};
use impasse_transition_system::Portable;
use std::io;
use std::ops::Range;

impl<S: Portable> Explorer<'_, S>
where
    S::Omission: Sendable + Clone,
{
    /// Takes over what the checkpoints of all former workers hold, and returns the level that
    /// begins. Fails if a file cannot be read or is damaged.
    pub(crate) fn restore_all(&mut self, readers: &mut [Reader]) -> io::Result<Frontier> {
        let mut rests = Vec::new();
        let mut homes = Homes::default();
        let mut files = Vec::new();
        for reader in readers.iter_mut() {
            let mut rest: Rest<S::Omission> = reader.value()?;
            // These are large, and read again, file by file.
            rest.hangs = None;
            homes.add_worker(rest.places.len());
            rests.push(rest);
            files.push(States::<S>::new(reader));
        }
        let levels = rests.first().map_or(0, |rest| rest.levels.len());
        if rests.iter().any(|rest| rest.levels.len() != levels) {
            return Err(damaged());
        }
        let mut counts = vec![0; self.peers as usize];
        let mut first_ranks = Vec::with_capacity(levels);
        for level in 0..levels {
            first_ranks.push(counts[self.own as usize] + 1);
            for (former, (rest, file)) in rests.iter().zip(&mut files).enumerate() {
                let places = rest.places.get(of_level(rest, level)).ok_or_else(damaged)?;
                for &place in places {
                    let state = file.next(self.system)?;
                    let worker = self.owner(state);
                    let count = &mut counts[worker as usize];
                    *count += 1;
                    if worker == self.own {
                        let place = homes.rename(place).ok_or_else(damaged)?;
                        self.store.restore(state, place);
                    }
                    let rank = *count;
                    homes.add(former, Home { worker, rank });
                }
            }
        }
        drop(files);
        self.store.restore_levels(first_ranks);
        self.take_figures(rests);
        for (former, reader) in readers.iter_mut().enumerate() {
            reader.rewind()?;
            let rest: Rest<S::Omission> = reader.value()?;
            self.take_hangs(rest, former, &homes)?;
        }
        if let Some(hangs) = &mut self.hangs {
            hangs.recorder.sort();
        }
        Ok(self.go_on())
    }

    /// Takes over the counters of some of the former workers.
    fn take_figures(&mut self, rests: Vec<Rest<S::Omission>>) {
        let mut all = Partition::default();
        for (former, rest) in (0..).zip(rests) {
            self.round = rest.round;
            all.noted_may_hang |= rest.noted_may_hang;
            if former % self.peers == u64::from(self.own) {
                all.omissions.extend(rest.omissions);
                all.transitions += rest.transitions;
                all.terminal += rest.terminal;
                all.bytes += rest.bytes;
                all.sent += rest.sent;
                all.bytes_sent += rest.bytes_sent;
            }
        }
        self.partition = all;
    }

    /// Takes over what a former worker has kept of hangs, as far as it is about states that this
    /// worker owns.
    fn take_hangs(
        &mut self,
        rest: Rest<S::Omission>,
        former: usize,
        homes: &Homes,
    ) -> io::Result<()> {
        let (hangs, saved) = match (&mut self.hangs, rest.hangs) {
            (Some(hangs), Some(saved)) => (hangs, saved),
            (None, None) => return Ok(()),
            _ => return Err(damaged()),
        };
        for rank in saved.drained {
            let home = homes.of(former, rank).ok_or_else(damaged)?;
            if home.worker == self.own {
                hangs.drained.insert(home.rank);
            }
        }
        hangs.next_check = saved.next_check;
        let store = &self.store;
        hangs
            .recorder
            .absorb(saved.recorder, (former, self.own), homes, |rank| {
                store.id(rank)
            })
            .ok_or_else(damaged)
    }
}

/// The states of a level in a file, by their ranks less one.
fn of_level<O>(rest: &Rest<O>, level: usize) -> Range<usize> {
    let first = |level: usize| rest.levels.get(level).map(|&rank| rank as usize - 1);
    first(level).unwrap_or(0)..first(level + 1).unwrap_or(rest.places.len())
}
